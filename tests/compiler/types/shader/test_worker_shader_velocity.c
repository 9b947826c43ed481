#include "compiler/compile_case.h"

#include "resource/types/shader_resource.h"

// The block of core/shaders/include/frame.glsl, up to what the tests need, on one line.
#define VIEW                                                                                       \
    "layout(std140, set = 0, binding = 0) uniform view_block { mat4 view_projection; mat4 a[3]; "  \
    "vec4 jitter; mat4 camera_pose; vec4 camera_position; vec4 b[3]; vec4 time; } view;\n"
#define VERTEX(text)                                                                               \
    "vertex = \"\"\"\n" VIEW "layout(location = 0) in vec3 position;\nvoid main() {\n" text        \
    "}\n\"\"\"\n"
#define FRAGMENT(text)                                                                             \
    "fragment = \"\"\"\n" text "layout(location = 0) out vec4 color;\n"                            \
    "void main() { color = vec4(1.0); }\n\"\"\"\n"
#define STILL VERTEX("    gl_Position = view.view_projection * vec4(position, 1.0);\n")

static const ct_shader_resource *compile(compile_case *t, const char *source) {
    compile_case_text(t, "a.shader", source);
    return compile_case_blob(t, "shader", "a");
}

static const ct_shader_state *state_of(const ct_shader_resource *r, uint32_t options) {
    return ct_shader_state_of(r, options);
}

static void opaque_draws_write_velocity(void **state) {
    (void)state;
    static const struct {
        const char *source;
        uint32_t is_written, has_velocity;
    } cases[] = {
        {STILL FRAGMENT(""), 1, 1},
        {"velocity = false\n" STILL FRAGMENT(""), 1, 0},
        {"blend = \"alpha\"\n" STILL FRAGMENT(""), 1, 0},
        {"blend = \"alpha\"\nvelocity = true\n" STILL FRAGMENT(""), 1, 1},
        // It has outputs of its own there.
        {STILL FRAGMENT("layout(location = 3) out vec4 more;\n"), 0, 0},
        {STILL FRAGMENT("layout ( location=1 ) out vec4 more[3];\n"), 0, 0},
        {STILL FRAGMENT("// layout(location = 3) out vec4 more;\n"), 1, 1},
        {STILL FRAGMENT("layout(location = 1) out vec4 more[2];\n"), 1, 1},
        {VERTEX("    previous_position = position;\n"
                "    gl_Position = vec4(position, 1.0);\n")
             FRAGMENT("layout(location = 3) out vec4 more;\n"),
         0, 0},
        {"vertices = \"fullscreen\"\nvertex = \"\"\"\nvoid main() { gl_Position = "
         "vec4(0.0); }\n\"\"\"\n" FRAGMENT(""),
         0, 0},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        const ct_shader_resource *const r = compile(&t, cases[i].source);
        assert_int_equal(r->writes_velocity, cases[i].is_written);
        assert_int_equal(state_of(r, 0)->velocity, cases[i].has_velocity);
        assert_int_equal(t.answer.warnings.count, 0);
        compile_case_free(&t);
    }
}

static void options_change_velocity(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_shader_resource *const r =
        compile(&t, "options = [\"glass\" \"frost\" \"quiet\"]\n"
                    "states = { glass = { blend = \"alpha\" }  frost = { velocity = true }\n"
                    "           quiet = { velocity = false } }\n" STILL FRAGMENT(""));
    static const uint32_t expected[] = {1, 0, 1, 1, 0, 0, 0, 0};
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i)
        assert_int_equal(state_of(r, i)->velocity, expected[i]);
    compile_case_free(&t);
}

static void expect_told(const compile_case *t, uint32_t line, const char *text) {
    assert_int_equal(t->answer.warnings.count, 1);
    assert_int_equal(t->answer.warnings.items[0].line, line);
    if (!strstr(t->answer.warnings.items[0].message, text))
        fail_msg("found \"%s\", expected \"%s\"", t->answer.warnings.items[0].message, text);
}

static void warns_of_points_that_move_by_themselves(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile(&t, VERTEX("    vec3 p = position;\n"
                       "    // not here: view.time\n"
                       "    for (int i = 0; i < 3; ++i)\n"
                       "        p.z += sin(p.x + view . time.x);\n"
                       "    gl_Position = view.view_projection * vec4(p, 1.0);\n") FRAGMENT(""));
    expect_told(&t, 8, "by view.time");
    compile(&t, "options = [\"a\"]\n" VERTEX(
                    "#ifdef OPTION_A\n"
                    "#endif\n"
                    "    vec3 p = position + view.camera_position.xyz;\n"
                    "    gl_Position = view.view_projection * vec4(p, 1.0);\n") FRAGMENT(""));
    expect_told(&t, 8, "previous_position");
    compile_case_free(&t);
}

static void warns_of_points_that_an_included_file_moves(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "wind.glsl",
                      "// Blows.\n" VIEW "vec3 blown(vec3 p) {\n"
                      "    return p + view.time.x;\n"
                      "}\n");
    compile(&t, "includes = [\"wind.glsl\"]\n"
                "vertex = \"\"\"\n"
                "layout(location = 0) in vec3 position;\n"
                "void main() { gl_Position = view.view_projection * vec4(blown(position), 1.0); }\n"
                "\"\"\"\n" FRAGMENT(""));
    expect_told(&t, 4, "view.time");
    assert_string_equal(t.answer.warnings.items[0].file, "wind.glsl");
    compile_case_free(&t);
}

static void does_not_warn_without_need(void **state) {
    (void)state;
    static const char *const sources[] = {
        // Only a colour changes.
        VERTEX("    gl_Position = view.view_projection * vec4(position, 1.0);\n"
               "    gl_PointSize = 1.0;\n"
               "    shade = view.time.x + view.camera_position.x;\n") FRAGMENT(""),
        VERTEX("    vec3 p = position + view.time.x;\n"
               "    previous_position += view.time.x - 0.1;\n"
               "    gl_Position = view.view_projection * vec4(p, 1.0);\n") FRAGMENT(""),
        "velocity = false\n" VERTEX("    gl_Position = view.view_projection * "
                                    "vec4(position + view.time.x, 1.0);\n") FRAGMENT(""),
        "blend = \"add\"\n" VERTEX("    gl_Position = view.view_projection * "
                                   "vec4(position + view.time.x, 1.0);\n") FRAGMENT(""),
        // What does not count.
        VERTEX("    vec3 moved = position * view.time.x;\n"
               "    gl_Position = view.view_projection * vec4(position, 1.0);\n") FRAGMENT(""),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(sources); ++i) {
        compile_case t = compile_case_make();
        char source[4096];
        const char *const main = strstr(sources[i], "void main");
        snprintf(source, sizeof(source), "%.*slayout(location = 0) out float shade;\n%s",
                 (int)(main - sources[i]), sources[i], main);
        compile(&t, source);
        assert_int_equal(t.answer.warnings.count, 0);
        compile_case_free(&t);
    }
}

static void locations_of_velocity_are_taken(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.shader",
                      "vertex = \"\"\"\nlayout(location = 0) in vec3 position;\n"
                      "layout(location = 15) out vec4 last;\n"
                      "void main() { last = vec4(1.0); gl_Position = vec4(position, 1.0); }\n"
                      "\"\"\"\n" FRAGMENT(""));
    compile_case_run(&t, "shader", "a");
    compile_case_expect(&t, "a.shader", 3, "location");
    compile_case_free(&t);
}

// Text that ends anywhere is read to its end and no further.
static void reads_declarations_that_end_early(void **state) {
    (void)state;
    static const char whole[] = "layout ( location = 3 ) out highp vec4 more [ 2 ] ;";
    compile_case t = compile_case_make();
    for (uint32_t length = 1; length < sizeof(whole) - 1; length += 3) {
        char source[1024];
        snprintf(source, sizeof(source), STILL "fragment = \"void main() {} %.*s\"\n", (int)length,
                 whole);
        compile_case_text(&t, "a.shader", source);
        compile_case_run(&t, "shader", "a");
        // A whole qualifier of nothing but a semicolon is GLSL.
        assert_true(t.answer.errors.count > 0 || t.answer.blob.count > 0);
    }
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opaque_draws_write_velocity),
        cmocka_unit_test(options_change_velocity),
        cmocka_unit_test(warns_of_points_that_move_by_themselves),
        cmocka_unit_test(warns_of_points_that_an_included_file_moves),
        cmocka_unit_test(does_not_warn_without_need),
        cmocka_unit_test(locations_of_velocity_are_taken),
        cmocka_unit_test(reads_declarations_that_end_early),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
