#include "sound/event/sound_parameters.h"

#include "support/test_support.h"

static const ct_string_id32 force = {11}, material = {12}, weapon = {13};

static ct_sound_parameter_value number(float x) {
    return (ct_sound_parameter_value){.number = x};
}

static void keeps_numbers_and_texts_by_key(void **state) {
    (void)state;
    ct_sound_parameters p;
    ct_sound_parameters_init(&p, test_heap());
    ct_sound_parameter_set set = {0};
    assert_null(ct_sound_parameter_find(&p, set, force));
    ct_sound_parameter_set_value(&p, &set, force, number(35.3f));
    ct_sound_parameter_set_value(&p, &set, material,
                                 (ct_sound_parameter_value){.text = ct_string_id32_of("wood")});
    assert_float_equal(ct_sound_parameter_find(&p, set, force)->value.number, 35.3f, 0);
    assert_int_equal(ct_sound_parameter_find(&p, set, material)->value.text.value,
                     ct_string_id32_of("wood").value);
    assert_null(ct_sound_parameter_find(&p, set, weapon));
    ct_sound_parameters_free(&p);
}

static void replaces_the_value_of_a_key(void **state) {
    (void)state;
    ct_sound_parameters p;
    ct_sound_parameters_init(&p, test_heap());
    ct_sound_parameter_set set = {0};
    for (uint32_t i = 0; i < 1000; ++i) {
        ct_sound_parameter_set_value(&p, &set, force, number((float)i));
        ct_sound_parameter_set_value(&p, &set, weapon, number((float)i + 0.5f));
    }
    assert_float_equal(ct_sound_parameter_find(&p, set, force)->value.number, 999, 0);
    assert_float_equal(ct_sound_parameter_find(&p, set, weapon)->value.number, 999.5f, 0);
    assert_int_equal(p.nodes.num_taken, 3); // with place 0
    ct_sound_parameters_free(&p);
}

static void keeps_sets_apart(void **state) {
    (void)state;
    enum { NUM_SETS = 512, NUM_KEYS = 4 };
    ct_sound_parameters p;
    ct_sound_parameters_init(&p, test_heap());
    static ct_sound_parameter_set sets[NUM_SETS];
    for (uint32_t key = 1; key <= NUM_KEYS; ++key)
        for (uint32_t i = 0; i < NUM_SETS; ++i)
            ct_sound_parameter_set_value(&p, &sets[i], (ct_string_id32){key},
                                         number((float)(i * NUM_KEYS + key)));
    for (uint32_t i = 0; i < NUM_SETS; i += 2)
        ct_sound_parameter_clear(&p, &sets[i]);
    for (uint32_t i = 0; i < NUM_SETS; ++i)
        for (uint32_t key = 1; key <= NUM_KEYS; ++key) {
            const ct_sound_parameter *const found =
                ct_sound_parameter_find(&p, sets[i], (ct_string_id32){key});
            assert_int_equal(found != NULL, i % 2);
            if (found)
                assert_float_equal(found->value.number, (float)(i * NUM_KEYS + key), 0);
        }
    assert_int_equal(p.nodes.num_taken, 1 + NUM_SETS / 2 * NUM_KEYS);
    ct_sound_parameters_free(&p);
}

static void reuses_the_nodes_of_cleared_sets(void **state) {
    (void)state;
    ct_sound_parameters p;
    ct_sound_parameters_init(&p, test_heap());
    for (uint32_t i = 0; i < 10000; ++i) {
        ct_sound_parameter_set set = {0};
        ct_sound_parameter_set_value(&p, &set, force, number(1));
        ct_sound_parameter_set_value(&p, &set, weapon, number(2));
        ct_sound_parameter_clear(&p, &set);
        assert_int_equal(set.first, 0);
        assert_null(ct_sound_parameter_find(&p, set, force));
    }
    assert_int_equal(p.nodes.capacity, 64);
    ct_sound_parameters_free(&p);
}

static void takes_12_bytes_for_each(void **state) {
    (void)state;
    assert_int_equal(sizeof(ct_sound_parameter), 12);
    assert_int_equal(sizeof(ct_sound_parameter_value), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_numbers_and_texts_by_key),
        cmocka_unit_test(replaces_the_value_of_a_key),
        cmocka_unit_test(keeps_sets_apart),
        cmocka_unit_test(reuses_the_nodes_of_cleared_sets),
        cmocka_unit_test(takes_12_bytes_for_each),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
