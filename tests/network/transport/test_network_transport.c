#include "network/transport/nodes.h"

#include "foundation/log.h"

static void packets_go_both_ways(void **state) {
    (void)state;
    nodes n;
    char text[64];
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    assert_true(last_event(host, CT_NETWORK_TRANSPORT_CONNECTED).is_incoming);
    assert_false(last_event(client, CT_NETWORK_TRANSPORT_CONNECTED).is_incoming);
    assert_true(send_text(client, id_of(0), CT_NETWORK_SESSION, "one"));
    assert_true(send_text(client, id_of(0), CT_NETWORK_SESSION, "two"));
    assert_true(send_text(host, id_of(1), CT_NETWORK_STATE, "three"));
    nodes_run(&n, 50);
    assert_string_equal(texts_of(host, text, sizeof(text)), "one,two");
    assert_string_equal(texts_of(client, text, sizeof(text)), "three");
    const ct_network_transport_event event = last_event(host, CT_NETWORK_TRANSPORT_PACKET);
    assert_int_equal(event.peer, id_of(1));
    assert_int_equal(event.channel, CT_NETWORK_SESSION);
    assert_true(event.is_reliable);
    char address[CT_NETWORK_ADDRESS_BYTES];
    assert_true(host->link.address(host->link.data, id_of(1), address));
    assert_string_equal(address, "10.0.0.2:4000");
    assert_false(host->link.address(host->link.data, id_of(9), address));
    assert_false(send_text(host, id_of(9), CT_NETWORK_SESSION, "nowhere"));
    nodes_end(&n);
}

static void connects_by_text_and_learns_the_peer(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    nodes_add(&n, NULL);
    node *const client = nodes_add(&n, NULL);
    client->link.connect(client->link.data, 0, "10.0.0.1:4000");
    nodes_run(&n, 300);
    assert_int_equal(last_event(client, CT_NETWORK_TRANSPORT_CONNECTED).peer, id_of(0));
    client->link.connect(client->link.data, id_of(0), "10.0.0.1:4000"); // it is
    nodes_run(&n, 300);
    assert_int_equal(client->seen.count, 1);
    client->link.connect(client->link.data, 0x77, "host.example");
    nodes_run(&n, 50);
    const ct_network_transport_event event = last_event(client, CT_NETWORK_TRANSPORT_DISCONNECTED);
    assert_int_equal(event.peer, 0x77);
    assert_int_equal(event.reason, CT_NETWORK_REASON_UNREACHED);
    nodes_end(&n);
}

// Node 1 with `client` connects to node 0 with `host`; returns why it could not.
static ct_network_reason refusal_of(const ct_network_transport_desc *host,
                                    const ct_network_transport_desc *client, ct_peer_id wanted,
                                    bool is_accepting) {
    nodes n;
    nodes_start(&n);
    node *const at_host = nodes_add(&n, host), *const at_client = nodes_add(&n, client);
    ct_network_transport_set_accepting(at_host->transport, is_accepting);
    ct_network_transport_connect(at_client->transport, wanted, address_of(0));
    nodes_run(&n, 6000);
    assert_int_equal(at_host->seen.count, 0);
    assert_int_equal(at_client->seen.count, 1);
    const ct_network_transport_event event =
        last_event(at_client, CT_NETWORK_TRANSPORT_DISCONNECTED);
    assert_int_equal(event.kind, CT_NETWORK_TRANSPORT_DISCONNECTED);
    assert_int_equal(event.peer, wanted);
    nodes_end(&n);
    return event.reason;
}

static void refusals_have_reasons(void **state) {
    (void)state;
    const ct_network_transport_desc none = {0};
    const ct_network_transport_desc red = {.key = ct_network_key_of_token("red", 3)};
    const ct_network_transport_desc blue = {.key = ct_network_key_of_token("blue", 4)};
    const ct_network_transport_desc newer = {.version = 2}, same = {.self = id_of(0)};
    assert_int_equal(refusal_of(&red, &blue, id_of(0), true), CT_NETWORK_REASON_PASSWORD);
    assert_int_equal(refusal_of(&red, &none, id_of(0), true), CT_NETWORK_REASON_PASSWORD);
    assert_int_equal(refusal_of(&none, &red, id_of(0), true), CT_NETWORK_REASON_PASSWORD);
    assert_int_equal(refusal_of(&newer, &none, id_of(0), true), CT_NETWORK_REASON_VERSION);
    assert_int_equal(refusal_of(&none, &newer, id_of(0), true), CT_NETWORK_REASON_VERSION);
    assert_int_equal(refusal_of(&none, &none, 0x99, true), CT_NETWORK_REASON_UNREACHED);
    assert_int_equal(refusal_of(&none, &none, id_of(0), false), CT_NETWORK_REASON_UNREACHED);
    assert_int_equal(refusal_of(&none, &same, 0, true), CT_NETWORK_REASON_BROKEN);
}

static void nobody_there_is_unreached(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const client = nodes_add(&n, &(ct_network_transport_desc){.connect_seconds = 2});
    ct_network_transport_connect(client->transport, 7, address_of(50));
    nodes_run(&n, 1900);
    assert_int_equal(client->seen.count, 0);
    nodes_run(&n, 200);
    assert_int_equal(last_event(client, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_UNREACHED);
    nodes_end(&n);
}

static void same_password_lets_in(void **state) {
    (void)state;
    const ct_network_transport_desc desc = {.key = ct_network_key_of_password("open sesame")};
    nodes n;
    nodes_start(&n);
    nodes_add(&n, &desc);
    nodes_add(&n, &desc);
    nodes_connect(&n, 1, 0);
    nodes_end(&n);
}

static void full_hosts_refuse(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, &(ct_network_transport_desc){.max_peers = 2});
    for (uint32_t i = 1; i <= 4; ++i)
        nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    nodes_connect(&n, 2, 0);
    ct_network_transport_connect(n.items[3].transport, id_of(0), address_of(0));
    nodes_run(&n, 300);
    assert_int_equal(last_event(&n.items[3], CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_FULL);
    ct_network_transport_connect(host->transport, id_of(4), address_of(4));
    nodes_run(&n, 300);
    assert_int_equal(last_event(host, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_FULL);
    // When one leaves, another can come.
    n.items[1].link.disconnect(n.items[1].link.data, id_of(0), CT_NETWORK_REASON_LEFT);
    nodes_run(&n, 300);
    nodes_connect(&n, 3, 0);
    nodes_end(&n);
}

static void disconnecting_sends_first_and_gives_the_reason(void **state) {
    (void)state;
    nodes n;
    char text[64];
    nodes_start(&n);
    n.conditions = (ct_network_conditions){.loss_percent = 20, .delay_ns = 30000000};
    n.seed = 3;
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    ct_network_transport_connect(client->transport, id_of(0), address_of(0));
    nodes_run(&n, 3000);
    send_text(host, id_of(1), CT_NETWORK_SESSION, "last");
    send_text(host, id_of(1), CT_NETWORK_SESSION, "words");
    host->link.disconnect(host->link.data, id_of(1), CT_NETWORK_REASON_KICKED);
    assert_false(send_text(host, id_of(1), CT_NETWORK_SESSION, "after"));
    nodes_run(&n, 4000);
    assert_string_equal(texts_of(client, text, sizeof(text)), "last,words");
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(count_events(&n.items[i], CT_NETWORK_TRANSPORT_DISCONNECTED), 1);
        assert_int_equal(last_event(&n.items[i], CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                         CT_NETWORK_REASON_KICKED);
    }
    nodes_end(&n);
}

static void connects_again_after_an_end(void **state) {
    (void)state;
    nodes n;
    char text[64];
    nodes_start(&n);
    for (uint32_t i = 0; i < 3; ++i)
        nodes_add(&n, NULL);
    for (uint32_t round = 0; round < 12; ++round) { // with each other, in turns
        const uint32_t from = round % 3, to = (from + 1 + round / 6) % 3;
        nodes_connect(&n, from, to);
        assert_true(send_text(&n.items[from], id_of(to), CT_NETWORK_SESSION, "again"));
        nodes_run(&n, 50);
        assert_string_equal(texts_of(&n.items[to], text, sizeof(text)), "again");
        const uint32_t ends = round % 2 ? from : to;
        n.items[ends].link.disconnect(n.items[ends].link.data, id_of(from + to - ends),
                                      CT_NETWORK_REASON_LEFT);
        nodes_run(&n, round % 4 ? 500 : 20);
        for (uint32_t i = 0; i < 3; ++i) {
            assert_int_equal(stats_of(&n.items[i]).num_peers, 0);
            node_forget(&n.items[i]);
        }
    }
    nodes_end(&n);
}

static void no_packet_comes_after_a_disconnect(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    send_text(client, id_of(0), CT_NETWORK_SESSION, "a");
    send_text(client, id_of(0), CT_NETWORK_SESSION, "b");
    ct_network_transport_flush(client->transport);
    n.now_ns += 10000000;
    ct_network_transport_update(host->transport, n.now_ns);
    ct_network_transport_event event;
    assert_true(ct_network_transport_next(host->transport, &event));
    assert_int_equal(event.size, 1);
    host->link.disconnect(host->link.data, id_of(1), CT_NETWORK_REASON_KICKED);
    assert_true(ct_network_transport_next(host->transport, &event));
    assert_int_equal(event.kind, CT_NETWORK_TRANSPORT_DISCONNECTED);
    assert_false(ct_network_transport_next(host->transport, &event));
    nodes_end(&n);
}

static void leaving_programs_say_so(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    node_end(client);
    nodes_run(&n, 50);
    assert_int_equal(last_event(host, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_LEFT);
    nodes_end(&n);
}

// Both ends hear nothing more of each other.
static void cut(nodes *n) {
    const ct_network_conditions all_lost = {.loss_percent = 100};
    for (uint32_t i = 0; i < n->count; ++i)
        ct_network_wire_set_conditions(n->items[i].wire, &all_lost, 0);
}

static void mend(nodes *n) {
    for (uint32_t i = 0; i < n->count; ++i)
        ct_network_wire_set_conditions(n->items[i].wire, NULL, 0);
}

static void silence_times_out(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    const ct_network_transport_desc desc = {.timeout_seconds = 3};
    nodes_add(&n, &desc);
    nodes_add(&n, &desc);
    nodes_connect(&n, 1, 0);
    nodes_run(&n, 30000); // idle is not silent
    cut(&n);
    nodes_run(&n, 2600);
    assert_int_equal(count_events(&n.items[0], CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    nodes_run(&n, 700);
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(last_event(&n.items[i], CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                         CT_NETWORK_REASON_TIMEOUT);
    nodes_end(&n);
}

static void one_switch_turns_timeouts_off(void **state) {
    (void)state;
    nodes n;
    char text[64];
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    ct_network_transport_set_timeouts(host->transport, false);
    ct_network_transport_set_timeouts(client->transport, false);
    ct_network_transport_connect(client->transport, id_of(50), address_of(50)); // not there yet
    nodes_run(&n, 100);
    cut(&n);
    send_text(host, id_of(1), CT_NETWORK_SESSION, "patience");
    for (uint32_t minute = 0; minute < 90; ++minute)
        nodes_step(&n, 60000);
    nodes_run(&n, 20000);
    assert_int_equal(count_events(host, CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    assert_int_equal(count_events(client, CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    mend(&n);
    nodes_run(&n, 1500); // not as long again as it was away
    assert_string_equal(texts_of(client, text, sizeof(text)), "patience");
    ct_network_transport_set_timeouts(client->transport, true);
    nodes_run(&n, 4900);
    assert_int_equal(count_events(client, CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    nodes_run(&n, 200);
    assert_int_equal(last_event(client, CT_NETWORK_TRANSPORT_DISCONNECTED).peer, id_of(50));
    nodes_end(&n);
}

static void a_pause_of_one_end_loses_nothing(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    nodes_add(&n, NULL);
    node *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    ct_network_transport *const paused = client->transport;
    client->transport = NULL;
    nodes_run(&n, 8000); // less than the host's timeout
    client->transport = paused;
    nodes_run(&n, 20000);
    assert_int_equal(count_events(&n.items[0], CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    assert_int_equal(count_events(client, CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    nodes_end(&n);
}

static void too_much_waiting_is_an_overflow(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, &(ct_network_transport_desc){.max_waiting_bytes = 100000});
    nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    static const uint8_t bytes[30000]; // each counts 128 more
    for (uint32_t i = 0; i < 3; ++i)
        assert_true(host->link.send(host->link.data, id_of(1), CT_NETWORK_SESSION, true, bytes,
                                    sizeof(bytes)));
    ct_network_peer_stats stats;
    assert_true(ct_network_transport_peer_stats(host->transport, id_of(1), &stats));
    assert_int_equal(stats.waiting_bytes, 90000);
    const ct_network_link *const link = &host->link;
    assert_true(link->send(link->data, id_of(1), CT_NETWORK_SESSION, true, bytes, 10000 - 4 * 128));
    assert_false(link->send(link->data, id_of(1), CT_NETWORK_SESSION, true, bytes, 1));
    nodes_run(&n, 500);
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(last_event(&n.items[i], CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                         CT_NETWORK_REASON_OVERFLOW);
    nodes_end(&n);
}

static void what_was_acknowledged_waits_no_more(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, &(ct_network_transport_desc){.max_waiting_bytes = 300000});
    node *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    static uint8_t bytes[CT_NETWORK_MAX_RELIABLE];
    for (uint32_t i = 0; i < sizeof(bytes); ++i)
        bytes[i] = (uint8_t)(i * 7 >> 3);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(host->link.send(host->link.data, id_of(1), CT_NETWORK_LOBBY, true, bytes,
                                    sizeof(bytes)));
        nodes_run(&n, 1000);
        assert_int_equal(count_events(client, CT_NETWORK_TRANSPORT_PACKET), i + 1);
        const seen *const last = &client->seen.items[client->seen.count - 1];
        assert_int_equal(last->event.size, sizeof(bytes));
        assert_memory_equal(last->bytes, bytes, sizeof(bytes));
    }
    ct_network_peer_stats stats;
    assert_true(ct_network_transport_peer_stats(host->transport, id_of(1), &stats));
    assert_int_equal(stats.waiting_bytes, 0);
    assert_int_equal(stats.bytes_out[CT_NETWORK_LOBBY], 4 * sizeof(bytes));
    assert_int_equal(stats.packets_out[CT_NETWORK_LOBBY], 4);
    nodes_end(&n);
}

static void bandwidth_limits_unreliable_packets(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, &(ct_network_transport_desc){.bandwidth = 50000});
    node *const client = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    static const uint8_t bytes[500];
    uint64_t sent = 0;
    for (uint32_t i = 0; i < 500; ++i) { // five seconds
        for (uint32_t k = 0; k < 3; ++k)
            sent += host->link.send(host->link.data, id_of(1), CT_NETWORK_STATE, false, bytes, 500);
        nodes_step(&n, STEP_MS);
    }
    assert_in_range(sent * 500, 245000, 260000);
    assert_in_range(count_events(client, CT_NETWORK_TRANSPORT_PACKET), sent - 4, sent);
    assert_in_range(host->link.room(host->link.data, id_of(1)), 0, 500);
    nodes_run(&n, 1000);
    assert_in_range(host->link.room(host->link.data, id_of(1)), 4999, 5000);
    assert_int_equal(host->link.room(host->link.data, id_of(7)), 0);
    assert_true(client->link.room(client->link.data, id_of(0)) > 0);
    ct_network_transport_set_bandwidth(host->transport, 200000);
    nodes_run(&n, 1000);
    assert_in_range(host->link.room(host->link.data, id_of(1)), 19999, 20000);
    nodes_end(&n);
}

// Counts what a host sends to a client in 20 s in which all of it gets lost: a packet and one of
// ENet's, again and again, and acknowledgements for what the client sends again each second.
static uint64_t datagrams_without_answers(float resend_seconds) {
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, &(ct_network_transport_desc){.keep_alive_seconds = 500});
    node *const client = nodes_add(&n, &(ct_network_transport_desc){.keep_alive_seconds = 500});
    ct_network_transport_set_timeouts(host->transport, false);
    ct_network_transport_set_timeouts(client->transport, false);
    nodes_connect(&n, 1, 0);
    if (resend_seconds > 0)
        ct_network_transport_set_resend(host->transport, resend_seconds);
    const ct_network_conditions lost = {.loss_percent = 100};
    ct_network_wire_set_conditions(host->wire, &lost, 0);
    ct_network_peer_stats before, after;
    assert_true(ct_network_transport_peer_stats(host->transport, id_of(1), &before));
    send_text(host, id_of(1), CT_NETWORK_SESSION, "again");
    nodes_run(&n, 20000);
    assert_true(ct_network_transport_peer_stats(host->transport, id_of(1), &after));
    nodes_end(&n);
    return after.datagrams_out - before.datagrams_out;
}

static void packets_are_sent_again_as_often_as_set(void **state) {
    (void)state;
    assert_in_range(datagrams_without_answers(0.1f), 200, 250);
    assert_in_range(datagrams_without_answers(0), 55, 75); // each second
    assert_in_range(datagrams_without_answers(10), 10, 40);
}

static void numbers_of_a_peer_are_right(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    n.conditions = (ct_network_conditions){.delay_ns = 40000000, .loss_percent = 10};
    n.seed = 7;
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    ct_network_transport_connect(client->transport, id_of(0), address_of(0));
    nodes_run(&n, 3000);
    for (uint32_t i = 0; i < 2000; ++i) {
        send_text(client, id_of(0), CT_NETWORK_STATE, "12345");
        send_text(client, id_of(0), CT_NETWORK_SESSION, "1234567");
        nodes_step(&n, STEP_MS);
    }
    ct_network_peer_stats in, out;
    assert_true(ct_network_transport_peer_stats(host->transport, id_of(1), &in));
    assert_true(ct_network_transport_peer_stats(client->transport, id_of(0), &out));
    assert_int_equal(out.packets_out[CT_NETWORK_STATE], 2000);
    assert_int_equal(out.bytes_out[CT_NETWORK_STATE], 10000);
    assert_in_range(in.packets_in[CT_NETWORK_STATE], 1700, 1900);
    assert_in_range(in.packets_in[CT_NETWORK_SESSION], 1960, 2000);
    assert_int_equal(in.bytes_in[CT_NETWORK_SESSION], 7 * in.packets_in[CT_NETWORK_SESSION]);
    assert_in_range((uint32_t)(in.loss_in * 100), 4, 18);
    assert_in_range((uint32_t)(out.round_trip * 1000), 79, 120);
    assert_true(client->link.round_trip(client->link.data, id_of(0)) == out.round_trip);
    assert_true(in.datagrams_in < out.datagrams_out);
    assert_true(in.silence < 0.1f);
    nodes_end(&n);
}

static void plain_needs_both_ends_and_warns(void **state) {
    (void)state;
    const ct_network_transport_desc plain = {.is_plain = true};
    for (uint32_t both = 0; both < 2; ++both) {
        nodes n;
        char text[64];
        nodes_start(&n);
        const uint64_t before = ct_log_warning_count("plain_network");
        nodes_add(&n, both ? &plain : NULL);
        node *const client = nodes_add(&n, &plain);
        assert_int_equal(ct_log_warning_count("plain_network") - before, both + 1);
        nodes_connect(&n, 1, 0);
        ct_network_peer_stats stats;
        assert_true(ct_network_transport_peer_stats(client->transport, id_of(0), &stats));
        assert_int_equal(stats.is_plain, both);
        send_text(client, id_of(0), CT_NETWORK_SESSION, "hi");
        nodes_run(&n, 50);
        assert_string_equal(texts_of(&n.items[0], text, sizeof(text)), "hi");
        nodes_end(&n);
    }
}

static void both_may_connect_to_each_other(void **state) {
    (void)state;
    for (uint32_t delay = 0; delay < 12; ++delay) {
        nodes n;
        char text[64];
        nodes_start(&n);
        n.conditions = (ct_network_conditions){.delay_ns = 25000000};
        const bool is_known = delay % 2 == 0;
        nodes_add(&n, NULL);
        nodes_add(&n, NULL);
        ct_network_transport_connect(n.items[0].transport, is_known ? id_of(1) : 0, address_of(1));
        nodes_run(&n, delay * STEP_MS);
        ct_network_transport_connect(n.items[1].transport, is_known ? id_of(0) : 0, address_of(0));
        nodes_run(&n, 8000);
        for (uint32_t i = 0; i < 2; ++i) {
            assert_int_equal(count_events(&n.items[i], CT_NETWORK_TRANSPORT_CONNECTED), 1);
            assert_int_equal(count_events(&n.items[i], CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
            assert_int_equal(stats_of(&n.items[i]).num_peers, 1);
            assert_true(send_text(&n.items[i], id_of(1 - i), CT_NETWORK_SESSION, "ok"));
        }
        nodes_run(&n, 100);
        for (uint32_t i = 0; i < 2; ++i)
            assert_string_equal(texts_of(&n.items[i], text, sizeof(text)), "ok");
        nodes_end(&n);
    }
}

// We want a peer that is connecting to us; it never completes that.
static void wanted_peers_that_vanish_are_unreached(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL), *const client = nodes_add(&n, NULL);
    ct_network_transport_connect(client->transport, id_of(0), address_of(0));
    while (stats_of(host).num_half_open == 0)
        nodes_step(&n, STEP_MS);
    ct_network_transport_destroy(client->transport);
    client->transport = NULL;
    ct_network_transport_connect(host->transport, id_of(1), address_of(1));
    nodes_run(&n, 6000);
    assert_int_equal(host->seen.count, 1);
    assert_int_equal(last_event(host, CT_NETWORK_TRANSPORT_DISCONNECTED).peer, id_of(1));
    assert_int_equal(last_event(host, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_UNREACHED);
    nodes_end(&n);
}

// ENet would send fewer unreliable packets when the round trip grows.
static void growing_delays_drop_nothing(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const from = nodes_add(&n, NULL), *const to = nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    for (uint32_t i = 0; i < 3000; ++i) {
        const ct_network_conditions slower = {.delay_ns = i / 10 * UINT64_C(2000000)};
        for (uint32_t k = 0; k < 2; ++k)
            ct_network_wire_set_conditions(n.items[k].wire, &slower, 0);
        send_text(from, id_of(1), CT_NETWORK_STATE, "state");
        send_text(from, id_of(1), CT_NETWORK_SESSION, "reliable");
        nodes_step(&n, STEP_MS);
    }
    nodes_run(&n, 2000);
    assert_int_equal(count_events(to, CT_NETWORK_TRANSPORT_PACKET), 6000);
    nodes_end(&n);
}

static void a_peer_that_lives_is_not_replaced(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL);
    nodes_add(&n, NULL);
    node *const thief = nodes_add(&n, &(ct_network_transport_desc){.self = id_of(1)});
    nodes_connect(&n, 1, 0);
    ct_network_transport_connect(thief->transport, id_of(0), address_of(0));
    nodes_run(&n, 8000);
    assert_int_equal(last_event(thief, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_UNREACHED);
    assert_int_equal(count_events(host, CT_NETWORK_TRANSPORT_DISCONNECTED), 0);
    // A program that lost its connection without a word comes back before the timeout.
    ct_network_transport_destroy(n.items[1].transport);
    n.items[1].transport = NULL;
    ct_network_transport_connect(thief->transport, id_of(0), address_of(0));
    nodes_run(&n, 4000);
    assert_int_equal(count_events(host, CT_NETWORK_TRANSPORT_CONNECTED), 2);
    assert_int_equal(count_events(host, CT_NETWORK_TRANSPORT_DISCONNECTED), 1);
    nodes_end(&n);
}

static void many_peers_connect_at_once(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, NULL);
    for (uint32_t i = 1; i <= 64; ++i)
        nodes_add(&n, NULL);
    for (uint32_t i = 1; i <= 64; ++i)
        ct_network_transport_connect(n.items[i].transport, id_of(0), address_of(0));
    nodes_run(&n, 1000);
    assert_int_equal(stats_of(host).num_peers, 64);
    for (uint32_t i = 1; i <= 64; ++i)
        assert_true(send_text(host, id_of(i), CT_NETWORK_SESSION, "hello"));
    nodes_run(&n, 50);
    for (uint32_t i = 1; i <= 64; ++i)
        assert_int_equal(count_events(&n.items[i], CT_NETWORK_TRANSPORT_PACKET), 1);
    nodes_end(&n);
}

static void the_most_peers_can_be_made(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    nodes_add(&n, &(ct_network_transport_desc){.max_peers = CT_NETWORK_MAX_PEERS});
    nodes_add(&n, NULL);
    nodes_connect(&n, 1, 0);
    nodes_end(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_go_both_ways),
        cmocka_unit_test(connects_by_text_and_learns_the_peer),
        cmocka_unit_test(refusals_have_reasons),
        cmocka_unit_test(nobody_there_is_unreached),
        cmocka_unit_test(same_password_lets_in),
        cmocka_unit_test(full_hosts_refuse),
        cmocka_unit_test(disconnecting_sends_first_and_gives_the_reason),
        cmocka_unit_test(connects_again_after_an_end),
        cmocka_unit_test(no_packet_comes_after_a_disconnect),
        cmocka_unit_test(leaving_programs_say_so),
        cmocka_unit_test(silence_times_out),
        cmocka_unit_test(one_switch_turns_timeouts_off),
        cmocka_unit_test(a_pause_of_one_end_loses_nothing),
        cmocka_unit_test(too_much_waiting_is_an_overflow),
        cmocka_unit_test(what_was_acknowledged_waits_no_more),
        cmocka_unit_test(bandwidth_limits_unreliable_packets),
        cmocka_unit_test(packets_are_sent_again_as_often_as_set),
        cmocka_unit_test(numbers_of_a_peer_are_right),
        cmocka_unit_test(plain_needs_both_ends_and_warns),
        cmocka_unit_test(both_may_connect_to_each_other),
        cmocka_unit_test(wanted_peers_that_vanish_are_unreached),
        cmocka_unit_test(growing_delays_drop_nothing),
        cmocka_unit_test(a_peer_that_lives_is_not_replaced),
        cmocka_unit_test(many_peers_connect_at_once),
        cmocka_unit_test(the_most_peers_can_be_made),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
