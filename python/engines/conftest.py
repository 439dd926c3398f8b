"""The URLs that every engine reads, and what it has to print about them."""

import collections
import importlib.util
import os
import pathlib
import random
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def make_urls(count):
    """URLs of 50 hosts, good and bad, and nulls; and the hosts of the good ones, counted."""
    chance = random.Random(1738)
    urls, hosts = [], collections.Counter()
    for number in range(count):
        host = f"Host{min(int(chance.expovariate(0.1)), 49)}.example"
        good = [f"https://{host}/a/{number}?q#f", f"http://{host}:8080/{number}", f"ftp://joe@{host}/b/{number}", f"https://{host}"]
        bad = [None, "", "no url", f"http://{host}/a b", f"http://127.0.0.1\\@{host}/", "a\tb\\N", "\\N", "http://h\u00e9/\n"]
        url = chance.choice(chance.choice([good, good, bad]))
        hosts[host.lower()] += url in good
        urls.append(url)
    return urls, hosts


def needs(module, command=None):
    """Skips a test whose engine is not installed, but not in CI."""
    missing = importlib.util.find_spec(module) is None or (command and not shutil.which(command))
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"{module} is not installed")
    if missing:
        pytest.skip(f"{module} is not installed")


@pytest.fixture(scope="session")
def urls():
    return make_urls(20_000)[0]


@pytest.fixture(scope="session")
def top():
    """The lines that every recipe prints."""
    return [f"{host} {count}" for host, count in make_urls(20_000)[1].most_common(3)]


@pytest.fixture(scope="session")
def folder(tmp_path_factory, urls):
    """A folder with urls.parquet, in row groups small enough that engines share them out."""
    folder = tmp_path_factory.mktemp("engines")
    pq.write_table(pa.table({"url": pa.array(urls, pa.string())}), folder / "urls.parquet", row_group_size=5000)
    return folder


@pytest.fixture(scope="session")
def run(folder):
    """Runs Python in a process of its own, in that folder: engines share libraries that do not share a process well."""

    def run(code, **variables):
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, **variables}
        done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run
