"""Messages of pages to a running game: the engine, its log, memory, resources, entities, figures, network. Each
answer is checked against what `cuttle protocol` says of it."""

import os
import re
import time
import unittest

from support_cuttle import LIMIT, Console, Game, TemporaryFolder, write
from support_debugger import Debugger
from support_network import MEET
from support_protocol import CheckedConsole

THING = """
components = [
    { id = "transform"  type = "transform"  scale = [1 2 3] }
    { id = "mesh"  type = "mesh"  mesh = "core/meshes/cube"  materials = ["materials/coral"] }
    { id = "light"  type = "light"  light_type = "point"  color = [1 0.5 0]  intensity = 3 }
    { id = "data"  type = "data"  values = { speed = 9.0  reach = [4 12]  word = "hello"  on = true } }
    { id = "tag"  type = "tag"  tags = ["bird" "swallow"] }
    { id = "script"  type = "script"  script = "behaviours/thing" }
    { id = "name"  type = "debug_name"  name = "a thing" }
    { id = "actor"  type = "actor"  body = "keyframed"  shapes = [
        { id = "box"  type = "box"  half_size = [0.5 0.5 0.5] }
    ] }
]
"""
PLAIN = """
components = [
    { id = "transform"  type = "transform" }
]
"""
BEHAVIOUR = """
local Thing = {}
function Thing.spawned(self)
    self.count, self.word, self.is_on = 1, "hello", true
    self.place = Vector3Box(1, 2, 3)
    self.list = { 1, 2 }
    self.me = self.entity
end
function Thing.update(self, dt) end
return Thing
"""
MAIN = """
Test = Test or {}
function init()
    Test.world = Application.new_world()
    Test.viewport = Application.create_viewport(Test.world, "default")
    Test.camera = World.spawn_unit(Test.world, "units/camera", Vector3(0, -10, 0))
    Test.thing = World.spawn_unit(Test.world, "units/thing", Vector3(0, 0, 0))
    Test.plain = World.spawn_unit(Test.world, "units/plain", Vector3(50, 0, 0))
end
function update(dt)
    local stop = Application.time_since_launch() + (Test.slow or 0)
    while Application.time_since_launch() < stop do end
    World.update(Test.world, dt)
end
function render()
    Application.render_world(Test.world, Unit.camera(Test.camera, 1), Test.viewport)
end
"""
NET_CONFIG = """
types = { position = { type = "vector3"  min = -100  max = 100  bits = 16 } }
objects = { player = { fields = { position = "position"  name = "id" } } }
messages = { hello = { arguments = {} } }
"""
# Two programs meet in a lobby, and each moves an object of its own.
NET = """
local role, port = Application.argv()
local session, lobby, browser, client, mine
local frame, H = 0, {}
function H:game_object_sync_done(peer) end
function H:hello(peer) end
""" + MEET + """
function init() client = Network.init_lan_client("net") end
function update(dt)
    frame = frame + 1
    meet()
    if session and GameSession.in_session(session) then
        local p = Vector3(math.cos(frame / 30), math.sin(frame / 30), 0)
        if mine then
            GameSession.set_game_object_field(session, mine, "position", p)
        else
            mine = GameSession.create_game_object(session, "player", { position = p, name = role })
        end
    end
    Network.update(dt, H)
end
function say_hello() RPC.hello(nil) end
function render() end
"""


def stop_line(source, text):
    """The number of the line with a text."""
    return source[:source.index(text)].count("\n") + 1


# Answers are awaited in wall time on a machine that may be slow: limits are for finding what hangs.
LIMIT = 60


def fields_of(component):
    return {field["name"]: field for field in component["fields"]}


class InAGame(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        for name, text in (("units/thing.unit", THING), ("units/plain.unit", PLAIN), ("scripts/main.lua", MAIN),
                           ("behaviours/thing.lua", BEHAVIOUR)):
            write(os.path.join(self.project, name), text)

    def start(self, *arguments):
        game = Game(self.project, *arguments)
        game.__enter__()
        self.addCleanup(game.__exit__, None, None, None)
        self.game = game
        self.console = CheckedConsole(game.port)
        self.addCleanup(self.console.close)
        return self.console

    def ask(self, kind, /, **members):
        return self.console.answer(self.console.ask(type=kind, **members))

    def refused(self, kind, /, **members):
        """Asks for what must fail; returns the error."""
        with self.assertRaises(RuntimeError) as caught:
            self.ask(kind, **members)
        return str(caught.exception)

    def components(self, entity, **members):
        return {each["type"]: each for each in self.ask("entity_components", entity=entity, **members)["components"]}

    def units(self):
        return {each["resource"]: each["entity"] for each in self.ask("entity_list")["entities"]}

    def set(self, entity, component, field, value, **members):
        answer = self.ask("entity_set", entity=entity, component=component, field=field, value=value, **members)
        return fields_of(answer["component"])[field]["value"]


class Engine(InAGame):
    def test_describes_itself(self):
        self.start()
        info = self.ask("engine_info")
        self.assertEqual((info["project"], info["folder"]), ("game", os.path.realpath(self.project)))
        self.assertEqual((info["process"], info["port"]), (self.game.process.pid, self.game.port))
        self.assertEqual((info["width"], info["height"], info["headless"], info["worlds"]), (160, 90, True, 1))
        self.assertTrue(os.path.isfile(os.path.join(info["core_folder"], "tools", "gizmo.lua")), info)
        self.assertFalse(info["paused"])
        self.console.command("pause")
        after = self.ask("engine_info")
        self.assertTrue(after["paused"])
        self.assertGreater(after["frame"], info["frame"])
        self.assertGreaterEqual(after["seconds"], info["seconds"])

    def test_lists_commands(self):
        self.start()
        rows = self.ask("commands")["commands"]
        self.assertIn("memory", [row["name"] for row in rows])
        self.assertEqual(len(rows), len(self.console.command("help").splitlines()))

    def test_finds_another_game(self):
        self.start()
        with Game(self.project) as other:
            engines = {each["port"]: each for each in self.ask("engine_list")["engines"]}
            self.assertNotIn(self.game.port, engines)
            self.assertEqual(engines[other.port]["project"], "game")
            self.assertEqual(engines[other.port]["process"], other.process.pid)

    def test_a_search_is_no_warning_in_a_slow_game(self):
        self.start()
        with Game(self.project) as other:
            other.console.script("Test.slow = 1.2")  # seconds a frame: more than a search waits
            for _ in range(3):
                self.assertIn(other.port, [each["port"] for each in self.ask("engine_list")["engines"]])
            other.console.script("Test.slow = nil")
            other.console.script("1")
            self.assertNotIn("console_closed", other.log())

    def test_two_that_search_get_an_answer_each(self):
        self.start()
        names = [self.console.ask(type="engine_list") for _ in range(3)]
        for name in names:
            self.assertIsInstance(self.console.answer(name)["engines"], list)


class Log(InAGame):
    def test_history_joins_the_stream_without_gaps(self):
        console = self.start()
        console.script("for i = 1, 500 do print('early ' .. i) end")
        late = CheckedConsole(self.game.port)
        self.addCleanup(late.close)
        name = late.ask(type="log_history", count=10000)
        console.script("for i = 1, 500 do print('late ' .. i) end")
        history = late.answer(name)
        texts = {each["number"]: each["message"] for each in history["messages"]}
        while not any(text.endswith("late 500") for text in texts.values()):
            message = late.receive()
            if message["type"] == "message" and message["number"] >= history["next"]:
                self.assertNotIn(message["number"], texts)
                texts[message["number"]] = message["message"]
        numbers = sorted(texts)
        self.assertEqual(numbers, list(range(history["first"], numbers[-1] + 1)))
        seen = [text for _, text in sorted(texts.items()) if re.search(r"(early|late) \d+$", text)]
        self.assertEqual(len(seen), 1000)

    def test_pages(self):
        console = self.start()
        console.script("for i = 1, 50 do print('line ' .. i) end")
        last = self.ask("log_history", count=3)
        self.assertEqual([each["number"] for each in last["messages"]], list(range(last["next"] - 3, last["next"])))
        page = self.ask("log_history", first=last["next"] - 10, count=5)
        self.assertEqual([each["number"] for each in page["messages"]],
                         list(range(last["next"] - 10, last["next"] - 5)))
        self.assertEqual(self.ask("log_history", first=last["next"] + 1000)["messages"], [])
        self.assertEqual(self.ask("log_history", count=0)["messages"], [])
        line = last["messages"][-1]
        self.assertEqual((line["message"], line["level"], line["system"]), ("line 50", "info", "lua"))

    def test_errors_keep_their_place(self):
        console = self.start()
        console.send(type="script", script="error('gone')")
        console.script("1")
        error = next(each for each in self.ask("log_history")["messages"] if "gone" in each["message"])
        self.assertEqual(error["level"], "error")

    def test_keeps_no_more_than_it_says(self):
        console = self.start()
        for _ in range(11):
            console.script("for i = 1, 10000 do print('x') end")
        history = self.ask("log_history", count=1)
        self.assertGreater(history["next"], 110000)
        self.assertLessEqual(history["next"] - history["first"], 100000)
        self.assertGreater(history["next"] - history["first"], 90000)

    def test_refuses(self):
        self.start()
        self.assertIn("expected a whole number from 0 to 10000", self.refused("log_history", count=10001))
        self.assertIn("\"first\" is \"a\"; expected integer", self.refused("log_history", first="a"))
        self.assertIn("unknown member \"frist\"; did you mean \"first\"?", self.refused("log_history", frist=1))


class Memory(InAGame):
    def test_tree(self):
        self.start()
        tree = self.ask("memory_tree")
        rows = {row["path"]: row for row in tree["allocators"]}
        self.assertEqual(len(rows), len(tree["allocators"]), "paths are not unique")
        for path, row in rows.items():
            self.assertEqual(path.count("/") >= row["depth"], True, path)
            self.assertGreaterEqual(row["peak_bytes"], row["live_bytes"], path)
        self.assertTrue(any(path.endswith("console") for path in rows))
        self.assertGreater(tree["resident_bytes"], 1 << 20)

    def test_trace_and_report(self):
        console = self.start()
        self.assertIn("is not traced", self.refused("memory_report", name="worlds"))
        self.assertEqual(self.ask("memory_trace", name="worlds", on=True)["on"], True)
        console.script("for i = 1, 100 do World.spawn_unit(Test.world, 'units/plain') end")
        report = self.ask("memory_report", name="worlds", count=5)
        self.assertGreater(report["total"], 0)
        self.assertLessEqual(len(report["stacks"]), 5)
        sizes = [each["bytes"] for each in report["stacks"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertTrue(all(each["frames"] for each in report["stacks"]))
        self.assertEqual(self.ask("memory_trace", name="worlds", on=False)["on"], False)
        self.assertIn("unknown allocator \"wrlds\"; the allocators are", self.refused("memory_trace", name="wrlds", on=True))

    def traced(self):
        """The names of the allocators that are traced themselves, without their parents."""
        return {row["path"].rsplit("/", 1)[-1] for row in self.ask("memory_tree")["allocators"] if row["traced"]}

    def wait_for_traces(self, names):
        """Waits until those with names are traced, and others are not."""
        end = time.monotonic() + LIMIT
        while not (names <= self.traced() and bool(names) == bool(self.traced())):
            self.assertLess(time.monotonic(), end, self.traced())

    def test_traces_end_with_their_clients(self):
        console = self.start()
        self.assertEqual(self.traced(), set())
        others = [Console(self.game.port), Console(self.game.port)]
        for other in others:
            other.answer(other.ask(type="memory_trace", name="worlds", on=True))
        self.assertIn("worlds", self.traced())
        others[0].close()
        console.script("1")
        self.wait_for_traces({"worlds"})  # the second one goes on
        others[1].close()
        self.wait_for_traces(set())
        # One that has been switched off has no owner any more.
        last = Console(self.game.port)
        last.answer(last.ask(type="memory_trace", name="worlds", on=True))
        self.assertFalse(self.ask("memory_trace", name="worlds", on=False)["on"])
        # The command has no owner: programs that send it leave at once.
        last.command("memory", "trace", "worlds", "on")
        last.answer(last.ask(type="memory_trace", name="worlds", on=True))
        last.close()
        for _ in range(5):
            console.script("1")
        self.wait_for_traces({"worlds"})
        console.command("memory", "trace", "worlds", "off")
        self.assertEqual(self.traced(), set())


class Entities(InAGame):
    def test_lists_worlds_and_units(self):
        self.start()
        [world] = self.ask("world_list")["worlds"]
        self.assertEqual(world["units"], 3)
        answer = self.ask("entity_list", world=world["world"])
        self.assertEqual((answer["total"], answer["world"]), (3, world["world"]))
        self.assertNotIn("next", answer)
        names = {each["resource"]: each.get("name") for each in answer["entities"]}
        self.assertEqual(names, {"units/camera": None, "units/thing": "a thing", "units/plain": None})
        found = self.ask("entity_list", filter="A THING")
        self.assertEqual([each["resource"] for each in found["entities"]], ["units/thing"])

    def test_lists_units_of_levels_and_parents(self):
        console = self.start()
        console.script("""
            Test.level = World.load_level(Test.world, "levels/start")
            World.link_unit(Test.world, Test.plain, 1, Test.thing, 1)
        """)
        [world] = self.ask("world_list")["worlds"]
        [level] = world["levels"]
        self.assertEqual((level["name"], level["spawned"]), ("levels/start", True))
        rows = self.ask("entity_list", count=10000)["entities"]
        self.assertEqual(sum(row.get("level") == level["level"] for row in rows), level["units"])
        plain = next(row for row in rows if row["resource"] == "units/plain")
        thing = next(row for row in rows if row["resource"] == "units/thing")
        self.assertEqual(plain["parent"], thing["entity"])
        self.assertEqual(self.ask("entity_components", entity=plain["entity"])["parent"], thing["entity"])

    def test_ten_thousand_units_in_pages(self):
        console = self.start()
        console.script("for i = 1, 10000 do World.spawn_unit(Test.world, 'units/plain') end")
        start = time.monotonic()
        seen, after = [], 0
        while after is not None:
            page = self.ask("entity_list", after=after, count=2000)
            seen += [each["entity"] for each in page["entities"]]
            after = page.get("next")
        self.assertEqual(len(seen), 10003)
        self.assertEqual(seen, sorted(set(seen)))
        self.assertLess(time.monotonic() - start, LIMIT)

    def test_units_that_come_and_go_between_pages(self):
        console = self.start()
        console.script("""
            Test.units = {}
            for i = 1, 300 do Test.units[i] = World.spawn_unit(Test.world, 'units/plain') end
        """)
        before = {each["entity"] for each in self.ask("entity_list")["entities"]}
        first = self.ask("entity_list", count=100)
        console.script("""
            for i = 1, 300, 2 do World.destroy_unit(Test.world, Test.units[i]) end
            for i = 1, 50 do World.spawn_unit(Test.world, 'units/plain') end
        """)
        after = {each["entity"] for each in self.ask("entity_list")["entities"]}
        seen, page = [each["entity"] for each in first["entities"]], first
        while "next" in page:
            page = self.ask("entity_list", count=100, after=page["next"])
            seen += [each["entity"] for each in page["entities"]]
        self.assertEqual(len(seen), len(set(seen)))
        self.assertLessEqual(before & after, set(seen))

    def test_changes(self):
        console = self.start()
        first = self.ask("entity_changes")
        self.assertEqual((first["whole"], first["more"], first["total"], first["gone"]), (True, False, 3, []))
        self.assertEqual(first["entities"], self.ask("entity_list")["entities"])

        def since(answer):
            found = self.ask("entity_changes", since=answer["version"])
            self.assertEqual((found["whole"], found["more"], found["total"]), (False, False, 3))
            return found

        same = since(first)
        self.assertEqual((same["entities"], same["gone"], same["version"]), ([], [], first["version"]))
        old = self.units()["units/plain"]
        console.script("""
            World.destroy_unit(Test.world, Test.plain)
            Test.plain = World.spawn_unit(Test.world, "units/plain", Vector3(1, 0, 0))
        """)
        other = since(same)
        new = self.units()["units/plain"]
        self.assertEqual(([each["entity"] for each in other["entities"]], other["gone"]), ([new], [old]))
        console.script("World.link_unit(Test.world, Test.plain, 1, Test.thing, 1)")
        linked = since(other)
        thing = self.units()["units/thing"]
        self.assertEqual([(each["entity"], each["parent"]) for each in linked["entities"]], [(new, thing)])
        console.script("World.update(Test.world, 0.1)")  # what moves has not changed
        self.assertEqual(since(linked)["entities"], [])
        # Versions of another run, or of no world.
        for version in (first["version"] + 10**9, 1):
            self.assertEqual(self.ask("entity_changes", since=version)["whole"], version > 1)
        self.assertIn("expected a whole number from 1 to 10000", self.refused("entity_changes", count=0))
        self.assertIn("has ended or never was", self.refused("entity_changes", world=77))

    def test_changes_in_parts(self):
        console = self.start()
        console.script("Test.units = {} "
                       "for i = 1, 10000 do Test.units[i] = World.spawn_unit(Test.world, 'units/plain') end")
        seen, part = {}, {"version": 0, "more": True}
        while part["more"]:
            part = self.ask("entity_changes", since=part["version"], count=3000)
            self.assertEqual(part["whole"], not seen)
            seen.update({each["entity"]: each for each in part["entities"]})
            for entity in part["gone"]:
                seen.pop(entity, None)
            console.script("World.destroy_unit(Test.world, table.remove(Test.units)) "
                           "World.spawn_unit(Test.world, 'units/plain')")
        part = self.ask("entity_changes", since=part["version"], count=3000)
        seen.update({each["entity"]: each for each in part["entities"]})
        for entity in part["gone"]:
            seen.pop(entity, None)
        self.assertEqual(part["total"], 10003)
        self.assertEqual(set(seen), {each["entity"] for each in self.all_entities()})

    def all_entities(self):
        rows, after = [], 0
        while after is not None:
            page = self.ask("entity_list", after=after, count=10000)
            rows += page["entities"]
            after = page.get("next")
        return rows

    def test_a_world_that_ends_between_pages(self):
        console = self.start()
        console.script("Test.second = Application.new_world(); World.spawn_unit(Test.second, 'units/plain')")
        number = self.ask("world_list")["worlds"][1]["world"]
        self.assertEqual(self.ask("entity_list", world=number)["total"], 1)
        console.script("Application.release_world(Test.second); Test.third = Application.new_world()")
        error = self.refused("entity_list", world=number)
        self.assertRegex(error, rf'"world" is {number}, which has ended or never was; expected one of \d+, \d+')
        self.assertNotIn(number, [each["world"] for each in self.ask("world_list")["worlds"]])

    def test_shows_components(self):
        self.start()
        entity = self.units()["units/thing"]
        parts = self.components(entity)
        transform = fields_of(parts["transform"])
        self.assertEqual(transform["scale"]["value"], [1, 2, 3])
        self.assertEqual(transform["rotation"]["kind"], "quaternion")
        self.assertEqual(transform["position"]["unit"], "m")
        light = fields_of(parts["light"])
        self.assertEqual((light["type"]["kind"], light["type"]["value"]), ("enum", "point"))
        self.assertIn("spot", light["type"]["choices"])
        self.assertEqual(light["enabled"]["value"], True)
        self.assertEqual(light["color"]["kind"], "color")
        # Compiled data has no texts of ids: keys and tags have names once something has used them.
        data = parts["data"]["fields"]
        self.assertEqual(sorted((each["kind"], str(each["value"])) for each in data),
                         [("boolean", "True"), ("number", "9"), ("numbers", "[4, 12]"), ("text", "hello")])
        self.assertEqual(len(fields_of(parts["tag"])["tags"]["value"]), 2)
        self.assertEqual(fields_of(parts["mesh"])["materials"]["value"], ["materials/coral"])
        self.assertEqual(fields_of(parts["debug_name"])["name"]["value"], "a thing")
        script = fields_of(parts["script"])
        self.assertEqual(parts["script"]["script"], "behaviours/thing")
        self.assertEqual({name: script[name]["kind"] for name in script}, {
            "enabled": "boolean", "count": "number", "entity": "entity", "is_on": "boolean", "list": "value", "me": "entity",
            "place": "vector3", "word": "text"})
        self.assertEqual(script["me"]["value"], entity)
        self.assertEqual(list(self.components(entity, component="light")), ["light"])

    def test_sets_what_it_shows(self):
        console = self.start()
        entity = self.units()["units/thing"]
        for component, field, value in (
                ("transform", "position", [1, 2, 3]), ("transform", "scale", [2, 2, 2]),
                ("light", "intensity", 7.5), ("light", "enabled", False), ("light", "type", "spot"),
                ("light", "color", [0.25, 0.5, 1, 1]), ("mesh", "visible", False),
                ("mesh", "materials", ["materials/teal"]), ("debug_name", "name", "another"),
                ("data", "speed", 4), ("data", "word", "bye"), ("data", "on", False), ("data", "reach", [1, 2, 3]),
                ("data", "of_mine", 5), ("tag", "tags", ["fish"]), ("actor", "body", "static"),
                ("script", "count", 8), ("script", "word", "new"), ("script", "is_on", False),
                ("script", "place", [4, 5, 6]), ("script", "enabled", False)):
            self.assertEqual(self.set(entity, component, field, value), value, (component, field))
            self.assertEqual(fields_of(self.components(entity)[component])[field]["value"], value)
        turned = self.set(entity, "transform", "rotation", [0, 0, 3, 3])
        self.assertAlmostEqual(turned[2], 0.70710678, 5)
        self.assertEqual(console.script("tostring(Unit.local_position(Test.thing, 1).y)"), "2")
        self.assertNotIn("word", fields_of(self.ask("entity_set", entity=entity, component="data", field="word",
                                                    value=None)["component"]))

    def test_shows_and_sets_while_a_debugger_has_stopped_the_game(self):
        self.start()
        thing = self.units()["units/thing"]
        debugger = Debugger(self.game.port)
        self.addCleanup(debugger.close)
        for line, script in ((stop_line(BEHAVIOUR, "function Thing.update"), "behaviours/thing.lua"),
                             (stop_line(MAIN, "local stop"), "scripts/main.lua")):
            debugger.breakpoints(script, line)
            debugger.stopped(line=line)
            self.assertIn("transform", self.components(thing))
            self.assertEqual(self.set(thing, "transform", "position", [1, 2, line]), [1, 2, line])
            self.assertEqual(self.set(thing, "script", "count", line), line)
            self.assertEqual(fields_of(self.components(thing)["script"])["count"]["value"], line)
            self.assertEqual(self.ask("entity_changes")["total"], 3)
            self.assertIn("has stopped at", self.refused("statistics"))
            debugger.breakpoints(script)
            debugger.go_on()
            self.assertEqual(self.console.script("Vector3.z(Unit.local_position(Test.thing, 1))"), str(line))

    def test_refuses_values(self):
        self.start()
        entity = self.units()["units/thing"]
        for component, field, value, error in (
                ("transform", "position", [1, 2], "expected an array of 3 numbers"),
                ("transform", "position", [1, 2, "3"], "expected an array of 3 numbers"),
                ("transform", "position", 1e300, "expected an array of 3 numbers"),
                ("transform", "rotation", [0, 0, 0, 0], "expected a quaternion that is not zero"),
                ("transform", "positoin", [1, 2, 3], "did you mean \"position\"?"),
                ("transform", "node", "a", "cannot be set while the game runs"),
                ("transfrom", "position", [1, 2, 3], "the entity has no component \"transfrom\" at place 0"),
                ("light", "type", "sunny", "expected one of \"directional\", \"point\", \"spot\""),
                ("light", "enabled", 1, "\"value\" is 1; expected true or false"),
                ("mesh", "mesh", "core/meshes/sphere", "cannot be set"),
                ("mesh", "materials", ["materials/none"], "the material \"materials/none\" is not loaded"),
                ("mesh", "materials", "materials/teal", "expected an array of at most"),
                ("debug_name", "name", "x" * 100, "expected a string of at most 63 bytes"),
                ("data", "word", {}, "\"value\" is an object"),
                ("tag", "tags", [1], "expected an array of at most"),
                ("script", "count", "3", "\"value\" is a string; expected a number"),
                ("script", "list", [1], "cannot be set from here"),
                ("script", "nothing", 1, "the behaviour has no field \"nothing\""),
                ("script", "place", [1, 2], "expected an array of 3 numbers")):
            found = self.refused("entity_set", entity=entity, component=component, field=field, value=value)
            self.assertIn(error, found, (component, field, value))
        self.assertIn("at place 3", self.refused("entity_set", entity=entity, component="script", place=3,
                                                 field="count", value=1))
        self.assertIn("\"value\" is missing", self.refused("entity_set", entity=entity, component="a", field="b"))
        transform = fields_of(self.components(entity)["transform"])
        self.assertEqual(transform["position"]["value"], [0, 0, 0])

    def test_refuses_entities(self):
        console = self.start()
        entity = self.units()["units/plain"]
        console.script("World.destroy_unit(Test.world, Test.plain)")
        for number in (0, entity, 2 ** 32 + 1, 2 ** 53, 123456789):
            self.assertIn("which is no living entity of a world", self.refused("entity_components", entity=number))
        self.assertIn("\"entity\" is -1; expected integer", self.refused("entity_components", entity=-1))
        self.assertIn("\"entity\" is missing", self.refused("entity_components"))

    def test_sets_each_field_that_can_be_set_to_what_it_has(self):
        self.start()
        for entity in self.units().values():
            for component in self.ask("entity_components", entity=entity)["components"]:
                for field in component["fields"]:
                    if not field["can_set"]:
                        continue
                    now = self.ask("entity_set", entity=entity, component=component["type"],
                                   place=component["place"], field=field["name"], value=field["value"])
                    self.assertEqual(fields_of(now["component"])[field["name"]]["value"], field["value"])

    def test_finds_what_is_at_a_point(self):
        self.start()
        units = self.units()
        hit = self.ask("entity_pick", x=0.5, y=0.5)
        self.assertEqual(hit["hits"][0]["entity"], units["units/thing"])
        self.assertAlmostEqual(hit["hits"][0]["distance"], 9, 0)
        self.assertEqual(self.ask("entity_pick", x=0, y=0)["hits"], [])
        by_camera = self.ask("entity_pick", x=0.5, y=0.5, camera=units["units/camera"], aspect=2)
        self.assertEqual(by_camera["hits"][0]["entity"], units["units/thing"])
        self.assertIn("has no camera", self.refused("entity_pick", x=0.5, y=0.5, camera=units["units/thing"]))
        self.assertIn("expected numbers from 0 to 1", self.refused("entity_pick", x=2, y=0.5))
        self.assertIn("no open stream 5", self.refused("entity_pick", x=0.5, y=0.5, stream=5))
        self.assertIn("\"aspect\" is 0", self.refused("entity_pick", x=0, y=0, camera=units["units/camera"], aspect=0))

    def test_outlines_what_is_selected(self):
        console = self.start("--size", "320x180")
        units = self.units()
        before = self.picture()
        self.assertEqual(self.ask("entity_select", entities=[units["units/thing"], units["units/plain"], 999])["selected"], 2)
        self.assertNotEqual(self.picture(), before)
        console.script("World.destroy_unit(Test.world, Test.plain)")
        self.assertEqual(self.ask("entity_select", entities=[])["selected"], 0)
        self.assertEqual(self.picture(), before)
        self.assertIn("\"color\" has 2 numbers", self.refused("entity_select", entities=[], color=[1, 2]))
        self.assertIn("expected at most 1000", self.refused("entity_select", entities=[1] * 1001))
        other = CheckedConsole(self.game.port)
        other.answer(other.ask(type="entity_select", entities=[units["units/thing"]]))
        other.close()
        deadline = time.monotonic() + LIMIT
        while self.picture() != before and time.monotonic() < deadline:
            pass
        self.assertEqual(self.picture(), before)

    def test_selections_leave_the_games_outlines_and_those_of_other_tools(self):
        console = self.start("--size", "320x180")
        units = self.units()
        thing = units["units/thing"]
        console.script("for _, u in ipairs(World.units_by_resource(Test.world, 'units/thing')) do "
                       "Unit.set_outline(u, Vector3(0, 1, 0)) end")
        by_game = self.picture()
        self.ask("entity_select", entities=[thing])
        by_tool = self.picture()
        self.assertNotEqual(by_tool, by_game)
        other = CheckedConsole(self.game.port)
        other.answer(other.ask(type="entity_select", entities=[thing], color=[1, 0, 1]))
        self.assertNotIn(self.picture(), (by_game, by_tool))  # the last one is seen
        other.answer(other.ask(type="entity_select", entities=[units["units/plain"]]))
        other.answer(other.ask(type="entity_select", entities=[]))
        self.assertEqual(self.picture(), by_tool)
        other.close()
        self.ask("entity_select", entities=[])
        self.assertEqual(self.picture(), by_game)

    def picture(self):
        name = self.console.ask(type="command", command="screenshot")
        return self.console.answer(name)["binary"]


class Resources(InAGame):
    def test_lists(self):
        self.start()
        answer = self.ask("resource_list", count=10000)
        rows = [(row["resource_type"], row["name"]) for row in answer["resources"]]
        self.assertEqual(rows, sorted(rows))
        self.assertEqual(len(rows), answer["total"])
        self.assertIn(("unit", "units/thing"), rows)
        self.assertEqual(sum(each["count"] for each in answer["types"]), answer["total"])
        units = self.ask("resource_list", resource_type="unit", filter="THING")
        self.assertEqual([row["name"] for row in units["resources"]], ["units/thing"])
        self.assertGreater(units["resources"][0]["bytes"], 0)
        pages = [row["name"] for first in range(0, answer["total"], 10)
                 for row in self.ask("resource_list", first=first, count=10)["resources"]]
        self.assertEqual(pages, [name for _, name in rows])

    def test_users(self):
        self.start()
        answer = self.ask("resource_users", resource_type="material", name="materials/coral")
        self.assertIn("units/thing", [row["name"] for row in answer["users"]])
        self.assertIn("boot", [row["name"] for row in answer["packages"]])
        uses = self.ask("resource_users", resource_type="unit", name="units/thing")["uses"]
        self.assertIn(("material", "materials/coral"), [(row["resource_type"], row["name"]) for row in uses])
        self.assertIn("there is no texture \"none\"", self.refused("resource_users", resource_type="texture", name="none"))


class Figures(InAGame):
    def test_tables(self):
        self.start("--workers", 2)
        tables = self.ask("statistics")["tables"]
        for table in tables:
            for row in table["rows"]:
                self.assertEqual(len(row), len(table["columns"]), table["name"])
        by_name = {table["name"]: table for table in tables}
        worlds = dict(zip(by_name["worlds"]["columns"], by_name["worlds"]["rows"][0]))
        self.assertEqual((worlds["units"], worlds["meshes"], worlds["lights"]), (3, 1, 1))
        self.assertEqual([row[1:3] for row in by_name["scripts"]["rows"]], [["behaviours/thing", 1]])
        physics = dict(zip(by_name["physics"]["columns"], by_name["physics"]["rows"][0]))
        self.assertEqual([physics[name] for name in ("actors", "dynamic", "awake", "islands")], [1, 0, 0, 0])
        threads = {row[0]: row[1:] for row in by_name["tasks"]["rows"]}
        self.assertLessEqual({"worker 1", "worker 2", "main 1"}, set(threads))
        self.assertEqual([threads[name][1] for name in ("worker 1", "worker 2")], [1, 1])  # each waits for the end
        one = self.ask("statistics", names=["render"])["tables"]
        self.assertEqual([table["name"] for table in one], ["render"])
        self.assertIn("did you mean \"render\"?", self.refused("statistics", names=["rendr"]))
        self.assertIn("\"names[1]\" is 3; expected string", self.refused("statistics", names=[3]))


class NoNetwork(InAGame):
    def test_says_so(self):
        self.start()
        for kind in ("network_state", "network_events"):
            self.assertIn("the game has no network", self.refused(kind))


class Network(InAGame):
    def setUp(self):
        super().setUp()
        write(os.path.join(self.project, "net.network_config"), NET_CONFIG)
        write(os.path.join(self.project, "net/play.lua"), NET)
        write(os.path.join(self.project, "net/play.package"), 'lua = ["net/*"]\nnetwork_config = ["net"]\n')
        port = 48000 + os.getpid() % 900
        self.start("--boot", "net/play", "--", "host", port)
        self.other = Game(self.project, "--no-compile", "--boot", "net/play", "--", "join", port)
        self.other.__enter__()
        self.addCleanup(self.other.__exit__, None, None, None)

    def wait_for(self, condition, kind, /, **members):
        """Asks until an answer is as it should be; returns it."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            answer = self.ask(kind, **members)
            if condition(answer):
                return answer
            time.sleep(0.05)
        self.fail(f"{kind} never became what was expected: {answer}")

    def test_state_and_events(self):
        state = self.wait_for(lambda a: a["total"] == 2 and a["peers"], "network_state")
        self.assertTrue(state["session"]["is_host"])
        self.assertEqual(len(state["session"]["peers"]), 2)
        self.assertEqual({each["owner"] for each in state["objects"]}, {state["self"], state["peers"][0]["peer"]})
        self.assertEqual([field["name"] for field in state["objects"][0]["fields"]], ["position", "name"])
        self.assertEqual(len(state["objects"][0]["fields"][0]["value"]), 3)
        page = self.ask("network_state", count=1)
        rest = self.ask("network_state", count=1, after=page["next"])
        self.assertEqual([page["objects"][0]["object"], rest["objects"][0]["object"]],
                         [each["object"] for each in state["objects"]])
        self.assertNotIn("next", rest)

        self.ask("network_events")
        self.console.script("say_hello()")
        def has_all(answer):
            found = answer["events"]
            return ({"packet", "message"} <= {e["kind"] for e in found}
                    and any(e["kind"] == "fields" and e["fields"] for e in found))

        events = self.wait_for(has_all, "network_events", count=8192)
        numbers = [each["number"] for each in events["events"]]
        self.assertEqual(numbers, list(range(events["first"], events["next"]))[-len(numbers):])
        fields = next(each for each in events["events"] if each["kind"] == "fields" and each["fields"])
        self.assertEqual((fields["name"], fields["peer"]), ("player", state["peers"][0]["peer"]))
        self.assertEqual(fields["fields"][0]["name"], "position")
        self.assertGreater(fields["fields"][0]["bits"], 0)
        hello = next(each for each in events["events"] if each["kind"] == "message")
        self.assertEqual((hello["name"], hello["sent"]), ("hello", True))
        part = self.ask("network_events", first=events["next"] - 5, count=3)
        self.assertEqual([each["number"] for each in part["events"]],
                         [max(part["first"], events["next"] - 5) + i for i in range(3)])
        self.assertIn("expected a whole number from 0 to 8192", self.refused("network_events", count=9000))


if __name__ == "__main__":
    unittest.main()
