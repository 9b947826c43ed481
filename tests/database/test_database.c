// An open database: local changes over what is committed, merges, conflicts, history, blobs.
#include "database/database_fixture.h"

#include "foundation/os/file.h"
#include "foundation/os/os.h"

static const ct_guid root;

// --- Local changes ---------------------------------------------------------------------------------

static void local_changes_lie_on_top(void **state) {
    (void)state;
    ct_database *const db = database_open(database_path("local.db"), NULL);
    const ct_guid lamp = database_object(1), door = database_object(2);
    database_create(db, lamp);
    database_set_number(db, lamp, "height", 2);
    database_set_text(db, lamp, "name", "lamp");
    assert_true(ct_database_has(db, lamp));
    assert_false(ct_database_state_has(ct_database_committed(db), lamp));
    database_commit(db);
    assert_true(ct_database_state_has(ct_database_committed(db), lamp));
    assert_int_equal(ct_database_local(db)->list.count, 0);

    database_set_number(db, lamp, "height", 3);
    database_set_number(db, lamp, "height", 4); // takes the place of the one before
    assert_int_equal(ct_database_local(db)->list.count, 1);
    assert_true(database_number(db, lamp, "height") == 4);
    assert_true(ct_database_state_get(ct_database_committed(db), lamp, "height", 6).number == 2);

    database_add(db, root, "things", lamp);
    database_create(db, door);
    database_add(db, root, "things", door);
    assert_int_equal(ct_database_get(db, root, "things").set.count, 2);
    database_remove(db, root, "things", lamp);
    const ct_database_value things = ct_database_get(db, root, "things");
    assert_int_equal(things.set.count, 1);
    assert_true(ct_guid_is_equal(things.set.items[0], door));
    database_destroy(db, door); // only ever was local
    assert_false(ct_database_has(db, door));

    ct_database_revert_local(db, NULL, 0);
    assert_true(database_number(db, lamp, "height") == 2);
    assert_int_equal(ct_database_get(db, root, "things").kind, CT_DATABASE_NULL);

    database_destroy(db, lamp);
    assert_int_equal(ct_database_get(db, lamp, "height").kind, CT_DATABASE_NULL);
    database_create(db, lamp);
    assert_int_equal(ct_database_get(db, lamp, "height").kind, CT_DATABASE_NULL);
    database_set_number(db, lamp, "width", 1);
    database_commit(db);
    assert_int_equal(ct_database_get(db, lamp, "height").kind, CT_DATABASE_NULL);
    assert_true(database_number(db, lamp, "width") == 1);
    ct_database_close(db);
}

// All keys and objects that a walk gives, counted.
static uint32_t num_keys(const ct_database *db, ct_guid object) {
    uint32_t place = 0, length, count = 0;
    const char *key;
    while (ct_database_next_key(db, object, &place, &key, &length))
        ++count;
    return count;
}

static uint32_t num_walked(const ct_database *db) {
    uint32_t place = 0, count = 0;
    ct_guid object;
    while (ct_database_next_object(db, &place, &object))
        ++count;
    return count;
}

static void walks_see_each_once(void **state) {
    (void)state;
    ct_database *const db = database_open(database_path("walks.db"), NULL);
    for (uint32_t i = 0; i < 10; ++i) {
        database_create(db, database_object(i));
        database_set_number(db, database_object(i), "a", i);
        database_set_number(db, database_object(i), "b", i);
    }
    const uint32_t before = num_walked(db);
    database_commit(db);
    assert_int_equal(num_walked(db), before);
    assert_int_equal(ct_database_num_objects(db), before);
    database_set_number(db, database_object(3), "b", 7);
    database_set_number(db, database_object(3), "c", 8);
    assert_int_equal(num_keys(db, database_object(3)), 3);
    database_destroy(db, database_object(4));
    database_create(db, database_object(20));
    assert_int_equal(num_walked(db), before);
    assert_int_equal(ct_database_num_objects(db), before);
    assert_int_equal(num_keys(db, database_object(4)), 0);
    ct_database_close(db);
}

static void a_part_is_committed(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *const db = database_open(database_path("part.db"), NULL);
    database_create(db, database_object(1));
    database_set_number(db, database_object(1), "a", 1);
    database_set_number(db, root, "b", 2);
    // The object is not there yet.
    assert_false(ct_database_commit_local(db, &(uint32_t){1}, 1, NULL, &error));
    assert_non_null(
        strstr(error.message, "whose create (local change 0) is not among those to commit"));
    assert_false(ct_database_commit_local(db, &(uint32_t){3}, 1, NULL, &error));
    assert_string_equal(error.message, "there is no local change 3; there are 3, from 0");
    assert_true(ct_database_commit_local(db, &(uint32_t){2}, 1, NULL, &error));
    assert_int_equal(ct_database_local(db)->list.count, 2);
    assert_true(ct_database_state_get(ct_database_committed(db), root, "b", 1).number == 2);
    assert_true(ct_database_commit_local(db, (uint32_t[]){0, 1}, 2, NULL, &error));
    assert_true(
        ct_database_state_get(ct_database_committed(db), database_object(1), "a", 1).number == 1);
    assert_int_equal(database_num_conflicts(db), 0);
    ct_database_close(db);
}

static void local_changes_are_kept(void **state) {
    (void)state;
    ct_database *db = database_open(database_path("kept.db"), NULL);
    database_set_number(db, root, "a", 1);
    ct_database_close(db);
    db = database_open(database_path("kept.db"), NULL);
    assert_int_equal(ct_database_local(db)->list.count, 1);
    assert_true(database_number(db, root, "a") == 1);
    database_commit(db);
    ct_database_close(db);
    db = database_open(database_path("kept.db"), NULL);
    assert_int_equal(ct_database_local(db)->list.count, 0);
    assert_true(database_number(db, root, "a") == 1);
    database_set_number(db, root, "a", 2);
    ct_database_leave_local(db);
    ct_database_close(db);
    db = database_open(database_path("kept.db"), NULL);
    assert_true(database_number(db, root, "a") == 1);
    ct_database_close(db);
}

static void wrong_operations_say_why(void **state) {
    (void)state;
    static char long_key[CT_DATABASE_MAX_KEY_BYTES + 2];
    memset(long_key, 'k', sizeof(long_key) - 1);
    ct_database *const db = database_open(database_path("wrong.db"), NULL);
    const ct_guid object = database_object(1);
    database_set_number(db, root, "number", 1);
    ct_database_operation ops[] = {
        {.type = CT_DATABASE_CREATE, .object = root},
        {.type = CT_DATABASE_DESTROY, .object = root},
        {.type = CT_DATABASE_DESTROY, .object = object},
        database_number_operation(object, "a", 1),
        database_number_operation(root, "", 1),
        database_number_operation(root, long_key, 1),
        database_number_operation(root, "set", 1),
        database_number_operation(root, "number", 1),
        database_number_operation(root, "blob", 1),
    };
    ops[6].type = CT_DATABASE_ADD_TO_SET; // of a number
    ops[7].type = CT_DATABASE_ADD_TO_SET;
    ops[7].value = (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = object};
    ops[8].value = (ct_database_value){.kind = CT_DATABASE_BLOB, .blob = {.size_bytes = 3}};
    static const char *const reasons[] = {
        "exists already",
        "cannot be destroyed",
        "there is no object",
        "there is no object",
        "key",
        "key",
        "an element is a reference",
        "expected a set",
        "no such blob",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(ops); ++i) {
        ct_error error = {0};
        assert_false(ct_database_change(db, &ops[i], &error));
        if (!strstr(error.message, reasons[i]))
            fail_msg("%u: %s", i, error.message);
    }
    assert_int_equal(ct_database_local(db)->list.count, 1);
    ct_database_close(db);
}

// --- Others ----------------------------------------------------------------------------------------

// Two databases that share object 1 with "a" = 0.
static void open_two(const char *name, ct_database *out[2]) {
    char path[2][CT_PATH_BYTES];
    for (uint32_t i = 0; i < 2; ++i) {
        char file[64];
        snprintf(file, sizeof(file), "%s_%u.db", name, i);
        snprintf(path[i], CT_PATH_BYTES, "%s", database_path(file));
        out[i] = database_open(path[i], NULL);
    }
    database_create(out[0], database_object(1));
    database_set_number(out[0], database_object(1), "a", 0);
    database_commit(out[0]);
    database_merge(out[1], out[0]);
    database_expect_equal(out[0], out[1]);
}

static void exchange(ct_database *const dbs[2]) {
    database_merge(dbs[0], dbs[1]);
    database_merge(dbs[1], dbs[0]);
    database_expect_equal(dbs[0], dbs[1]);
}

static ct_database_conflict first_conflict(const ct_database *db,
                                           ct_database_conflict_array *conflicts) {
    conflicts->count = 0;
    ct_database_state_conflicts(ct_database_committed(db), conflicts);
    assert_true(conflicts->count > 0);
    return conflicts->items[0];
}

static void the_later_change_wins_and_can_be_undone(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *dbs[2];
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, test_heap());
    open_two("undo", dbs);
    const ct_guid object = database_object(1);
    database_set_number(dbs[0], object, "a", 1);
    database_set_number(dbs[0], object, "b", 5); // another key: no conflict
    database_commit(dbs[0]);
    database_wall_ns += 1000000000;
    database_set_number(dbs[1], object, "a", 2);
    database_commit(dbs[1]);
    exchange(dbs);
    assert_true(database_number(dbs[0], object, "a") == 2);
    assert_true(database_number(dbs[1], object, "b") == 5);
    assert_int_equal(database_num_conflicts(dbs[0]), 1);

    ct_database_conflict conflict = first_conflict(dbs[0], &conflicts);
    assert_true(conflict.won.operation.value.number == 2);
    assert_true(conflict.lost.operation.value.number == 1);
    assert_true(ct_database_undo_conflicts(dbs[0], &conflict, 1, &error));
    database_commit(dbs[0]);
    exchange(dbs);
    assert_true(database_number(dbs[1], object, "a") == 1);
    assert_int_equal(database_num_conflicts(dbs[1]), 0);

    // And accepted.
    database_set_number(dbs[0], object, "a", 3);
    database_commit(dbs[0]);
    database_set_number(dbs[1], object, "a", 4);
    database_commit(dbs[1]);
    exchange(dbs);
    const double won = database_number(dbs[0], object, "a");
    conflict = first_conflict(dbs[1], &conflicts);
    ct_database_accept_conflict(dbs[1], &conflict);
    database_commit(dbs[1]);
    exchange(dbs);
    assert_int_equal(database_num_conflicts(dbs[0]), 0);
    assert_true(database_number(dbs[0], object, "a") == won);
    ct_array_free(&conflicts);
    ct_database_close(dbs[0]);
    ct_database_close(dbs[1]);
}

static void a_destroyed_object_comes_back_whole(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *dbs[2];
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, test_heap());
    open_two("destroyed", dbs);
    const ct_guid object = database_object(1);
    database_set_number(dbs[0], object, "b", 1);
    database_commit(dbs[0]);
    database_merge(dbs[1], dbs[0]);
    database_set_number(dbs[0], object, "a", 7);
    database_commit(dbs[0]);
    database_wall_ns += 1000000000;
    database_destroy(dbs[1], object);
    database_commit(dbs[1]);
    exchange(dbs);
    assert_false(ct_database_has(dbs[0], object));
    const ct_database_conflict conflict = first_conflict(dbs[0], &conflicts);
    assert_true(ct_database_undo_conflicts(dbs[0], &conflict, 1, &error));
    database_commit(dbs[0]);
    exchange(dbs);
    assert_true(database_number(dbs[1], object, "a") == 7);
    assert_true(database_number(dbs[1], object, "b") == 1);
    assert_int_equal(database_num_conflicts(dbs[1]), 0);
    ct_array_free(&conflicts);
    ct_database_close(dbs[0]);
    ct_database_close(dbs[1]);
}

// A change that was made before another's came is known as made without it, also when it is committed after.
static void a_local_change_remembers_what_was_seen(void **state) {
    (void)state;
    ct_database *dbs[2];
    open_two("seen", dbs);
    database_set_number(dbs[1], database_object(1), "a", 1);
    database_set_number(dbs[0], database_object(1), "a", 2);
    database_commit(dbs[0]);
    database_merge(dbs[1], dbs[0]);
    assert_true(database_number(dbs[1], database_object(1), "a") == 1); // local, on top
    database_commit(dbs[1]);
    assert_int_equal(database_num_conflicts(dbs[1]), 1);
    database_set_number(dbs[1], database_object(1), "a", 3); // saw all
    database_commit(dbs[1]);
    assert_int_equal(database_num_conflicts(dbs[1]), 0);
    exchange(dbs);
    ct_database_close(dbs[0]);
    ct_database_close(dbs[1]);
}

// A clock that is years wrong does not put a change before one that was seen.
static void wrong_clocks_do_no_harm(void **state) {
    (void)state;
    const int64_t right = database_wall_ns, year = INT64_C(31557600000000000);
    ct_database *dbs[2];
    open_two("clocks", dbs);
    const ct_guid object = database_object(1);
    for (uint32_t i = 1; i <= 6; ++i) { // in turn, each after the other's
        ct_database *const mine = dbs[i % 2], *const other = dbs[1 - i % 2];
        database_wall_ns = right + (i % 2 ? 10 : -10) * year;
        database_merge(mine, other);
        database_set_number(mine, object, "a", i);
        database_commit(mine);
    }
    database_wall_ns = -5;
    exchange(dbs);
    assert_true(database_number(dbs[0], object, "a") == 6);
    assert_int_equal(database_num_conflicts(dbs[0]), 0);
    database_wall_ns = right;
    ct_database_close(dbs[0]);
    ct_database_close(dbs[1]);
}

static void two_users_of_one_file_see_each_other(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *const a = database_open(database_path("shared.db"), NULL);
    ct_database *const b = database_open(database_path("shared.db"), NULL);
    database_create(a, database_object(1));
    database_commit(a);
    ct_database_operations changes;
    ct_database_operations_init(&changes, test_heap());
    assert_true(ct_database_update(b, UINT64_C(5000000000), &changes, &error));
    assert_int_equal(changes.list.count, 1);
    assert_true(ct_database_has(b, database_object(1)));
    database_set_number(b, database_object(1), "x", 1);
    database_commit(b);
    database_set_number(a, database_object(1), "y", 2); // takes in b's first
    database_commit(a);
    assert_true(database_number(a, database_object(1), "x") == 1);
    assert_true(ct_database_update(b, UINT64_C(5000000000), NULL, &error));
    database_expect_equal(a, b);
    ct_database_operations_free(&changes);
    ct_database_close(a);
    ct_database_close(b);
    ct_database *const again = database_open(database_path("shared.db"), NULL);
    assert_true(database_number(again, database_object(1), "y") == 2);
    ct_database_close(again);
}

// --- Branches and history --------------------------------------------------------------------------

static void branches_differ_and_merge(void **state) {
    (void)state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s", database_path("branches.db"));
    ct_database *const main_branch = database_open(path, NULL);
    database_set_number(main_branch, root, "a", 1);
    database_commit(main_branch);
    ct_database_store *const store = ct_database_get_store(main_branch);
    assert_true(
        store->functions->create_branch(store, "night", database_object(99), "main", &error));
    ct_database *const night = database_open(path, "night");
    database_expect_equal(main_branch, night);
    database_set_number(night, root, "a", 2);
    database_set_number(night, root, "b", 3);
    database_commit(night);
    assert_true(database_number(main_branch, root, "a") == 1);

    ct_database_operations operations;
    ct_database_operations_init(&operations, test_heap());
    ct_database_state_diff(ct_database_committed(main_branch), ct_database_committed(night),
                           &operations);
    assert_int_equal(operations.list.count, 2);
    ct_database_operations_free(&operations);

    uint32_t num_commits, num_conflicts;
    assert_true(
        ct_database_merge(main_branch, store, "night", &num_commits, &num_conflicts, &error));
    assert_int_equal(num_commits, 1);
    assert_int_equal(num_conflicts, 0);
    database_expect_equal(main_branch, night);
    assert_false(ct_database_merge(main_branch, store, "day", NULL, NULL, &error));
    assert_non_null(strstr(error.message, "has no branch \"day\""));
    ct_database_close(night);
    ct_database_close(main_branch);
}

static bool count_commit(void *user, const ct_database_commit *commit) {
    uint64_t *const times = user;
    times[++times[0]] = commit->stamp.time;
    return true;
}

static void versions_of_before_can_be_read(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *const db = database_open(database_path("history.db"), NULL);
    for (uint32_t i = 1; i <= 3; ++i) {
        database_set_number(db, root, "a", i);
        database_commit(db);
    }
    uint64_t times[8] = {0};
    assert_true(ct_database_history(db, count_commit, times, &error));
    assert_int_equal(times[0], 3);
    for (uint32_t i = 1; i <= 3; ++i) {
        ct_database_state *const then = ct_database_state_at(db, times[i], &error);
        assert_non_null(then);
        assert_true(ct_database_state_get(then, root, "a", 1).number == i);
        ct_database_state_destroy(then);
    }
    ct_database_close(db);
}

// --- Blobs -----------------------------------------------------------------------------------------

static void blobs_come_back(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *dbs[2];
    open_two("blobs", dbs);
    static const uint64_t sizes[] = {0, 1, CT_DATABASE_BLOB_PIECE_BYTES,
                                     3 * CT_DATABASE_BLOB_PIECE_BYTES + 7};
    uint8_t *const bytes = ct_alloc(test_heap(), sizes[3]);
    for (uint64_t i = 0; i < sizes[3]; ++i)
        bytes[i] = (uint8_t)(i * 31 >> 7);
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        ct_database_operation op = database_number_operation(database_object(1), "blob", 0);
        op.value.kind = CT_DATABASE_BLOB;
        assert_true(ct_database_write_blob(dbs[0], bytes, sizes[i], &op.value.blob, &error));
        assert_true(ct_database_change(dbs[0], &op, &error));
        database_commit(dbs[0]);
        database_merge(dbs[1], dbs[0]); // brings it along
        ct_byte_array out;
        ct_array_init(&out, test_heap());
        const ct_database_value value = ct_database_get(dbs[1], database_object(1), "blob");
        assert_true(ct_database_read_blob(dbs[1], &value.blob, &out, &error));
        assert_int_equal(out.count, sizes[i]);
        assert_memory_equal(out.items, bytes, out.count);
        ct_array_free(&out);
        const char *const path = database_path("blob.bin");
        assert_true(ct_database_read_blob_file(dbs[1], &value.blob, path, &error));
        ct_database_blob again;
        assert_true(ct_database_write_blob_file(dbs[0], path, &again, &error));
        assert_memory_equal(again.hash, value.blob.hash, sizeof(again.hash));
    }
    ct_database_blob orphan;
    uint64_t freed_bytes = 0;
    assert_true(ct_database_write_blob(dbs[0], "nobody", 6, &orphan, &error));
    assert_true(ct_database_collect(dbs[0], &freed_bytes, &error));
    assert_int_equal(freed_bytes, 6);
    ct_free(test_heap(), bytes);
    ct_database_close(dbs[0]);
    ct_database_close(dbs[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_changes_lie_on_top),
        cmocka_unit_test(walks_see_each_once),
        cmocka_unit_test(a_part_is_committed),
        cmocka_unit_test(local_changes_are_kept),
        cmocka_unit_test(wrong_operations_say_why),
        cmocka_unit_test(the_later_change_wins_and_can_be_undone),
        cmocka_unit_test(a_destroyed_object_comes_back_whole),
        cmocka_unit_test(a_local_change_remembers_what_was_seen),
        cmocka_unit_test(wrong_clocks_do_no_harm),
        cmocka_unit_test(two_users_of_one_file_see_each_other),
        cmocka_unit_test(branches_differ_and_merge),
        cmocka_unit_test(versions_of_before_can_be_read),
        cmocka_unit_test(blobs_come_back),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
