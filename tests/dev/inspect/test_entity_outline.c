// What came, changed and went in a world, from one question of a tool to the next.
#include "support/test_support.h"

#include "dev/inspect/entity_outline.h"

static void update(ct_entity_outline *o, uint32_t count, const uint32_t *entities,
                   const uint32_t *hashes) {
    ct_entity_outline_update(o, entities, hashes, count);
}

static void first_lists_all(void **state) {
    (void)state;
    ct_entity_outline o;
    ct_entity_outline_init(&o, test_heap(), 7);
    update(&o, 3, (uint32_t[]){10, 20, 30}, (uint32_t[]){1, 2, 3});
    const ct_entity_outline_answer all = ct_entity_outline_since(&o, 0, 100);
    assert_true(all.is_whole);
    assert_false(all.has_more);
    assert_int_equal(all.num_came, 3);
    assert_memory_equal(all.came, ((uint32_t[]){10, 20, 30}), 12);
    assert_int_equal(all.num_went, 0);
    assert_int_equal(all.version, 10);
    const ct_entity_outline_answer again = ct_entity_outline_since(&o, all.version, 100);
    assert_false(again.is_whole);
    assert_int_equal(again.num_came + again.num_went, 0);
    assert_int_equal(again.version, all.version);
    ct_entity_outline_free(&o);
}

static void then_lists_changes_only(void **state) {
    (void)state;
    ct_entity_outline o;
    ct_entity_outline_init(&o, test_heap(), 1);
    update(&o, 3, (uint32_t[]){10, 20, 30}, (uint32_t[]){1, 2, 3});
    const uint64_t version = ct_entity_outline_since(&o, 0, 100).version;
    update(&o, 3, (uint32_t[]){10, 20, 30}, (uint32_t[]){1, 9, 3});
    ct_entity_outline_answer answer = ct_entity_outline_since(&o, version, 100);
    assert_int_equal(answer.num_came, 1);
    assert_int_equal(answer.came[0], 20);
    assert_int_equal(answer.num_went, 0);
    // As many as before, but others.
    update(&o, 3, (uint32_t[]){5, 20, 40}, (uint32_t[]){1, 9, 3});
    answer = ct_entity_outline_since(&o, answer.version, 100);
    assert_int_equal(answer.num_came, 2);
    assert_memory_equal(answer.came, ((uint32_t[]){5, 40}), 8);
    assert_int_equal(answer.num_went, 2);
    assert_memory_equal(answer.went, ((uint32_t[]){10, 30}), 8);
    // A tool that has not asked in between gets the same together.
    answer = ct_entity_outline_since(&o, version, 100);
    assert_int_equal(answer.num_came, 3);
    assert_int_equal(answer.num_went, 2);
    ct_entity_outline_free(&o);
}

static void versions_of_another_outline_give_all(void **state) {
    (void)state;
    ct_entity_outline o;
    ct_entity_outline_init(&o, test_heap(), 100);
    update(&o, 1, (uint32_t[]){10}, (uint32_t[]){1});
    assert_true(ct_entity_outline_since(&o, 99, 100).is_whole);
    assert_true(ct_entity_outline_since(&o, 102, 100).is_whole);
    assert_false(ct_entity_outline_since(&o, 100, 100).is_whole);
    ct_entity_outline_free(&o);
}

static void too_many_that_went_give_all(void **state) {
    (void)state;
    enum { COUNT = CT_ENTITY_OUTLINE_MAX_GONE + 1 };
    ct_entity_outline o;
    ct_entity_outline_init(&o, test_heap(), 1);
    static uint32_t entities[COUNT], hashes[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i)
        entities[i] = i + 1, hashes[i] = 0;
    update(&o, COUNT, entities, hashes);
    const uint64_t version = ct_entity_outline_since(&o, 0, 1).version;
    update(&o, 0, entities, hashes);
    const ct_entity_outline_answer answer = ct_entity_outline_since(&o, version, 100);
    assert_true(answer.is_whole);
    assert_int_equal(answer.num_came, 0);
    assert_true(o.gone.count < CT_ENTITY_OUTLINE_MAX_GONE);
    ct_entity_outline_free(&o);
}

// Tools that ask at any time, in parts of any size, know in the end what is there.
static void tools_follow_a_world_that_changes(void **state) {
    (void)state;
    enum { MOST = 64, NUM_TOOLS = 3 };
    struct {
        uint64_t version;
        uint32_t hashes[MOST]; // that were there when it last heard; 0: gone
    } tools[NUM_TOOLS] = {0};
    uint32_t there[MOST] = {0}; // hashes; 0: gone
    uint64_t random = 1;
    ct_entity_outline o;
    ct_entity_outline_init(&o, test_heap(), 1);
    for (uint32_t round = 0; round < 3000; ++round) {
        for (uint32_t i = 0; i < 5; ++i) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            there[random >> 58] = (uint32_t)(random >> 40) % 4;
        }
        uint32_t entities[MOST], hashes[MOST], count = 0;
        for (uint32_t i = 0; i < MOST; ++i) {
            if (there[i])
                entities[count] = i + 1, hashes[count++] = there[i];
        }
        update(&o, count, entities, hashes);
        const uint32_t tool = round % NUM_TOOLS, most = 1 + (uint32_t)(random >> 33) % 20;
        for (bool has_more = random >> 63 || tool > 0; has_more;) {
            const ct_entity_outline_answer answer =
                ct_entity_outline_since(&o, tools[tool].version, most);
            for (uint32_t i = 0; i < MOST && answer.is_whole; ++i)
                tools[tool].hashes[i] = 0;
            for (uint32_t i = 0; i < answer.num_came; ++i)
                tools[tool].hashes[answer.came[i] - 1] = there[answer.came[i] - 1];
            for (uint32_t i = 0; i < answer.num_went; ++i) {
                const uint32_t gone = answer.went[i] - 1;
                if (!there[gone]) // else it came again: here, numbers do
                    tools[tool].hashes[gone] = 0;
            }
            tools[tool].version = answer.version;
            has_more = answer.has_more;
            if (!has_more)
                assert_memory_equal(tools[tool].hashes, there, sizeof(there));
        }
    }
    ct_entity_outline_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_lists_all),
        cmocka_unit_test(then_lists_changes_only),
        cmocka_unit_test(versions_of_another_outline_give_all),
        cmocka_unit_test(too_many_that_went_give_all),
        cmocka_unit_test(tools_follow_a_world_that_changes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
