"""docs/triggers.md works as it is written, in a project without actors."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "triggers.md"))
BLOCKS = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", PAGE)
SPAWN, MOVE, DISABLE = [block for kind, block in BLOCKS
                        if kind == "lua" and not block.startswith("-- ")]
COUNT = """
    local scripts = EntityManager.script_component(Game.world)
    local state = ScriptComponent.state(scripts, ScriptComponent.instances(scripts, Game.gate))
"""


class Triggers(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        self.assertNotIn("physics", read(os.path.join(self.project, "settings.config")))
        self.main = read(os.path.join(self.project, "scripts", "main.lua"))
        for _, block in BLOCKS:
            named = re.match(r"(?://|--) (\S+\.\w+)\n", block)
            if named:
                path = os.path.join(self.project, named[1])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                write(path, block)

    def play(self, frames, in_update="", at_end=""):
        """Runs a game in which the guest moves; returns what it printed."""
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, self.main + f"""
local first, next_update, count = init, update, 0
function init()
    first()
    {SPAWN}
end
function update(dt)
    count = count + 1
    if Unit.alive(Game.guest) then
        {MOVE}
    end
    {in_update}
    next_update(dt)
    if count == {frames - 1} then {at_end} end
end
function render() end
""")
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", 1 / 60,
                      check=0)
        self.assertNotIn("error", done.stderr)
        return done.stderr + done.stdout

    def count(self, printed):
        return [len(re.findall(rf"\[flow\] {label}", printed)) for label in ("enters", "leaves")]

    def test_a_guest_goes_through_the_gate(self):
        inside = COUNT + 'print("inside " .. state.inside .. tostring(state.last == Game.guest))'
        printed = self.play(61, at_end=inside)
        self.assertIn("inside 1true", printed)
        self.assertEqual(self.count(printed), [1, 0])
        printed = self.play(121, at_end=inside)
        self.assertEqual(self.count(printed), [1, 1])

    def test_a_gate_is_disabled(self):
        printed = self.play(61, f"if count == 50 then {DISABLE} end",
                            COUNT + 'print("inside " .. state.inside)')
        self.assertIn("inside 0", printed)
        self.assertEqual(self.count(printed), [1, 1])

    def test_a_guest_ends_inside(self):
        printed = self.play(71, "if count == 50 then World.destroy_unit(Game.world, Game.guest) end",
                            COUNT + 'print("inside " .. state.inside)')
        self.assertIn("inside 0", printed)
        self.assertEqual(self.count(printed), [1, 1])

    def test_saved_resources_cause_no_events(self):
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, self.main + f"""
local first = init
function init()
    first()
    {SPAWN}
    Unit.set_local_position(Game.guest, 1, Vector3(0, 0, 0))
end
function inside()
    {COUNT}
    return state.inside .. (PhysicsWorld.events(World.physics_world(Game.world))[1] and "!" or "")
end
""")
        with Game(self.project, "--size", "64x36", "--fixed-dt", "0.02") as game:
            game.console.wait_until("inside()", "1")
            for name, old, new in (("units/gate.unit", "[2 2 2]", "[9 9 9]"),
                                   ("units/guest.unit", '["guest"]', '["stranger"]'),
                                   ("flow/gate.flow", '"enters"', '"comes in"')):
                since = len(game.console.messages)
                path = os.path.join(self.project, *name.split("/"))
                write(path, read(path).replace(old, new))
                game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
                time_now = float(game.console.script("World.time(Game.world)"))
                game.console.wait_until(f"World.time(Game.world) > {time_now + 0.2}", "true")
            self.assertEqual(game.console.script("inside()"), "1")
            told = [m["message"] for m in game.console.messages
                    if m.get("system") == "flow" or "enters" in m.get("message", "")]
            self.assertEqual(len(told), 1, told)


if __name__ == "__main__":
    unittest.main()
