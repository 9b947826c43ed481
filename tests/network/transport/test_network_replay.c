// A log of what a transport saw, played to another: the program over it does the same.
#include "foundation/math/random.h"
#include "network/transport/nodes.h"

// A log: what a tap saw, with its bytes.
typedef struct taped {
    CT_ARRAY(ct_network_tap) items;
} taped;

static const uint8_t *copy(const uint8_t *bytes, uint32_t size) {
    uint8_t *const copied = ct_alloc(test_heap(), size);
    if (size > 0)
        memcpy(copied, bytes, size);
    return copied;
}

static void record(void *data, const ct_network_tap *what) {
    taped *const t = data;
    ct_network_tap kept = *what;
    kept.bytes = what->bytes ? copy(what->bytes, what->size) : NULL;
    kept.event.bytes = what->event.bytes ? copy(what->event.bytes, what->event.size) : NULL;
    ct_array_push(&t->items, kept);
}

static void free_tape(taped *t) {
    for (uint32_t i = 0; i < t->items.count; ++i) {
        ct_free(test_heap(), (void *)t->items.items[i].bytes);
        ct_free(test_heap(), (void *)t->items.items[i].event.bytes);
    }
    ct_array_free(&t->items);
}

// A program over a link, whose state depends on everything that it hears.
typedef struct program {
    ct_network_link link;
    uint64_t hash;
    ct_peer_id peers[4];
} program;

static void mix(program *p, uint64_t value) {
    p->hash = (p->hash ^ value) * UINT64_C(0x100000001b3) + 1;
}

static void handle(program *p, const ct_network_transport_event *event) {
    char address[CT_NETWORK_ADDRESS_BYTES] = {0};
    mix(p, event->kind * 1000 + event->reason);
    mix(p, event->peer);
    for (uint32_t i = 0; i < event->size; ++i)
        mix(p, event->bytes[i]);
    for (uint32_t i = 0; i < 4; ++i) {
        if (event->kind == CT_NETWORK_TRANSPORT_CONNECTED && p->peers[i] == 0) {
            p->peers[i] = event->peer;
            mix(p, p->link.address(p->link.data, event->peer, address));
            mix(p, (uint64_t)address[7]);
            break;
        }
        if (event->kind == CT_NETWORK_TRANSPORT_DISCONNECTED && p->peers[i] == event->peer)
            p->peers[i] = 0;
    }
}

static void act(program *p, uint32_t frame) {
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_peer_id peer = p->peers[i];
        if (peer == 0)
            continue;
        mix(p, p->link.room(p->link.data, peer));
        mix(p, (uint64_t)(p->link.round_trip(p->link.data, peer) * 1000));
        mix(p, p->link.send(p->link.data, peer, CT_NETWORK_STATE, false, &p->hash, 8));
        if (frame % 7 == 0)
            mix(p, p->link.send(p->link.data, peer, CT_NETWORK_SESSION, true, &p->hash, 8));
        if (frame == 250 + i * 100)
            p->link.disconnect(p->link.data, peer, CT_NETWORK_REASON_KICKED);
    }
}

enum { FRAMES = 700 };

// Runs the program with three others for some seconds. Returns its hash; `times` of each frame.
static uint64_t run_live(taped *tape, uint64_t *times) {
    nodes n;
    nodes_start(&n);
    n.conditions =
        (ct_network_conditions){.loss_percent = 5, .delay_ns = 20000000, .jitter_ns = 10000000};
    n.seed = 11;
    node *const at = nodes_add(
        &n, &(ct_network_transport_desc){.tap = record, .tap_data = tape, .bandwidth = 500});
    for (uint32_t i = 1; i < 4; ++i)
        nodes_add(&n, NULL);
    program p = {.link = at->link};
    ct_network_transport *const t = at->transport;
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        if (frame % 50 == 1 && frame < 200)
            ct_network_transport_connect(n.items[frame / 50 % 3 + 1].transport, 0, address_of(0));
        at->transport = NULL; // the program takes its events itself
        nodes_step(&n, STEP_MS);
        at->transport = t;
        times[frame] = n.now_ns;
        ct_network_transport_event event;
        ct_network_transport_update(t, n.now_ns);
        while (ct_network_transport_next(t, &event))
            handle(&p, &event);
        act(&p, frame);
        ct_network_transport_flush(t);
        for (uint32_t i = 1; i < 4; ++i) {
            send_text(&n.items[i], id_of(0), CT_NETWORK_STATE, "state");
            send_text(&n.items[i], id_of(0), CT_NETWORK_SESSION, frame % 3 ? "a" : "bcd");
        }
    }
    assert_true(count_events(&n.items[1], CT_NETWORK_TRANSPORT_PACKET) > 0);
    nodes_end(&n);
    return p.hash;
}

static uint64_t run_replay(const taped *tape, const uint64_t *times, uint32_t changed_frame,
                           uint64_t *divergences) {
    ct_network_transport *const t = ct_network_transport_create(
        &(ct_network_transport_desc){.allocator = test_heap(), .self = id_of(0)});
    program p = {.link = ct_network_transport_link(t)};
    uint32_t at = 0;
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        for (; at < tape->items.count && tape->items.items[at].now_ns <= times[frame]; ++at)
            ct_network_transport_play(t, &tape->items.items[at]);
        ct_network_transport_event event;
        ct_network_transport_update(t, times[frame]);
        while (ct_network_transport_next(t, &event))
            handle(&p, &event);
        act(&p, frame == changed_frame ? 0 : frame);
        ct_network_transport_flush(t);
    }
    *divergences = ct_network_transport_stats_of(t).divergences;
    ct_network_transport_destroy(t);
    return p.hash;
}

static void replays_do_the_same(void **state) {
    (void)state;
    taped tape;
    uint64_t times[FRAMES], divergences = 7;
    ct_array_init(&tape.items, test_heap());
    const uint64_t hash = run_live(&tape, times);
    assert_true(tape.items.count > 1000);
    assert_true(run_replay(&tape, times, UINT32_MAX, &divergences) == hash);
    assert_int_equal(divergences, 0);
    // A program that does something else is noticed.
    assert_true(run_replay(&tape, times, 151, &divergences) != hash);
    assert_true(divergences > 0);
    free_tape(&tape);
}

static void taps_see_datagrams_and_packets(void **state) {
    (void)state;
    taped tape;
    ct_array_init(&tape.items, test_heap());
    nodes n;
    nodes_start(&n);
    nodes_add(&n, NULL);
    node *const client =
        nodes_add(&n, &(ct_network_transport_desc){.tap = record, .tap_data = &tape});
    nodes_connect(&n, 1, 0);
    send_text(client, id_of(0), CT_NETWORK_LOBBY, "secret words");
    nodes_run(&n, 50);
    client->link.disconnect(client->link.data, id_of(0), CT_NETWORK_REASON_LEFT);
    nodes_run(&n, 50);
    uint32_t counts[CT_NETWORK_TAP_DATAGRAM_OUT + 1] = {0};
    for (uint32_t i = 0; i < tape.items.count; ++i) {
        const ct_network_tap *const what = &tape.items.items[i];
        ++counts[what->kind];
        if (what->kind == CT_NETWORK_TAP_SENT) {
            assert_int_equal(what->size, 12);
            assert_memory_equal(what->bytes, "secret words", 12);
            assert_true(what->is_ok && what->is_reliable);
        } else if (what->kind == CT_NETWORK_TAP_DATAGRAM_OUT) {
            assert_null(memmem(what->bytes, what->size, "secret words", 12)); // it is sealed
            assert_true(ct_datagram_address_equal(what->address, address_of(0)));
        }
    }
    assert_int_equal(counts[CT_NETWORK_TAP_EVENT], 2);
    assert_int_equal(counts[CT_NETWORK_TAP_SENT], 1);
    assert_int_equal(counts[CT_NETWORK_TAP_CONNECT], 1);
    assert_int_equal(counts[CT_NETWORK_TAP_DISCONNECT], 1);
    assert_true(counts[CT_NETWORK_TAP_DATAGRAM_IN] > 4 && counts[CT_NETWORK_TAP_DATAGRAM_OUT] > 4);
    nodes_end(&n);
    free_tape(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replays_do_the_same),
        cmocka_unit_test(taps_see_datagrams_and_packets),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
