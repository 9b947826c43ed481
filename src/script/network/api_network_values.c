// api_network_values.c: peers, names and values of a network_config between Lua and words.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/math/math.h"
#include "network/fields/network_record.h"
#include "script/network/api_network.h"

// --- Peers ---------------------------------------------------------------------------------------

const char *ct_print_peer(ct_peer_id peer, char text[CT_PEER_BYTES]) {
    snprintf(text, CT_PEER_BYTES, "%016" PRIx64, peer);
    return text;
}

ct_peer_id ct_read_peer(const char *text) {
    ct_peer_id peer = 0;
    if (strlen(text) != CT_PEER_BYTES - 1)
        return 0;
    for (; *text; ++text) {
        const char *const digits = "0123456789abcdefABCDEF";
        const char *const found = strchr(digits, *text);
        if (!found)
            return 0;
        const uint64_t digit = (uint64_t)(found - digits);
        peer = peer << 4 | (digit < 16 ? digit : digit - 6);
    }
    return peer;
}

int ct_push_peer(lua_State *L, ct_peer_id peer) {
    char text[CT_PEER_BYTES];
    if (peer)
        lua_pushstring(L, ct_print_peer(peer, text));
    else
        lua_pushnil(L);
    return 1;
}

ct_peer_id ct_check_peer(lua_State *L, int argument) {
    const char *const text = ct_check_string(L, argument);
    const ct_peer_id peer = ct_read_peer(text);
    if (!peer)
        ct_argument_error(
            L, argument,
            "expected a peer as Network.peer_id returns it, 16 hexadecimal digits, got "
            "\"%.64s\"",
            text);
    return peer;
}

int ct_push_peers(lua_State *L, const ct_peer_id *peers, uint32_t count) {
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_peer(L, peers[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// --- Names ---------------------------------------------------------------------------------------

// Says that what `owner` names has no `what` of a name; the message guesses the nearest one.
static void no_such_name(ct_error *error, const char *owner, const char *what, const char *name,
                         const char *const *names, uint32_t count) {
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        ct_error_set(error, "%s has no %s \"%.64s\"; did you mean \"%s\"?", owner, what, name,
                     nearest);
    else
        ct_error_set(error, "%s has no %s \"%.64s\"", owner, what, name);
}

static uint32_t no_such_record(lua_State *L, int argument, const char *what,
                               const ct_network_config_resource *config,
                               const ct_network_record_type *records, uint32_t count) {
    const char *names[CT_NETWORK_MAX_RECORDS];
    ct_error error;
    for (uint32_t i = 0; i < count; ++i)
        names[i] = ct_blob_at(config, records[i].name.offset);
    no_such_name(&error, "the network_config", what, lua_tostring(L, argument), names, count);
    return (uint32_t)ct_argument_error(L, argument, "%s", error.message);
}

uint32_t ct_check_network_object(lua_State *L, int argument,
                                 const ct_network_config_resource *config) {
    const char *const name = ct_check_string(L, argument);
    const uint32_t found = ct_network_config_object(config, ct_string_id32_of(name));
    if (found != UINT32_MAX)
        return found;
    return no_such_record(L, argument, "object", config, ct_network_config_objects(config),
                          config->objects.count);
}

uint32_t ct_check_network_message(lua_State *L, int argument,
                                  const ct_network_config_resource *config) {
    const char *const name = ct_check_string(L, argument);
    const uint32_t found = ct_network_config_message(config, ct_string_id32_of(name));
    if (found != UINT32_MAX)
        return found;
    return no_such_record(L, argument, "message", config, ct_network_config_messages(config),
                          config->messages.count);
}

uint32_t ct_check_network_type(lua_State *L, int argument,
                               const ct_network_config_resource *config) {
    const char *const name = ct_check_string(L, argument);
    const ct_network_type *const types = ct_network_config_types(config);
    const char *names[CT_NETWORK_MAX_TYPES];
    for (uint32_t i = 0; i < config->types.count; ++i) {
        names[i] = ct_blob_at(config, types[i].name.offset);
        if (strcmp(names[i], name) == 0)
            return i;
    }
    ct_error error;
    no_such_name(&error, "the network_config", "type", name, names, config->types.count);
    return (uint32_t)ct_argument_error(L, argument, "%s", error.message);
}

uint32_t ct_find_network_field(const ct_network_config_resource *config,
                               const ct_network_record_type *record, const char *name,
                               ct_error *error) {
    const uint32_t found = ct_network_config_field(config, record, ct_string_id32_of(name));
    if (found != UINT32_MAX)
        return found;
    const char *names[CT_NETWORK_MAX_FIELDS];
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    for (uint32_t i = 0; i < record->num_fields; ++i)
        names[i] = ct_blob_at(config, fields[i].name.offset);
    char owner[80];
    snprintf(owner, sizeof(owner), "\"%.64s\"",
             (const char *)ct_blob_at(config, record->name.offset));
    no_such_name(error, owner, "field", name, names, record->num_fields);
    return UINT32_MAX;
}

// --- From Lua ------------------------------------------------------------------------------------

// A field, or an element of one, that gets a value from Lua.
typedef struct taking {
    lua_State *L;
    const ct_network_config_resource *config;
    const ct_network_record_type *record;
    uint32_t field, element;
    uint32_t *words;
    ct_error *error;
} taking;

static bool refuse(const taking *t, int index, const char *expected) {
    const ct_network_field *const field = &ct_network_record_fields(t->config, t->record)[t->field];
    char element[32] = "";
    if (t->element != UINT32_MAX)
        snprintf(element, sizeof(element), ", element %u", t->element + 1);
    const char *const type = ct_value_type_name(t->L, index);
    const bool is_text = lua_type(t->L, index) == LUA_TSTRING;
    const char *const text = is_text ? lua_tostring(t->L, index) : "";
    return ct_error_set(t->error, "field \"%s\"%s: expected %s, got %s%s%.64s%s",
                        (const char *)ct_blob_at(t->config, field->name.offset), element, expected,
                        type, is_text ? " \"" : "", text, is_text ? "\"" : "");
}

static bool take_lookup(const taking *t, int index, const ct_network_type *type,
                        ct_network_value *v) {
    const char *const name =
        lua_type(t->L, index) == LUA_TSTRING ? ct_lua_name_at(t->L, index) : NULL;
    const char *nearest = NULL;
    for (uint32_t i = 0; name && i < type->num_lookups; ++i) {
        const char *const known = ct_network_config_lookup(t->config, type, i);
        v->lookup = i;
        if (strcmp(known, name) == 0)
            return true;
        const char *const better = ct_nearest_name(name, &known, 1);
        nearest = better ? better : nearest;
    }
    char expected[256];
    snprintf(expected, sizeof(expected), "a name of the list of type \"%.64s\"%s%.64s%s",
             (const char *)ct_blob_at(t->config, type->name.offset), nearest ? " (such as \"" : "",
             nearest ? nearest : "", nearest ? "\")" : "");
    return refuse(t, index, expected);
}

static bool take_integer(const taking *t, int index, double least, double most, double *number) {
    *number = lua_type(t->L, index) == LUA_TNUMBER ? lua_tonumber(t->L, index) : NAN;
    return (*number >= least && *number <= most && floor(*number) == *number) ||
           refuse(t, index, "an integer");
}

static bool take_id(const taking *t, int index, ct_network_value *v) {
    const char *const name =
        lua_type(t->L, index) == LUA_TSTRING ? ct_lua_name_at(t->L, index) : NULL;
    if (name)
        v->id = ct_string_id64_of(name).value;
    else if (ct_value_kind_at(t->L, index) == CT_VALUE_KIND_ID64)
        v->id = ct_check_id64(t->L, index).value;
    else
        return refuse(t, index, "an IdString64 or a string");
    return true;
}

static bool take_parts(const taking *t, int index, ct_value_kind kind, ct_network_value *v) {
    static const char *const names[] = {[CT_VALUE_KIND_VECTOR2] = "a Vector2",
                                        [CT_VALUE_KIND_VECTOR3] = "a Vector3",
                                        [CT_VALUE_KIND_QUATERNION] = "a Quaternion"};
    if (ct_value_kind_at(t->L, index) != kind)
        return refuse(t, index, names[kind]);
    if (kind == CT_VALUE_KIND_VECTOR2) {
        const ct_vec2 p = ct_check_vector2(t->L, index);
        memcpy(v->parts, &p, sizeof(p));
    } else if (kind == CT_VALUE_KIND_VECTOR3) {
        const ct_vec3 p = ct_check_vector3(t->L, index);
        memcpy(v->parts, &p, sizeof(p));
    } else {
        const ct_quat q = ct_check_quaternion(t->L, index);
        memcpy(v->parts, &q, sizeof(q));
    }
    return true;
}

static bool take_text(const taking *t, int index, ct_network_value *v) {
    size_t bytes;
    if (lua_type(t->L, index) != LUA_TSTRING)
        return refuse(t, index, "a string");
    v->string.text = lua_tolstring(t->L, index, &bytes);
    v->string.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    return true;
}

// Reads a value of any kind but an array.
static bool take_value(const taking *t, int index, const ct_network_type *type,
                       ct_network_value *v) {
    lua_State *const L = t->L;
    double number;
    v->kind = type->kind;
    switch ((ct_network_kind)type->kind) {
    case CT_NETWORK_BOOL:
        v->boolean = lua_toboolean(L, index);
        return lua_isboolean(L, index) || refuse(t, index, "a boolean");
    case CT_NETWORK_INTEGER:
        if (!take_integer(t, index, -1e15, 1e15, &number))
            return false;
        v->integer = (int32_t)fmax(type->first, fmin(type->last, number));
        return true;
    case CT_NETWORK_FLOAT:
        v->number = (float)lua_tonumber(L, index);
        return lua_type(L, index) == LUA_TNUMBER || refuse(t, index, "a number");
    case CT_NETWORK_VECTOR2:
        return take_parts(t, index, CT_VALUE_KIND_VECTOR2, v);
    case CT_NETWORK_VECTOR3:
        return take_parts(t, index, CT_VALUE_KIND_VECTOR3, v);
    case CT_NETWORK_ROTATION:
        return take_parts(t, index, CT_VALUE_KIND_QUATERNION, v);
    case CT_NETWORK_STRING:
        return take_text(t, index, v);
    case CT_NETWORK_ID:
        return take_id(t, index, v);
    case CT_NETWORK_PEER:
        if (lua_isnil(L, index))
            v->id = 0;
        else if (lua_type(L, index) != LUA_TSTRING ||
                 !(v->id = ct_read_peer(lua_tostring(L, index))))
            return refuse(t, index, "a peer, 16 hexadecimal digits");
        return true;
    case CT_NETWORK_OBJECT:
        if (lua_isnil(L, index)) {
            v->id = 0;
        } else {
            if (!take_integer(t, index, 0, UINT32_MAX, &number))
                return false;
            v->id = (uint64_t)number;
        }
        return true;
    case CT_NETWORK_LOOKUP:
        return take_lookup(t, index, type, v);
    case CT_NETWORK_ARRAY:
    case CT_NETWORK_KINDS:
        break;
    }
    return refuse(t, index, "a value");
}

static bool set(const taking *t, const ct_network_value *value) {
    return ct_network_record_set(t->config, t->record, t->field, t->element, value, t->words,
                                 t->error);
}

static bool take_array(taking *t, int index, const ct_network_type *type) {
    lua_State *const L = t->L;
    if (!lua_istable(L, index))
        return refuse(t, index, "a table");
    const size_t count = lua_objlen(L, index);
    const ct_network_type *const element = &ct_network_config_types(t->config)[type->element];
    ct_network_value v = {.kind = CT_NETWORK_ARRAY};
    v.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    if (!set(t, &v))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        t->element = i;
        lua_rawgeti(L, index, (int)i + 1);
        const bool is_taken = take_value(t, lua_gettop(L), element, &v) && set(t, &v);
        lua_pop(L, 1);
        if (!is_taken)
            return false;
    }
    return true;
}

bool ct_take_network_field(lua_State *L, int index, const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field, uint32_t *words,
                           ct_error *error) {
    taking t = {L, config, record, field, UINT32_MAX, words, error};
    const ct_network_field *const f = &ct_network_record_fields(config, record)[field];
    const ct_network_type *const type = &ct_network_config_types(config)[f->type];
    ct_network_value v = {0};
    if (type->kind == CT_NETWORK_ARRAY)
        return take_array(&t, index, type);
    return take_value(&t, index, type, &v) && set(&t, &v);
}

// --- To Lua --------------------------------------------------------------------------------------

static void push_value(lua_State *L, const ct_network_config_resource *config,
                       const ct_network_type *type, const ct_network_value *v) {
    switch ((ct_network_kind)type->kind) {
    case CT_NETWORK_BOOL:
        lua_pushboolean(L, v->boolean);
        break;
    case CT_NETWORK_INTEGER:
        lua_pushnumber(L, v->integer);
        break;
    case CT_NETWORK_FLOAT:
        lua_pushnumber(L, (lua_Number)v->number);
        break;
    case CT_NETWORK_VECTOR2:
        ct_push_vector2(L, ct_vec2_make(v->parts[0], v->parts[1]));
        break;
    case CT_NETWORK_VECTOR3:
        ct_push_vector3(L, ct_vec3_make(v->parts[0], v->parts[1], v->parts[2]));
        break;
    case CT_NETWORK_ROTATION: {
        ct_quat q;
        memcpy(&q, v->parts, sizeof(q));
        ct_push_quaternion(L, q);
        break;
    }
    case CT_NETWORK_STRING:
        lua_pushlstring(L, v->string.text, v->string.bytes);
        break;
    case CT_NETWORK_ID:
        ct_push_id64(L, (ct_string_id64){v->id});
        break;
    case CT_NETWORK_PEER:
        ct_push_peer(L, v->id);
        break;
    case CT_NETWORK_OBJECT:
        lua_pushnumber(L, (lua_Number)v->id);
        break;
    case CT_NETWORK_LOOKUP:
        lua_pushstring(L, ct_network_config_lookup(config, type, v->lookup));
        break;
    case CT_NETWORK_ARRAY:
    case CT_NETWORK_KINDS:
        lua_pushnil(L);
        break;
    }
}

// A field of a record, or of a moment when there is one.
typedef struct source {
    const ct_network_config_resource *config;
    const ct_network_record_type *record;
    uint32_t field;
    const uint32_t *words;
    const ct_network_moment *moment;
} source;

static ct_network_value value_of(const source *s, uint32_t element) {
    return s->moment ? ct_network_moment_value(s->config, s->record, s->moment, s->field, element)
                     : ct_network_record_get(s->config, s->record, s->field, element, s->words);
}

static void push_field(lua_State *L, const source *s) {
    const ct_network_field *const f = &ct_network_record_fields(s->config, s->record)[s->field];
    const ct_network_type *const types = ct_network_config_types(s->config);
    const ct_network_type *const type = &types[f->type];
    ct_network_value v = value_of(s, UINT32_MAX);
    if (type->kind != CT_NETWORK_ARRAY) {
        push_value(L, s->config, type, &v);
        return;
    }
    const uint32_t count = v.count;
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        v = value_of(s, i);
        push_value(L, s->config, &types[type->element], &v);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

void ct_push_network_field(lua_State *L, const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field,
                           const uint32_t *words) {
    push_field(L, &(source){config, record, field, words, NULL});
}

void ct_push_network_moment(lua_State *L, const ct_network_config_resource *config,
                            const ct_network_record_type *record, uint32_t field,
                            const ct_network_moment *moment) {
    push_field(L, &(source){config, record, field, NULL, moment});
}
