-- What tests ask: whether this program is in the game, whether all that should move does, and the state that
-- all programs share.

local Match = require "scripts/match"
local Online = require "scripts/online"

local Probe = {}

local LEAST_WAY = 0.5  -- metres that count as moving
local NEAR = 0.02      -- metres from where its owner says that it is
local REST = 0.1       -- seconds for which nothing has changed
local PATIENCE = 10    -- seconds after which it does not wait any more for that

function Probe.reset(game)
    game.hashes, game.hash, game.text, game.alike, game.paused_for = {}, nil, nil, 0, 0
    game.ways = {}
end

-- --- Does everything move? -----------------------------------------------------------------------

-- Adds to the way that something has gone, as it is seen here. Jumps to a new start do not count.
local function follow(game, key, kind, unit)
    local p = Unit.world_position(unit, 1)
    local way = game.ways[key]
    if not way then
        way = { kind = kind, length = 0 }
        game.ways[key] = way
    elseif way.unit == unit then
        way.length = way.length + math.abs(p.x - way.x) + math.abs(p.y - way.y)
    end
    way.unit, way.x, way.y = unit, p.x, p.y
end

local function count_moving(game, kind)
    local count = 0
    for _, way in pairs(game.ways) do
        count = count + (way.kind == kind and way.length > LEAST_WAY and 1 or 0)
    end
    return count
end

-- Returns whether so many players, and so many boxes, have moved since the session began, as seen here.
function Probe.is_moving(game, players, boxes)
    return count_moving(game, "player") >= players and count_moving(game, "box") >= boxes
end

-- --- Is all alike? -------------------------------------------------------------------------------

-- Returns whether so many play, and this program is one of them.
function Probe.is_in_game(game, players)
    return Online.is_in(game) and #(Match.get(game, "players") or {}) == players
        and Match.corner(game, game.me) ~= nil
end

local function value_text(value)
    if type(value) == "table" then
        local texts = {}
        for i, one in ipairs(value) do
            texts[i] = value_text(one)
        end
        return "{" .. table.concat(texts, " ") .. "}"
    end
    return tostring(value)
end

-- Returns a line for each object, with its owner and all fields, and a line with the hash of them all.
function Probe.state_text(game)
    local lines = {}
    for _, id in ipairs(GameSession.objects_owned_by(game.session)) do
        local kind = GameSession.game_object_type(game.session, id)
        local parts = { string.format("%s %d of %s:", kind, id, GameSession.game_object_owner(game.session, id)) }
        for _, field in ipairs(Network.object_info(kind).fields) do
            local value = GameSession.game_object_field(game.session, id, field.name)
            table.insert(parts, field.name .. " " .. value_text(value))
        end
        table.insert(lines, table.concat(parts, " "))
    end
    table.insert(lines, "hash " .. GameSession.state_hash(game.session))
    return table.concat(lines, "\n")
end

-- Returns how far a unit of another player is from where its owner says that it is: the most of all, in metres.
function Probe.offset(game)
    local most = 0
    local function look(thing)
        local place = GameSession.game_object_field(game.session, thing.id, "position")
        most = math.max(most, Vector3.length(Unit.world_position(thing.unit, 1) - place))
    end
    for _, player in pairs(game.players) do
        look(player)
    end
    for _, box in ipairs(game.boxes) do
        look(box)
    end
    return most
end

-- Returns whether the game is paused and all have seen the same; or whether that is hopeless, so that tests
-- can show the difference.
function Probe.is_settled(game)
    return game.paused_for > PATIENCE or game.alike >= REST
end

-- While the game is paused, each player says what he has heard of. All have heard of the same when the hashes
-- are equal; a little later all see it, too, because others are shown somewhat in the past.
local function compare(game, dt)
    game.paused_for = game.paused_for + dt
    local hash = GameSession.state_hash(game.session)
    if hash ~= game.hash then
        game.hash = hash
        RPC.settled(nil, hash)
    end
    local is_alike = true
    for _, peer in ipairs(GameSession.other_peers(game.session)) do
        is_alike = is_alike and game.hashes[peer] == hash
    end
    local text = is_alike and Probe.state_text(game) or nil
    is_alike = is_alike and text == game.text and Probe.offset(game) < NEAR
    game.text, game.alike = text, is_alike and game.alike + dt or 0
end

-- Runs each frame, after the world.
function Probe.update(game, dt)
    for peer, player in pairs(game.players) do
        follow(game, peer, "player", player.unit)
    end
    for _, box in ipairs(game.boxes) do
        follow(game, box.id, "box", box.unit)
    end
    if Online.is_in(game) and Match.is_paused(game) then
        compare(game, dt)
    else
        game.hashes, game.hash, game.text, game.alike, game.paused_for = {}, nil, nil, 0, 0
    end
end

return Probe
