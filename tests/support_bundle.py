"""Bundles of a small project in a folder of the test's own."""

import os
import subprocess
import unittest

from support_cuttle import TemporaryFolder, cuttle, read

# A build with sanitizers has no player. What does not play bundles the data alone there.
HAS_PLAYER = "CUTTLE_NO_PLAYER" not in os.environ
with_player = unittest.skipUnless(HAS_PLAYER, "this build has no player")
DATA_ALONE = [] if HAS_PLAYER else ["--platform", "windows"]
ARGUMENTS = ["--headless", "--fixed-dt", "0.016", "--size", "320x180"]


class BundleFolder(TemporaryFolder):
    """`self.project` is to be bundled to `self.target`."""

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.target = self.path("out", "mygame")
        os.mkdir(self.path("out"))

    def command(self, *options, target=None):
        data_alone = [] if "--platform" in options else DATA_ALONE
        return ["bundle", self.project, "-o", target or self.target, *data_alone, *options]

    def bundle(self, *options, check=0, target=None):
        return cuttle(*self.command(*options, target=target), check=check)

    def start(self, *arguments, folder=None, prefix=()):
        """The command that plays the bundle without a window."""
        return [*prefix, os.path.join(folder or self.target, "game"), *ARGUMENTS, *arguments]

    def play(self, *arguments, folder=None, prefix=()):
        """The picture of the third frame, and what was told."""
        picture = self.path("picture.png")
        done = subprocess.run(self.start("--frames", "3", "--screenshot", picture, *arguments,
                                         folder=folder, prefix=prefix),
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read(picture, "rb"), done

    def refuse(self, expected, folder=None):
        """The game does not start, and says why in one line."""
        done = subprocess.run(self.start("--frames", "3", folder=folder), capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(expected, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
