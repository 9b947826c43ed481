// components.h: the interface "components": the components of a plugin's types (component_types.h) in
// a world.
//
// A table for each type and world. Each field is an array, a column, with an item for each row; rows are
// from 0 and have no gaps. So a loop over columns reads nothing that it does not need:
//
//     cuttle_components *const c = components->find(self, world, "wind", NULL);
//     const uint32_t count = components->count(c);
//     float *const strength = components->column(c, "strength", CUTTLE_FIELD_FLOAT, NULL);
//     for (uint32_t i = 0; i < count; ++i)
//         strength[i] *= 0.99f;
//
// Columns, entities and rows are valid until components of this type are added or end: units are
// spawned or destroyed, or `add` or `remove` is called. (The last row moves into the place of one that
// ends.) Components end with their entities. They are part of World.state_hash.
// Update thread; but columns may be read and written on all threads in cuttle_tasks_api_1.parallel_for.
#ifndef CUTTLE_COMPONENTS_H
#define CUTTLE_COMPONENTS_H
#include <cuttle/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_COMPONENTS_API "components"

#define CUTTLE_NO_ROW UINT32_MAX

// The components of a type in a world. Borrowed until the world ends; ask for it again in each step.
typedef struct cuttle_components cuttle_components;

typedef struct cuttle_components_api_1 {
    // Returns the table of a type that any plugin added. NULL with `error` (NULL is fine) when there is
    // no such type, or the world has ended.
    cuttle_components *(*find)(cuttle_plugin *self, const cuttle_world *world, const char *type,
                               cuttle_error *error);
    // Returns the number of rows.
    uint32_t (*count)(const cuttle_components *components);
    // Returns the entity of each row. All of them live, except those that are just being destroyed.
    const cuttle_entity *(*entities)(const cuttle_components *components);
    // Returns the ids of the rows among those of their entities, as in the unit's source; NULL for a
    // type of which an entity has one.
    const uint32_t *(*ids)(const cuttle_components *components);
    // Returns the items of a field. `type` is a cuttle_field_type. NULL with `error` (NULL is fine)
    // when there is no such field or it has another type.
    void *(*column)(cuttle_components *components, const char *field, uint32_t type,
                    cuttle_error *error);
    // Returns the first row of an entity; CUTTLE_NO_ROW: it has none. Reads one array.
    uint32_t (*row)(const cuttle_components *components, cuttle_entity entity);
    // Returns the row of the same entity after a row; CUTTLE_NO_ROW: there are no more.
    uint32_t (*next_row)(const cuttle_components *components, uint32_t row);

    // Adds a row for each of `count` entities from structs of the type, end to end; `data` NULL: the
    // defaults of the schema. `ids` are NULL for a type of which an entity has one. Returns the first
    // row. CUTTLE_NO_ROW with `error`, and nothing is added, when an entity is dead, of another world,
    // or has or would have two of a type of which it may have one; or a value is not what the schema
    // allows.
    uint32_t (*add)(cuttle_plugin *self, cuttle_components *components,
                    const cuttle_entity *entities, const uint32_t *ids, const void *data,
                    uint32_t count, cuttle_error *error);
    // Ends all components of this type that entities have; skips those without.
    void (*remove)(cuttle_components *components, const cuttle_entity *entities, uint32_t count);
    // Ends one row. Ignores one that is not there.
    void (*remove_row)(cuttle_components *components, uint32_t row);
    // Copy rows to structs of the type end to end (get) or structs to rows (set). `rows` NULL: all
    // rows from 0 to count - 1. Return false, and do nothing, when a row is not there. Values are not
    // checked.
    bool (*get)(const cuttle_components *components, const uint32_t *rows, uint32_t count,
                void *data);
    bool (*set)(cuttle_components *components, const uint32_t *rows, uint32_t count,
                const void *data);
} cuttle_components_api_1;

#ifdef __cplusplus
}
#endif
#endif
