#include "compiler/protocol/compiler_types.h"

#include <string.h>

#include "resource/types/flow/flow_node_hash.h"

// The driver knows names and versions only.
#ifdef CT_WITH_COMPILE_FUNCTIONS
#define FUNCTION(name) name
#else
#define FUNCTION(name) NULL
#endif

// Bullet cooks collision shapes: another version of it makes other data.
#define WITH_BULLET(version) ((version)*100000u + CT_BULLET_VERSION)

static const ct_compiler_type types[] = {
    {.name = "animation",
     .version = 1,
     .is_slow = true,
     .function = FUNCTION(ct_compile_animation)},
    {.name = "config", .version = 5, .function = FUNCTION(ct_compile_config)},
    {.name = "environment", .version = 1, .function = FUNCTION(ct_compile_environment)},
    {.name = "flow",
     .version = 1,
     .tables_hash = ct_flow_node_hash,
     .function = FUNCTION(ct_compile_flow)},
    {.name = "flow_nodes", .version = 1, .function = FUNCTION(ct_compile_flow_nodes)},
    {.name = "font", .version = 2, .is_slow = true, .function = FUNCTION(ct_compile_font)},
    {.name = "gui_theme", .version = 2, .function = FUNCTION(ct_compile_gui_theme)},
    {.name = "height_field", .version = 1, .function = FUNCTION(ct_compile_height_field)},
    {.name = "input", .version = 3, .function = FUNCTION(ct_compile_input)},
    {.name = "level", .version = 6, .function = FUNCTION(ct_compile_level)},
    {.name = "lua", .version = 3, .function = FUNCTION(ct_compile_lua)},
    {.name = "material", .version = 3, .function = FUNCTION(ct_compile_material)},
    {.name = "mesh",
     .version = WITH_BULLET(8),
     .is_slow = true,
     .function = FUNCTION(ct_compile_mesh)},
    {.name = "navigation",
     .version = CT_NAVIGATION_COMPILER_VERSION,
     .is_slow = true,
     .function = FUNCTION(ct_compile_navigation)},
    {.name = "network_config", .version = 2, .function = FUNCTION(ct_compile_network_config)},
    {.name = "package",
     .version = 4,
     .needs_listing = true,
     .function = FUNCTION(ct_compile_package)},
    {.name = "particles", .version = 1, .function = FUNCTION(ct_compile_particles)},
    {.name = "physics", .version = 1, .function = FUNCTION(ct_compile_physics)},
    {.name = "render_config", .version = 2, .function = FUNCTION(ct_compile_render_config)},
    {.name = "shader",
     .version = 6,
     .is_slow = true,
     .has_tables = true,
     .function = FUNCTION(ct_compile_shader)},
    {.name = "skeleton", .version = 1, .function = FUNCTION(ct_compile_skeleton)},
    {.name = "sound", .version = 1, .is_slow = true, .function = FUNCTION(ct_compile_sound)},
    {.name = "sound_bus", .version = 1, .function = FUNCTION(ct_compile_sound_bus)},
    {.name = "sound_event", .version = 2, .function = FUNCTION(ct_compile_sound_event)},
    {.name = "state_machine", .version = 1, .function = FUNCTION(ct_compile_state_machine)},
    {.name = "strings", .version = 5, .function = FUNCTION(ct_compile_strings)},
    {.name = "texture", .version = 8, .is_slow = true, .function = FUNCTION(ct_compile_texture)},
    {.name = "unit", .version = 4, .function = FUNCTION(ct_compile_unit)},
};

const ct_compiler_type *ct_compiler_types(uint32_t *count) {
    *count = CT_COUNT_OF(types);
    return types;
}

const ct_compiler_type *ct_compiler_type_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}
