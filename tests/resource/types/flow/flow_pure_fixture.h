// flow_pure_fixture.h: runs one pure node with inputs as values, and compares its outputs.
//
// Text inputs are constants; all others are in the dynamic data, as outputs are.
#pragma once
#include "support/test_support.h"

#include <math.h>
#include <string.h>

#include "resource/types/flow/flow_pure.h"

typedef struct flow_test_value {
    ct_flow_type type; // EVENT: there is no value
    double numbers[4]; // a bool and a number in [0]
    uint64_t id;
    const char *text;
} flow_test_value;

// clang-format off
#define BOOL(value) {.type = CT_FLOW_TYPE_BOOL, .numbers = {value}}
#define NUMBER(value) {.type = CT_FLOW_TYPE_NUMBER, .numbers = {value}}
#define VECTOR(x, y, z) {.type = CT_FLOW_TYPE_VECTOR3, .numbers = {x, y, z}}
#define ROTATION(x, y, z, w) {.type = CT_FLOW_TYPE_QUATERNION, .numbers = {x, y, z, w}}
#define TEXT(value) {.type = CT_FLOW_TYPE_STRING, .text = value}
#define ID(value) {.type = CT_FLOW_TYPE_ID, .id = value}
// clang-format on

// A node with values for all its inputs, and what its outputs must be.
typedef struct flow_test_row {
    const char *node;
    flow_test_value inputs[3];
    flow_test_value outputs[3];
} flow_test_row;

enum {
    FLOW_TEST_MAX_SLOTS = 3,
    FLOW_TEST_PLACE_BYTES = sizeof(ct_flow_value) + CT_FLOW_STRING_BYTES,
    FLOW_TEST_TEXT_BYTES = 1024, // of each text input
};

// A node alone in a graph: its inputs, then its outputs, have the places of the dynamic data.
typedef struct flow_test_call {
    ct_flow_call call;
    _Alignas(
        16) uint8_t dynamic[sizeof(ct_flow_head) + 2 * FLOW_TEST_MAX_SLOTS * FLOW_TEST_PLACE_BYTES];
    char texts[FLOW_TEST_MAX_SLOTS * FLOW_TEST_TEXT_BYTES];
    _Alignas(ct_flow_node) uint32_t node[sizeof(ct_flow_node) / 4 + 3 * FLOW_TEST_MAX_SLOTS];
} flow_test_call;

static inline uint32_t flow_test_place(uint32_t number) {
    return (uint32_t)sizeof(ct_flow_head) + number * FLOW_TEST_PLACE_BYTES;
}

static inline void flow_test_init(flow_test_call *t, uint32_t num_inputs, uint32_t num_outputs) {
    assert_true(num_inputs <= FLOW_TEST_MAX_SLOTS && num_outputs <= FLOW_TEST_MAX_SLOTS);
    memset(t, 0, sizeof(*t));
    memset(t->dynamic, 0xee, sizeof(t->dynamic)); // outputs must be written
    ct_flow_node *const node = (ct_flow_node *)t->node;
    node->pures = CT_FLOW_NONE;
    node->first_output = 2 * num_inputs;
    node->first_event = node->num_slots = 2 * num_inputs + num_outputs;
    for (uint32_t i = 0; i < num_outputs; ++i)
        node->slots[node->first_output + i] = flow_test_place(num_inputs + i);
    t->call = (ct_flow_call){.texts = t->texts, .node = node};
    for (uint32_t i = 0; i < CT_FLOW_REGION_COUNT; ++i)
        t->call.bases[i] = t->dynamic;
}

static inline void flow_test_set_input(flow_test_call *t, uint32_t number,
                                       const flow_test_value *v) {
    const uint32_t place = flow_test_place(number);
    uint32_t *const slots = ((ct_flow_node *)t->node)->slots;
    slots[2 * number] = CT_FLOW_PLACE(CT_FLOW_REGION_DYNAMIC, place);
    slots[2 * number + 1] = v->type;
    ct_flow_value *const out = (ct_flow_value *)(void *)(t->dynamic + place);
    if (v->type == CT_FLOW_TYPE_STRING) {
        const uint32_t start = number * FLOW_TEST_TEXT_BYTES;
        assert_true(strlen(v->text) < FLOW_TEST_TEXT_BYTES);
        strcpy(t->texts + start, v->text);
        out->string = (ct_flow_string){start, (uint32_t)strlen(v->text)};
    } else if (v->type == CT_FLOW_TYPE_VECTOR3 || v->type == CT_FLOW_TYPE_QUATERNION) {
        for (uint32_t i = 0; i < 4; ++i)
            out->floats[i] = (float)v->numbers[i];
    } else if (v->type == CT_FLOW_TYPE_BOOL) {
        out->is_true = v->numbers[0] != 0;
    } else if (v->type == CT_FLOW_TYPE_ID) {
        out->id = v->id;
    } else {
        out->number = v->numbers[0];
    }
}

// NaN is the same as NaN; zeros have signs. Others may differ by what sines round.
static inline bool flow_test_is_same_number(double found, double expected) {
    if (isnan(expected))
        return isnan(found);
    if (expected == 0 && found == 0)
        return signbit(found) == signbit(expected);
    return found == expected || fabs(found - expected) <= 2e-7 * fmax(1, fabs(expected));
}

static inline bool flow_test_is_same(const flow_test_call *t, const ct_flow_value *found,
                                     const flow_test_value *expected) {
    if (expected->type == CT_FLOW_TYPE_STRING) {
        const uint32_t start = found->string.start & ~CT_FLOW_STRING_IS_DYNAMIC;
        const char *const text = (const char *)t->dynamic + start;
        return found->string.start & CT_FLOW_STRING_IS_DYNAMIC &&
               found->string.length == strlen(expected->text) &&
               memcmp(text, expected->text, found->string.length + 1) == 0;
    }
    if (expected->type == CT_FLOW_TYPE_BOOL)
        return found->is_true == (expected->numbers[0] != 0);
    if (expected->type == CT_FLOW_TYPE_ID)
        return found->id == expected->id;
    if (expected->type == CT_FLOW_TYPE_NUMBER)
        return flow_test_is_same_number(found->number, expected->numbers[0]);
    const uint32_t count = expected->type == CT_FLOW_TYPE_VECTOR3 ? 3 : 4;
    for (uint32_t i = 0; i < count; ++i)
        if (!flow_test_is_same_number(found->floats[i], (float)expected->numbers[i]))
            return false;
    return true;
}

static inline void flow_test_check_slots(const flow_test_row *row, const ct_flow_node_type *type,
                                         ct_flow_slot_kind kind, const flow_test_value *values) {
    const uint32_t count = ct_flow_count_slots(type, kind);
    assert_true(count <= FLOW_TEST_MAX_SLOTS);
    for (uint32_t i = 0; i < FLOW_TEST_MAX_SLOTS; ++i) {
        const uint32_t expected = i < count ? ct_flow_slot_at(type, kind, i)->type : 0;
        if (expected != values[i].type)
            fail_msg("%s: slot %u of kind %u has type %u; the row has type %u", row->node, i, kind,
                     expected, values[i].type);
    }
}

// Fails the test unless the node gives what the row says. `number` is that of the row.
static inline void flow_test_run(const flow_test_row *row, uint32_t number) {
    const ct_flow_node_type *const type = ct_flow_find_node_type(row->node);
    const ct_flow_function function = ct_flow_find_pure(row->node);
    if (!type || !function)
        fail_msg("row %u: %s does not exist", number, row->node);
    flow_test_check_slots(row, type, CT_FLOW_SLOT_INPUT, row->inputs);
    flow_test_check_slots(row, type, CT_FLOW_SLOT_OUTPUT, row->outputs);
    const uint32_t num_inputs = ct_flow_count_slots(type, CT_FLOW_SLOT_INPUT);
    const uint32_t num_outputs = ct_flow_count_slots(type, CT_FLOW_SLOT_OUTPUT);
    flow_test_call t;
    flow_test_init(&t, num_inputs, num_outputs);
    for (uint32_t i = 0; i < num_inputs; ++i)
        flow_test_set_input(&t, i, &row->inputs[i]);
    assert_int_equal(function(&t.call, 0), CT_FLOW_STOP);
    for (uint32_t i = 0; i < num_outputs; ++i) {
        const ct_flow_value *const found = ct_flow_output(&t.call, i);
        if (!flow_test_is_same(&t, found, &row->outputs[i]))
            fail_msg("row %u: output %u of %s is wrong: %.17g, %g %g %g %g", number, i, row->node,
                     found->number, (double)found->floats[0], (double)found->floats[1],
                     (double)found->floats[2], (double)found->floats[3]);
    }
}
