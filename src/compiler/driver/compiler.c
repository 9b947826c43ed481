#include "compiler/driver/compiler_chain.h"
#include "compiler/driver/compiler_data_folder.h"
#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_lock.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"

#include <stdio.h>
#include <string.h>

enum { MAX_JOBS = CT_SOCKET_WAIT_MAX, MAX_ROUNDS = 4 };
#ifdef CT_SANITIZE // workers are several times as slow, and tests start many at once
static const double default_time_limit_seconds = 300;
#else
static const double default_time_limit_seconds = 60;
#endif

// --- Life cycle ----------------------------------------------------------------------------------

// The absolute path of a folder that exists, or NULL with `error`.
static char *folder_of(ct_allocator *a, const char *what, const char *folder, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (ct_os_file_info(folder).kind != CT_FILE_KIND_FOLDER ||
        !ct_os_absolute_path(folder, path, NULL)) {
        ct_error_set(error, "the %s folder \"%.400s\" is not there", what, folder);
        return NULL;
    }
    return ct_copy_string(a, path);
}

static bool join_or_fail(char path[CT_PATH_BYTES], const char *folder, const char *name,
                         ct_error *error) {
    return ct_path_try_join(path, folder, name) ||
           ct_error_set(error, "the path %s/%s is too long", folder, name);
}

// What is of one pair of platforms: "linux", "mobile-linux".
static bool target_name(const char *platform, const char *source_platform, const char *suffix,
                        char name[CT_PATH_BYTES]) {
    const bool is_one = strcmp(platform, source_platform) == 0;
    return snprintf(name, CT_PATH_BYTES, "%s%s%s%s", source_platform, is_one ? "" : "-",
                    is_one ? "" : platform, suffix) < CT_PATH_BYTES;
}

bool ct_compiler_default_folder(const char *project_folder, const char *platform,
                                const char *source_platform, char folder[CT_PATH_BYTES],
                                ct_error *error) {
    char name[CT_PATH_BYTES], data[CT_PATH_BYTES];
    platform = platform ? platform : CT_PLATFORM_HOST;
    return (target_name(platform, source_platform ? source_platform : platform, "", name) ||
            ct_error_set(error, "the platform name is too long")) &&
           join_or_fail(data, project_folder, ".cuttle/data", error) &&
           join_or_fail(folder, data, name, error);
}

// Makes the data folder and finds out whether it can be written.
static bool open_data_folder(ct_compiler *c, const char *data_folder, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (data_folder ? !join_or_fail(path, "", data_folder, error)
                    : !ct_compiler_default_folder(c->project_folder, c->platform,
                                                  c->source_platform, path, error))
        return false;
    ct_error cause = {0};
    char probe[CT_PATH_BYTES];
    c->is_data_folder_new = ct_os_file_info(path).kind == CT_FILE_KIND_NONE;
    if (!ct_folder_create(path, &cause) || !ct_path_try_join(probe, path, ".0-0.tmp") ||
        !ct_file_write(probe, "", 0, false, &cause))
        return ct_error_set(error, "the data folder \"%.400s\" cannot be written: %.500s", path,
                            cause.message);
    ct_os_file_remove(probe, NULL);
    c->data_folder = folder_of(c->allocator, "data", path, error);
    return c->data_folder != NULL;
}

// Stat cache and lock lie in the project when its data does, else in the data folder, which nothing
// is left beside.
static bool place_cache(ct_compiler *c, const char *data_folder, ct_error *error) {
    char path[CT_PATH_BYTES], lock[CT_PATH_BYTES];
    if (!data_folder) {
        char name[CT_PATH_BYTES];
        if (!ct_project_lock_path(c->project_folder, lock, error) ||
            !target_name(c->platform, c->source_platform, ".stat_cache", name) ||
            !join_or_fail(path, c->project_folder, ".cuttle/cache", error) ||
            !join_or_fail(path, path, name, error))
            return false;
    } else if (!join_or_fail(path, c->data_folder, CT_RUN_STAT_CACHE, error) ||
               !join_or_fail(lock, c->data_folder, CT_RUN_LOCK, error)) {
        return false;
    }
    c->cache_path = ct_copy_string(c->allocator, path);
    c->lock_path = ct_copy_string(c->allocator, lock);
    return true;
}

static bool make_pool(ct_compiler *c, const ct_compiler_desc *desc, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!desc->worker_path) {
        char folder[CT_PATH_BYTES];
        ct_os_executable_path(path);
        ct_path_folder(folder, path);
        if (!join_or_fail(path, folder, "cuttle-worker", error))
            return false;
    }
    uint32_t num_jobs = desc->num_jobs ? desc->num_jobs : ct_os_core_count();
    if (num_jobs > MAX_JOBS)
        num_jobs = MAX_JOBS;
    c->time_limit_seconds =
        desc->time_limit_seconds > 0 ? desc->time_limit_seconds : default_time_limit_seconds;
    c->pool = ct_worker_pool_create(c->allocator, desc->worker_path ? desc->worker_path : path,
                                    num_jobs, c->time_limit_seconds);
    return true;
}

static bool open_folders(ct_compiler *c, const ct_compiler_desc *desc, ct_error *error) {
    if (!ct_platform_named(c->platform))
        return ct_error_set(
            error, "the platform \"%s\" is unknown; expected \"linux\", \"windows\" or \"be64\"",
            c->platform);
    if (strspn(c->source_platform, "abcdefghijklmnopqrstuvwxyz0123456789_-") !=
        strlen(c->source_platform))
        return ct_error_set(
            error, "\"%.100s\" is not a platform name; expected a word of a-z, 0-9, _ and -",
            c->source_platform);
    c->project_folder = folder_of(c->allocator, "project", desc->project_folder, error);
    if (!c->project_folder)
        return false;
    if (desc->core_folder)
        c->core_folder = folder_of(c->allocator, "core", desc->core_folder, error);
    return (!desc->core_folder || c->core_folder) &&
           open_data_folder(c, desc->data_folder, error) &&
           place_cache(c, desc->data_folder, error) && make_pool(c, desc, error);
}

ct_compiler *ct_compiler_create(const ct_compiler_desc *desc, ct_error *error) {
    ct_allocator *const a = desc->allocator;
    ct_compiler *const c = CT_NEW(a, ct_compiler);
    c->allocator = a;
    c->platform = ct_copy_string(a, desc->platform ? desc->platform : CT_PLATFORM_HOST);
    c->source_platform =
        ct_copy_string(a, desc->source_platform ? desc->source_platform : c->platform);
    c->progress = desc->progress;
    c->waiting = desc->waiting;
    c->is_interrupted = desc->is_interrupted;
    c->user = desc->user;
    c->cache.allocator = a;
    ct_array_init(&c->report.errors, a);
    ct_array_init(&c->report.chains, a);
    ct_array_init(&c->report.warnings, a);
    ct_array_init(&c->report.chain_names, a);
    ct_array_init(&c->report.explanation, a);
    ct_array_init(&c->report.changed, a);
    ct_array_init(&c->report.removed, a);
    ct_array_init(&c->cache.entries, a);
    ct_hash_map_init(&c->cache.by_name, a);
    if (!open_folders(c, desc, error)) {
        ct_compiler_destroy(c);
        return NULL;
    }
    return c;
}

void ct_compiler_destroy(ct_compiler *c) {
    if (!c)
        return;
    ct_allocator *const a = c->allocator;
    ct_worker_pool_destroy(c->pool);
    ct_stat_cache_free(&c->cache);
    ct_compile_report_clear(&c->report);
    ct_array_free(&c->report.errors);
    ct_array_free(&c->report.chains);
    ct_array_free(&c->report.warnings);
    ct_array_free(&c->report.chain_names);
    ct_array_free(&c->report.explanation);
    ct_free(a, c->explained);
    ct_free(a, c->plugin_description);
    ct_array_free(&c->report.changed);
    ct_array_free(&c->report.removed);
    ct_free(a, c->project_folder);
    ct_free(a, c->core_folder);
    ct_free(a, c->data_folder);
    ct_free(a, c->cache_path);
    ct_free(a, c->lock_path);
    ct_free(a, c->platform);
    ct_free(a, c->source_platform);
    ct_free(a, c);
}

void ct_compiler_cancel(ct_compiler *c) {
    ct_worker_pool_cancel(c->pool);
}

void ct_compiler_set_time_limit(ct_compiler *c, double seconds) {
    c->time_limit_seconds = seconds;
    ct_worker_pool_set_time_limit(c->pool, seconds);
}

void ct_compiler_explain(ct_compiler *c, const char *resource) {
    ct_free(c->allocator, c->explained);
    c->explained = resource ? ct_copy_string(c->allocator, resource) : NULL;
}

const char *ct_compiler_data_folder(const ct_compiler *c) {
    return c->data_folder;
}

const char *ct_compiler_lock_file(const ct_compiler *c) {
    return c->lock_path;
}

// --- Report --------------------------------------------------------------------------------------

// Resources of the old index whose sources are gone; of those that lost a variant another may have
// to be loaded now.
static void report_removed(ct_run *run) {
    const ct_data_index *const index = run->old_index;
    if (!index)
        return;
    ct_compile_report *const report = &run->compiler->report;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        const ct_resource_id base = {entries[i].id.type, entries[i].base};
        if (ct_hash_map_find(&run->by_id, ct_resource_id_key(entries[i].id)))
            continue;
        if (ct_hash_map_find(&run->by_base, ct_resource_id_key(base)))
            ct_array_push(&report->changed, base);
        else
            ct_array_push(&report->removed, base);
    }
}

static void add_scan_fault(ct_run *run, const char *file, const char *message) {
    ct_array_push(&run->faults, (ct_compile_fault){.file = file, .message = message});
}

static void add_scan_faults_of(ct_run *run, const ct_string_array *files, const char *message) {
    for (uint32_t i = 0; i < files->count; ++i)
        add_scan_fault(run, files->items[i], message);
}

static void add_capital_type_fault(ct_run *run, const char *path) {
    char lower[CT_PATH_BYTES], message[CT_ERROR_MESSAGE_BYTES];
    snprintf(lower, sizeof(lower), "%s", path);
    for (char *c = lower; *c; ++c)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    snprintf(message, sizeof(message),
             "names and types of sources may contain only a-z, 0-9, _, - and /: rename \"%.400s\" "
             "to \"%.400s\"",
             path, lower);
    add_scan_fault(run, path, ct_copy_string(run->allocator, message));
}

// What the scan found and could not look at.
static void add_scan_faults(ct_run *run) {
    const ct_scan *const scan = &run->scan;
    char too_long[96];
    snprintf(too_long, sizeof(too_long),
             "this path with the project folder has more than %d bytes; expected a shorter one",
             CT_PATH_BYTES - 1);
    add_scan_faults_of(run, &scan->long_paths, ct_copy_string(run->allocator, too_long));
    add_scan_faults_of(run, &scan->outside_links,
                       "this link points to a folder outside the project, which is not allowed: "
                       "put the folder itself here");
    for (uint32_t i = 0; i < scan->broken_links.count; ++i) {
        const char *const path = scan->broken_links.items[i];
        if (ct_run_type_named(run, ct_path_extension(path)))
            add_scan_fault(run, path, "this link points to nothing; expected a file");
    }
    add_scan_faults_of(run, &scan->odd_sources,
                       "this is a pipe, a socket or a device; expected a file");
    add_scan_faults_of(run, &scan->unlisted,
                       "this folder cannot be listed; its compiled data stays as it was");
    for (uint32_t i = 0; i < scan->capital_types.count; ++i)
        add_capital_type_fault(run, scan->capital_types.items[i]);
}

// Sources of the last run that lie in folders which cannot be listed just now are taken to be there
// as they were: nobody knows better, and their data must not go.
static void keep_unlisted_sources(ct_run *run) {
    const ct_data_index *const index = run->old_index;
    if (!index || run->scan.unlisted.count == 0)
        return;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        const ct_data_index_include *const includes = ct_blob_at(index, entries[i].includes.offset);
        for (uint32_t k = 0; k < entries[i].includes.count; ++k) {
            const char *const path = ct_blob_at(index, includes[k].path.offset);
            if (includes[k].content_hash != 0 && ct_scan_is_unlisted(&run->scan, path))
                ct_scan_take_unlisted(&run->scan, path, includes[k].content_hash);
        }
    }
    ct_scan_end_taking_unlisted(&run->scan);
}

// --- Run -----------------------------------------------------------------------------------------

// What has no data is in no catalog; who misses it while a game runs is told its name all the same.
static void register_lost_names(const ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        if (run->resources.items[i].data_hash == 0)
            ct_string_id64_register(run->resources.items[i].base_name);
    }
}

// The folders that compiling writes to, which somebody may have removed since the last run. The
// project itself is not made again.
static bool make_folders(const ct_compiler *c, ct_error *error) {
    char cache_folder[CT_PATH_BYTES];
    ct_path_folder(cache_folder, c->cache_path);
    if (ct_os_file_info(c->project_folder).kind != CT_FILE_KIND_FOLDER)
        return ct_error_set(error, "the project folder \"%s\" is not there", c->project_folder);
    return ct_folder_create(c->data_folder, error) && ct_folder_create(cache_folder, error);
}

// Looks at the sources, while another thread looks at what was compiled of them.
static bool read_all(ct_run *run, ct_error *error) {
    ct_run_start_reading_data(run);
    const bool is_scanned = ct_scan_folders(&run->scan, error);
    if (is_scanned) // they start while the rest is looked at
        ct_worker_pool_prepare(run->compiler->pool, ct_scan_take_known(&run->scan));
    ct_error data_error;
    const bool is_read = ct_run_end_reading_data(run, &data_error);
    if (is_scanned && !is_read && error)
        *error = data_error;
    return is_scanned && is_read;
}

// Saving the stat cache, which nobody else uses meanwhile.
typedef struct saving {
    ct_run *run;
    bool is_saved;
    ct_error error;
} saving;

static void save_cache(void *user) {
    saving *const s = user;
    ct_compiler *const c = s->run->compiler;
    ct_run_note_written_data(s->run);
    s->is_saved = ct_stat_cache_save(&c->cache, c->cache_path, &s->error);
}

// Writes index and catalog, while another thread saves the stat cache: without that the next run
// only takes longer, so it is a warning.
static bool write_all(ct_run *run, ct_error *error) {
    saving s = {.run = run};
    const ct_thread thread = ct_thread_start("stat cache", save_cache, &s);
    const bool is_written = ct_run_write_index(run, error);
    ct_thread_join(thread);
    ct_compile_report *const report = &run->compiler->report;
    if (!s.is_saved)
        ct_array_push(&report->warnings, s.error);
    return is_written;
}

static bool do_run(ct_run *run, ct_error *error) {
    ct_compiler *const c = run->compiler;
    if (!c->is_cache_read) // only now that no other process changes it
        ct_stat_cache_init(&c->cache, c->allocator, c->cache_path);
    c->is_cache_read = true;
    ct_stat_cache_begin(&c->cache);
    ct_scan_read_settings(&run->scan);
    if (!ct_run_read_plugins(run, error) || !read_all(run, error) ||
        !ct_run_check_platform(run, error))
        return false;
    keep_unlisted_sources(run);
    ct_run_find_resources(run);
    ct_run_find_data(run);
    ct_run_set_environments(run);
    add_scan_faults(run);
    ct_run_plan(run);
    ct_run_explain(run);
    if (!ct_run_build(run, error)) {
        ct_run_note_written_data(run); // for a later run of this compiler
        return false;
    }
    ct_run_refuse_circles(run);
    ct_run_check_materials(run);
    if (!write_all(run, error))
        return false;
    if (run->has_lost_sources && !run->is_last_round) {
        ct_run_report_round(run);
    } else {
        register_lost_names(run);
        ct_run_report(run);
        ct_run_explain_outcome(run);
    }
    report_removed(run);
    ct_run_remove_unwanted_data(run);
    return true;
}

static void init_run(ct_run *run, ct_compiler *c, ct_allocator *a, ct_allocator *data_allocator) {
    *run = (ct_run){
        .compiler = c,
        .allocator = a,
        .by_id.allocator = a,
        .by_base.allocator = a,
        .known_hashes.allocator = a,
        .data_by_id = {{.allocator = data_allocator}, {.allocator = data_allocator}},
        .nearest.allocator = a,
    };
    ct_scan_init(&run->scan, a, c->allocator, (ct_source_roots){c->project_folder, c->core_folder},
                 &c->cache);
    ct_array_init(&run->platform_words, a);
    ct_array_init(&run->resources, a);
    ct_array_init(&run->elsewhere, a);
    ct_array_init(&run->data_files, data_allocator);
    ct_array_init(&run->faults, a);
}

// --- Lock ----------------------------------------------------------------------------------------

static void tell_waiting(void *user, int64_t process) {
    const ct_compiler *const c = user;
    if (c->waiting)
        c->waiting(c->user, process);
}

static bool is_cancelled(void *user) {
    const ct_compiler *c = user;
    return ct_worker_pool_is_cancelled(c->pool) ||
           (c->is_interrupted && c->is_interrupted(c->user));
}

static bool take_lock(ct_compiler *c, ct_project_lock *lock, ct_error *error) {
    const ct_project_lock_desc desc = {.path = c->lock_path,
                                       .project = c->project_folder,
                                       .waiting = tell_waiting,
                                       .is_cancelled = is_cancelled,
                                       .user = c};
    return make_folders(c, error) && ct_project_lock_take(&desc, lock, error);
}

// What was compiled in one round and removed in a later one is not changed.
static void drop_removed(ct_compile_report *report) {
    uint32_t count = 0;
    for (uint32_t i = 0; report->removed.count > 0 && i < report->changed.count; ++i) {
        const ct_resource_id id = report->changed.items[i];
        bool is_removed = false;
        for (uint32_t k = 0; k < report->removed.count; ++k)
            is_removed |= ct_resource_id_equal(report->removed.items[k], id);
        report->changed.items[count] = id;
        count += !is_removed;
    }
    if (report->removed.count > 0)
        report->changed.count = count;
}

// Sources that go missing while they are compiled (another branch is being checked out) count as
// gone: another round sees the project as it is by then, and has little to do.
static bool run_rounds(ct_compiler *c, ct_allocator *a, uint64_t start_ns, ct_error *error) {
    ct_hash_map done_before = {.allocator = a};
    uint32_t num_rounds = 0;
    for (bool is_over = false; !is_over;) {
        ct_run run;
        CT_TEMP_ALLOCATOR(data_scratch, c->allocator); // of another thread at first
        init_run(&run, c, a, data_scratch);
        run.start_ns = start_ns;
        run.done_before = &done_before;
        run.is_last_round = ++num_rounds == MAX_ROUNDS;
        const bool result = do_run(&run, error);
        ct_free(c->allocator, (void *)(uintptr_t)run.old_index);
        if (!result)
            return false;
        is_over = !run.has_lost_sources || run.is_last_round;
    }
    if (num_rounds > 1)
        drop_removed(&c->report);
    return true;
}

// Removes the data folder that this compiler made, unless it has data.
static void remove_new_folder(const ct_compiler *c) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, c->lock_path);
    if (strcmp(folder, c->data_folder) == 0) {
        ct_os_file_remove(c->lock_path, NULL);
        ct_os_file_remove(c->cache_path, NULL);
    }
    ct_os_folder_remove(c->data_folder, NULL);
}

bool ct_compiler_run(ct_compiler *c, const ct_compile_report **report, ct_error *error) {
    const uint64_t start_ns = ct_os_time_ns();
    ct_compile_report_clear(&c->report);
    CT_TEMP_ALLOCATOR(scratch, c->allocator);
    ct_project_lock lock = {0};
    const bool result = take_lock(c, &lock, error) && run_rounds(c, scratch, start_ns, error);
    ct_project_lock_release(&lock);
    if (!result && c->is_data_folder_new) // as when there is no such platform
        remove_new_folder(c);
    c->report.seconds = (double)(ct_os_time_ns() - start_ns) * 1e-9;
    *report = &c->report;
    return result;
}

const ct_compile_report *ct_compiler_report(const ct_compiler *c) {
    return &c->report;
}
