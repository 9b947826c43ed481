// Environments, and the volumes that have them, in Lua: W is a world with the camera C, E its
// environment "dusk".
#include "foundation/math/math.h"
#include "script/fake_host.h"
#include "world/compiled_fixture.h"
#include "world/world_environment.h"

static script_fixture f;
static const char *project;

static void write_environment(const char *name, const char *values) {
    char file[64], text[256];
    snprintf(file, sizeof(file), "%s.environment", name);
    snprintf(text, sizeof(text), "render_config = \"config\" values = { %s }", values);
    write_text(project, file, text);
}

static int set_up(void **state) {
    test_group_setup(state);
    ct_error error = {0};
    f = start_script_with((ct_script_desc){0});
    project = test_scratch_folder();
    write_text(
        project, "config.render_config",
        "settings = {\n"
        "  mist = { type = \"number\" default = 0.5 least = 0 most = 1 environment = true }\n"
        "  tint = { type = \"color\" default = [1 1 1] environment = true }\n"
        "  wind = { type = \"vector2\" default = [1 2] environment = true }\n"
        "  four = { type = \"vector4\" default = [1 2 3 4] environment = true }\n"
        "  wet = { type = \"bool\" default = false environment = true }\n"
        "  mode = { choices = [\"a\" \"b\"] default = \"a\" environment = true }\n"
        "  shadows = true }\n"
        "viewports = { default = [] }\n");
    write_environment("dusk", "mist = 0.25 wind = [3 4]");
    write_environment("rain", "mist = 1 wet = true mode = \"b\"");
    write_text(
        project, "camera.unit",
        "components = [ { id = \"a\" type = \"transform\" } { id = \"b\" type = \"camera\" } ]");
    write_text(project, "yard.level",
               "volumes = [\n"
               "  { id = \"v1\" name = \"a\" half_size = [1 1 1] environment = \"rain\"\n"
               "    environment_fade = 4 }\n"
               "  { id = \"v2\" name = \"b\" position = [100 0 0] environment = \"rain\"\n"
               "    environment_weight = 0.5 environment_priority = -1 }\n"
               "  { id = \"v3\" name = \"c\" position = [100 0 0] environment = \"dusk\"\n"
               "    environment_weight = 0.5 environment_priority = -2 } ]");
    load_compiled(&f.world, project, "render_config", "config");
    load_compiled(&f.world, project, "environment", "dusk");
    load_compiled(&f.world, project, "environment", "rain");
    load_compiled(&f.world, project, "unit", "camera");
    load_compiled(&f.world, project, "level", "yard");
    if (!ct_renderer_set_config(recorder, "config", &error))
        fail_msg("%s", error.message);
    run_lua(&f, "S = ShadingEnvironment "
                "W = Application.new_world() "
                "E = World.create_shading_environment(W, 'dusk') "
                "V = Application.create_viewport(W, 'default') "
                "U = World.spawn_unit(W, 'camera') "
                "C = Unit.camera(U, 'camera')");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return test_group_teardown(state);
}

// The first number of a value with which W is rendered from `x`; -1: there is none.
static float rendered(float x, const char *name) {
    ct_render_environment_value values[CT_RENDER_MAX_SETTINGS];
    const ct_world *const world = ct_world_system_world(f.world.system, 1);
    const uint32_t count = ct_world_environment_values(world, NULL, ct_vec3_make(x, 0, 0), values);
    for (uint32_t i = 0; i < count; ++i) {
        if (values[i].name.value == ct_string_id32_of(name).value)
            return values[i].value[0];
    }
    return -1;
}

static void gives_its_values_and_else_those_of_the_settings(void **state) {
    (void)state;
    assert_lua(&f, "S.scalar(E, 'mist'), S.scalar(E, 'wet')", "0.25\t0");
    assert_lua(&f, "Vector3.x(S.vector2(E, 'wind')), Vector3.y(S.vector2(E, 'wind'))", "3\t4");
    assert_lua(&f, "Vector3.x(S.vector3(E, 'tint'))", "1");
    assert_lua(&f, "S.array_elements(E, 'four'), S.array_scalar(E, 'four', 3)", "4\t3");
    assert_lua(&f, "S.array_elements(E, 'mist'), S.array_scalar(E, 'tint', 4)", "1\t1");
}

static void blends_by_weight(void **state) {
    (void)state;
    run_lua(&f, "S.blend(E, 'dusk', 1, 'rain', 3)");
    assert_lua(&f, "S.scalar(E, 'mist'), S.scalar(E, 'wet')", "0.8125\t1");
    assert_lua(&f, "Vector3.x(S.vector2(E, 'wind'))", "1.5"); // rain says nothing of it
    run_lua(&f, "S.blend(E, {'dusk', 3, 'rain', 1})");
    assert_lua(&f, "S.scalar(E, 'mist'), S.scalar(E, 'wet')", "0.4375\t0");
    run_lua(&f, "S.blend(E, 'dusk', 0, 'rain', 0)");
    assert_lua(&f, "S.scalar(E, 'mist')", "0.5");
    run_lua(&f, "World.set_shading_environment(W, E, 'dusk')");
    assert_lua(&f, "S.scalar(E, 'mist')", "0.25");
}

static void keeps_what_is_set_until_the_next_blend(void **state) {
    (void)state;
    run_lua(&f, "S.set_scalar(E, 'mist', 0.125) S.set_scalar(E, 'wet', 1) "
                "S.set_vector2(E, 'wind', Vector2(7, 8)) "
                "S.set_vector3(E, 'tint', Vector3(0.5, 0.25, 0)) "
                "S.set_array_scalar(E, 'four', 2, 9)");
    assert_lua(&f, "S.scalar(E, 'mist'), S.scalar(E, 'wet'), Vector3.y(S.vector2(E, 'wind'))",
               "0.125\t1\t8");
    assert_lua(&f, "Vector3.y(S.vector3(E, 'tint')), S.array_scalar(E, 'tint', 4)", "0.25\t1");
    assert_lua(&f, "S.array_scalar(E, 'four', 1), S.array_scalar(E, 'four', 2)", "1\t9");
    run_lua(&f, "S.blend(E, 'dusk', 1) S.apply(E)");
    assert_lua(&f, "S.scalar(E, 'mist'), S.array_scalar(E, 'four', 2)", "0.25\t2");
}

static void shows_reloads_at_once_and_keeps_what_is_set(void **state) {
    (void)state;
    run_lua(&f, "S.set_vector2(E, 'wind', Vector2(5, 5))");
    write_environment("dusk", "mist = 0.75 wind = [3 4]");
    reload_compiled(&f.world, project, "environment", "dusk");
    assert_lua(&f, "S.scalar(E, 'mist'), Vector3.x(S.vector2(E, 'wind'))", "0.75\t5");
    write_environment("dusk", "mist = 0.25 wind = [3 4]");
    reload_compiled(&f.world, project, "environment", "dusk");
    run_lua(&f, "S.blend(E, 'dusk', 1)");
    assert_lua(&f, "S.scalar(E, 'mist')", "0.25");
}

static void refuses_what_is_not_there(void **state) {
    (void)state;
    assert_lua_error(&f, "S.scalar(E, 'mits')", "did you mean \"mist\"?");
    assert_lua_error(&f, "S.scalar(E, 'shadows')", "environments may not set \"shadows\"");
    assert_lua_error(&f, "S.scalar(E, 'wind')", "\"wind\" is a vector2, expected a number");
    assert_lua_error(&f, "S.vector3(E, 'mist')", "\"mist\" is a number, expected a vector3");
    assert_lua_error(&f, "S.vector2(E, 'four')", "expected a vector2");
    assert_lua_error(&f, "S.array_scalar(E, 'mode', 1)", "\"mode\" is a choice");
    assert_lua_error(&f, "S.array_scalar(E, 'wind', 3)", "argument 3");
    assert_lua_error(&f, "S.set_scalar(E, 'mist', 0/0)", "argument 3");
    assert_lua_error(&f, "S.set_vector3(E, 'tint', Vector3(1/0, 0, 0))", "finite");
    assert_lua_error(&f, "S.set_vector2(E, 'wind', Vector2(0/0, 0))", "finite");
    assert_lua_error(&f, "S.blend(E)", "1 to 16 environments");
    assert_lua_error(&f, "S.blend(E, 'dusk')", "1 to 16 environments");
    assert_lua_error(&f, "S.blend(E, {})", "1 to 16 environments");
    assert_lua_error(&f, "S.blend(E, 'dusk', -1)", "argument 3");
    assert_lua_error(&f, "S.blend(E, 'dsk', 1)", "there is no environment \"dsk\"");
    assert_lua_error(&f, "World.create_shading_environment(W, 'none')", "no environment");
    assert_lua_error(&f, "Application.render_world(W, C, V, 5)", "ShadingEnvironment");
}

static void ends_with_its_world(void **state) {
    (void)state;
    run_lua(&f, "X = Application.new_world() "
                "A = World.create_shading_environment(X, 'dusk') "
                "B = World.create_shading_environment(X, 'rain')");
    assert_lua_error(&f, "World.destroy_shading_environment(W, A)", "of another world");
    assert_lua_error(&f, "Application.render_world(W, C, V, A)", "of another world");
    run_lua(&f, "World.destroy_shading_environment(X, A)");
    assert_lua_error(&f, "S.scalar(A, 'mist')", "destroyed ShadingEnvironment");
    run_lua(&f, "Application.release_world(X)");
    assert_lua_error(&f, "S.scalar(B, 'mist')", "destroyed ShadingEnvironment");
}

static void renders_with_what_was_applied(void **state) {
    (void)state;
    run_lua(&f, "S.blend(E, 'dusk', 1) S.apply(E) S.set_scalar(E, 'mist', 0.875)");
    run_lua(&f, "Application.render_world(W, C, V, E)");
    assert_int_equal(recorded()->rendered.num_values, 2); // mist and wind
    run_lua(&f, "S.set_scalar(E, 'wet', 1) S.apply(E) Application.render_world(W, C, V, E)");
    assert_int_equal(recorded()->rendered.num_values, 3);
    run_lua(&f, "Application.render_world(W, C, V)");
    assert_int_equal(recorded()->rendered.num_values, 0);
}

static void volumes_fade_outside_and_count_by_priority(void **state) {
    (void)state;
    run_lua(&f, "Y = World.load_level(W, 'yard')");
    assert_float_equal(rendered(0, "mist"), 1, 0);
    assert_float_equal(rendered(0, "wet"), 1, 0);
    assert_float_equal(rendered(2, "mist"), 0.875f, 1e-6f); // 0.5 to 1, by 3/4
    assert_float_equal(rendered(2, "wet"), 1, 0);
    assert_float_equal(rendered(4, "mist"), 0.625f, 1e-6f);
    assert_float_equal(rendered(4, "wet"), 0, 0);
    assert_float_equal(rendered(5, "mist"), -1, 0);
    // First half of dusk, then half of rain.
    assert_float_equal(rendered(100, "mist"), 0.6875f, 1e-6f);
    run_lua(&f, "World.destroy_level(W, Y)");
    assert_float_equal(rendered(0, "mist"), -1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_its_values_and_else_those_of_the_settings),
        cmocka_unit_test(blends_by_weight),
        cmocka_unit_test(keeps_what_is_set_until_the_next_blend),
        cmocka_unit_test(shows_reloads_at_once_and_keeps_what_is_set),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(ends_with_its_world),
        cmocka_unit_test(renders_with_what_was_applied),
        cmocka_unit_test(volumes_fade_outside_and_count_by_priority),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
