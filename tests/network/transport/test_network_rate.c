// Bandwidths that adapt: the arithmetic, and over simulated links.
#include "network/transport/network_rate.h"
#include "network/transport/nodes.h"

// --- The arithmetic ------------------------------------------------------------------------------

// Half a second in which all of the rate was used.
static void adapt(ct_network_rate *rate, double sent, double lost, double round_trip) {
    ct_network_rate_adapt(rate,
                          &(ct_network_rate_sample){.seconds = 0.5,
                                                    .used_bytes = rate->bytes * 0.5,
                                                    .allowed = rate->bytes,
                                                    .sent = sent,
                                                    .lost = lost,
                                                    .round_trip = round_trip},
                          1000, 100000);
}

static void grows_to_the_most_while_it_is_used(void **state) {
    (void)state;
    ct_network_rate rate;
    ct_network_rate_start(&rate, 20000);
    for (uint32_t i = 0; i < 20; ++i)
        ct_network_rate_adapt(
            &rate, &(ct_network_rate_sample){.seconds = 0.5, .used_bytes = 100, .allowed = 20000},
            1000, 100000);
    assert_true(rate.bytes == 20000);
    for (uint32_t i = 0; i < 50; ++i)
        adapt(&rate, 5, 0, 0.08);
    assert_true(rate.bytes == 100000);
}

static void falls_to_the_least_when_packets_get_lost(void **state) {
    (void)state;
    ct_network_rate rate;
    ct_network_rate_start(&rate, 20000);
    adapt(&rate, 2, 1, 0.08); // one of two says little
    assert_true(rate.bytes >= 20000);
    ct_network_rate_start(&rate, 20000);
    for (uint32_t i = 0; i < 100; ++i)
        adapt(&rate, 20, 1, 0.08); // 5 %
    assert_true(rate.bytes == 20000);
    for (uint32_t i = 0; i < 100; ++i)
        adapt(&rate, 20, 6, 0.08);
    assert_true(rate.bytes == 1000);
}

static void falls_when_the_round_trip_grows(void **state) {
    (void)state;
    ct_network_rate rate;
    ct_network_rate_start(&rate, 20000);
    adapt(&rate, 5, 0, 0.08);
    assert_true(rate.bytes > 20000);
    adapt(&rate, 5, 0, 0.2);
    const double fallen = rate.bytes;
    assert_true(fallen < 20000);
    adapt(&rate, 5, 0, 0.2); // waits for what that does
    assert_true(rate.bytes == fallen);
    adapt(&rate, 5, 0, 0.19); // it gets shorter
    adapt(&rate, 5, 0, 0.18);
    adapt(&rate, 5, 0, 0.17);
    assert_true(rate.bytes == fallen);
    adapt(&rate, 5, 0, 0.17);
    assert_true(rate.bytes < fallen);
    for (uint32_t i = 0; i < 200; ++i)
        adapt(&rate, 5, 0, 0.2); // a longer way, no queue
    assert_true(rate.bytes == 100000);
}

static void takes_what_cannot_be(void **state) {
    (void)state;
    ct_network_rate rate = {0};
    adapt(&rate, 0, 0, 0);
    assert_true(rate.bytes == 1000);
    adapt(&rate, 0, 1e9, -1);
    assert_true(rate.bytes == 1000);
    ct_network_rate_adapt(&rate, &(ct_network_rate_sample){0}, 5000, 2000);
    assert_true(rate.bytes == 5000);
}

// --- Over links ----------------------------------------------------------------------------------

static nodes n;

// Each step the host sends to all others what they have room for, but at most 2,000 bytes.
static void send_all(uint32_t seconds) {
    static const uint8_t bytes[400];
    for (uint32_t step = 0; step < seconds * 100; ++step) {
        const node *const host = &n.items[0];
        for (uint32_t i = 1; i < n.count; ++i)
            for (uint32_t k = 0; k < 5 && host->link.room(host->link.data, id_of(i)) >= 400; ++k)
                host->link.send(host->link.data, id_of(i), CT_NETWORK_STATE, false, bytes, 400);
        nodes_step(&n, STEP_MS);
        for (uint32_t i = 0; i < n.count; ++i)
            node_forget(&n.items[i]);
    }
}

static ct_network_peer_stats to_peer(uint32_t i) {
    ct_network_peer_stats stats = {0};
    assert_true(ct_network_transport_peer_stats(n.items[0].transport, id_of(i), &stats));
    return stats;
}

static void start(uint32_t num_clients, const ct_network_conditions *conditions) {
    nodes_start(&n);
    nodes_add(&n, NULL);
    for (uint32_t i = 1; i <= num_clients; ++i) {
        nodes_add(&n, NULL);
        nodes_connect(&n, i, 0);
    }
    for (uint32_t i = 0; i < n.count; ++i)
        ct_network_wire_set_conditions(n.items[i].wire, conditions, i);
}

static void follows_what_the_link_carries(void **state) {
    (void)state;
    ct_network_conditions narrow = {.delay_ns = 40000000, .bandwidth = 40000};
    start(1, &narrow);
    ct_network_transport_set_rates(n.items[0].transport, &(ct_network_rates){5000, 100000, 150000});
    assert_int_equal(to_peer(1).bandwidth, 100000);
    send_all(20);
    const uint64_t before = to_peer(1).bytes_out[CT_NETWORK_STATE];
    double worst = 0;
    for (uint32_t i = 0; i < 30; ++i) {
        send_all(1);
        assert_in_range(to_peer(1).bandwidth, 15000, 55000);
        worst = (double)to_peer(1).round_trip > worst ? (double)to_peer(1).round_trip : worst;
    }
    assert_in_range((to_peer(1).bytes_out[CT_NETWORK_STATE] - before) / 30, 25000, 38000);
    assert_true(worst < 0.4); // a full queue is a second
    ct_network_wire_set_conditions(n.items[0].wire, NULL, 0);
    send_all(30);
    assert_int_equal(to_peer(1).bandwidth, 150000);
    nodes_end(&n);
}

static void the_total_is_shared(void **state) {
    (void)state;
    const ct_network_conditions delay = {.delay_ns = 20000000};
    start(4, &delay);
    const ct_network_rates rates = {5000, 20000, 60000};
    ct_network_transport_set_rates(n.items[0].transport, &rates);
    send_all(20);
    uint64_t before = 0, after = 0;
    for (uint32_t i = 1; i <= 4; ++i)
        before += to_peer(i).bytes_out[CT_NETWORK_STATE];
    send_all(10);
    for (uint32_t i = 1; i <= 4; ++i) {
        after += to_peer(i).bytes_out[CT_NETWORK_STATE];
        assert_in_range(to_peer(i).bandwidth, 10000, 20000);
    }
    assert_in_range((after - before) / 10, 54000, 61000);
    // One that is left out has no limit, and takes nothing from the others.
    assert_true(ct_network_transport_set_adapting(n.items[0].transport, id_of(1), false));
    assert_false(ct_network_transport_set_adapting(n.items[0].transport, 99, false));
    send_all(10);
    assert_int_equal(to_peer(1).bandwidth, 0);
    assert_in_range(to_peer(2).bandwidth, 19000, 21000);
    // The least has precedence.
    ct_network_transport_set_rates(n.items[0].transport, &(ct_network_rates){30000, 30000, 60000});
    send_all(1);
    assert_int_equal(to_peer(4).bandwidth, 30000);
    ct_network_transport_set_rates(n.items[0].transport, NULL);
    assert_int_equal(to_peer(4).bandwidth, 0);
    nodes_end(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_to_the_most_while_it_is_used),
        cmocka_unit_test(falls_to_the_least_when_packets_get_lost),
        cmocka_unit_test(falls_when_the_round_trip_grows),
        cmocka_unit_test(takes_what_cannot_be),
        cmocka_unit_test(follows_what_the_link_carries),
        cmocka_unit_test(the_total_is_shared),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
