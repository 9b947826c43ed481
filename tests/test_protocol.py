"""`cuttle protocol`: the messages of the console in the forms that others read, and that the engine keeps to
them."""

import json
import os
import sys
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write
from support_protocol import CheckedConsole, fault_of, schema

FORMS = {"--python": "tools/cuttle_client.py", "--markdown": "docs/formats/console_messages.md",
         "--typescript": "tools/web/src/protocol.ts"}


class Forms(TemporaryFolder):
    def test_what_is_committed_is_what_the_table_says(self):
        for option, name in FORMS.items():
            path = self.path("form")
            cuttle("protocol", option, path, check=0)
            self.assertEqual(read(os.path.join(ROOT, name)), read(path), f"cuttle protocol {option} {name}")

    def test_prints_the_reference(self):
        self.assertEqual(cuttle("protocol", check=0).stdout, read(os.path.join(ROOT, FORMS["--markdown"])))

    def test_says_that_a_file_cannot_be_written(self):
        for option in FORMS:
            done = cuttle("protocol", option, self.path("none", "form"), check=1)
            self.assertIn("cuttle protocol: ", done.stderr)

    def test_describes_each_message_with_its_answer(self):
        names = [each["$ref"].removeprefix("#/$defs/message.") for each in schema()["anyOf"]]
        self.assertEqual(len(names), len(set(names)))
        for name in ("script", "command", "ping", "debugger_attach"):
            self.assertIn(name, names)
        for name in names:
            self.assertIn(f"answer.{name}", schema()["$defs"])

    def test_shapes_of_types_exist(self):
        def references(rule):
            if isinstance(rule, dict):
                if "$ref" in rule:
                    yield rule["$ref"]
                rule = rule.values()
            for each in rule if not isinstance(rule, str) and hasattr(rule, "__iter__") else []:
                yield from references(each)
        for reference in references(schema()):
            self.assertIn(reference.removeprefix("#/$defs/"), schema()["$defs"])

    def test_finds_faults(self):
        defs = schema()["$defs"]
        good = {"type": "debugger_breakpoints", "id": 1, "script": "a", "breakpoints": [{"line": 3}]}
        self.assertIsNone(fault_of(good, schema()))
        rule = defs["message.debugger_breakpoints"]
        for change, fault in (({"script": 4}, "message.script is 4"), ({"more": 1}, "not described"),
                              ({"breakpoints": [{"line": -1}]}, "breakpoints[0].line is -1"),
                              ({"breakpoints": [{}]}, "breakpoints[0] has no \"line\""),
                              ({"id": True}, "message.id"), ({"type": "ping"}, "message.type")):
            self.assertIn(fault, fault_of({**good, **change}, rule))


class InAGame(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(os.path.join(self.project, "scripts/main.lua"), """
function update(dt) end
function render() end
function console_receive(message)
    return { heard = message.type }
end
""")

    def test_answers_and_events_are_as_described(self):
        with Game(self.project) as game:
            console = CheckedConsole(game.port)
            self.assertEqual(console.script("1 + 1"), "2")
            with self.assertRaises(RuntimeError):
                console.script("error('no')")
            with self.assertRaises(RuntimeError):
                console.script("if x then")
            self.assertIn("memory", console.command("help"))
            with self.assertRaises(RuntimeError):
                console.command("memry")
            for message in ({"type": "complete", "text": "Appl"}, {"type": "ping"}, {"type": "reload"}):
                console.answer(console.ask(**message))
            self.assertEqual(console.answer(console.ask(type="of_the_game"))["heard"], "of_the_game")
            console.script("print('seen'); print(debug)")
            console.close()

    def test_the_client_for_python(self):
        sys.path.insert(0, os.path.join(ROOT, "tools"))
        from cuttle_client import Client
        with Game(self.project) as game:
            client = Client(game.port)
            self.assertEqual(client.script(script="2 * 3")["result"], "6")
            self.assertEqual(client.ping()["type"], "pong")
            self.assertIn("Application", client.complete(text="Applic")["names"])
            with self.assertRaisesRegex(RuntimeError, "no such thing"):
                client.script(script="error('no such thing')")
            client.close()


if __name__ == "__main__":
    unittest.main()
