// Lua values to bytes of saves, and back.
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/save/script_saves.h"

enum { PATH_BYTES = 512 };

typedef struct writing {
    ct_script_saves *saves;
    ct_byte_array *out;
    char path[PATH_BYTES];
    uint32_t length;
    const void *tables[CT_SAVE_MAX_DEPTH]; // that are open; NULL: those around the value
} writing;

// What the engine's values are in saves.
static const struct {
    const char *name, *box;
    ct_value_kind kind;
    uint32_t type;
} types[] = {
    {"Vector2", "Vector2Box", CT_VALUE_KIND_VECTOR2, CT_SAVE_VECTOR2},
    {"Vector3", "Vector3Box", CT_VALUE_KIND_VECTOR3, CT_SAVE_VECTOR3},
    {"Vector4", "Vector4Box", CT_VALUE_KIND_VECTOR4, CT_SAVE_VECTOR4},
    {"Quaternion", "QuaternionBox", CT_VALUE_KIND_QUATERNION, CT_SAVE_QUATERNION},
    {"Matrix4x4", "Matrix4x4Box", CT_VALUE_KIND_MATRIX4X4, CT_SAVE_MATRIX4X4},
    {"IdString32", "IdString32Box", CT_VALUE_KIND_ID32, CT_SAVE_ID32},
    {"IdString64", "IdString64Box", CT_VALUE_KIND_ID64, CT_SAVE_ID64},
};

// --- Writing -------------------------------------------------------------------------------------

static void write_value(lua_State *L, writing *w, uint32_t depth);

static void refuse(lua_State *L, const writing *w) {
    ct_function_error(L,
                      "%s is %s, which cannot be saved; expected a boolean, number, string, math "
                      "value, saved world or a table of these",
                      w->path, ct_push_value_description(L, -1));
}

// Appends a key to the path; returns its length before.
static uint32_t enter(lua_State *L, writing *w, int key) {
    const uint32_t before = w->length;
    int added;
    if (lua_type(L, key) == LUA_TSTRING)
        added = snprintf(w->path + before, PATH_BYTES - before, ".%s", lua_tostring(L, key));
    else if (lua_type(L, key) == LUA_TNUMBER)
        added = snprintf(w->path + before, PATH_BYTES - before, "[%.14g]", lua_tonumber(L, key));
    else
        added = snprintf(w->path + before, PATH_BYTES - before, "[%s]", luaL_typename(L, key));
    const uint32_t room = PATH_BYTES - 1 - before;
    w->length = before + ((uint32_t)added < room ? (uint32_t)added : room);
    return before;
}

static void leave(writing *w, uint32_t length) {
    w->length = length;
    w->path[length] = '\0';
}

static void write_key(lua_State *L, writing *w) {
    const int type = lua_type(L, -1);
    if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
        ct_function_error(L,
                          "%s has a key that is %s; expected strings, numbers or booleans as keys",
                          w->path, ct_push_value_description(L, -1));
    write_value(L, w, 0);
}

static void write_table(lua_State *L, writing *w, uint32_t depth) {
    const void *const table = lua_topointer(L, -1);
    if (depth == CT_SAVE_MAX_DEPTH)
        ct_function_error(L, "%s: tables are deeper than %d", w->path, CT_SAVE_MAX_DEPTH);
    for (uint32_t i = 0; i < depth; ++i) {
        if (w->tables[i] == table)
            ct_function_error(L, "%s is a table inside itself, which cannot be saved", w->path);
    }
    w->tables[depth] = table;
    luaL_checkstack(L, 8, "too many tables");
    const uint32_t begin = ct_save_begin_table(w->out);
    uint32_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pushvalue(L, -2);
        write_key(L, w);
        lua_pop(L, 1);
        const uint32_t length = enter(L, w, -2);
        write_value(L, w, depth + 1);
        lua_pop(L, 1);
        leave(w, length);
        ++count;
    }
    ct_save_end_table(w->out, begin, count);
}

static void write_world(lua_State *L, writing *w, const ct_saved_world_value *world) {
    uint32_t number = 0;
    if (!w->saves)
        refuse(L, w);
    while (number < w->saves->worlds.count && w->saves->worlds.items[number] != world->bytes)
        ++number;
    if (number == w->saves->worlds.count)
        ct_array_push(&w->saves->worlds, world->bytes);
    ct_save_add_fixed(w->out, CT_SAVE_WORLD, &number);
}

// The value of `types[type]` on top.
static void write_typed(lua_State *L, writing *w, uint32_t type, bool is_boxed) {
    const int top = lua_gettop(L);
    const uint32_t saved = types[type].type | (is_boxed ? CT_SAVE_BOXED : 0u);
    if (types[type].kind == CT_VALUE_KIND_ID32) {
        const ct_string_id32 id = ct_check_id32(L, top);
        ct_save_add_fixed(w->out, saved, &id.value);
        return;
    }
    const void *const data = ct_temporary_data(ct_lua_of(L), ct_value_at(L, top));
    if (!data)
        refuse(L, w);
    ct_save_add_fixed(w->out, saved, data);
}

static void write_engine_value(lua_State *L, writing *w) {
    const char *const name = ct_value_type_name(L, -1);
    const ct_saved_world_value *const world = ct_saved_world_at(L, -1);
    if (world) {
        write_world(L, w, world);
        return;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        const bool is_boxed = strcmp(types[i].box, name) == 0;
        if (!is_boxed && strcmp(types[i].name, name) != 0)
            continue;
        lua_pushvalue(L, -1);
        if (is_boxed) {
            lua_getfield(L, -1, "unbox");
            lua_insert(L, -2);
            lua_call(L, 1, 1);
        }
        write_typed(L, w, i, is_boxed);
        lua_pop(L, 1);
        return;
    }
    refuse(L, w);
}

// Writes the value on top and leaves it there.
static void write_value(lua_State *L, writing *w, uint32_t depth) {
    size_t bytes;
    const char *text;
    if (w->out->count > CT_SAVE_MAX_BYTES / 2)
        ct_function_error(L, "%s: the saved data are larger than %llu MiB", w->path,
                          CT_SAVE_MAX_BYTES >> 21);
    switch (lua_type(L, -1)) {
    case LUA_TNIL:
        ct_save_add_type(w->out, CT_SAVE_NIL);
        break;
    case LUA_TBOOLEAN:
        ct_save_add_type(w->out, lua_toboolean(L, -1) ? CT_SAVE_TRUE : CT_SAVE_FALSE);
        break;
    case LUA_TNUMBER:
        ct_save_add_number(w->out, lua_tonumber(L, -1));
        break;
    case LUA_TSTRING:
        text = lua_tolstring(L, -1, &bytes);
        ct_save_add_string(w->out, text, (uint32_t)bytes);
        break;
    case LUA_TTABLE:
        write_table(L, w, depth);
        break;
    case LUA_TLIGHTUSERDATA:
    case LUA_TUSERDATA:
        write_engine_value(L, w);
        break;
    default:
        refuse(L, w);
    }
}

void ct_save_write_lua(lua_State *L, int index, const char *name, uint32_t depth,
                       ct_script_saves *saves, ct_byte_array *out) {
    writing w = {.saves = saves, .out = out};
    snprintf(w.path, sizeof(w.path), "%s", name);
    w.length = (uint32_t)strlen(w.path);
    lua_pushvalue(L, index);
    write_value(L, &w, depth);
    lua_pop(L, 1);
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct reading {
    ct_save_reader *reader;
    const ct_save_file *file; // NULL: without worlds
    int worlds;               // index of a table with those that were made, by number from 1
} reading;

// A world that the data has twice is one value, as it was when it was saved.
static void push_world(lua_State *L, const reading *in, uint32_t number) {
    const ct_save_section *const section =
        in->file ? ct_save_file_find(in->file, CT_SAVE_SECTION_WORLD, number) : NULL;
    if (!section) {
        lua_pushnil(L);
        return;
    }
    lua_rawgeti(L, in->worlds, (int)number + 1);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    ct_byte_array bytes;
    ct_array_init(&bytes, ct_script_of(L)->backing);
    ct_array_push_many(&bytes, (const uint8_t *)section->data, (uint32_t)section->size_bytes);
    ct_push_saved_world(L, ct_save_bytes_create(&bytes));
    lua_pushvalue(L, -1);
    lua_rawseti(L, in->worlds, (int)number + 1);
}

static void push_plain(lua_State *L, const ct_save_value *v) {
    const float *const f = v->floats;
    ct_mat4 m;
    switch (v->type) {
    case CT_SAVE_VECTOR2:
        ct_push_vector2(L, (ct_vec2){{f[0], f[1]}});
        break;
    case CT_SAVE_VECTOR3:
        ct_push_vector3(L, ct_vec3_make(f[0], f[1], f[2]));
        break;
    case CT_SAVE_VECTOR4:
        ct_push_vector4(L, (ct_vec4){{f[0], f[1], f[2], f[3]}});
        break;
    case CT_SAVE_QUATERNION:
        ct_push_quaternion(L, (ct_quat){{f[0], f[1], f[2], f[3]}});
        break;
    case CT_SAVE_MATRIX4X4:
        memcpy(&m, f, sizeof(m));
        ct_push_matrix4x4(L, &m);
        break;
    case CT_SAVE_ID32:
        ct_push_id32(L, (ct_string_id32){(uint32_t)v->id});
        break;
    default:
        ct_push_id64(L, (ct_string_id64){v->id});
    }
}

static void push_engine_value(lua_State *L, const ct_save_value *v) {
    if (v->is_boxed) {
        char name[32];
        snprintf(name, sizeof(name), "%sBox", ct_save_type_name(v->type));
        lua_pushstring(L, name);
        lua_rawget(L, LUA_GLOBALSINDEX);
    }
    push_plain(L, v);
    if (v->is_boxed)
        lua_call(L, 1, 1);
}

static void push_value(lua_State *L, const reading *in) {
    const ct_save_value v = ct_save_read(in->reader);
    luaL_checkstack(L, 8, "too many tables");
    switch (v.type) {
    case CT_SAVE_NIL:
        lua_pushnil(L);
        break;
    case CT_SAVE_FALSE:
    case CT_SAVE_TRUE:
        lua_pushboolean(L, v.type == CT_SAVE_TRUE);
        break;
    case CT_SAVE_NUMBER:
        lua_pushnumber(L, v.number);
        break;
    case CT_SAVE_STRING:
        lua_pushlstring(L, v.text, v.count);
        break;
    case CT_SAVE_WORLD:
        push_world(L, in, v.count);
        break;
    case CT_SAVE_TABLE:
        lua_newtable(L);
        for (uint32_t i = 0; i < v.count; ++i) {
            push_value(L, in);
            push_value(L, in);
            lua_rawset(L, -3);
        }
        break;
    default:
        push_engine_value(L, &v);
    }
}

void ct_save_push_lua(lua_State *L, ct_save_reader *r, const ct_save_file *file) {
    reading in = {.reader = r, .file = file};
    lua_newtable(L);
    in.worlds = lua_gettop(L);
    push_value(L, &in);
    lua_remove(L, in.worlds);
}
