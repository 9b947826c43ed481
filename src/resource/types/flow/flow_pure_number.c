#include <math.h>

#include "resource/types/flow/flow_pure_private.h"

static double sign_of(double n) {
    if (n > 0)
        return 1;
    return n < 0 ? -1 : n; // zeros keep their sign, NaN stays
}

// NaN when one is; -0 is below 0.
static double smaller(double a, double b) {
    if (a == b)
        return signbit(a) ? a : b;
    if (isnan(a) || isnan(b))
        return NAN;
    return a < b ? a : b;
}

static double larger(double a, double b) {
    if (a == b)
        return signbit(a) ? b : a;
    if (isnan(a) || isnan(b))
        return NAN;
    return a > b ? a : b;
}

static double clamped(double n, double a, double b) {
    if (n > a && n < b) // the usual case
        return n;
    return smaller(larger(n, smaller(a, b)), larger(a, b));
}

// Unlike C's, powers of 1 and -1 with an exponent that is infinite or NaN are NaN.
static double power(double base, double exponent) {
    if (isnan(exponent) || (fabs(base) == 1 && isinf(exponent)))
        return NAN;
    return pow(base, exponent);
}

#define N ct_flow_number(c, 0)
#define A ct_flow_number(c, 0)
#define B ct_flow_number(c, 1)
#define C ct_flow_number(c, 2)

CT_FLOW_PURE(numeric_absolute, number, fabs(N))
CT_FLOW_PURE(numeric_addition, number, A + B)
CT_FLOW_PURE(numeric_ceil, number, ceil(N))
CT_FLOW_PURE(numeric_clamp, number, clamped(N, B, C))
CT_FLOW_PURE(numeric_division, number, A / B)
CT_FLOW_PURE(numeric_equal, bool, A == B)
CT_FLOW_PURE(numeric_floor, number, floor(N))
CT_FLOW_PURE(numeric_fraction, number, N - floor(N))
CT_FLOW_PURE(numeric_greater_than, bool, A > B)
CT_FLOW_PURE(numeric_greater_than_or_equal, bool, A >= B)
CT_FLOW_PURE(numeric_lerp, number, (1 - C) * A + C * B)
CT_FLOW_PURE(numeric_less_than, bool, A < B)
CT_FLOW_PURE(numeric_less_than_or_equal, bool, A <= B)
CT_FLOW_PURE(numeric_max, number, larger(A, B))
CT_FLOW_PURE(numeric_min, number, smaller(A, B))
CT_FLOW_PURE(numeric_modulus, number, fmod(A, B))
CT_FLOW_PURE(numeric_multiplication, number, A *B)
CT_FLOW_PURE(numeric_normalize_to_range, number, (N - B) / (C - B))
CT_FLOW_PURE(numeric_not_equal, bool, A != B)
CT_FLOW_PURE(numeric_power, number, power(A, B))
CT_FLOW_PURE(numeric_round, number, round(N))
CT_FLOW_PURE(numeric_sign, number, sign_of(N))
CT_FLOW_PURE(numeric_sqrt, number, sqrt(N))
CT_FLOW_PURE(numeric_square, number, N *N)
CT_FLOW_PURE(numeric_subtraction, number, A - B)

CT_FLOW_PURE(arc_cosine, number, acos(N))
CT_FLOW_PURE(arc_sine, number, asin(N))
CT_FLOW_PURE(arc_tangent_2, number, atan2(B, A)) // inputs: x, y
CT_FLOW_PURE(cosine, number, cos(N))
CT_FLOW_PURE(sine, number, sin(N))
CT_FLOW_PURE(tangent, number, tan(N))

static const ct_flow_function_row rows[] = {
    {"acos", arc_cosine},
    {"asin", arc_sine},
    {"atan_2", arc_tangent_2},
    {"cos", cosine},
    {"numeric_absolute", numeric_absolute},
    {"numeric_addition", numeric_addition},
    {"numeric_ceil", numeric_ceil},
    {"numeric_clamp", numeric_clamp},
    {"numeric_division", numeric_division},
    {"numeric_equal", numeric_equal},
    {"numeric_floor", numeric_floor},
    {"numeric_fraction", numeric_fraction},
    {"numeric_greater_than", numeric_greater_than},
    {"numeric_greater_than_or_equal", numeric_greater_than_or_equal},
    {"numeric_lerp", numeric_lerp},
    {"numeric_less_than", numeric_less_than},
    {"numeric_less_than_or_equal", numeric_less_than_or_equal},
    {"numeric_max", numeric_max},
    {"numeric_min", numeric_min},
    {"numeric_modulus", numeric_modulus},
    {"numeric_multiplication", numeric_multiplication},
    {"numeric_normalize_to_range", numeric_normalize_to_range},
    {"numeric_not_equal", numeric_not_equal},
    {"numeric_power", numeric_power},
    {"numeric_round", numeric_round},
    {"numeric_sign", numeric_sign},
    {"numeric_sqrt", numeric_sqrt},
    {"numeric_square", numeric_square},
    {"numeric_subtraction", numeric_subtraction},
    {"sin", sine},
    {"tan", tangent},
};

const ct_flow_pure_table ct_flow_pure_number = {rows, CT_COUNT_OF(rows)};
