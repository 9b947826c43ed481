#include "dev/serve/serve_manifest.h"

#include <stdio.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "resource/catalog.h"

const char *const ct_serve_engine_files[CT_SERVE_NUM_ENGINE_FILES] = {"cuttle", "cuttle-worker"};

void ct_serve_write_u32(uint32_t value, uint8_t bytes[4]) {
    for (uint32_t i = 0; i < 4; ++i)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

void ct_serve_write_u64(uint64_t value, uint8_t bytes[8]) {
    ct_serve_write_u32((uint32_t)(value >> 32), bytes);
    ct_serve_write_u32((uint32_t)value, bytes + 4);
}

uint32_t ct_serve_read_u32(const uint8_t bytes[4]) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

uint64_t ct_serve_read_u64(const uint8_t bytes[8]) {
    return (uint64_t)ct_serve_read_u32(bytes) << 32 | ct_serve_read_u32(bytes + 4);
}

uint64_t ct_serve_content_key(uint64_t hash, uint32_t size_bytes) {
    return hash ^ (size_bytes * UINT64_C(0x9e3779b97f4a7c15));
}

void ct_serve_file_name(const ct_serve_file *file, char name[CT_RESOURCE_FILE_NAME_BYTES]) {
    switch (file->kind) {
    case CT_SERVE_FILE_KIND_STREAM:
        ct_resource_stream_name(file->id, name);
        return;
    case CT_SERVE_FILE_KIND_CATALOG:
        snprintf(name, CT_RESOURCE_FILE_NAME_BYTES, "%s", CT_CATALOG_FILE);
        return;
    case CT_SERVE_FILE_KIND_ENGINE:
        snprintf(name, CT_RESOURCE_FILE_NAME_BYTES, "%s",
                 ct_serve_engine_files[file->id.name.value]);
        return;
    case CT_SERVE_FILE_KIND_DATA:
    case CT_SERVE_FILE_KIND_COUNT:
        break;
    }
    ct_resource_file_name(file->id, name);
}

void ct_serve_manifest_write(const ct_serve_file *files, uint32_t count, ct_byte_array *out) {
    ct_array_reserve(out, out->count + (uint64_t)count * CT_SERVE_FILE_WIRE_BYTES);
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t bytes[CT_SERVE_FILE_WIRE_BYTES];
        ct_serve_write_u64(files[i].id.type.value, bytes);
        ct_serve_write_u64(files[i].base.value, bytes + 8);
        ct_serve_write_u64(files[i].id.name.value, bytes + 16);
        ct_serve_write_u64(files[i].hash, bytes + 24);
        ct_serve_write_u32(files[i].size_bytes, bytes + 32);
        ct_serve_write_u32((uint32_t)files[i].kind, bytes + 36);
        ct_array_push_many(out, bytes, sizeof(bytes));
    }
}

// --- Reading -------------------------------------------------------------------------------------

static ct_serve_file read_file(const uint8_t *bytes) {
    return (ct_serve_file){.id = {{ct_serve_read_u64(bytes)}, {ct_serve_read_u64(bytes + 16)}},
                           .base = {ct_serve_read_u64(bytes + 8)},
                           .hash = ct_serve_read_u64(bytes + 24),
                           .size_bytes = ct_serve_read_u32(bytes + 32)};
}

static bool check_file(const ct_serve_file *file, uint32_t kind, uint32_t position, uint32_t count,
                       ct_error *error) {
    if (kind >= CT_SERVE_FILE_KIND_COUNT)
        return ct_error_set(error, "file %u of %u is of an unknown kind, %u", position, count,
                            kind);
    if (file->size_bytes == 0)
        return ct_error_set(error, "file %u of %u is empty", position, count);
    if (kind == CT_SERVE_FILE_KIND_ENGINE && file->id.name.value >= CT_SERVE_NUM_ENGINE_FILES)
        return ct_error_set(error, "file %u of %u is an unknown program", position, count);
    return true;
}

// A list has a catalog, as its last, or consists of programs.
static bool check_kinds(const ct_serve_file_array *files, ct_error *error) {
    uint32_t counts[CT_SERVE_FILE_KIND_COUNT] = {0};
    for (uint32_t i = 0; i < files->count; ++i)
        ++counts[files->items[i].kind];
    if (files->count != 0 && counts[CT_SERVE_FILE_KIND_ENGINE] == files->count)
        return true;
    return (counts[CT_SERVE_FILE_KIND_ENGINE] == 0 && counts[CT_SERVE_FILE_KIND_CATALOG] == 1 &&
            files->items[files->count - 1].kind == CT_SERVE_FILE_KIND_CATALOG) ||
           ct_error_set(error, "a list of %u files must end with its only catalog", files->count);
}

static uint64_t place_key(const ct_serve_file *file) {
    return ct_resource_id_key(file->id) + (uint64_t)file->kind;
}

// Data and streams of the same id differ in kind. (Two ids with the same key are as unlikely as two
// names with the same id.)
static bool check_repeated(const ct_serve_file_array *files, ct_error *error) {
    bool result = true;
    ct_hash_map seen;
    ct_hash_map_init(&seen, files->allocator);
    for (uint32_t i = 0; result && i < files->count; ++i)
        result = ct_hash_map_add(&seen, place_key(&files->items[i]), 1) ||
                 ct_error_set(error, "file %u of %u is listed twice", i, files->count);
    ct_hash_map_free(&seen);
    return result;
}

static bool read_files(const uint8_t *bytes, uint32_t count, ct_serve_file_array *files,
                       ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t *const place = bytes + (uint64_t)i * CT_SERVE_FILE_WIRE_BYTES;
        const uint32_t kind = ct_serve_read_u32(place + 36);
        ct_serve_file file = read_file(place);
        if (!check_file(&file, kind, i, count, error))
            return false;
        file.kind = (ct_serve_file_kind)kind;
        ct_array_push(files, file);
    }
    return check_kinds(files, error) && check_repeated(files, error);
}

bool ct_serve_manifest_read(const uint8_t *bytes, uint64_t num_bytes, ct_serve_file_array *files,
                            ct_error *error) {
    files->count = 0;
    if (num_bytes % CT_SERVE_FILE_WIRE_BYTES != 0 ||
        num_bytes / CT_SERVE_FILE_WIRE_BYTES > CT_SERVE_MAX_FILES)
        return ct_error_set(error,
                            "a list of files has %llu bytes; expected a multiple of %d, of at "
                            "most %d files",
                            (unsigned long long)num_bytes, CT_SERVE_FILE_WIRE_BYTES,
                            CT_SERVE_MAX_FILES);
    if (read_files(bytes, (uint32_t)(num_bytes / CT_SERVE_FILE_WIRE_BYTES), files, error))
        return true;
    files->count = 0;
    return false;
}
