-- Flexbox: computes where the boxes of a tree are and how large they are, as CSS does.
--
--     local Layout = require "core/gui/layout"
--     local root = { style = { direction = "row", gap = 8 }, children = {
--         { style = { width = 100 } },
--         { style = { grow = 1 } } } }
--     Layout.compute(root, 640, 360)
--     -- root.children[2]: x = 108, y = 0, w = 532, h = 360
--
-- A box is any table; these fields of it are used:
--
--     style       its style, see below; nil is an empty one
--     children    an array of boxes, or nil
--     measure     function(box, width, height) -> w, h: the size of the content of a box without
--                 children. `width` is the width that its content gets, 0 to ask for the narrowest
--                 (for a text, its longest word), or nil for as wide as it likes. `height` is the
--                 height that its style fixes, or nil. Results are cached.
--     is_dirty    set it to true after a change of the box's style or of what it measures; `compute`
--                 resets it. It finds added, removed and moved children by itself.
--     x, y, w, h  results: the corner relative to the upper left corner of the parent, y down, and
--                 the size with padding
--     content_w, content_h  results of boxes with `scroll`: the size that would show all children
--
-- Fields of a style, as in CSS (all sizes include padding: `box-sizing: border-box`):
--
--     direction   "column" (default), "row", "row_reverse", "column_reverse"
--     wrap        false (default), true, "reverse"
--     justify     "start" (default), "end", "center", "space_between", "space_around", "space_evenly"
--     align       "stretch" (default), "start", "end", "center"
--     align_self  "auto" (default: the parent's `align`), or as `align`
--     align_content  "stretch" (default), or as `justify`
--     grow, shrink, basis  0, 1 and "auto" when not given; basis may be "content"
--     width, height, min_width, min_height, max_width, max_height  units, "50%" or "auto"
--     padding     units, or {left, top, right, bottom}
--     margin      as padding; an entry may be "auto" or negative
--     gap         units, or {between rows, between columns}
--     aspect      width / height
--     position    "absolute" places the box by left, top, right and bottom (units or "50%") in its
--                 parent; "relative" (default) ignores these. Between left and right, or top and
--                 bottom, it fills the space, except where `align_self` says otherwise (top and bottom)
--     hidden      true: takes no space (w and h are 0)
--     scroll      true: may become smaller than its content, as with `overflow: hidden`
--
-- A wrong field is an error that names the field and the value, when a style is read: at the first
-- `compute` and at those with `is_dirty`. The algorithm is that of CSS Flexible Box Layout Module
-- Level 1, section 9 (https://www.w3.org/TR/css-flexbox-1/#layout-algorithm); comments name the
-- steps. tests/gui/flexbox_cases.json has what Chromium computes for the same boxes. What is left out:
-- `order`, alignment by baselines, and the width that a column which wraps has by its content when its
-- height follows from its parent (give it a width or a height).
--
-- Cost: a tree is computed in time proportional to its number of boxes. What a box measures and where
-- its children are is kept for the sizes last asked for, in `box.layout_state`, so that a second
-- `compute` only visits what changed. `compute` makes tables for new boxes only.

local Sizes = require "core/gui/layout_sizes"
local State = require "core/gui/layout_state"
local Style = require "core/gui/layout_style"

local M = {}

local NONE, HUGE = Style.NONE, Style.HUGE

local max, min = math.max, math.min
local begin_pass, size_items, break_lines = Sizes.begin_pass, Sizes.size_items, Sizes.break_lines
local flex_lines, set_cross_sizes = Sizes.flex_lines, Sizes.set_cross_sizes
local set_line_crosses, line_start = Sizes.set_line_crosses, Sizes.line_start
local column_limit, content_height = Sizes.column_limit, Sizes.content_height
local fit_width, fit_width_at, definite_base = Sizes.fit_width, Sizes.fit_width_at, Sizes.definite_base
local height_by_aspect, width_by_aspect = Sizes.height_by_aspect, Sizes.width_by_aspect
local orient_sizes, clamp = Sizes.orient_sizes, Sizes.clamp

-- --- Places ----------------------------------------------------------------------------------------

-- Returns how far from the start the first of `count` things is, and the space between two of them,
-- when `free` is left. When it is negative, things with space around them start at the left or upper
-- edge, which in a reversed direction is the end, and have no space.
local function spread(how, free, count, is_reversed)
    if how == "end" then
        return free, 0
    elseif how == "center" then
        return free / 2, 0
    elseif how == "space_between" then
        return 0, count > 1 and max(0, free) / (count - 1) or 0
    elseif how ~= "space_around" and how ~= "space_evenly" then
        return 0, 0
    elseif free < 0 then
        return is_reversed and free or 0, 0
    elseif how == "space_around" then
        return free / count / 2, free / count
    end
    return free / (count + 1), free / (count + 1)
end

-- Makes lines of stretched content as thick as the container allows (9.4, steps 8 and 9).
local function stretch_lines(s, sum)
    if not s.is_wrap then
        s.line_crosses[1] = s.inner_cross
    elseif s.align_content == "stretch" and sum < s.inner_cross then
        for line = 1, s.num_lines do
            s.line_crosses[line] = s.line_crosses[line] + (s.inner_cross - sum) / s.num_lines
        end
    end
end

-- Writes place and size of an item into its box, from places that count from the start of each axis.
local function write_box(s, item, main, cross)
    local box = item.box
    if s.is_reverse then
        main = s.inner_main - main - item.main
    end
    if s.is_wrap_reverse then
        cross = s.inner_cross - cross - item.cross
    end
    if s.is_row then
        box.x, box.y, box.w, box.h = main, cross, item.main, item.cross
    else
        box.x, box.y, box.w, box.h = cross, main, item.cross, item.main
    end
    box.x, box.y = box.x + s.padding_left, box.y + s.padding_top
end

-- Returns how far an item is from the start of its line, across it (9.6, steps 13 and 14).
local function cross_place(s, item, line_cross)
    local start = item.margin_cross_start
    local free = line_cross - item.cross - start - item.margin_cross_end
    if item.is_cross_start_auto or item.is_cross_end_auto then
        if free < 0 then
            -- The box stays at the left or upper edge.
            return s.is_wrap_reverse and free + start or start
        elseif item.is_cross_start_auto then
            free = item.is_cross_end_auto and free / 2 or free
            return start + free
        end
        return start
    end
    local align = item.align_self == "auto" and s.align or item.align_self
    if align == "end" then
        return start + free
    elseif align == "center" then
        return start + free / 2
    end
    return start
end

-- Places the items of a line (9.5, 9.6).
local function place_line(s, first, last, line_place, line_cross)
    local free, autos = s.inner_main - s.main_gap * (last - first), 0
    for i = first, last do
        local item = s.items[i]
        free = free - item.main - item.margin_main_start - item.margin_main_end
        autos = autos + (item.is_main_start_auto and 1 or 0) + (item.is_main_end_auto and 1 or 0)
    end
    local place, between, auto = 0, 0, 0
    if autos > 0 and free > 0 then
        auto = free / autos
    else
        place, between = spread(s.justify, free, last - first + 1, s.is_reverse)
    end
    for i = first, last do
        local item = s.items[i]
        local space = line_cross - item.margin_cross_start - item.margin_cross_end
        if item.is_stretched then
            item.cross = clamp(space, item.low_cross, item.high_cross)
        elseif s.is_wrap and not s.is_row and item.width == NONE and item.aspect == 0 then
            item.cross = clamp(fit_width_at(item, space, s.base_h >= 0 and item.main or NONE),
                item.low_cross, item.high_cross)
        end
        place = place + item.margin_main_start + (item.is_main_start_auto and auto or 0)
        write_box(s, item, place, line_place + cross_place(s, item, line_cross))
        place = place + item.main + item.margin_main_end + (item.is_main_end_auto and auto or 0)
            + s.main_gap + between
    end
end

local function place_lines(s)
    local sum = s.cross_gap * max(0, s.num_lines - 1)
    for line = 1, s.num_lines do
        sum = sum + s.line_crosses[line]
    end
    local place, between = 0, 0
    if s.is_wrap then
        place, between = spread(s.align_content, s.inner_cross - sum, s.num_lines,
            s.is_wrap_reverse)
    end
    for line = 1, s.num_lines do
        place_line(s, line_start(s, line), s.line_ends[line], place, s.line_crosses[line])
        place = place + s.line_crosses[line] + s.cross_gap + between
    end
end

-- Returns the inner height of an item that shares of its children refer to, or NONE (9.8).
local function item_base(s, item)
    local is_definite = item.aspect > 0
    if s.is_row then
        is_definite = is_definite or item.is_stretched or item.prefers_cross >= 0
    else
        is_definite = is_definite or s.base_h >= 0 or definite_base(s, item) >= 0
    end
    return is_definite and max(0, item.box.h - item.padding_h) or NONE
end

local function write_content_size(s)
    local w, h = 0, 0
    for i = 1, s.num_items do
        local item = s.items[i]
        local box = item.box
        w = max(w, box.x + box.w + item.margin_right)
        h = max(h, box.y + box.h + item.margin_bottom)
    end
    local box = s.box
    box.content_w = w + s.padding_w - s.padding_left
    box.content_h = h + s.padding_h - s.padding_top
end

-- --- Absolute boxes --------------------------------------------------------------------------------

-- Returns at which edge of its parent an absolute box without insets is: "start" (left, upper), "end"
-- or "center". It is placed as if it were the only item (section 4.1).
local function static_edge(s, item, is_x)
    local is_main = is_x == s.is_row
    local how = s.justify
    if not is_main then
        how = item.align_self == "auto" and s.align or item.align_self
    end
    if how == "center" or how == "space_around" or how == "space_evenly" then
        return "center"
    end
    local is_flipped = is_main and s.is_reverse or not is_main and s.is_wrap_reverse
    return (how == "end") ~= is_flipped and "end" or "start"
end

local function static_place(edge, inner, size)
    return edge == "end" and inner - size or edge == "center" and (inner - size) / 2 or 0
end

-- Returns the place of an absolute box on one axis, from its insets and those margins that are "auto".
-- With both insets, `align_self` ("auto" for none) places it between them, without leaving the parent.
local function inset_place(is_vertical, is_scroll, how, parent_size, size, start, finish,
    margin_start, margin_end, has_start, has_end, is_start_auto, is_end_auto)
    if not has_start then
        return parent_size - finish - margin_end - size
    elseif not has_end then
        return start + margin_start
    end
    local free = max(0, parent_size - start - finish) - size - margin_start - margin_end
    if is_start_auto and is_end_auto then
        return start + (is_vertical and free or max(0, free)) / 2
    elseif is_start_auto then
        return start + free
    elseif is_end_auto or how == "auto" then
        return start + margin_start
    end
    local place = start + (spread(how, free, 1, false))
    if not is_scroll then
        local most = max(parent_size, parent_size - finish, start)
        place = min(place, most - size - margin_start - margin_end)
    end
    return max(place, min(0, start)) + margin_start
end

-- Returns the space that an absolute box without a width of its own may take: up to the edge of the
-- parent, on both sides where it is in the middle.
local function absolute_space(s, item, parent_w, left, right)
    local space = parent_w - item.margin_left - item.margin_right
    if item.has_left or item.has_right then
        return space - left - right
    end
    local padding_right = s.padding_w - s.padding_left
    local edge = static_edge(s, item, true)
    if edge == "center" then
        return space - math.abs(s.padding_left - padding_right)
    end
    return space - (edge == "start" and s.padding_left or padding_right)
end

-- Sets the size of an absolute box in a parent of the given size; the arguments after it are insets.
-- Returns the inner height that shares of its children refer to, or NONE.
local function size_absolute(s, item, parent_w, parent_h, left, right, top, bottom)
    orient_sizes(s, item, parent_w, parent_h)
    local is_row = s.is_row
    local w = is_row and item.prefers_main or item.prefers_cross
    local h = is_row and item.prefers_cross or item.prefers_main
    local low_w = is_row and item.low_main or item.low_cross
    local low_h = is_row and item.low_cross or item.low_main
    local high_w = is_row and item.high_main or item.high_cross
    local is_filling = item.align_self == "auto" or item.align_self == "stretch"
    local fill_h = item.has_top and item.has_bottom and is_filling
        and max(0, parent_h - top - bottom) - item.margin_top - item.margin_bottom or NONE
    if w < 0 and item.aspect > 0 and h >= 0 then
        w = width_by_aspect(item, clamp(h, low_h, item.high_h))
    elseif w < 0 and item.has_left and item.has_right then
        w = max(0, parent_w - left - right) - item.margin_left - item.margin_right
    elseif w < 0 and item.aspect > 0 and fill_h >= 0 then
        w = width_by_aspect(item, clamp(fill_h, low_h, item.high_h))
    elseif w < 0 then
        local space = absolute_space(s, item, parent_w, left, right)
        if h >= 0 then
            w = fit_width_at(item, space, clamp(h, low_h, item.high_h))
        else
            w = fit_width(item, space)
        end
    end
    local box = item.box
    box.w = clamp(w, low_w, high_w)
    local is_definite = true
    if h < 0 and item.aspect > 0 then
        h = height_by_aspect(item, box.w)
    elseif h < 0 and item.has_top and item.has_bottom and is_filling then
        h = fill_h
    elseif h < 0 then
        h, is_definite = content_height(item, box.w), false
    end
    box.h = clamp(h, low_h, item.high_h)
    return is_definite and max(0, box.h - item.padding_h) or NONE
end

-- Places an absolute box; its size is known.
local function place_absolute(s, item, parent_w, parent_h, left, right, top, bottom)
    local box = item.box
    if item.has_left or item.has_right then
        box.x = inset_place(false, s.is_scroll, "auto", parent_w, box.w, left, right,
            item.margin_left, item.margin_right, item.has_left, item.has_right,
            item.is_left_auto, item.is_right_auto)
    else
        local outer = box.w + item.margin_left + item.margin_right
        box.x = s.padding_left + item.margin_left
            + static_place(static_edge(s, item, true), max(0, parent_w - s.padding_w), outer)
    end
    if item.has_top or item.has_bottom then
        box.y = inset_place(true, s.is_scroll, item.align_self, parent_h, box.h, top, bottom,
            item.margin_top, item.margin_bottom, item.has_top, item.has_bottom,
            item.is_top_auto, item.is_bottom_auto)
    else
        local outer = box.h + item.margin_top + item.margin_bottom
        box.y = s.padding_top + item.margin_top
            + static_place(static_edge(s, item, false), max(0, parent_h - s.padding_h), outer)
    end
end

-- --- Layout ----------------------------------------------------------------------------------------

local lay_out -- below

local function lay_out_items(s)
    for i = 1, s.num_items do
        local item = s.items[i]
        lay_out(item, item.box.w, item.box.h, item_base(s, item))
    end
end

local function lay_out_absolutes(s, w, h)
    for i = 1, s.num_absolutes do
        local item = s.absolutes[i]
        local left, right = item.left + item.left_share * w, item.right + item.right_share * w
        local top, bottom = item.top + item.top_share * h, item.bottom + item.bottom_share * h
        local base_h = size_absolute(s, item, w, h, left, right, top, bottom)
        place_absolute(s, item, w, h, left, right, top, bottom)
        lay_out(item, item.box.w, item.box.h, base_h)
    end
end

-- Returns how long the lines of a box can be. A column whose height follows from its lines has the
-- lines that gave it this height.
local function line_limit(s, w, h, base_h)
    if s.is_row then
        return max(0, w - s.padding_w)
    elseif s.is_wrap and base_h < 0 and h >= content_height(s, w) then
        return column_limit(s, s.high_h)
    end
    return max(0, h - s.padding_h)
end

-- Sets the sizes of the lines of a box and places its items.
local function place_items(s, limit)
    break_lines(s, limit)
    flex_lines(s)
    set_cross_sizes(s, not s.is_wrap)
    stretch_lines(s, set_line_crosses(s))
    place_lines(s)
end

-- Computes all boxes in a box whose size is known. `base_h` is its inner height where shares of it are
-- definite in the sense of CSS, or NONE.
lay_out = function(s, w, h, base_h)
    if s.is_laid_out and s.laid_w == w and s.laid_h == h and s.laid_base == base_h then
        return
    end
    s.is_laid_out = false
    if s.num_items > 0 then
        local limit = line_limit(s, w, h, base_h)
        begin_pass(s, w, h, base_h)
        size_items(s)
        place_items(s, limit)
        lay_out_items(s)
    end
    if s.num_absolutes > 0 then
        lay_out_absolutes(s, w, h)
    end
    if s.is_scroll then
        write_content_size(s)
    end
    s.laid_w, s.laid_h, s.laid_base, s.is_laid_out = w, h, base_h, true
end

local function checked_space(name, value)
    if value == nil then
        return NONE
    elseif type(value) ~= "number" or not (value >= 0 and value <= HUGE) then
        error(string.format("layout: %s: found %s; expected a number from 0 to 1e9, or nil", name,
            tostring(value)), 0)
    end
    return value
end

-- Computes `x`, `y`, `w` and `h` of all boxes of a tree. The root is at 0, 0. Its size is that of its
-- style; where the style has none it is `width` and `height`, or that of the content where these are
-- nil. Errors: a wrong style or measure, or a tree deeper than 1,000 boxes.
function M.compute(root, width, height)
    width, height = checked_space("width", width), checked_space("height", height)
    State.prepare(root)
    local s = root.layout_state
    root.x, root.y = 0, 0
    if s.is_hidden then
        root.w, root.h = 0, 0
        return
    end
    orient_sizes(s, s, width, height)
    local is_row = s.is_row
    local w = is_row and s.prefers_main or s.prefers_cross
    local h = is_row and s.prefers_cross or s.prefers_main
    w, h = w < 0 and width or w, h < 0 and height or h
    if w < 0 then
        w = s.aspect > 0 and h >= 0 and width_by_aspect(s, h) or fit_width(s, HUGE)
    end
    w = clamp(w, is_row and s.low_main or s.low_cross, is_row and s.high_main or s.high_cross)
    local is_definite = h >= 0 or s.aspect > 0
    if h < 0 then
        h = s.aspect > 0 and height_by_aspect(s, w) or content_height(s, w)
    end
    h = clamp(h, is_row and s.low_cross or s.low_main, s.high_h)
    root.w, root.h = w, h
    lay_out(s, w, h, is_definite and max(0, h - s.padding_h) or NONE)
end

return M
