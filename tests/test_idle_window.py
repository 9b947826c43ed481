"""The window of a game that is stopped inside its Lua: tests/dev/pictures/test_idle_frames.c with a window,
under Xvfb."""

import os
import subprocess
import unittest

from support_display import DisplayTest

PROGRAM = os.path.join(os.environ["CUTTLE_BUILD_DIR"], "tests", "test_idle_frames")


@unittest.skipUnless(os.path.exists(PROGRAM), "the tests in C are not built")
class IdleWindow(DisplayTest):
    def test_keeps_a_window_alive(self):
        done = subprocess.run([PROGRAM, "window"], capture_output=True, text=True, timeout=300,
                              cwd=os.environ["CUTTLE_BUILD_DIR"],
                              env={**os.environ, **self.environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
