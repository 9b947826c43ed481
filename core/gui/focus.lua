-- The focus: the widget that keyboard and pad act on. It moves in the order of the tree (tab), and
-- to the nearest widget in a direction (arrows, pad).

local Tree = require "core/gui/tree"

local M = {}

-- Whether a root gets input: no modal one is above it.
local function is_open(screen, root)
    for i = #screen.roots, 1, -1 do
        local options = screen.roots[i].options
        if screen.roots[i] == root then
            return not options.is_passive
        elseif options.is_modal and not options.is_passive then
            return false
        end
    end
    return false
end

-- Returns whether input can reach a node: it is there, neither hidden nor disabled, and not below a
-- modal root.
function M.gets_input(node)
    return not (node.is_gone or Tree.is_disabled(node) or Tree.is_hidden(node)) and
        is_open(node.screen, Tree.root(node))
end

local function has_size(node)
    return node.w > 0 and node.h > 0
end

local function collect(node, list)
    if node.props.hidden or node.props.disabled then
        return
    end
    if node.kind.takes_focus and has_size(node) then
        table.insert(list, node)
    end
    for _, child in ipairs(node.parts or node.children) do
        collect(child, list)
    end
end

-- Returns the widgets that can have the focus, in the order of the tree.
function M.candidates(screen)
    local list = {}
    for i = #screen.roots, 1, -1 do
        local root = screen.roots[i]
        if not root.options.is_passive then
            local below = {}
            collect(root.node, below)
            for j = #below, 1, -1 do
                table.insert(list, 1, below[j])
            end
            if root.options.is_modal then
                break
            end
        end
    end
    return list
end

-- Returns what scrolls the node, from the inside.
local function scrolls_of(node)
    local list = {}
    node = node.parent
    while node do
        if node.kind.reveal then
            table.insert(list, node)
        end
        node = node.parent
    end
    return list
end

-- Scrolls so that the node shows.
function M.reveal(node)
    for _, scroll in ipairs(scrolls_of(node)) do
        scroll.kind.reveal(scroll, node.left, node.top, node.w, node.h)
    end
end

-- Remembers where the focus is, for when its widget goes away.
local function remember(screen, node)
    local place = screen.focus_place or {}
    screen.focus_place = place
    place.left, place.top, place.w, place.h = node.left, node.top, node.w, node.h
end

local function can_have(node)
    return node.kind.takes_focus and M.gets_input(node)
end

-- Gives the focus to a node, when that can have it; nil: to none.
function M.set(screen, node)
    local before = screen.focused
    if node == before or node and not can_have(node) then
        return
    end
    screen.focused = node
    if before and not before.is_gone then
        Tree.redraw(before)
        if before.kind.blur then
            before.kind.blur(before)
        end
        screen:call(before.props.on_focus, false, before)
    end
    if node then
        remember(screen, node)
        Tree.redraw(node)
        if node.kind.focus then
            node.kind.focus(node)
        end
        screen:call(node.props.on_focus, true, node)
        M.reveal(node)
    end
end

-- A node is gone: the next to take the focus is the nearest one, when the player moves it.
function M.forget(screen, node)
    if screen.focused == node then
        screen.focused = nil
    end
end

-- Before drawing: a widget that cannot have the focus any more loses it.
function M.check(screen)
    local node = screen.focused
    if node and can_have(node) and has_size(node) then
        remember(screen, node)
    elseif node then
        M.set(screen, nil)
    end
    for _, root in ipairs(screen.roots) do
        if root.wants_focus then
            root.wants_focus = nil
            if not screen.focused then
                M.set(screen, M.candidates(screen)[1])
            end
        end
    end
end

-- Returns how far a candidate is from a place in a direction, or nil when it is not there. What is
-- beside the way counts double: the nearest in the row comes before one that is nearer but aside.
local function distance(from, to, x, y)
    local dx = (to.left + to.w / 2) - (from.left + from.w / 2)
    local dy = (to.top + to.h / 2) - (from.top + from.h / 2)
    local along, gap, aside
    if x ~= 0 then
        along = dx * x
        gap = x > 0 and to.left - (from.left + from.w) or from.left - (to.left + to.w)
        aside = math.max(0, to.top - (from.top + from.h), from.top - (to.top + to.h))
    else
        along = dy * y
        gap = y > 0 and to.top - (from.top + from.h) or from.top - (to.top + to.h)
        aside = math.max(0, to.left - (from.left + from.w), from.left - (to.left + to.w))
    end
    if along <= 0.5 or gap < -0.5 * (x ~= 0 and math.min(from.w, to.w) or math.min(from.h, to.h)) then
        return nil
    end
    local across = math.abs(x ~= 0 and dy or dx)
    return math.max(gap, 0) + 2 * aside + 0.01 * across
end

local function squared_distance(from, to)
    local dx = (to.left + to.w / 2) - (from.left + from.w / 2)
    local dy = (to.top + to.h / 2) - (from.top + from.h / 2)
    return dx * dx + dy * dy
end

local function nearest(list, measure)
    local best, least
    for _, node in ipairs(list) do
        local d = measure(node)
        if d and (not least or d < least) then
            best, least = node, d
        end
    end
    return best
end

-- Gives the focus to a widget when none has it: the nearest to where it was, or the first.
function M.begin(screen)
    local list, place = M.candidates(screen), screen.focus_place
    local node = list[1]
    if place then
        node = nearest(list, function(other) return squared_distance(place, other) end)
    end
    M.set(screen, node)
end

-- Moves the focus: x and y are -1, 0 or 1, y down. Returns whether there was a widget.
function M.move(screen, x, y)
    local from = screen.focused
    local node = nearest(M.candidates(screen), function(other)
        return other ~= from and distance(from, other, x, y) or nil
    end)
    if node then
        M.set(screen, node)
    end
    return node ~= nil
end

-- Moves the focus to the next (1) or previous (-1) widget of the tree, around its ends.
function M.step(screen, way)
    local list = M.candidates(screen)
    if #list == 0 then
        return
    end
    local at = way > 0 and 0 or 1
    for i, node in ipairs(list) do
        if node == screen.focused then
            at = i
        end
    end
    M.set(screen, list[(at - 1 + way) % #list + 1])
end

return M
