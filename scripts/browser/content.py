"""What the servers serve: a small library, with guests that behave badly."""

import struct
import zlib
from pathlib import Path


def png(width: int, height: int) -> bytes:
    """A picture of hills at dusk."""

    def chunk(kind: bytes, octets: bytes) -> bytes:
        return struct.pack(">I", len(octets)) + kind + octets + struct.pack(">I", zlib.crc32(kind + octets))

    def pixel(x: int, y: int) -> tuple[int, int, int]:
        hills = sum(y > height * base + size * ((x / width * waves) % 1 - 0.5) ** 2 for base, size, waves in HILLS)
        return [(244 - y // 2, 214 - y // 2, 190 + y // 4), (118, 140, 150), (60, 96, 108), (24, 58, 68)][hills]

    rows = b"".join(b"\0" + bytes(value for x in range(width) for value in pixel(x, y)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


# Where each row of hills begins, how high its valleys are, and how many it has.
HILLS = [(0.45, 260, 2.3), (0.60, 220, 3.1), (0.76, 160, 4.7)]

PICTURE = png(480, 270)
BINARY = bytes(range(256)) * 256

TEXT = """\
About this library
==================

It keeps what was worth keeping: maps, a few books, and letters.

The catalogue is at ftp://ftp.example/pub/catalogue.txt, questions go to
<URL:mailto:librarian@library.example>, and readers meet in <news:local.maps>.

Opening hours
-------------
        Monday to Friday    9 to 17
        Saturday            9 to 12

What looks like markup is <b>text</b>, as it was written: <script>alert(1)</script> & so on.
"""

# Port 8009 of this machine stands for "elsewhere": nothing may be asked of it.
HOSTILE = """<!doctype html><title>Opening hours</title>
<style>body { font: 1rem/1.5 sans-serif; margin: 2rem; } h1 { color: #0b5a69; }</style>
<h1>Opening hours</h1><p>Monday to Friday, 9 to 17. This page is shown, and nothing in it runs.</p>
<script>document.title = 'OWNED'; top.location = 'http://127.0.0.1:8009/top'; fetch('http://127.0.0.1:8009/fetch')</script>
<img src=http://127.0.0.1:8009/img onerror="top.document.title = 'OWNED'"><link rel=stylesheet href=http://127.0.0.1:8009/style>
<link rel=preconnect href=http://127.0.0.1:8009><link rel=dns-prefetch href=http://elsewhere.example>
<link rel=prefetch href=http://127.0.0.1:8009/prefetch><iframe src=http://127.0.0.1:8009/frame></iframe>
<video src=http://127.0.0.1:8009/video autoplay></video><object data=http://127.0.0.1:8009/object></object>
<style>@import url(http://127.0.0.1:8009/import); body { background: url(http://127.0.0.1:8009/background) }</style>
<meta http-equiv=refresh content="0; url=http://127.0.0.1:8009/refresh"><base href=http://127.0.0.1:8009/>
<form action=http://127.0.0.1:8009/form method=post><input name=a value=b autofocus></form>
"""
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40" onload="top.document.title='OWNED'">
<script>top.document.title = 'OWNED'</script><image href="http://127.0.0.1:8009/image" width="9" height="9"/>
<rect width="80" height="40" fill="#0b5a69"/></svg>
"""

BANNER = r"""
    __    _ __                         
   / /   (_) /_  _________ ________  __
  / /   / / __ \/ ___/ __ `/ ___/ / / /
 / /___/ / /_/ / /  / /_/ / /  / /_/ / 
/_____/_/_.___/_/   \__,_/_/   \__, /  
                              /____/   
"""
MENU = [
    "0About this library\t/about.txt",
    "1Maps and atlases\t/maps",
    "7Search the catalogue\t/cgi-bin/find.cgi",
    "IThe reading room\t/room.png",
    "hOpening hours\t/hours.html",
    "9The catalogue, packed\t/catalogue.bin",
    "8The old terminal\tguest\tlibrary.example\t23",
    "hThe library on the web\tURL:http://library.example/",
    "1Guests who behave badly\t/guests",
    ".",
]
GUESTS = [
    "<img src=http://127.0.0.1:8009/info onerror=alert(1)>",
    "0<script>document.title='OWNED'</script>\"'><img src=http://127.0.0.1:8009/menu>\t/about.txt",
    "1A name that is much longer than any window of a telephone and goes on and on and_on_"
    + "without_an_end_" * 12 + "\t/\"><script>document.title='OWNED'</script>",
    "hjavascript\tURL:javascript:alert(1)",
    ".",
]
SEARCH = r"""#!/bin/sh
# gophernicus gives the words in SEARCHREQUEST.
printf '0%s: a survey\t/about.txt\n0On %s\t/about.txt\n' "$SEARCHREQUEST" "$SEARCHREQUEST"
"""

ARTICLES = [
    ("one@library.example", "Where did the old maps go?", "=?utf-8?q?J=C3=B6rg_Weber?= <joerg@one.example>", "", 1, [
        "Last week they were on the second floor, and today there are chairs.",
        "Does anybody know?",
    ]),
    ("two@library.example", "Re: Where did the old maps go?", "Ann Li <ann@two.example>", "<one@library.example>", 2, [
        "> Does anybody know?",
        "",
        "They are in the cellar until the roof is mended. The list is at",
        "<ftp://ftp.example/pub/maps.txt>, and in the menu gopher://library.example/1/maps",
    ]),
    ("three@library.example", "Re: Where did the old maps go?", "=?utf-8?q?=CE=95=CE=BB=CE=AD=CE=BD=CE=B7?= <eleni@three.example>",
     "<one@library.example> <two@library.example>", 3, ["Thank you. <i>All</i> of them?"]),
    ("four@library.example", "=?utf-8?q?Gr=C3=BC=C3=9Fe?= <script>document.title='OWNED'</script>",
     '"<img src=http://127.0.0.1:8009/from>" <x@four.example>', "", 4, ["<script>document.title = 'OWNED'</script>", "javascript:alert(1)"]),
]  # fmt: skip


def article(ident: str, subject: str, author: str, references: str, day: int, lines: list[str]) -> str:
    # Guests who behave badly have a group of their own.
    group = "local.c++" if ident.startswith("four") else "local.test"
    head = {
        "From": author,
        "Newsgroups": group,
        "Subject": subject,
        "Message-ID": f"<{ident}>",
        "Date": f"0{day} Nov 2026 10:15:00 +0000",
        "References": references,
        "Content-Type": "text/plain; charset=utf-8",
    }
    fields = [f"{name}: {value}" for name, value in head.items() if value]
    return "\r\n".join([*fields, "", *lines])


def write(folder: Path) -> None:
    """Fills a folder for the servers; each has a folder of its name there."""
    files: dict[str, str | bytes] = {
        "gopher/gophermap": "\n".join([*BANNER.splitlines()[1:], "", *MENU]) + "\n",
        "gopher/guests/gophermap": "\n".join(GUESTS) + "\n",
        "gopher/about.txt": TEXT,
        "gopher/room.png": PICTURE,
        "gopher/hours.html": HOSTILE,
        "gopher/catalogue.bin": BINARY,
        "gopher/cgi-bin/find.cgi": SEARCH,
        "http/about.txt": TEXT,
        "http/hours.html": HOSTILE,
        "http/catalogue.bin": BINARY,
        "http/logo.svg": DRAWING,
        "ftp/readme.txt": TEXT,
        "ftp/catalogue.bin": BINARY,
        "ftp/room.png": PICTURE,
        "ftp/a name with spaces; and more.txt": TEXT,
        "ftp/<img src=x onerror=alert(1)>.txt": TEXT,
        "file/readme.txt": TEXT,
        "file/folder/catalogue.bin": BINARY,
    }
    files |= {f"gopher/maps/sheet-{number}.txt": TEXT for number in range(1, 13)}
    files |= {f"ftp/maps/sheet-{number}.txt": TEXT for number in range(1, 13)}
    files |= {f"news/{number}": article(*each) for number, each in enumerate(ARTICLES)}
    for name, octets in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets if isinstance(octets, bytes) else octets.encode())
