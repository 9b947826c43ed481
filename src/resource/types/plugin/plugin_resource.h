// plugin_resource.h: the blob of a resource whose type a plugin adds (include/cuttle/resource_types.h):
// bytes that only the plugin knows.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_PLUGIN_RESOURCE_VERSION = 1 };

typedef struct ct_plugin_resource {
    ct_blob_header header; // its version is that of this struct
    uint32_t version;      // of the plugin's type
    uint32_t padding;
    ct_blob_array data; // bytes, at a multiple of 16; at least one
} ct_plugin_resource;

extern const ct_blob_layout ct_plugin_resource_layout;

// Validates a blob of such a type after its header was checked. Returns false with `error`. The plugin
// checks the data itself. libc only.
bool ct_plugin_resource_validate(const void *blob, ct_error *error);
