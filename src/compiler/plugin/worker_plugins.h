// worker_plugins.h: the plugins of a worker process: one set, which a request brings along.
//
// They are loaded where they lie: the driver gives copies that nothing writes over. What they add is kept
// here: component types (which units then may have), resource types and compile functions. One thread.
#pragma once
#include "compiler/protocol/compiler_protocol.h"
#include "plugin/plugin_addition.h"

#include <cuttle/compiler.h>
#include <cuttle/resource_types.h>

// A resource type of a plugin.
typedef struct ct_worker_resource_type {
    const ct_plugin_addition *addition; // its desc is a cuttle_resource_type
    const ct_schema *schema;            // of the source; NULL: there is none
    uint64_t hash;                      // of the schema; 0: there is none
} ct_worker_resource_type;

// Loads these plugins, unless they are the ones that are loaded: others are closed first. Those that fail
// are left out; ct_worker_plugins_describe says why.
void ct_worker_plugins_use(ct_allocator *a, const ct_compile_plugin *plugins, uint32_t count);

// Closes all plugins.
void ct_worker_plugins_end(void);

// Appends a JSON object to `out` that says what the plugins add, and which ones failed
// (docs/formats/worker_protocol.md).
void ct_worker_plugins_describe(ct_byte_array *out);

// Returns the hash of the schema of a component type that a plugin added; 0: there is none.
uint64_t ct_worker_plugins_component(const char *name);

// Returns whether a plugin added this resource type.
bool ct_worker_plugins_has_type(const char *name);

// Returns a resource type that a plugin added, or NULL; its compile function, or NULL.
const ct_worker_resource_type *ct_worker_plugins_type(const char *name);
const ct_plugin_addition *ct_worker_plugins_compiler(const char *name);
