#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_private.h"

static void *get(cuttle_plugin *self, const cuttle_schema *schema,
                 bool (*migrate)(const void *, uint32_t, uint32_t, void *, cuttle_error *),
                 cuttle_error *error) {
    return ct_plugin_state_get(self, schema, migrate, error);
}

const cuttle_state_api_1 ct_plugin_state_api_1 = {.get = get};
