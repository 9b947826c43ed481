// animation_system.h: what the animation of all worlds shares: skeletons, clips, free players.
//
// It watches the resources of types skeleton, animation and state_machine. When some were loaded
// again, it calls the managers, which rebuild the characters that use them. Players of clips are
// kept in a list for each clip when they are not used, so that a game that has warmed up allocates
// nothing. Update thread, except where a function says otherwise.
#pragma once
#include "animation/clip/clip_player.h"
#include "foundation/task/task.h"
#include "resource/load/resource_manager.h"
#include "resource/types/state_machine_resource.h"

typedef struct ct_animation_system ct_animation_system;

// Makes the system and registers it with `resources`, before any of these types is loaded. `tasks`
// may be NULL: then everything runs on the calling thread. Both must outlive the system.
ct_animation_system *ct_animation_system_create(ct_allocator *a, ct_resource_manager *resources,
                                                ct_task_manager *tasks);

// Frees the system. All managers must have ended.
void ct_animation_system_destroy(ct_animation_system *s);

// Calls `run` for 0 to count - 1 in pieces of `grain`, on all threads.
void ct_animation_system_loop(ct_animation_system *s, const char *name, uint32_t count,
                              uint32_t grain, void (*run)(void *data, uint32_t begin, uint32_t end),
                              void *data);

// --- Skeletons -----------------------------------------------------------------------------------

// A skeleton as evaluation needs it. Borrowed from the system until resources settle after a
// reload; managers are called then (ct_animation_system_watch).
typedef struct ct_animation_skeleton {
    const ct_skeleton_resource *resource;
    uint32_t num_joints, num_groups;
    const ct_pose_group *rest;     // num_groups
    const ct_pose_group *identity; // num_groups
    const uint32_t *parents;       // num_joints
    float radius; // metres around the entity that the joints at rest reach, and half as much more
} ct_animation_skeleton;

// Returns the skeleton of this name, or NULL when it is not loaded.
const ct_animation_skeleton *ct_animation_system_skeleton(ct_animation_system *s,
                                                          ct_string_id64 name);

// Returns the state machine of this name, or NULL when it is not loaded.
const ct_state_machine_resource *ct_animation_system_machine(const ct_animation_system *s,
                                                             ct_string_id64 name);

// --- Clips and their players ---------------------------------------------------------------------

// A clip in the system's table; {0} is no clip. Valid as long as the system exists, whether the
// clip is loaded or not.
typedef struct ct_animation_clip {
    uint32_t index;
} ct_animation_clip;

// Returns the clip of this name, loaded or not.
ct_animation_clip ct_animation_system_clip(ct_animation_system *s, ct_string_id64 name);

// Returns the name of a clip.
ct_string_id64 ct_animation_clip_name(const ct_animation_system *s, ct_animation_clip clip);

// Returns the blob, NULL while it is not loaded.
const ct_animation_resource *ct_animation_clip_resource(const ct_animation_system *s,
                                                        ct_animation_clip clip);

// Returns a player at time 0, from the clip's free ones if there are any; NULL while the clip is
// not loaded. Give it back before resources change (ct_animation_system_watch).
ct_clip_player *ct_animation_take_player(ct_animation_system *s, ct_animation_clip clip);
void ct_animation_give_player(ct_animation_system *s, ct_animation_clip clip, ct_clip_player *p);

// --- Changes -------------------------------------------------------------------------------------

// A manager that is called when resources changed. `release` runs before a clip with players
// changes: it gives all players back. `settle` runs when all changes are in place: it looks
// everything up again. In between, skeletons must not be used.
typedef struct ct_animation_watcher {
    void *user;
    void (*release)(void *user);
    void (*settle)(void *user);
} ct_animation_watcher;

// Adds a manager, whose functions are called on the update thread. Copies `watcher`; `user` must
// live until it is taken out again.
void ct_animation_system_watch(ct_animation_system *s, const ct_animation_watcher *watcher);
// Takes out the manager that was added with this `user`.
void ct_animation_system_unwatch(ct_animation_system *s, const void *user);
