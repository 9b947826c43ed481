"""Nodes of Flow that a project writes in Lua, in a game without a window: their values, events and errors, and
what happens when the function or the .flow_nodes file is saved while the game runs."""

import os
import time
import unittest

import test_flow_engine as engine
from support_cuttle import Game, TemporaryFolder, cuttle, write
from test_flow_engine import guid, value_of

NODES = '''
function Game.add(t)
    return { sum = t.a + t.b }
end

function Game.open_door(t)
    note("open", t.door, t.speed, t.open, t.close)
    if t.speed < 0 then
        error("the speed is negative")
    end
    return { is_open = t.open == true, opened = t.open, closed = t.close }
end
'''


def slot(kind, name, type="", **more):
    texts = "".join(f"  {key} = {value_of(value)}" for key, value in more.items())
    return f'{{ id = "{guid(kind + name)}"  name = "{name}"  kind = "{kind}"' + \
        (f'  type = "{type}"' if type else "") + texts + " }"


def node(name, function, *slots):
    return f'{{ id = "{guid(name)}"  name = "{name}"  function = "{function}"\n      slots = [\n' \
        + "".join(f"          {s}\n" for s in slots) + "      ] }"


ADD = node("add", "Game.add", slot("input", "a", "number"), slot("input", "b", "number", value=2),
           slot("output", "sum", "number"))
OPEN = node("open_door", "Game.open_door", slot("event_in", "open"), slot("event_in", "close"),
            slot("input", "door", "unit"), slot("input", "speed", "number", value=1),
            slot("output", "is_open", "bool"), slot("event_out", "opened"), slot("event_out", "closed"))


class Graph(engine.Graph):
    def lua(self, name, kind, /, **inputs):
        texts = " ".join(f"{key} = {value_of(value)}" for key, value in inputs.items())
        self.nodes.append(f'{{ id = "{guid(name)}"  type = "lua"  nodes = "flow/game"  node = "{kind}"  '
                          f'inputs = {{ {texts} }}  position = [0 {len(self.nodes)}] }}')
        return name


class Lua(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.lua = NODES
        self.nodes = [ADD, OPEN]
        self.save("levels/start.level", engine.LEVEL)
        self.save("units/lamp.unit", engine.LAMP)
        self.save("flow/lamp.flow", engine.Graph().text())
        self.graph = Graph()

    def save(self, name, text):
        write(os.path.join(self.project, *name.split("/")), text)

    def save_all(self):
        self.save("scripts/main.lua", engine.SCRIPT + self.lua)
        self.save("flow/game.flow_nodes", "nodes = [\n    " + "\n    ".join(self.nodes) + "\n]\n")
        self.save("flow/level.flow", self.graph.text())

    def play(self):
        self.save_all()
        return Game(self.project, "--fixed-dt", "0.02")

    def errors(self, game):
        return [m["message"] for m in game.console.messages if m.get("level") in ("error", "warning")]

    def run_event(self, game, event):
        return game.console.script(f"Game.run('{event}')")

    def test_values_and_events(self):
        g = self.graph
        g.node("lamp", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
        g.lua("add", "add", a=40)
        g.event("add", g.note("added", "sum", arg2="add.sum"))
        g.lua("door", "open_door", speed=2)
        g.link("lamp.unit", "door.door")
        g.event("open", "open:door:opened", g.note("opened", "opened", arg2="door.is_open"))
        g.event("close", "close:door:closed", g.note("closed", "closed", arg2="door.is_open"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "add"), "sum 42")
            self.assertRegex(self.run_event(game, "open"), r"^open Unit\(#\d+\) 2 true nil, opened true$")
            self.assertRegex(self.run_event(game, "close"), r"^open Unit\(#\d+\) 2 nil true, closed false$")
            self.assertEqual(self.errors(game), [])


if __name__ == "__main__":
    unittest.main()
