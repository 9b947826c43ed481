#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "entity/debug_name_component.h"
#include "resource/types/component_resource.h"

typedef struct name_fixture {
    ct_entity_manager *entities;
    ct_debug_name_manager *names;
    ct_entity e[100];
} name_fixture;

static name_fixture start(void) {
    name_fixture f = {.entities = ct_entity_manager_create(test_heap()),
                      .names = ct_debug_name_manager_create(test_heap())};
    ct_entity_create(f.entities, f.e, 100);
    return f;
}

static void stop(name_fixture *f) {
    ct_debug_name_manager_destroy(f->names);
    ct_entity_manager_destroy(f->entities);
}

static void keeps_the_last_name(void **state) {
    (void)state;
    name_fixture f = start();
    assert_null(ct_debug_name(f.names, f.e[0]));
    ct_debug_name_set(f.names, f.e[0], "crate");
    ct_debug_name_set(f.names, f.e[1], "lamp");
    ct_debug_name_set(f.names, f.e[0], "box");
    assert_string_equal(ct_debug_name(f.names, f.e[0]), "box");
    assert_string_equal(ct_debug_name(f.names, f.e[1]), "lamp");
    stop(&f);
}

static void cuts_long_names_at_a_whole_character(void **state) {
    (void)state;
    name_fixture f = start();
    char name[100];
    memset(name, 'a', sizeof(name));
    name[80] = 0;
    ct_debug_name_set(f.names, f.e[0], name);
    assert_int_equal(strlen(ct_debug_name(f.names, f.e[0])), CT_DEBUG_NAME_BYTES - 1);
    memcpy(name + 62, "\xe2\x82\xac", 3); // a euro sign over the edge
    ct_debug_name_set(f.names, f.e[0], name);
    assert_int_equal(strlen(ct_debug_name(f.names, f.e[0])), 62);
    memcpy(name + 60, "\xe2\x82\xac", 3); // one that ends right at it
    name[63] = 'b';
    ct_debug_name_set(f.names, f.e[0], name);
    assert_int_equal(strlen(ct_debug_name(f.names, f.e[0])), 63);
    name[63] = 0; // the longest that is not cut
    ct_debug_name_set(f.names, f.e[0], name);
    assert_string_equal(ct_debug_name(f.names, f.e[0]), name);
    stop(&f);
}

static uint32_t num_named(const name_fixture *f) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 100; ++i)
        count += ct_debug_name(f->names, f->e[i]) != NULL;
    return count;
}

static void collects_the_dead_and_keeps_the_living(void **state) {
    (void)state;
    name_fixture f = start();
    for (uint32_t i = 0; i < 100; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "entity %u", i);
        ct_debug_name_set(f.names, f.e[i], name);
    }
    ct_entity_destroy(f.entities, f.e, 90);
    ct_debug_name_collect_garbage(f.names, f.entities);
    assert_true(num_named(&f) < 40); // mostly dead: it goes on for long
    for (uint32_t i = 0; i < 1000; ++i)
        ct_debug_name_collect_garbage(f.names, f.entities);
    assert_int_equal(num_named(&f), 10);
    assert_string_equal(ct_debug_name(f.names, f.e[95]), "entity 95");
    ct_entity_destroy(f.entities, f.e + 90, 10);
    ct_debug_name_collect_garbage(f.names, f.entities);
    assert_int_equal(num_named(&f), 0);
    ct_debug_name_collect_garbage(f.names, f.entities);
    stop(&f);
}

static void spawns_from_template_data(void **state) {
    (void)state;
    name_fixture f = start();
    const ct_component_manager manager = ct_debug_name_component_manager(f.names);
    assert_int_equal(manager.schema->size_bytes, sizeof(ct_debug_name_data));
    ct_debug_name_data data[2] = {{"door"}, {"lock"}};
    memset(data[1].name, 'x', sizeof(data[1].name)); // not terminated
    const ct_entity owners[] = {f.e[2], f.e[0], f.e[3], f.e[1]};
    const uint32_t ids[] = {1, 2, 1, 2};
    manager.spawn(manager.manager, &(ct_component_spawn){owners, ids, data, NULL, NULL, 2, 2});
    assert_string_equal(ct_debug_name(f.names, f.e[2]), "door");
    assert_string_equal(ct_debug_name(f.names, f.e[3]), "door");
    assert_int_equal(strlen(ct_debug_name(f.names, f.e[1])), CT_DEBUG_NAME_BYTES - 1);
    assert_int_equal(strlen(ct_debug_name(f.names, f.e[0])), CT_DEBUG_NAME_BYTES - 1);
    stop(&f);
}

// Those who get the indices of others get their rows, not their names; one may stand twice.
static void those_who_take_rows_over_have_their_own_names(void **state) {
    (void)state;
    enum { NUM_HEIRS = 80 };
    ct_debug_name_manager *const names = ct_debug_name_manager_create(test_heap());
    const ct_component_manager manager = ct_debug_name_component_manager(names);
    static ct_debug_name_data data[NUM_HEIRS];
    ct_entity owners[NUM_HEIRS];
    for (uint32_t life = 0; life < 6; ++life) {
        const bool is_twice = life == 3;
        for (uint32_t i = 0; i < NUM_HEIRS; ++i) {
            owners[i].id = life << CT_ENTITY_INDEX_BITS | (1 + (i * 7 + life) % NUM_HEIRS);
            snprintf(data[i].name, sizeof(data[i].name), "%u of life %u", i, life);
        }
        if (is_twice)
            owners[5] = owners[70];
        manager.spawn(names, &(ct_component_spawn){.owners = owners,
                                                   .data = data,
                                                   .num_instances = NUM_HEIRS,
                                                   .num_copies = 1});
        for (uint32_t i = 0; i < NUM_HEIRS; ++i) {
            if (is_twice && i == 5)
                continue; // the later name stands
            assert_string_equal(ct_debug_name(names, owners[i]), data[i].name);
            const ct_entity former = {owners[i].id - (1u << CT_ENTITY_INDEX_BITS)};
            assert_true(life == 0 || !ct_debug_name(names, former));
        }
    }
    manager.destroy(names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_last_name),
        cmocka_unit_test(cuts_long_names_at_a_whole_character),
        cmocka_unit_test(collects_the_dead_and_keeps_the_living),
        cmocka_unit_test(spawns_from_template_data),
        cmocka_unit_test(those_who_take_rows_over_have_their_own_names),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
