// test_network_discovery.c: lobbies are found on a net of arrays; strange questions and answers.
#include "foundation/error.h"
#include "network/lobby/lobby_fixture.h"
#include "network/lobby/network_discovery.h"
#include <string.h>

enum { LOBBY_PORT = 4000, GAME_PORT = 5000 };
#define MS UINT64_C(1000000)

static test_network lobbies;
static ct_network_wire_net *net;
static ct_network_wire *wires[3]; // of two announcers and the browser
static ct_network_announcer *announcers[2];
static ct_network_browser *browser;
static uint64_t now;

static ct_network_wire *make_wire(uint32_t ip, uint16_t port) {
    ct_error error;
    ct_network_wire *const wire =
        ct_network_wire_in_net(net, (ct_datagram_address){.ip = ip, .port = port}, &error);
    assert_non_null(wire);
    return wire;
}

static int setup(void **state) {
    (void)state;
    now = 1000 * MS;
    lobby_net_begin(&lobbies, 4);
    net = ct_network_wire_net_create(test_heap());
    for (uint32_t i = 0; i < 2; ++i) {
        wires[i] = make_wire(10 + i, LOBBY_PORT);
        announcers[i] = ct_network_announcer_create(test_heap(), wires[i],
                                                    (uint16_t)(GAME_PORT + i), false, 77 + i);
        ct_network_lobby_host(lobbies.nodes[i].lobby);
    }
    wires[2] = make_wire(20, 6000);
    browser = ct_network_browser_create(test_heap(), wires[2], 77);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ct_network_browser_destroy(browser);
    for (uint32_t i = 0; i < 2; ++i)
        ct_network_announcer_destroy(announcers[i]);
    for (uint32_t i = 0; i < 3; ++i)
        ct_network_wire_destroy(wires[i]);
    ct_network_wire_net_destroy(net);
    test_network_free(&lobbies);
    return 0;
}

static void run(uint32_t ms) {
    for (uint32_t i = 0; i < ms; i += 10) {
        now += 10 * MS;
        for (uint32_t k = 0; k < 2; ++k)
            ct_network_announcer_update(announcers[k], lobbies.nodes[k].lobby, now);
        ct_network_browser_update(browser, now);
    }
}

static void finds_each_lobby_once_with_its_data(void **state) {
    (void)state;
    ct_error error;
    assert_true(ct_network_lobby_set_data(lobbies.nodes[1].lobby, 0, "map", "yard", &error));
    assert_true(ct_network_lobby_set_data(lobbies.nodes[1].lobby, 0, "mode", "duel", &error));
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    assert_true(ct_network_browser_is_refreshing(browser));
    run(900);
    assert_true(ct_network_browser_is_refreshing(browser));
    run(200);
    assert_false(ct_network_browser_is_refreshing(browser));
    assert_int_equal(ct_network_browser_count(browser), 2);
    const ct_network_lobby_info *const first = ct_network_browser_lobby(browser, 0);
    const ct_network_lobby_info *const second = ct_network_browser_lobby(browser, 1);
    assert_null(ct_network_browser_lobby(browser, 2));
    assert_true(first->host == lobby_peer(0) && second->host == lobby_peer(1));
    assert_string_equal(first->address, "0.0.0.10:5000");
    assert_string_equal(second->address, "0.0.0.11:5001");
    assert_true(first->has_same_config);
    assert_false(second->has_same_config);
    assert_int_equal(second->num_members, 1);
    assert_int_equal(second->max_members, 4);
    assert_int_equal(first->num_pairs, 0);
    assert_int_equal(second->num_pairs, 2);
    assert_string_equal(second->pairs[0].key, "map");
    assert_string_equal(second->pairs[1].value, "duel");
    // The next list shows what has changed, and no lobby that was left.
    assert_true(ct_network_lobby_set_data(lobbies.nodes[1].lobby, 0, "map", "hall", &error));
    ct_network_lobby_leave(lobbies.nodes[0].lobby);
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    assert_int_equal(ct_network_browser_count(browser), 0);
    run(500);
    assert_int_equal(ct_network_browser_count(browser), 1);
    assert_string_equal(ct_network_browser_lobby(browser, 0)->pairs[0].value, "hall");
}

static void asks_again_when_datagrams_get_lost(void **state) {
    (void)state;
    const ct_network_conditions lossy = {.loss_percent = 40};
    uint32_t found = 0;
    for (uint32_t i = 0; i < 3; ++i)
        ct_network_wire_set_conditions(wires[i], &lossy, 5 + i);
    for (uint32_t round = 0; round < 100; ++round) {
        ct_network_browser_refresh(browser, LOBBY_PORT, now);
        run(1100);
        found += ct_network_browser_count(browser);
    }
    // A question and its answer both arrive in 36 of 100; one of three such in 74.
    assert_in_range(found, 125, 170);
}

// A host that hangs for seconds, as when it loads a level, is found when it goes on.
static void takes_answers_that_come_late(void **state) {
    (void)state;
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    for (uint32_t i = 0; i < 500; ++i) {
        now += 10 * MS;
        ct_network_browser_update(browser, now);
    }
    assert_false(ct_network_browser_is_refreshing(browser));
    assert_int_equal(ct_network_browser_count(browser), 0);
    run(20);
    assert_int_equal(ct_network_browser_count(browser), 2);
    // Not those to an older question, nor after ten seconds.
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    ct_network_browser_refresh(browser, LOBBY_PORT + 1, now);
    run(100);
    assert_int_equal(ct_network_browser_count(browser), 0);
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    for (uint32_t i = 0; i < 1001; ++i) {
        now += 10 * MS;
        ct_network_browser_update(browser, now);
    }
    run(20);
    assert_int_equal(ct_network_browser_count(browser), 0);
}

static void cuts_data_that_does_not_fit(void **state) {
    (void)state;
    ct_error error;
    char value[CT_NETWORK_LOBBY_VALUE_BYTES];
    memset(value, 'x', sizeof(value));
    value[sizeof(value) - 1] = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        char key[8];
        snprintf(key, sizeof(key), "%u", i);
        assert_true(ct_network_lobby_set_data(lobbies.nodes[0].lobby, 0, key, value, &error));
    }
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    run(100);
    const ct_network_lobby_info *const info = ct_network_browser_lobby(browser, 0);
    assert_true(info->is_cut);
    assert_int_equal(info->num_pairs, 4);
    assert_false(ct_network_browser_lobby(browser, 1)->is_cut);
}

static void answers_few_questions_a_second(void **state) {
    (void)state;
    ct_network_wire *const stranger = make_wire(30, 6000);
    uint8_t question[CT_NETWORK_DISCOVERY_BYTES] = {'C', 't', 'l', 'Q', 1};
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    ct_datagram_address from;
    const ct_datagram_address to = {.ip = 10, .port = LOBBY_PORT};
    run(2000);
    for (uint32_t i = 0; i < 1000; ++i)
        ct_network_wire_send(stranger, now, to, question, sizeof(question));
    run(10);
    uint32_t answers = 0;
    while (ct_network_wire_receive(stranger, now, &from, bytes, sizeof(bytes)) >= 0)
        ++answers;
    assert_in_range(answers, 1, 21);
    // A question that is shorter than answers may be gets none.
    run(2000);
    ct_network_wire_send(stranger, now, to, question, sizeof(question) - 1);
    run(10);
    assert_int_equal(ct_network_wire_receive(stranger, now, &from, bytes, sizeof(bytes)), -1);
    ct_network_wire_destroy(stranger);
}

// A stranger's answer must repeat what was asked, and be whole.
static void takes_no_answers_of_strangers(void **state) {
    (void)state;
    ct_network_wire *const stranger = make_wire(30, LOBBY_PORT);
    const ct_datagram_address to = {.ip = 20, .port = 6000};
    ct_datagram_address from;
    uint8_t asked[CT_NETWORK_WIRE_BYTES];
    ct_network_lobby_leave(lobbies.nodes[0].lobby);
    ct_network_lobby_leave(lobbies.nodes[1].lobby);
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    now += MS;
    assert_int_equal(ct_network_wire_receive(stranger, now, &from, asked, sizeof(asked)),
                     CT_NETWORK_DISCOVERY_BYTES);
    uint8_t answer[34] = {'C', 't', 'l', 'A', 1};
    memcpy(answer + 5, asked + 5, 8);
    answer[13] = 9;                              // the host
    answer[29] = 1, answer[31] = answer[32] = 2; // port, members
    for (uint32_t wrong = 0; wrong < sizeof(answer); ++wrong) {
        uint8_t bytes[sizeof(answer)];
        memcpy(bytes, answer, sizeof(bytes));
        bytes[wrong] ^= 0x80;
        if (wrong < 13 || wrong > 30) // magic, version, nonce; members, end
            ct_network_wire_send(stranger, now, to, bytes, sizeof(bytes));
        if (wrong)
            ct_network_wire_send(stranger, now, to, answer, wrong);
    }
    ct_network_browser_update(browser, now);
    assert_int_equal(ct_network_browser_count(browser), 0);
    ct_network_wire_send(stranger, now, to, answer, sizeof(answer));
    ct_network_browser_update(browser, now);
    assert_int_equal(ct_network_browser_count(browser), 1);
    assert_string_equal(ct_network_browser_lobby(browser, 0)->address, "0.0.0.30:1");
    ct_network_wire_destroy(stranger);
}

// What floods announcer and browser takes no more of an update than its share.
static void floods_wait_for_the_next_updates(void **state) {
    (void)state;
    ct_network_wire *const stranger = make_wire(30, 6000);
    const ct_datagram_address at[2] = {{.ip = 10, .port = LOBBY_PORT}, {.ip = 20, .port = 6000}};
    uint8_t bytes[CT_NETWORK_DISCOVERY_BYTES] = {'C', 't', 'l', 'Q', 1};
    ct_network_browser_refresh(browser, LOBBY_PORT, now);
    for (uint32_t i = 0; i < 5000; ++i)
        for (uint32_t k = 0; k < 2; ++k)
            ct_network_wire_send(stranger, now, at[k], bytes, sizeof(bytes));
    ct_network_announcer_update(announcers[0], lobbies.nodes[0].lobby, now);
    ct_network_browser_update(browser, now);
    assert_in_range(ct_network_wire_stats_of(wires[0]).datagrams_received, 1000, 1100);
    assert_in_range(ct_network_wire_stats_of(wires[2]).datagrams_received, 1000, 1100);
    run(1000);
    assert_int_equal(ct_network_browser_count(browser), 2);
    ct_network_wire_destroy(stranger);
}

// An answer of the browser's lobby with one key and value, as bytes.
static uint32_t write_answer(uint8_t *bytes, const uint8_t *asked, const char *key,
                             uint32_t key_bytes, const char *value, uint32_t value_bytes,
                             uint32_t count) {
    memset(bytes, 0, 33);
    memcpy(bytes, "CtlA\1", 5);
    memcpy(bytes + 5, asked + 5, 8);
    bytes[13] = 9;                            // the host
    bytes[29] = 1, bytes[31] = bytes[32] = 2; // port, members
    uint32_t at = 33;
    for (uint32_t i = 0; i < count; ++i) {
        bytes[at++] = 1;
        bytes[at++] = (uint8_t)key_bytes;
        memcpy(bytes + at, key, key_bytes);
        at += key_bytes;
        bytes[at++] = (uint8_t)value_bytes;
        memcpy(bytes + at, value, value_bytes);
        at += value_bytes;
    }
    bytes[at++] = 0;
    return at;
}

static void takes_answers_within_their_limits_only(void **state) {
    (void)state;
    char text[300];
    memset(text, 'x', sizeof(text));
    const struct {
        const char *key, *value;
        uint32_t key_bytes, value_bytes, count;
        bool is_taken;
    } cases[] = {
        {text, text, CT_NETWORK_LOBBY_KEY_BYTES - 1, CT_NETWORK_LOBBY_VALUE_BYTES - 1, 1, true},
        {"k", "", 1, 0, CT_NETWORK_LOBBY_MAX_KEYS, true},
        {text, "v", CT_NETWORK_LOBBY_KEY_BYTES, 1, 1, false},
        {"", "v", 0, 1, 1, false},
        {"k", "v", 1, 1, CT_NETWORK_LOBBY_MAX_KEYS + 1, false},
        {"a\0b", "v", 3, 1, 1, false},
        {"k", "\x1b[2J", 1, 4, 1, false},
        {"k", "\xff", 1, 1, 1, false},
    };
    ct_network_wire *const stranger = make_wire(30, LOBBY_PORT);
    ct_network_lobby_leave(lobbies.nodes[0].lobby);
    ct_network_lobby_leave(lobbies.nodes[1].lobby);
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        uint8_t asked[CT_NETWORK_WIRE_BYTES], bytes[CT_NETWORK_WIRE_BYTES];
        ct_datagram_address from;
        ct_network_browser_refresh(browser, LOBBY_PORT, now);
        now += MS;
        ct_network_wire_receive(stranger, now, &from, asked, sizeof(asked));
        const uint32_t size = write_answer(bytes, asked, cases[i].key, cases[i].key_bytes,
                                           cases[i].value, cases[i].value_bytes, cases[i].count);
        ct_network_wire_send(stranger, now, (ct_datagram_address){.ip = 20, .port = 6000}, bytes,
                             size);
        ct_network_browser_update(browser, now);
        assert_int_equal(ct_network_browser_count(browser), cases[i].is_taken);
        bytes[31] = 65, bytes[32] = 65; // members
        ct_network_browser_refresh(browser, LOBBY_PORT, now);
        now += MS;
        ct_network_wire_receive(stranger, now, &from, asked, sizeof(asked));
        memcpy(bytes + 5, asked + 5, 8);
        ct_network_wire_send(stranger, now, (ct_datagram_address){.ip = 20, .port = 6000}, bytes,
                             size);
        ct_network_browser_update(browser, now);
        assert_int_equal(ct_network_browser_count(browser), 0);
    }
    ct_network_wire_destroy(stranger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_each_lobby_once_with_its_data, setup, teardown),
        cmocka_unit_test_setup_teardown(asks_again_when_datagrams_get_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_answers_that_come_late, setup, teardown),
        cmocka_unit_test_setup_teardown(cuts_data_that_does_not_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(answers_few_questions_a_second, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_no_answers_of_strangers, setup, teardown),
        cmocka_unit_test_setup_teardown(floods_wait_for_the_next_updates, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_answers_within_their_limits_only, setup, teardown),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
