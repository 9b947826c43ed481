-- The way into a game: a lobby in which players meet, and the session that they share. What arrives
-- there is handled by the global Events, of scripts/events.lua.
--
--     lobby     created or joined, found by a browser on the local network, or by its address
--     session   created by all members; they join it when the lobby's host says where it is

local Online = {}

local MOST_PLAYERS = 4
local SILENCE = 5      -- seconds after which a peer that says nothing is gone

local function open(game)
    if not game.client then
        game.client = Network.init_lan_client("duel")
        game.me = Network.peer_id()
        Network.set_pong_timeout(SILENCE)
    end
end

local function create_session(game)
    game.session = Network.create_game_session({ max_peers = MOST_PLAYERS })
    game.synchronizer = GameSession.unit_synchronizer(game.session)
    UnitSynchronizer.set_world(game.synchronizer, game.world)
end

-- --- Into a game ---------------------------------------------------------------------------------

-- Opens a lobby, which others find.
function Online.host(game)
    open(game)
    game.lobby = Network.create_lan_lobby(game.options.port, MOST_PLAYERS)
    LanLobby.set_data(game.lobby, "name", game.options.name)
end

-- Asks the local network for lobbies.
function Online.look(game)
    open(game)
    game.browser = game.browser or LanClient.lobby_browser(game.client)
    LanLobbyBrowser.refresh(game.browser, game.options.port)
end

-- Returns the lobbies that have answered: tables with name, address, members and max_members.
function Online.found(game)
    local lobbies = {}
    for i = 1, game.browser and LanLobbyBrowser.num_lobbies(game.browser) or 0 do
        local lobby = LanLobbyBrowser.lobby(game.browser, i)
        if lobby.same_config then
            lobby.name = lobby.data.name or ""
            table.insert(lobbies, lobby)
        end
    end
    return lobbies
end

-- Joins a lobby; and its game, as soon as that runs. Raises an error for what is no address.
function Online.join(game, address)
    open(game)
    game.lobby = Network.join_lan_lobby(address)
    create_session(game)
end

-- As the lobby's host: begins the game. The others join it because the lobby says where it is.
function Online.start(game)
    create_session(game)
    GameSession.make_game_session_host(game.session)
    LanLobby.set_game_session_host(game.lobby, game.me)
end

-- Leaves everything. When the host leaves, another peer goes on with lobby and session.
function Online.leave(game)
    if game.client then
        if game.session then
            UnitSynchronizer.set_world(game.synchronizer, nil)
        end
        Network.shutdown_lan_client(game.client)
    end
    for _, name in ipairs({ "client", "browser", "lobby", "session", "synchronizer" }) do
        game[name] = nil
    end
    for _, kind in ipairs({ "units/player", "units/box" }) do
        for _, unit in ipairs(World.units_by_resource(game.world, kind)) do
            World.destroy_unit(game.world, unit)
        end
    end
end

-- --- Questions -----------------------------------------------------------------------------------

-- Returns whether this player is in a session, has all of its objects, and the session has a host. While it
-- looks for a new one, the game goes on, but nothing can be sent.
function Online.is_in(game)
    return game.session ~= nil and GameSession.state(game.session) == "in"
end

function Online.is_host(game)
    return Online.is_in(game) and GameSession.game_session_host(game.session) == game.me
end

function Online.is_lobby_host(game)
    return game.lobby ~= nil and LanLobby.lobby_host(game.lobby) == game.me
end

-- Returns why it cannot go on, or nil.
function Online.problem(game)
    if game.session then
        local state, reason = GameSession.state(game.session)
        if state == "ended" then
            return "The game is over for you: " .. (reason == "" and "it has ended" or reason) .. "."
        end
    end
    if game.lobby and not (game.session and GameSession.in_session(game.session)) then
        local state, reason = LanLobby.state(game.lobby)
        if state == LanLobby.FAILED then
            return "The game cannot be joined: " .. reason .. "."
        end
    end
    return nil
end

-- --- Messages ------------------------------------------------------------------------------------

-- Sends a message to the host; when that is this program, its handler is called. While the session looks
-- for a new host, messages wait.
function Online.tell_host(game, message, ...)
    if not Online.is_in(game) then
        table.insert(game.outbox, { message, ... })
    elseif Online.is_host(game) then
        Events[message](Events, game.me, ...)
    else
        RPC[message](GameSession.game_session_host(game.session), ...)
    end
end

-- --- Frames --------------------------------------------------------------------------------------

-- Before the game: takes what has come.
function Online.receive(game, dt)
    if not game.client then
        return
    end
    Network.update_receive(dt, Events)
    if Online.is_in(game) and #game.outbox > 0 then
        local waiting = game.outbox
        game.outbox = {}
        for _, message in ipairs(waiting) do
            Online.tell_host(game, unpack(message))
        end
    end
end

-- After the game: sends what has changed.
function Online.send(game)
    if game.client then
        Network.update_transmit()
    end
end

return Online
