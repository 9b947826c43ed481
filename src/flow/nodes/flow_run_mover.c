// Nodes of movers.
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "resource/types/component_resource.h"

enum { UNIT, MOVER, VALUE }; // inputs

static uint32_t first(const ct_world *w, ct_entity e) {
    const ct_mover_manager *const m = ct_world_movers(w);
    return m ? ct_mover_active(m, e).index : 0;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    const ct_mover_manager *const m = ct_world_movers(w);
    return m ? ct_mover_with_number(m, e, number, CT_INSTANCE_NUMBER_BITS).index : 0;
}

static const ct_flow_part_type type = {"mover in use", first, with_number, NULL};

// A mover that a node works with.
typedef struct mover {
    ct_mover_manager *movers;
    ct_mover_instance instance;
    ct_flow_part part;
} mover;

static bool mover_of(ct_flow_call *c, mover *m) {
    if (!ct_flow_part_of(c, UNIT, &type, &m->part))
        return false;
    m->movers = ct_world_movers(m->part.world);
    m->instance = (ct_mover_instance){m->part.index};
    return true;
}

static bool active_mover_of(ct_flow_call *c, mover *m) {
    if (!mover_of(c, m))
        return false;
    if (ct_mover_is_active(m->movers, m->instance))
        return true;
    ct_flow_error(c, "the mover is not in use; take it into use with Set Unit Mover");
    return false;
}

// --- What a mover is like ------------------------------------------------------------------------

#define GET(name, set, value)                                                                      \
    static uint32_t name(ct_flow_call *c, uint32_t event) {                                        \
        (void)event;                                                                               \
        mover m;                                                                                   \
        if (mover_of(c, &m))                                                                       \
            set(c, 0, value);                                                                      \
        return CT_FLOW_STOP;                                                                       \
    }

GET(get_actor_below, ct_flow_set_object,
    ct_flow_object_of_actor(m.part.world, ct_mover_ground(m.movers, m.instance)))
GET(get_center_position, ct_flow_set_vector3, ct_mover_center(m.movers, m.instance))
GET(get_flying_frames, ct_flow_set_number, ct_mover_flying_frames(m.movers, m.instance))
GET(get_max_slope_angle, ct_flow_set_number,
    (double)ct_mover_data_of(m.movers, m.instance)->max_slope_angle)
GET(get_position, ct_flow_set_vector3, ct_mover_position(m.movers, m.instance))
GET(get_radius, ct_flow_set_number, (double)ct_mover_data_of(m.movers, m.instance)->radius)
GET(get_standing_frames, ct_flow_set_number, ct_mover_standing_frames(m.movers, m.instance))

static uint32_t get_collisions(ct_flow_call *c, uint32_t event) {
    (void)event;
    mover m;
    if (!mover_of(c, &m))
        return CT_FLOW_STOP;
    const ct_mover_contacts *const contacts = ct_mover_contacts_of(m.movers, m.instance);
    ct_flow_set_bool(c, 0, contacts->up);
    ct_flow_set_bool(c, 1, contacts->down);
    ct_flow_set_bool(c, 2, contacts->sides);
    return CT_FLOW_STOP;
}

static uint32_t get_unit(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_flow_object object = ct_flow_object_at(c, 0);
    const ct_world *const w = ct_flow_call_world(c);
    const ct_entity e = {(uint32_t)object.entity};
    if (!object.entity)
        ct_flow_error(c, "input 1: there is no mover");
    else if (!with_number(w, e, object.part))
        ct_flow_error(c, "the mover has been destroyed, or is in another world");
    else
        ct_flow_set_object(c, 0, ct_flow_object_of_unit(w, e));
    return CT_FLOW_STOP;
}

// --- Changes -------------------------------------------------------------------------------------

static uint32_t move(ct_flow_call *c, uint32_t event) {
    static const float least_time = 1e-6f, most_time = 10;
    mover m;
    ct_vec3 offset;
    if (!active_mover_of(c, &m) || !ct_flow_vector3_in(c, VALUE, CT_PHYSICS_REACH, &offset))
        return event;
    const float dt = (float)ct_world_delta_time(m.part.world);
    ct_mover_component_move(m.movers, m.instance, offset,
                            dt < least_time  ? least_time
                            : dt < most_time ? dt
                                             : most_time);
    return event;
}

static uint32_t set_max_slope_angle(ct_flow_call *c, uint32_t event) {
    mover m;
    float angle;
    if (mover_of(c, &m) && ct_flow_field_number(c, VALUE, "mover", "max_slope_angle", &angle))
        ct_mover_set_max_slope_angle(m.movers, m.instance, angle);
    return event;
}

static uint32_t set_position(ct_flow_call *c, uint32_t event) {
    mover m;
    ct_vec3 position;
    if (active_mover_of(c, &m) && ct_flow_vector3_in(c, VALUE, CT_PHYSICS_REACH, &position))
        ct_mover_set_position(m.movers, m.instance, position);
    return event;
}

// --- Movers of units -----------------------------------------------------------------------------

static uint32_t get_unit_mover(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (ct_flow_unit_with_physics(c, 0, &w, &unit))
        ct_flow_set_object(
            c, 0, ct_flow_object_of_mover(w, ct_mover_active(ct_world_movers(w), unit), unit));
    return CT_FLOW_STOP;
}

static uint32_t set_unit_mover(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity unit;
    if (!ct_flow_unit_with_physics(c, 0, &w, &unit))
        return event;
    ct_mover_manager *const m = ct_world_movers(w);
    const char *const name = ct_flow_text(c, 1);
    const ct_mover_instance i =
        name[0] ? ct_mover_named(m, unit, ct_string_id32_of(name)) : (ct_mover_instance){0};
    if (name[0] && !i.index)
        ct_flow_error(c, "the unit has no mover \"%.64s\"", name);
    else if (!ct_mover_set_active(m, unit, i))
        ct_flow_error(c, "there is no room for the mover \"%.64s\" where the unit is", name);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_actor_colliding_below_mover", get_actor_below},
    {"get_mover_center_position", get_center_position},
    {"get_mover_collisions", get_collisions},
    {"get_mover_flying_frames", get_flying_frames},
    {"get_mover_max_slope_angle", get_max_slope_angle},
    {"get_mover_position", get_position},
    {"get_mover_radius", get_radius},
    {"get_mover_standing_frames", get_standing_frames},
    {"get_mover_unit", get_unit},
    {"get_unit_mover", get_unit_mover},
    {"move_mover", move},
    {"set_mover_max_slope_angle", set_max_slope_angle},
    {"set_mover_position", set_position},
    {"set_unit_mover", set_unit_mover},
};

const ct_flow_functions ct_flow_run_mover = {rows, CT_COUNT_OF(rows)};
