#include "render/device/render_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "resource/blob/content_hash.h"

// The checksum covers what follows it.
enum { CHECKED_FROM = offsetof(ct_render_cache_header, data_bytes) };

static uint64_t checksum_of(const ct_render_cache_header *file, uint64_t size_bytes) {
    return ct_content_hash((const char *)file + CHECKED_FROM, size_bytes - CHECKED_FROM);
}

// --- Reading -------------------------------------------------------------------------------------

const void *ct_render_cache_read(const void *bytes, uint64_t size_bytes,
                                 const ct_render_device_identity *identity, uint64_t *data_bytes,
                                 ct_error *error) {
    const ct_render_cache_header *const file = bytes;
    *data_bytes = 0;
    if (size_bytes < sizeof(*file)) {
        ct_error_set(error, "found %" PRIu64 " bytes, expected a header of %zu", size_bytes,
                     sizeof(*file));
        return NULL;
    }
    if (file->magic != CT_RENDER_CACHE_MAGIC) {
        ct_error_set(error, "it is not a pipeline cache");
        return NULL;
    }
    if (file->version != CT_RENDER_CACHE_VERSION) {
        ct_error_set(error, "found version %u, expected %d", file->version,
                     (int)CT_RENDER_CACHE_VERSION);
        return NULL;
    }
    if (file->data_bytes != size_bytes - sizeof(*file)) {
        ct_error_set(error, "found %" PRIu64 " bytes behind the header, expected %" PRIu64,
                     size_bytes - sizeof(*file), file->data_bytes);
        return NULL;
    }
    if (file->checksum != checksum_of(file, size_bytes)) {
        ct_error_set(error, "its checksum does not fit its content");
        return NULL;
    }
    if (memcmp(&file->identity, identity, sizeof(*identity)) != 0) {
        ct_error_set(error, "it is for another device or driver");
        return NULL;
    }
    *data_bytes = file->data_bytes;
    return file + 1;
}

// Makes the cache on the device with this data.
static void create(ct_render_cache *c, const ct_render_device *d, const void *data,
                   uint64_t data_bytes) {
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                            .initialDataSize = data_bytes,
                                            .pInitialData = data};
    ct_render_check(d->vk.CreatePipelineCache(d->handle, &info, &d->callbacks, &c->handle),
                    "vkCreatePipelineCache");
}

static void note_unused(const ct_render_cache *c, const ct_error *error) {
    ct_log_info("render", "the pipeline cache \"%s\" is not used and will be replaced: %s", c->path,
                error->message);
}

void ct_render_cache_open(ct_render_cache *c, const ct_render_device *d, const char *folder) {
    *c = (ct_render_cache){.file_bytes = 0};
    if (folder && *folder) {
        char name[64];
        snprintf(name, sizeof(name), "pipelines_%08x_%08x.cache", d->identity.vendor,
                 d->identity.device);
        ct_path_try_join(c->path, folder, name);
    }
    ct_error error = {0};
    uint64_t size_bytes = 0, data_bytes = 0;
    const void *data = NULL;
    void *bytes = NULL;
    const ct_file_info file = c->path[0] ? ct_os_file_info(c->path) : (ct_file_info){0};
    if (c->path[0] && file.kind != CT_FILE_KIND_NONE) {
        if (file.size_bytes > CT_RENDER_CACHE_MOST_BYTES)
            ct_error_set(&error, "it is too large");
        else
            bytes = ct_file_read(d->allocator, c->path, &size_bytes, &error);
        if (bytes)
            data = ct_render_cache_read(bytes, size_bytes, &d->identity, &data_bytes, &error);
        if (!data)
            note_unused(c, &error);
    }
    create(c, d, data, data_bytes);
    c->file_bytes = data_bytes;
    ct_free(d->allocator, bytes);
}

// --- Writing -------------------------------------------------------------------------------------

// Fills `file`, which has room for `room` bytes of data behind it. False when the driver has none.
static bool fill(const ct_render_cache *c, const ct_render_device *d, ct_render_cache_header *file,
                 uint64_t room) {
    size_t bytes = room;
    const VkResult result = d->vk.GetPipelineCacheData(d->handle, c->handle, &bytes, file + 1);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || bytes == 0 || bytes > room)
        return false;
    *file = (ct_render_cache_header){.magic = CT_RENDER_CACHE_MAGIC,
                                     .version = CT_RENDER_CACHE_VERSION,
                                     .data_bytes = bytes,
                                     .identity = d->identity};
    file->checksum = checksum_of(file, sizeof(*file) + bytes);
    return true;
}

static bool write(const ct_render_cache *c, const ct_render_cache_header *file, ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, c->path);
    if (folder[0] && !ct_folder_create(folder, error))
        return false;
    return ct_file_write(c->path, file, sizeof(*file) + file->data_bytes, false, error);
}

void ct_render_cache_save(ct_render_cache *c, const ct_render_device *d) {
    size_t room = 0;
    if (!c->path[0] || !c->handle)
        return;
    CT_PROFILER_SCOPE("save pipeline cache");
    if (d->vk.GetPipelineCacheData(d->handle, c->handle, &room, NULL) != VK_SUCCESS || room == 0 ||
        room == c->file_bytes || room > CT_RENDER_CACHE_MOST_BYTES - sizeof(ct_render_cache_header))
        return;
    const uint64_t size_bytes = sizeof(ct_render_cache_header) + room;
    ct_render_cache_header *const file = ct_alloc(d->allocator, size_bytes);
    ct_error error = {0};
    if (fill(c, d, file, room)) {
        if (!write(c, file, &error))
            ct_log_warning("render", "pipeline_cache_not_saved",
                           "the pipeline cache was not saved: %s", error.message);
        // Not tried again before there is more to save.
        c->file_bytes = file->data_bytes;
    }
    ct_free(d->allocator, file);
}

void ct_render_cache_close(ct_render_cache *c, const ct_render_device *d) {
    if (d->handle)
        d->vk.DestroyPipelineCache(d->handle, c->handle, &d->callbacks);
    c->handle = VK_NULL_HANDLE;
}
