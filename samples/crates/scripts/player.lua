-- The fox: runs, jumps, pushes crates and stands on them. Its mover (units/fox.unit) knows what is in
-- the way; its state machine, animations/fox.state_machine, moves its joints.

local Camera = require "scripts/camera"

local M = {}

local SPEED = 5.5          -- metres a second
local QUICKNESS = 11       -- how fast it reaches this speed, per second
local TURN_QUICKNESS = 12
local JUMP = 8.2           -- metres a second
local EARLY_JUMP = 0.15    -- seconds before landing in which a jump is remembered
local LATE_JUMP = 0.12     -- seconds after leaving an edge in which it can still jump
local SUN_X, SUN_Y = 0.85, 0.3  -- metres between a thing and its shadow for each metre of height

local max, min, sqrt = math.max, math.min, math.sqrt

function M.spawn(game)
    local world = game.world
    local unit = World.spawn_unit(world, "units/fox", Vector3(1.2, -4.2, 0))
    game.player = {
        unit = unit,
        shadow = World.spawn_unit(world, "units/fox_shadow"),
        x = 1.2, y = -4.2, z = 0,
        vx = 0, vy = 0, vz = 0,   -- where it wants to go, in metres a second
        speed = 0,                -- how fast it really is, on a map
        yaw = 1.9,                -- direction: 0 is +y, positive to the left
        since_ground = 0, jump_wish = 0,
        is_in_air = false,        -- what its state machine was sent last
        speed_variable = Unit.animation_find_variable(unit, "speed"),
        rise_variable = Unit.animation_find_variable(unit, "rise"),
    }
end

function M.despawn(game)
    World.destroy_unit(game.world, game.player.unit)
    World.destroy_unit(game.world, game.player.shadow)
    game.player = nil
end

-- --- Movement -----------------------------------------------------------------------------------

-- Returns where the player wants to go, in the world; its length is up to 1.
local function direction(game, input)
    local right, forward = Camera.axes(game)
    local wish = right * input.right + forward * input.forward
    return wish / max(1, Vector3.length(wish))
end

local function jump(player, input, dt)
    player.jump_wish = input.jump and EARLY_JUMP or player.jump_wish - dt
    if player.jump_wish > 0 and player.since_ground < LATE_JUMP then
        player.vz, player.since_ground, player.jump_wish = JUMP, 1, 0
        player.is_in_air = true
        Unit.animation_event(player.unit, "jump")
    end
end

-- Moves it by its velocity, as far as there is room.
local function walk(player, dt)
    local mover = Unit.mover(player.unit)
    Mover.move(mover, Vector3(player.vx, player.vy, player.vz) * dt, dt)
    if Mover.collides_down(mover) then
        player.vz, player.since_ground = 0, 0
    else
        player.since_ground = player.since_ground + dt
    end
    if Mover.collides_up(mover) then
        player.vz = min(player.vz, 0)
    end
    local p = Mover.position(mover)
    player.speed = sqrt((p.x - player.x) ^ 2 + (p.y - player.y) ^ 2) / dt
    player.x, player.y, player.z = p.x, p.y, p.z
end

-- Turns towards its running direction.
local function turn(player, wish, dt)
    if wish.x == 0 and wish.y == 0 then
        return
    end
    local wanted = math.atan2(-wish.x, wish.y)
    local difference = (wanted - player.yaw + math.pi) % (2 * math.pi) - math.pi
    player.yaw = player.yaw + difference * (1 - math.exp(-TURN_QUICKNESS * dt))
end

function M.move(game, input, dt)
    local player = game.player
    local wish = direction(game, input)
    local share = 1 - math.exp(-QUICKNESS * dt)
    player.vx = player.vx + (wish.x * SPEED - player.vx) * share
    player.vy = player.vy + (wish.y * SPEED - player.vy) * share
    player.vz = player.vz + PhysicsWorld.gravity(World.physics_world(game.world)).z * dt
    jump(player, input, dt)
    walk(player, dt)
    turn(player, wish, dt)
end

-- --- Picture ------------------------------------------------------------------------------------

-- Gives the state machine the speed of the fox, and sends events when it leaves the ground and comes
-- back to it.
local function animate(player)
    local unit = player.unit
    Unit.animation_set_variable(unit, player.speed_variable, player.speed)
    Unit.animation_set_variable(unit, player.rise_variable, player.vz)
    local is_in_air = player.since_ground > (player.is_in_air and 0 or 0.1)
    if is_in_air ~= player.is_in_air then
        player.is_in_air = is_in_air
        Unit.animation_event(unit, is_in_air and "fall" or "land")
    end
end

-- Lays its shadow on what is below.
local function show_shadow(game)
    local player = game.player
    local is_hit, _, distance = PhysicsWorld.raycast(World.physics_world(game.world),
        Vector3(player.x, player.y, player.z + 0.3), Vector3(0, 0, -1), 50, "closest", "ignore", player.unit)
    local above = is_hit and max(0, distance - 0.3) or 50
    local size = max(0.2, 1 - above / 6)
    Unit.set_local_position(player.shadow, 1,
        Vector3(player.x + SUN_X * above, player.y + SUN_Y * above, player.z - above + 0.016))
    Unit.set_local_scale(player.shadow, 1, Vector3(size, size, 1))
end

function M.show(game)
    animate(game.player)
    Unit.set_local_rotation(game.player.unit, 1, Quaternion(Vector3(0, 0, 1), game.player.yaw))
    show_shadow(game)
end

return M
