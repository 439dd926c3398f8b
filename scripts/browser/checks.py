"""What must hold for every page, as lists of what does not."""

import json
import re
import urllib.parse
from pathlib import Path
from typing import Any

from chromium import Browser

# Roles that are announced by their name, which must therefore be there.
NAMED = {
    "RootWebArea", "link", "button", "textbox", "searchbox", "combobox", "checkbox", "image", "Iframe", "heading", "columnheader", "rowheader",
    "navigation", "region", "search",
}  # fmt: skip
LANDMARKS = {"banner", "main", "search"}


def asked(messages: list[dict[str, Any]], origins: set[str]) -> list[str]:
    """Requests of pages to anybody but these origins."""
    urls = [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]
    parts = [(url, urllib.parse.urlsplit(url)) for url in urls]
    return [url for url, part in parts if part.scheme not in ("data", "about") and f"{part.scheme}://{part.netloc}" not in origins]


def accessibility(tree: list[dict[str, Any]], landmarks: set[str] = LANDMARKS) -> list[str]:
    """Controls, headings and landmarks without a name, and landmarks and headings that are missing."""
    roles = [node["role"]["value"] for node in tree]
    wrong = [f"no {role}" for role in sorted(landmarks) if role not in roles]
    wrong += [f"a {role} without a name" for role, node in zip(roles, tree) if role in NAMED and not name(node)]
    levels = [value(node, "level") for node in tree if node["role"]["value"] == "heading"]
    if levels.count(1) != 1:
        wrong.append(f"{levels.count(1)} headings of level 1")
    wrong += [f"a heading of level {level} after {before}" for before, level in zip(levels, levels[1:]) if level > before + 1]
    for role in ("navigation", "region", "search"):
        names = [name(node) for node in tree if node["role"]["value"] == role]
        wrong += [f"two landmarks {role} with the name {each!r}" for each in sorted(set(names)) if names.count(each) > 1]
    return wrong


def name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def value(node: dict[str, Any], key: str) -> Any:
    return next((each["value"]["value"] for each in node.get("properties", []) if each["name"] == key), None)


def width(browser: Browser) -> list[str]:
    """What reaches out of the window, and what holds more than its width, whether that can be scrolled to or not."""
    wide, window, names, boxes = browser.run(OVERFLOW)
    wrong = [f"{name} scrolls sideways: {inner} pixels in {outer}" for name, inner, outer in boxes]
    return wrong + ([f"{wide} pixels wide, the window {window}: {', '.join(names)}"] if wide > window else [])


OVERFLOW = """
const root = document.documentElement, out = e => e.getBoundingClientRect().right > root.clientWidth + 1;
const every = [...document.querySelectorAll('body *')], name = e => e.tagName + '.' + e.className;
// A field scrolls as one types; what only screen readers see is a pixel wide.
const scrolls = e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).overflowX != 'visible'
  && !e.matches('input, textarea, select, iframe');
return [root.scrollWidth, root.clientWidth, every.filter(out).map(name).slice(0, 5),
        every.filter(scrolls).map(e => [name(e), e.scrollWidth, e.clientWidth]).slice(0, 5)];
"""


def words(browser: Browser) -> list[str]:
    """Names of columns, rows and sections that are broken within a word."""
    return [f"{word!r} is broken" for word in browser.run(BROKEN)]


BROKEN = r"""
const range = document.createRange(), broken = [];
for (const e of document.querySelectorAll('h2, dt, thead th, .readings th, .readings .absent, td.kind')) {
  // What only screen readers see is a pixel wide.
  if (!e.checkVisibility() || e.closest('thead')?.clientWidth == 1) continue;
  const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  for (let text; text = walker.nextNode();)
    for (const word of text.data.matchAll(/\p{L}[\p{L}\p{N}]*/gu)) {
      range.setStart(text, word.index), range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
}
return broken.slice(0, 5);
"""


def columns(browser: Browser) -> list[str]:
    """Columns of menus that are shown and say nothing, and those that are hidden and say something."""
    return list(browser.run(COLUMNS))


COLUMNS = """
const wrong = [];
for (const table of document.querySelectorAll('.menu')) {
  const rows = [...table.tBodies[0].rows].filter(row => row.cells.length == table.tHead.rows[0].cells.length);
  [...table.tHead.rows[0].cells].forEach((head, number) => {
    const says = rows.some(row => row.cells[number].textContent.trim());
    if (!rows.length || head.matches('.author, .minor') && innerWidth < 700) return;
    if (says != head.checkVisibility()) wrong.push(`the column ${head.textContent} ${says ? 'is hidden' : 'says nothing'}`);
  });
}
return wrong;
"""


def values(browser: Browser) -> list[str]:
    """Values of the table of readers that do not stand beside their names where a row is a list."""
    return list(browser.run(VALUES))


VALUES = """
return [...document.querySelectorAll('.readings td[data-part] > *')].filter(e => {
  const cell = e.parentElement, style = getComputedStyle(cell);
  const top = cell.getBoundingClientRect().top + parseFloat(style.paddingTop);
  return style.display != 'table-cell' && e.getClientRects()[0].top > top + parseFloat(style.fontSize);
}).map(e => `${e.parentElement.dataset.part} is below its name`).slice(0, 5);
"""


def contrast(browser: Browser) -> list[str]:
    """Texts whose contrast with what is behind them is below 4.5, large ones below 3 (WCAG 2.2, 1.4.3, level AA)."""
    return list(browser.run(CONTRAST))


CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgba = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data]; };
const channel = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] == 255) return c; }
  return [255, 255, 255]; };
const wrong = new Set();
for (const e of document.querySelectorAll('body *')) {
  const isField = e.matches('input:not([type=hidden], [type=checkbox]), textarea, select');
  const hasText = [...e.childNodes].some(n => n.nodeType == Node.TEXT_NODE && n.data.trim());
  if (!e.checkVisibility() || !(hasText || isField)) continue;
  const looks = [getComputedStyle(e)].concat(isField && e.placeholder ? [getComputedStyle(e, '::placeholder')] : []);
  for (const style of looks) {
    const [text, back] = [light(rgba(style.color)), light(behind(e))];
    const ratio = (Math.max(text, back) + .05) / (Math.min(text, back) + .05);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    if (ratio < (isLarge ? 3 : 4.5)) wrong.add(`${e.tagName}.${e.className}: ${style.color} has ${ratio.toFixed(2)}`);
  }
}
return [...wrong].slice(0, 5);
"""


def talk(net_log: Path, ports: set[int]) -> list[str]:
    """Whom the browser as a whole connected to or looked up, other than these ports of this machine."""
    log = json.loads(net_log.read_text())
    kinds = {number: kind for kind, number in log["constants"]["logEventTypes"].items()}
    wrong = set()
    for event in log["events"]:
        kind, params = kinds[event["type"]], event.get("params", {})
        if kind == "TCP_CONNECT_ATTEMPT" and "address" in params and not is_ours(params["address"], ports):
            wrong.add(f"a connection to {params['address']}")
        elif kind == "HOST_RESOLVER_MANAGER_JOB" and "host" in params and not is_its_own(params["host"]):
            wrong.add(f"the address of {params['host']}")
    return sorted(wrong)


# What Chromium asks its maker and its packager for by itself, whatever page is shown; no flag ends all of it.
ITS_OWN = (".google.com", ".googleapis.com", ".gvt1.com", ".duckduckgo.com")


def is_its_own(host: str) -> bool:
    return host.startswith(("http://", "https://")) and host.endswith(ITS_OWN)


def is_ours(address: str, ports: set[int]) -> bool:
    host, port = address.rsplit(":", 1)
    return host in ("127.0.0.1", "[::1]") and int(port) in ports


def framed(html: str) -> set[str]:
    """The origins of the frames of a page."""
    return set(re.findall(r'<iframe[^>]* src="(http://127\.0\.0\.1:\d+)/', html))
