#include "resource/archive/archive.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"

_Static_assert(sizeof(ct_archive_header) == 72, "as in the file");
_Static_assert(sizeof(ct_archive_chunk) == 32, "as in the file");
_Static_assert(sizeof(ct_archive_item) == 48, "as in the file");
_Static_assert(sizeof(ct_archive_slot) == 16, "as in the file");

// What is being opened and checked.
typedef struct opening {
    ct_archive *archive;
    ct_archive_header header;
    uint64_t file_bytes;
    ct_error *error;
} opening;

#define REFUSE(o, ...) ct_error_set_at((o)->error, (o)->archive->path, 0, 0, __VA_ARGS__)

// Reads `size_bytes` from `offset` on; the file's size says that they exist.
static bool read_exactly(const opening *o, uint64_t offset, void *target, uint64_t size_bytes) {
    char *next = target;
    while (size_bytes > 0) {
        const int64_t got = ct_os_file_read_at(o->archive->file, offset, next, size_bytes);
        if (got <= 0)
            return REFUSE(o, "cannot read the archive: %s",
                          got == 0 ? "the file was truncated in the meantime"
                                   : "the disk or its file system failed");
        next += got;
        offset += (uint64_t)got;
        size_bytes -= (uint64_t)got;
    }
    return true;
}

// --- Header --------------------------------------------------------------------------------------

static bool check_identity(const opening *o) {
    const ct_archive_header *const h = &o->header;
    if (h->magic == __builtin_bswap32(CT_ARCHIVE_MAGIC))
        return REFUSE(o, "the archive is for a platform with the other byte order");
    if (h->magic != CT_ARCHIVE_MAGIC)
        return REFUSE(o, "not an archive: found magic %08x, expected %08x", h->magic,
                      (uint32_t)CT_ARCHIVE_MAGIC);
    if (h->version != CT_ARCHIVE_VERSION)
        return REFUSE(o, "the archive has another version: found %u, expected %u; bundle it again",
                      h->version, (uint32_t)CT_ARCHIVE_VERSION);
    const uint64_t checksum = ct_content_hash(h, offsetof(ct_archive_header, header_checksum));
    if (checksum != h->header_checksum)
        return REFUSE(o,
                      "damaged: the checksum of its header is %016" PRIx64 ", expected %016" PRIx64,
                      checksum, h->header_checksum);
    return true;
}

static bool check_platform(const opening *o, const char *platform) {
    char expected[CT_ARCHIVE_PLATFORM_BYTES] = {0};
    strncpy(expected, platform, sizeof(expected) - 1);
    const char *const found = o->header.platform;
    if (memcmp(found, expected, sizeof(expected)) == 0)
        return true;
    return REFUSE(o, "the archive is for another platform: found \"%.*s\", expected \"%s\"",
                  (int)sizeof(expected) - 1, found, platform);
}

static bool check_sizes(const opening *o) {
    const ct_archive_header *const h = &o->header;
    if (h->file_bytes != o->file_bytes)
        return REFUSE(o, "%s: found %" PRIu64 " bytes, expected %" PRIu64,
                      o->file_bytes < h->file_bytes ? "cut" : "longer than when it was written",
                      o->file_bytes, h->file_bytes);
    if (h->num_slots < 2 || (h->num_slots & (h->num_slots - 1)) != 0 ||
        h->num_slots <= h->num_items)
        return REFUSE(o, "its table has %u slots for %u items; expected a larger power of two",
                      h->num_slots, h->num_items);
    const uint64_t index_bytes = h->num_chunks * (uint64_t)sizeof(ct_archive_chunk) +
                                 h->num_items * (uint64_t)sizeof(ct_archive_item) +
                                 h->num_slots * (uint64_t)sizeof(ct_archive_slot);
    if (h->index_offset < sizeof(*h) || h->index_offset > h->file_bytes ||
        h->file_bytes - h->index_offset != index_bytes)
        return REFUSE(o,
                      "its index goes from %" PRIu64 " to %" PRIu64 "; expected %" PRIu64
                      " bytes for %u chunks, %u items and %u slots",
                      h->index_offset, h->file_bytes, index_bytes, h->num_chunks, h->num_items,
                      h->num_slots);
    return true;
}

static bool read_header(opening *o, const char *path, const char *platform) {
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind != CT_FILE_KIND_FILE && info.kind != CT_FILE_KIND_NONE)
        return REFUSE(o, "cannot read the archive: it is not a regular file");
    o->archive->file = ct_os_file_open_data(path, o->error);
    if (o->archive->file < 0)
        return false;
    o->file_bytes = info.size_bytes;
    if (o->file_bytes < sizeof(o->header))
        return REFUSE(o, "cut: found %" PRIu64 " bytes, expected a header of %zu", o->file_bytes,
                      sizeof(o->header));
    return read_exactly(o, 0, &o->header, sizeof(o->header)) && check_identity(o) &&
           check_platform(o, platform) && check_sizes(o);
}

// --- Index ---------------------------------------------------------------------------------------

// Reads the index, whose size the file's size confirms, and points to its arrays.
static bool read_index(opening *o) {
    const ct_archive_header *const h = &o->header;
    ct_archive *const archive = o->archive;
    const uint64_t index_bytes = h->file_bytes - h->index_offset;
    archive->index = ct_alloc(archive->allocator, index_bytes);
    if (!read_exactly(o, h->index_offset, archive->index, index_bytes))
        return false;
    const uint64_t checksum = ct_content_hash(archive->index, index_bytes);
    o->archive->index_checksum = h->index_checksum;
    if (checksum != h->index_checksum)
        return REFUSE(o,
                      "damaged: the checksum of its index is %016" PRIx64 ", expected %016" PRIx64,
                      checksum, h->index_checksum);
    archive->num_chunks = h->num_chunks;
    archive->num_items = h->num_items;
    archive->num_slots = h->num_slots;
    archive->slot_shift = (uint32_t)(64 - __builtin_ctz(h->num_slots));
    archive->chunks = archive->index;
    archive->items = (const ct_archive_item *)(archive->chunks + h->num_chunks);
    archive->slots = (const ct_archive_slot *)(archive->items + h->num_items);
    return true;
}

// Checks that chunks are end to end between header and index, and that each unpacks to an allowed
// size.
static bool check_chunks(const opening *o) {
    ct_archive *const archive = o->archive;
    uint64_t file_offset = sizeof(ct_archive_header), data_offset = 0;
    for (uint32_t i = 0; i < archive->num_chunks; ++i) {
        const ct_archive_chunk *const c = &archive->chunks[i];
        if (c->file_offset != file_offset || c->data_offset != data_offset)
            return REFUSE(o,
                          "chunk %u is at %" PRIu64 " and holds data from %" PRIu64
                          " on; expected %" PRIu64 " and %" PRIu64,
                          i, c->file_offset, c->data_offset, file_offset, data_offset);
        if (c->data_bytes == 0 || c->data_bytes > CT_ARCHIVE_MAX_CHUNK_BYTES ||
            c->packed_bytes > c->data_bytes)
            return REFUSE(
                o, "chunk %u unpacks %u bytes to %u; expected at most %u, and no fewer than packed",
                i, c->packed_bytes, c->data_bytes, (uint32_t)CT_ARCHIVE_MAX_CHUNK_BYTES);
        if (c->data_bytes > (uint64_t)c->packed_bytes * CT_ARCHIVE_MAX_RATIO)
            return REFUSE(
                o,
                "chunk %u unpacks %u bytes to %u, more than %u times its size: a compression bomb",
                i, c->packed_bytes, c->data_bytes, (uint32_t)CT_ARCHIVE_MAX_RATIO);
        if (c->packed_bytes > o->header.index_offset - file_offset)
            return REFUSE(o, "chunk %u of %u bytes overlaps the index", i, c->packed_bytes);
        file_offset += c->packed_bytes;
        data_offset += c->data_bytes;
        if (archive->max_packed_bytes < c->packed_bytes)
            archive->max_packed_bytes = c->packed_bytes;
        if (archive->max_data_bytes < c->data_bytes)
            archive->max_data_bytes = c->data_bytes;
    }
    return file_offset == o->header.index_offset ||
           REFUSE(o, "its chunks end at %" PRIu64 "; expected the start of the index, %" PRIu64,
                  file_offset, o->header.index_offset);
}

static bool check_item(const opening *o, uint32_t i, uint64_t expected_offset) {
    const ct_archive *const archive = o->archive;
    const ct_archive_item *const item = &archive->items[i];
    if (item->size_bytes == 0)
        return (item->data_offset == 0 && item->first_chunk == 0) ||
               REFUSE(o, "item %u is empty, but is in chunk %u", i, item->first_chunk);
    if (item->data_offset != expected_offset)
        return REFUSE(o, "item %u is at %" PRIu64 "; expected %" PRIu64, i, item->data_offset,
                      expected_offset);
    if (item->first_chunk >= archive->num_chunks)
        return REFUSE(o, "item %u is in chunk %u, but there are only %u", i, item->first_chunk,
                      archive->num_chunks);
    const ct_archive_chunk *const first = &archive->chunks[item->first_chunk];
    if (item->data_offset < first->data_offset ||
        item->data_offset - first->data_offset >= first->data_bytes)
        return REFUSE(o, "item %u at %" PRIu64 " is not in chunk %u", i, item->data_offset,
                      item->first_chunk);
    const ct_archive_chunk *const last = &archive->chunks[archive->num_chunks - 1];
    const uint64_t end = last->data_offset + last->data_bytes;
    if (item->size_bytes > end - item->data_offset)
        return REFUSE(o, "item %u of %" PRIu64 " bytes ends after the last chunk", i,
                      item->size_bytes);
    return true;
}

// Checks that items are end to end in the chunks' contents.
static bool check_items(const opening *o) {
    const ct_archive *const archive = o->archive;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < archive->num_items; ++i) {
        if (!check_item(o, i, offset))
            return false;
        offset += archive->items[i].size_bytes;
    }
    const ct_archive_chunk *const last = archive->chunks + archive->num_chunks - 1;
    const uint64_t end = archive->num_chunks > 0 ? last->data_offset + last->data_bytes : 0;
    return offset == end ||
           REFUSE(o, "its items end at %" PRIu64 "; expected the end of the last chunk, %" PRIu64,
                  offset, end);
}

// Checks that every slot is empty or has an item with its key, so that a search ends and finds only
// the right items.
static bool check_slots(const opening *o) {
    const ct_archive *const archive = o->archive;
    uint32_t num_taken = 0;
    for (uint32_t i = 0; i < archive->num_slots; ++i) {
        const ct_archive_slot *const slot = &archive->slots[i];
        if (slot->item == 0 && slot->key == 0 && slot->variant == 0)
            continue;
        if (slot->item == 0 || slot->item > archive->num_items)
            return REFUSE(o, "slot %u of its table has item %u, but there are only %u", i,
                          slot->item, archive->num_items);
        const ct_archive_item *const item = &archive->items[slot->item - 1];
        if (slot->key != ct_resource_id_key(item->id) || slot->variant != item->variant)
            return REFUSE(o, "slot %u of its table has another key than item %u", i,
                          slot->item - 1);
        ++num_taken;
    }
    return num_taken == archive->num_items ||
           REFUSE(o, "its table has %u used slots for %u items", num_taken, archive->num_items);
}

enum { MAX_PLAIN_STEPS = 64 };

// Returns whether a search for the item in slot `i` ends there: no slot before it on the way is
// empty or has the same key. (Also false when the way is long.)
static bool is_plainly_found(const ct_archive *archive, uint32_t i) {
    const ct_archive_slot *const slot = &archive->slots[i];
    uint32_t at = ct_archive_home(slot->key, slot->variant, archive->slot_shift);
    for (uint32_t steps = 0; at != i; ++steps, at = (at + 1) & (archive->num_slots - 1)) {
        const ct_archive_slot *const before = &archive->slots[at];
        if (before->item == 0 || steps == MAX_PLAIN_STEPS ||
            (before->key == slot->key && before->variant == slot->variant))
            return false;
    }
    return true;
}

// Returns whether each used slot is plainly found. Then no item has two slots, and there are as
// many used slots as items: each item is found by its name. This is one pass over the table in its
// order; a search for each item would jump about in it.
static bool are_plainly_found(const ct_archive *archive) {
    for (uint32_t i = 0; i < archive->num_slots; ++i) {
        if (archive->slots[i].item != 0 && !is_plainly_found(archive, i))
            return false;
    }
    return true;
}

// Checks that every item is found by its name: none is stored twice and none is out of reach.
static bool check_names(const opening *o) {
    const ct_archive *const archive = o->archive;
    if (are_plainly_found(archive))
        return true;
    for (uint32_t i = 0; i < archive->num_items; ++i) {
        const ct_archive_item *const item = &archive->items[i];
        const ct_archive_item *const found = ct_archive_find(archive, item->id, item->variant);
        if (found == item)
            continue;
        char name[CT_RESOURCE_FILE_NAME_BYTES];
        ct_resource_file_name(item->id, name);
        return found ? REFUSE(o, "%s is in variant %u twice: items %u and %u", name, item->variant,
                              (uint32_t)(found - archive->items), i)
                     : REFUSE(o, "its table does not lead to item %u, %s", i, name);
    }
    return true;
}

// --- Life ----------------------------------------------------------------------------------------

ct_archive *ct_archive_open(ct_allocator *a, const char *path, const char *platform,
                            ct_error *error) {
    ct_archive *const archive = CT_NEW(a, ct_archive);
    archive->allocator = a;
    archive->path = ct_copy_string(a, path);
    opening o = {.archive = archive, .error = error};
    archive->file = -1;
    if (read_header(&o, path, platform) && read_index(&o) && check_chunks(&o) && check_items(&o) &&
        check_slots(&o) && check_names(&o))
        return archive;
    ct_archive_close(archive);
    return NULL;
}

void ct_archive_close(ct_archive *archive) {
    if (!archive)
        return;
    ct_allocator *const a = archive->allocator;
    if (archive->file >= 0)
        ct_os_file_close(archive->file);
    ct_free(a, archive->index);
    ct_free(a, archive->path);
    ct_free_sized(a, archive, sizeof(*archive));
}
