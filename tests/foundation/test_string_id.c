// The expected values were computed by a separate implementation that gives the verification values
// published with SMHasher (MurmurHash2 0x27864c1e, MurmurHash64A 0x1f0d3804).
#include "foundation/string_id.h"

#include <string.h>

#include "support/test_support.h"

typedef struct vector {
    const char *text;
    uint32_t id32;
    uint64_t id64;
} vector;

static void hashes_known_strings(void **state) {
    (void)state;
    const vector vectors[] = {
        {"", 0x00000000, UINT64_C(0x0000000000000000)},
        {"a", 0x92685f5e, UINT64_C(0x071717d2d36b6b11)},
        {"ab", 0x1aa14063, UINT64_C(0x62be85b2fe53d1f8)},
        {"abc", 0x13577c9b, UINT64_C(0x9cc9c33498a95efb)},
        {"abcd", 0x26873021, UINT64_C(0xec1044c45cc5097a)},
        {"root_point", 0x5e43bd96, UINT64_C(0xde542da9cf3a5a5e)},
        {"unit", 0x516224cf, UINT64_C(0xe0a48d0be9a7453f)},
        {"texture", 0x0deed4f7, UINT64_C(0xcd4238c6a0c69e32)},
        {"units/crate", 0x6df920fb, UINT64_C(0x5fc5fb348d6c7327)},
        {"Position", 0xe64c665b, UINT64_C(0x3c52e3a1cb90e8d5)},
        {"The quick brown fox jumps over the lazy dog", 0x212729d0, UINT64_C(0x5589ca33042a861b)},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(vectors); ++i) {
        assert_int_equal(ct_string_id32_of(vectors[i].text).value, vectors[i].id32);
        assert_true(ct_string_id64_of(vectors[i].text).value == vectors[i].id64);
    }
}

// Every tail length, bytes over 127 and zero bytes, at every position of a word in memory.
static void hashes_bytes_of_any_length_at_any_address(void **state) {
    (void)state;
    char buffer[64 + 8];
    for (uint32_t shift = 0; shift < 8; ++shift) {
        for (uint32_t i = 0; i < 64; ++i)
            buffer[shift + i] = (char)(i * 37 + 200);
        uint32_t all32 = 0;
        uint64_t all64 = 0;
        for (uint32_t length = 0; length <= 64; ++length) {
            all32 = all32 * 31 + ct_string_id32_of_bytes(buffer + shift, length).value;
            all64 = all64 * 31 + ct_string_id64_of_bytes(buffer + shift, length).value;
        }
        assert_int_equal(all32, 0x49882ab9);
        assert_true(all64 == UINT64_C(0x6d276428ba378aa2));
    }
}

static void stops_at_the_given_length(void **state) {
    (void)state;
    assert_int_equal(ct_string_id32_of_bytes("root_points", 10).value, 0x5e43bd96);
    assert_true(ct_string_id64_of_bytes("units", 4).value == UINT64_C(0xe0a48d0be9a7453f));
    assert_int_not_equal(ct_string_id32_of_bytes("a\0b", 3).value,
                         ct_string_id32_of_bytes("a\0c", 3).value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_known_strings),
        cmocka_unit_test(hashes_bytes_of_any_length_at_any_address),
        cmocka_unit_test(stops_at_the_given_length),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
