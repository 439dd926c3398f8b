//! Gopher answers that were cut, that are errors, or that are in Latin-1: what a person sees, what is saved, and the exit code.

use crate::gopher_plus::{alone, gopher, json_lines};
use crate::support::*;

const FORM: &str = "+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: Your name:\tme\r\n AskP: Sure ?\r\n";
const VIEWS: &str =
    "+INFO: 0f\tf\t\t\t+\r\n+VIEWS:\r\n Text/plain: <1k>\r\n Text/plain De_DE: <1k>\r\n text/html: <2k>\r\n";

/// The same data as a server frames them: up to a dot, and by their length.
fn framed(data: &str) -> [String; 2] {
    [format!("+-1\r\n{data}.\r\n"), format!("+{}\r\n{data}", data.len())]
}

#[test]
fn a_form_or_list_of_views_that_was_cut_is_not_used() {
    let form: &[&str] = &["--answer", "your name=x", "--answer", "sure=y"];
    for (data, options, plus, sent) in
        [(FORM, form, "%09%09?", "f\t+\t1\r\n"), (VIEWS, &["--view", "text/plain"][..], "", "f\t+Text/plain\r\n")]
    {
        for whole in framed(data) {
            // The last two are cut within the line end of the dot, which ends the answer all the same.
            let dot_is_there = if whole.starts_with("+-1") { whole.len() - 2 } else { whole.len() };
            for most in (1..dot_is_there).chain([whole.len()]) {
                let cut = whole.as_bytes()[..most].to_vec();
                let (base, asked) = gopher(move |line| match line {
                    "f\t!\r\n" => cut.clone(),
                    _ => b"+4\r\nsent".to_vec(),
                });
                let output = alone(&[&["get", "-q"], options, &[&format!("{base}/0f{plus}")]].concat());
                let asked = asked.lock().unwrap().clone();
                if most < whole.len() {
                    assert_eq!((code(&output), asked), (13, vec!["f\t!\r\n".into()]), "{plus} cut at {most}");
                    assert!(output.stdout.is_empty(), "{plus} cut at {most}");
                } else {
                    assert_eq!((code(&output), text(&output.stdout)), (0, "sent".into()), "{}", text(&output.stderr));
                    assert_eq!(asked, ["f\t!\r\n", sent]);
                }
            }
        }
    }
    // Without dot and length, a line that was cut is all that can be seen.
    let (base, asked) = gopher(|_| format!("+-2\r\n{}", &FORM[..FORM.len() - 1]).into_bytes());
    assert_eq!(code(&alone(&[&["get"], form, &[&format!("{base}/0f%09%09?")]].concat())), 13);
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[test]
fn a_menu_that_was_cut_has_no_half_entries_and_says_so() {
    let menu = "1a\tb\tc.dom\t7070\r\n1d\te\tf.dom\t7171\r\n";
    let first = menu.len() / 2;
    for most in [1, first - 3, first - 1, first + 8, menu.len() - 3, menu.len() - 1] {
        let (base, _) = gopher(move |_| menu.as_bytes()[..most].to_vec());
        for command in [&["ls"][..], &["get"], &["get", "-q"]] {
            let output = urlwise(&[command, &[&base]].concat());
            assert_eq!(code(&output), 13, "cut at {most}");
            let entries: String = text(&output.stdout);
            let expected = if most > first { "menu      a  <URL:gopher://c.dom:7070/1b>\n" } else { "" };
            assert_eq!(entries, expected, "cut at {most}");
        }
    }
    let (base, _) = gopher(move |_| menu.as_bytes().to_vec());
    let output = urlwise(&["ls", &base]);
    assert_eq!(code(&output), 0, "some servers never send the dot");
    assert!(text(&output.stderr).contains("note[closing-dot-missing]"), "{}", text(&output.stderr));
    let lines = json_lines(&urlwise(&["ls", "--json", &base]).stdout);
    assert_eq!((lines.len(), &lines[2]["note"]), (3, &"closing-dot-missing".into()));
    // Where Gopher+ announces the dot, nothing is whole without it.
    let (base, _) = gopher(move |_| format!("+-1\r\n{menu}").into_bytes());
    let output = urlwise(&["get", "-q", &format!("{base}/1x%09%09+")]);
    assert_eq!((code(&output), text(&output.stdout).lines().count()), (13, 2), "{}", text(&output.stderr));
}

#[test]
fn an_error_instead_of_a_document_is_not_saved() {
    for answer in [
        "0'x' does not exist!!\t\terror.host\t1\r\n.\r\n",
        "3'x' does not exist!!\t\terror.host\t1\r\n",
        "--1\r\n1 Admin <a@b>\r\n'x' does not exist!!\r\n.\r\n",
    ] {
        for item in ["0x", "9x", "1x"] {
            let folder = Folder::new();
            let (base, _) = gopher(|_| answer.as_bytes().to_vec());
            let output = folder.urlwise(&["get".into(), "-O".into(), format!("{base}/{item}")]);
            assert_eq!(code(&output), 10, "{answer:?}: {}", text(&output.stderr));
            assert!(text(&output.stderr).contains("'x' does not exist!!"), "{}", text(&output.stderr));
            assert!(folder.names().is_empty(), "{:?}", folder.names());
        }
    }
}

#[test]
fn questions_are_named_with_or_without_what_ends_them() {
    let form = "+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: Name:\r\n Ask: Sure ?\r\n Ask: Pr\u{e9}nom\r\n Ask: Twice\r\n Ask: Twice:\r\n";
    // In Latin-1, as in RFC 1436.
    let latin_1: Vec<u8> = form.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect();
    let (base, asked) = gopher(move |line| match line {
        "f\t!\r\n" => latin_1.clone(),
        _ => b"+2\r\nok".to_vec(),
    });
    let url = format!("{base}/0f%09%09?");
    for names in
        [["Name", "Sure", "Pr\u{e9}nom", "Twice", "Twice:"], ["name:", "SURE ?", "pr\u{e9}nom:", "4", "twice:"]]
    {
        let answers: Vec<String> = names.iter().flat_map(|name| ["--answer".into(), format!("{name}=x")]).collect();
        let output = alone(&[&["get".to_owned()], &answers[..], std::slice::from_ref(&url)].concat());
        assert_eq!((code(&output), text(&output.stdout)), (0, "ok".into()), "{}", text(&output.stderr));
    }
    let output = alone(&["get", "--answer", "twice?=x", &url]);
    assert_eq!(code(&output), 4, "there are two of that name");
    assert!(text(&output.stderr).contains("Pr\u{e9}nom"), "{}", text(&output.stderr));
    assert_eq!(asked.lock().unwrap().len(), 5);
}

#[test]
fn a_menu_can_be_had_with_its_attributes_and_a_view_by_its_language() {
    let item = "+INFO: 0About\ta\th.dom\t70\t+\r\n+ABSTRACT:\r\n Who we are.\r\n";
    let views = "+INFO: 1r\t\t\t\t+\r\n+VIEWS:\r\n application/gopher-menu En_US: <1k>\r\n application/gopher+-menu De_DE: <1k>\r\n";
    let (base, asked) = gopher(move |line| match line {
        "\t!\r\n" => format!("+-1\r\n{views}.\r\n").into_bytes(),
        _ => format!("+-1\r\n{item}.\r\n").into_bytes(),
    });
    let choices: [&[&str]; 3] = [
        &["--view", "application/gopher+-menu"],
        &["--language", "de"],
        &["--view", "application/gopher+-menu", "--language", "de"],
    ];
    for choice in choices {
        let output = urlwise(&[&["get"], choice, &[&base]].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let expected = "document  About: Who we are.  <URL:gopher://h.dom/0a%09%09+>\n  ABSTRACT\n    Who we are.\n";
        assert_eq!(text(&output.stdout), expected);
        assert_eq!(asked.lock().unwrap().last().unwrap(), "\t+application/gopher+-menu De_DE\r\n");
    }
    let named = format!("{base}/1%09%09+application/gopher%2B-menu");
    assert!(text(&urlwise(&["ls", "--long", &named]).stdout).contains("Who we are."));
    assert_eq!(code(&urlwise(&["get", "--language", "fr", &base])), 10);
    let asks = asked.lock().unwrap().len();
    assert_eq!(code(&urlwise(&["get", "--dry-run", "--language", "de", &base])), 0);
    assert_eq!(asked.lock().unwrap().len(), asks, "nothing is sent");
}

#[test]
fn latin_1_is_shown_as_text_and_its_octets_are_in_json() {
    let (base, _) = gopher(|_| b"0Caf\xe9\x9b31m\ta\th.dom\t70\r\niFu\xdfnote\t\t\t\r\n.\r\n".to_vec());
    let output = urlwise(&["ls", &base]);
    let shown = text(&output.stdout);
    assert!(shown.contains("Caf\u{e9}") && shown.contains("Fu\u{df}note"), "{shown}");
    assert!(!shown.contains('\u{9b}'), "{shown:?}");
    let lines = json_lines(&urlwise(&["ls", "--json", &base]).stdout);
    assert_eq!(lines[1]["title_octets"], "4675df6e6f7465", "{}", lines[1]);
}

#[test]
fn security_14_listed_urls_have_no_password_and_no_mask_that_would_be_sent_as_one() {
    let (base, _) = gopher(|_| b"hFiles\tURL:ftp://joe:MaRkEr@h.dom/x\th.dom\t70\r\n.\r\n".to_vec());
    let output = urlwise(&["ls", "--json", &base]);
    assert_eq!(json_lines(&output.stdout)[0]["url"], "ftp://joe@h.dom/x");
    assert!(text(&output.stderr).contains("passwords are left out"), "{}", text(&output.stderr));
    let output = urlwise(&["ls", &base]);
    assert_eq!(text(&output.stdout), "document  Files  <URL:ftp://joe@h.dom/x>\n");
}

#[test]
fn links_with_a_fragment_and_international_hosts_have_a_url() {
    let menu = "hPart\tURL:https://h.dom/a#part\th.dom\t70\r\nhWeb\tURL:https://b\u{fc}cher.dom/#x\th.dom\t70\r\n1Books\tx\tb\u{fc}cher.dom\t70\r\n.\r\n";
    let (base, _) = gopher(|_| menu.as_bytes().to_vec());
    let lines = json_lines(&urlwise(&["ls", "--json", &base]).stdout);
    let urls: Vec<_> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["https://h.dom/a", "https://xn--bcher-kva.dom/", "gopher://xn--bcher-kva.dom/1x"]);
}
