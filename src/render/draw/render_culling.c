#include "render/draw/render_culling.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_bulk.h"
#include "foundation/math/math_shapes.h"
#include "foundation/profiler/profiler.h"

enum {
    BLOCK = 64,
    LEAST_CULL_GRAIN = 64,
    CULL_PIECES = 32,
    CALLS_OF_ROUND = 30, // between two visits of a block, at least
    BLOCKS_OF_CALL = 8,
    LEAST_RESTING = 2048,      // fewer are as fast without the tree
    MOST_SEEN_OF_TREE = 16,    // more than a 16th of all: the same
    MOST_LOOSE_BLOCKS = 2,     // more than half of them: the same
    LEAST_LOOSE_OF_TASKS = 32, // fewer blocks are tested before a task would begin
};

// --- Following the objects -----------------------------------------------------------------------

void ct_render_culling_init(ct_render_culling *c, ct_allocator *a) {
    *c = (ct_render_culling){0};
    c->resting = ct_broadphase_create(a, &(ct_broadphase_desc){0});
    ct_array_init(&c->items, a);
    ct_array_init(&c->loose, a);
    ct_array_init(&c->moved, a);
    ct_array_init(&c->seen, a);
}

void ct_render_culling_free(ct_render_culling *c) {
    ct_broadphase_destroy(c->resting);
    ct_array_free(&c->items);
    ct_array_free(&c->loose);
    ct_array_free(&c->moved);
    ct_array_free(&c->seen);
}

static uint64_t bit_of(uint32_t object) {
    return UINT64_C(1) << object % BLOCK;
}

static bool is_resting(const ct_render_culling *c, uint32_t object) {
    return c->items.items[object].slot;
}

static void loosen(ct_render_culling *c, uint32_t object) {
    if (is_resting(c, object))
        ct_broadphase_remove(c->resting, &c->items.items[object], 1);
    c->items.items[object] = (ct_broadphase_item){0};
    c->loose.items[object / BLOCK] |= bit_of(object);
}

void ct_render_culling_add(ct_render_culling *c) {
    const uint32_t object = c->items.count;
    ct_array_push(&c->items, (ct_broadphase_item){0});
    if (object % BLOCK == 0) {
        ct_array_push(&c->loose, 0);
        ct_array_push(&c->moved, 0);
    }
    ct_render_culling_move(c, object);
}

void ct_render_culling_move(ct_render_culling *c, uint32_t i) {
    loosen(c, i);
    c->moved.items[i / BLOCK] |= bit_of(i);
}

static void copy_bit(uint64_t *words, uint32_t from, uint32_t to) {
    const bool is_set = words[from / BLOCK] & bit_of(from);
    words[to / BLOCK] = (words[to / BLOCK] & ~bit_of(to)) | (is_set ? bit_of(to) : 0);
}

void ct_render_culling_swap_erase(ct_render_culling *c, uint32_t i) {
    const uint32_t last = c->items.count - 1;
    loosen(c, i);
    c->items.items[i] = c->items.items[last];
    if (i != last && is_resting(c, i))
        ct_broadphase_set_value(c->resting, c->items.items[i], i);
    copy_bit(c->loose.items, last, i);
    copy_bit(c->moved.items, last, i);
    c->loose.items[last / BLOCK] &= ~bit_of(last);
    c->moved.items[last / BLOCK] &= ~bit_of(last);
    c->items.count = last;
    c->loose.count = c->moved.count = (last + BLOCK - 1) / BLOCK;
}

// --- Coming to rest ------------------------------------------------------------------------------

// The box around a sphere, and so much more that it is never outside of a plane, by rounding, that
// the sphere is not. False for spheres that a broadphase does not take.
static bool find_box(const float sphere[4], ct_aabb *box) {
    const float size = fabsf(sphere[0]) + fabsf(sphere[1]) + fabsf(sphere[2]) + sphere[3];
    if (!(size < CT_BROADPHASE_REACH / 2))
        return false;
    const float half = sphere[3] + size * 1e-6f;
    for (uint32_t k = 0; k < 3; ++k) {
        box->min.raw[k] = sphere[k] - half;
        box->max.raw[k] = sphere[k] + half;
    }
    return true;
}

// Appends those of a block that have not moved since the last time; returns how many there are
// then.
static uint32_t settle_block(ct_render_culling *c, const float (*spheres)[4], uint32_t block,
                             ct_aabb *boxes, uint32_t *objects, uint32_t count) {
    uint64_t left = c->loose.items[block] & ~c->moved.items[block];
    c->moved.items[block] = 0;
    for (; left; left &= left - 1) {
        const uint32_t object = block * BLOCK + (uint32_t)__builtin_ctzll(left);
        const bool is_never_seen = spheres[object][3] < 0; // and so needs no place in the tree
        if (!is_never_seen && !find_box(spheres[object], &boxes[count]))
            continue;
        c->loose.items[block] &= ~bit_of(object);
        objects[count] = object;
        count += !is_never_seen;
    }
    return count;
}

void ct_render_culling_settle(ct_render_culling *c, const float (*spheres)[4]) {
    enum { MOST = BLOCKS_OF_CALL * BLOCK };
    ct_aabb boxes[MOST];
    uint32_t objects[MOST], count = 0;
    ++c->num_calls;
    if (c->next_block >= c->loose.count) {
        if (c->num_calls < CALLS_OF_ROUND)
            return;
        c->next_block = c->num_calls = 0;
    }
    for (uint32_t i = 0; i < BLOCKS_OF_CALL && c->next_block < c->loose.count; ++i)
        count = settle_block(c, spheres, c->next_block++, boxes, objects, count);
    ct_broadphase_item items[MOST];
    ct_broadphase_add(c->resting, boxes, objects, count, items);
    for (uint32_t i = 0; i < count; ++i)
        c->items.items[objects[i]] = items[i];
}

// --- Seeing --------------------------------------------------------------------------------------

typedef struct cull_job {
    const ct_render_culling_query *query;
    const uint64_t *loose; // only blocks with one are looked at
} cull_job;

static void cull_range(const ct_render_culling_query *q, uint32_t begin, uint32_t end) {
    // A sphere of negative radius (no mesh, no place) is never seen.
    ct_frustum_cull_spheres(&q->frustum, q->spheres + begin, end - begin, q->visible + begin);
    // Copies: bytes that are written might be the query's, for all that the compiler knows.
    uint8_t *const visible = q->visible;
    const uint8_t *const flags = q->flags, unseen = q->unseen;
    for (uint32_t i = begin; i < end; ++i)
        visible[i] &= !(flags[i] & unseen);
}

static void cull_objects(void *data, uint32_t begin, uint32_t end) {
    CT_PROFILER_SCOPE("cull");
    const cull_job *const job = data;
    cull_range(job->query, begin, end);
}

static void cull_blocks(void *data, uint32_t begin, uint32_t end) {
    CT_PROFILER_SCOPE("cull loose");
    const cull_job *const job = data;
    for (uint32_t block = begin; block < end; ++block) {
        const uint32_t first = block * BLOCK, left = job->query->count - first;
        if (job->loose[block])
            cull_range(job->query, first, first + (left < BLOCK ? left : BLOCK));
    }
}

// Pieces that threads of unequal speed share evenly, and none too small to be worth it.
static uint32_t grain_of(uint32_t count, uint32_t least) {
    const uint32_t grain = count / CULL_PIECES;
    return grain > least ? grain : least;
}

static void run(ct_task_manager *tasks, void (*function)(void *data, uint32_t begin, uint32_t end),
                cull_job *job, uint32_t count, uint32_t least_grain) {
    const ct_task_priority priority =
        ct_task_priority_class(tasks, "render_cull", CT_TASK_PRIORITY_HIGH);
    ct_task_loop(tasks, &(ct_task_loop_desc){.run = function,
                                             .data = job,
                                             .count = count,
                                             .grain = grain_of(count, least_grain),
                                             .priority = priority});
}

static uint32_t count_loose_blocks(const ct_render_culling *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->loose.count; ++i)
        count += c->loose.items[i] != 0;
    return count;
}

// Marks what is seen of those that rest. False when they are more than `max`.
static bool see_resting(ct_render_culling *c, const ct_render_culling_query *q, uint32_t max) {
    CT_PROFILER_SCOPE("cull resting");
    ct_array_resize(&c->seen, max);
    const uint32_t count =
        ct_broadphase_overlap_frustum(c->resting, &q->frustum, c->seen.items, max);
    if (count > max)
        return false;
    memset(q->visible, 0, q->count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t object = c->seen.items[i];
        const float *const s = q->spheres[object];
        const ct_sphere sphere = {ct_vec3_make(s[0], s[1], s[2]), s[3]};
        q->visible[object] =
            ct_frustum_intersects_sphere(&q->frustum, sphere) && !(q->flags[object] & q->unseen);
    }
    return true;
}

bool ct_render_culling_see(ct_render_culling *c, ct_task_manager *tasks,
                           const ct_render_culling_query *query, uint32_t num_seen) {
    cull_job job = {.query = query, .loose = c->loose.items};
    const uint32_t max = query->count / MOST_SEEN_OF_TREE;
    if (ct_broadphase_count(c->resting) >= LEAST_RESTING && num_seen <= max) {
        const uint32_t num_loose = count_loose_blocks(c);
        if (num_loose <= c->loose.count / MOST_LOOSE_BLOCKS && see_resting(c, query, max)) {
            if (num_loose < LEAST_LOOSE_OF_TASKS)
                cull_blocks(&job, 0, c->loose.count);
            else
                run(tasks, cull_blocks, &job, c->loose.count, 1);
            return true;
        }
    }
    run(tasks, cull_objects, &job, query->count, LEAST_CULL_GRAIN);
    return false;
}

// Without a branch for each: which of many are seen is no pattern to foretell.
static uint32_t list_range(const uint8_t *visible, uint32_t begin, uint32_t end, uint32_t *seen,
                           uint32_t num_seen) {
    for (uint32_t i = begin; i < end; ++i) {
        seen[num_seen] = i;
        num_seen += visible[i];
    }
    return num_seen;
}

uint32_t ct_render_culling_list(const uint8_t *visible, uint32_t count, uint32_t *seen) {
    uint32_t num_seen = 0, i = 0;
    for (; count - i >= 8; i += 8) {
        uint64_t eight;
        memcpy(&eight, visible + i, sizeof(eight));
        if (eight == UINT64_C(0x0101010101010101)) {
            for (uint32_t k = 0; k < 8; ++k)
                seen[num_seen + k] = i + k;
            num_seen += 8;
        } else if (eight) {
            num_seen = list_range(visible, i, i + 8, seen, num_seen);
        }
    }
    return list_range(visible, i, count, seen, num_seen);
}
