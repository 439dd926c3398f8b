//! `check --open --suggest`: copies of dead links in an archive, which nginx plays.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::links::{answer, verdicts};
use crate::real::{Nginx, nginx_with};
use crate::support::*;

/// An archive that has a copy of everything but `/never`, as web.archive.org has them.
fn archive(folder: &Folder) -> Option<Nginx> {
    fs::create_dir(folder.path("root")).unwrap();
    nginx_with(
        folder,
        "merge_slashes off;\n\
         location ~ never { return 404; }\n\
         location ~ ^/web/2020/ { return 200 copy; }\n\
         location /web/ { return 302 /web/2020$request_uri; }\n\
         location /plain/ { return 200 copy; }\n\
         location /away/ { return 302 http://localhost:$server_port/web/2020/x; }\n",
    )
}

fn open(folder: &Folder, archive: &str, arguments: &[&str]) -> Output {
    let all = ["check", "--open", "--allow", "local-from-public", "--allow", "port-foreign", "--no-proxy", "--suggest"];
    folder.urlwise([&all[..], &["--archive", archive], arguments].concat())
}

#[test]
fn a_copy_of_a_dead_link_is_shown_in_every_format() {
    let folder = Folder::new();
    let Some(nginx) = archive(&folder) else { return };
    let server = Server::new(|_, head, stream| match path(head) {
        "/fine" => answer(stream, "200 OK", ""),
        "/failing" => answer(stream, "500 Internal Server Error", ""),
        _ => answer(stream, "404 Not Found", ""),
    });
    let gone = server.url("/gone?a=1&b");
    let secret = server.url("/x").replace("//", "//joe:hunter2@");
    let others = ["/never", "/fine", "/failing"].map(|path| format!("<{}> ", server.url(path)));
    folder.file("a.md", format!("<{gone}#x> {}<{secret}> [x](gone.md)\n", others.concat()));
    let here = format!("http://127.0.0.1:{}", nginx.port);
    let template = format!("{here}/web/{{url}}");
    let copy = format!("{here}/web/2020/web/{gone}");
    let output = open(&folder, &template, &["--json", "--retry", "0", "--http-userinfo", "a.md"]);
    let objects = verdicts(&output);
    assert_eq!(objects[&format!("{gone}#x")]["suggestion"], copy.as_str(), "{output:?}");
    let with_copy = objects.values().filter(|object| object["suggestion"] != Value::Null);
    assert_eq!(with_copy.count(), 1, "{output:?}");
    let human = text(&open(&folder, &template, &["--retry", "0", "a.md"]).stdout);
    assert!(human.contains(&format!("; a copy is at {copy}\n")), "{human}");
    let sarif: Value =
        serde_json::from_slice(&open(&folder, &template, &["--format", "sarif", "--retry", "0", "a.md"]).stdout)
            .unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap().clone();
    let shown = |result: &Value| result["message"]["text"].as_str().unwrap().contains(&format!("a copy is at {copy}"));
    assert_eq!(results.iter().filter(|result| shown(result)).count(), 1, "{results:?}");
    let without = folder.urlwise(["check", "--open", "--allow", "local-from-public", "--json", "a.md"]);
    assert!(verdicts(&without).values().all(|object| object["suggestion"] == Value::Null), "{without:?}");
}

#[test]
fn an_archive_that_answers_itself_has_the_copy_and_one_that_sends_elsewhere_has_none() {
    let folder = Folder::new();
    let Some(nginx) = archive(&folder) else { return };
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    let gone = server.url("/gone");
    folder.file("a.md", format!("<{gone}>\n"));
    let here = format!("http://127.0.0.1:{}", nginx.port);
    let suggested =
        |template: &str| verdicts(&open(&folder, template, &["--json", "a.md"]))[&gone]["suggestion"].clone();
    assert_eq!(suggested(&format!("{here}/plain/{{url}}")), format!("{here}/plain/{gone}").as_str());
    assert_eq!(suggested(&format!("{here}/away/{{url}}")), Value::Null);
    assert_eq!(suggested("http://127.0.0.1:1/{url}"), Value::Null, "nobody answers");
}

#[test]
fn settings_may_name_an_archive_and_a_tree_may_not() {
    let folder = Folder::new();
    let Some(nginx) = archive(&folder) else { return };
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    let gone = server.url("/gone");
    folder.file("a.md", format!("<{gone}>\n"));
    let template = format!("http://127.0.0.1:{}/plain/{{url}}", nginx.port);
    let table = format!("[archive]\nurl = \"{template}\"\n");
    folder.file("settings.toml", &table);
    let run = |arguments: &[&str]| {
        let all =
            ["check", "--open", "--allow", "local-from-public", "--allow", "port-foreign", "--no-proxy", "--json"];
        folder.urlwise([&all[..], arguments].concat())
    };
    let output = run(&["--suggest", "--settings", "settings.toml", "a.md"]);
    let copy = template.replace("{url}", &gone);
    assert_eq!(verdicts(&output)[&gone]["suggestion"], copy.as_str(), "{output:?}");
    let wrong = run(&["--suggest", "--archive", "http://{url}/", "a.md"]);
    assert_eq!(code(&wrong), 2);
    assert!(text(&wrong.stderr).contains("--archive: in `http://{url}/`"), "{wrong:?}");
    folder.file("urlwise.toml", table);
    let tree = run(&["a.md"]);
    assert_eq!(code(&tree), 2, "{tree:?}");
    assert!(text(&tree.stderr).contains("urlwise.toml:1:2"), "{tree:?}");
}
