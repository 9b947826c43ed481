#include "dev/overlay/overlay_paint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/math/math.h"

enum { LAYER_PANEL, LAYER_BAR, LAYER_TEXT };

// Bytes: red in the lowest, green, blue, alpha.
static const uint32_t panel_color = 0xf8140e0a, edge_color = 0x38ffffff, focus_color = 0xffe6b464;
static const uint32_t title_color = 0xffe6b464, label_color = 0xffb0a498, value_color = 0xfff5f0eb;
static const uint32_t bar_color = 0x58c88c3c, graph_color = 0xa0000000, shadow_color = 0xff000000;
static const uint32_t level_colors[] = {
    [CT_LOG_LEVEL_NONE] = 0xffd6cec8,  [CT_LOG_LEVEL_DEBUG] = 0xff988c80,
    [CT_LOG_LEVEL_INFO] = 0xffd6cec8,  [CT_LOG_LEVEL_WARNING] = 0xff5ac3f5,
    [CT_LOG_LEVEL_ERROR] = 0xff7878ff,
};

static const uint32_t stop_color = 0xff20140e, stop_edge_color = 0xff2a8cf0;

static const float TEXT_SIZE = 14.0f, RADIUS = 6.0f;
static const float STOP_HEIGHT = 34.0f, STOP_EDGE = 3.0f;
static const float BASELINE = 13.0f; // of a row's text, from the row's top
static const float CARET_WIDTH = 1.5f;

// --- Parts ---------------------------------------------------------------------------------------

// A GUI with the layout's space.
typedef struct painter {
    ct_gui *gui;
    float height; // of the picture
} painter;

static painter painter_of(ct_gui *g, const ct_overlay_layout *layout) {
    return (painter){g, layout->height};
}

// The lower left corner of a rectangle in the GUI.
static ct_vec2 corner_of(const painter *p, const ct_overlay_rect *r) {
    return ct_vec2_make(r->x, p->height - r->y - r->height);
}

static void paint_rect(const painter *p, const ct_overlay_rect *r, int32_t layer, uint32_t color) {
    const ct_gui_draw draw = {.layer = layer, .color = color};
    ct_gui_rect(p->gui, &draw, corner_of(p, r), ct_vec2_make(r->width, r->height));
}

static void paint_panel(const painter *p, const ct_overlay_rect *r, uint32_t border_color) {
    const ct_gui_draw draw = {.layer = LAYER_PANEL, .color = panel_color};
    const float radii[4] = {RADIUS, RADIUS, RADIUS, RADIUS};
    ct_gui_rounded_rect(p->gui, &draw, corner_of(p, r), ct_vec2_make(r->width, r->height), radii,
                        1.0f, border_color);
}

static ct_text_desc text_desc_of(const char *text, uint32_t color) {
    return (ct_text_desc){
        .text = text,
        .num_bytes = (uint32_t)strlen(text),
        .style = {.font = CT_ID64("core/fonts/default", 0x039d07fa98679d67),
                  .size = TEXT_SIZE,
                  .color = color},
        .direction = CT_TEXT_DIRECTION_LEFT_TO_RIGHT,
        .align = CT_TEXT_ALIGN_LEFT,
        .is_single_line = true,
    };
}

// Draws text whose baseline is `y` below the top of the picture. A `width` above 0 cuts it.
static void paint_text_at(const painter *p, int32_t layer, float x, float y, const char *text,
                          uint32_t color, float width) {
    const ct_gui_draw draw = {.layer = layer};
    ct_gui_text_desc desc = {.text = text_desc_of(text, color),
                             .position = ct_vec2_make(x, p->height - y)};
    desc.text.width = width;
    desc.text.has_ellipsis = width > 0.0f;
    ct_gui_text(p->gui, &draw, &desc);
}

static void paint_text(const painter *p, float x, float y, const char *text, uint32_t color,
                       float width) {
    paint_text_at(p, LAYER_TEXT, x, y, text, color, width);
}

// Draws text that ends at `x`.
static void paint_text_before(const painter *p, float x, float y, const char *text,
                              uint32_t color) {
    const ct_gui_draw draw = {.layer = LAYER_TEXT};
    ct_gui_text_desc desc = {.text = text_desc_of(text, color),
                             .position = ct_vec2_make(x, p->height - y)};
    desc.text.align = CT_TEXT_ALIGN_RIGHT;
    ct_gui_text(p->gui, &draw, &desc);
}

// Draws a panel with its title at the left and a text at the right.
static void paint_titled(const painter *p, const ct_overlay_rect *r, const char *title,
                         const char *right) {
    const float y = r->y + 7.0f + BASELINE;
    paint_panel(p, r, edge_color);
    paint_text(p, r->x + CT_OVERLAY_PADDING, y, title, title_color, 0.0f);
    paint_text_before(p, r->x + r->width - CT_OVERLAY_PADDING, y, right, value_color);
}

static float row_y(const ct_overlay_rect *r, uint32_t row) {
    return r->y + CT_OVERLAY_TITLE + CT_OVERLAY_ROW * (float)row;
}

static void paint_row(const painter *p, const ct_overlay_rect *r, uint32_t row, const char *label,
                      uint32_t color, const char *value) {
    const float y = row_y(r, row) + BASELINE;
    paint_text(p, r->x + CT_OVERLAY_PADDING, y, label, color,
               r->width - 2.0f * CT_OVERLAY_PADDING - 80.0f);
    paint_text_before(p, r->x + r->width - CT_OVERLAY_PADDING, y, value, value_color);
}

// --- Numbers -------------------------------------------------------------------------------------

enum { NUMBER_BYTES = 32 };

// "12,345"
static void write_count(char out[NUMBER_BYTES], uint64_t count) {
    char digits[NUMBER_BYTES];
    const int num_digits = snprintf(digits, sizeof(digits), "%" PRIu64, count);
    uint32_t bytes = 0;
    for (int i = 0; i < num_digits; ++i) {
        if (i > 0 && (num_digits - i) % 3 == 0)
            out[bytes++] = ',';
        out[bytes++] = digits[i];
    }
    out[bytes] = '\0';
}

static void write_bytes(char out[NUMBER_BYTES], uint64_t bytes) {
    const double mebibytes = (double)bytes / (1024.0 * 1024.0);
    if (mebibytes < 0.1)
        snprintf(out, NUMBER_BYTES, "%.1f KiB", (double)bytes / 1024.0);
    else
        snprintf(out, NUMBER_BYTES, mebibytes < 1000.0 ? "%.1f MiB" : "%.0f MiB", mebibytes);
}

// --- Panels --------------------------------------------------------------------------------------

// Draws the numbers above the graph, in columns.
static void paint_times(const painter *p, const ct_overlay_layout *l,
                        const ct_overlay_graph_summary *s) {
    const struct {
        const char *label;
        float ms;
        uint32_t color;
    } columns[] = {{"last", s->last, label_color},
                   {"mean", s->mean, label_color},
                   {"worst", s->worst, label_color},
                   {"update", s->update_mean, CT_OVERLAY_GRAPH_UPDATE}};
    const float y = row_y(&l->frame, 0) + BASELINE, gap = 22.0f;
    const float width =
        (l->frame.width - 2.0f * CT_OVERLAY_PADDING + gap) / (float)CT_COUNT_OF(columns);
    for (uint32_t i = 0; i < CT_COUNT_OF(columns); ++i) {
        char text[NUMBER_BYTES];
        const float x = l->frame.x + CT_OVERLAY_PADDING + width * (float)i;
        snprintf(text, sizeof(text), columns[i].ms < 100.0f ? "%.2f" : "%.0f",
                 (double)columns[i].ms);
        paint_text(p, x, y, columns[i].label, columns[i].color, 0.0f);
        paint_text_before(p, x + width - gap, y, text, value_color);
    }
}

static void paint_frame(const painter *p, const ct_overlay_panels *panels) {
    const ct_overlay_layout *const l = panels->layout;
    const ct_overlay_graph_summary s = ct_overlay_graph_summarize(panels->graph);
    const float budget = panels->graph->budget_ms, end = l->graph.x + l->graph.width;
    char text[96];
    const double rate = s.mean > 0.0f ? 1e3 / (double)s.mean : 0.0;
    snprintf(text, sizeof(text), rate < 10.0 ? "%.1f frames a second" : "%.0f frames a second",
             rate);
    paint_titled(p, &l->frame, "Frame (milliseconds)", text);
    paint_times(p, l, &s);
    paint_rect(p, &l->graph, LAYER_BAR, graph_color);
    for (uint32_t i = 1; i <= 2; ++i) {
        const float height = l->graph.height * (float)i / CT_OVERLAY_GRAPH_TOP;
        snprintf(text, sizeof(text), "%.1f", (double)budget * i);
        paint_text(p, end + 8.0f, l->graph.y + l->graph.height - height + 5.0f, text, label_color,
                   0.0f);
    }
}

static void paint_counts(const painter *p, const ct_overlay_panels *panels) {
    const ct_overlay_figures *const f = panels->figures;
    const struct {
        const char *label;
        uint64_t count;
    } rows[CT_OVERLAY_COUNT_ROWS] = {
        {"Draw calls", f->render.num_draws},
        {"Triangles", f->render.num_triangles},
        {"Objects", f->render.num_instances},
        {"Particles", f->render.num_particles},
        {"Entities", f->num_entities},
        {"Units", f->num_units},
        {"Worlds", f->num_worlds},
    };
    paint_titled(p, &panels->layout->counts, "Drawn and alive", "");
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        char text[NUMBER_BYTES];
        write_count(text, rows[i].count);
        paint_row(p, &panels->layout->counts, i, rows[i].label, label_color, text);
    }
}

static void paint_memory(const painter *p, const ct_overlay_panels *panels) {
    const ct_overlay_memory *const memory = panels->memory;
    const ct_overlay_rect *const r = &panels->layout->memory;
    char text[NUMBER_BYTES];
    write_bytes(text, memory->total_bytes);
    paint_titled(p, r, "Memory", text);
    for (uint32_t i = 0; i < memory->count; ++i) {
        const ct_overlay_memory_row *const row = &memory->rows[i];
        const uint64_t most = memory->rows[0].bytes > 0 ? memory->rows[0].bytes : 1;
        const float share = (float)row->bytes / (float)most;
        const ct_overlay_rect bar = {r->x + CT_OVERLAY_PADDING - 4.0f, row_y(r, i) + 1.0f,
                                     (r->width - 2.0f * CT_OVERLAY_PADDING + 8.0f) * share,
                                     CT_OVERLAY_ROW - 2.0f};
        paint_rect(p, &bar, LAYER_BAR, bar_color);
        write_bytes(text, row->bytes);
        paint_row(p, r, i, row->name, value_color, text);
    }
    write_bytes(text, panels->figures->render.device_bytes);
    paint_row(p, r, CT_OVERLAY_MEMORY_ROWS, "graphics device", value_color, text);
}

static void paint_log(const painter *p, const ct_overlay_panels *panels) {
    enum { SYSTEM_WIDTH = 76 };
    const ct_overlay_rect *const r = &panels->layout->log;
    const float x = r->x + CT_OVERLAY_PADDING;
    paint_titled(p, r, "Log", "");
    for (uint32_t i = 0; i < panels->num_log_lines; ++i) {
        const ct_overlay_log_line *const line = &panels->log[i];
        const float y = row_y(r, i) + BASELINE;
        if (!line->is_continued)
            paint_text(p, x, y, line->system, label_color, SYSTEM_WIDTH - 6.0f);
        paint_text(p, x + SYSTEM_WIDTH, y, line->text, level_colors[line->level],
                   r->width - 2.0f * CT_OVERLAY_PADDING - SYSTEM_WIDTH);
    }
}

void ct_overlay_paint_panels(ct_gui *g, const ct_overlay_panels *panels) {
    const painter p = painter_of(g, panels->layout);
    paint_frame(&p, panels);
    paint_counts(&p, panels);
    paint_memory(&p, panels);
    paint_log(&p, panels);
}

// --- What moves ----------------------------------------------------------------------------------

void ct_overlay_paint_graph(ct_gui *g, const ct_overlay_layout *layout,
                            const ct_overlay_graph *graph) {
    const painter p = painter_of(g, layout);
    const ct_gui_draw draw = {.layer = LAYER_BAR, .color = UINT32_MAX};
    ct_vec3 points[CT_OVERLAY_GRAPH_POINTS];
    uint32_t colors[CT_OVERLAY_GRAPH_POINTS];
    const uint32_t count = ct_overlay_graph_write(
        graph, corner_of(&p, &layout->graph),
        ct_vec2_make(layout->graph.width, layout->graph.height), points, colors);
    ct_gui_triangles(g, &draw, CT_GUI_KIND_SHAPE, points, NULL, colors, count);
}

static void paint_typed(const painter *p, ct_text *text, const ct_overlay_rect *inner,
                        const ct_overlay_line *line) {
    const ct_text_desc desc = text_desc_of(line->text, value_color);
    const ct_text_layout *const layout = ct_text_layout_of(text, &desc);
    const float caret = ct_text_caret_at(layout, line->caret).x;
    const float moved = fmaxf(caret + CARET_WIDTH - inner->width, 0.0f);
    const ct_vec2 corner = corner_of(p, inner);
    const ct_overlay_rect caret_rect = {inner->x + caret - moved, inner->y + 8.0f, CARET_WIDTH,
                                        inner->height - 16.0f};
    ct_gui_push_clip(p->gui, corner.x, corner.y, inner->width, inner->height);
    paint_text(p, inner->x - moved, inner->y + 9.0f + BASELINE, line->text, value_color, 0.0f);
    ct_gui_pop_clip(p->gui);
    paint_rect(p, &caret_rect, LAYER_TEXT, focus_color);
}

void ct_overlay_paint_line(ct_gui *g, ct_text *text, const ct_overlay_layout *layout,
                           const ct_overlay_line *line, bool has_keyboard, const char *hint) {
    enum { PROMPT_WIDTH = 40 };
    const painter p = painter_of(g, layout);
    const ct_overlay_rect *const r = &layout->line;
    const float y = r->y + 9.0f + BASELINE, x = r->x + CT_OVERLAY_PADDING;
    const ct_overlay_rect inner = {x + PROMPT_WIDTH, r->y,
                                   r->width - 2.0f * CT_OVERLAY_PADDING - PROMPT_WIDTH, r->height};
    paint_panel(&p, r, has_keyboard ? focus_color : edge_color);
    paint_text(&p, x, y, "Lua", title_color, 0.0f);
    if (has_keyboard)
        paint_typed(&p, text, &inner, line);
    else
        paint_text(&p, inner.x, y, hint, label_color, inner.width);
}

void ct_overlay_paint_texts(ct_gui *g, const ct_overlay_layout *layout,
                            const ct_overlay_texts *texts) {
    const painter p = painter_of(g, layout);
    const float x = layout->frame.x + CT_OVERLAY_PADDING;
    const float top = layout->frame.y + layout->frame.height + CT_OVERLAY_PADDING;
    for (uint32_t i = 0; i < texts->count; ++i) {
        const ct_overlay_text *const t = &texts->items[i];
        const float y = top + CT_OVERLAY_ROW * (float)i + BASELINE;
        paint_text_at(&p, LAYER_BAR, x + 1.0f, y + 1.0f, t->text, shadow_color, 0.0f);
        paint_text_at(&p, LAYER_TEXT, x, y, t->text, t->color, 0.0f);
    }
}

// --- Stops ---------------------------------------------------------------------------------------

void ct_overlay_paint_stop(ct_gui *g, const ct_overlay_layout *layout, const char *text) {
    const painter p = painter_of(g, layout);
    const ct_overlay_rect bar = {0.0f, 0.0f, layout->width, STOP_HEIGHT};
    const ct_overlay_rect edge = {0.0f, STOP_HEIGHT, layout->width, STOP_EDGE};
    const float indent = 2.0f * CT_OVERLAY_PADDING;
    paint_rect(&p, &bar, LAYER_PANEL, stop_color);
    paint_rect(&p, &edge, LAYER_PANEL, stop_edge_color);
    paint_text(&p, indent, 9.0f + BASELINE, text, value_color, layout->width - 2.0f * indent);
}
