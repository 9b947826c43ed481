#include "plugin/plugin_schema.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

// What the engine calls a type, the size that its fields have (0: any), and what they are aligned to.
typedef struct type_row {
    ct_field_type type;
    uint32_t size_bytes, align_bytes, num_numbers;
    const char *name;
} type_row;

// clang-format off
static const type_row type_rows[CUTTLE_FIELD_PADDING + 1] = {
    [CUTTLE_FIELD_BOOL] = {CT_FIELD_TYPE_BOOL, 4, 4, 1, "BOOL"},
    [CUTTLE_FIELD_INT] = {CT_FIELD_TYPE_INT, 4, 4, 1, "INT"},
    [CUTTLE_FIELD_FLOAT] = {CT_FIELD_TYPE_FLOAT, 4, 4, 1, "FLOAT"},
    [CUTTLE_FIELD_VECTOR2] = {CT_FIELD_TYPE_VECTOR2, 8, 4, 2, "VECTOR2"},
    [CUTTLE_FIELD_VECTOR3] = {CT_FIELD_TYPE_VECTOR3, 12, 4, 3, "VECTOR3"},
    [CUTTLE_FIELD_VECTOR4] = {CT_FIELD_TYPE_VECTOR4, 16, 4, 4, "VECTOR4"},
    [CUTTLE_FIELD_QUATERNION] = {CT_FIELD_TYPE_QUATERNION, 16, 4, 4, "QUATERNION"},
    [CUTTLE_FIELD_COLOR] = {CT_FIELD_TYPE_COLOR, 16, 4, 4, "COLOR"},
    [CUTTLE_FIELD_ENUM] = {CT_FIELD_TYPE_ENUM, 4, 4, 0, "ENUM"},
    [CUTTLE_FIELD_TEXT] = {CT_FIELD_TYPE_TEXT, 0, 1, 0, "TEXT"},
    [CUTTLE_FIELD_NAME] = {CT_FIELD_TYPE_NAME, 4, 4, 0, "NAME"},
    [CUTTLE_FIELD_REFERENCE] = {CT_FIELD_TYPE_REFERENCE, 8, 8, 0, "REFERENCE"},
    [CUTTLE_FIELD_PADDING] = {CT_FIELD_TYPE_PADDING, 0, 1, 0, "PADDING"},
};
// clang-format on

ct_field_type ct_plugin_field_type(uint32_t type) {
    return type <= CUTTLE_FIELD_PADDING ? type_rows[type].type : CT_FIELD_TYPE_NONE;
}

// --- Checking ------------------------------------------------------------------------------------

static bool is_name(const char *name) {
    const size_t bytes = name ? strlen(name) : 0;
    return bytes > 0 && bytes < 128 && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == bytes;
}

static bool is_identity(const char *name, uint32_t identity) {
    return ((identity & CT_SCHEMA_ID) && strcmp(name, "id") == 0) ||
           ((identity & CT_SCHEMA_TYPE) && strcmp(name, "type") == 0) ||
           ((identity & CT_SCHEMA_REMOVED) && strcmp(name, "removed") == 0);
}

static uint32_t count_names(const cuttle_field *f) {
    uint32_t count = 0;
    while (f->enum_names && f->enum_names[count])
        ++count;
    return count;
}

// The numbers of a default, in the field's range.
static bool check_numbers(const char *name, const cuttle_field *f, const type_row *row,
                          ct_error *error) {
    const bool has_range = f->least < f->most && f->type != CUTTLE_FIELD_COLOR;
    if (!isfinite(f->least) || !isfinite(f->most))
        return ct_error_set(error, "%s.%s: its range is not finite", name, f->name);
    for (uint32_t i = 0; i < row->num_numbers; ++i) {
        const double value = f->default_value[i];
        const bool is_in = !has_range || (value >= f->least && value <= f->most);
        const bool is_whole = f->type != CUTTLE_FIELD_INT || (fabs(value) < 2147483648.0);
        if (!isfinite((float)value) || !is_in || !is_whole)
            return ct_error_set(error,
                                "%s.%s: its default %g is not in its range; give default_value, or "
                                "a range (least, most) that it is in",
                                name, f->name, value);
    }
    return true;
}

static bool check_rest(const char *name, const cuttle_field *f, ct_error *error) {
    if (f->type == CUTTLE_FIELD_ENUM && count_names(f) == 0)
        return ct_error_set(error, "%s.%s: an ENUM needs enum_names, ended by NULL", name, f->name);
    if (f->type == CUTTLE_FIELD_REFERENCE && (!f->reference_type || !f->reference_type[0]))
        return ct_error_set(error, "%s.%s: a REFERENCE needs reference_type, such as \"texture\"",
                            name, f->name);
    if (f->type != CUTTLE_FIELD_TEXT || !f->default_text)
        return true;
    return strlen(f->default_text) < f->size_bytes ||
           ct_error_set(error, "%s.%s: its default text does not fit into %u bytes", name, f->name,
                        f->size_bytes);
}

static bool check_place(const cuttle_schema *s, const cuttle_field *f, const type_row *row,
                        ct_error *error) {
    if (row->size_bytes ? f->size_bytes != row->size_bytes : f->size_bytes == 0)
        return ct_error_set(error, "%s.%s: a %s has %s%u bytes, found %u", s->name, f->name,
                            row->name, row->size_bytes ? "" : "at least ",
                            row->size_bytes ? row->size_bytes : 1, f->size_bytes);
    if (f->offset > s->size_bytes || f->size_bytes > s->size_bytes - f->offset)
        return ct_error_set(error, "%s.%s: it ends behind the %u bytes of the struct", s->name,
                            f->name, s->size_bytes);
    return f->offset % row->align_bytes == 0 ||
           ct_error_set(error, "%s.%s: a %s must be at a multiple of %u bytes, found %u", s->name,
                        f->name, row->name, row->align_bytes, f->offset);
}

// Fields before it have other names and places.
static bool check_apart(const cuttle_schema *s, uint32_t index, ct_error *error) {
    const cuttle_field *const f = &s->fields[index];
    for (uint32_t i = 0; i < index; ++i) {
        const cuttle_field *const other = &s->fields[i];
        if (strcmp(f->name, other->name) == 0 && f->type != CUTTLE_FIELD_PADDING)
            return ct_error_set(error, "%s has two fields \"%s\"", s->name, f->name);
        if (f->offset < other->offset + other->size_bytes &&
            other->offset < f->offset + f->size_bytes)
            return ct_error_set(error, "%s: the fields \"%s\" and \"%s\" are at the same place",
                                s->name, other->name, f->name);
    }
    return true;
}

static bool check_field(const cuttle_schema *s, uint32_t index, uint32_t identity,
                        ct_error *error) {
    const cuttle_field *const f = &s->fields[index];
    if (!is_name(f->name))
        return ct_error_set(error, "%s: field %u needs a name of a-z, 0-9 and _, found \"%.64s\"",
                            s->name, index, f->name ? f->name : "");
    if (is_identity(f->name, identity))
        return ct_error_set(error, "%s.%s: all sources have this member; choose another name",
                            s->name, f->name);
    if (f->type == CUTTLE_FIELD_BYTES)
        return ct_error_set(error, "%s.%s: sources cannot give BYTES; only states may have them",
                            s->name, f->name);
    const type_row *const row = f->type <= CUTTLE_FIELD_PADDING ? &type_rows[f->type] : NULL;
    if (!row || !row->name)
        return ct_error_set(error, "%s.%s: there is no type of fields %u", s->name, f->name,
                            f->type);
    return check_place(s, f, row, error) && check_numbers(s->name, f, row, error) &&
           check_rest(s->name, f, error) && check_apart(s, index, error);
}

bool ct_plugin_schema_check(const cuttle_schema *schema, const char *what, uint32_t identity,
                            ct_error *error) {
    if (!schema || !is_name(schema->name))
        return ct_error_set(error,
                            "a %s needs a schema with a name of a-z, 0-9 and _, found \"%.64s\"",
                            what, schema && schema->name ? schema->name : "");
    if (schema->num_fields == 0 || schema->num_fields > CT_PLUGIN_SCHEMA_MAX_FIELDS ||
        !schema->fields)
        return ct_error_set(error, "%s: a %s has 1 to %d fields, found %u", schema->name, what,
                            CT_PLUGIN_SCHEMA_MAX_FIELDS, schema->fields ? schema->num_fields : 0);
    if (schema->size_bytes == 0 || schema->size_bytes > CT_PLUGIN_SCHEMA_MAX_BYTES)
        return ct_error_set(error, "%s: the struct of a %s has 1 to %d bytes, found %u",
                            schema->name, what, CT_PLUGIN_SCHEMA_MAX_BYTES, schema->size_bytes);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (!check_field(schema, i, identity, error))
            return false;
        const uint32_t align = type_rows[schema->fields[i].type].align_bytes;
        if (schema->size_bytes % align != 0)
            return ct_error_set(error,
                                "%s: its %u bytes must be a multiple of %u, for the field %s",
                                schema->name, schema->size_bytes, align, schema->fields[i].name);
    }
    return true;
}

// --- Copying -------------------------------------------------------------------------------------

// Room in one allocation. While `base` is NULL, only its size is found.
typedef struct arena {
    char *base;
    uint64_t used_bytes;
} arena;

static void *take(arena *a, uint64_t size_bytes) {
    void *const at = a->base ? a->base + a->used_bytes : NULL;
    a->used_bytes += (size_bytes + 7) / 8 * 8;
    return at;
}

static const char *copy_text(arena *a, const char *text) {
    if (!text)
        return NULL;
    const size_t bytes = strlen(text) + 1;
    char *const copy = take(a, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

static const char *const *copy_names(arena *a, const cuttle_field *f) {
    const uint32_t count = count_names(f);
    const char **const copy = take(a, sizeof(*copy) * (count + 1ull));
    for (uint32_t i = 0; i < count; ++i) {
        const char *const name = copy_text(a, f->enum_names[i]);
        if (copy)
            copy[i] = name;
    }
    if (copy)
        copy[count] = NULL;
    return copy;
}

static ct_field copy_field(arena *a, const cuttle_field *f) {
    ct_field copy = {.name = copy_text(a, f->name),
                     .type = type_rows[f->type].type,
                     .offset = f->offset,
                     .size_bytes = f->size_bytes,
                     .flags = f->flags & CUTTLE_FIELD_REQUIRED ? CT_FIELD_REQUIRED : 0,
                     .doc = copy_text(a, f->doc ? f->doc : ""),
                     .unit = copy_text(a, f->unit),
                     .least = f->least,
                     .most = f->most,
                     .default_text = copy_text(a, f->default_text),
                     .reference_type = copy_text(a, f->reference_type),
                     .enum_names = f->type == CUTTLE_FIELD_ENUM ? copy_names(a, f) : NULL};
    const double *const d = f->default_value;
    memcpy(copy.default_value, d, sizeof(copy.default_value));
    if (f->type == CUTTLE_FIELD_QUATERNION && d[0] == 0 && d[1] == 0 && d[2] == 0 && d[3] == 0)
        copy.default_value[3] = 1;
    return copy;
}

static ct_schema *copy_schema(arena *a, const cuttle_schema *s, uint32_t identity) {
    ct_schema *const copy = take(a, sizeof(*copy));
    ct_field *const fields = take(a, sizeof(*fields) * s->num_fields);
    const ct_schema values = {.name = copy_text(a, s->name),
                              .doc = copy_text(a, s->doc ? s->doc : ""),
                              .size_bytes = s->size_bytes,
                              .num_fields = s->num_fields,
                              .fields = fields,
                              .identity = identity};
    for (uint32_t i = 0; i < s->num_fields; ++i) {
        const ct_field field = copy_field(a, &s->fields[i]);
        if (fields)
            fields[i] = field;
    }
    if (copy)
        *copy = values;
    return copy;
}

ct_schema *ct_plugin_schema_copy(ct_allocator *a, const cuttle_schema *schema, uint32_t identity) {
    arena room = {0};
    copy_schema(&room, schema, identity);
    room = (arena){.base = ct_alloc_zero(a, room.used_bytes)};
    return copy_schema(&room, schema, identity);
}

void ct_plugin_schema_free(ct_allocator *a, ct_schema *schema) {
    ct_free(a, schema);
}

// --- Comparing -----------------------------------------------------------------------------------

static bool has_names(const ct_field *f, const cuttle_field *other) {
    uint32_t i = 0;
    if (f->type != CT_FIELD_TYPE_ENUM)
        return true;
    while (f->enum_names[i] && other->enum_names[i] &&
           strcmp(f->enum_names[i], other->enum_names[i]) == 0)
        ++i;
    return !f->enum_names[i] && !other->enum_names[i];
}

bool ct_plugin_schema_is_like(const ct_schema *schema, const cuttle_schema *other,
                              ct_error *error) {
    for (uint32_t i = 0; i < schema->num_fields || i < other->num_fields; ++i) {
        if (i >= other->num_fields)
            return ct_error_set(error, "the field \"%s\" is gone", schema->fields[i].name);
        if (i >= schema->num_fields)
            return ct_error_set(error, "the field \"%s\" is new", other->fields[i].name);
        const ct_field *const f = &schema->fields[i];
        const cuttle_field *const o = &other->fields[i];
        if (strcmp(f->name, o->name) != 0)
            return ct_error_set(error, "the field \"%s\" was \"%s\"", o->name, f->name);
        if (f->type != type_rows[o->type].type || f->size_bytes != o->size_bytes ||
            f->offset != o->offset)
            return ct_error_set(error, "the field \"%s\" has another type or place", f->name);
        if (!has_names(f, o))
            return ct_error_set(error, "the enum \"%s\" has other names", f->name);
    }
    return schema->size_bytes == other->size_bytes ||
           ct_error_set(error, "the struct had %u bytes, and has %u", schema->size_bytes,
                        other->size_bytes);
}
