// os_linux_file.c: files and folders.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"
#include "foundation/os/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAT_BLOCK_BYTES = 512 }; // of st_blocks, whatever the file system's blocks are

static ct_file_kind kind_of_mode(mode_t mode) {
    if (S_ISREG(mode))
        return CT_FILE_KIND_FILE;
    return S_ISDIR(mode) ? CT_FILE_KIND_FOLDER : CT_FILE_KIND_OTHER;
}

static int64_t ns_of(struct timespec t) {
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Describes what is at `name`, relative to an open folder.
static ct_file_info info_at(int folder, const char *name) {
    struct stat s;
    if (fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0)
        return (ct_file_info){0};
    const bool is_link = S_ISLNK(s.st_mode);
    if (is_link && fstatat(folder, name, &s, 0) != 0)
        return (ct_file_info){.is_link = true};
    return (ct_file_info){
        .kind = kind_of_mode(s.st_mode),
        .is_link = is_link,
        .size_bytes = (uint64_t)s.st_size,
        .modified_ns = ns_of(s.st_mtim),
        .changed_ns = ns_of(s.st_ctim),
        .inode = s.st_ino,
        .num_links = s.st_nlink,
        .allocated_bytes = (uint64_t)s.st_blocks * STAT_BLOCK_BYTES,
    };
}

ct_file_info ct_os_file_info(const char *path) {
    return info_at(AT_FDCWD, path);
}

int64_t ct_os_file_birth_ns(const char *path) {
    struct statx s;
    if (statx(AT_FDCWD, path, 0, STATX_BTIME, &s) != 0 || !(s.stx_mask & STATX_BTIME))
        return 0;
    return (int64_t)s.stx_btime.tv_sec * 1000000000 + s.stx_btime.tv_nsec;
}

static int open_file(const char *path, int flags, const char *verb, ct_error *error) {
    int file = -1;
    do {
        file = open(path, flags | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EINTR);
    if (file < 0)
        ct_os_linux_error(error, verb, path);
    return file;
}

int ct_os_file_open_read(const char *path, ct_error *error) {
    return open_file(path, O_RDONLY, "read", error);
}

int ct_os_file_open_data(const char *path, ct_error *error) {
    // Opening a pipe that has no writer would wait.
    const int file = open_file(path, O_RDONLY | O_NONBLOCK, "read", error);
    struct stat s;
    if (file < 0 || (fstat(file, &s) == 0 && S_ISREG(s.st_mode)))
        return file;
    close(file);
    ct_error_set(error,
                 "cannot read %s: it is a folder, a pipe, a socket or a device; expected a file",
                 path);
    return -1;
}

int ct_os_file_open_write(const char *path, ct_error *error) {
    return open_file(path, O_WRONLY | O_CREAT | O_TRUNC, "write", error);
}

int ct_os_file_open_over(const char *path, ct_error *error) {
    return open_file(path, O_WRONLY | O_NOFOLLOW, "write", error);
}

void ct_os_file_close(int file) {
    const int result = close(file);
    CT_ASSERT(result == 0 || errno != EBADF, "file %d is closed twice", file);
}

int64_t ct_os_file_read(int file, void *data, uint64_t size_bytes) {
    // Linux moves at most 2 GiB at once; more than SSIZE_MAX would be an error.
    const size_t wanted = size_bytes > INT_MAX ? INT_MAX : (size_t)size_bytes;
    for (;;) {
        const ssize_t got = read(file, data, wanted);
        if (got >= 0)
            return got;
        if (errno != EINTR)
            return -1;
    }
}

int64_t ct_os_file_read_at(int file, uint64_t offset, void *data, uint64_t size_bytes) {
    const size_t wanted = size_bytes > INT_MAX ? INT_MAX : (size_t)size_bytes;
    for (;;) {
        const ssize_t got = pread(file, data, wanted, (off_t)offset);
        if (got >= 0)
            return got;
        if (errno != EINTR)
            return -1;
    }
}

bool ct_os_file_write(int file, const void *data, uint64_t size_bytes, ct_error *error) {
    const char *next = data;
    while (size_bytes > 0) {
        const size_t wanted = size_bytes > INT_MAX ? INT_MAX : (size_t)size_bytes;
        const ssize_t written = write(file, next, wanted);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return ct_os_linux_error(error, "write to", "the file");
        next += written;
        size_bytes -= (uint64_t)written;
    }
    return true;
}

bool ct_os_file_write_at(int file, uint64_t offset, const void *data, uint64_t size_bytes,
                         ct_error *error) {
    const char *next = data;
    while (size_bytes > 0) {
        const size_t wanted = size_bytes > INT_MAX ? INT_MAX : (size_t)size_bytes;
        const ssize_t written = pwrite(file, next, wanted, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return ct_os_linux_error(error, "write to", "the file");
        next += written;
        offset += (uint64_t)written;
        size_bytes -= (uint64_t)written;
    }
    return true;
}

bool ct_os_file_cut(int file, uint64_t size_bytes, ct_error *error) {
    return ftruncate(file, (off_t)size_bytes) == 0 ||
           ct_os_linux_error(error, "truncate", "the file");
}

bool ct_os_file_sync(int file, ct_error *error) {
    return fsync(file) == 0 || ct_os_linux_error(error, "sync", "the file");
}

bool ct_os_file_rename(const char *from, const char *to, ct_error *error) {
    if (rename(from, to) == 0)
        return true;
    const char *const reason = strerrordesc_np(errno);
    return ct_error_set(error, "cannot rename %s to %s: %s", from, to, reason);
}

bool ct_os_file_exchange(const char *first, const char *second, ct_error *error) {
    if (renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0)
        return true;
    const char *const reason = strerrordesc_np(errno);
    return ct_error_set(error, "cannot exchange %s and %s: %s", first, second, reason);
}

bool ct_os_file_make_executable(const char *path, ct_error *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return ct_os_linux_error(error, "read the permissions of", path);
    const mode_t readers = info.st_mode & (S_IRUSR | S_IRGRP | S_IROTH);
    return chmod(path, info.st_mode | readers >> 2) == 0 ||
           ct_os_linux_error(error, "make executable", path);
}

bool ct_os_file_copy_permissions(const char *path, const char *model, ct_error *error) {
    struct stat info;
    if (stat(model, &info) != 0)
        return ct_os_linux_error(error, "read the permissions of", model);
    return chmod(path, info.st_mode & 07777) == 0 ||
           ct_os_linux_error(error, "set the permissions of", path);
}

// access() lets the superuser write a file whose permissions let no one write it.
bool ct_os_file_is_writable(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && (info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 &&
           access(path, W_OK) == 0;
}

bool ct_os_file_system_sync(const char *folder, ct_error *error) {
    const int file = ct_os_file_open_read(folder, error);
    if (file < 0)
        return false;
    const bool result = syncfs(file) == 0 || ct_os_linux_error(error, "sync", folder);
    close(file);
    return result;
}

bool ct_os_file_remove(const char *path, ct_error *error) {
    return unlink(path) == 0 || ct_os_linux_error(error, "remove", path);
}

bool ct_os_folder_make(const char *path, ct_error *error) {
    if (mkdir(path, 0777) == 0)
        return true;
    const int failure = errno;
    if (failure == EEXIST && ct_os_file_info(path).kind == CT_FILE_KIND_FOLDER)
        return true;
    errno = failure;
    return ct_os_linux_error(error, "make the folder", path);
}

bool ct_os_folder_remove(const char *path, ct_error *error) {
    return rmdir(path) == 0 || ct_os_linux_error(error, "remove the folder", path);
}

void ct_os_refuse_large_writes(void) {
    signal(SIGXFSZ, SIG_IGN);
}

static bool is_dot_entry(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

// The callback for a folder's entries: one of the two is set.
typedef struct folder_visit {
    void (*name)(void *user, const char *name);
    void (*info)(void *user, const char *name, const ct_file_info *info);
    void *user;
} folder_visit;

static bool list_folder(const char *path, const folder_visit *visit, ct_error *error) {
    DIR *const folder = opendir(path);
    if (!folder)
        return ct_os_linux_error(error, "list the folder", path);
    const struct dirent *entry = NULL;
    while (errno = 0, (entry = readdir(folder))) {
        if (is_dot_entry(entry->d_name))
            continue;
        if (visit->name) {
            visit->name(visit->user, entry->d_name);
        } else {
            const ct_file_info info = info_at(dirfd(folder), entry->d_name);
            visit->info(visit->user, entry->d_name, &info);
        }
    }
    const int failure = errno;
    closedir(folder);
    errno = failure;
    return failure == 0 || ct_os_linux_error(error, "list the folder", path);
}

bool ct_os_folder_list(const char *path, void (*visit)(void *user, const char *name), void *user,
                       ct_error *error) {
    return list_folder(path, &(folder_visit){.name = visit, .user = user}, error);
}

bool ct_os_folder_list_infos(const char *path,
                             void (*visit)(void *user, const char *name, const ct_file_info *info),
                             void *user, ct_error *error) {
    return list_folder(path, &(folder_visit){.info = visit, .user = user}, error);
}

bool ct_os_absolute_path(const char *relative, char *path, ct_error *error) {
    char resolved[PATH_MAX];
    if (!realpath(relative, resolved))
        return ct_os_linux_error(error, "find", relative);
    if (strlen(resolved) >= CT_PATH_BYTES)
        return ct_error_set(error, "a path is longer than %d bytes: %s", CT_PATH_BYTES - 1,
                            resolved);
    strcpy(path, resolved);
    return true;
}

void ct_os_executable_path(char *path) {
    const ssize_t length = readlink("/proc/self/exe", path, CT_PATH_BYTES);
    CT_REQUIRE(length > 0 && length < CT_PATH_BYTES,
               "the path of the executable is %lld bytes long", (long long)length);
    path[length] = 0;
}

// --- Locks ---------------------------------------------------------------------------------------

static int64_t read_holder(int file) {
    char text[32] = "";
    const ssize_t count = pread(file, text, sizeof(text) - 1, 0);
    return count > 0 ? strtoll(text, NULL, 10) : 0;
}

// Waiting processes read it. The lock works even when it cannot be written (the disk is full).
static void write_holder(int file) {
    char text[32];
    const int count = snprintf(text, sizeof(text), "%lld\n", (long long)getpid());
    if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)count, 0) != count)
        errno = 0;
}

static int lock_file(int file, int kind) {
    int result = 0;
    do {
        result = flock(file, kind | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result;
}

bool ct_file_lock_try(const char *path, ct_file_lock *lock, int64_t *holder, ct_error *error) {
    *lock = (ct_file_lock){0};
    *holder = 0;
    const int file = open_file(path, O_RDWR | O_CREAT, "lock", error);
    if (file < 0)
        return false;
    if (lock_file(file, LOCK_EX) == 0) {
        write_holder(file);
        lock->file_plus_one = file + 1;
        return true;
    }
    const bool is_held = errno == EWOULDBLOCK;
    if (is_held)
        *holder = read_holder(file);
    else
        ct_os_linux_error(error, "lock", path);
    close(file);
    return is_held;
}

bool ct_folder_lock_try(const char *path, ct_lock_kind kind, ct_file_lock *lock, ct_error *error) {
    *lock = (ct_file_lock){0};
    const int file = open_file(path, O_RDONLY | O_DIRECTORY, "lock", error);
    if (file < 0)
        return false;
    if (lock_file(file, kind == CT_LOCK_KIND_SHARED ? LOCK_SH : LOCK_EX) == 0) {
        lock->file_plus_one = file + 1;
        return true;
    }
    const bool is_held = errno == EWOULDBLOCK;
    if (!is_held)
        ct_os_linux_error(error, "lock", path);
    close(file);
    return is_held;
}

void ct_file_lock_release(ct_file_lock *lock) {
    const int file = lock->file_plus_one - 1;
    if (file >= 0 && ftruncate(file, 0) != 0)
        errno = 0; // a folder; or it keeps naming a process that may be gone, which does no harm
    if (file >= 0)
        close(file);
    *lock = (ct_file_lock){0};
}
