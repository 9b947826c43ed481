#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/profiler/profiler.h"
#include "foundation/string/utf8.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_machine.h"
#include "lua/lua_watch.h"

#include <stdio.h>
#include <string.h>

enum { REPEATED_BYTES = 4096 };

// An error in update occurs again every frame. The first is logged; the same error in the following
// frames is counted, and the count is logged once the error stops.

// Leaves out engine functions that Lua did not call by a name: they would show as addresses, which
// are of no use to the reader.
static void append_traceback(lua_State *L, lua_State *of, int level, ct_string_builder *out) {
    luaL_traceback(L, of, NULL, level);
    const char *line = lua_tostring(L, -1);
    while (*line) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "\t[C]: at 0x", 11) != 0) {
            ct_string_builder_add(out, out->length ? "\n" : "");
            ct_string_builder_add_bytes(out, line, (uint32_t)length);
        }
        line += length + (line[length] == '\n');
    }
    lua_pop(L, 1);
}

void ct_lua_append_traceback(lua_State *L, int level, ct_string_builder *out) {
    append_traceback(L, L, level, out);
}

void ct_lua_append_traceback_of(lua_State *L, lua_State *coroutine, ct_string_builder *out) {
    append_traceback(L, coroutine, 0, out);
}

ct_lua_place ct_lua_find_place(lua_State *L, int level) {
    ct_lua_place place = {.line = 0};
    lua_Debug at;
    for (; lua_getstack(L, level, &at); ++level) {
        if (!lua_getinfo(L, "Sl", &at) || at.currentline <= 0)
            continue;
        snprintf(place.script, sizeof(place.script), "%s",
                 at.source[0] == '@' ? at.source + 1 : at.short_src);
        place.line = (uint32_t)at.currentline;
        break;
    }
    return place;
}

// Puts in the place of an error's value, a table say, what its `__tostring` makes of it, or why it
// makes nothing: that may raise an error, too.
static void describe_value(lua_State *L) {
    const char *const type = ct_value_type_name(L, 1);
    if (!luaL_getmetafield(L, 1, "__tostring")) {
        lua_pushfstring(L, "(an error value of type %s)", type);
        lua_replace(L, 1);
        return;
    }
    lua_pushvalue(L, 1);
    const bool has_failed = lua_pcall(L, 1, 1, 0) != 0;
    const bool is_text = lua_type(L, -1) == LUA_TSTRING;
    if (has_failed || !is_text) {
        lua_pushfstring(L, "(an error value of type %s, whose __tostring %s", type,
                        has_failed ? "failed: " : "gave ");
        if (is_text)
            lua_pushvalue(L, -2);
        else
            lua_pushstring(L, ct_value_type_name(L, -2));
        lua_pushliteral(L, ")");
        lua_concat(L, 3);
    }
    lua_replace(L, 1);
}

// Runs on top of the function that failed, where the traceback is.
static int keep_traceback(lua_State *L) {
    ct_lua *const s = ct_lua_of(L);
    ct_lua_debugger_on_error(s->debugger, L, false);
    ct_string_builder_clear(&s->error_traceback); // calls inside of this one have left theirs
    s->error_place = ct_lua_find_place(L, 1);
    const char *const where = ct_lua_watch_traceback(s->watch);
    if (where)
        ct_string_builder_add(&s->error_traceback, where);
    else
        ct_lua_append_traceback(L, 1, &s->error_traceback);
    return 1;
}

// Replaces an error's value by its text.
static int make_text(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING && lua_type(L, 1) != LUA_TNUMBER)
        describe_value(L);
    lua_tostring(L, 1);
    lua_settop(L, 1);
    return 1;
}

static int run(lua_State *L) {
    return ct_lua_of(L)->run(L);
}

void ct_lua_open_calls(ct_lua *s) {
    lua_pushcfunction(s->lua, keep_traceback);
    s->traceback_function = luaL_ref(s->lua, LUA_REGISTRYINDEX);
    lua_pushcfunction(s->lua, run);
    s->run_function = luaL_ref(s->lua, LUA_REGISTRYINDEX);
    lua_pushcfunction(s->lua, make_text);
    s->error_text_function = luaL_ref(s->lua, LUA_REGISTRYINDEX);
}

void *ct_lua_run_data(lua_State *L) {
    return ct_lua_of(L)->run_data;
}

void ct_lua_leave_profiler_scope(ct_lua *s) {
    ct_profiler_leave(s->profiler_scopes[--s->num_profiler_scopes]);
}

// Ends what a call left open, which an error may do.
static void leave_profiler_scopes(ct_lua *s, bool has_failed) {
    if (s->num_profiler_scopes > s->first_profiler_scope && !has_failed)
        ct_log_warning("lua", "open_profiler_scope",
                       "a Profiler.start has no Profiler.stop: its scope ends with the callback");
    while (s->num_profiler_scopes > s->first_profiler_scope)
        ct_lua_leave_profiler_scope(s);
}

// The call is the engine's own, not one inside of another.
static void begin_outer_call(ct_lua *s) {
    if (s->call_depth++ > 0)
        return;
    ct_lua_begin_memory(s);
    ct_lua_watch_begin(s->watch);
}

static void end_outer_call(ct_lua *s) {
    if (--s->call_depth > 0)
        return;
    ct_lua_watch_end(s->watch);
    ct_lua_debugger_on_call_end(s->debugger);
}

// Makes the error's value on top a text. That runs `__tostring` of what scripts raise, which may do
// anything, so not in the handler: there every error is one in error handling.
static void make_error_text(lua_State *L, ct_lua *s) {
    if (lua_type(L, -1) == LUA_TSTRING)
        return;
    const ct_lua_place place = s->error_place;
    const ct_string_builder traceback = s->error_traceback;
    ct_string_builder_init(&s->error_traceback, s->allocator);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->error_text_function);
    lua_insert(L, -2);
    lua_pcall(L, 1, 1, 0); // without memory what it gives is no text either
    ct_string_builder_free(&s->error_traceback);
    s->error_traceback = traceback;
    s->error_place = place;
}

// Keeps the error on the stack, and takes it off. Calls inside of this one may have left theirs.
static void keep_error(lua_State *L, ct_lua *s, int status) {
    size_t bytes = 0;
    const char *const message =
        lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &bytes) : NULL;
    ct_string_builder_clear(&s->error_message);
    if (status != LUA_ERRRUN) { // nobody kept a traceback
        ct_string_builder_clear(&s->error_traceback);
        s->error_place.line = 0;
    }
    if (status == LUA_ERRMEM)
        ct_lua_describe_refusal(s, &s->error_message);
    else if (message)
        ct_string_builder_add_bytes(&s->error_message, message, (uint32_t)bytes);
    else
        ct_string_builder_add(&s->error_message, "(an error without a message)");
    lua_pop(L, 1);
}

int ct_lua_call_in(lua_State *L, int num_arguments, int num_results) {
    ct_lua *const s = ct_lua_of(L);
    const uint32_t depth = ct_error_context_depth();
    const uint32_t num_temporaries = s->num_temporaries;
    const int handler = lua_gettop(L) - num_arguments;
    ct_string_builder_clear(&s->error_message);
    ct_string_builder_clear(&s->error_traceback);
    s->error_place.line = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->traceback_function);
    lua_insert(L, handler);
    const uint32_t first_profiler_scope = s->first_profiler_scope;
    s->first_profiler_scope = s->num_profiler_scopes;
    begin_outer_call(s);
    const int status = lua_pcall(L, num_arguments, num_results, handler);
    lua_remove(L, handler);
    if (status != 0)
        make_error_text(L, s);
    end_outer_call(s);
    leave_profiler_scopes(s, status != 0);
    s->first_profiler_scope = first_profiler_scope;
    if (status != 0)
        keep_error(L, s, status);
    if (s->call_depth == 0)
        ct_lua_end_memory(s);
    if (status == 0)
        return 0;
    ct_error_context_restore(&depth);
    s->num_temporaries =
        s->num_temporaries < num_temporaries ? s->num_temporaries : num_temporaries;
    return status;
}

bool ct_lua_call(ct_lua *s, int num_arguments, int num_results) {
    return ct_lua_call_in(s->lua, num_arguments, num_results) == 0;
}

bool ct_lua_run(ct_lua *s, lua_CFunction function, void *data) {
    const lua_CFunction outer = s->run;
    void *const outer_data = s->run_data;
    s->run = function;
    s->run_data = data;
    lua_rawgeti(s->lua, LUA_REGISTRYINDEX, s->run_function);
    const bool has_run = ct_lua_call(s, 0, 0);
    s->run = outer;
    s->run_data = outer_data;
    return has_run;
}

static uint64_t hash_of_error(const ct_lua *s) {
    const uint64_t message =
        ct_string_id64_of_bytes(ct_string_builder_text(&s->error_message), s->error_message.length)
            .value;
    const uint64_t trace = ct_string_id64_of(ct_string_builder_text(&s->error_traceback)).value;
    return (message ^ trace * 0x9e3779b97f4a7c15ull) | 1;
}

static void settle(ct_lua *s, ct_lua_recent_error *e) {
    if (e->repeats)
        ct_log_error("lua", "error_repeated", "repeated %u times: %s", e->repeats, e->message);
    ct_free(s->allocator, e->message);
    *e = (ct_lua_recent_error){0};
}

// A free entry; the one that came longest ago makes room.
static ct_lua_recent_error *take_entry(ct_lua *s) {
    ct_lua_recent_error *oldest = &s->recent_errors[0];
    for (uint32_t i = 0; i < CT_MAX_RECENT_ERRORS; ++i) {
        ct_lua_recent_error *const e = &s->recent_errors[i];
        if (!e->hash)
            return e;
        oldest = e->last_frame < oldest->last_frame ? e : oldest;
    }
    settle(s, oldest);
    return oldest;
}

// What is shown of the message when it came again.
static char *copy_printable(const ct_lua *s) {
    char shown[REPEATED_BYTES];
    ct_utf8_write_printable_lines(shown, sizeof(shown), ct_string_builder_text(&s->error_message),
                                  s->error_message.length);
    return ct_copy_string(s->allocator, shown);
}

static void send_error(const ct_lua *s) {
    const char *const traceback = ct_string_builder_text(&s->error_traceback);
    ct_string_builder text;
    ct_string_builder_init(&text, s->allocator);
    ct_string_builder_add_bytes(&text, ct_string_builder_text(&s->error_message),
                                s->error_message.length);
    ct_string_builder_addf(&text, "%s%s", traceback[0] ? "\n" : "", traceback);
    const ct_log_place place = {s->error_place.script, s->error_place.line,
                                traceback[0] ? traceback : NULL};
    ct_log_message_from(CT_LOG_LEVEL_ERROR, "lua", ct_string_builder_text(&text), text.length,
                        s->error_place.line > 0 ? &place : NULL);
    ct_string_builder_free(&text);
}

void ct_lua_error_init(ct_lua_error *e, ct_allocator *a) {
    ct_string_builder_init(&e->message, a);
    ct_string_builder_init(&e->traceback, a);
    e->place.line = 0;
}

void ct_lua_error_free(ct_lua_error *e) {
    ct_string_builder_free(&e->message);
    ct_string_builder_free(&e->traceback);
}

void ct_lua_exchange_error(ct_lua *s, ct_lua_error *e) {
    const ct_lua_error last = {s->error_message, s->error_traceback, s->error_place};
    s->error_message = e->message;
    s->error_traceback = e->traceback;
    s->error_place = e->place;
    *e = last;
}

void ct_lua_log_error(ct_lua *s) {
    // Calls that are stopped come seldom, and each is one that the game waited for.
    if (s->interrupts & CT_LUA_INTERRUPT_TIME) {
        send_error(s);
        return;
    }
    const uint64_t hash = hash_of_error(s);
    for (uint32_t i = 0; i < CT_MAX_RECENT_ERRORS; ++i) {
        ct_lua_recent_error *const e = &s->recent_errors[i];
        if (e->hash != hash)
            continue;
        e->last_frame = s->frame_count;
        ++e->repeats;
        return;
    }
    ct_lua_recent_error *const e = take_entry(s);
    e->hash = hash;
    e->last_frame = s->frame_count;
    e->message = copy_printable(s);
    send_error(s);
}

void ct_lua_settle_errors(ct_lua *s) {
    for (uint32_t i = 0; i < CT_MAX_RECENT_ERRORS; ++i) {
        ct_lua_recent_error *const e = &s->recent_errors[i];
        if (e->hash && e->last_frame + 1 < s->frame_count)
            settle(s, e);
    }
}

void ct_lua_forget_errors(ct_lua *s) {
    for (uint32_t i = 0; i < CT_MAX_RECENT_ERRORS; ++i) {
        if (s->recent_errors[i].hash)
            settle(s, &s->recent_errors[i]);
    }
}
