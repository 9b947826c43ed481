#include "resource/types/material_resource.h"

#include <math.h>

#include "foundation/error.h"
#include "resource/types/shader_resource.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_material_source, member),                                                \
    .size_bytes = sizeof(((ct_material_source *)0)->member)

static const ct_field fields[] = {
    {.name = "parent",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(parent),
     .doc = "The material that this one inherits from. Members of this material override it.",
     .reference_type = "material"},
    {.name = "parent",
     .type = CT_FIELD_TYPE_VALUE,
     AT(parent_value),
     .doc = "The material that this one inherits from. Members of this material override it."},
    {.name = "shader",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(shader),
     .doc = "The shader to draw with. Default: the parent's shader.",
     .reference_type = "shader"},
    {.name = "shader",
     .type = CT_FIELD_TYPE_VALUE,
     AT(shader_value),
     .doc = "The shader to draw with. Default: the parent's shader."},
    {.name = "options",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(options),
     .flags = CT_FIELD_SET,
     .doc = "Names of the shader's options to switch on. They replace the parent's options."},
    {.name = "parameters",
     .type = CT_FIELD_TYPE_MAP,
     AT(parameters),
     .doc = "Values of the shader's parameters: numbers, arrays of numbers and colours (sRGB). "
            "null restores the shader's default."},
    {.name = "textures",
     .type = CT_FIELD_TYPE_MAP,
     AT(textures),
     .doc = "Names of textures for the shader's textures. null restores the shader's default.",
     .reference_type = "texture",
     .element_type = CT_FIELD_TYPE_REFERENCE},
};

const ct_schema ct_material_schema = {
    .name = "material",
    .doc = "A shader with values for its parameters.",
    .size_bytes = sizeof(ct_material_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_material_parameter_layout = CT_BLOB_ALL_NUMBERS(ct_material_parameter, 4);

const ct_blob_layout ct_material_texture_layout =
    CT_BLOB_STRUCT(ct_material_texture, CT_BLOB_NUMBERS(4, ct_material_texture, name, padding),
                   CT_BLOB_NUMBERS(8, ct_material_texture, texture, texture));

const ct_blob_layout ct_material_layout = CT_BLOB_ROOT(
    ct_material_resource, "a material", CT_BLOB_NUMBERS(8, ct_material_resource, shader, shader),
    CT_BLOB_ARRAY(ct_material_resource, options, ct_blob_u32_layout),
    CT_BLOB_ARRAY(ct_material_resource, parameters, ct_material_parameter_layout),
    CT_BLOB_ARRAY(ct_material_resource, textures, ct_material_texture_layout));

static bool check_parameters(const ct_material_resource *m, ct_error *error) {
    const ct_material_parameter *const parameters = ct_blob_at(m, m->parameters.offset);
    for (uint32_t i = 0; i < m->parameters.count; ++i) {
        const ct_material_parameter *const p = &parameters[i];
        const bool is_matrix = p->num_floats == CT_SHADER_MAX_FLOATS;
        if (p->num_floats < 1 || (p->num_floats > 4 && !is_matrix))
            return ct_error_set(error, "parameters[%u]: found %u numbers, expected 1 to 4 or 16", i,
                                p->num_floats);
        for (uint32_t k = 0; k < CT_SHADER_MAX_FLOATS; ++k) {
            if (!isfinite(p->value[k]))
                return ct_error_set(error, "parameters[%u]: number %u is not finite", i, k);
        }
    }
    return true;
}

bool ct_material_validate(const void *blob, ct_error *error) {
    const ct_material_resource *const m = blob;
    if (!ct_blob_check_layout(&ct_material_layout, m, error))
        return false;
    if (m->shader.value == 0)
        return ct_error_set(error, "shader: the material has no shader");
    if (m->options.count > CT_SHADER_MAX_OPTIONS)
        return ct_error_set(error, "options: found %u, expected at most %u", m->options.count,
                            CT_SHADER_MAX_OPTIONS);
    return check_parameters(m, error);
}
