// Inside the seal: a peer that has the password and sends what ENet never would. Both ends are
// plain, so that any bytes can be put where ENet's are. Nothing may crash or leak, and packets keep
// to their sizes.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "network/transport/network_transport.h"
#include "support/input_pieces.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 13, ENET_HEAD_BYTES = 4 };
static const ct_datagram_address host_at = {1, 1}, client_at = {2, 1};

// The last datagram of data that the client sent.
static uint8_t last[HEAD_BYTES + ENET_HEAD_BYTES];

static void keep(void *data, const ct_network_tap *what) {
    (void)data;
    if (what->kind == CT_NETWORK_TAP_DATAGRAM_OUT && what->bytes[0] == 7 &&
        what->size >= sizeof(last))
        memcpy(last, what->bytes, sizeof(last));
}

static void check_events(ct_network_transport *t) {
    ct_network_transport_event event;
    while (ct_network_transport_next(t, &event)) {
        CT_ASSERT(event.size <= CT_NETWORK_MAX_RELIABLE && event.channel < CT_NETWORK_CHANNELS &&
                      event.reason < CT_NETWORK_REASONS,
                  "a packet of %u bytes on channel %u", event.size, (uint32_t)event.channel);
        uint8_t sum = 0;
        for (uint32_t i = 0; i < event.size; ++i)
            sum = (uint8_t)(sum + event.bytes[i]); // all of it can be read
        (void)sum;
    }
}

static void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

// Where a command has the length of the data behind it; 0 where it has none.
static uint32_t length_at(uint32_t command) {
    return command == 6 ? 4 : command == 7 || command == 8 || command == 9 || command == 12 ? 6 : 0;
}

// Writes a command as ENet has them, with fields that the input picks: coverage does not guide it
// there, as ENet is not compiled with it. Returns its size.
static uint32_t put_command(input *in, uint8_t *bytes) {
    static const uint8_t sizes[16] = {4, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24, 4, 4, 4};
    const uint8_t kind = take(in), numbers = take(in);
    const uint32_t command = kind & 15, size = sizes[command];
    memset(bytes, 0, size);
    bytes[0] = (uint8_t)(command | ((kind & 0x30) == 0x30 ? kind & 0xc0 : kind & 0x80));
    bytes[1] = (uint8_t)(take(in) % 5);
    for (uint32_t i = 2; i < size; ++i) { // small numbers, mostly
        const bool is_low = i % 2 == 1;
        bytes[i] = is_low || (numbers & 1) ? take(in) : 0;
    }
    const uint32_t at = length_at(command), length = take(in) % 40;
    if (at == 0)
        return size;
    if (numbers & 2) { // it says how much follows
        put16(bytes + at, length);
    }
    if (command == 8 && (numbers & 4)) { // a part of a packet that ENet may believe
        put16(bytes + 8, 0);
        put16(bytes + 10, 1 + bytes[11] % 4);
        put16(bytes + 12, 0);
        put16(bytes + 14, bytes[15] % 4);
        put16(bytes + 16, 0);
        put16(bytes + 18, 4000);
        put16(bytes + 20, 0);
    }
    for (uint32_t i = 0; i < length; ++i)
        bytes[size + i] = take(in);
    return size + length;
}

// Sends a datagram of the input's bytes, mostly behind ENet's own head.
static void send_new(input *in, ct_network_wire *from, uint64_t now, uint64_t number) {
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    const uint8_t what = take(in);
    uint32_t size = what & 1 ? HEAD_BYTES : HEAD_BYTES + ENET_HEAD_BYTES;
    memcpy(bytes, last, size);
    if (what & 2 && size > HEAD_BYTES) { // without the time
        bytes[HEAD_BYTES] &= 0x7f;
        size -= 2;
    }
    for (uint32_t i = 0; i < 8; ++i)
        bytes[5 + i] = (uint8_t)(number >> 8 * i);
    const bool has_commands = what & 4;
    for (uint32_t left = has_commands ? 1 + (what >> 3) % 8 : 0; left > 0; --left)
        size += put_command(in, bytes + size);
    for (uint32_t left = has_commands ? 0 : 1 + take(in); left > 0; --left)
        bytes[size++] = take(in);
    ct_network_wire_send(from, now, host_at, bytes, size);
}

static ct_network_transport *make(ct_network_wire *wire, ct_peer_id self) {
    return ct_network_transport_create(&(ct_network_transport_desc){.allocator = ct_memory_heap(),
                                                                    .wire = wire,
                                                                    .self = self,
                                                                    .max_peers = 2,
                                                                    .is_plain = true,
                                                                    .tap = keep});
}

static void run(input *in, ct_network_transport *host, ct_network_transport *client,
                ct_network_wire *from) {
    const ct_network_link link = ct_network_transport_link(client);
    const ct_network_link back = ct_network_transport_link(host);
    uint64_t now = 0, number = 1000;
    // The input's first byte: from when on it has a say, so that it meets ENet's connecting, too.
    const uint32_t begin = take(in) % 10;
    ct_network_transport_connect(client, 1, host_at);
    for (uint32_t step = 0; step < 20; ++step) {
        now += 50000000;
        ct_network_transport_update(client, now);
        check_events(client);
        link.send(link.data, 1, (ct_network_channel)(step % 4), step & 1, last, sizeof(last));
        back.send(back.data, 2, (ct_network_channel)(step % 4), step & 1, last, sizeof(last));
        ct_network_transport_flush(client);
        for (uint32_t i = 0; step >= begin && i < 4 && in->size > 0; ++i)
            send_new(in, from, now, ++number);
        ct_network_transport_update(host, now);
        check_events(host);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    input in = {data, size};
    memset(last, 0, sizeof(last));
    ct_network_wire_net *const net = ct_network_wire_net_create(ct_memory_heap());
    ct_network_wire *const at_host = ct_network_wire_in_net(net, host_at, NULL);
    ct_network_wire *const at_client = ct_network_wire_in_net(net, client_at, NULL);
    ct_network_transport *const host = make(at_host, 1), *const client = make(at_client, 2);
    run(&in, host, client, at_client);
    ct_network_transport_destroy(client);
    ct_network_transport_destroy(host);
    ct_network_wire_destroy(at_client);
    ct_network_wire_destroy(at_host);
    ct_network_wire_net_destroy(net);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
