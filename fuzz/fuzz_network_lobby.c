// Packets of a member to a lobby's host, of a host to a member, and datagrams to announcer and
// browser. Nothing may crash or leak, and a lobby stays within its limits.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "network/lobby/network_discovery.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SELF = 1, OTHER = 2, PORT = 9, MS = 1000000 };

// Of the last question that the browser asked.
static uint8_t nonce[8];

static bool send_nothing(void *data, ct_peer_id peer, ct_network_channel channel, bool reliable,
                         const void *bytes, uint32_t size) {
    (void)data, (void)peer, (void)channel, (void)reliable, (void)bytes, (void)size;
    return true;
}

static void connect_nothing(void *data, ct_peer_id peer, const char *address) {
    (void)data, (void)peer, (void)address;
}

static void disconnect_nothing(void *data, ct_peer_id peer, ct_network_reason reason) {
    (void)data, (void)peer, (void)reason;
}

static bool write_address(void *data, ct_peer_id peer, char text[CT_NETWORK_ADDRESS_BYTES]) {
    (void)data, (void)peer;
    snprintf(text, CT_NETWORK_ADDRESS_BYTES, "10.0.0.1:5");
    return true;
}

// Checks what holds for each lobby, and has it changed by this program.
static void check(ct_network_lobby *l) {
    ct_error error;
    const uint32_t count = ct_network_lobby_num_members(l);
    if (count > CT_NETWORK_LOBBY_MAX_MEMBERS)
        abort();
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (ct_network_lobby_member(l, i) == ct_network_lobby_member(l, k))
                abort();
    const ct_peer_id host = ct_network_lobby_session_host(l);
    if (host && !ct_network_lobby_address(l, host))
        abort();
    ct_network_lobby_set_data(l, SELF, "a", "b", &error);
    ct_network_lobby_kick(l, ct_network_lobby_member(l, 1), &error);
}

static void take_packets(ct_network_lobby *l, const uint8_t *data, size_t size) {
    while (size > 1) { // a length, then so many bytes
        const size_t length = data[0] < size - 1 ? data[0] : size - 1;
        ct_network_lobby_receive(l, OTHER + (data[0] & 1), data + 1, (uint32_t)length);
        data += 1 + length, size -= 1 + length;
    }
    check(l);
}

static void take_datagrams(ct_allocator *a, ct_network_lobby *l, const uint8_t *data, size_t size) {
    ct_error error;
    ct_network_wire_net *const net = ct_network_wire_net_create(a);
    const ct_datagram_address places[] = {{1, PORT}, {2, 1}, {3, PORT}};
    ct_network_wire *wires[3];
    for (uint32_t i = 0; i < 3; ++i)
        wires[i] = ct_network_wire_in_net(net, places[i], &error);
    ct_network_announcer *const announcer = ct_network_announcer_create(a, wires[0], 5, false, 6);
    ct_network_browser *const browser = ct_network_browser_create(a, wires[1], 6);
    ct_network_browser_refresh(browser, PORT, MS);
    // The third has heard the question, so that its answers have the right number.
    uint8_t asked[CT_NETWORK_WIRE_BYTES];
    ct_datagram_address from;
    ct_network_wire_receive(wires[2], 2 * MS, &from, asked, sizeof(asked));
    memcpy(nonce, asked + 5, sizeof(nonce));
    uint8_t bytes[CT_NETWORK_WIRE_BYTES] = {'C', 't', 'l', 'A', 1};
    memcpy(bytes + 5, nonce, sizeof(nonce));
    const uint32_t room = sizeof(bytes) - 13;
    const uint32_t taken = size < room ? (uint32_t)size : room;
    memcpy(bytes + 13, data, taken);
    ct_network_wire_send(wires[2], 2 * MS, places[1], bytes, 13 + taken);
    if (size && size <= sizeof(bytes)) {
        ct_network_wire_send(wires[2], 2 * MS, places[0], data, (uint32_t)size);
        ct_network_wire_send(wires[2], 2 * MS, places[1], data, (uint32_t)size);
    }
    ct_network_announcer_update(announcer, l, 3 * MS);
    ct_network_browser_update(browser, 3 * MS);
    for (uint32_t i = 0; i < ct_network_browser_count(browser); ++i)
        if (ct_network_browser_lobby(browser, i)->num_pairs > CT_NETWORK_LOBBY_MAX_KEYS)
            abort();
    ct_network_browser_destroy(browser);
    ct_network_announcer_destroy(announcer);
    for (uint32_t i = 0; i < 3; ++i)
        ct_network_wire_destroy(wires[i]);
    ct_network_wire_net_destroy(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size)
        return 0;
    ct_memory_init();
    ct_allocator *const a = ct_memory_heap();
    ct_network_lobby *const l = ct_network_lobby_create(
        &(ct_network_lobby_desc){.allocator = a,
                                 .max_members = CT_NETWORK_LOBBY_MAX_MEMBERS,
                                 .link = {.self = SELF,
                                          .send = send_nothing,
                                          .connect = connect_nothing,
                                          .disconnect = disconnect_nothing,
                                          .address = write_address}});
    if (data[0] % 3 == 0)
        ct_network_lobby_join(l, OTHER, "10.0.0.1:5", 1);
    else
        ct_network_lobby_host(l);
    if (data[0] % 3 == 2)
        take_datagrams(a, l, data + 1, size - 1);
    else
        take_packets(l, data + 1, size - 1);
    ct_network_lobby_destroy(l);
    ct_memory_shutdown();
    return 0;
}
