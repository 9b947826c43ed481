#!/usr/bin/env python3
"""Controls the particle editor's engine half: an example for writers of tools.

    cuttle run PROJECT --boot core/tools/particle_slave                 # in one terminal
    particle_client.py show effect=fx/fire                              # in another
    particle_client.py set name=strength value=2
    particle_client.py pause  seek time=1.5  screenshot file=fire.png

Each word without "=" begins a message; docs/particles.md lists them. What comes back is the state,
which is printed. `screenshot file=NAME` writes a picture, `wait seconds=S` waits, `lua text=CODE` runs
Lua in the engine.
"""

import argparse
import json
import socket
import struct
import sys
import time


class ParticleClient:
    """A connection to an engine that runs core/tools/particle_slave.lua."""

    def __init__(self, port=64000):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.last_id = 0
        self.heard = []  # messages that are no answers: the log, states that were subscribed to

    def close(self):
        self.socket.close()

    def receive_bytes(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the engine closed the connection")
            data += part
        return data

    def receive(self):
        """The next message. One with binary data, such as a picture, has it as "binary"."""
        kind, length = struct.unpack(">II", self.receive_bytes(8))
        message = json.loads(self.receive_bytes(length))
        if kind == 1:
            message["binary"] = self.receive_bytes(message["binary_size"])
        return message

    def ask(self, type, **members):
        """Sends a message and returns its answer; raises RuntimeError when that is an error."""
        self.last_id += 1
        text = json.dumps({"type": type, "id": self.last_id, **members}).encode()
        self.socket.sendall(struct.pack(">II", 0, len(text)) + text)
        while (answer := self.receive()).get("id") != self.last_id:
            self.heard.append(answer)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def show(self, effect, seconds=0):
        return self.ask("show", effect=effect, time=seconds)

    def seek(self, seconds):
        return self.ask("seek", time=seconds)

    def set(self, name, value):
        """Sets a variable of the effect to a number or a list of two to four."""
        return self.ask("set", name=name, value=value)

    def state(self):
        return self.ask("state")

    def save_picture(self, path):
        """Writes the next frame as PNG."""
        picture = self.ask("command", command="screenshot")["binary"]
        with open(path, "wb") as file:
            file.write(picture)
        return {"file": path}

    def send_words(self, type, members):
        """Does what a word of the command line says, and returns what to print."""
        if type == "screenshot":
            return self.save_picture(members["file"])
        if type == "wait":
            time.sleep(members["seconds"])
            return self.state()
        if type == "lua":
            return self.ask("script", script=members["text"])
        return self.ask(type, **members)


def value_of(text):
    """A number, true, false or an array where the text is one in JSON; otherwise the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def messages_of(words):
    """[(type, members)] of words such as: seek time=1.5."""
    messages = []
    for word in words:
        name, has_value, value = word.partition("=")
        if not has_value:
            messages.append((name, {}))
        elif messages:
            messages[-1][1][name] = value_of(value)
        else:
            raise ValueError(f"\"{word}\" has no message before it; write for example: seek {word}")
    return messages


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=64000, help="the engine's port (64000)")
    parser.add_argument("word", nargs="*", default=["state"], help="messages and their members")
    options = parser.parse_args()
    try:
        client = ParticleClient(options.port)
        for type, members in messages_of(options.word):
            answer = client.send_words(type, members)
            print(json.dumps({key: answer[key] for key in answer if key not in ("id", "type")}))
    except KeyError as error:
        sys.exit(f"error: `{type}` needs {error.args[0]}=…")
    except (RuntimeError, ValueError, TypeError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
