// One end of a connection: framed messages, sealed or not, in pieces of any size.
#include "support/test_support.h"

#include <string.h>

#include "dev/serve/serve_channel.h"
#include "dev/serve/serve_manifest.h"
#include "foundation/error.h"

enum { LARGE_BYTES = 200000 };

typedef struct fixture {
    ct_serve_channel near, far;
    ct_serve_key key;
    uint8_t *large;
} fixture;

static int set_up(void **state) {
    static fixture f;
    ct_serve_channel_init(&f.near, test_heap(), 1 << 20);
    ct_serve_channel_init(&f.far, test_heap(), 1 << 20);
    memset(&f.key, 7, sizeof(f.key));
    f.large = CT_NEW_ARRAY(test_heap(), uint8_t, LARGE_BYTES);
    for (uint32_t i = 0; i < LARGE_BYTES; ++i)
        f.large[i] = (uint8_t)(i * 7 + i / 300);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *const f = *state;
    ct_serve_channel_free(&f->near);
    ct_serve_channel_free(&f->far);
    ct_free_sized(test_heap(), f->large, LARGE_BYTES);
    return 0;
}

static void seal(fixture *f) {
    ct_serve_channel_seal_out(&f->near, &f->key);
    assert_true(ct_serve_channel_seal_in(&f->far, &f->key, NULL));
}

static void send_two(fixture *f) {
    ct_serve_channel_send(&f->near, "{\"type\": \"a\"}", NULL, 0);
    ct_serve_channel_send(&f->near, "{\"binary_size\": 200000}", f->large, LARGE_BYTES);
}

// Carries all that is to be sent in pieces, and counts the messages that arrive.
static uint32_t carry(fixture *f, uint32_t piece_bytes) {
    uint32_t count = 0;
    ct_message message;
    for (uint32_t at = 0; at < f->near.out.count; at += piece_bytes) {
        const uint32_t left = f->near.out.count - at;
        assert_true(ct_serve_channel_receive(&f->far, f->near.out.items + at,
                                             left < piece_bytes ? left : piece_bytes, NULL));
        while (ct_serve_channel_next(&f->far, &message, NULL) == CT_MESSAGE_RESULT_MESSAGE) {
            if (count++ == 0) {
                assert_string_equal(message.json, "{\"type\": \"a\"}");
            } else {
                assert_int_equal(message.binary_bytes, LARGE_BYTES);
                assert_memory_equal(message.binary, f->large, LARGE_BYTES);
            }
        }
    }
    return count;
}

static void messages_arrive_whole_in_pieces_of_any_size(void **state) {
    fixture *const f = *state;
    const uint32_t sizes[] = {1, 3, 4096, 65557, LARGE_BYTES * 2};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        send_two(f);
        assert_int_equal(carry(f, sizes[i]), 2);
        f->near.out.count = 0;
    }
    seal(f);
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        send_two(f);
        assert_int_equal(carry(f, sizes[i]), 2);
        f->near.out.count = 0;
    }
}

static void each_changed_byte_is_found(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    seal(f);
    ct_serve_channel_send(&f->near, "{}", NULL, 0);
    for (uint32_t i = 4; i < f->near.out.count; ++i) {
        ct_serve_channel other;
        ct_serve_channel_init(&other, test_heap(), 4096);
        assert_true(ct_serve_channel_seal_in(&other, &f->key, NULL));
        f->near.out.items[i] ^= 1;
        assert_false(
            ct_serve_channel_receive(&other, f->near.out.items, f->near.out.count, &error));
        assert_string_equal(error.message, "a message was forged or changed on its way");
        f->near.out.items[i] ^= 1;
        ct_serve_channel_free(&other);
    }
}

static void a_record_that_comes_twice_is_found(void **state) {
    fixture *const f = *state;
    seal(f);
    ct_serve_channel_send(&f->near, "{}", NULL, 0);
    assert_true(ct_serve_channel_receive(&f->far, f->near.out.items, f->near.out.count, NULL));
    assert_false(ct_serve_channel_receive(&f->far, f->near.out.items, f->near.out.count, NULL));
}

static void lengths_of_records_are_checked_before_their_bytes_arrive(void **state) {
    fixture *const f = *state;
    const uint32_t wrong[] = {0, CT_SERVE_SEAL_BYTES, (64 << 10) + CT_SERVE_SEAL_BYTES + 1,
                              UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_serve_channel other;
        ct_error error = {0};
        uint8_t bytes[4];
        ct_serve_channel_init(&other, test_heap(), 4096);
        assert_true(ct_serve_channel_seal_in(&other, &f->key, NULL));
        ct_serve_write_u32(wrong[i], bytes);
        assert_false(ct_serve_channel_receive(&other, bytes, 4, &error));
        assert_non_null(strstr(error.message, "expected 17 to 65552"));
        ct_serve_channel_free(&other);
    }
}

static void bytes_before_the_seal_are_refused(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    assert_true(ct_serve_channel_receive(&f->far, "\0\0", 2, NULL));
    assert_false(ct_serve_channel_seal_in(&f->far, &f->key, &error));
    assert_string_equal(error.message, "2 bytes arrived that are not sealed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(messages_arrive_whole_in_pieces_of_any_size, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(each_changed_byte_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_record_that_comes_twice_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lengths_of_records_are_checked_before_their_bytes_arrive,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_before_the_seal_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
