#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "spatial/broadphase_private.h"

// Best-first search: walks the tree from the nearest nodes to farther ones, until no node ahead can
// be better than the worst hit found.

enum { LANES = CT_BROADPHASE_LANES, GROUPS = CT_BROADPHASE_GROUPS };

// What distances are measured from; keys of boxes grow with them and are those of the results: the
// squares of distances of a point, distances along a ray.
typedef struct probe {
    ct_ray ray; // of a point: its origin
    bool is_point;
    float most; // no key beyond is wanted
} probe;

typedef struct node_ahead {
    float key;
    uint32_t node, level;
} node_ahead;

// --- Keys ----------------------------------------------------------------------------------------

// As ct_ray_to_aabb: the same operations, so the same distances. Sets `is_met`.
static ct_column ray_keys(const ct_broadphase_group *g, const ct_ray *ray, ct_column_bits *is_met) {
    ct_column enter = ct_column_all(0), leave = ct_column_all(INFINITY);
    ct_column_bits met = ct_column_of(g->min[0]) <= ct_column_of(g->max[0]);
    for (uint32_t k = 0; k < 3; ++k) {
        const ct_column low = ct_column_of(g->min[k]), high = ct_column_of(g->max[k]);
        const ct_column from = ct_column_all(ray->origin.raw[k]);
        const float speed = ray->direction.raw[k];
        if (speed == 0) {
            met &= (from >= low) & (from <= high);
            continue;
        }
        const ct_column a = (low - from) / ct_column_all(speed);
        const ct_column b = (high - from) / ct_column_all(speed);
        enter = ct_column_max(enter, ct_column_min(a, b));
        leave = ct_column_min(leave, ct_column_max(a, b));
        met &= enter <= leave;
    }
    *is_met = met;
    return enter;
}

// The lanes whose keys are at most `p->most`; writes all keys.
static uint32_t lanes_within(const ct_broadphase_node *n, const probe *p, float keys[LANES]) {
    uint32_t lanes = 0;
    for (uint32_t g = 0; g < GROUPS; ++g) {
        const ct_broadphase_group *const group = &n->groups[g];
        ct_column_bits is_met = {-1, -1, -1, -1};
        const ct_column key = p->is_point ? ct_broadphase_group_distances(group, p->ray.origin)
                                          : ray_keys(group, &p->ray, &is_met);
        lanes |= ct_column_mask(is_met & (key <= ct_column_all(p->most))) << 4 * g;
        for (uint32_t i = 0; i < 4; ++i)
            keys[4 * g + i] = key[i];
    }
    return lanes;
}

// --- Results -------------------------------------------------------------------------------------

// The hits are a heap while they are found, the worst on top.
typedef struct heap {
    ct_broadphase_hit *hits;
    uint32_t count, max;
} heap;

static bool is_worse(ct_broadphase_hit a, ct_broadphase_hit b) {
    return a.distance > b.distance || (!(a.distance < b.distance) && a.value > b.value);
}

static void sift_down(heap *h, uint32_t at, ct_broadphase_hit hit) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && is_worse(h->hits[child + 1], h->hits[child]))
            ++child;
        if (!is_worse(h->hits[child], hit))
            break;
        h->hits[at] = h->hits[child];
        at = child;
    }
    h->hits[at] = hit;
}

static void sift_up(heap *h, uint32_t at, ct_broadphase_hit hit) {
    for (; at && is_worse(hit, h->hits[(at - 1) / 2]); at = (at - 1) / 2)
        h->hits[at] = h->hits[(at - 1) / 2];
    h->hits[at] = hit;
}

// Keeps a hit if it is among the best; narrows what is wanted once there are enough.
static void keep(heap *h, ct_broadphase_hit hit, probe *p) {
    if (h->count < h->max) {
        ++h->count;
        sift_up(h, h->count - 1, hit);
    } else if (is_worse(h->hits[0], hit)) {
        sift_down(h, 0, hit);
    }
    if (h->count == h->max)
        p->most = h->hits[0].distance;
}

static void sort_hits(heap *h) {
    const uint32_t count = h->count;
    while (h->count > 1) {
        const ct_broadphase_hit worst = h->hits[0];
        --h->count;
        sift_down(h, 0, h->hits[h->count]);
        h->hits[h->count] = worst;
    }
    h->count = count;
}

// --- The walk ------------------------------------------------------------------------------------

// Has the nodes of these lanes ahead, the nearest next.
static uint32_t push_nodes(const ct_broadphase_node *n, uint32_t lanes, const float keys[LANES],
                           uint32_t level, node_ahead *ahead, uint32_t num_ahead) {
    const uint32_t first = num_ahead;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint32_t at = num_ahead++;
        for (; at > first && ahead[at - 1].key < keys[lane]; --at)
            ahead[at] = ahead[at - 1];
        ahead[at] = (node_ahead){keys[lane], n->children[lane], level};
    }
    return num_ahead;
}

static uint32_t find_best(const ct_broadphase *b, probe p, ct_broadphase_hit *hits, uint32_t max) {
    heap found = {.hits = hits, .max = max};
    node_ahead ahead[CT_BROADPHASE_MAX_AHEAD];
    ahead[0] = (node_ahead){0, b->root, b->infos[b->root].level};
    uint32_t num_ahead = b->root != 0 && max != 0;
    while (num_ahead) {
        const node_ahead next = ahead[--num_ahead];
        if (next.key > p.most)
            continue;
        const ct_broadphase_node *const n = &b->nodes[next.node];
        float keys[LANES];
        uint32_t lanes = lanes_within(n, &p, keys);
        if (next.level) {
            num_ahead = push_nodes(n, lanes, keys, next.level - 1, ahead, num_ahead);
            continue;
        }
        for (; lanes; lanes &= lanes - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            keep(&found, (ct_broadphase_hit){keys[lane], n->values[lane]}, &p);
        }
    }
    sort_hits(&found);
    return found.count;
}

uint32_t ct_broadphase_nearest(const ct_broadphase *b, ct_vec3 point, float radius,
                               ct_broadphase_hit *hits, uint32_t max) {
    CT_ASSERT(ct_vec3_is_finite(point) && radius <= CT_BROADPHASE_REACH,
              "invalid query within %g m of (%g %g %g)", (double)radius, (double)point.x,
              (double)point.y, (double)point.z);
    if (radius < 0)
        return 0;
    const probe p = {.ray.origin = point, .is_point = true, .most = radius * radius};
    const uint32_t count = find_best(b, p, hits, max);
    for (uint32_t i = 0; i < count; ++i)
        hits[i].distance = sqrtf(hits[i].distance);
    return count;
}

uint32_t ct_broadphase_ray(const ct_broadphase *b, ct_ray ray, float length,
                           ct_broadphase_hit *hits, uint32_t max) {
    const ct_vec3 d = ray.direction;
    CT_ASSERT(ct_vec3_is_finite(ray.origin) && ct_vec3_is_finite(d) &&
                  (d.x != 0 || d.y != 0 || d.z != 0) && length <= CT_BROADPHASE_REACH,
              "invalid ray from (%g %g %g) along (%g %g %g), length %g", (double)ray.origin.x,
              (double)ray.origin.y, (double)ray.origin.z, (double)d.x, (double)d.y, (double)d.z,
              (double)length);
    if (length < 0)
        return 0;
    return find_best(b, (probe){.ray = ray, .most = length}, hits, max);
}
