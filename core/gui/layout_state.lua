-- The state of each box for layout.lua: what it keeps between calls, so that `compute` makes no
-- garbage and repeats only what changed. `prepare` brings the states of a tree up to date.

local Style = require "core/gui/layout_style"

local M = {}

if jit then
    jit.off(true, true) -- for the reason that layout_style.lua gives
end

local MOST_DEPTH = 1000   -- of a tree
local NONE, HUGE = Style.NONE, Style.HUGE

-- All fields are there from the start, with their types: tables of one shape are fast in LuaJIT.
-- Style.read adds the fields of the style.
local function new_state(box)
    local state = {
        box = box, children = false, num_children = 0, parent = false, index = 0,
        -- As a container: its children in the flow, and the absolute ones.
        items = {}, num_items = 0, absolutes = {}, num_absolutes = 0,
        inner_w = 0, inner_h = NONE,   -- of the content box; NONE is not known
        base_w = NONE, base_h = NONE,  -- inner size that shares of children refer to, or NONE
        inner_main = NONE, inner_cross = NONE,
        num_lines = 0, line_ends = {}, line_crosses = {},
        -- As an item of its parent. Sizes have padding; lows and highs are minimum and maximum.
        prefers_main = NONE, low_main = 0, high_main = HUGE,
        prefers_cross = NONE, low_cross = 0, high_cross = HUGE,
        high_h = HUGE, has_automatic_minimum = false, is_stretched = false,
        margin_main_start = 0, margin_main_end = 0, margin_cross_start = 0, margin_cross_end = 0,
        is_main_start_auto = false, is_main_end_auto = false,
        is_cross_start_auto = false, is_cross_end_auto = false,
        base = 0, hypothetical = 0, main = 0, cross = 0, factor = 0, is_frozen = false, violation = 0,
        -- Caches.
        has_widths = false, narrowest = 0, widest = 0, widest_item = 0,
        height_w_1 = NONE, height_high_1 = NONE, height_1 = 0,
        height_w_2 = NONE, height_high_2 = NONE, height_2 = 0,
        is_laid_out = false, laid_w = 0, laid_h = 0, laid_base = NONE,
    }
    box.layout_state = state
    return state
end

local function forget_caches(s)
    s.has_widths, s.is_laid_out = false, false
    s.height_w_1, s.height_w_2 = NONE, NONE
end

local function set_array(array, count, old_count)
    for i = count + 1, old_count do
        array[i] = nil
    end
    return count
end

-- Sorts the children of a box into those in the flow and absolute ones.
local function collect_children(s, children)
    local num_items, num_absolutes = 0, 0
    for i = 1, children and #children or 0 do
        local box = children[i]
        local child = box.layout_state
        if child.is_hidden then
            box.x, box.y, box.w, box.h = 0, 0, 0, 0
        elseif child.is_absolute then
            num_absolutes = num_absolutes + 1
            s.absolutes[num_absolutes] = child
        else
            num_items = num_items + 1
            s.items[num_items] = child
        end
    end
    s.num_items = set_array(s.items, num_items, s.num_items)
    s.num_absolutes = set_array(s.absolutes, num_absolutes, s.num_absolutes)
    s.children, s.num_children = children or false, children and #children or 0
end

-- Reads what changed in a tree, and forgets what depended on it. Returns whether something changed.
local function prepare(box, depth)
    if depth > MOST_DEPTH then
        error("layout: the tree is deeper than " .. MOST_DEPTH .. " boxes", 0)
    end
    local s = box.layout_state
    local is_changed = not s or box.is_dirty == true
    if is_changed then
        box.is_dirty = true -- until its style could be read
        s = s or new_state(box)
        Style.read(s, box.style)
    end
    local children = box.children
    if children and not s.is_hidden then
        for i = 1, #children do
            if prepare(children[i], depth + 1) then
                is_changed = true
            end
            local child = children[i].layout_state
            if child.parent ~= s or child.index ~= i then
                child.parent, child.index = s, i
                is_changed = true
            end
        end
        is_changed = is_changed or s.num_children ~= #children
    end
    if is_changed or s.children ~= (children or false) then
        is_changed = true
        if not s.is_hidden then
            collect_children(s, children)
        end
        forget_caches(s)
        box.is_dirty = false
    end
    return is_changed
end

-- Reads what changed in a tree. Errors: a wrong style, or a tree deeper than 1,000 boxes.
function M.prepare(root)
    prepare(root, 1)
end

return M
