-- The camera looks at the player from behind, at the distance set with the wheel. Where crates are in
-- the way, it looks from higher up or comes nearer.

local M = {}

local LEAST_PITCH, MOST_PITCH = -0.15, 1.25  -- radians; above the ground
local LEAST_DISTANCE, MOST_DISTANCE = 3.5, 16
local HEIGHT = 0.95    -- metres of its target above the player's feet
local QUICKNESS = 9    -- how fast it follows, per second
local RADIUS = 0.25    -- metres that it keeps away from things
local ABOVE = 3        -- metres farther away when there is no view through crates
local LIFTS = { 0, 0.2, 0.4, 0.6, 0.8, 1.0 }  -- radians: how much higher it may go

local function clamp(x, least, most)
    return math.max(least, math.min(most, x))
end

function M.spawn(game)
    game.camera_unit = World.spawn_unit(game.world, "units/camera")
end

function M.camera(game)
    return Unit.camera(game.camera_unit, "camera")
end

-- Makes the camera's state at the start. Yaw 0 looks along +y, positive yaw to the left.
function M.reset(game)
    local player = game.player
    game.view = {
        yaw = 0.55, pitch = 0.24, distance = 6.4,
        lift = 0, free = 6.4,  -- added to the pitch, and the free part of the distance
        x = player.x, y = player.y, z = player.z + HEIGHT,
    }
end

function M.turn_input(game, input)
    local view = game.view
    view.yaw = view.yaw - input.look_x
    view.pitch = clamp(view.pitch + input.look_y, LEAST_PITCH, MOST_PITCH)
    view.distance = clamp(view.distance * 0.9 ^ input.zoom, LEAST_DISTANCE, MOST_DISTANCE)
end

-- Returns the camera's right and forward on the ground.
function M.axes(game)
    local c, s = math.cos(game.view.yaw), math.sin(game.view.yaw)
    return Vector3(c, s, 0), Vector3(-s, c, 0)
end

-- Places the camera's unit so that it looks at a target.
function M.look(game, position, target)
    Unit.set_local_position(game.camera_unit, 1, position)
    Unit.set_local_rotation(game.camera_unit, 1, Quaternion.look(target - position, Vector3(0, 0, 1)))
end

local function target(view)
    return Vector3(view.x, view.y, view.z)
end

-- Returns the direction from the target to a camera with this pitch.
local function backward(game, pitch)
    local _, forward = M.axes(game)
    return forward * -math.cos(pitch) + Vector3(0, 0, math.sin(pitch))
end

-- Returns how far from its target the camera can be at this pitch.
local function free_distance(game, pitch)
    local view = game.view
    local from = target(view)
    local hits = PhysicsWorld.linear_sphere_sweep(World.physics_world(game.world), from,
        from + backward(game, pitch) * view.distance, RADIUS, 1, "collision_filter", "camera")
    return hits[1] and hits[1].distance or view.distance
end

-- Returns the lowest view that is free enough: the angle to add to the pitch, and the distance. Amid
-- crates there is no such view; the result is then the view from high above them.
local function free_view(game)
    local view = game.view
    local best, best_lift = 0, 0
    for _, lift in ipairs(LIFTS) do
        local free = free_distance(game, math.min(view.pitch + lift, MOST_PITCH))
        if free > best + 0.5 then
            best, best_lift = free, lift
        end
        if free > view.distance * 0.8 then
            break
        end
    end
    if best < LEAST_DISTANCE then
        return LIFTS[#LIFTS], view.distance + ABOVE
    end
    return best_lift, best
end

local function follow_free_view(game, dt)
    local view = game.view
    local lift, free = free_view(game)
    view.lift = view.lift + (lift - view.lift) * (1 - math.exp(-5 * dt))
    view.free = view.free + (free - view.free) * (1 - math.exp(-(free < view.free and 12 or 3) * dt))
    return math.min(view.pitch + view.lift, MOST_PITCH)
end

function M.follow(game, dt)
    local view, player = game.view, game.player
    local t = 1 - math.exp(-QUICKNESS * dt)
    view.x = view.x + (player.x - view.x) * t
    view.y = view.y + (player.y - view.y) * t
    view.z = view.z + (player.z + HEIGHT - view.z) * t * 0.6
    local pitch = follow_free_view(game, dt)
    local position = target(view) + backward(game, pitch) * view.free
    position.z = math.max(position.z, RADIUS)
    M.look(game, position, target(view))
end

return M
