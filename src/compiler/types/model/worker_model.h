// worker_model.h: the triangles of a model file, or of one of its nodes, in the engine's axes.
//
// The result is triangle corners as the file has them; worker_geometry makes normals and tangents
// that the file leaves out. Nodes named as shapes are separate from nodes that are drawn; each batch
// of the latter has the levels of detail at which it is drawn.
//
// The points of a skinned mesh stay where the file has them, with its axes turned: as glTF says,
// they ignore the transform of their node. When a model has a skinned mesh, its other meshes follow
// their nodes as joints.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/mesh/worker_shapes.h"
#include "compiler/types/model/worker_geometry.h"
#include "compiler/types/model/worker_skinning.h"

enum { CT_WORKER_MODEL_MAX_CORNERS = 3 << 24 };

// The triangles of one primitive at one node: three corners each, counter-clockwise is front.
typedef struct ct_worker_batch {
    ct_worker_vertex *corners; // directions of length 1 or 0
    uint32_t num_corners;
    uint32_t material; // position in the model's materials
    uint32_t levels;   // a bit for the number of each level of detail at which it is drawn
    bool has_normals, has_tangents, has_extras;
    bool is_skinned; // its corners have influences of a skin
} ct_worker_batch;

typedef struct ct_worker_model {
    CT_ARRAY(ct_worker_batch) batches; // in the order of the nodes, depth first
    uint32_t levels;                   // bits of the levels that there are; 0: it names none
    ct_worker_shape_array shapes;
    const char **materials; // names; "" for those without
    uint32_t num_materials;
    ct_worker_scene *scene;
    ct_worker_skinning skinning; // without joints: no mesh is skinned
} ct_worker_model;

// Reads `source->source`: `source->node` in that node's space, with its subtree if
// `source->children`, or all nodes; and the shapes and levels of detail that belong to them;
// scaled. Other files of the model are read by ct_compile_read. Everything comes from c->allocator.
// Returns false after reporting errors at members of the source's root.
bool ct_worker_model_read(ct_compile *c, const ct_mesh_source *source, ct_worker_model *model);
