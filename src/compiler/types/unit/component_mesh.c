// The fields of a mesh component that no source gives.
#include "compiler/types/unit/component_compiler.h"

// Spawning does not look for materials where there are none.
void ct_component_finish_mesh(void *data) {
    ct_mesh_data *const mesh = data;
    mesh->num_materials = CT_MESH_MAX_MATERIALS;
    while (mesh->num_materials > 0 && !mesh->materials[mesh->num_materials - 1].value)
        --mesh->num_materials;
}
