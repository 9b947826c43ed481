// world.h: the interface "world": worlds, their steps and events, units and levels. Poses are in
// cuttle/poses.h, tags and values in cuttle/data.h, components in cuttle/components.h.
//
// The game's Lua makes worlds and ends them (Application.new_world). A plugin works in all of them: it
// adds steps, which run when a world is updated, and observers, which hear of worlds, units and
// levels.
//
//     static void blow(cuttle_plugin *self, cuttle_world *w, double dt) { … }
//     static const cuttle_world_step step = {.name = "wind", .phase = "simulate", .run = blow};
//     … in init: return world->add_step(self, &step, error);
//
// Update thread. Worlds, entities and levels that have ended are noticed: functions then return false,
// 0 or {0}; a world that has ended is reported as well ("plugin_bad_argument").
#ifndef CUTTLE_WORLD_H
#define CUTTLE_WORLD_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_WORLD_API "world"

// A level in a world. {0} is no level; stale once the level was destroyed.
typedef struct cuttle_level {
    uint32_t id;
} cuttle_level;

// A step of worlds, for each world in turn. Steps of plugins come after the engine's in each phase, in
// the order in which they were added.
typedef struct cuttle_world_step {
    const char *name; // for the profiler: "wind"; of all plugins the only one with it
    // "animate": poses nodes by time. "simulate": moves things; the engine's physics run before it.
    // "react": follows what has moved. Then poses of nodes are brought up to date. "pose" and "send":
    // reads what the world will show; these run again before the world is rendered, with a `dt` of 0,
    // and do not change entities.
    const char *phase;
    // `dt` is the seconds of the world's step. Must not end the world.
    void (*run)(cuttle_plugin *self, cuttle_world *world, double dt);
} cuttle_world_step;

// Hears of worlds and of what is in them. All functions but the first may be NULL. `data` is what
// world_started has returned. A world that exists when the observer is added starts then, without
// events for its units; when the observer is taken away (with its plugin, or because a new library does
// not add it) all worlds end for it. A reload keeps `data`, which must not point into the library.
typedef struct cuttle_world_observer {
    const char *name; // of all plugins the only one with it
    // A world was made, and has no units yet. Returns the plugin's data for it; NULL is fine.
    void *(*world_started)(cuttle_plugin *self, cuttle_world *world);
    // The world ends; its units and levels have ended. Frees the data. Cannot spawn.
    void (*world_ended)(cuttle_plugin *self, cuttle_world *world, void *data);
    // Units were spawned: their roots, with all their components.
    void (*units_spawned)(cuttle_plugin *self, cuttle_world *world, void *data,
                          const cuttle_entity *units, uint32_t count);
    // Units are about to be destroyed, and still have all. May destroy others. Cannot spawn.
    void (*units_destroyed)(cuttle_plugin *self, cuttle_world *world, void *data,
                            const cuttle_entity *units, uint32_t count);
    // All units of a level were spawned.
    void (*level_spawned)(cuttle_plugin *self, cuttle_world *world, void *data, cuttle_level level);
    // A level is about to be destroyed; its units still exist.
    void (*level_destroyed)(cuttle_plugin *self, cuttle_world *world, void *data,
                            cuttle_level level);
} cuttle_world_observer;

// Where functions write to an array with room for `max`, they return how many there are, which may be
// more; with a `max` of 0 the array may be NULL.
typedef struct cuttle_world_api_1 {
    // --- Worlds ---

    // Writes the worlds, in the order in which they were made.
    uint32_t (*worlds)(cuttle_plugin *self, cuttle_world **worlds, uint32_t max);
    // Returns whether a world has not ended. Its address may be that of a later one.
    bool (*is_alive)(cuttle_plugin *self, const cuttle_world *world);
    // Returns the seconds that the world was updated for, and those of its last step.
    double (*time)(cuttle_plugin *self, const cuttle_world *world);
    double (*delta_time)(cuttle_plugin *self, const cuttle_world *world);
    // Returns the hash of World.state_hash. Time in proportion to the entities.
    uint64_t (*state_hash)(cuttle_plugin *self, const cuttle_world *world);

    // --- Steps and events ---

    // Add a step or an observer; the struct is copied. From `init`, or later, but not while a world is
    // updated or things are spawned or destroyed. Return false with `error` when a name or a function
    // is missing, the name is taken, the phase unknown, or there are too many.
    bool (*add_step)(cuttle_plugin *self, const cuttle_world_step *step, cuttle_error *error);
    bool (*add_observer)(cuttle_plugin *self, const cuttle_world_observer *observer,
                         cuttle_error *error);
    // Returns what world_started of the plugin's observer has returned for a world; NULL: nothing, or
    // there is no such observer.
    void *(*observer_data)(cuttle_plugin *self, const cuttle_world *world, const char *observer);

    // --- Entities and units ---

    // Spawns `count` units (up to 2^20) of a loaded resource ("units/crate") and writes them. Where
    // positions (world space, metres), rotations or scales are NULL, those of the resource stay.
    // Returns false with `error`, and spawns nothing, when the resource is not loaded, a pose is not
    // finite, there are too many entities, or nothing can be spawned now: in steps of "pose" and
    // "send", in world_ended and units_destroyed, and in a world that is ending.
    bool (*spawn_units)(cuttle_plugin *self, cuttle_world *world, const char *name,
                        const cuttle_vector3 *positions, const cuttle_quaternion *rotations,
                        const cuttle_vector3 *scales, uint32_t count, cuttle_entity *units,
                        cuttle_error *error);
    // Makes `count` entities without components, which are no units.
    bool (*create_entities)(cuttle_plugin *self, cuttle_world *world, uint32_t count,
                            cuttle_entity *entities, cuttle_error *error);
    // Ends units, with all that their resource made, and other entities; skips those that are dead or
    // of another world. Not in steps of "pose" and "send": reported, and nothing is destroyed.
    void (*destroy)(cuttle_plugin *self, cuttle_world *world, const cuttle_entity *entities,
                    uint32_t count);
    // Returns whether an entity lives, and the world that it is in (NULL: it is dead or in no world).
    bool (*is_entity_alive)(cuttle_plugin *self, cuttle_entity entity);
    cuttle_world *(*world_of)(cuttle_plugin *self, cuttle_entity entity);
    // Returns the unit of which an entity is the root or a part; {0}: of none.
    cuttle_entity (*unit_of)(cuttle_plugin *self, cuttle_entity entity);
    // Returns the id of the resource that a unit was spawned from; {0} for other entities.
    cuttle_id64 (*unit_resource)(cuttle_plugin *self, cuttle_entity unit);
    // Write the units of a world, or those of a resource, in no order that one can rely on.
    uint32_t (*units)(cuttle_plugin *self, const cuttle_world *world, cuttle_entity *units,
                      uint32_t max);
    uint32_t (*units_of_resource)(cuttle_plugin *self, const cuttle_world *world,
                                  cuttle_id64 resource, cuttle_entity *units, uint32_t max);
    // Returns the unit of a level that has this id in its source; {0}: no such unit. One look-up.
    cuttle_entity (*unit_by_id)(cuttle_plugin *self, cuttle_world *world, cuttle_id32 id);
    // Returns the first unit with a debug name; {0}: no unit has it. Looks at all units.
    cuttle_entity (*unit_by_name)(cuttle_plugin *self, const cuttle_world *world, const char *name);
    // Returns the debug name of an entity, borrowed until it changes; "" without one.
    const char *(*debug_name)(cuttle_plugin *self, cuttle_entity entity);

    // --- Levels ---

    // Spawns a loaded level at a pose (NULL: where it is in its source). Returns {0} with `error` when
    // it is not loaded, a pose is not finite or nothing can be spawned now (see spawn_units).
    cuttle_level (*spawn_level)(cuttle_plugin *self, cuttle_world *world, const char *name,
                                const cuttle_vector3 *position, const cuttle_quaternion *rotation,
                                const cuttle_vector3 *scale, cuttle_error *error);
    // Destroys a level with those of its units that still live, and the handles that Lua has of it.
    // Ignores one that has ended. Not in steps of "pose" and "send", and not in level_destroyed.
    void (*destroy_level)(cuttle_plugin *self, cuttle_world *world, cuttle_level level);
    // Returns whether a level has not been destroyed, and whether all its units have been spawned.
    bool (*is_level_alive)(cuttle_plugin *self, const cuttle_world *world, cuttle_level level);
    bool (*is_level_spawned)(cuttle_plugin *self, const cuttle_world *world, cuttle_level level);
    // Write the levels of a world, and the units of a level that live.
    uint32_t (*levels)(cuttle_plugin *self, const cuttle_world *world, cuttle_level *levels,
                       uint32_t max);
    uint32_t (*level_units)(cuttle_plugin *self, const cuttle_world *world, cuttle_level level,
                            cuttle_entity *units, uint32_t max);
    // Returns the level that spawned a unit; {0}: none did.
    cuttle_level (*level_of)(cuttle_plugin *self, cuttle_entity unit);

    // --- Names ---

    // Return the hash of a name, as ids have it. Any thread.
    cuttle_id32 (*id32)(const char *name);
    cuttle_id64 (*id64)(const char *name);
} cuttle_world_api_1;

#ifdef __cplusplus
}
#endif
#endif
