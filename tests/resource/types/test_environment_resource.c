#include "resource/types/environment_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_environment_resource resource;

// Makes the blob of a sound resource of two values, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_environment(w);
    assert_accepted(ct_environment_validate, w->bytes.items);
    return (resource *)(void *)w->bytes.items;
}

static void refuses_values_out_of_range(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const e = make(&w);
    ct_environment_value *const second = ITEM(ct_environment_value, e, e->values, 1);
    second->value[3] = NAN;
    assert_refused(ct_environment_validate, e, "values[1]: number 3 is not finite");
    second->value[3] = INFINITY;
    assert_refused(ct_environment_validate, e, "values[1]: number 3 is not finite");
    second->value[3] = 0;
    const uint32_t type = second->type;
    second->type = CT_RENDER_SETTING_TYPE_NONE;
    assert_refused(ct_environment_validate, e, "values[1]: unknown type 0");
    second->type = CT_RENDER_SETTING_TYPE_COUNT;
    assert_refused(ct_environment_validate, e, "values[1]: unknown type 9");
    second->type = type;
    assert_accepted(ct_environment_validate, e);
    ct_blob_writer_free(&w);
}

static void refuses_names_out_of_order(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const e = make(&w);
    ct_environment_value *const values = ITEM(ct_environment_value, e, e->values, 0);
    values[1].name = values[0].name;
    assert_refused(ct_environment_validate, e, "values[1]: its name is not above the one before");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_values_out_of_range),
        cmocka_unit_test(refuses_names_out_of_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
