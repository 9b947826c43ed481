"""What tests with two games in a session share."""

import os

# A lobby port for each game: games of tests do not meet.
lobby_ports = iter(range(20000 + os.getpid() % 1000 * 20, 65536))

# Lua: the game with the `role` "host" makes a lobby and a session, the one with "join" finds them at `port`. Call
# it in each update until `session` is there; `client`, `browser` and `lobby` are locals above it, too.
MEET = """
local function meet()
    if role == "host" and not lobby then
        lobby = Network.create_lan_lobby(tonumber(port), 4)
        LanLobby.set_data(lobby, "map", "yard")
        session = Network.create_game_session()
        GameSession.make_game_session_host(session)
        LanLobby.set_game_session_host(lobby, Network.peer_id())
    elseif role == "join" and not lobby then
        browser = browser or LanClient.lobby_browser(client)
        for i = 1, LanLobbyBrowser.num_lobbies(browser) do
            local found = LanLobbyBrowser.lobby(browser, i)
            if found.data.map == "yard" and found.same_config then
                lobby = Network.join_lan_lobby(found.address)
                session = Network.create_game_session()
                return
            end
        end
        if not LanLobbyBrowser.is_refreshing(browser) then
            LanLobbyBrowser.refresh(browser, tonumber(port))
        end
    end
end
"""
