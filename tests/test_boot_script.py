"""Tools: `cuttle run --boot`, and messages between a tool and the game."""

import unittest

from support_cuttle import Game, TemporaryFolder, cuttle, use_own_render_config, write

SLAVE = """
local Helper = require "tools/helper"
function init() booted = Helper.name end
function console_receive(message)
    if message.type == "boom" then error("receiver failed") end
    Application.console_send({ type = "heard", what = message.type })
    return { doubled = message.number * 2 }
end
"""


class BootScript(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        # No package names scripts: neither the tool's nor what it requires.
        write(self.path("game", "boot.package"), 'unit = ["*"]\nlua = ["scripts/*"]\n')
        write(self.path("game", "extra.package"), 'material = ["*"]\n')
        write(self.path("game", "tools", "helper.lua"), 'return { name = "helped" }\n')
        write(self.path("game", "tools", "slave.lua"), SLAVE)

    def test_runs_in_place_of_the_games_with_all_packages(self):
        with Game(self.project, "--boot", "tools/slave") as game:
            self.assertEqual(game.console.script("booted"), "helped")
            self.assertEqual(game.console.script("Game"), "nil")
            self.assertEqual(game.console.script("Application.worlds()"), "{}")
            game.console.script("world = Application.new_world()")
            # From boot.package, with materials from extra.package.
            self.assertIn("Unit", game.console.script("tostring(World.spawn_unit("
                                                      "world, 'units/cube'))"))
            self.assertEqual(game.quit(), 0)

    def test_runs_on_its_own_package_when_there_is_one(self):
        write(self.path("game", "tools", "slave.package"), 'lua = ["tools/*"]\n')
        with Game(self.project, "--boot", "tools/slave") as game:
            self.assertEqual(game.console.script("booted"), "helped")
            game.console.script("world = Application.new_world()")
            with self.assertRaisesRegex(RuntimeError, "units/cube"):
                game.console.script("World.spawn_unit(world, 'units/cube')")
            self.assertEqual(game.quit(), 0)

    def test_draws_by_the_projects_render_config_on_its_own_package(self):
        write(self.path("game", "tools", "slave.package"), 'lua = ["tools/*"]\n')
        use_own_render_config(self.project)
        with Game(self.project, "--boot", "tools/slave") as game:
            self.assertEqual(game.console.script("Application.render_setting('own')"), "0.25")
            self.assertEqual(game.quit(), 0)

    def test_reloads_scripts_that_no_package_names(self):
        with Game(self.project, "--boot", "tools/slave") as game:
            self.assertEqual(game.console.script("require('tools/helper').name"), "helped")
            write(self.path("game", "tools", "helper.lua"), 'return { name = "again" }\n')
            game.console.wait_until("require('tools/helper').name", "again")
            self.assertEqual(game.quit(), 0)

    def test_refuses_a_script_that_is_not_there(self):
        done = cuttle("run", self.project, "--headless", "--frames", 1, "--boot", "tools/nothing")
        self.assertEqual(done.returncode, 1)
        self.assertIn('the boot script "tools/nothing" does not exist', done.stderr)

    def test_hands_unknown_messages_to_the_game(self):
        with Game(self.project, "--boot", "tools/slave") as game:
            console = game.console
            console.send(type="double", number=21, id=7)
            answer = console.wait_for_message(lambda m: m.get("id") == 7)
            self.assertEqual(answer, {"type": "result", "id": 7, "doubled": 42})
            self.assertTrue(any(m["type"] == "heard" and m["what"] == "double"
                                for m in console.messages))
            console.send(type="boom", id=8)
            answer = console.wait_for_message(lambda m: m.get("id") == 8)
            self.assertIn("receiver failed", answer["error"])
            self.assertIn("tools/slave.lua:5", answer["traceback"])
            console.send(type="boom")
            logged = console.wait_for_message(lambda m: m["type"] == "message" and
                                              "receiver failed" in m["message"])
            self.assertEqual(logged["level"], "error")
            self.assertEqual(game.quit(), 0)

    def test_answers_unknown_messages_without_a_receiver(self):
        with Game(self.project) as game:
            game.console.send(type="double", id=7)
            answer = game.console.wait_for_message(lambda m: m.get("id") == 7)
            self.assertEqual(answer["type"], "error")
            self.assertIn("console_receive", answer["message"])
            self.assertEqual(game.quit(), 0)

    def test_completes_names(self):
        with Game(self.project) as game:
            def complete(text):
                game.console.send(type="complete", text=text, id=text)
                answer = game.console.wait_for_message(lambda m: m.get("id") == text)
                self.assertEqual(answer["type"], "completions")
                return answer["start"], answer["names"]

            self.assertEqual(complete("World.spawn"), (6, ["spawn_unit", "spawn_units"]))
            self.assertEqual(complete('World.spawn_unit(w, "units/c'),
                             (21, ["units/camera", "units/cube"]))
            self.assertEqual(complete('print("a" .. Gam'), (13, ["Game", "GameSession"]))
            game.console.send(type="script", script="if true then", id="half")
            answer = game.console.wait_for_message(lambda m: m.get("id") == "half")
            self.assertIs(answer["unfinished"], True)
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
