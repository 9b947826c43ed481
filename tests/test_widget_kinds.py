"""Kinds of widgets: text fields, lists, drop-downs and what else each of them does by itself."""

import contextlib
import os
import unittest

from support_cuttle import Game, TemporaryFolder, write

SCRIPT = '''
W = require "core/gui/widgets"
Game = Game or { log = {} }

function init()
    Game.world = Application.new_world()
    Game.screen = W.new(Game.world, { scale = { 640, 360 } })
end

-- What is drawn in a frame, by kind.
local Painter = require "core/gui/painter"
local draw = Painter.draw
Game.draws = 0
function Painter.draw(node)
    Game.draws = Game.draws + 1
    draw(node)
end

function update(dt)
    if Game.page then
        Game.screen:show(Game.page())
    end
    Game.screen:update(dt)
    World.update(Game.world, dt)
end

function Game.note(...)
    table.insert(Game.log, table.concat({ ... }, " "))
end

function Game.take_log()
    local text = table.concat(Game.log, ", ")
    Game.log = {}
    return text
end

-- Keys that are pressed together, and let go.
function Game.key(...)
    local events = {}
    for _, name in ipairs { ... } do
        table.insert(events, { device = "keyboard", kind = "pressed", name = name })
        table.insert(events, { device = "keyboard", kind = "keystroke", name = name })
    end
    for _, name in ipairs { ... } do
        table.insert(events, { device = "keyboard", kind = "released", name = name })
    end
    Input.add_remote_events(events)
end

function Game.type(text)
    Input.add_remote_events { { device = "keyboard", kind = "text", text = text } }
end

function Game.compose(text)
    Input.add_remote_events { { device = "keyboard", kind = "editing", text = text, cursor = -1, length = 0 } }
end

-- A press and release of the mouse, at a share of a widget.
function Game.click(id, x, y)
    local node, scale = Game.screen:find(id), Game.screen.scale
    local at = Vector3((node.left + node.w * (x or 0.5)) * scale, (node.top + node.h * (y or 0.5)) * scale, 0)
    Input.add_remote_events { { device = "mouse", kind = "axis", name = "cursor", value = at },
        { device = "mouse", kind = "pressed", name = "left" }, { device = "mouse", kind = "released", name = "left" } }
end

function Game.editor(id)
    return Game.screen:find(id).editor
end
'''

INPUT = 'includes = ["core/gui/gui"]\nactions = {}\n'


class WidgetKinds(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(os.path.join(self.project, "scripts", "main.lua"), SCRIPT)
        write(os.path.join(self.project, "input", "default.input"), INPUT)

    @contextlib.contextmanager
    def play(self, *lua):
        """The game after some lines of Lua; at its end there are no errors in the log."""
        with Game(self.project, "--size", "640x360", "--fixed-dt", "0.02") as game:
            game.console.wait_until("Game.screen ~= nil", "true")
            self.steps(game, *lua)
            yield game
            self.assertEqual([m["message"] for m in game.console.messages if m.get("level") == "error"], [])

    def steps(self, game, *steps):
        """Does each of some steps in a frame of its own; what came of them in the log."""
        for step in steps:
            game.console.script(step)
            game.console.script("1")
        return game.console.script("Game.take_log()")

    def value(self, game, lua):
        return game.console.script(lua)

    # --- Text fields ---------------------------------------------------------------------------------

    def test_a_declared_text_that_is_cleaned_stays(self):
        for text in ("abcdefgh", "a\\r\\nb"):
            with self.play(f"Game.page = function() return W.text_field {{ id = 'field', text = Game.text or '{text}', "
                           "max_length = 4, is_multi_line = true, on_change = function(text) Game.text = text end } end",
                           "Game.screen:focus('field')") as game:
                self.steps(game, "Game.editor('field'):set_caret(2)", "1")
                self.assertEqual(self.value(game, "Game.editor('field').caret"), "2")
                self.steps(game, "Game.key('backspace')", "Game.type('x')")
                self.assertEqual(self.value(game, "Game.editor('field').text"), "xbcd" if text[1] == "b" else "x\nb")
                self.assertEqual(self.value(game, "Game.editor('field'):can_undo()"), "true")
                # With more room it is another text.
                self.steps(game, "Game.text = nil Game.page = function() return W.text_field { id = 'field', "
                           "text = 'abcdefgh', max_length = 6 } end")
                self.assertEqual(self.value(game, "Game.editor('field').text"), "abcdef")

    def test_options_that_are_left_out_end(self):
        with self.play("Game.page = function() return W.text_field { id = 'field', text = 'ab', is_read_only = true, "
                       "is_password = true, is_multi_line = true, max_length = 2, filter = 'digits' } end",
                       "Game.page = function() return W.text_field { id = 'field' } end",
                       "Game.screen:focus('field')", "Game.key('end')", "Game.type('cd')") as game:
            self.assertEqual(self.value(game, "Game.editor('field').text"), "abcd")
            self.assertEqual(self.value(game, "tostring(Game.editor('field').is_password) .. "
                                        "tostring(Game.editor('field').is_multi_line)"), "falsefalse")
            with self.assertRaises(RuntimeError) as caught:
                game.console.script("W.set(Game.screen:find('field'), { filter = 'letters' })")
            self.assertIn('widget text_field: filter: found "letters"; expected a function or "digits"',
                          str(caught.exception))

    def test_a_filter_declared_in_each_frame_draws_nothing(self):
        with self.play("Game.page = function() return W.text_field { id = 'field', "
                       "filter = function(text) return text:upper() end } end",
                       "Game.screen:focus('field')", "Game.type('ab')") as game:
            self.assertEqual(self.value(game, "Game.editor('field').text"), "AB")
            self.steps(game, "Game.screen.theme.times.caret = 1000", "Game.draws = 0", "1", "1")
            self.assertEqual(self.value(game, "Game.draws"), "0")


if __name__ == "__main__":
    unittest.main()
