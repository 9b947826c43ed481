-- What the behaviours of a world share: its components, who is where, and chance.
--
-- It is kept with the world, so that each world has one of its own, and what is in it stays when a
-- script is saved.

local Meadow = {}
Meadow.__index = Meadow

local HALF = 60        -- of the meadow, in metres
local BROOD_TIME = 5   -- seconds between two broods of all hives

-- The meadow of a world, from the first call on.
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
        born = EntityArray(),  -- bees that are no part of the level
        -- Used again and again, so that no frame makes garbage:
        found = {},              -- of queries
        places = Float32Array(), -- where the bees of a brood are born
        brood = EntityArray(),   -- those bees
    }, Meadow)
    EntityArray.reserve(self.born, 8192)
    self:start_over()
    World.set_data(world, "meadow", self)
    return self
end

-- What counts from 0 when the level begins anew. Numbers of chance are the same in every run.
function Meadow.start_over(self)
    self.seed = 1
    self.brood_in = BROOD_TIME
    self.num_eaten, self.num_born, self.num_visits = 0, 0, 0
end

-- Ends bees that the level did not bring.
function Meadow.clear(self)
    EntityArray.remove_dead(self.born)  -- those that were eaten
    World.destroy_units(self.world, self.born)
    EntityArray.resize(self.born, 0)
end

function Meadow.random(self, from, to)
    local seed, part = Math.next_random(self.seed)
    self.seed = seed
    return from + (to - from) * part
end

-- The table of the behaviour that a unit of the meadow has.
function Meadow.state(self, unit)
    return ScriptComponent.state(self.script, (ScriptComponent.instances(self.script, unit)))
end

-- A value of a unit's data.
function Meadow.value(self, unit, key)
    return DataComponent.get_property_by_id(self.data, unit, "data", key)
end

-- Before the behaviours are called.
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
