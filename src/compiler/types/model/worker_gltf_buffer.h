// worker_gltf_buffer.h: the bytes of a glTF file: buffers, inside it or beside it, and views of
// them, as they are or compressed by meshoptimizer (EXT_meshopt_compression).
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Sets `bytes` to those of a buffer view. Returns false after reporting what is wrong.
bool ct_gltf_view(ct_gltf_file *g, uint32_t view, ct_gltf_bytes *bytes);

// Sets `stride` to the distance of elements in a view; 0: without gaps. Returns false after
// reporting an invalid stride.
bool ct_gltf_view_stride(const ct_gltf_file *g, uint32_t view, uint64_t *stride);

// Sets `bytes` to those of a `data:` URI, from the compilation's allocator. Returns false when it
// is not in base64 or is damaged.
bool ct_gltf_data_uri(const ct_gltf_file *g, const char *uri, ct_gltf_bytes *bytes);

// Returns true for a URI that holds its data.
bool ct_gltf_is_data_uri(const char *uri);
