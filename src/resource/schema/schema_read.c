// Reading a source's object into the struct that a schema describes.
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/path.h"
#include "resource/resource_id.h"
#include "resource/schema/schema.h"

enum { MAX_NAMES = 64, NOT_AN_ELEMENT = -1 };

// Members of identity: bit i of ct_schema's `identity` is that of name i.
static const char *const identity_names[] = {"id", "type", "removed"};

typedef struct reader {
    const ct_schema *schema;
    const ct_sjson *doc;
    const ct_schema_listener *listener;
    bool has_failed;
} reader;

// --- Errors --------------------------------------------------------------------------------------

static void report(reader *r, const ct_error *error) {
    r->has_failed = true;
    if (r->listener && r->listener->error)
        r->listener->error(r->listener->user, error);
}

// Reports what is wrong with a field, or with element `index` of it. Returns false.
static bool fail(reader *r, ct_sjson_value at, const ct_field *field, int32_t index,
                 const char *format, ...) CT_PRINTF(5, 6);

static bool fail(reader *r, ct_sjson_value at, const ct_field *field, int32_t index,
                 const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    char element[16] = "";
    if (index != NOT_AN_ELEMENT)
        snprintf(element, sizeof(element), "[%d]", index);
    ct_error error = {0};
    ct_sjson_error(r->doc, at, &error, "%s.%s%s: %s", r->schema->name, field->name, element, text);
    report(r, &error);
    return false;
}

// Writes names as `a, b, c`, as many as fit.
static void list_names(char *text, size_t bytes, const char *const *names, uint32_t count) {
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t need = strlen(names[i]) + 2;
        if (used + need + 1 > bytes)
            return;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? ", " : "", names[i]);
    }
}

static void report_unknown_member(reader *r, ct_sjson_value member) {
    const char *names[MAX_NAMES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->schema->num_fields && count < MAX_NAMES; ++i) {
        const ct_field *const field = &r->schema->fields[i];
        const bool is_first = ct_schema_find(r->schema, field->name) == field;
        if (ct_field_is_in_source(field) && is_first)
            names[count++] = field->name;
        if (field->degrees_name && count < MAX_NAMES)
            names[count++] = field->degrees_name;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(identity_names) && count < MAX_NAMES; ++i)
        if (r->schema->identity >> i & 1)
            names[count++] = identity_names[i];
    const char *const key = ct_sjson_key(r->doc, member);
    const char *const nearest = ct_nearest_name(key, names, count);
    char known[512];
    list_names(known, sizeof(known), names, count);
    ct_error error = {0};
    if (nearest)
        ct_sjson_error(r->doc, member, &error, "%s.%.64s: unknown member; did you mean \"%s\"?",
                       r->schema->name, key, nearest);
    else
        ct_sjson_error(r->doc, member, &error, "%s.%.64s: unknown member; expected one of: %s",
                       r->schema->name, key, known);
    report(r, &error);
}

// Returns the description of the value that a source must have for `field`.
static const char *expected(const ct_field *field, char *text, size_t bytes) {
    static const char *const texts[] = {
        [CT_FIELD_TYPE_BOOL] = "true or false",
        [CT_FIELD_TYPE_INT] = "a whole number",
        [CT_FIELD_TYPE_FLOAT] = "a number",
        [CT_FIELD_TYPE_VECTOR2] = "an array of 2 numbers",
        [CT_FIELD_TYPE_VECTOR3] = "an array of 3 numbers",
        [CT_FIELD_TYPE_VECTOR4] = "an array of 4 numbers",
        [CT_FIELD_TYPE_QUATERNION] = "a rotation, an array of 4 numbers (x y z w)",
        [CT_FIELD_TYPE_COLOR] = "a colour, an array of 3 or 4 numbers (r g b a)",
        [CT_FIELD_TYPE_ENUM] = "a string",
        [CT_FIELD_TYPE_TEXT] = "a string",
        [CT_FIELD_TYPE_NAME] = "a string",
        [CT_FIELD_TYPE_STRING] = "a string",
        [CT_FIELD_TYPE_MEDIA] = "a string with a project path",
        [CT_FIELD_TYPE_VALUE] = "a value",
        [CT_FIELD_TYPE_ARRAY] = "an array",
        [CT_FIELD_TYPE_MAP] = "an object",
        [CT_FIELD_TYPE_OBJECT] = "an object",
    };
    if (field->type == CT_FIELD_TYPE_REFERENCE)
        snprintf(text, bytes, "a string with the name of a %s", field->reference_type);
    else if (field->type == CT_FIELD_TYPE_REFERENCES)
        snprintf(text, bytes, "an array of up to %u names of a %s", field->size_bytes / 8,
                 field->reference_type);
    else
        return texts[field->type];
    return text;
}

// Reports that `v` has the wrong type for the field. Returns false.
static bool fail_type(reader *r, const ct_field *field, ct_sjson_value v) {
    char text[128];
    const ct_sjson_type type = ct_sjson_type_of(r->doc, v);
    const char *const wanted = expected(field, text, sizeof(text));
    if (type == CT_SJSON_TYPE_ARRAY)
        return fail(r, v, field, NOT_AN_ELEMENT, "found an array of %u, expected %s",
                    ct_sjson_count(r->doc, v), wanted);
    return fail(r, v, field, NOT_AN_ELEMENT, "found %s, expected %s", ct_sjson_type_name(type),
                wanted);
}

// --- Numbers -------------------------------------------------------------------------------------

static bool check_range(reader *r, const ct_field *field, ct_sjson_value v, int32_t index,
                        double number) {
    const bool has_range = field->least < field->most;
    const bool is_color = field->type == CT_FIELD_TYPE_COLOR;
    const double least = has_range ? field->least : is_color ? 0 : -(double)FLT_MAX;
    const double most = has_range ? field->most : is_color ? 1 : (double)FLT_MAX;
    if (number >= least && number <= most)
        return true;
    return fail(r, v, field, index, "found %g, expected %g to %g%s%s", number, least, most,
                field->unit ? " " : "", field->unit ? field->unit : "");
}

static bool read_floats(reader *r, const ct_field *field, ct_sjson_value v, uint32_t least_count,
                        uint32_t most_count, float *out) {
    const uint32_t count = ct_sjson_count(r->doc, v);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY || count < least_count ||
        count > most_count)
        return fail_type(r, field, v);
    int32_t i = 0;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        const ct_sjson_type type = ct_sjson_type_of(r->doc, e);
        if (type != CT_SJSON_TYPE_NUMBER)
            return fail(r, e, field, i, "found %s, expected a number", ct_sjson_type_name(type));
        const double number = ct_sjson_number(r->doc, e, 0);
        if (!check_range(r, field, e, i, number))
            return false;
        out[i++] = (float)number;
    }
    return true;
}

static bool read_vector(reader *r, const ct_field *field, ct_sjson_value v, float *out) {
    const uint32_t count = field->type == CT_FIELD_TYPE_VECTOR2   ? 2
                           : field->type == CT_FIELD_TYPE_VECTOR3 ? 3
                                                                  : 4;
    float values[4];
    if (!read_floats(r, field, v, count, count, values))
        return false;
    memcpy(out, values, count * sizeof(float));
    return true;
}

static bool read_quaternion(reader *r, const ct_field *field, ct_sjson_value v, float *out) {
    float q[4];
    if (!read_floats(r, field, v, 4, 4, q))
        return false;
    double squared = 0;
    for (uint32_t i = 0; i < 4; ++i)
        squared += (double)q[i] * q[i];
    if (squared < 1e-12)
        return fail(r, v, field, NOT_AN_ELEMENT,
                    "found a rotation of length 0, expected length 1 (no rotation is [0 0 0 1])");
    for (uint32_t i = 0; i < 4; ++i)
        out[i] = (float)(q[i] / sqrt(squared));
    return true;
}

// Reads [x y z] in degrees: turns about these axes of the parent, in this order.
static bool read_degrees(reader *r, const ct_field *field, ct_sjson_value v, float *out) {
    const ct_field in_degrees = ct_field_in_degrees(field);
    float degrees[3];
    if (!read_floats(r, &in_degrees, v, 3, 3, degrees))
        return false;
    ct_vec3 angles;
    for (uint32_t i = 0; i < 3; ++i) // two turns give the same quaternion again
        angles.raw[i] = (float)(remainder((double)degrees[i], 720) * M_PI / 180);
    const ct_quat q = ct_quat_normalize(ct_quat_from_euler_xyz(angles));
    memcpy(out, q.raw, sizeof(q.raw));
    return true;
}

static bool read_color(reader *r, const ct_field *field, ct_sjson_value v, float *out) {
    float color[4] = {0, 0, 0, 1};
    if (!read_floats(r, field, v, 3, 4, color))
        return false;
    for (uint32_t i = 0; i < 3; ++i)
        out[i] = ct_srgb_to_linear(color[i]);
    out[3] = color[3];
    return true;
}

static bool read_number(reader *r, const ct_field *field, ct_sjson_value v, void *out) {
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_NUMBER)
        return fail_type(r, field, v);
    const double number = ct_sjson_number(r->doc, v, 0);
    if (!check_range(r, field, v, NOT_AN_ELEMENT, number))
        return false;
    if (field->type == CT_FIELD_TYPE_FLOAT) {
        *(float *)out = (float)number;
        return true;
    }
    if (number != floor(number) || number < INT32_MIN || number > INT32_MAX)
        return fail(r, v, field, NOT_AN_ELEMENT, "found %.17g, expected a whole number of 32 bits",
                    number);
    *(int32_t *)out = (int32_t)number;
    return true;
}

// --- Text and names ------------------------------------------------------------------------------

static bool read_enum(reader *r, const ct_field *field, ct_sjson_value v, uint32_t *out) {
    const char *const text = ct_sjson_string(r->doc, v, NULL);
    uint32_t count = 0;
    for (; field->enum_names[count]; ++count) {
        if (text && strcmp(field->enum_names[count], text) == 0) {
            *out = count;
            return true;
        }
    }
    char names[512];
    list_names(names, sizeof(names), field->enum_names, count);
    if (!text)
        return fail(r, v, field, NOT_AN_ELEMENT, "found %s, expected one of: %s",
                    ct_sjson_type_name(ct_sjson_type_of(r->doc, v)), names);
    const char *const nearest = ct_nearest_name(text, field->enum_names, count);
    if (nearest)
        return fail(r, v, field, NOT_AN_ELEMENT,
                    "found \"%.64s\", expected one of: %s; did you mean \"%s\"?", text, names,
                    nearest);
    return fail(r, v, field, NOT_AN_ELEMENT, "found \"%.64s\", expected one of: %s", text, names);
}

static bool read_text(reader *r, const ct_field *field, ct_sjson_value v, char *out) {
    const char *const text = ct_sjson_string(r->doc, v, NULL);
    if (!text)
        return fail_type(r, field, v);
    const uint32_t bytes = ct_sjson_string_bytes(r->doc, v);
    if (bytes >= field->size_bytes)
        return fail(r, v, field, NOT_AN_ELEMENT, "found %u bytes of text, expected at most %u",
                    bytes, field->size_bytes - 1);
    memset(out, 0, field->size_bytes);
    memcpy(out, text, bytes);
    return true;
}

// Reads a resource's name to `out`; an empty one is no resource. `index` as in fail.
static bool read_reference(reader *r, const ct_field *field, ct_sjson_value v, int32_t index,
                           ct_string_id64 *out) {
    const char *const name = ct_sjson_string(r->doc, v, NULL);
    if (!name) {
        const ct_sjson_type type = ct_sjson_type_of(r->doc, v);
        return fail(r, v, field, index, "found %s, expected a string with the name of a %s",
                    ct_sjson_type_name(type), field->reference_type);
    }
    if (name[0] == 0 && !(field->flags & CT_FIELD_REQUIRED)) {
        *out = (ct_string_id64){0};
        return true;
    }
    if (!ct_resource_name_is_canonical(name)) {
        char advice[CT_RESOURCE_ADVICE_BYTES];
        ct_resource_name_advise(name, r->listener ? r->listener->project : NULL, advice);
        return fail(r, v, field, index,
                    "\"%.256s\" is not the name of a resource ([a-z0-9_/-], from the project's "
                    "root, no extension): %s",
                    name, advice);
    }
    *out = ct_string_id64_of(name);
    if (r->listener && r->listener->reference)
        r->listener->reference(r->listener->user, field->reference_type, name, r->doc, v);
    return true;
}

static bool read_references(reader *r, const ct_field *field, ct_sjson_value v,
                            ct_string_id64 *out) {
    const uint32_t most = field->size_bytes / (uint32_t)sizeof(ct_string_id64);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(r->doc, v) > most)
        return fail_type(r, field, v);
    memset(out, 0, field->size_bytes);
    bool is_good = true;
    int32_t i = 0;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e), ++i)
        is_good &= read_reference(r, field, e, i, &out[i]);
    return is_good;
}

// Writes advice about `path`: a resource's name with its extension.
static void advise_media_path(const char *path, char *advice, size_t bytes) {
    char name[CT_RESOURCE_NAME_BYTES];
    if (path[0] == 0) {
        snprintf(advice, bytes, CT_RESOURCE_EMPTY);
        return;
    }
    if (!ct_resource_name_suggest(path, name)) {
        snprintf(advice, bytes, CT_RESOURCE_LEADS_OUT);
        return;
    }
    const char *const dot = strrchr(path, '.');
    char extension[16] = "png";
    uint32_t count = 0;
    for (const char *c = dot ? dot + 1 : ""; *c && count + 1 < sizeof(extension); ++c) {
        const char lower = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        const bool is_kept = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        extension[count++] = is_kept ? lower : '_';
        extension[count] = 0;
    }
    snprintf(advice, bytes, "write \"%s.%s\"", name, extension);
}

static bool read_string(reader *r, const ct_field *field, ct_sjson_value v, const char **out) {
    const char *const text = ct_sjson_string(r->doc, v, NULL);
    if (!text)
        return fail_type(r, field, v);
    const bool is_path = field->type == CT_FIELD_TYPE_MEDIA;
    if (is_path && (!ct_path_is_canonical(text) || ct_path_extension(text)[0] == 0)) {
        char advice[CT_RESOURCE_ADVICE_BYTES + 16];
        advise_media_path(ct_resource_name_inside(text, r->listener ? r->listener->project : NULL),
                          advice, sizeof(advice));
        return fail(r, v, field, NOT_AN_ELEMENT,
                    "\"%.256s\" is not a project path ([a-z0-9_/-], from the project's root, with "
                    "extension): %s",
                    text, advice);
    }
    *out = text;
    return true;
}

// --- Objects -------------------------------------------------------------------------------------

static bool read_container(reader *r, const ct_field *field, ct_sjson_value v,
                           ct_sjson_value *out) {
    const ct_sjson_type wanted =
        field->type == CT_FIELD_TYPE_ARRAY ? CT_SJSON_TYPE_ARRAY : CT_SJSON_TYPE_OBJECT;
    if (ct_sjson_type_of(r->doc, v) != wanted)
        return fail_type(r, field, v);
    bool is_good = true;
    int32_t i = 0;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e), ++i) {
        const ct_sjson_type type = ct_sjson_type_of(r->doc, e);
        const bool has_schema = field->type != CT_FIELD_TYPE_OBJECT && field->schema;
        if (has_schema && !field->schemas && type != CT_SJSON_TYPE_OBJECT)
            is_good =
                fail(r, e, field, i, "found %s, expected an object", ct_sjson_type_name(type));
    }
    if (is_good)
        *out = v;
    return is_good;
}

static bool read_field(reader *r, const ct_field *field, ct_sjson_value v, void *out) {
    switch (field->type) {
    case CT_FIELD_TYPE_BOOL:
        if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_BOOL)
            return fail_type(r, field, v);
        *(uint32_t *)out = ct_sjson_bool(r->doc, v, false);
        return true;
    case CT_FIELD_TYPE_INT:
    case CT_FIELD_TYPE_FLOAT:
        return read_number(r, field, v, out);
    case CT_FIELD_TYPE_VECTOR2:
    case CT_FIELD_TYPE_VECTOR3:
    case CT_FIELD_TYPE_VECTOR4:
        return read_vector(r, field, v, out);
    case CT_FIELD_TYPE_QUATERNION:
        return read_quaternion(r, field, v, out);
    case CT_FIELD_TYPE_COLOR:
        return read_color(r, field, v, out);
    case CT_FIELD_TYPE_ENUM:
        return read_enum(r, field, v, out);
    case CT_FIELD_TYPE_TEXT:
        return read_text(r, field, v, out);
    case CT_FIELD_TYPE_NAME:
        if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_STRING)
            return fail_type(r, field, v);
        *(ct_string_id32 *)out = ct_string_id32_of(ct_sjson_string(r->doc, v, ""));
        return true;
    case CT_FIELD_TYPE_REFERENCE:
        return read_reference(r, field, v, NOT_AN_ELEMENT, out);
    case CT_FIELD_TYPE_REFERENCES:
        return read_references(r, field, v, out);
    case CT_FIELD_TYPE_STRING:
    case CT_FIELD_TYPE_MEDIA:
        return read_string(r, field, v, out);
    case CT_FIELD_TYPE_ARRAY:
    case CT_FIELD_TYPE_MAP:
    case CT_FIELD_TYPE_OBJECT:
        return read_container(r, field, v, out);
    case CT_FIELD_TYPE_VALUE:
        *(ct_sjson_value *)out = v;
        return true;
    case CT_FIELD_TYPE_NONE:
    case CT_FIELD_TYPE_INDEX:
    case CT_FIELD_TYPE_PADDING:
        break;
    }
    CT_FAIL("field type", "%s.%s has an unknown type", r->schema->name, field->name);
}

static bool is_identity(const ct_schema *schema, const char *key) {
    for (uint32_t i = 0; i < CT_COUNT_OF(identity_names); ++i)
        if ((schema->identity >> i & 1) && strcmp(key, identity_names[i]) == 0)
            return true;
    return false;
}

// Reads a rotation that a source may give under two keys, of which it may use one.
static void read_rotation(reader *r, const ct_field *field, ct_sjson_value object,
                          ct_sjson_value member, void *out) {
    const char *const key = ct_sjson_key(r->doc, member);
    const char *const other = ct_field_other_key(field, key);
    const ct_sjson_value other_member = ct_sjson_find(r->doc, object, other);
    ct_error error = {0};
    if (other_member.entry && other_member.entry < member.entry) {
        ct_sjson_error(r->doc, member, &error,
                       "%s.%s: found a second rotation beside `%s`; give only one of the two",
                       r->schema->name, key, other);
        report(r, &error);
    } else if (strcmp(key, field->degrees_name) == 0) {
        read_degrees(r, field, member, out);
    } else {
        read_quaternion(r, field, member, out);
    }
}

static void read_member(reader *r, ct_sjson_value object, ct_sjson_value member, char *out) {
    const char *const key = ct_sjson_key(r->doc, member);
    const ct_field *const known = ct_schema_find_key(r->schema, key);
    if (known && known->degrees_name) {
        read_rotation(r, known, object, member, out + known->offset);
        return;
    }
    bool is_known = false;
    for (uint32_t i = 0; i < r->schema->num_fields; ++i) {
        const ct_field *const field = &r->schema->fields[i];
        if (!ct_field_is_in_source(field) || strcmp(field->name, key) != 0)
            continue;
        is_known = true;
        read_field(r, field, member, out + field->offset);
    }
    if (!is_known && !is_identity(r->schema, key))
        report_unknown_member(r, member);
}

ct_sjson_value ct_field_member(const ct_field *field, const ct_sjson *doc, ct_sjson_value object) {
    const ct_sjson_value member = ct_sjson_find(doc, object, field->name);
    return member.entry || !field->degrees_name ? member
                                                : ct_sjson_find(doc, object, field->degrees_name);
}

static void read_members(reader *r, ct_sjson_value object, void *out) {
    if (ct_sjson_type_of(r->doc, object) != CT_SJSON_TYPE_OBJECT) {
        ct_error error = {0};
        ct_sjson_error(r->doc, object, &error, "%s: found %s, expected an object", r->schema->name,
                       ct_sjson_type_name(ct_sjson_type_of(r->doc, object)));
        report(r, &error);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(r->doc, object); v.entry; v = ct_sjson_next(r->doc, v))
        read_member(r, object, v, out);
}

// Handles missing members: reports required fields, and default references to the listener.
static void read_absent(reader *r, ct_sjson_value object) {
    if (ct_sjson_type_of(r->doc, object) != CT_SJSON_TYPE_OBJECT)
        return;
    for (uint32_t i = 0; i < r->schema->num_fields; ++i) {
        const ct_field *const field = &r->schema->fields[i];
        const bool is_required = field->flags & CT_FIELD_REQUIRED;
        const bool has_default = field->type == CT_FIELD_TYPE_REFERENCE && field->default_text;
        if ((!is_required && !has_default) || ct_field_member(field, r->doc, object).entry)
            continue;
        char text[128];
        if (is_required)
            fail(r, object, field, NOT_AN_ELEMENT, "is missing; expected %s",
                 expected(field, text, sizeof(text)));
        else if (r->listener && r->listener->reference)
            r->listener->reference(r->listener->user, field->reference_type, field->default_text,
                                   r->doc, object);
    }
}

bool ct_schema_read(const ct_schema *schema, const ct_sjson *doc, ct_sjson_value object, void *out,
                    const ct_schema_listener *listener) {
    reader r = {schema, doc, listener, false};
    ct_schema_defaults(schema, out);
    read_members(&r, object, out);
    read_absent(&r, object);
    return !r.has_failed;
}

bool ct_schema_apply(const ct_schema *schema, const ct_sjson *doc, ct_sjson_value object, void *out,
                     const ct_schema_listener *listener) {
    reader r = {schema, doc, listener, false};
    read_members(&r, object, out);
    return !r.has_failed;
}
