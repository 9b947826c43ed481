#include "content/references/reference_index.h"

#include <stdio.h>
#include <string.h>

#include "content/references/reference_environment.h"
#include "content/references/reference_update.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "plugin/plugin_description.h"
#include "project/project_lock.h"
#include "resource/blob/blob_writer.h"
#include "resource/blob/content_hash.h"

_Static_assert(sizeof(ct_reference_file) == 96 && sizeof(ct_reference_mention) == 28 &&
                   sizeof(ct_reference_lost) == 64,
               "what is written field by field has no holes");

// So much is read of media in one update; the rest waits for the next.
enum { MOST_MEDIA_BYTES = 256 * 1024 * 1024 };

// --- Looking at it -------------------------------------------------------------------------------

const ct_resource_type *ct_reference_type(const ct_reference_mention *mention) {
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    return mention->type ? &types[mention->type - 1] : NULL;
}

int ct_reference_compare_paths(const char *a, const char *b) {
    const bool a_is_core = strncmp(a, "core/", 5) == 0, b_is_core = strncmp(b, "core/", 5) == 0;
    return a_is_core != b_is_core ? (int)a_is_core - (int)b_is_core : strcmp(a, b);
}

uint32_t ct_reference_index_find(const ct_reference_index *index, const char *path) {
    const ct_reference_file *const files = ct_reference_files(index);
    uint32_t first = 0, last = index->files.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        const int order =
            ct_reference_compare_paths(ct_reference_text(index, files[middle].path), path);
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
        strlen(ct_reference_text(index, f->path)) != f->path.bytes ||
        f->kind >= CT_NUM_CONTENT_KINDS)
        return ct_error_set(error, "files[%u]: its path or its kind is wrong", i);
    if (before && ct_reference_compare_paths(ct_reference_text(index, before->path),
                                             ct_reference_text(index, f->path)) >= 0)
        return ct_error_set(error, "files[%u]: is not behind the one before it", i);
    if (f->appeared > f->changed || f->written > f->changed || f->changed > index->revision)
        return ct_error_set(error, "files[%u]: found revisions %u, %u and %u of %u", i, f->appeared,
                            f->written, f->changed, index->revision);
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
           ct_error_set(error, "mentions[%u]: is invalid", i);
}

static bool check_lost(const ct_reference_index *index, uint32_t i, ct_error *error) {
    const ct_reference_lost *const lost = &ct_reference_lost_files(index)[i];
    if (!ct_blob_check_string(&index->header, lost->path, "path", error))
        return false;
    const char *const path = ct_reference_text(index, lost->path);
    return (lost->path.bytes > 0 && lost->path.bytes < CT_PATH_BYTES &&
            strlen(path) == lost->path.bytes && lost->is_displaced <= 1 &&
            lost->kind < CT_NUM_CONTENT_KINDS && lost->revision <= index->revision &&
            (i == 0 || strcmp(ct_reference_text(index, lost[-1].path), path) < 0)) ||
           ct_error_set(error, "lost[%u]: is invalid, or not sorted after the one before it", i);
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
                             "mentions", error) ||
        !ct_blob_check_array(&index->header, index->lost, sizeof(ct_reference_lost), 8, "lost",
                             error))
        return NULL;
    bool is_good = (index->num_project <= index->files.count && index->revision < UINT32_MAX) ||
                   ct_error_set(error, "its number of files, or its revision, is wrong");
    for (uint32_t i = 0; is_good && i < index->mentions.count; ++i)
        is_good = check_mention(index, i, num_types, error);
    for (uint32_t i = 0; is_good && i < index->files.count; ++i)
        is_good = check_file(index, i, error);
    for (uint32_t i = 0; is_good && i < index->lost.count; ++i)
        is_good = check_lost(index, i, error);
    return is_good ? index : NULL;
}

// --- Making it -----------------------------------------------------------------------------------

static const ct_reference_file *old_file(const ct_reference_update *u, uint32_t i) {
    return u->files[i].old ? &ct_reference_files(u->old)[u->files[i].old - 1] : NULL;
}

// Takes over what the old index has of the file.
static void keep_mentions(ct_reference_update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i);
    ct_update_file *const f = &u->files[i];
    f->file.first_mention = u->mentions.items.count;
    for (uint32_t k = 0; old && k < old->num_mentions; ++k) {
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
static void keep_last_good(ct_reference_update *u, uint32_t i, const ct_error *error) {
    ct_update_file *const f = &u->files[i];
    keep_mentions(u, i);
    f->problem = ct_copy_string(u->allocator, error->message);
    f->file.problem_line = error->line;
    f->file.problem_column = error->column;
}

static void read_mentions(ct_reference_update *u, uint32_t i, const char *text, uint64_t bytes) {
    ct_update_file *const f = &u->files[i];
    ct_error error = {0};
    f->file.first_mention = u->mentions.items.count;
    if (!ct_content_references_read(u->heap, (ct_content_kind)f->file.kind,
                                    u->scan.files.items[i].path, text, bytes, &u->mentions, &error))
        keep_last_good(u, i, &error);
    f->file.num_mentions = u->mentions.items.count - f->file.first_mention;
}

static void read_file(ct_reference_update *u, uint32_t i) {
    ct_update_file *const f = &u->files[i];
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
static bool is_as_before(const ct_reference_update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i);
    return old && old->kind == u->files[i].file.kind &&
           ct_file_stamp_equal(old->stamp, u->scan.files.items[i].stamp) &&
           ((old->kind == CT_CONTENT_KIND_NONE && old->hash == 0) ||
            ct_file_stamp_is_settled(old->stamp, old->read_ns, u->now_ns));
}

static bool is_media_to_hash(const ct_reference_update *u, uint32_t i) {
    const ct_scan_file *const f = &u->scan.files.items[i];
    return i < u->scan.num_project && f->stamp.size_bytes <= CT_REFERENCE_MOST_MEDIA_BYTES &&
           ct_hash_map_get(&u->named, ct_content_name_key(NULL, f->path), 0) > 0;
}

// Media that something names are known by their content: it tells when they were renamed.
static void look_at_media(ct_reference_update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i);
    const ct_scan_file *const found = &u->scan.files.items[i];
    ct_reference_file *const f = &u->files[i].file;
    ct_source_content content = {.stamp = found->stamp};
    if (old && old->hash != 0 && is_as_before(u, i)) {
        content = (ct_source_content){.stamp = old->stamp, .hash = old->hash};
        f->read_ns = old->read_ns;
    } else if (is_media_to_hash(u, i) && u->media_bytes >= MOST_MEDIA_BYTES) {
        ++u->num_unread;
    } else if (is_media_to_hash(u, i)) {
        f->read_ns = ct_os_wall_time_ns();
        char *const bytes = ct_source_read(u->heap, &u->scan.roots, found->path, &content, NULL);
        content.stamp = bytes ? content.stamp : found->stamp;
        u->media_bytes += content.size_bytes;
        ct_free(u->heap, bytes);
    }
    f->stamp = content.stamp;
    f->hash = content.hash;
}

static void look_at_file(ct_reference_update *u, uint32_t i) {
    ct_update_file *const f = &u->files[i];
    f->is_done = true;
    if (f->file.kind == CT_CONTENT_KIND_NONE) {
        look_at_media(u, i);
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

uint32_t ct_reference_update_find(const ct_reference_update *u, const char *path) {
    const uint64_t at = ct_hash_map_get(&u->scan.by_path, ct_content_hash(path, strlen(path)), 0);
    const bool is_there = at > 0 && strcmp(u->scan.files.items[at - 1].path, path) == 0;
    return is_there ? (uint32_t)at - 1 : UINT32_MAX;
}

// What a shader, or GLSL, names is GLSL, whatever it is called.
static void queue_glsl(ct_reference_update *u, uint32_t i) {
    const ct_resource_type *const type = u->scan.files.items[i].type;
    const ct_reference_file *const f = &u->files[i].file;
    if (f->kind != CT_CONTENT_KIND_GLSL && !(type && strcmp(type->name, "shader") == 0))
        return;
    for (uint32_t k = 0; k < f->num_mentions; ++k) {
        const ct_mention *const m = &u->mentions.items.items[f->first_mention + k];
        const uint32_t at = m->kind == CT_MENTION_KIND_MEDIA
                                ? ct_reference_update_find(u, ct_mention_name(&u->mentions, m))
                                : UINT32_MAX;
        if (at == UINT32_MAX || u->files[at].file.kind != CT_CONTENT_KIND_NONE)
            continue;
        u->files[at].file.kind = CT_CONTENT_KIND_GLSL;
        ct_array_push(&u->queue, at);
    }
}

// True when the content is that of the old index, as far as that is known.
static bool has_old_content(const ct_reference_update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i), *const now = &u->files[i].file;
    if (old && old->hash != 0 && now->hash != 0)
        return old->hash == now->hash;
    return old && old->stamp.inode == now->stamp.inode &&
           old->stamp.size_bytes == now->stamp.size_bytes &&
           old->stamp.modified_ns == now->stamp.modified_ns;
}

// When the content of a file that came to its path was written, by the file that it was.
static uint32_t written_before(const ct_reference_update *u, uint32_t i) {
    const ct_reference_file *const now = &u->files[i].file;
    const uint64_t at = ct_hash_map_get(&u->old_inodes, now->stamp.inode, 0);
    const ct_reference_file *const before = at > 0 ? &ct_reference_files(u->old)[at - 1] : NULL;
    return before && now->hash != 0 && before->hash == now->hash ? before->written : u->revision;
}

static void list_old_inodes(ct_reference_update *u) {
    const uint32_t count = u->old ? u->old->num_project : 0;
    ct_hash_map_reserve(&u->old_inodes, count);
    for (uint32_t i = 0; i < count; ++i)
        ct_hash_map_set(&u->old_inodes, ct_reference_files(u->old)[i].stamp.inode, i + 1);
}

static void note_revisions(ct_reference_update *u, uint32_t i) {
    const ct_reference_file *const old = old_file(u, i);
    u->files[i].file.appeared = old ? old->appeared : u->revision;
    u->files[i].file.changed = has_old_content(u, i) ? old->changed : u->revision;
    u->files[i].file.written = has_old_content(u, i) ? old->written : written_before(u, i);
}

// Notes what the project's sources and models name.
static void note_named(ct_reference_update *u) {
    ct_hash_map_reserve(&u->named, u->mentions.items.count);
    for (uint32_t i = 0; i < u->scan.num_project; ++i) {
        const ct_reference_file *const f = &u->files[i].file;
        if (!u->files[i].is_done)
            continue;
        note_revisions(u, i);
        for (uint32_t k = 0; k < f->num_mentions; ++k) {
            const ct_mention *const m = &u->mentions.items.items[f->first_mention + k];
            if (m->kind != CT_MENTION_KIND_RESOURCE && m->kind != CT_MENTION_KIND_MEDIA)
                continue;
            const uint64_t key = ct_content_name_key(m->type, ct_mention_name(&u->mentions, m));
            if (ct_hash_map_get(&u->named, key, UINT64_MAX) > f->written)
                ct_hash_map_set(&u->named, key, f->written);
        }
    }
}

// Sources and models first; then what they turn out to include, and what is left.
static void look_at_files(ct_reference_update *u) {
    for (uint32_t i = 0; i < u->scan.num_found; ++i) {
        if (u->files[i].file.kind == CT_CONTENT_KIND_NONE)
            continue;
        look_at_file(u, i);
        queue_glsl(u, i);
    }
    for (uint32_t k = 0; k < u->queue.count; ++k) {
        look_at_file(u, u->queue.items[k]);
        queue_glsl(u, u->queue.items[k]);
    }
    note_named(u);
    for (uint32_t i = 0; i < u->scan.num_found; ++i) {
        if (!u->files[i].is_done)
            look_at_file(u, i);
        note_revisions(u, i);
    }
}

// Both lists are sorted alike.
static void match_old_files(ct_reference_update *u) {
    uint32_t k = 0;
    const uint32_t count = u->old ? u->old->files.count : 0;
    u->is_changed = !u->old || count != u->scan.num_found || u->old->num_unread > 0;
    for (uint32_t i = 0; i < u->scan.num_found; ++i) {
        const char *const path = u->scan.files.items[i].path;
        int order = 1;
        while (k < count &&
               (order = ct_reference_compare_paths(
                    ct_reference_text(u->old, ct_reference_files(u->old)[k].path), path)) < 0)
            ++k;
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

static void write_stamp(ct_blob_writer *w, ct_file_stamp stamp) {
    ct_blob_write_u64(w, stamp.size_bytes);
    ct_blob_write_u64(w, (uint64_t)stamp.modified_ns);
    ct_blob_write_u64(w, (uint64_t)stamp.changed_ns);
    ct_blob_write_u64(w, stamp.inode);
}

static void write_file(ct_blob_writer *w, const ct_reference_file *f) {
    write_string_field(w, f->path);
    ct_blob_write_u32(w, f->kind);
    ct_blob_write_u32(w, f->first_mention);
    ct_blob_write_u32(w, f->num_mentions);
    ct_blob_write_u32(w, f->problem_line);
    ct_blob_write_u32(w, f->problem_column);
    write_string_field(w, f->problem);
    ct_blob_write_u32(w, f->appeared);
    write_stamp(w, f->stamp);
    ct_blob_write_u64(w, f->hash);
    ct_blob_write_u64(w, (uint64_t)f->read_ns);
    ct_blob_write_u32(w, f->changed);
    ct_blob_write_u32(w, f->written);
}

static void write_lost(ct_blob_writer *w, const ct_reference_lost *lost) {
    write_string_field(w, lost->path);
    ct_blob_write_u32(w, lost->revision);
    ct_blob_write_u16(w, lost->is_displaced);
    ct_blob_write_u16(w, lost->kind);
    write_stamp(w, lost->stamp);
    ct_blob_write_u64(w, lost->hash);
    ct_blob_write_u64(w, (uint64_t)lost->seen_ns);
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
static ct_blob_string *write_names(ct_reference_update *u, text_pool *pool) {
    ct_blob_string *const names =
        CT_NEW_ARRAY(u->allocator, ct_blob_string, u->mentions.items.count);
    for (uint32_t i = 0; i < u->mentions.items.count; ++i) {
        const char *const name = ct_mention_name(&u->mentions, &u->mentions.items.items[i]);
        names[i] = write_text(pool, name, (uint32_t)strlen(name));
    }
    return names;
}

static ct_blob_string write_path(text_pool *pool, const char *text) {
    return write_text(pool, text, (uint32_t)strlen(text));
}

// Writes the texts of files and of what is lost, whose strings are set.
static void write_file_texts(ct_reference_update *u, text_pool *pool) {
    for (uint32_t i = 0; i < u->scan.num_found; ++i) {
        ct_update_file *const f = &u->files[i];
        f->file.path = write_path(pool, u->scan.files.items[i].path);
        f->file.problem = write_path(pool, f->problem ? f->problem : "");
    }
    for (uint32_t i = 0; i < u->lost.count; ++i)
        u->lost.items[i].lost.path = write_path(pool, u->lost.items[i].path);
}

static void write_index(ct_reference_update *u, ct_blob_writer *w) {
    ct_blob_writer_init(w, u->heap, CT_BYTE_ORDER_LITTLE, CT_REFERENCE_INDEX_TYPE,
                        CT_REFERENCE_INDEX_VERSION);
    text_pool pool = {.writer = w, .by_hash.allocator = u->allocator};
    ct_blob_write_u64(w, ct_reference_environment());
    const uint32_t files_at = ct_blob_write_array_field(w);
    const uint32_t mentions_at = ct_blob_write_array_field(w);
    const uint32_t lost_at = ct_blob_write_array_field(w);
    ct_blob_write_u32(w, u->scan.num_project);
    ct_blob_write_u32(w, u->revision);
    ct_blob_write_u32(w, u->num_unread);
    ct_blob_write_u32(w, 0); // padding
    ct_blob_string *const names = write_names(u, &pool);
    write_file_texts(u, &pool);
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, files_at, ct_blob_writer_offset(w), u->scan.num_found);
    for (uint32_t i = 0; i < u->scan.num_found; ++i)
        write_file(w, &u->files[i].file);
    ct_blob_patch_array(w, lost_at, ct_blob_writer_offset(w), u->lost.count);
    for (uint32_t i = 0; i < u->lost.count; ++i)
        write_lost(w, &u->lost.items[i].lost);
    ct_blob_patch_array(w, mentions_at, ct_blob_writer_offset(w), u->mentions.items.count);
    for (uint32_t i = 0; i < u->mentions.items.count; ++i)
        write_mention(w, &u->mentions.items.items[i], names[i]);
    ct_blob_writer_finish(w);
}

// --- Bringing it up to date ----------------------------------------------------------------------

// True when every file is as the old index has it: what shaders include is the same then, too.
static bool is_all_as_before(ct_reference_update *u) {
    for (uint32_t i = 0; i < u->scan.num_found && !u->is_changed; ++i) {
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
static const ct_reference_index *take_result(ct_reference_update *u, const char *path) {
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
    ct_reference_update u = {
        .allocator = scratch, .heap = desc->allocator, .now_ns = ct_os_wall_time_ns()};
    ct_scan_init(&u.scan, scratch, desc->allocator, (ct_source_roots){desc->project, desc->core},
                 &no_cache);
    ct_mentions_init(&u.mentions, scratch);
    ct_array_init(&u.queue, scratch);
    ct_plugin_description_use(desc->project); // kinds of sources that plugins add
    if (!ct_scan_folders(&u.scan, error))
        return NULL;
    u.old = read_old(desc->allocator, path);
    u.revision = u.old ? u.old->revision + 1 : 1;
    u.named.allocator = scratch;
    u.old_inodes.allocator = scratch;
    ct_array_init(&u.lost, scratch);
    u.files = CT_NEW_ARRAY(scratch, ct_update_file, u.scan.num_found);
    match_old_files(&u);
    if (is_all_as_before(&u))
        return u.old;
    list_old_inodes(&u);
    look_at_files(&u);
    ct_reference_lost_find(&u);
    return take_result(&u, path);
}

// Where the index is saved; NULL when the project cannot be written.
static const char *take_lock(const ct_reference_index_desc *desc, char path[CT_PATH_BYTES],
                             ct_project_lock *lock, bool *is_locked, ct_error *error) {
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
    ct_project_lock lock;
    bool is_locked;
    const char *const saved = take_lock(desc, path, &lock, &is_locked, error);
    if (!saved && desc->is_cancelled && desc->is_cancelled(desc->user))
        return NULL;
    const ct_reference_index *const index = update_index(desc, saved, error);
    if (is_locked)
        ct_project_lock_release(&lock);
    return index;
}
