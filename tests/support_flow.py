"""Flow graphs written by tests, and a game without a window that runs them: graphs leave values in
variables and call `note` in Lua."""

import os
import uuid

from support_cuttle import Game, TemporaryFolder, write

SCRIPT = '''
Game = Game or { log = {} }

local function round(digits)
    return tostring(tonumber(string.format("%.4f", tonumber(digits))) + 0)
end

-- Numbers, also those of vectors, are rounded.
function note(...)
    local texts = {}
    for i = 1, select("#", ...) do
        local value = select(i, ...)
        texts[i] = tostring(value)
        if type(value) ~= "string" then
            texts[i] = texts[i]:gsub("%-?%d+%.?%d*e?%-?%d*", round)
        end
    end
    table.insert(Game.log, table.concat(texts, " "))
end

function change_level(name)
    note("change_level", name)
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.level = World.load_level(Game.world, "levels/start")
end

function update(dt)
    if not Game.is_paused then
        World.update(Game.world, dt)
    end
end

function render()
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

function Game.take_log()
    local text = table.concat(Game.log, ", ")
    Game.log = {}
    return text
end

function Game.run(event)
    Level.trigger_event(Game.level, event)
    return Game.take_log()
end

function Game.get(name)
    local value = Level.flow_variable(Game.level, name)
    if type(value) == "number" then
        return string.format("%.3f", value)
    end
    return tostring(value)
end

function Game.key(kind, name)
    Input.add_remote_events { { device = "keyboard", kind = kind, name = name } }
end

function Game.pad(kind, name, value)
    Input.add_remote_events { { device = "pad1", kind = kind, name = name, value = value } }
end

function Game.axis(device, name, ...)
    Input.add_remote_events { { device = device, kind = "axis", name = name, value = Vector3(...) } }
end

function Game.mouse(kind, name)
    Input.add_remote_events { { device = "mouse", kind = kind, name = name } }
end

function Game.finger(kind, x, y)
    Input.add_remote_events { { device = "touch", kind = kind, id = 7, value = Vector3(x, y, 0) } }
end
'''

LEVEL = '''units = [
    { id = "cd28d864-d6e8-4c6a-998f-69a0138851b0"  unit = "units/cube"  position = [0 5 0] }
    { id = "36480de2-bd5c-4366-b517-da60fb69e070"  unit = "units/lamp"  position = [1 0 0] }
]
markers = [ { id = "5b7cd1a8-6f5b-4b77-8a66-1d4f1f4f3a01"  name = "door"  position = [1 2 3]  rotation_degrees = [0 0 90] } ]
volumes = [ { id = "5b7cd1a8-6f5b-4b77-8a66-1d4f1f4f3a02"  name = "room"  position = [4 5 6]  half_size = [2 3 4] } ]
flow = "flow/level"
'''

LAMP = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "flow"  graph = "flow/lamp" }
]
'''


def guid(name):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def value_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, (list, tuple)):
        return "[" + " ".join(value_of(v) for v in value) + "]"
    return str(value)


class Graph:
    """A graph in the making. Nodes are named; a link is written "node.slot"."""

    def __init__(self):
        self.nodes, self.links, self.variables = [], [], []

    def node(self, name, kind, /, **inputs):
        texts = " ".join(f"{key} = {value_of(value)}" for key, value in inputs.items())
        self.nodes.append(f'{{ id = "{guid(name)}"  type = "{kind}"  inputs = {{ {texts} }}  '
                          f'position = [0 {len(self.nodes)}] }}')
        return name

    def use(self, name, graph):
        """A graph as a node."""
        self.nodes.append(f'{{ id = "{guid(name)}"  type = "graph"  graph = "{graph}"  '
                          f'position = [0 {len(self.nodes)}] }}')
        return name

    def link(self, start, end):
        (source, out), (target, into) = start.split("."), end.split(".")
        self.links.append(f'{{ id = "{guid(start + end)}"  from = "{guid(source)}"  out = "{out}"  '
                          f'to = "{guid(target)}"  in = "{into}" }}')

    def chain(self, *steps):
        """Links events: "node", or "in:node:out" where the slots are not in and out."""
        parts = [(["in"] + s.split(":") + ["out"])[0:3] if ":" not in s else s.split(":") for s in steps]
        for (_, node, out), (into, after, _) in zip(parts, parts[1:]):
            self.link(f"{node}.{out}", f"{after}.{into}")

    def variable(self, name, kind):
        self.variables.append(f'{{ id = "{guid("variable" + name)}"  name = "{name}"  type = "{kind}" }}')

    def event(self, name, *steps):
        self.node("event " + name, "external_in_event", name=name)
        self.chain("event " + name, *steps)

    def note(self, name, text, /, **values):
        """A call of Lua's `note` with a text and the values of outputs: arg2 = "node.slot"."""
        self.node(name, "script_call_global", function="note", arg1=text)
        for argument, output in values.items():
            self.link(output, f"{name}.{argument}")
        return name

    def text(self):
        return "".join(f"{kind} = [\n    " + "\n    ".join(items) + "\n]\n"
                       for kind, items in (("nodes", self.nodes), ("links", self.links),
                                           ("variables", self.variables)))


class FlowGame(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.save("scripts/main.lua", SCRIPT)
        self.save("levels/start.level", LEVEL)
        self.save("units/lamp.unit", LAMP)
        self.lamp = Graph()
        self.lamp.event("greet", self.lamp.note("greeting", "lamp"))
        self.graph = Graph()

    def save(self, name, text):
        write(os.path.join(self.project, *name.split("/")), text)

    def play(self):
        self.save("flow/level.flow", self.graph.text())
        self.save("flow/lamp.flow", self.lamp.text())
        return Game(self.project, "--fixed-dt", "0.02")

    def errors(self, game):
        return [m["message"] for m in game.console.messages if m.get("level") in ("error", "warning")]

    def run_event(self, game, event):
        return game.console.script(f"Game.run('{event}')")

    def run_unit_event(self, game, event, unit="units/lamp"):
        game.console.script(f"Unit.flow_event(World.units_by_resource(Game.world, '{unit}')[1], '{event}')")
        return game.console.script("Game.take_log()")
