// Events of animations: they start entries in the graphs of their units.
#include "flow/flow_private.h"

void ct_flow_start_animation_events(ct_flow_world *w) {
    const ct_animation_manager *const m = ct_world_animations(w->world);
    const ct_string_id32 kind = CT_ID32("on_animation_controller_flow_events", 0x595b7369);
    uint32_t count = 0;
    if (!m || w->of_units.count == 0)
        return;
    // Graphs may end characters, but not change the list.
    const ct_animation_out_event *const events = ct_animation_events(m, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_flow_instance instance = ct_flow_of_unit(w, events[i].entity);
        if (instance.id)
            ct_flow_start(w, instance, kind, events[i].name, NULL, NULL);
    }
}
