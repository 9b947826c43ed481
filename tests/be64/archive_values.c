#include "archive_values.h"

#include <stdlib.h>

#include "dump_text.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "loader_host.h"
#include "resource/archive/archive.h"
#include "resource/blob/content_hash.h"

static void print_item(const ct_archive *archive, uint32_t i) {
    const ct_archive_item *const item = &archive->items[i];
    const ct_archive_item *const found = ct_archive_find(archive, item->id, item->variant);
    dump_text_place_at("items", i);
    dump_text_number(item->id.type.value, 8);
    dump_text_number(item->id.name.value, 8);
    dump_text_number(item->data_offset, 8);
    dump_text_number(item->size_bytes, 8);
    dump_text_number(item->content_hash, 8);
    dump_text_number(item->variant, 4);
    dump_text_number(item->first_chunk, 4);
    dump_text_number(found ? (uint32_t)(found - archive->items) : UINT32_MAX, 4);
    dump_text_line_end();
}

static bool print_chunk(const ct_archive *archive, uint32_t i, ct_error *error) {
    const ct_archive_chunk *const chunk = &archive->chunks[i];
    uint8_t *const bytes = malloc(chunk->packed_bytes);
    if (!bytes || ct_os_file_read_at(archive->file, chunk->file_offset, bytes,
                                     chunk->packed_bytes) != (int64_t)chunk->packed_bytes) {
        free(bytes);
        return ct_error_set(error, "chunk %u cannot be read", i);
    }
    const uint64_t hash = ct_content_hash(bytes, chunk->packed_bytes);
    free(bytes);
    dump_text_place_at("chunks", i);
    dump_text_number(chunk->file_offset, 8);
    dump_text_number(chunk->data_offset, 8);
    dump_text_number(chunk->checksum, 8);
    dump_text_number(chunk->packed_bytes, 4);
    dump_text_number(chunk->data_bytes, 4);
    dump_text_number(hash, 8);
    dump_text_line_end();
    return hash == chunk->checksum || ct_error_set(error, "chunk %u is damaged", i);
}

bool archive_values_print(const char *path, const char *platform, ct_error *error) {
    ct_archive *const archive = ct_archive_open(loader_host_allocator(), path, platform, error);
    bool is_right = archive != NULL;
    for (uint32_t i = 0; is_right && i < archive->num_items; ++i)
        print_item(archive, i);
    for (uint32_t i = 0; is_right && i < archive->num_slots; ++i) {
        dump_text_place_at("slots", i);
        dump_text_number(archive->slots[i].key, 8);
        dump_text_number(archive->slots[i].item, 4);
        dump_text_number(archive->slots[i].variant, 4);
        dump_text_line_end();
    }
    for (uint32_t i = 0; is_right && i < archive->num_chunks; ++i)
        is_right = print_chunk(archive, i, error);
    ct_archive_close(archive);
    return is_right;
}
