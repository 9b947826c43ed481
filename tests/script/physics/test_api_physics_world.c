// PhysicsWorld and Raycast in Lua: rays, sweeps, overlaps, actors made by hand.
#include "script/physics/physics_fixture.h"

// b: a box of 2 m around 0, 0, 1; s: a static plane at z = 0; t: a sphere of 1 m around 10, 0, 1.
static int set_up_scene(void **state) {
    set_up_physics(state);
    run_lua(&f, "b = PhysicsWorld.spawn_box(P, Vector3(0, 0, 1), Vector3(1, 1, 1)) "
                "t = ball(10, 0, 1, 1) "
                "s = PhysicsWorld.spawn_plane(P, Vector3(0, 0, 0), Vector3(0, 0, 2)) "
                "down = Vector3Box(0, 0, -1)");
    return 0;
}

#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_scene, tear_down)

// --- Rays ----------------------------------------------------------------------------------------

static void casts_rays_to_the_closest(void **state) {
    (void)state;
    assert_lua(&f,
               "local hit, position, distance, normal, actor = PhysicsWorld.raycast(P, "
               "Vector3(0, 0, 9), Vector3(0, 0, -3)) "
               "return hit, near(position, Vector3(0, 0, 2)), near(distance, 7), "
               "near(normal, Vector3(0, 0, 1)), actor == b",
               "true\ttrue\ttrue\ttrue\ttrue");
    assert_lua(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, 1))", "false");
    assert_lua(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 6.9)", "false");
    assert_lua(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 7.1) == true",
               "true");
    assert_lua(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 0)", "false");
}

static void casts_rays_for_any_and_all(void **state) {
    (void)state;
    assert_lua(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 100, 'any')",
               "true");
    assert_lua(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, 1), 'any')", "false");
    run_lua(&f, "hits = PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 'all')");
    assert_lua(&f, "#hits, hits[1].actor == b, hits[2].actor == s", "2\ttrue\ttrue");
    assert_lua(&f,
               "hits[2][1] == hits[2].position, hits[2][2] == hits[2].distance, "
               "hits[2][3] == hits[2].normal, hits[2][4] == hits[2].actor",
               "true\ttrue\ttrue\ttrue");
    assert_lua(&f,
               "local h = PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 'all')[2] "
               "return near(h.distance, 9), near(h.position, Vector3(0, 0, 0))",
               "true\ttrue");
    assert_lua(
        &f, "#PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, -1), 'all', 'max_hits', 1)",
        "1");
    assert_lua(&f, "#PhysicsWorld.raycast(P, Vector3(0, 0, 9), Vector3(0, 0, 1), 'all')", "0");
}

static void leaves_out_what_filters_do(void **state) {
    (void)state;
    run_lua(&f, "function cast(...) return (select(5, PhysicsWorld.raycast(P, Vector3(0, 0, 9), "
                "Vector3(0, 0, -1), 100, ...))) end");
    assert_lua(&f, "cast('types', 'statics') == s, cast('types', 'dynamics') == b", "true\ttrue");
    assert_lua(&f, "cast('types', 'both') == b, cast('types', 'triggers')", "true\tnil");
    assert_lua(&f, "cast('types', 'all') == b", "true");
    run_lua(&f, "Actor.set_collision_filter(b, 'player')");
    assert_lua(&f, "cast('collision_filter', 'player') == s", "true"); // players are no hindrance
    assert_lua(&f, "cast('collision_filter', 'default') == b", "true");
    assert_lua(&f, "cast('ignore', b) == s", "true");
    run_lua(&f, "Actor.set_scene_query_enabled(b, false)");
    assert_lua(&f, "cast() == s", "true");
    run_lua(&f, "ActorComponent.create_sphere(A, C, 1, Matrix4x4.from_translation("
                "Vector3(-1, -2, 1)), 0.5) c = Unit.actor(C, 1)");
    assert_lua(&f, "cast() == c, cast('ignore', C) == s", "true\ttrue");
    assert_lua(&f, "cast('tag', 'enemy')", "nil");
    run_lua(&f, "TagComponent.add_tag(EntityManager.tag_component(), C, 'enemy')");
    assert_lua(&f, "cast('tag', 'enemy') == c", "true");
    assert_lua(&f, "cast('tag', 'enemy', 'ignore', C)", "nil");
}

static void refuses_wrong_parameters_of_rays(void **state) {
    (void)state;
    assert_lua_error(&f, "PhysicsWorld.raycast(W, Vector3(0, 0, 0), Vector3(0, 0, 1))",
                     "PhysicsWorld.raycast: argument 1 (self): expected PhysicsWorld, got World");
    assert_lua_error(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 0))",
                     "PhysicsWorld.raycast: argument 3 (dir): expected a direction, got a Vector3 "
                     "of length 0");
    assert_lua_error(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), -1)",
                     "PhysicsWorld.raycast: argument 4 (length): expected a number from 0 to "
                     "1e+07, got -1");
    assert_lua_error(&f,
                     "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 'clossest')",
                     "PhysicsWorld.raycast: argument 5 (params): there is no parameter "
                     "\"clossest\", did you mean \"closest\"?");
    assert_lua_error(&f,
                     "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 'types', 'x')",
                     "argument 6 (params): expected \"statics\" or \"dynamics\" or \"both\" or "
                     "\"triggers\" or \"all\", got \"x\"");
    assert_lua_error(&f,
                     "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, "
                     "'collision_filter', 'playr')",
                     "argument 6 (params): the physics resource has no collision filter "
                     "\"playr\", did you mean \"player\"?");
    assert_lua_error(&f,
                     "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 'all', "
                     "'max_hits', 0)",
                     "argument 7 (params): expected an integer from 1 to 4096, got 0");
    assert_lua_error(&f,
                     "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 'ignore', 3)",
                     "argument 6 (params): expected Unit, got number");
    assert_lua_error(&f,
                     "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 'tag', '')",
                     "argument 6 (params): expected the name of a tag");
    assert_lua_error(&f, "PhysicsWorld.raycast(P, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 'any', 3)",
                     "argument 6 (params): expected string, got number");
}

static void casts_many_rays(void **state) {
    (void)state;
    run_lua(&f, "get = Float32Array.get rays = {0, 0, 9, 0, 0, -1, 100, 10, 0, 9, 0, 0, -2, 100, "
                "20, 0, 9, 0, 0, 1, 100} "
                "actors = {1, 2, 3, 4} "
                "n, hits = PhysicsWorld.raycast_many(P, rays, nil, actors)");
    assert_lua(&f, "n, Script.type_name(hits), Float32Array.size(hits)", "2\tFloat32Array\t21");
    assert_lua(&f, "actors[1] == b, actors[2] == t, actors[3], actors[4]",
               "true\ttrue\tfalse\tnil");
    assert_lua(&f,
               "near(get(hits, 1), 7), near(get(hits, 4), 2), get(hits, 7), near(get(hits, 8), 7), "
               "get(hits, 15)",
               "true\ttrue\t1\ttrue\t-1");
    run_lua(&f, "array = Float32Array(21) "
                "for i = 1, 21 do Float32Array.set(array, i, rays[i]) end into = Float32Array(1) "
                "m, same = PhysicsWorld.raycast_many(P, array, into, nil, 'types', 'statics')");
    assert_lua(&f, "m, same == into, near(get(into, 1), 9), near(get(into, 8), 9)",
               "2\ttrue\ttrue\ttrue");
    assert_lua_error(&f, "PhysicsWorld.raycast_many(P, {1, 2})",
                     "PhysicsWorld.raycast_many: argument 2 (rays): expected 7 numbers for each");
    assert_lua_error(&f, "PhysicsWorld.raycast_many(P, {0, 0, 0, 0, 0, 0, 1})",
                     "argument 2 (rays): expected a start within 1e+07 m, a direction and a "
                     "length from 0 to 1e+07 m for ray 1, got (0, 0, 0), (0, 0, 0) and 1");
    assert_lua_error(&f, "PhysicsWorld.raycast_many(P, {0, 0, 0, 0, 'x', 0, 1})",
                     "argument 2 (rays): expected a number at index 5, got string");
    assert_lua_error(&f, "PhysicsWorld.raycast_many(P, rays, {})",
                     "argument 3 (hits): expected Float32Array");
    assert_lua_error(&f, "PhysicsWorld.raycast_many(P, rays, nil, 3)",
                     "argument 4 (actors): expected table or nil, got number");
    assert_lua_error(&f, "PhysicsWorld.raycast_many(P, rays, nil, nil, 'all')",
                     "argument 5 (params): there is no parameter \"all\"");
}

static void makes_no_garbage_of_many_rays(void **state) {
    (void)state;
    run_lua(&f, "rays, hits, actors = Float32Array(7000), Float32Array(7000), {} "
                "local set = Float32Array.set for i = 0, 999 do set(rays, i * 7 + 3, 9) "
                "set(rays, i * 7 + 6, -1) set(rays, i * 7 + 7, 50) end "
                "function many() return (PhysicsWorld.raycast_many(P, rays, hits, actors)) end "
                "many() many() collectgarbage() collectgarbage('stop') "
                "before = collectgarbage('count') for i = 1, 20 do many() end "
                "grown = collectgarbage('count') - before collectgarbage('restart')");
    assert_lua(&f, "many(), grown < 1", "1000\ttrue");
}

// --- Raycast -------------------------------------------------------------------------------------

static void answers_rays_after_the_next_step(void **state) {
    (void)state;
    run_lua(&f, "seen = {} r = PhysicsWorld.make_raycast(P, function(hit, position, distance, "
                "normal, actor) table.insert(seen, {hit, distance, actor}) end, 'closest') "
                "r2 = PhysicsWorld.make_raycast(P, function(hits) table.insert(seen, #hits) end, "
                "'all', 'max_hits', 8) "
                "Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, -1), 100) "
                "Raycast.cast(r2, Vector3(0, 0, 9), Vector3(0, 0, -1)) "
                "Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, 1), 100)");
    assert_lua(&f, "#seen", "0");
    run_lua(&f, "World.update(W, 0)");
    assert_lua(&f, "#seen, seen[1][1], near(seen[1][2], 7), seen[1][3] == b, seen[2], seen[3][1]",
               "3\ttrue\ttrue\ttrue\t2\tfalse");
    run_lua(&f, "World.update(W, 0)");
    assert_lua(&f, "#seen", "3");
    run_lua(&f, "direct = PhysicsWorld.make_raycast(P, nil, 'any')");
    assert_lua(&f, "Raycast.cast(direct, Vector3(0, 0, 9), Vector3(0, 0, -1))", "true");
    assert_lua_error(&f, "Raycast.cast(direct, Vector3(0, 0, 9), Vector3(0, 0, 0))",
                     "Raycast.cast: argument 3 (dir): expected a direction");
    assert_lua_error(&f, "Raycast.cast(P, Vector3(0, 0, 9), Vector3(0, 0, 1))",
                     "Raycast.cast: argument 1 (self): expected Raycast, got PhysicsWorld");
    assert_lua_error(&f, "PhysicsWorld.make_raycast(P, 3)",
                     "PhysicsWorld.make_raycast: argument 2 (callback): expected function or nil, "
                     "got number");
}

// A function may ask again, fail, or end the world.
static void goes_on_after_what_functions_do(void **state) {
    (void)state;
    run_lua(&f, "n = 0 r = PhysicsWorld.make_raycast(P, function() n = n + 1 "
                "Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, -1)) end, 'any') "
                "bad = PhysicsWorld.make_raycast(P, function() error('no wish') end, 'any') "
                "Raycast.cast(bad, Vector3(0, 0, 9), Vector3(0, 0, -1)) "
                "Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, -1)) World.update(W, 0)");
    assert_lua(&f, "n", "1");
    assert_true(is_logged("no wish"));
    run_lua(&f, "World.update(W, 0) World.update(W, 0)");
    assert_lua(&f, "n", "3");
    run_lua(&f, "V = Application.new_world() Q = World.physics_world(V) m = 0 "
                "e = PhysicsWorld.make_raycast(Q, function() m = m + 1 "
                "  Application.release_world(V) end, 'any') "
                "for i = 1, 2 do Raycast.cast(e, Vector3(0, 0, 9), Vector3(0, 0, -1)) end "
                "World.update(V, 0)");
    assert_lua(&f, "m", "1");
    assert_lua_error(&f, "Raycast.cast(e, Vector3(0, 0, 9), Vector3(0, 0, 1))",
                     "expected Raycast, got a destroyed Raycast");
}

static void refuses_too_many_queries_that_wait(void **state) {
    (void)state;
    run_lua(&f, "n = 0 r = PhysicsWorld.make_raycast(P, function() n = n + 1 end, 'any') "
                "local from, dir = Vector3(0, 0, 9), Vector3(0, 0, 1) "
                "for i = 1, 65536 do Raycast.cast(r, from, dir, 1) end");
    assert_lua_error(&f, "Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, 1))",
                     "Raycast.cast: 65536 rays and overlaps wait already; World.update answers "
                     "them");
    run_lua(&f, "World.update(W, 0) Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, 1))");
    assert_lua(&f, "n", "65536");
}

static void counts_only_queries_that_wait(void **state) {
    (void)state;
    run_lua(&f, "n = 0 r = PhysicsWorld.make_raycast(P, function() n = n + 1 "
                "if n <= 40000 then Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, 1), 1) end "
                "end, 'any') local from, dir = Vector3(0, 0, 9), Vector3(0, 0, 1) "
                "for i = 1, 40000 do Raycast.cast(r, from, dir, 1) end World.update(W, 0)");
    assert_lua(&f, "n", "40000");
    run_lua(&f, "World.update(W, 0)");
    assert_lua(&f, "n", "80000");
}

// The physics resource may be loaded again without a filter that a ray has.
static void leaves_out_rays_whose_filter_is_gone(void **state) {
    (void)state;
    run_lua(&f,
            "n = 0 r = PhysicsWorld.make_raycast(P, function() n = n + 1 end, 'any', "
            "'collision_filter', 'player') s = PhysicsWorld.make_raycast(P, nil, 'any', "
            "'collision_filter', 'player') Raycast.cast(r, Vector3(0, 0, 9), Vector3(0, 0, -1))");
    ct_physics_system_use(f.world.physics, ct_string_id64_of("none/at/all"));
    run_lua(&f, "World.update(W, 0)");
    assert_lua(&f, "n", "0");
    assert_true(is_logged("a ray or overlap is left out, and its function is not called: its "
                          "collision filter \"player\" is not in the physics resource any more"));
    assert_lua_error(&f, "Raycast.cast(s, Vector3(0, 0, 9), Vector3(0, 0, -1))",
                     "Raycast.cast: argument 1 (self): its collision filter \"player\" is not in "
                     "the physics resource any more");
}

// --- Sweeps and overlaps -------------------------------------------------------------------------

static void sweeps_shapes(void **state) {
    (void)state;
    run_lua(&f, "hits = PhysicsWorld.linear_sphere_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 1), "
                "0.5, 4)");
    assert_lua(&f, "#hits, hits[1].actor == b, math.abs(hits[1].distance - 6.5) < 0.02",
               "1\ttrue\ttrue");
    run_lua(&f, "hits = PhysicsWorld.linear_obb_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, -1), "
                "Vector3(0.5, 0.5, 1), Quaternion.identity(), 4)");
    assert_lua(&f, "#hits, math.abs(hits[1].distance - 6) < 0.02, hits[2].actor == s",
               "2\ttrue\ttrue");
    run_lua(&f, "hits = PhysicsWorld.linear_capsule_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 1), "
                "Quaternion.identity(), 0.5, 1, 1, 'types', 'dynamics')");
    assert_lua(&f, "#hits, math.abs(hits[1].distance - 5.5) < 0.02", "1\ttrue");
    assert_lua(&f,
               "#PhysicsWorld.linear_sphere_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 20), 0.5, 4)",
               "0");
    assert_lua_error(
        &f, "PhysicsWorld.linear_sphere_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 1), 0, 4)",
        "PhysicsWorld.linear_sphere_sweep: argument 4 (radius): expected a number "
        "from 0.0001 to 100000, got 0");
    assert_lua_error(
        &f, "PhysicsWorld.linear_sphere_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 1), 1, 1.5)",
        "argument 5 (max_hits): expected an integer");
    assert_lua_error(&f,
                     "PhysicsWorld.linear_obb_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 1), "
                     "Vector3(1, -1, 1), Quaternion.identity(), 1)",
                     "PhysicsWorld.linear_obb_sweep: argument 4 (extents): expected half the size, "
                     "numbers from 0.0001 to 100000 m, got (1, -1, 1)");
    assert_lua_error(
        &f, "PhysicsWorld.linear_obb_sweep(P, Vector3(0, 0, 9), 1)",
        "PhysicsWorld.linear_obb_sweep: argument 3 (to): expected Vector3, got number");
    assert_lua_error(&f, "PhysicsWorld.linear_sphere_sweep(W, Vector3(0, 0, 9), 1)",
                     "argument 1 (self): expected PhysicsWorld, got World");
    assert_lua_error(&f,
                     "PhysicsWorld.linear_capsule_sweep(P, Vector3(0, 0, 9), Vector3(0, 0, 1), "
                     "Quaternion.identity(), 1, 1)",
                     "PhysicsWorld.linear_capsule_sweep: argument 7 (max_hits): expected integer");
}

static void overlaps_shapes(void **state) {
    (void)state;
    run_lua(&f, "found = PhysicsWorld.overlap(P, nil, 'shape', 'sphere', 'position', "
                "Vector3(0, 0, 3), 'size', 1.1)");
    assert_lua(&f, "#found, found[1] == b", "1\ttrue");
    run_lua(&f, "found = PhysicsWorld.overlap(P, nil, 'size', Vector3(20, 20, 20), 'shape', "
                "'oobb', 'pose', Matrix4x4.identity(), 'types', 'dynamics')");
    assert_lua(&f, "#found", "2");
    run_lua(&f, "found = PhysicsWorld.overlap(P, nil, 'shape', 'capsule', 'position', "
                "Vector3(10, 0, 4), 'rotation', Quaternion.identity(), 'size', "
                "Vector3(0.5, 1.6, 0), 'max_hits', 1)");
    assert_lua(&f, "#found, found[1] == t", "1\ttrue");
    run_lua(&f, "later = nil none = PhysicsWorld.overlap(P, function(actors) later = actors end, "
                "'shape', 'sphere', 'position', Vector3(0, 0, 1), 'size', Vector3(0.5, 0, 0))");
    assert_lua(&f, "none, later", "nil\tnil");
    run_lua(&f, "World.update(W, 0)");
    assert_lua(&f, "#later, later[1] == b", "1\ttrue");
    assert_lua_error(&f, "PhysicsWorld.overlap(P, nil, 'shape', 'spere')",
                     "PhysicsWorld.overlap: argument 4 (params): expected \"sphere\" or \"oobb\" "
                     "or \"capsule\", got \"spere\"");
    assert_lua_error(&f, "PhysicsWorld.overlap(P, nil, 'shape', 'sphere')",
                     "expected the parameter \"position\"");
    assert_lua_error(&f, "PhysicsWorld.overlap(P, nil, 'position', Vector3(0, 0, 0))",
                     "expected the parameter \"shape\"");
    assert_lua_error(
        &f, "PhysicsWorld.overlap(P, nil, 'shape', 'sphere', 'position', Vector3(0, 0, 0))",
        "expected the parameter \"size\"");
    assert_lua_error(&f,
                     "PhysicsWorld.overlap(P, nil, 'shape', 'oobb', 'position', Vector3(0, 0, 0), "
                     "'size', Vector3(1, 0, 1))",
                     "argument 8 (params): expected sizes above 0 and up to 1e+07 m, got 0");
    assert_lua_error(&f, "PhysicsWorld.overlap(P, 7)",
                     "argument 2 (callback): expected function or nil, got number");
}

static void finds_the_closest_point(void **state) {
    (void)state;
    assert_lua(&f,
               "local hit, position, distance, normal, actor = PhysicsWorld.closest_point(P, "
               "Vector3(0, 0, 4), 5) return hit, math.abs(position.z - 2) < 0.05, "
               "math.abs(distance - 2) < 0.05, actor == b",
               "true\ttrue\ttrue\ttrue");
    assert_lua(&f, "PhysicsWorld.closest_point(P, Vector3(0, 0, 4), 1)", "false");
    assert_lua_error(&f, "PhysicsWorld.closest_point(P, Vector3(0, 0, 4), -1)",
                     "PhysicsWorld.closest_point: argument 3 (reach): expected a number from 0 to "
                     "1e+07, got -1");
}

// --- Actors and the world ------------------------------------------------------------------------

static void makes_and_ends_actors(void **state) {
    (void)state;
    assert_lua(&f, "PhysicsWorld.num_actors(P)", "3");
    run_lua(&f, "x = PhysicsWorld.spawn_box(P, Vector3(50, 0, 0), Vector3(1, 1, 1), 'heavy', "
                "'ghost', 'ice')");
    assert_lua(&f, "Actor.mass(x), PhysicsWorld.num_actors(P)", "1000\t4");
    run_lua(&f, "PhysicsWorld.destroy_actor(P, x)");
    assert_lua(&f, "PhysicsWorld.num_actors(P)", "3");
    assert_lua_error(&f, "PhysicsWorld.destroy_actor(P, x)",
                     "PhysicsWorld.destroy_actor: argument 2 (actor): expected Actor, got a "
                     "destroyed Actor");
    assert_lua_error(&f, "PhysicsWorld.spawn_sphere(P, Vector3(0, 0, 0), 1, 'heavi')",
                     "PhysicsWorld.spawn_sphere: argument 4 (actor): the physics resource has no "
                     "actor template \"heavi\", did you mean \"heavy\"?");
    assert_lua_error(&f, "PhysicsWorld.spawn_sphere(P, Vector3(0, 0, 0), 1, nil, nil, 'icy')",
                     "argument 6 (material): the physics resource has no material \"icy\", did you "
                     "mean \"ice\"?");
    assert_lua_error(&f, "PhysicsWorld.spawn_sphere(P, Vector3(0, 0, 0), 0)",
                     "argument 3 (radius): expected a number from 0.0001 to 100000, got 0");
    assert_lua_error(&f, "PhysicsWorld.spawn_box(P, Vector3(0, 0, 0), Vector3(1, 0, 1))",
                     "PhysicsWorld.spawn_box: argument 3 (radius): expected half the size");
    assert_lua_error(&f, "PhysicsWorld.spawn_plane(P, Vector3(0, 0, 0), Vector3(0, 0, 0))",
                     "PhysicsWorld.spawn_plane: argument 3 (normal): expected a direction");
}

static void has_planes_with_normals_of_any_direction(void **state) {
    (void)state;
    run_lua(&f,
            "function plane(x, y, z) local n = Vector3(x, y, z) "
            "local p = PhysicsWorld.spawn_plane(P, Vector3(500, 500, 500), n) "
            "local _, position, _, normal = PhysicsWorld.raycast(P, Vector3(500, 500, 500) + n, "
            "-n, 3, 'types', 'statics') PhysicsWorld.destroy_actor(P, p) "
            "return near(normal, n) and near(position, Vector3(500, 500, 500)) end");
    assert_lua(&f,
               "plane(0, 0, 1), plane(0, 0, -1), plane(1, 0, 0), plane(0, -1, 0), "
               "plane(0.6, 0, -0.8)",
               "true\ttrue\ttrue\ttrue\ttrue");
}

static void has_gravity(void **state) {
    (void)state;
    assert_lua(&f, "near(PhysicsWorld.gravity(P), Vector3(0, 0, -10))", "true");
    run_lua(&f, "PhysicsWorld.set_gravity(P, Vector3(0, 0, 4)) x = ball(50, 0, 5) run(1)");
    assert_lua(&f, "math.abs(Actor.position(x).z - 7) < 0.1", "true");
    assert_lua_error(&f, "PhysicsWorld.set_gravity(P, Vector3(0, 0, 1 / 0))",
                     "PhysicsWorld.set_gravity: argument 2 (gravity): ");
    assert_lua_error(&f, "PhysicsWorld.set_gravity(P, Vector3(0, 0, 1e5))",
                     "argument 2 (gravity): expected a gravity of numbers from -10000 to 10000, "
                     "got (0, 0, 100000)");
    assert_lua_error(&f, "PhysicsWorld.gravity(W)", "PhysicsWorld.gravity: argument 1 (self)");
    assert_lua_error(&f, "PhysicsWorld.num_actors(W)", "PhysicsWorld.num_actors: argument 1");
}

// Returns the lines that a frame in which the world is rendered sends.
static uint32_t lines_of_a_frame(void) {
    const uint32_t before = recorded()->num_line_vertices;
    run_lua(&f, "World.update(W, 0) Application.render_world(W, Unit.camera(C, 1), V)");
    return (recorded()->num_line_vertices - before) / 2;
}

static void draws_physics(void **state) {
    (void)state;
    run_lua(&f, "V = Application.create_viewport(W, 'default')");
    assert_int_equal(lines_of_a_frame(), 0);
    run_lua(&f, "PhysicsWorld.set_debug_draw(P, true)");
    lines_of_a_frame();
    assert_true(lines_of_a_frame() > 12); // the box, and more
    run_lua(&f, "PhysicsWorld.set_debug_draw(P, false)");
    assert_int_equal(lines_of_a_frame(), 0);
    assert_lua_error(&f, "PhysicsWorld.set_debug_draw(P)",
                     "PhysicsWorld.set_debug_draw: argument 2 (enable): expected boolean, got nil");
    assert_lua_error(&f, "PhysicsWorld.set_debug_draw(W, true)",
                     "argument 1 (self): expected PhysicsWorld, got World");
}

static void wakes_actors(void **state) {
    (void)state;
    run_lua(&f, "Actor.put_to_sleep(b) Actor.put_to_sleep(t) "
                "PhysicsWorld.wake_actors(P, 'ghost', Vector3(-2, -2, 0), Vector3(2, 2, 2))");
    assert_lua(&f, "Actor.is_sleeping(b), Actor.is_sleeping(t)", "true\ttrue");
    run_lua(&f, "PhysicsWorld.wake_actors(P, 'player', Vector3(-2, -2, 0), Vector3(2, 2, 2))");
    assert_lua(&f, "Actor.is_sleeping(b), Actor.is_sleeping(t)", "false\ttrue");
    assert_lua_error(&f, "PhysicsWorld.wake_actors(P, 'x', Vector3(0, 0, 0), Vector3(1, 1, 1))",
                     "PhysicsWorld.wake_actors: argument 2 (filter_id): the physics resource has "
                     "no collision filter \"x\"");
    assert_lua_error(&f,
                     "PhysicsWorld.wake_actors(P, 'player', Vector3(0, 0, 0), Vector3(1, -1, 1))",
                     "argument 4 (max): expected numbers above those of min, got (1, -1, 1)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE_TEST(casts_rays_to_the_closest),
        SCENE_TEST(casts_rays_for_any_and_all),
        SCENE_TEST(leaves_out_what_filters_do),
        SCENE_TEST(refuses_wrong_parameters_of_rays),
        SCENE_TEST(casts_many_rays),
        SCENE_TEST(makes_no_garbage_of_many_rays),
        SCENE_TEST(answers_rays_after_the_next_step),
        SCENE_TEST(goes_on_after_what_functions_do),
        SCENE_TEST(refuses_too_many_queries_that_wait),
        SCENE_TEST(counts_only_queries_that_wait),
        SCENE_TEST(leaves_out_rays_whose_filter_is_gone),
        SCENE_TEST(sweeps_shapes),
        SCENE_TEST(overlaps_shapes),
        SCENE_TEST(finds_the_closest_point),
        SCENE_TEST(makes_and_ends_actors),
        SCENE_TEST(has_planes_with_normals_of_any_direction),
        SCENE_TEST(has_gravity),
        SCENE_TEST(draws_physics),
        SCENE_TEST(wakes_actors),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
