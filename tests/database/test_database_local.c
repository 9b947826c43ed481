// Local changes beside those of other processes and owners, commits whose end is not known, copies that went apart,
// rows that cannot be read.
#include "database/database_fixture.h"

#include "foundation/os/file.h"
#include "foundation/os/os.h"

static const ct_guid root;

static ct_database *open_as(const char *path, const char *owner) {
    ct_error error = {0};
    const ct_database_desc desc = {.location = path, .may_create = true, .owner = owner};
    ct_database *const db = ct_database_open(test_heap(), &desc, &error);
    if (!db)
        fail_msg("%s", error.message);
    return db;
}

static uint32_t num_local(const ct_database *db) {
    return ct_database_local(db)->list.count;
}

static void copy_path(char path[CT_PATH_BYTES], const char *name) {
    snprintf(path, CT_PATH_BYTES, "%s", database_path(name));
}

// --- Owners and processes --------------------------------------------------------------------------

static void each_owner_has_local_changes_of_its_own(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    copy_path(path, "owners.db");
    ct_database *db = open_as(path, "Ann");
    database_set_number(db, root, "ann", 1);
    ct_database_close(db);
    db = open_as(path, "Bob");
    assert_int_equal(num_local(db), 0);
    database_set_number(db, root, "bob", 1);
    ct_database_close(db);
    db = open_as(path, "Ann");
    assert_int_equal(num_local(db), 1);
    database_commit(db);
    assert_int_equal(ct_database_get(db, root, "bob").kind, CT_DATABASE_NULL);
    ct_database_close(db);
    db = open_as(path, "Bob");
    assert_int_equal(num_local(db), 1);
    assert_true(database_number(db, root, "ann") == 1);
    ct_database_close(db);
}

static void what_another_process_committed_is_not_committed_again(void **state) {
    (void)state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    copy_path(path, "twice.db");
    ct_database *a = database_open(path, NULL);
    database_set_number(a, root, "x", 1);
    ct_database_close(a);
    a = database_open(path, NULL);
    ct_database *const b = database_open(path, NULL);
    database_set_number(b, root, "y", 2);
    database_commit(a); // x
    database_set_number(a, root, "x", 5);
    database_commit(a);
    // By its number it would be another one.
    assert_int_equal(num_local(b), 2);
    assert_false(ct_database_commit_local(b, &(uint32_t){0}, 1, NULL, &error));
    assert_non_null(strstr(error.message, "look at them again"));
    assert_int_equal(num_local(b), 1);
    assert_true(database_number(b, root, "y") == 2);
    database_commit(b);
    assert_true(database_number(b, root, "x") == 5);
    assert_int_equal(database_num_conflicts(b), 0);
    ct_database_close(a);
    ct_database_close(b);
}

static void closing_keeps_what_others_left(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    copy_path(path, "left.db");
    ct_database *const a = database_open(path, NULL), *const b = database_open(path, NULL);
    database_set_number(a, root, "x", 1);
    database_set_number(b, root, "y", 2);
    ct_database_close(a);
    ct_database_close(b);
    ct_database *db = database_open(path, NULL);
    assert_int_equal(num_local(db), 2);
    assert_true(database_number(db, root, "x") == 1);
    ct_database_revert_local(db, NULL, 0);
    ct_database_close(db);
    db = database_open(path, NULL);
    assert_int_equal(num_local(db), 0);
    ct_database_close(db);
}

static void changes_of_several_times_do_not_contest_each_other(void **state) {
    (void)state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    copy_path(path, "times.db");
    ct_database *const mine = database_open(path, NULL), *const other = database_open(path, NULL);
    database_create(mine, database_object(1));
    database_set_number(mine, database_object(1), "a", 1);
    database_commit(mine);
    database_destroy(mine, database_object(1));
    database_set_number(other, root, "b", 1);
    database_commit(other);
    assert_true(ct_database_update(mine, 0, NULL, &error));
    database_create(mine, database_object(1)); // after another's commit came in: a second commit
    database_set_number(mine, database_object(1), "c", 2);
    database_commit(mine);
    assert_int_equal(database_num_conflicts(mine), 0);
    assert_true(database_number(mine, database_object(1), "c") == 2);
    assert_int_equal(ct_database_get(mine, database_object(1), "a").kind, CT_DATABASE_NULL);
    ct_database_close(mine);
    ct_database_close(other);
}

static void what_came_with_own_commits_is_reported(void **state) {
    (void)state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    copy_path(path, "reported.db");
    ct_database *const mine = database_open(path, NULL), *const other = database_open(path, NULL);
    ct_database_operations changes;
    ct_database_operations_init(&changes, test_heap());
    assert_true(ct_database_update(mine, 0, &changes, &error));
    database_set_number(other, root, "a", 1);
    database_commit(other);
    database_set_number(mine, root, "b", 1);
    database_commit(mine);
    assert_true(ct_database_update(mine, UINT64_C(60000000000), &changes, &error)); // at once
    assert_int_equal(changes.list.count, 1);
    assert_string_equal(changes.list.items[0].key, "a");
    ct_database_operations_free(&changes);
    ct_database_close(mine);
    ct_database_close(other);
}

// --- Ends that are not known -----------------------------------------------------------------------

static const ct_database_store_functions *real;
static bool end_is_kept;

// The answer is lost.
static bool lost_end(ct_database_store *store, ct_database_branch *branch, bool is_kept,
                     ct_error *error) {
    real->end(store, branch, is_kept && end_is_kept, error);
    return !is_kept || ct_error_set(error, "the server went away");
}

static void commit_and_lose(ct_database *db, bool is_kept) {
    static ct_database_store_functions wrapped;
    ct_error error = {0};
    ct_database_store *const store = ct_database_get_store(db);
    real = store->functions;
    wrapped = *real;
    wrapped.end = lost_end;
    end_is_kept = is_kept;
    store->functions = &wrapped;
    assert_false(ct_database_commit_local(db, NULL, 0, NULL, &error));
    store->functions = real;
}

static bool count_operations(void *user, const ct_database_commit *commit) {
    *(uint32_t *)user += commit->operations.list.count;
    return true;
}

static uint32_t num_operations(ct_database *db) {
    uint32_t count = 0;
    ct_error error = {0};
    assert_true(ct_database_history(db, count_operations, &count, &error));
    return count;
}

static void a_commit_whose_answer_was_lost_is_made_once(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4; ++i) { // kept or not; local changes stored before or not
        char path[CT_PATH_BYTES], name[32];
        snprintf(name, sizeof(name), "lost%u.db", i);
        copy_path(path, name);
        ct_database *db = database_open(path, NULL);
        database_set_number(db, root, "a", 1);
        if (i & 2) {
            ct_database_close(db);
            db = database_open(path, NULL);
        }
        commit_and_lose(db, i & 1);
        assert_int_equal(num_local(db), 1);
        database_set_number(db, root, "b", 2);
        database_commit(db);
        assert_int_equal(num_local(db), 0);
        assert_true(database_number(db, root, "a") == 1 && database_number(db, root, "b") == 2);
        assert_int_equal(num_operations(db), 2);
        assert_int_equal(database_num_conflicts(db), 0);
        ct_database_close(db);
        db = database_open(path, NULL);
        assert_int_equal(num_local(db), 0);
        ct_database_close(db);
    }
}

// --- Copies of one file ----------------------------------------------------------------------------

static void fork_database(const char *from, char copy[CT_PATH_BYTES], const char *name) {
    uint64_t size_bytes;
    char *const bytes = ct_file_read(test_heap(), from, &size_bytes, NULL);
    copy_path(copy, name);
    assert_non_null(bytes);
    assert_true(ct_file_write(copy, bytes, size_bytes, false, NULL));
    ct_free(test_heap(), bytes);
}

static void copies_that_went_apart_are_noticed(void **state) {
    (void)state;
    ct_error error = {0};
    for (uint32_t first = 0; first < 2; ++first) { // which of the two commits earlier
        char path[CT_PATH_BYTES], copy[CT_PATH_BYTES], name[32];
        snprintf(name, sizeof(name), "original%u.db", first);
        copy_path(path, name);
        ct_database *const db = database_open(path, NULL);
        database_set_number(db, root, "a", 1);
        database_commit(db);
        ct_database_close(db);
        snprintf(name, sizeof(name), "copy%u.db", first);
        fork_database(path, copy, name);
        ct_database *const dbs[2] = {database_open(path, NULL), database_open(copy, NULL)};
        for (uint32_t i = 0; i < 2; ++i) {
            ct_database *const next = dbs[i == 0 ? first : 1 - first];
            database_wall_ns += 5000000;
            database_set_number(next, root, "a", 10 + i);
            database_commit(next);
        }
        for (uint32_t i = 0; i < 2; ++i) {
            assert_false(ct_database_merge(dbs[i], ct_database_get_store(dbs[1 - i]), "main", NULL,
                                           NULL, &error));
            assert_non_null(strstr(error.message, "two copies of one database"));
            assert_false(
                ct_database_push(dbs[i], ct_database_get_store(dbs[1 - i]), "main", NULL, &error));
            assert_non_null(strstr(error.message, "two copies of one database"));
        }
        ct_database_close(dbs[0]);
        ct_database_close(dbs[1]);
    }
}

// --- Decisions -------------------------------------------------------------------------------------

static void apart(const char *name, ct_database *dbs[2]) {
    char files[2][64];
    for (uint32_t i = 0; i < 2; ++i) {
        snprintf(files[i], sizeof(files[i]), "%s%u.db", name, i);
        dbs[i] = database_open(database_path(files[i]), NULL);
    }
    database_create(dbs[0], database_object(1));
    database_add(dbs[0], database_object(1), "parts", database_object(2));
    database_set_number(dbs[0], database_object(1), "a", 1);
    database_commit(dbs[0]);
    database_merge(dbs[1], dbs[0]);
}

static void settle_all(ct_database *db, bool undo) {
    ct_error error = {0};
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, test_heap());
    ct_database_state_conflicts(ct_database_committed(db), &conflicts);
    assert_true(conflicts.count > 0);
    if (undo)
        assert_true(ct_database_undo_conflicts(db, conflicts.items, conflicts.count, &error));
    for (uint32_t i = 0; !undo && i < conflicts.count; ++i)
        ct_database_accept_conflict(db, &conflicts.items[i]);
    database_commit(db);
    assert_int_equal(database_num_conflicts(db), 0);
    ct_array_free(&conflicts);
}

// One destroys an object to which the other adds: with all its values, and the newer ones, it comes back; or it goes.
static void a_destroy_is_undone_or_accepted(void **state) {
    (void)state;
    for (uint32_t undo = 0; undo < 2; ++undo) {
        ct_database *dbs[2];
        apart(undo ? "destroy_undone" : "destroy_accepted", dbs);
        const ct_guid object = database_object(1);
        database_destroy(dbs[0], object);
        database_commit(dbs[0]);
        database_set_number(dbs[1], object, "a", 2);
        database_add(dbs[1], object, "parts", database_object(3));
        database_commit(dbs[1]);
        database_merge(dbs[1], dbs[0]);
        settle_all(dbs[1], undo);
        database_merge(dbs[0], dbs[1]);
        database_expect_equal(dbs[0], dbs[1]);
        assert_int_equal(ct_database_has(dbs[0], object), undo);
        if (undo) {
            assert_true(database_number(dbs[0], object, "a") == 2);
            assert_int_equal(ct_database_get(dbs[0], object, "parts").set.count, 2);
        }
        ct_database_close(dbs[0]);
        ct_database_close(dbs[1]);
    }
}

// One gives the key a number, the other adds to its set.
static void a_set_that_won_is_accepted(void **state) {
    (void)state;
    for (uint32_t undo = 0; undo < 2; ++undo) {
        ct_database *dbs[2];
        apart(undo ? "set_undone" : "set_accepted", dbs);
        const ct_guid object = database_object(1);
        database_set_number(dbs[0], object, "parts", 5);
        database_commit(dbs[0]);
        database_wall_ns += 5000000;
        database_add(dbs[1], object, "parts", database_object(3));
        database_commit(dbs[1]);
        database_merge(dbs[0], dbs[1]);
        settle_all(dbs[0], undo);
        const ct_database_value value = ct_database_get(dbs[0], object, "parts");
        assert_int_equal(value.kind, undo ? CT_DATABASE_NUMBER : CT_DATABASE_SET);
        database_merge(dbs[1], dbs[0]);
        database_expect_equal(dbs[0], dbs[1]);
        ct_database_close(dbs[0]);
        ct_database_close(dbs[1]);
    }
}

static void versions_of_several_replicas_can_be_read(void **state) {
    (void)state;
    ct_error error = {0};
    ct_database *dbs[2];
    apart("versions", dbs);
    database_wall_ns += 5000000;
    database_set_number(dbs[1], database_object(1), "a", 2);
    database_commit(dbs[1]);
    const uint64_t between = ct_database_vector_last(&ct_database_get_branch(dbs[1])->has);
    for (uint32_t i = 0; i < 2; ++i) {
        database_wall_ns += 5000000;
        database_merge(dbs[i], dbs[1 - i]);
        database_set_number(dbs[i], database_object(1), "a", 3 + i);
        database_commit(dbs[i]);
    }
    ct_database_state *const then = ct_database_state_at(dbs[1], between, &error);
    assert_non_null(then);
    assert_true(ct_database_state_get(then, database_object(1), "a", 1).number == 2);
    ct_database_state_destroy(then);
    ct_database_close(dbs[0]);
    ct_database_close(dbs[1]);
}

// --- Blobs that are collected ----------------------------------------------------------------------

static void set_blob(ct_database *db, const char *bytes) {
    ct_error error = {0};
    ct_database_operation op = database_number_operation(root, "blob", 0);
    op.value.kind = CT_DATABASE_BLOB;
    assert_true(ct_database_write_blob(db, bytes, strlen(bytes), &op.value.blob, &error));
    assert_true(ct_database_change(db, &op, &error));
}

static bool keep_none(void *user, const ct_database_blob *blob) {
    (void)user, (void)blob;
    return false;
}

static void stored_local_changes_keep_their_blobs(void **state) {
    (void)state;
    ct_error error = {0};
    uint64_t freed = 0;
    char path[CT_PATH_BYTES];
    copy_path(path, "kept_blobs.db");
    ct_database *other = open_as(path, "Ann");
    set_blob(other, "of Ann");
    ct_database_close(other);
    ct_database *const db = open_as(path, "Bob");
    set_blob(db, "of Bob, not stored");
    other = open_as(path, "Cid");
    set_blob(other, "of Cid"); // only Cid's memory knows
    assert_true(ct_database_collect(db, &freed, &error));
    assert_int_equal(freed, 6);
    database_commit(db);
    assert_false(ct_database_commit_local(other, NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "no such blob; write its bytes first"));
    ct_database_leave_local(other);
    ct_database_close(other);
    other = open_as(path, "Ann");
    database_commit(other);
    ct_string_builder faults;
    ct_string_builder_init(&faults, test_heap());
    ct_database_store *const store = ct_database_get_store(other);
    assert_true(store->functions->check(store, &faults, &error));
    assert_string_equal(ct_string_builder_text(&faults), "");
    // One that goes missing is a fault.
    assert_true(store->functions->begin(store, NULL, &error));
    assert_true(store->functions->collect_blobs(store, keep_none, NULL, &freed, &error));
    assert_true(store->functions->end(store, NULL, true, &error));
    assert_true(store->functions->check(store, &faults, &error));
    assert_non_null(strstr(ct_string_builder_text(&faults), "which is missing"));
    ct_string_builder_free(&faults);
    ct_database_close(other);
    ct_database_close(db);
}

// --- Rows that cannot be read ----------------------------------------------------------------------

static bool fail_rows(ct_database_store *store, const ct_database_branch *branch, ct_guid object,
                      const char *key, uint32_t key_length, const ct_guid *element,
                      ct_database_row_array *rows, ct_error *error) {
    (void)store, (void)branch, (void)object, (void)key, (void)key_length, (void)element, (void)rows;
    return ct_error_set(error, "a row is damaged");
}

static void rows_that_cannot_be_read_stop_the_work(void **state) {
    (void)state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    copy_path(path, "rows.db");
    ct_database *db = database_open(path, NULL);
    database_create(db, database_object(1));
    database_set_number(db, database_object(1), "a", 1);
    database_commit(db);
    database_destroy(db, database_object(1));
    database_commit(db);
    ct_database_close(db); // what is removed is in the file only
    db = database_open(path, NULL);
    static ct_database_store_functions wrapped;
    ct_database_store *const store = ct_database_get_store(db);
    wrapped = *store->functions;
    wrapped.load_rows = fail_rows;
    real = store->functions;
    store->functions = &wrapped;
    database_create(db, database_object(1));
    assert_true(ct_database_commit_local(db, NULL, 0, NULL, &error)); // it is in the log
    store->functions = real;
    database_set_number(db, root, "b", 1);
    assert_false(ct_database_commit_local(db, NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "a row is damaged"));
    assert_non_null(strstr(error.message, "opened again"));
    assert_false(ct_database_update(db, 0, NULL, &error));
    ct_database_close(db);
    db = database_open(path, NULL);
    assert_int_equal(num_local(db), 1); // not lost
    database_commit(db);
    assert_true(ct_database_has(db, database_object(1)));
    char *const dump = database_dump(db);
    ct_database_close(db);
    const ct_database_desc desc = {.location = path, .makes_rows_again = true};
    db = ct_database_open(test_heap(), &desc, &error);
    assert_non_null(db);
    char *const again = database_dump(db);
    assert_string_equal(dump, again);
    ct_free(test_heap(), dump);
    ct_free(test_heap(), again);
    ct_database_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_owner_has_local_changes_of_its_own),
        cmocka_unit_test(what_another_process_committed_is_not_committed_again),
        cmocka_unit_test(closing_keeps_what_others_left),
        cmocka_unit_test(changes_of_several_times_do_not_contest_each_other),
        cmocka_unit_test(what_came_with_own_commits_is_reported),
        cmocka_unit_test(a_commit_whose_answer_was_lost_is_made_once),
        cmocka_unit_test(copies_that_went_apart_are_noticed),
        cmocka_unit_test(a_destroy_is_undone_or_accepted),
        cmocka_unit_test(a_set_that_won_is_accepted),
        cmocka_unit_test(versions_of_several_replicas_can_be_read),
        cmocka_unit_test(stored_local_changes_keep_their_blobs),
        cmocka_unit_test(rows_that_cannot_be_read_stop_the_work),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
