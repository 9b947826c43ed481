-- The figure: walks by its mover, jumps, crouches by its second mover, and swings its arms and legs.

local M = {}

local SPEED, CROUCHED_SPEED = 4.2, 2.0  -- metres a second
local QUICKNESS = 10                    -- how fast it changes its speed, per second
local TURN_QUICKNESS = 12
local JUMP_SPEED, GRAVITY = 4.6, 9.82
local HIPS, CROUCHED_HIPS = 0.6, 0.34   -- metres above the ground

local pi, sin, max, min, abs = math.pi, math.sin, math.max, math.min, math.abs

-- Puts a robot at a place that it looks from along `yaw`; 0 is along y, positive to the left.
function M.spawn(game, x, y, z, yaw)
    local unit = World.spawn_unit(game.world, "units/robot", Vector3(x, y, z))
    local function node(name)
        return Unit.node(unit, name)
    end
    game.robot = {
        unit = unit, yaw = yaw, vx = 0, vy = 0, vz = 0, speed = 0, rode = 0, phase = 0, swing = 0, low = 0,
        is_crouched = false, is_down = false,
        patch = World.spawn_unit(game.world, "units/patch", Vector3(x, y, z)),
        hips = node("hips"), body = node("body"), head = node("head"),
        arms = { node("arm_left"), node("arm_right") }, legs = { node("leg_left"), node("leg_right") },
    }
    M.show(game, 0)
end

function M.despawn(game)
    World.destroy_unit(game.world, game.robot.patch)
    World.destroy_unit(game.world, game.robot.unit)
    game.robot = nil
end

-- Returns its lowest point.
function M.position(game)
    return Mover.position(Unit.mover(game.robot.unit))
end

function M.teleport(game, x, y, z, yaw)
    local robot = game.robot
    robot.vx, robot.vy, robot.vz, robot.yaw = 0, 0, 0, yaw
    Mover.set_position(Unit.mover(robot.unit), Vector3(x, y, z))
end

-- Crouches or gets up: another mover is in use then. There must be room for it.
local function crouch(robot, wants_to)
    if wants_to ~= robot.is_crouched and Unit.set_mover(robot.unit, wants_to and "crouched" or "upright") then
        robot.is_crouched = wants_to
    end
end

local function turn_to(robot, dx, dy, dt)
    local turn = (math.atan2(-dx, dy) - robot.yaw + pi) % (2 * pi) - pi
    robot.yaw = robot.yaw + turn * (1 - math.exp(-TURN_QUICKNESS * dt))
end

-- Moves it. `input` has x and y, where it wants to go in the world (length up to 1), jump and crouch.
function M.move(game, input, dt)
    local robot = game.robot
    crouch(robot, input.crouch)
    local mover = Unit.mover(robot.unit)
    local speed = robot.is_crouched and CROUCHED_SPEED or SPEED
    local share = 1 - math.exp(-QUICKNESS * dt)
    robot.vx = robot.vx + (input.x * speed - robot.vx) * share
    robot.vy = robot.vy + (input.y * speed - robot.vy) * share
    local wants_to_go = abs(input.x) + abs(input.y) > 0.01
    if not wants_to_go and abs(robot.vx) + abs(robot.vy) < 0.02 then
        robot.vx, robot.vy = 0, 0
    end
    robot.vz = robot.is_down and max(robot.vz, 0) or robot.vz
    if input.jump and robot.is_down and not robot.is_crouched then
        robot.vz = JUMP_SPEED
    end
    robot.vz = robot.vz - GRAVITY * dt
    local before = Mover.position(mover)
    Mover.move(mover, Vector3(robot.vx, robot.vy, robot.vz) * dt, dt)
    local after = Mover.position(mover)
    local is_standing = robot.vx == 0 and robot.vy == 0 and robot.is_down
    robot.is_down = Mover.collides_down(mover)
    if robot.is_down and is_standing then
        robot.rode = robot.rode + Vector3.distance(before, after)
    end
    if Mover.collides_up(mover) then
        robot.vz = min(robot.vz, 0)
    end
    if wants_to_go then
        turn_to(robot, input.x, input.y, dt)
    end
    local dx, dy = after.x - before.x, after.y - before.y
    robot.speed = is_standing and 0 or math.sqrt(dx * dx + dy * dy) / dt
end

-- Lays the soft patch on what is below.
local function show_patch(game, position)
    local robot = game.robot
    local physics = World.physics_world(game.world)
    local is_hit, place = PhysicsWorld.raycast(physics, position + Vector3(0, 0, 0.3), Vector3(0, 0, -1), 8,
        "closest", "ignore", robot.unit)
    local height = is_hit and place.z + 0.025 or -1
    Unit.set_local_position(robot.patch, 1, Vector3(position.x, position.y, height))
end

-- Poses its parts.
function M.show(game, dt)
    local robot = game.robot
    local unit, speed = robot.unit, min(robot.speed, SPEED)
    robot.phase = (robot.phase + dt * (2.2 + speed * 1.9)) % (2 * pi)
    local function follow(from, to, quickness)
        return from + (to - from) * (1 - math.exp(-quickness * dt))
    end
    robot.swing = follow(robot.swing, robot.is_down and speed / SPEED or 0, 9)
    robot.low = follow(robot.low, robot.is_crouched and 1 or 0, 14)
    local swing = 0.75 * robot.swing * sin(robot.phase)
    local bob = 0.03 * robot.swing * abs(sin(robot.phase)) + 0.008 * sin(game.time * 2.1)
    local up = not robot.is_down and 0.7 or 0
    local right = Vector3(1, 0, 0)
    local function turn(node, angle)
        Unit.set_local_rotation(unit, node, Quaternion(right, angle))
    end
    Unit.set_local_rotation(unit, 1, Quaternion(Vector3(0, 0, 1), robot.yaw))
    Unit.set_local_position(unit, robot.hips, Vector3(0, 0, HIPS + (CROUCHED_HIPS - HIPS) * robot.low + bob))
    turn(robot.body, -0.10 * robot.swing - 0.55 * robot.low)
    turn(robot.head, 0.06 * robot.swing + 0.55 * robot.low)
    turn(robot.arms[1], -swing * 0.9 + 0.8 * robot.low + up * 1.6)
    turn(robot.arms[2], swing * 0.9 + 0.8 * robot.low + up * 1.6)
    turn(robot.legs[1], swing * (1 - 0.4 * robot.low) + 1.0 * robot.low + up * 0.4)
    turn(robot.legs[2], -swing * (1 - 0.4 * robot.low) + 1.0 * robot.low - up * 0.3)
    show_patch(game, M.position(game))
end

return M
