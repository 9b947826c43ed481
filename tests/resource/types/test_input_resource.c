#include "resource/blob/blob_fixtures.h"

#include <math.h>

#include "resource/types/input_resource.h"

static ct_blob_writer blob;

static ct_input_resource *fresh(void) {
    write_input(&blob);
    return (ct_input_resource *)(void *)blob.bytes.items;
}

static void refuse(const char *text) {
    assert_refused(ct_input_validate, blob.bytes.items, text);
    ct_blob_writer_free(&blob);
}

static void accepts_what_is_right(void **state) {
    (void)state;
    assert_accepted(ct_input_validate, fresh());
    ct_blob_writer_free(&blob);
}

static void refuses_places_outside(void **state) {
    (void)state;
    fresh()->sets.offset = 0xfffff0;
    refuse("sets");
    fresh()->actions.count = 0xffffff;
    refuse("actions");
    fresh()->bindings.count = 0xffffff;
    refuse("bindings");
    fresh()->gamepad_mappings.offset = 0xfffff0;
    refuse("gamepad_mappings");
    fresh()->sets = (ct_blob_array){0, 0};
    refuse("sets: found 0");
}

static void refuses_wrong_actions(void **state) {
    (void)state;
    ct_input_resource *r = fresh();
    ITEM(ct_input_action, r, r->actions, 1)->kind = 7;
    refuse("actions[1]: unknown kind 7");
    r = fresh();
    ITEM(ct_input_action, r, r->actions, 1)->set = 2;
    refuse("actions[1]: unknown kind 0 or set 2");
    r = fresh();
    ITEM(ct_input_action, r, r->actions, 1)->num_bindings = 100;
    refuse("actions[1]: found bindings");
    r = fresh();
    ITEM(ct_input_action, r, r->actions, 0)->first_binding = 5;
    refuse("does not fit");
    r = fresh();
    ++ITEM(ct_input_action, r, r->actions, 1)->id.value;
    refuse("actions[1]: its id does not match its name");
}

static void refuses_wrong_bindings(void **state) {
    (void)state;
    ct_input_resource *r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 0)->scale = NAN;
    refuse("bindings[0]: found scale");
    r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 0)->response = 0;
    refuse("bindings[0]: found scale");
    r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 2)->controls[0].number = 5000;
    refuse("bindings[2]: controls[0]");
    r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 2)->controls[0].device = 9;
    refuse("bindings[2]: controls[0]");
    r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 2)->controls[3].part = CT_INPUT_PART_BUTTON;
    refuse("bindings[2]: controls[3]");
    r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 2)->kind = 9;
    refuse("bindings[2]: unknown kind 9");
    r = fresh();
    ITEM(ct_input_binding, r, r->bindings, 2)->flags = 64;
    refuse("bindings[2]: unknown flags 64");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_is_right),
        cmocka_unit_test(refuses_places_outside),
        cmocka_unit_test(refuses_wrong_actions),
        cmocka_unit_test(refuses_wrong_bindings),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
