//! Compares output and exit status of the program, octet for octet, with the golden files in `pictures/`.
//!
//! `SNAPSHOTS=overwrite` writes the files again: check the difference before you commit it.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use snapbox::{Assert, Data, data::DataFormat};

/// One run of the program, with UTF-8 and 80 columns unless set otherwise.
struct Run {
    arguments: Vec<&'static str>,
    stdin: &'static [u8],
    environment: Vec<(&'static str, &'static str)>,
}

fn run<const N: usize>(arguments: [&'static str; N]) -> Run {
    Run { arguments: arguments.into(), stdin: b"", environment: Vec::new() }
}

impl Run {
    fn with(mut self, name: &'static str, value: &'static str) -> Run {
        self.environment.push((name, value));
        self
    }

    fn reading(mut self, stdin: &'static [u8]) -> Run {
        self.stdin = stdin;
        self
    }

    /// The command line, the exit status and all output.
    fn picture(&self) -> String {
        let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"))
            .args(&self.arguments)
            .current_dir(pictures())
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "80")
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR")
            .env_remove("CLICOLOR_FORCE")
            .envs(self.environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, octets) = (program.stdin.take().unwrap(), self.stdin);
        // The program may end without reading its input.
        let writer = thread::spawn(move || drop(stdin.write_all(octets)));
        let output = program.wait_with_output().unwrap();
        writer.join().unwrap();
        let environment = self.environment.iter().map(|(name, value)| format!("{name}={value} "));
        let arguments = self.arguments.iter().map(|argument| format!(" {}", quoted(argument)));
        let mut picture = format!("$ {}urlwise{}\n", environment.collect::<String>(), arguments.collect::<String>());
        if !self.stdin.is_empty() {
            picture += &format!("< {}\n", self.stdin.escape_ascii());
        }
        picture += &format!("? {}\n", output.status.code().unwrap());
        picture += &String::from_utf8(output.stdout).unwrap();
        for line in String::from_utf8(output.stderr).unwrap().lines() {
            picture += &format!("! {line}\n");
        }
        picture.replace(env!("CARGO_PKG_VERSION"), "VERSION")
    }
}

/// Quotes an argument for a shell.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,".contains(c);
    match argument {
        plain if !plain.is_empty() && plain.chars().all(is_plain) => plain.into(),
        odd if odd.chars().any(char::is_control) => format!("$'{}'", odd.escape_default()),
        odd => format!("'{odd}'"),
    }
}

fn pictures() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures"))
}

#[track_caller]
fn shows(name: &str, runs: &[Run]) {
    let drawn: Vec<String> = runs.iter().map(Run::picture).collect();
    let picture = Data::read_from(&pictures().join(name).with_extension("txt"), Some(DataFormat::Text)).raw();
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(Data::text(drawn.join("\n")).raw(), picture);
}

/// Defines a test with the name of its golden file.
macro_rules! pictures {
    ($($name:ident: [$($run:expr),* $(,)?];)*) => {$(
        #[test]
        fn $name() {
            shows(stringify!($name), &[$($run),*]);
        }
    )*};
}

pictures! {
    explain_labels_every_part_of_a_url: [
        run(["ftp://myname@host.dom/%2Fetc/motd;type=a"]),
        run(["explain", "wais://host.dom/db/TEXT/1%2F2"]),
        run(["prospero://host.dom//pros/name;OBJECT-VERSION=3"]),
        run(["news:foo%25bar@host.dom"]),
    ];
    explain_shows_the_dialogue: [
        run(["http://host.dom:8001/a%20b?c"]),
        run(["gopher://host.dom/7find%09old%20maps%09+"]),
        run(["file:///etc/motd"]),
    ];
    explain_says_why_a_url_would_be_refused: [run(["gopher://host.dom:25/1x"])];
    explain_draws_audit_findings: [
        run(["ftp://jim:s3cret@host.dom/a%0D%0Ab/../%66%69le"]),
        run(["file:///dev/zero"]).with("COLUMNS", "60"),
        run(["--ascii", "http://www.xn--80ak6aa92e.dom:8080/"]),
        run(["--color", "always", "gopher://host.dom:2525/"]),
    ];
    explain_counts_findings_beyond_a_limit: [
        run(["http://xn--0ca.xn--1ca.xn--2ca.xn--3ca.xn--4ca.xn--5ca.xn--6ca.xn--7ca.xn--8ca.xn--9ca.xn--bda.xn--cda.xn--dda.xn--eda.xn--fda.xn--gda.xn--hda.xn--ida.xn--jda.xn--kda.xn--lda.xn--mda.dom:25/%41b%42b"]),
        // Those that are alike are drawn as one.
        run(["http://host.dom:25/%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b%41b/%2E"]),
    ];
    explain_json_adds_the_findings: [run(["--json", "http://jim@host.dom:25/a%2Fb"]), run(["--json", "gopher://host.dom:25/a%2Fb"])];
    explain_draws_problems_under_their_octets: [run(["http://host.dom/~jim/a b"])];
    explain_suggests_what_was_meant: [run(["localhost:8080"]), run(["c:/x"]), run(["URL:http://host.dom/"])];
    explain_shows_the_readable_parts_of_broken_urls: [
        run(["ftp://host_name:99999/a;type=x"]),
        run(["hello"]),
        run([""]),
    ];
    explain_masks_passwords: [
        run(["ftp://jim:s3cret@host.dom/x y"]),
        run(["ftp://jim:s3<cret@host.dom/"]),
        run(["--show-secrets", "ftp://jim:s3<cret@host.dom/"]),
    ];
    explain_suggests_only_better_urls: [run(["http://a@b@c.dom/"]), run(["ftp://host.dom/x#y"])];
    explain_fits_in_60_columns: [
        run(["ftp://anonymous@ftp.host.dom/pub/documents/1738;type=a"]).with("COLUMNS", "60"),
        run(["mailto:joe@host.dom,jim@host.dom"]).with("COLUMNS", "60"),
    ];
    explain_wraps_long_urls: [
        run([concat!(
            "http://www.host.dom/a/path/that/goes/on/and/on/for/more/than/two/lines/of/sixty/columns",
            "/and/then/some/index.html?and=a+search"
        )])
        .with("COLUMNS", "60"),
    ];
    explain_draws_with_ascii: [
        run(["wais://host.dom/db?caf%C3%A9"]).with("LC_ALL", "C"),
        run(["--ascii", "http://host.dom/caf\u{e9}"]),
    ];
    explain_has_the_colours_of_rustc: [
        run(["--color", "always", "ftp://host.dom/a b"]),
        run(["news:*"]).with("CLICOLOR_FORCE", "1"),
        run(["news:*"]).with("CLICOLOR_FORCE", "1").with("NO_COLOR", "1"),
    ];
    explain_escapes_controls: [run(["http://host.dom/\u{202e}\u{1b}]0;x\u{7}\u{9b}\r"])];
    explain_aligns_wide_characters: [run(["http://host.dom/\u{4e2d}\u{6587}?a b"])];
    explain_json_adds_the_meaning: [
        run(["explain", "--json", "news:comp.infosystems.www.misc"]),
        run(["--json", "news:"]),
    ];
    explain_reads_by_the_profile_current: [run(["--profile", "current", "https://host.dom/~jim"])];
    explain_shows_file_and_line: [run(["-f", "urls.list"])];
    bare_pipe_is_explained: [run([]).reading(b"news:*\n")];
    parse_shows_every_part: [
        run(["parse", "ftp://jim:s3cret@host.dom/%2Fetc/a%20b"]),
        run(["parse", "http://@host.dom"]),
        run(["parse", "irc://host.dom:6667/x"]),
        run(["parse", "--color", "always", "http://host.dom/a b"]),
    ];
    parse_distinguishes_absent_from_empty: [run(["parse", "ftp://:@host.dom", "ftp://host.dom/"])];
    parse_json: [
        run(["parse", "--json", "gopher://host.dom/1", "ftp://jim:s3cret@host.dom/caf%E9"]),
        run(["parse", "--json", "http://host.dom/a b"]),
        run(["parse", "--json", "--profile", "current", "mailto:a@b.dom?subject=x&y", "foo://u@h.dom/p?q"]),
    ];
    build_accepts_parts_in_any_order: [
        run(["build", "ftp", "type=a", "name=motd", "cwd=/etc", "host=host.dom", "user=myname"]),
        run(["build", "gopher", "host=host.dom", "gtype=7", "selector=find", "search=a\u{e9}%09?~"]),
        run(["build", "http", "host=host.dom", "path=a b/c", "search="]),
        run(["build", "prospero", "host=host.dom", "hsoname=/x", "field=a;b=c=d", "field=e="]),
        run(["build", "wais", "host=h.dom", "database=db", "wtype=TEXT", "wpath=0203", "--hex", "wpath"]),
        run(["build", "https", "host=host.dom", "search=x"]),
        run(["build", "x-new", "schemepart=a/b"]),
        run(["build", "file", "--path", "/a/b?"]),
        run(["build", "--json", "news", "group=comp.infosystems"]),
    ];
    build_says_why_parts_do_not_form_a_url: [
        run(["build", "ftp", "host=a/b", "user=jim", "password=s3cret"]),
        run(["build", "ftp", "host=host.dom", "password=s3cret"]),
        run(["build", "gopher", "host=host.dom", "gtype=0", "selector=a\r\nb"]),
        run(["build", "http", "hots=x"]),
        run(["build", "http", "user=jim", "host=host.dom"]),
        run(["build", "news", "group=a", "all=*"]),
        run(["build", "nntp", "host=host.dom", "host=h.dom"]),
        run(["build", "file", "--path", "a/b"]),
        run(["build", "http://host.dom/"]),
        run(["build", "wais", "--hex", "wpath", "wpath=x"]),
        run(["build", "--json", "mailto", "address=jim"]),
    ];
    build_changes_parts_and_keeps_the_others: [
        run(["build", "--set", "host=h.dom", "FTP://jim:s3cret@host.dom/%70ub/%7efile;type=A", "telnet://host.dom/"]),
        run(["build", "--remove", "port", "--set", "cwd=a", "--set", "cwd=b", "ftp://host.dom:2121/x/y/z"]),
        run(["build", "--set", "name=x", "-f", "urls.list"]),
        run(["build", "--set", "host=h.dom"]).reading(b"http://host.dom/a%2fb\nhttp://host.dom/a b\n"),
        run(["build", "--json", "--set", "host=h.dom", "ftp://jim:s3cret@host.dom/a b"]),
    ];
    encode_and_decode_know_what_each_part_reserves: [
        run(["encode", "--part", "ftp.name", "a;b/c", "?~", ""]),
        run(["encode", "--part", "gophers.selector", "a;b/c?"]),
        run(["encode", "--part", "wais.wpath", "--whole"]).reading(b"\x02\x03/db\n"),
        run(["encode", "--part", "ftp.name", "--hex", "2f41ff"]),
        run(["decode", "--part", "ftp.name", "a%3Bb%2fc", "%2541"]),
        run(["decode", "--part", "ftp.name", "--hex", "caf%E9"]),
        run(["decode", "--part", "ftp.name", "--json", "caf%E9", "a"]),
        run(["encode", "--part", "https.search"]).reading(b"a b\n\nq=/\n"),
    ];
    encode_and_decode_report_what_a_part_cannot_hold: [
        run(["encode", "--part", "gopher.selector", "a\tb"]),
        run(["encode", "--part", "nntp.group", "a b"]),
        run(["encode", "--part", "gopher.gtype", "ab"]),
        run(["decode", "--part", "ftp.name", "a;b", "%4"]),
        run(["encode", "--part", "ftp.nmae", "x"]),
        run(["encode", "--part", "htp.name", "x"]),
        run(["encode", "--part", "ftp.x", "x"]),
        run(["encode", "--part", "ftp.name", "--hex", "f"]),
    ];
    the_parts_of_every_scheme_are_listed: [run(["encode", "--list"])];
    find_lists_urls_with_line_and_column: [
        run(["find", "letter.txt"]),
        run(["find", "--unique", "--count", "letter.txt"]),
        run(["find", "--count", "letter.txt"]),
        run(["find", "--scheme", "mailto"]).reading(b"Write to mailto:jim@host.dom, not to news:*\n"),
        run(["find", "letter.txt", "--scheme", "wais"]),
    ];
    find_masks_passwords_and_escapes_controls: [
        run(["find"]).reading(b"\x1b[31m ftp://jim:s3cret@host.dom/ \xe2\x80\xae http://host.dom/\xc2\x9b\n"),
        run(["find", "--show-secrets"]).reading(b"ftp://jim:s3cret@host.dom/\n"),
    ];
    find_has_colours: [run(["find", "--color", "always", "urls.list"])];
    find_json: [run(["find", "--json", "letter.txt"])];
    find_help: [run(["find", "--help"])];
    check_reports_problems_and_findings: [
        run(["check", "letter.txt"]),
        run(["check", "http://host.dom:6379/a b", "ftp://jim:s3cret@host.dom/%2e%2e"]),
        run(["check"]).reading(b"news:*\nhello\n"),
        run(["check", "news:comp.infosystems"]),
    ];
    check_fits_in_60_columns: [
        run(["check", "--notes", "gopher://gopher.host.dom:25/0HELO%20a%20very%20long%20selector%20that%20goes%20on"])
            .with("COLUMNS", "60"),
    ];
    check_draws_with_colours_or_ascii: [
        run(["check", "--color", "always", "http://host.dom:25/"]),
        run(["check", "http://host.dom/caf\u{e9}"]).with("LC_ALL", "C"),
    ];
    check_json: [run(["check", "--json", "letter.txt"])];
    check_github_format: [run(["check", "--format", "github", "letter.txt"])];
    check_explains_its_rules: [run(["check", "--explain", "E-10"]), run(["check", "--explain", "bnf-char"])];
    check_says_why_it_could_not_run: [
        run(["check", "nowhere.txt", "news:comp.infosystems"]),
        run(["check", "--select", "gopher-stmp", "x:y"]),
        run(["check", "--config", "urls.list", "x:y"]),
        run(["check", "--quiet", "--format", "sarif", "x:y"]),
    ];
    check_help: [run(["check", "--help"])];
    repair_lists_every_change: [
        run(["repair", "<URL:http://host.dom/~jim/a\n   b>"]),
        run(["repair", "http:b\u{fc}cher.example:?a/b#c", "news:*"]).with("COLUMNS", "60"),
    ];
    repair_refuses_to_guess: [
        run(["repair", "http://host.dom\\@evil.dom/", "ftp://a:s3cret@b@host.dom/", "hello"]),
        run(["repair", "--null"]).reading(b"http://host.dom/long-\nname\0 news:* \n\0"),
    ];
    repair_limits_the_list_of_changes: [run(["repair", "news:{1{2{3{4{5{6{7{8{9{a{b{c{d{e{f{g{h{i{j{k{l{m{n@host.dom"])];
    repair_masks_passwords: [run(["repair", "ftp://jim:s3\"cret@host.dom/x y", "ftp:jim:s3\"cret@host.dom/"])];
    repair_json_has_changes_and_refusals: [
        run(["repair", "--json", " news:*", "http://host.dom/%"]),
        run(["repair", "--json", "--profile", "current", "-"]).reading(b"https://host.dom/~\xE9 \n"),
    ];
    a_url_that_begins_with_a_dash_comes_after_two_dashes: [
        run(["parse", "--", "-x:y"]),
        run(["parse", "-x:y"]),
    ];
    files_and_pipes_have_one_url_per_line: [
        run(["parse", "--json", "news:first", "-f", "urls.list"]),
        run(["parse", "-f", "urls.list", "--file", "-"]).reading(b"news:*\r\n\r\nnews:"),
        run(["parse", "-"]).reading(b"news:last\n"),
        run(["parse"]).reading(b"news:piped"),
    ];
    records_that_end_in_nul_hold_line_ends: [
        run(["parse", "--json", "--null", "-f", "-"]).reading(b"news:a\nb\0\0news:*"),
    ];
    octets_that_are_not_utf_8_are_shown_in_hex: [
        run(["parse", "--json"]).reading(b"ftp://host.dom/\xFF%E9\n"),
        run(["explain"]).reading(b"ftp://host.dom/\xFF%E9\n"),
    ];
    empty_input_is_reported: [run(["parse"]), run(["explain"]).reading(b"\n\r\n")];
    unreadable_files_are_named: [
        run(["parse", "news:*", "-f", "nowhere.list"]),
        run(["-f", "ftp://jim:s3cret@host.dom/\u{1b}[31m"]),
    ];
    wrong_options_are_explained: [
        run(["parse", "--profile", "strict", "x:y"]),
        run(["--jsn", "x:y"]),
        run(["-f", "urls.list", "parse", "x:y"]),
        run(["completions", "ftp://jim:s3cret@host.dom/\u{7}"]),
    ];
    normalize_writes_one_url_per_line: [
        run(["normalize", "FTP://Host.dom:021/%2fetc/%6D%40;type=A", "http://host.dom"]),
        run(["normalize", "--level", "safe", "FTP://Host.dom:021/%2fetc/%6D%40;type=A", "http://host.dom"]),
        run(["normalize", "--profile", "current"]).reading(b"https://host.dom:443/~jim\n"),
    ];
    normalize_reports_invalid_urls: [run(["normalize", "news:a", "ftp://jim:s3cret@host.dom/a b", "news:b"])];
    normalize_json_says_what_changed: [run(["normalize", "--json", "http://HOST.dom/%7ejim", "hello"])];
    same_says_by_which_rules: [
        run(["same", "http://host.dom/%7ejim", "http://HOST.dom:80/%7Ejim"]),
        run(["same", "gopher://host.dom", "gopher://host.dom/1"]),
        run(["same", "news:*", "news:*"]),
    ];
    same_says_what_differs_first_and_why: [
        run(["same", "ftp://@host.dom/", "ftp://host.dom/"]),
        run(["same", "ftp://host.dom/%2Fetc/motd", "ftp://host.dom//etc/motd"]),
        run(["same", "ftp://jim:s3cret@host.dom/", "ftp://jim:other@host.dom/"]),
        run(["same"]).reading(b"http://a.dom/\nftp://a.dom/\n"),
    ];
    same_fits_in_60_columns: [run(["same", "gopher://host.dom", "gopher://host.dom/1"]).with("COLUMNS", "60")];
    same_json: [
        run(["same", "--json", "http://host.dom", "HTTP://host.dom/"]),
        run(["same", "--json", "http://host.dom/a%2Fb", "http://host.dom/a/b"]),
    ];
    same_requires_two_urls: [
        run(["same", "news:*"]),
        run(["same", "news:*", "news:*", "news:*"]),
        run(["same", "news:*", "ftp://jim:s3cret@host.dom/a b"]),
    ];
    compare_shows_three_readings_side_by_side: [
        run(["compare", "ftp://evil.example?@good.example/"]),
        run(["compare", "http://0x7f.1/a/../b", "http://host.dom/a?b"]),
        run(["compare", r"http://good.example\@evil.example/"]),
        run(["compare", "mailto://jim@host.dom"]),
    ];
    compare_shows_programs_by_name: [
        run(["compare", "--readers", "urllib3,requests,go", r"http://127.0.0.1\@1.1.1.1/"]),
        run(["compare", "--readers", "rfc1738,rfc3986,whatwg,urlsplit,urllib3,curl,go", "ftp://jim:s3cret@127.1/a"]),
        run(["compare", "--json", "--readers", "curl", "jim:s3cret@host.dom"]),
        run(["compare", "--readers", "netscape", "http://host.dom/"]),
    ];
    compare_says_once_what_one_reader_does: [run(["compare", "--readers", "go", "http://[::1%25a]/"])];
    compare_says_when_all_refuse: [run(["compare", "hello", "http://evil.example:80:81/"])];
    compare_masks_passwords: [
        run(["compare", "ftp://jim:12?s3cret@host.dom/", "ftp://jim:s3@cret@host.dom/"]),
        run(["compare", "--show-secrets", "ftp://jim:12?s3cret@host.dom/"]),
    ];
    compare_fits_in_60_columns: [
        run(["compare", "https://www.host.dom/a/long/path/to/some/document.html?with=a&query#top"]).with("COLUMNS", "60"),
    ];
    compare_has_colours: [run(["compare", "--color", "always", "ftp://evil.example?@good.example/"])];
    guard_says_whether_to_fetch_and_why_not: [
        run(["guard", "https://host.dom/a", "http://8.8.8.8/", r"http://127.0.0.1\@1.1.1.1"]),
        run(["guard", "--readers", "urlsplit,requests", "http://127.0.0.%31:6666/", "//evil.example/"]),
        run(["guard", "--allow-scheme", "ftp,gopher", "--allow-host", "good.example,*.good.example", "ftp://a.good.example/",
            "gopher://evil.example/"]),
        run(["guard", "--allow-private", "http://localhost:8080/", "http://169.254.169.254/"]),
        run(["guard", "ftp://jim:s3cret@host.dom?x@127.1/"]),
    ];
    guard_json: [
        run(["guard", "--json", "http://[2606:4700::1]/", "http://host.dom/"]),
        run(["guard", "--json", "--readers", "go,urllib3,whatwg", r"http://host.dom\@evil.example/"]),
        run(["guard", "--json", "--null"]).reading(b"ht\ntp://h.dom/\xFF\0"),
    ];
    guard_reads_lists_and_knows_its_options: [
        run(["guard"]).reading(b"http://a.dom/\n\nhttp://10.0.0.1/\n"),
        run(["guard"]).reading(b"\n"),
        run(["guard", "--allow-host", "*", "http://host.dom/"]),
        run(["guard", "--readers", "netscape", "http://host.dom/"]),
    ];
    guard_codes_are_explained: [run(["explain", "hosts-differ"]), run(["explain", "adress-private"])];
    vectors_knows_its_options: [run(["vectors", "--trusted", "localhost"])];
    check_names_programs: [
        run(["check", "--readers", "urlsplit,requests,curl", "http://127.0.0.01/", r"http://127.0.0.1\@1.1.1.1/", "http://host.dom/"]),
        run(["check", "http://127.0.0.01/"]),
        run(["compare", "--readers", "urlsplit,urllib3", r"//a.dom\@b.dom/"]),
    ];
    compare_json: [
        run(["compare", "--json", "http://127.1/", "news:*"]),
        run(["compare", "--json", "--null"]).reading(b"ht\ntp://h.dom/\xFF\0"),
        run(["compare"]).reading(b"\n"),
    ];
    explain_and_check_report_different_readings: [
        run(["http://0177.0.0.1/"]),
        run(["check", "http://0177.0.0.1/"]),
    ];
    resolve_writes_one_url_per_line: [
        run(["resolve", "http://host.dom/a/b;c?d", "e", "../f", "?g", "#h", "", "//i.dom", "news:*"]),
        run(["resolve", "ftp://host.dom/a/b", "../c"]),
        run(["resolve", "--profile", "current", "ftp://host.dom/a/b"]).reading(b"../c\n"),
    ];
    resolve_says_why_a_reference_cannot_be_resolved: [
        run(["resolve", "http://host.dom/a", "b c", "http:", "d"]),
        run(["resolve", "mailto:jim@host.dom", "x"]),
        run(["resolve", "gopher://host.dom/0a", "b"]),
        run(["resolve", "ftp://jim:s3cret@/", "b"]),
    ];
    resolve_json: [run(["resolve", "--json", "http://host.dom/a/b", "c#d", "e f"])];
    schemes_are_listed_with_port_section_and_access: [
        run(["schemes"]),
        run(["schemes", "--json"]),
        run(["schemes", "ftp"]),
    ];
    schemes_help: [run(["help", "schemes"])];
    get_help: [run(["get", "--help"])];
    get_reports_conflicting_options: [
        run(["get", "-o", "x", "-O", "x:y"]),
        run(["get", "--force", "x:y"]),
        run(["get", "-O", "--force", "--continue", "x:y"]),
        run(["get", "--parallel", "2", "x:y"]),
        run(["get", "--max-size", "10 apples", "x:y"]),
    ];
    parse_help: [run(["help", "parse"])];
}
