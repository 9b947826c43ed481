// project_support.h: small projects on disk for the tests of the compiler.
#pragma once
#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/driver/compiler.h"
#include "compiler/driver/compiler_data_folder.h"
#include "compiler/worker/worker_compile.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static inline void write_bytes(const char *folder, const char *path, const void *bytes,
                               uint64_t count) {
    char file[CT_PATH_BYTES], parent[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(file, folder, path);
    ct_path_folder(parent, file);
    if (!ct_folder_create(parent, &error) || !ct_file_write(file, bytes, count, false, &error))
        fail_msg("%s", error.message);
}

static inline void write_text(const char *folder, const char *path, const char *text) {
    write_bytes(folder, path, text, strlen(text));
}

// Writes settings.config, with what no project goes without at the end: `boot_script` main and
// `boot_package` boot, which write_boot writes.
static inline void write_settings(const char *folder, const char *text) {
    char settings[4096];
    snprintf(settings, sizeof(settings), "%s\nboot_script = \"main\" boot_package = \"boot\"\n",
             text);
    write_text(folder, "settings.config", settings);
}

static inline void write_boot(const char *folder) {
    write_text(folder, "main.lua", "return 1");
    write_text(folder, "boot.package", "lua = [\"main\"]");
}

static inline void remove_file(const char *folder, const char *path) {
    char file[CT_PATH_BYTES];
    ct_path_join(file, folder, path);
    assert_true(ct_os_file_remove(file, NULL));
}

// Compiles one source of a project without a process. Free the answer.
static inline ct_compile_answer compile_file(const char *project, const char *type,
                                             const char *name) {
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s.%s", name, type);
    const ct_compile_request request = {
        .type = type, .name = name, .path = path, .project_folder = project, .platform = "linux"};
    ct_compile_answer answer;
    ct_worker_compile(test_heap(), &request, &answer);
    return answer;
}

// Fails unless the answer has exactly one error, at this place, whose message contains `text`.
static inline void expect_error(ct_compile_answer *answer, const char *file, uint32_t line,
                                uint32_t column, const char *text) {
    assert_int_equal(answer->blob.count, 0);
    assert_int_equal(answer->errors.count, 1);
    const ct_compile_fault *fault = &answer->errors.items[0];
    if (!strstr(fault->message, text))
        fail_msg("found \"%s\", expected \"%s\"", fault->message, text);
    assert_string_equal(fault->file, file);
    assert_int_equal(fault->line, line);
    assert_int_equal(fault->column, column);
    ct_compile_answer_free(answer);
}

// Fails unless the answer has a blob and exactly one warning, at this place, whose message contains
// `text`.
static inline void expect_warning(const ct_compile_answer *answer, const char *file, uint32_t line,
                                  uint32_t column, const char *text) {
    assert_int_equal(answer->errors.count, 0);
    assert_int_not_equal(answer->blob.count, 0);
    assert_int_equal(answer->warnings.count, 1);
    const ct_compile_fault *warning = &answer->warnings.items[0];
    if (!strstr(warning->message, text))
        fail_msg("found \"%s\", expected \"%s\"", warning->message, text);
    assert_string_equal(warning->file, file);
    assert_int_equal(warning->line, line);
    assert_int_equal(warning->column, column);
}

// The blob of an answer that must be without errors; checked as a loader would.
static inline const void *expect_blob(const ct_compile_answer *answer, const char *type) {
    for (uint32_t i = 0; i < answer->errors.count; ++i)
        print_error("%s:%u:%u: %s\n", answer->errors.items[i].file, answer->errors.items[i].line,
                    answer->errors.items[i].column, answer->errors.items[i].message);
    assert_int_equal(answer->errors.count, 0);
    const ct_resource_type *t = ct_resource_type_named(type);
    ct_error error = {0};
    if (!ct_blob_check_header(answer->blob.items, answer->blob.count, ct_string_id64_of(type),
                              t->version, &error) ||
        !t->validate(answer->blob.items, &error))
        fail_msg("%s", error.message);
    return answer->blob.items;
}

static inline bool has_include(const ct_compile_answer *answer, const char *path) {
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        if (strcmp(answer->includes.items[i].path, path) == 0)
            return true;
    return false;
}

static inline bool has_reference(const ct_compile_answer *answer, const char *type,
                                 const char *name) {
    for (uint32_t i = 0; i < answer->references.count; ++i)
        if (strcmp(answer->references.items[i].type, type) == 0 &&
            strcmp(answer->references.items[i].name, name) == 0)
            return true;
    return false;
}

// The worker of this build.
static inline const char *worker_path(void) {
    static char path[CT_PATH_BYTES];
    const char *folder = getenv("CUTTLE_BUILD_DIR");
    ct_path_join(path, folder ? folder : ".", "cuttle-worker");
    return path;
}

static inline ct_compiler *open_compiler(const char *project, const char *data_folder,
                                         uint32_t num_jobs) {
    ct_error error = {0};
    ct_compiler *c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                            .project_folder = project,
                                                            .data_folder = data_folder,
                                                            .worker_path = worker_path(),
                                                            .num_jobs = num_jobs},
                                        &error);
    if (!c)
        fail_msg("%s", error.message);
    return c;
}

static inline const ct_compile_report *run_compiler(ct_compiler *c) {
    const ct_compile_report *report = NULL;
    ct_error error = {0};
    if (!ct_compiler_run(c, &report, &error))
        fail_msg("%s", error.message);
    return report;
}

static inline void expect_counts(const ct_compile_report *report, uint32_t compiled,
                                 uint32_t up_to_date, uint32_t failed) {
    for (uint32_t i = 0; i < report->errors.count && report->num_failed != failed; ++i)
        print_error("%s:%u: %s\n", report->errors.items[i].file, report->errors.items[i].line,
                    report->errors.items[i].message);
    assert_int_equal(report->num_compiled, compiled);
    assert_int_equal(report->num_up_to_date, up_to_date);
    assert_int_equal(report->num_failed, failed);
}

// The only error of a report.
static inline void expect_report_error(const ct_compile_report *report, const char *file,
                                       uint32_t line, uint32_t column, const char *text) {
    assert_int_equal(report->errors.count, 1);
    const ct_error *e = &report->errors.items[0];
    if (!strstr(e->message, text))
        fail_msg("found \"%s\", expected \"%s\"", e->message, text);
    assert_string_equal(e->file, file);
    assert_int_equal(e->line, line);
    assert_int_equal(e->column, column);
}

// --- Data folders --------------------------------------------------------------------------------

// Writes the path of a resource's compiled file.
static inline void data_path(const ct_compiler *c, const char *type, const char *name,
                             char path[CT_PATH_BYTES]) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    ct_path_join(path, ct_compiler_data_folder(c), file_name);
}

static inline bool has_data(const ct_compiler *c, const char *type, const char *name) {
    char path[CT_PATH_BYTES];
    data_path(c, type, name, path);
    return ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}

// True when a resource's compiled file contains `text`.
static inline bool data_contains(const ct_compiler *c, const char *type, const char *name,
                                 const char *text) {
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    data_path(c, type, name, path);
    char *data = ct_file_read(test_heap(), path, &size_bytes, NULL);
    const bool result = data && memmem(data, size_bytes, text, strlen(text));
    ct_free(test_heap(), data);
    return result;
}

typedef struct folder_digest {
    const char *folder;
    uint64_t hash;
    uint32_t num_files;
} folder_digest;

static inline uint64_t fnv(uint64_t hash, const void *bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3ull;
    return hash;
}

static inline void digest_entry(void *user, const char *name) {
    folder_digest *d = user;
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    if (strcmp(name, CT_RUN_STAT_CACHE) == 0 || strcmp(name, CT_RUN_LOCK) == 0)
        return;
    ct_path_join(path, d->folder, name);
    char *data = ct_file_read(test_heap(), path, &size_bytes, NULL);
    assert_non_null(data);
    const uint64_t hash = fnv(0xcbf29ce484222325ull, name, strlen(name));
    d->hash += fnv(hash, data, size_bytes); // the order of a folder's entries means nothing
    ++d->num_files;
    ct_free(test_heap(), data);
}

// Names and contents of all files right in a folder, hidden ones too, but for lock and stat cache.
static inline folder_digest digest_folder(const char *folder) {
    folder_digest d = {.folder = folder};
    assert_true(ct_os_folder_list(folder, digest_entry, &d, NULL));
    return d;
}

static inline void expect_same_folder(const char *a, const char *b) {
    const folder_digest x = digest_folder(a), y = digest_folder(b);
    assert_int_equal(x.num_files, y.num_files);
    assert_true(x.hash == y.hash);
}
