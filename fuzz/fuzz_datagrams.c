// Datagrams before the seal: two transports make a connection while the input drops, damages,
// repeats and adds datagrams between them. Nothing may crash or leak, and no packet may arrive that
// was not sent.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "network/transport/network_transport.h"
#include "support/input_pieces.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ct_datagram_address host_at = {1, 1}, client_at = {2, 1}, stranger_at = {3, 1};
static const char text[] = "a packet that was sent";

// What the client sends, instead of going over its wire.
typedef struct held {
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    uint32_t size;
} held;

static held waiting[64];
static uint32_t num_waiting;

static void hold(void *data, const ct_network_tap *what) {
    (void)data;
    if (what->kind != CT_NETWORK_TAP_DATAGRAM_OUT || num_waiting == CT_COUNT_OF(waiting))
        return;
    memcpy(waiting[num_waiting].bytes, what->bytes, what->size);
    waiting[num_waiting++].size = what->size;
}

// Does to a datagram what the input says.
static void pass_on(input *in, ct_network_wire *from, uint64_t now, held *h) {
    const uint8_t what = take(in);
    if ((what & 7) == 1) // lost
        return;
    if ((what & 7) == 2) // a byte is another
        h->bytes[take(in) % h->size] ^= take(in);
    if ((what & 7) == 3) // shorter
        h->size = 1 + take(in) % h->size;
    if ((what & 7) == 4) // longer
        for (uint32_t i = take(in); i > 0 && h->size < CT_NETWORK_WIRE_BYTES; --i)
            h->bytes[h->size++] = take(in);
    if ((what & 7) == 5) // another start
        for (uint32_t i = 0; i < 16 && i < h->size; ++i)
            h->bytes[i] = take(in);
    ct_network_wire_send(from, now, host_at, h->bytes, h->size);
    if ((what & 7) == 6) // twice
        ct_network_wire_send(from, now, host_at, h->bytes, h->size);
}

static void send_new(input *in, ct_network_wire *from, uint64_t now) {
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    const uint32_t size = 1 + take(in) % 160;
    for (uint32_t i = 0; i < size; ++i)
        bytes[i] = take(in);
    ct_network_wire_send(from, now, host_at, bytes, size);
}

static void check_events(ct_network_transport *t) {
    ct_network_transport_event event;
    while (ct_network_transport_next(t, &event)) {
        if (event.kind == CT_NETWORK_TRANSPORT_PACKET)
            CT_ASSERT(event.size == sizeof(text) && memcmp(event.bytes, text, sizeof(text)) == 0,
                      "a packet of %u bytes that was not sent", event.size);
    }
}

static ct_network_transport *make(ct_network_wire *wire, ct_peer_id self,
                                  void (*tap)(void *, const ct_network_tap *)) {
    return ct_network_transport_create(&(ct_network_transport_desc){
        .allocator = ct_memory_heap(), .wire = wire, .self = self, .max_peers = 2, .tap = tap});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    input in = {data, size};
    num_waiting = 0;
    const ct_network_conditions all_lost = {.loss_percent = 100};
    ct_network_wire_net *const net = ct_network_wire_net_create(ct_memory_heap());
    ct_network_wire *const at_host = ct_network_wire_in_net(net, host_at, NULL);
    ct_network_wire *const at_client = ct_network_wire_in_net(net, client_at, NULL);
    ct_network_wire *const stranger = ct_network_wire_in_net(net, stranger_at, NULL);
    ct_network_transport *const host = make(at_host, 1, NULL);
    ct_network_transport *const client = make(at_client, 2, hold);
    const ct_network_link link = ct_network_transport_link(client);
    uint64_t now = 0;
    for (uint32_t step = 0; step < 24; ++step) {
        now += 100000000;
        ct_network_transport_connect(client, 1, host_at);
        ct_network_wire_set_conditions(at_client, &all_lost, 0);
        ct_network_transport_update(client, now);
        check_events(client);
        link.send(link.data, 1, (ct_network_channel)(step % 4), step & 1, text, sizeof(text));
        ct_network_transport_flush(client);
        ct_network_wire_set_conditions(at_client, NULL, 0);
        for (uint32_t i = 0; i < num_waiting; ++i)
            pass_on(&in, at_client, now, &waiting[i]);
        num_waiting = 0;
        for (uint32_t i = take(&in) % 4; i > 0; --i)
            send_new(&in, i & 1 ? at_client : stranger, now);
        ct_network_transport_update(host, now);
        check_events(host);
    }
    ct_network_transport_destroy(client);
    ct_network_transport_destroy(host);
    ct_network_wire_destroy(stranger);
    ct_network_wire_destroy(at_client);
    ct_network_wire_destroy(at_host);
    ct_network_wire_net_destroy(net);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
