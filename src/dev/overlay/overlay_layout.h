// overlay_layout.h: where the panels of the overlay are.
//
// Sizes are in units: pixels, unless the picture is too small for the panels, or so large that text
// of that size is hard to read. x goes right and y down from the upper left corner, as one reads.
// Panels never overlap. Plain functions of the picture's size.
#pragma once
#include "foundation/types.h"

// The upper left corner and the size, in units.
typedef struct ct_overlay_rect {
    float x, y, width, height;
} ct_overlay_rect;

typedef struct ct_overlay_layout {
    float width, height;    // of the picture, in units
    float pixels_of_a_unit; // 1, 1.5, 2, …; below 1 in small pictures
    ct_overlay_rect frame;  // the times of frames
    ct_overlay_rect graph;  // in it
    ct_overlay_rect counts; // draws, entities
    ct_overlay_rect memory;
    ct_overlay_rect log;
    ct_overlay_rect line; // what is typed
    uint32_t num_log_lines;
} ct_overlay_layout;

enum {
    CT_OVERLAY_COUNT_ROWS = 7, // in `counts`
    CT_OVERLAY_MOST_LOG_LINES = 24,
};

// Distances of text in panels, in units.
#define CT_OVERLAY_PADDING 12.0f // between a panel's edge and what is in it
#define CT_OVERLAY_TITLE 30.0f   // height of a title
#define CT_OVERLAY_ROW 18.0f     // height of a row of text

// Returns the layout for a picture of so many pixels, both at least 1.
ct_overlay_layout ct_overlay_layout_of(uint32_t width, uint32_t height);
