#include "foundation/error.h"
#include "foundation/math/math.h"
#include "spatial/broadphase_private.h"

enum {
    LANES = CT_BROADPHASE_LANES,
    GROUPS = CT_BROADPHASE_GROUPS,
    ALL_PLANES = 0x3f,
    LEVEL_SHIFT = 28, // of a node and its level in one number: fewer than 2^24 items, so nodes
};

// Walks go from the root down with a list of nodes ahead, the last one next.

static uint32_t with_level(uint32_t node, uint32_t level) {
    return node | level << LEVEL_SHIFT;
}

static uint32_t start_of(const ct_broadphase *b) {
    return with_level(b->root, b->infos[b->root].level);
}

static uint32_t node_in(uint32_t ahead) {
    return ahead & ((1u << LEVEL_SHIFT) - 1);
}

static uint32_t level_in(uint32_t ahead) {
    return ahead >> LEVEL_SHIFT;
}

// Where values go: counts on when they do not fit.
typedef struct output {
    uint32_t *values;
    uint32_t count, max;
} output;

static inline void put(output *o, uint32_t value) {
    if (o->count < o->max)
        o->values[o->count] = value;
    ++o->count;
}

// --- Boxes and spheres ---------------------------------------------------------------------------

static inline uint32_t lanes_meeting_box(const ct_broadphase_node *n, ct_aabb box) {
    uint32_t lanes = 0;
    for (uint32_t g = 0; g < GROUPS; ++g)
        lanes |= ct_broadphase_group_meets_box(&n->groups[g], box) << 4 * g;
    return lanes;
}

static inline uint32_t lanes_meeting_sphere(const ct_broadphase_node *n, ct_sphere sphere) {
    uint32_t lanes = 0;
    for (uint32_t g = 0; g < GROUPS; ++g)
        lanes |= ct_broadphase_group_meets_sphere(&n->groups[g], sphere) << 4 * g;
    return lanes;
}

// Writes the values of these lanes (in a leaf), or adds their nodes to those ahead.
static inline uint32_t visit(const ct_broadphase_node *n, uint32_t lanes, uint32_t level,
                             uint32_t *ahead, uint32_t num_ahead, output *o) {
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (level)
            ahead[num_ahead++] = with_level(n->children[lane], level - 1);
        else
            put(o, n->values[lane]);
    }
    return num_ahead;
}

static void overlap_box(const ct_broadphase *b, ct_aabb box, output *o) {
    uint32_t ahead[CT_BROADPHASE_MAX_AHEAD], num_ahead = b->root != 0;
    ahead[0] = start_of(b);
    while (num_ahead) {
        const uint32_t next = ahead[--num_ahead];
        const ct_broadphase_node *const n = &b->nodes[node_in(next)];
        num_ahead = visit(n, lanes_meeting_box(n, box), level_in(next), ahead, num_ahead, o);
    }
}

static void overlap_sphere(const ct_broadphase *b, ct_sphere sphere, output *o) {
    uint32_t ahead[CT_BROADPHASE_MAX_AHEAD], num_ahead = b->root != 0;
    ahead[0] = start_of(b);
    while (num_ahead) {
        const uint32_t next = ahead[--num_ahead];
        const ct_broadphase_node *const n = &b->nodes[node_in(next)];
        num_ahead = visit(n, lanes_meeting_sphere(n, sphere), level_in(next), ahead, num_ahead, o);
    }
}

static void check_sphere(ct_sphere sphere) {
    CT_ASSERT(ct_vec3_is_finite(sphere.center) && sphere.radius <= CT_BROADPHASE_REACH,
              "invalid sphere of radius %g at (%g %g %g)", (double)sphere.radius,
              (double)sphere.center.x, (double)sphere.center.y, (double)sphere.center.z);
}

static void check_no_nan(ct_aabb box) {
    const ct_vec3 sum = ct_vec3_add(box.min, box.max);
    CT_ASSERT(ct_vec3_is_finite(sum), "invalid box from (%g %g %g) to (%g %g %g)",
              (double)box.min.x, (double)box.min.y, (double)box.min.z, (double)box.max.x,
              (double)box.max.y, (double)box.max.z);
    (void)sum;
}

uint32_t ct_broadphase_overlap_boxes(const ct_broadphase *b, const ct_aabb *boxes, uint32_t count,
                                     uint32_t *values, uint32_t max, uint32_t *ends) {
    output o = {.values = values, .max = max};
    for (uint32_t i = 0; i < count; ++i) {
        check_no_nan(boxes[i]);
        if (!ct_aabb_is_empty(boxes[i]))
            overlap_box(b, boxes[i], &o);
        ends[i] = o.count;
    }
    return o.count;
}

uint32_t ct_broadphase_overlap_spheres(const ct_broadphase *b, const ct_sphere *spheres,
                                       uint32_t count, uint32_t *values, uint32_t max,
                                       uint32_t *ends) {
    output o = {.values = values, .max = max};
    for (uint32_t i = 0; i < count; ++i) {
        check_sphere(spheres[i]);
        if (spheres[i].radius >= 0)
            overlap_sphere(b, spheres[i], &o);
        ends[i] = o.count;
    }
    return o.count;
}

uint32_t ct_broadphase_overlap_box(const ct_broadphase *b, ct_aabb box, uint32_t *values,
                                   uint32_t max) {
    uint32_t end;
    return ct_broadphase_overlap_boxes(b, &box, 1, values, max, &end);
}

uint32_t ct_broadphase_overlap_sphere(const ct_broadphase *b, ct_sphere sphere, uint32_t *values,
                                      uint32_t max) {
    uint32_t end;
    return ct_broadphase_overlap_spheres(b, &sphere, 1, values, max, &end);
}

// --- Frusta --------------------------------------------------------------------------------------

// Lanes that are not outside of one of `planes` (a bit each); the planes that each of them is not
// wholly inside of are written to `crossed`.
static uint32_t lanes_seen(const ct_broadphase_node *n, const ct_frustum *f, uint32_t planes,
                           uint8_t crossed[LANES]) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < LANES; ++lane)
        crossed[lane] = 0;
    for (uint32_t g = 0; g < GROUPS; ++g) {
        const ct_broadphase_group *const group = &n->groups[g];
        uint32_t seen = ct_column_mask(ct_column_of(group->min[0]) <= ct_column_of(group->max[0]));
        for (uint32_t left = planes; left && seen; left &= left - 1) {
            const uint32_t plane = (uint32_t)__builtin_ctz(left);
            const ct_vec4 p = f->planes[plane];
            ct_column far = ct_column_all(0), near = far;
            for (uint32_t k = 0; k < 3; ++k) {
                const bool is_up = p.raw[k] >= 0;
                const ct_column normal = ct_column_all(p.raw[k]);
                far += normal * ct_column_of(is_up ? group->max[k] : group->min[k]);
                near += normal * ct_column_of(is_up ? group->min[k] : group->max[k]);
            }
            const ct_column w = ct_column_all(p.w), zero = ct_column_all(0);
            seen &= ~ct_column_mask(far + w < zero);
            for (uint32_t out = ct_column_mask(near + w < zero); out; out &= out - 1)
                crossed[4 * g + (uint32_t)__builtin_ctz(out)] |= (uint8_t)(1u << plane);
        }
        lanes |= seen << 4 * g;
    }
    return lanes;
}

static void put_all_under(const ct_broadphase *b, uint32_t start, output *o) {
    uint32_t ahead[CT_BROADPHASE_MAX_AHEAD], num_ahead = 1;
    ahead[0] = start;
    while (num_ahead) {
        const uint32_t next = ahead[--num_ahead], node = node_in(next);
        const uint32_t lanes = (1u << b->infos[node].count) - 1;
        num_ahead = visit(&b->nodes[node], lanes, level_in(next), ahead, num_ahead, o);
    }
}

uint32_t ct_broadphase_overlap_frustum(const ct_broadphase *b, const ct_frustum *frustum,
                                       uint32_t *values, uint32_t max) {
    output o = {.values = values, .max = max};
    uint32_t ahead[CT_BROADPHASE_MAX_AHEAD], num_ahead = b->root != 0;
    uint8_t planes_ahead[CT_BROADPHASE_MAX_AHEAD];
    ahead[0] = start_of(b);
    planes_ahead[0] = ALL_PLANES;
    while (num_ahead) {
        const uint32_t next = ahead[--num_ahead], level = level_in(next);
        const ct_broadphase_node *const n = &b->nodes[node_in(next)];
        uint8_t crossed[LANES];
        uint32_t lanes = lanes_seen(n, frustum, planes_ahead[num_ahead], crossed);
        for (; lanes; lanes &= lanes - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            if (!level) {
                put(&o, n->values[lane]);
            } else if (!crossed[lane]) {
                put_all_under(b, with_level(n->children[lane], level - 1), &o);
            } else {
                planes_ahead[num_ahead] = crossed[lane];
                ahead[num_ahead++] = with_level(n->children[lane], level - 1);
            }
        }
    }
    return o.count;
}
