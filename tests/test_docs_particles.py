"""docs/particles.md works as it is written: its sources and functions, in a new project. An effect
that is saved while it plays goes on."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "particles.md"))

SCOUT = """components = [
    { id = "pose" type = "transform" }
    { id = "bones" type = "scene_graph" nodes = [ { id = "h" name = "hand" position = [0 0 1] } ] }
    { id = "code" type = "script" script = "behaviours/bomb" }
]
"""


def blocks(heading):
    """The blocks of Lua below one of the page's headings, without the files."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE)[1]
    found = re.findall(r"(?ms)^```lua\n(.*?)^```$", text)
    return [block for block in found if not block.startswith("-- behaviours/")]


class Particles(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        for block in re.findall(r"(?ms)^```\w*\n(.*?)^```$", PAGE):
            named = re.match(r"(?://|--) (\S+\.\w+)\n", block)
            if named:
                write(os.path.join(self.project, named[1]), block)
        write(os.path.join(self.project, "units", "scout.unit"), SCOUT)

    def run_lua(self, at_start, at_end="", frames=61):
        """Runs a game whose `init` goes on with `at_start`; `at_end` runs in the last frame, after
        updates of a sixtieth. Returns what it printed."""
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + f"""
local first = init
function init()
    first()
    {at_start}
end
local next_update, count = update, 0
function update(dt)
    next_update(dt)
    count = count + 1
    if count == {frames - 1} then
        {at_end}
    end
end
function render() end
""")
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", 1 / 60,
                      check=0)
        self.assertNotIn("error", done.stderr)
        self.assertNotIn("warning", done.stderr)
        return done.stderr + done.stdout

    def number(self, name, printed):
        return float(re.search(rf"{name} (-?[\d.]+)", printed)[1])

    def test_an_effect_plays_moves_and_ends(self):
        printed = self.run_lua("\n".join(blocks("Play an effect") + blocks("Move it")), """
            print("x " .. World.particles_position(Game.world, Game.puff).x)
            print("particles " .. World.num_particles(Game.world, Game.puff))""", frames=31)
        self.assertEqual(self.number("x", printed), 50)
        self.assertAlmostEqual(self.number("particles", printed), 30, delta=2)
        printed = self.run_lua("", """
            print("playing " .. tostring(World.are_particles_playing(Game.world, Game.puff)))""",
                               frames=150)
        self.assertIn("playing false", printed)

    def test_it_follows_a_unit_whose_behaviour_hears_of_the_end(self):
        printed = self.run_lua("\n".join(
            blocks("Play an effect") +
            ['Game.scout = World.spawn_unit(Game.world, "units/scout", Vector3(4, 0, 0))'] +
            blocks("Let it follow a unit") + blocks("Change it while it plays")), """
            local at = World.particles_position(Game.world, Game.puff)
            print("x " .. at.x)
            print("z " .. at.z)
            print("particles " .. World.num_particles(Game.world, Game.puff))""", frames=31)
        self.assertEqual(self.number("x", printed), 4)
        self.assertEqual(self.number("z", printed), 1)
        self.assertAlmostEqual(self.number("particles", printed), 90, delta=5)
        printed = self.run_lua("", 'print("alive " .. tostring(Unit.alive(Game.scout)))', frames=150)
        self.assertIn("alive false", printed)

    def test_a_component_plays(self):
        printed = self.run_lua("""
            Game.torch = World.spawn_unit(Game.world, "units/torch")""", """
            print("particles " .. World.num_particles(Game.world))
            """ + "\n".join(blocks("Give a unit an effect")) + """
            print("z " .. World.particles_position(Game.world, Game.puff).z)""", frames=31)
        self.assertAlmostEqual(self.number("particles", printed), 60, delta=4)
        self.assertEqual(self.number("z", printed), 0.5)

    def test_the_wind_blows(self):
        printed = self.run_lua("\n".join(blocks("Let the wind blow")) + '\nprint("wind " .. here.x)')
        self.assertGreaterEqual(self.number("wind", printed), 3)

    def test_rockets_make_sparks(self):
        printed = self.run_lua('Game.firework = World.create_particles(Game.world, "fx/firework", Vector3(0, 0, 0))', """
            print("rockets " .. World.num_particles(Game.world, Game.firework, 1))
            print("sparks " .. World.num_particles(Game.world, Game.firework, 2))""", frames=151)
        self.assertEqual(self.number("rockets", printed), 1)
        self.assertGreaterEqual(self.number("sparks", printed), 40)

    def test_a_variable_that_the_effect_has_not_is_an_error(self):
        torch = os.path.join(self.project, "units", "torch.unit")
        write(torch, read(torch).replace("{ strength", "{ strenght"))
        done = cuttle("compile", self.project)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('the effect has no variable "strenght"; did you mean "strength"?',
                      done.stdout + done.stderr)

    def test_an_effect_that_is_saved_goes_on(self):
        effect = os.path.join(self.project, "fx", "puff.particles")
        write(effect, read(effect).replace("duration = 1", ""))
        with Game(self.project, "--fixed-dt", "0.0166666667") as game:
            script = game.console.script
            script('Game.torch = World.spawn_unit(Game.world, "units/torch") '
                   'Game.puff = World.create_particles(Game.world, "fx/puff", Vector3(0, 0, 1))')
            count = "return World.num_particles(Game.world, Game.puff)"
            game.console.wait_until("World.num_particles(Game.world, Game.puff) > 40", "true")
            since = len(game.console.messages)
            write(effect, read(effect).replace("rate = { value = 60", "rate = { value = 6"))
            game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
            self.assertGreater(int(script(count)), 10)
            game.console.wait_until("World.num_particles(Game.world, Game.puff) < 10", "true")
            since = len(game.console.messages)
            write(effect, "emitters = 7")
            told = game.console.wait_for_message(lambda m: m.get("level") == "error", since)
            self.assertIn("puff.particles", told["message"])
            self.assertEqual(script("return World.are_particles_playing(Game.world, Game.puff)"),
                             "true")


if __name__ == "__main__":
    unittest.main()
