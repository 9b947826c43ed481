-- What is in the session: players and boxes, as this program sees them.

local Match = require "scripts/match"

local Things = {}

-- Gives the unit of a player the color of its corner, once.
local function paint(game, player)
    if player.corner and game.painted[player.unit] ~= player.corner then
        Unit.set_material(player.unit, "body", "materials/body_" .. player.corner)
        game.painted[player.unit] = player.corner
    end
end

-- Makes game.players, by peer, and game.boxes, a list. Both have id, unit and peer: the owner. What has
-- no unit here yet is left out.
function Things.collect(game)
    game.players, game.boxes = {}, {}
    if not game.session then
        return
    end
    for _, id in ipairs(GameSession.objects_owned_by(game.session)) do
        local unit = UnitSynchronizer.game_object_id_to_unit(game.synchronizer, id)
        if unit then
            local thing = { id = id, unit = unit, peer = GameSession.game_object_owner(game.session, id) }
            if GameSession.game_object_is_type(game.session, id, "box") then
                table.insert(game.boxes, thing)
            else
                thing.corner = Match.corner(game, thing.peer)
                game.players[thing.peer] = thing
                paint(game, thing)
            end
        end
    end
end

-- Returns how far two units are from each other, seen from above.
function Things.distance(a, b)
    local way = Unit.world_position(b, 1) - Unit.world_position(a, 1)
    return math.sqrt(way.x * way.x + way.y * way.y)
end

return Things
