"""Events that graphs of Flow send to scripts: behaviours hear them, in a game without a window."""

import os
import unittest

import support_flow
from support_cuttle import Game, TemporaryFolder, write

LAMP = support_flow.LAMP.replace("\n]", '\n    { id = "42a68fec-c75a-43c4-8d0d-866b16519539"  type = "script"'
                           '  script = "behaviours/bell" }\n]')

BELL = '''
local Bell = { heard = 0 }

function Bell.flow_event(self, name)
    self.heard = self.heard + 1
    note("unit", name, self.heard)
    if name == "bad" then
        error("a bad event")
    end
    if name == "last" then
        World.destroy_unit(self.world, self.entity)
    end
end

function Bell.level_event(self, level, name)
    note("level", name, level == Game.level, self.heard)
end

return Bell
'''


def lamp_graph():
    g = support_flow.Graph()
    for name in ("ring", "bad", "last"):
        g.node(f"{name} in", "external_in_event", name=name)
        g.node(f"{name} out", "external_out_event", name=name)
        g.link(f"{name} in.out", f"{name} out.in")
        if name == "last":
            g.node("after", "level_event", name="after")
            g.link("last in.out", "after.in")
    g.node("up in", "external_in_event", name="up")
    g.node("up", "level_event", name="from a unit")
    g.link("up in.out", "up.in")
    return g


def level_graph():
    g = support_flow.Graph()
    g.node("in", "external_in_event", name="go")
    g.node("out", "external_out_event", name="went")
    g.node("event", "level_event", name="won")
    g.link("in.out", "out.in")
    g.link("in.out", "event.in")
    return g


class FlowEvents(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        for name, text in (("scripts/main.lua", support_flow.SCRIPT), ("levels/start.level", support_flow.LEVEL),
                           ("units/lamp.unit", LAMP), ("behaviours/bell.lua", BELL),
                           ("flow/lamp.flow", lamp_graph().text()), ("flow/level.flow", level_graph().text())):
            write(os.path.join(self.project, *name.split("/")), text)

    def send(self, game, event):
        return game.console.script("(function() Unit.flow_event(World.units_by_resource(Game.world, 'units/lamp')[1], "
                                   f"'{event}') return Game.take_log() end)()")

    def errors(self, game):
        return [m["message"] for m in game.console.messages if m.get("level") in ("error", "warning")]

    def test_a_units_behaviours_hear_its_graph(self):
        with Game(self.project, "--fixed-dt", "0.02") as game:
            self.assertEqual(self.send(game, "ring"), "unit ring 1")
            self.assertEqual(self.send(game, "ring"), "unit ring 2")
            self.assertEqual(self.errors(game), [])
            self.assertEqual(self.send(game, "bad"), "unit bad 3")
            game.console.wait_for_message(lambda m: "a bad event" in m.get("message", ""))
            self.assertEqual(self.send(game, "ring"), "")  # an error disables the instance
            self.assertEqual(game.quit(), 0)

    def test_all_behaviours_hear_the_level(self):
        with Game(self.project, "--fixed-dt", "0.02") as game:
            game.console.wait_until("World.num_units(Game.world) > 2", "true")
            self.assertEqual(game.console.script("Game.run('go')"), "level went true 0, level won true 0")
            self.assertEqual(self.send(game, "up"), "level from a unit true 0")
            self.assertEqual(self.errors(game), [])
            self.assertEqual(game.quit(), 0)

    def test_a_unit_that_ends_in_its_event_is_no_error(self):
        with Game(self.project, "--fixed-dt", "0.02") as game:
            self.assertRegex(self.send(game, "last"), "^unit last 1")
            self.assertEqual(self.errors(game), [])
            self.assertEqual(game.quit(), 0)

    def test_nothing_that_a_level_makes_at_its_end_outlives_its_world(self):
        level = support_flow.Graph()
        level.node("end", "level_shutdown")
        level.node("leave", "script_call_global", function="leave")
        level.link("end.out", "leave.in")
        write(os.path.join(self.project, "flow", "level.flow"), level.text())
        leave = """
function leave()
    local world = Application.flow_callback_context_world()
    local level = Application.flow_callback_context_level()
    Level.set_data(level, "kept", true)
    Game.kept = { world, level, World.create_line_object(world), World.create_screen_gui(world) }
    Game.num_ends = (Game.num_ends or 0) + 1
    if Game.num_ends < 10 then  -- more than ever come to an end
        World.load_level(world, "levels/start")
    end
end
"""
        write(os.path.join(self.project, "scripts", "main.lua"), support_flow.SCRIPT + leave)
        with Game(self.project, "--fixed-dt", "0.02") as game:
            # Handles that end before the world make room for others before that of the level.
            game.console.script("Game.second = Application.new_world() "
                                "local lines = World.create_line_object(Game.second) "
                                "local gui = World.create_screen_gui(Game.second) "
                                "World.load_level(Game.second, 'levels/start') "
                                "World.destroy_line_object(Game.second, lines) World.destroy_gui(Game.second, gui)")
            game.console.script("Application.release_world(Game.second)")
            game.console.wait_for_message(lambda m: "the world is about to end" in m.get("message", ""))
            self.assertEqual(game.console.script("Game.num_ends"), "1")
            for i in range(1, 5):
                self.assertIn("destroyed", game.console.script(f"Game.kept[{i}]"))
            game.console.script("Game.num_ends = 100 World.destroy_level(Game.world, Game.level)")
            self.assertIn("destroyed", game.console.script("Game.kept[2]"))
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
