-- The text of a text field, and what keys do to it, without drawing.
--
--     local TextEditor = require "core/gui/text_editor"
--     local editor = TextEditor.new { text = "crate", max_length = 20 }
--     editor:insert("s")              -- a key: replaces the selection
--     editor:move("previous_word", true)
--     print(editor.text, editor:selected_text())
--
-- Options, all of which `editor:set_options` changes later:
--
--     text            at the start
--     is_multi_line   true: the text may have lines. Else an inserted end of line or tab is a space
--     max_length      characters at most
--     filter          function(inserted, editor) that returns what to insert instead, or nil for
--                     nothing; "digits" for the digits 0 to 9
--     is_read_only    true: only programs change the text
--     is_password     true: `display` has a dot for each character, nothing is copied, and the
--                     caret does not show words
--     history_bytes   that the texts of undo may have, 4 MiB without
--
-- Fields to read: `text`; `caret` and `anchor`, the ends of the selection; `length`, in
-- characters; `composition`, the unfinished text of an input method, or ""; `revision`, a number
-- that changes with anything that is seen.
--
-- Places are indices of bytes, as in Gui.caret_position: the caret is before the byte of its
-- index, and at #text + 1 at the end. Places are never inside of what a reader calls one character
-- (see core/gui/characters); one that a caller gives moves to the start of its character.
--
-- The text is valid UTF-8: each byte of an inserted text that is in no valid character becomes
-- U+FFFD. Ends of lines become "\n", and other control characters are left out. A text that is too
-- long is cut after the last character that fits.
--
-- Typed characters in a row are one step of undo, up to 1,000 bytes; so are deletions in a row. The
-- oldest steps go when their texts exceed `history_bytes`. A step keeps only what changed.

local Characters = require "core/gui/characters"

local HISTORY_BYTES = 4 * 1024 * 1024
local STEP_BYTES = 1000      -- of typing in a row
local STEP_COST = 300        -- bytes of memory of a step beside its texts
local DOT = "\226\128\162"   -- U+2022
local REPLACEMENT = "\239\191\189"

local TextEditor = {}
TextEditor.__index = TextEditor

-- --- Cleaning -----------------------------------------------------------------------------------

-- The bytes of the character that starts with a byte, by that byte; 0 of one that starts none.
local function length_by_first(value)
    return value < 0x80 and 1 or value < 0xC2 and 0 or value < 0xE0 and 2 or value < 0xF0 and 3
        or value < 0xF5 and 4 or 0
end

local function with_valid_characters(text)
    local pieces, place = {}, 1
    while place <= #text do
        local length = length_by_first(text:byte(place))
        local piece = text:sub(place, place + math.max(length, 1) - 1)
        if length == 0 or #piece < length or not Utf8.valid(piece) then
            piece, length = REPLACEMENT, 1
        end
        pieces[#pieces + 1] = piece
        place = place + length
    end
    return table.concat(pieces)
end

-- Returns a text as the editor keeps it.
local function cleaned(text, is_multi_line)
    if not Utf8.valid(text) then
        text = with_valid_characters(text)
    end
    if text:find("[%z\1-\31\127\194\226]") then
        text = text:gsub("\r\n?", "\n")
        text = text:gsub("\226\128[\168\169]", "\n")     -- separators of lines and paragraphs
        text = text:gsub("\194[\128-\159]", "")          -- control characters
        text = text:gsub("[%z\1-\8\11-\31\127]", "")
        if not is_multi_line then
            text = text:gsub("[\t\n]", " ")
        end
    end
    return text
end

local FILTERS = {
    digits = function(text) return (text:gsub("[^0-9]", "")) end,
}

-- Returns whether a value can be the option `filter`.
function TextEditor.is_filter(value)
    return type(value) == "function" or FILTERS[value] ~= nil
end

-- --- Options ------------------------------------------------------------------------------------

local function is_text(value) return type(value) == "string" end
local function is_flag(value) return type(value) == "boolean" end
local function is_count(value)
    return type(value) == "number" and value >= 0 and (value == math.floor(value))
end

local OPTIONS = {
    text = { is_text, "a string" },
    is_multi_line = { is_flag, "a boolean" },
    max_length = { is_count, "an integer from 0" },
    filter = { TextEditor.is_filter, "a function or \"digits\"" },
    is_read_only = { is_flag, "a boolean" },
    is_password = { is_flag, "a boolean" },
    history_bytes = { is_count, "an integer from 0" },
}

local function check_options(options, level)
    for name, value in pairs(options) do
        local option = OPTIONS[name]
        if not option then
            error("TextEditor: unknown option \"" .. tostring(name) .. "\"; expected text, "
                .. "is_multi_line, max_length, filter, is_read_only, is_password or "
                .. "history_bytes", level)
        elseif not option[1](value) then
            error(string.format("TextEditor: %s: expected %s, got %s", name, option[2],
                is_text(value) and string.format("%q", value) or tostring(value)), level)
        end
    end
end

-- --- Changes ------------------------------------------------------------------------------------

local function touch(editor)
    editor.revision = editor.revision + 1
end

-- Returns the places around start and stop between which characters may change with the text there.
local function places_around(text, start, stop)
    local first = math.min(start, #text + 1)
    repeat
        first = first - 1
    until Characters.is_sure_break(text, first)
    local last = stop
    repeat
        last = last + 1
    until Characters.is_sure_break(text, last)
    return math.max(first, 1), math.min(last, #text + 1)
end

-- Returns the text with `inserted` in place of the bytes from `start` up to `stop`, and its length.
local function changed(editor, start, stop, inserted)
    local before = editor.text
    local after = before:sub(1, start - 1) .. inserted .. before:sub(stop)
    local first, last = places_around(before, start, stop)
    local last_after = last + #inserted - (stop - start)
    return after, editor.length - Characters.count(before, first, last)
        + Characters.count(after, first, last_after)
end

-- Returns the first break from a place on.
local function break_from(text, place)
    while not Characters.is_break(text, place) do
        place = place + 1
    end
    return place
end

local function put_caret(editor, caret, anchor)
    editor.caret, editor.anchor = caret, anchor or caret
    touch(editor)
end

local function set_content(editor, text, length)
    editor.text, editor.length = text, length
    editor.composition, editor.composition_caret = "", 1
end

-- --- History ------------------------------------------------------------------------------------
-- `steps` has what can be undone and, after `num_done`, what can be done again: { start, removed,
-- inserted, caret, anchor, kind }; the caret and the anchor are those before.

local function bytes_of(step)
    return #step.removed + #step.inserted + STEP_COST
end

local function forget_steps(editor, from)
    for i = #editor.steps, from, -1 do
        editor.history_size = editor.history_size - bytes_of(editor.steps[i])
        editor.steps[i] = nil
    end
    editor.num_done = math.min(editor.num_done, #editor.steps)
end

-- Drops the oldest steps, except the last, that are too much.
local function bound_history(editor)
    local steps, count = editor.steps, 0
    local most = math.min(#steps - 1, editor.num_done)
    while editor.history_size > editor.history_bytes and count < most do
        count = count + 1
        editor.history_size = editor.history_size - bytes_of(steps[count])
    end
    if count > 0 then
        for i = 1, #steps do
            steps[i] = steps[i + count]
        end
        editor.num_done = editor.num_done - count
    end
end

-- Adds a change to the last step when it goes on with that. Returns whether it did.
local function joins_step(editor, start, removed, inserted, kind)
    local step = editor.steps[editor.num_done]
    if not step or not editor.is_step_open or step.kind ~= kind
        or #step.inserted + #step.removed + #inserted + #removed > STEP_BYTES then
        return false
    end
    editor.history_size = editor.history_size + #inserted + #removed
    if kind == "type" and removed == "" and start == step.start + #step.inserted then
        step.inserted = step.inserted .. inserted
    elseif kind == "backspace" and start + #removed == step.start then
        step.start, step.removed = start, removed .. step.removed
    elseif kind == "delete" and start == step.start then
        step.removed = step.removed .. removed
    else
        editor.history_size = editor.history_size - #inserted - #removed
        return false
    end
    return true
end

-- Puts `inserted` in place of the bytes from `start` up to `stop`. `kind` is "type", "backspace" or
-- "delete", steps of which join, or "change". Returns whether the text changed.
local function edit(editor, start, stop, inserted, kind, text, length)
    if start == stop and inserted == "" then
        return false
    end
    if not text then
        text, length = changed(editor, start, stop, inserted)
    end
    local removed = editor.text:sub(start, stop - 1)
    forget_steps(editor, editor.num_done + 1)
    if not joins_step(editor, start, removed, inserted, kind) then
        local step = {
            start = start, removed = removed, inserted = inserted, kind = kind,
            caret = editor.caret, anchor = editor.anchor,
        }
        editor.num_done = editor.num_done + 1
        editor.steps[editor.num_done] = step
        editor.history_size = editor.history_size + bytes_of(step)
        bound_history(editor)
    end
    set_content(editor, text, length)
    put_caret(editor, break_from(text, start + #inserted))
    editor.is_step_open = kind ~= "change"
    return true
end

-- Ends the row of keys that are one step.
local function close_step(editor)
    editor.is_step_open = false
end

-- Takes back the last step. Returns whether there was one.
function TextEditor:undo()
    local step = self.steps[self.num_done]
    if not step or self.is_read_only then
        return false
    end
    set_content(self, changed(self, step.start, step.start + #step.inserted, step.removed))
    self.num_done = self.num_done - 1
    put_caret(self, step.caret, step.anchor)
    close_step(self)
    return true
end

-- Does again what undo took back. Returns whether there was something.
function TextEditor:redo()
    local step = self.steps[self.num_done + 1]
    if not step or self.is_read_only then
        return false
    end
    set_content(self, changed(self, step.start, step.start + #step.removed, step.inserted))
    self.num_done = self.num_done + 1
    put_caret(self, break_from(self.text, step.start + #step.inserted))
    close_step(self)
    return true
end

function TextEditor:can_undo()
    return self.num_done > 0 and not self.is_read_only
end

function TextEditor:can_redo()
    return self.num_done < #self.steps and not self.is_read_only
end

-- --- Inserting ----------------------------------------------------------------------------------

-- Returns the selection, from `start` up to `stop`; both are the caret when nothing is selected.
function TextEditor:selection()
    return math.min(self.caret, self.anchor), math.max(self.caret, self.anchor)
end

function TextEditor:has_selection()
    return self.caret ~= self.anchor
end

-- Returns what fits of a text that is inserted there, and what `changed` returns for it.
local function fitting(editor, start, stop, inserted)
    local text, length = changed(editor, start, stop, inserted)
    if length <= editor.max_length or #inserted == 0 then
        return inserted, text, length
    end
    -- All of it but the characters that are too many, and then more where they join with others.
    local keep, place = Characters.count(inserted) - (length - editor.max_length), 1
    for _ = 1, math.max(keep, 0) do
        place = Characters.next(inserted, place)
    end
    inserted = inserted:sub(1, place - 1)
    text, length = changed(editor, start, stop, inserted)
    while length > editor.max_length and #inserted > 0 do
        inserted = inserted:sub(1, Characters.previous(inserted, #inserted + 1) - 1)
        text, length = changed(editor, start, stop, inserted)
    end
    return inserted, text, length
end

local function check_text(name, text)
    if type(text) ~= "string" then
        error(string.format("TextEditor.%s: argument 2 (text): expected string, got %s", name,
            Script.type_name(text)), 3)
    end
end

local function filtered(editor, text)
    local filter = FILTERS[editor.filter] or editor.filter
    if not filter or text == "" then
        return text
    end
    local result = filter(text, editor)
    if result ~= nil and result ~= false and type(result) ~= "string" then
        error("TextEditor: the filter returned a " .. Script.type_name(result)
            .. "; expected a string or nil", 0)
    end
    return result and cleaned(result, editor.is_multi_line) or ""
end

local function insert(editor, text, kind)
    if editor.is_read_only then
        return false
    end
    text = filtered(editor, cleaned(text, editor.is_multi_line))
    if text == "" then
        return false
    end
    local start, stop = editor:selection()
    local inserted, new, length = fitting(editor, start, stop, text)
    if inserted == "" then
        return false  -- and what is selected stays
    end
    return edit(editor, start, stop, inserted, kind, new, length)
end

-- Types a text in place of the selection; this also ends a composition. Returns whether the text
-- changed.
function TextEditor:insert(text)
    check_text("insert", text)
    self:set_composition("")
    return insert(self, text, text:find("\n", 1, true) and "change" or "type")
end

-- Inserts a text in place of the selection, as a step of its own. Returns whether the text changed.
function TextEditor:paste(text)
    check_text("paste", text)
    self:set_composition("")
    return insert(self, text, "change")
end

-- Replaces the whole text, also of a read-only editor, with the caret at its end. Undo starts
-- again.
function TextEditor:set_text(text)
    check_text("set_text", text)
    forget_steps(self, 1)
    set_content(self, "", 0)
    local _, new, length = fitting(self, 1, 1, cleaned(text, self.is_multi_line))
    set_content(self, new, length)
    put_caret(self, #new + 1)
    close_step(self)
end

-- --- Deleting -----------------------------------------------------------------------------------

local function delete(editor, start, stop, kind)
    if editor.is_read_only then
        return false
    elseif editor:has_selection() then
        start, stop = editor:selection()
        kind = "change"
    end
    return edit(editor, start, stop, "", kind)
end

-- Each deletes the selection or, without one, what its name says. Returns whether the text changed.

function TextEditor:delete_previous()
    return delete(self, Characters.previous(self.text, self.caret), self.caret, "backspace")
end

function TextEditor:delete_next()
    return delete(self, self.caret, Characters.next(self.text, self.caret), "delete")
end

function TextEditor:delete_previous_word()
    return delete(self, self:place("previous_word"), self.caret, "backspace")
end

function TextEditor:delete_next_word()
    return delete(self, self.caret, self:place("next_word"), "delete")
end

function TextEditor:delete_to_line_start()
    return delete(self, self:place("line_start"), self.caret, "change")
end

function TextEditor:delete_to_line_end()
    return delete(self, self.caret, self:place("line_end"), "change")
end

-- Deletes the selection.
function TextEditor:delete_selection()
    return self:has_selection() and delete(self, 1, 1, "change")
end

-- Returns the selected text; "" of a password.
function TextEditor:selected_text()
    local start, stop = self:selection()
    return self.is_password and "" or self.text:sub(start, stop - 1)
end

-- Deletes the selection, and returns its text for the clipboard; "" changes nothing.
function TextEditor:cut()
    local text = self:selected_text()
    return text ~= "" and self:delete_selection() and text or ""
end

-- --- Words --------------------------------------------------------------------------------------

-- The kind of a character: a word's, space, or other signs. Letters beyond ASCII are words.
local function kind_at(text, place)
    local code = Characters.decode(text, place)
    if code == 0x20 or code == 0xA0 or (code >= 9 and code <= 13) or code == 0x3000
        or (code >= 0x2000 and code <= 0x200A) then
        return "space"
    elseif code < 0x80 then
        local is_word = (code >= 0x30 and code <= 0x39) or (code >= 0x41 and code <= 0x5A)
            or (code >= 0x61 and code <= 0x7A) or code == 0x5F
        return is_word and "word" or "sign"
    end
    local is_sign = (code > 0xA0 and code < 0xC0 and code ~= 0xAA and code ~= 0xB5 and code ~= 0xBA)
        or code == 0xD7 or code == 0xF7 or (code >= 0x2010 and code <= 0x206F)
        or (code >= 0x3001 and code <= 0x303F) or (code >= 0xFF01 and code <= 0xFF0F)
    return is_sign and "sign" or "word"
end

-- Returns the end of the run of one kind that starts at `place`.
local function run_end(text, place)
    local kind = kind_at(text, place)
    repeat
        place = Characters.next(text, place)
    until place > #text or kind_at(text, place) ~= kind
    return place
end

-- Returns the start of the run of one kind that ends at `place`.
local function run_start(text, place)
    local before = Characters.previous(text, place)
    local kind = kind_at(text, before)
    repeat
        place = before
        before = Characters.previous(text, place)
    until place == 1 or kind_at(text, before) ~= kind
    return place
end

-- --- Places -------------------------------------------------------------------------------------

local PLACES = {}

function PLACES.previous(editor) return Characters.previous(editor.text, editor.caret) end
function PLACES.next(editor) return Characters.next(editor.text, editor.caret) end
function PLACES.text_start() return 1 end
function PLACES.text_end(editor) return #editor.text + 1 end

-- The start of the word before the caret.
function PLACES.previous_word(editor)
    local text, place = editor.text, editor.caret
    if editor.is_password or place == 1 then
        return 1
    elseif kind_at(text, Characters.previous(text, place)) == "space" then
        place = run_start(text, place)
    end
    return place == 1 and 1 or run_start(text, place)
end

-- The end of the word after the caret.
function PLACES.next_word(editor)
    local text, place = editor.text, editor.caret
    if editor.is_password or place > #text then
        return #text + 1
    elseif kind_at(text, place) == "space" then
        place = run_end(text, place)
    end
    return place > #text and place or run_end(text, place)
end

function PLACES.line_start(editor) return editor:line_start(editor.caret) end
function PLACES.line_end(editor) return editor:line_end(editor.caret) end

-- Returns where the caret goes: "previous" and "next" are characters in the order of the text,
-- "previous_word" the start and "next_word" the end of a word, "line_start", "line_end",
-- "text_start" and "text_end". Lines end with "\n".
function TextEditor:place(where)
    local find = PLACES[where]
    if not find then
        error("TextEditor.place: argument 2 (where): expected previous, next, previous_word, "
            .. "next_word, line_start, line_end, text_start or text_end, got "
            .. tostring(where), 2)
    end
    return find(self)
end

-- Returns the start of the line with a place.
function TextEditor:line_start(place)
    local stop = place - 1  -- what was searched begins after it
    while self.is_multi_line and stop > 0 do
        local start = math.max(stop - 4095, 1)
        local after = self.text:sub(start, stop):match(".*\n()")
        if after then
            return start + after - 1
        end
        stop = start - 1
    end
    return 1
end

-- Returns the end of the line with a place: where its "\n" is, or the text ends.
function TextEditor:line_end(place)
    return self.text:find("\n", place, true) or #self.text + 1
end

-- --- Caret --------------------------------------------------------------------------------------

local function snapped(editor, place, name)
    if type(place) ~= "number" or place ~= place then
        error(string.format("TextEditor.%s: argument 2 (place): expected an integer, got %s", name,
            tostring(place)), 3)
    end
    place = math.max(1, math.min(math.floor(place), #editor.text + 1))
    return Characters.start_of(editor.text, place)
end

-- Moves the caret; `is_selecting` keeps the anchor, as Shift does. Without it, "previous" and
-- "next" go to the ends of the selection, if there is one. For `where` see `place`.
function TextEditor:move(where, is_selecting)
    local place = self:place(where)
    if not is_selecting and self:has_selection() and (where == "previous" or where == "next") then
        local start, stop = self:selection()
        place = where == "previous" and start or stop
    end
    put_caret(self, place, is_selecting and self.anchor or place)
    close_step(self)
end

-- Puts the caret at a place, as a click does; `is_selecting` keeps the anchor.
function TextEditor:set_caret(place, is_selecting)
    place = snapped(self, place, "set_caret")
    put_caret(self, place, is_selecting and self.anchor or place)
    close_step(self)
end

-- Selects from `anchor` to `caret`.
function TextEditor:select(anchor, caret)
    put_caret(self, snapped(self, caret, "select"), snapped(self, anchor, "select"))
    close_step(self)
end

function TextEditor:select_all()
    self:select(1, #self.text + 1)
end

-- Selects the word, the space or the signs at a place, or before it at the end of a line, as a
-- double click does. A password is one word.
function TextEditor:select_word(place)
    place = snapped(self, place, "select_word")
    local text = self.text
    if self.is_password or text == "" then
        return self:select_all()
    elseif place == self:line_end(place) then
        if place == self:line_start(place) then
            return self:select(place, place)
        end
        place = Characters.previous(text, place)
    end
    local after = run_end(text, place)
    self:select(math.max(run_start(text, after), self:line_start(place)),
        math.min(after, self:line_end(place)))
end

-- Selects the line with a place, without its end.
function TextEditor:select_line(place)
    place = snapped(self, place, "select_line")
    self:select(self:line_start(place), self:line_end(place))
end

-- --- Composition and display --------------------------------------------------------------------

-- Shows the unfinished text of an input method in place of the selection, with the caret after
-- `cursor` of its code points (its end without), as an `editing` event has them. "" ends it. The
-- text itself does not change until `insert`.
function TextEditor:set_composition(text, cursor)
    check_text("set_composition", text)
    text = self.is_read_only and "" or cleaned(text, false)
    local place = 1
    for _ = 1, cursor and cursor >= 0 and cursor or #text do
        if place > #text then
            break
        end
        place = select(2, Characters.decode(text, place))
    end
    place = Characters.start_of(text, place)
    if text ~= self.composition or place ~= self.composition_caret then
        self.composition, self.composition_caret = text, place
        touch(self)
    end
end

local function shown(editor, text)
    return editor.is_password and DOT:rep(Characters.count(text)) or text
end

-- Returns what a field shows: the text, the place of the caret in it, where the selection starts
-- and stops, and where the composition does.
function TextEditor:display()
    local start, stop = self:selection()
    if not self.is_password and self.composition == "" then
        return self.text, self.caret, start, stop, self.caret, self.caret
    end
    local before = shown(self, self.text:sub(1, start - 1))
    local after = shown(self, self.text:sub(stop))
    if self.composition ~= "" then
        local at = #before + 1
        return before .. self.composition .. after, at + self.composition_caret - 1, at, at,
            at, at + #self.composition
    end
    local selected = shown(self, self.text:sub(start, stop - 1))
    local first, last = #before + 1, #before + #selected + 1
    local caret = self.caret == start and first or last
    return before .. selected .. after, caret, first, last, caret, caret
end

-- Returns the place in the text of a place in what `display` shows; in a composition, the caret's.
function TextEditor:place_of_display(place)
    local text, start, stop = self.text, self:selection()
    if self.composition ~= "" then
        local before = #shown(self, text:sub(1, start - 1))
        if place > before + #self.composition then
            place = place - #self.composition
            if not self.is_password then
                place = place + stop - start
            else
                place = place + #shown(self, text:sub(start, stop - 1))
            end
        elseif place > before then
            return start
        end
    end
    if not self.is_password then
        return snapped(self, place, "place_of_display")
    end
    local at = 1
    for _ = 1, math.floor((place - 1) / #DOT) do
        if at > #text then
            break
        end
        at = Characters.next(text, at)
    end
    return at
end

-- --- Editors ------------------------------------------------------------------------------------

-- Changes options; those that are not there stay. A `text` is set last. Lines of a text stay when
-- it is not to have lines any more, and so does what is longer than a new `max_length`.
function TextEditor:set_options(options)
    check_options(options, 3)
    for name, value in pairs(options) do
        if name ~= "text" then
            self[name] = value
        end
    end
    bound_history(self)
    if options.text then
        self:set_text(options.text)
    end
    if self.is_read_only then
        self:set_composition("")
    end
    touch(self)
end

-- Makes an editor; the options are at the top of this file.
function TextEditor.new(options)
    check_options(options or {}, 3)
    local editor = setmetatable({
        text = "", length = 0, caret = 1, anchor = 1, revision = 0,
        composition = "", composition_caret = 1,
        is_multi_line = false, max_length = math.huge, filter = false, is_read_only = false,
        is_password = false, history_bytes = HISTORY_BYTES,
        steps = {}, num_done = 0, history_size = 0, is_step_open = false,
    }, TextEditor)
    editor:set_options(options or {})
    return editor
end

return TextEditor
