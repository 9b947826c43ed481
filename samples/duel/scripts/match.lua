-- The match: rounds and points. They are fields of one game object, which the host changes and all read.

local Match = {}

local PAUSE = 4       -- seconds between two rounds
local LISTS = { "players", "corners", "scores", "wins" }

-- Returns the match's object, or nil.
local function object(game)
    if not game.session then
        return nil
    end
    if not (game.match and GameSession.game_object_exists(game.session, game.match)) then
        game.match = nil
        for _, id in ipairs(GameSession.objects_owned_by(game.session)) do
            if GameSession.game_object_is_type(game.session, id, "match") then
                game.match = id
            end
        end
    end
    return game.match
end

-- Returns a field; nil without a match.
function Match.get(game, field)
    local id = object(game)
    return id and GameSession.game_object_field(game.session, id, field)
end

local function set(game, field, value)
    GameSession.set_game_object_field(game.session, game.match, field, value)
end

-- Returns the place of a peer in the lists, or nil.
local function place_of(game, peer)
    for i, one in ipairs(Match.get(game, "players") or {}) do
        if one == peer then
            return i
        end
    end
    return nil
end

-- Returns the corner of a peer, 1 to 4; nil for one that does not play yet.
function Match.corner(game, peer)
    local place = place_of(game, peer)
    return place and Match.get(game, "corners")[place]
end

function Match.is_paused(game)
    return Match.get(game, "is_paused") == true
end

-- --- What the host does --------------------------------------------------------------------------

-- Returns whether this program has the match: a new host gets it a little later than the hosting.
function Match.is_mine(game)
    return object(game) ~= nil and GameSession.game_object_owned(game.session, game.match)
end

function Match.create(game)
    game.match = GameSession.create_game_object(game.session, "match", {})
    game.second = 0
end

function Match.pause(game, is_paused)
    if Match.is_mine(game) then
        set(game, "is_paused", is_paused)
    end
end

local function start_round(game)
    local zeros = {}
    for i in ipairs(Match.get(game, "players")) do
        zeros[i] = 0
    end
    set(game, "scores", zeros)
    set(game, "round", Match.get(game, "round") + 1)
    set(game, "seconds", game.options.seconds)
    set(game, "phase", "playing")
end

local function end_round(game)
    local scores, wins = Match.get(game, "scores"), Match.get(game, "wins")
    local best, is_tied = 1, false
    for i = 2, #scores do
        is_tied = scores[i] == scores[best] or (is_tied and scores[i] < scores[best])
        best = scores[i] > scores[best] and i or best
    end
    if not is_tied then
        wins[best] = wins[best] + 1
        set(game, "wins", wins)
    end
    set(game, "winner", is_tied and 0 or Match.get(game, "corners")[best])
    set(game, "seconds", PAUSE)
    set(game, "phase", "won")
end

-- Adds points for a player; with enough of them the round ends.
function Match.add_points(game, peer, points)
    local place = place_of(game, peer)
    if not place or Match.get(game, "phase") ~= "playing" then
        return
    end
    local scores = Match.get(game, "scores")
    scores[place] = scores[place] + points
    set(game, "scores", scores)
    if scores[place] >= game.options.points then
        end_round(game)
    end
end

local function free_corner(corners)
    for corner = 1, 4 do
        local is_free = true
        for _, taken in ipairs(corners) do
            is_free = is_free and taken ~= corner
        end
        if is_free then
            return corner
        end
    end
end

-- Peers that have come get a corner, and the place of those that have left is free again.
local function seat_players(game)
    local lists, present = {}, {}
    for _, name in ipairs(LISTS) do
        lists[name] = Match.get(game, name)
    end
    for _, peer in ipairs(GameSession.synchronized_peers(game.session)) do
        present[peer] = true
    end
    local has_changed = false
    for i = #lists.players, 1, -1 do
        if present[lists.players[i]] then
            present[lists.players[i]] = nil
        else
            for _, name in ipairs(LISTS) do
                table.remove(lists[name], i)
            end
            has_changed = true
        end
    end
    for _, peer in ipairs(GameSession.synchronized_peers(game.session)) do
        if present[peer] and #lists.players < 4 then
            table.insert(lists.corners, free_corner(lists.corners))
            table.insert(lists.players, peer)
            table.insert(lists.scores, 0)
            table.insert(lists.wins, 0)
            has_changed = true
        end
    end
    for _, name in ipairs(has_changed and LISTS or {}) do
        set(game, name, lists[name])
    end
    return #lists.players
end

-- Runs each frame, at all players; only the match's owner does something.
function Match.update(game, dt)
    if not Match.is_mine(game) then
        return
    end
    local num_players = seat_players(game)
    local phase, seconds = Match.get(game, "phase"), Match.get(game, "seconds")
    if num_players < 2 then
        set(game, "phase", "waiting")
    elseif phase == "waiting" then
        start_round(game)
    elseif not Match.is_paused(game) then
        game.second = game.second + dt
        if game.second >= 1 then
            game.second = game.second - 1
            set(game, "seconds", math.max(seconds - 1, 0))
        end
        if seconds == 0 and phase == "playing" then
            end_round(game)
        elseif seconds == 0 then
            start_round(game)
        end
    end
end

return Match
