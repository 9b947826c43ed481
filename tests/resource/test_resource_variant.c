#include "resource/resource_variant.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static ct_source_name parse(const char *path) {
    ct_source_name parts;
    ct_error error = {0};
    if (!ct_source_name_parse(path, "texture", &parts, &error))
        fail_msg("%s", error.message);
    return parts;
}

static void expect_refused(const char *path, const char *what, const char *renamed) {
    ct_source_name parts;
    ct_error error = {0};
    assert_false(ct_source_name_parse(path, "texture", &parts, &error));
    if (!strstr(error.message, what) || !strstr(error.message, renamed))
        fail_msg("found \"%s\", expected \"%s\" and \"%s\"", error.message, what, renamed);
}

static void takes_names_apart(void **state) {
    (void)state;
    ct_source_name parts = parse("ui/buttons");
    assert_string_equal(parts.name, "ui/buttons");
    assert_int_equal(parts.num_properties, 0);
    parts = parse("ui/buttons.fr.x360");
    assert_string_equal(parts.name, "ui/buttons");
    assert_int_equal(parts.num_properties, 2);
    assert_string_equal(ct_source_name_property(&parts, 0), "fr");
    assert_string_equal(ct_source_name_property(&parts, 1), "x360");
}

static void data_names_leave_the_platform_out(void **state) {
    (void)state;
    const ct_source_name parts = parse("a.fr.noblood.x360");
    char name[CT_RESOURCE_NAME_BYTES];
    ct_source_name_data_name(&parts, "x360", name);
    assert_string_equal(name, "a.fr.noblood");
    assert_int_equal(ct_data_name_base_length(name), 1);
    ct_source_name_data_name(&parts, NULL, name);
    assert_string_equal(name, "a.fr.noblood.x360");
    expect_refused("f.older/a", "names of resources", "to \"f_older/a.texture\"");
}

static void says_what_to_write_instead(void **state) {
    (void)state;
    expect_refused("a.x360.fr", "alphabetical", "to \"a.fr.x360.texture\"");
    expect_refused("a.fr.fr", "twice", "to \"a.fr.texture\"");
    expect_refused("a.Fr", "properties, between", "to \"a.fr.texture\"");
    expect_refused("a..fr", "properties, between", "to \"a.fr.texture\"");
    expect_refused("a.", "properties, between", "to \"a.texture\"");
    expect_refused("Big Tree.fr", "names of resources", "to \"big_tree.fr.texture\"");
    expect_refused("a.b.c.d.e.f.g.h.i.j", "at most 8", "");
    char path[600] = {0};
    memset(path, 'a', sizeof(path) - 1);
    expect_refused(path, "shorter than 256", "");
}

static uint64_t rank(const ct_preference_order *order, const char *const *properties,
                     uint32_t count) {
    ct_string_id64 ids[4];
    for (uint32_t i = 0; i < count; ++i)
        ids[i] = ct_string_id64_of(properties[i]);
    return ct_preference_rank(order, ids, count);
}
#define RANK(order, ...)                                                                           \
    rank((order), (const char *const[]){__VA_ARGS__},                                              \
         CT_COUNT_OF(((const char *const[]){__VA_ARGS__})))

// The order of the post "Platform Specific Resources".
static void ranks_as_the_post_does(void **state) {
    (void)state;
    const ct_preference_order order = {.properties = {ct_string_id64_of("withkittens"),
                                                      ct_string_id64_of("noblood"),
                                                      ct_string_id64_of("fr")},
                                       .count = 3};
    const uint64_t ranks[] = {
        RANK(&order, "fr", "noblood", "withkittens"),
        RANK(&order, "noblood", "withkittens"),
        RANK(&order, "fr", "withkittens"),
        RANK(&order, "withkittens"),
        RANK(&order, "fr", "noblood"),
        RANK(&order, "noblood"),
        RANK(&order, "fr"),
        ct_preference_rank(&order, NULL, 0),
    };
    for (uint32_t i = 1; i < CT_COUNT_OF(ranks); ++i)
        assert_true(ranks[i - 1] > ranks[i]);
    assert_true(ranks[CT_COUNT_OF(ranks) - 1] > 0);
    assert_int_equal(RANK(&order, "de"), 0);
    assert_int_equal(RANK(&order, "fr", "de"), 0);
}

static void the_last_of_many_preferences_counts(void **state) {
    (void)state;
    ct_preference_order order = {.count = CT_PREFERENCE_MAX_PROPERTIES};
    for (uint32_t i = 0; i < order.count; ++i)
        order.properties[i].value = i + 1;
    const ct_string_id64 last = {CT_PREFERENCE_MAX_PROPERTIES}, first = {1};
    assert_true(ct_preference_rank(&order, &last, 1) > ct_preference_rank(&order, NULL, 0));
    assert_true(ct_preference_rank(&order, &first, 1) > ct_preference_rank(&order, &last, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_names_apart),
        cmocka_unit_test(data_names_leave_the_platform_out),
        cmocka_unit_test(says_what_to_write_instead),
        cmocka_unit_test(ranks_as_the_post_does),
        cmocka_unit_test(the_last_of_many_preferences_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
