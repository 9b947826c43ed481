#include "dev/protocol/protocol_areas.h"

#include <string.h>

const ct_protocol_member ct_protocol_no_members[] = {{0}};

static const ct_protocol_area *const areas[] = {
    &ct_console_area, &ct_authorize_area, &ct_engine_area,   &ct_frames_area,
    &ct_memory_area,  &ct_resources_area, &ct_entities_area, &ct_statistics_area,
    &ct_network_area, &ct_debugger_area,
};

const ct_protocol_area *const *ct_protocol_areas(uint32_t *count) {
    *count = CT_COUNT_OF(areas);
    return areas;
}

const ct_protocol_message *ct_protocol_message_named(const char *type) {
    for (uint32_t i = 0; i < CT_COUNT_OF(areas); ++i) {
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m) {
            if (strcmp(areas[i]->messages[m].type, type) == 0)
                return &areas[i]->messages[m];
        }
    }
    return NULL;
}

const ct_protocol_shape *ct_protocol_shape_named(const char *name, uint32_t bytes) {
    for (uint32_t i = 0; i < CT_COUNT_OF(areas); ++i) {
        for (uint32_t s = 0; s < areas[i]->num_shapes; ++s) {
            const char *const found = areas[i]->shapes[s].name;
            if (strlen(found) == bytes && memcmp(found, name, bytes) == 0)
                return &areas[i]->shapes[s];
        }
    }
    return NULL;
}
