// Bytes that are not of the protocol: the peer that sends them is ended, the others play on.
#include "foundation/log.h"
#include "network/session/network_session_fields_private.h"
#include "network/session/session_fixture.h"

static test_network net;

static int set_up(void **state) {
    test_network_init(&net, 29);
    return session_make_config(state);
}

static int tear_down(void **state) {
    test_network_free(&net);
    return session_free_config(state);
}

// A packet that a test writes itself.
static uint8_t packet[4096];
static uint32_t packet_size;

static ct_bit_writer begin(void) {
    return ct_bits_write_to(packet + 3, sizeof(packet) - 3);
}

static void end(uint32_t kind, ct_bit_writer *w) {
    const uint32_t size = ct_bits_end(w);
    packet[0] = (uint8_t)kind;
    packet[1] = (uint8_t)size;
    packet[2] = (uint8_t)(size >> 8);
    packet_size = size + 3;
}

static void receive(uint32_t to, uint32_t from, ct_network_channel channel) {
    // A block of its own, so that sanitizers see reads behind its end.
    uint8_t *const copy = malloc(packet_size ? packet_size : 1);
    memcpy(copy, packet, packet_size);
    ct_network_session_receive(net.nodes[to].session, net.nodes[from].peer, channel, copy,
                               packet_size, net.now);
    free(copy);
}

// The packet, as if `from` had sent it to `to`, breaks their connection for the reason `text`.
static void assert_broken(uint32_t to, uint32_t from, ct_network_channel channel,
                          const char *text) {
    const ct_network_session *const s = net.nodes[to].session;
    const uint32_t before = s->events.count;
    receive(to, from, channel);
    const char *why = NULL;
    for (uint32_t i = before; i < s->events.count; ++i)
        if (s->events.items[i].type == CT_NETWORK_EVENT_BROKEN)
            why = s->events.items[i].why;
    if (!why || !strstr(why, text))
        fail_msg("found \"%s\", expected \"%s\"", why ? why : "no fault", text);
    assert_int_equal(net.nodes[to].connection[from], 0);
    assert_null(ct_network_session_is_host(net.nodes[to].session)
                    ? (void *)ct_network_peer_find(net.nodes[to].session, net.nodes[from].peer)
                    : NULL);
}

static void assert_dropped(uint32_t to, uint32_t from, ct_network_channel channel) {
    const uint64_t dropped = ct_network_session_counts_of(net.nodes[to].session).dropped_packets;
    receive(to, from, channel);
    assert_int_equal(ct_network_session_counts_of(net.nodes[to].session).dropped_packets,
                     dropped + 1);
    assert_int_not_equal(net.nodes[to].connection[from], 0);
}

// A host with a client for each of the many things that are tried.
static uint32_t next_client;

static uint32_t client(void) {
    return ++next_client;
}

static void start(uint32_t num_clients) {
    next_client = 0;
    session_start(&net, num_clients,
                  &(ct_network_session_desc){.max_objects_of_peer = 8, .max_peers = 24});
}

static uint32_t slot_of(uint32_t node) {
    return ct_network_session_slot(net.nodes[node].session);
}

static void write_object(uint32_t id, uint32_t type, uint32_t owner, uint32_t owner_version) {
    ct_bit_writer w = begin();
    ct_bits_write(&w, id, 32);
    ct_bits_write(&w, type, CT_NETWORK_TYPE_BITS);
    ct_bits_write(&w, owner, CT_NETWORK_SLOT_BITS);
    ct_bits_write_groups(&w, owner_version, 5);
    ct_bits_write(&w, 0, 1);
    end(CT_NETWORK_SAY_OBJECT, &w);
}

static void messages_in_pieces(void **state) {
    (void)state;
    start(6);
    packet_size = 0;
    assert_broken(0, client(), CT_NETWORK_SESSION, "is empty");
    packet[0] = CT_NETWORK_SAY_LEAVE;
    packet_size = 2;
    assert_broken(0, client(), CT_NETWORK_SESSION, "cut short");
    ct_bit_writer w = begin();
    end(CT_NETWORK_SAY_LEAVE, &w);
    packet[1] = 1;
    assert_broken(0, client(), CT_NETWORK_SESSION, "cut short");
    packet[0] = CT_NETWORK_SAYS;
    packet[1] = 0;
    assert_broken(0, client(), CT_NETWORK_SESSION, "unknown kind");
    packet[0] = CT_NETWORK_SAY_NONE;
    assert_broken(0, client(), CT_NETWORK_SESSION, "unknown kind");
    packet[0] = CT_NETWORK_SAY_PEER;
    assert_broken(0, client(), CT_NETWORK_SESSION, "no meaning");
    session_run(&net, 1);
    for (uint32_t i = 1; i <= 6; ++i)
        assert_int_equal(ct_network_session_end_reason(net.nodes[i].session),
                         CT_NETWORK_REASON_BROKEN);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_BROKEN], 6);
    assert_int_equal(session_counts[0][CT_NETWORK_EVENT_PEER_LEFT], 6);
}

static void objects_at_a_host(void **state) {
    (void)state;
    start(10);
    uint32_t c = client();
    const uint32_t body = session_object("body");
    write_object(slot_of(c) << 20 | 1, 4, slot_of(c), 0);
    assert_broken(0, c, CT_NETWORK_SESSION, "unknown type");
    c = client();
    write_object(slot_of(c) << 20, body, slot_of(c), 0);
    assert_broken(0, c, CT_NETWORK_SESSION, "has no id");
    c = client();
    write_object(slot_of(c + 1) << 20 | 1, body, slot_of(c), 0);
    assert_broken(0, c, CT_NETWORK_SESSION, "of another peer");
    c = client();
    write_object(slot_of(c) << 20 | 1, body, slot_of(c + 1), 0);
    assert_broken(0, c, CT_NETWORK_SESSION, "of another peer");
    c = client();
    write_object(slot_of(c) << 20 | 1, body, slot_of(c), 1);
    assert_broken(0, c, CT_NETWORK_SESSION, "already had owners");
    c = client();
    write_object(slot_of(c) << 20 | 2, body, slot_of(c), 0);
    receive(0, c, CT_NETWORK_SESSION);
    assert_int_not_equal(net.nodes[0].connection[c], 0);
    assert_broken(0, c, CT_NETWORK_SESSION, "used before");
    c = client();
    for (uint32_t i = 1; i <= 16; ++i) {
        write_object(slot_of(c) << 20 | i, body, slot_of(c), 0);
        receive(0, c, CT_NETWORK_SESSION);
    }
    write_object(slot_of(c) << 20 | 17, body, slot_of(c), 0);
    assert_broken(0, c, CT_NETWORK_SESSION, "more objects");
    c = client();
    write_object(slot_of(c) << 20 | 1, body, slot_of(c), 0);
    packet[1] = (uint8_t)(packet_size - 3 - 1);
    --packet_size;
    assert_broken(0, c, CT_NETWORK_SESSION, "cut short");
    c = client();
    write_object(slot_of(c) << 20 | 1, body, slot_of(c), 0);
    packet[packet_size++] = 0;
    ++packet[1];
    assert_broken(0, c, CT_NETWORK_SESSION, "do not fit its type");
    c = client();
    ct_bit_writer w = begin();
    ct_bits_write(&w, slot_of(c) << 20 | 1, 32);
    end(CT_NETWORK_SAY_OBJECT, &w);
    assert_broken(0, c, CT_NETWORK_SESSION, "cut short");
}

static void fields_out_of_range(void **state) {
    (void)state;
    start(1);
    const uint32_t type = session_object("body");
    const ct_network_record_type *const record = &ct_network_config_objects(session_config)[type];
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(session_config, record),
           sizeof(uint32_t) * record->num_words);
    const ct_network_field *const f =
        &ct_network_record_fields(session_config, record)[session_field("body", "health")];
    words[f->first_word] = 101; // of 0 to 100, in 7 bits
    ct_bit_writer w = begin();
    ct_bits_write(&w, slot_of(1) << 20 | 1, 32);
    ct_bits_write(&w, type, CT_NETWORK_TYPE_BITS);
    ct_bits_write(&w, slot_of(1), CT_NETWORK_SLOT_BITS);
    ct_bits_write_groups(&w, 0, 5);
    ct_network_record_write(session_config, record,
                            ct_network_record_defaults(session_config, record), words, &w);
    end(CT_NETWORK_SAY_OBJECT, &w);
    assert_broken(0, 1, CT_NETWORK_SESSION, "out of its range");
}

static void write_header(uint32_t epoch, uint32_t number, uint32_t received, uint32_t reliable,
                         ct_bit_writer *w) {
    *w = ct_bits_write_to(packet, sizeof(packet));
    ct_bits_write(w, CT_NETWORK_PACKET_FIELDS, 8);
    ct_bits_write(w, epoch, 8);
    ct_bits_write(w, number & 0xffff, 16);
    ct_bits_write(w, received != 0, 1);
    ct_bits_write(w, received & 0xffff, 16);
    ct_bits_write(w, 0, 10);
    ct_bits_write(w, UINT32_MAX, 32);
    ct_bits_write(w, reliable & 0xffff, 16);
    ct_bits_write(w, 0, 32); // the time, in ms
    ct_bits_write(w, 0, 4);
    ct_bits_write(w, 0, 1);        // no ages
    ct_bits_write_groups(w, 0, 4); // no usual base
}

// The first id of a packet.
static void write_id(uint32_t id, ct_bit_writer *w) {
    ct_bits_write(w, 2, 2);
    ct_bits_write_groups(w, (id >> 20) - 1, 4);
    ct_bits_write_groups(w, (id & 0xfffff) - 1, 5);
}

static void write_fields(uint32_t number, uint32_t received, uint32_t reliable,
                         uint32_t num_entries, uint32_t id_step) {
    ct_bit_writer w;
    write_header(1, number, received, reliable, &w);
    ct_bits_write_groups(&w, num_entries, 6);
    if (num_entries > 0) {
        ct_bits_write(&w, 0, 2);
        ct_bits_write_groups(&w, id_step, 5);
    }
    packet_size = ct_bits_end(&w);
}

static void packets_of_fields(void **state) {
    (void)state;
    start(8);
    uint32_t c = client();
    packet_size = 0;
    assert_broken(0, c, CT_NETWORK_STATE, "unknown kind");
    c = client();
    packet[0] = 3;
    packet_size = 1;
    assert_broken(0, c, CT_NETWORK_STATE, "unknown kind");
    c = client();
    write_fields(1000, 0, 0, 0, 0);
    packet_size = 10;
    assert_broken(0, c, CT_NETWORK_STATE, "cut short");
    c = client();
    write_fields(1000, 30000, 0, 0, 0);
    assert_broken(0, c, CT_NETWORK_STATE, "was not sent");
    c = client();
    write_fields(1000, 0, 30000, 0, 0);
    assert_broken(0, c, CT_NETWORK_STATE, "more messages than were sent");
    c = client();
    write_fields(1000, 0, 0, 1, CT_NETWORK_MAX_COUNT); // a count that is too large
    assert_broken(0, c, CT_NETWORK_STATE, "have no ids");
    c = client();
    write_fields(1000, 0, 0, 0, 0);
    packet[packet_size++] = 0;
    packet[packet_size++] = 0;
    assert_broken(0, c, CT_NETWORK_STATE, "wrong size");
    c = client();
    memset(packet, 0, sizeof(packet));
    packet[0] = CT_NETWORK_PACKET_FIELDS;
    packet_size = CT_NETWORK_MAX_UNRELIABLE + 1;
    assert_broken(0, c, CT_NETWORK_STATE, "too large");
}

static void packets_that_loss_explains_are_dropped(void **state) {
    (void)state;
    start(2);
    const ct_network_object_id others =
        ct_network_session_create_object(net.nodes[2].session, session_object("body"), NULL, NULL);
    session_run(&net, 1);
    ct_bit_writer w;
    write_fields(1000, 0, 0, 0, 0);
    receive(0, 1, CT_NETWORK_STATE);
    assert_dropped(0, 1, CT_NETWORK_STATE); // twice
    write_fields(999, 0, 0, 0, 0);
    assert_dropped(0, 1, CT_NETWORK_STATE); // late
    write_header(2, 1001, 0, 0, &w);
    ct_bits_write_groups(&w, 0, 6);
    packet_size = ct_bits_end(&w);
    assert_dropped(0, 1, CT_NETWORK_STATE); // of another host
    const uint32_t ids[3] = {others, 77 << 20 | 5, UINT32_MAX};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint64_t hash = ct_network_session_state_hash(net.nodes[0].session);
        write_header(1, 1001 + i, 0, 0, &w);
        ct_bits_write_groups(&w, 1, 6);
        write_id(ids[i], &w);
        ct_bits_write(&w, CT_NETWORK_SOURCE_PLAIN << 1, 3);
        ct_bits_write_groups(&w, 1 + i, 4); // a base that is not there
        ct_bits_write(&w, 0x2aa, 10);
        packet_size = ct_bits_end(&w);
        assert_dropped(0, 1, CT_NETWORK_STATE); // another's object, unknown objects
        assert_true(ct_network_session_state_hash(net.nodes[0].session) == hash);
    }
    write_header(1, 1010, 0, 0, &w);
    ct_bits_write_groups(&w, 1, 6);
    write_id(others, &w);
    ct_bits_write(&w, CT_NETWORK_SOURCE_PLAIN << 1, 3);
    ct_bits_write_groups(&w, 0, 4); // its own base
    packet_size = ct_bits_end(&w);
    assert_broken(0, 1, CT_NETWORK_STATE, "has no base");
}

// An entry of peer 1's own object, against its reliable words of an owner's version.
static void write_entry(uint32_t number, uint32_t id, uint32_t owner_version) {
    ct_bit_writer w;
    write_header(1, number, 0, 0, &w);
    ct_bits_write_groups(&w, 1, 6);
    write_id(id, &w);
    ct_bits_write(&w, CT_NETWORK_SOURCE_RELIABLE << 1, 3);
    ct_bits_write(&w, owner_version, 4);
    ct_bits_write(&w, 0, 1);
    packet_size = ct_bits_end(&w);
}

// Sources that no sender names: bases that are not before the packet, times that are alike.
static void bases_that_cannot_be(void **state) {
    (void)state;
    enum { THE_USUAL = 4 };
    static const struct {
        uint32_t kind, base, older;
        const char *wrong;
    } entries[] = {
        {CT_NETWORK_SOURCE_PLAIN, 5000, 0, "has no base"},
        {CT_NETWORK_SOURCE_PREDICTED, 1, 0, "has no base"},
        {CT_NETWORK_SOURCE_PREDICTED, 1, 5000, "has no base"},
        {CT_NETWORK_SOURCE_USUAL, 0, 0, "has no base"}, // there is none
        {THE_USUAL, 0, 0, "has no base"},
        {CT_NETWORK_SOURCE_PREDICTED, 1, 1, "too long a time"}, // both of the same time
    };
    start(CT_COUNT_OF(entries));
    for (uint32_t i = 0; i < CT_COUNT_OF(entries); ++i) {
        const uint32_t c = client(), kind = entries[i].kind;
        const ct_network_object_id id = ct_network_session_create_object(
            net.nodes[c].session, session_object("body"), NULL, NULL);
        session_run(&net, 1);
        for (uint32_t k = 0; k < 2; ++k) {
            write_entry(1000 + k, id, 0);
            receive(0, c, CT_NETWORK_STATE);
        }
        ct_bit_writer w;
        write_header(1, 1002, 0, 0, &w);
        ct_bits_write_groups(&w, 1, 6);
        write_id(id, &w);
        ct_bits_write(&w, kind == THE_USUAL ? 1 : kind << 1, kind == THE_USUAL ? 1 : 3);
        if (kind == CT_NETWORK_SOURCE_PLAIN || kind == CT_NETWORK_SOURCE_PREDICTED)
            ct_bits_write_groups(&w, entries[i].base, 4);
        if (kind == CT_NETWORK_SOURCE_PREDICTED)
            ct_bits_write_groups(&w, entries[i].older, 4);
        ct_bits_write(&w, 0, 1);
        packet_size = ct_bits_end(&w);
        assert_broken(0, c, CT_NETWORK_STATE, entries[i].wrong);
    }
}

static void entries_of_a_former_ownership_are_dropped(void **state) {
    (void)state;
    start(2);
    const ct_network_object_id id =
        ct_network_session_create_object(net.nodes[1].session, session_object("flag"), NULL, NULL);
    session_run(&net, 1);
    for (uint32_t i = 0; i < 2; ++i) { // away and back
        const ct_peer_id to = net.nodes[i ? 1 : 2].peer;
        assert_true(ct_network_session_give_object(net.nodes[0].session, id, to, NULL));
        session_run(&net, 1);
    }
    for (uint32_t version = 0; version < 16; ++version) {
        const uint32_t number = 1000 + version;
        write_entry(number, id, version);
        if (version != 2) {
            assert_dropped(0, 1, CT_NETWORK_STATE);
            continue;
        }
        receive(0, 1, CT_NETWORK_STATE);
        assert_int_equal(net.nodes[0].session->streams.items[0]->peer == net.nodes[1].peer
                             ? net.nodes[0].session->streams.items[0]->received
                             : net.nodes[0].session->streams.items[1]->received,
                         number);
    }
    assert_int_equal(ct_network_session_counts_of(net.nodes[0].session).dropped_packets, 15);
}

static void messages_of_the_game(void **state) {
    (void)state;
    start(5);
    uint32_t c = client();
    ct_bit_writer w = begin();
    ct_bits_write(&w, 0, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, CT_COUNT_OF(session_messages), CT_NETWORK_TYPE_BITS);
    ct_bits_write(&w, 0, 1);
    end(CT_NETWORK_SAY_MESSAGE, &w);
    assert_broken(0, c, CT_NETWORK_SESSION, "unknown type");
    c = client();
    w = begin();
    ct_bits_write(&w, 0, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, session_message("shot"), CT_NETWORK_TYPE_BITS);
    ct_bits_write(&w, 0, 1);
    end(CT_NETWORK_SAY_MESSAGE, &w);
    assert_broken(0, c, CT_NETWORK_SESSION, "wrong channel");
    c = client();
    w = begin();
    ct_bits_write(&w, 0, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, session_message("say"), CT_NETWORK_TYPE_BITS);
    ct_bits_write(&w, 1, 1);
    end(CT_NETWORK_SAY_MESSAGE, &w);
    assert_broken(0, c, CT_NETWORK_SESSION, "do not fit its type");
    c = client();
    const uint8_t bytes[] = {CT_NETWORK_PACKET_MESSAGES, 1, 50, 0, 0};
    memcpy(packet, bytes, packet_size = sizeof(bytes));
    assert_broken(0, c, CT_NETWORK_STATE, "cut short");
    c = client();
    packet[1] = 2;
    assert_dropped(0, c, CT_NETWORK_STATE);
}

// A message to all others that has no arguments, as many times as a packet holds.
static void write_many(uint32_t type) {
    ct_bit_writer w = begin();
    ct_bits_write(&w, 0, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, type, CT_NETWORK_TYPE_BITS);
    ct_bits_write(&w, 0, 1); // as the defaults
    end(CT_NETWORK_SAY_MESSAGE, &w);
    const uint32_t size = packet_size;
    while (packet_size + size <= sizeof(packet)) {
        memcpy(packet + packet_size, packet, size);
        packet_size += size;
    }
}

static void floods_of_messages(void **state) {
    (void)state;
    start(3);
    const uint32_t wave = session_message("wave");
    write_many(wave);
    const uint64_t memory = ct_allocator_stats_of(test_heap()).live_bytes;
    for (uint32_t i = 0; i < 1000 && net.nodes[0].connection[1]; ++i)
        receive(0, 1, CT_NETWORK_SESSION);
    assert_true(ct_allocator_stats_of(test_heap()).live_bytes < memory + (32u << 20));
    const ct_network_session *const s = net.nodes[0].session;
    const char *why = NULL;
    for (uint32_t i = 0; i < s->events.count; ++i)
        if (s->events.items[i].type == CT_NETWORK_EVENT_BROKEN)
            why = s->events.items[i].why;
    assert_non_null(why);
    assert_non_null(strstr(why, "more messages than an update can hold"));
    session_run(&net, 2); // the others go on
    assert_int_equal(ct_network_session_peers(s, CT_NETWORK_PEERS_SYNCHRONIZED, NULL, 0), 3);
    assert_true(ct_network_session_send(net.nodes[2].session, 0, wave, (uint32_t[]){0}, NULL));
}

static void what_a_host_may_not_say(void **state) {
    (void)state;
    start(3);
    ct_bit_writer w = begin();
    ct_bits_write(&w, 0, CT_NETWORK_SLOT_BITS);
    ct_network_write_u64(&w, 5);
    ct_bits_write(&w, 0, 8);
    end(CT_NETWORK_SAY_PEER, &w);
    assert_broken(1, 0, CT_NETWORK_SESSION, "no slot or id");
    assert_int_equal(ct_network_session_end_reason(net.nodes[1].session), CT_NETWORK_REASON_BROKEN);
    w = begin();
    ct_bits_write(&w, 4095, CT_NETWORK_SLOT_BITS);
    ct_network_write_u64(&w, net.nodes[3].peer);
    ct_bits_write(&w, 0, 8);
    end(CT_NETWORK_SAY_PEER, &w);
    assert_broken(2, 0, CT_NETWORK_SESSION, "two peers");
    write_object(5 << 20 | 1, session_object("body"), 99, 0);
    assert_broken(3, 0, CT_NETWORK_SESSION, "owner of an object is not in the session");
}

static void what_comes_before_joining_is_dropped(void **state) {
    (void)state;
    start(1);
    test_node *const node =
        test_network_add(&net, &(ct_network_session_desc){.config = session_config});
    test_link_connect(node, net.nodes[0].peer, "node:0");
    session_run(&net, 0.5);
    write_object(9 << 20 | 1, session_object("body"), 9, 0);
    assert_dropped(0, 2, CT_NETWORK_SESSION);
    assert_dropped(2, 0, CT_NETWORK_SESSION);
    write_fields(1, 0, 0, 0, 0);
    assert_dropped(0, 2, CT_NETWORK_STATE);
    receive(0, 2, CT_NETWORK_LOBBY); // not the session's
    ct_bit_writer w = begin();
    ct_bits_write(&w, CT_NETWORK_PROTOCOL + 1, 16);
    end(CT_NETWORK_SAY_ASK, &w);
    receive(0, 2, CT_NETWORK_SESSION);
    assert_int_equal(net.nodes[0].connection[2], 0);
    assert_null(ct_network_peer_find(net.nodes[0].session, node->peer));
}

static void other_versions_are_refused_in_words(void **state) {
    (void)state;
    start(1);
    const uint64_t before = ct_log_warning_count("network_version");
    test_node *const node =
        test_network_add(&net, &(ct_network_session_desc){.config = session_config});
    test_link_connect(node, net.nodes[0].peer, "node:0");
    session_run(&net, 0.5);
    ct_bit_writer w = begin();
    ct_bits_write(&w, CT_NETWORK_PROTOCOL - 1, 16); // an older build
    end(CT_NETWORK_SAY_ASK, &w);
    receive(0, 2, CT_NETWORK_SESSION);
    assert_int_equal(net.nodes[0].connection[2], 0);
    assert_int_equal(ct_log_warning_count("network_version"), before + 1);
    test_node *const joiner =
        test_network_add(&net, &(ct_network_session_desc){.config = session_config});
    test_network_join(joiner, &net.nodes[0]);
    while (ct_network_session_state_of(joiner->session) == CT_NETWORK_SESSION_JOINING &&
           !ct_network_stream_find(joiner->session, net.nodes[0].peer))
        test_network_run(&net, net.frame, NULL, NULL);
    w = begin();
    ct_bits_write(&w, CT_NETWORK_REASON_VERSION, 4);
    end(CT_NETWORK_SAY_ENDED, &w);
    receive(3, 0, CT_NETWORK_SESSION);
    assert_int_equal(ct_network_session_end_reason(joiner->session), CT_NETWORK_REASON_VERSION);
    assert_int_equal(ct_log_warning_count("network_version"), before + 2);
}

// --- Anything ------------------------------------------------------------------------------------

static void damage(void *user, test_network *n, test_network_item *item) {
    ct_random *const random = user;
    if (item->size == 0 || ct_random_below(random, 40) != 0)
        return;
    const uint32_t count = 1 + ct_random_below(random, 3);
    for (uint32_t i = 0; i < count; ++i)
        item->bytes[ct_random_below(random, item->size)] ^=
            (uint8_t)(1u << ct_random_below(random, 8));
    (void)n;
}

static void act(void *user, test_node *node) {
    ct_random *const random = user;
    if (ct_network_session_state_of(node->session) != CT_NETWORK_SESSION_IN)
        return;
    ct_network_object_id ids[64];
    uint32_t count = ct_network_session_objects(node->session, node->peer, ids, 64);
    count = count < 64 ? count : 64;
    if (count < 10)
        ct_network_session_create_object(node->session, ct_random_below(random, 4), NULL, NULL);
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t value = (int32_t)ct_random_below(random, 100);
        const uint32_t type = ct_network_session_object_type(node->session, ids[i]);
        if (type == session_object("body"))
            session_set(node, ids[i], "body", "health", session_integer(value));
        else if (type == session_object("flag"))
            session_set(node, ids[i], "flag", "score", session_integer(value));
    }
    if (count > 5)
        ct_network_session_destroy_object(node->session, ids[0], NULL);
}

static void survives_damaged_packets(void **state) {
    (void)state;
    for (uint32_t round = 0; round < test_rounds(20, 2000); ++round) {
        ct_random random = ct_random_seeded(round, 5);
        session_start(&net, 3, NULL);
        net.look = damage;
        net.look_user = &random;
        test_network_run(&net, 4, act, &random);
        net.look = NULL;
        test_network_run(&net, 4, act, &random);
        test_network_free(&net);
        test_network_init(&net, round + 100);
    }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(messages_in_pieces),
        TEST(objects_at_a_host),
        TEST(fields_out_of_range),
        TEST(packets_of_fields),
        TEST(bases_that_cannot_be),
        TEST(packets_that_loss_explains_are_dropped),
        TEST(entries_of_a_former_ownership_are_dropped),
        TEST(messages_of_the_game),
        TEST(floods_of_messages),
        TEST(what_a_host_may_not_say),
        TEST(what_comes_before_joining_is_dropped),
        TEST(other_versions_are_refused_in_words),
        TEST(survives_damaged_packets),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
