"""Scripts that the documents call by path can be run so."""

import fcntl
import glob
import os
import re
import socket
import struct
import subprocess
import sys
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read


class Scripts(unittest.TestCase):
    def test_scripts_that_documents_name_have_their_run_bit(self):
        named = set()
        for pattern in ("*.md", "docs/**/*.md", "bench/*.md", "samples/**/*.md"):
            for page in glob.glob(os.path.join(ROOT, pattern), recursive=True):
                named |= set(re.findall(r"\b(?:bench|tools|fuzz)/\w+\.(?:py|sh)\b", read(page)))
        there = sorted(name for name in named if os.path.exists(os.path.join(ROOT, name)))
        self.assertIn("bench/pipeline.py", there)
        for name in there:
            if read(os.path.join(ROOT, name)).startswith("#!"):
                self.assertTrue(os.access(os.path.join(ROOT, name), os.X_OK), name)


class Help(unittest.TestCase):
    def test_every_command_takes_help_beside_anything_else(self):
        names = re.findall(r"(?m)^  (\w[\w-]*) ", cuttle("help", check=0).stdout)
        self.assertIn("merge", names)
        for name in names:
            expected = cuttle("help", name, check=0).stdout
            for arguments in (["--help"], ["x", "--help"], ["--help", "--nonsense"]):
                self.assertEqual(cuttle(name, *arguments, check=0).stdout, expected)
        self.assertEqual(cuttle("merge", "--install-git", "--help", check=0).stderr, "")

    def test_every_script_takes_help(self):
        scripts = [os.path.join(ROOT, name) for name in ("run", "test", "setup/install")]
        for folder in ("bench", "tools"):
            scripts += [path for path in glob.glob(os.path.join(ROOT, folder, "*.py"))
                        if os.access(path, os.X_OK)]
        self.assertGreater(len(scripts), 6)
        for script in scripts:
            with self.subTest(script=script):
                done = subprocess.run([script, "--help"], capture_output=True, text=True, timeout=60)
                self.assertEqual((0, ""), (done.returncode, done.stderr))
                self.assertGreater(len(done.stdout), 40)


def start_loopback():
    """In a network of its own."""
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x8 | 0x40))


class ConsoleSearch(TemporaryFolder):
    """Other games run on this machine, so it is done in a network without them."""

    def test_a_command_finds_the_game_and_says_which(self):
        if "CUTTLE_TEST_ALONE" in os.environ:
            start_loopback()
            return self.find_games()
        alone = ["unshare", "-rn"]
        if subprocess.run([*alone, "true"], capture_output=True).returncode != 0:
            self.skipTest("networks of one's own are not allowed here")
        done = subprocess.run([*alone, sys.executable, __file__, "ConsoleSearch"],
                              capture_output=True, text=True,
                              env={**os.environ, "CUTTLE_TEST_ALONE": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)

    def find_games(self):
        project = self.compiled_project()
        with Game(project) as one:
            with Game(project, "--no-compile") as two:
                self.assertEqual((one.port, two.port), (64000, 64001))
                done = cuttle("console", "Application.console_port()", check=0)
                self.assertEqual((done.stdout, done.stderr),
                                 ("64000\n", "cuttle console: to 127.0.0.1:64000, the first of 2 "
                                  "games; name another as 127.0.0.1:PORT\n"))
                one.quit()
                done = cuttle("console", "Application.console_port()", check=0)
                self.assertEqual((done.stdout, done.stderr),
                                 ("64001\n", "cuttle console: to 127.0.0.1:64001\n"))
                self.assertNotIn("console_closed", one.log() + two.log())


if __name__ == "__main__":
    unittest.main()
