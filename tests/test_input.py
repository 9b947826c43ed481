"""Input from a real keyboard and mouse, under Xvfb: actions, text, a player's bindings, reload."""

import os
import shutil
import subprocess
import unittest

from support_cuttle import Game, read, write
from support_display import DisplayTest

# Counts what happens, since console scripts run between the updates.
SCRIPT = """
Count = Count or { jump = 0, text = "", keys = 0, wheel = 0 }
Heard = Heard or "nothing"
local old_update = update
function update(dt)
    if Input.pressed("jump") then Count.jump = Count.jump + 1 end
    for _, stroke in ipairs(Keyboard.keystrokes()) do
        if type(stroke) == "string" then
            Count.text = Count.text .. stroke
        elseif Keyboard.button_name(stroke) == "backspace" then
            Count.keys = Count.keys + 1
        end
    end
    Count.wheel = Count.wheel + Input.value("zoom")
    Heard = Input.captured() or Heard
    old_update(dt)
end
"""

ACTIONS = """
actions = {{
    jump = {{ bindings = ["keyboard.{key}"] }}
    zoom = {{ kind = "axis"  bindings = ["mouse.wheel.y"] }}
    turn = {{ kind = "axis"  bindings = [] }}
    restart = {{ bindings = [] }}
    leave = {{ bindings = [] }}
}}
"""


@unittest.skipUnless(shutil.which("xdotool"), "xdotool is not installed")
class Input(DisplayTest):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CONFIG_HOME"] = self.path("config")
        self.project = self.compiled_project()
        self.input = os.path.join(self.project, "input", "default.input")
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + SCRIPT)
        write(self.input, ACTIONS.format(key="space"))
        self.bindings = self.path("config", "cuttle", "a_new_game", "input.sjson")

    def start(self):
        game = Game(self.project, "--size", "320x180", headless=False, env=self.environment)
        return game

    def do(self, *arguments):
        subprocess.run(["xdotool", *arguments], check=True, timeout=60,
                       env={**os.environ, **self.environment})

    def focus(self, console):
        """Without a window manager nobody gives the window the focus."""
        window = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "."], check=True,
                                capture_output=True, text=True, timeout=60,
                                env={**os.environ, **self.environment}).stdout.split()[0]
        self.do("windowfocus", "--sync", window)
        self.do("mousemove", "--window", window, "100", "50")
        console.wait_until("Window.has_focus()", "true", 60)

    def test_keys_text_and_wheel_arrive(self):
        with self.start() as game:
            console = game.console
            self.focus(console)
            self.do("key", "space")
            console.wait_until("Count.jump", "1", 60)
            self.do("type", "--delay", "30", "Hi")
            console.wait_until("Count.text", " Hi", 60)
            self.do("key", "BackSpace")
            console.wait_until("Count.keys", "1", 60)
            self.do("click", "4")
            console.wait_until("Count.wheel", "1", 60)
            self.assertEqual(console.script("Mouse.axis(0).x, Mouse.axis(0).y"), "100\t50")
            self.assertEqual(console.script("Keyboard.button_locale_name(Keyboard.button_id('q'))"),
                             "Q")
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("error", game.log().lower())

    def test_players_bind_and_keep_what_they_press(self):
        with self.start() as game:
            console = game.console
            self.focus(console)
            console.script("Input.start_capture()")
            self.do("key", "ctrl+k")
            console.wait_until("Heard", "ctrl+keyboard.k", 60)
            self.assertEqual(console.script("Count.jump"), "0")
            console.script("Input.bind('jump', 1, Heard)")
            self.assertEqual(console.script("Input.save()"), "true")
            self.assertEqual(game.quit(), 0)
        self.assertIn('1 = "ctrl+keyboard.k"', read(self.bindings))
        with self.start() as game:
            self.focus(game.console)
            self.assertEqual(game.console.script("Input.bindings('jump')[1]"), "ctrl+keyboard.k")
            self.do("key", "ctrl+k")
            game.console.wait_until("Count.jump", "1", 60)
            self.assertEqual(game.quit(), 0)

    def test_a_broken_file_of_a_player_is_told_and_hurts_nothing(self):
        write(self.bindings, 'actions = {\n    jump = { 1 = "keyboard.spce" }\n}\n')
        with self.start() as game:
            self.focus(game.console)
            self.do("key", "space")
            game.console.wait_until("Count.jump", "1", 60)
            self.assertEqual(game.quit(), 0)
            self.assertRegex(game.log(), r"input\.sjson:2:14: .*did you mean \"space\"\?")

    def test_saving_the_input_changes_the_running_game(self):
        with self.start() as game:
            console = game.console
            self.focus(console)
            write(self.input, ACTIONS.format(key="j"))
            console.wait_until("Input.bindings('jump')[1]", "keyboard.j", 60)
            self.do("key", "j")
            console.wait_until("Count.jump", "1", 60)
            write(self.input, ACTIONS.format(key="jj"))
            console.wait_for_message(lambda m: "no button or axis" in m.get("message", ""))
            self.do("key", "j")
            console.wait_until("Count.jump", "2", 60)
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
