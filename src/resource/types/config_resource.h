// config_resource.h: the blob of a config: any SJSON document, read at run time by name.
//
// A config is a flat array of nodes; node 0 is the root object. The children of a container are
// consecutive in the array, starting at `first`.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_CONFIG_VERSION = 1 };

typedef struct ct_config_node {
    uint32_t type;       // ct_sjson_type
    ct_blob_string key;  // of an object's member; empty for an array's element
    uint32_t first;      // container: node number of its first child
    uint32_t count;      // container: number of children
    ct_blob_string text; // string
    uint32_t padding;
    double number; // number; bool: 0 or 1
} ct_config_node;

typedef struct ct_config_resource {
    ct_blob_header header;
    ct_blob_array nodes; // ct_config_node, at least the root
} ct_config_resource;

extern const ct_blob_layout ct_config_layout, ct_config_node_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_config_validate(const void *blob, ct_error *error);

// Returns the node at a path of keys with dots ("window.width") below the root, or NULL.
const ct_config_node *ct_config_find(const ct_config_resource *config, const char *path);

// Return the value at a path, or `otherwise` when it is missing or has another type. Strings are
// borrowed from the blob.
double ct_config_number(const ct_config_resource *config, const char *path, double otherwise);
bool ct_config_bool(const ct_config_resource *config, const char *path, bool otherwise);
const char *ct_config_string(const ct_config_resource *config, const char *path,
                             const char *otherwise);
