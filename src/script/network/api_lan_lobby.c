// LanClient, LanLobby and LanLobbyBrowser: where players meet on a local network.
#include "script/network/api_network.h"

extern const ct_lua_module ct_api_lan_client, ct_api_lan_lobby, ct_api_lan_lobby_browser;

const ct_lua_object_type ct_type_lan_lobby = {.name = "LanLobby"};
const ct_lua_object_type ct_type_lan_lobby_browser = {.name = "LanLobbyBrowser"};

// --- LanLobby ------------------------------------------------------------------------------------

ct_network_lobby *ct_check_lobby(lua_State *L, struct ct_script_network **n) {
    *n = ct_check_object(L, 1, &ct_type_lan_lobby, NULL);
    return ct_network_lobby_of((*n)->network);
}

static void check_set(lua_State *L, bool is_set, const ct_error *error) {
    if (!is_set)
        ct_function_error(L, "%s", error->message);
}

static int lobby_state(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_lobby *const l = ct_check_lobby(L, &n);
    lua_pushnumber(L, ct_network_lobby_state_of(l));
    lua_pushstring(L, ct_network_reason_name(ct_network_lobby_reason(l)));
    return 2;
}

static int members(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_lobby *const l = ct_check_lobby(L, &n);
    ct_peer_id peers[CT_NETWORK_LOBBY_MAX_MEMBERS];
    const uint32_t count = ct_network_lobby_num_members(l);
    for (uint32_t i = 0; i < count; ++i)
        peers[i] = ct_network_lobby_member(l, i);
    return ct_push_peers(L, peers, count);
}

static int lobby_host(lua_State *L) {
    struct ct_script_network *n;
    return ct_push_peer(L, ct_network_lobby_host_peer(ct_check_lobby(L, &n)));
}

static int game_session_host(lua_State *L) {
    struct ct_script_network *n;
    return ct_push_peer(L, ct_network_lobby_session_host(ct_check_lobby(L, &n)));
}

static int set_game_session_host(lua_State *L) {
    struct ct_script_network *n;
    ct_network_lobby *const l = ct_check_lobby(L, &n);
    const ct_peer_id peer = lua_isnoneornil(L, 2) ? 0 : ct_check_peer(L, 2);
    ct_error error = {0};
    check_set(L, ct_network_lobby_set_session_host(l, peer, &error), &error);
    return 0;
}

static int kick(lua_State *L) {
    struct ct_script_network *n;
    ct_network_lobby *const l = ct_check_lobby(L, &n);
    ct_peer_id peer;
    if (lua_type(L, 2) == LUA_TNUMBER) {
        const uint32_t count = ct_network_lobby_num_members(l);
        peer = ct_network_lobby_member(l, (uint32_t)ct_check_integer(L, 2, 1, count) - 1);
    } else {
        peer = ct_check_peer(L, 2);
    }
    ct_error error = {0};
    check_set(L, ct_network_lobby_kick(l, peer, &error), &error);
    return 0;
}

static int push_data(lua_State *L, ct_peer_id member, int key) {
    struct ct_script_network *n;
    const ct_network_lobby *const l = ct_check_lobby(L, &n);
    lua_pushstring(L, ct_network_lobby_data(l, member, ct_check_string(L, key)));
    return 1;
}

static int data(lua_State *L) {
    return push_data(L, 0, 2);
}

static int member_data(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_lobby *const l = ct_check_lobby(L, &n);
    const ct_peer_id peer = ct_check_peer(L, 2);
    if (!ct_network_lobby_address(l, peer))
        ct_argument_error(L, 2, "expected a member of the lobby (LanLobby.members), got %s",
                          lua_tostring(L, 2));
    return push_data(L, peer, 3);
}

static int own_data(lua_State *L) {
    struct ct_script_network *n;
    ct_check_lobby(L, &n);
    return push_data(L, ct_network_self(n->network), 2);
}

static int store_data(lua_State *L, bool is_of_lobby) {
    struct ct_script_network *n;
    ct_network_lobby *const l = ct_check_lobby(L, &n);
    const ct_peer_id member = is_of_lobby ? 0 : ct_network_self(n->network);
    const char *const key = ct_check_string(L, 2), *const value = ct_check_string(L, 3);
    ct_error error = {0};
    check_set(L, ct_network_lobby_set_data(l, member, key, value, &error), &error);
    return 0;
}

static int set_data(lua_State *L) {
    return store_data(L, true);
}

static int set_member_data(lua_State *L) {
    return store_data(L, false);
}

static const ct_lua_function lobby_functions[] = {
    {"data", data, "(self: LanLobby, key: string) -> string",
     "Returns a value that the lobby's host has set, \"\" without one."},
    {"game_session_host", game_session_host, "(self: LanLobby) -> string?",
     "Returns the peer that hosts the game session, or nil."},
    {"kick", kick, "(self: LanLobby, peer: any(string,integer)) -> nil",
     "As the host: removes a member, by its peer or its place among the members."},
    {"lobby_host", lobby_host, "(self: LanLobby) -> string?",
     "Returns the lobby's host; nil while it is not known."},
    {"member_data", member_data, "(self: LanLobby, peer_id: string, key: string) -> string",
     "Returns a value that a member has set for itself, \"\" without one."},
    {"members", members, "(self: LanLobby) -> string[]",
     "Returns the members in the order in which they came, the host first."},
    {"own_data", own_data, "(self: LanLobby, key: string) -> string",
     "Returns a value that this member has set, \"\" without one."},
    {"set_data", set_data, "(self: LanLobby, key: string, value: string) -> nil",
     "As the host: sets a value of the lobby, which browsers show too; \"\" removes it."},
    {"set_game_session_host", set_game_session_host, "(self: LanLobby, peer_id: string?) -> nil",
     "As the host: names the member that hosts the game session; the game sessions of the others "
     "join it. nil: there is no session. When that member is gone and the session has another "
     "host, "
     "the lobby names that one by itself."},
    {"set_member_data", set_member_data, "(self: LanLobby, key: string, value: string) -> nil",
     "Sets a value of this member; \"\" removes it. The host disconnects a member that sets more "
     "than 200 a second over ten seconds."},
    {"state", lobby_state, "(self: LanLobby) -> integer, string",
     "Returns LanLobby.JOINING, JOINED or FAILED, and why it failed, as \"unreached\", \"full\", "
     "\"config\", \"password\", \"kicked\" or \"left\" (see Network.is_broken)."},
};

static const ct_lua_constant lobby_constants[] = {
    {"JOINING", CT_NETWORK_LOBBY_JOINING,
     "It waits for the host, or for the next one when the host is gone."},
    {"JOINED", CT_NETWORK_LOBBY_JOINED, "This program is a member, or the host."},
    {"FAILED", CT_NETWORK_LOBBY_FAILED,
     "It was not let in, was kicked, has left, or is cut off from all others."},
};

const ct_lua_module ct_api_lan_lobby = {
    .name = "LanLobby",
    .doc =
        "A place where players meet before a game: members, and texts that they set. When its host "
        "leaves or is lost, the member that came first is the next host. Get one with "
        "Network.create_lan_lobby or Network.join_lan_lobby.",
    .functions = lobby_functions,
    .num_functions = CT_COUNT_OF(lobby_functions),
    .constants = lobby_constants,
    .num_constants = CT_COUNT_OF(lobby_constants),
};

// --- LanClient -----------------------------------------------------------------------------------

static int lobby_browser(lua_State *L) {
    struct ct_script_network *const n = ct_check_object(L, 1, &ct_type_lan_client, NULL);
    ct_error error = {0};
    if (!n->replay.is_on && !ct_network_browser_of(n->network, &error))
        ct_function_error(L, "%s", error.message);
    n->has_browser = true;
    ct_push_object(L, &ct_type_lan_lobby_browser, n, n->num_made);
    return 1;
}

static const ct_lua_function client_functions[] = {
    {"lobby_browser", lobby_browser, "(self: LanClient) -> LanLobbyBrowser",
     "Returns the list of lobbies on the local network."},
};

const ct_lua_module ct_api_lan_client = {
    .name = "LanClient",
    .doc = "The network of this program on a local network. Make it with Network.init_lan_client.",
    .functions = client_functions,
    .num_functions = CT_COUNT_OF(client_functions),
};

// --- LanLobbyBrowser -----------------------------------------------------------------------------

// Returns the network of the browser, and the browser; NULL in a replay, whose log has what was found.
static ct_network_browser *check_browser(lua_State *L, struct ct_script_network **n) {
    *n = ct_check_object(L, 1, &ct_type_lan_lobby_browser, NULL);
    ct_error error = {0};
    return (*n)->replay.is_on ? NULL : ct_network_browser_of((*n)->network, &error);
}

static int refresh(lua_State *L) {
    struct ct_script_network *n;
    ct_network_browser *const b = check_browser(L, &n);
    const uint16_t port = (uint16_t)ct_check_integer(L, 2, 1, 65535);
    if (b) {
        ct_network_browser_refresh(b, port, n->now_ns);
    } else {
        n->replay.found.lobbies.count = 0;
        n->replay.found.is_refreshing = true;
    }
    return 0;
}

static int is_refreshing(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_browser *const b = check_browser(L, &n);
    lua_pushboolean(L, b ? ct_network_browser_is_refreshing(b) : n->replay.found.is_refreshing);
    return 1;
}

static uint32_t count_of(const struct ct_script_network *n, const ct_network_browser *b) {
    return b ? ct_network_browser_count(b) : n->replay.found.lobbies.count;
}

static int num_lobbies(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_browser *const b = check_browser(L, &n);
    lua_pushnumber(L, count_of(n, b));
    return 1;
}

static int lobby(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_browser *const b = check_browser(L, &n);
    const uint32_t count = count_of(n, b);
    const uint32_t place =
        (uint32_t)ct_check_integer(L, 2, 1, count ? count : CT_NETWORK_DISCOVERY_LOBBIES) - 1;
    if (count == 0)
        ct_argument_error(L, 2, "the browser has found no lobby");
    const ct_network_lobby_info *const info =
        b ? ct_network_browser_lobby(b, place) : &n->replay.found.lobbies.items[place];
    ct_datagram_address at = {0};
    ct_error error = {0};
    ct_datagram_address_parse(info->address, 0, &at, &error);
    lua_createtable(L, 0, 7);
    lua_pushstring(L, info->address);
    lua_setfield(L, -2, "address");
    lua_pushnumber(L, at.port);
    lua_setfield(L, -2, "port");
    ct_push_peer(L, info->host);
    lua_setfield(L, -2, "peer");
    lua_pushnumber(L, info->num_members);
    lua_setfield(L, -2, "members");
    lua_pushnumber(L, info->max_members);
    lua_setfield(L, -2, "max_members");
    lua_pushboolean(L, info->has_same_config);
    lua_setfield(L, -2, "same_config");
    lua_createtable(L, 0, (int)info->num_pairs);
    for (uint32_t i = 0; i < info->num_pairs; ++i) {
        lua_pushstring(L, info->pairs[i].value);
        lua_setfield(L, -2, info->pairs[i].key);
    }
    lua_setfield(L, -2, "data");
    return 1;
}

static const ct_lua_function browser_functions[] = {
    {"is_refreshing", is_refreshing, "(self: LanLobbyBrowser) -> boolean",
     "Returns whether answers are still waited for: for a second after refresh. Later ones, up to "
     "10 seconds, are taken, too."},
    {"lobby", lobby, "(self: LanLobbyBrowser, index: integer) -> table",
     "Returns a lobby that has answered, from 1: a table with address (for "
     "Network.join_lan_lobby), port, peer (its host), members and max_members (numbers), "
     "same_config "
     "and data (what its host has set)."},
    {"num_lobbies", num_lobbies, "(self: LanLobbyBrowser) -> integer",
     "Returns how many lobbies have answered."},
    {"refresh", refresh, "(self: LanLobbyBrowser, port: number) -> nil",
     "Empties the list and asks the machines of the local network, and this one, for lobbies at a "
     "port."},
};

const ct_lua_module ct_api_lan_lobby_browser = {
    .name = "LanLobbyBrowser",
    .doc = "The lobbies that are open on the local network. Get it with LanClient.lobby_browser.",
    .functions = browser_functions,
    .num_functions = CT_COUNT_OF(browser_functions),
};
