// What the compiler does with settings.config: values that others read, names that it refers to.
#include "compiler/project_support.h"

// Saves settings, with those that no project goes without, and runs; the counts are those of all.
static const ct_compile_report *run_with(ct_compiler *c, const char *project, const char *settings,
                                         uint32_t compiled, uint32_t up_to_date, uint32_t failed) {
    write_settings(project, settings);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, compiled, up_to_date, failed);
    return report;
}

// --- Values --------------------------------------------------------------------------------------

static void a_changed_value_compiles_only_what_read_it(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "menu.strings", "a = \"A\"\n");
    write_text(project, "menu.fr.strings", "a = \"A\"\n");
    write_boot(project);
    ct_compiler *const c = open_compiler(project, NULL, 1);
    expect_counts(run_compiler(c), 4, 0, 0);
    run_with(c, project, "language = \"pl\"", 3, 2, 0); // menu, settings, the package
    assert_true(data_contains(c, "strings", "menu", "pl"));
    assert_true(data_contains(c, "strings", "menu.fr", "fr"));
    run_with(c, project, "// moved\n\nlanguage = \"pl\" window = { width = 100 }", 1, 4, 0);
    run_with(c, project, "window = { width = 100 }", 2, 3, 0);
    assert_true(data_contains(c, "strings", "menu", "en"));
    ct_compiler_destroy(c);
}

static void a_wrong_value_is_told_once_and_keeps_good_data(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.strings", "a = \"A\"\n");
    write_text(project, "b.strings", "b = \"B\"\n");
    write_boot(project);
    ct_compiler *const c = open_compiler(project, NULL, 1);
    run_with(c, project, "language = \"pl\"", 5, 0, 0);
    const ct_compile_report *const report =
        run_with(c, project, "\nlanguage = \"polnisch\"", 1, 2, 2);
    expect_report_error(report, "settings.config", 2, 1, "language is \"polnisch\"; expected");
    assert_true(data_contains(c, "strings", "a", "pl"));
    run_with(c, project, "language = \"pl\"", 3, 2, 0);
    ct_compiler_destroy(c);
}

// --- Names ---------------------------------------------------------------------------------------

static void names_of_resources_are_checked_in_their_places(void **state) {
    (void)state;
    static const struct {
        const char *settings; // after what is in the first line
        const char *text;
    } cases[] = {
        {"boot_package = \"boot\"\nboot_script = \"scripts/mian\"",
         "lua \"scripts/mian\" is missing (did you mean \"scripts/main\"?)"},
        {"boot_script = \"scripts/main\"\nboot_package = \"bot\"",
         "package \"bot\" is missing (did you mean \"boot\"?)"},
        {"boot_script = \"scripts/main\" boot_package = \"boot\"\nrender_config = \"mine\"",
         "render_config \"mine\" is missing"},
        {"boot_script = \"scripts/main\" boot_package = \"boot\"\ninput = \"default\"",
         "input \"default\" is missing"},
        {"boot_script = \"scripts/main\" boot_package = \"boot\"\ninput = 3",
         "input is 3; expected a string"},
        {"boot_package = \"boot\"\nboot_script = \"\"",
         "boot_script: \"\" is not the name of a resource"},
        {"boot_package = \"boot\"\nboot_script = \"scripts/main.lua\"", "write \"scripts/main\""},
    };
    const char *const project = test_scratch_folder();
    write_text(project, "scripts/main.lua", "return 1");
    write_text(project, "boot.package", "lua = [\"*\"]");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    expect_counts(run_compiler(c), 2, 0, 0);
    write_text(project, "settings.config",
               "boot_script = \"scripts/main\" boot_package = \"boot\" input = \"\"");
    // Settings, and the package, which sees what resources there are.
    expect_counts(run_compiler(c), 2, 1, 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        write_text(project, "settings.config", cases[i].settings);
        const ct_compile_report *const report = run_compiler(c);
        expect_counts(report, 0, 2, 1);
        expect_report_error(report, "settings.config", 2, 1, cases[i].text);
    }
    assert_true(data_contains(c, "config", "settings", "scripts/main")); // the last good
    ct_compiler_destroy(c);
}

// What no game starts without.
static void settings_without_what_to_boot_are_refused(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_boot(project);
    write_text(project, "settings.config", "\nboot_package = \"boot\"");
    ct_compile_answer answer = compile_file(project, "config", "settings");
    expect_error(&answer, "settings.config", 1, 1,
                 "boot_script is missing; expected the name of a script");
    write_text(project, "settings.config", "\nboot_script = \"main\"");
    answer = compile_file(project, "config", "settings");
    expect_error(&answer, "settings.config", 1, 1,
                 "boot_package is missing; expected the name of a package");
    write_text(project, "settings.config", "// nothing");
    answer = compile_file(project, "config", "settings");
    assert_int_equal(answer.errors.count, 2);
    ct_compile_answer_free(&answer);
}

// A script that is deleted, and comes again: settings.config has not changed.
static void settings_are_checked_when_resources_go_and_come(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "main.lua", "return 1");
    write_text(project, "boot.package", "// nothing");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    run_with(c, project, "", 3, 0, 0);
    remove_file(project, "main.lua");
    expect_report_error(run_compiler(c), "settings.config", 2, 1, "lua \"main\" is missing");
    write_text(project, "main.lua", "return 1");
    expect_counts(run_compiler(c), 3, 0, 0);
    ct_compiler_destroy(c);
}

// A game has set no order of preference when it reads them.
static void what_settings_name_has_a_variant_without_properties(void **state) {
    (void)state;
    static const struct {
        const char *file, *late;
        const char *text;
        uint32_t line;
    } cases[] = {
        {"main.lua", "main.fr.lua",
         "lua \"main\" has only variants with properties (\"main.fr.lua\"), but a game starts "
         "without preferred properties; expected \"main.lua\"",
         1},
        {"boot.package", "boot.fr.package", "expected \"boot.package\"", 2},
        {"keys.input", "keys.fr.input", "expected \"keys.input\"", 3},
    };
    const char *const project = test_scratch_folder();
    write_text(project, "main.lua", "return 1");
    write_text(project, "boot.package", "// nothing");
    write_text(project, "keys.input", "actions = {}");
    write_text(project, "settings.config",
               "boot_script = \"main\"\nboot_package = \"boot\"\ninput = \"keys\"");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    expect_counts(run_compiler(c), 4, 0, 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
        ct_path_join(from, project, cases[i].file);
        ct_path_join(to, project, cases[i].late);
        assert_int_equal(rename(from, to), 0);
        const ct_compile_report *report = run_compiler(c);
        expect_counts(report, report->num_compiled, report->num_up_to_date, 1);
        expect_report_error(report, "settings.config", cases[i].line, 1, cases[i].text);
        assert_int_equal(rename(to, from), 0);
        report = run_compiler(c);
        expect_counts(report, report->num_compiled, report->num_up_to_date, 0);
    }
    ct_compiler_destroy(c);
}

// These come later, when any property may be preferred.
static void what_late_settings_name_may_be_as_late(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_boot(project);
    write_settings(project, "");
    write_text(project, "settings.fr.config",
               "boot_script = \"main\" boot_package = \"boot\" input = \"keys\"");
    write_text(project, "keys.fr.input", "actions = {}");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, report->num_compiled, 0, 0);
    ct_compiler_destroy(c);
}

// The chain of an error has no settings: that the engine boots it says nothing.
static void settings_lead_to_no_errors(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "main.lua", "local = 1");
    write_text(project, "boot.package", "// nothing");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_with(c, project, "", 2, 0, 1);
    ct_error error = {0};
    ct_compile_report_error(report, 0, &error);
    assert_null(strstr(error.message, "settings"));
    ct_compiler_destroy(c);
}

static void values_are_checked_in_their_places(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t line, column;
        const char *text;
    } cases[] = {
        {"window = {\n    width = 3\n}", 2, 5,
         "window.width is 3; expected a whole number from 16 to 16384"},
        {"streaming = { bytes_per_second = -1 }", 1, 15,
         "streaming.bytes_per_second is -1; expected a whole number from 0 to 1e+12"},
        {"textures = 5", 1, 1, "textures is 5; expected an object"},
        {"time_step = { policy = [] }", 1, 15,
         "time_step.policy is an array; expected \"variable\""},
        {"tasks = { priorities = {\nsound = \"loud\" } }", 2, 1,
         "tasks.priorities.sound is \"loud\"; expected \"critical\""},
        {"lua = { unsafe = null }", 1, 9, "lua.unsafe is null; expected true or false"},
    };
    const char *const project = test_scratch_folder();
    write_boot(project);
    ct_compiler *const c = open_compiler(project, NULL, 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        expect_report_error(run_with(c, project, cases[i].settings, i ? 0 : 2, i ? 2 : 0, 1),
                            "settings.config", cases[i].line, cases[i].column, cases[i].text);
    ct_compiler_destroy(c);
}

static void names_that_nothing_reads_are_warned_of(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t column;
        const char *text;
    } cases[] = {
        {"window = { widht = 640 }", 12, "no setting window.widht (did you mean window.width?)"},
        {"lives = 3", 1, "no setting lives; a project's own settings belong in `game`"},
        {"time_step = { polycy = { a = 1 } }", 15,
         "no setting time_step.polycy (did you mean time_step.policy?)"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const char *const project = test_scratch_folder();
        write_settings(project, cases[i].settings);
        ct_compile_answer answer = compile_file(project, "config", "settings");
        expect_warning(&answer, "settings.config", 1, cases[i].column, cases[i].text);
        ct_compile_answer_free(&answer);
    }
    const char *const project = test_scratch_folder();
    write_settings(project, "game = { lives = 3 } platforms = [] render_settings = { a = "
                            "1 } textures = { quality = \"best\" }");
    ct_compile_answer answer = compile_file(project, "config", "settings");
    assert_int_equal(answer.warnings.count, 0);
    ct_compile_answer_free(&answer);
}

static void variants_cannot_change_what_the_compiler_reads(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "settings.config",
               "platforms = [\"mobile\"] textures = { quality = \"fast\" }");
    write_text(project, "settings.mobile.config",
               "platforms = [\"mobile\"]\ntextures = { quality = \"best\" }\nmax_frame_rate = 30\n"
               "boot_script = \"main\" boot_package = \"boot\"");
    const ct_compile_request request = {.type = "config",
                                        .name = "settings",
                                        .path = "settings.mobile.config",
                                        .project_folder = project,
                                        .platform = "linux",
                                        .source_platform = "mobile"};
    ct_compile_answer answer;
    ct_worker_compile(test_heap(), &request, &answer);
    expect_warning(
        &answer, "settings.mobile.config", 2, 14,
        "textures.quality has no effect here: the compiler reads it only from settings.config");
    ct_compile_answer_free(&answer);
}

// Only settings.config at the root is the engine's.
static void other_configs_may_say_anything(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "levels/settings.config", "boot_script = \"nowhere\" input = 3");
    write_text(project, "other.config", "boot_package = \"nowhere\"");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    expect_counts(run_compiler(c), 2, 0, 0);
    ct_compiler_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_value_compiles_only_what_read_it),
        cmocka_unit_test(a_wrong_value_is_told_once_and_keeps_good_data),
        cmocka_unit_test(names_of_resources_are_checked_in_their_places),
        cmocka_unit_test(settings_without_what_to_boot_are_refused),
        cmocka_unit_test(settings_are_checked_when_resources_go_and_come),
        cmocka_unit_test(what_settings_name_has_a_variant_without_properties),
        cmocka_unit_test(what_late_settings_name_may_be_as_late),
        cmocka_unit_test(settings_lead_to_no_errors),
        cmocka_unit_test(values_are_checked_in_their_places),
        cmocka_unit_test(names_that_nothing_reads_are_warned_of),
        cmocka_unit_test(variants_cannot_change_what_the_compiler_reads),
        cmocka_unit_test(other_configs_may_say_anything),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
