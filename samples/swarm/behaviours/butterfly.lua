-- A butterfly drifts to a place nearby, and rests there.

local Meadow = require "scripts/meadow"

local Butterfly = { far = 8 }  -- metres that it flies at most

local function drift(self)
    local turn, distance = self.meadow:random(-math.pi, math.pi), self.meadow:random(1, self.far)
    local x, y = self.x - distance * math.sin(turn), self.y + distance * math.cos(turn)
    if math.abs(x) > 60 or math.abs(y) > 60 then  -- back to the middle
        turn = math.atan2(self.x, -self.y)
        distance = self.far
    end
    self.turn, self.left = turn, distance
    self.step_x, self.step_y = -math.sin(turn), math.cos(turn)
end

function Butterfly.spawned(self)
    local meadow = Meadow.of(self.world)
    self.meadow = meadow
    local position = Unit.local_position(self.entity, 1)
    self.x, self.y, self.z = position.x, position.y, position.z
    self.speed = meadow:value(self.entity, "speed") * meadow:random(0.7, 1.3)
    local rest = meadow:value(self.entity, "rest")
    self.least_rest, self.most_rest = rest[1], rest[2]
    self.time, self.rest_left = meadow:random(0, 10), 0
    drift(self)
    if meadow.flight then
        self.seed = math.floor(meadow:random(1, 65520))
        meadow.flight:add("butterflies", self, self.seed)
    end
end

function Butterfly.destroyed(self)
    if self.meadow.flight then
        self.meadow.flight:remove(self)
    end
end

function Butterfly.update(self, dt)
    if self.rest_left > 0 then
        self.rest_left = self.rest_left - dt
        return
    end
    local step = self.speed * dt
    self.time = self.time + dt
    self.x, self.y = self.x + self.step_x * step, self.y + self.step_y * step
    self.left = self.left - step
    if self.left <= 0 then
        self.rest_left = self.meadow:random(self.least_rest, self.most_rest)
        drift(self)
    end
    local roll = 0.5 * math.sin(self.time * 9)
    local flutter = 0.25 * math.sin(self.time * 3.1) + 0.08 * roll
    Unit.set_local_position(self.entity, 1, Vector3(self.x, self.y, self.z + flutter))
    local turn = Quaternion(Vector3(0, 0, 1), self.turn)
    Unit.set_local_rotation(self.entity, 1,
        Quaternion.multiply(turn, Quaternion(Vector3(0, 1, 0), roll)))
end

if Meadow.has_jobs then  -- scripts/flight.lua moves them
    Butterfly.update = nil
end

return Butterfly
