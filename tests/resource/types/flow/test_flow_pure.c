#include "flow_pure_fixture.h"

#include <math.h>

#include "foundation/log.h"

#define PI 3.14159265358979323846
#define HALF 0.70710678118654752 // sine and cosine of an eighth of a turn

// What KHR_interactivity says of its nodes of the same meaning (docs/flow_arithmetic.md).
static const flow_test_row specified[] = {
    // Arithmetic: NaN goes through.
    {"numeric_absolute", {NUMBER(-0.0)}, {NUMBER(0.0)}},
    {"numeric_absolute", {NUMBER(-INFINITY)}, {NUMBER(INFINITY)}},
    {"numeric_sign", {NUMBER(-0.0)}, {NUMBER(-0.0)}},
    {"numeric_sign", {NUMBER(NAN)}, {NUMBER(NAN)}},
    {"numeric_sign", {NUMBER(-INFINITY)}, {NUMBER(-1)}},
    {"numeric_floor", {NUMBER(-0.5)}, {NUMBER(-1)}},
    {"numeric_floor", {NUMBER(-INFINITY)}, {NUMBER(-INFINITY)}},
    {"numeric_ceil", {NUMBER(-0.5)}, {NUMBER(-0.0)}},
    {"numeric_round", {NUMBER(2.5)}, {NUMBER(3)}},
    {"numeric_round", {NUMBER(-2.5)}, {NUMBER(-3)}},
    {"numeric_round", {NUMBER(-0.25)}, {NUMBER(-0.0)}},
    {"numeric_round", {NUMBER(0.49999999999999994)}, {NUMBER(0.0)}},
    {"numeric_round", {NUMBER(INFINITY)}, {NUMBER(INFINITY)}},
    {"numeric_fraction", {NUMBER(-0.25)}, {NUMBER(0.75)}},
    {"numeric_fraction", {NUMBER(INFINITY)}, {NUMBER(NAN)}},
    {"numeric_addition", {NUMBER(INFINITY), NUMBER(-INFINITY)}, {NUMBER(NAN)}},
    {"numeric_multiplication", {NUMBER(0), NUMBER(INFINITY)}, {NUMBER(NAN)}},
    {"numeric_division", {NUMBER(1), NUMBER(0)}, {NUMBER(INFINITY)}},
    {"numeric_division", {NUMBER(1), NUMBER(-0.0)}, {NUMBER(-INFINITY)}},
    {"numeric_division", {NUMBER(0), NUMBER(0)}, {NUMBER(NAN)}},
    {"numeric_modulus", {NUMBER(-7), NUMBER(3)}, {NUMBER(-1)}},
    {"numeric_modulus", {NUMBER(7), NUMBER(-3)}, {NUMBER(1)}},
    {"numeric_modulus", {NUMBER(5), NUMBER(3)}, {NUMBER(2)}},
    {"numeric_modulus", {NUMBER(7), NUMBER(0)}, {NUMBER(NAN)}},
    {"numeric_modulus", {NUMBER(7), NUMBER(INFINITY)}, {NUMBER(7)}},
    {"numeric_modulus", {NUMBER(INFINITY), NUMBER(7)}, {NUMBER(NAN)}},
    {"numeric_modulus", {NUMBER(-6), NUMBER(3)}, {NUMBER(-0.0)}},
    {"numeric_min", {NUMBER(0.0), NUMBER(-0.0)}, {NUMBER(-0.0)}},
    {"numeric_min", {NUMBER(NAN), NUMBER(1)}, {NUMBER(NAN)}},
    {"numeric_max", {NUMBER(-0.0), NUMBER(0.0)}, {NUMBER(0.0)}},
    {"numeric_max", {NUMBER(1), NUMBER(NAN)}, {NUMBER(NAN)}},
    {"numeric_clamp", {NUMBER(5), NUMBER(3), NUMBER(-3)}, {NUMBER(3)}},
    {"numeric_clamp", {NUMBER(-5), NUMBER(3), NUMBER(-3)}, {NUMBER(-3)}},
    {"numeric_clamp", {NUMBER(NAN), NUMBER(0), NUMBER(1)}, {NUMBER(NAN)}},
    {"numeric_clamp", {NUMBER(0.5), NUMBER(NAN), NUMBER(1)}, {NUMBER(NAN)}},
    {"numeric_lerp", {NUMBER(2), NUMBER(4), NUMBER(2)}, {NUMBER(6)}},
    {"numeric_lerp", {NUMBER(INFINITY), NUMBER(4), NUMBER(1)}, {NUMBER(NAN)}},
    // Comparisons with NaN are false.
    {"numeric_equal", {NUMBER(NAN), NUMBER(NAN)}, {BOOL(false)}},
    {"numeric_equal", {NUMBER(0.0), NUMBER(-0.0)}, {BOOL(true)}},
    {"numeric_not_equal", {NUMBER(NAN), NUMBER(NAN)}, {BOOL(true)}},
    {"numeric_less_than", {NUMBER(NAN), NUMBER(1)}, {BOOL(false)}},
    {"numeric_less_than_or_equal", {NUMBER(NAN), NUMBER(NAN)}, {BOOL(false)}},
    {"numeric_greater_than", {NUMBER(1), NUMBER(NAN)}, {BOOL(false)}},
    {"numeric_greater_than_or_equal", {NUMBER(1), NUMBER(NAN)}, {BOOL(false)}},
    // Trigonometry.
    {"sin", {NUMBER(-0.0)}, {NUMBER(-0.0)}},
    {"sin", {NUMBER(INFINITY)}, {NUMBER(NAN)}},
    {"cos", {NUMBER(-INFINITY)}, {NUMBER(NAN)}},
    {"tan", {NUMBER(INFINITY)}, {NUMBER(NAN)}},
    {"asin", {NUMBER(1.5)}, {NUMBER(NAN)}},
    {"acos", {NUMBER(-1.5)}, {NUMBER(NAN)}},
    {"acos", {NUMBER(1)}, {NUMBER(0.0)}},
    {"atan_2", {NUMBER(-0.0), NUMBER(0.0)}, {NUMBER(PI)}},
    {"atan_2", {NUMBER(0.0), NUMBER(-0.0)}, {NUMBER(-0.0)}},
    // Powers, as in ECMAScript.
    {"numeric_sqrt", {NUMBER(-1)}, {NUMBER(NAN)}},
    {"numeric_sqrt", {NUMBER(-0.0)}, {NUMBER(-0.0)}},
    {"numeric_power", {NUMBER(NAN), NUMBER(0)}, {NUMBER(1)}},
    {"numeric_power", {NUMBER(1), NUMBER(INFINITY)}, {NUMBER(NAN)}},
    {"numeric_power", {NUMBER(-1), NUMBER(-INFINITY)}, {NUMBER(NAN)}},
    {"numeric_power", {NUMBER(1), NUMBER(NAN)}, {NUMBER(NAN)}},
    {"numeric_power", {NUMBER(-8), NUMBER(1.0 / 3)}, {NUMBER(NAN)}},
    {"numeric_power", {NUMBER(0), NUMBER(-1)}, {NUMBER(INFINITY)}},
    // Vectors.
    {"vector_length", {VECTOR(-INFINITY, NAN, 0)}, {NUMBER(INFINITY)}},
    {"vector_length", {VECTOR(1, NAN, 0)}, {NUMBER(NAN)}},
    {"vector_length", {VECTOR(3e30, 4e30, 0)}, {NUMBER(5e30)}},
    {"vector_normalize", {VECTOR(0, -0.0, 0)}, {VECTOR(0, 0, 0)}},
    {"vector_normalize", {VECTOR(NAN, 1, 0)}, {VECTOR(0, 0, 0)}},
    {"vector_normalize", {VECTOR(INFINITY, 1, 0)}, {VECTOR(0, 0, 0)}},
    {"vector_normalize", {VECTOR(0, 3e-30, -4e-30)}, {VECTOR(0, 0.6, -0.8)}},
    {"vector_equal", {VECTOR(1, NAN, 0), VECTOR(1, NAN, 0)}, {BOOL(false)}},
    // Rotations.
    {"rotation_lerp",
     {ROTATION(0, 0, 0, 1), ROTATION(0, 0, -HALF, -HALF), NUMBER(0.5)},
     {ROTATION(0, 0, 0.38268343, 0.92387953)}},
    {"rotation_lerp",
     {ROTATION(0, 0, 0, 1), ROTATION(0, 0, HALF, HALF), NUMBER(2)},
     {ROTATION(0, 0, 1, 0)}},
    {"rotation_axis_and_angle", {ROTATION(0, 0, 0, -1)}, {VECTOR(1, 0, 0), NUMBER(0)}},
    {"rotation_axis_and_angle", {ROTATION(0, HALF, 0, -HALF)}, {VECTOR(0, 1, 0), NUMBER(1.5 * PI)}},
    {"rotation_from_axis_and_angle",
     {VECTOR(0, 0, 1), NUMBER(NAN)},
     {ROTATION(NAN, NAN, NAN, NAN)}},
    // Conversions.
    {"numeric_to_bool", {NUMBER(NAN)}, {BOOL(false)}},
    {"numeric_to_bool", {NUMBER(-0.0)}, {BOOL(false)}},
    {"numeric_to_bool", {NUMBER(-INFINITY)}, {BOOL(true)}},
    {"bool_to_numeric", {BOOL(true)}, {NUMBER(1)}},
};

// What the specification has no words for, or where Flow differs.
static const flow_test_row own[] = {
    {"boolean_and", {BOOL(true), BOOL(false)}, {BOOL(false)}},
    {"boolean_and", {BOOL(true), BOOL(true)}, {BOOL(true)}},
    {"boolean_equals", {BOOL(false), BOOL(false)}, {BOOL(true)}},
    {"boolean_equals", {BOOL(false), BOOL(true)}, {BOOL(false)}},
    {"boolean_not", {BOOL(false)}, {BOOL(true)}},
    {"boolean_not_equal", {BOOL(true), BOOL(false)}, {BOOL(true)}},
    {"boolean_or", {BOOL(false), BOOL(true)}, {BOOL(true)}},
    {"boolean_or", {BOOL(false), BOOL(false)}, {BOOL(false)}},
    {"boolean_xor", {BOOL(true), BOOL(true)}, {BOOL(false)}},
    {"boolean_xor", {BOOL(false), BOOL(true)}, {BOOL(true)}},

    {"acos", {NUMBER(0)}, {NUMBER(PI / 2)}},
    {"asin", {NUMBER(-1)}, {NUMBER(-PI / 2)}},
    {"atan_2", {NUMBER(0), NUMBER(2)}, {NUMBER(PI / 2)}},
    {"cos", {NUMBER(PI)}, {NUMBER(-1)}},
    {"sin", {NUMBER(PI / 6)}, {NUMBER(0.5)}},
    {"tan", {NUMBER(PI / 4)}, {NUMBER(1)}},
    {"numeric_addition", {NUMBER(0.1), NUMBER(0.2)}, {NUMBER(0.30000000000000004)}},
    {"numeric_ceil", {NUMBER(1.25)}, {NUMBER(2)}},
    {"numeric_clamp", {NUMBER(0.25), NUMBER(0), NUMBER(1)}, {NUMBER(0.25)}},
    {"numeric_division", {NUMBER(1), NUMBER(-4)}, {NUMBER(-0.25)}},
    {"numeric_greater_than", {NUMBER(2), NUMBER(1)}, {BOOL(true)}},
    {"numeric_greater_than", {NUMBER(2), NUMBER(2)}, {BOOL(false)}},
    {"numeric_greater_than_or_equal", {NUMBER(2), NUMBER(2)}, {BOOL(true)}},
    {"numeric_less_than", {NUMBER(1), NUMBER(2)}, {BOOL(true)}},
    {"numeric_less_than", {NUMBER(2), NUMBER(2)}, {BOOL(false)}},
    {"numeric_less_than_or_equal", {NUMBER(2), NUMBER(2)}, {BOOL(true)}},
    {"numeric_max", {NUMBER(-3), NUMBER(2)}, {NUMBER(2)}},
    {"numeric_min", {NUMBER(-3), NUMBER(2)}, {NUMBER(-3)}},
    {"numeric_normalize_to_range", {NUMBER(5), NUMBER(4), NUMBER(8)}, {NUMBER(0.25)}},
    {"numeric_normalize_to_range", {NUMBER(3), NUMBER(4), NUMBER(8)}, {NUMBER(-0.25)}},
    {"numeric_normalize_to_range", {NUMBER(4), NUMBER(4), NUMBER(4)}, {NUMBER(NAN)}},
    {"numeric_power", {NUMBER(2), NUMBER(10)}, {NUMBER(1024)}},
    {"numeric_square", {NUMBER(-3)}, {NUMBER(9)}},
    {"numeric_subtraction", {NUMBER(3), NUMBER(5)}, {NUMBER(-2)}},

    {"rotate_vector", {VECTOR(1, 0, 0), ROTATION(0, 0, HALF, HALF)}, {VECTOR(0, 1, 0)}},
    {"rotate_vector", {VECTOR(1, 2, 3), ROTATION(0, 0, 0, 0)}, {VECTOR(1, 2, 3)}},
    {"vector_addition", {VECTOR(1, 2, 3), VECTOR(10, 20, 30)}, {VECTOR(11, 22, 33)}},
    {"vector_components", {VECTOR(1, 2, 3)}, {NUMBER(1), NUMBER(2), NUMBER(3)}},
    {"vector_cross_product", {VECTOR(1, 0, 0), VECTOR(0, 1, 0)}, {VECTOR(0, 0, 1)}},
    {"vector_cross_product", {VECTOR(1, 2, 3), VECTOR(4, 5, 7)}, {VECTOR(-1, 5, -3)}},
    {"vector_divided_by_numeric",
     {VECTOR(1, 0, -3), NUMBER(0)},
     {VECTOR(INFINITY, NAN, -INFINITY)}},
    {"vector_divided_by_numeric", {VECTOR(1, 2, -3), NUMBER(2)}, {VECTOR(0.5, 1, -1.5)}},
    {"vector_dot_product", {VECTOR(1, 2, 3), VECTOR(4, 5, 6)}, {NUMBER(32)}},
    {"vector_equal", {VECTOR(1, 2, 3), VECTOR(1, 2, 3)}, {BOOL(true)}},
    {"vector_equal", {VECTOR(1, 2, 3), VECTOR(1, 2, 4)}, {BOOL(false)}},
    {"vector_from_components", {NUMBER(1), NUMBER(2), NUMBER(1e39)}, {VECTOR(1, 2, INFINITY)}},
    {"vector_length", {VECTOR(2, 3, 6)}, {NUMBER(7)}},
    {"vector_lerp", {VECTOR(0, 2, 4), VECTOR(8, 2, 0), NUMBER(0.25)}, {VECTOR(2, 2, 3)}},
    {"vector_minus_numeric", {VECTOR(1, 2, 3), NUMBER(1)}, {VECTOR(0, 1, 2)}},
    {"vector_multiplication", {VECTOR(1, 2, 3), VECTOR(4, 5, 6)}, {VECTOR(4, 10, 18)}},
    {"vector_not_equal", {VECTOR(1, 2, 3), VECTOR(1, 2, 4)}, {BOOL(true)}},
    {"vector_plus_numeric", {VECTOR(1, 2, 3), NUMBER(1)}, {VECTOR(2, 3, 4)}},
    {"vector_subtraction", {VECTOR(1, 2, 3), VECTOR(10, 20, 30)}, {VECTOR(-9, -18, -27)}},
    {"vector_times_numeric", {VECTOR(1, 2, 3), NUMBER(-2)}, {VECTOR(-2, -4, -6)}},
    {"vectors_from_rotation",
     {ROTATION(0, 0, HALF, HALF)},
     {VECTOR(0, 1, 0), VECTOR(0, 0, 1), VECTOR(-1, 0, 0)}},

    {"rotation_components", {ROTATION(HALF, 0, 0, HALF)}, {NUMBER(PI / 2), NUMBER(0), NUMBER(0)}},
    {"rotation_equal", {ROTATION(0, 0, HALF, HALF), ROTATION(0, 0, -HALF, -HALF)}, {BOOL(true)}},
    {"rotation_equal", {ROTATION(0, 0, HALF, HALF), ROTATION(0, 0, -HALF, HALF)}, {BOOL(false)}},
    {"rotation_equal", {ROTATION(0, 0, 0, 0), ROTATION(0, 0, 0, 1)}, {BOOL(true)}},
    {"rotation_from_axis_and_angle",
     {VECTOR(0, 0, 1e-30), NUMBER(PI / 2)},
     {ROTATION(0, 0, HALF, HALF)}},
    {"rotation_from_axis_and_angle", {VECTOR(0, 0, 0), NUMBER(1)}, {ROTATION(0, 0, 0, 1)}},
    {"rotation_from_components",
     {NUMBER(0), NUMBER(0), NUMBER(PI / 2)},
     {ROTATION(0, 0, HALF, HALF)}},
    {"rotation_from_components",
     {NUMBER(PI / 2), NUMBER(PI / 2), NUMBER(0)},
     {ROTATION(0.5, 0.5, -0.5, 0.5)}},
    {"rotation_from_components",
     {NUMBER(0.3), NUMBER(0.5), NUMBER(0.7)},
     {ROTATION(0.05213241, 0.27944389, 0.29377717, 0.91262714)}},
    {"rotation_components",
     {ROTATION(0.05213241, 0.27944389, 0.29377717, 0.91262714)},
     {NUMBER(0.3), NUMBER(0.5), NUMBER(0.7)}},
    {"rotation_from_vectors", {VECTOR(-2e30, 0, 0), VECTOR(0, 0, 5)}, {ROTATION(0, 0, HALF, HALF)}},
    {"rotation_from_vectors", {VECTOR(0, 0, 0), VECTOR(0, 0, 1)}, {ROTATION(0, 0, 0, 1)}},
    {"rotation_multiplication",
     {ROTATION(0, HALF, 0, HALF), ROTATION(HALF, 0, 0, HALF)},
     {ROTATION(0.5, 0.5, -0.5, 0.5)}},
    {"rotation_multiplication",
     {ROTATION(0, 0, 0, 0), ROTATION(0, 0, 2, 2)},
     {ROTATION(0, 0, HALF, HALF)}},
    {"rotation_not_equal", {ROTATION(0, 0, NAN, 1), ROTATION(0, 0, 0, 1)}, {BOOL(true)}},
    {"rotation_times_numeric", {ROTATION(0, 0, HALF, HALF), NUMBER(2)}, {ROTATION(0, 0, 1, 0)}},
    {"rotation_times_numeric",
     {ROTATION(0, 0, -HALF, -HALF), NUMBER(-1)},
     {ROTATION(0, 0, -HALF, HALF)}},
    {"rotation_times_numeric", {ROTATION(0, 0, 0, 1), NUMBER(5)}, {ROTATION(0, 0, 0, 1)}},

    {"bool_to_string", {BOOL(true)}, {TEXT("true")}},
    {"bool_to_string", {BOOL(false)}, {TEXT("false")}},
    {"id_to_string", {ID(0xd2af15c4f96e1)}, {TEXT("#000d2af15c4f96e1")}},
    {"numeric_to_string", {NUMBER(0.1)}, {TEXT("0.1")}},
    {"numeric_to_string", {NUMBER(-3)}, {TEXT("-3")}},
    {"numeric_to_string", {NUMBER(0.30000000000000004)}, {TEXT("0.30000000000000004")}},
    {"numeric_to_string", {NUMBER(-0.0)}, {TEXT("-0")}},
    {"numeric_to_string", {NUMBER(1e22)}, {TEXT("1e22")}},
    {"numeric_to_string", {NUMBER(-INFINITY)}, {TEXT("-inf")}},
    {"numeric_to_string", {NUMBER(INFINITY)}, {TEXT("inf")}},
    {"numeric_to_string", {NUMBER(-NAN)}, {TEXT("nan")}},
    {"numeric_to_vector", {NUMBER(2.5)}, {VECTOR(2.5, 2.5, 2.5)}},
    {"rotation_to_string", {ROTATION(0, 0, HALF, 1)}, {TEXT("Quaternion(0, 0, 0.70710677, 1)")}},
    {"string_to_id", {TEXT("abc")}, {ID(0x9cc9c33498a95efb)}},
    {"string_to_id", {TEXT("")}, {ID(0)}},
    {"vector_to_string", {VECTOR(1, 0.1, NAN)}, {TEXT("Vector3(1, 0.1, nan)")}},
    {"vector_to_string", // powers of two, whose shortest text is not the nearest
     {VECTOR(0x1p-96f, -0x1p87f, 0x1p90f)},
     {TEXT("Vector3(1.2621775e-29, -1.5474251e26, 1.2379401e27)")}},
    {"vector_to_string",
     {VECTOR(16777216, 1e-40, -1e20)},
     {TEXT("Vector3(16777216, 1e-40, -1e20)")}},

    {"string_concatenate", {TEXT("door"), TEXT("_1")}, {TEXT("door_1")}},
    {"string_concatenate", {TEXT(""), TEXT("")}, {TEXT("")}},
    {"string_equal", {TEXT("door"), TEXT("door")}, {BOOL(true)}},
    {"string_equal", {TEXT("door"), TEXT("doo")}, {BOOL(false)}},
    {"string_equal", {TEXT("door"), TEXT("Door")}, {BOOL(false)}},
    {"string_length", {TEXT("Tür")}, {NUMBER(3)}},
    {"string_not_equal", {TEXT("door"), TEXT("doom")}, {BOOL(true)}},
};

static void computes_as_the_specification_says(void **state) {
    (void)state;
    assert_true(CT_COUNT_OF(specified) >= 30);
    for (uint32_t i = 0; i < CT_COUNT_OF(specified); ++i)
        flow_test_run(&specified[i], i);
}

static void computes_what_the_tables_describe(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(own); ++i)
        flow_test_run(&own[i], i);
}

static bool has_row(const char *node) {
    for (uint32_t i = 0; i < CT_COUNT_OF(specified); ++i)
        if (strcmp(specified[i].node, node) == 0)
            return true;
    for (uint32_t i = 0; i < CT_COUNT_OF(own); ++i)
        if (strcmp(own[i].node, node) == 0)
            return true;
    return false;
}

// Those that have none are found in src/flow by name.
static void has_a_function_and_a_row_for_each_foldable_node_only(void **state) {
    (void)state;
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t) {
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i) {
            const ct_flow_node_type *const node = &tables[t].nodes[i];
            if (node->is_foldable != (ct_flow_find_pure(node->name) != NULL))
                fail_msg("%s: is_foldable is %d", node->name, node->is_foldable);
            if (node->is_foldable && !has_row(node->name))
                fail_msg("%s has no row", node->name);
        }
    }
    assert_null(ct_flow_find_pure("random_numeric"));
    assert_null(ct_flow_find_pure(""));
}

static const char *cut_text(flow_test_call *t, const char *a, const char *b) {
    const flow_test_value inputs[2] = {TEXT(a), TEXT(b)};
    flow_test_init(t, 2, 1);
    for (uint32_t i = 0; i < 2; ++i)
        flow_test_set_input(t, i, &inputs[i]);
    ct_flow_find_pure("string_concatenate")(&t->call, 0);
    const ct_flow_string text = ct_flow_output(&t->call, 0)->string;
    const char *const found = (const char *)t->dynamic + (text.start & ~CT_FLOW_STRING_IS_DYNAMIC);
    assert_int_equal(strlen(found), text.length);
    return found;
}

static void cuts_long_texts_after_a_whole_character(void **state) {
    (void)state;
    char a[400], b[400];
    memset(a, 'a', sizeof(a));
    memset(b, 'b', sizeof(b));
    a[399] = b[399] = 0;
    flow_test_call t;
    assert_int_equal(strlen(cut_text(&t, a, b)), 239); // what is beyond does not count
    const uint64_t warnings = ct_log_warning_count("flow_text_cut");
    assert_true(warnings > 0);
    a[240] = 0;
    assert_int_equal(strlen(cut_text(&t, a, "")), 239); // one too many
    assert_int_equal(ct_log_warning_count("flow_text_cut"), warnings + 1);

    a[100] = 0;
    b[139] = 0;
    const char *found = cut_text(&t, a, b); // 239 just fit
    assert_int_equal(strlen(found), 239);
    assert_int_equal(ct_log_warning_count("flow_text_cut"), warnings + 1);
    b[137] = 0;
    strcat(b, "€"); // 100 + 137 + 3 bytes
    found = cut_text(&t, a, b);
    assert_int_equal(strlen(found), 237);
    assert_int_equal(found[236], 'b');
    assert_int_equal(ct_log_warning_count("flow_text_cut"), warnings + 2);
}

static void cuts_numbers_to_integers(void **state) {
    (void)state;
    static const struct {
        double number;
        int32_t integer;
    } cases[] = {
        {2.9, 2},
        {-2.9, -2},
        {-0.0, 0},
        {NAN, 0},
        {INFINITY, INT32_MAX},
        {-INFINITY, INT32_MIN},
        {1e10, INT32_MAX},
        {-1e10, INT32_MIN},
        {2147483646.5, 2147483646},
        {-2147483648.0, INT32_MIN},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const flow_test_value input = NUMBER(cases[i].number);
        flow_test_call t;
        flow_test_init(&t, 1, 0);
        flow_test_set_input(&t, 0, &input);
        assert_int_equal(ct_flow_integer(&t.call, 0), cases[i].integer);
    }
}

// Angles in a full turn, axes of a sphere: apart and together again is the same rotation.
static void takes_rotations_apart_and_puts_them_together(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (uint32_t round = 0; round < test_rounds(200, 20000); ++round) {
        flow_test_value values[4] = {ROTATION(0, 0, 0, 1)};
        for (uint32_t i = 0; i < 4; ++i)
            values[0].numbers[i] = test_random(&seed) / 4294967296.0 - 0.5;
        flow_test_call apart, together;
        flow_test_init(&apart, 1, 2);
        flow_test_set_input(&apart, 0, &values[0]);
        ct_flow_find_pure("rotation_axis_and_angle")(&apart.call, 0);
        const ct_flow_value *const axis = ct_flow_output(&apart.call, 0);
        const double angle = ct_flow_output(&apart.call, 1)->number;
        assert_true(angle >= 0 && angle <= 2 * PI);
        values[1] = (flow_test_value)VECTOR(axis->floats[0], axis->floats[1], axis->floats[2]);
        values[2] = (flow_test_value)NUMBER(angle);
        flow_test_init(&together, 2, 1);
        flow_test_set_input(&together, 0, &values[1]);
        flow_test_set_input(&together, 1, &values[2]);
        ct_flow_find_pure("rotation_from_axis_and_angle")(&together.call, 0);
        const float *const q = ct_flow_output(&together.call, 0)->floats;
        const double *const p = values[0].numbers;
        const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
        for (uint32_t i = 0; i < 4; ++i)
            assert_true(fabs(q[i] - p[i] / length) < 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_as_the_specification_says),
        cmocka_unit_test(computes_what_the_tables_describe),
        cmocka_unit_test(has_a_function_and_a_row_for_each_foldable_node_only),
        cmocka_unit_test(cuts_long_texts_after_a_whole_character),
        cmocka_unit_test(cuts_numbers_to_integers),
        cmocka_unit_test(takes_rotations_apart_and_puts_them_together),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
