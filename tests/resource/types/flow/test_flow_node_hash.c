// The number for descriptions of nodes: what the compiler takes from them changes it, texts do not.
#include <string.h>

#include "support/test_support.h"

#include "resource/types/flow/flow_node_hash.h"

static const char *const sides[] = {"left", "right", NULL};
static const char *const more_sides[] = {"left", "right", "top", NULL};

static const ct_flow_slot slots[] = {CT_FLOW_IN("time", NUMBER, "How long.", .default_value = {1}),
                                     CT_FLOW_IN("side", STRING, "Which.", .names = sides),
                                     CT_FLOW_OUT("left", NUMBER, "What is left."),
                                     {0}};
static const ct_flow_node_type node = {.name = "delay",
                                       .menu = "Flow > Delay",
                                       .doc = "Waits.",
                                       .kind = CT_FLOW_NODE_ACTION,
                                       .state_bytes = 16,
                                       .slots = slots};

static uint64_t hash_with(const ct_flow_node_type *type) {
    const ct_flow_node_table table = {"control", type, 1};
    return ct_flow_hash_of_tables(&table, 1);
}

static uint64_t hash_with_slot(uint32_t place, ct_flow_slot slot) {
    ct_flow_slot changed[CT_COUNT_OF(slots)];
    memcpy(changed, slots, sizeof(slots));
    changed[place] = slot;
    ct_flow_node_type type = node;
    type.slots = changed;
    return hash_with(&type);
}

static void changes_with_what_the_compiler_reads(void **state) {
    (void)state;
    ct_flow_slot slot[10];
    for (uint32_t i = 0; i < CT_COUNT_OF(slot); ++i)
        slot[i] = slots[0];
    slot[0].name = "seconds";
    slot[1].kind = CT_FLOW_SLOT_OUTPUT;
    slot[2].type = CT_FLOW_TYPE_BOOL;
    slot[3].is_constant = true;
    slot[4].is_required = true;
    slot[5].default_value[0] = 2;
    slot[6].default_value[3] = 1;
    slot[7].default_text = "";
    slot[8].reference = "unit";
    slot[9].names = sides;
    uint64_t hashes[32];
    uint32_t count = 0;
    hashes[count++] = hash_with(&node);
    for (uint32_t i = 0; i < CT_COUNT_OF(slot); ++i)
        hashes[count++] = hash_with_slot(0, slot[i]);
    ct_flow_slot side = slots[1];
    side.names = more_sides;
    hashes[count++] = hash_with_slot(1, side);
    hashes[count++] = hash_with_slot(2, (ct_flow_slot){0}); // without its last slot
    ct_flow_node_type types[6] = {node, node, node, node, node, node};
    types[0].name = "wait";
    types[1].kind = CT_FLOW_NODE_ENTRY;
    types[2].role = CT_FLOW_ROLE_CONSTANT;
    types[3].is_foldable = true;
    types[4].is_polled = true;
    types[5].state_bytes = 24;
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i)
        hashes[count++] = hash_with(&types[i]);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            assert_int_not_equal(hashes[i], hashes[k]);
}

static void texts_for_readers_do_not_count(void **state) {
    (void)state;
    ct_flow_slot slot = slots[0];
    slot.doc = "For how long it waits.";
    slot.unit = "s";
    assert_int_equal(hash_with_slot(0, slot), hash_with(&node));
    ct_flow_node_type type = node;
    type.doc = "Goes on later.";
    type.menu = "Flow Control > Delay";
    assert_int_equal(hash_with(&type), hash_with(&node));
}

static void is_the_same_each_time(void **state) {
    (void)state;
    assert_int_not_equal(ct_flow_node_hash(), 0);
    assert_int_equal(ct_flow_node_hash(), ct_flow_node_hash());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_with_what_the_compiler_reads),
        cmocka_unit_test(texts_for_readers_do_not_count),
        cmocka_unit_test(is_the_same_each_time),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
