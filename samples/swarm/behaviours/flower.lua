-- A flower has nectar for some visits, and then no nectar for a while.

local Meadow = require "scripts/meadow"

local Flower = {}

function Flower.spawned(self)
    local meadow = Meadow.of(self.world)
    self.meadow = meadow
    self.data = DataComponent.lookup(meadow.data, self.entity, "data")
    self.rest = meadow:value(self.entity, "rest")
    self.rest_left = 0
    local position = Unit.local_position(self.entity, 1)
    self.x, self.y = position.x, position.y
    self.z = 0.8 * Unit.local_scale(self.entity, 1).z
    self.item = Broadphase.add(meadow.flowers, self.entity, position, 0.5)
end

function Flower.destroyed(self)
    Broadphase.remove(self.meadow.flowers, self.item)
end

-- Gives the available nectar, up to `most`.
function Flower.give(self, most)
    local nectar = DataComponent.get_property(self.meadow.data, self.data, "nectar")
    local given = math.min(nectar, most)
    DataComponent.set_property(self.meadow.data, self.data, "nectar", nectar - given)
    if given > 0 and nectar - given <= 0 then
        TagComponent.remove_tag(self.meadow.tag, self.entity, "nectar")
        self.rest_left = self.rest
    end
    return given
end

function Flower.update(self, dt)
    if self.rest_left > 0 then
        self.rest_left = self.rest_left - dt
        if self.rest_left <= 0 then
            DataComponent.set_property(self.meadow.data, self.data, "nectar", 1)
            TagComponent.add_tag(self.meadow.tag, self.entity, "nectar")
        end
    end
end

return Flower
