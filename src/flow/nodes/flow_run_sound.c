// Nodes of Sound.
#include <float.h>
#include <math.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"
#include "resource/types/flow/flow_node_states.h"
#include "sound/component/sound_source_component.h"

_Static_assert(sizeof(ct_flow_wait_state) == CT_FLOW_WAIT_STATE_BYTES, "flow_node_states.h");

// Returns the components of the world's sounds; NULL, with an error, when the world has no such components.
static ct_sound_source_components *components_of(ct_flow_call *c) {
    const ct_world *const w = ct_flow_call_world(c);
    if (ct_world_system_sound(ct_world_system_of(w)))
        return ct_world_sound_sources(w);
    ct_flow_error(c, "worlds have no sound here");
    return NULL;
}

static ct_sound_instance instance_of(double number) {
    const bool is_id = number > 0 && number <= UINT32_MAX;
    return (ct_sound_instance){is_id ? (uint32_t)number : 0};
}

// --- Playing -------------------------------------------------------------------------------------

enum { EVENT, UNIT, OBJECT, LINKED, OFFSET, VOLUME, POLICY }; // inputs
enum { PLAY, STOP, ENDED };                                   // events in and out
enum { LOOK = ENDED };                                        // the event of waiting

static bool is_linked(const ct_flow_call *c, uint32_t event_out) {
    return c->node->slots[c->node->first_event + event_out] != CT_FLOW_NONE;
}

// Finds the place of the unit. Returns false with an error.
static bool place_at_unit(ct_flow_call *c, const ct_sound_source_components *m,
                          ct_sound_link_desc *link, ct_sound_start *start) {
    ct_world_node node;
    if (!ct_flow_unit_node(c, UNIT, OBJECT, &node) ||
        !ct_flow_finite_vector3(c, OFFSET, &link->position) ||
        !ct_flow_name_of(c, POLICY, ct_sound_orphaned_names, &link->orphaned))
        return false;
    link->entity = (ct_entity){(uint32_t)ct_flow_object_at(c, UNIT).entity};
    link->node = node.node;
    const ct_sound_link_place place =
        ct_sound_links_place(ct_sound_source_components_links(m), link);
    start->is_placed = true;
    start->position = place.position;
    start->rotation = place.rotation;
    return true;
}

static uint32_t play(ct_flow_call *c, const ct_sound_source_components *m) {
    ct_sound_system *const system = ct_sound_source_components_system(m);
    const ct_string_id64 event = ct_string_id64_of(ct_flow_text(c, EVENT));
    ct_sound_start start = {.rotation = ct_quat_identity(), .fade_in = -1};
    ct_sound_link_desc link = {0};
    double volume;
    if (!ct_sound_system_event(system, event)) {
        ct_flow_error(c, "the sound event \"%s\" is not loaded", ct_flow_text(c, EVENT));
        return CT_FLOW_STOP;
    }
    const bool is_at_unit = ct_flow_bool(c, LINKED) && ct_flow_object_at(c, UNIT).entity;
    if ((is_at_unit && !place_at_unit(c, m, &link, &start)) ||
        !ct_flow_number_in(c, VOLUME, 0, 16, &volume))
        return CT_FLOW_STOP;
    const ct_sound_instance i =
        ct_sound_play(ct_sound_source_components_world(m), event, &start, NULL, 0);
    ct_sound_set_volume(system, i, (float)volume);
    if (is_at_unit && i.value)
        ct_sound_links_add(ct_sound_source_components_links(m), i, &link);
    ct_flow_set_number(c, 0, i.value);
    if (i.value && is_linked(c, ENDED))
        ct_flow_wait(c, 0, 0, LOOK);
    return PLAY;
}

// Looks whether the sound still plays; if so, again with the next step.
static uint32_t look(ct_flow_call *c, const ct_sound_source_components *m) {
    const ct_sound_instance i = instance_of(ct_flow_output(c, 0)->number);
    if (!ct_sound_is_playing(ct_sound_source_components_system(m), i))
        return ENDED;
    ct_flow_wait(c, 0, 0, LOOK);
    return CT_FLOW_STOP;
}

static uint32_t play_sound(ct_flow_call *c, uint32_t event) {
    const ct_sound_source_components *const m = components_of(c);
    if (!m)
        return CT_FLOW_STOP;
    if (event == PLAY)
        return play(c, m);
    if (event == LOOK)
        return look(c, m);
    ct_sound_stop(ct_sound_source_components_system(m), instance_of(ct_flow_output(c, 0)->number),
                  -1);
    return STOP;
}

// --- Settings ------------------------------------------------------------------------------------

static uint32_t set_parameter(ct_flow_call *c, uint32_t event) {
    const ct_sound_source_components *const m = components_of(c);
    double value;
    if (m && ct_flow_number_in(c, 2, (double)-FLT_MAX, (double)FLT_MAX, &value))
        ct_sound_set_number(ct_sound_source_components_system(m), instance_of(ct_flow_number(c, 0)),
                            ct_string_id32_of(ct_flow_text(c, 1)), (float)value);
    return event;
}

static uint32_t set_global_parameter(ct_flow_call *c, uint32_t event) {
    const ct_sound_source_components *const m = components_of(c);
    double value;
    if (m && ct_flow_number_in(c, 1, (double)-FLT_MAX, (double)FLT_MAX, &value))
        ct_sound_system_set_number(ct_sound_source_components_system(m),
                                   ct_string_id32_of(ct_flow_text(c, 0)), (float)value);
    return event;
}

// By Lua's function, which keeps the volume in the user's settings.
static uint32_t set_bus_volume(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    if (lua->call_global)
        lua->call_global(lua->user, c, "SoundWorld.set_bus_volume", 0, 2);
    else
        ct_flow_error(c, "there are no scripts, which keep the user's settings");
    return event;
}

static const ct_flow_function_row rows[] = {
    {"play_sound", play_sound},
    {"set_bus_volume", set_bus_volume},
    {"set_global_sound_parameter", set_global_parameter},
    {"set_sound_parameter", set_parameter},
};

const ct_flow_functions ct_flow_run_sound = {rows, CT_COUNT_OF(rows)};
