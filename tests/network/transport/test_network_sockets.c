// Transports over real sockets of this machine, in real time.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "network/transport/network_transport.h"
#include "support/test_support.h"

#include <string.h>

static const uint64_t ms = 1000000;

typedef struct program {
    ct_network_wire *wire;
    ct_network_transport *transport;
    ct_network_link link;
    ct_peer_id peer;          // connected
    ct_network_reason reason; // of the end
    uint32_t bytes;
} program;

static program start(ct_peer_id self) {
    ct_error error = {0};
    const ct_datagram_desc at = {.address = {.ip = CT_DATAGRAM_IP_LOOPBACK},
                                 .receive_buffer_bytes = 1 << 20};
    program p = {.wire = ct_network_wire_open(test_heap(), &at, &error)};
    assert_non_null(p.wire);
    p.transport = ct_network_transport_create(
        &(ct_network_transport_desc){.allocator = test_heap(), .wire = p.wire, .self = self});
    p.link = ct_network_transport_link(p.transport);
    return p;
}

static void step(program *p) {
    ct_network_transport_event event;
    ct_network_transport_update(p->transport, ct_os_time_ns());
    while (ct_network_transport_next(p->transport, &event)) {
        p->bytes += event.size;
        if (event.kind == CT_NETWORK_TRANSPORT_CONNECTED)
            p->peer = event.peer;
        if (event.kind == CT_NETWORK_TRANSPORT_DISCONNECTED)
            p->reason = event.reason;
    }
    ct_network_transport_flush(p->transport);
}

static void end(const program *p) {
    ct_network_transport_destroy(p->transport);
    ct_network_wire_destroy(p->wire);
}

static void peers_meet_over_sockets(void **state) {
    (void)state;
    program a = start(1), b = start(2);
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    const ct_datagram_address at_a = ct_network_wire_address(a.wire);
    b.link.connect(b.link.data, 1, ct_datagram_address_print(&at_a, address));
    const uint64_t until = ct_os_time_ns() + 20000 * ms;
    static const uint8_t bytes[CT_NETWORK_MAX_RELIABLE];
    bool is_sent = false;
    while (a.bytes < sizeof(bytes) && ct_os_time_ns() < until) {
        step(&a);
        step(&b);
        if (b.peer == 1 && !is_sent)
            is_sent = b.link.send(b.link.data, 1, CT_NETWORK_SESSION, true, bytes, sizeof(bytes));
        ct_os_sleep_ns(ms);
    }
    assert_int_equal(a.bytes, sizeof(bytes));
    assert_int_equal(a.peer, 2);
    b.link.disconnect(b.link.data, 1, CT_NETWORK_REASON_LEFT);
    while (a.reason == CT_NETWORK_REASON_NONE && ct_os_time_ns() < until) {
        step(&b);
        step(&a);
        ct_os_sleep_ns(ms);
    }
    assert_int_equal(a.reason, CT_NETWORK_REASON_LEFT);
    end(&a);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_meet_over_sockets),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
