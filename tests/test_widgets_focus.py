"""Widgets that go wrong, are hidden or are disabled: errors end nothing, and input reaches only what
can have it."""

import unittest

from support_widgets import WidgetTests

SCRIPT = '''
W = require "core/gui/widgets"
Game = Game or { log = {} }

-- A function that notes its name and its first argument.
function Game.note(name)
    return function(value)
        local is_plain = type(value) ~= "table" and value ~= nil
        table.insert(Game.log, is_plain and name .. " " .. tostring(value) or name)
    end
end

function Game.button(id, fields)
    local button = fields or {}
    button.id, button.text, button.on_press = id, button.text or id, Game.note(id)
    return W.button(button)
end

function Game.show(...)
    Game.screen:show(W.column { id = "page", padding = 10, gap = 10, align = "start", ... })
end

function init()
    Game.world = Application.new_world()
    Game.screen = W.new(Game.world)
    Game.show(Game.button("a"), Game.button("b"), Game.button("c"))
end

function update(dt)
    Game.screen:update(dt)
    Game.is_updated = true
    World.update(Game.world, dt)
end

-- How many objects of the Gui a widget has.
function Game.objects(id)
    return #Game.screen:find(id).objects
end
'''


class WidgetsFocus(WidgetTests):
    script_text = SCRIPT

    def value(self, game, lua):
        return game.console.script(lua)

    def first_lines(self, game):
        return [message.splitlines()[0] for message in self.errors(game)]

    # --- Errors of the game ------------------------------------------------------------------------

    def test_callbacks_go_on_after_an_error_in_one(self):
        with self.play() as game:
            self.steps(game, "Game.show(Game.button('a'), W.button { id = 'bad', text = 'bad', "
                       "on_press = function() error('mine') end })")
            # One alone, and one with others that wait behind it.
            self.steps(game, "Game.screen:focus('bad')", "Game.key('enter')")
            log = self.steps(game, "Game.screen:call(Game.note('first')) Game.screen:call(error, 'yours') "
                             "Game.screen:call(Game.note('second')) Game.screen:call(Game.note('third'))", "1")
            self.assertEqual(log, "first, second, third")
            self.assertEqual(self.steps(game, "Game.screen:focus('a')", "Game.key('enter')", "Game.key('enter')"),
                             "a, a")
            self.assertEqual([line.split(": ")[-1] for line in self.first_lines(game)], ["mine", "yours"])

    def test_a_widget_that_cannot_be_drawn_keeps_no_other_from_it(self):
        with self.play() as game:
            self.steps(game, "Game.show(Game.button('first'), "
                       "W.image { id = 'late', material = 'materials/late', width = 20, height = 20 }, "
                       "W.image { id = 'gone', material = 'materials/gone', width = 20, height = 20 }, "
                       "W.label { id = 'label', text = 'letters', font = 'fonts/gone' }, "
                       "Game.button('last'))", "1", "1")
            for name in ("first", "last"):
                self.assertGreater(int(self.value(game, f"Game.objects('{name}')")), 0)
            # Said once, together, and what the game does after its screen goes on.
            [said] = self.errors(game)
            for text in ("widget image late: ", "widget image gone: ", "widget label label: "):
                self.assertEqual(said.count(text), 1, said)
            self.steps(game, "Game.is_updated = false")
            self.assertEqual(self.value(game, "Game.is_updated"), "true")
            self.assertEqual(self.steps(game, "Game.screen:focus('last')", "Game.key('enter')"), "last")
            # It shows once the cause is mended.
            self.save("materials/late.material", 'shader = "core/shaders/gui"\n'
                                                 "parameters = { color = [1 1 1 1] }\n")
            game.console.wait_until("Game.objects('late')", "1")
            self.steps(game, "W.set(Game.screen:find('label'), { font = 'text' })")
            self.assertGreater(float(self.value(game, "Game.screen:find('label').w")), 10)
            self.assertEqual(self.value(game, "Game.objects('label')"), "1")
            # The same mistake later is another error.
            count = len(self.errors(game))
            self.steps(game, "W.set(Game.screen:find('gone'), { hidden = true })", "1",
                       "W.set(Game.screen:find('gone'), { hidden = false })")
            self.assertEqual(len(self.errors(game)), count + 1)

    def test_a_widget_whose_other_functions_fail_stops_no_other(self):
        with self.play() as game:
            self.steps(game, """
                local Fields = require "core/gui/fields"
                for _, name in ipairs { "measure", "arrange", "tick" } do
                    local kind = { name = name .. "s", fields = Fields.make {} }
                    kind[name] = function() if Game.is_wrong then error("wrong " .. name) end return 10, 10 end
                    W.add_kind(kind)
                end
                Game.is_wrong = true
                Game.show(W.measures { id = "m" }, W.arranges { id = "r" }, W.ticks { id = "t" }, Game.button("last"))
                Game.screen.timed[Game.screen:find("t")] = true""", "1", "1")
            [said] = self.errors(game)
            for text in ("widget measures m: ", "widget arranges r: ", "widget ticks t: "):
                self.assertEqual(said.count(text), 1, said)
            self.assertEqual(self.steps(game, "Game.screen:focus('last')", "Game.key('enter')"), "last")
            self.assertEqual(self.value(game, "Game.screen:find('m').h"), "0")
            self.steps(game, "Game.is_wrong = false")
            self.assertEqual(self.value(game, "Game.screen:find('m').h"), "10")
            self.assertEqual(self.value(game, "next(Game.screen.failed)"), "nil")
            self.assertEqual(len(self.errors(game)), 1)

    def test_clip_rectangles_end_with_the_widget(self):
        with self.play() as game:
            self.steps(game, """
                local Fields = require "core/gui/fields"
                local function add(name, draw)
                    W.add_kind { name = name, fields = Fields.make {}, draw = draw,
                        style = function() return { width = 20, height = 20 } end }
                end
                add("wrong", function(node, painter)
                    painter.rect(0, 0, 10, 10, painter.BACK, "text")
                    painter.line({ 0, 0, 10, 10 }, 2, painter.BACK, "text")
                    painter.clip(0, 0, 10, 10)
                    painter.clip(0, 0, 10, 10)
                    if Game.is_wrong then error("wrong draw") end
                end)
                add("after", function(node) Game.has_clip = pcall(Gui.pop_clip, node.screen.gui) end)
                Game.is_wrong = true
                Game.show(W.wrong { id = "wrong" }, W.after { id = "after" })""")
            self.assertEqual(self.value(game, "Game.has_clip"), "false")
            self.assertEqual(self.value(game, "Game.objects('wrong')"), "0")
            self.steps(game, "Game.is_wrong = false")
            self.assertEqual(self.value(game, "Game.objects('wrong')"), "2")
            # Clip rectangles that a kind forgot end, too.
            self.steps(game, "Game.has_clip = nil W.set(Game.screen:find('wrong'), { width = 30 }) "
                       "W.set(Game.screen:find('after'), { width = 30 })")
            self.assertEqual(self.value(game, "Game.has_clip"), "false")

    # --- Roots ---------------------------------------------------------------------------------------

    def test_nothing_is_left_of_a_description_with_an_error(self):
        with self.play() as game:
            self.steps(game, "Game.screen:show(nil)")
            typo = "W.panel { id = 'panel', Game.button('x'), W.dialog { title = 'Title' }, W.label { txt = 'typo' } }"
            for lua in (f"Game.show({typo})", f"Game.screen:open({typo})",
                        f"Game.show(W.dialog {{ Game.button('x'), {typo} }})", "Game.screen:show({})",
                        "Game.screen:open('text')"):
                with self.assertRaises(RuntimeError):
                    game.console.script(lua)
                self.assertEqual(self.value(game, "#Game.screen.roots"), "0")
                self.assertEqual(self.value(game, "next(Game.screen.ids)"), "nil")
            self.steps(game, "Game.show(Game.button('a'))", "Game.screen:focus('a')")
            # Nor of a change of what is there.
            for lua in (f"Game.show(Game.button('a'), {typo})", f"Game.screen:open({typo}, {{ is_modal = true }})",
                        "Game.screen:show('text')"):
                with self.assertRaises(RuntimeError):
                    game.console.script(lua)
                self.assertEqual(self.value(game, "#Game.screen.roots"), "1")
            self.assertEqual(self.value(game, "Game.screen:find('panel')"), "nil")
            self.assertEqual(self.steps(game, "Game.key('enter')"), "a")
            # A page with an error shows nothing; the next one shows.
            with self.assertRaises(RuntimeError):
                game.console.script("Game.screen:show(W.column { key = 'page', W.label { txt = 'typo' } })")
            self.assertEqual(self.value(game, "#Game.screen.roots"), "0")
            self.steps(game, "Game.show(Game.button('a'))", "Game.screen:focus('a')")
            self.assertEqual(self.steps(game, "Game.key('enter')"), "a")
            self.assertEqual(self.errors(game), [])

    def test_a_dialog_of_the_first_tree_is_above_it(self):
        with self.play() as game:
            self.steps(game, "Game.screen:show(nil)",
                       "Game.show(Game.button('a'), W.dialog { Game.button('yes'), W.dialog { Game.button('sure') } })")
            self.assertEqual(self.value(game, "#Game.screen.roots"), "3")
            self.assertEqual(self.value(game, "Game.screen.roots[1] == Game.screen.main"), "true")
            self.assertEqual(self.value(game, "Game.focused()"), "sure")
            self.steps(game, "Game.show(Game.button('a'), W.dialog { Game.button('yes') })")
            self.assertEqual(self.value(game, "#Game.screen.roots"), "2")
            self.steps(game, "Game.show(Game.button('a'))", "Game.key('tab')")
            self.assertEqual(self.value(game, "#Game.screen.roots"), "1")
            self.assertEqual(self.value(game, "Game.focused()"), "a")
            self.assertEqual(self.errors(game), [])


    # --- Changes -------------------------------------------------------------------------------------

    def test_an_error_that_stays_is_an_error_each_time(self):
        with self.play() as game:
            self.steps(game, "Game.wrong = W.column { Game.button('a'), W.label { txt = 'typo' } }")
            for _ in range(2):
                with self.assertRaises(RuntimeError) as caught:
                    game.console.script("Game.screen:show(Game.wrong)")
                self.assertIn("there is no field txt", str(caught.exception))

    def test_a_change_of_a_widget_keeps_those_below_it(self):
        with self.play() as game:
            text = "Game.screen:find('a').props.text .. Game.screen:find('x').props.text"
            self.steps(game, "Game.page = W.column { id = 'page', W.row { id = 'row', Game.button('a'), Game.button('b') }, "
                       "W.dialog { id = 'dialog', Game.button('x') } } Game.screen:show(Game.page)",
                       "W.set(Game.screen:find('a'), { text = 'A' }) W.set(Game.screen:find('x'), { text = 'X' })",
                       "W.set(Game.screen:find('page'), { gap = 4 }) W.set(Game.screen:find('row'), { gap = 5 }) "
                       "W.set(Game.screen:find('dialog'), { title = 'Title' })")
            self.assertEqual(self.value(game, text), "AX")
            # Children take the place of all children.
            self.steps(game, "W.set(Game.screen:find('row'), { Game.button('c') })")
            self.assertEqual(self.value(game, "#Game.screen:find('row').children"), "1")
            self.assertEqual(self.value(game, "Game.screen:find('row').style.gap"), "5")
            # A new table is another description.
            self.steps(game, "Game.show(W.row { id = 'row', Game.button('a') }, W.dialog { Game.button('x') })")
            self.assertEqual(self.value(game, text), "ax")

    def test_a_widget_that_is_gone_cannot_be_changed(self):
        with self.play() as game:
            self.steps(game, "Game.old = Game.screen:find('a')", "Game.show(W.label {})")
            for lua, found in (("Game.old", "a widget that is gone"), ("Game.screen:find('a')", "nil"),
                               ("'b'", "b"), ("{}", "table")):
                with self.assertRaises(RuntimeError) as caught:
                    game.console.script(f"W.set({lua}, {{ id = 'a', text = 'x' }})")
                self.assertIn(f"Widgets.set: found {found}", str(caught.exception))
            self.assertEqual(self.value(game, "Game.screen:find('a')"), "nil")

    # --- What gets input -----------------------------------------------------------------------------

    def test_keys_and_pads_leave_disabled_widgets_alone(self):
        with self.play() as game:
            self.steps(game, "Game.show(W.column { id = 'box', W.check_box { id = 'check', on_change = Game.note('check') }, "
                       "W.slider { id = 'slider', on_change = Game.note('slider') }, "
                       "W.text_field { id = 'field', on_change = Game.note('field') } }, Game.button('last'))")
            for disabled in ("Game.screen:find(id)", "Game.screen:find('box')"):
                for name, key in (("check", "Game.key('space')"), ("check", "Game.pad('a') Game.pad_up('a')"),
                                  ("slider", "Game.key('right')"), ("field", "Game.type('x')")):
                    with self.subTest(name=name, disabled=disabled):
                        log = self.steps(
                            game, f"id = '{name}' Game.screen:focus(id)",
                            f"assert(Game.focused() == id) W.set({disabled}, {{ disabled = true }}) {key}")
                        self.assertEqual(log, "")
                        self.assertNotEqual(self.value(game, "Game.focused()"), name)
                        self.steps(game, "Game.screen:focus(id)")
                        self.assertNotEqual(self.value(game, "Game.focused()"), name)
                        self.steps(game, f"W.set({disabled}, {{ disabled = false }})")
            # The focus goes on from where it was.
            self.steps(game, "Game.screen:focus('field')", "W.set(Game.screen:find('box'), { disabled = true })",
                       "Game.key('down')")
            self.assertEqual(self.value(game, "Game.focused()"), "last")
            self.assertEqual(self.errors(game), [])

    def test_a_box_that_is_disabled_draws_what_is_inside_again(self):
        with self.play() as game:
            self.steps(game, "Game.show(W.column { id = 'box', W.row { Game.button('a') }, "
                       "W.list { count = 1, height = 50, row_height = 40, row = function() return Game.button('row') end } })",
                       "local Painter, draw = require 'core/gui/painter', nil draw = Painter.draw "
                       "Game.drawn = {} function Painter.draw(node) "
                       "Game.drawn[node.props.id or 1] = true draw(node) end")
            for disabled in ("true", "false", "nil"):
                self.steps(game, f"Game.drawn = {{}} local box = {{ id = 'box', disabled = {disabled} }} "
                           "for name, value in pairs(Game.screen:find('box').props) do "
                           "if name ~= 'disabled' then box[name] = value end end "
                           "Game.show(W.column(box))")
                is_other = "nil" if disabled == "nil" else "true"
                for name in ("a", "row"):
                    self.assertEqual(self.value(game, f"Game.drawn.{name}"), is_other)

    def test_what_is_disabled_while_it_is_pressed_is_let_go(self):
        with self.play() as game:
            self.steps(game, "Game.show(W.column { id = 'box', Game.button('a') })")
            press, release = "Game.mouse('a', 0.5, 0.5, 'pressed')", "Game.mouse('a', 0.5, 0.5, 'released')"
            for name in ("a", "box"):
                self.steps(game, press, f"W.set(Game.screen:find('{name}'), {{ disabled = true }})")
                self.assertEqual(self.value(game, "Game.screen:find('a').is_pressed"), "false")
                self.assertEqual(self.value(game, "Game.screen.captured"), "nil")
                self.assertEqual(self.steps(game, release, f"W.set(Game.screen:find('{name}'), {{ disabled = false }})"),
                                 "")
                # In the same frame, too.
                self.assertEqual(self.steps(game, press, f"W.set(Game.screen:find('{name}'), {{ disabled = true }}) "
                                            + release), "")
                self.assertEqual(self.value(game, "Game.screen:find('a').is_pressed"), "false")
                self.steps(game, f"W.set(Game.screen:find('{name}'), {{ disabled = false }})")

    def test_nothing_is_left_of_a_hidden_box(self):
        with self.play() as game:
            self.steps(game, "Game.show(W.column { id = 'box', W.row { Game.button('a') }, "
                       "W.scroll { id = 'scroll', height = 40, Game.button('inside') } }, Game.button('last'))")
            everything = "Game.objects('a') .. Game.objects('inside') .. Game.objects('scroll')"
            objects = self.value(game, everything)
            self.assertGreater(int(objects), 0)
            place = self.value(game, "Game.screen:find('a').left .. ' ' .. Game.screen:find('a').w")
            for hidden in ("box", "page"):
                self.steps(game, "Game.screen:focus('inside')", "Game.mouse('a', 0.5, 0.5, 'pressed')",
                           "Game.screen:focus('inside')", f"W.set(Game.screen:find('{hidden}'), {{ hidden = true }})")
                self.assertEqual(int(self.value(game, everything)), 0)
                self.assertEqual(self.value(game, "Game.focused()"), "none")
                self.assertEqual(self.value(game, "Game.screen.hovered == Game.screen:find('a')"), "false")
                self.assertEqual(self.value(game, "Game.screen:find('a').is_pressed"), "false")
                # What is behind it is there, if anything.
                other = {"box": "last", "page": ""}[hidden]
                self.assertEqual(self.steps(game, "Game.mouse('a', 0.5, 0.5, 'released')",
                                            "Game.mouse('a', 0.5, 0.5, 'pressed')",
                                            "Game.mouse('a', 0.5, 0.5, 'released')"), other)
                self.steps(game, "Game.screen:focus('a')", "Game.key('tab')", "Game.key('tab')")
                self.assertEqual(self.value(game, "Game.focused()"), other or "none")
                # All of it comes back.
                self.steps(game, f"W.set(Game.screen:find('{hidden}'), {{ hidden = false }})")
                self.assertEqual(self.value(game, everything), objects)
                self.assertEqual(self.value(game, "Game.screen:find('a').left .. ' ' .. Game.screen:find('a').w"),
                                 place)
            self.assertEqual(self.errors(game), [])

    def test_a_dialog_has_the_fields_of_its_panel(self):
        with self.play() as game:
            def show(fields):
                self.steps(game, f"Game.show(W.dialog {{ id = 'dialog', {fields} Game.button('x'), "
                           "Game.button('y', { text = 'a longer text' }) })")

            def panel(field):
                return float(self.value(game, "Game.screen:find('dialog').dialog.node.children[1]." + field))

            show("")
            self.steps(game, "Game.screen.theme.sizes.padding = 10 Game.screen:set_text_scale(1.5)",
                       "Game.screen:set_text_scale(1)")
            self.assertEqual(panel("style.padding"), 20)  # twice that of the theme
            h = panel("h")
            show("gap = 50, min_width = 300, min_height = 200, align = 'start', padding = 7, margin = 3,")
            self.assertEqual([panel("w"), panel("style.padding")], [300, 7])
            self.assertGreater(panel("h"), h)
            y, x = (f"Game.screen:find('{name}')" for name in ("y", "x"))
            self.assertEqual(self.value(game, f"math.floor({y}.top - {x}.top - {x}.h + 0.5)"), "50")
            self.assertEqual(self.value(game, f"{x}.w < {y}.w"), "true")
            # The widget itself takes no room, whatever its fields.
            self.assertEqual(self.value(game, "Game.screen:find('dialog').w + Game.screen:find('dialog').h"), "0")
            show("disabled = true,")
            self.assertEqual(self.steps(game, "Game.mouse('x', 0.5, 0.5, 'pressed')",
                                        "Game.mouse('x', 0.5, 0.5, 'released')", "Game.key('tab')", "Game.key('enter')"), "")
            for field in ("on_focus", "color"):
                with self.assertRaises(RuntimeError) as caught:
                    show(f"{field} = print,")
                self.assertIn(f"widget dialog: there is no field {field}", str(caught.exception))

    def test_a_dialog_is_closed_while_it_is_hidden(self):
        with self.play() as game:
            self.steps(game, "Game.show(Game.button('a'), W.column { id = 'box', W.dialog { id = 'dialog', "
                       "hidden = true, Game.button('x') } })", "Game.screen:focus('a')")

            def roots():
                return self.value(game, "#Game.screen.roots .. Game.focused()")

            self.assertEqual(roots(), "1a")
            for name, is_hidden, expected in (("dialog", "false", "2x"), ("box", "true", "1a"), ("dialog", "true", "1a"),
                                              ("box", "false", "1a"), ("dialog", "false", "2x"), ("page", "true", "1none"),
                                              ("page", "false", "2x"), ("dialog", "true", "1none")):
                self.steps(game, f"W.set(Game.screen:find('{name}'), {{ hidden = {is_hidden} }})")
                self.assertEqual(roots(), expected, (name, is_hidden))
            self.assertEqual(self.errors(game), [])

    def test_nothing_below_a_dialog_gets_the_focus(self):
        with self.play() as game:
            show = "Game.show(Game.button('below'), %s and W.dialog { key = 1, Game.button('x') }, " \
                   "%s and W.dialog { key = 2, Game.button('y') })"
            self.steps(game, "Game.show(Game.button('below'))", "Game.screen:focus('below')",
                       show % ("true", "false"))
            self.assertEqual(self.value(game, "Game.focused()"), "x")
            self.steps(game, "Game.screen:focus('below')")
            self.assertEqual(self.value(game, "Game.focused()"), "x")
            self.steps(game, show % ("true", "true"), "Game.screen:focus('x')")
            self.assertEqual(self.value(game, "Game.focused()"), "y")
            # The lower dialog goes first: its focus is not for what is below both.
            self.steps(game, show % ("false", "true"))
            self.assertEqual(self.value(game, "Game.focused()"), "y")
            self.assertEqual(self.steps(game, "Game.key('enter')"), "y")
            self.steps(game, show % ("false", "false"))
            self.assertEqual(self.value(game, "Game.focused()"), "below")
            self.assertEqual(self.errors(game), [])

    def test_a_dialog_ends_what_is_dragged(self):
        with self.play() as game:
            self.steps(game, "Game.show(W.slider { id = 'slider', width = 200, on_change = Game.note('slider'), "
                       "on_release = Game.note('released') })",
                       "Game.mouse('slider', 0, 0.5, 'pressed')", "Game.mouse('slider', 1, 0.5)", "Game.take_log()",
                       "Game.dialog = Game.screen:open(W.shade {}, { is_modal = true }) "
                       "Game.mouse('slider', 0.5, 0.5)", "Game.mouse('slider', 0, 0.5)",
                       "Game.mouse('slider', 0, 0.5, 'released')")
            self.assertEqual(self.value(game, "Game.take_log()"), "")
            self.assertEqual(self.value(game, "Game.screen:find('slider').is_pressed"), "false")
            self.assertEqual(self.value(game, "Game.screen:find('slider').value"), "1")
            self.steps(game, "Game.screen:close(Game.dialog)", "Game.mouse('slider', 0, 0.5, 'pressed')",
                       "Game.pressed = Game.screen:find('slider').is_pressed Game.screen:open(W.shade {}, { is_modal = true }) "
                       "Game.pressed_now = Game.screen:find('slider').is_pressed")
            self.assertEqual(self.value(game, "Game.pressed, Game.pressed_now"), "true\tfalse")

    # --- Pointers ------------------------------------------------------------------------------------

    def drag(self, game, x1, y1, x2, y2):
        """A finger goes from one place to another, in four steps."""
        places = [(x1 + (x2 - x1) * i / 4, y1 + (y2 - y1) * i / 4) for i in range(5)]
        self.steps(game, f"Game.finger('touch_began', {x1}, {y1})",
                   *[f"Game.finger('touch_moved', {x}, {y})" for x, y in places[1:]],
                   f"Game.finger('touch_ended', {x2}, {y2})")

    def test_a_finger_scrolls_from_anywhere_and_moves_the_bar(self):
        with self.play() as game:
            self.steps(game, "Game.screen:show(W.column { W.scroll { id = 'scroll', width = 200, height = 100, "
                       "W.label { text = 'a' }, Game.button('b'), W.column { height = 400 } }, "
                       "W.list { id = 'list', width = 200, height = 100, row_height = 40, count = 20, "
                       "row = function(i) return W.label { text = tostring(i) } end, on_select = Game.note('row') }, "
                       "W.slider { id = 'slider', width = 200 } })")

            def scrolled(name):
                return float(self.value(game, f"Game.screen:find('{name}').scroll_y"))

            for y in (8, 40, 90):  # a label, a button, nothing
                self.steps(game, "Game.screen:find('scroll').kind.wheel(Game.screen:find('scroll'), 0, 1e6)")
                self.assertEqual(scrolled("scroll"), 0)
                self.drag(game, 100, y, 100, y - 60)
                self.assertGreater(scrolled("scroll"), 40)
                self.assertLess(scrolled("scroll"), 61)
            for name, top in (("scroll", 0), ("list", 100)):
                node = f"Game.screen:find('{name}')"
                self.steps(game, f"{node}.kind.wheel({node}, 0, 1e6)")
                self.drag(game, 196, top + 4, 196, top + 64)
                self.assertGreater(scrolled(name), 150)
                self.assertEqual(self.value(game, f"{node}.bar_is_held"), "false")
                self.steps(game, f"{node}.kind.wheel({node}, 0, 1e6)")
            self.drag(game, 100, 190, 100, 140)
            self.assertGreater(scrolled("list"), 40)
            self.assertLess(scrolled("list"), 51)
            self.drag(game, 20, 215, 180, 150)
            self.assertGreater(float(self.value(game, "Game.screen:find('slider').value")), 0.8)
            self.assertEqual(self.value(game, "Game.take_log()"), "")
            self.assertEqual(self.errors(game), [])

    def test_presses_count_on_one_widget_at_one_place(self):
        with self.play() as game:
            self.steps(game, "Game.screen.theme.times.double_click = 1000 "
                       "Game.screen:show(W.column { W.list { id = 'list', width = 400, height = 80, row_height = 40, "
                       "count = 2, row = function(i) return W.label { text = tostring(i) } end, "
                       "on_press = Game.note('press') }, Game.button('next') })")

            def press(x, y, device="mouse"):
                if device == "touch":
                    return self.steps(game, f"Game.finger('touch_began', {x}, {y})",
                                      f"Game.finger('touch_ended', {x}, {y})")
                return self.steps(game, *["Input.add_remote_events { { device = 'mouse', kind = 'axis', name = 'cursor', "
                                          f"value = Vector3({x}, {y}, 0) }}, {{ device = 'mouse', kind = '{kind}', "
                                          "name = 'left' } }" for kind in ("pressed", "released")])

            self.assertEqual(press(50, 20), "")
            self.assertEqual(press(54, 17), "press 1")
            self.assertEqual(press(50, 60), "")  # the other row
            self.assertEqual(press(60, 60), "")  # beside the first press
            self.assertEqual(press(60, 60), "press 2")
            self.assertEqual(press(60, 78), "")
            self.assertEqual(press(60, 82), "next")  # another widget
            self.assertEqual(press(60, 78), "")
            # A finger is not as exact.
            self.assertEqual(press(200, 20, "touch"), "")
            self.assertEqual(press(212, 30, "touch"), "press 1")
            self.assertEqual(press(240, 30, "touch"), "")

    def test_the_wheel_brings_another_widget_below_the_mouse(self):
        with self.play() as game:
            self.steps(game, "Game.screen:show(W.scroll { height = 100, Game.button('a', { height = 80 }), "
                       "Game.button('b', { height = 80 }), Game.button('c', { height = 80 }) })",
                       "Game.mouse('a', 0.5, 0.1)")
            self.assertEqual(self.value(game, "Game.screen.hovered.props.id"), "a")
            self.steps(game, "Game.wheel(-2)")
            self.assertEqual(self.value(game, "Game.screen.hovered.props.id"), "b")
            self.assertEqual(self.value(game, "Game.screen:find('a').is_hovered"), "false")

    def test_keys_text_and_mouse_of_one_frame_keep_their_order(self):
        with self.play() as game:
            self.steps(game, "Game.show(W.text_field { id = 'first' }, W.text_field { id = 'second' }, Game.button('c'))",
                       """
                function Game.typed(...)
                    local events = {}
                    for _, name in ipairs { ... } do
                        table.insert(events, { device = "keyboard", kind = "pressed", name = name })
                        if #name == 1 or name == "space" then
                            table.insert(events, { device = "keyboard", kind = "text", text = name == "space" and " " or name })
                        else
                            table.insert(events, { device = "keyboard", kind = "keystroke", name = name })
                        end
                        table.insert(events, { device = "keyboard", kind = "released", name = name })
                    end
                    Input.add_remote_events(events)
                end""", "Game.screen:focus('first')", "Game.typed('x', 'tab', 'y')")
            texts = "Game.screen:find('first').editor.text .. '|' .. Game.screen:find('second').editor.text"
            self.assertEqual(self.value(game, texts), "x|y")
            # Back with shift, which selects the text.
            self.steps(game, "Input.add_remote_events { { device = 'keyboard', kind = 'pressed', name = 'left shift' } }",
                       "Game.typed('z', 'tab', 'w')",
                       "Input.add_remote_events { { device = 'keyboard', kind = 'released', name = 'left shift' } }")
            self.assertEqual(self.value(game, texts), "w|yz")
            self.steps(game, "Game.typed('a', 'down', 'b', 'space', 'c')")
            self.assertEqual(self.value(game, texts), "wa|b c")
            # What a key writes is for the widget that had the focus when it was pressed.
            self.steps(game, "Game.screen:focus(nil) Game.screen.focus_place = nil", "Game.typed('space', 'd')")
            self.assertEqual(self.value(game, texts), "d|b c")
            # The mouse takes the focus away before the keys, and the pad's button comes after it.
            log = self.steps(game, "Game.typed('e') Game.mouse('c', 0.5, 0.5, 'pressed') "
                             "Game.mouse('c', 0.5, 0.5, 'released') Game.typed('f') Game.pad('a')", "Game.pad_up('a')")
            self.assertEqual(log, "c, c")
            self.assertEqual(self.value(game, texts), "de|b c")
            self.assertEqual(self.errors(game), [])


if __name__ == "__main__":
    unittest.main()
