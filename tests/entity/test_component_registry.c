#include "support/test_support.h"

#include "entity/component_registry.h"

static char order[8];
static uint32_t num_destroyed;

static void note_destruction(void *manager) {
    order[num_destroyed++] = *(const char *)manager;
}

static void finds_managers_by_type(void **state) {
    (void)state;
    ct_component_registry r = {0};
    ct_component_registry_add(&r, &(ct_component_manager){.type_name = "wheel"});
    ct_component_registry_add(&r, &(ct_component_manager){.type_name = "engine"});
    const ct_component_manager *const found =
        ct_component_registry_find(&r, ct_string_id32_of("engine"));
    assert_non_null(found);
    assert_string_equal(found->type_name, "engine");
    assert_null(ct_component_registry_find(&r, ct_string_id32_of("sail")));
}

static void destroys_the_last_first(void **state) {
    (void)state;
    ct_component_registry r = {0};
    char names[] = {'a', 'b', 'c'};
    const char *types[] = {"first", "second", "third"};
    num_destroyed = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_component_manager manager = {
            .type_name = types[i], .manager = &names[i], .destroy = note_destruction};
        ct_component_registry_add(&r, &manager);
    }
    ct_component_registry_destroy_all(&r);
    assert_int_equal(num_destroyed, 3);
    assert_memory_equal(order, "cba", 3);
    assert_int_equal(r.count, 0);
}

typedef struct wheel_manager {
    ct_instance_table table;
} wheel_manager;

static void tells_whether_instances_fit(void **state) {
    (void)state;
    static const ct_soa_array arrays[] = {CT_SINGLE_INSTANCE_TABLE_ARRAYS(wheel_manager, table)};
    wheel_manager owner = {0};
    ct_instance_table_init(&owner.table, test_heap(), &owner, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_SPARSE);
    ct_instance_table_add(&owner.table, (ct_entity){5}, 0);
    const ct_component_manager wheels = {.type_name = "wheel", .instances = &owner.table};
    const ct_component_manager sails = {.type_name = "sail"};
    ct_error error = {0};
    assert_true(ct_component_manager_has_room(&wheels, 16777214, &error));
    assert_false(ct_component_manager_has_room(&wheels, 16777215, &error));
    assert_string_equal(error.message,
                        "no room for 16777215 more components of the type wheel; it has "
                        "1 of at most 16777215");
    assert_true(ct_component_manager_has_room(&sails, UINT64_MAX, &error));
    ct_instance_table_free(&owner.table);
}

static void add_again(void *user) {
    ct_component_registry_add(user, &(ct_component_manager){.type_name = "wheel"});
}

static void dies_of_a_type_twice(void **state) {
    (void)state;
    ct_component_registry r = {0};
    add_again(&r);
    test_expect_death(add_again, &r, "there are two wheel managers");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_managers_by_type),
        cmocka_unit_test(destroys_the_last_first),
        cmocka_unit_test(tells_whether_instances_fit),
        cmocka_unit_test(dies_of_a_type_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
