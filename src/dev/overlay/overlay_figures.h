// overlay_figures.h: the numbers that the overlay shows of a frame.
#pragma once
#include "app/app.h"

typedef struct ct_overlay_figures {
    uint64_t now_ns;             // by the clock of ct_os_time_ns
    const ct_frame_times *times; // borrowed
    double budget_seconds;       // of a frame
    ct_render_stats render; // of the last frame that was drawn, the overlay's own draws included
    uint32_t num_entities, num_units, num_worlds;
} ct_overlay_figures;

// Collects the numbers of a running app: O(worlds). Update thread.
ct_overlay_figures ct_overlay_figures_of(ct_app *app);
