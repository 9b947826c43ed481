#include "dev/overlay/overlay_graph.h"

#include <math.h>

#include "foundation/math/math.h"

// Frames that wait for the display are a little longer than the budget now and then.
static const float GOOD_TO = 1.15f, SLOW_TO = 2.0f; // budgets

void ct_overlay_graph_take(ct_overlay_graph *g, const ct_frame_times *times,
                           double budget_seconds) {
    g->budget_ms = (float)(budget_seconds * 1e3);
    g->count = ct_frame_times_last(times, CT_OVERLAY_GRAPH_FRAMES, g->frame_ms, g->update_ms,
                                   g->submit_ms);
}

ct_overlay_graph_summary ct_overlay_graph_summarize(const ct_overlay_graph *g) {
    ct_overlay_graph_summary s = {0};
    for (uint32_t i = 0; i < g->count; ++i) {
        s.mean += g->frame_ms[i];
        s.update_mean += g->update_ms[i];
        s.submit_mean += g->submit_ms[i];
        s.worst = fmaxf(s.worst, g->frame_ms[i]);
    }
    if (g->count == 0)
        return s;
    s.last = g->frame_ms[g->count - 1];
    s.mean /= (float)g->count;
    s.update_mean /= (float)g->count;
    s.submit_mean /= (float)g->count;
    return s;
}

// Where triangles are written.
typedef struct bar_writer {
    ct_vec3 *points;
    uint32_t *colors;
    uint32_t count;
} bar_writer;

static void add_bar(bar_writer *w, float x, float y, float width, float height, uint32_t color) {
    const ct_vec3 corners[] = {ct_vec3_make(x, y, 0.0f), ct_vec3_make(x + width, y, 0.0f),
                               ct_vec3_make(x + width, y + height, 0.0f),
                               ct_vec3_make(x, y + height, 0.0f)};
    static const uint8_t order[] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < CT_COUNT_OF(order); ++i) {
        w->points[w->count] = corners[order[i]];
        w->colors[w->count++] = color;
    }
}

static uint32_t color_of(float frame_ms, float budget_ms) {
    if (frame_ms <= budget_ms * GOOD_TO)
        return CT_OVERLAY_GRAPH_GOOD;
    return frame_ms <= budget_ms * SLOW_TO ? CT_OVERLAY_GRAPH_SLOW : CT_OVERLAY_GRAPH_BAD;
}

uint32_t ct_overlay_graph_write(const ct_overlay_graph *g, ct_vec2 min, ct_vec2 size,
                                ct_vec3 *points, uint32_t *colors) {
    bar_writer w = {.points = points, .colors = colors};
    const float step = size.x / (float)CT_OVERLAY_GRAPH_FRAMES;
    const float unit = size.y / (CT_OVERLAY_GRAPH_TOP * g->budget_ms); // of a millisecond
    const float first = min.x + step * (float)(CT_OVERLAY_GRAPH_FRAMES - g->count);
    for (uint32_t i = 0; i < g->count; ++i) {
        const float x = first + step * (float)i;
        const float frame = fminf(g->frame_ms[i] * unit, size.y);
        const float update = fminf(g->update_ms[i] * unit, frame);
        add_bar(&w, x, min.y + update, step, frame - update,
                color_of(g->frame_ms[i], g->budget_ms));
        add_bar(&w, x, min.y, step, update, CT_OVERLAY_GRAPH_UPDATE);
    }
    add_bar(&w, min.x, min.y + g->budget_ms * unit, size.x, 1.0f, CT_OVERLAY_GRAPH_LINE);
    add_bar(&w, min.x, min.y + 2.0f * g->budget_ms * unit, size.x, 1.0f,
            CT_OVERLAY_GRAPH_FAINT_LINE);
    return w.count;
}
