// worker_state_machine.h: a state machine while it is compiled.
//
// Everything is read into arrays that become those of the blob; names stay beside them.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/state_machine/worker_expression.h"
#include "foundation/container/array.h"
#include "resource/types/state_machine_resource.h"

typedef CT_ARRAY(const char *) ct_worker_names;

// A clip that states use.
typedef struct ct_worker_clip {
    const char *name;
    bool is_known; // its source was read
    bool is_additive;
} ct_worker_clip;

typedef struct ct_worker_machine {
    ct_compile *c;
    const ct_sjson *doc;
    ct_schema_listener listener;
    ct_state_machine_source source;
    // The skeleton, in the order of its joints.
    ct_worker_names joints;
    CT_ARRAY(uint32_t) parents;
    ct_worker_names masks; // with as many weights for each as there are joints
    ct_worker_float_array mask_weights;
    ct_worker_names variable_names;
    CT_ARRAY(ct_state_machine_variable_data) variables;
    ct_worker_expressions expressions;
    CT_ARRAY(ct_state_machine_expression) programs;
    CT_ARRAY(ct_worker_clip) clips;
    ct_worker_names layer_names, state_names;
    ct_worker_names enter_events, leave_events; // of the states; "": none
    CT_ARRAY(ct_state_machine_layer) layers;
    CT_ARRAY(ct_state_machine_state) states;
    CT_ARRAY(ct_sjson_value) state_values; // where each is in the source
    CT_ARRAY(ct_state_machine_leaf) leaves;
    CT_ARRAY(ct_state_machine_node) nodes;
    ct_u32_array children;
    CT_ARRAY(ct_state_machine_triangle) triangles;
    CT_ARRAY(ct_state_machine_edge) edges;
    CT_ARRAY(ct_state_machine_transition) transitions;
    ct_u32_array exits, events;
} ct_worker_machine;

// Reports an error at `v`. Returns false.
bool ct_worker_machine_error(ct_worker_machine *b, ct_sjson_value v, const char *format, ...)
    CT_PRINTF(3, 4);

// Reports that `name`, at `v`, is not among `names`, which are `what` ("state"); with the nearest.
void ct_worker_machine_unknown(ct_worker_machine *b, ct_sjson_value v, const char *what,
                               const char *name, const char *const *names, uint32_t count);

// Returns the position of `name` in `names` from `first` on, relative to it; UINT32_MAX: none.
uint32_t ct_worker_machine_find(const ct_worker_names *names, uint32_t first, const char *name);

// Checks a name of an element: not empty, and not among `names` from `first` on, nor with the id of
// one of these. Reports at `v` and returns false otherwise.
bool ct_worker_machine_name(ct_worker_machine *b, ct_sjson_value v, const char *what,
                            const char *name, const ct_worker_names *names, uint32_t first);

// Calls `read` for each element of an array, after checking that no two have the same `id`.
void ct_worker_machine_each(ct_worker_machine *b, ct_sjson_value array,
                            void (*read)(ct_worker_machine *b, ct_sjson_value v, void *user),
                            void *user);

// Reads a number from `least` to `most`, a truth value (1 or 0) or an expression, which is called
// `what` in messages. Returns its position; NONE without `v` and after reporting.
uint32_t ct_worker_machine_number(ct_worker_machine *b, ct_sjson_value v, const char *what,
                                  double least, double most);

// --- worker_machine_skeleton.c -------------------------------------------------------------------

// Reads the joints of the skeleton, as it is compiled.
void ct_worker_machine_skeleton(ct_worker_machine *b);

// Reads the masks.
void ct_worker_machine_masks(ct_worker_machine *b);

// --- worker_machine_state.c ----------------------------------------------------------------------

// Reads the state `v` of a layer (`additive`) and adds it.
void ct_worker_machine_state(ct_worker_machine *b, ct_sjson_value v, uint32_t first_state,
                             bool additive);

// Adds a leaf to the last state of `state`. Returns false after reporting.
bool ct_worker_machine_leaf(ct_worker_machine *b, ct_state_machine_state *state, ct_sjson_value v,
                            const ct_state_machine_leaf *leaf, bool additive);

// --- worker_machine_tree.c -----------------------------------------------------------------------

// Reads the nodes of a tree into a state.
void ct_worker_machine_tree(ct_worker_machine *b, ct_state_machine_state *state,
                            const ct_state_machine_state_source *source, bool additive);

// --- worker_machine_layer.c ----------------------------------------------------------------------

// Reads the layer `v` and adds it.
void ct_worker_machine_layer(ct_worker_machine *b, ct_sjson_value v, void *user);

// --- worker_machine_write.c ----------------------------------------------------------------------

// Writes what was read to the blob.
void ct_worker_machine_write(ct_worker_machine *b);
