// Migration: the host leaves, is lost, hands over; objects stay with their owners, all agree.
#include "network/session/session_fixture.h"

static test_network net;

static int set_up(void **state) {
    test_network_init(&net, 19);
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

static ct_network_object_id create(uint32_t node, const char *type) {
    const ct_network_object_id id =
        ct_network_session_create_object(net.nodes[node].session, session_object(type), NULL, NULL);
    assert_int_not_equal(id, 0);
    return id;
}

static ct_peer_id owner(uint32_t node, ct_network_object_id id) {
    return ct_network_session_object_owner(net.nodes[node].session, id);
}

static ct_network_session_state state_of(uint32_t node) {
    return ct_network_session_state_of(net.nodes[node].session);
}

// Returns the node with the n-th slot but the host's; others have joined in some order.
static uint32_t by_slot(uint32_t n) {
    ct_peer_id peers[TEST_NETWORK_MAX_NODES];
    ct_network_session_peers(net.nodes[0].session, CT_NETWORK_PEERS_ALL, peers,
                             TEST_NETWORK_MAX_NODES);
    return test_network_node(&net, peers[n])->index;
}

static void assert_host(uint32_t first, uint32_t last, uint32_t host) {
    for (uint32_t i = first; i <= last; ++i) {
        if (!net.nodes[i].is_up || state_of(i) != CT_NETWORK_SESSION_IN)
            continue;
        assert_true(ct_network_session_host_peer(net.nodes[i].session) == net.nodes[host].peer);
        assert_int_equal(ct_network_session_is_host(net.nodes[i].session), i == host);
    }
}

static void the_lowest_slot_follows_a_lost_host(void **state) {
    (void)state;
    session_start(&net, 3, NULL);
    const uint32_t next = by_slot(1), other = by_slot(2);
    const ct_network_object_id own = create(other, "body"), hosts = create(0, "body"),
                               shared = create(0, "flag"), nexts = create(next, "flag");
    session_run(&net, 1);
    session_set(&net.nodes[0], shared, "flag", "score", session_integer(77));
    session_run(&net, 0.5);
    test_network_crash(&net.nodes[0]);
    session_run(&net, 1);
    // Nothing has noticed yet; what changes now must not be lost.
    session_set(&net.nodes[other], own, "body", "health", session_integer(31));
    const ct_network_object_id late = create(other, "body");
    session_run(&net, 3);
    assert_host(1, 3, next);
    for (uint32_t i = 1; i <= 3; ++i) {
        assert_int_equal(state_of(i), CT_NETWORK_SESSION_IN);
        assert_int_equal(session_counts[i][CT_NETWORK_EVENT_HOST], 1);
        assert_true(session_lasts[i][CT_NETWORK_EVENT_HOST].peer == net.nodes[next].peer);
        assert_int_equal(session_get(&net.nodes[i], own, "health").integer, 31);
        assert_true(owner(i, late) == net.nodes[other].peer);
    }
    session_run(&net, 20);
    for (uint32_t i = 1; i <= 3; ++i) {
        assert_true(owner(i, own) == net.nodes[other].peer);
        assert_true(owner(i, nexts) == net.nodes[next].peer);
        assert_null(ct_network_session_words(net.nodes[i].session, hosts));
        assert_true(owner(i, shared) == net.nodes[next].peer);
        assert_int_equal(session_get(&net.nodes[i], shared, "score").integer, 77);
        assert_int_equal(
            ct_network_session_peers(net.nodes[i].session, CT_NETWORK_PEERS_ALL, NULL, 0), 3);
    }
    session_assert_equal(&net);
    // The session goes on: joining, objects, messages.
    test_network_join(test_network_add(&net, &(ct_network_session_desc){.config = session_config}),
                      &net.nodes[next]);
    session_run(&net, 2);
    assert_int_equal(state_of(4), CT_NETWORK_SESSION_IN);
    assert_int_equal(ct_network_session_slot(net.nodes[4].session), 5);
    session_set(&net.nodes[other], own, "body", "health", session_integer(32));
    session_run(&net, 1);
    session_assert_equal(&net);
}

static void a_host_that_leaves_hands_over(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const uint32_t next = by_slot(1), other = by_slot(2);
    const ct_network_object_id flag = create(0, "flag"), body = create(0, "body");
    session_run(&net, 0.5);
    ct_network_session_leave(net.nodes[0].session, net.now);
    assert_int_equal(state_of(0), CT_NETWORK_SESSION_ENDED);
    session_run(&net, 1);
    assert_host(1, 2, next);
    assert_true(owner(other, flag) == net.nodes[next].peer);
    assert_null(ct_network_session_words(net.nodes[other].session, body));
    assert_int_equal(session_counts[other][CT_NETWORK_EVENT_PEER_LEFT], 1);
    assert_int_equal(session_lasts[other][CT_NETWORK_EVENT_PEER_LEFT].reason,
                     CT_NETWORK_REASON_LEFT);
    session_assert_equal(&net);
}

static void hands_over_on_purpose_and_stays(void **state) {
    (void)state;
    session_start(&net, 3, NULL);
    const ct_network_object_id body = create(0, "body");
    session_run(&net, 0.5);
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t from = i % 4, to = (i + 1) % 4;
        session_set(&net.nodes[0], body, "body", "health", session_integer((int32_t)i + 1));
        ct_error error = {0};
        assert_false(ct_network_session_migrate(net.nodes[to].session, 0, net.now, &error));
        if (!ct_network_session_migrate(net.nodes[from].session, net.nodes[to].peer, net.now,
                                        &error))
            fail_msg("%s", error.message);
        session_run(&net, 2);
        assert_host(0, 3, to);
        for (uint32_t k = 0; k < 4; ++k) {
            assert_int_equal(state_of(k), CT_NETWORK_SESSION_IN);
            assert_int_equal(session_counts[k][CT_NETWORK_EVENT_DESTROYED], 0);
            assert_int_equal(session_get(&net.nodes[k], body, "health").integer, (int32_t)i + 1);
        }
        session_assert_equal(&net);
    }
    assert_true(owner(2, body) == net.nodes[0].peer);
    ct_error error = {0};
    assert_false(ct_network_session_migrate(net.nodes[0].session, 77, net.now, &error));
    assert_non_null(strstr(error.message, "no other peer"));
}

static void without_migration_the_session_ends(void **state) {
    (void)state;
    session_start(&net, 2, &(ct_network_session_desc){.has_no_migration = true});
    ct_error error = {0};
    assert_false(ct_network_session_migrate(net.nodes[0].session, 0, net.now, &error));
    assert_non_null(strstr(error.message, "turned off"));
    test_network_crash(&net.nodes[0]);
    session_run(&net, 4);
    for (uint32_t i = 1; i < 3; ++i) {
        assert_int_equal(state_of(i), CT_NETWORK_SESSION_ENDED);
        assert_int_equal(ct_network_session_end_reason(net.nodes[i].session),
                         CT_NETWORK_REASON_TIMEOUT);
    }
}

static void each_part_of_a_cut_network_goes_on(void **state) {
    (void)state;
    session_start(&net, 4, NULL);
    const uint32_t a = by_slot(1), b = by_slot(2), c = by_slot(3), d = by_slot(4);
    const ct_network_object_id flags[5] = {create(0, "flag"), create(a, "flag"), create(b, "flag"),
                                           create(c, "flag"), create(d, "flag")};
    session_run(&net, 1);
    const uint32_t one[2] = {0, a}, two[3] = {b, c, d};
    for (uint32_t i = 0; i < 2; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            test_network_cut(&net.nodes[one[i]], &net.nodes[two[k]], true);
    session_run(&net, 40);
    for (uint32_t i = 0; i < 5; ++i)
        assert_int_equal(state_of(i), CT_NETWORK_SESSION_IN);
    for (uint32_t i = 0; i < 2; ++i) {
        assert_true(ct_network_session_host_peer(net.nodes[one[i]].session) == net.nodes[0].peer);
        assert_true(ct_network_session_state_hash(net.nodes[one[i]].session) ==
                    ct_network_session_state_hash(net.nodes[0].session));
        assert_true(owner(one[i], flags[3]) == net.nodes[0].peer);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(ct_network_session_host_peer(net.nodes[two[i]].session) == net.nodes[b].peer);
        assert_int_equal(
            ct_network_session_peers(net.nodes[two[i]].session, CT_NETWORK_PEERS_ALL, NULL, 0), 3);
        assert_true(ct_network_session_state_hash(net.nodes[two[i]].session) ==
                    ct_network_session_state_hash(net.nodes[b].session));
        assert_true(owner(two[i], flags[0]) == net.nodes[b].peer);
        assert_true(owner(two[i], flags[3]) == net.nodes[c].peer);
    }
}

static void what_is_done_meanwhile_is_sent_afterwards(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    const uint32_t next = by_slot(1), other = by_slot(2);
    test_node *const node = &net.nodes[other];
    const ct_network_object_id gone = create(other, "body"), kept = create(other, "body"),
                               given = create(other, "body");
    session_run(&net, 0.5);
    test_network_crash(&net.nodes[0]);
    assert_true(ct_network_session_give_object(node->session, given, net.nodes[next].peer, NULL));
    while (state_of(other) != CT_NETWORK_SESSION_MIGRATING)
        session_run(&net, net.frame);
    const ct_network_object_id made = create(other, "flag"), short_lived = create(other, "flag");
    assert_true(ct_network_session_destroy_object(node->session, gone, NULL));
    assert_true(ct_network_session_destroy_object(node->session, short_lived, NULL));
    assert_true(session_set(node, kept, "body", "health", session_integer(3)));
    ct_error error = {0};
    assert_false(ct_network_session_send(node->session, 0, session_message("shot"),
                                         ct_network_session_words(node->session, kept), &error));
    assert_non_null(strstr(error.message, "another host"));
    assert_false(ct_network_session_give_object(node->session, kept, net.nodes[1].peer, &error));
    session_run(&net, 5);
    assert_int_equal(session_counts[other][CT_NETWORK_EVENT_OWNER_REFUSED], 1);
    for (uint32_t i = 1; i < 3; ++i) {
        assert_null(ct_network_session_words(net.nodes[i].session, gone));
        assert_null(ct_network_session_words(net.nodes[i].session, short_lived));
        assert_true(owner(i, made) == node->peer);
        assert_true(owner(i, given) == node->peer);
        assert_int_equal(session_get(&net.nodes[i], kept, "health").integer, 3);
    }
    assert_true(session_set(node, given, "body", "health", session_integer(4)));
    session_run(&net, 1);
    session_assert_equal(&net);
}

static void the_latest_owner_counts(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 8; ++round) {
        session_start(&net, 3, NULL);
        const uint32_t next = by_slot(1), deaf = by_slot(2 + round % 2), other = 6 - next - deaf;
        const ct_network_object_id own = create(deaf, "body"), flag = create(0, "flag");
        session_run(&net, 0.5);
        // What the host decides now, one peer does not hear.
        net.is_cut[0][deaf] = true; // it notices as late as the others
        assert_true(
            ct_network_session_give_object(net.nodes[0].session, own, net.nodes[other].peer, NULL));
        assert_true(
            ct_network_session_give_object(net.nodes[0].session, flag, net.nodes[deaf].peer, NULL));
        session_run(&net, 0.3);
        assert_true(owner(next, own) == net.nodes[other].peer);
        assert_true(owner(deaf, own) == net.nodes[deaf].peer);
        test_network_crash(&net.nodes[0]);
        session_run(&net, 8);
        for (uint32_t i = 1; i <= 3; ++i) {
            assert_true(owner(i, own) == net.nodes[other].peer);
            assert_true(owner(i, flag) == net.nodes[deaf].peer);
        }
        assert_true(session_set(&net.nodes[deaf], flag, "flag", "score", session_integer(5)));
        session_run(&net, 1);
        session_assert_equal(&net);
        test_network_free(&net);
        test_network_init(&net, 100 + round);
    }
}

static void a_lost_candidate_is_passed_over(void **state) {
    (void)state;
    session_start(&net, 3, NULL);
    const uint32_t next = by_slot(1), third = by_slot(2);
    create(3, "body");
    session_run(&net, 0.5);
    test_network_crash(&net.nodes[0]);
    test_network_crash(&net.nodes[next]);
    session_run(&net, 25);
    assert_host(1, 3, third);
    assert_int_equal(
        ct_network_session_peers(net.nodes[third].session, CT_NETWORK_PEERS_ALL, NULL, 0), 2);
    session_assert_equal(&net);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_lowest_slot_follows_a_lost_host),
        TEST(a_host_that_leaves_hands_over),
        TEST(hands_over_on_purpose_and_stays),
        TEST(without_migration_the_session_ends),
        TEST(each_part_of_a_cut_network_goes_on),
        TEST(what_is_done_meanwhile_is_sent_afterwards),
        TEST(the_latest_owner_counts),
        TEST(a_lost_candidate_is_passed_over),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
