// Units with actors, triggers and movers in Lua, and what behaviours get of their touches.
//
// Lua finds W, what physics_lua.h has, and F, a floor with its top at z = 0; `spawn(name, x, y, z)`, and
// `watch(unit, script)`, which gives a unit a behaviour and returns the table of its instance.
#include "foundation/log.h"
#include "script/fake_host.h"
#include "script/physics/physics_lua.h"
#include "world/compiled_fixture.h"

static const char physics[] =
    "gravity = [0 0 -10]\n"
    "materials = [ { id = \"m1\" name = \"default\" } { id = \"m2\" name = \"ice\" friction = 0 } "
    "]\n"
    "filters = [ { id = \"f1\" name = \"default\" collides = \"all\" }\n"
    "  { id = \"f2\" name = \"ghost\" collides = [] } ]\n"
    "templates = [ { id = \"t1\" name = \"heavy\" actor = { body = \"dynamic\" mass = 1000 } } ]";

static const char floor_unit[] =
    "components = [ { id = \"a1\" type = \"transform\" }\n"
    "  { id = \"a2\" type = \"actor\" name = \"top\" body = \"static\"\n"
    "    shapes = [ { id = \"s1\" type = \"box\" half_size = [50 50 1]\n"
    "      position = [0 0 -1] } ] } ]";

static const char crate_unit[] =
    "components = [ { id = \"a1\" type = \"transform\" }\n"
    "  { id = \"a2\" type = \"actor\" name = \"hull\" body = \"dynamic\" mass = 8\n"
    "    shapes = [ { id = \"s1\" type = \"box\" half_size = [0.5 0.5 0.5] } ] }\n"
    "  { id = \"a3\" type = \"actor\" name = \"lid\" body = \"keyframed\" filter = \"ghost\"\n"
    "    shapes = [ { id = \"s1\" type = \"box\" half_size = [0.5 0.5 0.1] position = [0 0 0.6] } "
    "] } ]";

static const char gate_unit[] =
    "components = [ { id = \"a1\" type = \"transform\" }\n"
    "  { id = \"a2\" type = \"trigger\" name = \"way\"\n"
    "    shapes = [ { id = \"s1\" type = \"box\" half_size = [1 1 1] } ] } ]";

static const char hero_unit[] =
    "components = [ { id = \"a1\" type = \"transform\" }\n"
    "  { id = \"a2\" type = \"mover\" name = \"upright\" radius = 0.4 height = 1.8 }\n"
    "  { id = \"a3\" type = \"mover\" name = \"crouched\" radius = 0.4 height = 0.9\n"
    "    is_active = false } ]";

// Shows a box of 2 m around 1 m above the origin, which has its hull as collision shape.
static const char rock_unit[] = "components = [ { id = \"a1\" type = \"transform\" }\n"
                                "  { id = \"a2\" type = \"mesh\" mesh = \"rock\" } ]";
static const char rock_mesh[] = "source = \"rock.obj\" up_axis = \"z\" collision = \"convex\"";
static const char rock_obj[] =
    "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -1 -1 2\nv 1 -1 2\nv 1 1 2\nv -1 1 2\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static script_fixture f;
static const char *project;

static int set_up(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){0});
    project = test_scratch_folder();
    const char *const sources[][3] = {
        {"rules.physics", "physics", physics}, {"floor.unit", "unit", floor_unit},
        {"crate.unit", "unit", crate_unit},    {"gate.unit", "unit", gate_unit},
        {"hero.unit", "unit", hero_unit},      {"empty.unit", "unit", "components = []"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(sources); ++i) {
        char name[64];
        write_text(project, sources[i][0], sources[i][2]);
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(sources[i][0], "."), sources[i][0]);
        load_compiled(&f.world, project, sources[i][1], name);
    }
    ct_physics_system_use(f.world.physics, ct_string_id64_of("rules"));
    run_lua(&f,
            "W = Application.new_world() " PHYSICS_LUA "S = EntityManager.script_component(W) "
            "function spawn(name, x, y, z) "
            "  return World.spawn_unit(W, name, Vector3(x, y, z)) end "
            "function watch(unit, script) "
            "  return ScriptComponent.state(S, ScriptComponent.create(S, unit, script, script)) "
            "end "
            "F = spawn('floor', 0, 0, 0)");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

#define UNIT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

// Spawns r, a rock at z = 5, whose mesh is not loaded yet.
static void add_rock(void) {
    write_text(project, "rock.unit", rock_unit);
    write_text(project, "rock.mesh", rock_mesh);
    write_text(project, "rock.obj", rock_obj);
    load_compiled(&f.world, project, "unit", "rock");
    run_lua(&f, "A = EntityManager.actor_component(W) r = spawn('rock', 0, 0, 5)");
}

// --- Actors of units -----------------------------------------------------------------------------

static void finds_actors_by_name_and_number(void **state) {
    (void)state;
    run_lua(&f, "c = spawn('crate', 0, 0, 3)");
    assert_lua(&f, "Unit.num_actors(c), Unit.find_actor(c, 'lid'), Unit.find_actor(c, 'keel')",
               "2\t2\tnil");
    assert_lua(&f, "Unit.actor(c, 'hull') == Unit.actor(c, 1), Actor.mass(Unit.actor(c, 'hull'))",
               "true\t8");
    assert_lua(&f, "Actor.unit(Unit.actor(c, 2)) == c, Actor.is_kinematic(Unit.actor(c, 2))",
               "true\ttrue");
    assert_lua_error(&f, "Actor.set_kinematic(Unit.actor(c, 2), false)",
                     "Actor.set_kinematic: argument 1 (self): expected a dynamic or kinematic "
                     "Actor, got a keyframed one, which is always kinematic");
    assert_lua_error(&f, "Unit.actor(c, 'keel')",
                     "Unit.actor: argument 2 (actor): the unit has no actor \"keel\"");
}

static void makes_actors_of_the_resource_again(void **state) {
    (void)state;
    run_lua(&f, "c = spawn('crate', 0, 0, 3) h = Unit.actor(c, 'hull') "
                "Unit.destroy_actor(c, 'hull') Unit.destroy_actor(c, 'hull')");
    assert_lua(&f, "Unit.num_actors(c), Unit.actor(c, 'hull')", "1\tnil");
    assert_lua_error(&f, "Actor.mass(h)", "expected Actor, got a destroyed Actor");
    run_lua(&f, "h = Unit.create_actor(c, 'hull')");
    assert_lua(&f, "Actor.mass(h), Unit.actor(c, 'hull') == h, Unit.find_actor(c, 'hull')",
               "8\ttrue\t2");
    assert_lua_error(&f, "Unit.create_actor(c, 'hull')",
                     "Unit.create_actor: argument 2 (id): the unit already has this actor; destroy "
                     "it first");
    assert_lua_error(&f, "Unit.create_actor(c, 3)",
                     "the resource of the unit has no such actor at its root");
    assert_lua_error(&f, "Unit.create_actor(spawn('empty', 0, 0, 0), 'hull')",
                     "the resource of the unit has no such actor at its root");
    assert_lua_error(&f, "Unit.create_actor(c, 'lid', -1)",
                     "argument 3 (inherit_velocity): expected a number from 0 to 1000, got -1");
    run_lua(&f, "Unit.destroy_actor(c, 'lid') Actor.set_velocity(h, Vector3(0, 0, 4)) "
                "Unit.create_actor(c, 2, 0.5)");
    assert_lua(&f, "Unit.num_actors(c)", "2");
    // Numbers are places among those that are made, and of create_actor in the resource.
    run_lua(&f, "Unit.destroy_actor(c, 1) Unit.create_actor(c, 1)");
    assert_lua(&f, "Unit.find_actor(c, 'lid'), Unit.find_actor(c, 'hull')", "1\t2");
    run_lua(&f, "d = spawn('crate', 9, 0, 3) Unit.destroy_actor(d, 'hull') "
                "ActorComponent.create_sphere(EntityManager.actor_component(W), d, 'ball', "
                "Matrix4x4.identity(), 1, 'heavy') Unit.destroy_actor(d, 'lid') "
                "Actor.set_velocity(Unit.actor(d, 1), Vector3(2, 0, 0)) "
                "h = Unit.create_actor(d, 'hull', 0.5)");
    assert_lua(&f, "near(Actor.velocity(h), Vector3(1, 0, 0))", "true");
}

static void enables_the_actors_that_were_disabled(void **state) {
    (void)state;
    run_lua(&f,
            STATE_LUA "c = spawn('crate', 0, 0, 3) h, l = Unit.actor(c, 'hull'), Unit.actor(c, 2) "
                      "Actor.set_scene_query_enabled(l, false) Unit.disable_physics(c)");
    assert_lua(&f, "state(h), state(l)", "false false false\tfalse false false");
    // An actor that comes later is in physics, and stays as it is.
    run_lua(&f, "Unit.destroy_actor(c, 'hull') h = Unit.create_actor(c, 'hull') "
                "Actor.set_scene_query_enabled(h, false) Unit.enable_physics(c)");
    assert_lua(&f, "state(h), state(l)", "true false true\ttrue false false");
    // The slots of actors that ended while they were disabled are used again.
    run_lua(&f, "for i = 1, 50 do Unit.disable_physics(c) World.destroy_unit(W, c) "
                "  c = spawn('crate', 0, 0, 3) assert(state(Unit.actor(c, 1)) == "
                "    'true true true') end Unit.enable_physics(c)");
    // Those of a world that ended, too.
    run_lua(&f, "for i = 1, 3 do local v = Application.new_world() "
                "  local d = World.spawn_unit(v, 'crate') "
                "  assert(state(Unit.actor(d, 1)) == 'true true true') Unit.disable_physics(d) "
                "  Application.release_world(v) end Unit.disable_physics(c) "
                "Unit.enable_physics(c)");
    assert_lua(&f, "state(Unit.actor(c, 1))", "true true true");
}

static void keeps_actors_disabled_in_a_reload(void **state) {
    (void)state;
    add_rock();
    load_compiled(&f.world, project, "mesh", "rock");
    run_lua(&f, STATE_LUA "ActorComponent.create(A, r, 'd') a = Unit.actor(r, 1) "
                          "c = spawn('crate', 0, 0, 9) Unit.disable_physics(c) "
                          "ActorComponent.set_property_by_id(A, r, 'd', 'body', 'dynamic') "
                          "before = state(a) Unit.disable_physics(r)");
    reload_compiled(&f.world, project, "mesh", "rock");
    reload_compiled(&f.world, project, "physics", "rules");
    run_lua(&f, "run(0.5) z = Unit.world_position(r, 1).z");
    assert_lua(&f, "before, state(a), state(Unit.actor(c, 1)), near(z, 5)",
               "true true true\tfalse false false\tfalse false false\ttrue");
    run_lua(&f, "Unit.enable_physics(r) Unit.enable_physics(c) run(0.5)");
    assert_lua(&f, "state(a), state(Unit.actor(c, 1)), Unit.world_position(r, 1).z < 4.5",
               "true true true\ttrue true true\ttrue");
}

static void keep_error(void *user, ct_log_level level, const char *system, const char *text) {
    (void)system;
    if (level == CT_LOG_LEVEL_ERROR)
        snprintf(user, 1024, "%s", text);
}

static void names_what_a_reload_took_away(void **state) {
    (void)state;
    char error[1024] = "";
    write_text(project, "rules.physics", "materials = [ { id = \"m\" name = \"reload_wood\" } ]");
    reload_compiled(&f.world, project, "physics", "rules");
    write_text(project, "plank.unit",
               "components = [ { id = \"a\" type = \"actor\" material = \"reload_wood\"\n"
               "  shapes = [ { id = \"s\" type = \"box\" } ] } ]");
    load_compiled(&f.world, project, "unit", "plank");
    run_lua(&f, "spawn('plank', 5, 0, 9)");
    ct_log_add_sink(&(ct_log_sink){.write = keep_error, .user = error});
    write_text(project, "rules.physics", "filters = []");
    reload_compiled(&f.world, project, "physics", "rules");
    ct_log_remove_sink(keep_error, error);
    if (!strstr(error, ": the physics resource has no material "
                       "\"reload_wood\"; it has \"default\"; \"default\" counts"))
        fail_msg("found \"%s\"", error);
}

static void moves_units_with_their_actors(void **state) {
    (void)state;
    run_lua(&f, "c = spawn('crate', 0, 0, 3) run(2)");
    assert_lua(&f, "math.abs(Unit.world_position(c, 1).z - 0.5) < 0.01", "true");
}

// --- ActorComponent ------------------------------------------------------------------------------

static void has_instances(void **state) {
    (void)state;
    run_lua(&f, "A = EntityManager.actor_component(W) c = spawn('crate', 0, 0, 3) "
                "i, j = ActorComponent.instances(A, c)");
    assert_lua(&f, "select('#', ActorComponent.instances(A, c)), i == j, type(i)",
               "2\tfalse\tnumber");
    assert_lua(&f, "ActorComponent.lookup(A, c, 'a2') == i, ActorComponent.lookup(A, c, 'x')",
               "true\tnil");
    assert_lua(&f, "ActorComponent.lookup(A, c, (ActorComponent.instance_ids(A, c))) == i", "true");
    assert_lua(&f, "select('#', ActorComponent.instances(A, spawn('gate', 0, 0, 0)))", "0");
    run_lua(&f, "ActorComponent.destroy(A, i)");
    assert_lua_error(&f, "ActorComponent.destroy(A, i)",
                     "ActorComponent.destroy: argument 2 (instance): expected the instance of a "
                     "component of the type actor, got a destroyed one");
    run_lua(&f, "ActorComponent.destroy_all(A, c)");
    assert_lua(&f, "Unit.num_actors(c)", "0");
    run_lua(&f, "ActorComponent.spawned(A, {c})");
    assert_lua_error(&f, "ActorComponent.spawned(A, {3})",
                     "ActorComponent.spawned: argument 2 (entities)");
    assert_lua_error(&f, "ActorComponent.instances(P, c)",
                     "ActorComponent.instances: argument 1 (self): expected ActorComponent, got "
                     "PhysicsWorld");
    assert_lua_error(&f, "ActorComponent.instance_ids(A, 1)",
                     "ActorComponent.instance_ids: argument 2 (entity): expected");
    assert_lua_error(&f, "ActorComponent.destroy_all(A, 1)", "argument 2 (entity): expected");
    assert_lua_error(&f, "ActorComponent.lookup(A, c, {})", "argument 3 (id): expected");
    assert_lua_error(&f, "EntityManager.actor_component(c)",
                     "EntityManager.actor_component: argument 1 (world): expected World, got Unit");
}

static void makes_components(void **state) {
    (void)state;
    run_lua(&f, "A = EntityManager.actor_component(W) e = spawn('gate', 0, 0, 5) "
                "I = Matrix4x4Box(Matrix4x4.identity()) "
                "c = ActorComponent.create_capsule(A, e, 'c', I:unbox(), 0.5, 3, nil, nil, 'ice') "
                "s = ActorComponent.create_sphere(A, e, 's', I:unbox(), 1, 'heavy') "
                "p = ActorComponent.create_plane(A, e, 'p', I:unbox(), Vector3(0, 1, 0))");
    assert_lua(&f, "select('#', ActorComponent.instances(A, e)), Unit.num_actors(e)", "3\t4");
    assert_lua(&f,
               "ActorComponent.get_property(A, c, 'body'), "
               "ActorComponent.get_property(A, s, 'mass'), "
               "ActorComponent.get_property_by_id(A, e, 'p', 'body')",
               "dynamic\t1000\tstatic");
    assert_lua_error(&f, "ActorComponent.create_sphere(A, e, 's', I:unbox(), 1)",
                     "ActorComponent.create_sphere: argument 3 (id): the entity already has an "
                     "actor with the id s");
    assert_lua_error(&f, "ActorComponent.create_capsule(A, e, 'd', I:unbox(), 1, 1)",
                     "ActorComponent.create_capsule: argument 6 (height): expected the height with "
                     "both ends, 2 or more, got 1");
    assert_lua_error(&f, "ActorComponent.create_plane(A, e, 'd', I:unbox(), Vector3(0, 0, 0))",
                     "ActorComponent.create_plane: argument 5 (normal): expected a direction");
    assert_lua_error(&f, "ActorComponent.create_sphere(A, e, 'd', I:unbox(), 1, 'hevy')",
                     "argument 6 (actor_template): the physics resource has no actor template "
                     "\"hevy\", did you mean \"heavy\"?");
    assert_lua_error(&f, "ActorComponent.create(A, e, 'c')", "already has an actor with the id c");
}

static void makes_components_of_the_shapes_of_a_mesh(void **state) {
    (void)state;
    add_rock();
    assert_lua_error(&f, "ActorComponent.create(A, spawn('gate', 0, 0, 9), 'd')",
                     "it has no shape: expected `shapes`, or a mesh component with collision "
                     "shapes");
    assert_lua_error(&f, "ActorComponent.create(A, r, 'd')", "the mesh of a shape is not loaded");
    load_compiled(&f.world, project, "mesh", "rock");
    run_lua(&f, "i = ActorComponent.create(A, r, 'd')");
    assert_lua(&f,
               "ActorComponent.lookup(A, r, 'd') == i, Unit.num_actors(r), "
               "Actor.is_static(Unit.actor(r, 1))",
               "true\t1\ttrue");
    assert_lua(&f,
               "local hit, position, _, _, actor = PhysicsWorld.raycast(P, Vector3(0, 0, 20), "
               "Vector3(0, 0, -1)) return hit, near(position.z, 7), actor == Unit.actor(r, 1)",
               "true\ttrue\ttrue");
}

static void sets_properties(void **state) {
    (void)state;
    run_lua(&f, "A = EntityManager.actor_component(W) c = spawn('crate', 0, 0, 3) "
                "i = ActorComponent.instances(A, c) set = ActorComponent.set_property "
                "set(A, i, 'linear_damping', 0.5) set(A, i, 'filter', 'ghost') "
                "set(A, i, {'has_gravity'}, false) set(A, i, 'material', 'ice')");
    assert_lua(&f,
               "Actor.linear_damping(Unit.actor(c, 1)), Actor.is_gravity_enabled(Unit.actor(c, 1))",
               "0.5\tfalse");
    assert_lua(&f, "IdString32.equal(ActorComponent.get_property(A, i, 'filter'), 'ghost')",
               "true");
    assert_lua(&f,
               "ActorComponent.set_property_by_id(A, c, 'a2', 'body', 'kinematic') == i, "
               "Actor.is_kinematic(Unit.actor(c, 1))",
               "true\ttrue");
    run_lua(&f, "values = {body = 'dynamic', linear_damping = 0.25, angular_damping = 0.5, "
                "  has_gravity = false, is_collision_enabled = false, "
                "  is_scene_query_enabled = false} "
                "for name, value in pairs(values) do set(A, i, name, value) end "
                "for name, value in pairs(values) do "
                "  assert(ActorComponent.get_property(A, i, name) == value, name) end");
    run_lua(&f, "Actor.put_to_sleep(Unit.actor(c, 1)) set(A, i, 'has_gravity', false) "
                "set(A, i, 'body', 'dynamic') set(A, i, 'filter', 'ghost')");
    assert_lua(&f, "Actor.is_sleeping(Unit.actor(c, 1))", "true"); // nothing is other than before
    assert_lua_error(&f, "ActorComponent.set_property(A, i, 'mass', 3)",
                     "ActorComponent.set_property: argument 3 (key): the property \"mass\" cannot "
                     "be set; make another actor");
    assert_lua_error(&f, "ActorComponent.set_property(A, i, 'filter', 'goost')",
                     "the physics resource has no collision filter \"goost\", did you mean "
                     "\"ghost\"?");
    assert_lua_error(&f, "ActorComponent.set_property(A, i, 'angular_damping', 2)",
                     "angular_damping: expected a number from 0 to 1, got 2");
    assert_lua_error(&f, "ActorComponent.get_property(A, i, 'bodi')",
                     "an actor has no property \"bodi\", did you mean \"body\"?");
    assert_lua_error(&f, "ActorComponent.get_property(A, i, 'given')",
                     "an actor has no property \"given\"");
    assert_lua_error(&f, "ActorComponent.set_property_by_id(A, c, 'x', 'body', 'static')",
                     "argument 3 (id): the entity has no actor with the id x");
    assert_lua_error(&f, "ActorComponent.get_property_by_id(A, c, 'x', 'body')",
                     "argument 3 (id): the entity has no actor with the id x");
}

// --- Movers --------------------------------------------------------------------------------------

static void moves_movers(void **state) {
    (void)state;
    run_lua(&f, "h = spawn('hero', 0, 0, 0.1) m = Unit.mover(h)");
    assert_lua(&f, "Unit.num_movers(h), Unit.find_mover(h, 'crouched'), Unit.find_mover(h, 'x')",
               "2\t2\tnil");
    assert_lua(&f, "Mover.unit(m) == h, Script.type_name(m), near(Mover.radius(m), 0.4)",
               "true\tMover\ttrue");
    run_lua(&f, "for i = 1, 60 do Mover.move(m, Vector3(0.05, 0, -0.1), 1 / 60) "
                "World.update(W, 1 / 60) end");
    assert_lua(&f,
               "math.abs(Mover.position(m).x - 3) < 0.05, Mover.collides_down(m), "
               "Mover.collides_sides(m), Mover.collides_up(m)",
               "true\ttrue\tfalse\tfalse");
    assert_lua(&f,
               "Mover.actor_colliding_down(m) == Unit.actor(F, 1), Mover.standing_frames(m) > 50, "
               "Mover.flying_frames(m)",
               "true\ttrue\t0");
    assert_lua(&f, "near(Unit.world_position(h, 1), Mover.position(m))", "true");
    run_lua(&f, "Mover.set_position(m, Vector3(5, 5, 5))");
    assert_lua(&f, "near(Unit.world_position(h, 1), Vector3(5, 5, 5))", "true");
    assert_lua_error(&f, "Mover.move(m, Vector3(0, 0 / 0, 0), 1)",
                     "Mover.move: argument 2 (offset): ");
    assert_lua_error(&f, "Mover.move(m, Vector3(0, 0, 0), 0)",
                     "Mover.move: argument 3 (delta_time): expected a number from 1e-06 to 10, got "
                     "0");
    assert_lua_error(&f, "Mover.position(h)",
                     "Mover.position: argument 1 (self): expected Mover, got Unit");
    assert_lua_error(&f, "Mover.set_position(m, 1)",
                     "Mover.set_position: argument 2 (pos): expected Vector3, got number");
    assert_lua_error(&f, "Mover.move(m, Vector3(0, 1e9, 0), 1)",
                     "Mover.move: argument 2 (offset): expected an offset of numbers from");
    run_lua(&f, "Mover.set_max_slope_angle(m, 1.5708) Mover.set_max_slope_angle(m, math.pi / 2)");
    assert_lua_error(&f, "Mover.set_max_slope_angle(m, 1.5709)",
                     "expected a number from 0 to 1.5708, got 1.5709");
    run_lua(&f, "World.destroy_unit(W, h)");
    static const char *const functions[] = {
        "actor_colliding_down", "collides_down",   "collides_sides", "collides_up", "flying_frames",
        "max_slope_angle",      "standing_frames", "radius",         "separate",    "unit"};
    for (uint32_t i = 0; i < CT_COUNT_OF(functions); ++i) {
        char lua[64];
        snprintf(lua, sizeof(lua), "Mover.%s(m)", functions[i]);
        assert_lua_error(&f, lua, "argument 1 (self): expected Mover, got a destroyed Mover");
    }
}

static void takes_another_mover_where_there_is_room(void **state) {
    (void)state;
    run_lua(&f,
            "h = spawn('hero', 0, 0, 0.05) m = Unit.mover(h) c = Unit.set_mover(h, 'crouched')");
    assert_lua(&f, "Unit.mover(h) == c, m == c", "true\tfalse");
    assert_lua_error(&f, "Mover.move(m, Vector3(0, 0, 0), 1)",
                     "Mover.move: argument 1 (self): expected a mover that is in use; take it into "
                     "use with Unit.set_mover");
    run_lua(&f, "lid = PhysicsWorld.spawn_box(P, Vector3(0, 0, 2), Vector3(5, 5, 0.8)) "
                "Actor.set_kinematic(lid, true)");
    assert_lua(&f, "Unit.set_mover(h, 1), Unit.mover(h) == c", "nil\ttrue");
    assert_lua(&f, "Mover.fits_at(m, Vector3(0, 0, 0.05)), Mover.fits_at(c, Vector3(0, 0, 0.05))",
               "false\ttrue\tVector3(0, 0, 0.05)");
    assert_lua(&f, "Unit.mover_fits_at(h, 'upright', Vector3(20, 0, 0.05), 0.1)",
               "true\tVector3(20, 0, 0.05)");
    assert_lua(&f, "Unit.set_mover(h, nil), Unit.mover(h)", "nil\tnil");
    assert_lua_error(&f, "Unit.set_mover(h, 'x')",
                     "Unit.set_mover: argument 2 (mover): the unit has no mover \"x\"");
    assert_lua_error(&f, "Unit.set_mover(h, 3)", "expected an integer from 1 to 2, got 3");
    assert_lua_error(&f, "Unit.set_mover(F, 1)", "argument 1 (self): expected a unit with a mover");
    assert_lua_error(&f, "Unit.mover_fits_at(h, 1, 3)",
                     "Unit.mover_fits_at: argument 3 (position): expected Vector3, got number");
    assert_lua_error(&f, "Mover.fits_at(m, Vector3(0, 0, 0), -1)",
                     "Mover.fits_at: argument 3 (allow_move): expected a number from 0 to 1000");
    assert_lua_error(&f, "Unit.mover(3)", "Unit.mover: argument 1 (self): expected");
    assert_lua_error(&f, "Unit.num_movers(3)", "Unit.num_movers: argument 1 (self): expected");
    assert_lua_error(&f, "Unit.find_mover(h, {})", "Unit.find_mover: argument 2 (name): expected");
}

static void sets_movers(void **state) {
    (void)state;
    run_lua(&f, "h = spawn('hero', 0, 0, 0.05) m = Unit.mover(h) Mover.set_max_slope_angle(m, 0.5) "
                "Mover.set_collision_filter(m, 'ghost')");
    assert_lua(&f, "Mover.max_slope_angle(m)", "0.5");
    run_lua(&f, "for i = 1, 10 do Mover.move(m, Vector3(0, 0, -0.1), 1 / 60) end");
    assert_lua(&f, "Mover.position(m).z < -0.5, Mover.flying_frames(m)", "true\t10");
    assert_lua_error(&f, "Mover.set_max_slope_angle(m, 4)",
                     "Mover.set_max_slope_angle: argument 2 (slope): expected a number from 0 to");
    assert_lua_error(&f, "Mover.set_collision_filter(m, 'gost')",
                     "Mover.set_collision_filter: argument 2 (filter): the physics resource has no "
                     "collision filter \"gost\", did you mean \"ghost\"?");
}

static void separates_movers(void **state) {
    (void)state;
    run_lua(&f, "h = spawn('hero', 0, 0, -0.2) m = Unit.mover(h)");
    assert_lua(&f,
               "local inside, actor, moved, at = Mover.separate(m, 1) "
               "return inside, actor, moved.z > 0.15, near(at, Mover.position(m))",
               "true\tnil\ttrue\ttrue");
    assert_lua(&f, "Mover.separate(m)", "false");
    assert_lua_error(&f, "Mover.separate(m, 'x')",
                     "Mover.separate: argument 2 (allow_move): expected number, got string");
}

static void bear_numbers_of_all_sizes(void **state) {
    (void)state;
    run_lua(&f,
            "math.randomseed(11) local worked = 0 " NUMBERS_LUA
            "local calls = {'move', 'set_position', 'fits_at', 'separate', "
            "  'set_max_slope_angle'} "
            "h = spawn('hero', 0, 0, 0.05) m = Unit.mover(h) for i = 1, 2000 do "
            "  local name = calls[math.random(#calls)] "
            "  local first = name:find('^se[tp].*[el]e') and number() or vector() "
            "  if name == 'move' or name == 'fits_at' then first = vector() end "
            "  if pcall(Mover[name], m, first, number()) then worked = worked + 1 end "
            "  if i % 10 == 0 then World.update(W, 1 / 60) Mover.set_position(m, Vector3(0, 0, 1)) "
            "  end local p = Mover.position(m) assert(p.x == p.x and p.y == p.y and p.z == p.z) "
            "end assert(worked > 100, worked)");
}

// --- Events --------------------------------------------------------------------------------------

// Notes what it gets. `other` is shown by the unit's name in `names`.
static const char ear[] =
    "local E = {} "
    "for _, event in ipairs({'touch_begin', 'touch_end', 'touch_persist', 'trigger_enter', "
    "    'trigger_leave'}) do "
    "  E[event] = function(self, other, hit) "
    "    heard[#heard + 1] = self.name .. ' ' .. event .. ' ' .. (names[other] or tostring(other)) "
    "    tables[hit] = true last = {actor = hit.actor, other_actor = hit.other_actor, "
    "      position = Vector3Box(hit.position), normal = Vector3Box(hit.normal), "
    "      impulse = hit.impulse, time = hit.time} "
    "    if self.breaks then error('ouch') end "
    "    if self.kills then World.destroy_unit(W, self.kills) self.kills = nil end "
    "  end end return E";

static void add_ears(void) {
    load_script(&f, "ear", ear);
    run_lua(&f, "heard, names, tables = {}, {[F] = 'floor'}, {} "
                "c = spawn('crate', 0, 0, 1) names[c] = 'crate' "
                "cs = watch(c, 'ear') cs.name = 'crate' fs = watch(F, 'ear') fs.name = 'floor' "
                "function all() local t = table.concat(heard, ', ') heard = {} return t end");
}

static void calls_behaviours_of_both_units_that_touch(void **state) {
    (void)state;
    add_ears();
    run_lua(&f, "World.update(W, 1 / 60)");
    assert_lua(&f, "all()", "");
    run_lua(&f, "run(1)");
    assert_lua(&f, "heard[1] .. '; ' .. heard[2]",
               "floor touch_begin crate; crate touch_begin floor");
    assert_lua(&f,
               "last.actor == Unit.actor(c, 1), last.other_actor == Unit.actor(F, 1), "
               "near(last.normal:unbox().z, 1), math.abs(last.position:unbox().z) < 0.05",
               "true\ttrue\ttrue\ttrue");
    assert_lua(&f, "last.impulse > 1, last.time >= 0, last.time < 1", "true\ttrue\ttrue");
    assert_lua(&f,
               "(function() local n = 0 for _ in pairs(tables) do n = n + 1 end return n end)()",
               "1"); // one table for all
    run_lua(&f, "all() Actor.teleport_position(Unit.actor(c, 1), Vector3(0, 0, 9)) "
                "World.update(W, 1 / 60)");
    assert_lua(&f, "all()", "floor touch_end crate, crate touch_end floor");
}

static void calls_behaviours_of_triggers(void **state) {
    (void)state;
    add_ears();
    run_lua(&f, "g = spawn('gate', 0, 0, 10) names[g] = 'gate' gs = watch(g, 'ear') "
                "gs.name = 'gate' Actor.set_gravity_enabled(Unit.actor(c, 1), false) "
                "World.update(W, 1 / 60) all() "
                "Actor.teleport_position(Unit.actor(c, 1), Vector3(0, 0, 10)) run(0.1)");
    assert_lua(&f, "all()", "gate trigger_enter crate, crate trigger_enter gate");
    run_lua(&f, "Actor.teleport_position(Unit.actor(c, 1), Vector3(20, 0, 10)) run(0.1)");
    assert_lua(&f, "all()", "gate trigger_leave crate, crate trigger_leave gate");
    run_lua(&f, "ball = PhysicsWorld.spawn_sphere(P, Vector3(0, 0, 10), 0.2) run(0.05)");
    assert_lua(&f, "all(), last.other_actor == ball", "gate trigger_enter nil\ttrue");
}

static void forgets_units_that_an_event_destroys(void **state) {
    (void)state;
    add_ears();
    run_lua(&f, "fs.kills = c run(1)");
    assert_lua(&f, "heard[1], Unit.alive(c)", "floor touch_begin crate\tfalse");
    assert_lua(&f, "all()", "floor touch_begin crate, floor touch_end nil");
    assert_lua(&f, "last.other_actor", "nil");
    run_lua(&f, "d = spawn('crate', 5, 0, 0.6) names[d] = 'crate' ds = watch(d, 'ear') "
                "ds.name = 'crate' ds.kills = d run(0.5)");
    assert_lua(&f, "all()",
               "floor touch_begin crate, crate touch_begin floor, floor touch_end nil");
}

// An update of another world in an event has a table of its own.
static void keeps_the_table_of_an_event_in_which_another_world_steps(void **state) {
    (void)state;
    load_script(&f, "outer",
                "return {touch_begin = function(self, other, hit) "
                "  local impulse, actor = hit.impulse, hit.actor "
                "  World.update(V, 1) "
                "  same = hit.impulse == impulse and hit.actor == actor outer = hit end}");
    load_script(&f, "inner", "return {touch_begin = function(self, other, hit) inner = hit end}");
    run_lua(&f, "V = Application.new_world() "
                "World.spawn_unit(V, 'floor', Vector3(0, 0, 0)) "
                "local d = World.spawn_unit(V, 'crate', Vector3(0, 0, 0.45)) "
                "ScriptComponent.create(EntityManager.script_component(V), d, 'inner', 'inner') "
                "World.update(V, 0) watch(spawn('crate', 0, 0, 0.4), 'outer') run(0.1)");
    assert_lua(&f, "same, inner ~= nil, inner ~= outer", "true\ttrue\ttrue");
}

// A world cannot be ended in an event of its own; another one can.
static void refuses_to_end_the_world_in_an_event(void **state) {
    (void)state;
    load_script(&f, "ender",
                "return {touch_begin = function() Application.release_world(Doomed) "
                "end}");
    run_lua(&f, "Doomed = W watch(spawn('crate', 0, 0, 0.45), 'ender') World.update(W, 1 / 60)");
    assert_lua(&f, "World.num_units(W)", "2");
    assert_true(is_logged("in touch_begin of the behaviour ender"));
    run_lua(&f, "Doomed = Application.new_world() watch(spawn('crate', 9, 0, 0.45), 'ender') "
                "World.update(W, 1 / 60)");
    assert_lua_error(&f, "World.num_units(Doomed)", "got a destroyed World");
}

// Units that fall, and destroy each other and come in every event: no instance hears an event twice,
// or after its end.
static void calls_nothing_twice_or_after_its_end(void **state) {
    (void)state;
    load_script(&f, "wild",
                "local W_ = {} for _, event in ipairs({'touch_begin', 'touch_end', "
                "    'trigger_enter', 'trigger_leave'}) do "
                "  W_[event] = function(self, other, hit) count = count + 1 "
                "    assert(not self.is_dead and Unit.alive(self.entity)) "
                "    assert(other == nil or Unit.alive(other)) "
                "    assert(hit.actor == nil or Actor.unit(hit.actor) == self.entity) "
                "    local key = event .. tostring(hit.actor) .. tostring(hit.other_actor) .. "
                "      hit.time .. tostring(self.entity) "
                "    if hit.actor and hit.other_actor then assert(not heard[key], key) end "
                "    heard[key] = true "
                "    if other ~= F and math.random() < 0.3 then kill(other or self.entity) end "
                "    if math.random() < 0.3 then kill(self.entity) end "
                "    if math.random() < 0.5 then make() end "
                "  end end return W_");
    run_lua(&f, "math.randomseed(5) count, live = 0, {} "
                "function kill(u) if u == F or not live[u] then return end "
                "  live[u].is_dead = true live[u] = nil World.destroy_unit(W, u) end "
                "function make() local u = spawn(math.random() < 0.2 and 'gate' or 'crate', "
                "    math.random() * 4, math.random() * 4, math.random() * 6) "
                "  live[u] = watch(u, 'wild') end "
                "for i = 1, 30 do make() end "
                "for i = 1, 300 do heard = {} World.update(W, 1 / 60) "
                "  if i % 5 == 0 then make() end end");
    assert_lua(&f, "count > 500 or count", "true");
    if (is_logged("of the behaviour wild"))
        fail_msg("%.1500s", logged);
    assert_false(is_logged("of the behaviour wild"));
}

// More behaviours of one entity than any small array has room for. The third destroys itself, one
// that has heard it and one that has not; all others hear it once.
static void calls_all_behaviours_of_a_unit(void **state) {
    (void)state;
    load_script(&f, "crowd",
                "return {touch_begin = function(self, other, hit) "
                "  heard[self.k] = (heard[self.k] or 0) + 1 "
                "  if self.k == 3 then for _, k in ipairs({3, 2, 180}) do "
                "    ScriptComponent.destroy(S, members[k]) end end end}");
    run_lua(&f, "c, heard, members = spawn('crate', 0, 0, 0.45), {}, {} for k = 1, 200 do "
                "  members[k] = ScriptComponent.create(S, c, k, 'crowd') "
                "  ScriptComponent.state(S, members[k]).k = k end World.update(W, 1 / 60) "
                "sum, most = 0, 0 for k = 1, 200 do sum = sum + (heard[k] or 0) "
                "  most = math.max(most, heard[k] or 0) end");
    assert_lua(&f, "sum, most, heard[180], heard[200]", "199\t1\tnil\t1");
}

static void disables_a_behaviour_that_fails(void **state) {
    (void)state;
    add_ears();
    run_lua(&f, "cs.breaks = true run(1)");
    assert_lua(&f, "all()", "floor touch_begin crate, crate touch_begin floor");
    assert_true(is_logged("ouch"));
    run_lua(&f, "Actor.teleport_position(Unit.actor(c, 1), Vector3(0, 0, 9)) "
                "World.update(W, 1 / 60)");
    assert_lua(&f, "all()", "floor touch_end crate");
}

static void makes_no_garbage_of_tables(void **state) {
    (void)state;
    load_script(&f, "deaf",
                "local D = {} local n = 0 "
                "function D.touch_begin(self, other, hit) n = n + hit.impulse end "
                "function D.touch_end(self, other, hit) n = n + 1 end return D");
    run_lua(&f, "c = spawn('crate', 0, 0, 0.5) watch(c, 'deaf') watch(F, 'deaf') "
                "a = Unit.actor(c, 1) "
                "function bounce() Actor.teleport_position(a, Vector3(0, 0, 0.49)) "
                "  World.update(W, 1 / 60) Actor.teleport_position(a, Vector3(0, 0, 5)) "
                "  World.update(W, 1 / 60) end for i = 1, 200 do bounce() end "
                "collectgarbage() collectgarbage('stop') before = collectgarbage('count') "
                "for i = 1, 400 do bounce() end grown = collectgarbage('count') - before "
                "collectgarbage('restart')");
    assert_lua(&f, "grown < 16 or grown", "true");
}

static void lists_events(void **state) {
    (void)state;
    run_lua(&f, "c = spawn('crate', 0, 0, 0.45) list = {} first = {} list[1] = first list[9] = 3 "
                "World.update(W, 1 / 60)");
    assert_lua(&f,
               "local e = PhysicsWorld.events(P, list) return e == list, e[1] == first, #e, "
               "e[1].kind, e[1].unit == F, e[1].other == c, e[1].actor == Unit.actor(F, 1), "
               "e[1].other_actor == Unit.actor(c, 1), near(e[1].normal.z, -1)",
               "true\ttrue\t1\ttouch_begin\ttrue\ttrue\ttrue\ttrue\ttrue");
    assert_lua(&f, "#PhysicsWorld.events(P)", "1");
    run_lua(&f, "World.update(W, 1 / 60) PhysicsWorld.events(P, list)");
    assert_lua(&f, "#list", "0");
    assert_lua_error(&f, "PhysicsWorld.events(P, 3)",
                     "PhysicsWorld.events: argument 2 (events): expected");
    assert_lua_error(&f, "World.physics_world(P)",
                     "World.physics_world: argument 1 (self): expected World, got PhysicsWorld");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT_TEST(finds_actors_by_name_and_number),
        UNIT_TEST(makes_actors_of_the_resource_again),
        UNIT_TEST(enables_the_actors_that_were_disabled),
        UNIT_TEST(keeps_actors_disabled_in_a_reload),
        UNIT_TEST(names_what_a_reload_took_away),
        UNIT_TEST(moves_units_with_their_actors),
        UNIT_TEST(has_instances),
        UNIT_TEST(makes_components),
        UNIT_TEST(makes_components_of_the_shapes_of_a_mesh),
        UNIT_TEST(sets_properties),
        UNIT_TEST(moves_movers),
        UNIT_TEST(takes_another_mover_where_there_is_room),
        UNIT_TEST(sets_movers),
        UNIT_TEST(separates_movers),
        UNIT_TEST(bear_numbers_of_all_sizes),
        UNIT_TEST(calls_behaviours_of_both_units_that_touch),
        UNIT_TEST(calls_behaviours_of_triggers),
        UNIT_TEST(forgets_units_that_an_event_destroys),
        UNIT_TEST(keeps_the_table_of_an_event_in_which_another_world_steps),
        UNIT_TEST(refuses_to_end_the_world_in_an_event),
        UNIT_TEST(calls_nothing_twice_or_after_its_end),
        UNIT_TEST(calls_all_behaviours_of_a_unit),
        UNIT_TEST(disables_a_behaviour_that_fails),
        UNIT_TEST(makes_no_garbage_of_tables),
        UNIT_TEST(lists_events),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
