-- The camera looks at the player from behind, as far away as the wheel says.

local M = {}

local LEAST_PITCH, MOST_PITCH = -0.15, 1.25  -- radians; above the ground
local LEAST_DISTANCE, MOST_DISTANCE = 3.5, 16
local HEIGHT = 0.95    -- of what it looks at, above the player's feet
local QUICKNESS = 9    -- how fast it follows, per second

local function clamp(x, least, most)
    return math.max(least, math.min(most, x))
end

function M.spawn(game)
    game.camera_unit = World.spawn_unit(game.world, "units/camera")
end

function M.camera(game)
    return Unit.camera(game.camera_unit, "camera")
end

-- Where it starts: yaw 0 looks along +y, positive to the left.
function M.reset(game)
    local player = game.player
    game.view = {
        yaw = 0.55, pitch = 0.26, distance = 7.0,
        x = player.x, y = player.y, z = player.z + HEIGHT,
    }
end

function M.turn_input(game, input)
    local view = game.view
    view.yaw = view.yaw - input.look_x
    view.pitch = clamp(view.pitch + input.look_y, LEAST_PITCH, MOST_PITCH)
    view.distance = clamp(view.distance * 0.9 ^ input.zoom, LEAST_DISTANCE, MOST_DISTANCE)
end

-- Directions on the ground of the camera's right and forward.
function M.axes(game)
    local c, s = math.cos(game.view.yaw), math.sin(game.view.yaw)
    return c, s, -s, c
end

-- Puts the camera's unit at a place so that it looks at a target.
function M.look(game, position, target)
    Unit.set_local_position(game.camera_unit, 1, position)
    Unit.set_local_rotation(game.camera_unit, 1, Quaternion.look(target - position, Vector3(0, 0, 1)))
end

function M.follow(game, input, dt)
    local view, player = game.view, game.player
    local t = 1 - math.exp(-QUICKNESS * dt)
    view.x = view.x + (player.x - view.x) * t
    view.y = view.y + (player.y - view.y) * t
    view.z = view.z + (player.z + HEIGHT - view.z) * t * 0.6
    local _, _, forward_x, forward_y = M.axes(game)
    local flat = view.distance * math.cos(view.pitch)
    local target = Vector3(view.x, view.y, view.z)
    local height = math.max(0.25, view.z + view.distance * math.sin(view.pitch))
    M.look(game, Vector3(view.x - forward_x * flat, view.y - forward_y * flat, height), target)
end

return M
