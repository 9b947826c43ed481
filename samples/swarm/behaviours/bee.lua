-- A bee flies to flowers around its hive until it carries as much as it can, then home.

local Meadow = require "scripts/meadow"

local Bee = { reuses_tables = true }  -- swallows keep units, not tables

local SIP_TIME = 1.2  -- seconds on a flower
local BREAK = 3       -- seconds at home where there are no flowers
local TRIES = 4       -- flowers that it checks before it flies to one without nectar

local function fly_to(self, x, y, z)
    self.to_x, self.to_y, self.to_z = x, y, z
    local turn = math.atan2(self.x - x, y - self.y)
    Unit.set_local_rotation(self.entity, 1, Quaternion(Vector3(0, 0, 1), turn))
end

-- Chooses a random flower of the hive: one with nectar, if it finds one soon.
local function fly_out(self)
    local flowers, flower = self.hive and self.hive:flowers()
    if not flowers or #flowers == 0 then
        self.wait_left = BREAK
        return
    end
    local meadow = self.meadow
    for _ = 1, TRIES do
        flower = flowers[math.floor(meadow:random(1, #flowers + 1))]
        if TagComponent.has_tag(meadow.tag, flower.entity, "nectar") then
            break
        end
    end
    self.flower = flower
    local x, y = meadow:random(-0.15, 0.15), meadow:random(-0.15, 0.15)
    fly_to(self, flower.x + x, flower.y + y, flower.z)
end

function Bee.spawned(self)
    local meadow = Meadow.of(self.world)
    self.meadow = meadow
    local position = Unit.local_position(self.entity, 1)
    self.x, self.y, self.z = position.x, position.y, position.z
    self.data = DataComponent.lookup(meadow.data, self.entity, "data")
    self.speed = meadow:value(self.entity, "speed") * meadow:random(0.8, 1.2)
    self.capacity = meadow:value(self.entity, "capacity")
    self.time, self.wait_left, self.load = meadow:random(0, 10), 0, 0
    self.item = Broadphase.add(meadow.bees, self.entity, position, 0.3)
    if Broadphase.query_nearest(meadow.hives, position, 200, 1, meadow.found) == 1 then
        self.hive = meadow:state(meadow.found[1])
        self.hive.num_bees = self.hive.num_bees + 1
    end
    fly_out(self)
    if meadow.flight then
        meadow.flight:add("bees", self, self.hive and self.hive.number or 0)
    end
end

function Bee.destroyed(self)
    if self.meadow.flight then
        self.meadow.flight:remove(self)
    end
    Broadphase.remove(self.meadow.bees, self.item)
    if self.hive then
        self.hive.num_bees = self.hive.num_bees - 1
    end
end

local function carry(self, load)
    self.load = load
    DataComponent.set_property(self.meadow.data, self.data, "load", load)
end

-- Handles its arrival on a flower or at home.
local function arrive(self)
    if self.flower then
        self.wait_left = SIP_TIME
        self.meadow.num_visits = self.meadow.num_visits + 1
    else
        self.hive:store(self.load)
        carry(self, 0)
        fly_out(self)
    end
end

local function leave_flower(self)
    carry(self, self.load + self.flower:give(self.capacity - self.load))
    if self.load < self.capacity then
        fly_out(self)
    else
        self.flower = nil
        fly_to(self, self.hive.x, self.hive.y, self.hive.z)
    end
end

-- Returns where it is.
function Bee.where(self)
    if not self.meadow.flight then
        return self.x, self.y, self.z
    end
    local place = Unit.local_position(self.entity, 1)
    return place.x, place.y, place.z
end

-- Called by scripts/flight.lua, which moves bees in place of `update`: it arrived, or waited enough.
function Bee.decide(self, has_arrived)
    self.wait_left = 0
    if has_arrived then
        self.x, self.y, self.z = self.to_x, self.to_y, self.to_z
        arrive(self)
    else
        (self.flower and leave_flower or fly_out)(self)
    end
end

function Bee.update(self, dt)
    if self.wait_left > 0 then
        self.wait_left = self.wait_left - dt
        if self.wait_left <= 0 then
            (self.flower and leave_flower or fly_out)(self)
        end
        return
    end
    local x, y, z = self.to_x - self.x, self.to_y - self.y, self.to_z - self.z
    local distance = math.sqrt(x * x + y * y + z * z)
    local part = self.speed * dt / distance
    if part >= 1 or distance == 0 then
        self.x, self.y, self.z = self.to_x, self.to_y, self.to_z
        arrive(self)
    else
        self.x, self.y, self.z = self.x + x * part, self.y + y * part, self.z + z * part
    end
    self.time = self.time + dt
    local bob = math.min(distance, 1) * 0.2 * math.sin(self.time * 7)
    Unit.set_local_position(self.entity, 1, Vector3(self.x, self.y, self.z + bob))
end

if Meadow.has_jobs then
    Bee.update = nil
end

return Bee
