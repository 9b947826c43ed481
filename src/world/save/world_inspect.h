// world_inspect.h: the components of one entity as rows of named fields, for tools: what a save would
// have of them (world_save.h). Kinds of higher floors are not among them, and fields of the kind ENTITY
// are 0. Reading changes nothing and calls no scripts, so that it may be done at any moment; setting is for frame boundaries. Update thread.
#pragma once
#include "world/save/world_save.h"

typedef struct ct_world_inspection ct_world_inspection;

// A component of the entity.
typedef struct ct_inspected_component {
    const char *type;
    uint32_t id;       // 0 where an entity has one instance
    uint32_t instance; // as the functions of ct_save_component have it
    uint32_t place;    // among those of its type, from 0
    const ct_save_field *fields;
    uint32_t num_fields, row_bytes;
    const uint8_t *row; // the fields are at their offsets in it, which need not be aligned
} ct_inspected_component;

// Reads the components of a living entity of the world, all or those of a type (NULL: all). Free it
// before the world changes.
ct_world_inspection *ct_world_inspect(ct_world *w, ct_entity e, const char *type);

// Reads one existing instance of a type, whose entity is `e`, which may be {0} for an actor without one.
ct_world_inspection *ct_world_inspect_instance(ct_world *w, ct_entity e, const char *type,
                                               uint32_t instance);

// Frees what was read.
void ct_world_inspection_free(ct_world_inspection *n);

// Returns the components, type by type. Borrowed until it is freed.
const ct_inspected_component *ct_world_inspected(const ct_world_inspection *n, uint32_t *count);

// Returns the bytes of a field of the kind BYTES of a component.
const void *ct_world_inspected_bytes(const ct_world_inspection *n, const ct_inspected_component *c,
                                     const ct_save_field *field, uint32_t *size_bytes);

// Gives an existing instance of a type the values of `row`, which has the layout of its fields and holds
// what ct_world_inspect gave but for what is to change. Fields of the kinds ENTITY and BYTES stay as they
// are, whatever `row` has. Returns false with `error` for an unknown type, and for values that the
// component refuses; others may have been set then.
bool ct_world_inspect_set(ct_world *w, ct_entity e, const char *type, uint32_t instance,
                          const void *row, ct_error *error);
