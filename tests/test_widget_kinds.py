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

-- How many texts are drawn.
local new_text, destroy = Gui.text, Gui.destroy
local ids = {}
function Gui.text(...)
    local id = new_text(...)
    ids[id] = true
    return id
end
function Gui.destroy(gui, id)
    ids[id] = nil
    destroy(gui, id)
end
function Game.texts()
    local count = 0
    for _ in pairs(ids) do
        count = count + 1
    end
    return count
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

    def test_shortcuts_are_where_the_layout_has_the_letters(self):
        with self.play("Game.layout = {} function Keyboard.button_locale_name(id) local name = Keyboard.button_name(id) "
                       "return Game.layout[name] or name end",
                       "Game.screen:show(W.text_field { id = 'field', text = 'ab' })", "Game.screen:focus('field')",
                       "Game.key('end')", "Game.type('c')",
                       # AZERTY has A and Q, Z and W in each other's places; QWERTZ has Z and Y.
                       "Game.layout = { q = 'A', a = 'Q', z = 'W', w = 'Z' }") as game:
            text = "Game.editor('field').text"
            self.steps(game, "Game.key('left ctrl', 'z')", "Game.key('left ctrl', 'a')")
            self.assertEqual(self.value(game, f"{text} .. tostring(Game.editor('field'):has_selection())"), "abcfalse")
            self.steps(game, "Game.key('left ctrl', 'w')")
            self.assertEqual(self.value(game, text), "ab")
            self.steps(game, "Game.key('left ctrl', 'q')")
            self.assertEqual(self.value(game, "Game.editor('field'):selected_text()"), "ab")
            self.steps(game, "Game.layout = { z = 'Y', y = 'Z' }", "Game.key('left ctrl', 'z')")
            self.assertEqual(self.value(game, text), "abc")
            # Letters of other scripts type no shortcuts: the American places count.
            self.steps(game, "Game.layout = { z = 'Я', a = 'Ф' }", "Game.key('left ctrl', 'z')")
            self.assertEqual(self.value(game, text), "ab")

    def test_keys_are_the_input_methods_while_it_composes(self):
        with self.play("Game.screen:show(W.column { on_cancel = function() Game.note('cancel') end, W.text_field { "
                       "id = 'field', text = 'ab', on_submit = function() Game.note('submit') end } })",
                       "Game.screen:focus('field')", "Game.key('end')", "Game.compose('ni')") as game:
            keys = ("backspace", "left", "enter", "esc", "tab", "down")
            self.assertEqual(self.steps(game, *[f"Game.key('{key}')" for key in keys]), "")
            # So is the key that ends the composition.
            self.assertEqual(self.steps(game, "Game.compose('') Game.key('esc')"), "")
            editor = "(function(e) return e.text .. e.caret .. e.composition end)(Game.editor('field'))"
            self.assertEqual(self.value(game, editor), "ab3")
            self.assertEqual(self.steps(game, "Game.compose('ni')", "Game.type('x') Game.key('enter')"), "")
            self.assertEqual(self.value(game, editor), "abx4")
            self.assertEqual(self.steps(game, "Game.key('enter')", "Game.key('backspace')", "Game.key('esc')"),
                             "submit, cancel")
            self.assertEqual(self.value(game, editor), "ab3")

    def test_typing_is_reported_while_a_field_has_the_focus(self):
        fields = "W.column { W.text_field { id = 'a' }, W.text_field { id = 'b' } }"
        with self.play("Window.set_text_input(false)", f"Game.screen:show({fields})") as game:
            for steps, expected in ((["Game.screen:focus('a')"], "true"), (["Game.screen:focus('b')"], "true"),
                                    (["Game.screen:focus(nil)"], "false"),
                                    (["Game.screen:focus('a')", "Game.screen:show(nil)"], "false"),
                                    (["Window.set_text_input(true)", f"Game.screen:show({fields})",
                                      "Game.screen:focus('a')", "Game.screen:focus(nil)"], "true")):
                self.steps(game, *steps)
                self.assertEqual(self.value(game, "Window.text_input()"), expected)

    def test_the_caret_of_a_long_text_shows(self):
        with self.play("local painter = require('core/gui/painter') local draw = painter.text painter.text = "
                       "function(text, ...) table.insert(Game.shown, text) return draw(text, ...) end Game.shown = {}",
                       "Game.screen:show(W.text_field { id = 'field', is_multi_line = true, width = 400, height = 120, "
                       "text = 'first\\n' .. ('wörter '):rep(3000) .. '\\nlast' })",
                       "Game.screen:focus('field')", "Game.key('left ctrl', 'home')", "Game.key('down')", "Game.key('end')",
                       "Game.shown = {}", "Game.type('TYPED')") as game:
            inside = ("(function(x, y) local node = Game.screen:find('field') local size = node.screen.theme.sizes "
                      "return x > 0 and x <= node.w - 2 * size.padding and y >= 0 and y < node.h end)"
                      "(require('core/gui/text_lines').caret_place(Game.screen:find('field')))")
            shown = "Game.shown[#Game.shown - {}]"
            self.assertEqual(self.value(game, inside), "true")
            self.assertTrue(self.value(game, shown.format(1)).endswith("wörter TYPED"))
            # The other lines show from their start.
            self.assertEqual(self.value(game, shown.format(2) + " .. " + shown.format(0)), "firstlast")
            self.assertLess(len(self.value(game, shown.format(1))), 400)
            # A press of the mouse is where it shows.
            self.steps(game, "Game.shown = {}", "Game.click('field', 0.5, 0.4)", "Game.type('HERE')")
            self.assertEqual(self.value(game, inside), "true")
            self.assertIn("HERE", self.value(game, shown.format(1)))
            for key in ("up", "down", "end", "page down"):
                self.steps(game, f"Game.key('{key}')")
                self.assertEqual(self.value(game, inside), "true", key)
            self.steps(game, "Game.key('page up')", "Game.key('down')", "Game.key('home')", "Game.shown = {}",
                       "Game.type('BEGIN')")
            self.assertTrue(self.value(game, shown.format(1)).startswith("BEGINwörter"))

    # --- Lists ---------------------------------------------------------------------------------------

    LIST = """Game.screen:show(W.list { id = 'list', count = Game.count or 1000, row_height = 40, height = 200,
        row = function(i) return %s end })"""
    # The rows, from the first that shows.
    ROWS = """(function(f) local texts = {} for _, row in ipairs(Game.screen:find('list').parts) do
        table.insert(texts, tostring(f(row))) end return table.concat(texts, ' ') end)"""
    GO = "require('core/gui/scrolling').go(Game.screen:find('list'), {})"

    def test_rows_keep_what_the_player_did_to_themselves(self):
        with self.play(self.LIST % "W.row { W.check_box { id = 'check' .. i }, W.text_field { id = 'text' .. i } }",
                       "Game.click('check1')", "Game.screen:focus('text1')", "Game.type('one')") as game:
            rows = self.ROWS + "(function(row) return tostring(row.children[1].value) .. row.children[2].editor.text end)"
            self.assertEqual(self.value(game, rows), "trueone false false false false")
            self.steps(game, self.GO.format(400))
            self.assertEqual(self.value(game, rows), " ".join(["false"] * 5))
            self.assertEqual(self.value(game, "Game.screen.focused"), "nil")
            # Rows that are made again keep it.
            self.steps(game, "Game.click('check12')", "W.set(Game.screen:find('list'), { revision = 2 })")
            self.assertEqual(self.value(game, rows), "false true false false false")

    def test_rows_without_such_become_others(self):
        with self.play(self.LIST % "W.row { W.label { text = 'Row ' .. i } }") as game:
            self.steps(game, "Game.seen = {} for _, row in ipairs(Game.screen:find('list').parts) do Game.seen[row] = true end",
                       self.GO.format(400))
            self.assertEqual(self.value(game, self.ROWS + "(function(row) return row.children[1].props.text end)"),
                             "Row 11 Row 12 Row 13 Row 14 Row 15")
            self.assertEqual(self.value(game, self.ROWS + "(function(row) return Game.seen[row] end)"),
                             " ".join(["true"] * 5))

    def test_an_error_of_a_row_loses_no_row(self):
        with self.play(self.LIST % "i == Game.bad and error('bad row') or W.label { text = 'Row ' .. i, "
                       "size = i == Game.worse and 'huge' or nil }") as game:
            for bad in ("bad", "worse"):
                self.steps(game, f"Game.{bad} = 13 Game.is_fine = pcall(function() {self.GO.format(400)} end) "
                           f"Game.{bad} = nil")
                self.assertEqual(self.value(game, "Game.is_fine"), "false")
                self.steps(game, self.GO.format(0))
                self.assertEqual(self.value(game, self.ROWS + "(function(row) return row.props.text end)"),
                                 "Row 1 Row 2 Row 3 Row 4 Row 5")
                self.assertEqual(self.value(game, "#Game.screen:find('list').parts .. ' ' .. "
                                            "(function() local n = 0 for _ in pairs(Game.screen:find('list').rows) do "
                                            "n = n + 1 end return n end)()"), "5 5")
                # All that is in the Gui belongs to a row that shows.
                self.assertEqual(self.value(game, "Game.texts()"), "5")

    def test_counts_are_whole_numbers_up_to_two_thousand_millions(self):
        with self.play("Game.count = 2 ^ 31", self.LIST % "W.label { text = 'Row ' .. i }",
                       "Game.screen:focus('list')", "Game.key('end')") as game:
            self.assertEqual(self.value(game, self.ROWS + "(function(row) return row.props.text end)").split()[-1],
                             "2147483648")
            self.assertEqual(self.value(game, "Game.screen:find('list').selected"), "2147483648")
            for count in ("2 ^ 31 + 1", "1.5", "-1", "0 / 0"):
                for lua in (f"W.list {{ count = {count} }}", f"W.list {{ selected = {count} }}",
                            f"W.drop_down {{ value = {count} }}", f"W.text_field {{ max_length = {count} }}"):
                    with self.assertRaises(RuntimeError) as caught:
                        game.console.script(f"Game.screen:show(W.column {{ {lua} }})")
                    self.assertIn("expected a whole number from 0 to 2147483648", str(caught.exception))

    # --- Drop-downs ----------------------------------------------------------------------------------

    DROP = ("Game.screen:show(W.column { id = 'around', W.drop_down { id = 'drop', options = { 'a', 'b', 'c' }, value = 3, "
            "on_change = function(i) Game.note('chose', i) end } })")

    def test_open_choices_follow_the_options(self):
        with self.play(self.DROP, "Game.screen:focus('drop')", "Game.key('enter')") as game:
            self.assertEqual(self.value(game, "#Game.screen.roots"), "2")
            self.steps(game, "W.set(Game.screen:find('drop'), { options = { 'x', 'y' } })")
            texts = "(function() local t = {} for i, row in ipairs(Game.screen.focused.parts) do " \
                    "t[i] = row.children[1].props.text end return table.concat(t, ' ') end)()"
            self.assertEqual(self.value(game, texts), "x y")
            # What is chosen in the frame in which it goes is not there any more.
            self.assertEqual(self.steps(game, "Game.key('end')", "Game.screen:call(function() W.set(Game.screen:find("
                                        "'drop'), { options = { 'x' } }) end) Game.key('enter')"), "")
            self.assertEqual(self.value(game, "#Game.screen.roots"), "1")
            self.assertEqual(self.steps(game, "Game.key('enter')", "Game.key('home')", "Game.key('enter')"), "chose 1")

    def test_open_choices_close_when_the_widget_cannot_be_used(self):
        with self.play(self.DROP) as game:
            for node, fields in (("drop", "options = {}"), ("drop", "disabled = true"), ("drop", "hidden = true"),
                                 ("around", "disabled = true"), ("around", "hidden = true")):
                self.steps(game, self.DROP, "Game.screen:focus('drop')", "Game.key('enter')")
                self.assertEqual(self.value(game, "#Game.screen.roots"), "2")
                lua = f"local node = Game.screen:find('{node}') W.set(node, {{ {fields} }})"
                self.assertEqual(self.steps(game, lua, "1"), "")
                self.assertEqual(self.value(game, "#Game.screen.roots"), "1", fields)

    # --- Tooltips and settings -----------------------------------------------------------------------

    def test_a_tooltip_that_is_taken_away_does_not_show(self):
        with self.play("Game.tip = 'A tip' Game.page = function() return W.button { id = 'b', text = 'b', "
                       "tooltip = Game.tip } end", "Game.screen.theme.times.tooltip = 0.2", "Game.click('b')",
                       "Game.screen.hovered = nil Game.click('b')") as game:
            game.console.script("local T = require 'core/gui/tooltip' T.look(Game.screen, Game.screen:find('b')) "
                                "Game.tip = nil")
            for _ in range(15):
                self.steps(game, "Game.has_shown = Game.has_shown or Game.screen.tip ~= nil")
            self.assertEqual(self.value(game, "Game.has_shown"), "false")
            # Neither does one that shows.
            self.steps(game, "Game.tip = 'A tip'", "require('core/gui/tooltip').look(Game.screen, Game.screen:find('b'))")
            game.console.wait_until("Game.screen.tip ~= nil", "true")
            self.steps(game, "Game.tip = nil")
            self.assertEqual(self.value(game, "Game.screen.tip"), "nil")

    def test_settings_out_of_range_are_left_out(self):
        with self.play() as game:
            apply = "require('core/gui/settings_menu').apply(Game.screen)"
            for name, values in (("width", ("0.5", "-3", "1e9", "'wide'")), ("text_scale", ("0.1", "true"))):
                for value in values:
                    since = len(game.console.messages)
                    self.steps(game, "Application.set_user_setting('menu', { width = 500, height = 300, text_scale = 1.5 })",
                               f"Application.set_user_setting('menu', '{name}', {value})", apply)
                    told = game.console.wait_for_message(lambda m: "is left out" in m.get("message", ""), since)
                    self.assertIn(f"the player's setting menu.{name} is left out: found", told["message"])
            self.assertEqual(self.value(game, "Game.screen.text_scale"), "1.5")
            self.steps(game, "Application.set_user_setting('menu', { width = 500.5, height = 300 })", apply)
            game.console.wait_until("Game.screen.pixel_width", "500")

    # --- Buttons -------------------------------------------------------------------------------------

    def test_buttons_look_pressed_while_they_are(self):
        with self.play("local painter = require('core/gui/painter') local box = painter.box painter.box = "
                       "function(...) Game.ground = select(7, ...) return box(...) end",
                       "Game.screen:show(W.column { W.button { id = 'button', text = 'Play' } })") as game:
            self.steps(game, "Game.click('button')",
                       "Input.add_remote_events { { device = 'mouse', kind = 'pressed', name = 'left' } }")
            self.assertEqual(self.value(game, "Game.ground"), "control_pressed")
            self.steps(game, "Input.add_remote_events { { device = 'mouse', kind = 'released', name = 'left' } }")
            self.assertEqual(self.value(game, "Game.ground"), "control_hovered")
            with self.assertRaises(RuntimeError) as caught:
                game.console.script("Game.screen:show(W.button { icon = 'a' })")
            self.assertIn("widget button: there is no field icon", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
