"""The tests of the memory system over mimalloc, as `release` has it, and without the table of blocks.

Their programs are linked with the C library's malloc; here mimalloc takes it over before they start.
"""

import os
import subprocess
import unittest

from support_cuttle import BUILD, LIMIT

MIMALLOC = "libmimalloc.so.2"
TESTS = ("test_memory", "test_heap_allocator", "test_proxy_allocator", "test_memory_trace")


def is_sanitized():
    with open(os.path.join(BUILD, "CMakeCache.txt")) as cache:
        return any(line.startswith("CUTTLE_SANITIZE:") and line.split("=", 1)[1].strip()
                   for line in cache)


@unittest.skipIf(is_sanitized(), "the sanitizer has malloc")
class OverMimalloc(unittest.TestCase):
    def run_tests(self, **environment):
        for name in TESTS:
            with self.subTest(name):
                done = subprocess.run([os.path.join(BUILD, "tests", name)], cwd=BUILD, timeout=LIMIT,
                                      env={**os.environ, **environment}, capture_output=True,
                                      text=True, errors="replace")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("cannot be preloaded", done.stderr)

    def test_unchecked(self):
        self.run_tests(LD_PRELOAD=MIMALLOC, CUTTLE_MEMORY_CHECK="0")

    def test_checked(self):
        self.run_tests(LD_PRELOAD=MIMALLOC, CUTTLE_MEMORY_CHECK="1")

    def test_unchecked_over_the_c_library(self):
        self.run_tests(CUTTLE_MEMORY_CHECK="0")


if __name__ == "__main__":
    unittest.main()
