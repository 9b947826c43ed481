#include "resource/blob/content_hash.h"

#include "support/test_support.h"

// Values of the reference implementation's own test vectors (xxHash 0.8, seed 0).
static void is_xxh3_64(void **state) {
    (void)state;
    assert_int_equal(ct_content_hash(NULL, 0), 0x2d06800538d394c2);
    assert_int_equal(ct_content_hash("a", 1), 0xe6c632b61e964e1f);
    assert_int_equal(ct_content_hash("abc", 3), 0x78af5f94892f3950);
}

static void differs_when_a_bit_differs(void **state) {
    (void)state;
    uint8_t bytes[300] = {0};
    const uint64_t before = ct_content_hash(bytes, sizeof(bytes));
    for (uint32_t bit = 0; bit < sizeof(bytes) * 8; ++bit) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_not_equal(ct_content_hash(bytes, sizeof(bytes)), before);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_xxh3_64),
        cmocka_unit_test(differs_when_a_bit_differs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
