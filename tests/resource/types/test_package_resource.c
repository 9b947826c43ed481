#include "resource/types/package_resource.h"

#include "resource/blob/blob_fixtures.h"

typedef ct_package_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_small_package(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_any_resources_or_none(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_package_validate, b);
    b->resources = (ct_blob_array){0, 0};
    assert_accepted(ct_package_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_resources_without_type_or_name(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_resource_id, b, b->resources, 1)->name.value = 0;
    assert_refused(ct_package_validate, b, "resources[1]: its type or its name is missing");
    ct_blob_writer_free(&w);
}

static void refuses_lists_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->resources.count = 3;
    assert_refused(ct_package_validate, b, "resources: 3 of 16 bytes");
    ct_blob_writer_free(&w);
}

static void lists_every_type_but_itself(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    (void)b;
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    assert_int_equal(ct_package_schema.num_fields, count - 1);
    for (uint32_t i = 0; i < count; ++i)
        assert_true((!ct_schema_find(&ct_package_schema, types[i].name)) ==
                    (strcmp(types[i].name, "package") == 0));
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_any_resources_or_none),
        cmocka_unit_test(refuses_resources_without_type_or_name),
        cmocka_unit_test(refuses_lists_outside_the_blob),
        cmocka_unit_test(lists_every_type_but_itself),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
