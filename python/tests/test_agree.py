import pytest
import urlwise
from urlwise._agree import _known


def test_the_payload_of_2026_is_seen():
    for reader in (("urlsplit", "requests"), ("rfc3986", "whatwg"), None):
        agreement = urlwise.agree("http://127.0.0.1\\@1.1.1.1/", reader)
        assert not agreement.ok and not agreement, reader
    agreement = urlwise.agree("http://127.0.0.1\\@1.1.1.1/", ("urlsplit", "urllib3"))
    assert agreement.differs and agreement.readings["urlsplit"]["host"] == "1.1.1.1"
    assert agreement.readings["urllib3"].get("host") != "1.1.1.1"


@pytest.mark.parametrize("url", ["http://host.dom/a?b#c", "https://[::1]:8443/", "http://127.0.0.1:80/", "ftp://joe@host.dom/x"])
def test_ordinary_urls_have_one_reading(url):
    agreement = urlwise.agree(url, ("urlsplit", "urllib3", "yarl", "httpx", "rfc3986", "whatwg", "rfc1738"))
    assert agreement.ok, agreement.readings
    assert agreement.differs == ()


def test_installed_readers_are_asked_and_unknown_ones_refused():
    assert {"rfc1738", "rfc3986", "whatwg", "urlsplit", "urllib3", "requests", "yarl", "httpx"} <= set(_known())
    with pytest.raises(ValueError, match="unknown reader"):
        urlwise.agree("http://h/", ("netscape",))


def test_address_classes():
    classes = {"127.0.0.1": "loopback", "10.0.0.1": "private", "8.8.8.8": "public", "[::1]": "loopback"}
    assert {address: urlwise.address_class(address) for address in classes} == classes
    with pytest.raises(ValueError):
        urlwise.address_class("127.1")


def test_named_readers_say_what_all_say():
    # An empty login: the same server, another user.
    for url in "http://@host.dom/", "ftp://a.dom?@b.dom/", "http://host.dom/a\\b":
        assert urlwise.agree(url, _known()) == urlwise.agree(url)
    assert urlwise.agree("http://@host.dom/", ["rfc3986", "whatwg"]).differs == ("user",)
    assert urlwise.agree("http://@host.dom/", ["urlsplit", "whatwg"]).ok


def test_curl_and_go_are_asked_by_their_models_if_they_are_named():
    agreement = urlwise.agree("http://127.0.0.1\\@1.1.1.1/", ["curl", "urllib3", "go"])
    assert agreement.differs == ("ok", "host")
    assert agreement.readings["curl"]["host"] == "1.1.1.1" and "error" in agreement.readings["go"]
    assert not {"curl", "go"} & set(urlwise.agree("http://host.dom/").readings)


def test_readers_that_are_none_or_no_list_are_refused():
    with pytest.raises(ValueError, match="readers is empty"):
        urlwise.agree("http://a\\@b/", [])
    with pytest.raises(ValueError, match="readers is empty"):
        urlwise.guard("http://host.dom/", readers=())
    for call in urlwise.agree, urlwise.guard:
        with pytest.raises(TypeError, match="readers is a list of str, not str"):
            call("http://host.dom/", readers="whatwg")


def test_a_file_of_localhost_is_one_of_this_machine():
    assert urlwise.agree("file://localhost/etc/motd").ok
    assert not urlwise.agree("http://localhost\\@host.dom/").ok


def test_addresses_may_have_zones():
    assert urlwise.address_class("fe80::1%eth0") == urlwise.address_class("[fe80::1%2]") == "link-local"
    for wrong in "127.0.0.1%eth0", "fe80::1%", "%eth0", "host.dom":
        with pytest.raises(ValueError, match="not an IP address"):
            urlwise.address_class(wrong)
