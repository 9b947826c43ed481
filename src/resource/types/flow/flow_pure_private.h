// flow_pure_private.h: what the files of pure functions share.
#pragma once
#include "resource/types/flow/flow_pure.h"

#include <math.h>

#include "foundation/math/math.h"

// The functions of one file.
typedef struct ct_flow_pure_table {
    const ct_flow_function_row *rows;
    uint32_t count;
} ct_flow_pure_table;

extern const ct_flow_pure_table ct_flow_pure_boolean;
extern const ct_flow_pure_table ct_flow_pure_convert;
extern const ct_flow_pure_table ct_flow_pure_number;
extern const ct_flow_pure_table ct_flow_pure_rotation;
extern const ct_flow_pure_table ct_flow_pure_string;
extern const ct_flow_pure_table ct_flow_pure_vector;

// Defines the function of a node whose first output is an expression of its call `c`.
#define CT_FLOW_PURE(function, type, expression)                                                   \
    static uint32_t function(ct_flow_call *c, uint32_t event) {                                    \
        (void)event;                                                                               \
        ct_flow_set_##type(c, 0, (expression));                                                    \
        return CT_FLOW_STOP;                                                                       \
    }

// Returns the length of a vector: infinite when a part is, otherwise NaN when a part is. The squares
// of floats neither overflow nor vanish in doubles.
static inline double ct_flow_length(ct_vec3 v) {
    if (isinf(v.x) || isinf(v.y) || isinf(v.z))
        return INFINITY;
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

// Returns a vector at length 1; zero when its length is 0 or not finite.
static inline ct_vec3 ct_flow_normalized(ct_vec3 v) {
    const double length = ct_flow_length(v);
    if (!(length > 0) || isinf(length))
        return ct_vec3_make(0, 0, 0);
    return ct_vec3_make((float)(v.x / length), (float)(v.y / length), (float)(v.z / length));
}

// Returns a rotation at length 1; zeros, which outputs have at the start, turn nothing.
static inline ct_quat ct_flow_rotation(const ct_flow_call *c, uint32_t number) {
    return ct_quat_unit(ct_flow_quaternion(c, number));
}
