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
    button.id, button.text, button.on_press = id, id, button.on_press or Game.note(id)
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
            self.assertEqual([e.split(": ")[-1] for e in map(lambda e: e.splitlines()[0], self.errors(game))],
                             ["mine", "yours"])


if __name__ == "__main__":
    unittest.main()
