-- A thrown ball pulls a ribbon behind it, and knocks chips off what it hits hard.

local Ball = { since_hit = 1 }

local HARD = 120      -- newton seconds
local PAUSE = 0.12    -- seconds from one hit to the next with chips

function Ball.update(self, dt)
    self.since_hit = self.since_hit + dt
end

function Ball.touch_begin(self, other, hit)
    if hit.impulse > HARD and self.since_hit > PAUSE then
        self.since_hit = 0
        local effect = World.create_particles(self.world, "effects/debris", hit.position)
        local amount = World.find_particles_variable(self.world, "effects/debris", "amount")
        World.set_particles_variable(self.world, effect, amount, math.min(1, hit.impulse / 600))
    end
end

return Ball
