// flow_meshes.h: meshes and their material slots, as nodes get them from their inputs. Update thread.
#pragma once
#include "flow/nodes/flow_parts.h"
#include "render/component/mesh_component.h"
#include "resource/types/mesh_resource.h"

// Returns the resource of a mesh; NULL when it is not loaded. Borrowed until it is reloaded.
const ct_mesh_resource *ct_flow_mesh_resource(const ct_world *w, ct_mesh_instance i);

// Gives the mesh that an input names; without a link the first one of the graph's own unit, or of the
// unit of input `unit` (UINT32_MAX: there is no such input). Logs an error and returns false when it
// does not exist.
bool ct_flow_mesh(ct_flow_call *c, uint32_t input, uint32_t unit, ct_flow_object *object,
                  ct_mesh_instance *mesh);

// Returns the slot with a name, "": the first, of a mesh; UINT32_MAX, with an error, when it does not exist.
uint32_t ct_flow_mesh_slot(ct_flow_call *c, ct_mesh_instance mesh, const char *name);
