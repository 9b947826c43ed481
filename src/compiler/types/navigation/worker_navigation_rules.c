// Links that rules find. From points along the edges of the mesh that lead nowhere, ground is looked for
// straight ahead: below for drops, at about the same height for jumps; and the way there must be free.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/navigation/worker_navigation_heights.h"
#include "compiler/types/navigation/worker_navigation_near.h"
#include "foundation/error.h"
#include "foundation/math/math_shapes.h"

typedef struct finder {
    ct_worker_navigation *n;
    ct_worker_navigation_near near;
    ct_broadphase *shapes; // boxes of the level's triangles; values are their numbers
    ct_u32_array hits;
    const ct_worker_navigation_rule *rule;
    const ct_worker_navigation_class *class;
    uint32_t class_number;
    uint32_t first_link; // of this rule and class
    ct_hash_map cells;   // of a coarse grid: 1 + the link that starts there last
    ct_u32_array next;   // of each link of this rule and class: as in `cells`
    bool is_full;
} finder;

// --- Free ways -----------------------------------------------------------------------------------

static ct_broadphase *sort_shapes(ct_worker_navigation *n) {
    ct_allocator *const a = n->compile->allocator;
    const uint32_t count = n->triangles.count;
    ct_aabb *const boxes = CT_NEW_ARRAY(a, ct_aabb, count + 1ull);
    uint32_t *const values = CT_NEW_ARRAY(a, uint32_t, count + 1ull);
    for (uint32_t i = 0; i < count; ++i) {
        boxes[i] = ct_aabb_empty();
        for (uint32_t k = 0; k < 3; ++k) {
            const float *const at = n->triangles.items[i].at[k];
            boxes[i] = ct_aabb_add_point(boxes[i], ct_vec3_make(at[0], at[1], at[2]));
        }
        values[i] = i;
    }
    ct_broadphase *const shapes =
        ct_broadphase_create(a, &(ct_broadphase_desc){.num_items = count + 1});
    if (count > 0)
        ct_broadphase_add(shapes, boxes, values, count, NULL);
    return shapes;
}

// Whether a segment meets a triangle, from either side (Möller and Trumbore 1997).
static bool meets(const ct_worker_navigation_triangle *t, ct_vec3 from, ct_vec3 way) {
    const ct_vec3 a = ct_vec3_make(t->at[0][0], t->at[0][1], t->at[0][2]);
    const ct_vec3 u = ct_vec3_sub(ct_vec3_make(t->at[1][0], t->at[1][1], t->at[1][2]), a);
    const ct_vec3 v = ct_vec3_sub(ct_vec3_make(t->at[2][0], t->at[2][1], t->at[2][2]), a);
    const ct_vec3 p = ct_vec3_cross(way, v), s = ct_vec3_sub(from, a), q = ct_vec3_cross(s, u);
    const float determinant = ct_vec3_dot(u, p);
    if (determinant == 0)
        return false;
    const float x = ct_vec3_dot(s, p) / determinant, y = ct_vec3_dot(way, q) / determinant;
    const float along = ct_vec3_dot(v, q) / determinant;
    return x >= 0 && y >= 0 && x + y <= 1 && along >= 0 && along <= 1;
}

// Whether a segment meets a height field.
static bool meets_heights(const ct_worker_navigation_piece *p, ct_aabb box, ct_vec3 from,
                          ct_vec3 way) {
    const ct_worker_navigation_cells cells = ct_worker_navigation_cells_in(p, box);
    for (uint32_t row = cells.least[1]; row < cells.most[1]; ++row) {
        for (uint32_t column = cells.least[0]; column < cells.most[0]; ++column) {
            ct_worker_navigation_triangle triangles[2];
            ct_worker_navigation_cell(p, column, row, triangles);
            if (meets(&triangles[0], from, way) || meets(&triangles[1], from, way))
                return true;
        }
    }
    return false;
}

// Whether a segment goes from one side of a plane to the other.
static bool meets_plane(const ct_worker_navigation_piece *p, ct_vec3 from, ct_vec3 to) {
    const ct_vec3 at = ct_mat4_position(p->pose);
    const ct_vec3 up = ct_mat4_transform_direction(p->pose, ct_vec3_make(0, 0, 1));
    const float first = ct_vec3_dot(ct_vec3_sub(from, at), up);
    const float last = ct_vec3_dot(ct_vec3_sub(to, at), up);
    return (first < 0) != (last < 0);
}

// Planes and height fields are few, so all are looked at.
static bool meets_large(const ct_worker_navigation *n, ct_aabb box, ct_vec3 from, ct_vec3 to) {
    for (uint32_t i = 0; i < n->pieces.count; ++i) {
        const ct_worker_navigation_piece *const p = &n->pieces.items[i];
        if (p->kind == CT_WORKER_NAVIGATION_PLANE && meets_plane(p, from, to))
            return true;
        if (p->kind == CT_WORKER_NAVIGATION_HEIGHTS && ct_aabb_intersects_aabb(p->bounds, box) &&
            meets_heights(p, box, from, ct_vec3_sub(to, from)))
            return true;
    }
    return false;
}

static bool is_free(finder *f, ct_vec3 from, ct_vec3 to) {
    enum { FEW = 256 };
    const ct_aabb box = ct_aabb_add_point(ct_aabb_add_point(ct_aabb_empty(), from), to);
    const ct_vec3 way = ct_vec3_sub(to, from);
    ct_array_resize(&f->hits, f->hits.capacity > FEW ? f->hits.capacity : FEW);
    const uint32_t count = ct_broadphase_overlap_box(f->shapes, box, f->hits.items, f->hits.count);
    if (count > f->hits.count) {
        ct_array_resize(&f->hits, count);
        ct_broadphase_overlap_box(f->shapes, box, f->hits.items, count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (meets(&f->n->triangles.items[f->hits.items[i]], from, way))
            return false;
    }
    return !meets_large(f->n, box, from, to);
}

static ct_vec3 raised(ct_vec3 p, float height) {
    return ct_vec3_make(p.x, p.y, p.z + height);
}

// Feet, middle and head go over to the place above or below the end, then down or up to it.
static bool is_way_free(finder *f, ct_vec3 from, ct_vec3 to) {
    const ct_navigation_class_source *const c = &f->class->source;
    const float feet = fminf(c->climb + f->n->source.cell_height, 0.5f * c->height);
    const float heights[3] = {feet, 0.5f * (feet + 0.95f * c->height), 0.95f * c->height};
    const float top = fmaxf(from.z, to.z);
    const ct_vec3 over_from = ct_vec3_make(from.x, from.y, top);
    const ct_vec3 over_to = ct_vec3_make(to.x, to.y, top);
    for (uint32_t i = 0; i < 3; ++i) {
        if (!is_free(f, raised(over_from, heights[i]), raised(over_to, heights[i])))
            return false;
    }
    return is_free(f, raised(from, feet), raised(over_from, heights[2])) &&
           is_free(f, raised(over_to, heights[2]), raised(to, feet));
}

// --- Links ---------------------------------------------------------------------------------------

static uint64_t cell_key(const finder *f, const float at[3], int dx, int dy) {
    const float size = f->rule->source.spacing;
    const int32_t x = (int32_t)floorf(at[0] / size) + dx, y = (int32_t)floorf(at[1] / size) + dy;
    return (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
}

// Whether a link of the same rule starts nearer than three quarters of the spacing.
static bool has_neighbour(const finder *f, const float at[3]) {
    const float least = 0.75f * f->rule->source.spacing;
    for (int i = 0; i < 9; ++i) {
        uint64_t link = ct_hash_map_get(&f->cells, cell_key(f, at, i % 3 - 1, i / 3 - 1), 0);
        for (; link > 0; link = f->next.items[link - 1]) {
            const float *const other = f->n->links.items[f->first_link + link - 1].data.from;
            const float x = other[0] - at[0], y = other[1] - at[1], z = other[2] - at[2];
            if (x * x + y * y + z * z < least * least)
                return true;
        }
    }
    return false;
}

// The id is of the rule, the class and the place, so it stays when other parts of the level change.
static ct_string_id32 id_of(const finder *f, ct_vec3 from) {
    char text[256];
    snprintf(text, sizeof(text), "%.128s %.64s %.2f %.2f %.2f", f->rule->id, f->class->id,
             (double)from.x, (double)from.y, (double)from.z);
    return ct_string_id32_of(text);
}

static void add_link(finder *f, ct_vec3 from, ct_vec3 to) {
    ct_worker_navigation *const n = f->n;
    const ct_navigation_rule_source *const s = &f->rule->source;
    const ct_worker_navigation_link link = {
        .kind = s->kind,
        .data = {.id = id_of(f, from),
                 .kind = ct_string_id32_of(s->kind),
                 .from = {from.x, from.y, from.z},
                 .to = {to.x, to.y, to.z},
                 .radius = fmaxf(0.1f, 2 * n->source.cell_size),
                 .cost = s->cost,
                 .area = f->rule->area,
                 .classes = 1u << f->class_number,
                 .flags =
                     CT_NAVIGATION_LINK_FOUND |
                     (s->type == CT_NAVIGATION_RULE_JUMP ? CT_NAVIGATION_LINK_BOTH_WAYS : 0u)}};
    if (n->links.count == CT_NAVIGATION_MAX_LINKS) {
        f->is_full = true;
        return;
    }
    const uint64_t key = cell_key(f, link.data.from, 0, 0);
    ct_array_push(&n->links, link);
    ct_array_push(&f->next, (uint32_t)ct_hash_map_get(&f->cells, key, 0));
    ct_hash_map_set(&f->cells, key, f->next.count);
}

// Of a jump, the other way is the same link.
static bool is_known_back(const finder *f, ct_vec3 to) {
    const float at[3] = {to.x, to.y, to.z};
    return f->rule->source.type == CT_NAVIGATION_RULE_JUMP && has_neighbour(f, at);
}

// Looks for ground from a point on an edge, straight ahead.
static void look_ahead(finder *f, ct_vec3 from, float dx, float dy) {
    const ct_navigation_rule_source *const s = &f->rule->source;
    const bool is_drop = s->type == CT_NAVIGATION_RULE_DROP;
    const float climb = f->class->source.climb, step = f->n->source.cell_size;
    const float at[3] = {from.x, from.y, from.z};
    if (has_neighbour(f, at))
        return;
    for (float d = 2 * step; d <= s->distance; d += step) {
        ct_vec3 to = ct_vec3_make(from.x + dx * d, from.y + dy * d, from.z);
        const float least = from.z - s->height,
                    most = is_drop ? from.z - climb : from.z + s->height;
        if (!ct_worker_navigation_ground(&f->near, to.x, to.y, least, most, &to.z))
            continue;
        if (is_way_free(f, from, to) && !is_known_back(f, to))
            add_link(f, from, to);
        return;
    }
}

static void look_along(finder *f, const float *a, const float *b) {
    const float x = b[0] - a[0], y = b[1] - a[1], length = hypotf(x, y);
    const float spacing = f->rule->source.spacing;
    if (length < f->n->source.cell_size)
        return;
    const uint32_t count = (uint32_t)fmaxf(ceilf(length / spacing), 1);
    for (uint32_t i = 0; i < count && !f->is_full; ++i) {
        const float t = ((float)i + 0.5f) / (float)count;
        const ct_vec3 from = ct_vec3_make(a[0] + t * x, a[1] + t * y, a[2] + t * (b[2] - a[2]));
        look_ahead(f, from, y / length, -x / length);
    }
}

static void look_from_tile(finder *f, const ct_worker_navigation_tile *tile) {
    for (uint32_t i = 0; i < tile->polygons.count; ++i) {
        const ct_navigation_polygon *const p = &tile->polygons.items[i];
        const ct_navigation_edge *const edges = tile->edges.items + p->first_edge;
        for (uint32_t k = 0; k < p->num_edges; ++k) {
            if (edges[k].leads_to == CT_NAVIGATION_EDGE_WALL)
                look_along(f, tile->vertices.items[edges[k].vertex].at,
                           tile->vertices.items[edges[(k + 1) % p->num_edges].vertex].at);
        }
    }
}

static bool find_for(finder *f, const ct_worker_navigation_rule *rule, uint32_t class) {
    ct_worker_navigation *const n = f->n;
    ct_compile *const c = n->compile;
    f->rule = rule;
    f->class = &n->classes.items[class];
    f->class_number = class;
    f->first_link = n->links.count;
    f->next.count = 0;
    ct_hash_map_clear(&f->cells);
    for (uint32_t i = 0; i < n->tiles[class].count && !f->is_full; ++i)
        look_from_tile(f, &n->tiles[class].items[i]);
    return !f->is_full ||
           ct_compile_error(c, c->doc, rule->at,
                            "with the links that this rule finds there are more than %d; raise "
                            "`spacing`",
                            CT_NAVIGATION_MAX_LINKS);
}

bool ct_worker_navigation_find_links(ct_worker_navigation *n) {
    finder f = {.n = n, .cells.allocator = n->compile->allocator};
    ct_array_init(&f.hits, n->compile->allocator);
    ct_array_init(&f.next, n->compile->allocator);
    if (n->rules.count == 0)
        return true;
    f.shapes = sort_shapes(n);
    for (uint32_t i = 0; i < n->classes.count; ++i) {
        ct_worker_navigation_near_init(&f.near, n, i);
        for (uint32_t k = 0; k < n->rules.count; ++k) {
            if ((n->rules.items[k].classes >> i & 1) && !find_for(&f, &n->rules.items[k], i))
                return false;
        }
    }
    return true;
}
