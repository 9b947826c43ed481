// datagram.h: UDP sockets over IPv4.
//
// A socket sends and receives datagrams: packets of bytes that arrive whole, or not at all, in any
// order, now and then twice. Nothing here blocks. One thread for each socket.
#pragma once
#include "foundation/types.h"

enum {
    CT_DATAGRAM_MAX_BYTES = 65507,  // of one datagram; over a network, more than 1,400 get lost
    CT_DATAGRAM_ADDRESS_BYTES = 22, // of an address as text, with its terminator
};

// An IPv4 address and a port, both in the machine's byte order: 10.0.0.2 is 0x0a000002. {0} is no
// address; as the place of a socket it is any address of this machine, and a port of its choice.
typedef struct ct_datagram_address {
    uint32_t ip;
    uint16_t port;
} ct_datagram_address;

enum {
    CT_DATAGRAM_IP_ANY = 0,
    CT_DATAGRAM_IP_LOOPBACK = 0x7f000001,
};
#define CT_DATAGRAM_IP_BROADCAST UINT32_C(0xffffffff) // every machine of the local network

// How a socket is opened.
typedef struct ct_datagram_desc {
    // Where it receives: CT_DATAGRAM_IP_LOOPBACK hears this machine only, CT_DATAGRAM_IP_ANY all
    // networks. Port 0 lets the system choose.
    ct_datagram_address address;
    bool can_broadcast; // may send to CT_DATAGRAM_IP_BROADCAST and to a network's broadcast address
    // Other sockets of this machine that ask for it, too, may have the same port: each hears what is
    // broadcast to it. For discovery only: of what is sent to one address, one of them hears.
    bool is_shared;
    // Bytes that the system keeps until they are received; 0: its default. It may give less.
    uint32_t receive_buffer_bytes;
} ct_datagram_desc;

// Opens a socket and sets `*bound` (NULL is fine) to where it receives. Returns -1 with `error`
// when the address is taken or is not of this machine. Close it with ct_socket_close; ct_socket_wait
// waits for what comes.
int ct_datagram_open(const ct_datagram_desc *desc, ct_datagram_address *bound, ct_error *error);

// Sends one datagram of `size` bytes (at most CT_DATAGRAM_MAX_BYTES). Returns false when the system
// does not take it (its buffer is full, the network is gone, it is too big): then it is lost, as any
// datagram can be.
bool ct_datagram_send(int socket, const ct_datagram_address *to, const void *bytes, uint32_t size);

// Receives one datagram into `bytes` of `capacity` > 0. Returns its size and sets `*from`; -1 when
// none is waiting. A datagram can have 0 bytes. Of a longer one than `capacity` the rest is lost,
// and the size that it had is returned: more than `capacity`.
int64_t ct_datagram_receive(int socket, ct_datagram_address *from, void *bytes, uint32_t capacity);

// Returns the address that the socket receives at.
ct_datagram_address ct_datagram_bound(int socket);

// Reads "10.0.0.2:4000", or "10.0.0.2" with `default_port` (0: the port must be there). Names are
// refused. Returns false with `error` and leaves `address`.
bool ct_datagram_address_parse(const char *text, uint16_t default_port,
                               ct_datagram_address *address, ct_error *error);

// Writes "10.0.0.2:4000". Returns `text`.
const char *ct_datagram_address_print(const ct_datagram_address *address,
                                      char text[CT_DATAGRAM_ADDRESS_BYTES]);

// Returns true when both are the same address and port.
static inline bool ct_datagram_address_equal(ct_datagram_address a, ct_datagram_address b) {
    return a.ip == b.ip && a.port == b.port;
}
