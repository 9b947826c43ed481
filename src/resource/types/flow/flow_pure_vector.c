#include "foundation/math/math.h"
#include "resource/types/flow/flow_pure_private.h"

// Results of vectors are computed in doubles, and rounded to floats once.

static ct_vec3 rounded(double x, double y, double z) {
    return ct_vec3_make((float)x, (float)y, (float)z);
}

static bool are_equal(ct_vec3 a, ct_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static ct_vec3 cross(ct_vec3 a, ct_vec3 b) {
    return rounded((double)a.y * b.z - (double)a.z * b.y, (double)a.z * b.x - (double)a.x * b.z,
                   (double)a.x * b.y - (double)a.y * b.x);
}

static double dot(ct_vec3 a, ct_vec3 b) {
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

static ct_vec3 lerp(ct_vec3 a, ct_vec3 b, double t) {
    const double s = 1 - t;
    return rounded(s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z);
}

static ct_vec3 divided(ct_vec3 v, double n) {
    return rounded(v.x / n, v.y / n, v.z / n);
}

static ct_vec3 plus(ct_vec3 v, double n) {
    return rounded(v.x + n, v.y + n, v.z + n);
}

static ct_vec3 times(ct_vec3 v, double n) {
    return rounded(v.x * n, v.y * n, v.z * n);
}

#define V ct_flow_vector3(c, 0)
#define A ct_flow_vector3(c, 0)
#define B ct_flow_vector3(c, 1)
#define N ct_flow_number(c, 1)

CT_FLOW_PURE(vector_addition, vector3, ct_vec3_add(A, B))
CT_FLOW_PURE(vector_cross_product, vector3, cross(A, B))
CT_FLOW_PURE(vector_dot_product, number, dot(A, B))
CT_FLOW_PURE(vector_equal, bool, are_equal(A, B))
CT_FLOW_PURE(vector_length, number, ct_flow_length(V))
CT_FLOW_PURE(vector_lerp, vector3, lerp(A, B, ct_flow_number(c, 2)))
CT_FLOW_PURE(vector_multiplication, vector3, ct_vec3_mul(A, B))
CT_FLOW_PURE(vector_normalize, vector3, ct_flow_normalized(V))
CT_FLOW_PURE(vector_not_equal, bool, !are_equal(A, B))
CT_FLOW_PURE(rotate_vector, vector3, ct_quat_rotate(ct_flow_rotation(c, 1), V))
CT_FLOW_PURE(vector_subtraction, vector3, ct_vec3_sub(A, B))
CT_FLOW_PURE(vector_divided_by_numeric, vector3, divided(V, N))
CT_FLOW_PURE(vector_from_components, vector3,
             rounded(ct_flow_number(c, 0), ct_flow_number(c, 1), ct_flow_number(c, 2)))
CT_FLOW_PURE(vector_minus_numeric, vector3, plus(V, -N))
CT_FLOW_PURE(vector_plus_numeric, vector3, plus(V, N))
CT_FLOW_PURE(vector_times_numeric, vector3, times(V, N))

static uint32_t vector_components(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_vec3 v = ct_flow_vector3(c, 0);
    ct_flow_set_number(c, 0, v.x);
    ct_flow_set_number(c, 1, v.y);
    ct_flow_set_number(c, 2, v.z);
    return CT_FLOW_STOP;
}

static uint32_t vectors_from_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_quat rotation = ct_flow_rotation(c, 0);
    ct_flow_set_vector3(c, 0, ct_quat_rotate(rotation, ct_vec3_make(1, 0, 0)));
    ct_flow_set_vector3(c, 1, ct_quat_rotate(rotation, ct_vec3_make(0, 0, 1)));
    ct_flow_set_vector3(c, 2, ct_quat_rotate(rotation, ct_vec3_make(0, 1, 0)));
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"rotate_vector", rotate_vector},
    {"vector_addition", vector_addition},
    {"vector_components", vector_components},
    {"vector_cross_product", vector_cross_product},
    {"vector_divided_by_numeric", vector_divided_by_numeric},
    {"vector_dot_product", vector_dot_product},
    {"vector_equal", vector_equal},
    {"vector_from_components", vector_from_components},
    {"vector_length", vector_length},
    {"vector_lerp", vector_lerp},
    {"vector_minus_numeric", vector_minus_numeric},
    {"vector_multiplication", vector_multiplication},
    {"vector_normalize", vector_normalize},
    {"vector_not_equal", vector_not_equal},
    {"vector_plus_numeric", vector_plus_numeric},
    {"vector_subtraction", vector_subtraction},
    {"vector_times_numeric", vector_times_numeric},
    {"vectors_from_rotation", vectors_from_rotation},
};

const ct_flow_pure_table ct_flow_pure_vector = {rows, CT_COUNT_OF(rows)};
