"""Reports of a running game that crashes: terminal, file, consoles, exit status, no process left."""

import os
import re
import signal
import subprocess
import time
import unittest

from support_cuttle import (CUTTLE, IS_SANITIZED, Game, TemporaryFolder, children_of, cuttle, read,
                            read_gone)


def helper_of(pid):
    return next(child for child, name in children_of(pid).items() if name == "cuttle-crash")


def is_alive(pid):
    stat = read_gone(f"/proc/{pid}/stat")
    return stat != "" and stat.rsplit(")", 1)[1].split()[0] != "Z"


class Crash(TemporaryFolder):
    def wait_until_gone(self, pid):
        end = time.monotonic() + 10
        while is_alive(pid):
            self.assertLess(time.monotonic(), end, "the helper is left behind")
            time.sleep(0.01)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_crash_of_a_game_is_reported_everywhere(self):
        project = self.compiled_project()
        with Game(project) as game:
            game.console.script('Application.set_crash_line("level", "big_world")')
            game.console.script('print("the last words")')
            pid = game.process.pid
            helper = helper_of(pid)
            os.kill(pid, signal.SIGSEGV)
            message = game.console.wait_for_message(lambda m: m.get("system") == "crash")
            self.assertEqual(game.process.wait(timeout=10), -signal.SIGSEGV)
            log = game.log()
            self.wait_until_gone(helper)
        self.assertEqual((message["type"], message["level"]), ("message", "error"))
        report = message["message"]
        self.assertIn(f"Segmentation fault, sent by process {os.getpid()}\nCall stack:\n", report)
        self.assertRegex(report, r"\n    main \(.*/src/cli/main/main\.c:\d+\)\n")
        self.assertIn(f"\nThread: main ({pid})\n", report)
        self.assertIn("\nlevel: big_world\n", report)
        self.assertIn("\n    [lua] the last words\n", report)
        self.assertIn(report, log)
        path = re.search(r"This report is in (.*)\n", log)[1]
        self.assertEqual(os.path.dirname(path), os.path.join(project, ".cuttle", "crash"))
        self.assertEqual(read(path), report)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_report_names_the_build(self):
        project = self.compiled_project()
        with Game(project) as game:
            os.kill(game.process.pid, signal.SIGABRT)
            game.process.wait(timeout=10)
            log = game.log()
        notes = subprocess.run(["readelf", "-n", CUTTLE], capture_output=True, text=True).stdout
        build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
        version = re.search(r"cuttle (\S+) \((\w+)\)", cuttle("version", check=0).stdout)
        self.assertIn(f"\nVersion: {version[1]} {version[2]}, build id {build_id}\n", log)
        self.assertIn(f"\nProgram: {os.path.realpath(CUTTLE)}, process {game.process.pid}\n", log)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_without_helper_raw_frames_go_the_same_ways(self):
        project = self.compiled_project()
        with Game(project) as game:
            game.console.script("1 + 1")
            os.kill(helper_of(game.process.pid), signal.SIGKILL)
            os.kill(game.process.pid, signal.SIGBUS)
            message = game.console.wait_for_message(lambda m: m.get("system") == "crash")
            self.assertEqual(game.process.wait(timeout=10), -signal.SIGBUS)
            log = game.log()
        self.assertRegex(message["message"], r"\n    /.*/cuttle\+0x[0-9a-f]+\n")
        self.assertIn(message["message"], log)
        self.assertIn("This report is in ", log)

    def test_game_that_quits_leaves_nothing_behind(self):
        project = self.compiled_project()
        with Game(project) as game:
            self.assertEqual(list(children_of(game.process.pid).values()).count("cuttle-crash"), 1)
            helper = helper_of(game.process.pid)
            self.assertEqual(game.quit(), 0)
            self.assertFalse(os.path.exists(f"/proc/{helper}"))
            self.assertNotIn("This report", game.log())
        self.assertEqual(os.listdir(os.path.join(project, ".cuttle", "crash")), [])

    def test_game_that_is_killed_takes_its_helper_along(self):
        project = self.compiled_project()
        with Game(project) as game:
            helper = helper_of(game.process.pid)
            game.process.kill()
            game.process.wait(timeout=10)
            self.wait_until_gone(helper)

    def test_interrupt_ends_the_game_and_the_helper(self):
        project = self.compiled_project()
        with Game(project) as game:
            helper = helper_of(game.process.pid)
            os.kill(helper, signal.SIGINT)  # the terminal sends it to both
            os.kill(game.process.pid, signal.SIGINT)
            game.process.wait(timeout=60)
            self.wait_until_gone(helper)

    def test_helper_costs_little_memory(self):
        project = self.compiled_project()
        with Game(project) as game:
            status = read(f"/proc/{helper_of(game.process.pid)}/status")
            if not IS_SANITIZED:  # their shadow memory counts
                private_kb = int(re.search(r"RssAnon:\s+(\d+) kB", status)[1])
                self.assertLess(private_kb, 1536)


if __name__ == "__main__":
    unittest.main()
