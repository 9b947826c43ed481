// Prints all that compiled files and archives say, the same on every machine: blob_dump FILE...
//
// It is the loaders' own files with the C library and loader_host.c in place of the engine.
// Built for a machine of the other byte order too, it shows that they read its data as this machine
// reads its own. Exit status 1 and a message on standard error for each file that is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive_values.h"
#include "blob_uses.h"
#include "blob_values.h"
#include "dump_text.h"
#include "foundation/error.h"
#include "resource/catalog.h"
#include "resource/resource_id.h"
#include "resource/types/resource_types.h"

// --- Files ---------------------------------------------------------------------------------------

// The whole file, as the engine's loader has it in memory; freed by the caller.
static void *read_file(const char *path, uint64_t *size_bytes, ct_error *error) {
    FILE *const file = fopen(path, "rb");
    void *bytes = NULL;
    if (!file) {
        ct_error_set(error, "cannot be read");
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    if (size < 0 || posix_memalign(&bytes, CT_BLOB_ALIGN, size > 0 ? (size_t)size : 1) != 0 ||
        fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        ct_error_set(error, "cannot be read");
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *size_bytes = (uint64_t)size;
    return bytes;
}

// What a file is, by its name: "catalog" or "<type>-<name>".
static ct_resource_type type_of(const char *name) {
    static const ct_resource_type catalog = {.name = CT_CATALOG_TYPE,
                                             .version = CT_CATALOG_VERSION,
                                             .layout = &ct_catalog_layout,
                                             .validate = ct_catalog_validate};
    if (strcmp(name, CT_CATALOG_FILE) == 0)
        return catalog;
    const ct_string_id64 id = {strtoull(name, NULL, 16)};
    const ct_resource_type *const type = ct_resource_type_of(id);
    return type ? *type : (ct_resource_type){.name = NULL};
}

static void print_file(const char *name, const char *type) {
    dump_text_place("file");
    dump_text_string(name, strlen(name));
    dump_text_string(type, strlen(type));
    dump_text_line_end();
}

static bool has_suffix(const char *name, const char *suffix) {
    const size_t bytes = strlen(suffix), length = strlen(name);
    return length > bytes && strcmp(name + length - bytes, suffix) == 0;
}

// A stream has no header and no layout. Those that there are hold bytes, which have no order.
static void print_stream(const char *name, const uint8_t *bytes, uint64_t size_bytes) {
    print_file(name, "stream");
    dump_text_place("bytes");
    for (uint64_t i = 0; i < size_bytes; ++i)
        dump_text_number(bytes[i], 1);
    dump_text_line_end();
}

static bool print_blob(const char *name, const void *bytes, uint64_t size_bytes, ct_error *error) {
    const ct_resource_type type = type_of(name);
    if (!type.name)
        return ct_error_set(error, "of no type that is known");
    if (!ct_blob_check_header(bytes, size_bytes, ct_string_id64_of(type.name), type.version,
                              error) ||
        !type.validate(bytes, error))
        return false;
    const uint64_t before = dump_text_num_values();
    print_file(name, type.name);
    if (!blob_values_print(bytes, type.layout, error))
        return false;
    blob_uses_print(type.name, bytes);
    dump_text_place("values");
    dump_text_number(dump_text_num_values() - before, 8);
    dump_text_line_end();
    return true;
}

static bool print_archive(const char *name, const char *path, ct_error *error) {
    const uint16_t one = 1;
    const bool is_little_endian = *(const uint8_t *)&one == 1;
    print_file(name, "archive");
    return archive_values_print(path, is_little_endian ? "linux" : "be64", error);
}

static bool print_path(const char *name, const char *path, ct_error *error) {
    uint64_t size_bytes;
    bool is_right = true;
    if (has_suffix(name, ".archive"))
        return print_archive(name, path, error);
    void *const bytes = read_file(path, &size_bytes, error);
    if (!bytes)
        return false;
    if (has_suffix(name, CT_RESOURCE_STREAM_SUFFIX))
        print_stream(name, bytes, size_bytes);
    else
        is_right = print_blob(name, bytes, size_bytes, error);
    free(bytes);
    return is_right;
}

int main(int argc, char **argv) {
    int status = 0;
    for (int i = 1; i < argc; ++i) {
        const char *const slash = strrchr(argv[i], '/');
        const char *const name = slash ? slash + 1 : argv[i];
        ct_error error = {0};
        if (!print_path(name, argv[i], &error)) {
            fprintf(stderr, "%s: %s\n", name, error.message);
            status = 1;
        }
    }
    dump_text_flush();
    return status;
}
