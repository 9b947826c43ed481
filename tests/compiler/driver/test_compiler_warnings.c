// Warnings over several runs of the driver: told on each of them until mended, and in the way of
// nothing.
#include "compiler/project_support.h"
#include "resource/data_index.h"

// Packages whose wildcards match nothing, beside one script.
static const char *odd_project(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "main.lua", "return 1");
    write_text(project, "a.package", "lua = [\"*\"]\nunit = [\"props/*\"]");
    write_text(project, "b.package", "unit = [\"one/*\" \"two/*\"]");
    return project;
}

static void expect_warnings(const ct_compile_report *report, const char *const *expected,
                            uint32_t count) {
    assert_int_equal(report->errors.count, 0);
    assert_int_equal(report->warnings.count, count);
    for (uint32_t i = 0; i < count; ++i) {
        char text[2048];
        ct_error_format_warning(&report->warnings.items[i], text, sizeof(text));
        assert_string_equal(text, expected[i]);
    }
}

static const char *const odd[] = {
    "a.package:2:9: warning: no unit matches \"props/*\"",
    "b.package:1:9: warning: no unit matches \"one/*\"",
    "b.package:1:17: warning: no unit matches \"two/*\"",
};

// One run of a new compiler object, as a new process would do it.
static void expect_run(const char *project, uint32_t compiled, uint32_t up_to_date,
                       const char *const *expected, uint32_t count) {
    ct_compiler *const c = open_compiler(project, NULL, 2);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, compiled, up_to_date, 0);
    expect_warnings(report, expected, count);
    ct_compiler_destroy(c);
}

static void they_are_told_on_every_run(void **state) {
    (void)state;
    const char *const project = odd_project();
    expect_run(project, 3, 0, odd, 3);
    expect_run(project, 0, 3, odd, 3);
    expect_run(project, 0, 3, odd, 3);
}

static void one_compiler_tells_them_on_every_run(void **state) {
    (void)state;
    ct_compiler *const c = open_compiler(odd_project(), NULL, 1);
    for (uint32_t i = 0; i < 3; ++i)
        expect_warnings(run_compiler(c), odd, 3);
    ct_compiler_destroy(c);
}

// The index is patched for the script, and written anew for the package.
static void they_stay_when_something_else_changes(void **state) {
    (void)state;
    const char *const project = odd_project();
    expect_run(project, 3, 0, odd, 3);
    write_text(project, "main.lua", "return 2");
    expect_run(project, 1, 2, odd, 3);
    write_text(project, "b.package", "// No more.");
    expect_run(project, 1, 2, odd, 1);
    expect_run(project, 0, 3, odd, 1);
}

static void their_place_moves_with_the_source(void **state) {
    (void)state;
    const char *const project = odd_project();
    const char *const moved[] = {"a.package:3:9: warning: no unit matches \"props/*\"", odd[1],
                                 odd[2]};
    expect_run(project, 3, 0, odd, 3);
    write_text(project, "a.package", "lua = [\"*\"]\n\nunit = [\"props/*\"]");
    expect_run(project, 1, 2, moved, 3);
    expect_run(project, 0, 3, moved, 3);
}

static void mended_they_are_gone(void **state) {
    (void)state;
    const char *const project = odd_project();
    expect_run(project, 3, 0, odd, 3);
    write_text(project, "props/crate.unit", "{}");
    expect_run(project, 3, 1, odd + 1, 2);
    expect_run(project, 0, 4, odd + 1, 2);
    remove_file(project, "props/crate.unit");
    expect_run(project, 2, 1, odd, 3);
}

static void a_resource_that_fails_tells_both(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "main.lua", "return 1");
    write_text(project, "a.package", "lua = [\"main\"]\nunit = [\"props/*\"]");
    write_text(project, "c.lua", "return 3");
    expect_run(project, 3, 0, odd, 1);
    remove_file(project, "main.lua");
    for (uint32_t i = 0; i < 2; ++i) {
        ct_compiler *const c = open_compiler(project, NULL, 1);
        const ct_compile_report *const report = run_compiler(c);
        expect_counts(report, 0, 1, 1);
        assert_int_equal(report->errors.count, 1);
        assert_int_equal(report->warnings.count, 1);
        assert_int_equal(report->warnings.items[0].line, 2);
        ct_compiler_destroy(c);
    }
    write_text(project, "main.lua", "return 1");
    expect_run(project, 2, 1, odd, 1);
}

// The index of each number of jobs is the same, and so is one that changed its way there.
static void the_index_is_as_of_a_fresh_build(void **state) {
    (void)state;
    const char *const project = odd_project();
    const char *folders[] = {test_scratch_folder(), test_scratch_folder(), test_scratch_folder()};
    for (uint32_t i = 0; i < 2; ++i) {
        ct_compiler *const c = open_compiler(project, folders[i], 1 + i);
        expect_warnings(run_compiler(c), odd, 3);
        ct_compiler_destroy(c);
    }
    assert_true(digest_folder(folders[0]).hash == digest_folder(folders[1]).hash);
    write_text(project, "a.package", "lua = [\"*\"]");
    write_text(project, "main.lua", "return 3");
    for (uint32_t i = 1; i < 3; ++i) {
        ct_compiler *const c = open_compiler(project, folders[i], 1);
        expect_warnings(run_compiler(c), odd + 1, 2);
        ct_compiler_destroy(c);
    }
    assert_true(digest_folder(folders[1]).hash == digest_folder(folders[2]).hash);
}

// Of many, a hundred and how many more there are.
static void many_are_counted(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    char text[8192] = "unit = [";
    for (uint32_t i = 0; i < 150; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "\"p%u/*\"\n", i);
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "]");
    write_text(project, "a.package", text);
    ct_compile_answer answer = compile_file(project, "package", "a");
    assert_int_equal(answer.errors.count, 0);
    assert_int_equal(answer.warnings.count, 101);
    assert_string_equal(answer.warnings.items[100].message, "and 50 more warnings");
    ct_compile_answer_free(&answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_told_on_every_run),
        cmocka_unit_test(one_compiler_tells_them_on_every_run),
        cmocka_unit_test(they_stay_when_something_else_changes),
        cmocka_unit_test(their_place_moves_with_the_source),
        cmocka_unit_test(mended_they_are_gone),
        cmocka_unit_test(a_resource_that_fails_tells_both),
        cmocka_unit_test(the_index_is_as_of_a_fresh_build),
        cmocka_unit_test(many_are_counted),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
