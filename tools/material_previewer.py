#!/usr/bin/env python3
"""Shows a project's materials in the engine: an example of a tool; docs/tools.md explains it.

    material_previewer.py PROJECT                                       # `help` lists what to type
    material_previewer.py PROJECT --material materials/wood --screenshot wood.png

The engine runs core/tools/material_preview_slave.lua, which does what this sends.
"""

import argparse
import itertools
import json
import os
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

HELP = """list                              the project's materials
show NAME                         show a material
shape sphere|cube|plane           what to show it on
camera YAW PITCH [DISTANCE]       look from there (radians, metres)
light YAW PITCH [INTENSITY]       light from there
set PARAMETER NUMBER...           set a parameter, as: set roughness 0.2
shot FILE                         write the picture as PNG
lua TEXT                          run Lua in the engine
quit"""


class Engine:
    """A running engine: starts it, sends messages, waits for answers."""

    def __init__(self, cuttle, project, options):
        command = [cuttle, "run", project, "--boot", "core/tools/material_preview_slave", *options]
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        self.last_id = 0
        while not (port := re.search(r"listening on 127\.0\.0\.1:(\d+)\s", self.read_log())):
            if self.process.poll() is not None:
                sys.exit("the engine did not start:\n" + self.read_log())
            time.sleep(0.05)
        self.socket = socket.create_connection(("127.0.0.1", int(port[1])))

    def read_log(self):
        self.log.seek(0)
        return self.log.read()

    def receive_bytes(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                sys.exit("the engine has ended:\n" + self.read_log())
            data += part
        return data

    def receive(self):
        """The next message, with its binary when it has one; what the engine logs is printed."""
        kind, length = struct.unpack(">II", self.receive_bytes(8))
        message = json.loads(self.receive_bytes(length))
        if kind == 1:
            message["binary"] = self.receive_bytes(message["binary_size"])
        if message["type"] == "message":
            print(f"[{message['system']}] {message['message']}", file=sys.stderr)
        return message

    def ask(self, **message):
        """Sends a message and returns its answer; an error is a RuntimeError."""
        self.last_id += 1
        data = json.dumps({**message, "id": self.last_id}).encode()
        self.socket.sendall(struct.pack(">II", 0, len(data)) + data)
        while (answer := self.receive()).get("id") != self.last_id:
            pass
        if "error" in answer or answer["type"] == "error":
            raise RuntimeError(answer.get("error") or answer["message"])
        return answer

    def save_picture(self, path):
        picture = self.ask(type="command", command="screenshot")["binary"]
        with open(path, "wb") as file:
            file.write(picture)

    def quit(self):
        return self.ask(type="command", command="quit") and self.process.wait()


def materials(project):
    """Their names, from the sources: what tools read is text, never compiled data."""
    found = []
    for folder, folders, files in os.walk(project):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [os.path.relpath(os.path.join(folder, name), project)[:-len(".material")]
                  for name in files if name.endswith(".material")]
    return sorted(found)


def run_line(engine, project, line):
    """Does what one typed line says; returns what to print."""
    word, *rest = shlex.split(line)
    names = {"show": ["material"], "shape": ["shape"], "camera": ["yaw", "pitch", "distance"],
             "light": ["yaw", "pitch", "intensity"]}
    if word == "list":
        return "\n".join(materials(project))
    if word == "shot":
        engine.save_picture(rest[0])
        return f"wrote {rest[0]}"
    if word == "lua":
        return engine.ask(type="script", script=line.split(None, 1)[1])["result"]
    if word == "set":
        message = {"name": rest[0], "value": [float(number) for number in rest[1:]]}
    elif word in names:
        message = dict(zip(names[word], rest))
    else:
        return HELP
    answer = engine.ask(type=word, **message)
    return answer.get("result") or {k: v for k, v in answer.items() if k not in ("id", "type")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project")
    parser.add_argument("--material", help="show this one first")
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture and end")
    parser.add_argument("--do", metavar="LINE", action="append", default=[], help="as if typed")
    parser.add_argument("--cuttle", default=os.environ.get("CUTTLE") or shutil.which("cuttle"))
    options, engine_options = parser.parse_known_args()  # --size 512x512, --headless, …
    if not options.cuttle:
        sys.exit("where is cuttle? give --cuttle FILE, or set CUTTLE")
    engine = Engine(options.cuttle, options.project, engine_options +
                    (["--headless"] if options.screenshot else []))
    lines = ([f"show {options.material}"] if options.material else []) + options.do
    lines += [f"shot {shlex.quote(options.screenshot)}"] if options.screenshot else []
    has_failed = False
    typed = [] if options.screenshot else itertools.takewhile(lambda l: l != "quit\n", sys.stdin)
    for line in itertools.chain(lines, typed):
        try:
            print(run_line(engine, options.project, line) if line.strip() else "", flush=True)
        except (RuntimeError, ValueError, IndexError, OSError) as error:
            has_failed = True
            print(f"error: {error}", file=sys.stderr)
    sys.exit(engine.quit() or (1 if has_failed and options.screenshot else 0))


if __name__ == "__main__":
    main()
