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
--     is_dirty    set it to true after a change of the box's style, children or what it measures;
--                 `compute` resets it. A change of a box reaches its parents by itself.
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
--                 parent; "relative" (default) ignores these
--     hidden      true: takes no space (w and h are 0)
--     scroll      true: may become smaller than its content, as with `overflow: hidden`
--
-- A wrong field is an error that names the field and the value, when a style is read: at the first
-- `compute` and at those with `is_dirty`. The algorithm is that of CSS Flexible Box Layout Module
-- Level 1, section 9 (https://www.w3.org/TR/css-flexbox-1/#layout-algorithm); comments name the
-- steps. tests/gui/flexbox_cases.json has what Chromium computes for the same boxes.
--
-- Cost: a tree is computed in time proportional to its number of boxes. What a box measures and where
-- its children are is kept for the sizes last asked for, in `box.layout_state`, so that a second
-- `compute` only visits what changed. `compute` makes tables for new boxes only.

local Style = require "core/gui/layout_style"

local M = {}

local MOST_DEPTH = 1000   -- of a tree
local NONE, HUGE = Style.NONE, Style.HUGE
local SLACK = 1 / 128     -- by which a line may be too long because of rounding

local max, min = math.max, math.min
local resolve = Style.resolve

local function clamp(value, low, high)
    return max(low, min(value, high))
end

-- --- States: what a box keeps between calls --------------------------------------------------------

-- All fields are there from the start, with their types: tables of one shape are fast in LuaJIT.
-- Style.read adds the fields of the style.
local function new_state(box)
    local state = {
        box = box, children = false, num_children = 0,
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

-- --- Content sizes ---------------------------------------------------------------------------------

local function checked_measure(what, value)
    if type(value) ~= "number" or not (value >= 0 and value <= HUGE) then
        error(string.format("layout: a measure function returned %s as %s; expected a number from 0 " ..
            "to 1e9", tostring(value), what), 0)
    end
    return value
end

-- Returns the size of what a box without items shows, without padding.
local function measure(s, width)
    local box = s.box
    if not box.measure then
        return 0, 0
    end
    local height = nil
    if s.height >= 0 then
        height = max(0, s.height - s.padding_h)
    end
    local w, h = box:measure(width, height)
    return checked_measure("width", w), checked_measure("height", h)
end

local content_height, find_widths, lines_width -- of a box, below

-- Returns the least and the largest width that an item wants as part of its parent, without margins:
-- its own width when it has one, or those of its content. What does not grow or shrink in a row is not
-- larger or smaller than its basis (9.9.3).
local function width_contributions(item, is_flexed)
    local low = max(item.min_width, item.padding_w)
    local high = item.max_width >= 0 and item.max_width or HUGE
    local narrowest, widest = item.narrowest, item.widest
    if item.width >= 0 then
        narrowest, widest = item.width, item.width
    elseif item.aspect > 0 and item.height >= 0 then
        narrowest = max(item.height, item.padding_h) * item.aspect
        widest = narrowest
    end
    if is_flexed and item.basis >= 0 then
        if item.min_width == NONE and not item.is_scroll then
            low = max(low, min(item.narrowest, item.width >= 0 and item.width or HUGE, high))
        end
        if item.grow == 0 then
            narrowest, widest = min(narrowest, item.basis), min(widest, item.basis)
        end
        if item.shrink == 0 then
            narrowest, widest = max(narrowest, item.basis), max(widest, item.basis)
        end
    end
    return clamp(narrowest, low, high), clamp(widest, low, high)
end

-- --- Items: sizes before flexing -------------------------------------------------------------------

-- Sets the fields of an item that depend on the direction of its container: margins ...
local function orient_margins(s, item)
    local is_main_flipped, is_cross_flipped = s.is_reverse, s.is_wrap_reverse
    local is_x_flipped = s.is_row and is_main_flipped or not s.is_row and is_cross_flipped
    local is_y_flipped = s.is_row and is_cross_flipped or not s.is_row and is_main_flipped
    local x_start, x_end = item.margin_left, item.margin_right
    local is_x_start, is_x_end = item.is_left_auto, item.is_right_auto
    local y_start, y_end = item.margin_top, item.margin_bottom
    local is_y_start, is_y_end = item.is_top_auto, item.is_bottom_auto
    if is_x_flipped then
        x_start, x_end, is_x_start, is_x_end = x_end, x_start, is_x_end, is_x_start
    end
    if is_y_flipped then
        y_start, y_end, is_y_start, is_y_end = y_end, y_start, is_y_end, is_y_start
    end
    if s.is_row then
        item.margin_main_start, item.margin_main_end = x_start, x_end
        item.is_main_start_auto, item.is_main_end_auto = is_x_start, is_x_end
        item.margin_cross_start, item.margin_cross_end = y_start, y_end
        item.is_cross_start_auto, item.is_cross_end_auto = is_y_start, is_y_end
    else
        item.margin_main_start, item.margin_main_end = y_start, y_end
        item.is_main_start_auto, item.is_main_end_auto = is_y_start, is_y_end
        item.margin_cross_start, item.margin_cross_end = x_start, x_end
        item.is_cross_start_auto, item.is_cross_end_auto = is_x_start, is_x_end
    end
end

-- ... and sizes, whose shares refer to a width and a height (NONE when not known).
local function orient_sizes(s, item, base_w, base_h)
    local low_w = max(resolve(item.min_width, base_w), item.padding_w)
    local low_h = max(resolve(item.min_height, base_h), item.padding_h)
    local high_w, high_h = resolve(item.max_width, base_w), resolve(item.max_height, base_h)
    high_w = high_w >= 0 and max(high_w, low_w) or HUGE
    high_h = high_h >= 0 and max(high_h, low_h) or HUGE
    local prefers_w, prefers_h = resolve(item.width, base_w), resolve(item.height, base_h)
    prefers_w = prefers_w >= 0 and max(prefers_w, item.padding_w) or NONE
    prefers_h = prefers_h >= 0 and max(prefers_h, item.padding_h) or NONE
    item.high_h = high_h
    if s.is_row then
        item.prefers_main, item.low_main, item.high_main = prefers_w, low_w, high_w
        item.prefers_cross, item.low_cross, item.high_cross = prefers_h, low_h, high_h
    else
        item.prefers_main, item.low_main, item.high_main = prefers_h, low_h, high_h
        item.prefers_cross, item.low_cross, item.high_cross = prefers_w, low_w, high_w
    end
end

local function orient_item(s, item)
    orient_margins(s, item)
    orient_sizes(s, item, s.base_w, s.base_h)
    local align = item.align_self == "auto" and s.align or item.align_self
    item.is_stretched = align == "stretch" and (s.is_row and item.height or item.width) == NONE
        and not item.is_cross_start_auto and not item.is_cross_end_auto
    local is_minimum_given = s.is_row and item.min_width ~= NONE
        or not s.is_row and item.min_height ~= NONE
    item.has_automatic_minimum = not is_minimum_given and not item.is_scroll
end

-- Returns the width of a box whose width is its own choice, with so much space (CSS "fit-content").
local function fit_width(item, space)
    find_widths(item)
    return min(max(item.narrowest, space), item.widest)
end

-- As fit_width, for a box with a known height: that of a column that wraps decides about its width.
local function fit_width_at(item, space, height)
    if height < 0 or item.is_row or not item.is_wrap or item.num_items == 0 then
        return fit_width(item, space)
    end
    find_widths(item)
    local widest = min(HUGE, lines_width(item, item.widest_item, height, HUGE) + item.padding_w)
    return min(max(item.narrowest, space), max(item.narrowest, widest))
end

-- Returns the cross size of an item that is known before flexing, or NONE.
local function definite_cross(s, item)
    local cross = item.prefers_cross
    if cross < 0 and item.is_stretched and not s.is_wrap then
        local inner = s.is_row and s.base_h or s.inner_w
        cross = inner >= 0 and max(0, inner - item.margin_cross_start - item.margin_cross_end) or NONE
    end
    return cross >= 0 and clamp(cross, item.low_cross, item.high_cross) or NONE
end

-- Returns the flex base size where basis or main size give it (9.2, step 3A), or NONE.
local function definite_base(s, item)
    local base = item.prefers_main
    if not item.is_basis_auto then
        base = resolve(item.basis, s.is_row and s.base_w or s.base_h)
    end
    return base < 0 and NONE or max(base, s.is_row and item.padding_w or item.padding_h)
end

-- Sets base, low and hypothetical main size of an item, from the size of its content at most as long
-- as possible (`longest`) and at least (`shortest`), (9.2 step 3, 4.5).
local function set_base(s, item, base, longest, shortest)
    item.base = base >= 0 and base or longest
    if item.has_automatic_minimum then
        if item.prefers_main >= 0 then
            shortest = min(shortest, item.prefers_main)
        end
        item.low_main = max(item.low_main, min(shortest, item.high_main))
    end
    item.hypothetical = clamp(item.base, item.low_main, item.high_main)
end

-- Returns whether an item cannot become smaller than its base, so that its automatic minimum is of no
-- importance.
local function is_minimum_idle(item, base)
    return base >= 0 and item.is_basis_auto and item.shrink == 0
end

local function size_row_item(s, item)
    local base = definite_base(s, item)
    local longest, shortest = 0, 0
    local cross = definite_cross(s, item)
    if cross >= 0 and item.aspect > 0 then
        longest = cross * item.aspect
        shortest = longest
    elseif base < 0 or item.has_automatic_minimum and not is_minimum_idle(item, base) then
        longest = fit_width_at(item, HUGE, cross)
        shortest = item.narrowest
    end
    set_base(s, item, base, longest, shortest)
end

-- Sets the width of an item of a column.
local function set_column_width(s, item)
    local cross = definite_cross(s, item)
    if cross < 0 and item.aspect > 0 and item.prefers_main >= 0 then
        cross = item.prefers_main * item.aspect
    elseif cross < 0 then
        cross = fit_width(item, s.inner_w - item.margin_cross_start - item.margin_cross_end)
    end
    item.cross = clamp(cross, item.low_cross, item.high_cross)
end

local function size_items(s)
    for i = 1, s.num_items do
        local item = s.items[i]
        orient_item(s, item)
        if s.is_row then
            size_row_item(s, item)
        else
            set_column_width(s, item)
            local base, content = definite_base(s, item), 0
            if base < 0 or item.has_automatic_minimum and not is_minimum_idle(item, base) then
                if item.aspect > 0 then
                    content = item.cross / item.aspect
                else
                    content = content_height(item, item.cross)
                end
            end
            set_base(s, item, base, content, content)
        end
    end
end

-- --- Lines -----------------------------------------------------------------------------------------

local function outer_hypothetical(item)
    return item.hypothetical + item.margin_main_start + item.margin_main_end
end

-- Splits the items into lines (9.3): line i ends with item line_ends[i].
local function break_lines(s, limit)
    local count = 0
    if s.is_wrap then
        local used, first = 0, 1
        for i = 1, s.num_items do
            local outer = outer_hypothetical(s.items[i])
            if i > first and used + s.main_gap + outer > limit + SLACK then
                count = count + 1
                s.line_ends[count] = i - 1
                used, first = outer, i
            else
                used = used + outer + (i > first and s.main_gap or 0)
            end
        end
    end
    if s.num_items > 0 then
        count = count + 1
        s.line_ends[count] = s.num_items
    end
    s.num_lines = count
end

local function line_start(s, line)
    return line == 1 and 1 or s.line_ends[line - 1] + 1
end

-- Returns the sum of the hypothetical sizes of the items of a line, with margins and gaps.
local function hypothetical_length(s, first, last)
    local sum = s.main_gap * (last - first)
    for i = first, last do
        sum = sum + outer_hypothetical(s.items[i])
    end
    return sum
end

-- Returns the space that a line has left (negative: that it lacks), with the bases of unfrozen items,
-- then the sums of the flex factors and of the factors by which the space is shared.
local function free_space(s, first, last, is_growing)
    local free = s.inner_main - s.main_gap * (last - first)
    local factors, weights = 0, 0
    for i = first, last do
        local item = s.items[i]
        free = free - item.margin_main_start - item.margin_main_end
        if item.is_frozen then
            free = free - item.main
        else
            free = free - item.base
            factors = factors + (is_growing and item.grow or item.shrink)
            weights = weights + item.factor
        end
    end
    return free, factors, weights
end

-- Sets what each item of a line takes of the free space by, and freezes those that take nothing.
local function freeze_inflexible(s, first, last, is_growing)
    for i = first, last do
        local item = s.items[i]
        local padding = s.is_row and item.padding_w or item.padding_h
        item.factor = is_growing and item.grow or item.shrink * max(0, item.base - padding)
        item.is_frozen = (is_growing and item.grow or item.shrink) == 0
            or is_growing and item.base > item.hypothetical
            or not is_growing and item.base < item.hypothetical
        item.main = item.hypothetical
    end
end

-- Shares free space among the items that are not frozen. Returns by how much minimums and maximums
-- changed the sum of their sizes.
local function share_space(s, first, last, free, weights)
    local violations = 0
    for i = first, last do
        local item = s.items[i]
        if not item.is_frozen then
            local size = item.base
            if weights > 0 then
                size = size + free * (item.factor / weights)
            end
            item.main = clamp(size, item.low_main, item.high_main)
            item.violation = item.main - size
            violations = violations + item.violation
        end
    end
    return violations
end

-- Resolves the flexible lengths of a line (9.7). Each round freezes at least one item.
local function flex_line(s, first, last)
    local is_growing = hypothetical_length(s, first, last) < s.inner_main
    freeze_inflexible(s, first, last, is_growing)
    local initial = free_space(s, first, last, is_growing)
    for _ = first, last do
        local free, factors, weights = free_space(s, first, last, is_growing)
        if factors == 0 then
            return
        end
        if factors < 1 and math.abs(initial * factors) < math.abs(free) then
            free = initial * factors
        end
        local violations = share_space(s, first, last, free, weights)
        for i = first, last do
            local item = s.items[i]
            if violations == 0 or violations > 0 and item.violation > 0
                or violations < 0 and item.violation < 0 then
                item.is_frozen = true
            end
        end
    end
end

local function flex_lines(s)
    for line = 1, s.num_lines do
        flex_line(s, line_start(s, line), s.line_ends[line])
    end
end

-- Returns the height of an item of a row with a known width, before it is stretched (9.4, step 7).
local function row_item_height(s, item)
    local height = item.prefers_cross
    if height < 0 and item.aspect > 0 then
        height = item.main / item.aspect
    elseif height < 0 then
        height = content_height(item, item.main)
    end
    return clamp(height, item.low_cross, item.high_cross)
end

local function set_cross_sizes(s, is_line_known)
    for i = 1, s.num_items do
        local item = s.items[i]
        if s.is_row and not (is_line_known and item.is_stretched) then
            item.cross = row_item_height(s, item)
        elseif not s.is_row and item.aspect > 0 and item.prefers_cross < 0 and not item.is_stretched then
            item.cross = clamp(item.main * item.aspect, item.low_cross, item.high_cross)
        elseif s.base_h >= 0 and not s.is_row and item.is_wrap and item.width == NONE
            and not item.is_stretched then
            local space = s.inner_w - item.margin_cross_start - item.margin_cross_end
            item.cross = clamp(fit_width_at(item, space, item.main), item.low_cross, item.high_cross)
        end
    end
end

-- Sets the cross size of each line from its items (9.4, step 8). Returns their sum with gaps.
local function set_line_crosses(s)
    local sum = s.cross_gap * max(0, s.num_lines - 1)
    for line = 1, s.num_lines do
        local cross = 0
        for i = line_start(s, line), s.line_ends[line] do
            local item = s.items[i]
            cross = max(cross, item.cross + item.margin_cross_start + item.margin_cross_end)
        end
        s.line_crosses[line] = cross
        sum = sum + cross
    end
    return sum
end

-- Starts a pass over a container with this width and height with padding; the height may be NONE.
local function begin_pass(s, w, h, base_h)
    s.inner_w = max(0, w - s.padding_w)
    s.inner_h = h >= 0 and max(0, h - s.padding_h) or NONE
    s.base_w, s.base_h = s.inner_w, base_h
    s.inner_main = s.is_row and s.inner_w or s.inner_h
    s.inner_cross = s.is_row and s.inner_h or s.inner_w
end

-- Returns the height of the content of a row ...
local function row_height(s)
    break_lines(s, s.inner_main)
    flex_lines(s)
    set_cross_sizes(s, false)
    return set_line_crosses(s)
end

-- Returns how long the lines of a column can be before its height is known.
local function column_limit(s, most)
    return (s.height >= 0 and min(most, s.height) or most) - s.padding_h
end

-- ... and of a column.
local function column_height(s)
    break_lines(s, column_limit(s, s.high_h))
    local height = 0
    for line = 1, s.num_lines do
        height = max(height, hypothetical_length(s, line_start(s, line), s.line_ends[line]))
    end
    return height
end

-- Returns the height of a box's content, with padding, at a width with padding. Shares of that height
-- are not known then.
content_height = function(s, w)
    if s.height_w_1 == w and s.height_high_1 == s.high_h then
        return s.height_1
    elseif s.height_w_2 == w and s.height_high_2 == s.high_h then
        return s.height_2
    end
    local height
    if s.num_items == 0 then
        local _, h = measure(s, max(0, w - s.padding_w))
        height = h
    else
        begin_pass(s, w, NONE, NONE)
        size_items(s)
        height = s.is_row and row_height(s) or column_height(s)
    end
    height = min(HUGE, max(0, height) + s.padding_h)
    s.height_w_2, s.height_high_2, s.height_2 = s.height_w_1, s.height_high_1, s.height_1
    s.height_w_1, s.height_high_1, s.height_1 = w, s.high_h, height
    return height
end

-- Returns the width of the lines of a column that wraps, each as wide as its widest item wants. Its
-- height is with padding, and NONE where it is not known.
lines_width = function(s, widest, height, most_height)
    begin_pass(s, widest + s.padding_w, NONE, height >= 0 and height - s.padding_h or NONE)
    s.base_w = NONE
    size_items(s)
    break_lines(s, (height >= 0 and min(most_height, height) or most_height) - s.padding_h)
    return set_line_crosses(s)
end

-- Finds the narrowest and widest width of a box's content, with padding: those at which every possible
-- line break is taken, and none (section 9.9.1). They do not depend on the space that there is.
find_widths = function(s)
    if s.has_widths then
        return
    end
    local narrowest, widest = 0, 0
    local is_one_row = s.is_row and not s.is_wrap
    if s.num_items == 0 then
        narrowest = measure(s, 0)
        widest = measure(s, nil)
    end
    for i = 1, s.num_items do
        local item = s.items[i]
        find_widths(item)
        local gap = i > 1 and s.main_gap or 0
        local margins = item.margin_left + item.margin_right
        local low, high = width_contributions(item, s.is_row)
        widest = s.is_row and widest + high + margins + gap or max(widest, high + margins)
        if is_one_row then
            narrowest = narrowest + low + margins + gap
        else
            narrowest = max(narrowest, width_contributions(item, false) + margins)
        end
    end
    s.widest_item = widest
    if s.is_wrap and not s.is_row and s.num_items > 0 then
        widest = lines_width(s, widest, s.height, s.max_height >= 0 and s.max_height or HUGE)
    end
    s.narrowest = min(HUGE, max(0, narrowest) + s.padding_w)
    s.widest = max(s.narrowest, min(HUGE, widest + s.padding_w))
    s.has_widths = true
end

-- --- Places ----------------------------------------------------------------------------------------

-- Returns how far from the start the first of `count` things is, and the space between two of them,
-- when `free` is left. Where it is missing (negative), space around things is none, and they start at
-- the left or upper edge, which in a reversed direction is the end.
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
local function inset_place(is_vertical, is_scroll, how, parent_size, size, start, finish, margin_start, margin_end, has_start,
    has_end, is_start_auto, is_end_auto)
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
        place = min(place, max(parent_size, parent_size - finish, start) - size - margin_start - margin_end)
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
        and parent_h - top - bottom - item.margin_top - item.margin_bottom or NONE
    if w < 0 and item.has_left and item.has_right then
        w = parent_w - left - right - item.margin_left - item.margin_right
    elseif w < 0 and item.aspect > 0 and (h >= 0 or fill_h >= 0) then
        w = clamp(h >= 0 and h or fill_h, low_h, item.high_h) * item.aspect
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
        h = box.w / item.aspect
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
        box.x = inset_place(false, s.is_scroll, "auto", parent_w, box.w, left, right, item.margin_left, item.margin_right,
            item.has_left, item.has_right, item.is_left_auto, item.is_right_auto)
    else
        local outer = box.w + item.margin_left + item.margin_right
        box.x = s.padding_left + item.margin_left
            + static_place(static_edge(s, item, true), max(0, parent_w - s.padding_w), outer)
    end
    if item.has_top or item.has_bottom then
        box.y = inset_place(true, s.is_scroll, item.align_self, parent_h, box.h, top, bottom, item.margin_top, item.margin_bottom,
            item.has_top, item.has_bottom, item.is_top_auto, item.is_bottom_auto)
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
    prepare(root, 1)
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
        w = s.aspect > 0 and h >= 0 and h * s.aspect or fit_width(s, HUGE)
    end
    w = clamp(w, is_row and s.low_main or s.low_cross, is_row and s.high_main or s.high_cross)
    local is_definite = h >= 0 or s.aspect > 0
    if h < 0 then
        h = s.aspect > 0 and w / s.aspect or content_height(s, w)
    end
    h = clamp(h, is_row and s.low_cross or s.low_main, s.high_h)
    root.w, root.h = w, h
    lay_out(s, w, h, is_definite and max(0, h - s.padding_h) or NONE)
end

return M
