#include <string.h>

#include "foundation/error.h"
#include "foundation/profiler/profiler.h"
#include "lua/lua_chunks.h"
#include "lua/lua_guards.h"
#include "lua/lua_interrupt.h"
#include "script/behaviour/script_behaviour_private.h"

// A protected call costs more than many a function of a behaviour, so there is one for all
// instances: the loop notes the place in hand where it is found after an error, the instance there
// is disabled, and another call goes on behind it.

enum { MAX_KINDS = 8 }; // of errors that one call tells

// --- Looking up ----------------------------------------------------------------------------------

// Replaces the key on top by its value in the table at `table`, or in the tables that are __index
// one of the other. Returns false, and changes nothing, when that is no table, or they have no end.
static bool get_from_tables(lua_State *L, int table) {
    enum { MOST_TABLES = 100 }; // as many as LuaJIT looks into
    const int key = lua_gettop(L);
    lua_pushvalue(L, table);
    for (uint32_t i = 0; i < MOST_TABLES && lua_istable(L, -1); ++i) {
        lua_pushvalue(L, key);
        lua_rawget(L, -2);
        if (!lua_isnil(L, -1) || !luaL_getmetafield(L, -2, "__index")) {
            lua_replace(L, key);
            lua_settop(L, key);
            return true;
        }
        lua_replace(L, -3);
        lua_pop(L, 1);
    }
    lua_settop(L, key);
    return false;
}

// Pushes the message of the last error.
static void push_message(lua_State *L, const ct_lua *m) {
    lua_pushlstring(L, ct_string_builder_text(&m->error_message), m->error_message.length);
}

static int get_by_functions(lua_State *L) {
    lua_gettable(L, 1);
    return 1;
}

// Replaces the key on top by its value in the table at `table`, which a script's __index may make;
// by nil, and logs it, when that fails. Raises the error when the call from outside is to end.
static void get(lua_State *L, const ct_behaviour_call *call, int table) {
    ct_script *const s = call->behaviours->script;
    if (get_from_tables(L, table))
        return;
    lua_pushcfunction(L, get_by_functions);
    lua_pushvalue(L, table);
    lua_pushvalue(L, -3);
    const int status = ct_lua_call_in(L, 2, 1);
    if (status == 0) {
        lua_replace(L, -2);
        return;
    }
    push_message(L, &s->lua);
    ct_string_builder_addf(&s->lua.error_message, "\nwhile looking up %s in the behaviour %s",
                           lua_tostring(L, -2), call->behaviour->name);
    ct_lua_log_error(&s->lua);
    if (status == LUA_ERRMEM || (s->lua.interrupts & CT_LUA_INTERRUPT_TIME))
        lua_error(L);
    lua_pop(L, 2);
    lua_pushnil(L);
}

// --- Functions and loops -------------------------------------------------------------------------

// `return function(f, selves, first, last, at, a1, a2) …`. Each behaviour has a copy of its own:
// LuaJIT compiles a loop once for its place in the text, with the function that it meets there.
static void push_loop_text(lua_State *L, const ct_behaviours *b, uint32_t num_arguments) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder text;
    ct_string_builder arguments;
    ct_string_builder_init(&text, b->allocator);
    ct_string_builder_init(&arguments, b->allocator);
    for (uint32_t i = 0; i < num_arguments; ++i)
        ct_string_builder_addf(&arguments, ", a%u", i + 1);
    const char *const more = num_arguments ? ct_string_builder_text(&arguments) : "";
    ct_string_builder_addf(&text,
                           "return function(f, selves, first, last, at%s) for i = first, last do "
                           "local self = selves[i] if self then at[1] = i f(self%s) end end end",
                           more, more);
    ct_string_builder_free(&arguments);
    lua_pushlstring(L, ct_string_builder_text(&text), text.length);
}

static void push_new_loop(lua_State *L, const ct_behaviours *b, const ct_behaviour *of,
                          const ct_behaviour_event *event) {
    push_loop_text(L, b, event->num_arguments);
    ct_behaviours_push(L, b, event->one);
    lua_pushfstring(L, "=(%s of %s)", lua_tostring(L, -1), of->name);
    size_t length;
    const char *const text = lua_tolstring(L, -3, &length);
    if (luaL_loadbufferx(L, text, length, lua_tostring(L, -1), "t") != 0)
        lua_error(L);
    lua_call(L, 0, 1);
    ct_lua_keep_loop(L);
    lua_insert(L, -4);
    lua_pop(L, 3);
}

static void push_loop(lua_State *L, const ct_behaviour_call *call) {
    ct_behaviour *const of = call->behaviour;
    if (of->loops.count <= call->event)
        ct_array_resize(&of->loops, call->behaviours->events.count);
    if (!of->loops.items[call->event]) {
        const ct_behaviour_event event = call->behaviours->events.items[call->event];
        push_new_loop(L, call->behaviours, of, &event);
        of->loops.items[call->event] = ct_behaviours_keep(L, call->behaviours);
    }
    ct_behaviours_push(L, call->behaviours, of->loops.items[call->event]);
}

// Pushes the behaviour's own loop, or the engine's and the function for one instance; returns how
// many they are. Pushes nothing when it has neither.
static int push_callee(lua_State *L, const ct_behaviour_call *call) {
    ct_behaviours *const b = call->behaviours;
    const ct_behaviour_event *const event = &b->events.items[call->event];
    const int one = event->one, all = event->all;
    ct_behaviours_push(L, b, call->behaviour->functions);
    const int functions = lua_gettop(L);
    ct_behaviours_push(L, b, all);
    get(L, call, functions);
    if (lua_isfunction(L, -1)) {
        lua_remove(L, functions);
        return 1;
    }
    ct_behaviours_push(L, b, one);
    get(L, call, functions);
    if (!lua_isfunction(L, -1)) {
        lua_settop(L, functions - 1);
        return 0;
    }
    push_loop(L, call);
    lua_replace(L, functions);
    lua_remove(L, functions + 1);
    return 2;
}

// --- Errors --------------------------------------------------------------------------------------

// Errors of one line of a script in one call: one message, of the first.
typedef struct error_kind {
    ct_lua_place place;
    uint32_t count;
    ct_string_builder message, traceback;
} error_kind;

typedef struct error_report {
    error_kind kinds[MAX_KINDS];
    uint32_t num_kinds;
    ct_script *script;
} error_report;

static void free_report(error_report *r) {
    for (uint32_t i = 0; i < r->num_kinds; ++i) {
        ct_string_builder_free(&r->kinds[i].message);
        ct_string_builder_free(&r->kinds[i].traceback);
    }
    r->num_kinds = 0;
}

// "of the unit "guard_1" (units/guard)"; instance 0 has ended.
static void add_owner(const ct_behaviours *b, uint32_t i, ct_string_builder *out) {
    if (i == 0) {
        ct_string_builder_add(out, " of a destroyed instance");
        return;
    }
    ct_world_system *const worlds = b->script->worlds;
    const ct_entity e = b->table.entity[i], unit = ct_world_unit_of(b->world, e);
    const char *const name = ct_debug_name(ct_world_system_debug_names(worlds), e);
    const ct_string_id64 resource = ct_world_unit_resource(b->world, unit);
    ct_string_builder_addf(out, " of the %s", ct_world_has_unit(b->world, e) ? "unit" : "entity");
    if (name && name[0])
        ct_string_builder_addf(out, " \"%s\"", name);
    else
        ct_string_builder_addf(out, " #%u", ct_entity_index(e));
    if (resource.value)
        ct_string_builder_addf(out, " (%s)", ct_string_id64_name(resource));
}

static const char *name_of_event(lua_State *L, const ct_behaviour_call *call, bool is_bulk) {
    const ct_behaviour_event *const event = &call->behaviours->events.items[call->event];
    ct_behaviours_push(L, call->behaviours, is_bulk ? event->all : event->one);
    const char *const name = lua_tostring(L, -1);
    lua_pop(L, 1); // the reference keeps it
    return name;
}

// Where an error is counted: with those of the same line, and with the last when there are too
// many.
static error_kind *find_kind(error_report *r, const ct_lua_place *place) {
    for (uint32_t i = 0; i < r->num_kinds; ++i) {
        const ct_lua_place *const known = &r->kinds[i].place;
        if (known->line == place->line && strcmp(known->script, place->script) == 0)
            return &r->kinds[i];
    }
    if (r->num_kinds == MAX_KINDS)
        return &r->kinds[MAX_KINDS - 1];
    error_kind *const kind = &r->kinds[r->num_kinds++];
    *kind = (error_kind){.place = *place};
    ct_string_builder_init(&kind->message, r->script->lua.allocator);
    ct_string_builder_init(&kind->traceback, r->script->lua.allocator);
    return kind;
}

// Counts the last error, which instance `i` made, or none that is known.
static void note(lua_State *L, const ct_behaviour_call *call, error_report *r, bool is_bulk,
                 bool is_known, uint32_t i) {
    const ct_script *const s = r->script;
    error_kind *const kind = find_kind(r, &s->lua.error_place);
    if (kind->count++ > 0)
        return;
    ct_string_builder_add_bytes(&kind->message, ct_string_builder_text(&s->lua.error_message),
                                s->lua.error_message.length);
    ct_string_builder_addf(&kind->message, "\nin %s of the behaviour %s",
                           name_of_event(L, call, is_bulk), call->behaviour->name);
    if (is_known)
        add_owner(call->behaviours, i, &kind->message);
    else
        ct_string_builder_add(&kind->message,
                              "; the instance is unknown (set at[1] = i to report it)");
    if (i != 0)
        ct_string_builder_add(&kind->message, ", disabled until a script is saved");
    ct_string_builder_add(&kind->traceback, ct_string_builder_text(&s->lua.error_traceback));
}

static void log_report(error_report *r) {
    ct_script *const s = r->script;
    for (uint32_t i = 0; i < r->num_kinds; ++i) {
        error_kind *const kind = &r->kinds[i];
        if (kind->count > 1)
            ct_string_builder_addf(&kind->message, "; and the same for %u more instance%s",
                                   kind->count - 1, kind->count > 2 ? "s" : "");
        ct_string_builder_clear(&s->lua.error_message);
        ct_string_builder_clear(&s->lua.error_traceback);
        ct_string_builder_add_bytes(&s->lua.error_message, ct_string_builder_text(&kind->message),
                                    kind->message.length);
        ct_string_builder_add(&s->lua.error_traceback, ct_string_builder_text(&kind->traceback));
        s->lua.error_place = kind->place;
        ct_lua_log_error(&s->lua);
    }
}

// --- Calls ---------------------------------------------------------------------------------------

// Calls what lies from `callee` on, with the places from `first` on. Returns Lua's status.
static int call_from(lua_State *L, const ct_behaviour_call *call, int callee, int num_callees,
                     uint32_t first, uint32_t last) {
    const ct_behaviours *const b = call->behaviours;
    const uint32_t num_arguments = b->events.items[call->event].num_arguments;
    ct_behaviour_set_place_in_hand(b, call->at, 0);
    for (int i = 0; i < num_callees; ++i)
        lua_pushvalue(L, callee + i);
    ct_behaviours_push(L, b, call->selves);
    lua_pushnumber(L, first);
    lua_pushnumber(L, last);
    ct_behaviours_push(L, b, call->at);
    for (uint32_t i = 0; i < num_arguments; ++i)
        lua_pushvalue(L, call->first_argument + (int)i);
    return ct_lua_call_in(L, num_callees + 3 + (int)num_arguments, 0);
}

// Deals with the error of a call. Returns the place to go on from, or 0: the error ends it.
static uint32_t take_error(lua_State *L, const ct_behaviour_call *call, error_report *r,
                           bool is_bulk, uint32_t first, uint32_t last) {
    const uint32_t place = ct_behaviour_place_in_hand(call->behaviours, call->at);
    const bool is_known = place >= first && place <= last;
    const uint32_t i = is_known && call->is_live ? call->behaviour->live.items[place - 1] : 0;
    note(L, call, r, is_bulk, is_known, i);
    if (i)
        ct_behaviour_fail(call->behaviours, i);
    return is_known ? place + 1 : 0;
}

// What a call leaves as it was, however it ends.
typedef struct call_scope {
    ct_behaviours *behaviours;
    bool is_profiled;
} call_scope;

static call_scope enter_call(const ct_behaviour_call *call) {
    ct_behaviour *const of = call->behaviour;
    if (ct_profiler_is_on() && !of->profiler_name)
        of->profiler_name = ct_profiler_name(of->name);
    const bool is_profiled = of->profiler_name && ct_profiler_enter(of->profiler_name);
    ++call->behaviours->depth;
    return (call_scope){call->behaviours, is_profiled};
}

static void leave_call(const call_scope *scope) {
    ct_profiler_leave(scope->is_profiled);
    --scope->behaviours->depth;
}

static void set_rest(const ct_behaviour_call *call, uint32_t place) {
    if (call->rest)
        *call->rest = place;
}

// Calls the functions from `callee` on with all places. Returns false when the call from outside
// must end: Lua may not go on, or has no memory for it, or the engine's loop did not reach the
// first instance to call.
static bool call_all(lua_State *L, const ct_behaviour_call *call, error_report *r, int num_callees,
                     uint32_t first, uint32_t last) {
    const int callee = lua_gettop(L) - num_callees + 1;
    while (first <= last) {
        set_rest(call, first);
        const int status = call_from(L, call, callee, num_callees, first, last);
        if (status == 0)
            break;
        const uint32_t next = take_error(L, call, r, num_callees == 1, first, last);
        const bool is_early = next == 0 && num_callees == 2 && call->rest;
        if (!is_early)
            first = next ? next : last + 1;
        if (is_early || status == LUA_ERRMEM ||
            (r->script->lua.interrupts & CT_LUA_INTERRUPT_TIME)) {
            set_rest(call, first);
            push_message(L, &r->script->lua);
            return false;
        }
    }
    set_rest(call, last + 1);
    return true;
}

void ct_behaviour_run(lua_State *L, const ct_behaviour_call *call, uint32_t first, uint32_t last) {
    if (first > last)
        return;
    ct_lua_check_c_stack(L);
    luaL_checkstack(L, 24 + CT_MAX_EVENT_ARGUMENTS, "too many calls of behaviours");
    const int top = lua_gettop(L);
    const int num_callees = push_callee(L, call); // may run a script, which may end instances
    if (num_callees == 0) {
        set_rest(call, last + 1);
        return;
    }
    ct_behaviours *const b = call->behaviours;
    if (call->is_live)
        ct_behaviour_mark_holes(b, call->behaviour);
    const uint32_t outer = b->depth ? ct_behaviour_place_in_hand(b, call->at) : 0;
    CT_CLEANUP(leave_call) const call_scope scope = enter_call(call);
    CT_CLEANUP(free_report) error_report report;
    report.num_kinds = 0; // the kinds are set as they come
    report.script = scope.behaviours->script;
    const bool may_go_on = call_all(L, call, &report, num_callees, first, last);
    ct_behaviour_set_place_in_hand(b, call->at, outer);
    log_report(&report);
    if (!may_go_on)
        lua_error(L);
    lua_settop(L, top);
}
