#include "compiler/types/shader/worker_shader_inputs.h"

#include <string.h>

#include "support/test_support.h"

// Fails unless `text` becomes `expected`, and `locations` are found.
static void expect(const char *text, const char *expected, uint32_t locations) {
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    assert_int_equal(ct_worker_shader_add_decoded(text, &b), locations);
    assert_string_equal(ct_string_builder_text(&b), expected);
    ct_string_builder_free(&b);
}

static void replaces_inputs_that_are_decoded(void **state) {
    (void)state;
    expect("layout(location = 0) in vec3 position;\nvoid main() {}\n",
           "layout(location = 0) in vec3 ct_input_0; vec3 position = "
           "ct_decode_0(vec4(ct_input_0, 1)).xyz;\nvoid main() {}\n",
           1);
    expect("layout(location=3)in vec2 uv;layout(location = 5) in vec2 uv_1;",
           "layout(location=3)in vec2 ct_input_3; vec2 uv = ct_decode_3(vec4(ct_input_3, 0, 1)).xy;"
           "layout(location = 5) in vec2 ct_input_5; vec2 uv_1 = "
           "ct_decode_5(vec4(ct_input_5, 0, 1)).xy;",
           1 << 3 | 1 << 5);
    // Normals and tangents are moved by joints.
    expect("layout(location = 1) in vec3 normal;\nlayout(location = 2) in vec4 tangent;",
           "layout(location = 1) in vec3 ct_input_1; vec3 normal = "
           "ct_decode_1(vec4(ct_input_1, 1)).xyz;\n"
           "layout(location = 2) in vec4 ct_input_2; vec4 tangent = ct_decode_2(vec4(ct_input_2));",
           1 << 1 | 1 << 2);
}

static void takes_all_types_of_floats(void **state) {
    (void)state;
    expect("layout(location = 0) in vec4 p;",
           "layout(location = 0) in vec4 ct_input_0; vec4 p = ct_decode_0(vec4(ct_input_0));", 1);
    expect("layout(location = 3) in highp float u;",
           "layout(location = 3) in highp float ct_input_3; float u = "
           "ct_decode_3(vec4(ct_input_3, 0, 0, 1)).x;",
           8);
}

static void keeps_lines_and_comments(void **state) {
    (void)state;
    expect("layout ( location = 0 ) // where\n  in /* it */ vec3\n position ;\nint i;",
           "layout ( location = 0 ) // where\n  in /* it */ vec3\n ct_input_0 ; vec3 position = "
           "ct_decode_0(vec4(ct_input_0, 1)).xyz;\nint i;",
           1);
    expect("// layout(location = 0) in vec3 position;\n/* layout(location = 3) in vec2 uv; */",
           "// layout(location = 0) in vec3 position;\n/* layout(location = 3) in vec2 uv; */", 0);
    expect("/* open", "/* open", 0);
}

static void leaves_everything_else(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "layout(location = 4) in vec4 color;",
        "layout(location = 13) in vec3 x;",
        "layout(location = 0) out vec3 position;",
        "layout(location = 0) in vec3 a, b;",
        "layout(location = 0) in vec3 a[2];",
        "layout(location = 0) in ivec3 a;",
        "layout(location = 0) in vec3",
        "layout(location = 0) inout vec3 a;",
        "layout(location = POSITION) in vec3 a;",
        "layout(location = 0, component = 1) in vec3 a;",
        "my_layout(location = 0) in vec3 a;",
        "layout(location =",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        expect(texts[i], texts[i], 0);
}

static void is_valid_at_any_cut(void **state) {
    (void)state;
    static const char text[] = "layout ( location = 3 ) in /* x */ highp vec2 uv ; // end";
    for (uint32_t length = 0; length < sizeof(text); ++length) {
        char *const cut = ct_alloc(test_heap(), length + 1);
        memcpy(cut, text, length);
        cut[length] = 0;
        ct_string_builder b;
        ct_string_builder_init(&b, test_heap());
        ct_worker_shader_add_decoded(cut, &b);
        ct_string_builder_free(&b);
        ct_free(test_heap(), cut);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_inputs_that_are_decoded),
        cmocka_unit_test(takes_all_types_of_floats),
        cmocka_unit_test(keeps_lines_and_comments),
        cmocka_unit_test(leaves_everything_else),
        cmocka_unit_test(is_valid_at_any_cut),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
