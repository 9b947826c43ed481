// What is not from a peer: forged, damaged, replayed, and a great deal of it.
#include "foundation/math/random.h"
#include "network/transport/nodes.h"
#include "support/mutation.h"

// Datagrams that a tap has seen.
typedef struct caught {
    uint32_t count;
    struct {
        uint8_t bytes[CT_NETWORK_WIRE_BYTES];
        uint32_t size;
        ct_datagram_address address;
    } items[400];
} caught;

static void catch_out(void *data, const ct_network_tap *what) {
    caught *const c = data;
    if (what->kind != CT_NETWORK_TAP_DATAGRAM_OUT || c->count == CT_COUNT_OF(c->items))
        return;
    memcpy(c->items[c->count].bytes, what->bytes, what->size);
    c->items[c->count].size = what->size;
    c->items[c->count++].address = what->address;
}

typedef struct scene {
    nodes n;
    node *host, *client;
    caught sent; // by the client
} scene;

static void scene_start(scene *s) {
    s->sent.count = 0;
    nodes_start(&s->n);
    const ct_network_key key = ct_network_key_of_token("key", 3);
    s->host = nodes_add(&s->n, &(ct_network_transport_desc){.key = key});
    s->client = nodes_add(
        &s->n, &(ct_network_transport_desc){.key = key, .tap = catch_out, .tap_data = &s->sent});
    nodes_connect(&s->n, 1, 0);
    node_forget(s->host);
    node_forget(s->client);
}

// Sends to the host from the client's own address.
static void inject(scene *s, const void *bytes, uint32_t size) {
    ct_network_wire_send(s->client->wire, s->n.now_ns, address_of(0), bytes, size);
}

static void expect_alive(scene *s) {
    char text[64];
    node_forget(s->host);
    assert_true(send_text(s->client, id_of(0), CT_NETWORK_SESSION, "alive"));
    nodes_run(&s->n, 50);
    assert_string_equal(texts_of(s->host, text, sizeof(text)), "alive");
    node_forget(s->host);
}

static scene s;

static void replayed_datagrams_are_dropped(void **state) {
    (void)state;
    scene_start(&s);
    send_text(s.client, id_of(0), CT_NETWORK_STATE, "once");
    nodes_run(&s.n, 50);
    assert_int_equal(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET), 1);
    const uint32_t count = s.sent.count;
    const ct_network_transport_stats before = stats_of(s.host);
    uint32_t data = 0;
    for (uint32_t i = 0; i < count; ++i) {
        data += s.sent.items[i].bytes[0] == 6;
        inject(&s, s.sent.items[i].bytes, s.sent.items[i].size);
    }
    nodes_run(&s.n, 50);
    assert_int_equal(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET), 1);
    assert_int_equal(stats_of(s.host).replayed - before.replayed, data);
    expect_alive(&s);
    nodes_end(&s.n);
}

static void other_addresses_are_dropped(void **state) {
    (void)state;
    scene_start(&s);
    ct_error error = {0};
    const ct_network_conditions lost = {.loss_percent = 100};
    ct_network_wire_set_conditions(s.client->wire, &lost, 0);
    s.sent.count = 0;
    send_text(s.client, id_of(0), CT_NETWORK_STATE, "once");
    ct_network_transport_flush(s.client->transport);
    assert_true(s.sent.count > 0);
    ct_network_wire *const other = ct_network_wire_in_net(s.n.net, address_of(60), &error);
    for (uint32_t i = 0; i < s.sent.count; ++i)
        ct_network_wire_send(other, s.n.now_ns, address_of(0), s.sent.items[i].bytes,
                             s.sent.items[i].size);
    const uint64_t before = stats_of(s.host).unknown;
    ct_network_wire_set_conditions(s.client->wire, NULL, 0);
    nodes_run(&s.n, 20);
    assert_int_equal(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET), 0);
    assert_true(stats_of(s.host).unknown > before);
    ct_network_wire_destroy(other);
    expect_alive(&s);
    nodes_end(&s.n);
}

static void damaged_datagrams_are_dropped(void **state) {
    (void)state;
    scene_start(&s);
    const ct_network_conditions lost = {.loss_percent = 100};
    ct_network_wire_set_conditions(s.client->wire, &lost, 0);
    s.sent.count = 0;
    send_text(s.client, id_of(0), CT_NETWORK_STATE, "never");
    ct_network_transport_flush(s.client->transport);
    ct_network_wire_set_conditions(s.client->wire, NULL, 0);
    assert_int_equal(s.sent.count, 1);
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    const uint32_t size = s.sent.items[0].size;
    for (uint32_t bit = 0; bit < size * 8; ++bit) { // each bit of it
        memcpy(bytes, s.sent.items[0].bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        inject(&s, bytes, size);
    }
    for (uint32_t shorter = 1; shorter < size; ++shorter) {
        inject(&s, s.sent.items[0].bytes, shorter);                  // its end cut off
        inject(&s, s.sent.items[0].bytes + shorter, size - shorter); // its start
    }
    memset(bytes, 0xee, sizeof(bytes));
    memcpy(bytes, s.sent.items[0].bytes, size);
    for (uint32_t longer = size + 1; longer <= CT_NETWORK_WIRE_BYTES; ++longer)
        inject(&s, bytes, longer);
    nodes_run(&s.n, 50);
    assert_int_equal(s.host->seen.count, 0);
    assert_true(stats_of(s.host).not_opened > size * 4);
    inject(&s, s.sent.items[0].bytes, size); // the whole one is still good
    nodes_run(&s.n, 20);
    assert_int_equal(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET), 1);
    expect_alive(&s);
    nodes_end(&s.n);
}

static void unsealed_datagrams_are_dropped(void **state) {
    (void)state;
    scene_start(&s);
    uint32_t last = s.sent.count - 1;
    while (s.sent.items[last].bytes[0] != 6)
        --last;
    // The head of a sealed one, another kind and number, and a packet of ENet's as a plain one has it.
    static const uint8_t packet[] = {0, 0, 6, 2, 0, 1, 0, 4, 'e', 'v', 'i', 'l'};
    const uint64_t unknown = stats_of(s.host).unknown, not_opened = stats_of(s.host).not_opened;
    for (uint32_t i = 0; i < 200; ++i) {
        uint8_t bytes[64];
        memcpy(bytes, s.sent.items[last].bytes, 13);
        memcpy(bytes + 13, packet, sizeof(packet));
        bytes[0] = i & 1 ? 7 : 6;
        bytes[6] = (uint8_t)(1 + i / 2);
        bytes[13] = (uint8_t)(i / 16); // ENet's id of the peer
        inject(&s, bytes, 13 + sizeof(packet));
    }
    nodes_run(&s.n, 50);
    assert_int_equal(stats_of(s.host).unknown, unknown + 100);
    assert_int_equal(stats_of(s.host).not_opened + stats_of(s.host).malformed, not_opened + 100);
    assert_int_equal(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET), 0);
    expect_alive(&s);
    nodes_end(&s.n);
}

static void damage_on_the_way_costs_time_only(void **state) {
    (void)state;
    static caught out;
    for (uint32_t seed = 1; seed <= test_rounds(20, 1000); ++seed) {
        // Nothing of the client's gets through but what is put in here, a third of it damaged.
        nodes n;
        char text[64];
        ct_random random = ct_random_seeded(seed, 0);
        nodes_start(&n);
        out.count = 0;
        node *const host = nodes_add(&n, NULL);
        node *const client =
            nodes_add(&n, &(ct_network_transport_desc){
                              .connect_seconds = 60, .tap = catch_out, .tap_data = &out});
        ct_network_transport_connect(client->transport, id_of(0), address_of(0));
        bool is_sent = false;
        for (uint32_t step = 0; step < 2000 && count_events(host, CT_NETWORK_TRANSPORT_PACKET) < 1;
             ++step) {
            const ct_network_conditions lost = {.loss_percent = 100};
            ct_network_wire_set_conditions(client->wire, &lost, 0);
            nodes_step(&n, STEP_MS);
            if (!is_sent)
                is_sent = send_text(client, id_of(0), CT_NETWORK_SESSION, "through");
            ct_network_wire_set_conditions(client->wire, NULL, 0);
            for (uint32_t i = 0; i < out.count; ++i) {
                size_t size = out.items[i].size;
                if (ct_random_below(&random, 3) == 0)
                    size =
                        test_mutate(&random, out.items[i].bytes, size, CT_NETWORK_WIRE_BYTES, NULL);
                if (size > 0)
                    ct_network_wire_send(client->wire, n.now_ns, address_of(0), out.items[i].bytes,
                                         (uint32_t)size);
            }
            out.count = 0;
            // A changed version or key can end the attempt, as a REFUSE is sent in the clear.
            if (count_events(client, CT_NETWORK_TRANSPORT_DISCONNECTED) > 0) {
                node_forget(client);
                ct_network_transport_connect(client->transport, id_of(0), address_of(0));
            }
        }
        assert_string_equal(texts_of(host, text, sizeof(text)), "through");
        nodes_end(&n);
    }
}

static void noise_of_any_kind_is_dropped(void **state) {
    (void)state;
    scene_start(&s);
    ct_random random = ct_random_seeded(5, 5);
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    const uint32_t rounds = test_rounds(20000, 1000000);
    for (uint32_t i = 0; i < rounds; ++i) {
        const uint32_t size = ct_random_below(&random, 2) ? 1 + ct_random_below(&random, 120)
                                                          : 1 + ct_random_below(&random, 1200);
        for (uint32_t k = 0; k < size; ++k)
            bytes[k] = (uint8_t)ct_random_u32(&random);
        bytes[0] = (uint8_t)ct_random_below(&random, 10);
        inject(&s, bytes, size);
        if (i % 2000 == 0)
            nodes_step(&s.n, STEP_MS);
    }
    nodes_run(&s.n, 50);
    assert_int_equal(s.host->seen.count, 0);
    assert_int_equal(stats_of(s.host).num_half_open, 0);
    expect_alive(&s);
    nodes_end(&s.n);
}

// Begins a handshake by hand: a HELLO of the right size and version.
static void write_hello(uint8_t bytes[96], ct_random *random) {
    memset(bytes, 0, 96);
    bytes[0] = 1;
    bytes[4] = CT_NETWORK_PROTOCOL;
    for (uint32_t i = 12; i < 48; ++i)
        bytes[i] = (uint8_t)ct_random_u32(random);
}

static void forged_addresses_cost_no_state(void **state) {
    (void)state;
    scene_start(&s);
    ct_random random = ct_random_seeded(1, 1);
    ct_error error = {0};
    uint8_t bytes[104] = {0};
    // A HELLO, and a BEGIN with a made-up cookie, from thousands of addresses.
    for (uint32_t i = 0; i < 3000; ++i) {
        ct_network_wire *const forger = ct_network_wire_in_net(
            s.n.net, (ct_datagram_address){.ip = 0x0b000000 + i, .port = 9}, &error);
        write_hello(bytes, &random);
        ct_network_wire_send(forger, s.n.now_ns, address_of(0), bytes, 96);
        bytes[0] = 3;
        ct_network_wire_send(forger, s.n.now_ns, address_of(0), bytes, 104);
        ct_network_wire_destroy(forger);
    }
    nodes_run(&s.n, 50);
    assert_int_equal(stats_of(s.host).num_half_open, 0);
    assert_int_equal(stats_of(s.host).num_peers, 1);
    expect_alive(&s);
    nodes_end(&s.n);
}

// Starts a host and a client whose BEGIN is caught and gets lost. Returns which was caught.
static uint32_t catch_begin(void) {
    const ct_network_conditions lost = {.loss_percent = 100};
    nodes_start(&s.n);
    s.sent.count = 0;
    s.host = nodes_add(&s.n, NULL);
    s.client = nodes_add(&s.n, &(ct_network_transport_desc){
                                   .connect_seconds = 300, .tap = catch_out, .tap_data = &s.sent});
    ct_network_transport_connect(s.client->transport, id_of(0), address_of(0));
    nodes_step(&s.n, STEP_MS); // HELLO
    ct_network_transport_update(s.host->transport, s.n.now_ns);
    ct_network_wire_set_conditions(s.client->wire, &lost, 0);
    nodes_step(&s.n, STEP_MS); // its answer
    for (uint32_t i = 0; i < s.sent.count; ++i) {
        if (s.sent.items[i].bytes[0] == 3)
            return i;
    }
    fail_msg("no BEGIN was sent");
    return 0;
}

static void cookies_hold_for_their_address_and_a_minute(void **state) {
    (void)state;
    ct_error error = {0};
    uint32_t at = catch_begin();
    ct_network_wire *const other = ct_network_wire_in_net(s.n.net, address_of(70), &error);
    ct_network_wire_send(other, s.n.now_ns, address_of(0), s.sent.items[at].bytes,
                         s.sent.items[at].size);
    nodes_run(&s.n, 20);
    assert_int_equal(stats_of(s.host).num_half_open, 0);
    ct_network_wire_destroy(other);
    ct_network_wire_set_conditions(s.client->wire, NULL, 0);
    inject(&s, s.sent.items[at].bytes, s.sent.items[at].size);
    ct_network_transport_update(s.host->transport, s.n.now_ns);
    assert_int_equal(stats_of(s.host).num_half_open, 1);
    nodes_end(&s.n);
    at = catch_begin();
    nodes_run(&s.n, 61000);
    ct_network_wire_set_conditions(s.client->wire, NULL, 0);
    inject(&s, s.sent.items[at].bytes, s.sent.items[at].size);
    ct_network_transport_update(s.host->transport, s.n.now_ns);
    assert_int_equal(stats_of(s.host).num_half_open, 0);
    nodes_run(&s.n, 1500); // the client gets another cookie
    assert_int_equal(stats_of(s.host).num_peers, 1);
    nodes_end(&s.n);
}

static void a_begin_that_comes_twice_is_accepted_once(void **state) {
    (void)state;
    const uint32_t at = catch_begin();
    const ct_network_conditions lost = {.loss_percent = 100};
    ct_network_wire_set_conditions(s.client->wire, NULL, 0);
    ct_network_wire_set_conditions(s.host->wire, &lost, 0); // what it answers gets lost
    for (uint32_t i = 0; i < 5; ++i) {
        inject(&s, s.sent.items[at].bytes, s.sent.items[at].size);
        nodes_step(&s.n, STEP_MS);
        assert_int_equal(stats_of(s.host).num_half_open, 1);
    }
    ct_network_wire_set_conditions(s.host->wire, NULL, 0);
    nodes_run(&s.n, 1500);
    assert_int_equal(stats_of(s.host).num_peers, 1);
    assert_int_equal(stats_of(s.host).num_half_open, 0);
    nodes_end(&s.n);
}

static void answers_are_no_longer_than_questions(void **state) {
    (void)state;
    scene_start(&s);
    ct_random random = ct_random_seeded(1, 2);
    ct_error error = {0};
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    ct_datagram_address from;
    ct_network_wire *const stranger = ct_network_wire_in_net(s.n.net, address_of(70), &error);
    for (uint32_t version = 0; version < 3; ++version) {
        write_hello(bytes, &random);
        bytes[4] = (uint8_t)version;
        ct_network_wire_send(stranger, s.n.now_ns, address_of(0), bytes, 96);
        nodes_step(&s.n, STEP_MS);
        const int64_t size =
            ct_network_wire_receive(stranger, s.n.now_ns, &from, bytes, sizeof(bytes));
        assert_in_range(size, 1, 96);
        assert_int_equal(bytes[0], version == CT_NETWORK_PROTOCOL ? 2 : 5);
        assert_int_equal(ct_network_wire_receive(stranger, s.n.now_ns, &from, bytes, 96), -1);
    }
    ct_network_wire_destroy(stranger);
    nodes_end(&s.n);
}

static void a_flood_of_attempts_does_not_starve_players(void **state) {
    (void)state;
    scene_start(&s);
    ct_random random = ct_random_seeded(2, 2);
    ct_error error = {0};
    uint8_t bytes[104] = {0};
    ct_network_wire *const flooder = ct_network_wire_in_net(s.n.net, address_of(70), &error);
    node *const late =
        nodes_add(&s.n, &(ct_network_transport_desc){.key = ct_network_key_of_token("key", 3)});
    uint32_t sent = 0;
    for (uint32_t step = 0; step < 500; ++step) { // five seconds, 4,000 a second
        for (uint32_t i = 0; i < 20; ++i) {
            write_hello(bytes, &random);
            ct_network_wire_send(flooder, s.n.now_ns, address_of(0), bytes, 96);
            bytes[0] = 3;
            ct_network_wire_send(flooder, s.n.now_ns, address_of(0), bytes, 104);
        }
        sent += send_text(s.client, id_of(0), CT_NETWORK_STATE, "tick");
        sent += send_text(s.client, id_of(0), CT_NETWORK_SESSION, "tock");
        if (step == 100)
            ct_network_transport_connect(late->transport, id_of(0), address_of(0));
        nodes_step(&s.n, STEP_MS);
        assert_true(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET) + 4 >= sent);
    }
    assert_true(stats_of(s.host).guarded > 0);
    assert_int_equal(stats_of(s.host).num_peers, 2); // another player gets in meanwhile
    ct_network_wire_destroy(flooder);
    nodes_end(&s.n);
}

// A machine that asks for a cookie, begins with it as a peer would, and goes away.
typedef struct beginner {
    ct_network_wire *wire;
    uint8_t begin[104];
} beginner;

static void beginner_ask(beginner *b, uint32_t ip, ct_random *random) {
    ct_error error = {0};
    b->wire = ct_network_wire_in_net(
        s.n.net, (ct_datagram_address){.ip = 0x0b000000 + ip, .port = 9}, &error);
    memset(b->begin, 0, sizeof(b->begin));
    write_hello(b->begin, random);
    ct_network_wire_send(b->wire, s.n.now_ns, address_of(0), b->begin, 96);
}

static void beginner_begin(beginner *b, uint64_t peer, const ct_network_key *password) {
    uint8_t cookie[CT_NETWORK_WIRE_BYTES];
    ct_datagram_address from;
    if (ct_network_wire_receive(b->wire, s.n.now_ns, &from, cookie, sizeof(cookie)) == 32) {
        ct_network_key connector;
        memcpy(connector.bytes, b->begin + 16, sizeof(connector.bytes));
        memcpy(b->begin + 48, cookie + 16, 16);
        b->begin[0] = 3;
        const ct_network_key key = ct_network_begin_key(password, &connector, b->begin + 48);
        const uint64_t plain[3] = {peer, 0, 0};
        ct_network_seal(&key, 0, b->begin, 64, plain, sizeof(plain), b->begin + 64);
        ct_network_wire_send(b->wire, s.n.now_ns, address_of(0), b->begin, 104);
    }
    ct_network_wire_destroy(b->wire);
}

// For five seconds 1,000 machines a second begin, while a player plays and another one connects.
// Returns the most that were half open at a time.
static uint32_t begin_thousands(const ct_network_key *password) {
    scene_start(&s);
    ct_random random = ct_random_seeded(8, 2);
    node *const late =
        nodes_add(&s.n, &(ct_network_transport_desc){.key = ct_network_key_of_token("key", 3)});
    const uint64_t memory = ct_allocator_stats_of(test_heap()).live_bytes;
    uint32_t sent = 0, most_half_open = 0;
    for (uint32_t step = 0; step < 500; ++step) {
        beginner beginners[10];
        for (uint32_t i = 0; i < 10; ++i)
            beginner_ask(&beginners[i], step * 10 + i, &random);
        ct_network_transport_update(s.host->transport, s.n.now_ns);
        for (uint32_t i = 0; i < 10; ++i)
            beginner_begin(&beginners[i], 0xbad00000 + step * 10 + i, password);
        sent += send_text(s.client, id_of(0), CT_NETWORK_SESSION, "tock");
        if (step == 100)
            ct_network_transport_connect(late->transport, id_of(0), address_of(0));
        nodes_step(&s.n, STEP_MS);
        const uint32_t half_open = stats_of(s.host).num_half_open;
        most_half_open = half_open > most_half_open ? half_open : most_half_open;
        assert_true(count_events(s.host, CT_NETWORK_TRANSPORT_PACKET) + 4 >= sent);
    }
    assert_true(ct_allocator_stats_of(test_heap()).live_bytes < memory + (1 << 20));
    return most_half_open;
}

static void a_thousand_handshakes_a_second_cost_little(void **state) {
    (void)state;
    const ct_network_key password = ct_network_key_of_token("key", 3);
    assert_in_range(begin_thousands(&password), 20, 112); // 112 places in all
    assert_true(stats_of(s.host).guarded > 2000);         // only 400 a second
    nodes_run(&s.n, 6000);
    assert_int_equal(stats_of(s.host).num_half_open, 0);
    expect_alive(&s);
    nodes_end(&s.n);
}

static void a_thousand_without_the_password_keep_no_player_out(void **state) {
    (void)state;
    const ct_network_key password = ct_network_key_of_token("kex", 3);
    assert_in_range(begin_thousands(&password), 0, 1); // the player
    assert_true(stats_of(s.host).not_opened >= 4900);
    assert_int_equal(stats_of(s.host).num_peers, 2);
    nodes_run(&s.n, 100);
    expect_alive(&s);
    nodes_end(&s.n);
}

// Machines with the password that begin, and never prove anything, keep no player out.
static void half_open_ones_give_way(void **state) {
    (void)state;
    nodes n;
    nodes_start(&n);
    node *const host = nodes_add(&n, &(ct_network_transport_desc){.max_peers = 4});
    for (uint32_t i = 1; i <= 60; ++i) {
        node *const client = nodes_add(&n, NULL);
        ct_network_transport_connect(client->transport, id_of(0), address_of(0));
        nodes_step(&n, STEP_MS);
        nodes_step(&n, 0);
        if (i % 2 == 0) { // goes on until ENet would connect
            nodes_step(&n, 0);
            ct_network_transport_update(host->transport, n.now_ns);
        }
        ct_network_transport_destroy(client->transport);
        client->transport = NULL;
    }
    assert_in_range(stats_of(host).num_half_open, 15, 20);
    for (uint32_t i = 1; i <= 2; ++i) {
        nodes_add(&n, NULL);
        nodes_connect(&n, n.count - 1, 0);
        assert_int_equal(stats_of(host).num_peers, i);
    }
    nodes_run(&n, 6000);
    assert_int_equal(stats_of(host).num_half_open, 0);
    nodes_end(&n);
}

static void floods_of_noise_do_not_starve_players(void **state) {
    (void)state;
    scene_start(&s);
    uint8_t bytes[1200];
    ct_error error = {0};
    memset(bytes, 6, sizeof(bytes));
    ct_network_wire *const flooder = ct_network_wire_in_net(s.n.net, address_of(70), &error);
    for (uint32_t step = 0; step < 100; ++step) {
        for (uint32_t i = 0; i < 1000; ++i)
            ct_network_wire_send(flooder, s.n.now_ns, address_of(0), bytes, sizeof(bytes));
        nodes_step(&s.n, STEP_MS);
    }
    assert_true(stats_of(s.host).unknown >= 99000);
    expect_alive(&s);
    ct_network_wire_destroy(flooder);
    nodes_end(&s.n);
}

// Without timeouts, only what waits for it ends a peer that has stopped.
static void a_peer_that_stops_reading_is_an_overflow(void **state) {
    (void)state;
    scene_start(&s);
    node *const other =
        nodes_add(&s.n, &(ct_network_transport_desc){.key = ct_network_key_of_token("key", 3)});
    nodes_connect(&s.n, 2, 0);
    ct_network_transport_set_timeouts(s.host->transport, false);
    static const uint8_t bytes[1000];
    const uint64_t memory = ct_allocator_stats_of(test_heap()).live_bytes;
    uint64_t most = 0;
    bool is_sent = true;
    uint32_t num_sent = 0;
    for (; is_sent && num_sent < 10000; ++num_sent) {
        is_sent = s.host->link.send(s.host->link.data, id_of(1), CT_NETWORK_SESSION, true, bytes,
                                    sizeof(bytes));
        if (num_sent % 10 == 0)
            assert_true(send_text(s.host, id_of(2), CT_NETWORK_SESSION, "tick"));
        s.n.now_ns += UINT64_C(2000000);
        ct_network_transport_update(s.host->transport, s.n.now_ns);
        ct_network_transport_update(other->transport, s.n.now_ns);
        node_take_events(s.host);
        node_take_events(other);
        node_forget(other);
        const uint64_t live = ct_allocator_stats_of(test_heap()).live_bytes - memory;
        most = live > most ? live : most;
    }
    assert_in_range(num_sent, 3000, 4300); // 4 MiB, with what each takes beside its bytes
    assert_true(most < 24 << 20);          // and what was sent again and again, on the wire
    assert_int_equal(last_event(s.host, CT_NETWORK_TRANSPORT_DISCONNECTED).peer, id_of(1));
    assert_int_equal(last_event(s.host, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_OVERFLOW);
    assert_true(send_text(s.host, id_of(2), CT_NETWORK_SESSION, "goes on"));
    nodes_end(&s.n);
}

// --- Inside the seal -----------------------------------------------------------------------------

// Both ends are plain, so that a test can put its own bytes where ENet's are.
static void start_plain(void) {
    nodes_start(&s.n);
    s.sent.count = 0;
    s.host = nodes_add(&s.n, &(ct_network_transport_desc){.is_plain = true});
    s.client = nodes_add(&s.n, &(ct_network_transport_desc){
                                   .is_plain = true, .tap = catch_out, .tap_data = &s.sent});
    nodes_connect(&s.n, 1, 0);
    node_forget(s.host);
}

// Sends commands of ENet to the host as the client's, in the datagram with a number.
static void inject_commands(uint64_t number, const uint8_t *commands, uint32_t size) {
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    uint32_t last = s.sent.count - 1;
    while (s.sent.items[last].bytes[0] != 7)
        --last;
    memcpy(bytes, s.sent.items[last].bytes, 15); // with ENet's id of the peer
    bytes[13] &= 0x7f;                           // and without a time
    for (uint32_t i = 0; i < 8; ++i)
        bytes[5 + i] = (uint8_t)(number >> 8 * i);
    memcpy(bytes + 15, commands, size);
    inject(&s, bytes, 15 + size);
}

static void peers_that_fill_memory_are_thrown_out(void **state) {
    (void)state;
    start_plain();
    // Empty unreliable packets behind a reliable one that never comes.
    for (uint32_t i = 1; i <= 17000; ++i) {
        const uint8_t command[8] = {7, 3, 0, 100, (uint8_t)(i >> 8), (uint8_t)i, 0, 0};
        inject_commands(1000 + i, command, sizeof(command));
        if (i % 1000 == 0)
            nodes_step(&s.n, STEP_MS);
    }
    nodes_run(&s.n, 400);
    assert_int_equal(last_event(s.host, CT_NETWORK_TRANSPORT_DISCONNECTED).reason,
                     CT_NETWORK_REASON_BROKEN);
    assert_int_equal(stats_of(s.host).num_peers, 0);
    nodes_end(&s.n);
}

static void parts_of_packets_keep_to_measure(void **state) {
    (void)state;
    start_plain();
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_bytes;
    for (uint32_t i = 0; i < 1000; ++i) {
        // A packet of one byte in a million parts.
        const uint8_t command[25] = {0x88, 2,    0x01, (uint8_t)i, 0x01, (uint8_t)i, 0, 1, 0, 0x0f,
                                     0xff, 0xff, 0,    0,          0,    0,          0, 0, 0, 1};
        inject_commands(1000 + i, command, sizeof(command));
    }
    nodes_step(&s.n, STEP_MS);
    assert_true(ct_allocator_stats_of(test_heap()).live_bytes < before + (1 << 20));
    assert_int_equal(stats_of(s.host).num_peers, 1);
    nodes_end(&s.n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replayed_datagrams_are_dropped),
        cmocka_unit_test(other_addresses_are_dropped),
        cmocka_unit_test(damaged_datagrams_are_dropped),
        cmocka_unit_test(unsealed_datagrams_are_dropped),
        cmocka_unit_test(damage_on_the_way_costs_time_only),
        cmocka_unit_test(noise_of_any_kind_is_dropped),
        cmocka_unit_test(forged_addresses_cost_no_state),
        cmocka_unit_test(cookies_hold_for_their_address_and_a_minute),
        cmocka_unit_test(a_begin_that_comes_twice_is_accepted_once),
        cmocka_unit_test(answers_are_no_longer_than_questions),
        cmocka_unit_test(a_flood_of_attempts_does_not_starve_players),
        cmocka_unit_test(a_thousand_handshakes_a_second_cost_little),
        cmocka_unit_test(a_thousand_without_the_password_keep_no_player_out),
        cmocka_unit_test(half_open_ones_give_way),
        cmocka_unit_test(floods_of_noise_do_not_starve_players),
        cmocka_unit_test(a_peer_that_stops_reading_is_an_overflow),
        cmocka_unit_test(peers_that_fill_memory_are_thrown_out),
        cmocka_unit_test(parts_of_packets_keep_to_measure),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
