-- The player: walks by the mover of units/player.unit. Directions are those of the picture: the camera
-- always looks along y.

local M = {}

local SPEED = 3.6           -- metres a second
local QUICKNESS = 12        -- how fast it reaches this speed, per second
local TURN_QUICKNESS = 12
local GRAVITY = 9.82

function M.spawn(game)
    local pose = Level.marker_pose(game.level, "start")
    game.player = {
        unit = World.spawn_unit(game.world, "units/player", Matrix4x4.translation(pose)),
        vx = 0, vy = 0, vz = 0,  -- metres a second
        yaw = 0,                 -- 0 is along y, positive to the left
    }
end

function M.despawn(game)
    World.destroy_unit(game.world, game.player.unit)
    game.player = nil
end

-- Returns where its feet are.
function M.position(game)
    return Mover.position(Unit.mover(game.player.unit))
end

local function turn_to(player, x, y, dt)
    local turn = (math.atan2(-x, y) - player.yaw + math.pi) % (2 * math.pi) - math.pi
    player.yaw = player.yaw + turn * (1 - math.exp(-TURN_QUICKNESS * dt))
    Unit.set_local_rotation(player.unit, 1, Quaternion(Vector3(0, 0, 1), player.yaw))
end

-- Moves it to where `wish` says: x to the right and y ahead, from -1 to 1.
function M.move(game, wish, dt)
    local player = game.player
    local mover = Unit.mover(player.unit)
    local length = math.max(1, math.sqrt(wish.x * wish.x + wish.y * wish.y))
    local share = 1 - math.exp(-QUICKNESS * dt)
    player.vx = player.vx + (wish.x / length * SPEED - player.vx) * share
    player.vy = player.vy + (wish.y / length * SPEED - player.vy) * share
    if wish.x ~= 0 or wish.y ~= 0 then
        turn_to(player, wish.x, wish.y, dt)
    elseif math.abs(player.vx) + math.abs(player.vy) < 0.02 then
        player.vx, player.vy = 0, 0
    end
    player.vz = player.vz - GRAVITY * dt
    Mover.move(mover, Vector3(player.vx, player.vy, player.vz) * dt, dt)
    if Mover.collides_down(mover) then
        player.vz = 0
    end
end

return M
