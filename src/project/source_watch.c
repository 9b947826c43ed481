#include "project/source_watch.h"

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "project/project_git.h"

enum { MANY_CHANGES = 12 }; // of one save there are fewer

static const uint64_t slice_ns = 20000000;
static const uint64_t quiet_ns = 30000000;
static const uint64_t many_quiet_ns = 200000000;
static const uint64_t git_quiet_ns = 1000000000;
static const uint64_t longest_burst_ns = 2000000000;
static const uint64_t longest_git_burst_ns = 60000000000;

struct ct_source_watch {
    ct_allocator *allocator;
    char *project_folder;
    ct_file_watch *project, *core;
    uint64_t num_changes; // in this burst; 0: there is none
    uint64_t first_ns, last_ns;
};

ct_source_watch *ct_source_watch_create(ct_allocator *a, const char *project_folder,
                                        const char *core_folder, ct_error *error) {
    ct_source_watch *const w = CT_NEW(a, ct_source_watch);
    w->allocator = a;
    w->project_folder = ct_copy_string(a, project_folder);
    w->project = ct_file_watch_create(a, project_folder, error);
    w->core = w->project ? ct_file_watch_create(a, core_folder, error) : NULL;
    if (w->core)
        return w;
    ct_source_watch_destroy(w);
    return NULL;
}

void ct_source_watch_destroy(ct_source_watch *w) {
    if (!w)
        return;
    ct_file_watch_destroy(w->project);
    ct_file_watch_destroy(w->core);
    ct_free(w->allocator, w->project_folder);
    ct_free_sized(w->allocator, w, sizeof(*w));
}

bool ct_source_watch_wait(ct_source_watch *w, uint64_t timeout_ns) {
    const uint64_t deadline_ns = ct_os_time_ns() + timeout_ns;
    for (;;) {
        uint64_t now_ns = ct_os_time_ns();
        const uint64_t left_ns = now_ns < deadline_ns ? deadline_ns - now_ns : 0;
        uint32_t count = ct_file_watch_wait(w->project, left_ns < slice_ns ? left_ns : slice_ns);
        count += ct_file_watch_wait(w->core, 0);
        now_ns = ct_os_time_ns();
        if (count > 0) {
            w->first_ns = w->num_changes == 0 ? now_ns : w->first_ns;
            w->last_ns = now_ns;
            w->num_changes += count;
        }
        if (count > 0 || now_ns >= deadline_ns)
            return count > 0;
    }
}

bool ct_source_watch_is_overdue(const ct_source_watch *w) {
    const uint64_t longest_ns =
        ct_git_is_index_locked(w->project_folder) ? longest_git_burst_ns : longest_burst_ns;
    return w->num_changes > 0 && ct_os_time_ns() - w->first_ns >= longest_ns;
}

static bool is_still(const ct_source_watch *w) {
    const bool is_git = ct_git_is_index_locked(w->project_folder);
    const uint64_t enough_ns = is_git                          ? git_quiet_ns
                               : w->num_changes > MANY_CHANGES ? many_quiet_ns
                                                               : quiet_ns;
    return ct_os_time_ns() - w->last_ns >= enough_ns && !ct_file_watch_is_writing(w->project) &&
           !ct_file_watch_is_writing(w->core);
}

void ct_source_watch_settle(ct_source_watch *w, bool (*is_over)(void *user), void *user) {
    while (!is_still(w) && !ct_source_watch_is_overdue(w) && !is_over(user))
        ct_source_watch_wait(w, slice_ns);
}

void ct_source_watch_end_burst(ct_source_watch *w) {
    w->num_changes = 0;
}
