"""The servers that are read, and the gateway through which they are."""

import abc
import os
import socket
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path
from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]


class Servers:
    """The real servers of `examples/servers.rs`, and those of `examples/`, which play what old ones said."""

    def __init__(self, program: Path, content: Path) -> None:
        self.urls: dict[str, str] = {}
        # In a session of its own: what ends this process group, such as Ctrl-C or `timeout`, would end the program before it could end
        # its servers. It ends with its standard input, however this process ends.
        first = subprocess.Popen([program, content], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.children = [first]
        for line in lines(self.children[0]):
            if line == "ready":
                break
            name, url = line.split(" ")
            self.urls[name] = url
        for name, kind in (("wais", socket.SOCK_STREAM), ("prospero", socket.SOCK_DGRAM)):
            port = free_port(kind)
            self.children.append(subprocess.Popen([sys.executable, ROOT / f"examples/{name}.py", str(port)], text=True))
            self.urls[name] = f"{name}://127.0.0.1:{port}/"
        wait_for(self.urls["wais"])

    def end(self) -> None:
        first, *rest = self.children
        first.communicate()  # they end with its standard input
        for child in rest:
            child.terminate()
            child.wait()


class Gateway:
    """`urlwise serve`."""

    def __init__(self, program: Path, news: str, *more: str) -> None:
        # It is told to open servers of this machine, which pages may not ask for otherwise.
        options = ["--no-browser", "--files", "--allow", "local-from-public", "--news-server", news, *more]
        # Programs of this person do not find it.
        environment = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "XDG_RUNTIME_DIR": "", "TMPDIR": "/nonexistent"}
        self.process = subprocess.Popen([program, "serve", *options], stdout=subprocess.PIPE, text=True, env=environment)
        self.start = next(lines(self.process))
        self.base = self.start.split("/start/")[0]

    def page(self, path: str, url: str) -> str:
        return f"{self.base}{path}?url={urllib.parse.quote(url, safe='')}"

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate()


class Answering(abc.ABC):
    """A server of our own, which answers one connection after another."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                stream, _ = self.listener.accept()
            except OSError:
                return
            with stream:
                self.answer(stream)

    @abc.abstractmethod
    def answer(self, stream: socket.socket) -> None:
        """Reads what one client asks, and answers it."""

    def end(self) -> None:
        self.listener.close()


class Endless(Answering):
    """A gopher menu that never ends: an entry each tenth of a second, and whether its reader has gone."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        super().__init__()
        self.url = f"gopher://{self.address}/1/endless"

    def answer(self, stream: socket.socket) -> None:
        stream.recv(1000)
        self.gone.clear()
        number = 0
        try:
            while not self.gone.wait(0.1):
                number += 1
                stream.sendall(b"0Entry %d\t/%d\tlibrary.example\t70\r\n" % (number, number))
        except OSError:
            self.gone.set()


class Asking(Answering):
    """A Gopher+ item with a form, which answers it with these octets and counts how often."""

    def __init__(self, octets: bytes) -> None:
        self.octets, self.count = octets, 0
        super().__init__()
        self.url = f"gopher://{self.address}/I/room%09%09?"

    def answer(self, stream: socket.socket) -> None:
        with stream.makefile("rb") as asked:
            if not asked.readline().endswith(b"\t1\r\n"):
                stream.sendall(b"+-1\r\n+INFO: IRoom\t/room\t127.0.0.1\t70\t?\r\n+ASK:\r\n Ask: Which?\r\n.\r\n")
                return
            while asked.readline() not in (b".\r\n", b""):
                pass
            self.count += 1
            stream.sendall(b"+-2\r\n" + self.octets)


def lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """The lines that a program prints."""
    output = process.stdout
    assert output is not None
    return (line.rstrip("\n") for line in iter(output.readline, ""))


def free_port(kind: int) -> int:
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(url: str) -> None:
    parts = urllib.parse.urlsplit(url)
    for _ in range(200):
        try:
            socket.create_connection((parts.hostname, parts.port)).close()
            return
        except OSError:
            threading.Event().wait(0.05)
    raise RuntimeError(f"nothing listens at {url}")
