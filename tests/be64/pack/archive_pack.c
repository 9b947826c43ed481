// Packs compiled files into an archive: archive_pack PLATFORM ARCHIVE FILE...
//
// Files are called `<type>-<name>`, as in a data folder. The same files give archives for different
// platforms that differ in the byte order of their indices only. For tests.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/file.h"
#include "resource/archive/archive_writer.h"
#include "resource/blob/platform.h"

enum { CHUNK_BYTES = 16 << 10 }; // small: large files have several

static bool add_file(ct_archive_writer *w, ct_allocator *a, const char *path, ct_error *error) {
    const char *const slash = strrchr(path, '/');
    ct_resource_id id;
    if (sscanf(slash ? slash + 1 : path, "%16" SCNx64 "-%16" SCNx64, &id.type.value,
               &id.name.value) != 2)
        return ct_error_set(error, "%s: expected the name <type>-<name>", path);
    uint64_t size_bytes;
    void *const bytes = ct_file_read(a, path, &size_bytes, error);
    const bool is_added =
        bytes && ct_archive_writer_add(w, id, (uint32_t)(size_bytes % 3), bytes, size_bytes, error);
    ct_free(a, bytes);
    return is_added;
}

static bool pack(ct_allocator *a, const ct_platform *platform, const char *path, char **files,
                 uint32_t num_files, ct_error *error) {
    ct_archive_writer *const w =
        ct_archive_writer_create(a,
                                 &(ct_archive_writer_desc){.path = path,
                                                           .platform = platform->name,
                                                           .order = platform->byte_order,
                                                           .chunk_bytes = CHUNK_BYTES},
                                 error);
    bool is_right = w != NULL;
    for (uint32_t i = 0; is_right && i < num_files; ++i)
        is_right = add_file(w, a, files[i], error);
    // An item without bytes, too.
    is_right = is_right &&
               ct_archive_writer_add(w, ct_resource_id_of("lua", "empty"), 0, "", 0, error) &&
               ct_archive_writer_finish(w, error);
    ct_archive_writer_destroy(w);
    return is_right;
}

int main(int argc, char **argv) {
    const ct_platform *const platform = argc > 3 ? ct_platform_named(argv[1]) : NULL;
    ct_error error = {0};
    if (!platform) {
        fprintf(stderr, "usage: archive_pack PLATFORM ARCHIVE FILE...\n");
        return 2;
    }
    ct_memory_init();
    const bool is_packed =
        pack(ct_memory_heap(), platform, argv[2], argv + 3, (uint32_t)argc - 3, &error);
    ct_memory_shutdown();
    if (!is_packed)
        fprintf(stderr, "archive_pack: %s\n", error.message);
    return is_packed ? 0 : 1;
}
