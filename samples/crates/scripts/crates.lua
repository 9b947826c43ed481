-- Crates: boxes a metre wide that fall, stack, slide when pushed, and sleep when nothing happens.
--
-- There is one array for each quantity; a crate is an index. A grid of columns a metre wide finds
-- neighbours. Only crates that are awake cost time, so there can be thousands.

local Solids = require "scripts/solids"

local M = {}

local SIZE = 1.0
local TOUCH = 0.995       -- crates nearer than this along an axis are level with each other
local GRAVITY = 20
local FRICTION = 7        -- per second, on the ground
local BOUNCE = 0.22
local STILL = 0.1         -- metres a second below which a crate counts as still
local ANCHOR_RANGE = 0.02 -- metres: a crate that stays so near to a place …
local SLEEP_AFTER = 0.4   -- … for so many seconds goes to sleep
local SHADOW_HEIGHT = 0.010
local SUN_X, SUN_Y = 0.85, 0.3  -- metres between a thing and its shadow for each metre of height
local SHADOWS_UP_TO = 9   -- metres of height

local abs, floor, max, min = math.abs, math.floor, math.max, math.min

local function new_crates()
    return {
        count = 0,
        unit = {}, shadow = {},
        first_x = {}, first_y = {},    -- where it entered the game
        x = {}, y = {}, z = {},        -- the middle, in metres
        vx = {}, vy = {}, vz = {},     -- metres a second
        rest = {},                     -- seconds near its anchor
        anchor_x = {}, anchor_y = {}, anchor_z = {},
        is_awake = {}, place = {},     -- `place` in the list of those awake
        cell = {},                     -- its column
        tilt_x = {}, tilt_y = {},      -- how it tumbles while it falls, radians
        columns = {},                  -- [cell] = { crate, … }
        awake = {},                    -- crates, in the order they woke
        solids = {},
    }
end

-- --- Columns -----------------------------------------------------------------------------------

local function cell_of(x, y)
    return (floor(x) + 512) * 1024 + floor(y) + 512
end

local function enter(c, i)
    local cell = cell_of(c.x[i], c.y[i])
    local column = c.columns[cell]
    if not column then
        column = {}
        c.columns[cell] = column
    end
    column[#column + 1] = i
    c.cell[i] = cell
end

local function leave(c, i)
    local column = c.columns[c.cell[i]]
    for k = 1, #column do
        if column[k] == i then
            column[k] = column[#column]
            column[#column] = nil
            return
        end
    end
end

-- Fills `found` with at least the crates closer than a little over a metre to a point; returns their
-- number. Reuses one table.
local found = {}
local function near(c, x, y)
    local count = 0
    local columns = c.columns
    local first = cell_of(x - 1, y - 1)
    for column_x = 0, 2 do
        for cell = first + column_x * 1024, first + column_x * 1024 + 2 do
            local column = columns[cell]
            if column then
                for k = 1, #column do
                    count = count + 1
                    found[count] = column[k]
                end
            end
        end
    end
    return count
end

-- --- Life ---------------------------------------------------------------------------------------

local function wake(c, i)
    if not c.is_awake[i] then
        c.rest[i] = 0
        c.is_awake[i] = true
        c.awake[#c.awake + 1] = i
        c.place[i] = #c.awake
    end
end

local function sleep(c, i)
    local last = c.awake[#c.awake]
    c.awake[c.place[i]] = last
    c.place[last] = c.place[i]
    c.awake[#c.awake] = nil
    c.is_awake[i] = false
    c.vx[i], c.vy[i], c.vz[i] = 0, 0, 0
end

local function add(game, unit, x, y, z)
    local c = game.crates
    local i = c.count + 1
    c.count = i
    c.unit[i] = unit
    c.shadow[i] = World.spawn_unit(game.world, "units/crate_shadow")
    c.x[i], c.y[i], c.z[i] = x, y, z
    c.first_x[i], c.first_y[i] = x, y
    c.anchor_x[i], c.anchor_y[i], c.anchor_z[i] = x, y, z
    c.vx[i], c.vy[i], c.vz[i] = 0, 0, 0
    c.rest[i], c.is_awake[i], c.place[i] = 0, false, 0
    c.tilt_x[i], c.tilt_y[i] = 0, 0
    enter(c, i)
    wake(c, i)
    return i
end

-- Adds the crates that the level placed.
function M.adopt_level(game)
    game.crates = new_crates()
    game.crates.solids = Solids.collect(game.world)
    for _, unit in ipairs(World.units_by_resource(game.world, "units/crate")) do
        local p = Unit.world_position(unit, 1)
        add(game, unit, p.x, p.y, p.z)
    end
end

-- Returns the next number of the game's random sequence, from `least` to `most`.
local function random(game, least, most)
    local number
    game.seed, number = Math.next_random(game.seed, 0, 1000000)
    return least + (most - least) * number / 1000000
end

-- Drops more crates from the sky.
function M.drop(game, count)
    local edge = Solids.YARD - 1
    for number = 1, count do
        local x, y = random(game, -edge, edge), random(game, -edge, edge)
        local z = 8 + 0.08 * number
        local unit = World.spawn_unit(game.world, "units/crate", Vector3(x, y, z))
        local i = add(game, unit, x, y, z)
        game.crates.tilt_x[i] = random(game, -1.2, 1.2)
        game.crates.tilt_y[i] = random(game, -0.8, 0.8)
    end
end

-- Destroys all crates that the level does not own, and all shadows.
function M.clear(game)
    local c = game.crates
    for i = 1, c.count do
        World.destroy_unit(game.world, c.shadow[i])
        if not Unit.level(c.unit[i]) then
            World.destroy_unit(game.world, c.unit[i])
        end
    end
    game.crates = nil
end

-- Wakes the crates that lean on a crate that moved.
local function wake_neighbours(c, i)
    local x, y, z = c.x[i], c.y[i], c.z[i]
    for k = 1, near(c, x, y) do
        local j = found[k]
        if not c.is_awake[j] and c.z[j] > z + 0.5 and c.z[j] < z + 1.1
            and abs(c.x[j] - x) < 1.05 and abs(c.y[j] - y) < 1.05 then
            wake(c, j)
        end
    end
end

-- --- Movement -----------------------------------------------------------------------------------

-- Returns the height on which crate `i` comes to rest, and the position of its middle over its
-- support: 0, or the direction in which it slides off an edge.
local function support(c, i, count)
    local x, y, z = c.x[i], c.y[i], c.z[i]
    local top = 0
    local least_x, most_x, least_y, most_y = -1e9, 1e9, -1e9, 1e9
    for k = 1, #c.solids do
        local s = c.solids[k]
        if s[6] > top and s[6] <= z - 0.25 and x + 0.49 > s[1] and x - 0.49 < s[2]
            and y + 0.49 > s[3] and y - 0.49 < s[4] then
            top = s[6]
            least_x, most_x, least_y, most_y = s[1], s[2], s[3], s[4]
        end
    end
    for k = 1, count do
        local j = found[k]
        local jx, jy = c.x[j], c.y[j]
        local height = c.z[j] + SIZE / 2
        if j ~= i and c.z[j] < z - 0.25 and abs(jx - x) < TOUCH and abs(jy - y) < TOUCH then
            if height > top + 0.02 then
                top = height
                least_x, most_x, least_y, most_y = jx - 0.5, jx + 0.5, jy - 0.5, jy + 0.5
            elseif height > top - 0.02 then  -- several carry it together
                least_x, most_x = min(least_x, jx - 0.5), max(most_x, jx + 0.5)
                least_y, most_y = min(least_y, jy - 0.5), max(most_y, jy + 0.5)
            end
        end
    end
    local slide_x = x < least_x and -1 or x > most_x and 1 or 0
    local slide_y = y < least_y and -1 or y > most_y and 1 or 0
    return top, slide_x, slide_y
end

-- Makes a crate fall, land, and slide off a support under its edge only.
local function fall(c, i, count, dt)
    local top, slide_x, slide_y = support(c, i, count)
    local z, vz = c.z[i], c.vz[i] - GRAVITY * dt
    z = z + vz * dt
    if z > top + SIZE / 2 then
        c.z[i], c.vz[i] = z, vz
        return
    end
    local lift = top + SIZE / 2 - c.z[i]  -- above 0: something slid below it
    c.z[i] = c.z[i] + (lift > 0 and min(lift, 4 * dt) or lift)
    c.vz[i] = vz < -3 and -vz * BOUNCE or 0
    local slow = max(0, 1 - FRICTION * dt)
    c.vx[i] = c.vx[i] * slow + slide_x * 6 * dt
    c.vy[i] = c.vy[i] * slow + slide_y * 6 * dt
    local upright = max(0, 1 - 14 * dt)
    c.tilt_x[i], c.tilt_y[i] = c.tilt_x[i] * upright, c.tilt_y[i] * upright
end

-- Shares the movement of two crates that meet along one axis; `v` is that axis' velocities.
local function meet(c, v, i, j, direction)
    local difference = (v[i] - v[j]) * direction
    if difference > 0 then
        local shared = (v[i] + v[j]) / 2
        v[i], v[j] = shared, shared
        if difference > 0.05 then
            wake(c, j)
        end
    end
end

-- Moves crates apart that are inside each other, and lets those that meet push each other.
local function collide(c, i, count)
    local x, y, z = c.x[i], c.y[i], c.z[i]
    for k = 1, count do
        local j = found[k]
        if j ~= i and abs(c.z[j] - z) < 0.9 then
            local dx, dy = c.x[j] - x, c.y[j] - y
            local ax, ay = abs(dx), abs(dy)
            if ax < SIZE and ay < SIZE then
                if ax > ay then
                    local direction = dx > 0 and 1 or -1
                    x = x - direction * min(SIZE - ax, 0.08) * 0.6
                    meet(c, c.vx, i, j, direction)
                else
                    local direction = dy > 0 and 1 or -1
                    y = y - direction * min(SIZE - ay, 0.08) * 0.6
                    meet(c, c.vy, i, j, direction)
                end
                if ax < SIZE - 0.02 and ay < SIZE - 0.02 then
                    wake(c, j)
                end
            end
        end
    end
    c.x[i], c.y[i] = x, y
end

-- Keeps a crate out of things that do not move.
local function stay_out(c, i)
    local x, y, z = c.x[i], c.y[i], c.z[i]
    for k = 1, #c.solids do
        local s = c.solids[k]
        if z + 0.45 > s[5] and z - 0.45 < s[6] then
            local left, right = x + 0.5 - s[1], s[2] - x + 0.5
            local back, front = y + 0.5 - s[3], s[4] - y + 0.5
            local least = min(left, right, back, front)
            if least > 0 then
                if least == left then
                    x, c.vx[i] = x - left, min(c.vx[i], 0)
                elseif least == right then
                    x, c.vx[i] = x + right, max(c.vx[i], 0)
                elseif least == back then
                    y, c.vy[i] = y - back, min(c.vy[i], 0)
                else
                    y, c.vy[i] = y + front, max(c.vy[i], 0)
                end
            end
        end
    end
    local edge = Solids.YARD - SIZE / 2
    c.x[i], c.y[i] = max(-edge, min(edge, x)), max(-edge, min(edge, y))
end

local function move_one(c, i, dt)
    local x, y, z = c.x[i], c.y[i], c.z[i]
    local count = near(c, x, y)
    fall(c, i, count, dt)
    c.x[i], c.y[i] = x + c.vx[i] * dt, y + c.vy[i] * dt
    collide(c, i, count)
    stay_out(c, i)
    if cell_of(c.x[i], c.y[i]) ~= c.cell[i] then
        leave(c, i)
        enter(c, i)
    end
    if abs(c.x[i] - x) + abs(c.y[i] - y) + abs(c.z[i] - z) > STILL * dt then
        wake_neighbours(c, i)
    end
    c.rest[i] = c.rest[i] + dt
    if abs(c.x[i] - c.anchor_x[i]) + abs(c.y[i] - c.anchor_y[i])
        + abs(c.z[i] - c.anchor_z[i]) > ANCHOR_RANGE then
        c.rest[i] = 0
        c.anchor_x[i], c.anchor_y[i], c.anchor_z[i] = c.x[i], c.y[i], c.z[i]
    end
end

function M.move(game, dt)
    local c = game.crates
    for k = #c.awake, 1, -1 do  -- from the end: crates that wake now wait for the next step
        local i = c.awake[k]
        move_one(c, i, dt)
    end
end

-- --- What others ask ----------------------------------------------------------------------------

-- Calls `visit(i, x, y, z)` for the crates around a place.
function M.each_near(game, x, y, visit)
    local c = game.crates
    local count = near(c, x, y)
    local list = {}
    for k = 1, count do
        list[k] = found[k]
    end
    for k = 1, count do
        local i = list[k]
        visit(i, c.x[i], c.y[i], c.z[i])
    end
end

-- Returns whether a place is inside, or within `margin` of, a crate or a thing that does not move.
function M.is_inside(game, x, y, z, margin)
    local c = game.crates
    local reach = SIZE / 2 + margin
    for k = 1, near(c, x, y) do
        local i = found[k]
        if abs(c.x[i] - x) < reach and abs(c.y[i] - y) < reach and abs(c.z[i] - z) < reach then
            return true
        end
    end
    for k = 1, #c.solids do
        local s = c.solids[k]
        if x > s[1] - margin and x < s[2] + margin and y > s[3] - margin and y < s[4] + margin
            and z > s[5] - margin and z < s[6] + margin then
            return true
        end
    end
    return false
end

-- Pushes a crate along an axis ("x" or "y") up to a speed in metres a second.
function M.push(game, i, axis, speed)
    local c = game.crates
    local v = axis == "x" and c.vx or c.vy
    if abs(speed) > abs(v[i]) or speed * v[i] < 0 then
        v[i] = speed
    end
    wake(c, i)
end

-- Returns how many crates are no longer where they entered the game.
function M.num_toppled(game)
    local c = game.crates
    local count = 0
    for i = 1, c.count do
        if abs(c.x[i] - c.first_x[i]) + abs(c.y[i] - c.first_y[i]) > 0.3 then
            count = count + 1
        end
    end
    return count
end

-- Returns the state that tests check.
function M.summary(game)
    local c = game.crates
    local farthest, lowest = 0, 1e9
    for i = 1, c.count do
        farthest = max(farthest, abs(c.x[i]), abs(c.y[i]))
        lowest = min(lowest, c.z[i])
    end
    return string.format("crates %d, awake %d, moved %d, farthest %.4f, lowest %.4f", c.count,
        #c.awake, M.num_toppled(game), farthest, lowest)
end

-- --- Picture ------------------------------------------------------------------------------------

local function show_shadow(c, i, x, y, z)
    local height = z - SIZE / 2
    local shadow = c.shadow[i]
    local size = max(0.01, 1 - height / SHADOWS_UP_TO)
    Unit.set_local_position(shadow, 1, Vector3(x + SUN_X * height, y + SUN_Y * height,
        SHADOW_HEIGHT))
    Unit.set_local_scale(shadow, 1, Vector3(size, size, 1))
end

local units, positions = {}, {}

-- Sends the poses of crates that moved, many at once.
function M.show(game)
    local c = game.crates
    local count = #c.awake
    for k = count + 1, #units do
        units[k] = nil
    end
    for k = #positions, count * 3 + 1, -1 do
        positions[k] = nil
    end
    for k = 1, count do
        local i = c.awake[k]
        local x, y, z = c.x[i], c.y[i], c.z[i]
        units[k] = c.unit[i]
        positions[k * 3 - 2], positions[k * 3 - 1], positions[k * 3] = x, y, z
        local tilt_x, tilt_y = c.tilt_x[i], c.tilt_y[i]
        if tilt_x ~= 0 or tilt_y ~= 0 then
            if abs(tilt_x) + abs(tilt_y) < 0.004 then
                tilt_x, tilt_y = 0, 0
                c.tilt_x[i], c.tilt_y[i] = 0, 0
            end
            Unit.set_local_rotation(c.unit[i], 1, Quaternion.multiply(
                Quaternion(Vector3(1, 0, 0), tilt_x), Quaternion(Vector3(0, 1, 0), tilt_y)))
        end
        show_shadow(c, i, x, y, z)
    end
    if count > 0 then
        TransformComponent.set_local_positions(
            EntityManager.transform_component(game.world), units, positions)
    end
    for k = count, 1, -1 do
        local i = c.awake[k]
        if c.rest[i] > SLEEP_AFTER and c.tilt_x[i] == 0 and c.tilt_y[i] == 0 then
            sleep(c, i)
        end
    end
end

return M
