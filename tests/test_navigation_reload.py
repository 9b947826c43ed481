"""Agents that walk while the level's or the navigation's source is saved: they take the new way around at
once, without a jump, and a faulty save keeps the last good mesh and is reported at its place."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, write

SPEED = 3.0
FLOOR = """components = [
    { id = "t"  type = "transform" }
    { id = "a"  type = "actor"  shapes = [
        { id = "s"  type = "box"  position = [0 0 -0.5]  half_size = [16 10 0.5] }
    ] }
]
"""
# A wall along y with a way around at its north end.
WALL = '        { id = "w"  type = "box"  position = [0 -3 1]  half_size = [0.5 7 1] }\n    ] }'
LEVEL = """units = [ { id = "u1"  unit = "units/floor" } ]
volumes = [ { id = "v1"  name = "bank"  position = [0 3 0]  half_size = [0.5 7 1] } ]
navigation = "levels/yard"
"""
NAVIGATION = """level = "levels/yard"
agents = [ { id = "a1"  name = "human"  radius = 0.4 } ]
"""
CUT = 'volumes = [ { id = "c1"  volume = "bank"  cuts = true } ]\n'
WALKER = """components = [
    { id = "pose"  type = "transform" }
    { id = "legs"  type = "navigation_agent"  class = "human"  speed = 3 }
]
"""
# Walkers go to and fro. What is wrong in any update is kept: console scripts run between them.
SCRIPT = """
Game = Game or { worst_step = 0, worst_speed = 0, crossings = 0, wrong = "" }

local function send(walker)
    walker.side = -walker.side
    NavigationAgent.move_to(walker.unit, Vector3(12 * walker.side, walker.y, 0))
end

function init()
    Game.world = Application.new_world()
    Game.level = World.load_level(Game.world, "levels/yard")
    Game.walkers = {}
    for i = 1, 12 do
        local y = i * 1.2 - 8
        local unit = World.spawn_unit(Game.world, "units/walker", Vector3(-12, y, 0))
        table.insert(Game.walkers, { unit = unit, y = y, side = -1, at = Vector3Box(Vector3(-12, y, 0)) })
        send(Game.walkers[i])
    end
end

-- Forgets what was: from here on crossings of x = 0 count, by the least and the greatest y.
function Game.mark()
    Game.crossings, Game.least, Game.most = 0, 100, -100
end

-- The walkers of Game.walkers whose way leads through the middle; 0 while any is near it.
local function count_before_the_middle()
    local count = 0
    for _, walker in ipairs(Game.walkers) do
        local x = walker.at:unbox().x
        if math.abs(x) < 2 then
            return 0
        end
        count = count + (NavigationAgent.state(walker.unit) == "walking" and x * walker.side < 0 and 1 or 0)
    end
    return count
end

local function watch(walker, dt)
    local at, before = Unit.world_position(walker.unit, 1), walker.at:unbox()
    local state, speed = NavigationAgent.state(walker.unit), Vector3.length(NavigationAgent.velocity(walker.unit))
    if not (speed < 1e6) or state == "failed" or (state == "off" and not Game.may_be_off) then
        Game.wrong = state .. " at " .. tostring(at) .. " with " .. speed .. " m/s"
    end
    Game.worst_step = math.max(Game.worst_step, Vector3.length(at - before) / dt)
    Game.worst_speed = math.max(Game.worst_speed, speed)
    if at.x * before.x < 0 then
        Game.crossings = Game.crossings + 1
        Game.least, Game.most = math.min(Game.least, at.y), math.max(Game.most, at.y)
    end
    walker.at:store(at)
    if state == "arrived" then
        send(walker)
    end
end

local function step(dt)
    -- Stops in the middle of their walk, when asked for.
    Game.is_stopped = Game.is_stopped or (Game.stops and count_before_the_middle() > 4)
    if Game.is_stopped then
        return
    end
    World.update(Game.world, dt)
    for _, walker in ipairs(Game.walkers) do
        watch(walker, dt)
    end
end

-- Frames wait for the clock; the walk need not.
function update(dt)
    for _ = 1, 10 do
        step(dt)
    end
end

function render() end

"""


class NavigationReload(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.save("scripts/main.lua", SCRIPT)
        self.save("units/floor.unit", FLOOR)
        self.save("units/walker.unit", WALKER)
        self.save("levels/yard.level", LEVEL)
        self.save("levels/yard.navigation", NAVIGATION)
        self.save("boot.package", 'level = ["levels/yard"]\nunit = ["units/walker"]\nlua = ["scripts/main"]\n'
                  'input = ["input/default"]\nrender_config = ["core/rendering/renderer"]\n')
        self.game = Game(self.project, "--fixed-dt", "0.0166666667")
        self.game.__enter__()
        self.addCleanup(self.game.__exit__, None, None, None)
        self.console = self.game.console
        self.console.script("Game.mark()")
        least, most = self.cross()
        self.assertTrue(least < -5 and most > 5, (least, most))

    def save(self, name, text):
        write(os.path.join(self.project, name), text)

    def save_and_wait(self, name, text):
        """Saves while walkers have a way through the middle, but none is there."""
        self.console.script("Game.stops = true")
        self.console.wait_until("tostring(Game.is_stopped)", "true")
        since = len(self.console.messages)
        self.save(name, text)
        self.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
        self.console.script("Game.stops, Game.is_stopped = false, false Game.mark()")

    def cross(self, count=24, speed=1.5 * SPEED):
        """The least and the greatest y where walkers have crossed the middle since they went on."""
        self.console.wait_until(f"tostring(Game.crossings >= {count} or Game.wrong ~= '')", "true")
        self.check(speed)
        least, most = self.console.script("Game.least, Game.most").split()
        self.console.script("Game.mark()")
        return float(least), float(most)

    def check(self, speed):
        self.assertEqual(self.console.script("Game.wrong"), "")
        self.assertLess(float(self.console.script("Game.worst_speed")), 1.05 * SPEED)
        self.assertLess(float(self.console.script("Game.worst_step")), speed)

    def test_a_wall_that_is_saved_is_walked_around(self):
        self.save_and_wait("units/floor.unit", FLOOR.replace("    ] }", WALL))
        least, _ = self.cross()
        self.assertGreater(least, 4.3)
        self.save_and_wait("units/floor.unit", FLOOR)
        least, _ = self.cross()
        self.assertLess(least, -3)
        self.assertEqual(self.game.quit(), 0)
        self.assertNotIn("error", self.game.log())

    def test_those_in_the_place_of_a_wall_are_put_beside_it_or_wait(self):
        self.console.script("Game.may_be_off = true")
        for text in (FLOOR.replace("    ] }", WALL), FLOOR):
            since = len(self.console.messages)
            self.save("units/floor.unit", text)
            self.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
            self.console.script("Game.mark()")
            # To the nearest ground: no farther than the radius, and a step.
            self.cross(speed=(0.45 * 60) + SPEED)
        self.assertEqual(self.console.script("tostring(NavigationAgent.states(Game.world).off)"), "0")

    def test_a_cut_that_is_saved_is_walked_around(self):
        self.save_and_wait("levels/yard.navigation", NAVIGATION + CUT)
        _, most = self.cross()
        self.assertLess(most, -4.3)
        self.save_and_wait("levels/yard.level", LEVEL.replace("[0 3 0]", "[0 -3 0]"))
        least, _ = self.cross()
        self.assertGreater(least, 4.3)
        self.assertNotIn("error", self.game.log())

    def test_a_faulty_save_keeps_the_mesh(self):
        self.save_and_wait("levels/yard.navigation", NAVIGATION + CUT)
        for name, good, faulty, place in (
                ("levels/yard.navigation", NAVIGATION + CUT, NAVIGATION.replace("0.4 }", "-1 }") + CUT,
                 r"levels/yard\.navigation:2:\d+: .*radius"),
                ("levels/yard.navigation", NAVIGATION + CUT, NAVIGATION + CUT.replace("} ]", "}"),
                 r"levels/yard\.navigation:\d+:\d+: "),
                ("levels/yard.navigation", NAVIGATION + CUT,
                 NAVIGATION + CUT.replace("cuts = true", 'area = "mud"'),
                 r'levels/yard\.navigation:3:\d+: .*"mud"'),
                ("units/floor.unit", FLOOR, FLOOR.replace("[16 10 0.5]", "[16 ten 0.5]"),
                 r"units/floor\.unit:4:\d+: ")):
            self.assertNotEqual(faulty, good)
            since = len(self.console.messages)
            self.save(name, faulty)
            error = self.console.wait_for_message(lambda m: m.get("level") == "error", since)
            self.assertRegex(error["message"], place)
            self.console.script("Game.mark()")
            _, most = self.cross(12)
            self.assertLess(most, -4.3)
            self.save(name, good)
        # Repaired and changed, it is taken again.
        self.save_and_wait("levels/yard.navigation", NAVIGATION)
        _, most = self.cross()
        self.assertGreater(most, 3)


if __name__ == "__main__":
    unittest.main()
