// Messages: to one, to the host, to all; in order with objects, or lost.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "network/session/session_fixture.h"

static test_network net;

static int set_up(void **state) {
    test_network_init(&net, 17);
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

static void start_words(const char *message, uint32_t *words) {
    const ct_network_record_type *const record =
        &ct_network_config_messages(session_config)[session_message(message)];
    memcpy(words, ct_network_record_defaults(session_config, record),
           sizeof(uint32_t) * record->num_words);
}

static bool say(uint32_t node, ct_peer_id to, const char *text, ct_network_object_id about,
                ct_error *error) {
    const ct_network_record_type *const record =
        &ct_network_config_messages(session_config)[session_message("say")];
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words("say", words);
    const ct_network_value t = session_string(text), o = {.kind = CT_NETWORK_OBJECT, .id = about};
    assert_true(ct_network_record_set(session_config, record, 0, UINT32_MAX, &t, words, NULL));
    assert_true(ct_network_record_set(session_config, record, 1, UINT32_MAX, &o, words, NULL));
    return ct_network_session_send(net.nodes[node].session, to, session_message("say"), words,
                                   error);
}

// What each node heard: the first letters of the texts.
static char heard[TEST_NETWORK_MAX_NODES][2000];
static bool all_about_known;
static ct_peer_id last_sender[TEST_NETWORK_MAX_NODES];

static void listen(void *user, test_node *node) {
    (void)user;
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(node->session, &count);
    const ct_network_record_type *const record =
        &ct_network_config_messages(session_config)[session_message("say")];
    for (uint32_t i = 0; i < count; ++i) {
        if (events[i].type != CT_NETWORK_EVENT_MESSAGE ||
            events[i].record != session_message("say"))
            continue;
        assert_int_equal(events[i].num_words, record->num_words);
        const ct_network_value text =
            ct_network_record_get(session_config, record, 0, UINT32_MAX, events[i].words);
        const ct_network_value about =
            ct_network_record_get(session_config, record, 1, UINT32_MAX, events[i].words);
        strncat(heard[node->index], text.string.text, text.string.bytes);
        last_sender[node->index] = events[i].peer;
        if (about.id)
            all_about_known &= ct_network_session_words(node->session, (uint32_t)about.id) != NULL;
    }
}

static void run(double seconds) {
    memset(heard, 0, sizeof(heard));
    all_about_known = true;
    test_network_run(&net, seconds, listen, NULL);
}

static void reach_whom_they_are_for(void **state) {
    (void)state;
    session_start(&net, 3, NULL);
    assert_true(say(1, 0, "a", 0, NULL));
    run(0.5);
    assert_string_equal(heard[0], "a");
    assert_string_equal(heard[1], "");
    assert_string_equal(heard[2], "a");
    assert_string_equal(heard[3], "a");
    assert_true(last_sender[3] == net.nodes[1].peer);
    assert_true(say(1, net.nodes[0].peer, "h", 0, NULL));
    assert_true(say(1, net.nodes[2].peer, "c", 0, NULL));
    assert_true(say(0, net.nodes[3].peer, "d", 0, NULL));
    assert_true(say(0, 0, "e", 0, NULL));
    run(0.5);
    assert_string_equal(heard[0], "h");
    assert_string_equal(heard[1], "e");
    assert_true(strcmp(heard[2], "ce") == 0 || strcmp(heard[2], "ec") == 0);
    assert_string_equal(heard[3], "de");
}

static void refuses_peers_that_are_not_there(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    ct_error error = {0};
    assert_false(say(1, net.nodes[1].peer, "a", 0, &error));
    assert_non_null(strstr(error.message, "not another peer"));
    assert_false(say(1, 1234, "a", 0, &error));
    assert_non_null(strstr(error.message, "00000000000004d2"));
    ct_network_session_leave(net.nodes[1].session, net.now);
    assert_false(say(1, 0, "a", 0, &error));
    assert_non_null(strstr(error.message, "not in a session"));
}

static void reliable_ones_come_once_and_in_order_with_objects(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    net.loss = 0.4f;
    char expected[201] = "";
    for (uint32_t i = 0; i < 200; ++i) {
        const ct_network_object_id id =
            i % 3 ? 0
                  : ct_network_session_create_object(net.nodes[1].session, session_object("body"),
                                                     NULL, NULL);
        expected[i] = (char)('a' + i % 26);
        const char text[2] = {expected[i], 0};
        assert_true(say(1, 0, text, id, NULL));
        if (i % 7 == 0)
            test_network_run(&net, 0, NULL, NULL);
    }
    run(20);
    assert_string_equal(heard[0], expected);
    assert_string_equal(heard[2], expected);
    assert_true(all_about_known);
}

static void unreliable_ones_may_be_lost(void **state) {
    (void)state;
    net.most_delay = net.least_delay; // else one that overtakes others makes them late
    session_start(&net, 2, NULL);
    uint32_t words[CT_NETWORK_MAX_WORDS], num_came = 0;
    start_words("shot", words);
    for (uint32_t i = 0; i < 100; ++i) {
        assert_true(ct_network_session_send(net.nodes[1].session, net.nodes[2].peer,
                                            session_message("shot"), words, NULL));
        session_run(&net, 0.1);
        num_came += session_counts[2][CT_NETWORK_EVENT_MESSAGE];
        assert_int_equal(session_counts[0][CT_NETWORK_EVENT_MESSAGE], 0);
    }
    assert_int_equal(num_came, 100);
    net.loss = 0.3f;
    num_came = 0;
    for (uint32_t i = 0; i < 100; ++i) {
        assert_true(ct_network_session_send(net.nodes[1].session, net.nodes[2].peer,
                                            session_message("shot"), words, NULL));
        session_run(&net, 0.1);
        num_came += session_counts[2][CT_NETWORK_EVENT_MESSAGE];
    }
    assert_in_range(num_came, 30, 70); // two ways
}

static void many_unreliable_ones_take_several_packets(void **state) {
    (void)state;
    net.most_delay = net.least_delay; // else one that overtakes others makes them late
    session_start(&net, 1, NULL);
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words("shot", words);
    for (uint32_t i = 0; i < 1000; ++i)
        assert_true(
            ct_network_session_send(net.nodes[1].session, 0, session_message("shot"), words, NULL));
    session_run(&net, 0.5);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_MESSAGE], 1000);
}

static void the_largest_fits_an_unreliable_packet(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    const ct_network_record_type *const record =
        &ct_network_config_messages(session_config)[session_message("leaflet")];
    assert_int_equal(record->num_words, CT_NETWORK_MAX_WORDS);
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words("leaflet", words);
    char text[501];
    for (uint32_t i = 0; i < 500; ++i)
        text[i] = (char)('a' + i * i % 26);
    text[500] = 0;
    const ct_network_value t = session_string(text), c = {.kind = CT_NETWORK_ARRAY, .count = 63};
    assert_true(ct_network_record_set(session_config, record, 0, UINT32_MAX, &t, words, NULL));
    assert_true(ct_network_record_set(session_config, record, 1, UINT32_MAX, &c, words, NULL));
    for (uint32_t i = 0; i < 63; ++i) {
        const ct_network_value id = {.kind = CT_NETWORK_ID, .id = i * UINT64_C(0x9e3779b97f4a7c15)};
        assert_true(ct_network_record_set(session_config, record, 1, i, &id, words, NULL));
    }
    assert_true(
        ct_network_session_send(net.nodes[1].session, 0, session_message("leaflet"), words, NULL));
    session_run(&net, 0.5);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_MESSAGE], 1);
}

// --- Priorities ----------------------------------------------------------------------------------

// Sends an unreliable message to the host, with its number and time, filled up to some letters.
static void send_numbered(test_node *from, const char *message, uint32_t number, uint32_t letters) {
    const ct_network_record_type *const record =
        &ct_network_config_messages(session_config)[session_message(message)];
    uint32_t words[CT_NETWORK_MAX_WORDS];
    char text[401];
    start_words(message, words);
    snprintf(text, sizeof(text), "%06u %012.6f %*s", number, from->net->now, (int)letters - 20, "");
    const ct_network_value t = session_string(text);
    assert_true(ct_network_record_set(session_config, record, 0, UINT32_MAX, &t, words, NULL));
    assert_true(ct_network_session_send(from->session, 0, session_message(message), words, NULL));
}

// What came of a message: how many, the number of the last, how many behind a later one, the most
// seconds on the way.
typedef struct arrived {
    uint32_t count, last, num_disordered;
    double slowest;
} arrived;

static arrived of_shout, of_talk, of_murmur;

static void note_arrived(arrived *a, const ct_network_event *event, double now) {
    const ct_network_value text = ct_network_record_get(
        session_config, &ct_network_config_messages(session_config)[event->record], 0, UINT32_MAX,
        event->words);
    const uint32_t number = (uint32_t)strtoul(text.string.text, NULL, 10);
    const double took = now - strtod(text.string.text + 7, NULL);
    a->num_disordered += a->count > 0 && number <= a->last;
    a->last = number;
    a->slowest = took > a->slowest ? took : a->slowest;
    ++a->count;
}

static void note_all(test_node *node) {
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(node->session, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (events[i].type != CT_NETWORK_EVENT_MESSAGE)
            continue;
        note_arrived(events[i].record == session_message("shout")  ? &of_shout
                     : events[i].record == session_message("talk") ? &of_talk
                                                                   : &of_murmur,
                     &events[i], node->net->now);
    }
}

static void forget_all(void) {
    of_shout = of_talk = of_murmur = (arrived){0};
}

static uint64_t held(const test_node *node) {
    return ct_network_session_counts_of(node->session).held_messages;
}

// Each frame one message of each priority: three times what the bandwidth allows.
static void send_each(void *user, test_node *node) {
    uint32_t *const number = user;
    note_all(node);
    if (node->index == 0)
        return;
    send_numbered(node, "murmur", *number, 50);
    send_numbered(node, "talk", *number, 150);
    send_numbered(node, "shout", *number, 100);
    ++*number;
}

static void the_most_urgent_go_first_where_bandwidth_is_short(void **state) {
    (void)state;
    net.most_delay = net.least_delay;
    session_start(&net, 1, NULL);
    forget_all();
    uint32_t number = 0;
    net.bytes_per_second = 9000; // 6,500 of shouts, and a part of the rest
    test_network_run(&net, 5, send_each, &number);
    const uint64_t num_held = held(&net.nodes[1]);
    assert_in_range(number, 299, 301);
    assert_in_range(of_shout.count, number - 5, number);
    assert_in_range(of_talk.count, number / 20, number / 3);
    assert_int_equal(of_murmur.count, 0);
    assert_int_equal(of_shout.num_disordered + of_talk.num_disordered, 0);
    assert_true(of_shout.slowest < 0.1 && of_talk.slowest < 0.25 + 0.1);
    // Each of the others was held, or waits still.
    const uint64_t lost = 3 * (uint64_t)number - of_shout.count - of_talk.count;
    assert_in_range(num_held, lost - 60, lost);
    // With enough bandwidth all come, in their order; what waited goes, or is too old.
    net.bytes_per_second = 0;
    test_network_run(&net, 1, NULL, NULL);
    forget_all();
    const uint64_t before = held(&net.nodes[1]);
    number = 0;
    test_network_run(&net, 2, send_each, &number);
    assert_in_range(of_shout.count, number - 3, number);
    assert_in_range(of_talk.count, number - 3, number);
    assert_in_range(of_murmur.count, number - 3, number);
    assert_int_equal(of_murmur.num_disordered, 0);
    assert_int_equal(held(&net.nodes[1]), before);
}

typedef struct crowd {
    ct_network_object_id ids[40];
    uint32_t number;
    const char *message; // sent each frame; NULL: none
} crowd;

static void move_crowd(void *user, test_node *node) {
    crowd *const c = user;
    note_all(node);
    if (node->index == 0)
        return;
    for (uint32_t i = 0; i < CT_COUNT_OF(c->ids); ++i) {
        const float angle = (float)node->net->now * (1 + (float)i), r = 1 + (float)i;
        session_set(node, c->ids[i], "body", "position",
                    session_vector(r * cosf(angle), r * sinf(angle), 0));
    }
    if (c->message)
        send_numbered(node, c->message, c->number++, 150);
}

// Returns how many fields of objects come in 4 seconds, beside a message of 150 bytes each frame.
static uint64_t fields_beside(const char *message, arrived *messages) {
    crowd c = {.message = message};
    test_network_init(&net, 17);
    net.most_delay = net.least_delay;
    session_start(&net, 1, NULL);
    for (uint32_t i = 0; i < CT_COUNT_OF(c.ids); ++i)
        c.ids[i] = ct_network_session_create_object(net.nodes[1].session, session_object("body"),
                                                    NULL, NULL);
    net.bytes_per_second = 9000;
    test_network_run(&net, 1, move_crowd, &c);
    forget_all();
    const uint64_t before = ct_network_session_counts_of(net.nodes[1].session).entries;
    test_network_run(&net, 4, move_crowd, &c);
    const uint64_t count = ct_network_session_counts_of(net.nodes[1].session).entries - before;
    *messages = message && strcmp(message, "talk") == 0 ? of_talk : of_murmur;
    test_network_free(&net);
    return count;
}

static void those_below_1_leave_the_bandwidth_to_fields(void **state) {
    (void)state;
    test_network_free(&net);
    arrived none, talk, murmur;
    const uint64_t alone = fields_beside(NULL, &none);
    const uint64_t beside_talk = fields_beside("talk", &talk);
    const uint64_t beside_murmur = fields_beside("murmur", &murmur);
    print_message("entries: %u alone, %u beside talk (%u came), %u beside murmur (%u came)\n",
                  (uint32_t)alone, (uint32_t)beside_talk, talk.count, (uint32_t)beside_murmur,
                  murmur.count);
    assert_true(beside_talk < alone / 2);
    assert_true(talk.count > 200);
    assert_true(beside_murmur > alone * 9 / 10);
    assert_true(murmur.count < 100);
    test_network_init(&net, 17);
}

static void what_waits_has_a_limit(void **state) {
    (void)state;
    net.most_delay = net.least_delay;
    session_start(&net, 1, NULL);
    forget_all();
    net.bytes_per_second = 1e-3f; // nothing goes
    net.nodes[1].room[0] = 0;
    for (uint32_t i = 0; i < 20000; ++i)
        send_numbered(&net.nodes[1], "talk", i, 40);
    assert_in_range(held(&net.nodes[1]), 20000 - 64000 / 40, 20000 - 64000 / 60);
    // One that is more urgent takes the place of others.
    const uint64_t before = held(&net.nodes[1]);
    send_numbered(&net.nodes[1], "shout", 1, 40);
    assert_true(held(&net.nodes[1]) > before);
    net.bytes_per_second = 0;
    net.nodes[1].room[0] = 1 << 20;
    for (uint32_t i = 0; i < 10; ++i) {
        test_network_run(&net, net.frame, NULL, NULL);
        note_all(&net.nodes[0]);
    }
    assert_int_equal(of_shout.count, 1);
    assert_int_equal(of_talk.count, 0);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(reach_whom_they_are_for),
        TEST(refuses_peers_that_are_not_there),
        TEST(reliable_ones_come_once_and_in_order_with_objects),
        TEST(unreliable_ones_may_be_lost),
        TEST(many_unreliable_ones_take_several_packets),
        TEST(the_largest_fits_an_unreliable_packet),
        TEST(the_most_urgent_go_first_where_bandwidth_is_short),
        TEST(those_below_1_leave_the_bandwidth_to_fields),
        TEST(what_waits_has_a_limit),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
