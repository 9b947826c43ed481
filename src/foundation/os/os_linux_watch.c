// os_linux_watch.c: changes below a folder, by inotify.
//
// Linux watches single folders. So each folder has a watch, kept with its path in an array sorted
// by the watch's number. A folder that appears is watched and searched for folders in turn, as
// entries may have been created in it before it was watched.
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"
#include "foundation/os/path.h"
#include "foundation/string/string_id.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EVENTS = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE,
    EVENT_BUFFER_BYTES = 65536,
    MAX_WRITTEN = 64, // files that are tracked while they are written; more are ignored
};
// A file that is written for longer is kept open, like a log.
static const uint64_t longest_write_ns = 2000000000;

typedef struct watched_folder {
    int number; // from inotify, in rising order
    char *path;
} watched_folder;

// A file that was written to and has not been closed since.
typedef struct written_file {
    int folder; // its number
    uint64_t name_hash;
    uint64_t since_ns;
} written_file;

struct ct_file_watch {
    ct_allocator *allocator;
    int inotify;
    written_file written[MAX_WRITTEN];
    uint32_t num_written;
    CT_ARRAY(watched_folder) folders; // sorted by number
    char root[CT_PATH_BYTES];
    _Alignas(struct inotify_event) char events[EVENT_BUFFER_BYTES];
};

// --- The table of folders ------------------------------------------------------------------------

// The index of the first folder whose number is not below `number`.
static uint32_t lower_bound(const ct_file_watch *w, int number) {
    uint32_t first = 0, last = w->folders.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (w->folders.items[middle].number < number)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static bool has_number_at(const ct_file_watch *w, uint32_t i, int number) {
    return i < w->folders.count && w->folders.items[i].number == number;
}

// Sets the path of `number`; a folder that was moved keeps its number.
static void remember_folder(ct_file_watch *w, int number, const char *path) {
    const uint32_t i = lower_bound(w, number);
    const watched_folder folder = {.number = number, .path = ct_copy_string(w->allocator, path)};
    if (has_number_at(w, i, number)) {
        ct_free(w->allocator, w->folders.items[i].path);
        w->folders.items[i] = folder;
    } else {
        ct_array_insert(&w->folders, i, folder);
    }
}

static void forget_folder_at(ct_file_watch *w, uint32_t i) {
    ct_free(w->allocator, w->folders.items[i].path);
    ct_array_erase(&w->folders, i, 1u);
}

// --- Watching folders ----------------------------------------------------------------------------

static bool is_folder(const char *path, const struct dirent *entry) {
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    struct stat s; // for file systems that do not report the type
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

// Folders may come and go meanwhile: a folder that is gone, or was replaced, is not an error.
static bool is_gone(void) {
    return errno == ENOENT || errno == ENOTDIR;
}

static bool watch_below(ct_file_watch *w, char path[CT_PATH_BYTES], ct_error *error);

// Watches the folder `path` and all below it. `path` is lengthened meanwhile and restored.
static bool watch_tree(ct_file_watch *w, char path[CT_PATH_BYTES], ct_error *error) {
    const bool is_root = strcmp(path, w->root) == 0;
    const uint32_t how = EVENTS | IN_ONLYDIR | (is_root ? 0 : IN_DONT_FOLLOW);
    const int number = inotify_add_watch(w->inotify, path, how);
    if (number < 0 && is_gone() && !is_root)
        return true;
    if (number < 0 && errno == ENOSPC)
        return ct_error_set(error,
                            "cannot watch %s: the system's limit of watched folders is reached "
                            "(sysctl fs.inotify.max_user_watches)",
                            path);
    if (number < 0)
        return ct_os_linux_error(error, "watch", path);
    remember_folder(w, number, path);
    return watch_below(w, path, error);
}

static bool watch_entry(ct_file_watch *w, char path[CT_PATH_BYTES], const struct dirent *entry,
                        ct_error *error) {
    if (entry->d_name[0] == '.')
        return true;
    const size_t length = strlen(path);
    if (!ct_path_try_join(path, path, entry->d_name))
        return true; // this process cannot read what is in it
    const bool result = !is_folder(path, entry) || watch_tree(w, path, error);
    path[length] = 0;
    return result;
}

static bool watch_below(ct_file_watch *w, char path[CT_PATH_BYTES], ct_error *error) {
    DIR *const folder = opendir(path);
    if (!folder)
        return is_gone() || ct_os_linux_error(error, "list the folder", path);
    bool result = true;
    const struct dirent *entry = NULL;
    while (result && (entry = readdir(folder)))
        result = watch_entry(w, path, entry, error);
    closedir(folder);
    return result;
}

// Watches a folder that appeared while running. Logs errors, as no caller can get them.
static void watch_new_folder(ct_file_watch *w, const char *parent, const char *name) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    if (!ct_path_try_join(path, parent, name))
        ct_log_warning("file", "path_too_long",
                       "cannot watch %s/%s for changes: the path is too long", parent, name);
    else if (!watch_tree(w, path, &error))
        ct_log_warning("file", "watch_incomplete", "some changes may be missed: %s", error.message);
}

// Stops watching a folder that moved away, and everything below it. If it moved to a place inside,
// an event for its arrival follows.
static void unwatch_tree(ct_file_watch *w, const char *parent, const char *name) {
    char path[CT_PATH_BYTES];
    if (!ct_path_try_join(path, parent, name))
        return;
    const size_t length = strlen(path);
    for (uint32_t i = w->folders.count; i-- > 0;) {
        const char *const other = w->folders.items[i].path;
        if (strncmp(other, path, length) != 0 || (other[length] != 0 && other[length] != '/'))
            continue;
        inotify_rm_watch(w->inotify, w->folders.items[i].number);
        forget_folder_at(w, i);
    }
}

// --- Files being written -------------------------------------------------------------------------

static void end_write(ct_file_watch *w, int folder, uint64_t name_hash) {
    for (uint32_t i = 0; i < w->num_written; ++i) {
        if (w->written[i].folder == folder && w->written[i].name_hash == name_hash) {
            w->written[i] = w->written[--w->num_written];
            return;
        }
    }
}

static void begin_write(ct_file_watch *w, int folder, uint64_t name_hash) {
    for (uint32_t i = 0; i < w->num_written; ++i) {
        if (w->written[i].folder == folder && w->written[i].name_hash == name_hash)
            return;
    }
    if (w->num_written < MAX_WRITTEN)
        w->written[w->num_written++] = (written_file){folder, name_hash, ct_os_time_ns()};
}

// Tracks which files are being written. Returns whether the event is only a write, not a change.
static bool follow_write(ct_file_watch *w, const struct inotify_event *event) {
    const uint64_t name_hash = ct_string_id64_of(event->name).value;
    if (event->mask & IN_MODIFY)
        begin_write(w, event->wd, name_hash);
    else
        end_write(w, event->wd, name_hash);
    return (event->mask & IN_MODIFY) != 0;
}

bool ct_file_watch_is_writing(const ct_file_watch *w) {
    const uint64_t now_ns = ct_os_time_ns();
    for (uint32_t i = 0; i < w->num_written; ++i) {
        if (now_ns - w->written[i].since_ns < longest_write_ns)
            return true;
    }
    return false;
}

// --- Events --------------------------------------------------------------------------------------

// Searches for folders again after events were lost.
static void watch_all_anew(ct_file_watch *w) {
    char path[CT_PATH_BYTES];
    strcpy(path, w->root);
    ct_error error = {0};
    if (!watch_tree(w, path, &error))
        ct_log_warning("file", "watch_incomplete", "some changes may be missed: %s", error.message);
}

// Keeps the watches up to date; returns true when something changed that matters to callers.
static bool take_event(ct_file_watch *w, const struct inotify_event *event) {
    if (event->mask & IN_Q_OVERFLOW) {
        w->num_written = 0;
        watch_all_anew(w);
        return true;
    }
    const uint32_t i = lower_bound(w, event->wd);
    if (!has_number_at(w, i, event->wd))
        return false; // of a folder that has moved away
    if (event->mask & IN_IGNORED) {
        forget_folder_at(w, i);
        return false;
    }
    if (event->len == 0 || event->name[0] == '.')
        return false;
    if (!(event->mask & IN_ISDIR))
        return !follow_write(w, event);
    const char *const parent = w->folders.items[i].path;
    if (event->mask & IN_MOVED_FROM)
        unwatch_tree(w, parent, event->name);
    if (event->mask & (IN_CREATE | IN_MOVED_TO))
        watch_new_folder(w, parent, event->name);
    return true;
}

// Reads all pending events; returns how many of them count as changes.
static uint32_t take_events(ct_file_watch *w) {
    uint32_t num_changes = 0;
    for (;;) {
        const ssize_t got = read(w->inotify, w->events, sizeof(w->events));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return num_changes;
        for (const char *p = w->events; p < w->events + got;) {
            const struct inotify_event *const event = (const struct inotify_event *)(const void *)p;
            num_changes += take_event(w, event);
            p += sizeof(*event) + event->len;
        }
    }
}

uint32_t ct_file_watch_wait(ct_file_watch *w, uint64_t timeout_ns) {
    const uint64_t deadline = ct_os_linux_deadline(timeout_ns);
    do {
        const uint32_t num_changes = take_events(w);
        if (num_changes > 0)
            return num_changes;
    } while (ct_os_linux_wait_readable(w->inotify, deadline));
    return 0;
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_file_watch *ct_file_watch_create(ct_allocator *a, const char *folder, ct_error *error) {
    if (strlen(folder) >= CT_PATH_BYTES) {
        ct_error_set(error, "cannot watch a path longer than %d bytes: %s", CT_PATH_BYTES - 1,
                     folder);
        return NULL;
    }
    const int inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (inotify < 0) {
        ct_os_linux_error(error, "watch", folder);
        return NULL;
    }
    ct_file_watch *const w = CT_NEW(a, ct_file_watch);
    w->allocator = a;
    w->inotify = inotify;
    ct_array_init(&w->folders, a);
    strcpy(w->root, folder);
    char path[CT_PATH_BYTES];
    strcpy(path, folder);
    if (watch_tree(w, path, error))
        return w;
    ct_file_watch_destroy(w);
    return NULL;
}

void ct_file_watch_destroy(ct_file_watch *w) {
    if (!w)
        return;
    for (uint32_t i = 0; i < w->folders.count; ++i)
        ct_free(w->allocator, w->folders.items[i].path);
    ct_array_free(&w->folders);
    close(w->inotify);
    ct_free_sized(w->allocator, w, sizeof(*w));
}
