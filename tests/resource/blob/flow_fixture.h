// flow_fixture.h: the blob of a small flow graph, for tests of blobs.
#pragma once
#include "support/test_support.h"

#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/types/flow/flow_nodes_resource.h"

// When the unit is spawned, the graph prints a variable as a text, then sets the variable to 3.
enum {
    FLOW_FIXTURE_VARIABLES = CT_FLOW_ZEROS + CT_FLOW_VALUE_BYTES, // a number of 16 bytes, a string
    FLOW_FIXTURE_STRING_BYTES = CT_FLOW_VALUE_BYTES + CT_FLOW_STRING_BYTES,
    FLOW_FIXTURE_UNIT =
        FLOW_FIXTURE_VARIABLES + CT_FLOW_VALUE_BYTES + FLOW_FIXTURE_STRING_BYTES, // of the level
    FLOW_FIXTURE_START = FLOW_FIXTURE_UNIT + CT_FLOW_VALUE_BYTES,
    FLOW_FIXTURE_TEXT = FLOW_FIXTURE_START + CT_FLOW_VALUE_BYTES,
    FLOW_FIXTURE_BYTES = FLOW_FIXTURE_TEXT + FLOW_FIXTURE_STRING_BYTES,
};

static inline ct_blob_array write_flow_types(ct_blob_writer *w) {
    static const char *const names[] = {"unit_spawned", "numeric_to_string", "debug_print",
                                        "set_numeric_variable"};
    ct_flow_used_type types[CT_COUNT_OF(names)];
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_flow_used_type_layout, CT_COUNT_OF(names));
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        const ct_flow_node_type *const t = ct_flow_find_node_type(names[i]);
        types[i] =
            (ct_flow_used_type){.name = ct_blob_write_string(w, names[i], strlen(names[i])),
                                .num_inputs = ct_flow_count_slots(t, CT_FLOW_SLOT_INPUT),
                                .num_outputs = ct_flow_count_slots(t, CT_FLOW_SLOT_OUTPUT),
                                .num_events_in = ct_flow_count_slots(t, CT_FLOW_SLOT_EVENT_IN),
                                .num_events_out = ct_flow_count_slots(t, CT_FLOW_SLOT_EVENT_OUT),
                                .state_bytes = t->state_bytes};
    }
    ct_blob_fill_items(w, &ct_flow_used_type_layout, array, types);
    return array;
}

static inline ct_blob_array write_flow_infos(ct_blob_writer *w) {
    ct_flow_node_info infos[] = {
        {.id = {1, 2}, .node = 0, .first_byte = FLOW_FIXTURE_START, .num_bytes = 16},
        {.id = {3, 4},
         .node = 9,
         .first_byte = FLOW_FIXTURE_TEXT,
         .num_bytes = FLOW_FIXTURE_STRING_BYTES},
        {.id = {5, 6}, .node = 19, .first_byte = FLOW_FIXTURE_BYTES},
        {.id = {7, 8}, .node = 31, .first_byte = FLOW_FIXTURE_BYTES},
    };
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_flow_node_info_layout, CT_COUNT_OF(infos));
    for (uint32_t i = 0; i < CT_COUNT_OF(infos); ++i)
        infos[i].path = ct_blob_write_string(w, "g: node", 7);
    ct_blob_fill_items(w, &ct_flow_node_info_layout, array, infos);
    return array;
}

static inline ct_blob_array write_flow_variables(ct_blob_writer *w, uint32_t *number_offset,
                                                 uint32_t *string_offset) {
    ct_flow_variable variables[2] = {
        {.name = ct_string_id32_of("score"),
         .type = CT_FLOW_TYPE_NUMBER,
         .flags = CT_FLOW_VARIABLE_INPUT},
        {.name = ct_string_id32_of("label"), .type = CT_FLOW_TYPE_STRING}};
    const bool is_turned = variables[0].name.value > variables[1].name.value;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_flow_variable_layout, 2);
    variables[0].name_text = ct_blob_write_string(w, "score", 5);
    variables[1].name_text = ct_blob_write_string(w, "label", 5);
    *number_offset = variables[0].offset =
        FLOW_FIXTURE_VARIABLES + (is_turned ? FLOW_FIXTURE_STRING_BYTES : 0);
    *string_offset = variables[1].offset =
        FLOW_FIXTURE_VARIABLES + (is_turned ? 0 : CT_FLOW_VALUE_BYTES);
    if (is_turned) {
        const ct_flow_variable first = variables[0];
        variables[0] = variables[1];
        variables[1] = first;
    }
    ct_blob_fill_items(w, &ct_flow_variable_layout, array, variables);
    return array;
}

static inline void write_flow(ct_blob_writer *w) {
    ct_flow_resource r = {.dynamic_bytes = FLOW_FIXTURE_BYTES};
    uint32_t number = 0, string = 0;
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "flow", CT_FLOW_VERSION);
    ct_blob_begin(w, &ct_flow_layout);
    r.types = write_flow_types(w);
    r.infos = write_flow_infos(w);
    r.variables = write_flow_variables(w, &number, &string);
    const uint32_t label = CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 0);
    const uint32_t program[] = {0,
                                0,
                                0,
                                CT_FLOW_NONE,
                                0,
                                1,
                                2,
                                FLOW_FIXTURE_START,
                                0, // unit_spawned
                                1,
                                1,
                                0,
                                CT_FLOW_NONE,
                                2,
                                3,
                                3,
                                number,
                                CT_FLOW_TYPE_NUMBER,
                                FLOW_FIXTURE_TEXT,
                                2,
                                2,
                                0,
                                0,
                                4,
                                4,
                                5,
                                label,
                                CT_FLOW_TYPE_STRING,
                                FLOW_FIXTURE_TEXT,
                                CT_FLOW_TYPE_STRING,
                                3,
                                3,
                                3,
                                0,
                                CT_FLOW_NONE,
                                6,
                                7,
                                8,
                                CT_FLOW_PLACE(CT_FLOW_REGION_NUMBERS, 8),
                                CT_FLOW_TYPE_NUMBER,
                                label,
                                CT_FLOW_TYPE_STRING,
                                label,
                                CT_FLOW_TYPE_STRING,
                                number,
                                CT_FLOW_NONE};
    const uint32_t links[] = {1, 19, 0, 1, 31, 0};
    const uint32_t pures[] = {1, 9};
    const uint64_t numbers[] = {7, UINT64_C(0x4008000000000000)}; // 3.0
    const uint32_t words[] = {1, 5};
    static const char texts[] = "\0score";
    const ct_flow_initial initials[] = {
        {.offset = string, .type = CT_FLOW_TYPE_STRING, .place = label},
        {.offset = FLOW_FIXTURE_UNIT, .type = CT_FLOW_TYPE_UNIT, .level_unit = 0x1234}};
    const ct_flow_entry entry = {.kind = ct_string_id32_of("unit_spawned")};
    r.program = ct_blob_write_items(w, &ct_blob_u32_layout, program, CT_COUNT_OF(program));
    r.links = ct_blob_write_items(w, &ct_blob_u32_layout, links, CT_COUNT_OF(links));
    r.pures = ct_blob_write_items(w, &ct_blob_u32_layout, pures, CT_COUNT_OF(pures));
    r.numbers = ct_blob_write_items(w, &ct_blob_u64_layout, numbers, CT_COUNT_OF(numbers));
    r.words = ct_blob_write_items(w, &ct_blob_u32_layout, words, CT_COUNT_OF(words));
    r.texts = ct_blob_write_items(w, &ct_blob_u8_layout, texts, sizeof(texts));
    r.initials = ct_blob_write_items(w, &ct_flow_initial_layout, initials, CT_COUNT_OF(initials));
    r.entries = ct_blob_write_items(w, &ct_flow_entry_layout, &entry, 1);
    ct_blob_end(w, &ct_flow_layout, &r);
    ct_blob_writer_finish(w);
}

// --- Nodes of a project ----------------------------------------------------------------------------

// A node with a slot of each kind, and one that has only an output.
static inline void write_flow_nodes(ct_blob_writer *w) {
    static const struct {
        const char *name;
        ct_flow_slot_kind kind;
        ct_flow_type type;
    } slots[] = {{"open", CT_FLOW_SLOT_EVENT_IN, CT_FLOW_TYPE_EVENT},
                 {"speed", CT_FLOW_SLOT_INPUT, CT_FLOW_TYPE_NUMBER},
                 {"opened", CT_FLOW_SLOT_EVENT_OUT, CT_FLOW_TYPE_EVENT},
                 {"is_open", CT_FLOW_SLOT_OUTPUT, CT_FLOW_TYPE_BOOL}};
    ct_flow_used_slot written[CT_COUNT_OF(slots)];
    ct_flow_nodes_node nodes[2] = {{.menu = {0}}};
    ct_flow_nodes_resource r = {.nodes = {0}};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "flow_nodes", CT_FLOW_NODES_VERSION);
    ct_blob_begin(w, &ct_flow_nodes_layout);
    r.nodes = ct_blob_reserve_items(w, &ct_flow_nodes_node_layout, CT_COUNT_OF(nodes));
    for (uint32_t i = 0; i < CT_COUNT_OF(nodes); ++i) {
        const uint32_t first = i ? CT_COUNT_OF(slots) - 1 : 0;
        const uint32_t count = CT_COUNT_OF(slots) - first;
        nodes[i].name = ct_blob_write_string(w, i ? "is_open" : "open", i ? 7 : 4);
        nodes[i].function = ct_blob_write_string(w, "Game.open", 9);
        if (i == 0)
            nodes[i].doc = ct_blob_write_string(w, "Opens it.", 9);
        nodes[i].slots = ct_blob_reserve_items(w, &ct_flow_used_slot_layout, count);
        for (uint32_t k = 0; k < count; ++k) {
            const char *const name = slots[first + k].name;
            written[k] = (ct_flow_used_slot){.name = ct_blob_write_string(w, name, strlen(name)),
                                             .kind = (uint32_t)slots[first + k].kind,
                                             .type = (uint32_t)slots[first + k].type};
        }
        ct_blob_fill_items(w, &ct_flow_used_slot_layout, nodes[i].slots, written);
    }
    ct_blob_fill_items(w, &ct_flow_nodes_node_layout, r.nodes, nodes);
    ct_blob_end(w, &ct_flow_nodes_layout, &r);
    ct_blob_writer_finish(w);
}
