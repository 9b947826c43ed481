// worker_gltf_accessor.h: the elements of glTF accessors, as the specification has them: of any
// component type, normalized, interleaved, sparse, or filled with zeros (glTF 2.0, 3.6.2).
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Sets `floats` to the elements of an accessor of scalars, vectors or 4x4 matrices: `count` times num_components
// of them, one after the other; read once for each accessor. Normalized integers become 0 to 1, or
// -1 to 1; others the numbers they are. Returns false after reporting what is wrong.
bool ct_gltf_read_floats(ct_gltf_file *g, uint32_t accessor, ct_gltf_floats *floats);

// Sets `count` to the number of elements of an accessor. Returns false after reporting.
bool ct_gltf_accessor_count(const ct_gltf_file *g, uint32_t accessor, uint32_t *count);

// Sets `indices` to the elements of an accessor of unsigned scalars; from the compilation's
// allocator. Returns false after reporting what is wrong.
bool ct_gltf_read_indices(ct_gltf_file *g, uint32_t accessor, const uint32_t **indices,
                          uint32_t *count);
