#include "compiler/types/fbx/worker_fbx_files.h"

#include <string.h>

#include <assimp/cfileio.h>

// What stands behind one open aiFile.
typedef struct open_file {
    struct aiFile interface;
    const ct_worker_model_file *file;
    uint64_t at;
} open_file;

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

void ct_worker_fbx_files_init(struct aiFileIO *io, ct_worker_model_files *files) {
    *io = (struct aiFileIO){
        .OpenProc = open_named, .CloseProc = close_file, .UserData = (aiUserData)(void *)files};
}
