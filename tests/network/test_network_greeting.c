// Greetings and ends of sessions that are not of the protocol: a transport of the test's own, with the
// password, sends what it likes to a network.
#include "foundation/error.h"
#include "foundation/log.h"
#include "network/fields/network_difference.h"
#include "network/network.h"
#include "support/network_config.h"
#include <string.h>

#define MS UINT64_C(1000000)
static const ct_datagram_address host_at = {1, 7000}, stranger_at = {2, 7000};
enum { HOST = 100, STRANGER = 200 };

static ct_network_config_resource *config;
static ct_network_wire_net *net;
static ct_network_wire *host_wire, *wire;
static ct_network *host;
static ct_network_transport *stranger;
static ct_network_link link;
static ct_network_reason ended; // why the stranger's connection has ended
static uint32_t num_packets;    // that it got
static ct_peer_id self;         // another one at each meeting, so that logs are not the same
static uint64_t now;
static char logged[4096];

static void keep_log(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    strncat(logged, message, sizeof(logged) - strlen(logged) - 1);
}

static void run(uint32_t ms) {
    for (uint32_t i = 0; i < ms; i += 10) {
        now += 10 * MS;
        ct_network_update(host, now);
        ct_network_transmit(host, now);
        ct_network_transport_update(stranger, now);
        ct_network_transport_event event;
        while (ct_network_transport_next(stranger, &event)) {
            num_packets += event.kind == CT_NETWORK_TRANSPORT_PACKET;
            if (event.kind == CT_NETWORK_TRANSPORT_DISCONNECTED)
                ended = event.reason;
        }
        ct_network_transport_flush(stranger);
    }
}

static int setup(void **state) {
    (void)state;
    ct_error error;
    now = 1000 * MS;
    self = self ? self : STRANGER;
    config = test_network_config(&(ct_network_config_desc){0});
    net = ct_network_wire_net_create(test_heap());
    host_wire = ct_network_wire_in_net(net, host_at, &error);
    wire = ct_network_wire_in_net(net, stranger_at, &error);
    host = ct_network_create(
        &(ct_network_desc){
            .allocator = test_heap(), .config = config, .wire = host_wire, .self = HOST},
        &error);
    stranger = NULL;
    ct_log_add_sink(&(ct_log_sink){.write = keep_log, .least = CT_LOG_LEVEL_WARNING});
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ct_log_remove_sink(keep_log, NULL);
    ct_network_transport_destroy(stranger);
    ct_network_destroy(host);
    ct_network_wire_destroy(wire);
    ct_network_wire_destroy(host_wire);
    ct_network_wire_net_destroy(net);
    ct_free(test_heap(), config);
    return 0;
}

// The stranger connects; what it was before is gone.
static void meet(void) {
    if (stranger) {
        ct_network_transport_destroy(stranger);
        stranger = NULL;
        for (uint32_t i = 0; i < 20; ++i)
            ct_network_update(host, now += 10 * MS);
    }
    *logged = 0;
    ended = CT_NETWORK_REASON_NONE;
    num_packets = 0;
    stranger = ct_network_transport_create(
        &(ct_network_transport_desc){.allocator = test_heap(), .wire = wire, .self = ++self});
    link = ct_network_transport_link(stranger);
    ct_network_transport_connect(stranger, HOST, host_at);
    run(200);
    assert_int_equal(num_packets, 1); // the host's greeting
}

static void say(ct_network_channel channel, const void *bytes, uint32_t size) {
    link.send(link.data, HOST, channel, true, bytes, size);
}

static uint32_t write_hello(uint8_t hello[9], uint64_t hash) {
    hello[0] = 1;
    for (uint32_t i = 0; i < 8; ++i)
        hello[1 + i] = (uint8_t)(hash >> 8 * i);
    return 9;
}

static void greet(void) {
    uint8_t hello[9];
    say(CT_NETWORK_GREETING, hello, write_hello(hello, config->hash));
    run(100);
    assert_int_equal(ct_network_connections(host, NULL, 0), 1);
}

static void expect_put_out(ct_network_reason reason, const char *text) {
    run(300);
    assert_int_equal(ended, reason);
    assert_int_equal(ct_network_connections(host, NULL, 0), 0);
    assert_int_equal(ct_network_broken(host, self), reason);
    if (text && !strstr(logged, text))
        fail_msg("logged \"%s\", expected \"%s\"", logged, text);
}

static void greetings_that_are_none(void **state) {
    (void)state;
    uint8_t hello[10] = {0};
    write_hello(hello, config->hash);
    const struct {
        uint8_t first;
        uint32_t size;
    } cases[] = {{1, 0}, {1, 1}, {1, 8}, {1, 10}, {0, 9}, {3, 9}, {255, 9}, {2, 1}, {2, 9}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        meet();
        hello[0] = cases[i].first;
        say(CT_NETWORK_GREETING, hello, cases[i].size);
        expect_put_out(CT_NETWORK_REASON_BROKEN, "not of the protocol");
    }
    hello[0] = 1;
    meet();
    greet();
    say(CT_NETWORK_GREETING, hello, 9); // twice
    expect_put_out(CT_NETWORK_REASON_BROKEN, "not of the protocol");
}

static void summaries_that_are_none(void **state) {
    (void)state;
    uint8_t hello[9], summary[CT_NETWORK_SUMMARY_BYTES + 1] = {2};
    const uint32_t size =
        1 + ct_network_config_summary(config, summary + 1, CT_NETWORK_SUMMARY_BYTES);
    for (uint32_t cut = 2; cut < size; ++cut) { // parts of one
        meet();
        say(CT_NETWORK_GREETING, hello, write_hello(hello, config->hash + 1));
        say(CT_NETWORK_GREETING, summary, cut);
        run(300);
        assert_true(ended == CT_NETWORK_REASON_BROKEN || ended == CT_NETWORK_REASON_CONFIG);
        assert_int_equal(ct_network_connections(host, NULL, 0), 0);
    }
    meet();
    say(CT_NETWORK_GREETING, hello, write_hello(hello, config->hash + 1));
    run(100);
    say(CT_NETWORK_GREETING, hello, sizeof(hello)); // another one
    expect_put_out(CT_NETWORK_REASON_BROKEN, NULL);
    meet();
    say(CT_NETWORK_GREETING, hello, write_hello(hello, config->hash + 1));
    say(CT_NETWORK_GREETING, summary, size); // is the same after all
    expect_put_out(CT_NETWORK_REASON_CONFIG, NULL);
}

static void what_comes_before_a_greeting_is_bounded(void **state) {
    (void)state;
    static const uint8_t bytes[100000];
    meet();
    for (uint32_t i = 0; i < 6; ++i)
        say(CT_NETWORK_SESSION, bytes, sizeof(bytes));
    expect_put_out(CT_NETWORK_REASON_BROKEN, "too much before its greeting");
}

static void without_a_greeting_it_ends(void **state) {
    (void)state;
    meet();
    run(9000);
    assert_int_equal(ended, CT_NETWORK_REASON_NONE);
    assert_int_equal(ct_network_connections(host, NULL, 0), 0);
    run(1000);
    expect_put_out(CT_NETWORK_REASON_TIMEOUT, "does not greet");
}

// The ends of sessions that share a connection with a lobby.
static void ends_that_are_none(void **state) {
    (void)state;
    ct_error error;
    static const uint8_t packets[][4] = {{0xff, CT_NETWORK_REASONS, 1},
                                         {0xff, 255, 1},
                                         {0xff, 1, 1, 1},
                                         {0xff},
                                         {0xfe},
                                         {0xfe, 1, 1},
                                         {0xfd, 1, 1}};
    static const uint32_t sizes[] = {3, 3, 4, 1, 1, 3, 3};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        assert_true(ct_network_create_session(host, &(ct_network_session_desc){0}, &error));
        assert_true(
            ct_network_session_host(ct_network_session_of(host), (double)now * 1e-9, &error));
        meet();
        greet();
        say(CT_NETWORK_SESSION, packets[i], sizes[i]);
        run(300);
        // Before it asks to join, it is not heard; the session goes on.
        assert_int_equal(ct_network_session_state_of(ct_network_session_of(host)),
                         CT_NETWORK_SESSION_IN);
        assert_int_equal(
            ct_network_session_peers(ct_network_session_of(host), CT_NETWORK_PEERS_ALL, NULL, 0),
            1);
        ct_network_destroy_session(host);
    }
    // An end, and an answer to none, of a session that is not there: nothing happens.
    meet();
    greet();
    say(CT_NETWORK_SESSION, (const uint8_t[]){0xff, 1, 7}, 3);
    say(CT_NETWORK_SESSION, (const uint8_t[]){0xfe, 9}, 2);
    run(300);
    assert_int_equal(ct_network_connections(host, NULL, 0), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(greetings_that_are_none, setup, teardown),
        cmocka_unit_test_setup_teardown(what_comes_before_a_greeting_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_greeting_it_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(ends_that_are_none, setup, teardown),
        // Last: it logs more than the log takes in a second.
        cmocka_unit_test_setup_teardown(summaries_that_are_none, setup, teardown),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
