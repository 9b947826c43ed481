#include "compiler/driver/compiler_missing.h"
#include "compiler/protocol/compiler_protocol.h"
#include "foundation/error.h"
#include "resource/blob/content_hash.h"

#include <stdio.h>
#include <string.h>

void ct_missing_files_init(ct_missing_files *m, const ct_scan *scan, ct_allocator *a) {
    *m = (ct_missing_files){.scan = scan, .allocator = a};
    ct_hash_map_init(&m->first, a);
}

static uint64_t key_of(const char *path) {
    const char *const name = ct_path_file_name(path);
    return ct_content_hash(name, strlen(name));
}

static void index_names(ct_missing_files *m) {
    m->next = CT_NEW_ARRAY(m->allocator, uint32_t, m->scan->num_found);
    ct_hash_map_reserve(&m->first, m->scan->num_found);
    for (uint32_t i = m->scan->num_found; i-- > 0;) {
        const uint64_t key = key_of(m->scan->files.items[i].path);
        m->next[i] = (uint32_t)ct_hash_map_get(&m->first, key, 0);
        ct_hash_map_set(&m->first, key, i + 1);
    }
}

// How many bytes at their ends two paths have in common.
static size_t common_end(const char *a, const char *b) {
    const size_t a_length = strlen(a), b_length = strlen(b);
    size_t count = 0;
    while (count < a_length && count < b_length &&
           a[a_length - 1 - count] == b[b_length - 1 - count])
        ++count;
    return count;
}

// The file of the same name whose path ends most alike, or NULL.
static const char *find_elsewhere(ct_missing_files *m, const char *path) {
    const char *best = NULL;
    size_t most = strlen(ct_path_file_name(path));
    if (most == 0)
        return NULL;
    if (!m->next)
        index_names(m);
    uint32_t i = (uint32_t)ct_hash_map_get(&m->first, key_of(path), 0);
    for (; i > 0; i = m->next[i - 1]) {
        const ct_scan_file *const file = &m->scan->files.items[i - 1];
        const size_t common = common_end(file->path, path);
        if (!file->is_there || common < most || (best && common == most))
            continue;
        best = file->path;
        most = common;
    }
    return best;
}

const char *ct_missing_files_guess(ct_missing_files *m, const char *message) {
    static const char start[] = CT_SOURCE_MISSING_START, end[] = CT_SOURCE_MISSING_END;
    const size_t length = strlen(message), around = sizeof(start) - 1 + sizeof(end) - 1;
    if (length <= around || strncmp(message, start, sizeof(start) - 1) != 0 ||
        strcmp(message + length - (sizeof(end) - 1), end) != 0)
        return message;
    char path[CT_ERROR_MESSAGE_BYTES], guess[2 * CT_ERROR_MESSAGE_BYTES];
    snprintf(path, sizeof(path), "%.*s", (int)(length - around), message + sizeof(start) - 1);
    const char *const meant = find_elsewhere(m, path);
    if (!meant)
        return message;
    snprintf(guess, sizeof(guess), "%s (did you mean \"%s\"?)", message, meant);
    return ct_copy_string(m->allocator, guess);
}
