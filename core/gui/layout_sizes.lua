-- How large boxes are: content sizes, the sizes of items before and after flexing, and lines. One part
-- of layout.lua, which explains boxes and styles and names the steps of the algorithm that the comments
-- cite. Functions take states (layout_state.lua): `s` is a container, `item` one of its children.
--
-- Main and cross sizes depend on the direction of the container. A pass over a container begins with
-- `begin_pass`; then `size_items`, `break_lines`, `flex_lines`, `set_cross_sizes` and
-- `set_line_crosses` run in this order. A pass only writes to the container and its items, so that
-- content sizes of other boxes can be asked for in between.

local Style = require "core/gui/layout_style"

local M = {}

local NONE, HUGE = Style.NONE, Style.HUGE
local SLACK = 1 / 128     -- by which a line may be too long because of rounding

local max, min = math.max, math.min
local resolve = Style.resolve

local function clamp(value, low, high)
    return max(low, min(value, high))
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

-- Returns the height of a box with `aspect` for its width, or the width for its height: not less than the
-- content needs, where no minimum is given (CSS Box Sizing Level 4, aspect-ratio-minimum).
local function height_by_aspect(item, w)
    if item.min_height == NONE and not item.is_scroll then
        return max(w / item.aspect, content_height(item, w))
    end
    return w / item.aspect
end

local function width_by_aspect(item, h)
    if item.min_width == NONE and not item.is_scroll then
        find_widths(item)
        return max(h * item.aspect, item.narrowest)
    end
    return h * item.aspect
end

-- Returns a main size of an item with `aspect` within the limits of its cross size, by the aspect, and
-- the other way around. Without `aspect` there are no such limits.
local function limit_main(s, item, size)
    if item.aspect == 0 then
        return size
    end
    local ratio = s.is_row and item.aspect or 1 / item.aspect
    return clamp(size, item.low_cross * ratio, item.high_cross * ratio)
end

local function limit_cross(s, item, size)
    if item.aspect == 0 then
        return size
    end
    local ratio = s.is_row and 1 / item.aspect or item.aspect
    return clamp(size, item.low_main * ratio, item.high_main * ratio)
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
        find_widths(item)
        shortest = max(longest, item.narrowest)
    elseif base < 0 or item.has_automatic_minimum and not is_minimum_idle(item, base) then
        longest = fit_width_at(item, HUGE, cross)
        shortest = item.narrowest
    end
    set_base(s, item, base, limit_main(s, item, longest), limit_main(s, item, shortest))
end

-- Sets the width of an item of a column.
local function set_column_width(s, item)
    local cross = definite_cross(s, item)
    if cross < 0 and item.aspect > 0 and item.prefers_main >= 0 then
        cross = width_by_aspect(item, item.prefers_main)
    elseif cross < 0 then
        cross = fit_width(item, s.inner_w - item.margin_cross_start - item.margin_cross_end)
        cross = limit_cross(s, item, cross)
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
                content = content_height(item, item.cross)
            end
            local longest = item.aspect > 0 and item.cross / item.aspect or content
            set_base(s, item, base, longest, limit_main(s, item, max(longest, content)))
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

-- Returns the space that a line has left (negative: that is missing), with the bases of unfrozen items,
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
        height = height_by_aspect(item, item.main)
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
            item.cross = clamp(width_by_aspect(item, item.main), item.low_cross, item.high_cross)
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

M.begin_pass, M.size_items, M.break_lines, M.line_start = begin_pass, size_items, break_lines, line_start
M.flex_lines, M.set_cross_sizes, M.set_line_crosses = flex_lines, set_cross_sizes, set_line_crosses
M.column_limit, M.content_height, M.definite_base = column_limit, content_height, definite_base
M.fit_width, M.fit_width_at, M.orient_sizes = fit_width, fit_width_at, orient_sizes
M.height_by_aspect, M.width_by_aspect, M.clamp = height_by_aspect, width_by_aspect, clamp

return M
