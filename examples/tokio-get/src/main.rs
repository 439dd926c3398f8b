//! `tokio-get URL` writes what an ftp or gopher URL names to standard output: the machines of urlwise-open, driven by tokio.

use tokio::{io::AsyncReadExt as _, io::AsyncWriteExt as _, net};
use urlwise::{Locator, Url, escape_for_display};
use urlwise_open::protocol::{End, Event, Input, Io, Machine, Step, TlsMode, ftp, gopher};
use urlwise_open::{Endpoint, policy::Policy, policy::UrlSource};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let url = Url::parse_current(std::env::args().nth(1).ok_or("usage: tokio-get URL")?)?;
    let policy = Policy::default();
    policy.admit(&url, UrlSource::Given)?;
    let endpoint = Endpoint::of(&url)?;
    (endpoint.tls() == TlsMode::None).then_some(()).ok_or("this example does not support TLS")?;
    match url.locator() {
        Locator::Ftp(view) => {
            let machine = ftp::FtpMachine::new(ftp::FtpRequest::from_url(view), Default::default());
            get(machine, &endpoint, &policy, |item| escape_for_display(&item.name).to_string()).await
        }
        Locator::Gopher(view) => {
            let machine = gopher::GopherMachine::new(gopher::GopherRequest::from_url(view), Default::default());
            get(machine, &endpoint, &policy, |item| escape_for_display(&item.display).to_string()).await
        }
        _ => Err("this example opens only ftp and gopher URLs".into()),
    }
}

/// Drives the machine, and writes its document or the lines of its menu.
async fn get<M: Machine>(mut machine: M, to: &Endpoint, policy: &Policy, line: fn(M::Entry) -> String) -> Result<()> {
    let (mut control, mut data, mut out) = (None, None, tokio::io::stdout());
    let (mut buffer, mut input) = (vec![0; 64 * 1024], Input::none());
    loop {
        let io = match machine.next(&mut input) {
            Step::Io(io) => io,
            Step::Event(Event::Begin(_) | Event::Note(_)) => continue,
            Step::Event(event) => {
                match event {
                    Event::Data(octets) => out.write_all(&octets).await?,
                    Event::Entry(entry) => out.write_all((line(entry) + "\n").as_bytes()).await?,
                    other => return Err(format!("this example does not support `{}`", other.name()).into()),
                }
                continue;
            }
            Step::Done => return Ok(out.flush().await?),
            Step::Fail(fault) => return Err(fault.into()),
        };
        match io {
            Io::Connect => control = Some(connect(to.host(), to.port(), policy).await?),
            Io::Send(command) => control.as_mut().ok_or("not connected")?.write_all(command.octets()).await?,
            Io::Receive => input = receive(control.as_mut(), &mut buffer).await?,
            Io::OpenData { port } => {
                let peer = control.as_ref().ok_or("not connected")?.peer_addr()?.ip();
                data = Some(connect(&peer.to_string(), port, policy).await?);
            }
            Io::ReceiveData => input = receive(data.as_mut(), &mut buffer).await?,
            Io::CloseData => (data, input) = (None, Input::none()),
            other => return Err(format!("this example does not support `{}`", other.name()).into()),
        }
    }
}

/// Connects to one of the addresses of the host, all of which the policy must admit.
async fn connect(host: &str, port: u16, policy: &Policy) -> Result<net::TcpStream> {
    let addresses: Vec<_> = net::lookup_host((host, port)).await?.collect();
    addresses.iter().try_for_each(|address| policy.admit_address(address.ip(), host))?;
    Ok(net::TcpStream::connect(&addresses[..]).await?)
}

/// The next octets of the peer, or how it has ended.
async fn receive<'b>(tcp: Option<&mut net::TcpStream>, buffer: &'b mut [u8]) -> Result<Input<'b>> {
    Ok(match tcp.ok_or("not connected")?.read(buffer).await {
        Ok(0) => Input::closed(End::Closed),
        Ok(count) => Input::new(&buffer[..count]),
        Err(_) => Input::closed(End::Broken),
    })
}
