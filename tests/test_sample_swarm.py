"""The swarm sample: 10,000 units that behave the same whatever the number of threads, allocate
nothing once warm, begin anew, and change with their sources while they run.
CUTTLE_UPDATE_GOLDEN=1 writes the golden picture anew."""

import os
import re
import unittest

from support_cuttle import BUILD, ROOT, Game, TemporaryFolder, cuttle, last_json, read, rounds, write
from support_png import difference, is_same, read_png, write_png

STEP = "0.0166666667"
KINDS = {"bee": 6000, "butterfly": 1200, "flower": 2600, "hive": 50, "swallow": 150}
OTHERS = 4  # sky, sun, ground and camera


def is_sanitized():
    cache = read(os.path.join(BUILD, "CMakeCache.txt"))
    return bool(re.search(r"^CUTTLE_SANITIZE:\w+=.+$", cache, re.M))


class Swarm(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("swarm")

    def run_frames(self, frames, *options, arguments=()):
        """What `--state` printed, as numbers by name, and what `--json` did."""
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP,
                      "--size", "64x36", "--json", *options, "--", "--unseen", "--state",
                      *arguments, check=0)
        line = re.search(r"state: (.*), state (\w{16})", done.stdout + done.stderr)
        counts = {name: int(n) for n, name in re.findall(r"(\d+) (\w+)", line[1])}
        return counts, line[2], last_json(done.stdout)

    def test_threads_make_no_difference(self):
        frames = 200 if is_sanitized() else rounds(400, 1000)
        counts, state, _ = self.run_frames(frames, "--workers", 0)
        self.assertEqual(self.run_frames(frames, "--workers", 1)[:2], (counts, state))
        self.assertNotEqual(self.run_frames(frames - 1, "--workers", 1)[1], state)
        self.assertGreater(counts["visits"], 10 * frames)
        if frames >= 1000:
            self.assertGreater(counts["eaten"], 50)
            self.assertGreater(counts["born"], 50)
            self.assertGreater(counts["units"], 0.98 * sum(KINDS.values()))

    def test_bees_and_butterflies_fly_as_jobs(self):
        frames = 150 if is_sanitized() else rounds(250, 600)
        runs = [self.run_frames(frames, "--workers", workers, arguments=("--jobs", states, *others))[:2]
                for workers, states, others in ((0, 1, ()), (1, 1, ()), (1, 2, ()),
                                                (1, 2, ("--compare",)))]
        self.assertEqual(runs[1:], runs[:1] * 3)
        self.assertNotEqual(runs[0][1], self.run_frames(frames, "--workers", 1)[1])
        counts = runs[0][0]
        self.assertGreater(counts["visits"], 10 * frames)
        if frames >= 600:
            self.assertGreater(counts["eaten"], 30)
            self.assertGreater(counts["born"], 30)

    def test_compares_the_times_of_jobs(self):
        done = cuttle("run", self.project, "--headless", "--frames", 90, "--fixed-dt", STEP, "--size",
                      "64x36", "--", "--unseen", "--jobs", 2, "--compare", check=0)
        times = re.findall(r"over (\d) states: best ([\d.]+) ms, median ([\d.]+) ms of 10 frames",
                           done.stdout + done.stderr)
        self.assertEqual([states for states, _, _ in times], ["0", "1", "2"])
        self.assertTrue(all(0 < float(best) <= float(median) for _, best, median in times))

    # The arrays of a job that failed are lost.
    def test_flies_on_after_a_job_failed(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP, "--", "--unseen", "--jobs",
                  2) as game:
            game.console.wait_until("Game.meadow.num_visits > 50", "true")
            script = os.path.join(self.project, "jobs", "flight.lua")
            good = read(script)
            write(script, good.replace("local function open(share)\n",
                                       'local function open(share)\n    error("a bad job")\n'))
            game.console.wait_for_message(lambda m: "a bad job" in m.get("message", ""))
            write(script, good)
            visits = int(game.console.script("Game.meadow.num_visits"))
            game.console.wait_until(f"Game.meadow.num_visits > {visits + 500}", "true")
            game.console.script("Game.restart()")
            for kind, count in KINDS.items():
                self.assertEqual(self.count(game, kind), count, kind)
            game.console.wait_until("Game.meadow.num_visits > 50", "true")
            self.assertEqual(game.quit(), 0)

    # LuaJIT's compiler allocates when it finds something new to compile: not the frame's.
    @unittest.skipIf(is_sanitized(), "the same in every build, and long")
    def test_frames_do_not_allocate(self):
        script = os.path.join(self.project, "scripts", "main.lua")
        write(script, "jit.off()\n" + read(script))
        counts, _, report = self.run_frames(1000, "--times", "--warm-up", 700)
        self.assertGreater(counts["born"], 50)
        self.assertEqual(report["allocations"]["last_frames"], [])
        self.assertEqual(report["allocations"]["blocks"], {})

    def test_tells_how_long_each_system_takes(self):
        _, _, report = self.run_frames(60, "--times", "--warm-up", 30)
        self.assertEqual(report["warm_up"], 30)
        times = {tuple(t["scope"]): t for t in report["times"] if t["thread"] == "update"}
        update = ("frame", "update", "lua update")
        for kind in ("bee", "butterfly", "flower", "swallow"):
            scope = times[(*update, "behaviours", "behaviours/" + kind)]
            self.assertGreater(scope["ms"], 0)
            self.assertGreaterEqual(scope["calls"], 1)
            self.assertGreaterEqual(scope["worst_ms"], scope["ms"])
        for system in ("collect garbage", "tidy transforms", "scene graphs", "meshes", "lights"):
            self.assertIn((*update, "world", system), times)
        parts = sum(t["ms"] for scope, t in times.items() if scope[:-1] == update)
        self.assertLessEqual(parts, times[update]["ms"])

    def test_prints_times_as_a_table(self):
        done = cuttle("run", self.project, "--headless", "--frames", 30, "--fixed-dt", STEP, "--size",
                      "64x36", "--times", "--", "--unseen", check=0)
        self.assertIn("a frame, over 20 frames after 10:", done.stdout)
        self.assertRegex(done.stdout, r"\d+\.\d{3} +\d+\.\d{3} +[\d.]+ +behaviours/bee\n")
        self.assertRegex(done.stdout, r"allocated")
        nowhere = cuttle("run", self.project, "--no-compile", "--times", check=1,
                         env={"CUTTLE_CORE": "/nowhere"})
        self.assertIn('the engine\'s data is not at "/nowhere"', nowhere.stderr)
        self.assertIn("--warm-up needs --times", cuttle("run", self.project, "--warm-up", 5,
                                                        check=2).stderr)

    def count(self, game, kind):
        return int(game.console.script(f'#World.units_by_resource(Game.world, "units/{kind}")'))

    def test_begins_anew_and_changes_while_it_runs(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP, "--", "--unseen") as game:
            for kind, count in KINDS.items():
                self.assertEqual(self.count(game, kind), count, kind)
            # Until a bee was eaten that the level did not bring.
            game.console.wait_until("EntityArray.size(Game.meadow.born) > 3", "true")
            game.console.script("World.destroy_unit(Game.world, (function() "
                                "for i = 1, EntityArray.size(Game.meadow.born) do "
                                "local bee = EntityArray.get(Game.meadow.born, i) "
                                "if Unit.alive(bee) then return bee end end end)())")

            ended_ms, spawned_ms = map(float, game.console.script(
                'string.format("%f %f", Game.restart())').strip('"').split())
            self.assertGreater(min(ended_ms, spawned_ms), 0)
            for kind, count in KINDS.items():
                self.assertEqual(self.count(game, kind), count, kind)
            self.assertEqual(int(game.console.script("World.num_units(Game.world)")),
                             sum(KINDS.values()) + OTHERS)

            # A behaviour: those that fly hear of it, and go on where they are.
            bee = os.path.join(self.project, "behaviours", "bee.lua")
            good = read(bee)
            write(bee, good.replace("return Bee\n", """
function Bee.reloaded(self)
    Game.num_reloaded = (Game.num_reloaded or 0) + 1
end

return Bee
"""))
            game.console.wait_until("(Game.num_reloaded or 0) > 5800", "true")
            write(bee, good + "end\n")  # an error changes nothing
            game.console.wait_for_message(lambda m: "bee.lua" in m.get("message", ""))
            write(bee, good)
            visits = int(game.console.script("Game.meadow.num_visits"))
            game.console.wait_until(f"Game.meadow.num_visits > {visits + 500}", "true")

            # The level: without a flower from the next time on.
            level = os.path.join(self.project, "levels", "meadow.level")
            write(level, re.sub(r'    \{ id = "flower_17" .*\n', "", read(level)))
            game.console.wait_until(
                'Game.restart() and #World.units_by_resource(Game.world, "units/flower")',
                str(KINDS["flower"] - 1))
            log = game.log()
            self.assertEqual(len(re.findall(r"\berror\b", log)),
                             len(re.findall(r"bee\.lua.*\berror\b|\berror\b.*bee\.lua", log)), log)
            self.assertEqual(game.quit(), 0)

    def test_looks_as_it_did(self):
        path = self.path("shot.png")
        cuttle("run", self.project, "--headless", "--frames", 30, "--fixed-dt", STEP, "--size",
               "320x180", "--screenshot", path, check=0)
        golden = os.path.join(ROOT, "tests", "golden", "swarm.png")
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            write_png(golden, read_png(path))
        self.assertTrue(is_same(read_png(path), read_png(golden)),
                        difference(read_png(path), read_png(golden)))


if __name__ == "__main__":
    unittest.main()
