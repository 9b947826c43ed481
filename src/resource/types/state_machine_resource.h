// state_machine_resource.h: the blob of a state machine: clips, variables, layers, states,
// transitions, expressions.
//
// Everything is in flat arrays; members are positions in them. A layer has consecutive states and
// transitions. A state has consecutive leaves: the clips that it may play. A clip state has one
// leaf, a blend space one for each of its points, a tree one for each node that is a clip. A state
// has a list of the transitions that may leave it, those of `any` included, best first.
//
// Numbers that may depend on variables are expressions: programs for a stack of floats
// (animation/machine/machine_expression.h). CT_STATE_MACHINE_NONE is no expression.
#pragma once
#include "resource/types/skeleton_resource.h"

enum {
    CT_STATE_MACHINE_VERSION = 2,
    CT_STATE_MACHINE_LAYER_LIMIT = 16,
    CT_STATE_MACHINE_MAX_STATES = 1024,      // of all layers
    CT_STATE_MACHINE_MAX_TRANSITIONS = 4096, // of all layers
    CT_STATE_MACHINE_MAX_VARIABLES = 256,
    CT_STATE_MACHINE_MAX_LEAVES = 32, // of a state
    CT_STATE_MACHINE_MAX_NODES = 64,  // of a tree
    CT_STATE_MACHINE_MAX_STACK = 32,  // floats that an expression needs at a time
    CT_STATE_MACHINE_MAX_OPS = 512,   // of an expression
};
#define CT_STATE_MACHINE_NONE UINT32_MAX

// What an operation does to the stack. The rest of the operation's word is a number, where given.
typedef enum ct_state_machine_op {
    CT_STATE_MACHINE_OP_CONSTANT, // pushes `constants[number]`
    CT_STATE_MACHINE_OP_VARIABLE, // pushes the value of a variable
    CT_STATE_MACHINE_OP_NEGATE,   // these replace the top
    CT_STATE_MACHINE_OP_NOT,
    CT_STATE_MACHINE_OP_ABS,
    CT_STATE_MACHINE_OP_SIN,
    CT_STATE_MACHINE_OP_COS,
    CT_STATE_MACHINE_OP_ADD, // these replace the two topmost
    CT_STATE_MACHINE_OP_SUBTRACT,
    CT_STATE_MACHINE_OP_MULTIPLY,
    CT_STATE_MACHINE_OP_DIVIDE,
    CT_STATE_MACHINE_OP_REMAINDER, // with the sign of the divisor
    CT_STATE_MACHINE_OP_EQUAL,
    CT_STATE_MACHINE_OP_UNEQUAL,
    CT_STATE_MACHINE_OP_LESS,
    CT_STATE_MACHINE_OP_LESS_EQUAL,
    CT_STATE_MACHINE_OP_GREATER,
    CT_STATE_MACHINE_OP_GREATER_EQUAL,
    CT_STATE_MACHINE_OP_AND,
    CT_STATE_MACHINE_OP_OR,
    CT_STATE_MACHINE_OP_MIN,
    CT_STATE_MACHINE_OP_MAX,
    CT_STATE_MACHINE_OP_CLAMP,  // x, least, most. These replace the three topmost
    CT_STATE_MACHINE_OP_LERP,   // a, b, t
    CT_STATE_MACHINE_OP_SELECT, // condition, then, otherwise
    CT_STATE_MACHINE_OP_COUNT,
} ct_state_machine_op;

// The word of an operation: ct_state_machine_op in the low byte, the number above.
#define CT_STATE_MACHINE_WORD(op, number) ((uint32_t)(op) | (uint32_t)(number) << 8)

typedef struct ct_state_machine_expression {
    uint32_t first_word, num_words; // in `words`; at least 1
} ct_state_machine_expression;

// A number that the game sets, or a curve of the clips that play.
typedef struct ct_state_machine_variable_data {
    ct_blob_string name_text;
    ct_string_id32 name;
    float default_value, least, most;
    ct_string_id32 curve_object, curve_parameter; // its value is this curve's; {0}, {0}: no curve
} ct_state_machine_variable_data;

// A layer: its states play on the joints of its mask, over or added to the layers below.
typedef struct ct_state_machine_layer {
    ct_blob_string name_text;
    ct_string_id32 name;
    uint32_t is_additive; // bool: poses are added, not blended over
    uint32_t moves_root;  // bool: root motion of its clips moves the root
    uint32_t first_mask;  // in `masks`: a float for each joint of the skeleton; NONE: all 1
    uint32_t weight;      // expression, 0 to 1; NONE: 1
    uint32_t first_state, num_states;
    uint32_t start; // in `states`, one of its own
} ct_state_machine_layer;

typedef enum ct_state_machine_state_kind {
    CT_STATE_MACHINE_STATE_CLIP,
    CT_STATE_MACHINE_STATE_BLEND_1D, // points in ascending order of x
    CT_STATE_MACHINE_STATE_BLEND_2D,
    CT_STATE_MACHINE_STATE_TREE,
    CT_STATE_MACHINE_STATE_EMPTY, // shows the layers below
    CT_STATE_MACHINE_STATE_KIND_COUNT,
} ct_state_machine_state_kind;

// Whether a state starts again at its end.
typedef enum ct_state_machine_loop {
    CT_STATE_MACHINE_LOOP_NO,
    CT_STATE_MACHINE_LOOP_YES,
    CT_STATE_MACHINE_LOOP_AS_CLIP, // as its first clip says
    CT_STATE_MACHINE_LOOP_COUNT,
} ct_state_machine_loop;

typedef struct ct_state_machine_state {
    ct_blob_string name_text; // "": the state that transitions to "" lead to
    ct_blob_string enter_event_text, leave_event_text; // for Lua
    ct_string_id32 name;                               // unique in the layer
    uint32_t kind;                                     // ct_state_machine_state_kind
    uint32_t loop;                                     // ct_state_machine_loop
    uint32_t moves_root;                               // bool
    uint32_t speed;                                    // expression; NONE: 1
    uint32_t x, y; // expressions: where a blend space is evaluated
    uint32_t first_leaf, num_leaves;
    uint32_t first_node, num_nodes;          // of a tree; parents before children
    uint32_t first_triangle, num_triangles;  // of a 2D space
    uint32_t first_edge, num_edges;          // of a 2D space: its hull; of points on a line, all
    uint32_t first_exit, num_exits;          // in `exits`
    ct_string_id32 enter_event, leave_event; // {0}: none
} ct_state_machine_state;

// A clip of a state.
typedef struct ct_state_machine_leaf {
    uint32_t clip;     // in `clips`
    uint32_t is_apart; // bool: it has a time of its own; else the phase of the state
    uint32_t is_added; // bool: to the others of the state, or to the layers below
    float speed;       // factor
    float x, y;        // its place in a blend space
} ct_state_machine_leaf;

typedef enum ct_state_machine_node_kind {
    CT_STATE_MACHINE_NODE_CLIP,   // the leaf `first`
    CT_STATE_MACHINE_NODE_LERP,   // from child 0 to child 1 by `value`, 0 to 1
    CT_STATE_MACHINE_NODE_ADD,    // child 0, and child 1 with the weight `value`, 0 to 1
    CT_STATE_MACHINE_NODE_SELECT, // child number `value`, rounded down
    CT_STATE_MACHINE_NODE_KIND_COUNT,
} ct_state_machine_node_kind;

// A node of a blend tree.
typedef struct ct_state_machine_node {
    uint32_t kind;                // ct_state_machine_node_kind
    uint32_t value;               // expression; NONE for a clip
    uint32_t first, num_children; // in `children`, or the position of the leaf in the state
} ct_state_machine_node;

// Points of a 2D blend space, by their position in the state.
typedef struct ct_state_machine_triangle {
    uint32_t points[3];
} ct_state_machine_triangle;

// A line between two points, by their position in the state.
typedef struct ct_state_machine_edge {
    uint32_t points[2];
} ct_state_machine_edge;

typedef enum ct_state_machine_exit_kind {
    CT_STATE_MACHINE_EXIT_ANY,     // at any time
    CT_STATE_MACHINE_EXIT_PHASE,   // rounds of the state: 0 to 1 in each round; above 1: in all
    CT_STATE_MACHINE_EXIT_SECONDS, // after this long in the state
    CT_STATE_MACHINE_EXIT_KIND_COUNT,
} ct_state_machine_exit_kind;

typedef enum ct_state_machine_transition_flag {
    CT_STATE_MACHINE_TRANSITION_SMOOTH = 1,        // weights go by smoothstep, not straight
    CT_STATE_MACHINE_TRANSITION_SYNC = 2,          // the phase is carried over
    CT_STATE_MACHINE_TRANSITION_INTERRUPTIBLE = 4, // others may start before it ends
    CT_STATE_MACHINE_TRANSITION_FLAGS = 7,
} ct_state_machine_transition_flag;

typedef struct ct_state_machine_transition {
    uint32_t to;          // in `states`
    ct_string_id32 event; // {0}: starts by itself
    uint32_t condition;   // expression that must not be 0; NONE
    uint32_t exit_kind;   // ct_state_machine_exit_kind
    float exit;           // of the kind
    float duration;       // seconds of the fade
    float offset;         // phase that the new state starts at, 0 to 1
    uint32_t flags;       // ct_state_machine_transition_flag
} ct_state_machine_transition;

typedef struct ct_state_machine_resource {
    ct_blob_header header;
    ct_string_id64 skeleton;  // resource
    uint64_t structure_hash;  // of layers, states and variables: whose saved states fit
    uint32_t num_mask_joints; // of the skeleton: how many weights a mask has, in their order
    uint32_t padding;
    ct_blob_array clips;       // ct_resource_id, type animation
    ct_blob_array layers;      // ct_state_machine_layer
    ct_blob_array masks;       // float
    ct_blob_array variables;   // ct_state_machine_variable_data
    ct_blob_array states;      // ct_state_machine_state
    ct_blob_array leaves;      // ct_state_machine_leaf
    ct_blob_array nodes;       // ct_state_machine_node
    ct_blob_array children;    // uint32_t: nodes, by their position in the tree
    ct_blob_array triangles;   // ct_state_machine_triangle
    ct_blob_array edges;       // ct_state_machine_edge
    ct_blob_array transitions; // ct_state_machine_transition
    ct_blob_array exits;       // uint32_t: transitions
    ct_blob_array events;      // ct_string_id32, ascending: those that transitions wait for
    ct_blob_array expressions; // ct_state_machine_expression
    ct_blob_array words;       // uint32_t
    ct_blob_array constants;   // float, finite
} ct_state_machine_resource;

// --- The source ----------------------------------------------------------------------------------

// The fields that the schemas read from a source (docs/formats/state_machine.md). Values that may
// be a number or an expression are read by the compiler.
typedef struct ct_state_machine_source {
    ct_string_id64 skeleton;
    ct_sjson_value skeleton_value, variables, masks, layers;
} ct_state_machine_source;

// An element of `variables`.
typedef struct ct_state_machine_variable_source {
    const char *name;
    ct_sjson_value name_value, curve;
    float default_value, least, most;
} ct_state_machine_variable_source;

// The `curve` of a variable.
typedef struct ct_state_machine_curve_source {
    const char *object, *parameter;
} ct_state_machine_curve_source;

// An element of `masks`.
typedef struct ct_state_machine_mask_source {
    const char *name;
    ct_sjson_value name_value, joints;
} ct_state_machine_mask_source;

// An element of a mask's `joints`.
typedef struct ct_state_machine_joint_source {
    const char *joint;
    ct_sjson_value joint_value;
    float weight;
} ct_state_machine_joint_source;

typedef struct ct_state_machine_layer_source {
    const char *name, *mask, *start;
    ct_sjson_value name_value, mask_value, start_value, weight, root_motion, states, transitions;
    uint32_t additive; // bool
} ct_state_machine_layer_source;

// Of all kinds of states; a schema of a kind has those of its fields.
typedef struct ct_state_machine_state_source {
    const char *name, *enter_event, *leave_event, *root;
    ct_string_id64 animation;
    ct_sjson_value name_value, animation_value, speed, loop, x, y, points, nodes, root_value;
    uint32_t root_motion; // bool
} ct_state_machine_state_source;

// An element of a blend space's `points`.
typedef struct ct_state_machine_point_source {
    ct_string_id64 animation;
    ct_sjson_value animation_value;
    float x, y, speed;
} ct_state_machine_point_source;

// Of all kinds of nodes.
typedef struct ct_state_machine_node_source {
    const char *name, *a, *b;
    ct_string_id64 animation;
    ct_sjson_value name_value, animation_value, a_value, b_value, by, children;
    float speed;
    uint32_t sync; // bool
} ct_state_machine_node_source;

// An element of a node's `children`.
typedef struct ct_state_machine_child_source {
    const char *node;
    ct_sjson_value node_value;
} ct_state_machine_child_source;

typedef struct ct_state_machine_transition_source {
    const char *from, *to, *event;
    ct_sjson_value from_value, to_value, condition, exit_time, exit_seconds;
    float duration, offset;
    uint32_t curve;               // 0: linear, 1: smooth
    uint32_t sync, interruptible; // bool
    int32_t priority;
} ct_state_machine_transition_source;

extern const ct_schema ct_state_machine_schema, ct_state_machine_variable_schema,
    ct_state_machine_curve_schema, ct_state_machine_mask_schema, ct_state_machine_joint_schema,
    ct_state_machine_layer_schema, ct_state_machine_point_1d_schema,
    ct_state_machine_point_2d_schema, ct_state_machine_child_schema,
    ct_state_machine_transition_schema;

// The schemas of states by ct_state_machine_state_kind, and of nodes by ct_state_machine_node_kind;
// NULL-terminated. Their names are the `type` of an element.
extern const ct_schema *const ct_state_machine_state_schemas[];
extern const ct_schema *const ct_state_machine_node_schemas[];

// --- The blob ------------------------------------------------------------------------------------

extern const ct_blob_layout ct_state_machine_layout, ct_state_machine_variable_layout,
    ct_state_machine_layer_layout, ct_state_machine_state_layout, ct_state_machine_leaf_layout,
    ct_state_machine_node_layout, ct_state_machine_triangle_layout, ct_state_machine_edge_layout,
    ct_state_machine_transition_layout, ct_state_machine_expression_layout;

// Validates a blob of this type after its header was checked: every offset and position is inside,
// numbers are in range, trees end, and expressions stay inside their stack. Returns false with
// `error`, which names the invalid member. libc only.
bool ct_state_machine_validate(const void *blob, ct_error *error);

// Returns how many values the operation takes from the stack; it pushes one.
uint32_t ct_state_machine_op_takes(uint32_t op);
