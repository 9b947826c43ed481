#include "compiler/driver/compiler_run.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/types/resource_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Names ---------------------------------------------------------------------------------------

void ct_run_file_name(ct_resource_id id, ct_run_file_kind kind,
                      char name[CT_RESOURCE_FILE_NAME_BYTES]) {
    if (kind == CT_RUN_FILE_KIND_STREAM)
        ct_resource_stream_name(id, name);
    else
        ct_resource_file_name(id, name);
}

// The form of the temporary files of ct_file_write: `.<process>-<thread>.tmp`.
static bool is_temporary_name(const char *name) {
    const size_t length = strlen(name);
    if (length < 8 || name[0] != '.' || strcmp(name + length - 4, ".tmp") != 0)
        return false;
    for (size_t i = 1; i < length - 4; ++i)
        if (!strchr("0123456789abcdef-", name[i]))
            return false;
    return true;
}

// True while the process that made the temporary file lives: two may compile into one folder.
static bool is_being_written(const char *name) {
    const int64_t pid = (int64_t)strtoull(name + 1, NULL, 16);
    return pid != ct_os_process_id() && ct_os_process_exists(pid);
}

// --- Listing -------------------------------------------------------------------------------------

static void visit_data(void *user, const char *name, const ct_file_info *info) {
    ct_run *run = user;
    char path[CT_PATH_BYTES];
    ct_run_data_file file = {.stamp = ct_file_stamp_of(info)};
    if (is_temporary_name(name)) {
        if (!is_being_written(name) &&
            ct_path_try_join(path, run->compiler->data_folder, name)) // of an interrupted run
            ct_os_file_remove(path, NULL);
        return;
    }
    bool is_stream = false;
    if (!ct_resource_file_name_read(name, &file.id, &is_stream))
        return;
    file.kind = is_stream ? CT_RUN_FILE_KIND_STREAM : CT_RUN_FILE_KIND_DATA;
    ct_array_push(&run->data_files, file);
    ct_hash_map_set(&run->data_by_id[file.kind], ct_resource_id_key(file.id),
                    run->data_files.count);
}

static void read_data(void *user) {
    ct_run *run = user;
    run->old_index = ct_data_index_read(run->compiler->allocator, run->compiler->data_folder, NULL);
    const uint32_t num_expected = run->old_index ? run->old_index->entries.count : 0;
    ct_array_reserve(&run->data_files, num_expected);
    ct_hash_map_reserve(&run->data_by_id[CT_RUN_FILE_KIND_DATA], num_expected);
    run->is_data_listed =
        ct_os_folder_list_infos(run->compiler->data_folder, visit_data, run, &run->data_error);
}

void ct_run_start_reading_data(ct_run *run) {
    run->data_thread = ct_thread_start("compiled data", read_data, run);
}

bool ct_run_end_reading_data(ct_run *run, ct_error *error) {
    ct_thread_join(run->data_thread);
    if (!run->is_data_listed && error)
        *error = run->data_error;
    return run->is_data_listed;
}

void ct_run_find_data(ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        ct_run_resource *const r = &run->resources.items[i];
        for (ct_run_file_kind kind = 0; kind < CT_RUN_FILE_KIND_COUNT; ++kind) {
            const uint64_t at =
                ct_hash_map_get(&run->data_by_id[kind], ct_resource_id_key(r->id), 0);
            if (at > 0 && ct_resource_id_equal(run->data_files.items[at - 1].id, r->id))
                r->data_files[kind] = (uint32_t)at;
        }
    }
}

ct_run_data_file *ct_run_data_file_of(const ct_run *run, const ct_run_resource *resource,
                                      ct_run_file_kind kind) {
    const uint32_t at = resource->data_files[kind];
    return at > 0 ? &run->data_files.items[at - 1] : NULL;
}

// --- Content -------------------------------------------------------------------------------------

static uint64_t hash_data_file(ct_run *run, const ct_run_data_file *file, const char *cache_name) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, run->compiler->data_folder, cache_name + 1);
    const int64_t now_ns = ct_os_wall_time_ns();
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(run->compiler->allocator, path, &size_bytes, NULL);
    if (!data)
        return 0;
    const uint64_t hash = ct_content_hash(data, size_bytes);
    ct_free(run->compiler->allocator, data);
    ct_stat_cache_set(&run->compiler->cache, cache_name, file->stamp, hash, now_ns);
    return hash;
}

uint64_t ct_run_data_hash(ct_run *run, const ct_run_resource *resource, ct_run_file_kind kind) {
    const ct_run_data_file *const file = ct_run_data_file_of(run, resource, kind);
    if (!file)
        return 0;
    char cache_name[CT_RESOURCE_FILE_NAME_BYTES + 1] = ":"; // no project path starts so
    ct_run_file_name(resource->id, kind, cache_name + 1);
    uint64_t hash = 0;
    if (ct_stat_cache_find(&run->compiler->cache, cache_name, file->stamp, &hash))
        return hash;
    return hash_data_file(run, file, cache_name);
}

// Whether this is a whole blob of the type and of today's layout, whatever its byte order.
static bool is_whole_blob(ct_blob_header *header, uint64_t size_bytes, ct_byte_order order,
                          const ct_resource_type *type) {
    if (size_bytes < sizeof(*header))
        return false;
    if (order == CT_BYTE_ORDER_BIG) {
        header->magic = __builtin_bswap32(header->magic);
        header->version = __builtin_bswap32(header->version);
        header->type.value = __builtin_bswap64(header->type.value);
        header->size_bytes = __builtin_bswap64(header->size_bytes);
        header->checksum = __builtin_bswap64(header->checksum);
    }
    return ct_blob_check_header(header, size_bytes, ct_string_id64_of(type->name), type->version,
                                NULL);
}

bool ct_run_has_whole_data(const ct_run *run, const ct_run_resource *resource) {
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_run_file_name(resource->id, CT_RUN_FILE_KIND_DATA, name);
    ct_path_join(path, run->compiler->data_folder, name);
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(run->compiler->allocator, path, &size_bytes, NULL);
    const bool result =
        data && is_whole_blob((ct_blob_header *)(void *)data, size_bytes,
                              ct_platform_named(run->compiler->platform)->byte_order,
                              ct_resource_type_named(resource->type->name));
    ct_free(run->compiler->allocator, data);
    return result;
}

void ct_run_remove_unwanted_data(ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const r = &run->resources.items[i];
        ct_run_data_file *const data = ct_run_data_file_of(run, r, CT_RUN_FILE_KIND_DATA);
        ct_run_data_file *const stream = ct_run_data_file_of(run, r, CT_RUN_FILE_KIND_STREAM);
        if (data)
            data->is_wanted = r->data_hash != 0;
        if (stream)
            stream->is_wanted = r->stream_hash != 0;
    }
    for (uint32_t i = 0; i < run->data_files.count; ++i) {
        if (run->data_files.items[i].is_wanted)
            continue;
        char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
        ct_run_file_name(run->data_files.items[i].id, run->data_files.items[i].kind, name);
        ct_path_join(path, run->compiler->data_folder, name);
        ct_os_file_remove(path, NULL);
    }
}

// --- Files that were written ---------------------------------------------------------------------

static void note_file(ct_run *run, const ct_run_resource *resource, ct_run_file_kind kind,
                      ct_file_stamp stamp, uint64_t hash, int64_t now_ns) {
    char name[CT_RESOURCE_FILE_NAME_BYTES + 1] = ":", path[CT_PATH_BYTES];
    if (stamp.inode == 0)
        return;
    ct_run_file_name(resource->id, kind, name + 1);
    if (ct_run_data_file_of(run, resource, kind)) { // it was written under another name
        ct_path_join(path, run->compiler->data_folder, name + 1);
        const ct_file_info info = ct_os_file_info(path);
        stamp.changed_ns = info.changed_ns; // to take its place under its name changed it
        if (!ct_file_stamp_equal(stamp, ct_file_stamp_of(&info)))
            return;
    }
    ct_stat_cache_set(&run->compiler->cache, name, stamp, hash, now_ns);
}

// In the order in which the next run asks for them.
void ct_run_note_written_data(ct_run *run) {
    const int64_t now_ns = ct_os_wall_time_ns();
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const resource = &run->resources.items[i];
        note_file(run, resource, CT_RUN_FILE_KIND_DATA, resource->data_stamp, resource->data_hash,
                  now_ns);
        note_file(run, resource, CT_RUN_FILE_KIND_STREAM, resource->stream_stamp,
                  resource->stream_hash, now_ns);
    }
}
