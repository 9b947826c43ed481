// flow_source_values.h: values of a graph's source and what pure nodes compute, written from
// docs/flow_nodes.md and docs/flow_arithmetic.md and simple, to compare the engine with. Rotations use
// the functions of foundation/math, as scripts do. Include once in a program.
#pragma once
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/string/string_id.h"
#include "resource/types/flow/flow_node_types.h"

enum { SOURCE_TEXT_BYTES = 240 };

typedef struct source_value {
    ct_flow_type type; // EVENT: no value
    bool is_true;
    double number;
    float floats[4];
    uint64_t id;
    char text[SOURCE_TEXT_BYTES];
} source_value;

// --- Making values -------------------------------------------------------------------------------

static inline source_value value_bool(bool b) {
    return (source_value){.type = CT_FLOW_TYPE_BOOL, .is_true = b};
}
static inline source_value value_number(double n) {
    return (source_value){.type = CT_FLOW_TYPE_NUMBER, .number = n};
}
static inline source_value value_id(uint64_t id) {
    return (source_value){.type = CT_FLOW_TYPE_ID, .id = id};
}
static inline source_value value_vector(double x, double y, double z) {
    return (source_value){.type = CT_FLOW_TYPE_VECTOR3, .floats = {(float)x, (float)y, (float)z}};
}
static inline source_value value_vec3(ct_vec3 v) {
    return value_vector(v.x, v.y, v.z);
}
static inline source_value value_rotation(ct_quat q) {
    return (source_value){.type = CT_FLOW_TYPE_QUATERNION, .floats = {q.x, q.y, q.z, q.w}};
}

// A text of up to 239 bytes; of a longer one as many whole characters as fit.
static inline source_value value_text(const char *text) {
    source_value v = {.type = CT_FLOW_TYPE_STRING};
    uint32_t length = 0;
    while (text[length]) {
        uint32_t next = length + 1;
        while (((uint8_t)text[next] & 0xc0) == 0x80)
            ++next;
        if (next >= SOURCE_TEXT_BYTES)
            break;
        length = next;
    }
    memcpy(v.text, text, length);
    return v;
}

// The default of a type: 0, "", false, no rotation.
static inline source_value value_of_type(ct_flow_type type) {
    source_value v = {.type = type};
    v.floats[3] = type == CT_FLOW_TYPE_QUATERNION;
    return v;
}

// --- As texts ------------------------------------------------------------------------------------

static inline bool reads_back(const char *text, double value, bool is_float) {
    return is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

// Writes a number with the fewest digits that read back, as "%.{n}e". Of a power of two, whose neighbours
// are not at the same distance, these may be those above the nearest.
static inline void write_fewest_digits(double value, bool is_float, char *text, size_t bytes) {
    for (int precision = 0;; ++precision) {
        snprintf(text, bytes, "%.*e", precision, value);
        if (reads_back(text, value, is_float))
            return;
        const int exponent = atoi(strchr(text, 'e') + 1);
        const long double above = strtold(text, NULL) + powl(10, exponent - precision);
        snprintf(text, bytes, "%.*Le", precision, above);
        if (reads_back(text, value, is_float))
            return;
    }
}

// As short as it reads back, then as the documents say.
static inline void write_shortest(double value, bool is_float, char *out) {
    char text[40], digits[24] = "";
    int exponent, count = 0;
    if (!isfinite(value)) {
        strcpy(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    write_fewest_digits(fabs(value), is_float, text, sizeof(text));
    exponent = atoi(strchr(text, 'e') + 1);
    for (const char *c = text; *c != 'e'; ++c) {
        if (*c != '.')
            digits[count++] = *c;
    }
    while (count > 1 && digits[count - 1] == '0')
        digits[--count] = 0;
    if (signbit(value))
        *out++ = '-';
    if (value == 0) {
        strcpy(out, "0");
    } else if (exponent < -4 || (exponent >= count && fabs(value) > 0x1p53) || exponent > 20) {
        out += sprintf(out, "%c", digits[0]);
        if (count > 1)
            out += sprintf(out, ".%s", digits + 1);
        sprintf(out, "e%d", exponent);
    } else if (exponent < 0) {
        out += sprintf(out, "0.");
        for (int i = -1; i > exponent; --i)
            *out++ = '0';
        strcpy(out, digits);
    } else {
        for (int i = 0; i < count || i <= exponent; ++i) {
            if (i == exponent + 1)
                *out++ = '.';
            *out++ = i < count ? digits[i] : '0';
        }
        *out = 0;
    }
}

static inline source_value text_of_floats(const char *kind, const float *f, uint32_t count) {
    char text[256], number[40];
    int length = snprintf(text, sizeof(text), "%s(", kind);
    for (uint32_t i = 0; i < count; ++i) {
        write_shortest((double)f[i], true, number);
        length +=
            snprintf(text + length, sizeof(text) - (size_t)length, "%s%s", i ? ", " : "", number);
    }
    snprintf(text + length, sizeof(text) - (size_t)length, ")");
    return value_text(text);
}

static inline source_value text_of(const source_value *v) {
    char text[64] = "";
    switch (v->type) {
    case CT_FLOW_TYPE_BOOL:
        return value_text(v->is_true ? "true" : "false");
    case CT_FLOW_TYPE_NUMBER:
        write_shortest(v->number, false, text);
        return value_text(text);
    case CT_FLOW_TYPE_VECTOR3:
        return text_of_floats("Vector3", v->floats, 3);
    case CT_FLOW_TYPE_QUATERNION:
        return text_of_floats("Quaternion", v->floats, 4);
    case CT_FLOW_TYPE_ID:
        snprintf(text, sizeof(text), "#%016" PRIx64, v->id);
        return value_text(text);
    default:
        return *v;
    }
}

// What a link between slots of different types gives.
static inline source_value value_converted(const source_value *v, ct_flow_type type) {
    if (type == CT_FLOW_TYPE_ANY || type == v->type)
        return *v;
    switch (type) {
    case CT_FLOW_TYPE_STRING:
        return text_of(v);
    case CT_FLOW_TYPE_BOOL:
        return value_bool(v->number < 0 || v->number > 0);
    case CT_FLOW_TYPE_NUMBER:
        return value_number(v->is_true ? 1 : 0);
    case CT_FLOW_TYPE_VECTOR3:
        return value_vector(v->number, v->number, v->number);
    case CT_FLOW_TYPE_ID:
        return value_id(ct_string_id64_of(v->text).value);
    default:
        return value_of_type(type);
    }
}

// --- Arithmetic ----------------------------------------------------------------------------------

static inline double least(double a, double b) {
    if (isnan(a) || isnan(b))
        return (double)NAN;
    if (a == 0 && b == 0)
        return signbit(a) || signbit(b) ? -0.0 : 0.0;
    return a < b ? a : b;
}

static inline double most(double a, double b) {
    return -least(-a, -b);
}

static inline double raised(double base, double exponent) {
    if (isnan(exponent) || ((base == 1 || base == -1) && isinf(exponent)))
        return (double)NAN; // as ECMAScript
    return pow(base, exponent);
}

static inline double length_of(const float *v) {
    double sum = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        if (isinf(v[i]))
            return (double)INFINITY;
        sum += (double)v[i] * (double)v[i];
    }
    return sqrt(sum);
}

static inline ct_vec3 direction_of(const source_value *v) {
    const double length = length_of(v->floats);
    if (!(length > 0 && length < (double)INFINITY))
        return ct_vec3_make(0, 0, 0);
    return ct_vec3_make((float)((double)v->floats[0] / length),
                        (float)((double)v->floats[1] / length),
                        (float)((double)v->floats[2] / length));
}

static inline ct_quat rotation_of(const source_value *v) {
    return ct_quat_unit((ct_quat){{v->floats[0], v->floats[1], v->floats[2], v->floats[3]}});
}

static inline ct_vec3 vec3_of(const source_value *v) {
    return ct_vec3_make(v->floats[0], v->floats[1], v->floats[2]);
}

static inline bool floats_alike(const float *a, const float *b, uint32_t count, float sign) {
    bool is_alike = true;
    for (uint32_t i = 0; i < count; ++i)
        is_alike &= a[i] == sign * b[i];
    return is_alike;
}

static inline bool rotations_alike(const source_value *a, const source_value *b) {
    const ct_quat p = rotation_of(a), q = rotation_of(b);
    return floats_alike(p.raw, q.raw, 4, 1) || floats_alike(p.raw, q.raw, 4, -1);
}

// --- Pure nodes ----------------------------------------------------------------------------------

// Most nodes are an expression of their inputs: a, b, c as numbers, and as values in `v`.
static inline bool pure_number_node(const char *node, const source_value *v, source_value *out) {
    const double a = v[0].number, b = v[1].number, c = v[2].number;
#define NODE(name, value)                                                                          \
    if (strcmp(node, name) == 0) {                                                                 \
        out[0] = value;                                                                            \
        return true;                                                                               \
    }
#define NUMBER_NODE(name, expression) NODE(name, value_number(expression))
#define BOOL_NODE(name, expression) NODE(name, value_bool(expression))
    NUMBER_NODE("numeric_absolute", fabs(a))
    NUMBER_NODE("numeric_addition", a + b)
    NUMBER_NODE("numeric_ceil", ceil(a))
    NUMBER_NODE("numeric_clamp", least(most(a, least(b, c)), most(b, c)))
    NUMBER_NODE("numeric_division", a / b)
    BOOL_NODE("numeric_equal", a == b)
    NUMBER_NODE("numeric_floor", floor(a))
    NUMBER_NODE("numeric_fraction", a - floor(a))
    BOOL_NODE("numeric_greater_than", a > b)
    BOOL_NODE("numeric_greater_than_or_equal", a >= b)
    NUMBER_NODE("numeric_lerp", (1 - c) * a + c * b)
    BOOL_NODE("numeric_less_than", a < b)
    BOOL_NODE("numeric_less_than_or_equal", a <= b)
    NUMBER_NODE("numeric_max", most(a, b))
    NUMBER_NODE("numeric_min", least(a, b))
    NUMBER_NODE("numeric_modulus", fmod(a, b))
    NUMBER_NODE("numeric_multiplication", a * b)
    NUMBER_NODE("numeric_normalize_to_range", (a - b) / (c - b))
    BOOL_NODE("numeric_not_equal", !(a == b))
    NUMBER_NODE("numeric_power", raised(a, b))
    NUMBER_NODE("numeric_round", round(a))
    NUMBER_NODE("numeric_sign", a > 0 ? 1 : a < 0 ? -1 : a)
    NUMBER_NODE("numeric_sqrt", sqrt(a))
    NUMBER_NODE("numeric_square", a * a)
    NUMBER_NODE("numeric_subtraction", a - b)
    NUMBER_NODE("acos", acos(a))
    NUMBER_NODE("asin", asin(a))
    NUMBER_NODE("atan_2", atan2(b, a))
    NUMBER_NODE("cos", cos(a))
    NUMBER_NODE("sin", sin(a))
    NUMBER_NODE("tan", tan(a))
    BOOL_NODE("boolean_and", v[0].is_true && v[1].is_true)
    BOOL_NODE("boolean_equals", v[0].is_true == v[1].is_true)
    BOOL_NODE("boolean_not", !v[0].is_true)
    BOOL_NODE("boolean_not_equal", v[0].is_true != v[1].is_true)
    BOOL_NODE("boolean_or", v[0].is_true || v[1].is_true)
    BOOL_NODE("boolean_xor", v[0].is_true != v[1].is_true)
    return false;
}

static inline bool pure_text_node(const char *node, const source_value *v, source_value *out) {
    NODE("bool_to_numeric", value_converted(&v[0], CT_FLOW_TYPE_NUMBER))
    NODE("numeric_to_bool", value_converted(&v[0], CT_FLOW_TYPE_BOOL))
    NODE("numeric_to_vector", value_converted(&v[0], CT_FLOW_TYPE_VECTOR3))
    NODE("string_to_id", value_converted(&v[0], CT_FLOW_TYPE_ID))
    NODE("bool_to_string", text_of(&v[0]))
    NODE("id_to_string", text_of(&v[0]))
    NODE("numeric_to_string", text_of(&v[0]))
    NODE("rotation_to_string", text_of(&v[0]))
    NODE("vector_to_string", text_of(&v[0]))
    BOOL_NODE("string_equal", strcmp(v[0].text, v[1].text) == 0)
    BOOL_NODE("string_not_equal", strcmp(v[0].text, v[1].text) != 0)
    if (strcmp(node, "string_length") == 0) {
        uint32_t count = 0;
        for (const char *c = v[0].text; *c; ++c)
            count += ((uint8_t)*c & 0xc0) != 0x80;
        out[0] = value_number(count);
        return true;
    }
    if (strcmp(node, "string_concatenate") == 0) {
        char text[2 * SOURCE_TEXT_BYTES];
        strcpy(text, v[0].text);
        strcat(text, v[1].text);
        out[0] = value_text(text);
        return true;
    }
    return false;
}

static inline bool pure_vector_node(const char *node, const source_value *v, source_value *out) {
    const double n = v[1].number, t = v[2].number;
    const double ax = (double)v[0].floats[0], ay = (double)v[0].floats[1],
                 az = (double)v[0].floats[2];
    const double bx = (double)v[1].floats[0], by = (double)v[1].floats[1],
                 bz = (double)v[1].floats[2];
#define VECTOR_NODE(name, x, y, z) NODE(name, value_vector(x, y, z))
    VECTOR_NODE("vector_addition", ax + bx, ay + by, az + bz)
    VECTOR_NODE("vector_subtraction", ax - bx, ay - by, az - bz)
    VECTOR_NODE("vector_multiplication", ax * bx, ay * by, az * bz)
    VECTOR_NODE("vector_cross_product", ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    VECTOR_NODE("vector_lerp", (1 - t) * ax + t * bx, (1 - t) * ay + t * by, (1 - t) * az + t * bz)
    VECTOR_NODE("vector_divided_by_numeric", ax / n, ay / n, az / n)
    VECTOR_NODE("vector_times_numeric", ax * n, ay * n, az * n)
    VECTOR_NODE("vector_plus_numeric", ax + n, ay + n, az + n)
    VECTOR_NODE("vector_minus_numeric", ax - n, ay - n, az - n)
    VECTOR_NODE("vector_from_components", v[0].number, v[1].number, v[2].number)
    NODE("vector_normalize", value_vec3(direction_of(&v[0])))
    NODE("rotate_vector", value_vec3(ct_quat_rotate(rotation_of(&v[1]), vec3_of(&v[0]))))
    NUMBER_NODE("vector_dot_product", ax * bx + ay * by + az * bz)
    NUMBER_NODE("vector_length", length_of(v[0].floats))
    BOOL_NODE("vector_equal", floats_alike(v[0].floats, v[1].floats, 3, 1))
    BOOL_NODE("vector_not_equal", !floats_alike(v[0].floats, v[1].floats, 3, 1))
    if (strcmp(node, "vector_components") == 0) {
        out[0] = value_number(ax), out[1] = value_number(ay), out[2] = value_number(az);
        return true;
    }
    if (strcmp(node, "vectors_from_rotation") == 0) {
        const ct_quat q = rotation_of(&v[0]);
        out[0] = value_vec3(ct_quat_rotate(q, ct_vec3_make(1, 0, 0))); // right, up, forward
        out[1] = value_vec3(ct_quat_rotate(q, ct_vec3_make(0, 0, 1)));
        out[2] = value_vec3(ct_quat_rotate(q, ct_vec3_make(0, 1, 0)));
        return true;
    }
    return false;
}

static inline source_value turned_about(ct_vec3 axis, double angle) {
    if (axis.x == 0 && axis.y == 0 && axis.z == 0)
        return value_rotation(ct_quat_identity());
    const double s = sin(angle / 2);
    return value_rotation((ct_quat){{(float)((double)axis.x * s), (float)((double)axis.y * s),
                                     (float)((double)axis.z * s), (float)cos(angle / 2)}});
}

static inline source_value turned_xyz(double x, double y, double z) {
    const double sx = sin(x / 2), sy = sin(y / 2), sz = sin(z / 2);
    const double cx = cos(x / 2), cy = cos(y / 2), cz = cos(z / 2);
    return value_rotation(
        (ct_quat){{(float)(sx * cy * cz - cx * sy * sz), (float)(cx * sy * cz + sx * cy * sz),
                   (float)(cx * cy * sz - sx * sy * cz), (float)(cx * cy * cz + sx * sy * sz)}});
}

// The angle of the shorter way, times n, about the same axis.
static inline source_value turned_times(ct_quat q, double n) {
    const double s = length_of(q.raw);
    const double side = q.w < 0 ? -1 : 1;
    if (s == 0)
        return value_rotation(ct_quat_identity());
    const double half = atan2(s, side * (double)q.w) * n;
    const double scale = side * sin(half) / s;
    return value_rotation((ct_quat){{(float)((double)q.x * scale), (float)((double)q.y * scale),
                                     (float)((double)q.z * scale), (float)cos(half)}});
}

static inline bool pure_rotation_node(const char *node, const source_value *v, source_value *out) {
    BOOL_NODE("rotation_equal", rotations_alike(&v[0], &v[1]))
    BOOL_NODE("rotation_not_equal", !rotations_alike(&v[0], &v[1]))
    NODE("rotation_multiplication",
         value_rotation(ct_quat_mul(rotation_of(&v[0]), rotation_of(&v[1]))))
    NODE("rotation_lerp",
         value_rotation(ct_quat_slerp(rotation_of(&v[0]), rotation_of(&v[1]), (float)v[2].number)))
    NODE("rotation_from_axis_and_angle", turned_about(direction_of(&v[0]), v[1].number))
    NODE("rotation_from_components", turned_xyz(v[0].number, v[1].number, v[2].number))
    NODE("rotation_from_vectors",
         value_rotation(ct_quat_look(direction_of(&v[0]), direction_of(&v[1]))))
    NODE("rotation_times_numeric", turned_times(rotation_of(&v[0]), v[1].number))
    if (strcmp(node, "rotation_axis_and_angle") == 0) {
        const ct_quat q = rotation_of(&v[0]);
        const double s = length_of(q.raw);
        const bool turns = !(s < 1e-6);
        out[0] = turns ? value_vector((double)q.x / s, (double)q.y / s, (double)q.z / s)
                       : value_vector(1, 0, 0);
        out[1] = value_number(turns ? 2 * atan2(s, (double)q.w) : 0);
        return true;
    }
    if (strcmp(node, "rotation_components") == 0) {
        const ct_vec3 angles = ct_quat_to_euler_xyz(rotation_of(&v[0]));
        for (uint32_t i = 0; i < 3; ++i)
            out[i] = value_number((double)angles.raw[i]);
        return true;
    }
    return false;
}

// Computes the outputs of a pure node. Returns false when this file does not know it.
static inline bool pure_node(const char *node, const source_value *v, source_value *out) {
    return pure_number_node(node, v, out) || pure_text_node(node, v, out) ||
           pure_vector_node(node, v, out) || pure_rotation_node(node, v, out);
}
#undef NODE
#undef NUMBER_NODE
#undef BOOL_NODE
#undef VECTOR_NODE
