#include "project/project_lock.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "project/project_journal.h"

#include <string.h>

static const uint64_t PERIOD_NS = 20000000;
// A holder that has just taken the lock has not yet written its process id.
enum { TRIES_FOR_HOLDER = 5 };

// --- Waiting -------------------------------------------------------------------------------------

// A wait for one lock after the other.
typedef struct lock_wait {
    const ct_project_lock_desc *desc;
    uint32_t num_tries;
    bool is_told;
} lock_wait;

// Another process has the lock: reports that once and waits a little.
static bool wait_on(lock_wait *wait, int64_t holder, ct_error *error) {
    const ct_project_lock_desc *const desc = wait->desc;
    if (desc->is_cancelled && desc->is_cancelled(desc->user))
        return ct_error_set(error, "compiling was cancelled");
    if (desc->waiting && !wait->is_told && (holder != 0 || wait->num_tries >= TRIES_FOR_HOLDER)) {
        wait->is_told = true;
        desc->waiting(desc->user, holder);
    }
    ++wait->num_tries;
    ct_os_sleep_ns(PERIOD_NS);
    return true;
}

static bool wait_for_file(lock_wait *wait, ct_file_lock *lock, ct_error *error) {
    for (;;) {
        int64_t holder = 0;
        if (!ct_file_lock_try(wait->desc->path, lock, &holder, error))
            return false;
        if (lock->file_plus_one != 0)
            return true;
        if (!wait_on(wait, holder, error))
            return false;
    }
}

static bool wait_for_sources(lock_wait *wait, ct_lock_kind kind, ct_file_lock *lock,
                             ct_error *error) {
    // Without such locks, continues as if there were no other process.
    while (ct_folder_lock_try(wait->desc->project, kind, lock, NULL) && lock->file_plus_one == 0)
        if (!wait_on(wait, 0, error))
            return false;
    return true;
}

// --- The journal ---------------------------------------------------------------------------------

// Both locks of the project are held.
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
    ct_project_lock lock;
    own.path = path;
    own.project = project;
    own.changes_sources = false;
    if (!ct_project_lock_path(project, path, error) || !ct_project_lock_take(&own, &lock, error))
        return false;
    ct_project_lock_release(&lock);
    return true;
}

// --- Taking --------------------------------------------------------------------------------------

// For the holder of the project's lock: only processes with data elsewhere can read sources now.
static bool take_own_sources(lock_wait *wait, ct_project_lock *lock, ct_error *error) {
    const ct_project_lock_desc *const desc = wait->desc;
    const bool has_journal = ct_journal_is_there(desc->project);
    if (!desc->changes_sources && !has_journal)
        return true;
    if (!wait_for_sources(wait, CT_LOCK_KIND_ALONE, &lock->sources, error) ||
        (has_journal && !finish_journal(desc->project, error)))
        return false;
    if (!desc->changes_sources)
        ct_file_lock_release(&lock->sources);
    return true;
}

// For holders of another lock: waits until sources are not being changed and no journal is left.
static bool share_sources(lock_wait *wait, ct_project_lock *lock, ct_error *error) {
    const ct_project_lock_desc *const desc = wait->desc;
    for (;;) {
        if (!wait_for_sources(wait, CT_LOCK_KIND_SHARED, &lock->sources, error))
            return false;
        if (!ct_journal_is_there(desc->project))
            return true;
        ct_file_lock_release(&lock->sources);
        if (!ct_project_finish_journal(desc->project, desc, error))
            return false;
    }
}

static bool take_sources(lock_wait *wait, ct_project_lock *lock, ct_error *error) {
    char own[CT_PATH_BYTES];
    const ct_project_lock_desc *const desc = wait->desc;
    if (!desc->project)
        return true;
    const bool is_own =
        ct_path_try_join(own, desc->project, ".cuttle/cache/lock") && strcmp(own, desc->path) == 0;
    return is_own ? take_own_sources(wait, lock, error) : share_sources(wait, lock, error);
}

bool ct_project_lock_take(const ct_project_lock_desc *desc, ct_project_lock *lock,
                          ct_error *error) {
    lock_wait wait = {.desc = desc};
    *lock = (ct_project_lock){0};
    if (wait_for_file(&wait, &lock->file, error) && take_sources(&wait, lock, error))
        return true;
    ct_project_lock_release(lock);
    return false;
}

void ct_project_lock_release(ct_project_lock *lock) {
    ct_file_lock_release(&lock->sources);
    ct_file_lock_release(&lock->file);
}

bool ct_project_lock_path(const char *project_folder, char *path, ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (!ct_path_try_join(folder, project_folder, ".cuttle/cache") ||
        !ct_path_try_join(path, folder, "lock"))
        return ct_error_set(error, "the path %s is too long", project_folder);
    return ct_folder_create(folder, error);
}
