#include <math.h>

#include "spatial/broadphase_private.h"

// Builds from the top: a range of items is halved along the longest axis of its centres until
// there are as many parts as a node gets children. All leaves end on one level, three quarters
// full, which leaves room for later items.

enum { FILL = CT_BROADPHASE_LANES * 3 / 4 };

static float key_of(const ct_broadphase_entry *e, uint32_t axis) {
    return e->box.min.raw[axis] + e->box.max.raw[axis];
}

static uint32_t longest_axis(const ct_broadphase_entry *items, uint32_t count) {
    float low[3], high[3];
    for (uint32_t k = 0; k < 3; ++k)
        low[k] = high[k] = key_of(&items[0], k);
    for (uint32_t i = 1; i < count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            const float key = key_of(&items[i], k);
            low[k] = key < low[k] ? key : low[k];
            high[k] = key > high[k] ? key : high[k];
        }
    }
    uint32_t axis = 0;
    for (uint32_t k = 1; k < 3; ++k)
        axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
    return axis;
}

static void swap(ct_broadphase_entry *a, ct_broadphase_entry *b) {
    const ct_broadphase_entry kept = *a;
    *a = *b;
    *b = kept;
}

static float middle_key(const ct_broadphase_entry *items, uint32_t low, uint32_t high,
                        uint32_t axis) {
    const float a = key_of(&items[low], axis), b = key_of(&items[low + (high - low) / 2], axis);
    const float c = key_of(&items[high], axis);
    return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
}

// Moves the `num_first` (fewer than `count`) items with the smallest keys to the front (Hoare's
// selection).
static void part(ct_broadphase_entry *items, uint32_t count, uint32_t num_first, uint32_t axis) {
    int64_t low = 0, high = (int64_t)count - 1;
    while (low < high) {
        const float pivot = middle_key(items, (uint32_t)low, (uint32_t)high, axis);
        int64_t i = low, k = high;
        while (i <= k) {
            while (key_of(&items[i], axis) < pivot)
                ++i;
            while (key_of(&items[k], axis) > pivot)
                --k;
            if (i <= k)
                swap(&items[i++], &items[k--]);
        }
        // What is between k and i equals the pivot.
        if (num_first <= k)
            high = k;
        else if (num_first >= i)
            low = i;
        else
            return;
    }
}

typedef struct build_range {
    ct_broadphase_entry *items;
    uint32_t count;
    uint32_t num_parts; // that it is to be halved into
} build_range;

static uint32_t build_node(ct_broadphase *b, ct_broadphase_entry *items, uint32_t count,
                           uint32_t level);

// Adds what a range becomes to a node.
static void add_range(ct_broadphase *b, uint32_t node, build_range range) {
    if (range.num_parts > 1) {
        const uint32_t first_parts = range.num_parts / 2;
        const uint32_t num_first =
            (uint32_t)((uint64_t)range.count * first_parts / range.num_parts);
        part(range.items, range.count, num_first, longest_axis(range.items, range.count));
        add_range(b, node, (build_range){range.items, num_first, first_parts});
        add_range(b, node,
                  (build_range){range.items + num_first, range.count - num_first,
                                range.num_parts - first_parts});
        return;
    }
    const uint32_t child = build_node(b, range.items, range.count, b->infos[node].level - 1u);
    ct_broadphase_push_entry(b, node,
                             &(ct_broadphase_entry){.box = b->infos[child].bounds, .child = child});
}

// Returns how many items should be below a node.
static uint64_t size_of(uint32_t level) {
    uint64_t size = FILL;
    for (uint32_t i = 0; i < level; ++i)
        size *= FILL;
    return size;
}

static uint32_t build_node(ct_broadphase *b, ct_broadphase_entry *items, uint32_t count,
                           uint32_t level) {
    const uint32_t node = ct_broadphase_add_node(b, level);
    if (level) {
        const uint64_t size = size_of(level - 1);
        const uint32_t num_parts = (uint32_t)((count + size - 1) / size);
        add_range(b, node, (build_range){items, count, num_parts});
    }
    for (uint32_t i = 0; !level && i < count; ++i)
        ct_broadphase_push_entry(b, node, &items[i]);
    ct_broadphase_set_bounds(b, node);
    return node;
}

void ct_broadphase_build(ct_broadphase *b, ct_broadphase_entry *items, uint32_t count) {
    ct_soa_block_clear(&b->node_block);
    ct_soa_block_add(&b->node_block, 1);
    b->first_free_node = b->root = 0;
    uint32_t level = 0;
    while (size_of(level) < count)
        ++level;
    if (count)
        b->root = build_node(b, items, count, level);
}
