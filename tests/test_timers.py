"""Timers and tweens of core/lua: what they call and when, errors, garbage, and a reload of scripts."""

import os
import re
import shutil
import unittest

from support_cuttle import ROOT, Game, cuttle, read, write
from support_lua import LuaTests

TIMERS = """
local Timer = require "core/lua/timer"

-- A set, and a function that makes callbacks which note their name and the time.
local function noted()
    local set, notes = Timer.new(), {}
    local function note(name)
        return function() notes[#notes + 1] = name .. string.format("@%.2f", set.time) end
    end
    return set, notes, note
end

test("after_calls_once_with_argument_and_timer", function()
    local set, calls = Timer.new(), {}
    local timer
    timer = set:after(0.25, function(argument, self)
        calls[#calls + 1] = { argument, self == timer }
    end, "bomb")
    set:update(0.2)
    expect({}, calls)
    near(0.05, timer:remaining())
    set:update(0.1)
    set:update(10)
    expect({ { "bomb", true } }, calls)
    expect({ false, 0, 0 }, { timer:is_active(), timer:remaining(), set:count() })
end)

test("a_set_is_saved_and_loaded_with_times_and_chains", function()
    local set, calls = Timer.new(), {}
    function note_call(name) calls[#calls + 1] = name end
    set:update(0.1)
    set:after(0.5, "note_call", "a"):next(0.25, "note_call", "b")
    set:every(0.4, "note_call", 3, "c")
    set:after(9, "note_call", "late"):cancel()
    set:update(0.45)
    local saved = set:save()
    expect({ "c" }, calls)
    for _ = 1, 10 do set:update(0.1) end
    local expected = calls
    calls = { "c" }
    local again = Timer.load(saved)
    expect(3, again:count())
    for _ = 1, 10 do again:update(0.1) end
    expect(expected, calls)
    expect(0, again:count())
    set:after(1, print)
    refused("the callback of a timer is a function", set.save, set)
end)

test("calls_come_in_the_order_of_their_times_then_of_their_making", function()
    local set, notes, note = noted()
    set:after(0.3, note("d"))
    set:after(0.1, note("a"))
    set:every(0.2, note("b"), 1)
    set:after(0.2, note("c"))
    set:update(1)
    expect({ "a@0.10", "b@0.20", "c@0.20", "d@0.30" }, notes)
end)

test("zero_seconds_is_the_next_update", function()
    local set, notes, note = noted()
    set:after(0, note("now"))
    expect({}, notes)
    set:update(0)
    expect({ "now@0.00" }, notes)
end)

test("sums_of_dt_that_are_a_little_short_are_enough", function()
    local set, count = Timer.new(), 0
    set:after(1, function() count = count + 1 end)
    for _ = 1, 10 do set:update(0.1) end
    expect(1, count)
end)

test("every_repeats_without_drift", function()
    local set, notes, note = noted()
    local timer = set:every(0.5, note("tick"))
    for _ = 1, 5 do set:update(0.4) end
    expect({ "tick@0.50", "tick@1.00", "tick@1.50", "tick@2.00" }, notes)
    expect({ true, 1 }, { timer:is_active(), set:count() })
end)

test("every_with_a_count_ends", function()
    local set, notes, note = noted()
    local timer = set:every(0.5, note("tick"), 3)
    set:update(100)
    expect({ "tick@0.50", "tick@1.00", "tick@1.50" }, notes)
    expect({ false, 0 }, { timer:is_active(), set:count() })
end)

test("a_long_update_calls_at_most_100_times_and_keeps_the_rhythm", function()
    local set, count = Timer.new(), 0
    set:every(0.01, function() count = count + 1 end)
    set:update(60.005)
    expect(100, count)
    set:update(0.001)
    expect(100, count)
    set:update(0.005)
    expect(101, count)
    set:every(1e-300, function() end)
    set:update(1)
end)

test("chains_count_from_when_the_timer_before_was_due", function()
    local set, notes, note = noted()
    set:after(0.5, note("a")):next(0.25, note("b")):next_every(0.1, note("c"), 2):next(0, note("d"))
    expect(4, set:count())
    set:update(0.6)
    expect({ "a@0.50" }, notes)
    set:update(5)
    expect({ "a@0.50", "b@0.75", "c@0.85", "c@0.95", "d@0.95" }, notes)
    expect(0, set:count())
end)

test("remaining_of_a_chain", function()
    local set = Timer.new()
    local last = set:every(1, function() end, 3):next(0.5, function() end)
    near(3.5, last:remaining())
    set:update(1.25)
    near(2.25, last:remaining())
    set:update(2)
    near(0.25, last:remaining())
end)

test("something_may_follow_a_timer_that_has_ended", function()
    local set, notes, note = noted()
    local first = set:after(1, note("a"))
    set:update(1)
    first:next(1, note("b"))
    set:update(1)
    expect({ "a@1.00", "b@2.00" }, notes)
end)

test("cancel_ends_what_has_not_happened_of_a_chain", function()
    for _, which in ipairs { "first", "last" } do
        local set, notes, note = noted()
        local first = set:after(1, note("a"))
        local last = first:next(1, note("b")):next(1, note("c"))
        set:update(1)
        expect(true, (which == "first" and first or last):cancel())
        expect(false, last:cancel())
        set:update(9)
        expect({ "a@1.00" }, notes)
        expect({ false, 0, 0 }, { last:is_active(), last:remaining(), set:count() })
        refused("Timer.next: the timer was cancelled", last.next, last, 1, print)
    end
end)

test("callbacks_cancel_themselves_and_others", function()
    local set, notes, note = noted()
    local count, other = 0, nil
    set:every(0.1, function(_, timer)
        count = count + 1
        if count == 3 then timer:cancel() other:cancel() end
    end)
    other = set:every(0.1, note("other"))
    local new = set:after(1, print)
    new:cancel()
    set:update(1)
    expect(3, count)
    expect({ "other@0.10", "other@0.20" }, notes)
    expect(0, set:count())
end)

test("a_timer_made_by_a_callback_counts_from_its_time_and_comes_with_the_next_update", function()
    local set, notes, note = noted()
    set:after(0.5, function() set:after(0.1, note("inner")) end)
    set:update(1)
    expect({}, notes)
    set:update(0)
    expect({ "inner@0.60" }, notes)
end)

test("callbacks_that_make_timers_do_not_run_for_ever", function()
    local set, counts = Timer.new(), { 0, 0, 0 }
    local function again() counts[1] = counts[1] + 1 set:after(0, again) end
    local function follow(_, timer) counts[2] = counts[2] + 1 timer:next(0, follow) end
    local tail
    local function append() counts[3] = counts[3] + 1 tail = tail:next(0, append) end
    set:after(0, again)
    set:after(0, follow)
    tail = set:after(0, append):next(0, append)
    for _ = 1, 5 do set:update(1) end
    expect({ 5, 5, 10 }, counts)
end)

test("a_chain_that_grows_keeps_nothing_of_its_past", function()
    local set = Timer.new()
    local function follow(_, timer) timer:next(0, follow) end
    set:after(0, follow)
    local tail
    local function append() tail = tail:next(0, append) end
    tail = set:after(0, append):next(0, append)
    for _ = 1, 1000 do set:update(1) end
    collectgarbage()
    local before = collectgarbage("count")
    for _ = 1, 10000 do set:update(1) end
    collectgarbage()
    assert(collectgarbage("count") - before < 100, "kept " .. collectgarbage("count") - before)
end)

test("cancel_all", function()
    local set, notes, note = noted()
    set:after(1, note("a")):next(1, note("b"))
    set:every(1, note("c"))
    set:update(0.5)
    set:after(0.2, note("d"))
    set:cancel_all()
    expect(0, set:count())
    set:update(9)
    expect({}, notes)
end)

test("paths_are_looked_up_when_called", function()
    Game = { bombs = { explode = function(bomb) bomb.state = "old" end } }
    local set, bomb = Timer.new(), {}
    set:every(1, "Game.bombs.explode", nil, bomb)
    set:update(1)
    expect("old", bomb.state)
    Game.bombs = { explode = function(bomb) bomb.state = "new" end }
    set:update(1)
    expect("new", bomb.state)
    Game.bombs = nil
    refused('the callback "Game.bombs.explode" is a nil; expected a function', set.update, set, 1)
end)

test("an_error_reaches_the_caller_and_the_set_goes_on", function()
    local set, notes, note = noted()
    local function fail() error("broken") end
    set:after(0.1, fail):next(0.1, note("next"))
    set:every(0.1, note("before"), 2)
    set:after(0.15, note("after"))
    refused("broken", set.update, set, 1)
    expect({}, notes)
    expect(3, set:count())
    set:update(0)
    expect({ "before@0.10", "after@0.15", "before@0.20", "next@0.20" }, notes)
    expect(0, set:count())
end)

test("a_timer_that_always_fails_holds_up_no_other", function()
    local set, fails, calls = Timer.new(), 0, 0
    set:every(0.001, function() fails = fails + 1 error("broken") end)
    set:every(0.1, function() calls = calls + 1 end)
    for _ = 1, 20 do pcall(set.update, set, 0.1) end
    expect({ 20, 19 }, { fails, calls })
end)

test("bad_arguments_are_errors_that_name_them", function()
    local set, nan = Timer.new(), 0 / 0
    local text = refused("Timer.after: argument 2 (seconds): expected a finite number of at least 0,"
        .. " got -1", function() set:after(-1, print) end)
    assert(text:find("^scripts/main.lua:%d+: "), text)
    refused("argument 2 (seconds): expected a finite number of at least 0, got nan", set.after, set, nan)
    refused("got inf", set.after, set, math.huge, print)
    refused("got nil", set.after, set, nil, print)
    refused("got \\"1\\"", set.after, set, "1", print)
    refused("Timer.after: argument 3 (callback): expected a function or the path", set.after, set, 1)
    for _, path in ipairs { "", ".", "a.", ".a", "a..b", "a b", "a.1", "1", "a()" } do
        refused("argument 3 (callback)", set.after, set, 1, path)
    end
    text = refused("Timer.every: argument 2 (seconds): expected a finite number above 0, got 0",
        function() set:every(0, print) end)
    assert(text:find("^scripts/main.lua:%d+: "), text)
    refused("Timer.every: argument 2 (seconds)", set.every, set, -1, print)
    refused("Timer.every: argument 2 (seconds)", set.every, set, nan, print)
    refused("Timer.every: argument 4 (count): expected an integer from 1", set.every, set, 1, print, 0)
    refused("argument 4 (count)", set.every, set, 1, print, 1.5)
    refused("argument 4 (count)", set.every, set, 1, print, nan)
    refused("Timer.update: argument 2 (dt)", set.update, set, -0.1)
    refused("Timer.update: argument 2 (dt)", set.update, set, nan)
    local timer = set:after(1, print)
    refused("Timer.next: argument 2 (seconds)", timer.next, timer, -1, print)
    refused("Timer.next_every: argument 2 (seconds)", timer.next_every, timer, 0, print)
    timer:next(1, print)
    refused("Timer.next: a timer follows this one already", timer.next, timer, 1, print)
    local endless = set:every(1, print)
    refused("Timer.next: the timer repeats without end", endless.next, endless, 1, print)
    expect(3, set:count())
end)

test("an_update_makes_no_garbage", function()
    local set = Timer.new()
    Game = { count = 0, add = function() Game.count = Game.count + 1 end }
    for i = 1, 1000 do set:every(0.01 * (1 + i % 7), "Game.add") end
    local bytes = garbage_of(function() set:update(0.016) end)
    assert(Game.count > 10000)
    assert(bytes < 100, bytes)
end)

test("random_timers_come_as_a_simple_model_says", function()
    math.randomseed(5)
    for round = 1, 30 do
        local set, notes, model, handles = Timer.new(), {}, {}, {}
        for i = 1, 100 do
            local due = math.random(0, 50) / 10
            handles[i] = set:after(due, function() notes[#notes + 1] = i end)
            model[i] = { due = due, number = i }
        end
        for i = 1, 40 do
            local number = math.random(100)
            handles[number]:cancel()
            model[number].is_cancelled = true
            if i == 20 then set:update(0) end
        end
        local expected = {}
        for _, one in ipairs(model) do
            if not one.is_cancelled then expected[#expected + 1] = one end
        end
        local zero = #notes
        table.sort(expected, function(a, b)
            return a.due < b.due or (a.due == b.due and a.number < b.number)
        end)
        for _ = 1, 60 do set:update(0.1) end
        local want, place = {}, 0
        for i, one in ipairs(expected) do
            if one.due > 0 then want[#want + 1] = one.number end
        end
        local got = {}
        for i = #notes - #want + 1, #notes do got[#got + 1] = notes[i] end
        expect(want, got)
        expect(0, set:count())
    end
end)
"""

EASING = """
local Easing = require "core/lua/easing"

test("every_curve_starts_at_0_and_ends_at_1_exactly", function()
    local count = 0
    for name, curve in pairs(Easing) do
        if name ~= "bezier" then
            expect({ 0, 1 }, { curve(0), curve(1) }, name)
            count = count + 1
        end
    end
    expect(31, count)
end)

test("in_out_is_symmetric_and_out_is_in_turned_around", function()
    for name, curve in pairs(Easing) do
        local kind = name:match("^in_out_(.*)")
        for t = 0, 1, 0.05 do
            if kind then
                near(1, curve(t) + curve(1 - t), name)
                near(1, Easing["in_" .. kind](t) + Easing["out_" .. kind](1 - t), kind)
            end
        end
    end
end)

-- Values of easings.net's functions.
test("curves_have_the_known_values", function()
    for name, value in pairs {
        in_quad = 0.0625, in_cubic = 0.015625, in_quart = 0.00390625, in_quint = 0.0009765625,
        in_sine = 0.0761204675, in_expo = 0.0055242717, in_circ = 0.0317541634,
        in_back = -0.0641365625, in_elastic = -0.0055242717, in_bounce = 0.02734375,
        out_quad = 0.4375, out_back = 0.8174096875, out_elastic = 0.9116116524,
        out_bounce = 0.47265625, in_out_quad = 0.125, in_out_back = -0.0996818437,
        in_out_elastic = 0.0119694444, in_out_bounce = 0.1171875, linear = 0.25,
    } do
        near(value, Easing[name](0.25), name)
    end
end)

test("bezier_is_css", function()
    near(0.8024034, Easing.bezier(0.25, 0.1, 0.25, 1, 0.5))   -- ease
    near(0.3153568, Easing.bezier(0.42, 0, 1, 1, 0.5))        -- ease-in
    near(0.5, Easing.bezier(0.42, 0, 0.58, 1, 0.5))           -- ease-in-out
    near(0.7, Easing.bezier(0.5, 0.5, 0.5, 0.5, 0.7))
    for t = 0, 1, 0.01 do
        near(t, Easing.bezier(0, 0, 1, 1, t))
        near(1, Easing.bezier(1, 0, 0, 1, t) + Easing.bezier(1, 0, 0, 1, 1 - t))
    end
    expect({ 0, 1 }, { Easing.bezier(0.1, 2, 0.9, -1, 0), Easing.bezier(0.1, 2, 0.9, -1, 1) })
end)
"""

TWEENS = """
local Tween = require "core/lua/tween"

test("to_changes_numbers_of_a_table", function()
    local set, door = Tween.new(), { angle = 1, name = "door", size = { 2, 4, depth = { z = 0 } } }
    local tween = set:to(door, { angle = 2, size = { 4, depth = { z = -8 } } }, 2)
    expect({ 1, 1, true }, { door.angle, set:count(), tween:is_active() })
    set:update(0.5)
    expect({ 1.25, { 2.5, 4 }, -2 }, { door.angle, door.size, door.size.depth.z })
    near(0.25, tween:progress())
    set:update(1)
    expect({ 1.75, { 3.5, 4 }, -6 }, { door.angle, door.size, door.size.depth.z })
    set:update(1)
    expect({ 2, { 4, 4 }, -8 }, { door.angle, door.size, door.size.depth.z })
    expect({ 0, false, 1 }, { set:count(), tween:is_active(), tween:progress() })
    door.angle = 7
    set:update(1)
    expect(7, door.angle)
end)

test("the_end_is_exact", function()
    local set, value = Tween.new(), { x = 0.1 }
    set:to(value, { x = 0.3 }, 1, { easing = "in_out_elastic" })
    for _ = 1, 10 do set:update(0.1) end
    expect(true, value.x == 0.3)
end)

test("boxes", function()
    local set = Tween.new()
    local two, three, color = Vector2Box(1, 2), Vector3Box(0, 0, 0), Vector4Box(0, 0, 0, 1)
    local unit = { position = Vector3Box(1, 1, 1), angle = 0 }
    set:to(two, Vector2(3, 6), 1)
    set:to(three, Vector3Box(2, 4, 8), 1)
    set:to(color, Color(255, 255, 255), 1)
    set:to(unit, { position = Vector3(1, 2, 3), angle = 1 }, 1)
    set:update(0.5)
    expect(true, Vector2.equal(Vector2(2, 4), two:unbox()))
    expect(true, Vector3.equal(Vector3(1, 2, 4), three:unbox()))
    expect(true, Vector4.equal(Vector4(0.5, 0.5, 0.5, 1), color:unbox()))
    expect(true, Vector3.equal(Vector3(1, 1.5, 2), unit.position:unbox()))
    expect(0.5, unit.angle)
    set:update(0.5)
    expect(true, Vector3.equal(Vector3(2, 4, 8), three:unbox()))
end)

local UP = Vector3Box(0, 0, 1)
local function turn(angle) return Quaternion(UP:unbox(), angle) end
local function angle_of(box)
    local x, y, z, w = Quaternion.to_elements(box:unbox())
    near(1, x * x + y * y + z * z + w * w, "length")
    return 2 * math.atan2(z, w)
end

test("rotations_turn_at_a_constant_speed_the_shorter_way", function()
    local set, box, back = Tween.new(), QuaternionBox(turn(0.5)), QuaternionBox(turn(3))
    set:to(box, turn(2.5), 1)
    set:to(back, turn(-3), 1)
    for i = 1, 4 do
        set:update(0.25)
        near(0.5 + 2 * i / 4, angle_of(box), "angle")
        near(3 + (2 * math.pi - 6) * i / 4, angle_of(back) % (2 * math.pi), "back")
    end
    set:to(box, turn(2.5), 1)  -- to where it is
    set:update(0.5)
    near(2.5, angle_of(box))
    set:to(box, turn(0.5), 1, { easing = function(t) return t == 1 and 1 or 1.5 end })
    set:update(0.5)
    near(-0.5, angle_of(box), "beyond")
end)

test("relative", function()
    local set, value = Tween.new(), { x = 5, box = Vector3Box(1, 1, 1), turn = QuaternionBox(turn(1)) }
    set:to(value, { x = 2, box = Vector3(0, 0, 2), turn = turn(0.5) }, 1, { relative = true })
    set:update(0.5)
    expect({ 6, 2 }, { value.x, value.box:unbox().z })
    near(1.25, angle_of(value.turn))
    set:update(0.5)
    expect({ 7, 3 }, { value.x, value.box:unbox().z })
    near(1.5, angle_of(value.turn))
    expect(true, Vector3.equal(Vector3(1, 1, 3), value.box:unbox()))
end)

test("from_is_set_at_once", function()
    local set, value, box = Tween.new(), { x = 5 }, Vector3Box(0, 0, 4)
    set:from(value, { x = 1 }, 1, { delay = 1 })
    set:from(box, Vector3(0, 0, 0), 2)
    expect({ 1, 0 }, { value.x, box:unbox().z })
    set:update(1.5)
    expect({ 3, 3 }, { value.x, box:unbox().z })
    set:update(0.5)
    expect({ 5, 4 }, { value.x, box:unbox().z })
    set:to(value, { x = 4 }, 1, { from = { x = 2 } })
    expect(2, value.x)
    set:update(0.5)
    expect(3, value.x)
    set:cancel_all()
    set:to(value, { x = 4 }, 1, { from = { x = 2 }, relative = true })
    set:update(0.5)
    expect(4, value.x)
end)

test("delay_reads_the_start_late", function()
    local set, value = Tween.new(), { x = 0 }
    set:to(value, { x = 10 }, 1, { delay = 1 })
    set:update(0.9)
    expect(0, value.x)
    value.x = 8
    set:update(0.6)
    expect(9, value.x)
end)

test("times_and_yoyo", function()
    local set, value, back, twice = Tween.new(), { x = 0 }, { x = 0 }, { x = 0 }
    set:to(value, { x = 1 }, 1, { times = 3 })
    set:to(back, { x = 1 }, 1, { times = math.huge, yoyo = true })
    set:to(twice, { x = 1 }, 1, { times = 2, yoyo = true })
    local seen = {}
    for i = 1, 12 do
        set:update(0.25)
        seen[i] = back.x
    end
    expect({ 0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25, 0, 0.25, 0.5, 0.75, 1 }, seen)
    expect({ 1, 0, 1 }, { value.x, twice.x, set:count() })
    set:update(1000000.5)
    near(0.5, back.x)
end)

test("easing_by_name_points_function_and_path", function()
    local set, value = Tween.new(), { a = 0, b = 0, c = 0, d = 0 }
    Game = { curve = function(t) return t * t end }
    set:to(value, { a = 1 }, 1, { easing = "in_quad" })
    set:to(value, { b = 1 }, 1, { easing = { 0.42, 0, 1, 1 } })
    set:to(value, { c = 1 }, 1, { easing = function(t) return t / 2 end })
    set:to(value, { d = 1 }, 1, { easing = "Game.curve" })
    set:update(0.5)
    near(0.25, value.a) near(0.3153568, value.b) near(0.25, value.c) near(0.25, value.d)
    set:update(0.5)
    expect({ 1, 1, 0.5, 1 }, { value.a, value.b, value.c, value.d })
end)

test("next_and_parallel_count_from_exact_times", function()
    local set, a, b, c = Tween.new(), { x = 0 }, { x = 0 }, { x = 0 }
    set:to(a, { x = 1 }, 0.5):next(b, { x = 1 }, 1):parallel(c, { x = 4 }, 2)
        :next(a, { x = 0 }, 1, { delay = 0.5 })
    expect(4, set:count())
    set:update(0.75)
    expect({ 1, 0.25, 0.5 }, { a.x, b.x, c.x })
    set:update(1)
    expect({ 1, 1, 2.5 }, { a.x, b.x, c.x })
    set:update(1.25)  -- c ends at 2.5, so a begins at 3
    expect({ 1, 1, 4 }, { a.x, b.x, c.x })
    set:update(0.25)
    expect(0.75, a.x)
    set:update(9)
    expect({ 0, 0 }, { a.x, set:count() })
end)

test("what_follows_waits_for_the_longest_of_those_that_are_parallel", function()
    local set, a, b, c = Tween.new(), { x = 0 }, { x = 0 }, { x = 0 }
    set:to(a, { x = 1 }, 2):parallel(b, { x = 1 }, 1):next(c, { x = 1 }, 1)
    set:update(2.25)
    expect(0.25, c.x)
end)

test("a_long_update_runs_through_a_chain", function()
    local set, a = Tween.new(), { x = 0 }
    local calls = {}
    local options = { on_complete = function(target) calls[#calls + 1] = target.x end }
    set:to(a, { x = 1 }, 1, options):next(a, { x = 5 }, 1, options):next(a, { x = 2 }, 0, options)
    set:update(100)
    expect({ { 1, 5, 2 }, 2, 0 }, { calls, a.x, set:count() })
end)

test("something_may_follow_a_tween_that_has_ended", function()
    local set, a = Tween.new(), { x = 0 }
    local first = set:to(a, { x = 1 }, 1)
    set:update(5)
    local second = first:next(a, { x = 2 }, 1)
    set:update(0.5)
    expect(1.5, a.x)
    second:next(a, { x = 0 }, 1)
    set:update(1)
    expect(1, a.x)
end)

test("what_a_callback_appends_starts_when_the_tween_was_over", function()
    local set, a, b, c = Tween.new(), { x = 0 }, { x = 0 }, { x = 0 }
    set:to(a, { x = 1 }, 1, { on_complete = function(_, tween)
        tween:next(b, { x = 1 }, 1)
    end })
    set:update(1.25)
    expect(0, b.x)
    set:update(0.25)
    expect(0.5, b.x)
    -- Beside one that ended later in the same update: both must be over.
    local set = Tween.new()
    a.x, b.x = 0, 0
    local short = set:to(a, { x = 1 }, 1, { on_complete = function(_, tween)
        tween:next(c, { x = 1 }, 1)
    end })
    short:parallel(b, { x = 1 }, 1.5)
    set:update(1.75)
    set:update(0.25)
    expect(0.5, c.x)
    -- Outside of callbacks it starts now.
    local late = set:to(a, { x = 2 }, 1)
    set:update(5)
    late:next(a, { x = 3 }, 1)
    set:update(0.25)
    expect(2.25, a.x)
end)

test("a_chain_that_goes_on_keeps_nothing_of_what_is_over", function()
    local set, a, ended, count = Tween.new(), { x = 0 }, setmetatable({}, { __mode = "k" }), 0
    local function follow(_, tween)
        ended[tween] = true
        tween:next(a, { x = 1 }, 0, { on_complete = follow })
    end
    set:to(a, { x = 1 }, 0, { on_complete = follow })
    for _ = 1, 100 do set:update(1) end
    collectgarbage() collectgarbage()
    for _ in pairs(ended) do count = count + 1 end
    assert(count <= 3, count)
    set:cancel_all()
    -- Neither does one whose steps were all there before.
    local last = set:to(a, { x = 1 }, 1)
    local chain_of_last = last:next(a, { x = 1 }, 1)
    for _ = 1, 100 do chain_of_last = chain_of_last:next(a, { x = 1 }, 1) end
    set:update(50.5)
    count = 0
    for _ in pairs(chain_of_last.chain.steps) do count = count + 1 end
    expect(52, count)
    expect({ true, 0 }, { last:cancel(), set:count() })
end)

test("callbacks_get_target_and_tween", function()
    local set, target, seen = Tween.new(), { x = 0 }, {}
    local tween
    tween = set:to(target, { x = 1 }, 1, {
        on_update = function(it, self) seen[#seen + 1] = { "update", it == target, self == tween, it.x } end,
        on_complete = function(it, self) seen[#seen + 1] = { "complete", it == target, self == tween } end,
    })
    set:update(0.5)
    set:update(0.5)
    set:update(0.5)
    expect({ { "update", true, true, 0.5 }, { "update", true, true, 1 }, { "complete", true, true } },
        seen)
end)

test("value_calls_with_a_number", function()
    local set, seen = Tween.new(), {}
    set:value(10, 20, 1, { on_update = function(value) seen[#seen + 1] = value end,
        on_complete = function(value) seen[#seen + 1] = "end " .. value end })
    set:update(0.5)
    set:update(0.5)
    expect({ 15, 20, "end 20" }, seen)
    refused("on_update: expected a callback, got nil", set.value, set, 1, 2, 1)
    refused("argument 3 (last): expected a finite number, got nan", set.value, set, 1, 0 / 0, 1)
end)

test("cancel", function()
    local set, a, b = Tween.new(), { x = 0 }, { x = 0 }
    local done = 0
    local options = { on_complete = function() done = done + 1 end }
    local first = set:to(a, { x = 1 }, 1, options)
    local last = first:next(b, { x = 1 }, 1, options)
    set:update(0.5)
    expect({ true, false, false }, { last:cancel(), first:cancel(), first:is_active() })
    set:update(9)
    expect({ 0.5, 0, 0, 0 }, { a.x, b.x, done, set:count() })
    refused("Tween.next: the tween was cancelled", first.next, first, a, { x = 1 }, 1)
    set:to(a, { x = 1 }, 1, options)
    set:to(b, { x = 1 }, 1)
    expect({ 1, 1 }, { set:cancel_target(a), set:count() })
    set:cancel_all()
    expect(0, set:count())
end)

test("callbacks_cancel_and_make_tweens", function()
    local set, a, b, c = Tween.new(), { x = 0 }, { x = 0 }, { x = 0 }
    local other
    set:to(a, { x = 1 }, 1, { on_update = function(_, tween)
        tween:cancel()
        other:cancel()
        set:to(c, { x = 1 }, 1)
    end })
    other = set:to(b, { x = 1 }, 1)
    set:update(0.5)
    expect({ 0.5, 0, 0, 1 }, { a.x, b.x, c.x, set:count() })
    set:update(0.5)
    expect({ 0.5, 0, 0.5 }, { a.x, b.x, c.x })
end)

test("callbacks_that_make_tweens_do_not_run_for_ever", function()
    local set, counts = Tween.new(), { 0, 0, 0 }
    local a = { x = 0 }
    local function again()
        counts[1] = counts[1] + 1
        set:to(a, { x = 1 }, 0, { on_complete = again })
    end
    local function follow(_, tween)
        counts[2] = counts[2] + 1
        tween:next(a, { x = 1 }, 0, { on_complete = follow })
    end
    local tail
    local function append()
        counts[3] = counts[3] + 1
        tail = tail:next(a, { x = 1 }, 0, { on_complete = append })
    end
    again() counts[1] = 0
    set:to(a, { x = 1 }, 0, { on_complete = follow })
    tail = set:to(a, { x = 1 }, 0, { on_complete = append }):next(a, { x = 1 }, 0, { on_complete = append })
    for _ = 1, 5 do set:update(1) end
    expect({ 5, 5 }, { counts[1], counts[2] })
    assert(counts[3] <= 10, counts[3])
end)

test("an_error_reaches_the_caller_and_holds_up_no_other", function()
    local set, fails, done, list = Tween.new(), 0, 0, {}
    for i = 1, 9 do
        list[i] = { x = 0 }
        set:to(list[i], { x = 1 }, 1, i % 3 == 2 and {
            on_update = function() fails = fails + 1 error("broken") end,
        } or { on_complete = function() done = done + 1 end })
    end
    for _ = 1, 30 do pcall(set.update, set, 0.1) end
    for i = 1, 9 do expect(1, list[i].x) end
    expect({ 6, 0 }, { done, set:count() })
    local a, b, c = { x = 0 }, { x = 0 }, { x = 0 }
    set:to(a, { x = 1 }, 0.1)  -- ends, and leaves its place
    set:to(b, { x = 1 }, 1, { on_update = function() error("broken") end })
    set:to(c, { x = 1 }, 1)
    pcall(set.update, set, 0.25)
    pcall(set.update, set, 0.25)
    expect(0.5, c.x)
    set:cancel_all()
    local other, bad = { x = 0 }, { x = 0 }
    set:to(bad, { x = 1 }, 1, { easing = function() return 0 / 0 end })
    set:to(other, { x = 1 }, 1)
    refused("an easing of a tween gave", set.update, set, 0.25)
    pcall(set.update, set, 0.25)
    expect(0.5, other.x)
    set:cancel_all()
    set:to(bad, { x = 1 }, 1)
    bad.x = nil
    refused('"x" of its target is a nil now; expected a number', set.update, set, 0.1)
    expect(0, set:count())
end)

test("bad_arguments_are_errors_that_name_them", function()
    local set, value, nan = Tween.new(), { x = 1, name = "a", box = Vector3Box(1, 2, 3) }, 0 / 0
    local function bad(text, ...) return refused(text, set.to, set, ...) end
    local text = refused("Tween.to: argument 2 (target): expected a table or a box, got nil",
        function() set:to(nil, { x = 1 }, 1) end)
    assert(text:find("^scripts/main.lua:%d+: "), text)
    bad("argument 3 (goal): expected a table, got 5", value, 5, 1)
    text = refused("Tween.to: argument 3 (goal), x: expected a finite number, got nan",
        function() set:to(value, { x = nan }, 1) end)
    assert(text:find("^scripts/main.lua:%d+: "), text)
    bad("(goal), y: expected a number, a table or a box to change in the target, got nil", value, { y = 1 }, 1)
    bad("(goal), name: expected a number, a table or a box", value, { name = 1 }, 1)
    bad("(goal), box: expected a Vector3 or a Vector3Box, got 1", value, { box = 1 }, 1)
    bad("(goal), box: expected a Vector3 or a Vector3Box, got Vector4", value, { box = Color(1, 1, 1) }, 1)
    bad("(goal) from, x: expected a finite number", value, { x = 1 }, 1, { from = { x = "a" } })
    bad("argument 4 (seconds): expected a finite number of at least 0, got -1", value, { x = 1 }, -1)
    bad("argument 4 (seconds): expected a finite number of at least 0, got nan", value, { x = 1 }, nan)
    bad("argument 5 (options): expected a table", value, { x = 1 }, 1, 5)
    bad('unknown option "eas"; expected easing, delay', value, { x = 1 }, 1, { eas = 1 })
    bad("easing: expected a name of core/lua/easing", value, { x = 1 }, 1, { easing = "quick" })
    bad("easing, [3]: expected a number from 0 to 1, got 2", value, { x = 1 }, 1, { easing = { 0, 0, 2, 0 } })
    bad("easing, [4]: expected a finite number, got nil", value, { x = 1 }, 1, { easing = { 0, 0, 1 } })
    bad("delay: expected a finite number of at least 0", value, { x = 1 }, 1, { delay = -1 })
    bad("times: expected an integer from 1", value, { x = 1 }, 1, { times = 0 })
    bad("yoyo: expected a boolean", value, { x = 1 }, 1, { yoyo = 1 })
    bad("on_update: expected a function", value, { x = 1 }, 1, { on_update = 5 })
    bad("times: expected a number of plays", value, { x = 1 }, 0, { times = math.huge })
    refused("Tween.update: argument 2 (dt)", set.update, set, nan)
    refused("Tween.from: argument 5 (options)", set.from, set, value, { x = 1 }, 1, { relative = true })
    local endless = set:to(value, { x = 1 }, 1, { times = math.huge })
    refused("Tween.next: the tween plays without end", endless.next, endless, value, { x = 1 }, 1)
    local one = set:to(value, { x = 1 }, 1)
    one:next(value, { x = 1 }, 1)
    refused("Tween.next: tweens follow this one", one.next, one, value, { x = 1 }, 1)
    refused("cannot play without end", one.parallel, one, value, { x = 1 }, 1, { times = math.huge })
    local loop = {}
    loop.loop = loop
    bad("expected at most 8 tables inside each other", loop, loop, 1)
    expect(3, set:count())
end)

test("an_update_makes_no_garbage", function()
    local set, list = Tween.new(), {}
    Game = { count = 0, add = function() Game.count = Game.count + 1 end }
    for i = 1, 300 do
        list[i] = { x = 0, box = Vector3Box(0, 0, 0), turn = QuaternionBox(turn(0)) }
        set:to(list[i], { x = 1, box = Vector3(1, 1, 1), turn = turn(1) }, 1 + i % 3, {
            times = math.huge, yoyo = true, easing = i % 2 == 0 and "in_out_cubic" or { 0.4, 0, 1, 1 },
            on_update = "Game.add" })
    end
    local bytes = garbage_of(function() set:update(0.016) end)
    assert(Game.count > 10000)
    assert(bytes < 100, bytes)
end)

test("figures", function()
    local Timer, clock = require "core/lua/timer", Application.time_since_launch
    local function median_of(name, set, dt)
        local times = {}
        for i = 1, 101 do
            local before = clock()
            set:update(dt)
            times[i] = (clock() - before) * 1000
        end
        table.sort(times)  -- the median: others use this machine, too
        print(string.format("%s: %.4f ms an update", name, times[51]))
    end
    local set, list = Tween.new(), {}
    for i = 1, 10000 do
        list[i] = { x = 0, y = 0 }
        set:to(list[i], { x = 1, y = 2 }, 1 + i % 3, { times = math.huge, easing = "out_cubic" })
    end
    median_of("10,000 tweens of two numbers", set, 0.016)
    local timers = Timer.new()
    for i = 1, 100000 do timers:every(1 + i / 1000, print) end
    timers:update(0.01)
    median_of("100,000 timers that wait", timers, 0.001)
    timers = Timer.new()
    for i = 1, 10000 do timers:every(0.016, function() end) end
    median_of("10,000 timers that are all due", timers, 0.016)
end)
"""

RELOAD = """
local Timer, Tween = require "core/lua/timer", require "core/lua/tween"
Game = Game or { timers = Timer.new(), tweens = Tween.new(), ticks = {}, lamp = { x = 0 } }

function Game.tick()
    Game.ticks[#Game.ticks + 1] = VERSION
end

function init()
    Game.timers:every(0.1, "Game.tick")
    Game.tweens:to(Game.lamp, { x = 1 }, 1, { times = math.huge, on_update = "Game.show" })
end

function Game.show(lamp)
    Game.shown = VERSION
end

function update(dt)
    Game.timers:update(dt)
    Game.tweens:update(dt)
end
"""

# Calls the functions of the examples of docs/timers.md, and shows what came of them.
CALLS = """
local first, examples_update = init, update
local door, left, right, gate_lamp = { angle = 0 }, { angle = 0 }, { angle = 0 }, { brightness = 0 }
local thing, lamp = { height = 1 }, { is_on = false }
function init()
    first()
    Game.world = Application.new_world()
    Game.unit = World.spawn_unit(Game.world, "units/cube", Vector3(1, 2, 0))
    Game.blink(lamp)
    Game.count_down()
    Game.start_race()
    Game.open_door(door)
    Game.lift(Game.unit)
    Game.open_gate(left, right, gate_lamp)
    Game.float(thing)
    Game.fade_in()
end
local frames = 0
function update(dt)
    frames = frames + 1
    if frames <= 35 then
        examples_update(dt)
    elseif frames == 36 then
        local p, r = Unit.local_position(Game.unit, 1), Unit.local_rotation(Game.unit, 1)
        print(string.format("unit %.2f %.2f %.2f, turned by %.2f", p.x, p.y, p.z, Quaternion.angle(r)))
        print(string.format("door %.2f, gate %.2f %.2f, lamp %.2f, thing %.2f, volume %.2f, %s", door.angle,
            left.angle, right.angle, gate_lamp.brightness, thing.height, Game.volume, tostring(lamp.is_on)))
        lamp.is_broken = true
        Game.is_paused = true
        Game.menu = { x = 0 }
        Game.menu_tweens:to(Game.menu, { x = 1 }, 1)
    elseif frames <= 41 then
        Game.update_all(dt)
    else
        print(string.format("menu %.2f, thing %.2f, timers %d", Game.menu.x, thing.height, Game.timers:count()))
        Game.is_paused = false
        Game.update_all(1)
        print("timers " .. Game.timers:count())
        Application.quit()
    end
end
"""


class Timers(LuaTests):
    def test_timers(self):
        self.run_lua(TIMERS)

    def test_easing(self):
        self.run_lua(EASING)

    def test_tweens(self):
        for line in re.findall(r"\[lua\] (10.*an update)", self.run_lua(TWEENS)):
            print(line)

    def test_a_saved_script_goes_on_with_the_new_functions(self):
        project = self.compiled_project()
        script = os.path.join(project, "scripts", "main.lua")
        core = self.path("core")
        shutil.copytree(os.path.join(ROOT, "core"), core)
        write(script, RELOAD.replace("VERSION", "1"))
        with Game(project, "--fixed-dt", "0.05", env={"CUTTLE_CORE": core}) as game:
            game.console.wait_until("#Game.ticks > 3 and Game.shown", "1")
            write(script, RELOAD.replace("VERSION", "2"))
            game.console.wait_until("Game.ticks[#Game.ticks]", "2")
            game.console.wait_until("Game.shown", "2")
            self.assertEqual(game.console.script("Game.ticks[1]"), "1")
            self.assertEqual(game.console.script("Game.timers:count()"), "1")
            # The library itself changes, twice: what runs goes on, with the new code.
            for number in (3, 4):
                for name in ("timer", "tween"):
                    path = os.path.join(core, "lua", name + ".lua")
                    text = re.sub(r"(?m)^(function \w+:update\(dt\)\n)(    Core = \d\n)?",
                                  rf"\g<1>    Core = {number}\n", read(path))
                    write(path, text)
                game.console.wait_until("Core", str(number))
                ticks = int(game.console.script("#Game.ticks"))
                game.console.wait_until(f"#Game.ticks > {ticks + 3}", "true")
                game.console.wait_until("Game.timers:after(0, 'Game.tick'):is_active()", "true")
            self.assertNotIn("error", game.log())

    def test_the_examples_of_the_page_run(self):
        page = read(os.path.join(ROOT, "docs", "timers.md"))
        examples = re.findall(r"(?ms)^```lua\n(.*?)^```$", page)
        self.assertGreater(len(examples), 8)
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), "\n".join(examples) + CALLS)
        done = cuttle("run", project, "--headless", "--size", "16x16", "--fixed-dt", "0.1", check=0)
        lines = re.findall(r"(?m)^\[lua\] (.*)$", done.stdout + done.stderr)
        self.assertEqual(lines, [
            "tick", "ready", "open", "boom at the gate", "tick", "steady", "tick", "go",
            "unit 1.00 2.00 3.00, turned by 1.57",
            "door 1.50, gate 1.50 -1.50, lamp 1.00, thing 1.10, volume 1.00, true",
            "menu 0.50, thing 1.10, timers 1", "timers 0"])


if __name__ == "__main__":
    unittest.main()
