// Messages: to one, to the host, to all; in order with objects, or lost.
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

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(reach_whom_they_are_for),
        TEST(refuses_peers_that_are_not_there),
        TEST(reliable_ones_come_once_and_in_order_with_objects),
        TEST(unreliable_ones_may_be_lost),
        TEST(many_unreliable_ones_take_several_packets),
        TEST(the_largest_fits_an_unreliable_packet),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
