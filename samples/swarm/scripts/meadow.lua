-- State shared by the behaviours of a world: its components, the places of units, and random numbers.
--
-- It is stored with the world, so that each world has its own, and it stays when a script is saved.

local CommandLine = require "core/lua/command_line"

-- `has_jobs`: scripts/flight.lua moves bees and butterflies (`flight` of a meadow).
local Meadow = { has_jobs = CommandLine.has("--jobs") }
Meadow.__index = Meadow

local HALF = 60        -- half the size of the meadow, in metres
local BROOD_TIME = 5   -- seconds between two broods of all hives

-- Returns the meadow of a world; the first call makes it.
function Meadow.of(world)
    if World.has_data(world, "meadow") then
        return setmetatable(World.get_data(world, "meadow"), Meadow)
    end
    local self = setmetatable({
        world = world,
        script = EntityManager.script_component(world),
        data = EntityManager.data_component(),
        tag = EntityManager.tag_component(),
        hives = Broadphase(10, 64),
        flowers = Broadphase(4, 4096),
        bees = Broadphase(2, 8192),
        born = EntityArray(),  -- bees that are not part of the level
        -- Reused, so that no frame makes garbage:
        found = {},              -- results of queries
        places = Float32Array(), -- where the bees of a brood are born
        brood = EntityArray(),   -- those bees
    }, Meadow)
    EntityArray.reserve(self.born, 8192)
    self:start_over()
    World.set_data(world, "meadow", self)
    return self
end

-- Resets the counters when the level starts again. Random numbers are the same in every run.
function Meadow.start_over(self)
    self.seed, self.num_hives = 1, 0
    self.brood_in = BROOD_TIME
    self.num_eaten, self.num_born, self.num_visits = 0, 0, 0
end

-- Destroys bees that did not come with the level.
function Meadow.clear(self)
    EntityArray.remove_dead(self.born)  -- removes eaten bees
    World.destroy_units(self.world, self.born)
    EntityArray.resize(self.born, 0)
end

function Meadow.random(self, from, to)
    local seed, part = Math.next_random(self.seed)
    self.seed = seed
    return from + (to - from) * part
end

-- Returns the table of the behaviour of a unit in the meadow.
function Meadow.state(self, unit)
    return ScriptComponent.state(self.script, (ScriptComponent.instances(self.script, unit)))
end

-- Returns a value of a unit's data.
function Meadow.value(self, unit, key)
    return DataComponent.get_property_by_id(self.data, unit, "data", key)
end

-- Runs before the behaviours are called.
function Meadow.update(self, dt)
    self.brood_in = self.brood_in - dt
    if self.brood_in <= 0 then
        self.brood_in = self.brood_in + BROOD_TIME
        EntityArray.remove_dead(self.born)
        ScriptComponent.broadcast(self.script, "brood")
    end
    Broadphase.move_to_units(self.bees)
end

return Meadow
