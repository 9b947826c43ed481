-- Bees and butterflies on several threads (`--jobs`): jobs/flight.lua moves them in place of the `update`
-- of their behaviours. Each job has a share of them, as arrays that are moved to its Lua state and back.
-- What comes back is applied to all units of a share at once.

local Job = require "jobs/flight"

local Flight = {}
Flight.__index = Flight

local BEE_SHARES, BUTTERFLY_SHARES = 4, 2  -- the same for any number of states, and so the results, too
local MOVING, GOALS = Job.MOVING, Job.GOALS
local WARM_UP = 60  -- frames that are not measured: Lua is being compiled

-- What a job gets.
local function new_flyers()
    return { moving = Float32Array(), goals = Float32Array(), places = Float32Array(),
        turns = Float32Array() }
end

-- `selves` has the tables of their behaviours.
local function new_share(kind)
    return { kind = kind, units = EntityArray(), selves = {}, flyers = new_flyers() }
end

-- `states` is how many Lua states run the jobs; with `is_compared`, frames take turns between the game's
-- own state, one other, and all of them.
function Flight.new(world, states, is_compared)
    local self = setmetatable({ transforms = EntityManager.transform_component(world), states = states,
        is_compared = is_compared, frame = 0, times = {}, shares = {}, jobs = {} }, Flight)
    self:clear()
    return self
end

function Flight.clear(self)
    for i = 1, BEE_SHARES + BUTTERFLY_SHARES do
        self.shares[i] = new_share(i <= BEE_SHARES and "bees" or "butterflies")
    end
end

local function append(array, numbers)
    local size = Float32Array.size(array)
    Float32Array.resize(array, size + #numbers)
    for i, number in ipairs(numbers) do
        Float32Array.set(array, size + i, number)
    end
end

-- Appends what is known of a flyer to the arrays of its share.
local function describe(share, b)
    append(share.flyers.moving, { b.x, b.y, b.z, b.time, b.wait_left or 0, 0, 0 })
    append(share.flyers.goals, { b.to_x or b.x, b.to_y or b.y, b.to_z or b.z, b.speed, b.seed or 0,
        b.least_rest or 0, b.most_rest or 0 })
end

-- Adds the flyer of a behaviour: `number` is any, the same for those that are near each other.
function Flight.add(self, kind, behaviour, number)
    local first = kind == "bees" and 0 or BEE_SHARES
    local count = kind == "bees" and BEE_SHARES or BUTTERFLY_SHARES
    local share = self.shares[first + number % count + 1]
    describe(share, behaviour)
    EntityArray.push(share.units, behaviour.entity)
    behaviour.share, behaviour.place = share, EntityArray.size(share.units)
    share.selves[behaviour.place] = behaviour
end

-- Copies what a bee decided: where it flies, or how long it waits.
local function change(behaviour)
    local share, at = behaviour.share, (behaviour.place - 1) * MOVING
    Float32Array.set(share.flyers.moving, at + 5, behaviour.wait_left or 0)
    if behaviour.to_x then
        local goal = (behaviour.place - 1) * GOALS
        Float32Array.set(share.flyers.goals, goal + 1, behaviour.to_x)
        Float32Array.set(share.flyers.goals, goal + 2, behaviour.to_y)
        Float32Array.set(share.flyers.goals, goal + 3, behaviour.to_z)
    end
end

-- The arrays of a job that failed are lost: its flyers begin again where they decided last.
local function restore(share)
    share.flyers = new_flyers()
    for _, behaviour in ipairs(share.selves) do
        describe(share, behaviour)
    end
end

local function drop(array, size, place, last)
    for i = 1, size do
        Float32Array.set(array, (place - 1) * size + i, Float32Array.get(array, (last - 1) * size + i))
    end
    Float32Array.resize(array, (last - 1) * size)
end

-- Takes a flyer out that ends: the last one of its share gets its place.
function Flight.remove(self, behaviour)
    local share, place = behaviour.share, behaviour.place
    if not share then
        return
    end
    local last = EntityArray.size(share.units)
    drop(share.flyers.moving, MOVING, place, last)
    drop(share.flyers.goals, GOALS, place, last)
    EntityArray.remove(share.units, place)
    share.selves[place] = share.selves[last]
    share.selves[place].place = place
    share.selves[last] = nil
    behaviour.share = nil
end

-- Lets bees decide that have arrived, or waited enough.
local function tell(share)
    local selves = {}
    for i, place in ipairs(share.flyers.news or {}) do
        selves[i] = share.selves[math.abs(place)]
    end
    for i, behaviour in ipairs(selves) do
        behaviour:decide(share.flyers.news[i] > 0)
        change(behaviour)
    end
    share.flyers.news = nil
end

-- Thinks: in the game's own state (0), or in others.
local function think(self, states, dt)
    if states == 0 then
        for _, share in ipairs(self.shares) do
            share.flyers = Job[share.kind](share.flyers, dt)
        end
        return
    end
    for i, share in ipairs(self.shares) do
        self.jobs[i] = self.jobs[i] or { script = "jobs/flight" }
        local job = self.jobs[i]
        job["function"], job.name, job[1], job[2] = share.kind, share.kind, share.flyers, dt
    end
    local results, errors = LuaThreads.run(self.jobs, { states = states, return_errors = true })
    for i, share in ipairs(self.shares) do
        share.flyers = results[i]
        if not share.flyers then
            print("error: " .. errors[i])
            restore(share)
        end
    end
end

function Flight.update(self, dt)
    local states = self.is_compared and ({ 0, 1, self.states })[self.frame % 3 + 1] or self.states
    local begin = Application.time_since_launch()
    think(self, states, dt)
    local seconds = Application.time_since_launch() - begin
    self.frame = self.frame + 1
    if self.frame > WARM_UP then
        self.times[states] = self.times[states] or {}
        table.insert(self.times[states], seconds * 1000)
    end
    for _, share in ipairs(self.shares) do
        self:apply(share)
    end
end

-- Moves the units of a share, all at once.
function Flight.apply(self, share)
    if Float32Array.size(share.flyers.places) > 0 then
        TransformComponent.set_local_positions(self.transforms, share.units, share.flyers.places)
        if share.kind == "butterflies" then
            TransformComponent.set_local_rotations(self.transforms, share.units, share.flyers.turns)
        end
    end
    tell(share)
end

-- Returns a text with how long thinking took in a frame: the least, and the median.
function Flight.summary(self)
    local lines = {}
    for states, times in pairs(self.times) do
        table.sort(times)
        lines[#lines + 1] = string.format("%d states: best %.3f ms, median %.3f ms of %d frames", states,
            times[1], times[math.ceil(#times / 2)], #times)
    end
    table.sort(lines)
    return "thinking over " .. table.concat(lines, "; over ") .. ", after " .. WARM_UP
end

return Flight
