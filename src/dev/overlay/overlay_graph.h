// overlay_graph.h: the times of the last frames as bars, with a line for the budget.
//
// A bar for each frame, the newest at the right: its length in the colour of how well it kept to the
// budget, and in front of it the update thread's own work. Update thread.
#pragma once
#include "app/frame_times.h"
#include "gui/gui.h"

enum {
    CT_OVERLAY_GRAPH_FRAMES = 200,
    // Two bars for each frame and two lines, of two triangles each.
    CT_OVERLAY_GRAPH_POINTS = (2 * CT_OVERLAY_GRAPH_FRAMES + 2) * 6,
};

// Colours of bars and lines, bytes as gui.h has them.
#define CT_OVERLAY_GRAPH_GOOD 0xff5f9f4fu
#define CT_OVERLAY_GRAPH_SLOW 0xff3cb4f0u
#define CT_OVERLAY_GRAPH_BAD 0xff4646e6u
#define CT_OVERLAY_GRAPH_UPDATE 0xffe6b464u
#define CT_OVERLAY_GRAPH_LINE 0xa0ffffffu
#define CT_OVERLAY_GRAPH_FAINT_LINE 0x40ffffffu

// The frames that a graph shows, in milliseconds. The graph is CT_OVERLAY_GRAPH_TOP budgets high.
#define CT_OVERLAY_GRAPH_TOP 2.5f
typedef struct ct_overlay_graph {
    uint32_t count;
    float frame_ms[CT_OVERLAY_GRAPH_FRAMES]; // the oldest first
    float update_ms[CT_OVERLAY_GRAPH_FRAMES], submit_ms[CT_OVERLAY_GRAPH_FRAMES];
    float budget_ms;
} ct_overlay_graph;

// Means and the worst over the graph's frames, in milliseconds; 0 without frames.
typedef struct ct_overlay_graph_summary {
    float last, mean, worst, update_mean, submit_mean;
} ct_overlay_graph_summary;

// Takes the newest frames.
void ct_overlay_graph_take(ct_overlay_graph *g, const ct_frame_times *times, double budget_seconds);

// Returns the numbers for the row above the graph.
ct_overlay_graph_summary ct_overlay_graph_summarize(const ct_overlay_graph *g);

// Writes the triangles of bars and lines into a rectangle (GUI space, lower left corner) and returns
// the number of points. `points` and `colors` have room for CT_OVERLAY_GRAPH_POINTS. Bars are cut at
// the top of the rectangle.
uint32_t ct_overlay_graph_write(const ct_overlay_graph *g, ct_vec2 min, ct_vec2 size,
                                ct_vec3 *points, uint32_t *colors);
