-- Watches the walkers: whether somebody gets nowhere, walks through a closed door, or through the fallen wall.

local Town = require "scripts/town"

local Watch = {}

local SHARES = 10        -- frames in which each is looked at once
local LEAST_WAY = 0.5    -- metres that count as moving
local GRACE = 0.5        -- seconds after a door has closed
local EDGE = 0.25         -- metres: areas follow the voxels of the mesh
local WALL_X, WALL_Y = 2, -40

function Watch.start(game)
    game.watched, game.longest_still, game.num_trespasses, game.num_crossings = {}, 0, 0, 0
    game.num_arrived, game.num_failed, game.num_stuck, game.num_links = 0, 0, 0, {}
    for i, unit in ipairs(game.walkers) do
        local p = Unit.local_position(unit, 1)
        game.watched[i] = { x = p.x, y = p.y, z = p.z, still = 0, side = p.x < WALL_X }
    end
end

local function is_under_way(state)
    return state == "walking" or state == "searching" or state == "on_link" or state == "off"
end

local function watch(game, unit, one, seconds)
    local p = Unit.local_position(unit, 1)
    local way = math.abs(p.x - one.x) + math.abs(p.y - one.y) + math.abs(p.z - one.z)
    if way > LEAST_WAY or not is_under_way(NavigationAgent.state(unit)) then
        one.x, one.y, one.z, one.still = p.x, p.y, p.z, 0
    else
        one.still = one.still + seconds
        if one.still > game.longest_still then
            game.longest_still, game.stillest = one.still, unit
        end
    end
    local side = p.x < WALL_X
    if side ~= one.side and math.abs(p.y - WALL_Y) < 2.5 and math.abs(p.x - WALL_X) < 2 then
        game.num_crossings = game.num_crossings + 1
    end
    one.side = side
    for _, door in ipairs(game.doors) do
        if door.is_closed and door.seconds > GRACE and Town.is_in(door, p, EDGE) then
            game.num_trespasses = game.num_trespasses + 1
        end
    end
end

-- Runs after the world was updated.
function Watch.update(game, dt)
    local walkers, watched = game.walkers, game.watched
    for i = game.frame % SHARES + 1, #walkers, SHARES do
        watch(game, walkers[i], watched[i], dt * SHARES)
    end
end

-- Returns what tests read.
function Watch.text(game)
    local states = {}
    for _, unit in ipairs(game.walkers) do
        local state = NavigationAgent.state(unit)
        states[state] = (states[state] or 0) + 1
    end
    local far = NavigationMesh.find_path(game.meshes.person, Vector3(-6, -40, 0), Vector3(12, -40, 0))
    local length = 0
    for i = 2, far and #far or 0 do
        length = length + Vector3.length(far[i] - far[i - 1])
    end
    return string.format("%d walkers, walking %d, off %d, arrived %d, failed %d, turned %d, jumps %d, climbs %d, crossings %d, "
        .. "trespasses %d, still %.1f, way %.1f, lua %d, hash %s",
        #game.walkers, states.walking or 0, states.off or 0, game.num_arrived, game.num_failed, game.num_stuck,
        game.num_links.jump or 0, game.num_links.ladder or 0, game.num_crossings, game.num_trespasses,
        game.longest_still, length, collectgarbage("count"), World.state_hash(game.world))
end

return Watch
