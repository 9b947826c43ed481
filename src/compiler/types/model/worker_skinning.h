// worker_skinning.h: collects the joints and the influences of vertices from a model's skins.
//
// Vertices with the same influences share one set, so that a vertex holds only a number: equal
// numbers are equal influences. Weights are whole numbers that add up to 255, of the heaviest
// joints. Everything comes from the job's allocator.
#pragma once
#include "compiler/types/model/worker_scene.h"
#include "foundation/container/hash_map.h"

// The influences of a vertex, the heaviest first. Those left over are zero.
typedef struct ct_worker_influence_set {
    uint32_t joints[CT_MESH_MAX_INFLUENCES]; // positions in ct_worker_skinning.joints
    uint8_t weights[CT_MESH_MAX_INFLUENCES]; // their sum is 255
} ct_worker_influence_set;

typedef struct ct_worker_skinning_joint {
    const char *name; // the node's key
    uint32_t node;
    ct_worker_matrix inverse_bind; // the engine's axes and metres, scaled
} ct_worker_skinning_joint;

typedef struct ct_worker_skinning {
    ct_compile *c;
    const ct_worker_scene *scene;
    const char *source; // for messages, with `at`
    ct_sjson_value at;
    uint32_t max_influences;  // 4 or 8
    ct_worker_matrix to_mesh; // from the file's points to the mesh: axes, metres, scale
    ct_worker_matrix from_mesh;
    uint32_t **joints_of_skin; // by skin, by its joint: position in `joints` + 1, or 0
    CT_ARRAY(ct_worker_skinning_joint) joints;
    CT_ARRAY(ct_worker_influence_set) sets; // the first has no joints
    ct_hash_map set_of_hash;
} ct_worker_skinning;

// Starts without joints. `scale` is the mesh's.
void ct_worker_skinning_init(ct_worker_skinning *s, ct_compile *c, const ct_worker_scene *scene,
                             const char *source, ct_sjson_value at, float scale,
                             uint32_t max_influences);

// Returns true when the mesh has joints and weights that can move it.
bool ct_worker_skinning_has(const ct_worker_scene *scene, const ct_worker_mesh *mesh);

// Returns the set of each vertex of a skinned mesh. Warns of weights that do not add up, and of
// vertices without weights, which follow the skin's first joint. Returns NULL after reporting a
// weight that is not a number, or a joint that the skin does not have.
uint32_t *ct_worker_skinning_read(ct_worker_skinning *s, const ct_worker_mesh *mesh);

// Returns the set of all vertices of a mesh without a skin at a node: they follow the node.
// `inverse_bind` is from the made mesh to the node's space, scaled.
uint32_t ct_worker_skinning_rigid(ct_worker_skinning *s, uint32_t node,
                                  const ct_worker_matrix *inverse_bind);
