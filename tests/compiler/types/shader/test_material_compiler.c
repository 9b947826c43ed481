#include "compiler/compile_case.h"

#include <math.h>

#include "resource/types/material_resource.h"

// Only names and types matter to a material; the stages are not looked at.
static const char *const shader = "options = [\"normal_map\" \"unlit\"]\n"
                                  "parameters = {\n"
                                  "    base_color = { type = \"color\" }\n"
                                  "    roughness = { type = \"scalar\" }\n"
                                  "    uv_scale = { type = \"vector2\" }\n"
                                  "}\n"
                                  "textures = { albedo = { default = \"core/textures/white\" } }\n";

static compile_case case_of(const char *material) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "shaders/pbr.shader", shader);
    compile_case_text(&t, "wood.material", material);
    return t;
}

static void writes_values_by_name(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"\n"
                             "options = [\"unlit\"]\n"
                             "parameters = { base_color = [1 0.5 0] roughness = 0.75"
                             " uv_scale = [2 3] }\n"
                             "textures = { albedo = \"textures/wood\" }\n");
    const ct_material_resource *const r = compile_case_blob(&t, "material", "wood");
    assert_true(r->shader.value == ct_string_id64_of("shaders/pbr").value);
    const uint32_t *const options = ct_blob_at(r, r->options.offset);
    assert_int_equal(r->options.count, 1);
    assert_int_equal(options[0], ct_string_id32_of("unlit").value);
    const ct_material_parameter *const p = ct_blob_at(r, r->parameters.offset);
    assert_int_equal(r->parameters.count, 3);
    assert_int_equal(p[0].name.value, ct_string_id32_of("base_color").value);
    assert_int_equal(p[0].num_floats, 4);
    assert_true(p[0].value[0] == 1.0f && p[0].value[3] == 1.0f);
    assert_true(fabsf(p[0].value[1] - 0.21404f) < 1e-4f); // linear
    assert_int_equal(p[1].num_floats, 1);
    assert_true(p[1].value[0] == 0.75f && p[1].value[1] == 0.0f);
    assert_int_equal(p[2].num_floats, 2);
    assert_true(p[2].value[1] == 3.0f);
    const ct_material_texture *const texture = ct_blob_at(r, r->textures.offset);
    assert_int_equal(r->textures.count, 1);
    assert_int_equal(texture->name.value, ct_string_id32_of("albedo").value);
    assert_true(texture->texture.value == ct_string_id64_of("textures/wood").value);
    assert_true(has_reference(&t.answer, "shader", "shaders/pbr"));
    assert_true(has_reference(&t.answer, "texture", "textures/wood"));
    assert_true(compile_case_has_include(&t, "shaders/pbr.shader"));
    compile_case_free(&t);
}

static void warns_of_a_texture_without_the_option_of_its_name(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "shaders/pbr.shader",
                      "options = [\"normal_map\" \"unlit\"]\n"
                      "textures = { albedo = { default = \"core/textures/white\" }\n"
                      "             normal_map = { default = \"core/textures/normal\" } }\n");
    compile_case_text(&t, "wood.material",
                      "shader = \"shaders/pbr\"\noptions = [\"unlit\"]\n"
                      "textures = { albedo = \"t/wood\"\n  normal_map = \"t/normal\" }\n");
    compile_case_blob(&t, "material", "wood");
    expect_warning(&t.answer, "wood.material", 4, 3,
                   "normal_map has no effect: shaders/pbr.shader reads it");
    compile_case_text(&t, "wood.material",
                      "shader = \"shaders/pbr\"\noptions = [\"unlit\" \"normal_map\"]\n"
                      "textures = { albedo = \"t/wood\"\n  normal_map = \"t/normal\" }\n");
    compile_case_blob(&t, "material", "wood");
    assert_int_equal(t.answer.warnings.count, 0);
    // What a parent sets may be for others; its options count.
    compile_case_text(&t, "plain.material", "parent = \"wood\"\noptions = []\n");
    compile_case_blob(&t, "material", "plain");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_text(&t, "oak.material",
                      "parent = \"wood\"\ntextures = { normal_map = \"t/oak\" }\n");
    compile_case_blob(&t, "material", "oak");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void needs_nothing_but_a_shader(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"");
    const ct_material_resource *const r = compile_case_blob(&t, "material", "wood");
    assert_int_equal(r->options.count + r->parameters.count + r->textures.count, 0);
    compile_case_free(&t);
}

static void suggests_the_nearest_name(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"\n"
                             "parameters = {\n"
                             "    rougness = 1\n"
                             "}\n"
                             "textures = { albeda = \"a\" }\n"
                             "options = [\"normalmap\"]\n");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 3,
                        "shaders/pbr.shader has no \"rougness\" in parameters; did you mean "
                        "\"roughness\"?");
    compile_case_expect(&t, "wood.material", 5, "did you mean \"albedo\"?");
    compile_case_expect(&t, "wood.material", 6, "did you mean \"normal_map\"?");
    assert_int_equal(t.answer.errors.count, 3);
    compile_case_free(&t);
}

static void refuses_values_of_another_type(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"\n"
                             "parameters = {\n"
                             "    roughness = [1]\n"
                             "    uv_scale = 2\n"
                             "    base_color = [1 1]\n"
                             "}\n"
                             "textures = { albedo = 5 }\n");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 3, "roughness: found an array, expected a number");
    compile_case_expect(&t, "wood.material", 4,
                        "uv_scale is a vector2: found a number, expected an array of 2 numbers");
    compile_case_expect(&t, "wood.material", 5,
                        "base_color is a color: found an array of 2, expected an array of 3 or 4");
    compile_case_expect(&t, "wood.material", 7, "albedo: found a number");
    compile_case_free(&t);
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"\n"
                             "parameters = {\n"
                             "    roughness = 1e300\n"
                             "    base_color = [0 0 1.5]\n"
                             "}\n");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 3, "roughness: found 1e+300");
    compile_case_expect(&t, "wood.material", 4, "base_color: found 1.5, expected 0 to 1");
    compile_case_free(&t);
}

static void refuses_texture_names_that_are_not_canonical(void **state) {
    (void)state;
    compile_case t =
        case_of("shader = \"shaders/pbr\"\ntextures = { albedo = \"Textures\\\\Wood.png\" }\n");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 2, "is not the name of a resource");
    compile_case_free(&t);
}

static void refuses_an_option_twice(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"\noptions = [\"unlit\"\n\"unlit\"]\n");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 3, "the option \"unlit\" is listed twice");
    compile_case_free(&t);
}

static void reports_a_missing_shader(void **state) {
    (void)state;
    compile_case t = case_of("\nshader = \"shaders/none\"");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 2, "shaders/none.shader");
    assert_true(compile_case_has_include(&t, "shaders/none.shader"));
    compile_case_free(&t);
}

static void reports_a_shader_that_is_not_sjson_there(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"");
    compile_case_text(&t, "shaders/pbr.shader", "options = [\n]]");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "shaders/pbr.shader", 2, "");
    compile_case_free(&t);
}

static void says_when_the_shader_has_none_of_a_kind(void **state) {
    (void)state;
    compile_case t = case_of("shader = \"shaders/pbr\"\nparameters = { glow = 1 }");
    compile_case_text(&t, "shaders/pbr.shader", "layer = \"opaque\"");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 2, "has no \"glow\" in parameters; it has none");
    compile_case_free(&t);
}

// --- Parents -------------------------------------------------------------------------------------

static compile_case case_with_parent(const char *parent, const char *material) {
    compile_case t = case_of(material);
    compile_case_text(&t, "base.material", parent);
    return t;
}

static const char *const base = "shader = \"shaders/pbr\"\n"
                                "options = [\"unlit\"]\n"
                                "parameters = { roughness = 0.75 uv_scale = [2 3] }\n"
                                "textures = { albedo = \"textures/wood\" }\n";

static void is_its_parent_but_for_what_it_says(void **state) {
    (void)state;
    compile_case t = case_with_parent(base, "parent = \"base\"\n"
                                            "parameters = { roughness = 0.25 }\n");
    const ct_material_resource *const r = compile_case_blob(&t, "material", "wood");
    assert_true(r->shader.value == ct_string_id64_of("shaders/pbr").value);
    assert_int_equal(r->options.count, 1);
    assert_int_equal(r->textures.count, 1);
    const ct_material_parameter *const p = ct_blob_at(r, r->parameters.offset);
    assert_int_equal(r->parameters.count, 2);
    assert_int_equal(p[0].name.value, ct_string_id32_of("uv_scale").value);
    assert_int_equal(p[1].name.value, ct_string_id32_of("roughness").value);
    assert_true(p[1].value[0] == 0.25f);
    assert_true(has_reference(&t.answer, "material", "base"));
    assert_true(has_reference(&t.answer, "shader", "shaders/pbr"));
    assert_true(has_reference(&t.answer, "texture", "textures/wood"));
    assert_true(compile_case_has_include(&t, "base.material"));
    compile_case_free(&t);
}

static void takes_back_what_its_parents_say(void **state) {
    (void)state;
    compile_case t = case_with_parent(base, "parent = \"middle\"\n"
                                            "options = []\n"
                                            "parameters = { uv_scale = null }\n"
                                            "textures = { albedo = null }\n");
    compile_case_text(&t, "middle.material", "parent = \"base\"\noptions = [\"normal_map\"]\n");
    const ct_material_resource *const r = compile_case_blob(&t, "material", "wood");
    assert_int_equal(r->options.count, 0);
    assert_int_equal(r->parameters.count, 1);
    assert_int_equal(r->textures.count, 0);
    assert_false(has_reference(&t.answer, "texture", "textures/wood"));
    compile_case_free(&t);
}

static void tells_errors_of_parents_there(void **state) {
    (void)state;
    compile_case t = case_with_parent("shader = \"shaders/pbr\"\nparameters = { rough = 1 }",
                                      "parent = \"base\"\n");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "base.material", 2, "has no \"rough\" in parameters");
    compile_case_free(&t);
}

static void refuses_parents_that_are_none(void **state) {
    (void)state;
    compile_case t = case_with_parent("parent = \"wood\"", "\nparent = \"base\"");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 2,
                        "a material cannot be its own parent: base: wood: base");
    compile_case_run(&t, "material", "base"); // the same is told
    compile_case_expect(&t, "wood.material", 2,
                        "a material cannot be its own parent: base: wood: base");
    compile_case_text(&t, "wood.material", "\nparent = \"none\"");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 2, "\"none.material\" is not there");
    compile_case_text(&t, "wood.material", "parent = \"base\"\nshader = \"shaders/pbr\"");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 2, "expected no `shader` beside `parent`");
    compile_case_text(&t, "wood.material", "parameters = {}");
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "wood.material", 1, "material.shader is missing");
    compile_case_free(&t);
}

static void refuses_too_many_parents(void **state) {
    (void)state;
    compile_case t = case_of("parent = \"p0\"");
    for (uint32_t i = 0; i < 40; ++i) {
        char path[32], text[32];
        snprintf(path, sizeof(path), "p%u.material", i);
        snprintf(text, sizeof(text), "parent = \"p%u\"", i + 1);
        compile_case_text(&t, path, text);
    }
    compile_case_run(&t, "material", "wood");
    compile_case_expect(&t, "p31.material", 1, "more than 32 parents");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_values_by_name),
        cmocka_unit_test(warns_of_a_texture_without_the_option_of_its_name),
        cmocka_unit_test(needs_nothing_but_a_shader),
        cmocka_unit_test(suggests_the_nearest_name),
        cmocka_unit_test(refuses_values_of_another_type),
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_texture_names_that_are_not_canonical),
        cmocka_unit_test(refuses_an_option_twice),
        cmocka_unit_test(reports_a_missing_shader),
        cmocka_unit_test(reports_a_shader_that_is_not_sjson_there),
        cmocka_unit_test(says_when_the_shader_has_none_of_a_kind),
        cmocka_unit_test(is_its_parent_but_for_what_it_says),
        cmocka_unit_test(takes_back_what_its_parents_say),
        cmocka_unit_test(tells_errors_of_parents_there),
        cmocka_unit_test(refuses_parents_that_are_none),
        cmocka_unit_test(refuses_too_many_parents),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
