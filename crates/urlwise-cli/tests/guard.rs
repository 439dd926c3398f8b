//! `guard --resolve`, and the vectors as JSON.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use std::collections::BTreeSet;

use serde_json::Value;
use support::Tree;

#[test]
fn a_name_is_looked_up_and_its_addresses_are_judged() {
    let tree = Tree::new("guard-resolve");
    let ran = tree.run(&["guard", "--json", "--resolve", "--allow-private", "http://localhost:80/"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let addresses = ran.json()[0]["addresses"].as_array().unwrap().clone();
    assert!(!addresses.is_empty() && addresses.iter().all(|address| address == "127.0.0.1" || address == "::1"));

    let human = tree.run(&["guard", "--resolve", "--allow-private", "http://localhost/"]);
    assert!(human.stdout.starts_with("ok       http://localhost/\n         connect to "), "{}", human.stdout);

    // Without --allow-private the name alone is enough, and nothing is looked up.
    let ran = tree.run(&["guard", "--json", "--resolve", "http://localhost/"]);
    assert_eq!((ran.status, &ran.json()[0]["reasons"][0]["code"]), (1, &Value::from("name-local")));
    assert_eq!(ran.json()[0]["addresses"], Value::Null);
}

#[test]
fn a_name_that_cannot_be_looked_up_is_refused() {
    let tree = Tree::new("guard-unresolved");
    let ran = tree.run(&["guard", "--json", "--resolve", "http://no-such-host.invalid/", "http://8.8.8.8/"]);
    assert_eq!(ran.status, 1);
    let lines = ran.json();
    assert_eq!(lines[0]["reasons"][0]["code"], "host-unresolved");
    let message = lines[0]["reasons"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("cannot resolve host `no-such-host.invalid`"), "{message}");
    assert_eq!((&lines[1]["ok"], &lines[1]["addresses"][0]), (&Value::Bool(true), &Value::from("8.8.8.8")));
}

#[test]
fn vectors_are_about_the_hosts_that_are_named() {
    let tree = Tree::new("vectors");
    let ran = tree.run(&["vectors", "--json", "--trusted", "www.mine.test", "--hostile", "their.test"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let vectors = ran.json();
    assert!(vectors.len() > 300, "{}", vectors.len());
    let names: BTreeSet<_> = vectors.iter().map(|vector| vector["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), vectors.len());
    let mut passed = 0;
    for vector in &vectors {
        let name = vector["name"].as_str().unwrap();
        assert!(name.starts_with(vector["family"].as_str().unwrap()), "{name}");
        let readings = vector["readings"].as_object().unwrap();
        assert_eq!(readings.len(), 7, "{name}");
        let reasons = vector["reasons"].as_array().unwrap();
        assert_eq!(vector["ok"], Value::Bool(reasons.is_empty()), "{name}");
        if reasons.is_empty() {
            passed += 1;
            let hosts = readings.values().filter(|reading| reading["ok"] == true).map(|reading| &reading["host"]);
            assert!(hosts.clone().count() > 0 && hosts.clone().all(|host| host == "www.mine.test"), "{name}");
        }
        // Those that agree are refused for what they name alone.
        let differ = reasons.iter().any(|code| code.as_str().is_some_and(|code| code.ends_with("s-differ")));
        assert_eq!(vector["agree"], Value::Bool(!differ), "{name}");
    }
    assert!(passed > 0, "a check that refuses everything would pass too");
    let url = |name: &str| vectors.iter().find(|vector| vector["name"] == name).unwrap()["url"].clone();
    assert_eq!(url("backslash-1"), r"http://their.test\@www.mine.test/");
    assert_eq!(url("percent-host-1"), "http://%74heir.test/");

    // RFC 1738 allows no login in an http URL; RFC 3986, which the default follows, does.
    let strict = tree.run(&["vectors", "--json", "--profile", "rfc1738"]).json();
    let is_ok = |vectors: &[Value]| {
        let vector = vectors.iter().find(|vector| vector["name"] == "userinfo-1").unwrap();
        vector["readings"]["rfc1738"]["ok"].as_bool().unwrap()
    };
    assert!(is_ok(&vectors) && !is_ok(&strict));

    let human = tree.run(&["vectors"]);
    assert_eq!(human.status, 0);
    assert!(human.stdout.contains("backslash-1  http://evil.example\\\\@good.example/\n    "), "{}", human.stdout);
}

#[test]
fn what_a_check_reports_names_the_programs() {
    let tree = Tree::new("guard-check");
    let ran = tree.run(&[
        "check",
        "--json",
        "--select",
        "E-32",
        "--readers",
        "urlsplit,curl",
        "http://127.0.0.01/",
        "http://host.dom/",
    ]);
    let lines = ran.json();
    assert_eq!((ran.status, lines.len()), (1, 1), "{lines:?}");
    assert_eq!(lines[0]["code"], "read-differently");
    let message = lines[0]["message"].as_str().unwrap();
    assert!(
        message.contains("urlsplit opens 127.0.0.01, curl opens 127.0.0.1") && !message.contains("tandards"),
        "{message}"
    );
    let agreed = tree.run(&["check", "--json", "--select", "E-32", "--readers", "urlsplit,go", "http://127.0.0.01/"]);
    assert_eq!((agreed.status, agreed.stdout.as_str()), (0, ""));
}
