-- The tree of widgets of a screen. Descriptions (tables that widgets.lua makes) become nodes; a new
-- description of a node changes only what differs.
--
-- A node:
--   kind, screen, parent         what it is and where; the topmost has `root`
--   props       its description, with what M.set changed
--   declared    the table of its description, as its parent or the game gave it
--   children    nodes; of what its kind made, or of the description
--   parts       nodes that it lays out itself (rows of a list), instead of children
--   style, measure, is_dirty, x, y, w, h   as a box of layout.lua
--   left, top   its place on the screen, in units from the upper left corner
--   clip        nil, or what shows of it: {left, top, right, bottom}
--   layer       of the Gui
--   objects, object_kinds        see painter.lua
--   is_queued    it is in the list of nodes that are drawn again
-- Kinds keep their state in fields of the node, such as `value`.

local Fields = require "core/gui/fields"
local Painter = require "core/gui/painter"

local M = {}

local DEEPEST = 200 -- levels of widgets in widgets

-- Kinds of widgets by name. A kind is a table:
--   name, fields (fields.lua), has_children; passes_children: they and the layout go to another root
--   style(node) -> table     what layout fields are when the description has none; theme sizes
--   start(node)              a node was made; before its first change
--   change(node, old)        its description is another; `old` is the one before, or nil
--   build(node) -> table     descriptions of its children, when the description does not have them
--   stop(node)               it goes away
--   measure(node, w, h) -> w, h   size of its content (layout.lua)
--   draw(node, painter)
--   paints                   fields {name = true} that change nothing of the layout
--   takes_focus              it can have the focus
--   pointer(node, phase, x, y), key(node, event), text(node, event), action(node, name) -> handled;
--   wheel(node, dx, dy) -> handled: see events.lua
M.kinds = {}

-- Returns the root (screen.lua) in which a node is.
function M.root(node)
    while node.parent do
        node = node.parent
    end
    return node.root
end

-- Whether a field that counts for all inside is set, on a node or around it.
local function is_around(node, name)
    while node do
        if node.props[name] then
            return true
        end
        node = node.parent
    end
    return false
end

-- Returns whether a node or what is around it is disabled.
function M.is_disabled(node)
    return is_around(node, "disabled")
end

-- Returns whether a node or what is around it is hidden.
function M.is_hidden(node)
    return is_around(node, "hidden")
end

-- Returns whether a node is gone, hidden or disabled, also by what is around it.
function M.is_lost(node)
    return node.is_gone or M.is_hidden(node) or M.is_disabled(node)
end

-- Draws the node again in this frame.
function M.redraw(node)
    if not node.is_queued then
        node.is_queued = true
        table.insert(node.screen.dirty, node)
    end
end

-- Draws all that is inside of a node again.
local function redraw_inside(node)
    for _, child in ipairs(node.parts or node.children) do
        M.redraw(child)
        redraw_inside(child)
    end
end

-- Lays the screen out again in this frame.
function M.relayout(node)
    node.is_dirty = true
    node.screen.needs_layout = true
    M.redraw(node)
end

local function style_of(node)
    local style = node.style
    for name in pairs(style) do
        style[name] = nil
    end
    local kind = node.kind
    if kind.style then
        for name, value in pairs(kind.style(node)) do
            style[name] = value
        end
    end
    for name, value in pairs(node.props) do
        if Fields.layout[name] and not kind.passes_children then -- else it passes these, too
            style[name] = value
        end
    end
    if style.shrink == nil and node.parent and node.parent.kind.name == "scroll" then
        style.shrink = 0 -- what scrolls keeps its size
    end
end

-- Reads the style again: the theme or the text scale is another.
function M.restyle(node)
    style_of(node)
    M.relayout(node)
    if node.kind.restyle then
        node.kind.restyle(node)
    end
    for _, child in ipairs(node.parts or node.children) do
        M.restyle(child)
    end
end

local function forget_ids(node)
    local id = node.props.id
    if id and node.screen.ids[id] == node then
        node.screen.ids[id] = nil
    end
end

-- Destroys a node with its children.
function M.destroy(node)
    if node.is_gone then
        return
    end
    for _, child in ipairs(node.parts or node.children) do
        M.destroy(child)
    end
    if node.kind.stop then
        node.kind.stop(node)
    end
    forget_ids(node)
    Painter.erase(node)
    node.is_gone = true
    node.screen:forget(node)
end

local function measure(node, w, h)
    local is_right, width, height = node.screen:try(M.relayout, node.kind.measure, node, w, h)
    if is_right then
        return width, height
    end
    return 0, 0
end

local function make(screen, parent, description)
    local kind = M.kinds[description.kind]
    local node = {
        kind = kind, screen = screen, parent = parent, props = {}, children = {}, style = {},
        objects = {}, object_kinds = {}, x = 0, y = 0, w = 0, h = 0, left = 0, top = 0, layer = 0,
        depth = parent and parent.depth + 1 or 1,
        measure = kind.measure and measure, is_dirty = true, is_queued = false,
    }
    if node.depth > DEEPEST then
        error("widgets: the tree is deeper than " .. DEEPEST .. " levels", 0)
    end
    if kind.start then
        kind.start(node)
    end
    return node
end

-- Whether two values of a field mean the same.
local function is_same(a, b)
    if a == b then
        return true
    end
    if type(a) == "function" and type(b) == "function" then
        return true
    end
    if type(a) ~= "table" or type(b) ~= "table" then
        return false
    end
    for key, value in pairs(a) do
        if b[key] ~= value then
            return false
        end
    end
    for key in pairs(b) do
        if a[key] == nil then
            return false
        end
    end
    return true
end

-- Returns whether a change from one description to the other needs drawing and layout.
local function difference(kind, old, new)
    local paints, draws, moves = kind.paints or {}, false, false
    for name, value in pairs(new) do
        if type(name) == "string" and not is_same(old[name], value) then
            draws, moves = true, moves or not paints[name]
        end
    end
    for name in pairs(old) do
        if type(name) == "string" and new[name] == nil then
            draws, moves = true, moves or not paints[name]
        end
    end
    return draws, moves
end

-- Gives a node another description.
local function describe(node, description)
    local old, kind, screen = node.props, node.kind, node.screen
    Fields.check(description, kind, screen)
    local draws, moves = difference(kind, old, description)
    forget_ids(node)
    node.props = description
    if description.id then
        screen.ids[description.id] = node
    end
    if moves or not node.is_described then
        style_of(node)
        M.relayout(node)
    elseif draws then
        M.redraw(node)
    end
    if (old.disabled or false) ~= (description.disabled or false) then
        redraw_inside(node)
    end
    local before = node.is_described and old or nil
    node.is_described = true
    if kind.change then
        kind.change(node, before)
    end
    local below = kind.has_children and description or kind.build and kind.build(node)
    if below then
        M.set_children(node, below)
    end
end

-- Gives a node the description of its parent or the game. When that is the table that it had before, what
-- M.set changed since stays.
local function declare(node, description)
    if node.declared ~= description then
        describe(node, description)
        node.declared = description -- not after an error, which comes again
    end
end

local function take_by_key(node, first, description)
    for i = first, #node.children do
        local child = node.children[i]
        if M.fits(child, description) then
            table.remove(node.children, i)
            return child
        end
    end
    return nil
end

-- Makes a node of a description. After an error in the description nothing is left of the node.
local function make_described(screen, parent, description)
    local node = make(screen, parent, description)
    local is_right, message = pcall(declare, node, description)
    if not is_right then
        M.destroy(node)
        error(message, 0)
    end
    return node
end

-- Returns whether a node can be changed to be of this description.
function M.fits(node, description)
    return node.kind.name == description.kind and node.props.key == description.key
end

-- Returns a node of this description: `node` itself, changed, when it fits, or a new one.
function M.become(node, screen, parent, description)
    if not node or not M.fits(node, description) then
        if node then
            M.destroy(node)
        end
        return make_described(screen, parent, description)
    end
    declare(node, description)
    return node
end

-- Returns whether a value is a description of a widget.
function M.is_description(value)
    return type(value) == "table" and M.kinds[value.kind] ~= nil
end

local function check_description(node, description, i)
    if not M.is_description(description) then
        error(string.format("widget %s: child %d: found %s; expected a widget, such as "
            .. "Widgets.label { text = \"…\" }", node.kind.name, i, tostring(description)), 0)
    end
end

-- Makes a node's children those of a list of descriptions. A child stays when it has the same key
-- (none: the same place among those without) and kind.
function M.set_children(node, descriptions)
    local i, changed = 0, false
    for index = 1, table.maxn(descriptions) do
        local description = descriptions[index]
        if description then -- `condition and widget` may be false or nil
            check_description(node, description, index)
            i = i + 1
            local child = node.children[i]
            if not child or not M.fits(child, description) then
                child = take_by_key(node, i + 1, description) or
                    make_described(node.screen, node, description)
                changed = true
                table.insert(node.children, i, child)
            end
            declare(child, description)
        end
    end
    for last = #node.children, i + 1, -1 do
        M.destroy(table.remove(node.children))
        changed = true
    end
    if changed then
        M.relayout(node)
    end
end

-- Changes some fields of a node's description. Children, when there are some, are in place of all that it
-- had.
function M.set(node, fields)
    if type(node) ~= "table" or not node.props or node.is_gone then
        error(string.format("Widgets.set: found %s; expected a widget that screen:find returned",
            type(node) == "table" and node.is_gone and "a widget that is gone" or tostring(node)), 2)
    end
    local description, has_children = {}, table.maxn(fields) > 0
    for name, value in pairs(node.props) do
        if type(name) == "string" or not has_children then
            description[name] = value
        end
    end
    for name, value in pairs(fields) do
        description[name] = value
    end
    describe(node, description)
end

-- Makes the children of a node with `build` again.
function M.rebuild(node)
    M.set_children(node, node.kind.build(node))
end

return M
