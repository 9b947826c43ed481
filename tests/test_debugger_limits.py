"""What never returns in a running game, and how its debugger gets at it: docs/formats/debugger_protocol.md."""

import time
import unittest

from support_cuttle import LIMIT
from test_debugger import (BEHAVIOUR, IN_GUARD, JOBS, MAIN, RUN, SCRIPT, UPDATE, DebuggerTest,
                           line_of)

LOOP = "while not Game.free do end"


class Endless(DebuggerTest):
    settings = "\nlua = { time_limit_seconds = 600 }\n"

    def prepare(self):
        self.write_script("guard", BEHAVIOUR.replace("self.time = self.time + dt",
                                                     LOOP + " self.time = self.time + dt"))
        self.write_script("main", MAIN + """
function Game.hang()
    while not Game.free do
    end
end
function Game.spawn()
    Game.world = Application.new_world()
    local component = EntityManager.script_component(Game.world)
    local unit = World.spawn_unit(Game.world, "units/camera")
    ScriptComponent.create(component, unit, "guard", "scripts/guard")
    Game.todo = function() World.update(Game.world, 0.01) end
end
""")

    def hang(self, d, lua):
        """Has the game run Lua that does not return; the client waits for that to be so."""
        self.game.console.script(f"Game.free = false; Game.todo = function() Game.todo = nil; {lua} end")
        time.sleep(0.3)

    def free(self, d):
        self.assertEqual(d.evaluate("Game.free"), "false")
        d.request("evaluate", text="Game.free = true")
        d.go_on()
        self.assertTrue(d.frames_advance())

    def test_pause_stops_a_loop(self):
        d = self.attach()
        self.hang(d, "Game.hang()")
        d.request("pause")
        self.assertEqual(d.stopped()["reason"], "pause")
        self.assertEqual(d.stack()[0]["name"], "Game.hang")
        self.free(d)
        self.hang(d, "Game.hang()")
        d.request("pause", thread=1)
        d.stopped(reason="pause")
        self.free(d)
        self.end()

    def test_pause_stops_a_behaviour(self):
        d = self.attach()
        self.game.console.script("Game.free = true; Game.spawn()")
        d.wait_until("Game.guards and Game.guards > 100", "true")
        d.script("Game.free = false")
        time.sleep(0.3)
        d.request("pause")
        stop = d.stopped()
        self.assertEqual((stop["reason"], stop["script"], stop["line"]),
                         ("pause", "scripts/guard.lua", IN_GUARD))
        self.assertIn("self", d.values(d.scope("Locals")))
        self.free(d)
        self.end()

    def test_pause_behind_other_messages(self):
        d = self.attach()
        self.hang(d, "Game.hang()")
        d.send(type="script", script="Game.never = 1", id=9000)
        d.request("pause")
        d.stopped()
        refused = d.wait_for_message(lambda m: m.get("id") == 9000)
        self.assertIn("has stopped at", refused["error"])
        self.free(d)
        self.assertEqual(d.script("Game.never"), "nil")
        self.end()

    def test_pause_stops_a_text_of_the_console(self):
        d, other = self.attach(), self.attach()
        d.script("Game.free = false")
        other.send(type="script", script=LOOP + " return 'free'", id=9001)
        time.sleep(0.3)
        d.request("pause")
        d.stopped(reason="pause")
        self.free(d)
        answer = other.wait_for_message(lambda m: m.get("id") == 9001)
        self.assertEqual(answer["result"], "free")
        self.end()

    def test_evaluations_without_a_stop_end(self):
        d = self.attach()
        start = time.monotonic()
        self.assertIn("of the debugger", d.error("evaluate", text="while true do end", seconds=0.3))
        self.assertLess(time.monotonic() - start, LIMIT / 4)
        self.assertTrue(d.frames_advance())
        got = d.request("evaluate", text="{1, name = 'x'}")
        self.assertEqual((got["kind"], got["count"]), ("table", 2))
        self.assertEqual({k: v["text"] for k, v in d.values(got["value"]).items()},
                         {"[1]": "1", "name": '"x"'})
        self.assertEqual(d.request("set", value=got["value"], name="name", text="7")["text"], "7")
        self.assertEqual(d.values(got["value"])["name"]["text"], "7")
        d.breakpoints(SCRIPT, UPDATE)
        d.stopped()
        d.breakpoints(SCRIPT)
        d.go_on()
        self.assertIn("there is no value", d.error("values", value=got["value"]))
        self.end()


class EndlessForEver(Endless):
    """Scripts are not stopped by the engine: without a debugger the loops would last."""
    settings = "\nlua = { stop_long_calls = false time_limit_seconds = 0 }\n"


class EndlessJobs(DebuggerTest):
    arguments = ("--workers", 2)
    settings = "\nlua = { worker_states = 2 time_limit_seconds = 600 }\n"

    threads = (100001, 200001)  # of the states that run the jobs
    num_jobs = 2

    def prepare(self):
        self.write_script("jobs", JOBS.replace("return Jobs\n", """\
function Jobs.hang(n)
    local free = false
    while not free do
    end
    return n
end
return Jobs
"""))
        self.write_script("main", MAIN + RUN)

    def hang(self):
        self.game.console.script('Game.done = nil; Game.todo = function() Game.todo = nil; '
                                 f'Game.run({self.num_jobs}, "hang"); Game.done = true end')
        time.sleep(0.3)

    def free(self, d, stop):
        self.assertEqual((stop["reason"], stop["script"]), ("pause", "scripts/jobs.lua"))
        self.assertGreater(stop["thread"], 100000)
        frame = d.stack(thread=stop["thread"])[0]["frame"]
        self.assertEqual(d.evaluate("free", frame=frame), "false")
        d.request("evaluate", text="free = true", frame=frame)
        d.request("continue", thread=stop["thread"])

    def wait_for_end(self, d):
        d.wait_until("Game.done", "true")
        self.assertTrue(d.frames_advance())

    def pause_again(self, d):
        """The other job, which may have begun later, or have stopped already."""
        time.sleep(0.5)
        if not any(event["event"] == "stopped" for event in d.events):
            try:
                d.request("pause")
            except RuntimeError as error:
                self.assertIn("has stopped already", str(error))

    def test_pause_stops_jobs(self):
        d = self.attach()
        self.hang()
        d.request("pause")
        self.free(d, d.stopped())
        self.pause_again(d)
        self.free(d, d.stopped())
        self.wait_for_end(d)
        self.end()

    def test_pause_stops_one_job(self):
        d = self.attach()
        self.hang()
        for thread in self.threads:
            time.sleep(0.3)
            d.request("pause", thread=thread)
            stop = d.stopped()
            self.assertEqual(stop["thread"] // 100000, thread // 100000)  # a coroutine
            self.free(d, stop)
        self.wait_for_end(d)
        self.end()

    def test_pause_of_another_job_while_one_is_stopped(self):
        d = self.attach()
        self.hang()
        first, other = self.threads
        d.request("pause", thread=first)
        stop = d.stopped()
        self.assertEqual(stop["thread"] // 100000, first // 100000)
        d.request("pause", thread=other)
        second = d.stopped()
        self.assertEqual(second["thread"] // 100000, other // 100000)
        self.free(d, second)
        self.free(d, stop)
        self.wait_for_end(d)
        self.end()


class EndlessJobOnTheUpdateThread(EndlessJobs):
    arguments = ("--workers", 0)
    num_jobs = 1
    test_pause_stops_one_job = None
    test_pause_of_another_job_while_one_is_stopped = None

    def test_pause_stops_jobs(self):
        d = self.attach()
        for thread in ({}, {"thread": 100001}):
            self.hang()
            d.request("pause", **thread)
            self.free(d, d.stopped())
            self.wait_for_end(d)
        self.end()


class OlderCode(DebuggerTest):
    def prepare(self):
        self.write_script("later", """\
local Later = {}
function Later.run(n)
    local one = n + 1
    return one
end
return Later
""")
        self.write_script("main", MAIN + 'require("scripts/later")\n')

    def test_functions_from_before_a_reload_stop(self):
        d = self.attach()
        d.script('Game.kept = require("scripts/later").run')
        self.write_script("later", """\
local Later = {}
function Later.run(n)
    local one = n + 2
    return one
end
return Later
""")
        d.event("script", script="scripts/later.lua", reason="changed")
        d.wait_until('require("scripts/later").run(1)', "3")
        place, = d.breakpoints("scripts/later.lua", 4)
        self.assertTrue(place["verified"])
        self.assertIn("from before a change", place["message"])
        d.script("Game.todo = function() Game.todo = nil; Game.kept(1) end")
        self.assertEqual(d.stopped()["line"], 4)
        self.assertEqual(d.local("one"), "2")
        d.go_on()
        d.script("Game.kept = nil; jit.flush(); collectgarbage()")
        place, = d.breakpoints("scripts/later.lua", 4)
        self.assertEqual(place["message"], "")
        self.end()


if __name__ == "__main__":
    unittest.main()
