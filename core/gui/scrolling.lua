-- What widgets that scroll have in common: the place, the clip rectangle and the bar. A kind that
-- scrolls has `scrolled(node)`, which is called when the place is another.
--
-- Fields of the node: scroll_y (units down), content_h (units).

local Tree = require "core/gui/tree"

local M = {}

function M.start(node)
    node.scroll_y, node.content_h = 0, 0
end

local function most(node)
    return math.max(0, node.content_h - node.h)
end

-- Scrolls to a place. Returns whether that is another.
function M.go(node, y)
    y = math.max(0, math.min(y, most(node)))
    if y == node.scroll_y then
        return false
    end
    node.scroll_y = y
    Tree.redraw(node)
    node.kind.scrolled(node)
    return true
end

-- Sets how high the content is.
function M.set_content(node, h)
    if h ~= node.content_h then
        node.content_h = h
        Tree.redraw(node)
    end
    node.scroll_y = math.max(0, math.min(node.scroll_y, most(node)))
end

-- Scrolls by wheel or finger: y up is positive.
function M.wheel(node, _, y)
    return M.go(node, node.scroll_y - y)
end

-- Scrolls so that a rectangle of the screen shows.
function M.reveal(node, _, top, _, h)
    local y = top - node.top + node.scroll_y -- in the content
    if y < node.scroll_y then
        M.go(node, y)
    elseif y + h > node.scroll_y + node.h then
        M.go(node, math.min(y, y + h - node.h))
    end
end

-- Returns the clip rectangle of what is inside.
function M.clips(node, outer)
    local left, top, right, bottom = node.left, node.top, node.left + node.w, node.top + node.h
    if outer then
        left, top = math.max(left, outer.left), math.max(top, outer.top)
        right, bottom = math.min(right, outer.right), math.min(bottom, outer.bottom)
    end
    local clip = node.inner_clip
    if not clip or clip.left ~= left or clip.top ~= top or clip.right ~= right or clip.bottom ~= bottom then
        clip = { left = left, top = top, right = right, bottom = bottom }
        node.inner_clip = clip
    end
    return clip
end

-- Returns the width of the bar in units; 0 when everything shows.
function M.bar_width(node)
    return most(node) > 0 and node.screen.theme.sizes.scroll_bar or 0
end

local function knob(node)
    local h = math.max(24, node.h * node.h / node.content_h)
    return (node.h - h) * node.scroll_y / most(node), h
end

function M.draw_bar(node, painter)
    local width = M.bar_width(node)
    if width == 0 then
        return
    end
    local y, h = knob(node)
    local x, color = node.w - width, node.bar_is_held and "accent" or "control_border"
    painter.box(x, 0, width, node.h, painter.OVER, width / 2, "track")
    painter.box(x, y, width, h, painter.OVER + 1, width / 2, color)
end

-- Drags the bar. A kind calls it in its `pointer`; returns whether it was the bar.
function M.pointer(node, phase, x, y)
    local width = M.bar_width(node)
    if phase == "press" and width > 0 and x >= node.w - width - 4 then
        local top, h = knob(node)
        node.bar_is_held = true
        node.bar_grip = y >= top and y < top + h and y - top or h / 2
    elseif not node.bar_is_held then
        return false
    end
    if phase == "release" or phase == "cancel" then
        node.bar_is_held = false
    elseif phase == "press" or phase == "drag" then
        local _, h = knob(node)
        M.go(node, (y - node.bar_grip) / math.max(1, node.h - h) * most(node))
    end
    Tree.redraw(node)
    return true
end

return M
