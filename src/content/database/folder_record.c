#include "content/database/folder_record.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"

#define FOLDER ".cuttle/database"

enum { HASH_TEXT_BYTES = 33 };

void ct_folder_record_init(ct_folder_record *record, ct_allocator *a) {
    *record = (ct_folder_record){.allocator = a};
    ct_array_init(&record->entries, a);
    ct_hash_map_init(&record->by_path, a);
}

static void clear(ct_folder_record *record) {
    for (uint32_t i = 0; i < record->entries.count; ++i)
        ct_free(record->allocator, record->entries.items[i].path);
    record->entries.count = 0;
    ct_hash_map_clear(&record->by_path);
}

void ct_folder_record_free(ct_folder_record *record) {
    clear(record);
    ct_array_free(&record->entries);
    ct_hash_map_free(&record->by_path);
}

const ct_folder_entry *ct_folder_record_find(const ct_folder_record *record, const char *path) {
    const uint64_t key = ct_content_hash(path, strlen(path));
    const uint64_t found = ct_hash_map_get(&record->by_path, key, 0);
    if (!found || strcmp(record->entries.items[found - 1].path, path) != 0)
        return NULL;
    return &record->entries.items[found - 1];
}

void ct_folder_record_set(ct_folder_record *record, const char *path,
                          const ct_database_blob *blob) {
    const ct_folder_entry *const there = ct_folder_record_find(record, path);
    if (there) {
        record->entries.items[there - record->entries.items].blob = *blob;
        return;
    }
    const ct_folder_entry entry = {ct_copy_string(record->allocator, path), *blob};
    ct_array_push(&record->entries, entry);
    ct_hash_map_set(&record->by_path, ct_content_hash(path, strlen(path)), record->entries.count);
}

ct_database_blob ct_folder_record_blob_of(ct_allocator *a, const void *bytes, uint64_t size_bytes) {
    ct_database_blob blob = {.size_bytes = size_bytes};
    ct_content_hasher *const hasher = ct_content_hasher_create(a);
    if (size_bytes > 0)
        ct_content_hasher_add(hasher, bytes, size_bytes);
    ct_content_hasher_finish(hasher, blob.hash);
    return blob;
}

bool ct_folder_record_is_equal(const ct_database_blob *a, const ct_database_blob *b) {
    return a->size_bytes == b->size_bytes && memcmp(a->hash, b->hash, sizeof(a->hash)) == 0;
}

// --- The file --------------------------------------------------------------------------------------

static bool make_path(char path[CT_PATH_BYTES], const char *project, ct_guid branch,
                      ct_error *error) {
    char text[CT_GUID_TEXT_BYTES], name[sizeof(FOLDER) + CT_GUID_TEXT_BYTES + 8];
    ct_guid_format(branch, text);
    snprintf(name, sizeof(name), FOLDER "/%s.json", text);
    return ct_path_try_join(path, project, name) ||
           ct_error_set(error, "%s: the path is too long", project);
}

static bool read_hash(const char *text, uint8_t hash[16]) {
    for (uint32_t i = 0; i < 16; ++i) {
        unsigned value;
        if (strspn(text + (size_t)2 * i, "0123456789abcdef") < 2 ||
            sscanf(text + (size_t)2 * i, "%2x", &value) != 1)
            return false;
        hash[i] = (uint8_t)value;
    }
    return text[32] == 0;
}

static bool read_entry(ct_folder_record *record, const ct_sjson *doc, ct_sjson_value member,
                       ct_error *error) {
    ct_database_blob blob;
    const ct_sjson_value hash = ct_sjson_find(doc, member, "hash");
    const ct_sjson_value bytes = ct_sjson_find(doc, member, "bytes");
    const char *const text = hash.entry ? ct_sjson_string(doc, hash, "") : "";
    const double size = bytes.entry ? ct_sjson_number(doc, bytes, -1) : -1;
    if (!read_hash(text, blob.hash) || !(size >= 0 && size <= 0x1p53))
        return ct_sjson_error(doc, member, error,
                              "expected { hash = 32 hexadecimal digits, bytes = a number }");
    blob.size_bytes = (uint64_t)size;
    ct_folder_record_set(record, ct_sjson_key(doc, member), &blob);
    return true;
}

static bool read_entries(ct_folder_record *record, const ct_sjson *doc, ct_error *error) {
    const ct_sjson_value files = ct_sjson_find(doc, ct_sjson_root(doc), "files");
    if (!files.entry || ct_sjson_type_of(doc, files) != CT_SJSON_TYPE_OBJECT)
        return ct_sjson_error(doc, ct_sjson_root(doc), error, "expected an object \"files\"");
    ct_sjson_value member = ct_sjson_first(doc, files);
    while (member.entry && read_entry(record, doc, member, error))
        member = ct_sjson_next(doc, member);
    return member.entry == 0;
}

bool ct_folder_record_read(ct_folder_record *record, const char *project, ct_guid branch,
                           ct_error *error) {
    char path[CT_PATH_BYTES];
    clear(record);
    record->is_found = false;
    if (!make_path(path, project, branch, error))
        return false;
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return true;
    ct_sjson *const doc = ct_sjson_read(record->allocator, path, path, error);
    record->is_found = doc && read_entries(record, doc, error);
    ct_sjson_free(doc);
    if (!record->is_found)
        clear(record);
    return record->is_found;
}

static void write_entry(ct_sjson_writer *w, const ct_folder_entry *entry) {
    char hash[HASH_TEXT_BYTES];
    for (uint32_t i = 0; i < 16; ++i)
        snprintf(hash + (size_t)2 * i, 3, "%02x", entry->blob.hash[i]);
    ct_sjson_write_key(w, entry->path);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "hash", hash);
    ct_sjson_member_number(w, "bytes", (double)entry->blob.size_bytes);
    ct_sjson_end_object(w);
}

bool ct_folder_record_write(const ct_folder_record *record, const char *project, ct_guid branch,
                            ct_error *error) {
    char path[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    if (!make_path(path, project, branch, error))
        return false;
    ct_path_folder(folder, path);
    if (!ct_folder_create(folder, error))
        return false;
    ct_string_builder text;
    ct_string_builder_init(&text, record->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_PRETTY_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "files");
    ct_sjson_begin_object(&w);
    for (uint32_t i = 0; i < record->entries.count; ++i)
        write_entry(&w, &record->entries.items[i]);
    ct_sjson_end_object(&w);
    ct_sjson_end_object(&w);
    const bool is_written =
        ct_file_write(path, ct_string_builder_text(&text), text.length, false, error);
    ct_string_builder_free(&text);
    return is_written;
}
