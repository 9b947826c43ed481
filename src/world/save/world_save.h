// world_save.h: the state of a world as bytes (save/save_world.h), and back.
//
// Saved are the units, of levels and spawned ones, with all entities below them: which lived, and the
// rows of their components. A kind of component is a ct_save_component: a table of fields with names and
// functions that read and write an instance. The engine's kinds are in this folder; those that plugins
// and games register come from their schemas; higher floors hand in theirs (flow graphs, behaviours).
//
// Loading brings a world that has the same levels to a saved state: units that the save does not have
// are destroyed, those that the world does not have are spawned, the others stay and get their values.
// Nothing about what changed in the project since is an error: what cannot be restored is left out or
// keeps its defaults, and is reported. Update thread.
#pragma once
#include "save/save_world.h"
#include "world/world.h"

typedef struct ct_world_saving ct_world_saving;
typedef struct ct_world_loading ct_world_loading;

enum { CT_SAVE_MANY = 64 }; // instances that `set_many` gets at most

// A kind of component. `user` is the member of that name. An instance is a number other than 0, valid
// until one of the kind comes or goes. `row` has the layout of `fields`.
typedef struct ct_save_component {
    const char *name;
    const ct_save_field *fields;
    uint32_t num_fields, row_bytes;
    void *user;
    // Returns how many instances the world has, or something above 0 when it is not known.
    uint32_t (*count)(const ct_world *w, void *user);
    uint32_t (*first)(const ct_world *w, void *user, ct_entity e);
    // NULL: an entity has at most one instance.
    uint32_t (*next)(const ct_world *w, void *user, ct_entity e, uint32_t i);
    uint32_t (*id)(const ct_world *w, void *user, uint32_t i); // NULL: 0 for all
    // Fills a row of zeroes.
    void (*get)(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row);
    // Gives an instance the values of a row; called when they are others than it has, or always with
    // `always_sets`. Fields of the kind BYTES with a size of UINT32_MAX stay as they are. Returns false
    // with `error` for values that it refuses.
    bool (*set)(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                ct_error *error);
    // Sets up to CT_SAVE_MANY instances whose rows differ from what they have in their first
    // `many_bytes` bytes only. Called in place of `prepare` and `set`, and after these. Rows are as they
    // were saved: aligned to 4, and floats may not be finite. Returns false, and changes nothing, when it
    // refuses one: each then gets `set`. May be NULL.
    bool (*set_many)(ct_world_loading *l, void *user, const ct_entity *entities,
                     const uint32_t *instances, const void *const *rows, uint32_t count);
    uint32_t many_bytes;
    // Makes an instance, which then gets the row by `set`; returns it. 0 with `error` when it cannot be.
    // NULL: instances come with their units only.
    uint32_t (*add)(ct_world_loading *l, void *user, ct_entity e, uint32_t id, const void *row,
                    ct_error *error);
    void (*remove)(const ct_world *w, void *user, ct_entity e, uint32_t i); // NULL: it stays
    // Called for all rows before the first `set`; may be NULL.
    void (*prepare)(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row);
    // For kinds whose functions call scripts, which may change the world: `set` is called for each row,
    // `get` only to save (so `set` finds 0 in fields that the save does not have), and instances are
    // looked up by their ids, which differ on an entity, after each call.
    bool always_sets;
    // Called once the units are there and before any row is loaded; may change the world, may be NULL. Then
    // `add` makes the instances that the world does not have. Units and levels that come by that, and that
    // the save does not have, are destroyed, and it is called again, a few times, for what else came. Only
    // of higher floors.
    void (*begin)(ct_world_loading *l, void *user);
    // Fills a row with the values of a new instance; NULL: zeroes.
    void (*defaults)(void *user, void *row);
    // For state that belongs to no entity: saved and loaded as bytes instead of the above.
    void (*save_whole)(ct_world_saving *s, void *user, ct_byte_array *out);
    bool (*load_whole)(ct_world_loading *l, void *user, const void *bytes, uint32_t size_bytes,
                       ct_error *error);
} ct_save_component;

// --- Saving and loading --------------------------------------------------------------------------

// Appends the state of a world to `out`, which must be empty. `extra` are kinds of higher floors.
void ct_world_save(ct_world *w, const ct_save_component *extra, uint32_t num_extra,
                   ct_byte_array *out);

// How to load.
typedef struct ct_world_load_desc {
    const void *bytes; // that ct_saved_world_check has checked
    const ct_save_component *extra;
    uint32_t num_extra;
    // Receives what could not be restored, a sentence for each cause.
    void (*problem)(void *user, const char *text);
    void *user;
    ct_entity *units; // receives the units of the save, {0} for those that are not there
} ct_world_load_desc;

// Brings the world to a state. Units are spawned and destroyed with all that happens then. Returns false
// with `error`, and changes nothing, while functions of rows are called.
bool ct_world_load(ct_world *w, const ct_world_load_desc *desc, ct_error *error);

// --- For components ------------------------------------------------------------------------------

// Keeps bytes for a field of the kind BYTES.
ct_saved_bytes ct_world_save_bytes(ct_world_saving *s, const void *data, uint32_t size_bytes);

// Returns what a field of the kind ENTITY holds for an entity: 0 when it is not in the save.
uint32_t ct_world_save_entity(const ct_world_saving *s, ct_entity e);

// Returns the world that is saved, and a buffer that components may use: empty, aligned to 8.
ct_world *ct_world_saving_world(const ct_world_saving *s);
ct_byte_array *ct_world_saving_scratch(ct_world_saving *s);

// Returns the bytes of a field of the kind BYTES, aligned to 8.
const void *ct_world_load_bytes(const ct_world_loading *l, ct_saved_bytes bytes);

// Returns the entity of a field of the kind ENTITY; {0}: it is not there.
ct_entity ct_world_load_entity(const ct_world_loading *l, uint32_t number);

// Gives what names an entity's instance `i` of a kind of this folder (such as "mesh") in every run: its id,
// and which of the entity's instances with that id it is, from 0. Returns false when the entity does not have
// it. And the instance of such a name; 0: it is not there.
bool ct_world_save_part(const ct_world *w, const char *kind, ct_entity e, uint32_t i, uint32_t *id,
                        uint32_t *which);
uint32_t ct_world_load_part(const ct_world *w, const char *kind, ct_entity e, uint32_t id,
                            uint32_t which);

// Counts references that name nothing now, since that is not in the save or not there. One problem is reported
// for all.
void ct_world_load_count_cleared(ct_world_loading *l, uint32_t count);

// Returns the number of the saved level that a level is, plus 1, or 0; and the level of such a number.
uint32_t ct_world_save_level(const ct_world_saving *s, ct_level level);
ct_level ct_world_load_level(const ct_world_loading *l, uint32_t number);

// Returns the world that is loaded.
ct_world *ct_world_loading_world(const ct_world_loading *l);

// Puts a body to sleep when all others have their poses.
void ct_world_load_sleeping(ct_world_loading *l, ct_actor actor);
