// Actors in Lua: their values, what they are like, what moves them.
#include "script/physics/physics_fixture.h"

// --- Values --------------------------------------------------------------------------------------

static void are_values_that_become_stale(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5) b = ball(9, 0, 5)");
    assert_lua(&f, "Script.type_name(a), a == a, a == b", "Actor\ttrue\tfalse");
    assert_lua(&f, "tostring(a):match('^Actor%(#%d+%)$') ~= nil", "true");
    run_lua(&f, "PhysicsWorld.destroy_actor(P, a)");
    assert_lua(&f, "tostring(a)", "Actor(destroyed)");
    assert_lua(&f, "Actor.alive(a), Actor.alive(b), Actor.alive(nil)", "false\ttrue\tfalse");
    assert_lua_error(&f, "Actor.alive(C)",
                     "Actor.alive: argument 1 (self): expected Actor, got Unit");
    assert_lua_error(&f, "Actor.position(a)",
                     "Actor.position: argument 1 (self): expected Actor, got a destroyed Actor");
    assert_lua_error(&f, "Actor.position(C)",
                     "Actor.position: argument 1 (self): expected Actor, got Unit");
    assert_lua_error(&f, "Actor.position(nil)",
                     "Actor.position: argument 1 (self): expected Actor, got nil");
    assert_lua_error(&f, "a:position()",
                     "a value of the type Actor has no methods; write "
                     "Actor.position(actor)");
}

static void of_worlds_that_ended_are_stale(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() Q = World.physics_world(V) "
                "a = PhysicsWorld.spawn_sphere(Q, Vector3(0, 0, 0), 1) b = ball(0, 0, 0)");
    assert_lua(&f, "a == b", "false");
    assert_lua_error(&f, "PhysicsWorld.destroy_actor(P, a)",
                     "PhysicsWorld.destroy_actor: argument 2 (actor): expected an Actor of this "
                     "world, got one of another world");
    run_lua(&f, "Application.release_world(V) V = Application.new_world() "
                "Q = World.physics_world(V) c = PhysicsWorld.spawn_sphere(Q, Vector3(0, 0, 0), 1)");
    assert_lua(&f, "a == c", "false");
    assert_lua_error(&f, "Actor.mass(a)", "expected Actor, got a destroyed Actor");
    run_lua(&f,
            "for i = 1, 300 do local w = Application.new_world() "
            "  local x = PhysicsWorld.spawn_sphere(World.physics_world(w), Vector3(0, 0, 0), 1) "
            "  assert(Actor.mass(x) > 0) Application.release_world(w) end");
    assert_lua(&f, "Actor.mass(c) > 0 and Actor.mass(b) > 0", "true");
}

static void are_kept_in_boxes(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5) box = ActorBox(a) empty = ActorBox()");
    assert_lua(&f, "ActorBox.unbox(box) == a, empty:unbox()", "true\tnil");
    run_lua(&f, "empty:store(a)");
    assert_lua(&f, "empty:unbox() == a, Script.type_name(box)", "true\tActorBox");
    run_lua(&f, "PhysicsWorld.destroy_actor(P, a)");
    assert_lua(&f, "box:unbox()", "nil");
    assert_lua_error(&f, "ActorBox.store(box, C)",
                     "ActorBox.store: argument 2 (actor): expected Actor, got Unit");
    assert_lua_error(&f, "ActorBox.unbox(C)",
                     "ActorBox.unbox: argument 1 (self): expected ActorBox, got Unit");
    assert_lua_error(&f, "ActorBox.unbox(Vector3Box())", "expected ActorBox, got Vector3Box");
    assert_lua_error(&f, "ActorBox(3)", "ActorBox: argument 1 (actor): expected Actor, got number");
}

// --- What it is ----------------------------------------------------------------------------------

static void have_a_kind(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5) s = PhysicsWorld.spawn_plane(P, Vector3(0, 0, 0), "
                "Vector3(0, 0, 1))");
    assert_lua(&f,
               "Actor.is_static(a), Actor.is_dynamic(a), Actor.is_kinematic(a), "
               "Actor.is_physical(a)",
               "false\ttrue\tfalse\ttrue");
    assert_lua(&f,
               "Actor.is_static(s), Actor.is_dynamic(s), Actor.is_kinematic(s), "
               "Actor.is_physical(s)",
               "true\tfalse\tfalse\tfalse");
    run_lua(&f, "Actor.set_kinematic(a, true)");
    assert_lua(&f,
               "Actor.is_dynamic(a), Actor.is_kinematic(a), Actor.is_physical(a), Actor.mass(a)",
               "true\ttrue\tfalse\t0");
    run_lua(&f, "Actor.set_kinematic(a, false)");
    assert_lua(&f, "Actor.is_physical(a)", "true");
    assert_lua_error(&f, "Actor.set_kinematic(s, true)",
                     "Actor.set_kinematic: argument 1 (self): expected a dynamic or kinematic "
                     "Actor, got a static one");
    assert_lua_error(&f, "Actor.set_kinematic(a, 1)",
                     "Actor.set_kinematic: argument 2 (kinematic): expected boolean, got number");
}

static void have_mass_by_density_or_template(void **state) {
    (void)state;
    assert_lua(&f, "near(Actor.mass(ball(0, 0, 0, 1)) / 1000, 4 / 3 * math.pi)", "true");
    assert_lua(&f, "Actor.mass(ball(3, 0, 0, 1, 'heavy'))", "1000");
    assert_lua(&f, "near(Actor.center_of_mass(ball(6, 0, 2)), Vector3(6, 0, 2))", "true");
    assert_lua(&f, "Actor.unit(ball(9, 0, 0)), Actor.node(ball(12, 0, 0))", "nil\t1");
}

static void belong_to_units(void **state) {
    (void)state;
    run_lua(&f, "i = ActorComponent.create_sphere(A, C, 'core', Matrix4x4.identity(), 0.5) "
                "a = Unit.actor(C, 1)");
    assert_lua(&f, "Actor.unit(a) == C, Unit.num_actors(C)", "true\t1");
    assert_lua(&f, "near(Actor.position(a), Vector3(1, 2, 3))", "true");
    assert_lua_error(&f, "Unit.actor(C, 2)",
                     "Unit.actor: argument 2 (actor): expected an integer from 1 to 1, got 2");
    assert_lua_error(&f, "Unit.actor(C, 'sail')",
                     "Unit.actor: argument 2 (actor): the unit has no actor \"sail\"");
    assert_lua(&f, "Unit.find_actor(C, 'sail')", "nil");
    assert_lua_error(&f, "Unit.find_actor(C, 1)", "Unit.find_actor: argument 2 (name): expected");
    run_lua(&f, "Unit.destroy_actor(C, 1)");
    assert_lua(&f, "Unit.num_actors(C)", "0");
    assert_lua_error(&f, "Unit.destroy_actor(C, 1)",
                     "Unit.destroy_actor: argument 2 (actor): "
                     "expected the name of an actor; the unit has "
                     "no actors");
    assert_lua_error(&f, "Unit.create_actor(C, 'core')",
                     "Unit.create_actor: argument 2 (id): the resource of the unit has no such "
                     "actor at its root");
    assert_lua_error(&f, "Unit.num_actors(3)", "Unit.num_actors: argument 1 (self): expected");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua_error(&f, "Actor.unit(a)", "got a destroyed Actor");
}

static void leave_physics_and_come_back(void **state) {
    (void)state;
    run_lua(&f, STATE_LUA "ActorComponent.create_sphere(A, C, 'core', Matrix4x4.identity(), 0.5) "
                          "a = Unit.actor(C, 1) Unit.disable_physics(C) Unit.disable_physics(C)");
    assert_lua(&f, "state(a)", "false false false");
    run_lua(&f, "run(0.5)");
    assert_lua(&f, "near(Unit.world_position(C, 1), Vector3(1, 2, 3))", "true");
    run_lua(&f, "Unit.enable_physics(C) Unit.enable_physics(C)");
    assert_lua(&f, "state(a)", "true true true");
    run_lua(&f, "run(0.5)");
    assert_lua(&f, "Unit.world_position(C, 1).z < 2.5", "true");
    assert_lua_error(&f, "Unit.disable_physics(1)", "Unit.disable_physics: argument 1 (self)");
    assert_lua_error(&f, "Unit.enable_physics(1)", "Unit.enable_physics: argument 1 (self)");
}

// --- Where it is ---------------------------------------------------------------------------------

static void teleport(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5) Actor.teleport_position(a, Vector3(1, 2, 3)) "
                "Actor.teleport_rotation(a, Quaternion(Vector3(0, 0, 1), 1))");
    assert_lua(&f, "near(Actor.position(a), Vector3(1, 2, 3))", "true");
    assert_lua(&f,
               "near(Quaternion.forward(Actor.rotation(a)), Vector3(-math.sin(1), math.cos(1), 0))",
               "true");
    run_lua(&f, "Actor.teleport_pose(a, Matrix4x4.from_quaternion_position("
                "Quaternion.identity(), Vector3(4, 5, 6)))");
    assert_lua(&f, "near(Matrix4x4.translation(Actor.pose(a)), Vector3(4, 5, 6))", "true");
    assert_lua_error(&f, "Actor.teleport_position(a, Vector3(0 / 0, 0, 0))",
                     "Actor.teleport_position: argument 2 (pos): ");
    assert_lua_error(&f, "Actor.teleport_position(a, Vector3(1e8, 0, 0))",
                     "argument 2 (pos): expected a position of numbers from -1e+07 to 1e+07, got "
                     "(1e+08, 0, 0)");
    assert_lua_error(&f, "Actor.teleport_rotation(a, Quaternion.from_elements(0, 0, 0, 0))",
                     "Actor.teleport_rotation: argument 2 (pos): ");
    assert_lua_error(&f, "Actor.teleport_pose(a, Vector3(0, 0, 0))",
                     "Actor.teleport_pose: argument 2 (pos): expected Matrix4x4, got Vector3");
}

// --- How it moves --------------------------------------------------------------------------------

static void are_moved_by_velocities_and_impulses(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5, 0.5, 'heavy') Actor.set_gravity_enabled(a, false) "
                "Actor.set_velocity(a, Vector3(1, 0, 0)) Actor.add_velocity(a, Vector3(0, 2, 0))");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(1, 2, 0))", "true");
    run_lua(&f, "Actor.add_impulse(a, Vector3(0, 0, 3000))");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(1, 2, 3))", "true");
    run_lua(&f, "Actor.set_angular_velocity(a, Vector3(0, 0, 1)) "
                "Actor.add_angular_velocity(a, Vector3(1, 0, 0))");
    assert_lua(&f, "near(Actor.angular_velocity(a), Vector3(1, 0, 1))", "true");
    run_lua(&f, "Actor.set_angular_velocity(a, Vector3(0, 0, 2))");
    assert_lua(&f, "near(Actor.point_velocity(a, Vector3(0.5, 0, 5)), Vector3(1, 3, 3))", "true");
    run_lua(&f, "Actor.set_angular_velocity(a, Vector3(0, 0, 0)) "
                "Actor.set_velocity(a, Vector3(0, 0, 0)) "
                "Actor.add_impulse_at(a, Vector3(0, 1000, 0), Vector3(0.5, 0, 5))");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(0, 1, 0)), Actor.angular_velocity(a).z > 1",
               "true\ttrue");
    run_lua(&f, "Actor.set_angular_velocity(a, Vector3(0, 0, 0)) "
                "Actor.add_torque_impulse(a, Vector3(0, 0, 100))");
    assert_lua(&f, "near(Actor.angular_velocity(a).z, 1)", "true"); // 0.4 m r^2 is 100
    run_lua(&f, "Actor.set_velocity(a, Vector3(0, 0, 0)) "
                "Actor.add_velocity_at(a, Vector3(2, 0, 0), Vector3(0, 0, 5))");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(2, 0, 0))", "true");
    run_lua(&f, "run(1)");
    assert_lua(&f, "math.abs(Actor.position(a).x - 2) < 0.01", "true");
}

// Something that sticks to it: momentum is shared.
static void are_pushed_like_by_something_that_sticks(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5, 0.5, 'heavy') Actor.push(a, Vector3(4, 0, 0), 1000)");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(2, 0, 0))", "true");
    run_lua(&f, "Actor.set_velocity(a, Vector3(0, 0, 0)) "
                "Actor.push_at(a, Vector3(0, 4, 0), 1000, Vector3(0.5, 0, 5))");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(0, 2, 0)), Actor.angular_velocity(a).z > 0",
               "true\ttrue");
    assert_lua_error(&f, "Actor.push(a, Vector3(0, 0, 0), -1)",
                     "Actor.push: argument 3 (mass): expected a number from 0 to 1e+09, got -1");
    assert_lua_error(&f, "Actor.push_at(a, Vector3(0, 0, 0), 1)",
                     "Actor.push_at: argument 4 (pos): expected Vector3, got nil");
}

static void refuse_numbers_that_are_no_motion(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5, 0.01)");
    static const char *const takers[] = {"add_angular_velocity(a, %s)",
                                         "add_impulse(a, %s)",
                                         "add_velocity(a, %s)",
                                         "add_torque_impulse(a, %s)",
                                         "set_angular_velocity(a, %s)",
                                         "set_velocity(a, %s)",
                                         "add_impulse_at(a, %s, Vector3(0, 0, 0))",
                                         "add_velocity_at(a, %s, Vector3(0, 0, 0))"};
    for (uint32_t i = 0; i < CT_COUNT_OF(takers); ++i) {
        char call[128], lua[160];
        snprintf(call, sizeof(call), takers[i], "Vector3(0, 1 / 0, 0)");
        snprintf(lua, sizeof(lua), "Actor.%s", call);
        assert_lua_error(&f, lua, "argument 2 (");
        snprintf(call, sizeof(call), takers[i], "7");
        snprintf(lua, sizeof(lua), "Actor.%s", call);
        assert_lua_error(&f, lua, "expected Vector3, got number");
    }
    assert_lua_error(&f, "Actor.add_impulse(a, Vector3(1e9, 0, 0))",
                     "Actor.add_impulse: argument 2 (impulse): the actor would be faster than "
                     "1e+06; push it less");
    assert_lua_error(&f, "Actor.add_impulse_at(a, Vector3(1, 0, 0), Vector3(0, 1e6, 0))",
                     "Actor.add_impulse_at: argument 2 (impulse): the actor would be faster than "
                     "1e+06; push it less");
    assert_lua_error(&f, "Actor.set_velocity(a, Vector3(0, 2e6, 0))",
                     "Actor.set_velocity: argument 2 (velocity): expected a velocity of numbers "
                     "from -1e+06 to 1e+06, got (0, 2e+06, 0)");
    assert_lua(&f, "near(Actor.angular_velocity(a), Vector3(0, 0, 0))", "true");
    assert_lua_error(&f, "Actor.point_velocity(a, 1)",
                     "Actor.point_velocity: argument 2 (p): expected Vector3, got number");
    assert_lua(&f, "near(Actor.velocity(a), Vector3(0, 0, 0))", "true");
}

// Numbers of all sizes in all functions: there may be errors, and nothing worse.
static void bear_numbers_of_all_sizes(void **state) {
    (void)state;
    run_lua(&f,
            "ground() math.randomseed(7) " NUMBERS_LUA
            "local calls = {'add_angular_velocity', 'add_impulse', 'add_impulse_at', "
            "  'add_torque_impulse', 'add_velocity', 'add_velocity_at', 'push', 'push_at', "
            "  'set_velocity', 'set_angular_velocity', 'teleport_position', 'set_linear_damping'} "
            "local made, worked = {}, 0 for i = 1, 6000 do "
            "  if #made < 12 then local size = math.random() < 0.5 and number() or 1 "
            "    local ok, a = pcall(PhysicsWorld.spawn_sphere, P, vector(), size) "
            "    if ok then made[#made + 1] = a end end "
            "  if #made > 0 then local name = calls[math.random(#calls)] "
            "    local first = name:find('damping') and number() or vector() "
            "    local second = name:find('^push') and number() or vector() "
            "    if pcall(Actor[name], made[math.random(#made)], first, second, vector()) then "
            "      worked = worked + 1 end end "
            "  pcall(PhysicsWorld.raycast, P, vector(), vector(), number(), 'all') "
            "  pcall(PhysicsWorld.linear_sphere_sweep, P, vector(), vector(), number(), 4) "
            "  pcall(PhysicsWorld.closest_point, P, vector(), number()) "
            "  pcall(PhysicsWorld.overlap, P, nil, 'shape', 'oobb', 'position', vector(), 'size', "
            "    vector()) "
            "  if i % 10 == 0 then World.update(W, 1 / 60) end "
            "  if i % 100 == 0 then for _, a in ipairs(made) do "
            "    local p = Actor.position(a) assert(p.x == p.x and p.y == p.y and p.z == p.z) "
            "    PhysicsWorld.destroy_actor(P, a) end made = {} end end "
            "assert(worked > 1000)");
}

static void slow_down(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5) Actor.set_linear_damping(a, 0.5) "
                "Actor.set_angular_damping(a, 0.25) Actor.set_gravity_enabled(a, false)");
    assert_lua(&f, "Actor.linear_damping(a), Actor.angular_damping(a)", "0.5\t0.25");
    run_lua(&f, "Actor.set_velocity(a, Vector3(8, 0, 0)) run(1)");
    assert_lua(&f, "near(Actor.velocity(a).x, 4)", "true");
    assert_lua_error(&f, "Actor.set_linear_damping(a, 2)",
                     "Actor.set_linear_damping: argument 2 (damping): expected a number from 0 to "
                     "1, got 2");
    assert_lua_error(&f, "Actor.set_angular_damping(a, 'x')",
                     "Actor.set_angular_damping: argument 2 (damping): expected number");
}

static void sleep_and_wake(void **state) {
    (void)state;
    run_lua(&f, "a = ball(0, 0, 5) Actor.put_to_sleep(a)");
    assert_lua(&f, "Actor.is_sleeping(a)", "true");
    run_lua(&f, "run(0.5)");
    assert_lua(&f, "near(Actor.position(a).z, 5)", "true");
    run_lua(&f, "Actor.wake_up(a)");
    assert_lua(&f, "Actor.is_sleeping(a)", "false");
    run_lua(&f, "run(0.5)");
    assert_lua(&f, "Actor.position(a).z < 4.5", "true");
    assert_lua_error(&f, "Actor.is_sleeping()", "Actor.is_sleeping: argument 1 (self): expected");
}

// --- What it meets -------------------------------------------------------------------------------

static void collide_as_they_are_set(void **state) {
    (void)state;
    run_lua(&f, "ground() a = ball(0, 0, 1) b = ball(5, 0, 1) c = ball(10, 0, 1) "
                "Actor.set_collision_enabled(b, false) Actor.set_collision_filter(c, 'ghost') "
                "run(1.5)");
    assert_lua(&f,
               "near(Actor.position(a).z, 0.5), Actor.position(b).z < -3, "
               "Actor.position(c).z < -3",
               "true\ttrue\ttrue");
    assert_lua(&f, "Actor.is_collision_enabled(a), Actor.is_collision_enabled(b)", "true\tfalse");
    assert_lua_error(&f, "Actor.set_collision_filter(c, 'gost')",
                     "Actor.set_collision_filter: argument 2 (filter): the physics resource has no "
                     "collision filter \"gost\", did you mean \"ghost\"?");
    assert_lua_error(&f, "Actor.set_collision_enabled(a, nil)",
                     "Actor.set_collision_enabled: argument 2 (enabled): expected boolean");
    run_lua(&f, "Actor.set_gravity_enabled(b, false) Actor.set_scene_query_enabled(b, false)");
    assert_lua(&f, "Actor.is_gravity_enabled(b), Actor.is_scene_query_enabled(b)", "false\tfalse");
    assert_lua_error(&f, "Actor.set_gravity_enabled(b)", "argument 2 (enabled): expected boolean");
    assert_lua_error(&f, "Actor.set_scene_query_enabled(b)",
                     "argument 2 (enabled): expected boolean");
}

static void draw_themselves(void **state) {
    (void)state;
    recorded()->num_line_vertices = 0;
    run_lua(&f, "lines = World.create_line_object(W) "
                "a = PhysicsWorld.spawn_box(P, Vector3(0, 0, 0), Vector3(1, 1, 1)) "
                "Actor.debug_draw(a, lines, Color(255, 0, 0), Matrix4x4.identity()) "
                "LineObject.dispatch(W, lines)");
    assert_int_equal(recorded()->num_line_vertices, 2 * 12); // a box has 12 edges
    assert_lua_error(&f, "Actor.debug_draw(a, a, Color(255, 0, 0))",
                     "Actor.debug_draw: argument 2 (lineobject): expected LineObject, got Actor");
    assert_lua_error(&f, "Actor.debug_draw(a, lines, 1)", "argument 3 (color): expected");
    assert_lua_error(&f, "Actor.debug_draw(a, lines, Color(255, 0, 0), 1)",
                     "argument 4 (camera_tm): expected Matrix4x4, got number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PHYSICS_TEST(are_values_that_become_stale),
        PHYSICS_TEST(of_worlds_that_ended_are_stale),
        PHYSICS_TEST(are_kept_in_boxes),
        PHYSICS_TEST(have_a_kind),
        PHYSICS_TEST(have_mass_by_density_or_template),
        PHYSICS_TEST(belong_to_units),
        PHYSICS_TEST(leave_physics_and_come_back),
        PHYSICS_TEST(teleport),
        PHYSICS_TEST(are_moved_by_velocities_and_impulses),
        PHYSICS_TEST(are_pushed_like_by_something_that_sticks),
        PHYSICS_TEST(refuse_numbers_that_are_no_motion),
        PHYSICS_TEST(bear_numbers_of_all_sizes),
        PHYSICS_TEST(slow_down),
        PHYSICS_TEST(sleep_and_wake),
        PHYSICS_TEST(collide_as_they_are_set),
        PHYSICS_TEST(draw_themselves),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
