"""The text of text fields: core/gui/text_editor, and core/gui/characters against Unicode's own cases."""

import os
import re
import unittest

from support_lua import LuaTests

CASES = "/usr/share/unicode/auxiliary/GraphemeBreakTest.txt"

CHARACTERS = """
local Characters = require "core/gui/characters"

test("characters_are_those_of_unicode", function()
    for _, row in ipairs(ROWS) do
        local text, breaks = row[1], row[2]
        local name = text:gsub(".", function(c) return string.format("%02x ", c:byte()) end)
        local forward, place = { 1 }, 1
        while place <= #text do
            place = Characters.next(text, place)
            forward[#forward + 1] = place
        end
        expect(breaks, forward, name)
        local backward, at = {}, #breaks
        place = #text + 1
        while place > 1 do
            backward[at], at = place, at - 1
            place = Characters.previous(text, place)
        end
        backward[1] = place
        expect(breaks, backward, name)
        expect(#breaks - 1, Characters.count(text), name)
        for i = 1, #text do  -- the start of what contains a byte
            local start = 1
            for _, break_at in ipairs(breaks) do start = break_at <= i and break_at or start end
            expect(start, Characters.start_of(text, i), name)
        end
    end
end)

test("ends", function()
    expect({ 1, 1, 1, 0 }, { Characters.next("", 1), Characters.previous("", 1),
        Characters.start_of("", 1), Characters.count("") })
    expect({ 2, 1, 2 }, { Characters.next("a", 2), Characters.previous("a", 1), Characters.start_of("a", 2) })
end)
"""

EDITOR = r"""
local TextEditor = require "core/gui/text_editor"
local Characters = require "core/gui/characters"

local ACUTE = "\204\129"                                   -- U+0301, above the letter before it
local FAMILY = "\240\159\145\169\226\128\141\240\159\145\167"  -- a woman and a girl
local FLAG = "\240\159\135\169\240\159\135\170"
local HAN = "\237\149\156"

-- The text with its caret as | and the other end of the selection as ^.
local function state(editor)
    local text, marks = editor.text, { { editor.caret, "|" } }
    if editor:has_selection() then marks[2] = { editor.anchor, "^" } end
    table.sort(marks, function(a, b) return a[1] > b[1] end)
    for _, mark in ipairs(marks) do
        text = text:sub(1, mark[1] - 1) .. mark[2] .. text:sub(mark[1])
    end
    return text
end

-- An editor with such a state.
local function made(marked, options)
    local editor = TextEditor.new(options)
    local text = marked:gsub("[|^]", "")
    local caret = (marked:gsub("%^", "")):find("|", 1, true)
    local anchor = (marked:gsub("|", "")):find("^", 1, true) or caret
    editor:set_options { is_multi_line = text:find("\n") ~= nil }
    editor:set_text(text)
    editor:select(anchor, caret)
    return editor
end

test("typing_replaces_the_selection", function()
    local editor = made("one ^two| three")
    expect(true, editor:insert("2"))
    expect("one 2| three", state(editor))
    editor:insert("3")
    expect("one 23| three", state(editor))
    expect({ 12, 12 }, { #editor.text, editor.length })
    expect(false, editor:insert(""))
end)

test("characters_of_readers_are_never_split", function()
    local editor = made("ae" .. ACUTE .. FAMILY .. FLAG .. "|" .. HAN)
    expect(5, editor.length)
    editor:delete_previous()
    expect("ae" .. ACUTE .. FAMILY .. "|" .. HAN, state(editor))
    editor:move("previous")
    expect("ae" .. ACUTE .. "|" .. FAMILY .. HAN, state(editor))
    editor:delete_next()
    editor:move("previous", true)
    expect("a|e" .. ACUTE .. "^" .. HAN, state(editor))
    editor:set_caret(3)
    expect("a|e" .. ACUTE .. HAN, state(editor))
    editor = made("e|")
    editor:insert(ACUTE)
    expect({ "e" .. ACUTE .. "|", 1 }, { state(editor), editor.length })
    editor = made("|" .. "e")
    editor:set_text(ACUTE)
    editor:set_caret(1)
    editor:insert("o")  -- the caret would be before the accent
    expect("o" .. ACUTE .. "|", state(editor))
end)

test("length_is_right_where_characters_join_anew", function()
    local half = FLAG:sub(1, 4)
    local editor = made("|" .. FLAG .. half)
    expect(2, editor.length)
    editor:insert(half)
    expect(2, editor.length)
    expect(Characters.count(editor.text), editor.length)
    editor:undo()
    expect(2, editor.length)
    -- What is left out may have joined with what is there.
    local vowel, consonant = "\225\133\161", "\225\132\128"
    editor = TextEditor.new { text = vowel, max_length = 1 }
    editor:set_caret(1)
    expect({ false, vowel }, { editor:insert("x" .. consonant), editor.text })
    expect({ true, consonant .. vowel, 1 }, { editor:insert(consonant), editor.text, editor.length })
end)

test("deleting", function()
    for _, row in ipairs {
        { "delete_previous", "ab|c", "a|c" }, { "delete_previous", "|abc", "|abc" },
        { "delete_next", "a|bc", "a|c" }, { "delete_next", "abc|", "abc|" },
        { "delete_previous", "a^b|c", "a|c" }, { "delete_next", "|ab^c", "|c" },
        { "delete_previous_word", "one two  |three", "one |three" },
        { "delete_previous_word", "one tw|o", "one |o" },
        { "delete_previous_word", "one, |two", "one|two" },
        { "delete_next_word", "one| two three", "one| three" },
        { "delete_next_word", "one| ", "one|" },
        { "delete_to_line_start", "a\nbc|d\ne", "a\n|d\ne" },
        { "delete_to_line_end", "a\nb|cd\ne", "a\nb|\ne" },
        { "delete_selection", "a^b|", "a|" }, { "delete_selection", "ab|", "ab|" },
    } do
        local editor = made(row[2])
        expect(row[2] ~= row[3], editor[row[1]](editor), row[1])
        expect(row[3], state(editor), row[1])
    end
end)

test("moving", function()
    for _, row in ipairs {
        { "previous", "ab|c", "a|bc" }, { "previous", "|abc", "|abc" }, { "next", "abc|", "abc|" },
        { "next", "a|bc", "ab|c" }, { "previous", "a^bc|d", "a|bcd" }, { "next", "a|bc^d", "abc|d" },
        { "previous_word", "one two|", "one |two" }, { "previous_word", "one |two", "|one two" },
        { "previous_word", "one.two|", "one.|two" }, { "previous_word", "a  |", "|a  " },
        { "previous_word", "  |", "|  " }, { "previous_word", "|", "|" },
        { "next_word", "|one two", "one| two" }, { "next_word", "one| two", "one two|" },
        { "next_word", "one|  ", "one  |" }, { "next_word", "\195\164|b\195\182 c", "\195\164b\195\182| c" },
        { "line_start", "a\nbc|d\ne", "a\n|bcd\ne" }, { "line_start", "ab|", "|ab" },
        { "line_start", "a\n|", "a\n|" }, { "line_end", "a\nb|cd\ne", "a\nbcd|\ne" },
        { "line_end", "a|b", "ab|" }, { "text_start", "a\nb|", "|a\nb" }, { "text_end", "|a\nb", "a\nb|" },
    } do
        local editor = made(row[2])
        editor.is_multi_line = true
        editor:move(row[1])
        expect(row[3], state(editor), row[1])
    end
    local editor = made("one tw|o", {})
    editor:move("previous_word", true)
    expect("one |tw^o", state(editor))
    editor:move("line_end", true)
    expect("one tw^o|", state(editor))
    refused("argument 2 (where): expected previous", editor.move, editor, "up")
end)

test("lines_are_found_in_long_texts", function()
    for _, length in ipairs { 10, 4095, 4096, 4097, 10000 } do
        local editor = TextEditor.new { is_multi_line = true, text = "a\n" .. ("x"):rep(length) .. "\nb" }
        expect({ 3, 3, 1 }, { editor:line_start(3 + length), editor:line_start(3), editor:line_start(2) })
        expect(3 + length, editor:line_end(3))
        expect(length + 4, editor:line_end(length + 4) - 1)
    end
end)

test("selecting", function()
    local editor = made("one  two, three|")
    for place, expected in pairs {
        [1] = "^one|  two, three", [3] = "^one|  two, three", [4] = "one^  |two, three",
        [6] = "one  ^two|, three", [9] = "one  two^,| three", [99] = "one  two, ^three|",
    } do
        editor:select_word(place)
        expect(expected, state(editor), place)
    end
    editor = made("one\n\nthree|")
    editor.is_multi_line = true
    editor:select_word(4)
    expect("^one|\n\nthree", state(editor))
    editor:select_word(5)
    expect("one\n|\nthree", state(editor))
    editor:select_line(7)
    expect("one\n\n^three|", state(editor))
    expect("three", editor:selected_text())
    editor:select_all()
    expect("^one\n\nthree|", state(editor))
    editor:set_caret(2, true)
    expect("^o|ne\n\nthree", state(editor))
    editor:set_caret(-5)
    expect("|one\n\nthree", state(editor))
    refused("argument 2 (place): expected an integer, got nan", editor.set_caret, editor, 0 / 0)
    editor = made("|")
    editor:select_word(1)
    expect("|", state(editor))
end)

test("cut_and_paste", function()
    local editor = made("one ^two| three")
    expect("two", editor:cut())
    expect("one | three", state(editor))
    expect("", editor:cut())
    editor:paste("a\r\nb")
    expect("one a b| three", state(editor))
end)

test("typing_in_a_row_is_one_step_of_undo", function()
    local editor = made("one ^two|")
    for c in ("xyz"):gmatch(".") do editor:insert(c) end
    editor:move("text_start")
    editor:insert("a")
    editor:insert("b")
    expect("ab|one xyz", state(editor))
    editor:undo()
    expect("|one xyz", state(editor))
    editor:undo()
    expect("one ^two|", state(editor))
    expect({ false, false, true }, { editor:undo(), editor:can_undo(), editor:can_redo() })
    expect(true, editor:redo())
    expect("one xyz|", state(editor))
    editor:redo()
    expect({ "ab|one xyz", false, false }, { state(editor), editor:redo(), editor:can_redo() })
    editor:undo()
    editor:insert("c")
    expect({ false, "c|one xyz" }, { editor:can_redo(), state(editor) })
end)

test("deleting_in_a_row_is_one_step_of_undo", function()
    local editor = made("abcdef|gh")
    for _ = 1, 3 do editor:delete_previous() end
    for _ = 1, 2 do editor:delete_next() end
    expect("abc|", state(editor))
    editor:undo()
    expect("abc|gh", state(editor))
    editor:undo()
    expect("abcdef|gh", state(editor))
    editor:redo()
    editor:redo()
    expect("abc|", state(editor))
    editor:paste("1")
    editor:paste("2")
    editor:undo()
    expect("abc1|", state(editor))
end)

test("history_is_bounded", function()
    local editor = TextEditor.new { history_bytes = 10000, is_multi_line = true }
    for i = 1, 1000 do
        editor:paste(("x"):rep(100))
    end
    assert(#editor.steps < 30 and #editor.steps > 20, #editor.steps)
    local count = 0
    while editor:undo() do count = count + 1 end
    expect((1000 - count) * 100, #editor.text)
    while editor:redo() do count = count - 1 end
    expect({ 0, 100000 }, { count, #editor.text })
    editor:select_all()
    editor:delete_previous()
    expect({ 1, true, 100000 }, { #editor.steps, editor:undo(), editor.length })
    editor:move("text_end")
    for _ = 1, 5000 do editor:insert("y") end  -- typing in a row does not make one endless step
    editor:undo()
    assert(#editor.text > 100000, #editor.text)
    editor:set_options { history_bytes = 0 }
    expect(true, #editor.steps <= 2)
    editor:set_text("new")
    expect({ false, false }, { editor:can_undo(), editor:can_redo() })
end)

test("max_length_is_in_characters", function()
    local editor = TextEditor.new { max_length = 3, text = "e" .. ACUTE .. "bcdef" }
    expect({ "e" .. ACUTE .. "bc|", 3, false }, { state(editor), editor.length, editor:insert("x") })
    expect(true, editor:insert(ACUTE))  -- joins the c
    editor:select(1, 4)
    expect({ true, 3 }, { editor:paste(FLAG .. FAMILY), editor.length })
    expect(FLAG .. "|bc" .. ACUTE, state(editor))
    editor = made("a^b|c", { max_length = 3 })
    editor:paste("12345")
    expect("a1|c", state(editor))
    editor = TextEditor.new { max_length = 0, text = "abc" }
    expect({ "", false }, { editor.text, editor:insert("a") })
    editor = made("a^b|", { max_length = 2 })
    editor:set_options { max_length = 1 }
    expect({ "a^b|", false }, { state(editor), editor:insert("x") })
end)

test("filters", function()
    local editor = TextEditor.new { filter = "digits", text = "x1" }
    expect({ "x1", false }, { editor.text, editor:insert("a") })
    editor:select_all()
    editor:paste("a1b2")
    expect("12|", state(editor))
    editor:set_options { filter = function(text, of) return of.length < 3 and Utf8.upper(text) or nil end }
    editor:insert("x")
    editor:insert("y")
    expect("12X|", state(editor))
    editor:set_options { filter = function() return 5 end }
    refused("the filter returned a number; expected a string or nil", editor.insert, editor, "a")
    editor:set_options { filter = function() return "\255" end }
    editor:insert("a")
    expect("12X\239\191\189|", state(editor))
end)

test("read_only", function()
    local editor = made("one ^two|", { is_read_only = true })
    expect({ false, false, false, "", "two", false }, { editor:insert("x"), editor:delete_previous(),
        editor:paste("x"), editor:cut(), editor:selected_text(), editor:can_undo() })
    editor:set_composition("x")
    expect("", editor.composition)
    editor:move("text_start")
    expect("|one two", state(editor))
    editor:set_text("new")
    expect("new|", state(editor))
end)

test("passwords", function()
    local editor = made("a" .. HAN .. "^bc|d", { is_password = true })
    local dot = "\226\128\162"
    expect({ dot:rep(5), 13, 7, 13, 13, 13 }, { editor:display() })
    expect({ "", "" }, { editor:selected_text(), editor:cut() })
    for place, expected in pairs { [1] = 1, [3] = 1, [4] = 2, [7] = 5, [16] = 8, [99] = 8 } do
        expect(expected, editor:place_of_display(place), place)
    end
    editor:move("previous_word")
    expect(1, editor.caret)
    editor:select_word(1)
    expect(5, editor.length)
    expect({ 1, 8 }, { editor:selection() })
end)

test("composition_shows_in_place_of_the_selection_until_it_is_typed", function()
    local editor = made("one ^two| three")
    editor:set_composition(HAN .. "x", 1)
    expect("one ^two| three", state(editor))
    expect({ "one " .. HAN .. "x three", 8, 5, 5, 5, 9 }, { editor:display() })
    expect({ 5, 5, 8, 4 }, { editor:place_of_display(5), editor:place_of_display(8),
        editor:place_of_display(9), editor:place_of_display(4) })
    editor:set_composition(HAN .. "x")
    expect(9, select(2, editor:display()))
    editor:set_composition("")
    expect({ "one two three", 8, 5, 8, 8, 8 }, { editor:display() })
    editor:set_composition("y")
    editor:insert(HAN)
    expect({ "one " .. HAN .. "| three", "" }, { state(editor), editor.composition })
    editor:set_composition("z\n")
    editor:undo()
    expect({ "one ^two| three", "" }, { state(editor), editor.composition })
end)

test("what_is_inserted_is_cleaned", function()
    local bad = "\239\191\189"
    for _, row in ipairs {
        { "a\255b", "a" .. bad .. "b" }, { "\226\130", bad .. bad }, { "\192\128", bad .. bad },
        { "\237\160\128", bad .. bad .. bad }, { "\244\144\128\128", bad .. bad .. bad .. bad },
        { "a\r\nb\rc\nd\te", "a b c d e", "a\nb\nc\nd\te" }, { "a\0b\27c\127d\194\133e", "abcde" },
        { "a\226\128\168b", "a b", "a\nb" }, { "\194\160\226\130\172", "\194\160\226\130\172" },
        { "x" .. FAMILY .. "\240\159", "x" .. FAMILY .. bad .. bad },
    } do
        for _, is_multi_line in ipairs { false, true } do
            local editor = TextEditor.new { is_multi_line = is_multi_line }
            editor:insert(row[1])
            expect(is_multi_line and row[3] or row[2], editor.text, row[1])
            expect(Characters.count(editor.text), editor.length)
        end
    end
    refused("TextEditor.insert: argument 2 (text): expected string, got number",
        TextEditor.insert, TextEditor.new(), 5)
end)

test("options_are_checked", function()
    for text, options in pairs {
        ['unknown option "txt"; expected text'] = { txt = "" },
        ["text: expected a string, got 5"] = { text = 5 },
        ["max_length: expected an integer from 0, got -1"] = { max_length = -1 },
        ["max_length: expected an integer from 0, got 1.5"] = { max_length = 1.5 },
        ['filter: expected a function or "digits", got "letters"'] = { filter = "letters" },
        ["is_password: expected a boolean, got 1"] = { is_password = 1 },
    } do
        local message = refused(text, function() TextEditor.new(options) end)
        assert(message:find("^scripts/main.lua:%d+: "), message)
    end
    refused("max_length", TextEditor.new, { max_length = 0 / 0 })
end)

test("revision_changes_with_all_that_is_seen", function()
    local editor = made("abc|")
    local before = editor.revision
    local function is_changed()
        local has_changed = editor.revision ~= before
        before = editor.revision
        return has_changed
    end
    expect(false, is_changed())
    editor:insert("d") expect(true, is_changed())
    editor:move("previous") expect(true, is_changed())
    editor:set_composition("x") expect(true, is_changed())
    editor:set_composition("x") expect(false, is_changed())
    editor:undo() expect(true, is_changed())
    editor:set_options { is_password = true } expect(true, is_changed())
end)

-- --- Random operations against a model that keeps whole texts --------------------------------------

local PIECES = { "a", "b", " ", ".", "\n", ACUTE, "e" .. ACUTE, FAMILY, FLAG, FLAG:sub(1, 4), HAN,
    "\226\128\141", "\225\132\128", "\225\133\161", "\195\164", "one two", "\240\159\145\169" }

local function starts_of(text)
    local starts, place = {}, 1
    while place <= #text do
        starts[#starts + 1] = place
        place = Characters.next(text, place)
    end
    starts[#starts + 1] = #text + 1
    return starts
end

-- Replaces bytes in the model as the editor must.
local function model_edit(model, start, stop, inserted)
    if start == stop and inserted == "" then return end
    model.text = model.text:sub(1, start - 1) .. inserted .. model.text:sub(stop)
    local place = start + #inserted
    for _, at in ipairs(starts_of(model.text)) do
        if at >= place then place = at break end
    end
    model.caret, model.anchor = place, place
end

local function neighbour(model, step)
    local starts = starts_of(model.text)
    for i, at in ipairs(starts) do
        if at == model.caret then return starts[math.max(1, math.min(i + step, #starts))] end
    end
    error("the caret of the model is inside of a character")
end

local OPERATIONS = {
    insert = function(model, editor)
        local piece = PIECES[math.random(#PIECES)]
        editor[math.random(2) == 1 and "insert" or "paste"](editor, piece)
        model_edit(model, math.min(model.caret, model.anchor), math.max(model.caret, model.anchor), piece)
    end,
    delete_previous = function(model, editor)
        editor:delete_previous()
        if model.caret ~= model.anchor then
            model_edit(model, math.min(model.caret, model.anchor), math.max(model.caret, model.anchor), "")
        else
            model_edit(model, neighbour(model, -1), model.caret, "")
        end
    end,
    delete_next = function(model, editor)
        editor:delete_next()
        if model.caret ~= model.anchor then
            model_edit(model, math.min(model.caret, model.anchor), math.max(model.caret, model.anchor), "")
        else
            model_edit(model, model.caret, neighbour(model, 1), "")
        end
    end,
    set_caret = function(model, editor)
        local starts = starts_of(model.text)
        local place, is_selecting = starts[math.random(#starts)], math.random(2) == 1
        editor:set_caret(place, is_selecting)
        model.caret, model.anchor = place, is_selecting and model.anchor or place
    end,
    step = function(model, editor)
        local is_next = math.random(2) == 1
        editor:move(is_next and "next" or "previous", true)
        model.caret = neighbour(model, is_next and 1 or -1)
    end,
}

test("random_operations_are_as_in_a_simple_model", function()
    math.randomseed(11)
    local names = { "insert", "insert", "insert", "delete_previous", "delete_next", "set_caret", "step" }
    for _ = 1, 40 do
        local editor = TextEditor.new { is_multi_line = true }
        local model = { text = "", caret = 1, anchor = 1 }
        local texts = { [""] = true }  -- all that were seen
        for _ = 1, 50 do
            local name = names[math.random(#names)]
            OPERATIONS[name](model, editor)
            texts[model.text] = true
            expect({ model.text, model.caret, model.anchor }, { editor.text, editor.caret, editor.anchor },
                name)
            expect(#starts_of(editor.text) - 1, editor.length, name)
            expect(true, Utf8.valid(editor.text))
        end
        -- Undo goes through texts that were there, to the first, and redo back to the last.
        local last = editor.text
        while editor:undo() do
            assert(texts[editor.text], "a text that never was")
            expect(#starts_of(editor.text) - 1, editor.length)
            assert(Characters.is_break(editor.text, editor.caret))
        end
        expect("", editor.text)
        while editor:redo() do
            assert(texts[editor.text], "a text that never was")
        end
        expect(last, editor.text)
    end
end)

test("figures", function()
    local editor = TextEditor.new { is_multi_line = true, text = ("0123456789 abcdefg\195\164\n"):rep(50000) }
    expect(1000000, editor.length)
    -- The median: others use this machine, too.
    local clock, times = Application.time_since_launch, {}
    local function median_of(name, run)
        for i = 1, 200 do
            local before = clock()
            run(i)
            times[i] = (clock() - before) * 1000
        end
        table.sort(times)
        print(string.format("%s: %.3f ms", name, times[100]))
    end
    for _, where in ipairs { "end", "middle" } do
        editor:set_caret(where == "end" and #editor.text + 1 or 500000)
        median_of("typing at the " .. where .. " of a million characters", function(i)
            if i % 10 == 0 then editor:move("previous") end
            editor:insert("x")
        end)
    end
    median_of("moving", function()
        editor:move("line_start")
        editor:move("previous_word")
    end)
    expect(1000400, editor.length)
    for name, piece in pairs { ascii = "a", accents = "\195\164", hangul = HAN, emoji = FAMILY } do
        local before = clock()
        TextEditor.new { text = piece:rep(100000) }
        print(string.format("setting 100,000 characters, %s: %.1f ms", name, (clock() - before) * 1000))
    end
    assert(editor.history_size < 300000, editor.history_size)
end)
"""


def cases():
    """A row of Lua for each case of Unicode: the text, and where its characters start, and the end."""
    with open(CASES) as file:
        for line in file:
            text, breaks = b"", []
            for word in line.split("#")[0].split():
                if word == "÷":
                    breaks.append(len(text) + 1)
                elif word != "×":
                    text += chr(int(word, 16)).encode()
            if text:
                escaped = "".join(f"\\{byte:03}" for byte in text)
                yield f'{{ "{escaped}", {{ {", ".join(map(str, breaks))} }} }},'


class TextEditor(LuaTests):
    @unittest.skipUnless(os.path.exists(CASES), "the package unicode-data is not installed")
    def test_characters(self):
        rows = list(cases())
        self.assertGreater(len(rows), 600)
        self.run_lua("local ROWS = {\n" + "\n".join(rows) + "\n}\n" + CHARACTERS)

    def test_editor(self):
        for line in re.findall(r"\[lua\] ((?:typing|moving|setting).*)", self.run_lua(EDITOR)):
            print(line)


if __name__ == "__main__":
    unittest.main()
