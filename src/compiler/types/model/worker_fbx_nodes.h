// worker_fbx_nodes.h: the nodes of an FBX file, with the transforms that the FBX SDK gives them.
//
// Transforms come from the file's properties, not from Assimp, which turns geometry by the node's
// order of rotation and does not know how a node inherits its parent's scale.
#pragma once
#include "compiler/types/model/worker_fbx_objects.h"
#include "compiler/types/model/worker_scene.h"

struct aiMatrix4x4;
struct aiNode;
struct aiScene;

// What Assimp made of a node: itself, and the nodes of parts of its transform above it, each the
// only child of the one before.
typedef struct ct_worker_fbx_chain {
    const struct aiNode *top, *node; // may be the same
} ct_worker_fbx_chain;

// Adds a node for each model that is connected to the scene, depth first, in the file's axes and
// without meshes. `models` gets the object of each node. Models must not be connected in a circle.
// False with an error when there are too many nodes, when they are too deep, or when a transform is
// not made of numbers.
bool ct_worker_fbx_add_nodes(ct_compile *c, const ct_worker_fbx_objects *objects,
                             ct_worker_scene *scene, ct_u32_array *models, ct_error *error);

// Gives the nodes the meshes that Assimp's have, and sets the chain of each node in `chains`. False
// after reporting that its nodes are others.
bool ct_worker_fbx_take_node_meshes(ct_compile *c, const struct aiScene *file, ct_sjson_value at,
                                    ct_worker_scene *scene, ct_worker_fbx_chain *chains);

// Returns true for a node that Assimp made of the transform of a node's own meshes, or to undo it:
// it does not move the node.
bool ct_worker_fbx_is_geometric(const struct aiNode *node);

// Returns a matrix of Assimp, without its last row.
ct_worker_matrix ct_worker_fbx_matrix(const struct aiMatrix4x4 *m);
