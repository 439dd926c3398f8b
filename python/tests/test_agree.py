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
