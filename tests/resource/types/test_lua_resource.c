#include "resource/types/lua_resource.h"

#include "resource/blob/blob_fixtures.h"

typedef ct_lua_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_lua(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_a_script(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_lua_validate, b);
    assert_string_equal(ct_blob_at(b, b->text.offset), "print('hello')");
    ct_blob_writer_free(&w);
}

static void refuses_text_without_end(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    --b->text.bytes;
    assert_refused(ct_lua_validate, b, "text: text of 13 bytes");
    b->text.bytes = UINT32_MAX;
    assert_refused(ct_lua_validate, b, "text: text of 4294967295 bytes");
    b->path.offset = 0;
    assert_refused(ct_lua_validate, b, "path: text of 8 bytes at offset 0");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_script),
        cmocka_unit_test(refuses_text_without_end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
