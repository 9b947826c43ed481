// Bodies that move: what arrives is what was sent, whatever it was written against, in few bytes;
// the times of what is forwarded are those of its owner.
#include <math.h>

#include "network/fields/network_interpolation.h"
#include "network/session/network_session_private.h"
#include "network/session/session_fixture.h"

enum { BODIES = 40, TIMES = 4096 };

static test_network net;
static ct_network_object_id ids[BODIES];
static uint32_t num_bodies, mover;

// What the mover had at each millisecond, as a hash of each body's words; 0: nothing was sent.
static uint64_t sent[TIMES][BODIES];
static uint32_t num_compared;

static int set_up(void **state) {
    test_network_init(&net, 29);
    memset(sent, 0, sizeof(sent));
    num_compared = num_bodies = mover = 0;
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

static void create(uint32_t node, uint32_t count) {
    mover = node;
    for (uint32_t i = 0; i < count; ++i) {
        ids[i] = ct_network_session_create_object(net.nodes[node].session, session_object("body"),
                                                  NULL, NULL);
        assert_int_not_equal(ids[i], 0);
    }
    num_bodies = count;
}

static uint64_t hash_of(const test_node *node, uint32_t body) {
    const ct_network_record_type *const type =
        &ct_network_config_objects(session_config)[session_object("body")];
    return ct_network_record_hash(type, ct_network_session_words(node->session, ids[body]));
}

// Bodies go around, each at its own speed, and turn.
static void set_body(test_node *node, uint32_t i) {
    const float t = (float)net.now, speed = 0.2f * (float)(i + 1), angle = speed * t / 5;
    session_set(node, ids[i], "body", "position",
                session_vector((float)i + 5 * cosf(angle), 5 * sinf(angle), 0.5f));
    session_set(node, ids[i], "body", "velocity",
                session_vector(-speed * sinf(angle), speed * cosf(angle), 0));
    const ct_network_value rotation = {.kind = CT_NETWORK_ROTATION,
                                       .parts = {0, sinf(angle / 2), 0, cosf(angle / 2)}};
    session_set(node, ids[i], "body", "rotation", rotation);
}

static void move(void *user, test_node *node) {
    (void)user;
    if (node->index != mover)
        return;
    for (uint32_t i = 0; i < num_bodies; ++i)
        set_body(node, i);
    const uint32_t time = ct_network_session_time(node->session, net.now);
    for (uint32_t i = 0; i < num_bodies; ++i)
        sent[time % TIMES][i] = hash_of(node, i);
}

// Compares what came to the words that the mover had at the time of the event.
static void compare(const test_node *node) {
    uint32_t count, last[BODIES] = {0};
    const ct_network_event *const events = ct_network_session_events(node->session, &count);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < num_bodies; ++k)
            if (events[i].type == CT_NETWORK_EVENT_FIELDS && events[i].object == ids[k])
                last[k] = events[i].time; // the session has the last words
    for (uint32_t k = 0; k < num_bodies; ++k) {
        if (last[k] == 0)
            continue;
        if (sent[last[k] % TIMES][k] != hash_of(node, k))
            fail_msg("node %u: body %u has other words than were sent at %u", node->index, k,
                     last[k]);
        ++num_compared;
    }
}

static void move_and_compare(void *user, test_node *node) {
    if (node->index == mover)
        move(user, node);
    else
        compare(node);
}

// Packets of fields that were of no use; those of joining do not count.
static uint64_t dropped_before[TEST_NETWORK_MAX_NODES];

static uint64_t dropped(uint32_t node) {
    return ct_network_session_counts_of(net.nodes[node].session).dropped_packets -
           dropped_before[node];
}

static void start(uint32_t num_clients, uint32_t rate) {
    memset(dropped_before, 0, sizeof(dropped_before));
    session_start(&net, num_clients, &(ct_network_session_desc){.rate = rate});
    for (uint32_t i = 0; i <= num_clients; ++i)
        dropped_before[i] = dropped(i);
}

static void all_rest_and_agree(void) {
    test_network_run(&net, 8, NULL, NULL);
    session_assert_equal(&net);
}

// --- Sizes ---------------------------------------------------------------------------------------

static double bytes_of_tick(void) {
    const ct_network_session *const s = net.nodes[mover].session;
    const ct_network_session_counts before = ct_network_session_counts_of(s);
    test_network_run(&net, 5, move, NULL);
    const ct_network_session_counts after = ct_network_session_counts_of(s);
    return (double)(after.state_bytes - before.state_bytes) * num_bodies /
           (double)(after.entries - before.entries);
}

static void motion_takes_few_bytes(void **state) {
    (void)state;
    net.least_delay = net.most_delay = 0.04f;
    start(1, 60);
    create(0, BODIES);
    test_network_run(&net, 1, move, NULL);
    const double bytes = bytes_of_tick();
    print_message("%.1f bytes a tick\n", bytes);
    assert_true(bytes < 20 + 4.6 * BODIES); // 37 bits each, with their velocities
}

// What waits for its turn is in some packets only: the usual base is not that of all.
static void motion_that_waits_takes_few_bytes(void **state) {
    (void)state;
    net.bytes_per_second = 3000;
    start(1, 60);
    create(0, BODIES);
    test_network_run(&net, 3, move, NULL);
    const double bytes = bytes_of_tick();
    print_message("%.1f bytes a tick\n", bytes);
    assert_true(bytes < 10 * BODIES);
    all_rest_and_agree();
}

// --- Ways that are bad ---------------------------------------------------------------------------

static void what_arrives_is_what_was_sent(void **state) {
    (void)state;
    static const struct {
        float loss, least, most, bytes;
        uint32_t rate;
    } ways[] = {{0, 0.01f, 0.02f, 0, 60},       {0.02f, 0.04f, 0.06f, 0, 60},
                {0.3f, 0.05f, 0.25f, 0, 30},    {0.6f, 0.02f, 0.04f, 0, 60},
                {0.1f, 0.4f, 0.9f, 0, 20},      {0.1f, 0.03f, 0.05f, 3000, 60},
                {0.05f, 0.001f, 0.002f, 0, 60}, {0, 0.2f, 0.21f, 0, 60}};
    for (uint32_t i = 0; i < CT_COUNT_OF(ways); ++i) {
        if (i > 0)
            test_network_free(&net);
        test_network_init(&net, 100 + i);
        start(2, ways[i].rate);
        net.loss = ways[i].loss;
        net.least_delay = ways[i].least;
        net.most_delay = ways[i].most;
        net.bytes_per_second = ways[i].bytes;
        create(i % 2, BODIES);
        test_network_run(&net, 5, NULL, NULL); // known to all
        num_compared = 0;
        // The words that wait at the mover are those of the last frame.
        test_network_run(&net, 4, move_and_compare, NULL);
        assert_true(num_compared > 100);
        for (uint32_t node = 0; node < 3; ++node)
            assert_int_equal(dropped(node), 0);
        net.loss = 0;
        all_rest_and_agree();
    }
}

// A second peer gets its packets in other frames: what is kept of the words is used up twice as fast.
static void peers_get_words_of_other_frames(void **state) {
    (void)state;
    start(1, 30);
    create(0, BODIES);
    net.least_delay = net.most_delay = 0.25f;
    test_network_run(&net, 2, move, NULL);
    test_network_run(&net, net.frame, move, NULL);
    const ct_network_session_desc d = {.config = session_config, .rate = 30};
    test_network_join(test_network_add(&net, &d), &net.nodes[0]);
    test_network_run(&net, 4, move, NULL);
    test_network_run(&net, 4, move_and_compare, NULL);
    assert_true(num_compared > 1000);
    all_rest_and_agree();
}

static void answers_that_are_missing_do_no_harm(void **state) {
    (void)state;
    start(1, 60);
    create(0, BODIES);
    test_network_run(&net, 2, move, NULL);
    for (uint32_t i = 0; i < 5; ++i) { // nothing comes for longer than is kept
        net.loss = 1;
        test_network_run(&net, 0.2 * (i + 1), move, NULL);
        net.loss = 0;
        test_network_run(&net, 0.3, move_and_compare, NULL);
    }
    assert_int_equal(dropped(1), 0);
    all_rest_and_agree();
}

static void motion_goes_on_after_a_rest(void **state) {
    (void)state;
    start(1, 30);
    create(0, BODIES);
    for (uint32_t i = 0; i < 4; ++i) {
        test_network_run(&net, 1, move_and_compare, NULL);
        test_network_run(&net, 1 + 4 * i, NULL, NULL); // also longer than is moved over
    }
    assert_true(num_compared > 0);
    assert_int_equal(dropped(1), 0);
    session_assert_equal(&net);
}

// --- Owners, peers and hosts that change ---------------------------------------------------------

static void owners_change_in_motion(void **state) {
    (void)state;
    net.loss = 0.2f;
    start(3, 30);
    create(1, 20);
    for (uint32_t i = 0; i < 12; ++i) {
        test_network_run(&net, 0.4, move, NULL);
        test_node *const next = &net.nodes[(mover + 1 + i % 2) % 4];
        for (uint32_t k = 0; k < num_bodies; ++k)
            assert_true(
                ct_network_session_give_object(net.nodes[mover].session, ids[k], next->peer, NULL));
        test_network_run(&net, 0.1 * (i % 5), NULL, NULL);
        mover = next->index;
    }
    all_rest_and_agree();
}

static void owners_that_come_back_begin_again(void **state) {
    (void)state;
    start(1, 30);
    create(0, 4);
    for (uint32_t i = 0; i < 6; ++i) {
        test_network_run(&net, 0.5, move, NULL);
        test_network_run(&net, 0.5, NULL, NULL);
        for (uint32_t k = 0; k < num_bodies; ++k)
            assert_true(ct_network_session_give_object(net.nodes[mover].session, ids[k],
                                                       net.nodes[!mover].peer, NULL));
        mover = !mover;
        test_network_run(&net, 0.2, NULL, NULL);
    }
    assert_int_equal(dropped(0) + dropped(1), 0);
    session_assert_equal(&net);
}

static void objects_in_the_place_of_others_begin_again(void **state) {
    (void)state;
    start(1, 60);
    for (uint32_t i = 0; i < 6; ++i) {
        create(0, BODIES);
        test_network_run(&net, 0.3, NULL, NULL);
        // Every second one is sent once, the next has the same version then.
        test_network_run(&net, i % 2 ? 1 : net.frame / 2, move_and_compare, NULL);
        test_network_run(&net, 0.3, NULL, NULL);
        session_assert_equal(&net);
        for (uint32_t k = BODIES; k-- > 0;) // the next gets the place of the one with its number
            assert_true(ct_network_session_destroy_object(net.nodes[0].session, ids[k], NULL));
    }
    assert_int_equal(dropped(1), 0);
}

static void peers_join_in_motion(void **state) {
    (void)state;
    net.loss = 0.1f;
    start(1, 30);
    create(1, BODIES);
    const ct_network_session_desc d = {.config = session_config};
    for (uint32_t i = 0; i < 4; ++i) {
        test_network_run(&net, 0.7, move, NULL);
        test_network_join(test_network_add(&net, &d), &net.nodes[0]);
    }
    test_network_run(&net, 3, move, NULL);
    assert_int_equal(dropped(0), 0);
    all_rest_and_agree();
}

static void hosts_change_in_motion(void **state) {
    (void)state;
    start(3, 30);
    create(2, BODIES);
    net.loss = 0.1f;
    test_network_run(&net, 2, move, NULL);
    assert_true(ct_network_session_migrate(net.nodes[0].session, 0, net.now, NULL));
    test_network_run(&net, 4, move, NULL);
    assert_true(ct_network_session_is_host(net.nodes[1].session));
    test_network_crash(&net.nodes[1]);
    test_network_run(&net, 10, move, NULL);
    all_rest_and_agree();
    assert_int_equal(ct_network_session_objects(net.nodes[3].session, 0, NULL, 0), BODIES);
}

// --- Times of what is forwarded ------------------------------------------------------------------

// What a node shows of body 0, which moves at 10 m/s, and how even that is.
typedef struct viewer {
    ct_network_buffer *buffer;
    double delay; // fixed
    double sum, squares, count;
} viewer;

static viewer viewers[3];
static const float runner_speed = 10;

static void run_and_view(void *user, test_node *node) {
    (void)user;
    const double now = ct_network_session_time(node->session, net.now) * 1e-3;
    if (node->index == mover) {
        const float x = runner_speed * (float)(net.now - 100) - 450;
        session_set(node, ids[0], "body", "position", session_vector(x, 0, 0));
        return;
    }
    viewer *const v = &viewers[node->index];
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(node->session, &count);
    for (uint32_t i = count; i-- > 0;)
        if (events[i].type == CT_NETWORK_EVENT_FIELDS)
            ct_network_buffer_add(v->buffer, events[i].time * 1e-3,
                                  ct_network_session_words(node->session, ids[0]));
    ct_network_moment moment;
    if (net.now < 106 || !ct_network_buffer_find(v->buffer, now - v->delay, 0, &moment))
        return;
    const ct_network_value shown = ct_network_moment_value(
        session_config, &ct_network_config_objects(session_config)[session_object("body")], &moment,
        session_field("body", "position"), UINT32_MAX);
    const double behind = net.now - 100 - ((double)shown.parts[0] + 450) / (double)runner_speed;
    v->sum += behind;
    v->squares += behind * behind;
    ++v->count;
}

static double deviation_of(const viewer *v) {
    const double mean = v->sum / v->count;
    return sqrt(fmax(0, v->squares / v->count - mean * mean));
}

static void what_is_forwarded_is_shown_as_evenly(void **state) {
    (void)state;
    start(2, 60);
    net.least_delay = 0.02f;
    net.most_delay = 0.08f; // those that come after a newer one are lost
    create(1, 1);
    for (uint32_t i = 0; i < 3; i += 2)
        viewers[i] = (viewer){
            .buffer = ct_network_buffer_create(
                test_heap(), &ct_network_config_objects(session_config)[session_object("body")]),
            .delay = i ? 0.35 : 0.2};
    test_network_run(&net, 30, run_and_view, NULL);
    const double direct = deviation_of(&viewers[0]), forwarded = deviation_of(&viewers[2]);
    print_message("milliseconds off: %.2f direct, %.2f forwarded\n", direct * 1000,
                  forwarded * 1000);
    for (uint32_t i = 0; i < 3; i += 2)
        ct_network_buffer_destroy(viewers[i].buffer);
    assert_true(viewers[2].count > 1000);
    // The clocks of both ends are a little off; with the host's times it is 11 milliseconds.
    assert_true(forwarded < 0.006 && forwarded < 1.5 * direct);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(motion_takes_few_bytes),
        TEST(motion_that_waits_takes_few_bytes),
        TEST(what_arrives_is_what_was_sent),
        TEST(peers_get_words_of_other_frames),
        TEST(answers_that_are_missing_do_no_harm),
        TEST(motion_goes_on_after_a_rest),
        TEST(owners_change_in_motion),
        TEST(owners_that_come_back_begin_again),
        TEST(objects_in_the_place_of_others_begin_again),
        TEST(peers_join_in_motion),
        TEST(hosts_change_in_motion),
        TEST(what_is_forwarded_is_shown_as_evenly),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
