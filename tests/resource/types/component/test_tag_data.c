#include "support/test_support.h"

#include <string.h>

#include "resource/types/component/tag_data.h"

typedef struct tag_bytes {
    _Alignas(8) char bytes[64];
    uint32_t size;
} tag_bytes;

// As the compiler writes them.
static tag_bytes make(const char *const *texts, uint32_t count) {
    tag_bytes t = {.size = (uint32_t)sizeof(uint32_t) * (1 + count)};
    memcpy(t.bytes, &count, sizeof(count));
    for (uint32_t i = 0; i < count; ++i) {
        const ct_string_id32 id = ct_string_id32_of(texts[i]);
        memcpy(t.bytes + sizeof(count) * (1 + i), &id, sizeof(id));
        memcpy(t.bytes + t.size, texts[i], strlen(texts[i]) + 1);
        t.size += (uint32_t)strlen(texts[i]) + 1;
    }
    t.size = (t.size + 7) & ~7u;
    return t;
}

static void expect_refused(const tag_bytes *t, uint32_t size, const char *message) {
    ct_error error = {0};
    assert_false(ct_tag_data_check(t->bytes, size, &error));
    assert_non_null(strstr(error.message, message));
    assert_false(ct_tag_data_check(t->bytes, size, NULL));
}

static const char *const names[] = {"enemy", "flying"};

static void takes_what_the_compiler_writes(void **state) {
    (void)state;
    const tag_bytes t = make(names, 2), none = make(names, 0);
    assert_true(ct_tag_data_check(t.bytes, t.size, NULL));
    assert_string_equal(ct_tag_data_text((const ct_tag_data *)t.bytes, 0), "enemy");
    assert_string_equal(ct_tag_data_text((const ct_tag_data *)t.bytes, 1), "flying");
    assert_true(ct_tag_data_check(none.bytes, none.size, NULL));
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    tag_bytes t = make(names, 2);
    expect_refused(&t, 0, "do not fit into 0 bytes");
    expect_refused(&t, 8, "do not fit");
    expect_refused(&t, 16, "the text of tag 0 is not terminated");
    expect_refused(&t, 24, "the text of tag 1 is not terminated");
    memset(t.bytes, 0xff, sizeof(uint32_t));
    expect_refused(&t, t.size, "do not fit");
}

static void refuses_ids_of_other_texts(void **state) {
    (void)state;
    tag_bytes t = make(names, 2);
    t.bytes[13] ^= 1; // a letter of the first
    expect_refused(&t, t.size, "the id of tag 0 does not match its text");
    const char *const empty[] = {"enemy", ""};
    t = make(empty, 2);
    expect_refused(&t, t.size, "the id of tag 1 does not match its text");
}

static void refuses_a_text_whose_id_is_none(void **state) {
    (void)state;
    const char *const none[] = {"enemy", "alebjebp"};
    const tag_bytes t = make(none, 2);
    assert_int_equal(ct_string_id32_of("alebjebp").value, 0);
    expect_refused(&t, t.size, "tag 1 is invalid: its id is 0");
}

static void refuses_a_tag_twice(void **state) {
    (void)state;
    const char *const twice[] = {"enemy", "flying", "enemy"};
    const tag_bytes t = make(twice, 3);
    expect_refused(&t, t.size, "tag 2 is listed twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_the_compiler_writes),
        cmocka_unit_test(refuses_what_does_not_fit),
        cmocka_unit_test(refuses_ids_of_other_texts),
        cmocka_unit_test(refuses_a_text_whose_id_is_none),
        cmocka_unit_test(refuses_a_tag_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
