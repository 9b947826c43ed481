#include "loader_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/string/string_id.h"

// --- Bugs and messages ---------------------------------------------------------------------------

_Noreturn void ct_crash_end(const char *title, const char *message, const char *file, int line,
                            uint32_t skip_frames) {
    (void)skip_frames;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, title, message);
    abort();
}

const char *ct_string_id32_name(ct_string_id32 id) {
    static char text[16];
    snprintf(text, sizeof(text), "#%08x", id.value);
    return text;
}

// --- Files ---------------------------------------------------------------------------------------

ct_file_info ct_os_file_info(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return (ct_file_info){.kind = CT_FILE_KIND_NONE};
    return (ct_file_info){.kind = S_ISREG(status.st_mode) ? CT_FILE_KIND_FILE : CT_FILE_KIND_OTHER,
                          .size_bytes = (uint64_t)status.st_size};
}

int ct_os_file_open_data(const char *path, ct_error *error) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        ct_error_set(error, "cannot read %s: %s", path, strerror(errno));
    return file;
}

void ct_os_file_close(int file) {
    close(file);
}

int64_t ct_os_file_read_at(int file, uint64_t offset, void *data, uint64_t size_bytes) {
    return pread(file, data, (size_t)size_bytes, (off_t)offset);
}

// --- Memory --------------------------------------------------------------------------------------

static void *allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    void *block = NULL;
    (void)a;
    CT_ASSERT(posix_memalign(&block, (size_t)align, (size_t)size_bytes) == 0, "out of memory");
    return block;
}

static void release(ct_allocator *a, void *block, uint64_t size_bytes) {
    (void)a;
    (void)size_bytes;
    free(block);
}

ct_allocator *loader_host_allocator(void) {
    static ct_allocator host = {.allocate = allocate, .free = release, .name = "host"};
    return &host;
}
