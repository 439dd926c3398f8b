//! A program that is stopped and continued, as by Ctrl-Z and `fg`: the system then interrupts calls that wait, though no signal is
//! handled.

use crate::support::{Listener, client, get};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::sleep;
use std::time::Duration;

#[test]
fn a_program_that_is_stopped_while_it_waits_for_an_answer_reads_on() {
    const TEST: &str = "stopped::a_program_that_is_stopped_while_it_waits_for_an_answer_reads_on";
    const URL: &str = "URLWISE_TEST_STOPPED";
    if let Ok(url) = std::env::var(URL) {
        // The process that is stopped.
        assert_eq!(get(&client(), url.as_str()), b"one\n");
        let work = |url: String| assert_eq!(get(&client(), url), b"one\n");
        return urlwise_open::run_many(1, |jobs| jobs.push(url.clone()), work).expect("the system has room");
    }
    let long = Duration::from_secs(10);
    let (has_asked, asked) = mpsc::channel();
    let (may_answer, answers) = mpsc::channel();
    let server = Listener::line(move |mut stream| {
        has_asked.send(()).expect("the test waits");
        answers.recv_timeout(long).expect("the test goes on");
        stream.write_all(b"one\r\n.\r\n").expect("it listens");
    });
    let mut other = Command::new(std::env::current_exe().expect("the tests have a program"));
    other.args([TEST, "--exact"]).env(URL, server.gopher_url("/0x")).stdout(Stdio::piped());
    let other = other.spawn().expect("it starts");
    let process = Pid::from_child(&other);
    for _ in 0..2 {
        if asked.recv_timeout(long).is_err() {
            break;
        }
        // At one of these times it waits.
        for _ in 0..5 {
            sleep(Duration::from_millis(10));
            kill_process(process, Signal::STOP).expect("our child");
            let (_, status) = waitpid(Some(process), WaitOptions::UNTRACED).expect("our child").expect("it changes");
            assert!(status.stopped(), "it has ended: {status:?}");
            kill_process(process, Signal::CONT).expect("our child");
        }
        may_answer.send(()).expect("the server waits");
    }
    let output = other.wait_with_output().expect("our child");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("1 passed"), "{shown}");
}
