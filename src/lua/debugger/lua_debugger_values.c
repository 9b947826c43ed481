// Scopes, and the parts of values.
#include "lua/debugger/lua_debugger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/debugger/lua_debugger_private.h"
#include "lua/lua_array.h"

enum {
    MAX_PARTS = 1 << 17,  // of a value
    MAX_VALUES = 1 << 20, // that are shown until the machine goes on
    MAX_NAMES = 256,      // locals or upvalues of a function
};

static const double SET_SECONDS = 2;

// --- Numbers of values ---------------------------------------------------------------------------

static uint32_t add_handle(ct_lua_debugger *d, ct_debugger_value value) {
    if (d->shown_values.count >= MAX_VALUES)
        return 0;
    ct_array_push(&d->shown_values, value);
    return d->first_value + d->shown_values.count - 1;
}

// Gives the value at `index` a number.
static uint32_t add_value(lua_State *L, ct_lua_debugger *d, int index) {
    const uint32_t number =
        add_handle(d, (ct_debugger_value){.kind = CT_DEBUGGER_VALUE_KIND_VALUE});
    if (!number)
        return 0;
    lua_pushvalue(L, index);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->values);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (int)(number - d->first_value) + 1);
    lua_pop(L, 1);
    return number;
}

static ct_debugger_value *value_of(const ct_lua_debugger *d, uint32_t number) {
    const uint32_t place = number - d->first_value;
    return place < d->shown_values.count ? &d->shown_values.items[place] : NULL;
}

static void push_value(lua_State *L, const ct_lua_debugger *d, uint32_t number) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->values);
    lua_rawgeti(L, -1, (int)(number - d->first_value) + 1);
    lua_remove(L, -2);
}

static int forget_values(lua_State *L) {
    ct_lua_debugger *const d = ct_debugger_data(L);
    int *const tables[] = {&d->values, &d->parts};
    for (uint32_t i = 0; i < CT_COUNT_OF(tables); ++i) {
        luaL_unref(L, LUA_REGISTRYINDEX, *tables[i]);
        lua_newtable(L);
        *tables[i] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    luaL_unref(L, LUA_REGISTRYINDEX, d->names);
    d->names = LUA_NOREF;
    return 0;
}

void ct_debugger_forget_values(ct_lua_debugger *d) {
    d->first_frame += d->frames.count;
    d->first_value += d->shown_values.count;
    d->frames.count = d->shown_values.count = 0;
    ct_debugger_run(d, forget_values, d, NULL);
}

// --- How many parts ------------------------------------------------------------------------------

static uint32_t count_table(lua_State *L, int index) {
    uint32_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (++count == MAX_PARTS) {
            lua_pop(L, 1);
            break;
        }
    }
    if (lua_getmetatable(L, index)) {
        lua_pop(L, 1);
        ++count;
    }
    return count;
}

static uint32_t count_upvalues(lua_State *L, int index) {
    uint32_t count = 0;
    for (int i = 1; i <= MAX_NAMES && lua_getupvalue(L, index, i); ++i)
        lua_pop(L, 1), ++count;
    return count;
}

static uint32_t depth_of(lua_State *coroutine) {
    lua_Debug at;
    uint32_t depth = 0;
    while (depth < MAX_PARTS && lua_getstack(coroutine, (int)depth, &at))
        ++depth;
    return depth;
}

// Pushes the names and values of an engine value's parts, or returns 0.
static uint32_t push_engine_parts(lua_State *L, const ct_lua_debugger *d, int index) {
    const int top = lua_gettop(L);
    if (!d->desc.values.expand || !d->desc.values.expand(d->desc.values.user, L, index) ||
        !lua_istable(L, -1)) {
        lua_settop(L, top);
        return 0;
    }
    const uint32_t count = (uint32_t)lua_objlen(L, -1) / 2;
    if (count == 0)
        lua_settop(L, top);
    return count;
}

static uint32_t count_items(lua_State *L, int index) {
    const ct_lua_array *array = ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_FLOATS);
    if (!array)
        array = ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_ENTITIES);
    return !array ? 0 : array->count < MAX_PARTS ? array->count : MAX_PARTS;
}

static uint32_t count_engine_value(lua_State *L, const ct_lua_debugger *d, int index) {
    uint32_t count;
    ct_value_kind kind;
    if (ct_debugger_floats(L, index, &count, &kind))
        return count < MAX_PARTS ? count : MAX_PARTS;
    if (lua_type(L, index) == LUA_TUSERDATA && count_items(L, index))
        return count_items(L, index);
    const int top = lua_gettop(L);
    count = push_engine_parts(L, d, index);
    lua_settop(L, top);
    return count;
}

static uint32_t count_parts(lua_State *L, const ct_lua_debugger *d, int index) {
    switch (lua_type(L, index)) {
    case LUA_TTABLE:
        return count_table(L, index);
    case LUA_TFUNCTION:
        return lua_iscfunction(L, index) ? 0 : count_upvalues(L, index);
    case LUA_TTHREAD:
        return depth_of(lua_tothread(L, index));
    case LUA_TLIGHTUSERDATA:
    case LUA_TUSERDATA:
        return count_engine_value(L, d, index);
    default:
        return 0;
    }
}

void ct_debugger_show_value(lua_State *L, ct_lua_debugger *d, int index,
                            ct_lua_debugger_value *value) {
    luaL_checkstack(L, 20, NULL);
    value->name[0] = 0;
    value->can_set = false;
    ct_debugger_write_value(L, d, index, value->text, sizeof(value->text));
    snprintf(value->type, sizeof(value->type), "%s", ct_value_type_name(L, index));
    value->count = count_parts(L, d, index);
    value->value = value->count > 0 ? add_value(L, d, index) : 0;
}

// --- Locals and upvalues -------------------------------------------------------------------------

// The innermost locals of their names, in order.
static uint32_t find_locals(lua_State *coroutine, const lua_Debug *at, const char *names[MAX_NAMES],
                            int places[MAX_NAMES]) {
    uint32_t count = 0;
    const char *name;
    for (int i = 1; count < MAX_NAMES && (name = lua_getlocal(coroutine, at, i)); ++i) {
        lua_pop(coroutine, 1);
        uint32_t k = 0;
        while (k < count && strcmp(names[k], name) != 0)
            ++k;
        if (name[0] == '(')
            continue;
        names[k] = name;
        places[k] = i;
        count += k == count;
    }
    return count;
}

static bool push_function(lua_State *L, const ct_debugger_frame *frame) {
    lua_Debug at;
    if (!lua_getstack(frame->coroutine, frame->level, &at))
        return false;
    lua_getinfo(frame->coroutine, "f", &at);
    lua_xmove(frame->coroutine, L, 1);
    return true;
}

static uint32_t count_varargs(const ct_debugger_frame *frame) {
    lua_Debug at;
    uint32_t count = 0;
    if (!lua_getstack(frame->coroutine, frame->level, &at))
        return 0;
    while (count < MAX_PARTS && lua_getlocal(frame->coroutine, &at, -(int)count - 1)) {
        lua_pop(frame->coroutine, 1);
        ++count;
    }
    return count;
}

static uint32_t count_locals(const ct_debugger_frame *frame) {
    const char *names[MAX_NAMES];
    int places[MAX_NAMES];
    lua_Debug at;
    return lua_getstack(frame->coroutine, frame->level, &at)
               ? find_locals(frame->coroutine, &at, names, places)
               : 0;
}

// --- Scopes --------------------------------------------------------------------------------------

typedef struct scope_list {
    ct_lua_debugger *debugger;
    ct_debugger_frame frame;
    uint32_t place; // of the frame
    ct_lua_debugger_value *scopes;
    uint32_t count, max;
} scope_list;

static void add_scope(scope_list *list, const char *name, uint32_t value, uint32_t count) {
    if (list->count == list->max)
        return;
    ct_lua_debugger_value *const scope = &list->scopes[list->count++];
    *scope = (ct_lua_debugger_value){.value = value, .count = count};
    snprintf(scope->name, sizeof(scope->name), "%s", name);
}

static void add_frame_scope(scope_list *list, const char *name, ct_debugger_value_kind kind,
                            uint32_t count, bool is_always) {
    if (count > 0 || is_always)
        add_scope(list, name,
                  add_handle(list->debugger, (ct_debugger_value){kind, list->place, false}), count);
}

// Adds the scope of its own that the engine has for the function.
static void add_engine_scope(lua_State *L, scope_list *list) {
    const ct_lua_debugger_values *const values = &list->debugger->desc.values;
    const int top = lua_gettop(L);
    if (values->scope && values->scope(values->user, L, list->frame.coroutine, list->frame.level) &&
        lua_type(L, -2) == LUA_TSTRING) {
        const uint32_t count = count_parts(L, list->debugger, lua_gettop(L));
        add_scope(list, lua_tostring(L, -2), add_value(L, list->debugger, lua_gettop(L)), count);
    }
    lua_settop(L, top);
}

static int list_scopes(lua_State *L) {
    scope_list *const list = ct_debugger_data(L);
    luaL_checkstack(L, 20, NULL);
    if (!push_function(L, &list->frame))
        luaL_error(L, "the frame has ended");
    add_frame_scope(list, "Locals", CT_DEBUGGER_VALUE_KIND_LOCALS, count_locals(&list->frame),
                    true);
    add_frame_scope(list, "Varargs", CT_DEBUGGER_VALUE_KIND_VARARGS, count_varargs(&list->frame),
                    false);
    if (!lua_iscfunction(L, -1))
        add_frame_scope(list, "Upvalues", CT_DEBUGGER_VALUE_KIND_UPVALUES,
                        count_upvalues(L, lua_gettop(L)), false);
    add_engine_scope(L, list);
    lua_getfenv(L, -1);
    if (lua_istable(L, -1))
        add_scope(list, "Globals", add_value(L, list->debugger, lua_gettop(L)),
                  count_table(L, lua_gettop(L)));
    return 0;
}

uint32_t ct_lua_debugger_scopes(ct_lua_debugger *d, uint32_t frame, ct_lua_debugger_value *scopes,
                                uint32_t max, ct_error *error) {
    const ct_debugger_frame *const found = ct_debugger_frame_of(d, frame);
    if (!found) {
        ct_error_set(error, "there is no frame %u: the game has gone on since", frame);
        return 0;
    }
    scope_list list = {.debugger = d,
                       .frame = *found,
                       .place = frame - d->first_frame,
                       .scopes = scopes,
                       .max = max};
    return ct_debugger_run(d, list_scopes, &list, error) ? list.count : 0;
}

// --- Keys of tables ------------------------------------------------------------------------------

typedef struct table_key {
    int rank;
    double number;
    const char *text; // lives as long as the table
    size_t bytes;
    uintptr_t address;
    int place; // in the list of keys
} table_key;

static int compare_keys(const void *a, const void *b) {
    const table_key *const x = a, *const y = b;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->text) {
        const int order = memcmp(x->text, y->text, x->bytes < y->bytes ? x->bytes : y->bytes);
        return order != 0 ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
    }
    return (x->address > y->address) - (x->address < y->address);
}

static table_key read_key(lua_State *L, int index, int place) {
    table_key key = {.place = place};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        key.number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        key.rank = 1;
        key.text = lua_tolstring(L, index, &key.bytes);
        break;
    default:
        key.rank = 2 + lua_type(L, index);
        key.address = (uintptr_t)lua_topointer(L, index);
        key.number = lua_type(L, index) == LUA_TBOOLEAN ? lua_toboolean(L, index) : 0;
    }
    return key;
}

typedef CT_ARRAY(table_key) key_array;

static void free_keys(key_array *keys) {
    ct_array_free(keys);
}

// Pushes the keys of the table at `index` in order.
static void push_keys(lua_State *L, const ct_lua_debugger *d, int index) {
    CT_CLEANUP(free_keys) key_array keys;
    ct_array_init(&keys, d->allocator);
    lua_newtable(L);
    const int unsorted = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index) && keys.count < MAX_PARTS) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, unsorted, (int)keys.count + 1);
        const table_key key = read_key(L, lua_gettop(L), (int)keys.count + 1);
        ct_array_push(&keys, key);
    }
    lua_settop(L, unsorted);
    if (keys.count > 0)
        qsort(keys.items, keys.count, sizeof(*keys.items), compare_keys);
    lua_createtable(L, (int)keys.count, 0);
    for (uint32_t i = 0; i < keys.count; ++i) {
        lua_rawgeti(L, unsorted, keys.items[i].place);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_remove(L, unsorted);
}

// Pushes the list of a value's parts, which is made once: keys of a table; names and values.
static void push_list(lua_State *L, ct_lua_debugger *d, uint32_t number, int index) {
    ct_debugger_value *const value = value_of(d, number);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->parts);
    if (value->has_parts) {
        lua_rawgeti(L, -1, (int)(number - d->first_value) + 1);
        lua_remove(L, -2);
        return;
    }
    if (lua_istable(L, index))
        push_keys(L, d, index);
    else if (push_engine_parts(L, d, index) == 0)
        lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (int)(number - d->first_value) + 1);
    lua_remove(L, -2);
    value->has_parts = true;
}

// --- Parts ---------------------------------------------------------------------------------------

typedef struct part_list {
    ct_lua_debugger *debugger;
    uint32_t value;
    ct_debugger_value shown;
    ct_debugger_frame frame;
    uint32_t first, max, count, total;
    ct_lua_debugger_value *parts;
} part_list;

// Returns the next part to fill with this name, or NULL where it is not asked for.
static ct_lua_debugger_value *next_part(part_list *list, uint32_t place) {
    const bool is_wanted = place >= list->first && list->count < list->max;
    return is_wanted ? &list->parts[list->count++] : NULL;
}

// Fills the next part for the value on top, which it takes.
static void add_part(lua_State *L, part_list *list, uint32_t place, const char *name,
                     bool can_set) {
    ct_lua_debugger_value *const part = next_part(list, place);
    if (part) {
        ct_debugger_show_value(L, list->debugger, lua_gettop(L), part);
        snprintf(part->name, sizeof(part->name), "%s", name);
        part->can_set = can_set;
    }
    lua_pop(L, 1);
}

static void add_locals(lua_State *L, part_list *list) {
    const char *names[MAX_NAMES];
    int places[MAX_NAMES];
    lua_Debug at;
    if (!lua_getstack(list->frame.coroutine, list->frame.level, &at))
        luaL_error(L, "the frame has ended");
    list->total = find_locals(list->frame.coroutine, &at, names, places);
    for (uint32_t i = 0; i < list->total; ++i) {
        lua_getlocal(list->frame.coroutine, &at, places[i]);
        lua_xmove(list->frame.coroutine, L, 1);
        add_part(L, list, i, names[i], true);
    }
}

static void add_varargs(lua_State *L, part_list *list) {
    char name[16];
    lua_Debug at;
    if (!lua_getstack(list->frame.coroutine, list->frame.level, &at))
        luaL_error(L, "the frame has ended");
    for (list->total = 0;
         list->total < MAX_PARTS && lua_getlocal(list->frame.coroutine, &at, -(int)list->total - 1);
         ++list->total) {
        lua_xmove(list->frame.coroutine, L, 1);
        snprintf(name, sizeof(name), "[%u]", list->total + 1);
        add_part(L, list, list->total, name, true);
    }
}

// Of the function at `index`. Those of functions that the game was built without names for have none.
static void add_upvalues(lua_State *L, part_list *list, int index) {
    const char *name;
    char unnamed[16];
    for (int i = 1; i <= MAX_NAMES && (name = lua_getupvalue(L, index, i)); ++i) {
        snprintf(unnamed, sizeof(unnamed), "[%d]", i);
        add_part(L, list, (uint32_t)i - 1, name[0] ? name : unnamed, name[0] != 0);
        list->total = (uint32_t)i;
    }
}

static void add_table_parts(lua_State *L, part_list *list, int index) {
    char name[128];
    ct_lua_debugger *const d = list->debugger;
    push_list(L, d, list->value, index);
    const int keys = lua_gettop(L);
    const uint32_t count = (uint32_t)lua_objlen(L, keys);
    for (uint32_t i = list->first; i < count && list->count < list->max; ++i) {
        lua_rawgeti(L, keys, (int)i + 1);
        ct_debugger_write_key(L, d, keys + 1, name, sizeof(name));
        lua_rawget(L, index);
        add_part(L, list, i, name, true);
    }
    list->total = count;
    if (lua_getmetatable(L, index))
        add_part(L, list, list->total++, "(metatable)", false);
}

static void add_frames(lua_State *L, part_list *list, lua_State *coroutine) {
    ct_lua_debugger *const d = list->debugger;
    list->total = depth_of(coroutine);
    for (uint32_t i = list->first; i < list->total && list->count < list->max; ++i) {
        char name[96];
        lua_Debug at;
        ct_lua_debugger_value *const part = next_part(list, i);
        lua_getstack(coroutine, (int)i, &at);
        lua_getinfo(coroutine, "Snl", &at);
        ct_debugger_write_frame_name(L, d, coroutine, &at, name, sizeof(name));
        *part = (ct_lua_debugger_value){.type = "frame"};
        snprintf(part->name, sizeof(part->name), "[%u]", i + 1);
        if (at.currentline > 0)
            snprintf(part->text, sizeof(part->text), "%s %s:%d", name, at.short_src,
                     at.currentline);
        else
            snprintf(part->text, sizeof(part->text), "%s", name);
        const ct_debugger_frame frame = {coroutine, (int)i};
        const uint32_t number = ct_debugger_add_frame(d, coroutine, (int)i);
        part->count = count_locals(&frame);
        part->value = part->count == 0
                          ? 0
                          : add_handle(d, (ct_debugger_value){CT_DEBUGGER_VALUE_KIND_LOCALS,
                                                              number - d->first_frame, false});
    }
}

static void write_float_name(ct_value_kind kind, uint32_t count, uint32_t i, char *name,
                             uint32_t bytes) {
    if (kind == CT_VALUE_KIND_NONE)
        snprintf(name, bytes, "[%u]", i + 1);
    else if (count <= 4)
        snprintf(name, bytes, "%c", "xyzw"[i]);
    else
        snprintf(name, bytes, "%s.%c",
                 (const char *const[]){"x_axis", "y_axis", "z_axis", "translation"}[i / 4],
                 "xyzw"[i % 4]);
}

static void add_items(lua_State *L, part_list *list, int index) {
    char name[32];
    const ct_lua_array *const array = ct_lua_array_at(L, index, CT_LUA_ARRAY_KIND_ENTITIES);
    list->total = array ? count_items(L, index) : 0;
    for (uint32_t i = list->first; i < list->total && list->count < list->max; ++i) {
        snprintf(name, sizeof(name), "[%u]", i + 1);
        ct_push_entity(L, array->entities[i]);
        add_part(L, list, i, name, false);
    }
}

static void add_engine_parts(lua_State *L, part_list *list, int index) {
    char name[128];
    ct_value_kind kind;
    uint32_t count;
    const float *const floats = ct_debugger_floats(L, index, &count, &kind);
    if (floats) {
        list->total = count < MAX_PARTS ? count : MAX_PARTS;
        for (uint32_t i = list->first; i < list->total && list->count < list->max; ++i) {
            write_float_name(kind, count, i, name, sizeof(name));
            lua_pushnumber(L, (double)floats[i]);
            add_part(L, list, i, name, true);
        }
        return;
    }
    if (lua_type(L, index) == LUA_TUSERDATA && count_items(L, index)) {
        add_items(L, list, index);
        return;
    }
    push_list(L, list->debugger, list->value, index);
    const int parts = lua_gettop(L);
    list->total = (uint32_t)lua_objlen(L, parts) / 2;
    for (uint32_t i = list->first; i < list->total && list->count < list->max; ++i) {
        lua_rawgeti(L, parts, (int)(2 * i) + 1);
        snprintf(name, sizeof(name), "%s",
                 lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?");
        lua_rawgeti(L, parts, (int)(2 * i) + 2);
        add_part(L, list, i, name, list->debugger->desc.values.assign != NULL);
        lua_settop(L, parts);
    }
}

static int list_parts(lua_State *L) {
    part_list *const list = ct_debugger_data(L);
    luaL_checkstack(L, 30, NULL);
    lua_settop(L, 0);
    switch (list->shown.kind) {
    case CT_DEBUGGER_VALUE_KIND_LOCALS:
        add_locals(L, list);
        return 0;
    case CT_DEBUGGER_VALUE_KIND_VARARGS:
        add_varargs(L, list);
        return 0;
    case CT_DEBUGGER_VALUE_KIND_UPVALUES:
        if (push_function(L, &list->frame))
            add_upvalues(L, list, 1);
        return 0;
    default:
        break;
    }
    push_value(L, list->debugger, list->value);
    switch (lua_type(L, 1)) {
    case LUA_TTABLE:
        add_table_parts(L, list, 1);
        break;
    case LUA_TFUNCTION:
        add_upvalues(L, list, 1);
        break;
    case LUA_TTHREAD:
        add_frames(L, list, lua_tothread(L, 1));
        break;
    default:
        add_engine_parts(L, list, 1);
    }
    return 0;
}

// Starts a list of the parts of a value. Returns false with `error` when there is no such value.
static bool begin_list(ct_lua_debugger *d, uint32_t value, part_list *list, ct_error *error) {
    const ct_debugger_value *const found = value_of(d, value);
    if (!found)
        return ct_error_set(error, "there is no value %u: the game has gone on since", value);
    *list = (part_list){.debugger = d, .value = value, .shown = *found};
    if (found->kind != CT_DEBUGGER_VALUE_KIND_VALUE)
        list->frame = d->frames.items[found->frame];
    return true;
}

uint32_t ct_lua_debugger_parts(ct_lua_debugger *d, uint32_t value, uint32_t first, uint32_t max,
                               ct_lua_debugger_value *parts, uint32_t *total, ct_error *error) {
    part_list list;
    *total = 0;
    if (!begin_list(d, value, &list, error))
        return 0;
    list.first = first;
    list.max = max;
    list.parts = parts;
    if (!ct_debugger_run(d, list_parts, &list, error))
        return 0;
    *total = list.total;
    return list.count;
}

// --- Setting -------------------------------------------------------------------------------------

typedef struct assignment {
    part_list list;
    const char *name, *text;
    ct_debugger_frame frame; // of the expression
    ct_lua_debugger_value *result;
} assignment;

static void set_local(lua_State *L, assignment *a) {
    lua_Debug at;
    const char *names[MAX_NAMES];
    int places[MAX_NAMES];
    lua_State *const coroutine = a->list.frame.coroutine;
    if (!lua_getstack(coroutine, a->list.frame.level, &at))
        luaL_error(L, "the frame has ended");
    const uint32_t count = find_locals(coroutine, &at, names, places);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], a->name) != 0)
            continue;
        lua_pushvalue(L, 1);
        lua_xmove(L, coroutine, 1);
        lua_setlocal(coroutine, &at, places[i]);
        return;
    }
    luaL_error(L, "there is no local %s", a->name);
}

static void set_vararg(lua_State *L, const assignment *a) {
    lua_Debug at;
    lua_State *const coroutine = a->list.frame.coroutine;
    const int place = a->name[0] == '[' ? atoi(a->name + 1) : 0;
    if (!lua_getstack(coroutine, a->list.frame.level, &at))
        luaL_error(L, "the frame has ended");
    if (place <= 0 || (uint32_t)place > count_varargs(&a->list.frame))
        luaL_error(L, "there is no argument %s", a->name);
    lua_pushvalue(L, 1);
    lua_xmove(L, coroutine, 1);
    lua_setlocal(coroutine, &at, -place);
}

// Of the function on top.
static void set_upvalue(lua_State *L, const assignment *a) {
    const int function = lua_gettop(L);
    const char *name;
    for (int i = 1; (name = lua_getupvalue(L, function, i)); ++i) {
        lua_pop(L, 1);
        if (name[0] == 0 || strcmp(name, a->name) != 0)
            continue;
        lua_pushvalue(L, 1);
        lua_setupvalue(L, function, i);
        ct_debugger_flush(a->list.debugger); // compiled code has it as a constant, perhaps
        return;
    }
    luaL_error(L, "there is no upvalue %s", a->name);
}

// Of the table at 2.
static void set_member(lua_State *L, const assignment *a) {
    char name[128];
    ct_lua_debugger *const d = a->list.debugger;
    push_list(L, d, a->list.value, 2);
    const int keys = lua_gettop(L), count = (int)lua_objlen(L, keys);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, keys, i);
        ct_debugger_write_key(L, d, keys + 1, name, sizeof(name));
        if (strcmp(name, a->name) == 0) {
            lua_pushvalue(L, 1);
            lua_rawset(L, 2);
            return;
        }
        lua_pop(L, 1);
    }
    luaL_error(L, "there is no %s in the table, or it cannot be set", a->name);
}

static void set_engine_part(lua_State *L, const assignment *a) {
    char name[32];
    ct_value_kind kind;
    uint32_t count;
    const ct_lua_debugger_values *const values = &a->list.debugger->desc.values;
    float *const floats = ct_debugger_floats(L, 2, &count, &kind);
    for (uint32_t i = 0; floats && i < count; ++i) {
        write_float_name(kind, count, i, name, sizeof(name));
        if (strcmp(name, a->name) != 0)
            continue;
        if (lua_type(L, 1) != LUA_TNUMBER)
            luaL_error(L, "expected a number for %s, got %s", a->name, ct_value_type_name(L, 1));
        floats[i] = (float)lua_tonumber(L, 1);
        return;
    }
    lua_pushvalue(L, 1);
    if (floats || !values->assign || !values->assign(values->user, L, 2, a->name))
        luaL_error(L, "%s of a %s cannot be set", a->name, ct_value_type_name(L, 2));
}

static void assign(lua_State *L, assignment *a) {
    switch (a->list.shown.kind) {
    case CT_DEBUGGER_VALUE_KIND_LOCALS:
        set_local(L, a);
        return;
    case CT_DEBUGGER_VALUE_KIND_VARARGS:
        set_vararg(L, a);
        return;
    case CT_DEBUGGER_VALUE_KIND_UPVALUES:
        if (!push_function(L, &a->list.frame))
            luaL_error(L, "the frame has ended");
        set_upvalue(L, a);
        return;
    default:
        break;
    }
    push_value(L, a->list.debugger, a->list.value);
    if (lua_istable(L, 2))
        set_member(L, a);
    else if (lua_isfunction(L, 2))
        set_upvalue(L, a);
    else
        set_engine_part(L, a);
}

static int evaluate_and_assign(lua_State *L) {
    assignment *const a = ct_debugger_data(L);
    ct_lua_debugger *const d = a->list.debugger;
    lua_settop(L, 0);
    ct_debugger_push_text(L, d, a->text);
    if (ct_debugger_call(L, d, a->frame.coroutine, a->frame.level, SET_SECONDS) != 0)
        return lua_error(L);
    if (lua_gettop(L) == 0)
        luaL_error(L, "expected an expression, got \"%s\"", a->text);
    lua_settop(L, 1);
    luaL_checkstack(L, 20, NULL);
    assign(L, a);
    ct_debugger_show_value(L, d, 1, a->result);
    snprintf(a->result->name, sizeof(a->result->name), "%s", a->name);
    a->result->can_set = true;
    return 0;
}

bool ct_lua_debugger_set(ct_lua_debugger *d, uint32_t value, const char *name, uint32_t frame,
                         const char *text, ct_lua_debugger_value *result, ct_error *error) {
    assignment a = {.name = name, .text = text, .result = result};
    if (!begin_list(d, value, &a.list, error))
        return false;
    const ct_debugger_frame *const found = frame ? ct_debugger_frame_of(d, frame) : NULL;
    if (frame && !found)
        return ct_error_set(error, "there is no frame %u: the game has gone on since", frame);
    if (found)
        a.frame = *found;
    d->has_evaluated = true;
    return ct_debugger_run(d, evaluate_and_assign, &a, error);
}

// --- Completion ----------------------------------------------------------------------------------

typedef struct completion {
    ct_debugger_frame frame; // without a coroutine: the globals only
    const char *text;
    ct_string_builder *found;
    uint32_t start;
} completion;

// Sets members of the table at 1 to the upvalues and locals of a frame, and pushes its environment.
static void copy_variables(lua_State *L, const ct_debugger_frame *frame) {
    const char *names[MAX_NAMES], *name;
    int places[MAX_NAMES];
    lua_Debug at;
    if (!frame->coroutine || !push_function(L, frame)) {
        lua_pushvalue(L, LUA_GLOBALSINDEX);
        return;
    }
    for (int i = 1; i <= MAX_NAMES && (name = lua_getupvalue(L, 2, i)); ++i)
        lua_setfield(L, 1, name);
    lua_getstack(frame->coroutine, frame->level, &at);
    const uint32_t count = find_locals(frame->coroutine, &at, names, places);
    for (uint32_t i = 0; i < count; ++i) {
        lua_getlocal(frame->coroutine, &at, places[i]);
        lua_xmove(frame->coroutine, L, 1);
        if (lua_isnil(L, -1)) { // has a name, too
            lua_pop(L, 1);
            lua_pushboolean(L, 0);
        }
        lua_setfield(L, 1, names[i]);
    }
    lua_getfenv(L, 2);
}

// The variables are members of a table that inherits from the environment.
static int complete(lua_State *L) {
    completion *const c = ct_debugger_data(L);
    luaL_checkstack(L, 20, NULL);
    lua_settop(L, 0);
    lua_newtable(L);
    copy_variables(L, &c->frame);
    lua_newtable(L);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    c->start = ct_lua_complete_in(L, c->text, c->found);
    return 0;
}

uint32_t ct_lua_debugger_complete(ct_lua_debugger *d, uint32_t frame, const char *text,
                                  ct_string_builder *found) {
    const ct_debugger_frame *const named = ct_debugger_frame_of(d, frame);
    completion c = {.text = text, .found = found, .start = (uint32_t)strlen(text)};
    if (named)
        c.frame = *named;
    ct_debugger_run(d, complete, &c, NULL);
    return c.start;
}
