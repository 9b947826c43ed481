// Lines that show shapes and contacts.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/actor/physics_world_private.h"

typedef void draw_line(void *user, ct_vec3 from, ct_vec3 to, const float color[4]);

typedef struct drawing {
    draw_line *line;
    void *user;
    const float *color;
    ct_vec3 center;
    float radius;
} drawing;

static const float white[4] = {1, 1, 1, 1}, grey[4] = {0.5f, 0.5f, 0.5f, 1},
                   green[4] = {0.2f, 0.8f, 0.2f, 1}, blue[4] = {0.3f, 0.5f, 1, 1},
                   yellow[4] = {1, 0.9f, 0.2f, 1}, red[4] = {1, 0.2f, 0.2f, 1};

static const float *color_of(const ct_physics_world *p, uint32_t slot) {
    if ((p->slots.items[slot].flags & CT_ACTOR_TRIGGER))
        return yellow;
    switch (p->extras.items[slot].data.body) {
    case CT_ACTOR_STATIC:
        return green;
    case CT_ACTOR_DYNAMIC:
        return ct_bullet_body_is_asleep(p->slots.items[slot].body) ? grey : white;
    default:
        return blue;
    }
}

// Large shapes, such as the mesh of a landscape, are drawn in part.
static void draw_edge(void *user, ct_vec3 from, ct_vec3 to) {
    const drawing *const d = user;
    const ct_vec3 way = ct_vec3_sub(to, from), start = ct_vec3_sub(d->center, from);
    const float squared = ct_vec3_dot(way, way);
    const float t = squared > 0 ? ct_vec3_dot(start, way) / squared : 0;
    const ct_vec3 nearest = ct_vec3_scale(way, fminf(fmaxf(t, 0), 1));
    if (ct_vec3_length(ct_vec3_sub(start, nearest)) <= d->radius)
        d->line(d->user, from, to, d->color);
}

// Returns whether a box is nearer than `radius`.
static bool is_near(ct_aabb box, ct_vec3 center, float radius) {
    float squared = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        const float beyond = fmaxf(box.min.raw[i] - center.raw[i], center.raw[i] - box.max.raw[i]);
        squared += beyond > 0 ? beyond * beyond : 0;
    }
    return squared <= radius * radius;
}

static void draw_shapes(ct_physics_world *p, drawing *d) {
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        if (!p->slots.items[slot].body ||
            !is_near(ct_bullet_body_bounds(p->slots.items[slot].body), d->center, d->radius))
            continue;
        d->color = color_of(p, slot);
        ct_bullet_body_draw(p->bullet, p->slots.items[slot].body, draw_edge, d);
    }
}

static void draw_touch(drawing *d, const ct_touch *t, const float *color) {
    d->color = color;
    draw_edge(d, t->position, ct_vec3_add(t->position, ct_vec3_scale(t->normal, 0.3f)));
}

// Pairs that rest are in the lists of both their actors.
static void draw_contacts(const ct_physics_world *p, drawing *d) {
    for (uint32_t i = 0; i < p->touching.count; ++i)
        draw_touch(d, &p->touching.items[i], red);
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        for (uint32_t i = p->slots.items[slot].first_sleeping; i != 0;) {
            const ct_sleeping_touch *const s = &p->sleeping.items[i];
            const uint32_t side = ct_actor_slot_of((ct_actor){s->touch.a}) == slot ? 0 : 1;
            if (side == 0)
                draw_touch(d, &s->touch, grey);
            i = s->next[side];
        }
    }
}

void ct_physics_world_draw(ct_physics_world *p, uint32_t flags, ct_vec3 center, float radius,
                           draw_line *line, void *user) {
    drawing d = {.line = line, .user = user, .center = center, .radius = radius};
    if (flags & CT_PHYSICS_DRAW_SHAPES)
        draw_shapes(p, &d);
    if (flags & CT_PHYSICS_DRAW_CONTACTS)
        draw_contacts(p, &d);
}
