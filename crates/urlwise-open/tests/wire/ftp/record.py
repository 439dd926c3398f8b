"""Records FTP dialogues as README.md says: record.py NAME=PORT...

It speaks for itself: nothing of the project is asked what it would send.
"""

import re
import socket
import sys

ANONYMOUS = [b"USER anonymous", b"PASS urlwise@example.com"]
USER = [b"USER urluser", b"PASS s3cret"]
DIALOGUES = {
    "text": ANONYMOUS + [b"CWD pub", b"TYPE A", b"EPSV", b"RETR lf.txt"],
    "image": ANONYMOUS + [b"CWD pub", b"TYPE I", b"EPSV", b"RETR caf\xe9.txt"],
    "iac": ANONYMOUS + [b"CWD pub", b"TYPE I", b"EPSV", b"RETR ff\xff.bin"],
    "user": USER + [b"CWD etc", b"TYPE I", b"EPSV", b"RETR motd"],
    "pasv": ANONYMOUS + [b"CWD pub", b"TYPE I", b"PASV", b"RETR -l"],
    "nlst": ANONYMOUS + [b"EPSV", b"NLST sub dir"],
    "nlst-here": ANONYMOUS + [b"CWD list", b"EPSV", b"NLST"],
    "mlsd": ANONYMOUS + [b"CWD pub", b"FEAT", b"EPSV", b"MLSD"],
    "null-cwd": ANONYMOUS + [b"CWD ", b"CWD pub", b"TYPE I", b"EPSV", b"RETR lf.txt"],
    "missing": ANONYMOUS + [b"CWD pub", b"TYPE I", b"EPSV", b"RETR none", b"CWD none"],
    "directory": ANONYMOUS + [b"TYPE I", b"EPSV", b"RETR pub", b"CWD pub"],
    "facts": ANONYMOUS + [b"CWD pub", b"TYPE I", b"SIZE lf.txt", b"MDTM lf.txt"],
    "rest": ANONYMOUS + [b"CWD pub", b"TYPE I", b"SIZE lf.txt", b"MDTM lf.txt", b"EPSV", b"REST 6", b"RETR lf.txt"],
    "login": [b"USER urluser", b"PASS wrong"],
}


def escaped(octets):
    names = {10: r"\n", 13: r"\r", 9: r"\t", 92: r"\\"}
    return "".join(names.get(o) or (chr(o) if 32 <= o < 127 else r"\x%02x" % o) for o in octets)


class Recorder:
    def __init__(self, name, port):
        self.file = open(name + ".txt", "w", encoding="ascii")
        self.control = socket.create_connection(("127.0.0.1", port))
        self.replies = self.control.makefile("rb")

    def write(self, mark, octets):
        for line in octets.splitlines(keepends=True):
            self.file.write(mark + " " + escaped(line) + "\n")

    def reply(self):
        first = line = self.replies.readline()
        self.saw_mlst = False
        self.write("<", line)
        while first[3:4] == b"-" and not line.startswith(first[:3] + b" "):
            line = self.replies.readline()
            self.saw_mlst |= line.startswith(b" MLST")
            self.write("<", line)
        return line

    def hold(self, commands):
        self.reply()
        data = None
        line = b""
        for command in commands:
            if command.startswith(b"PASS") and line.startswith(b"230"):
                continue  # logged in without one
            if command == b"MLSD" and not self.lists_facts:
                command = b"NLST"
            self.write(">", command + b"\r\n")
            self.control.sendall(command + b"\r\n")
            line = self.reply()
            if command == b"FEAT":
                self.lists_facts = self.saw_mlst
            if line.startswith(b"229"):
                data = socket.create_connection(("127.0.0.1", int(re.search(rb"\|(\d+)\|\)", line)[1])))
            elif line.startswith(b"227"):
                high, low = line[: line.rindex(b")")].split(b",")[4:]
                data = socket.create_connection(("127.0.0.1", int(high) * 256 + int(low)))
            elif line.startswith(b"1"):
                for line in data.makefile("rb"):
                    self.write("=", line)
                self.reply()
            elif line[:1] in b"45":
                if command.startswith(b"CWD"):
                    break
        self.file.close()


for argument in sys.argv[1:]:
    server, port = argument.split("=")
    for name, commands in DIALOGUES.items():
        Recorder(server + "-" + name, int(port)).hold(commands)
