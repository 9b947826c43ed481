"""Nodes of Flow that a project writes in Lua, in a game without a window: their values, events and errors, and
what happens when the function or the .flow_nodes file is saved while the game runs."""

import json
import os
import unittest

import support_flow
from support_cuttle import Game, TemporaryFolder, cuttle, read, write
from support_flow import guid, value_of

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


UNIT = """components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "light"  light_type = "point" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519539"  type = "camera"  name = "camera" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519540"  type = "mesh"  mesh = "core/meshes/cube"  materials = ["materials/teal"] }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519541"  type = "mover" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519542"  type = "actor"  name = "box"
      shapes = [ { id = "42a68fec-c75a-43c4-8d0d-866b16519543"  type = "box"  half_size = [1 1 1] } ] }
]
"""

# What functions return, and then `events that went on|number text` of the node.
RIGHT = {
    "": "|0",
    "return nil": "|0",
    "return {}": "|0",
    "return 'other'": "other|0",
    "return { out = true }": "out|0",
    "return { out = true, other = true, n = 5, s = 'both' }": "out, other|5 both",
    "return { out = false, other = true, u = false }": "other|0",
    "return { n = 1 / 0 }": "|inf",
    "return { q = Quaternion(Vector3(0, 0, 1), 2) }, 'more'": "|0",
    "return { s = ('x'):rep(239) }": "|0 " + "x" * 239,
}

WRONG = {
    "return 5": "Game.reply returned a number; expected a table of outputs, the name of an event out, or nothing",
    "return true": "Game.reply returned a boolean; expected",
    "return 'outt'": 'Game.reply returned "outt", which is no event out of the node',
    "return 'n'": 'Game.reply returned "n", which is no event out of the node',
    "return { n = 4, nn = 5 }": 'Game.reply returned "nn", but the node has no such output or event out; did you mean "n"\\?',
    r"return { ['n\0n'] = 7 }": "Game.reply returned a name with a zero byte; expected names of outputs",
    r"return 'out\0out'": "Game.reply returned a name with a zero byte; expected names of outputs",
    "return { 4 }": "Game.reply returned a table with a key of the type number; expected names of outputs",
    "return { n = 7, s = 5 }": "Game.reply: output s: expected a string of at most 239 bytes, got number",
    "return { n = 7, s = ('x'):rep(240) }": "Game.reply: output s: expected a string of at most 239 bytes, got string",
    "return { n = '7', s = 'text' }": "Game.reply: output n: expected number, got string",
    "return { n = 7, out = 1 }": "Game.reply: event out: expected boolean, got number",
    "return { n = 7, u = 4 }": "Game.reply: output u: expected a Unit of this world, got number",
    "return { n = 7, q = Quaternion.from_elements(0, 0, 0, 0) }": "Game.reply: output q: expected a Quaternion that is a rotation",
    "local u = World.spawn_unit(Game.world, 'units/cube') World.destroy_unit(Game.world, u) return { n = 7, u = u }":
        "Game.reply: output u: expected a Unit of this world, got a destroyed Unit",
    "local w = Application.new_world() local u = World.spawn_unit(w, 'units/cube') return { n = 7, u = u }":
        "Game.reply: output u: expected a Unit of this world, got Unit",
    "error { code = 5 }": "(an error|error)",
    "error('no')": "no",
    "Game.replies = nil return Game.nothing.at_all": "attempt to index",
}


class Graph(support_flow.Graph):
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
        self.save("levels/start.level", support_flow.LEVEL)
        self.save("units/lamp.unit", support_flow.LAMP)
        self.save("flow/lamp.flow", support_flow.Graph().text())
        self.graph = Graph()

    def save(self, name, text):
        write(os.path.join(self.project, *name.split("/")), text)

    def save_all(self):
        self.save("scripts/main.lua", support_flow.SCRIPT + self.lua)
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

    def test_parts_of_units_go_both_ways(self):
        self.save("units/all.unit", UNIT)
        kinds = ("unit", "entity", "actor", "camera", "light", "mesh", "mover", "id", "quaternion", "string", "bool")
        self.nodes.append(node("echo", "Game.echo", slot("event_in", "in"), slot("event_out", "out"),
                               *(slot("input", kind, kind) for kind in (*kinds, "material", "any")),
                               *(slot("output", kind, kind) for kind in kinds)))
        self.lua += """
function Game.echo(t)
    Game.texts = {}
    for key, value in pairs(t) do
        if key ~= "in" then
            table.insert(Game.texts, key .. " " .. tostring(value))
        end
    end
    table.sort(Game.texts)
    Game.echoed = table.concat(Game.texts, ", ")
    t["in"], t.material, t.any = nil, nil, nil
    return t
end
"""
        g = self.graph
        g.node("spawn", "spawn_unit_on_position", unit="units/all")
        g.lua("first", "echo", id="units/all", quaternion=[0, 0, 0, 1], string="ümläut", bool=True, any=[1, 2, 3])
        g.lua("again", "echo")
        g.link("spawn.spawned_unit", "first.unit")
        g.link("spawn.spawned_unit", "first.entity")
        for part, getter in (("actor", "get_unit_actor"), ("camera", "get_unit_camera"), ("light", "get_unit_light"),
                             ("mesh", "get_unit_mesh"), ("mover", "get_unit_mover")):
            g.node(part, getter)
            g.link("spawn.spawned_unit", f"{part}.unit")
            g.link(f"{part}.{part}", f"first.{part}")
        g.node("material", "get_mesh_slot_material")
        g.link("mesh.mesh", "material.mesh")
        g.link("material.material", "first.material")
        for kind in kinds:
            g.link(f"first.{kind}", f"again.{kind}")
        g.variable("eye", "camera")
        g.node("notes", "script_do_string", script="note(Game.echoed)")
        g.node("notes again", "script_do_string", script="note(Game.echoed)")
        g.event("echo", "spawn:spawn:spawned", "first", "notes", "again", "notes again")
        with self.play() as game:
            echoed = self.run_event(game, "echo")
            self.assertEqual(self.errors(game), [])
            # Variables take them, too.
            eye = "Unit.camera(World.units_by_resource(Game.world, 'units/all')[1], 'camera')"
            get = "Level.flow_variable(Game.level, 'eye')"
            self.assertEqual(game.console.script(get), "nil")
            game.console.script(f"Level.set_flow_variable(Game.level, 'eye', {eye})")
            self.assertEqual(game.console.script(f"{get} == {eye}"), "true")
            with self.assertRaisesRegex(RuntimeError, "expected a Camera of this world, got number"):
                game.console.script("Level.set_flow_variable(Game.level, 'eye', 3)")
            game.console.script("Level.set_flow_variable(Game.level, 'eye', nil)")
            self.assertEqual(game.console.script(get), "nil")
            first, again = echoed.split(", actor ")[0], "actor " + echoed.split(", actor ")[1]
            for kind in ("Actor", "Camera", "Light", "Mesh", "Mover", "Material"):
                self.assertRegex(first, rf"{kind.lower()} {kind}\b")
            self.assertRegex(first, r"any Vector3\(1, 2, 3\), bool true, .*id .*units/all.*string ümläut, unit Unit")
            parts = [part for part in first.split(", ") if not part.startswith(("any", "material", "2", "3)"))]
            self.assertEqual(again, ", ".join(parts))

    def wrong(self, replies):
        """What the node that answers with each of `replies` logs, and what it leaves: its number and text, and
        whether an event went on. Each has its own node, since one logs once in a second."""
        self.nodes.append(node("reply", "Game.reply", slot("event_in", "in"), slot("input", "case", "number"),
                               slot("output", "n", "number"), slot("output", "s", "string"),
                               slot("output", "u", "unit"), slot("output", "q", "quaternion"),
                               slot("event_out", "out"), slot("event_out", "other")))
        self.lua += "Game.replies = {}\nfunction Game.reply(t) return Game.replies[t.case]() end\n"
        g = self.graph
        for i, reply in enumerate(replies):
            self.lua += f"Game.replies[{i}] = function() {reply} end\n"
            g.lua(f"reply {i}", "reply", case=i)
            g.event(f"ask {i}", f"reply {i}", g.note(f"out {i}", "out"))
            g.link(f"reply {i}.other", g.note(f"other {i}", "other") + ".in")
            g.event(f"left {i}", g.note(f"values {i}", "", arg2=f"reply {i}.n", arg3=f"reply {i}.s"))
        with self.play() as game:
            for i, reply in enumerate(replies):
                since = len(game.console.messages)
                went = self.run_event(game, f"ask {i}")
                left = self.run_event(game, f"left {i}").strip()
                for _ in range(2):
                    game.console.script("1")
                messages = [m["message"] for m in game.console.messages[since:] if m.get("level") == "error"]
                yield reply, went, left, messages, guid(f"reply {i}")

    def test_what_a_function_returns(self):
        for reply, went, left, messages, _ in self.wrong(RIGHT):
            self.assertEqual(messages, [], reply)
            self.assertEqual(f"{went}|{left}", RIGHT[reply], reply)

    def test_wrong_answers_are_one_error_each_and_change_nothing(self):
        for reply, went, left, messages, id in self.wrong(WRONG):
            self.assertEqual((went, left), ("", "0"), reply)
            self.assertEqual(len(messages), 1, (reply, messages))
            self.assertRegex(messages[0], rf"^flow/level: reply {id}: (.*\n?.*){WRONG[reply]}", reply)

    def test_the_error_of_a_function_has_its_traceback(self):
        g = self.graph
        g.lua("door", "open_door", speed=-1)
        g.event("open", "open:door:opened", g.note("opened", "opened"))
        self.nodes.append(node("absent", "Game.absent.deeply", slot("event_in", "in")))
        g.lua("absent", "absent")
        g.event("absent", "absent")
        with self.play() as game:
            self.assertEqual(self.run_event(game, "open"), "open nil -1 true nil")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, r"^flow/level: open_door \S+: scripts/main.lua:\d+: the speed is negative\n")
            self.assertRegex(message.split("\n", 1)[1], r"scripts/main.lua:\d+")
            self.run_event(game, "absent")
            game.console.wait_for_message(
                lambda m: 'the function "Game.absent.deeply" does not exist' in m.get("message", ""))

    def test_functions_know_whose_graph_calls(self):
        self.nodes.append(node("context", "Game.context", slot("event_in", "in")))
        self.lua += """
function Game.context()
    local unit = Application.flow_callback_context_unit()
    note(unit and Unit.is_a(unit, "units/lamp"), Application.flow_callback_context_entity() == unit,
         Application.flow_callback_context_level() == Game.level, Application.flow_callback_context_world() == Game.world)
end
function Game.inner()
    local unit = World.units_by_resource(Game.world, "units/lamp")[1]
    Game.context()
    Unit.flow_event(unit, "context")
    Game.context()
    World.destroy_level(Game.world, Game.level)
    note(Application.flow_callback_context_level())
    Game.level = nil
end
"""
        lamp = Graph()
        lamp.lua("context", "context")
        lamp.event("context", "context")
        self.save("flow/lamp.flow", lamp.text())
        self.graph.node("inner", "script_call_global", function="Game.inner")
        self.graph.event("inner", "inner", self.graph.note("after", "after"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "inner"),
                             "nil true true true, true true true true, nil true true true, nil")
            self.assertEqual(game.console.script("Game.context() return Game.take_log()"), "nil true true false")
            self.assertEqual(self.errors(game), [])

    def test_a_node_may_end_its_own_unit(self):
        self.nodes.append(node("kill", "Game.kill", slot("event_in", "in"), slot("input", "unit", "unit"),
                               slot("output", "text", "string"), slot("event_out", "out"), slot("event_out", "also")))
        self.lua += """
function Game.kill(t)
    World.destroy_unit(Game.world, t.unit)
    collectgarbage()
    return { text = "gone", out = true, also = true }
end
"""
        lamp = Graph()
        lamp.node("start", "external_in_event", name="kill")
        lamp.lua("kill", "kill")
        lamp.chain("start", "kill", lamp.note("after", "after", arg2="kill.text"))
        lamp.link("kill.also", lamp.note("also", "also") + ".in")
        self.save("flow/lamp.flow", lamp.text())
        with self.play() as game:
            game.console.script("Unit.flow_event(World.units_by_resource(Game.world, 'units/lamp')[1], 'kill')")
            self.assertEqual(game.console.script("#World.units_by_resource(Game.world, 'units/lamp')"), "0")
            self.assertEqual(game.console.script("Game.take_log()"), "")
            self.assertEqual(self.errors(game), [])

    def test_reading_an_output_may_call_lua(self):
        self.nodes = [node("share", "Game.share", slot("output", "n", "number"))]
        self.lua = "function Game.share(t)\n    return { n = Game.reply() }\nend\n"
        lamp = Graph()
        lamp.lua("share", "share")
        lamp.node("share out", "external_output_numeric", name="share")
        lamp.link("share.n", "share out.numeric")
        self.save("flow/lamp.flow", lamp.text())
        read = "return Unit.flow_variable(Game.lamp, 'share')"
        with self.play() as game:
            game.console.script("Game.lamp = World.units_by_resource(Game.world, 'units/lamp')[1]")
            self.assertEqual(game.console.script(f"Game.reply = function() return 7 end {read}"), "7")
            # Without end: cut as events within events are.
            game.console.script(f"Game.reply = function() {read} end {read}")
            game.console.wait_for_message(lambda m: "more than 200 events within events" in m.get("message", ""))
            # The world stays while the function runs.
            game.console.script(f"Game.reply = function() Application.release_world(Game.world) end {read}")
            game.console.wait_for_message(lambda m: "flow graphs of this world are running" in m.get("message", ""))
            with self.assertRaisesRegex(RuntimeError, 'the flow graph has no variable "share"'):
                game.console.script("Game.reply = function() World.destroy_unit(Game.world, Game.lamp) return 9 end "
                                    + read)
            self.assertEqual(game.console.script("return #World.units_by_resource(Game.world, 'units/lamp')"), "0")

    def test_a_node_that_starts_its_own_event_is_cut(self):
        self.nodes.append(node("loop", "Game.loop", slot("output", "n", "number")))
        self.lua += """
function Game.loop()
    Level.trigger_event(Game.level, "loop")
    return { n = 1 }
end
"""
        g = self.graph
        g.lua("loop", "loop")
        g.event("loop", g.note("looped", "looped", arg2="loop.n"))
        with self.play() as game:
            self.run_event(game, "loop")
            game.console.wait_for_message(lambda m: m.get("level") == "error")
            self.assertEqual(game.console.script("1 + 1"), "2")

    def test_packages_stay_while_an_event_runs(self):
        self.nodes.append(node("unload", "Game.unload", slot("event_in", "in"), slot("event_out", "out")))
        self.save("more.package", 'flow = ["flow/more"]\n')
        self.save("flow/more.flow", support_flow.Graph().text())
        self.lua += """
function Game.unload()
    Game.package = Application.resource_package("more")
    ResourcePackage.load(Game.package)
    ResourcePackage.flush(Game.package)
    note(pcall(ResourcePackage.unload, Game.package))
    note(pcall(Application.release_resource_package, Game.package))
end
"""
        g = self.graph
        g.lua("unload", "unload")
        g.event("unload", "unload", g.note("done", "done"))
        with self.play() as game:
            refused = r"false ResourcePackage.unload: flow graphs are running now; .*, false .*: flow graphs are running now; .*, done$"
            self.assertRegex(self.run_event(game, "unload"), refused)
            self.assertEqual(game.console.script("ResourcePackage.unload(Game.package)"), "")

    def test_changes_while_the_game_runs(self):
        g = self.graph
        g.lua("add", "add", a=40)
        g.event("add", g.note("added", "sum", arg2="add.sum"))
        g.node("wait", "delay", time=1000)
        g.event("wait", "wait", g.note("waited", "waited"))
        g.node("left", "script_do_string", script="note('count', Game.count)")
        self.nodes.append(node("count", "Game.count_up", slot("event_in", "in"), slot("output", "n", "number"),
                               slot("event_out", "out")))
        self.lua += "function Game.count_up(t) Game.count = (Game.count or 0) + 1 return { n = Game.count } end\n"
        g.lua("count", "count")
        g.event("count", "count")
        g.event("read", g.note("counted", "count", arg2="count.n"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "add"), "sum 42")
            self.run_event(game, "count")
            self.run_event(game, "count")
            # The function.
            self.lua = self.lua.replace("t.a + t.b", "t.a * t.b")
            self.save_and_wait(game)
            self.assertEqual(self.run_event(game, "add"), "sum 80")
            # The file: another default, and one more output, which moves places of values. Outputs keep theirs.
            self.nodes[0] = ADD.replace("value = 2", "value = 3").replace(
                "      ] }", '          ' + slot("output", "text", "string") + "\n      ] }")
            self.save_and_wait(game)
            self.assertEqual(self.run_event(game, "add"), "sum 120")
            self.assertEqual(self.run_event(game, "read"), "count 2")
            # A number that becomes a vector starts again.
            self.nodes[2] = self.nodes[2].replace('"number"', '"vector3"')
            g.nodes[:] = [n.replace("arg1 = \"count\"", "arg1 = \"place\"") for n in g.nodes]
            self.save_and_wait(game)
            self.assertEqual(self.run_event(game, "read"), "place Vector3(0, 0, 0)")
            self.assertEqual(self.errors(game), [])
            # A broken file: the game goes on with the last good one.
            since = len(game.console.messages)
            self.nodes[0] = self.nodes[0].replace('"sum"', '"total"')
            self.save_all()
            message = game.console.wait_for_message(lambda m: m.get("level") == "error", since)["message"]
            self.assertIn('has no output or event out "sum"', message)
            self.assertEqual(self.run_event(game, "add"), "sum 120")

    def save_and_wait(self, game):
        since = len(game.console.messages)
        self.save_all()
        game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)


class Tools(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.save("flow/game.flow_nodes", f"nodes = [\n    {ADD}\n    {OPEN}\n]\n")
        self.graph = Graph()
        self.graph.lua("add", "add", a=40)
        self.graph.lua("door", "open_door")
        self.graph.link("add.sum", "door.speed")
        self.graph.lua("next", "open_door")
        self.graph.link("door.opened", "next.open")
        self.save("flow/level.flow", self.graph.text())

    def save(self, name, text):
        write(os.path.join(self.project, *name.split("/")), text)

    def test_the_picture_has_their_events(self):
        picture = self.path("level.svg")
        cuttle("flow", "draw", os.path.join(self.project, "flow", "level.flow"), "-o", picture, check=0)
        drawn = read(picture)
        for text in (">open_door<", ">add<", ">closed<", ">opened<", ">speed<"):
            self.assertIn(text, drawn)
        self.assertEqual(drawn.count('stroke="#222" stroke-width="2"'), 1)
        # Without the file the picture shows what is linked.
        os.remove(os.path.join(self.project, "flow", "game.flow_nodes"))
        cuttle("flow", "draw", os.path.join(self.project, "flow", "level.flow"), "-o", picture, check=0)
        self.assertNotIn(">closed<", read(picture))

    def test_the_reference_lists_them(self):
        listed = cuttle("flow-nodes", "--project", self.project, check=0).stdout
        self.assertTrue(listed.endswith("\nflow/game.flow_nodes\n" + "add".ljust(33) + "\n" + "open_door".ljust(33) + "\n"))
        module = json.loads(cuttle("flow-nodes", "--json", "--project", self.project, check=0).stdout)["modules"][-1]
        self.assertEqual((module["name"], [(n["name"], n["function"], n["kind"]) for n in module["nodes"]]),
                         ("flow/game", [("add", "Game.add", "pure"), ("open_door", "Game.open_door", "action")]))
        self.assertIn("  in speed: number; 1\n",
                      cuttle("flow-nodes", "open_door", "--project", self.project, check=0).stdout)
        self.assertIn('unknown node "open_dor" (did you mean "open_door"?)',
                      cuttle("flow-nodes", "open_dor", "--project", self.project, check=1).stderr)
        self.save("flow/game.flow_nodes", "nodes = [ { id = 1 } ]")
        self.assertIn("game.flow_nodes:1:", cuttle("flow-nodes", "--project", self.project, check=1).stderr)

    def test_references_follow(self):
        self.assertIn("flow/level.flow", cuttle("deps", self.project, "--to", "flow/game.flow_nodes", check=0).stdout)
        cuttle("mv", self.project, "flow/game.flow_nodes", "nodes/all.flow_nodes", check=0)
        self.assertEqual(read(os.path.join(self.project, "flow", "level.flow")).count('nodes = "nodes/all"'), 3)
        cuttle("compile", self.project, check=0)
        os.remove(os.path.join(self.project, "nodes", "all.flow_nodes"))
        self.assertIn("nodes/all", cuttle("deps", self.project, "--missing", check=1).stdout)

    def test_graphs_are_compiled_again(self):
        cuttle("compile", self.project, check=0)
        self.save("flow/game.flow_nodes", f"nodes = [\n    {ADD}\n    {OPEN.replace('speed', 'haste')}\n]\n")
        done = cuttle("compile", self.project, check=1)
        self.assertRegex(done.stderr, r'level.flow:\d+:\d+: error: node open_door \S+ has no input or event in "speed"')

    def test_merges_by_id(self):
        base = f"nodes = [\n    {ADD}\n    {OPEN}\n]\n"
        for name, text in (("base", base), ("mine", base.replace("Game.add", "Game.sum")),
                           ("theirs", base.replace("value = 1 ", "value = 7 "))):
            write(self.path(name + ".flow_nodes"), text)
        cuttle("merge", *(self.path(name + ".flow_nodes") for name in ("base", "theirs", "mine")),
               "-o", self.path("merged.flow_nodes"), check=0)
        merged = read(self.path("merged.flow_nodes"))
        self.assertIn("Game.sum", merged)
        self.assertIn("value = 7 ", merged)


if __name__ == "__main__":
    unittest.main()
