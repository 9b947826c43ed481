#include "compiler/types/model/worker_model_files.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/os/path.h"

bool ct_worker_model_clean_path(const char *path, char clean[CT_PATH_BYTES]) {
    uint32_t length = 0;
    for (const char *part = path; *part;) {
        const uint32_t part_bytes = (uint32_t)strcspn(part, "/\\");
        if (part_bytes == 2 && part[0] == '.' && part[1] == '.') {
            if (length == 0)
                return false;
            while (length > 0 && clean[--length] != '/')
                ;
        } else if (part_bytes > 0 && !(part_bytes == 1 && part[0] == '.')) {
            if (length + part_bytes + 2 > CT_PATH_BYTES)
                return false;
            if (length > 0)
                clean[length++] = '/';
            memcpy(clean + length, part, part_bytes);
            length += part_bytes;
        }
        part += part_bytes + (part[part_bytes] != 0);
    }
    clean[length] = 0;
    return true;
}

bool ct_worker_model_valid_path(const char *path, char valid[CT_PATH_BYTES]) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_.-/";
    if (!ct_worker_model_clean_path(path, valid))
        return false;
    for (char *p = valid; *p; ++p) {
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
        *p = strchr(allowed, *p) ? *p : '_';
    }
    return *valid != 0;
}

const char *ct_worker_model_plain_path(ct_compile *c, const char *path) {
    char *const plain = ct_copy_string(c->allocator, path);
    char *to = plain;
    for (const char *p = plain; *p; ++p) {
        const char digits[3] = {p[0] == '%' ? p[1] : 0, p[0] == '%' && p[1] ? p[2] : 0, 0};
        const bool is_escape = strspn(digits, "0123456789abcdefABCDEF") == 2;
        const unsigned value = is_escape ? (unsigned)strtoul(digits, NULL, 16) : 0;
        *to++ = value >= ' ' ? (char)value : *p == '\\' ? '/' : *p;
        p += value >= ' ' ? 2 : 0;
    }
    *to = 0;
    return plain;
}

static const ct_worker_model_file *known_file(const ct_worker_model_files *files,
                                              const char *path) {
    for (uint32_t i = 0; i < files->files.count; ++i) {
        if (strcmp(files->files.items[i].path, path) == 0)
            return &files->files.items[i];
    }
    return NULL;
}

// Reads `path`, which lies inside. NULL after reporting, unless it may be missing.
static const char *read_bytes(ct_worker_model_files *files, const char *path, uint64_t *size) {
    ct_compile *const c = files->c;
    const bool is_optional = files->may_lack_others;
    const bool is_in_project = !files->is_outside && !is_optional;
    const char *const bytes = is_in_project ? ct_compile_read(c, path, size, c->doc, files->at)
                                            : ct_compile_find(c, path, size);
    if (!bytes && files->is_outside && !is_optional)
        ct_compile_error(c, c->doc, files->at, "the file \"%s\" is not there", path);
    files->has_failed |= !bytes && !is_optional;
    return bytes;
}

// A model that was copied into a project lies beside files with valid names.
static bool is_renamed(ct_worker_model_files *files, const char *clean, const char *valid) {
    uint64_t size_bytes = 0;
    return *clean && strcmp(clean, valid) != 0 && !ct_compile_find(files->c, clean, &size_bytes) &&
           ct_compile_find(files->c, valid, &size_bytes);
}

const ct_worker_model_file *ct_worker_model_file_at(ct_worker_model_files *files,
                                                    const char *path) {
    ct_compile *const c = files->c;
    if (files->gltf_path && strcmp(path, files->gltf_path) != 0)
        path = ct_worker_model_plain_path(c, path);
    char clean[CT_PATH_BYTES] = "", valid[CT_PATH_BYTES] = "";
    const bool is_inside =
        ct_worker_model_clean_path(path, clean) && ct_worker_model_valid_path(path, valid);
    const char *const own = files->is_outside && !is_renamed(files, clean, valid) ? clean : valid;
    const ct_worker_model_file *const known = is_inside ? known_file(files, own) : NULL;
    if (known || files->has_failed)
        return known;
    ct_worker_model_file file = {.path = ct_compile_text(c, "%s", own),
                                 .needed = ct_compile_text(c, "%s", valid)};
    if (!is_inside && files->may_lack_others)
        return NULL;
    if (is_inside)
        file.bytes = read_bytes(files, file.path, &file.size_bytes);
    else
        ct_compile_error(c, c->doc, files->at,
                         "the model needs the file \"%s\"; expected a file in the project or, for "
                         "a model outside the project, in the model's folder",
                         path);
    files->has_failed |= !is_inside;
    if (!file.bytes)
        return NULL;
    ct_array_push(&files->files, file);
    return &files->files.items[files->files.count - 1];
}

const ct_worker_model_file *ct_worker_model_file_beside(ct_worker_model_files *files,
                                                        const char *from, const char *path) {
    const int folder = (int)(ct_path_file_name(from) - from);
    return ct_worker_model_file_at(
        files, *path == '/' ? path : ct_compile_text(files->c, "%.*s%s", folder, from, path));
}

void ct_worker_model_files_init(ct_worker_model_files *files, ct_compile *c, ct_sjson_value at,
                                bool is_outside) {
    *files = (ct_worker_model_files){.c = c, .at = at, .is_outside = is_outside};
    ct_array_init(&files->files, c->allocator);
}
