// Runs expressions and statements in frames.
//
// They run on the debugger's coroutine. Names are looked up by the metatable of their environment: locals
// of the frame, upvalues, then the environment of the frame's function. LuaJIT calls no hooks inside a
// hook; its flag for that is cleared meanwhile, so that what never returns is interrupted.
#include "lua/debugger/lua_debugger.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "lua/debugger/lua_debugger_private.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_watch.h"

enum {
    HOOK_ACTIVE = 0x10, // in LuaJIT's mask of hooks: one runs
    MAX_VARARGS = 250,
    MAX_TEXTS = 512, // compiled ones that are kept
    TEMPORARIES_KEPT = 1 << 16,
    MAX_SHOWN = 4096, // values with parts that are kept while the machine does not stop
};

static const double CONDITION_SECONDS = 2;

// --- Names ---------------------------------------------------------------------------------------

// Finds the innermost active local with this name; 0 when the frame has no such local.
static int find_local(lua_State *coroutine, const lua_Debug *at, const char *name) {
    int found = 0;
    const char *local;
    for (int i = 1; (local = lua_getlocal(coroutine, at, i)); ++i) {
        lua_pop(coroutine, 1);
        found = strcmp(local, name) == 0 ? i : found;
    }
    return found;
}

// Finds an upvalue of the function on top of `coroutine`; 0 when it has no such upvalue.
static int find_upvalue(lua_State *coroutine, const char *name) {
    const char *upvalue;
    for (int i = 1; (upvalue = lua_getupvalue(coroutine, -1, i)); ++i) {
        lua_pop(coroutine, 1);
        if (upvalue[0] && strcmp(upvalue, name) == 0)
            return i;
    }
    return 0;
}

bool ct_debugger_push_variable(lua_State *L, lua_State *coroutine, int level, const char *name) {
    lua_Debug at;
    if (!lua_getstack(coroutine, level, &at))
        return false;
    const int local = name[0] == '(' ? 0 : find_local(coroutine, &at, name);
    if (local) {
        lua_getlocal(coroutine, &at, local);
        lua_xmove(coroutine, L, 1);
        return true;
    }
    lua_getinfo(coroutine, "f", &at);
    const int upvalue = find_upvalue(coroutine, name);
    if (upvalue) {
        lua_getupvalue(coroutine, -1, upvalue);
        lua_xmove(coroutine, L, 1);
    }
    lua_pop(coroutine, 1);
    return upvalue != 0;
}

bool ct_debugger_set_variable(ct_lua_debugger *d, lua_State *L, lua_State *coroutine, int level,
                              const char *name) {
    lua_Debug at;
    if (!lua_getstack(coroutine, level, &at)) {
        lua_pop(L, 1);
        return false;
    }
    const int local = name[0] == '(' ? 0 : find_local(coroutine, &at, name);
    if (local) {
        lua_xmove(L, coroutine, 1);
        lua_setlocal(coroutine, &at, local);
        return true;
    }
    lua_getinfo(coroutine, "f", &at);
    const int upvalue = find_upvalue(coroutine, name);
    if (upvalue) {
        lua_xmove(L, coroutine, 1);
        lua_setupvalue(coroutine, -2, upvalue);
        ct_debugger_flush(d); // compiled code has upvalues that seem constant as constants
    } else {
        lua_pop(L, 1);
    }
    lua_pop(coroutine, 1);
    return upvalue != 0;
}

// Pushes the environment of the frame's function, or the globals.
static void push_outer_environment(lua_State *L, const ct_debugger_evaluation *e) {
    lua_Debug at;
    if (!e || !e->coroutine || !lua_getstack(e->coroutine, e->level, &at)) {
        lua_pushvalue(L, LUA_GLOBALSINDEX);
        return;
    }
    lua_getinfo(e->coroutine, "f", &at);
    lua_xmove(e->coroutine, L, 1);
    lua_getfenv(L, -1);
    lua_remove(L, -2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, ct_lua_of(L)->debugger->environment);
    const bool is_own = lua_rawequal(L, -1, -2); // a function that an evaluation made
    lua_pop(L, 1);
    if (is_own) {
        lua_pop(L, 1);
        lua_pushvalue(L, LUA_GLOBALSINDEX);
    }
}

// What is evaluated now; NULL for functions that an evaluation made and the game calls.
static const ct_debugger_evaluation *evaluation_of(lua_State *L) {
    const ct_lua_debugger *const d = ct_lua_of(L)->debugger;
    return d && d->is_evaluating && d->evaluation.coroutine ? &d->evaluation : NULL;
}

static int index_environment(lua_State *L) {
    const ct_debugger_evaluation *const e = evaluation_of(L);
    lua_settop(L, 2);
    if (e && lua_type(L, 2) == LUA_TSTRING &&
        ct_debugger_push_variable(L, e->coroutine, e->level, ct_lua_name_at(L, 2)))
        return 1;
    push_outer_environment(L, e);
    lua_pushvalue(L, 2);
    lua_gettable(L, -2);
    return 1;
}

static int set_in_environment(lua_State *L) {
    const ct_debugger_evaluation *const e = evaluation_of(L);
    lua_settop(L, 3);
    if (e && lua_type(L, 2) == LUA_TSTRING) {
        lua_pushvalue(L, 3);
        if (ct_debugger_set_variable(ct_lua_of(L)->debugger, L, e->coroutine, e->level,
                                     ct_lua_name_at(L, 2)))
            return 0;
    }
    push_outer_environment(L, e);
    lua_replace(L, 1);
    lua_settable(L, 1);
    return 0;
}

void ct_debugger_open_environment(lua_State *L, ct_lua_debugger *d) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushcfunction(L, index_environment);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, set_in_environment);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    d->environment = luaL_ref(L, LUA_REGISTRYINDEX);
}

// --- Compiling -----------------------------------------------------------------------------------

// Returns whether a message says that Lua did not expect the end of the text.
static bool is_at_end(const char *message) {
    static const char end[] = "'<eof>'";
    const size_t length = strlen(message);
    return length >= sizeof(end) - 1 && strcmp(message + length - (sizeof(end) - 1), end) == 0;
}

static void compile(lua_State *L, const ct_lua_debugger *d, const char *text) {
    lua_pushfstring(L, "return %s\n", text);
    size_t length;
    const char *const expression = lua_tolstring(L, -1, &length);
    if (luaL_loadbufferx(L, expression, length, "=debugger", "t") != 0) {
        if (is_at_end(lua_tostring(L, -1)))
            lua_error(L);
        lua_pop(L, 1);
        if (luaL_loadbufferx(L, text, strlen(text), "=debugger", "t") != 0)
            lua_error(L);
    }
    lua_remove(L, -2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->environment);
    lua_setfenv(L, -2);
}

static void forget_texts(lua_State *L, ct_lua_debugger *d) {
    luaL_unref(L, LUA_REGISTRYINDEX, d->texts);
    lua_newtable(L);
    d->texts = luaL_ref(L, LUA_REGISTRYINDEX);
    d->num_texts = 0;
}

void ct_debugger_push_text(lua_State *L, ct_lua_debugger *d, const char *text) {
    luaL_checkstack(L, 8, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->texts);
    lua_getfield(L, -1, text);
    lua_remove(L, -2);
    if (lua_isfunction(L, -1))
        return;
    lua_pop(L, 1);
    compile(L, d, text);
    if (d->num_texts++ >= MAX_TEXTS)
        forget_texts(L, d);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->texts);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, text);
    lua_pop(L, 1);
}

// --- Calling -------------------------------------------------------------------------------------

// What an evaluation changes of the machine, and puts back.
typedef struct machine_state {
    uint32_t interrupts;
    struct ct_lua_watch *watch;
    uint64_t error_bytes;
    bool is_console_call, is_hook_active;
    uint32_t context_depth, num_profiler_scopes, first_profiler_scope;
    ct_debugger_evaluation evaluation;
} machine_state;

static machine_state begin(ct_lua_debugger *d, double seconds) {
    ct_lua *const m = d->machine;
    const machine_state before = {
        .interrupts = m->interrupts,
        .watch = m->watch,
        .error_bytes = m->memory.error_bytes,
        .is_console_call = m->memory.is_console_call,
        .is_hook_active = d->hook_mask && *d->hook_mask & HOOK_ACTIVE,
        .context_depth = ct_error_context_depth(),
        .num_profiler_scopes = m->num_profiler_scopes,
        .first_profiler_scope = m->first_profiler_scope,
        .evaluation = d->evaluation,
    };
    d->is_evaluating = true;
    m->interrupts = 0;
    ++m->call_depth; // what it calls is not from outside of all others: only its own watch looks at it
    m->first_profiler_scope = m->num_profiler_scopes;
    m->memory.is_console_call = true;
    ct_lua_begin_memory(m);
    m->watch = d->watch;
    ct_lua_watch_follow(d->watch);
    ct_lua_watch_set_limit(d->watch, (uint64_t)(seconds * 1e9), "of the debugger");
    if (d->hook_mask)
        ct_debugger_clear_mask(d, HOOK_ACTIVE);
    m->debugger_events = 0;
    ct_lua_update_hook(m);
    ct_lua_watch_begin(d->watch);
    return before;
}

static void end(ct_lua_debugger *d, const machine_state *before) {
    ct_lua *const m = d->machine;
    ct_lua_watch_end(d->watch);
    ct_lua_end_interrupt(m, CT_LUA_INTERRUPT_MEMORY);
    while (m->num_profiler_scopes > before->num_profiler_scopes)
        ct_lua_leave_profiler_scope(m);
    m->first_profiler_scope = before->first_profiler_scope;
    ct_error_context_restore(&before->context_depth);
    --m->call_depth;
    m->watch = before->watch;
    m->memory.is_console_call = before->is_console_call;
    m->memory.error_bytes = before->error_bytes;
    m->interrupts |= before->interrupts;
    if (d->has_missed_question)
        m->interrupts |= CT_LUA_INTERRUPT_ASK;
    d->has_missed_question = d->is_evaluating = false;
    d->evaluation = before->evaluation;
    if (before->is_hook_active)
        ct_debugger_set_mask(d, HOOK_ACTIVE);
    ct_lua_update_hook(m); // there may be interrupts, which the events do not know
    ct_debugger_update_events(d);
    if (m->memory.is_collector_stopped)
        lua_gc(d->work, LUA_GCRESTART, 0);
    m->memory.is_collector_stopped = false;
}

// Pushes the varargs of a frame; returns how many they are.
static int push_varargs(lua_State *L, lua_State *coroutine, int level) {
    lua_Debug at;
    int count = 0;
    if (!coroutine || !lua_getstack(coroutine, level, &at))
        return 0;
    luaL_checkstack(L, MAX_VARARGS + 8, NULL);
    while (count < MAX_VARARGS && lua_getlocal(coroutine, &at, -count - 1)) {
        lua_xmove(coroutine, L, 1);
        ++count;
    }
    return count;
}

int ct_debugger_call(lua_State *L, ct_lua_debugger *d, lua_State *coroutine, int level,
                     double seconds) {
    const int num_arguments = push_varargs(L, coroutine, level);
    const machine_state before = begin(d, seconds);
    d->evaluation = (ct_debugger_evaluation){coroutine, level};
    const int status = lua_pcall(L, num_arguments, LUA_MULTRET, 0);
    end(d, &before);
    return status;
}

// --- Conditions and logs -------------------------------------------------------------------------

typedef struct condition {
    lua_State *coroutine;
    const char *text;
    bool is_true;
} condition;

// Appends the error on top.
static void append_error(lua_State *L, ct_lua_debugger *d, const char *of) {
    char text[CT_LUA_DEBUGGER_TEXT_BYTES];
    if (lua_type(L, -1) == LUA_TSTRING) {
        ct_string_builder_addf(&d->text, "%s%s: %s", d->text.length ? "\n" : "", of,
                               lua_tostring(L, -1));
        return;
    }
    ct_debugger_write_value(L, d, lua_gettop(L), text, sizeof(text));
    ct_string_builder_addf(&d->text, "%s%s: %s", d->text.length ? "\n" : "", of, text);
}

static int evaluate_condition(lua_State *L) {
    condition *const c = ct_debugger_data(L);
    ct_lua_debugger *const d = ct_lua_of(L)->debugger;
    lua_settop(L, 0);
    ct_debugger_push_text(L, d, c->text);
    const int status = ct_debugger_call(L, d, c->coroutine, 0, CONDITION_SECONDS);
    if (status != 0)
        append_error(L, d, c->text);
    c->is_true = status != 0 || (lua_gettop(L) > 0 && lua_toboolean(L, 1));
    return 0;
}

bool ct_debugger_condition(ct_lua_debugger *d, lua_State *L, const char *text) {
    const uint32_t num_temporaries = d->machine->num_temporaries;
    condition c = {.coroutine = L, .text = text, .is_true = true};
    ct_error error = {0};
    if (!ct_debugger_run(d, evaluate_condition, &c, &error))
        ct_string_builder_addf(&d->text, "%s: %s", text, error.message);
    if (d->machine->num_temporaries > num_temporaries)
        d->machine->num_temporaries = num_temporaries;
    return c.is_true;
}

// Finds the next `{expression}` of a log: its first character, or NULL; and its end.
static const char *find_expression(const char *log, const char **end) {
    const char *const start = strchr(log, '{');
    if (!start)
        return NULL;
    int depth = 1;
    for (*end = start + 1; **end; ++*end) {
        depth += **end == '{' ? 1 : **end == '}' ? -1 : 0;
        if (depth == 0)
            return start + 1;
    }
    return NULL;
}

void ct_debugger_check_log(lua_State *L, ct_lua_debugger *d, const char *log) {
    const char *end, *expression;
    for (; (expression = find_expression(log, &end)); log = end + 1) {
        lua_settop(L, 0);
        lua_pushlstring(L, expression, (size_t)(end - expression));
        ct_debugger_push_text(L, d, lua_tostring(L, 1));
    }
}

typedef struct log_expression {
    lua_State *coroutine;
    const char *text;
    size_t bytes;
    ct_string_builder *out;
    bool took_too_long;
} log_expression;

static int evaluate_log(lua_State *L) {
    log_expression *const e = ct_debugger_data(L);
    ct_lua_debugger *const d = ct_lua_of(L)->debugger;
    char text[CT_LUA_DEBUGGER_TEXT_BYTES];
    lua_settop(L, 0);
    lua_pushlstring(L, e->text, e->bytes);
    ct_debugger_push_text(L, d, lua_tostring(L, 1));
    const uint64_t start = ct_os_time_ns();
    const int status = ct_debugger_call(L, d, e->coroutine, 0, CONDITION_SECONDS);
    const int first = status == 0 ? 2 : lua_gettop(L);
    e->took_too_long = status != 0 && (double)(ct_os_time_ns() - start) >= CONDITION_SECONDS * 1e9;
    if (e->took_too_long)
        append_error(L, d, "a log");
    if (lua_type(L, first) == LUA_TSTRING) {
        size_t length;
        const char *const string = lua_tolstring(L, first, &length);
        ct_string_builder_add_bytes(e->out, string, (uint32_t)length);
        return 0;
    }
    lua_settop(L, first);
    ct_debugger_write_value(L, d, first, text, sizeof(text));
    ct_string_builder_add(e->out, text);
    return 0;
}

bool ct_debugger_log(ct_lua_debugger *d, lua_State *L, const char *log, ct_string_builder *out) {
    bool took_too_long = false;
    const uint32_t num_temporaries = d->machine->num_temporaries;
    const char *end, *expression;
    for (; (expression = find_expression(log, &end)); log = end + 1) {
        ct_string_builder_add_bytes(out, log, (uint32_t)(expression - 1 - log));
        log_expression e = {L, expression, (size_t)(end - expression), out, false};
        ct_error error = {0};
        if (!ct_debugger_run(d, evaluate_log, &e, &error))
            ct_string_builder_add(out, error.message);
        took_too_long |= e.took_too_long;
    }
    ct_string_builder_add(out, log);
    if (d->machine->num_temporaries > num_temporaries)
        d->machine->num_temporaries = num_temporaries;
    return !took_too_long;
}

// --- Evaluation ----------------------------------------------------------------------------------

typedef struct text_evaluation {
    const ct_debugger_frame *frame; // NULL: the globals only
    const char *text;
    double seconds;
    ct_lua_debugger_value *result;
} text_evaluation;

// Writes the results from `first` to the top as one text.
static void write_results(lua_State *L, ct_lua_debugger *d, int first,
                          ct_lua_debugger_value *result) {
    char text[CT_LUA_DEBUGGER_TEXT_BYTES];
    const int last = lua_gettop(L);
    ct_debugger_show_value(L, d, first, result);
    size_t length = strlen(result->text);
    for (int i = first + 1; i <= last; ++i) {
        ct_debugger_write_value(L, d, i, text, sizeof(text));
        const size_t more = strlen(text);
        if (length + more + 3 > sizeof(result->text))
            break;
        memcpy(result->text + length, ", ", 2);
        memcpy(result->text + length + 2, text, more + 1);
        length += more + 2;
    }
}

static void raise_evaluation_error(lua_State *L, ct_lua_debugger *d) {
    char text[CT_LUA_DEBUGGER_TEXT_BYTES];
    if (lua_type(L, -1) != LUA_TSTRING) {
        ct_debugger_write_value(L, d, lua_gettop(L), text, sizeof(text));
        lua_pushfstring(L, "(an error value: %s)", text);
    }
    lua_error(L);
}

static int evaluate(lua_State *L) {
    const text_evaluation *const e = ct_debugger_data(L);
    ct_lua_debugger *const d = ct_lua_of(L)->debugger;
    lua_settop(L, 0);
    ct_debugger_push_text(L, d, e->text);
    const int status = ct_debugger_call(L, d, e->frame ? e->frame->coroutine : NULL,
                                        e->frame ? e->frame->level : 0, e->seconds);
    if (status != 0)
        raise_evaluation_error(L, d);
    luaL_checkstack(L, 20, NULL);
    if (lua_gettop(L) == 0)
        *e->result = (ct_lua_debugger_value){.type = "nil"};
    else
        write_results(L, d, 1, e->result);
    return 0;
}

static double seconds_of(double seconds) {
    if (!(seconds > 0.01))
        return 0.01;
    return seconds < CT_LUA_DEBUGGER_MAX_SECONDS ? seconds : CT_LUA_DEBUGGER_MAX_SECONDS;
}

// Looks for the frame of a number; 0 means no frame. Returns false with `error` when it does not exist.
static bool find_frame(const ct_lua_debugger *d, uint32_t frame, const ct_debugger_frame **found,
                       ct_error *error) {
    *found = frame ? ct_debugger_frame_of(d, frame) : NULL;
    if (frame && !*found)
        return ct_error_set(error, "there is no frame %u: the game has gone on since", frame);
    return true;
}

bool ct_lua_debugger_evaluate(ct_lua_debugger *d, uint32_t frame, const char *text, double seconds,
                              ct_lua_debugger_value *result, ct_error *error) {
    const ct_debugger_frame *found;
    if (!find_frame(d, frame, &found, error))
        return false;
    ct_debugger_frame copy = found ? *found : (ct_debugger_frame){0};
    if (!d->is_stopped && d->shown_values.count >= MAX_SHOWN)
        ct_debugger_forget_values(d);
    const uint32_t num_temporaries = d->machine->num_temporaries;
    text_evaluation e = {found ? &copy : NULL, text, seconds_of(seconds), result};
    d->has_evaluated = true;
    const bool has_run = ct_debugger_run(d, evaluate, &e, error);
    if (d->machine->num_temporaries > num_temporaries + TEMPORARIES_KEPT)
        d->machine->num_temporaries = num_temporaries;
    return has_run;
}
