#include "save/save_file.h"

#include <string.h>

#include <zstd.h>

#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"
#include "save/save_value.h"
#include "save/save_world.h"

enum { PACK_FROM_BYTES = 256, PACK_LEVEL = 1, ALIGN = 8 };

static const uint32_t magic = 0x56535443;       // "CTSV"
static const uint32_t other_magic = 0x43545356; // the same on a machine with the other byte order

typedef struct file_header {
    uint32_t magic, version;
    uint32_t num_sections, padding;
    uint64_t size_bytes;
    uint64_t hash; // of header and table, with 0 here
} file_header;

typedef struct file_section {
    uint32_t type, version;
    uint32_t is_packed, padding;
    uint64_t offset, stored_bytes, size_bytes;
    uint64_t hash; // of the stored bytes
} file_section;

// --- Writing -------------------------------------------------------------------------------------

// Appends the bytes of a section, packed where that makes them smaller.
static bool add_section(const ct_save_section *section, file_section *entry, ct_byte_array *out,
                        ct_error *error) {
    const uint64_t bytes = section->size_bytes, begin = out->count;
    const uint64_t bound = bytes >= PACK_FROM_BYTES ? ZSTD_compressBound(bytes) : bytes;
    if (begin + bound > CT_SAVE_MAX_BYTES)
        return ct_error_set(error, "the game takes more than %llu bytes",
                            (unsigned long long)CT_SAVE_MAX_BYTES);
    ct_array_reserve(out, (uint32_t)(begin + bound));
    uint64_t stored = bytes;
    bool is_packed = false;
    if (bytes >= PACK_FROM_BYTES && section->type != CT_SAVE_SECTION_PICTURE) {
        stored = ZSTD_compress(out->items + begin, bound, section->data, bytes, PACK_LEVEL);
        is_packed = !ZSTD_isError(stored) && stored < bytes;
    }
    if (!is_packed) {
        stored = bytes;
        if (bytes > 0)
            memcpy(out->items + begin, section->data, bytes);
    }
    out->count = (uint32_t)(begin + stored);
    *entry = (file_section){.type = section->type,
                            .version = section->version,
                            .is_packed = is_packed,
                            .offset = begin,
                            .stored_bytes = stored,
                            .size_bytes = bytes,
                            .hash = ct_content_hash(out->items + begin, stored)};
    return true;
}

bool ct_save_file_write(const ct_save_section *sections, uint32_t count, ct_byte_array *out,
                        ct_error *error) {
    if (count > CT_SAVE_MAX_SECTIONS)
        return ct_error_set(error, "found %u parts of a saved game; expected at most %d", count,
                            CT_SAVE_MAX_SECTIONS);
    CT_ASSERT(out->count == 0, "the file begins at byte %u", out->count);
    const uint32_t head_bytes = (uint32_t)(sizeof(file_header) + count * sizeof(file_section));
    uint64_t all_bytes = 0;
    for (uint32_t i = 0; i < count; ++i)
        all_bytes += ct_round_up(sections[i].size_bytes, ALIGN);
    if (all_bytes > CT_SAVE_MAX_BYTES)
        return ct_error_set(error, "the game takes %llu bytes; expected at most %llu",
                            (unsigned long long)all_bytes, (unsigned long long)CT_SAVE_MAX_BYTES);
    ct_array_resize(out, head_bytes);
    memset(out->items, 0, head_bytes);
    for (uint32_t i = 0; i < count; ++i) {
        file_section entry;
        if (!add_section(&sections[i], &entry, out, error))
            return false;
        memcpy(out->items + sizeof(file_header) + i * sizeof(entry), &entry, sizeof(entry));
    }
    file_header header = {.magic = magic,
                          .version = CT_SAVE_FILE_VERSION,
                          .num_sections = count,
                          .size_bytes = out->count};
    memcpy(out->items, &header, sizeof(header));
    header.hash = ct_content_hash(out->items, head_bytes);
    memcpy(out->items, &header, sizeof(header));
    return true;
}

// --- The check of all bytes ----------------------------------------------------------------------

static bool check_header(const uint8_t *bytes, uint64_t size_bytes, file_header *header,
                         ct_error *error) {
    if (size_bytes < sizeof(*header))
        return ct_error_set(error, "found %llu bytes; expected a saved game",
                            (unsigned long long)size_bytes);
    memcpy(header, bytes, sizeof(*header));
    if (header->magic == other_magic)
        return ct_error_set(error, "found a saved game of a machine with the other byte order");
    if (header->magic != magic)
        return ct_error_set(error, "found the start 0x%08x; expected a saved game", header->magic);
    if (header->size_bytes != size_bytes)
        return ct_error_set(error, "found %llu bytes; expected %llu: the file was cut off",
                            (unsigned long long)size_bytes, (unsigned long long)header->size_bytes);
    const uint64_t head_bytes =
        sizeof(*header) + (uint64_t)header->num_sections * sizeof(file_section);
    if (header->num_sections > CT_SAVE_MAX_SECTIONS || head_bytes > size_bytes)
        return ct_error_set(error, "found %u sections; the header is damaged",
                            header->num_sections);
    return true;
}

static bool check_head_hash(ct_allocator *a, const uint8_t *bytes, const file_header *header,
                            ct_error *error) {
    const uint64_t head_bytes = sizeof(*header) + header->num_sections * sizeof(file_section);
    file_header without = *header;
    without.hash = 0;
    uint8_t *const copy = ct_alloc(a, head_bytes);
    memcpy(copy, bytes, head_bytes);
    memcpy(copy, &without, sizeof(without));
    const uint64_t hash = ct_content_hash(copy, head_bytes);
    ct_free_sized(a, copy, head_bytes);
    return hash == header->hash ||
           ct_error_set(error, "the header is damaged: its checksum is another one");
}

// Checks that the sections fill the file, one behind the other, and their hashes.
static bool check_sections(const uint8_t *bytes, const file_header *header,
                           const file_section *sections, ct_error *error) {
    uint64_t next = sizeof(*header) + header->num_sections * sizeof(*sections);
    for (uint32_t i = 0; i < header->num_sections; ++i) {
        const file_section *const s = &sections[i];
        if (s->offset != next || s->stored_bytes > header->size_bytes - next)
            return ct_error_set(error, "section %u is not where it should be", i);
        if (ct_content_hash(bytes + s->offset, s->stored_bytes) != s->hash)
            return ct_error_set(error, "section %u is damaged: its checksum is another one", i);
        next += s->stored_bytes;
    }
    return next == header->size_bytes || ct_error_set(error, "the sections do not fill the file");
}

// Checks that the bytes are those that were written; gives the header and the table.
static bool check_whole(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes,
                        file_header *header, file_section *sections, ct_error *error) {
    if (!check_header(bytes, size_bytes, header, error) ||
        !check_head_hash(a, bytes, header, error))
        return false;
    memcpy(sections, bytes + sizeof(*header), sizeof(*sections) * header->num_sections);
    return check_sections(bytes, header, sections, error);
}

bool ct_save_file_is_damaged(ct_allocator *a, const void *bytes, uint64_t size_bytes) {
    file_header header = {0};
    file_section sections[CT_SAVE_MAX_SECTIONS];
    return !check_whole(a, bytes, size_bytes, &header, sections, NULL) &&
           header.magic != other_magic;
}

// --- Reading -------------------------------------------------------------------------------------

// Checks what this version of the format expects of the header and the table.
static bool check_format(const file_header *header, const file_section *sections, ct_error *error) {
    uint64_t all_bytes = 0;
    if (header->version != CT_SAVE_FILE_VERSION)
        return ct_error_set(error, "found version %u of the format of saved games; expected %d",
                            header->version, CT_SAVE_FILE_VERSION);
    for (uint32_t i = 0; i < header->num_sections; ++i) {
        const file_section *const s = &sections[i];
        if (!s->is_packed && s->size_bytes != s->stored_bytes)
            return ct_error_set(error, "section %u has %llu bytes; expected %llu", i,
                                (unsigned long long)s->stored_bytes,
                                (unsigned long long)s->size_bytes);
        all_bytes += s->size_bytes <= CT_SAVE_MAX_BYTES ? ct_round_up(s->size_bytes, ALIGN)
                                                        : CT_SAVE_MAX_BYTES + 1;
    }
    return all_bytes <= CT_SAVE_MAX_BYTES ||
           ct_error_set(error, "the sections take more than %llu bytes unpacked",
                        (unsigned long long)CT_SAVE_MAX_BYTES);
}

static bool unpack(const uint8_t *bytes, const file_section *s, uint32_t index, uint8_t *to,
                   ct_error *error) {
    if (!s->is_packed) {
        memcpy(to, bytes + s->offset, s->stored_bytes);
        return true;
    }
    const size_t got = ZSTD_decompress(to, s->size_bytes, bytes + s->offset, s->stored_bytes);
    if (ZSTD_isError(got))
        return ct_error_set(error, "cannot unpack section %u: %s", index, ZSTD_getErrorName(got));
    return got == s->size_bytes || ct_error_set(error, "section %u has %zu bytes; expected %llu",
                                                index, got, (unsigned long long)s->size_bytes);
}

static bool check_contents(const ct_save_file *file, bool only_info, ct_error *error) {
    const uint32_t num_worlds = ct_save_file_count(file, CT_SAVE_SECTION_WORLD);
    const ct_save_section *const info = ct_save_file_find(file, CT_SAVE_SECTION_INFO, 0);
    const ct_save_section *const data = ct_save_file_find(file, CT_SAVE_SECTION_DATA, 0);
    if (!info || (!data && !only_info))
        return ct_error_set(error, "the file has no section with %s", info ? "data" : "its info");
    ct_error inner = {0};
    if (!ct_save_value_check(info->data, info->size_bytes, 0, &inner))
        return ct_error_set(error, "the section with info: %.400s", inner.message);
    if (*(const uint8_t *)info->data != CT_SAVE_TABLE)
        return ct_error_set(error, "the section with info is no table");
    if (only_info)
        return true;
    if (!ct_save_value_check(data->data, data->size_bytes, num_worlds, &inner))
        return ct_error_set(error, "the section with data: %.400s", inner.message);
    for (uint32_t i = 0; i < num_worlds; ++i) {
        const ct_save_section *const world = ct_save_file_find(file, CT_SAVE_SECTION_WORLD, i);
        if (!ct_saved_world_check(world->data, world->size_bytes, &inner))
            return ct_error_set(error, "world %u: %.400s", i + 1, inner.message);
    }
    return true;
}

static bool read_sections(ct_save_file *file, const uint8_t *bytes, const file_section *sections,
                          uint32_t count, bool only_info, ct_error *error) {
    uint64_t all_bytes = ALIGN, next = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!only_info || sections[i].type == CT_SAVE_SECTION_INFO)
            all_bytes += ct_round_up(sections[i].size_bytes, ALIGN);
    }
    file->unpacked_bytes = all_bytes;
    file->unpacked = ct_alloc(file->allocator, file->unpacked_bytes);
    for (uint32_t i = 0; i < count; ++i) {
        const file_section *const s = &sections[i];
        if (only_info && s->type != CT_SAVE_SECTION_INFO)
            continue;
        if (!unpack(bytes, s, i, file->unpacked + next, error))
            return false;
        file->sections[file->count++] =
            (ct_save_section){s->type, s->version, file->unpacked + next, s->size_bytes};
        next += ct_round_up(s->size_bytes, ALIGN);
    }
    return check_contents(file, only_info, error);
}

ct_save_file *ct_save_file_read(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                                bool only_info, ct_error *error) {
    file_header header;
    file_section sections[CT_SAVE_MAX_SECTIONS];
    if (!check_whole(a, bytes, size_bytes, &header, sections, error) ||
        !check_format(&header, sections, error))
        return NULL;
    ct_save_file *const file = ct_alloc(a, sizeof(*file));
    *file = (ct_save_file){.allocator = a};
    if (read_sections(file, bytes, sections, header.num_sections, only_info, error))
        return file;
    ct_save_file_free(file);
    return NULL;
}

void ct_save_file_free(ct_save_file *file) {
    if (!file)
        return;
    if (file->unpacked)
        ct_free_sized(file->allocator, file->unpacked, file->unpacked_bytes);
    ct_free_sized(file->allocator, file, sizeof(*file));
}

const ct_save_section *ct_save_file_find(const ct_save_file *file, ct_save_section_type type,
                                         uint32_t index) {
    for (uint32_t i = 0; i < file->count; ++i) {
        if (file->sections[i].type == type && index-- == 0)
            return &file->sections[i];
    }
    return NULL;
}

uint32_t ct_save_file_count(const ct_save_file *file, ct_save_section_type type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->count; ++i)
        count += file->sections[i].type == type;
    return count;
}

// --- Printing ------------------------------------------------------------------------------------

void ct_save_file_print(const ct_save_file *file, ct_sjson_writer *w) {
    const ct_save_section *const data = ct_save_file_find(file, CT_SAVE_SECTION_DATA, 0);
    const ct_save_section *const picture = ct_save_file_find(file, CT_SAVE_SECTION_PICTURE, 0);
    ct_save_reader r = {ct_save_file_find(file, CT_SAVE_SECTION_INFO, 0)->data};
    ct_sjson_write_key(w, "info");
    ct_save_print(&r, w);
    if (picture)
        ct_sjson_member_number(w, "picture_bytes", (double)picture->size_bytes);
    if (data) {
        r.at = data->data;
        ct_sjson_write_key(w, "data");
        ct_save_print(&r, w);
    }
    ct_sjson_write_key(w, "worlds");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < ct_save_file_count(file, CT_SAVE_SECTION_WORLD); ++i)
        ct_saved_world_print(ct_save_file_find(file, CT_SAVE_SECTION_WORLD, i)->data, w);
    ct_sjson_end_array(w);
}
