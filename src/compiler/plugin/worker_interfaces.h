// worker_interfaces.h: the interfaces that plugins have in a worker beside those of every program
// (plugin/plugin_interfaces.h): one file for each, worker_<name>_api.c.
#pragma once
#include "compiler/plugin/worker_plugins.h"

#include <cuttle/component_types.h>

// A component type of a plugin: `user` of its addition.
typedef struct ct_worker_component_type {
    ct_schema *schema;
    uint64_t hash;
} ct_worker_component_type;

extern const ct_plugin_kind ct_worker_component_kind, ct_worker_resource_kind,
    ct_worker_compiler_kind;
extern const cuttle_component_types_api_1 ct_worker_component_types_api_1;
extern const cuttle_resource_types_api_1 ct_worker_resource_types_api_1;
extern const cuttle_compiler_api_1 ct_worker_compiler_api_1;

// Returns the allocator of what plugins add: that of the worker.
ct_allocator *ct_worker_plugins_allocator(void);
