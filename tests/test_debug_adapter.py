"""`cuttle debug`: the Debug Adapter Protocol over a game's debugger. Here games are scripts (support_dap.py);
test_debug_adapter_games.py runs real ones."""

import os
import signal
import socket
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support_cuttle import CUTTLE, TemporaryFolder, cuttle, write
from support_dap import DapClient, FakeGame, Refused, frame

MAIN = "local n = 1\nfunction update()\n    n = n + 1\n    print(n)\nend\n"


class WithFakeGame(TemporaryFolder):
    """A project and a core of one file each, and a game that has them."""

    def setUp(self):
        super().setUp()
        self.folder = os.path.realpath(self.folder)
        self.main = self.path("game", "scripts", "main.lua")
        write(self.main, MAIN)
        write(self.path("core", "lua", "class.lua"), "return 1\n")
        self.game = FakeGame(self.path("game"), self.path("core"))
        self.addCleanup(self.game.close)

    def stopped(self, client, **members):
        self.game.stop(**members)
        return client.event("stopped")


class Sessions(WithFakeGame):
    def test_says_what_it_can(self):
        with DapClient() as client:
            can = client.initialize()
            self.assertTrue(can["supportsConfigurationDoneRequest"])
            self.assertTrue(can["supportsLogPoints"])
            self.assertNotIn("supportsStepBack", can)
            self.assertEqual([(f["filter"], f["default"]) for f in can["exceptionBreakpointFilters"]],
                             [("uncaught", True), ("all", False)])
            client.disconnect()
            self.assertEqual(client.ends(), 0)

    def test_is_initialized_once_attached(self):
        with DapClient() as client:
            client.initialize()
            seq = client.send("attach", {"port": self.game.port})
            client.response(seq)
            client.event("initialized")
            self.assertEqual(self.game.wait("debugger_attach")["name"], "cuttle debug")
            process = client.event("process")
            self.assertEqual(process["startMethod"], "attach")
            client.request("configurationDone")
            client.disconnect()
            self.game.wait("debugger_detach")
            self.assertFalse([m for m in self.game.received if m["type"] == "command"])

    def test_detaches_and_leaves_the_game_running(self):
        with DapClient() as client:
            client.attach(self.game.port)
            client.disconnect()
            self.game.wait("debugger_detach")
            self.game.wait_gone()
            client.event("terminated")

    def test_ends_an_attached_game_when_asked(self):
        with DapClient() as client:
            client.attach(self.game.port)
            client.disconnect(terminateDebuggee=True)
            self.assertEqual(self.game.wait("command")["command"], "quit")

    def test_terminates_an_attached_game(self):
        with DapClient() as client:
            client.attach(self.game.port)
            client.request("terminate")
            client.event("terminated")
            self.assertEqual(self.game.wait("command")["command"], "quit")
            with self.assertRaisesRegex(Refused, "the game has ended"):
                client.request("threads")
            client.disconnect()

    def test_says_when_the_game_goes(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.game.answers["debugger_threads"] = "nothing"
            waiting = client.send("threads")
            self.game.wait("debugger_threads")
            self.game.hang_up()
            client.event("terminated")
            with self.assertRaisesRegex(Refused, "closed the connection"):
                client.response(waiting)
            self.assertFalse(client.has_event("exited"))
            client.disconnect()

    def test_a_client_that_vanishes_leaves_an_attached_game(self):
        with DapClient() as client:
            client.attach(self.game.port)
        self.assertEqual(client.process.returncode, 0)
        self.game.wait_gone()
        self.assertFalse([m for m in self.game.received if m["type"] == "command"])

    def test_leaves_a_game_that_does_not_answer(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.game.answers["debugger_detach"] = "nothing"
            client.disconnect()

    def test_refuses_a_debugger_of_another_version(self):
        with DapClient() as client:
            client.initialize()
            self.game.answers["debugger_attach"] = {"version": 2, "project": "/", "core": "/"}
            with self.assertRaisesRegex(Refused, "version 2; expected 1"):
                client.request("attach", port=self.game.port)
            self.game.answers["debugger_attach"] = {"error": "64 clients are attached"}
            with self.assertRaisesRegex(Refused, "64 clients are attached"):
                client.request("attach", port=self.game.port)
            del self.game.answers["debugger_attach"]
            client.request("attach", port=self.game.port)  # it can be tried again
            client.event("initialized")
            client.disconnect()

    def test_refuses_what_comes_too_early_or_twice(self):
        with DapClient() as client:
            with self.assertRaisesRegex(Refused, "`initialize` first"):
                client.request("attach", port=self.game.port)
            client.initialize()
            with self.assertRaisesRegex(Refused, "sent before"):
                client.initialize()
            with self.assertRaisesRegex(Refused, "no game is attached"):
                client.request("threads")
            with self.assertRaisesRegex(Refused, "no game is attached"):
                client.request("configurationDone")
            client.request("attach", port=self.game.port)
            for command in ("attach", "launch"):
                with self.assertRaisesRegex(Refused, "before"):
                    client.request(command)
            client.request("configurationDone")
            with self.assertRaisesRegex(Refused, "sent before"):
                client.request("configurationDone")
            client.disconnect()

    def test_refuses_other_machines(self):
        with DapClient() as client:
            client.initialize()
            with self.assertRaisesRegex(Refused, "expected an address of this machine"):
                client.request("attach", host="192.0.2.1", port=self.game.port)
            with self.assertRaisesRegex(Refused, "`port` is 70000"):
                client.request("attach", port=70000)
            with self.assertRaisesRegex(Refused, "expected a whole number"):
                client.request("attach", port="x")
            client.disconnect()

    def test_says_that_nobody_listens(self):
        with DapClient() as client:
            client.initialize()
            with socket.socket() as deaf:
                deaf.bind(("127.0.0.1", 0))
                with self.assertRaises(Refused):
                    client.request("attach", port=deaf.getsockname()[1])
            client.disconnect()

    def test_refuses_unknown_requests(self):
        with DapClient() as client:
            client.initialize()
            with self.assertRaisesRegex(Refused, 'unknown request "fly"'):
                client.response(client.send("fly", check=False))
            with self.assertRaisesRegex(Refused, 'unknown request "modules"'):
                client.request("modules")
            client.disconnect()

    def test_a_game_that_was_attached_is_not_started_again(self):
        with DapClient() as client:
            self.assertTrue(client.initialize()["supportsRestartRequest"])
            client.request("attach", port=self.game.port)
            changed = client.event("capabilities")["capabilities"]
            self.assertEqual(changed, {"supportsRestartRequest": False})
            client.request("configurationDone")
            with self.assertRaisesRegex(Refused, "only one that `launch` has started"):
                client.request("restart")
            # So clients leave and attach again, and the game goes on meanwhile.
            client.disconnect(restart=True)
            self.game.wait("debugger_detach")
            self.assertNotIn("restart", client.event("terminated"))
            self.assertFalse([m for m in self.game.received if m["type"] == "command"])
        with DapClient() as client:
            client.attach(self.game.port, __restart=True)
            client.disconnect()

    def test_cancels_what_waits(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.game.answers["debugger_evaluate"] = "nothing"
            waiting = client.send("evaluate", {"expression": "f()"})
            client.request("cancel", requestId=waiting)
            with self.assertRaisesRegex(Refused, "cancelled"):
                client.response(waiting)
            client.request("cancel", requestId=99)
            client.disconnect()


class Stops(WithFakeGame):
    def test_stops_at_breakpoints(self):
        with DapClient() as client:
            client.attach(self.game.port, configure=False)
            places = client.set_breakpoints(self.main, 3, {"line": 4, "condition": "n > 2",
                                                           "hitCondition": ">5", "logMessage": "n is {n}"})
            asked = self.game.wait("debugger_breakpoints")
            self.assertEqual(asked["script"], "scripts/main.lua")
            self.assertEqual(asked["breakpoints"], [
                {"line": 3}, {"line": 4, "condition": "n > 2", "hits": ">5", "log": "n is {n}"}])
            self.assertEqual([p["id"] for p in places], [1, 2])
            self.assertEqual(places[0]["source"]["path"], self.main)
            client.request("configurationDone")
            stop = self.stopped(client, breakpoints=[1])
            self.assertEqual((stop["reason"], stop["threadId"], stop["hitBreakpointIds"]),
                             ("breakpoint", 1, [1]))
            self.assertTrue(stop["allThreadsStopped"])
            self.assertEqual(client.request("continue", threadId=1), {"allThreadsContinued": True})
            self.assertFalse(client.has_event("continued"))  # it is the client's own doing
            client.disconnect()

    def test_stops_before_the_end_of_configuration_wait(self):
        with DapClient() as client:
            client.attach(self.game.port, configure=False)
            self.game.stop()
            client.request("breakpointLocations", source={"path": self.main}, line=1)
            self.assertFalse(client.has_event("stopped"))
            client.request("configurationDone")
            self.assertEqual(client.event("stopped")["reason"], "breakpoint")
            client.disconnect()

    def test_takes_a_game_that_is_stopped(self):
        answer = self.game.on_debugger_attach(None)
        self.game.answers["debugger_attach"] = {**answer, "stopped": {
            "reason": "error", "thread": 7, "script": "scripts/main.lua", "line": 3, "text": "no"}}
        with DapClient() as client:
            client.attach(self.game.port)
            stop = client.event("stopped")
            self.assertEqual((stop["reason"], stop["threadId"], stop["text"]), ("exception", 7, "no"))
            self.assertFalse([m for m in self.game.received if m["type"] == "debugger_continue"])
            client.disconnect()

    def test_starts_a_game_that_waits(self):
        answer = self.game.on_debugger_attach(None)
        self.game.answers["debugger_attach"] = {**answer, "stopped": {
            "reason": "pause", "thread": 1, "script": "", "line": 0}}
        with DapClient() as client:
            client.attach(self.game.port, configure=False)
            client.set_breakpoints(self.main, 3)
            self.assertFalse([m for m in self.game.received if m["type"] == "debugger_continue"])
            client.request("configurationDone")
            self.game.wait("debugger_continue")
            client.request("threads")
            self.assertFalse(client.has_event("continued") or client.has_event("stopped"))
            client.disconnect()

    def test_stops_at_the_entry(self):
        answer = self.game.on_debugger_attach(None)
        self.game.answers["debugger_attach"] = {**answer, "stopped": {
            "reason": "pause", "thread": 1, "script": "", "line": 0}}

        def step(message):
            self.assertEqual((message["kind"], message["thread"]), ("into", 1))
            self.game.emit("continued", thread=1)
            self.game.stop("pause", line=1)
            return {}
        self.game.answers["debugger_step"] = step
        with DapClient() as client:
            client.attach(self.game.port, stopOnEntry=True)
            self.assertEqual(client.event("stopped")["reason"], "entry")
            self.stopped(client, reason="pause")  # a later one is what it is
            client.disconnect()

    def test_other_clients_go_on(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            self.game.emit("continued", thread=1)
            self.assertEqual(client.event("continued"), {"threadId": 1, "allThreadsContinued": True})
            client.disconnect()

    def test_a_stop_that_is_over_is_not_shown(self):
        with DapClient() as client:
            client.attach(self.game.port)
            threads = self.game.on_debugger_threads(None)

            def late(message):
                self.game.emit("continued", thread=1)
                return threads
            self.game.answers["debugger_threads"] = late
            self.game.stop()
            client.event("continued")
            client.request("threads")
            self.assertFalse(client.has_event("stopped"))
            client.disconnect()

    def test_workers_that_go_on_are_said(self):
        self.game.answers["debugger_threads"] = {"threads": [
            {"thread": 1, "name": "main", "state": "game", "is_stopped": True},
            {"thread": 2, "name": "worker 1", "state": "worker 1", "is_stopped": False}]}
        with DapClient() as client:
            client.attach(self.game.port)
            self.assertFalse(self.stopped(client)["allThreadsStopped"])
            threads = client.request("threads")["threads"]
            self.assertEqual([t["name"] for t in threads], ["main (game)", "worker 1"])
            client.disconnect()

    def test_steps(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            for command, kind in (("next", "over"), ("stepIn", "into"), ("stepOut", "out")):
                client.request(command, threadId=1)
                self.assertEqual(client.event("stopped")["reason"], "step")
                sent = [m for m in self.game.received if m["type"] == "debugger_step"][-1]
                self.assertEqual((sent["kind"], sent["thread"]), (kind, 1))
            self.assertFalse(client.has_event("continued"))
            self.game.answers["debugger_step"] = {"error": "thread 9 has not stopped"}
            with self.assertRaisesRegex(Refused, "thread 9 has not stopped"):
                client.request("next", threadId=9)
            client.disconnect()

    def test_pauses(self):
        with DapClient() as client:
            client.attach(self.game.port)
            client.request("pause", threadId=7)
            stop = client.event("stopped")
            self.assertEqual((stop["reason"], stop["threadId"]), ("pause", 7))
            client.disconnect()

    def test_explains_errors(self):
        with DapClient() as client:
            client.attach(self.game.port, configure=False)
            for filters, stop in ((["uncaught"], "uncaught"), (["all", "uncaught"], "all"), ([], "never")):
                client.request("setExceptionBreakpoints", filters=filters)
                sent = [m for m in self.game.received if m["type"] == "debugger_errors"]
                self.assertEqual(sent[-1]["stop"], stop)
            with self.assertRaisesRegex(Refused, 'unknown filter "some"'):
                client.request("setExceptionBreakpoints", filters=["some"])
            client.request("configurationDone")
            stop = self.stopped(client, reason="error", text="scripts/main.lua:3: {bad} news")
            self.assertEqual((stop["reason"], stop["text"]), ("exception", "scripts/main.lua:3: {bad} news"))
            info = client.request("exceptionInfo", threadId=1)
            self.assertEqual((info["description"], info["breakMode"]), (stop["text"], "unhandled"))
            with self.assertRaisesRegex(Refused, "thread 7 has not stopped at an error"):
                client.request("exceptionInfo", threadId=7)
            self.assertEqual(self.stopped(client, reason="time limit", text="too long")["reason"], "exception")
            client.disconnect()


class Breakpoints(WithFakeGame):
    def test_files_elsewhere_have_none(self):
        with DapClient() as client:
            client.attach(self.game.port)
            place, = client.set_breakpoints("/tmp/other.lua", 3)
            self.assertFalse(place["verified"])
            self.assertIn("neither in the project", place["message"])
            place, = client.set_breakpoints("scripts/main.lua", 3)
            self.assertIn("not an absolute path", place["message"])
            self.assertEqual(client.set_breakpoints(self.path("game-2", "main.lua")), [])
            self.assertFalse([m for m in self.game.received if m["type"] == "debugger_breakpoints"])
            client.disconnect()

    def test_finds_scripts_by_any_path(self):
        os.symlink(self.path("game"), self.path("link"))
        write(self.path("elsewhere", "shared.lua"), "return 1\n")
        os.symlink(self.path("elsewhere"), self.path("game", "shared"))
        with DapClient() as client:
            client.attach(self.game.port)
            for path, script in ((self.path("game/./scripts/../scripts//main.lua"), "scripts/main.lua"),
                                 (self.path("core/lua/class.lua"), "core/lua/class.lua"),
                                 (self.path("game/shared/shared.lua"), "shared/shared.lua"),
                                 (self.path("game/new folder/new.lua"), "new folder/new.lua"),
                                 (self.path("link/scripts/main.lua"), "scripts/main.lua")):
                client.set_breakpoints(path, 2)
                sent = [m for m in self.game.received if m["type"] == "debugger_breakpoints"]
                self.assertEqual(sent[-1]["script"], script)
            # The client's own spelling comes back.
            self.stopped(client)
            frames = client.request("stackTrace", threadId=1)["stackFrames"]
            self.assertEqual(frames[0]["source"]["path"], self.path("link/scripts/main.lua"))
            client.disconnect()

    def test_uris(self):
        write(self.path("game", "a b", "ü.lua"), "return 1\n")
        with DapClient() as client:
            client.attach(self.game.port, client={"pathFormat": "uri"})
            place, = client.set_breakpoints(f"file://{self.path('game')}/a%20b/%C3%BC.lua", 1)
            self.assertEqual(self.game.wait("debugger_breakpoints")["script"], "a b/ü.lua")
            self.assertEqual(place["source"]["path"], f"file://{self.path('game')}/a%20b/%C3%BC.lua")
            for uri in ("http://example.com/x.lua", "file:///x%zz", "file:///x%00", "file://host/x", "x"):
                place, = client.set_breakpoints(uri, 1)
                self.assertFalse(place["verified"], uri)
            client.disconnect()

    def test_lines_from_zero(self):
        with DapClient() as client:
            client.attach(self.game.port, client={"linesStartAt1": False, "columnsStartAt1": False})
            place, = client.set_breakpoints(self.main, 2)
            self.assertEqual(self.game.wait("debugger_breakpoints")["breakpoints"], [{"line": 3}])
            self.assertEqual(place["line"], 2)
            self.stopped(client)
            frames = client.request("stackTrace", threadId=1)["stackFrames"]
            self.assertEqual((frames[0]["line"], frames[0]["column"]), (2, 0))
            found = client.request("breakpointLocations", source={"path": self.main}, line=1, endLine=3)
            self.assertEqual(found["breakpoints"], [{"line": 1}, {"line": 2}])
            client.disconnect()

    def test_changes_are_sent_for_own_ones_only(self):
        with DapClient() as client:
            client.attach(self.game.port)
            client.set_breakpoints(self.main, 3)
            changed = {"verified": True, "script": "scripts/main.lua", "line": 4}
            self.game.emit("breakpoint", breakpoint=77, **changed)
            self.game.emit("breakpoint", breakpoint=1, message="moved", **changed)
            event = client.event("breakpoint")
            self.assertEqual(event["reason"], "changed")
            self.assertEqual((event["breakpoint"]["id"], event["breakpoint"]["line"]), (1, 4))
            client.set_breakpoints(self.main, 3)  # a new number
            self.game.emit("breakpoint", breakpoint=1, **changed)
            client.request("threads")
            self.assertFalse(client.has_event("breakpoint"))
            client.disconnect()

    def test_breakpoints_of_one_unit(self):
        with DapClient() as client:
            client.attach(self.game.port)
            for condition, unit, rest in (("unit boss", "boss", None), ("unit #12", "#12", None),
                                          ("unit the boss if n > 2", "the boss", "n > 2"),
                                          ("unit == boss", None, "unit == boss"), ("unit", None, "unit"),
                                          ("unit and n", None, "unit and n"), ("unit or n", None, "unit or n"),
                                          ("units", None, "units"), ("unit ", None, "unit ")):
                client.set_breakpoints(self.main, {"line": 3, "condition": condition})
                sent = self.game.received[-1]["breakpoints"][0]
                self.assertEqual((sent.get("unit"), sent.get("condition")), (unit, rest))
            client.disconnect()

    def test_refusals_are_shown(self):
        self.game.answers["debugger_breakpoints"] = {"breakpoints": [
            {"breakpoint": 5, "verified": False, "line": 3, "message": "unexpected symbol near '='"}]}
        with DapClient() as client:
            client.attach(self.game.port)
            place, = client.set_breakpoints(self.main, {"line": 3, "condition": "="})
            self.assertEqual((place["verified"], place["message"]), (False, "unexpected symbol near '='"))
            self.game.answers["debugger_breakpoints"] = {"error": "more than 16384 breakpoints"}
            with self.assertRaisesRegex(Refused, "16384"):
                client.set_breakpoints(self.main, 3)
            client.disconnect()


class Values(WithFakeGame):
    def test_frames(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            answer = client.request("stackTrace", threadId=1)
            self.assertEqual(answer["totalFrames"], 4)
            lua, c, engine, gone = answer["stackFrames"]
            self.assertEqual((lua["source"]["path"], lua["line"], lua["column"]), (self.main, 3, 1))
            self.assertEqual((c["presentationHint"], c.get("source")), ("label", None))
            self.assertEqual((engine["presentationHint"], engine["source"]["path"]),
                             ("subtle", self.path("core/lua/class.lua")))
            self.assertNotIn("path", gone["source"])  # its file is not there
            self.assertGreater(gone["source"]["sourceReference"], 0)
            part = client.request("stackTrace", threadId=1, startFrame=1, levels=2)
            self.assertEqual([f["id"] for f in part["stackFrames"]], [12, 13])
            client.disconnect()

    def test_scopes_and_variables(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            scopes = client.request("scopes", frameId=11)["scopes"]
            self.assertEqual([(s["name"], s["variablesReference"], s["expensive"]) for s in scopes],
                             [("Locals", 21, False), ("Globals", 22, True)])
            with self.assertRaisesRegex(Refused, "no frame 99"):
                client.request("scopes", frameId=99)
            n, numbers, guard, temporary = client.request("variables", variablesReference=21)["variables"]
            self.assertEqual((n["name"], n["value"], n["type"], n["evaluateName"], n["variablesReference"]),
                             ("n", "5", "number", "n", 0))
            self.assertEqual((numbers["indexedVariables"], numbers["namedVariables"]), (2500, 0))
            self.assertEqual((guard["indexedVariables"], guard["namedVariables"]), (0, 2))
            self.assertNotIn("evaluateName", temporary)
            self.assertEqual(temporary["presentationHint"]["attributes"], ["readOnly"])
            parts = client.request("variables", variablesReference=32)["variables"]
            self.assertEqual([p.get("evaluateName") for p in parts],
                             ["guard.name", 'guard["a b"]', None, None])
            with self.assertRaisesRegex(Refused, "no value 98"):
                client.request("variables", variablesReference=98)
            client.disconnect()

    def test_pages_of_variables(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            client.request("scopes", frameId=11)
            client.request("variables", variablesReference=21)
            page = client.request("variables", variablesReference=31, filter="indexed", start=100, count=50)
            self.assertEqual([v["name"] for v in page["variables"]], [f"[{i}]" for i in range(101, 151)])
            self.assertEqual(page["variables"][0]["evaluateName"], "list[101]")
            self.assertEqual(client.request("variables", variablesReference=31, filter="named")["variables"], [])
            every = client.request("variables", variablesReference=31)["variables"]
            self.assertEqual([v["value"] for v in every], [str(i) for i in range(1, 2501)])
            long = client.request("variables", variablesReference=41)["variables"]
            self.assertEqual((len(long), long[-1]["value"]), (10001, "2000 more"))
            client.disconnect()

    def test_types_are_for_clients_that_take_them(self):
        with DapClient() as client:
            client.attach(self.game.port, client={"supportsVariableType": False,
                                                  "supportsVariablePaging": False})
            self.stopped(client)
            n = client.request("variables", variablesReference=21)["variables"][1]
            self.assertNotIn("type", n)
            self.assertNotIn("indexedVariables", n)
            client.disconnect()

    def test_sets_variables(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            client.request("scopes", frameId=11)
            answer = client.request("setVariable", variablesReference=21, name="n", value="n + 1")
            self.assertEqual(answer["value"], "n + 1")
            sent = self.game.wait("debugger_set")
            self.assertEqual((sent["value"], sent["name"], sent["text"], sent["frame"]), (21, "n", "n + 1", 11))
            self.game.answers["debugger_set"] = {"error": "cannot be set"}
            with self.assertRaisesRegex(Refused, "cannot be set"):
                client.request("setVariable", variablesReference=21, name="n", value="1")
            client.disconnect()

    def test_sets_expressions(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.stopped(client)
            answer = client.request("setExpression", expression="guard.name", value="'Al'", frameId=11)
            self.assertEqual(answer["value"], "<guard.name>")
            sent = [m for m in self.game.received if m["type"] == "debugger_evaluate"]
            self.assertEqual([(m["text"], m["frame"]) for m in sent],
                             [("guard.name = 'Al'", 11), ("guard.name", 11)])
            client.disconnect()

    def test_evaluates(self):
        with DapClient() as client:
            client.attach(self.game.port)
            answer = client.request("evaluate", expression="1 + 1", context="repl")
            self.assertEqual((answer["result"], answer["type"], answer["variablesReference"]),
                             ("<1 + 1>", "table", 51))
            self.assertNotIn("frame", self.game.wait("debugger_evaluate"))
            self.stopped(client)
            for context in ("watch", "hover", "clipboard"):
                client.request("evaluate", expression="guard.name", context=context, frameId=11)
                sent = [m for m in self.game.received if m["type"] == "debugger_evaluate"][-1]
                self.assertEqual(sent["frame"], 11)
            for name in ("a.b[1].c", 'list["a b"]', "list[ i ]", "a:b", " n "):
                client.request("evaluate", expression=name, context="hover", frameId=11)
            for call in ("explode()", 'explode "now"', "explode'now'", "explode[[now]]", "a.b = 1", "a b", "",
                         "5", "f{}", "a[f()]", 'a["x', "a.", "a[", "a..b"):
                with self.assertRaisesRegex(Refused, "not the name of a value"):
                    client.request("evaluate", expression=call, context="hover", frameId=11)
            self.game.answers["debugger_evaluate"] = {"error": "line 1: 'end' expected"}
            with self.assertRaisesRegex(Refused, "'end' expected"):
                client.request("evaluate", expression="if", context="repl")
            client.disconnect()

    def test_completes(self):
        with DapClient() as client:
            client.attach(self.game.port)
            answer = client.request("completions", text="ä𝄞 = pr + 1", column=9, frameId=11)
            sent = self.game.wait("debugger_complete")
            self.assertEqual((sent["text"], sent["frame"]), ("ä𝄞 = pr", 11))
            self.assertEqual(answer["targets"], [{"label": "print", "start": 7, "length": 2},
                                                 {"label": "private", "start": 7, "length": 2}])
            answer = client.request("completions", text="x = 1\ny = pr", line=2, column=7)
            self.assertEqual(self.game.received[-1]["text"], "y = pr")
            self.assertEqual(answer["targets"][0]["start"], 11)
            client.request("completions", text="x", line=9, column=99)
            client.disconnect()

    def test_sources(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.game.emit("script", script="scripts/main.lua", reason="new")
            self.assertEqual(client.event("loadedSource")["source"]["path"], self.main)
            self.game.emit("script", script="scripts/main.lua", reason="changed")
            client.event("loadedSource", reason="changed")
            found = client.request("loadedSources")["sources"]
            self.assertEqual([s["path"] for s in found], [self.main])
            text = client.request("source", source={"path": self.main}, sourceReference=0)
            self.assertEqual((text["content"], text["mimeType"]), (MAIN, "text/x-lua"))
            self.stopped(client)
            gone = client.request("stackTrace", threadId=1)["stackFrames"][3]["source"]
            with self.assertRaisesRegex(Refused, 'the source of "scripts/gone.lua" is not there'):
                client.request("source", sourceReference=gone["sourceReference"])
            write(self.path("game", "scripts", "gone.lua"), "return 5\n")
            text = client.request("source", sourceReference=gone["sourceReference"])
            self.assertEqual(text["content"], "return 5\n")
            with self.assertRaisesRegex(Refused, "unknown `sourceReference` 99"):
                client.request("source", sourceReference=99)
            with self.assertRaisesRegex(Refused, "neither in the project"):
                client.request("source", source={"path": "/etc/passwd"}, sourceReference=0)
            client.disconnect()


class Events(WithFakeGame):
    def test_log_messages(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.game.emit_raw({"type": "message", "level": "info", "system": "lua", "message": "hello\nyou",
                                "script": "scripts/main.lua", "line": 4})
            output = client.output_with("hello")
            self.assertEqual((output["output"], output["category"], output["line"]), ("hello\nyou\n", "stdout", 4))
            self.assertEqual(output["source"]["path"], self.main)
            self.game.emit_raw({"type": "message", "level": "error", "system": "lua", "message": "no",
                                "script": "console", "line": 1})
            output = client.output_with("no")
            self.assertEqual((output["category"], output.get("source")), ("stderr", None))
            self.game.emit("log", text="n is 5", script="scripts/main.lua", line=3, breakpoint=1)
            self.assertEqual(client.output_with("n is 5")["category"], "console")
            client.disconnect()

    def test_threads(self):
        with DapClient() as client:
            client.attach(self.game.port)
            self.game.emit("thread", thread=9, name="walk", reason="started")
            self.assertEqual(client.event("thread"), {"reason": "started", "threadId": 9})
            self.game.emit("thread", thread=9, name="walk", reason="ended")
            self.assertEqual(client.event("thread"), {"reason": "exited", "threadId": 9})
            self.game.emit("unheard_of", thread=9)
            client.disconnect()

    def test_a_game_that_talks_nonsense(self):
        for nonsense in (b"nonsense", b"\xff\xfe", b"{type: 5"):
            with self.subTest(nonsense), FakeGame(self.path("game"), self.path("core")) as game:
                with DapClient() as client:
                    client.attach(game.port)
                    game.emit_raw(nonsense)
                    client.event("terminated")
                    client.disconnect()

    def test_answers_without_members(self):
        with DapClient() as client:
            client.attach(self.game.port)
            for kind in ("threads", "stack", "scopes", "values", "evaluate", "set", "complete", "lines",
                         "breakpoints"):
                self.game.answers["debugger_" + kind] = {}
            self.game.emit("stopped")
            client.event("stopped")
            self.assertEqual(client.request("threads")["threads"], [])
            self.assertEqual(client.request("stackTrace", threadId=1)["stackFrames"], [])
            self.assertEqual(client.request("scopes", frameId=1)["scopes"], [])
            self.assertEqual(client.request("variables", variablesReference=1)["variables"], [])
            self.assertEqual(client.request("evaluate", expression="x")["result"], "")
            self.assertEqual(client.request("setVariable", variablesReference=1, name="x", value="1")["value"], "")
            self.assertEqual(client.request("completions", text="x", column=1)["targets"], [])
            self.assertEqual(client.set_breakpoints(self.main, 1), [])
            client.disconnect()


class BadInput(WithFakeGame):
    def ends_with(self, data, text, status=1):
        client = DapClient()
        try:
            client.raw(data)
            client.input.close()
        except BrokenPipeError:
            pass
        client.ends()
        client.close()
        self.assertEqual(client.process.returncode, status, client.errors)
        self.assertIn(text, client.errors)

    def test_bad_headers_end_the_session(self):
        for data, text in (
                (b"garbage\r\n\r\n", "expected `NAME: VALUE`"),
                (b"Content-Length: 5\n\n{}", "expected lines that end with CR LF"),
                (b"Content-Length: -1\r\n\r\n", "expected `Content-Length: `"),
                (b"Content-Length: \r\n\r\n", "expected `Content-Length: `"),
                (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "one Content-Length"),
                (b"Content-Type: x\r\n\r\n{}", "have no Content-Length"),
                (b"Content-Length: 16777217\r\n\r\n", "a message of 16777217 bytes; expected at most"),
                (b"Content-Length: 99999999999999999999\r\n\r\n", "expected `Content-Length: `"),
                (b"x" * 5000, "more than 4096 bytes"),
                (b"POST /a:b HTTP/1.1\r\n", "expected `NAME: VALUE`"),
                (b"Content-Length: 20\r\n\r\n{", "in the middle of a message"),
                (frame(b"nonsense"), "the client's message"),
                (frame(b'{"seq": 1, "type": "request", "command": "\xff"}'), "UTF-8"),
                (frame(b"[1]"), "the client's message"),
                (frame({"seq": 1}), 'no `type` "request"'),
                (frame({"seq": "x", "type": "request", "command": "threads"}), "`seq` is a string"),
                (frame({"type": "request", "command": "threads"}), "`seq` is missing")):
            with self.subTest(data[:60]):
                self.ends_with(data, text)
        self.ends_with(b"", "", status=0)

    def test_messages_in_pieces(self):
        with DapClient() as client:
            data = frame({"seq": 1, "type": "request", "command": "initialize",
                          "arguments": {"adapterID": "ü"}})
            client.seq = 1
            data = data.replace(b"\r\n\r\n", b"\r\ncontent-type: x\r\n\r\n")
            for i in range(0, len(data), 7):
                client.raw(data[i:i + 7])
                time.sleep(0.002)
            client.response(1)
            client.disconnect()

    def test_wrong_types_everywhere(self):
        values = (None, True, -1, 0, 1.5, 1e300, 2147483648, "", "x", "a\0b", [], [1], [None], {}, {"path": 5},
                  {"path": "/x\0y"}, [{"line": "x"}], [{"line": -5}], [{"line": 0}], [[]], "\U0001f600")
        requests = {
            "attach": ("port", "host", "stopOnEntry"), "launch": ("project", "args", "env", "port", "runArgs"),
            "setBreakpoints": ("source", "breakpoints"), "setExceptionBreakpoints": ("filters",),
            "breakpointLocations": ("source", "line", "endLine"), "exceptionInfo": ("threadId",),
            "stackTrace": ("threadId", "startFrame", "levels"), "continue": ("threadId",),
            "next": ("threadId",), "stepIn": ("threadId",), "stepOut": ("threadId",), "pause": ("threadId",),
            "scopes": ("frameId",), "variables": ("variablesReference", "start", "count", "filter"),
            "setVariable": ("variablesReference", "name", "value"),
            "setExpression": ("expression", "value", "frameId"), "evaluate": ("expression", "context", "frameId"),
            "completions": ("text", "column", "line", "frameId"), "source": ("source", "sourceReference"),
            "threads": (), "loadedSources": (), "cancel": ("requestId",), "configurationDone": ()}
        good = {"source": {"path": self.main}, "breakpoints": [{"line": 1}], "line": 1, "threadId": 1,
                "frameId": 11, "variablesReference": 21, "name": "n", "value": "1", "expression": "n",
                "text": "n", "column": 1, "sourceReference": 0}
        with DapClient() as client:
            client.attach(self.game.port)
            sent = []
            for command, names in requests.items():
                for arguments in (None, 5, "x", [], {}):
                    sent.append(client.send(command, arguments, check=False))
                for name in names:
                    for value in values:
                        sent.append(client.send(command, {**good, name: value}, check=False))
            for seq in sent:
                try:
                    client.response(seq)
                except Refused:
                    pass
            client.request("threads")
            client.disconnect()

    def test_a_client_that_does_not_read(self):
        with socket.create_server(("127.0.0.1", 0)):
            with DapClient() as client:
                client.attach(self.game.port)
                text = "x" * 500000
                for _ in range(60):  # more than the adapter holds
                    self.game.emit_raw({"type": "message", "level": "info", "system": "lua", "message": text})
                client.request("threads")
                client.disconnect()

    def test_many_requests_at_once(self):
        with DapClient() as client:
            client.attach(self.game.port)
            sent = [client.send("evaluate", {"expression": str(i)}) for i in range(2000)]
            self.assertEqual([client.response(seq)["result"] for seq in sent], [f"<{i}>" for i in range(2000)])
            client.disconnect()


class Ports(WithFakeGame):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen([CUTTLE, "debug", "--port", "0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        line = self.server.stdout.readline()
        self.assertRegex(line, r"^listening on 127\.0\.0\.1:\d+\n$")
        self.port = int(line.rsplit(":", 1)[1])
        self.addCleanup(self.end_server)

    def end_server(self):
        self.server.kill()
        self.server.communicate()

    def test_serves_one_client_after_another(self):
        for _ in range(3):
            with DapClient(port=self.port) as client:
                client.attach(self.game.port)
                self.stopped(client)
                client.disconnect()

    def test_serves_several_clients_at_once(self):
        def use(_):
            with FakeGame(self.path("game"), self.path("core")) as game, DapClient(port=self.port) as client:
                client.attach(game.port)
                for _ in range(20):
                    game.stop()
                    client.event("stopped")
                    client.request("stackTrace", threadId=1)
                    client.request("continue", threadId=1)
                client.disconnect()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(use, range(4)))

    def test_bad_clients_do_not_hurt_others(self):
        with DapClient(port=self.port) as client:
            client.attach(self.game.port)
            for data in (b"GET / HTTP/1.1\r\n\r\n", b"POST /a:b HTTP/1.1\r\n" + frame({}), b"\0" * 9000, b"Con"):
                with socket.create_connection(("127.0.0.1", self.port)) as bad:
                    bad.sendall(data)
                    bad.shutdown(socket.SHUT_WR)
                    try:
                        while bad.recv(1000):
                            pass
                    except ConnectionError:
                        pass
            client.request("threads")
            client.disconnect()

    def test_ctrl_c_ends_it(self):
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(timeout=20), 0)

    def test_a_port_that_is_taken(self):
        done = cuttle("debug", "--port", self.port, check=1)
        self.assertIn(str(self.port), done.stderr)
        cuttle("debug", "--port", "x", check=2)
        cuttle("debug", "--port", "70000", check=2)


class Launches(WithFakeGame):
    """What goes wrong before there is a game."""

    def test_no_project(self):
        with DapClient(self.path("nowhere")) as client:
            client.initialize()
            with self.assertRaisesRegex(Refused, "nowhere"):
                client.request("launch")
            with self.assertRaisesRegex(Refused, "`args` has a number"):
                client.request("launch", project=self.path("game"), args=[5])
            with self.assertRaisesRegex(Refused, "`env` has a bad variable"):
                client.request("launch", project=self.path("game"), env={"A=B": "x"})
            for words, text in ((["--validation", "--", "x"], "arguments for the game go into `args`"),
                                (["--port", "5"], "use `port`"), (["--headless"], "use `headless`")):
                with self.assertRaisesRegex(Refused, text):
                    client.request("launch", project=self.path("game"), runArgs=words)
            client.disconnect()

    def test_a_project_that_does_not_compile(self):
        with DapClient() as client:
            client.initialize()
            with self.assertRaisesRegex(Refused, "the game has ended with exit code"):
                client.request("launch", project=self.path("game"), headless=True, runArgs=["--size", "x"])
            client.disconnect()


if __name__ == "__main__":
    unittest.main()
