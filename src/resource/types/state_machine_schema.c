// The schemas of the sources of state machines.
#include <stddef.h>

#include "resource/types/state_machine_resource.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// The position of a field in the source, beside the field.
#define PLACE(source_type, field_name, member)                                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member),                \
        .doc = "Position in the source."                                                           \
    }

#define SCHEMA(schema_name, text, source_type, schema_fields, members)                             \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields), .fields = (schema_fields),                       \
        .identity = (members),                                                                     \
    }

// --- Variables and masks -------------------------------------------------------------------------

static const ct_field curve_fields[] = {
    {.name = "object",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_state_machine_curve_source, object),
     .doc = "What the curve is for, as the clips have it. \"\": the unit."},
    {.name = "parameter",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_state_machine_curve_source, parameter),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the number that the curve gives."},
};

const ct_schema ct_state_machine_curve_schema =
    SCHEMA("curve_of_clips", "A float curve that the clips have.", ct_state_machine_curve_source,
           curve_fields, 0);

static const ct_field variable_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_state_machine_variable_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which scripts and expressions use: letters, digits and _."},
    PLACE(ct_state_machine_variable_source, "name", name_value),
    {.name = "default",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_state_machine_variable_source, default_value),
     .doc = "Value at the start."},
    {.name = "min",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_state_machine_variable_source, least),
     .doc = "Smallest value; smaller ones become it.",
     .default_value = {-1e6}},
    {.name = "max",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_state_machine_variable_source, most),
     .doc = "Largest value; larger ones become it.",
     .default_value = {1e6}},
    {.name = "curve",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(ct_state_machine_variable_source, curve),
     .doc = "The variable has the value of this curve of the clips that play.",
     .schema = &ct_state_machine_curve_schema},
};

const ct_schema ct_state_machine_variable_schema =
    SCHEMA("variable", "A number that the game sets and expressions use.",
           ct_state_machine_variable_source, variable_fields, CT_SCHEMA_ID);

static const ct_field joint_fields[] = {
    {.name = "joint",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_state_machine_joint_source, joint),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of a joint of the skeleton."},
    PLACE(ct_state_machine_joint_source, "joint", joint_value),
    {.name = "weight",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_state_machine_joint_source, weight),
     .doc = "Weight of the joint, and of all below it that have no entry.",
     .least = 0,
     .most = 1,
     .default_value = {1}},
};

const ct_schema ct_state_machine_joint_schema =
    SCHEMA("mask_joint", "The weight of a joint and of those below it.",
           ct_state_machine_joint_source, joint_fields, CT_SCHEMA_ID);

static const ct_field mask_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_state_machine_mask_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which layers use."},
    PLACE(ct_state_machine_mask_source, "name", name_value),
    {.name = "joints",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_state_machine_mask_source, joints),
     .flags = CT_FIELD_SET | CT_FIELD_REQUIRED,
     .doc = "The joints that have weights: { id joint weight }. All others have 0.",
     .schema = &ct_state_machine_joint_schema},
};

const ct_schema ct_state_machine_mask_schema =
    SCHEMA("mask", "Weights of joints, for layers.", ct_state_machine_mask_source, mask_fields,
           CT_SCHEMA_ID);

// --- States --------------------------------------------------------------------------------------

#define STATE(member) AT(ct_state_machine_state_source, member)

#define STATE_FIELDS                                                                               \
    {.name = "name",                                                                               \
     .type = CT_FIELD_TYPE_STRING,                                                                 \
     STATE(name),                                                                                  \
     .flags = CT_FIELD_REQUIRED,                                                                   \
     .doc = "Unique name in the layer, which transitions use."},                                   \
        PLACE(ct_state_machine_state_source, "name", name_value),                                  \
        {.name = "enter_event",                                                                    \
         .type = CT_FIELD_TYPE_STRING,                                                             \
         STATE(enter_event),                                                                       \
         .doc = "Event that comes out when the state is entered. \"\": none."},                    \
    {                                                                                              \
        .name = "leave_event", .type = CT_FIELD_TYPE_STRING, STATE(leave_event),                   \
        .doc = "Event that comes out when the state is left. \"\": none."                          \
    }

#define PLAYED_FIELDS                                                                              \
    {.name = "speed",                                                                              \
     .type = CT_FIELD_TYPE_VALUE,                                                                  \
     STATE(speed),                                                                                 \
     .doc = "Speed, a number or an expression. Default: 1. Negative: backwards."},                 \
        {.name = "loop",                                                                           \
         .type = CT_FIELD_TYPE_VALUE,                                                              \
         STATE(loop),                                                                              \
         .doc = "Whether it starts again at its end. Default: as its first clip."},                \
    {                                                                                              \
        .name = "root_motion", .type = CT_FIELD_TYPE_BOOL, STATE(root_motion),                     \
        .doc = "Whether the root motion of its clips counts.", .default_value = {                  \
            1                                                                                      \
        }                                                                                          \
    }

static const ct_field clip_fields[] = {
    STATE_FIELDS,
    PLAYED_FIELDS,
    {.name = "animation",
     .type = CT_FIELD_TYPE_REFERENCE,
     STATE(animation),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The clip.",
     .reference_type = "animation"},
    PLACE(ct_state_machine_state_source, "animation", animation_value),
};

static const ct_schema clip_schema =
    SCHEMA("clip", "A state that plays a clip.", ct_state_machine_state_source, clip_fields,
           CT_SCHEMA_ID | CT_SCHEMA_TYPE);

#define POINT(member) AT(ct_state_machine_point_source, member)

#define POINT_FIELDS                                                                               \
    {.name = "animation",                                                                          \
     .type = CT_FIELD_TYPE_REFERENCE,                                                              \
     POINT(animation),                                                                             \
     .flags = CT_FIELD_REQUIRED,                                                                   \
     .doc = "The clip at this point.",                                                             \
     .reference_type = "animation"},                                                               \
        PLACE(ct_state_machine_point_source, "animation", animation_value), {                      \
        .name = "speed", .type = CT_FIELD_TYPE_FLOAT, POINT(speed), .doc = "Speed of the clip.",   \
        .least = 0.01, .most = 100, .default_value = {                                             \
            1                                                                                      \
        }                                                                                          \
    }

static const ct_field point_1d_fields[] = {
    POINT_FIELDS,
    {.name = "value",
     .type = CT_FIELD_TYPE_FLOAT,
     POINT(x),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Value of the variable at which only this clip plays.",
     .least = -1e6,
     .most = 1e6},
};

const ct_schema ct_state_machine_point_1d_schema =
    SCHEMA("blend_point_1d", "A clip of a blend space over one variable.",
           ct_state_machine_point_source, point_1d_fields, CT_SCHEMA_ID);

static const ct_field point_2d_fields[] = {
    POINT_FIELDS,
    {.name = "x",
     .type = CT_FIELD_TYPE_FLOAT,
     POINT(x),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Value of the first variable.",
     .least = -1e6,
     .most = 1e6},
    {.name = "y",
     .type = CT_FIELD_TYPE_FLOAT,
     POINT(y),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Value of the second variable.",
     .least = -1e6,
     .most = 1e6},
};

const ct_schema ct_state_machine_point_2d_schema =
    SCHEMA("blend_point_2d", "A clip of a blend space over two variables.",
           ct_state_machine_point_source, point_2d_fields, CT_SCHEMA_ID);

static const ct_field blend_1d_fields[] = {
    STATE_FIELDS,
    PLAYED_FIELDS,
    {.name = "x",
     .type = CT_FIELD_TYPE_VALUE,
     STATE(x),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Where in the space it is: a variable or another expression."},
    {.name = "points",
     .type = CT_FIELD_TYPE_ARRAY,
     STATE(points),
     .flags = CT_FIELD_SET | CT_FIELD_REQUIRED,
     .doc = "The clips: { id animation value speed }.",
     .schema = &ct_state_machine_point_1d_schema},
};

static const ct_schema blend_1d_schema =
    SCHEMA("blend_1d", "A state that blends clips by one number.", ct_state_machine_state_source,
           blend_1d_fields, CT_SCHEMA_ID | CT_SCHEMA_TYPE);

static const ct_field blend_2d_fields[] = {
    STATE_FIELDS,
    PLAYED_FIELDS,
    {.name = "x",
     .type = CT_FIELD_TYPE_VALUE,
     STATE(x),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The first coordinate in the space: a variable or another expression."},
    {.name = "y",
     .type = CT_FIELD_TYPE_VALUE,
     STATE(y),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The second coordinate."},
    {.name = "points",
     .type = CT_FIELD_TYPE_ARRAY,
     STATE(points),
     .flags = CT_FIELD_SET | CT_FIELD_REQUIRED,
     .doc = "The clips: { id animation x y speed }.",
     .schema = &ct_state_machine_point_2d_schema},
};

static const ct_schema blend_2d_schema =
    SCHEMA("blend_2d", "A state that blends clips by two numbers.", ct_state_machine_state_source,
           blend_2d_fields, CT_SCHEMA_ID | CT_SCHEMA_TYPE);

// --- Trees ---------------------------------------------------------------------------------------

#define NODE(member) AT(ct_state_machine_node_source, member)

#define NODE_FIELDS                                                                                \
    {.name = "name",                                                                               \
     .type = CT_FIELD_TYPE_STRING,                                                                 \
     NODE(name),                                                                                   \
     .flags = CT_FIELD_REQUIRED,                                                                   \
     .doc = "Unique name in the tree, which other nodes use."},                                    \
        PLACE(ct_state_machine_node_source, "name", name_value)

static const ct_field clip_node_fields[] = {
    NODE_FIELDS,
    {.name = "animation",
     .type = CT_FIELD_TYPE_REFERENCE,
     NODE(animation),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The clip.",
     .reference_type = "animation"},
    PLACE(ct_state_machine_node_source, "animation", animation_value),
    {.name = "speed",
     .type = CT_FIELD_TYPE_FLOAT,
     NODE(speed),
     .doc = "Speed of the clip.",
     .least = 0.01,
     .most = 100,
     .default_value = {1}},
    {.name = "sync",
     .type = CT_FIELD_TYPE_BOOL,
     NODE(sync),
     .doc = "Whether the clip keeps in step with the other clips of the tree. false: it has its "
            "own time.",
     .default_value = {1}},
};

static const ct_schema clip_node_schema =
    SCHEMA("clip", "A node that is a clip.", ct_state_machine_node_source, clip_node_fields,
           CT_SCHEMA_ID | CT_SCHEMA_TYPE);

#define PAIR_FIELDS(text_a, text_b, text_by)                                                       \
    {.name = "a",                                                                                  \
     .type = CT_FIELD_TYPE_STRING,                                                                 \
     NODE(a),                                                                                      \
     .flags = CT_FIELD_REQUIRED,                                                                   \
     .doc = (text_a)},                                                                             \
        PLACE(ct_state_machine_node_source, "a", a_value),                                         \
        {.name = "b",                                                                              \
         .type = CT_FIELD_TYPE_STRING,                                                             \
         NODE(b),                                                                                  \
         .flags = CT_FIELD_REQUIRED,                                                               \
         .doc = (text_b)},                                                                         \
        PLACE(ct_state_machine_node_source, "b", b_value), {                                       \
        .name = "by", .type = CT_FIELD_TYPE_VALUE, NODE(by), .flags = CT_FIELD_REQUIRED,           \
        .doc = (text_by)                                                                           \
    }

static const ct_field lerp_fields[] = {
    NODE_FIELDS,
    PAIR_FIELDS("Name of the node that shows at 0.", "Name of the node that shows at 1.",
                "A number or an expression, from 0 to 1."),
};

static const ct_schema lerp_schema =
    SCHEMA("lerp", "A node that blends two others.", ct_state_machine_node_source, lerp_fields,
           CT_SCHEMA_ID | CT_SCHEMA_TYPE);

static const ct_field add_fields[] = {
    NODE_FIELDS,
    PAIR_FIELDS("Name of the node that is added to.",
                "Name of the node that is added, whose clips are additive.",
                "How much of `b` is added, 0 to 1: a number or an expression."),
};

static const ct_schema add_schema =
    SCHEMA("add", "A node that adds one to another.", ct_state_machine_node_source, add_fields,
           CT_SCHEMA_ID | CT_SCHEMA_TYPE);

static const ct_field child_fields[] = {
    {.name = "node",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_state_machine_child_source, node),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of a node."},
    PLACE(ct_state_machine_child_source, "node", node_value),
};

const ct_schema ct_state_machine_child_schema =
    SCHEMA("select_child", "One of the nodes that a node chooses from.",
           ct_state_machine_child_source, child_fields, CT_SCHEMA_ID);

static const ct_field select_fields[] = {
    NODE_FIELDS,
    {.name = "by",
     .type = CT_FIELD_TYPE_VALUE,
     NODE(by),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Which one, from 0: a number or an expression, rounded down."},
    {.name = "children",
     .type = CT_FIELD_TYPE_ARRAY,
     NODE(children),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The nodes: { id node }.",
     .schema = &ct_state_machine_child_schema},
};

static const ct_schema select_schema =
    SCHEMA("select", "A node that shows one of several.", ct_state_machine_node_source,
           select_fields, CT_SCHEMA_ID | CT_SCHEMA_TYPE);

const ct_schema *const ct_state_machine_node_schemas[] = {
    [CT_STATE_MACHINE_NODE_CLIP] = &clip_node_schema,
    [CT_STATE_MACHINE_NODE_LERP] = &lerp_schema,
    [CT_STATE_MACHINE_NODE_ADD] = &add_schema,
    [CT_STATE_MACHINE_NODE_SELECT] = &select_schema,
    [CT_STATE_MACHINE_NODE_KIND_COUNT] = NULL};

static const ct_field tree_fields[] = {
    STATE_FIELDS,
    PLAYED_FIELDS,
    {.name = "nodes",
     .type = CT_FIELD_TYPE_ARRAY,
     STATE(nodes),
     .flags = CT_FIELD_SET | CT_FIELD_REQUIRED,
     .doc = "The nodes: { id type name … }.",
     .schemas = ct_state_machine_node_schemas},
    {.name = "root",
     .type = CT_FIELD_TYPE_STRING,
     STATE(root),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the node that shows."},
    PLACE(ct_state_machine_state_source, "root", root_value),
};

static const ct_schema tree_schema =
    SCHEMA("tree", "A state that blends clips by a tree of nodes.", ct_state_machine_state_source,
           tree_fields, CT_SCHEMA_ID | CT_SCHEMA_TYPE);

static const ct_field empty_fields[] = {STATE_FIELDS};

static const ct_schema empty_schema =
    SCHEMA("empty", "A state that shows the layers below.", ct_state_machine_state_source,
           empty_fields, CT_SCHEMA_ID | CT_SCHEMA_TYPE);

const ct_schema *const ct_state_machine_state_schemas[] = {
    [CT_STATE_MACHINE_STATE_CLIP] = &clip_schema,
    [CT_STATE_MACHINE_STATE_BLEND_1D] = &blend_1d_schema,
    [CT_STATE_MACHINE_STATE_BLEND_2D] = &blend_2d_schema,
    [CT_STATE_MACHINE_STATE_TREE] = &tree_schema,
    [CT_STATE_MACHINE_STATE_EMPTY] = &empty_schema,
    [CT_STATE_MACHINE_STATE_KIND_COUNT] = NULL};

// --- Transitions, layers, the machine ------------------------------------------------------------

#define TRANSITION(member) AT(ct_state_machine_transition_source, member)

static const char *const curve_names[] = {"linear", "smooth", NULL};

static const ct_field transition_fields[] = {
    {.name = "from",
     .type = CT_FIELD_TYPE_STRING,
     TRANSITION(from),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the state that it leaves; \"any\": every state; \"\": the empty state."},
    PLACE(ct_state_machine_transition_source, "from", from_value),
    {.name = "to",
     .type = CT_FIELD_TYPE_STRING,
     TRANSITION(to),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the state that it enters; \"\": the empty state."},
    PLACE(ct_state_machine_transition_source, "to", to_value),
    {.name = "event",
     .type = CT_FIELD_TYPE_STRING,
     TRANSITION(event),
     .doc = "Event that starts it. \"\": it starts by itself."},
    {.name = "condition",
     .type = CT_FIELD_TYPE_VALUE,
     TRANSITION(condition),
     .doc = "Expression that must not be 0."},
    {.name = "exit_time",
     .type = CT_FIELD_TYPE_VALUE,
     TRANSITION(exit_time),
     .doc = "Phase of the state at which it may start: 0 to 1, in every round; larger: rounds."},
    {.name = "exit_seconds",
     .type = CT_FIELD_TYPE_VALUE,
     TRANSITION(exit_seconds),
     .doc = "Seconds in the state after which it may start."},
    {.name = "duration",
     .type = CT_FIELD_TYPE_FLOAT,
     TRANSITION(duration),
     .doc = "How long the fade takes. 0: no fade.",
     .unit = "s",
     .least = 0,
     .most = 1000,
     .default_value = {0.2}},
    {.name = "curve",
     .type = CT_FIELD_TYPE_ENUM,
     TRANSITION(curve),
     .doc = "How weights change in the fade.",
     .enum_names = curve_names},
    {.name = "sync",
     .type = CT_FIELD_TYPE_BOOL,
     TRANSITION(sync),
     .doc = "Whether the new state starts at the phase of the old, and both keep in step."},
    {.name = "priority",
     .type = CT_FIELD_TYPE_INT,
     TRANSITION(priority),
     .doc = "Of several that may start, that with the largest does.",
     .least = -1000,
     .most = 1000},
    {.name = "interruptible",
     .type = CT_FIELD_TYPE_BOOL,
     TRANSITION(interruptible),
     .doc = "Whether other transitions may start before its fade has ended.",
     .default_value = {1}},
    {.name = "offset",
     .type = CT_FIELD_TYPE_FLOAT,
     TRANSITION(offset),
     .doc = "Phase at which the new state starts.",
     .least = 0,
     .most = 1},
};

const ct_schema ct_state_machine_transition_schema =
    SCHEMA("transition", "A way from one state to another.", ct_state_machine_transition_source,
           transition_fields, CT_SCHEMA_ID);

#define LAYER(member) AT(ct_state_machine_layer_source, member)

static const ct_field layer_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     LAYER(name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name."},
    PLACE(ct_state_machine_layer_source, "name", name_value),
    {.name = "additive",
     .type = CT_FIELD_TYPE_BOOL,
     LAYER(additive),
     .doc = "Whether its clips, which are additive, are added to the layers below."},
    {.name = "mask",
     .type = CT_FIELD_TYPE_STRING,
     LAYER(mask),
     .doc = "Name of the mask. \"\": all joints."},
    PLACE(ct_state_machine_layer_source, "mask", mask_value),
    {.name = "weight",
     .type = CT_FIELD_TYPE_VALUE,
     LAYER(weight),
     .doc = "Weight, 0 to 1: a number or an expression. Default: 1."},
    {.name = "root_motion",
     .type = CT_FIELD_TYPE_VALUE,
     LAYER(root_motion),
     .doc = "Whether the root motion of its clips moves the root. Default: true for the first "
            "layer only."},
    {.name = "states",
     .type = CT_FIELD_TYPE_ARRAY,
     LAYER(states),
     .flags = CT_FIELD_SET | CT_FIELD_REQUIRED,
     .doc = "The states: { id type name … }.",
     .schemas = ct_state_machine_state_schemas},
    {.name = "transitions",
     .type = CT_FIELD_TYPE_ARRAY,
     LAYER(transitions),
     .doc = "The transitions: { id from to event … }.",
     .schema = &ct_state_machine_transition_schema},
    {.name = "start",
     .type = CT_FIELD_TYPE_STRING,
     LAYER(start),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the state at the start. \"\": the empty state."},
    PLACE(ct_state_machine_layer_source, "start", start_value),
};

const ct_schema ct_state_machine_layer_schema =
    SCHEMA("layer", "States of which one plays at a time, and the transitions between them.",
           ct_state_machine_layer_source, layer_fields, CT_SCHEMA_ID);

static const ct_field fields[] = {
    {.name = "skeleton",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_state_machine_source, skeleton),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The skeleton of the clips.",
     .reference_type = "skeleton"},
    PLACE(ct_state_machine_source, "skeleton", skeleton_value),
    {.name = "variables",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_state_machine_source, variables),
     .flags = CT_FIELD_SET,
     .doc = "The variables: { id name default min max curve }.",
     .schema = &ct_state_machine_variable_schema},
    {.name = "masks",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_state_machine_source, masks),
     .flags = CT_FIELD_SET,
     .doc = "The masks: { id name joints }.",
     .schema = &ct_state_machine_mask_schema},
    {.name = "layers",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_state_machine_source, layers),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The layers, from the lowest: { id name states transitions start … }.",
     .schema = &ct_state_machine_layer_schema},
};

const ct_schema ct_state_machine_schema =
    SCHEMA("state_machine", "What a character's clips do when, by events and variables.",
           ct_state_machine_source, fields, 0);
