// Nodes of Camera.
#include "resource/types/flow/flow_node_tables.h"

#define OF_CAMERA                                                                                  \
    CT_FLOW_IN("unit", UNIT, "Unit with the camera; without a link the graph's own."),             \
        CT_FLOW_IN("camera", CAMERA, "The camera; without a link the unit's first.")
#define ACTS CT_FLOW_EVENT_IN("in", "Does it."), CT_FLOW_EVENT_OUT("out", "It is done.")

static const ct_flow_node_type nodes[] = {
    {.name = "get_camera_far_range",
     .menu = "Camera > Get Camera Far Range",
     .doc = "How far a camera sees.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(OF_CAMERA, CT_FLOW_OUT("distance", NUMBER, "The far plane.", .unit = "m"))},
    {.name = "get_camera_local_position",
     .menu = "Camera > Get Camera Local Position",
     .doc = "Where a camera is in its unit.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(
         OF_CAMERA,
         CT_FLOW_OUT("position", VECTOR3, "In the space of the parent of its node.", .unit = "m"))},
    {.name = "get_camera_local_rotation",
     .menu = "Camera > Get Camera Local Rotation",
     .doc = "How a camera is turned in its unit.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(OF_CAMERA, CT_FLOW_OUT("rotation", QUATERNION,
                                                   "In the space of the parent of its node."))},
    {.name = "get_camera_near_range",
     .menu = "Camera > Get Camera Near Range",
     .doc = "From where on a camera sees.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(OF_CAMERA, CT_FLOW_OUT("distance", NUMBER, "The near plane.", .unit = "m"))},
    {.name = "get_camera_vertical_fov",
     .menu = "Camera > Get Camera Vertical FOV",
     .doc = "The angle that a camera sees from bottom to top.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(OF_CAMERA, CT_FLOW_OUT("angle", NUMBER, "The whole angle.", .unit = "rad"))},
    {.name = "get_camera_world_position",
     .menu = "Camera > Get Camera World Position",
     .doc = "Where a camera is.",
     .kind = CT_FLOW_NODE_PURE,
     .slots =
         CT_FLOW_SLOTS(OF_CAMERA, CT_FLOW_OUT("position", VECTOR3, "In the world.", .unit = "m"))},
    {.name = "get_camera_world_rotation",
     .menu = "Camera > Get Camera World Rotation",
     .doc = "How a camera is turned.",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(OF_CAMERA, CT_FLOW_OUT("rotation", QUATERNION, "In the world."))},
    {.name = "set_camera_far_range",
     .menu = "Camera > Set Camera Far Range",
     .doc = "Sets how far a camera sees.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         OF_CAMERA,
         CT_FLOW_IN("distance", NUMBER, "The far plane.", .default_value = {1000}, .unit = "m"),
         ACTS)},
    {.name = "set_camera_local_position",
     .menu = "Camera > Set Camera Local Position",
     .doc = "Moves a camera in its unit.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         OF_CAMERA,
         CT_FLOW_IN("position", VECTOR3, "In the space of the parent of its node.", .unit = "m"),
         ACTS)},
    {.name = "set_camera_local_rotation",
     .menu = "Camera > Set Camera Local Rotation",
     .doc = "Turns a camera in its unit.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots =
         CT_FLOW_SLOTS(OF_CAMERA,
                       CT_FLOW_IN("rotation", QUATERNION, "In the space of the parent of its node.",
                                  .default_value = {0, 0, 0, 1}),
                       ACTS)},
    {.name = "set_camera_near_range",
     .menu = "Camera > Set Camera Near Range",
     .doc = "Sets from where on a camera sees.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(OF_CAMERA,
                            CT_FLOW_IN("distance", NUMBER, "The near plane; above 0.",
                                       .default_value = {0.1}, .unit = "m"),
                            ACTS)},
    {.name = "set_camera_vertical_fov",
     .menu = "Camera > Set Camera Vertical FOV",
     .doc = "Sets the angle that a camera sees from bottom to top.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(OF_CAMERA,
                            CT_FLOW_IN("angle", NUMBER, "The whole angle, above 0 and below pi.",
                                       .default_value = {1.0472}, .unit = "rad"),
                            ACTS)},
    {.name = "move_camera",
     .menu = "Camera > Move Camera",
     .doc = "Moves a camera in its unit.",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(
         OF_CAMERA, CT_FLOW_IN("delta_position", VECTOR3, "By how much, at once.", .unit = "m"),
         CT_FLOW_IN("velocity", VECTOR3,
                    "And by how much in a second: times the length of the last step.",
                    .unit = "m/s"),
         ACTS)},
};

const ct_flow_node_table ct_flow_nodes_camera = {"camera", nodes, CT_COUNT_OF(nodes)};
