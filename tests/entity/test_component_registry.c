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
    const ct_component_manager *found = ct_component_registry_find(&r, ct_string_id32_of("engine"));
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
        cmocka_unit_test(dies_of_a_type_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
