#include "project/glsl_directive.h"

#include <stdio.h>
#include <string.h>

#include "support/test_support.h"

// Lists the directives of a text: `line:name`, and in `<>` the path that is included.
static void expect(const char *text, const char *expected) {
    char listed[512] = "";
    const size_t bytes = strlen(text);
    // A block of exactly its size, so that a sanitizer sees reads past the end.
    char *const copy = ct_alloc(test_heap(), bytes + 1);
    memcpy(copy, text, bytes);
    ct_glsl_reader reader = ct_glsl_reader_of(copy, bytes, 5);
    ct_glsl_directive d;
    while (ct_glsl_next_directive(&reader, &d)) {
        const size_t length = strlen(listed);
        const bool is_include = ct_glsl_directive_is(&d, "include");
        uint32_t path_bytes = 0;
        const char *const path = is_include ? ct_glsl_included_path(&d, &path_bytes) : NULL;
        snprintf(listed + length, sizeof(listed) - length, "%u:%s%s%.*s%s|", d.line,
                 is_include                            ? "include"
                 : ct_glsl_directive_is(&d, "version") ? "version"
                                                       : "other",
                 path ? "<" : "", path ? (int)path_bytes : 0, path ? path : "", path ? ">" : "");
    }
    assert_string_equal(listed, expected);
    ct_free(test_heap(), copy);
}

static void finds_directives_at_starts_of_lines(void **state) {
    (void)state;
    expect("", "");
    expect("#version 450\n  #\tinclude \"a.glsl\"\r\nx #include \"no\"\n#define A",
           "5:version|6:include<a.glsl>|8:other|");
    expect("#include\"a\"\n#include <b>\n#includes \"c\"\n#include",
           "5:include<a>|6:include|7:other|8:include|");
}

static void passes_over_comments(void **state) {
    (void)state;
    expect("// /*\n#include \"a\"\n/* x\n#include \"b\"\n*/ // */\n/**/ #include \"c\"\n#include "
           "\"d\"",
           "6:include<a>|11:include<d>|");
    expect("#include \"a\" /*\n#include \"b\"\n*/\n#include \"c\"", "5:include<a>|8:include<c>|");
}

static void refuses_paths_that_are_none(void **state) {
    (void)state;
    expect("#include \"\"\n#include \"a\n#include \"\r\n#include \"a\"b\"",
           "5:include|6:include|7:include|8:include<a>|");
    expect("#", "5:other|");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_directives_at_starts_of_lines),
        cmocka_unit_test(passes_over_comments),
        cmocka_unit_test(refuses_paths_that_are_none),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
