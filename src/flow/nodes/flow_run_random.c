// Nodes of Math > Random: pure, but not foldable, as they draw from the instance's sequence.
#include <math.h>

#include "flow/flow.h"
#include "flow/nodes/flow_functions.h"
#include "foundation/math/math.h"

// Ends in any order give numbers between them; rounding may give the ends themselves.
static double between(double a, double b, double t) {
    return (1 - t) * a + t * b;
}

static uint32_t random_numeric(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_number(c, 0,
                       between(ct_flow_number(c, 0), ct_flow_number(c, 1), ct_flow_random(c)));
    return CT_FLOW_STOP;
}

// Draws a point inside the unit circle, and lifts it to the sphere (Marsaglia 1972).
static uint32_t random_unit_vector(ct_flow_call *c, uint32_t event) {
    (void)event;
    double x, y, square;
    do {
        x = between(-1, 1, ct_flow_random(c));
        y = between(-1, 1, ct_flow_random(c));
        square = x * x + y * y;
    } while (square >= 1);
    const double factor = 2 * sqrt(1 - square);
    ct_flow_set_vector3(
        c, 0, ct_vec3_make((float)(x * factor), (float)(y * factor), (float)(1 - 2 * square)));
    return CT_FLOW_STOP;
}

static uint32_t random_vector(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_vec3 min = ct_flow_vector3(c, 0), max = ct_flow_vector3(c, 1);
    ct_vec3 v;
    for (uint32_t i = 0; i < 3; ++i)
        v.raw[i] = (float)between(min.raw[i], max.raw[i], ct_flow_random(c));
    ct_flow_set_vector3(c, 0, v);
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"random_numeric", random_numeric},
    {"random_unit_vector", random_unit_vector},
    {"random_vector", random_vector},
};

const ct_flow_functions ct_flow_run_random = {rows, CT_COUNT_OF(rows)};
