// script_network_priority.c: the game's method that says how urgent objects are for peers.
#include <math.h>

#include "foundation/log.h"
#include "script/network/api_network.h"

enum {
    MOST_CALLS = 256, // in an update: with many objects it takes some updates to ask about all
    MOST_PEERS = 64,
};

// Writes the peers that this one sends objects to. Returns how many there are.
static uint32_t receivers(const ct_network_session *s, ct_peer_id peers[MOST_PEERS]) {
    const ct_peer_id self = ct_network_session_self(s);
    if (!ct_network_session_is_host(s)) {
        peers[0] = ct_network_session_host_peer(s);
        return 1;
    }
    uint32_t count = ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, peers, MOST_PEERS);
    count = count < MOST_PEERS ? count : MOST_PEERS;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (peers[i] != self)
            peers[kept++] = peers[i];
    return kept;
}

// Calls the method at `callbacks`. Returns the priority; negative: it stays.
static float ask(lua_State *L, int callbacks, ct_network_object_id id, ct_peer_id peer) {
    float priority = -1;
    lua_getfield(L, callbacks, "game_object_priority");
    lua_pushvalue(L, callbacks);
    lua_pushnumber(L, id);
    ct_push_peer(L, peer);
    if (ct_lua_call_in(L, 3, 1) != 0) {
        ct_lua_log_error(ct_lua_of(L));
        return priority;
    }
    const double number = lua_tonumber(L, -1);
    if (lua_type(L, -1) == LUA_TNUMBER && number >= 0 && number <= 1e6)
        priority = (float)number;
    else if (!lua_isnil(L, -1))
        ct_log_warning("network", "network_priority",
                       "game_object_priority returned %s; expected a number from 0 to 1e6, or nil "
                       "to leave the priority as it is",
                       lua_type(L, -1) == LUA_TNUMBER ? "a number out of range"
                                                      : luaL_typename(L, -1));
    return priority;
}

// Returns whether the session is still that of when it began.
static bool is_same(const struct ct_script_network *n, uint64_t num_made,
                    const ct_network_session *s) {
    return n->network && n->num_made == num_made && ct_network_session_of(n->network) == s &&
           ct_network_session_state_of(s) == CT_NETWORK_SESSION_IN;
}

void ct_script_network_ask_priorities(lua_State *L, struct ct_script_network *n, int callbacks) {
    const int top = lua_gettop(L);
    const uint64_t made = n->num_made;
    ct_network_session *const s = n->network ? ct_network_session_of(n->network) : NULL;
    lua_getfield(L, callbacks, "game_object_priority");
    const bool has_method = !lua_isnil(L, -1);
    lua_settop(L, top);
    if (!s || !has_method || !is_same(n, made, s))
        return;
    luaL_checkstack(L, 8, "too many calls of the network");
    ct_peer_id peers[MOST_PEERS];
    const uint32_t num_peers = receivers(s, peers);
    const bool is_host = ct_network_session_is_host(s);
    const ct_peer_id self = ct_network_session_self(s);
    uint32_t calls = 0;
    for (uint32_t left = n->objects.items.count; left > 0 && calls < MOST_CALLS; --left) {
        if (!is_same(n, made, s) || n->objects.items.count == 0)
            return; // a method has ended it
        n->objects.asked = (n->objects.asked + 1) % n->objects.items.count;
        const ct_script_network_object object = n->objects.items.items[n->objects.asked];
        if (!is_host && object.owner != self)
            continue;
        for (uint32_t i = 0; i < num_peers && is_same(n, made, s); ++i) {
            if (object.owner == peers[i])
                continue;
            const float priority = ask(L, callbacks, object.id, peers[i]);
            lua_settop(L, top);
            ++calls;
            if (priority >= 0 && is_same(n, made, s))
                ct_network_session_set_priority(s, object.id, peers[i], priority);
        }
    }
}
