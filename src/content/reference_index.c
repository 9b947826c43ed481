#include "content/reference_index.h"

#include <stdio.h>
#include <string.h>

#include "content/reference_environment.h"
#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/hash_map.h"
#include "foundation/os.h"
#include "foundation/temp_allocator.h"
#include "project/project_lock.h"
#include "project/source_scan.h"
#include "resource/blob_writer.h"
#include "resource/content_hash.h"

_Static_assert(sizeof(ct_reference_file) == 88 && sizeof(ct_reference_mention) == 28,
               "what is written field by field has no holes but one");

// --- Looking at it -------------------------------------------------------------------------------

const ct_resource_type *ct_reference_type(const ct_reference_mention *mention) {
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    return mention->type ? &types[mention->type - 1] : NULL;
}

// The project's files come before core's, and both are sorted.
static int compare_paths(const char *a, const char *b) {
    const bool a_is_core = strncmp(a, "core/", 5) == 0, b_is_core = strncmp(b, "core/", 5) == 0;
    return a_is_core != b_is_core ? (int)a_is_core - (int)b_is_core : strcmp(a, b);
}

uint32_t ct_reference_index_find(const ct_reference_index *index, const char *path) {
    const ct_reference_file *const files = ct_reference_files(index);
    uint32_t first = 0, last = index->files.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        const int order = compare_paths(ct_reference_text(index, files[middle].path), path);
        if (order == 0)
            return middle;
        if (order < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return UINT32_MAX;
}

// --- Checking ------------------------------------------------------------------------------------

static bool check_file(const ct_reference_index *index, uint32_t i, ct_error *error) {
    const ct_reference_file *const f = &ct_reference_files(index)[i];
    const ct_reference_file *const before = i > 0 ? f - 1 : NULL;
    if (!ct_blob_check_string(&index->header, f->path, "path", error) ||
        !ct_blob_check_string(&index->header, f->problem, "problem", error))
        return false;
    if (f->path.bytes == 0 || f->path.bytes >= CT_PATH_BYTES ||
        strlen(ct_reference_text(index, f->path)) != f->path.bytes || f->kind > CT_CONTENT_KIND_OBJ)
        return ct_error_set(error, "files[%u]: its path or its kind is wrong", i);
    if (before && compare_paths(ct_reference_text(index, before->path),
                                ct_reference_text(index, f->path)) >= 0)
        return ct_error_set(error, "files[%u]: is not behind the one before it", i);
    return (f->first_mention <= index->mentions.count &&
            f->num_mentions <= index->mentions.count - f->first_mention) ||
           ct_error_set(error, "files[%u]: found mentions %u + %u of %u", i, f->first_mention,
                        f->num_mentions, index->mentions.count);
}

static bool check_mention(const ct_reference_index *index, uint32_t i, uint32_t num_types,
                          ct_error *error) {
    const ct_reference_mention *const m = &ct_reference_mentions(index)[i];
    if (!ct_blob_check_string(&index->header, m->name, "name", error))
        return false;
    const bool has_type = m->kind == CT_MENTION_KIND_RESOURCE || m->kind == CT_MENTION_KIND_PATTERN;
    const uint32_t bytes = m->name.bytes;
    return (m->kind < CT_NUM_MENTION_KINDS && m->type <= num_types && has_type == (m->type > 0) &&
            m->begin <= m->end && bytes > 0 && bytes < CT_PATH_BYTES &&
            strlen(ct_reference_text(index, m->name)) == bytes) ||
           ct_error_set(error, "mentions[%u]: is none", i);
}

const ct_reference_index *ct_reference_index_check(const void *bytes, uint64_t size_bytes,
                                                   ct_error *error) {
    const ct_reference_index *const index = bytes;
    uint32_t num_types = 0;
    ct_resource_types(&num_types);
    if (!ct_blob_check_header(bytes, size_bytes, ct_string_id64_of(CT_REFERENCE_INDEX_TYPE),
                              CT_REFERENCE_INDEX_VERSION, error))
        return NULL;
    if (index->header.size_bytes < sizeof(*index) ||
        index->environment != ct_reference_environment()) {
        ct_error_set(error, "the index is of another program");
        return NULL;
    }
    if (!ct_blob_check_array(&index->header, index->files, sizeof(ct_reference_file), 8, "files",
                             error) ||
        !ct_blob_check_array(&index->header, index->mentions, sizeof(ct_reference_mention), 4,
                             "mentions", error))
        return NULL;
    bool is_good = index->num_project <= index->files.count ||
                   ct_error_set(error, "more files of the project than files");
    for (uint32_t i = 0; is_good && i < index->mentions.count; i++)
        is_good = check_mention(index, i, num_types, error);
    for (uint32_t i = 0; is_good && i < index->files.count; i++)
        is_good = check_file(index, i, error);
    return is_good ? index : NULL;
}

// --- Making it -----------------------------------------------------------------------------------

// A file that the walk found, while the new index is made.
typedef struct update_file {
    ct_reference_file file; // its texts and mentions are in the update; strings are unset
    const char *problem;    // NULL: none
    uint32_t old;           // its number in the old index + 1; 0: it is new
    bool is_done;
} update_file;

typedef struct update {
    ct_allocator *allocator; // temporary
    ct_allocator *heap;
    const ct_reference_index *old; // NULL: none
    ct_scan scan;
    update_file *files;   // of the scan
    ct_mentions mentions; // of the files that are done
    ct_u32_array queue;   // files that turned out to be GLSL
    int64_t now_ns;
    bool is_changed;
} update;

static const ct_reference_file *old_file(const update *u, uint32_t i) {
    return u->files[i].old ? &ct_reference_files(u->old)[u->files[i].old - 1] : NULL;
}

// Takes over what the old index has of the file.
static void keep_mentions(update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i);
    update_file *const f = &u->files[i];
    f->file.first_mention = u->mentions.items.count;
    for (uint32_t k = 0; old && k < old->num_mentions; k++) {
        const ct_reference_mention *const m =
            &ct_reference_mentions(u->old)[old->first_mention + k];
        const ct_mention mention = {.kind = m->kind,
                                    .type = ct_reference_type(m),
                                    .line = m->line,
                                    .column = m->column,
                                    .begin = m->begin,
                                    .end = m->end,
                                    .flags = m->flags};
        ct_mentions_add(&u->mentions, &mention, ct_reference_text(u->old, m->name), m->name.bytes);
    }
    f->file.num_mentions = u->mentions.items.count - f->file.first_mention;
}

// The file's text cannot be used: what it said last still holds.
static void keep_last_good(update *u, uint32_t i, const ct_error *error) {
    update_file *const f = &u->files[i];
    keep_mentions(u, i);
    f->problem = ct_copy_string(u->allocator, error->message);
    f->file.problem_line = error->line;
    f->file.problem_column = error->column;
}

static void read_mentions(update *u, uint32_t i, const char *text, uint64_t bytes) {
    update_file *const f = &u->files[i];
    ct_error error = {0};
    f->file.first_mention = u->mentions.items.count;
    if (!ct_content_references_read(u->heap, (ct_content_kind)f->file.kind,
                                    u->scan.files.items[i].path, text, bytes, &u->mentions, &error))
        keep_last_good(u, i, &error);
    f->file.num_mentions = u->mentions.items.count - f->file.first_mention;
}

static void read_file(update *u, uint32_t i) {
    update_file *const f = &u->files[i];
    const ct_reference_file *const old = old_file(u, i);
    ct_source_content content;
    ct_error error = {0};
    f->file.read_ns = ct_os_wall_time_ns();
    char *const text =
        ct_source_read(u->heap, &u->scan.roots, u->scan.files.items[i].path, &content, &error);
    f->file.stamp = content.stamp;
    f->file.hash = content.hash;
    const bool is_same =
        old && old->hash == content.hash && old->kind == f->file.kind && old->problem.bytes == 0;
    if (!text)
        keep_last_good(u, i, &error);
    else if (is_same)
        keep_mentions(u, i);
    else
        read_mentions(u, i, text, content.size_bytes);
    ct_free(u->heap, text);
}

// True when nothing happened to the file since the old index read it.
static bool is_as_before(const update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i);
    return old && old->kind == u->files[i].file.kind &&
           ct_file_stamp_equal(old->stamp, u->scan.files.items[i].stamp) &&
           (old->kind == CT_CONTENT_KIND_NONE ||
            ct_file_stamp_is_settled(old->stamp, old->read_ns, u->now_ns));
}

static void look_at_file(update *u, uint32_t i) {
    update_file *const f = &u->files[i];
    f->is_done = true;
    if (f->file.kind == CT_CONTENT_KIND_NONE) {
        f->file.stamp = u->scan.files.items[i].stamp;
    } else if (is_as_before(u, i)) {
        const ct_reference_file *const old = old_file(u, i);
        f->file.stamp = old->stamp;
        f->file.hash = old->hash;
        f->file.read_ns = old->read_ns;
        f->file.problem_line = old->problem_line;
        f->file.problem_column = old->problem_column;
        f->problem = old->problem.bytes ? ct_reference_text(u->old, old->problem) : NULL;
        keep_mentions(u, i);
    } else {
        read_file(u, i);
    }
}

// What a shader, or GLSL, names is GLSL, whatever it is called.
static void queue_glsl(update *u, uint32_t i) {
    const ct_resource_type *const type = u->scan.files.items[i].type;
    const ct_reference_file *const f = &u->files[i].file;
    if (f->kind != CT_CONTENT_KIND_GLSL && !(type && strcmp(type->name, "shader") == 0))
        return;
    for (uint32_t k = 0; k < f->num_mentions; k++) {
        const ct_mention *const m = &u->mentions.items.items[f->first_mention + k];
        const char *const path = ct_mention_name(&u->mentions, m);
        const uint64_t at =
            ct_hash_map_get(&u->scan.by_path, ct_content_hash(path, strlen(path)), 0);
        const bool is_known = m->kind == CT_MENTION_KIND_MEDIA && at > 0 &&
                              strcmp(u->scan.files.items[at - 1].path, path) == 0;
        if (!is_known || u->files[at - 1].file.kind != CT_CONTENT_KIND_NONE)
            continue;
        u->files[at - 1].file.kind = CT_CONTENT_KIND_GLSL;
        ct_array_push(&u->queue, (uint32_t)at - 1);
    }
}

// Sources and models first; then what they turn out to include, and what is left.
static void look_at_files(update *u) {
    for (uint32_t i = 0; i < u->scan.num_found; i++) {
        if (u->files[i].file.kind == CT_CONTENT_KIND_NONE)
            continue;
        look_at_file(u, i);
        queue_glsl(u, i);
    }
    for (uint32_t k = 0; k < u->queue.count; k++) {
        look_at_file(u, u->queue.items[k]);
        queue_glsl(u, u->queue.items[k]);
    }
    for (uint32_t i = 0; i < u->scan.num_found; i++) {
        if (!u->files[i].is_done)
            look_at_file(u, i);
    }
}

// Both lists are sorted alike.
static void match_old_files(update *u) {
    uint32_t k = 0;
    const uint32_t count = u->old ? u->old->files.count : 0;
    u->is_changed = !u->old || count != u->scan.num_found;
    for (uint32_t i = 0; i < u->scan.num_found; i++) {
        const char *const path = u->scan.files.items[i].path;
        int order = 1;
        while (k < count &&
               (order = compare_paths(ct_reference_text(u->old, ct_reference_files(u->old)[k].path),
                                      path)) < 0)
            k++;
        const bool is_old = k < count && order == 0;
        u->files[i].old = is_old ? k + 1 : 0;
        u->files[i].file.kind = ct_content_kind_of(path);
        u->is_changed = u->is_changed || !is_old;
    }
}

// --- Writing -------------------------------------------------------------------------------------

typedef struct text_pool {
    ct_blob_writer *writer;
    ct_hash_map by_hash; // from a text's hash to its offset
} text_pool;

static ct_blob_string write_text(text_pool *pool, const char *text, uint32_t bytes) {
    const uint64_t key = ct_content_hash(text, bytes);
    uint64_t at = ct_hash_map_get(&pool->by_hash, key, 0);
    const char *const known = (const char *)pool->writer->bytes.items + at;
    if (at == 0 || memcmp(known, text, bytes) != 0 || known[bytes] != 0) {
        at = ct_blob_write_bytes(pool->writer, text, (uint64_t)bytes + 1);
        ct_hash_map_set(&pool->by_hash, key, at);
    }
    return (ct_blob_string){(uint32_t)at, bytes};
}

static void write_string_field(ct_blob_writer *w, ct_blob_string string) {
    ct_blob_write_u32(w, string.offset);
    ct_blob_write_u32(w, string.bytes);
}

static void write_file(ct_blob_writer *w, const ct_reference_file *f) {
    write_string_field(w, f->path);
    ct_blob_write_u32(w, f->kind);
    ct_blob_write_u32(w, f->first_mention);
    ct_blob_write_u32(w, f->num_mentions);
    ct_blob_write_u32(w, f->problem_line);
    ct_blob_write_u32(w, f->problem_column);
    write_string_field(w, f->problem);
    ct_blob_write_u32(w, 0); // padding
    ct_blob_write_u64(w, f->stamp.size_bytes);
    ct_blob_write_u64(w, (uint64_t)f->stamp.modified_ns);
    ct_blob_write_u64(w, (uint64_t)f->stamp.changed_ns);
    ct_blob_write_u64(w, f->stamp.inode);
    ct_blob_write_u64(w, f->hash);
    ct_blob_write_u64(w, (uint64_t)f->read_ns);
}

static uint32_t type_number(const ct_resource_type *type) {
    uint32_t count = 0;
    return type ? (uint32_t)(type - ct_resource_types(&count)) + 1 : 0;
}

static void write_mention(ct_blob_writer *w, const ct_mention *m, ct_blob_string name) {
    ct_blob_write_u8(w, (uint8_t)m->kind);
    ct_blob_write_u8(w, (uint8_t)m->flags);
    ct_blob_write_u16(w, (uint16_t)type_number(m->type));
    write_string_field(w, name);
    ct_blob_write_u32(w, m->line);
    ct_blob_write_u32(w, m->column);
    ct_blob_write_u32(w, m->begin);
    ct_blob_write_u32(w, m->end);
}

// Writes the texts of all mentions; their strings are from the update's allocator.
static ct_blob_string *write_names(update *u, text_pool *pool) {
    ct_blob_string *const names =
        CT_NEW_ARRAY(u->allocator, ct_blob_string, u->mentions.items.count);
    for (uint32_t i = 0; i < u->mentions.items.count; i++) {
        const char *const name = ct_mention_name(&u->mentions, &u->mentions.items.items[i]);
        names[i] = write_text(pool, name, (uint32_t)strlen(name));
    }
    return names;
}

static void write_index(update *u, ct_blob_writer *w) {
    ct_blob_writer_init(w, u->heap, CT_BYTE_ORDER_LITTLE, CT_REFERENCE_INDEX_TYPE,
                        CT_REFERENCE_INDEX_VERSION);
    text_pool pool = {.writer = w, .by_hash.allocator = u->allocator};
    ct_blob_write_u64(w, ct_reference_environment());
    const uint32_t files_at = ct_blob_write_array_field(w);
    const uint32_t mentions_at = ct_blob_write_array_field(w);
    ct_blob_write_u32(w, u->scan.num_project);
    ct_blob_write_u32(w, 0);
    ct_blob_string *const names = write_names(u, &pool);
    for (uint32_t i = 0; i < u->scan.num_found; i++) {
        update_file *const f = &u->files[i];
        const char *const path = u->scan.files.items[i].path;
        f->file.path = write_text(&pool, path, (uint32_t)strlen(path));
        f->file.problem = f->problem ? write_text(&pool, f->problem, (uint32_t)strlen(f->problem))
                                     : write_text(&pool, "", 0);
    }
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, files_at, ct_blob_writer_offset(w), u->scan.num_found);
    for (uint32_t i = 0; i < u->scan.num_found; i++)
        write_file(w, &u->files[i].file);
    ct_blob_patch_array(w, mentions_at, ct_blob_writer_offset(w), u->mentions.items.count);
    for (uint32_t i = 0; i < u->mentions.items.count; i++)
        write_mention(w, &u->mentions.items.items[i], names[i]);
    ct_blob_writer_finish(w);
}

// --- Bringing it up to date ----------------------------------------------------------------------

// True when every file is as the old index has it: what shaders include is the same then, too.
static bool is_all_as_before(update *u) {
    for (uint32_t i = 0; i < u->scan.num_found && !u->is_changed; i++) {
        const uint32_t kind = u->files[i].file.kind;
        u->files[i].file.kind = old_file(u, i)->kind;
        u->is_changed = !is_as_before(u, i);
        u->files[i].file.kind = kind;
    }
    return !u->is_changed;
}

static const ct_reference_index *read_old(ct_allocator *a, const char *path) {
    uint64_t size_bytes = 0;
    char *const bytes = path ? ct_file_read(a, path, &size_bytes, NULL) : NULL;
    if (bytes && ct_reference_index_check(bytes, size_bytes, NULL))
        return (const ct_reference_index *)(const void *)bytes;
    ct_free(a, bytes);
    return NULL;
}

// A new index in place of the old one, saved to `path` (NULL: it is not). That it cannot be saved
// only costs the next time: it is no error.
static const ct_reference_index *take_result(update *u, const char *path) {
    ct_blob_writer w;
    write_index(u, &w);
    if (path)
        ct_file_write(path, w.bytes.items, w.bytes.count, false, NULL);
    void *const index = ct_alloc_aligned(u->heap, w.bytes.count, CT_BLOB_ALIGN);
    memcpy(index, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    ct_free(u->heap, (void *)(uintptr_t)u->old);
    return index;
}

static const ct_reference_index *update_index(const ct_reference_index_desc *desc, const char *path,
                                              ct_error *error) {
    CT_TEMP_ALLOCATOR(scratch, desc->allocator);
    ct_stat_cache no_cache = {.allocator = scratch};
    update u = {.allocator = scratch, .heap = desc->allocator, .now_ns = ct_os_wall_time_ns()};
    ct_scan_init(&u.scan, scratch, desc->allocator, (ct_source_roots){desc->project, desc->core},
                 &no_cache);
    ct_mentions_init(&u.mentions, scratch);
    ct_array_init(&u.queue, scratch);
    if (!ct_scan_folders(&u.scan, error))
        return NULL;
    u.old = read_old(desc->allocator, path);
    u.files = CT_NEW_ARRAY(scratch, update_file, u.scan.num_found);
    match_old_files(&u);
    if (is_all_as_before(&u))
        return u.old;
    look_at_files(&u);
    return take_result(&u, path);
}

// Where the index is saved; NULL when the project cannot be written.
static const char *take_lock(const ct_reference_index_desc *desc, char path[CT_PATH_BYTES],
                             ct_file_lock *lock, bool *is_locked, ct_error *error) {
    char lock_path[CT_PATH_BYTES];
    *is_locked = false;
    if (!ct_path_try_join(path, desc->project, CT_REFERENCE_INDEX_FILE))
        return NULL;
    if (desc->is_locked)
        return path;
    if (!ct_project_lock_path(desc->project, lock_path, NULL))
        return NULL;
    const ct_project_lock_desc wanted = {.path = lock_path,
                                         .project = desc->project,
                                         .waiting = desc->waiting,
                                         .is_cancelled = desc->is_cancelled,
                                         .user = desc->user};
    *is_locked = ct_project_lock_take(&wanted, lock, error);
    return *is_locked ? path : NULL;
}

const ct_reference_index *ct_reference_index_update(const ct_reference_index_desc *desc,
                                                    ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_file_lock lock;
    bool is_locked;
    const char *const saved = take_lock(desc, path, &lock, &is_locked, error);
    if (!saved && desc->is_cancelled && desc->is_cancelled(desc->user))
        return NULL;
    const ct_reference_index *const index = update_index(desc, saved, error);
    if (is_locked)
        ct_file_lock_release(&lock);
    return index;
}
