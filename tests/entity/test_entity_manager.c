#include "support/test_support.h"

#include "entity/entity_manager.h"
#include "foundation/container/array.h"
#include "foundation/error.h"

static void starts_without_entities(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    assert_int_equal(m->num_alive, 0);
    assert_false(ct_entity_is_alive(m, (ct_entity){0}));
    assert_false(ct_entity_is_alive(m, ct_entity_make(1, 1)));
    assert_false(ct_entity_is_alive(m, (ct_entity){UINT32_MAX}));
    ct_entity_manager_destroy(m);
}

static void never_issues_index_0(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e[10];
    ct_entity_create(m, e, 10);
    for (uint32_t i = 0; i < 10; ++i)
        assert_int_not_equal(ct_entity_index(e[i]), 0);
    ct_entity_manager_destroy(m);
}

static void knows_ids_that_are_never_issued(void **state) {
    (void)state;
    const ct_entity sound[] = {ct_entity_make(1, 1), ct_entity_make(1, CT_ENTITY_LAST_GENERATION),
                               ct_entity_make(CT_ENTITY_MAX_INDICES - 1, 1)};
    for (uint32_t i = 0; i < CT_COUNT_OF(sound); ++i)
        assert_true(ct_entity_is_well_formed(sound[i]));
    const ct_entity others[] = {{0},
                                {1},
                                {CT_ENTITY_MAX_INDICES - 1},
                                ct_entity_make(0, 1),
                                ct_entity_make(0, CT_ENTITY_LAST_GENERATION),
                                ct_entity_make(1, CT_ENTITY_LAST_GENERATION + 1),
                                {UINT32_MAX}};
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i)
        assert_false(ct_entity_is_well_formed(others[i]));
}

static void keeps_ids_in_30_bits(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    for (uint32_t i = 0; i < 300 * 2000; ++i) {
        ct_entity e;
        ct_entity_create(m, &e, 1);
        assert_true(e.id < 1u << 30);
        assert_true(ct_entity_is_well_formed(e));
        ct_entity_destroy(m, &e, 1);
    }
    ct_entity_manager_destroy(m);
}

static void refuses_stale_ids(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e;
    ct_entity_create(m, &e, 1);
    assert_true(ct_entity_is_alive(m, e));
    ct_entity_destroy(m, &e, 1);
    assert_false(ct_entity_is_alive(m, e));
    ct_entity_destroy(m, &e, 1);
    assert_int_equal(m->num_alive, 0);
    assert_int_equal(m->free_indices.count, 1);
    ct_entity_manager_destroy(m);
}

static void reuses_an_index_only_after_1024_wait(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity first;
    ct_entity_create(m, &first, 1);
    ct_entity_destroy(m, &first, 1);
    uint32_t made = 0;
    ct_entity e = {0};
    while (ct_entity_index(e) != ct_entity_index(first)) {
        ct_entity_create(m, &e, 1);
        ct_entity_destroy(m, &e, 1);
        ++made;
    }
    assert_int_equal(made, CT_ENTITY_MINIMUM_FREE + 1);
    assert_int_equal(ct_entity_generation(first), 1);
    assert_int_equal(ct_entity_generation(e), 2);
    ct_entity_manager_destroy(m);
}

static void does_not_repeat_an_id_within_255_laps(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity first, e;
    ct_entity_create(m, &first, 1);
    ct_entity_destroy(m, &first, 1);
    for (uint32_t i = 0; i < 255 * CT_ENTITY_MINIMUM_FREE; ++i) {
        ct_entity_create(m, &e, 1);
        assert_int_not_equal(e.id, first.id);
        ct_entity_destroy(m, &e, 1);
    }
    ct_entity_manager_destroy(m);
}

// The id of one that died is nobody's until it is issued again: not that of the one that waits.
static void an_id_that_waits_is_not_alive(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity first, e = {0};
    ct_entity_create(m, &first, 1);
    ct_entity_destroy(m, &first, 1);
    uint32_t num_had = 1, num_made = 0; // others of the index
    for (; e.id != first.id && num_made < 1000000; ++num_made) {
        assert_false(ct_entity_is_alive(m, first));
        ct_entity_destroy(m, &first, 1); // nothing
        ct_entity_create(m, &e, 1);
        num_had += ct_entity_index(e) == ct_entity_index(first);
        if (e.id != first.id)
            ct_entity_destroy(m, &e, 1);
    }
    assert_int_equal(num_had, CT_ENTITY_LAST_GENERATION + 1);
    assert_true(num_made >= 255 * CT_ENTITY_MINIMUM_FREE);
    assert_int_equal(m->num_alive, 1);
    assert_int_equal(m->free_indices.count, CT_ENTITY_MINIMUM_FREE);
    for (uint32_t high = 0; high < 1024;
         ++high) { // no other with this index is, not even a forged one
        const ct_entity other = {high << CT_ENTITY_INDEX_BITS | ct_entity_index(first)};
        assert_int_equal(ct_entity_is_alive(m, other), other.id == first.id);
    }
    ct_entity_manager_destroy(m);
}

// An id of long ago, of the generation that comes next, beside the one that lives.
static void passes_over_an_id_of_the_last_lap(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e;
    ct_entity_create(m, &e, 1);
    const ct_entity old = {e.id + (1u << CT_ENTITY_INDEX_BITS)};
    ct_entity_destroy(m, (ct_entity[]){e, old, e, old}, 4);
    assert_int_equal(m->num_alive, 0);
    assert_int_equal(m->free_indices.count, 1);
    assert_int_equal(ct_entity_with_index(m, ct_entity_index(e)).id, 0);
    ct_entity_manager_destroy(m);
}

static void ends_an_entity_named_twice_once(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e[3];
    ct_entity_create(m, e, 2);
    e[2] = e[0];
    ct_entity_destroy(m, e, 3);
    assert_int_equal(m->num_alive, 0);
    assert_int_equal(m->free_indices.count, 2);
    ct_entity_manager_destroy(m);
}

// What a callback heard.
typedef struct death_list {
    ct_entity_manager *m;
    ct_entity entities[8];
    uint32_t count;
    uint32_t calls;
    ct_entity also; // what the callback destroys itself
} death_list;

static void hear_deaths(void *user, const ct_entity *entities, uint32_t count) {
    death_list *const list = user;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(ct_entity_is_alive(list->m, entities[i]));
        list->entities[list->count++] = entities[i];
    }
    ++list->calls;
    const ct_entity also = list->also;
    list->also.id = 0;
    if (also.id)
        ct_entity_destroy(list->m, &also, 1);
}

static void tells_of_deaths_while_they_live_and_once(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e[4];
    ct_entity_create(m, e, 4);
    ct_entity_destroy(m, &e[1], 1);
    death_list list = {.m = m};
    ct_entity_manager_add_callback(m, hear_deaths, &list);
    const ct_entity dying[] = {e[0], e[1], {0}, e[2], e[0]};
    ct_entity_destroy(m, dying, 5);
    assert_int_equal(list.calls, 1);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.entities[0].id, e[0].id);
    assert_int_equal(list.entities[1].id, e[2].id);
    ct_entity_destroy(m, dying, 5);
    assert_int_equal(list.calls, 1);
    ct_entity_manager_destroy(m);
}

static void tells_no_longer_who_left(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e;
    ct_entity_create(m, &e, 1);
    death_list gone = {.m = m}, stays = {.m = m};
    ct_entity_manager_add_callback(m, hear_deaths, &gone);
    ct_entity_manager_add_callback(m, hear_deaths, &stays);
    ct_entity_manager_remove_callback(m, hear_deaths, &gone);
    ct_entity_destroy(m, &e, 1);
    assert_int_equal(gone.calls, 0);
    assert_int_equal(stays.calls, 1);
    ct_entity_manager_destroy(m);
}

static void lets_a_callback_destroy_more(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    ct_entity e[3];
    ct_entity_create(m, e, 3);
    // e[1] is in the outer list too: it may end only once.
    death_list list = {.m = m, .also = e[1]};
    ct_entity_manager_add_callback(m, hear_deaths, &list);
    ct_entity_destroy(m, e, 2);
    assert_int_equal(m->num_alive, 1);
    assert_int_equal(m->free_indices.count, 2);
    assert_true(ct_entity_is_alive(m, e[2]));
    ct_entity_manager_destroy(m);
}

// A plain model: every id ever made, in order, with whether it lives.
static void behaves_like_a_set(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    const uint32_t rounds = test_rounds(100000, 5000000);
    CT_ARRAY(ct_entity) living;
    CT_ARRAY(ct_entity) dead;
    ct_array_init(&living, test_heap());
    ct_array_init(&dead, test_heap());
    uint32_t random = 42;
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint32_t count = 1 + test_random(&random) % 3;
        if (test_random(&random) % 2 || living.count < count) {
            ct_entity made[3];
            ct_entity_create(m, made, count);
            ct_array_push_many(&living, made, count);
        } else {
            ct_entity dying[3];
            for (uint32_t i = 0; i < count; ++i) {
                const uint32_t k = test_random(&random) % living.count;
                dying[i] = living.items[k];
                ct_array_swap_erase(&living, k);
            }
            ct_array_push_many(&dead, dying, count);
            ct_entity_destroy(m, dying, count);
        }
        assert_int_equal(m->num_alive, living.count);
        const uint32_t k = test_random(&random);
        if (living.count)
            assert_true(ct_entity_is_alive(m, living.items[k % living.count]));
        // Ids may come back after 255 * 1,024 deaths; those that died lately may not.
        const uint32_t lately = dead.count < 200000 ? dead.count : 200000;
        if (lately)
            assert_false(ct_entity_is_alive(m, dead.items[dead.count - 1 - k % lately]));
    }
    ct_array_free(&living);
    ct_array_free(&dead);
    ct_entity_manager_destroy(m);
}

static void tells_when_there_is_no_room(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    const uint32_t most = (1u << CT_ENTITY_INDEX_BITS) - CT_ENTITY_MINIMUM_FREE - 1;
    ct_entity *const all = CT_NEW_ARRAY(test_heap(), ct_entity, most);
    ct_error error = {0};
    assert_true(ct_entity_has_room(m, most, &error));
    assert_false(ct_entity_has_room(m, UINT64_MAX, NULL));
    ct_entity_create(m, all, most);
    assert_false(ct_entity_has_room(m, 1, &error));
    assert_string_equal(error.message, "no room for 1 more entities, 4193279 of 4193279 live");
    for (uint32_t lap = 0; lap < 3; ++lap) { // the last that wait are not taken, and all fit again
        ct_entity_destroy(m, all, 5000);
        assert_true(ct_entity_has_room(m, 5000, &error));
        ct_entity_create(m, all, 5000);
        assert_true(ct_entity_is_alive(m, all[4999]));
        assert_false(ct_entity_has_room(m, 1, &error));
    }
    ct_free(test_heap(), all);
    ct_entity_manager_destroy(m);
}

static void make_5_million(void *user) {
    ct_entity_manager *const m = user;
    ct_entity e[1000];
    for (uint32_t i = 0; i < 5000; ++i)
        ct_entity_create(m, e, 1000);
}

static void reports_when_indices_run_out(void **state) {
    (void)state;
    ct_entity_manager *const m = ct_entity_manager_create(test_heap());
    test_expect_death(make_5_million, m, "entities are alive, 1000 do not fit");
    ct_entity_manager_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_without_entities),
        cmocka_unit_test(never_issues_index_0),
        cmocka_unit_test(knows_ids_that_are_never_issued),
        cmocka_unit_test(keeps_ids_in_30_bits),
        cmocka_unit_test(refuses_stale_ids),
        cmocka_unit_test(reuses_an_index_only_after_1024_wait),
        cmocka_unit_test(does_not_repeat_an_id_within_255_laps),
        cmocka_unit_test(an_id_that_waits_is_not_alive),
        cmocka_unit_test(passes_over_an_id_of_the_last_lap),
        cmocka_unit_test(ends_an_entity_named_twice_once),
        cmocka_unit_test(tells_of_deaths_while_they_live_and_once),
        cmocka_unit_test(tells_no_longer_who_left),
        cmocka_unit_test(lets_a_callback_destroy_more),
        cmocka_unit_test(behaves_like_a_set),
        cmocka_unit_test(tells_when_there_is_no_room),
        cmocka_unit_test(reports_when_indices_run_out),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
