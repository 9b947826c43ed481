// GameSession: objects, their fields, and states for tests.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lua/lua_array.h"
#include "network/fields/network_record.h"
#include "script/network/api_network.h"

// A known object at argument 2.
typedef struct checked_object {
    struct ct_script_network *n;
    ct_network_session *session;
    ct_network_object_id id;
    uint32_t type;
    const ct_network_record_type *record;
} checked_object;

static ct_network_object_id check_id(lua_State *L) {
    return (ct_network_object_id)ct_check_integer(L, 2, 0, UINT32_MAX);
}

static checked_object check_object(lua_State *L) {
    checked_object o = {0};
    o.session = ct_check_session(L, &o.n);
    o.id = check_id(L);
    o.type = ct_network_session_object_type(o.session, o.id);
    if (o.type == UINT32_MAX)
        ct_argument_error(
            L, 2, "the session has no game object %u; it has %u (GameSession.objects_owned_by)",
            o.id, ct_network_session_objects(o.session, 0, NULL, 0));
    o.record = &ct_network_config_objects(o.n->config)[o.type];
    return o;
}

static uint32_t check_field(lua_State *L, int argument, const checked_object *o) {
    ct_error error = {0};
    const uint32_t field =
        ct_find_network_field(o->n->config, o->record, ct_check_string(L, argument), &error);
    if (field == UINT32_MAX)
        ct_argument_error(L, argument, "%s", error.message);
    return field;
}

// Sets words from the members of the table at `argument`.
static void take_fields(lua_State *L, int argument, const struct ct_script_network *n,
                        const ct_network_record_type *record, uint32_t *words) {
    ct_error error = {0};
    luaL_checktype(L, argument, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, argument); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            ct_argument_error(L, argument, "expected names of fields, got a %s",
                              ct_value_type_name(L, -2));
        const uint32_t field =
            ct_find_network_field(n->config, record, lua_tostring(L, -2), &error);
        if (field == UINT32_MAX ||
            !ct_take_network_field(L, lua_gettop(L), n->config, record, field, words, &error))
            ct_argument_error(L, argument, "%s", error.message);
    }
}

int ct_game_sessions_create_game_object(lua_State *L) {
    struct ct_script_network *n;
    ct_network_session *const s = ct_check_session(L, &n);
    const uint32_t type = ct_check_network_object(L, 2, n->config);
    const ct_network_record_type *const record = &ct_network_config_objects(n->config)[type];
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(n->config, record), 4 * (size_t)record->num_words);
    if (!lua_isnoneornil(L, 3))
        take_fields(L, 3, n, record, words);
    ct_error error = {0};
    const ct_network_object_id id = ct_network_session_create_object(s, type, words, &error);
    if (!id)
        ct_function_error(L, "%s", error.message);
    ct_script_network_note_object(n, id, type);
    lua_pushnumber(L, id);
    return 1;
}

int ct_game_sessions_destroy_game_object(lua_State *L) {
    const checked_object o = check_object(L);
    ct_error error = {0};
    if (!ct_network_session_destroy_object(o.session, o.id, &error))
        ct_argument_error(L, 2, "%s", error.message);
    ct_script_network_forget_object(o.n, o.id);
    return 0;
}

int ct_game_sessions_game_object_exists(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_session *const s = ct_check_session(L, &n);
    lua_pushboolean(L, ct_network_session_object_type(s, check_id(L)) != UINT32_MAX);
    return 1;
}

int ct_game_sessions_game_object_field(lua_State *L) {
    const checked_object o = check_object(L);
    const uint32_t field = check_field(L, 3, &o);
    ct_network_moment moment;
    if (ct_script_network_moment(o.n, o.id, &moment))
        ct_push_network_moment(L, o.n->config, o.record, field, &moment);
    else
        ct_push_network_field(L, o.n->config, o.record, field,
                              ct_network_session_words(o.session, o.id));
    return 1;
}

int ct_game_sessions_set_game_object_field(lua_State *L) {
    const checked_object o = check_object(L);
    const uint32_t field = check_field(L, 3, &o);
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_session_words(o.session, o.id), 4 * (size_t)o.record->num_words);
    ct_error error = {0};
    luaL_checkany(L, 4);
    if (!ct_take_network_field(L, 4, o.n->config, o.record, field, words, &error))
        ct_argument_error(L, 4, "%s", error.message);
    if (!ct_network_session_set_words(o.session, o.id, words, &error))
        ct_argument_error(L, 2, "%s", error.message);
    return 0;
}

int ct_game_sessions_game_object_is_type(lua_State *L) {
    const checked_object o = check_object(L);
    lua_pushboolean(L, ct_check_network_object(L, 3, o.n->config) == o.type);
    return 1;
}

int ct_game_sessions_game_object_type(lua_State *L) {
    const checked_object o = check_object(L);
    lua_pushstring(L, ct_blob_at(o.n->config, o.record->name.offset));
    return 1;
}

int ct_game_sessions_game_object_owned(lua_State *L) {
    const checked_object o = check_object(L);
    lua_pushboolean(L, ct_network_session_object_owner(o.session, o.id) ==
                           ct_network_self(o.n->network));
    return 1;
}

int ct_game_sessions_game_object_owner(lua_State *L) {
    const checked_object o = check_object(L);
    return ct_push_peer(L, ct_network_session_object_owner(o.session, o.id));
}

int ct_game_sessions_migrate_game_object(lua_State *L) {
    const checked_object o = check_object(L);
    ct_error error = {0};
    if (!ct_network_session_give_object(o.session, o.id, ct_check_peer(L, 3), &error))
        ct_function_error(L, "%s", error.message);
    return 0;
}

int ct_game_sessions_objects_owned_by(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_session *const s = ct_check_session(L, &n);
    const ct_peer_id owner = lua_isnoneornil(L, 2) ? 0 : ct_check_peer(L, 2);
    const uint32_t count = ct_network_session_objects(s, owner, NULL, 0);
    ct_network_object_id *const ids =
        ct_lua_scratch(ct_lua_of(L), sizeof(*ids) * (uint64_t)(count ? count : 1));
    ct_network_session_objects(s, owner, ids, count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_pushnumber(L, ids[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

int ct_game_sessions_set_game_object_priority(lua_State *L) {
    const checked_object o = check_object(L);
    const ct_peer_id peer = ct_check_peer(L, 3);
    const float priority = (float)ct_check_number_in(L, 4, 0, 1e6);
    if (!ct_network_session_set_priority(o.session, o.id, peer, priority))
        ct_argument_error(L, 3, "expected a peer that this program sends the session's objects to");
    return 0;
}

// --- States --------------------------------------------------------------------------------------

int ct_game_sessions_state_hash(lua_State *L) {
    struct ct_script_network *n;
    char text[CT_PEER_BYTES];
    const ct_network_session *const s = ct_check_session(L, &n);
    lua_pushstring(L, ct_print_peer(ct_network_session_state_hash(s), text));
    return 1;
}

int ct_game_sessions_write_state(lua_State *L) {
    struct ct_script_network *n;
    const ct_network_session *const s = ct_check_session(L, &n);
    ct_network_state_bytes bytes;
    ct_array_init(&bytes, n->allocator);
    ct_network_session_write_state(s, &bytes);
    void *const copy = ct_lua_scratch(ct_lua_of(L), bytes.count ? bytes.count : 1);
    const uint32_t count = bytes.count;
    if (count)
        memcpy(copy, bytes.items, count);
    ct_array_free(&bytes); // before Lua may raise an error
    lua_pushlstring(L, copy, count);
    return 1;
}

int ct_game_sessions_compare_states(lua_State *L) {
    struct ct_script_network *n;
    ct_check_session(L, &n);
    size_t a_bytes, b_bytes;
    const char *const a = ct_check_text(L, 2, &a_bytes);
    const char *const b = ct_check_text(L, 3, &b_bytes);
    ct_network_state_difference difference;
    if (ct_network_session_compare(n->config, a, a_bytes, b, b_bytes, &difference))
        lua_pushnil(L);
    else
        lua_pushstring(L, difference.message);
    return 1;
}
