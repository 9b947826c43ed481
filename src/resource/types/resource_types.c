#include "resource/types/resource_types.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/animation_resource.h"
#include "resource/types/config_resource.h"
#include "resource/types/environment_resource.h"
#include "resource/types/flow/flow_nodes_resource.h"
#include "resource/types/flow/flow_resource.h"
#include "resource/types/font_resource.h"
#include "resource/types/gui/gui_theme_resource.h"
#include "resource/types/height_field_resource.h"
#include "resource/types/input_resource.h"
#include "resource/types/lua_resource.h"
#include "resource/types/material_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/navigation/navigation_source.h"
#include "resource/types/network/network_config_source.h"
#include "resource/types/package_resource.h"
#include "resource/types/particles/particles_source.h"
#include "resource/types/physics_resource.h"
#include "resource/types/plugin/plugin_resource.h"
#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"
#include "resource/types/skeleton_resource.h"
#include "resource/types/sound_bus_resource.h"
#include "resource/types/sound_event_resource.h"
#include "resource/types/sound_resource.h"
#include "resource/types/state_machine_resource.h"
#include "resource/types/strings_resource.h"
#include "resource/types/texture_resource.h"
#include "resource/types/unit_resource.h"

enum { NUM_ENGINE_TYPES = 28 };

// Types that others need come first: packages bring their resources online, and reloads are
// reported, in this order. Those of plugins follow.
static ct_resource_type types[NUM_ENGINE_TYPES + CT_MAX_PLUGIN_RESOURCE_TYPES] = {
    {"config",
     {0x82645835e6b73232},
     CT_CONFIG_VERSION,
     NULL,
     &ct_config_layout,
     ct_config_validate,
     NULL},
    {"input",
     {0x2bbcabe5074ade9e},
     CT_INPUT_VERSION,
     &ct_input_schema,
     &ct_input_layout,
     ct_input_validate,
     NULL},
    {"lua", {0xa14e8dfa2cd117e2}, CT_LUA_VERSION, NULL, &ct_lua_layout, ct_lua_validate, NULL},
    {"network_config",
     {0x3b1fa9e8f6bac374},
     CT_NETWORK_CONFIG_VERSION,
     &ct_network_config_schema,
     &ct_network_config_layout,
     ct_network_config_validate,
     NULL},
    {"strings",
     {0x0d972bab10b40fd3},
     CT_STRINGS_VERSION,
     NULL,
     &ct_strings_layout,
     ct_strings_validate,
     NULL},
    {"font",
     {0x9efe0a916aae7880},
     CT_FONT_VERSION,
     &ct_font_schema,
     &ct_font_layout,
     ct_font_validate,
     NULL},
    {"gui_theme",
     {0xbda1a2477ca5c03c},
     CT_GUI_THEME_VERSION,
     &ct_gui_theme_schema,
     &ct_gui_theme_layout,
     ct_gui_theme_validate,
     NULL},
    {"texture",
     {0xcd4238c6a0c69e32},
     CT_TEXTURE_VERSION,
     &ct_texture_schema,
     &ct_texture_layout,
     ct_texture_validate,
     ct_texture_stream},
    {"shader",
     {0xcce8d5b5f5ae333f},
     CT_SHADER_VERSION,
     &ct_shader_schema,
     &ct_shader_layout,
     ct_shader_validate,
     NULL},
    {"material",
     {0xeac0b497876adedf},
     CT_MATERIAL_VERSION,
     &ct_material_schema,
     &ct_material_layout,
     ct_material_validate,
     NULL},
    {"mesh",
     {0x48ff313713a997a1},
     CT_MESH_VERSION,
     &ct_mesh_schema,
     &ct_mesh_layout,
     ct_mesh_validate,
     NULL},
    {"height_field",
     {0x310cfb1ab5a20d9f},
     CT_HEIGHT_FIELD_VERSION,
     &ct_height_field_schema,
     &ct_height_field_layout,
     ct_height_field_validate,
     NULL},
    {"physics",
     {0x5f7203c8f280dab8},
     CT_PHYSICS_VERSION,
     &ct_physics_schema,
     &ct_physics_layout,
     ct_physics_validate,
     NULL},
    {"skeleton",
     {0x975cebbda510e575},
     CT_SKELETON_VERSION,
     &ct_skeleton_schema,
     &ct_skeleton_layout,
     ct_skeleton_validate,
     NULL},
    {"animation",
     {0x931e336d7646cc26},
     CT_ANIMATION_VERSION,
     &ct_animation_schema,
     &ct_animation_layout,
     ct_animation_validate,
     NULL},
    {"state_machine",
     {0xa486d4045106165c},
     CT_STATE_MACHINE_VERSION,
     &ct_state_machine_schema,
     &ct_state_machine_layout,
     ct_state_machine_validate,
     NULL},
    {"render_config",
     {0x27862fe24795319c},
     CT_RENDER_CONFIG_VERSION,
     &ct_render_config_schema,
     &ct_render_config_layout,
     ct_render_config_validate,
     NULL},
    {"environment",
     {0x4c7cfee69af3c754},
     CT_ENVIRONMENT_VERSION,
     &ct_environment_schema,
     &ct_environment_layout,
     ct_environment_validate,
     NULL},
    {"particles",
     {0xa8193123526fad64},
     CT_PARTICLES_VERSION,
     &ct_particles_schema,
     &ct_particles_layout,
     ct_particles_validate,
     NULL},
    {"sound",
     {0x90641b51c98b7aac},
     CT_SOUND_VERSION,
     &ct_sound_schema,
     &ct_sound_layout,
     ct_sound_validate,
     ct_sound_stream},
    {"sound_event",
     {0x08abf08b67661737},
     CT_SOUND_EVENT_VERSION,
     &ct_sound_event_schema,
     &ct_sound_event_layout,
     ct_sound_event_validate,
     NULL},
    {"sound_bus",
     {0xdc4b399d9ab8f6a4},
     CT_SOUND_BUS_VERSION,
     &ct_sound_bus_schema,
     &ct_sound_bus_layout,
     ct_sound_bus_validate,
     NULL},
    {"flow_nodes",
     {0xe9678da10043220d},
     CT_FLOW_NODES_VERSION,
     &ct_flow_nodes_schema,
     &ct_flow_nodes_layout,
     ct_flow_nodes_validate,
     NULL},
    {"flow",
     {0x92d3ee038eeb610d},
     CT_FLOW_VERSION,
     &ct_flow_schema,
     &ct_flow_layout,
     ct_flow_validate,
     NULL},
    {"unit",
     {0xe0a48d0be9a7453f},
     CT_UNIT_VERSION,
     &ct_unit_schema,
     &ct_unit_layout,
     ct_unit_validate,
     NULL},
    {"level",
     {0x2a690fd348fe9ac5},
     CT_LEVEL_VERSION,
     &ct_level_schema,
     &ct_level_layout,
     ct_level_validate,
     NULL},
    {"navigation",
     {0x841427451f8809bf},
     CT_NAVIGATION_VERSION,
     &ct_navigation_schema,
     &ct_navigation_layout,
     ct_navigation_validate,
     NULL},
    {"package",
     {0xad9c6d9ed1e5e77a},
     CT_PACKAGE_VERSION,
     &ct_package_schema,
     &ct_package_layout,
     ct_package_validate,
     NULL},
};

static char registered_names[CT_MAX_PLUGIN_RESOURCE_TYPES][CT_RESOURCE_TYPE_NAME_BYTES];
static atomic_uint num_registered; // rows that are complete
static atomic_flag is_registering;

static uint32_t num_types(void) {
    return NUM_ENGINE_TYPES + atomic_load_explicit(&num_registered, memory_order_acquire);
}

const ct_resource_type *ct_resource_types(uint32_t *count) {
    *count = num_types();
    return types;
}

const ct_resource_type *ct_resource_type_named(const char *name) {
    const uint32_t count = num_types();
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    }
    return NULL;
}

const ct_resource_type *ct_resource_type_of(ct_string_id64 type) {
    const uint32_t count = num_types();
    for (uint32_t i = 0; i < count; ++i) {
        if (types[i].id.value == type.value)
            return &types[i];
    }
    return NULL;
}

// --- Of plugins ----------------------------------------------------------------------------------

bool ct_resource_type_is_name(const char *name) {
    const size_t bytes = strlen(name);
    return bytes >= 2 && bytes < CT_RESOURCE_TYPE_NAME_BYTES && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == bytes;
}

static const ct_resource_type *add_type(const char *name, ct_error *error) {
    const ct_resource_type *const known = ct_resource_type_named(name);
    const uint32_t count = num_types();
    const uint32_t at = count - NUM_ENGINE_TYPES;
    if (known && ct_resource_type_is_registered(known))
        return known;
    if (known || at == CT_MAX_PLUGIN_RESOURCE_TYPES) {
        ct_error_set(error,
                     known ? "the engine has a resource type \"%s\"; choose another name"
                           : "the resource type \"%s\" is one too many: plugins can add %d",
                     name, (int)CT_MAX_PLUGIN_RESOURCE_TYPES);
        return NULL;
    }
    snprintf(registered_names[at], sizeof(registered_names[at]), "%s", name);
    types[count] = (ct_resource_type){.name = registered_names[at],
                                      .id = ct_string_id64_of(name),
                                      .version = CT_PLUGIN_RESOURCE_VERSION,
                                      .layout = &ct_plugin_resource_layout,
                                      .validate = ct_plugin_resource_validate};
    atomic_store_explicit(&num_registered, at + 1, memory_order_release);
    return &types[count];
}

const ct_resource_type *ct_resource_type_register(const char *name, ct_error *error) {
    if (!ct_resource_type_is_name(name)) {
        ct_error_set(error,
                     "\"%.64s\" is not the name of a resource type; expected 2 to %d of a-z, 0-9 "
                     "and _, a letter first",
                     name, CT_RESOURCE_TYPE_NAME_BYTES - 1);
        return NULL;
    }
    while (atomic_flag_test_and_set_explicit(&is_registering, memory_order_acquire))
        ; // another thread adds a row, which takes microseconds
    const ct_resource_type *const type = add_type(name, error);
    atomic_flag_clear_explicit(&is_registering, memory_order_release);
    return type;
}

bool ct_resource_type_set_schema(const char *name, const ct_schema *schema) {
    for (uint32_t i = NUM_ENGINE_TYPES; i < num_types(); ++i) {
        if (strcmp(types[i].name, name) != 0 || (schema && types[i].schema))
            continue;
        types[i].schema = schema;
        return true;
    }
    return false;
}

bool ct_resource_type_is_registered(const ct_resource_type *type) {
    return type >= types + NUM_ENGINE_TYPES && type < types + CT_COUNT_OF(types);
}
