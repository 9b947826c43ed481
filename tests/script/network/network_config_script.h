// network_config_script.h: a network_config with all kinds of fields, for scripts. Include once in a
// program.
#pragma once
#include "script/fake_host.h"
#include "support/network_config.h"

#include "resource/blob/blob_fixtures.h"

static const ct_network_type_desc net_types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 16,
     .min = {-100, -100, -100},
     .max = {100, 100, 100}},
    {.name = "place", .kind = CT_NETWORK_VECTOR2, .bits = 16, .min = {-8, -8}, .max = {8, 8}},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 12},
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100},
    {.name = "exact", .kind = CT_NETWORK_FLOAT, .bits = 32},
    {.name = "name", .kind = CT_NETWORK_STRING, .max_count = 20},
    {.name = "team",
     .kind = CT_NETWORK_LOOKUP,
     .lookups = (const char *[]){"red", "blue"},
     .num_lookups = 2},
    {.name = "scores", .kind = CT_NETWORK_ARRAY, .element = "health", .max_count = 4},
};
static const ct_network_field_desc net_player[] = {
    {.name = "position", .type = "position"}, {.name = "place", .type = "place"},
    {.name = "rotation", .type = "rotation"}, {.name = "health", .type = "health"},
    {.name = "weight", .type = "exact"},      {.name = "name", .type = "name"},
    {.name = "team", .type = "team"},         {.name = "scores", .type = "scores"},
    {.name = "mesh", .type = "id"},           {.name = "friend", .type = "peer"},
    {.name = "target", .type = "object"},     {.name = "alive", .type = "bool"}};
static const ct_network_field_desc net_ball[] = {{.name = "speed", .type = "exact"}};
static const ct_network_record_desc net_objects[] = {
    {.name = "player",
     .fields = net_player,
     .num_fields = 12,
     .position = "position",
     .distance = 50,
     .priority = 1},
    {.name = "ball", .fields = net_ball, .num_fields = 1, .is_shared = true, .priority = 1}};
static const ct_network_field_desc net_say[] = {{.name = "text", .type = "name"},
                                                {.name = "at", .type = "position"},
                                                {.name = "who", .type = "scores"}};
static const ct_network_record_desc net_messages[] = {
    {.name = "say", .fields = net_say, .num_fields = 3, .is_reliable = true},
    {.name = "ping", .num_fields = 0, .is_reliable = true},
    {.name = "puff", .priority = 0.5f}};

// Saves and loads the network_config `name`, or has it reloaded; `num_objects` 1 leaves the ball out.
static inline void load_net_config(script_fixture *script, const char *name, uint32_t num_objects,
                                   bool is_again) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    ct_error error = {0};
    ct_network_config_resource *const config =
        test_network_config(&(ct_network_config_desc){.types = net_types,
                                                      .num_types = CT_COUNT_OF(net_types),
                                                      .messages = net_messages,
                                                      .num_messages = CT_COUNT_OF(net_messages),
                                                      .objects = net_objects,
                                                      .num_objects = num_objects});
    ct_resource_file_name(ct_resource_id_of("network_config", name), file_name);
    snprintf(path, sizeof(path), "%s/%s", script->world.folder, file_name);
    if (!ct_file_write(path, config, config->header.size_bytes, false, &error))
        fail_msg("%s", error.message);
    const ct_resource_id id = ct_resource_id_of("network_config", name);
    if (is_again)
        assert_int_equal(ct_resource_manager_reload(script->world.resources, &id, 1), 1);
    else if (!ct_resource_manager_load_now(script->world.resources, "network_config", name, &error))
        fail_msg("%s", error.message);
    ct_free(test_heap(), config);
}
