// network_enet.h: ENet, for the transport: reliable and ordered packets over datagrams.
//
// The one place that knows ENet. Its clock and sockets are ours: this file defines enet_time_get,
// enet_socket_send and the like, and ENet, which calls itself through the table of symbols, finds
// ours before its own. A program must link them in, as all do that call what is here; creating
// checks it. Each connection is a slot, a number that the caller picks; ENet takes it for an
// address. ENet's own timeouts are off: the caller ends what is silent. ENet's functions for memory
// are global to the program and pass each call to the allocator of the instance that is at work on
// this thread. One thread for each instance.
#pragma once
#include "network/network_link.h"

typedef struct ct_network_enet ct_network_enet;

enum {
    CT_NETWORK_ENET_SLOTS = 4095,          // the most
    CT_NETWORK_ENET_DATAGRAM_BYTES = 1171, // the most that is sent at once
};

// How to make an instance. The functions are called while one of those below runs, with `data`; they
// may call those that say so.
typedef struct ct_network_enet_desc {
    ct_allocator *allocator;
    uint32_t num_slots;     // 1 to CT_NETWORK_ENET_SLOTS
    uint32_t keep_alive_ms; // a ping is sent when nothing reliable was for so long
    void *data;
    // Gives the next datagram: sets `*slot`, returns its size (at most `capacity`), -1 for no more.
    int32_t (*receive)(void *data, uint32_t *slot, uint8_t *bytes, uint32_t capacity);
    // Sends a datagram of at most CT_NETWORK_ENET_DATAGRAM_BYTES.
    void (*send)(void *data, uint32_t slot, const uint8_t *bytes, uint32_t size);
    // What happens. A slot that is disconnected has nothing more, and is free for another use.
    void (*connected)(void *data, uint32_t slot);
    void (*disconnected)(void *data, uint32_t slot, ct_network_reason reason);
    void (*packet)(void *data, uint32_t slot, ct_network_channel channel, bool is_reliable,
                   const uint8_t *bytes, uint32_t size); // bytes: borrowed for the call
} ct_network_enet_desc;

// What ENet knows of a slot.
typedef struct ct_network_enet_stats {
    float round_trip; // seconds, smoothed; 0: unknown
    float loss;       // of reliable packets, 0 to 1: how many had to be sent again
    uint32_t waiting_bytes, waiting_packets; // reliable ones that are not acknowledged
    // Reliable ones that were sent, and of these those that had to be sent again; both begin again
    // with 0 about every 10 s.
    uint32_t sent_packets, lost_packets;
} ct_network_enet_stats;

// Makes an instance without connections; destroying (NULL is fine) sends nothing.
ct_network_enet *ct_network_enet_create(const ct_network_enet_desc *desc);
void ct_network_enet_destroy(ct_network_enet *e);

// Receives, sends what is due and reports what happened. `now_ms` is of a clock that does not go
// back, from 1 on; only its lowest 32 bits count.
void ct_network_enet_service(ct_network_enet *e, uint64_t now_ms);
// Sends what was given to ct_network_enet_send.
void ct_network_enet_flush(ct_network_enet *e);

// Sets keep_alive_ms, of all slots.
void ct_network_enet_set_keep_alive(ct_network_enet *e, uint32_t milliseconds);
// Sets the longest wait until a reliable packet that is not acknowledged is sent again, at first
// 1,000; never shorter than what the measured round trip needs.
void ct_network_enet_set_resend(ct_network_enet *e, uint32_t milliseconds);

// Begins to connect a slot; `connected` follows, here and at the other end, or nothing does.
// Returns false when it has no room. These may be called from the functions of the desc:
bool ct_network_enet_connect(ct_network_enet *e, uint32_t slot);
// Sends a packet to a connected slot. Returns false when it is not connected.
bool ct_network_enet_send(ct_network_enet *e, uint32_t slot, ct_network_channel channel,
                          bool is_reliable, const void *bytes, uint32_t size);

typedef enum ct_network_enet_ending {
    CT_NETWORK_ENET_ENDING_LATER, // after the reliable packets that were sent; `disconnected` follows
    CT_NETWORK_ENET_ENDING_SOON,   // what was not sent is dropped; `disconnected` follows
    CT_NETWORK_ENET_ENDING_NOW,    // one datagram says so, which may get lost; the slot is free
    CT_NETWORK_ENET_ENDING_SILENT, // nothing is sent; the slot is free
} ct_network_enet_ending;

// Ends a slot, connected or not. `reason` reaches the other end. Returns true when `disconnected`
// will follow (if the other end answers), false when the slot is free now.
bool ct_network_enet_end(ct_network_enet *e, uint32_t slot, ct_network_reason reason,
                         ct_network_enet_ending ending);

// Returns what is known of a slot; {0} when it is not connected.
ct_network_enet_stats ct_network_enet_stats_of(const ct_network_enet *e, uint32_t slot);
