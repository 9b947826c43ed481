// Quads on their way to the renderer: moved into place, cut at clip rectangles, sent.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "gui/gui_private.h"

enum { MAX_CORNERS = 20 }; // of a quad that was cut on four sides, if it was not convex

void ct_gui_begin_quads(ct_gui_system *s) {
    s->quads.count = 0;
}

ct_batch_vertex *ct_gui_add_quads(ct_gui_system *s, uint32_t count) {
    const uint64_t wanted = (uint64_t)s->quads.count + (uint64_t)count * 4;
    if (wanted > s->quads.capacity)
        ct_array_reserve(&s->quads, wanted);
    ct_batch_vertex *const added = s->quads.items + s->quads.count;
    s->quads.count = (uint32_t)wanted;
    return added;
}

void ct_gui_add_quad(ct_gui_system *s, const ct_vec2 corners[4], const ct_vec2 uvs[4],
                     uint32_t color) {
    ct_batch_vertex *const v = ct_gui_add_quads(s, 1);
    for (uint32_t i = 0; i < 4; ++i)
        v[i] = (ct_batch_vertex){.position = {corners[i].x, corners[i].y, 0.0f},
                                 .uv = {uvs[i].x, uvs[i].y},
                                 .color = color};
}

// --- Poses ---------------------------------------------------------------------------------------

// Points of an object are at (x, 0, y) of its own space, moved by the offset; a GUI's y is up.
static void move_quads(ct_gui_system *s, const ct_gui_draw *draw) {
    for (uint32_t i = 0; i < s->quads.count; ++i) {
        float *const p = s->quads.items[i].position;
        const ct_vec3 local =
            ct_vec3_make(p[0] + draw->offset.x, p[2] + draw->offset.y, p[1] + draw->offset.z);
        const ct_vec3 moved = ct_mat4_transform_point(*draw->pose, local);
        p[0] = moved.x;
        p[1] = moved.z;
        p[2] = moved.y;
    }
}

// --- Clipping ------------------------------------------------------------------------------------

static uint32_t mix_colors(uint32_t a, uint32_t b, float t) {
    uint32_t mixed = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        const float x = (float)(a >> shift & 255), y = (float)(b >> shift & 255);
        mixed |= (uint32_t)(x + (y - x) * t + 0.5f) << shift;
    }
    return mixed;
}

static ct_batch_vertex mix(const ct_batch_vertex *a, const ct_batch_vertex *b, float t) {
    ct_batch_vertex v = {.color =
                             a->color == b->color ? a->color : mix_colors(a->color, b->color, t),
                         .effect = a->effect};
    for (uint32_t i = 0; i < 3; ++i)
        v.position[i] = a->position[i] + (b->position[i] - a->position[i]) * t;
    for (uint32_t i = 0; i < 2; ++i)
        v.uv[i] = a->uv[i] + (b->uv[i] - a->uv[i]) * t;
    return v;
}

// Cuts a polygon at one side of the box (Sutherland and Hodgman): keeps what has
// sign * (position[axis] - limit) <= 0. Returns the number of corners that are left.
static uint32_t cut(const ct_batch_vertex *in, uint32_t count, ct_batch_vertex *out, uint32_t axis,
                    float sign, float limit) {
    uint32_t num_out = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_batch_vertex *const a = &in[i], *const b = &in[(i + 1) % count];
        const float x = sign * (a->position[axis] - limit);
        const float y = sign * (b->position[axis] - limit);
        if (x <= 0.0f)
            out[num_out++] = *a;
        if ((x < 0.0f && y > 0.0f) || (x > 0.0f && y < 0.0f))
            out[num_out++] = mix(a, b, x / (x - y));
    }
    return num_out;
}

static bool is_inside(const ct_batch_vertex *quad, const ct_gui_box *box) {
    for (uint32_t i = 0; i < 4; ++i) {
        const float *const p = quad[i].position;
        if (!(p[0] >= box->min[0] && p[0] <= box->max[0] && p[1] >= box->min[1] &&
              p[1] <= box->max[1]))
            return false;
    }
    return true;
}

// Adds what is inside of the box of one quad, which must be convex.
static void clip_quad(ct_gui_system *s, const ct_batch_vertex *quad, const ct_gui_box *box) {
    ct_batch_vertex a[MAX_CORNERS], b[MAX_CORNERS];
    uint32_t count = cut(quad, 4, a, 0, -1.0f, box->min[0]);
    count = cut(a, count, b, 0, 1.0f, box->max[0]);
    count = cut(b, count, a, 1, -1.0f, box->min[1]);
    count = cut(a, count, b, 1, 1.0f, box->max[1]);
    for (uint32_t i = 1; i + 1 < count; i += 2) {
        const uint32_t last = i + 2 < count ? i + 2 : i + 1;
        const ct_batch_vertex piece[4] = {b[0], b[i], b[i + 1], b[last]};
        ct_array_push_many(&s->clipped, piece, 4);
    }
}

// Cuts the scratch quads. Returns them, in one of the two arrays.
static const ct_batch_vertex *clip_quads(ct_gui_system *s, const ct_gui_box *box,
                                         uint32_t *num_vertices) {
    uint32_t i = 0;
    while (i < s->quads.count && is_inside(&s->quads.items[i], box))
        i += 4;
    *num_vertices = s->quads.count;
    if (i == s->quads.count)
        return s->quads.items;
    s->clipped.count = 0;
    const bool is_empty = !(box->max[0] > box->min[0] && box->max[1] > box->min[1]);
    for (i = 0; i < s->quads.count && !is_empty; i += 4) {
        if (is_inside(&s->quads.items[i], box))
            ct_array_push_many(&s->clipped, &s->quads.items[i], 4);
        else
            clip_quad(s, &s->quads.items[i], box);
    }
    *num_vertices = s->clipped.count;
    return s->clipped.items;
}

// --- Sending -------------------------------------------------------------------------------------

static bool are_finite(const ct_batch_vertex *vertices, uint32_t count) {
    float sum = 0.0f; // of zeros, unless some position is not finite
    for (uint32_t i = 0; i < count; ++i)
        sum += (vertices[i].position[0] + vertices[i].position[1] + vertices[i].position[2]) * 0.0f;
    return sum == 0.0f;
}

ct_gui_object_id ct_gui_send_quads(ct_gui *g, const ct_gui_draw *draw, ct_gui_kind kind) {
    ct_gui_system *const s = g->system;
    uint32_t count = s->quads.count;
    const ct_batch_vertex *vertices = s->quads.items;
    if (draw->pose)
        move_quads(s, draw);
    else if (g->num_clips)
        vertices = clip_quads(s, &g->clips[g->num_clips - 1], &count);
    if (!are_finite(vertices, count))
        count = 0;
    const ct_render_gui_key key = ct_gui_key_of(g, draw, kind);
    if (g->desc.is_immediate) {
        if (count)
            memcpy(ct_render_gui_append(s->renderer, &key, count / 4), vertices,
                   sizeof(*vertices) * count);
        return (ct_gui_object_id){0};
    }
    const uint32_t slot = ct_gui_slot_for(g, draw, kind);
    if (!slot)
        return (ct_gui_object_id){0};
    ct_batch_vertex *const target = ct_render_gui_set_object(s->renderer, &key, slot, count / 4);
    if (count)
        memcpy(target, vertices, sizeof(*vertices) * count);
    return ct_gui_id_of(g, slot);
}
