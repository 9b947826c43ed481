"""The parts of the tools in the browser that need none: types by tsc, behaviour by Node's test runner."""

import os
import subprocess
import unittest

import support_pages
from support_cuttle import BUILD, LIMIT


class Units(unittest.TestCase):
    def setUp(self):
        if reason := support_pages.missing():
            self.skipTest(reason)

    def run_node(self, *arguments):
        done = subprocess.run(["node", *arguments], cwd=support_pages.SOURCES, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_types_are_right(self):
        self.run_node(os.path.join("node_modules", "typescript", "bin", "tsc"), "--noEmit")

    def test_units(self):
        output = self.run_node(os.path.join("tests", "run.mjs"), "--out", os.path.join(BUILD, "web_tests"))
        self.assertIn("# fail 0", output)


if __name__ == "__main__":
    unittest.main()
