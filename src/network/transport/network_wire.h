// network_wire.h: where datagrams go: a UDP socket, or a net of arrays in this process.
//
// A wire is one place that sends and receives datagrams at an address. Wires of a net
// (ct_network_wire_net) reach the wires of the same net only; addresses there are numbers that the
// caller picks. Over both lie simulated conditions: what a wire sends is lost, late or doubled on
// its way, as numbers from a seed decide. Time is given: nanoseconds of any clock that does not go
// back, the same for all wires of a net. The same calls with the same times and seeds give the same
// result in a net; sockets add what the real network does.
//
// One thread for a wire of a socket, and for a net with all its wires.
#pragma once
#include "foundation/os/datagram.h"
#include "network/transport/network_conditions.h"

enum {
    CT_NETWORK_WIRE_BYTES = 1200, // the most of a datagram: below what any network cuts
};

typedef struct ct_network_wire ct_network_wire;
typedef struct ct_network_wire_net ct_network_wire_net;

// What went over a wire since it was made.
typedef struct ct_network_wire_stats {
    uint64_t datagrams_sent, bytes_sent; // by the caller
    uint64_t datagrams_received, bytes_received;
    uint64_t lost;       // by simulated loss, or as the bandwidth's queue was full
    uint64_t unsent;     // the system did not take them
    uint64_t overflowed; // of a net: 16,384 were waiting at the receiver
    uint64_t oversized;  // longer than the receiver's room; dropped
} ct_network_wire_stats;

// Makes a net without wires. Destroy its wires first, then the net; NULL is fine.
ct_network_wire_net *ct_network_wire_net_create(ct_allocator *a);
void ct_network_wire_net_destroy(ct_network_wire_net *net);

// Makes a wire at an address of a net. Returns NULL with `error` when a wire has that address, or
// when it is {0} or a broadcast. What is sent to an address without a wire is lost; what is sent to
// CT_DATAGRAM_IP_BROADCAST reaches all other wires with that port.
ct_network_wire *ct_network_wire_in_net(ct_network_wire_net *net, ct_datagram_address address,
                                        ct_error *error);

// Makes a wire over a UDP socket of its own. Returns NULL with `error` when it cannot be opened.
ct_network_wire *ct_network_wire_open(ct_allocator *a, const ct_datagram_desc *desc,
                                      ct_error *error);

// Ends a wire (NULL is fine). What it still holds back is lost.
void ct_network_wire_destroy(ct_network_wire *wire);

// Sets the conditions of what is sent from now on; what is on its way keeps its time. The same seed
// gives the same decisions for the same datagrams; NULL: no conditions.
void ct_network_wire_set_conditions(ct_network_wire *wire, const ct_network_conditions *conditions,
                                    uint64_t seed);
// Returns the conditions. Borrowed; valid while the wire is.
const ct_network_conditions *ct_network_wire_conditions(const ct_network_wire *wire);

// Sends a datagram of `size` bytes (1 to CT_NETWORK_WIRE_BYTES), which are copied.
void ct_network_wire_send(ct_network_wire *wire, uint64_t now_ns, ct_datagram_address to,
                          const void *bytes, uint32_t size);

// Receives the next datagram that has come until `now_ns` into `bytes` of `capacity`. Returns its
// size and sets `*from`; -1 when there is none.
int64_t ct_network_wire_receive(ct_network_wire *wire, uint64_t now_ns, ct_datagram_address *from,
                                void *bytes, uint32_t capacity);

// Sends what a wire over a socket holds back until `now_ns`, as sending and receiving do as well.
void ct_network_wire_pump(ct_network_wire *wire, uint64_t now_ns);

// Returns where the wire receives.
ct_datagram_address ct_network_wire_address(const ct_network_wire *wire);
// Returns the socket, to wait for (ct_socket_wait), or -1 in a net.
int ct_network_wire_socket(const ct_network_wire *wire);
// Returns the numbers of what went over the wire.
ct_network_wire_stats ct_network_wire_stats_of(const ct_network_wire *wire);
