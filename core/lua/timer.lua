-- Timers: functions that are called after some time, or again and again. docs/timers.md explains
-- them.
--
--     local Timer = require "core/lua/timer"
--     Game.timers = Game.timers or Timer.new()    -- a set; the guard keeps it on a reload
--     Game.timers:update(dt)                      -- once a frame: dt of the world, or real time
--     Game.timers:after(2, "Game.explode", bomb)
--     Game.timers:every(0.5, function(lamp, timer) … end, 10, lamp)
--
-- A callback is a function, or the path of a global one as text, which is looked up at each call.
-- It is called with the timer's argument and the timer.
--
-- Times are exact: what follows another timer, and the next call of `every`, count from when the
-- call was due, not from the frame. What is due within a microsecond is due. Calls come in the
-- order of their times, those of one time in the order in which they were made. A timer that a
-- callback makes is called in the next update at the earliest, so no update runs for ever.
--
-- A set has a heap of timers by time. An update takes time for the calls that are due, and makes
-- no garbage. Everything about a timer is settled before its callback is called; after an error in
-- it the set goes on.

local Arguments = require "core/lua/arguments"

local TOLERANCE = 1e-6   -- seconds
local MOST_CALLS = 100   -- of one `every` in one update

local Timer = {}         -- functions of sets
Timer.__index = Timer

local Handle = {}        -- functions of timers
Handle.__index = Handle

-- --- The heap -----------------------------------------------------------------------------------
-- heap[1] is due first. A timer's `place` is its index in the heap, its negative index in `fresh`,
-- or 0.

local function is_before(a, b)
    return a.due < b.due or (a.due == b.due and a.order < b.order)
end

-- Moves a timer from the free place `place` up, and puts it there.
local function rise(heap, place, timer)
    while place > 1 do
        local above = math.floor(place / 2)
        if not is_before(timer, heap[above]) then
            break
        end
        heap[place] = heap[above]
        heap[place].place = place
        place = above
    end
    heap[place] = timer
    timer.place = place
end

-- Moves a timer from the free place `place` down, and puts it there.
local function sink(heap, count, place, timer)
    while 2 * place <= count do
        local below = 2 * place
        if below < count and is_before(heap[below + 1], heap[below]) then
            below = below + 1
        end
        if not is_before(heap[below], timer) then
            break
        end
        heap[place] = heap[below]
        heap[place].place = place
        place = below
    end
    heap[place] = timer
    timer.place = place
end

local function add_to_heap(set, timer)
    set.heap_count = set.heap_count + 1
    rise(set.heap, set.heap_count, timer)
end

local function take_from_heap(set, timer)
    local heap, count, place = set.heap, set.heap_count, timer.place
    local last = heap[count]
    heap[count] = nil
    set.heap_count = count - 1
    timer.place = 0
    if last == timer then
        return
    elseif place > 1 and is_before(last, heap[math.floor(place / 2)]) then
        rise(heap, place, last)
    else
        sink(heap, count - 1, place, last)
    end
end

-- Timers that were made since the last update began.
local function add_to_fresh(set, timer)
    set.fresh_count = set.fresh_count + 1
    set.fresh[set.fresh_count] = timer
    timer.place = -set.fresh_count
end

local function take_from_fresh(set, timer)
    local fresh, count, place = set.fresh, set.fresh_count, -timer.place
    fresh[place] = fresh[count]
    fresh[place].place = -place
    fresh[count] = nil
    set.fresh_count = count - 1
    timer.place = 0
end

local function move_fresh_to_heap(set)
    while set.fresh_count > 0 do
        local timer = set.fresh[set.fresh_count]
        take_from_fresh(set, timer)
        add_to_heap(set, timer)
    end
end

-- --- Life of a timer ----------------------------------------------------------------------------

-- Starts a timer that counts from `time`.
local function start(set, timer, time)
    set.num_orders = set.num_orders + 1
    timer.order = set.num_orders
    timer.due = time + timer.seconds
    timer.state = "started"
    if timer.made_in == set.num_updates then
        add_to_fresh(set, timer)
    else
        add_to_heap(set, timer)
    end
end

local function new_timer(set, seconds, callback, count, argument)
    return setmetatable({
        set = set, seconds = seconds, left = count, callback = callback, argument = argument,
        state = "waits",      -- "waits" for the timer before it, "started", "ended" or "cancelled"
        due = 0, order = 0,   -- when it is called next, and its place among those of one time
        place = 0,
        made_in = set.num_updates,
        called_in = -1, calls = 0,  -- the update with its last call, and its calls there
        before = false, after = false,  -- its neighbours in a chain; `before` only while it waits
    }, Handle)
end

local function finish(set, timer, state)
    if timer.place > 0 then
        take_from_heap(set, timer)
    elseif timer.place < 0 then
        take_from_fresh(set, timer)
    end
    timer.state = state
    set.num_timers = set.num_timers - 1
end

-- The first time of a repeating timer after this update.
local function time_after_update(set, timer, due)
    local limit = set.now + TOLERANCE
    local periods = math.floor((limit - due) / timer.seconds) + 1
    return math.max(due + periods * timer.seconds, limit + TOLERANCE)
end

-- Sets the next time of a repeating timer that is called now.
local function repeat_timer(set, timer)
    if timer.called_in ~= set.num_updates then
        timer.called_in = set.num_updates
        timer.calls = 0
    end
    timer.calls = timer.calls + 1
    local due = timer.due
    timer.due = due + timer.seconds
    if timer.calls >= MOST_CALLS and timer.due <= set.now + TOLERANCE then
        timer.due = time_after_update(set, timer, due)
    end
    sink(set.heap, set.heap_count, timer.place, timer)
end

-- Calls the timer that is due first.
local function call(set, timer)
    local due = timer.due
    set.time = math.min(due, set.now)
    timer.left = timer.left - 1
    if timer.left > 0 then
        repeat_timer(set, timer)
    else
        finish(set, timer, "ended")
        if timer.after then
            timer.after.before = false
            start(set, timer.after, due)
        end
    end
    set.failed = timer
    Arguments.callback(timer.callback)(timer.argument, timer)
    set.failed = false
end

-- A repeating timer whose call ended the last update misses its other calls of that update. Else
-- one that always fails would hold up all that is due after it.
local function skip_failed(set)
    local timer = set.failed
    set.failed = false
    if timer and timer.place > 0 and timer.due <= set.now + TOLERANCE then
        timer.due = time_after_update(set, timer, timer.due)
        sink(set.heap, set.heap_count, timer.place, timer)
    end
end

-- --- Sets ---------------------------------------------------------------------------------------

-- Makes a set of timers.
function Timer.new()
    return setmetatable({
        heap = {}, heap_count = 0, fresh = {}, fresh_count = 0,
        now = 0,   -- the sum of all dt
        time = 0,  -- what new timers count from: in a callback, the time at which it was due
        num_updates = 0, num_orders = 0, num_timers = 0,
        failed = false,  -- the timer whose callback runs, or ended the last update by an error
    }, Timer)
end

-- Lets `dt` seconds pass, and calls what is due.
function Timer:update(dt)
    Arguments.check_number("Timer.update: argument 2 (dt)", dt, 0)
    skip_failed(self)
    self.num_updates = self.num_updates + 1
    move_fresh_to_heap(self)
    self.now = self.now + dt
    local heap = self.heap
    while heap[1] and heap[1].due <= self.now + TOLERANCE do
        call(self, heap[1])
    end
    self.time = self.now
end

local function check_every(name, seconds, callback, count)
    Arguments.check_above_zero(name .. ": argument 2 (seconds)", seconds)
    Arguments.check_callback(name .. ": argument 3 (callback)", callback)
    if count ~= nil then
        Arguments.check_count(name .. ": argument 4 (count)", count)
    end
end

-- Calls `callback(argument, timer)` once, after `seconds`; 0 is in the next update. Returns the
-- timer.
function Timer:after(seconds, callback, argument)
    Arguments.check_number("Timer.after: argument 2 (seconds)", seconds, 0)
    Arguments.check_callback("Timer.after: argument 3 (callback)", callback)
    local timer = new_timer(self, seconds, callback, 1, argument)
    self.num_timers = self.num_timers + 1
    start(self, timer, self.time)
    return timer
end

-- Calls `callback(argument, timer)` every `seconds`, `count` times, or without end. When an update
-- passes several periods, that is as many calls, up to 100; the rest is left out, and not counted.
-- Returns the timer.
function Timer:every(seconds, callback, count, argument)
    check_every("Timer.every", seconds, callback, count)
    local timer = new_timer(self, seconds, callback, count or math.huge, argument)
    self.num_timers = self.num_timers + 1
    start(self, timer, self.time)
    return timer
end

-- Cancels all timers of the set.
function Timer:cancel_all()
    while self.heap_count > 0 do
        self.heap[self.heap_count]:cancel()
    end
    while self.fresh_count > 0 do
        self.fresh[self.fresh_count]:cancel()
    end
end

-- Returns the number of timers that have not ended, with those that wait in chains.
function Timer:count()
    return self.num_timers
end

-- Returns a table for SaveSystem: all timers with their times. Callbacks must be paths, and arguments
-- values that can be saved. A chain is saved as it is.
function Timer:save()
    local saved = { now = self.now, timers = {} }
    local places = {}
    local function add(timer)
        if type(timer.callback) ~= "string" then
            Arguments.fail("Timer.save: the callback of a timer is a function; expected the path of a "
                .. "global one as text")
        end
        local entry = { seconds = timer.seconds, left = timer.left, callback = timer.callback,
            argument = timer.argument, due = timer.due }
        saved.timers[#saved.timers + 1] = entry
        places[timer] = #saved.timers
        if timer.after then
            add(timer.after)
            entry.after = places[timer.after]
        end
    end
    local started = {}
    for _, list in ipairs({ self.heap, self.fresh }) do
        for _, timer in ipairs(list) do
            started[#started + 1] = timer
        end
    end
    table.sort(started, is_before)
    for _, timer in ipairs(started) do
        add(timer)
    end
    return saved
end

-- Makes a set of timers from what `save` returned.
function Timer.load(saved)
    local set = Timer.new()
    set.now, set.time = saved.now, saved.now
    local timers, follows = {}, {}
    for i, entry in ipairs(saved.timers) do
        timers[i] = new_timer(set, entry.seconds, entry.callback, entry.left, entry.argument)
        set.num_timers = set.num_timers + 1
        if entry.after then
            follows[entry.after] = i
        end
    end
    set.num_updates = 1  -- those that start are not new
    for i, entry in ipairs(saved.timers) do
        local timer = timers[i]
        if follows[i] then
            timer.before = timers[follows[i]]
            timers[follows[i]].after = timer
        else
            start(set, timer, entry.due - entry.seconds)
            take_from_heap(set, timer)
            timer.due = entry.due  -- to the bit
            add_to_heap(set, timer)
        end
    end
    return set
end

-- --- Timers -------------------------------------------------------------------------------------

local function follow(name, before, after)
    if before.state == "cancelled" then
        Arguments.fail("%s: the timer was cancelled, so nothing can follow it", name)
    elseif before.left == math.huge then
        Arguments.fail("%s: the timer repeats without end, so nothing can follow it; expected one "
            .. "with a count", name)
    elseif before.after then
        Arguments.fail("%s: a timer follows this one already; call next of that one", name)
    end
    local set = before.set
    before.after = after
    set.num_timers = set.num_timers + 1
    if before.state == "ended" then
        start(set, after, set.time)
    else
        after.before = before
    end
    return after
end

-- Calls `callback(argument, timer)` once, `seconds` after the last call of this timer. Returns the
-- new timer, so that calls make a chain.
function Handle:next(seconds, callback, argument)
    Arguments.check_number("Timer.next: argument 2 (seconds)", seconds, 0)
    Arguments.check_callback("Timer.next: argument 3 (callback)", callback)
    return follow("Timer.next", self, new_timer(self.set, seconds, callback, 1, argument))
end

-- Calls `callback(argument, timer)` every `seconds` after the last call of this timer. Returns the
-- new timer.
function Handle:next_every(seconds, callback, count, argument)
    check_every("Timer.next_every", seconds, callback, count)
    return follow("Timer.next_every", self,
        new_timer(self.set, seconds, callback, count or math.huge, argument))
end

-- Cancels the timer and everything of its chain that has not happened. Returns whether there was
-- anything.
function Handle:cancel()
    local timer, has_cancelled = self, false
    while timer.before do
        timer = timer.before
    end
    while timer do
        if timer.state == "waits" or timer.state == "started" then
            finish(timer.set, timer, "cancelled")
            has_cancelled = true
        end
        timer = timer.after
    end
    return has_cancelled
end

-- Returns whether the timer will be called, now or after those before it in its chain.
function Handle:is_active()
    return self.state == "waits" or self.state == "started"
end

-- Returns the seconds to the next call; 0 when the timer has ended.
function Handle:remaining()
    if not self:is_active() then
        return 0
    end
    local timer, seconds = self, 0
    while timer.state == "waits" do
        seconds = seconds + timer.seconds
        timer = timer.before
        seconds = seconds + (timer.left - 1) * timer.seconds
    end
    return math.max(timer.due - timer.set.time + seconds, 0)
end

return Timer
