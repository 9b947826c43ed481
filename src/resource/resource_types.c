#include "resource/resource_types.h"

#include <string.h>

#include "resource/config_resource.h"
#include "resource/input_resource.h"
#include "resource/lua_resource.h"
#include "resource/material_resource.h"
#include "resource/mesh_resource.h"
#include "resource/package_resource.h"
#include "resource/render_config_resource.h"
#include "resource/shader_resource.h"
#include "resource/strings_resource.h"
#include "resource/texture_resource.h"
#include "resource/unit_resource.h"

// What others need comes first: packages bring their resources online, and reloads are told, in
// this order.
static const ct_resource_type types[] = {
    {"config", CT_CONFIG_VERSION, NULL, ct_config_validate, NULL},
    {"input", CT_INPUT_VERSION, &ct_input_schema, ct_input_validate, NULL},
    {"lua", CT_LUA_VERSION, NULL, ct_lua_validate, NULL},
    {"strings", CT_STRINGS_VERSION, NULL, ct_strings_validate, NULL},
    {"texture", CT_TEXTURE_VERSION, &ct_texture_schema, ct_texture_validate, ct_texture_stream},
    {"shader", CT_SHADER_VERSION, &ct_shader_schema, ct_shader_validate, NULL},
    {"material", CT_MATERIAL_VERSION, &ct_material_schema, ct_material_validate, NULL},
    {"mesh", CT_MESH_VERSION, &ct_mesh_schema, ct_mesh_validate, NULL},
    {"render_config", CT_RENDER_CONFIG_VERSION, &ct_render_config_schema, ct_render_config_validate,
     NULL},
    {"unit", CT_UNIT_VERSION, &ct_unit_schema, ct_unit_validate, NULL},
    {"level", CT_LEVEL_VERSION, &ct_level_schema, ct_level_validate, NULL},
    {"package", CT_PACKAGE_VERSION, &ct_package_schema, ct_package_validate, NULL},
};

const ct_resource_type *ct_resource_types(uint32_t *count) {
    *count = CT_COUNT_OF(types);
    return types;
}

const ct_resource_type *ct_resource_type_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(types); i++) {
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    }
    return NULL;
}

const ct_resource_type *ct_resource_type_of(ct_string_id64 type) {
    for (uint32_t i = 0; i < CT_COUNT_OF(types); i++) {
        if (ct_string_id64_of(types[i].name).value == type.value)
            return &types[i];
    }
    return NULL;
}
