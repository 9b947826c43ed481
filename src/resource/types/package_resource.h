// package_resource.h: the blob of a package: resources that load together.
#pragma once
#include "resource/resource_id.h"
#include "resource/types/resource_types.h"

enum { CT_PACKAGE_VERSION = 1 };
#define CT_PACKAGE_CORE "core/core" // core's own package, which is loaded before any other

typedef struct ct_package_resource {
    ct_blob_header header;
    ct_blob_array resources; // ct_resource_id, each once, with the resources that others need
                             // first: textures, shaders, materials, meshes, units, levels, …
} ct_package_resource;

// A package's source is a map from types to lists of names and wildcards: `texture = ["*"]`,
// `unit = ["units/props/*", "units/player"]`. `*` matches any characters, `/` included.
extern const ct_schema ct_package_schema;

// Returns whether a package's wildcard matches a resource of this name. Resources below
// `core/tools`, which are for core's tools, are matched only by wildcards that begin with it. Costs
// at most the product of the lengths.
bool ct_package_pattern_matches(const char *pattern, const char *name);

extern const ct_blob_layout ct_package_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_package_validate(const void *blob, ct_error *error);
