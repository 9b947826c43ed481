// Fields: what changed arrives, once it is known nothing is sent, bandwidth goes to the urgent.
#include <math.h>

#include "network/session/session_fixture.h"

static test_network net;

static int set_up(void **state) {
    test_network_init(&net, 13);
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

static ct_network_object_id ids[1000];

static void create(uint32_t node, const char *type, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ids[i] = ct_network_session_create_object(net.nodes[node].session, session_object(type),
                                                  NULL, NULL);
        assert_int_not_equal(ids[i], 0);
    }
    test_network_run(&net, 1, NULL, NULL);
}

static void changes_arrive_with_mask_and_time(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    create(1, "body", 1);
    const uint32_t time = ct_network_session_time(net.nodes[1].session, net.now);
    session_set(&net.nodes[1], ids[0], "body", "health", session_integer(12));
    session_set(&net.nodes[1], ids[0], "body", "velocity", session_vector(1, 2, 3));
    session_run(&net, 0.5);
    const uint64_t mask = UINT64_C(1) << session_field("body", "health") |
                          UINT64_C(1) << session_field("body", "velocity");
    for (uint32_t i = 0; i < 3; i += 2) {
        assert_int_equal(session_counts[i][CT_NETWORK_EVENT_FIELDS], 1);
        const ct_network_event *const e = &session_lasts[i][CT_NETWORK_EVENT_FIELDS];
        assert_int_equal(e->object, ids[0]);
        assert_int_equal(e->record, session_object("body"));
        assert_true(e->fields == mask);
        assert_true(e->peer == net.nodes[1].peer);
        assert_true(e->time >= time && e->time < time + 150);
        assert_int_equal(session_get(&net.nodes[i], ids[0], "health").integer, 12);
    }
    assert_int_equal(session_counts[1][CT_NETWORK_EVENT_FIELDS], 0);
    // The same value again is no change.
    session_set(&net.nodes[1], ids[0], "body", "health", session_integer(12));
    session_run(&net, 0.5);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_FIELDS], 0);
}

static uint64_t sent_entries(uint32_t node) {
    return ct_network_session_counts_of(net.nodes[node].session).entries;
}

static void sends_nothing_that_is_known(void **state) {
    (void)state;
    session_start(&net, 3, NULL);
    create(0, "flag", 100);
    assert_int_equal(sent_entries(0), 0); // creation has the words
    session_set(&net.nodes[0], ids[3], "flag", "score", session_integer(12));
    test_network_run(&net, 1, NULL, NULL);
    assert_int_equal(sent_entries(0), 3);
    const uint64_t packets = net.nodes[0].sent_packets;
    test_network_run(&net, 2, NULL, NULL);
    assert_int_equal(sent_entries(0), 3);
    assert_true(net.nodes[0].sent_packets - packets <= 3 * 2 * 5); // heartbeats
}

static void lost_changes_are_sent_again(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    create(1, "flag", 30);
    net.loss = 0.6f;
    for (uint32_t i = 0; i < 30; ++i) {
        session_set(&net.nodes[1], ids[i], "flag", "score", session_integer((int32_t)i + 1));
        test_network_run(&net, 0.05, NULL, NULL);
    }
    test_network_run(&net, 5, NULL, NULL);
    session_assert_equal(&net);
    assert_true(ct_network_session_counts_of(net.nodes[1].session).lost_entries > 5);
}

// --- Moving bodies -------------------------------------------------------------------------------

static void move_bodies(void *user, test_node *node) {
    const uint32_t count = *(const uint32_t *)user;
    if (node->index != 0)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        const float t = (float)net.now + (float)i, speed = 4;
        const float angle[2] = {sinf(t), cosf(t)};
        session_set(node, ids[i], "body", "position",
                    session_vector((float)i + speed * angle[0], speed * angle[1], 0.5f));
        session_set(node, ids[i], "body", "velocity",
                    session_vector(speed * angle[1], -speed * angle[0], 0));
        const ct_network_value rotation = {.kind = CT_NETWORK_ROTATION,
                                           .parts = {0, 0, sinf(t / 2), cosf(t / 2)}};
        session_set(node, ids[i], "body", "rotation", rotation);
    }
}

static void a_hundred_moving_bodies_fit_few_packets(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    create(0, "body", 100);
    uint32_t count = 100;
    test_network_run(&net, 1, move_bodies, &count);
    const ct_network_session_counts before = ct_network_session_counts_of(net.nodes[0].session);
    test_network_run(&net, 10, move_bodies, &count);
    const ct_network_session_counts after = ct_network_session_counts_of(net.nodes[0].session);
    const double ticks = (double)(after.entries - before.entries) / 100;
    const double bytes = (double)(after.state_bytes - before.state_bytes) / ticks;
    print_message("%.0f ticks, %.0f bytes and %.2f packets a tick\n", ticks, bytes,
                  (double)(after.state_packets - before.state_packets) / ticks);
    assert_true(ticks > 290 && ticks <= 301);
    assert_true(bytes < 1300);
    test_network_run(&net, 1, NULL, NULL);
    session_assert_equal(&net);
}

static void narrow_bandwidth_is_shared(void **state) {
    (void)state;
    net.bytes_per_second = 6000;
    session_start(&net, 1, NULL);
    create(0, "body", 100);
    for (uint32_t i = 0; i < 10; ++i)
        assert_true(
            ct_network_session_set_priority(net.nodes[0].session, ids[i], net.nodes[1].peer, 10));
    for (uint32_t i = 90; i < 100; ++i)
        assert_true(
            ct_network_session_set_priority(net.nodes[0].session, ids[i], net.nodes[1].peer, 0));
    assert_false(ct_network_session_set_priority(net.nodes[0].session, 77, net.nodes[1].peer, 1));
    uint32_t count = 100, updates[100] = {0};
    for (uint32_t frame = 0; frame < 600; ++frame) {
        session_run(&net, net.frame);
        uint32_t num_events;
        const ct_network_event *const events =
            ct_network_session_events(net.nodes[1].session, &num_events);
        for (uint32_t i = 0; i < num_events; ++i)
            if (events[i].type == CT_NETWORK_EVENT_FIELDS)
                ++updates[(events[i].object & 0xfffff) - 1];
        move_bodies(&count, &net.nodes[0]);
    }
    for (uint32_t i = 0; i < 100; ++i) {
        if (i < 10)
            assert_true(updates[i] > 4 * updates[50]);
        else if (i < 90) // no one starves
            assert_true(updates[i] > 10);
        else
            assert_int_equal(updates[i], 0);
    }
}

static void far_objects_are_not_sent(void **state) {
    (void)state;
    session_start(&net, 2, NULL);
    create(0, "body", 2);
    const ct_vec3 place = {{100, 0, 0}};
    assert_true(ct_network_session_set_interest(net.nodes[0].session, net.nodes[1].peer, &place));
    assert_false(ct_network_session_set_interest(net.nodes[0].session, 5, &place));
    session_set(&net.nodes[0], ids[0], "body", "position", session_vector(150, 20, 0));
    session_set(&net.nodes[0], ids[1], "body", "position", session_vector(-50, 20, 0));
    test_network_run(&net, 1, NULL, NULL);
    assert_true(fabsf(session_get(&net.nodes[1], ids[0], "position").parts[0] - 150) < 0.1f);
    assert_true(fabsf(session_get(&net.nodes[1], ids[1], "position").parts[0]) < 0.1f);
    assert_true(fabsf(session_get(&net.nodes[2], ids[1], "position").parts[0] + 50) < 0.1f);
    session_set(&net.nodes[0], ids[1], "body", "position", session_vector(50, 20, 0));
    test_network_run(&net, 1, NULL, NULL);
    assert_true(fabsf(session_get(&net.nodes[1], ids[1], "position").parts[0] - 50) < 0.1f);
    // Looking everywhere again brings all that was left out.
    session_set(&net.nodes[0], ids[1], "body", "position", session_vector(-150, 20, 0));
    test_network_run(&net, 1, NULL, NULL);
    assert_true(ct_network_session_set_interest(net.nodes[0].session, net.nodes[1].peer, NULL));
    test_network_run(&net, 1, NULL, NULL);
    session_assert_equal(&net);
}

static void fill_page(uint32_t step) {
    char text[501];
    for (uint32_t i = 0; i < 500; ++i)
        text[i] = (char)('a' + (step * 7 + i * 31 + i * i) % 26);
    text[500] = 0;
    session_set(&net.nodes[0], ids[0], "page", "text", session_string(text));
    const uint32_t field = session_field("page", "ids");
    const ct_network_value count = {.kind = CT_NETWORK_ARRAY, .count = 63};
    session_set(&net.nodes[0], ids[0], "page", "ids", count);
    for (uint32_t i = 0; i < 63; ++i) {
        const ct_network_value id = {.kind = CT_NETWORK_ID,
                                     .id = (i + step) * UINT64_C(0x9e3779b97f4a7c15)};
        assert_true(
            ct_network_session_set_field(net.nodes[0].session, ids[0], field, i, &id, NULL));
    }
    const ct_network_value weight = {.kind = CT_NETWORK_FLOAT, .number = (float)step + 0.3f};
    session_set(&net.nodes[0], ids[0], "page", "weight", weight);
    const ct_network_value other = {.kind = CT_NETWORK_OBJECT, .id = step * 0x9e3779b9u};
    session_set(&net.nodes[0], ids[0], "page", "other", other);
    const ct_network_value open = {.kind = CT_NETWORK_BOOL, .boolean = step & 1};
    session_set(&net.nodes[0], ids[0], "page", "open", open);
}

static void the_largest_objects_arrive(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    create(0, "page", 1);
    for (uint32_t i = 0; i < 5; ++i) {
        fill_page(i + 1);
        session_run(&net, 1);
        session_assert_equal(&net);
        assert_int_equal(session_counts[1][CT_NETWORK_EVENT_FIELDS], 1);
    }
}

static void rates_limit_updates(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    create(0, "page", 1);
    uint32_t num_updates = 0;
    for (uint32_t i = 0; i < 120; ++i) {
        const ct_network_value weight = {.kind = CT_NETWORK_FLOAT, .number = (float)i};
        session_set(&net.nodes[0], ids[0], "page", "weight", weight);
        session_run(&net, net.frame);
        num_updates += session_counts[1][CT_NETWORK_EVENT_FIELDS];
    }
    assert_in_range(num_updates, 17, 21); // 10 a second
}

static void fields_wait_until_their_object_is_known(void **state) {
    (void)state;
    session_start(&net, 1, NULL);
    net.loss = 0.3f;
    for (uint32_t i = 0; i < 100; ++i) {
        ids[i] = ct_network_session_create_object(net.nodes[0].session, session_object("body"),
                                                  NULL, NULL);
        uint32_t count = i + 1;
        test_network_run(&net, 0.1, move_bodies, &count);
    }
    test_network_run(&net, 3, NULL, NULL);
    session_assert_equal(&net);
    assert_int_equal(ct_network_session_counts_of(net.nodes[1].session).dropped_packets, 0);
}

static void long_delays_and_loss_keep_bases(void **state) {
    (void)state;
    net.least_delay = 0.4f;
    net.most_delay = 0.6f;
    net.loss = 0.2f;
    session_start(&net, 0, NULL);
    const ct_network_session_desc d = {.config = session_config};
    test_network_join(test_network_add(&net, &d), &net.nodes[0]);
    test_network_run(&net, 5, NULL, NULL);
    create(0, "body", 50);
    uint32_t count = 50;
    test_network_run(&net, 20, move_bodies, &count);
    test_network_run(&net, 8, NULL, NULL);
    session_assert_equal(&net);
    assert_int_equal(ct_network_session_counts_of(net.nodes[1].session).dropped_packets, 0);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(changes_arrive_with_mask_and_time),
        TEST(sends_nothing_that_is_known),
        TEST(lost_changes_are_sent_again),
        TEST(a_hundred_moving_bodies_fit_few_packets),
        TEST(narrow_bandwidth_is_shared),
        TEST(far_objects_are_not_sent),
        TEST(the_largest_objects_arrive),
        TEST(rates_limit_updates),
        TEST(fields_wait_until_their_object_is_known),
        TEST(long_delays_and_loss_keep_bases),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
