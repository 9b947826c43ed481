"""The crowd sample: 1,000 characters that walk and stop the same way whatever the number of threads,
stay in the plaza, and are moved by their clips.
CUTTLE_UPDATE_GOLDEN=1 writes the golden picture anew."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, last_json
from support_png import difference, is_same, read_png, write_png

STEP = "0.0166666667"
EDGE = 36  # metres; the plaza's, as in tools/make_assets.py


class Crowd(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("crowd")

    def run_frames(self, frames, *options, arguments=()):
        """How many walk, the farthest, the hash of the state, and what `--json` printed."""
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP,
                      "--size", "64x36", "--json", *options, "--", "--unseen", "--state", *arguments,
                      check=0)
        log = done.stdout + done.stderr
        self.assertNotIn("error", log.lower())
        line = re.search(r"state: (\d+) people, (\d+) walk, farthest (\S+), state (\w{16})", log)
        self.assertEqual(int(line[1]), 1000)
        return int(line[2]), float(line[3]), line[4], last_json(done.stdout)

    def test_threads_make_no_difference(self):
        first = self.run_frames(120, "--workers", 0, arguments=["--posed"])
        self.assertEqual(self.run_frames(120, "--workers", 1, arguments=["--posed"])[:3], first[:3])
        self.assertNotEqual(self.run_frames(119, "--workers", 1, arguments=["--posed"])[2], first[2])

    def test_walks_and_stops_and_stays_in_the_plaza(self):
        num_walking, farthest, _, _ = self.run_frames(1500)
        self.assertGreater(num_walking, 300)
        self.assertLess(num_walking, 900)
        self.assertGreater(farthest, EDGE - 8)
        self.assertLess(farthest, EDGE)

    def test_tells_how_long_characters_take(self):
        _, _, _, report = self.run_frames(30, "--times", arguments=["--posed"])
        times = {t["scope"][-1]: t["ms"] for t in report["times"] if t["thread"] == "update"}
        self.assertGreater(times["characters"], 0)

    def test_clips_move_those_that_walk_as_far_as_they_say(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP, "--", "--unseen") as game:
            moved = game.console.script("""
                local unit = World.spawn_unit(Game.world, "units/rabbit", Vector3(0, 0, 5))
                Unit.animation_event(unit, "walk")
                World.update(Game.world, 11)  -- the fade, and ten rounds of 1.1 seconds
                local from = Unit.local_position(unit, 1).y
                World.update(Game.world, 11)
                local to = Unit.local_position(unit, 1).y
                World.destroy_unit(Game.world, unit)
                return to - from""")
            self.assertAlmostEqual(float(moved), 12.0, places=2)
            self.assertEqual(game.quit(), 0)

    def test_looks_as_it_did(self):
        path = self.path("shot.png")
        cuttle("run", self.project, "--headless", "--frames", 20, "--fixed-dt", STEP, "--size",
               "320x180", "--screenshot", path, check=0)
        golden = os.path.join(ROOT, "tests", "golden", "crowd.png")
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            write_png(golden, read_png(path))
        self.assertTrue(is_same(read_png(path), read_png(golden)),
                        difference(read_png(path), read_png(golden)))


if __name__ == "__main__":
    unittest.main()
