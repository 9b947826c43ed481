"""`cuttle run --window-id`: the engine draws into a window of a tool."""

import ctypes
import ctypes.util
import os
import time
import unittest

from support_cuttle import LIMIT, Game, cuttle
from support_display import DisplayTest


class Tool:
    """A program with a window, by Xlib: this one."""

    def __init__(self, display):
        self.x11 = ctypes.CDLL("libX11.so.6")
        for name, result in (("XOpenDisplay", ctypes.c_void_p), ("XCreateSimpleWindow", ctypes.c_ulong),
                             ("XDefaultRootWindow", ctypes.c_ulong), ("XGetImage", ctypes.c_void_p),
                             ("XGetPixel", ctypes.c_ulong)):
            getattr(self.x11, name).restype = result
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(display.encode()))
        assert self.display, display
        root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))
        self.window = self.x11.XCreateSimpleWindow(self.display, root, 10, 10, 160, 120, 0, ctypes.c_ulong(0),
                                                   ctypes.c_ulong(0xff00ff))
        self.x11.XMapWindow(self.display, ctypes.c_ulong(self.window))
        self.x11.XSync(self.display, 0)

    def colors(self):
        """The colours in the window."""
        image = self.x11.XGetImage(self.display, ctypes.c_ulong(self.window), 0, 0, 160, 120,
                                   ctypes.c_ulong(0xffffffff), 2)
        if not image:
            return set()
        image = ctypes.c_void_p(image)
        found = {self.x11.XGetPixel(image, x, y) & 0xffffff for x in range(0, 160, 8) for y in range(0, 120, 8)}
        self.x11.XDestroyImage(image)
        return found

    def exists(self):
        """Whether the window is still there."""
        root, count = ctypes.c_ulong(), ctypes.c_uint()
        parent, children = ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)()
        return self.x11.XQueryTree(self.display, ctypes.c_ulong(self.window), ctypes.byref(root),
                                   ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count)) != 0

    def destroy(self):
        self.x11.XDestroyWindow(self.display, ctypes.c_ulong(self.window))
        self.x11.XSync(self.display, 0)

    def close(self):
        self.x11.XCloseDisplay(self.display)


@unittest.skipUnless(ctypes.util.find_library("X11"), "libX11 is not installed")
class ForeignWindow(DisplayTest):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample()
        self.tool = Tool(self.environment["DISPLAY"])
        self.addCleanup(self.tool.close)
        self.env = {**os.environ, **self.environment}

    def test_draws_into_the_window_and_leaves_it(self):
        with Game(self.project, "--window-id", str(self.tool.window), headless=False, env=self.env) as game:
            self.assertEqual(game.console.script("Application.back_buffer_size()"), "160\t120")
            end = time.monotonic() + LIMIT
            while len(self.tool.colors()) < 30 and time.monotonic() < end:
                time.sleep(0.1)
            self.assertGreaterEqual(len(self.tool.colors()), 30)
            self.assertEqual(game.quit(), 0)
        self.assertTrue(self.tool.exists())

    def test_ends_when_the_tool_closes_its_window(self):
        with Game(self.project, "--window-id", str(self.tool.window), headless=False, env=self.env) as game:
            self.assertEqual(game.console.script("1"), "1")
            self.tool.destroy()
            self.assertEqual(game.process.wait(LIMIT), 0, game.log())
            self.assertIn("the other program has closed the window", game.log())

    def test_says_what_is_wrong(self):
        done = cuttle("run", self.project, "--window-id", "1", "--frames", "2", check=1, env=self.env)
        self.assertIn("cannot open the window of another program", done.stderr)
        done = cuttle("run", self.project, "--window-id", "x", check=2, env=self.env)
        self.assertIn("--window-id", done.stderr)
        done = cuttle("run", self.project, "--window-id", "5", "--headless", check=2, env=self.env)
        self.assertIn("leave --headless out", done.stderr)


if __name__ == "__main__":
    unittest.main()
