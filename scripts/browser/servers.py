"""Small servers of the schemes on loopback, for a browser to read through `urlwise serve`.

Each says what a real one says, in little: a gopher server with menus, a search, views and a form (Gopher+); an ftp, a news and a web
server. WAIS and Prospero are the recorded servers of examples/.
"""

import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def png(width=160, height=90):
    """A picture, of a gradient."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(
        b"\0" + bytes(v for x in range(width) for v in (29 + x // 2, 95 + y, 107 + x // 3)) for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PICTURE = png()
BINARY = bytes(range(256)) * 256
TEXT = (
    "About this server\r\n=================\r\n\r\nIt keeps what was worth keeping: maps, a few books, and letters.\r\n"
    "Write to <URL:mailto:librarian@library.example>, or read ftp://ftp.example/pub/ first.\r\n\r\n"
    "\tA tab, caf\u00e9, and a line of \u2500\u2500\u2500 and a <b>tag</b> that is none.\r\n"
).encode()
SCRIPT = b"<script>document.title='OWNED';fetch('http://127.0.0.1:9/')</script>"
PAGE = (
    b"<!doctype html><title>A page</title><h1 style='color:#0b5a69'>A page of somebody</h1><p>It is shown, and nothing in it runs.</p>"
    b"<img src='http://127.0.0.1:9/a.png'><link rel=stylesheet href='http://127.0.0.1:9/a.css'>"
    b"<link rel=preconnect href='http://127.0.0.1:9'><iframe src='http://127.0.0.1:9/f'></iframe>"
    b"<form action='http://127.0.0.1:9/s'><button id=b>send</button></form><meta http-equiv=refresh content='0;url=http://127.0.0.1:9/r'>" + SCRIPT
)


class Handler(socketserver.StreamRequestHandler):
    timeout = 20

    def line(self):
        return self.rfile.readline(65536).rstrip(b"\r\n")

    def say(self, *texts):
        for text in texts:
            self.wfile.write(text if isinstance(text, bytes) else text.encode())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client):
        pass  # a browser that goes away is one of the tests

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.port = self.server_address[1]
        self.gone = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Gopher(Handler):
    def handle(self):
        port = self.server.port
        selector, *more = self.line().split(b"\t")
        item = lambda kind, name, path="", end="": f"{kind}{name}\t{path}\t127.0.0.1\t{port}{end}\r\n"
        if more and more[-1][:1] in (b"!", b"$") and selector == b"/form":
            self.say("+-1\r\n", "+INFO: ", item("1", "Order a map", "/form", "\t?"))
            self.say("+ASK:\r\n Note: The library copies maps for you.\r\n Ask: Your name\r\n Choose: Paper\tA4\tA3\r\n")
            self.say(" Select: Send a receipt:1\r\n AskL: Anything else?\r\n.\r\n")
        elif more and more[-1][:1] in (b"!", b"$"):
            self.say("+-1\r\n", "+INFO: ", item("0", "About this server", selector.decode(), "\t+"))
            self.say("+ADMIN:\r\n Admin: The librarian <librarian@library.example>\r\n Mod-Date: Tue Nov  3 2026 <20261103101500>\r\n")
            self.say("+ABSTRACT:\r\n What this server keeps, and since when.\r\n")
            self.say("+VIEWS:\r\n text/plain En_US: <2k>\r\n text/plain De_DE: <2k>\r\n.\r\n")
        elif selector == b"/form":
            self.say("+-1\r\n", f"The library has your answers: {[line.decode() for line in self.answers()]}\r\n.\r\n")
        elif selector in (b"", b"/"):
            self.say(
                item("i", "   __    _ _                        "),
                item("i", "  / /   (_) |__  _ __ __ _ _ __ _   _ "),
                item("i", " / /__  | | '_ \\| '__/ _` | '__| | | |"),
                item("i", "/____/  |_|_.__/|_|  \\__,_|_|   \\__, |"),
                item("i", "                                |___/ "),
                item("i", ""),
                item("0", "About this server", "/about.txt"),
                item("1", "Maps and atlases", "/maps"),
                item("7", "Search the catalogue", "/find"),
                item("1", "Order a map", "/form", "\t?"),
                item("I", "A picture of the reading room", "/room.png"),
                item("h", "Opening hours", "/hours.html"),
                item("9", "The catalogue, packed", "/catalogue.bin"),
                item("8", "The old terminal", ""),
                item("h", "The library on the web", "URL:http://library.example/"),
                item("0", SCRIPT.decode() + "\"'><img src=x onerror=alert(1)>", "/\"><script>x</script>"),
                item("i", "<img src=http://127.0.0.1:9/i onerror=alert(1)>"),
                item("3", "<b>The annex is closed</b>"),
                ".\r\n",
            )
        elif selector == b"/maps":
            for number in range(1, 41):
                self.say(item("0", f"Sheet {number}: {'The river' if number % 3 else 'The coast'}", f"/maps/{number}"))
            self.say(".\r\n")
        elif selector == b"/many":
            for number in range(10_000):
                self.say(item("0", f"Entry {number} of a long menu", f"/entry/{number}"))
            self.say(".\r\n")
        elif selector == b"/slow":
            try:
                for number in range(600):
                    self.say(item("0", f"Entry {number}", f"/entry/{number}"))
                    time.sleep(0.05)
            except OSError:
                self.server.gone.set()
        elif selector == b"/find":
            words = b" ".join(more[:1]).decode()
            self.say(item("0", f"{words}: a survey", "/about.txt"), item("0", f"On {words}", "/about.txt"), ".\r\n")
        elif selector == b"/about.txt" or selector.startswith(b"/maps/"):
            self.say("+-1\r\n" if more else "", TEXT, ".\r\n")
        elif selector == b"/room.png":
            self.say(PICTURE)
        elif selector == b"/hours.html":
            self.say(PAGE)
        elif selector == b"/catalogue.bin":
            self.say(BINARY)
        elif selector == b"/long.txt":
            self.say(b"A line of a long text, which goes on.\r\n" * 100_000, ".\r\n")
        else:
            self.say(item("3", "There is no such item"), ".\r\n")

    def answers(self):
        self.line()
        while (line := self.line()) not in (b".", b""):
            yield line


class Ftp(Handler):
    FILES = {"readme.txt": TEXT, "catalogue.bin": BINARY, "<script>alert(1)<": b"x"}

    def handle(self):
        self.say("220 The library\r\n")
        data = None
        while line := self.line():
            verb, _, argument = line.decode("latin-1").partition(" ")
            if verb in ("EPSV", "PASV"):
                data = socket.create_server(("127.0.0.1", 0))
                port = data.getsockname()[1]
                self.say(f"229 go (|||{port}|)\r\n" if verb == "EPSV" else f"227 go (127,0,0,1,{port // 256},{port % 256})\r\n")
            elif verb in ("MLSD", "RETR"):
                if verb == "RETR" and argument not in self.FILES:
                    self.say("550 no such file\r\n")
                    continue
                self.say("150 go\r\n")
                peer, _ = data.accept()
                if verb == "MLSD":
                    peer.sendall(b"type=dir;modify=20260301120000; maps\r\n")
                    for name, octets in self.FILES.items():
                        peer.sendall(f"type=file;size={len(octets)};modify=20261103101500; {name}\r\n".encode())
                else:
                    peer.sendall(self.FILES[argument])
                peer.close()
                self.say("226 done\r\n")
            else:
                self.say({
                    "USER": "331 who?\r\n", "PASS": "230 in\r\n", "TYPE": "200 so be it\r\n", "CWD": "250 there\r\n",
                    "FEAT": "211-these\r\n MLST type*;size*;modify*;\r\n EPSV\r\n211 end\r\n", "QUIT": "221 bye\r\n",
                }.get(verb, "502 what?\r\n"))  # fmt: skip
            if verb == "QUIT":
                return


class News(Handler):
    HEADERS = [
        (1, "Where did the maps go?", "=?utf-8?q?J=C3=B6rg?= <joerg@one.example>", "<1@one.example>", ""),
        (2, "Re: Where did the maps go?", "Ann <ann@two.example>", "<2@two.example>", "<1@one.example>"),
        (3, "=?utf-8?q?Gr=C3=BC=C3=9Fe?= from <script>alert(1)</script>", "Bob <bob@x.example>", "<3@x.example>", ""),
        (4, "Re: Where did the maps go?", "Cyd <cyd@y.example>", "<4@y.example>", "<1@one.example> <2@two.example>"),
    ]
    DATE = "Tue, 03 Nov 2026 10:15:00 +0000"

    def article(self, row):
        number, subject, author, ident, references = row
        head = f"From: {author}\r\nNewsgroups: local.maps\r\nSubject: {subject}\r\nDate: {self.DATE}\r\nMessage-ID: {ident}\r\n"
        head += f"References: {references}\r\n" if references else ""
        body = "Ann wrote:\r\n> In the cellar, I think.\r\n\r\nThey are at gopher://library.example/1/maps now. <i>Look</i> there.\r\n"
        return head + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + body

    def handle(self):
        self.say("200 hello\r\n")
        while line := self.line():
            verb, _, argument = line.decode().partition(" ")
            verb = verb.upper()
            rows = [row for row in self.HEADERS if argument in (str(row[0]), row[3])]
            if verb == "CAPABILITIES":
                self.say("101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\nLIST ACTIVE NEWSGROUPS OVERVIEW.FMT\r\n.\r\n")
            elif verb == "GROUP":
                self.say("211 4 1 4 local.maps\r\n" if argument == "local.maps" else "411 no such group\r\n")
            elif verb in ("OVER", "XOVER"):
                self.say("224 these\r\n")
                for number, subject, author, ident, references in self.HEADERS:
                    self.say(f"{number}\t{subject}\t{author}\t{self.DATE}\t{ident}\t{references}\t600\t4\r\n")
                self.say(".\r\n")
            elif verb == "ARTICLE" and rows:
                self.say(f"220 {rows[0][0]} {rows[0][3]}\r\n", self.article(rows[0]), ".\r\n")
            elif verb == "ARTICLE":
                self.say("430 no such article\r\n")
            elif verb == "LIST":
                self.say("215 these\r\nlocal.maps 4 1 y\r\nlocal.tea 0 1 y\r\n.\r\n" if "NEWS" not in argument.upper() else
                         "215 these\r\nlocal.maps\tMaps, and where they are\r\nlocal.tea\tTea\r\n.\r\n")  # fmt: skip
            elif verb == "QUIT":
                return self.say("205 bye\r\n")
            else:
                self.say("500 what?\r\n")


class Web(Handler):
    def handle(self):
        path = self.line().split(b" ")[1]
        while self.line():
            pass
        kind, body = (b"text/plain; charset=utf-8", TEXT) if path == b"/text" else (b"text/html", PAGE)
        if path == b"/away":
            return self.say("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n")
        self.say(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, len(body)), body)


def free_port(kind):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def recorded(name, kind):
    """One of the servers of examples/, and its port."""
    port = free_port(kind)
    server = subprocess.Popen([sys.executable, ROOT / "examples" / f"{name}.py", str(port)], stderr=subprocess.DEVNULL)
    return server, port


if __name__ == "__main__":
    servers = {name: Server(handler).port for name, handler in
               {"gopher": Gopher, "ftp": Ftp, "news": News, "http": Web}.items()}  # fmt: skip
    servers["wais"] = recorded("wais", socket.SOCK_STREAM)[1]
    servers["prospero"] = recorded("prospero", socket.SOCK_DGRAM)[1]
    print(" ".join(f"{name}={port}" for name, port in servers.items()), flush=True)
    threading.Event().wait()
