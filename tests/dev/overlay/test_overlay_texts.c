// Texts of the game over its picture: how long they are kept, and what is kept of them.
#include <math.h>
#include <string.h>

#include "dev/overlay/overlay_texts.h"
#include "foundation/math/math.h"
#include "support/test_support.h"

static const uint64_t SECOND = 1000000000;

static void keeps_a_text_for_some_seconds(void **state) {
    (void)state;
    ct_overlay_texts texts = {0};
    ct_overlay_texts_add(&texts, ct_vec3_make(1, 0, 0), "first", 10 * SECOND);
    ct_overlay_texts_add(&texts, ct_vec3_make(1, 1, 1), "second", 11 * SECOND);
    ct_overlay_texts_expire(&texts, (10 + CT_OVERLAY_TEXT_SECONDS) * SECOND - 1);
    assert_int_equal(texts.count, 2);
    assert_string_equal(texts.items[0].text, "first");
    assert_int_equal(texts.items[0].color, 0xff0000ff);
    ct_overlay_texts_expire(&texts, (10 + CT_OVERLAY_TEXT_SECONDS) * SECOND);
    assert_int_equal(texts.count, 1);
    assert_string_equal(texts.items[0].text, "second");
    ct_overlay_texts_expire(&texts, 100 * SECOND);
    assert_int_equal(texts.count, 0);
}

static void the_oldest_lines_go(void **state) {
    (void)state;
    ct_overlay_texts texts = {0};
    char text[16];
    for (int i = 0; i < 2 * CT_OVERLAY_TEXTS + 1; ++i) {
        snprintf(text, sizeof(text), "%d", i);
        ct_overlay_texts_add(&texts, ct_vec3_make(1, 1, 1), text, SECOND);
    }
    assert_int_equal(texts.count, CT_OVERLAY_TEXTS);
    snprintf(text, sizeof(text), "%d", CT_OVERLAY_TEXTS + 1);
    assert_string_equal(texts.items[0].text, text);
    snprintf(text, sizeof(text), "%d", 2 * CT_OVERLAY_TEXTS);
    assert_string_equal(texts.items[CT_OVERLAY_TEXTS - 1].text, text);
}

static void texts_are_lines_that_can_be_shown(void **state) {
    (void)state;
    ct_overlay_texts texts = {0};
    char text[5000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    ct_overlay_texts_add(&texts, ct_vec3_make(NAN, -5, 1e30f), "a\n\x1b\xff\n", SECOND);
    ct_overlay_texts_add(&texts, ct_vec3_make(1, 1, 1), text, SECOND);
    assert_int_equal(texts.count, 4);
    assert_string_equal(texts.items[0].text, "a");
    assert_int_equal(texts.items[0].color, 0xffff0000);
    assert_string_equal(texts.items[1].text, "\\x1b\\xff");
    assert_string_equal(texts.items[2].text, "");
    assert_int_equal(strlen(texts.items[3].text), CT_OVERLAY_TEXT_BYTES - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_a_text_for_some_seconds),
        cmocka_unit_test(the_oldest_lines_go),
        cmocka_unit_test(texts_are_lines_that_can_be_shown),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
