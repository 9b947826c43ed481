// package_resource.h: the blob of a package: the resources that load together.
#pragma once
#include "resource/resource_id.h"
#include "resource/types/resource_types.h"

enum { CT_PACKAGE_VERSION = 1 };
#define CT_PACKAGE_CORE "core/core" // core's own package, which is loaded before any other

typedef struct ct_package_resource {
    ct_blob_header header;
    ct_blob_array resources; // ct_resource_id, each once, in an order that puts what others need
                             // first: textures, shaders, materials, meshes, units, levels, …
} ct_package_resource;

// A package's source is a map from types to lists of names and wildcards: `texture = ["*"]`,
// `unit = ["units/props/*", "units/player"]`. `*` matches any characters, `/` included.
extern const ct_schema ct_package_schema;

// True when a package's wildcard takes a resource of this name. What core's tools bring along for
// themselves, below `core/tools`, is taken only by a wildcard that begins there. At most the product
// of the lengths.
bool ct_package_pattern_matches(const char *pattern, const char *name);

extern const ct_blob_layout ct_package_layout;

// Checks a blob of this type, whose header was checked: that every offset lies inside, and that values
// are in range. Returns false with `error`, which names what differs. libc only.
bool ct_package_validate(const void *blob, ct_error *error);
