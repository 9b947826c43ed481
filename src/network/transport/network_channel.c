// network_channel.c: ENet's datagrams in sealed ones, and back.
#include "network/transport/network_transport_private.h"

#include <string.h>

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

void ct_network_channel_send(void *data, uint32_t slot, const uint8_t *bytes, uint32_t size) {
    ct_network_transport *const t = data;
    connection *const c = &t->connections[slot];
    if (c->state < CONNECTION_SEALED)
        return;
    uint8_t sealed[DATA_HEAD_BYTES + CT_NETWORK_ENET_DATAGRAM_BYTES + CT_NETWORK_TAG_BYTES];
    _Static_assert(sizeof(sealed) <= CT_NETWORK_WIRE_BYTES, "a datagram fits the wire");
    const uint64_t number = ++c->num_sent;
    sealed[0] = c->is_plain ? DATAGRAM_PLAIN : DATAGRAM_DATA;
    write_number(sealed + 1, c->other_id, 4);
    write_number(sealed + 5, number, 8);
    uint32_t total = DATA_HEAD_BYTES + size;
    if (c->is_plain) {
        memcpy(sealed + DATA_HEAD_BYTES, bytes, size);
    } else {
        ct_network_seal(c->is_ours ? &c->keys.to_acceptor : &c->keys.to_connector, number, sealed,
                        DATA_HEAD_BYTES, bytes, size, sealed + DATA_HEAD_BYTES);
        total += CT_NETWORK_TAG_BYTES;
    }
    ++c->stats.datagrams_out;
    c->stats.datagram_bytes_out += total;
    ct_network_transport_send_datagram(t, c->address, sealed, total);
}

// Takes the numbers of a datagram that has opened.
static void hear(ct_network_transport *t, connection *c, uint64_t number, uint32_t size) {
    ct_network_window_add(&c->window, number);
    c->heard_ns = t->now_ns;
    ++c->stats.datagrams_in;
    c->stats.datagram_bytes_in += size;
    if (c->state == CONNECTION_HALF)
        ct_network_connection_set_state(t, c, CONNECTION_SEALED);
}

// Opens a datagram of DATA or PLAIN into `bytes`. Returns the size of what is in it, or 0.
static uint32_t open_data(ct_network_transport *t, ct_datagram_address from, uint32_t size,
                          uint32_t *slot, uint8_t *bytes) {
    const uint8_t *const sealed = t->received;
    const bool is_plain = sealed[0] == DATAGRAM_PLAIN;
    const uint32_t around = DATA_HEAD_BYTES + (is_plain ? 0 : CT_NETWORK_TAG_BYTES);
    if (size <= around) {
        ++t->stats.malformed;
        return 0;
    }
    connection *const c = ct_network_connection_of_id(t, (uint32_t)read_number(sealed + 1, 4));
    if (!c || c->state < CONNECTION_HALF || !ct_datagram_address_equal(c->address, from) ||
        c->is_plain != is_plain) {
        ++t->stats.unknown;
        return 0;
    }
    const uint64_t number = read_number(sealed + 5, 8);
    if (!ct_network_window_is_new(&c->window, number)) {
        ++t->stats.replayed;
        return 0;
    }
    if (is_plain) {
        memcpy(bytes, sealed + DATA_HEAD_BYTES, size - around);
    } else if (!ct_network_open(c->is_ours ? &c->keys.to_connector : &c->keys.to_acceptor, number,
                                sealed, DATA_HEAD_BYTES, sealed + DATA_HEAD_BYTES,
                                size - DATA_HEAD_BYTES, bytes)) {
        ++t->stats.not_opened;
        return 0;
    }
    hear(t, c, number, size);
    *slot = ct_network_connection_slot(t, c);
    return size - around;
}

int32_t ct_network_channel_receive(void *data, uint32_t *slot, uint8_t *bytes, uint32_t capacity) {
    ct_network_transport *const t = data;
    ct_datagram_address from = {0};
    for (; t->budget_left > 0; --t->budget_left) {
        const int64_t size = ct_network_wire_receive(t->desc.wire, t->now_ns, &from, t->received,
                                                     CT_NETWORK_WIRE_BYTES);
        if (size < 0)
            return -1;
        ct_network_events_tap(t, &(ct_network_tap){.kind = CT_NETWORK_TAP_DATAGRAM_IN,
                                                   .address = from,
                                                   .bytes = t->received,
                                                   .size = (uint32_t)size});
        if (size == 0 || (uint64_t)size > capacity) {
            ++t->stats.malformed;
        } else if (t->received[0] == DATAGRAM_DATA || t->received[0] == DATAGRAM_PLAIN) {
            const uint32_t opened = open_data(t, from, (uint32_t)size, slot, bytes);
            if (opened > 0)
                return (int32_t)opened;
        } else {
            ct_network_handshake_take(t, from, t->received, (uint32_t)size);
        }
    }
    return -1;
}
