#include "spatial/volume.h"

#include <math.h>

#include "foundation/container/hash_map.h"
#include "foundation/math/math.h"

// --- Making --------------------------------------------------------------------------------------

static ct_volume placed(const ct_mat4 *pose, ct_volume_type type) {
    return (ct_volume){.pose = *pose, .inverse = ct_mat4_inverse_affine(pose), .type = type};
}

static void set_points(ct_volume *v, const ct_vec3 *points, uint32_t num_points,
                       const uint32_t *corners, uint32_t num_triangles) {
    v->points = points;
    v->num_points = num_points;
    v->corners = corners;
    v->num_triangles = num_triangles;
    v->local = ct_aabb_empty();
    for (uint32_t i = 0; i < num_points; ++i)
        v->local = ct_aabb_add_point(v->local, points[i]);
}

ct_volume ct_volume_box(const ct_mat4 *pose, ct_vec3 half) {
    ct_volume v = placed(pose, CT_VOLUME_BOX);
    v.local = (ct_aabb){ct_vec3_scale(half, -1), half};
    return v;
}

ct_volume ct_volume_ball(const ct_mat4 *pose, float radius) {
    ct_volume v = placed(pose, CT_VOLUME_BALL);
    v.local =
        (ct_aabb){ct_vec3_make(-radius, -radius, -radius), ct_vec3_make(radius, radius, radius)};
    return v;
}

ct_volume ct_volume_convex(const ct_mat4 *pose, const ct_vec4 *planes, uint32_t num_planes,
                           const ct_vec3 *points, uint32_t num_points, const uint32_t *corners,
                           uint32_t num_triangles) {
    ct_volume v = placed(pose, CT_VOLUME_CONVEX);
    v.planes = planes;
    v.num_planes = num_planes;
    set_points(&v, points, num_points, corners, num_triangles);
    return v;
}

ct_volume ct_volume_mesh(const ct_mat4 *pose, const ct_vec3 *points, uint32_t num_points,
                         const uint32_t *corners, uint32_t num_triangles) {
    ct_volume v = placed(pose, CT_VOLUME_MESH);
    set_points(&v, points, num_points, corners, num_triangles);
    return v;
}

// --- Closed surfaces -----------------------------------------------------------------------------

bool ct_volume_is_closed(const uint32_t *corners, uint32_t num_triangles, ct_allocator *a) {
    ct_hash_map edges; // from the lower corner to the higher; how many more go up than down
    ct_hash_map_init(&edges, a);
    uint32_t num_open = 0; // edges that do not even out
    for (uint32_t i = 0; i < 3 * num_triangles; ++i) {
        const uint32_t from = corners[i], to = corners[i % 3 == 2 ? i - 2 : i + 1];
        if (from == to)
            continue;
        const uint64_t key = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
        const uint64_t before = ct_hash_map_get(&edges, key, 0);
        const uint64_t after = from < to ? before + 1 : before - 1;
        num_open += (uint32_t)(after != 0) - (uint32_t)(before != 0);
        ct_hash_map_set(&edges, key, after);
    }
    ct_hash_map_free(&edges);
    return num_triangles > 0 && num_open == 0;
}

static uint64_t mix(uint64_t a, uint64_t b) {
    const uint64_t product = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return product ^ product >> 29;
}

// Of points at one place; -0 and 0 are one.
static uint64_t hash_of(ct_vec3 p) {
    uint64_t hash = 1;
    for (uint32_t k = 0; k < 3; ++k) {
        const union {
            float number;
            uint32_t bits;
        } part = {p.raw[k] + 0.0f};
        hash = mix(hash, part.bits);
    }
    return hash;
}

// The first point where point `i` is; enters `i` when it is the first.
static uint32_t first_at(ct_hash_map *places, const ct_vec3 *points, uint32_t i) {
    for (uint64_t key = hash_of(points[i]);; ++key) { // another place may have the same hash
        const uint64_t *const found = ct_hash_map_find(places, key);
        if (!found) {
            ct_hash_map_set(places, key, i);
            return i;
        }
        const ct_vec3 p = points[i], q = points[*found];
        if (p.x == q.x && p.y == q.y && p.z == q.z)
            return (uint32_t)*found;
    }
}

void ct_volume_join_points(const ct_vec3 *points, uint32_t num_points, uint32_t *corners,
                           uint32_t num_triangles, ct_allocator *a) {
    ct_hash_map places;
    ct_hash_map_init(&places, a);
    ct_hash_map_reserve(&places, num_points);
    uint32_t *const firsts = ct_alloc(a, sizeof(uint32_t) * ((uint64_t)num_points + 1));
    for (uint32_t i = 0; i < num_points; ++i)
        firsts[i] = first_at(&places, points, i);
    for (uint32_t i = 0; i < 3 * num_triangles; ++i)
        corners[i] = firsts[corners[i]];
    ct_free_sized(a, firsts, sizeof(uint32_t) * ((uint64_t)num_points + 1));
    ct_hash_map_free(&places);
}

// --- Inside --------------------------------------------------------------------------------------

static bool is_in_box(ct_aabb box, ct_vec3 p) {
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y &&
           p.z >= box.min.z && p.z <= box.max.z;
}

// 1 or -1 when the line from `p` in the direction of x crosses the edge seen from above, upwards or
// downwards in y. Both triangles of an edge get the same answer to the last bit, because it is
// computed from the lower end to the upper one.
static int crossing(ct_vec3 a, ct_vec3 b, ct_vec3 p) {
    const bool is_up = a.y <= p.y && b.y > p.y, is_down = b.y <= p.y && a.y > p.y;
    if (!is_up && !is_down)
        return 0;
    const ct_vec3 low = is_up ? a : b, high = is_up ? b : a;
    const double left = ((double)high.x - (double)low.x) * ((double)p.y - (double)low.y) -
                        ((double)p.x - (double)low.x) * ((double)high.y - (double)low.y);
    return left > 0 ? (is_up ? 1 : -1) : 0;
}

// The height of a triangle's plane at x, y of `p`, within the triangle's heights.
static double height_at(ct_vec3 a, ct_vec3 b, ct_vec3 c, ct_vec3 p) {
    const double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y;
    const double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y;
    const double px = (double)p.x - (double)a.x, py = (double)p.y - (double)a.y;
    const double area = ux * vy - uy * vx;
    const double s = (px * vy - py * vx) / area, t = (ux * py - uy * px) / area;
    const double z =
        (double)a.z + s * ((double)b.z - (double)a.z) + t * ((double)c.z - (double)a.z);
    const double least = (double)fminf(a.z, fminf(b.z, c.z));
    const double most = (double)fmaxf(a.z, fmaxf(b.z, c.z));
    return area != 0 ? fmin(fmax(z, least), most) : 0.5 * (least + most);
}

// Whether no edge of a triangle can be crossed: quicker than to look at each.
static bool is_beside(ct_vec3 a, ct_vec3 b, ct_vec3 c, ct_vec3 p) {
    const int num_above = (a.y > p.y) + (b.y > p.y) + (c.y > p.y);
    return num_above == 0 || num_above == 3 || (a.x <= p.x && b.x <= p.x && c.x <= p.x);
}

// How often the triangles wind around `p`: the sum of those above it, each by its turning direction
// seen from above (Jacobson et al. 2013 on winding numbers; the half-open edges are Sunday's, 2001).
static int winding(const ct_volume *v, ct_vec3 p) {
    int sum = 0;
    for (uint32_t i = 0; i < v->num_triangles; ++i) {
        const uint32_t *const corners = v->corners + 3ull * i;
        const ct_vec3 a = v->points[corners[0]], b = v->points[corners[1]],
                      c = v->points[corners[2]];
        if (is_beside(a, b, c, p))
            continue;
        const int turn = crossing(a, b, p) + crossing(b, c, p) + crossing(c, a, p);
        if (turn != 0 && height_at(a, b, c, p) > (double)p.z)
            sum += turn;
    }
    return sum;
}

static bool is_behind_planes(const ct_volume *v, ct_vec3 p) {
    for (uint32_t i = 0; i < v->num_planes; ++i) {
        const ct_vec4 plane = v->planes[i];
        if (!(plane.x * p.x + plane.y * p.y + plane.z * p.z <= plane.w))
            return false;
    }
    return true;
}

bool ct_volume_contains(const ct_volume *v, ct_vec3 point) {
    const ct_vec3 p = ct_mat4_transform_point(v->inverse, point);
    if (!is_in_box(v->local, p)) // nor is what is not finite
        return false;
    switch (v->type) {
    case CT_VOLUME_BOX:
        return true;
    case CT_VOLUME_BALL: {
        const ct_vec3 h = v->local.max, q = ct_vec3_make(p.x / h.x, p.y / h.y, p.z / h.z);
        return ct_vec3_dot(q, q) <= 1;
    }
    case CT_VOLUME_CONVEX:
        return is_behind_planes(v, p);
    case CT_VOLUME_MESH:
        return winding(v, p) != 0;
    }
    return false;
}

// The point of a triangle that is nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5).
static ct_vec3 nearest_on_triangle(ct_vec3 a, ct_vec3 b, ct_vec3 c, ct_vec3 p) {
    const ct_vec3 ab = ct_vec3_sub(b, a), ac = ct_vec3_sub(c, a);
    const ct_vec3 ap = ct_vec3_sub(p, a), bp = ct_vec3_sub(p, b), cp = ct_vec3_sub(p, c);
    const float d1 = ct_vec3_dot(ab, ap), d2 = ct_vec3_dot(ac, ap);
    const float d3 = ct_vec3_dot(ab, bp), d4 = ct_vec3_dot(ac, bp);
    const float d5 = ct_vec3_dot(ab, cp), d6 = ct_vec3_dot(ac, cp);
    const float va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0)
        return a;
    if (d3 >= 0 && d4 <= d3)
        return b;
    if (d6 >= 0 && d5 <= d6)
        return c;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return ct_vec3_add(a, ct_vec3_scale(ab, d1 / (d1 - d3)));
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return ct_vec3_add(a, ct_vec3_scale(ac, d2 / (d2 - d6)));
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return ct_vec3_add(b,
                           ct_vec3_scale(ct_vec3_sub(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6))));
    const float sum = va + vb + vc;
    return ct_vec3_add(a, ct_vec3_add(ct_vec3_scale(ab, vb / sum), ct_vec3_scale(ac, vc / sum)));
}

static float distance_to_triangles(const ct_volume *v, ct_vec3 point, float most) {
    float least = most;
    for (uint32_t i = 0; i < v->num_triangles; ++i) {
        const uint32_t *const corners = v->corners + 3ull * i;
        ct_vec3 p[3];
        for (uint32_t k = 0; k < 3; ++k)
            p[k] = ct_mat4_transform_point(v->pose, v->points[corners[k]]);
        const float distance =
            ct_vec3_length(ct_vec3_sub(point, nearest_on_triangle(p[0], p[1], p[2], point)));
        if (distance < least) // not NaN, of a triangle without area
            least = distance;
    }
    return least;
}

float ct_volume_distance(const ct_volume *v, ct_vec3 point, float most) {
    if (ct_volume_contains(v, point))
        return 0;
    const ct_vec3 p = ct_mat4_transform_point(v->inverse, point);
    ct_vec3 nearest = p;
    for (uint32_t k = 0; k < 3; ++k)
        nearest.raw[k] = fminf(fmaxf(p.raw[k], v->local.min.raw[k]), v->local.max.raw[k]);
    if (v->type == CT_VOLUME_BALL) {
        const ct_vec3 h = v->local.max, q = ct_vec3_make(p.x / h.x, p.y / h.y, p.z / h.z);
        nearest = ct_vec3_scale(p, 1 / ct_vec3_length(q));
    }
    const float distance =
        ct_vec3_length(ct_vec3_sub(point, ct_mat4_transform_point(v->pose, nearest)));
    if (!(distance < most)) // also without size
        return most;
    return v->num_triangles ? distance_to_triangles(v, point, most) : distance;
}

ct_aabb ct_volume_bounds(const ct_volume *v) {
    if (v->type == CT_VOLUME_BOX)
        return ct_aabb_transform(&v->pose, v->local);
    ct_aabb box = ct_aabb_empty();
    for (uint32_t i = 0; i < v->num_points; ++i)
        box = ct_aabb_add_point(box, ct_mat4_transform_point(v->pose, v->points[i]));
    if (v->type != CT_VOLUME_BALL)
        return box;
    for (uint32_t k = 0; k < 3; ++k) {
        const ct_vec3 row =
            ct_vec3_make(v->pose.col[0].raw[k], v->pose.col[1].raw[k], v->pose.col[2].raw[k]);
        const float reach = ct_vec3_length(ct_vec3_mul(row, v->local.max));
        box.min.raw[k] = v->pose.col[3].raw[k] - reach;
        box.max.raw[k] = v->pose.col[3].raw[k] + reach;
    }
    return box;
}

// --- Random points -------------------------------------------------------------------------------

static ct_vec3 random_in_box(ct_aabb box, ct_random *r) {
    ct_vec3 p;
    for (uint32_t k = 0; k < 3; ++k)
        p.raw[k] = ct_random_float_range(r, box.min.raw[k], box.max.raw[k]);
    return p;
}

static float volume_of(ct_vec3 a, ct_vec3 b, ct_vec3 c) {
    return fabsf(ct_vec3_dot(a, ct_vec3_cross(b, c)));
}

// The corners of a triangle, as seen from the first point.
static void corners_of(const ct_volume *v, uint32_t triangle, ct_vec3 out[3]) {
    for (uint32_t k = 0; k < 3; ++k)
        out[k] = ct_vec3_sub(v->points[v->corners[3ull * triangle + k]], v->points[0]);
}

// A point in one of the tetrahedra between the first point and the triangles, picked by their
// volumes.
static ct_vec3 random_in_hull(const ct_volume *v, ct_random *r) {
    float all = 0;
    ct_vec3 c[3] = {ct_vec3_make(0, 0, 0), ct_vec3_make(0, 0, 0), ct_vec3_make(0, 0, 0)};
    for (uint32_t i = 0; i < v->num_triangles; ++i) {
        corners_of(v, i, c);
        all += volume_of(c[0], c[1], c[2]);
    }
    float left = ct_random_float(r) * all;
    for (uint32_t i = 0; i < v->num_triangles && left >= 0; ++i) {
        corners_of(v, i, c);
        left -= volume_of(c[0], c[1], c[2]);
    }
    // Four sorted parts of 1, all equally likely.
    float t[3] = {ct_random_float(r), ct_random_float(r), ct_random_float(r)};
    const float low = fminf(t[0], fminf(t[1], t[2])), high = fmaxf(t[0], fmaxf(t[1], t[2]));
    const float middle = fmaxf(fminf(t[0], t[1]), fminf(fmaxf(t[0], t[1]), t[2]));
    ct_vec3 p = ct_vec3_add(v->points[0], ct_vec3_scale(c[0], low));
    p = ct_vec3_add(p, ct_vec3_scale(c[1], middle - low));
    return ct_vec3_add(p, ct_vec3_scale(c[2], high - middle));
}

bool ct_volume_random_point(const ct_volume *v, ct_random *r, ct_vec3 *point) {
    enum { MAX_TRIES = 65536 };
    if (!ct_mat4_is_finite(&v->inverse) || ct_aabb_is_empty(v->local) ||
        !ct_vec3_is_finite(ct_vec3_sub(v->local.max, v->local.min)))
        return false;
    for (uint32_t i = 0; i < MAX_TRIES; ++i) {
        const ct_vec3 local =
            v->type == CT_VOLUME_CONVEX ? random_in_hull(v, r) : random_in_box(v->local, r);
        const ct_vec3 p = ct_mat4_transform_point(v->pose, local);
        if (!ct_volume_contains(v, p)) // by a rounding, if not in the rest of the bounds
            continue;
        *point = p;
        return true;
    }
    return false;
}

// --- Lines ---------------------------------------------------------------------------------------

static void box_lines(const ct_volume *v, ct_volume_line line, void *user) {
    ct_vec3 corners[8];
    for (uint32_t i = 0; i < 8; ++i) {
        const ct_vec3 p = ct_vec3_make(i & 1 ? v->local.max.x : v->local.min.x,
                                       i & 2 ? v->local.max.y : v->local.min.y,
                                       i & 4 ? v->local.max.z : v->local.min.z);
        corners[i] = ct_mat4_transform_point(v->pose, p);
    }
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t bit = 1; bit < 8; bit <<= 1) {
            if (!(i & bit))
                line(user, corners[i], corners[i | bit]);
        }
    }
}

static void ball_lines(const ct_volume *v, ct_volume_line line, void *user) {
    enum { SEGMENTS = 24 };
    for (uint32_t axis = 0; axis < 3; ++axis) {
        ct_vec3 before = {{0, 0, 0}};
        for (uint32_t i = 0; i <= SEGMENTS; ++i) {
            const float angle = (float)i * (2 * 3.14159265f / SEGMENTS);
            ct_vec3 p = {{0, 0, 0}};
            p.raw[(axis + 1) % 3] = v->local.max.x * cosf(angle);
            p.raw[(axis + 2) % 3] = v->local.max.x * sinf(angle);
            p = ct_mat4_transform_point(v->pose, p);
            if (i > 0)
                line(user, before, p);
            before = p;
        }
    }
}

static ct_vec3 normal_of(const ct_volume *v, uint32_t triangle) {
    ct_vec3 c[3];
    corners_of(v, triangle, c);
    return ct_vec3_normalize(ct_vec3_cross(ct_vec3_sub(c[1], c[0]), ct_vec3_sub(c[2], c[0])));
}

// Whether the triangle on the other side of an edge lies in the same plane.
static bool is_inside_side(const ct_volume *v, uint32_t triangle, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < v->num_triangles; ++i) {
        const uint32_t *const c = v->corners + 3ull * i;
        for (uint32_t k = 0; k < 3; ++k) {
            if (c[k] == to && c[(k + 1) % 3] == from)
                return ct_vec3_dot(normal_of(v, i), normal_of(v, triangle)) > 0.99999f;
        }
    }
    return false;
}

// In a closed surface each edge occurs in both directions.
static void edge_lines(const ct_volume *v, ct_volume_line line, void *user) {
    for (uint32_t i = 0; i < 3 * v->num_triangles; ++i) {
        const uint32_t from = v->corners[i], to = v->corners[i % 3 == 2 ? i - 2 : i + 1];
        if (from >= to || (v->type == CT_VOLUME_CONVEX && is_inside_side(v, i / 3, from, to)))
            continue;
        line(user, ct_mat4_transform_point(v->pose, v->points[from]),
             ct_mat4_transform_point(v->pose, v->points[to]));
    }
}

void ct_volume_lines(const ct_volume *v, ct_volume_line line, void *user) {
    if (v->type == CT_VOLUME_BOX)
        box_lines(v, line, user);
    else if (v->type == CT_VOLUME_BALL)
        ball_lines(v, line, user);
    else
        edge_lines(v, line, user);
}
