// NavigationMesh: paths, places, changes, state, drawing.
#include "script/navigation/navigation_script.h"

// --- Meshes --------------------------------------------------------------------------------------

static void levels_have_meshes_by_class(void **state) {
    (void)state;
    assert_lua(&f, "Script.type_name(M), Level.navigation_mesh(Y) == M", "NavigationMesh\ttrue");
    assert_lua(&f,
               "Level.navigation_mesh(Y, 'walker') == M, Level.navigation_mesh(Y, 'giant'), "
               "Level.navigation_mesh(World.load_level(W, 'levels/bare'))",
               "true\tnil\tnil");
    assert_lua(&f, "NavigationMesh.class(M).name, NavigationMesh.class(M).radius", "walker\t0.5");
    assert_lua(&f, "NavigationMesh.areas(M)[1], NavigationMesh.areas(M)[3]", "area0\tarea2");
    assert_lua_error(
        &f, "Level.navigation_mesh(Y, 5)",
        "Level.navigation_mesh: argument 2 (class): expected IdString32 or string, got number");
}

static void worlds_make_meshes_at_poses(void **state) {
    (void)state;
    run_lua(&f, "N = World.create_navigation_mesh(W, 'levels/walks', 'walker', "
                "Matrix4x4.from_quaternion_position(Quaternion(Vector3(0, 0, 1), math.pi / 2), "
                "Vector3(100, 0, 5)))");
    assert_lua(&f, "N ~= M, at(NavigationMesh.nearest(N, Vector3(98, 1, 5)))", "true\t98 1 5");
    assert_lua(&f, "NavigationMesh.nearest(N, Vector3(1, 1, 0))", "nil");
    // Turned by a quarter: what was along x is along y.
    assert_lua(&f, "ats((NavigationMesh.find_path(N, Vector3(99, 1, 5), Vector3(99, 15, 5))))",
               "99 1 5, 99 15 5");
    // A wall to the right, seen along -x.
    assert_lua(&f,
               "(function() local ok, p, n = "
               "NavigationMesh.ray(N, Vector3(99, 8, 5), Vector3(90, 8, 5)) "
               "return tostring(ok) .. ': ' .. at(p) .. ', ' .. at(n) end)()",
               "false: 96 8 5, 1 0 0");
    run_lua(&f, "NavigationMesh.destroy(W, N)");
    assert_lua_error(&f, "NavigationMesh.num_polygons(N)",
                     "NavigationMesh.num_polygons: argument 1 (self): expected NavigationMesh, got "
                     "a destroyed NavigationMesh");
    assert_lua_error(&f, "NavigationMesh.destroy(W, M)",
                     "argument 2 (mesh): expected a mesh that World.create_navigation_mesh made; "
                     "that of a level ends with the level");
    assert_lua_error(&f, "World.create_navigation_mesh(W, 'levels/walks', 'giant')",
                     "has no class \"giant\"; expected \"walker\"");
    assert_lua_error(&f, "World.create_navigation_mesh(W, 'levels/wlks')",
                     "argument 2 (name): there is no navigation \"levels/wlks\"");
    assert_lua_error(&f,
                     "World.create_navigation_mesh(W, 'levels/walks', nil, "
                     "Matrix4x4.from_quaternion(Quaternion(Vector3(1, 0, 0), 0.5)))",
                     "World.create_navigation_mesh: ");
}

static void meshes_end_with_their_level(void **state) {
    (void)state;
    run_lua(&f, "F = NavigationMesh.field(M, {Vector3(1, 1, 0)}) World.destroy_level(W, Y)");
    assert_lua_error(&f, "NavigationMesh.save(M)",
                     "argument 1 (self): expected NavigationMesh, got a destroyed NavigationMesh");
    run_lua(&f, "Z = World.load_level(W, 'levels/walks') N = Level.navigation_mesh(Z)");
    assert_lua_error(&f, "NavigationMesh.field_at(N, F, Vector3(1, 1, 0))",
                     "argument 2 (field): expected NavigationField, got a destroyed "
                     "NavigationField");
    // Handles of meshes that are never used again end in the next update.
    run_lua(&f, "for i = 1, 20 do World.destroy_level(W, Z) "
                "  Z = World.load_level(W, 'levels/walks') N = Level.navigation_mesh(Z) "
                "  World.update(W, 0.01) end");
    assert_lua_error(&f, "NavigationMesh.num_polygons(M)", "got a destroyed NavigationMesh");
    assert_lua(&f, "NavigationMesh.num_polygons(N) > 0", "true");
}

static void counts_what_a_world_has(void **state) {
    (void)state;
    run_lua(&f, "walker(1, 1) NavigationMesh.add_obstacle(M, {shape = 'cylinder', radius = 0.5, "
                "position = Vector3(3, 3, 0)}) c = NavigationMesh.counts(W)");
    assert_lua(&f, "c.meshes, c.tiles, c.obstacles, c.waiting_tiles, c.paths", "1\t4\t1\t1\t0");
    assert_lua(&f, "c.polygons == NavigationMesh.num_polygons(M)", "true");
}

// --- Paths ---------------------------------------------------------------------------------------

static void finds_paths_at_once(void **state) {
    (void)state;
    assert_lua(
        &f,
        "(function() local c, s, l = "
        "NavigationMesh.find_path(M, Vector3(8, 2, 0), Vector3(8, 9, 0)) "
        "return #c .. ' ' .. s .. ' ' .. at(c[1]) .. ' ' .. at(c[#c]), l > 7 and l < 9 end)()",
        "4 found 8 2 0 8 9 0\ttrue");
    assert_lua(&f, "NavigationMesh.find_path(M, Vector3(1, 1, 0), Vector3(50, 1, 0))",
               "nil\toff_mesh\t0");
    run_lua(&f, "NavigationMesh.set_link(M, 'l1', false)");
    assert_lua(&f, "NavigationMesh.find_path(M, Vector3(1, 1, 0), Vector3(15, 15, 0))",
               "nil\tunreachable\t0");
    assert_lua(&f,
               "(function() local c, s = NavigationMesh.find_path(M, Vector3(1, 1, 0), "
               "Vector3(15, 15, 0), {partial = true}) return s, #c > 1 end)()",
               "partial\ttrue");
    assert_lua(&f,
               "(select(2, NavigationMesh.find_path(M, Vector3(1, 1, 0), Vector3(15, 9, 0), "
               "{max_polygons = 1})))",
               "over");
}

static void paths_have_their_own_costs(void **state) {
    (void)state;
    run_lua(&f, "a, b = Vector3Box(Vector3(1, 13, 0)), Vector3Box(Vector3(11, 13, 0)) "
                "function length(o) local c, s, l = "
                "NavigationMesh.find_path(M, a:unbox(), b:unbox(), o) return s, l end");
    // Three times as dear: around by the ground.
    assert_lua(&f, "select(2, length()) > 10.2", "true");
    assert_lua(&f, "near(select(2, length({costs = {area2 = 1}})), 10)", "true");
    assert_lua(&f, "length({closed = {'area2'}})", "off_mesh\t0");
    assert_lua(&f, "(length({closed = {'area0'}}))", "found");
    run_lua(&f, "b:store(Vector3(15, 15, 0))");
    assert_lua(&f, "(length()), (length({without_links = true}))", "found\tunreachable");
    // The mesh is as it was.
    assert_lua(&f, "NavigationMesh.area(M, 'area2')", "false\t3");
    assert_lua_error(&f, "length({costs = {mud = 1}})",
                     "argument 4 (options): the navigation has no area \"mud\"");
    assert_lua_error(&f, "length({costs = {area2 = -1}})",
                     "costs: expected a number from 0.01 to 1e+06, got -1");
    assert_lua_error(&f, "length({closed = {5}})", "closed: expected string, got number");
    assert_lua_error(&f, "length({partials = true})",
                     "there is no member \"partials\", did you mean \"partial\"?");
    assert_lua_error(&f, "length({partial = 1})", "partial: expected boolean, got number");
    assert_lua_error(&f, "length({1})", "expected a table of values by name");
    assert_lua_error(&f, "length(5)", "argument 4 (options): expected table, got number");
    assert_lua_error(&f, "NavigationMesh.find_path(M, Vector3(0 / 0, 1, 0), Vector3(1, 1, 0))",
                     "argument 2 (from): expected a finite Vector3");
}

// --- Paths over steps ----------------------------------------------------------------------------

static const char start_several[] =
    "heard = {} "
    "function hear(status, corners, query) "
    "  heard[#heard + 1] = status .. ' ' .. query .. ' ' .. (corners and #corners or 0) "
    "end "
    "function all() local t = table.concat(heard, ', ') heard = {} return t end "
    "function start(x, y, o) "
    "  return NavigationMesh.start_path(M, Vector3(1, 1, 0), Vector3(x, y, 0), hear, o) end";

static void answers_paths_in_the_order_of_asking(void **state) {
    (void)state;
    run_lua(&f, start_several);
    assert_lua(&f, "start(5, 1), start(50, 1), start(1, 5)", "1\t2\t3");
    assert_lua(&f, "all(), NavigationMesh.counts(W).paths", "\t3");
    run_lua(&f, "World.update(W, 0.01)");
    assert_lua(&f, "all()", "found 1 2, off_mesh 2 0, found 3 2");
    run_lua(&f, "World.update(W, 0.01)");
    assert_lua(&f, "all(), NavigationMesh.counts(W).paths", "\t0");
    run_lua(&f, "q = NavigationMesh.start_paths(M, {Vector3(1, 1, 0), Vector3(2, 1, 0)}, "
                "Float32Array({5, 1, 0, 5, 2, 0}), hear) World.update(W, 0.01)");
    assert_lua(&f, "#q, q[1], all()", "2\t4\tfound 4 2, found 5 2");
    assert_lua_error(&f, "NavigationMesh.start_paths(M, {1, 1, 0, 2, 2, 0}, {1, 2, 3}, hear)",
                     "argument 3 (to): expected a goal for each of 2 starts, got 1");
    assert_lua_error(&f, "NavigationMesh.start_path(M, Vector3(1, 1, 0), Vector3(1, 1, 0))",
                     "argument 4 (callback): expected function, got nil");
}

static void paths_are_cancelled(void **state) {
    (void)state;
    run_lua(&f, start_several);
    run_lua(&f, "a, b = start(5, 1), start(6, 1) NavigationMesh.cancel_path(M, a) "
                "NavigationMesh.cancel_path(M, a) NavigationMesh.cancel_path(M, 77) "
                "World.update(W, 0.01)");
    assert_lua(&f, "all()", "found 2 2");
    // By the function of another.
    run_lua(&f, "NavigationMesh.start_path(M, Vector3(1, 1, 0), Vector3(2, 1, 0), function() "
                "  NavigationMesh.cancel_path(M, c) d = start(2, 2) end) c = start(5, 1) "
                "World.update(W, 0.01)");
    assert_lua(&f, "all(), d", "\t5");
    run_lua(&f, "World.update(W, 0.01)");
    assert_lua(&f, "all()", "found 5 2");
}

static void answers_over_when_a_mesh_goes_away(void **state) {
    (void)state;
    run_lua(&f, start_several);
    run_lua(&f, "start(5, 1) World.destroy_level(W, Y) World.update(W, 0.01)");
    assert_lua(&f, "all()", "over 1 0");
}

static void calls_nothing_of_worlds_that_end(void **state) {
    (void)state;
    run_lua(&f, start_several);
    run_lua(&f, "V = Application.new_world() "
                "N = World.create_navigation_mesh(V, 'levels/walks') "
                "F = NavigationMesh.field(N, {Vector3(1, 1, 0)}) "
                "NavigationMesh.start_path(N, Vector3(1, 1, 0), Vector3(5, 1, 0), hear) "
                "Application.release_world(V) World.update(W, 0.01)");
    assert_lua(&f, "all()", "");
    assert_lua_error(&f, "NavigationMesh.num_polygons(N)", "got a destroyed NavigationMesh");
    assert_lua_error(&f, "NavigationMesh.field_at(M, F, Vector3(1, 1, 0))",
                     "got a destroyed NavigationField");
    // A function may end its own world: the rest is not called.
    run_lua(&f, "V = Application.new_world() N = World.create_navigation_mesh(V, 'levels/walks') "
                "NavigationMesh.start_path(N, Vector3(1, 1, 0), Vector3(5, 1, 0), "
                "  function() Application.release_world(V) end) "
                "NavigationMesh.start_path(N, Vector3(1, 1, 0), Vector3(5, 1, 0), hear) "
                "World.update(V, 0.01) World.update(W, 0.01)");
    assert_lua(&f, "all()", "");
}

static void reports_errors_of_functions(void **state) {
    (void)state;
    run_lua(&f, start_several);
    run_lua(&f, "NavigationMesh.start_path(M, Vector3(1, 1, 0), Vector3(2, 1, 0), "
                "function() error('ouch') end) start(5, 1) World.update(W, 0.01)");
    assert_lua(&f, "all()", "found 2 2");
    assert_true(is_logged("ouch"));
}

static void deadlines_end_paths(void **state) {
    (void)state;
    run_lua(&f, start_several);
    ct_world_system_set_navigation(f.world.system, (ct_navigation_settings){.path_polygons = 32});
    run_lua(&f, "for i = 1, 200 do start(15, 9, {deadline = 1}) end World.update(W, 0.01)");
    assert_lua(&f, "#heard", "200");
    run_lua(&f, "World.update(W, 0.01)");
    assert_lua(&f, "#heard", "200");
}

// --- Places --------------------------------------------------------------------------------------

static void finds_places(void **state) {
    (void)state;
    assert_lua(&f, "at(NavigationMesh.nearest(M, Vector3(1.5, 1.5, 0.5)))", "1.5 1.5 0");
    assert_lua(&f, "NavigationMesh.nearest(M, Vector3(8, 5.5, 0))", "nil");
    assert_lua(&f, "at(NavigationMesh.nearest(M, Vector3(8, 6, 0), 2))", "8 7 0");
    assert_lua(&f,
               "NavigationMesh.height(M, Vector3(1, 1, 1)), NavigationMesh.height(M, "
               "Vector3(8, 5.5, 1))",
               "0\tnil");
    assert_lua(&f, "NavigationMesh.is_connected(M, Vector3(1, 1, 0), Vector3(15, 15, 0))", "true");
    assert_lua(&f, "NavigationMesh.is_connected(M, Vector3(1, 1, 0), Vector3(99, 15, 0))", "false");
    run_lua(&f, "NavigationMesh.set_link(M, 'l1', false)");
    assert_lua(&f, "NavigationMesh.is_connected(M, Vector3(1, 1, 0), Vector3(15, 15, 0))", "false");
    assert_lua_error(&f, "NavigationMesh.nearest(M, Vector3(1, 1, 0), -1)",
                     "argument 3 (reach): expected a number from 0 to 10000, got -1");
}

static void casts_rays(void **state) {
    (void)state;
    run_lua(&f, "function ray(...) local ok, p, n = NavigationMesh.ray(M, ...) "
                "return tostring(ok) .. ': ' .. at(p) .. ', ' .. at(n) end");
    assert_lua(&f, "ray(Vector3(1, 1, 0), Vector3(5, 1, 0))", "true: 5 1 0, nil");
    assert_lua(&f, "ray(Vector3(8, 2, 0), Vector3(8, 9, 0))", "false: 8 4 0, 0 -1 0");
    assert_lua(&f, "ray(Vector3(1, 9, 0), Vector3(1, 14, 0), {closed = {'area2'}})",
               "false: 1 12 0, 0 -1 0");
    assert_lua(&f, "ray(Vector3(-50, 9, 0), Vector3(1, 14, 0))", "false: nil, nil");
    assert_lua_error(&f,
                     "NavigationMesh.ray(M, Vector3(1, 9, 0), Vector3(1, 1, 0), {partial = true})",
                     "there is no member \"partial\"");
}

static void finds_random_points(void **state) {
    (void)state;
    run_lua(&f, "island, far, least = 0, 0, 99 "
                "for i = 1, 400 do "
                "  local p, polygon = NavigationMesh.random_point(M) "
                "  assert(NavigationMesh.find_polygon(M, p), at(p)) "
                "  if p.x > 12 and p.y > 14 then island = island + 1 end "
                "  local q = NavigationMesh.random_point(M, Vector3(1, 1, 0), 4) "
                "  far = math.max(far, q.x) least = math.min(least, q.y) "
                "end");
    assert_lua(&f, "island > 0, island < 30, least < 4, far <= 16", "true\ttrue\ttrue\ttrue");
    assert_lua(&f, "NavigationMesh.random_point(M, Vector3(99, 1, 0))", "nil");
    assert_lua_error(&f, "NavigationMesh.random_point(M, nil, 5)",
                     "argument 2 (from): expected a Vector3 that the radius is around, got nil");
}

static void fields_lead_to_the_nearest_goal(void **state) {
    (void)state;
    run_lua(&f, "F = NavigationMesh.field(M, {Vector3(1, 1, 0), Vector3(15, 1, 0)})");
    assert_lua(&f, "Script.type_name(F)", "NavigationField");
    assert_lua(&f,
               "(function() local d, p = NavigationMesh.field_at(M, F, Vector3(13, 1, 0)) "
               "return near(d, 2), at(p) end)()",
               "true\t15 1 0");
    assert_lua(&f, "near(NavigationMesh.field_at(M, F, Vector3(2, 1, 0)), 1)", "true");
    assert_lua(&f, "NavigationMesh.field_at(M, F, Vector3(99, 1, 0))", "inf");
    // Many at once: in a list, in numbers, and in arrays that are used again.
    run_lua(&f, "D, P = NavigationMesh.field_at_many(M, F, {Vector3(13, 1, 0), Vector3(99, 1, 5)}) "
                "size, get, vector = Float32Array.size, Float32Array.get, Float32Array.vector3");
    assert_lua(
        &f, "size(D), near(get(D, 1), 2), get(D, 2), size(P), at(vector(P, 1)), at(vector(P, 2))",
        "2\ttrue\tinf\t6\t15 1 0\t99 1 5");
    run_lua(&f, "E, Q = NavigationMesh.field_at_many(M, F, P, D, P)");
    assert_lua(&f, "E == D, Q == P, get(D, 1) < 0.01, get(D, 2)", "true\ttrue\ttrue\tinf");
    assert_lua(&f, "near(get(NavigationMesh.field_at_many(M, F, {2, 1, 0}), 1), 1)", "true");
    assert_lua(&f, "size((NavigationMesh.field_at_many(M, F, {})))", "0");
    assert_lua_error(&f, "NavigationMesh.field_at_many(M, F, {2, 1})", "expected three numbers");
    assert_lua_error(&f, "NavigationMesh.field_at_many(M, F, {2, 1, 0}, D, D)",
                     "argument 5 (towards): expected another Float32Array");
    assert_lua_error(&f, "NavigationMesh.field_at_many(M, F, {2, 1, 0}, {})",
                     "argument 4 (distances)");
    // Changes end it; the same field is computed again.
    run_lua(&f, "NavigationMesh.set_area(M, 'area2', {closed = true})");
    assert_lua(&f, "NavigationMesh.field_at(M, F, Vector3(2, 1, 0))", "inf");
    assert_lua(&f, "NavigationMesh.field(M, {15, 9, 0}, {without_links = true}, F) == F", "true");
    assert_lua(&f, "near(NavigationMesh.field_at(M, F, Vector3(13, 9, 0)), 2)", "true");
    assert_lua(&f, "NavigationMesh.field_at(M, F, Vector3(15, 15, 0))", "inf");
    run_lua(&f, "N = World.create_navigation_mesh(W, 'levels/walks')");
    assert_lua_error(&f, "NavigationMesh.field_at(N, F, Vector3(1, 1, 0))",
                     "argument 2 (field): expected a NavigationField of this mesh, got one of "
                     "another mesh");
}

// --- Polygons ------------------------------------------------------------------------------------

static void tells_polygons_and_vertices(void **state) {
    (void)state;
    assert_lua(&f,
               "#NavigationMesh.polygons(M) == NavigationMesh.num_polygons(M), "
               "NavigationMesh.num_vertices(M) > 8",
               "true\ttrue");
    run_lua(&f, "p = NavigationMesh.find_polygon(M, Vector3(1, 1, 0)) "
                "v = {NavigationMesh.polygon_vertices(M, p)} "
                "n = {NavigationMesh.polygon_neighbors(M, p)}");
    assert_lua(&f,
               "p == NavigationMesh.find_nearest_polygon(M, Vector3(-20, -30, 9)), "
               "NavigationMesh.find_polygon(M, Vector3(8, 5.5, 0))",
               "true\tnil");
    assert_lua(&f, "select('#', NavigationMesh.polygon_neighbors(M, p)) == #v", "true");
    assert_lua(&f, "at(NavigationMesh.vertex(M, v[1])), NavigationMesh.polygon_area(M, p)",
               "0 0 0\tarea0");
    assert_lua(&f,
               "(function() local found = 0 for _, q in pairs(n) do "
               "  for _, back in pairs({NavigationMesh.polygon_neighbors(M, q)}) do "
               "    if back == p then found = found + 1 end end end return found > 0 end)()",
               "true");
    assert_lua_error(&f, "NavigationMesh.polygon_vertices(M, 4000000000)",
                     "argument 2 (poly): expected a polygon of the mesh, got 4000000000, which is "
                     "gone or never existed");
    assert_lua_error(&f, "NavigationMesh.vertex(M, 5)", "expected a vertex of the mesh, got 5");
}

static void moves_points_to_polygons(void **state) {
    (void)state;
    run_lua(&f, "p = NavigationMesh.find_polygon(M, Vector3(1, 1, 0))");
    assert_lua(&f,
               "(function() local q, out = NavigationMesh.constrain_to_polygon(M, "
               "Vector3(-3, 1, 4), p) return at(q), out end)()",
               "0 1 0\ttrue");
    assert_lua(&f, "at(NavigationMesh.project_to_polygon(M, Vector3(1, 2, 4), p))", "1 2 0");
    assert_lua(&f,
               "(function() local q, moved, there, held = NavigationMesh.update_polygon(M, "
               "Vector3(1, -2, 0), p) return at(q), at(moved), there == p, held end)()",
               "1 0 0\t0 2 0\ttrue\ttrue");
    assert_lua(&f,
               "(function() local q, moved, there, held = NavigationMesh.update_polygon(M, "
               "Vector3(14, 1, 0), p) "
               "return at(q), there == NavigationMesh.find_polygon(M, q), held end)()",
               "14 1 0\ttrue\tfalse");
}

static void searches_polygons(void **state) {
    (void)state;
    run_lua(&f, "a = NavigationMesh.find_polygon(M, Vector3(1, 1, 0)) "
                "b = NavigationMesh.find_polygon(M, Vector3(15, 10, 0)) "
                "way = NavigationMesh.search(M, a, b, 0.5, 1000, 1000)");
    assert_lua(&f, "way[1] == a, way[#way] == b, #way > 1", "true\ttrue\ttrue");
    run_lua(&f, "l, r = NavigationMesh.funnel(M, way)");
    assert_lua(&f, "#l == #way - 1, #r == #l, Script.type_name(l[1])", "true\ttrue\tVector3");
    assert_lua(&f, "#NavigationMesh.search(M, a, b, 0.5, 1000, 2)", "0");
    assert_lua(&f, "#NavigationMesh.partial_search(M, a, b, 0.5, 1000, 2) < #way", "true");
    run_lua(&f, "NavigationMesh.set_link(M, 'l1', false)");
    assert_lua(&f,
               "#NavigationMesh.search(M, Vector3(1, 1, 0), Vector3(15, 15, 0), 0, 1000, 100), "
               "#NavigationMesh.partial_search(M, Vector3(1, 1, 0), Vector3(15, 15, 0), 0, "
               "1000, 100) > 0",
               "0\ttrue");
    assert_lua_error(&f, "NavigationMesh.funnel(M, {a, b})",
                     "the polygon at index 1 does not lead to the next");
    assert_lua_error(&f, "NavigationMesh.funnel(M, {a, 5})",
                     "expected a polygon of the mesh at index 2, got one that is gone");
    assert_lua_error(&f, "NavigationMesh.funnel(M, {a, 'x'})", "at index 2, got string");
}

static void polygons_are_obstructed(void **state) {
    (void)state;
    run_lua(&f, "p = NavigationMesh.find_polygon(M, Vector3(15, 15, 0)) "
                "NavigationMesh.set_obstructed(M, p, true)");
    assert_lua(&f, "NavigationMesh.is_obstructed(M, p)", "true");
    assert_lua(&f, "(select(2, NavigationMesh.find_path(M, Vector3(1, 1, 0), Vector3(15, 15, 0))))",
               "off_mesh");
    run_lua(&f, "NavigationMesh.set_obstructed(M, p, false)");
    assert_lua(&f, "(select(2, NavigationMesh.find_path(M, Vector3(1, 1, 0), Vector3(15, 15, 0))))",
               "found");
}

// --- Changes -------------------------------------------------------------------------------------

static void obstacles_are_in_the_way(void **state) {
    (void)state;
    run_lua(
        &f,
        "function free(x, y) return NavigationMesh.find_polygon(M, Vector3(x, y, 0)) ~= nil end "
        "o = NavigationMesh.add_obstacle(M, {shape = 'box', position = Vector3(3, 3, 0), "
        "half_size = Vector2(1, 0.5), height = 2})");
    assert_lua(&f, "free(3, 3), free(3, 4.2)", "true\ttrue");
    run_lua(&f, "run(0.1)");
    assert_lua(&f, "free(3, 3), free(4.3, 3), free(3, 4.2)", "false\tfalse\ttrue");
    run_lua(&f, "NavigationMesh.move_obstacle(M, o, Vector3(3, 3, 0), math.pi / 2) run(0.1)");
    assert_lua(&f, "free(3, 3), free(4.3, 3), free(3, 4.2)", "false\ttrue\tfalse");
    run_lua(&f,
            "NavigationMesh.move_obstacle(M, o, Vector3(3, 10, 0)) run(0.1)"); // as it is turned
    assert_lua(&f, "free(3, 3), free(3, 10), free(4.3, 10), free(3, 11.2)",
               "true\tfalse\ttrue\tfalse");
    run_lua(&f, "NavigationMesh.remove_obstacle(M, o) run(0.1)");
    assert_lua(&f, "free(3, 10)", "true");
    assert_lua_error(&f, "NavigationMesh.remove_obstacle(M, o)",
                     "argument 2 (obstacle): expected an obstacle of the mesh, got ");
    // Paints instead.
    run_lua(&f, "NavigationMesh.add_obstacle(M, {shape = 'cylinder', position = Vector3(3, 3, 0), "
                "radius = 1, area = 'area4'}) run(0.1)");
    assert_lua(&f,
               "NavigationMesh.polygon_area(M, NavigationMesh.find_polygon(M, "
               "Vector3(3, 3, 0)))",
               "area4");
}

static void refuses_bad_obstacles(void **state) {
    (void)state;
    static const struct {
        const char *table, *message;
    } rows[] = {
        {"5", "expected table, got number"},
        {"{}", "expected a table with \"shape\" and \"position\""},
        {"{shape = 'ball', position = P}",
         "shape: expected \"box\", \"cylinder\" or \"convex\", got "
         "\"ball\""},
        {"{shape = 'box', position = P}", "expected \"half_size\" for this shape"},
        {"{shape = 'cylinder', position = P}", "expected \"radius\" for this shape"},
        {"{shape = 'convex', position = P}", "expected \"points\" for this shape"},
        {"{shape = 'box', position = 3}", "position: expected Vector3, got number"},
        {"{shape = 'box', position = Vector3(0 / 0, 0, 0)}", "position: expected finite numbers"},
        {"{shape = 'box', half_size = Vector2(0, 1)}", "half_size: expected numbers above 0"},
        {"{shape = 'cylinder', radius = -1}", "radius: expected a number from 0.001 to 100000"},
        {"{shape = 'convex', points = {1, 2}}", "points: expected 3 to 12 points, got 2"},
        {"{shape = 'convex', points = {1, 2, 3}}",
         "points: expected Vector2 or Vector3, got number"},
        {"{shape = 'convex', position = P, points = {Vector2(0, 0), Vector2(0, 1), Vector2(1, 0)}}",
         "no corner of a convex, counter-clockwise polygon"},
        {"{shape = 'box', area = 'mud'}", "the navigation has no area \"mud\""},
        {"{shapes = 'box'}", "there is no member \"shapes\", did you mean \"shape\"?"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua),
                 "(function() local P = Vector3(3, 3, 0) "
                 "return NavigationMesh.add_obstacle(M, %s) end)()",
                 rows[i].table);
        assert_lua_error(&f, lua, rows[i].message);
    }
    assert_lua(&f, "NavigationMesh.counts(W).obstacles", "0");
}

static void areas_and_links_are_switched(void **state) {
    (void)state;
    run_lua(&f, "function status(x, y) return (select(2, NavigationMesh.find_path(M, "
                "Vector3(1, 1, 0), Vector3(x, y, 0)))) end");
    assert_lua(&f, "status(1, 14), status(15, 15)", "found\tfound");
    run_lua(&f, "NavigationMesh.set_area(M, 'area2', {closed = true})");
    assert_lua(&f, "status(1, 14), NavigationMesh.area(M, 'area2')", "off_mesh\ttrue\t3");
    run_lua(&f, "NavigationMesh.set_area(M, 'area2', {cost = 5})");
    assert_lua(&f, "NavigationMesh.area(M, 'area2')", "true\t5");
    run_lua(&f, "NavigationMesh.set_area(M, 'area2', {closed = false})");
    assert_lua(&f, "status(1, 14), NavigationMesh.area(M, 'area2')", "found\tfalse\t5");
    run_lua(&f, "l = NavigationMesh.links(M)[1]");
    assert_lua(&f, "#NavigationMesh.links(M), l.kind, at(l.from), at(l.to), l.both_ways, l.is_open",
               "1\tjump\t11.5 10.5 0\t15 15 0\ttrue\ttrue");
    assert_lua(&f, "l.id == IdString32('l1')", "true");
    run_lua(&f, "NavigationMesh.set_link(M, l.id, false)");
    assert_lua(&f, "status(15, 15), NavigationMesh.links(M)[1].is_open", "unreachable\tfalse");
    run_lua(&f, "NavigationMesh.set_link(M, 'l1', true)");
    assert_lua(&f, "status(15, 15)", "found");
    assert_lua_error(&f, "NavigationMesh.set_link(M, 'l7', true)",
                     "argument 2 (id): the navigation has no link with the id \"l7\"");
    assert_lua_error(&f, "NavigationMesh.set_area(M, 'area22', {})",
                     "the navigation has no area \"area22\", did you mean \"area");
    assert_lua_error(&f, "NavigationMesh.set_area(M, 'area2', {price = 1})",
                     "there is no member \"price\"");
}

static void tiles_come_and_go(void **state) {
    (void)state;
    assert_lua(&f, "NavigationMesh.remove_tiles(M, Vector3(9, 1, 0), Vector3(10, 2, 0))", "1");
    assert_lua(&f,
               "NavigationMesh.counts(W).tiles, NavigationMesh.find_polygon(M, "
               "Vector3(12, 2, 0))",
               "3\tnil");
    assert_lua(&f, "NavigationMesh.add_tiles(M, Vector3(-9, -9, 0), Vector3(30, 30, 0))", "4");
    assert_lua(&f,
               "NavigationMesh.counts(W).tiles, NavigationMesh.find_polygon(M, "
               "Vector3(12, 2, 0)) ~= nil",
               "4\ttrue");
}

static void keeps_state(void **state) {
    (void)state;
    run_lua(&f,
            "NavigationMesh.add_obstacle(M, {shape = 'cylinder', radius = 0.5, "
            "position = Vector3(3, 3, 0)}) NavigationMesh.set_area(M, 'area2', {closed = true}) "
            "NavigationMesh.set_link(M, 'l1', false) run(0.1) s = NavigationMesh.save(M) "
            "N = World.create_navigation_mesh(W, 'levels/walks') "
            "NavigationMesh.restore(N, s) run(0.1)");
    assert_lua(&f, "NavigationMesh.area(N, 'area2')", "true\t3");
    assert_lua(&f,
               "NavigationMesh.links(N)[1].is_open, NavigationMesh.find_polygon(N, "
               "Vector3(3, 3, 0)), NavigationMesh.save(N) == s",
               "false\tnil\ttrue");
    assert_lua_error(&f, "NavigationMesh.restore(N, s:sub(1, -2))",
                     "NavigationMesh.restore: argument 2 (state): ");
    assert_lua_error(&f, "NavigationMesh.restore(N, '')",
                     "NavigationMesh.restore: argument 2 (state): ");
}

// --- Drawing -------------------------------------------------------------------------------------

static void draws_into_line_objects(void **state) {
    (void)state;
    run_lua(&f, "O = World.create_line_object(W) u = walker(1, 1) "
                "NavigationAgent.move_to(u, Vector3(15, 9, 0)) run(0.2)");
    static const char *const options[] = {
        "", ", {polygons = true, islands = true}", ", {tiles = true, crossings = true}",
        ", {links = true, obstacles = true}", ", {agents = true, paths = true, velocities = true}"};
    const uint32_t last = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(options); ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "NavigationMesh.draw(M, O%s) LineObject.dispatch(W, O)",
                 options[i]);
        run_lua(&f, lua);
        (void)last;
    }
    run_lua(&f, "NavigationMesh.find_path(M, Vector3(1, 1, 0), Vector3(15, 9, 0)) "
                "NavigationMesh.visualize_last_search(M, O)");
    assert_lua_error(&f, "NavigationMesh.draw(M, O, {poly = true})", "there is no member \"poly\"");
    assert_lua_error(&f, "NavigationMesh.draw(M, M)",
                     "argument 2 (line_object): expected LineObject, got NavigationMesh");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NAVIGATION_TEST(levels_have_meshes_by_class),
        NAVIGATION_TEST(worlds_make_meshes_at_poses),
        NAVIGATION_TEST(meshes_end_with_their_level),
        NAVIGATION_TEST(counts_what_a_world_has),
        NAVIGATION_TEST(finds_paths_at_once),
        NAVIGATION_TEST(paths_have_their_own_costs),
        NAVIGATION_TEST(answers_paths_in_the_order_of_asking),
        NAVIGATION_TEST(paths_are_cancelled),
        NAVIGATION_TEST(answers_over_when_a_mesh_goes_away),
        NAVIGATION_TEST(calls_nothing_of_worlds_that_end),
        NAVIGATION_TEST(reports_errors_of_functions),
        NAVIGATION_TEST(deadlines_end_paths),
        NAVIGATION_TEST(finds_places),
        NAVIGATION_TEST(casts_rays),
        NAVIGATION_TEST(finds_random_points),
        NAVIGATION_TEST(fields_lead_to_the_nearest_goal),
        NAVIGATION_TEST(tells_polygons_and_vertices),
        NAVIGATION_TEST(moves_points_to_polygons),
        NAVIGATION_TEST(searches_polygons),
        NAVIGATION_TEST(polygons_are_obstructed),
        NAVIGATION_TEST(obstacles_are_in_the_way),
        NAVIGATION_TEST(refuses_bad_obstacles),
        NAVIGATION_TEST(areas_and_links_are_switched),
        NAVIGATION_TEST(tiles_come_and_go),
        NAVIGATION_TEST(keeps_state),
        NAVIGATION_TEST(draws_into_line_objects),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
