#include "save/save_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/sjson/sjson_writer.h"

// --- Types ---------------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t fixed_bytes;
} types[CT_SAVE_NUM_TYPES] = {
    [CT_SAVE_NIL] = {"nil", 0},
    [CT_SAVE_FALSE] = {"boolean", 0},
    [CT_SAVE_TRUE] = {"boolean", 0},
    [CT_SAVE_NUMBER] = {"number", 8},
    [CT_SAVE_STRING] = {"string", 0},
    [CT_SAVE_TABLE] = {"table", 0},
    [CT_SAVE_WORLD] = {"SavedWorld", 4},
    [CT_SAVE_VECTOR2] = {"Vector2", 8},
    [CT_SAVE_VECTOR3] = {"Vector3", 12},
    [CT_SAVE_VECTOR4] = {"Vector4", 16},
    [CT_SAVE_QUATERNION] = {"Quaternion", 16},
    [CT_SAVE_MATRIX4X4] = {"Matrix4x4", 64},
    [CT_SAVE_ID32] = {"IdString32", 4},
    [CT_SAVE_ID64] = {"IdString64", 8},
};

static uint32_t plain(uint32_t type) {
    return type & ~(uint32_t)CT_SAVE_BOXED;
}

uint32_t ct_save_fixed_bytes(uint32_t type) {
    return plain(type) < CT_SAVE_NUM_TYPES ? types[plain(type)].fixed_bytes : 0;
}

const char *ct_save_type_name(uint32_t type) {
    return plain(type) < CT_SAVE_NUM_TYPES ? types[plain(type)].name : "?";
}

// --- Writing -------------------------------------------------------------------------------------

void ct_save_add_type(ct_byte_array *out, uint32_t type) {
    ct_array_push(out, (uint8_t)type);
}

void ct_save_add_fixed(ct_byte_array *out, uint32_t type, const void *data) {
    ct_save_add_type(out, type);
    ct_array_push_many(out, (const uint8_t *)data, ct_save_fixed_bytes(type));
}

void ct_save_add_number(ct_byte_array *out, double number) {
    ct_save_add_fixed(out, CT_SAVE_NUMBER, &number);
}

void ct_save_add_string(ct_byte_array *out, const char *text, uint32_t bytes) {
    ct_save_add_type(out, CT_SAVE_STRING);
    ct_array_push_many(out, (const uint8_t *)&bytes, (uint32_t)sizeof(bytes));
    if (bytes > 0)
        ct_array_push_many(out, (const uint8_t *)text, bytes);
}

uint32_t ct_save_begin_table(ct_byte_array *out) {
    const uint32_t begin = out->count, count = 0;
    ct_save_add_type(out, CT_SAVE_TABLE);
    ct_array_push_many(out, (const uint8_t *)&count, (uint32_t)sizeof(count));
    return begin;
}

void ct_save_end_table(ct_byte_array *out, uint32_t begin, uint32_t count) {
    memcpy(out->items + begin + 1, &count, sizeof(count));
}

// --- The check -----------------------------------------------------------------------------------

typedef struct checking {
    const uint8_t *begin, *at, *end;
    uint32_t num_worlds;
    ct_error *error;
} checking;

static bool is_short(const checking *c) {
    return ct_error_set(c->error, "the value at byte %llu is cut off",
                        (unsigned long long)(c->at - c->begin));
}

static bool check_one(checking *c, uint32_t depth, bool is_key);

static bool check_table(checking *c, uint32_t depth, uint32_t count) {
    if (depth == CT_SAVE_MAX_DEPTH)
        return ct_error_set(c->error, "tables are deeper than %d", CT_SAVE_MAX_DEPTH);
    for (uint32_t i = 0; i < count; ++i) {
        if (!check_one(c, depth + 1, true) || !check_one(c, depth + 1, false))
            return false;
    }
    return true;
}

// A key that Lua refuses, or that could not be found again.
static bool is_bad_key(uint32_t type, const uint8_t *data) {
    double number = 0;
    if (type == CT_SAVE_NUMBER)
        memcpy(&number, data, sizeof(number));
    return isnan(number) || (type != CT_SAVE_NUMBER && type != CT_SAVE_STRING &&
                             type != CT_SAVE_FALSE && type != CT_SAVE_TRUE);
}

static bool check_one(checking *c, uint32_t depth, bool is_key) {
    if (c->at == c->end)
        return is_short(c);
    const uint32_t whole = *c->at, type = plain(whole);
    const bool may_be_boxed = type >= CT_SAVE_VECTOR2;
    if (type >= CT_SAVE_NUM_TYPES || (whole != type && !may_be_boxed))
        return ct_error_set(c->error, "found the type %u at byte %llu; expected 0 to %d", whole,
                            (unsigned long long)(c->at - c->begin), CT_SAVE_NUM_TYPES - 1);
    const uint64_t left = (uint64_t)(c->end - c->at) - 1;
    const bool has_count = type == CT_SAVE_STRING || type == CT_SAVE_TABLE || type == CT_SAVE_WORLD;
    uint32_t count = 0;
    if (left < types[type].fixed_bytes || (has_count && left < sizeof(count)))
        return is_short(c);
    if (is_key && is_bad_key(type, c->at + 1))
        return ct_error_set(c->error, "the key of a table at byte %llu is of the type %s",
                            (unsigned long long)(c->at - c->begin), types[type].name);
    if (has_count)
        memcpy(&count, c->at + 1, sizeof(count));
    if (type == CT_SAVE_WORLD && count >= c->num_worlds)
        return ct_error_set(c->error, "found the world number %u; the file has %u", count,
                            c->num_worlds);
    if (type == CT_SAVE_STRING && left - sizeof(count) < count)
        return is_short(c);
    c->at += 1 + types[type].fixed_bytes;
    if (type == CT_SAVE_STRING)
        c->at += sizeof(count) + count;
    if (type != CT_SAVE_TABLE)
        return true;
    c->at += sizeof(count);
    return check_table(c, depth, count);
}

bool ct_save_value_check(const void *data, uint64_t size_bytes, uint32_t num_worlds,
                         ct_error *error) {
    checking c = {data, data, (const uint8_t *)data + size_bytes, num_worlds, error};
    if (!check_one(&c, 0, false))
        return false;
    return c.at == c.end || ct_error_set(error, "found %llu bytes behind the value",
                                         (unsigned long long)(c.end - c.at));
}

// --- Reading -------------------------------------------------------------------------------------

static void take(ct_save_reader *r, void *to, uint32_t bytes) {
    memcpy(to, r->at, bytes);
    r->at += bytes;
}

ct_save_value ct_save_read(ct_save_reader *r) {
    const uint32_t whole = *r->at++;
    ct_save_value v = {.type = plain(whole), .is_boxed = whole != plain(whole)};
    switch (v.type) {
    case CT_SAVE_NUMBER:
        take(r, &v.number, sizeof(v.number));
        break;
    case CT_SAVE_STRING:
        take(r, &v.count, sizeof(v.count));
        v.text = (const char *)r->at;
        r->at += v.count;
        break;
    case CT_SAVE_TABLE:
    case CT_SAVE_WORLD:
        take(r, &v.count, sizeof(v.count));
        break;
    case CT_SAVE_ID32: {
        uint32_t id;
        take(r, &id, sizeof(id));
        v.id = id;
        break;
    }
    case CT_SAVE_ID64:
        take(r, &v.id, sizeof(v.id));
        break;
    default:
        take(r, v.floats, types[v.type].fixed_bytes);
    }
    return v;
}

void ct_save_skip(ct_save_reader *r) {
    const ct_save_value v = ct_save_read(r);
    for (uint64_t i = 0; v.type == CT_SAVE_TABLE && i < 2ull * v.count; ++i)
        ct_save_skip(r);
}

bool ct_save_find(const void *data, const char *key, ct_save_value *value) {
    ct_save_reader r = {data};
    const ct_save_value table = ct_save_read(&r);
    const size_t bytes = strlen(key);
    for (uint32_t i = 0; table.type == CT_SAVE_TABLE && i < table.count; ++i) {
        const ct_save_value k = ct_save_read(&r);
        if (k.type == CT_SAVE_STRING && k.count == bytes && memcmp(k.text, key, bytes) == 0) {
            *value = ct_save_read(&r);
            return true;
        }
        ct_save_skip(&r);
    }
    return false;
}

// --- Printing ------------------------------------------------------------------------------------

// Whether the keys of the table that follows are 1 to n, in this order.
static bool is_list(ct_save_reader r, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_save_value key = ct_save_read(&r);
        if (key.type != CT_SAVE_NUMBER || key.number != i + 1)
            return false;
        ct_save_skip(&r);
    }
    return count > 0;
}

static void print_number(ct_sjson_writer *w, double number) {
    if (isfinite(number))
        ct_sjson_write_number(w, number);
    else
        ct_sjson_write_string(w, isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

static void print_key(ct_sjson_writer *w, const ct_save_value *key) {
    char text[256];
    if (key->type == CT_SAVE_NUMBER)
        snprintf(text, sizeof(text), "%.17g", key->number);
    else if (key->type == CT_SAVE_STRING)
        snprintf(text, sizeof(text), "%.*s", (int)(key->count < 255 ? key->count : 255), key->text);
    else
        snprintf(text, sizeof(text), "%s", key->type == CT_SAVE_TRUE ? "true" : "false");
    ct_sjson_write_key(w, text);
}

static void print_table(ct_save_reader *r, ct_sjson_writer *w, uint32_t count) {
    const bool list = is_list(*r, count);
    if (list)
        ct_sjson_begin_array(w);
    else
        ct_sjson_begin_object(w);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_save_value key = ct_save_read(r);
        if (!list)
            print_key(w, &key);
        ct_save_print(r, w);
    }
    if (list)
        ct_sjson_end_array(w);
    else
        ct_sjson_end_object(w);
}

static void print_engine_value(ct_sjson_writer *w, const ct_save_value *v) {
    char name[32], id[17];
    snprintf(name, sizeof(name), "%s%s", types[v->type].name, v->is_boxed ? "Box" : "");
    ct_sjson_begin_object(w);
    ct_sjson_write_key(w, name);
    if (v->type == CT_SAVE_WORLD) {
        ct_sjson_write_number(w, v->count + 1);
    } else if (v->type == CT_SAVE_ID32 || v->type == CT_SAVE_ID64) {
        snprintf(id, sizeof(id), "%0*" PRIx64, v->type == CT_SAVE_ID32 ? 8 : 16, v->id);
        ct_sjson_write_string(w, id);
    } else {
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; i < types[v->type].fixed_bytes / sizeof(float); ++i)
            print_number(w, (double)v->floats[i]);
        ct_sjson_end_array(w);
    }
    ct_sjson_end_object(w);
}

void ct_save_print(ct_save_reader *r, ct_sjson_writer *w) {
    const ct_save_value v = ct_save_read(r);
    switch (v.type) {
    case CT_SAVE_NIL:
        ct_sjson_write_null(w);
        break;
    case CT_SAVE_FALSE:
    case CT_SAVE_TRUE:
        ct_sjson_write_bool(w, v.type == CT_SAVE_TRUE);
        break;
    case CT_SAVE_NUMBER:
        print_number(w, v.number);
        break;
    case CT_SAVE_STRING:
        ct_sjson_write_string_bytes(w, v.text, v.count);
        break;
    case CT_SAVE_TABLE:
        print_table(r, w, v.count);
        break;
    default:
        print_engine_value(w, &v);
    }
}
