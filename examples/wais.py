#!/usr/bin/env python3
"""A WAIS server of a few recorded answers: wais.py PORT.

It plays what freeWAIS-sf said, for users without a server of 1994: to `sample?indigo`, to requests for the first document that
it brings, to other words, and to searches in a database that it does not have. Where the recordings come from stands in crates/urlwise-open/tests/wire/wais/README.md.
"""

import pathlib
import socketserver
import sys

HEADER = 25
RECORDED = pathlib.Path(__file__).parents[1] / "crates/urlwise-open/tests/wire/wais"


def messages(name):
    """The answers of a recorded connection, each with its header."""
    octets = (RECORDED / f"{name}.s2c.bin").read_bytes()
    while octets:
        end = HEADER + int(octets[:10])
        yield octets[:end]
        octets = octets[end:]


INIT, SEARCH, FETCH = messages("fetch-small")
_, NO_HITS = messages("search-nohits")
_, NO_DATABASE = messages("search-unknown-db")
NOTHING = b"0000000000z2wais        0"
# What tells the requests apart: INIT, the document, the database and the words, the database alone, a search.
ANSWERS = [
    ([b"\x00\x11\x14"], INIT),
    ([b"/docs/note18.txt"], FETCH),
    ([b"\x12\x06sample\x14\x013", b"j\x06indigo"], SEARCH),
    ([b"\x12\x06sample\x14\x013"], NO_HITS),
    ([b"\x14\x013"], NO_DATABASE),
]


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        while header := self.rfile.read(HEADER):
            request = self.rfile.read(int(header[:10]))
            answers = (answer for signs, answer in ANSWERS if all(octets in request for octets in signs))
            self.wfile.write(next(answers, NOTHING))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(sys.argv[1])), Session).serve_forever()
