// Inside the seal: a peer that has the password and sends what ENet never would. Both ends are
// plain, so that any bytes can be put where ENet's are. Nothing may crash or leak, and packets keep
// to their sizes.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "network/transport/network_transport.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 13, ENET_HEAD_BYTES = 4 };
static const ct_datagram_address host_at = {1, 1}, client_at = {2, 1};

// The input, read piece by piece; zeros behind its end.
typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static uint8_t take(input *in) {
    if (in->size == 0)
        return 0;
    --in->size;
    return *in->data++;
}

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
    for (uint32_t left = 1 + take(in); left > 0; --left)
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
