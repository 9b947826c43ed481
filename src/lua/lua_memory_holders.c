#include "lua/lua_memory_holders.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "lua/lua_array.h"
#include "lua/lua_machine.h"

enum {
    MAX_SHOWN = 3,
    MAX_OBJECTS = 2000000,
    BYTES_PER_OBJECT = 128,
    NAME_BYTES = 160,
    MAX_LEVELS = 16
};

// What LuaJIT takes for things, about.
enum {
    STRING_BYTES = 25,
    TABLE_BYTES = 64,
    ELEMENT_BYTES = 8,
    NODE_BYTES = 24,
    FUNCTION_BYTES = 40,
    USERDATA_BYTES = 40,
    THREAD_BYTES = 1024,
};

typedef struct holder {
    char name[NAME_BYTES];
    uint64_t bytes;
} holder;

// A walk through all reachable objects. The Lua table at `queue` has the objects still to visit.
typedef struct walk {
    lua_State *L;
    ct_hash_map seen; // addresses of objects
    int queue, count; // where on the stack; how many wait
    uint32_t max_objects;
    uint64_t bytes; // of the holder that is walked
    holder most[MAX_SHOWN];
} walk;

// --- Walking -------------------------------------------------------------------------------------

// Takes the value on top: it waits to be looked at, unless it was seen or holds nothing.
static void take(walk *w) {
    lua_State *const L = w->L;
    const int type = lua_type(L, -1);
    const bool has_parts =
        type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
    const void *const address =
        type == LUA_TSTRING ? (const void *)lua_tostring(L, -1) : lua_topointer(L, -1);
    const uint64_t key = (uint64_t)(uintptr_t)address;
    if ((!has_parts && type != LUA_TSTRING) || w->seen.count >= w->max_objects ||
        ct_hash_map_find(&w->seen, key)) {
        lua_pop(L, 1);
        return;
    }
    ct_hash_map_set(&w->seen, key, 1);
    if (has_parts) {
        lua_rawseti(L, w->queue, ++w->count);
        return;
    }
    w->bytes += STRING_BYTES + lua_objlen(L, -1);
    lua_pop(L, 1);
}

// The table on top.
static void walk_table(walk *w) {
    lua_State *const L = w->L;
    const size_t length = lua_objlen(L, -1);
    w->bytes += TABLE_BYTES;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        const double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
        w->bytes += key >= 1 && key <= (double)length ? ELEMENT_BYTES : NODE_BYTES;
        take(w);
        lua_pushvalue(L, -1);
        take(w);
    }
    if (lua_getmetatable(L, -1))
        take(w);
}

static void walk_function(walk *w) {
    lua_State *const L = w->L;
    w->bytes += FUNCTION_BYTES;
    for (int i = 1; lua_getupvalue(L, -1, i); ++i) {
        w->bytes += ELEMENT_BYTES;
        take(w);
    }
}

// Looks at the object on top and takes it off.
static void walk_object(walk *w) {
    lua_State *const L = w->L;
    switch (lua_type(L, -1)) {
    case LUA_TTABLE:
        walk_table(w);
        break;
    case LUA_TFUNCTION:
        walk_function(w);
        break;
    case LUA_TUSERDATA:
        w->bytes += USERDATA_BYTES + lua_objlen(L, -1) + ct_lua_array_bytes(L, -1);
        break;
    default:
        w->bytes += THREAD_BYTES;
        break;
    }
    lua_pop(L, 1);
}

// --- Holders -------------------------------------------------------------------------------------

static void keep_if_much(walk *w, const char *name, uint64_t bytes) {
    uint32_t place = MAX_SHOWN;
    while (place > 0 && w->most[place - 1].bytes < bytes)
        --place;
    if (place == MAX_SHOWN)
        return;
    memmove(&w->most[place + 1], &w->most[place], (MAX_SHOWN - 1 - place) * sizeof(holder));
    snprintf(w->most[place].name, NAME_BYTES, "%s", name);
    w->most[place].bytes = bytes;
}

// Takes the value on top and all that is reached from it.
static void measure(walk *w, const char *name) {
    w->bytes = 0;
    take(w);
    while (w->count > 0) {
        lua_rawgeti(w->L, w->queue, w->count);
        lua_pushnil(w->L);
        lua_rawseti(w->L, w->queue, w->count--);
        walk_object(w);
    }
    keep_if_much(w, name, w->bytes);
}

static void measure_globals(walk *w) {
    lua_State *const L = w->L;
    char name[NAME_BYTES];
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    ct_hash_map_set(&w->seen, (uint64_t)(uintptr_t)lua_topointer(L, -1), 1);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        if (lua_type(L, -2) == LUA_TSTRING && ct_lua_name_at(L, -2))
            snprintf(name, sizeof(name), "the global %s", lua_tostring(L, -2));
        else
            snprintf(name, sizeof(name), "a global without a name");
        measure(w, name);
    }
    lua_pop(L, 1);
}

static void measure_locals(walk *w) {
    lua_State *const L = w->L;
    lua_Debug at;
    char name[NAME_BYTES];
    for (int level = 0; level < MAX_LEVELS && lua_getstack(L, level, &at); ++level) {
        if (!lua_getinfo(L, "Sl", &at) || at.currentline <= 0)
            continue; // a C function's are our own
        const char *variable;
        for (int i = 1; (variable = lua_getlocal(L, &at, i)); ++i) {
            snprintf(name, sizeof(name), "the local %s at %s:%d", variable, at.short_src,
                     at.currentline);
            measure(w, name);
        }
    }
}

static void end_walk(walk *w) {
    ct_hash_map_free(&w->seen);
}

void ct_lua_append_memory_holders(lua_State *L, ct_string_builder *out) {
    luaL_checkstack(L, 16, NULL);
    lua_newtable(L);
    // The queue uses Lua's memory, which has a quarter of its limit left for it.
    const uint64_t fitting = ct_lua_of(L)->memory.limit_bytes / BYTES_PER_OBJECT;
    CT_CLEANUP(end_walk)
    walk w = {.L = L,
              .queue = lua_gettop(L),
              .max_objects = fitting < MAX_OBJECTS ? (uint32_t)fitting : MAX_OBJECTS};
    ct_hash_map_init(&w.seen, ct_lua_of(L)->allocator);
    ct_hash_map_set(&w.seen, (uint64_t)(uintptr_t)lua_topointer(L, -1), 1);
    measure_globals(&w);
    measure_locals(&w);
    lua_pop(L, 1);
    const uint64_t least = ct_lua_of(L)->memory.bytes / 64;
    for (uint32_t i = 0; i < MAX_SHOWN && w.most[i].bytes > least; ++i)
        ct_string_builder_addf(out, "%s%s (%.1f MiB)", i ? ", " : "; most of it in ",
                               w.most[i].name, (double)w.most[i].bytes / (1 << 20));
}
