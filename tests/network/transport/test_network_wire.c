#include "foundation/error.h"
#include "foundation/os/os.h"
#include "network/transport/network_wire.h"
#include "support/test_support.h"

#include <string.h>

static const uint64_t ms = 1000000;

typedef struct pair {
    ct_network_wire_net *net;
    ct_network_wire *a, *b;
} pair;

static ct_datagram_address at(uint32_t ip, uint16_t port) {
    return (ct_datagram_address){.ip = ip, .port = port};
}

static pair make_pair(const char *conditions, uint64_t seed) {
    ct_error error = {0};
    ct_network_conditions c = {0};
    pair p = {.net = ct_network_wire_net_create(test_heap())};
    p.a = ct_network_wire_in_net(p.net, at(1, 10), &error);
    p.b = ct_network_wire_in_net(p.net, at(2, 10), &error);
    assert_true(ct_network_conditions_parse(conditions, &c, &error));
    ct_network_wire_set_conditions(p.a, &c, seed);
    return p;
}

static void end_pair(const pair *p) {
    ct_network_wire_destroy(p->a);
    ct_network_wire_destroy(p->b);
    ct_network_wire_net_destroy(p->net);
}

static void send_number(const pair *p, uint64_t now, uint32_t number) {
    ct_network_wire_send(p->a, now, at(2, 10), &number, sizeof(number));
}

// The next number that has come to b, or -1.
static int64_t next_number(const pair *p, uint64_t now) {
    uint32_t number = 0;
    ct_datagram_address from;
    const int64_t size = ct_network_wire_receive(p->b, now, &from, &number, sizeof(number));
    if (size < 0)
        return -1;
    assert_int_equal(size, sizeof(number));
    assert_true(ct_datagram_address_equal(from, at(1, 10)));
    return number;
}

static void arrives_at_once_and_in_order(void **state) {
    (void)state;
    const pair p = make_pair("none", 0);
    for (uint32_t i = 0; i < 100; ++i)
        send_number(&p, 7, i);
    for (uint32_t i = 0; i < 100; ++i)
        assert_int_equal(next_number(&p, 7), i);
    assert_int_equal(next_number(&p, 7), -1);
    assert_int_equal(ct_network_wire_stats_of(p.b).datagrams_received, 100);
    assert_int_equal(ct_network_wire_socket(p.a), -1);
    end_pair(&p);
}

static void delay_and_jitter_are_kept(void **state) {
    (void)state;
    const pair p = make_pair("delay=80ms,jitter=20ms", 5);
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < 500; ++i) {
        const uint64_t sent = i * 200 * ms;
        send_number(&p, sent, i);
        uint64_t now = sent;
        while (next_number(&p, now) < 0)
            now += ms / 10;
        least = now - sent < least ? now - sent : least;
        most = now - sent > most ? now - sent : most;
    }
    assert_in_range(least, 80 * ms, 82 * ms);
    assert_in_range(most, 98 * ms, 100 * ms + ms / 10);
    end_pair(&p);
}

static uint32_t count_coming(const pair *p, uint64_t now) {
    uint32_t count = 0;
    while (next_number(p, now) >= 0)
        ++count;
    return count;
}

static void rates_are_kept(void **state) {
    (void)state;
    const pair lossy = make_pair("loss=5%", 1), doubling = make_pair("duplicate=10%", 1);
    for (uint32_t i = 0; i < 10000; ++i) {
        send_number(&lossy, i, i);
        send_number(&doubling, i, i);
    }
    assert_in_range(count_coming(&lossy, 1000 * ms), 9400, 9600);
    assert_in_range(ct_network_wire_stats_of(lossy.a).lost, 400, 600);
    assert_in_range(count_coming(&doubling, 1000 * ms), 10850, 11150);
    end_pair(&lossy);
    end_pair(&doubling);
}

static void reordered_ones_are_passed(void **state) {
    (void)state;
    const pair p = make_pair("delay=5ms,reorder=2%", 9);
    uint32_t late = 0;
    int64_t newest = -1;
    for (uint32_t i = 0; i < 5000; ++i) {
        send_number(&p, i * ms, i);
        for (int64_t n; (n = next_number(&p, i * ms)) >= 0; newest = n > newest ? n : newest)
            late += n < newest;
    }
    assert_in_range(late, 60, 140);
    end_pair(&p);
}

static void bandwidth_is_kept_and_its_queue_ends(void **state) {
    (void)state;
    const pair p = make_pair("bandwidth=10k", 1);
    uint8_t bytes[1000] = {0};
    ct_datagram_address from;
    for (uint32_t i = 0; i < 100; ++i)
        ct_network_wire_send(p.a, 0, at(2, 10), bytes, sizeof(bytes));
    uint32_t count = 0;
    for (uint64_t now = 0; now <= 500 * ms; now += ms)
        count += ct_network_wire_receive(p.b, now, &from, bytes, sizeof(bytes)) > 0;
    assert_int_equal(count, 5);
    while (ct_network_wire_receive(p.b, 9000 * ms, &from, bytes, sizeof(bytes)) > 0)
        ++count;
    assert_in_range(count, 10, 12);
    assert_int_equal(ct_network_wire_stats_of(p.a).lost, 100 - count);
    end_pair(&p);
}

// A hash of what comes when.
static uint64_t course_of(uint64_t seed) {
    const pair p = make_pair("loss=10%,delay=10ms,jitter=30ms,duplicate=5%,reorder=5%", seed);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        send_number(&p, i * ms, i);
        for (int64_t n; (n = next_number(&p, i * ms)) >= 0;)
            hash = hash * 31 + (uint64_t)n + i;
    }
    end_pair(&p);
    return hash;
}

static void seeds_decide(void **state) {
    (void)state;
    assert_true(course_of(1) == course_of(1));
    assert_true(course_of(1) != course_of(2));
}

static void conditions_change_at_any_time(void **state) {
    (void)state;
    const pair p = make_pair("delay=50ms", 1);
    send_number(&p, 0, 1);
    ct_network_wire_set_conditions(p.a, NULL, 0);
    send_number(&p, 10 * ms, 2);
    assert_int_equal(next_number(&p, 10 * ms), 2);
    assert_int_equal(next_number(&p, 49 * ms), -1);
    assert_int_equal(next_number(&p, 50 * ms), 1);
    assert_int_equal(ct_network_wire_conditions(p.a)->delay_ns, 0);
    end_pair(&p);
}

static void broadcasts_reach_all_others_of_the_port(void **state) {
    (void)state;
    const pair p = make_pair("none", 1);
    ct_error error = {0};
    ct_network_wire *const c = ct_network_wire_in_net(p.net, at(3, 11), &error);
    ct_network_wire *const d = ct_network_wire_in_net(p.net, at(4, 10), &error);
    ct_network_wire_send(p.a, 1, at(CT_DATAGRAM_IP_BROADCAST, 10), "x", 1);
    ct_network_wire_send(p.a, 1, at(99, 10), "x", 1); // nowhere
    char bytes[4];
    ct_datagram_address from;
    assert_int_equal(ct_network_wire_receive(p.b, 1, &from, bytes, 4), 1);
    assert_int_equal(ct_network_wire_receive(d, 1, &from, bytes, 4), 1);
    assert_int_equal(ct_network_wire_receive(d, 1, &from, bytes, 4), -1);
    assert_int_equal(ct_network_wire_receive(c, 1, &from, bytes, 4), -1);
    assert_int_equal(ct_network_wire_receive(p.a, 1, &from, bytes, 4), -1);
    ct_network_wire_destroy(c);
    ct_network_wire_destroy(d);
    end_pair(&p);
}

static void addresses_of_a_net_are_checked(void **state) {
    (void)state;
    const pair p = make_pair("none", 1);
    ct_error error = {0};
    assert_null(ct_network_wire_in_net(p.net, at(1, 10), &error));
    assert_string_equal(error.message, "the net has a wire at 0.0.0.1:10: pick another address");
    assert_null(ct_network_wire_in_net(p.net, at(0, 0), &error));
    assert_string_equal(error.message,
                        "a wire cannot be at 0.0.0.0:0: pick an address of one machine");
    end_pair(&p);
}

static void what_is_too_long_is_dropped(void **state) {
    (void)state;
    const pair p = make_pair("none", 1);
    ct_network_wire_send(p.a, 1, at(2, 10), "long text", 9);
    send_number(&p, 1, 5);
    assert_int_equal(next_number(&p, 1), 5);
    assert_int_equal(ct_network_wire_stats_of(p.b).oversized, 1);
    end_pair(&p);
}

static void sockets_hold_back_what_conditions_delay(void **state) {
    (void)state;
    ct_error error = {0};
    const ct_datagram_desc desc = {.address = {.ip = CT_DATAGRAM_IP_LOOPBACK}};
    ct_network_wire *const a = ct_network_wire_open(test_heap(), &desc, &error);
    ct_network_wire *const b = ct_network_wire_open(test_heap(), &desc, &error);
    assert_non_null(a);
    assert_non_null(b);
    ct_network_wire_set_conditions(a, &(ct_network_conditions){.delay_ns = 50 * ms}, 1);
    ct_network_wire_send(a, 0, ct_network_wire_address(b), "late", 4);
    ct_network_wire_set_conditions(a, NULL, 1);
    ct_network_wire_send(a, 0, ct_network_wire_address(b), "now", 3);
    char bytes[8];
    ct_datagram_address from;
    bool readable = false;
    const int socket = ct_network_wire_socket(b);
    ct_socket_wait(&socket, 1, &readable, 1000 * ms);
    assert_int_equal(ct_network_wire_receive(b, 0, &from, bytes, 8), 3);
    assert_int_equal(ct_network_wire_receive(b, 0, &from, bytes, 8), -1);
    ct_network_wire_pump(a, 50 * ms);
    ct_socket_wait(&socket, 1, &readable, 1000 * ms);
    assert_int_equal(ct_network_wire_receive(b, 0, &from, bytes, 8), 4);
    assert_true(ct_datagram_address_equal(from, ct_network_wire_address(a)));
    ct_network_wire_set_conditions(a, &(ct_network_conditions){.delay_ns = 50 * ms}, 1);
    ct_network_wire_send(a, 0, ct_network_wire_address(b), "never", 5); // is held when it ends
    ct_network_wire_destroy(a);
    ct_network_wire_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrives_at_once_and_in_order),
        cmocka_unit_test(delay_and_jitter_are_kept),
        cmocka_unit_test(rates_are_kept),
        cmocka_unit_test(reordered_ones_are_passed),
        cmocka_unit_test(bandwidth_is_kept_and_its_queue_ends),
        cmocka_unit_test(seeds_decide),
        cmocka_unit_test(conditions_change_at_any_time),
        cmocka_unit_test(broadcasts_reach_all_others_of_the_port),
        cmocka_unit_test(addresses_of_a_net_are_checked),
        cmocka_unit_test(what_is_too_long_is_dropped),
        cmocka_unit_test(sockets_hold_back_what_conditions_delay),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
