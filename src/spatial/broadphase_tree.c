#include <math.h>

#include "foundation/error.h"
#include "spatial/broadphase_private.h"

enum {
    LANES = CT_BROADPHASE_LANES,
    LEAST_OF_SPLIT = LANES / 3, // lanes that each half has
    FEW = LANES / 4,            // lanes of a node that looks for another to join
    MOST_JOINED = LANES * 3 / 4 // lanes of two that join: room for some more
};

// --- Nodes ---------------------------------------------------------------------------------------

uint32_t ct_broadphase_add_node(ct_broadphase *b, uint32_t level) {
    uint32_t node = b->first_free_node;
    if (node)
        b->first_free_node = b->infos[node].parent;
    else
        node = ct_soa_block_add(&b->node_block, 1);
    b->infos[node] = (ct_broadphase_node_info){.level = (uint16_t)level};
    for (uint32_t lane = 0; lane < LANES; ++lane)
        ct_broadphase_clear_lane(&b->nodes[node], lane);
    return node;
}

static void free_node(ct_broadphase *b, uint32_t node) {
    b->infos[node].parent = b->first_free_node;
    b->first_free_node = node;
}

// Stores the place of a lane in the child that is in it.
static void set_place(ct_broadphase *b, uint32_t node, uint32_t lane) {
    const uint32_t child = b->nodes[node].children[lane];
    const ct_broadphase_place place = node * LANES + lane;
    if (b->infos[node].level)
        b->infos[child].parent = place;
    else
        b->slots[child].place = place;
}

void ct_broadphase_push_entry(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *entry) {
    const uint32_t lane = b->infos[node].count++;
    ct_broadphase_node *const n = &b->nodes[node];
    ct_broadphase_set_lane(n, lane, entry->box);
    n->children[lane] = entry->child;
    n->values[lane] = entry->value;
    set_place(b, node, lane);
}

static ct_broadphase_entry entry_at(const ct_broadphase_node *n, uint32_t lane) {
    return (ct_broadphase_entry){ct_broadphase_lane(n, lane), n->children[lane], n->values[lane]};
}

// Removes a lane by moving the last one into its place.
static void erase_lane(ct_broadphase *b, uint32_t node, uint32_t lane) {
    ct_broadphase_node *const n = &b->nodes[node];
    const uint32_t last = --b->infos[node].count;
    if (lane != last) {
        ct_broadphase_set_lane(n, lane, ct_broadphase_lane(n, last));
        n->children[lane] = n->children[last];
        n->values[lane] = n->values[last];
        set_place(b, node, lane);
    }
    ct_broadphase_clear_lane(n, last);
}

// --- Bounds --------------------------------------------------------------------------------------

static ct_aabb widened(ct_aabb box, float margin) {
    for (uint32_t k = 0; k < 3; ++k) {
        box.min.raw[k] -= margin;
        box.max.raw[k] += margin;
    }
    return box;
}

// Plain comparisons: none of these is NaN.
static ct_aabb merged(ct_aabb a, ct_aabb b) {
    for (uint32_t k = 0; k < 3; ++k) {
        a.min.raw[k] = b.min.raw[k] < a.min.raw[k] ? b.min.raw[k] : a.min.raw[k];
        a.max.raw[k] = b.max.raw[k] > a.max.raw[k] ? b.max.raw[k] : a.max.raw[k];
    }
    return a;
}

void ct_broadphase_set_bounds(ct_broadphase *b, uint32_t node) {
    ct_broadphase_node_info *const info = &b->infos[node];
    info->bounds = ct_broadphase_lanes_bounds(&b->nodes[node]);
    if (!info->level)
        info->bounds = widened(info->bounds, b->margin);
}

// Copies a node's bounds to the lane that leads to it.
static void tell_parent(ct_broadphase *b, uint32_t node) {
    const ct_broadphase_place place = b->infos[node].parent;
    ct_broadphase_set_lane(ct_broadphase_node_of(b, place), ct_broadphase_lane_of(place),
                           b->infos[node].bounds);
}

// Widens the bounds of a node and of those above it to hold `box`.
static void grow_bounds(ct_broadphase *b, uint32_t node, ct_aabb box) {
    while (!ct_broadphase_holds(&b->infos[node].bounds, &box)) {
        b->infos[node].bounds = merged(b->infos[node].bounds, box);
        if (!b->infos[node].parent)
            return;
        tell_parent(b, node);
        node = b->infos[node].parent / LANES;
    }
}

// Fits the bounds of a node and of the nodes above it to their content.
static void fit_bounds(ct_broadphase *b, uint32_t node) {
    for (;;) {
        const ct_aabb before = b->infos[node].bounds;
        ct_broadphase_set_bounds(b, node);
        // They may have grown, too: items move within the margin.
        const ct_aabb *const now = &b->infos[node].bounds;
        const bool is_same = ct_broadphase_holds(now, &before) && ct_broadphase_holds(&before, now);
        if (is_same || !b->infos[node].parent)
            return;
        tell_parent(b, node);
        node = b->infos[node].parent / LANES;
    }
}

// --- Putting in ----------------------------------------------------------------------------------

// The lane whose area grows the least when it takes the box; of several the smallest one.
static uint32_t choose_lane(const ct_broadphase_node *n, uint32_t count, const ct_aabb *box) {
    float growths[LANES], areas[LANES];
    for (uint32_t g = 0; g < CT_BROADPHASE_GROUPS; ++g) {
        ct_column own[3], both[3];
        for (uint32_t k = 0; k < 3; ++k) {
            const ct_column low = ct_column_of(n->groups[g].min[k]);
            const ct_column high = ct_column_of(n->groups[g].max[k]);
            own[k] = high - low;
            both[k] = ct_column_max(high, ct_column_all(box->max.raw[k])) -
                      ct_column_min(low, ct_column_all(box->min.raw[k]));
        }
        const ct_column area = own[0] * own[1] + own[1] * own[2] + own[2] * own[0];
        const ct_column growth = both[0] * both[1] + both[1] * both[2] + both[2] * both[0] - area;
        for (uint32_t i = 0; i < 4; ++i) {
            growths[4 * g + i] = growth[i];
            areas[4 * g + i] = area[i];
        }
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i)
        if (growths[i] < growths[best] ||
            (growths[i] == growths[best] && areas[i] < areas[best])) // NOLINT: equal is meant
            best = i;
    return best;
}

typedef struct split {
    float cost;
    uint32_t axis, num_first;
} split;

// Sorts by the boxes' centres along an axis, keeping the order of equal ones.
static void sort_entries(ct_broadphase_entry *entries, uint32_t count, uint32_t axis) {
    for (uint32_t i = 1; i < count; ++i) {
        const ct_broadphase_entry entry = entries[i];
        const float key = entry.box.min.raw[axis] + entry.box.max.raw[axis];
        uint32_t at = i;
        for (; at && entries[at - 1].box.min.raw[axis] + entries[at - 1].box.max.raw[axis] > key;
             --at)
            entries[at] = entries[at - 1];
        entries[at] = entry;
    }
}

// The cheapest place to part sorted entries: each side costs its area times its lanes, which is
// what queries pay for it (the surface area heuristic, MacDonald and Booth 1990).
static split best_split(const ct_broadphase_entry *entries, uint32_t count, uint32_t axis) {
    float areas_behind[LANES + 1];
    ct_aabb behind = entries[count - 1].box, before = entries[0].box;
    for (uint32_t i = count - 1; i >= LEAST_OF_SPLIT; --i) {
        behind = merged(behind, entries[i].box);
        areas_behind[i] = ct_broadphase_area(behind);
    }
    split best = {.cost = INFINITY, .axis = axis, .num_first = count / 2};
    for (uint32_t i = 1; i <= count - LEAST_OF_SPLIT; ++i) {
        const float cost =
            ct_broadphase_area(before) * (float)i + areas_behind[i] * (float)(count - i);
        if (i >= LEAST_OF_SPLIT && cost < best.cost) {
            best.cost = cost;
            best.num_first = i;
        }
        before = merged(before, entries[i].box);
    }
    return best;
}

// Parts the lanes of a full node, and `entry`, between it and a new node, which is returned.
static uint32_t split_node(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *entry) {
    ct_broadphase_entry entries[LANES + 1];
    for (uint32_t lane = 0; lane < LANES; ++lane)
        entries[lane] = entry_at(&b->nodes[node], lane);
    entries[LANES] = *entry;
    split best = {.cost = INFINITY};
    for (uint32_t axis = 0; axis < 3; ++axis) {
        sort_entries(entries, LANES + 1, axis);
        const split s = best_split(entries, LANES + 1, axis);
        best = axis && s.cost >= best.cost ? best : s;
    }
    if (best.axis != 2)
        sort_entries(entries, LANES + 1, best.axis);
    const uint32_t other = ct_broadphase_add_node(b, b->infos[node].level);
    b->infos[node].count = 0;
    for (uint32_t i = 0; i < LANES; ++i)
        ct_broadphase_clear_lane(&b->nodes[node], i);
    for (uint32_t i = 0; i <= LANES; ++i)
        ct_broadphase_push_entry(b, i < best.num_first ? node : other, &entries[i]);
    ct_broadphase_set_bounds(b, node);
    ct_broadphase_set_bounds(b, other);
    return other;
}

static ct_broadphase_entry entry_of_node(const ct_broadphase *b, uint32_t node) {
    return (ct_broadphase_entry){.box = b->infos[node].bounds, .child = node};
}

static void add_root(ct_broadphase *b, uint32_t first, uint32_t second) {
    const uint32_t level = b->infos[first].level + 1u;
    CT_REQUIRE(level <= CT_BROADPHASE_MAX_LEVEL, "a broadphase of %u levels is too deep", level);
    b->root = ct_broadphase_add_node(b, level);
    const ct_broadphase_entry entries[2] = {entry_of_node(b, first), entry_of_node(b, second)};
    ct_broadphase_push_entry(b, b->root, &entries[0]);
    ct_broadphase_push_entry(b, b->root, &entries[1]);
    ct_broadphase_set_bounds(b, b->root);
}

// Adds an entry to a node; one that is full is parted, and so on upwards.
static void add_entry(ct_broadphase *b, uint32_t node, ct_broadphase_entry entry) {
    while (b->infos[node].count == LANES) {
        const uint32_t other = split_node(b, node, &entry);
        if (node == b->root) {
            add_root(b, node, other);
            return;
        }
        tell_parent(b, node);
        const ct_aabb bounds = b->infos[node].bounds;
        node = b->infos[node].parent / LANES;
        grow_bounds(b, node, bounds);
        entry = entry_of_node(b, other);
    }
    ct_broadphase_push_entry(b, node, &entry);
    grow_bounds(b, node, b->infos[node].level ? entry.box : widened(entry.box, b->margin));
}

void ct_broadphase_insert(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *item) {
    if (!node) {
        node = b->root = ct_broadphase_add_node(b, 0);
        b->infos[node].bounds = item->box;
    }
    while (b->infos[node].level) {
        const ct_broadphase_node *const n = &b->nodes[node];
        node = n->children[choose_lane(n, b->infos[node].count, &item->box)];
    }
    add_entry(b, node, *item);
}

// --- Taking out ----------------------------------------------------------------------------------

// A node beside this one that has room for all of its lanes, and grows the least by them; 0: none.
static uint32_t find_to_join(const ct_broadphase *b, uint32_t node) {
    const ct_broadphase_node_info *const info = &b->infos[node];
    const uint32_t parent = info->parent / LANES;
    uint32_t best = 0;
    float least = INFINITY;
    for (uint32_t lane = 0; lane < b->infos[parent].count; ++lane) {
        const uint32_t other = b->nodes[parent].children[lane];
        const ct_aabb bounds = b->infos[other].bounds;
        const float growth =
            ct_broadphase_area(merged(bounds, info->bounds)) - ct_broadphase_area(bounds);
        if (other != node && b->infos[other].count + info->count <= MOST_JOINED && growth < least) {
            least = growth;
            best = other;
        }
    }
    return best;
}

static void join(ct_broadphase *b, uint32_t node, uint32_t to) {
    for (uint32_t lane = 0; lane < b->infos[node].count; ++lane) {
        const ct_broadphase_entry entry = entry_at(&b->nodes[node], lane);
        ct_broadphase_push_entry(b, to, &entry);
    }
    ct_broadphase_set_bounds(b, to);
    tell_parent(b, to);
}

// A root with one child is not needed; nor one with nothing.
static void lower_root(ct_broadphase *b) {
    while (b->root && b->infos[b->root].count <= 1) {
        const uint32_t root = b->root;
        const bool is_empty = b->infos[root].count == 0;
        if (!is_empty && !b->infos[root].level)
            return;
        b->root = is_empty ? 0 : b->nodes[root].children[0];
        if (b->root)
            b->infos[b->root].parent = 0;
        free_node(b, root);
    }
}

uint32_t ct_broadphase_take(ct_broadphase *b, ct_broadphase_place place, const ct_aabb *box) {
    uint32_t node;
    for (;;) {
        node = place / LANES;
        erase_lane(b, node, ct_broadphase_lane_of(place));
        if (node == b->root)
            break;
        if (b->infos[node].count) {
            fit_bounds(b, node);
            const uint32_t to = b->infos[node].count <= FEW ? find_to_join(b, node) : 0;
            if (!to)
                break;
            join(b, node, to);
        }
        place = b->infos[node].parent;
        free_node(b, node);
    }
    if (node == b->root) {
        if (b->infos[node].count)
            ct_broadphase_set_bounds(b, node);
        lower_root(b);
        return b->root;
    }
    while (b->infos[node].parent && !ct_broadphase_holds(&b->infos[node].bounds, box))
        node = b->infos[node].parent / LANES;
    return node;
}
