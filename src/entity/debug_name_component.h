// debug_name_component.h: names of entities for people. One manager for all worlds.
//
// Structure of arrays in one allocation: entity and a fixed-size name; a hash map from entity to
// place; dead entities are collected lazily.
#pragma once
#include "entity/component_registry.h"

typedef struct ct_debug_name_manager ct_debug_name_manager;

// Makes an empty manager that allocates from `a`, and frees it with all names (NULL is fine).
ct_debug_name_manager *ct_debug_name_manager_create(ct_allocator *a);
void ct_debug_name_manager_destroy(ct_debug_name_manager *m);

// Returns the entry for a registry, which then owns the manager.
ct_component_manager ct_debug_name_component_manager(ct_debug_name_manager *m);

// Names an entity; a name longer than CT_DEBUG_NAME_BYTES - 1 is cut at a whole character.
void ct_debug_name_set(ct_debug_name_manager *m, ct_entity e, const char *name);

// Removes the name of an entity; fine when it has none.
void ct_debug_name_remove(ct_debug_name_manager *m, ct_entity e);

// Returns the name of an entity, or NULL. Borrowed until the manager next changes.
const char *ct_debug_name(const ct_debug_name_manager *m, ct_entity e);

// Returns the number of names.
uint32_t ct_debug_name_count(const ct_debug_name_manager *m);

// Removes names of dead entities: probes at random until four in a row live. Call every frame.
void ct_debug_name_collect_garbage(ct_debug_name_manager *m, const ct_entity_manager *entities);
