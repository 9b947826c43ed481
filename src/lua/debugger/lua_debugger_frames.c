// Coroutines and their frames.
#include "lua/debugger/lua_debugger.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/debugger/lua_debugger_private.h"

// --- Coroutines ----------------------------------------------------------------------------------

typedef struct coroutine_search {
    ct_lua_debugger *debugger;
    lua_State *coroutine;
    uint32_t number;
    ct_lua_debugger_thread *threads;
    uint32_t count, max;
} coroutine_search;

static int number_coroutine(lua_State *L) {
    coroutine_search *const s = ct_debugger_data(L);
    ct_lua_debugger *const d = s->debugger;
    lua_settop(L, 0);
    lua_pushthread(s->coroutine);
    lua_xmove(s->coroutine, L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->numbers);
    lua_pushvalue(L, 1);
    lua_rawget(L, 2);
    if (!lua_isnil(L, -1)) {
        s->number = (uint32_t)lua_tointeger(L, -1);
        return 0;
    }
    s->number = ++d->num_coroutines;
    lua_pushvalue(L, 1);
    lua_pushinteger(L, (lua_Integer)s->number);
    lua_rawset(L, 2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->coroutines);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, (int)s->number);
    return 0;
}

uint32_t ct_lua_debugger_thread_of(ct_lua_debugger *d, lua_State *coroutine) {
    coroutine_search search = {.debugger = d, .coroutine = coroutine};
    ct_debugger_run(d, number_coroutine, &search, NULL);
    return search.number;
}

static int find_coroutine(lua_State *L) {
    coroutine_search *const s = ct_debugger_data(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->debugger->coroutines);
    lua_rawgeti(L, -1, (int)s->number);
    s->coroutine = lua_tothread(L, -1);
    return 0;
}

lua_State *ct_lua_debugger_coroutine(ct_lua_debugger *d, uint32_t thread) {
    coroutine_search search = {.debugger = d, .number = thread};
    ct_debugger_run(d, find_coroutine, &search, NULL);
    return search.coroutine;
}

static int list_coroutines(lua_State *L) {
    coroutine_search *const s = ct_debugger_data(L);
    const ct_lua_debugger *const d = s->debugger;
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->coroutines);
    for (uint32_t i = 1; i <= d->num_coroutines && s->count < s->max; ++i) {
        lua_rawgeti(L, -1, (int)i);
        lua_State *const coroutine = lua_tothread(L, -1);
        lua_pop(L, 1);
        if (coroutine)
            s->threads[s->count++] = (ct_lua_debugger_thread){
                i, coroutine, d->is_stopped && coroutine == d->stopped_coroutine};
    }
    return 0;
}

uint32_t ct_lua_debugger_threads(ct_lua_debugger *d, ct_lua_debugger_thread *threads,
                                 uint32_t max) {
    if (d->is_stopped)
        ct_lua_debugger_thread_of(d, d->stopped_coroutine);
    coroutine_search search = {.debugger = d, .threads = threads, .max = max};
    ct_debugger_run(d, list_coroutines, &search, NULL);
    return search.count;
}

// --- Names of functions --------------------------------------------------------------------------

// Adds the functions of the table at `index` to the names on top: `prefix` and the key.
static void add_names(lua_State *L, int index, const char *prefix) {
    const int names = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        if (lua_isfunction(L, -1) && lua_type(L, -2) == LUA_TSTRING) {
            lua_pushfstring(L, "%s%s", prefix, lua_tostring(L, -2));
            lua_rawset(L, names);
        } else {
            lua_pop(L, 1);
        }
    }
}

// Pushes a table of the names of functions that global tables have, which lives while it is stopped.
static void push_names(lua_State *L, ct_lua_debugger *d) {
    char prefix[96];
    if (d->names != LUA_NOREF) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, d->names);
        return;
    }
    luaL_checkstack(L, 12, NULL);
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    const int globals = lua_gettop(L);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, globals)) {
        const int key = globals + 2, value = globals + 3;
        if (lua_type(L, key) == LUA_TSTRING && lua_istable(L, value) &&
            !lua_rawequal(L, value, globals)) {
            snprintf(prefix, sizeof(prefix), "%s.", lua_tostring(L, key));
            lua_pushvalue(L, globals + 1);
            add_names(L, value, prefix);
        }
        lua_settop(L, key);
    }
    add_names(L, globals, "");
    lua_remove(L, globals);
    if (d->is_stopped) {
        lua_pushvalue(L, -1);
        d->names = luaL_ref(L, LUA_REGISTRYINDEX);
    }
}

const char *ct_debugger_push_function_name(lua_State *L, ct_lua_debugger *d, int index) {
    lua_pushvalue(L, index);
    push_names(L, d);
    lua_insert(L, -2);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (lua_type(L, -1) == LUA_TSTRING)
        return lua_tostring(L, -1);
    lua_pop(L, 1);
    return NULL;
}

void ct_debugger_write_frame_name(lua_State *L, ct_lua_debugger *d, lua_State *coroutine,
                                  lua_Debug *at, char *name, uint32_t bytes) {
    if (strcmp(at->what, "main") == 0) {
        snprintf(name, bytes, "main chunk");
        return;
    }
    lua_getinfo(coroutine, "f", at);
    lua_xmove(coroutine, L, 1);
    const char *const global = ct_debugger_push_function_name(L, d, lua_gettop(L));
    if (global) {
        snprintf(name, bytes, "%s", global);
        lua_pop(L, 2);
        return;
    }
    lua_pop(L, 1);
    if (at->name && (at->namewhat[0] == 'l' || at->namewhat[0] == 'u'))
        snprintf(name, bytes, "(%s) %s", at->namewhat, at->name);
    else if (at->name)
        snprintf(name, bytes, "%s", at->name);
    else if (at->what[0] == 'C')
        snprintf(name, bytes, "(a function of the engine)");
    else
        snprintf(name, bytes, "function of line %d", at->linedefined);
}

// --- Frames --------------------------------------------------------------------------------------

const ct_debugger_frame *ct_debugger_frame_of(const ct_lua_debugger *d, uint32_t frame) {
    const uint32_t place = frame - d->first_frame;
    return d->is_stopped && place < d->frames.count ? &d->frames.items[place] : NULL;
}

uint32_t ct_debugger_add_frame(ct_lua_debugger *d, lua_State *coroutine, int level) {
    for (uint32_t i = 0; i < d->frames.count; ++i) {
        if (d->frames.items[i].coroutine == coroutine && d->frames.items[i].level == level)
            return d->first_frame + i;
    }
    ct_array_push(&d->frames, (ct_debugger_frame){coroutine, level});
    return d->first_frame + d->frames.count - 1;
}

typedef struct frame_list {
    ct_lua_debugger *debugger;
    lua_State *coroutine;
    uint32_t first, max, count;
    ct_lua_frame *frames;
} frame_list;

static ct_lua_frame_kind kind_of(const lua_Debug *at) {
    if (at->what[0] == 'C')
        return CT_LUA_FRAME_KIND_C;
    return at->source[0] == '=' ? CT_LUA_FRAME_KIND_ENGINE : CT_LUA_FRAME_KIND_LUA;
}

static void fill_frame(lua_State *L, const frame_list *list, int level, ct_lua_frame *frame) {
    lua_Debug at;
    lua_getstack(list->coroutine, level, &at);
    lua_getinfo(list->coroutine, "Snl", &at);
    frame->frame = ct_debugger_add_frame(list->debugger, list->coroutine, level);
    frame->kind = kind_of(&at);
    frame->place = (ct_lua_place){.line = at.currentline > 0 ? (uint32_t)at.currentline : 0};
    if (at.source[0] == '@')
        snprintf(frame->place.script, sizeof(frame->place.script), "%s", at.source + 1);
    const ct_lua_debugger *const d = list->debugger;
    if (frame->place.line == 0 && frame->kind == CT_LUA_FRAME_KIND_LUA &&
        list->coroutine == d->stopped_coroutine && level == d->stopped_level)
        frame->place = d->stopped_place;
    ct_debugger_write_frame_name(L, list->debugger, list->coroutine, &at, frame->name,
                                 sizeof(frame->name));
}

// The coroutine lives as long as what the debugger shows of it.
static void hold_coroutine(lua_State *L, const frame_list *list) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, list->debugger->values);
    lua_pushthread(list->coroutine);
    lua_xmove(list->coroutine, L, 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

static int list_frames(lua_State *L) {
    const frame_list *const list = ct_debugger_data(L);
    luaL_checkstack(L, 20, NULL);
    hold_coroutine(L, list);
    const ct_lua_debugger *const d = list->debugger;
    const int skipped = list->coroutine == d->stopped_coroutine ? d->stopped_level : 0;
    for (uint32_t i = 0; i < list->count; ++i)
        fill_frame(L, list, skipped + (int)(list->first + i), &list->frames[i]);
    return 0;
}

uint32_t ct_lua_debugger_frames(ct_lua_debugger *d, lua_State *coroutine, uint32_t first,
                                uint32_t max, ct_lua_frame *frames, uint32_t *total) {
    lua_Debug at;
    const int skipped = coroutine == d->stopped_coroutine ? d->stopped_level : 0;
    uint32_t depth = 0;
    while (d->is_stopped && lua_getstack(coroutine, skipped + (int)depth, &at))
        ++depth;
    *total = depth;
    const uint32_t left = first < depth ? depth - first : 0;
    frame_list list = {d, coroutine, first, max, left < max ? left : max, frames};
    return list.count > 0 && ct_debugger_run(d, list_frames, &list, NULL) ? list.count : 0;
}
