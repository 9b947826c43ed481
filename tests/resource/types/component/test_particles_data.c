#include "resource/types/component/particles_data.h"

#include <math.h>
#include <string.h>

#include "support/test_support.h"

// Room for three variables.
typedef struct data_bytes {
    _Alignas(8) ct_particles_data head;
    ct_particles_data_variable variables[3];
} data_bytes;

static data_bytes make(void) {
    data_bytes data = {.variables = {{{5}, {1, 1, 1, 1}}, {{3}, {1, 2, 3, 4}}}};
    ct_schema_defaults(&ct_particles_data_head_schema, &data.head);
    data.head.effect.value = 17;
    data.head.num_variables = 2;
    return data;
}

static void refuse(const data_bytes *data, uint32_t size_bytes, const char *message) {
    ct_error error = {0};
    assert_false(ct_particles_check(data, size_bytes, &error));
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
    assert_false(ct_particles_check(data, size_bytes, NULL));
}

static void accepts_a_head_and_its_variables(void **state) {
    (void)state;
    data_bytes data = make();
    assert_true(ct_particles_check(&data, sizeof(data), NULL));
    assert_true(ct_particles_check(&data, 56 + 2 * 20, NULL));
    data.head.num_variables = 0;
    assert_true(ct_particles_check(&data, 56, NULL));
    assert_int_equal(data.head.orphaned, CT_PARTICLES_ORPHANED_STOP);
    assert_true(data.head.plays_at_spawn);
}

static void refuses_what_is_not_inside(void **state) {
    (void)state;
    data_bytes data = make();
    refuse(&data, 48, "a particles component does not fit into 48 bytes");
    refuse(&data, 56 + 20, "2 variables do not fit into 76 bytes");
    data.head.num_variables = UINT32_MAX;
    refuse(&data, sizeof(data), "4294967295 variables do not fit");
}

static void refuses_broken_heads(void **state) {
    (void)state;
    data_bytes data = make();
    data.head.orphaned = CT_PARTICLES_ORPHANED_COUNT;
    refuse(&data, sizeof(data), "particles.orphaned");
    data = make();
    data.head.position[1] = NAN;
    refuse(&data, sizeof(data), "particles.position");
}

static void refuses_broken_variables(void **state) {
    (void)state;
    data_bytes data = make();
    data.variables[1].value[2] = INFINITY;
    refuse(&data, sizeof(data), "variable 1: number 2 is not finite");
    data = make();
    data.variables[1].name = data.variables[0].name;
    refuse(&data, sizeof(data), "variable 1 has the name of another one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_head_and_its_variables),
        cmocka_unit_test(refuses_what_is_not_inside),
        cmocka_unit_test(refuses_broken_heads),
        cmocka_unit_test(refuses_broken_variables),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
