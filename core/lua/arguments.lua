-- Checks of arguments for core/lua: errors like those of the engine's own functions.
--
-- `place` is the function and the argument, "Timer.after: argument 2 (seconds)". The error names
-- the line outside of core/lua that called.

local Arguments = {}

local function text_of(value)
    if type(value) == "number" then
        return value == value and tostring(value) or "nan"
    end
    return type(value) == "string" and string.format("%q", value) or Script.type_name(value)
end

-- Raises an error with the place of the caller outside of core/lua.
function Arguments.fail(format, ...)
    local at, level = "", 1
    while level < 64 and (at == "" or at:find("^core/lua/")) do
        at = select(2, pcall(error, "", level))  -- the place of a level, "" of a function in C
        level = level + 1
    end
    error(at .. string.format(format, ...), 0)
end

-- Raises the error that `value` is not what was expected.
function Arguments.refuse(place, expected, value)
    Arguments.fail("%s: expected %s, got %s", place, expected, text_of(value))
end

-- Checks for a finite number of at least `least`, if given.
function Arguments.check_number(place, value, least)
    local is_finite = type(value) == "number" and math.abs(value) < math.huge
    if not is_finite or value < (least or value) then
        local expected = least and "a finite number of at least " .. least or "a finite number"
        Arguments.refuse(place, expected, value)
    end
end

-- Checks for a finite number above 0.
function Arguments.check_above_zero(place, value)
    if type(value) ~= "number" or not (value > 0 and value < math.huge) then
        Arguments.refuse(place, "a finite number above 0", value)
    end
end

-- Checks for a number of calls or plays: an integer from 1, or math.huge for no end.
function Arguments.check_count(place, value)
    if type(value) ~= "number" or not (value >= 1 and value == math.floor(value)) then
        Arguments.refuse(place, "an integer from 1, or math.huge", value)
    end
end

-- Checks for a function or the path of a global one, "Game.explode".
function Arguments.check_callback(place, value)
    local is_path = type(value) == "string" and value:find("^[%a_][%w_]*[%w_.]*$")
        and not value:find("%.%.") and not value:find("%.$") and not value:find("%.%d")
    if type(value) ~= "function" and not is_path then
        Arguments.refuse(place, "a function or the path of a global one such as \"Game.explode\"",
            value)
    end
end

-- --- Callbacks ----------------------------------------------------------------------------------

local paths = {}  -- of each path that was called: its names

local function names_of(path)
    local names = {}
    for name in path:gmatch("[^.]+") do
        names[#names + 1] = name
    end
    paths[path] = names
    return names
end

-- Returns the function of a callback. A path is looked up, so it gives the function as it is now.
function Arguments.callback(callback)
    if type(callback) == "function" then
        return callback
    end
    local names = paths[callback] or names_of(callback)
    local value = _G
    for i = 1, #names do
        value = type(value) == "table" and value[names[i]] or nil
    end
    if type(value) ~= "function" then
        error(string.format("the callback \"%s\" is a %s; expected a function", callback,
            Script.type_name(value)), 0)
    end
    return value
end

return Arguments
