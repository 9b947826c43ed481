#include "compiler/types/model/worker_model_files.h"

#include <stdlib.h>
#include <string.h>

#include <assimp/cfileio.h>

#include "foundation/error.h"
#include "foundation/os/path.h"

// What stands behind one open aiFile.
typedef struct open_file {
    struct aiFile interface;
    const ct_worker_model_file *file;
    uint64_t at;
} open_file;

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
    ct_compile *c = files->c;
    const bool is_optional = files->may_lack_others;
    const bool is_in_project = !files->is_outside && !is_optional;
    const char *bytes = is_in_project ? ct_compile_read(c, path, size, c->doc, files->at)
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
                         "the model needs the file \"%s\"; expected one in the project, or of a "
                         "model that lies elsewhere, one in its folder",
                         path);
    files->has_failed |= !is_inside;
    if (!file.bytes)
        return NULL;
    ct_error error = {0};
    if (files->check_other && !files->check_other(file.bytes, file.size_bytes, &error)) {
        ct_compile_error_at(c, file.path, error.line, error.column, "%s", error.message);
        files->has_failed = true;
        return NULL;
    }
    ct_array_push(&files->files, file);
    return &files->files.items[files->files.count - 1];
}

static size_t read_file(struct aiFile *f, char *out, size_t item_bytes, size_t count) {
    open_file *const o = (open_file *)f->UserData;
    if (item_bytes == 0)
        return 0;
    const uint64_t left = (o->file->size_bytes - o->at) / item_bytes;
    const uint64_t items = count < left ? count : left;
    memcpy(out, o->file->bytes + o->at, items * item_bytes);
    o->at += items * item_bytes;
    return items;
}

static size_t write_file(struct aiFile *f, const char *bytes, size_t item_bytes, size_t count) {
    (void)f, (void)bytes, (void)item_bytes, (void)count;
    return 0;
}

static size_t tell_file(struct aiFile *f) {
    return ((open_file *)f->UserData)->at;
}

static size_t file_size(struct aiFile *f) {
    return ((open_file *)f->UserData)->file->size_bytes;
}

static enum aiReturn seek_file(struct aiFile *f, size_t offset, enum aiOrigin origin) {
    open_file *const o = (open_file *)f->UserData;
    const uint64_t base = origin == aiOrigin_SET   ? 0
                          : origin == aiOrigin_CUR ? o->at
                                                   : o->file->size_bytes;
    // Negative offsets arrive as large unsigned ones and wrap to where they should.
    const uint64_t target = base + offset;
    if (target > o->file->size_bytes)
        return aiReturn_FAILURE;
    o->at = target;
    return aiReturn_SUCCESS;
}

static void flush_file(struct aiFile *f) {
    (void)f;
}

static struct aiFile *open_named(struct aiFileIO *io, const char *path, const char *mode) {
    ct_worker_model_files *const files = (ct_worker_model_files *)(void *)io->UserData;
    const ct_worker_model_file *const file =
        strchr(mode, 'w') ? NULL : ct_worker_model_file_at(files, path);
    if (!file)
        return NULL;
    // The table of files may move while this one is open, so it is copied.
    ct_worker_model_file *const copy = CT_NEW(files->c->allocator, ct_worker_model_file);
    *copy = *file;
    open_file *const o = CT_NEW(files->c->allocator, open_file);
    o->file = copy;
    o->interface = (struct aiFile){.ReadProc = read_file,
                                   .WriteProc = write_file,
                                   .TellProc = tell_file,
                                   .FileSizeProc = file_size,
                                   .SeekProc = seek_file,
                                   .FlushProc = flush_file,
                                   .UserData = (aiUserData)(void *)o};
    return &o->interface;
}

static void close_file(struct aiFileIO *io, struct aiFile *f) {
    (void)io, (void)f; // freed with the job
}

void ct_worker_model_files_init(ct_worker_model_files *files, ct_compile *c, ct_sjson_value at,
                                struct aiFileIO *io, bool is_outside) {
    *files = (ct_worker_model_files){.c = c, .at = at, .io = io, .is_outside = is_outside};
    ct_array_init(&files->files, c->allocator);
    *io = (struct aiFileIO){
        .OpenProc = open_named, .CloseProc = close_file, .UserData = (aiUserData)(void *)files};
}
