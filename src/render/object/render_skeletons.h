// render_skeletons.h: the skeletons of a world, and the skins of its objects.
//
// A skin ties an object to a skeleton: which joint of the skeleton each joint of the object's mesh
// follows, the sphere around the posed mesh, and where the matrices of its joints are in the
// frame's memory (draw/render_palettes.h). Names are compared once for each pair of mesh and
// skeleton, and again when one of them changes. Both tables keep their places: an entry is found by
// its position, place 0 is not used. Render thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/object/render_meshes.h"
#include "render/render_skeleton.h"

#define CT_RENDER_NO_JOINT UINT16_MAX

typedef struct ct_render_skeleton {
    ct_render_skeleton_id id; // {0}: a free place
    uint32_t num_joints;
    uint32_t next_free;             // position of the next free place, or 0
    ct_string_id32 *names;          // owned; by joint
    ct_render_joint_pose *poses[2]; // owned, in one block; the pose is poses[current]
    uint32_t current;
    uint64_t version; // rises with each pose; 0: no pose was set yet
    uint64_t frame;   // in which the pose was set; the other is the one before in this frame only
} ct_render_skeleton;

// Where the matrices of a skin's joints are, in vectors from the start of the frames' palettes.
typedef struct ct_render_palette {
    uint64_t frame;      // in which they were written; 0: never
    uint64_t generation; // of the frames' palettes
    uint32_t first;
    uint32_t previous; // those of the frame before
    uint32_t num_joints;
    bool has_written_previous; // with these; else they are there since the frame before
} ct_render_palette;

typedef struct ct_render_skin {
    uint32_t object;   // position in the world; of a free place, the next free place or 0
    uint32_t skeleton; // position in `skeletons`
    ct_render_skeleton_id id;
    bool is_used;                        // an object has it
    bool is_moved;                       // the object was moved: its sphere is not right
    bool is_posed;                       // it is drawn by the skeleton's pose
    uint32_t mesh;                       // for which `joints` were found
    uint64_t mesh_version, pose_version; // for which joints and sphere were found
    uint16_t *joints; // owned; by joint of the mesh, that of the skeleton, or CT_RENDER_NO_JOINT
    uint32_t num_joints;
    float center[3], radius; // of the posed mesh, in the entity's space
    ct_render_palette palette;
    uint64_t listed; // scratch of render_palettes.c
} ct_render_skin;

typedef struct ct_render_skeletons {
    ct_allocator *allocator;
    ct_hash_map position_of_id;
    CT_ARRAY(ct_render_skeleton) skeletons; // the first is not used
    CT_ARRAY(ct_render_skin) skins;         // the first is not used
    uint32_t first_free_skeleton, first_free_skin;
    uint32_t num_skins; // that objects have
} ct_render_skeletons;

// Starts without skeletons, with memory from `a`.
void ct_render_skeletons_init(ct_render_skeletons *s, ct_allocator *a);

// Frees everything.
void ct_render_skeletons_free(ct_render_skeletons *s);

// Adds a skeleton; the names are copied.
void ct_render_skeletons_add(ct_render_skeletons *s, ct_render_skeleton_id id,
                             const ct_string_id32 *names, uint32_t num_joints);

// Removes a skeleton. Does nothing for an id that is not there.
void ct_render_skeletons_remove(ct_render_skeletons *s, ct_render_skeleton_id id);

// Sets a skeleton's pose in this frame. Does nothing for an id that is not there, or that has
// another number of joints.
void ct_render_skeletons_set_pose(ct_render_skeletons *s, ct_render_skeleton_id id,
                                  const ct_render_joint_pose *joints, uint32_t num_joints,
                                  uint64_t frame);

// Returns the pose; the one of the frame before `frame`, which is the same when the pose was not
// set in `frame`.
const ct_render_joint_pose *ct_render_skeleton_pose(const ct_render_skeleton *skeleton);
const ct_render_joint_pose *ct_render_skeleton_previous(const ct_render_skeleton *skeleton,
                                                        uint64_t frame);

// Adds a skin for the object at this position and returns its own position.
uint32_t ct_render_skins_add(ct_render_skeletons *s, uint32_t object, ct_render_skeleton_id id);

// Removes the skin at this position.
void ct_render_skins_remove(ct_render_skeletons *s, uint32_t skin);

// Brings a skin up to date with its skeleton and the object's mesh (an index of `meshes`). Returns
// true when the object's sphere must be found again.
bool ct_render_skin_update(ct_render_skeletons *s, ct_render_skin *skin, ct_render_meshes *meshes,
                           uint32_t mesh);

// Writes the matrices of the mesh's joints (three rows each) for a pose of the skin's skeleton.
void ct_render_skin_write(const ct_render_skin *skin, const ct_render_mesh *mesh,
                          const ct_render_joint_pose *pose, float (*rows)[4]);

// Returns a factor by which the transform makes a length greater at most.
float ct_render_most_scale(const float rows[3][4]);
