"""What the tests of `cuttle debug` share: a client of the Debug Adapter Protocol that checks each message
against the protocol's schema, and a game that is a script."""

import json
import os
import re
import socket
import struct
import subprocess
import threading
import time

from support_cuttle import CUTTLE, LIMIT

# The protocol's JSON schema (debugAdapterProtocol.json). Without it the tests check the messages they wait
# for only.
SCHEMA = os.environ.get("CUTTLE_DAP_SCHEMA")


class Schema:
    """The part of JSON schema that the protocol's file uses."""

    TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}

    def __init__(self, path):
        with open(path) as file:
            self.definitions = json.load(file)["definitions"]

    def is_type(self, value, name):
        if name == "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        if name == "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        return isinstance(value, self.TYPES[name])

    def errors(self, value, schema, at="message"):
        if "$ref" in schema:
            schema = self.definitions[schema["$ref"].split("/")[-1]]
        found = [e for part in schema.get("allOf", []) for e in self.errors(value, part, at)]
        # `restart` has the only one: a configuration may fit both `launch` and `attach`.
        choices = schema.get("oneOf")
        if choices and all(self.errors(value, choice, at) for choice in choices):
            found.append(f"{at}: none of the choices")
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(self.is_type(value, name) for name in types):
            return found + [f"{at}: {value!r:.100} is not of type {types}"]
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{at}: {value!r} is none of {schema['enum']}")
        if self.is_type(value, "number"):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                found.append(f"{at}: {value} is out of range")
        if isinstance(value, list) and "items" in schema:
            for i, item in enumerate(value):
                found += self.errors(item, schema["items"], f"{at}[{i}]")
        if isinstance(value, dict):
            found += self.member_errors(value, schema, at)
        return found

    def member_errors(self, value, schema, at):
        found = [f"{at} has no {name}" for name in schema.get("required", []) if name not in value]
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        for name, member in value.items():
            if name in known:
                found += self.errors(member, known[name], f"{at}.{name}")
            elif isinstance(others, dict):
                found += self.errors(member, others, f"{at}.{name}")
        return found

    def check(self, message):
        """Raises for a message that is not what the protocol says."""
        kind = message["type"]
        name = message["event" if kind == "event" else "command"]
        title = name[:1].upper() + name[1:] + kind.capitalize()
        if kind == "response" and not message["success"]:
            title = "ErrorResponse"
        if title not in self.definitions:
            raise AssertionError(f"the protocol has no {title}")
        found = self.errors(message, self.definitions[title])
        if found:
            raise AssertionError(f"{title}: " + "; ".join(found) + f"\n{json.dumps(message)[:2000]}")


the_schema = Schema(SCHEMA) if SCHEMA else None


def frame(message):
    text = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(text) + text


class Refused(Exception):
    """A request has failed."""


class DapClient:
    """An editor: of `cuttle debug` as a process, or of one that listens at `port`."""

    def __init__(self, *arguments, port=None, cwd=None, env=None):
        self.process = self.socket = None
        if port is None:
            self.process = subprocess.Popen([CUTTLE, "debug", *map(str, arguments)], cwd=cwd,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
            self.input, self.output = self.process.stdin, self.process.stdout
        else:
            self.socket = socket.create_connection(("127.0.0.1", port))
            self.input = self.output = self.socket.makefile("rwb")
        self.seq = self.last_seq = 0
        self.commands, self.responses, self.events, self.wrong = {}, {}, [], []
        self.all = []  # events in order, for failures
        self.is_ended = False
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()
        if kind is None and self.wrong:
            raise AssertionError(self.wrong[0])

    def close(self):
        try:
            self.input.close()
        except OSError:  # what is left cannot be sent
            pass
        if self.socket:
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            self.socket.close()
        if self.process:
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
            finally:
                self.errors = self.process.stderr.read().decode()
                self.process.stderr.close()
                self.reader.join(timeout=20)
                self.output.close()

    # --- What comes

    def read(self):
        try:
            while (header := self.output.readline()):
                length = int(re.fullmatch(rb"Content-Length: (\d+)\r\n", header)[1])
                assert self.output.readline() == b"\r\n", "a header without an empty line"
                self.take(json.loads(self.output.read(length).decode()))
        except (OSError, ValueError):
            pass
        except Exception as error:  # noqa: BLE001  (shown by the test)
            self.wrong.append(error)
        with self.changed:
            self.is_ended = True
            self.changed.notify_all()

    def take(self, message):
        if the_schema:
            try:
                the_schema.check(message)
            except AssertionError as error:
                self.wrong.append(error)
        with self.changed:
            if message["seq"] <= self.last_seq:
                self.wrong.append(AssertionError(f"seq does not grow: {message}"))
            self.last_seq = message["seq"]
            if message["type"] == "response":
                seq = message["request_seq"]
                if seq in self.responses or self.commands.get(seq, message["command"]) != message["command"]:
                    self.wrong.append(AssertionError(f"a response too many: {message}"))
                self.responses[seq] = message
            else:
                self.events.append(message)
                self.all.append(message)
            self.changed.notify_all()

    def wait(self, find, what, timeout=None):
        end = time.monotonic() + (timeout or LIMIT)
        with self.changed:
            while (found := find()) is None:
                if self.wrong:
                    raise self.wrong[0]
                left = end - time.monotonic()
                if self.is_ended or left <= 0:
                    raise AssertionError(f"no {what}; the session {'has ended' if self.is_ended else 'goes on'}; "
                                         f"the last events: {json.dumps(self.all[-12:], indent=1)}")
                self.changed.wait(min(left, 1))
            return found

    def response(self, seq):
        """The body of the response to a request; Refused with its message when it failed."""
        found = self.wait(lambda: self.responses.get(seq), f"response to {self.commands.get(seq)}")
        if not found["success"]:
            raise Refused(found["message"])
        return found.get("body", {})

    def event(self, name, timeout=None, **members):
        """Takes the first event of a name whose body has these members."""
        def find():
            for i, event in enumerate(self.events):
                body = event.get("body", {})
                if event["event"] == name and all(body.get(k) == v for k, v in members.items()):
                    return self.events.pop(i).get("body", {})
            return None
        return self.wait(find, f"event {name} {members}", timeout)

    def output_with(self, text):
        """Takes the first `output` event with a text."""
        def find():
            for i, event in enumerate(self.events):
                if event["event"] == "output" and text in event["body"]["output"]:
                    return self.events.pop(i)["body"]
            return None
        return self.wait(find, f"output with {text!r}")

    def has_event(self, name, **members):
        with self.changed:
            return any(e["event"] == name and all(e.get("body", {}).get(k) == v for k, v in members.items())
                       for e in self.events)

    def ends(self):
        """Waits for the end of the session; returns the exit status of a process."""
        self.wait(lambda: True if self.is_ended else None, "end")
        return self.process.wait(timeout=20) if self.process else None

    # --- What goes

    def raw(self, data):
        self.input.write(data)
        self.input.flush()

    def send(self, command, arguments=None, check=True):
        """Sends a request and returns its number."""
        self.seq += 1
        message = {"seq": self.seq, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        if the_schema and check:
            the_schema.check(message)
        self.commands[self.seq] = command
        self.raw(frame(message))
        return self.seq

    def request(self, command, **arguments):
        return self.response(self.send(command, arguments))

    def initialize(self, **arguments):
        return self.request("initialize", **{
            "adapterID": "cuttle", "linesStartAt1": True, "columnsStartAt1": True, "pathFormat": "path",
            "supportsVariableType": True, "supportsVariablePaging": True, **arguments})

    def attach(self, port, configure=True, **arguments):
        """Up to the end of the configuration."""
        self.initialize(**arguments.pop("client", {}))
        self.request("attach", port=port, **arguments)
        self.event("initialized")
        if configure:
            self.request("configurationDone")

    def set_breakpoints(self, path, *breakpoints):
        wanted = [b if isinstance(b, dict) else {"line": b} for b in breakpoints]
        return self.request("setBreakpoints", source={"path": path}, breakpoints=wanted)["breakpoints"]

    def disconnect(self, **arguments):
        body = self.request("disconnect", **arguments)
        self.ends()
        return body


class FakeGame:
    """A game's console that answers the debugger's messages by rote. Methods `on_<type>` give answers;
    `answers[type]` (a dict, or a function of the message) comes first. `received` is what came."""

    def __init__(self, project, core):
        self.project, self.core = project, core
        self.answers, self.received = {}, []
        self.changed = threading.Condition()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.client = None
        self.is_gone = False  # a client that was there has left
        self.number = 0       # of the last breakpoint
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.listener.close()
        self.hang_up()

    def hang_up(self):
        client, self.client = self.client, None
        if client:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            client.close()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.hang_up()  # one at a time
            self.client = client
            self.is_gone = False
            try:
                file = client.makefile("rb")
                while len(header := file.read(8)) == 8:
                    self.take(json.loads(file.read(struct.unpack(">II", header)[1]).decode()))
            except (OSError, ValueError):
                pass
            with self.changed:
                self.is_gone = True
                self.changed.notify_all()

    def take(self, message):
        with self.changed:
            self.received.append(message)
            self.changed.notify_all()
        answer = self.answers.get(message["type"])
        if callable(answer):
            answer = answer(message)
        if answer is None:
            answer = getattr(self, "on_" + message["type"], lambda _: {"error": "unknown"})(message)
        if answer != "nothing" and "id" in message:
            self.emit_raw({"type": "result", "id": message["id"], **answer})

    def emit_raw(self, message):
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        if self.client:
            self.client.sendall(struct.pack(">II", 0, len(text)) + text)

    def emit(self, event, **members):
        self.emit_raw({"type": "debugger", "event": event, **members})

    def stop(self, reason="breakpoint", thread=1, script="scripts/main.lua", line=3, **members):
        self.emit("stopped", reason=reason, thread=thread, script=script, line=line, **members)

    def wait(self, kind, count=1):
        """The last of at least `count` messages of a type."""
        end = time.monotonic() + LIMIT
        with self.changed:
            while len(found := [m for m in self.received if m["type"] == kind]) < count:
                assert time.monotonic() < end, f"no {kind} came: {self.received}"
                self.changed.wait(1)
        return found[-1]

    def wait_gone(self):
        end = time.monotonic() + LIMIT
        with self.changed:
            while not self.is_gone:
                assert time.monotonic() < end, "the client stays"
                self.changed.wait(1)

    # --- Answers

    def on_debugger_attach(self, _):
        return {"version": 1, "project": self.project, "core": self.core,
                "threads": self.on_debugger_threads(None)["threads"]}

    def on_debugger_detach(self, _):
        return {}

    def on_debugger_breakpoints(self, message):
        answer = []
        for wanted in message["breakpoints"]:
            self.number += 1
            answer.append({"breakpoint": self.number, "verified": True, "line": wanted["line"], "message": ""})
        return {"breakpoints": answer}

    def on_debugger_lines(self, message):
        return {"lines": [line for line in (2, 3, 5) if message["first"] <= line <= message["last"]]}

    def on_debugger_errors(self, _):
        return {}

    def on_debugger_pause(self, message):
        self.stop("pause", thread=message.get("thread", 1))
        return {}

    def on_debugger_continue(self, _):
        self.emit("continued", thread=1)
        return {}

    def on_debugger_step(self, _):
        self.emit("continued", thread=1)
        self.stop("step", line=4)
        return {}

    def on_debugger_threads(self, _):
        return {"threads": [
            {"thread": 1, "name": "main", "state": "game", "is_stopped": True},
            {"thread": 7, "name": "walk", "state": "game", "is_stopped": False}]}

    def on_debugger_stack(self, message):
        frames = [
            {"frame": 11, "name": "update", "kind": "lua", "script": "scripts/main.lua", "line": 3},
            {"frame": 12, "name": "pcall", "kind": "c", "script": "", "line": 0},
            {"frame": 13, "name": "each", "kind": "engine", "script": "core/lua/class.lua", "line": 1},
            {"frame": 14, "name": "gone", "kind": "lua", "script": "scripts/gone.lua", "line": 9}]
        first = message.get("first", 0)
        return {"frames": frames[first:first + message.get("count", 64)], "total": len(frames)}

    def on_debugger_scopes(self, message):
        if message["frame"] != 11:
            return {"error": f"no frame {message['frame']}"}
        return {"scopes": [{"name": "Locals", "value": 21, "count": 4},
                           {"name": "Globals", "value": 22, "count": 200}]}

    def parts(self, value):
        if value == 21:
            return [("n", "5", "number", 0, 0, True), ("list", "table: 2500", "table", 31, 2500, True),
                    ("guard", "table: 2", "table", 32, 2, True),
                    ("(temporary)", "1", "number", 0, 0, False)]
        if value == 31:
            return [(f"[{i}]", str(i), "number", 0, 0, True) for i in range(1, 2501)]
        if value == 32:
            return [("name", '"Bob"', "string", 0, 0, True), ('["a b"]', "true", "boolean", 0, 0, True),
                    ("[Unit 12]", "1", "number", 0, 0, True), ("(metatable)", "table: 0", "table", 33, 0, False)]
        if value == 41:
            return [(f"[{i}]", str(i), "number", 0, 0, True) for i in range(1, 12001)]
        return None

    def on_debugger_values(self, message):
        parts = self.parts(message["value"])
        if parts is None:
            return {"error": f"no value {message['value']}"}
        first = message.get("first", 0)
        chosen = parts[first:first + min(message.get("count", 100), 1000)]
        names = ("name", "text", "kind", "value", "count", "can_set")
        return {"values": [dict(zip(names, part)) for part in chosen], "total": len(parts)}

    def on_debugger_evaluate(self, message):
        return {"text": f"<{message['text']}>", "kind": "table", "value": 51, "count": 3}

    def on_debugger_set(self, message):
        return {"text": message["text"], "kind": "number", "value": 0, "count": 0}

    def on_debugger_complete(self, message):
        return {"start": len(message["text"].encode()) - 2, "names": ["print", "private"]}

    def on_command(self, message):
        self.hang_up()
        return "nothing"
