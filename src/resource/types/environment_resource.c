#include "resource/types/environment_resource.h"

#include <math.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_environment_source, member),                                             \
    .size_bytes = sizeof(((ct_environment_source *)0)->member)

static const ct_field fields[] = {
    {.name = "parent",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(parent),
     .doc = "The environment that this one starts from. Values of this one override its values.",
     .reference_type = "environment"},
    {.name = "parent",
     .type = CT_FIELD_TYPE_VALUE,
     AT(parent_value),
     .doc = "The environment that this one starts from. Values of this one override its values."},
    {.name = "render_config",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(render_config),
     .doc = "The render config whose settings `values` names. Default: the parent's, or "
            "core/rendering/renderer.",
     .reference_type = "render_config"},
    {.name = "render_config",
     .type = CT_FIELD_TYPE_VALUE,
     AT(render_config_value),
     .doc = "The render config whose settings `values` names. Default: the parent's, or "
            "core/rendering/renderer."},
    {.name = "values",
     .type = CT_FIELD_TYPE_MAP,
     AT(values),
     .doc = "Values of settings that the render config declares with environment = true: numbers, "
            "arrays of numbers, colours (sRGB), names of choices, true or false. null drops the "
            "parent's value."},
};

const ct_schema ct_environment_schema = {
    .name = "environment",
    .doc = "Values of render settings for a place or a time.",
    .size_bytes = sizeof(ct_environment_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_environment_value_layout =
    CT_BLOB_STRUCT(ct_environment_value, CT_BLOB_STRING(ct_environment_value, name_text),
                   CT_BLOB_NUMBERS(4, ct_environment_value, name, value));

const ct_blob_layout ct_environment_layout =
    CT_BLOB_ROOT(ct_environment_resource, "an environment",
                 CT_BLOB_ARRAY(ct_environment_resource, values, ct_environment_value_layout));

bool ct_environment_validate(const void *blob, ct_error *error) {
    const ct_environment_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_environment_layout, r, error))
        return false;
    if (r->values.count > CT_RENDER_MAX_SETTINGS)
        return ct_error_set(error, "values: found %u, expected at most %d", r->values.count,
                            CT_RENDER_MAX_SETTINGS);
    const ct_environment_value *const values = ct_blob_at(r, r->values.offset);
    for (uint32_t i = 0; i < r->values.count; ++i) {
        const ct_environment_value *const v = &values[i];
        if (v->type == CT_RENDER_SETTING_TYPE_NONE || v->type >= CT_RENDER_SETTING_TYPE_COUNT)
            return ct_error_set(error, "values[%u]: unknown type %u", i, v->type);
        if (i > 0 && values[i - 1].name.value >= v->name.value)
            return ct_error_set(error, "values[%u]: its name is not above the one before", i);
        for (uint32_t k = 0; k < 4; ++k) {
            if (!isfinite(v->value[k]))
                return ct_error_set(error, "values[%u]: number %u is not finite", i, k);
        }
    }
    return true;
}
