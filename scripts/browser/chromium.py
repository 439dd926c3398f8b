"""A headless Chromium, driven by chromedriver: WebDriver is plain HTTP and JSON."""

import base64
import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

# Without these Chromium asks its maker for news of all kinds.
QUIET = """--no-first-run --no-default-browser-check --disable-background-networking --disable-component-update --disable-sync
--disable-default-apps --disable-extensions --disable-domain-reliability --disable-quic --no-pings --metrics-recording-only
--disable-features=OptimizationHints,MediaRouter,AutofillServerCommunication,CertificateTransparencyComponentUpdater""".split()
FLAGS = "--headless --disable-gpu --disable-dev-shm-usage --hide-scrollbars --force-device-scale-factor=1 --lang=en".split()

KEYS = {"Tab": 9, "Enter": 13, "End": 35, "Home": 36}


class Browser:
    """One session, whose downloads and logs go to a folder. One that is not patient does not wait for pages to be whole."""

    def __init__(self, folder: Path, is_patient: bool = True) -> None:
        self.downloads = folder / "downloads"
        self.net_log = folder / "net-log.json"
        args = [*FLAGS, *QUIET, f"--user-data-dir={folder}/profile", f"--log-net-log={self.net_log}"]
        if os.geteuid() == 0:
            args.append("--no-sandbox")  # Chromium's own needs another user
        # Port 0: chromedriver takes a free one, and prints it.
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.driver.stdout is not None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                break
        port = line.rsplit(" ", 1)[1].strip().rstrip(".")
        self.base = f"http://127.0.0.1:{port}/session"
        preferences = {"download.default_directory": str(self.downloads), "download.prompt_for_download": False}
        wanted = {
            "browserName": "chrome",
            "pageLoadStrategy": "normal" if is_patient else "none",
            "goog:chromeOptions": {"args": args, "prefs": preferences},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        session = self.ask("", {"capabilities": {"alwaysMatch": wanted}})
        self.version = int(session["capabilities"]["browserVersion"].split(".")[0])
        self.base += f"/{session['sessionId']}"
        self.colours("light")

    def ask(self, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def devtools(self, command: str, **params: Any) -> Any:
        return self.ask("/goog/cdp/execute", {"cmd": command, "params": params})

    def go(self, url: str) -> None:
        """Opens a page, and waits until all of it is there."""
        self.ask("/url", {"url": url})

    def run(self, script: str) -> Any:
        """What a script returns. It is the driver's, so the page's policy does not hold for it."""
        return self.ask("/execute/sync", {"script": script, "args": []})

    def text(self) -> str:
        # A page that has just begun has no body yet.
        return str(self.run("return document.body?.innerText ?? ''"))

    def address(self) -> str:
        return str(self.ask("/url"))

    def element(self, selector: str) -> str:
        found = self.ask("/element", {"using": "css selector", "value": selector})
        return f"/element/{next(iter(found.values()))}"

    def click(self, selector: str) -> None:
        self.ask(self.element(selector) + "/click", {})

    def type(self, selector: str, text: str) -> None:
        element = self.element(selector)
        self.ask(element + "/clear", {})
        self.ask(element + "/value", {"text": text})

    def press(self, key: str, shift: bool = False) -> None:
        named = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": 8 if shift else 0}
        text = {"text": "\r"} if key == "Enter" else {}
        self.devtools("Input.dispatchKeyEvent", type="keyDown", **named, **text)
        self.devtools("Input.dispatchKeyEvent", type="keyUp", **named)

    def width(self, width: int, height: int = 900) -> None:
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colours(self, scheme: str) -> None:
        """`light` or `dark`. Nothing moves: a click may come at once."""
        wanted = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        self.devtools("Emulation.setEmulatedMedia", features=features)

    def scripts(self, allowed: bool) -> None:
        self.devtools("Emulation.setScriptExecutionDisabled", value=not allowed)

    def messages(self) -> list[dict[str, Any]]:
        """What DevTools said since the last call."""
        return [json.loads(entry["message"])["message"] for entry in self.ask("/se/log", {"type": "performance"})]

    def console(self) -> list[str]:
        """What the console shows since the last call."""
        return [entry["message"] for entry in self.ask("/se/log", {"type": "browser"})]

    def tree(self) -> list[dict[str, Any]]:
        """What a screen reader is told, in its order."""
        nodes = self.devtools("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def picture(self, height: int) -> bytes:
        """A PNG of the page as it is, its upper part."""
        width, full = self.run("return [innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": min(full, height), "scale": 1}
        shot = self.devtools("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def printed(self) -> bytes:
        """The page on paper, as PDF. At times Chromium says that printing failed, and then prints the same page."""
        for _ in range(20):
            try:
                return base64.b64decode(self.devtools("Page.printToPDF")["data"])
            except RuntimeError as error:
                if "Printing failed" not in str(error):
                    raise
            time.sleep(0.1)
        raise RuntimeError("printing fails, again and again")

    def downloaded(self) -> tuple[str, bytes]:
        """The file that a click has begun to download, once it is whole: its name and what it holds."""
        deadline = time.monotonic() + 20
        while not (files := [file for file in self.downloads.glob("[!.]*") if file.suffix != ".crdownload" and file.stat().st_size > 0]):
            assert time.monotonic() < deadline, "nothing is downloaded"
            time.sleep(0.05)
        [file] = files
        octets = file.read_bytes()
        file.unlink()
        return file.name, octets

    def end(self) -> None:
        """Ends the browser; then its log of the network is whole."""
        try:
            self.ask("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()
            assert self.driver.stdout is not None
            self.driver.stdout.close()
