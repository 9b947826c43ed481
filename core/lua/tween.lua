-- Tweens: numbers that change over time. docs/timers.md explains them.
--
--     local Tween = require "core/lua/tween"
--     Game.tweens = Game.tweens or Tween.new()    -- a set; the guard keeps it on a reload
--     Game.tweens:update(dt)                      -- once a frame: dt of the world, or real time
--     Game.tweens:to(door, { angle = 1.5 }, 0.4, { easing = "out_cubic" })
--         :next(lamp, { color = { 1, 0, 0 } }, 1)
--
-- A target is a table with numbers, with tables of numbers and with boxes (Vector2Box, Vector3Box,
-- Vector4Box for colours, QuaternionBox), or a box itself. The goal has what is to change in the
-- same form; vectors and quaternions are goals of boxes. Options:
--
--     easing       a name of core/lua/easing ("out_quad"), { x1, y1, x2, y2 } of a Bézier curve, a
--                  function or the path of a global one; "linear" without
--     delay        seconds before the first play
--     times        plays, 1 without; math.huge for no end
--     yoyo         true: every second play goes backwards
--     from         where to start, in the form of the goal, set at once; without it the tween
--                  starts where the target is after the delay
--     relative     true: the goal is added to where it starts; a rotation turns from there
--     on_update    callback(target, tween), in each update after the change
--     on_complete  callback(target, tween), at the end
--
-- A callback is a function, or the path of a global one as text, which is looked up at each call.
--
-- Times are exact: what follows starts when the one before it was over, not with the frame. A
-- tween that a callback makes moves from the next update on. An error of a callback or a function
-- of easing ends the update; the next one first moves the tweens that this one did not, so an
-- error of one holds up none, and the tween itself goes on.

local Arguments = require "core/lua/arguments"
local Easing = require "core/lua/easing"

local TOLERANCE = 1e-6  -- seconds
local DEPTH = 8         -- of tables in a goal
local NAMED = {}        -- the curves of core/lua/easing
for name, curve in pairs(Easing) do
    NAMED[name] = name ~= "bezier" and curve or nil
end

local Tween = {}        -- functions of sets
Tween.__index = Tween

local Handle = {}       -- functions of tweens
Handle.__index = Handle

-- The numbers in a box, by the name of its type.
local BOXES = {
    Vector2Box = { value = "Vector2", count = 2 },
    Vector3Box = { value = "Vector3", count = 3 },
    Vector4Box = { value = "Vector4", count = 4 },
    QuaternionBox = { value = "Quaternion", count = 4, is_rotation = true },
}

-- --- Goals --------------------------------------------------------------------------------------
-- What a tween changes: `numbers` has table, key, first and last of each number of a table, one
-- after the other; `boxes` has { box, type, first, last } of each box, where first and last are
-- arrays. `first` is false until the tween begins.

local function refuse(place, path, expected, value)
    Arguments.refuse(path == "" and place or place .. ", " .. path, expected, value)
end

local function numbers_of(value, count)
    return { value.x, value.y, count > 2 and value.z or nil, count > 3 and value.w or nil }
end

-- Returns the numbers of a vector, or of a box, for a box of the type `name`.
local function box_numbers(place, path, name, value)
    local box, type_name = BOXES[name], Script.type_name(value)
    if type_name == name then
        value = value:unbox()
    elseif type_name ~= box.value then
        refuse(place, path, "a " .. box.value .. " or a " .. name, value)
    end
    local numbers = numbers_of(value, box.count)
    for i = 1, box.count do
        if not (math.abs(numbers[i]) < math.huge) then
            refuse(place, path, "finite numbers in the " .. box.value, numbers[i])
        end
    end
    return numbers
end

local add_parts

-- Adds the part for `owner[key]`, or its parts.
local function add_member(parts, place, path, owner, key, goal, from, depth)
    local now = owner[key]
    if type(now) == "number" then
        Arguments.check_number(place .. ", " .. path, goal)
        if from ~= nil then
            Arguments.check_number(place .. " from, " .. path, from)
        end
        local numbers, count = parts.numbers, #parts.numbers
        numbers[count + 1], numbers[count + 2] = owner, key
        numbers[count + 3], numbers[count + 4] = from or false, goal
    elseif type(now) == "table" or BOXES[Script.type_name(now)] then
        add_parts(parts, place, path, now, goal, from, depth + 1)
    else
        refuse(place, path, "a number, a table or a box to change in the target", now)
    end
end

-- Adds the parts of a table or a box.
function add_parts(parts, place, path, target, goal, from, depth)
    local name = Script.type_name(target)
    if BOXES[name] then
        parts.boxes[#parts.boxes + 1] = {
            box = target, type = BOXES[name], last = box_numbers(place, path, name, goal),
            first = from ~= nil and box_numbers(place .. " from", path, name, from) or false,
        }
        return
    elseif type(goal) ~= "table" then
        refuse(place, path, "a table", goal)
    elseif from ~= nil and type(from) ~= "table" then
        refuse(place .. " from", path, "a table", from)
    elseif depth > DEPTH then
        refuse(place, path, "at most " .. DEPTH .. " tables inside each other", goal)
    end
    for key, value in pairs(goal) do
        local inner = path == "" and tostring(key) or path .. "." .. tostring(key)
        add_member(parts, place, inner, target, key, value, from and from[key], depth)
    end
end

-- --- Options ------------------------------------------------------------------------------------

local OPTIONS = {
    easing = true, delay = true, times = true, yoyo = true, from = true, relative = true,
    on_update = true, on_complete = true,
}

local function check_easing(place, easing)
    if type(easing) == "table" then
        for i = 1, 4 do
            Arguments.check_number(place .. ", [" .. i .. "]", easing[i])
        end
        for i = 1, 3, 2 do
            if easing[i] < 0 or easing[i] > 1 then
                Arguments.refuse(place .. ", [" .. i .. "]", "a number from 0 to 1", easing[i])
            end
        end
    elseif not (type(easing) == "function" or (type(easing) == "string"
            and (NAMED[easing] or easing:find(".", 1, true)))) then
        Arguments.refuse(place, "a name of core/lua/easing such as \"out_quad\", four numbers of a "
            .. "Bézier curve, a function or the path of a global one", easing)
    end
end

local function check_flag(place, value)
    if value ~= nil and type(value) ~= "boolean" then
        Arguments.refuse(place, "a boolean", value)
    end
end

local function check_options(name, seconds, options)
    Arguments.check_number(name .. ": argument 4 (seconds)", seconds, 0)
    local place = name .. ": argument 5 (options)"
    if type(options) ~= "table" then
        Arguments.refuse(place, "a table", options)
    end
    for key in pairs(options) do
        if not OPTIONS[key] then
            Arguments.fail("%s: unknown option \"%s\"; expected easing, delay, times, yoyo, from, "
                .. "relative, on_update or on_complete", place, tostring(key))
        end
    end
    check_easing(place .. ", easing", options.easing or "linear")
    Arguments.check_number(place .. ", delay", options.delay or 0, 0)
    Arguments.check_count(place .. ", times", options.times or 1)
    check_flag(place .. ", yoyo", options.yoyo)
    check_flag(place .. ", relative", options.relative)
    if seconds == 0 and options.times == math.huge then
        Arguments.fail("%s, times: expected a number of plays, since one takes 0 seconds, got inf",
            place)
    end
    for _, key in ipairs { "on_update", "on_complete" } do
        if options[key] ~= nil then
            Arguments.check_callback(place .. ", " .. key, options[key])
        end
    end
end

-- --- Values -------------------------------------------------------------------------------------

-- The numbers of a box that turns it from one rotation on by another.
local function turned(first, turn)
    local temporaries = Script.temp_count()
    local product = Quaternion.multiply(Quaternion.from_elements(unpack(first)),
        Quaternion.from_elements(unpack(turn)))
    local numbers = { Quaternion.to_elements(product) }
    Script.set_temp_count(temporaries)
    return numbers
end

local function begin_box(part, is_relative)
    if not part.first then
        local temporaries = Script.temp_count()
        part.first = numbers_of(part.box:unbox(), part.type.count)
        Script.set_temp_count(temporaries)
    end
    if is_relative and part.type.is_rotation then
        part.last = turned(part.first, part.last)
    elseif is_relative then
        for i = 1, part.type.count do
            part.last[i] = part.first[i] + part.last[i]
        end
    end
end

local function begin_number(tween, numbers, i)
    local first = numbers[i + 2] or numbers[i][numbers[i + 1]]
    if type(first) ~= "number" then
        tween:cancel()
        error(string.format("a tween is cancelled: \"%s\" of its target is a %s now; expected a "
            .. "number", tostring(numbers[i + 1]), Script.type_name(first)), 0)
    end
    numbers[i + 2] = first
    numbers[i + 3] = tween.is_relative and first + numbers[i + 3] or numbers[i + 3]
end

-- Reads where the tween starts, and finds where it ends.
local function begin(tween)
    tween.has_begun = true
    for i = 1, #tween.numbers, 4 do
        begin_number(tween, tween.numbers, i)
    end
    for i = 1, #tween.boxes do
        begin_box(tween.boxes[i], tween.is_relative)
    end
end

-- Stores the rotation at `share` of the shorter way, at a constant speed; shares below 0 and above
-- 1 are further on the same circle.
local function store_rotation(box, first, last, share)
    local ax, ay, az, aw = first[1], first[2], first[3], first[4]
    local bx, by, bz, bw = last[1], last[2], last[3], last[4]
    local cosine = ax * bx + ay * by + az * bz + aw * bw
    local sign = cosine < 0 and -1 or 1
    local angle = math.acos(math.min(cosine * sign, 1))
    local a, b = 1 - share, share * sign
    if angle > 1e-4 then
        local sine = math.sin(angle)
        a, b = math.sin((1 - share) * angle) / sine, sign * math.sin(share * angle) / sine
    end
    local x, y, z, w = a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw
    local scale = 1 / math.sqrt(x * x + y * y + z * z + w * w)
    box:store(x * scale, y * scale, z * scale, w * scale)
end

local function store_box(part, share)
    local first, last, count = part.first, part.last, part.type.count
    if part.type.is_rotation and share ~= 1 then
        return store_rotation(part.box, first, last, share)
    end
    local a, b = share == 1 and 0 or 1 - share, share
    local x, y = a * first[1] + b * last[1], a * first[2] + b * last[2]
    if count == 2 then
        part.box:store(x, y)
    elseif count == 3 then
        part.box:store(x, y, a * first[3] + b * last[3])
    else
        part.box:store(x, y, a * first[3] + b * last[3], a * first[4] + b * last[4])
    end
end

-- Sets the target to what it is at `share` of the way.
local function apply(tween, share)
    local numbers, boxes = tween.numbers, tween.boxes
    for i = 1, #numbers, 4 do
        local first, last = numbers[i + 2], numbers[i + 3]
        if share == 1 then
            numbers[i][numbers[i + 1]] = last  -- exactly
        else
            numbers[i][numbers[i + 1]] = first + (last - first) * share
        end
    end
    for i = 1, #boxes do
        store_box(boxes[i], share)
    end
end

local function eased(easing, progress)
    local curve = NAMED[easing]
    if curve then
        return curve(progress)
    elseif type(easing) == "table" then
        return Easing.bezier(easing[1], easing[2], easing[3], easing[4], progress)
    end
    local share = Arguments.callback(easing)(progress)
    if type(share) ~= "number" or not (math.abs(share) < math.huge) then
        error(string.format("an easing of a tween gave %s for %g; expected a finite number",
            tostring(share), progress), 0)
    end
    return share
end

-- --- Life of a tween ----------------------------------------------------------------------------
-- A chain is { steps, step, last_step, running, end_time }: arrays of tweens by number, from the one
-- that runs, or ran last, to the last one; how many of it have not ended; when it did. A tween
-- outside of chains has none.

local function add_to_active(set, tween, time)
    set.active_count = set.active_count + 1
    set.active[set.active_count] = tween
    tween.place = set.active_count
    tween.start = time
    tween.state = "started"
    if tween.has_from then
        begin(tween)
        apply(tween, 0)
    end
end

local function take_from_active(set, tween)
    set.active[tween.place] = false
    set.num_holes = set.num_holes + 1
    tween.place = 0
end

-- Starts the next step of a chain at `time`, and forgets the one before.
local function start_next_step(set, chain, time)
    chain.steps[chain.step] = nil
    chain.step = chain.step + 1
    local step = chain.steps[chain.step]
    chain.running = #step
    for i = 1, #step do
        add_to_active(set, step[i], time)
    end
end

-- Ends a tween at `time`; the next step of its chain starts when it was the last of this one.
local function finish(set, tween, time)
    take_from_active(set, tween)
    tween.state = "ended"
    set.num_tweens = set.num_tweens - 1
    local chain = tween.chain
    if not chain then
        return
    end
    chain.running = chain.running - 1
    chain.end_time = math.max(chain.end_time, time)
    if chain.running == 0 and chain.step < chain.last_step then
        start_next_step(set, chain, chain.end_time)
    end
end

local function call_back(tween, callback)
    Arguments.callback(callback)(tween.is_value and tween.target.value or tween.target, tween)
end

-- Where a tween is, from 0 to 1, at `elapsed` seconds after its delay, before `total`.
local function progress_at(tween, elapsed)
    local plays = elapsed / tween.seconds
    local play = math.floor(plays)
    local progress = plays - play
    return tween.yoyo and play % 2 == 1 and 1 - progress or progress
end

local function move(set, tween)
    local elapsed = set.now - tween.start - tween.delay
    if elapsed < -TOLERANCE then
        return
    elseif not tween.has_begun then
        begin(tween)
    end
    local total = tween.seconds * tween.times
    if elapsed < total - TOLERANCE then
        apply(tween, eased(tween.easing, progress_at(tween, math.max(elapsed, 0))))
        if tween.on_update then
            call_back(tween, tween.on_update)
        end
        return
    end
    apply(tween, eased(tween.easing, tween.yoyo and tween.times % 2 == 0 and 0 or 1))
    local end_time = tween.start + tween.delay + total
    finish(set, tween, end_time)
    set.time = math.min(end_time, set.now)
    if tween.on_update then
        call_back(tween, tween.on_update)
    end
    if tween.on_complete then
        call_back(tween, tween.on_complete)
    end
    set.time = set.now
end

-- --- Sets ---------------------------------------------------------------------------------------

-- Makes a set of tweens.
function Tween.new()
    return setmetatable({
        active = {}, active_count = 0,
        num_holes = 0,  -- places with false in `active`: ended ones, until the next update
        now = 0,   -- the sum of all dt
        time = 0,  -- where what follows an ended tween starts: in callbacks at the end of one, its end
        num_updates = 0, num_tweens = 0,
        cursor = 0,  -- the place of the tween that moves, or ended the last update by an error
    }, Tween)
end

-- Closes the holes that ended tweens left.
local function close_holes(set)
    local active, kept, cursor = set.active, 0, set.cursor
    for i = 1, set.active_count do
        local tween = active[i]
        if tween and kept + 1 < i then
            active[i] = false
            active[kept + 1] = tween
            tween.place = kept + 1
        end
        kept = tween and kept + 1 or kept
        if i == cursor then
            set.cursor = kept
        end
    end
    for i = kept + 1, set.active_count do
        active[i] = nil
    end
    set.active_count, set.num_holes = kept, 0
end

-- Moves the tween at a place, unless this update made it.
local function move_at(set, place)
    local tween = set.active[place]
    if tween and tween.made_in ~= set.num_updates then
        set.cursor = place
        move(set, tween)
    end
end

-- Lets `dt` seconds pass: changes the targets, and calls the callbacks.
function Tween:update(dt)
    Arguments.check_number("Tween.update: argument 2 (dt)", dt, 0)
    if self.num_holes > 0 then
        close_holes(self)
    end
    self.num_updates = self.num_updates + 1
    self.now = self.now + dt
    self.time = self.now
    local first = self.cursor
    local place = first + 1
    while place <= self.active_count do  -- grows with the steps of chains
        move_at(self, place)
        place = place + 1
    end
    for before = 1, first do
        move_at(self, before)
    end
    self.cursor = 0
end

local function new_tween(set, name, target, goal, seconds, options)
    options = options or {}
    check_options(name, seconds, options)
    if type(target) ~= "table" and not BOXES[Script.type_name(target)] then
        Arguments.refuse(name .. ": argument 2 (target)", "a table or a box", target)
    end
    local parts = { numbers = {}, boxes = {} }
    add_parts(parts, name .. ": argument 3 (goal)", "", target, goal, options.from, 1)
    return setmetatable({
        set = set, target = target, numbers = parts.numbers, boxes = parts.boxes,
        seconds = seconds, easing = options.easing or "linear",
        delay = options.delay or 0, times = options.times or 1,
        yoyo = options.yoyo or false, is_relative = options.relative or false,
        on_update = options.on_update or false, on_complete = options.on_complete or false,
        has_from = options.from ~= nil,
        has_begun = false, is_value = false,
        state = "waits",      -- "waits" for the step before, "started", "ended" or "cancelled"
        start = 0, place = 0, made_in = set.num_updates,
        chain = false, step = 1,
    }, Handle)
end

local function start_alone(set, tween)
    set.num_tweens = set.num_tweens + 1
    add_to_active(set, tween, set.now)
    return tween
end

-- Changes the target to the goal in `seconds`. Returns the tween.
function Tween:to(target, goal, seconds, options)
    return start_alone(self, new_tween(self, "Tween.to", target, goal, seconds, options))
end

-- Changes the target from `start`, set at once, to what it is now. Returns the tween.
function Tween:from(target, start, seconds, options)
    local tween = new_tween(self, "Tween.from", target, start, seconds, options)
    if tween.has_from or tween.is_relative then
        Arguments.fail("Tween.from: argument 5 (options): from and relative are for Tween.to only")
    end
    local numbers = tween.numbers
    for i = 1, #numbers, 4 do
        numbers[i + 2], numbers[i + 3] = numbers[i + 3], numbers[i][numbers[i + 1]]
    end
    for _, part in ipairs(tween.boxes) do
        part.first, part.last = part.last, numbers_of(part.box:unbox(), part.type.count)
    end
    tween.has_from = true
    return start_alone(self, tween)
end

-- Calls `options.on_update(value, tween)` with a number that goes from `first` to `last`. Returns
-- the tween.
function Tween:value(first, last, seconds, options)
    Arguments.check_number("Tween.value: argument 2 (first)", first)
    Arguments.check_number("Tween.value: argument 3 (last)", last)
    local target = { value = first }
    local tween = new_tween(self, "Tween.value", target, { value = last }, seconds, options)
    if not tween.on_update then
        Arguments.fail("Tween.value: argument 5 (options), on_update: expected a callback, got nil")
    end
    tween.is_value = true
    return start_alone(self, tween)
end

-- Cancels all tweens of the set.
function Tween:cancel_all()
    for place = 1, self.active_count do
        if self.active[place] then
            self.active[place]:cancel()
        end
    end
end

-- Cancels the tweens of a target, with their chains. Returns the number of tweens that it found.
-- Takes time for each tween of the set.
function Tween:cancel_target(target)
    local count = 0
    for place = 1, self.active_count do
        local tween = self.active[place]
        if tween and tween.target == target then
            tween:cancel()
            count = count + 1
        end
    end
    return count
end

-- Returns the number of tweens that have not ended, with those that wait in chains.
function Tween:count()
    return self.num_tweens
end

-- --- Tweens -------------------------------------------------------------------------------------

local function check_not_cancelled(name, tween)
    if tween.state == "cancelled" then
        Arguments.fail("%s: the tween was cancelled", name)
    end
end

local function chain_of(tween)
    if not tween.chain then
        tween.chain = {
            steps = { { tween } }, step = 1, last_step = 1,
            running = tween.state == "started" and 1 or 0, end_time = 0,
        }
    end
    return tween.chain
end

-- Starts a tween of the same form when this one, and what runs parallel to it, is over. Returns the
-- new tween.
function Handle:next(target, goal, seconds, options)
    local set = self.set
    check_not_cancelled("Tween.next", self)
    if self.times == math.huge then
        Arguments.fail("Tween.next: the tween plays without end, so nothing can follow it")
    end
    local tween = new_tween(set, "Tween.next", target, goal, seconds, options)
    local chain = chain_of(self)
    local index = math.max(self.step, chain.step) + 1
    if self.step < chain.step or chain.steps[index] then
        Arguments.fail("Tween.next: tweens follow this one already; call next or parallel of those")
    end
    for _, beside in ipairs(chain.steps[self.step]) do
        if beside.times == math.huge then
            Arguments.fail("Tween.next: a parallel tween plays without end, so nothing can follow")
        end
    end
    tween.chain, tween.step = chain, index
    chain.steps[index], chain.last_step = { tween }, index
    set.num_tweens = set.num_tweens + 1
    if chain.running == 0 then
        start_next_step(set, chain, math.max(set.time, chain.end_time))
    end
    return tween
end

-- Starts a tween together with this one. Returns the new tween, whose `next` waits for both.
function Handle:parallel(target, goal, seconds, options)
    local set = self.set
    check_not_cancelled("Tween.parallel", self)
    if self.state == "ended" then
        Arguments.fail("Tween.parallel: the tween has ended")
    end
    local tween = new_tween(set, "Tween.parallel", target, goal, seconds, options)
    local chain = chain_of(self)
    if tween.times == math.huge and chain.steps[self.step + 1] then
        Arguments.fail("Tween.parallel: tweens follow, so this one cannot play without end")
    end
    local step = chain.steps[self.step]
    step[#step + 1] = tween
    tween.chain, tween.step = chain, self.step
    set.num_tweens = set.num_tweens + 1
    if self.state == "started" then
        chain.running = chain.running + 1
        add_to_active(set, tween, set.now)
    end
    return tween
end

local function cancel_one(tween)
    if tween.state == "started" then
        take_from_active(tween.set, tween)
    elseif tween.state ~= "waits" then
        return false
    end
    tween.state = "cancelled"
    tween.set.num_tweens = tween.set.num_tweens - 1
    return true
end

-- Cancels the tween and everything of its chain that has not ended. The target stays as it is, and
-- on_complete is not called. Returns whether there was anything.
function Handle:cancel()
    if not self.chain then
        return cancel_one(self)
    end
    local has_cancelled = false
    for step = self.chain.step, self.chain.last_step do
        for _, tween in ipairs(self.chain.steps[step]) do
            has_cancelled = cancel_one(tween) or has_cancelled
        end
    end
    return has_cancelled
end

-- Returns whether the tween moves, or will.
function Handle:is_active()
    return self.state == "waits" or self.state == "started"
end

-- Returns the share of its time that has passed, from 0 to 1, over all plays; 0 for ones without
-- end.
function Handle:progress()
    if self.state == "ended" then
        return 1
    elseif self.state ~= "started" then
        return 0
    end
    local total = self.seconds * self.times
    local elapsed = self.set.now - self.start - self.delay
    return total > 0 and math.max(0, math.min(elapsed / total, 1)) or 0
end

return Tween
