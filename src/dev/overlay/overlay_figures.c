#include "dev/overlay/overlay_figures.h"

#include "foundation/os/os.h"

ct_overlay_figures ct_overlay_figures_of(ct_app *app) {
    const ct_world_system *const worlds = ct_app_worlds(app);
    ct_overlay_figures f = {.now_ns = ct_os_time_ns(),
                            .times = ct_app_frame_times(app),
                            .budget_seconds = ct_app_frame_budget(app),
                            .render = ct_renderer_stats(ct_app_renderer(app)),
                            .num_entities = ct_world_system_num_entities(worlds),
                            .num_worlds = ct_world_system_num_worlds(worlds)};
    for (uint32_t i = 0; i < f.num_worlds; ++i) {
        uint32_t count = 0;
        ct_world_units(ct_world_system_world(worlds, i), &count);
        f.num_units += count;
    }
    return f;
}
