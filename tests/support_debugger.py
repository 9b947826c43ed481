"""A client of the debugger's messages (docs/formats/debugger_protocol.md) for tests."""

import time

from support_cuttle import LIMIT
from support_protocol import CheckedConsole


class Debugger(CheckedConsole):
    """A connection that is attached. `events` has what came without asking, oldest first."""

    def __init__(self, port, attach=True, timeout=LIMIT):
        super().__init__(port, timeout=timeout)
        self.events, self.attached = [], None
        if attach:
            self.attached = self.request("attach", name="test")

    def receive(self):
        message = super().receive()
        if message["type"] == "debugger":
            self.events.append(message)
        return message

    def request(self, kind, /, **members):
        """Sends a message and returns the answer; raises RuntimeError with its error."""
        return self.answer(self.ask(type="debugger_" + kind, **members))

    def error(self, kind, /, **members):
        """Sends a message that must fail; returns its error."""
        try:
            answer = self.request(kind, **members)
        except RuntimeError as error:
            return str(error)
        raise AssertionError(f"{kind} was answered with {answer}")

    def breakpoints(self, script, *breakpoints):
        """Sets breakpoints, lines or objects, and returns their places."""
        wanted = [b if isinstance(b, dict) else {"line": b} for b in breakpoints]
        return self.request("breakpoints", script=script, breakpoints=wanted)["breakpoints"]

    def event(self, kind, /, **members):
        """Waits for the next event of a kind with these members, and takes all up to it."""
        while True:
            for place, event in enumerate(self.events):
                if event["event"] == kind and all(event.get(k) == v for k, v in members.items()):
                    del self.events[:place + 1]
                    return event
            self.receive()

    def stopped(self, **members):
        return self.event("stopped", **members)

    def go_on(self, **members):
        self.request("continue", **members)
        return self.event("continued")

    def step(self, kind, **members):
        """Steps, and returns where it stops."""
        self.request("step", kind=kind, **members)
        return self.stopped()

    def stack(self, **members):
        return self.request("stack", **members)["frames"]

    def scope(self, name, frame=None):
        """The number of a scope of a frame, the innermost if left out."""
        frame = self.stack()[0]["frame"] if frame is None else frame
        scopes = self.request("scopes", frame=frame)["scopes"]
        return next(scope["value"] for scope in scopes if scope["name"] == name)

    def values(self, value, **members):
        """The parts of a value: {name: value}."""
        parts = self.request("values", value=value, **members)["values"]
        return {part["name"]: part for part in parts}

    def local(self, name):
        return self.values(self.scope("Locals"))[name]["text"]

    def evaluate(self, text, **members):
        return self.request("evaluate", text=text, **members)["text"]

    def detach(self):
        self.request("detach")
        self.attached = None

    def frames_advance(self):
        """Whether the game runs: it answers Lua, and its count of updates grows."""
        before = int(self.script("Game.updates"))
        end = time.monotonic() + LIMIT
        while int(self.script("Game.updates")) < before + 2:
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True
