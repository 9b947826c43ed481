// worker_mesh_skin.h: the skin of a mesh as its blob has it: the joints that move something, and the
// influences of all vertices.
#pragma once
#include "compiler/types/mesh/worker_mesh.h"
#include "compiler/types/model/worker_skinning.h"

typedef struct ct_worker_mesh_skin {
    ct_allocator *allocator;
    const char **names;         // of the joints
    ct_mesh_skin_joint *joints; // without their names' texts
    uint32_t num_joints;        // 0: no skin
    uint32_t num_influences;    // 4 or 8
    ct_mesh_influences8 *influences;
    uint32_t num_vertices;
} ct_worker_mesh_skin;

// Finds the joints that move a vertex of the finished mesh, in the order of their nodes, and the
// spheres around what they move. Sets `skin` to nothing for a model without a skin. Returns false
// after reporting that there are too many joints.
bool ct_worker_mesh_skin_build(const ct_worker_skinning *s, const ct_worker_mesh_data *m,
                               ct_worker_mesh_skin *skin);

// Appends joints and influences and sets them in `blob`.
void ct_worker_mesh_skin_write(const ct_worker_mesh_skin *skin, ct_blob_writer *w,
                               ct_mesh_resource *blob);
