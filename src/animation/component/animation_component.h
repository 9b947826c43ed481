// animation_component.h: characters: entities whose joints move.
//
// A character has a skeleton and plays either a state machine or single clips that fade into each
// other (ct_animation_crossfade). One step of the world first advances all characters: states,
// times, events, root motion; then those that are seen get a pose: clips are evaluated, blended by
// layers, and turned into matrices. Both run as tasks over the characters; results have the same
// bits with any number of threads.
//
// Poses go to the nodes of the entity's scene graph that have the names of joints, if it has a
// graph; the graph's matrices are then what skins and everything at nodes follow, so scripts may
// change nodes after the step. Skins of entities without a graph follow the joints' matrices.
// Entity space is the skeleton's model space.
//
// A character is seen when the sphere around it touches the view of a camera that drew the world
// last, or when it is within CT_ANIMATION_NEAR metres of one (for shadows). Others
// only advance. An entity has at most one. Update thread.
#pragma once
#include "animation/animation_system.h"
#include "animation/crossfade/crossfade.h"
#include "animation/machine/state_machine.h"
#include "entity/component_registry.h"
#include "entity/scene_graph_component.h"
#include "resource/types/component_resource.h"

#define CT_ANIMATION_NEAR 30.0f
enum { CT_ANIMATION_MAX_VIEWS = 16 };

typedef struct ct_animation_manager ct_animation_manager;

// A character; {0} is no character. After any character is destroyed, look it up again.
typedef struct ct_animation_instance {
    uint32_t index;
} ct_animation_instance;

// What root motion does with the entity.
typedef enum ct_animation_root_mode {
    CT_ANIMATION_ROOT_MODE_IGNORE,         // nothing; scripts may read it and move the entity
    CT_ANIMATION_ROOT_MODE_DELTA_POSITION, // moves it
    CT_ANIMATION_ROOT_MODE_DELTA_ROTATION, // turns it
    CT_ANIMATION_ROOT_MODE_DELTA_POSE,     // both
    CT_ANIMATION_ROOT_MODE_COUNT,
} ct_animation_root_mode;

// Which parts of the pose the nodes and skins get; the others are at rest. IGNORE: joints keep the
// pose they have.
typedef enum ct_animation_bone_mode {
    CT_ANIMATION_BONE_MODE_IGNORE,
    CT_ANIMATION_BONE_MODE_POSITION,
    CT_ANIMATION_BONE_MODE_ROTATION,
    CT_ANIMATION_BONE_MODE_POSE,      // position and rotation
    CT_ANIMATION_BONE_MODE_TRANSFORM, // and scale; the default
    CT_ANIMATION_BONE_MODE_COUNT,
} ct_animation_bone_mode;

// An event of a character in the last step.
typedef struct ct_animation_out_event {
    ct_entity entity;
    ct_string_id32 name;
    float time; // seconds after the step's start
} ct_animation_out_event;

// --- Life cycle ----------------------------------------------------------------------------------

// Makes the manager of a world's characters. All parameters must outlive it.
ct_animation_manager *ct_animation_manager_create(ct_allocator *a, ct_animation_system *system,
                                                  ct_transform_manager *transforms,
                                                  ct_scene_graph_manager *graphs);
void ct_animation_manager_destroy(ct_animation_manager *m);

// Returns the row for the component registry.
ct_component_manager ct_animation_component_manager(ct_animation_manager *m);

// Makes an entity a character. A skeleton or state machine that is not loaded is warned about once
// and waited for. The entity must not be one already (asserted).
ct_animation_instance ct_animation_create(ct_animation_manager *m, ct_entity e, uint32_t id,
                                          const ct_animation_data *data);
void ct_animation_destroy(ct_animation_manager *m, ct_animation_instance i);

// Returns the character that the entity is, or {0}. One look-up in a hash map.
ct_animation_instance ct_animation_lookup(const ct_animation_manager *m, ct_entity e);
ct_entity ct_animation_entity(const ct_animation_manager *m, ct_animation_instance i);
uint32_t ct_animation_id(const ct_animation_manager *m, ct_animation_instance i);
uint32_t ct_animation_count(const ct_animation_manager *m);

// Returns the settings it has now.
ct_animation_data ct_animation_data_of(const ct_animation_manager *m, ct_animation_instance i);

// --- Steps ---------------------------------------------------------------------------------------

// Adds a view in which the world is drawn: characters in it get poses in the next steps. The first
// view after a step replaces those from before it; of more than CT_ANIMATION_MAX_VIEWS (a world
// that is drawn without steps) the last ones count.
void ct_animation_add_view(ct_animation_manager *m, const ct_frustum *frustum, ct_vec3 position);

// Advances all characters by `dt` seconds and poses those that are seen.
void ct_animation_update(ct_animation_manager *m, double dt);

// Poses the characters that never had a pose: those made since the last step.
void ct_animation_pose_new(ct_animation_manager *m);

// Returns the events of the last step, by character in the order of the manager, then by time.
// Borrowed until the next step.
const ct_animation_out_event *ct_animation_events(const ct_animation_manager *m, uint32_t *count);

// --- State machine -------------------------------------------------------------------------------

// Returns the state machine; NULL when it has none, or it is not loaded, or it is disabled.
// Borrowed until the manager next changes. Its functions may be called, except update.
ct_state_machine *ct_animation_machine(const ct_animation_manager *m, ct_animation_instance i);

// Gives the character another state machine, in its start states ({0}: none). A state machine that
// is not loaded is waited for.
void ct_animation_set_machine(ct_animation_manager *m, ct_animation_instance i,
                              ct_string_id64 state_machine);

// Stops and continues the state machine. While it is stopped, joints keep their poses.
void ct_animation_set_machine_enabled(ct_animation_manager *m, ct_animation_instance i,
                                      bool is_enabled);
bool ct_animation_is_machine_enabled(const ct_animation_manager *m, ct_animation_instance i);

// --- Single clips --------------------------------------------------------------------------------

// Fades to a clip on a layer, on a character without a state machine. Sets `id` to a number for the
// functions below. Returns false with `error` when it has a state machine, or the clip is not
// loaded or is for another skeleton.
bool ct_animation_crossfade(ct_animation_manager *m, ct_animation_instance i, ct_string_id64 clip,
                            uint32_t layer, float blend_time, bool loops, bool offsets_phase,
                            uint32_t *id, ct_error *error);
bool ct_animation_is_crossfading(const ct_animation_manager *m, ct_animation_instance i);

// Set the speed and the time of a clip that plays. Return false when it has ended.
bool ct_animation_set_crossfade_speed(ct_animation_manager *m, ct_animation_instance i, uint32_t id,
                                      float speed);
bool ct_animation_set_crossfade_time(ct_animation_manager *m, ct_animation_instance i, uint32_t id,
                                     float time);

// A clip that plays by ct_animation_crossfade, to save it.
typedef struct ct_animation_fade {
    ct_string_id64 clip;
    ct_crossfade_clip state;
} ct_animation_fade;

// Writes the clips that play to `fades` (room for CT_CROSSFADE_MAX_CLIPS); returns their number.
uint32_t ct_animation_fades(const ct_animation_manager *m, ct_animation_instance i,
                            ct_animation_fade *fades);

// Ends all clips and goes on with saved ones; those that cannot play are left out. Returns how many were.
uint32_t ct_animation_resume_fades(ct_animation_manager *m, ct_animation_instance i,
                                   const ct_animation_fade *fades, uint32_t count);

// --- Root motion, joints, curves -----------------------------------------------------------------

// Returns how the root moved in the last step, in entity space: where the entity would be.
ct_animation_root_pose ct_animation_root_delta(const ct_animation_manager *m,
                                               ct_animation_instance i);

// Sets what root motion does with the entity, from the next step on.
void ct_animation_set_root_mode(ct_animation_manager *m, ct_animation_instance i,
                                ct_animation_root_mode mode);

// Returns what root motion does with the entity.
ct_animation_root_mode ct_animation_root_mode_of(const ct_animation_manager *m,
                                                 ct_animation_instance i);

// Sets which parts of the pose the nodes and skins get, from the next pose on.
void ct_animation_set_bone_mode(ct_animation_manager *m, ct_animation_instance i,
                                ct_animation_bone_mode mode);

// Returns which parts of the pose the nodes and skins get.
ct_animation_bone_mode ct_animation_bone_mode_of(const ct_animation_manager *m,
                                                 ct_animation_instance i);

// Sets how many of the joints, the first ones, are posed; the others stay at rest relative to their
// parents. 0: all.
void ct_animation_set_num_joints(ct_animation_manager *m, ct_animation_instance i, uint32_t count);

// Sets whether the character is posed also where no camera sees it.
void ct_animation_set_always(ct_animation_manager *m, ct_animation_instance i, bool is_always);

// Sets `value` to the weighted value of a float curve over the clips that play with it. Returns
// false when none has it, or the character was not posed yet.
bool ct_animation_curve_value(const ct_animation_manager *m, ct_animation_instance i,
                              ct_string_id32 object, ct_string_id32 parameter, float *value);

// --- For skins -----------------------------------------------------------------------------------

// Returns the skeleton, NULL while it is not loaded.
const ct_animation_skeleton *ct_animation_skeleton_of(const ct_animation_manager *m,
                                                      ct_animation_instance i);

// Returns a number that changes whenever the character gets another skeleton, from 1.
uint32_t ct_animation_skeleton_version(const ct_animation_manager *m, ct_animation_instance i);

// What the owner of skins keeps with a character: its handle of the skeleton there, and the version
// of the character's skeleton that it was made for. Both are 0 at first.
typedef struct ct_animation_skin {
    uint64_t handle;
    uint32_t version;
} ct_animation_skin;

// Returns the skin of a character, for reading and writing. Borrowed until the manager changes.
ct_animation_skin *ct_animation_skin_of(ct_animation_manager *m, ct_animation_instance i);

// The skin of a character that has ended: its handle, not 0, and the entity, which may live on.
typedef struct ct_animation_ended_skin {
    uint64_t handle;
    ct_entity entity;
} ct_animation_ended_skin;

// Returns the skins of characters that have ended since ct_animation_clear_ended. Borrowed until
// the manager changes.
const ct_animation_ended_skin *ct_animation_ended_skins(const ct_animation_manager *m,
                                                        uint32_t *count);
void ct_animation_clear_ended(ct_animation_manager *m);

// Returns whether the matrices of a character have changed since ct_animation_mark_sent: it was
// posed, or its scene graph changed.
bool ct_animation_must_send(const ct_animation_manager *m, ct_animation_instance i);
void ct_animation_mark_sent(ct_animation_manager *m, ct_animation_instance i);

// Writes the matrices from the joints' spaces to the entity's: of the scene graph's nodes where
// they exist, else of the last pose. `matrices` has num_joints of the skeleton. Any thread, for
// different characters at a time, between the update of scene graphs and the next change.
void ct_animation_write_joints(const ct_animation_manager *m, ct_animation_instance i,
                               ct_affine *matrices);
