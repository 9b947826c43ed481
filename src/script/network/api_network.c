// Network: connections, the lobby and the session of this program, and their frames.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os/path.h"
#include "script/network/api_network.h"

extern const ct_lua_module ct_api_network;

const ct_lua_object_type ct_type_lan_client = {.name = "LanClient"};

enum { MOST_CONNECTIONS = 64, MOST_CHANNELS = 1 << 16, MOST_OBJECTS_OF_PEER = 1 << 16 };

struct ct_script_network *ct_check_network(lua_State *L) {
    struct ct_script_network *const n = ct_script_of(L)->network;
    if (!n->network)
        ct_function_error(L, "there is no network; Network.init_lan_client makes one");
    return n;
}

// --- The network ---------------------------------------------------------------------------------

static int send_by_name(lua_State *L);

// RPC.NAME(peer, ...): the name is the third upvalue.
static int call_rpc(lua_State *L) {
    const char *const peer = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    if (!lua_isnoneornil(L, 1) && !(peer && ct_read_peer(peer)))
        return luaL_error(
            L,
            "RPC.%s: the first argument is the peer that gets the message, or nil for "
            "all others; got %s%s%.64s%s",
            lua_tostring(L, lua_upvalueindex(3)), ct_value_type_name(L, 1), peer ? " \"" : "",
            peer ? peer : "", peer ? "\"" : "");
    lua_pushvalue(L, lua_upvalueindex(3));
    lua_insert(L, 1);
    return send_by_name(L);
}

static int unknown_rpc(lua_State *L) {
    struct ct_script_network *const n = ct_script_of(L)->network;
    const char *const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const char *names[CT_NETWORK_MAX_RECORDS];
    const uint32_t count = n->config ? n->config->messages.count : 0;
    for (uint32_t i = 0; i < count; ++i)
        names[i] = ct_blob_at(n->config, ct_network_config_messages(n->config)[i].name.offset);
    const char *const nearest = ct_nearest_name(name, names, count);
    return luaL_error(L, "RPC.%s: the network_config has no such message%s%s%s", name,
                      nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
}

// Pushes the place of Network.`name`, by which its errors find its name.
static void push_place(lua_State *L, const char *name) {
    const uint32_t module = (uint32_t)lua_tonumber(L, lua_upvalueindex(CT_UPVALUE_PLACE)) >> 16;
    uint32_t i = 0;
    while (strcmp(ct_api_network.functions[i].name, name) != 0)
        ++i;
    lua_pushnumber(L, (lua_Number)(module << 16 | i));
}

// Makes the global RPC: a function for each message.
static void make_rpc(lua_State *L, const ct_network_config_resource *config) {
    lua_pushliteral(L, "RPC");
    lua_newtable(L);
    for (uint32_t i = 0; i < config->messages.count; ++i) {
        const char *const name =
            ct_blob_at(config, ct_network_config_messages(config)[i].name.offset);
        push_place(L, "send");
        lua_pushnumber(L, 1);
        lua_pushstring(L, name);
        lua_pushcclosure(L, call_rpc, 3);
        lua_setfield(L, -2, name);
    }
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_rpc);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_rawset(L, LUA_GLOBALSINDEX); // scripts may make setting others an error
}

static ct_peer_id optional_own_peer(lua_State *L, int argument) {
    if (lua_isnoneornil(L, argument))
        return 0;
    if (lua_type(L, argument) == LUA_TSTRING)
        return ct_check_peer(L, argument);
    return (ct_peer_id)ct_check_integer(L, argument, 1, INT64_C(1) << 53);
}

static int init_lan_client(lua_State *L) {
    struct ct_script_network *const n = ct_script_of(L)->network;
    const void *blob;
    ct_script_network_desc desc = {0};
    desc.config_name = ct_check_resource(L, 1, "network_config", &blob);
    desc.config = blob;
    if (!lua_isnoneornil(L, 2))
        desc.port = (uint16_t)ct_check_integer(L, 2, 0, 65535);
    desc.self = optional_own_peer(L, 3);
    if (n->network)
        ct_function_error(L, "there is a network already; Network.shutdown_lan_client ends it");
    ct_check_object_room(L, &ct_type_lan_client);
    ct_error error = {0};
    if (!ct_script_network_make(n, &desc, &error))
        ct_function_error(L, "%s", error.message);
    make_rpc(L, n->config);
    ct_push_object(L, &ct_type_lan_client, n, n->num_made);
    return 1;
}

static int shutdown_lan_client(lua_State *L) {
    ct_check_object(L, 1, &ct_type_lan_client, NULL);
    ct_script_network_end(ct_script_of(L)->network);
    return 0;
}

static int create_replay_session(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s", ct_check_string(L, 1));
    ct_error error = {0};
    char *const name = ct_copy_string(n->allocator, n->config_name);
    const ct_network_config_resource *const config = ct_resource_manager_get(
        n->lua->resources, "network_config", ct_string_id64_of(n->config_name));
    ct_network_log_reader reader; // a wrong file ends nothing
    const bool is_log = ct_network_log_open(n->allocator, path, &reader, &error);
    if (is_log)
        ct_network_log_close(&reader);
    const ct_script_network_desc desc = {
        .config_name = name, .config = config, .replay_path = path};
    if (is_log && config)
        ct_script_network_end(n);
    else if (is_log)
        ct_error_set(&error, "the network_config %s is not loaded any more", name);
    const bool is_made = is_log && config && ct_script_network_make(n, &desc, &error) &&
                         ct_script_network_make_session(n, &(ct_network_session_desc){0}, &error);
    ct_free(n->allocator, name);
    if (!is_made)
        ct_function_error(L, "%s", error.message);
    ct_push_object(L, &ct_type_game_session, n, ++n->num_sessions);
    return 1;
}

static int shutdown_replay_session(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    if (!n->replay.is_on)
        ct_function_error(L, "the network is no replay; Network.shutdown_lan_client ends it");
    ct_script_network_end(n);
    return 0;
}

static int config_hash(lua_State *L) {
    const void *blob;
    ct_check_resource(L, 1, "network_config", &blob);
    char text[CT_PEER_BYTES];
    lua_pushstring(L, ct_print_peer(((const ct_network_config_resource *)blob)->hash, text));
    return 1;
}

static int peer_id(lua_State *L) {
    return ct_push_peer(L, ct_network_self(ct_check_network(L)->network));
}

static int address(lua_State *L) {
    const ct_datagram_address at = ct_network_address(ct_check_network(L)->network);
    char text[CT_DATAGRAM_ADDRESS_BYTES];
    lua_pushstring(L, ct_datagram_address_print(&at, text));
    return 1;
}

static int fatal_error(lua_State *L) {
    const struct ct_script_network *const n = ct_script_of(L)->network;
    lua_pushboolean(L, n->network && n->replay.is_on && n->replay.has_said_end);
    return 1;
}

// --- Frames --------------------------------------------------------------------------------------

static struct ct_script_network *check_frame(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    if (n->is_calling)
        ct_function_error(L, "a method that Network.update calls cannot update the network");
    return n;
}

static int update_receive(lua_State *L) {
    struct ct_script_network *const n = check_frame(L);
    const double step = ct_check_number_in(L, 1, 0, 3600);
    if (!lua_isnoneornil(L, 2))
        luaL_checktype(L, 2, LUA_TTABLE);
    ct_script_network_receive(n, step);
    ct_script_network_call(L, n, 2);
    return 0;
}

static int update_transmit(lua_State *L) {
    ct_script_network_transmit(check_frame(L));
    return 0;
}

static int update(lua_State *L) {
    update_receive(L);
    struct ct_script_network *const n = ct_script_of(L)->network;
    if (n->network) // no method has ended it
        ct_script_network_transmit(n);
    return 0;
}

// --- Connections ---------------------------------------------------------------------------------

static bool is_connected(const struct ct_script_network *n, ct_peer_id peer) {
    ct_peer_id peers[MOST_CONNECTIONS];
    uint32_t count = ct_network_connections(n->network, peers, MOST_CONNECTIONS);
    count = count < MOST_CONNECTIONS ? count : MOST_CONNECTIONS;
    for (uint32_t i = 0; i < count; ++i)
        if (peers[i] == peer)
            return true;
    return false;
}

// Returns the number of a peer's channel; 0: it has none yet.
static uint32_t channel_of(const struct ct_script_network *n, ct_peer_id peer) {
    for (uint32_t i = 0; i < n->channels.count; ++i)
        if (n->channels.items[i] == peer)
            return i + 1;
    return 0;
}

static int connections(lua_State *L) {
    ct_peer_id peers[MOST_CONNECTIONS];
    const uint32_t count =
        ct_network_connections(ct_check_network(L)->network, peers, MOST_CONNECTIONS);
    return ct_push_peers(L, peers, count < MOST_CONNECTIONS ? count : MOST_CONNECTIONS);
}

// Returns where a peer is: as the argument says, or as the lobby knows it.
static ct_datagram_address check_address(lua_State *L, const struct ct_script_network *n,
                                         ct_peer_id peer) {
    ct_datagram_address at = {0};
    ct_error error = {0};
    if (!lua_isnoneornil(L, 2)) {
        if (!ct_datagram_address_parse(ct_check_string(L, 2), 0, &at, &error))
            ct_argument_error(L, 2, "%s", error.message);
        return at;
    }
    const ct_network_lobby *const lobby = ct_network_lobby_of(n->network);
    const char *const known = lobby ? ct_network_lobby_address(lobby, peer) : NULL;
    if (!known || !ct_datagram_address_parse(known, 0, &at, &error))
        ct_argument_error(L, 1,
                          "no member of the lobby has this peer; give its address as the second "
                          "argument, such as \"10.0.0.2:4000\"");
    return at;
}

static int create_connection(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    const ct_peer_id peer = ct_check_peer(L, 1);
    if (peer == ct_network_self(n->network))
        ct_argument_error(L, 1, "this is the peer of this program");
    if (!is_connected(n, peer))
        ct_network_connect(n->network, peer, check_address(L, n, peer));
    uint32_t channel = channel_of(n, peer);
    if (!channel) {
        if (n->channels.count >= MOST_CHANNELS)
            ct_function_error(L, "more than %d peers have been connected", MOST_CHANNELS);
        ct_array_push(&n->channels, peer);
        channel = n->channels.count;
    }
    lua_pushnumber(L, channel);
    return 1;
}

static int destroy_connection(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_disconnect(n->network, ct_check_peer(L, 1), CT_NETWORK_REASON_LEFT);
    return 0;
}

static int has_connection(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    const ct_peer_id peer = ct_check_peer(L, 1);
    if (!is_connected(n, peer)) {
        lua_pushnil(L);
        return 1;
    }
    uint32_t channel = channel_of(n, peer);
    if (!channel && n->channels.count < MOST_CHANNELS) {
        ct_array_push(&n->channels, peer);
        channel = n->channels.count;
    }
    lua_pushnumber(L, channel);
    return 1;
}

static int is_broken(lua_State *L) {
    const ct_network_reason reason =
        ct_network_broken(ct_check_network(L)->network, ct_check_peer(L, 1));
    lua_pushboolean(L, reason != CT_NETWORK_REASON_NONE);
    lua_pushstring(L, ct_network_reason_name(reason));
    return 2;
}

static int is_used(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    const ct_peer_id peer = ct_check_peer(L, 1);
    const ct_network_lobby *const lobby = ct_network_lobby_of(n->network);
    bool is_found = lobby && ct_network_lobby_address(lobby, peer) != NULL;
    const ct_network_session *const s = ct_network_session_of(n->network);
    ct_peer_id peers[CT_NETWORK_SESSION_MAX_PEERS];
    const uint32_t count =
        s ? ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, peers, CT_NETWORK_SESSION_MAX_PEERS)
          : 0;
    for (uint32_t i = 0; i < count && i < CT_NETWORK_SESSION_MAX_PEERS; ++i)
        is_found |= peers[i] == peer;
    lua_pushboolean(L, is_found);
    return 1;
}

static int set_explicit_connections(lua_State *L) {
    ct_check_network(L)->has_explicit_connections = true;
    return 0;
}

// --- Lobby ---------------------------------------------------------------------------------------

static int push_lobby(lua_State *L, struct ct_script_network *n) {
    ct_push_object(L, &ct_type_lan_lobby, n, ++n->num_lobbies);
    return 1;
}

static int create_lan_lobby(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    const uint16_t port = (uint16_t)ct_check_integer(L, 1, 0, 65535);
    const uint32_t most = (uint32_t)ct_check_integer(L, 2, 1, CT_NETWORK_LOBBY_MAX_MEMBERS);
    ct_check_object_room(L, &ct_type_lan_lobby);
    ct_error error = {0};
    if (!ct_network_host_lobby(n->network, port, most, &error))
        ct_function_error(L, "%s", error.message);
    return push_lobby(L, n);
}

static int join_lan_lobby(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    const char *const text = ct_check_string(L, 1);
    const uint16_t port = lua_isnoneornil(L, 2) ? 0 : (uint16_t)ct_check_integer(L, 2, 1, 65535);
    ct_datagram_address at;
    ct_error error = {0};
    if (!ct_datagram_address_parse(text, port, &at, &error))
        ct_argument_error(L, 1, "%s", error.message);
    ct_check_object_room(L, &ct_type_lan_lobby);
    if (!ct_network_join_lobby(n->network, at, &error))
        ct_function_error(L, "%s", error.message);
    return push_lobby(L, n);
}

static int leave_lan_lobby(lua_State *L) {
    ct_check_object(L, 1, &ct_type_lan_lobby, NULL);
    ct_script_network_leave_lobby(ct_script_of(L)->network);
    return 0;
}

// --- Session -------------------------------------------------------------------------------------

static bool boolean_member(lua_State *L, int table, const char *name) {
    lua_getfield(L, table, name);
    const bool is_set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_set;
}

static uint32_t count_member(lua_State *L, int table, const char *name, uint32_t most) {
    lua_getfield(L, table, name);
    const double count = lua_isnil(L, -1) ? 0 : lua_tonumber(L, -1);
    if (!lua_isnil(L, -1) && !(count >= 1 && count <= most))
        ct_argument_error(L, table, "expected %s from 1 to %u", name, most);
    lua_pop(L, 1);
    return (uint32_t)count;
}

static void check_session_options(lua_State *L, int table) {
    static const char *const names[] = {"max_peers", "max_objects_of_peer", "rate", "closed",
                                        "no_migration"};
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *const name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        uint32_t i = 0;
        while (i < CT_COUNT_OF(names) && strcmp(names[i], name) != 0)
            ++i;
        if (i < CT_COUNT_OF(names))
            continue;
        const char *const nearest = ct_nearest_name(name, names, CT_COUNT_OF(names));
        ct_argument_error(L, table, "there is no option \"%.64s\"; %s \"%s\"%s", name,
                          nearest ? "did you mean" : "such as", nearest ? nearest : names[0],
                          nearest ? "?" : "");
    }
}

static int create_game_session(lua_State *L) {
    struct ct_script_network *const n = ct_check_network(L);
    ct_network_session_desc desc = {0};
    if (!lua_isnoneornil(L, 1)) {
        luaL_checktype(L, 1, LUA_TTABLE);
        check_session_options(L, 1);
        desc.max_peers = count_member(L, 1, "max_peers", CT_NETWORK_SESSION_MAX_PEERS);
        desc.max_objects_of_peer = count_member(L, 1, "max_objects_of_peer", MOST_OBJECTS_OF_PEER);
        desc.rate = count_member(L, 1, "rate", 1000);
        desc.is_closed = boolean_member(L, 1, "closed");
        desc.has_no_migration = boolean_member(L, 1, "no_migration");
    }
    ct_check_object_room(L, &ct_type_game_session);
    ct_error error = {0};
    if (!ct_script_network_make_session(n, &desc, &error))
        ct_function_error(L, "%s", error.message);
    ct_push_object(L, &ct_type_game_session, n, ++n->num_sessions);
    return 1;
}

static int game_session(lua_State *L) {
    struct ct_script_network *const n = ct_script_of(L)->network;
    if (n->network && ct_network_session_of(n->network))
        ct_push_object(L, &ct_type_game_session, n, n->num_sessions);
    else
        lua_pushnil(L);
    return 1;
}

static int shutdown_game_session(lua_State *L) {
    ct_script_network_end_session(ct_check_network(L));
    return 0;
}

static int send_by_name(lua_State *L) {
    const struct ct_script_network *const n = ct_check_network(L);
    ct_network_session *const s = ct_network_session_of(n->network);
    const uint32_t message = ct_check_network_message(L, 1, n->config);
    const ct_peer_id to = lua_isnoneornil(L, 2) ? 0 : ct_check_peer(L, 2);
    const ct_network_record_type *const record = &ct_network_config_messages(n->config)[message];
    if (!s)
        ct_function_error(L, "there is no game session; Network.create_game_session makes one");
    const int num_given = lua_gettop(L) > 2 ? lua_gettop(L) - 2 : 0;
    if (num_given != (int)record->num_fields)
        ct_function_error(L, "the message \"%s\" has %u arguments, got %d", lua_tostring(L, 1),
                          record->num_fields, num_given);
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(n->config, record), 4 * (size_t)record->num_words);
    ct_error error = {0};
    for (uint32_t i = 0; i < record->num_fields; ++i)
        if (!ct_take_network_field(L, 3 + (int)i, n->config, record, i, words, &error))
            ct_function_error(L, "message \"%s\": %s", lua_tostring(L, 1), error.message);
    if (!ct_network_session_send(s, to, message, words, &error))
        ct_function_error(L, "%s", error.message);
    return 0;
}

static const ct_lua_function functions[] = {
    {"address", address, "() -> string",
     "Returns where this program receives, such as \"127.0.0.1:50123\"."},
    {"config_hash", config_hash, "(config_resource: string(network_config)) -> string",
     "Returns the hash of a loaded network_config, 16 hexadecimal digits. Programs with different "
     "ones do not play together."},
    {"connections", connections, "() -> string[]",
     "Returns the peers that are connected and have the same network_config."},
    {"create_connection", create_connection, "(peer_id: string, address: string?) -> integer",
     "Begins to connect to a peer at an address, by default where the lobby sees it; a connected "
     "one stays so. Returns the number of its channel, from 1, which has_connection returns too."},
    {"create_game_session", create_game_session, "(options: table?) -> GameSession",
     "Makes the game session of this program, which then hosts or joins. Options: max_peers (16), "
     "max_objects_of_peer (4096, alike at all peers), rate (packets of fields a second to each "
     "peer, 30), closed (only peers of "
     "GameSession.add_peer get in) and no_migration (the session ends with its host)."},
    {"create_lan_lobby", create_lan_lobby,
     "(lobby_port: integer, max_members: integer) -> LanLobby",
     "Makes a lobby whose host this program is, and announces it on the local network at a port "
     "(0: "
     "it is not announced)."},
    {"create_replay_session", create_replay_session, "(dump_file: string) -> GameSession",
     "Ends the network and makes one that plays a log which `cuttle run --network-log` has "
     "written, "
     "with its game session. The game hosts or joins as it did then."},
    {"destroy_connection", destroy_connection, "(peer_id: string) -> nil",
     "Ends the connection to a peer."},
    {"disable_qos_peer", ct_networks_disable_qos_peer, "(peer_id: string) -> nil",
     "Leaves a peer out of enable_qos: its bandwidth is that of the settings, and does not count "
     "in "
     "the total."},
    {"enable_qos", ct_networks_enable_qos,
     "(min_peer_kbps: number, initial_peer_kbps: number, max_total_kbps: number) -> nil",
     "Limits the unreliable packets to each peer to a bandwidth that adapts: it begins with the "
     "initial kilobits a second, grows while it is used, and falls when packets get lost or the "
     "round trip grows. It is not below the minimum. All together are not above the total, unless "
     "the minima are. Network.statistics(peer).bandwidth is what a peer has now, in bytes a "
     "second."},
    {"enable_qos_peer", ct_networks_enable_qos_peer, "(peer_id: string) -> nil",
     "Takes back disable_qos_peer."},
    {"fatal_error", fatal_error, "() -> boolean",
     "Returns whether the network cannot go on: the log of a replay has ended. Peers that are lost "
     "are no fatal errors (is_broken)."},
    {"game_session", game_session, "() -> GameSession?", "Returns the game session, or nil."},
    {"has_connection", has_connection, "(peer_id: string) -> integer?",
     "Returns the number of the channel of a connected peer, or nil."},
    {"init_lan_client", init_lan_client,
     "(config: string(network_config), game_port: integer?, peer_id: any(string,integer)?) -> "
     "LanClient",
     "Makes the network of this program, and the global RPC with a function for each message: "
     "RPC.shot(peer, at). The port is one of the system's choice without `game_port`, the peer a "
     "random one. Programs with the same network_config and password can connect. A config that is "
     "saved later holds from the next call on."},
    {"is_broken", is_broken, "(peer_id: string) -> boolean, string",
     "Returns whether the connection to a peer has ended, and why: \"left\", \"timeout\", "
     "\"kicked\", \"full\", \"version\", \"config\", \"password\", \"unreached\", \"broken\" or "
     "\"overflow\"."},
    {"is_used", is_used, "(peer_id: string) -> boolean",
     "Returns whether a peer is in the lobby or in the game session."},
    {"join_lan_lobby", join_lan_lobby, "(address: string, lobby_port: integer?) -> LanLobby",
     "Begins to join the lobby of a host at an address, such as that of a LanLobbyBrowser; "
     "LanLobby.state returns whether it has joined. An address without a port needs the second "
     "argument: the port at which the host's game receives (that of init_lan_client)."},
    {"leave_lan_lobby", leave_lan_lobby, "(lobby: LanLobby) -> nil",
     "Leaves the lobby; connections stay. A lobby that this program hosts goes on with another "
     "host."},
    {"log", ct_networks_log, "(log_level: integer) -> nil",
     "Sets what of the game session is logged: Network.SILENCE or WARNINGS (nothing but warnings), "
     "INFO (peers and hosts), MESSAGES (and messages and objects) or SPEW (and fields)."},
    {"message_info", ct_networks_message_info, "(message_name: string) -> table",
     "Returns a table with the name of a message, its index, reliable, priority, and args: an "
     "array of tables with name and type."},
    {"object_info", ct_networks_object_info, "(object_name: string) -> table",
     "Returns a table with the name of an object, its index, shared, priority, rate, and fields: "
     "an "
     "array of tables with name and type."},
    {"peer_id", peer_id, "() -> string", "Returns this program's peer, 16 hexadecimal digits."},
    {"ping", ct_networks_ping, "(player_id: string) -> number",
     "Returns the smoothed round trip to a peer in seconds, 0 while it is unknown."},
    {"reliable_send_buffer_left", ct_networks_reliable_send_buffer_left,
     "(peer_id: string) -> number",
     "Returns how many bytes of reliable packets can wait for a peer before the connection ends."},
    {"send", send_by_name, "(message: string, peer: string?, arguments: any*) -> nil",
     "Sends a message of the network_config to a peer of the game session, or to all others (nil). "
     "The other end calls the method of its name. The same as RPC.NAME(peer, ...)."},
    {"set_explicit_connections", set_explicit_connections, "() -> nil",
     "Has the game session not join by itself the host that the lobby names; GameSession.join "
     "does, after create_connection."},
    {"set_max_transmit_rate", ct_networks_set_max_transmit_rate, "(time: number) -> nil",
     "Sets the least seconds between two transmissions; update_transmit does nothing before. 0: it "
     "transmits each time."},
    {"set_password", ct_networks_set_password, "(password: string) -> nil",
     "Sets the password of the networks that init_lan_client makes from now on, in place of "
     "network.password of the settings (\"\": without a password). Only peers with the same one "
     "connect. Takes "
     "some hundredths of a second, as guessing does."},
    {"set_ping_resend_time", ct_networks_set_ping_time, "(time: number) -> nil",
     "Sets the seconds between signs of life to peers, as set_ping_send_time: one that is lost is "
     "followed by the next."},
    {"set_ping_send_time", ct_networks_set_ping_time, "(time: number) -> nil",
     "Sets the seconds between signs of life to peers (0.25)."},
    {"set_pong_timeout", ct_networks_set_pong_timeout, "(time: number) -> nil",
     "Sets after how many seconds of silence a connection ends (10)."},
    {"set_resend_time", ct_networks_set_resend_time, "(time: number) -> nil",
     "Sets the most seconds until a reliable packet that was not acknowledged is sent again (1). "
     "The first time follows the measured round trip, each further one is twice as long, up to "
     "this."},
    {"set_timeouts", ct_networks_set_timeouts, "(are_on: boolean) -> nil",
     "Turns all timeouts of the network off, as while a program is in a debugger, or on."},
    {"set_token", ct_networks_set_token, "(token: string) -> nil",
     "Does what set_password does with a random token of at least 16 bytes, such as a server gives "
     "to all players of a match."},
    {"shutdown_game_session", shutdown_game_session, "() -> nil",
     "Leaves the game session and ends its handle."},
    {"shutdown_lan_client", shutdown_lan_client, "(client: LanClient) -> nil",
     "Ends the network with its lobby, session and handles; peers learn of it."},
    {"shutdown_replay_session", shutdown_replay_session, "() -> nil",
     "Ends the network of create_replay_session."},
    {"simulate", ct_networks_simulate, "(conditions: string, seed: integer?) -> nil",
     "Simulates a bad network for what is sent: "
     "\"loss=5%,delay=80ms,jitter=20ms,duplicate=1%,reorder=2%,bandwidth=256k\", any of these "
     "parts, or \"none\". The seed (that of --network-seed) decides what gets lost: the same one "
     "gives the same losses for the same datagrams."},
    {"statistics", ct_networks_statistics, "(peer: string?) -> table",
     "Returns figures of the connection to a peer (round_trip, loss_in, loss_out, silence, "
     "waiting_bytes, bytes_in, bytes_out and others), or of all (dropped datagrams, what the "
     "session has sent)."},
    {"type_info", ct_networks_type_info, "(type_name: string) -> table",
     "Returns a table with the name of a type, its type (\"integer\", …) and what it has of bits, "
     "min, max, max_size, element and values."},
    {"update", update, "(dt: number, callback_object: table?) -> nil",
     "Goes on by dt seconds: receives, calls the methods of the table for what has happened, and "
     "sends. Methods: peer_asks(peer), peer_joined(peer), peer_left(peer, reason), "
     "game_object_sync_done(peer), game_object_created(id, owner), game_object_destroyed(id, "
     "owner), game_object_migrated_to_me(id, old_owner), game_object_migrated_away(id, new_owner), "
     "game_object_migration_refused(id), fields_updated(id, names), game_session_migrated(host), "
     "game_session_disconnect(host, reason), connection_broken(peer, reason, why), and for each "
     "message one of its name, with (sender, ...). game_object_priority(id, peer) is asked how "
     "urgent an object is for a peer that it is sent to (GameSession.set_game_object_priority): 1 "
     "is usual, 0 sends nothing, nil leaves it as it is. Of many objects some are asked about in "
     "each update."},
    {"update_receive", update_receive, "(dt: number, callback_object: table?) -> nil",
     "Does what update does before it sends."},
    {"update_transmit", update_transmit, "() -> nil",
     "Sends what session and lobby have: the last thing that update does."},
    {"write_dump_tag", ct_networks_write_dump_tag, "(details: string) -> nil",
     "Writes a text into the network log (`cuttle run --network-log`), for those who read it."},
};

static const ct_lua_constant constants[] = {
    {"SILENCE", CT_SCRIPT_NETWORK_SILENCE, "Network.log: nothing of the session."},
    {"WARNINGS", CT_SCRIPT_NETWORK_WARNINGS, "Network.log: nothing but warnings, as at first."},
    {"INFO", CT_SCRIPT_NETWORK_INFO, "Network.log: peers and hosts."},
    {"MESSAGES", CT_SCRIPT_NETWORK_MESSAGES, "Network.log: also messages and objects."},
    {"SPEW", CT_SCRIPT_NETWORK_SPEW, "Network.log: also fields."},
};

const ct_lua_module ct_api_network = {
    .name = "Network",
    .doc =
        "The network of this program: connections to peers, a lobby, a game session. Make it with "
        "Network.init_lan_client and call Network.update each frame.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = constants,
    .num_constants = CT_COUNT_OF(constants),
};
