"""Measures `parse` beside other parsers, and `columns` on one thread.

    pip install ./python ada-url can_ada pyarrow yarl
    python python/benches/bench.py

URLs are the real ones of the program's bench that every parser accepts, in an order that is always the same. Each round runs every
parser once on all of them; shown are medians of a call's processor time, and ours divided by the rival's within a round, so that a busy
machine slows both.
`columns` is measured on a million of them, in millions of URLs a second, and beside pyarrow's own regular expression for the host.
"""

import argparse
import importlib
import pathlib
import random
import statistics
import time
import urllib.parse

import pyarrow as pa
import pyarrow.compute as pc
import urlwise

SETS = pathlib.Path(__file__).resolve().parent.parent.parent / "crates/urlwise-bench/sets"
ROWS = 1_000_000
# What a call may cost, in microseconds, and the least of `columns`, in millions a second.
PARSE_BAR, COLUMNS_BAR = 1.0, 5.0
CHOICES = [["host"], ["scheme", "host", "port"], ["scheme", "user", "host", "port", "path", "query", "fragment", "valid", "problem"]]


def parsers():
    yield "urlwise.parse", urlwise.parse
    # urlsplit keeps the last results in a cache, which a list of different URLs does not use.
    urlsplit = getattr(urllib.parse.urlsplit, "__wrapped__", urllib.parse.urlsplit)
    yield "urlsplit", urlsplit
    yield "urlsplit, host, port", lambda url: (parts := urlsplit(url), parts.hostname, parts.port)
    for module, name in [("yarl", "URL"), ("ada_url", "URL"), ("can_ada", "parse")]:
        try:
            parser = getattr(importlib.import_module(module), name)
        except ImportError:
            print(f"{module} is not installed")
            continue
        yield f"{module}.{name}", getattr(parser, "__wrapped__", parser)


def accepts(parser, url):
    try:
        parser(url)
    except ValueError:
        return False
    return True


def seconds(run):
    """Processor seconds: all that is measured runs on one thread."""
    start = time.process_time()
    run()
    return time.process_time() - start


def bench_parse(urls, rounds):
    table = {}
    for _ in range(rounds):
        for name, parser in parsers():
            table.setdefault(name, []).append(seconds(lambda: [parser(url) for url in urls]) / len(urls) * 1e6)
    ours = table["urlwise.parse"]
    for name, times in table.items():
        ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, times))
        print(f"{name:24} {statistics.median(times):7.3f} us a call, ours / theirs {ratio:5.2f}")
    return min(ours)


def bench_columns(urls, rounds):
    array = pa.array([urls[index % len(urls)] for index in range(ROWS)])
    speeds = {}
    for _ in range(rounds):
        for names in CHOICES:
            speeds.setdefault(", ".join(names), []).append(ROWS / seconds(lambda: urlwise.columns(array, names)) / 1e6)
        run = lambda: pc.extract_regex(array, r"^(?P<scheme>[a-z+.-]+)://(?:[^/?#]*@)?(?P<host>[^/?#:]+)(?::(?P<port>\d+))?")
        speeds.setdefault("pyarrow.compute.extract_regex, scheme, host, port", []).append(ROWS / seconds(run) / 1e6)
    for names, values in speeds.items():
        print(f"{statistics.median(values):7.2f} million a second: {names}")
    return max(speeds["scheme, host, port"])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=7)
    rounds = options.parse_args().rounds
    lines = sorted({line for file in sorted((SETS / "real").glob("*.txt")) for line in file.read_text().splitlines() if line})
    urls = [line for line in lines if all(accepts(parser, line) for _, parser in parsers())]
    random.Random(1738).shuffle(urls)
    print(f"{len(urls)} URLs of {sum(map(len, urls)) / len(urls):.0f} characters on average")
    call, speed = bench_parse(urls, rounds), bench_columns(urls, rounds)
    if call > PARSE_BAR or speed < COLUMNS_BAR:
        raise SystemExit(f"above the bar of {PARSE_BAR} us for parse, or below that of {COLUMNS_BAR} million a second for columns")


if __name__ == "__main__":
    main()
