// States: equal ones have equal hashes; of others the first difference is named.
#include "network/session/session_fixture.h"

static test_network net;
static ct_network_state_bytes states[2];

static int set_up(void **state) {
    test_network_init(&net, 23);
    for (uint32_t i = 0; i < 2; ++i)
        ct_array_init(&states[i], test_heap());
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    for (uint32_t i = 0; i < 2; ++i)
        ct_array_free(&states[i]);
    return session_free_config(state);
}

static void write_states(void) {
    for (uint32_t i = 0; i < 2; ++i) {
        states[i].count = 0;
        ct_network_session_write_state(net.nodes[i].session, &states[i]);
    }
}

static ct_network_state_difference difference(void) {
    ct_network_state_difference d;
    assert_false(ct_network_session_compare(session_config, states[0].items, states[0].count,
                                            states[1].items, states[1].count, &d));
    return d;
}

static ct_network_object_id create(uint32_t node, const char *type) {
    return ct_network_session_create_object(net.nodes[node].session, session_object(type), NULL,
                                            NULL);
}

static void equal_states_have_equal_hashes(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    write_states();
    ct_network_state_difference d;
    assert_true(ct_network_session_compare(session_config, states[0].items, states[0].count,
                                           states[1].items, states[1].count, &d));
    const uint64_t empty = ct_network_session_state_hash(net.nodes[0].session);
    const ct_network_object_id id = create(0, "flag");
    const uint64_t one = ct_network_session_state_hash(net.nodes[0].session);
    assert_true(one != empty);
    test_network_run(&net, 0.5, NULL, NULL);
    assert_true(ct_network_session_state_hash(net.nodes[1].session) == one);
    session_set(&net.nodes[0], id, "flag", "score", session_integer(1));
    assert_true(ct_network_session_state_hash(net.nodes[0].session) != one);
}

static void names_the_first_field_that_differs(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    const ct_network_object_id body = create(0, "body"), flag = create(0, "flag"),
                               page = create(0, "page");
    test_network_run(&net, 0.5, NULL, NULL);
    // Planted: node 0 changed what node 1 does not know yet.
    session_set(&net.nodes[0], page, "page", "text", session_string("other"));
    write_states();
    ct_network_state_difference d = difference();
    assert_int_equal(d.object, page);
    assert_int_equal(d.field, session_field("page", "text"));
    session_set(&net.nodes[0], flag, "flag", "name", session_string("Ada"));
    session_set(&net.nodes[0], flag, "flag", "score", session_integer(99));
    write_states();
    d = difference();
    assert_int_equal(d.object, flag);
    assert_int_equal(d.type, session_object("flag"));
    assert_int_equal(d.field, session_field("flag", "score"));
    assert_string_equal(d.text[0], "99");
    assert_string_equal(d.text[1], "0");
    assert_string_equal(d.message, "object 1.2 of type flag: score is 99 in the first state, 0 in "
                                   "the second");
    session_set(&net.nodes[0], body, "body", "velocity", session_vector(50, -50, 50));
    write_states();
    d = difference();
    assert_int_equal(d.object, body);
    assert_string_equal(d.text[0], "(50, -50, 50)");
    test_network_run(&net, 1, NULL, NULL);
    session_assert_equal(&net);
}

static void formats_values_of_all_kinds(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    const ct_network_object_id page = create(0, "page");
    test_network_run(&net, 0.5, NULL, NULL);
    const ct_network_value open = {.kind = CT_NETWORK_BOOL, .boolean = true};
    session_set(&net.nodes[0], page, "page", "open", open);
    write_states();
    assert_string_equal(difference().text[0], "true");
    const ct_network_value other = {.kind = CT_NETWORK_OBJECT, .id = 3u << 20 | 7};
    session_set(&net.nodes[0], page, "page", "other", other);
    write_states();
    assert_string_equal(difference().text[0], "object 3.7");
    const ct_network_value weight = {.kind = CT_NETWORK_FLOAT, .number = 0.5f};
    session_set(&net.nodes[0], page, "page", "weight", weight);
    write_states();
    assert_string_equal(difference().text[0], "0.5");
    const ct_network_value count = {.kind = CT_NETWORK_ARRAY, .count = 2};
    session_set(&net.nodes[0], page, "page", "ids", count);
    write_states();
    assert_string_equal(difference().text[0], "[0000000000000000, 0000000000000000]");
    assert_string_equal(difference().text[1], "[]");
    session_set(&net.nodes[0], page, "page", "text", session_string("Ada"));
    write_states();
    assert_string_equal(difference().text[0], "\"Ada\"");
}

static void names_missing_objects_and_owners(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    const ct_network_object_id first = create(1, "flag"), second = create(1, "flag");
    write_states();
    ct_network_state_difference d = difference();
    assert_int_equal(d.object, first);
    assert_int_equal(d.field, UINT32_MAX);
    assert_string_equal(d.text[0], "missing");
    assert_string_equal(d.text[1], "there");
    test_network_run(&net, 0.5, NULL, NULL);
    ct_network_session_give_object(net.nodes[0].session, second, net.nodes[0].peer, NULL);
    write_states();
    d = difference();
    assert_int_equal(d.object, second);
    assert_non_null(strstr(d.message, "its owner is "));
}

static void refuses_bytes_that_are_no_state(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    create(0, "flag");
    create(0, "page");
    test_network_run(&net, 0.5, NULL, NULL);
    write_states();
    ct_network_state_difference d;
    const uint32_t size = states[0].count;
    for (uint32_t i = 0; i < size; ++i) {
        uint8_t *const copy = malloc(i ? i : 1); // sanitizers see reads behind its end
        memcpy(copy, states[0].items, i);
        assert_false(
            ct_network_session_compare(session_config, copy, i, states[1].items, size, &d));
        assert_int_equal(d.type == UINT32_MAX, strstr(d.message, "first state") == d.message + 4);
        free(copy);
    }
    ct_array_push(&states[0], 0);
    assert_false(ct_network_session_compare(session_config, states[1].items, size, states[0].items,
                                            size + 1, &d));
    assert_string_equal(d.message, "the second state has bytes behind its end");
    states[0].items[4] ^= 1;
    assert_false(ct_network_session_compare(session_config, states[0].items, size, states[1].items,
                                            size, &d));
    assert_string_equal(d.message, "the first state is of another network_config");
    for (uint32_t round = 0; round < test_rounds(2000, 100000); ++round) {
        write_states();
        states[0].items[ct_random_below(&net.random, size)] ^=
            (uint8_t)(1u << ct_random_below(&net.random, 8));
        ct_network_session_compare(session_config, states[0].items, size, states[1].items, size,
                                   &d);
        assert_true(d.message[0] != 0);
    }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(equal_states_have_equal_hashes),  TEST(names_the_first_field_that_differs),
        TEST(formats_values_of_all_kinds),     TEST(names_missing_objects_and_owners),
        TEST(refuses_bytes_that_are_no_state),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
