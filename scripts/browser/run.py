#!/usr/bin/env python3
"""Reads every scheme through `urlwise serve` with a real browser: run.py PROGRAM [--pictures FOLDER].

Chromium is driven by chromedriver (WebDriver, plain HTTP and JSON). Each page is looked at in two widths: what it says, that the browser
reports no violation of a policy and asks nobody but the gateway, and that everything that can be used has a name. Forms are filled in,
a download is compared octet for octet, and a long menu is read by a hundred readers at once. With --pictures it also takes pictures.

Exit status: 0 if all holds, 1 if something does not, 77 without chromium, chromedriver or python.
"""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import servers  # noqa: E402

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars --force-device-scale-factor=1""".split()
WIDTHS = (360, 1280)
PROGRAM, PICTURES = None, None


class Browser:
    """One session of WebDriver."""

    def __init__(self, folder):
        port = servers.free_port(socket.SOCK_STREAM)
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        options = {
            "args": [*FLAGS, f"--user-data-dir={folder}/profile"],
            "prefs": {"download.default_directory": str(folder), "download.prompt_for_download": False},
        }
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        for attempt in range(100):
            try:
                self.session = self.ask("/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                break
            except OSError:
                time.sleep(0.1)
        self.base += f"/session/{self.session}"

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)["value"]

    def go(self, url):
        self.ask("/url", {"url": url})

    def run(self, script):
        return self.ask("/execute/sync", {"script": script, "args": []})

    def devtools(self, command, **params):
        return self.ask("/goog/cdp/execute", {"cmd": command, "params": params})

    def width(self, width, height=900):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def log(self, kind):
        return self.ask("/se/log", {"type": kind})

    def click(self, selector):
        found = self.ask("/element", {"using": "css selector", "value": selector})
        self.ask(f"/element/{next(iter(found.values()))}/click", {})

    def type(self, selector, text):
        found = self.ask("/element", {"using": "css selector", "value": selector})
        self.ask(f"/element/{next(iter(found.values()))}/value", {"text": text})

    def text(self):
        return self.run("return document.body.innerText")

    def picture(self, name):
        if PICTURES:
            octets = self.devtools("Page.captureScreenshot", format="png")["data"]
            (PICTURES / name).write_bytes(base64.b64decode(octets))

    def end(self):
        try:
            self.ask("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="urlwise-browser-"))
        cls.hosts = {"gopher": servers.Server(servers.Gopher), "ftp": servers.Server(servers.Ftp)}
        cls.hosts |= {"nntp": servers.Server(servers.News), "http": servers.Server(servers.Web)}
        cls.ports = {name: host.port for name, host in cls.hosts.items()}
        wais, cls.ports["wais"] = servers.recorded("wais", socket.SOCK_STREAM)
        prospero, cls.ports["prospero"] = servers.recorded("prospero", socket.SOCK_DGRAM)
        # What no page may ask for is asked for here, on the port that hostile pages name.
        options = ["--allow", "local-from-public", "--news-server", f"127.0.0.1:{cls.ports['nntp']}", "--no-browser", "--files"]
        environment = dict(os.environ, XDG_CONFIG_HOME="/nonexistent")
        cls.gateway = subprocess.Popen([PROGRAM, "serve", *options], stdout=subprocess.PIPE, text=True, env=environment)
        cls.start = cls.gateway.stdout.readline().strip()
        cls.base = cls.start.split("/start/")[0]
        cls.children = [wais, prospero, cls.gateway]
        cls.browser = Browser(cls.folder)
        cls.browser.go(cls.start)

    @classmethod
    def tearDownClass(cls):
        cls.browser.end()
        for child in cls.children:
            child.terminate()
            child.wait()
        cls.gateway.stdout.close()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def url(self, scheme, rest):
        return f"{scheme}://127.0.0.1:{self.ports[scheme]}/{rest}"

    def path(self, path, url):
        return f"{self.base}{path}?url={urllib.parse.quote(url, safe='')}"

    def open(self, url):
        self.browser.go(self.path("/open", url))

    def pages(self):
        """The pages that are looked at: a name, the URL, and what must be said."""
        return [
            ("gopher-menu", self.url("gopher", ""), "Search the catalogue"),
            ("gopher-text", self.url("gopher", "0/about.txt"), "It keeps what was worth keeping"),
            ("gopher-picture", self.url("gopher", "I/room.png"), "room.png"),
            ("gopher-page", self.url("gopher", "h/hours.html"), "scripts, pictures and links"),
            ("gopher-search", self.url("gopher", "7/find"), "Words to search for"),
            ("gopher-form", self.url("gopher", "1/form%09%09?"), "The library copies maps"),
            ("gopher-plus", self.url("gopher", "0/about.txt%09%09!"), "The librarian"),
            ("ftp-folder", self.url("ftp", ""), "catalogue.bin"),
            ("ftp-text", self.url("ftp", "readme.txt"), "It keeps what was worth keeping"),
            ("news-group", "news:local.maps", "Where did the maps go?"),
            ("news-article", "news:4@y.example", "In the cellar"),
            ("nntp-groups", self.url("nntp", "*"), "Maps, and where they are"),
            ("wais-hits", self.url("wais", "sample?indigo"), "10 entries"),
            ("wais-search", self.url("wais", "sample"), "Words to search for"),
            ("prospero-folder", self.url("prospero", "/pfs"), "demo"),
            ("http-text", self.url("http", "text"), "It keeps what was worth keeping"),
            ("http-page", self.url("http", ""), "scripts, pictures and links"),
            ("mailto", "mailto:joe@h.example?subject=Maps&body=Hello", "Nothing has been sent"),
            ("telnet", "telnet://guest@library.example/", "urlwise get 'telnet://guest@library.example/'"),
            ("file-folder", f"file://{Path(__file__).parent}/", "servers.py"),
            ("refused", "gopher://h.example:6379/0x", "port-foreign"),
            ("invalid", "ftp://h.example/a b", "ftp://h.example/a%20b"),
        ]

    def look(self, name):
        """What must hold for every page."""
        hosts = {f"127.0.0.1:{port}" for port in re.findall(r":(\d+)", self.browser.run("return document.documentElement.outerHTML.match(/src=.http:..127[^\\/]*/g)+''"))}
        hosts.add(self.base.removeprefix("http://"))
        for entry in self.browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked = urllib.parse.urlsplit(message["params"]["request"]["url"])
                if asked.scheme in ("http", "https", "ws", "wss"):
                    self.assertIn(asked.netloc, hosts, f"{name}: {asked.geturl()}")
        # A hostile page in its frame is expected to try; nothing of ours may.
        ours = [entry["message"] for entry in self.browser.log("browser") if "Content Security Policy" in entry["message"]]
        ours = [message for message in ours if message.startswith(self.base)]
        self.assertEqual(ours, [], name)
        self.assertNotEqual(self.browser.run("return document.title"), "OWNED")
        self.assertEqual(self.browser.run("return document.scripts.length"), 0)
        # Names and roles, as the browser tells them to a screen reader.
        nodes = self.browser.devtools("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in nodes if not node["ignored"]]
        for node in nodes:
            role = node.get("role", {}).get("value")
            if not node["ignored"] and role in ("link", "button", "textbox", "combobox", "checkbox", "image", "Iframe", "columnheader", "heading"):
                self.assertTrue(node.get("name", {}).get("value", "").strip(), f"{name}: a {role} without a name")
        for role in ("main", "banner", "search", "heading"):
            self.assertIn(role, roles, name)
        self.assertEqual(self.browser.run("return document.querySelectorAll('h1').length"), 1, name)
        self.assertEqual(self.browser.run(OVERFLOW), [], f"{name} is wider than the window")
        self.assertEqual(self.browser.run(CONTRAST), [], f"{name} has too little contrast")

    def test_pages_of_every_scheme(self):
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            self.browser.devtools("Emulation.setEmulatedMedia", features=features)
            for width in WIDTHS:
                self.browser.width(width)
                for name, url, said in [("welcome", None, "The ten schemes"), *self.pages()]:
                    with self.subTest(page=name, width=width, scheme=scheme):
                        self.browser.go(self.base + "/") if url is None else self.open(url)
                        self.assertIn(said, self.browser.text())
                        self.look(name)
                        self.browser.picture(f"serve-{name}-{width}-{scheme}.png")
        self.browser.devtools("Emulation.setEmulatedMedia", features=[])

    def test_a_search_is_filled_in(self):
        self.open(self.url("gopher", "7/find"))
        self.browser.type("#words", "old maps & caf\u00e9")
        self.browser.click(".questions button")
        self.assertIn("On old maps & caf\u00e9", self.browser.text())
        self.assertIn("%2509old%2520maps", self.browser.run("return location.href"))

    def test_a_form_is_filled_in(self):
        self.open(self.url("gopher", "1/form%09%09?"))
        self.browser.type("#answer-1", "Ann")
        self.browser.type("#answer-4", "two lines\nof text")
        self.browser.run("document.querySelector('#answer-2').value = 'A3'")
        self.browser.click(".questions button")
        self.assertIn("'Ann', 'A3', '1'", self.browser.text())
        self.assertIn("'two lines', 'of text'", self.browser.text())

    def test_a_download_is_the_document(self):
        for scheme, rest, octets in [("gopher", "9/catalogue.bin", servers.BINARY), ("ftp", "catalogue.bin", servers.BINARY)]:
            file = self.folder / "catalogue.bin"
            file.unlink(missing_ok=True)
            self.open(self.url(scheme, rest))
            self.browser.click("a.button")
            for _ in range(100):
                if file.exists():
                    break
                time.sleep(0.1)
            self.assertEqual(file.read_bytes(), octets, scheme)

    def test_a_picture_is_shown(self):
        self.open(self.url("gopher", "I/room.png"))
        self.assertEqual(self.browser.run("return document.querySelector('main img').naturalWidth"), 160)

    def test_a_page_of_others_does_nothing(self):
        heard = []
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        listener.settimeout(3)
        page = servers.PAGE
        try:
            servers.PAGE = page.replace(b"127.0.0.1:9", b"127.0.0.1:%d" % port)
            self.open(self.url("gopher", "h/hours.html"))
            try:
                heard.append(listener.accept()[0].recv(100))
            except TimeoutError:
                pass
        finally:
            servers.PAGE = page
            listener.close()
        # A browser may connect ahead for a link of that kind; it must not ask for anything.
        self.assertEqual([octets for octets in heard if octets], [])

    def test_another_site_opens_nothing(self):
        asked = self.path("/open", self.url("gopher", "0/about.txt"))
        self.browser.go("data:text/html," + urllib.parse.quote(f'<a id=a href="{asked}">here</a>'))
        self.browser.click("#a")
        self.assertIn("Nothing has been opened yet", self.browser.text())
        self.browser.click(".choice a")
        self.assertIn("It keeps what was worth keeping", self.browser.text())

    def test_a_browser_that_stops_ends_the_dialogue(self):
        self.browser.devtools("Page.navigate", url=self.path("/open", self.url("gopher", "1/slow")))
        time.sleep(1)
        self.open(self.url("gopher", "0/about.txt"))
        self.assertTrue(self.hosts["gopher"].gone.wait(5))

    def test_a_hundred_readers_of_a_long_menu(self):
        cookies = {cookie["name"]: cookie["value"] for cookie in self.browser.ask("/cookie")}
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        whole = []

        def read():
            request = urllib.request.Request(self.path("/open", self.url("gopher", "1/many")), headers={"Cookie": cookie})
            with urllib.request.urlopen(request, timeout=120) as answer:
                count = 0
                while piece := answer.read(1 << 16):
                    count += piece.count(b'scope="row"')
                whole.append(count)

        threads = [threading.Thread(target=read) for _ in range(100)]
        start = time.monotonic()
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        status = Path(f"/proc/{self.gateway.pid}/status").read_text()
        peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
        print(f"\n100 readers of 10,000 entries: {time.monotonic() - start:.1f} s, {peak / 1024:.1f} MB at most", file=sys.stderr)
        self.assertGreater(sum(count >= 9_990 for count in whole), 99)
        self.assertLess(peak, LARGEST)


# The most memory of the gateway, in KiB. Debug builds have larger stacks.
LARGEST = 40 * 1024

# Elements that reach out of the window, those that scroll by themselves excepted.
OVERFLOW = """
const wide = document.documentElement.clientWidth + 1;
return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > wide)
  .map(e => e.tagName + '.' + e.className).slice(0, 5);"""

# Texts whose contrast with what is behind them is below 4.5 (WCAG AA).
CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgb = color => { canvas.clearRect(0,0,1,1); canvas.fillStyle = color; canvas.fillRect(0,0,1,1);
  return [...canvas.getImageData(0,0,1,1).data]; };
const light = c => { const [r,g,b] = c.slice(0,3).map(v => { v /= 255; return v <= .03928 ? v/12.92 : ((v+.055)/1.055)**2.4; });
  return .2126*r + .7152*g + .0722*b; };
const behind = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; }
  return rgb(getComputedStyle(document.documentElement).backgroundColor); };
const bad = new Set();
for (const e of document.querySelectorAll('body *')) {
  if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())) continue;
  const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))];
  const ratio = (Math.max(a,b)+.05)/(Math.min(a,b)+.05);
  if (ratio < 4.5) bad.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
}
return [...bad].slice(0, 5);"""


if __name__ == "__main__":
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        print("chromium or chromedriver is missing: run scripts/setup", file=sys.stderr)
        sys.exit(77)
    arguments = sys.argv[1:]
    if "--pictures" in arguments:
        at = arguments.index("--pictures")
        PICTURES = Path(arguments[at + 1]).resolve()
        PICTURES.mkdir(parents=True, exist_ok=True)
        del arguments[at : at + 2]
    PROGRAM = str(Path(arguments.pop(0)).resolve())
    unittest.main(argv=[sys.argv[0], *arguments], verbosity=1)
