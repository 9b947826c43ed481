#include <math.h>

#include "foundation/math/math.h"
#include "render/component/line_object.h"
#include "script/physics/api_physics.h"
#include "script/render/api_line_object.h"

extern const ct_lua_module ct_api_actor;

// The bodies of actors whose shapes are not loaded yet do not exist: their numbers are 0, and what
// is done to them has no effect.

// --- What it is ----------------------------------------------------------------------------------

static uint32_t body_of(const ct_script_actor *a) {
    return ct_actor_data_of(a->physics, a->actor).body;
}

// What physics or its node moves.
static bool can_move(const ct_script_actor *a) {
    return ct_actor_is_trigger(a->physics, a->actor) || body_of(a) != CT_ACTOR_STATIC;
}

static bool is_moved_by_physics(const ct_script_actor *a) {
    return !ct_actor_is_trigger(a->physics, a->actor) && body_of(a) == CT_ACTOR_DYNAMIC;
}

static int is_static(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, !can_move(&a));
    return 1;
}

static int is_dynamic(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, can_move(&a));
    return 1;
}

static int is_kinematic(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, can_move(&a) && !is_moved_by_physics(&a));
    return 1;
}

static int is_physical(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, is_moved_by_physics(&a));
    return 1;
}

static int alive(lua_State *L) {
    const ct_lua *const m = ct_lua_of(L);
    const uint64_t value = ct_value_at(L, 1);
    const bool is_actor = ct_value_kind_of(value) == CT_VALUE_KIND_ACTOR;
    if (!is_actor && !lua_isnil(L, 1))
        ct_argument_type_error(L, 1, "Actor");
    lua_pushboolean(L, is_actor && m->is_actor_alive && m->is_actor_alive(m, value));
    return 1;
}

static int set_kinematic(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const bool is_on = ct_check_boolean(L, 2);
    const uint32_t body = body_of(&a);
    const bool is_trigger = ct_actor_is_trigger(a.physics, a.actor);
    if (is_trigger || body == CT_ACTOR_STATIC)
        return ct_argument_error(L, 1, "expected a dynamic or kinematic Actor, got a %s",
                                 is_trigger ? "trigger" : "static one");
    if (body == CT_ACTOR_KEYFRAMED && !is_on)
        return ct_argument_error(L, 1,
                                 "expected a dynamic or kinematic Actor, got a keyframed one, "
                                 "which is always kinematic");
    ct_error error = {0};
    if (body != CT_ACTOR_KEYFRAMED &&
        !ct_actor_set_body(a.physics, a.actor, is_on ? CT_ACTOR_KINEMATIC : CT_ACTOR_DYNAMIC,
                           &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int unit(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_push_entity(L, ct_actor_entity(a.physics, a.actor)); // nil for none
    return 1;
}

static int node(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushnumber(L, ct_actor_node(a.physics, a.actor) + 1);
    return 1;
}

static int mass(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushnumber(L, a.body ? (lua_Number)ct_bullet_body_mass(a.body) : 0);
    return 1;
}

static int center_of_mass(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_push_vector3(L, a.body ? ct_bullet_body_center(a.body) : ct_vec3_make(0, 0, 0));
    return 1;
}

// --- Where it is ---------------------------------------------------------------------------------

static int position(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_push_vector3(L, ct_actor_pose(a.physics, a.actor).position);
    return 1;
}

static int rotation(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_push_quaternion(L, ct_actor_pose(a.physics, a.actor).rotation);
    return 1;
}

static int pose(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_rigid_pose at = ct_actor_pose(a.physics, a.actor);
    const ct_mat4 matrix = ct_mat4_compose(at.position, at.rotation, ct_vec3_make(1, 1, 1));
    ct_push_matrix4x4(L, &matrix);
    return 1;
}

static int teleport_position(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_rigid_pose at = ct_actor_pose(a.physics, a.actor);
    at.position = ct_check_place(L, 2);
    ct_actor_teleport(a.physics, a.actor, at);
    return 0;
}

static int teleport_rotation(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_rigid_pose at = ct_actor_pose(a.physics, a.actor);
    at.rotation = ct_check_finite_quaternion(L, 2);
    ct_actor_teleport(a.physics, a.actor, at);
    return 0;
}

static int teleport_pose(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_actor_teleport(a.physics, a.actor, ct_check_rigid_pose(L, 2));
    return 0;
}

// --- How it moves --------------------------------------------------------------------------------

static int velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_push_vector3(L, a.body ? ct_bullet_body_velocity(a.body) : ct_vec3_make(0, 0, 0));
    return 1;
}

static int angular_velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_push_vector3(L, a.body ? ct_bullet_body_angular_velocity(a.body) : ct_vec3_make(0, 0, 0));
    return 1;
}

static int point_velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 at = ct_check_place(L, 2);
    ct_push_vector3(L, a.body ? ct_bullet_body_velocity_at(a.body, at) : ct_vec3_make(0, 0, 0));
    return 1;
}

static int set_velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 v = ct_check_velocity(L, 2);
    if (a.body)
        ct_bullet_body_set_velocity(a.body, v);
    return 0;
}

static int set_angular_velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 v = ct_check_velocity(L, 2);
    if (a.body)
        ct_bullet_body_set_angular_velocity(a.body, v);
    return 0;
}

static bool is_slow_enough(ct_vec3 v) {
    bool is_slow = true;
    for (uint32_t i = 0; i < 3; ++i)
        is_slow &= fabs((double)v.raw[i]) <= CT_PHYSICS_MOST_SPEED; // false for NaN
    return is_slow;
}

// What is added to the motion of an actor.
typedef struct push_of {
    ct_vec3 velocity, angular_velocity;
    ct_vec3 impulse, at; // with `at` in the world
    ct_vec3 torque_impulse;
} push_of;

// Pushes an actor that physics moves, unless that would make it too fast: then raises an error about
// `argument`.
static void add_push(lua_State *L, int argument, const ct_script_actor *a, push_of add) {
    if (!a->body || !(ct_bullet_body_mass(a->body) > 0))
        return;
    const ct_vec3 v = ct_bullet_body_velocity(a->body);
    const ct_vec3 w = ct_bullet_body_angular_velocity(a->body);
    ct_bullet_body_set_velocity(a->body, ct_vec3_add(v, add.velocity));
    ct_bullet_body_set_angular_velocity(a->body, ct_vec3_add(w, add.angular_velocity));
    ct_bullet_body_add_impulse(a->body, add.impulse, add.at);
    ct_bullet_body_add_torque_impulse(a->body, add.torque_impulse);
    if (is_slow_enough(ct_bullet_body_velocity(a->body)) &&
        is_slow_enough(ct_bullet_body_angular_velocity(a->body)))
        return;
    ct_bullet_body_set_velocity(a->body, v);
    ct_bullet_body_set_angular_velocity(a->body, w);
    ct_argument_error(L, argument, "the actor would be faster than %g; push it less",
                      CT_PHYSICS_MOST_SPEED);
}

static ct_vec3 center_of(const ct_script_actor *a) {
    return a->body ? ct_bullet_body_center(a->body) : ct_vec3_make(0, 0, 0);
}

static int add_velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    add_push(L, 2, &a, (push_of){.velocity = ct_check_velocity(L, 2), .at = center_of(&a)});
    return 0;
}

static int add_angular_velocity(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    add_push(L, 2, &a, (push_of){.angular_velocity = ct_check_velocity(L, 2), .at = center_of(&a)});
    return 0;
}

static float mass_of(const ct_script_actor *a) {
    return a->body ? ct_bullet_body_mass(a->body) : 0;
}

static int add_velocity_at(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 v = ct_check_velocity(L, 2), at = ct_check_place(L, 3);
    add_push(L, 2, &a, (push_of){.impulse = ct_vec3_scale(v, mass_of(&a)), .at = at});
    return 0;
}

static int add_impulse(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    add_push(L, 2, &a, (push_of){.impulse = ct_check_motion(L, 2), .at = center_of(&a)});
    return 0;
}

static int add_impulse_at(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 impulse = ct_check_motion(L, 2), at = ct_check_place(L, 3);
    add_push(L, 2, &a, (push_of){.impulse = impulse, .at = at});
    return 0;
}

static int add_torque_impulse(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    add_push(L, 2, &a, (push_of){.torque_impulse = ct_check_motion(L, 2), .at = center_of(&a)});
    return 0;
}

// Pushes it as something that sticks to it would: both have the velocity of their common centre
// afterwards, at the point where it is hit.
static void push_like(lua_State *L, const ct_script_actor *a, ct_vec3 v, double by_mass,
                      ct_vec3 its_velocity, ct_vec3 at) {
    const double its_mass = (double)mass_of(a);
    if (!(its_mass > 0))
        return;
    const double common = its_mass * by_mass / (its_mass + by_mass);
    const ct_vec3 impulse = ct_vec3_scale(ct_vec3_sub(v, its_velocity), (float)common);
    add_push(L, 2, a, (push_of){.impulse = impulse, .at = at});
}

static int push(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 v = ct_check_velocity(L, 2);
    const double by_mass = ct_check_number_in(L, 3, 0, CT_PHYSICS_MOST);
    if (a.body)
        push_like(L, &a, v, by_mass, ct_bullet_body_velocity(a.body), center_of(&a));
    return 0;
}

static int push_at(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const ct_vec3 v = ct_check_velocity(L, 2);
    const double by_mass = ct_check_number_in(L, 3, 0, CT_PHYSICS_MOST);
    const ct_vec3 at = ct_check_place(L, 4);
    if (a.body)
        push_like(L, &a, v, by_mass, ct_bullet_body_velocity_at(a.body, at), at);
    return 0;
}

static int linear_damping(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushnumber(L, (lua_Number)ct_actor_data_of(a.physics, a.actor).linear_damping);
    return 1;
}

static int angular_damping(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushnumber(L, (lua_Number)ct_actor_data_of(a.physics, a.actor).angular_damping);
    return 1;
}

static int set_linear_damping(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const float damping = (float)ct_check_number_in(L, 2, 0, 1);
    ct_actor_set_damping(a.physics, a.actor, damping,
                         ct_actor_data_of(a.physics, a.actor).angular_damping);
    return 0;
}

static int set_angular_damping(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    const float damping = (float)ct_check_number_in(L, 2, 0, 1);
    ct_actor_set_damping(a.physics, a.actor, ct_actor_data_of(a.physics, a.actor).linear_damping,
                         damping);
    return 0;
}

// --- Sleep ---------------------------------------------------------------------------------------

static int is_sleeping(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, a.body && ct_bullet_body_is_asleep(a.body));
    return 1;
}

static int put_to_sleep(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    if (a.body)
        ct_bullet_body_sleep(a.body);
    return 0;
}

static int wake_up(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    if (a.body)
        ct_bullet_body_wake(a.body);
    return 0;
}

// --- What it meets -------------------------------------------------------------------------------

static int is_collision_enabled(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, ct_actor_data_of(a.physics, a.actor).is_collision_enabled != 0);
    return 1;
}

static int is_gravity_enabled(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, ct_actor_data_of(a.physics, a.actor).has_gravity != 0);
    return 1;
}

static int is_scene_query_enabled(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    lua_pushboolean(L, ct_actor_data_of(a.physics, a.actor).is_scene_query_enabled != 0);
    return 1;
}

static int set_collision_enabled(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_actor_set_collision_enabled(a.physics, a.actor, ct_check_boolean(L, 2));
    return 0;
}

static int set_gravity_enabled(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_actor_set_gravity_enabled(a.physics, a.actor, ct_check_boolean(L, 2));
    return 0;
}

static int set_scene_query_enabled(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_actor_set_scene_query_enabled(a.physics, a.actor, ct_check_boolean(L, 2));
    return 0;
}

static int set_collision_filter(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    ct_actor_set_filter(a.physics, a.actor, ct_check_filter(L, 2, a.physics));
    return 0;
}

// --- Drawing -------------------------------------------------------------------------------------

typedef struct drawing {
    ct_line_object *lines;
    ct_vec4 color;
} drawing;

static void draw_line(void *user, ct_vec3 from, ct_vec3 to) {
    const drawing *const d = user;
    ct_line_object_add_line(d->lines, d->color, from, to);
}

static int debug_draw(lua_State *L) {
    const ct_script_actor a = ct_check_actor(L, 1);
    drawing d = {.lines = ct_check_object(L, 2, &ct_type_line_object, NULL)};
    d.color = ct_check_finite_vector4(L, 3);
    if (!lua_isnoneornil(L, 4))
        ct_check_finite_matrix4x4(L, 4);
    if (a.body)
        ct_bullet_body_draw(ct_physics_world_bullet(a.physics), a.body, draw_line, &d);
    return 0;
}

static const ct_lua_function functions[] = {
    {"add_angular_velocity", add_angular_velocity, "(self: Actor, velocity: Vector3) -> nil",
     "Adds to the actor's angular velocity, in radians in a second."},
    {"add_impulse", add_impulse, "(self: Actor, impulse: Vector3) -> nil",
     "Pushes the actor with an impulse, in newton seconds, at its centre of mass. Only actors that "
     "physics moves are pushed."},
    {"add_impulse_at", add_impulse_at, "(self: Actor, impulse: Vector3, pos: Vector3) -> nil",
     "Pushes the actor with an impulse, in newton seconds, at a point in the world, so that it "
     "turns."},
    {"add_torque_impulse", add_torque_impulse, "(self: Actor, impulse: Vector3) -> nil",
     "Turns the actor with an impulse, in newton metre seconds, about an axis of the world."},
    {"add_velocity", add_velocity, "(self: Actor, velocity: Vector3) -> nil",
     "Adds to the velocity of the actor's centre of mass, in metres in a second."},
    {"add_velocity_at", add_velocity_at, "(self: Actor, velocity: Vector3, pos: Vector3) -> nil",
     "Pushes the actor at a point in the world, with the impulse of its own mass at a velocity."},
    {"alive", alive, "(self: Actor?) -> boolean",
     "Returns whether the actor exists; false for nil."},
    {"angular_damping", angular_damping, "(self: Actor) -> number",
     "Returns the share of the angular velocity that the actor loses in a second, 0 to 1."},
    {"angular_velocity", angular_velocity, "(self: Actor) -> Vector3",
     "Returns the actor's angular velocity, in radians in a second."},
    {"center_of_mass", center_of_mass, "(self: Actor) -> Vector3",
     "Returns where the actor's centre of mass is in the world."},
    {"debug_draw", debug_draw,
     "(self: Actor, lineobject: LineObject, color: color, camera_tm: Matrix4x4?) -> nil",
     "Adds the edges of the actor's shapes to a line object. The camera is not used."},
    {"is_collision_enabled", is_collision_enabled, "(self: Actor) -> boolean",
     "Returns whether the actor collides."},
    {"is_dynamic", is_dynamic, "(self: Actor) -> boolean",
     "Returns whether the actor can move: physics moves it, or it is kinematic."},
    {"is_gravity_enabled", is_gravity_enabled, "(self: Actor) -> boolean",
     "Returns whether gravity pulls the actor."},
    {"is_kinematic", is_kinematic, "(self: Actor) -> boolean",
     "Returns whether the actor follows its node, and pushes what physics moves."},
    {"is_physical", is_physical, "(self: Actor) -> boolean",
     "Returns whether physics moves the actor: it can move, and is not kinematic."},
    {"is_scene_query_enabled", is_scene_query_enabled, "(self: Actor) -> boolean",
     "Returns whether rays, sweeps and overlaps find the actor."},
    {"is_sleeping", is_sleeping, "(self: Actor) -> boolean",
     "Returns whether the actor rests, and is left out of the simulation until something wakes "
     "it."},
    {"is_static", is_static, "(self: Actor) -> boolean",
     "Returns whether the actor never moves by itself."},
    {"linear_damping", linear_damping, "(self: Actor) -> number",
     "Returns the share of the velocity that the actor loses in a second, 0 to 1."},
    {"mass", mass, "(self: Actor) -> number",
     "Returns the actor's mass in kilograms; 0 when physics does not move it."},
    {"node", node, "(self: Actor) -> integer",
     "Returns the index from 1 of the node of the unit that the actor is on."},
    {"point_velocity", point_velocity, "(self: Actor, p: Vector3) -> Vector3",
     "Returns the velocity of the actor at a point in the world."},
    {"pose", pose, "(self: Actor) -> Matrix4x4",
     "Returns the actor's pose after the last step of physics, which its node may still be on its "
     "way to."},
    {"position", position, "(self: Actor) -> Vector3",
     "Returns the actor's position after the last step of physics."},
    {"push", push, "(self: Actor, velocity: Vector3, mass: number) -> nil",
     "Pushes the actor as if something of this mass and velocity hit its centre of mass and stuck "
     "to it."},
    {"push_at", push_at, "(self: Actor, velocity: Vector3, mass: number, pos: Vector3) -> nil",
     "Pushes the actor as if something of this mass and velocity hit it at a point in the world "
     "and stuck to it."},
    {"put_to_sleep", put_to_sleep, "(self: Actor) -> nil",
     "Has the actor rest until something touches or wakes it."},
    {"rotation", rotation, "(self: Actor) -> Quaternion",
     "Returns the actor's rotation after the last step of physics."},
    {"set_angular_damping", set_angular_damping, "(self: Actor, damping: number) -> nil",
     "Sets the share of the angular velocity that the actor loses in a second, 0 to 1."},
    {"set_angular_velocity", set_angular_velocity, "(self: Actor, velocity: Vector3) -> nil",
     "Sets the actor's angular velocity, in radians in a second."},
    {"set_collision_enabled", set_collision_enabled, "(self: Actor, enabled: boolean) -> nil",
     "Sets whether the actor collides. Queries find it in any case."},
    {"set_collision_filter", set_collision_filter, "(self: Actor, filter: string) -> nil",
     "Gives the actor a collision filter of the physics resource."},
    {"set_gravity_enabled", set_gravity_enabled, "(self: Actor, enabled: boolean) -> nil",
     "Sets whether gravity pulls the actor."},
    {"set_kinematic", set_kinematic, "(self: Actor, kinematic: boolean) -> nil",
     "Makes the actor follow its node, or has physics move it. For dynamic and kinematic actors."},
    {"set_linear_damping", set_linear_damping, "(self: Actor, damping: number) -> nil",
     "Sets the share of the velocity that the actor loses in a second, 0 to 1."},
    {"set_scene_query_enabled", set_scene_query_enabled, "(self: Actor, enabled: boolean) -> nil",
     "Sets whether rays, sweeps and overlaps find the actor."},
    {"set_velocity", set_velocity, "(self: Actor, velocity: Vector3) -> nil",
     "Sets the velocity of the actor's centre of mass, in metres in a second."},
    {"teleport_pose", teleport_pose, "(self: Actor, pos: Matrix4x4) -> nil",
     "Moves the actor and its node at once. A scale in the pose is left out."},
    {"teleport_position", teleport_position, "(self: Actor, pos: Vector3) -> nil",
     "Moves the actor and its node at once, without a change of its rotation."},
    {"teleport_rotation", teleport_rotation, "(self: Actor, pos: Quaternion) -> nil",
     "Turns the actor and its node at once."},
    {"unit", unit, "(self: Actor) -> Unit?",
     "Returns the unit that the actor belongs to, or nil for an actor that a script made alone."},
    {"velocity", velocity, "(self: Actor) -> Vector3",
     "Returns the velocity of the actor's centre of mass, in metres in a second."},
    {"wake_up", wake_up, "(self: Actor) -> nil", "Ends the actor's rest."},
};

const ct_lua_module ct_api_actor = {
    .name = "Actor",
    .doc = "Rigid bodies of a physics world. Get one with Unit.actor or from a query. A value of a "
           "destroyed actor is an error; while the resources of its shapes are not loaded, its "
           "numbers are 0 and pushing it has no effect.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
