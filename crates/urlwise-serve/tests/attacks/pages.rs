//! What pages say besides what servers sent: commands that do the same, names of downloads, counts.

use super::browser::{Browser, encoded, local};
use super::hosts::{Host, prospero};
use urlwise_serve::Options;

/// Options of a gateway whose commands have an option.
fn with_options() -> Options {
    let mut options = local();
    options.command_options = Box::new(|command, scheme| {
        vec!["--allow".into(), "local-from-public".into(), format!("--{command}-{}", scheme.name().unwrap_or_default())]
    });
    options
}

#[test]
fn commands_have_the_options_of_the_gateway() {
    let browser = Browser::new(with_options());
    for (page, commands) in [
        (Host::gopher("0x\t/x\th\t70\r\n.\r\n").url("gopher", ""), vec!["ls --allow local-from-public --ls-gopher"]),
        (Host::gopher("x\r\n.\r\n").url("gopher", "0/x"), vec!["get --allow local-from-public --get-gopher"]),
        (Host::gopher("").url("gopher", "7/find"), vec!["ls --allow local-from-public --ls-gopher"]),
        ("telnet://h.example/".into(), vec!["get --allow local-from-public --get-telnet"; 2]),
        ("gopher://h.example:6379/".into(), vec!["get --allow local-from-public --get-gopher"]),
    ] {
        let text = browser.open(&page).text();
        let shown: Vec<_> =
            text.split("<code>urlwise ").skip(1).filter_map(|rest| rest.split(" &#39;").next()).collect();
        let shown: Vec<_> = shown.iter().filter_map(|command| command.split(" '").next()).collect();
        assert_eq!(shown, commands, "{page}: {text}");
    }
}

#[test]
fn what_is_said_of_a_url_is_told_as_commands() {
    let url = "gopher://h.example/0x";
    let commands = |options| {
        let page = Browser::new(options).get(&["/explain?url=", &encoded(url)].concat()).text();
        let shown: Vec<_> =
            page.split("<code>urlwise ").skip(1).map(|rest| rest.split("</code>").next().unwrap().to_owned()).collect();
        shown
    };
    let every = "rfc1738,rfc3986,whatwg,urlsplit,urllib3,curl,go";
    for (options, dry_run) in [
        (local(), "get --dry-run 'gopher://h.example/0x'"),
        (with_options(), "get --dry-run --allow local-from-public --get-gopher 'gopher://h.example/0x'"),
    ] {
        let compare = format!("compare --readers {every} 'gopher://h.example/0x'");
        assert_eq!(commands(options), ["explain 'gopher://h.example/0x'", &compare, dry_run]);
    }
}

#[test]
fn what_would_be_refused_is_explained_without_a_link_to_open_it() {
    let browser = Browser::new(Options::default());
    let explained = |url: &str| browser.get(&["/explain?url=", &encoded(url)].concat()).text();
    for (url, why) in [
        ("file:///etc/passwd", "Why it would not be opened"),
        ("gopher://h.example:6379/", "Why it would not be opened"),
        // An address is known without looking it up.
        ("http://127.0.0.1/", "Why it would not be opened"),
        ("http://[::1]/", "Why it would not be opened"),
        ("ftp://10.0.0.1/", "Why it would not be opened"),
        ("http://h.example/", "The dialogue to open it"),
        ("http://8.8.8.8/", "The dialogue to open it"),
    ] {
        let page = explained(url);
        assert!(page.contains(why), "{url}: {page}");
        assert_eq!(page.contains(">Open</a>"), why.starts_with("The"), "{url}: {page}");
    }
    assert!(!explained("file:///etc/passwd").contains("read</dt>"), "no dialogue of what is refused");
}

#[test]
fn the_dialogue_of_a_page_is_the_one_that_its_link_causes() {
    let browser = Browser::new(local());
    let explained = |url: &str| browser.get(&["/explain?url=", &encoded(url)].concat()).text();
    let dialogue = |url: &str| explained(url).split_once("id=\"dialogue\"").unwrap().1.to_owned();
    // By RFC 1738 all of it is the address; it is opened as it is read today.
    let page = dialogue("mailto:joe@h.example?subject=maps");
    assert!(page.contains("<dd>a draft to joe@h.example, subject &quot;maps&quot;, without a body</dd>"), "{page}");
    // The login of a URL is not used (S-69), and the link of a page would not be opened with its user alone.
    for url in ["ftp://joe:s3cret@h.example/a", "ftp://joe@h.example/"] {
        let (page, why) = (explained(url), dialogue(url));
        assert!(why.contains("The login in the URL is not used") && why.contains("<dd>S-58</dd>"), "{why}");
        assert!(!page.contains("USER joe") && !page.contains(">Open</a>"), "{page}");
        assert_eq!(browser.open(url).status, 403, "{url}");
    }
    assert!(dialogue("ftp://h.example/").contains("USER anonymous"), "anybody may log in so");
    assert!(dialogue("ftp://anonymous@h.example/").contains("USER anonymous"));
    assert!(explained("http://127.0.0.1/").contains(">Open</a>"), "it is allowed at the start");
}

#[test]
fn every_place_of_a_problem_is_marked_or_counted() {
    let browser = Browser::new(Options::default());
    let explained = |url: &str| browser.get(&["/explain?url=", &encoded(url)].concat()).text();
    let page = explained("ftp://h.example/a b  c");
    let excerpt = "ftp://h.example/a<mark> </mark>b<mark>  </mark>c</code>";
    assert!(page.contains(excerpt), "{page}");
    let page = explained(&format!("ftp://h.example/a b{}c d e", "x".repeat(500)));
    assert_eq!(page.matches("<mark>").count(), 1, "the others are too far away: {page}");
    assert!(page.contains("<p>And in 2 more places of the URL.</p>"), "{page}");
    let page = explained(&format!("ftp://h.example/{}", "a ".repeat(10_000)));
    assert!((2..300).contains(&page.matches("<mark>").count()) && page.contains("more places of the URL"), "{page}");
}

#[test]
fn octets_that_are_no_text_are_explained_and_not_opened() {
    let browser = Browser::new(Options::default());
    let answer = browser.get("/explain?url=%ff");
    assert!(answer.status == 200 && answer.text().contains("<mark>\\xff</mark>"), "{}", answer.text());
    assert!(!answer.text().contains('\u{fffd}') && !answer.text().contains("<code>urlwise"), "{}", answer.text());
    let answer = browser.get("/explain?url=ftp://joe:s3cret%ff@h.example/");
    assert!(answer.text().contains("ftp://joe:***@h.example/"), "{}", answer.text());
    assert!(!answer.text().contains("s3cret"), "{}", answer.text());
    for path in ["/open", "/save", "/raw"] {
        let answer = browser.get(&[path, "?url=gopher://h.example/0%ff"].concat());
        assert!(answer.status == 400 && answer.text().contains("gopher://h.example/0\\xff"), "{}", answer.text());
    }
    assert_eq!(browser.get("/explain?url=%20").status, 303, "nothing was asked");
}

#[test]
fn a_title_says_which_url_a_page_is_about_and_no_secret() {
    let browser = Browser::new(Options::default());
    let title = |path: &str, url: &str| {
        let page = browser.get(&format!("{path}?url={}", encoded(url))).text();
        page.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>")).expect("it has one").0.to_owned()
    };
    for (path, url, expected) in [
        ("/explain", "ftp://joe:s3cret@h.example/a", "ftp://joe:***@h.example/a \u{2013} What this URL is"),
        ("/explain", "no<b>", "no&lt;b&gt; \u{2013} What this URL is"),
        ("/open", "gopher://h.example:6379/", "gopher://h.example:6379/ \u{2013} This could not be opened"),
        ("/open", "ftp://joe:s3cret@h.example/", "ftp://joe:***@h.example/ \u{2013} This could not be opened"),
        ("/open", "ftp://joe:s3cret@h.example/a b", "ftp://joe:***@h.example/a b \u{2013} This is not a valid URL"),
        ("/open", "telnet://h.example/", "telnet://h.example/ \u{2013} A session in a terminal"),
        ("/open", "mailto:joe@h.example", "mailto:joe@h.example \u{2013} A mail to write"),
    ] {
        assert_eq!(title(path, url), [expected, " \u{2013} urlwise"].concat());
    }
    let long = title("/explain", &format!("ftp://h.example/{}", "a".repeat(500)));
    assert!(long.len() < 120 && long.contains('\u{2026}'), "{long}");
}

#[test]
fn security_68_nothing_promises_that_a_metadata_service_can_be_opened() {
    let mut options = local();
    options.help = |error| error.refused_by().map(|rule| format!("see {rule}"));
    let page = Browser::new(options).open("http://169.254.169.254/latest/").text();
    let what = "<code>169.254.169.254</code> is the metadata service of a cloud, and others may have chosen the URL.";
    assert!(page.contains(what) && page.contains("<dd>See address-metadata.</dd>"), "{page}");
    assert!(!page.contains("pass its URL"), "{page}");
}

#[test]
fn a_refusal_says_what_helps_where_it_is_read() {
    let mut options = Options::default();
    options.help = |error| error.hint().map(|hint| format!("the hint is {hint:?}"));
    let browser = Browser::new(options);
    let page = browser.open("file:///etc/motd").text();
    assert!(page.contains("The URL names a file on this machine, and others may have chosen it."), "{page}");
    assert!(!page.contains("The answer to http") && !page.contains("pass its URL"), "nothing answered: {page}");
    let mut options = local();
    options.help = |error| error.hint().map(|hint| format!("the hint is {hint:?}"));
    let browser = Browser::new(options);
    let host = Host::ftp("220 here\r\n", "x");
    let page = browser.open(&format!("ftp://joe:s3cret@127.0.0.1:{}/a", host.port)).text();
    assert!(page.contains("The login in the URL is not used"), "{page}");
    assert!(page.contains("netrc file") && page.contains("The hint is Netrc"), "{page}");
    // What the server asks for can come from there alone, too.
    let host = Host::http("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n");
    let page = browser.open(&host.url("http", "a")).text();
    assert!(page.contains("netrc file") && page.contains("The hint is Netrc"), "{page}");
    assert!(!page.contains("Give a user name"), "{page}");
    let page = browser.get("/explain?url=gopher%3A%2F%2Fh.example%3A6379%2F").text();
    let why = page.split_once("Why it would not be opened").unwrap().1;
    assert!(why.contains("The hint is AllowRule"), "the page of an explanation says it too: {why}");
}

#[test]
fn what_is_not_there_is_looked_for_one_step_before() {
    let browser = Browser::new(local());
    let host = Host::http("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    let page = browser.open(&host.url("http", "maps/old/coast")).text();
    let above = encoded(&host.url("http", "maps/old/"));
    let link = page.split_once("or look for it at <a href=\"/open?url=").unwrap_or_else(|| panic!("{page}")).1;
    let link = link.split('"').next().unwrap().replace(".0.0.", "%2E0%2E0%2E");
    assert_eq!(link, above, "{page}");
    // Not at the directory that is missing.
    let ftp = Host::lines(vec![
        ("", b"220 here\r\n".to_vec()),
        ("USER", b"331 who?\r\n".to_vec()),
        ("PASS", b"230 in\r\n".to_vec()),
        ("TYPE", b"200 so be it\r\n".to_vec()),
        ("CWD maps", b"250 there\r\n".to_vec()),
        ("CWD old", b"550 no such directory\r\n".to_vec()),
    ]);
    for rest in ["maps/old/", "maps/old/coast.txt", "maps/old/west/coast.txt"] {
        let page = browser.open(&ftp.url("ftp", rest)).text();
        let link = page.split_once("or look for it at <a href=\"/open?url=").unwrap_or_else(|| panic!("{page}")).1;
        assert!(link.starts_with(&ftp.url("ftp", "maps/").replace('/', "%2F").replace(':', "%3A")), "{rest}: {link}");
        assert!(page.matches("What to do").count() < 2, "{page}");
    }
    let page = browser.open(&host.url("http", "")).text();
    assert!(page.contains("Check the spelling.") && !page.contains("look for it"), "{page}");
    let silent = Host::http("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
    assert!(!browser.open(&silent.url("http", "a/b")).text().contains("spelling"));
}

#[test]
fn security_61_a_deadline_says_its_section() {
    let mut options = local();
    options.client.deadlines.first_byte = std::time::Duration::from_millis(100);
    let host = Host::new(|mut reader, _| drop(std::io::copy(&mut reader, &mut std::io::sink())));
    let answer = Browser::new(options).open(&host.url("gopher", "0x"));
    assert_eq!(answer.status, 504);
    assert!(answer.text().contains("<dt>Section</dt><dd>S-48</dd>"), "{}", answer.text());
}

#[test]
fn a_download_says_how_long_it_is_where_the_server_said_it() {
    let browser = Browser::new(local());
    let save = |url: &str| browser.get(&format!("/save?url={}", encoded(url)));
    let answer = save(&Host::http("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere").url("http", "a"));
    assert_eq!(
        (answer.field("Content-Length"), answer.field("Transfer-Encoding"), &*answer.body),
        ("4", "", &b"here"[..])
    );
    let answer = save(&Host::gopher("here").url("gopher", "9a"));
    assert_eq!((answer.field("Content-Length"), &*answer.body), ("", &b"here"[..]));
    let long = vec![b'x'; 300_000];
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", long.len());
    let host = Host::http([head.as_bytes(), &long].concat());
    let answer = save(&host.url("http", "a"));
    assert!(answer.is_whole && answer.field("Content-Length") == "300000" && answer.body == long);
    let host = Host::http([head.as_bytes(), &long[..200_000]].concat());
    let answer = save(&host.url("http", "a"));
    assert!(!answer.is_whole && answer.body.len() < long.len(), "it broke off: {}", answer.body.len());
}

#[test]
fn access_methods_are_named_with_where_they_lead() {
    let port = prospero(&[
        ("DIRECTORY", "VERSION 5 x\nFAILURE NOT-A-DIRECTORY\n"),
        (
            "",
            "VERSION 5 x\nATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D FTP.EXAMPLE ASCII pub/a.txt TEXT\n\
             ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE NFS INTERNET-D NFS.EXAMPLE ASCII pub/a.txt /export\n",
        ),
    ]);
    let browser = Browser::new(local());
    // No method can be opened, so the page of the error leads to all of them.
    let url = format!("prospero://127.0.0.1:{port}//a");
    let failed = browser.open(&url).text();
    let methods = format!("/open?url={}&list=yes", encoded(&url));
    assert!(failed.contains("This could not be opened"), "{failed}");
    let link = failed.split("href=\"").filter_map(|rest| rest.split_once("\">Access methods</a>")).next();
    let link = link.unwrap_or_else(|| panic!("no link: {failed}")).0.replace("&amp;", "&");
    assert_eq!(link.to_lowercase().replace("%2e", "."), methods.to_lowercase().replace("%2e", "."));
    let page = browser.get(&link).text();
    assert!(page.contains("<p class=\"subtitle\">Access methods</p><p>The server names these ways"), "{page}");
    assert!(page.contains(">AFTP TEXT</a><p><code>ftp://FTP.EXAMPLE/pub/a.txt;type=a</code></p>"), "{page}");
    assert!(page.contains("NFS INTERNET-D NFS.EXAMPLE ASCII pub/a.txt /export <small>(no URL can name it)"), "{page}");
}

#[test]
fn the_page_of_attributes_is_named_after_its_item() {
    let host = Host::gopher("+-1\r\n+INFO: 0Poem\t/poem\t127.0.0.1\t70\t+\r\n+ADMIN:\r\n Admin: Joe\r\n.\r\n");
    let page = Browser::new(local()).open(&host.url("gopher", "0/poem%09%09!")).text();
    assert!(page.contains("<h1>/poem</h1><p class=\"subtitle\">Gopher+ attributes</p>"), "{page}");
}

#[test]
fn security_64_a_form_needs_its_token_and_its_command_has_the_answers_but_no_secret() {
    let form = "+-1\r\n+INFO: 1x\t/x\t127.0.0.1\t70\t?\r\n+ASK:\r\n Note: Hello\r\n Ask: Name:\r\n AskP: Password:\r\n Select: Well?:1\r\n.\r\n";
    let host = Host::gopher(form);
    let browser = Browser::new(local());
    let url = host.url("gopher", "1/x%09%09?");
    let page = browser.open(&url).text();
    // Without the token of the page, nothing is asked of the server.
    let asked = host.connections();
    for token in ["", "token=&", "token=00000000000000000000000000000000&"] {
        assert_eq!(browser.post("/submit", &format!("{token}url={}&answer-1=Joe", encoded(&url))).status, 403);
    }
    assert_eq!(host.connections(), asked);
    let body = format!("token={}&url={}&answer-1=Joe+Doe&answer-2=s3cret", Browser::token(&page), encoded(&url));
    let answer = browser.post("/submit", &body);
    let page = browser.get(answer.field("Location")).text();
    let command = page
        .split("<code>urlwise ")
        .nth(1)
        .and_then(|rest| rest.split("</code>").next())
        .unwrap_or_else(|| panic!("{page}"));
    assert_eq!(command, format!("get --answer '1=Joe Doe' --answer 3=0 '{url}'"));
    assert!(!page.contains("s3cret"), "{page}");
}

#[test]
fn only_what_a_server_sent_can_be_reloaded_from_it() {
    let browser = Browser::new(local());
    for url in ["mailto:joe@h.example", "telnet://h.example/", "wais://h.example/database"] {
        let page = browser.open(url).text();
        assert!(!page.contains("again=yes"), "{url}: {page}");
    }
}

#[test]
fn lines_of_text_are_not_counted_as_entries() {
    let count = |menu: &str| Browser::new(local()).open(&Host::gopher(menu).url("gopher", "")).text();
    let page = count("iHello\t\t\t0\r\n0a\t/a\th\t70\r\ni\t\t\t0\r\n.\r\n");
    assert!(page.contains(">1 entry.<"), "{page}");
    assert!(count("iHello\t\t\t0\r\n.\r\n").contains(">No entries.<"));
}

#[test]
fn security_62_an_article_is_saved_as_a_message_and_never_as_a_program() {
    let mut options = local();
    options.file_name = |url| url.as_str().rsplit('/').next().unwrap().into();
    let browser = Browser::new(options);
    let rows = |id: &str| {
        vec![
            ("", b"200 hello\r\n".to_vec()),
            ("CAPABILITIES", b"101 these\r\nVERSION 2\r\nREADER\r\n.\r\n".to_vec()),
            ("GROUP", b"211 1 1 1 g.x\r\n".to_vec()),
            ("ARTICLE", format!("220 1 <{id}>\r\nSubject: x\r\n\r\ntext\r\n.\r\n").into_bytes()),
        ]
    };
    let host = Host::lines(rows("1@host.com"));
    let save = |host: &Host, scheme: &str, rest: &str| {
        let answer = browser.get(&format!("/save?url={}", encoded(&host.url(scheme, rest))));
        answer.field("Content-Disposition").split('"').nth(1).unwrap_or_else(|| panic!("{}", answer.text())).to_owned()
    };
    assert_eq!(save(&host, "nntp", "g.x/1"), "1.eml");
    assert_eq!(save(&host, "news", "1@host.com"), "1_host.com.eml");
    assert_eq!(save(&host, "news", "1@host.eml"), "1_host.eml", "once is enough");
    assert_eq!(save(&Host::gopher("x\r\n.\r\n"), "gopher", "0/a.com"), "a.com");
}

#[test]
fn what_is_not_repaired_says_why_and_what_is_repaired_what_a_link_leaves_out() {
    let browser = Browser::new(local());
    let explained = |url: &str| browser.get(&["/explain?url=", &encoded(url)].concat()).text();
    let page = explained("http://library.example\\@elsewhere.example/maps");
    for expected in [
        "more than one reading or none",
        "others as data (section 2.2, D-10)",
        "Write <code>/</code> or <code>%5C</code>.",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("Write <code>%5C</code>."), "{page}");
    let page = explained("ftp://joe:secret@h.example/a b");
    let repaired = "href=\"/explain?url=ftp%3A%2F%2Fjoe%40h.example%2Fa%2520b\">ftp://joe:***@h.example/a%20b</a> \
        <small>The link leaves out the password.</small>";
    assert!(page.contains(repaired) && page.contains("Risks are looked for in a valid URL."), "{page}");
    let page = explained("ftp://joe:secret@h.example/");
    assert!(page.contains("<h2 id=\"audit\">Risks</h2>") && !page.contains("Risks are looked"), "{page}");
    let page = explained("ftp://h.example/a b");
    assert!(page.contains("Repaired: ") && !page.contains("leaves out"), "{page}");
}

#[test]
fn a_draft_shows_the_command_that_does_not_come_back() {
    let page = Browser::new(with_options()).open("mailto:joe@h.example").text();
    let command =
        "<code>urlwise get --allow local-from-public --get-mailto --compose &#39;mailto:joe@h.example&#39;</code>";
    assert!(page.replace("'", "&#39;").contains(command), "{page}");
}

#[test]
fn a_text_is_shown_in_the_charset_that_its_server_names() {
    let browser = Browser::new(local());
    let shown = |charset: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset={charset}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        browser.open(&Host::http([head.as_bytes(), body].concat()).url("http", "a.txt")).text()
    };
    for (charset, body, text) in [
        ("koi8-r", &b"\xf0\xd2\xc9\n"[..], "\nПри\n"),
        ("iso-2022-jp", b"\x1b$B5-;v\x1b(B\n", "\n記事\n"),
        ("utf-16", b"\xff\xfe<\0\x1f\x04\r\0\n\0\x1b\0", "\n&lt;П\n\\x1b\n"),
        ("iso-8859-1", "caf\u{e9}\n".as_bytes(), "\ncaf\u{e9}\n"),
        ("x-unknown", b"caf\xe9\n", "\ncaf\u{e9}\n"),
    ] {
        let page = shown(charset, body);
        assert!(page.contains(&format!("{text}</pre>")), "{charset}: {page}");
    }
}
