#include "compiler/compile_case.h"

#include <math.h>

#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"

static const char *const plain_vertex = "vertex = \"\"\"\n"
                                        "layout(location = 0) in vec3 position;\n"
                                        "void main() { gl_Position = vec4(position, 1.0); }\n"
                                        "\"\"\"\n";
static const char *const plain_fragment = "fragment = \"\"\"\n"
                                          "layout(location = 0) out vec4 color;\n"
                                          "void main() { color = vec4(1.0); }\n"
                                          "\"\"\"\n";

static void write_shader(compile_case *t, const char *head, const char *vertex,
                         const char *fragment) {
    char source[4096];
    snprintf(source, sizeof(source), "%s%s%s", head, vertex ? vertex : plain_vertex,
             fragment ? fragment : plain_fragment);
    compile_case_text(t, "a.shader", source);
}

static const ct_shader_resource *compile(compile_case *t, const char *head, const char *vertex,
                                         const char *fragment) {
    write_shader(t, head, vertex, fragment);
    return compile_case_blob(t, "shader", "a");
}

static void compile_badly(compile_case *t, const char *head, const char *vertex,
                          const char *fragment) {
    write_shader(t, head, vertex, fragment);
    compile_case_run(t, "shader", "a");
}

static const ct_shader_parameter *parameters_of(const ct_shader_resource *r) {
    return ct_blob_at(r, r->parameters.offset);
}

static const ct_shader_variant *variants_of(const ct_shader_resource *r) {
    return ct_blob_at(r, r->variants.offset);
}

static void compiles_both_stages(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r = compile(
        &t, "layer = \"opaque\" cull = \"none\" blend = \"add\" depth_write = false\n", NULL, NULL);
    const ct_shader_state *const s = &variants_of(r)->state;
    assert_int_equal(s->layer.value, ct_string_id32_of("opaque").value);
    assert_int_equal(s->cull, CT_SHADER_CULL_NONE);
    assert_int_equal(s->blend, CT_SHADER_BLEND_ADD);
    assert_int_equal(s->depth_test, 1);
    assert_int_equal(s->depth_write, 0);
    assert_int_equal(r->is_compute, 0);
    assert_int_equal(r->block_bytes, 0);
    assert_int_equal(r->variants.count, 1);
    assert_int_not_equal(variants_of(r)->vertex.offset, variants_of(r)->fragment.offset);
    compile_case_free(&t);
}

// Leaves fragments at the left out.
static const char *const hollow_fragment = "fragment = \"\"\"\n"
                                           "layout(location = 0) out vec4 color;\n"
                                           "void main() {\n"
                                           "    if (gl_FragCoord.x < 8.0)\n"
                                           "        discard;\n"
                                           "#ifndef SHADOW_PASS\n"
                                           "    color = vec4(sin(gl_FragCoord.y));\n"
                                           "#endif\n"
                                           "}\n\"\"\"\n";

static void makes_a_fragment_stage_for_shadows_where_some_are_discarded(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *r = compile(&t, "layer = \"opaque\"\n", NULL, NULL);
    assert_int_equal(variants_of(r)->state.casts_shadows, 1);
    assert_int_equal(variants_of(r)->shadow_fragment.count, 0);
    compile_case_free(&t);
    t = compile_case_make();
    r = compile(&t, "layer = \"opaque\"\n", NULL, hollow_fragment);
    assert_true(variants_of(r)->shadow_fragment.count > 0);
    assert_true(variants_of(r)->shadow_fragment.count < variants_of(r)->fragment.count);
    compile_case_free(&t);
}

static void instanced_parameters_need_no_other_source(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r = compile(
        &t,
        "parameters = { tint = { type = \"color\" instanced = true } size = { type = \"scalar\" }\n"
        "lift = { type = \"vector2\" instanced = true } }\n",
        "vertex = \"\"\"\n"
        "struct instance_data { vec4 rows[3]; uvec4 values; };\n"
        "layout(std430, set = 0, binding = 1) readonly buffer b { instance_data instances[]; };\n"
        "layout(location = 0) in vec3 position;\n"
        "void main() { gl_Position = vec4(position.xy + material.lift, material.size, 1.0); }\n"
        "\"\"\"\n",
        "fragment = \"\"\"\nlayout(location = 0) out vec4 color;\n"
        "void main() { color = material.tint * material.size; }\n\"\"\"\n");
    assert_int_equal(parameters_of(r)[0].instanced, 1);
    assert_int_equal(parameters_of(r)[1].instanced, 0);
    assert_int_equal(parameters_of(r)[2].instanced, 2);
    compile_case_free(&t);
}

static void refuses_instanced_parameters_of_passes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t,
                  "vertices = \"fullscreen\"\n"
                  "parameters = { tint = { type = \"color\" instanced = true } }\n",
                  NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "tint: only parameters of meshes can be instanced");
    compile_case_free(&t);
}

static void refuses_instanced_matrices(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "parameters = { m = { type = \"matrix4x4\" instanced = true } }\n", NULL,
                  NULL);
    compile_case_expect(&t, "a.shader", 1, "m: a matrix4x4 cannot be instanced");
    compile_case_free(&t);
}

static void only_opaque_meshes_that_write_depth_cast_shadows(void **state) {
    (void)state;
    static const char *const heads[] = {"casts_shadows = false\n", "blend = \"alpha\"\n",
                                        "depth_write = false\n"};
    for (uint32_t i = 0; i < CT_COUNT_OF(heads); ++i) {
        compile_case t = compile_case_make();
        const ct_shader_resource *const r = compile(&t, heads[i], NULL, hollow_fragment);
        assert_int_equal(variants_of(r)->state.casts_shadows, 0);
        assert_int_equal(variants_of(r)->shadow_fragment.count, 0);
        compile_case_free(&t);
    }
}

static void lays_the_block_out_as_std140(void **state) {
    (void)state;
    static const uint32_t offsets[] = {0, 8, 16, 28, 32};
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t,
                "parameters = {\n"
                "    a = { type = \"scalar\" default = 0.25 }\n"
                "    b = { type = \"vector2\" default = [1 2] doc = \"two\" }\n"
                "    c = { type = \"vector3\" default = [1 2 3] }\n"
                "    d = { type = \"scalar\" }\n"
                "    e = { type = \"color\" default = [1 0.5 0] }\n"
                "}\n",
                NULL,
                "fragment = \"\"\"\n"
                "layout(location = 0) out vec4 color;\n"
                "void main() { color = material.e * material.a + material.c.xyzz; }\n"
                "\"\"\"\n");
    assert_int_equal(r->block_bytes, 48);
    assert_int_equal(r->parameters.count, 5);
    for (uint32_t i = 0; i < 5; ++i)
        assert_int_equal(parameters_of(r)[i].offset, offsets[i]);
    const ct_shader_parameter *const e = &parameters_of(r)[4];
    assert_int_equal(e->name.value, ct_string_id32_of("e").value);
    assert_int_equal(e->type, CT_SHADER_PARAMETER_TYPE_COLOR);
    assert_true(fabsf(e->default_value[1] - 0.21404f) < 1e-4f); // linear
    assert_true(e->default_value[3] == 1.0f);
    assert_true(parameters_of(r)[0].default_value[0] == 0.25f);
    assert_true(parameters_of(r)[3].default_value[0] == 0.0f);
    compile_case_free(&t);
}

static void keeps_matrices_column_by_column(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t,
                "parameters = {\n"
                "    a = { type = \"scalar\" }\n"
                "    m = { type = \"matrix4x4\" }\n"
                "    n = { type = \"matrix4x4\" "
                "default = [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] }\n"
                "}\n",
                NULL,
                "fragment = \"\"\"\n"
                "layout(location = 0) out vec4 color;\n"
                "void main() { color = material.m * material.n[3] * material.a; }\n"
                "\"\"\"\n");
    assert_int_equal(r->block_bytes, 16 + 2 * 64);
    const ct_shader_parameter *const p = parameters_of(r);
    assert_int_equal(p[1].type, CT_SHADER_PARAMETER_TYPE_MATRIX4X4);
    assert_int_equal(p[1].offset, 16);
    for (uint32_t i = 0; i < 16; ++i) {
        assert_true(p[1].default_value[i] == (i % 5 == 0 ? 1.0f : 0.0f)); // the identity
        assert_true(p[2].default_value[i] == (float)(i + 1));
    }
    compile_case_free(&t);
}

static void binds_textures_in_source_order(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t,
                "textures = {\n"
                "    wood = { default = \"core/textures/white\" }\n"
                "    bark = { default = \"textures/bark\" doc = \"outside\" }\n"
                "}\n",
                NULL,
                "fragment = \"\"\"\n"
                "layout(location = 0) out vec4 color;\n"
                "void main() { color = texture(wood, vec2(0)) + texture(bark, vec2(0)); }\n"
                "\"\"\"\n");
    const ct_shader_texture *const textures = ct_blob_at(r, r->textures.offset);
    assert_int_equal(r->textures.count, 2);
    assert_int_equal(textures[0].name.value, ct_string_id32_of("wood").value);
    assert_int_equal(textures[0].binding, 1);
    assert_int_equal(textures[1].binding, 2);
    assert_true(textures[1].default_texture.value == ct_string_id64_of("textures/bark").value);
    assert_true(has_reference(&t.answer, "texture", "textures/bark"));
    compile_case_free(&t);
}

static void makes_samplers_of_the_kinds_of_textures(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t,
                "textures = {\n"
                "    plain = { default = \"core/textures/white\" kind = \"2d\" }\n"
                "    sky = { default = \"core/textures/black_cube\" kind = \"cube\" }\n"
                "    pages = { default = \"core/textures/white_array\" kind = \"array\" }\n"
                "}\n",
                NULL,
                "fragment = \"\"\"\n"
                "layout(location = 0) out vec4 color;\n"
                "void main() {\n"
                "    color = texture(plain, vec2(0)) + texture(sky, vec3(1)) +\n"
                "            texture(pages, vec3(0));\n"
                "}\n"
                "\"\"\"\n");
    const ct_shader_texture *const textures = ct_blob_at(r, r->textures.offset);
    assert_int_equal(textures[0].kind, CT_TEXTURE_KIND_2D);
    assert_int_equal(textures[1].kind, CT_TEXTURE_KIND_CUBE);
    assert_int_equal(textures[2].kind, CT_TEXTURE_KIND_ARRAY);
    compile_badly(&t, "textures = {\n    a = { default = \"b\" kind = \"3d\" }\n}\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2,
                        "a: found kind \"3d\", expected one of: 2d, array, cube");
    compile_badly(&t, "textures = {\n    a = { default = \"b\" kind = 2 }\n}\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "expected one of: 2d, array, cube");
    compile_badly(&t, "textures = {\n    a = { default = \"b\" xyz = 2 }\n}\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "unknown member \"xyz\"; expected default, doc, kind");
    compile_case_free(&t);
}

static const char *const options_head = "options = [\"red\" \"big_one\"]\n";
static const char *const options_fragment = "fragment = \"\"\"\n"
                                            "layout(location = 0) out vec4 color;\n"
                                            "void main() {\n"
                                            "    color = vec4(1.0);\n"
                                            "#ifdef OPTION_RED\n"
                                            "    color.gb = vec2(0.0);\n"
                                            "#endif\n"
                                            "}\n"
                                            "\"\"\"\n";

static void makes_a_variant_of_every_combination(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r = compile(&t, options_head,
                                                "vertex = \"\"\"\n"
                                                "void main() {\n"
                                                "    gl_Position = vec4(0.0);\n"
                                                "#ifdef OPTION_BIG_ONE\n"
                                                "    gl_Position = vec4(5.0);\n"
                                                "#endif\n"
                                                "}\n"
                                                "\"\"\"\n",
                                                options_fragment);
    const uint32_t *const options = ct_blob_at(r, r->options.offset);
    assert_int_equal(r->options.count, 2);
    assert_int_equal(options[0], ct_string_id32_of("red").value);
    assert_int_equal(r->variants.count, 4);
    const ct_shader_variant *const v = variants_of(r);
    // Equal modules are there once: red changes the fragment stage, big_one the vertex stage.
    assert_int_not_equal(v[0].fragment.offset, v[1].fragment.offset);
    assert_int_equal(v[0].fragment.offset, v[2].fragment.offset);
    assert_int_equal(v[1].fragment.offset, v[3].fragment.offset);
    assert_int_equal(v[0].vertex.offset, v[1].vertex.offset);
    assert_int_not_equal(v[0].vertex.offset, v[2].vertex.offset);
    compile_case_free(&t);
}

static bool has_word(const ct_shader_resource *r, ct_blob_array words, uint32_t word) {
    const uint32_t *const items = ct_blob_at(r, words.offset);
    for (uint32_t i = 0; i < words.count; ++i)
        if (items[i] == word)
            return true;
    return false;
}

static void options_read_as_constants_make_no_other_module(void **state) {
    (void)state;
    enum { OP_SPEC_CONSTANT_FALSE = 3 << 16 | 49 };
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t, options_head, NULL,
                "fragment = \"\"\"\n"
                "layout(location = 0) out vec4 color;\n"
                "void main() {\n"
                "    color = option_big_one ? vec4(1.0) : vec4(0.5);\n"
                "}\n"
                "\"\"\"\n");
    assert_int_equal(r->variants.count, 4);
    const ct_shader_variant *const v = variants_of(r);
    for (uint32_t i = 1; i < 4; ++i)
        assert_int_equal(v[i].fragment.offset, v[0].fragment.offset);
    assert_true(has_word(r, v[0].fragment, OP_SPEC_CONSTANT_FALSE));
    compile_case_free(&t);
}

static void stores_modules_once_that_differ_only_in_text(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r = compile(&t, "options = [\"red\"]\n", NULL,
                                                "fragment = \"\"\"\n"
                                                "layout(location = 0) out vec4 color;\n"
                                                "#ifdef OPTION_RED\n"
                                                "float unused() { return 1.0; }\n"
                                                "#endif\n"
                                                "void main() { color = vec4(1.0); }\n"
                                                "\"\"\"\n");
    assert_int_equal(variants_of(r)[0].fragment.offset, variants_of(r)[1].fragment.offset);
    compile_case_free(&t);
}

static void tells_each_error_once_at_its_line_of_the_source(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "// one\noptions = [\"red\" \"big_one\"]\n// three\n", NULL,
                  "fragment = \"\"\"\n"                     // line 8
                  "layout(location = 0) out vec4 color;\n"  // 9
                  "#ifdef OPTION_RED\n"                     // 10
                  "float x = nowhere;\n"                    // 11
                  "#endif\n"                                // 12
                  "void main() { color = also_nowhere; }\n" // 13
                  "\"\"\"\n");
    compile_case_expect(&t, "a.shader", 11, "nowhere");
    compile_case_expect(&t, "a.shader", 13, "also_nowhere");
    for (uint32_t i = 0; i < t.answer.errors.count; ++i) {
        for (uint32_t k = 0; k < i; ++k)
            assert_false(
                t.answer.errors.items[i].line == t.answer.errors.items[k].line &&
                strcmp(t.answer.errors.items[i].message, t.answer.errors.items[k].message) == 0);
    }
    compile_case_free(&t);
}

static void tells_errors_of_both_stages(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", "vertex = \"\"\"\nvoid main() { gl_Position = one; }\n\"\"\"\n",
                  "fragment = \"\"\"\n\nvoid main() { two(); }\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 2, "one");
    compile_case_expect(&t, "a.shader", 6, "two");
    compile_case_free(&t);
}

static void tells_syntax_errors_at_their_line(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", NULL,
                  "fragment = \"\"\"\n"
                  "layout(location = 0) out vec4 color;\n"
                  "void main() {\n"
                  "    color = vec4(1.0) +;\n" // line 8
                  "}\n"
                  "\"\"\"\n");
    compile_case_expect(&t, "a.shader", 8, "syntax error");
    compile_case_free(&t);
}

static void tells_errors_of_included_files_there(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "good.glsl", "float one() { return 1.0; }"); // no line end
    compile_case_text(&t, "shared/bad.glsl", "float two() {\n    return nowhere;\n}\n");
    compile_badly(&t, "includes = [\"good.glsl\" \"shared/bad.glsl\"]\n", NULL, NULL);
    compile_case_expect(&t, "shared/bad.glsl", 2, "nowhere");
    assert_true(compile_case_has_include(&t, "good.glsl"));
    assert_true(compile_case_has_include(&t, "shared/bad.glsl"));
    compile_case_free(&t);
}

static void includes_what_files_and_stages_name(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "low.glsl", "float one() { return 1.0; }\n");
    compile_case_text(&t, "middle.glsl",
                      "/*\n#include \"none.glsl\"\n*/\n"
                      "#include \"low.glsl\"\r\nfloat two() { return one() * 2.0; }\n");
    compile(&t, "includes = [\"middle.glsl\" \"low.glsl\"]\n",
            "vertex = \"\"\"\n// #include \"none.glsl\"\n  # include \"low.glsl\" // once\n"
            "void main() { gl_Position = vec4(two() * one()); }\n\"\"\"\n",
            NULL);
    assert_true(compile_case_has_include(&t, "low.glsl"));
    assert_false(compile_case_has_include(&t, "none.glsl"));
    compile_case_free(&t);
}

static void tells_bad_includes_at_their_lines(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.glsl",
                      "\n#include \"none.glsl\"\n#include <low.glsl>\n#include\n"
                      "#include \"../x.glsl\"\n#include \"low.glsl\n");
    compile_badly(&t, "includes = [\"a.glsl\"]\n", NULL, NULL);
    compile_case_expect(&t, "a.glsl", 2, "the file \"none.glsl\" is not there");
    compile_case_expect(&t, "a.glsl", 3, "found <low.glsl>, expected a project path");
    compile_case_expect(&t, "a.glsl", 4, "found , expected a project path");
    compile_case_expect(&t, "a.glsl", 5, "\"../x.glsl\" is not a project path");
    compile_case_expect(&t, "a.glsl", 6, "found \"low.glsl, expected");
    assert_true(compile_case_has_include(&t, "none.glsl")); // it may come
    compile_case_free(&t);
}

static void tells_circles_of_includes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "b.glsl", "#include \"a.glsl\"\n");
    compile_case_text(&t, "a.glsl", "\n#include \"b.glsl\"\n");
    compile_badly(&t, "includes = [\"b.glsl\"]\n", NULL, NULL);
    compile_case_expect(&t, "b.glsl", 1, "include each other in a circle: a.glsl: b.glsl: a.glsl");
    compile_case_text(&t, "a.glsl", "#include \"a.glsl\"\n");
    compile_badly(&t, "includes = [\"b.glsl\"]\n", NULL, NULL);
    compile_case_expect(&t, "a.glsl", 1, "include each other in a circle: a.glsl: a.glsl");
    compile_case_free(&t);
}

static void tells_a_circle_once_and_at_one_place(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.glsl", "#include \"b.glsl\"\n#include \"b.glsl\"\n");
    compile_case_text(&t, "b.glsl", "\n#include \"c.glsl\"\n");
    compile_case_text(&t, "c.glsl", "\n\n#include \"a.glsl\"\n");
    static const char *const entries[] = {"a.glsl", "b.glsl", "c.glsl"};
    for (uint32_t i = 0; i < CT_COUNT_OF(entries); ++i) {
        char includes[64];
        snprintf(includes, sizeof(includes), "includes = [\"%s\"]\n", entries[i]);
        compile_badly(&t, includes, NULL, NULL);
        assert_int_equal(t.answer.errors.count, 1);
        compile_case_expect(&t, "c.glsl", 3, "in a circle: a.glsl: b.glsl: c.glsl: a.glsl");
    }
    compile_case_free(&t);
}

static void tells_lines_behind_includes_as_they_stand(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "low.glsl", "float one() { return 1.0; }\n");
    compile_case_text(&t, "a.glsl", "#include \"low.glsl\"\n\nfloat two() { return nowhere; }\n");
    compile_badly(&t, "includes = [\"a.glsl\"]\n", NULL, NULL);
    compile_case_expect(&t, "a.glsl", 3, "nowhere");
    compile_case_free(&t);
}

static void puts_included_files_before_both_stages(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.glsl",
                      "#ifdef VERTEX_STAGE\nfloat half_of(float x) { return x * 0.5; }\n#endif\n"
                      "#ifdef FRAGMENT_STAGE\nvec4 half_of(vec4 x) { return x * 0.5; }\n#endif\n");
    compile(&t, "includes = [\"a.glsl\"]\n",
            "vertex = \"\"\"\nvoid main() { gl_Position = vec4(half_of(1.0)); }\n\"\"\"\n",
            "fragment = \"\"\"\nlayout(location = 0) out vec4 color;\n"
            "void main() { color = half_of(vec4(1.0)); }\n\"\"\"\n");
    compile_case_free(&t);
}

static void reports_a_missing_include(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "includes = [\n\"nowhere.glsl\"]\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "nowhere.glsl");
    compile_case_free(&t);
}

static void refuses_a_version_directive(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", NULL,
                  "fragment = \"\"\"\n// first\n  # version 460\nvoid main() {}\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 7, "found #version");
    compile_case_free(&t);
}

static void refuses_sets_beyond_the_last(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", NULL,
                  "fragment = \"\"\"\n"
                  "layout(set = 3, binding = 1) uniform sampler2D map;\n"
                  "layout(location = 0) out vec4 color;\n"
                  "void main() { color = texture(map, vec2(0)); }\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 5, "found set 3, binding 1");
    compile_case_free(&t);
}

static void refuses_own_bindings_in_the_material_set(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", NULL,
                  "fragment = \"\"\"\n"
                  "layout(set = 1, binding = 1) uniform sampler2D map;\n"
                  "layout(location = 0) out vec4 color;\n"
                  "void main() { color = texture(map, vec2(0)); }\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 5, "set 1 is made from the shader's parameters");
    compile_case_free(&t);
}

static void refuses_other_bindings_in_the_frame_set(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", NULL,
                  "fragment = \"\"\"\n"
                  "layout(set = 0, binding = 1) uniform sampler2D map;\n"
                  "layout(location = 0) out vec4 color;\n"
                  "void main() { color = texture(map, vec2(0)); }\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 5, "set 0 has only what core/shaders/include/frame.glsl");
    compile_case_free(&t);
}

static void refuses_what_the_layouts_do_not_hold(void **state) {
    (void)state;
    static const struct {
        const char *declaration, *use, *message;
    } cases[] = {
        {"layout(push_constant) uniform block { vec4 tint; } push;", "push.tint",
         "found push constants"},
        {"layout(set = 2, binding = 0) uniform sampler3D map;", "texture(map, vec3(0))",
         "set 2 holds samplers"},
        {"layout(set = 2, binding = 0) uniform sampler2D map[4];", "texture(map[1], vec2(0))",
         "set 2 holds samplers"},
        {"layout(set = 2, binding = 0) uniform samplerCube map;", "texture(map, vec3(0))",
         "set 2 holds samplers"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        char fragment[512];
        snprintf(fragment, sizeof(fragment),
                 "fragment = \"\"\"\n%s\nlayout(location = 0) out vec4 color;\n"
                 "void main() { color = %s; }\n\"\"\"\n",
                 cases[i].declaration, cases[i].use);
        compile_badly(&t, "vertices = \"fullscreen\"\n",
                      "vertex = \"\"\"\nvoid main() { gl_Position = vec4(0); }\n\"\"\"\n",
                      fragment);
        compile_case_expect(&t, "a.shader", 5, cases[i].message);
        compile_case_free(&t);
    }
}

static const char *const pass_vertex =
    "vertex = \"\"\"\n"
    "void main() { gl_Position = vec4(float(gl_VertexIndex), 0, 0, 1); }\n\"\"\"\n";
static const char *const pass_fragment =
    "fragment = \"\"\"\n"
    "layout(set = 2, binding = 0) uniform sampler2D image;\n"
    "layout(location = 0) out vec4 color;\n"
    "void main() { color = texture(image, vec2(0)); }\n\"\"\"\n";

static void allows_pass_inputs_in_fullscreen_shaders_only(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile(&t, "vertices = \"fullscreen\"\n", pass_vertex, pass_fragment);
    compile_badly(&t, "", pass_vertex, pass_fragment);
    compile_case_expect(&t, "a.shader", 4, "set 2 holds the inputs of passes");
    compile_case_free(&t);
}

static void refuses_vertex_inputs_that_nothing_feeds(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "",
                  "vertex = \"\"\"\nlayout(location = 6) in vec3 weights;\n"
                  "void main() { gl_Position = vec4(weights, 1); }\n\"\"\"\n",
                  NULL);
    compile_case_expect(&t, "a.shader", 1, "input at location 6; expected 0 position");
    compile_badly(&t, "vertices = \"fullscreen\"\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "input at location 0; expected no inputs");
    compile_badly(&t, "",
                  "vertex = \"\"\"\nlayout(location = 0) in ivec3 position;\n"
                  "void main() { gl_Position = vec4(position, 1); }\n\"\"\"\n",
                  NULL);
    compile_case_expect(&t, "a.shader", 1, "does not have a float type");
    compile_case_free(&t);
}

// A stage that reads the last input of a particle, of the next one, and the push constants.
static const char *const particle_vertex =
    "vertex = \"\"\"\nlayout(location = 3) in vec4 color;\nlayout(location = 7) in vec4 next;\n"
    "layout(push_constant) uniform block { vec4 axis; } cloud;\n"
    "void main() { gl_Position = color + next + cloud.axis; }\n\"\"\"\n";

static void feeds_particles_and_their_push_constants(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t, "vertices = \"particle\"\n", particle_vertex, NULL);
    assert_int_equal(r->vertices, CT_SHADER_VERTICES_PARTICLE);
    assert_int_equal(variants_of(r)->state.casts_shadows, 0);
    assert_int_equal(variants_of(r)->state.velocity, 0);
    compile_badly(&t, "vertices = \"particle\"\n",
                  "vertex = \"\"\"\nlayout(location = 8) in vec4 more;\n"
                  "void main() { gl_Position = more; }\n\"\"\"\n",
                  NULL);
    compile_case_expect(&t, "a.shader", 2,
                        "input at location 8; expected what core/shaders/include/particle.glsl");
    compile_badly(&t, "vertices = \"particle\"\n", particle_vertex,
                  "fragment = \"\"\"\nlayout(push_constant) uniform block { vec4 axis; } cloud;\n"
                  "layout(location = 0) out vec4 color;\n"
                  "void main() { color = cloud.axis; }\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 8, "found push constants");
    compile_badly(&t,
                  "vertices = \"particle\"\n"
                  "parameters = { tint = { type = \"color\" instanced = true } }\n",
                  particle_vertex, NULL);
    compile_case_expect(&t, "a.shader", 2, "only parameters of meshes can be instanced");
    compile_case_free(&t);
}

static void refuses_inputs_to_decode_that_it_does_not_understand(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "",
                  "vertex = \"\"\"\n#define AT(i) layout(location = i) in\nAT(0) vec3 position;\n"
                  "void main() { gl_Position = vec4(position, 1); }\n\"\"\"\n",
                  NULL);
    compile_case_expect(&t, "a.shader", 1,
                        "the declaration of the input at location 0 is not supported; "
                        "expected `layout(location = 0) in`");
    // An array from a location that is not decoded to one that is.
    compile_badly(&t, "",
                  "vertex = \"\"\"\nlayout(location = 4) in vec4 both[2];\n"
                  "void main() { gl_Position = both[0] + both[1]; }\n\"\"\"\n",
                  NULL);
    compile_case_expect(&t, "a.shader", 1,
                        "the declaration of the input at location 5 is not supported");
    compile_case_free(&t);
}

static void takes_inputs_from_included_files(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "inputs.glsl",
                      "#ifdef VERTEX_STAGE\nlayout(location = 0) in vec3 position;\n#endif\n");
    compile(&t, "includes = [\"inputs.glsl\"]\n",
            "vertex = \"\"\"\nvoid main() { gl_Position = vec4(position, 1.0); }\n\"\"\"\n", NULL);
    compile_case_free(&t);
}

static void refuses_fragment_inputs_that_are_not_written(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "", NULL,
                  "fragment = \"\"\"\nlayout(location = 2) in vec2 uv;\n"
                  "layout(location = 0) out vec4 color;\n"
                  "void main() { color = uv.xyxy; }\n\"\"\"\n");
    compile_case_expect(&t, "a.shader", 5, "reads location 2, which the vertex stage does not");
    compile_case_free(&t);
}

static void refuses_too_many_options(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(
        &t, "options = [\"a\" \"b\" \"c\" \"d\" \"e\" \"f\" \"g\" \"h\"\n\"i\" \"j\" \"k\"]\n",
        NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "the option \"k\" is one too many; expected at most 10");
    compile_case_free(&t);
}

static void refuses_bad_options(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "options = [\"a\"\n\"a\"\n\"Big One\"\n5]\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "\"a\" is already declared");
    compile_case_expect(&t, "a.shader", 3, "\"Big One\" cannot be the name of an option");
    compile_case_expect(&t, "a.shader", 4, "found a number, expected a name");
    compile_case_free(&t);
}

static void refuses_bad_parameters(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t,
                  "parameters = {\n"
                  "    a = { type = \"colour\" }\n"
                  "    b = { type = \"vector2\" default = [1 2 3] }\n"
                  "    c = { type = \"scalar\" defualt = 1 }\n"
                  "    d = 5\n"
                  "    gl_e = { type = \"scalar\" }\n"
                  "    f = { type = \"color\" default = [1 2 0] }\n"
                  "}\n",
                  NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "found type \"colour\", expected one of: scalar");
    compile_case_expect(&t, "a.shader", 3, "found an array of 3, expected an array of 2 numbers");
    compile_case_expect(&t, "a.shader", 4, "did you mean \"default\"?");
    compile_case_expect(&t, "a.shader", 5, "d: found a number, expected an object");
    compile_case_expect(&t, "a.shader", 6, "\"gl_e\" cannot be the name of a parameter");
    compile_case_expect(&t, "a.shader", 7, "found 2, expected 0 to 1");
    assert_int_equal(t.answer.errors.count, 6);
    compile_case_free(&t);
}

static void refuses_bad_textures(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t,
                  "textures = {\n    a = { doc = \"none\" }\n    b = { default = \"B.png\" }\n}\n",
                  NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "a: expected default = ");
    compile_case_expect(&t, "a.shader", 3, "b: expected default = ");
    compile_case_free(&t);
}

static void tells_names_that_glsl_has_taken_at_their_line(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(
        &t, "parameters = {\n    a = { type = \"scalar\" }\n    float = { type = \"scalar\" }\n}\n",
        NULL, NULL);
    compile_case_expect(&t, "a.shader", 3, "syntax error");
    compile_case_free(&t);
}

static void refuses_a_block_that_is_too_large(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    char head[16384];
    uint32_t length = (uint32_t)snprintf(head, sizeof(head), "parameters = {\n");
    for (uint32_t i = 0; i < 257; ++i)
        length += (uint32_t)snprintf(head + length, sizeof(head) - length,
                                     "p%u = { type = \"color\" }\n", i);
    snprintf(head + length, sizeof(head) - length, "}\n%s%s", plain_vertex, plain_fragment);
    compile_case_text(&t, "a.shader", head);
    compile_case_run(&t, "shader", "a");
    compile_case_expect(&t, "a.shader", 1, "take 4112 bytes, expected at most 4096");
    compile_case_free(&t);
}

static void gives_the_same_bytes_twice(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile(&t, options_head, NULL, options_fragment);
    ct_byte_array first;
    ct_array_init(&first, test_heap());
    ct_array_push_many(&first, t.answer.blob.items, t.answer.blob.count);
    compile(&t, options_head, NULL, options_fragment);
    assert_int_equal(first.count, t.answer.blob.count);
    assert_memory_equal(first.items, t.answer.blob.items, first.count);
    ct_array_free(&first);
    compile_case_free(&t);
}

static void options_change_the_state(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t,
                "layer = \"opaque\" options = [\"clear\" \"thin\"]\n"
                "states = { clear = { layer = \"transparent\" blend = \"alpha\""
                " depth_write = false } thin = { cull = \"none\" layer = \"thin\" } }\n",
                NULL, NULL);
    const ct_shader_variant *const v = variants_of(r);
    assert_int_equal(r->variants.count, 4);
    assert_int_equal(v[0].state.layer.value, ct_string_id32_of("opaque").value);
    assert_int_equal(v[0].state.depth_write, 1);
    assert_int_equal(v[1].state.layer.value, ct_string_id32_of("transparent").value);
    assert_int_equal(v[1].state.blend, CT_SHADER_BLEND_ALPHA);
    assert_int_equal(v[1].state.depth_write, 0);
    assert_int_equal(v[1].state.cull, CT_SHADER_CULL_BACK);
    // The later option has the last word.
    assert_int_equal(v[3].state.layer.value, ct_string_id32_of("thin").value);
    assert_int_equal(v[3].state.cull, CT_SHADER_CULL_NONE);
    assert_int_equal(v[3].state.blend, CT_SHADER_BLEND_ALPHA);
    // No code depends on them.
    assert_int_equal(v[3].fragment.offset, v[0].fragment.offset);
    compile_case_free(&t);
}

static void refuses_bad_states(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_badly(&t, "options = [\"clear\"]\nstates = { cleer = { cull = \"none\" } }\n", NULL,
                  NULL);
    compile_case_expect(&t, "a.shader", 2, "there is no option \"cleer\"; did you mean \"clear\"?");
    compile_badly(&t, "options = [\"clear\"]\nstates = { clear = { cull = \"nowhere\" } }\n", NULL,
                  NULL);
    compile_case_expect(&t, "a.shader", 2, "cull");
    compile_badly(&t, "options = [\"clear\"]\nstates = { clear = { vertices = \"line\" } }\n", NULL,
                  NULL);
    compile_case_expect(&t, "a.shader", 2, "vertices");
    compile_badly(&t, "options = [\"clear\"]\nstates = { clear = 1 }\n", NULL, NULL);
    compile_case_expect(&t, "a.shader", 2, "shader.states[0]: found a number");
    compile_case_free(&t);
}

static const char *const blur =
    "parameters = { amount = { type = \"scalar\" } }\n"
    "outputs = { sum = { format = \"R32F\" } picture = { format = \"RGBA16F\" } }\n"
    "compute = \"\"\"\n"
    "layout(local_size_x = 8, local_size_y = 4) in;\n"
    "layout(set = 2, binding = 0) uniform sampler2D source;\n"
    "void main() {\n"
    "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
    "    vec4 color = texelFetch(source, at, 0) * material.amount;\n"
    "    imageStore(picture, at, color);\n"
    "    imageStore(sum, at, vec4(dot(color, vec4(1.0))));\n"
    "}\n\"\"\"\n";

static void compiles_a_compute_stage(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.shader", blur);
    const ct_shader_resource *const r = compile_case_blob(&t, "shader", "a");
    assert_int_equal(r->is_compute, 1);
    assert_int_equal(r->group_size[0], 8);
    assert_int_equal(r->group_size[1], 4);
    assert_int_equal(r->group_size[2], 1);
    const ct_shader_output *const o = ct_blob_at(r, r->outputs.offset);
    assert_int_equal(r->outputs.count, 2);
    assert_int_equal(o[0].format, CT_RENDER_FORMAT_R32F);
    assert_int_equal(o[1].name.value, ct_string_id32_of("picture").value);
    assert_int_equal(variants_of(r)->vertex.count, 0);
    compile_case_free(&t);
}

// Compiles the source alone, and expects the error.
static void expect_alone(const char *source, uint32_t line, const char *text) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.shader", source);
    compile_case_run(&t, "shader", "a");
    compile_case_expect(&t, "a.shader", line, text);
    compile_case_free(&t);
}

static void compiles_simulations_of_particles(void **state) {
    (void)state;
    static const char *const stage =
        "compute = \"\"\"\nlayout(local_size_x = 64) in;\n"
        "layout(buffer_reference, std430) buffer words { uint at[]; };\n"
        "layout(push_constant) uniform block { words channels; uint count; } simulation;\n"
        "void main() { simulation.channels.at[0] = simulation.count; }\n\"\"\"\n";
    compile_case t = compile_case_make();
    char text[1024];
    snprintf(text, sizeof(text), "vertices = \"particle\"\n%s", stage);
    compile_case_text(&t, "a.shader", text);
    const ct_shader_resource *const r = compile_case_blob(&t, "shader", "a");
    assert_int_equal(r->is_compute, 1);
    assert_int_equal(r->vertices, CT_SHADER_VERTICES_PARTICLE);
    assert_int_equal(r->outputs.count, 0);
    compile_case_free(&t);
    // Other compute shaders get no addresses.
    snprintf(text, sizeof(text),
             "outputs = { o = { format = \"R32F\" } }\n"
             "compute = \"\"\"layout(local_size_x = 8) in;\n"
             "layout(push_constant) uniform block { vec4 x; } b;\n"
             "void main() { imageStore(o, ivec2(0), b.x); }\"\"\"");
    expect_alone(text, 2, "found push constants");
}

static void refuses_bad_compute_shaders(void **state) {
    (void)state;
    static const char *const stage = "layout(local_size_x = 8) in; void main() {}";
    char text[1024];
    expect_alone("vertex = \"void main() {}\"", 1, "shader.fragment is missing");
    snprintf(text, sizeof(text), "compute = \"%s\"", stage);
    expect_alone(text, 1, "compute: expected outputs");
    snprintf(text, sizeof(text), "outputs = {\no = { format = \"D32F\" } }\ncompute = \"%s\"",
             stage);
    expect_alone(text, 2, "o: found format \"D32F\", expected one of");
    snprintf(
        text, sizeof(text),
        "outputs = { o = { format = \"R32F\" } }\nvertex = \"void main() {}\"\ncompute = \"%s\"",
        stage);
    expect_alone(text, 3, "compute: expected no vertex");
    snprintf(text, sizeof(text), "outputs = { o = { format = \"R32F\" } }\n%s%s", plain_vertex,
             plain_fragment);
    expect_alone(text, 1, "outputs need a compute stage");
    expect_alone("outputs = { o = { format = \"R32F\" } }\n"
                 "compute = \"layout(local_size_x = 2048) in; void main() {}\"",
                 2, "local_size");
    expect_alone("outputs = { o = { format = \"R32F\" } }\n"
                 "compute = \"layout(local_size_x = 8) in; layout(set = 2, binding = 9, r32f) "
                 "uniform image2D x; void main() { imageStore(x, ivec2(0), vec4(0.0)); }\"",
                 2, "found set 2, binding 9; set 2 holds samplers at bindings 0 to 7");
    expect_alone("outputs = { o = { format = \"R32F\" } }\n"
                 "compute = \"\"\"layout(local_size_x = 8) in;\nvoid main() { nothing(); }\"\"\"",
                 3, "nothing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_samplers_of_the_kinds_of_textures),
        cmocka_unit_test(compiles_both_stages),
        cmocka_unit_test(options_change_the_state),
        cmocka_unit_test(refuses_bad_states),
        cmocka_unit_test(compiles_a_compute_stage),
        cmocka_unit_test(compiles_simulations_of_particles),
        cmocka_unit_test(refuses_bad_compute_shaders),
        cmocka_unit_test(makes_a_fragment_stage_for_shadows_where_some_are_discarded),
        cmocka_unit_test(instanced_parameters_need_no_other_source),
        cmocka_unit_test(refuses_instanced_parameters_of_passes),
        cmocka_unit_test(refuses_instanced_matrices),
        cmocka_unit_test(only_opaque_meshes_that_write_depth_cast_shadows),
        cmocka_unit_test(lays_the_block_out_as_std140),
        cmocka_unit_test(keeps_matrices_column_by_column),
        cmocka_unit_test(binds_textures_in_source_order),
        cmocka_unit_test(makes_a_variant_of_every_combination),
        cmocka_unit_test(options_read_as_constants_make_no_other_module),
        cmocka_unit_test(stores_modules_once_that_differ_only_in_text),
        cmocka_unit_test(tells_each_error_once_at_its_line_of_the_source),
        cmocka_unit_test(tells_errors_of_both_stages),
        cmocka_unit_test(tells_syntax_errors_at_their_line),
        cmocka_unit_test(tells_errors_of_included_files_there),
        cmocka_unit_test(includes_what_files_and_stages_name),
        cmocka_unit_test(tells_bad_includes_at_their_lines),
        cmocka_unit_test(tells_circles_of_includes),
        cmocka_unit_test(tells_a_circle_once_and_at_one_place),
        cmocka_unit_test(tells_lines_behind_includes_as_they_stand),
        cmocka_unit_test(puts_included_files_before_both_stages),
        cmocka_unit_test(reports_a_missing_include),
        cmocka_unit_test(refuses_a_version_directive),
        cmocka_unit_test(refuses_sets_beyond_the_last),
        cmocka_unit_test(refuses_own_bindings_in_the_material_set),
        cmocka_unit_test(refuses_other_bindings_in_the_frame_set),
        cmocka_unit_test(refuses_what_the_layouts_do_not_hold),
        cmocka_unit_test(allows_pass_inputs_in_fullscreen_shaders_only),
        cmocka_unit_test(refuses_vertex_inputs_that_nothing_feeds),
        cmocka_unit_test(feeds_particles_and_their_push_constants),
        cmocka_unit_test(refuses_inputs_to_decode_that_it_does_not_understand),
        cmocka_unit_test(takes_inputs_from_included_files),
        cmocka_unit_test(refuses_fragment_inputs_that_are_not_written),
        cmocka_unit_test(refuses_too_many_options),
        cmocka_unit_test(refuses_bad_options),
        cmocka_unit_test(refuses_bad_parameters),
        cmocka_unit_test(refuses_bad_textures),
        cmocka_unit_test(tells_names_that_glsl_has_taken_at_their_line),
        cmocka_unit_test(refuses_a_block_that_is_too_large),
        cmocka_unit_test(gives_the_same_bytes_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
