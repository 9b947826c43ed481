-- The fox: runs, jumps, pushes crates. Its state machine, animations/fox.state_machine, moves its
-- joints.

local Camera = require "scripts/camera"
local Crates = require "scripts/crates"
local Solids = require "scripts/solids"

local M = {}

local SPEED = 5.5          -- metres a second
local QUICKNESS = 11       -- how fast it reaches this speed, per second
local JUMP = 8.2           -- metres a second
local GRAVITY = 20
local RADIUS = 0.38
local HEIGHT = 1.2
local STEP_UP = 0.12       -- metres it steps up without a jump
local PUSH = 3.2           -- metres a second at which it pushes crates
local LATE_JUMP = 0.12     -- seconds after leaving an edge in which it can still jump
local SUN_X, SUN_Y = 0.85, 0.3

local abs, max, min, sqrt = math.abs, math.max, math.min, math.sqrt

function M.spawn(game)
    local world = game.world
    local player = {
        x = 1.2, y = -4.2, z = 0, vx = 0, vy = 0, vz = 0,
        yaw = 1.9,                -- direction: 0 is +y, positive to the left
        since_ground = 0, jump_wish = 0,
        is_in_air = false,        -- what its state machine was sent last
        unit = World.spawn_unit(world, "units/fox"),
        shadow = World.spawn_unit(world, "units/fox_shadow"),
    }
    player.speed_variable = Unit.animation_find_variable(player.unit, "speed")
    player.rise_variable = Unit.animation_find_variable(player.unit, "rise")
    game.player = player
end

function M.despawn(game)
    local player = game.player
    World.destroy_unit(game.world, player.unit)
    World.destroy_unit(game.world, player.shadow)
    game.player = nil
end

-- --- Movement -----------------------------------------------------------------------------------

-- Moves the player's circle out of a box; returns the axis and direction in which it was stopped.
local function move_out(player, left, right, back, front)
    local near_x, near_y = max(left, min(right, player.x)), max(back, min(front, player.y))
    local dx, dy = player.x - near_x, player.y - near_y
    local distance = sqrt(dx * dx + dy * dy)
    if distance >= RADIUS then
        return nil
    end
    if distance > 1e-6 then
        local factor = (RADIUS - distance) / distance
        player.x, player.y = player.x + dx * factor, player.y + dy * factor
    elseif min(player.x - left, right - player.x) < min(player.y - back, front - player.y) then
        dx = player.x - left < right - player.x and -1 or 1
        player.x = dx < 0 and left - RADIUS or right + RADIUS
    else
        dy = player.y - back < front - player.y and -1 or 1
        player.y = dy < 0 and back - RADIUS or front + RADIUS
    end
    if abs(dx) > abs(dy) then
        return "x", dx > 0 and 1 or -1
    end
    return "y", dy > 0 and 1 or -1
end

-- Removes the speed with which it ran into something.
local function stop(player, axis, direction)
    local v = axis == "x" and "vx" or "vy"
    if player[v] * direction < 0 then
        player[v] = 0
    end
end

local function meets_height(player, bottom, top)
    return player.z < top - STEP_UP and player.z + HEIGHT > bottom
end

local function collide(game, player)
    Crates.each_near(game, player.x, player.y, function(i, x, y, z)
        if meets_height(player, z - 0.5, z + 0.5) then
            local axis, direction = move_out(player, x - 0.5, x + 0.5, y - 0.5, y + 0.5)
            if axis then
                local speed = axis == "x" and player.vx or player.vy
                if speed * direction < -0.2 then
                    Crates.push(game, i, axis, max(-PUSH, min(PUSH, speed)))
                    player[axis == "x" and "vx" or "vy"] = max(-PUSH, min(PUSH, speed))
                end
            end
        end
    end)
    for _, s in ipairs(game.crates.solids) do
        if meets_height(player, s[5], s[6]) then
            local axis, direction = move_out(player, s[1], s[2], s[3], s[4])
            if axis then
                stop(player, axis, direction)
            end
        end
    end
    local edge = Solids.YARD - RADIUS
    player.x, player.y = max(-edge, min(edge, player.x)), max(-edge, min(edge, player.y))
end

-- Returns the height of the ground or crate below the feet.
local function ground_below(game, player)
    local ground, reach = 0, player.z + STEP_UP + 0.02
    local function consider(left, right, back, front, top)
        if top <= reach and top > ground then
            local dx = player.x - max(left, min(right, player.x))
            local dy = player.y - max(back, min(front, player.y))
            if dx * dx + dy * dy < 0.05 then
                ground = top
            end
        end
    end
    Crates.each_near(game, player.x, player.y, function(_, x, y, z)
        consider(x - 0.5, x + 0.5, y - 0.5, y + 0.5, z + 0.5)
    end)
    for _, s in ipairs(game.crates.solids) do
        consider(s[1], s[2], s[3], s[4], s[6])
    end
    return ground
end

local function jump_and_fall(game, player, dt)
    player.vz = player.vz - GRAVITY * dt
    player.z = player.z + player.vz * dt
    local ground = ground_below(game, player)
    if player.z <= ground and player.vz <= 0 then
        player.z, player.vz, player.since_ground = ground, 0, 0
    else
        player.since_ground = player.since_ground + dt
    end
    if player.jump_wish > 0 and player.since_ground < LATE_JUMP then
        player.vz, player.since_ground, player.jump_wish = JUMP, 1, 0
        player.is_in_air = true
        Unit.animation_event(player.unit, "jump")
    end
    player.jump_wish = player.jump_wish - dt
end

-- Turns towards its running direction.
local function turn(player, wish_x, wish_y, dt)
    if wish_x == 0 and wish_y == 0 then
        return
    end
    local wanted = math.atan2(-wish_x, wish_y)
    local difference = (wanted - player.yaw + math.pi) % (2 * math.pi) - math.pi
    player.yaw = player.yaw + difference * (1 - math.exp(-12 * dt))
end

function M.move(game, input, dt)
    local player = game.player
    local right_x, right_y, forward_x, forward_y = Camera.axes(game)
    local wish_x = right_x * input.right + forward_x * input.forward
    local wish_y = right_y * input.right + forward_y * input.forward
    local length = sqrt(wish_x * wish_x + wish_y * wish_y)
    if length > 1 then
        wish_x, wish_y = wish_x / length, wish_y / length
    end
    local t = 1 - math.exp(-QUICKNESS * dt)
    player.vx = player.vx + (wish_x * SPEED - player.vx) * t
    player.vy = player.vy + (wish_y * SPEED - player.vy) * t
    if input.jump then
        player.jump_wish = 0.15
    end
    player.x, player.y = player.x + player.vx * dt, player.y + player.vy * dt
    collide(game, player)
    jump_and_fall(game, player, dt)
    turn(player, wish_x, wish_y, dt)
end

-- --- Picture ------------------------------------------------------------------------------------

-- Gives the state machine the speed of the fox, and sends events when it leaves the ground and comes
-- back to it.
local function animate(player)
    local unit = player.unit
    Unit.animation_set_variable(unit, player.speed_variable,
        sqrt(player.vx * player.vx + player.vy * player.vy))
    Unit.animation_set_variable(unit, player.rise_variable, player.vz)
    local is_in_air = player.since_ground > (player.is_in_air and 0 or 0.1)
    if is_in_air ~= player.is_in_air then
        player.is_in_air = is_in_air
        Unit.animation_event(unit, is_in_air and "fall" or "land")
    end
end

function M.show(game)
    local player = game.player
    animate(player)
    Unit.set_local_position(player.unit, 1, Vector3(player.x, player.y, player.z))
    Unit.set_local_rotation(player.unit, 1, Quaternion(Vector3(0, 0, 1), player.yaw))

    local ground = ground_below(game, player)
    local above = player.z - ground
    local size = max(0.2, 1 - above / 6)
    Unit.set_local_position(player.shadow, 1,
        Vector3(player.x + SUN_X * above, player.y + SUN_Y * above, ground + 0.016))
    Unit.set_local_scale(player.shadow, 1, Vector3(size, size, 1))
end

return M
