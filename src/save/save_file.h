// save_file.h: the format of a saved game.
//
// A header, a table of sections, then the bytes of the sections one behind the other without gaps. Each
// section has a type, a version, its size as it is stored and unpacked, and the hash of its stored
// bytes; the header has the hash of itself and of the table. So damage of any byte is found. Large
// sections are packed with zstd, the level that is fastest. In this machine's byte order: the magic
// number is another one on others. Later versions of the format keep the layout of the header and of
// the table, so that a file of theirs is not taken for a damaged one. Any thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

enum {
    CT_SAVE_FILE_VERSION = 1,
    CT_SAVE_MAX_SECTIONS = 256,
};
// Of a file, and of all its sections unpacked, each rounded up to 8 bytes.
#define CT_SAVE_MAX_BYTES (1ull << 30)

// What a section holds.
typedef enum ct_save_section_type {
    CT_SAVE_SECTION_INFO = 1, // a table (save_value.h) about the slot: ct_save_info
    CT_SAVE_SECTION_DATA,     // the game's value (save_value.h)
    CT_SAVE_SECTION_WORLD,    // a world (save_world.h); those of one file are numbered from 0
    CT_SAVE_SECTION_PICTURE,  // a PNG
} ct_save_section_type;

// A section with its bytes, unpacked.
typedef struct ct_save_section {
    uint32_t type, version;
    const void *data;
    uint64_t size_bytes;
} ct_save_section;

// Appends a file of these sections to `out`. Returns false with `error` when they are too many or too
// large.
bool ct_save_file_write(const ct_save_section *sections, uint32_t count, ct_byte_array *out,
                        ct_error *error);

// A file that was read. The sections' bytes are the file's own.
typedef struct ct_save_file {
    ct_allocator *allocator;
    ct_save_section sections[CT_SAVE_MAX_SECTIONS];
    uint32_t count;
    uint8_t *unpacked;
    uint64_t unpacked_bytes;
} ct_save_file;

// Reads a file from its bytes, which it does not keep. Checks everything: sizes, hashes, the values and
// the worlds. Returns NULL with `error` that says what is wrong. With `only_info`, the other sections
// are checked by their hashes only and left out.
ct_save_file *ct_save_file_read(ct_allocator *a, const void *bytes, uint64_t size_bytes,
                                bool only_info, ct_error *error);
void ct_save_file_free(ct_save_file *file); // NULL is fine

// Returns whether the bytes are not those that were written: no saved game, cut off, or with a wrong
// checksum. False for good files, and for those that are whole but cannot be read here: of a later
// version of the format, or of a machine with the other byte order.
bool ct_save_file_is_damaged(ct_allocator *a, const void *bytes, uint64_t size_bytes);

// Returns number `index` (from 0) of the sections of a type, or NULL.
const ct_save_section *ct_save_file_find(const ct_save_file *file, ct_save_section_type type,
                                         uint32_t index);
uint32_t ct_save_file_count(const ct_save_file *file, ct_save_section_type type);

// Prints the file: its info, data and worlds, and the size of its picture. Within an object.
struct ct_sjson_writer;
void ct_save_file_print(const ct_save_file *file, struct ct_sjson_writer *w);
