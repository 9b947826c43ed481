-- Crates. Each is a unit with a dynamic actor (units/crate.unit), so physics makes them fall, stack,
-- topple and sleep. This script counts those that have been toppled, and drops more.

local M = {}

local TOPPLED = 0.3         -- metres from its first place, on a map
local COLUMNS, WIDTH = 11, 2.3  -- of the grid that crates fall from, so that they do not meet in the air
local LOWEST_DROP = 8       -- metres
local BETWEEN_DROPS = 0.08  -- metres from one falling crate up to the next

local function add(game, unit)
    local first = Vector3Box(Unit.world_position(unit, 1))
    local crate = { unit = unit, actor = Unit.actor(unit, "actor"), first = first }
    table.insert(game.crates, crate)
    table.insert(game.untouched, crate)
    return crate
end

-- Adds the crates that the level placed.
function M.adopt_level(game)
    game.crates, game.untouched = {}, {}
    for _, unit in ipairs(World.units_by_resource(game.world, "units/crate")) do
        add(game, unit)
    end
end

-- Destroys all crates that the level does not own.
function M.clear(game)
    for _, crate in ipairs(game.crates) do
        if not Unit.level(crate.unit) then
            World.destroy_unit(game.world, crate.unit)
        end
    end
    game.crates, game.untouched = nil, nil
end

-- Returns the next number of the game's random sequence, from `least` to `most`.
local function random(game, least, most)
    local number
    game.seed, number = Math.next_random(game.seed, 0, 1000000)
    return least + (most - least) * number / 1000000
end

-- Returns a height above all crates.
local function drop_height(game)
    local height = LOWEST_DROP
    for _, crate in ipairs(game.crates) do
        height = math.max(height, Actor.position(crate.actor).z + 2)
    end
    return height
end

-- Drops more crates from the sky.
function M.drop(game, count)
    local lowest = drop_height(game)
    for i = 1, count do
        local cell = i * 37 % (COLUMNS * COLUMNS)  -- visits all cells before it comes to one again
        local column, row = cell % COLUMNS, math.floor(cell / COLUMNS)
        local x = (column - (COLUMNS - 1) / 2) * WIDTH + random(game, -0.25, 0.25)
        local y = (row - (COLUMNS - 1) / 2) * WIDTH + random(game, -0.25, 0.25)
        local tilt = Quaternion(Vector3(1, 0, 0), random(game, -1.2, 1.2))
        local turn = Quaternion(Vector3(0, 0, 1), random(game, -math.pi, math.pi))
        local position = Vector3(x, y, lowest + BETWEEN_DROPS * i)
        local unit = World.spawn_unit(game.world, "units/crate", position, Quaternion.multiply(turn, tilt))
        Actor.wake_up(add(game, unit).actor)
    end
end

local function is_toppled(crate)
    local way = Actor.position(crate.actor) - crate.first:unbox()
    return math.abs(way.x) + math.abs(way.y) > TOPPLED
end

-- Looks which crates have been toppled. Crates that sleep have not moved.
function M.watch(game)
    local untouched = game.untouched
    for i = #untouched, 1, -1 do
        if not Actor.is_sleeping(untouched[i].actor) and is_toppled(untouched[i]) then
            untouched[i] = untouched[#untouched]
            untouched[#untouched] = nil
        end
    end
end

function M.num_toppled(game)
    return #game.crates - #game.untouched
end

function M.num_awake(game)
    local count = 0
    for _, crate in ipairs(game.crates) do
        count = count + (Actor.is_sleeping(crate.actor) and 0 or 1)
    end
    return count
end

-- Returns the state that tests check.
function M.summary(game)
    local farthest, lowest = 0, 1e9
    for _, crate in ipairs(game.crates) do
        local p = Actor.position(crate.actor)
        farthest = math.max(farthest, math.abs(p.x), math.abs(p.y))
        lowest = math.min(lowest, p.z)
    end
    return string.format("crates %d, awake %d, moved %d, farthest %.4f, lowest %.4f", #game.crates,
        M.num_awake(game), M.num_toppled(game), farthest, lowest)
end

return M
