-- The camera looks along y at the player, from behind and above.

local M = {}

local BACK, UP = 6.2, 7.4  -- metres from its target
local AHEAD = 1.3          -- metres of the target before the player
local QUICKNESS = 5        -- how fast it follows, per second

local function target(game)
    return Unit.world_position(game.player.unit, 1) + Vector3(0, AHEAD, 0.6)
end

local function look(game)
    local at = game.view:unbox()
    local position = at + Vector3(0, -BACK, UP)
    Unit.set_local_position(game.camera, 1, position)
    Unit.set_local_rotation(game.camera, 1, Quaternion.look(at - position, Vector3(0, 0, 1)))
end

function M.reset(game)
    game.view = Vector3Box(target(game))
    look(game)
end

function M.follow(game, dt)
    local at = game.view:unbox()
    local x = (target(game).x - at.x) * 0.5  -- sideways half as quick: the rooms are narrow
    local wanted = Vector3(at.x + x, target(game).y, target(game).z)
    game.view:store(at + (wanted - at) * (1 - math.exp(-QUICKNESS * dt)))
    look(game)
end

return M
