// network_handshake.c: who is let in (network_transport.h has the protocol).
#include "network/transport/network_transport_private.h"

#include "foundation/memory/allocator.h"

#include <string.h>

// Where things are in the datagrams; each begins with its kind and three bytes of 0.
enum {
    VERSIONS_AT = 4,   // HELLO, BEGIN: two of 4 bytes
    SENDER_AT = 12,    // HELLO, BEGIN: id
    CONNECTOR_AT = 16, // HELLO, BEGIN: public key
    HELLO_BYTES = 96,
    BEGIN_COOKIE_AT = 48,
    BEGIN_HEAD_BYTES = 64,
    BEGIN_SEALED_BYTES = 24, // peer id, wanted peer id, flags
    BEGIN_BYTES = BEGIN_HEAD_BYTES + BEGIN_SEALED_BYTES + CT_NETWORK_TAG_BYTES,
    RECEIVER_AT = 4, // COOKIE, ACCEPT, REFUSE: id
    ECHO_AT = 8,     // the connector's public key: all of it in REFUSE, else its first 8 bytes
    ECHO_BYTES = 8,
    COOKIE_AT = 16,
    COOKIE_BYTES = 32,
    ACCEPT_SENDER_AT = 16,
    ACCEPTOR_AT = 20,
    ACCEPT_HEAD_BYTES = 52,
    ACCEPT_SEALED_BYTES = 16, // peer id, flags
    ACCEPT_BYTES = ACCEPT_HEAD_BYTES + ACCEPT_SEALED_BYTES + CT_NETWORK_TAG_BYTES,
    REFUSE_REASON_AT = 40,
    REFUSE_BYTES = 44,
    FLAG_PLAIN = 1,
};

static const uint64_t ms_ns = 1000000;
static const uint64_t cookie_span_ns = UINT64_C(30000000000);

static void write_number(uint8_t *bytes, uint64_t number, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t read_number(const uint8_t *bytes, uint32_t count) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; ++i)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static ct_network_key read_key(const uint8_t *bytes) {
    ct_network_key key;
    memcpy(key.bytes, bytes, sizeof(key.bytes));
    return key;
}

static bool is_key(const ct_network_key *key, const uint8_t *bytes) {
    return memcmp(key->bytes, bytes, sizeof(key->bytes)) == 0;
}

// --- The connecting end --------------------------------------------------------------------------

static void write_start(const ct_network_transport *t, const connection *c, datagram_kind kind,
                        uint8_t *bytes) {
    bytes[0] = (uint8_t)kind;
    write_number(bytes + VERSIONS_AT, CT_NETWORK_PROTOCOL, 4);
    write_number(bytes + VERSIONS_AT + 4, t->desc.version, 4);
    write_number(bytes + SENDER_AT, ct_network_connection_id(t, c), 4);
    memcpy(bytes + CONNECTOR_AT, c->connector.bytes, sizeof(c->connector.bytes));
}

static void send_hello(ct_network_transport *t, const connection *c) {
    uint8_t bytes[HELLO_BYTES] = {0};
    write_start(t, c, DATAGRAM_HELLO, bytes);
    ct_network_transport_send_datagram(t, c->address, bytes, sizeof(bytes));
}

static void send_begin(ct_network_transport *t, const connection *c) {
    uint8_t bytes[BEGIN_BYTES] = {0}, plain[BEGIN_SEALED_BYTES] = {0};
    write_start(t, c, DATAGRAM_BEGIN, bytes);
    memcpy(bytes + BEGIN_COOKIE_AT, c->cookie, sizeof(c->cookie));
    write_number(plain, t->desc.self, 8);
    write_number(plain + 8, c->peer, 8);
    write_number(plain + 16, t->desc.is_plain ? FLAG_PLAIN : 0, 8);
    ct_network_key key = ct_network_begin_key(&t->desc.key, &c->connector, c->cookie);
    ct_network_seal(&key, 0, bytes, BEGIN_HEAD_BYTES, plain, sizeof(plain),
                    bytes + BEGIN_HEAD_BYTES);
    ct_network_key_wipe(&key);
    ct_network_transport_send_datagram(t, c->address, bytes, sizeof(bytes));
}

void ct_network_handshake_ask(ct_network_transport *t, connection *c) {
    if (t->now_ns < c->ask_again_ns)
        return;
    // First 200 ms, then half as much longer each time, up to a second.
    uint64_t wait = (c->ask_again_ns - c->asked_ns) * 3 / 2;
    wait = wait < 200 * ms_ns ? 200 * ms_ns : wait > 1000 * ms_ns ? 1000 * ms_ns : wait;
    c->asked_ns = t->now_ns;
    c->ask_again_ns = t->now_ns + wait;
    if (c->state == CONNECTION_HELLO)
        send_hello(t, c);
    else
        send_begin(t, c);
}

static void ask_now(ct_network_transport *t, connection *c) {
    c->asked_ns = c->ask_again_ns = t->now_ns;
    ct_network_handshake_ask(t, c);
}

// Returns the connection of ours that an answer is for, or NULL.
static connection *answered(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes,
                            uint32_t echo_bytes) {
    connection *const c =
        ct_network_connection_of_id(t, (uint32_t)read_number(bytes + RECEIVER_AT, 4));
    const bool is_for_us = c && c->is_ours &&
                           (c->state == CONNECTION_HELLO || c->state == CONNECTION_BEGIN) &&
                           ct_datagram_address_equal(c->address, from) &&
                           memcmp(c->connector.bytes, bytes + ECHO_AT, echo_bytes) == 0;
    t->stats.unknown += !is_for_us;
    return is_for_us ? c : NULL;
}

static void take_cookie(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes) {
    connection *const c = answered(t, from, bytes, ECHO_BYTES);
    if (!c)
        return;
    // A second cookie comes when the first has grown old; many at a time are no answers of ours.
    const bool is_first = c->state == CONNECTION_HELLO;
    if (!is_first && (t->now_ns < c->cookie_ns + 100 * ms_ns ||
                      ct_network_cookie_equal(c->cookie, bytes + COOKIE_AT)))
        return;
    memcpy(c->cookie, bytes + COOKIE_AT, sizeof(c->cookie));
    c->cookie_ns = t->now_ns;
    ct_network_connection_set_state(t, c, CONNECTION_BEGIN);
    ask_now(t, c);
}

static void take_refuse(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes) {
    connection *const c = answered(t, from, bytes, CT_NETWORK_KEY_BYTES);
    if (!c)
        return;
    const uint64_t reason = read_number(bytes + REFUSE_REASON_AT, 4);
    const bool is_known = reason > CT_NETWORK_REASON_NONE && reason < CT_NETWORK_REASONS;
    ct_network_connection_fail(t, c,
                               is_known ? (ct_network_reason)reason : CT_NETWORK_REASON_UNREACHED);
}

// The peer of a connection by address is known now. Returns false when there is no need for it.
static bool learn_peer(ct_network_transport *t, connection *c, ct_peer_id peer) {
    if (c->peer == 0 && !ct_network_connection_of_peer(t, peer)) {
        c->peer = peer;
        ct_network_connection_know(t, c);
    }
    return c->peer == peer;
}

static void take_accept(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes) {
    connection *const c = answered(t, from, bytes, ECHO_BYTES);
    if (!c || c->state != CONNECTION_BEGIN)
        return;
    const ct_network_key acceptor = read_key(bytes + ACCEPTOR_AT);
    ct_network_session_keys keys = {0};
    uint8_t plain[ACCEPT_SEALED_BYTES];
    const bool is_open =
        ct_network_session_keys_make(&t->desc.key, &c->secret, &acceptor, &c->connector, &acceptor,
                                     &keys) &&
        ct_network_open(&keys.accept, 0, bytes, ACCEPT_HEAD_BYTES, bytes + ACCEPT_HEAD_BYTES,
                        ACCEPT_BYTES - ACCEPT_HEAD_BYTES, plain);
    if (!is_open) {
        ++t->stats.not_opened;
        return;
    }
    const ct_peer_id peer = read_number(plain, 8);
    const uint64_t flags = read_number(plain + 8, 8);
    if (peer == 0 || !learn_peer(t, c, peer)) {
        ct_network_connection_fail(t, c, CT_NETWORK_REASON_UNREACHED);
        return;
    }
    ct_network_key_wipe(&c->secret);
    c->keys = keys;
    c->acceptor = acceptor;
    c->is_plain = t->desc.is_plain && (flags & FLAG_PLAIN) != 0;
    c->other_id = (uint32_t)read_number(bytes + ACCEPT_SENDER_AT, 4);
    c->heard_ns = t->now_ns;
    c->is_enet_due = true;
    ct_network_connection_set_state(t, c, CONNECTION_SEALED);
}

// --- The accepting end ---------------------------------------------------------------------------

static void refuse(ct_network_transport *t, ct_datagram_address to, const uint8_t *asked,
                   ct_network_reason reason) {
    uint8_t bytes[REFUSE_BYTES] = {DATAGRAM_REFUSE};
    memcpy(bytes + RECEIVER_AT, asked + SENDER_AT, 4);
    memcpy(bytes + ECHO_AT, asked + CONNECTOR_AT, CT_NETWORK_KEY_BYTES);
    write_number(bytes + REFUSE_REASON_AT, reason, 4);
    ++t->stats.refused;
    ct_network_transport_send_datagram(t, to, bytes, sizeof(bytes));
}

static bool has_our_versions(const ct_network_transport *t, const uint8_t *bytes) {
    return read_number(bytes + VERSIONS_AT, 4) == CT_NETWORK_PROTOCOL &&
           read_number(bytes + VERSIONS_AT + 4, 4) == t->desc.version;
}

static void send_cookie(ct_network_transport *t, ct_datagram_address to, const uint8_t *asked) {
    uint8_t bytes[COOKIE_BYTES] = {DATAGRAM_COOKIE};
    const ct_network_key connector = read_key(asked + CONNECTOR_AT);
    memcpy(bytes + RECEIVER_AT, asked + SENDER_AT, 4);
    memcpy(bytes + ECHO_AT, connector.bytes, ECHO_BYTES);
    ct_network_cookie(&t->cookie_secret, t->now_ns / cookie_span_ns, to, &connector,
                      bytes + COOKIE_AT);
    ct_network_transport_send_datagram(t, to, bytes, sizeof(bytes));
}

static bool is_our_cookie(const ct_network_transport *t, ct_datagram_address from,
                          const ct_network_key *connector, const uint8_t *cookie) {
    const uint64_t span = t->now_ns / cookie_span_ns;
    for (uint64_t back = 0; back < 2 && back <= span; ++back) {
        uint8_t ours[CT_NETWORK_COOKIE_BYTES];
        ct_network_cookie(&t->cookie_secret, span - back, from, connector, ours);
        if (ct_network_cookie_equal(ours, cookie))
            return true;
    }
    return false;
}

static void send_accept(ct_network_transport *t, const connection *c) {
    uint8_t bytes[ACCEPT_BYTES] = {DATAGRAM_ACCEPT}, plain[ACCEPT_SEALED_BYTES];
    write_number(bytes + RECEIVER_AT, c->other_id, 4);
    memcpy(bytes + ECHO_AT, c->connector.bytes, ECHO_BYTES);
    write_number(bytes + ACCEPT_SENDER_AT, ct_network_connection_id(t, c), 4);
    memcpy(bytes + ACCEPTOR_AT, c->acceptor.bytes, sizeof(c->acceptor.bytes));
    write_number(plain, t->desc.self, 8);
    write_number(plain + 8, c->is_plain ? FLAG_PLAIN : 0, 8);
    // The same bytes each time: sealing them twice gives nothing away.
    ct_network_seal(&c->keys.accept, 0, bytes, ACCEPT_HEAD_BYTES, plain, sizeof(plain),
                    bytes + ACCEPT_HEAD_BYTES);
    ct_network_transport_send_datagram(t, c->address, bytes, sizeof(bytes));
}

// A peer that is connected already is not replaced while it is heard: another end with its id
// cannot throw it out. Where both connect to each other, the lower id's connection is the one.
static bool must_wait(const ct_network_transport *t, ct_datagram_address from, ct_peer_id peer) {
    const connection *const known = ct_network_connection_of_peer(t, peer);
    if (known && known->state >= CONNECTION_SEALED)
        return t->now_ns - known->heard_ns < FRESH_NS;
    return (known || ct_network_connection_by_address(t, from)) && t->desc.self < peer;
}

// Why a connector that has the key is not let in; NONE when it is.
static ct_network_reason refusal(const ct_network_transport *t, ct_peer_id peer,
                                 ct_peer_id wanted) {
    if (peer == 0 || peer == t->desc.self)
        return CT_NETWORK_REASON_BROKEN;
    if ((wanted != 0 && wanted != t->desc.self) || t->refuses)
        return CT_NETWORK_REASON_UNREACHED;
    const connection *const known = ct_network_connection_of_peer(t, peer);
    const bool replaces = known && known->state == CONNECTION_CONNECTED;
    return t->num_connected >= t->desc.max_peers && !replaces ? CT_NETWORK_REASON_FULL
                                                              : CT_NETWORK_REASON_NONE;
}

static uint64_t map_key(const ct_network_key *connector) {
    return read_number(connector->bytes, 8);
}

static void let_in(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes,
                   ct_peer_id peer, bool is_plain) {
    connection *const c = ct_network_connection_begin(t, from);
    if (!c) {
        refuse(t, from, bytes, CT_NETWORK_REASON_FULL);
        return;
    }
    c->peer = peer;
    c->is_plain = is_plain;
    c->other_id = (uint32_t)read_number(bytes + SENDER_AT, 4);
    c->connector = read_key(bytes + CONNECTOR_AT);
    ct_network_key_pair(&c->secret, &c->acceptor);
    const bool has_keys = ct_network_session_keys_make(&t->desc.key, &c->secret, &c->connector,
                                                       &c->connector, &c->acceptor, &c->keys);
    ct_network_key_wipe(&c->secret);
    if (!has_keys) {
        ct_network_connection_free(t, c);
        refuse(t, from, bytes, CT_NETWORK_REASON_BROKEN);
        return;
    }
    c->map_key = map_key(&c->connector);
    ct_hash_map_set(&t->by_key, c->map_key, ct_network_connection_slot(t, c));
    ct_network_connection_set_state(t, c, CONNECTION_HALF);
    send_accept(t, c);
}

// A BEGIN that has been accepted: its ACCEPT got lost, or it came twice. Returns false for others.
static bool is_accepted(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes) {
    const ct_network_key connector = read_key(bytes + CONNECTOR_AT);
    const uint64_t slot = ct_hash_map_get(&t->by_key, map_key(&connector), NO_SLOT);
    if (slot == NO_SLOT)
        return false;
    const connection *const c = &t->connections[slot];
    if (c->state == CONNECTION_HALF && is_key(&c->connector, connector.bytes) &&
        ct_datagram_address_equal(c->address, from))
        send_accept(t, c);
    return true;
}

// Answers, within limits, what has not proven where it is.
static void answer_stranger(ct_network_transport *t, ct_datagram_address from,
                            const uint8_t *bytes) {
    if (!ct_network_guard_pass(&t->hellos, from.ip, t->now_ns))
        ++t->stats.guarded;
    else if (!has_our_versions(t, bytes))
        refuse(t, from, bytes, CT_NETWORK_REASON_VERSION);
    else
        send_cookie(t, from, bytes);
}

static bool open_begin(const ct_network_transport *t, const uint8_t *bytes,
                       uint8_t plain[BEGIN_SEALED_BYTES]) {
    const ct_network_key connector = read_key(bytes + CONNECTOR_AT);
    ct_network_key key = ct_network_begin_key(&t->desc.key, &connector, bytes + BEGIN_COOKIE_AT);
    const bool is_open = ct_network_open(&key, 0, bytes, BEGIN_HEAD_BYTES, bytes + BEGIN_HEAD_BYTES,
                                         BEGIN_BYTES - BEGIN_HEAD_BYTES, plain);
    ct_network_key_wipe(&key);
    return is_open;
}

static void take_begin(ct_network_transport *t, ct_datagram_address from, const uint8_t *bytes) {
    const ct_network_key connector = read_key(bytes + CONNECTOR_AT);
    uint8_t plain[BEGIN_SEALED_BYTES];
    if (!has_our_versions(t, bytes) ||
        !is_our_cookie(t, from, &connector, bytes + BEGIN_COOKIE_AT)) {
        answer_stranger(t, from, bytes);
        return;
    }
    // Those without the key take nothing from the handshakes of those with it.
    const bool has_key = open_begin(t, bytes, plain);
    t->stats.not_opened += !has_key;
    if (!ct_network_guard_pass(has_key ? &t->begins : &t->hellos, from.ip, t->now_ns)) {
        ++t->stats.guarded;
        return;
    }
    if (!has_key) {
        refuse(t, from, bytes, CT_NETWORK_REASON_PASSWORD);
        return;
    }
    const ct_peer_id peer = read_number(plain, 8);
    const bool is_plain = t->desc.is_plain && (read_number(plain + 16, 8) & FLAG_PLAIN) != 0;
    if (is_accepted(t, from, bytes) || must_wait(t, from, peer))
        return;
    const ct_network_reason reason = refusal(t, peer, read_number(plain + 8, 8));
    if (reason != CT_NETWORK_REASON_NONE)
        refuse(t, from, bytes, reason);
    else
        let_in(t, from, bytes, peer, is_plain);
}

void ct_network_handshake_take(ct_network_transport *t, ct_datagram_address from,
                               const uint8_t *bytes, uint32_t size) {
    const datagram_kind kind = bytes[0];
    if (kind == DATAGRAM_HELLO && size == HELLO_BYTES)
        answer_stranger(t, from, bytes);
    else if (kind == DATAGRAM_COOKIE && size == COOKIE_BYTES)
        take_cookie(t, from, bytes);
    else if (kind == DATAGRAM_BEGIN && size == BEGIN_BYTES)
        take_begin(t, from, bytes);
    else if (kind == DATAGRAM_ACCEPT && size == ACCEPT_BYTES)
        take_accept(t, from, bytes);
    else if (kind == DATAGRAM_REFUSE && size == REFUSE_BYTES)
        take_refuse(t, from, bytes);
    else
        ++t->stats.malformed;
}
