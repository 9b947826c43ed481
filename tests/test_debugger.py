"""The debugger's messages in a running game: docs/formats/debugger_protocol.md."""

import json
import os
import socket
import struct
import time
import unittest

from support_cuttle import LIMIT, Game, TemporaryFolder, read, write
from support_debugger import Debugger

MAIN = """\
Game = Game or { updates = 0, total = 0 }
local function twice(n)
    local result = n * 2
    return result
end
local function risky(what)
    error("no " .. what)
end
function walk(steps)
    for i = 1, steps do
        coroutine.yield(i)
    end
end
function init()
    Game.begun = true
    Game.walker = coroutine.create(walk)
end
function update(dt)
    Game.updates = Game.updates + 1
    local got = twice(Game.updates)
    Game.total = Game.total + got
    if Game.todo then
        Game.todo()
    end
end
function render() end
function shutdown()
    Game.ended = true
end
function catch()
    return pcall(risky, "luck")
end
function fail()
    risky("chance")
end
"""


def line_of(text, source=MAIN):
    """The number of the line with a text."""
    return source[:source.index(text)].count("\n") + 1


UPDATE = line_of("Game.updates = Game.updates + 1")
GOT = line_of("local got")
RESULT = line_of("local result")
SCRIPT = "scripts/main.lua"


class DebuggerTest(TemporaryFolder):
    """`self.game` runs with MAIN as its boot script."""

    arguments = ()
    settings = ""

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.write_script("main", MAIN)
        if self.settings:
            path = os.path.join(self.project, "settings.config")
            write(path, read(path) + self.settings)
        self.prepare()
        self.game = Game(self.project, *self.arguments)
        self.game.__enter__()
        self.addCleanup(self.leave)

    def prepare(self):
        pass

    def leave(self):
        has_failed = any(error for _, error in getattr(self._outcome, "errors", []) or [])
        self.game.__exit__(AssertionError if has_failed else None, None, None)

    def write_script(self, name, text):
        write(os.path.join(self.project, "scripts", name + ".lua"), text)

    def attach(self):
        client = Debugger(self.game.port)
        self.addCleanup(client.close)
        return client

    def stop_in_update(self, line=UPDATE, **members):
        """Attaches, and waits until update stops at a line."""
        d = self.attach()
        d.breakpoints(SCRIPT, {"line": line, **members})
        d.stopped(line=line)
        return d

    def end(self):
        self.assertEqual(self.game.quit(), 0)


class Stops(DebuggerTest):
    def test_a_breakpoint_stops_and_the_game_goes_on(self):
        d = self.attach()
        self.assertEqual((d.attached["version"], d.attached["project"]), (1, self.project))
        self.assertTrue(os.path.isdir(os.path.join(d.attached["core"], "shaders")))
        self.assertEqual(d.attached["threads"], [{"thread": 1, "name": "main", "state": "game",
                                                  "is_stopped": False}])
        place, = d.breakpoints("scripts/main", UPDATE)
        self.assertEqual((place["verified"], place["line"]), (True, UPDATE))
        stop = d.stopped()
        self.assertEqual((stop["reason"], stop["thread"], stop["script"], stop["line"]),
                         ("breakpoint", 1, SCRIPT, UPDATE))
        self.assertEqual(stop["breakpoints"], [place["breakpoint"]])
        second = self.attach()
        again = {key: stop[key] for key in ("reason", "thread", "script", "line", "breakpoints")}
        self.assertEqual(second.attached["stopped"], again)
        before = int(d.evaluate("Game.updates"))
        self.assertEqual(d.go_on()["thread"], 1)
        d.stopped()
        self.assertEqual(int(d.evaluate("Game.updates")), before + 1)
        d.breakpoints(SCRIPT)
        d.go_on()
        self.assertTrue(d.frames_advance())
        self.assertIn("nothing has stopped", d.error("continue"))
        d.detach()
        self.assertIn("not attached", d.error("continue"))
        self.end()

    def test_steps_go_into_over_and_out(self):
        d = self.stop_in_update()
        self.assertEqual(d.step("over")["line"], GOT)
        self.assertEqual(d.step("into")["line"], RESULT)
        self.assertEqual([frame["line"] for frame in d.stack()[:2]], [RESULT, GOT])
        self.assertIn("twice", d.stack()[0]["name"])
        self.assertEqual(d.step("over")["line"], RESULT + 1)
        self.assertIn(d.step("out")["line"], (GOT, GOT + 1))
        self.assertIn('"kind" is "up"; expected "into", "over" or "out"', d.error("step", kind="up"))
        d.detach()
        self.end()

    def test_pause_stops_at_the_next_line(self):
        d = self.attach()
        d.request("pause")
        self.assertEqual(d.stopped()["reason"], "pause")
        self.assertIn("has stopped already", d.error("pause"))
        self.assertIn("no thread 500", d.error("pause", thread=500))
        d.detach()
        self.end()

    def test_conditions_and_hits_count(self):
        d = self.attach()
        start = int(d.evaluate("Game.updates"))
        d.breakpoints(SCRIPT, {"line": UPDATE, "condition": f"Game.updates == {start + 7}"})
        d.stopped()
        self.assertEqual(d.evaluate("Game.updates"), str(start + 7))
        d.breakpoints(SCRIPT, {"line": UPDATE, "hits": "%5"})
        d.go_on()
        d.stopped()
        first = int(d.evaluate("Game.updates"))
        d.go_on()
        d.stopped()
        self.assertEqual(int(d.evaluate("Game.updates")), first + 5)
        wrong = d.breakpoints(SCRIPT, {"line": UPDATE, "condition": "1 +"},
                              {"line": GOT, "hits": "often"})
        for place in wrong:
            self.assertFalse(place["verified"])
            self.assertTrue(place["message"])
        d.breakpoints(SCRIPT, {"line": UPDATE, "condition": "nothing_there.x"})
        d.go_on()
        self.assertIn("nothing_there", d.stopped()["text"])
        d.detach()
        self.end()

    def test_log_points_send_texts(self):
        d = self.attach()
        place, = d.breakpoints(SCRIPT, {"line": GOT, "log": "update {Game.updates}!"})
        log = d.event("log")
        self.assertRegex(log["text"], r"^update \d+!$")
        self.assertEqual((log["script"], log["line"], log["breakpoint"]),
                         (SCRIPT, GOT, place["breakpoint"]))
        self.assertTrue(d.frames_advance())
        self.end()

    def test_a_flood_of_logs_is_limited_and_counted(self):
        d = self.attach()
        d.breakpoints(SCRIPT, {"line": RESULT, "log": "x"})
        d.script("function flood() for i = 1, 20000 do Game.twice(i) end end")
        d.script("local _, twice = debug and 1; Game.twice = nil")
        self.write_script("main", MAIN.replace("function init()", "Game.twice = twice\nfunction init()"))
        d.event("script", reason="changed")
        d.breakpoints(SCRIPT, {"line": RESULT, "log": "x"})
        d.script("flood()")
        lost = d.event("log", text="19000 more logs of breakpoints were left out") \
            if False else self.wait_for_lost(d)
        self.assertGreater(lost, 15000)
        self.assertTrue(d.frames_advance())
        self.end()

    def wait_for_lost(self, d):
        while True:
            text = d.event("log")["text"]
            if "were left out" in text:
                return int(text.split()[0])

    def test_evaluates_and_completes(self):
        d = self.stop_in_update(RESULT)
        frame = d.stack()[0]["frame"]
        self.assertEqual(d.evaluate("n * 10 + 1", frame=frame),
                         str(int(d.evaluate("Game.updates")) * 10 + 1))
        self.assertIn("nothing_there", d.error("evaluate", text="nothing_there.x", frame=frame))
        self.assertIn("expected a string", d.error("evaluate", text=7))
        self.assertIn("expected a number from 0.001 to 10",
                      d.error("evaluate", text="1", seconds=11))
        start = time.monotonic()
        self.assertTrue(d.error("evaluate", text="while true do end", seconds=0.3))
        self.assertLess(time.monotonic() - start, LIMIT / 4)
        self.assertEqual(d.request("complete", text="Game.upd")["names"], ["updates"])
        d.send(type="complete", text="Game.tot", id=1)
        self.assertEqual(d.wait_for_message(lambda m: m.get("type") == "completions")["names"],
                         ["total"])
        # What is evaluated runs over breakpoints.
        self.assertEqual(d.evaluate("(function() update(0) return 5 end)()"), "5")
        d.detach()
        self.end()

    def test_evaluates_without_a_stop(self):
        d = self.attach()
        d.breakpoints(SCRIPT, {"line": RESULT, "condition": "n == 1e9"})
        self.assertEqual(d.evaluate("1 + 2"), "3")
        self.assertIn("nothing_there", d.error("evaluate", text="nothing_there.x"))
        self.assertEqual(d.request("complete", text="Game.upd")["names"], ["updates"])
        self.assertIn("hold until the game goes on", d.error("scopes", frame=3))
        self.assertIn("not stopped", d.error("scopes", frame=128))
        self.end()

    def test_values_are_listed_and_set(self):
        d = self.stop_in_update(RESULT + 1)
        locals_ = d.scope("Locals")
        values = d.values(locals_)
        self.assertEqual(int(values["result"]["text"]), 2 * int(values["n"]["text"]))
        answer = d.request("set", value=locals_, name="result", text="1000 + 1",
                           frame=d.stack()[0]["frame"])
        self.assertEqual((answer["text"], answer["kind"]), ("1001", "number"))
        total = int(d.evaluate("Game.total"))
        game = d.request("evaluate", text="Game")
        self.assertGreater(game["count"], 2)
        self.assertEqual(d.values(game["value"])["total"]["text"], str(total))
        # Of another type: Lua takes it.
        self.assertEqual(d.request("set", value=game["value"], name="word", text="'abc'")["text"],
                         '"abc"') if "word" in d.values(game["value"]) else None
        self.assertTrue(d.error("set", value=locals_, name="no such name", text="1"))
        self.assertTrue(d.error("set", value=locals_, name="result", text="1 +"))
        self.assertTrue(d.error("values", value=10 ** 9))
        d.breakpoints(SCRIPT, line_of("if Game.todo"))
        d.go_on()
        d.stopped()
        self.assertEqual(int(d.evaluate("Game.total")), total + 1001)
        old = game["value"]
        self.assertTrue(d.error("values", value=old))
        d.detach()
        self.end()

    def test_coroutines_have_threads(self):
        d = self.attach()
        d.breakpoints(SCRIPT, line_of("coroutine.yield"))
        d.script("Game.walker = coroutine.create(walk); "
                 "Game.todo = function() coroutine.resume(Game.walker, 3) end")
        stop = d.stopped()
        self.assertNotEqual(stop["thread"], 1)
        threads = {thread["thread"]: thread for thread in d.request("threads")["threads"]}
        self.assertTrue(threads[stop["thread"]]["is_stopped"])
        self.assertIn("coroutine", threads[stop["thread"]]["name"])
        frames = d.stack(thread=stop["thread"])
        self.assertEqual(frames[0]["line"], line_of("coroutine.yield"))
        waiting = d.stack(thread=1)
        self.assertIn("update", " ".join(frame["name"] for frame in waiting))
        d.breakpoints(SCRIPT, UPDATE)
        d.go_on()
        d.stopped(line=UPDATE)
        self.assertTrue(d.stack(thread=stop["thread"]))  # it waits
        d.detach()
        self.end()

    def test_errors_stop(self):
        d = self.attach()
        d.script("Game.todo = function() Game.todo = nil; Game.caught = {catch()}; fail() end")
        stop = d.stopped()
        self.assertEqual((stop["reason"], stop["line"]), ("error", line_of("error(\"no")))
        self.assertIn("no chance", stop["text"])
        d.request("errors", stop="all")
        d.go_on()
        d.script("Game.todo = function() Game.todo = nil; catch() end")
        self.assertIn("no luck", d.stopped()["text"])
        d.request("errors", stop="never")
        d.go_on()
        d.script("Game.todo = function() Game.todo = nil; Game.failing = true; fail() end")
        d.wait_until("Game.failing and Game.todo == nil", "true")
        self.assertTrue(d.frames_advance())
        self.assertFalse([e for e in d.events if e["event"] == "stopped"])
        self.assertIn('expected "never", "uncaught" or "all"', d.error("errors", stop="some"))
        self.end()

    def test_other_messages_are_refused_while_stopped(self):
        d = self.stop_in_update()
        other = self.game.console
        with self.assertRaisesRegex(RuntimeError, f"has stopped at {SCRIPT}:{UPDATE}"):
            other.script("1")
        with self.assertRaisesRegex(RuntimeError, "has stopped at"):
            other.command("pause")
        with self.assertRaisesRegex(RuntimeError, "has stopped at"):
            other.answer(other.ask(type="my_own"))
        self.assertIn("script/lua", other.command("memory"))
        self.assertIn("quit", other.command("help"))
        other.send(type="ping", id="p")
        other.wait_for_message(lambda m: m["type"] == "pong")
        # What comes right behind a message to go on waits until it has.
        d.breakpoints(SCRIPT)
        name = d.ask(type="debugger_continue")
        script = d.ask(type="script", script="1 + 1")
        d.answer(name)
        self.assertEqual(d.answer(script)["result"], "2")
        self.end()

    def test_a_script_of_the_console_stops(self):
        d = self.attach()
        d.breakpoints(SCRIPT, {"line": RESULT, "condition": "n == 77"})
        self.write_script("main", MAIN.replace("function init()", "Game.twice = twice\nfunction init()"))
        d.event("script", reason="changed")
        line = RESULT
        # The client itself answers while its own message is handled.
        script = d.ask(type="script", script="return Game.twice(77)")
        self.assertEqual(d.stopped()["line"], line)
        for _ in range(40):  # clients come and go meanwhile
            Debugger(self.game.port).close()
        self.assertEqual(d.local("n"), "77")
        self.assertEqual(d.step("over")["line"], line + 1)
        d.request("continue")
        self.assertEqual(d.answer(script)["result"], "154")
        # One that dies in the middle of its own message.
        dying = self.attach()
        dying.ask(type="script", script="return Game.twice(77)")
        d.stopped()
        dying.close()
        time.sleep(0.1)
        d.go_on()
        self.assertTrue(d.frames_advance())
        self.end()

    def test_console_receive_stops(self):
        d = self.attach()
        d.script("function console_receive(m) Game.m = m.x; return { y = m.x + 1 } end")
        self.write_script("main", MAIN + """
function console_receive(m)
    Game.m = m.x
    return { y = m.x + 1 }
end
""")
        d.event("script", reason="changed")
        d.breakpoints(SCRIPT, line_of("Game.m = m.x", MAIN + "\nfunction c\n    Game.m = m.x"))
        own = d.ask(type="mine", x=4)
        d.stopped()
        self.assertEqual(d.evaluate("m.x", frame=d.stack()[0]["frame"]), "4")
        d.request("continue")
        self.assertEqual(d.answer(own)["y"], 5)
        self.end()

    def test_quit_while_stopped(self):
        d = self.stop_in_update()
        d.breakpoints(SCRIPT, UPDATE, line_of("Game.ended"))
        d.send(type="command", command="quit", arguments=["3"])
        self.assertEqual(self.game.process.wait(timeout=LIMIT), 3)
        d.event("ended")

    def test_shutdown_stops(self):
        d = self.attach()
        d.breakpoints(SCRIPT, line_of("Game.ended"))
        d.send(type="command", command="quit")
        d.stopped(line=line_of("Game.ended"))
        d.go_on()
        self.assertEqual(self.game.process.wait(timeout=LIMIT), 0)

    def test_the_game_goes_on_when_the_last_client_dies(self):
        d = self.stop_in_update()
        d.socket.close()
        other = self.attach_when_running()
        self.assertTrue(other.frames_advance())
        # A client that leaves while others stay takes only its own breakpoints.
        first, second = self.attach(), other
        first.breakpoints(SCRIPT, UPDATE)
        first.stopped()
        second.breakpoints(SCRIPT, GOT)
        first.socket.close()
        second.go_on()
        self.assertEqual(second.stopped(line=GOT)["line"], GOT)
        second.go_on()
        self.assertEqual(second.stopped()["line"], GOT)
        second.detach()
        self.assertTrue(second.frames_advance())
        self.end()

    def attach_when_running(self):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            d = self.attach()
            if "stopped" not in d.attached:
                return d
            d.close()
            time.sleep(0.05)
        raise AssertionError("the game is still stopped")

    def test_two_clients_have_breakpoints_of_their_own(self):
        first, second = self.attach(), self.attach()
        first.breakpoints(SCRIPT, UPDATE)
        second.breakpoints(SCRIPT, UPDATE, GOT)
        stop = first.stopped(line=UPDATE)
        if len(stop["breakpoints"]) == 1:  # it stopped before the second client was heard
            first.go_on()
            while stop["line"] != UPDATE or len(stop["breakpoints"]) == 1:
                stop = first.stopped()
                if stop["line"] == GOT:
                    first.go_on()
        self.assertEqual(len(stop["breakpoints"]), 2)
        second.stopped(breakpoints=stop["breakpoints"])
        second.go_on()
        first.event("continued")
        first.stopped(line=GOT)
        second.detach()
        first.go_on()
        self.assertEqual(len(first.stopped()["breakpoints"]), 1)
        first.detach()
        self.end()

    def test_many_clients(self):
        clients = [self.attach() for _ in range(50)]
        for number, client in enumerate(clients):
            client.breakpoints(SCRIPT, {"line": UPDATE, "condition": f"Game.updates > {number}"})
        for client in clients:
            client.stopped()
        clients[7].go_on()
        clients[3].event("continued")
        for client in clients[1:]:
            client.close()
        clients[0].breakpoints(SCRIPT)
        clients[0].stopped()
        clients[0].go_on()
        self.assertTrue(clients[0].frames_advance())
        self.end()

    def test_breakpoints_on_every_line(self):
        d = self.attach()
        count = MAIN.count("\n")
        places = d.breakpoints(SCRIPT, *range(1, count + 1))
        self.assertEqual(len(places), count)
        lines = d.request("lines", script=SCRIPT, first=1, last=count)["lines"]
        self.assertEqual(lines, sorted(set(lines)))
        self.assertIn(UPDATE, lines)
        self.assertTrue({place["line"] for place in places if place["verified"]} <= set(lines))
        for _ in range(20):
            self.assertIn(d.stopped()["line"], lines)
            d.go_on()
        d.detach()
        self.end()

    def test_garbage(self):
        d = self.attach()
        for kind, members, wanted in (
                ("breakpoints", {}, '"script" is nothing; expected a string'),
                ("breakpoints", {"script": 3}, '"script" is 3; expected a string'),
                ("breakpoints", {"script": ""}, "expected 1 to 255"),
                ("breakpoints", {"script": "x" * 999}, "expected 1 to 255"),
                ("breakpoints", {"script": "a\0b"}, "zero byte"),
                ("breakpoints", {"script": "a"}, '"breakpoints" is nothing; expected an array'),
                ("breakpoints", {"script": "a", "breakpoints": [4]}, "breakpoint 0: it is a number"),
                ("breakpoints", {"script": "a", "breakpoints": [{"line": 1}, {"line": -1}]},
                 'breakpoint 1: "line" is -1; expected a whole number'),
                ("breakpoints", {"script": "a", "breakpoints": [{"line": 1e300}]}, '"line" is 1e300'),
                ("breakpoints", {"script": "a", "breakpoints": [{"line": 1, "hits": 5}]},
                 '"hits" is 5; expected a string'),
                ("breakpoints", {"script": "a", "breakpoints": [{"line": 1}] * 16385},
                 "expected at most 16384"),
                ("lines", {"script": SCRIPT, "first": 0}, '"first" is 0'),
                ("pause", {"thread": "main"}, '"thread" is a string; expected a number'),
                ("pause", {"thread": 4e9}, "no thread 4000000000"),
                ("pause", {"thread": 1.5}, "whole number"),
                ("stack", {"thread": 1}, "not stopped"),
                ("stack", {"thread": 1, "count": 1e9}, '"count" is 1000000000; expected'),
                ("scopes", {}, '"frame" is nothing'),
                ("scopes", {"frame": 1e18}, '"frame" is 1e18; expected a number'),
                ("values", {"value": []}, '"value" is an array'),
                ("set", {"value": 128, "name": 1, "text": ""}, '"name" is 1; expected a string'),
                ("attach", {"name": {}}, '"name" is an object'),
                ("brakepoints", {}, 'did you mean "debugger_breakpoints"')):
            self.assertIn(wanted, d.error(kind, **members), (kind, members))
        d.send(type="debugger_threads")
        self.assertIn('no "id"', d.wait_for_message(lambda m: "no \"id\"" in m.get("error", ""))["error"])
        d.send_text(json.dumps({"type": "debugger_", "id": [1, {}]}))
        d.wait_for_message(lambda m: m.get("id") == [1, {}])
        raw = socket.create_connection(("127.0.0.1", self.game.port))
        raw.sendall(struct.pack(">II", 0, 5) + b"debug")
        raw.close()
        self.assertTrue(d.frames_advance())
        self.end()

    def test_scripts_reload_under_breakpoints(self):
        d = self.attach()
        place, = d.breakpoints(SCRIPT, {"line": GOT, "condition": "false"})
        self.write_script("main", "-- one line more\n" * 3 + MAIN)
        self.assertEqual(d.event("script", reason="changed")["script"], SCRIPT)
        d.breakpoints(SCRIPT, GOT + 3)
        d.stopped(line=GOT + 3)
        # While it is stopped, a save waits.
        self.write_script("main", MAIN.replace("Game.updates + 1", "Game.updates + 1000"))
        time.sleep(0.3)
        self.assertFalse([e for e in d.events if e["event"] == "script"])
        d.breakpoints(SCRIPT, GOT)
        d.go_on()
        d.event("script", reason="changed")
        d.stopped(line=GOT)
        self.assertGreaterEqual(int(d.evaluate("Game.updates")), 1000)
        self.assertGreater(place["breakpoint"], 0)
        d.detach()
        self.end()


class NotYetLoaded(DebuggerTest):
    def prepare(self):
        self.write_script("later", """\
local Later = {}
function Later.run(n)
    local one = n + 1
    return one
end
return Later
""")

    def test_breakpoints_of_a_script_that_has_not_run_wait_for_it(self):
        d = self.attach()
        place, = d.breakpoints("scripts/later.lua", 3)
        self.assertFalse(place["verified"])
        self.assertTrue(place["message"])
        self.assertEqual(d.request("lines", script="scripts/later.lua")["lines"], [])
        d.script('Game.todo = function() Game.todo = nil; require("scripts/later").run(4) end')
        found = d.event("breakpoint")
        self.assertEqual((found["breakpoint"], found["verified"], found["line"]),
                         (place["breakpoint"], True, 3))
        self.assertEqual(d.stopped()["script"], "scripts/later.lua")
        self.assertEqual(d.local("n"), "4")
        self.assertEqual(d.request("lines", script="scripts/later.lua", first=3, last=4)["lines"],
                         [3, 4])
        place, = d.breakpoints("scripts/nowhere", 3)
        self.assertFalse(place["verified"])
        d.detach()
        self.end()


class AtTheStart(DebuggerTest):
    arguments = ("--debug",)

    def test_init_stops(self):
        d = self.attach()
        self.assertEqual(d.attached["stopped"],
                         {"reason": "pause", "thread": 1, "script": "", "line": 0})
        self.assertTrue(d.request("threads")["threads"][0]["is_stopped"])
        with self.assertRaisesRegex(RuntimeError, "before the boot script"):
            d.script("1")
        d.breakpoints(SCRIPT, line_of("Game.begun"), 1)
        self.assertIn("not stopped", d.error("stack", thread=1))
        d.request("continue")
        self.assertEqual(d.stopped()["line"], 1)
        d.go_on()
        d.stopped(line=line_of("Game.begun"))
        self.assertEqual(d.evaluate("Game.begun"), "nil")
        d.go_on()
        self.assertTrue(d.frames_advance())
        self.end()

    def test_the_game_starts_when_the_client_leaves(self):
        d = self.attach()
        d.close()
        end = time.monotonic() + LIMIT
        while True:
            try:
                self.game.console.wait_until("Game and Game.begun", "true")
                break
            except RuntimeError as error:  # refused before that
                self.assertIn("before the boot script", str(error))
                self.assertLess(time.monotonic(), end)
        self.end()

    def test_a_step_goes_to_the_first_line(self):
        d = self.attach()
        d.request("step", kind="into")
        self.assertEqual(d.stopped()["line"], 1)
        d.detach()
        self.end()


JOBS = """\
local Jobs = {}
function Jobs.sum(from, to)
    local sum = 0
    for i = from, to do
        sum = sum + i
    end
    return sum
end
function Jobs.quick(n)
    return n + 1
end
return Jobs
"""
IN_JOB = line_of("local sum = 0", JOBS)
RUN = """
function Game.run(n, name)
    local jobs = {}
    for i = 1, n do
        jobs[i] = { i, i + 9, script = "scripts/jobs", ["function"] = name or "sum" }
    end
    Game.results = LuaThreads.run(jobs)
end
"""


class Jobs(DebuggerTest):
    arguments = ("--workers", 2)
    settings = "\nlua = { worker_states = 2 }\n"

    def prepare(self):
        self.write_script("jobs", JOBS)
        self.write_script("main", MAIN + RUN)

    def start(self, n, name="sum"):
        self.game.console.script(
            f'Game.done = nil; Game.todo = function() Game.todo = nil; Game.run({n}, "{name}"); '
            'Game.done = true end')

    def wait_for_end(self, d):
        d.wait_until("Game.done", "true")
        self.assertTrue(d.frames_advance())

    def test_a_job_stops_and_is_looked_at(self):
        d = self.attach()
        d.breakpoints("scripts/jobs.lua", IN_JOB)
        self.start(1)
        stop = d.stopped()
        self.assertGreater(stop["thread"], 100000)
        self.assertEqual(stop["line"], IN_JOB)
        self.assertEqual(d.stack(thread=stop["thread"])[0]["line"], IN_JOB)
        self.assertEqual(d.local("from"), "1")
        self.assertEqual(d.evaluate("from + to", frame=d.stack()[0]["frame"]), "11")
        self.assertEqual(d.step("over", thread=stop["thread"])["line"], IN_JOB + 1)
        states = {t["state"] for t in d.request("threads")["threads"]}
        self.assertIn("worker 1", states)
        with self.assertRaisesRegex(RuntimeError, "has stopped at scripts/jobs.lua"):
            d.script("1")
        with self.assertRaisesRegex(RuntimeError, "has stopped at scripts/jobs.lua.* while jobs run, so components can"):
            self.game.console.answer(self.game.console.ask(type="entity_components", entity=1))
        d.go_on()
        self.wait_for_end(d)
        self.assertEqual(d.script("Game.results[1]"), "55")
        self.end()

    def test_both_states_stop_and_go_on_by_thread(self):
        d = self.attach()
        self.start(2, "quick")
        self.wait_for_end(d)
        d.breakpoints("scripts/jobs.lua", {"line": IN_JOB, "condition": "from <= 2"})
        self.start(2)
        first = d.stopped()
        # The other job stops, too, unless the same state takes both, one after the other.
        threads = {first["thread"]}
        end = time.monotonic() + 2
        while time.monotonic() < end and len(threads) == 1:
            d.request("threads")
            threads |= {e["thread"] for e in d.events if e["event"] == "stopped"}
        for thread in sorted(threads):
            self.assertEqual(d.evaluate("from >= 1", frame=d.stack(thread=thread)[0]["frame"]),
                             "true")
        self.assertIn("has not stopped", d.error("continue", thread=1))
        d.request("step", kind="over", thread=first["thread"])
        d.stopped(thread=first["thread"], line=IN_JOB + 1)
        for thread in sorted(threads):
            d.request("continue", thread=thread)
            d.event("continued", thread=thread)
        d.breakpoints("scripts/jobs.lua")
        while True:
            try:
                d.request("continue")
            except RuntimeError:
                break
        self.wait_for_end(d)
        self.end()

    def test_the_jobs_go_on_when_the_client_dies(self):
        d = self.attach()
        d.breakpoints("scripts/jobs.lua", IN_JOB)
        self.start(8)
        d.stopped()
        d.socket.close()
        other = self.game.console
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            try:
                other.wait_until("Game.done", "true")
                break
            except RuntimeError:
                time.sleep(0.05)
        self.assertEqual(other.script("#Game.results"), "8")
        self.end()

    def test_jobs_of_an_evaluation_do_not_stop(self):
        d = self.attach()
        self.start(2, "quick")
        self.wait_for_end(d)
        d.breakpoints("scripts/jobs.lua", IN_JOB)
        d.breakpoints(SCRIPT, UPDATE)
        d.stopped(line=UPDATE)
        self.assertEqual(d.evaluate("(function() Game.run(4) return #Game.results end)()"), "4")
        d.breakpoints(SCRIPT)
        d.go_on()
        self.assertTrue(d.frames_advance())
        self.end()

    def test_quit_while_a_job_is_stopped(self):
        d = self.attach()
        d.breakpoints("scripts/jobs.lua", IN_JOB)
        self.start(4)
        d.stopped()
        d.send(type="command", command="quit")
        self.assertEqual(self.game.process.wait(timeout=LIMIT), 0)


class JobsOnTheUpdateThread(Jobs):
    arguments = ("--workers", 0)


BEHAVIOUR = """\
local Guard = {}
function Guard.spawned(self)
    self.time = 0
end
function Guard.update(self, dt)
    self.time = self.time + dt
    Game.guards = (Game.guards or 0) + 1
end
return Guard
"""
IN_GUARD = line_of("self.time = self.time + dt", BEHAVIOUR)


class Behaviours(DebuggerTest):
    def prepare(self):
        self.write_script("guard", BEHAVIOUR)
        self.write_script("main", MAIN + """
function Game.spawn()
    Game.world = Application.new_world()
    local component = EntityManager.script_component(Game.world)
    Game.units = {}
    for i = 1, 3 do
        Game.units[i] = World.spawn_unit(Game.world, "units/camera")
        ScriptComponent.create(component, Game.units[i], "guard", "scripts/guard")
    end
    Game.todo = function() World.update(Game.world, 0.01) end
end
""")

    def test_a_behaviour_stops_for_all_units_or_for_one(self):
        d = self.attach()
        d.script("Game.spawn()")
        d.wait_until("Game.guards ~= nil", "true")
        d.breakpoints("scripts/guard.lua", IN_GUARD)
        units = []
        for _ in range(3):
            stop = d.stopped()
            self.assertEqual((stop["script"], stop["line"]), ("scripts/guard.lua", IN_GUARD))
            units.append(d.evaluate("tostring(self.entity)", frame=d.stack()[0]["frame"]).strip('"'))
            self.assertIn("dt", d.values(d.scope("Locals")))
            d.go_on()
        d.stopped()
        self.assertEqual(len(set(units)), 3)
        unit = units[1][len("Unit("):-1]
        d.breakpoints("scripts/guard.lua", {"line": IN_GUARD, "unit": unit})
        for _ in range(2):
            d.go_on()
            d.stopped()
            found = d.evaluate("tostring(self.entity)", frame=d.stack()[0]["frame"]).strip('"')
            self.assertEqual(found, units[1])
        d.detach()
        self.end()


if __name__ == "__main__":
    unittest.main()
