// Lines of a world's physics, around its cameras.
//
// They are sent once in a frame, before the world is rendered first, around the cameras that
// rendered it last. A world whose physics is not drawn has no memory for it.
#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "world/world_private.h"

enum { MAX_VIEWS = 8, MAX_LINES = 50000 }; // the lines of a frame take 2.8 MB

struct ct_world_physics_drawing {
    uint32_t flags;
    float radius;
    ct_vec3 views[MAX_VIEWS]; // positions of cameras in `view_frame`
    uint32_t num_views;
    uint64_t view_frame, sent_frame;
    CT_ARRAY(ct_line_vertex) vertices; // of a frame
    uint32_t view;                     // that is being drawn
    uint64_t num_lines;                // wanted in a frame
    bool has_warned;                   // that they are too many
};

void ct_world_set_physics_draw(ct_world *w, uint32_t flags, float radius) {
    CT_ASSERT((flags & ~(uint32_t)CT_PHYSICS_DRAW_ALL) == 0, "drawing of physics: flags 0x%x",
              flags);
    CT_ASSERT(radius > 0, "drawing of physics up to %g metres", (double)radius);
    if (w->physics_drawing && flags == 0) {
        ct_array_free(&w->physics_drawing->vertices);
        ct_free_sized(w->allocator, w->physics_drawing, sizeof(*w->physics_drawing));
        w->physics_drawing = NULL;
    }
    if (flags == 0 || !ct_world_physics(w))
        return;
    if (!w->physics_drawing) {
        w->physics_drawing = CT_NEW(w->allocator, ct_world_physics_drawing);
        ct_array_init(&w->physics_drawing->vertices, w->allocator);
    }
    w->physics_drawing->flags = flags;
    w->physics_drawing->radius = radius;
    w->physics_drawing->has_warned = false;
}

void ct_world_system_set_physics_draw(ct_world_system *s, uint32_t flags, float radius) {
    s->physics_draw_flags = flags;
    s->physics_draw_radius = radius;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_world_set_physics_draw(s->worlds.items[i], flags, radius);
}

// Does what the render setting `physics_draw` says, when that changes: the console may say otherwise
// afterwards.
static void follow_setting(ct_world_system *s) {
    static const struct {
        const char *choice;
        uint32_t flags;
    } choices[] = {{"shapes", CT_PHYSICS_DRAW_SHAPES},
                   {"contacts", CT_PHYSICS_DRAW_CONTACTS},
                   {"movers", CT_PHYSICS_DRAW_MOVERS},
                   {"all", CT_PHYSICS_DRAW_ALL}};
    const ct_renderer_setting setting = ct_renderer_get_setting(s->renderer, "physics_draw");
    uint32_t flags = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(choices) && setting.choice; ++i)
        flags |= strcmp(setting.choice, choices[i].choice) == 0 ? choices[i].flags : 0;
    if (flags == s->physics_draw_setting)
        return;
    s->physics_draw_setting = flags;
    ct_world_system_set_physics_draw(s, flags, CT_WORLD_PHYSICS_DRAW_RADIUS);
}

void ct_world_add_physics_view(ct_world *w, ct_vec3 position) {
    follow_setting(w->system);
    ct_world_physics_drawing *const d = w->physics_drawing;
    if (!d)
        return;
    const uint64_t frame = ct_renderer_frame(w->system->renderer);
    if (d->view_frame != frame)
        d->num_views = 0;
    d->view_frame = frame;
    if (d->num_views < MAX_VIEWS)
        d->views[d->num_views++] = position;
}

// --- Lines ---------------------------------------------------------------------------------------

// Returns whether a line is nearer to a camera than the radius.
static bool is_near(const ct_world_physics_drawing *d, ct_vec3 view, ct_vec3 from, ct_vec3 to) {
    const ct_vec3 way = ct_vec3_sub(to, from), start = ct_vec3_sub(view, from);
    const float squared = ct_vec3_dot(way, way);
    const float t = squared > 0 ? ct_vec3_dot(start, way) / squared : 0;
    const ct_vec3 nearest = ct_vec3_scale(way, fminf(fmaxf(t, 0), 1));
    return ct_vec3_length(ct_vec3_sub(start, nearest)) <= d->radius;
}

// Lines that are near an earlier camera, too, were drawn with that one.
static void add_line(void *user, ct_vec3 from, ct_vec3 to, const float color[4]) {
    ct_world_physics_drawing *const d = user;
    for (uint32_t i = 0; i < d->view; ++i) {
        if (is_near(d, d->views[i], from, to))
            return;
    }
    if (++d->num_lines > MAX_LINES)
        return;
    const ct_line_vertex ends[] = {
        {{from.x, from.y, from.z}, {color[0], color[1], color[2], color[3]}},
        {{to.x, to.y, to.z}, {color[0], color[1], color[2], color[3]}}};
    ct_array_push_many(&d->vertices, ends, CT_COUNT_OF(ends));
}

static void add_mover_line(void *user, ct_vec3 from, ct_vec3 to) {
    static const float orange[4] = {1, 0.45f, 0.1f, 1};
    const ct_world_physics_drawing *const d = user;
    if (is_near(d, d->views[d->view], from, to))
        add_line(user, from, to, orange);
}

static void warn_when_too_many(ct_world_physics_drawing *d) {
    if (d->num_lines <= MAX_LINES || d->has_warned)
        return;
    d->has_warned = true;
    ct_log_warning("physics", "too_many_lines",
                   "physics has %llu lines within %g m of the cameras; only %u of them are drawn: "
                   "draw a smaller part, such as `physics draw shapes %g`",
                   (unsigned long long)d->num_lines, (double)d->radius, MAX_LINES,
                   (double)d->radius / 4);
}

// Runs in CT_WORLD_PHASE_SEND.
void ct_world_send_physics_lines(ct_world *w, void *movers, double dt) {
    ct_world_physics_drawing *const d = w->physics_drawing;
    if (!d || dt > 0) // the world is not being rendered yet
        return;
    const uint64_t frame = ct_renderer_frame(w->system->renderer);
    if (d->sent_frame == frame)
        return;
    d->sent_frame = frame;
    d->vertices.count = 0;
    d->num_lines = 0;
    for (d->view = 0; d->view < d->num_views; ++d->view) {
        const ct_vec3 center = d->views[d->view];
        ct_physics_world_draw(ct_world_physics(w), d->flags, center, d->radius, add_line, d);
        if (d->flags & CT_PHYSICS_DRAW_MOVERS)
            ct_mover_draw(movers, center, d->radius, add_mover_line, d);
    }
    ct_render_lines(w->system->renderer, w->render_world, d->vertices.items, d->vertices.count);
    warn_when_too_many(d);
}
