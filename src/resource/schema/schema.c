#include "resource/schema/schema.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "foundation/error.h"

enum { MAX_COMPARED_BYTES = 64 };

const ct_field *ct_schema_find(const ct_schema *schema, const char *name) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        if (ct_field_is_in_source(field) && strcmp(field->name, name) == 0)
            return field;
    }
    return NULL;
}

const ct_field *ct_schema_find_key(const ct_schema *schema, const char *key) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const char *const degrees_name = schema->fields[i].degrees_name;
        if (degrees_name && strcmp(degrees_name, key) == 0)
            return &schema->fields[i];
    }
    return ct_schema_find(schema, key);
}

const char *ct_field_other_key(const ct_field *field, const char *key) {
    if (!field->degrees_name)
        return NULL;
    return strcmp(field->name, key) == 0 ? field->degrees_name : field->name;
}

ct_field ct_field_in_degrees(const ct_field *field) {
    return (ct_field){.name = field->degrees_name,
                      .type = CT_FIELD_TYPE_VECTOR3,
                      .doc = "The same rotation as angles about x, then y, then z of the parent's "
                             "axes, as in Quaternion.from_euler_angles_xyz. Give one of the two.",
                      .unit = "deg"};
}

float ct_srgb_to_linear(float value) {
    const double v = value;
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

float ct_linear_to_srgb(float value) {
    const double v = value;
    return (float)(v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055);
}

// --- Defaults ------------------------------------------------------------------------------------

// Number of floats by type; 0: not a type of floats.
static const uint8_t float_counts[CT_FIELD_TYPE_PADDING + 1] = {
    [CT_FIELD_TYPE_FLOAT] = 1,   [CT_FIELD_TYPE_VECTOR2] = 2,    [CT_FIELD_TYPE_VECTOR3] = 3,
    [CT_FIELD_TYPE_VECTOR4] = 4, [CT_FIELD_TYPE_QUATERNION] = 4, [CT_FIELD_TYPE_COLOR] = 4,
};

static uint32_t float_count(ct_field_type type) {
    return float_counts[type];
}

static void set_default_floats(const ct_field *field, float *out) {
    for (uint32_t i = 0; i < float_count(field->type); ++i) {
        const float value = (float)field->default_value[i];
        out[i] = field->type == CT_FIELD_TYPE_COLOR && i < 3 ? ct_srgb_to_linear(value) : value;
    }
}

static void set_default(const ct_field *field, char *out) {
    const char *const text = field->default_text;
    switch (field->type) {
    case CT_FIELD_TYPE_BOOL:
        *(uint32_t *)(void *)out = field->default_value[0] != 0;
        break;
    case CT_FIELD_TYPE_INT:
        *(int32_t *)(void *)out = (int32_t)field->default_value[0];
        break;
    case CT_FIELD_TYPE_TEXT:
        if (text)
            memcpy(out, text, strnlen(text, field->size_bytes - 1));
        break;
    case CT_FIELD_TYPE_NAME:
        if (text)
            *(ct_string_id32 *)(void *)out = ct_string_id32_of(text);
        break;
    case CT_FIELD_TYPE_REFERENCE:
        if (text)
            *(ct_string_id64 *)(void *)out = ct_string_id64_of(text);
        break;
    case CT_FIELD_TYPE_STRING:
    case CT_FIELD_TYPE_MEDIA:
        *(const char **)(void *)out = text;
        break;
    default:
        set_default_floats(field, (float *)(void *)out);
    }
}

void ct_schema_defaults(const ct_schema *schema, void *out) {
    memset(out, 0, schema->size_bytes);
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        set_default(&schema->fields[i], (char *)out + schema->fields[i].offset);
}

// --- Checking structs of blobs -------------------------------------------------------------------

// Sets the error about a number outside the range of its field.
static bool refuse_float(const ct_schema *schema, const ct_field *field, uint32_t i, float value,
                         ct_error *error) {
    return isfinite(value) ? ct_error_set(error, "%s.%s: found %g, expected %g to %g", schema->name,
                                          field->name, (double)value, field->least, field->most)
                           : ct_error_set(error, "%s.%s: number %u is not finite", schema->name,
                                          field->name, i);
}

static bool check_floats(const ct_schema *schema, const ct_field *field, const float *values,
                         ct_error *error) {
    // A source's number was in range before it was rounded; rounding keeps the order. Numbers that
    // are not finite are in no range.
    const bool has_range = field->least < field->most && field->type != CT_FIELD_TYPE_COLOR;
    const float least = has_range ? (float)field->least : -FLT_MAX;
    const float most = has_range ? (float)field->most : FLT_MAX;
    const uint32_t count = float_count(field->type);
    for (uint32_t i = 0; i < count; ++i) {
        if (__builtin_expect(!(values[i] >= least && values[i] <= most), 0))
            return refuse_float(schema, field, i, values[i], error);
    }
    if (field->type != CT_FIELD_TYPE_QUATERNION)
        return true;
    const float *const q = values;
    const float squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return fabsf(squared - 1) < 1e-3f ||
           ct_error_set(error, "%s.%s: the rotation's length is not 1", schema->name, field->name);
}

static bool check_choice(const ct_schema *schema, const ct_field *field, uint32_t value,
                         ct_error *error) {
    uint32_t choices = field->type == CT_FIELD_TYPE_BOOL ? 2 : 0;
    while (field->type == CT_FIELD_TYPE_ENUM && field->enum_names[choices])
        ++choices;
    return value < choices || ct_error_set(error, "%s.%s: found %u, expected 0 to %u", schema->name,
                                           field->name, value, choices - 1);
}

static bool check_int(const ct_schema *schema, const ct_field *field, int32_t value,
                      ct_error *error) {
    return !(field->least < field->most) || (value >= field->least && value <= field->most) ||
           ct_error_set(error, "%s.%s: found %d, expected %g to %g", schema->name, field->name,
                        value, field->least, field->most);
}

static inline bool check_field(const ct_schema *schema, const ct_field *field, const char *data,
                               ct_error *error) {
    switch (field->type) {
    case CT_FIELD_TYPE_FLOAT:
    case CT_FIELD_TYPE_VECTOR2:
    case CT_FIELD_TYPE_VECTOR3:
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_QUATERNION:
    case CT_FIELD_TYPE_COLOR:
        return check_floats(schema, field, (const float *)(const void *)data, error);
    case CT_FIELD_TYPE_TEXT:
        return memchr(data, 0, field->size_bytes) ||
               ct_error_set(error, "%s.%s: the text is not terminated", schema->name, field->name);
    case CT_FIELD_TYPE_INT:
        return check_int(schema, field, *(const int32_t *)(const void *)data, error);
    case CT_FIELD_TYPE_BOOL:
    case CT_FIELD_TYPE_ENUM:
        return check_choice(schema, field, *(const uint32_t *)(const void *)data, error);
    default:
        return true;
    }
}

bool ct_schema_check(const ct_schema *schema, const void *data, ct_error *error) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        if (!check_field(schema, field, (const char *)data + field->offset, error))
            return false;
    }
    return true;
}

// --- Did you mean --------------------------------------------------------------------------------

static uint32_t least_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Levenshtein's distance of two texts of at most MAX_COMPARED_BYTES, row by row.
static uint32_t edit_distance(const char *a, uint32_t a_bytes, const char *b, uint32_t b_bytes) {
    uint32_t row[MAX_COMPARED_BYTES + 1];
    for (uint32_t j = 0; j <= b_bytes; ++j)
        row[j] = j;
    for (uint32_t i = 1; i <= a_bytes; ++i) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_bytes; ++j) {
            const uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least_of(replaced, least_of(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_bytes];
}

const char *ct_nearest_name(const char *name, const char *const *names, uint32_t count) {
    const uint32_t bytes = (uint32_t)strnlen(name, MAX_COMPARED_BYTES + 1);
    if (bytes == 0 || bytes > MAX_COMPARED_BYTES)
        return NULL;
    const char *nearest = NULL;
    uint32_t least = (bytes + 2) / 3 + 1; // a third of the letters may differ, and at least one
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t other_bytes = (uint32_t)strnlen(names[i], MAX_COMPARED_BYTES + 1);
        if (other_bytes > MAX_COMPARED_BYTES)
            continue;
        const uint32_t distance = edit_distance(name, bytes, names[i], other_bytes);
        if (distance < least && distance < bytes) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

// The shortest of `names` that ends with `/` and `end`, or NULL.
static const char *name_ending_with(const char *end, const char *const *names, uint32_t count) {
    const size_t bytes = strlen(end);
    const char *found = NULL;
    size_t least = SIZE_MAX;
    for (uint32_t i = 0; i < count && bytes > 0; ++i) {
        const size_t other_bytes = strlen(names[i]);
        if (other_bytes > bytes && other_bytes < least &&
            names[i][other_bytes - bytes - 1] == '/' &&
            strcmp(names[i] + other_bytes - bytes, end) == 0) {
            least = other_bytes;
            found = names[i];
        }
    }
    return found;
}

const char *ct_nearest_resource_name(const char *name, const char *const *names, uint32_t count) {
    const char *found = name_ending_with(name, names, count);
    if (!found)
        found = ct_nearest_name(name, names, count);
    const char *const slash = strrchr(name, '/');
    return found || !slash ? found : name_ending_with(slash + 1, names, count);
}
