#include "cli/bundle/bundle_icon.h"

#include <string.h>

#include "cli/core_folder.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/source_file.h"

enum {
    SIGNATURE_BYTES = 8,
    CHUNK_BYTES = 12, // of a chunk without its data: length, type and checksum
    HEADER_BYTES = 13,
};

// --- Chunks --------------------------------------------------------------------------------------

static uint32_t big_endian_u32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// Whether the data of a file's first chunk is a header of a picture that has any pixels.
static bool is_header(const uint8_t *chunk, uint32_t length) {
    return length == HEADER_BYTES && memcmp(chunk + 4, "IHDR", 4) == 0 &&
           big_endian_u32(chunk + 8) != 0 && big_endian_u32(chunk + 12) != 0;
}

bool ct_bundle_icon_check(const void *data, uint64_t bytes, ct_error *error) {
    static const uint8_t signature[SIGNATURE_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const uint8_t *const file = data;
    if (bytes == 0)
        return ct_error_set(error, "found an empty file; expected a PNG picture");
    if (bytes < SIGNATURE_BYTES || memcmp(file, signature, SIGNATURE_BYTES) != 0)
        return ct_error_set(error, "found a file of another format; expected a PNG picture");
    bool has_picture = false;
    for (uint64_t at = SIGNATURE_BYTES; bytes - at >= CHUNK_BYTES;) {
        const uint32_t length = big_endian_u32(file + at);
        if (length > bytes - at - CHUNK_BYTES)
            break;
        if (at == SIGNATURE_BYTES && !is_header(file + at, length))
            return ct_error_set(error, "found a PNG file without a valid header; expected one that "
                                       "pictures can be drawn from");
        has_picture |= memcmp(file + at + 4, "IDAT", 4) == 0;
        if (memcmp(file + at + 4, "IEND", 4) == 0)
            return has_picture || ct_error_set(error, "found a PNG file without a picture");
        at += CHUNK_BYTES + length;
    }
    return ct_error_set(error, "found a PNG file that ends too early, after %llu bytes",
                        (unsigned long long)bytes);
}

// --- Reading -------------------------------------------------------------------------------------

static const char *kind_name(const ct_file_info *info) {
    if (info->kind == CT_FILE_KIND_FOLDER)
        return "a folder";
    return info->kind == CT_FILE_KIND_NONE ? "a link to nothing" : "not a regular file";
}

// Reads the icon at `path`, which lies in `project`.
static char *read_own(ct_allocator *a, const char *path, const char *project,
                      const ct_file_info *info, uint64_t *bytes, ct_error *error) {
    char root[CT_PATH_BYTES];
    ct_error inner = {0};
    if (info->kind != CT_FILE_KIND_FILE) {
        ct_error_set_at(error, path, 0, 0, "the icon is %s; expected a PNG file", kind_name(info));
        return NULL;
    }
    if (!ct_os_absolute_path(project, root, error))
        return NULL;
    if (!ct_source_lies_below(path, root)) {
        ct_error_set_at(error, path, 0, 0,
                        "the icon is a link that leads out of the project; expected a file in it");
        return NULL;
    }
    char *const data = ct_file_read(a, path, bytes, error);
    if (!data || ct_bundle_icon_check(data, *bytes, &inner))
        return data;
    ct_error_set_at(error, path, 0, 0, "the icon is invalid: %s", inner.message);
    ct_free(a, data);
    return NULL;
}

char *ct_bundle_icon_read(ct_allocator *a, const char *project, uint64_t *bytes, ct_error *error) {
    char path[CT_PATH_BYTES], core[CT_PATH_BYTES];
    if (!ct_path_try_join(path, project, "icon.png")) {
        ct_error_set(error, "the path %s/icon.png is too long", project);
        return NULL;
    }
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind != CT_FILE_KIND_NONE || info.is_link)
        return read_own(a, path, project, &info, bytes, error);
    if (!ct_core_folder(core, error))
        return NULL;
    if (!ct_path_try_join(path, core, "icon.png")) {
        ct_error_set(error, "the path %s/icon.png is too long", core);
        return NULL;
    }
    return ct_file_read(a, path, bytes, error);
}
