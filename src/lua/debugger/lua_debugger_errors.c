// Stops at errors.
//
// Errors that reach a call of the engine, or a script's xpcall, are seen by handlers of errors, on top of
// the function that failed. LuaJIT's pcall has none; so while all errors are to stop, other functions take
// its place, and that of functions that run coroutines. Scripts have functions of the engine around these
// (lua_guards.c), whose upvalues are exchanged: so it does not matter where a script keeps them.
#include "lua/debugger/lua_debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/debugger/lua_debugger_events.h"
#include "lua/debugger/lua_debugger_private.h"
#include "lua/lua_chunks.h"
#include "lua/lua_interrupt.h"

enum {
    POSITION_MASK = 0xffff, // of lua_Debug.i_ci
    MAX_POSITION = 60000,   // deeper, LuaJIT has no more room for what the debugger pushes
};

// Returns whether a function of a script is on the stack, which is not too deep.
static bool has_script(lua_State *L) {
    lua_Debug at;
    bool has_one = false;
    for (int level = 0; lua_getstack(L, level, &at); ++level) {
        if (level == 0 && (at.i_ci & POSITION_MASK) > MAX_POSITION)
            return false;
        has_one |= lua_getinfo(L, "S", &at) && at.source[0] == '@';
    }
    return has_one;
}

// Returns whether an error is the last one again: code that caught it has raised it from another place,
// with the place in front perhaps.
static bool is_raised_again(const ct_lua_debugger *d, const char *text, size_t bytes,
                            const ct_lua_place *place) {
    const uint32_t length = d->last_error.length;
    if (!d->has_last_error || bytes < length)
        return false;
    if (strcmp(place->script, d->last_error_place.script) == 0 &&
        place->line == d->last_error_place.line)
        return false;
    return memcmp(text + bytes - length, ct_string_builder_text(&d->last_error), length) == 0;
}

// The line of a coroutine's innermost function is lost when it fails: the message has it, in most cases.
static ct_lua_place find_place(lua_State *L, lua_State *failed, int level, const char *text) {
    lua_Debug at;
    if (failed == L || !lua_getstack(failed, level, &at) || !lua_getinfo(failed, "Sl", &at) ||
        at.currentline > 0 || at.source[0] != '@')
        return ct_lua_find_place(failed, level);
    ct_lua_place place = {.line = 0};
    snprintf(place.script, sizeof(place.script), "%s", at.source + 1);
    const size_t length = strlen(at.short_src);
    if (strncmp(text, at.short_src, length) == 0 && text[length] == ':')
        place.line = (uint32_t)strtoul(text + length + 1, NULL, 10);
    return place;
}

// The error is at `index` of `L`; the function that failed at `level` of `failed`.
static void stop_at_error(ct_lua_debugger *d, lua_State *L, int index, lua_State *failed,
                          int level) {
    char shown[96];
    size_t bytes;
    const char *text = shown;
    if (lua_type(L, index) == LUA_TSTRING) {
        text = lua_tolstring(L, index, &bytes);
    } else {
        snprintf(shown, sizeof(shown), "(an error value of type %s)", ct_value_type_name(L, index));
        bytes = strlen(shown);
    }
    const ct_lua_place place = find_place(L, failed, level, text);
    if (is_raised_again(d, text, bytes, &place))
        return;
    ct_string_builder_clear(&d->last_error);
    ct_string_builder_add_bytes(&d->last_error, text, (uint32_t)bytes);
    d->last_error_place = place;
    d->has_last_error = true;
    ct_debugger_stop(d, failed, CT_LUA_STOP_REASON_ERROR, level, &place,
                     ct_string_builder_text(&d->last_error));
}

static bool is_wanted(const ct_lua_debugger *d, bool is_caught) {
    return d && !d->is_stopped && !d->is_evaluating &&
           d->stop_on_errors != CT_LUA_STOP_ON_ERRORS_NEVER &&
           (!is_caught || d->stop_on_errors == CT_LUA_STOP_ON_ERRORS_ALL) &&
           !(d->machine->interrupts & CT_LUA_INTERRUPT_TIME); // it has stopped at the time limit
}

void ct_lua_debugger_on_error(ct_lua_debugger *d, lua_State *L, bool is_caught) {
    if (is_wanted(d, is_caught) && has_script(L))
        stop_at_error(d, L, 1, L, 1);
}

// --- Functions that catch errors -----------------------------------------------------------------

// What xpcall's handler gives: the error, for which it has stopped already.
static int keep_error(lua_State *L) {
    lua_settop(L, 1);
    return 1;
}

// Gets a coroutine and the results of coroutine.resume; stops when it failed.
static void look_at_results(lua_State *L) {
    lua_State *const coroutine = lua_tothread(L, 1);
    ct_lua_debugger *const d = ct_lua_of(L)->debugger;
    lua_Debug at;
    if (!lua_toboolean(L, 2) && coroutine && lua_status(coroutine) > LUA_YIELD &&
        lua_getstack(coroutine, 0, &at) && is_wanted(d, true) && has_script(coroutine))
        stop_at_error(d, L, 3, coroutine, 0);
}

static int give_results(lua_State *L) {
    look_at_results(L);
    return lua_gettop(L) - 1;
}

// Same, for what coroutine.wrap gives: raises the error.
static int give_or_raise(lua_State *L) {
    look_at_results(L);
    if (lua_toboolean(L, 2))
        return lua_gettop(L) - 2;
    if (lua_type(L, 3) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_pushvalue(L, 3);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

// Their arguments are what they call.
static const char catching[] = "local keep, give, give_or_raise, xpcall, resume, create = ...\n"
                               "return function(f, ...)\n"
                               "    return xpcall(f, keep, ...)\n"
                               "end, function(c, ...)\n"
                               "    return give(c, resume(c, ...))\n"
                               "end, function(f)\n"
                               "    local c = create(f)\n"
                               "    return function(...)\n"
                               "        return give_or_raise(c, resume(c, ...))\n"
                               "    end\n"
                               "end";

// The functions of CT_LUA_CATCHERS with an upvalue to exchange, in the order of what `catching` returns.
static const char *const caught_by[] = {"pcall", "resume", "wrap"};

enum { NUM_CATCHERS = CT_COUNT_OF(caught_by) };

// Finds the upvalue with this name of the function on top, and pushes it; returns its number, 0: it has
// no such upvalue, and nothing is pushed.
static int push_upvalue(lua_State *L, const char *name) {
    const char *found;
    for (int i = 1; (found = lua_getupvalue(L, -1, i)); ++i) {
        if (strcmp(found, name) == 0)
            return i;
        lua_pop(L, 1);
    }
    return 0;
}

// Puts the value at `index` in the place of the upvalue of catcher `i`, whose table is at `catchers`, and
// pushes what was there.
static void exchange(lua_State *L, int catchers, uint32_t i, int index) {
    lua_getfield(L, catchers, caught_by[i]);
    const int place = push_upvalue(L, caught_by[i]);
    if (place == 0) {
        lua_pushnil(L);
    } else {
        lua_pushvalue(L, index);
        lua_setupvalue(L, -3, place);
    }
    lua_remove(L, -2);
}

static int set_catchers(lua_State *L) {
    ct_lua_debugger *const d = ct_debugger_data(L);
    luaL_checkstack(L, 20, NULL);
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CATCHERS);
    if (luaL_loadbuffer(L, catching, sizeof(catching) - 1, "=[catch]") != 0)
        lua_error(L);
    lua_pushcfunction(L, keep_error);
    lua_pushcfunction(L, give_results);
    lua_pushcfunction(L, give_or_raise);
    lua_getfield(L, 1, "xpcall");
    lua_getfield(L, 1, "resume");
    push_upvalue(L, "resume"); // LuaJIT's own
    lua_remove(L, -2);
    lua_getfield(L, 1, "create");
    lua_call(L, 6, NUM_CATCHERS);
    lua_newtable(L);
    for (uint32_t i = 0; i < NUM_CATCHERS; ++i) {
        exchange(L, 1, i, (int)i + 2);
        lua_rawseti(L, NUM_CATCHERS + 2, (int)i + 1);
    }
    d->catchers = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static int restore_catchers(lua_State *L) {
    ct_lua_debugger *const d = ct_debugger_data(L);
    luaL_checkstack(L, 20, NULL);
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CATCHERS);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->catchers);
    for (uint32_t i = 0; i < NUM_CATCHERS; ++i) {
        lua_rawgeti(L, 2, (int)i + 1);
        exchange(L, 1, i, 3);
        lua_settop(L, 2);
    }
    luaL_unref(L, LUA_REGISTRYINDEX, d->catchers);
    d->catchers = LUA_NOREF;
    return 0;
}

void ct_lua_debugger_stop_on_errors(ct_lua_debugger *d, ct_lua_stop_on_errors which) {
    const bool catches = which == CT_LUA_STOP_ON_ERRORS_ALL;
    d->stop_on_errors = which;
    if (catches == (d->catchers != LUA_NOREF))
        return;
    ct_debugger_run(d, catches ? set_catchers : restore_catchers, d, NULL);
    ct_debugger_flush(d); // compiled code has the upvalues as constants
}
