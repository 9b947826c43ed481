// flow_resource.h: the blob of a flow graph, and the dynamic data of its instances.
//
// From "Visual Scripting the Data-Oriented Way" (Bitsquid blog, 2010-09-17). The nodes lie one after
// another in `program`, each beginning with its type; links are positions in it. An instance is one
// block of dynamic data: a head, then places for values and the states of nodes. A blue link is one
// place that two nodes know. Graphs that are used as nodes were put in their place by the compiler,
// conversions are nodes, constants are folded, and nodes of variables and of data do not remain.
//
// A place of an input says where its value is: in the dynamic data, or among the constants.
#pragma once
#include "resource/types/flow/flow_node_types.h"
#include "resource/types/resource_types.h"

enum {
    CT_FLOW_VERSION = 1,
    CT_FLOW_MAX_NODES = 65536, // after graphs were put in place of nodes
    CT_FLOW_MAX_DYNAMIC_BYTES = 1 << 20,
    CT_FLOW_STRING_BYTES = 240, // of a string that a graph makes, with its zero
    CT_FLOW_VALUE_BYTES = 16,
};
#define CT_FLOW_NONE UINT32_MAX

// --- Values --------------------------------------------------------------------------------------

// An entity, or a part of one.
typedef struct ct_flow_object {
    uint64_t entity; // ct_entity; 0: none
    uint32_t part;   // id of the component's instance; 0: the first of its type
    uint32_t extra;  // of materials: the number of the slot
} ct_flow_object;

// A text: where it starts, with CT_FLOW_STRING_IS_DYNAMIC in the dynamic data, otherwise in `texts`.
typedef struct ct_flow_string {
    uint32_t start;
    uint32_t length; // bytes without the zero
} ct_flow_string;
#define CT_FLOW_STRING_IS_DYNAMIC 0x80000000u

// A value at a place in the dynamic data. The type of the place says which member counts. A place of
// type STRING that a node or a variable writes is followed by CT_FLOW_STRING_BYTES for its text.
typedef union ct_flow_value {
    uint32_t is_true; // 0 or 1
    double number;
    float floats[4]; // of vectors 3; quaternions x y z w
    uint64_t id;
    ct_flow_object object;
    ct_flow_string string;
} ct_flow_value;

// Where the value of an input is: the region in the two highest bits, then an offset in bytes.
typedef enum ct_flow_region {
    CT_FLOW_REGION_DYNAMIC,
    CT_FLOW_REGION_NUMBERS, // `numbers`: double, or id
    CT_FLOW_REGION_WORDS,   // `words`: bool, floats, ct_flow_string
    CT_FLOW_REGION_COUNT,
} ct_flow_region;
#define CT_FLOW_PLACE(region, offset) ((uint32_t)(region) << 30 | (offset))

// --- Dynamic data --------------------------------------------------------------------------------

// At the start of the dynamic data of every instance.
typedef struct ct_flow_head {
    ct_flow_object
        unit;          // whose graph it is; 0: the level's, or none. Inputs of type UNIT and ENTITY
                       // that nothing is linked to have this place
    uint64_t random;   // state of its random numbers
    uint32_t level;    // ct_level; 0: none
    uint32_t instance; // its own id
    uint32_t num_events; // that were started from outside, so far
    uint32_t waiting;    // offset of the first state of a node that waits (src/flow); 0: none
    uint32_t padding[6];
} ct_flow_head;
_Static_assert(sizeof(ct_flow_head) == 64, "places start behind it");

// Behind the head: a place that stays zero, for inputs without a value. Then variables with a place
// of their own, in their order; units of the level; for each node, in the order of the program, its
// state and then its outputs.
enum { CT_FLOW_ZEROS = 64 };

// --- The blob ------------------------------------------------------------------------------------

// A type of node that the graph uses. Nodes name it by its position, so that a graph outlives changes
// of the engine's tables: the loader finds the functions by name.
typedef struct ct_flow_used_type {
    ct_blob_string name;
    ct_blob_string function; // of Lua nodes: "MyGame.open_door"; otherwise missing
    ct_blob_array slots;     // of Lua nodes: ct_flow_used_slot; otherwise empty
    uint32_t num_inputs, num_outputs, num_events_in,
        num_events_out; // as they were when it was compiled
    uint32_t state_bytes;
} ct_flow_used_type;

typedef struct ct_flow_used_slot {
    ct_blob_string name;
    uint32_t kind, type; // ct_flow_slot_kind, ct_flow_type
} ct_flow_used_slot;

// What errors and reloads need of a node; by its number, in the order of the program.
typedef struct ct_flow_node_info {
    uint64_t id
        [2]; // of the source; of nodes inside of graphs, mixed with those of the nodes around them
    ct_blob_string path;            // for messages: "levels/start: delay e2f0…"
    uint32_t node;                  // position in the program
    uint32_t first_byte, num_bytes; // of its state and outputs in the dynamic data, behind those of
                                    // the node before; num_bytes 0: none
    uint32_t padding;
} ct_flow_node_info;

// A value that is not zero when an instance starts.
typedef struct ct_flow_initial {
    uint32_t offset;     // in the dynamic data
    uint32_t type;       // ct_flow_type
    uint32_t place;      // a constant. Of units of the level: 0
    uint32_t level_unit; // 32-bit id of a unit of the level; 0: none
} ct_flow_initial;

// A node that the engine starts. Sorted by kind, then key; equal ones in the order in which they run.
typedef struct ct_flow_entry {
    ct_string_id32 kind; // name of the node's type: "level_loaded"
    ct_string_id32 key;  // of external events and the like: the name; {0} for others
    uint32_t node;       // position in the program
    uint32_t event; // the number behind its last event in, as none of these starts it: 0 for nodes
                    // without one
} ct_flow_entry;

typedef struct ct_flow_variable {
    ct_blob_string name_text;
    ct_string_id32 name;
    uint32_t type;   // ct_flow_type
    uint32_t offset; // of its place in the dynamic data
    uint32_t flags;  // CT_FLOW_VARIABLE_…
} ct_flow_variable;
enum {
    CT_FLOW_VARIABLE_INPUT = 1, // an external input: scripts set it before an event
    CT_FLOW_VARIABLE_OUTPUT =
        2, // an external output: scripts read it. Its place is its own, or that
           // of the output or variable that it shows. When pure nodes give
           // it, the node of the output is an entry (kind the type's name, key
           // that of its name): its pure nodes run before the place is read
    CT_FLOW_VARIABLE_SHARED = 4, // an output whose place is that of another output or variable
};

enum {
    CT_FLOW_UPDATES = 1, // it has nodes that run in each step of the world
};

typedef struct ct_flow_resource {
    ct_blob_header header;
    uint32_t dynamic_bytes;  // of an instance; a multiple of 16
    uint32_t flags;          // CT_FLOW_UPDATES
    ct_blob_array types;     // ct_flow_used_type
    ct_blob_array infos;     // ct_flow_node_info
    ct_blob_array program;   // uint32_t: ct_flow_node, one after another
    ct_blob_array links;     // uint32_t: for an event out: how many, then ct_flow_link each
    ct_blob_array pures;     // uint32_t: for a node: how many, then their positions in the program
    ct_blob_array numbers;   // uint64_t
    ct_blob_array words;     // uint32_t
    ct_blob_array texts;     // bytes; each text ends with a zero
    ct_blob_array initials;  // ct_flow_initial
    ct_blob_array entries;   // ct_flow_entry
    ct_blob_array variables; // ct_flow_variable, by name
} ct_flow_resource;

// A node in the program. Positions in `program`, `links` and `pures` count words. Behind it lie its inputs, its outputs and its events out.
typedef struct ct_flow_node {
    uint32_t type;  // position in `types`
    uint32_t info;  // position in `infos`
    uint32_t state; // offset in the dynamic data, a multiple of 8; 0: it has none
    uint32_t
        pures; // position in `pures` of the nodes to run before it, the first first; NONE: none
    uint32_t first_output; // position among its own slots: its inputs end there
    uint32_t first_event;  // its outputs end there
    uint32_t num_slots;    // its events out end there
    uint32_t slots[];      // inputs: 2 words each, place and type (ct_flow_type; EVENT: no value).
        // Outputs: offset in the dynamic data; nodes that set a variable have one more than their type,
        // its place. Events out: position in `links`; NONE
} ct_flow_node;

typedef struct ct_flow_link {
    uint32_t node;  // position in the program
    uint32_t event; // number of the event in
} ct_flow_link;

// Types of entries that run, or look whether to run, in each step of the world (CT_FLOW_UPDATES);
// NULL-terminated.
extern const char *const ct_flow_polled_types[];

extern const ct_schema ct_flow_schema;
extern const ct_blob_layout ct_flow_layout, ct_flow_used_type_layout, ct_flow_used_slot_layout,
    ct_flow_node_info_layout, ct_flow_initial_layout, ct_flow_entry_layout, ct_flow_variable_layout;

// Checks a blob whose header was checked: every position and offset is inside, nodes follow each other
// without gaps, places have the types that the slots say, lists end. Returns false with `error`.
bool ct_flow_validate(const void *blob, ct_error *error);

// Checks the slots of a Lua node in a blob: kinds and types go together, and there are not too many. `owners`
// and `owner` name the node in messages: "types", 3. Sets the number of slots of each kind. Returns
// false with `error`.
bool ct_flow_check_slots(const void *blob, ct_blob_array array, const char *owners, uint32_t owner,
                         uint32_t counts[CT_FLOW_SLOT_KIND_COUNT], ct_error *error);

// Checks dynamic data of `r->dynamic_bytes` from outside, such as a saved game: every text is inside its
// place and ends. Other values may be any. Returns false with `error`.
bool ct_flow_check_data(const ct_flow_resource *r, const void *data, ct_error *error);
