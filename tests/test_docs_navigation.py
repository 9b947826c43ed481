"""docs/navigation.md works as it is written: its sources and functions, in a new project."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "navigation.md"))
BLOCK = re.compile(r"(?ms)^```(\w*)[^\n]*\n(.*?)^```$")
FILE = re.compile(r"(?://|--) (\S+/\S+\.\w+)\n")
LINES = "Game.lines = Game.lines or World.create_line_object(Game.world)\n"
START = "Let a unit walk"


def lua_of(heading):
    """The Lua below one of the page's headings, without files; in a block of its own."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE)[1]
    found = [block for kind, block in BLOCK.findall(text) if kind == "lua" and not FILE.match(block)]
    assert found, heading
    return "do\n" + "\n".join(found) + "end\n"


class Navigation(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        for _, block in BLOCK.findall(PAGE):
            named = FILE.match(block)
            if named:
                write(os.path.join(self.project, named[1]), block)

    def run_lua(self, at_start="", at_end="", frames=600, in_update=""):
        """Runs a game whose `init` goes on with the guard and `at_start`; `at_end` runs in the last frame,
        after updates of a sixtieth. Returns what it printed."""
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + f"""
local function state()
    local component = EntityManager.script_component(Game.world)
    return ScriptComponent.state(component, ScriptComponent.instances(component, Game.guard))
end
local first = init
function init()
    first()
    {lua_of(START)}
    {at_start}
end
local next_update, count = update, 0
function update(dt)
    next_update(dt)
    count = count + 1
    {in_update}
    if count == {frames - 1} then
        local at = Unit.world_position(Game.guard, 1)
        print("guard", at.x, at.y, "arrivals", state().arrivals, "links", state().links)
        {at_end}
    end
end
function render() end
""")
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", 1 / 60,
                      check=0)
        # Another program of the machine may try the console's port meanwhile.
        said = re.sub(r"(?m)^.*\[console_closed\]\n", "", done.stderr)
        self.assertNotIn("error", said)
        self.assertNotIn("warning", said)
        return done.stderr + done.stdout

    def guard(self, printed):
        found = re.search(r"guard\s+(\S+)\s+(\S+)\s+arrivals\s+(\d+)\s+links\s+(\d+)", printed)
        return [float(text) for text in found.groups()]

    def test_a_guard_walks_around_the_wall(self):
        x, y, arrivals, links = self.guard(self.run_lua(in_update="""
            local way = Unit.world_position(Game.guard, 1)
            if math.abs(way.y) < 0.3 then print("through", way.x) end"""))
        self.assertAlmostEqual(x, 5, delta=0.5)
        self.assertAlmostEqual(y, 8, delta=0.5)
        self.assertEqual((arrivals, links), (1, 0))

    def test_a_closed_door_sends_it_over_the_wall(self):
        printed = self.run_lua(lua_of("Close a door"), frames=1500)
        x, y, arrivals, links = self.guard(printed)
        self.assertAlmostEqual(y, 8, delta=0.5)
        self.assertEqual((arrivals, links), (1, 1))

    def test_an_obstacle_is_walked_around(self):
        printed = self.run_lua(lua_of("Put something in the way"), frames=900, in_update="""
            local way = Unit.world_position(Game.guard, 1)
            local off = Vector3.length(way - Vector3(5, 4, 0))
            Game.least = math.min(Game.least or 100, off)""", at_end='print("least", Game.least)')
        self.assertAlmostEqual(self.guard(printed)[1], 8, delta=0.5)
        self.assertGreater(float(re.search(r"least\s+(\S+)", printed)[1]), 1.2)

    def test_paths_and_places_are_answered(self):
        code = lua_of("Ask for a path").replace("local corners, status", "corners, status")
        places = re.sub(r"(?m)^local (?!mesh)", "", lua_of("Ask for places"))
        printed = self.run_lua(code + places + """
            print("status", status, #corners > 2)
            print("places", math.abs(near.y) > 0.5, is_free, hit ~= nil, anywhere ~= nil, can_walk)""",
                               'print("answer", Game.answer, Game.num_corners > 2)', frames=120)
        self.assertRegex(printed, r"status\s+found\s+true")
        self.assertRegex(printed, r"answer\s+found\s+true")
        self.assertRegex(printed, r"places\s+true\s+true\s+true\s+true\s+true")

    def test_it_is_drawn(self):
        self.run_lua("", LINES + lua_of("See it"), frames=20)

    def test_a_saved_mesh_is_restored(self):
        printed = self.run_lua("", in_update="if count == 60 then\n" + lua_of("Save and restore") + "end",
                               at_end='print("saved", #Game.saved)')
        x, y, arrivals, _ = self.guard(printed)
        self.assertAlmostEqual(y, 8, delta=0.5)
        self.assertGreater(int(re.search(r"saved\s+(\d+)", printed)[1]), 100)

    def test_budgets_are_settings(self):
        block = re.search(r"(?ms)^```\n// settings\.config\n(.*?)^```$", PAGE)[1]
        settings = os.path.join(self.project, "settings.config")
        write(settings, read(settings) + block)
        self.assertEqual(self.guard(self.run_lua())[2], 1)

    def test_the_command_names_the_mesh(self):
        cuttle("compile", self.project, check=0)
        done = cuttle("navigation", "info", self.project, "levels/yard", check=0)
        self.assertIn("human", done.stdout)


if __name__ == "__main__":
    unittest.main()
