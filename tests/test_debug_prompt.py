"""`cuttle console debug`: the debugger at a terminal, and its lines from a file."""

import re
import subprocess
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, Game, TemporaryFolder, read
from support_prompt import Prompt

SCRIPT = "scripts/main.lua"


class DebugPrompt(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        lines = read(f"{self.project}/{SCRIPT}").split("\n")
        self.line = 1 + next(i for i, line in enumerate(lines) if "Game.time = Game.time + dt" in line)

    def run_lines(self, port, *lines):
        return subprocess.run([CUTTLE, "console", f"127.0.0.1:{port}", "debug"], text=True,
                              input="\n".join(lines) + "\n", capture_output=True, timeout=LIMIT)

    def test_lines_of_a_file_stop_look_and_step(self):
        with Game(self.project) as game:
            done = self.run_lines(game.port, f"break {SCRIPT}:{self.line}", "wait", "print dt", "where",
                                  "locals", "watch Game.time ~= nil", "next", "Game.time = 500",
                                  "breakpoints", "hits 1 %3", "threads", "Game.camera", "delete all",
                                  "continue")
            self.assertEqual((done.stderr, done.returncode), ("", 0))
            for pattern in (rf"stopped at {SCRIPT}:{self.line}: breakpoint 1\n> +{self.line}  .*Game.time",
                            r"\n0\.\d+\n", rf"\n>  0  update  {SCRIPT}:{self.line}\n", r"\n  dt = 0\.",
                            r"\nGame\.time ~= nil = true\n", r": step\n", r"hits %3\n",
                            r"\n>  1  main  stopped\n", r"\nUnit .*\n(  .*\n)*  camera = "):
                self.assertRegex(done.stdout, pattern)
            self.assertGreaterEqual(float(game.console.script("Game.time")), 500)
            self.assertEqual(game.quit(), 0)

    def test_the_session_of_the_page_works(self):
        page = read(f"{ROOT}/docs/debugging.md")
        session = page[page.index("```\nrunning> "):].split("```")[1]
        lines = re.findall("(?m)^(?:running|stopped)> (.*)$", session)
        lines.insert(1, "wait")  # which at a terminal happens by itself
        with Game(self.project) as game:
            done = self.run_lines(game.port, *lines)
            self.assertEqual((done.stderr, done.returncode), ("", 0))
            for line in re.findall("(?m)^(?:stopped at|>   ).*$", session):
                self.assertIn(line, done.stdout)
            self.assertEqual(game.quit(), 0)

    def test_errors_are_told_and_the_game_goes_on(self):
        with Game(self.project) as game:
            done = self.run_lines(game.port, "next", "break nowhere", f"break {SCRIPT}:{self.line} when x",
                                  "hits 7 5", "unwatch 1", "errors sometimes", "nothing_there.x")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(len(re.findall("^error: ", done.stderr, re.M)), 7, done.stderr)
            before = float(game.console.script("Game.time"))
            game.console.wait_until(f"Game.time > {before}", "true")
            self.assertEqual(game.quit(), 0)
        done = self.run_lines(1, "help")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing answers at 127.0.0.1:1", done.stderr)

    def test_breakpoints_of_one_unit(self):
        with Game(self.project) as game:
            done = self.run_lines(game.port, f"break {SCRIPT}:{self.line} unit boss if dt > 5",
                                  f"break {SCRIPT}:{self.line} unit #1", f"break {SCRIPT}:{self.line} if 1 +",
                                  "breakpoints")
            self.assertEqual((done.stderr, done.returncode), ("", 0))
            self.assertIn(f"\n   2  {SCRIPT}:{self.line}  unit #1\n", done.stdout)
            self.assertIn(f"   1  {SCRIPT}:{self.line}  unit boss  if dt > 5\n", done.stdout)
            self.assertRegex(done.stdout, rf"\n   3  {SCRIPT}:{self.line}  if 1 \+  \(refused\)\n")
            self.assertEqual(game.quit(), 0)

    def test_stops_appear_at_a_terminal(self):
        with Game(self.project) as game, \
                Prompt(f"127.0.0.1:{game.port}", "debug", state=self.path("state")) as prompt:
            prompt.wait_for("running> ")
            prompt.line(f"break {SCRIPT}:{self.line}")
            prompt.wait_for(f"stopped at {SCRIPT}:{self.line}: breakpoint")
            prompt.wait_for("stopped> ")
            prompt.line("dt * 0")
            prompt.wait_for(r"\n0\r")
            prompt.line("next")
            prompt.wait_for(": step")
            prompt.type("\x04")
            self.assertEqual(prompt.end(), 0)
            before = float(game.console.script("Game.time"))
            game.console.wait_until(f"Game.time > {before}", "true")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
