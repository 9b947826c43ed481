-- Reads the style of a box for layout.lua: checks each field once and writes it as plain numbers
-- and flags into the box's state, so that the layout itself neither tests types nor reads texts.
--
-- A length is one number in a state: 0 or more units, M.NONE when the style does not give it, and
-- at most -2 for a share of something else ("50%" is -2 - 0.5; resolve it with M.resolve).

local M = {}

-- Each style takes another way through this file, and each way would be a trace of its own: to compile
-- them costs more than they gain.
if jit then
    jit.off(true, true)
end

M.NONE = -1     -- a length that is not given, or whose base is not known
M.HUGE = 1e9    -- the largest length; also "no maximum"

local NONE, HUGE = M.NONE, M.HUGE
local EMPTY = {}
local SIDES = { "left", "top", "right", "bottom" }

local DIRECTIONS = { column = true, row = true, row_reverse = true, column_reverse = true }
local SPREADS = { start = true, ["end"] = true, center = true, space_between = true,
    space_around = true, space_evenly = true }
local CONTENT_SPREADS = { stretch = true, start = true, ["end"] = true, center = true,
    space_between = true, space_around = true, space_evenly = true }
local ALIGNS = { stretch = true, start = true, ["end"] = true, center = true }
local SELF_ALIGNS = { auto = true, stretch = true, start = true, ["end"] = true, center = true }
local POSITIONS = { absolute = true, relative = true }

-- Returns a length of a state in units, or NONE when it is a share of a base that is not known (below 0).
function M.resolve(value, base)
    if value >= NONE then
        return value
    elseif base < 0 then
        return NONE
    end
    return (-2 - value) * base
end

if jit then
    jit.on(M.resolve) -- the one function that layouts call
end

-- --- Checks ----------------------------------------------------------------------------------------

local function refuse(field, value, expected)
    local shown = type(value) == "string" and string.format("%q", value) or tostring(value)
    error(string.format("layout: %s: found %s; expected %s", field, shown, expected), 0)
end

-- Returns a share such as 0.5 from "50%", or nil.
local function share(text)
    local number = type(text) == "string" and tonumber(text:match("^(%-?[%d.]+)%%$"))
    return number and math.abs(number) <= 1e6 and number / 100 or nil
end

local function is_number(value, least)
    return type(value) == "number" and value >= least and value <= HUGE
end

-- Returns a length as states have it.
local function length(style, field)
    local value = style[field]
    if value == nil or value == "auto" then
        return NONE
    elseif is_number(value, 0) then
        return value
    end
    local part = share(value)
    if not part or part < 0 then
        refuse(field, value, 'a number from 0 to 1e9, a text such as "50%", or "auto"')
    end
    return -2 - part
end

local function number(style, field, otherwise)
    local value = style[field]
    if value == nil then
        return otherwise
    elseif not is_number(value, 0) then
        refuse(field, value, "a number from 0 to 1e9")
    end
    return value
end

local function choice(style, field, choices, otherwise)
    local value = style[field]
    if value == nil then
        return otherwise
    elseif not choices[value] then
        local names = {}
        for name in pairs(choices) do
            names[#names + 1] = name
        end
        table.sort(names)
        refuse(field, value, "one of " .. table.concat(names, ", "))
    end
    return value
end

-- --- Groups of fields ------------------------------------------------------------------------------

-- Returns one side of `padding` or `margin`: a number for all sides, or an array of four.
local function side(style, field, index)
    local value = style[field]
    if type(value) == "table" then
        value = value[index]
    end
    return value == nil and 0 or value
end

local function padding(style, index)
    local value = side(style, "padding", index)
    if not is_number(value, 0) then
        refuse("padding (" .. SIDES[index] .. ")", value, "a number from 0 to 1e9")
    end
    return value
end

-- Returns a margin and whether it is "auto" (the number is 0 then). Margins may be negative.
local function margin(style, index)
    local value = side(style, "margin", index)
    if value == "auto" then
        return 0, true
    elseif not is_number(value, -HUGE) then
        refuse("margin (" .. SIDES[index] .. ")", value, 'a number from -1e9 to 1e9, or "auto"')
    end
    return value, false
end

-- Returns an inset of an absolute box: its units, its share of the parent, and whether it is given.
local function inset(style, field)
    local value = style[field]
    if value == nil or value == "auto" then
        return 0, 0, false
    elseif is_number(value, -HUGE) then
        return value, 0, true
    end
    local part = share(value)
    if not part then
        refuse(field, value, 'a number from -1e9 to 1e9, a text such as "50%", or "auto"')
    end
    return 0, part, true
end

local function gap(style, index)
    local value = style.gap
    if type(value) == "table" then
        value = value[index]
    end
    if value == nil then
        return 0
    elseif not is_number(value, 0) then
        refuse("gap", value, "a number from 0 to 1e9, or {row_gap, column_gap}")
    end
    return value
end

local function read_as_container(state, style)
    local direction = choice(style, "direction", DIRECTIONS, "column")
    state.is_row = direction == "row" or direction == "row_reverse"
    state.is_reverse = direction == "row_reverse" or direction == "column_reverse"
    local wrap = style.wrap
    if wrap ~= nil and wrap ~= true and wrap ~= false and wrap ~= "reverse" then
        refuse("wrap", wrap, 'true, false or "reverse"')
    end
    state.is_wrap = wrap == true or wrap == "reverse"
    state.is_wrap_reverse = wrap == "reverse"
    state.justify = choice(style, "justify", SPREADS, "start")
    state.align = choice(style, "align", ALIGNS, "stretch")
    state.align_content = choice(style, "align_content", CONTENT_SPREADS, "stretch")
    local row_gap, column_gap = gap(style, 1), gap(style, 2)
    state.main_gap = state.is_row and column_gap or row_gap
    state.cross_gap = state.is_row and row_gap or column_gap
    state.padding_left, state.padding_top = padding(style, 1), padding(style, 2)
    state.padding_w = state.padding_left + padding(style, 3)
    state.padding_h = state.padding_top + padding(style, 4)
end

local function read_as_item(state, style)
    state.align_self = choice(style, "align_self", SELF_ALIGNS, "auto")
    state.grow, state.shrink = number(style, "grow", 0), number(style, "shrink", 1)
    state.is_basis_content = style.basis == "content"
    state.basis = state.is_basis_content and NONE or length(style, "basis")
    state.is_basis_auto = state.basis == NONE and not state.is_basis_content
    state.width, state.height = length(style, "width"), length(style, "height")
    state.min_width, state.min_height = length(style, "min_width"), length(style, "min_height")
    state.max_width, state.max_height = length(style, "max_width"), length(style, "max_height")
    state.aspect = number(style, "aspect", 0)
    if style.aspect and state.aspect < 1e-6 then
        refuse("aspect", style.aspect, "a number from 1e-6 to 1e9 (width / height)")
    end
    state.margin_left, state.is_left_auto = margin(style, 1)
    state.margin_top, state.is_top_auto = margin(style, 2)
    state.margin_right, state.is_right_auto = margin(style, 3)
    state.margin_bottom, state.is_bottom_auto = margin(style, 4)
end

local function read_position(state, style)
    state.is_hidden = style.hidden and true or false
    state.is_scroll = style.scroll and true or false
    state.is_absolute = choice(style, "position", POSITIONS, "relative") == "absolute"
    state.left, state.left_share, state.has_left = inset(style, "left")
    state.top, state.top_share, state.has_top = inset(style, "top")
    state.right, state.right_share, state.has_right = inset(style, "right")
    state.bottom, state.bottom_share, state.has_bottom = inset(style, "bottom")
end

-- Writes a style (nil is an empty one) into a state. A wrong field is an error that names the field
-- and its value.
function M.read(state, style)
    style = style or EMPTY
    if type(style) ~= "table" then
        refuse("style", style, "a table")
    end
    read_as_container(state, style)
    read_as_item(state, style)
    read_position(state, style)
end

return M
