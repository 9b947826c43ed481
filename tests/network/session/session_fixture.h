// session_fixture.h: a config, and sessions that are in, for the tests of sessions.
#pragma once
#include "support/network_config.h"
#include "support/network_link.h"

// Objects: "body" moves and goes with its owner, "flag" is shared, "page" fills a packet.
static const ct_network_type_desc session_types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 16,
     .min = {-500, -500, -500},
     .max = {500, 500, 500}},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 10},
    {.name = "velocity",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 12,
     .min = {-50, -50, -50},
     .max = {50, 50, 50}},
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100},
    {.name = "score", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100000},
    {.name = "name", .kind = CT_NETWORK_STRING, .max_count = 20},
    {.name = "text", .kind = CT_NETWORK_STRING, .max_count = 500},
    {.name = "ids", .kind = CT_NETWORK_ARRAY, .element = "id", .max_count = 63},
    {.name = "exact", .kind = CT_NETWORK_FLOAT, .bits = 32},
};
static const ct_network_field_desc session_body[] = {{.name = "position", .type = "position"},
                                                     {.name = "rotation", .type = "rotation"},
                                                     {.name = "velocity", .type = "velocity"},
                                                     {.name = "health", .type = "health"}};
static const ct_network_field_desc session_flag[] = {{.name = "score", .type = "score"},
                                                     {.name = "name", .type = "name"},
                                                     {.name = "holder", .type = "peer"}};
static const ct_network_field_desc session_page[] = {{.name = "text", .type = "text"},
                                                     {.name = "ids", .type = "ids"},
                                                     {.name = "weight", .type = "exact"},
                                                     {.name = "other", .type = "object"},
                                                     {.name = "open", .type = "bool"}};
static const ct_network_record_desc session_objects[] = {
    {.name = "body",
     .fields = session_body,
     .num_fields = 4,
     .position = "position",
     .distance = 100,
     .priority = 1},
    {.name = "flag", .fields = session_flag, .num_fields = 3, .is_shared = true, .priority = 2},
    {.name = "page", .fields = session_page, .num_fields = 5, .priority = 1, .rate = 10},
    {.name = "mark", .is_shared = true, .priority = 1}};
static const ct_network_field_desc session_say[] = {{.name = "text", .type = "text"},
                                                    {.name = "about", .type = "object"}};
static const ct_network_field_desc session_shot[] = {{.name = "at", .type = "position"}};
static const ct_network_record_desc session_messages[] = {
    {.name = "say", .fields = session_say, .num_fields = 2, .is_reliable = true},
    {.name = "shot", .fields = session_shot, .num_fields = 1, .priority = 1},
    {.name = "leaflet", .fields = session_page, .num_fields = 5, .priority = 1},
    {.name = "shout", .fields = session_say, .num_fields = 2, .priority = 4},
    {.name = "talk", .fields = session_say, .num_fields = 2, .priority = 1},
    {.name = "murmur", .fields = session_say, .num_fields = 2, .priority = 0.5f},
    {.name = "wave", .is_reliable = true}};

static ct_network_config_resource *session_config;

static inline int session_make_config(void **state) {
    (void)state;
    session_config =
        test_network_config(&(ct_network_config_desc){.types = session_types,
                                                      .num_types = CT_COUNT_OF(session_types),
                                                      .messages = session_messages,
                                                      .num_messages = CT_COUNT_OF(session_messages),
                                                      .objects = session_objects,
                                                      .num_objects = CT_COUNT_OF(session_objects)});
    return 0;
}

static inline int session_free_config(void **state) {
    (void)state;
    ct_free(test_heap(), session_config);
    return 0;
}

static inline uint32_t session_object(const char *name) {
    return ct_network_config_object(session_config, ct_string_id32_of(name));
}

static inline uint32_t session_message(const char *name) {
    return ct_network_config_message(session_config, ct_string_id32_of(name));
}

static inline uint32_t session_field(const char *object, const char *field) {
    return ct_network_config_field(
        session_config, &ct_network_config_objects(session_config)[session_object(object)],
        ct_string_id32_of(field));
}

// Makes a host and `num_clients` others that have joined it.
static inline void session_start(test_network *net, uint32_t num_clients,
                                 const ct_network_session_desc *desc) {
    ct_network_session_desc d = desc ? *desc : (ct_network_session_desc){0};
    d.config = session_config;
    assert_true(ct_network_session_host(test_network_add(net, &d)->session, net->now, NULL));
    for (uint32_t i = 0; i < num_clients; ++i)
        test_network_join(test_network_add(net, &d), &net->nodes[0]);
    test_network_run(net, 2, NULL, NULL);
    for (uint32_t i = 0; i < num_clients; ++i)
        assert_int_equal(ct_network_session_state_of(net->nodes[1 + i].session),
                         CT_NETWORK_SESSION_IN);
}

// Fails unless all nodes that are in a session agree; names the first difference.
static inline void session_assert_equal(test_network *net) {
    const test_node *first = NULL;
    for (uint32_t i = 0; i < net->num_nodes; ++i) {
        const test_node *const node = &net->nodes[i];
        if (!node->is_up || ct_network_session_state_of(node->session) != CT_NETWORK_SESSION_IN)
            continue;
        if (!first)
            first = node;
        if (ct_network_session_state_hash(first->session) ==
            ct_network_session_state_hash(node->session))
            continue;
        ct_network_state_bytes a, b;
        ct_array_init(&a, test_heap());
        ct_array_init(&b, test_heap());
        ct_network_session_write_state(first->session, &a);
        ct_network_session_write_state(node->session, &b);
        ct_network_state_difference d;
        assert_false(
            ct_network_session_compare(session_config, a.items, a.count, b.items, b.count, &d));
        fail_msg("nodes %u and %u: %s", first->index, node->index, d.message);
    }
}

static inline bool session_set(test_node *node, ct_network_object_id id, const char *object,
                               const char *field, ct_network_value value) {
    ct_error error = {0};
    return ct_network_session_set_field(node->session, id, session_field(object, field), UINT32_MAX,
                                        &value, &error);
}

static inline ct_network_value session_get(const test_node *node, ct_network_object_id id,
                                           const char *field) {
    const uint32_t type = ct_network_session_object_type(node->session, id);
    assert_true(type != UINT32_MAX);
    const ct_network_record_type *const record = &ct_network_config_objects(session_config)[type];
    return ct_network_record_get(
        session_config, record,
        ct_network_config_field(session_config, record, ct_string_id32_of(field)), UINT32_MAX,
        ct_network_session_words(node->session, id));
}

static inline ct_network_value session_integer(int32_t value) {
    return (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = value};
}

static inline ct_network_value session_vector(float x, float y, float z) {
    return (ct_network_value){.kind = CT_NETWORK_VECTOR3, .parts = {x, y, z, 0}};
}

static inline ct_network_value session_string(const char *text) {
    return (ct_network_value){.kind = CT_NETWORK_STRING, .string = {text, (uint32_t)strlen(text)}};
}

// What a run of nodes brought: events by node and type, how many, and the last.
static uint32_t session_counts[TEST_NETWORK_MAX_NODES][CT_NETWORK_EVENT_TYPES];
static ct_network_event session_lasts[TEST_NETWORK_MAX_NODES][CT_NETWORK_EVENT_TYPES];

static inline void session_note(void *user, test_node *node) {
    (void)user;
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(node->session, &count);
    for (uint32_t i = 0; i < count; ++i) {
        ++session_counts[node->index][events[i].type];
        session_lasts[node->index][events[i].type] = events[i];
    }
}

// Runs all nodes and counts their events; those of earlier runs are forgotten.
static inline void session_run(test_network *net, double seconds) {
    memset(session_counts, 0, sizeof(session_counts));
    test_network_run(net, seconds, session_note, NULL);
}
