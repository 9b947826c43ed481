"""Widgets: focus by keys and pad, mouse and finger, values, lists, dialogs, errors, the theme."""

import os
import unittest

from support_cuttle import Game, read
from support_widgets import WidgetTests

SCRIPT = '''
local Widgets = require "core/gui/widgets"
Game = Game or { log = {} }
W = Widgets

local function note(name)
    return function(value) table.insert(Game.log, value == nil and name or name .. " " .. tostring(value)) end
end

function Game.build()
    return Widgets.shade { id = "shade", on_cancel = function() table.insert(Game.log, "cancel") end,
        Widgets.panel { width = 420, gap = 10, padding = 24,
            Widgets.label { text = "Title", size = "title" },
            Widgets.button { id = "play", text = "Play", tooltip = "Begins", on_press = function() table.insert(Game.log, "play") end },
            Widgets.button { id = "never", text = "Never", disabled = true, on_press = note("never") },
            Widgets.check_box { id = "check", text = "Check", value = true, on_change = note("check") },
            Widgets.slider { id = "slider", value = 0.5, step = 0.1, on_change = note("slider") },
            Widgets.drop_down { id = "drop", options = { "one", "two", "three" }, value = 2, on_change = note("drop") },
            Widgets.list { id = "list", count = 1000000, height = 160, row_height = 40,
                row = function(i) return Widgets.label { text = "Row " .. i } end, on_select = note("row"), on_press = note("press") },
        } }
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.screen = Widgets.new(Game.world, { scale = { 1280, 720 } })
    Game.screen:show(Game.build())
end

function update(dt)
    Game.screen:update(dt)
    World.update(Game.world, dt)
end

function render()
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end
'''


class Widgets(WidgetTests):
    script_text = SCRIPT

    def test_keys_and_pad_reach_everything(self):
        with self.play() as game:
            self.assertEqual(game.console.script("Game.focused()"), "none")
            self.assertEqual(self.steps(game, "Game.key('tab')", "Game.key('enter')"), "play")
            # What is disabled is left out.
            self.assertEqual(self.steps(game, "Game.key('down')", "Game.key('space')"), "check false")
            self.assertEqual(self.steps(game, "Game.key('down')", "Game.key('right')", "Game.key('left')",
                                        "Game.key('left')", "Game.key('end')"),
                             "slider 0.6, slider 0.5, slider 0.4, slider 1")
            self.assertEqual(self.steps(game, "Game.pad('d_down')", "Game.pad_up('d_down')"), "")
            self.assertEqual(game.console.script("Game.focused()"), "drop")
            self.assertEqual(self.steps(game, "Game.pad('a')", "Game.pad_up('a')", "Game.pad('d_down')",
                                        "Game.pad_up('d_down')", "Game.pad('a')", "Game.pad_up('a')"), "drop 3")
            # The list of choices gives the focus back.
            self.assertEqual(game.console.script("Game.focused()"), "drop")
            self.assertEqual(self.steps(game, "Game.key('enter')", "Game.key('up')", "Game.key('esc')"), "")
            self.assertEqual(self.steps(game, "Game.key('esc')"), "cancel")
            self.assertEqual(self.steps(game, "Game.key('down')", "Game.key('end')", "Game.key('enter')",
                                        "Game.key('home')", "Game.key('page down')"),
                             "row 1000000, press 1000000, row 1, row 4")
            self.assertEqual(self.errors(game), [])

    def test_held_directions_repeat_until_the_pad_is_gone(self):
        with self.play() as game:
            self.steps(game, "Game.key('tab')", "Game.screen:focus('list')", "Game.pad('d_down')")
            game.console.wait_until("(Game.screen:find('list').selected or 0) > 5", "true")
            self.steps(game, "Game.pad_up('d_down')")
            rows = game.console.script("Game.screen:find('list').selected")
            for _ in range(60):
                game.console.script("1")
            self.assertEqual(game.console.script("Game.screen:find('list').selected"), rows)

    def test_the_mouse(self):
        with self.play() as game:
            press = "Game.mouse('play', 0.5, 0.5, 'pressed')"
            self.assertEqual(self.steps(game, press, "Game.mouse('play', 0.5, 0.5, 'released')"), "play")
            # Pressed inside and let go outside, or the other way round: nothing.
            self.assertEqual(self.steps(game, press, "Game.mouse('check', 0.5, 0.5, 'released')"), "")
            self.assertEqual(self.steps(game, "Game.mouse('never', 0.5, 0.5, 'pressed')",
                                        "Game.mouse('never', 0.5, 0.5, 'released')"), "")
            self.assertEqual(self.steps(game, "Game.mouse('slider', 0, 0.5, 'pressed')",
                                        "Game.mouse('slider', 1, 0.5)", "Game.mouse('play', 1, 9, 'released')"),
                             "slider 0, slider 1")
            # The second row, after a wheel that goes 2 * 48 units down.
            self.assertEqual(self.steps(game, "Game.mouse('list', 0.5, 0.1)", "Game.wheel(-2)",
                                        "Game.mouse('list', 0.5, 0.1, 'pressed')",
                                        "Game.mouse('list', 0.5, 0.1, 'released')"), "row 3")
            # A press outside of the choices closes them, and does nothing else.
            self.assertEqual(self.steps(game, "Game.mouse('drop', 0.5, 0.5, 'pressed')",
                                        "Game.mouse('drop', 0.5, 0.5, 'released')",
                                        "Game.mouse('play', 0.5, 0.5, 'pressed')",
                                        "Game.mouse('play', 0.5, 0.5, 'released')"), "")
            self.assertEqual(game.console.script("#Game.screen.roots"), "1")
            self.steps(game, "Game.mouse('play', 0.5, 0.5)")
            game.console.wait_until("Game.screen.tip ~= nil", "true")
            self.steps(game, "Game.mouse('check', 0.5, 0.5)")
            self.assertEqual(game.console.script("Game.screen.tip"), "nil")
            self.assertEqual(self.errors(game), [])

    def test_a_finger_presses_and_scrolls(self):
        with self.play() as game:
            place = "(function(id) local n = Game.screen:find(id) return (n.left + 20) * Game.screen.scale, " \
                    "(n.top + 20) * Game.screen.scale end)"
            self.assertEqual(self.steps(game, f"Game.finger('touch_began', {place}('check'))",
                                        f"Game.finger('touch_ended', {place}('check'))"), "check false")
            self.steps(game, f"Game.finger('touch_began', {place}('list'))",
                       "Game.finger('touch_moved', 320, 100)", "Game.finger('touch_moved', 320, 60)",
                       "Game.finger('touch_ended', 320, 60)")
            self.assertGreater(float(game.console.script("Game.screen:find('list').scroll_y")), 50)
            self.assertEqual(game.console.script("Game.take_log()"), "")

    def test_widgets_go_away_at_any_time(self):
        with self.play() as game:
            # A callback ends its own widget, the one with the focus, the whole screen.
            game.console.script("Game.screen:show(W.column { W.button { id = 'a', text = 'a', "
                                "on_press = function() Game.screen:show(nil) table.insert(Game.log, 'gone') end } })")
            self.assertEqual(self.steps(game, "Game.screen:focus('a')", "Game.key('enter')", "Game.key('enter')",
                                        "Game.key('down')"), "gone")
            self.assertEqual(game.console.script("Game.focused()"), "none")
            game.console.script("Game.screen:show(Game.build())")
            # The focus goes to the nearest that is left.
            self.steps(game, "Game.screen:focus('slider')",
                       "W.set(Game.screen:find('slider'), { hidden = true })", "Game.key('down')")
            self.assertIn(game.console.script("Game.focused()"), ("check", "drop"))
            game.console.script("Game.screen:destroy() Game.screen = W.new(Game.world) "
                                "Game.screen:show(Game.build())")
            self.assertEqual(self.steps(game, "Game.key('tab')", "Game.key('enter')"), "play")
            self.assertEqual(self.errors(game), [])

    def test_declared_in_each_frame(self):
        with self.play() as game:
            game.console.script('''
                Game.state = { count = 3, is_open = false }
                Game.nodes = {}
                local old = update
                function update(dt)
                    local rows = { gap = 4, id = "rows" }
                    for i = 1, Game.state.count do
                        local key = Game.state.backwards and Game.state.count + 1 - i or i
                        table.insert(rows, W.button { key = key, id = "row_" .. key, text = "Row " .. key,
                            on_press = function() Game.state.pressed = key end })
                    end
                    table.insert(rows, Game.state.is_open and W.dialog { title = "Sure?", on_cancel = function()
                        Game.state.is_open = false end, W.button { id = "yes", text = "Yes" } })
                    Game.screen:show(W.column(rows))
                    old(dt)
                end''')
            self.steps(game, "Game.screen:focus('row_3')", "Game.key('enter')")
            self.assertEqual(game.console.script("Game.state.pressed"), "3")
            # A node with a key stays the same one when the order changes.
            game.console.script("Game.nodes = Game.screen:find('row_3')")
            self.steps(game, "Game.state.backwards = true")
            self.assertEqual(game.console.script("Game.nodes == Game.screen:find('row_3') and "
                                                 "Game.nodes == Game.screen.focused"), "true")
            self.assertEqual(game.console.script(
                "Game.screen:find('row_3').top < Game.screen:find('row_1').top"), "true")
            self.steps(game, "Game.state.is_open = true")
            self.assertEqual(game.console.script("Game.focused()"), "yes")
            self.steps(game, "Game.key('esc')")
            self.assertEqual(game.console.script("Game.focused()"), "row_3")
            self.steps(game, "Game.state.count = 0")
            self.assertEqual(game.console.script("Game.focused()"), "none")
            self.assertEqual(self.errors(game), [])

    def test_a_kept_tree_draws_nothing_again(self):
        with self.play() as game:
            game.console.script("local P = require 'core/gui/painter' local draw = P.draw "
                                "Game.draws = 0 P.draw = function(n) Game.draws = Game.draws + 1 draw(n) end")
            for _ in range(5):
                game.console.script("1")
            self.assertEqual(game.console.script("Game.draws"), "0")
            self.steps(game, "W.set(Game.screen:find('play'), { text = 'Start' })")
            drawn = int(game.console.script("Game.draws"))
            self.assertGreaterEqual(drawn, 1)
            self.assertLess(drawn, 30)

    def test_mistakes_name_the_widget_and_the_field(self):
        with self.play() as game:
            for lua, expected in (
                    ("W.button { txt = 'a' }", "widget button: there is no field txt; did you mean text?"),
                    ("W.button { on_press = 3 }", "widget button: on_press: found 3; expected a function"),
                    ("W.panel { width = 0/0 }", "widget panel: width: found"),
                    ("W.panel { width = -4 }", "widget panel: width: found -4; expected a number from 0"),
                    ("W.panel { padding = 1/0 }", "widget panel: padding: found inf"),
                    ("W.panel { color = 'pink' }", 'widget panel: color: found "pink"; expected one of'),
                    ("W.label { text = 'a', W.label {} }", "widget label: it has no children"),
                    ("W.column { 'text' }", "widget column: child 1: found text; expected a widget"),
                    ("W.column { direction = 'down' }", 'found "down"; expected one of'),
                    ("W.list { count = 1, row = function() return 3 end }", "widget list: row: the function returned 3"),
                    ("W.slider { value = 'x' }", 'widget slider: value: found "x"; expected a finite number')):
                with self.assertRaises(RuntimeError) as caught:
                    game.console.script(f"Game.screen:show({lua}) or Game.screen:update(0)")
                self.assertIn(expected, str(caught.exception))
            with self.assertRaises(RuntimeError) as caught:
                game.console.script("local d = W.label { text = 'x' } for i = 1, 10000 do d = W.column { d } end "
                                    "Game.screen:show(d)")
            self.assertIn("deeper than 200", str(caught.exception))
            # All is well again with the next tree.
            game.console.script("Game.screen:destroy() Game.screen = W.new(Game.world) "
                                "Game.screen:show(Game.build())")
            self.assertEqual(self.steps(game, "Game.key('tab')", "Game.key('enter')"), "play")

    def test_actions_that_are_missing_are_named(self):
        self.save("input/default.input", "actions = {}\n")
        with Game(self.project, "--size", "640x360") as game:
            told = game.console.wait_for_message(lambda m: "gui_up" in m.get("message", ""))
            self.assertIn('includes = ["core/gui/gui"]', told["message"])

    def test_a_theme_reloads_and_a_bad_one_does_not(self):
        self.save("gui/mine.gui_theme", 'base = "core/gui/default"\nsizes = { control = 50 }\n')
        package = read(os.path.join(self.project, "boot.package"))
        if "gui_theme" not in package:
            self.save("boot.package", package + 'gui_theme = ["*"]\n')
        self.save("scripts/main.lua", SCRIPT.replace("{ scale = { 1280, 720 } }", "{ theme = 'gui/mine' }"))
        with self.play() as game:
            height = "Game.screen:find('play').h"
            self.assertEqual(float(game.console.script(height)), 50)
            self.save("gui/mine.gui_theme", 'base = "core/gui/default"\nsizes = { control = 60 }\n')
            game.console.wait_until(height, "60")
            for bad in ('base = "core/gui/default"\nsizes = { control = "x" }\n', "sizes = { control = 70 }\n"):
                since = len(game.console.messages)
                self.save("gui/mine.gui_theme", bad)
                told = game.console.wait_for_message(
                    lambda m: m.get("level") == "error" and "gui_theme" in m.get("message", ""), since)
                self.assertIn("gui/mine.gui_theme:", told["message"])
                self.assertEqual(game.console.script(height), "60")

    def test_letters_grow_and_views_of_all_sizes_fit(self):
        with self.play() as game:
            before = float(game.console.script("Game.screen:find('play').h"))
            self.steps(game, "Game.screen:set_text_scale(2)")
            self.assertGreater(float(game.console.script("Game.screen:find('play').h")), before * 1.5)
            with self.assertRaises(RuntimeError):
                game.console.script("Game.screen:set_text_scale(0/0)")
            for width, height in ((1920, 1080), (400, 900), (16, 16), (640, 360)):
                self.steps(game, f"Window.set_resolution(nil, {width}, {height})")
                game.console.wait_until("Game.screen.pixel_width", str(width))
            self.assertEqual(self.errors(game), [])


if __name__ == "__main__":
    unittest.main()
