// world_schedule.h: the systems of worlds: one row for each, and the order of their steps.
//
// A row says what a system adds to every world: a manager, of a component type or of its own; steps,
// each in a named phase; functions that are called when units and levels come and go. The built-in
// rows are in world_rows.c; higher floors add theirs with ct_world_system_add_row, while there is no
// world. Steps run phase by phase and, inside a phase, in the order of the rows and of the steps in
// them: the order is fixed, and `cuttle components --steps` prints it.
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
//         .steps = {{"wind", CT_WORLD_PHASE_SIMULATE, blow}},
//     };
//     const ct_world_row_id wind_of_worlds = ct_world_system_add_row(worlds, &wind_row);
//     wind *const m = ct_world_manager(world, wind_of_worlds);
#pragma once
#include "entity/component_registry.h"
#include "foundation/container/array.h"

typedef struct ct_world ct_world;

// A level in a world; {0} is none. Stale once destroyed.
typedef struct ct_level {
    uint32_t id;
} ct_level;

// When a step runs. Those before POSE run once for each step of the world (ct_world_advance); those
// from POSE on run after them, and again before the world is rendered (ct_world_send_changes).
typedef enum ct_world_phase {
    CT_WORLD_PHASE_NONE,
    CT_WORLD_PHASE_SPAWN,    // units of levels that spawn gradually
    CT_WORLD_PHASE_COLLECT,  // garbage of dead entities; tidying
    CT_WORLD_PHASE_ANIMATE,  // what poses nodes by time: animation
    CT_WORLD_PHASE_SIMULATE, // what moves things: physics, movers
    CT_WORLD_PHASE_REACT,    // what follows things that moved: sound, particles, triggers
    CT_WORLD_PHASE_POSE,     // world poses of nodes; no step before this one reads them as of now
    CT_WORLD_PHASE_SEND,     // what changed goes to the renderer
    CT_WORLD_PHASE_CLEAR,    // lists of changes are emptied: all have seen them
    CT_WORLD_NUM_PHASES,
} ct_world_phase;

enum { CT_WORLD_MAX_ROWS = 64, CT_WORLD_MAX_ROW_STEPS = 4 };

// One step of a row. `manager` is the row's (NULL when it has none), `dt` the seconds of the world's
// step; 0 in ct_world_send_changes.
typedef struct ct_world_step {
    const char *name; // for the profiler and the list of steps; a constant
    ct_world_phase phase;
    void (*run)(ct_world *w, void *manager, double dt);
} ct_world_step;

typedef struct ct_world_row {
    const char *name; // "mesh"; a constant
    // The template data of the component that the row manages, for rows of components that units
    // may have and that the engine does not know by itself; NULL for others. Such a row registers the
    // type (ct_component_type_register), which units may have from then on.
    const ct_schema *component;
    bool is_single; // an entity has one such component at most
    // Makes the manager for a new world; the managers of earlier rows are there. Fills `component`
    // when it manages a component type, which is then spawned from templates and ends by
    // `component->destroy`. NULL: the row has no manager.
    void *(*create)(ct_world *w, ct_component_manager *component);
    // Frees the manager of a row that manages no component type; NULL: there is nothing to free.
    void (*destroy)(void *manager);
    ct_world_step steps[CT_WORLD_MAX_ROW_STEPS]; // up to the first without a `run`
    // Units were spawned: their roots, with all components, less those that an earlier row has
    // destroyed. In the order of the rows.
    void (*units_spawned)(ct_world *w, void *manager, const ct_entity *units, uint32_t count);
    // Units are about to be destroyed, by whomever: their roots, still with all components. May
    // destroy units, these too: each row hears once of each. May not spawn. In the reverse order of
    // the rows.
    void (*units_destroyed)(ct_world *w, void *manager, const ct_entity *units, uint32_t count);
    // All units of a level were spawned, or all that can be; units_spawned was called for them before.
    void (*level_spawned)(ct_world *w, void *manager, ct_level level);
    // A level that level_spawned was called for is about to be destroyed, with units that are still
    // there.
    void (*level_destroyed)(ct_world *w, void *manager, ct_level level);
} ct_world_row;

// A row; {0} is none.
typedef struct ct_world_row_id {
    uint32_t index; // from 1
} ct_world_row_id;

// A step in its place.
typedef struct ct_world_scheduled_step {
    const ct_world_step *step;
    uint32_t row; // index of its row, from 0
} ct_world_scheduled_step;

// The rows and, in the order in which they run, their steps.
typedef struct ct_world_schedule {
    const ct_world_row *rows[CT_WORLD_MAX_ROWS];
    uint32_t num_rows;
    ct_world_scheduled_step steps[CT_WORLD_MAX_ROWS * CT_WORLD_MAX_ROW_STEPS];
    uint32_t num_steps;
    uint32_t first_send_step; // the first of POSE or later
} ct_world_schedule;

// Empties `schedule` and adds the engine's own rows.
void ct_world_schedule_init(ct_world_schedule *schedule);

// Adds a row, which is borrowed as long as the schedule is used, behind the others. More than CT_WORLD_MAX_ROWS are a bug.
ct_world_row_id ct_world_schedule_add(ct_world_schedule *schedule, const ct_world_row *row);

// "simulate": the name of a phase.
const char *ct_world_phase_name(ct_world_phase phase);
