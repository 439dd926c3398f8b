"""Pictures of pages for the documents: PNG with a palette, which is a quarter of what a browser writes."""

import struct
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

# The name, the path of the page, the server of its URL and the rest of the URL (or all of it), the width, the height at most, the colours.
PICTURES = [
    ("welcome", "/open", "", "", 1280, 860, "light"),
    ("explain", "/explain", "", "ftp://library.example/%2Fmaps/the%20coast;type=i", 1280, 976, "light"),
    ("compare", "/explain", "", "http://library.example\\@elsewhere.example/maps", 1280, 1250, "dark"),
    ("menu", "/open", "gopher", "", 1280, 1000, "light"),
    ("menu-phone", "/open", "gopher", "", 360, 780, "dark"),
    ("directory", "/open", "ftp", "", 1280, 670, "light"),
    ("form", "/open", "gopherplus", "00/survey%09%09?", 360, 900, "light"),
    ("group", "/open", "nntp", "local.test", 1280, 700, "dark"),
    ("article", "/open", "nntp", "local.test/2", 1280, 800, "light"),
    ("hits", "/open", "wais", "sample?indigo", 1280, 700, "light"),
    ("refused", "/open", "", "gopher://library.example:6379/0maps", 1280, 700, "light"),
]


# Colours whose distance, squared, is not greater than this look the same.
ALIKE = 60


def take(world: Any, folder: Path, every: list[tuple[str, str, str, str, int, int, str]] = PICTURES) -> None:
    folder.mkdir(exist_ok=True)
    for name, path, server, rest, width, height, colours in every:
        world.browser.width(width)
        world.browser.colours(colours)
        url = world.url(server, rest) if server else rest
        world.browser.go(world.gateway.page(path, url) if url else world.gateway.base + "/")
        octets = small(world.browser.picture(height))
        (folder / f"{name}.png").write_bytes(octets)
        print(f"{name}.png: {len(octets)} octets")


def small(png: bytes) -> bytes:
    """The picture with 256 colours: frequent ones that can be told apart, and in place of each other one the nearest of those."""
    width, height, pixels = decode(png)
    counts = Counter(pixels)
    palette: list[bytes] = []
    for colour, _ in counts.most_common():
        if all(sum((a - b) ** 2 for a, b in zip(colour, other)) > ALIKE for other in palette):
            palette.append(colour)
        if len(palette) == 256:
            break
    places = {colour: place for place, colour in enumerate(palette)}
    for colour in counts:
        if colour not in places:
            near = min(palette, key=lambda other: sum((a - b) ** 2 for a, b in zip(colour, other)))
            places[colour] = places[near]
    indexes = [places[pixel] for pixel in pixels]
    # Filter 0 suits palettes.
    rows = b"".join(b"\0" + bytes(indexes[at : at + width]) for at in range(0, len(indexes), width))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(octets)) + kind + octets + struct.pack(">I", zlib.crc32(kind + octets)) for kind, octets in chunks
    )


def decode(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and pixels (red, green, blue) of a PNG as browsers write it: 8 bits, no palette, not interlaced."""
    at, data, head = 8, b"", b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        octets = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            head = octets
        elif kind == b"IDAT":
            data += octets
        at += 12 + length
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", head)
    assert (depth, interlace) == (8, 0) and colour in (2, 6)
    step = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(data), width * step
    before = bytearray(stride)
    pixels = []
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        unfilter(kind, row, before, step)
        pixels += [bytes(row[x : x + 3]) for x in range(0, stride, step)]
        before = row
    return width, height, pixels


def unfilter(kind: int, row: bytearray, before: bytearray, step: int) -> None:
    """Undoes the filter of a row (PNG section 9)."""
    for x in range(len(row) if kind else 0):
        left = row[x - step] if x >= step else 0
        above = before[x]
        corner = before[x - step] if x >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above
        elif kind == 3:
            guess = (left + above) // 2
        else:
            base = left + above - corner
            guess = min((left, above, corner), key=lambda each: abs(base - each))
        row[x] = (row[x] + guess) & 255
