"""docs/physics.md works as it is written: its sources and functions."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "physics.md"))


def blocks(heading):
    """The blocks of code below one of the page's headings, without the files."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE)[1]
    found = [block for _, block in re.findall(r"(?ms)^```(\w*)[^\n]*\n(.*?)^```$", text)]
    return [block for block in found if not re.match(r"(?://|--) \S+\.\w+\n", block)]


class Physics(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        for block in re.findall(r"(?ms)^```\w*\n(.*?)^```$", PAGE):
            named = re.match(r"(?://|--) (\S+\.\w+)\n", block)
            if named:
                path = os.path.join(self.project, named[1])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                write(path, block)
        crate = os.path.join(self.project, "units", "crate.unit")
        self.fragile = read(crate)[:-2] + """
    { id = "code" type = "script" script = "behaviours/fragile" }
]
"""
        write(os.path.join(self.project, "units", "fragile.unit"), self.fragile)

    def run_lua(self, at_start, in_update="", at_end="", frames=121):
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
    {in_update}
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
        return done.stderr + done.stdout

    def number(self, name, printed):
        return float(re.search(rf"{name} (-?[\d.]+)", printed)[1])

    def test_a_crate_falls_and_is_pushed(self):
        printed = self.run_lua("\n".join(blocks("Let a crate fall") + blocks("Push it")), "", """
            local at = Unit.world_position(Game.crate, 1)
            print("height " .. at.z)
            print("way " .. at.y)""", frames=181)
        self.assertAlmostEqual(self.number("height", printed), 0.5, delta=0.02)
        self.assertGreater(self.number("way", printed), 0.5)

    def test_a_behaviour_counts_touches_and_a_gate_what_is_inside(self):
        printed = self.run_lua("""
            World.spawn_unit(Game.world, "units/ground")
            Game.gate = World.spawn_unit(Game.world, "units/gate")
            Game.crate = World.spawn_unit(Game.world, "units/fragile", Vector3(0, 0, 5))""", "", """
            local component = EntityManager.script_component(Game.world)
            local function state(unit)
                return ScriptComponent.state(component, ScriptComponent.instances(component, unit))
            end
            print("touches " .. state(Game.crate).touches)
            print("strongest " .. state(Game.crate).strongest)
            print("inside " .. state(Game.gate).inside)""", frames=240)
        self.assertEqual(self.number("touches", printed), 1)
        self.assertGreater(self.number("strongest", printed), 100)
        self.assertEqual(self.number("inside", printed), 1)

    def test_a_ray_finds_the_crate(self):
        printed = self.run_lua("\n".join(blocks("Let a crate fall")), "", "\n".join(
            blocks("Ask what is there")) + """
            print("hit " .. tostring(is_hit) .. " distance " .. distance)
            print("unit " .. tostring(Actor.unit(actor) == Game.crate))""", frames=181)
        self.assertIn("hit true", printed)
        self.assertAlmostEqual(self.number("distance", printed), 19, delta=0.03)
        self.assertIn("unit true", printed)

    def test_a_walker_walks(self):
        printed = self.run_lua("""
            World.spawn_unit(Game.world, "units/ground")
            Game.walker = World.spawn_unit(Game.world, "units/walker", Vector3(0, 0, 0.1))""",
                               "\n".join(blocks("Walk")), """
            local at = Unit.world_position(Game.walker, 1)
            print("way " .. at.y)
            print("height " .. at.z)
            print("standing " .. tostring(Game.is_on_ground))""", frames=121)
        self.assertAlmostEqual(self.number("way", printed), 4, delta=0.1)
        self.assertAlmostEqual(self.number("height", printed), 0, delta=0.05)
        self.assertIn("standing true", printed)


if __name__ == "__main__":
    unittest.main()
