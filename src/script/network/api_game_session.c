// GameSession: a game shared by peers: who is in it, who hosts it.
#include <math.h>

#include "foundation/math/math.h"
#include "script/network/api_network.h"
#include "script/network/script_units.h"

extern const ct_lua_module ct_api_game_session;

const ct_lua_object_type ct_type_game_session = {.name = "GameSession"};

ct_network_session *ct_check_session(lua_State *L, struct ct_script_network **n) {
    *n = ct_check_object(L, 1, &ct_type_game_session, NULL);
    return ct_network_session_of((*n)->network);
}

static double now_of(const struct ct_script_network *n) {
    return ct_script_network_seconds(n);
}

// --- Hosting and joining -------------------------------------------------------------------------

static int make_game_session_host(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    ct_error error = {0};
    if (!ct_network_session_host(s, now_of(n), &error))
        ct_function_error(L, "%s", error.message);
    ct_script_network_clear_objects(n);
    n->host = ct_network_self(n->network);
    return 0;
}

static int join(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    const ct_peer_id host = ct_check_peer(L, 2);
    const char *const address = lua_isnoneornil(L, 3) ? NULL : ct_check_string(L, 3);
    ct_error error = {0};
    if (!ct_network_session_join(s, host, address, now_of(n), &error))
        ct_function_error(L, "%s", error.message);
    ct_script_network_clear_objects(n);
    n->host = host;
    return 0;
}

static int leave(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    ct_network_session_leave(s, now_of(n));
    return 0;
}

static int shutdown_game_session_host(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    if (!ct_network_session_is_host(s))
        ct_function_error(L, "this program is not the session's host; GameSession.leave leaves it");
    ct_network_session_shut_down(s, now_of(n));
    return 0;
}

static int migrate_game_session_host(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    const ct_peer_id to = lua_isnoneornil(L, 2) ? 0 : ct_check_peer(L, 2);
    ct_error error = {0};
    if (!ct_network_session_migrate(s, to, now_of(n), &error))
        ct_function_error(L, "%s", error.message);
    return 0;
}

// --- Peers ---------------------------------------------------------------------------------------

static bool is_in(const ct_network_session *s, ct_peer_id peer) {
    ct_peer_id peers[CT_NETWORK_SESSION_MAX_PEERS];
    const uint32_t count =
        ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, peers, CT_NETWORK_SESSION_MAX_PEERS);
    for (uint32_t i = 0; i < count && i < CT_NETWORK_SESSION_MAX_PEERS; ++i)
        if (peers[i] == peer)
            return true;
    return false;
}

static int add_peer(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    const ct_peer_id peer = ct_check_peer(L, 2);
    ct_error error = {0};
    if (!is_in(s, peer) && !ct_network_session_add_peer(s, peer, now_of(n), &error))
        ct_function_error(L, "%s", error.message);
    return 0;
}

static int remove_peer(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    const ct_peer_id peer = ct_check_peer(L, 2);
    if (!ct_network_session_is_host(s))
        ct_function_error(L, "only the host can remove peers");
    if (ct_network_session_kick(s, peer, CT_NETWORK_REASON_KICKED, now_of(n)))
        return 0;
    for (uint32_t i = 0; i < n->gone.count; ++i)
        if (n->gone.items[i] == peer)
            return 0; // games remove peers that broken_connection and wants_to_leave returned
    return ct_argument_error(L, 2, "expected another peer of the session, got %s",
                             lua_tostring(L, 2));
}

static int push_filtered(lua_State *L, ct_network_peer_filter filter, bool has_self) {
    struct ct_script_network *n;
    const ct_network_session *const s = ct_check_session(L, &n);
    ct_peer_id peers[CT_NETWORK_SESSION_MAX_PEERS];
    const uint32_t count = ct_network_session_peers(s, filter, peers, CT_NETWORK_SESSION_MAX_PEERS);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && i < CT_NETWORK_SESSION_MAX_PEERS; ++i)
        if (has_self || peers[i] != ct_network_session_self(s))
            peers[kept++] = peers[i];
    return ct_push_peers(L, peers, kept);
}

static int peers(lua_State *L) {
    return push_filtered(L, CT_NETWORK_PEERS_ALL, true);
}

static int other_peers(lua_State *L) {
    return push_filtered(L, CT_NETWORK_PEERS_ALL, false);
}

static int synchronized_peers(lua_State *L) {
    return push_filtered(L, CT_NETWORK_PEERS_SYNCHRONIZED, true);
}

static int synchronizing_peers(lua_State *L) {
    return push_filtered(L, CT_NETWORK_PEERS_SYNCHRONIZING, true);
}

// Pushes the first of the peers that Lua does not know of yet; nil: there is no such peer.
#define PUSH_NEXT(L, list)                                                                         \
    do {                                                                                           \
        const ct_peer_id next = (list).count ? (list).items[0] : 0;                                \
        if (next)                                                                                  \
            ct_array_erase(&(list), 0, 1);                                                         \
        ct_push_peer(L, next);                                                                     \
    } while (0)

static int broken_connection(lua_State *L) {
    struct ct_script_network *n;
    ct_check_session(L, &n);
    PUSH_NEXT(L, n->broken);
    return 1;
}

static int wants_to_leave(lua_State *L) {
    struct ct_script_network *n;
    ct_check_session(L, &n);
    PUSH_NEXT(L, n->leaving);
    return 1;
}

static int set_interest(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    const ct_peer_id peer = ct_check_peer(L, 2);
    const bool is_everywhere = lua_isnoneornil(L, 3);
    const ct_vec3 at = is_everywhere ? ct_vec3_make(0, 0, 0) : ct_check_finite_vector3(L, 3);
    if (!ct_network_session_is_host(s))
        ct_function_error(L, "only the host sets where peers look");
    if (!ct_network_session_set_interest(s, peer, is_everywhere ? NULL : &at))
        ct_argument_error(L, 2, "expected another peer of the session, got %s", lua_tostring(L, 2));
    return 0;
}

// --- What it is ----------------------------------------------------------------------------------

static int in_session(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_session_state state = ct_network_session_state_of(ct_check_session(L, &n));
    lua_pushboolean(L, state == CT_NETWORK_SESSION_IN || state == CT_NETWORK_SESSION_MIGRATING);
    return 1;
}

static int state_of(lua_State *L) {
    static const char *const names[] = {
        [CT_NETWORK_SESSION_IDLE] = "idle",   [CT_NETWORK_SESSION_JOINING] = "joining",
        [CT_NETWORK_SESSION_IN] = "in",       [CT_NETWORK_SESSION_MIGRATING] = "migrating",
        [CT_NETWORK_SESSION_ENDED] = "ended",
    };
    struct ct_script_network *n;
    const ct_network_session *const s = ct_check_session(L, &n);
    lua_pushstring(L, names[ct_network_session_state_of(s)]);
    lua_pushstring(L, ct_network_reason_name(ct_network_session_end_reason(s)));
    return 2;
}

static int game_session_host(lua_State *L) {
    struct ct_script_network *n;
    return ct_push_peer(L, ct_network_session_host_peer(ct_check_session(L, &n)));
}

static int host_error(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_session *const s = ct_check_session(L, &n);
    lua_pushboolean(L, ct_network_session_state_of(s) == CT_NETWORK_SESSION_ENDED &&
                           ct_network_session_end_reason(s) != CT_NETWORK_REASON_LEFT);
    return 1;
}

static int unit_synchronizer(lua_State *L) {
    struct ct_script_network *n;
    ct_check_session(L, &n);
    return ct_game_session_unit_synchronizer(L);
}

static int session_time(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    lua_pushnumber(L, (double)ct_network_session_time(s, now_of(n)) * 1e-3);
    return 1;
}

static int set_interpolation_lag_compensation(lua_State *L) {
    struct ct_script_network *n;
    ct_check_session(L, &n);
    const double delay = ct_check_number_in(L, 2, -1, CT_NETWORK_MAX_DELAY);
    ct_script_network_set_delay(n, delay);
    ct_script_set_unit_delay(ct_script_of(L), delay);
    return 0;
}

static int set_perfhud_pie_update_interval(lua_State *L) {
    struct ct_script_network *n;
    ct_check_session(L, &n);
    n->counter_step = ct_check_number_in(L, 2, 0, 3600);
    return 0;
}

static const ct_lua_function functions[] = {
    {"add_peer", add_peer, "(self: GameSession, peer_id: string) -> nil",
     "As the host: lets a peer into a closed session, which asks or will ask to join. A peer that "
     "is "
     "in stays so."},
    {"broken_connection", broken_connection, "(self: GameSession) -> string?",
     "Returns a peer whose connection has ended without leaving, each once, or nil."},
    {"compare_states", ct_game_sessions_compare_states,
     "(self: GameSession, a: string, b: string) -> string?",
     "Returns the first difference of two states of write_state as a sentence, or nil when they "
     "are "
     "equal."},
    {"create_game_object", ct_game_sessions_create_game_object,
     "(self: GameSession, type: string, fields: table?) -> integer",
     "Creates an object that this peer owns; fields that are not given have the first values of "
     "the "
     "network_config. Returns its id, the same at all peers."},
    {"destroy_game_object", ct_game_sessions_destroy_game_object,
     "(self: GameSession, object_id: integer) -> nil", "Destroys an object of this peer."},
    {"disconnect_from_host", leave, "(self: GameSession) -> nil", "Leaves the session, as leave."},
    {"game_object_exists", ct_game_sessions_game_object_exists,
     "(self: GameSession, object_id: integer) -> boolean", "Returns whether there is an object."},
    {"game_object_field", ct_game_sessions_game_object_field,
     "(self: GameSession, object_id: integer, field: string) -> any",
     "Returns a field: a boolean, number, Vector2, Vector3, Quaternion, string, IdString64, peer, "
     "object id (0: no object), name of a list, or a table of these. Of other peers' objects "
     "numbers, "
     "vectors and rotations are interpolated, a little behind the newest that has come."},
    {"game_object_is_type", ct_game_sessions_game_object_is_type,
     "(self: GameSession, object_id: integer, object_type: string) -> boolean",
     "Returns whether an object is of a type of the network_config."},
    {"game_object_owned", ct_game_sessions_game_object_owned,
     "(self: GameSession, object_id: integer) -> boolean",
     "Returns whether this peer owns an object."},
    {"game_object_owner", ct_game_sessions_game_object_owner,
     "(self: GameSession, object_id: integer) -> string", "Returns the peer that owns an object."},
    {"game_object_type", ct_game_sessions_game_object_type,
     "(self: GameSession, object_id: integer) -> string", "Returns the name of an object's type."},
    {"game_session_host", game_session_host, "(self: GameSession) -> string?",
     "Returns the host's peer, or nil while there is no host."},
    {"host_error", host_error, "(self: GameSession) -> boolean",
     "Returns whether the session has ended without this peer or the host leaving in order."},
    {"in_session", in_session, "(self: GameSession) -> boolean",
     "Returns whether this peer hosts the session, or has joined it and has all objects."},
    {"join", join, "(self: GameSession, host: string, address: string?) -> nil",
     "Begins to join the session of a host; `address` may be left out when it is connected. A "
     "session "
     "of a program in a lobby joins the host that the lobby names by itself."},
    {"leave", leave, "(self: GameSession) -> nil",
     "Leaves the session. A host gives it to the next peer, unless migration is off."},
    {"make_game_session_host", make_game_session_host, "(self: GameSession) -> nil",
     "Makes this program the host of a new session; LanLobby.set_game_session_host lets the "
     "members "
     "of the lobby join."},
    {"migrate_game_object", ct_game_sessions_migrate_game_object,
     "(self: GameSession, object_id: integer, new_peer_id: string, callback_object: table?) -> nil",
     "Gives an object to another peer; the host may give any, others theirs. A later "
     "Network.update "
     "calls game_object_migrated_away or game_object_migrated_to_me of the table that it gets."},
    {"migrate_game_session_host", migrate_game_session_host,
     "(self: GameSession, peer_id: string?) -> nil",
     "As the host: gives the hosting to a peer that has all objects, without `peer_id` to the one "
     "that came first."},
    {"objects_owned_by", ct_game_sessions_objects_owned_by,
     "(self: GameSession, peer_id: string?) -> integer[]",
     "Returns the objects of a peer, or all (nil), the smallest id first."},
    {"other_peers", other_peers, "(self: GameSession) -> string[]",
     "Returns the peers of the session but this one."},
    {"peers", peers, "(self: GameSession) -> string[]",
     "Returns the peers of the session in the order in which they came, with this one."},
    {"remove_peer", remove_peer,
     "(self: GameSession, peer_id: string, callback_object: table?) -> nil",
     "As the host: ends a peer's part in the session. Its objects that are not shared are "
     "destroyed; "
     "Network.update calls the methods. A peer that has left already is ignored."},
    {"session_time", session_time, "(self: GameSession) -> number",
     "Returns the time of the session in seconds, about the same at all peers."},
    {"set_game_object_field", ct_game_sessions_set_game_object_field,
     "(self: GameSession, object_id: integer, field: string, value: any) -> nil",
     "Sets a field of an object of this peer. Numbers are clamped to the range of the field's type "
     "and rounded to its steps."},
    {"set_game_object_priority", ct_game_sessions_set_game_object_priority,
     "(self: GameSession, object_id: integer, peer_id: string, priority: number) -> nil",
     "Sets how urgent changes of an object are for a peer: 1 is usual, with 0 it gets none."},
    {"set_interest", set_interest,
     "(self: GameSession, peer_id: string, position: Vector3?) -> nil",
     "As the host: sets where a peer looks; objects with a position and a distance in the "
     "network_config are the more urgent the closer they are. nil: everywhere."},
    {"set_interpolation_lag_compensation", set_interpolation_lag_compensation,
     "(self: GameSession, time: number) -> nil",
     "Sets how many seconds behind (0 to 1) fields and units of other peers are shown; a negative "
     "one "
     "lets it follow the network, as at first."},
    {"set_perfhud_pie_update_interval", set_perfhud_pie_update_interval,
     "(self: GameSession, time: number) -> nil",
     "Sets the seconds between two figures of the network in the profiler (0: each update); Cuttle "
     "has no pie of them."},
    {"shutdown_game_session_host", shutdown_game_session_host, "(self: GameSession) -> nil",
     "As the host: ends the session for all peers."},
    {"state", state_of, "(self: GameSession) -> string, string",
     "Returns \"idle\", \"joining\", \"in\", \"migrating\" or \"ended\", and why it ended."},
    {"state_hash", ct_game_sessions_state_hash, "(self: GameSession) -> string",
     "Returns a hash of all objects with their owners and fields, 16 hexadecimal digits: equal at "
     "peers that agree."},
    {"synchronized_peers", synchronized_peers, "(self: GameSession) -> string[]",
     "Returns the peers that have all objects."},
    {"synchronizing_peers", synchronizing_peers, "(self: GameSession) -> string[]",
     "Returns the peers that wait for objects."},
    {"unit_synchronizer", unit_synchronizer, "(self: GameSession) -> UnitSynchronizer",
     "Returns what ties game objects of the session to units of a world. It is one for the "
     "session, "
     "made by the first call."},
    {"wants_to_leave", wants_to_leave, "(self: GameSession) -> string?",
     "Returns a peer that has left in order, each once, or nil."},
    {"write_state", ct_game_sessions_write_state, "(self: GameSession) -> string",
     "Returns the state that state_hash is of, as bytes: for compare_states."},
};

const ct_lua_module ct_api_game_session = {
    .name = "GameSession",
    .doc = "A game that peers share: its objects, their fields, its host. Make it with "
           "Network.create_game_session.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
