#include "plugin/plugin_schema.h"

#include <math.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "resource/blob/content_hash.h"

enum { MAX_NAME_BYTES = 32, MAX_ENUM_NAMES = 1024, MAX_TEXT_BYTES = 4096 };

// What the engine calls a type, and how many bytes a field of it has; 0: as many as it likes.
typedef struct type_row {
    ct_field_type type;
    uint32_t size_bytes;
    uint32_t num_floats;
    uint32_t align;
} type_row;

static const type_row rows[] = {
    [CUTTLE_FIELD_BOOL] = {CT_FIELD_TYPE_BOOL, 4, 0, 4},
    [CUTTLE_FIELD_INT] = {CT_FIELD_TYPE_INT, 4, 1, 4},
    [CUTTLE_FIELD_FLOAT] = {CT_FIELD_TYPE_FLOAT, 4, 1, 4},
    [CUTTLE_FIELD_VECTOR2] = {CT_FIELD_TYPE_VECTOR2, 8, 2, 4},
    [CUTTLE_FIELD_VECTOR3] = {CT_FIELD_TYPE_VECTOR3, 12, 3, 4},
    [CUTTLE_FIELD_VECTOR4] = {CT_FIELD_TYPE_VECTOR4, 16, 4, 4},
    [CUTTLE_FIELD_QUATERNION] = {CT_FIELD_TYPE_QUATERNION, 16, 4, 4},
    [CUTTLE_FIELD_COLOR] = {CT_FIELD_TYPE_COLOR, 16, 4, 4},
    [CUTTLE_FIELD_ENUM] = {CT_FIELD_TYPE_ENUM, 4, 0, 4},
    [CUTTLE_FIELD_TEXT] = {CT_FIELD_TYPE_TEXT, 0, 0, 1},
    [CUTTLE_FIELD_NAME] = {CT_FIELD_TYPE_NAME, 4, 0, 4},
    [CUTTLE_FIELD_REFERENCE] = {CT_FIELD_TYPE_REFERENCE, 8, 0, 8},
    [CUTTLE_FIELD_BYTES] = {CT_FIELD_TYPE_NONE, 0, 0, 1},
    [CUTTLE_FIELD_PADDING] = {CT_FIELD_TYPE_PADDING, 0, 0, 1},
};

// --- Checks --------------------------------------------------------------------------------------

static bool is_name(const char *name) {
    const size_t bytes = name ? strnlen(name, MAX_NAME_BYTES) : 0;
    return bytes > 0 && bytes < MAX_NAME_BYTES && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == bytes;
}

// Names that all components and units have.
static bool is_reserved(const char *name) {
    return strcmp(name, "id") == 0 || strcmp(name, "type") == 0 || strcmp(name, "removed") == 0;
}

static uint32_t count_enum_names(const cuttle_field *f) {
    uint32_t count = 0;
    while (f->enum_names && count < MAX_ENUM_NAMES && f->enum_names[count])
        ++count;
    return count;
}

static bool is_default_in_range(const cuttle_field *f) {
    for (uint32_t i = 0; i < rows[f->type].num_floats; ++i)
        if (!isfinite(f->default_value[i]) ||
            (f->least < f->most &&
             (f->default_value[i] < f->least || f->default_value[i] > f->most)))
            return false;
    return isfinite(f->least) && isfinite(f->most);
}

// What is wrong with a field by itself, as the end of a message; NULL: nothing.
static const char *fault_of(const cuttle_schema *schema, const cuttle_field *f) {
    if (f->type < CUTTLE_FIELD_BOOL || f->type > CUTTLE_FIELD_PADDING)
        return "has an unknown type";
    const type_row *const row = &rows[f->type];
    const bool is_padding = f->type == CUTTLE_FIELD_PADDING;
    if (row->type == CT_FIELD_TYPE_NONE)
        return "has the type BYTES, which sources cannot give; PADDING is for unused bytes";
    if (!is_padding && (!is_name(f->name) || is_reserved(f->name)))
        return "needs a name of 1 to 31 of a-z, 0-9 and _, which is not id, type or removed";
    if (f->size_bytes == 0 || (row->size_bytes > 0 && f->size_bytes != row->size_bytes))
        return "has a size that is not that of its type";
    if (f->offset > schema->size_bytes || f->size_bytes > schema->size_bytes - f->offset)
        return "ends behind the struct";
    if (f->offset % row->align != 0)
        return "has an offset that is not a multiple of its type's alignment";
    if (f->type == CUTTLE_FIELD_TEXT && f->size_bytes > MAX_TEXT_BYTES)
        return "has more than 4096 bytes";
    if (f->type == CUTTLE_FIELD_TEXT && f->default_text &&
        strnlen(f->default_text, f->size_bytes) >= f->size_bytes)
        return "has a default that does not fit";
    if (f->type == CUTTLE_FIELD_ENUM && count_enum_names(f) == 0)
        return "needs enum_names, ended by NULL";
    if (f->type == CUTTLE_FIELD_REFERENCE && !is_name(f->reference_type))
        return "needs a reference_type, such as \"texture\"";
    return is_padding || is_default_in_range(f) ? NULL
                                                : "has a default that is not from least to most";
}

static bool check_field(const cuttle_schema *schema, uint32_t index, const char *what,
                        ct_error *error) {
    const cuttle_field *const f = &schema->fields[index];
    const bool has_name = f->name && f->name[0];
    const char *const fault = fault_of(schema, f);
    if (fault)
        return ct_error_set(error, "the %s \"%s\": field %u (%.64s) %s", what, schema->name, index,
                            has_name ? f->name : "without name", fault);
    for (uint32_t i = 0; i < index; ++i) {
        const cuttle_field *const other = &schema->fields[i];
        if (f->offset < other->offset + other->size_bytes &&
            other->offset < f->offset + f->size_bytes)
            return ct_error_set(error, "the %s \"%s\": fields %u and %u share bytes of the struct",
                                what, schema->name, i, index);
        if (f->type != CUTTLE_FIELD_PADDING && other->type != CUTTLE_FIELD_PADDING &&
            strcmp(f->name, other->name) == 0)
            return ct_error_set(error, "the %s \"%s\" has two fields %s", what, schema->name,
                                f->name);
    }
    return true;
}

bool ct_plugin_schema_check(const cuttle_schema *schema, const char *what, ct_error *error) {
    if (!schema)
        return ct_error_set(error, "this %s needs a schema", what);
    if (!is_name(schema->name))
        return ct_error_set(error,
                            "\"%.64s\" is not the name of a %s; expected 1 to %d of a-z, 0-9 and "
                            "_, a letter first",
                            schema->name ? schema->name : "", what, MAX_NAME_BYTES - 1);
    if (schema->size_bytes == 0 || schema->size_bytes > CT_PLUGIN_SCHEMA_MAX_BYTES ||
        schema->num_fields > CT_PLUGIN_SCHEMA_MAX_FIELDS ||
        (schema->num_fields > 0 && !schema->fields))
        return ct_error_set(
            error,
            "the %s \"%s\" has %u bytes and %u fields; expected 1 to %d bytes and at most %d "
            "fields",
            what, schema->name, schema->size_bytes, schema->num_fields, CT_PLUGIN_SCHEMA_MAX_BYTES,
            CT_PLUGIN_SCHEMA_MAX_FIELDS);
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        if (!check_field(schema, i, what, error))
            return false;
    return true;
}

// --- Copies --------------------------------------------------------------------------------------

static const char *copy_text(ct_allocator *a, const char *text) {
    return text ? ct_copy_string(a, text) : NULL;
}

static const char *const *copy_names(ct_allocator *a, const cuttle_field *f) {
    const uint32_t count = f->type == CUTTLE_FIELD_ENUM ? count_enum_names(f) : 0;
    if (count == 0)
        return NULL;
    const char **const names = CT_NEW_ARRAY(a, const char *, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        names[i] = ct_copy_string(a, f->enum_names[i]);
    names[count] = NULL;
    return names;
}

static ct_field copy_field(ct_allocator *a, const cuttle_field *f) {
    ct_field field = {.name = copy_text(a, f->name ? f->name : ""),
                      .type = rows[f->type].type,
                      .offset = f->offset,
                      .size_bytes = f->size_bytes,
                      .flags = f->flags & CUTTLE_FIELD_REQUIRED ? CT_FIELD_REQUIRED : 0,
                      .doc = copy_text(a, f->doc ? f->doc : ""),
                      .unit = copy_text(a, f->unit),
                      .least = f->least,
                      .most = f->most,
                      .default_text = copy_text(a, f->default_text),
                      .reference_type = copy_text(a, f->reference_type),
                      .enum_names = copy_names(a, f)};
    memcpy(field.default_value, f->default_value, sizeof(field.default_value));
    // Of an author who gives no default: the rotation that turns nothing.
    const double *const q = field.default_value;
    if (f->type == CUTTLE_FIELD_QUATERNION && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        field.default_value[3] = 1;
    return field;
}

ct_schema *ct_plugin_schema_copy(ct_allocator *a, const cuttle_schema *schema, uint32_t identity) {
    ct_schema *const copy = CT_NEW(a, ct_schema);
    ct_field *const fields = CT_NEW_ARRAY(a, ct_field, schema->num_fields);
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        fields[i] = copy_field(a, &schema->fields[i]);
    *copy = (ct_schema){.name = copy_text(a, schema->name),
                        .doc = copy_text(a, schema->doc ? schema->doc : ""),
                        .size_bytes = schema->size_bytes,
                        .num_fields = schema->num_fields,
                        .fields = fields,
                        .identity = identity};
    return copy;
}

static void free_text(ct_allocator *a, const char *text) {
    ct_free(a, (char *)(uintptr_t)text);
}

static void free_field(ct_allocator *a, const ct_field *f) {
    free_text(a, f->name);
    free_text(a, f->doc);
    free_text(a, f->unit);
    free_text(a, f->default_text);
    free_text(a, f->reference_type);
    for (uint32_t i = 0; f->enum_names && f->enum_names[i]; ++i)
        free_text(a, f->enum_names[i]);
    ct_free(a, (void *)(uintptr_t)f->enum_names);
}

void ct_plugin_schema_free(ct_allocator *a, ct_schema *schema) {
    if (!schema)
        return;
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        free_field(a, &schema->fields[i]);
    ct_free(a, (void *)(uintptr_t)schema->fields);
    free_text(a, schema->name);
    free_text(a, schema->doc);
    ct_free(a, schema);
}

// --- Hash ----------------------------------------------------------------------------------------

static void add_number(ct_byte_array *bytes, const void *number, uint32_t size_bytes) {
    ct_array_push_many(bytes, (const uint8_t *)number, size_bytes);
}

static void add_text(ct_byte_array *bytes, const char *text) {
    const char *const t = text ? text : "";
    ct_array_push_many(bytes, (const uint8_t *)t, (uint32_t)strlen(t) + 1);
}

static void add_field(ct_byte_array *bytes, const cuttle_field *f) {
    const uint32_t numbers[] = {f->type, f->offset, f->size_bytes, f->flags};
    add_text(bytes, f->name);
    add_number(bytes, numbers, sizeof(numbers));
    add_number(bytes, &f->least, sizeof(f->least));
    add_number(bytes, &f->most, sizeof(f->most));
    add_number(bytes, f->default_value, sizeof(f->default_value));
    add_text(bytes, f->default_text);
    add_text(bytes, f->type == CUTTLE_FIELD_REFERENCE ? f->reference_type : NULL);
    for (uint32_t i = 0; f->type == CUTTLE_FIELD_ENUM && i < count_enum_names(f); ++i)
        add_text(bytes, f->enum_names[i]);
}

uint64_t ct_plugin_schema_hash(ct_allocator *a, const cuttle_schema *schema) {
    ct_byte_array bytes;
    ct_array_init(&bytes, a);
    const uint32_t numbers[] = {schema->version, schema->size_bytes, schema->num_fields};
    add_text(&bytes, schema->name);
    add_number(&bytes, numbers, sizeof(numbers));
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        add_field(&bytes, &schema->fields[i]);
    const uint64_t hash = ct_content_hash(bytes.items, bytes.count);
    ct_array_free(&bytes);
    return hash != 0 ? hash : 1;
}
