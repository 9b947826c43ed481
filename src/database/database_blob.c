#include <inttypes.h>
#include <string.h>

#include "database/database_private.h"
#include "database/store/database_store_row.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"

enum { PIECE = CT_DATABASE_BLOB_PIECE_BYTES };

// Where the bytes of a blob come from: memory, or a file.
typedef struct blob_source {
    const uint8_t *bytes; // NULL: `file`
    int file;
    const char *path;
    uint64_t size_bytes;
    uint8_t *buffer; // PIECE bytes, for a file
} blob_source;

static const uint8_t *piece_of(const blob_source *source, uint64_t piece, ct_error *error) {
    if (source->bytes)
        return source->bytes + piece * PIECE;
    const uint32_t wanted = ct_database_blob_piece_bytes(source->size_bytes, piece);
    for (uint32_t got = 0; got < wanted;) {
        const int64_t read = ct_os_file_read_at(source->file, piece * PIECE + got,
                                                source->buffer + got, wanted - got);
        if (read <= 0) {
            ct_error_set(error, "%s: cannot be read, or became shorter while it was", source->path);
            return NULL;
        }
        got += (uint32_t)read;
    }
    return source->buffer;
}

static bool hash_source(const blob_source *source, ct_allocator *a, uint8_t hash[16],
                        ct_error *error) {
    ct_content_hasher *const hasher = ct_content_hasher_create(a);
    bool is_read = true;
    for (uint64_t i = 0; is_read && i * PIECE < source->size_bytes; ++i) {
        const uint8_t *const bytes = piece_of(source, i, error);
        is_read = bytes != NULL;
        if (is_read)
            ct_content_hasher_add(hasher, bytes,
                                  ct_database_blob_piece_bytes(source->size_bytes, i));
    }
    ct_content_hasher_finish(hasher, hash);
    return is_read;
}

// Reads a piece and adds it to the hash.
static const uint8_t *add_piece(const blob_source *source, uint32_t piece,
                                ct_content_hasher *hasher, ct_error *error) {
    const uint32_t size_bytes = ct_database_blob_piece_bytes(source->size_bytes, piece);
    const uint8_t *const bytes =
        size_bytes > 0 ? piece_of(source, piece, error) : (const uint8_t *)"";
    if (bytes)
        ct_content_hasher_add(hasher, bytes, size_bytes);
    return bytes;
}

// Writes the pieces, the last one only when all of them still give the hash: a file may change while it is read.
static bool write_pieces(ct_database *db, const blob_source *source, const ct_database_blob *blob,
                         ct_error *error) {
    const uint32_t last = ct_database_blob_num_pieces(source->size_bytes) - 1;
    ct_content_hasher *const hasher = ct_content_hasher_create(db->allocator);
    uint8_t hash[16];
    bool is_written = true;
    for (uint32_t i = 0; is_written && i < last; ++i) {
        const uint8_t *const bytes = add_piece(source, i, hasher, error);
        is_written = bytes && db->store->functions->write_piece(
                                  db->store, blob, i, bytes,
                                  ct_database_blob_piece_bytes(source->size_bytes, i), error);
    }
    const uint8_t *const bytes = is_written ? add_piece(source, last, hasher, error) : NULL;
    ct_content_hasher_finish(hasher, hash);
    if (!bytes)
        return false;
    if (memcmp(hash, blob->hash, sizeof(hash)) != 0)
        return ct_error_set(error, "%s: it was changed while it was read; try again",
                            source->path ? source->path : "the bytes");
    return db->store->functions->write_piece(db->store, blob, last, bytes,
                                             ct_database_blob_piece_bytes(source->size_bytes, last),
                                             error);
}

static bool write_source(ct_database *db, const blob_source *source, ct_database_blob *blob,
                         ct_error *error) {
    bool has = false;
    blob->size_bytes = source->size_bytes;
    return hash_source(source, db->allocator, blob->hash, error) &&
           db->store->functions->has_blob(db->store, blob, &has, error) &&
           (has || write_pieces(db, source, blob, error));
}

bool ct_database_write_blob(ct_database *db, const void *bytes, uint64_t size_bytes,
                            ct_database_blob *blob, ct_error *error) {
    const blob_source source = {.bytes = size_bytes ? bytes : (const uint8_t *)"",
                                .size_bytes = size_bytes};
    return write_source(db, &source, blob, error);
}

bool ct_database_write_blob_file(ct_database *db, const char *path, ct_database_blob *blob,
                                 ct_error *error) {
    blob_source source = {.path = path};
    source.file = ct_os_file_open_data(path, error);
    if (source.file < 0)
        return false;
    source.size_bytes = ct_os_file_info(path).size_bytes;
    source.buffer = ct_alloc(db->allocator, PIECE);
    const bool is_written = write_source(db, &source, blob, error);
    ct_free_sized(db->allocator, source.buffer, PIECE);
    ct_os_file_close(source.file);
    return is_written;
}

// Reads all pieces and hands them to memory or a file, then compares the hash.
static bool read_pieces(ct_database *db, const ct_database_blob *blob, ct_byte_array *out, int file,
                        ct_error *error) {
    ct_content_hasher *const hasher = ct_content_hasher_create(db->allocator);
    uint8_t *const piece = ct_alloc(db->allocator, PIECE);
    bool is_read = true;
    for (uint64_t i = 0; is_read && i < ct_database_blob_num_pieces(blob->size_bytes); ++i) {
        const uint32_t expected = ct_database_blob_piece_bytes(blob->size_bytes, i);
        uint32_t size_bytes = 0;
        is_read = db->store->functions->read_piece(db->store, blob, (uint32_t)i, piece, &size_bytes,
                                                   error);
        if (is_read && size_bytes != expected)
            is_read =
                ct_error_set(error, "%s: piece %" PRIu64 " of a blob has %u bytes; expected %u",
                             db->store->location, i, size_bytes, expected);
        if (!is_read)
            break;
        ct_content_hasher_add(hasher, piece, size_bytes);
        if (out)
            ct_array_push_many(out, piece, size_bytes);
        else
            is_read = ct_os_file_write(file, piece, size_bytes, error);
    }
    uint8_t hash[16];
    ct_content_hasher_finish(hasher, hash);
    ct_free_sized(db->allocator, piece, PIECE);
    if (is_read && memcmp(hash, blob->hash, sizeof(hash)) != 0)
        is_read = ct_error_set(
            error, "%s: a blob of %" PRIu64 " bytes is damaged: its bytes have another hash",
            db->store->location, blob->size_bytes);
    return is_read;
}

bool ct_database_read_blob(ct_database *db, const ct_database_blob *blob, ct_byte_array *out,
                           ct_error *error) {
    const uint32_t count = out->count;
    if (blob->size_bytes > UINT32_MAX - count)
        return ct_error_set(error,
                            "a blob of %" PRIu64 " bytes does not fit memory; read it into a file",
                            blob->size_bytes);
    const bool is_read = read_pieces(db, blob, out, -1, error);
    if (!is_read)
        out->count = count;
    return is_read;
}

bool ct_database_read_blob_file(ct_database *db, const ct_database_blob *blob, const char *path,
                                ct_error *error) {
    char temporary[CT_PATH_BYTES];
    if (!ct_file_temporary_path(path, temporary, error))
        return false;
    const int file = ct_os_file_open_write(temporary, error);
    if (file < 0)
        return false;
    bool is_done = read_pieces(db, blob, NULL, file, error);
    ct_os_file_close(file);
    is_done = is_done && ct_os_file_rename(temporary, path, error);
    if (!is_done)
        ct_os_file_remove(temporary, NULL);
    return is_done;
}

// --- Blobs that nothing names ----------------------------------------------------------------------

// The hashes of blobs that are named, sorted.
typedef struct named_blobs {
    CT_ARRAY(ct_guid) hashes; // a hash has the size of a GUID, and its order does as well
    bool has_failed;
} named_blobs;

static void add_blobs(named_blobs *named, const ct_database_operations *operations) {
    for (uint32_t i = 0; i < operations->list.count; ++i) {
        const ct_database_operation *const op = &operations->list.items[i];
        if (op->type != CT_DATABASE_CHANGE_KEY || op->value.kind != CT_DATABASE_BLOB)
            continue;
        ct_guid hash;
        memcpy(hash.bytes, op->value.blob.hash, sizeof(hash.bytes));
        ct_array_push(&named->hashes, hash);
    }
}

static bool is_named(void *user, const ct_database_blob *blob) {
    const named_blobs *const named = user;
    ct_guid hash;
    memcpy(hash.bytes, blob->hash, sizeof(hash.bytes));
    uint32_t low = 0, high = named->hashes.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ct_guid_compare(named->hashes.items[middle], hash) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < named->hashes.count && ct_guid_is_equal(named->hashes.items[low], hash);
}

static bool add_commit(void *user, const ct_database_commit *commit) {
    add_blobs(user, &commit->operations);
    return true;
}

// Adds those that stored local changes name; what cannot be read is damaged.
static void add_local(void *user, const char *text, uint64_t size_bytes) {
    named_blobs *const named = user;
    ct_database_operations all;
    ct_database_operations_init(&all, named->hashes.allocator);
    named->has_failed |= !ct_database_local_operations(text, size_bytes, &all);
    add_blobs(named, &all);
    ct_database_operations_free(&all);
}

// Adds the blobs that all branches name.
static bool find_named(ct_database *db, named_blobs *named, ct_error *error) {
    const ct_database_store_functions *const f = db->store->functions;
    ct_database_branch_array branches;
    ct_array_init(&branches, db->allocator);
    ct_database_vector all;
    ct_database_vector_init(&all, db->allocator);
    const ct_database_vector nothing = {0};
    bool is_done = f->list_branches(db->store, &branches, error);
    for (uint32_t i = 0; is_done && i < branches.count; ++i)
        ct_database_vector_join(&all, &branches.items[i].has);
    is_done =
        is_done &&
        ct_database_walk(db->allocator, db->store, &nothing, &all, add_commit, named, error) &&
        f->each_local(db->store, add_local, named, error);
    if (is_done && named->has_failed)
        is_done =
            ct_error_set(error,
                         "%s: stored local changes cannot be read, so the blobs that they name "
                         "are not known; nothing was removed",
                         db->store->location);
    add_blobs(named, ct_database_local(db));
    ct_database_set_sort(named->hashes.items, named->hashes.count);
    ct_database_vector_free(&all);
    for (uint32_t i = 0; i < branches.count; ++i)
        ct_database_branch_free(&branches.items[i]);
    ct_array_free(&branches);
    return is_done;
}

bool ct_database_collect(ct_database *db, uint64_t *freed_bytes, ct_error *error) {
    const ct_database_store_functions *const f = db->store->functions;
    if (!f->begin(db->store, NULL, error))
        return false;
    named_blobs named = {0};
    ct_array_init(&named.hashes, db->allocator);
    const bool is_done = find_named(db, &named, error) &&
                         f->collect_blobs(db->store, is_named, &named, freed_bytes, error);
    ct_array_free(&named.hashes);
    ct_error ignored;
    return f->end(db->store, NULL, is_done, is_done ? error : &ignored) && is_done;
}
