// Rectangles, pictures and triangles.
#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "gui/gui_private.h"

// A rectangle is what most GUIs are made of: without pose and clip its vertices go straight to the
// stream.
static void write_rect(ct_batch_vertex *v, ct_vec2 min, ct_vec2 size, uint32_t color) {
    ct_gui_write_quad(v, _mm_setr_ps(min.x, min.y, min.x + size.x, min.y + size.y),
                      _mm_setr_ps(0.0f, 1.0f, 1.0f, 0.0f), color, 0);
}

ct_gui_object_id ct_gui_rect(ct_gui *g, const ct_gui_draw *draw, ct_vec2 min, ct_vec2 size) {
    const bool is_finite = (min.x + min.y + size.x + size.y) * 0.0f == 0.0f;
    if (!g->desc.is_immediate || draw->pose || g->num_clips || !is_finite) {
        ct_gui_begin_quads(g->system);
        write_rect(ct_gui_add_quads(g->system, 1), min, size, draw->color);
        return ct_gui_send_quads(g, draw, CT_GUI_KIND_RECT);
    }
    const ct_render_gui_key key = ct_gui_key_of(g, draw, CT_GUI_KIND_RECT);
    write_rect(ct_render_gui_append(g->system->renderer, &key, 1), min, size, draw->color);
    return (ct_gui_object_id){0};
}

// --- Pictures ------------------------------------------------------------------------------------

// Where the four lines across a nine-slice are, along one axis: positions, and fractions of the
// UVs from the lower or left side. Borders that do not fit shrink.
static void slice(float min, float size, float first, float last, float uv_first, float uv_last,
                  float positions[4], float fractions[4]) {
    const float total = first + last;
    const float fit = total > size && total > 0.0f ? fmaxf(size, 0.0f) / total : 1.0f;
    positions[0] = min;
    positions[1] = min + first * fit;
    positions[2] = min + size - last * fit;
    positions[3] = min + size;
    fractions[0] = 0.0f;
    fractions[1] = uv_first;
    fractions[2] = 1.0f - uv_last;
    fractions[3] = 1.0f;
}

static float mix(float a, float b, float t) {
    return a + (b - a) * t;
}

static void add_nine_slice(ct_gui_system *s, const ct_gui_bitmap_desc *desc, uint32_t color) {
    float x[4], y[4], u[4], v[4];
    const float *const b = desc->borders, *const t = desc->uv_borders;
    slice(desc->min.x, desc->size.x, b[0], b[2], t[0], t[2], x, u);
    slice(desc->min.y, desc->size.y, b[1], b[3], t[1], t[3], y, v);
    for (uint32_t i = 0; i < 4; ++i) {
        u[i] = mix(desc->uv_00.x, desc->uv_11.x, u[i]);
        v[i] = mix(desc->uv_11.y, desc->uv_00.y, v[i]);
    }
    for (uint32_t row = 0; row < 3; ++row)
        for (uint32_t column = 0; column < 3; ++column) {
            const float x0 = x[column], x1 = x[column + 1], y0 = y[row], y1 = y[row + 1];
            const float u0 = u[column], u1 = u[column + 1], v0 = v[row], v1 = v[row + 1];
            const ct_vec2 corners[4] = {{{x0, y0}}, {{x1, y0}}, {{x1, y1}}, {{x0, y1}}};
            const ct_vec2 uvs[4] = {{{u0, v0}}, {{u1, v0}}, {{u1, v1}}, {{u0, v1}}};
            ct_gui_add_quad(s, corners, uvs, color);
        }
}

static void rotate_quads(ct_gui_system *s, ct_vec2 center, float angle) {
    const float sine = sinf(angle), cosine = cosf(angle);
    for (uint32_t i = 0; i < s->quads.count; ++i) {
        float *const p = s->quads.items[i].position;
        const float x = p[0] - center.x, y = p[1] - center.y;
        p[0] = center.x + x * cosine - y * sine;
        p[1] = center.y + x * sine + y * cosine;
    }
}

ct_gui_object_id ct_gui_bitmap(ct_gui *g, const ct_gui_draw *draw, const ct_gui_bitmap_desc *desc) {
    ct_gui_system *const s = g->system;
    ct_gui_begin_quads(s);
    const float *const b = desc->borders;
    if (b[0] + b[1] + b[2] + b[3] > 0.0f) {
        add_nine_slice(s, desc, draw->color);
    } else {
        write_rect(ct_gui_add_quads(s, 1), desc->min, desc->size, draw->color);
        for (uint32_t i = 0; i < 4; ++i) {
            float *const uv = s->quads.items[i].uv;
            uv[0] = uv[0] > 0.0f ? desc->uv_11.x : desc->uv_00.x;
            uv[1] = uv[1] > 0.0f ? desc->uv_11.y : desc->uv_00.y;
        }
    }
    if (desc->rotation != 0.0f)
        rotate_quads(s, ct_vec2_make(desc->min.x + desc->pivot.x, desc->min.y + desc->pivot.y),
                     desc->rotation);
    return ct_gui_send_quads(g, draw, CT_GUI_KIND_BITMAP);
}

// --- Triangles -----------------------------------------------------------------------------------

ct_gui_object_id ct_gui_triangles(ct_gui *g, const ct_gui_draw *draw, ct_gui_kind kind,
                                  const ct_vec3 *points, const ct_vec2 *uvs, const uint32_t *colors,
                                  uint32_t num_points) {
    CT_ASSERT(num_points % 3 == 0 && num_points <= CT_GUI_MAX_POINTS,
              "triangles have 3 points each, found %u points", num_points);
    ct_gui_system *const s = g->system;
    ct_gui_begin_quads(s);
    for (uint32_t i = 0; i < num_points; i += 3) {
        ct_batch_vertex *const v = ct_gui_add_quads(s, 1);
        for (uint32_t k = 0; k < 4; ++k) {
            const uint32_t from = i + (k < 3 ? k : 2);
            v[k] = (ct_batch_vertex){.position = {points[from].x, points[from].y, points[from].z},
                                     .uv = {uvs ? uvs[from].x : 0.0f, uvs ? uvs[from].y : 0.0f},
                                     .color = colors ? colors[from] : draw->color};
        }
    }
    return ct_gui_send_quads(g, draw, kind);
}
