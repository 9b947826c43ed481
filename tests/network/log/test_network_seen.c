// test_network_seen.c: what sessions say they send and receive is all of it, and is read from a log as
// it was; damaged items do no harm.
#include "network/log/network_seen.h"
#include "network/session/session_fixture.h"

enum { NODES = 2, MOST = 4000 };

// What a node saw: a copy, and where its item ends.
typedef struct noted {
    ct_network_seen seen;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    uint16_t field_bits[CT_NETWORK_MAX_FIELDS];
    uint32_t end;
} noted;

static test_network net;
static noted *all[NODES];
static uint32_t counts[NODES];
static ct_byte_array items[NODES];

static const ct_network_record_type *record_of(const ct_network_seen *seen) {
    return seen->kind == CT_NETWORK_SEEN_MESSAGE
               ? &ct_network_config_messages(session_config)[seen->record]
               : &ct_network_config_objects(session_config)[seen->record];
}

// With two nodes, the other end says which of them it is.
static void note(void *data, const ct_network_seen *seen) {
    (void)data;
    const uint32_t node = seen->peer == net.nodes[0].peer ? 1 : 0;
    assert_true(counts[node] < MOST);
    noted *const n = &all[node][counts[node]++];
    n->seen = *seen;
    if (seen->words)
        memcpy(n->words, seen->words, 4 * record_of(seen)->num_words);
    if (seen->field_bits)
        memcpy(n->field_bits, seen->field_bits, sizeof(n->field_bits));
    ct_network_seen_write(session_config, seen, &items[node]);
    n->end = items[node].count;
}

static int set_up(void **state) {
    test_network_init(&net, 21);
    net.most_delay = net.least_delay; // so that no packet comes before another
    for (uint32_t i = 0; i < NODES; ++i) {
        all[i] = CT_NEW_ARRAY(test_heap(), noted, MOST);
        counts[i] = 0;
        ct_array_init(&items[i], test_heap());
    }
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    for (uint32_t i = 0; i < NODES; ++i) {
        ct_free(test_heap(), all[i]);
        ct_array_free(&items[i]);
    }
    return session_free_config(state);
}

static void start(void) {
    const ct_network_session_desc desc = {.observer = {.seen = note}};
    session_start(&net, 1, &desc);
}

static void play(bool has_unreliable) {
    ct_network_session *const client = net.nodes[1].session;
    uint32_t words[CT_NETWORK_MAX_WORDS] = {0};
    const ct_network_object_id body =
        ct_network_session_create_object(client, session_object("body"), NULL, NULL);
    const ct_network_object_id flag =
        ct_network_session_create_object(net.nodes[0].session, session_object("flag"), NULL, NULL);
    for (uint32_t i = 0; i < 60; ++i) {
        session_set(&net.nodes[1], body, "body", "health", session_integer((int32_t)i));
        session_set(&net.nodes[1], body, "body", "position", session_vector((float)i, 2, 3));
        session_set(&net.nodes[0], flag, "flag", "name", session_string(i % 2 ? "even" : "odd"));
        if (has_unreliable)
            ct_network_session_send(client, 0, session_message("shot"), words, NULL);
        ct_network_session_send(client, net.nodes[0].peer, session_message("wave"), words, NULL);
        test_network_run(&net, 0.05, NULL, NULL);
    }
    ct_network_session_give_object(client, body, net.nodes[0].peer, NULL);
    test_network_run(&net, 1, NULL, NULL);
    ct_network_session_destroy_object(net.nodes[0].session, flag, NULL);
    test_network_run(&net, 1, NULL, NULL);
}

static uint32_t count_of(uint32_t node, ct_network_seen_kind kind, bool is_sent) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < counts[node]; ++i)
        count += all[node][i].seen.kind == kind && all[node][i].seen.is_sent == is_sent;
    return count;
}

static uint64_t bits_of(uint32_t node, bool is_sent) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < counts[node]; ++i)
        bits += all[node][i].seen.is_sent == is_sent ? all[node][i].seen.bits : 0;
    return bits;
}

static void all_bits_are_seen(void **state) {
    (void)state;
    start();
    play(false);
    for (uint32_t i = 0; i < NODES; ++i) {
        const ct_network_session_counts sent = ct_network_session_counts_of(net.nodes[i].session);
        assert_true(bits_of(i, true) == 8 * (sent.reliable_bytes + sent.state_bytes));
        assert_int_equal(count_of(i, CT_NETWORK_SEEN_FIELDS, true), sent.entries);
        assert_int_equal(count_of(i, CT_NETWORK_SEEN_PACKET, true), sent.state_packets);
        assert_int_equal(count_of(i, CT_NETWORK_SEEN_LOST, true), 0);
    }
    assert_int_equal(count_of(1, CT_NETWORK_SEEN_MESSAGE, true), 60);
    assert_int_equal(count_of(1, CT_NETWORK_SEEN_GIVE, true), 1);
    assert_int_equal(count_of(0, CT_NETWORK_SEEN_DESTROY, true), 1);
}

// Returns the first of a kind and channel from `*at` on, and moves `*at` behind it.
static const noted *next_of(uint32_t node, ct_network_seen_kind kind, bool is_reliable,
                            bool is_sent, uint32_t *at) {
    while (*at < counts[node]) {
        const noted *const n = &all[node][(*at)++];
        if (n->seen.kind == kind && n->seen.is_sent == is_sent &&
            n->seen.is_reliable == is_reliable)
            return n;
    }
    return NULL;
}

static void assert_same(const noted *a, const ct_network_seen *b) {
    assert_int_equal(a->seen.kind, b->kind);
    assert_int_equal(a->seen.bits, b->bits);
    assert_int_equal(a->seen.object, b->object);
    assert_int_equal(a->seen.record, b->record);
    assert_true(a->seen.fields == b->fields && a->seen.is_reliable == b->is_reliable);
    const bool has_values = a->seen.words != NULL;
    if (has_values) {
        const ct_network_field *const fields =
            ct_network_record_fields(session_config, record_of(&a->seen));
        for (uint32_t i = 0; i < record_of(&a->seen)->num_fields; ++i)
            if (a->seen.fields >> i & 1) {
                assert_int_equal(a->field_bits[i], b->field_bits[i]);
                assert_memory_equal(a->words + fields[i].first_word,
                                    b->words + fields[i].first_word, 4 * fields[i].num_words);
            }
    }
}

static void assert_arrives(uint32_t from, ct_network_seen_kind kind, bool is_reliable) {
    uint32_t a = 0, b = 0;
    const noted *sent;
    while ((sent = next_of(from, kind, is_reliable, true, &a))) {
        const noted *const received = next_of(1 - from, kind, is_reliable, false, &b);
        assert_non_null(received);
        ct_network_seen other = received->seen;
        other.words = received->words;
        other.field_bits = received->field_bits;
        assert_same(sent, &other);
        if (sent->seen.control)
            assert_string_equal(sent->seen.control, received->seen.control);
    }
    assert_null(next_of(1 - from, kind, is_reliable, false, &b));
}

static void what_arrives_is_seen_as_it_was_sent(void **state) {
    (void)state;
    start();
    play(true);
    const ct_network_seen_kind kinds[] = {CT_NETWORK_SEEN_FIELDS,  CT_NETWORK_SEEN_OBJECT,
                                          CT_NETWORK_SEEN_DESTROY, CT_NETWORK_SEEN_MESSAGE,
                                          CT_NETWORK_SEEN_GIVE,    CT_NETWORK_SEEN_CONTROL};
    for (uint32_t from = 0; from < NODES; ++from)
        for (uint32_t k = 0; k < CT_COUNT_OF(kinds); ++k)
            for (uint32_t is_reliable = 0; is_reliable < 2; ++is_reliable)
                assert_arrives(from, kinds[k], is_reliable);
    uint32_t at = 0;
    const noted *const shot = next_of(0, CT_NETWORK_SEEN_MESSAGE, false, false, &at);
    assert_true(shot->seen.from == net.nodes[1].peer);
    const noted *packet = NULL;
    for (at = 0; !packet || packet->seen.round_trip == 0;)
        assert_non_null(packet = next_of(0, CT_NETWORK_SEEN_PACKET, false, false, &at));
    assert_true(packet->seen.acknowledged > 0 && packet->seen.number > 0);
    assert_true(packet->seen.round_trip > 0.01f && packet->seen.round_trip < 1);
}

static void losses_are_seen(void **state) {
    (void)state;
    start();
    net.loss = 0.3f;
    play(true);
    const uint32_t sent = count_of(1, CT_NETWORK_SEEN_PACKET, true);
    const uint32_t lost = count_of(1, CT_NETWORK_SEEN_LOST, true);
    assert_true(lost > sent / 6 && lost < sent / 2);
    for (uint32_t i = 0; i < NODES; ++i) {
        const uint32_t received = count_of(i, CT_NETWORK_SEEN_PACKET, false);
        assert_true(received < count_of(1 - i, CT_NETWORK_SEEN_PACKET, true));
    }
}

static void items_are_read_as_they_were_written(void **state) {
    (void)state;
    start();
    net.loss = 0.1f;
    play(true);
    static ct_network_seen_reader r;
    for (uint32_t node = 0; node < NODES; ++node) {
        ct_network_seen seen;
        const char *fault;
        ct_network_seen_open(&r, session_config, 77, items[node].items, items[node].count);
        for (uint32_t i = 0; i < counts[node]; ++i) {
            const noted *const n = &all[node][i];
            assert_true(ct_network_seen_next(&r, &seen, &fault));
            assert_same(n, &seen);
            assert_true(seen.peer == 77 && seen.is_sent == n->seen.is_sent);
            assert_true(seen.from == n->seen.from && seen.to == n->seen.to);
            assert_true(seen.is_dropped == n->seen.is_dropped && seen.time == n->seen.time);
            assert_true(seen.number == n->seen.number && seen.round_trip == n->seen.round_trip);
            assert_int_equal(seen.acknowledged, n->seen.acknowledged);
            assert_int_equal(seen.num_entries, n->seen.num_entries);
            if (n->seen.control)
                assert_string_equal(seen.control, n->seen.control);
            assert_int_equal(r.at - items[node].items, n->end);
        }
        assert_false(ct_network_seen_next(&r, &seen, &fault));
        assert_null(fault);
    }
}

static void damaged_items_do_no_harm(void **state) {
    (void)state;
    start();
    play(true);
    static ct_network_seen_reader r;
    ct_network_seen seen;
    const char *fault = NULL;
    uint32_t num_faults = 0, seed = 3;
    const uint32_t size = items[0].count < 3000 ? items[0].count : 3000;
    for (uint32_t i = 0; i < size; ++i) {
        const uint8_t before = items[0].items[i];
        items[0].items[i] = (uint8_t)test_random(&seed);
        ct_network_seen_open(&r, session_config, 1, items[0].items, size);
        while (ct_network_seen_next(&r, &seen, &fault))
            assert_true(!seen.words ||
                        ct_network_record_check(session_config, record_of(&seen), seen.words));
        num_faults += fault != NULL;
        items[0].items[i] = before;
    }
    assert_true(num_faults > size / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_bits_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_arrives_is_seen_as_it_was_sent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(losses_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(items_are_read_as_they_were_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_items_do_no_harm, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
