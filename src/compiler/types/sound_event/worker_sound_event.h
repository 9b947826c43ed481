// worker_sound_event.h: a sound event while it is compiled.
//
// The tree is read depth first into arrays that become those of the blob. Each node keeps its own
// curves together; when all are read, each sound gets the list of the curves of its path.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/array.h"
#include "resource/types/sound/sound_event_source.h"

// A node with what the blob does not have.
typedef struct ct_worker_sound_node {
    ct_sound_node out;
    ct_sjson_value at;
    uint32_t parent;                  // NO_NODE: the root
    uint32_t depth;                   // 1: the root
    uint32_t first_curve, num_curves; // its own
} ct_worker_sound_node;

// A curve that the compiler makes, of the gain of an element of a blend.
typedef struct ct_worker_sound_gain {
    ct_string_id32 parameter;
    float missing;
    const float *places; // of all elements, by rising parameter
    uint32_t count, index;
} ct_worker_sound_gain;

// What the functions of this compiler share.
typedef struct ct_worker_sound_event {
    ct_compile *c;
    const ct_sjson *doc;
    ct_schema_listener listener;
    ct_sound_event_source source;
    ct_sound_event_resource out;
    CT_ARRAY(ct_worker_sound_node) nodes;
    CT_ARRAY(ct_sound_case) cases;
    CT_ARRAY(ct_sound_value) values;
    CT_ARRAY(ct_sound_curve) curves;
    CT_ARRAY(ct_sjson_value) curve_places;
    CT_ARRAY(ct_sound_point) points;
    CT_ARRAY(ct_sound_parameter_info) parameters;
    CT_ARRAY(const char *) parameter_names;
    CT_ARRAY(ct_sound_marker) markers;
    ct_u32_array leaf_curves;
} ct_worker_sound_event;

// --- worker_sound_value.c ------------------------------------------------------------------------

// Reads `parameters`.
void ct_worker_sound_parameters(ct_worker_sound_event *e);

// Finds a parameter by its name at `v`: a declared one, or one that the engine sets. Sets its name,
// kind and number at the start. Returns false after an error.
bool ct_worker_sound_parameter(ct_worker_sound_event *e, ct_sjson_value v, const char *name,
                               ct_sound_parameter_info *out);

// Reports a parameter at `v` that is not of this kind (ct_sound_parameter_kind). Returns false then.
bool ct_worker_sound_expect_kind(ct_worker_sound_event *e, ct_sjson_value v, const char *name,
                                 uint32_t found, uint32_t expected);

// Reads the values of a node: numbers, ranges and curves; adds the gain of a blend (may be NULL).
void ct_worker_sound_values(ct_worker_sound_event *e, uint32_t node,
                            const ct_sound_node_source *source, const ct_worker_sound_gain *gain);

// --- worker_sound_node.c -------------------------------------------------------------------------

// Reads the tree.
void ct_worker_sound_tree(ct_worker_sound_event *e);

// --- worker_sound_leaves.c -----------------------------------------------------------------------

// Lists the curves of each sound, and reports sounds that never play and too many at once.
void ct_worker_sound_leaves(ct_worker_sound_event *e);
