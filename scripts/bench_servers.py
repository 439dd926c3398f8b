"""What the benches with servers share: installing, starting, and measuring."""

import contextlib
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

NGINX = """daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.err;
events {{ worker_connections 512; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000; default_type application/octet-stream;
  client_body_temp_path {work}/b; proxy_temp_path {work}/p; fastcgi_temp_path {work}/f;
  uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;
  server {{ listen {address}:{port}; root {root}; }}
}}
"""


# Runs where nothing else wants to, until its parent has ended.
SPIN = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1000000): pass
"""


@contextlib.contextmanager
def awake():
    """Keeps every core awake, on Linux.

    A client that waits for each answer lets its core and the server's fall asleep. Waking them takes longer than the answer, costs every
    client the same, and is counted as its processor time: it would hide what they differ in. A server in use is awake.
    """
    cores = os.sched_getaffinity(0) if hasattr(os, "SCHED_IDLE") else []
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN, str(core)]) for core in cores]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()


def has(tool):
    return shutil.which(tool, path=os.environ["PATH"] + ":/usr/local/sbin:/usr/sbin:/sbin")


def install(packages):
    """Installs the Debian packages of tools that are missing; returns what still is."""
    missing = [package for tool, package in packages.items() if not has(tool)]
    if missing and os.geteuid() == 0 and has("apt-get"):
        # A package must not start its service: Debian asks this file before it does.
        policy = pathlib.Path("/usr/sbin/policy-rc.d")
        own = not policy.exists()
        if own:
            policy.write_text("#!/bin/sh\nexit 101\n")
            policy.chmod(0o755)
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        command = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends", *missing]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
        if subprocess.run(command, **quiet).returncode != 0:
            subprocess.run(["apt-get", "update"], **quiet)
            subprocess.run(command, **quiet)
        if own:
            policy.unlink()
    return [tool for tool in packages if not has(tool)]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


LOOPBACK = "127.0.0.1"


@contextlib.contextmanager
def device(rate):
    """Two network devices that are connected, the far one in a namespace of its own, which sends no faster than `rate` (`1gbit`; `None`
    for no limit). Gives the far address and the command that runs a server there. Needs root on Linux.

    Loopback has packets of 64 KiB and hands them over at once. These have packets of 1500 octets and a queue.
    """
    space, near, far = (f"uw-{os.getpid()}-{end}" for end in ("s", "n", "f"))
    if os.geteuid() != 0 or not has("ip") or not has("tc"):
        sys.exit("network devices need root, and ip and tc of the package iproute2")
    within = [has("ip"), "netns", "exec", space]
    commands = [
        ["ip", "netns", "add", space],
        ["ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", space],
        ["ip", "address", "add", "198.51.100.1/24", "dev", near],
        ["ip", "link", "set", near, "up"],
        [*within, "ip", "address", "add", "198.51.100.2/24", "dev", far],
        [*within, "ip", "link", "set", far, "up"],
        [*within, "ip", "link", "set", "lo", "up"],
    ]
    if rate:
        commands.append([*within, "tc", "qdisc", "add", "dev", far, "root", "tbf", "rate", rate, "burst", "256k", "latency", "20ms"])
    try:
        for command in commands:
            subprocess.run([has(command[0]), *command[1:]], check=True)
        yield "198.51.100.2", within
    finally:
        # With one device the other goes, too.
        subprocess.run([has("ip"), "link", "delete", near])
        subprocess.run([has("ip"), "netns", "delete", space])


def start(command, port, log, address=LOOPBACK):
    """Starts a server and waits until it listens."""
    server = subprocess.Popen(command, stdout=log, stderr=log)
    for _ in range(100):
        try:
            socket.create_connection((address, port), 1).close()
            return server
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.05)
    server.kill()
    sys.exit(f"{command[0]} does not start; see {log.name}")


def build():
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "urlwise-cli"], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return str(ROOT / target / "release" / "urlwise")


def measure(client, command, folder):
    """Wall seconds, processor seconds, and the most memory in MB, of a command run in an empty folder."""
    # A process counts what its parent held when it forked as its own memory, and this one holds more than any client.
    figures = folder.with_name("figures.txt")
    watched = [has("time"), "--quiet", "-f", "%M", "-o", str(figures), *command]
    # The processor time of the client and of that program, which counts its own in hundredths of a second.
    spent = processor_time()
    begun = time.monotonic()
    status = subprocess.run(watched, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
    wall = time.monotonic() - begun
    if status != 0:
        print(f"{client} ended with status {status}: {command}", file=sys.stderr)
        sys.exit(2)
    return wall, processor_time() - spent, float(figures.read_text()) / 1024


def processor_time():
    """Of all that has ended, in seconds."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime
