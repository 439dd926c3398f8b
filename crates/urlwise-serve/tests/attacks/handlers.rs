//! The one page with a script, by which the browser can be asked to open schemes with this gateway.

use super::browser::{Answer, Browser, local};
use urlwise_serve::Options;

/// A browser of a gateway on a port that was chosen.
fn chosen() -> Browser {
    let mut options = local();
    // Free until now: nothing else asks for a port between the two lines.
    options.port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    Browser::new(options)
}

/// The nonce of the policy, and the page without it.
fn nonce(answer: &Answer) -> (String, String) {
    let policy = answer.field("Content-Security-Policy");
    let (_, nonce) = policy.split_once("; script-src 'nonce-").unwrap_or_else(|| panic!("{policy}"));
    let nonce = nonce.strip_suffix('\'').unwrap_or_else(|| panic!("{policy}")).to_owned();
    (answer.text().replace(&nonce, "NONCE"), nonce)
}

#[test]
fn security_72_one_script_runs_on_one_page_by_a_nonce_of_that_answer() {
    let browser = chosen();
    let (first, second) = (browser.get("/handlers"), browser.get("/handlers"));
    let ((page, one), (again, other)) = (nonce(&first), nonce(&second));
    assert_eq!((first.status, page.as_str()), (200, again.as_str()));
    assert!(one != other && one.len() == 32 && one.bytes().all(|octet| octet.is_ascii_hexdigit()), "{one} {other}");
    assert_eq!((page.matches("<script").count(), page.matches("<script nonce=\"NONCE\">").count()), (1, 1), "{page}");
    assert!(!page.contains("onclick") && !page.contains("javascript:"), "{page}");
    let policy = first.field("Content-Security-Policy");
    for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("'strict-dynamic'"), "{policy}");
    // What browsers let pages register for, and nothing else; mail is left to the mail program.
    for (scheme, is_offered) in [
        ("ftp", true),
        ("mailto", false),
        ("news", true),
        ("nntp", true),
        ("gopher", false),
        ("telnet", false),
        ("http", false),
    ] {
        assert_eq!(page.contains(&format!("value=\"{scheme}\"")), is_offered, "{scheme}: {page}");
    }
    assert!(page.contains("urlwise register"), "{page}");
}

#[test]
fn security_72_nothing_of_a_request_is_on_the_page_with_the_script() {
    let browser = chosen();
    let (page, _) = nonce(&browser.get("/handlers"));
    for path in [
        "/handlers?url=%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/handlers?nonce=0&scheme=javascript",
        "/handlers?%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
        "/handlers?again=yes",
    ] {
        assert_eq!(nonce(&browser.get(path)).0, page, "{path}");
    }
    let forged =
        browser.get_with("/handlers", "Sec-Fetch-Site: same-origin\r\nReferer: http://x/<script>\r\nX-Nonce: 0\r\n");
    assert_eq!(nonce(&forged).0, page);
}

#[test]
fn security_72_the_page_with_the_script_is_for_the_session_alone() {
    let browser = chosen();
    for fields in [
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: iframe\r\n",
        "Sec-Fetch-Site: same-site\r\nSec-Fetch-Dest: script\r\n",
        "Origin: http://evil.example\r\n",
    ] {
        let answer = browser.get_with("/handlers", fields);
        assert!(answer.status == 403 && !answer.text().contains("<script"), "{fields}");
        assert!(!answer.field("Content-Security-Policy").contains("script-src"), "{fields}");
    }
    assert_eq!(browser.post("/handlers", "x=y").status, 405);
    let stranger = Browser { port: browser.port, cookie: "a=b".into() };
    assert_eq!(stranger.get("/handlers").status, 403);
}

#[test]
fn security_72_other_pages_and_gateways_without_a_port_of_their_own_have_no_script() {
    let (browser, random) = (chosen(), Browser::new(Options::default()));
    for answer in [
        browser.get("/"),
        browser.get("/explain?url=mailto%3Aa%40b.example"),
        browser.get("/open?url=mailto%3Aa%40b.example"),
        browser.get("/nothing"),
        random.get("/handlers"),
    ] {
        assert!(!answer.field("Content-Security-Policy").contains("script-src"), "{}", answer.head);
        assert!(!answer.text().contains("<script"), "{}", answer.text());
    }
    let page = random.get("/handlers").text();
    assert!(page.contains("--port") && page.contains("urlwise register") && !page.contains("value=\"ftp\""), "{page}");
    assert!(browser.get("/").text().contains("href=\"/handlers\""));
}

#[test]
fn security_72_a_link_that_leads_here_opens_nothing_before_the_person_agrees() {
    let browser = chosen();
    let path = "/open?url=mailto%3Ajoe%40host.example%3Fsubject%3D%253Cscript%253E";
    let asked = browser.get_with(path, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n");
    let page = asked.text();
    assert!(asked.status == 200 && page.contains("Nothing has been opened yet") && !page.contains("<script"), "{page}");
    // The person agrees: the question and its answer have one address.
    let page = browser.get(path).text();
    assert!(page.contains("A mail to write") && !page.contains("Nothing has been opened yet"), "{page}");
    let again = browser.get_with(path, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n").text();
    assert!(again.contains("Nothing has been opened yet"), "{again}");
}
