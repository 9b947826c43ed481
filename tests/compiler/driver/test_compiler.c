// The driver with real worker processes: what one run gives.
#include "compiler/project_support.h"
#include "resource/data_index.h"

#include <unistd.h>

static const char *small_project(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "settings.config", "boot_script = \"main\" boot_package = \"boot\"");
    write_text(project, "main.lua", "return 1");
    write_text(project, "units/lamp.unit", "components = [ { id = \"t\" type = \"transform\" } ]");
    write_text(project, "yard.level", "units = [ { id = \"u\" unit = \"units/lamp\" } ]");
    write_text(project, "boot.package", "lua = [\"*\"] unit = [\"*\"] level = [\"yard\"]");
    write_text(project, "notes.txt", "not for the compiler");
    return project;
}

static void compiles_every_resource_of_a_project(void **state) {
    (void)state;
    const char *const project = small_project();
    ct_compiler *const c = open_compiler(project, NULL, 2);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 5, 0, 0);
    assert_int_equal(report->changed.count, 5);
    assert_true(has_data(c, "lua", "main"));
    assert_true(has_data(c, "package", "boot"));
    assert_true(has_data(c, "unit", "units/lamp"));
    assert_int_equal(digest_folder(ct_compiler_data_folder(c)).num_files, 7);
    ct_compiler_destroy(c);
}

static void data_goes_to_the_project_unless_told_otherwise(void **state) {
    (void)state;
    const char *const project = small_project();
    ct_compiler *const c = open_compiler(project, NULL, 1);
    char expected[CT_PATH_BYTES];
    ct_path_join(expected, project, ".cuttle/data/linux");
    assert_string_equal(ct_compiler_data_folder(c), expected);
    ct_compiler_destroy(c);
}

static void the_index_names_sources_includes_and_references(void **state) {
    (void)state;
    ct_compiler *const c = open_compiler(small_project(), NULL, 2);
    run_compiler(c);
    ct_error error = {0};
    const ct_data_index *const index =
        ct_data_index_read(test_heap(), ct_compiler_data_folder(c), &error);
    if (!index)
        fail_msg("%s", error.message);
    assert_int_equal(index->entries.count, 5);
    const ct_data_index_entry *const level =
        ct_data_index_find(index, ct_resource_id_of("level", "yard"));
    assert_string_equal(ct_blob_at(index, level->source.offset), "yard.level");
    const ct_data_index_include *const includes = ct_blob_at(index, level->includes.offset);
    assert_int_equal(level->includes.count, 3);
    assert_string_equal(ct_blob_at(index, includes[0].path.offset), "yard.level");
    assert_string_equal(ct_blob_at(index, includes[1].path.offset), "units/lamp.linux.unit");
    assert_int_equal(includes[1].content_hash, 0); // looked for in vain
    assert_string_equal(ct_blob_at(index, includes[2].path.offset), "units/lamp.unit");
    const ct_data_index_reference *const references = ct_blob_at(index, level->references.offset);
    assert_int_equal(level->references.count, 1);
    assert_string_equal(ct_blob_at(index, references[0].name.offset), "units/lamp");
    assert_int_equal(references[0].line, 1);
    ct_free(test_heap(), (void *)(uintptr_t)index);
    ct_compiler_destroy(c);
}

static void one_job_and_two_give_identical_data(void **state) {
    (void)state;
    const char *const project = small_project();
    for (uint32_t i = 0; i < 20; ++i) {
        char path[64], text[64];
        snprintf(path, sizeof(path), "scripts/s%u.lua", i);
        snprintf(text, sizeof(text), i == 7 ? "return = %u" : "return %u", i);
        write_text(project, path, text);
    }
    const char *one = test_scratch_folder(), *two = test_scratch_folder();
    ct_compiler *const first = open_compiler(project, one, 1);
    ct_compiler *const second = open_compiler(project, two, 2);
    expect_counts(run_compiler(first), 24, 0, 1);
    expect_counts(run_compiler(second), 24, 0, 1);
    expect_same_folder(one, two);
    ct_compiler_destroy(first);
    ct_compiler_destroy(second);
}

static void core_lies_under_core(void **state) {
    (void)state;
    const char *project = test_scratch_folder(), *core = test_scratch_folder();
    write_text(core, "units/axes.unit", "components = [ { id = \"t\" type = \"transform\" } ]");
    write_text(project, "a.unit", "inherit = \"core/units/axes\"");
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = project,
                                                                  .core_folder = core,
                                                                  .worker_path = worker_path()},
                                              NULL);
    assert_non_null(c);
    expect_counts(run_compiler(c), 2, 0, 0);
    assert_true(has_data(c, "unit", "core/units/axes"));
    ct_compiler_destroy(c);
}

static void refuses_a_project_folder_named_core(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "core/x.lua", "return 1");
    write_text(project, "y.lua", "return 1");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 1, 0, 1);
    expect_report_error(report, "core", 0, 0, "core/ is the engine's");
    ct_compiler_destroy(c);
}

static void says_what_to_write_instead_of_a_bad_name(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "My Units/Big Lamp.unit", "{}");
    write_text(project, "Photo.PNG", "media are not named by us");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 0, 0, 1);
    expect_report_error(report, "My Units/Big Lamp.unit", 0, 0, "to \"my_units/big_lamp.unit\"");
    ct_compiler_destroy(c);
}

static void tells_missing_references_with_the_nearest_name(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "units/lamp.unit", "{}");
    write_text(project, "boot.package", "unit = [\n  \"units/lmap\"\n]");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 1, 0, 1);
    expect_report_error(report, "boot.package", 2, 3,
                        "unit \"units/lmap\" is missing (did you mean \"units/lamp\"?)");
    assert_false(has_data(c, "package", "boot"));
    ct_compiler_destroy(c);
}

static void tells_of_other_types_that_have_the_name_of_a_missing_one(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "units/lamp.unit", "{}");
    write_text(project, "boot.package", "texture = [ \"units/lamp\" ]");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    expect_report_error(run_compiler(c), "boot.package", 1, 13,
                        "texture \"units/lamp\" is missing (there is a unit with that name)");
    write_text(project, "units/lamp.input", "actions = {}"); // the first type by name
    expect_report_error(run_compiler(c), "boot.package", 1, 13,
                        "texture \"units/lamp\" is missing (there is an input with that name)");
    // One of the same type that is near is more likely meant.
    write_text(project, "units/lamp_off.lua", "return 1");
    write_text(project, "boot.package", "lua = [ \"units/lamp\" ]");
    expect_report_error(run_compiler(c), "boot.package", 1, 9,
                        "lua \"units/lamp\" is missing (did you mean \"units/lamp_off\"?)");
    ct_compiler_destroy(c);
}

static void a_missing_unit_is_told_once_with_the_nearest_name(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "lamp.unit", "{}");
    write_text(project, "a.level", "units = [ { id = \"u\" unit = \"lmap\" } ]");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_report_error(report, "a.level", 1, 22, "(did you mean \"lamp\"?)");
    ct_compiler_destroy(c);
}

static void an_error_in_a_shared_file_is_told_once(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "lamp.unit", "components = 1");
    write_text(project, "a.level", "units = [ { id = \"u\" unit = \"lamp\" } ]");
    ct_compiler *const c = open_compiler(project, NULL, 2);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 0, 0, 2);
    expect_report_error(report, "lamp.unit", 1, 1, "expected an array");
    // It is in no catalog; messages of a game that misses it have its name all the same.
    assert_string_equal(ct_string_id64_name(ct_string_id64_of("lamp")), "lamp");
    ct_compiler_destroy(c);
}

static void tells_all_errors_in_the_order_of_the_resources(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "b.lua", "x = ");
    write_text(project, "a.lua", "\ny = ");
    write_text(project, "c.config", "z = ");
    ct_compiler *const c = open_compiler(project, NULL, 2);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 0, 0, 3);
    assert_int_equal(report->errors.count, 3);
    assert_string_equal(report->errors.items[0].file, "c.config");
    assert_string_equal(report->errors.items[1].file, "a.lua");
    assert_int_equal(report->errors.items[1].line, 2);
    assert_string_equal(report->errors.items[2].file, "b.lua");
    ct_compiler_destroy(c);
}

static void passes_over_links_to_folders_and_refuses_those_that_lead_out(void **state) {
    (void)state;
    const char *project = test_scratch_folder(), *outside = test_scratch_folder();
    write_text(outside, "secret.lua", "return 1");
    write_text(project, "main.lua", "return 1");
    char target[CT_PATH_BYTES], link[CT_PATH_BYTES];
    ct_path_join(link, project, "folder");
    assert_int_equal(symlink(outside, link), 0);
    ct_path_join(target, outside, "secret.lua");
    ct_path_join(link, project, "linked.lua");
    assert_int_equal(symlink(target, link), 0);
    ct_path_join(link, project, "inside.lua");
    assert_int_equal(symlink("main.lua", link), 0);
    ct_path_join(link, project, "round");
    assert_int_equal(symlink(".", link), 0);
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 2, 0, 2);
    assert_int_equal(report->errors.count, 2);
    assert_string_equal(report->errors.items[0].file, "folder");
    assert_non_null(strstr(report->errors.items[0].message, "a folder outside the project"));
    assert_string_equal(report->errors.items[1].file, "linked.lua");
    assert_non_null(strstr(report->errors.items[1].message, "leads out of the project"));
    ct_compiler_destroy(c);
}

static void sources_may_not_read_files_outside(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.unit", "inherit = \"../b\"");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const report = run_compiler(c);
    expect_report_error(report, "a.unit", 1, 1, "is not the name of a resource");
    ct_compiler_destroy(c);
}

static void compiles_an_empty_project(void **state) {
    (void)state;
    ct_compiler *const c = open_compiler(test_scratch_folder(), NULL, 1);
    expect_counts(run_compiler(c), 0, 0, 0);
    expect_counts(run_compiler(c), 0, 0, 0);
    ct_compiler_destroy(c);
}

static void leaves_files_of_others_in_the_data_folder(void **state) {
    (void)state;
    const char *const data = test_scratch_folder();
    write_text(data, "holiday.jpg", "not ours");
    ct_compiler *const c = open_compiler(small_project(), data, 1);
    run_compiler(c);
    char path[CT_PATH_BYTES];
    ct_path_join(path, data, "holiday.jpg");
    assert_int_equal(ct_os_file_info(path).kind, CT_FILE_KIND_FILE);
    ct_compiler_destroy(c);
}

typedef struct progress_log {
    uint32_t num_calls, last_done, last_total;
} progress_log;

static void note_progress(void *user, const ct_compile_progress *progress) {
    progress_log *const log = user;
    assert_true(progress->seconds >= 0);
    assert_true(!progress->slow || progress->slow_seconds > 1);
    if (progress->done == log->last_done)
        return; // nothing was done meanwhile
    assert_true(progress->resource[0] != 0);
    ++log->num_calls;
    log->last_done = progress->done;
    log->last_total = progress->total;
}

static void tells_its_progress(void **state) {
    (void)state;
    progress_log log = {0};
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = small_project(),
                                                                  .worker_path = worker_path(),
                                                                  .progress = note_progress,
                                                                  .user = &log},
                                              NULL);
    run_compiler(c);
    assert_int_equal(log.num_calls, 5);
    assert_int_equal(log.last_done, 5);
    assert_int_equal(log.last_total, 5);
    ct_compiler_destroy(c);
}

// Sources in the order in which they were done.
typedef struct order_log {
    char text[256];
    uint32_t last_done;
} order_log;

static void note_order(void *user, const ct_compile_progress *progress) {
    order_log *const log = user;
    const size_t length = strlen(log->text);
    if (progress->done != log->last_done)
        snprintf(log->text + length, sizeof(log->text) - length, "%s ", progress->resource);
    log->last_done = progress->done;
}

// Shaders in the worker that has made tables for one, what takes long, the rest. That the shaders
// and the texture are broken is told, and changes nothing.
static void what_takes_long_is_begun_first(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    order_log log = {0};
    write_settings(folder, "");
    write_boot(folder);
    write_text(folder, "a.lua", "return 1");
    write_text(folder, "b.texture", "");
    write_text(folder, "c.shader", "");
    write_text(folder, "d.shader", "");
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = folder,
                                                                  .worker_path = worker_path(),
                                                                  .progress = note_order,
                                                                  .user = &log,
                                                                  .num_jobs = 1},
                                              NULL);
    run_compiler(c);
    assert_string_equal(log.text, "c.shader d.shader boot.package b.texture settings.config a.lua "
                                  "main.lua ");
    ct_compiler_destroy(c);
}

// --- What cannot be done -------------------------------------------------------------------------

static void expect_create_error(ct_compiler_desc desc, const char *text) {
    ct_error error = {0};
    desc.allocator = test_heap();
    desc.worker_path = worker_path();
    assert_null(ct_compiler_create(&desc, &error));
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
}

static void refuses_a_project_that_is_not_there(void **state) {
    (void)state;
    expect_create_error((ct_compiler_desc){.project_folder = "no/such/project"},
                        "the project folder \"no/such/project\" is not there");
}

static void refuses_a_core_that_is_not_there(void **state) {
    (void)state;
    expect_create_error(
        (ct_compiler_desc){.project_folder = small_project(), .core_folder = "no/core"},
        "the core folder \"no/core\" is not there");
}

static void refuses_unknown_platforms(void **state) {
    (void)state;
    expect_create_error(
        (ct_compiler_desc){.project_folder = small_project(), .platform = "toaster"},
        "the platform \"toaster\" is unknown");
}

static void refuses_a_data_folder_that_cannot_be_written(void **state) {
    (void)state;
    const char *const project = small_project();
    char path[CT_PATH_BYTES];
    ct_path_join(path, project, "notes.txt/data");
    expect_create_error((ct_compiler_desc){.project_folder = project, .data_folder = path},
                        "cannot be written");
    // Nobody may write here, not even root.
    expect_create_error((ct_compiler_desc){.project_folder = project, .data_folder = "/proc/self"},
                        "the data folder \"/proc/self\" cannot be written");
}

static void says_that_the_worker_cannot_be_started(void **state) {
    (void)state;
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = small_project(),
                                                                  .worker_path = "/no/such/worker"},
                                              NULL);
    const ct_compile_report *report = NULL;
    ct_error error = {0};
    assert_false(ct_compiler_run(c, &report, &error));
    assert_non_null(strstr(error.message, "/no/such/worker"));
    ct_compiler_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_every_resource_of_a_project),
        cmocka_unit_test(data_goes_to_the_project_unless_told_otherwise),
        cmocka_unit_test(the_index_names_sources_includes_and_references),
        cmocka_unit_test(one_job_and_two_give_identical_data),
        cmocka_unit_test(core_lies_under_core),
        cmocka_unit_test(refuses_a_project_folder_named_core),
        cmocka_unit_test(says_what_to_write_instead_of_a_bad_name),
        cmocka_unit_test(tells_missing_references_with_the_nearest_name),
        cmocka_unit_test(tells_of_other_types_that_have_the_name_of_a_missing_one),
        cmocka_unit_test(a_missing_unit_is_told_once_with_the_nearest_name),
        cmocka_unit_test(an_error_in_a_shared_file_is_told_once),
        cmocka_unit_test(tells_all_errors_in_the_order_of_the_resources),
        cmocka_unit_test(passes_over_links_to_folders_and_refuses_those_that_lead_out),
        cmocka_unit_test(sources_may_not_read_files_outside),
        cmocka_unit_test(compiles_an_empty_project),
        cmocka_unit_test(leaves_files_of_others_in_the_data_folder),
        cmocka_unit_test(tells_its_progress),
        cmocka_unit_test(what_takes_long_is_begun_first),
        cmocka_unit_test(refuses_a_project_that_is_not_there),
        cmocka_unit_test(refuses_a_core_that_is_not_there),
        cmocka_unit_test(refuses_unknown_platforms),
        cmocka_unit_test(refuses_a_data_folder_that_cannot_be_written),
        cmocka_unit_test(says_that_the_worker_cannot_be_started),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
