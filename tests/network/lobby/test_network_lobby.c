// test_network_lobby.c: lobbies: joining, members, data, the session's host, what is not allowed.
#include "foundation/error.h"
#include "network/lobby/lobby_fixture.h"
#include <string.h>

static test_network net;

static ct_network_lobby *lobby(uint32_t node) {
    return net.nodes[node].lobby;
}

static int setup(void **state) {
    (void)state;
    lobby_net_begin(&net, 4);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    test_network_free(&net);
    return 0;
}

static void expect_failed(uint32_t node, ct_network_reason reason) {
    assert_int_equal(ct_network_lobby_state_of(lobby(node)), CT_NETWORK_LOBBY_FAILED);
    assert_int_equal(ct_network_lobby_reason(lobby(node)), reason);
    assert_int_equal(ct_network_lobby_num_members(lobby(node)), 0);
}

static void members_see_each_other(void **state) {
    (void)state;
    lobby_net_fill(&net, 3);
    for (uint32_t node = 0; node < 3; ++node) {
        assert_int_equal(ct_network_lobby_num_members(lobby(node)), 3);
        for (uint32_t i = 0; i < 3; ++i)
            assert_true(ct_network_lobby_member(lobby(node), i) == lobby_peer(i));
        assert_true(ct_network_lobby_host_peer(lobby(node)) == lobby_peer(0));
        assert_int_equal(ct_network_lobby_max_members(lobby(node)), 4);
        assert_int_equal(ct_network_lobby_is_host(lobby(node)), node == 0);
        assert_string_equal(ct_network_lobby_address(lobby(node), lobby_peer(2)), "node:2");
    }
    assert_true(ct_network_lobby_member(lobby(1), 3) == 0);
    assert_null(ct_network_lobby_address(lobby(1), lobby_peer(4)));
    ct_network_lobby_leave(lobby(1));
    expect_failed(1, CT_NETWORK_REASON_LEFT);
    lobby_net_run(&net);
    assert_int_equal(ct_network_lobby_num_members(lobby(0)), 2);
    assert_int_equal(ct_network_lobby_num_members(lobby(2)), 2);
    assert_true(ct_network_lobby_member(lobby(2), 1) == lobby_peer(2));
}

static void data_reaches_all_members_and_late_ones(void **state) {
    (void)state;
    ct_error error;
    lobby_net_fill(&net, 3);
    assert_true(ct_network_lobby_set_data(lobby(0), 0, "map", "Grüne Wiese", &error));
    assert_true(ct_network_lobby_set_data(lobby(1), lobby_peer(1), "team", "red", &error));
    assert_string_equal(ct_network_lobby_data(lobby(1), lobby_peer(1), "team"), "red");
    assert_string_equal(ct_network_lobby_data(lobby(2), lobby_peer(1), "team"), "");
    const uint32_t version = ct_network_lobby_version(lobby(2));
    lobby_net_run(&net);
    assert_true(ct_network_lobby_version(lobby(2)) != version);
    ct_network_lobby_join(lobby(3), lobby_peer(0), "node:0", net.now);
    lobby_net_run(&net);
    for (uint32_t node = 0; node < 4; ++node) {
        assert_string_equal(ct_network_lobby_data(lobby(node), 0, "map"), "Grüne Wiese");
        assert_string_equal(ct_network_lobby_data(lobby(node), lobby_peer(1), "team"), "red");
        assert_string_equal(ct_network_lobby_data(lobby(node), lobby_peer(2), "team"), "");
    }
    assert_true(ct_network_lobby_set_data(lobby(1), lobby_peer(1), "team", "blue", &error));
    assert_true(ct_network_lobby_set_data(lobby(0), 0, "map", "", &error));
    lobby_net_run(&net);
    assert_string_equal(ct_network_lobby_data(lobby(3), lobby_peer(1), "team"), "blue");
    assert_string_equal(ct_network_lobby_data(lobby(3), 0, "map"), "");
    // What a member said of itself goes with it.
    ct_network_lobby_leave(lobby(1));
    lobby_net_run(&net);
    assert_string_equal(ct_network_lobby_data(lobby(3), lobby_peer(1), "team"), "");
}

static void expect_refused(bool done, const ct_error *error, const char *part) {
    assert_false(done);
    if (!strstr(error->message, part))
        fail_msg("\"%s\" has no \"%s\"", error->message, part);
}

static void refuses_data_of_others_and_what_is_too_long(void **state) {
    (void)state;
    ct_error e = {0};
    expect_refused(ct_network_lobby_set_data(lobby(1), lobby_peer(1), "a", "b", &e), &e,
                   "in no lobby");
    lobby_net_fill(&net, 2);
    expect_refused(ct_network_lobby_set_data(lobby(1), 0, "a", "b", &e), &e, "lobby's host");
    expect_refused(ct_network_lobby_set_data(lobby(0), lobby_peer(1), "a", "b", &e), &e, "itself");
    char text[300];
    memset(text, 'x', sizeof(text));
    text[32] = 0;
    expect_refused(ct_network_lobby_set_data(lobby(0), 0, text, "b", &e), &e, "too long");
    text[31] = 0;
    assert_true(ct_network_lobby_set_data(lobby(0), 0, text, "b", &e));
    memset(text, 'x', sizeof(text));
    text[256] = 0;
    expect_refused(ct_network_lobby_set_data(lobby(0), 0, "a", text, &e), &e, "too long");
    text[255] = 0;
    assert_true(ct_network_lobby_set_data(lobby(0), 0, "a", text, &e));
    expect_refused(ct_network_lobby_set_data(lobby(0), 0, "", "b", &e), &e, "empty");
    expect_refused(ct_network_lobby_set_data(lobby(0), 0, "a\n", "b", &e), &e, "control");
    expect_refused(ct_network_lobby_set_data(lobby(0), 0, "a", "\xff", &e), &e, "UTF-8");
    for (uint32_t i = 2; i < CT_NETWORK_LOBBY_MAX_KEYS; ++i) {
        char key[8];
        snprintf(key, sizeof(key), "%u", i);
        assert_true(ct_network_lobby_set_data(lobby(0), 0, key, "b", &e));
    }
    expect_refused(ct_network_lobby_set_data(lobby(0), 0, "more", "b", &e), &e, "32 keys");
    assert_true(ct_network_lobby_set_data(lobby(0), 0, "a", "", &e));
    assert_true(ct_network_lobby_set_data(lobby(0), 0, "more", "b", &e));
    lobby_net_run(&net);
    assert_string_equal(ct_network_lobby_data(lobby(1), 0, "more"), "b");
    assert_int_equal(ct_network_lobby_state_of(lobby(1)), CT_NETWORK_LOBBY_JOINED);
}

static void lets_in_no_more_than_it_has_room_for(void **state) {
    (void)state;
    lobby_net_fill(&net, 4);
    ct_network_lobby_join(lobby(4), 0, "node:0", net.now);
    lobby_net_run(&net);
    expect_failed(4, CT_NETWORK_REASON_FULL);
    assert_int_equal(ct_network_lobby_num_members(lobby(0)), 4);
    ct_network_lobby_leave(lobby(3));
    lobby_net_run(&net);
    ct_network_lobby_join(lobby(5), 0, "node:0", net.now);
    lobby_net_run(&net);
    assert_int_equal(ct_network_lobby_state_of(lobby(5)), CT_NETWORK_LOBBY_JOINED);
}

static void the_host_kicks_and_names_the_host_of_the_session(void **state) {
    (void)state;
    ct_error e;
    lobby_net_fill(&net, 3);
    expect_refused(ct_network_lobby_kick(lobby(1), lobby_peer(2), &e), &e, "lobby's host");
    expect_refused(ct_network_lobby_kick(lobby(0), lobby_peer(0), &e), &e, "no other member");
    expect_refused(ct_network_lobby_set_session_host(lobby(0), lobby_peer(5), &e), &e, "no member");
    assert_true(ct_network_lobby_set_session_host(lobby(0), lobby_peer(2), &e));
    lobby_net_run(&net);
    assert_true(ct_network_lobby_session_host(lobby(1)) == lobby_peer(2));
    assert_true(ct_network_lobby_kick(lobby(0), lobby_peer(2), &e));
    lobby_net_run(&net);
    expect_failed(2, CT_NETWORK_REASON_KICKED);
    // The session's host was kicked.
    assert_true(ct_network_lobby_session_host(lobby(1)) == 0);
    assert_int_equal(ct_network_lobby_num_members(lobby(1)), 2);
}

static void expect_lobby(uint32_t node, uint32_t host, uint32_t num_members) {
    assert_int_equal(ct_network_lobby_state_of(lobby(node)), CT_NETWORK_LOBBY_JOINED);
    assert_true(ct_network_lobby_host_peer(lobby(node)) == lobby_peer(host));
    assert_int_equal(ct_network_lobby_num_members(lobby(node)), num_members);
    assert_true(ct_network_lobby_member(lobby(node), 0) == lobby_peer(host));
}

static void run_for(double seconds) {
    for (const double last = net.now + seconds; net.now < last; net.now += 0.1)
        lobby_net_run(&net);
}

static void the_next_member_hosts_when_the_host_leaves(void **state) {
    (void)state;
    ct_error e;
    lobby_net_fill(&net, 4);
    assert_true(ct_network_lobby_set_data(lobby(0), 0, "map", "yard", &e));
    assert_true(ct_network_lobby_set_data(lobby(0), lobby_peer(0), "team", "red", &e));
    assert_true(ct_network_lobby_set_data(lobby(2), lobby_peer(2), "team", "blue", &e));
    assert_true(ct_network_lobby_set_session_host(lobby(0), lobby_peer(2), &e));
    lobby_net_run(&net);
    ct_network_lobby_leave(lobby(0));
    expect_failed(0, CT_NETWORK_REASON_LEFT);
    run_for(1);
    for (uint32_t node = 1; node < 4; ++node) {
        expect_lobby(node, 1, 3);
        assert_string_equal(ct_network_lobby_data(lobby(node), 0, "map"), "yard");
        assert_string_equal(ct_network_lobby_data(lobby(node), lobby_peer(2), "team"), "blue");
        assert_string_equal(ct_network_lobby_data(lobby(node), lobby_peer(0), "team"), "");
        assert_true(ct_network_lobby_session_host(lobby(node)) == lobby_peer(2));
    }
    // It is a host like any: sets, kicks, lets in.
    assert_true(ct_network_lobby_set_data(lobby(1), 0, "map", "cave", &e));
    assert_true(ct_network_lobby_kick(lobby(1), lobby_peer(3), &e));
    ct_network_lobby_join(lobby(4), 0, "node:1", net.now);
    run_for(1);
    expect_failed(3, CT_NETWORK_REASON_KICKED);
    expect_lobby(4, 1, 3);
    assert_string_equal(ct_network_lobby_data(lobby(2), 0, "map"), "cave");
    // And so on, to the last one.
    ct_network_lobby_leave(lobby(1));
    run_for(1);
    expect_lobby(2, 2, 2);
    expect_lobby(4, 2, 2);
    ct_network_lobby_leave(lobby(2));
    run_for(1);
    expect_lobby(4, 4, 1);
    assert_true(ct_network_lobby_session_host(lobby(4)) == 0);
}

static void lose(uint32_t from, uint32_t to) {
    net.nodes[from].connection[to] = net.nodes[to].connection[from] = 0;
    ct_network_lobby_disconnected(lobby(to), lobby_peer(from), CT_NETWORK_REASON_TIMEOUT);
}

static void the_next_one_that_answers_hosts_when_the_host_is_lost(void **state) {
    (void)state;
    lobby_net_fill(&net, 4);
    net.nodes[0].is_up = net.nodes[1].is_up = false; // both are gone
    lose(0, 2);
    run_for(0.5); // the others notice it later
    lose(0, 3);
    run_for(6);
    expect_lobby(2, 2, 2);
    expect_lobby(3, 2, 2);
    // Those that do not know yet say nothing, and are asked again.
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 3);
    lose(0, 2);
    run_for(2.5);
    assert_int_equal(ct_network_lobby_state_of(lobby(2)), CT_NETWORK_LOBBY_JOINING);
    expect_lobby(1, 0, 3);
    net.nodes[0].is_up = false;
    lose(0, 1);
    run_for(2);
    expect_lobby(1, 1, 2);
    expect_lobby(2, 1, 2);
    // One that connects, and does not answer, is out.
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 4);
    net.nodes[1].is_deaf = true;
    for (uint32_t i = 2; i < 4; ++i)
        lose(0, i);
    run_for(7);
    expect_lobby(2, 2, 2);
    expect_lobby(3, 2, 2);
}

static void those_that_are_alone_or_do_not_come_are_out(void **state) {
    (void)state;
    lobby_net_fill(&net, 2);
    lose(0, 1); // is it cut off?
    expect_failed(1, CT_NETWORK_REASON_TIMEOUT);
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 4);
    net.nodes[3].is_up = false;
    lose(0, 1);
    lose(0, 2);
    run_for(4);
    expect_lobby(1, 1, 3); // node 3 may still come
    run_for(2);
    expect_lobby(1, 1, 2);
    expect_lobby(2, 1, 2);
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 3);
    lose(0, 1); // alone; the others stay with the old host
    ct_network_lobby_set_timeouts(lobby(1), false);
    run_for(60);
    expect_lobby(1, 1, 2);
    ct_network_lobby_set_timeouts(lobby(1), true);
    run_for(6);
    expect_failed(1, CT_NETWORK_REASON_TIMEOUT);
    expect_lobby(2, 0, 3);
}

static void waits_for_an_answer_unless_timeouts_are_off(void **state) {
    (void)state;
    net.nodes[0].is_deaf = true;
    ct_network_lobby_join(lobby(1), 0, "node:0", net.now);
    ct_network_lobby_set_timeouts(lobby(1), false);
    net.now += 1000;
    lobby_net_run(&net);
    assert_int_equal(ct_network_lobby_state_of(lobby(1)), CT_NETWORK_LOBBY_JOINING);
    ct_network_lobby_set_timeouts(lobby(1), true);
    lobby_net_run(&net);
    net.now += 9.9;
    lobby_net_run(&net);
    assert_int_equal(ct_network_lobby_state_of(lobby(1)), CT_NETWORK_LOBBY_JOINING);
    net.now += 0.2;
    lobby_net_run(&net);
    expect_failed(1, CT_NETWORK_REASON_TIMEOUT);
}

// Sends bytes of a member's own making to the host, and expects that it is put out.
static void expect_put_out(const void *bytes, uint32_t size) {
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 3);
    test_link_send(&net.nodes[1], lobby_peer(0), CT_NETWORK_LOBBY, true, bytes, size);
    lobby_net_run(&net);
    expect_failed(1, CT_NETWORK_REASON_BROKEN);
    assert_int_equal(ct_network_lobby_num_members(lobby(0)), 2);
    assert_int_equal(ct_network_lobby_num_members(lobby(2)), 2);
}

static void puts_out_what_does_not_keep_to_the_protocol(void **state) {
    (void)state;
    const uint64_t self = lobby_peer(1), other = lobby_peer(2);
    uint8_t data[64] = {6};
    memcpy(data + 1, &self, 8);
    data[9] = 1, data[10] = 'k', data[11] = 1, data[12] = 'v';
    expect_put_out("", 0);
    expect_put_out("\x09", 1);
    expect_put_out("\x01x", 2);        // too long
    expect_put_out(data, 12);          // too short
    expect_put_out("\x02\0\0\x04", 4); // of a host
    uint8_t wrong[64];
    memcpy(wrong, data, sizeof(wrong));
    memcpy(wrong + 1, &other, 8); // of another
    expect_put_out(wrong, 13);
    memcpy(wrong, data, sizeof(wrong));
    wrong[10] = 7; // a control character
    expect_put_out(wrong, 13);
    memcpy(wrong, data, sizeof(wrong));
    wrong[9] = 200; // longer than the packet
    expect_put_out(wrong, 13);
    // That without a fault is taken.
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 3);
    test_link_send(&net.nodes[1], lobby_peer(0), CT_NETWORK_LOBBY, true, data, 13);
    lobby_net_run(&net);
    assert_string_equal(ct_network_lobby_data(lobby(2), lobby_peer(1), "k"), "v");
}

// A host of no good: members end the connection, whatever it sends.
static void leaves_a_host_that_does_not_keep_to_the_protocol(void **state) {
    (void)state;
    uint32_t random = 7;
    for (uint32_t round = 0; round < 300; ++round) {
        test_network_free(&net);
        lobby_net_begin(&net, 4);
        lobby_net_fill(&net, 2);
        for (uint32_t i = 0; i < 4; ++i) {
            uint8_t bytes[64];
            for (uint32_t b = 0; b < sizeof(bytes); ++b)
                bytes[b] = (uint8_t)test_random(&random);
            bytes[0] = (uint8_t)(bytes[0] % 8);
            test_link_send(&net.nodes[0], lobby_peer(1), CT_NETWORK_LOBBY, true, bytes,
                           test_random(&random) % 64);
        }
        lobby_net_run(&net);
        expect_failed(1, CT_NETWORK_REASON_BROKEN);
    }
}

// A packet of one host that a member gets once it has joined, or before.
static void expect_left(bool is_joined, const void *bytes, uint32_t size) {
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    if (is_joined) {
        lobby_net_fill(&net, 2);
    } else {
        net.nodes[0].is_deaf = true;
        ct_network_lobby_join(lobby(1), 0, "node:0", net.now);
        lobby_net_run(&net);
    }
    test_link_send(&net.nodes[0], lobby_peer(1), CT_NETWORK_LOBBY, true, bytes, size);
    lobby_net_run(&net);
    expect_failed(1, CT_NETWORK_REASON_BROKEN);
}

// A packet with a kind, a peer, a number (negative: none) and texts (NULL: none).
static uint32_t write_packet(uint8_t *bytes, uint32_t kind, ct_peer_id peer, int32_t number,
                             const char *key, const char *value) {
    uint32_t at = 0;
    bytes[at++] = (uint8_t)kind;
    memcpy(bytes + at, &peer, 8); // lowest first, as this machine has it
    at += 8;
    if (number >= 0)
        bytes[at++] = (uint8_t)number;
    for (uint32_t i = 0; i < 2; ++i) {
        const char *const text = i ? value : key;
        const size_t size = text ? strlen(text) : 0;
        if (!text)
            continue;
        bytes[at++] = (uint8_t)size;
        memcpy(bytes + at, text, size);
        at += (uint32_t)size;
    }
    return at;
}

static void leaves_a_host_whose_fields_are_out_of_range(void **state) {
    (void)state;
    char key[33];
    memset(key, 'k', 32);
    key[32] = 0;
    const struct {
        uint32_t kind;
        ct_peer_id peer;
        int32_t number;
        const char *key, *value;
    } cases[] = {
        {0, 1, -1, NULL, NULL},
        {8, 1, -1, NULL, NULL},
        {255, 1, -1, NULL, NULL},
        {3, 0, -1, NULL, "node:2"},                             // member 0
        {3, lobby_peer(0), -1, NULL, "node:0"},                 // one that is there
        {5, lobby_peer(0), CT_NETWORK_REASONS, NULL, NULL},     // an unknown reason
        {5, lobby_peer(5), CT_NETWORK_REASON_LEFT, NULL, NULL}, // of no member
        {5, lobby_peer(1), CT_NETWORK_REASON_LEFT, NULL, NULL}, // itself
        {6, lobby_peer(5), -1, "k", "v"},                       // of no member
        {6, lobby_peer(0), -1, "", "v"},
        {6, lobby_peer(0), -1, key, "v"},
        {6, lobby_peer(0), -1, "k", "\x7f"},
        {6, lobby_peer(0), -1, "\xc0\x80", "v"},
        {7, lobby_peer(5), -1, NULL, NULL}, // no member
    };
    uint8_t bytes[512];
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        expect_left(true, bytes,
                    write_packet(bytes, cases[i].kind, cases[i].peer, cases[i].number, cases[i].key,
                                 cases[i].value));
    expect_left(true, "\x02\0\0\x04", 4); // a second welcome
    expect_left(true, "\x04", 1);         // ready a second time
    expect_left(false, "\x02\0\0\x01", 4);
    expect_left(false, "\x02\0\0\x41", 4);
    expect_left(false, "\x04", 1);
    expect_left(false, bytes, write_packet(bytes, 3, lobby_peer(1), -1, NULL, "node:1"));
    // As many members and keys as there may be, but no more.
    for (uint32_t more = 0; more < 2; ++more) {
        test_network_free(&net);
        lobby_net_begin(&net, 4);
        lobby_net_fill(&net, 2);
        for (uint32_t i = 0; i < 2 + more; ++i)
            test_link_send(&net.nodes[0], lobby_peer(1), CT_NETWORK_LOBBY, true, bytes,
                           write_packet(bytes, 3, 900 + i, -1, NULL, "far"));
        lobby_net_run(&net);
        assert_int_equal(ct_network_lobby_state_of(lobby(1)),
                         more ? CT_NETWORK_LOBBY_FAILED : CT_NETWORK_LOBBY_JOINED);
        test_network_free(&net);
        lobby_net_begin(&net, 4);
        lobby_net_fill(&net, 2);
        for (uint32_t i = 0; i < CT_NETWORK_LOBBY_MAX_KEYS + more; ++i) {
            snprintf(key, sizeof(key), "%u", i);
            test_link_send(&net.nodes[0], lobby_peer(1), CT_NETWORK_LOBBY, true, bytes,
                           write_packet(bytes, 6, lobby_peer(0), -1, key, "v"));
        }
        lobby_net_run(&net);
        assert_int_equal(ct_network_lobby_state_of(lobby(1)),
                         more ? CT_NETWORK_LOBBY_FAILED : CT_NETWORK_LOBBY_JOINED);
    }
}

// Sends packets that set a value of node 1 for some seconds.
static void flood(uint32_t seconds, uint32_t per_second) {
    uint8_t bytes[64];
    for (uint32_t i = 0; i < seconds * 10; ++i) {
        for (uint32_t k = 0; k < per_second / 10; ++k)
            test_link_send(&net.nodes[1], lobby_peer(0), CT_NETWORK_LOBBY, true, bytes,
                           write_packet(bytes, 6, lobby_peer(1), -1, "k", k & 1 ? "a" : "b"));
        net.now += 0.1;
        lobby_net_run(&net);
    }
}

static void puts_out_what_floods(void **state) {
    (void)state;
    lobby_net_fill(&net, 3);
    flood(60, CT_NETWORK_LOBBY_PACKETS_PER_SECOND);
    assert_int_equal(ct_network_lobby_num_members(lobby(0)), 3);
    const uint64_t before = net.nodes[0].sent_packets;
    flood(5, 20 * CT_NETWORK_LOBBY_PACKETS_PER_SECOND);
    expect_failed(1, CT_NETWORK_REASON_BROKEN);
    assert_int_equal(ct_network_lobby_num_members(lobby(2)), 2);
    assert_in_range(net.nodes[0].sent_packets - before, 1900, 2200);
    // Leaving and joining between does not help.
    test_network_free(&net);
    lobby_net_begin(&net, 4);
    lobby_net_fill(&net, 3);
    net.nodes[1].is_deaf = true;
    uint8_t bytes[64];
    for (uint32_t i = 0; i < 3 && net.nodes[1].connection[0]; ++i) {
        flood(1, 1500);
        test_link_send(&net.nodes[1], lobby_peer(0), CT_NETWORK_LOBBY, true, bytes,
                       write_packet(bytes, 5, lobby_peer(1), CT_NETWORK_REASON_LEFT, NULL, NULL));
        test_link_send(&net.nodes[1], lobby_peer(0), CT_NETWORK_LOBBY, true, "\x01", 1);
        lobby_net_run(&net);
    }
    expect_failed(1, CT_NETWORK_REASON_BROKEN);
    assert_int_equal(ct_network_lobby_num_members(lobby(0)), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_see_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(data_reaches_all_members_and_late_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_data_of_others_and_what_is_too_long, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(lets_in_no_more_than_it_has_room_for, setup, teardown),
        cmocka_unit_test_setup_teardown(the_host_kicks_and_names_the_host_of_the_session, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_next_member_hosts_when_the_host_leaves, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_next_one_that_answers_hosts_when_the_host_is_lost,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(those_that_are_alone_or_do_not_come_are_out, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(waits_for_an_answer_unless_timeouts_are_off, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(puts_out_what_does_not_keep_to_the_protocol, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(leaves_a_host_that_does_not_keep_to_the_protocol, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(leaves_a_host_whose_fields_are_out_of_range, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(puts_out_what_floods, setup, teardown),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
