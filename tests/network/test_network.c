// test_network.c: whole networks in one process: greetings, lobby and session together, replays.
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "network/log/network_log.h"
#include "network/network.h"
#include "support/network_config.h"

enum { NODES = 3, PORT = 7000 };
#define MS UINT64_C(1000000)

static const ct_network_type_desc types[] = {
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100}};
static const ct_network_field_desc fields[] = {{.name = "health", .type = "health"}};
static const ct_network_field_desc other_fields[] = {{.name = "strength", .type = "health"}};
static const ct_network_record_desc objects[] = {
    {.name = "ball", .fields = fields, .num_fields = 1, .priority = 1}};
static const ct_network_record_desc other_objects[] = {
    {.name = "ball", .fields = other_fields, .num_fields = 1, .priority = 1}};

static ct_network_config_resource *config, *other_config;
static ct_network_wire_net *net;
static ct_network_wire *wires[NODES];
static ct_network *nodes[NODES];
static uint64_t now;
static char logged[4096];
static ct_network_log *network_log; // of node 1
static char log_path[512];

static void keep_log(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    strncat(logged, message, sizeof(logged) - strlen(logged) - 1);
}

static void make_node(uint32_t i, const char *password, const ct_network_config_resource *c) {
    ct_error error;
    wires[i] = ct_network_wire_in_net(net, (ct_datagram_address){i + 1, PORT}, &error);
    nodes[i] = ct_network_create(
        &(ct_network_desc){.allocator = test_heap(),
                           .config = c,
                           .wire = wires[i],
                           .self = i + 100,
                           .key = ct_network_key_of_token(password, (uint32_t)strlen(password)),
                           .tap = i == 1 ? ct_network_log_tap : NULL,
                           .tap_data = network_log,
                           .observer = {i == 1 ? ct_network_log_seen : NULL, network_log}},
        &error);
    assert_non_null(nodes[i]);
}

static void end_node(uint32_t i) {
    ct_network_destroy(nodes[i]);
    ct_network_wire_destroy(wires[i]);
    nodes[i] = NULL;
    wires[i] = NULL;
}

static int setup(void **state) {
    (void)state;
    now = 1000 * MS;
    *logged = 0;
    config = test_network_config(&(ct_network_config_desc){
        .types = types, .num_types = 1, .objects = objects, .num_objects = 1});
    other_config = test_network_config(&(ct_network_config_desc){
        .types = types, .num_types = 1, .objects = other_objects, .num_objects = 1});
    ct_error error;
    snprintf(log_path, sizeof(log_path), "%s/node.log", test_scratch_folder());
    network_log = ct_network_log_create(
        test_heap(), log_path, &(ct_network_log_head){.self = 101, .config_hash = config->hash},
        config, &error);
    assert_non_null(network_log);
    net = ct_network_wire_net_create(test_heap());
    for (uint32_t i = 0; i < NODES; ++i)
        make_node(i, "0123456789abcdef", config);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    for (uint32_t i = 0; i < NODES; ++i)
        end_node(i);
    ct_network_wire_net_destroy(net);
    ct_error error;
    assert_true(ct_network_log_end(network_log, &error));
    ct_free(test_heap(), config);
    ct_free(test_heap(), other_config);
    return 0;
}

static void run(uint32_t ms) {
    for (uint32_t i = 0; i < ms; i += 10) {
        now += 10 * MS;
        for (uint32_t k = 0; k < NODES; ++k)
            if (nodes[k]) {
                ct_network_update(nodes[k], now);
                ct_network_transmit(nodes[k], now);
            }
    }
}

static ct_datagram_address address_of(uint32_t i) {
    return (ct_datagram_address){i + 1, PORT};
}

static void members_of_a_lobby_join_its_session(void **state) {
    (void)state;
    ct_error error;
    run(10);
    assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
    assert_false(ct_network_host_lobby(nodes[0], 0, 4, &error));
    for (uint32_t i = 1; i < NODES; ++i)
        assert_true(ct_network_join_lobby(nodes[i], address_of(0), &error));
    run(1000);
    ct_network_lobby *const lobby = ct_network_lobby_of(nodes[2]);
    assert_int_equal(ct_network_lobby_state_of(lobby), CT_NETWORK_LOBBY_JOINED);
    assert_int_equal(ct_network_lobby_num_members(lobby), 3);
    // Another member than the lobby's host has the session.
    assert_true(ct_network_lobby_set_session_host(ct_network_lobby_of(nodes[0]), 101, &error));
    run(200);
    for (uint32_t i = 0; i < NODES; ++i)
        assert_true(ct_network_create_session(nodes[i], &(ct_network_session_desc){0}, &error));
    assert_true(
        ct_network_session_host(ct_network_session_of(nodes[1]), (double)now * 1e-9, &error));
    for (uint32_t i = 0; i < NODES; i += 2) {
        ct_network_lobby *const l = ct_network_lobby_of(nodes[i]);
        const ct_peer_id host = ct_network_lobby_session_host(l);
        assert_true(host == 101);
        assert_true(ct_network_session_join(ct_network_session_of(nodes[i]), host,
                                            ct_network_lobby_address(l, host), (double)now * 1e-9,
                                            &error));
    }
    run(1000);
    for (uint32_t i = 0; i < NODES; ++i)
        assert_int_equal(ct_network_session_state_of(ct_network_session_of(nodes[i])),
                         CT_NETWORK_SESSION_IN);
    const ct_network_object_id id =
        ct_network_session_create_object(ct_network_session_of(nodes[2]), 0, NULL, &error);
    assert_true(id != 0);
    run(200);
    assert_true(ct_network_session_set_field(
        ct_network_session_of(nodes[2]), id, 0, UINT32_MAX,
        &(ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = 42}, &error));
    run(500);
    const uint64_t hash = ct_network_session_state_hash(ct_network_session_of(nodes[2]));
    for (uint32_t i = 0; i < NODES; ++i) {
        const uint32_t *const words = ct_network_session_words(ct_network_session_of(nodes[i]), id);
        assert_non_null(words);
        assert_int_equal(
            ct_network_record_get(config, ct_network_config_objects(config), 0, UINT32_MAX, words)
                .integer,
            42);
        assert_true(ct_network_session_state_hash(ct_network_session_of(nodes[i])) == hash);
    }
    ct_peer_id peers[4];
    assert_int_equal(ct_network_connections(nodes[1], peers, 4), 2);
}

// Lets a node host or join a session of its own over the connections of the lobby.
static void begin_session(uint32_t i, ct_peer_id host) {
    ct_error error;
    assert_true(ct_network_create_session(nodes[i], &(ct_network_session_desc){0}, &error));
    ct_network_session *const s = ct_network_session_of(nodes[i]);
    if (host == ct_network_self(nodes[i]))
        assert_true(ct_network_session_host(s, (double)now * 1e-9, &error));
    else
        assert_true(ct_network_session_join(s, host, NULL, (double)now * 1e-9, &error));
}

static void the_lobby_stays_when_sessions_end(void **state) {
    (void)state;
    ct_error error;
    run(10);
    assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
    assert_true(ct_network_join_lobby(nodes[1], address_of(0), &error));
    run(500);
    for (uint32_t round = 0; round < 6; ++round) {
        begin_session(0, 100);
        begin_session(1, 100);
        run(round % 2 ? 500 : 30); // also before all of it has come
        assert_true(ct_network_session_create_object(ct_network_session_of(nodes[0]), 0, NULL,
                                                     &error) != 0);
        if (round % 2) {
            run(100);
            assert_int_equal(
                ct_network_session_objects(ct_network_session_of(nodes[1]), 0, NULL, 0), 1);
        }
        // The guest leaves and comes again, then the host ends it, at once or after a while.
        ct_network_destroy_session(nodes[1]);
        run(round < 3 ? 0 : 200);
        begin_session(1, 100);
        run(500);
        assert_int_equal(ct_network_session_state_of(ct_network_session_of(nodes[1])),
                         CT_NETWORK_SESSION_IN);
        assert_int_equal(ct_network_session_objects(ct_network_session_of(nodes[1]), 0, NULL, 0),
                         1);
        if (round % 3 == 0)
            assert_true(ct_network_session_kick(ct_network_session_of(nodes[0]), 101,
                                                CT_NETWORK_REASON_KICKED, (double)now * 1e-9));
        else
            ct_network_session_shut_down(ct_network_session_of(nodes[0]), (double)now * 1e-9);
        run(round % 2 ? 500 : 0);
        for (uint32_t i = 0; i < 2; ++i)
            ct_network_destroy_session(nodes[i]);
        run(round < 2 ? 300 : 0);
        for (uint32_t i = 0; i < 2; ++i)
            assert_int_equal(ct_network_lobby_num_members(ct_network_lobby_of(nodes[i])), 2);
    }
    run(500);
    assert_int_equal(ct_network_lobby_num_members(ct_network_lobby_of(nodes[1])), 2);
    assert_string_equal(logged, "");
}

// The host of both is gone, in order or not: another one hosts the lobby, and one the session.
static void lobby_and_session_go_on_without_their_host(void **state) {
    (void)state;
    for (uint32_t is_lost = 0; is_lost < 2; ++is_lost) {
        ct_error error;
        run(10);
        assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
        for (uint32_t i = 1; i < NODES; ++i)
            assert_true(ct_network_join_lobby(nodes[i], address_of(0), &error));
        run(500);
        for (uint32_t i = 0; i < NODES; ++i)
            begin_session(i, 100);
        run(500);
        assert_true(ct_network_session_create_object(ct_network_session_of(nodes[2]), 0, NULL,
                                                     &error) != 0);
        run(200);
        if (is_lost) { // it stops
            const ct_network_conditions lost = {.loss_percent = 100};
            ct_network_wire_set_conditions(wires[0], &lost, 0);
        }
        end_node(0);
        run(is_lost ? 16000 : 3000);
        for (uint32_t i = 1; i < NODES; ++i) {
            const ct_network_lobby *const l = ct_network_lobby_of(nodes[i]);
            const ct_network_session *const s = ct_network_session_of(nodes[i]);
            assert_int_equal(ct_network_lobby_state_of(l), CT_NETWORK_LOBBY_JOINED);
            assert_int_equal(ct_network_lobby_host_peer(l), 101);
            assert_int_equal(ct_network_lobby_num_members(l), 2);
            assert_int_equal(ct_network_session_state_of(s), CT_NETWORK_SESSION_IN);
            assert_int_equal(ct_network_session_objects(s, 0, NULL, 0), 1);
        }
        for (uint32_t i = 1; i < NODES; ++i) {
            ct_network_destroy_session(nodes[i]);
            ct_network_leave_lobby(nodes[i]);
        }
        make_node(0, "0123456789abcdef", config);
        run(500);
    }
}

static void another_config_is_named_and_refused(void **state) {
    (void)state;
    ct_error error;
    end_node(1);
    make_node(1, "0123456789abcdef", other_config);
    run(10);
    assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
    assert_true(ct_network_join_lobby(nodes[1], address_of(0), &error));
    run(2000);
    assert_non_null(strstr(logged, "another network_config"));
    assert_non_null(strstr(logged, "\"ball\""));
    assert_non_null(strstr(logged, "\"strength\""));
    ct_network_lobby *const lobby = ct_network_lobby_of(nodes[1]);
    assert_int_equal(ct_network_lobby_state_of(lobby), CT_NETWORK_LOBBY_FAILED);
    assert_int_equal(ct_network_lobby_reason(lobby), CT_NETWORK_REASON_CONFIG);
    assert_int_equal(ct_network_broken(nodes[1], 100), CT_NETWORK_REASON_CONFIG);
    assert_int_equal(ct_network_lobby_num_members(ct_network_lobby_of(nodes[0])), 1);
    assert_int_equal(ct_network_connections(nodes[0], NULL, 0), 0);
}

static void another_password_and_an_empty_address_fail(void **state) {
    (void)state;
    ct_error error;
    end_node(1);
    make_node(1, "fedcba9876543210", config);
    run(10);
    assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
    assert_true(ct_network_join_lobby(nodes[1], address_of(0), &error));
    assert_true(ct_network_join_lobby(nodes[2], (ct_datagram_address){9, PORT}, &error));
    run(12000);
    ct_network_lobby *lobby = ct_network_lobby_of(nodes[1]);
    assert_int_equal(ct_network_lobby_state_of(lobby), CT_NETWORK_LOBBY_FAILED);
    assert_int_equal(ct_network_lobby_reason(lobby), CT_NETWORK_REASON_PASSWORD);
    lobby = ct_network_lobby_of(nodes[2]);
    assert_int_equal(ct_network_lobby_state_of(lobby), CT_NETWORK_LOBBY_FAILED);
    assert_int_equal(ct_network_lobby_reason(lobby), CT_NETWORK_REASON_UNREACHED);
    // A lobby that failed is left, and another joined.
    ct_network_leave_lobby(nodes[2]);
    assert_true(ct_network_join_lobby(nodes[2], address_of(0), &error));
    run(1000);
    assert_int_equal(ct_network_lobby_state_of(ct_network_lobby_of(nodes[2])),
                     CT_NETWORK_LOBBY_JOINED);
}

static void one_switch_turns_all_timeouts_off(void **state) {
    (void)state;
    ct_error error;
    run(10);
    assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
    assert_true(ct_network_join_lobby(nodes[1], address_of(0), &error));
    assert_true(ct_network_join_lobby(nodes[2], (ct_datagram_address){9, PORT}, &error));
    run(500);
    for (uint32_t i = 0; i < NODES; ++i)
        ct_network_set_timeouts(nodes[i], false);
    const ct_network_conditions cut = {.loss_percent = 100};
    for (uint32_t i = 0; i < NODES; ++i)
        ct_network_simulate(nodes[i], &cut, 1);
    run(120000);
    assert_int_equal(ct_network_lobby_state_of(ct_network_lobby_of(nodes[1])),
                     CT_NETWORK_LOBBY_JOINED);
    assert_int_equal(ct_network_lobby_num_members(ct_network_lobby_of(nodes[0])), 2);
    assert_int_equal(ct_network_lobby_state_of(ct_network_lobby_of(nodes[2])),
                     CT_NETWORK_LOBBY_JOINING);
    for (uint32_t i = 0; i < NODES; ++i)
        ct_network_set_timeouts(nodes[i], true);
    run(30000);
    assert_int_equal(ct_network_lobby_state_of(ct_network_lobby_of(nodes[1])),
                     CT_NETWORK_LOBBY_FAILED);
    assert_int_equal(ct_network_lobby_num_members(ct_network_lobby_of(nodes[0])), 1);
    assert_int_equal(ct_network_lobby_state_of(ct_network_lobby_of(nodes[2])),
                     CT_NETWORK_LOBBY_FAILED);
}

// What node 1 does in the recording and in the replay, at the same times.
static void play_frame(ct_network *n, uint32_t frame, uint64_t at) {
    ct_error error;
    ct_network_update(n, at);
    if (frame == 0)
        assert_true(ct_network_join_lobby(n, address_of(0), &error));
    if (frame == 50) {
        assert_true(ct_network_create_session(n, &(ct_network_session_desc){0}, &error));
        assert_true(ct_network_session_join(ct_network_session_of(n), 100, NULL, (double)at * 1e-9,
                                            &error));
    }
    ct_network_session *const s = ct_network_session_of(n);
    if (frame == 100)
        assert_true(ct_network_session_create_object(s, 0, NULL, &error) != 0);
    ct_network_transmit(n, at);
}

static void a_replay_has_the_same_states(void **state) {
    (void)state;
    enum { FRAMES = 300 };
    ct_error error;
    uint64_t hashes[FRAMES];
    const ct_network_conditions bad = {
        .loss_percent = 5, .delay_ns = 30 * MS, .jitter_ns = 20 * MS};
    for (uint32_t i = 0; i < NODES; ++i)
        ct_network_simulate(nodes[i], &bad, 3 + i);
    ct_network_update(nodes[0], now);
    assert_true(ct_network_host_lobby(nodes[0], 0, 4, &error));
    assert_true(ct_network_create_session(nodes[0], &(ct_network_session_desc){0}, &error));
    ct_network_session *const host = ct_network_session_of(nodes[0]);
    assert_true(ct_network_session_host(host, (double)now * 1e-9, &error));
    const ct_network_object_id ball = ct_network_session_create_object(host, 0, NULL, &error);
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        const uint64_t at = 2000 * MS + frame * 10 * MS;
        ct_network_update(nodes[0], at);
        assert_true(ct_network_session_set_field(
            host, ball, 0, UINT32_MAX,
            &(ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = (int32_t)(frame / 3)},
            &error));
        ct_network_transmit(nodes[0], at);
        ct_network_log_frame(network_log, at, 0.01);
        play_frame(nodes[1], frame, at);
        ct_network_session *const s = ct_network_session_of(nodes[1]);
        hashes[frame] = s ? ct_network_session_state_hash(s) : 0;
    }
    assert_true(hashes[FRAMES - 1] != hashes[FRAMES - 10]);
    // What is in the file so far is whole.
    ct_network_log_reader reader;
    end_node(1);
    assert_true(ct_network_log_end(network_log, &error));
    network_log = NULL;
    assert_true(ct_network_log_open(test_heap(), log_path, &reader, &error));
    assert_true(reader.head.self == 101 && reader.head.config_hash == config->hash);
    ct_network *const replay = ct_network_create(&(ct_network_desc){.allocator = test_heap(),
                                                                    .config = config,
                                                                    .is_replay = true,
                                                                    .self = reader.head.self},
                                                 &error);
    assert_non_null(replay);
    ct_network_log_entry entry;
    assert_true(ct_network_log_next(&reader, &entry, &error));
    assert_int_equal(entry.kind, CT_NETWORK_LOG_CONFIG);
    bool has_more = ct_network_log_next(&reader, &entry, &error);
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        // A frame's mark, then what happened in it.
        assert_true(has_more && entry.kind == CT_NETWORK_LOG_FRAME);
        assert_true(entry.step_seconds == 0.01);
        const uint64_t at = entry.now_ns;
        while ((has_more = ct_network_log_next(&reader, &entry, &error)) &&
               entry.kind != CT_NETWORK_LOG_FRAME)
            if (ct_network_log_is_tap(&entry))
                ct_network_play(replay, &entry.tap);
        play_frame(replay, frame, at);
        ct_network_session *const s = ct_network_session_of(replay);
        assert_true((s ? ct_network_session_state_hash(s) : 0) == hashes[frame]);
    }
    assert_string_equal(error.message, "");
    ct_network_log_close(&reader);
    assert_int_equal(ct_network_transport_stats_of(ct_network_transport_of(replay)).divergences, 0);
    ct_network_destroy(replay);
}

static int group_setup(void **state) {
    if (test_group_setup(state) != 0)
        return -1;
    ct_log_add_sink(&(ct_log_sink){.write = keep_log, .least = CT_LOG_LEVEL_WARNING});
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_of_a_lobby_join_its_session, setup, teardown),
        cmocka_unit_test_setup_teardown(the_lobby_stays_when_sessions_end, setup, teardown),
        cmocka_unit_test_setup_teardown(lobby_and_session_go_on_without_their_host, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(another_config_is_named_and_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(another_password_and_an_empty_address_fail, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_switch_turns_all_timeouts_off, setup, teardown),
        cmocka_unit_test_setup_teardown(a_replay_has_the_same_states, setup, teardown),
    };
    return cmocka_run_group_tests(tests, group_setup, test_group_teardown);
}
