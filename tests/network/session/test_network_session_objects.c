// Objects: creation, destruction, owners.
#include "network/session/session_fixture.h"

static test_network net;

static int set_up(void **state) {
    test_network_init(&net, 11);
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

static ct_network_object_id create(uint32_t node, const char *type) {
    ct_error error = {0};
    const ct_network_object_id id = ct_network_session_create_object(
        net.nodes[node].session, session_object(type), NULL, &error);
    if (!id)
        fail_msg("%s", error.message);
    return id;
}

static ct_peer_id owner(uint32_t node, ct_network_object_id id) {
    return ct_network_session_object_owner(net.nodes[node].session, id);
}

static void all_see_what_one_creates(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const ct_network_object_id id = create(1, "flag");
    assert_int_equal(id >> 20, ct_network_session_slot(net.nodes[1].session));
    assert_true(session_set(&net.nodes[1], id, "flag", "name", session_string("Ada")));
    session_run(&net, 1);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(session_counts[i][CT_NETWORK_EVENT_CREATED], i != 1);
        assert_true(owner(i, id) == net.nodes[1].peer);
        assert_int_equal(ct_network_session_object_type(net.nodes[i].session, id),
                         session_object("flag"));
        assert_int_equal(session_get(&net.nodes[i], id, "name").string.bytes, 3);
        assert_int_equal(
            ct_network_session_objects(net.nodes[i].session, net.nodes[1].peer, NULL, 0), 1);
    }
    assert_int_equal(session_lasts[2][CT_NETWORK_EVENT_CREATED].object, id);
    assert_true(ct_network_session_destroy_object(net.nodes[1].session, id, NULL));
    assert_null(ct_network_session_words(net.nodes[1].session, id));
    session_run(&net, 1);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(session_counts[i][CT_NETWORK_EVENT_DESTROYED], i != 1);
        assert_null(ct_network_session_words(net.nodes[i].session, id));
    }
    assert_int_not_equal(create(1, "flag"), id);
}

static void creation_takes_words(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    const uint32_t type = session_object("body");
    const ct_network_record_type *const record = &ct_network_config_objects(session_config)[type];
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(session_config, record),
           sizeof(uint32_t) * record->num_words);
    const ct_network_value health = session_integer(42);
    assert_true(ct_network_record_set(session_config, record, session_field("body", "health"),
                                      UINT32_MAX, &health, words, NULL));
    const ct_network_object_id id =
        ct_network_session_create_object(net.nodes[1].session, type, words, NULL);
    session_run(&net, 0.2);
    assert_int_equal(session_get(&net.nodes[0], id, "health").integer, 42);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_FIELDS], 0);
}

static void only_the_owner_changes_an_object(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    const ct_network_object_id id = create(1, "flag");
    session_run(&net, 1);
    ct_error error = {0};
    const ct_network_value value = session_integer(5);
    ct_network_session *const host = net.nodes[0].session;
    assert_false(ct_network_session_set_field(host, id, session_field("flag", "score"), UINT32_MAX,
                                              &value, &error));
    assert_non_null(strstr(error.message, "flag belongs to another peer"));
    assert_false(ct_network_session_destroy_object(host, id, &error));
    assert_non_null(strstr(error.message, "only its owner"));
    assert_false(ct_network_session_destroy_object(host, 12345, &error));
    assert_non_null(strstr(error.message, "unknown object 0.12345"));
    const ct_network_value wrong = session_string("five");
    assert_false(ct_network_session_set_field(
        net.nodes[1].session, id, session_field("flag", "score"), UINT32_MAX, &wrong, &error));
}

static void owners_give_objects_away(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const ct_network_object_id id = create(1, "body");
    session_run(&net, 1);
    assert_true(session_set(&net.nodes[1], id, "body", "health", session_integer(7)));
    assert_true(ct_network_session_give_object(net.nodes[1].session, id, net.nodes[2].peer, NULL));
    ct_error error = {0};
    const ct_network_value value = session_integer(8);
    assert_false(ct_network_session_set_field(
        net.nodes[1].session, id, session_field("body", "health"), UINT32_MAX, &value, &error));
    assert_non_null(strstr(error.message, "being given"));
    session_run(&net, 1);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(session_counts[i][CT_NETWORK_EVENT_OWNER], 1);
        assert_true(owner(i, id) == net.nodes[2].peer);
        assert_int_equal(session_get(&net.nodes[i], id, "health").integer, 7);
    }
    assert_true(session_set(&net.nodes[2], id, "body", "health", session_integer(9)));
    assert_false(session_set(&net.nodes[1], id, "body", "health", session_integer(9)));
    // Back and forth, with changes between.
    for (uint32_t i = 0; i < 40; ++i) {
        test_node *const from = &net.nodes[2 - (i & 1)], *const to = &net.nodes[1 + (i & 1)];
        session_set(from, id, "body", "health", session_integer((int32_t)i));
        session_run(&net, 0.03 * (i % 5));
        assert_true(ct_network_session_give_object(from->session, id, to->peer, NULL));
        session_run(&net, 0.2);
        assert_true(owner(0, id) == to->peer);
    }
    session_run(&net, 1);
    session_assert_equal(&net);
}

static void the_host_refuses_what_changed_meanwhile(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const ct_network_object_id id = create(1, "flag"), other = create(1, "flag");
    session_run(&net, 1);
    // The host takes it while the owner's request is on its way.
    assert_true(ct_network_session_give_object(net.nodes[1].session, id, net.nodes[2].peer, NULL));
    assert_true(ct_network_session_give_object(net.nodes[0].session, id, net.nodes[0].peer, NULL));
    // The receiver is gone when the request arrives.
    assert_true(
        ct_network_session_give_object(net.nodes[1].session, other, net.nodes[2].peer, NULL));
    assert_true(ct_network_session_kick(net.nodes[0].session, net.nodes[2].peer,
                                        CT_NETWORK_REASON_KICKED, net.now));
    session_run(&net, 1);
    assert_true(owner(0, id) == net.nodes[0].peer);
    assert_true(owner(1, id) == net.nodes[0].peer);
    assert_int_equal(session_counts[1][CT_NETWORK_EVENT_OWNER_REFUSED], 1);
    assert_int_equal(session_lasts[1][CT_NETWORK_EVENT_OWNER_REFUSED].object, other);
    assert_true(session_set(&net.nodes[1], other, "flag", "score", session_integer(3)));
    ct_error error = {0};
    assert_false(
        ct_network_session_give_object(net.nodes[1].session, other, net.nodes[2].peer, &error));
    assert_non_null(strstr(error.message, "is not in the session"));
}

static void a_destroyed_object_may_come_back_when_the_host_gave_it(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const ct_network_object_id id = create(1, "flag");
    session_run(&net, 1);
    assert_true(ct_network_session_give_object(net.nodes[0].session, id, net.nodes[2].peer, NULL));
    assert_true(ct_network_session_destroy_object(net.nodes[1].session, id, NULL));
    session_run(&net, 1);
    for (uint32_t i = 0; i < 3; ++i)
        assert_true(owner(i, id) == net.nodes[2].peer);
}

static void objects_of_a_peer_that_leaves(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const ct_network_object_id body = create(1, "body"), flag = create(1, "flag");
    session_run(&net, 1);
    ct_network_session_leave(net.nodes[1].session, net.now);
    session_run(&net, 1);
    for (uint32_t i = 0; i < 3; i += 2) {
        assert_null(ct_network_session_words(net.nodes[i].session, body));
        assert_int_equal(session_lasts[i][CT_NETWORK_EVENT_DESTROYED].object, body);
        assert_true(session_lasts[i][CT_NETWORK_EVENT_DESTROYED].peer == net.nodes[1].peer);
        assert_true(owner(i, flag) == net.nodes[0].peer);
        assert_int_equal(session_lasts[i][CT_NETWORK_EVENT_OWNER].object, flag);
    }
    assert_true(session_set(&net.nodes[0], flag, "flag", "score", session_integer(3)));
}

static void limits_objects_of_a_peer(void **state) {
    (void)state;
    session_start(&net, 1, &(ct_network_session_desc){.max_objects_of_peer = 20});
    for (uint32_t i = 0; i < 20; ++i)
        create(1, "body");
    session_run(&net, 0.5);
    ct_error error = {0};
    assert_int_equal(ct_network_session_create_object(net.nodes[1].session, session_object("body"),
                                                      NULL, &error),
                     0);
    assert_non_null(strstr(error.message, "owns 20 objects"));
    // Nor can it be given more: the host refuses.
    const ct_network_object_id hosts = create(0, "body");
    assert_false(
        ct_network_session_give_object(net.nodes[0].session, hosts, net.nodes[1].peer, &error));
    assert_non_null(strstr(error.message, "owns 20 objects"));
    test_node *const idle =
        test_network_add(&net, &(ct_network_session_desc){.config = session_config});
    assert_int_equal(
        ct_network_session_create_object(idle->session, session_object("body"), NULL, &error), 0);
    assert_non_null(strstr(error.message, "not in a session"));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(all_see_what_one_creates),
        TEST(creation_takes_words),
        TEST(only_the_owner_changes_an_object),
        TEST(owners_give_objects_away),
        TEST(the_host_refuses_what_changed_meanwhile),
        TEST(a_destroyed_object_may_come_back_when_the_host_gave_it),
        TEST(objects_of_a_peer_that_leaves),
        TEST(limits_objects_of_a_peer),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
