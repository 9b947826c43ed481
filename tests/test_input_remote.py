"""Events that Lua adds: those of an update or of `render` count in the next update, once, for actions, devices
and the list of events."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, write

SCRIPT = """
Game = Game or { pressed = 0, released = 0, held = 0, keys = 0, events = 0, update = 0 }

function add(kind)
    Input.add_remote_events { { device = "keyboard", kind = kind, name = "j" } }
end

function init() end

function update(dt)
    Game.update = Game.update + 1
    if Game.at == "before" and Game.kind then
        add(Game.kind)
        Game.kind, Game.added = nil, Game.update
    end
    if Input.pressed("jump") then
        Game.pressed, Game.seen = Game.pressed + 1, Game.update
    end
    Game.released = Game.released + (Input.released("jump") and 1 or 0)
    Game.held = Game.held + (Input.held("jump") and 1 or 0)
    Game.keys = Game.keys + (Keyboard.pressed(Keyboard.button_id("j")) and 1 or 0)
    Game.events = Game.events + #Input.event_queue()
    if Game.at == "after" and Game.kind then
        add(Game.kind)
        Game.kind, Game.added = nil, Game.update
    end
end

function render()
    if Game.at == "render" and Game.kind then
        add(Game.kind)
        Game.kind, Game.added = nil, Game.update
    end
end

function Game.counts()
    return table.concat({ Game.pressed, Game.released, Game.keys, Game.events }, " ")
end
"""


class RemoteInput(TemporaryFolder):
    def test_counts_in_the_next_update(self):
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), SCRIPT)
        write(os.path.join(project, "input", "default.input"),
              'actions = { jump = { bindings = ["keyboard.j"] } }\n')
        with Game(project, "--fixed-dt", "0.02") as game:
            console, taps = game.console, 0
            for place in ("before", "after", "render"):
                with self.subTest(place=place):
                    console.script(f"Game.at, Game.kind = '{place}', 'pressed'")
                    console.wait_until("tostring(Game.kind == nil and Game.update > Game.added + 3)", "true")
                    self.assertEqual(console.script("Game.seen - Game.added"), "1")
                    self.assertEqual(console.script("Input.held('jump')"), "true")
                    console.script("Game.kind = 'released'")
                    console.wait_until("tostring(Game.kind == nil and Game.update > Game.added + 3)", "true")
                    self.assertEqual(console.script("Input.held('jump')"), "false")
                    taps += 1
                    self.assertEqual(console.script("Game.counts()"), f"{taps} {taps} {taps} {2 * taps}")
            # Between updates, as here, they count in the coming one.
            console.script("add('pressed') Game.added = Game.update")
            console.wait_until("tostring(Game.update > Game.added + 3)", "true")
            self.assertEqual(console.script("Game.seen - Game.added"), "1")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
