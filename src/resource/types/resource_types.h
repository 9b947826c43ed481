// resource_types.h: the one table of resource types.
//
// A type is here once, with its layout's version, its schema and the function that validates a
// blob. The compiler adds compile functions (compiler_types.h); systems register what happens when
// a resource comes and goes (resource_manager.h).
#pragma once
#include "resource/blob/blob_layout.h"
#include "resource/schema/schema.h"

typedef struct ct_resource_type {
    const char *name;             // "texture": also the source file's extension
    ct_string_id64 id;            // of the name (`cuttle hash`)
    uint32_t version;             // of the blob's layout
    const ct_schema *schema;      // of the source; NULL for Lua, configs and strings: free-form
    const ct_blob_layout *layout; // of the blob
    // Checks every offset, count and enum of a blob whose header is right. libc only.
    bool (*validate)(const void *blob, ct_error *error);
    // What a valid blob says of its stream; NULL: none of this type has one.
    const ct_blob_stream *(*stream)(const void *blob);
} ct_resource_type;

// All types; `count` is set.
const ct_resource_type *ct_resource_types(uint32_t *count);

// The type of this name or id, or NULL.
const ct_resource_type *ct_resource_type_named(const char *name);
const ct_resource_type *ct_resource_type_of(ct_string_id64 type);
