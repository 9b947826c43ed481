#include "compiler/types/network_config/worker_network_values.h"

#include <math.h>
#include <string.h>

bool ct_worker_network_integer(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                               const char *what, int32_t least, int32_t most, int32_t *value) {
    const ct_sjson_type type = ct_sjson_type_of(doc, at);
    if (type != CT_SJSON_TYPE_NUMBER)
        return ct_compile_error(c, doc, at, "%s: found %s, expected a whole number", what,
                                ct_sjson_type_name(type));
    const double number = ct_sjson_number(doc, at, 0);
    if (!(number >= least && number <= most) || number != floor(number))
        return ct_compile_error(c, doc, at, "%s: found %g, expected a whole number, %d to %d", what,
                                number, (int)least, (int)most);
    *value = (int32_t)number;
    return true;
}

static bool read_part(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, const char *what,
                      float *part) {
    const ct_sjson_type type = ct_sjson_type_of(doc, at);
    if (type != CT_SJSON_TYPE_NUMBER)
        return ct_compile_error(c, doc, at, "%s: found %s, expected a number", what,
                                ct_sjson_type_name(type));
    const double number = ct_sjson_number(doc, at, 0);
    *part = (float)number;
    return isfinite(*part) ||
           ct_compile_error(c, doc, at, "%s: found %g, which is too large", what, number);
}

bool ct_worker_network_parts(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                             const char *what, uint32_t count, bool is_spread, float *parts) {
    const ct_sjson_type type = ct_sjson_type_of(doc, at);
    if (type == CT_SJSON_TYPE_NUMBER && (is_spread || count == 1)) {
        if (!read_part(c, doc, at, what, &parts[0]))
            return false;
        for (uint32_t i = 1; i < count; ++i)
            parts[i] = parts[0];
        return true;
    }
    if (count == 1 || type != CT_SJSON_TYPE_ARRAY || ct_sjson_count(doc, at) != count)
        return ct_compile_error(c, doc, at, "%s: found %s, expected %s%s", what,
                                ct_sjson_type_name(type),
                                count > 1 && is_spread ? "a number, or " : "",
                                count == 1   ? "a number"
                                : count == 2 ? "an array of 2 numbers"
                                : count == 3 ? "an array of 3 numbers"
                                             : "an array of 4 numbers");
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, at); v.entry; v = ct_sjson_next(doc, v)) {
        if (!read_part(c, doc, v, what, &parts[i++]))
            return false;
    }
    return true;
}

static bool read_string(const ct_sjson *doc, ct_sjson_value at, ct_network_value *value) {
    value->string.text = ct_sjson_string(doc, at, "");
    value->string.bytes = ct_sjson_string_bytes(doc, at);
    return true;
}

static bool read_lookup(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                        const ct_network_type_desc *type, ct_network_value *value) {
    const char *const name = ct_sjson_string(doc, at, "");
    for (uint32_t i = 0; i < type->num_lookups; ++i) {
        value->lookup = i;
        if (strcmp(type->lookups[i], name) == 0)
            return true;
    }
    const char *const nearest = ct_nearest_name(name, type->lookups, type->num_lookups);
    if (nearest)
        return ct_compile_error(
            c, doc, at, "default: unknown value \"%.64s\"; did you mean \"%s\"?", name, nearest);
    return ct_compile_error(c, doc, at, "default: \"%.64s\" is not among the values of \"%s\"",
                            name, type->name);
}

static bool read_text(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, uint32_t kind,
                      const ct_network_type_desc *type, ct_network_value *value) {
    const ct_sjson_type found = ct_sjson_type_of(doc, at);
    if (found != CT_SJSON_TYPE_STRING)
        return ct_compile_error(c, doc, at, "default: found %s, expected a string",
                                ct_sjson_type_name(found));
    if (kind == CT_NETWORK_STRING)
        return read_string(doc, at, value);
    if (kind == CT_NETWORK_LOOKUP)
        return read_lookup(c, doc, at, type, value);
    value->id = ct_string_id64_of(ct_sjson_string(doc, at, "")).value;
    return true;
}

static bool read_bool(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                      ct_network_value *value) {
    const ct_sjson_type found = ct_sjson_type_of(doc, at);
    if (found != CT_SJSON_TYPE_BOOL)
        return ct_compile_error(c, doc, at, "default: found %s, expected true or false",
                                ct_sjson_type_name(found));
    value->boolean = ct_sjson_bool(doc, at, false);
    return true;
}

// A first value outside of the range is a mistake; at run time such values are clamped.
static bool check_parts(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                        const ct_network_type_desc *type, const float *parts, uint32_t count) {
    for (uint32_t i = 0; i < count && type->bits != CT_NETWORK_EXACT_BITS; ++i) {
        if (parts[i] < type->min[i] || parts[i] > type->max[i])
            return ct_compile_error(c, doc, at, "default: found %g, expected %g to %g",
                                    (double)parts[i], (double)type->min[i], (double)type->max[i]);
    }
    return true;
}

bool ct_worker_network_value(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, uint32_t kind,
                             const ct_network_type_desc *type, ct_network_value *value) {
    switch (kind) {
    case CT_NETWORK_BOOL:
        return read_bool(c, doc, at, value);
    case CT_NETWORK_INTEGER:
        return ct_worker_network_integer(c, doc, at, "default", type->first, type->last,
                                         &value->integer);
    case CT_NETWORK_FLOAT:
        return ct_worker_network_parts(c, doc, at, "default", 1, false, &value->number) &&
               check_parts(c, doc, at, type, &value->number, 1);
    case CT_NETWORK_VECTOR2:
        return ct_worker_network_parts(c, doc, at, "default", 2, false, value->parts) &&
               check_parts(c, doc, at, type, value->parts, 2);
    case CT_NETWORK_VECTOR3:
        return ct_worker_network_parts(c, doc, at, "default", 3, false, value->parts) &&
               check_parts(c, doc, at, type, value->parts, 3);
    case CT_NETWORK_ROTATION:
        return ct_worker_network_parts(c, doc, at, "default", 4, false, value->parts);
    case CT_NETWORK_STRING:
    case CT_NETWORK_LOOKUP:
    case CT_NETWORK_ID:
        return read_text(c, doc, at, kind, type, value);
    default:
        return ct_compile_error(c, doc, at, "default: values of kind %s always start as %s",
                                ct_network_kind_name(kind),
                                kind == CT_NETWORK_ARRAY ? "empty" : "none");
    }
}
