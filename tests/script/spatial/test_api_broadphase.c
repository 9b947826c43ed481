// Broadphase.
#include "script/api_fixture.h"

static int set_up_broadphase(void **state) {
    set_up(state);
    run_lua(&f, "B = Broadphase(10, 100) Units, Items, R, D = {}, {}, {}, {} "
                "for i = 1, 20 do "
                "  Units[i] = World.spawn_unit(W, 'units/crate', Vector3(10 * i, 0, 0)) "
                "  Items[i] = Broadphase.add(B, Units[i], Vector3(10 * i, 0, 0), 1) "
                "end "
                // The places of units in Units, in the order of their numbers unless `as_given`.
                "function places(units, as_given) local p = {} "
                "  for k, u in ipairs(units) do "
                "    for i, v in ipairs(Units) do if u == v then p[k] = i end end end "
                "  if not as_given then table.sort(p) end return table.concat(p, ' ') end "
                "function check(is, wanted) "
                "  if is ~= wanted then error('got ' .. tostring(is), 2) end end");
    return 0;
}

#define BROADPHASE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_broadphase, tear_down)

static void finds_units_by_spheres_and_boxes(void **state) {
    (void)state;
    run_lua(&f, "check(Broadphase.query(B, Vector3(50, 0, 0), 9, R), 3) "
                "check(places(R), '4 5 6') "
                "check(Broadphase.query(B, Vector3(50, 0, 0), 8.9, R), 1) "
                "check(#R, 1) check(R[1], Units[5]) "
                "check(Broadphase.query(B, Vector3(55, 0, 0), 1, R), 0) check(#R, 0) "
                "check(Broadphase.query_box(B, Vector3(50, 0, 0), Vector3(20, 1, 1), R), 5) "
                "check(places(R), '3 4 5 6 7') check(Broadphase.num_items(B), 20)");
}

static void finds_what_is_nearest_and_first_on_a_ray(void **state) {
    (void)state;
    run_lua(&f, "check(Broadphase.query_nearest(B, Vector3(52, 0, 0), 100, 3, R, D), 3) "
                "check(places(R, true), '5 6 4') "
                "check(D[1], 1) check(D[2], 7) check(D[3], 11) check(#D, 3) "
                "check(Broadphase.query_nearest(B, Vector3(50.5, 0, 0), 5, 3, R), 1) check(#R, 1) "
                "check(Broadphase.query_ray(B, Vector3(45, 0, 0), Vector3(2, 0, 0), 23, R, D), 2) "
                "check(places(R, true), '5 6') check(D[1], 4) check(D[2], 14) "
                "check(Broadphase.query_ray(B, Vector3(45, 0, 0), Vector3(-1, 0, 0), 1000, R, nil, "
                "  2), 2) "
                "check(places(R, true), '4 3') "
                "check(Broadphase.query_ray(B, Vector3(45, 0, 0), Vector3(0, 0, 1), 9, R), 0)");
}

static void moves_and_removes_items(void **state) {
    (void)state;
    run_lua(
        &f,
        "Broadphase.move(B, Items[5], Vector3(0, 500, 0)) "
        "check(Broadphase.query(B, Vector3(50, 0, 0), 5, R), 0) "
        "check(Broadphase.query(B, Vector3(0, 500, 0), 1, R), 1) check(R[1], Units[5]) "
        "Broadphase.move_box(B, Items[5], Vector3(0, 500, 0), Vector3(50, 1, 1)) "
        "check(Broadphase.query(B, Vector3(-49, 500, 0), 1, R), 1) "
        "Broadphase.move_many(B, {Items[6], Items[7]}, {0, 600, 0, 0, 602, 0}) "
        "Broadphase.move_many(B, {Items[8]}, {Vector3(0, 604, 0)}) "
        "check(Broadphase.query(B, Vector3(0, 602, 0), 1, R), 3) "
        "check(places(R), '6 7 8') "
        "Broadphase.remove(B, Items[5]) "
        "check(Broadphase.query(B, Vector3(0, 500, 0), 1, R), 0) "
        "check(Broadphase.num_items(B), 19) "
        "Broadphase.remove_all(B) check(Broadphase.num_items(B), 0) check(#Broadphase.all(B), 0)");
}

// Boxes far from the origin are rounded: 64 m at 1e9.
static void items_keep_their_size_wherever_they_were(void **state) {
    (void)state;
    run_lua(&f, "B = Broadphase(1, 4) R = {} I = Broadphase.add(B, C, Vector3(0, 0, 0), 0.3) "
                "J = Broadphase.add_box(B, C, Vector3(0, 9, 0), Vector3(0.3, 0.3, 0.3)) "
                "for x = 1e5, 1e8, 3e6 do Broadphase.move(B, I, Vector3(x, 0, 0)) "
                "Broadphase.move_many(B, {J}, {x, 9, 0}) end "
                "Broadphase.move(B, I, Vector3(0, 0, 0)) Broadphase.move_many(B, {J}, {0, 9, 0})");
    assert_lua(&f,
               "Broadphase.query_box(B, Vector3(1.25, 0, 0), Vector3(1, 1, 1), R), "
               "Broadphase.query_box(B, Vector3(1.35, 0, 0), Vector3(1, 1, 1), R)",
               "1\t0");
    assert_lua(&f,
               "Broadphase.query_box(B, Vector3(1.25, 9, 0), Vector3(1, 1, 1), R), "
               "Broadphase.query_box(B, Vector3(1.35, 9, 0), Vector3(1, 1, 1), R)",
               "1\t0");
}

static void follows_units(void **state) {
    (void)state;
    run_lua(&f,
            "for i, u in ipairs(Units) do "
            "  Unit.set_local_position(u, 1, Vector3(0, 0, 10 * i)) end "
            "World.destroy_unit(W, Units[20]) "
            "Broadphase.move_to_units(B) "
            "check(Broadphase.query(B, Vector3(0, 0, 50), 9, R), 3) check(places(R), '4 5 6') "
            "for i, e in ipairs(Broadphase.all(B)) do check(Vector3.length(e.position), 10 * i) "
            "end");
}

static void adds_many_and_lists_all(void **state) {
    (void)state;
    run_lua(&f, "Broadphase.remove_all(B) "
                "local at = {} for i = 1, 20 do at[i] = Vector3(i, 0, 0) end "
                "local items = Broadphase.add_many(B, Units, at, 0.25) "
                "check(#items, 20) check(Broadphase.add_many(B, {}, {}, 1, Items), Items) "
                "check(Broadphase.query(B, Vector3(5, 0, 0), 1, R), 3) check(places(R), '4 5 6') "
                "Broadphase.add_box(B, Units[1], Vector3(9, 9, 9), Vector3(1, 2, 3)) "
                "local all = Broadphase.all(B) check(#all, 21) "
                "check(all[3].item, items[3]) check(all[3].unit, Units[3]) "
                "check(all[3].position.x, 3) check(all[3].radius, 0.25) "
                "check(all[21].half_extents.y, 2) check(all[21].radius, 3)");
}

static void leaves_dead_units_out(void **state) {
    (void)state;
    run_lua(&f,
            "for i = 4, 6 do World.destroy_unit(W, Units[i]) end "
            "check(Broadphase.query(B, Vector3(50, 0, 0), 20, R), 2) check(places(R), '3 7') "
            "check(Broadphase.query_nearest(B, Vector3(50, 0, 0), 1000, 3, R), 3) "
            "check(places(R, true), '3 7 2') "
            "check(Broadphase.query_ray(B, Vector3(45, 0, 0), Vector3(1, 0, 0), 99, R, D, 1), 1)"
            "check(R[1], Units[7]) check(D[1], 24) "
            "Broadphase.remove(B, Items[4]) check(Broadphase.num_items(B), 19)");
}

static void makes_no_garbage(void **state) {
    (void)state;
    run_lua(&f, "local function frame() "
                "  for i = 1, 20 do Broadphase.move(B, Items[i], Vector3(10 * i, 1, 0)) end "
                "  Broadphase.move_to_units(B) "
                "  Broadphase.query(B, Vector3(50, 0, 0), 30, R) "
                "  Broadphase.query_nearest(B, Vector3(50, 0, 0), 30, 5, R, D) "
                "  Broadphase.query_ray(B, Vector3(0, 0, 0), Vector3(1, 0, 0), 60, R, D) end "
                "jit.off() for i = 1, 10 do frame() end " // its compiler's garbage is not ours
                "collectgarbage() collectgarbage('stop') "
                "local before = collectgarbage('count') "
                "for i = 1, 100 do frame() end "
                "local made = collectgarbage('count') - before collectgarbage('restart') "
                "check(made < 0.5, true)");
}

static void takes_and_fills_arrays_without_garbage(void **state) {
    (void)state;
    run_lua(&f, "Broadphase.remove_all(B) U, P = EntityArray(Units), Float32Array(60) "
                "for i = 1, 20 do P:set(3 * i - 2, 10 * i) end "
                "local items = Broadphase.add_many(B, U, P, 1, Items) check(items, Items) "
                "E, D = EntityArray({C, C, C}), Float32Array()");
    run_lua(&f, "check(Broadphase.query(B, Vector3(50, 0, 0), 15, E), 3) check(E:size(), 3) "
                "local found = {E:get(1), E:get(2), E:get(3)} check(places(found), '4 5 6') "
                "check(Broadphase.query_box(B, Vector3(0, 0, 99), Vector3(1, 1, 1), E), 0) "
                "check(E:size(), 0) "
                "check(Broadphase.query_nearest(B, Vector3(50, 0, 0), 99, 2, E, D), 2) "
                "check(E:get(1), Units[5]) check(D:get(1), 0) check(D:get(2), 9) "
                "check(Broadphase.query_ray(B, Vector3(0, 0, 0), Vector3(1, 0, 0), 30, E, D), 3) "
                "check(E:size(), 3) check(D:get(3), 29) "
                "World.destroy_unit(W, Units[2]) "
                "check(Broadphase.query(B, Vector3(20, 0, 0), 15, E), 2) check(E:size(), 2)");
    run_lua(&f, "function frames(n) for i = 1, n do "
                "  Broadphase.move_many(B, Items, P) Broadphase.query(B, Vector3(50, 0, 0), 30, E) "
                "  Broadphase.query_box(B, Vector3(50, 0, 0), Vector3(30, 1, 1), E) "
                "  Broadphase.query_nearest(B, Vector3(50, 0, 0), 30, 5, E, D) "
                "  Broadphase.query_ray(B, Vector3(0, 0, 0), Vector3(1, 0, 0), 60, E, D) end end "
                "jit.off() frames(1000) "
                "collectgarbage() collectgarbage('stop') local before = collectgarbage('count') "
                "frames(1000) "
                "local made = collectgarbage('count') - before collectgarbage('restart') "
                "check(made < 0.5, true)");
    assert_lua_error(&f, "Broadphase.add_many(B, U, P, 1)",
                     "Broadphase.add_many: argument 2 (units): expected a Unit at index 2, got a "
                     "destroyed Unit");
    assert_lua_error(&f, "Broadphase.query(B, Vector3(0, 0, 0), 1, P)",
                     "argument 4 (results): expected EntityArray or table, got Float32Array");
    assert_lua_error(&f, "Broadphase.query_nearest(B, Vector3(0, 0, 0), 1, 1, {}, U)",
                     "argument 6 (distances): expected Float32Array or table, got EntityArray");
}

static void refuses_wrong_arguments(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"Broadphase(-1, 5)", "Broadphase: argument 1 (cell_radius): expected a number from 0"},
        {"Broadphase(1, 1e9)", "argument 2 (num_objects): expected an integer from 0 to"},
        {"Broadphase(0/0, 1)", "argument 1 (cell_radius)"},
        {"Broadphase.add(B, C, Vector3(0/0, 0, 0), 1)",
         "Broadphase.add: argument 3 (pos): expected a finite Vector3"},
        {"Broadphase.add(B, C, Vector3(1e30, 0, 0), 1)",
         "argument 3 (pos): expected a position within 1e+09 m of the origin"},
        {"Broadphase.add(B, C, Vector3(0, 0, 0), -1)", "argument 4 (radius)"},
        {"Broadphase.add(B, 5, Vector3(0, 0, 0), 1)", "argument 2 (unit): expected Unit"},
        {"Broadphase.add_box(B, C, Vector3(0, 0, 0), Vector3(1, -1, 1))",
         "argument 4 (half_extents): expected half extents without negative numbers, got 1, -1, 1"},
        {"Broadphase.add_many(B, {C, 5}, {0, 0, 0, 1, 1, 1}, 1)",
         "argument 2 (units): expected a Unit at index 2, got"},
        {"Broadphase.add_many(B, {C}, {0, 0, 0, 1, 1, 1}, 1)",
         "argument 3 (positions): expected one position for each of 1 units, got 2"},
        {"Broadphase.add_many(B, {C, C}, {0, 0, 0, 1e20, 1, 1}, 1)", "origin at index 2"},
        {"Broadphase.move_many(B, {Items[1], 7.5}, {0, 0, 0, 1, 1, 1})",
         "argument 2 (items): expected an item of the broadphase at index 2, got"},
        {"Broadphase.query(B, Vector3(0, 0, 0), 1/0, R)", "argument 3 (radius)"},
        {"Broadphase.query(B, Vector3(0, 0, 0), 1)",
         "argument 4 (results): expected EntityArray or table"},
        {"Broadphase.query_ray(B, Vector3(0, 0, 0), Vector3(0, 0, 0), 1, R)",
         "argument 3 (direction): expected a direction"},
        {"Broadphase.query_nearest(B, Vector3(0, 0, 0), 1, 0, R)", "argument 4 (max)"},
        {"Broadphase.query(W, Vector3(0, 0, 0), 1, R)",
         "Broadphase.query: argument 1 (self): expected Broadphase, got World"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i)
        assert_lua_error(&f, calls[i][0], calls[i][1]);
    run_lua(&f, "check(Broadphase.num_items(B), 20) "
                "check(Broadphase.query(B, Vector3(10, 0, 0), 1, R), 1)");
}

static void names_who_uses_a_stale_item(void **state) {
    (void)state;
    run_lua(&f, "Broadphase.remove(B, Items[3])");
    static const char *const calls[][2] = {
        {"Broadphase.remove(B, Items[3])",
         "Broadphase.remove: argument 2 (item): expected an item of the broadphase, got"},
        {"Broadphase.move(B, Items[3], Vector3(0, 0, 0))", "Broadphase.move: argument 2 (item)"},
        {"Broadphase.move(B, 0, Vector3(0, 0, 0))", "Broadphase.move: argument 2 (item)"},
        {"Broadphase.move(B, -1, Vector3(0, 0, 0))", "Broadphase.move: argument 2 (item)"},
        {"Broadphase.move(B, 2^60, Vector3(0, 0, 0))", "Broadphase.move: argument 2 (item)"},
        {"Broadphase.move_many(B, {Items[3]}, {0, 0, 0})",
         "Broadphase.move_many: argument 2 (items): expected an item of the broadphase at index 1"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i)
        assert_lua_error(&f, calls[i][0], calls[i][1]);
    // The slot has another item by then.
    run_lua(&f, "Broadphase.add(B, C, Vector3(0, 0, 0), 1)");
    assert_lua_error(&f, "Broadphase.remove(B, Items[3])", "Broadphase.remove: argument 2 (item)");
}

static void is_refused_once_destroyed(void **state) {
    (void)state;
    run_lua(&f, "Broadphase.destroy(B)");
    assert_lua_error(&f, "Broadphase.num_items(B)",
                     "expected Broadphase, got a destroyed Broadphase");
    assert_lua_error(&f, "Broadphase.destroy(B)", "argument 1 (self)");
}

static void lists_into_tables_that_are_given(void **state) {
    (void)state;
    run_lua(&f, "local all = Broadphase.all(B) local first = all[1] all[21], all[22] = {}, {} "
                "first.mine = 1 "
                "check(Broadphase.all(B, all), all) check(#all, 20) check(all[1], first) "
                "check(all[1].mine, 1) check(all[20].unit, Units[20]) "
                "all[3] = nil all[2] = 5 Broadphase.remove(B, Items[1]) Broadphase.all(B, all) "
                "check(#all, 19) check(all[1], first) check(all[1].unit, Units[2]) "
                "check(all[2].unit, Units[3])");
    run_lua(&f, "jit.off() local all, n = Broadphase.all(B), Script.temp_count() "
                "local function garbage(times) collectgarbage() collectgarbage('stop') "
                "  local before = collectgarbage('count') "
                "  for i = 1, times do Broadphase.all(B, all) Script.set_temp_count(n) end "
                "  local made = collectgarbage('count') - before collectgarbage('restart') "
                "  return made end "
                "garbage(1) check(garbage(200) - garbage(1), 0) jit.on()");
    // Nobody is called while the items are listed.
    run_lua(&f, "local t = setmetatable({}, {__newindex = function() Broadphase.destroy(B) end}) "
                "Broadphase.all(B, {t}) check(t.unit, Units[2])");
    assert_lua_error(&f, "Broadphase.all(B, 5)",
                     "Broadphase.all: argument 2 (results): expected table, got number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BROADPHASE_TEST(finds_units_by_spheres_and_boxes),
        BROADPHASE_TEST(finds_what_is_nearest_and_first_on_a_ray),
        BROADPHASE_TEST(moves_and_removes_items),
        BROADPHASE_TEST(items_keep_their_size_wherever_they_were),
        BROADPHASE_TEST(follows_units),
        BROADPHASE_TEST(adds_many_and_lists_all),
        BROADPHASE_TEST(leaves_dead_units_out),
        BROADPHASE_TEST(makes_no_garbage),
        BROADPHASE_TEST(takes_and_fills_arrays_without_garbage),
        BROADPHASE_TEST(refuses_wrong_arguments),
        BROADPHASE_TEST(names_who_uses_a_stale_item),
        BROADPHASE_TEST(is_refused_once_destroyed),
        BROADPHASE_TEST(lists_into_tables_that_are_given),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
