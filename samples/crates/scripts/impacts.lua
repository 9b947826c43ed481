-- Dust and splinters where crates hit something (effects/crate_hit.particles), the more the harder.
-- The hardest hit of each frame is heard, too.
-- Touches that are too weak for it are no events: physics/game.physics says so for wood.

local Sounds = require "scripts/sounds"

local M = {}

local EFFECT = "effects/crate_hit"
local LEAST, MOST = 40, 500         -- newton seconds: from the weakest hit to one with all there is
local AT_ONCE, A_SECOND = 20, 20    -- most effects, so that falling heaps cost little

function M.reset(game)
    game.impacts = {
        events = {},                -- used again in each frame
        left = AT_ONCE,             -- effects that may start now
        count = 0,                  -- effects so far
        amount = World.find_particles_variable(game.world, EFFECT, "amount"),
    }
end

-- Starts the effect at a place, with a share from 0 to 1 of what it has.
function M.start(game, position, amount)
    local impacts = game.impacts
    local effect = World.create_particles(game.world, EFFECT, position)
    World.set_particles_variable(game.world, effect, impacts.amount, amount)
    impacts.left, impacts.count = impacts.left - 1, impacts.count + 1
end

-- Starts effects for what happened in this frame's update of the world.
function M.show(game, dt)
    local impacts = game.impacts
    impacts.left = math.min(AT_ONCE, impacts.left + A_SECOND * dt)
    local events = PhysicsWorld.events(World.physics_world(game.world), impacts.events)
    local hardest
    for i = 1, #events do
        local hit = events[i]
        if hit.kind == "touch_begin" and hit.impulse >= LEAST then
            if impacts.left >= 1 then
                local share = math.min(1, (hit.impulse - LEAST) / (MOST - LEAST))
                M.start(game, hit.position, 0.25 + 0.75 * share)
            end
            if not hardest or hit.impulse > hardest.impulse then
                hardest = hit
            end
        end
    end
    if hardest then
        Sounds.hit(game, hardest.position, hardest.impulse)
    end
end

return M
