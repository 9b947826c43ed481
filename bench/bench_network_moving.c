// bench_network_moving.c: what the worst scene of a session costs on the wire, and how true it is.
//
// 100 bodies that all move, at 60 Hz to one peer, 20 seconds after 3 that do not count: a third
// falls and bounces, a third drives in curves, a third rolls; each is hit about every second second,
// which changes its velocities. Their mean speed is about 6 m/s; they turn at up to 8 rad/s. A
// position has 15 bits in ±100 m, a rotation 10. The round trip is 80 ms, 2 % of the datagrams are
// lost, both ways. Whole networks in virtual time, sealed: all figures are the same at each run.
//
// `network_moving`: all that goes to the peer, with 28 bytes of IP and UDP for each datagram, beside
// the limit. `network_moving_state`: the largest distance of a position that came from where the
// body was then. `network_moving_shown`: of what is shown between updates (network_interpolation.h)
// from where the body was at that time, 99 of 100 are nearer. Both beside 1 cm.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "bench_network.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "network/fields/network_interpolation.h"

enum { RATE = 60, WARM_UP = 3 * RATE, TICKS = 20 * RATE, KEPT = 128, IP_AND_UDP = 28, PORT = 4000 };
enum { LIMIT_KBITS = 256, BINS = 4000 };
static const double bin_cm = 0.01;

typedef struct scene {
    ct_bench_bodies bodies;
    ct_network_wire_net *net;
    ct_network_wire *wires[2];
    ct_network *nodes[2]; // the host, its peer
    ct_network_object_id ids[CT_BENCH_BODIES];
    ct_network_buffer *buffers[CT_BENCH_BODIES];
    ct_network_delay delay;
    ct_vec3 places[KEPT][CT_BENCH_BODIES]; // where the bodies were at a tick
    double times[KEPT];                    // of the session
    uint64_t now;
    uint32_t tick;
} scene;

// What a run brought.
static double kbits, state_cm, shown_cm;
static uint32_t bins[BINS];

static ct_datagram_address address_of(uint32_t i) {
    return (ct_datagram_address){.ip = 0x0a000001 + i, .port = PORT};
}

static ct_network_session *session_of(const scene *s, uint32_t node) {
    return ct_network_session_of(s->nodes[node]);
}

static double seconds(const scene *s) {
    return (double)s->now * 1e-9;
}

// --- Truth ---------------------------------------------------------------------------------------

static float distance_cm(ct_vec3 a, ct_vec3 b) {
    return 100 * ct_vec3_length(ct_vec3_sub(a, b));
}

// Where a body was at a time of the session. Returns false when that is not known any more.
static bool place_at(const scene *s, uint32_t body, double time, ct_vec3 *place) {
    for (uint32_t back = 0; back + 1 < KEPT && back < s->tick; ++back) {
        const uint32_t to = (s->tick - back) % KEPT, from = (s->tick - back - 1) % KEPT;
        if (time < s->times[from] || time > s->times[to])
            continue;
        const float share = (float)((time - s->times[from]) / (s->times[to] - s->times[from]));
        *place = ct_vec3_lerp(s->places[from][body], s->places[to][body], share);
        return true;
    }
    return false;
}

static void keep_places(scene *s) {
    const uint32_t kept = ++s->tick % KEPT;
    s->times[kept] = ct_network_session_time(session_of(s, 0), seconds(s)) * 1e-3;
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i)
        s->places[kept][i] = s->bodies.items[i].position;
}

// --- The peer ------------------------------------------------------------------------------------

static void note_update(scene *s, const ct_network_event *e, bool counts) {
    uint32_t body = 0;
    while (body < CT_BENCH_BODIES && s->ids[body] != e->object)
        ++body;
    const uint32_t *const words = ct_network_session_words(session_of(s, 1), e->object);
    if (body == CT_BENCH_BODIES || !words)
        return;
    ct_network_buffer_add(s->buffers[body], e->time * 1e-3, words);
    ct_vec3 place;
    if (counts && place_at(s, body, e->time * 1e-3, &place))
        state_cm = fmax(state_cm, (double)distance_cm(ct_bench_body_position(words), place));
}

static void note_shown(scene *s, double now) {
    const double shown = ct_network_delay_time(&s->delay, now);
    const ct_network_record_type *const type = ct_network_config_objects(ct_bench_network_config());
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i) {
        ct_network_moment moment;
        ct_vec3 place;
        if (!ct_network_buffer_find(s->buffers[i], shown, 0, &moment) ||
            !place_at(s, i, shown, &place))
            continue;
        const ct_network_value v =
            ct_network_moment_value(ct_bench_network_config(), type, &moment, 0, UINT32_MAX);
        const double cm =
            (double)distance_cm((ct_vec3){{v.parts[0], v.parts[1], v.parts[2]}}, place);
        const uint32_t bin = (uint32_t)(cm / bin_cm);
        ++bins[bin < BINS ? bin : BINS - 1];
    }
}

static void look(scene *s, bool counts) {
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(session_of(s, 1), &count);
    const double now = ct_network_session_time(session_of(s, 1), seconds(s)) * 1e-3;
    double sent = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].type == CT_NETWORK_EVENT_FIELDS)
            sent = events[i].time * 1e-3;
    // The words are those of the last event: older ones of the same update are too old for a buffer.
    for (uint32_t i = count; i-- > 0;)
        if (events[i].type == CT_NETWORK_EVENT_FIELDS && events[i].time * 1e-3 == sent)
            note_update(s, &events[i], counts);
    if (sent > 0)
        ct_network_delay_add(&s->delay, sent, now);
    if (counts)
        note_shown(s, now);
}

// --- The run -------------------------------------------------------------------------------------

static void step(scene *s, bool counts) {
    s->now += 1000000000 / RATE;
    for (uint32_t i = 0; i < 2; ++i)
        ct_network_update(s->nodes[i], s->now);
    if (s->ids[0]) {
        ct_bench_bodies_step(&s->bodies, 1.0f / RATE);
        ct_bench_bodies_send(&s->bodies, session_of(s, 0), s->ids);
        keep_places(s);
        look(s, counts);
    }
    for (uint32_t i = 0; i < 2; ++i)
        ct_network_transmit(s->nodes[i], s->now);
}

static void begin(scene *s) {
    ct_allocator *const a = ct_bench_heap();
    ct_bench_network_begin();
    ct_bench_bodies_init(&s->bodies, 3);
    s->now = 1000000000;
    s->net = ct_network_wire_net_create(a);
    const ct_network_conditions conditions = {.loss_percent = 2, .delay_ns = 40000000};
    for (uint32_t i = 0; i < 2; ++i) {
        s->wires[i] = ct_network_wire_in_net(s->net, address_of(i), NULL);
        ct_network_wire_set_conditions(s->wires[i], &conditions, 77 + i);
        s->nodes[i] = ct_network_create(&(ct_network_desc){.allocator = a,
                                                           .config = ct_bench_network_config(),
                                                           .wire = s->wires[i],
                                                           .self = 100 + i},
                                        NULL);
        CT_REQUIRE(s->nodes[i] && ct_network_create_session(
                                      s->nodes[i], &(ct_network_session_desc){.rate = RATE}, NULL),
                   "a network");
    }
    CT_REQUIRE(
        ct_network_session_host(session_of(s, 0), seconds(s), NULL) &&
            ct_network_session_join(session_of(s, 1), 100, "10.0.0.1:4000", seconds(s), NULL),
        "a session");
    for (uint32_t i = 0; i < 2 * RATE; ++i)
        step(s, false);
    CT_REQUIRE(ct_network_session_state_of(session_of(s, 1)) == CT_NETWORK_SESSION_IN, "joined");
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i) {
        s->ids[i] = ct_network_session_create_object(session_of(s, 0), 0, NULL, NULL);
        s->buffers[i] =
            ct_network_buffer_create(a, ct_network_config_objects(ct_bench_network_config()));
    }
}

static void end(scene *s) {
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i)
        ct_network_buffer_destroy(s->buffers[i]);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_network_destroy(s->nodes[i]);
        ct_network_wire_destroy(s->wires[i]);
    }
    ct_network_wire_net_destroy(s->net);
    ct_bench_network_end();
}

static double bytes_sent(const scene *s) {
    const ct_network_wire_stats stats = ct_network_wire_stats_of(s->wires[0]);
    return (double)(stats.bytes_sent + IP_AND_UDP * stats.datagrams_sent);
}

static void run(void) {
    scene *const s = ct_alloc(ct_bench_heap(), sizeof(*s));
    memset(s, 0, sizeof(*s));
    memset(bins, 0, sizeof(bins));
    state_cm = 0;
    begin(s);
    for (uint32_t i = 0; i < WARM_UP; ++i)
        step(s, false);
    const double before = bytes_sent(s);
    for (uint32_t i = 0; i < TICKS; ++i)
        step(s, true);
    kbits = (bytes_sent(s) - before) * 8 / 1000 * RATE / TICKS;
    uint64_t all = 0, nearer = 0;
    for (uint32_t i = 0; i < BINS; ++i)
        all += bins[i];
    for (uint32_t i = 0; i < BINS && nearer * 100 < all * 99; ++i) {
        nearer += bins[i];
        shown_cm = (i + 1) * bin_cm;
    }
    end(s);
    ct_free(ct_bench_heap(), s);
}

static double run_kbits(void) {
    run();
    return kbits;
}

static double run_state(void) {
    run();
    return state_cm;
}

static double run_shown(void) {
    run();
    return shown_cm;
}

static double limit_kbits(void) {
    return LIMIT_KBITS;
}

static double limit_cm(void) {
    return 1;
}

static const ct_bench_case cases[] = {
    {"network_moving", "100 bodies at 60 Hz", "the limit", "kbit/s", 1, 1, NULL, NULL, run_kbits,
     limit_kbits},
    {"network_moving_state", "the farthest", "the limit", "cm", 1, 1, NULL, NULL, run_state,
     limit_cm},
    {"network_moving_shown", "99 of 100", "the limit", "cm", 1, 1, NULL, NULL, run_shown, limit_cm},
};

const ct_bench_group ct_bench_network_moving = {"network", cases, CT_COUNT_OF(cases)};
