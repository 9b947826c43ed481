// Render data in units and in Lua: W is a world with the unit U, M and R are managers of it.
#include "script/fake_host.h"
#include "world/compiled_fixture.h"

static script_fixture f;
static const char *project;

static int set_up(void **state) {
    test_group_setup(state);
    f = start_script_with((ct_script_desc){0});
    project = test_scratch_folder();
    write_text(
        project, "base.unit",
        "components = [ { id = \"a\" type = \"transform\" }\n"
        "  { id = \"m\" type = \"mesh\" mesh = \"box\" }\n"
        "  { id = \"r\" type = \"render_data\" values = { wet = 0.5 size = [1 2] gone = 1 }\n"
        "    colors = { tint = [0.5 0 1] } } ]");
    write_text(project, "heir.unit",
               "inherit = \"base\" components = [\n"
               "  { id = \"r\" values = { wet = 0.25 gone = null } } ]");
    load_compiled(&f.world, project, "unit", "base");
    load_compiled(&f.world, project, "unit", "heir");
    run_lua(&f, "W = Application.new_world() "
                "R = EntityManager.render_data_component(W) "
                "D = RenderDataComponent "
                "U = World.spawn_unit(W, 'heir') "
                "I = D.instances(R, U)");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return test_group_teardown(state);
}

static void spawns_merged_values(void **state) {
    (void)state;
    assert_lua(&f, "D.get_property(R, I, 'wet'), D.get_property(R, I, {'gone'})", "0.25\tnil");
    assert_lua(&f, "Vector2.y(D.get_property(R, I, 'size'))", "2");
    assert_lua(&f,
               "string.format('%.3f', Vector4.x(D.get_property(R, I, 'tint'))), "
               "Vector4.w(D.get_property(R, I, 'tint'))",
               "0.214\t1");
    assert_lua(&f, "D.lookup(R, U, 'r') == I, D.get_property_by_id(R, U, 'r', 'wet')",
               "true\t0.25");
}

static void gives_values_to_the_meshes(void **state) {
    (void)state;
    run_lua(&f, "D.set_property(R, I, 'wet', 0.75)");
    assert_lua(&f, "D.get_property(R, I, 'wet')", "0.75");
    assert_float_equal(recorded()->objects[recorded()->last_object].value, 0.75f, 0);
    run_lua(&f, "D.set_property_by_id(R, U, 'r', 'size', Vector3(7, 8, 9))");
    assert_lua(&f, "Vector3.z(D.get_property(R, I, 'size'))", "9");
    assert_float_equal(recorded()->objects[recorded()->last_object].value, 7, 0);
}

static void makes_and_ends_instances(void **state) {
    (void)state;
    run_lua(&f, "J = D.create(R, U, 'mine') D.set_property(R, J, 'wet', 1)");
    assert_lua(&f, "select('#', D.instances(R, U)), select('#', D.instance_ids(R, U))", "2\t2");
    assert_lua_error(&f, "D.create(R, U, 'mine')", "already has render data");
    run_lua(&f, "D.destroy(R, J)");
    assert_lua_error(&f, "D.get_property(R, J, 'wet')", "render data");
    assert_lua(&f, "D.lookup(R, U, 'mine')", "nil");
    run_lua(&f, "X = World.spawn_unit(W, 'base') D.destroy_all(R, X)");
    assert_lua(&f, "select('#', D.instances(R, X))", "0");
    run_lua(&f, "Y = World.spawn_unit(W, 'base') K = D.instances(R, Y) World.destroy_unit(W, Y)");
    assert_lua_error(&f, "D.get_property(R, K, 'wet')", "");
}

static void refuses_what_is_no_value(void **state) {
    (void)state;
    assert_lua_error(&f, "D.set_property(R, I, 'wet', 'much')", "expected number or vector");
    assert_lua_error(&f, "D.set_property(R, I, 'wet', nil)", "expected number or vector");
    assert_lua_error(&f, "D.set_property(R, I, 'wet', 1e300)", "finite");
    assert_lua_error(&f, "D.set_property(R, I, 'wet', Vector2(0/0, 1))", "finite");
    assert_lua_error(&f, "D.set_property(R, I, {'a', 'b'}, 1)", "expected one name");
    assert_lua_error(&f, "D.set_property(R, 5, 'wet', 1)", "render data");
    assert_lua_error(&f, "D.get_property_by_id(R, U, 'none', 'wet')", "no render data with the id");
    assert_lua_error(&f,
                     "local j = D.create(R, U, 'full') "
                     "for i = 1, 17 do D.set_property(R, j, 'v' .. i, i) end",
                     "already has 16 values");
}

static void refuse(const char *component, const char *message) {
    char text[512];
    snprintf(text, sizeof(text), "components = [\n { id = \"r\" type = \"render_data\" %s } ]",
             component);
    write_text(project, "bad.unit", text);
    ct_compile_answer answer = compile_file(project, "unit", "bad");
    assert_int_equal(answer.blob.count, 0);
    assert_true(answer.errors.count > 0);
    assert_int_equal(answer.errors.items[0].line, 2);
    if (!strstr(answer.errors.items[0].message, message))
        fail_msg("%s", answer.errors.items[0].message);
    ct_compile_answer_free(&answer);
}

static void refuses_sources_with_other_values(void **state) {
    (void)state;
    refuse("values = { a = \"text\" }", "expected a number");
    refuse("values = { a = [1] }", "expected a number, or an array of 2 to 4 numbers");
    refuse("values = { a = [1 2 3 4 5] }", "expected a number, or an array of 2 to 4 numbers");
    refuse("values = { a = [1 true] }", "expected a number");
    refuse("values = { a = 1e300 }", "fits into a float");
    refuse("colors = { a = 1 }", "expected a colour");
    refuse("colors = { a = [1 2 0] }", "expected 0 to 1");
    refuse("value = {}", "did you mean \"values\"");
    refuse("values = { a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 o=1 p=1 q=1 }",
           "at most 16 values");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_merged_values),
        cmocka_unit_test(gives_values_to_the_meshes),
        cmocka_unit_test(makes_and_ends_instances),
        cmocka_unit_test(refuses_what_is_no_value),
        cmocka_unit_test(refuses_sources_with_other_values),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
