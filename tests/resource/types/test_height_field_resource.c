#include "resource/types/height_field_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_height_field_resource resource;

// Makes the blob of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_height_field(w);
    assert_accepted(ct_height_field_validate, w->bytes.items);
    return (resource *)(void *)w->bytes.items;
}

static void refuses_grids_that_are_no_grids(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const h = make(&w);
    h->columns = 1;
    assert_refused(ct_height_field_validate, h, "found 1 columns and 2 rows, expected 2 to 4097");
    h->columns = 65536, h->rows = 65536; // whose product is 0
    assert_refused(ct_height_field_validate, h, "found 65536 columns and 65536 rows");
    h->columns = 3, h->rows = 3;
    assert_refused(ct_height_field_validate, h, "heights: found 6, expected 3 times 3");
    ct_blob_writer_free(&w);
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const h = make(&w);
    h->spacing[1] = 0;
    assert_refused(ct_height_field_validate, h, "spacing: found 0, expected a positive number");
    h->spacing[1] = INFINITY;
    assert_refused(ct_height_field_validate, h, "spacing: found inf, expected a positive number");
    h->spacing[1] = 1;
    *ITEM(float, h, h->heights, 4) = NAN;
    assert_refused(ct_height_field_validate, h, "heights[4]: found nan, expected 0 to 5");
    *ITEM(float, h, h->heights, 4) = 6;
    assert_refused(ct_height_field_validate, h, "heights[4]: found 6, expected 0 to 5");
    h->most = INFINITY;
    assert_refused(ct_height_field_validate, h, "found heights from 0 to inf");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_grids_that_are_no_grids),
        cmocka_unit_test(refuses_numbers_out_of_range),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
