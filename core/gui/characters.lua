-- Characters as readers count them: a letter with its accents, a flag or a family of emoji is one.
-- They are the grapheme clusters of Unicode 15 (Annex 29).
--
--     local Characters = require "core/gui/characters"
--     local after = Characters.next(text, index)   -- where the next character starts
--
-- Texts are valid UTF-8; places are the indices of bytes, from 1, and #text + 1 is the end. Each
-- function looks only at the characters nearby, and makes no garbage.

local classes = require "core/gui/character_classes"

local OTHER, CONTROL, EXTEND, JOINER, PREPEND, FLAG, SPACING = 0, 1, 2, 3, 4, 5, 6
local L, V, T, LV, LVT, PICTOGRAPHIC = 7, 8, 9, 10, 11, 12
local NAMES = {  -- in core/gui/character_classes
    Control = CONTROL, Extend = EXTEND, Prepend = PREPEND, Regional_Indicator = FLAG,
    SpacingMark = SPACING, L = L, V = V, T = T, Pictographic = PICTOGRAPHIC,
}
local FAR = 256  -- code points that a look back to the start of flags or emoji takes at most

local Characters = {}

local byte = string.byte

-- --- Classes of code points ---------------------------------------------------------------------

local firsts, lasts, kinds = {}, {}, {}  -- of each range, sorted
local starts = {}  -- of each 256 code points: the first range that may hold one, if any does

local function read_ranges()
    local ranges = {}
    for name, text in pairs(classes) do
        for first, last in text:gmatch("(%x+)%-?(%x*)") do
            local from = tonumber(first, 16)
            ranges[#ranges + 1] = { from, last == "" and from or tonumber(last, 16), NAMES[name] }
        end
    end
    table.sort(ranges, function(a, b) return a[1] < b[1] end)
    return ranges
end

for i, range in ipairs(read_ranges()) do
    firsts[i], lasts[i], kinds[i] = range[1], range[2], range[3]
    for page = math.floor(range[1] / 256), math.floor(range[2] / 256) do
        starts[page] = starts[page] or i
    end
end
firsts[#firsts + 1] = math.huge  -- where every search ends

local function class_of(code)
    if code < 0x80 then
        return (code < 0x20 or code == 0x7F) and CONTROL or OTHER
    elseif code >= 0xAC00 and code <= 0xD7A3 then
        return (code - 0xAC00) % 28 == 0 and LV or LVT
    elseif code == 0x200D then
        return JOINER
    end
    local range = starts[math.floor(code / 256)]
    while range and firsts[range] <= code do
        if lasts[range] >= code then
            return kinds[range]
        end
        range = range + 1
    end
    return OTHER
end

-- --- Code points --------------------------------------------------------------------------------

-- Returns the code point at `index`, where one starts, and the place after it.
local function decode(text, index)
    local a, b, c, d = byte(text, index, index + 3)
    if a < 0x80 then
        return a, index + 1
    elseif a < 0xE0 then
        return (a - 0xC0) * 64 + b - 0x80, index + 2
    elseif a < 0xF0 then
        return ((a - 0xE0) * 64 + b - 0x80) * 64 + c - 0x80, index + 3
    end
    return (((a - 0xF0) * 64 + b - 0x80) * 64 + c - 0x80) * 64 + d - 0x80, index + 4
end

-- Returns the place of the code point before `index`, where one starts or the text ends.
local function code_before(text, index)
    repeat
        index = index - 1
        local value = byte(text, index)
    until value < 0x80 or value >= 0xC0
    return index
end

-- Returns the code point at `index`, where one starts, and the place after it.
Characters.decode = decode

-- --- Breaks -------------------------------------------------------------------------------------

-- Whether a pictograph and marks are before the joiner at `place`.
local function has_pictograph(text, place)
    for _ = 1, FAR do
        if place <= 1 then
            return false
        end
        place = code_before(text, place)
        local class = class_of((decode(text, place)))
        if class ~= EXTEND then
            return class == PICTOGRAPHIC
        end
    end
    return false
end

-- Whether the letter of a flag at `place` is the second of a pair.
local function is_second_of_flag(text, place)
    local count = 0
    while place > 1 and count < FAR do
        place = code_before(text, place)
        if class_of((decode(text, place))) ~= FLAG then
            break
        end
        count = count + 1
    end
    return count % 2 == 1
end

local function joins_hangul(before, after)
    if before == L then
        return after == L or after == V or after == LV or after == LVT
    elseif before == LV or before == V then
        return after == V or after == T
    end
    return (before == LVT or before == T) and after == T
end

-- Returns whether a character starts between the code points at `before` and `index`, and whether
-- that is so whatever is before them.
local function is_break_between(text, before, index)
    local left, right = decode(text, before), decode(text, index)
    local a, b = class_of(left), class_of(right)
    if a == CONTROL or b == CONTROL then
        return left ~= 13 or right ~= 10, true
    elseif b == EXTEND or b == JOINER or b == SPACING or a == PREPEND or joins_hangul(a, b) then
        return false, true
    elseif a == JOINER and b == PICTOGRAPHIC then
        return not has_pictograph(text, before), false
    elseif a == FLAG and b == FLAG then
        return is_second_of_flag(text, before), false
    end
    return true, true
end

-- Returns whether `index` is in no character: one starts there, or the text ends. Inside of a code
-- point is inside of a character.
function Characters.is_break(text, index)
    if index <= 1 or index > #text then
        return true
    end
    local value = byte(text, index)
    if value >= 0x80 and value < 0xC0 then
        return false
    elseif value >= 0x20 and value < 0x80 and byte(text, index - 1) < 0x80 then
        return true
    end
    return (is_break_between(text, code_before(text, index), index))
end

-- Returns whether a character starts at `index` whatever is before the code point before it:
-- changes of the text up to there do not change the characters from there on.
function Characters.is_sure_break(text, index)
    if index <= 1 or index > #text then
        return true
    end
    local value = byte(text, index)
    if value >= 0x80 and value < 0xC0 then
        return false
    end
    local is_break, is_sure = is_break_between(text, code_before(text, index), index)
    return is_break and is_sure
end

-- Returns the start of the next character after `index`, or the end.
function Characters.next(text, index)
    repeat
        index = index + 1
    until Characters.is_break(text, index)
    return math.min(index, #text + 1)
end

-- Returns the start of the character that ends at `index` or contains it; 1 at the start.
function Characters.previous(text, index)
    repeat
        index = index - 1
    until Characters.is_break(text, index)
    return math.max(index, 1)
end

-- Returns the start of the character that contains `index`, or the end.
function Characters.start_of(text, index)
    while not Characters.is_break(text, index) do
        index = index - 1
    end
    return math.max(index, 1)
end

-- Returns the number of characters from `first`, where one starts, up to `stop`, where one does or
-- the text ends. Without them, of the whole text.
function Characters.count(text, first, stop)
    local place, count = first or 1, 0
    stop = stop or #text + 1
    while place < stop do
        place = Characters.next(text, place)
        count = count + 1
    end
    return count
end

return Characters
