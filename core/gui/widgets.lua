-- Widgets: menus, settings, lists and forms over the picture of a world. docs/widgets.md shows how.
--
--     local Widgets = require "core/gui/widgets"
--     local screen = Widgets.new(world)
--     screen:show(Widgets.column { padding = 20, gap = 10,
--         Widgets.label { text = "Crates", size = "title" },
--         Widgets.button { text = "Play", on_press = function() Game.play() end },
--     })
--     screen:update(dt)   -- in each frame

local Screen = require "core/gui/screen"
local Tree = require "core/gui/tree"

require "core/gui/kinds/boxes"
require "core/gui/kinds/text"
require "core/gui/kinds/button"
require "core/gui/kinds/slider"
require "core/gui/kinds/list"
require "core/gui/kinds/drop_down"
require "core/gui/kinds/dialog"
require "core/gui/kinds/text_field"


local M = {}

-- Widgets.label { … }, Widgets.button { … } and so on: each returns the table that it gets, with
-- its kind. What is wrong in it is an error when it is shown.
for name in pairs(Tree.kinds) do
    M[name] = function(description)
        if type(description) ~= "table" then
            error(string.format("Widgets.%s: found %s; expected a table of fields", name,
                tostring(description)), 2)
        end
        description.kind = name
        return description
    end
end

-- Makes a screen: what shows widgets over the picture of a world. Options:
--   theme       a gui_theme; "core/gui/default"
--   scale       {width, height} in units that fit into every view; without it a unit is a pixel
--   text_scale  1; makes letters larger for players who need it
--   layer       the first layer of the Gui
-- Methods: show, open, close, find, focus, update, set_text_scale, set_theme, uses_input, destroy
-- (screen.lua).
M.new = Screen.new

-- Changes fields of a node that screen:find returned: Widgets.set(node, { text = "…" }).
M.set = Tree.set

-- Adds a kind of widget (tree.lua says what it is), which Widgets.<name> then makes.
function M.add_kind(kind)
    Tree.kinds[kind.name] = kind
    M[kind.name] = function(description)
        description.kind = kind.name
        return description
    end
end

return M
