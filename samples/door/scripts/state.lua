-- What tests read: where things are, and what the variables of graphs say.

local M = {}

local function unit(game, name)
    return World.units_by_resource(game.world, "units/" .. name)[1]
end

-- Returns how far a leaf of a door is open, in metres.
local function opening(game, name)
    local door = unit(game, name)
    return Unit.local_position(door, Unit.node(door, "right")).x
end

local function count_lit(game)
    local count = 0
    for _, lamp in ipairs(World.units_by_resource(game.world, "units/lamp")) do
        count = count + (Light.intensity(Unit.light(lamp, 1)) > 0 and 1 or 0)
    end
    return count
end

-- Returns "010" when the middle lever is down.
local function levers(game)
    local units = World.units_by_resource(game.world, "units/lever")
    table.sort(units, function(a, b)
        return Unit.local_position(a, 1).x < Unit.local_position(b, 1).x
    end)
    local text = ""
    for _, lever in ipairs(units) do
        text = text .. (Unit.flow_variable(lever, "is_down") and "1" or "0")
    end
    return text
end

-- Returns all of it, and a hash of the state of the world.
function M.text(game)
    local p = Mover.position(Unit.mover(game.player.unit))
    return string.format("player %.2f %.2f %.2f, door %.2f, gate %.2f, levers %s, lift %.2f, lamps %d, won %s, hash %s",
        p.x, p.y, p.z, opening(game, "door"), opening(game, "gate"), levers(game),
        Unit.local_position(unit(game, "lift"), 1).z, count_lit(game),
        tostring(Level.flow_variable(game.level, "won")), World.state_hash(game.world))
end

return M
