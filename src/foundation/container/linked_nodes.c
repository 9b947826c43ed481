#include "foundation/container/linked_nodes.h"

#include <string.h>

#include "foundation/container/bitset.h"
#include "foundation/error.h"
#include "foundation/memory/poison.h"

enum { FIRST_CAPACITY = 64, BITS = 64 };

static void *item_at(const ct_linked_nodes *nodes, uint32_t place) {
    return nodes->items + (uint64_t)place * nodes->node_bytes;
}

static uint32_t *next_of(const ct_linked_nodes *nodes, uint32_t place) {
    return item_at(nodes, place);
}

// The bits come first, so that both are aligned whatever the size of a node.
static uint64_t bits_bytes(uint32_t capacity) {
    const uint64_t bytes = capacity / BITS * sizeof(uint64_t);
    return (bytes + CT_DEFAULT_ALIGN - 1) & ~(uint64_t)(CT_DEFAULT_ALIGN - 1);
}

static uint64_t total_bytes(const ct_linked_nodes *nodes, uint32_t capacity) {
    return bits_bytes(capacity) + (uint64_t)capacity * nodes->node_bytes;
}

bool ct_linked_nodes_is_taken(const ct_linked_nodes *nodes, uint32_t place) {
    return place != 0 && place < nodes->capacity && ct_bits_test(nodes->taken, place);
}

// --- Growth --------------------------------------------------------------------------------------

static void free_memory(ct_linked_nodes *nodes) {
    ct_unpoison(nodes->items, (uint64_t)nodes->capacity * nodes->node_bytes);
    ct_free_sized(nodes->allocator, nodes->taken, total_bytes(nodes, nodes->capacity));
}

static void copy_nodes(const ct_linked_nodes *from, ct_linked_nodes *to) {
    memcpy(to->taken, from->taken, from->capacity / BITS * sizeof(uint64_t));
    ct_unpoison(from->items, (uint64_t)from->capacity * from->node_bytes);
    ct_unpoison(to->items, (uint64_t)from->capacity * from->node_bytes);
    memcpy(to->items, from->items, (uint64_t)from->capacity * from->node_bytes);
    for (uint32_t i = 0; i < from->capacity; ++i)
        if (!ct_linked_nodes_is_taken(to, i))
            ct_poison(item_at(to, i), to->node_bytes);
}

static void grow(ct_linked_nodes *nodes) {
    CT_REQUIRE(nodes->capacity < UINT32_C(1) << 31, "%u nodes are too many for one array",
               nodes->num_taken);
    ct_linked_nodes grown = *nodes;
    grown.capacity = nodes->capacity ? 2 * nodes->capacity : FIRST_CAPACITY;
    grown.taken = ct_alloc(nodes->allocator, total_bytes(nodes, grown.capacity));
    grown.items = (char *)grown.taken + bits_bytes(grown.capacity);
    memset(grown.taken, 0, bits_bytes(grown.capacity));
    ct_poison(grown.items, (uint64_t)grown.capacity * nodes->node_bytes);
    if (nodes->capacity) {
        copy_nodes(nodes, &grown);
        free_memory(nodes);
    } else {
        grown.taken[0] = 1; // nil
        grown.num_taken = 1;
    }
    *nodes = grown;
}

// --- Places --------------------------------------------------------------------------------------

// The first free place from `start` on, and then from the beginning; there is one.
static uint32_t find_free(const ct_linked_nodes *nodes, uint32_t start) {
    const uint32_t place = ct_bits_next_clear(nodes->taken, start, nodes->capacity);
    return place < nodes->capacity ? place : ct_bits_next_clear(nodes->taken, 0, nodes->capacity);
}

static uint32_t take_place(ct_linked_nodes *nodes, uint32_t start) {
    // Seldom so full that free places are far.
    if (nodes->num_taken >= nodes->capacity / 8 * 7)
        grow(nodes);
    const uint32_t place = find_free(nodes, start);
    ct_bits_set(nodes->taken, place);
    ++nodes->num_taken;
    nodes->last = place;
    ct_unpoison(item_at(nodes, place), nodes->node_bytes);
    memset(item_at(nodes, place), 0, nodes->node_bytes);
    return place;
}

static void give_place(ct_linked_nodes *nodes, uint32_t place) {
    ct_bits_clear(nodes->taken, place);
    --nodes->num_taken;
    ct_poison(item_at(nodes, place), nodes->node_bytes);
}

static void check_taken(const ct_linked_nodes *nodes, uint32_t place) {
    CT_ASSERT(ct_linked_nodes_is_taken(nodes, place), "place %u has no node", place);
}

// --- Lists ---------------------------------------------------------------------------------------

void ct_linked_nodes_init(ct_linked_nodes *nodes, ct_allocator *a, uint32_t node_bytes) {
    CT_ASSERT(node_bytes >= sizeof(uint32_t) && node_bytes % sizeof(uint32_t) == 0,
              "the size of a node must be a multiple of 4 bytes, found %u", node_bytes);
    *nodes = (ct_linked_nodes){.node_bytes = node_bytes, .allocator = a};
}

void ct_linked_nodes_free(ct_linked_nodes *nodes) {
    if (nodes->capacity)
        free_memory(nodes);
    ct_linked_nodes_init(nodes, nodes->allocator, nodes->node_bytes);
}

uint32_t ct_linked_nodes_add(ct_linked_nodes *nodes, uint32_t previous) {
    if (!previous)
        return take_place(nodes, nodes->last + 1);
    check_taken(nodes, previous);
    const uint32_t place = take_place(nodes, previous + 1);
    *next_of(nodes, place) = *next_of(nodes, previous);
    *next_of(nodes, previous) = place;
    return place;
}

void ct_linked_nodes_erase(ct_linked_nodes *nodes, uint32_t *link) {
    const uint32_t place = *link;
    check_taken(nodes, place);
    *link = *next_of(nodes, place);
    give_place(nodes, place);
}

void ct_linked_nodes_erase_list(ct_linked_nodes *nodes, uint32_t *head) {
    while (*head)
        ct_linked_nodes_erase(nodes, head);
}
