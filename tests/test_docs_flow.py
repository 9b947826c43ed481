"""docs/flow.md works as it is written: its graphs and functions, in a new project."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "flow.md"))
COUNTER = """components = [
    { id = "pose"  type = "transform" }
    { id = "mind"  type = "flow"  graph = "flow/counter" }
]
"""
BLINKER = """components = [
    { id = "pose"  type = "transform" }
    { id = "bulb"  type = "light"  light_type = "point"  intensity = 30 }
    { id = "mind"  type = "flow"  graph = "flow/blinker" }
]
"""


def lua_of(heading):
    """The Lua below one of the page's headings."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE)[1]
    return "\n".join(re.findall(r"(?ms)^```lua\n(.*?)^```$", text))


class Flow(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        for block in re.findall(r"(?ms)^```\w*\n(.*?)^```$", PAGE):
            named = re.match(r"// (\S+\.\w+)\n", block)
            if named:
                write(os.path.join(self.project, named[1]), block)
        write(os.path.join(self.project, "units", "counter.unit"), COUNTER)

    def run_lua(self, at_start, at_end, frames=40):
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

    def test_a_lamp_grows_dark_until_a_script_lights_it(self):
        spawn, flash = lua_of("Let a unit do something").strip().splitlines()
        dark = 'print(string.format("intensity %.4f", Light.intensity(Unit.light(Game.lamp, 1))))'
        printed = self.run_lua(spawn, dark)
        # 39 steps of a sixtieth: six delays of 0.1 s have passed, each begun when the one before was over.
        self.assertRegex(printed, r"intensity 1[0-9]\.")
        printed = self.run_lua("", f"{flash} {dark}")
        self.assertIn("intensity 30.0000", printed)

    def test_variables_are_set_and_read(self):
        printed = self.run_lua(
            'unit = World.spawn_unit(Game.world, "units/counter")',
            'Unit.flow_event(unit, "add") print("first " .. Unit.flow_variable(unit, "score"))\n'
            + lua_of("Variables") + 'Unit.flow_event(unit, "add") '
            'print("then " .. Unit.flow_variable(unit, "score"))', frames=5)
        self.assertIn("first 15", printed)
        self.assertIn("then 8", printed)

    def test_a_node_in_lua_blinks(self):
        write(os.path.join(self.project, "units", "blinker.unit"), BLINKER)
        watch = ('local now = Light.intensity(Unit.light(Game.blinker, 1)) '
                 'if now ~= Game.seen then Game.seen = now print("intensity " .. now) end')
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + lua_of("Nodes in Lua"))
        printed = self.run_lua(
            'Game.blinker = World.spawn_unit(Game.world, "units/blinker")\n'
            'local next_world = World.update\n'
            f'World.update = function(...) next_world(...) {watch} end', "", frames=30)
        self.assertEqual(re.findall(r"intensity (\d+)", printed)[:4], ["30", "0", "5", "0"])


if __name__ == "__main__":
    unittest.main()
