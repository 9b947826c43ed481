// Random histories over two to five replicas that are apart and meet again in any order: all end equal, in files, in
// branches of one file, and on a server of PostgreSQL, which all give the same.
#include "database/database_fixture.h"
#include "database/store/store_fixture.h"

enum { MAX_REPLICAS = 5, NUM_NAMES = 12 };

typedef enum place_kind { PLACE_FILES, PLACE_BRANCHES, PLACE_SERVER, NUM_PLACES } place_kind;

static bool has_server;  // PostgreSQL is installed
static char server[256]; // location of the history's database on the server

// The replicas of a history, each open at branch "r<i>", whose GUID is the same in each kind of place.
typedef struct replicas {
    ct_database *dbs[MAX_REPLICAS];
    uint32_t count;
} replicas;

static void branch_name(uint32_t history, uint32_t i, char name[32]) {
    snprintf(name, 32, "h%u/r%u", history, i);
}

static void make_branch(const char *location, const char *name, uint32_t i) {
    ct_error error = {0};
    ct_database_store *const store = ct_database_store_open(test_heap(), location, true, &error);
    if (!store ||
        !store->functions->create_branch(store, name, database_object(1000 + i), NULL, &error))
        fail_msg("%s", error.message);
    store->functions->close(store);
}

static void open_replicas(replicas *r, place_kind kind, uint32_t history, uint32_t count) {
    r->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        char location[CT_PATH_BYTES], file[64], name[32];
        branch_name(history, i, name);
        snprintf(file, sizeof(file), "h%u_%u_%u.db", history, kind, kind == PLACE_FILES ? i : 0);
        snprintf(location, sizeof(location), "%s",
                 kind == PLACE_SERVER ? server : database_path(file));
        make_branch(location, name, i);
        r->dbs[i] = database_open(location, name);
    }
}

static void close_replicas(replicas *r) {
    for (uint32_t i = 0; i < r->count; ++i)
        ct_database_close(r->dbs[i]);
}

static const char *key_of(uint32_t *random) {
    static const char *const keys[] = {"name", "size", "parts", "next"};
    return keys[test_random(random) % CT_COUNT_OF(keys)];
}

// One random operation that the database takes; most names are used by all replicas.
static void change_something(ct_database *db, uint32_t *random) {
    const ct_guid object = database_object(test_random(random) % NUM_NAMES);
    const ct_guid other = database_object(test_random(random) % NUM_NAMES);
    const uint32_t kind = test_random(random) % 10;
    const char *const key = key_of(random);
    const double number = test_random(random) % 5;
    if (!ct_database_has(db, object)) {
        database_create(db, object);
        return;
    }
    ct_error ignored;
    ct_database_operation op = database_number_operation(object, key, number);
    if (kind == 0) {
        database_destroy(db, object);
    } else if (kind < 3) {
        op.value.kind = CT_DATABASE_NULL;
        ct_database_change(db, &op, &ignored);
    } else if (kind < 6) {
        ct_database_change(db, &op, &ignored);
    } else {
        op.type = kind < 9 ? CT_DATABASE_ADD_TO_SET : CT_DATABASE_REMOVE_FROM_SET;
        op.value = (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = other};
        ct_database_change(db, &op, &ignored); // refused where the key holds a number
    }
}

// Undoes or accepts one decision: then it is settled.
static void settle_something(ct_database *db, uint32_t *random) {
    ct_error error = {0};
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, test_heap());
    ct_database_revert_local(db, NULL, 0);
    ct_database_state_conflicts(ct_database_committed(db), &conflicts);
    if (conflicts.count > 0) {
        const ct_database_conflict c = conflicts.items[test_random(random) % conflicts.count];
        const ct_database_stamp won = c.won.stamp, lost = c.lost.stamp;
        const ct_guid object = c.lost.operation.object;
        char key[16];
        snprintf(key, sizeof(key), "%s", c.lost.operation.key ? c.lost.operation.key : "");
        if (test_random(random) % 2)
            ct_database_accept_conflict(db, &c);
        else
            assert_true(ct_database_undo_conflicts(db, &c, 1, &error));
        database_commit(db);
        conflicts.count = 0;
        ct_database_state_conflicts(ct_database_committed(db), &conflicts);
        for (uint32_t i = 0; i < conflicts.count; ++i) {
            const ct_database_conflict *const left = &conflicts.items[i];
            assert_false(ct_database_stamp_compare(left->won.stamp, won) == 0 &&
                         ct_database_stamp_compare(left->lost.stamp, lost) == 0 &&
                         ct_guid_is_equal(left->lost.operation.object, object) &&
                         left->lost.operation.type == CT_DATABASE_CHANGE_KEY &&
                         strcmp(left->lost.operation.key, key) == 0);
        }
    }
    ct_array_free(&conflicts);
}

static void play(replicas *r, uint32_t *random) {
    for (uint32_t step = 0; step < 60; ++step) {
        ct_database *const db = r->dbs[test_random(random) % r->count];
        const uint32_t kind = test_random(random) % 8;
        database_wall_ns += (test_random(random) % 5) * 1000000; // often the same millisecond
        if (kind == 0) {
            database_merge(db, r->dbs[test_random(random) % r->count]);
        } else if (kind == 1 && test_random(random) % 2) {
            settle_something(db, random);
        } else if (kind == 1) {
            ct_database_revert_local(db, NULL, 0);
        } else {
            for (uint32_t i = test_random(random) % 4; i > 0; --i)
                change_something(db, random);
            if (kind < 6)
                database_commit(db);
        }
    }
}

// All meet: each takes in each other until all have all.
static void meet(replicas *r, uint32_t *random) {
    for (uint32_t i = 0; i < r->count; ++i)
        database_commit(r->dbs[i]);
    for (uint32_t round = 0; round < 2; ++round) {
        const uint32_t first = test_random(random) % r->count;
        for (uint32_t i = 0; i < r->count; ++i)
            for (uint32_t k = 1; k < r->count; ++k)
                database_merge(r->dbs[(first + i) % r->count], r->dbs[(first + i + k) % r->count]);
    }
    for (uint32_t i = 1; i < r->count; ++i)
        database_expect_equal(r->dbs[0], r->dbs[i]);
}

// What is stored gives the same as what was in memory.
static void open_again(replicas *r, place_kind kind, uint32_t history) {
    char *const before = database_dump(r->dbs[0]);
    char location[CT_PATH_BYTES], name[32];
    snprintf(location, sizeof(location), "%s",
             kind == PLACE_SERVER ? server : ct_database_get_store(r->dbs[0])->location);
    branch_name(history, 0, name);
    ct_database_close(r->dbs[0]);
    r->dbs[0] = database_open(location, name);
    char *const after = database_dump(r->dbs[0]);
    assert_string_equal(before, after);
    ct_free(test_heap(), before);
    ct_free(test_heap(), after);
}

static void play_history(uint32_t history) {
    char *dumps[NUM_PLACES] = {0};
    const int64_t start_ns = database_wall_ns;
    for (place_kind kind = 0; kind < NUM_PLACES; ++kind) {
        if (kind == PLACE_SERVER && !has_server)
            continue;
        if (kind == PLACE_SERVER)
            snprintf(server, sizeof(server), "%s", store_new_location());
        uint32_t random = history * 2654435761u + 1;
        database_wall_ns = start_ns;
        replicas r;
        open_replicas(&r, kind, history, 2 + test_random(&random) % (MAX_REPLICAS - 1));
        play(&r, &random);
        if (history % 3 == 0)
            open_again(&r, kind, history);
        play(&r, &random);
        meet(&r, &random);
        open_again(&r, kind, history);
        dumps[kind] = database_dump(r.dbs[0]);
        close_replicas(&r);
        if (strcmp(dumps[0], dumps[kind]) != 0)
            fail_msg("history %u differs in place %u:\n%s\n%s", history, kind, dumps[0],
                     dumps[kind]);
    }
    for (uint32_t i = 0; i < NUM_PLACES; ++i)
        ct_free(test_heap(), dumps[i]);
}

static void histories_end_equal(void **state) {
    (void)state;
    for (uint32_t history = 0; history < test_rounds(12, 1000); ++history)
        play_history(history);
}

static int start(void **state) {
    const int result = test_group_setup(state);
    store_is_server = true;
    has_server = store_server_start();
    return result;
}

static int stop(void **state) {
    if (has_server)
        store_server_stop();
    return test_group_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_end_equal),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
