// serve_manifest.h: the list of files that the file server announces.
//
// A file is named by ids, never by a path: its name on disk is made of them, so that no name from
// outside leads anywhere else. Its content is named by XXH3-64 and size. On the wire a file is 40
// bytes, all numbers big-endian: type, base, name, hash (64 bits each), size, kind (32 bits each).
// The catalog, without which the engine does not find the rest, is last. Plain data; any thread.
#pragma once
#include "foundation/container/array.h"
#include "resource/resource_id.h"

enum { CT_SERVE_FILE_WIRE_BYTES = 40, CT_SERVE_MAX_FILES = 1 << 20 };

typedef enum ct_serve_file_kind {
    CT_SERVE_FILE_KIND_DATA,
    CT_SERVE_FILE_KIND_STREAM,
    CT_SERVE_FILE_KIND_CATALOG,
    CT_SERVE_FILE_KIND_ENGINE, // a program: `name` is its position among ct_serve_engine_files
    CT_SERVE_FILE_KIND_COUNT,
} ct_serve_file_kind;

typedef struct ct_serve_file {
    ct_resource_id id;   // of the variant; {0} for the catalog
    ct_string_id64 base; // of the resource whose variant it is
    uint64_t hash;       // XXH3-64 of the content
    uint32_t size_bytes; // not 0
    ct_serve_file_kind kind;
} ct_serve_file;

typedef CT_ARRAY(ct_serve_file) ct_serve_file_array;

// The programs of an engine that are served, by name.
enum { CT_SERVE_NUM_ENGINE_FILES = 2 };
extern const char *const ct_serve_engine_files[CT_SERVE_NUM_ENGINE_FILES];

// Returns one number for a content, as a key of hash maps and file names.
uint64_t ct_serve_content_key(uint64_t hash, uint32_t size_bytes);

// Writes the file's name in its folder.
void ct_serve_file_name(const ct_serve_file *file, char name[CT_RESOURCE_FILE_NAME_BYTES]);

// Appends the files as they are on the wire.
void ct_serve_manifest_write(const ct_serve_file *files, uint32_t count, ct_byte_array *out);

// Reads a list from the wire to `files`, which is emptied first. Returns false with `error`, and an
// empty list, when it is not whole, has a file twice, one without content or of an unknown kind, or
// neither ends with its only catalog nor consists of programs.
bool ct_serve_manifest_read(const uint8_t *bytes, uint64_t num_bytes, ct_serve_file_array *files,
                            ct_error *error);

// Write and read big-endian numbers.
void ct_serve_write_u32(uint32_t value, uint8_t bytes[4]);
void ct_serve_write_u64(uint64_t value, uint8_t bytes[8]);
uint32_t ct_serve_read_u32(const uint8_t bytes[4]);
uint64_t ct_serve_read_u64(const uint8_t bytes[8]);
