#!/usr/bin/env python3
"""A Prospero server of a few recorded answers: prospero.py PORT.

It plays what a dirsrv of 1994 said, for users without one: of the directory `/pfs`, of a file in it, and of another whose
contents the server itself has. Where the recordings come from stands in crates/urlwise-open/tests/wire/prospero/README.md.
"""

import pathlib
import socket
import sys

RECORDED = pathlib.Path(__file__).parents[1] / "crates/urlwise-open/tests/wire/prospero"
RECORDED_PORT = b"(21525)"
# How a line of a request begins, and the session in which the server was asked the same.
ANSWERS = {
    b"GET-OBJECT-INFO ACCESS-METHOD ASCII '/pfs'": "16-none-found",
    b"DIRECTORY ASCII '/pfs'": "01-list-small",
    b"GET-OBJECT-INFO ACCESS-METHOD ASCII '/pfs/demo/readme.txt'": "04-object-all-attributes",
    b"GET-OBJECT-INFO ACCESS-METHOD ASCII 'AFTP/pub/notes.txt'": "05-object-access-method-native-file",
    b"GET-OBJECT-INFO CONTENTS ASCII 'AFTP/pub/notes.txt'": "24-contents-text",
}
NOT_FOUND = "15-missing-object"


def answers(request):
    """The datagrams that answer a request: its connection id in theirs, and the port of this server in place of the recorded one."""
    lines = request[request[0] :].split(b"\n")
    sessions = (session for asked, session in ANSWERS.items() if any(line.startswith(asked) for line in lines))
    for path in sorted(RECORDED.glob(f"{next(sessions, NOT_FOUND)}/*-s2c.bin")):
        answer = path.read_bytes()
        yield answer[:1] + request[1:3] + answer[3:].replace(RECORDED_PORT, b"(%d)" % port)


port = int(sys.argv[1])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
    server.bind(("127.0.0.1", port))
    while True:
        request, client = server.recvfrom(1 << 16)
        # A packet number of 0 is an acknowledgement; a packet without a number is not a request.
        if request[3:5] not in (b"", b"\0\0"):
            for answer in answers(request):
                server.sendto(answer, client)
