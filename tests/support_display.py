"""A display of its own for a test, by Xvfb."""

import os
import shutil
import subprocess
import unittest

from support_cuttle import TemporaryFolder


@unittest.skipUnless(shutil.which("Xvfb"), "Xvfb is not installed")
class DisplayTest(TemporaryFolder):
    """A test whose programs find a display with `self.environment`."""

    def setUp(self):
        super().setUp()
        # Xvfb chooses a free display and writes its number to the pipe.
        reader, writer = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.assertTrue(number, "Xvfb did not start")
        self.environment = {"DISPLAY": ":" + number, "SDL_VIDEODRIVER": "x11"}
