// Nodes of actors. The numbers of actors without a body, whose shapes are not loaded, are 0, and what
// is done to them has no effect.
#include <math.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"

enum { UNIT, ACTOR, VALUE, AT }; // inputs of nodes that change an actor

// --- What an actor is like -----------------------------------------------------------------------

static bool can_move(const ct_flow_actor *a) {
    return ct_actor_is_trigger(a->physics, a->actor) ||
           ct_actor_data_of(a->physics, a->actor).body != CT_ACTOR_STATIC;
}

static bool is_moved_by_physics(const ct_flow_actor *a) {
    return !ct_actor_is_trigger(a->physics, a->actor) &&
           ct_actor_data_of(a->physics, a->actor).body == CT_ACTOR_DYNAMIC;
}

// Returns what a function says of a body; 0 without one.
static ct_vec3 vector_of(const ct_flow_actor *a, ct_vec3 (*get)(const ct_bullet_body *b)) {
    return a->body ? get(a->body) : ct_vec3_make(0, 0, 0);
}

#define GET(name, set, value)                                                                      \
    static uint32_t name(ct_flow_call *c, uint32_t event) {                                        \
        (void)event;                                                                               \
        ct_flow_actor a;                                                                           \
        if (ct_flow_actor_at(c, 0, &a))                                                            \
            set(c, 0, value);                                                                      \
        return CT_FLOW_STOP;                                                                       \
    }

GET(get_angular_damping, ct_flow_set_number,
    (double)ct_actor_data_of(a.physics, a.actor).angular_damping)
GET(get_angular_velocity, ct_flow_set_vector3, vector_of(&a, ct_bullet_body_angular_velocity))
GET(get_center_of_mass, ct_flow_set_vector3, vector_of(&a, ct_bullet_body_center))
GET(get_linear_damping, ct_flow_set_number,
    (double)ct_actor_data_of(a.physics, a.actor).linear_damping)
GET(get_position, ct_flow_set_vector3, ct_actor_pose(a.physics, a.actor).position)
GET(get_rotation, ct_flow_set_quaternion, ct_actor_pose(a.physics, a.actor).rotation)
GET(get_unit, ct_flow_set_object,
    ct_flow_object_of_unit(a.world, ct_actor_entity(a.physics, a.actor)))
GET(get_velocity, ct_flow_set_vector3, vector_of(&a, ct_bullet_body_velocity))
GET(is_collision_enabled, ct_flow_set_bool,
    ct_actor_data_of(a.physics, a.actor).is_collision_enabled != 0)
GET(is_dynamic, ct_flow_set_bool, can_move(&a))
GET(is_kinematic, ct_flow_set_bool, can_move(&a) && !is_moved_by_physics(&a))
GET(is_physical, ct_flow_set_bool, is_moved_by_physics(&a))
GET(is_sleeping, ct_flow_set_bool, a.body &&ct_bullet_body_is_asleep(a.body))
GET(is_static, ct_flow_set_bool, !can_move(&a))

// --- Pushes --------------------------------------------------------------------------------------

static bool is_slow_enough(ct_vec3 v) {
    bool is_slow = true;
    for (uint32_t i = 0; i < 3; ++i)
        is_slow &= fabs((double)v.raw[i]) <= CT_PHYSICS_MOST_SPEED; // false for NaN
    return is_slow;
}

// What is added to the motion of an actor.
typedef struct push_of {
    ct_vec3 velocity;
    ct_vec3 impulse, at; // with `at` in the world
    ct_vec3 torque_impulse;
} push_of;

// Pushes an actor that physics moves, unless that would make it too fast.
static void add_push(ct_flow_call *c, const ct_flow_actor *a, push_of add) {
    if (!a->body || !(ct_bullet_body_mass(a->body) > 0))
        return;
    const ct_vec3 v = ct_bullet_body_velocity(a->body);
    const ct_vec3 w = ct_bullet_body_angular_velocity(a->body);
    ct_bullet_body_set_velocity(a->body, ct_vec3_add(v, add.velocity));
    ct_bullet_body_add_impulse(a->body, add.impulse, add.at);
    ct_bullet_body_add_torque_impulse(a->body, add.torque_impulse);
    if (is_slow_enough(ct_bullet_body_velocity(a->body)) &&
        is_slow_enough(ct_bullet_body_angular_velocity(a->body)))
        return;
    ct_bullet_body_set_velocity(a->body, v);
    ct_bullet_body_set_angular_velocity(a->body, w);
    ct_flow_error(c, "the actor would be faster than %g; push it less", CT_PHYSICS_MOST_SPEED);
}

static float mass_of(const ct_flow_actor *a) {
    return a->body ? ct_bullet_body_mass(a->body) : 0;
}

// Gives the point of an input; the centre of mass when the input is a constant 0, that is, without a link.
// `is_center` says so.
static bool point_at(ct_flow_call *c, uint32_t input, const ct_flow_actor *a, ct_vec3 *at,
                     bool *is_center) {
    if (!ct_flow_vector3_in(c, input, CT_PHYSICS_REACH, at))
        return false;
    const bool is_linked = c->node->slots[2 * input] >> 30 == CT_FLOW_REGION_DYNAMIC;
    *is_center = !is_linked && at->x == 0 && at->y == 0 && at->z == 0;
    if (*is_center)
        *at = vector_of(a, ct_bullet_body_center);
    return true;
}

static uint32_t add_impulse(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_vec3 impulse, at;
    bool is_center;
    if (ct_flow_actor_of(c, UNIT, &a) && ct_flow_vector3_in(c, VALUE, CT_PHYSICS_MOST, &impulse) &&
        point_at(c, AT, &a, &at, &is_center))
        add_push(c, &a, (push_of){.impulse = impulse, .at = at});
    return event;
}

static uint32_t add_torque_impulse(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_vec3 impulse;
    if (ct_flow_actor_of(c, UNIT, &a) && ct_flow_vector3_in(c, VALUE, CT_PHYSICS_MOST, &impulse))
        add_push(c, &a,
                 (push_of){.torque_impulse = impulse, .at = vector_of(&a, ct_bullet_body_center)});
    return event;
}

static uint32_t add_velocity(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_vec3 v, at;
    bool is_center;
    if (!ct_flow_actor_of(c, UNIT, &a) ||
        !ct_flow_vector3_in(c, VALUE, CT_PHYSICS_MOST_SPEED, &v) ||
        !point_at(c, AT, &a, &at, &is_center))
        return event;
    if (is_center)
        add_push(c, &a, (push_of){.velocity = v, .at = at});
    else
        add_push(c, &a, (push_of){.impulse = ct_vec3_scale(v, mass_of(&a)), .at = at});
    return event;
}

// Pushes it as something that sticks to it would: both have the velocity of their common centre
// afterwards, at the point where it is hit.
static uint32_t push(ct_flow_call *c, uint32_t event) {
    enum { MASS = 3, PUSHED_AT };
    ct_flow_actor a;
    ct_vec3 v, at;
    double by_mass;
    bool is_center;
    if (!ct_flow_actor_of(c, UNIT, &a) ||
        !ct_flow_vector3_in(c, VALUE, CT_PHYSICS_MOST_SPEED, &v) ||
        !ct_flow_number_in(c, MASS, 0, CT_PHYSICS_MOST, &by_mass) ||
        !point_at(c, PUSHED_AT, &a, &at, &is_center))
        return event;
    const double its_mass = (double)mass_of(&a);
    if (!(its_mass > 0))
        return event;
    const ct_vec3 its_velocity =
        is_center ? ct_bullet_body_velocity(a.body) : ct_bullet_body_velocity_at(a.body, at);
    const double common = its_mass * by_mass / (its_mass + by_mass);
    const ct_vec3 impulse = ct_vec3_scale(ct_vec3_sub(v, its_velocity), (float)common);
    add_push(c, &a, (push_of){.impulse = impulse, .at = at});
    return event;
}

// --- Other changes -------------------------------------------------------------------------------

static uint32_t set_velocity(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_vec3 v;
    if (ct_flow_actor_of(c, UNIT, &a) && ct_flow_vector3_in(c, VALUE, CT_PHYSICS_MOST_SPEED, &v) &&
        a.body)
        ct_bullet_body_set_velocity(a.body, v);
    return event;
}

static uint32_t set_angular_velocity(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_vec3 v;
    if (ct_flow_actor_of(c, UNIT, &a) && ct_flow_vector3_in(c, VALUE, CT_PHYSICS_MOST_SPEED, &v) &&
        a.body)
        ct_bullet_body_set_angular_velocity(a.body, v);
    return event;
}

static uint32_t set_linear_damping(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    double damping;
    if (ct_flow_actor_of(c, UNIT, &a) && ct_flow_number_in(c, VALUE, 0, 1, &damping))
        ct_actor_set_damping(a.physics, a.actor, (float)damping,
                             ct_actor_data_of(a.physics, a.actor).angular_damping);
    return event;
}

static uint32_t set_angular_damping(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    double damping;
    if (ct_flow_actor_of(c, UNIT, &a) && ct_flow_number_in(c, VALUE, 0, 1, &damping))
        ct_actor_set_damping(a.physics, a.actor,
                             ct_actor_data_of(a.physics, a.actor).linear_damping, (float)damping);
    return event;
}

static uint32_t set_collision_enabled(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    if (ct_flow_actor_of(c, UNIT, &a))
        ct_actor_set_collision_enabled(a.physics, a.actor, ct_flow_bool(c, VALUE));
    return event;
}

static uint32_t set_position(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_vec3 position;
    if (!ct_flow_actor_of(c, UNIT, &a) ||
        !ct_flow_vector3_in(c, VALUE, CT_PHYSICS_REACH, &position))
        return event;
    ct_rigid_pose pose = ct_actor_pose(a.physics, a.actor);
    pose.position = position;
    ct_actor_teleport(a.physics, a.actor, pose);
    return event;
}

static uint32_t set_rotation(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    ct_quat rotation;
    if (!ct_flow_actor_of(c, UNIT, &a) || !ct_flow_rotation(c, VALUE, &rotation))
        return event;
    ct_rigid_pose pose = ct_actor_pose(a.physics, a.actor);
    pose.rotation = rotation;
    ct_actor_teleport(a.physics, a.actor, pose);
    return event;
}

static uint32_t put_to_sleep(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    if (ct_flow_actor_of(c, UNIT, &a) && a.body)
        ct_bullet_body_sleep(a.body);
    return event;
}

static uint32_t wake_up(ct_flow_call *c, uint32_t event) {
    ct_flow_actor a;
    if (ct_flow_actor_of(c, UNIT, &a) && a.body)
        ct_bullet_body_wake(a.body);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"add_actor_impulse", add_impulse},
    {"add_actor_torque_impulse", add_torque_impulse},
    {"add_actor_velocity", add_velocity},
    {"get_actor_angular_damping", get_angular_damping},
    {"get_actor_angular_velocity", get_angular_velocity},
    {"get_actor_center_of_mass", get_center_of_mass},
    {"get_actor_linear_damping", get_linear_damping},
    {"get_actor_position", get_position},
    {"get_actor_rotation", get_rotation},
    {"get_actor_unit", get_unit},
    {"get_actor_velocity", get_velocity},
    {"is_actor_collision_enabled", is_collision_enabled},
    {"is_actor_dynamic", is_dynamic},
    {"is_actor_kinematic", is_kinematic},
    {"is_actor_physical", is_physical},
    {"is_actor_sleeping", is_sleeping},
    {"is_actor_static", is_static},
    {"push_actor", push},
    {"put_actor_to_sleep", put_to_sleep},
    {"set_actor_angular_damping", set_angular_damping},
    {"set_actor_angular_velocity", set_angular_velocity},
    {"set_actor_collision_enabled", set_collision_enabled},
    {"set_actor_linear_damping", set_linear_damping},
    {"set_actor_position", set_position},
    {"set_actor_rotation", set_rotation},
    {"set_actor_velocity", set_velocity},
    {"wake_up_actor", wake_up},
};

const ct_flow_functions ct_flow_run_actor = {rows, CT_COUNT_OF(rows)};
