// What is read of SPIR-V modules; whole ones are read wherever a pipeline is made.
#include "render/object/render_spirv.h"

#include "support/test_support.h"

#include <string.h>

#define INSTRUCTION(op, length) ((uint32_t)(length) << 16 | (op))

// A module with an input at location 0, and outputs at 1 and 3; `type` is that of the last.
#define MODULE(type)                                                                               \
    {                                                                                              \
        0x07230203, 0x10000, 0, 20, 0, INSTRUCTION(71, 4), 10, 30, 0, INSTRUCTION(71, 4), 11, 30,  \
            1, INSTRUCTION(71, 4), 12, 30, 3, INSTRUCTION(71, 3), 13, 2, INSTRUCTION(32, 4), 2, 3, \
            1, INSTRUCTION(28, 4), 4, 1, 5, INSTRUCTION(32, 4), 6, 3, 4, INSTRUCTION(59, 4), 2,    \
            10, 1, INSTRUCTION(59, 4), 2, 11, 3, INSTRUCTION(59, 4), type, 12, 3                   \
    }

static void finds_the_locations_of_outputs(void **state) {
    (void)state;
    const uint32_t module[] = MODULE(2);
    assert_int_equal(ct_render_spirv_outputs(module, CT_COUNT_OF(module)), 1u << 1 | 1u << 3);
}

static void takes_an_array_for_all_locations(void **state) {
    (void)state;
    const uint32_t module[] = MODULE(6);
    assert_int_equal(ct_render_spirv_outputs(module, CT_COUNT_OF(module)), UINT32_MAX);
}

static void survives_modules_that_are_cut_or_none(void **state) {
    (void)state;
    uint32_t module[] = MODULE(2);
    for (uint32_t count = 0; count < CT_COUNT_OF(module); ++count) {
        uint32_t *const cut = ct_alloc(test_heap(), sizeof(*cut) * (count + 1));
        memcpy(cut, module, sizeof(*cut) * count);
        ct_render_spirv_outputs(cut, count);
        ct_free(test_heap(), cut);
    }
    module[5] = 71; // no words long
    assert_int_equal(ct_render_spirv_outputs(module, CT_COUNT_OF(module)), 0);
    module[0] = 0;
    assert_int_equal(ct_render_spirv_outputs(module, CT_COUNT_OF(module)), UINT32_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_locations_of_outputs),
        cmocka_unit_test(takes_an_array_for_all_locations),
        cmocka_unit_test(survives_modules_that_are_cut_or_none),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
