// What the compiler does with settings.config: values that others depend on, names that it refers to.
#include "project_support.h"

// Saves settings and runs; the counts are those of strings and settings.
static const ct_compile_report *run_with(ct_compiler *c, const char *project, const char *settings,
                                         uint32_t compiled, uint32_t up_to_date, uint32_t failed) {
    write_text(project, "settings.config", settings);
    const ct_compile_report *report = run_compiler(c);
    expect_counts(report, compiled, up_to_date, failed);
    return report;
}

// --- Values --------------------------------------------------------------------------------------

static void a_changed_value_compiles_only_what_read_it(void **state) {
    (void)state;
    const char *project = test_scratch_folder();
    write_text(project, "menu.strings", "a = \"A\"\n");
    write_text(project, "menu.fr.strings", "a = \"A\"\n");
    ct_compiler *c = open_compiler(project, NULL, 1);
    expect_counts(run_compiler(c), 2, 0, 0);
    run_with(c, project, "language = \"pl\"", 2, 1, 0); // menu, settings
    assert_true(data_contains(c, "strings", "menu", "pl"));
    assert_true(data_contains(c, "strings", "menu.fr", "fr"));
    run_with(c, project, "// moved\n\nlanguage = \"pl\" window = { width = 100 }", 1, 2, 0);
    run_with(c, project, "window = { width = 100 }", 2, 1, 0);
    assert_true(data_contains(c, "strings", "menu", "en"));
    ct_compiler_destroy(c);
}

static void a_wrong_value_is_told_once_and_keeps_good_data(void **state) {
    (void)state;
    const char *project = test_scratch_folder();
    write_text(project, "a.strings", "a = \"A\"\n");
    write_text(project, "b.strings", "b = \"B\"\n");
    ct_compiler *c = open_compiler(project, NULL, 1);
    run_with(c, project, "language = \"pl\"", 3, 0, 0);
    const ct_compile_report *report = run_with(c, project, "\nlanguage = \"polnisch\"", 1, 0, 2);
    expect_report_error(report, "settings.config", 2, 1, "language is \"polnisch\"; expected");
    assert_true(data_contains(c, "strings", "a", "pl"));
    run_with(c, project, "language = \"pl\"", 3, 0, 0);
    ct_compiler_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_value_compiles_only_what_read_it),
        cmocka_unit_test(a_wrong_value_is_told_once_and_keeps_good_data),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
