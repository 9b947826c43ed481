#include "resource/types/component/actor_data.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

typedef struct instance {
    ct_actor_data head;
    ct_actor_shape_data shapes[2];
} instance;

static instance good_actor(void) {
    instance actor;
    ct_schema_defaults(&ct_actor_head_schema, &actor.head);
    actor.head.num_shapes = 2;
    ct_schema_defaults(&ct_actor_shape_schema, &actor.shapes[0]);
    ct_schema_defaults(&ct_actor_shape_schema, &actor.shapes[1]);
    return actor;
}

static void expect_refused(const instance *actor, uint32_t bytes, const char *message) {
    ct_error error = {0};
    assert_false(ct_actor_check(actor, bytes, &error));
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
}

static void accepts_what_the_compiler_writes(void **state) {
    (void)state;
    const instance actor = good_actor();
    ct_error error = {0};
    if (!ct_actor_check(&actor, sizeof(actor), &error))
        fail_msg("%s", error.message);
}

static void refuses_what_is_out_of_range(void **state) {
    (void)state;
    instance actor = good_actor();
    expect_refused(&actor, 16, "does not fit");
    expect_refused(&actor, sizeof(actor) - 8, "2 shapes do not take");
    actor.head.num_shapes = UINT32_MAX;
    expect_refused(&actor, sizeof(actor), "shapes, expected at most 64");
    actor = good_actor();
    actor.head.mass = -1;
    expect_refused(&actor, sizeof(actor), "actor.mass");
    actor = good_actor();
    actor.head.lock_position[0] = 'q';
    expect_refused(&actor, sizeof(actor), "found \"q\"");
    actor = good_actor();
    memset(actor.head.lock_rotation, 'x', sizeof(actor.head.lock_rotation));
    expect_refused(&actor, sizeof(actor), "lock_rotation");
    actor = good_actor();
    actor.head.given = CT_ACTOR_GIVEN_MASK + 1u;
    expect_refused(&actor, sizeof(actor), "actor.given: found 40000, expected bits of 3ffff only");
    actor = good_actor();
    actor.shapes[1].type = CT_ACTOR_SHAPE_COUNT;
    expect_refused(&actor, sizeof(actor), "shape.type");
    actor = good_actor();
    actor.shapes[1].half_size[2] = NAN;
    expect_refused(&actor, sizeof(actor), "shape.half_size");
    actor = good_actor();
    actor.shapes[0].type = CT_ACTOR_SHAPE_MESH;
    expect_refused(&actor, sizeof(actor), "needs `mesh`");
}

static void refuses_triggers_that_are_out_of_range(void **state) {
    (void)state;
    struct {
        ct_trigger_data head;
        ct_actor_shape_data shape;
    } trigger;
    ct_error error = {0};
    ct_schema_defaults(&ct_trigger_head_schema, &trigger.head);
    ct_schema_defaults(&ct_actor_shape_schema, &trigger.shape);
    trigger.head.num_shapes = 1;
    assert_true(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_false(ct_trigger_check(&trigger, 8, &error));
    assert_non_null(strstr(error.message, "a trigger does not fit into 8 bytes"));
    assert_false(ct_trigger_check(&trigger, sizeof(trigger.head), &error));
    assert_non_null(strstr(error.message, "1 shapes do not take 0 bytes"));
    trigger.head.is_enabled = 2;
    assert_false(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_non_null(strstr(error.message, "trigger.is_enabled"));
}

static void refuses_tags_of_triggers_that_are_invalid(void **state) {
    (void)state;
    struct {
        ct_trigger_data head;
        ct_actor_shape_data shape;
        ct_string_id32 tags[4];
    } trigger = {.tags = {{7}, {8}, {9}}};
    ct_error error = {0};
    ct_schema_defaults(&ct_trigger_head_schema, &trigger.head);
    ct_schema_defaults(&ct_actor_shape_schema, &trigger.shape);
    trigger.head.num_shapes = 1, trigger.head.num_tags = 3;
    assert_true(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_int_equal(ct_trigger_tags(&trigger.head)[2].value, 9);
    assert_false(ct_trigger_check(&trigger, sizeof(trigger) - 8, &error));
    assert_non_null(strstr(error.message, "1 shapes do not take 56 bytes"));
    trigger.tags[2].value = 7;
    assert_false(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_non_null(strstr(error.message, "tag 2 is listed twice"));
    trigger.tags[1].value = 0;
    assert_false(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_non_null(strstr(error.message, "tag 1 is invalid: its id is 0"));
    trigger.head.num_tags = UINT32_MAX;
    assert_false(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_non_null(strstr(error.message, "4294967295 tags do not fit into"));
    trigger.head.num_tags = 16;
    assert_false(ct_trigger_check(&trigger, sizeof(trigger), &error));
    assert_false(ct_trigger_check(&trigger, sizeof(trigger.head), &error));
    assert_non_null(strstr(error.message, "16 tags do not fit into 24 bytes"));
}

static void members_of_the_actor_go_over_those_of_its_template(void **state) {
    (void)state;
    ct_actor_data base, top, out;
    ct_schema_defaults(&ct_actor_head_schema, &base);
    ct_schema_defaults(&ct_actor_head_schema, &top);
    base.name = (ct_string_id32){7};
    base.mass = 3;
    base.body = CT_ACTOR_DYNAMIC;
    base.linear_damping = 0.5f; // not given
    base.given = 1u << 0 | 1u << 3 | 1u << 6;
    top.mass = 9;
    top.given = 1u << 6;
    ct_actor_data_combine(&base, &top, &out);
    assert_int_equal(out.name.value, top.name.value);
    assert_int_equal(out.body, CT_ACTOR_DYNAMIC);
    assert_float_equal(out.mass, 9, 0);
    assert_float_equal(out.linear_damping, 0, 0);
    ct_actor_data_combine(NULL, &top, &out);
    assert_int_equal(out.body, CT_ACTOR_STATIC);
    assert_float_equal(out.mass, 9, 0);
    assert_int_equal(out.has_gravity, 1);
}

static void bits_of_given_are_the_order_of_the_schema(void **state) {
    (void)state;
    for (uint32_t i = 0; i < ct_actor_head_schema.num_fields; ++i) {
        const ct_field *const field = &ct_actor_head_schema.fields[i];
        assert_int_equal(CT_ACTOR_GIVEN_MASK >> i & 1, ct_field_is_in_source(field));
        assert_ptr_equal(field, &ct_actor_schema.fields[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_the_compiler_writes),
        cmocka_unit_test(refuses_what_is_out_of_range),
        cmocka_unit_test(refuses_triggers_that_are_out_of_range),
        cmocka_unit_test(refuses_tags_of_triggers_that_are_invalid),
        cmocka_unit_test(members_of_the_actor_go_over_those_of_its_template),
        cmocka_unit_test(bits_of_given_are_the_order_of_the_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
