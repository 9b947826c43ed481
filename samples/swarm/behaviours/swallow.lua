-- A swallow circles until it is hungry, then dives for the nearest bee.

local Meadow = require "scripts/meadow"

local Swallow = { radius = 9, patience = 4, bite = 0.5 }  -- metres, seconds, metres

local function grow_hungry(self)
    self.hungry_in = self.meadow:random(self.least_hunger, self.most_hunger)
    self.prey = nil
end

function Swallow.spawned(self)
    local meadow = Meadow.of(self.world)
    self.meadow = meadow
    local position = Unit.local_position(self.entity, 1)
    self.x, self.y, self.z = position.x, position.y, position.z
    self.height = self.z
    self.speed = meadow:value(self.entity, "speed") * meadow:random(0.85, 1.15)
    self.reach = meadow:value(self.entity, "reach")
    local hunger = meadow:value(self.entity, "hunger")
    self.least_hunger, self.most_hunger = hunger[1], hunger[2]
    self.turn = meadow:random(-math.pi, math.pi)
    self.side = meadow:random(-1, 1) < 0 and -1 or 1
    grow_hungry(self)
end

-- Looks for the nearest bee below it.
local function look_for_prey(self)
    local meadow, place = self.meadow, Vector3(self.x, self.y, 1.5)
    if Broadphase.query_nearest(meadow.bees, place, self.reach, 1, meadow.found) == 1 then
        self.prey = meadow.found[1]
        self.chase_left = self.patience
    else
        grow_hungry(self)
    end
end

local function chase(self, dt)
    self.chase_left = self.chase_left - dt
    if self.chase_left <= 0 or not Unit.alive(self.prey) then
        return grow_hungry(self)
    end
    local prey = self.meadow:state(self.prey)
    local x, y, z = prey:where()
    x, y, z = x - self.x, y - self.y, z - self.z
    local distance = math.sqrt(x * x + y * y + z * z)
    if distance < self.bite then
        if self.meadow.flight then
            self.meadow.flight:remove(prey)
        end
        World.destroy_unit(self.world, self.prey)
        self.meadow.num_eaten = self.meadow.num_eaten + 1
        return grow_hungry(self)
    end
    local part = math.min(self.speed * 1.8 * dt / distance, 1)
    self.x, self.y, self.z = self.x + x * part, self.y + y * part, self.z + z * part
    self.turn = math.atan2(-x, y)
end

-- Flies a circle, and turns back where the meadow ends.
local function circle(self, dt)
    local bend = self.speed / self.radius
    if math.abs(self.x) > 62 or math.abs(self.y) > 62 then
        local away = -math.sin(self.turn) * self.x + math.cos(self.turn) * self.y
        bend = away > 0 and bend * 1.5 or 0
    end
    self.turn = self.turn + self.side * bend * dt
    self.x = self.x - math.sin(self.turn) * self.speed * dt
    self.y = self.y + math.cos(self.turn) * self.speed * dt
    self.z = self.z + (self.height - self.z) * math.min(dt, 1)
end

function Swallow.update(self, dt)
    self.hungry_in = self.hungry_in - dt
    if self.hungry_in <= 0 and not self.prey then
        look_for_prey(self)
    end
    if self.prey then
        chase(self, dt)
    else
        circle(self, dt)
    end
    Unit.set_local_position(self.entity, 1, Vector3(self.x, self.y, self.z))
    local roll = self.prey and 0 or -0.5 * self.side
    Unit.set_local_rotation(self.entity, 1, Quaternion.multiply(
        Quaternion(Vector3(0, 0, 1), self.turn), Quaternion(Vector3(0, 1, 0), roll)))
end

return Swallow
