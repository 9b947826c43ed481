#include "render/object/render_batches.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

enum {
    IDLE_FRAMES = 600,   // after so many a batch without quads is freed
    FEW_CHANGES = 256,   // more ranges are sent as one
    FEW_FREE_QUADS = 64, // so many free ones are not worth packing
};

enum { QUAD_BYTES = 4 * sizeof(ct_batch_vertex) };

// --- Size classes --------------------------------------------------------------------------------

// The least class whose runs hold `num_quads` (not 0).
static uint32_t class_of(uint32_t num_quads) {
    if (num_quads <= 8)
        return num_quads - 1;
    const uint32_t shift = 29 - (uint32_t)__builtin_clz(num_quads - 1);
    const uint32_t quarter = ((num_quads - 1) >> shift) & 3;
    return 8 + (shift - 1) * 4 + quarter;
}

// The quads of a run of this class.
static uint32_t class_quads(uint32_t size_class) {
    if (size_class < 8)
        return size_class + 1;
    const uint32_t shift = (size_class - 8) / 4 + 1, quarter = (size_class - 8) % 4;
    return (5 + quarter) << shift;
}

// --- Batches -------------------------------------------------------------------------------------

void ct_render_batches_init(ct_render_batches *s, ct_allocator *a, bool is_immediate) {
    *s = (ct_render_batches){.allocator = a, .is_immediate = is_immediate};
    ct_array_init(&s->batches, a);
    ct_array_init(&s->objects, a);
    ct_array_init(&s->order, a);
    ct_hash_map_init(&s->batch_of_key, a);
}

static void free_batch(ct_render_batch *b, ct_render_context *c) {
    ct_render_retire_buffer(&c->retire, &b->buffer);
    ct_array_free(&b->vertices);
    ct_array_free(&b->changes);
}

void ct_render_batches_shutdown(ct_render_batches *s, ct_render_context *c) {
    for (uint32_t i = 0; i < s->batches.count; ++i)
        free_batch(&s->batches.items[i], c);
    ct_array_free(&s->batches);
    ct_array_free(&s->objects);
    ct_array_free(&s->order);
    ct_hash_map_free(&s->batch_of_key);
    *s = (ct_render_batches){0};
}

void ct_render_batches_drop(ct_render_batches *s, ct_render_context *c) {
    for (uint32_t i = 0; i < s->batches.count; ++i)
        ct_render_retire_buffer(&c->retire, &s->batches.items[i].buffer);
}

static uint64_t key_of(int32_t layer, uint32_t material) {
    return (uint64_t)((uint32_t)layer + (1u << 31)) << 32 | material;
}

// The first position in the order whose batch is not before this key.
static uint32_t order_position(const ct_render_batches *s, uint64_t key) {
    uint32_t low = 0, high = s->order.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const ct_render_batch *const b = &s->batches.items[s->order.items[middle]];
        if (key_of(b->layer, b->material) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns a place without a batch.
static uint32_t free_place(ct_render_batches *s) {
    for (uint32_t i = 0; s->order.count < s->batches.count && i < s->batches.count; ++i)
        if (!s->batches.items[i].vertices.allocator)
            return i;
    ct_array_push(&s->batches, (ct_render_batch){0});
    return s->batches.count - 1;
}

static uint32_t find_batch(ct_render_batches *s, int32_t layer, uint32_t material) {
    const uint64_t key = key_of(layer, material);
    const uint64_t known = ct_hash_map_get(&s->batch_of_key, key, 0);
    if (known)
        return (uint32_t)known - 1;
    const uint32_t place = free_place(s);
    ct_render_batch *const b = &s->batches.items[place];
    *b = (ct_render_batch){.layer = layer, .material = material};
    ct_array_init(&b->vertices, s->allocator);
    ct_array_init(&b->changes, s->allocator);
    ct_hash_map_set(&s->batch_of_key, key, place + 1);
    ct_array_insert(&s->order, order_position(s, key), place);
    return place;
}

static void free_idle(ct_render_batches *s, ct_render_context *c) {
    for (uint32_t i = s->order.count; i-- > 0;) {
        ct_render_batch *const b = &s->batches.items[s->order.items[i]];
        b->num_idle_frames = b->num_used ? 0 : b->num_idle_frames + 1;
        if (b->num_idle_frames < IDLE_FRAMES)
            continue;
        ct_hash_map_erase(&s->batch_of_key, key_of(b->layer, b->material));
        free_batch(b, c);
        *b = (ct_render_batch){0};
        ct_array_erase(&s->order, i, 1);
    }
}

// --- Runs ----------------------------------------------------------------------------------------

static void change_all(ct_render_batch *b) {
    b->changes.count = 0;
    ct_array_push(&b->changes, (ct_render_quad_range){0, UINT32_MAX});
}

static void note_change(ct_render_batch *b, uint32_t first, uint32_t count) {
    ct_render_quad_range *const last =
        b->changes.count ? &b->changes.items[b->changes.count - 1] : NULL;
    if (last && last->first <= first && last->count - (first - last->first) >= count &&
        last->count >= first - last->first)
        return;
    if (last && last->first + last->count == first)
        last->count += count;
    else if (b->changes.count >= FEW_CHANGES)
        change_all(b);
    else
        ct_array_push(&b->changes, (ct_render_quad_range){first, count});
}

// The link to the next free run of the class is in the color of a free run's first vertex.
static uint32_t take_run(ct_render_batch *b, uint32_t size_class) {
    const uint32_t first = b->free_runs[size_class];
    if (first) {
        b->free_runs[size_class] = b->vertices.items[(uint64_t)(first - 1) * 4].color;
        return first - 1;
    }
    const uint32_t place = b->vertices.count / 4;
    const uint64_t end = (uint64_t)b->vertices.count + (uint64_t)class_quads(size_class) * 4;
    ct_array_resize(&b->vertices, end);
    return place;
}

static void give_run(ct_render_batch *b, const ct_render_batch_object *o) {
    const uint32_t num_quads = class_quads(o->size_class);
    ct_batch_vertex *const run = &b->vertices.items[(uint64_t)o->first * 4];
    memset(run, 0, (uint64_t)num_quads * QUAD_BYTES);
    run->color = b->free_runs[o->size_class];
    b->free_runs[o->size_class] = o->first + 1;
    note_change(b, o->first, num_quads);
    b->num_used -= num_quads;
}

static void write_run(ct_render_batch *b, const ct_render_batch_object *o,
                      const ct_batch_vertex *vertices) {
    const uint32_t num_quads = class_quads(o->size_class);
    ct_batch_vertex *const run = &b->vertices.items[(uint64_t)o->first * 4];
    memcpy(run, vertices, (uint64_t)o->num_quads * QUAD_BYTES);
    memset(run + (uint64_t)o->num_quads * 4, 0, (uint64_t)(num_quads - o->num_quads) * QUAD_BYTES);
    note_change(b, o->first, num_quads);
}

static bool is_mostly_free(const ct_render_batch *b) {
    return b->vertices.count / 4 - b->num_used > b->num_used + FEW_FREE_QUADS;
}

// Moves the objects of the batches that have an array in `packed`, by place, to these arrays.
static void pack_objects(ct_render_batches *s, ct_batch_vertex_array *packed) {
    for (uint32_t i = 0; i < s->objects.count; ++i) {
        ct_render_batch_object *const o = &s->objects.items[i];
        if (!o->num_quads || !packed[o->batch - 1].allocator)
            continue;
        const ct_render_batch *const b = &s->batches.items[o->batch - 1];
        ct_batch_vertex_array *const target = &packed[o->batch - 1];
        const ct_batch_vertex *const run = &b->vertices.items[(uint64_t)o->first * 4];
        o->first = target->count / 4;
        ct_array_push_many(target, run, class_quads(o->size_class) * 4);
    }
}

void ct_render_batches_pack(ct_render_batches *s) {
    uint32_t num_free = 0;
    for (uint32_t i = 0; i < s->order.count && !s->is_immediate; ++i)
        num_free += is_mostly_free(&s->batches.items[s->order.items[i]]);
    if (!num_free)
        return;
    ct_batch_vertex_array *const packed =
        CT_NEW_ARRAY(s->allocator, ct_batch_vertex_array, s->batches.count);
    for (uint32_t i = 0; i < s->batches.count; ++i)
        if (s->batches.items[i].vertices.allocator && is_mostly_free(&s->batches.items[i]))
            ct_array_init(&packed[i], s->allocator);
    pack_objects(s, packed);
    for (uint32_t i = 0; i < s->batches.count; ++i) {
        ct_render_batch *const b = &s->batches.items[i];
        if (!packed[i].allocator)
            continue;
        ct_array_free(&b->vertices);
        b->vertices = packed[i];
        memset(b->free_runs, 0, sizeof(b->free_runs));
        change_all(b);
    }
    ct_free(s->allocator, packed);
}

// --- Objects -------------------------------------------------------------------------------------

void ct_render_batches_append(ct_render_batches *s, int32_t layer, uint32_t material,
                              const ct_batch_vertex *vertices, uint32_t num_quads) {
    const uint32_t place = find_batch(s, layer, material); // may move the batches
    ct_render_batch *const b = &s->batches.items[place];
    ct_array_push_many(&b->vertices, vertices, (uint64_t)num_quads * 4);
    b->num_used += num_quads;
}

static void release(ct_render_batches *s, ct_render_batch_object *o) {
    if (o->batch && o->num_quads)
        give_run(&s->batches.items[o->batch - 1], o);
    *o = (ct_render_batch_object){0};
}

void ct_render_batches_set(ct_render_batches *s, uint32_t slot, int32_t layer, uint32_t material,
                           const ct_batch_vertex *vertices, uint32_t num_quads) {
    if (slot >= s->objects.count)
        ct_array_resize(&s->objects, (uint64_t)slot + 1);
    const uint32_t place = find_batch(s, layer, material);
    ct_render_batch *const b = &s->batches.items[place];
    ct_render_batch_object *const o = &s->objects.items[slot];
    const uint32_t size_class = num_quads ? class_of(num_quads) : 0;
    const bool fits =
        o->batch == place + 1 && o->num_quads && num_quads && o->size_class == size_class;
    if (!fits) {
        release(s, o);
        *o = (ct_render_batch_object){.batch = place + 1, .size_class = size_class};
        if (!num_quads)
            return;
        o->first = take_run(b, size_class);
        b->num_used += class_quads(size_class);
    }
    o->num_quads = num_quads;
    write_run(b, o, vertices);
}

void ct_render_batches_remove(ct_render_batches *s, uint32_t slot) {
    if (slot < s->objects.count)
        release(s, &s->objects.items[slot]);
}

void ct_render_batches_clear(ct_render_batches *s) {
    for (uint32_t i = 0; i < s->batches.count; ++i) {
        ct_render_batch *const b = &s->batches.items[i];
        b->vertices.count = 0;
        b->num_used = 0;
        b->changes.count = 0;
        memset(b->free_runs, 0, sizeof(b->free_runs));
    }
    s->objects.count = 0;
}

// --- The device's copy ---------------------------------------------------------------------------

static int compare_ranges(const void *a, const void *b) {
    const ct_render_quad_range *const x = a, *const y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

// Sorts a batch's changes, joins those that overlap, and cuts them to what there is. Returns their
// quads in all.
static uint64_t settle_changes(ct_render_batch *b) {
    const uint32_t end = b->vertices.count / 4;
    ct_render_quad_range *const changes = b->changes.items;
    if (b->changes.count > 1)
        qsort(changes, b->changes.count, sizeof(*changes), compare_ranges);
    uint64_t total = 0;
    uint32_t kept = 0, covered = 0;
    for (uint32_t i = 0; i < b->changes.count; ++i) {
        const uint32_t last =
            changes[i].count < end - changes[i].first ? changes[i].first + changes[i].count : end;
        const uint32_t first = changes[i].first > covered ? changes[i].first : covered;
        if (changes[i].first >= end || last <= first)
            continue;
        changes[kept++] = (ct_render_quad_range){first, last - first};
        total += last - first;
        covered = last;
    }
    b->changes.count = kept;
    return total;
}

static void make_buffer(ct_render_batch *b, ct_render_context *c) {
    const uint64_t wanted = (uint64_t)b->vertices.count * sizeof(ct_batch_vertex);
    if (b->buffer.size_bytes >= wanted)
        return;
    ct_render_retire_buffer(&c->retire, &b->buffer);
    // As much as the array has room for: it grows by doubling.
    b->buffer = ct_render_buffer_create(
        c->device, (uint64_t)b->vertices.capacity * sizeof(ct_batch_vertex),
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        CT_RENDER_MEMORY_USE_DEVICE);
    change_all(b);
}

static void upload_batch(ct_render_batch *b, ct_render_frames *f) {
    ct_render_context *const c = f->context;
    if (!b->vertices.count)
        return;
    make_buffer(b, c);
    b->vertex_buffer = b->buffer.handle;
    b->first_vertex = 0;
    const uint64_t total = settle_changes(b);
    if (!total)
        return;
    uint32_t first;
    ct_batch_vertex *staging = ct_render_frames_batch_vertices(f, (uint32_t)total * 4, &first);
    VkBufferCopy copies[FEW_CHANGES];
    uint64_t at = (uint64_t)first * sizeof(ct_batch_vertex);
    for (uint32_t i = 0; i < b->changes.count; ++i) {
        const ct_render_quad_range *const range = &b->changes.items[i];
        copies[i] = (VkBufferCopy){.srcOffset = at,
                                   .dstOffset = (uint64_t)range->first * QUAD_BYTES,
                                   .size = (uint64_t)range->count * QUAD_BYTES};
        memcpy(staging, b->vertices.items + (uint64_t)range->first * 4, copies[i].size);
        staging += (uint64_t)range->count * 4;
        at += copies[i].size;
    }
    c->device->vk.CmdCopyBuffer(c->commands, f->slot->batch_vertices.handle, b->buffer.handle,
                                b->changes.count, copies);
    b->changes.count = 0;
}

static void upload_immediate(ct_render_batch *b, ct_render_frames *f) {
    if (!b->vertices.count)
        return;
    ct_batch_vertex *const mapped =
        ct_render_frames_batch_vertices(f, b->vertices.count, &b->first_vertex);
    b->vertex_buffer = f->slot->batch_vertices.handle;
    memcpy(mapped, b->vertices.items, (uint64_t)b->vertices.count * sizeof(*mapped));
}

uint64_t ct_render_batches_pending_bytes(const ct_render_batches *s) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->order.count && !s->is_immediate; ++i) {
        ct_render_batch *const b = &s->batches.items[s->order.items[i]];
        total += settle_changes(b) * QUAD_BYTES;
        if (b->vertices.count && !b->buffer.handle)
            total += (uint64_t)b->vertices.count * sizeof(ct_batch_vertex);
    }
    return total;
}

void ct_render_batches_upload(ct_render_batches *s, ct_render_frames *f) {
    free_idle(s, f->context);
    ct_render_batches_pack(s);
    for (uint32_t i = 0; i < s->order.count; ++i) {
        ct_render_batch *const b = &s->batches.items[s->order.items[i]];
        if (s->is_immediate)
            upload_immediate(b, f);
        else
            upload_batch(b, f);
    }
}
