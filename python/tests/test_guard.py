import threading
import time

import pytest
import urlwise
from urlwise._agree import _LIBRARIES, _host, _library


def codes(url, *arguments, **options):
    return [reason.code for reason in urlwise.guard(url, *arguments, **options).reasons]


def test_the_payload_of_2026_is_refused():
    verdict = urlwise.guard("http://127.0.0.1\\@1.1.1.1")
    assert not verdict.ok and not verdict and verdict.addresses is None
    assert [reason.code for reason in verdict.reasons] == ["hosts-differ", "address-private"]
    assert (verdict.hosts["urlsplit"], verdict.hosts["urllib3"], verdict.hosts["go"]) == ("1.1.1.1", "127.0.0.1", None)
    assert repr(verdict) == "<urlwise.Verdict refused: hosts-differ, address-private>"
    assert str(verdict.reasons[1]) == "address-private: WHATWG opens 127.0.0.1, which is loopback, this machine"


def test_the_policy_is_that_of_the_program():
    assert codes("https://h.example/a") == []
    assert codes("ftp://h.example/") == ["scheme-not-allowed"]
    assert codes("ftp://h.example/", ["ftp"]) == []
    assert codes("http://a.h.example/", None, ["*.h.example"]) == []
    assert codes("http://h.example/", None, ["*.h.example"]) == ["host-not-allowed"]
    assert codes("http://10.0.0.1/") == ["address-private"]
    assert codes("http://10.0.0.1/", None, None, True) == []
    assert codes("http://169.254.169.254/", allow_private=True) == ["address-metadata"]
    assert codes("http://127.0.0.%31/", readers=["urlsplit"]) == ["host-invalid", "address-private"]
    assert codes("https://h.example/", readers=["rfc1738"], profile="rfc1738") == []
    assert codes("http://h.example/~a", readers=["rfc1738"], profile="rfc1738") == ["not-a-url"]


def test_literal_addresses_are_given_and_names_only_if_asked_for():
    assert urlwise.guard("http://[2606:4700::1]/").addresses == ["2606:4700::1"]
    assert urlwise.guard("http://h.example/").addresses is None
    verdict = urlwise.guard("http://localhost:80/", allow_private=True, resolve=True)
    assert verdict.ok and set(verdict.addresses) <= {"127.0.0.1", "::1"} and verdict.addresses
    assert codes("http://no-such-host.invalid/", resolve=True) == ["host-unresolved"]
    assert codes("http://h.example/", resolve=True, timeout=0) == ["host-unresolved"]


@pytest.mark.parametrize("url", ["", "\0", "\ud800", "http://\udc80/", "http://h\ud800.example/", b"\xff", b"http://\xff/"])
def test_no_url_raises(url):
    assert not urlwise.guard(url).ok


def test_wrong_options_raise():
    for options in (
        {"allow_hosts": ["*"]},
        {"allow_schemes": ["http://"]},
        {"allow_schemes": [""]},
        {"readers": ["netscape"]},
        {"profile": "rfc9999"},
        {"timeout": -1.0},
        {"timeout": float("nan")},
    ):
        with pytest.raises(ValueError):
            urlwise.guard("http://h.example/", **options)
    for options in ({"allow_hosts": "h.example"}, {"allow_schemes": "http"}, {"readers": "curl"}):
        with pytest.raises(TypeError):
            urlwise.guard("http://h.example/", **options)
    with pytest.raises(TypeError):
        urlwise.guard(None)


def test_passwords_are_not_shown():
    verdict = urlwise.guard("ftp://jim:s3cret.example?x@h.example/")
    assert "s3cret" not in repr(verdict) + repr(verdict.reasons) + repr(verdict.hosts)


def test_the_gil_is_free_during_a_look_up():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    urlwise.guard("http://no-such-host.invalid/", resolve=True)
    done.set()
    thread.join()
    assert ticks


# What the guard lets pass, the libraries that are installed read in the same way.
@pytest.mark.parametrize("library", sorted(_LIBRARIES))
def test_installed_libraries_agree_with_what_passes(library):
    pytest.importorskip(_LIBRARIES[library][0])
    for url in (
        "http://h.example/",
        "HTTPS://H.example:8443/a/../b?c=d#e",
        "https://joe:secret@h.example/",
        "http://8.8.8.8/",
        "https://[2606:4700::1]:443/",
        "http://a_b.example/x",
        "http://xn--bcher-kva.example/",
        "http://good.example%2F@evil.example/",
        "http://evil.example#@good.example/",
        "http://evil.example?@good.example/",
    ):
        verdict = urlwise.guard(url)
        assert verdict.ok, url
        seen = _library(library, url)
        hosts = {_host(host) for host in verdict.hosts.values() if host}
        assert "error" in seen or {_host(seen["host"])} == hosts, (url, seen)
