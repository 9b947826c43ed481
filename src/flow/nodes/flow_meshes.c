#include "flow/nodes/flow_meshes.h"

#include "resource/load/resource_manager.h"

const ct_mesh_resource *ct_flow_mesh_resource(const ct_world *w, ct_mesh_instance i) {
    return ct_resource_manager_get(ct_world_system_resources(ct_world_system_of(w)), "mesh",
                                   ct_mesh_name(ct_world_meshes(w), i));
}

bool ct_flow_mesh(ct_flow_call *c, uint32_t input, uint32_t unit, ct_flow_object *object,
                  ct_mesh_instance *mesh) {
    const ct_world *const w = ct_flow_call_world(c);
    const ct_mesh_manager *const m = ct_world_meshes(w);
    *object = ct_flow_object_at(c, input);
    if (object->entity) {
        *mesh = ct_mesh_with_number(m, (ct_entity){(uint32_t)object->entity}, object->part,
                                    CT_INSTANCE_NUMBER_BITS);
        if (!mesh->index)
            ct_flow_error(c, "the mesh has been destroyed, or is in another world");
        return mesh->index != 0;
    }
    const ct_entity e = unit == UINT32_MAX
                            ? ct_flow_own_unit(c)
                            : (ct_entity){(uint32_t)ct_flow_object_at(c, unit).entity};
    *mesh = ct_mesh_first(m, e);
    if (!mesh->index) {
        ct_flow_error(c, "there is no mesh; link one, or a unit that has one");
        return false;
    }
    *object = ct_flow_object_of(e, ct_mesh_number(m, *mesh));
    return true;
}

uint32_t ct_flow_mesh_slot(ct_flow_call *c, ct_mesh_instance mesh, const char *name) {
    const ct_mesh_resource *const r = ct_flow_mesh_resource(ct_flow_call_world(c), mesh);
    if (!r) {
        ct_flow_error(c, "the mesh is not loaded");
        return UINT32_MAX;
    }
    const uint32_t id = ct_string_id32_of(name).value;
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    for (uint32_t i = 0; i < r->parts.count && i < CT_MESH_MAX_MATERIALS; ++i)
        if (!name[0] || parts[i].slot.value == id)
            return i;
    ct_flow_error(c, "the mesh has no material slot \"%.64s\"", name);
    return UINT32_MAX;
}
