// animation_private.h: shared by the files of this folder.
#pragma once
#include "animation/component/animation_component.h"
#include "animation/crossfade/crossfade.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"

enum { CT_ANIMATION_NO_NODE = 0, CT_ANIMATION_CURVE_VALUES = CT_ANIMATION_MAX_CURVES };

// A player that a character holds: of the sample with the same number.
typedef struct ct_held_player {
    ct_animation_clip clip; // {0}: none
    ct_clip_player *player;
} ct_held_player;

// A float curve's value in the last pose.
typedef struct ct_curve_value {
    ct_string_id32 object, parameter;
    float value;
} ct_curve_value;

// One character. Everything that a step touches, but the poses.
typedef struct ct_animator {
    ct_animation_data data;
    const ct_animation_skeleton *skeleton;         // NULL while it is not loaded
    const ct_skeleton_resource *skeleton_resource; // of `skeleton`
    const ct_state_machine_resource *machine_resource;
    ct_state_machine *machine; // NULL without
    ct_crossfade *crossfade;   // NULL until the first clip
    // The clips that samples give by number: the state machine's, or those faded to so far.
    CT_ARRAY(ct_animation_clip) clips;
    CT_ARRAY(const ct_animation_resource *) resources; // of `clips`; NULL: not loaded, not fitting
    CT_ARRAY(ct_held_player) players;                  // by the samples' player
    ct_affine *models;                                 // num_model_joints; NULL: none yet
    uint32_t num_model_joints;
    uint32_t skeleton_version;
    // Nodes of the scene graph by joint, 0: none; found for the graph of this version.
    CT_ARRAY(uint32_t) nodes;
    uint32_t graph_version; // 0: not looked for, or no graph
    bool is_whole_graph;    // node j + 1 is joint j, with the same parents
    bool is_machine_enabled, has_pose, must_send, is_seen, wants_curves;
    uint8_t root_mode, bone_mode;
    uint32_t num_posed_joints; // 0: all
    ct_animation_root_pose root_delta;
    ct_state_machine_output output; // of the last update
    ct_scene_graph graph;           // in this step; {0}: none
    ct_scene_graph_nodes graph_nodes;
    ct_animation_skin skin;
    uint32_t num_curves;
    ct_curve_value *curves; // CT_ANIMATION_CURVE_VALUES, or NULL without curves
} ct_animator;

// A view in which the world is drawn, in world space, and where its camera is, in metres.
typedef struct ct_animation_view {
    ct_frustum frustum;
    ct_vec3 position;
} ct_animation_view;

struct ct_animation_manager {
    ct_instance_table table;
    ct_animator *animator; // by instance
    ct_animation_view views[CT_ANIMATION_MAX_VIEWS];
    uint32_t num_views, next_view;
    CT_ARRAY(ct_animation_out_event) events;
    CT_ARRAY(uint32_t) to_pose; // instances of this step
    CT_ARRAY(ct_animation_ended_skin) ended_skins;
    ct_hash_map told; // names already warned about
    ct_animation_system *system;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
    float dt;           // of the step
    bool has_old_views; // a step has used them: the next one that is added replaces them
};

// --- animation_bind.c ----------------------------------------------------------------------------

// Looks up skeleton, state machine and clips of a character; carries the state of its old state
// machine over.
void ct_animation_bind(ct_animation_manager *m, uint32_t i);

// Frees everything that a character holds.
void ct_animation_unbind(ct_animation_manager *m, ct_animator *a);

// Gives all players back.
void ct_animation_release_players(ct_animation_manager *m, ct_animator *a);

// Returns the character's number for a clip, adding it.
uint32_t ct_animation_add_clip(ct_animation_manager *m, ct_animator *a, ct_string_id64 name);

// --- animation_pose.c ----------------------------------------------------------------------------

// Poses the instances in m->to_pose.
void ct_animation_pose_listed(ct_animation_manager *m);

// Sets `value` to that of a curve in the last pose; false without.
bool ct_animator_curve(const ct_animator *a, ct_string_id32 object, ct_string_id32 parameter,
                       float *value);
