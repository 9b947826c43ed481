// The driver over several runs: what it compiles again, keeps and removes, also when it is killed.
#include "compiler/project_support.h"
#include "resource/catalog.h"
#include "resource/data_index.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *lua_project(uint32_t count) {
    const char *const project = test_scratch_folder();
    for (uint32_t i = 0; i < count; ++i) {
        char path[64], text[64];
        snprintf(path, sizeof(path), "scripts/s%02u.lua", i);
        snprintf(text, sizeof(text), "return %u", i);
        write_text(project, path, text);
    }
    return project;
}

// One run of a new compiler object, as a new process would do it.
static ct_compiler *run_anew(const char *project, const char *data, uint32_t compiled,
                             uint32_t up_to_date, uint32_t failed) {
    ct_compiler *const c = open_compiler(project, data, 1);
    expect_counts(run_compiler(c), compiled, up_to_date, failed);
    return c;
}

static void expect_run(const char *project, uint32_t compiled, uint32_t up_to_date,
                       uint32_t failed) {
    ct_compiler_destroy(run_anew(project, NULL, compiled, up_to_date, failed));
}

// --- Up to date ----------------------------------------------------------------------------------

static void an_unchanged_project_needs_no_worker(void **state) {
    (void)state;
    const char *const project = lua_project(100);
    expect_run(project, 100, 0, 0);
    ct_os_sleep_ns(50000000); // until the files are old enough to be trusted
    expect_run(project, 0, 100, 0);
    const uint64_t start = ct_os_time_ns();
    ct_error error = {0};
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = project,
                                                                  .worker_path = "/no/such/worker"},
                                              &error);
    expect_counts(run_compiler(c), 0, 100, 0);
    ct_compiler_destroy(c);
    print_message("nothing to do in 100 files: %.2f ms\n",
                  (double)(ct_os_time_ns() - start) * 1e-6);
}

static void an_unchanged_project_keeps_its_index_file(void **state) {
    (void)state;
    const char *const project = lua_project(2);
    ct_compiler *const c = run_anew(project, NULL, 2, 0, 0);
    char path[CT_PATH_BYTES];
    ct_path_join(path, ct_compiler_data_folder(c), CT_DATA_INDEX_FILE);
    const ct_file_info before = ct_os_file_info(path);
    expect_counts(run_compiler(c), 0, 2, 0);
    assert_true(ct_os_file_info(path).inode == before.inode);
    ct_compiler_destroy(c);
}

static void a_touched_file_is_not_compiled_again(void **state) {
    (void)state;
    const char *const project = lua_project(2);
    expect_run(project, 2, 0, 0);
    write_text(project, "scripts/s00.lua", "return 0");
    expect_run(project, 0, 2, 0);
}

static void remove_folder(const char *folder) {
    char gone[CT_PATH_BYTES];
    ct_path_join(gone, test_scratch_folder(), "gone");
    assert_int_equal(rename(folder, gone), 0);
}

// As when a person deletes `.cuttle` while the game runs.
static void makes_its_folders_again(void **state) {
    (void)state;
    const char *const project = lua_project(3);
    char folder[CT_PATH_BYTES];
    ct_compiler *const c = run_anew(project, NULL, 3, 0, 0);
    ct_path_join(folder, project, ".cuttle");
    remove_folder(folder);
    expect_counts(run_compiler(c), 3, 0, 0);
    ct_path_join(folder, project, ".cuttle/cache");
    remove_folder(folder);
    expect_counts(run_compiler(c), 0, 3, 0);
    // The project itself is nothing that it makes.
    remove_folder(project);
    const ct_compile_report *report;
    ct_error error = {0};
    assert_false(ct_compiler_run(c, &report, &error));
    assert_non_null(strstr(error.message, "the project folder"));
    assert_int_equal(ct_os_file_info(project).kind, CT_FILE_KIND_NONE);
    ct_compiler_destroy(c);
}

static void a_lost_stat_cache_costs_no_compilation(void **state) {
    (void)state;
    const char *const project = lua_project(3);
    expect_run(project, 3, 0, 0);
    remove_file(project, ".cuttle/cache/linux.stat_cache");
    expect_run(project, 0, 3, 0);
    write_text(project, ".cuttle/cache/linux.stat_cache", "damaged");
    expect_run(project, 0, 3, 0);
}

// A folder in its place, as it were a disk without room: all else is done and told.
static void a_stat_cache_that_cannot_be_written_is_a_warning(void **state) {
    (void)state;
    const char *const project = lua_project(3);
    write_text(project, ".cuttle/cache/linux.stat_cache/file", "");
    ct_compiler *const c = open_compiler(project, NULL, 1);
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_compile_report *const report = run_compiler(c);
        expect_counts(report, i == 0 ? 3 : 0, i == 0 ? 0 : 2, 0);
        assert_int_equal(report->warnings.count, 1);
        assert_non_null(strstr(report->warnings.items[0].message, "linux.stat_cache"));
        assert_int_equal(report->removed.count, i);
        assert_int_equal(has_data(c, "lua", "scripts/s01"), i == 0);
        if (i == 0)
            remove_file(project, "scripts/s01.lua");
    }
    ct_compiler_destroy(c);
}

// --- Changes -------------------------------------------------------------------------------------

static void a_changed_source_is_compiled_alone(void **state) {
    (void)state;
    const char *const project = lua_project(5);
    ct_compiler *const c = run_anew(project, NULL, 5, 0, 0);
    write_text(project, "scripts/s03.lua", "return 'new'");
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 1, 4, 0);
    assert_int_equal(report->changed.count, 1);
    assert_true(
        ct_resource_id_equal(report->changed.items[0], ct_resource_id_of("lua", "scripts/s03")));
    assert_true(data_contains(c, "lua", "scripts/s03", "return 'new'"));
    ct_compiler_destroy(c);
}

// The same size and time: only the inode or the young time tells.
static void a_change_within_the_same_moment_is_noticed(void **state) {
    (void)state;
    const char *const project = lua_project(1);
    char path[CT_PATH_BYTES];
    ct_path_join(path, project, "scripts/s00.lua");
    // However long the run takes, it is not later than the file.
    const struct timespec moment = {time(NULL) + 60, 0};
    const struct timespec moments[2] = {moment, moment};
    assert_int_equal(utimensat(AT_FDCWD, path, moments, 0), 0);
    expect_run(project, 1, 0, 0);
    struct stat before;
    assert_int_equal(stat(path, &before), 0);
    FILE *const file = fopen(path, "r+"); // in place: the inode stays
    assert_non_null(file);
    fputs("return 7", file);
    fclose(file);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    expect_run(project, 1, 0, 0);
}

static void a_changed_include_compiles_what_includes_it(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "lamp.unit", "components = [ { id = \"l\" type = \"light\" } ]");
    write_text(project, "yard.level", "units = [ { id = \"u\" unit = \"lamp\" } ]");
    write_text(project, "main.lua", "return 1");
    ct_compiler *const c = run_anew(project, NULL, 3, 0, 0);
    write_text(project, "lamp.unit",
               "components = [ { id = \"l\" type = \"light\" intensity = 2 } ]");
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 2, 1, 0);
    assert_int_equal(report->changed.count, 2);
    ct_compiler_destroy(c);
}

static void a_comment_compiles_but_changes_nothing(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.config", "x = 1");
    ct_compiler *const c = run_anew(project, NULL, 1, 0, 0);
    write_text(project, "a.config", "x = 1 // one");
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 1, 0, 0);
    assert_int_equal(report->changed.count, 0);
    ct_compiler_destroy(c);
}

static void a_new_resource_compiles_packages_again(void **state) {
    (void)state;
    const char *const project = lua_project(1);
    write_text(project, "boot.package", "lua = [\"*\"]");
    ct_compiler *const c = run_anew(project, NULL, 2, 0, 0);
    write_text(project, "late.lua", "return 2");
    expect_counts(run_compiler(c), 2, 1, 0);
    ct_compiler_destroy(c);
}

static void a_file_that_was_looked_for_in_vain_compiles_when_it_comes(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.unit", "inherit = \"base\"");
    ct_compiler *const c = run_anew(project, NULL, 0, 0, 1);
    write_text(project, "base.unit", "{}");
    expect_counts(run_compiler(c), 2, 0, 0);
    ct_compiler_destroy(c);
}

// The walk over the project passes over both.
static void hidden_files_and_those_behind_links_are_looked_for(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    char link[CT_PATH_BYTES];
    const char *const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    write_text(project, ".models/a.obj", triangle);
    write_text(project, "real/b.obj", triangle);
    ct_path_join(link, project, "linked");
    assert_int_equal(symlink("real", link), 0);
    write_text(project, "a.mesh", "source = \".models/a.obj\"");
    write_text(project, "b.mesh", "source = \"linked/b.obj\"");
    expect_run(project, 2, 0, 0);
    expect_run(project, 0, 2, 0);
    write_text(project, ".models/a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_run(project, 1, 1, 0);
    remove_file(project, "real/b.obj");
    expect_run(project, 0, 1, 1);
    write_text(project, "real/b.obj", triangle);
    expect_run(project, 1, 1, 0);
}

// Compares a file of the project's data with that of a folder compiled anew.
static void expect_same_file(const char *project, const char *data, const char *name) {
    char path[CT_PATH_BYTES], fresh_path[CT_PATH_BYTES];
    uint64_t bytes = 0, fresh_bytes = 0;
    ct_path_join(path, project, ".cuttle/data/linux");
    ct_path_join(path, path, name);
    ct_path_join(fresh_path, data, name);
    char *const file = ct_file_read(test_heap(), path, &bytes, NULL);
    char *const fresh = ct_file_read(test_heap(), fresh_path, &fresh_bytes, NULL);
    assert_non_null(file);
    assert_non_null(fresh);
    assert_int_equal(bytes, fresh_bytes);
    assert_memory_equal(file, fresh, bytes);
    ct_free(test_heap(), file);
    ct_free(test_heap(), fresh);
}

// The first edits change numbers of the index only, the last ones its texts.
static void index_and_catalog_are_as_of_a_fresh_build(void **state) {
    (void)state;
    static const char *const levels[] = {
        "// lower\nunits = [ { id = \"u\" unit = \"lamp\" } ]",
        "units = [ { id = \"u\" unit = \"lamp\" position = [1 2 3] } ]",
        "units = [ { id = \"u\" unit = \"lamp\" } { id = \"v\" unit = \"mast\" } ]",
        "units = [ { id = \"v\" unit = \"mast\" } ]",
        "units = [ { id = \"v\" unit = \"gone\" } ]",
        "units = [ { id = \"v\" unit = \"mast\" } ] // again",
    };
    const char *project = test_scratch_folder(), *data = test_scratch_folder();
    write_text(project, "lamp.unit", "components = [ { id = \"t\" type = \"transform\" } ]");
    write_text(project, "mast.unit", "inherit = \"lamp\"");
    write_text(project, "yard.level", "units = [ { id = \"u\" unit = \"lamp\" } ]");
    expect_run(project, 3, 0, 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(levels); ++i) {
        const uint32_t num_failed = strstr(levels[i], "gone") != NULL;
        char fresh[CT_PATH_BYTES];
        snprintf(fresh, sizeof(fresh), "%s/%u", data, i);
        write_text(project, "yard.level", levels[i]);
        expect_run(project, 1 - num_failed, 2, num_failed);
        ct_compiler_destroy(run_anew(project, fresh, 3 - num_failed, 0, num_failed));
        if (num_failed > 0) // it keeps its last good data
            continue;
        expect_same_file(project, fresh, CT_DATA_INDEX_FILE);
        expect_same_file(project, fresh, CT_CATALOG_FILE);
    }
}

static void a_deleted_source_takes_its_data_along(void **state) {
    (void)state;
    const char *const project = lua_project(2);
    ct_compiler *const c = run_anew(project, NULL, 2, 0, 0);
    remove_file(project, "scripts/s01.lua");
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 0, 1, 0);
    assert_int_equal(report->removed.count, 1);
    assert_true(
        ct_resource_id_equal(report->removed.items[0], ct_resource_id_of("lua", "scripts/s01")));
    assert_false(has_data(c, "lua", "scripts/s01"));
    assert_true(has_data(c, "lua", "scripts/s00"));
    ct_compiler_destroy(c);
}

// --- Failures ------------------------------------------------------------------------------------

static void a_broken_source_keeps_its_last_good_data(void **state) {
    (void)state;
    const char *const project = lua_project(2);
    expect_run(project, 2, 0, 0);
    write_text(project, "scripts/s01.lua", "return =");
    ct_compiler *const c = run_anew(project, NULL, 0, 1, 1);
    assert_true(data_contains(c, "lua", "scripts/s01", "return 1"));
    const ct_data_index *const index =
        ct_data_index_read(test_heap(), ct_compiler_data_folder(c), NULL);
    const ct_data_index_entry *const entry =
        ct_data_index_find(index, ct_resource_id_of("lua", "scripts/s01"));
    assert_int_equal(entry->errors.count, 1);
    assert_true(entry->data_hash != 0);
    ct_free(test_heap(), (void *)(uintptr_t)index);
    ct_compiler_destroy(c);
}

static void a_broken_source_is_told_on_every_run_until_mended(void **state) {
    (void)state;
    const char *const project = lua_project(2);
    write_text(project, "scripts/s01.lua", "return =");
    expect_run(project, 1, 0, 1);
    ct_compiler *const c = run_anew(project, NULL, 0, 1, 1);
    expect_report_error(run_compiler(c), "scripts/s01.lua", 1, 0, "unexpected symbol");
    assert_false(has_data(c, "lua", "scripts/s01"));
    write_text(project, "scripts/s01.lua", "return 3");
    expect_counts(run_compiler(c), 1, 1, 0);
    ct_compiler_destroy(c);
}

static void deleting_what_others_refer_to_is_told_at_the_reference(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "yard.level", "script = \"main\"");
    write_text(project, "main.lua", "return 1");
    ct_compiler *const c = run_anew(project, NULL, 2, 0, 0);
    remove_file(project, "main.lua");
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 0, 0, 1);
    expect_report_error(report, "yard.level", 1, 1, "lua \"main\" is missing");
    assert_true(has_data(c, "level", "yard"));
    write_text(project, "main.lua", "return 1");
    expect_counts(run_compiler(c), 2, 0, 0);
    ct_compiler_destroy(c);
}

// --- Damage --------------------------------------------------------------------------------------

static void deleted_data_is_made_again(void **state) {
    (void)state;
    const char *const project = lua_project(2);
    ct_compiler *const c = run_anew(project, NULL, 2, 0, 0);
    char path[CT_PATH_BYTES];
    data_path(c, "lua", "scripts/s00", path);
    assert_true(ct_os_file_remove(path, NULL));
    ct_compiler_destroy(c);
    expect_run(project, 1, 1, 0);
}

static void damaged_data_is_made_again(void **state) {
    (void)state;
    const char *project = lua_project(2), *data = test_scratch_folder();
    ct_compiler_destroy(run_anew(project, data, 2, 0, 0));
    const folder_digest good = digest_folder(data);
    ct_compiler *const c = run_anew(project, data, 0, 2, 0);
    char path[CT_PATH_BYTES];
    data_path(c, "lua", "scripts/s00", path);
    FILE *const file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, 50, SEEK_SET);
    fputc('?', file);
    fclose(file);
    ct_compiler_destroy(c);
    ct_compiler_destroy(run_anew(project, data, 1, 1, 0));
    assert_true(digest_folder(data).hash == good.hash);
}

static void a_damaged_index_is_made_again(void **state) {
    (void)state;
    const char *project = lua_project(2), *data = test_scratch_folder();
    ct_compiler_destroy(run_anew(project, data, 2, 0, 0));
    const folder_digest good = digest_folder(data);
    write_text(data, CT_DATA_INDEX_FILE, "damaged");
    ct_compiler_destroy(run_anew(project, data, 2, 0, 0));
    assert_true(digest_folder(data).hash == good.hash);
}

static void an_index_of_an_older_version_is_made_again(void **state) {
    (void)state;
    const char *project = lua_project(2), *data = test_scratch_folder();
    ct_compiler_destroy(run_anew(project, data, 2, 0, 0));
    const folder_digest good = digest_folder(data);
    char path[CT_PATH_BYTES];
    ct_path_join(path, data, CT_DATA_INDEX_FILE);
    uint64_t bytes = 0;
    ct_error error = {0};
    ct_data_index *const index = (void *)ct_file_read(test_heap(), path, &bytes, &error);
    assert_non_null(index);
    index->header.version = CT_DATA_INDEX_VERSION - 1;
    assert_true(ct_file_write(path, index, bytes, false, &error));
    ct_free(test_heap(), index);
    ct_compiler_destroy(run_anew(project, data, 2, 0, 0));
    assert_true(digest_folder(data).hash == good.hash);
}

static void stray_files_of_an_interrupted_run_are_removed(void **state) {
    (void)state;
    const char *project = lua_project(1), *data = test_scratch_folder();
    ct_compiler_destroy(run_anew(project, data, 1, 0, 0));
    const folder_digest good = digest_folder(data);
    write_text(data, ".7fffffff-2e.tmp", "half a file");
    write_text(data, "0123456789abcdef-0123456789abcdef", "of a resource that never was");
    ct_compiler_destroy(run_anew(project, data, 0, 1, 0));
    assert_true(digest_folder(data).hash == good.hash);
}

// --- Edits while it runs -------------------------------------------------------------------------

typedef struct edit {
    const char *project;
    bool is_done;
} edit;

// Changes a source that was hashed but not yet sent to a worker.
static void edit_later_source(void *user, const ct_compile_progress *progress) {
    edit *const e = user;
    if (e->is_done || !progress->resource || strcmp(progress->resource, "scripts/s00.lua") != 0)
        return;
    e->is_done = true;
    write_text(e->project, "scripts/s23.lua", "return 'edited'");
}

static void a_source_edited_meanwhile_is_compiled_as_it_is_in_the_end(void **state) {
    (void)state;
    edit e = {.project = lua_project(24)};
    expect_run(e.project, 24, 0, 0);
    for (uint32_t i = 0; i < 24; ++i) { // the first dozen are sent by then
        char path[64];
        snprintf(path, sizeof(path), "scripts/s%02u.lua", i);
        write_text(e.project, path, "return 'a'");
    }
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = e.project,
                                                                  .worker_path = worker_path(),
                                                                  .num_jobs = 1,
                                                                  .progress = edit_later_source,
                                                                  .user = &e},
                                              NULL);
    expect_counts(run_compiler(c), 24, 0, 0);
    assert_true(e.is_done);
    assert_true(data_contains(c, "lua", "scripts/s23", "return 'edited'"));
    expect_counts(run_compiler(c), 0, 24, 0);
    ct_compiler_destroy(c);
}

// --- Kills ---------------------------------------------------------------------------------------

// The other half of the test below, in a process of its own.
static int compile_in_child(const char *project, const char *data) {
    test_group_setup(NULL);
    ct_compiler *const c = open_compiler(project, data, 2);
    run_compiler(c);
    ct_compiler_destroy(c);
    return 0;
}

static void killed_at_any_moment_it_ends_with_the_same_data(void **state) {
    (void)state;
    const char *project = lua_project(60), *reference = test_scratch_folder();
    ct_compiler_destroy(run_anew(project, reference, 60, 0, 0));
    char self[CT_PATH_BYTES];
    ct_os_executable_path(self);
    uint32_t random = 2468;
    const uint32_t rounds = test_rounds(8, 60);
    uint32_t num_killed = 0;
    for (uint32_t i = 0; i < rounds; ++i) {
        const char *const data = test_scratch_folder();
        const char *const arguments[] = {self, "--compile", project, data, NULL};
        ct_error error = {0};
        const ct_process child =
            ct_process_start(&(ct_process_desc){.arguments = arguments, .silent = true}, &error);
        assert_true(child.pid != 0);
        ct_os_sleep_ns((uint64_t)(test_random(&random) % 60 + 1) * 1000000);
        ct_process_kill(child);
        num_killed += ct_process_wait(child) == -9;
        ct_compiler *const c = open_compiler(project, data, 2);
        const ct_compile_report *const report = run_compiler(c);
        assert_int_equal(report->num_compiled + report->num_up_to_date, 60);
        ct_compiler_destroy(c);
        expect_same_folder(data, reference);
    }
    assert_true(num_killed > 0);
}

enum { NUM_FLEETING = 300 };

// Deletes nearly all scripts as soon as the first resource is done.
static void delete_meanwhile(void *user, const ct_compile_progress *progress) {
    const char *const project = user;
    char name[32], file[CT_PATH_BYTES];
    for (uint32_t i = 1; i < NUM_FLEETING && progress->done > 0; ++i) {
        snprintf(name, sizeof(name), "d%u.lua", i);
        ct_path_join(file, project, name);
        ct_os_file_remove(file, NULL);
    }
}

static void sources_deleted_meanwhile_are_gone(void **state) {
    (void)state;
    const char *project = test_scratch_folder(), *fresh = test_scratch_folder();
    for (uint32_t i = 0; i < NUM_FLEETING; ++i) {
        char name[32];
        snprintf(name, sizeof(name), "d%u.lua", i);
        write_text(project, name, "return 1");
    }
    write_text(project, "all.package", "lua = [\"*\"]");
    write_text(project, "one.package", "\nlua = [\"d299\"]");
    ct_error error = {0};
    ct_compiler *const c =
        ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                               .project_folder = project,
                                               .worker_path = worker_path(),
                                               .num_jobs = 1,
                                               .progress = delete_meanwhile,
                                               .user = (void *)(uintptr_t)project},
                           &error);
    assert_non_null(c);
    const ct_compile_report *const report = run_compiler(c);
    // The reference is all that is wrong, and is told once.
    expect_report_error(report, "one.package", 2, 8, "lua \"d299\" is missing");
    expect_counts(report, 2, 0, 1); // d0 and all.package
    assert_true(has_data(c, "lua", "d0"));
    assert_false(has_data(c, "lua", "d298"));
    const ct_compile_report *const again = run_compiler(c);
    expect_counts(again, 0, 2, 1);
    remove_file(project, "one.package"); // which may have data of before
    run_compiler(c);
    ct_compiler *const other = open_compiler(project, fresh, 1);
    expect_counts(run_compiler(other), 2, 0, 0);
    expect_same_folder(ct_compiler_data_folder(c), fresh);
    ct_compiler_destroy(other);
    ct_compiler_destroy(c);
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--compile") == 0)
        return compile_in_child(argv[2], argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unchanged_project_needs_no_worker),
        cmocka_unit_test(an_unchanged_project_keeps_its_index_file),
        cmocka_unit_test(a_touched_file_is_not_compiled_again),
        cmocka_unit_test(makes_its_folders_again),
        cmocka_unit_test(a_lost_stat_cache_costs_no_compilation),
        cmocka_unit_test(a_stat_cache_that_cannot_be_written_is_a_warning),
        cmocka_unit_test(a_changed_source_is_compiled_alone),
        cmocka_unit_test(a_change_within_the_same_moment_is_noticed),
        cmocka_unit_test(a_changed_include_compiles_what_includes_it),
        cmocka_unit_test(a_comment_compiles_but_changes_nothing),
        cmocka_unit_test(a_new_resource_compiles_packages_again),
        cmocka_unit_test(a_file_that_was_looked_for_in_vain_compiles_when_it_comes),
        cmocka_unit_test(hidden_files_and_those_behind_links_are_looked_for),
        cmocka_unit_test(index_and_catalog_are_as_of_a_fresh_build),
        cmocka_unit_test(a_deleted_source_takes_its_data_along),
        cmocka_unit_test(a_broken_source_keeps_its_last_good_data),
        cmocka_unit_test(a_broken_source_is_told_on_every_run_until_mended),
        cmocka_unit_test(deleting_what_others_refer_to_is_told_at_the_reference),
        cmocka_unit_test(deleted_data_is_made_again),
        cmocka_unit_test(damaged_data_is_made_again),
        cmocka_unit_test(a_damaged_index_is_made_again),
        cmocka_unit_test(an_index_of_an_older_version_is_made_again),
        cmocka_unit_test(stray_files_of_an_interrupted_run_are_removed),
        cmocka_unit_test(a_source_edited_meanwhile_is_compiled_as_it_is_in_the_end),
        cmocka_unit_test(sources_deleted_meanwhile_are_gone),
        cmocka_unit_test(killed_at_any_moment_it_ends_with_the_same_data),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
