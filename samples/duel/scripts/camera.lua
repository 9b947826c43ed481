-- The camera is behind the corner of the own player, and looks at the arena from above.

local Match = require "scripts/match"
local Player = require "scripts/player"

local Camera = {}

local BACK, UP = 11.8, 9.8
local FOLLOWS = 0.25   -- how far its target goes with the player
local QUICKNESS = 4

-- Returns the angle by which the view is turned around the middle.
function Camera.angle(game)
    return Player.angle(Match.corner(game, game.me) or 1)
end

-- Places it at once.
function Camera.reset(game)
    game.view = Vector3Box(0, 0, 0)
end

function Camera.update(game, dt)
    local target, unit = Vector3(0, 0, 0), game.own.unit
    if unit then
        local p = Unit.world_position(unit, 1)
        target = Vector3(p.x, p.y, 0) * FOLLOWS
    end
    local view = game.view:unbox()
    view = view + (target - view) * (1 - math.exp(-QUICKNESS * dt))
    game.view:store(view)
    local angle = Camera.angle(game)
    local position = view + Vector3(math.sin(angle) * BACK, -math.cos(angle) * BACK, UP)
    Unit.set_local_position(game.camera, 1, position)
    Unit.set_local_rotation(game.camera, 1, Quaternion.look(view + Vector3(0, 0, -0.6) - position, Vector3(0, 0, 1)))
end

return Camera
