// test_api_navigation_poses.c: NavigationMesh and NavigationAgent take any numbers as points.
#include "lua/lua_signature.h"
#include "script/navigation/navigation_script.h"
#include "script/script_modules.h"

// V is a Vector3 of each kind of numbers in turn.
static const char *const CALLS[] = {
    "NavigationAgent.move_many({U}, {V})",
    "NavigationAgent.move_many({U}, {V.x, V.y, V.z})",
    "NavigationAgent.move_to(U, V)",
    "NavigationMesh.add_obstacle(M, box(V))",
    "NavigationMesh.add_tiles(M, V, Vector3(1, 1, 1))",
    "NavigationMesh.add_tiles(M, Vector3(1, 1, 1), V)",
    "NavigationMesh.constrain_to_polygon(M, V, P)",
    "NavigationMesh.field(M, {V})",
    "NavigationMesh.field_at(M, F, V)",
    "NavigationMesh.field_at_many(M, F, {V})",
    "NavigationMesh.find_nearest_polygon(M, V)",
    "NavigationMesh.find_path(M, V, Vector3(1, 1, 0))",
    "NavigationMesh.find_path(M, Vector3(1, 1, 0), V)",
    "NavigationMesh.find_polygon(M, V)",
    "NavigationMesh.height(M, V)",
    "NavigationMesh.is_connected(M, V, Vector3(1, 1, 0))",
    "NavigationMesh.is_connected(M, Vector3(1, 1, 0), V)",
    "NavigationMesh.move_obstacle(M, O, V)",
    "NavigationMesh.nearest(M, V)",
    "NavigationMesh.partial_search(M, V, V, 1, 100, 100)",
    "NavigationMesh.project_to_polygon(M, V, P)",
    "NavigationMesh.random_point(M, V, 5)",
    "NavigationMesh.ray(M, V, Vector3(1, 1, 0))",
    "NavigationMesh.ray(M, Vector3(1, 1, 0), V)",
    "NavigationMesh.remove_tiles(M, V, Vector3(1, 1, 1))",
    "NavigationMesh.remove_tiles(M, Vector3(1, 1, 1), V)",
    "NavigationMesh.search(M, V, V, 1, 100, 100)",
    "NavigationMesh.start_path(M, V, Vector3(1, 1, 0), print)",
    "NavigationMesh.start_path(M, Vector3(1, 1, 0), V, print)",
    "NavigationMesh.start_paths(M, {V}, {Vector3(1, 1, 0)}, print)",
    "NavigationMesh.start_paths(M, {Vector3(1, 1, 0)}, {V}, print)",
    "NavigationMesh.update_polygon(M, V, P)",
};

static const char *const VALUES[] = {
    "Vector3(0 / 0, 0, 0)", "Vector3(0, 1 / 0, 0)",  "Vector3(0, 0, -1 / 0)",
    "Vector3(1e38, 0, 0)",  "Vector3(0, -1e38, 0)",  "Vector3(0, 0, 1e38)",
    "Vector3(1e9, 1e9, 0)", "Vector3(1e-40, 0, -0)", "Vector3(3, 3, 1e6)",
};

// Each call either works or raises, and the world goes on.
static void takes_any_numbers(void **state) {
    (void)state;
    run_lua(&f, "U = walker(1, 1) P = NavigationMesh.find_polygon(M, Vector3(1, 1, 0)) "
                "F = NavigationMesh.field(M, {Vector3(1, 1, 0)}) "
                "O = NavigationMesh.add_obstacle(M, {shape = 'cylinder', "
                "position = Vector3(13, 2, 0), radius = 1, height = 1}) "
                "function box(at) return {shape = 'box', position = at, "
                "half_size = Vector2(1, 1), height = 1} end");
    for (uint32_t v = 0; v < CT_COUNT_OF(VALUES); ++v)
        for (uint32_t c = 0; c < CT_COUNT_OF(CALLS); ++c) {
            char code[512];
            snprintf(code, sizeof(code), "pcall(function() local V = %s return %s end)", VALUES[v],
                     CALLS[c]);
            run_lua(&f, code);
        }
    run_lua(&f, "run(0.2) NavigationMesh.add_tiles(M, Vector3(-1, -1, -9), Vector3(99, 99, 9)) "
                "NavigationAgent.move_to(U, Vector3(3, 1, 0)) run(4)");
    assert_lua(&f, "NavigationAgent.state(U), at(Unit.world_position(U, 1))", "arrived\t3 1 0");
}

static bool is_listed(const char *function) {
    const size_t length = strlen(function);
    for (uint32_t c = 0; c < CT_COUNT_OF(CALLS); ++c)
        if (strncmp(CALLS[c], function, length) == 0 && CALLS[c][length] == '(')
            return true;
    return false;
}

static void lists_all_functions_that_take_points(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *const modules = ct_script_modules(&count);
    for (uint32_t m = 0; m < count; ++m)
        for (uint32_t k = 0;
             k < modules[m]->num_functions && strncmp(modules[m]->name, "Navigation", 10) == 0;
             ++k) {
            ct_signature s;
            char function[128];
            snprintf(function, sizeof(function), "%s.%s", modules[m]->name,
                     modules[m]->functions[k].name);
            assert_true(ct_signature_parse(modules[m]->functions[k].signature, &s, NULL));
            for (uint32_t i = 0; i < s.num_arguments; ++i)
                if (strstr(s.arguments[i].type, "Vector3") && !is_listed(function))
                    fail_msg("%s takes points and is not tried", function);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NAVIGATION_TEST(takes_any_numbers),
        NAVIGATION_TEST(lists_all_functions_that_take_points),
    };
    return cmocka_run_group_tests_name("navigation and any numbers", tests, test_group_setup,
                                       test_group_teardown);
}
