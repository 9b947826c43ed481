"""`cuttle debug` with real games: launched, attached, stopped, started again."""

import os
import signal
import socket
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support_cuttle import LIMIT, Game, TemporaryFolder, write
from support_dap import DapClient, Refused

GAME = """\
Game = Game or { updates = 0, list = {} }
local function twice(n)
    local result = n * 2
    return result
end
function init()
    Game.begun = true
    for i = 1, 250 do Game.list[i] = i end
    print("it begins")
end
function update(dt)
    Game.updates = Game.updates + 1
    local got = twice(Game.updates)
    Game.total = got
    if Game.todo then
        Game.todo()
    end
end
function render() end
function shutdown() end
"""


def line_of(text):
    """The number of the line of GAME with a text."""
    return GAME[:GAME.index(text)].count("\n") + 1


UPDATE, GOT, RESULT = line_of("Game.updates = Game"), line_of("local got"), line_of("local result")


class RealGames(TemporaryFolder):
    """Games with GAME as their boot script."""

    def setUp(self):
        super().setUp()
        self.folder = os.path.realpath(self.folder)
        self.project = self.compiled_project()
        self.main = os.path.join(self.project, "scripts", "main.lua")
        write(self.main, GAME)

    def launch(self, client, *breakpoints, **arguments):
        """Up to the end of the configuration."""
        client.initialize()
        client.request("launch", headless=True, port=0, runArgs=["--size", "160x90"], **arguments)
        client.event("initialized")
        places = client.set_breakpoints(self.main, *breakpoints)
        client.request("setExceptionBreakpoints", filters=["uncaught"])
        client.request("configurationDone")
        return places

    def top(self, client, thread=1):
        return client.request("stackTrace", threadId=thread, levels=20)["stackFrames"][0]

    def test_launches_stops_shows_and_ends(self):
        with DapClient(self.project) as client:
            place, = self.launch(client, UPDATE)
            stop = client.event("stopped")
            self.assertEqual((stop["reason"], stop["hitBreakpointIds"]), ("breakpoint", [place["id"]]))
            self.assertTrue(stop["allThreadsStopped"])
            process = client.event("process")
            self.assertTrue(os.path.exists(f"/proc/{process['systemProcessId']}"))
            self.assertEqual([t["id"] for t in client.request("threads")["threads"]], [1])
            frame_ = self.top(client)
            self.assertEqual((frame_["source"]["path"], frame_["line"]), (self.main, UPDATE))
            scopes = client.request("scopes", frameId=frame_["id"])["scopes"]
            locals_ = client.request("variables", variablesReference=scopes[0]["variablesReference"])
            self.assertIn("dt", [v["name"] for v in locals_["variables"]])
            self.assertEqual(client.request("evaluate", expression="Game.updates", frameId=frame_["id"],
                                            context="watch")["result"], "0")
            client.set_breakpoints(self.main)
            client.request("continue", threadId=1)
            client.request("terminate")
            self.assertEqual(client.event("exited"), {"exitCode": 0})
            client.event("terminated")
            self.assertFalse(os.path.exists(f"/proc/{process['systemProcessId']}"))
            client.disconnect()

    def test_steps(self):
        with DapClient(self.project) as client:
            self.launch(client, UPDATE)
            client.event("stopped")
            for command, line in (("next", GOT), ("stepIn", RESULT), ("next", RESULT + 1)):
                client.request(command, threadId=1)
                self.assertEqual(client.event("stopped")["reason"], "step")
                self.assertEqual(self.top(client)["line"], line)
            client.request("stepOut", threadId=1)
            client.event("stopped")
            self.assertIn(self.top(client)["line"], (GOT, GOT + 1))
            client.disconnect()

    def test_stops_at_the_entry_before_the_game_begins(self):
        with DapClient(self.project) as client:
            self.launch(client, stopOnEntry=True)
            self.assertEqual(client.event("stopped")["reason"], "entry")
            self.assertEqual(client.request("evaluate", expression="Game == nil or Game.begun == nil")["result"],
                             "true")
            client.disconnect()

    def test_the_log_comes_once(self):
        with DapClient(self.project) as client:
            self.launch(client, UPDATE)
            client.event("stopped")
            output = client.output_with("it begins")
            self.assertEqual((output["output"], output["category"]), ("it begins\n", "stdout"))
            self.assertEqual(output["source"]["path"], self.main)
            self.assertEqual(output["line"], line_of('print("it begins")'))
            client.disconnect()
            self.assertFalse([e for e in client.events if "it begins" in e.get("body", {}).get("output", "")])

    def test_breakpoints_in_init_and_log_points(self):
        with DapClient(self.project) as client:
            self.launch(client, line_of("Game.begun = true"),
                        {"line": GOT, "logMessage": "update {Game.updates}!"})
            client.event("stopped")
            self.assertEqual(self.top(client)["line"], line_of("Game.begun = true"))
            client.request("continue", threadId=1)
            output = client.output_with("update 1!")
            self.assertEqual((output["line"], output["source"]["path"]), (GOT, self.main))
            client.disconnect()

    def test_conditions(self):
        with DapClient(self.project) as client:
            self.launch(client, {"line": UPDATE, "condition": "Game.updates == 7"})
            client.event("stopped")
            self.assertEqual(client.request("evaluate", expression="Game.updates")["result"], "7")
            place, = client.set_breakpoints(self.main, {"line": UPDATE, "condition": "1 +"})
            self.assertFalse(place["verified"])
            self.assertTrue(place["message"])
            client.disconnect()

    def test_errors(self):
        with DapClient(self.project) as client:
            self.launch(client, {"line": UPDATE, "hitCondition": "3"})
            client.event("stopped")
            client.request("evaluate", expression="Game.todo = function() Game.todo = nil error('oh {no}') end")
            client.request("continue", threadId=1)
            stop = client.event("stopped", reason="exception")
            self.assertIn("oh {no}", stop["text"])
            self.assertIn("oh {no}", client.request("exceptionInfo", threadId=1)["description"])
            client.disconnect()

    def test_sets_and_pages_values(self):
        with DapClient(self.project) as client:
            self.launch(client, GOT)
            client.event("stopped")
            frame_ = self.top(client)["id"]
            scopes = {s["name"]: s["variablesReference"] for s in client.request("scopes", frameId=frame_)["scopes"]}
            answer = client.request("setVariable", variablesReference=scopes["Locals"], name="dt", value="dt * 0 + 2")
            self.assertEqual(answer["value"], "2")
            self.assertEqual(client.request("evaluate", expression="dt", frameId=frame_)["result"], "2")
            client.request("setExpression", expression="Game.updates", value="100", frameId=frame_)
            self.assertEqual(client.request("evaluate", expression="Game.updates", frameId=frame_)["result"], "100")
            found = client.request("evaluate", expression="Game.list", frameId=frame_)
            self.assertEqual(found["indexedVariables"], 250)
            page = client.request("variables", variablesReference=found["variablesReference"],
                                  filter="indexed", start=100, count=3)["variables"]
            self.assertEqual([(v["name"], v["evaluateName"], v["value"]) for v in page],
                             [(f"[{i}]", f"Game.list[{i}]", str(i)) for i in (101, 102, 103)])
            self.assertEqual(client.request("evaluate", expression=page[0]["evaluateName"],
                                            frameId=frame_)["result"], "101")
            names = client.request("completions", text="Game.upd", column=9, frameId=frame_)["targets"]
            self.assertEqual(names[0], {"label": "updates", "start": 6, "length": 3})
            client.disconnect()

    def test_a_client_that_vanishes_ends_a_launched_game(self):
        with DapClient(self.project) as client:
            self.launch(client, UPDATE)
            client.event("stopped")
            pid = client.event("process")["systemProcessId"]
        self.assertEqual(client.process.returncode, 0)
        self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_a_game_that_crashes_or_quits_by_itself(self):
        with DapClient(self.project) as client:
            self.launch(client)
            client.request("evaluate", expression="Application.quit(3)")
            self.assertEqual(client.event("exited"), {"exitCode": 3})
            client.event("terminated")
            client.disconnect()
        with DapClient(self.project) as client:
            self.launch(client)
            os.kill(client.event("process")["systemProcessId"], signal.SIGKILL)
            self.assertEqual(client.event("exited"), {"exitCode": -9})
            client.disconnect()

    def test_arguments_and_environment(self):
        write(self.main, GAME + "print(table.concat({Application.argv()}, '|'), 'end')\n")
        with DapClient(cwd=self.project) as client:
            self.launch(client, args=["a b", "--headless"], env={"CUTTLE_TEST_HERE": "yes", "HOME": None})
            client.output_with("a b|--headless\tend")
            pid = client.event("process")["systemProcessId"]
            with open(f"/proc/{pid}/environ") as file:
                environment = file.read().split("\0")
            self.assertIn("CUTTLE_TEST_HERE=yes", environment)
            self.assertFalse([e for e in environment if e.startswith("HOME=")])
            client.disconnect()

    def first_stop(self, client):
        """Where it is at the next stop, and how often the game was updated."""
        ids = client.event("stopped", reason="breakpoint")["hitBreakpointIds"]
        return ids, self.top(client)["line"], client.request("evaluate", expression="Game.updates")["result"]

    def test_starts_again(self):
        write(self.main, GAME + "print(table.concat({Application.argv()}, '|'), 'end')\n")
        with DapClient(self.project) as client:
            place, = self.launch(client, UPDATE, args=["one"])
            client.output_with("one\tend")
            self.assertEqual(self.first_stop(client), ([place["id"]], UPDATE, "0"))
            pid = client.event("process")["systemProcessId"]
            client.request("continue", threadId=1)
            client.event("stopped")
            client.request("restart")
            self.assertEqual(client.event("continued"), {"threadId": 1, "allThreadsContinued": True})
            # It has the breakpoint from its first line on, and the client knows it by its number from before.
            self.assertEqual(self.first_stop(client), ([place["id"]], UPDATE, "0"))
            self.assertTrue(client.event("breakpoint")["breakpoint"]["verified"])
            client.output_with("one\tend")
            other = client.event("process")["systemProcessId"]
            self.assertFalse(os.path.exists(f"/proc/{pid}"))
            # With another configuration; breakpoints that are set meanwhile are taken, too.
            restart = client.send("restart", {"arguments": {"project": self.project, "args": ["two"], "port": 0,
                                                            "headless": True, "runArgs": ["--size", "160x90"]}})
            place, = client.set_breakpoints(self.main, GOT)
            client.response(restart)
            client.output_with("two\tend")
            self.assertEqual(self.first_stop(client), ([place["id"]], GOT, "1"))
            self.assertNotEqual(client.event("process")["systemProcessId"], other)
            for event in ("exited", "terminated", "initialized"):
                self.assertFalse(client.has_event(event))
            client.request("terminate")
            client.event("exited")
            self.assertEqual(client.event("terminated"), {})
            with self.assertRaisesRegex(Refused, "the game has ended"):
                client.request("restart")
            client.disconnect()

    def test_starts_again_from_a_breakpoint_at_the_end(self):
        with DapClient(self.project) as client:
            text = GAME.replace("function shutdown() end", "function shutdown()\n    Game.over = true\nend")
            write(self.main, text)
            self.launch(client, line_of("function shutdown") + 1)
            client.output_with("it begins")
            before = time.monotonic()
            client.request("restart", name="Run", type="cuttle", request="launch", project=self.project,
                           headless=True, stopOnEntry=True, port=0)  # as Neovim sends it
            self.assertLess(time.monotonic() - before, LIMIT)
            self.assertEqual(client.event("stopped")["reason"], "entry")
            self.assertFalse(client.has_event("stopped"))
            client.disconnect()

    def test_a_restart_that_fails(self):
        with DapClient(self.project) as client:
            self.launch(client, {"line": UPDATE, "condition": "false"})
            for arguments in ({"args": 5}, {"args": [5]}, {"project": self.path("nowhere")}, {"port": 70000}):
                with self.assertRaisesRegex(Refused, "`args`|nowhere|`port`"):
                    client.request("restart", arguments=arguments)
            client.request("threads")  # the game goes on
            with self.assertRaisesRegex(Refused, "the game has ended with exit code"):
                client.request("restart", arguments={"runArgs": ["--size", "x"], "headless": True})
            client.event("exited")
            client.event("terminated")
            client.disconnect()
        with DapClient(self.project) as client:
            self.launch(client, UPDATE)
            client.event("stopped")
            restart = client.send("restart", {})
            with self.assertRaisesRegex(Refused, "is being started again"):
                client.request("threads")
            client.disconnect()
            with self.assertRaisesRegex(Refused, "cancelled"):
                client.response(restart)
            client.event("terminated")

    def test_two_launches_at_once(self):
        """From the same first port, of the same project."""
        def use(_):
            with DapClient(self.project) as client:
                client.initialize()
                launch = client.send("launch", {"headless": True, "runArgs": ["--size", "160x90"]})
                client.event("initialized")
                client.response(launch)
                client.set_breakpoints(self.main, UPDATE)
                client.request("configurationDone")
                client.event("stopped", reason="breakpoint")
                pid = client.request("evaluate", expression="Game.updates")["result"]
                client.request("continue", threadId=1)
                client.event("stopped", reason="breakpoint")
                client.disconnect()
                return pid
        with ThreadPoolExecutor(3) as pool:
            self.assertEqual(list(pool.map(use, range(3))), ["0"] * 3)

    def test_finds_a_port_when_all_that_it_tries_are_taken(self):
        taken = []
        self.addCleanup(lambda: [s.close() for s in taken])
        for first in range(61000, 64000, 100):
            try:
                for port in range(first, first + 16):
                    taken.append(socket.create_server(("127.0.0.1", port)))
                break
            except OSError:  # another program has it
                while taken:
                    taken.pop().close()
        with DapClient(self.project) as client:
            client.initialize()
            client.request("launch", headless=True, port=first, runArgs=["--size", "160x90"])
            client.event("initialized")
            client.disconnect()

    def test_runs_without_debugging(self):
        with DapClient(self.project) as client:
            place, = self.launch(client, UPDATE, noDebug=True)
            self.assertFalse(place["verified"])
            client.output_with("it begins")
            client.disconnect()

    def test_attaches_to_a_game_that_runs(self):
        with Game(self.project) as game, DapClient() as client:
            client.attach(game.port, configure=False)
            place, = client.set_breakpoints(self.main, UPDATE)
            self.assertTrue(place["verified"])
            client.request("configurationDone")
            client.event("stopped")
            lines = client.request("breakpointLocations", source={"path": self.main}, line=UPDATE, endLine=GOT)
            self.assertEqual([b["line"] for b in lines["breakpoints"]], [UPDATE, GOT])
            client.disconnect()
            before = int(game.console.script("Game.updates"))
            game.console.wait_until(f"Game.updates > {before + 2}", "true")
            self.assertEqual(game.quit(), 0)

    def test_reloads_while_attached(self):
        with Game(self.project) as game, DapClient() as client:
            client.attach(game.port)
            client.set_breakpoints(self.main, {"line": GOT, "condition": "Game.wait"})
            write(self.main, "-- a line more\n" + GAME)
            client.event("loadedSource")
            client.disconnect()
            self.assertEqual(game.quit(), 0)



if __name__ == "__main__":
    unittest.main()
