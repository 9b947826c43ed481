#include "lua/lua_json.h"
#include "script/script_private.h"

// Messages of tools that the engine itself does not know: the game's global `console_receive` takes
// them. It is looked up again for each, so that a saved script takes over at once.

#define RECEIVER "console_receive"

static int push_receiver(lua_State *L) {
    lua_pushliteral(L, RECEIVER);
    lua_rawget(L, LUA_GLOBALSINDEX); // scripts may make reading others an error
    return 1;
}

static int find_receiver(lua_State *L) {
    bool *const is_there = ct_lua_run_data(L);
    push_receiver(L);
    *is_there = lua_isfunction(L, -1);
    return 0;
}

bool ct_script_can_receive(ct_script *s) {
    bool is_there = false;
    return s->is_booted && ct_lua_run(&s->lua, find_receiver, &is_there) && is_there;
}

// Replaces the answer on top by a copy with the message's id, and a type, unless it has its own:
// the table may be one that the game keeps.
static void complete_answer(lua_State *L, int message) {
    const int answer = lua_gettop(L);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, answer)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, answer + 1);
    }
    lua_replace(L, answer);
    lua_getfield(L, answer, "id");
    if (lua_isnil(L, -1)) {
        lua_getfield(L, message, "id");
        lua_setfield(L, answer, "id");
    }
    lua_getfield(L, answer, "type");
    if (lua_isnil(L, -1)) {
        lua_pushliteral(L, "result");
        lua_setfield(L, answer, "type");
    } else if (lua_type(L, -1) != LUA_TSTRING) {
        luaL_error(L, "the answer of " RECEIVER " has a type that is a %s, expected a string",
                   ct_value_type_name(L, -1));
    }
    lua_settop(L, answer);
}

typedef struct received {
    const ct_sjson *message;
    ct_string_builder *answer;
} received;

static int receive(lua_State *L) {
    const received *const r = ct_lua_run_data(L);
    ct_lua_push_json(L, r->message, ct_sjson_root(r->message));
    push_receiver(L);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    if (lua_isnil(L, 2))
        return 0;
    if (!lua_istable(L, 2))
        return luaL_error(L, RECEIVER " returned a %s, expected a table (the answer) or nil",
                          ct_value_type_name(L, 2));
    complete_answer(L, 1);
    ct_lua_append_json(L, 2, r->answer);
    return 0;
}

bool ct_script_receive(ct_script *s, const ct_sjson *message, ct_string_builder *answer,
                       ct_string_builder *traceback) {
    const uint32_t num_temporaries = s->lua.num_temporaries;
    ct_string_builder written;
    ct_string_builder_init(&written, s->lua.allocator);
    received r = {message, &written};
    const bool is_done = ct_lua_run(&s->lua, receive, &r);
    const ct_string_builder *const told = is_done ? &written : &s->lua.error_message;
    ct_string_builder_add_bytes(answer, ct_string_builder_text(told), told->length);
    if (!is_done)
        ct_string_builder_add(traceback, ct_string_builder_text(&s->lua.error_traceback));
    ct_string_builder_free(&written);
    // A tool may send many between two frames.
    s->lua.num_temporaries =
        num_temporaries < s->lua.num_temporaries ? num_temporaries : s->lua.num_temporaries;
    return is_done;
}
