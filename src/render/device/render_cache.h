// render_cache.h: the driver's pipeline cache, and the file that keeps it from run to run.
//
// The file has a header of our own before what the driver gave: a damaged file, or one for another
// device or driver, never reaches the driver. Files are written beside and renamed, so programs
// that share one only ever see whole ones; the last to write wins.
#pragma once
#include "foundation/os/path.h"
#include "render/device/render_device.h"

enum {
    CT_RENDER_CACHE_MAGIC = 0x43505443, // "CTPC", in the order of bytes of the machine
    CT_RENDER_CACHE_VERSION = 1,
};

// No driver gives more, and no file is larger.
#define CT_RENDER_CACHE_MOST_BYTES (512ull << 20)

// What is before the driver's data in the file.
typedef struct ct_render_cache_header {
    uint32_t magic, version;
    uint64_t checksum;   // ct_content_hash of all that follows, to the end of the file
    uint64_t data_bytes; // of the driver's data, up to the end of the file
    ct_render_device_identity identity;
    uint32_t padding; // 0
} ct_render_cache_header;

// A pipeline cache on a device.
typedef struct ct_render_cache {
    VkPipelineCache handle;
    char path[CT_PATH_BYTES]; // of its file; empty: it has none
    uint64_t file_bytes;      // of the driver's data in the file as last read or written
} ct_render_cache;

// Returns the driver's data in a file's bytes (aligned to 8), and its size; NULL with an `error`
// when the file is damaged or for another device or driver. The data lies in `bytes`. libc only.
const void *ct_render_cache_read(const void *bytes, uint64_t size_bytes,
                                 const ct_render_device_identity *identity, uint64_t *data_bytes,
                                 ct_error *error);

// Makes a cache on the device with what the file in `folder` has, which is kept for saving. `folder`
// NULL or empty: no file. A file that cannot be used is left aside with a log line, and replaced
// when the cache is saved.
void ct_render_cache_open(ct_render_cache *c, const ct_render_device *d, const char *folder);

// Writes the file when the driver has another amount of data than it. Makes the folder when it is missing.
// Failures are logged. A thread that may call functions of `d`; pipelines may be made meanwhile.
void ct_render_cache_save(ct_render_cache *c, const ct_render_device *d);

// Destroys the cache, without saving.
void ct_render_cache_close(ct_render_cache *c, const ct_render_device *d);
