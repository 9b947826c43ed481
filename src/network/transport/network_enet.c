#include "network/transport/network_enet.h"

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/os.h"

#include <enet/enet.h>
#include <stdatomic.h>
#include <string.h>

_Static_assert((int)CT_NETWORK_ENET_SLOTS == (int)ENET_PROTOCOL_MAXIMUM_PEER_ID, "ENet's limit");
enum {
    SOCKET = 0x0c77,       // what ENet gets for its socket
    MAX_WAITING = 1 << 20, // bytes that came from a peer and wait for what comes before them
    RESEND_MS = 1000,      // at first: the longest wait before a reliable packet is sent again
    TEND_INTERVAL_MS = 200,
    // Packets of one channel that wait for what comes before them. ENet counts their bytes only, and
    // a peer may send empty ones.
    MAX_WAITING_PACKETS = 16384,
    FRAGMENT_BYTES = CT_NETWORK_ENET_DATAGRAM_BYTES - sizeof(ENetProtocolHeader) -
                     sizeof(ENetProtocolSendFragment),
};

_Static_assert((int)CT_NETWORK_MAX_UNRELIABLE <= (int)FRAGMENT_BYTES, "it fits a datagram");

// A part of a cut packet is FRAGMENT_BYTES. An unreliable packet is one datagram: ENet would cut
// longer ones and send their parts reliably.
typedef struct slot_data {
    ENetPeer *peer; // NULL: ENet has not said that it is connected, nor were we to connect it
    uint32_t waiting_bytes, waiting_packets; // reliable ones that ENet holds
} slot_data;

struct ct_network_enet {
    ct_network_enet_desc desc;
    ENetHost *host;
    uint32_t now_ms, tended_ms, resend_ms;
    bool is_drained;
    slot_data *slots;
};

// The instance at work on this thread: ENet's functions for time, sockets and memory have no
// argument for it.
static _Thread_local ct_network_enet *at_work;

static ct_network_enet *begin(ct_network_enet *e) {
    ct_network_enet *const before = at_work;
    at_work = e;
    return before;
}

static void end(ct_network_enet *before) {
    at_work = before;
}

// --- What ENet calls -----------------------------------------------------------------------------

static void *allocate(size_t size) {
    CT_ASSERT(at_work != NULL, "ENet asks for %zu bytes, and no instance is at work", size);
    // ENet takes NULL for out of memory.
    return ct_alloc(at_work->desc.allocator, size > 0 ? size : 1);
}

static void release(void *p) {
    CT_ASSERT(at_work != NULL, "ENet frees memory, and no instance is at work%s", "");
    ct_free(at_work->desc.allocator, p);
}

CT_EXPORTED enet_uint32 enet_time_get(void) {
    return at_work ? at_work->now_ms : 0;
}

CT_EXPORTED void enet_time_set(enet_uint32 now) {
    (void)now;
}

CT_EXPORTED enet_uint32 enet_host_random_seed(void) {
    uint32_t seed = 0;
    ct_os_random_bytes(&seed, sizeof(seed));
    return seed;
}

CT_EXPORTED ENetSocket enet_socket_create(ENetSocketType type) {
    (void)type;
    return SOCKET;
}

CT_EXPORTED int enet_socket_bind(ENetSocket socket, const ENetAddress *address) {
    (void)socket, (void)address;
    return 0;
}

CT_EXPORTED int enet_socket_get_address(ENetSocket socket, ENetAddress *address) {
    (void)socket;
    *address = (ENetAddress){0};
    return 0;
}

CT_EXPORTED int enet_socket_set_option(ENetSocket socket, ENetSocketOption option, int value) {
    (void)socket, (void)option, (void)value;
    return 0;
}

CT_EXPORTED int enet_socket_wait(ENetSocket socket, enet_uint32 *condition, enet_uint32 timeout) {
    (void)socket, (void)timeout;
    *condition = ENET_SOCKET_WAIT_NONE;
    return 0;
}

CT_EXPORTED void enet_socket_destroy(ENetSocket socket) {
    (void)socket;
}

// Slots as addresses: 0 and all ones, which mean something else to ENet, are not among them.
static ENetAddress address_of(uint32_t slot) {
    return (ENetAddress){.host = slot + 1, .port = 1};
}

CT_EXPORTED int enet_socket_send(ENetSocket socket, const ENetAddress *address,
                                 const ENetBuffer *buffers, size_t count) {
    (void)socket;
    uint8_t bytes[CT_NETWORK_ENET_DATAGRAM_BYTES];
    size_t size = 0;
    for (size_t i = 0; i < count; ++i) {
        if (buffers[i].dataLength > sizeof(bytes) - size)
            return 0; // a peer that asks for longer ones does not get them
        if (buffers[i].dataLength > 0)
            memcpy(bytes + size, buffers[i].data, buffers[i].dataLength);
        size += buffers[i].dataLength;
    }
    at_work->desc.send(at_work->desc.data, address->host - 1, bytes, (uint32_t)size);
    return (int)size;
}

// How many bytes of data follow a command. A part of a packet that says what no end of ours says sets
// `is_fair` to false: ENet would keep a table of a million parts for a packet of one byte.
static uint32_t data_behind(const ENetProtocol *command, bool *is_fair) {
    const ENetProtocolSendFragment *const part = &command->sendFragment;
    switch (command->header.command & ENET_PROTOCOL_COMMAND_MASK) {
    case ENET_PROTOCOL_COMMAND_SEND_RELIABLE:
        return ENET_NET_TO_HOST_16(command->sendReliable.dataLength);
    case ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE:
        return ENET_NET_TO_HOST_16(command->sendUnreliable.dataLength);
    case ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED:
    case ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE_FRAGMENT:
        *is_fair = false;
        return 0;
    case ENET_PROTOCOL_COMMAND_SEND_FRAGMENT:
        *is_fair = *is_fair && ENET_NET_TO_HOST_32(part->totalLength) <= CT_NETWORK_MAX_RELIABLE &&
                   ENET_NET_TO_HOST_32(part->fragmentCount) <=
                       ENET_NET_TO_HOST_32(part->totalLength) / FRAGMENT_BYTES + 1;
        return ENET_NET_TO_HOST_16(part->dataLength);
    default:
        return 0;
    }
}

// Walks through the commands of a datagram as ENet does, which stops at the first that is malformed.
static bool has_fair_commands(const uint8_t *bytes, size_t size) {
    if (size < 2)
        return false;
    const uint32_t flags = (uint32_t)bytes[0] << 8 | bytes[1];
    bool is_fair = !(flags & ENET_PROTOCOL_HEADER_FLAG_COMPRESSED);
    size_t at = flags & ENET_PROTOCOL_HEADER_FLAG_SENT_TIME ? 4 : 2;
    while (is_fair && at + sizeof(ENetProtocolCommandHeader) <= size) {
        ENetProtocol command = {0};
        const size_t command_size = enet_protocol_command_size(bytes[at]);
        if (command_size == 0 || command_size > size - at)
            break;
        memcpy(&command, bytes + at, command_size);
        at += command_size + data_behind(&command, &is_fair);
    }
    return is_fair;
}

CT_EXPORTED int enet_socket_receive(ENetSocket socket, ENetAddress *address, ENetBuffer *buffers,
                                    size_t count) {
    (void)socket, (void)count;
    uint32_t slot = 0;
    int32_t size = 0;
    do {
        size = at_work->desc.receive(at_work->desc.data, &slot, buffers[0].data,
                                     (uint32_t)buffers[0].dataLength);
    } while (size > 0 && !has_fair_commands(buffers[0].data, (size_t)size));
    if (size <= 0) {
        at_work->is_drained = true;
        return 0;
    }
    *address = address_of(slot);
    return size;
}

// --- Life ----------------------------------------------------------------------------------------

// What a peer must not be as ENet makes it, or as the other end may ask for: its sizes, timeouts
// and the loss of unreliable packets that it adds when the round trip changes.
static void set_limits(const ct_network_enet *e, ENetPeer *peer) {
    peer->mtu = e->host->mtu;
    peer->timeoutLimit = 1 << 20;
    peer->timeoutMinimum = peer->timeoutMaximum = UINT32_MAX;
    peer->pingInterval = e->desc.keep_alive_ms;
    peer->packetThrottle = peer->packetThrottleLimit = ENET_PEER_PACKET_THROTTLE_SCALE;
    // Both ends compare it while they connect, and a peer that ENet uses again has ENet's own.
    if (peer->state == ENET_PEER_STATE_CONNECTED)
        peer->packetThrottleDeceleration = 0;
}

// Gives ENet our functions, once in a program, whichever thread is first.
static void initialise(void) {
    static atomic_int progress; // 1: at it, 2: done
    int before = 0;
    if (atomic_compare_exchange_strong(&progress, &before, 1)) {
        const ENetCallbacks callbacks = {.malloc = allocate, .free = release};
        enet_initialize_with_callbacks(ENET_VERSION, &callbacks);
        atomic_store(&progress, 2);
    }
    while (atomic_load(&progress) != 2)
        ct_os_sleep_ns(1000);
}

void ct_network_enet_set_keep_alive(ct_network_enet *e, uint32_t milliseconds) {
    e->desc.keep_alive_ms = milliseconds;
    for (size_t i = 0; i < e->host->peerCount; ++i)
        e->host->peers[i].pingInterval = milliseconds;
}

void ct_network_enet_set_resend(ct_network_enet *e, uint32_t milliseconds) {
    e->resend_ms = milliseconds;
}

ct_network_enet *ct_network_enet_create(const ct_network_enet_desc *desc) {
    CT_ASSERT(desc->num_slots > 0 && desc->num_slots <= CT_NETWORK_ENET_SLOTS, "%u slots",
              desc->num_slots);
    ct_network_enet *const e = CT_NEW(desc->allocator, ct_network_enet);
    e->desc = *desc;
    e->resend_ms = RESEND_MS;
    e->slots = CT_NEW_ARRAY(desc->allocator, slot_data, desc->num_slots);
    ct_network_enet *const before = begin(e);
    initialise();
    e->host = enet_host_create(NULL, desc->num_slots, CT_NETWORK_CHANNELS, 0, 0);
    CT_REQUIRE(e->host && e->host->socket == SOCKET,
               "ENet has sockets of its own: link the program with the enet_socket_create of "
               "cuttle_network%s",
               "");
    e->host->mtu = CT_NETWORK_ENET_DATAGRAM_BYTES;
    e->host->duplicatePeers = 1; // of a slot
    e->host->maximumPacketSize = CT_NETWORK_MAX_RELIABLE;
    e->host->maximumWaitingData = MAX_WAITING;
    for (size_t i = 0; i < e->host->peerCount; ++i)
        set_limits(e, &e->host->peers[i]);
    end(before);
    return e;
}

void ct_network_enet_destroy(ct_network_enet *e) {
    if (!e)
        return;
    ct_network_enet *const before = begin(e);
    enet_host_destroy(e->host);
    end(before);
    ct_free_sized(e->desc.allocator, e->slots, sizeof(*e->slots) * e->desc.num_slots);
    ct_free_sized(e->desc.allocator, e, sizeof(*e));
}

// --- Service -------------------------------------------------------------------------------------

// ENet doubles the wait each time that a packet gets lost. After a pause of minutes (a debugger, a
// sleeping laptop) the next try would be minutes away.
static void hurry(ct_network_enet *e, ENetPeer *peer) {
    const uint32_t needed = peer->roundTripTime + 4 * peer->roundTripTimeVariance;
    const uint32_t longest = e->resend_ms > needed ? e->resend_ms : needed;
    for (ENetListIterator i = enet_list_begin(&peer->sentReliableCommands);
         i != enet_list_end(&peer->sentReliableCommands); i = enet_list_next(i)) {
        ENetOutgoingCommand *const command = (ENetOutgoingCommand *)i;
        if (command->roundTripTimeout > longest) {
            command->roundTripTimeout = longest;
            peer->nextTimeout = e->now_ms;
        }
    }
}

static bool has_too_much_waiting(ENetPeer *peer) {
    for (size_t i = 0; peer->channels && i < peer->channelCount; ++i) {
        if (enet_list_size(&peer->channels[i].incomingReliableCommands) > MAX_WAITING_PACKETS ||
            enet_list_size(&peer->channels[i].incomingUnreliableCommands) > MAX_WAITING_PACKETS)
            return true;
    }
    return false;
}

// Ends a peer that fills our memory.
static void throw_out(ct_network_enet *e, ENetPeer *peer) {
    const uint32_t slot = peer->address.host - 1;
    enet_peer_disconnect_now(peer, CT_NETWORK_REASON_BROKEN);
    e->slots[slot].peer = NULL;
    e->desc.disconnected(e->desc.data, slot, CT_NETWORK_REASON_BROKEN);
}

static void tend(ct_network_enet *e) {
    if (e->now_ms - e->tended_ms < TEND_INTERVAL_MS && e->now_ms - e->tended_ms < e->resend_ms / 2)
        return;
    e->tended_ms = e->now_ms;
    for (size_t i = 0; i < e->host->peerCount; ++i) {
        ENetPeer *const peer = &e->host->peers[i];
        if (peer->state == ENET_PEER_STATE_DISCONNECTED)
            continue;
        set_limits(e, peer);
        hurry(e, peer);
        if (has_too_much_waiting(peer))
            throw_out(e, peer);
    }
}

static ct_network_reason reason_of(uint32_t data) {
    return data > CT_NETWORK_REASON_NONE && data < CT_NETWORK_REASONS ? (ct_network_reason)data
                                                                      : CT_NETWORK_REASON_LEFT;
}

static void take_connected(ct_network_enet *e, ENetPeer *peer, uint32_t slot) {
    if (peer->channelCount != CT_NETWORK_CHANNELS) { // a program of ours has them all
        enet_peer_disconnect_now(peer, CT_NETWORK_REASON_BROKEN);
        e->slots[slot].peer = NULL;
        return;
    }
    set_limits(e, peer);
    e->slots[slot].peer = peer;
    e->desc.connected(e->desc.data, slot);
}

static void take(ct_network_enet *e, const ENetEvent *event) {
    const uint32_t slot = event->peer->address.host - 1;
    if (event->type == ENET_EVENT_TYPE_CONNECT) {
        take_connected(e, event->peer, slot);
    } else if (event->type == ENET_EVENT_TYPE_DISCONNECT) {
        e->slots[slot].peer = NULL;
        e->desc.disconnected(e->desc.data, slot, reason_of(event->data));
    } else if (event->type == ENET_EVENT_TYPE_RECEIVE) {
        const bool is_reliable = event->packet->flags & ENET_PACKET_FLAG_RELIABLE;
        if (event->channelID < CT_NETWORK_CHANNELS)
            e->desc.packet(e->desc.data, slot, (ct_network_channel)event->channelID, is_reliable,
                           event->packet->data, (uint32_t)event->packet->dataLength);
        enet_packet_destroy(event->packet);
    }
}

void ct_network_enet_service(ct_network_enet *e, uint64_t now_ms) {
    ct_network_enet *const before = begin(e);
    e->now_ms = (uint32_t)now_ms;
    e->is_drained = false;
    tend(e);
    ENetEvent event;
    int result = 0;
    while ((result = enet_host_service(e->host, &event, 0)) > 0 || !e->is_drained) {
        if (result > 0)
            take(e, &event);
    }
    end(before);
}

void ct_network_enet_flush(ct_network_enet *e) {
    ct_network_enet *const before = begin(e);
    enet_host_flush(e->host);
    end(before);
}

// --- Slots ---------------------------------------------------------------------------------------

bool ct_network_enet_connect(ct_network_enet *e, uint32_t slot) {
    CT_ASSERT(slot < e->desc.num_slots && !e->slots[slot].peer, "slot %u is connected", slot);
    ct_network_enet *const before = begin(e);
    const ENetAddress address = address_of(slot);
    ENetPeer *const peer = enet_host_connect(e->host, &address, CT_NETWORK_CHANNELS, 0);
    if (peer)
        set_limits(e, peer);
    e->slots[slot].peer = peer;
    end(before);
    return peer != NULL;
}

static void count_freed(ENetPacket *packet) {
    slot_data *const slot = packet->userData;
    slot->waiting_bytes -= (uint32_t)packet->dataLength;
    --slot->waiting_packets;
}

bool ct_network_enet_send(ct_network_enet *e, uint32_t slot, ct_network_channel channel,
                          bool is_reliable, const void *bytes, uint32_t size) {
    slot_data *const data = &e->slots[slot];
    if (!data->peer || data->peer->state != ENET_PEER_STATE_CONNECTED)
        return false;
    ct_network_enet *const before = begin(e);
    ENetPacket *const packet =
        enet_packet_create(bytes, size, is_reliable ? ENET_PACKET_FLAG_RELIABLE : 0);
    if (is_reliable) {
        data->waiting_bytes += size;
        ++data->waiting_packets;
        packet->userData = data;
        packet->freeCallback = count_freed;
    }
    const bool is_sent = enet_peer_send(data->peer, (enet_uint8)channel, packet) == 0;
    if (!is_sent)
        enet_packet_destroy(packet);
    end(before);
    return is_sent;
}

// A slot may have a peer of which ENet has not reported anything yet.
static void reset_peers(ct_network_enet *e, uint32_t slot) {
    for (size_t i = 0; i < e->host->peerCount; ++i) {
        ENetPeer *const peer = &e->host->peers[i];
        if (peer->state != ENET_PEER_STATE_DISCONNECTED && peer->address.host == slot + 1)
            enet_peer_reset(peer);
    }
}

bool ct_network_enet_end(ct_network_enet *e, uint32_t slot, ct_network_reason reason,
                         ct_network_enet_ending ending) {
    CT_ASSERT(slot < e->desc.num_slots, "slot %u", slot);
    ct_network_enet *const before = begin(e);
    slot_data *const data = &e->slots[slot];
    const bool is_connected = data->peer && data->peer->state == ENET_PEER_STATE_CONNECTED;
    bool follows = false;
    if (is_connected && ending == CT_NETWORK_ENET_ENDING_LATER) {
        enet_peer_disconnect_later(data->peer, reason);
        follows = true;
    } else if (is_connected && ending == CT_NETWORK_ENET_ENDING_SOON) {
        enet_peer_disconnect(data->peer, reason);
        follows = true;
    } else {
        if (is_connected && ending == CT_NETWORK_ENET_ENDING_NOW)
            enet_peer_disconnect_now(data->peer, reason);
        reset_peers(e, slot);
        CT_ASSERT(data->waiting_packets == 0, "slot %u: %u packets wait for nothing", slot,
                  data->waiting_packets);
        data->peer = NULL;
    }
    end(before);
    return follows;
}

ct_network_enet_stats ct_network_enet_stats_of(const ct_network_enet *e, uint32_t slot) {
    const slot_data *const data = &e->slots[slot];
    if (!data->peer || data->peer->state != ENET_PEER_STATE_CONNECTED)
        return (ct_network_enet_stats){0};
    return (ct_network_enet_stats){
        .round_trip = data->peer->lastReceiveTime > 0 ? (float)data->peer->roundTripTime / 1000 : 0,
        .loss = (float)data->peer->packetLoss / ENET_PEER_PACKET_LOSS_SCALE,
        .waiting_bytes = data->waiting_bytes,
        .waiting_packets = data->waiting_packets,
        .sent_packets = data->peer->packetsSent,
        .lost_packets = data->peer->packetsLost,
    };
}
