#include "project/project_lock.h"
#include "foundation/file.h"
#include "foundation/log.h"
#include "foundation/memory.h"
#include "foundation/temp_allocator.h"
#include "project/project_journal.h"

#include <string.h>

static const uint64_t PERIOD_NS = 20000000;
// A holder that has just taken the lock has not yet said who it is.
enum { TRIES_FOR_HOLDER = 5 };

static bool wait_for_lock(const ct_project_lock_desc *desc, ct_file_lock *lock, ct_error *error) {
    bool is_told = false;
    for (uint32_t i = 0;; ++i) {
        int64_t holder = 0;
        if (!ct_file_lock_try(desc->path, lock, &holder, error))
            return false;
        if (lock->file_plus_one != 0)
            return true;
        if (desc->is_cancelled && desc->is_cancelled(desc->user))
            return ct_error_set(error, "compiling was cancelled");
        if (desc->waiting && !is_told && (holder != 0 || i >= TRIES_FOR_HOLDER)) {
            is_told = true;
            desc->waiting(desc->user, holder);
        }
        ct_os_sleep_ns(PERIOD_NS);
    }
}

// The lock of the project is held.
static bool finish_journal(const char *project, ct_error *error) {
    CT_TEMP_ALLOCATOR(scratch, ct_memory_heap());
    ct_string_array report;
    ct_array_init(&report, scratch);
    const bool result = ct_journal_finish(scratch, project, &report, error);
    for (uint32_t i = 0; i < report.count; ++i)
        ct_log_message(CT_LOG_LEVEL_WARNING, "project", report.items[i]);
    return result;
}

bool ct_project_finish_journal(const char *project_folder, const ct_project_lock_desc *desc,
                               ct_error *error) {
    char project[CT_PATH_BYTES], path[CT_PATH_BYTES];
    if (!ct_os_absolute_path(project_folder, project, error))
        return false;
    if (!ct_journal_is_there(project))
        return true;
    ct_project_lock_desc own = *desc;
    ct_file_lock lock;
    own.path = path;
    own.project = project;
    if (!ct_project_lock_path(project, path, error) || !ct_project_lock_take(&own, &lock, error))
        return false;
    ct_file_lock_release(&lock);
    return true;
}

// Finishes it also for who has another lock than the project's: of data that lie elsewhere.
static bool finish_journal_for(const ct_project_lock_desc *desc, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!desc->project || !ct_journal_is_there(desc->project))
        return true;
    if (!ct_project_lock_path(desc->project, path, error))
        return false;
    return strcmp(path, desc->path) == 0 ? finish_journal(desc->project, error)
                                         : ct_project_finish_journal(desc->project, desc, error);
}

bool ct_project_lock_take(const ct_project_lock_desc *desc, ct_file_lock *lock, ct_error *error) {
    if (!wait_for_lock(desc, lock, error))
        return false;
    if (finish_journal_for(desc, error))
        return true;
    ct_file_lock_release(lock);
    return false;
}

bool ct_project_lock_path(const char *project_folder, char *path, ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (!ct_path_try_join(folder, project_folder, ".cuttle/cache") ||
        !ct_path_try_join(path, folder, "lock"))
        return ct_error_set(error, "the path %s is too long", project_folder);
    return ct_folder_create(folder, error);
}
