#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "dev/protocol/protocol_type.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_number.h"

enum { MAX_PATH = 256, MAX_FOUND = 96 };

static bool check_type(const char *type, uint32_t bytes, const ct_sjson *doc, ct_sjson_value value,
                       const char *path, ct_error *error);

// Writes what was found, as an error shows it.
static void write_found(const ct_sjson *doc, ct_sjson_value value, char text[MAX_FOUND]) {
    const ct_sjson_type type = ct_sjson_type_of(doc, value);
    if (type == CT_SJSON_TYPE_STRING)
        snprintf(text, MAX_FOUND, "\"%.64s\"", ct_sjson_string(doc, value, ""));
    else if (type == CT_SJSON_TYPE_NUMBER)
        text[ct_sjson_number_format(ct_sjson_number(doc, value, 0), text)] = '\0';
    else
        snprintf(text, MAX_FOUND, "%s", ct_sjson_type_name(type));
}

static const ct_protocol_member *member_named(const ct_protocol_member *members, const char *name) {
    for (const ct_protocol_member *m = members; m && m->name; ++m) {
        if (strcmp(m->name, name) == 0)
            return m;
    }
    return NULL;
}

static bool refuse_member(const ct_protocol_member *members, const char *path, const char *name,
                          ct_error *error) {
    enum { MAX_NAMES = 32 };
    const char *names[MAX_NAMES];
    uint32_t count = 0;
    for (const ct_protocol_member *m = members; m && m->name && count < MAX_NAMES; ++m)
        names[count++] = m->name;
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        return ct_error_set(error, "unknown member \"%s%.64s\"; did you mean \"%s\"?", path, name,
                            nearest);
    char all[256] = "";
    for (uint32_t i = 0; i < count; ++i) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s\"%s\"", i == 0 ? "" : ", ", names[i]);
    }
    return ct_error_set(error, "unknown member \"%s%.64s\"; expected %s", path, name,
                        count > 0 ? all : "no members");
}

// Checks the members of an object. `path` is empty, or ends with a point.
static bool check_members(const ct_protocol_member *members, bool is_message, const ct_sjson *doc,
                          ct_sjson_value object, const char *path, ct_error *error) {
    char inner[MAX_PATH];
    for (const ct_protocol_member *m = members; m && m->name; ++m) {
        const ct_sjson_value value = ct_sjson_find(doc, object, m->name);
        if (value.entry == 0 && ct_protocol_is_optional(m->type))
            continue;
        snprintf(inner, sizeof(inner), "%s%s", path, m->name);
        if (value.entry == 0)
            return ct_error_set(error, "\"%s\" is missing; expected %s", inner, m->type);
        if (!ct_protocol_check_value(m->type, doc, value, inner, error))
            return false;
    }
    ct_sjson_value value = ct_sjson_first(doc, object);
    for (; value.entry != 0; value = ct_sjson_next(doc, value)) {
        const char *const key = ct_sjson_key(doc, value);
        const bool is_of_all = is_message && (strcmp(key, "type") == 0 || strcmp(key, "id") == 0 ||
                                              strcmp(key, "binary_size") == 0);
        if (!is_of_all && !member_named(members, key))
            return refuse_member(members, path, key, error);
    }
    return true;
}

// Whether a value is of a kind without parts.
static bool is_simple(const ct_protocol_part *part, const ct_sjson *doc, ct_sjson_value value) {
    const ct_sjson_type type = ct_sjson_type_of(doc, value);
    const double number = ct_sjson_number(doc, value, NAN);
    const char *const text = ct_sjson_string(doc, value, NULL);
    switch (part->kind) {
    case CT_PROTOCOL_KIND_ANY:
        return type != CT_SJSON_TYPE_NONE;
    case CT_PROTOCOL_KIND_STRING:
        return text;
    case CT_PROTOCOL_KIND_NUMBER:
        return type == CT_SJSON_TYPE_NUMBER;
    case CT_PROTOCOL_KIND_INTEGER:
        return number >= 0 && number <= 9007199254740992.0 && number == floor(number);
    case CT_PROTOCOL_KIND_BOOLEAN:
        return type == CT_SJSON_TYPE_BOOL;
    case CT_PROTOCOL_KIND_LITERAL:
        return text && strlen(text) == part->bytes && memcmp(text, part->text, part->bytes) == 0;
    default:
        return false;
    }
}

// Checks the value against one alternative, `depth` arrays of it. Returns whether the alternative is of its
// kind (an array, an object); then `error` is set when something in it is wrong.
static bool is_part(const ct_protocol_part *part, uint32_t depth, const ct_sjson *doc,
                    ct_sjson_value value, const char *path, ct_error *error) {
    char inner[MAX_PATH];
    const ct_sjson_type type = ct_sjson_type_of(doc, value);
    if (depth > 0) {
        uint32_t place = 0;
        ct_sjson_value item = ct_sjson_first(doc, value);
        for (; type == CT_SJSON_TYPE_ARRAY && item.entry != 0; item = ct_sjson_next(doc, item)) {
            snprintf(inner, sizeof(inner), "%s[%u]", path, ++place);
            if (!is_part(part, depth - 1, doc, item, inner, error)) {
                const ct_protocol_part of = *part;
                check_type(of.text - (of.kind == CT_PROTOCOL_KIND_LITERAL),
                           of.bytes + 2 * (of.kind == CT_PROTOCOL_KIND_LITERAL), doc, item, inner,
                           error);
            }
            if (error->message[0] != '\0')
                break;
        }
        return type == CT_SJSON_TYPE_ARRAY;
    }
    if (part->kind == CT_PROTOCOL_KIND_GROUP)
        return check_type(part->text, part->bytes, doc, value, path, error) ||
               error->message[0] != '\0';
    if (part->kind != CT_PROTOCOL_KIND_SHAPE)
        return is_simple(part, doc, value);
    if (type != CT_SJSON_TYPE_OBJECT)
        return false;
    const ct_protocol_shape *const shape = ct_protocol_shape_named(part->text, part->bytes);
    CT_ASSERT(shape, "no shape has the name %.*s", (int)part->bytes, part->text);
    snprintf(inner, sizeof(inner), "%s.", path);
    check_members(shape->members, false, doc, value, inner, error);
    return true;
}

static bool check_type(const char *type, uint32_t bytes, const ct_sjson *doc, ct_sjson_value value,
                       const char *path, ct_error *error) {
    const char *rest = type;
    uint32_t rest_bytes = bytes;
    ct_protocol_part part;
    while (ct_protocol_next_part(&rest, &rest_bytes, &part)) {
        if (is_part(&part, part.num_arrays, doc, value, path, error))
            return error->message[0] == '\0';
    }
    char found[MAX_FOUND];
    write_found(doc, value, found);
    return ct_error_set(error, "\"%s\" is %s; expected %.*s", path, found, (int)bytes, type);
}

bool ct_protocol_check_value(const char *type, const ct_sjson *doc, ct_sjson_value value,
                             const char *path, ct_error *error) {
    error->message[0] = '\0';
    const size_t length = strlen(type);
    return check_type(type, (uint32_t)(length - (ct_protocol_is_optional(type) ? 1 : 0)), doc,
                      value, path, error);
}

bool ct_protocol_check(const ct_protocol_message *m, const ct_sjson *doc, ct_sjson_value root,
                       ct_error *error) {
    return check_members(m->members, true, doc, root, "", error);
}
