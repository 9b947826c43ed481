#include "support/test_support.h"

#include <string.h>

#include "content/move/content_patch.h"
#include "foundation/memory/temp_allocator.h"

static void puts_texts_in_place_of_bytes_in_any_order(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_patch_array patches;
    uint64_t bytes = 0;
    ct_array_init(&patches, a);
    ct_array_push(&patches, (ct_patch){8, 11, "d"});
    ct_array_push(&patches, (ct_patch){0, 1, "longer"});
    ct_array_push(&patches, (ct_patch){4, 4, "in"});
    assert_string_equal(ct_patch_apply(a, "abc def ghi", 11, &patches, &bytes), "longerbc indef d");
    assert_int_equal(bytes, 16);
}

static void without_patches_the_text_stays(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_patch_array patches;
    uint64_t bytes = 0;
    ct_array_init(&patches, a);
    assert_memory_equal(ct_patch_apply(a, "a\0b", 3, &patches, &bytes), "a\0b\0", 4);
    assert_int_equal(bytes, 3);
    assert_string_equal(ct_patch_apply(a, "", 0, &patches, &bytes), "");
}

static void overlap(void *user) {
    ct_patch_array *const patches = user;
    uint64_t bytes = 0;
    ct_patch_apply(test_heap(), "abcdef", 6, patches, &bytes);
}

static void patches_that_overlap_are_a_bug(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_patch_array patches;
    ct_array_init(&patches, a);
    ct_array_push(&patches, (ct_patch){0, 3, "x"});
    ct_array_push(&patches, (ct_patch){2, 4, "y"});
    test_expect_death(overlap, &patches, "overlaps another");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_texts_in_place_of_bytes_in_any_order),
        cmocka_unit_test(without_patches_the_text_stays),
        cmocka_unit_test(patches_that_overlap_are_a_bug),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
