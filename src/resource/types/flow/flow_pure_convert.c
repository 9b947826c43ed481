#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/string/string_id.h"
#include "resource/types/flow/flow_pure_private.h"

static void set_text(const ct_flow_call *c, const char *text) {
    ct_flow_set_text(c, 0, text, (uint32_t)strlen(text));
}

// --- Numbers as texts ----------------------------------------------------------------------------

static void write_number(double n, char text[CT_SJSON_NUMBER_BYTES]) {
    if (isnan(n))
        strcpy(text, "nan");
    else if (isinf(n))
        strcpy(text, n < 0 ? "-inf" : "inf");
    else
        ct_sjson_number_format(n, text);
}

static bool reads_back(const char *text, float f) {
    return !isfinite(f) || strtof(text, NULL) == f;
}

// Writes the shortest text that reads back to the same float. A decimal of at most 9 digits is the
// shortest text of the double next to it, too.
static void write_float(float f, char text[CT_SJSON_NUMBER_BYTES]) {
    int digits = fabsf(f) < FLT_MIN ? 1 : 6; // of a normal float, 6 give the shorter ones, too
    for (;; ++digits) {
        snprintf(text, CT_SJSON_NUMBER_BYTES, "%.*g", digits, (double)f);
        if (reads_back(text, f))
            break;
        // Below a power of two, floats are closer than above it: the decimal above may read back where
        // the nearest, which is below, does not.
        const double unit = pow(10, floor(log10(fabs((double)f))) - digits + 1);
        snprintf(text, CT_SJSON_NUMBER_BYTES, "%.*g", digits, f + copysign(unit, (double)f));
        if (reads_back(text, f))
            break;
    }
    write_number(strtod(text, NULL), text);
}

static void set_floats(const ct_flow_call *c, const char *kind, const float *floats,
                       uint32_t count) {
    char text[16 + 4 * (CT_SJSON_NUMBER_BYTES + 2)];
    uint32_t length = (uint32_t)snprintf(text, sizeof(text), "%s(", kind);
    for (uint32_t i = 0; i < count; ++i) {
        char number[CT_SJSON_NUMBER_BYTES];
        write_float(floats[i], number);
        length +=
            (uint32_t)snprintf(text + length, sizeof(text) - length, "%s%s", i ? ", " : "", number);
    }
    snprintf(text + length, sizeof(text) - length, ")");
    set_text(c, text);
}

// --- Nodes ---------------------------------------------------------------------------------------

static bool is_not_zero(double n) {
    return n < 0 || n > 0; // NaN is neither
}

static ct_vec3 of_one(float f) {
    return ct_vec3_make(f, f, f);
}

CT_FLOW_PURE(bool_to_numeric, number, ct_flow_bool(c, 0) ? 1 : 0)
CT_FLOW_PURE(numeric_to_bool, bool, is_not_zero(ct_flow_number(c, 0)))
CT_FLOW_PURE(numeric_to_vector, vector3, of_one((float)ct_flow_number(c, 0)))
CT_FLOW_PURE(string_to_id, id,
             ct_string_id64_of_bytes(ct_flow_text(c, 0), ct_flow_text_length(c, 0)).value)

static uint32_t bool_to_string(ct_flow_call *c, uint32_t event) {
    (void)event;
    set_text(c, ct_flow_bool(c, 0) ? "true" : "false");
    return CT_FLOW_STOP;
}

static uint32_t id_to_string(ct_flow_call *c, uint32_t event) {
    (void)event;
    char text[24];
    snprintf(text, sizeof(text), "#%016" PRIx64, ct_flow_id(c, 0));
    set_text(c, text);
    return CT_FLOW_STOP;
}

static uint32_t numeric_to_string(ct_flow_call *c, uint32_t event) {
    (void)event;
    char text[CT_SJSON_NUMBER_BYTES];
    write_number(ct_flow_number(c, 0), text);
    set_text(c, text);
    return CT_FLOW_STOP;
}

static uint32_t rotation_to_string(ct_flow_call *c, uint32_t event) {
    (void)event;
    set_floats(c, "Quaternion", ct_flow_quaternion(c, 0).raw, 4);
    return CT_FLOW_STOP;
}

static uint32_t vector_to_string(ct_flow_call *c, uint32_t event) {
    (void)event;
    set_floats(c, "Vector3", ct_flow_vector3(c, 0).raw, 3);
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"bool_to_numeric", bool_to_numeric},
    {"bool_to_string", bool_to_string},
    {"id_to_string", id_to_string},
    {"numeric_to_bool", numeric_to_bool},
    {"numeric_to_string", numeric_to_string},
    {"numeric_to_vector", numeric_to_vector},
    {"rotation_to_string", rotation_to_string},
    {"string_to_id", string_to_id},
    {"vector_to_string", vector_to_string},
};

const ct_flow_pure_table ct_flow_pure_convert = {rows, CT_COUNT_OF(rows)};
