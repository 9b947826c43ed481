// flow_call.h: what the functions of nodes get, and how they reach their slots.
//
// There is one signature for all nodes. Pure nodes that depend on their inputs alone are in
// flow_pure.h, where the compiler, which folds constants, finds them, too; the others are in src/flow.
// Numbers of slots are those of the node's description. Inline: one load and one add for an input.
#pragma once
#include "foundation/math/math_types.h"
#include "resource/types/flow/flow_resource.h"

typedef struct ct_flow_world ct_flow_world; // of src/flow
typedef struct ct_flow_graph ct_flow_graph;

typedef struct ct_flow_call {
    uint8_t *bases[CT_FLOW_REGION_COUNT]; // by region; only that of DYNAMIC is written to
    const char *texts;
    const ct_flow_node *node;
    // For nodes of src/flow; NULL and 0 when the compiler folds.
    ct_flow_world *world;
    const ct_flow_graph *graph;
    uint32_t instance;
    uint32_t depth; // of events within events
} ct_flow_call;

#define CT_FLOW_STOP UINT32_MAX

// Runs a node that was started by its event in `event` (pure ones: 0). Returns the number of the event
// out that goes on, CT_FLOW_STOP for none. Further ones were started before, by ct_flow_fire (src/flow).
typedef uint32_t (*ct_flow_function)(ct_flow_call *c, uint32_t event);

typedef struct ct_flow_function_row {
    const char *name; // of the node type
    ct_flow_function function;
} ct_flow_function_row;

// --- Inputs --------------------------------------------------------------------------------------

// Returns the place of an input.
static inline const void *ct_flow_input(const ct_flow_call *c, uint32_t number) {
    const uint32_t place = c->node->slots[2 * number];
    return c->bases[place >> 30] + (place & 0x3fffffff);
}

// Returns the type of what is linked to an input or given; EVENT for an input of type ANY without a value.
static inline ct_flow_type ct_flow_input_type(const ct_flow_call *c, uint32_t number) {
    return (ct_flow_type)c->node->slots[2 * number + 1];
}

// Return an input of this type. Numbers of slots are not checked.
static inline bool ct_flow_bool(const ct_flow_call *c, uint32_t number) {
    return *(const uint32_t *)ct_flow_input(c, number) != 0;
}
static inline double ct_flow_number(const ct_flow_call *c, uint32_t number) {
    return *(const double *)ct_flow_input(c, number);
}

// Returns a number cut to an integer; one that is too large as the largest, NaN as 0.
static inline int32_t ct_flow_integer(const ct_flow_call *c, uint32_t number) {
    const double n = ct_flow_number(c, number);
    if (!(n > INT32_MIN)) // or NaN
        return n <= INT32_MIN ? INT32_MIN : 0;
    return n < INT32_MAX ? (int32_t)n : INT32_MAX;
}

// Return an input of this type.
static inline uint64_t ct_flow_id(const ct_flow_call *c, uint32_t number) {
    return *(const uint64_t *)ct_flow_input(c, number);
}
static inline ct_vec3 ct_flow_vector3(const ct_flow_call *c, uint32_t number) {
    const float *const f = ct_flow_input(c, number);
    return (ct_vec3){{f[0], f[1], f[2]}};
}
static inline ct_quat ct_flow_quaternion(const ct_flow_call *c, uint32_t number) {
    const float *const f = ct_flow_input(c, number);
    return (ct_quat){{f[0], f[1], f[2], f[3]}};
}

// Objects are always in the dynamic data; without a link the place is one of zeros.
static inline ct_flow_object ct_flow_object_at(const ct_flow_call *c, uint32_t number) {
    return *(const ct_flow_object *)ct_flow_input(c, number);
}

// Returns the text of an input, which ends with a zero. Borrowed until the next node runs.
static inline const char *ct_flow_text(const ct_flow_call *c, uint32_t number) {
    const ct_flow_string *const s = ct_flow_input(c, number);
    return s->start & CT_FLOW_STRING_IS_DYNAMIC ? (const char *)c->bases[CT_FLOW_REGION_DYNAMIC] +
                                                      (s->start & ~CT_FLOW_STRING_IS_DYNAMIC)
                                                : c->texts + s->start;
}

// Returns the number of bytes of that text.
static inline uint32_t ct_flow_text_length(const ct_flow_call *c, uint32_t number) {
    return ((const ct_flow_string *)ct_flow_input(c, number))->length;
}

// --- Outputs -------------------------------------------------------------------------------------

// Returns the place of an output.
static inline ct_flow_value *ct_flow_output(const ct_flow_call *c, uint32_t number) {
    return (ct_flow_value *)(void *)(c->bases[CT_FLOW_REGION_DYNAMIC] +
                                     c->node->slots[c->node->first_output + number]);
}

// Set an output of this type.
static inline void ct_flow_set_bool(const ct_flow_call *c, uint32_t number, bool value) {
    ct_flow_output(c, number)->is_true = value;
}
static inline void ct_flow_set_number(const ct_flow_call *c, uint32_t number, double value) {
    ct_flow_output(c, number)->number = value;
}
static inline void ct_flow_set_id(const ct_flow_call *c, uint32_t number, uint64_t value) {
    ct_flow_output(c, number)->id = value;
}

// Set an output of this type.
static inline void ct_flow_set_vector3(const ct_flow_call *c, uint32_t number, ct_vec3 v) {
    float *const f = ct_flow_output(c, number)->floats;
    f[0] = v.x, f[1] = v.y, f[2] = v.z;
}
static inline void ct_flow_set_quaternion(const ct_flow_call *c, uint32_t number, ct_quat q) {
    float *const f = ct_flow_output(c, number)->floats;
    f[0] = q.x, f[1] = q.y, f[2] = q.z, f[3] = q.w;
}
static inline void ct_flow_set_object(const ct_flow_call *c, uint32_t number,
                                      ct_flow_object value) {
    ct_flow_output(c, number)->object = value;
}

// Copies a text to an output. One of CT_FLOW_STRING_BYTES or more is cut at the last whole character
// before, and false is returned: the caller says so.
bool ct_flow_set_text(const ct_flow_call *c, uint32_t number, const char *text, uint32_t num_bytes);

// --- State ---------------------------------------------------------------------------------------

// Returns the state of the node.
static inline void *ct_flow_state(const ct_flow_call *c) {
    return c->bases[CT_FLOW_REGION_DYNAMIC] + c->node->state;
}
