-- Checks the fields of descriptions of widgets: a field that the kind does not have, or of a wrong
-- type, is an error that names the widget and what to write.

local M = {}

local HUGE = 1e6 -- units: sizes beyond this are mistakes
local MOST = 2 ^ 31 -- things, such as rows of a list

-- Types of fields, each a function that returns nil or what was expected.
local types = {}

function types.any()
    return nil
end

function types.text(value)
    return type(value) ~= "string" and type(value) ~= "number" and "a text" or nil
end

for _, name in ipairs { "string", "boolean", "table" } do
    types[name] = function(value)
        return type(value) ~= name and "a " .. name or nil
    end
end

types["function"] = function(value)
    return type(value) ~= "function" and "a function" or nil
end

types.number = function(value)
    return not (type(value) == "number" and math.abs(value) <= 1e12) and "a finite number" or nil
end

-- A number of things, or the number of one.
function types.count(value)
    return not (type(value) == "number" and value >= 0 and value <= MOST and value == math.floor(value)) and
        "a whole number from 0 to 2147483648" or nil
end

-- A length in units, not negative.
function types.size(value)
    return not (type(value) == "number" and value >= 0 and value <= HUGE) and
        "a number from 0 to 1000000" or nil
end

-- A length that may be a share of the parent's.
function types.length(value)
    if type(value) == "string" and value:match("^%d+%.?%d*%%$") then
        return nil
    end
    return types.size(value) and 'a number from 0 to 1000000 or a share such as "50%"' or nil
end

-- A place, which may be negative.
function types.place(value)
    if type(value) == "string" and value:match("^-?%d+%.?%d*%%$") then
        return nil
    end
    return not (type(value) == "number" and math.abs(value) <= HUGE) and
        'a number from -1000000 to 1000000 or a share such as "50%"' or nil
end

-- One length for all sides, or {left, top, right, bottom}.
function types.sides(value)
    if type(value) ~= "table" then
        return types.size(value) and "a number from 0 to 1000000 or {left, top, right, bottom}" or nil
    end
    for i = 1, 4 do
        if types.size(value[i]) then
            return "four numbers from 0 to 1000000: {left, top, right, bottom}"
        end
    end
    return nil
end

function types.margin(value)
    if type(value) ~= "table" then
        return types.place(value) and 'a number or {left, top, right, bottom}' or nil
    end
    for i = 1, 4 do
        if value[i] ~= "auto" and types.place(value[i]) then
            return 'four numbers or "auto": {left, top, right, bottom}'
        end
    end
    return nil
end

function types.gap(value)
    if type(value) == "table" then
        return (types.size(value[1]) or types.size(value[2])) and "two numbers from 0" or nil
    end
    return types.size(value)
end

-- The name of a colour of the theme, or numbers from 0 to 255.
function types.color(value, screen)
    if type(value) == "string" then
        return not screen.theme.colors[value] and M.one_of(screen.theme.colors) or nil
    end
    if type(value) ~= "table" or #value < 3 or #value > 4 then
        return "the name of a colour, {red, green, blue} or {alpha, red, green, blue}"
    end
    for i = 1, #value do
        if type(value[i]) ~= "number" or not (value[i] >= 0 and value[i] <= 255) then
            return "numbers from 0 to 255"
        end
    end
    return nil
end

-- A size of text: a number, or the name of a size of the theme.
function types.text_size(value, screen)
    if type(value) == "string" then
        return not screen.theme.sizes[value] and M.one_of(screen.theme.sizes) or nil
    end
    return not (type(value) == "number" and value > 0 and value <= 1000) and
        "a number from 1 to 1000 or the name of a size" or nil
end

-- Returns "one of a, b, c" of the keys of a table.
function M.one_of(set)
    local names = {}
    for name in pairs(set) do
        table.insert(names, tostring(name))
    end
    table.sort(names)
    return "one of " .. table.concat(names, ", ")
end

-- Makes a type of some words. A word may be another value, such as false.
function M.words(...)
    local set = {}
    for _, word in ipairs { ... } do
        set[word] = true
    end
    return function(value)
        return not set[value] and M.one_of(set) or nil
    end
end

local JUSTIFY = M.words("start", "end", "center", "space_between", "space_around", "space_evenly")
local ALIGN = M.words("stretch", "start", "end", "center")

-- Fields of layout (layout.lua), which all widgets have.
M.layout = {
    direction = M.words("row", "column", "row_reverse", "column_reverse"),
    wrap = M.words(true, false, "reverse"), justify = JUSTIFY, align = ALIGN, align_self = ALIGN,
    align_content = M.words("stretch", "start", "end", "center", "space_between", "space_around",
        "space_evenly"),
    grow = types.size, shrink = types.size, basis = types.length, width = types.length,
    height = types.length, min_width = types.length, min_height = types.length,
    max_width = types.length, max_height = types.length, padding = types.sides,
    margin = types.margin, gap = types.gap, position = M.words("absolute"), left = types.place,
    top = types.place, right = types.place, bottom = types.place, aspect = types.size,
    hidden = types.boolean,
}

-- Fields that all widgets have besides.
M.common = {
    key = types.any, id = types.text, disabled = types.boolean, tooltip = types.text,
    on_focus = types["function"], on_hover = types["function"], on_cancel = types["function"],
}

-- Makes the table of a kind's fields from {name = type}: the name of a type above, or a function.
function M.make(fields)
    local all = {}
    for _, set in ipairs { M.layout, M.common } do
        for name, check in pairs(set) do
            all[name] = check
        end
    end
    for name, check in pairs(fields) do
        all[name] = types[check] or check
    end
    return all
end

-- Returns how many letters must change to make one word of the other.
local function distance(a, b)
    local row = {}
    for j = 0, #b do
        row[j] = j
    end
    for i = 1, #a do
        local before = row[0]
        row[0] = i
        for j = 1, #b do
            local kept = before + (a:byte(i) == b:byte(j) and 0 or 1)
            before = row[j]
            row[j] = math.min(kept, row[j] + 1, row[j - 1] + 1)
        end
    end
    return row[#b]
end

local function nearest(fields, name)
    local best, least = nil, 4
    for field in pairs(fields) do
        local d = distance(name, field)
        if d < least or d == least and best and field < best then
            best, least = field, d
        end
    end
    return best
end

local function show(value)
    if type(value) == "string" then
        return string.format("%q", value)
    end
    return tostring(value)
end

-- Raises an error when a description has a field that it may not have.
function M.check(description, kind, screen)
    for name, value in pairs(description) do
        if type(name) == "string" and name ~= "kind" then
            local check = kind.fields[name]
            if not check then
                local near = nearest(kind.fields, name)
                error(string.format("widget %s: there is no field %s%s", kind.name, name,
                    near and "; did you mean " .. near .. "?" or ""), 0)
            end
            local expected = check(value, screen)
            if expected then
                error(string.format("widget %s: %s: found %s; expected %s", kind.name, name,
                    show(value), expected), 0)
            end
        elseif type(name) == "number" and not (kind.has_children or kind.passes_children) then
            error(string.format("widget %s: it has no children; put it into a row or column beside them",
                kind.name), 0)
        end
    end
end

return M
