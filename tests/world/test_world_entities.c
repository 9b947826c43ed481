#include "world/world_fixture.h"

// A tree: trunk 0, boughs 1 and 2, twigs 3 and 4 on bough 1.
static const template_entity tree[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "trunk", 1, false, false, false, 0},
    {0, {{0, 0, 1}}, "bough", 1, false, false, false, 0},
    {0, {{0, 0, 2}}, "bough", 1, false, false, false, 0},
    {1, {{1, 0, 0}}, "twig", 1, false, false, true, 0},
    {1, {{2, 0, 0}}, "twig", 1, false, true, false, 0},
};

static void ends_what_its_template_made(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity a = spawn_at(&f, "units/tree", 0, 0, 0),
                    b = spawn_at(&f, "units/tree", 9, 0, 0);
    ct_world_destroy_units(f.world, &a, 1);
    assert_int_equal(ct_world_system_num_entities(f.system), 5);
    assert_int_equal(recorded()->num_objects, 5);
    assert_int_equal(recorded()->num_lights, 1);
    assert_int_equal(ct_transform_count(ct_world_transforms(f.world)), 5);
    assert_false(ct_world_has_unit(f.world, a));
    assert_true(ct_world_has_unit(f.world, b));
    uint32_t count;
    const ct_entity *const units = ct_world_units(f.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(units[0].id, b.id);
    ct_world_destroy_units(f.world, &a, 1); // dead already
    assert_int_equal(ct_world_system_num_entities(f.system), 5);
    stop_world(&f);
}

static void ends_the_same_through_the_entity_manager(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity root = spawn_at(&f, "units/tree", 0, 0, 0);
    ct_entity_destroy(ct_world_system_entities(f.system), &root, 1);
    assert_int_equal(ct_world_system_num_entities(f.system), 0);
    assert_int_equal(recorded()->num_objects, 0);
    uint32_t count;
    ct_world_units(f.world, &count);
    assert_int_equal(count, 0);
    stop_world(&f);
}

static void ends_a_branch_and_leaves_the_rest(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity root = spawn_at(&f, "units/tree", 0, 0, 0);
    const ct_entity bough = child_of(f.world, root, 0), other = child_of(f.world, root, 1);
    const ct_entity twig = child_of(f.world, bough, 1);
    ct_entity_destroy(ct_world_system_entities(f.system), &bough, 1);
    assert_int_equal(ct_world_system_num_entities(f.system), 2);
    assert_false(is_alive(&f, twig));
    assert_true(is_alive(&f, other));
    // The trunk has forgotten the bough, also when its index is used anew.
    for (uint32_t i = 0; i < 3000; ++i) {
        const ct_entity e = ct_world_create_entity(f.world);
        ct_entity_destroy(ct_world_system_entities(f.system), &e, 1);
    }
    const ct_entity bystander = ct_world_create_entity(f.world);
    ct_world_destroy_units(f.world, &root, 1);
    assert_false(is_alive(&f, other));
    assert_true(is_alive(&f, bystander));
    assert_int_equal(ct_world_system_num_entities(f.system), 1);
    stop_world(&f);
}

static uint32_t num_heard;

static void hear_of_living(void *user, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        assert_true(ct_entity_is_alive(user, entities[i]));
    num_heard += count;
}

static void ends_a_family_named_in_any_order(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity root = spawn_at(&f, "units/tree", 0, 0, 0);
    const ct_entity bough = child_of(f.world, root, 0), twig = child_of(f.world, bough, 0);
    const ct_entity all[] = {twig, root, bough, twig};
    ct_entity_manager *const entities = ct_world_system_entities(f.system);
    num_heard = 0;
    ct_entity_manager_add_callback(entities, hear_of_living, entities);
    ct_entity_destroy(entities, all, 4);
    assert_int_equal(num_heard, 5); // each once
    assert_int_equal(ct_world_system_num_entities(f.system), 0);
    assert_int_equal(ct_transform_count(ct_world_transforms(f.world)), 0);
    stop_world(&f);
}

static void unlinks_what_was_linked_at_run_time(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity root = spawn_at(&f, "units/tree", 10, 0, 0);
    const ct_entity guest = spawn_at(&f, "units/tree", 0, 5, 0);
    const ct_entity twig = child_of(f.world, child_of(f.world, root, 0), 0);
    assert_true(ct_transform_link(ct_world_transforms(f.world), transform_of(f.world, guest),
                                  transform_of(f.world, twig)));
    assert_world_position(f.world, guest, 11, 5, 1);
    ct_world_destroy_units(f.world, &root, 1);
    assert_true(is_alive(&f, guest));
    assert_world_position(f.world, guest, 11, 5, 1);
    assert_world_position(f.world, child_of(f.world, guest, 0), 11, 5, 2);
    assert_int_equal(ct_world_system_num_entities(f.system), 5);
    stop_world(&f);
}

static void ends_template_children_that_were_linked_elsewhere(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity a = spawn_at(&f, "units/tree", 0, 0, 0),
                    b = spawn_at(&f, "units/tree", 9, 0, 0);
    const ct_entity bough = child_of(f.world, a, 0);
    assert_true(ct_transform_link(ct_world_transforms(f.world), transform_of(f.world, bough),
                                  transform_of(f.world, b)));
    ct_world_destroy_units(f.world, &a, 1);
    assert_false(is_alive(&f, bough));
    assert_int_equal(ct_world_system_num_entities(f.system), 5);
    stop_world(&f);
}

static void ends_components_of_entities_without_world(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_entity e;
    ct_entity_create(ct_world_system_entities(f.system), &e, 1);
    assert_null(ct_world_of(f.system, e));
    ct_mesh_create(ct_world_meshes(f.world), e, 0, &(ct_mesh_data){.mesh = {1}});
    ct_entity_destroy(ct_world_system_entities(f.system), &e, 1);
    assert_int_equal(recorded()->num_objects, 0);
    stop_world(&f);
}

static void knows_no_world_of_the_dead(void **state) {
    (void)state;
    world_fixture f = start_world();
    const ct_entity e = ct_world_create_entity(f.world);
    assert_ptr_equal(ct_world_of(f.system, e), f.world);
    ct_entity_destroy(ct_world_system_entities(f.system), &e, 1);
    assert_null(ct_world_of(f.system, e));
    assert_null(ct_world_of(f.system, (ct_entity){0}));
    assert_null(ct_world_of(f.system, (ct_entity){UINT32_MAX}));
    stop_world(&f);
}

static void takes_no_reused_index_for_the_dead(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    const ct_entity root = spawn_at(&f, "units/tree", 0, 0, 0);
    ct_world_destroy_units(f.world, &root, 1);
    ct_entity_manager *const entities = ct_world_system_entities(f.system);
    ct_entity e = {0};
    while (ct_entity_index(e) != ct_entity_index(root)) {
        ct_entity_create(entities, &e, 1);
        if (ct_entity_index(e) != ct_entity_index(root))
            ct_entity_destroy(entities, &e, 1);
    }
    assert_null(ct_world_of(f.system, e));
    assert_false(ct_world_has_unit(f.world, e));
    const ct_entity next = spawn_at(&f, "units/tree", 0, 0, 0);
    ct_entity_destroy(entities, &e, 1);
    assert_true(ct_world_has_unit(f.world, next));
    assert_int_equal(ct_world_system_num_entities(f.system), 5);
    stop_world(&f);
}

static void keeps_units_and_their_resources_together(void **state) {
    (void)state;
    world_fixture f = start_world();
    const char *names[] = {"units/a", "units/b", "units/c"};
    ct_entity units[3];
    for (uint32_t i = 0; i < 3; ++i) {
        load_unit(&f, names[i], tree, 1);
        units[i] = spawn_at(&f, names[i], 0, 0, 0);
    }
    ct_world_destroy_units(f.world, &units[0], 1);
    for (uint32_t i = 1; i < 3; ++i)
        assert_true(ct_world_unit_resource(f.world, units[i]).value ==
                    ct_string_id64_of(names[i]).value);
    ct_world_destroy_units(f.world, &units[2], 1); // which took the place of the first
    uint32_t count;
    const ct_entity *const rest = ct_world_units(f.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(rest[0].id, units[1].id);
    assert_true(ct_world_unit_resource(f.world, units[1]).value ==
                ct_string_id64_of("units/b").value);
    stop_world(&f);
}

// Random spawns, destructions of roots and branches, and links; what lives is told by a model that
// keeps each tree's five entities.
enum { MOST_TREES = 40 };

typedef struct model_tree {
    ct_entity entities[5]; // in template order; {0}: dead
} model_tree;

static void kill(model_tree *t, uint32_t which) {
    static const uint32_t parents[] = {9, 0, 0, 1, 1};
    t->entities[which].id = 0;
    for (uint32_t i = which + 1; i < 5; ++i) {
        if (parents[i] == which || (parents[i] != 9 && parents[parents[i]] == which))
            t->entities[i].id = 0;
    }
}

static void spawn_tree(world_fixture *f, model_tree *t) {
    t->entities[0] = spawn_at(f, "units/tree", 1, 2, 3);
    t->entities[1] = child_of(f->world, t->entities[0], 0);
    t->entities[2] = child_of(f->world, t->entities[0], 1);
    t->entities[3] = child_of(f->world, t->entities[1], 0);
    t->entities[4] = child_of(f->world, t->entities[1], 1);
}

static uint32_t count_living(const world_fixture *f, const model_tree *trees) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST_TREES * 5; ++i) {
        const ct_entity e = trees[i / 5].entities[i % 5];
        if (e.id) {
            assert_true(is_alive(f, e));
            assert_ptr_equal(ct_world_of(f->system, e), f->world);
            ++count;
        }
    }
    return count;
}

static void behaves_like_a_forest(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/tree", tree, CT_COUNT_OF(tree));
    model_tree trees[MOST_TREES] = {0};
    uint32_t random = 7;
    const uint32_t rounds = test_rounds(5000, 1000000);
    for (uint32_t round = 0; round < rounds; ++round) {
        model_tree *t = &trees[test_random(&random) % MOST_TREES];
        const uint32_t which = test_random(&random) % 5;
        const model_tree *other = &trees[test_random(&random) % MOST_TREES];
        if (!t->entities[0].id) {
            spawn_tree(&f, t);
        } else if (test_random(&random) % 3 == 0 && t->entities[which].id) {
            ct_entity_destroy(ct_world_system_entities(f.system), &t->entities[which], 1);
            kill(t, which);
        } else if (t->entities[which].id && other->entities[0].id) {
            ct_transform_link(ct_world_transforms(f.world),
                              transform_of(f.world, t->entities[which]),
                              transform_of(f.world, other->entities[0]));
        }
        const uint32_t living = count_living(&f, trees);
        assert_int_equal(ct_world_system_num_entities(f.system), living);
        assert_int_equal(ct_transform_count(ct_world_transforms(f.world)), living);
        assert_int_equal(recorded()->num_objects, living);
        ct_world_advance(f.world, 0.01);
        if (recorded()->last_object < RECORDED_MAX_ITEMS - 100)
            continue;
        for (uint32_t i = 0; i < MOST_TREES * 5; ++i) // numbers are not used again
            ct_entity_destroy(ct_world_system_entities(f.system), &trees[i / 5].entities[i % 5], 1);
        memset(trees, 0, sizeof(trees));
        recorded()->last_object = 0;
    }
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_what_its_template_made),
        cmocka_unit_test(ends_the_same_through_the_entity_manager),
        cmocka_unit_test(ends_a_branch_and_leaves_the_rest),
        cmocka_unit_test(ends_a_family_named_in_any_order),
        cmocka_unit_test(unlinks_what_was_linked_at_run_time),
        cmocka_unit_test(ends_template_children_that_were_linked_elsewhere),
        cmocka_unit_test(ends_components_of_entities_without_world),
        cmocka_unit_test(knows_no_world_of_the_dead),
        cmocka_unit_test(takes_no_reused_index_for_the_dead),
        cmocka_unit_test(keeps_units_and_their_resources_together),
        cmocka_unit_test(behaves_like_a_forest),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
