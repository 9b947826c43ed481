-- The camera looks at the robot from behind. Where something is in the way, it comes nearer.

local Robot = require "scripts/robot"

local M = {}

local LEAST_PITCH, MOST_PITCH = -0.2, 1.3  -- radians; above the ground
local DISTANCE, HEIGHT = 6.8, 1.35         -- metres: from its target; of the target above the ground
local QUICKNESS = 8                        -- how fast it follows, per second
local RADIUS = 0.25                        -- metres that it keeps from things

function M.spawn(game)
    game.camera = World.spawn_unit(game.world, "units/camera")
end

function M.reset(game)
    local p = Robot.position(game)
    game.view = { yaw = game.robot.yaw, pitch = 0.30, distance = DISTANCE, x = p.x, y = p.y, z = p.z + HEIGHT }
end

function M.turn_input(game, input)
    local view = game.view
    view.yaw = view.yaw - input.look_x
    view.pitch = math.max(LEAST_PITCH, math.min(MOST_PITCH, view.pitch + input.look_y))
end

-- Turns slowly to where the robot looks, for the demo.
function M.drift(game, dt)
    local view = game.view
    local turn = (game.robot.yaw - 0.45 - view.yaw + math.pi) % (2 * math.pi) - math.pi
    view.yaw = view.yaw + turn * (1 - math.exp(-1.1 * dt))
    view.pitch = 0.30 + 0.06 * math.sin(game.time * 0.3)
end

-- Returns the camera's right and forward on the ground.
function M.axes(game)
    local c, s = math.cos(game.view.yaw), math.sin(game.view.yaw)
    return c, s, -s, c
end

-- Returns the direction in which it looks, a little upwards: for throwing.
function M.aim(game)
    local view = game.view
    local flat, up = math.cos(view.pitch - 0.4), math.sin(0.4 - view.pitch)
    return Vector3(-math.sin(view.yaw) * flat, math.cos(view.yaw) * flat, up)
end

function M.follow(game, dt)
    local view, p = game.view, Robot.position(game)
    local t = 1 - math.exp(-QUICKNESS * dt)
    view.x, view.y = view.x + (p.x - view.x) * t, view.y + (p.y - view.y) * t
    view.z = view.z + (p.z + HEIGHT - view.z) * t * 0.7
    local flat, up = math.cos(view.pitch), math.sin(view.pitch)
    local target = Vector3(view.x, view.y, view.z)
    local back = Vector3(math.sin(view.yaw) * flat, -math.cos(view.yaw) * flat, up)
    local hits = PhysicsWorld.linear_sphere_sweep(World.physics_world(game.world), target,
        target + back * DISTANCE, RADIUS, 1, "types", "statics")
    local free = hits[1] and math.max(1.2, hits[1].distance) or DISTANCE
    local quickness = free < view.distance and 14 or 2.5
    view.distance = view.distance + (free - view.distance) * (1 - math.exp(-quickness * dt))
    local position = target + back * view.distance
    position.z = math.max(position.z, 0.3)
    Unit.set_local_position(game.camera, 1, position)
    Unit.set_local_rotation(game.camera, 1, Quaternion.look(target - position, Vector3(0, 0, 1)))
end

return M
