#include "resource/archive/bundle_archives.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/archive/archive_reader.h"
#include "resource/blob/blob.h"

enum { MAX_IDLE_READERS = 4 };

typedef struct open_archive {
    ct_archive *archive;
    ct_archive_reader *reader;
    ct_mutex mutex;                            // of the reader
    ct_mutex chunk_mutex;                      // of all below
    ct_archive_reader *idle[MAX_IDLE_READERS]; // of whole chunks
    uint32_t num_idle;
    uint32_t last_chunk;       // in `last_block`
    ct_blob_block *last_block; // NULL: none was read
} open_archive;

struct ct_bundle_archives {
    ct_allocator *allocator;
    ct_bundle_manifest *manifest;
    open_archive *archives;
    uint32_t num_archives; // open ones
    char *folder;
};

// --- Opening -------------------------------------------------------------------------------------

static ct_bundle_manifest *read_manifest(ct_allocator *a, const char *folder, const char *platform,
                                         ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_BUNDLE_FILE);
    uint64_t size_bytes = 0;
    char *const blob = ct_file_read(a, path, &size_bytes, error);
    if (!blob)
        return NULL;
    ct_bundle_manifest *const m = (ct_bundle_manifest *)(void *)blob;
    ct_error inner = {0};
    bool is_right = ct_blob_check_header(blob, size_bytes, ct_string_id64_of(CT_BUNDLE_TYPE),
                                         CT_BUNDLE_VERSION, &inner) &&
                    ct_bundle_validate(blob, &inner);
    const char *const found = is_right ? ct_blob_at(m, m->platform.offset) : "";
    if (is_right && strcmp(found, platform) != 0)
        is_right = ct_error_set(&inner, "it is for the platform \"%.64s\", expected \"%s\"", found,
                                platform);
    if (is_right)
        return m;
    ct_error_set_at(error, path, 0, 0, "the bundle is refused: %.512s", inner.message);
    ct_free(a, blob);
    return NULL;
}

static bool tell_missing(const ct_bundle_archives *b, const char *path, ct_error *error) {
    if (b->manifest->num_patches == 0)
        return ct_error_set_at(error, path, 0, 0,
                               "this archive of the bundle is missing; all archives that its "
                               "manifest names must be here");
    return ct_error_set_at(error, path, 0, 0,
                           "this archive is missing, and the patch needs it; copy the patch over "
                           "its bundle, and patches one after the other");
}

static bool open_archive_of(ct_bundle_archives *b, const ct_bundle_archive *listed,
                            const char *platform, ct_error *error) {
    char path[CT_PATH_BYTES];
    const char *const file = ct_blob_at(b->manifest, listed->file.offset);
    if (!ct_path_try_join(path, b->folder, file))
        return ct_error_set(error, "the path %s/%.100s is too long", b->folder, file);
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return tell_missing(b, path, error);
    ct_archive *const archive = ct_archive_open(b->allocator, path, platform, error);
    if (!archive)
        return false;
    const uint64_t found = archive->index_checksum;
    if (found != listed->index_checksum) {
        ct_archive_close(archive);
        return ct_error_set_at(error, path, 0, 0,
                               "the archive is from another bundle: its index is %016" PRIx64
                               ", the bundle expects %016" PRIx64
                               " (a patch only fits the bundle that it was made for)",
                               found, listed->index_checksum);
    }
    open_archive *const open = &b->archives[b->num_archives++];
    open->archive = archive;
    ct_mutex_init(&open->mutex);
    ct_mutex_init(&open->chunk_mutex);
    return true;
}

ct_bundle_archives *ct_bundle_archives_open(ct_allocator *a, const char *folder,
                                            const char *platform, ct_error *error) {
    ct_bundle_manifest *const manifest = read_manifest(a, folder, platform, error);
    if (!manifest)
        return NULL;
    ct_bundle_archives *const b = CT_NEW(a, ct_bundle_archives);
    b->allocator = a;
    b->manifest = manifest;
    b->folder = ct_copy_string(a, folder);
    b->archives = CT_NEW_ARRAY(a, open_archive, manifest->archives.count);
    const ct_bundle_archive *const listed = ct_blob_at(manifest, manifest->archives.offset);
    for (uint32_t i = 0; i < manifest->archives.count; ++i) {
        if (!open_archive_of(b, &listed[i], platform, error)) {
            ct_bundle_archives_close(b);
            return NULL;
        }
    }
    return b;
}

void ct_bundle_archives_close(ct_bundle_archives *b) {
    ct_allocator *const a = b->allocator;
    for (uint32_t i = 0; i < b->num_archives; ++i) {
        open_archive *const open = &b->archives[i];
        for (uint32_t k = 0; k < open->num_idle; ++k)
            ct_archive_reader_destroy(open->idle[k]);
        ct_blob_block_release(open->last_block);
        ct_archive_reader_destroy(open->reader);
        ct_archive_close(open->archive);
        ct_mutex_shutdown(&open->chunk_mutex);
        ct_mutex_shutdown(&open->mutex);
    }
    ct_free(a, b->archives);
    ct_free(a, b->manifest);
    ct_free(a, b->folder);
    ct_free(a, b);
}

// --- Reading -------------------------------------------------------------------------------------

const ct_bundle_manifest *ct_bundle_archives_manifest(const ct_bundle_archives *b) {
    return b->manifest;
}

// Returns the first archive that has the item, or NULL.
static open_archive *find(const ct_bundle_archives *b, ct_resource_id id, uint32_t part,
                          const ct_archive_item **item) {
    for (uint32_t i = 0; i < b->num_archives; ++i) {
        *item = ct_archive_find(b->archives[i].archive, id, part);
        if (*item)
            return &b->archives[i];
    }
    return NULL;
}

bool ct_bundle_archives_has(const ct_bundle_archives *b, ct_resource_id data_id) {
    const ct_archive_item *item;
    return find(b, data_id, CT_BUNDLE_ITEM_DATA, &item) != NULL;
}

bool ct_bundle_archives_has_content(const ct_bundle_archives *b, ct_resource_id data_id,
                                    uint32_t part, uint64_t size_bytes, uint64_t content_hash) {
    const ct_archive_item *item = NULL;
    return find(b, data_id, part, &item) && item->size_bytes == size_bytes &&
           item->content_hash == content_hash;
}

// Like find, for data. When it comes to the archive of `before`, it looks first at the item after
// that.
static const open_archive *find_after(const ct_bundle_archives *b, ct_resource_id id,
                                      const ct_bundle_place *before, const ct_archive_item **item) {
    for (uint32_t i = 0; i < b->num_archives; ++i) {
        const ct_archive *const archive = b->archives[i].archive;
        if (before && before->archive == i &&
            before->item + 1 < archive->items + archive->num_items) {
            *item = before->item + 1;
            if (ct_resource_id_equal((*item)->id, id) && (*item)->variant == CT_BUNDLE_ITEM_DATA)
                return &b->archives[i];
        }
        *item = archive->num_items > 0 ? ct_archive_find(archive, id, CT_BUNDLE_ITEM_DATA) : NULL;
        if (*item)
            return &b->archives[i];
    }
    return NULL;
}

bool ct_bundle_archives_place(const ct_bundle_archives *b, ct_resource_id data_id,
                              const ct_bundle_place *before, ct_bundle_place *place) {
    const ct_archive_item *item = NULL;
    const open_archive *const open = find_after(b, data_id, before, &item);
    if (!open || item->size_bytes == 0)
        return false;
    const ct_archive_chunk *const c = &open->archive->chunks[item->first_chunk];
    const uint64_t offset = item->data_offset - c->data_offset;
    if (item->size_bytes > c->data_bytes - offset || offset % CT_BLOB_ALIGN != 0)
        return false;
    *place = (ct_bundle_place){item, (uint32_t)(open - b->archives), (uint32_t)offset};
    return true;
}

// Takes a reader that no other thread uses.
static ct_archive_reader *borrow_reader(ct_bundle_archives *b, open_archive *open) {
    ct_mutex_lock(&open->chunk_mutex);
    ct_archive_reader *const reader = open->num_idle > 0 ? open->idle[--open->num_idle] : NULL;
    ct_mutex_unlock(&open->chunk_mutex);
    return reader ? reader : ct_archive_reader_create(b->allocator, open->archive);
}

// Returns the reader; `block`, if any, becomes the last one.
static void return_reader(open_archive *open, ct_archive_reader *reader, uint32_t chunk,
                          ct_blob_block *block) {
    ct_blob_block *replaced = NULL;
    ct_mutex_lock(&open->chunk_mutex);
    if (open->num_idle < MAX_IDLE_READERS) {
        open->idle[open->num_idle++] = reader;
        reader = NULL;
    }
    if (block) {
        replaced = open->last_block;
        ct_blob_block_hold(block);
        open->last_block = block;
        open->last_chunk = chunk;
    }
    ct_mutex_unlock(&open->chunk_mutex);
    ct_archive_reader_destroy(reader);
    ct_blob_block_release(replaced);
}

static ct_blob_block *last_block(open_archive *open, uint32_t chunk) {
    ct_mutex_lock(&open->chunk_mutex);
    ct_blob_block *const block = open->last_chunk == chunk ? open->last_block : NULL;
    if (block)
        ct_blob_block_hold(block);
    ct_mutex_unlock(&open->chunk_mutex);
    return block;
}

ct_blob_block *ct_bundle_archives_chunk(ct_bundle_archives *b, const ct_bundle_place *place,
                                        uint32_t *size_bytes) {
    open_archive *const open = &b->archives[place->archive];
    const uint32_t chunk = place->item->first_chunk;
    *size_bytes = open->archive->chunks[chunk].data_bytes;
    ct_blob_block *block = last_block(open, chunk);
    if (block)
        return block;
    block = ct_blob_block_create(b->allocator, *size_bytes);
    ct_archive_reader *const reader = borrow_reader(b, open);
    ct_error ignored = {0};
    if (!ct_archive_read_chunk(reader, chunk, ct_blob_block_bytes(block), &ignored)) {
        ct_blob_block_release(block);
        block = NULL;
    }
    return_reader(open, reader, chunk, block);
    return block;
}

// Under its mutex.
static ct_archive_reader *reader_of(const ct_bundle_archives *b, open_archive *open) {
    if (!open->reader)
        open->reader = ct_archive_reader_create(b->allocator, open->archive);
    return open->reader;
}

void *ct_bundle_archives_read(ct_bundle_archives *b, ct_allocator *a, ct_resource_id data_id,
                              uint64_t *size_bytes, ct_error *error) {
    const ct_archive_item *item = NULL;
    open_archive *const open = find(b, data_id, CT_BUNDLE_ITEM_DATA, &item);
    if (!open) {
        ct_error_set_at(error, b->folder, 0, 0, "the bundle does not contain this resource");
        return NULL;
    }
    *size_bytes = item->size_bytes;
    ct_mutex_lock(&open->mutex);
    void *const data = ct_archive_read_item(reader_of(b, open), item, a, error);
    ct_mutex_unlock(&open->mutex);
    return data;
}

bool ct_bundle_archives_read_stream(ct_bundle_archives *b, ct_resource_id data_id, uint64_t offset,
                                    uint64_t bytes, void *buffer, ct_error *error) {
    const ct_archive_item *item = NULL;
    open_archive *const open = find(b, data_id, CT_BUNDLE_ITEM_STREAM, &item);
    if (!open)
        return ct_error_set_at(error, b->folder, 0, 0,
                               "the bundle does not contain this resource's stream");
    if (offset > item->size_bytes || bytes > item->size_bytes - offset)
        return ct_error_set_at(error, open->archive->path, 0, 0,
                               "the stream has %" PRIu64 " bytes, expected %" PRIu64
                               " from %" PRIu64 " on",
                               item->size_bytes, bytes, offset);
    ct_mutex_lock(&open->mutex);
    const bool result = ct_archive_read(reader_of(b, open), item, offset, bytes, buffer, error);
    ct_mutex_unlock(&open->mutex);
    return result;
}
