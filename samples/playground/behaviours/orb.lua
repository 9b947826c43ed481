-- Flies around the place where it was spawned.

local Orb = { seconds = 0 }

local RADIUS, SPEED = 2.6, 1.7   -- metres; radians a second
local RISE = 0.7                 -- metres up and down

function Orb.spawned(self)
    self.middle = Vector3Box(Unit.local_position(self.entity, 1))
end

function Orb.update(self, dt)
    self.seconds = self.seconds + dt
    local turn = self.seconds * SPEED
    local way = Vector3(RADIUS * math.cos(turn), RADIUS * math.sin(turn), RISE * math.sin(2.4 * turn))
    Unit.set_local_position(self.entity, 1, self.middle:unbox() + way)
end

return Orb
