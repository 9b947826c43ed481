// network_config.h: network configs for tests, made in memory from a description.
//
//     static const ct_network_type_desc types[] = {
//         {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100}};
//     static const ct_network_field_desc fields[] = {{.name = "health", .type = "health"}};
//     static const ct_network_record_desc objects[] = {
//         {.name = "ball", .fields = fields, .num_fields = 1}};
//     ct_network_config_resource *c = test_network_config(&(ct_network_config_desc){
//         .types = types, .num_types = 1, .objects = objects, .num_objects = 1});
#pragma once
#include "foundation/error.h"
#include "resource/types/network/network_config_write.h"
#include "support/test_support.h"

// Makes a valid blob on test_heap(); free it with ct_free(test_heap(), config). Fails the test when
// the description is refused.
static inline ct_network_config_resource *test_network_config(const ct_network_config_desc *desc) {
    ct_blob_writer w;
    ct_network_config_place place;
    ct_error error = {0};
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "network_config",
                        CT_NETWORK_CONFIG_VERSION);
    if (!ct_network_config_write(desc, test_heap(), &w, &place, &error))
        fail_msg("list %u, item %u, field %u: %s", (unsigned)place.list, place.index, place.field,
                 error.message);
    if (!ct_network_config_validate(w.bytes.items, &error))
        fail_msg("%s", error.message);
    return (ct_network_config_resource *)(void *)w.bytes.items;
}
