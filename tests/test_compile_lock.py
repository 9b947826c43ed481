"""One compile of a project at a time: others wait and say so, and a killed holder frees the lock."""

import fcntl
import os
import signal
import subprocess
import sys
import threading
import unittest

from support_bundle import DATA_ALONE
from support_cuttle import (CUTTLE, LIMIT, ROOT, Game, TemporaryFolder, cuttle,
                            folder_bytes, last_json, write)

HOLD = """
import fcntl, os, sys, time
file = open(sys.argv[1], "a+")
fcntl.flock(file, fcntl.LOCK_EX)
file.truncate(0)
file.write(str(os.getpid()))
file.flush()
print("held", flush=True)
time.sleep(1000)
"""


class Lock(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        cuttle("compile", self.project, check=0)
        self.lock = os.path.join(self.project, ".cuttle", "cache", "lock")

    def hold(self):
        """Another process that has the lock; killed when the test ends."""
        holder = subprocess.Popen([sys.executable, "-c", HOLD, self.lock], stdout=subprocess.PIPE,
                                  text=True)
        self.addCleanup(lambda: (holder.kill(), holder.wait(), holder.stdout.close()))
        self.assertEqual(holder.stdout.readline(), "held\n")
        return holder

    def start(self, *arguments):
        process = subprocess.Popen([CUTTLE, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        watchdog = threading.Timer(LIMIT, process.kill)
        watchdog.start()
        self.addCleanup(watchdog.cancel)
        return process

    def test_a_bundle_that_is_interrupted_leaves_nothing(self):
        self.hold()
        os.mkdir(self.path("out"))
        process = self.start("bundle", self.project, "-o", self.path("out", "mygame"),
                             "--platform", "windows", "--json")
        self.assertIn("waiting for another", process.stderr.readline())
        self.assertEqual(len(os.listdir(self.path("out"))), 1)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate()
        message = "interrupted: no bundle was made"
        self.assertEqual((process.returncode, stderr), (1, f"error: {message}\n"))
        self.assertEqual(last_json(stdout)["errors"][0]["message"], message)
        self.assertEqual(os.listdir(self.path("out")), [])

    def check_waits(self, *arguments):
        holder = self.hold()
        process = self.start(*arguments)
        first = process.stderr.readline()
        self.assertEqual(first, "[project] waiting for another command on this project, process "
                                f"{holder.pid}: only one at a time compiles it or changes its sources"
                                "\n")
        self.assertIsNone(process.poll())
        holder.send_signal(signal.SIGKILL)
        stdout, stderr = process.communicate()
        self.assertEqual((process.returncode, stderr), (0, ""), stdout)  # told once
        return stdout

    def test_a_compile_waits_until_the_holder_is_killed(self):
        self.assertRegex(self.check_waits("compile", self.project), "^compiled 0, up to date ")

    def test_an_import_waits_too(self):
        model = os.path.join(ROOT, "core", "meshes", "cube.gltf")
        self.check_waits("import", model, self.project, "models/cube")

    def test_who_only_asks_does_not_wait(self):
        self.hold()
        model = os.path.join(ROOT, "core", "meshes", "cube.gltf")
        cuttle("import", "--dry-run", model, self.project, "models/cube", check=0)

    def test_data_elsewhere_has_a_lock_of_its_own(self):
        self.hold()
        cuttle("compile", self.project, "--data-dir", self.path("elsewhere"), check=0)
        self.lock = self.path("elsewhere", ".lock")
        self.check_waits("compile", self.project, "--data-dir", self.path("elsewhere"))

    def test_a_bundle_locks_the_data_it_reads(self):
        elsewhere = ("--data-dir", self.path("elsewhere"))
        self.check_waits("bundle", self.project, "-o", self.path("one"), *DATA_ALONE)
        self.hold()
        cuttle("bundle", self.project, "-o", self.path("two"), *DATA_ALONE, *elsewhere, check=0)
        self.lock = self.path("elsewhere", ".lock")
        self.check_waits("bundle", self.project, "-o", self.path("three"), *DATA_ALONE, *elsewhere)

    def test_a_running_game_holds_it_only_while_it_compiles(self):
        with Game(self.project) as game:
            game.console.script("1")
            self.assertEqual(cuttle("compile", self.project, check=0).stderr, "")
            with open(self.lock) as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # the game waits for us, and goes on meanwhile
                write(os.path.join(self.project, "scripts", "late.lua"), "return 1\n")
                self.assertEqual(game.console.script("1 + 1"), "2")
            self.assertEqual(game.quit(), 0)

    def test_several_at_once_leave_what_one_leaves(self):
        cuttle("compile", self.project, "--data-dir", self.path("whole"), check=0)
        processes = [self.start("compile", self.project, "--data-dir", self.path("shared"))
                     for _ in range(4)]
        for process in processes:
            stdout, stderr = process.communicate()
            self.assertEqual(process.returncode, 0, stdout + stderr)
        self.assertEqual(folder_bytes(self.path("shared")), folder_bytes(self.path("whole")))


if __name__ == "__main__":
    unittest.main()
