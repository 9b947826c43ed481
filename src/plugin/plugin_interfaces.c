#include "plugin/plugin_interfaces.h"

const ct_plugin_interface *ct_plugin_interfaces(uint32_t *count) {
    static const ct_plugin_interface interfaces[] = {
        {CUTTLE_LOG_API, 1, &ct_plugin_log_api_1},
        {CUTTLE_MEMORY_API, 1, &ct_plugin_memory_api_1},
        {CUTTLE_PROFILER_API, 1, &ct_plugin_profiler_api_1},
        {CUTTLE_STATE_API, 1, &ct_plugin_state_api_1},
        {CUTTLE_TASKS_API, 1, &ct_plugin_tasks_api_1},
    };
    *count = CT_COUNT_OF(interfaces);
    return interfaces;
}
