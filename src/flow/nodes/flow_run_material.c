// Nodes of Material. A material is the slot of a mesh, and means the resource that is in it.
#include <math.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_meshes.h"
#include "render/renderer.h"
#include "resource/load/resource_manager.h"
#include "resource/types/material_resource.h"

#define NO_INPUT UINT32_MAX

static const void *loaded(const ct_flow_call *c, const char *type, ct_string_id64 name) {
    ct_world_system *const s = ct_world_system_of(ct_flow_call_world(c));
    return ct_resource_manager_get(ct_world_system_resources(s), type, name);
}

// --- Slots ---------------------------------------------------------------------------------------

static uint32_t get_material(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_object object;
    ct_mesh_instance mesh;
    if (!ct_flow_mesh(c, 0, NO_INPUT, &object, &mesh))
        return CT_FLOW_STOP;
    const uint32_t slot = ct_flow_mesh_slot(c, mesh, ct_flow_text(c, 1));
    if (slot == UINT32_MAX)
        return CT_FLOW_STOP;
    object.extra = slot;
    ct_flow_set_object(c, 0, object);
    ct_flow_set_id(c, 1,
                   ct_mesh_material(ct_world_meshes(ct_flow_call_world(c)), mesh, slot).value);
    return CT_FLOW_STOP;
}

static bool has_slot(const ct_flow_call *c, ct_mesh_instance mesh, const char *name) {
    const ct_mesh_resource *const r = ct_flow_mesh_resource(ct_flow_call_world(c), mesh);
    const ct_mesh_part *const parts = r ? ct_blob_at(r, r->parts.offset) : NULL;
    for (uint32_t i = 0; parts && i < r->parts.count && i < CT_MESH_MAX_MATERIALS; ++i)
        if (!name[0] || parts[i].slot.value == ct_string_id32_of(name).value)
            return true;
    return false;
}

// Of several parts with the same material in the model file, all get it.
static void set_parts(const ct_flow_call *c, ct_mesh_instance mesh, uint32_t first,
                      ct_string_id64 material) {
    const ct_world *const w = ct_flow_call_world(c);
    const ct_mesh_resource *const r = ct_flow_mesh_resource(w, mesh);
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    for (uint32_t i = first; i < r->parts.count && i < CT_MESH_MAX_MATERIALS; ++i)
        if (parts[i].slot.value == parts[first].slot.value)
            ct_mesh_set_material(ct_world_meshes(w), mesh, i, material);
}

static uint32_t set_material(ct_flow_call *c, uint32_t event) {
    enum { UNIT, MESH, SLOT, RESOURCE, IS_QUIET };
    ct_flow_object object;
    ct_mesh_instance mesh;
    const ct_string_id64 material = {ct_flow_id(c, RESOURCE)};
    if (!ct_flow_mesh(c, MESH, UNIT, &object, &mesh))
        return event;
    const char *const name = ct_flow_text(c, SLOT);
    if (ct_flow_bool(c, IS_QUIET) && !has_slot(c, mesh, name))
        return event;
    const uint32_t slot = ct_flow_mesh_slot(c, mesh, name);
    if (slot == UINT32_MAX)
        return event;
    if (!loaded(c, "material", material)) {
        ct_flow_error(c, "the material \"%s\" is not loaded", ct_string_id64_name(material));
        return event;
    }
    ct_flow_set_id(c, 0,
                   ct_mesh_material(ct_world_meshes(ct_flow_call_world(c)), mesh, slot).value);
    set_parts(c, mesh, slot, material);
    return event;
}

// --- Variables -----------------------------------------------------------------------------------

// Gives the name of the loaded material of input 0.
static bool material_of(ct_flow_call *c, ct_string_id64 *name) {
    ct_flow_object object;
    ct_mesh_instance mesh;
    if (!ct_flow_mesh(c, 0, NO_INPUT, &object, &mesh))
        return false;
    if (object.extra < CT_MESH_MAX_MATERIALS)
        *name = ct_mesh_material(ct_world_meshes(ct_flow_call_world(c)), mesh, object.extra);
    if (object.extra < CT_MESH_MAX_MATERIALS && loaded(c, "material", *name))
        return true;
    ct_flow_error(c, "no material is loaded in this slot of the mesh");
    return false;
}

// Returns how many numbers the variable of input 1 has; 0, with an error, when it does not exist.
static uint32_t floats_of_variable(ct_flow_call *c, ct_string_id64 material) {
    const ct_material_resource *const r = loaded(c, "material", material);
    const ct_shader_resource *const shader = loaded(c, "shader", r->shader);
    const uint32_t name = ct_string_id32_of(ct_flow_text(c, 1)).value;
    const ct_shader_parameter *const p =
        shader ? ct_blob_at(shader, shader->parameters.offset) : NULL;
    for (uint32_t i = 0; p && i < shader->parameters.count; ++i)
        if (p[i].name.value == name && p[i].type != CT_SHADER_PARAMETER_TYPE_MATRIX4X4)
            return ct_shader_parameter_floats(p[i].type);
    ct_flow_error(c, "the material \"%s\" has no variable \"%.64s\"", ct_string_id64_name(material),
                  ct_flow_text(c, 1));
    return 0;
}

static uint32_t set_floats(ct_flow_call *c, uint32_t event, ct_string_id64 material,
                           const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (isfinite(values[i]))
            continue;
        ct_flow_error(c, "found %g; expected finite numbers", (double)values[i]);
        return event;
    }
    ct_renderer *const r = ct_world_system_renderer(ct_world_system_of(ct_flow_call_world(c)));
    if (!ct_render_material_set_parameter(r, material, ct_string_id32_of(ct_flow_text(c, 1)),
                                          values, count))
        ct_flow_error(c, "the material \"%s\" cannot be changed now",
                      ct_string_id64_name(material));
    return event;
}

static uint32_t set_variable(ct_flow_call *c, uint32_t event) {
    ct_string_id64 material;
    if (!material_of(c, &material))
        return event;
    const uint32_t count = floats_of_variable(c, material);
    const float scalar = (float)ct_flow_number(c, 2);
    const ct_vec3 v = ct_flow_vector3(c, 3);
    const float values[] = {count == 1 ? scalar : v.x, v.y, v.z, scalar};
    return count ? set_floats(c, event, material, values, count) : event;
}

static uint32_t set_components(ct_flow_call *c, uint32_t event) {
    ct_string_id64 material;
    if (!material_of(c, &material))
        return event;
    const uint32_t count = floats_of_variable(c, material);
    float values[4];
    for (uint32_t i = 0; i < 4; ++i)
        values[i] = (float)ct_flow_number(c, 2 + i);
    return count ? set_floats(c, event, material, values, count) : event;
}

static const ct_flow_function_row rows[] = {
    {"get_mesh_slot_material", get_material},
    {"set_material_variable", set_variable},
    {"set_material_variable_components", set_components},
    {"set_mesh_slot_material", set_material},
};

const ct_flow_functions ct_flow_run_material = {rows, CT_COUNT_OF(rows)};
