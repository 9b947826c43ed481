#include "project/source_overwrite.h"

#include "foundation/error.h"

bool ct_source_overwrite_fits(const ct_file_info *info, uint64_t new_bytes) {
    return info->kind == CT_FILE_KIND_FILE && !info->is_link && info->num_links == 1 &&
           info->size_bytes <= CT_SOURCE_OVERWRITE_MOST_BYTES &&
           new_bytes <= CT_SOURCE_OVERWRITE_MOST_BYTES && new_bytes <= info->allocated_bytes;
}

// In one write, so that a reader sees mixed content for a moment at most.
static bool write_over(int file, const void *content, uint64_t size_bytes, uint64_t old_bytes,
                       ct_error *error) {
    return ct_os_file_write_at(file, 0, content, size_bytes, error) &&
           (old_bytes <= size_bytes || ct_os_file_cut(file, size_bytes, error));
}

bool ct_source_overwrite(const char *path, const void *content, uint64_t size_bytes,
                         ct_error *error) {
    ct_error cause = {0};
    const uint64_t old_bytes = ct_os_file_info(path).size_bytes;
    const int file = ct_os_file_open_over(path, error);
    if (file < 0)
        return false;
    const bool result = write_over(file, content, size_bytes, old_bytes, &cause);
    ct_os_file_close(file);
    return result || ct_error_set(error, "cannot write %s: %.600s", path, cause.message);
}

bool ct_source_is_mixed(const void *old_content, uint64_t old_bytes, const void *new_content,
                        uint64_t new_bytes, const void *found, uint64_t found_bytes) {
    const uint8_t *const old = old_content, *const new = new_content, *const bytes = found;
    const uint64_t least = old_bytes < new_bytes ? old_bytes : new_bytes;
    const uint64_t most = old_bytes < new_bytes ? new_bytes : old_bytes;
    if (found_bytes < least || found_bytes > most)
        return false;
    for (uint64_t i = 0; i < found_bytes; ++i) {
        const bool is_old = i < old_bytes ? bytes[i] == old[i] : bytes[i] == 0;
        const bool is_new = i < new_bytes && bytes[i] == new[i];
        if (!is_old && !is_new)
            return false;
    }
    return true;
}
