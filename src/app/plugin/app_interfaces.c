#include "app/plugin/app_interfaces.h"

#include "script/plugin/script_plugins.h"

const ct_plugin_interface *ct_app_interfaces(uint32_t *count) {
    static const ct_plugin_interface interfaces[] = {
        {CUTTLE_APP_API, 1, &ct_app_app_api_1},
        {CUTTLE_COMPONENT_TYPES_API, 1, &ct_app_component_types_api_1},
        {CUTTLE_COMPONENTS_API, 1, &ct_app_components_api_1},
        {CUTTLE_DATA_API, 1, &ct_app_data_api_1},
        {CUTTLE_POSES_API, 1, &ct_app_poses_api_1},
        {CUTTLE_WORLD_API, 1, &ct_app_world_api_1},
        {CUTTLE_CONSOLE_API, 1, &ct_app_console_api_1},
        {CUTTLE_INPUT_API, 1, &ct_app_input_api_1},
        {CUTTLE_NAVIGATION_API, 1, &ct_app_navigation_api_1},
        {CUTTLE_NETWORK_API, 1, &ct_app_network_api_1},
        {CUTTLE_PHYSICS_API, 1, &ct_app_physics_api_1},
        {CUTTLE_RENDERER_API, 1, &ct_app_renderer_api_1},
        {CUTTLE_SOUND_API, 1, &ct_app_sound_api_1},
        {CUTTLE_LUA_API, 1, &ct_script_lua_api_1},
        {CUTTLE_RESOURCE_TYPES_API, 1, &ct_app_resource_types_api_1},
    };
    *count = CT_COUNT_OF(interfaces);
    return interfaces;
}
