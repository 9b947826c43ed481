#include "navigation/draw/navigation_draw.h"

#include <math.h>

#include "foundation/math/math.h"

enum { CIRCLE_SIDES = 12, ARCH_SIDES = 8 };

static const float lift = 0.05f; // metres above the mesh

typedef struct drawing {
    const ct_navigation_mesh *mesh;
    const ct_navigation_tile *tiles;
    uint32_t num_slots;
    ct_navigation_line line;
    void *user;
} drawing;

static drawing drawing_of(const ct_navigation_mesh *m, ct_navigation_line line, void *user) {
    drawing d = {.mesh = m, .line = line, .user = user};
    d.tiles = ct_navigation_tiles(m, &d.num_slots);
    return d;
}

static void add(const drawing *d, ct_vec3 from, ct_vec3 to, const float color[4]) {
    from.z += lift;
    to.z += lift;
    d->line(d->user, from, to, color);
}

// --- Colours -------------------------------------------------------------------------------------

// Colours far from each other for numbers in a row: hues by the golden ratio.
static void color_of(uint32_t number, float brightness, float color[4]) {
    const float hue = fmodf(0.55f + 0.61803399f * (float)number, 1) * 6;
    for (uint32_t k = 0; k < 3; ++k) {
        const float distance = fabsf(fmodf(hue + 6 - 2 * (float)k, 6) - 3) - 1;
        color[k] = brightness * (0.15f + 0.85f * fminf(fmaxf(distance, 0), 1));
    }
    color[3] = 1;
}

static bool is_closed(const drawing *d, uint32_t area) {
    return area < ct_navigation_mesh_resource(d->mesh)->areas.count &&
           ct_navigation_area_is_closed(d->mesh, area);
}

static void area_color(const drawing *d, uint32_t area, float brightness, float color[4]) {
    static const float closed[4] = {1, 0.05f, 0.05f, 1};
    color_of(area, brightness, color);
    for (uint32_t k = 0; k < 3 && is_closed(d, area); ++k)
        color[k] = closed[k] * brightness;
}

// --- The mesh ------------------------------------------------------------------------------------

static bool has_way(const ct_navigation_tile *t, const ct_navigation_face *face, uint32_t edge) {
    for (uint32_t i = 0; i < face->num_ways; ++i)
        if (t->ways[face->first_way + i].edge == edge)
            return true;
    return false;
}

static void draw_face(const drawing *d, const ct_navigation_tile *t, const ct_navigation_face *face,
                      const float wall[4], const float inner[4]) {
    for (uint32_t i = 0; i < face->num_edges; ++i) {
        const uint32_t next = i + 1 < face->num_edges ? i + 1 : 0;
        add(d, t->vertices[t->edges[face->first_edge + i]],
            t->vertices[t->edges[face->first_edge + next]], has_way(t, face, i) ? inner : wall);
    }
}

static void draw_faces(const drawing *d, const ct_navigation_tile *t, bool by_island) {
    for (uint32_t i = 0; i < t->num_faces; ++i) {
        const ct_navigation_face *const face = &t->faces[i];
        float wall[4], inner[4];
        if (by_island) {
            color_of(t->regions[face->region].island, 1, wall);
            color_of(t->regions[face->region].island, 0.35f, inner);
        } else {
            area_color(d, face->area, 1, wall);
            area_color(d, face->area, 0.35f, inner);
        }
        draw_face(d, t, face, wall, inner);
    }
}

static void draw_tile(const drawing *d, const ct_navigation_tile *t) {
    static const float white[4] = {0.8f, 0.8f, 0.8f, 1};
    const float size = ct_navigation_mesh_resource(d->mesh)->tile_size;
    const float x = (float)t->x * size, y = (float)t->y * size, z = t->resource->max_z;
    const ct_vec3 corners[4] = {ct_vec3_make(x, y, z), ct_vec3_make(x + size, y, z),
                                ct_vec3_make(x + size, y + size, z), ct_vec3_make(x, y + size, z)};
    for (uint32_t i = 0; i < 4; ++i)
        add(d, corners[i], corners[(i + 1) % 4], white);
}

// A post at each crossing, and lines between those of one region.
static void draw_crossings(const drawing *d, const ct_navigation_tile *t) {
    static const float post[4] = {1, 1, 1, 1}, between[4] = {0.5f, 0.35f, 0.8f, 1};
    for (uint32_t r = 0; r < t->num_regions; ++r) {
        const ct_navigation_region *const region = &t->regions[r];
        const ct_navigation_crossing *const all = t->crossings + region->first_crossing;
        for (uint32_t i = 0; i < region->num_crossings; ++i) {
            const float *const lengths =
                t->crossing_lengths + t->first_length[r] + (size_t)i * region->num_crossings;
            ct_vec3 top = all[i].middle;
            top.z += 0.5f;
            add(d, all[i].middle, top, post);
            for (uint32_t k = 0; k < i; ++k)
                if (isfinite(lengths[k]))
                    add(d, all[i].middle, all[k].middle, between);
        }
    }
}

// An arch, with an arrowhead where it may be ended.
static void draw_arch(const drawing *d, ct_vec3 from, ct_vec3 to, const float color[4]) {
    const float height = 0.25f * ct_vec3_length(ct_vec3_sub(to, from));
    ct_vec3 last = from;
    for (uint32_t i = 1; i <= ARCH_SIDES; ++i) {
        const float t = (float)i / ARCH_SIDES;
        ct_vec3 at = ct_vec3_add(from, ct_vec3_scale(ct_vec3_sub(to, from), t));
        at.z += height * 4 * t * (1 - t);
        add(d, last, at, color);
        last = at;
    }
}

static void draw_arrow(const drawing *d, ct_vec3 from, ct_vec3 to, const float color[4]) {
    const ct_vec3 way = ct_vec3_sub(to, from);
    const float length = hypotf(way.x, way.y), size = 0.3f;
    const float x = length > 0 ? way.x / length : 1, y = length > 0 ? way.y / length : 0;
    for (int side = -1; side <= 1; side += 2)
        add(d, to,
            ct_vec3_make(to.x - size * x + 0.5f * size * (float)side * y,
                         to.y - size * y - 0.5f * size * (float)side * x, to.z + 0.5f * size),
            color);
}

static void draw_links(const drawing *d) {
    static const float colors[3][4] = {
        {0.1f, 1, 0.4f, 1}, {1, 0.05f, 0.05f, 1}, {0.4f, 0.4f, 0.4f, 1}};
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(d->mesh);
    const ct_navigation_class *const classes = ct_blob_at(r, r->classes.offset);
    const uint32_t number = (uint32_t)(ct_navigation_mesh_class(d->mesh) - classes);
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    for (uint32_t i = 0; i < r->links.count; ++i) {
        const ct_navigation_link *const l = &links[i];
        if (!(l->classes >> number & 1))
            continue;
        const ct_vec3 from = ct_vec3_make(l->from[0], l->from[1], l->from[2]);
        const ct_vec3 to = ct_vec3_make(l->to[0], l->to[1], l->to[2]);
        ct_navigation_place places[2];
        const bool has_ends = ct_navigation_link_ends(d->mesh, i, &places[0], &places[1]);
        const bool is_shut = ct_navigation_link_is_closed(d->mesh, i) || is_closed(d, l->area);
        const float *const color = colors[!has_ends ? 2 : is_shut ? 1 : 0];
        draw_arch(d, from, to, color);
        draw_arrow(d, from, to, color);
        if (l->flags & CT_NAVIGATION_LINK_BOTH_WAYS)
            draw_arrow(d, to, from, color);
    }
}

// --- Obstacles -----------------------------------------------------------------------------------

// Fills `points` with the outline of an obstacle from above; returns how many there are.
static uint32_t outline(const ct_navigation_obstacle_desc *o, ct_vec2 points[CIRCLE_SIDES]) {
    _Static_assert((int)CIRCLE_SIDES >= (int)CT_NAVIGATION_MAX_OBSTACLE_POINTS, "all points fit");
    static const float signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    uint32_t count = 4;
    if (o->shape == CT_NAVIGATION_CYLINDER) {
        count = CIRCLE_SIDES;
        for (uint32_t i = 0; i < count; ++i) {
            const float angle = 2 * GLM_PIf * (float)i / CIRCLE_SIDES;
            points[i] = ct_vec2_make(o->half_size.x * cosf(angle), o->half_size.x * sinf(angle));
        }
        return count;
    }
    if (o->shape == CT_NAVIGATION_CONVEX)
        count = o->num_points;
    const float c = cosf(o->angle), s = sinf(o->angle);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec2 p =
            o->shape == CT_NAVIGATION_CONVEX
                ? o->points[i]
                : ct_vec2_make(o->half_size.x * signs[i][0], o->half_size.y * signs[i][1]);
        points[i] = ct_vec2_make(p.x * c - p.y * s, p.x * s + p.y * c);
    }
    return count;
}

static void draw_obstacle(const drawing *d, const ct_navigation_obstacle_desc *o) {
    ct_vec2 points[CIRCLE_SIDES];
    const uint32_t count = outline(o, points);
    const float bottom = o->position.z, top = o->position.z + o->height;
    float color[4] = {1, 0.45f, 0.1f, 1};
    if (o->area >= 0)
        area_color(d, (uint32_t)o->area, 1, color);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec2 a = points[i], b = points[(i + 1) % count];
        const float x = o->position.x, y = o->position.y;
        add(d, ct_vec3_make(x + a.x, y + a.y, bottom), ct_vec3_make(x + b.x, y + b.y, bottom),
            color);
        add(d, ct_vec3_make(x + a.x, y + a.y, top), ct_vec3_make(x + b.x, y + b.y, top), color);
        add(d, ct_vec3_make(x + a.x, y + a.y, bottom), ct_vec3_make(x + a.x, y + a.y, top), color);
    }
}

static void draw_obstacles(const drawing *d, ct_allocator *a) {
    const uint32_t count = ct_navigation_obstacles(d->mesh, NULL, 0);
    ct_navigation_obstacle *const all = CT_NEW_ARRAY(a, ct_navigation_obstacle, count + 1ull);
    ct_navigation_obstacles(d->mesh, all, count);
    for (uint32_t i = 0; i < count; ++i)
        draw_obstacle(d, ct_navigation_obstacle_of(d->mesh, all[i]));
    ct_free(a, all);
}

void ct_navigation_draw_mesh(const ct_navigation_mesh *m, uint32_t flags, ct_allocator *a,
                             ct_navigation_line line, void *user) {
    const drawing d = drawing_of(m, line, user);
    for (uint32_t i = 1; i < d.num_slots; ++i) {
        const ct_navigation_tile *const t = &d.tiles[i];
        if (!t->version)
            continue;
        if (flags & (CT_NAVIGATION_DRAW_POLYGONS | CT_NAVIGATION_DRAW_ISLANDS))
            draw_faces(&d, t, (flags & CT_NAVIGATION_DRAW_ISLANDS) != 0);
        if (flags & CT_NAVIGATION_DRAW_TILES)
            draw_tile(&d, t);
        if (flags & CT_NAVIGATION_DRAW_CROSSINGS)
            draw_crossings(&d, t);
    }
    if (flags & CT_NAVIGATION_DRAW_LINKS)
        draw_links(&d);
    if (flags & CT_NAVIGATION_DRAW_OBSTACLES)
        draw_obstacles(&d, a);
}

// --- Agents and paths ----------------------------------------------------------------------------

static const float state_colors[CT_NAVIGATION_AGENT_STATE_COUNT][4] = {
    [CT_NAVIGATION_IDLE] = {0.6f, 0.6f, 0.6f, 1},    [CT_NAVIGATION_SEARCHING] = {1, 1, 0.2f, 1},
    [CT_NAVIGATION_WALKING] = {0.2f, 0.9f, 0.3f, 1}, [CT_NAVIGATION_ON_LINK] = {0.2f, 0.6f, 1, 1},
    [CT_NAVIGATION_ARRIVED] = {0.9f, 0.9f, 0.9f, 1}, [CT_NAVIGATION_FAILED] = {1, 0.1f, 0.1f, 1},
    [CT_NAVIGATION_OFF] = {1, 0.2f, 1, 1},
};

static void draw_circle(const drawing *d, ct_vec3 center, float radius, const float color[4]) {
    ct_vec3 last = ct_vec3_make(center.x + radius, center.y, center.z);
    for (uint32_t i = 1; i <= CIRCLE_SIDES; ++i) {
        const float angle = 2 * GLM_PIf * (float)i / CIRCLE_SIDES;
        const ct_vec3 at = ct_vec3_make(center.x + radius * cosf(angle),
                                        center.y + radius * sinf(angle), center.z);
        add(d, last, at, color);
        last = at;
    }
}

static void draw_corners(const drawing *d, const ct_navigation_agents *agents,
                         ct_navigation_agent agent, ct_vec3 from) {
    static const float orange[4] = {1, 0.6f, 0.1f, 1};
    ct_vec3 corners[CT_NAVIGATION_MAX_AGENT_CORNERS];
    const uint32_t count =
        ct_navigation_agents_corners(agents, agent, corners, CT_NAVIGATION_MAX_AGENT_CORNERS);
    for (uint32_t k = 0; k < count; ++k) {
        add(d, from, corners[k], orange);
        from = corners[k];
    }
}

void ct_navigation_draw_agents(const ct_navigation_agents *agents, const ct_navigation_mesh *m,
                               uint32_t flags, ct_navigation_line line, void *user) {
    static const float green[4] = {0.1f, 1, 0.1f, 1}, yellow[4] = {0.9f, 0.9f, 0.1f, 1};
    const drawing d = drawing_of(m, line, user);
    const ct_navigation_agents_view v = ct_navigation_agents_all(agents);
    const float radius = ct_navigation_mesh_class(m)->radius;
    for (uint32_t i = 0; i < v.count; ++i) {
        const ct_vec3 at = v.positions[i];
        if (flags & CT_NAVIGATION_DRAW_AGENTS)
            draw_circle(&d, at, radius, state_colors[v.states[i]]);
        if (flags & CT_NAVIGATION_DRAW_PATHS)
            draw_corners(&d, agents, v.agents[i], at);
        if (flags & CT_NAVIGATION_DRAW_VELOCITIES) {
            add(&d, at, ct_vec3_add(at, v.wanted[i]), yellow);
            add(&d, at, ct_vec3_add(at, v.velocities[i]), green);
        }
    }
}

void ct_navigation_draw_path(const ct_navigation_mesh *m, const ct_navigation_place *polygons,
                             uint32_t num_polygons, const ct_navigation_corner *corners,
                             uint32_t num_corners, ct_navigation_line line, void *user) {
    static const float blue[4] = {0.1f, 0.4f, 1, 1}, orange[4] = {1, 0.6f, 0.1f, 1};
    const drawing d = drawing_of(m, line, user);
    for (uint32_t i = 0; i < num_polygons; ++i) {
        if (!ct_navigation_is_live(m, polygons[i]))
            continue;
        draw_face(&d, &d.tiles[ct_navigation_slot_of(polygons[i])],
                  ct_navigation_face_at(d.tiles, polygons[i]), blue, blue);
    }
    for (uint32_t i = 0; i + 1 < num_corners; ++i)
        add(&d, corners[i].position, corners[i + 1].position, orange);
}
