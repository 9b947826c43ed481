-- Lists that scroll. Only the rows that show are widgets: a million rows cost what twenty cost. A row's
-- widgets belong to its number, and go when it does not show any more; only rows of kinds that are
-- `is_stateless` become others.

local Fields = require "core/gui/fields"
local Layout = require "core/gui/layout"
local Scroll = require "core/gui/scrolling"
local Theme = require "core/gui/theme"
local Tree = require "core/gui/tree"

local function row_height(node)
    return node.props.row_height or Theme.control_size(node.screen, "control")
end

local function row_width(node)
    local bar = Scroll.bar_width(node)
    return math.max(0, node.w - (bar > 0 and bar + 2 or 0))
end

-- Returns the first and last row that show.
local function visible(node)
    local h, count = row_height(node), node.props.count or 0
    local first = math.floor(node.scroll_y / h) + 1
    local last = math.min(count, math.ceil((node.scroll_y + node.h) / h))
    return math.max(1, first), last
end

local function describe_row(node, i)
    local description = node.props.row(i)
    if type(description) ~= "table" or not Tree.kinds[description.kind] then
        error(string.format("widget list: row: the function returned %s for row %d; expected a widget",
            tostring(description), i), 0)
    end
    return description
end

-- Returns whether a widget keeps nothing of what the player did, such as text, focus or a check mark.
local function is_stateless(widget)
    if not widget.kind.is_stateless then
        return false
    end
    for _, child in ipairs(widget.children) do
        if not is_stateless(child) then
            return false
        end
    end
    return true
end

-- Returns the number of a row that does not show any more and can become another; nil when all rows show.
local function spare_number(node, first, last, description)
    for i, row in pairs(node.rows) do
        if (i < first or i > last) and row.kind.name == description.kind and
            row.props.key == description.key and is_stateless(row) then
            return i
        end
    end
    return nil
end

local function destroy_outside(node, first, last)
    for i, row in pairs(node.rows) do
        if i < first or i > last then
            node.rows[i] = nil
            Tree.destroy(row)
        end
    end
end

-- Makes the widgets of the rows that show.
local function make_rows(node)
    if not node.props.row then
        return
    end
    local first, last = visible(node)
    local w, h = row_width(node), row_height(node)
    local parts = node.parts
    for i = first, last do
        local row = node.rows[i]
        if not row or row.revision ~= node.revision then
            -- An error of the description or of what is in it leaves the rows as they are.
            local description = describe_row(node, i)
            local from = row and i or spare_number(node, first, last, description)
            row = Tree.become(from and node.rows[from], node.screen, node, description)
            row.revision = node.revision
            if from then
                node.rows[from] = nil
            end
            node.rows[i] = row
        end
        Layout.compute(row, w, h)
        row.x, row.y = 0, (i - 1) * h
        parts[i - first + 1] = row
    end
    destroy_outside(node, first, last)
    for i = #parts, math.max(0, last - first + 1) + 1, -1 do
        parts[i] = nil
    end
end

local function select_row(node, i)
    local count = node.props.count or 0
    i = math.max(1, math.min(i, count))
    if count == 0 or i == node.selected then
        return
    end
    node.selected = i
    Tree.redraw(node)
    node.screen:call(node.props.on_select, i, node)
    local h = row_height(node)
    Scroll.reveal(node, 0, node.top - node.scroll_y + (i - 1) * h, 0, h)
end

local function row_at(node, y)
    local i = math.floor((y + node.scroll_y) / row_height(node)) + 1
    return i >= 1 and i <= (node.props.count or 0) and i or nil
end

local function press(node)
    if node.selected then
        node.screen:call(node.props.on_press, node.selected, node)
    end
end

local function pointer(node, phase, x, y)
    if Scroll.pointer(node, phase, x, y) then
        return
    end
    local row = (phase == "enter" or phase == "drag" or phase == "press" or phase == "release") and
        row_at(node, y) or nil
    if phase == "press" then
        node.pressed_row = row
    elseif phase == "release" and row and row == node.pressed_row then
        select_row(node, row)
        if node.screen.num_presses == 2 or node.props.presses_at_once then
            press(node)
        end
    end
end

local KEYS = { up = -1, down = 1 }

local function action(node, name)
    local count, at = node.props.count or 0, node.selected
    if KEYS[name] then
        local next_row = at and at + KEYS[name] or (name == "down" and 1 or count)
        if next_row < 1 or next_row > count then
            return false
        end
        select_row(node, next_row)
    elseif name == "page_up" or name == "page_down" then
        local page = math.max(1, math.floor(node.h / row_height(node)) - 1)
        select_row(node, (at or 1) + (name == "page_up" and -page or page))
    elseif name == "home" or name == "end" then
        select_row(node, name == "home" and 1 or count)
    elseif name == "accept" then
        press(node)
    else
        return false
    end
    return true
end

local function draw(node, painter)
    local sizes = node.screen.theme.sizes
    painter.box(0, 0, node.w, node.h, painter.BACK, sizes.radius, "control", sizes.border, "control_border")
    local h, first, last = row_height(node), visible(node)
    local selected = node.selected
    if selected and selected >= first and selected <= last then
        painter.clip(0, 0, node.w, node.h)
        painter.rect(0, (selected - 1) * h - node.scroll_y, row_width(node), h, painter.FRONT,
            node.screen.focused == node and "selection" or "control_hovered")
        painter.unclip()
    end
    Scroll.draw_bar(node, painter)
    painter.focus(sizes.radius)
end

Tree.kinds.list = {
    name = "list", takes_focus = true, paints = { selected = true },
    fields = Fields.make {
        count = "count", row_height = "size", row = "function", selected = "count",
        on_select = "function", on_press = "function", revision = "any", presses_at_once = "boolean",
    },
    style = function(node)
        return { scroll = true, min_height = 0, min_width = 80, height = row_height(node) * 5 }
    end,
    start = function(node)
        Scroll.start(node)
        node.rows, node.parts, node.revision = {}, {}, 0
    end,
    change = function(node, old)
        local props = node.props
        if props.row_height == 0 then
            error("widget list: row_height: found 0; expected a number above 0", 0)
        end
        if props.selected and (not old or old.selected ~= props.selected) then
            node.selected = props.selected > 0 and props.selected or nil
        end
        if node.selected and node.selected > (props.count or 0) then
            node.selected = nil
        end
        -- Rows are made again when what they show may be another.
        if not old or old.revision ~= props.revision or old.count ~= props.count or
            props.revision == nil and old.row ~= props.row then
            node.revision = node.revision + 1
            Tree.relayout(node)
        end
    end,
    restyle = function(node)
        node.revision = node.revision + 1
    end,
    arrange = function(node)
        Scroll.set_content(node, (node.props.count or 0) * row_height(node))
        make_rows(node)
    end,
    scrolled = function(node)
        make_rows(node)
        node.screen.place_children(node)
    end,
    clips = Scroll.clips, wheel = Scroll.wheel, reveal = Scroll.reveal,
    pointer = pointer, action = action, draw = draw,
    focus = Tree.redraw, blur = Tree.redraw,
}

return Tree.kinds
