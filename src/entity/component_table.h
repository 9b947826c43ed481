// component_table.h: a manager for components that are plain data. It needs only a schema.
//
// Each field of the schema is an array (a column); instances are rows, found by entity
// (instance_table.h). A game or plugin describes its component once; its code for each frame runs
// over the columns. Templates spawn into the table, and rows of dead entities end at once or
// lazily. Update thread.
// From "Building a Data-Oriented Entity System, part 2 and 4" (Bitsquid blog, 2014).
#pragma once
#include "entity/component_registry.h"
#include "entity/instance_table.h"

typedef enum ct_component_end {
    CT_COMPONENT_END_LAZY,    // by garbage collection, some each frame
    CT_COMPONENT_END_AT_ONCE, // when the entity is destroyed
} ct_component_end;

typedef struct ct_component_table_desc {
    const ct_schema *schema; // of the component, which has the schema's name; borrowed
    ct_instance_lookup lookup;
    ct_component_end end;
    bool is_single; // an entity has at most one; otherwise ids identify an entity's instances
} ct_component_table_desc;

typedef struct ct_component_table ct_component_table;

// Makes an empty table. The schema's fields must have types that blobs can hold.
ct_component_table *ct_component_table_create(ct_allocator *a, const ct_component_table_desc *desc);
void ct_component_table_destroy(ct_component_table *t);

// Returns the entry for a registry, which then owns the table.
ct_component_manager ct_component_table_manager(ct_component_table *t);

// Returns the schema, and whether an entity has at most one component.
const ct_schema *ct_component_table_schema(const ct_component_table *t);
bool ct_component_table_is_single(const ct_component_table *t);

// Returns the instance table, which maps entities to rows. Rows start at 1. Add and erase rows only
// with the functions below.
const ct_instance_table *ct_component_table_instances(const ct_component_table *t);

// Returns the column of the field `name`: an item of the field's size for each row; row 0 is zero.
// Asserts that the field exists. Borrowed until a row is added.
void *ct_component_table_column(const ct_component_table *t, const char *name);

// Adds a row for each of `count` entities, in their order, from structs of the schema end to end.
// Returns the first row. In a single table `ids` is NULL, and the function returns 0 and changes
// nothing when an entity already has a row or occurs twice.
uint32_t ct_component_table_add(ct_component_table *t, const ct_entity *entities,
                                const uint32_t *ids, const void *data, uint32_t count);

// Erases a row; the last row moves into its place.
void ct_component_table_erase(ct_component_table *t, uint32_t row);

// Erases all rows of `entities`; skips entities without rows.
void ct_component_table_erase_entities(ct_component_table *t, const ct_entity *entities,
                                       uint32_t count);

// Copies rows to structs of the schema end to end (get), and structs to rows (set).
void ct_component_table_get(const ct_component_table *t, const uint32_t *rows, uint32_t count,
                            void *data);
void ct_component_table_set(ct_component_table *t, const uint32_t *rows, uint32_t count,
                            const void *data);
