"""The door sample: a level that works by Flow. The demo plays it to its end, and what the graphs do on the
way is in its state. CUTTLE_UPDATE_GOLDEN=1 writes the golden picture anew."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write
from support_png import difference, is_same, read_png, write_png

STEP = "0.0166666667"
SAMPLE = os.path.join(ROOT, "samples", "door")
STATE = re.compile(r"state: player (\S+) (\S+) (\S+), door (\S+), gate (\S+), levers (\d+), lift (\S+), "
                   r"lamps (\d+), won (\w+), hash (\w{16})")
NAMES = ("x", "y", "z", "door", "gate", "levers", "lift", "lamps", "won", "hash")
TEXTS = ("levers", "won", "hash")
OPEN = 1.14  # metres that a leaf slides
UP = 2.28    # metres that the lift rises


class Door(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("door")

    def state(self, frames, *options):
        """What the game says about itself after so many frames of the demo."""
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP, "--size",
                      "64x36", *options, "--", "--unseen", "--state", check=0)
        log = done.stdout + done.stderr
        self.assertNotIn("error", log.lower())
        self.assertNotIn("warning", log.lower())
        found = STATE.search(log)
        self.assertTrue(found, log)
        return {name: text if name in TEXTS else float(text) for name, text in zip(NAMES, found.groups())}

    def game(self, *arguments, step=STEP):
        return Game(self.project, "--size", "64x36", "--fixed-dt", step, "--", "--unseen", *arguments)

    def expect(self, state, **expected):
        self.assertEqual({name: state[name] for name in expected}, expected, state)

    # --- The whole level --------------------------------------------------------------------------

    def test_the_demo_plays_to_the_end(self):
        start = self.state(20)
        self.expect(start, door=0, gate=0, levers="000", lift=0, lamps=2, won="false")
        self.expect(self.state(160), door=OPEN, gate=0, lamps=4)             # stood on the plate
        self.expect(self.state(520), door=0, gate=0, levers="111", lamps=4)  # a wrong order
        self.expect(self.state(640), door=0, gate=0, levers="000", lamps=4)  # so they are up again
        self.expect(self.state(760), gate=0, levers="011")                   # two of the right one
        rides = self.state(1260)
        self.expect(rides, gate=OPEN, levers="111", lamps=6, won="false")
        self.assertGreater(rides["lift"], 0.5)
        self.assertAlmostEqual(rides["z"] - rides["lift"], 0.15, delta=0.05)  # the lift carries the player
        end = self.state(1520)
        self.expect(end, lamps=8, won="true")
        self.assertAlmostEqual(end["z"], 2.42, places=2)
        self.assertLess(end["lift"], UP)  # it goes down without him

    def test_two_runs_have_the_same_bits(self):
        first = self.state(700, "--workers", 0)
        self.assertEqual(self.state(700, "--workers", 1), first)
        self.assertNotEqual(self.state(699)["hash"], first["hash"])

    def test_another_order_of_the_levers_does_not_open_the_gate(self):
        path = os.path.join(self.project, "flow", "level.flow")
        text = read(path)
        self.assertIn("value = 231", text)
        write(path, text.replace("value = 231", "value = 132"))
        self.expect(self.state(1520), gate=0, levers="000", lift=0, lamps=4, won="false")

    # --- Changes while it runs --------------------------------------------------------------------

    def change(self, game, name, old, new):
        """Saves another graph, and waits until the game has it."""
        path = os.path.join(self.project, "flow", name + ".flow")
        text = read(path)
        self.assertIn(old, text)
        since = len(game.console.messages)
        write(path, text.replace(old, new))
        game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)

    def test_plays_to_the_end_while_its_graphs_change(self):
        opening = 'Unit.local_position(Game.door, Unit.node(Game.door, "right")).x'
        rises = "Unit.local_position(Game.lift, 1).z > 0.3"
        with self.game("--demo", step="0.0333333333") as game:
            wait = game.console.wait_until
            game.console.script("Game.door = World.units_by_resource(Game.world, 'units/door')[1]\n"
                                "Game.lift = World.units_by_resource(Game.world, 'units/lift')[1]")
            # The time runs after which the door closes: it is that of the graph from before.
            wait("tostring(Mover.position(Unit.mover(Game.player.unit)).y > 2.5)", "true")
            self.change(game, "level", "time = 4 ", "time = 900 ")
            wait(f"tostring({opening} > 1.1)", "true")
            wait(f"tostring({opening} == 0)", "true")
            # The graph that moves everything, while it moves the lift.
            wait(f"tostring({rises})", "true")
            self.change(game, "approach", 'type = "number"  value = 0 ', 'type = "number"  value = 0.25 ')
            self.assertEqual(game.console.script(f"tostring({rises})"), "true")
            wait('tostring(Level.flow_variable(Game.level, "won"))', "true")
            log = game.log()
            self.assertNotIn("error", log)
            self.assertNotIn("warning", log)
            self.assertEqual(game.quit(), 0)

    # --- One thing after another ------------------------------------------------------------------

    def play(self, game, code):
        """Runs Lua that calls the updates itself."""
        game.console.send(type="command", command="pause")
        return game.console.script("""
            local function wait(seconds) for i = 1, seconds * 60 do update(1 / 60) end end
            local function put(x, y) Mover.set_position(Unit.mover(Game.player.unit), Vector3(x, y, 0.1)) end
            local door = World.units_by_resource(Game.world, "units/door")[1]
            local function is_open() return tostring(Unit.local_position(door, Unit.node(door, "right")).x > 1) end
            """ + code)

    def test_the_door_stays_open_for_a_player_that_comes_back_to_the_plate(self):
        with self.game("--still") as game:
            result = self.play(game, """
                wait(1) local results = { is_open() }
                put(-2.6, 1.5) wait(2) results[2] = is_open()
                put(0, 0) wait(3) results[3] = is_open()
                put(-2.6, 1.5) wait(8) results[4] = is_open()   -- longer than the door would have waited
                put(0, 0) wait(3.5) results[5] = is_open() wait(2) results[6] = is_open()
                return table.concat(results, " ")""")
            self.assertEqual(result, "false true true true true false")
            self.assertEqual(game.quit(), 0)

    def test_a_player_walks_and_throws_a_lever_by_keys(self):
        def key(kind, name):
            game.console.send(type="script", script="Input.add_remote_events { { "
                              f'device = "keyboard", kind = "{kind}", name = "{name}" }} }}')

        is_down = ('tostring(Unit.flow_variable(World.units_by_resource(Game.world, "units/lever")[2], '
                   '"is_down"))')
        with self.game("--still") as game:
            wait = game.console.wait_until
            wait("tostring(Game.player ~= nil)", "true")
            key("pressed", "e")  # too far away
            key("released", "e")
            game.console.script("Mover.set_position(Unit.mover(Game.player.unit), Vector3(0, 7.5, 0.1))")
            self.assertEqual(game.console.script(is_down), "false")
            key("pressed", "w")
            wait("tostring(Mover.position(Unit.mover(Game.player.unit)).y > 9.6)", "true")
            key("released", "w")
            self.assertEqual(game.console.script(is_down), "false")
            key("pressed", "e")
            wait(is_down, "true")
            self.assertEqual(game.quit(), 0)

    # --- Pictures ---------------------------------------------------------------------------------

    def test_looks_as_it_did(self):
        path = self.path("shot.png")
        cuttle("run", self.project, "--headless", "--frames", 5, "--fixed-dt", STEP, "--size", "320x180",
               "--screenshot", path, "--", "--still", check=0)
        golden = os.path.join(ROOT, "tests", "golden", "door.png")
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            write_png(golden, read_png(path))
        self.assertTrue(is_same(read_png(path), read_png(golden)),
                        difference(read_png(path), read_png(golden)))

    def test_the_readme_shows_all_graphs_as_they_are(self):
        graphs = sorted(name[:-5] for name in os.listdir(os.path.join(SAMPLE, "flow")) if name.endswith(".flow"))
        pictures = sorted(name[:-4] for name in os.listdir(os.path.join(SAMPLE, "graphs")))
        self.assertEqual(pictures, graphs)
        readme = read(os.path.join(SAMPLE, "README.md"))
        for name in graphs:
            self.assertIn(f"(graphs/{name}.svg)", readme)
            picture = self.path("graph.svg")
            cuttle("flow", "draw", os.path.join(SAMPLE, "flow", name + ".flow"), "-o", picture, check=0)
            self.assertEqual(read(picture), read(os.path.join(SAMPLE, "graphs", name + ".svg")),
                             f"draw it again: cuttle flow draw samples/door/flow/{name}.flow "
                             f"-o samples/door/graphs/{name}.svg")


if __name__ == "__main__":
    unittest.main()
