"""The frames of WebSocket, after the list of cases of the Autobahn test suite: framing, pings, reserved bits and
codes, fragments, UTF-8, closes, limits. Byte by byte from here, and the good cases through npm's `ws`."""

import os
import shutil
import struct
import subprocess
import unittest

from support_cuttle import BUILD, LIMIT, ROOT, Game, TemporaryFolder
from support_page import BINARY, CLOSE, PING, PONG, TEXT, Page, frame
from test_debug_adapter_npm import install

SIZES = (0, 1, 125, 126, 127, 128, 65535, 65536, 65537)


class Frames(TemporaryFolder):
    """One game for all cases of a test: each case has a page of its own."""

    def setUp(self):
        super().setUp()
        game = Game(self.compiled_project())
        game.__enter__()
        self.game = game
        self.addCleanup(self.end_game)
        self.number = 0

    def end_game(self):
        self.assertEqual(self.game.console.script("'alive'"), "alive")
        self.assertEqual(self.game.quit(), 0)
        self.assertNotIn("[bug]", self.game.log())
        self.game.__exit__(None, None, None)

    def page(self):
        page = Page(self.game.port)
        self.assertEqual(page.status, 101)
        self.addCleanup(page.close)
        return page

    def ping_text(self, size=0):
        """A message that is answered, of at least `size` bytes, and its id."""
        self.number += 1
        text = b'{"type":"ping","id":%d}' % self.number
        return text + b" " * (size - len(text)), self.number

    def expect_closed(self, data, *codes, page=None):
        """What the page sends must close it with one of the codes; None: without a close."""
        page = page or self.page()
        try:
            page.socket.sendall(data)
        except ConnectionError:
            pass
        closed = page.closed()
        self.assertIn(closed.code, codes, f"{closed.reason}: {data[:60]}")
        return closed

    def test_framing(self):
        page = self.page()
        for size in SIZES:
            for step in (0, 997):
                text, name = self.ping_text(size)
                data = frame(TEXT, text)
                for at in range(0, len(data), step or len(data)):
                    page.socket.sendall(data[at:at + (step or len(data))])
                self.assertEqual(page.answer(name)["type"], "pong")
        # Byte by byte; lengths in more bytes than they need are read all the same or refused.
        text, name = self.ping_text()
        for byte in frame(TEXT, text):
            page.socket.sendall(bytes([byte]))
        page.answer(name)
        # A mask of zeros.
        text, name = self.ping_text()
        page.send_frame(TEXT, text, mask=b"\0\0\0\0")
        page.answer(name)
        # Many in one packet.
        texts = [self.ping_text(size) for size in range(0, 300, 7)]
        page.socket.sendall(b"".join(frame(TEXT, text) for text, _ in texts))
        for _, name in texts:
            page.answer(name)

    def test_pings(self):
        page = self.page()
        for data in (b"", b"hello", b"\x00\xff\xfe\xfd", b"x" * 125):
            page.send_frame(PING, data)
            self.assertEqual(page.receive_data(), (PONG, data))
        for byte in frame(PING, b"slow" * 20):
            page.socket.sendall(bytes([byte]))
        self.assertEqual(page.receive_data(), (PONG, b"slow" * 20))
        # Pongs that nobody asked for.
        page.send_frame(PONG, b"")
        page.send_frame(PONG, b"unasked")
        page.send_frame(PING, b"after")
        self.assertEqual(page.receive_data(), (PONG, b"after"))
        # Only the last of several has to be answered.
        page.socket.sendall(b"".join(frame(PING, b"%d" % i) for i in range(10)))
        text, name = self.ping_text()
        page.send_frame(TEXT, text)
        page.answer(name)
        self.assertEqual(page.script("'pings'"), "pings")
        for kind in (PING, PONG):
            self.expect_closed(frame(kind, b"x" * 126), 1002, None)
            self.expect_closed(frame(kind, b"", final=False), 1002)

    def test_reserved_bits(self):
        text, _ = self.ping_text()
        for reserved in range(1, 8):
            for kind in (TEXT, BINARY, PING, CLOSE):
                self.expect_closed(frame(kind, text, reserved=reserved), 1002)
        # After a message that is right, which is answered.
        page = self.page()
        text, name = self.ping_text()
        page.send_frame(TEXT, text)
        page.answer(name)
        self.expect_closed(frame(TEXT, text, reserved=4), 1002, page=page)

    def test_reserved_codes(self):
        for kind in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
            for data in (b"", b"payload"):
                self.expect_closed(frame(kind, data), 1002)
            self.expect_closed(frame(PING, b"a") + frame(kind, b"b") + frame(PING, b"c"), 1002)

    def test_fragments(self):
        page = self.page()
        for parts in (1, 2, 3, 10, 24):
            text, name = self.ping_text()
            step = -(-len(text) // parts)
            for at in range(0, len(text), step):
                page.send_frame(0 if at else TEXT, text[at:at + step], final=at + step >= len(text))
            page.answer(name)
        # Empty fragments, and pings between them, all in one packet.
        text, name = self.ping_text()
        page.socket.sendall(frame(TEXT, b"", final=False) + frame(0, text[:9], final=False) + frame(PING, b"between") +
                            frame(0, b"", final=False) + frame(PONG, b"x") + frame(0, text[9:], final=False) +
                            frame(0, b""))
        page.answer(name)
        self.assertIn(b"between", page.pongs)
        # A message behind a message.
        first, second = self.ping_text(), self.ping_text()
        page.socket.sendall(frame(TEXT, first[0][:5], final=False) + frame(0, first[0][5:]) + frame(TEXT, second[0]))
        page.answer(first[1])
        page.answer(second[1])
        text, _ = self.ping_text()
        for data in (frame(0, text), frame(0, text, final=False), frame(0, b"") + frame(TEXT, text),
                     frame(TEXT, b"{", final=False) + frame(TEXT, text),
                     frame(TEXT, b"{", final=False) + frame(BINARY, text, final=False),
                     frame(TEXT, b"{", final=False) + frame(0, b"}") + frame(0, b"x")):
            self.expect_closed(data, 1002)

    def test_text_is_utf_8(self):
        page = self.page()
        for word in ("\u03ba\u1f79\u03c3\u03bc\u03b5", "Hello-\u00b5@\u00df\u00f6\u00e4-UTF-8!!", "\U0001f419",
                     "\u0080\u07ff\u0800\uffff\U00010000\U0010ffff", "\ud7ff\ue000\ufffd", "\ufe0f"):
            name = f"{word} {self.number}"
            text = ('{"type": "ping", "id": "%s"}' % name).encode()
            page.send_frame(TEXT, text)
            page.answer(name)
            for at in range(17, len(text)):  # cut inside of every character
                page.socket.sendall(frame(TEXT, text[:at], final=False) + frame(0, text[at:]))
                page.answer(name)
        for bad in (b"\xff", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xed\xa0\x80", b"\xed\xbf\xbf",
                    b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\x80", b"\xbf", b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80",
                    b"\xfe\xfe\xff\xff", b"\xc3\x28", b"\xe2\x82\x28"):
            self.expect_closed(frame(TEXT, b'{a = "' + bad + b'"}'), 1007)
            self.expect_closed(frame(TEXT, b'{a = "', final=False) + frame(0, bad + b'"}'), 1007)
            for at in range(1, len(bad)):
                self.expect_closed(frame(TEXT, bad[:at], final=False) + frame(0, bad[at:]), 1007)
            # At once, and not at the end of the message.
            self.expect_closed(frame(TEXT, bad + b"....", final=False), 1007)
        for unfinished in (b"\xc3", b"\xe2\x82", b"\xf0\x9f\x90"):
            self.expect_closed(frame(TEXT, unfinished), 1007)
            self.expect_closed(frame(TEXT, b"", final=False) + frame(0, unfinished), 1007)
        # Binary data is not looked at.
        page.send_binary(b"\xff\xfe\x80", type="ping", id="binary")
        page.answer("binary")

    def test_closes(self):
        for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999):
            for reason in (b"", "Ende \u00e4 \u20ac".encode(), b"x" * 123):
                self.expect_closed(frame(CLOSE, struct.pack(">H", code) + reason), code)
        for code in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999):
            self.expect_closed(frame(CLOSE, struct.pack(">H", code)), 1002, None)
        self.expect_closed(frame(CLOSE, b""), 1000, 1005, None)
        self.expect_closed(frame(CLOSE, b"\x03"), 1002, 1005, None)
        self.expect_closed(frame(CLOSE, struct.pack(">H", 1000) + b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80"), 1007, 1002, None)
        self.expect_closed(frame(CLOSE, struct.pack(">H", 1000) + b"x" * 124), 1002, None)
        self.expect_closed(frame(CLOSE, struct.pack(">H", 1000), final=False), 1002)
        # What comes behind a close is not handled.
        text = b'{type = "script" script = "behind = true"}'
        self.expect_closed(frame(CLOSE, struct.pack(">H", 1000)) + frame(TEXT, text) + frame(PING, b"x"), 1000)
        self.expect_closed(frame(CLOSE, struct.pack(">H", 1000)) * 2, 1000)
        self.expect_closed(frame(TEXT, b"{", final=False) + frame(CLOSE, struct.pack(">H", 1000)), 1000)
        self.assertEqual(self.game.console.script("rawget(_G, 'behind')"), "nil")
        # The end without a close.
        page = self.page()
        page.socket.shutdown(1)
        self.assertIn(page.closed().code, (None, 1000, 1005))

    def test_limits(self):
        page = self.page()
        for size in (1 << 16, 1 << 20, 4 << 20, 16 << 20):
            text, name = self.ping_text(size)
            page.send_frame(TEXT, text)
            page.answer(name)
        for step in (64, 1024, 65536, 1 << 20):
            text, name = self.ping_text(min(step * 4000, 8 << 20))
            page.socket.sendall(b"".join(frame(0 if at else TEXT, text[at:at + step], final=at + step >= len(text))
                                         for at in range(0, len(text), step)))
            page.answer(name)
        names = []
        for size in (0, 16, 64, 256, 1024):
            texts = [self.ping_text(size) for _ in range(200)]
            page.socket.sendall(b"".join(frame(TEXT, text) for text, _ in texts))
            names += [name for _, name in texts]
        for name in names:
            page.answer(name)
        for length in (1 << 63, (1 << 64) - 1):
            self.expect_closed(frame(TEXT, b"x" * 100, length=length), 1002, 1009, None)
        # Closed when it passes the limit, whatever length it claims to have.
        self.expect_closed(frame(BINARY, b"x" * ((16 << 20) + 70000), length=1 << 40), 1009, None)
        # Garbage after a frame that has closed the connection, and without end.
        for kind in (3, 0, TEXT):
            self.expect_closed(frame(kind, b"\xff" * 10, reserved=1) + os.urandom(300000), 1002, None)
        self.expect_closed(frame(TEXT, b"\xff" * 10) + b"\x82" * 300000, 1007, None)

    def test_through_npm(self):
        folder = os.path.join(BUILD, "page_npm")
        sources = os.path.join(ROOT, "tests", "page")
        reason = install(folder, sources)
        if reason:
            self.skipTest(reason)
        shutil.copy(os.path.join(sources, "scenarios.js"), folder)
        with Game(self.compiled_project("other"), "--no-compile") as other:
            done = subprocess.run(["node", os.path.join(folder, "scenarios.js"), str(self.game.port), str(other.port)],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
            print(done.stdout)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stdout.count("passed: "), 7)
            self.assertEqual(other.quit(), 0)


if __name__ == "__main__":
    unittest.main()
