"""Whether readers agree on a URL: the three standards, and the libraries that are installed."""

import importlib
import ipaddress
from dataclasses import dataclass, field

from . import _urlwise

# What no scheme of ours has, and WHATWG has.
_PORTS = {"ws": 80, "wss": 443}


@dataclass(frozen=True)
class Agreement:
    """What readers see in a URL.

    `ok` is true if all of them accept it and would connect to the same place, or all refuse it; those that are read here, and are no
    libraries, also have to see the same user, path and other parts. `readings` has for each reader a dict of what it sees ("scheme",
    "host", "port" at least), or of "error" alone. `differs` names what they disagree in.
    """

    ok: bool
    differs: tuple
    readings: dict = field(repr=False)

    def __bool__(self):
        return self.ok


def _urlsplit(url):
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _urllib3(url):
    from urllib3.util import parse_url

    parts = parse_url(url)
    return parts.scheme, parts.host, parts.port


def _requests(url):
    # The URL that requests hands on, read by what it hands it to.
    from requests import Request

    return _urllib3(Request("GET", url).prepare().url)


def _yarl(url):
    from yarl import URL

    parts = URL(url)
    return parts.scheme, parts.raw_host, parts.explicit_port


def _httpx(url):
    from httpx import URL

    parts = URL(url)
    return parts.scheme, parts.raw_host.decode("ascii"), parts.port


# The readers by their names: the module that must be installed, and what it sees.
_LIBRARIES = {
    "urlsplit": ("urllib.parse", _urlsplit),
    "urllib3": ("urllib3", _urllib3),
    "requests": ("requests", _requests),
    "yarl": ("yarl", _yarl),
    "httpx": ("httpx", _httpx),
}
_STANDARDS = ("rfc1738", "rfc3986", "whatwg")
# Programs without a library in Python, as urlwise models them.
_MODELS = ("curl", "go")


def _is_installed(module):
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def _known():
    """The names of the readers that can be asked here."""
    return _STANDARDS + tuple(name for name, (module, _) in _LIBRARIES.items() if _is_installed(module))


def _library(name, url):
    """What a library sees; an error of any kind is a refusal."""
    try:
        scheme, host, port = _LIBRARIES[name][1](url)
    except Exception as error:  # noqa: BLE001: libraries raise what they like
        return {"error": f"{type(error).__name__}: {error}"}
    return {"scheme": (scheme or "").lower(), "host": host, "port": port}


def _host(host):
    """A host as it would be looked up: case, the final dot and the notation of an address make no difference."""
    if not host:
        return None
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        pass
    try:
        bare = bare.encode("ascii").decode("ascii")
    except UnicodeEncodeError:
        try:
            bare = bare.encode("idna").decode("ascii")
        except UnicodeError:
            pass
    return bare.lower()


def _target(seen):
    scheme = seen["scheme"]
    port = seen["port"]
    port = int(port) if port not in (None, "") else _PORTS.get(scheme, _urlwise.default_port(scheme))
    host = _host(seen["host"])
    if scheme == "file" and host == "localhost":
        host = None  # both are this machine
    return {"scheme": scheme, "host": host, "port": port}


def agree(url, readers=None, *, profile="current"):
    """Whether readers agree on where a URL leads: an Agreement, true or false in a condition.

    Asks the standards RFC 1738 (by `profile`), RFC 3986 and WHATWG, and those of urlsplit, urllib3, requests, yarl and httpx that
    are installed, or the `readers` that are named; these may also be curl and go, which are models. Raises ValueError for a reader that
    is not known, ImportError for one that is not installed.
    """
    if isinstance(readers, (str, bytes)):
        raise TypeError(f"readers is a list of str, not {type(readers).__name__}")
    text = url.decode("utf-8", "surrogateescape") if isinstance(url, bytes) else url
    asked = _known() if readers is None else tuple(readers)
    if not asked:
        raise ValueError("readers is empty; name those that check and fetch the URL")
    known_here = [name for name in asked if name in _STANDARDS + _MODELS]
    read_here, differs_here = _urlwise.readings(url, known_here, profile=profile)
    seen = {}
    for name in asked:
        if name in read_here:
            seen[name] = read_here[name]
        elif name in _LIBRARIES:
            module = _LIBRARIES[name][0]
            importlib.import_module(module)
            seen[name] = _library(name, text)
        else:
            raise ValueError(f"unknown reader {name!r}; there are {', '.join((*_STANDARDS, *_LIBRARIES, *_MODELS))}")
    accepted = [_target(parts) for parts in seen.values() if "error" not in parts]
    differs = [name for name in ("scheme", "host", "port") if len({target[name] for target in accepted}) > 1]
    if accepted and len(accepted) < len(seen):
        differs.insert(0, "ok")
    differs += [name for name in differs_here if name not in differs]
    return Agreement(ok=not differs, differs=tuple(differs), readings=seen)
