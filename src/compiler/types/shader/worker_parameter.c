#include "compiler/types/shader/worker_parameter.h"

#include <float.h>
#include <string.h>

static const char *const type_names[] = {
    [CT_SHADER_PARAMETER_TYPE_NONE] = "",
    [CT_SHADER_PARAMETER_TYPE_SCALAR] = "scalar",
    [CT_SHADER_PARAMETER_TYPE_VECTOR2] = "vector2",
    [CT_SHADER_PARAMETER_TYPE_VECTOR3] = "vector3",
    [CT_SHADER_PARAMETER_TYPE_VECTOR4] = "vector4",
    [CT_SHADER_PARAMETER_TYPE_COLOR] = "color",
    [CT_SHADER_PARAMETER_TYPE_MATRIX4X4] = "matrix4x4",
};

ct_shader_parameter_type ct_worker_parameter_type_named(const char *name) {
    for (uint32_t i = 1; i < CT_COUNT_OF(type_names); ++i) {
        if (strcmp(type_names[i], name) == 0)
            return (ct_shader_parameter_type)i;
    }
    return CT_SHADER_PARAMETER_TYPE_NONE;
}

static bool read_number(ct_compile *c, const ct_sjson *doc, ct_sjson_value v, const char *name,
                        bool is_color, float *out) {
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_NUMBER)
        return ct_compile_error(c, doc, v, "%s: found %s, expected a number", name,
                                ct_sjson_type_name(ct_sjson_type_of(doc, v)));
    const double number = ct_sjson_number(doc, v, 0);
    const double least = is_color ? 0 : -(double)FLT_MAX, most = is_color ? 1 : (double)FLT_MAX;
    if (!(number >= least && number <= most))
        return ct_compile_error(c, doc, v, "%s: found %g, expected %g to %g", name, number, least,
                                most);
    *out = (float)number;
    return true;
}

static bool read_array(ct_compile *c, const ct_sjson *doc, ct_sjson_value v, const char *name,
                       ct_shader_parameter_type type, float *value) {
    const bool is_color = type == CT_SHADER_PARAMETER_TYPE_COLOR;
    const uint32_t most = ct_shader_parameter_floats(type), least = is_color ? 3 : most;
    const uint32_t count = ct_sjson_count(doc, v);
    const char *const wanted = is_color ? "an array of 3 or 4 numbers (r g b a)"
                                        : ct_compile_text(c, "an array of %u numbers", most);
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_ARRAY)
        return ct_compile_error(c, doc, v, "%s is a %s: found %s, expected %s", name,
                                type_names[type], ct_sjson_type_name(ct_sjson_type_of(doc, v)),
                                wanted);
    if (count < least || count > most)
        return ct_compile_error(c, doc, v, "%s is a %s: found an array of %u, expected %s", name,
                                type_names[type], count, wanted);
    uint32_t i = 0;
    for (ct_sjson_value e = ct_sjson_first(doc, v); e.entry; e = ct_sjson_next(doc, e)) {
        if (!read_number(c, doc, e, name, is_color, &value[i++]))
            return false;
    }
    for (i = 0; is_color && i < 3; ++i)
        value[i] = ct_srgb_to_linear(value[i]);
    return true;
}

bool ct_worker_parameter_read(ct_compile *c, const ct_sjson *doc, ct_sjson_value v,
                              const char *name, ct_shader_parameter_type type, float *value) {
    value[0] = value[1] = value[2] = 0;
    value[3] = type == CT_SHADER_PARAMETER_TYPE_COLOR ? 1.0f : 0.0f;
    if (type == CT_SHADER_PARAMETER_TYPE_SCALAR)
        return read_number(c, doc, v, name, false, value);
    return read_array(c, doc, v, name, type, value);
}
