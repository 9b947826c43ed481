"""`cuttle console` as a prompt, at a pseudo terminal and from a pipe."""

import os
import signal
import socket
import subprocess
import time
import unittest

from support_cuttle import CUTTLE, LIMIT, Game, TemporaryFolder, cuttle, read
from support_png import read_png
from support_prompt import Prompt


def port_of_its_own():
    """A free port below those of 64000 and up that games take by themselves, and below those that
    the system gives to connections."""
    port = 20000 + os.getpid() % 10000
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                port += 1


class PromptTest(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.state = self.path("state")

    def prompt(self, *arguments):
        return Prompt(*arguments, state=self.state)

    def test_runs_lua_and_commands_and_shows_errors(self):
        with Game(self.project) as game, self.prompt(f"127.0.0.1:{game.port}") as prompt:
            prompt.wait_for(f"connected to 127.0.0.1:{game.port}")
            prompt.wait_for(f"{game.port}> ")
            prompt.line("6 * 7")
            prompt.wait_for(r"\n42\r")
            prompt.line("pause")
            prompt.wait_for(r"\npaused\r")
            prompt.line("memory = 'a variable'")
            prompt.line("memory")
            prompt.wait_for("cuttle/app")
            prompt.line("error('on purpose')")
            prompt.wait_for("error: .*on purpose")
            prompt.wait_for("stack traceback")
            prompt.line(":nonsense")
            prompt.wait_for('unknown command ":nonsense"')
            prompt.type("\x04")
            self.assertEqual(prompt.end(), 0)
            self.assertEqual(game.quit(), 0)

    def test_takes_several_lines_for_one_chunk(self):
        with Game(self.project) as game, self.prompt(f"127.0.0.1:{game.port}") as prompt:
            prompt.wait_for("> ")
            prompt.line("for i = 1, 3 do")
            prompt.wait_for(">> ")
            prompt.line("total = (total or 0) + i")
            prompt.wait_for(">> ")
            prompt.line("end")
            prompt.wait_for(r"\d> ")
            prompt.line("total")
            prompt.wait_for(r"\n6\r")
            # Ctrl-C drops what is unfinished, and the line.
            prompt.line("if true then")
            prompt.wait_for(">> ")
            prompt.type("nonsense(\x03")
            prompt.wait_for(r"\^C")
            prompt.line("'fresh'")
            prompt.wait_for(r"\nfresh\r")
            self.assertEqual(game.quit(), 0)

    def test_completes_names(self):
        with Game(self.project) as game, self.prompt(f"127.0.0.1:{game.port}") as prompt:
            prompt.wait_for("> ")
            prompt.type("World.spawn")
            prompt.complete("World.spawn_unit")
            prompt.complete(r"spawn_unit +spawn_units")
            prompt.type("\x03")
            prompt.wait_for(r"\^C")
            prompt.type("x = 'units/cub\t'\n")
            prompt.wait_for("units/cube'")
            prompt.line("x")
            prompt.wait_for(r"\nunits/cube\r")
            prompt.type(":eng\t\n")
            prompt.wait_for(rf"\* 1  127\.0\.0\.1:{game.port}")
            self.assertEqual(game.quit(), 0)

    def test_shows_the_log_while_one_types(self):
        with Game(self.project) as game, self.prompt(f"127.0.0.1:{game.port}") as prompt:
            prompt.wait_for("> ")
            prompt.type("1 + 1")
            prompt.wait_for(r"1 \+ 1")
            game.console.script("print('from the game')")
            prompt.wait_for("from the game")
            game.console.script("print('a name\\27[2Jthat is obeyed')")
            prompt.wait_for(r"a name\\x1b\[2Jthat is obeyed")
            # What was typed stands below again.
            prompt.wait_for(r"\d> 1 \+ 1")
            prompt.line(" + 40")
            prompt.wait_for(r"\n42\r")
            prompt.line(":level none")
            prompt.line("print('hidden')")
            prompt.line("'behind'")
            prompt.wait_for(r"\nbehind\r")
            self.assertNotIn("] hidden", prompt.text())
            prompt.line(":level info")
            prompt.line(":filter WANTED")
            prompt.line("print('dropped') print('is wanted')")
            prompt.wait_for(r"\] is wanted")
            self.assertNotIn("] dropped", prompt.text())
            prompt.line(":filter")
            prompt.line(":system render")
            prompt.line("print('of lua')")
            prompt.line("'between'")
            prompt.wait_for(r"\nbetween\r")
            prompt.line(":system all")
            prompt.line("print('of all')")
            prompt.wait_for(r"\] of all")
            self.assertNotIn("] of lua", prompt.text())
            self.assertIn("\x1b[2m", prompt.raw)  # in colour
            self.assertEqual(game.quit(), 0)

    def test_talks_to_several_engines(self):
        with Game(self.project) as one, Game(self.project) as two:
            one.console.script("who = 'first'")
            two.console.script("who = 'second'")
            with self.prompt(f"127.0.0.1:{one.port}", f"127.0.0.1:{two.port}") as prompt:
                prompt.wait_for("all> ")
                prompt.line("who .. '!'")
                prompt.wait_for(r"(first|second)!")
                prompt.wait_for(r"(first|second)!")
                self.assertIn(f"{one.port}: first!", prompt.text())
                self.assertIn(f"{two.port}: second!", prompt.text())
                prompt.line(":use 2")
                prompt.wait_for(f"{two.port}> ")
                prompt.line("who .. '?'")
                prompt.wait_for(rf"{two.port}: second\?")
                prompt.line(":all")
                prompt.line("who .. '.'")
                prompt.wait_for(r"first\.|second\.")
                prompt.wait_for(r"first\.|second\.")
                self.assertNotIn("first?", prompt.text())
                prompt.line(":quit")
                self.assertEqual(prompt.end(), 0)
            self.assertEqual(one.quit(), 0)
            self.assertEqual(two.quit(), 0)

    def test_connects_again_when_an_engine_comes_back(self):
        port = port_of_its_own()  # in between it is free: other tests' games must not take it
        with Game(self.project, "--port", port) as game:
            self.assertEqual(game.port, port)
            prompt = self.prompt(f"127.0.0.1:{port}")
            prompt.wait_for(f"{port}> ")
            self.assertEqual(game.quit(), 0)
        with prompt:
            prompt.wait_for("engine has ended")
            prompt.line("1")
            prompt.wait_for("no engine is connected")
            with Game(self.project, "--port", port) as game:
                self.assertEqual(game.port, port)
                prompt.wait_for("connected to")
                prompt.line("'back ' .. 'again'")
                prompt.wait_for(r"\nback again\r")
                self.assertEqual(game.quit(), 0)

    def test_stops_waiting_at_ctrl_c(self):
        with Game(self.project) as game, self.prompt(f"127.0.0.1:{game.port}") as prompt:
            prompt.wait_for("> ")
            prompt.line("Application.sleep(3000)")
            time.sleep(0.3)
            prompt.process.send_signal(signal.SIGINT)
            prompt.wait_for("> ", seconds=2)
            self.assertEqual(game.quit(), 0)

    def test_ends_at_ctrl_d_that_was_typed_while_a_command_ran(self):
        with Game(self.project) as game:
            with self.prompt(f"127.0.0.1:{game.port}") as prompt:
                prompt.wait_for("> ")
                prompt.line("t = os.clock() while os.clock() - t < 0.5 do end return 'slow'")
                time.sleep(0.2)
                prompt.type("\x04")
                self.assertEqual(prompt.end(), 0)
                self.assertIn("slow", prompt.text())

    def test_keeps_its_history(self):
        with Game(self.project) as game:
            address = f"127.0.0.1:{game.port}"
            with self.prompt(address) as prompt:
                prompt.wait_for("> ")
                prompt.line("'first' .. ' line'")
                prompt.wait_for(r"\nfirst line\r")
                prompt.line("'zweite Zeile: ä'")
                prompt.wait_for(r"\nzweite Zeile: ä\r")
                prompt.type("\x04")
                self.assertEqual(prompt.end(), 0)
            path = os.path.join(self.state, "cuttle", "console_history")
            self.assertEqual(read(path), "'first' .. ' line'\n'zweite Zeile: ä'\n")
            with self.prompt(address) as prompt:
                prompt.wait_for("> ")
                prompt.type("\x1b[A\x1b[A\n")  # twice up
                prompt.wait_for(r"\nfirst line\r")
                prompt.line(":quit")
                self.assertEqual(prompt.end(), 0)
            self.assertEqual(game.quit(), 0)

    def test_tells_that_an_engine_ended_without_an_answer(self):
        with Game(self.project) as game:
            done = subprocess.Popen([CUTTLE, "console", f"127.0.0.1:{game.port}"],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
            done.stdin.write("print('asleep') Application.sleep(60000)\n")
            done.stdin.flush()
            end = time.monotonic() + LIMIT
            while "asleep" not in game.log() and time.monotonic() < end:
                time.sleep(0.05)
            game.process.kill()
            _, errors = done.communicate(timeout=LIMIT)
            self.assertEqual(done.returncode, 1)
            self.assertIn("before it answered", errors)

    def test_writes_the_screenshot_that_comes_back(self):
        with Game(self.project) as game, self.prompt(f"127.0.0.1:{game.port}") as prompt:
            prompt.wait_for("> ")
            path = self.path("shot.png")
            prompt.line(f"screenshot {path}")
            prompt.wait_for(rf"\nwrote {path}")
            self.assertEqual(read_png(path).width, 160)
            prompt.line(f"screenshot {self.path('no')}/where.png")
            prompt.wait_for("error: cannot find .*no: No such file")
            with Game(self.project) as other:
                prompt.line(f":connect 127.0.0.1:{other.port}")
                prompt.wait_for(f"connected to 127.0.0.1:{other.port}")
                prompt.line(f"screenshot {path}")
                prompt.wait_for("error: several engines would write the same file")
                prompt.line(f":use {other.port}")
                prompt.line(f"screenshot {path}")
                prompt.wait_for(rf"{other.port}: wrote {path}")
                self.assertEqual(other.quit(), 0)
            done = subprocess.run([CUTTLE, "console", f"127.0.0.1:{game.port}"], text=True,
                                  input="screenshot\nscreenshot no/where.png\n'on'\n",
                                  capture_output=True, cwd=self.folder, timeout=LIMIT)
            picture = os.path.join(os.path.realpath(self.folder), "screenshot.png")
            self.assertEqual((done.returncode, done.stdout), (1, f"wrote {picture}\non\n"))
            self.assertEqual(done.stderr, "error: cannot find no: No such file or directory\n")
            self.assertEqual(game.quit(), 0)

    def test_runs_the_lines_of_a_pipe(self):
        with Game(self.project) as game:
            def run(text, port=game.port):
                return subprocess.run([CUTTLE, "console", f"127.0.0.1:{port}"], input=text,
                                      capture_output=True, text=True, timeout=LIMIT)

            done = run("x = 0\nfor i = 1, 4 do\n  x = x + i\nend\nx\n\nprint('log')\n'end'")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "10\nend\n", ""))
            done = run("error('no')\n'goes on'\n")
            self.assertEqual((done.returncode, done.stdout), (1, "goes on\n"))
            self.assertIn("no", done.stderr)
            done = run("if true then\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn("ends in the middle of", done.stderr)
            self.assertEqual(game.quit(), 0)
        done = run("1\n", port=1)  # the game's may be another test's by now
        self.assertEqual(done.returncode, 1)
        self.assertIn("no engine", done.stderr)
        cuttle("console", "127.0.0.1:1", "127.0.0.1:1", check=2)


if __name__ == "__main__":
    unittest.main()
