// overlay_paint.h: draws the panels of the overlay into GUIs.
//
// The GUI's space is the layout's, but for y, which goes up in a GUI. Texts have the font
// core/fonts/default. Update thread.
#pragma once
#include "dev/overlay/overlay_figures.h"
#include "dev/overlay/overlay_graph.h"
#include "dev/overlay/overlay_layout.h"
#include "dev/overlay/overlay_line.h"
#include "dev/overlay/overlay_log.h"
#include "dev/overlay/overlay_memory.h"
#include "dev/overlay/overlay_texts.h"

// What the kept panels show.
typedef struct ct_overlay_panels {
    const ct_overlay_layout *layout;
    const ct_overlay_figures *figures;
    const ct_overlay_graph *graph;
    const ct_overlay_memory *memory;
    const ct_overlay_log_line *log; // the oldest first
    uint32_t num_log_lines;
} ct_overlay_panels;

// Draws all panels, without the graph's bars and the typed line.
void ct_overlay_paint_panels(ct_gui *g, const ct_overlay_panels *panels);

// Draws the bars of the graph.
void ct_overlay_paint_graph(ct_gui *g, const ct_overlay_layout *layout,
                            const ct_overlay_graph *graph);

// Draws the line: what is typed with its caret, or `hint` when it does not have the keyboard. Text
// that is longer than the line is moved so that the caret shows.
void ct_overlay_paint_line(ct_gui *g, ct_text *text, const ct_overlay_layout *layout,
                           const ct_overlay_line *line, bool has_keyboard, const char *hint);

// Draws the bar of a stop: over the whole width at the top, opaque. A text that is too long is cut.
void ct_overlay_paint_stop(ct_gui *g, const ct_overlay_layout *layout, const char *text);

// Draws the texts of the game, below the panel of the frame, each with a dark shadow.
void ct_overlay_paint_texts(ct_gui *g, const ct_overlay_layout *layout,
                            const ct_overlay_texts *texts);
