-- Characters as readers count them: a letter with its accents, a flag or a family of emoji is one. They
-- are the grapheme clusters of Unicode (Annex 29), which Utf8.next_grapheme finds.
--
--     local Characters = require "core/gui/characters"
--     local after = Characters.next(text, index)   -- where the next character starts
--
-- Texts are valid UTF-8; places are the indices of bytes, from 1, and #text + 1 is the end. Each function
-- looks only at the characters nearby, and makes no garbage.

local Characters = {}

local byte = string.byte
local CARRIAGE_RETURN = 13

-- Returns the code point at `index`, where one starts, and the place after it.
function Characters.decode(text, index)
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

local decode = Characters.decode

-- Whether there are plain letters of ASCII on both sides of `index`: a character starts there.
local function is_plain(text, index)
    local before, after = byte(text, index - 1, index)
    return after and before < 0x80 and after < 0x80 and before ~= CARRIAGE_RETURN
end

-- Whether a code point is a character by itself beside others of this kind: Latin, Greek, Cyrillic,
-- Hebrew letters, punctuation, Japanese and Chinese.
local function is_alone(code)
    return code < 0x300 and code ~= CARRIAGE_RETURN or code >= 0x370 and code < 0x483
        or code >= 0x48A and code < 0x530 or code >= 0x5D0 and code < 0x5EB
        or code >= 0x2010 and code < 0x2028 or code >= 0x3001 and code < 0x302A
        or code >= 0x3041 and code < 0x3097 or code >= 0x30A0 and code < 0x3100
        or code >= 0x4E00 and code < 0xA000 or code >= 0xFF01 and code < 0xFF9E
end

-- Returns whether `index` is in no character: one starts there, or the text ends. Inside of a code
-- point is inside of a character.
function Characters.is_break(text, index)
    return index <= 1 or index > #text or is_plain(text, index)
        or Utf8.next_grapheme(text, index - 1) == index
end

-- Returns whether a character starts at `index` whatever is before the code point before it:
-- changes of the text up to there do not change the characters from there on.
function Characters.is_sure_break(text, index)
    if index <= 1 or index > #text or is_plain(text, index) then
        return true
    elseif not Characters.is_break(text, index) then
        return false
    end
    local before = index
    repeat
        before = before - 1
        local value = byte(text, before)
    until value < 0x80 or value >= 0xC0
    return is_alone((decode(text, before))) and is_alone((decode(text, index)))
end

-- Returns the start of the next character after `index`, or the end.
function Characters.next(text, index)
    if index >= #text then
        return #text + 1
    elseif is_plain(text, index + 1) then
        return index + 1
    end
    return Utf8.next_grapheme(text, index)
end

-- Returns the start of the character that ends at `index` or contains it; 1 at the start.
function Characters.previous(text, index)
    if index <= 2 then
        return 1
    elseif is_plain(text, index - 1) and (index > #text or is_plain(text, index)) then
        return index - 1
    end
    return Utf8.previous_grapheme(text, index)
end

-- Returns the start of the character that contains `index`, or the end.
function Characters.start_of(text, index)
    if index > #text then
        return #text + 1
    elseif Characters.is_break(text, index) then
        return math.max(index, 1)
    end
    return Utf8.previous_grapheme(text, index)
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
