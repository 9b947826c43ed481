// world_save_private.h: shared by the files of this folder.
#pragma once
#include "foundation/container/hash_map.h"
#include "world/save/world_save.h"
#include "world/world_private.h"

enum { CT_WORLD_SAVE_MAX_KINDS = 96 };

// The kinds of components of a world: the engine's, registered ones, those of higher floors.
typedef struct ct_world_save_kinds {
    ct_save_component items[CT_WORLD_SAVE_MAX_KINDS];
    uint32_t count;
    CT_ARRAY(ct_save_field) fields; // of registered ones
} ct_world_save_kinds;

// Fills in the kinds of a world; free `fields` later.
void ct_world_save_kinds_init(ct_world_save_kinds *kinds, const ct_world *w,
                              const ct_save_component *extra, uint32_t num_extra);

// Saves the rows of a world into a writer. It also reads what a world has now while one is loaded.
struct ct_world_saving {
    ct_world *world;
    ct_saved_world_writer writer;
    ct_byte_array scratch;
    // By entity index: its number plus 1, and the entity, by number.
    ct_u32_array numbers;
    CT_ARRAY(ct_entity) entities;
    CT_ARRAY(ct_level) levels; // in the order of the save
};

// Give an entity the next number.
void ct_world_save_number(ct_world_saving *s, ct_entity e);

struct ct_world_loading {
    ct_world *world;
    const ct_saved_world *saved;
    const ct_world_load_desc *desc;
    ct_world_saving now;  // what the world has; entities by their numbers in the save
    const uint8_t *bytes; // of the type that is being loaded
    CT_ARRAY(ct_level) levels;
    CT_ARRAY(ct_actor) sleeping;
    ct_u32_array instances; // of the type that is being loaded, by row
    uint8_t *now_row, *row; // for one row of any kind, aligned to 16
    uint32_t row_bytes;     // of each of these
    ct_hash_map told;       // problems that were reported
    uint32_t num_cleared;   // references that name nothing now
};

// Reports a problem, once for each `key`.
void ct_world_load_problem(ct_world_loading *l, uint64_t key, const char *format, ...)
    CT_PRINTF(3, 4);

// Makes the levels of the save: finds, destroys and spawns (world_load_levels.c).
void ct_world_load_levels(ct_world_loading *l);

// Destroys the levels that the save does not have.
void ct_world_load_destroy_levels(ct_world_loading *l, bool is_reported);

// Returns the record of a level; NULL when it has ended.
ct_level_record *ct_world_load_level_record(const ct_world_loading *l, ct_level level);

// Makes the units of the save: finds, destroys and spawns (world_load_units.c).
void ct_world_load_units(ct_world_loading *l);

// Adds the instances of a kind that the world does not have, without their rows (world_load_rows.c).
void ct_world_load_add_missing(ct_world_loading *l, const ct_save_component *kind,
                               const ct_saved_type *type);

// Gives the entities the rows of the save (world_load_rows.c).
void ct_world_load_rows(ct_world_loading *l, const ct_world_save_kinds *kinds);

// Reports that an instance of an entity is not restored.
typedef void ct_world_load_report(ct_world_loading *l, const ct_save_component *kind, ct_entity e,
                                  const ct_error *error);

// Gives a kind the rows of the save at once (world_load_column.c); false, with nothing changed, when the
// world has other instances or the kind other fields.
bool ct_world_load_column(ct_world_loading *l, const ct_save_component *kind,
                          const ct_saved_type *type, ct_world_load_report *report);

// Returns the saved type of this name, or NULL; and the first row of an entity, or NULL.
const ct_saved_type *ct_world_load_type(const ct_world_loading *l, const char *name);
const uint8_t *ct_world_load_row(const ct_world_loading *l, const ct_saved_type *type,
                                 uint32_t entity);

// Returns whether all floats at `floats`, of any alignment, are finite.
bool ct_world_load_is_finite(const void *floats, uint32_t size_bytes);

// Returns the hash of the template of a unit: changes of it are seen by that.
uint64_t ct_world_save_template(const ct_world *w, ct_entity unit, ct_level level);

// The kinds of the files world_save_….c.
extern const ct_save_component ct_save_entity_kinds[], ct_save_render_kinds[],
    ct_save_system_kinds[];
extern const uint32_t ct_save_num_entity_kinds, ct_save_num_render_kinds, ct_save_num_system_kinds;
