-- Boxes: rows, columns, panels, scrolling areas, and what holds a popup.

local Fields = require "core/gui/fields"
local Tree = require "core/gui/tree"

local PAINTS = { color = true, border = true, border_color = true, radius = true }

Tree.kinds.column = { name = "column", is_stateless = true, has_children = true, fields = Fields.make {} }
Tree.kinds.row = {
    name = "row", is_stateless = true, has_children = true, fields = Fields.make {},
    style = function() return { direction = "row" } end,
}
Tree.kinds.spacer = {
    name = "spacer", is_stateless = true, fields = Fields.make {},
    style = function() return { grow = 1 } end,
}

-- A column with a background.
Tree.kinds.panel = {
    name = "panel", is_stateless = true, has_children = true, blocks = true, paints = PAINTS,
    fields = Fields.make { color = "color", border = "size", border_color = "color", radius = "size" },
    style = function(node)
        local sizes = node.screen.theme.sizes
        return { padding = sizes.padding, gap = sizes.gap }
    end,
    draw = function(node, painter)
        local props, sizes = node.props, node.screen.theme.sizes
        painter.box(0, 0, node.w, node.h, painter.BACK, props.radius or sizes.radius,
            props.color or "panel", props.border or sizes.border, props.border_color or "panel_border")
    end,
}

-- What dims and blocks all that is below a dialog.
Tree.kinds.shade = {
    name = "shade", is_stateless = true, has_children = true, blocks = true, paints = PAINTS,
    fields = Fields.make { color = "color" },
    style = function() return { align = "center", justify = "center", padding = 16 } end,
    draw = function(node, painter)
        painter.rect(0, 0, node.w, node.h, painter.BACK, node.props.color or "shade")
    end,
}

-- --- Popups --------------------------------------------------------------------------------------

local MARGIN = 4 -- units between a popup and what it belongs to

-- Puts the popup's only child below the node that it belongs to, or above where there is more room.
local function arrange_popup(node)
    local anchor, child, screen = node.props.anchor, node.children[1], node.screen
    if Tree.is_lost(anchor) then
        screen:call(node.props.on_lost)
    end
    if not child or anchor.is_gone then
        return
    end
    local low = anchor.top + anchor.h + MARGIN
    local top = low
    if low + child.h > screen.height and anchor.top > screen.height - low then
        top = anchor.top - MARGIN - child.h
    end
    child.x = math.max(0, math.min(anchor.left, screen.width - child.w))
    child.y = math.max(0, math.min(top, screen.height - child.h))
end

-- Holds one widget beside the widget `anchor`. Calls `on_lost` when that is gone, hidden or disabled.
Tree.kinds.popup = {
    name = "popup", has_children = true, arrange = arrange_popup,
    fields = Fields.make { anchor = "table", on_lost = "function" },
    style = function() return { align = "start" } end,
}

-- --- Scrolling -----------------------------------------------------------------------------------

local Scroll = require "core/gui/scrolling"

Tree.kinds.scroll = {
    name = "scroll", has_children = true, fields = Fields.make {},
    style = function(node)
        local sizes = node.screen.theme.sizes
        local frame = sizes.focus + 1 -- of the focus, which is cut off outside
        return { scroll = true, gap = sizes.gap, padding = { frame, frame, sizes.scroll_bar + 6, frame } }
    end,
    start = Scroll.start,
    arrange = function(node)
        local bottom = 0
        for _, child in ipairs(node.children) do
            bottom = math.max(bottom, child.y + child.h)
        end
        local padding = node.style.padding or 0
        Scroll.set_content(node, bottom + (type(padding) == "table" and padding[4] or padding))
    end,
    clips = Scroll.clips, wheel = Scroll.wheel, reveal = Scroll.reveal, pointer = Scroll.pointer,
    scrolled = function(node)
        node.screen.place_children(node)
    end,
    draw = Scroll.draw_bar,
}

return Tree.kinds
