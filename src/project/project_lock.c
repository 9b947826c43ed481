#include "project/project_lock.h"
#include "foundation/file.h"

static const uint64_t PERIOD_NS = 20000000;
// A holder that has just taken the lock has not yet said who it is.
enum { TRIES_FOR_HOLDER = 5 };

bool ct_project_lock_take(const ct_project_lock_desc *desc, ct_file_lock *lock, ct_error *error) {
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

bool ct_project_lock_path(const char *project_folder, char *path, ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (!ct_path_try_join(folder, project_folder, ".cuttle/cache") ||
        !ct_path_try_join(path, folder, "lock"))
        return ct_error_set(error, "the path %s is too long", project_folder);
    return ct_folder_create(folder, error);
}
