// script_network_events.c: what happened in the session, as calls of the game's methods.
#include "foundation/log.h"
#include "script/network/api_network.h"

// A method that is being called.
typedef struct method_call {
    lua_State *L;
    struct ct_script_network *n;
    int callbacks; // place of the table; 0: there is none
    const ct_network_event *event;
    bool is_heard; // a message: by the listener
} method_call;

// Pushes a method and its table. Returns false when the table does not have it.
static bool begin(const method_call *call, const char *name) {
    lua_State *const L = call->L;
    luaL_checkstack(L, CT_NETWORK_MAX_FIELDS + 8, "too many calls of the network");
    if (!call->callbacks)
        return false;
    lua_getfield(L, call->callbacks, name);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return false;
    }
    lua_pushvalue(L, call->callbacks);
    return true;
}

static void end(const method_call *call, int num_arguments) {
    if (ct_lua_call_in(call->L, 1 + num_arguments, 0) != 0)
        ct_lua_log_error(ct_lua_of(call->L));
}

static void call_with_peer(const method_call *call, const char *name, ct_peer_id peer) {
    if (!begin(call, name))
        return;
    ct_push_peer(call->L, peer);
    end(call, 1);
}

static void call_with_reason(const method_call *call, const char *name, ct_peer_id peer) {
    if (!begin(call, name))
        return;
    ct_push_peer(call->L, peer);
    lua_pushstring(call->L, ct_network_reason_name(call->event->reason));
    end(call, 2);
}

static void call_with_object(const method_call *call, const char *name, ct_peer_id peer) {
    if (!begin(call, name))
        return;
    lua_pushnumber(call->L, call->event->object);
    ct_push_peer(call->L, peer);
    end(call, 2);
}

// --- Kinds of events -----------------------------------------------------------------------------

static void call_fields(const method_call *call) {
    const ct_network_event *const e = call->event;
    if (!begin(call, "fields_updated"))
        return;
    const ct_network_config_resource *const config = call->n->config;
    const ct_network_record_type *const record = &ct_network_config_objects(config)[e->record];
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    lua_pushnumber(call->L, e->object);
    lua_newtable(call->L);
    int count = 0;
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        if (!(e->fields >> i & 1))
            continue;
        lua_pushstring(call->L, ct_blob_at(config, fields[i].name.offset));
        lua_rawseti(call->L, -2, ++count);
    }
    end(call, 2);
}

static void call_message(const method_call *call) {
    const ct_network_event *const e = call->event;
    const ct_network_config_resource *const config = call->n->config;
    const ct_network_record_type *const record = &ct_network_config_messages(config)[e->record];
    const char *const name = ct_blob_at(config, record->name.offset);
    if (!begin(call, name)) {
        if (!call->is_heard)
            ct_log_warning("network", "network_unheard_message",
                           "a message \"%s\" has come, but the table that Network.update gets has "
                           "no method of this name",
                           name);
        return;
    }
    ct_push_peer(call->L, e->peer);
    for (uint32_t i = 0; i < record->num_fields; ++i)
        ct_push_network_field(call->L, config, record, i, e->words);
    end(call, 1 + (int)record->num_fields);
}

static void call_owner(const method_call *call) {
    const ct_network_event *const e = call->event;
    const uint32_t *const words = call->n->words.items + e->num_words;
    const ct_peer_id self = ct_network_self(call->n->network);
    const ct_peer_id old = words[0] | (uint64_t)words[1] << 32;
    if (e->peer == self)
        call_with_object(call, "game_object_migrated_to_me", old);
    else if (old == self)
        call_with_object(call, "game_object_migrated_away", e->peer);
}

static void call_broken(const method_call *call) {
    const ct_network_event *const e = call->event;
    if (!begin(call, "connection_broken"))
        return;
    ct_push_peer(call->L, e->peer);
    lua_pushstring(call->L, ct_network_reason_name(e->reason));
    lua_pushstring(call->L, e->why ? e->why : "");
    end(call, 3);
}

static void call_for(const method_call *call) {
    const ct_network_event *const e = call->event;
    switch (e->type) {
    case CT_NETWORK_EVENT_PEER_ASKS:
        call_with_peer(call, "peer_asks", e->peer);
        break;
    case CT_NETWORK_EVENT_PEER_JOINED:
        call_with_peer(call, "peer_joined", e->peer);
        break;
    case CT_NETWORK_EVENT_PEER_SYNCHRONIZED:
        call_with_peer(call, "game_object_sync_done", e->peer);
        break;
    case CT_NETWORK_EVENT_PEER_LEFT:
        call_with_reason(call, "peer_left", e->peer);
        break;
    case CT_NETWORK_EVENT_CREATED:
        call_with_object(call, "game_object_created", e->peer);
        break;
    case CT_NETWORK_EVENT_DESTROYED:
        call_with_object(call, "game_object_destroyed", e->peer);
        break;
    case CT_NETWORK_EVENT_OWNER:
        call_owner(call);
        break;
    case CT_NETWORK_EVENT_OWNER_REFUSED:
        call_with_object(call, "game_object_migration_refused", 0);
        break;
    case CT_NETWORK_EVENT_FIELDS:
        call_fields(call);
        break;
    case CT_NETWORK_EVENT_MESSAGE:
        call_message(call);
        break;
    case CT_NETWORK_EVENT_HOST:
        call_with_peer(call, "game_session_migrated", e->peer);
        break;
    case CT_NETWORK_EVENT_BROKEN:
        call_broken(call);
        break;
    case CT_NETWORK_EVENT_ENDED:
        call_with_reason(call, "game_session_disconnect", call->n->host);
        break;
    case CT_NETWORK_EVENT_NONE:
    case CT_NETWORK_EVENT_TYPES:
        break;
    }
}

// --- All -----------------------------------------------------------------------------------------

// What GameSession.broken_connection and wants_to_leave return later.
static void keep_peers(struct ct_script_network *n) {
    for (uint32_t i = 0; i < n->events.count; ++i) {
        const ct_network_event *const e = &n->events.items[i];
        if (e->type == CT_NETWORK_EVENT_BROKEN)
            ct_array_push(&n->broken, e->peer);
        if (e->type != CT_NETWORK_EVENT_PEER_LEFT)
            continue;
        ct_array_push(&n->gone, e->peer);
        if (e->reason == CT_NETWORK_REASON_LEFT)
            ct_array_push(&n->leaving, e->peer);
    }
}

static void log_event(const struct ct_script_network *n, const ct_network_event *e) {
    static const struct {
        ct_script_network_level level;
        const char *what;
    } rows[CT_NETWORK_EVENT_TYPES] = {
        [CT_NETWORK_EVENT_PEER_ASKS] = {CT_SCRIPT_NETWORK_INFO, "asks to join"},
        [CT_NETWORK_EVENT_PEER_JOINED] = {CT_SCRIPT_NETWORK_INFO, "has joined"},
        [CT_NETWORK_EVENT_PEER_SYNCHRONIZED] = {CT_SCRIPT_NETWORK_INFO, "has all objects"},
        [CT_NETWORK_EVENT_PEER_LEFT] = {CT_SCRIPT_NETWORK_INFO, "has left"},
        [CT_NETWORK_EVENT_CREATED] = {CT_SCRIPT_NETWORK_MESSAGES, "has an object that is new"},
        [CT_NETWORK_EVENT_DESTROYED] = {CT_SCRIPT_NETWORK_MESSAGES, "had an object that is gone"},
        [CT_NETWORK_EVENT_OWNER] = {CT_SCRIPT_NETWORK_MESSAGES, "owns an object now"},
        [CT_NETWORK_EVENT_OWNER_REFUSED] = {CT_SCRIPT_NETWORK_MESSAGES, "is not given an object"},
        [CT_NETWORK_EVENT_FIELDS] = {CT_SCRIPT_NETWORK_SPEW, "fields have come of an object"},
        [CT_NETWORK_EVENT_MESSAGE] = {CT_SCRIPT_NETWORK_MESSAGES, "has sent a message"},
        [CT_NETWORK_EVENT_HOST] = {CT_SCRIPT_NETWORK_INFO, "is the host now"},
        [CT_NETWORK_EVENT_BROKEN] = {CT_SCRIPT_NETWORK_INFO, "is not connected any more"},
        [CT_NETWORK_EVENT_ENDED] = {CT_SCRIPT_NETWORK_INFO, "the session has ended"},
    };
    if (!rows[e->type].what || n->level < rows[e->type].level)
        return;
    const char *record = "";
    if (e->type == CT_NETWORK_EVENT_MESSAGE)
        record =
            ct_blob_at(n->config, ct_network_config_messages(n->config)[e->record].name.offset);
    else if (e->object)
        record = ct_blob_at(n->config, ct_network_config_objects(n->config)[e->record].name.offset);
    char peer[CT_PEER_BYTES] = "";
    if (e->peer)
        ct_print_peer(e->peer, peer);
    ct_log_info("network", "%s%s%s%s%s%s%s", peer, peer[0] ? " " : "", rows[e->type].what,
                record[0] ? ": " : "", record, e->reason ? ": " : "",
                ct_network_reason_name(e->reason));
}

static bool is_heard_by_listener(const struct ct_script_network *n, const ct_network_event *e) {
    const ct_script_network_listener *const listener = &n->listener;
    return listener->message && e->type == CT_NETWORK_EVENT_MESSAGE &&
           listener->message(listener->user, n->config, e);
}

static void stop_calling(struct ct_script_network *const *n) {
    (*n)->is_calling = false;
}

void ct_script_network_call(lua_State *L, struct ct_script_network *n, int callbacks) {
    keep_peers(n);
    const uint64_t made = n->num_made;
    const int top = lua_gettop(L);
    CT_CLEANUP(stop_calling) struct ct_script_network *const held = n;
    held->is_calling = true;
    // A method may end the network, and make another one.
    for (uint32_t i = 0; n->network && n->num_made == made && i < n->events.count; ++i) {
        method_call call = {.L = L, .n = n, .event = &n->events.items[i]};
        call.callbacks = lua_isnoneornil(L, callbacks) ? 0 : callbacks;
        log_event(n, call.event);
        call.is_heard = is_heard_by_listener(n, call.event);
        if (n->network && n->num_made == made)
            call_for(&call);
        lua_settop(L, top);
    }
    if (n->network && n->num_made == made && !lua_isnoneornil(L, callbacks))
        ct_script_network_ask_priorities(L, n, callbacks);
}
