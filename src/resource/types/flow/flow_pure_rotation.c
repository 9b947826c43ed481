#include <math.h>

#include "foundation/math/math.h"
#include "resource/types/flow/flow_pure_private.h"

// Below this sine of half the angle (2e-6 radians), rounding makes the axis.
static const double least_sine = 1e-6;

static ct_quat rounded(double x, double y, double z, double w) {
    return (ct_quat){{(float)x, (float)y, (float)z, (float)w}};
}

// q and -q are the same rotation.
static bool are_equal(ct_quat a, ct_quat b) {
    return (a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w) ||
           (a.x == -b.x && a.y == -b.y && a.z == -b.z && a.w == -b.w);
}

static ct_quat about(ct_vec3 axis, double angle) {
    const ct_vec3 a = ct_flow_normalized(axis);
    if (a.x == 0 && a.y == 0 && a.z == 0)
        return ct_quat_identity();
    const double sine = sin(0.5 * angle);
    return rounded(a.x * sine, a.y * sine, a.z * sine, cos(0.5 * angle));
}

// The rotation about x, followed by those about y and z.
static ct_quat from_angles(double x, double y, double z) {
    const double sx = sin(0.5 * x), sy = sin(0.5 * y), sz = sin(0.5 * z);
    const double cx = cos(0.5 * x), cy = cos(0.5 * y), cz = cos(0.5 * z);
    return rounded(sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz,
                   cx * cy * sz - sx * sy * cz, cx * cy * cz + sx * sy * sz);
}

static double sine_of_half(ct_quat q) {
    return ct_flow_length(ct_vec3_make(q.x, q.y, q.z));
}

static ct_quat times(ct_quat q, double n) {
    const double side = q.w < 0 ? -1 : 1; // the shorter way
    const double sine = sine_of_half(q);
    if (sine == 0)
        return ct_quat_identity();
    const double half = atan2(sine, side * q.w) * n;
    const double scale = side * sin(half) / sine;
    return rounded(q.x * scale, q.y * scale, q.z * scale, cos(half));
}

#define ROTATION ct_flow_rotation(c, 0)
#define A ct_flow_rotation(c, 0)
#define B ct_flow_rotation(c, 1)

CT_FLOW_PURE(rotation_equal, bool, are_equal(A, B))
CT_FLOW_PURE(rotation_lerp, quaternion, ct_quat_slerp(A, B, (float)ct_flow_number(c, 2)))
CT_FLOW_PURE(rotation_multiplication, quaternion, ct_quat_mul(A, B))
CT_FLOW_PURE(rotation_not_equal, bool, !are_equal(A, B))
CT_FLOW_PURE(rotation_from_axis_and_angle, quaternion,
             about(ct_flow_vector3(c, 0), ct_flow_number(c, 1)))
CT_FLOW_PURE(rotation_from_components, quaternion,
             from_angles(ct_flow_number(c, 0), ct_flow_number(c, 1), ct_flow_number(c, 2)))
CT_FLOW_PURE(rotation_from_vectors, quaternion,
             ct_quat_look(ct_flow_normalized(ct_flow_vector3(c, 0)),
                          ct_flow_normalized(ct_flow_vector3(c, 1))))
CT_FLOW_PURE(rotation_times_numeric, quaternion, times(ROTATION, ct_flow_number(c, 1)))

static uint32_t rotation_axis_and_angle(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_quat q = ct_flow_rotation(c, 0);
    const double sine = sine_of_half(q);
    const bool turns = !(sine < least_sine); // or NaN
    const ct_vec3 axis =
        ct_vec3_make((float)(q.x / sine), (float)(q.y / sine), (float)(q.z / sine));
    ct_flow_set_vector3(c, 0, turns ? axis : ct_vec3_make(1, 0, 0));
    ct_flow_set_number(c, 1, turns ? 2 * atan2(sine, q.w) : 0);
    return CT_FLOW_STOP;
}

static uint32_t rotation_components(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_vec3 angles = ct_quat_to_euler_xyz(ct_flow_rotation(c, 0));
    ct_flow_set_number(c, 0, angles.x);
    ct_flow_set_number(c, 1, angles.y);
    ct_flow_set_number(c, 2, angles.z);
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"rotation_axis_and_angle", rotation_axis_and_angle},
    {"rotation_components", rotation_components},
    {"rotation_equal", rotation_equal},
    {"rotation_from_axis_and_angle", rotation_from_axis_and_angle},
    {"rotation_from_components", rotation_from_components},
    {"rotation_from_vectors", rotation_from_vectors},
    {"rotation_lerp", rotation_lerp},
    {"rotation_multiplication", rotation_multiplication},
    {"rotation_not_equal", rotation_not_equal},
    {"rotation_times_numeric", rotation_times_numeric},
};

const ct_flow_pure_table ct_flow_pure_rotation = {rows, CT_COUNT_OF(rows)};
