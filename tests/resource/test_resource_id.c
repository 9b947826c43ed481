#include "resource/resource_id.h"

#include <string.h>

#include "support/test_support.h"

static void names_files_by_both_hashes(void **state) {
    (void)state;
    char name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_file_name((ct_resource_id){{0xabc}, {0x123456789abcdef0}}, name);
    assert_string_equal(name, "0000000000000abc-123456789abcdef0");
    ct_resource_stream_name((ct_resource_id){{0xabc}, {0x123456789abcdef0}}, name);
    assert_string_equal(name, "0000000000000abc-123456789abcdef0.stream");
    const ct_resource_id id = ct_resource_id_of("texture", "textures/rose");
    assert_int_equal(id.type.value, ct_string_id64_of("texture").value);
    assert_int_equal(id.name.value, ct_string_id64_of("textures/rose").value);
}

static void reads_the_names_that_it_writes(void **state) {
    (void)state;
    const ct_resource_id ids[] = {
        {{0}, {0}}, {{0xabc}, {0x123456789abcdef0}}, {{UINT64_MAX}, {UINT64_MAX - 1}}};
    for (uint32_t i = 0; i < CT_COUNT_OF(ids); ++i) {
        for (uint32_t stream = 0; stream < 2; ++stream) {
            char name[CT_RESOURCE_FILE_NAME_BYTES];
            ct_resource_id id = {{7}, {7}};
            bool is_stream = stream == 0;
            (stream ? ct_resource_stream_name : ct_resource_file_name)(ids[i], name);
            assert_true(ct_resource_file_name_read(name, &id, &is_stream));
            assert_true(ct_resource_id_equal(id, ids[i]));
            assert_int_equal(is_stream, stream);
        }
    }
}

// Every start of a name, and every name with one character that does not belong there.
static void reads_no_other_file_names(void **state) {
    (void)state;
    char name[CT_RESOURCE_FILE_NAME_BYTES + 1];
    ct_resource_id id;
    bool is_stream;
    ct_resource_stream_name((ct_resource_id){{0xabc}, {0x123456789abcdef0}}, name);
    const uint32_t length = (uint32_t)strlen(name);
    for (uint32_t i = 0; i < length; ++i) {
        const char kept = name[i];
        name[i] = 0;
        assert_int_equal(ct_resource_file_name_read(name, &id, &is_stream), i == 33);
        for (const char *c = "AFg/:`G \xe4"; *c; ++c) {
            name[i] = *c;
            assert_int_equal(ct_resource_file_name_read(name, &id, &is_stream), *c == kept);
        }
        name[i] = kept;
    }
    name[length] = 's';
    name[length + 1] = 0;
    assert_false(ct_resource_file_name_read(name, &id, &is_stream));
    assert_false(ct_resource_file_name_read("index", &id, &is_stream));
}

static void accepts_canonical_names_only(void **state) {
    (void)state;
    const char *const good[] = {"a", "units/box-2/box_3", "0"};
    const char *const bad[] = {"", "/a", "a/", "a//b", "A", "a b", "a.b", "a\\b", "ä", "a\n"};
    for (uint32_t i = 0; i < CT_COUNT_OF(good); ++i)
        assert_true(ct_resource_name_is_canonical(good[i]));
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i)
        assert_false(ct_resource_name_is_canonical(bad[i]));
}

static void refuses_names_that_are_too_long(void **state) {
    (void)state;
    char name[CT_RESOURCE_NAME_BYTES + 1];
    memset(name, 'a', sizeof(name));
    name[CT_RESOURCE_NAME_BYTES - 1] = 0;
    assert_true(ct_resource_name_is_canonical(name));
    name[CT_RESOURCE_NAME_BYTES - 1] = 'a';
    name[CT_RESOURCE_NAME_BYTES] = 0;
    assert_false(ct_resource_name_is_canonical(name));
}

static void suggests_the_nearest_canonical_name(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"Units\\Box", "units/box"},
        {"/units//box/", "units/box"},
        {"units/box.unit", "units/box"},
        {"./units/my box", "units/my_box"},
        {"textures/Größe", "textures/gr__e"},
        {"", "unnamed"},
        {"///", "unnamed"},
        {"units/.hidden", "units/_hidden"},
        {"units/../w.png", "w"},
        {"units/props/../../b/./c", "b/c"},
        {"units\\\\..\\\\w", "w"},
        {"../out/w.png", "out/w"},
        {"a/../..", "unnamed"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char suggestion[CT_RESOURCE_NAME_BYTES];
        ct_resource_name_suggest(cases[i][0], suggestion);
        assert_string_equal(suggestion, cases[i][1]);
    }
}

static void advises_on_empty_names_and_absolute_paths(void **state) {
    (void)state;
    char text[CT_RESOURCE_ADVICE_BYTES];
    ct_resource_name_advise("", "/home/game", text);
    assert_string_equal(text, "it is empty");
    ct_resource_name_advise("/home/game/x/a.png", "/home/game", text);
    assert_string_equal(text, "write \"x/a\"");
    ct_resource_name_advise("/home/games/x", "/home/game", text);
    assert_string_equal(text, "write \"home/games/x\"");
}

static void says_of_names_that_lead_out_that_they_do(void **state) {
    (void)state;
    char text[CT_RESOURCE_ADVICE_BYTES];
    ct_resource_name_advise("units/../W.png", NULL, text);
    assert_string_equal(text, "write \"w\"");
    const char *const outside[] = {"..", "../w", "units/../../w", "./../w", "a\\..\\..\\w"};
    for (uint32_t i = 0; i < CT_COUNT_OF(outside); ++i) {
        ct_resource_name_advise(outside[i], NULL, text);
        assert_string_equal(text, CT_RESOURCE_LEADS_OUT);
    }
    char name[2 * CT_RESOURCE_NAME_BYTES];
    memset(name, 'a', sizeof(name));
    name[sizeof(name) - 1] = 0;
    ct_resource_name_advise(name, NULL, text); // cut, and whole
    assert_int_equal(strlen(text), CT_RESOURCE_NAME_BYTES - 1 + strlen("write \"\""));
}

static void suggestions_are_always_canonical(void **state) {
    (void)state;
    uint32_t random = 7;
    for (uint32_t round = 0; round < test_rounds(2000, 200000); ++round) {
        char name[400], suggestion[CT_RESOURCE_NAME_BYTES];
        const uint32_t length = test_random(&random) % (sizeof(name) - 1);
        for (uint32_t i = 0; i < length; ++i)
            name[i] = (char)(1 + test_random(&random) % 255);
        name[length] = 0;
        ct_resource_name_suggest(name, suggestion);
        assert_true(ct_resource_name_is_canonical(suggestion));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_files_by_both_hashes),
        cmocka_unit_test(reads_the_names_that_it_writes),
        cmocka_unit_test(reads_no_other_file_names),
        cmocka_unit_test(accepts_canonical_names_only),
        cmocka_unit_test(refuses_names_that_are_too_long),
        cmocka_unit_test(suggests_the_nearest_canonical_name),
        cmocka_unit_test(advises_on_empty_names_and_absolute_paths),
        cmocka_unit_test(says_of_names_that_lead_out_that_they_do),
        cmocka_unit_test(suggestions_are_always_canonical),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
