#include "compiler/compile_case.h"
#include "resource/types/skeleton_resource.h"

static void expect_fault(const char *text, uint32_t line, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "fox.skeleton", text);
    compile_case_run(&t, "skeleton", "fox");
    compile_case_expect(&t, "fox.skeleton", line, message);
    compile_case_free(&t);
}

static void sorts_parents_first(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "fox.skeleton",
                      "shell = 0.1\n"
                      "joints = [\n"
                      "{ id = \"1\" name = \"paw\" parent = \"leg\" position = [0 0 1] }\n"
                      "{ id = \"2\" name = \"hip\" rotation = [0 0 2 2] }\n"
                      "{ id = \"3\" name = \"leg\" parent = \"hip\" scale = [1 2 3] }\n"
                      "]\n");
    const ct_skeleton_resource *const s = compile_case_blob(&t, "skeleton", "fox");
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(s, &count);
    assert_int_equal(count, 3);
    static const char *const names[] = {"hip", "leg", "paw"};
    static const uint32_t parents[] = {CT_SKELETON_NO_PARENT, 0, 1};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_string_equal(ct_blob_at(s, joints[i].name_text.offset), names[i]);
        assert_int_equal(joints[i].parent, parents[i]);
    }
    assert_float_equal(s->shell, 0.1f, 1e-7f);
    assert_float_equal(joints[0].rotation[2], 0.70710678f, 1e-6f);
    assert_float_equal(joints[1].scale[2], 3, 0);
    assert_float_equal(joints[2].position[2], 1, 0);
    compile_case_free(&t);
}

static void names_what_is_wrong_at_its_place(void **state) {
    (void)state;
    expect_fault("joints = []\n", 1, "found 0 joints, expected 1 to 1024");
    expect_fault("joints = [\n{ name = \"a\" }\n{ name = \"a\" }\n]\n", 3,
                 "two joints are named \"a\"");
    expect_fault("joints = [\n{ name = \"hip\" }\n{ name = \"b\" parent = \"hips\" }\n]\n", 3,
                 "there is no joint \"hips\"; did you mean \"hip\"?");
    expect_fault(
        "joints = [\n{ name = \"a\" parent = \"b\" }\n{ name = \"b\" parent = \"a\" }\n]\n", 2,
        "joints form a circle: \"a\" on \"b\" on \"a\"");
    expect_fault("joints = [\n{ name = \"a\" parent = \"a\" }\n]\n", 2,
                 "joints form a circle: \"a\" on \"a\"");
    expect_fault("joints = [\n{ name = \"\" }\n]\n", 2, "the name of a joint is empty");
    expect_fault("joints = [\n{ id = \"x\" name = \"a\" }\n{ id = \"x\" name = \"b\" }\n]\n", 3,
                 "another joint has the id \"x\"");
}

static void refuses_too_many_joints(void **state) {
    (void)state;
    static char text[5000 * 24];
    size_t length = (size_t)sprintf(text, "joints = [\n");
    for (int i = 0; i < 5000; ++i)
        length += (size_t)sprintf(text + length, "{ name = \"j%d\" }\n", i);
    sprintf(text + length, "]\n");
    expect_fault(text, 1, "found 5000 joints, expected 1 to 1024");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_parents_first),
        cmocka_unit_test(names_what_is_wrong_at_its_place),
        cmocka_unit_test(refuses_too_many_joints),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
