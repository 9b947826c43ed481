#include "network/transport/network_wire.h"

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/ring.h"
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/os/os.h"

#include <string.h>

enum { MAX_WAITING = 16384 };
static const uint64_t second_ns = 1000000000;

// A datagram on its way, or at its receiver.
typedef struct datagram {
    uint64_t due_ns, order; // when it arrives; those of one time in the order of sending
    ct_datagram_address from, to;
    uint8_t *bytes; // owned
    uint32_t size;
} datagram;

// Datagrams on their way: a heap whose first is due first.
typedef struct journey {
    CT_ARRAY(datagram) heap;
    uint64_t num_sent;
} journey;

struct ct_network_wire_net {
    ct_allocator *allocator;
    ct_hash_map wires; // by address
    journey journey;
};

struct ct_network_wire {
    ct_allocator *allocator;
    ct_network_wire_net *net; // NULL: over a socket
    int socket;
    ct_datagram_address address;
    ct_network_conditions conditions;
    ct_random random;
    uint64_t free_ns; // when the bandwidth is free for the next datagram
    journey journey;  // of a socket: what is held back
    ct_ring arrived;  // of a net
    ct_network_wire_stats stats;
};

// --- On its way ----------------------------------------------------------------------------------

static bool is_before(const datagram *a, const datagram *b) {
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void swap(datagram *a, datagram *b) {
    const datagram old = *a;
    *a = *b;
    *b = old;
}

static void add(journey *j, datagram d) {
    d.order = j->num_sent++;
    ct_array_push(&j->heap, d);
    datagram *const items = j->heap.items;
    for (uint32_t i = j->heap.count - 1; i > 0 && is_before(&items[i], &items[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap(&items[i], &items[(i - 1) / 2]);
}

static datagram take_first(journey *j) {
    datagram *const items = j->heap.items;
    const datagram first = items[0];
    items[0] = items[--j->heap.count];
    for (uint32_t i = 0;;) {
        uint32_t least = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < j->heap.count; ++child) {
            if (is_before(&items[child], &items[least]))
                least = child;
        }
        if (least == i)
            return first;
        swap(&items[i], &items[least]);
        i = least;
    }
}

static void free_journey(journey *j) {
    for (uint32_t i = 0; i < j->heap.count; ++i)
        ct_free(j->heap.allocator, j->heap.items[i].bytes);
    ct_array_free(&j->heap);
}

// --- A net ---------------------------------------------------------------------------------------

static uint64_t key_of(ct_datagram_address address) {
    return (uint64_t)address.ip << 16 | address.port;
}

ct_network_wire_net *ct_network_wire_net_create(ct_allocator *a) {
    ct_network_wire_net *const net = CT_NEW(a, ct_network_wire_net);
    net->allocator = a;
    ct_hash_map_init(&net->wires, a);
    ct_array_init(&net->journey.heap, a);
    return net;
}

void ct_network_wire_net_destroy(ct_network_wire_net *net) {
    if (!net)
        return;
    CT_ASSERT(net->wires.count == 0, "the net still has %u wires", net->wires.count);
    ct_hash_map_free(&net->wires);
    free_journey(&net->journey);
    ct_free_sized(net->allocator, net, sizeof(*net));
}

static ct_network_wire *wire_at(const ct_network_wire_net *net, ct_datagram_address address) {
    return (ct_network_wire *)(uintptr_t)ct_hash_map_get(&net->wires, key_of(address), 0);
}

static void arrive(ct_network_wire *wire, const datagram *d) {
    if (wire->arrived.count >= MAX_WAITING) {
        ++wire->stats.overflowed;
        return;
    }
    datagram copy = *d;
    copy.bytes = ct_alloc(wire->allocator, d->size);
    memcpy(copy.bytes, d->bytes, d->size);
    ct_ring_push(&wire->arrived, &copy);
}

// The wires of a net, in the order of their addresses: a broadcast reaches them in one order.
static void arrive_everywhere(ct_network_wire_net *net, const datagram *d) {
    CT_ARRAY(uint64_t) keys;
    ct_array_init(&keys, net->allocator);
    uint32_t cursor = 0;
    for (ct_hash_map_entry *e = NULL; (e = ct_hash_map_next(&net->wires, &cursor)) != NULL;) {
        if ((e->key & UINT16_MAX) != d->to.port || e->key == key_of(d->from))
            continue;
        uint32_t at = keys.count;
        while (at > 0 && keys.items[at - 1] > e->key)
            --at;
        ct_array_insert(&keys, at, e->key);
    }
    for (uint32_t i = 0; i < keys.count; ++i)
        arrive((ct_network_wire *)(uintptr_t)ct_hash_map_get(&net->wires, keys.items[i], 0), d);
    ct_array_free(&keys);
}

// Brings all that is due to where it goes.
static void pump_net(ct_network_wire_net *net, uint64_t now_ns) {
    while (net->journey.heap.count > 0 && net->journey.heap.items[0].due_ns <= now_ns) {
        const datagram d = take_first(&net->journey);
        ct_network_wire *const wire = wire_at(net, d.to);
        if (d.to.ip == CT_DATAGRAM_IP_BROADCAST)
            arrive_everywhere(net, &d);
        else if (wire)
            arrive(wire, &d);
        ct_free(net->allocator, d.bytes);
    }
}

// --- Wires ---------------------------------------------------------------------------------------

static ct_network_wire *make_wire(ct_allocator *a) {
    ct_network_wire *const wire = CT_NEW(a, ct_network_wire);
    wire->allocator = a;
    wire->socket = -1;
    wire->random = ct_random_seeded(0, 0);
    ct_array_init(&wire->journey.heap, a);
    ct_ring_init(&wire->arrived, a, sizeof(datagram));
    return wire;
}

ct_network_wire *ct_network_wire_in_net(ct_network_wire_net *net, ct_datagram_address address,
                                        ct_error *error) {
    char text[CT_DATAGRAM_ADDRESS_BYTES];
    ct_datagram_address_print(&address, text);
    if (key_of(address) == 0 || address.ip == CT_DATAGRAM_IP_BROADCAST) {
        ct_error_set(error, "a wire cannot be at %s: pick an address of one machine", text);
        return NULL;
    }
    if (wire_at(net, address)) {
        ct_error_set(error, "the net has a wire at %s: pick another address", text);
        return NULL;
    }
    ct_network_wire *const wire = make_wire(net->allocator);
    wire->net = net;
    wire->address = address;
    ct_hash_map_set(&net->wires, key_of(address), (uint64_t)(uintptr_t)wire);
    return wire;
}

ct_network_wire *ct_network_wire_open(ct_allocator *a, const ct_datagram_desc *desc,
                                      ct_error *error) {
    ct_datagram_address bound = {0};
    const int opened = ct_datagram_open(desc, &bound, error);
    if (opened < 0)
        return NULL;
    ct_network_wire *const wire = make_wire(a);
    wire->socket = opened;
    wire->address = bound;
    return wire;
}

void ct_network_wire_destroy(ct_network_wire *wire) {
    if (!wire)
        return;
    if (wire->net)
        ct_hash_map_erase(&wire->net->wires, key_of(wire->address));
    else
        ct_socket_close(wire->socket);
    free_journey(&wire->journey);
    for (datagram d; ct_ring_pop(&wire->arrived, &d);)
        ct_free(wire->allocator, d.bytes);
    ct_ring_free(&wire->arrived);
    ct_free_sized(wire->allocator, wire, sizeof(*wire));
}

void ct_network_wire_set_conditions(ct_network_wire *wire, const ct_network_conditions *conditions,
                                    uint64_t seed) {
    wire->conditions = conditions ? *conditions : (ct_network_conditions){0};
    wire->random = ct_random_seeded(seed, key_of(wire->address));
    wire->free_ns = 0;
}

const ct_network_conditions *ct_network_wire_conditions(const ct_network_wire *wire) {
    return &wire->conditions;
}

// --- Sending -------------------------------------------------------------------------------------

static bool happens(ct_network_wire *wire, double percent) {
    return percent > 0 && ct_random_double(&wire->random) * 100 < percent;
}

static uint64_t random_ns(ct_network_wire *wire, uint64_t most) {
    return most > 0 ? ct_random_below_u64(&wire->random, most + 1) : 0;
}

// Sets when a datagram's last byte has left. Returns false when the queue is longer than a second.
static bool leave(ct_network_wire *wire, uint64_t now_ns, uint32_t size, uint64_t *leaves_ns) {
    *leaves_ns = now_ns;
    if (wire->conditions.bandwidth == 0)
        return true;
    const uint64_t start = wire->free_ns > now_ns ? wire->free_ns : now_ns;
    if (start > now_ns + second_ns)
        return false;
    wire->free_ns = start + size * second_ns / wire->conditions.bandwidth;
    *leaves_ns = wire->free_ns;
    return true;
}

static void set_off(ct_network_wire *wire, uint64_t due_ns, ct_datagram_address to,
                    const void *bytes, uint32_t size) {
    journey *const j = wire->net ? &wire->net->journey : &wire->journey;
    datagram d = {.due_ns = due_ns, .from = wire->address, .to = to, .size = size};
    d.bytes = ct_alloc(j->heap.allocator, size);
    memcpy(d.bytes, bytes, size);
    add(j, d);
}

static bool is_changed(const ct_network_conditions *c) {
    return c->loss_percent > 0 || c->bandwidth > 0 || c->delay_ns > 0 || c->jitter_ns > 0 ||
           c->reorder_percent > 0 || c->duplicate_percent > 0;
}

void ct_network_wire_send(ct_network_wire *wire, uint64_t now_ns, ct_datagram_address to,
                          const void *bytes, uint32_t size) {
    CT_ASSERT(size > 0 && size <= CT_NETWORK_WIRE_BYTES, "a datagram of %u bytes", size);
    const ct_network_conditions *const c = &wire->conditions;
    ++wire->stats.datagrams_sent;
    wire->stats.bytes_sent += size;
    ct_network_wire_pump(wire, now_ns);
    if (!wire->net && !is_changed(c)) {
        wire->stats.unsent += !ct_datagram_send(wire->socket, &to, bytes, size);
        return;
    }
    uint64_t leaves_ns = now_ns;
    if (happens(wire, c->loss_percent) || !leave(wire, now_ns, size, &leaves_ns)) {
        ++wire->stats.lost;
        return;
    }
    const uint64_t due = leaves_ns + c->delay_ns + random_ns(wire, c->jitter_ns);
    const bool is_late = happens(wire, c->reorder_percent);
    set_off(wire, is_late ? due + 10000000 + random_ns(wire, 40000000) : due, to, bytes, size);
    if (happens(wire, c->duplicate_percent))
        set_off(wire, leaves_ns + c->delay_ns + random_ns(wire, c->jitter_ns + 1000000), to, bytes,
                size);
}

void ct_network_wire_pump(ct_network_wire *wire, uint64_t now_ns) {
    while (!wire->net && wire->journey.heap.count > 0 &&
           wire->journey.heap.items[0].due_ns <= now_ns) {
        const datagram d = take_first(&wire->journey);
        wire->stats.unsent += !ct_datagram_send(wire->socket, &d.to, d.bytes, d.size);
        ct_free(wire->allocator, d.bytes);
    }
}

// --- Receiving -----------------------------------------------------------------------------------

static int64_t receive_from_net(ct_network_wire *wire, uint64_t now_ns, ct_datagram_address *from,
                                void *bytes, uint32_t capacity) {
    pump_net(wire->net, now_ns);
    datagram d;
    if (!ct_ring_pop(&wire->arrived, &d))
        return -1;
    *from = d.from;
    memcpy(bytes, d.bytes, d.size < capacity ? d.size : capacity);
    ct_free(wire->allocator, d.bytes);
    return d.size;
}

int64_t ct_network_wire_receive(ct_network_wire *wire, uint64_t now_ns, ct_datagram_address *from,
                                void *bytes, uint32_t capacity) {
    ct_network_wire_pump(wire, now_ns);
    for (;;) {
        const int64_t size = wire->net ? receive_from_net(wire, now_ns, from, bytes, capacity)
                                       : ct_datagram_receive(wire->socket, from, bytes, capacity);
        if (size < 0)
            return -1;
        ++wire->stats.datagrams_received;
        wire->stats.bytes_received += (uint64_t)size;
        if (size <= capacity)
            return size;
        ++wire->stats.oversized;
    }
}

ct_datagram_address ct_network_wire_address(const ct_network_wire *wire) {
    return wire->address;
}

int ct_network_wire_socket(const ct_network_wire *wire) {
    return wire->socket;
}

ct_network_wire_stats ct_network_wire_stats_of(const ct_network_wire *wire) {
    return wire->stats;
}
