// flow_node_types.h: descriptions of the nodes of Flow, which the compiler, the engine and tools read.
//
// There is a constant table for each module (flow_nodes_<module>.c). A description names the slots of
// a node; src/flow has the functions that run them, by the same names. Slots are numbered for each of
// the four kinds on its own, in the order of the table. Names and slots follow Stingray's nodes, in
// snake case. All data is constant: any thread. libc only.
#pragma once
#include "foundation/types.h"

// What goes along a link, or is in a slot.
typedef enum ct_flow_type {
    CT_FLOW_TYPE_EVENT,
    CT_FLOW_TYPE_BOOL,
    CT_FLOW_TYPE_NUMBER, // double
    CT_FLOW_TYPE_VECTOR3,
    CT_FLOW_TYPE_QUATERNION,
    CT_FLOW_TYPE_STRING,
    CT_FLOW_TYPE_ID, // the 64-bit hash of a string
    CT_FLOW_TYPE_UNIT,
    CT_FLOW_TYPE_ENTITY,
    CT_FLOW_TYPE_ACTOR, // the following are parts of an entity
    CT_FLOW_TYPE_CAMERA,
    CT_FLOW_TYPE_LIGHT,
    CT_FLOW_TYPE_MATERIAL,
    CT_FLOW_TYPE_MESH,
    CT_FLOW_TYPE_MOVER,
    CT_FLOW_TYPE_ANY, // an input that takes any value
    CT_FLOW_TYPE_COUNT,
} ct_flow_type;

typedef enum ct_flow_slot_kind {
    CT_FLOW_SLOT_INPUT,     // a value
    CT_FLOW_SLOT_EVENT_IN,  // starts the node
    CT_FLOW_SLOT_OUTPUT,    // a value
    CT_FLOW_SLOT_EVENT_OUT, // goes on
    CT_FLOW_SLOT_KIND_COUNT,
} ct_flow_slot_kind;

enum {
    CT_FLOW_MAX_SLOTS = 32,         // of one kind, of a node
    CT_FLOW_MAX_STATE_BYTES = 1024, // of a node
};

typedef struct ct_flow_slot {
    const char *name;         // "delta_position"
    uint8_t kind;             // ct_flow_slot_kind
    uint8_t type;             // ct_flow_type; EVENT for both kinds of events
    bool is_constant;         // an input that the source gives; it cannot be linked
    bool is_required;         // an input that is linked or given
    double default_value[4];  // of an input that is neither; quaternions as x y z w
    const char *default_text; // of strings and ids; NULL: ""
    const char
        *reference; // of strings and ids: they name a resource of this type; NULL: they do not
    const char *const *names; // of strings: the ones that are allowed; NULL-terminated. NULL: any
    const char *unit;         // "m", "rad", …; NULL: none
    const char *doc;          // one line
} ct_flow_slot;

typedef enum ct_flow_node_kind {
    CT_FLOW_NODE_PURE,   // its outputs depend on its inputs and the world only; it has no events
    CT_FLOW_NODE_ACTION, // it has events in
    CT_FLOW_NODE_ENTRY,  // the engine starts it; it has no events in, or only ones that switch it
} ct_flow_node_kind;

// How the compiler treats a node in its own way.
typedef enum ct_flow_node_role {
    CT_FLOW_ROLE_NONE,
    CT_FLOW_ROLE_CONSTANT,     // its output is its input (the nodes of Data): no node remains
    CT_FLOW_ROLE_GET_VARIABLE, // its output is the place of a variable: no node remains
    CT_FLOW_ROLE_SET_VARIABLE, // it writes the place of a variable
    CT_FLOW_ROLE_GRAPH_INPUT,  // what a graph that is used as a node gets from outside
    CT_FLOW_ROLE_GRAPH_OUTPUT,
    CT_FLOW_ROLE_GRAPH_EVENT_IN,
    CT_FLOW_ROLE_GRAPH_EVENT_OUT,
    CT_FLOW_ROLE_GRAPH,      // uses another graph as a node
    CT_FLOW_ROLE_LEVEL_UNIT, // its output is a unit of the level, by id
    CT_FLOW_ROLE_LUA,        // a node of the project, by a .flow_nodes file and a name
} ct_flow_node_role;

typedef struct ct_flow_node_type {
    const char *name;     // "numeric_addition"; unique
    const char *menu;     // as the yardstick names it: "Math > Numeric > Addition"
    const char *doc;      // a sentence
    uint8_t kind;         // ct_flow_node_kind
    uint8_t role;         // ct_flow_node_role
    bool is_foldable;     // pure, and a function of its inputs alone (flow_pure.h has it)
    bool is_polled;       // an entry that runs, or looks whether to run, in each step of the world
    uint32_t state_bytes; // in the dynamic data, aligned to 8, zero at the start; at most
                          // CT_FLOW_MAX_STATE_BYTES
    const ct_flow_slot *slots; // ends with one without a name
    const char *function;      // of the project's nodes: "MyGame.open_door"; otherwise NULL
} ct_flow_node_type;

// The nodes of a module of the engine.
typedef struct ct_flow_node_table {
    const char *module; // "math"
    const ct_flow_node_type *nodes;
    uint32_t num_nodes;
} ct_flow_node_table;

// --- To write tables -----------------------------------------------------------------------------

// A slot's doc comes after its type; further members of ct_flow_slot may follow:
//     CT_FLOW_IN("time", NUMBER, "How long to wait.", .unit = "s", .default_value = {1})
// clang-format off
#define CT_FLOW_IN(slot, slot_type, ...)                                                           \
    { .name = (slot), .kind = CT_FLOW_SLOT_INPUT, .type = CT_FLOW_TYPE_##slot_type, .doc = __VA_ARGS__ }
#define CT_FLOW_OUT(slot, slot_type, ...)                                                          \
    { .name = (slot), .kind = CT_FLOW_SLOT_OUTPUT, .type = CT_FLOW_TYPE_##slot_type, .doc = __VA_ARGS__ }
#define CT_FLOW_EVENT_IN(slot, text) { .name = (slot), .kind = CT_FLOW_SLOT_EVENT_IN, .doc = (text) }
#define CT_FLOW_EVENT_OUT(slot, text) { .name = (slot), .kind = CT_FLOW_SLOT_EVENT_OUT, .doc = (text) }
#define CT_FLOW_SLOTS(...) (const ct_flow_slot[]) { __VA_ARGS__, {0} }
// clang-format on

// --- To read them --------------------------------------------------------------------------------

// Returns the tables of all modules of the engine.
const ct_flow_node_table *ct_flow_node_tables(uint32_t *count);

// Returns the description with this name, or NULL. Takes time with the logarithm of their number.
const ct_flow_node_type *ct_flow_find_node_type(const char *name);

// The names of the kinds of slots, by their numbers ("input", "event_in", …); NULL-terminated.
extern const char *const ct_flow_slot_kind_names[];

// Returns the name of a type, such as "vector3".
const char *ct_flow_type_name(ct_flow_type type);

// Returns the type with this name; CT_FLOW_TYPE_COUNT when it does not exist.
ct_flow_type ct_flow_type_named(const char *name);

// Returns the number of slots of a kind.
uint32_t ct_flow_count_slots(const ct_flow_node_type *node, ct_flow_slot_kind kind);

// Returns a slot by its kind and number; the number must exist.
const ct_flow_slot *ct_flow_slot_at(const ct_flow_node_type *node, ct_flow_slot_kind kind,
                                    uint32_t number);

// Returns the slot with this name and its number among those of its kind; NULL when it does not exist.
// Event and value slots of the same direction have different names.
const ct_flow_slot *ct_flow_find_slot(const ct_flow_node_type *node, bool is_out, const char *name,
                                      uint32_t *number);
