-- A hive stores honey, and has as many bees as it can feed.

local Meadow = require "scripts/meadow"

local Hive = { reach = 16 }  -- metres, within which its bees look for flowers

function Hive.spawned(self)
    local meadow = Meadow.of(self.world)
    self.meadow = meadow
    self.data = DataComponent.lookup(meadow.data, self.entity, "data")
    self.num_wanted = meadow:value(self.entity, "bees")
    self.cost = meadow:value(self.entity, { "costs", "bee" })
    self.num_bees = 0
    meadow.num_hives = meadow.num_hives + 1
    self.number = meadow.num_hives
    local position = Unit.local_position(self.entity, 1)
    self.x, self.y, self.z = position.x, position.y, 1.2
    self.item = Broadphase.add(meadow.hives, self.entity, position, 1)
end

function Hive.destroyed(self)
    Broadphase.remove(self.meadow.hives, self.item)
end

function Hive.honey(self)
    return DataComponent.get_property(self.meadow.data, self.data, "honey")
end

function Hive.store(self, nectar)
    DataComponent.set_property(self.meadow.data, self.data, "honey", self:honey() + nectar)
end

-- Returns the tables of the flowers around it. Searches once, when all flowers have been spawned.
function Hive.flowers(self)
    if not self.near then
        self.near = {}
        local found = self.meadow.found
        local place = Vector3(self.x, self.y, 0)
        for i = 1, Broadphase.query(self.meadow.flowers, place, self.reach, found) do
            self.near[i] = self.meadow:state(found[i])
        end
    end
    return self.near
end

-- Adds the missing bees, as far as there is honey for them.
function Hive.brood(self)
    local count = math.min(self.num_wanted - self.num_bees, math.floor(self:honey() / self.cost))
    if count <= 0 then
        return
    end
    local meadow = self.meadow
    self:store(-count * self.cost)
    Float32Array.resize(meadow.places, 3 * count)
    for i = 1, count do
        local x, y = meadow:random(-0.5, 0.5), meadow:random(-0.5, 0.5)
        Float32Array.set_vector3(meadow.places, i, Vector3(self.x + x, self.y + y, self.z))
    end
    World.spawn_units(self.world, "units/bee", meadow.places, nil, meadow.brood)
    for i = 1, count do
        EntityArray.push(meadow.born, EntityArray.get(meadow.brood, i))
    end
    meadow.num_born = meadow.num_born + count
end

return Hive
