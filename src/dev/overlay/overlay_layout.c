#include "dev/overlay/overlay_layout.h"

#include <math.h>

#include "dev/overlay/overlay_memory.h"

static const float LEAST_WIDTH = 960.0f, LEAST_HEIGHT = 540.0f; // units
static const float USUAL_HEIGHT = 1080.0f;                      // up to which a unit is a pixel
static const float MARGIN = 12.0f, GAP = 8.0f;
static const float FRAME_WIDTH = 472.0f, SIDE_WIDTH = 264.0f, LINE_HEIGHT = 34.0f;
static const float LOG_PART = 0.29f; // of the picture's height, at most
static const float GRAPH_WIDTH = 400.0f, GRAPH_TOP = 66.0f;

static float unit_of(float width, float height) {
    const float least = fminf(width / LEAST_WIDTH, height / LEAST_HEIGHT);
    if (least < 1.0f)
        return least;
    const float halves = floorf(2.0f * height / USUAL_HEIGHT + 0.5f);
    return fminf(fmaxf(0.5f * halves, 1.0f), least);
}

static float rows_height(uint32_t num_rows) {
    return CT_OVERLAY_TITLE + CT_OVERLAY_ROW * (float)num_rows + 0.5f * CT_OVERLAY_PADDING;
}

// The log takes a part of the picture: below the panels at the side where they leave enough, else
// beside them.
static void place_log(ct_overlay_layout *l) {
    const float bottom = l->line.y - GAP;
    const float top = l->memory.y + l->memory.height + GAP;
    const float most = LOG_PART * l->height;
    const float right = bottom - top < most ? SIDE_WIDTH + GAP : 0.0f;
    const float lines =
        fminf(floorf((most - rows_height(0)) / CT_OVERLAY_ROW), (float)CT_OVERLAY_MOST_LOG_LINES);
    l->num_log_lines = (uint32_t)lines;
    const float height = rows_height(l->num_log_lines);
    l->log = (ct_overlay_rect){MARGIN, bottom - height, l->width - 2.0f * MARGIN - right, height};
}

ct_overlay_layout ct_overlay_layout_of(uint32_t width, uint32_t height) {
    ct_overlay_layout l = {.pixels_of_a_unit = unit_of((float)width, (float)height)};
    l.width = (float)width / l.pixels_of_a_unit;
    l.height = (float)height / l.pixels_of_a_unit;
    const float side = l.width - MARGIN - SIDE_WIDTH;
    const float counts_height = rows_height(CT_OVERLAY_COUNT_ROWS);
    const float line_y = l.height - MARGIN - LINE_HEIGHT;
    l.frame = (ct_overlay_rect){MARGIN, MARGIN, FRAME_WIDTH, counts_height};
    l.graph = (ct_overlay_rect){MARGIN + CT_OVERLAY_PADDING, MARGIN + GRAPH_TOP, GRAPH_WIDTH,
                                counts_height - GRAPH_TOP - CT_OVERLAY_PADDING};
    l.counts = (ct_overlay_rect){side, MARGIN, SIDE_WIDTH, counts_height};
    // A row more: the memory of the device.
    l.memory = (ct_overlay_rect){side, MARGIN + counts_height + GAP, SIDE_WIDTH,
                                 rows_height(CT_OVERLAY_MEMORY_ROWS + 1)};
    l.line = (ct_overlay_rect){MARGIN, line_y, l.width - 2.0f * MARGIN, LINE_HEIGHT};
    place_log(&l);
    return l;
}
