#include "dev/inspect/inspect_fields.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dev/inspect/inspect_find.h"
#include "foundation/math/math.h"
#include "foundation/sjson/sjson_number.h"
#include "resource/types/component_resource.h"

enum { MAX_FLOATS = 64 };

const char *ct_inspect_kind_name(ct_inspect_kind kind) {
    static const char *const names[CT_INSPECT_KIND_COUNT] = {
        [CT_INSPECT_KIND_NONE] = "none",           [CT_INSPECT_KIND_BOOLEAN] = "boolean",
        [CT_INSPECT_KIND_INTEGER] = "integer",     [CT_INSPECT_KIND_NUMBER] = "number",
        [CT_INSPECT_KIND_VECTOR2] = "vector2",     [CT_INSPECT_KIND_VECTOR3] = "vector3",
        [CT_INSPECT_KIND_VECTOR4] = "vector4",     [CT_INSPECT_KIND_QUATERNION] = "quaternion",
        [CT_INSPECT_KIND_COLOR] = "color",         [CT_INSPECT_KIND_NUMBERS] = "numbers",
        [CT_INSPECT_KIND_ENUM] = "enum",           [CT_INSPECT_KIND_TEXT] = "text",
        [CT_INSPECT_KIND_NAME] = "name",           [CT_INSPECT_KIND_NAMES] = "names",
        [CT_INSPECT_KIND_REFERENCE] = "reference", [CT_INSPECT_KIND_REFERENCES] = "references",
        [CT_INSPECT_KIND_NODES] = "nodes",         [CT_INSPECT_KIND_VALUE] = "value",
    };
    return names[kind];
}

// --- What a field is -----------------------------------------------------------------------------

// Fields that are not set in a row of their own: what makes the instance, what others decide, and state
// that several fields hold together.
static const struct {
    const char *component, *field; // NULL: all
} read_only[] = {
    {"scene_graph", NULL}, {"data", NULL},
    {"tag", NULL},         {"render_data", NULL},
    {"transform", "node"}, {"mesh", "mesh"},
    {"mesh", "node"},      {"mesh", "num_materials"},
    {"camera", "name"},    {"camera", "node"},
    {"camera", "eyes"},    {"light", "name"},
    {"light", "node"},     {"animation", "state_machine"},
    {"actor", "name"},     {"actor", "position"},
    {"actor", "rotation"}, {"actor", "transform"},
    {"actor", "asleep"},
};

// Booleans of saves that no schema has.
static const struct {
    const char *component, *field;
} booleans[] = {
    {"animation", "enabled"}, {"actor", "asleep"},         {"navigation_agent", "has_goal"},
    {"particles", "playing"}, {"sound_source", "playing"},
};

static bool is_read_only(const char *component, const char *field) {
    for (uint32_t i = 0; i < CT_COUNT_OF(read_only); ++i) {
        if (strcmp(read_only[i].component, component) == 0 &&
            (!read_only[i].field || strcmp(read_only[i].field, field) == 0))
            return true;
    }
    return false;
}

static bool is_boolean(const char *component, const char *field) {
    for (uint32_t i = 0; i < CT_COUNT_OF(booleans); ++i) {
        if (strcmp(booleans[i].component, component) == 0 && strcmp(booleans[i].field, field) == 0)
            return true;
    }
    return false;
}

// Saves have shorter names than sources: "visible" is `is_visible`, "type" of a light `light_type`.
static const ct_field *find_schema_field(const char *component, const char *name) {
    static const struct {
        const char *before, *behind;
    } parts[] = {{"", ""}, {"is_", ""}, {"has_", ""}, {"is_", "_enabled"}};
    const ct_component_type *const type = ct_component_type_named(component);
    const ct_field *field = NULL;
    char source[128];
    for (uint32_t i = 0; type && !field && i < CT_COUNT_OF(parts); ++i) {
        snprintf(source, sizeof(source), "%s%s%s", parts[i].before, name, parts[i].behind);
        field = ct_schema_find(type->schema, source);
    }
    snprintf(source, sizeof(source), "%s_%s", component, name);
    return field || !type ? field : ct_schema_find(type->schema, source);
}

static ct_inspect_kind kind_of_numbers(const ct_save_field *field) {
    switch (field->size_bytes / 4) {
    case 1:
        return field->kind == CT_SAVE_KIND_F32 ? CT_INSPECT_KIND_NUMBER : CT_INSPECT_KIND_INTEGER;
    case 2:
        return CT_INSPECT_KIND_VECTOR2;
    case 3:
        return CT_INSPECT_KIND_VECTOR3;
    case 4:
        return strcmp(field->name, "rotation") == 0 ? CT_INSPECT_KIND_QUATERNION
                                                    : CT_INSPECT_KIND_VECTOR4;
    default:
        return CT_INSPECT_KIND_NUMBERS;
    }
}

static ct_inspect_kind kind_of_u32(const char *component, const ct_save_field *field,
                                   const ct_field *schema) {
    if (field->size_bytes != 4)
        return CT_INSPECT_KIND_NUMBERS;
    if (is_boolean(component, field->name) || (schema && schema->type == CT_FIELD_TYPE_BOOL))
        return CT_INSPECT_KIND_BOOLEAN;
    if (schema && schema->type == CT_FIELD_TYPE_ENUM && schema->enum_names)
        return CT_INSPECT_KIND_ENUM;
    return CT_INSPECT_KIND_INTEGER;
}

static ct_inspect_kind kind_of(const char *component, const ct_save_field *field,
                               const ct_field *schema) {
    switch (field->kind) {
    case CT_SAVE_KIND_U32:
        return kind_of_u32(component, field, schema);
    case CT_SAVE_KIND_I32:
        return field->size_bytes == 4 ? CT_INSPECT_KIND_INTEGER : CT_INSPECT_KIND_NUMBERS;
    case CT_SAVE_KIND_F32:
        return schema && schema->type == CT_FIELD_TYPE_COLOR && field->size_bytes == 16
                   ? CT_INSPECT_KIND_COLOR
                   : kind_of_numbers(field);
    case CT_SAVE_KIND_ID32:
        return field->size_bytes == 4 ? CT_INSPECT_KIND_NAME : CT_INSPECT_KIND_NAMES;
    case CT_SAVE_KIND_ID64:
        return field->size_bytes == 8 ? CT_INSPECT_KIND_REFERENCE : CT_INSPECT_KIND_REFERENCES;
    case CT_SAVE_KIND_TEXT:
        return CT_INSPECT_KIND_TEXT;
    default:
        return CT_INSPECT_KIND_NONE;
    }
}

ct_inspect_field ct_inspect_describe(const char *component, const ct_save_field *field) {
    ct_inspect_field f = {.name = field->name, .schema = find_schema_field(component, field->name)};
    f.kind = kind_of(component, field, f.schema);
    const bool is_computed = f.schema && f.schema->type == CT_FIELD_TYPE_INDEX;
    f.can_set = f.kind != CT_INSPECT_KIND_NUMBERS && f.kind != CT_INSPECT_KIND_NAMES &&
                f.kind != CT_INSPECT_KIND_REFERENCES && !is_computed &&
                !is_read_only(component, field->name);
    return f;
}

// --- Writing -------------------------------------------------------------------------------------

void ct_inspect_begin_field(ct_sjson_writer *w, const ct_inspect_field *field) {
    const ct_field *const schema = field->schema;
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", field->name);
    ct_sjson_member_string(w, "kind", ct_inspect_kind_name(field->kind));
    ct_sjson_member_bool(w, "can_set", field->can_set);
    if (schema && schema->unit)
        ct_sjson_member_string(w, "unit", schema->unit);
    if (schema && schema->least < schema->most) {
        ct_sjson_member_number(w, "least", schema->least);
        ct_sjson_member_number(w, "most", schema->most);
    }
    if (field->kind == CT_INSPECT_KIND_ENUM) {
        ct_sjson_write_key(w, "choices");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; schema->enum_names[i]; ++i)
            ct_sjson_write_string(w, schema->enum_names[i]);
        ct_sjson_end_array(w);
    }
    if (field->kind == CT_INSPECT_KIND_REFERENCE && schema && schema->reference_type)
        ct_sjson_member_string(w, "resource_type", schema->reference_type);
    ct_sjson_write_key(w, "value");
}

static void write_id64(ct_sjson_writer *w, const uint8_t *at) {
    ct_string_id64 id;
    memcpy(&id, at, sizeof(id));
    if (id.value)
        ct_sjson_write_string(w, ct_string_id64_name(id));
    else
        ct_sjson_write_null(w);
}

static void write_id32(ct_sjson_writer *w, const uint8_t *at) {
    ct_string_id32 id;
    memcpy(&id, at, sizeof(id));
    if (id.value)
        ct_sjson_write_string(w, ct_string_id32_name(id));
    else
        ct_sjson_write_null(w);
}

static double number_at(const ct_save_field *save, const uint8_t *at) {
    float number;
    uint32_t bits;
    memcpy(&number, at, sizeof(number));
    memcpy(&bits, at, sizeof(bits));
    if (save->kind == CT_SAVE_KIND_F32)
        return (double)number;
    return save->kind == CT_SAVE_KIND_I32 ? (double)(int32_t)bits : (double)bits;
}

static void write_many(ct_sjson_writer *w, const ct_save_field *save, const uint8_t *at) {
    const uint32_t item_bytes = save->kind == CT_SAVE_KIND_ID64 ? 8 : 4;
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < save->size_bytes / item_bytes; ++i, at += item_bytes) {
        if (save->kind == CT_SAVE_KIND_ID64)
            write_id64(w, at);
        else if (save->kind == CT_SAVE_KIND_ID32)
            write_id32(w, at);
        else
            ct_sjson_write_number(w, number_at(save, at));
    }
    ct_sjson_end_array(w);
}

static void write_choice(ct_sjson_writer *w, const ct_field *schema, uint32_t choice) {
    for (uint32_t i = 0; schema->enum_names[i]; ++i) {
        if (i == choice) {
            ct_sjson_write_string(w, schema->enum_names[i]);
            return;
        }
    }
    ct_sjson_write_null(w); // a plugin has written it
}

void ct_inspect_write_value(ct_sjson_writer *w, const ct_inspect_field *field,
                            const ct_save_field *save, const uint8_t *row) {
    const uint8_t *const at = row + save->offset;
    switch (field->kind) {
    case CT_INSPECT_KIND_BOOLEAN:
        ct_sjson_write_bool(w, number_at(save, at) != 0);
        break;
    case CT_INSPECT_KIND_ENUM:
        write_choice(w, field->schema, (uint32_t)number_at(save, at));
        break;
    case CT_INSPECT_KIND_INTEGER:
    case CT_INSPECT_KIND_NUMBER:
        ct_sjson_write_number(w, number_at(save, at));
        break;
    case CT_INSPECT_KIND_NAME:
        write_id32(w, at);
        break;
    case CT_INSPECT_KIND_REFERENCE:
        write_id64(w, at);
        break;
    case CT_INSPECT_KIND_TEXT:
        ct_sjson_write_string_bytes(w, (const char *)at,
                                    (uint32_t)strnlen((const char *)at, save->size_bytes));
        break;
    default:
        write_many(w, save, at);
        break;
    }
}

// --- Reading -------------------------------------------------------------------------------------

static bool refuse(const ct_sjson *doc, ct_sjson_value value, const char *expected,
                   ct_error *error) {
    const ct_sjson_type type = ct_sjson_type_of(doc, value);
    if (type == CT_SJSON_TYPE_STRING)
        return ct_error_set(error, "\"value\" is \"%.64s\"; expected %s",
                            ct_sjson_string(doc, value, ""), expected);
    if (type == CT_SJSON_TYPE_NUMBER)
        return ct_error_set(error, "\"value\" is %.15g; expected %s",
                            ct_sjson_number(doc, value, 0), expected);
    return ct_error_set(error, "\"value\" is %s; expected %s", ct_sjson_type_name(type), expected);
}

uint32_t ct_inspect_read_floats(const ct_sjson *doc, ct_sjson_value value, uint32_t least,
                                uint32_t most, float *floats, ct_error *error) {
    const bool is_one = least == 1 && ct_sjson_type_of(doc, value) == CT_SJSON_TYPE_NUMBER;
    const uint32_t count = is_one ? 1 : ct_sjson_count(doc, value);
    ct_sjson_value item = is_one ? value : ct_sjson_first(doc, value);
    bool is_good = (is_one || ct_sjson_type_of(doc, value) == CT_SJSON_TYPE_ARRAY) &&
                   count >= least && count <= most;
    for (uint32_t i = 0; is_good && i < count; ++i) {
        const double number = ct_sjson_number(doc, item, (double)NAN);
        is_good = fabs(number) <= (double)FLT_MAX; // false for NaN
        floats[i] = is_good ? (float)number : 0;
        if (i + 1 < count)
            item = ct_sjson_next(doc, item);
    }
    if (is_good)
        return count;
    char expected[96];
    if (least == most && least == 1)
        snprintf(expected, sizeof(expected), "a number that a float can hold");
    else if (least == most)
        snprintf(expected, sizeof(expected), "an array of %u numbers that floats can hold", least);
    else
        snprintf(expected, sizeof(expected), "an array of %u to %u numbers that floats can hold",
                 least, most);
    refuse(doc, value, expected, error);
    return 0;
}

bool ct_inspect_read_name(const ct_console_request *r, ct_sjson_value value, ct_string_id32 *id,
                          ct_error *error) {
    const char *const name = ct_console_name(r, value);
    *id = (ct_string_id32){0};
    if (ct_sjson_type_of(r->doc, value) == CT_SJSON_TYPE_NULL)
        return true;
    if (!name || name[0] == '\0')
        return refuse(r->doc, value, "a name, or null", error);
    *id = ct_string_id32_register(name);
    return true;
}

bool ct_inspect_read_reference(const ct_console_request *r, ct_sjson_value value, const char *type,
                               ct_string_id64 *id, ct_error *error) {
    const char *const name = ct_console_name(r, value);
    *id = (ct_string_id64){0};
    if (ct_sjson_type_of(r->doc, value) == CT_SJSON_TYPE_NULL)
        return true;
    if (!name)
        return refuse(r->doc, value, "the name of a resource, or null", error);
    *id = ct_string_id64_of(name);
    if (type && !ct_resource_manager_get(ct_app_resources(r->target->app), type, *id))
        return ct_error_set(error, "the %s \"%.128s\" is not loaded", type, name);
    return true;
}

static bool is_in_range(const ct_field *schema, const float *floats, uint32_t count,
                        ct_error *error) {
    for (uint32_t i = 0; schema && schema->least < schema->most && i < count; ++i) {
        if ((double)floats[i] < schema->least || (double)floats[i] > schema->most)
            return ct_error_set(error, "\"value\" has %.9g; expected %.9g to %.9g",
                                (double)floats[i], schema->least, schema->most);
    }
    return true;
}

static bool read_floats(const ct_sjson *doc, ct_sjson_value value, const ct_inspect_field *field,
                        const ct_save_field *save, uint8_t *at, ct_error *error) {
    float floats[MAX_FLOATS] = {0};
    const uint32_t count = save->size_bytes / 4;
    const bool is_color = field->kind == CT_INSPECT_KIND_COLOR;
    if (is_color)
        memcpy(floats, at, save->size_bytes); // the alpha may be left out
    if (!ct_inspect_read_floats(doc, value, is_color ? 3 : count, count, floats, error) ||
        !is_in_range(field->schema, floats, count, error))
        return false;
    if (field->kind == CT_INSPECT_KIND_QUATERNION) {
        ct_quat q;
        memcpy(&q, floats, sizeof(q));
        if (!ct_quat_is_rotation(q))
            return refuse(doc, value, "a quaternion that is not zero", error);
        q = ct_quat_unit(q);
        memcpy(floats, &q, sizeof(q));
    }
    memcpy(at, floats, save->size_bytes);
    return true;
}

static bool read_whole(const ct_sjson *doc, ct_sjson_value value, const ct_inspect_field *field,
                       const ct_save_field *save, uint8_t *at, ct_error *error) {
    const bool has_range = field->schema && field->schema->least < field->schema->most;
    const bool has_sign = save->kind == CT_SAVE_KIND_I32;
    const double least = has_range ? field->schema->least : has_sign ? (double)INT32_MIN : 0;
    const double most = has_range  ? field->schema->most
                        : has_sign ? (double)INT32_MAX
                                   : (double)UINT32_MAX;
    const double number = ct_sjson_number(doc, value, (double)NAN);
    if (!(number >= least && number <= most && number == floor(number))) {
        char expected[96];
        snprintf(expected, sizeof(expected), "a whole number from %.10g to %.10g", least, most);
        return refuse(doc, value, expected, error);
    }
    const uint32_t bits = has_sign ? (uint32_t)(int32_t)number : (uint32_t)number;
    memcpy(at, &bits, sizeof(bits));
    return true;
}

static bool read_choice(const ct_sjson *doc, ct_sjson_value value, const ct_field *schema,
                        uint8_t *at, ct_error *error) {
    const char *const name = ct_sjson_string(doc, value, "");
    char expected[256] = "";
    for (uint32_t i = 0; schema->enum_names[i]; ++i) {
        if (strcmp(schema->enum_names[i], name) == 0) {
            memcpy(at, &i, sizeof(i));
            return true;
        }
        const size_t used = strlen(expected);
        snprintf(expected + used, sizeof(expected) - used, "%s\"%s\"", i ? ", " : "one of ",
                 schema->enum_names[i]);
    }
    return refuse(doc, value, expected, error);
}

static bool read_text(const ct_console_request *r, ct_sjson_value value, const ct_save_field *save,
                      uint8_t *at, ct_error *error) {
    const char *const text = ct_console_name(r, value);
    char expected[96];
    snprintf(expected, sizeof(expected), "a string of at most %u bytes without zero bytes",
             save->size_bytes - 1);
    if (!text || strlen(text) >= save->size_bytes)
        return refuse(r->doc, value, expected, error);
    memset(at, 0, save->size_bytes);
    memcpy(at, text, strlen(text));
    return true;
}

static bool read_boolean(const ct_sjson *doc, ct_sjson_value value, uint8_t *at, ct_error *error) {
    if (ct_sjson_type_of(doc, value) != CT_SJSON_TYPE_BOOL)
        return refuse(doc, value, "true or false", error);
    const uint32_t bits = ct_sjson_bool(doc, value, false);
    memcpy(at, &bits, sizeof(bits));
    return true;
}

bool ct_inspect_read_value(const ct_console_request *r, ct_sjson_value value,
                           const ct_inspect_field *field, const ct_save_field *save, uint8_t *row,
                           ct_error *error) {
    uint8_t *const at = row + save->offset;
    ct_string_id32 name;
    ct_string_id64 reference;
    switch (field->kind) {
    case CT_INSPECT_KIND_BOOLEAN:
        return read_boolean(r->doc, value, at, error);
    case CT_INSPECT_KIND_ENUM:
        return read_choice(r->doc, value, field->schema, at, error);
    case CT_INSPECT_KIND_INTEGER:
        return read_whole(r->doc, value, field, save, at, error);
    case CT_INSPECT_KIND_TEXT:
        return read_text(r, value, save, at, error);
    case CT_INSPECT_KIND_NAME:
        if (!ct_inspect_read_name(r, value, &name, error))
            return false;
        memcpy(at, &name, sizeof(name));
        return true;
    case CT_INSPECT_KIND_REFERENCE:
        if (!ct_inspect_read_reference(
                r, value, field->schema ? field->schema->reference_type : NULL, &reference, error))
            return false;
        memcpy(at, &reference, sizeof(reference));
        return true;
    default:
        return read_floats(r->doc, value, field, save, at, error);
    }
}
