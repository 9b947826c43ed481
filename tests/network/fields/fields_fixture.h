// fields_fixture.h: a config with every kind of value, for the tests of src/network/fields.
#pragma once
#include "support/network_config.h"

static const char *const fixture_teams[] = {"red", "blue", "green"};

static const ct_network_type_desc fixture_types[] = {
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = -10, .last = 100},
    {.name = "any", .kind = CT_NETWORK_INTEGER, .first = INT32_MIN, .last = INT32_MAX},
    {.name = "speed", .kind = CT_NETWORK_FLOAT, .min = {-50}, .max = {50}, .bits = 12},
    {.name = "share", .kind = CT_NETWORK_FLOAT, .min = {0}, .max = {1}, .bits = 8},
    {.name = "exact", .kind = CT_NETWORK_FLOAT, .bits = 32},
    {.name = "point", .kind = CT_NETWORK_VECTOR2, .min = {0, -1}, .max = {10, 2}, .bits = 10},
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .min = {-100, -100, -10},
     .max = {100, 100, 50},
     .bits = 15},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 10},
    {.name = "text", .kind = CT_NETWORK_STRING, .max_count = 18},
    {.name = "team", .kind = CT_NETWORK_LOOKUP, .lookups = fixture_teams, .num_lookups = 3},
    {.name = "speeds", .kind = CT_NETWORK_ARRAY, .element = "speed", .max_count = 5},
    {.name = "rotations", .kind = CT_NETWORK_ARRAY, .element = "rotation", .max_count = 3},
};

static const ct_network_field_desc fixture_fields[] = {
    {.name = "alive", .type = "bool", .has_value = true, .value = {.boolean = true}},
    {.name = "health", .type = "health", .has_value = true, .value = {.integer = 77}},
    {.name = "any", .type = "any"},
    {.name = "speed", .type = "speed"},
    {.name = "share", .type = "share"},
    {.name = "exact", .type = "exact", .has_value = true, .value = {.number = 0.1f}},
    {.name = "point", .type = "point"},
    {.name = "position", .type = "position"},
    {.name = "rotation", .type = "rotation"},
    {.name = "text",
     .type = "text",
     .has_value = true,
     .value = {.string = {.text = "hello", .bytes = 5}}},
    {.name = "unit", .type = "id"},
    {.name = "shooter", .type = "peer"},
    {.name = "target", .type = "object"},
    {.name = "team", .type = "team", .has_value = true, .value = {.lookup = 2}},
    {.name = "speeds", .type = "speeds"},
    {.name = "rotations", .type = "rotations", .has_value = true, .value = {.count = 2}},
};
enum { FIXTURE_FIELDS = CT_COUNT_OF(fixture_fields) };

static const ct_network_record_desc fixture_objects[] = {
    {.name = "thing",
     .fields = fixture_fields,
     .num_fields = FIXTURE_FIELDS,
     .is_shared = true,
     .position = "position",
     .distance = 80,
     .priority = 2,
     .rate = 20},
    {.name = "nothing"},
};

static const ct_network_record_desc fixture_messages[] = {
    {.name = "hit", .fields = fixture_fields, .num_fields = 3, .is_reliable = true},
};

static const ct_network_config_desc fixture_config = {.types = fixture_types,
                                                      .num_types = CT_COUNT_OF(fixture_types),
                                                      .messages = fixture_messages,
                                                      .num_messages = CT_COUNT_OF(fixture_messages),
                                                      .objects = fixture_objects,
                                                      .num_objects = CT_COUNT_OF(fixture_objects)};

// The record type "thing" of a config of the fixture.
static inline const ct_network_record_type *
fixture_thing(const ct_network_config_resource *config) {
    const uint32_t i = ct_network_config_object(config, ct_string_id32_of("thing"));
    assert_int_not_equal(i, UINT32_MAX);
    return &ct_network_config_objects(config)[i];
}

// The number of its field of this name.
static inline uint32_t fixture_field(const ct_network_config_resource *config, const char *name) {
    const uint32_t i =
        ct_network_config_field(config, fixture_thing(config), ct_string_id32_of(name));
    assert_int_not_equal(i, UINT32_MAX);
    return i;
}
