// Peers: joining, late and closed sessions, leaving, kicking, waits.
#define TEST_NETWORK_NODES 44
#include "network/session/session_fixture.h"

static test_network net;

static int set_up(void **state) {
    test_network_init(&net, 7);
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

static ct_network_session_state state_of(uint32_t node) {
    return ct_network_session_state_of(net.nodes[node].session);
}

static uint32_t num_peers(uint32_t node, ct_network_peer_filter filter) {
    return ct_network_session_peers(net.nodes[node].session, filter, NULL, 0);
}

static void joins_a_host(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    assert_true(ct_network_session_is_host(net.nodes[0].session));
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_network_session *const s = net.nodes[i].session;
        ct_peer_id peers[4];
        assert_int_equal(ct_network_session_peers(s, CT_NETWORK_PEERS_SYNCHRONIZED, peers, 4), 3);
        assert_true(peers[0] == net.nodes[0].peer);
        assert_int_equal(num_peers(i, CT_NETWORK_PEERS_SYNCHRONIZING), 0);
        assert_true(ct_network_session_host_peer(s) == net.nodes[0].peer);
        assert_true(ct_network_session_self(s) == net.nodes[i].peer);
    }
    assert_int_equal(ct_network_session_slot(net.nodes[0].session), 1);
    assert_int_equal(ct_network_session_slot(net.nodes[1].session) +
                         ct_network_session_slot(net.nodes[2].session),
                     2 + 3);
}

static void many_join_at_a_time(void **state) {
    (void)state;
    session_start(&net, TEST_NETWORK_NODES - 1,
                  &(ct_network_session_desc){.max_peers = TEST_NETWORK_NODES});
    assert_int_equal(num_peers(0, CT_NETWORK_PEERS_SYNCHRONIZED), TEST_NETWORK_NODES);
}

static void late_joiners_get_all_before_they_are_in(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    for (uint32_t i = 0; i < 300; ++i) {
        const ct_network_object_id id = ct_network_session_create_object(
            net.nodes[i & 1].session, session_object("flag"), NULL, NULL);
        assert_true(session_set(&net.nodes[i & 1], id, "flag", "score", session_integer((int)i)));
    }
    test_network_join(test_network_add(&net, &(ct_network_session_desc){.config = session_config}),
                      &net.nodes[0]);
    while (state_of(2) == CT_NETWORK_SESSION_JOINING)
        session_run(&net, net.frame);
    assert_int_equal(ct_network_session_objects(net.nodes[2].session, 0, NULL, 0), 300);
    assert_int_equal(session_counts[2][CT_NETWORK_EVENT_PEER_SYNCHRONIZED], 3);
    session_run(&net, 3);
    session_assert_equal(&net);
}

static void slots_are_not_used_twice(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    for (uint32_t i = 0; i < 5; ++i) {
        ct_network_session_leave(net.nodes[1].session, net.now);
        session_run(&net, 1);
        test_network_join(&net.nodes[1], &net.nodes[0]);
        session_run(&net, 1);
        assert_int_equal(state_of(1), CT_NETWORK_SESSION_IN);
        assert_int_equal(ct_network_session_slot(net.nodes[1].session), 3 + i);
    }
}

static void refuses_peers_when_it_is_full(void **state) {
    (void)state;
    session_start(&net, 1, &(ct_network_session_desc){.max_peers = 2});
    test_network_join(test_network_add(&net, &(ct_network_session_desc){.config = session_config}),
                      &net.nodes[0]);
    session_run(&net, 2);
    assert_int_equal(state_of(2), CT_NETWORK_SESSION_ENDED);
    assert_int_equal(ct_network_session_end_reason(net.nodes[2].session), CT_NETWORK_REASON_FULL);
    assert_int_equal(num_peers(0, CT_NETWORK_PEERS_ALL), 2);
}

static void closed_sessions_wait_for_the_game(void **state) {
    (void)state;
    const ct_network_session_desc d = {.config = session_config, .is_closed = true};
    session_start(&net, 0, &d);
    for (uint32_t i = 0; i < 3; ++i)
        test_network_join(test_network_add(&net, &d), &net.nodes[0]);
    assert_true(
        ct_network_session_add_peer(net.nodes[0].session, net.nodes[1].peer, net.now, NULL));
    session_run(&net, 2);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_PEER_ASKS], 3);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_IN);
    assert_int_equal(state_of(2), CT_NETWORK_SESSION_JOINING);
    assert_true(
        ct_network_session_add_peer(net.nodes[0].session, net.nodes[2].peer, net.now, NULL));
    assert_true(ct_network_session_kick(net.nodes[0].session, net.nodes[3].peer,
                                        CT_NETWORK_REASON_PASSWORD, net.now));
    session_run(&net, 2);
    assert_int_equal(state_of(2), CT_NETWORK_SESSION_IN);
    assert_int_equal(ct_network_session_end_reason(net.nodes[3].session),
                     CT_NETWORK_REASON_PASSWORD);
    ct_error error = {0};
    assert_false(
        ct_network_session_add_peer(net.nodes[0].session, net.nodes[2].peer, net.now, &error));
    assert_non_null(strstr(error.message, "in the session already"));
    assert_false(
        ct_network_session_add_peer(net.nodes[2].session, net.nodes[3].peer, net.now, &error));
    assert_non_null(strstr(error.message, "only the host"));
}

static void kicks_with_a_reason(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    assert_false(
        ct_network_session_kick(net.nodes[0].session, 1234, CT_NETWORK_REASON_KICKED, net.now));
    assert_false(ct_network_session_kick(net.nodes[1].session, net.nodes[2].peer,
                                         CT_NETWORK_REASON_KICKED, net.now));
    assert_true(ct_network_session_kick(net.nodes[0].session, net.nodes[1].peer,
                                        CT_NETWORK_REASON_KICKED, net.now));
    session_run(&net, 1);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_ENDED);
    assert_int_equal(ct_network_session_end_reason(net.nodes[1].session), CT_NETWORK_REASON_KICKED);
    for (uint32_t i = 0; i < 3; i += 2) {
        assert_int_equal(session_counts[i][CT_NETWORK_EVENT_PEER_LEFT], 1);
        assert_int_equal(session_lasts[i][CT_NETWORK_EVENT_PEER_LEFT].reason,
                         CT_NETWORK_REASON_KICKED);
        assert_true(session_lasts[i][CT_NETWORK_EVENT_PEER_LEFT].peer == net.nodes[1].peer);
        assert_int_equal(num_peers(i, CT_NETWORK_PEERS_ALL), 2);
    }
}

static void leaves_in_order(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    ct_network_session_leave(net.nodes[1].session, net.now);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_ENDED);
    session_run(&net, 1);
    assert_int_equal(session_counts[1][CT_NETWORK_EVENT_ENDED], 1);
    assert_int_equal(session_counts[2][CT_NETWORK_EVENT_PEER_LEFT], 1);
    assert_int_equal(session_lasts[2][CT_NETWORK_EVENT_PEER_LEFT].reason, CT_NETWORK_REASON_LEFT);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_BROKEN], 0);
}

static void a_lost_peer_is_broken_and_left(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    test_network_crash(&net.nodes[1]);
    session_run(&net, 4);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_BROKEN], 1);
    assert_int_equal(session_lasts[0][CT_NETWORK_EVENT_BROKEN].reason, CT_NETWORK_REASON_TIMEOUT);
    assert_int_equal(session_counts[2][CT_NETWORK_EVENT_PEER_LEFT], 1);
}

static void shutting_down_ends_it_for_all(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    ct_network_session_shut_down(net.nodes[0].session, net.now);
    session_run(&net, 1);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(state_of(i), CT_NETWORK_SESSION_ENDED);
        assert_int_equal(ct_network_session_end_reason(net.nodes[i].session),
                         CT_NETWORK_REASON_LEFT);
    }
    assert_true(ct_network_session_host(net.nodes[1].session, net.now, NULL));
    test_network_join(&net.nodes[2], &net.nodes[1]);
    session_run(&net, 2);
    assert_int_equal(state_of(2), CT_NETWORK_SESSION_IN);
}

static void gives_up_to_join(void **state) {
    (void)state;
    const ct_network_session_desc d = {.config = session_config, .wait_seconds = 3};
    test_node *const a = test_network_add(&net, &d), *const b = test_network_add(&net, &d);
    test_network_join(b, a); // connected, but it does not host
    session_run(&net, 2);
    assert_int_equal(ct_network_session_end_reason(b->session), CT_NETWORK_REASON_UNREACHED);
    a->is_up = false;
    test_network_join(b, a);
    session_run(&net, 2);
    assert_int_equal(ct_network_session_end_reason(b->session), CT_NETWORK_REASON_UNREACHED);
    ct_error error = {0};
    assert_false(ct_network_session_join(b->session, 99, NULL, net.now, &error));
    assert_non_null(strstr(error.message, "give its address"));
    assert_false(ct_network_session_join(b->session, b->peer, "node:1", net.now, &error));
    a->is_up = true;
    assert_true(ct_network_session_host(a->session, net.now, NULL));
    assert_false(ct_network_session_host(a->session, net.now, &error));
    assert_non_null(strstr(error.message, "leave it first"));
}

static void waits_no_longer_without_timeouts(void **state) {
    (void)state;
    const ct_network_session_desc d = {
        .config = session_config, .wait_seconds = 3, .is_closed = true};
    session_start(&net, 0, &d);
    test_node *const b = test_network_add(&net, &d);
    test_network_join(b, &net.nodes[0]);
    ct_network_session_set_timeouts(b->session, false);
    session_run(&net, 60);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_JOINING);
    ct_network_session_set_timeouts(b->session, true);
    session_run(&net, 2);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_JOINING);
    session_run(&net, 3);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_ENDED);
    // A program that was stopped has not waited.
    test_network_join(b, &net.nodes[0]);
    session_run(&net, 1);
    net.now += 100;
    session_run(&net, 0.5);
    assert_int_equal(state_of(1), CT_NETWORK_SESSION_JOINING);
}

static void clocks_agree(void **state) {
    (void)state;
    net.least_delay = 0.05f;
    net.most_delay = 0.09f;
    session_start(&net, 2, NULL);
    session_run(&net, 5);
    const uint32_t time = ct_network_session_time(net.nodes[0].session, net.now);
    for (uint32_t i = 1; i < 3; ++i)
        assert_true(abs((int)ct_network_session_time(net.nodes[i].session, net.now) - (int)time) <
                    30);
    assert_true(time > 6500 && time < 7500);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(joins_a_host),
        TEST(many_join_at_a_time),
        TEST(late_joiners_get_all_before_they_are_in),
        TEST(slots_are_not_used_twice),
        TEST(refuses_peers_when_it_is_full),
        TEST(closed_sessions_wait_for_the_game),
        TEST(kicks_with_a_reason),
        TEST(leaves_in_order),
        TEST(a_lost_peer_is_broken_and_left),
        TEST(shutting_down_ends_it_for_all),
        TEST(gives_up_to_join),
        TEST(waits_no_longer_without_timeouts),
        TEST(clocks_agree),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
