"""Out of memory at every allocation of scripted runs: each ends with the report, and nothing worse.

CUTTLE_FAIL_ALLOCATION=N makes the Nth allocation fail. A run must end by SIGABRT with the report that
names allocator and size; a compile may instead report the resource whose worker ended so. Whatever
happened, the next compile makes the data whole.
"""

import concurrent.futures
import os
import re
import shutil
import signal
import unittest

from support_cuttle import IS_LONG, TemporaryFolder, cuttle, data_folder, folder_bytes, write
from support_small_core import new_small_project

SAMPLES = 25
REPORT = re.compile(r'out of memory: allocator "[a-z_/]+" holds \d+ bytes and cannot allocate \d+ more')
NOT_REACHED = re.compile(r"CUTTLE_FAIL_ALLOCATION is \d+, but there were only (\d+) allocations")


def numbers(count):
    """Which allocations fail: all, or the first ones and some evenly spread."""
    if IS_LONG:
        return range(1, count + 1)
    return sorted({1, 2, 3, count} | {1 + i * count // SAMPLES for i in range(SAMPLES)})


class OutOfMemory(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.env = {}

    def count(self, *arguments):
        """How many allocations the run makes, at most in one of its processes."""
        done = cuttle(*arguments, check=0, env={**self.env, "CUTTLE_FAIL_ALLOCATION": str(10**15)})
        counts = [int(n) for n in NOT_REACHED.findall(done.stderr)]
        self.assertGreater(len(counts), 0, done.stderr)
        return max(counts)

    def run_failing(self, number, *arguments):
        """Runs with that allocation failing. Returns the exit status after looking at the report."""
        done = cuttle(*arguments, timeout=120, env={**self.env, "CUTTLE_FAIL_ALLOCATION": str(number)})
        what = f"allocation {number} of cuttle {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}"
        self.assertIn(done.returncode, (0, 1, -signal.SIGABRT), what)
        if done.returncode == -signal.SIGABRT:
            self.assertRegex(done.stderr, REPORT, what)
        elif done.returncode == 1:
            self.assertIn("out of memory", done.stderr, what)
        elif not NOT_REACHED.search(done.stderr):
            self.fail(what)
        return done.returncode

    def run_all(self, tries, one):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(one, tries))

    def test_reading_a_file(self):
        path = self.path("a.sjson")
        write(path, "".join(f'key_{i} = [{i} "{"text" * 20}" {{ a = {i}.5 }}]\n' for i in range(500)))
        arguments = ("sjson", "--to-json", path)
        count = self.count(*arguments)
        ends = self.run_all(numbers(count), lambda n: self.run_failing(n, *arguments))
        self.assertEqual(set(ends), {-signal.SIGABRT})
        self.assertEqual(self.run_failing(count + 1, *arguments), 0)

    def test_compiling(self):
        project = self.path("game")
        if IS_LONG:
            self.new_project()
        else:  # the whole core takes most of the time, and no other ways to memory
            self.env = new_small_project(project, self.path("core"))
        shutil.copytree(project, self.path("clean"))
        count = self.count("compile", project)
        whole = folder_bytes(data_folder(project))
        self.assertGreater(len(whole), 10)

        def one(number):
            mine = self.path(f"game-{number}")
            shutil.copytree(self.path("clean"), mine)
            status = self.run_failing(number, "compile", mine)
            cuttle("compile", mine, check=0, env=self.env)
            self.assertEqual(folder_bytes(data_folder(mine)), whole, number)
            shutil.rmtree(mine)
            return status

        ends = self.run_all(numbers(count), one)
        self.assertIn(-signal.SIGABRT, ends)

    def test_running(self):
        project = self.new_project()
        cuttle("compile", project, check=0)
        whole = folder_bytes(data_folder(project))
        options = ("--headless", "--frames", "3")
        count = self.count("run", project, *options)
        # Threads make a few allocations more or less from run to run: the last may not be reached.
        sure = count * 98 // 100
        # The shutdown lies in the last tenth.
        tries = sorted({*numbers(count), *(count - i * count // 100 for i in range(10))})

        def one(number):
            mine = self.path(f"game-{number}")
            shutil.copytree(project, mine)
            status = self.run_failing(number, "run", mine, *options)
            self.assertEqual(folder_bytes(data_folder(mine)), whole, number)
            shutil.rmtree(mine)
            return status

        ends = dict(zip(tries, self.run_all(tries, one)))
        self.assertEqual({end for number, end in ends.items() if number <= sure}, {-signal.SIGABRT})
        self.assertLessEqual(set(ends.values()), {0, -signal.SIGABRT})
        cuttle("run", project, *options, check=0)


if __name__ == "__main__":
    unittest.main()
