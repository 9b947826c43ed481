"""`cuttle console` at a pseudo terminal."""

import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from fcntl import ioctl

from support_cuttle import CUTTLE, LIMIT

ESCAPES = re.compile(r"\r\x1b\[\d+G|\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]")


class Prompt:
    """The program at a pseudo terminal of 100 columns."""

    def __init__(self, *arguments, state):
        master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": state}
        self.process = subprocess.Popen([CUTTLE, "console", *map(str, arguments)], stdin=slave,
                                        stdout=slave, stderr=slave, env=env,
                                        start_new_session=True,
                                        preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.master = master
        self.raw = ""     # all that came
        self.seen = 0     # of the text, by wait_for

    def text(self):
        return ESCAPES.sub("", self.raw)

    def wait_for(self, pattern, seconds=60):
        """Waits for text that was not waited for before; returns the match."""
        end = time.monotonic() + seconds
        while not (found := re.compile(pattern).search(self.text(), self.seen)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise AssertionError(f"no {pattern!r} in: {self.raw!r}")
            try:
                self.raw += os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"ended without {pattern!r}:\n{self.text()}") from None
        self.seen = found.end()
        return found

    def type(self, text):
        os.write(self.master, text.encode())

    def complete(self, pattern):
        """Presses TAB until the text is there: the prompt waits a second for the game's answer, which
        a busy machine may take longer for."""
        for _ in range(20):
            self.type("\t")
            try:
                return self.wait_for(pattern, seconds=3)
            except AssertionError:
                pass
        raise AssertionError(f"TAB does not bring {pattern!r}: {self.raw!r}")

    def line(self, text):
        self.type(text + "\n")

    def end(self):
        """Waits for its end; returns the exit code."""
        stop = time.monotonic() + LIMIT
        while True:
            left = stop - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise AssertionError(f"does not end: {self.raw!r}")
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            self.raw += data.decode(errors="replace")
        return self.process.wait(timeout=LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
