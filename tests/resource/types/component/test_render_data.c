#include "resource/types/component/render_data.h"

#include <math.h>
#include <string.h>

#include "support/test_support.h"

// Room for three values.
typedef struct data_bytes {
    _Alignas(8) uint32_t num_values;
    uint32_t padding;
    ct_render_data_value values[3];
} data_bytes;

static data_bytes make(void) {
    return (data_bytes){.num_values = 2,
                        .values = {{.name = {5}, .num_floats = 1, .value = {0.5f}},
                                   {.name = {3}, .num_floats = 4, .value = {1, 2, 3, 4}}}};
}

static void refuse(const data_bytes *data, const char *message) {
    ct_error error = {0};
    assert_false(ct_render_data_check(data, sizeof(*data), &error));
    assert_non_null(strstr(error.message, message));
    assert_false(ct_render_data_check(data, sizeof(*data), NULL));
}

static void accepts_values_with_different_names(void **state) {
    (void)state;
    const data_bytes data = make(), none = {0};
    assert_true(ct_render_data_check(&data, sizeof(data), NULL));
    assert_true(ct_render_data_check(&data, 8 + 2 * sizeof(ct_render_data_value), NULL));
    assert_true(ct_render_data_check(&none, 8, NULL));
}

static void refuses_what_is_not_inside(void **state) {
    (void)state;
    data_bytes data = make();
    assert_false(ct_render_data_check(&data, 4, NULL));
    assert_false(ct_render_data_check(&data, 8 + sizeof(ct_render_data_value), NULL));
    data.num_values = 4;
    refuse(&data, "values do not fit into 80 bytes");
    data.num_values = UINT32_MAX;
    refuse(&data, "values do not fit");
}

static void refuses_broken_values(void **state) {
    (void)state;
    data_bytes data = make();
    data.values[1].num_floats = 5;
    refuse(&data, "value 1: found 5 numbers, expected 1 to 4");
    data.values[1].num_floats = 0;
    refuse(&data, "value 1: found 0 numbers");
    data = make();
    data.values[0].value[2] = NAN;
    refuse(&data, "value 0: number 2 is not finite");
    data = make();
    data.values[1].name = data.values[0].name;
    refuse(&data, "value 1 has the name of another one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_values_with_different_names),
        cmocka_unit_test(refuses_what_is_not_inside),
        cmocka_unit_test(refuses_broken_values),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
