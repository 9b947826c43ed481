// Bytes from a peer, to a host, to a client and to a peer that looks for a host: they do no harm.
#include "foundation/log.h"
#include "network/log/network_seen.h"
#include "network/session/network_session_private.h"
#include "network/session/session_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A step of the input is a byte that says what it does, and for packets one with their size.
enum { RAW_SESSION, MESSAGE, RAW_STATE, FIELDS, UNRELIABLE, PLAY, CONNECT, CRASH, STEPS };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const int result = test_group_setup(NULL);
    session_make_config(NULL);
    return result;
}

// What an observer sees can be written, and is read again.
static void observe(void *data, const ct_network_seen *what) {
    (void)data;
    static ct_network_seen_reader r;
    ct_byte_array bytes;
    ct_network_seen read;
    const char *fault;
    ct_array_init(&bytes, test_heap());
    ct_network_seen_write(session_config, what, &bytes);
    ct_network_seen_open(&r, session_config, what->peer, bytes.items, bytes.count);
    if (bytes.count > CT_NETWORK_SEEN_BYTES || !ct_network_seen_next(&r, &read, &fault) ||
        r.at != r.end || read.bits != what->bits || read.fields != what->fields)
        abort();
    ct_array_free(&bytes);
}

static void act(void *user, test_node *node) {
    (void)user;
    if (ct_network_session_state_of(node->session) != CT_NETWORK_SESSION_IN)
        return;
    ct_network_object_id ids[8];
    uint32_t count = ct_network_session_objects(node->session, node->peer, ids, 8);
    count = count < 8 ? count : 8;
    if (count < 4)
        ct_network_session_create_object(node->session, count % 4, NULL, NULL);
    for (uint32_t i = 0; i < count; ++i)
        if (ct_network_session_object_type(node->session, ids[i]) == session_object("body"))
            session_set(node, ids[i], "body", "health",
                        session_integer((int32_t)(node->net->now * 100) % 100));
    if (count == 4)
        ct_network_session_destroy_object(node->session, ids[0], NULL);
}

// Writes what comes before the bytes of the input, so that they get past the first checks.
static uint32_t write_start(test_node *to, const test_node *from, uint32_t step, uint32_t kind,
                            uint32_t size, uint8_t *packet) {
    const ct_network_stream *const stream = ct_network_stream_find(to->session, from->peer);
    const uint32_t next = stream ? stream->received + 1 : 1;
    ct_bit_writer w = ct_bits_write_to(packet, 64);
    if (step == MESSAGE) {
        packet[0] = (uint8_t)(kind % (CT_NETWORK_SAYS + 1));
        packet[1] = (uint8_t)size;
        packet[2] = 0;
        return 3;
    }
    if (step == UNRELIABLE) {
        packet[0] = CT_NETWORK_PACKET_MESSAGES;
        packet[1] = (uint8_t)to->session->epoch;
        packet[2] = (uint8_t)size;
        packet[3] = 0;
        return 4;
    }
    if (step != FIELDS)
        return 0;
    ct_bits_write(&w, CT_NETWORK_PACKET_FIELDS, 8);
    ct_bits_write(&w, to->session->epoch & 0xff, 8);
    ct_bits_write(&w, next & 0xffff, 16);
    ct_bits_write(&w, kind & 1, 1);
    ct_bits_write(&w, stream ? (stream->next_number - 1 - kind % 4) & 0xffff : 0, 16);
    ct_bits_write(&w, 0, 10);
    ct_bits_write(&w, 0x5f5f5f5f, 32);
    ct_bits_write(&w, stream ? stream->reliable_sent & 0xffff : 0, 16);
    ct_bits_write(&w, 1000, 32);
    ct_bits_write(&w, 0, 4);
    ct_bits_write(&w, kind & 2 ? 1 : 0, 1); // that is a whole number of bytes
    return ct_bits_end(&w);
}

static void send_packet(test_network *net, uint32_t to, uint32_t from, uint32_t step, uint32_t kind,
                        const uint8_t *bytes, uint32_t size) {
    if (!net->nodes[to].is_up || !net->nodes[from].is_up)
        return;
    uint8_t start[64];
    const uint32_t before =
        write_start(&net->nodes[to], &net->nodes[from], step, kind, size, start);
    uint8_t *const packet = malloc(before + size + 1);
    memcpy(packet, start, before);
    if (size > 0)
        memcpy(packet + before, bytes, size);
    const bool is_state = step == RAW_STATE || step == FIELDS || step == UNRELIABLE;
    uint8_t *const exact = malloc(before + size > 0 ? before + size : 1);
    memcpy(exact, packet, before + size);
    ct_network_session_receive(net->nodes[to].session, net->nodes[from].peer,
                               is_state ? CT_NETWORK_STATE : CT_NETWORK_SESSION, exact,
                               before + size, net->now);
    free(exact);
    free(packet);
}

static void check(const test_network *net) {
    for (uint32_t i = 0; i < net->num_nodes; ++i) {
        const ct_network_session *const s = net->nodes[i].session;
        if (!s)
            continue;
        uint32_t count = 0, num_owned = 0;
        for (uint32_t k = 0; k < CT_NETWORK_SESSION_MAX_SLOTS; ++k)
            num_owned += s->objects.num_owned[k];
        for (uint32_t k = 0; k < s->objects.items.count; ++k) {
            const ct_network_session_object *const o = &s->objects.items.items[k];
            count += o->id != 0;
            if (o->id && (!ct_network_record_check(session_config, &s->types[o->type],
                                                   ct_network_objects_words(s, k)) ||
                          ct_network_objects_find(s, o->id) != k))
                abort();
        }
        if (count != s->objects.count || count != num_owned ||
            s->peers.count > CT_NETWORK_SESSION_MAX_PEERS)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    test_network net;
    test_network_init(&net, 1);
    net.frame = 0.1;
    const ct_network_session_desc d = {.config = session_config,
                                       .max_objects_of_peer = 16,
                                       .migration_seconds = 1,
                                       .observer = {.seen = observe}};
    ct_network_session_host(test_network_add(&net, &d)->session, net.now, NULL);
    for (uint32_t i = 0; i < 3; ++i)
        test_network_join(test_network_add(&net, &d), &net.nodes[0]);
    test_network_run(&net, 0.1 * (data[0] % 8), act, NULL);
    const uint8_t *at = data + 1, *const end = data + size;
    while (end - at >= 3) {
        const uint32_t step = at[0] % STEPS, to = at[0] / STEPS % 4, from = at[1] % 4,
                       kind = at[1] / 4;
        uint32_t bytes = at[2] % 64;
        at += 3;
        if (bytes > (uint32_t)(end - at))
            bytes = (uint32_t)(end - at);
        if (step == PLAY)
            test_network_run(&net, 0.1 * (1 + bytes % 20), act, NULL);
        else if (step == CONNECT && net.nodes[from].is_up)
            test_link_connect(&net.nodes[from], net.nodes[to].peer,
                              (const char *const[]){"node:0", "node:1", "node:2", "node:3"}[to]);
        else if (step == CRASH && to == 0 && net.nodes[to].is_up)
            test_network_crash(&net.nodes[to]);
        else if (step < PLAY && to != from) {
            send_packet(&net, to, from, step, kind, at, bytes);
            at += bytes;
        }
        check(&net);
    }
    test_network_run(&net, 1, act, NULL);
    check(&net);
    test_network_free(&net);
    return 0;
}
