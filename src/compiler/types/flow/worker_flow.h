// worker_flow.h: a flow graph while it is compiled.
//
// One plain model, over which passes go, a file each: read (with graphs that are used as nodes),
// link, order, fold, reach, lay out, write. Nodes, inputs and so on are in arrays and named by their
// positions there. A graph that is used as a node is a scope of its own: its nodes are read once for
// each use, and its external nodes are passages: what goes in there comes out unchanged. Nodes of
// data and of variables are passages, too. No passage is left in the program.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/string/guid.h"
#include "resource/types/flow/flow_project_nodes.h"
#include "resource/types/flow/flow_source.h"

#define CT_WORKER_FLOW_NONE UINT32_MAX

enum {
    CT_WORKER_FLOW_MAX_DEPTH = 64,      // of graphs in graphs
    CT_WORKER_FLOW_MAX_WORDS = 1 << 22, // of lists in the blob
};

// A value that the source gives, or that was computed. Its type says which member counts.
typedef struct ct_worker_flow_constant {
    ct_flow_type type;
    ct_flow_value value;
    const char *text; // of strings
    uint32_t text_bytes;
} ct_worker_flow_constant;

// Where a value comes from.
typedef enum ct_worker_flow_source_kind {
    CT_WORKER_FLOW_SOURCE_NONE,     // no value: zeros
    CT_WORKER_FLOW_SOURCE_CONSTANT, // index: in `constants`
    CT_WORKER_FLOW_SOURCE_NODE,     // index: the node; and the number of its output
    CT_WORKER_FLOW_SOURCE_VARIABLE, // index: in `variables`
    CT_WORKER_FLOW_SOURCE_UNIT,     // index: 32-bit id of a unit of the level
} ct_worker_flow_source_kind;

// What an input reads.
typedef struct ct_worker_flow_source {
    ct_worker_flow_source_kind kind;
    ct_flow_type type;
    uint32_t index, output;
} ct_worker_flow_source;

typedef struct ct_worker_flow_input {
    ct_flow_type type; // of the slot
    bool is_given, is_linked;
    ct_worker_flow_source link;   // as the source has it
    ct_worker_flow_source source; // after folding
} ct_worker_flow_input;

typedef struct ct_worker_flow_node {
    const ct_flow_node_type *type;
    ct_sjson_value value; // in the scope's document
    const char *id;
    ct_guid guid;
    float position[2];
    uint32_t scope, inner_scope; // the latter of graphs; NONE
    uint32_t rank; // its place in the order of events; of conversions, first their node
    uint32_t first_input, num_inputs;
    uint32_t variable; // that it reads or writes; NONE
    const char *name;  // of external nodes and variables: its constant input `name`; NULL
    bool is_passage;
    ct_worker_flow_source passed; // of passages, after folding: what comes out
    uint32_t first_folded;        // its outputs in `constants`, when it was folded; NONE
    bool is_used;                 // something runs or reads it
    bool is_kept;                 // it is in the program
    uint32_t info, first_byte, num_bytes, state, program, pures; // in the blob
    uint32_t first_place;                                        // its outputs in `places`
} ct_worker_flow_node;

// A link of events.
typedef struct ct_worker_flow_event {
    uint32_t from, out, to, in;
    ct_sjson_value value; // in the document of the scope of `from`
} ct_worker_flow_event;

typedef struct ct_worker_flow_variable {
    const char *name, *full_name; // the latter with the nodes around its graph
    ct_flow_type type;
    uint32_t scope, flags, constant; // NONE: no value
    ct_worker_flow_source source;    // of external outputs
    uint32_t node;                   // external output; NONE
    uint32_t offset;
    ct_sjson_value value; // where it is in the source
} ct_worker_flow_variable;

typedef struct ct_worker_flow_scope {
    const ct_sjson *doc;
    ct_flow_source source;
    uint32_t parent, node; // scope and node of the graph around it; NONE
    uint32_t depth;
    uint32_t first_node, num_nodes;
    uint32_t first_variable, num_variables;
    ct_hash_map ids; // of nodes, by the hash of the text; NONE: one that could not be read
    ct_u32_array externals;
    const char *path; // for messages of the engine
    ct_guid guid;     // of the node that uses it; zero at the top
    bool is_used;
} ct_worker_flow_scope;

// A .flow_nodes file that the graph uses.
typedef struct ct_worker_flow_file {
    const ct_sjson *doc;
    ct_flow_project_nodes nodes;
    bool is_good; // it has no errors
} ct_worker_flow_file;

// A unit of the level that the graph names.
typedef struct ct_worker_flow_unit {
    uint32_t id, offset;
} ct_worker_flow_unit;

typedef struct ct_worker_flow {
    ct_compile *c;
    ct_schema_listener listener;
    CT_ARRAY(ct_worker_flow_scope) scopes;
    CT_ARRAY(ct_worker_flow_node) nodes;
    CT_ARRAY(ct_worker_flow_input) inputs;
    CT_ARRAY(ct_worker_flow_event) events; // sorted once they are linked
    CT_ARRAY(ct_worker_flow_constant) constants;
    CT_ARRAY(ct_worker_flow_variable) variables;
    CT_ARRAY(ct_worker_flow_unit) units;
    CT_ARRAY(ct_worker_flow_file) files;
    ct_u32_array first_events; // by node, its first in `events`; one more at the end
    ct_u32_array order;        // nodes, each behind those whose values it needs
    ct_u32_array kept;         // nodes of the program
    ct_u32_array places;       // offsets of outputs in the dynamic data
    uint32_t dynamic_bytes;
} ct_worker_flow;

// --- flow_compiler.c -----------------------------------------------------------------------------

// Returns "node delay e2f0…" for messages.
const char *ct_worker_flow_title(const ct_worker_flow *b, uint32_t node);

// Reports an error, a warning at the node's place in its source. The error returns false.
bool ct_worker_flow_error(ct_worker_flow *b, uint32_t node, const char *format, ...)
    CT_PRINTF(3, 4);

// Returns `; did you mean "x"?` for the nearest of `count` names, or a list of the first ones.
const char *ct_worker_flow_advice(ct_worker_flow *b, const char *name, const char *const *names,
                                  uint32_t count);

// Returns whether values of a type are objects (units, actors, …).
bool ct_worker_flow_is_object(ct_flow_type type);

// --- worker_flow_read.c --------------------------------------------------------------------------

// Reads the whole source into the first scope, then the graphs that are used as nodes. Returns false
// after errors.
bool ct_worker_flow_read(ct_worker_flow *b);

// Adds a node of a type without source (conversions), for the node `of`. Returns its position.
uint32_t ct_worker_flow_add_node(ct_worker_flow *b, const ct_flow_node_type *type, uint32_t of,
                                 uint32_t number);

// --- worker_flow_project.c -----------------------------------------------------------------------

// Returns the description of the node at `v`, which is one of the project; the same for the same file and
// name. NULL after reporting.
const ct_flow_node_type *ct_worker_flow_project_type(ct_worker_flow *b, const ct_sjson *doc,
                                                     ct_sjson_value v, const char *id,
                                                     const ct_flow_node_source *source);

// --- worker_flow_slot.c --------------------------------------------------------------------------

// A slot of a node of a graph: the node itself, or one inside of the graph that it uses.
typedef struct ct_worker_flow_end {
    uint32_t node, number;
    ct_flow_slot_kind kind;
    ct_flow_type type;
    bool is_constant;
    const ct_flow_slot *slot; // NULL: of a passage
} ct_worker_flow_end;

// Finds the slot `name`, the `nth` of this name: graphs may have several external nodes of one name.
bool ct_worker_flow_find_end(const ct_worker_flow *b, uint32_t node, bool is_out, const char *name,
                             uint32_t nth, ct_worker_flow_end *end);

// Returns advice for a name of a slot that a node does not have.
const char *ct_worker_flow_slot_advice(ct_worker_flow *b, uint32_t node, bool is_out,
                                       const char *name);

// Returns the number of the input that goes through a passage, and of the first constant input
// `name`; NONE.
uint32_t ct_worker_flow_passing_input(const ct_flow_node_type *type);
uint32_t ct_worker_flow_find_input(const ct_flow_node_type *type, const char *name);

// --- worker_flow_value.c -------------------------------------------------------------------------

// Reads a value of a type from a source; `what` names it in messages. Of ANY, the type is the value's.
// Returns false after reporting.
bool ct_worker_flow_read_value(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value v,
                               ct_flow_type type, const char *what, ct_worker_flow_constant *out);

// Reads `inputs` of all nodes, fills in defaults and checks that required ones have a value, after the
// links.
void ct_worker_flow_inputs(ct_worker_flow *b);
void ct_worker_flow_defaults(ct_worker_flow *b);

// Adds a constant. Returns its source.
ct_worker_flow_source ct_worker_flow_add_constant(ct_worker_flow *b,
                                                  const ct_worker_flow_constant *constant);

// --- worker_flow_variable.c ----------------------------------------------------------------------

// Reads the variables of a scope; binds nodes of variables and external nodes of the top to them.
void ct_worker_flow_variables(ct_worker_flow *b, uint32_t scope);
void ct_worker_flow_bind(ct_worker_flow *b);

// Sorts the variables by the ids of their names. Returns false after errors.
bool ct_worker_flow_sort_variables(ct_worker_flow *b);

// --- worker_flow_link.c --------------------------------------------------------------------------

// Reads the links of all scopes; puts in conversions.
void ct_worker_flow_links(ct_worker_flow *b);

// --- worker_flow_order.c -------------------------------------------------------------------------

// Sets the ranks of nodes and sorts the links of events by them.
void ct_worker_flow_rank(ct_worker_flow *b);

// Returns whether a node is evaluated when something needs its values: pure ones and passages.
bool ct_worker_flow_is_evaluated(const ct_worker_flow *b, uint32_t node);

// Sorts the nodes by what they need. Returns false after reporting a cycle.
bool ct_worker_flow_sort_values(ct_worker_flow *b);

// --- worker_flow_fold.c --------------------------------------------------------------------------

// Replaces passages by what goes through them, and pure nodes of constants by their results.
void ct_worker_flow_fold(ct_worker_flow *b);

// --- worker_flow_reach.c -------------------------------------------------------------------------

// Marks nodes that are used, warns of others, and lists those that the program keeps.
void ct_worker_flow_reach(ct_worker_flow *b);

// --- worker_flow_layout.c ------------------------------------------------------------------------

// Gives states, outputs and variables their places in the dynamic data. Returns false after reporting
// that there are too many.
bool ct_worker_flow_lay_out(ct_worker_flow *b);

// Returns where a value is that is not constant. Without one: the graph's own unit, or zeros.
uint32_t ct_worker_flow_dynamic_offset(ct_worker_flow *b, const ct_worker_flow_source *source);

// Returns the place of a unit of the level; adds it when it is not there yet.
uint32_t ct_worker_flow_unit_offset(ct_worker_flow *b, uint32_t id);

// --- worker_flow_write.c -------------------------------------------------------------------------

// Writes the blob. Returns false after errors.
bool ct_worker_flow_write(ct_worker_flow *b);

// Appends the slots of a node of the project to the blob. Returns the member that points to them.
ct_blob_array ct_worker_flow_write_slots(ct_compile *c, const ct_flow_node_type *node);
