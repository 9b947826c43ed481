// Nodes of Material.
#include "resource/types/flow/flow_node_tables.h"

#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")
#define MESH CT_FLOW_IN("mesh", MESH, "The mesh; without a link the first of the graph's own unit.")
#define SLOT                                                                                       \
    CT_FLOW_IN("slot_name", STRING, "Name of the material in the model file; nothing: the first.")
#define MATERIAL                                                                                   \
    CT_FLOW_IN("material", MATERIAL,                                                               \
               "The material, everywhere; without a link the first of the graph's own "            \
               "unit.")

static const ct_flow_node_type nodes[] = {
    {.name = "get_mesh_slot_material",
     .menu = "Material > Get Mesh Slot Material",
     .doc = "The material of a part of a mesh.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(MESH, SLOT, CT_FLOW_OUT("material", MATERIAL, "The material."),
                            CT_FLOW_OUT("resource", ID, "Name of its resource."))},
    {.name = "material_resource",
     .menu = "Material > Material Resource",
     .doc = "Gives the name of a material.",
     .kind = CT_FLOW_NODE_PURE,
     .role = CT_FLOW_ROLE_CONSTANT,
     .slots =
         CT_FLOW_SLOTS(CT_FLOW_IN("resource", STRING, "Name of the material.", .is_constant = true,
                                  .is_required = true, .reference = "material"),
                       CT_FLOW_OUT("resource", STRING, "The name that the node was given."))},
    {.name = "set_material_variable",
     .menu = "Material > Set Material Variable",
     .doc = "Sets a variable of a material, everywhere, until it is reloaded.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         MATERIAL, CT_FLOW_IN("variable", STRING, "Name of the variable.", .is_required = true),
         CT_FLOW_IN("scalar", NUMBER, "The value of one number; the fourth of four.",
                    .default_value = {1}),
         CT_FLOW_IN("vector", VECTOR3, "The first numbers of a value of more than one."), ACTS)},
    {.name = "set_material_variable_components",
     .menu = "Material > Set Material Variable Components",
     .doc = "Sets a variable of a material by its numbers, everywhere, until it is "
            "reloaded.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         MATERIAL, CT_FLOW_IN("variable", STRING, "Name of the variable.", .is_required = true),
         CT_FLOW_IN("x", NUMBER, "First number."), CT_FLOW_IN("y", NUMBER, "Second number."),
         CT_FLOW_IN("z", NUMBER, "Third number."),
         CT_FLOW_IN("w", NUMBER, "Fourth number.", .default_value = {1}), ACTS)},
    {.name = "set_mesh_slot_material",
     .menu = "Material > Set Mesh Slot Material",
     .doc = "Gives a part of a mesh another material.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         CT_FLOW_IN("unit", UNIT, "The unit; without a link the graph's own."),
         CT_FLOW_IN("mesh", MESH, "The mesh; without a link the unit's first."), SLOT,
         CT_FLOW_IN("resource", ID, "Name of the material.", .is_required = true,
                    .reference = "material"),
         CT_FLOW_IN("suppress_warnings", BOOL, "Says nothing when there is no such slot."), ACTS,
         CT_FLOW_OUT("old_resource", ID, "The material that it had."))},
};

const ct_flow_node_table ct_flow_nodes_material = {"material", nodes, CT_COUNT_OF(nodes)};
