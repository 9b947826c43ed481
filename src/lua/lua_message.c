#include "lua/lua_message.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/string/string_builder.h"
#include "lua/lua_array.h"

enum {
    MAX_ARRAYS = 4096,
    MAX_VALUE_BYTES = 72, // of a matrix, the largest value of the engine, with its tag and kind
};

typedef enum tag {
    TAG_NIL,
    TAG_FALSE,
    TAG_TRUE,
    TAG_NUMBER,    // a double
    TAG_STRING,    // the length (32 bits) and the bytes
    TAG_TABLE,     // pairs of values until
    TAG_END,       // this
    TAG_TEMPORARY, // a kind and its floats
    TAG_HANDLE,    // the bits of a light userdata
    TAG_COMPONENT, // type, entity and number
    TAG_BOX,       // a kind and the bytes inside
    TAG_FLOATS,    // the place of a moved array
    TAG_ENTITIES,  // likewise
} tag;

typedef struct component {
    const ct_lua_component_type *type;
    ct_entity entity;
    uint32_t number;
} component;

// --- Messages ------------------------------------------------------------------------------------

void ct_lua_message_init(ct_lua_message *message, ct_allocator *a, const ct_lua *m) {
    ct_array_init(&message->bytes, a);
    ct_array_init(&message->arrays, a);
    message->lua_allocator = m->lua_allocator;
    message->num_values = 0;
}

void ct_lua_message_clear(ct_lua_message *message) {
    for (uint32_t i = 0; i < message->arrays.count; ++i)
        ct_free(message->lua_allocator, message->arrays.items[i].items);
    message->arrays.count = message->bytes.count = message->num_values = 0;
}

void ct_lua_message_shrink(ct_lua_message *message, uint64_t most_bytes) {
    ct_lua_message_clear(message);
    if (message->bytes.capacity > most_bytes)
        ct_array_free(&message->bytes);
    if (message->arrays.capacity * sizeof(ct_lua_moved) > most_bytes)
        ct_array_free(&message->arrays);
}

void ct_lua_message_free(ct_lua_message *message) {
    ct_lua_message_clear(message);
    ct_array_free(&message->bytes);
    ct_array_free(&message->arrays);
}

// --- What may be written -------------------------------------------------------------------------

// A table that is being walked, or a member of it. Keys are on Lua's stack.
typedef struct step {
    const struct step *above; // NULL: the value itself
    const void *table;        // that is walked here
    int key;                  // place on the stack of the key to the next step; 0: the key itself
} step;

typedef struct writing {
    lua_State *L;
    const char *name; // of the value
    ct_lua_message_check *known;
    uint32_t depth;
} writing;

static void add_path(const writing *w, const step *s, ct_string_builder *path) {
    if (!s) {
        ct_string_builder_add(path, w->name);
        return;
    }
    add_path(w, s->above, path);
    if (!s->key)
        ct_string_builder_add(path, " (a key)");
    else if (lua_type(w->L, s->key) == LUA_TSTRING)
        ct_string_builder_addf(path, ".%.64s", lua_tostring(w->L, s->key));
    else if (lua_type(w->L, s->key) == LUA_TNUMBER)
        ct_string_builder_addf(path, "[%.14g]", lua_tonumber(w->L, s->key));
    else
        ct_string_builder_addf(path, "[%s]", ct_value_type_name(w->L, s->key));
}

static void refuse(const writing *w, const step *s, const char *what) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder path;
    ct_string_builder_init(&path, ct_lua_of(w->L)->allocator);
    add_path(w, s, &path);
    ct_function_error(w->L, "%s%s", ct_string_builder_text(&path), what);
}

static void refuse_type(const writing *w, const step *s, int index) {
    const char *const found = ct_push_value_description(w->L, index);
    lua_pushfstring(w->L,
                    ": expected nil, a boolean, number, string, table, array or a value of the "
                    "engine, got %s, which cannot be sent",
                    found);
    refuse(w, s, lua_tostring(w->L, -1));
}

static void check(writing *w, int index, const step *above);

static void check_table(writing *w, int index, const step *above) {
    lua_State *const L = w->L;
    const void *const table = lua_topointer(L, index);
    for (const step *s = above; s; s = s->above) {
        if (s->table == table)
            refuse(w, above, " is a table that contains itself; expected tables without cycles");
    }
    if (w->depth == CT_LUA_MESSAGE_MAX_DEPTH)
        refuse(w, above, " is deeper than 100 tables; expected at most 100 in each other");
    ++w->depth;
    luaL_checkstack(L, 8, "too many tables");
    lua_pushnil(L);
    while (lua_next(L, index)) {
        const int value = lua_gettop(L);
        const step of_key = {.above = above, .table = table, .key = 0};
        const step here = {.above = above, .table = table, .key = value - 1};
        check(w, value - 1, &of_key);
        check(w, value, &here);
        lua_settop(L, value - 1);
    }
    --w->depth;
}

static const ct_lua_array *array_at(lua_State *L, int index, ct_lua_array_kind *kind) {
    *kind = CT_LUA_ARRAY_KIND_FLOATS;
    const ct_lua_array *const array = ct_lua_array_at(L, index, *kind);
    if (array)
        return array;
    *kind = CT_LUA_ARRAY_KIND_ENTITIES;
    return ct_lua_array_at(L, index, *kind);
}

// The kind of what the box at `index` holds; NONE when there is no box.
static ct_value_kind box_kind(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return CT_VALUE_KIND_NONE;
    const void *const metatable = lua_topointer(L, -1);
    lua_pop(L, 1);
    for (uint32_t kind = 1; kind < CT_VALUE_KIND_COUNT; ++kind) {
        if (ct_lua_of(L)->box_metatables[kind] == metatable)
            return (ct_value_kind)kind;
    }
    return CT_VALUE_KIND_NONE;
}

static void check_userdata(writing *w, int index, const step *above) {
    ct_lua_array_kind kind;
    const ct_lua_array *const array = array_at(w->L, index, &kind);
    if (!array) {
        if (box_kind(w->L, index) == CT_VALUE_KIND_NONE)
            refuse_type(w, above, index);
        return;
    }
    for (uint32_t i = 0; i < w->known->seen.count; ++i) {
        if (w->known->seen.items[i] == (uint64_t)(uintptr_t)array)
            refuse(w, above, " is an array that is sent twice; arrays are moved, so send a copy");
    }
    if (w->known->seen.count == MAX_ARRAYS)
        refuse(w, above, " is one array more than the 4096 that a message may have; join them");
    ct_array_push(&w->known->seen, (uint64_t)(uintptr_t)array);
}

static void check_value(const writing *w, int index, const step *above) {
    const uint64_t value = ct_value_at(w->L, index);
    const ct_lua *const m = ct_lua_of(w->L);
    switch (ct_value_kind_of(value)) {
    case CT_VALUE_KIND_ENTITY:
    case CT_VALUE_KIND_ID32:
    case CT_VALUE_KIND_OBJECT:
    case CT_VALUE_KIND_ACTOR:
        return;
    case CT_VALUE_KIND_COMPONENT:
        if (!ct_component_type_of_value(m, value))
            refuse_type(w, above, index);
        return;
    default:
        if (!ct_temporary_data(m, value))
            refuse_type(w, above, index);
    }
}

static void check(writing *w, int index, const step *above) {
    const int type = lua_type(w->L, index);
    w->known->bytes += type == LUA_TSTRING ? 8 + lua_objlen(w->L, index)
                       : type == LUA_TUSERDATA || type == LUA_TLIGHTUSERDATA ? MAX_VALUE_BYTES
                                                                             : 16;
    if (w->known->bytes > CT_LUA_MESSAGE_MAX_BYTES)
        refuse(w, above, " makes the message larger than 256 MiB; send less, or arrays");
    switch (type) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
        return;
    case LUA_TTABLE:
        check_table(w, index, above);
        return;
    case LUA_TUSERDATA:
        check_userdata(w, index, above);
        return;
    case LUA_TLIGHTUSERDATA:
        check_value(w, index, above);
        return;
    default:
        refuse_type(w, above, index);
    }
}

// --- Writing -------------------------------------------------------------------------------------

// Values were checked, so this fails only for those that changed since: garbage collection between
// the check and this may run Lua.

static void put(ct_lua_message *out, const void *data, uint64_t bytes) {
    ct_array_push_many(&out->bytes, (const uint8_t *)data, bytes);
}

static void put_byte(ct_lua_message *out, uint32_t byte) {
    ct_array_push(&out->bytes, (uint8_t)byte);
}

static bool write_value(lua_State *L, int index, uint32_t depth, ct_lua_message *out);

static bool write_table(lua_State *L, int index, uint32_t depth, ct_lua_message *out) {
    if (depth == CT_LUA_MESSAGE_MAX_DEPTH || !lua_checkstack(L, 8))
        return false;
    put_byte(out, TAG_TABLE);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        const int value = lua_gettop(L);
        if (!write_value(L, value - 1, depth + 1, out) || !write_value(L, value, depth + 1, out))
            return false;
        lua_settop(L, value - 1);
    }
    put_byte(out, TAG_END);
    return true;
}

static bool move_array(lua_State *L, int index, ct_lua_message *out) {
    ct_lua_array_kind kind;
    ct_lua_array *const array = (ct_lua_array *)(uintptr_t)array_at(L, index, &kind);
    if (!array)
        return false;
    const uint32_t place = out->arrays.count;
    put_byte(out, kind == CT_LUA_ARRAY_KIND_FLOATS ? TAG_FLOATS : TAG_ENTITIES);
    put(out, &place, sizeof(place));
    ct_array_push(&out->arrays, (ct_lua_moved){array->items, array->count, array->capacity});
    ct_lua_of(L)->memory.bytes -= array->capacity * (uint64_t)sizeof(*array->items);
    array->items = NULL;
    array->count = array->capacity = 0;
    return true;
}

static bool write_userdata(lua_State *L, int index, ct_lua_message *out) {
    const ct_value_kind kind = box_kind(L, index);
    if (kind == CT_VALUE_KIND_NONE)
        return move_array(L, index, out);
    put_byte(out, TAG_BOX);
    put_byte(out, kind);
    put_byte(out, (uint32_t)lua_objlen(L, index));
    put(out, lua_touserdata(L, index), lua_objlen(L, index));
    return true;
}

static bool write_light_userdata(lua_State *L, int index, ct_lua_message *out) {
    const uint64_t value = ct_value_at(L, index);
    const ct_lua *const m = ct_lua_of(L);
    const ct_value_kind kind = ct_value_kind_of(value);
    if (kind == CT_VALUE_KIND_COMPONENT) {
        const component c = {ct_component_type_of_value(m, value), ct_entity_of_value(value),
                             ct_component_number_of_value(value)};
        put_byte(out, TAG_COMPONENT);
        put(out, &c, sizeof(c));
        return c.type != NULL;
    }
    const float *const floats = ct_temporary_data(m, value);
    if (!floats) {
        put_byte(out, TAG_HANDLE);
        put(out, &value, sizeof(value));
        return true;
    }
    put_byte(out, TAG_TEMPORARY);
    put_byte(out, kind);
    put(out, floats, ct_temporary_slots(kind) * (uint64_t)CT_TEMPORARY_SLOT_BYTES);
    return true;
}

static bool write_value(lua_State *L, int index, uint32_t depth, ct_lua_message *out) {
    size_t length;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        put_byte(out, TAG_NIL);
        return true;
    case LUA_TBOOLEAN:
        put_byte(out, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE);
        return true;
    case LUA_TNUMBER: {
        const double number = lua_tonumber(L, index);
        put_byte(out, TAG_NUMBER);
        put(out, &number, sizeof(number));
        return true;
    }
    case LUA_TSTRING: {
        const char *const text = lua_tolstring(L, index, &length);
        const uint32_t bytes = (uint32_t)length;
        put_byte(out, TAG_STRING);
        put(out, &bytes, sizeof(bytes));
        put(out, text, bytes);
        return true;
    }
    case LUA_TTABLE:
        return write_table(L, index, depth, out);
    case LUA_TUSERDATA:
        return write_userdata(L, index, out);
    case LUA_TLIGHTUSERDATA:
        return write_light_userdata(L, index, out);
    default:
        return false;
    }
}

void ct_lua_message_check_value(lua_State *L, int index, const char *name,
                                ct_lua_message_check *known) {
    writing w = {.L = L, .name = name, .known = known};
    const int top = lua_gettop(L);
    check(&w, index < 0 ? top + index + 1 : index, NULL);
    lua_settop(L, top);
}

bool ct_lua_message_add(lua_State *L, int index, ct_lua_message *message) {
    if (!write_value(L, index < 0 ? lua_gettop(L) + index + 1 : index, 0, message))
        return false;
    ++message->num_values;
    return true;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct reading {
    lua_State *L;
    ct_lua_message *in;
    uint32_t at;
} reading;

static void take(reading *r, void *data, uint64_t bytes) {
    memcpy(data, r->in->bytes.items + r->at, bytes);
    r->at += (uint32_t)bytes;
}

static uint32_t take_byte(reading *r) {
    return r->in->bytes.items[r->at++];
}

static void read_value(reading *r);

static void read_table(reading *r) {
    luaL_checkstack(r->L, 8, "too many tables");
    lua_newtable(r->L);
    while (r->in->bytes.items[r->at] != TAG_END) {
        read_value(r);
        read_value(r);
        lua_rawset(r->L, -3);
    }
    ++r->at;
}

static void read_array(reading *r, ct_lua_array_kind kind) {
    uint32_t place;
    take(r, &place, sizeof(place));
    ct_lua_array *const array = ct_push_array(r->L, kind, 0);
    ct_lua_moved *const moved = &r->in->arrays.items[place];
    array->items = moved->items;
    array->count = moved->count;
    array->capacity = moved->capacity;
    ct_lua_of(r->L)->memory.bytes += moved->capacity * (uint64_t)sizeof(*array->items);
    *moved = (ct_lua_moved){0};
}

static void read_temporary(reading *r) {
    const ct_value_kind kind = (ct_value_kind)take_byte(r);
    ct_mat4 m;
    take(r, &m, ct_temporary_slots(kind) * (uint64_t)CT_TEMPORARY_SLOT_BYTES);
    const float *const v = m.col[0].raw;
    uint64_t id;
    memcpy(&id, v, sizeof(id));
    switch (kind) {
    case CT_VALUE_KIND_VECTOR2:
        ct_push_vector2(r->L, (ct_vec2){{v[0], v[1]}});
        return;
    case CT_VALUE_KIND_VECTOR3:
        ct_push_vector3(r->L, ct_vec3_make(v[0], v[1], v[2]));
        return;
    case CT_VALUE_KIND_VECTOR4:
        ct_push_vector4(r->L, m.col[0]);
        return;
    case CT_VALUE_KIND_QUATERNION:
        ct_push_quaternion(r->L, (ct_quat){{v[0], v[1], v[2], v[3]}});
        return;
    case CT_VALUE_KIND_MATRIX4X4:
        ct_push_matrix4x4(r->L, &m);
        return;
    default:
        ct_push_id64(r->L, (ct_string_id64){id});
    }
}

static void read_box(reading *r) {
    const ct_value_kind kind = (ct_value_kind)take_byte(r);
    const uint32_t bytes = take_byte(r);
    take(r, lua_newuserdata(r->L, bytes), bytes);
    lua_pushfstring(r->L, "%sBox", ct_value_kind_name(kind));
    lua_rawget(r->L, LUA_REGISTRYINDEX);
    lua_setmetatable(r->L, -2);
}

static void read_text(reading *r) {
    uint32_t bytes;
    take(r, &bytes, sizeof(bytes));
    lua_pushlstring(r->L, (const char *)r->in->bytes.items + r->at, bytes);
    r->at += bytes;
}

static void read_value(reading *r) {
    double number;
    uint64_t value;
    component c;
    switch ((tag)take_byte(r)) {
    case TAG_NIL:
    case TAG_END:
        lua_pushnil(r->L);
        return;
    case TAG_FALSE:
        lua_pushboolean(r->L, false);
        return;
    case TAG_TRUE:
        lua_pushboolean(r->L, true);
        return;
    case TAG_NUMBER:
        take(r, &number, sizeof(number));
        lua_pushnumber(r->L, number);
        return;
    case TAG_STRING:
        read_text(r);
        return;
    case TAG_TABLE:
        read_table(r);
        return;
    case TAG_TEMPORARY:
        read_temporary(r);
        return;
    case TAG_HANDLE:
        take(r, &value, sizeof(value));
        lua_pushlightuserdata(r->L, (void *)(uintptr_t)value);
        return;
    case TAG_COMPONENT:
        take(r, &c, sizeof(c));
        ct_push_component(r->L, c.type, c.entity, c.number);
        return;
    case TAG_BOX:
        read_box(r);
        return;
    case TAG_FLOATS:
        read_array(r, CT_LUA_ARRAY_KIND_FLOATS);
        return;
    case TAG_ENTITIES:
        read_array(r, CT_LUA_ARRAY_KIND_ENTITIES);
        return;
    }
}

int ct_lua_message_push(lua_State *L, ct_lua_message *message) {
    reading r = {.L = L, .in = message};
    luaL_checkstack(L, (int)message->num_values + 8, "too many values");
    for (uint32_t i = 0; i < message->num_values; ++i)
        read_value(&r);
    return (int)message->num_values;
}
