#!/usr/bin/env python3
"""A WAIS server of a few recorded answers: wais.py PORT.

It plays what freeWAIS-sf said, for users without a server of 1994: to `sample?indigo`, and to requests for the first
document that it brings. Where the recordings come from stands in crates/urlwise-open/tests/wire/wais/README.md.
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
NOTHING = b"0000000000z2wais        0"
# What tells the requests apart: the type of the message, the words, the document.
ANSWERS = [(b"\x00\x11\x14", INIT), (b"indigo", SEARCH), (b"/docs/note18.txt", FETCH)]


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        while header := self.rfile.read(HEADER):
            request = self.rfile.read(int(header[:10]))
            answers = (answer for octets, answer in ANSWERS if octets in request)
            self.wfile.write(next(answers, NOTHING))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(sys.argv[1])), Session).serve_forever()
