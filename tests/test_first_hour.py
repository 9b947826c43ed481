"""Does docs/first_hour.md as it is written: its own commands and edits, with one game running from
step 2 on, and checks after each of them what the page says that one should see.

The test draws the page's picture: CUTTLE_UPDATE_GOLDEN=1 writes it again."""

import os
import re
import shlex
import shutil
import subprocess
import time
import unittest

from support_cuttle import LIMIT, ROOT, Game, TemporaryFolder, cuttle, read
from support_png import is_same, read_png
from support_prompt import Prompt
from support_tutorial import apply_edit, read_steps

PAGE = os.path.join(ROOT, "docs", "first_hour.md")
PICTURE = os.path.join(ROOT, "docs", "pictures", "first_hour.png")
FOX = "World.units_by_resource(Game.world, 'models/fox/fox')[1]"


# What differs from one machine and version of core to another, as it is written and as it may be.
VARYING = [(r"in \d+\.\d+ s", r"in [0-9.]+ s"), (r"compiled \d+,", r"compiled [0-9]+,"),
           (r"127\.0\.0\.1:64000", r"127[.]0[.]0[.]1:[0-9]+")]


def pattern_of(line):
    """A line of output as a regular expression."""
    for written, pattern in VARYING:
        found = re.search(written, line)
        if found:
            return pattern_of(line[:found.start()]) + pattern + pattern_of(line[found.end():])
    return re.escape(line)


def changed_share(a, b):
    """The share of pixels that differ visibly."""
    off = [abs(x - y) > 8 for x, y in zip(a.pixels, b.pixels)]
    return sum(map(any, zip(off[0::3], off[1::3], off[2::3]))) / (a.width * a.height)


class FirstHour(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.page = read_steps(read(PAGE), "##")
        # Commands are typed in Cuttle's folder; the project is beside it.
        self.cuttle_folder = self.path("cuttle")
        os.mkdir(self.cuttle_folder)
        os.symlink(os.path.join(ROOT, "samples"), os.path.join(self.cuttle_folder, "samples"))
        self.project = self.path("mygame")

    # --- Doing what the page says ---

    def type(self, line):
        """Runs one command line of the page; returns what it wrote to standard output."""
        program, *arguments = shlex.split(line)
        self.assertEqual(program, "cuttle", line)
        return cuttle(*arguments, cwd=self.cuttle_folder, check=0).stdout

    def check_output(self, output, block):
        """The block's lines are the output's, from the first to the last."""
        self.assertEqual(block.language, "text")
        self.assertRegex(output, re.compile(
            "\\A" + "\n".join(map(pattern_of, block.lines())) + "\n\\Z"))

    def wait_for_log(self, patterns, since):
        """Waits until the game has logged such lines, after so many characters."""
        end = time.monotonic() + LIMIT
        for pattern in patterns:
            while not re.search("(?m)^" + pattern + "$", self.game.log()[since:]):
                self.assertLess(time.monotonic(), end, f"no {pattern}:\n{self.game.log()[since:]}")
                time.sleep(0.02)

    def follow(self, blocks):
        """Does edits, and waits for what the page says that the game then logs."""
        since = len(self.game.log())
        for block in blocks:
            if block.language == "text":
                self.wait_for_log(map(pattern_of, block.lines()), since)
                since = len(self.game.log())
            else:
                self.assertTrue(block.file, block.text)
                apply_edit(self.project, block)

    def feed(self, key, kind):
        """Feeds the game what a keyboard does, as a tool may."""
        self.game.console.send(type="script", script="Input.add_remote_events { { "
                               f'device = "keyboard", kind = "{kind}", name = "{key}" }} }}')

    def do_without_display(self, step):
        """Runs the commands that the page gives at this step for machines without a display."""
        text = re.split(r"(?m)^## \d+\. .*$", read(PAGE))[step]
        notes = re.findall(r"(?m)^> \*No display:\* (.*)$", text)
        commands = [c for note in notes for c in re.findall("`(cuttle console [^`]+)`", note)]
        self.assertTrue(commands, text)
        for command in commands:
            program, console, *arguments = shlex.split(command)
            cuttle(console, f"127.0.0.1:{self.game.port}", *arguments, cwd=self.path(), check=0)

    def num_units(self):
        return self.game.console.script("World.num_units(Game.world)")

    def picture(self, name, size="160x90"):
        """What the project shows now, after the same 30 frames each time."""
        path = self.path(name + ".png")
        done = cuttle("run", self.project, "--headless", "--frames", 30, "--fixed-dt", "0.0166667",
                      "--size", size, "--screenshot", path, "--data-dir", self.path("data"), check=0)
        self.assertNotIn("warning", done.stderr)
        return read_png(path)

    # --- The steps ---

    def make_project(self):
        export, new, run = self.page[2][0].lines()
        self.assertIn("build/release", export)
        self.check_output(self.type(new), self.page[2][1])
        self.assertEqual(shlex.split(run), ["cuttle", "run", "../mygame"])

    def import_fox(self, before):
        blocks = self.page[4]
        since = len(self.game.log())
        self.check_output(self.type(blocks[0].lines()[0]), blocks[1])
        # A busy machine may take the files in more than one go.
        self.game.console.wait_until("Application.can_get('unit', 'models/fox/fox')", "true")
        self.wait_for_log([r"\[reload\] reloaded .*\bmodels/fox/.*"], since)
        self.follow(blocks[2:4])
        self.assertEqual(self.num_units(), "10")
        self.do_without_display(4)
        self.game.console.wait_until("World.num_units(Game.world)", "11")
        orange = self.picture("orange fox")
        self.assertGreater(changed_share(before, orange), 0.01)
        self.follow(blocks[4:])
        white = self.picture("white fox")
        self.assertGreater(changed_share(orange, white), 0.005)
        # Imported again, what was changed stays.
        self.assertIn("unchanged 16", self.type(blocks[0].lines()[0]))
        self.assertEqual(self.picture("still white").pixels, white.pixels)
        return white

    def hop(self):
        self.follow(self.page[7])
        self.feed("space", "pressed")
        self.game.console.wait_until(f"Unit.local_position({FOX}, 1).z > 0.1", "true")
        self.game.console.wait_until(f"Unit.local_position({FOX}, 1).z == 0", "true")
        self.do_without_display(7)
        self.game.console.wait_until(f"Unit.local_position({FOX}, 1).z > 0.1", "true")

    def count_hops(self):
        before = self.picture("before the count", "480x270")
        self.follow(self.page[8])
        self.assertGreater(changed_share(before, self.picture("count", "480x270")), 0.001)
        self.feed("space", "released")
        self.feed("space", "pressed")
        self.game.console.wait_until("Game.hops", "1")
        self.do_without_display(8)
        self.game.console.wait_until("Game.hops", "3")

    def talk(self):
        command, greeting, typed = self.page[9]
        since = len(self.game.log())
        self.assertEqual(command.lines(), ["cuttle console"])
        prefix = f"{self.game.port}> "
        with Prompt(f"127.0.0.1:{self.game.port}", state=self.path("state")) as prompt:
            for line in greeting.lines():
                prompt.wait_for(pattern_of(line))
            lines = typed.lines()
            for i, line in enumerate(lines[:-1]):
                if line.startswith("64000> "):
                    prompt.wait_for(prefix)
                    prompt.line(line[len("64000> "):])
                else:
                    prompt.wait_for(rf"\n{re.escape(line)}\r")
            prompt.wait_for(prefix)
            prompt.type(lines[-1][len("64000> "):])
            prompt.complete("World.spawn_unit")
            prompt.complete(r"spawn_unit +spawn_units")
            prompt.type("\x03")
            prompt.line(":help")
            prompt.wait_for(":quit")
            prompt.type("\x04")
            self.assertEqual(prompt.end(), 0)
        self.assertNotIn("error", self.game.log()[since:])

    def keep(self):
        if not shutil.which("git"):
            return
        subprocess.run(["git", "init", "--quiet", self.project], check=True)
        added = subprocess.run(["git", "-C", self.project, "add", "-A", "-n"], check=True,
                               capture_output=True, text=True).stdout
        self.assertIn("scripts/main.lua", added)
        self.assertNotIn(".cuttle", added)

    def test_the_hour_is_as_written(self):
        self.assertEqual(sorted(self.page), list(range(1, 14)))
        self.assertEqual(self.page[1][0].text, "./run\n")
        self.make_project()
        start = self.picture("start")
        self.assertGreater(start.num_colors(), 500)
        with Game(self.project, "--size", "160x90") as self.game:
            self.wait_for_log(map(pattern_of, self.page[2][2].lines()), 0)

            self.follow(self.page[3])
            fast = self.picture("fast")
            self.assertGreater(changed_share(start, fast), 0.005)
            self.assertLess(changed_share(start, fast), 0.3)  # all but the cube is as it was

            fox = self.import_fox(fast)

            self.follow(self.page[5])
            striped = self.picture("striped")
            self.assertGreater(changed_share(fox, striped), 0.01)

            self.follow(self.page[6])
            self.feed("r", "pressed")
            self.game.console.wait_until("World.num_units(Game.world)", "12")
            self.do_without_display(6)
            self.assertEqual(self.num_units(), "12")
            self.assertGreater(read_png(self.path("now.png")).num_colors(), 500)
            drawn = self.picture("first_hour", "480x270")
            if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
                shutil.copyfile(self.path("first_hour.png"), PICTURE)
            self.assertTrue(is_same(drawn, read_png(PICTURE)), "the page's picture is another")

            self.hop()
            self.count_hops()
            self.talk()
            self.check_output(self.type(self.page[10][0].lines()[0]), self.page[10][1])
            self.check_output(self.type(self.page[11][0].lines()[0]), self.page[11][1])
            self.assertTrue(os.path.exists(os.path.join(self.project, ".luarc.json")))
            self.keep()
            self.feed("esc", "pressed")
            self.assertEqual(self.game.process.wait(timeout=LIMIT), 0)
        with Game(self.project, "--size", "160x90") as self.game:
            self.do_without_display(2)
            self.do_without_display(12)
            self.assertEqual(self.game.process.wait(timeout=LIMIT), 0)

    def test_the_sample_plays(self):
        done = cuttle("run", os.path.join(ROOT, "samples", "crates"), "--headless", "--frames", 2,
                      "--size", "160x90", "--data-dir", self.path("data"), check=0)
        self.assertNotIn("error", done.stderr)


if __name__ == "__main__":
    unittest.main()
