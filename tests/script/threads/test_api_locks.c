// The table of locks: conflicts of scopes, the line, deadlocks, counts.
#include "support/test_support.h"

#include <stdlib.h>
#include <string.h>

#include "script/threads/api_locks.h"

enum { READ = CT_API_LOCK_MODE_READ, WRITE = CT_API_LOCK_MODE_WRITE };
enum { TAKEN = CT_API_LOCK_RESULT_TAKEN, WAITING = CT_API_LOCK_RESULT_WAITING };
enum { DEADLOCK = CT_API_LOCK_RESULT_DEADLOCK, REFUSED = CT_API_LOCK_RESULT_REFUSED };

static const char *const names[] = {"Unit", "World", "PhysicsWorld"};
static const ct_api_scope all = {1, 0, 0}, world = {1, 0, 50}, unit = {1, 7, 50},
                          unit2 = {1, 8, 50}, other_world = {1, 0, 60}, other_unit = {1, 7, 60},
                          other_domain = {2, 0, 0};

static ct_api_locks *t;
static ct_api_lock_owner a, b, c, d;
static char woken[256];
static ct_string_builder error;
static ct_api_lock *lock; // of the last take

static void wake(void *user, ct_api_lock *given) {
    (void)user;
    strcat(woken, given->owner->name);
}

static void begin_owner(ct_api_lock_owner *o, const char *name) {
    *o = (ct_api_lock_owner){0};
    strcpy(o->name, name);
}

static int set_up(void **state) {
    (void)state;
    t = ct_api_locks_create(&(ct_api_locks_desc){
        .allocator = test_heap(), .api_names = names, .num_apis = 3, .wake = wake});
    begin_owner(&a, "a");
    begin_owner(&b, "b");
    begin_owner(&c, "c");
    begin_owner(&d, "d");
    woken[0] = 0;
    ct_string_builder_init(&error, test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_api_locks_give_all(t, &a);
    ct_api_locks_give_all(t, &b);
    ct_api_locks_give_all(t, &c);
    ct_api_locks_give_all(t, &d);
    assert_int_equal(ct_api_locks_count(t), 0);
    ct_api_locks_destroy(t);
    ct_string_builder_free(&error);
    return 0;
}

static int take(ct_api_lock_owner *o, ct_api_scope scope, int mode, const char *place) {
    return (int)ct_api_locks_take(t, o, scope.domain - 1, scope, (ct_api_lock_mode)mode, place,
                                  true, &lock, &error);
}

// What b gets when a has `has`.
static int against(ct_api_scope has, int has_mode, ct_api_scope wants, int wants_mode) {
    assert_int_equal(take(&a, has, has_mode, "x:1"), TAKEN);
    const int result = take(&b, wants, wants_mode, "y:2");
    ct_api_locks_give_all(t, &a);
    ct_api_locks_give_all(t, &b);
    return result;
}

static void conflicts_when_scopes_overlap_and_one_writes(void **state) {
    (void)state;
    const ct_api_scope scopes[] = {all, world, unit};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            assert_int_equal(against(scopes[i], READ, scopes[k], READ), TAKEN);
            assert_int_equal(against(scopes[i], WRITE, scopes[k], READ), WAITING);
            assert_int_equal(against(scopes[i], READ, scopes[k], WRITE), WAITING);
            assert_int_equal(against(scopes[i], WRITE, scopes[k], WRITE), WAITING);
        }
        assert_int_equal(against(scopes[i], WRITE, other_domain, WRITE), TAKEN);
    }
    assert_int_equal(against(unit, WRITE, unit2, WRITE), TAKEN);
    assert_int_equal(against(unit, WRITE, other_unit, WRITE), TAKEN);
    assert_int_equal(against(world, WRITE, other_unit, WRITE), TAKEN);
    assert_int_equal(against(world, WRITE, other_world, WRITE), TAKEN);
}

static void gives_the_line_in_order(void **state) {
    (void)state;
    assert_int_equal(take(&a, unit, WRITE, "x:1"), TAKEN);
    assert_int_equal(take(&b, unit, WRITE, "x:2"), WAITING);
    assert_int_equal(take(&c, unit, READ, "x:3"), WAITING);
    assert_int_equal(take(&d, world, READ, "x:4"), WAITING);
    ct_api_locks_give_all(t, &a);
    assert_string_equal(woken, "b");
    ct_api_locks_give_all(t, &b);
    assert_string_equal(woken, "bcd");
    const ct_api_lock_counts counts = ct_api_locks_counts(t, 0);
    assert_int_equal(counts.num_taken, 4);
    assert_int_equal(counts.num_waited, 3);
}

// Readers that come one after another do not keep a writer out.
static void does_not_starve_writers(void **state) {
    (void)state;
    assert_int_equal(take(&a, unit, READ, "x:1"), TAKEN);
    assert_int_equal(take(&b, unit, WRITE, "x:2"), WAITING);
    assert_int_equal(take(&c, unit, READ, "x:3"), WAITING);
    ct_api_locks_give_all(t, &a);
    assert_string_equal(woken, "b");
}

static void lets_owners_have_more_of_what_they_have(void **state) {
    (void)state;
    assert_int_equal(take(&a, unit, READ, "x:1"), TAKEN);
    assert_int_equal(take(&b, unit, WRITE, "x:2"), WAITING);
    assert_int_equal(take(&a, unit, READ, "x:3"), TAKEN); // though b waits
    assert_int_equal(take(&a, unit, WRITE, "x:4"), TAKEN);
    assert_int_equal(ct_api_locks_give_all(t, &a), 3);
    assert_string_equal(woken, "b");
}

static void finds_a_deadlock_when_it_would_occur(void **state) {
    (void)state;
    assert_int_equal(take(&a, unit, WRITE, "a.lua:1"), TAKEN);
    assert_int_equal(take(&b, other_domain, WRITE, "b.lua:1"), TAKEN);
    assert_int_equal(take(&a, other_domain, READ, "a.lua:2"), WAITING);
    assert_int_equal(take(&b, unit, WRITE, "b.lua:2"), DEADLOCK);
    assert_null(lock);
    assert_string_equal(
        ct_string_builder_text(&error),
        "deadlock: \"b\" (Unit) waits at b.lua:2 to write Unit, which \"a\" has held "
        "since a.lua:1 to write; \"a\" (World) waits at a.lua:2 to read World, which "
        "\"b\" has held since b.lua:1 to write");
    ct_api_locks_give_all(t, &b);
    assert_string_equal(woken, "a");
}

static void finds_a_deadlock_of_two_readers_that_want_to_write(void **state) {
    (void)state;
    assert_int_equal(take(&a, unit, READ, "a.lua:1"), TAKEN);
    assert_int_equal(take(&b, unit, READ, "b.lua:1"), TAKEN);
    assert_int_equal(take(&a, unit, WRITE, "a.lua:2"), WAITING);
    assert_int_equal(take(&b, unit, WRITE, "b.lua:2"), DEADLOCK);
}

static void finds_deadlocks_of_three(void **state) {
    (void)state;
    const ct_api_scope third = {3, 0, 0};
    assert_int_equal(take(&a, unit, WRITE, "a:1"), TAKEN);
    assert_int_equal(take(&b, other_domain, WRITE, "b:1"), TAKEN);
    assert_int_equal(take(&c, third, WRITE, "c:1"), TAKEN);
    assert_int_equal(take(&a, other_domain, WRITE, "a:2"), WAITING);
    assert_int_equal(take(&b, third, WRITE, "b:2"), WAITING);
    assert_int_equal(take(&c, world, READ, "c:2"), DEADLOCK);
    assert_non_null(strstr(ct_string_builder_text(&error), "which \"c\" has held since c:1"));
    assert_int_equal(ct_api_locks_counts(t, 0).num_deadlocks, 1);
}

static void refuses_to_wait_when_it_must_not(void **state) {
    (void)state;
    assert_int_equal(take(&a, unit, WRITE, "x:1"), TAKEN);
    assert_int_equal(
        ct_api_locks_take(t, &b, 0, unit, CT_API_LOCK_MODE_READ, "y:1", false, &lock, &error),
        REFUSED);
    assert_int_equal(ct_api_locks_count(t), 1);
}

// --- A simple model ------------------------------------------------------------------------------

enum { NUM_OWNERS = 12, NUM_STEPS = 20000 };

static bool model_conflict(const ct_api_lock *x, const ct_api_lock *y) {
    const bool same_world = !x->scope.world || !y->scope.world || x->scope.world == y->scope.world;
    const bool same_unit = !x->scope.unit || !y->scope.unit || x->scope.unit == y->scope.unit;
    return x->owner != y->owner && x->scope.domain == y->scope.domain && same_world && same_unit &&
           (x->mode == CT_API_LOCK_MODE_WRITE || y->mode == CT_API_LOCK_MODE_WRITE);
}

// No two held locks conflict, and not all owners wait.
static void check_table(ct_api_lock_owner *owners) {
    uint32_t num_waiting = 0;
    for (uint32_t i = 0; i < NUM_OWNERS; ++i) {
        num_waiting += owners[i].waiting != NULL;
        for (const ct_api_lock *x = owners[i].first; x; x = x->next_of_owner) {
            for (uint32_t k = 0; k < NUM_OWNERS; ++k) {
                for (const ct_api_lock *y = owners[k].first; y; y = y->next_of_owner)
                    assert_false(!x->is_waiting && !y->is_waiting && model_conflict(x, y));
            }
        }
    }
    assert_true(num_waiting < NUM_OWNERS);
}

static void never_gives_what_conflicts_nor_stops(void **state) {
    (void)state;
    ct_api_lock_owner owners[NUM_OWNERS];
    srand(7);
    uint32_t num_deadlocks = 0;
    for (uint32_t i = 0; i < NUM_OWNERS; ++i)
        begin_owner(&owners[i], "o");
    for (uint32_t step = 0; step < NUM_STEPS; ++step) {
        ct_api_lock_owner *const o = &owners[rand() % NUM_OWNERS];
        woken[0] = 0;
        if (o->waiting)
            continue;
        if (rand() % 3 == 0) {
            ct_api_locks_give_all(t, o);
            check_table(owners);
            continue;
        }
        const ct_api_scope scope = {1 + (uint32_t)rand() % 3, (uint32_t)rand() % 3,
                                    50 + (uint32_t)rand() % 2};
        num_deadlocks += take(o, scope, READ + rand() % 2, "x:1") == DEADLOCK;
        ct_string_builder_clear(&error);
        check_table(owners);
    }
    assert_true(num_deadlocks > 10);
    for (uint32_t i = 0; i < NUM_OWNERS; ++i) {
        woken[0] = 0;
        ct_api_locks_give_all(t, &owners[i]);
    }
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(conflicts_when_scopes_overlap_and_one_writes),
        TEST(gives_the_line_in_order),
        TEST(does_not_starve_writers),
        TEST(lets_owners_have_more_of_what_they_have),
        TEST(finds_a_deadlock_when_it_would_occur),
        TEST(finds_a_deadlock_of_two_readers_that_want_to_write),
        TEST(finds_deadlocks_of_three),
        TEST(refuses_to_wait_when_it_must_not),
        TEST(never_gives_what_conflicts_nor_stops),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
