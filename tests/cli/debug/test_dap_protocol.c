// Columns in UTF-16.
#include "cli/debug/dap_protocol.h"

#include "support/test_support.h"

static void counts_columns_in_utf16(void **state) {
    (void)state;
    static const char text[] = "a\xc3\xa4\xf0\x9d\x84\x9e)"; // 1, 2 and 4 bytes: 1, 1 and 2 units
    static const uint32_t bytes[] = {0, 1, 3, 3, 7, 8, 8};
    for (uint32_t units = 0; units < CT_COUNT_OF(bytes); ++units)
        assert_int_equal(ct_dap_byte_at(text, sizeof(text) - 1, units), bytes[units]);
    assert_int_equal(ct_dap_units_of(text, 7), 4);
    assert_int_equal(ct_dap_units_of("\xff", 1), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_columns_in_utf16),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
