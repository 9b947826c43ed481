// resource_types.h: the table of all resource types.
//
// Each type has one row, with its layout's version, its schema and the function that validates a
// blob. The compiler adds compile functions (compiler_types.h); systems register callbacks for
// loading and unloading (resource_manager.h). Types of plugins follow the engine's: rows that a
// process adds when it knows of them, and keeps until it ends.
#pragma once
#include "resource/blob/blob_layout.h"
#include "resource/schema/schema.h"

enum { CT_MAX_PLUGIN_RESOURCE_TYPES = 64, CT_RESOURCE_TYPE_NAME_BYTES = 32 };

typedef struct ct_resource_type {
    const char *name;             // "texture": also the source file's extension
    ct_string_id64 id;            // of the name (`cuttle hash`)
    uint32_t version;             // of the blob's layout
    const ct_schema *schema;      // of the source; NULL for Lua, configs and strings: free-form
    const ct_blob_layout *layout; // of the blob
    // Validates every offset, count and enum of a blob after its header was checked. libc only.
    bool (*validate)(const void *blob, ct_error *error);
    // Returns the description of a valid blob's stream; NULL: the type has no streams.
    const ct_blob_stream *(*stream)(const void *blob);
} ct_resource_type;

// Returns all types, the engine's first; sets `count`. Any thread.
const ct_resource_type *ct_resource_types(uint32_t *count);

// Return the type of this name or id, or NULL.
const ct_resource_type *ct_resource_type_named(const char *name);
const ct_resource_type *ct_resource_type_of(ct_string_id64 type);

// Returns whether a type of a plugin may have this name: 2 to 31 of a-z, 0-9 and _, beginning with a
// letter.
bool ct_resource_type_is_name(const char *name);

// Adds a type of a plugin, whose blobs are ct_plugin_resource (plugin/plugin_resource.h); one that was
// added before is fine. `name` is copied. Returns NULL with `error` when it is another name or an engine's type, or when there are
// CT_MAX_PLUGIN_RESOURCE_TYPES. Any thread.
const ct_resource_type *ct_resource_type_register(const char *name, ct_error *error);

// Sets the schema of a type that was added this way, which is borrowed until it is set to NULL. Returns false
// and changes nothing for other names, or when it has one already. For tools, while one thread runs.
bool ct_resource_type_set_schema(const char *name, const ct_schema *schema);

// Returns whether a type was added this way.
bool ct_resource_type_is_registered(const ct_resource_type *type);
