"""The agents sample: 1,000 people and carts in a town with doors, a wall that falls and a barricade. Nobody
gets stuck, nobody walks through closed doors, and memory stays flat; the recorded input plays.
CUTTLE_UPDATE_GOLDEN=1 writes the golden picture anew."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, last_json, read, rounds
from support_png import difference, is_same, read_png, write_png

STEP = "0.0166666667"
SAMPLE = os.path.join(ROOT, "samples", "agents")
STATE = re.compile(r"state: (\d+ walkers, .*), hash (\w{16})")
FALL = 240  # the frame in which the recorded input fells the wall
MADE = ("models", "textures", "materials", "units", "levels")


class Agents(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("agents")

    def run_frames(self, frames, *options, arguments=()):
        """What the game says about itself at its end, as numbers by name, the hash, and what `--json` printed."""
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP,
                      "--size", "64x36", "--json", *options, "--", "--unseen", "--state", *arguments,
                      check=0, timeout=3600)
        # Another program of the machine may try the console's port meanwhile.
        log = re.sub(r"(?m)^.*\[console_closed\]\n", "", done.stdout + done.stderr)
        self.assertNotIn("error", log.lower())
        self.assertNotIn("warning", log.lower())
        found = STATE.search(log)
        self.assertTrue(found, log)
        state = {}
        for part in found[1].split(", "):
            first, second = part.split(" ")
            state.update({second: float(first)} if first[0].isdigit() else {first: float(second)})
        return state, found[2], last_json(done.stdout)

    def test_everybody_gets_along(self):
        frames = rounds(600, 10000)
        state, _, _ = self.run_frames(frames)
        self.assertEqual(state["walkers"], 1000)
        self.assertEqual(state["off"], 0)
        self.assertLess(state["still"], 10)
        self.assertEqual(state["trespasses"], 0)
        self.assertGreater(state["walking"], 250)
        self.assertGreater(state["arrived"], 3)
        self.assertGreater(state["jumps"], 0)
        if frames >= 10000:
            self.assertGreater(state["arrived"], 1200)
            self.assertGreater(state["crossings"], 50)
            self.assertGreater(state["climbs"], 0)

    def test_the_wall_falls_and_opens_a_shorter_way(self):
        before, _, _ = self.run_frames(FALL - 10, arguments=["--people", "20", "--carts", "5"])
        after, _, _ = self.run_frames(FALL + 60, arguments=["--people", "20", "--carts", "5"])
        self.assertEqual(before["crossings"], 0)
        self.assertGreater(before["way"], 50)
        self.assertLess(after["way"], 20)

    def test_threads_make_no_difference(self):
        _, first, _ = self.run_frames(400, "--workers", 0)
        self.assertEqual(self.run_frames(400, "--workers", 1)[1], first)
        self.assertNotEqual(self.run_frames(399, "--workers", 1)[1], first)

    def test_memory_stays_flat(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP, "--", "--unseen", "--demo") as game:
            game.console.wait_until("tostring(Game.frame > 10)", "true")
            game.console.send(type="command", command="pause")

            def live(frames):
                for _ in range(frames // 100):
                    game.console.script("for i = 1, 100 do update(1 / 60) end")
                game.console.script("collectgarbage('collect')")
                game.console.send(type="command", id="memory", command="memory")
                answer = game.console.wait_for_message(lambda m: m.get("id") == "memory",
                                                       len(game.console.messages))
                rows = [line.split(None, 3) for line in answer["result"].splitlines()[1:]]
                return [(int(size), int(blocks)) for size, _, blocks, name in rows
                        if name.endswith(("worlds/world", "script/lua"))]

            # Memory of searches grows to what the largest needed; its blocks do not become more.
            warm = live(rounds(1200, 5000))
            self.assertEqual(len(warm), 2)
            for (bytes_before, before), (bytes_after, after) in zip(warm, live(rounds(600, 5000))):
                self.assertLess(bytes_after, rounds(2.5, 1.5) * bytes_before)
                self.assertLess(after, 1.05 * before)
            self.assertEqual(game.quit(), 0)

    def test_starts_over_and_shows_its_mesh(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP, "--", "--still") as game:
            game.console.wait_until("tostring(Game.frame > 5)", "true")
            game.console.script("Game.restart()")
            game.console.script("Game.shows_mesh = true")
            self.assertEqual(game.console.script("#Game.walkers"), "1000")
            game.console.wait_until("tostring(Game.frame > 15)", "true")
            log = game.log()
            self.assertNotIn("error", log)
            self.assertNotIn("warning", log)
            self.assertEqual(game.quit(), 0)

    def test_looks_as_it_did(self):
        path = self.path("shot.png")
        cuttle("run", self.project, "--headless", "--frames", 60, "--fixed-dt", STEP, "--size",
               "320x180", "--screenshot", path, check=0)
        golden = os.path.join(ROOT, "tests", "golden", "agents.png")
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            write_png(golden, read_png(path))
        self.assertTrue(is_same(read_png(path), read_png(golden)),
                        difference(read_png(path), read_png(golden)))

    def test_the_town_is_what_the_script_makes(self):
        copy = self.path("samples", "agents")
        for name in ("agents", "crates"):
            shutil.copytree(os.path.join(ROOT, "samples", name, "tools"),
                            self.path("samples", name, "tools"))
        for folder in MADE:
            os.makedirs(os.path.join(copy, folder))
        subprocess.run([sys.executable, os.path.join(copy, "tools", "make_town.py")], check=True,
                       stdout=subprocess.DEVNULL)
        for folder in MADE:
            for name in os.listdir(os.path.join(copy, folder)):
                made = os.path.join(folder, name)
                self.assertTrue(filecmp.cmp(os.path.join(copy, made), os.path.join(SAMPLE, made), False), made)


if __name__ == "__main__":
    unittest.main()
