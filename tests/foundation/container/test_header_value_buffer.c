#include "foundation/container/header_value_buffer.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static ct_header_value_buffer *start(void) {
    ct_header_value_buffer *const b = CT_NEW(test_heap(), ct_header_value_buffer);
    ct_header_value_buffer_init(b, test_heap());
    return b;
}

static void end(ct_header_value_buffer *b) {
    ct_header_value_buffer_free(b);
    ct_free(test_heap(), b);
}

static void set_text(ct_header_value_buffer *b, uint32_t key, const char *text) {
    ct_header_value_buffer_set(b, key, 7, text, (uint32_t)strlen(text) + 1);
}

static const char *text_of(const ct_value_blob *blob, uint32_t key) {
    const ct_value_header *const header = ct_value_blob_find(blob, key);
    return header ? ct_value_blob_value(blob, header) : "";
}

static void gives_back_what_was_set(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    assert_null(b->blob);
    assert_null(ct_value_blob_find(b->blob, 1));
    const float colour[4] = {0, 0.5f, 0.25f, 1};
    set_text(b, 10, "The One");
    ct_header_value_buffer_set(b, 20, 3, colour, sizeof(colour));
    assert_null(ct_header_value_buffer_set(b, 30, 1, NULL, 0));
    assert_string_equal(text_of(b->blob, 10), "The One");
    const ct_value_header *const header = ct_value_blob_find(b->blob, 20);
    assert_int_equal(header->type, 3);
    assert_int_equal(header->size_bytes, sizeof(colour));
    assert_int_equal((uintptr_t)ct_value_blob_value(b->blob, header) % 8, 0);
    assert_memory_equal(ct_value_blob_value(b->blob, header), colour, sizeof(colour));
    assert_int_equal(ct_value_blob_find(b->blob, 30)->size_bytes, 0);
    assert_null(ct_value_blob_find(b->blob, 40));
    end(b);
}

static void headers_grow_up_and_values_down(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    set_text(b, 1, "a");
    set_text(b, 2, "b");
    const ct_value_blob *const blob = b->blob;
    assert_int_equal(blob->size_bytes, 128);
    assert_int_equal(blob->headers[0].offset, 120);
    assert_int_equal(blob->headers[1].offset, 112);
    assert_int_equal(blob->values_begin, 112);
    end(b);
}

static void reuses_the_place_of_a_value_that_shrinks(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    set_text(b, 1, "a longer text");
    const uint32_t offset = b->blob->headers[0].offset;
    set_text(b, 1, "short");
    assert_int_equal(b->blob->headers[0].offset, offset);
    assert_int_equal(b->blob->hole_bytes, 8);
    assert_string_equal(text_of(b->blob, 1), "short");
    end(b);
}

static void closes_holes_when_it_grows(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    set_text(b, 1, "1234567");
    set_text(b, 2, "abcdefg");
    set_text(b, 1, "12345678901");
    assert_int_equal(b->blob->hole_bytes, 8);
    set_text(b, 3, "a text that needs more room than there is in the buffer");
    assert_int_equal(b->blob->hole_bytes, 0);
    assert_int_equal(b->blob->size_bytes, 256);
    assert_string_equal(text_of(b->blob, 1), "12345678901");
    assert_string_equal(text_of(b->blob, 2), "abcdefg");
    assert_string_equal(text_of(b->blob, 3),
                        "a text that needs more room than there is in the buffer");
    end(b);
}

static void doubles_when_closing_holes_frees_little(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    static const char bytes[40];
    ct_header_value_buffer_set(b, 1, 0, bytes, 40);
    ct_header_value_buffer_set(b, 2, 0, bytes, 24);
    assert_int_equal(b->blob->size_bytes, 128);
    ct_header_value_buffer_set(b, 2, 0, bytes, 32); // 120 of 128 bytes, were the hole closed
    assert_int_equal(b->blob->size_bytes, 256);
    end(b);
}

static void stays_small_when_values_change_for_ever(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    char text[64] = "";
    for (uint32_t i = 0; i < 10000; ++i) {
        memset(text, 'x', i % 60);
        text[i % 60] = 0;
        set_text(b, i % 3, text);
        assert_string_equal(text_of(b->blob, i % 3), text);
        assert_true(b->blob->size_bytes <= 512);
    }
    end(b);
}

static void is_copied_as_bytes(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    set_text(b, 1, "first");
    set_text(b, 2, "second");
    const uint32_t size_bytes = b->blob->size_bytes;
    ct_value_blob *const copy = ct_alloc(test_heap(), size_bytes);
    memcpy(copy, b->blob, size_bytes);
    ct_header_value_buffer_free(b);
    assert_string_equal(text_of(copy, 1), "first");
    assert_string_equal(text_of(copy, 2), "second");
    ct_error error = {0};
    assert_true(ct_header_value_buffer_load(b, copy, size_bytes, &error));
    set_text(b, 3, "third");
    assert_string_equal(text_of(b->blob, 2), "second");
    assert_string_equal(text_of(b->blob, 3), "third");
    ct_free(test_heap(), copy);
    end(b);
}

// --- Against a plain table -----------------------------------------------------------------------

enum { NUM_KEYS = 40, MAX_VALUE_BYTES = 100 };

typedef struct model {
    unsigned char values[NUM_KEYS][MAX_VALUE_BYTES];
    uint32_t sizes[NUM_KEYS];
    bool is_set[NUM_KEYS];
} model;

static void check(const model *m, const ct_value_blob *blob) {
    uint32_t num_set = 0;
    for (uint32_t key = 0; key < NUM_KEYS; ++key) {
        const ct_value_header *const header = ct_value_blob_find(blob, key);
        assert_int_equal(header != NULL, m->is_set[key]);
        if (!header)
            continue;
        ++num_set;
        assert_int_equal(header->size_bytes, m->sizes[key]);
        assert_memory_equal(ct_value_blob_value(blob, header), m->values[key], m->sizes[key]);
    }
    if (blob)
        assert_int_equal(blob->num_headers, num_set);
}

static void agrees_with_a_plain_table(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    model *const m = CT_NEW(test_heap(), model);
    uint32_t random = 65537;
    for (uint32_t round = 0; round < 200000; ++round) {
        const uint32_t key = test_random(&random) % NUM_KEYS;
        if (test_random(&random) % 4 == 0) {
            assert_int_equal(ct_header_value_buffer_erase(b, key), m->is_set[key]);
            m->is_set[key] = false;
        } else {
            m->sizes[key] = test_random(&random) % (MAX_VALUE_BYTES + 1);
            memset(m->values[key], (int)test_random(&random), m->sizes[key]);
            ct_header_value_buffer_set(b, key, 0, m->values[key], m->sizes[key]);
            m->is_set[key] = true;
        }
        if (round % 20 == 0)
            check(m, b->blob);
    }
    assert_true(b->blob->size_bytes <= 16384);
    ct_free(test_heap(), m);
    end(b);
}

// --- Damaged data --------------------------------------------------------------------------------

static void refuse(const uint32_t *words, uint64_t size_bytes, const char *message) {
    ct_header_value_buffer *const b = start();
    set_text(b, 5, "kept");
    ct_error error = {0};
    assert_false(ct_header_value_buffer_load(b, words, size_bytes, &error));
    if (!strstr(error.message, message))
        fail_msg("\"%s\" does not say \"%s\"", error.message, message);
    assert_string_equal(text_of(b->blob, 5), "kept");
    end(b);
}

static void refuses_damaged_blobs(void **state) {
    (void)state;
    // size, headers, values, holes; key, type, offset, bytes; the value
    uint32_t good[] = {40, 1, 32, 0, 9, 0, 32, 8, 0x41414141, 0};
    ct_header_value_buffer *const b = start();
    ct_error error = {0};
    assert_true(ct_header_value_buffer_load(b, good, 40, &error));
    assert_string_equal(text_of(b->blob, 9), "AAAA");
    end(b);
    refuse(good, 8, "the buffer has 8 bytes; expected 16 to 2147483648");
    refuse(good, 32, "the buffer's header says 40 bytes; expected 32");
    const struct {
        uint32_t word, value;
        const char *message;
    } damages[] = {
        {1, 2, "2 headers and values from offset 32 on do not fit in 40 bytes"},
        {1, UINT32_MAX, "4294967295 headers"},
        {2, 48, "values from offset 48 on do not fit"},
        {2, 33, "values from offset 33 on do not fit"},
        {3, 8, "values and holes take 16 bytes; expected 8"},
        {6, 24,
         "value 0: 8 bytes at offset 24; expected an offset that is a multiple of 8, with all "
         "bytes within 32 to 40"},
        {6, 40, "value 0: 8 bytes at offset 40"},
        {6, UINT32_MAX - 7, "value 0: 8 bytes at offset 4294967288"},
        {7, 9, "value 0: 9 bytes at offset 32"},
        {7, UINT32_MAX, "value 0: 4294967295 bytes at offset 32"},
        {7, 0, "values and holes take 0 bytes; expected 8"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(damages); ++i) {
        uint32_t damaged[10];
        memcpy(damaged, good, sizeof(good));
        damaged[damages[i].word] = damages[i].value;
        refuse(damaged, 40, damages[i].message);
    }
}

// What a damaged blob that is taken holds may be wrong, but using it does no harm.
static void survives_random_damage(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    for (uint32_t key = 0; key < 6; ++key)
        set_text(b, key, "some text that is not short");
    ct_header_value_buffer_erase(b, 2);
    const uint32_t size_bytes = b->blob->size_bytes;
    uint32_t random = 5, num_taken = 0;
    for (uint32_t round = 0; round < 20000; ++round) {
        unsigned char *const damaged = ct_alloc(test_heap(), size_bytes);
        memcpy(damaged, b->blob, size_bytes);
        for (uint32_t i = 0; i < 1 + round % 3; ++i)
            damaged[test_random(&random) % 96] = (unsigned char)test_random(&random);
        ct_header_value_buffer other;
        ct_header_value_buffer_init(&other, test_heap());
        if (ct_header_value_buffer_load(&other, damaged, size_bytes, NULL)) {
            ++num_taken;
            for (uint32_t key = 0; key < 20; ++key)
                set_text(&other, key, "a text that is longer than those which were there");
        }
        ct_header_value_buffer_free(&other);
        ct_free(test_heap(), damaged);
    }
    assert_true(num_taken > 100);
    end(b);
}

static void set_from_itself(void *user) {
    ct_header_value_buffer *const b = user;
    ct_header_value_buffer_set(b, 2, 0, ct_value_blob_value(b->blob, &b->blob->headers[0]), 5);
}

static void set_too_much(void *user) {
    static char some[1];
    ct_header_value_buffer_set(user, 2, 0, some, UINT32_MAX);
}

static void reports_misuse(void **state) {
    (void)state;
    ct_header_value_buffer *const b = start();
    set_text(b, 1, "text");
    test_expect_death(set_from_itself, b, "the new value of key 2 is inside the buffer itself");
    test_expect_death(set_too_much, b, "out of memory: 4294967");
    end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_was_set),
        cmocka_unit_test(headers_grow_up_and_values_down),
        cmocka_unit_test(reuses_the_place_of_a_value_that_shrinks),
        cmocka_unit_test(closes_holes_when_it_grows),
        cmocka_unit_test(doubles_when_closing_holes_frees_little),
        cmocka_unit_test(stays_small_when_values_change_for_ever),
        cmocka_unit_test(is_copied_as_bytes),
        cmocka_unit_test(agrees_with_a_plain_table),
        cmocka_unit_test(refuses_damaged_blobs),
        cmocka_unit_test(survives_random_damage),
        cmocka_unit_test(reports_misuse),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
