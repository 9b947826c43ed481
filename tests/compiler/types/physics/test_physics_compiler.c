#include "compiler/compile_case.h"
#include "resource/types/physics_resource.h"

static const ct_physics_resource *compile(compile_case *t, const char *text) {
    *t = compile_case_make();
    compile_case_text(t, "game.physics", text);
    return compile_case_blob(t, "physics", "game");
}

static void expect_fault(const char *text, uint32_t line, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "game.physics", text);
    compile_case_run(&t, "physics", "game");
    compile_case_expect(&t, "game.physics", line, message);
    compile_case_free(&t);
}

static const ct_physics_material *material(const ct_physics_resource *p, const char *name) {
    const uint32_t i = ct_physics_find_material(p, ct_string_id32_of(name));
    assert_true(i < p->materials.count);
    return (const ct_physics_material *)ct_blob_at(p, p->materials.offset) + i;
}

// The names of what a filter collides with, in the order of the blob.
static const char *collides(const ct_physics_resource *p, const char *name) {
    static char text[256];
    const ct_physics_filter *const filters = ct_blob_at(p, p->filters.offset);
    const uint32_t i = ct_physics_find_filter(p, ct_string_id32_of(name));
    assert_true(i < p->filters.count);
    text[0] = 0;
    for (uint32_t k = 0; k < p->filters.count; ++k) {
        if (filters[i].collides >> k & 1)
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ",
                     (const char *)ct_blob_at(p, filters[k].name_text.offset));
    }
    return text;
}

static void an_empty_source_has_the_defaults(void **state) {
    (void)state;
    compile_case t;
    const ct_physics_resource *const p = compile(&t, "// nothing\n");
    assert_float_equal(p->gravity[2], -9.82f, 0);
    assert_float_equal(p->step, 1.0f / 60, 0);
    assert_int_equal(p->max_steps, 4);
    assert_int_equal(p->materials.count, 1);
    assert_int_equal(p->filters.count, 1);
    assert_int_equal(p->templates.count, 0);
    assert_float_equal(material(p, "default")->friction, 0.5f, 0);
    assert_float_equal(material(p, "default")->density, 1000, 0);
    assert_string_equal(collides(p, "default"), "default ");
    compile_case_free(&t);
}

static void default_comes_first_wherever_it_is_listed(void **state) {
    (void)state;
    compile_case t;
    const ct_physics_resource *const p =
        compile(&t, "materials = [\n{ name = \"ice\" friction = 0.1 }\n"
                    "{ name = \"default\" friction = 0.75 }\n]\n"
                    "filters = [\n{ name = \"ghost\" collides = [] }\n"
                    "{ name = \"default\" collides = [\"default\"] }\n]\n");
    assert_int_equal(p->materials.count, 2);
    assert_int_equal(ct_physics_find_material(p, ct_string_id32_of("default")), 0);
    assert_float_equal(material(p, "default")->friction, 0.75f, 0);
    assert_float_equal(material(p, "ice")->friction, 0.1f, 0);
    assert_int_equal(ct_physics_find_filter(p, ct_string_id32_of("default")), 0);
    assert_string_equal(collides(p, "default"), "default ");
    assert_string_equal(collides(p, "ghost"), "");
    assert_int_equal(ct_physics_find_material(p, ct_string_id32_of("lava")), UINT32_MAX);
    compile_case_free(&t);
}

static void pairs_go_over_the_materials(void **state) {
    (void)state;
    compile_case t;
    const ct_physics_resource *const p =
        compile(&t, "materials = [\n{ name = \"a\" touch_impulse = 1 }\n"
                    "{ name = \"b\" touch_impulse = 2 }\n{ name = \"c\" touch_impulse = 3 }\n]\n"
                    "pairs = [ { a = \"c\" b = \"a\" touch_impulse = 0.5 }\n"
                    "{ a = \"a\" b = \"b\" touch_impulse = 9 }\n"
                    "{ a = \"default\" b = \"default\" touch_impulse = 7 } ]\n");
    assert_float_equal(ct_physics_touch_impulse(p, 1, 3), 0.5f, 0);
    assert_float_equal(ct_physics_touch_impulse(p, 3, 1), 0.5f, 0);
    assert_float_equal(ct_physics_touch_impulse(p, 2, 1), 9, 0);
    assert_float_equal(ct_physics_touch_impulse(p, 0, 0), 7, 0);
    assert_float_equal(ct_physics_touch_impulse(p, 2, 3), 3, 0); // the higher of the materials
    assert_float_equal(ct_physics_touch_impulse(p, 3, 3), 3, 0);
    compile_case_free(&t);
}

static void all_is_every_filter_that_does_not_leave_it_out(void **state) {
    (void)state;
    compile_case t;
    const ct_physics_resource *const p =
        compile(&t, "filters = [\n{ name = \"ground\" collides = [\"debris\" \"default\"] }\n"
                    "{ name = \"debris\" collides = [\"ground\"] }\n"
                    "{ name = \"mover\" collides = \"all\" }\n]\n");
    assert_string_equal(collides(p, "default"), "default ground mover ");
    assert_string_equal(collides(p, "ground"), "default debris ");
    assert_string_equal(collides(p, "debris"), "ground ");
    assert_string_equal(collides(p, "mover"), "default mover ");
    compile_case_free(&t);
}

static void names_the_filter_that_must_name_the_other(void **state) {
    (void)state;
    expect_fault(
        "filters = [\n{ name = \"ground\" collides = [\"debris\"] }\n"
        "{ name = \"debris\"\ncollides = [\"debris\"] }\n]\n",
        4,
        "\"ground\" collides with \"debris\", but not the other way: add \"ground\" to the "
        "filter \"debris\", or remove it from the other");
}

static void refuses_filters_that_are_wrong(void **state) {
    (void)state;
    expect_fault("filters = [\n{ name = \"ground\" collides = [\"debri\"] }\n"
                 "{ name = \"debris\" collides = [] }\n]\n",
                 2, "there is no filter \"debri\"; did you mean \"debris\"?");
    expect_fault("filters = [\n{ name = \"ground\" collides = [\"xyzzyplugh\"] }\n]\n", 2,
                 "there is no filter \"xyzzyplugh\"; add it to `filters`");
    expect_fault("filters = [\n{ name = \"ground\" collides = \"ground\" }\n]\n", 2,
                 "collides: found \"ground\", expected \"all\" or an array of names");
    expect_fault("filters = [\n{ name = \"ground\" collides = 3 }\n]\n", 2,
                 "expected \"all\" or an array of names");
    expect_fault("filters = [\n{ name = \"ground\" collides = [3] }\n]\n", 2,
                 "expected the name of a filter");
    expect_fault("filters = [\n{ name = \"ground\" collides = [\"ground\" \"ground\"] }\n]\n", 2,
                 "\"ground\" is named twice");
    expect_fault("filters = [\n{ name = \"ground\" }\n]\n", 2, "collides");
    char text[4096] = "filters = [\n";
    for (int i = 0; i < 32; ++i)
        sprintf(text + strlen(text), "{ name = \"f%d\" collides = [] }\n", i);
    strcat(text, "]\n");
    expect_fault(text, 33, "found 32 filters, and \"default\": expected at most 32");
    char *const twin = strstr(text, "f31");
    memcpy(twin, "f30", 3);
    expect_fault(text, 33, "there are two filters \"f30\": rename one");
    sprintf(text + strlen(text) - 2, "{ name = \"more\" collides = [] }\n]\n");
    expect_fault(text, 1, "found 33 elements, expected at most 32");
}

static void accepts_32_filters_with_default(void **state) {
    (void)state;
    compile_case t;
    char text[4096] = "filters = [ { name = \"default\" collides = \"all\" }\n";
    for (int i = 1; i < 32; ++i)
        sprintf(text + strlen(text), "{ name = \"f%d\" collides = \"all\" }\n", i);
    strcat(text, "]\n");
    const ct_physics_resource *const p = compile(&t, text);
    assert_int_equal(p->filters.count, 32);
    const ct_physics_filter *const filters = ct_blob_at(p, p->filters.offset);
    assert_int_equal(filters[31].collides, UINT32_MAX);
    compile_case_free(&t);
}

static void refuses_materials_and_pairs_that_are_wrong(void **state) {
    (void)state;
    expect_fault("materials = [\n{ name = \"ice\" }\n{ name = \"ice\" }\n]\n", 3,
                 "there are two materials \"ice\": rename one");
    expect_fault("materials = [\n{ name = \"default\" }\n{ name = \"default\" }\n]\n", 3,
                 "there are two materials \"default\": rename one");
    expect_fault("materials = [\n{ name = \"\" }\n]\n", 2, "the name of a material is empty");
    expect_fault("materials = [\n{ friction = 1 }\n]\n", 2, "name");
    expect_fault("materials = [\n{ name = \"ice\" friction = -1 }\n]\n", 2, "friction");
    expect_fault("materials = [\n{ name = \"ice\" density = 0 }\n]\n", 2, "density");
    expect_fault("materials = [\n{ id = \"1\" name = \"ice\" }\n{ id = \"1\" name = \"b\" }\n]\n",
                 3, "another element has the id \"1\"");
    expect_fault("materials = [\n{ id = 1 name = \"ice\" }\n]\n", 2, "expected a string");
    expect_fault("pairs = [\n{ a = \"default\" b = \"defalt\" touch_impulse = 1 }\n]\n", 2,
                 "there is no material \"defalt\"; did you mean \"default\"?");
    expect_fault("materials = [{ name = \"ice\" }]\n"
                 "pairs = [\n{ a = \"default\" b = \"ice\" touch_impulse = 1 }\n"
                 "{ a = \"ice\" b = \"default\" touch_impulse = 2 }\n]\n",
                 4, "there are two pairs of \"ice\" and \"default\"");
    expect_fault("pairs = [\n{ a = \"default\" b = \"default\" }\n]\n", 2, "touch_impulse");
}

static void templates_keep_which_members_they_give(void **state) {
    (void)state;
    compile_case t;
    const ct_physics_resource *const p = compile(
        &t, "materials = [{ name = \"wood\" }]\n"
            "templates = [ { name = \"crate\" actor = { body = \"dynamic\" material = \"wood\" "
            "mass = 12 } } ]\n");
    const ct_physics_template *const crate = ct_blob_at(p, p->templates.offset);
    assert_int_equal(ct_physics_find_template(p, ct_string_id32_of("crate")), 0);
    assert_int_equal(crate->actor.body, CT_ACTOR_DYNAMIC);
    assert_int_equal(crate->actor.material.value, ct_string_id32_of("wood").value);
    ct_actor_data top = {.given = 0}, out;
    ct_schema_defaults(&ct_actor_head_schema, &top);
    ct_actor_data_combine(&crate->actor, &top, &out);
    assert_float_equal(out.mass, 12, 0);
    assert_int_equal(out.body, CT_ACTOR_DYNAMIC);
    uint32_t given = 0;
    for (uint32_t i = 0; i < 32; ++i)
        given += crate->actor.given >> i & 1;
    assert_int_equal(given, 3);
    compile_case_free(&t);
}

static void refuses_templates_that_are_wrong(void **state) {
    (void)state;
    expect_fault("templates = [\n{ name = \"crate\"\nactor = { material = \"defaul\" } }\n]\n", 3,
                 "there is no material \"defaul\"; did you mean \"default\"?");
    expect_fault("templates = [\n{ name = \"crate\"\nactor = { filter = \"defaul\" } }\n]\n", 3,
                 "there is no filter \"defaul\"; did you mean \"default\"?");
    expect_fault("templates = [\n{ name = \"crate\"\nactor = { node = \"arm\" } }\n]\n", 3,
                 "`node` belongs to each actor: a template cannot have it");
    expect_fault("templates = [\n{ name = \"crate\"\nactor = { boddy = \"static\" } }\n]\n", 3,
                 "did you mean \"body\"?");
    expect_fault("templates = [\n{ name = \"a\" actor = {} }\n{ name = \"a\" actor = {} }\n]\n", 3,
                 "there are two templates \"a\": rename one");
    expect_fault("templates = [\n{ name = \"a\" actor = {\nlock_rotation = \"xu\" } }\n]\n", 3,
                 "lock_rotation: found \"xu\", expected some of the letters x, y and z");
    expect_fault("templates = [\n{ name = \"a\" }\n]\n", 2, "actor");
}

static void refuses_settings_out_of_range(void **state) {
    (void)state;
    expect_fault("step = 0\n", 1, "step");
    expect_fault("\nmax_steps = 0\n", 2, "max_steps");
    expect_fault("solver_iterations = 0\n", 1, "solver_iterations");
    expect_fault("gravity = [0 0 1e30]\n", 1, "gravity");
    expect_fault("sleep_linear = -1\n", 1, "sleep_linear");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_source_has_the_defaults),
        cmocka_unit_test(default_comes_first_wherever_it_is_listed),
        cmocka_unit_test(pairs_go_over_the_materials),
        cmocka_unit_test(all_is_every_filter_that_does_not_leave_it_out),
        cmocka_unit_test(names_the_filter_that_must_name_the_other),
        cmocka_unit_test(refuses_filters_that_are_wrong),
        cmocka_unit_test(accepts_32_filters_with_default),
        cmocka_unit_test(refuses_materials_and_pairs_that_are_wrong),
        cmocka_unit_test(templates_keep_which_members_they_give),
        cmocka_unit_test(refuses_templates_that_are_wrong),
        cmocka_unit_test(refuses_settings_out_of_range),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
