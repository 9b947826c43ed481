-- The fox: runs, jumps, pushes crates, and moves its feet, hands and tail.

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

local abs, cos, max, min, sin, sqrt = math.abs, math.cos, math.max, math.min, math.sin, math.sqrt

function M.spawn(game)
    local world = game.world
    local player = {
        x = 1.2, y = -4.2, z = 0, vx = 0, vy = 0, vz = 0,
        yaw = 1.9,                -- direction: 0 is +y, positive to the left
        since_ground = 0, jump_wish = 0,
        stride = 0, pace = 0,     -- of its run: phase and strength
        squash = 0, squash_speed = 0,
        unit = World.spawn_unit(world, "units/fox"),
        tail = World.spawn_unit(world, "units/fox_tail"),
        shadow = World.spawn_unit(world, "units/fox_shadow"),
        paws = {},
    }
    World.link_unit(world, player.tail, 1, player.unit, 1)
    for i = 1, 4 do
        player.paws[i] = World.spawn_unit(world, "units/fox_paw")
        World.link_unit(world, player.paws[i], 1, player.unit, 1)
    end
    game.player = player
end

function M.despawn(game)
    local player = game.player
    for _, paw in ipairs(player.paws) do
        World.destroy_unit(game.world, paw)
    end
    World.destroy_unit(game.world, player.tail)
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
        if player.vz < -3 then
            player.squash_speed = player.vz * 0.45
        end
        player.z, player.vz, player.since_ground = ground, 0, 0
    else
        player.since_ground = player.since_ground + dt
    end
    if player.jump_wish > 0 and player.since_ground < LATE_JUMP then
        player.vz, player.since_ground, player.jump_wish = JUMP, 1, 0
        player.squash_speed = 3.5
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

-- Moves the feet, and the hands the opposite way.
local function show_limbs(player, breath)
    local is_in_air = player.since_ground > 0.1
    local pace = is_in_air and 0.35 or player.pace
    for i = 1, 4 do
        local side = i % 2 == 0 and 1 or -1
        local turn_of = player.stride + (side > 0 and math.pi or 0)
        local swing, lift = sin(turn_of) * pace, max(0, cos(turn_of)) * pace
        if i <= 2 then
            Unit.set_local_position(player.paws[i], 1,
                Vector3(side * 0.14, 0.02 + swing * 0.26, 0.075 + lift * 0.16))
            Unit.set_local_rotation(player.paws[i], 1,
                Quaternion(Vector3(1, 0, 0), -swing * 0.5))
        else
            local up = is_in_air and 0.22 or 0
            Unit.set_local_position(player.paws[i], 1, Vector3(side * (0.31 + up * 0.3),
                0.06 - swing * 0.24, 0.47 + abs(swing) * 0.06 + up + breath * 0.3))
            Unit.set_local_scale(player.paws[i], 1, Vector3(0.78, 0.72, 0.95))
        end
    end
end

local function show_tail(player, time)
    local wag = sin(time * 3.1) * (0.22 + 0.2 * player.pace) + sin(player.stride) * 0.12 * player.pace
    local lift = -0.15 - 0.25 * player.pace + max(-0.5, min(0.5, -player.vz * 0.08))
    Unit.set_local_position(player.tail, 1, Vector3(0, -0.20, 0.30))
    Unit.set_local_rotation(player.tail, 1, Quaternion.multiply(
        Quaternion(Vector3(0, 0, 1), wag), Quaternion(Vector3(1, 0, 0), lift)))
end

-- Squashes the fox with a spring, depending on its movement.
local function show_squash(player, dt)
    local steps = max(1, math.ceil(dt * 120))
    for _ = 1, steps do
        local h = dt / steps
        player.squash_speed = player.squash_speed - (player.squash * 260 + player.squash_speed * 15) * h
        player.squash = player.squash + player.squash_speed * h
    end
    player.squash = max(-0.3, min(0.3, player.squash))
end

function M.show(game, dt)
    local player = game.player
    local speed = sqrt(player.vx * player.vx + player.vy * player.vy)
    local t = 1 - math.exp(-10 * dt)
    player.pace = player.pace + (min(1, speed / SPEED) - player.pace) * t
    player.stride = (player.stride + speed * dt * 3.1) % (2 * math.pi)
    show_squash(player, dt)

    local breath = sin(game.time * 2.6) * 0.02 * (1 - player.pace)
    local bob = abs(sin(player.stride)) * 0.07 * player.pace
    local height = 1 + player.squash + breath
    local width = 1 / sqrt(height)
    Unit.set_local_position(player.unit, 1, Vector3(player.x, player.y, player.z + bob))
    Unit.set_local_rotation(player.unit, 1, Quaternion.multiply(
        Quaternion(Vector3(0, 0, 1), player.yaw),
        Quaternion(Vector3(1, 0, 0), -0.16 * player.pace)))
    Unit.set_local_scale(player.unit, 1, Vector3(width, width, height))
    show_limbs(player, breath)
    show_tail(player, game.time)

    local ground = ground_below(game, player)
    local above = player.z - ground
    local size = max(0.2, 1 - above / 6)
    Unit.set_local_position(player.shadow, 1,
        Vector3(player.x + SUN_X * above, player.y + SUN_Y * above, ground + 0.016))
    Unit.set_local_scale(player.shadow, 1, Vector3(size, size, 1))
end

return M
