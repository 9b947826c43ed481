"""Inputs that include core's actions of menus: in a running game, changed by a player and by a save."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, cuttle, read, write


class Includes(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.input = os.path.join(self.project, "input", "default.input")
        self.shared = os.path.join(self.project, "input", "shared.input")
        write(self.shared, 'includes = ["core/gui/gui"]\nactions = { dig = { bindings = ["pad.x"] } }\n')
        write(self.input, 'includes = ["input/shared"]\n' + read(self.input))

    def bindings(self, console, action):
        return console.script(f"Input.bindings('{action}')[1]")

    def test_are_bound_and_reloaded_like_others(self):
        with Game(self.project) as game:
            console = game.console
            self.assertEqual(self.bindings(console, "dig"), "pad.x")
            self.assertEqual(self.bindings(console, "gui_accept"), "keyboard.enter")
            self.assertEqual(console.script("Input.is_active('gui')"), "true")
            console.script("Input.bind('gui_accept', 1, 'keyboard.f')")
            since = len(console.messages)
            write(self.shared, 'includes = ["core/gui/gui"]\nactions = { dig = { bindings = ["pad.y"] } }\n')
            console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
            self.assertEqual(self.bindings(console, "dig"), "pad.y")
            self.assertEqual(self.bindings(console, "gui_accept"), "keyboard.f")
            console.script("Input.reset('gui_accept')")
            self.assertEqual(self.bindings(console, "gui_accept"), "keyboard.enter")
            write(self.shared, 'includes = ["core/gui/gu"]\n')
            told = console.wait_for_message(lambda m: "core/gui/gu" in m.get("message", ""))
            self.assertEqual(told["level"], "error")
            self.assertEqual(self.bindings(console, "dig"), "pad.y")

    def test_are_compiled_again_and_refused_with_their_line(self):
        cuttle("compile", self.project, check=0)
        write(self.shared, 'includes = [\n    "input/default"\n]\n')
        done = cuttle("compile", self.project, check=1)
        self.assertRegex(done.stderr, r"input/\w+\.input:\d+:\d+: error: an input cannot include itself: ")


if __name__ == "__main__":
    unittest.main()
