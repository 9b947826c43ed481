// plugin_schema.h: schemas of plugins (include/cuttle/schema.h) as the engine's own
// (resource/schema/schema.h), so that the compiler, tools and blobs use them like any other.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/schema/schema.h"

#include <cuttle/schema.h>

// `add_component` of the unit compiler has a bit for each field.
enum { CT_PLUGIN_SCHEMA_MAX_FIELDS = 64, CT_PLUGIN_SCHEMA_MAX_BYTES = 1 << 16 };

// Checks a schema that sources are read with: its name, and of each field name, type, size, place,
// range and defaults. `what` is "component" or "resource type", for messages. Returns false with `error`,
// which names the field.
bool ct_plugin_schema_check(const cuttle_schema *schema, const char *what, ct_error *error);

// Returns a copy of a checked schema that does not need the plugin's library. `identity` is as in ct_schema.
// Free it with ct_plugin_schema_free.
ct_schema *ct_plugin_schema_copy(ct_allocator *a, const cuttle_schema *schema, uint32_t identity);

// Frees a copy; NULL is fine.
void ct_plugin_schema_free(ct_allocator *a, ct_schema *schema);

// Returns a hash of all that decides what is read from a source with a checked schema, and how it lies
// in memory: not of documentation. Never 0. Scratch memory is from `a`.
uint64_t ct_plugin_schema_hash(ct_allocator *a, const cuttle_schema *schema);
