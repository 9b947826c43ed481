// Nodes of Animation. What starts the entries for events is in flow_animation.c.
#include <float.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "resource/types/flow/flow_node_states.h"

typedef struct character {
    ct_world *world;
    ct_entity unit;
    ct_animation_manager *manager;
    ct_animation_instance instance;
} character;

static bool character_of(ct_flow_call *c, uint32_t input, character *x) {
    if (!ct_flow_unit_of(c, input, &x->world, &x->unit))
        return false;
    x->manager = ct_world_animations(x->world);
    x->instance =
        x->manager ? ct_animation_lookup(x->manager, x->unit) : (ct_animation_instance){0};
    if (!x->instance.index)
        ct_flow_error(c, "expected a unit with a component of the type animation");
    return x->instance.index != 0;
}

// Returns the state machine of the character at input 0; NULL, with an error, when none runs.
static ct_state_machine *machine_of(ct_flow_call *c) {
    character x;
    if (!character_of(c, 0, &x))
        return NULL;
    ct_state_machine *const m = ct_animation_machine(x.manager, x.instance);
    if (!m)
        ct_flow_error(c, "the unit has no state machine that runs");
    return m;
}

// --- State machines ------------------------------------------------------------------------------

static uint32_t variable_of(ct_flow_call *c, const ct_state_machine *m) {
    const char *const name = ct_flow_text(c, 1);
    const uint32_t variable = ct_state_machine_find_variable(m, ct_string_id32_of(name));
    if (variable == UINT32_MAX)
        ct_flow_error(c, "the state machine has no variable \"%.64s\"", name);
    return variable;
}

static uint32_t get_variable(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_state_machine *const m = machine_of(c);
    const uint32_t variable = m ? variable_of(c, m) : UINT32_MAX;
    if (variable != UINT32_MAX)
        ct_flow_set_number(c, 0, (double)ct_state_machine_variable(m, variable));
    return CT_FLOW_STOP;
}

static uint32_t set_variable(ct_flow_call *c, uint32_t event) {
    ct_state_machine *const m = machine_of(c);
    const uint32_t variable = m ? variable_of(c, m) : UINT32_MAX;
    double value;
    if (variable != UINT32_MAX &&
        ct_flow_number_in(c, 2, (double)-FLT_MAX, (double)FLT_MAX, &value))
        ct_state_machine_set_variable(m, variable, (float)value);
    return event;
}

static uint32_t send_event(ct_flow_call *c, uint32_t event) {
    ct_state_machine *const m = machine_of(c);
    const char *const name = ct_flow_text(c, 1);
    if (m && !ct_state_machine_send(m, ct_string_id32_of(name)))
        ct_flow_error(c, "no transition of the state machine waits for the event \"%.64s\"", name);
    return event;
}

static uint32_t on_event(ct_flow_call *c, uint32_t event) {
    (void)c, (void)event;
    return 0;
}

// --- Root motion and curves ----------------------------------------------------------------------

// As Unit.animation_wanted_root_pose: the parts that the root mode has not applied yet, on top of the
// local pose.
static void wanted_pose(const character *x, ct_vec3 moved, ct_quat turned, ct_vec3 *position,
                        ct_quat *rotation) {
    const ct_world_node node = ct_world_node_of(x->world, x->unit, 0);
    const ct_animation_root_mode mode = ct_animation_root_mode_of(x->manager, x->instance);
    const bool has_moved =
        mode == CT_ANIMATION_ROOT_MODE_DELTA_POSITION || mode == CT_ANIMATION_ROOT_MODE_DELTA_POSE;
    const bool has_turned =
        mode == CT_ANIMATION_ROOT_MODE_DELTA_ROTATION || mode == CT_ANIMATION_ROOT_MODE_DELTA_POSE;
    *position = ct_world_node_local_position(node);
    *rotation = ct_world_node_local_rotation(node);
    if (has_turned)
        *rotation = ct_quat_mul(*rotation, ct_quat_conjugate(turned)); // that it had before
    if (!has_moved) {
        const ct_mat4 before =
            ct_mat4_compose(*position, *rotation, ct_world_node_local_scale(node));
        *position = ct_mat4_transform_point(before, moved);
    }
    *rotation = ct_quat_unit(ct_quat_mul(*rotation, turned));
}

static uint32_t get_root_motion(ct_flow_call *c, uint32_t event) {
    character x;
    ct_vec3 position;
    ct_quat rotation;
    if (!character_of(c, 0, &x))
        return event;
    const ct_animation_root_pose p = ct_animation_root_delta(x.manager, x.instance);
    const ct_vec3 moved = ct_vec3_make(p.position[0], p.position[1], p.position[2]);
    const ct_quat turned = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), p.heading);
    wanted_pose(&x, moved, turned, &position, &rotation);
    ct_flow_set_vector3(c, 0, moved);
    ct_flow_set_quaternion(c, 1, turned);
    ct_flow_set_vector3(c, 2, position);
    ct_flow_set_quaternion(c, 3, rotation);
    return event;
}

static uint32_t get_curve(ct_flow_call *c, uint32_t event) {
    character x;
    float value = 0;
    if (!character_of(c, 2, &x))
        return event;
    const bool exists =
        ct_animation_curve_value(x.manager, x.instance, ct_string_id32_of(ct_flow_text(c, 0)),
                                 ct_string_id32_of(ct_flow_text(c, 1)), &value);
    ct_flow_set_bool(c, 0, exists);
    ct_flow_set_number(c, 1, exists ? (double)value : 0);
    return event;
}

// --- Clips ---------------------------------------------------------------------------------------

enum { PLAY, STOP, PAUSE, RESUME }; // events in and out
enum { CLIP = 1, SPEED, BLEND_TIME, LOOP };

typedef struct clip_state {
    uint32_t id; // of the crossfade
    uint32_t has_played;
} clip_state;
_Static_assert(sizeof(clip_state) == CT_FLOW_CLIP_STATE_BYTES, "flow_node_states.h");

static const double most_speed = 1000, most_seconds = 1e6;

static uint32_t start_clip(ct_flow_call *c, const character *x, float speed) {
    clip_state *const state = ct_flow_state(c);
    double blend_time;
    ct_error error;
    if (!ct_flow_number_in(c, BLEND_TIME, 0, most_seconds, &blend_time))
        return CT_FLOW_STOP;
    if (!ct_animation_crossfade(x->manager, x->instance, (ct_string_id64){ct_flow_id(c, CLIP)}, 0,
                                (float)blend_time, ct_flow_bool(c, LOOP), false, &state->id,
                                &error)) {
        ct_flow_error(c, "%s", error.message);
        return CT_FLOW_STOP;
    }
    state->has_played = 1;
    ct_animation_set_crossfade_speed(x->manager, x->instance, state->id, speed);
    return PLAY;
}

static uint32_t play_clip(ct_flow_call *c, uint32_t event) {
    const clip_state *const state = ct_flow_state(c);
    character x;
    double speed;
    if (!character_of(c, 0, &x) || !ct_flow_number_in(c, SPEED, -most_speed, most_speed, &speed))
        return CT_FLOW_STOP;
    if (event == PLAY)
        return start_clip(c, &x, (float)speed);
    if (!state->has_played)
        return CT_FLOW_STOP;
    ct_animation_set_crossfade_speed(x.manager, x.instance, state->id,
                                     event == RESUME ? (float)speed : 0);
    if (event == STOP)
        ct_animation_set_crossfade_time(x.manager, x.instance, state->id, 0);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_animation_controller_variable", get_variable},
    {"get_unit_animation_controller_root_motion", get_root_motion},
    {"get_unit_animation_extra_curve_value", get_curve},
    {"on_animation_controller_flow_events", on_event},
    {"play_animation_clip", play_clip},
    {"send_animation_controller_event", send_event},
    {"set_animation_controller_variable", set_variable},
};

const ct_flow_functions ct_flow_run_animation = {rows, CT_COUNT_OF(rows)};
