// world_schedule.h: the systems of worlds: one row for each, and the order of their steps.
//
// A row has all that a system adds to every world: a manager, for a component type or of another
// kind; steps, each in a named phase; and functions that are called when units and levels are
// spawned and destroyed. The built-in rows are in world_rows.c. Higher floors add theirs with
// ct_world_system_add_row: those with a manager while no world exists. Steps run phase by phase
// and, inside a phase, in the order of the rows and of their steps. The order is fixed;
// `cuttle components --steps` prints it.
//
//     static void *create(ct_world *w, ct_component_manager *component) {
//         wind *const m = wind_create(ct_world_allocator(w), ct_world_transforms(w));
//         *component = wind_component_manager(m);
//         return m;
//     }
//     static void blow(ct_world *w, void *manager, double dt) { wind_blow(manager, dt); }
//     static const ct_world_row wind_row = {
//         .name = "wind",
//         .component = &wind_schema,
//         .create = create,
//         .steps = {{"wind", CT_WORLD_PHASE_SIMULATE, blow, false}},
//     };
//     const ct_world_row_id wind_of_worlds = ct_world_system_add_row(worlds, &wind_row);
//     wind *const m = ct_world_manager(world, wind_of_worlds);
#pragma once
#include "entity/component_registry.h"
#include "foundation/container/array.h"

typedef struct ct_world ct_world;

// A level in a world; {0} is no level. Stale once the level is destroyed.
typedef struct ct_level {
    uint32_t id;
} ct_level;

// The phase in which a step runs. Phases before POSE run once for each step of the world
// (ct_world_advance). POSE and later phases run after them, and again before the world is rendered
// (ct_world_send_changes).
typedef enum ct_world_phase {
    CT_WORLD_PHASE_NONE,
    CT_WORLD_PHASE_SPAWN,    // units of levels that spawn gradually
    CT_WORLD_PHASE_COLLECT,  // garbage of dead entities; tidying
    CT_WORLD_PHASE_ANIMATE,  // animation: poses nodes by time
    CT_WORLD_PHASE_SIMULATE, // physics and movers: move things
    CT_WORLD_PHASE_REACT,    // sound, triggers: follow things that moved
    CT_WORLD_PHASE_POSE,  // updates world poses of nodes; steps before it do not read current ones.
                          // Then particles, which follow nodes
    CT_WORLD_PHASE_SEND,  // sends changes to the renderer
    CT_WORLD_PHASE_CLEAR, // empties the lists of changes, which all steps have seen
    CT_WORLD_NUM_PHASES,
} ct_world_phase;

enum { CT_WORLD_MAX_ROWS = 128, CT_WORLD_MAX_ROW_STEPS = 4 };

// One step of a row. `manager` is the row's, `dt` the seconds of the world's step; 0 in
// ct_world_send_changes.
typedef struct ct_world_step {
    const char *name; // for the profiler and the list of steps; as long as the row is there
    ct_world_phase phase;
    void (*run)(ct_world *w, void *manager, double dt);
    // It uses nothing that worlds share: ct_worlds_advance may run it for several worlds at a time,
    // on any thread. It must not wait for tasks.
    bool is_independent;
} ct_world_step;

typedef struct ct_world_row {
    const char *name; // "mesh"; as long as the row is there
    // The template data of the row's component type, if units may have it and the engine does not
    // know it by itself; NULL for other rows. Adding such a row registers the type
    // (ct_component_type_register), and units may have it from then on.
    const ct_schema *component;
    bool is_single; // an entity has at most one such component
    // Makes the manager for a new world, in which the managers of earlier rows exist. For a
    // component type, fills `component`: templates then spawn the type, and `component->destroy`
    // frees the manager. NULL: `user` takes the place of a manager in all worlds.
    void *(*create)(ct_world *w, ct_component_manager *component);
    // Frees the manager of a row without a component type; NULL: there is nothing to free.
    void (*destroy)(void *manager);
    ct_world_step steps[CT_WORLD_MAX_ROW_STEPS]; // ends at the first without a `run`
    // Called when a world was made, at the end of ct_world_create.
    void (*world_started)(ct_world *w, void *manager);
    // Called before a world ends, when its levels and entities have ended and its managers still
    // exist. Must not make entities. In the reverse order of the rows.
    void (*world_ended)(ct_world *w, void *manager);
    // Called after units were spawned, with their roots, which have all their components. Units
    // that an earlier row has destroyed are left out. In the order of the rows.
    void (*units_spawned)(ct_world *w, void *manager, const ct_entity *units, uint32_t count);
    // Called before units are destroyed for any reason, with their roots, which still have all
    // their components. May destroy units, also these: each row is called once for each. Must not
    // spawn. In the reverse order of the rows.
    void (*units_destroyed)(ct_world *w, void *manager, const ct_entity *units, uint32_t count);
    // Called before the first units of a level are spawned. Must not change levels or spawn.
    void (*level_started)(ct_world *w, void *manager, ct_level level);
    // Called after all units of a level were spawned, or all that can be, and after units_spawned
    // was called for them.
    void (*level_spawned)(ct_world *w, void *manager, ct_level level);
    // Called before a level for which level_spawned was called is destroyed, with those of its
    // units that still exist; of rows with level_started, for each level for which that was called.
    void (*level_destroyed)(ct_world *w, void *manager, ct_level level);
    void *user; // of the system that adds the row, for `create` or in its place; or NULL
} ct_world_row;

// A row; {0} is no row.
typedef struct ct_world_row_id {
    uint32_t index; // from 1
} ct_world_row_id;

// A step in the schedule, and its row.
typedef struct ct_world_scheduled_step {
    const ct_world_step *step;
    uint32_t row; // index of its row, from 0
} ct_world_scheduled_step;

// The rows, and their steps in the order in which they run.
typedef struct ct_world_schedule {
    const ct_world_row *rows[CT_WORLD_MAX_ROWS];
    uint32_t num_rows;
    ct_world_scheduled_step steps[CT_WORLD_MAX_ROWS * CT_WORLD_MAX_ROW_STEPS];
    uint32_t num_steps;
    uint32_t first_send_step; // the first of POSE or later
} ct_world_schedule;

// Empties `schedule` and adds the engine's own rows.
void ct_world_schedule_init(ct_world_schedule *schedule);

// Adds a row after the others, or in the place of one that was removed; its steps come last in their
// phases in any case. The row is borrowed as long as the schedule is used, or until it is removed.
// Adding more than CT_WORLD_MAX_ROWS is a bug.
ct_world_row_id ct_world_schedule_add(ct_world_schedule *schedule, const ct_world_row *row);

// Removes a row with its steps. Those of other rows keep their order, and other rows their ids.
void ct_world_schedule_remove(ct_world_schedule *schedule, ct_world_row_id row);

// Returns whether a row can be added.
bool ct_world_schedule_has_room(const ct_world_schedule *schedule);

// Returns the name of a phase, such as "simulate".
const char *ct_world_phase_name(ct_world_phase phase);

// Returns the phase with this name; CT_WORLD_PHASE_NONE: there is none.
ct_world_phase ct_world_phase_named(const char *name);
