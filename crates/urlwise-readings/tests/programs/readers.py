"""What urlsplit, urllib3 and libcurl see in each text of standard input.

Arguments: the program. Input: a text per line, in hex. Output: a line per text, `error`, or scheme, user, password, host,
port, path, query and fragment, separated by blanks: `-` if absent, `=` and hex if there.
"""
import ctypes
import glob
import os
import sys


def urlsplit():
    from urllib.parse import urlsplit

    def read(octets):
        try:
            parts = urlsplit(octets.decode())
        except ValueError:
            return None
        host = parts.hostname
        if host is not None and parts.netloc.rpartition("@")[2].startswith("["):
            host = f"[{host}]"
        try:
            port = parts.port
        except ValueError:
            port = parts._hostinfo[1]
        query, fragment = parts.query or None, parts.fragment or None
        return parts.scheme, parts.username, parts.password, host, port, parts.path, query, fragment

    return read


def urllib3():
    sys.modules["idna"] = None  # as if it were not installed
    from urllib3.exceptions import LocationParseError
    from urllib3.util import parse_url

    def read(octets):
        try:
            parts = parse_url(octets.decode())
        except (LocationParseError, UnicodeDecodeError):
            return None
        user = password = None
        if parts.auth is not None:
            user, colon, password = parts.auth.partition(":")
            password = password if colon else None
        return parts.scheme or "", user, password, parts.host, parts.port, parts.path or "", parts.query, parts.fragment

    return read


def curl():
    import pycurl  # loads what its libcurl depends on

    [path] = glob.glob(os.path.join(os.path.dirname(pycurl.__path__[0]), "pycurl.libs", "libcurl-*.so*"))
    lib = ctypes.CDLL(path)
    lib.curl_url.restype = ctypes.c_void_p
    lib.curl_url_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    lib.curl_url_get.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint]
    lib.curl_url_cleanup.argtypes = [ctypes.c_void_p]
    lib.curl_free.argtypes = [ctypes.c_void_p]
    NON_SUPPORT_SCHEME, GUESS_SCHEME, GET_EMPTY = 1 << 3, 1 << 9, 1 << 14
    URL, SCHEME, USER, PASSWORD, OPTIONS, HOST, PORT, PATH, QUERY, FRAGMENT, ZONE = range(11)

    def read(octets):
        url = lib.curl_url()
        try:
            if lib.curl_url_set(url, URL, octets, NON_SUPPORT_SCHEME | GUESS_SCHEME):
                return None

            def get(part):
                value = ctypes.c_void_p()
                if lib.curl_url_get(url, part, ctypes.byref(value), GET_EMPTY):
                    return None
                text = ctypes.string_at(value)
                lib.curl_free(value)
                return text

            host, zone = get(HOST), get(ZONE)
            if zone is not None:
                host = host[:-1] + b"%" + zone + b"]"
            return (get(SCHEME), get(USER), get(PASSWORD), host, *map(get, (PORT, PATH, QUERY, FRAGMENT)))
        finally:
            lib.curl_url_cleanup(url)

    return read


def field(value):
    if value is None:
        return "-"
    return "=" + (value if isinstance(value, bytes) else str(value).encode()).hex()


read = {"urlsplit": urlsplit, "urllib3": urllib3, "curl": curl}[sys.argv[1]]()
for line in sys.stdin:
    parts = read(bytes.fromhex(line))
    print("error" if parts is None else " ".join(map(field, parts)))
