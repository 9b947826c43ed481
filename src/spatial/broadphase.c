#include "foundation/error.h"
#include "foundation/math/math.h"
#include "spatial/broadphase_private.h"

enum { LANES = CT_BROADPHASE_LANES, PREFETCH_DISTANCE = 8 };

static const ct_soa_array node_arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_broadphase, nodes, 64),
    CT_SOA_ARRAY_ALIGNED(ct_broadphase, infos, 64),
};
static const ct_soa_array slot_arrays[] = {CT_SOA_ARRAY_ALIGNED(ct_broadphase, slots, 64)};

// --- Life cycle ----------------------------------------------------------------------------------

ct_broadphase *ct_broadphase_create(ct_allocator *a, const ct_broadphase_desc *desc) {
    CT_ASSERT(desc->margin >= 0 && desc->margin <= CT_BROADPHASE_REACH,
              "the margin of %g m is out of range", (double)desc->margin);
    ct_broadphase *const b = CT_NEW(a, ct_broadphase);
    b->allocator = a;
    b->margin = desc->margin;
    ct_soa_block_init(&b->node_block, a, b, node_arrays, CT_COUNT_OF(node_arrays));
    ct_soa_block_init(&b->slot_block, a, b, slot_arrays, CT_COUNT_OF(slot_arrays));
    ct_soa_block_reserve(&b->node_block, 1 + desc->num_items / (LANES / 2));
    ct_soa_block_reserve(&b->slot_block, 1 + desc->num_items);
    ct_soa_block_add(&b->node_block, 1);
    ct_soa_block_add(&b->slot_block, 1);
    return b;
}

void ct_broadphase_destroy(ct_broadphase *b) {
    if (!b)
        return;
    ct_soa_block_free(&b->node_block);
    ct_soa_block_free(&b->slot_block);
    ct_free_sized(b->allocator, b, sizeof(*b));
}

// --- Checks --------------------------------------------------------------------------------------

static void check_box(const ct_aabb *box) {
    bool is_fine = true;
    for (uint32_t k = 0; k < 3; ++k) { // NaN fails each of these
        is_fine &= box->min.raw[k] <= box->max.raw[k];
        is_fine &= box->min.raw[k] >= -CT_BROADPHASE_REACH;
        is_fine &= box->max.raw[k] <= CT_BROADPHASE_REACH;
    }
    CT_ASSERT(is_fine, "invalid box from (%g %g %g) to (%g %g %g)", (double)box->min.x,
              (double)box->min.y, (double)box->min.z, (double)box->max.x, (double)box->max.y,
              (double)box->max.z);
    (void)is_fine;
}

bool ct_broadphase_is_live(const ct_broadphase *b, ct_broadphase_item item) {
    return item.slot < b->slot_block.count && b->slots[item.slot].generation == item.generation &&
           (item.generation & 1);
}

static ct_broadphase_place place_of(const ct_broadphase *b, ct_broadphase_item item) {
    CT_ASSERT(ct_broadphase_is_live(b, item), "item %u of generation %u is not in the broadphase",
              item.slot, item.generation);
    return b->slots[item.slot].place;
}

// --- Slots ---------------------------------------------------------------------------------------

static uint32_t take_slot(ct_broadphase *b) {
    uint32_t slot = b->first_free_slot;
    if (slot) {
        b->first_free_slot = b->slots[slot].place;
    } else {
        slot = ct_soa_block_add(&b->slot_block, 1);
        CT_REQUIRE(slot < CT_BROADPHASE_MAX_SLOTS, "%u items in a broadphase are too many", slot);
    }
    ++b->slots[slot].generation;
    ++b->count;
    return slot;
}

static void free_slot(ct_broadphase *b, uint32_t slot) {
    ct_broadphase_slot *const s = &b->slots[slot];
    s->generation = (s->generation + 1) % CT_BROADPHASE_GENERATIONS;
    s->place = b->first_free_slot;
    b->first_free_slot = slot;
    --b->count;
}

// --- Adding --------------------------------------------------------------------------------------

// Writes what is in the tree to `entries`, in the order of slots.
static uint32_t gather(const ct_broadphase *b, ct_broadphase_entry *entries) {
    uint32_t count = 0;
    for (uint32_t slot = 1; slot < b->slot_block.count; ++slot) {
        if (!(b->slots[slot].generation & 1))
            continue;
        const ct_broadphase_place place = b->slots[slot].place;
        const ct_broadphase_node *const n = ct_broadphase_node_of(b, place);
        const uint32_t lane = ct_broadphase_lane_of(place);
        entries[count++] =
            (ct_broadphase_entry){ct_broadphase_lane(n, lane), slot, n->values[lane]};
    }
    return count;
}

void ct_broadphase_add(ct_broadphase *b, const ct_aabb *boxes, const uint32_t *values,
                       uint32_t count, ct_broadphase_item *items) {
    for (uint32_t i = 0; i < count; ++i)
        check_box(&boxes[i]);
    const bool is_anew = count > LANES && count >= b->count;
    const uint64_t entries_bytes = sizeof(ct_broadphase_entry) * ((uint64_t)b->count + count);
    ct_broadphase_entry *const entries = is_anew ? ct_alloc(b->allocator, entries_bytes) : NULL;
    uint32_t num_entries = is_anew ? gather(b, entries) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = take_slot(b);
        const ct_broadphase_entry entry = {boxes[i], slot, values[i]};
        if (items)
            items[i] = (ct_broadphase_item){slot, b->slots[slot].generation};
        if (is_anew)
            entries[num_entries++] = entry;
        else
            ct_broadphase_insert(b, b->root, &entry);
    }
    if (is_anew) {
        ct_broadphase_build(b, entries, num_entries);
        ct_free_sized(b->allocator, entries, entries_bytes);
    }
}

// --- Moving and removing -------------------------------------------------------------------------

// Places and leaves of items are scattered in memory: prefetches them early, places before leaves.
static void prefetch(const ct_broadphase *b, const ct_broadphase_item *items, uint32_t i,
                     uint32_t count) {
    if (i + 2 * PREFETCH_DISTANCE < count &&
        items[i + 2 * PREFETCH_DISTANCE].slot < b->slot_block.count)
        __builtin_prefetch(&b->slots[items[i + 2 * PREFETCH_DISTANCE].slot]);
    if (i + PREFETCH_DISTANCE >= count || !ct_broadphase_is_live(b, items[i + PREFETCH_DISTANCE]))
        return;
    const ct_broadphase_place place = b->slots[items[i + PREFETCH_DISTANCE].slot].place;
    const char *const group =
        (const char *)&ct_broadphase_node_of(b, place)->groups[ct_broadphase_lane_of(place) / 4];
    __builtin_prefetch(&b->infos[place / LANES]);
    __builtin_prefetch(group, 1);
    __builtin_prefetch(group + 64, 1);
}

static void move(ct_broadphase *b, uint32_t slot, const ct_aabb *box) {
    const ct_broadphase_place place = b->slots[slot].place;
    const uint32_t leaf = place / LANES, lane = ct_broadphase_lane_of(place);
    if (ct_broadphase_holds(&b->infos[leaf].bounds, box)) {
        ct_broadphase_set_lane(&b->nodes[leaf], lane, *box);
        return;
    }
    const ct_broadphase_entry entry = {*box, slot, b->nodes[leaf].values[lane]};
    const uint32_t from = ct_broadphase_take(b, place, box);
    ct_broadphase_insert(b, from, &entry);
}

void ct_broadphase_move(ct_broadphase *b, const ct_broadphase_item *items, const ct_aabb *boxes,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        prefetch(b, items, i, count);
        check_box(&boxes[i]);
        place_of(b, items[i]);
        move(b, items[i].slot, &boxes[i]);
    }
}

void ct_broadphase_remove(ct_broadphase *b, const ct_broadphase_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_broadphase_place place = place_of(b, items[i]);
        const ct_aabb box = ct_broadphase_box(b, items[i]);
        ct_broadphase_take(b, place, &box);
        free_slot(b, items[i].slot);
    }
}

void ct_broadphase_clear(ct_broadphase *b) {
    // The last first, so that slots are used again in their order.
    for (uint32_t slot = b->slot_block.count - 1; slot; --slot)
        if (b->slots[slot].generation & 1)
            free_slot(b, slot);
    ct_broadphase_build(b, NULL, 0);
}

// --- Reading -------------------------------------------------------------------------------------

ct_aabb ct_broadphase_box(const ct_broadphase *b, ct_broadphase_item item) {
    const ct_broadphase_place place = place_of(b, item);
    return ct_broadphase_lane(ct_broadphase_node_of(b, place), ct_broadphase_lane_of(place));
}

uint32_t ct_broadphase_value(const ct_broadphase *b, ct_broadphase_item item) {
    const ct_broadphase_place place = place_of(b, item);
    return ct_broadphase_node_of(b, place)->values[ct_broadphase_lane_of(place)];
}

void ct_broadphase_set_value(ct_broadphase *b, ct_broadphase_item item, uint32_t value) {
    const ct_broadphase_place place = place_of(b, item);
    ct_broadphase_node_of(b, place)->values[ct_broadphase_lane_of(place)] = value;
}

uint32_t ct_broadphase_count(const ct_broadphase *b) {
    return b->count;
}

uint32_t ct_broadphase_items(const ct_broadphase *b, ct_broadphase_item *items, uint32_t max) {
    uint32_t count = 0;
    for (uint32_t slot = 1; slot < b->slot_block.count && count < max; ++slot)
        if (b->slots[slot].generation & 1)
            items[count++] = (ct_broadphase_item){slot, b->slots[slot].generation};
    return b->count;
}

ct_aabb ct_broadphase_bounds(const ct_broadphase *b) {
    return b->root ? b->infos[b->root].bounds : ct_aabb_empty();
}
