// What a store does, for files of SQLite and for a server of PostgreSQL.
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "database/store/store_fixture.h"
#include "resource/blob/content_hash.h"

#define NEED_SERVER()                                                                              \
    if (store_is_server && !has_server) {                                                          \
        print_message("PostgreSQL is not installed (package postgresql-15)\n");                    \
        skip();                                                                                    \
    }

static bool has_server;

// --- Branches ------------------------------------------------------------------------------------

static void branches_are_made_listed_and_removed(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    ct_error error = {0};
    ct_database_branch main_branch = store_branch(store, "main");
    assert_int_equal(main_branch.has.stamps.count, 0);
    store_commit(store, &main_branch, (ct_database_operation[]){store_create(1)}, 1, NULL);
    assert_true(f->create_branch(store, "ann/night-2.1_x", store_guid(100), "main", &error));
    ct_database_branch night = store_branch(store, "ann/night-2.1_x");
    assert_true(ct_guid_is_equal(night.replica, store_guid(100)));
    assert_true(ct_database_vector_covers(&night.has, &main_branch.has));
    store_commit(store, &night, (ct_database_operation[]){store_create(2)}, 1, NULL);
    store_read_branch(store, &main_branch);
    assert_int_equal(main_branch.has.stamps.count, 1);
    assert_false(ct_database_vector_covers(&main_branch.has, &night.has));

    assert_false(f->create_branch(store, "main", store_guid(101), NULL, &error));
    assert_non_null(strstr(error.message, "already a branch \"main\""));
    assert_false(f->create_branch(store, "other", store_guid(100), NULL, &error));
    assert_non_null(strstr(error.message, "already the replica"));
    assert_false(f->create_branch(store, "other", store_guid(101), "missing", &error));
    assert_non_null(strstr(error.message, "no branch \"missing\""));
    assert_false(f->create_branch(store, "a branch", store_guid(101), NULL, &error));
    assert_non_null(strstr(error.message, "expected letters"));
    assert_false(f->create_branch(store, "", store_guid(101), NULL, &error));

    ct_database_branch_array list;
    ct_array_init(&list, test_heap());
    assert_true(f->list_branches(store, &list, &error));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].name, "ann/night-2.1_x");
    assert_int_equal(list.items[0].has.stamps.count, 2);
    assert_string_equal(list.items[1].name, "main");
    for (uint32_t i = 0; i < list.count; ++i)
        ct_database_branch_free(&list.items[i]);
    ct_array_free(&list);

    assert_true(f->remove_branch(store, "main", &error));
    assert_false(f->remove_branch(store, "main", &error));
    bool found = true;
    assert_true(f->read_branch(store, &main_branch, &found, &error));
    assert_false(found);
    assert_false(f->begin(store, &main_branch, &error));
    assert_non_null(strstr(error.message, "no branch \"main\""));
    // Its commits are still those of the other branch.
    char *const log = store_log(store, NULL, &night.has), *const faults = store_check(store);
    assert_int_equal(strlen(log), 2 * strlen(strchr(log, '\n') + 1));
    assert_string_equal(faults, "");
    ct_free(test_heap(), log);
    ct_free(test_heap(), faults);
    ct_database_branch_free(&main_branch);
    ct_database_branch_free(&night);
    store_close(store);
}

static void a_branch_of_a_replica_that_was_removed_starts_again(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    ct_error error = {0};
    ct_database_branch branch = store_branch(store, "main");
    const ct_guid replica = branch.replica;
    store_commit(store, &branch, (ct_database_operation[]){store_create(1)}, 1, NULL);
    assert_true(f->create_branch(store, "other", store_guid(7), "main", &error));
    store_commit(store, &branch, (ct_database_operation[]){store_create(2)}, 1, NULL);
    assert_true(f->remove_branch(store, "main", &error));
    assert_true(f->create_branch(store, "empty", replica, NULL, &error));
    ct_database_branch again = store_branch(store, "empty");
    assert_int_equal(again.has.stamps.count, 0);
    assert_true(f->remove_branch(store, "empty", &error));
    assert_true(f->create_branch(store, "again", replica, "other", &error));
    ct_database_branch_free(&again);
    again = store_branch(store, "again");
    assert_int_equal(again.has.stamps.count, 1);
    assert_true(ct_database_vector_time(&again.has, replica) <
                ct_database_vector_time(&branch.has, replica));
    ct_database_branch_free(&again);
    ct_database_branch_free(&branch);
    store_close(store);
}

// --- Commits -------------------------------------------------------------------------------------

static void commits_come_back_in_the_order_of_stamps(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    ct_error error = {0};
    ct_database_branch branches[3];
    static const char *const names[] = {"a", "b", "c"};
    ct_database_vector all, half, nothing = {0};
    ct_database_vector_init(&all, test_heap());
    ct_database_vector_init(&half, test_heap());
    for (uint32_t i = 0; i < 3; ++i)
        branches[i] = store_branch(store, names[i]);
    for (uint32_t i = 0; i < 60; ++i) {
        store_commit(store, &branches[i * 7 % 3], (ct_database_operation[]){store_create(i)}, 1,
                     NULL);
        if (i == 29)
            for (uint32_t k = 0; k < 3; ++k)
                ct_database_vector_join(&half, &branches[k].has);
    }
    for (uint32_t k = 0; k < 3; ++k)
        ct_database_vector_join(&all, &branches[k].has);
    // A merge inside of one store: all is in the log already.
    assert_true(store->functions->begin(store, &branches[0], &error));
    ct_database_vector_join(&branches[0].has, &all);
    assert_true(store->functions->end(store, &branches[0], true, &error));
    store_read_branch(store, &branches[0]);
    assert_true(ct_database_vector_covers(&branches[0].has, &all));

    char *const whole = store_log(store, &nothing, &all);
    char *const first = store_log(store, &nothing, &half);
    char *const second = store_log(store, &half, &all), *const none = store_log(store, &all, &half);
    uint32_t num_lines = 0;
    char last[CT_DATABASE_TIME_TEXT_BYTES + CT_GUID_TEXT_BYTES + 1] = "";
    for (const char *line = whole; *line; line = strchr(line, '\n') + 1, ++num_lines) {
        char stamp[sizeof(last)];
        snprintf(stamp, sizeof(stamp), "%.*s",
                 (int)(strrchr(line, '\n') ? strcspn(line, "\n") - 2 : 0), line);
        assert_true(strcmp(last, stamp) < 0);
        strcpy(last, stamp);
    }
    assert_int_equal(num_lines, 60);
    assert_int_equal(strlen(first) + strlen(second), strlen(whole));
    assert_string_equal(none, "");
    ct_free(test_heap(), whole);
    ct_free(test_heap(), first);
    ct_free(test_heap(), second);
    ct_free(test_heap(), none);
    for (uint32_t i = 0; i < 3; ++i)
        ct_database_branch_free(&branches[i]);
    ct_database_vector_free(&all);
    ct_database_vector_free(&half);
    store_close(store);
}

static bool stop_at_third(void *user, ct_database_stamp stamp, const void *bytes,
                          uint64_t size_bytes) {
    (void)stamp, (void)bytes, (void)size_bytes;
    return ++*(uint32_t *)user < 3;
}

static void reading_can_stop_and_finds_what_is_missing(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    ct_error error = {0};
    ct_database_branch branch = store_branch(store, "main");
    for (uint32_t i = 0; i < 5; ++i)
        store_commit(store, &branch, (ct_database_operation[]){store_create(i)}, 1, NULL);
    const ct_database_vector nothing = {0};
    uint32_t count = 0;
    assert_true(f->read_commits(store, &nothing, &branch.has, stop_at_third, &count, &error));
    assert_int_equal(count, 3);
    // A vector with commits that are not there.
    ct_database_vector_add(&branch.has,
                           (ct_database_stamp){.time = 77 << 16, .replica = store_guid(5)});
    assert_false(f->read_commits(store, &nothing, &branch.has, stop_at_third, &count, &error));
    assert_non_null(strstr(error.message, "missing"));
    // Nor can a branch be said to have them.
    assert_true(f->begin(store, &branch, &error));
    ct_database_vector_add(&branch.has,
                           (ct_database_stamp){.time = 77 << 16, .replica = store_guid(5)});
    assert_false(f->end(store, &branch, true, &error));
    assert_non_null(strstr(error.message, "a commit that is not"));
    store_read_branch(store, &branch);
    assert_int_equal(branch.has.stamps.count, 1);
    ct_database_branch_free(&branch);
    store_close(store);
}

static void undone_commits_leave_nothing(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    ct_error error = {0};
    ct_database_branch branch = store_branch(store, "main");
    assert_true(f->begin(store, &branch, &error));
    assert_true(f->append(store, (ct_database_stamp){.time = 1 << 20, .replica = store_guid(9)}, 0,
                          "x", 1, &error));
    assert_true(f->end(store, &branch, false, &error));
    store_read_branch(store, &branch);
    assert_int_equal(branch.has.stamps.count, 0);
    store_commit(store, &branch, (ct_database_operation[]){store_create(1)}, 1, NULL);
    char *const faults = store_check(store);
    assert_string_equal(faults, "");
    ct_free(test_heap(), faults);
    ct_database_branch_free(&branch);
    store_close(store);
}

static void copies_of_one_file_that_went_apart_are_noticed(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    const ct_guid other = store_guid(9);
    ct_error error = {0};
    ct_database_branch branch = store_branch(store, "main");
    const ct_database_stamp second = {.time = 2 << 20, .replica = other},
                            first = {.time = 1 << 20, .replica = other},
                            third = {.time = 3 << 20, .replica = other};
    assert_true(f->begin(store, &branch, &error));
    assert_true(f->append(store, second, 0, "second", 6, &error));
    assert_true(f->append(store, second, 0, "second", 6, &error)); // known
    ct_database_vector_add(&branch.has, second);
    assert_true(f->end(store, &branch, true, &error));
    bool has;
    assert_true(f->has_commit(store, second, &has, &error) && has);
    assert_true(f->has_commit(store, third, &has, &error) && !has);
    assert_true(f->has_commit(store, (ct_database_stamp){5, store_guid(77)}, &has, &error) && !has);
    // Other bytes at one time, one that comes too late, one that does not follow the last.
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(f->begin(store, &branch, &error));
        const ct_database_stamp stamp = i == 0 ? second : i == 1 ? first : third;
        const bool is_kept =
            f->append(store, stamp, i == 2 ? first.time : 0, "other!", 6, &error) &&
            f->end(store, &branch, true, &error);
        assert_false(is_kept);
        assert_non_null(strstr(error.message, "two copies of one database"));
        ct_error ignored;
        if (!store_is_server)
            assert_true(f->end(store, &branch, false, &ignored));
    }
    ct_database_branch_free(&branch);
    store_close(store);
}

static void two_connections_see_each_other(void **state) {
    (void)state;
    NEED_SERVER();
    const char *const location = store_new_location();
    ct_database_store *const one = store_open(location), *const two = store_open(location);
    ct_database_branch first = store_branch(one, "main"), second = store_branch(two, "main");
    ct_error error = {0};
    bool changed;
    assert_true(one->functions->wait(one, 0, &changed, &error)); // the branch that was made
    for (uint32_t i = 0; i < 10; ++i) {
        store_commit(i % 2 ? one : two, i % 2 ? &first : &second,
                     (ct_database_operation[]){store_create(i)}, 1, NULL);
        ct_database_store *const other = i % 2 ? two : one;
        assert_true(other->functions->wait(other, UINT64_C(5000000000), &changed, &error));
        assert_true(changed);
        ct_database_branch *const branch = i % 2 ? &second : &first;
        store_read_branch(other, branch);
        char *const log = store_log(other, NULL, &branch->has);
        uint32_t num_lines = 0;
        for (const char *c = log; *c; ++c)
            num_lines += *c == '\n';
        assert_int_equal(num_lines, i + 1);
        ct_free(test_heap(), log);
    }
    // What it has seen itself, or did itself, is nothing new.
    store_commit(one, &first, (ct_database_operation[]){store_create(20)}, 1, NULL);
    assert_true(one->functions->wait(one, 20000000, &changed, &error));
    assert_false(changed);
    ct_database_branch_free(&first);
    ct_database_branch_free(&second);
    store_close(one);
    store_close(two);
}

static void commit_many(const char *location, uint32_t count) {
    ct_database_store *const store = store_open(location);
    ct_database_branch branch = store_branch(store, "main");
    for (uint32_t i = 0; i < count; ++i)
        store_commit(store, &branch, (ct_database_operation[]){store_create(i)}, 1, NULL);
    ct_database_branch_free(&branch);
    store_close(store);
}

static void two_processes_write_at_once(void **state) {
    (void)state;
    NEED_SERVER();
    enum { COUNT = 100 };
    const char *const location = store_new_location();
    ct_database_store *store = store_open(location);
    ct_database_branch branch = store_branch(store, "main");
    store_close(store);
    const pid_t child = fork();
    if (child == 0) {
        commit_many(location, COUNT);
        _exit(0);
    }
    commit_many(location, COUNT);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    store = store_open(location);
    store_read_branch(store, &branch);
    char *const log = store_log(store, NULL, &branch.has);
    uint32_t num_lines = 0;
    for (const char *c = log; *c; ++c)
        num_lines += *c == '\n';
    assert_int_equal(num_lines, 2 * COUNT);
    ct_free(test_heap(), log);
    ct_database_branch_free(&branch);
    store_close(store);
}

// --- State ---------------------------------------------------------------------------------------

// One operation of each kind, with values at the edges.
static uint32_t add_operations(ct_database_operation *ops) {
    static const ct_guid set[] = {{.bytes = {1}}, {.bytes = {2}}, {.bytes = {2, 1}}};
    static const double numbers[] = {0.0, -0.0, 1e300, -1.5, INFINITY, -INFINITY, NAN, 5e-324, 7};
    uint32_t count = 0;
    for (uint32_t i = 1; i <= 4; ++i)
        ops[count++] = store_create(i);
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        static const char *const keys[] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"};
        ops[count++] = store_number(1, keys[i], numbers[i]);
    }
    static const uint64_t bits = UINT64_C(0x7ff800000000beef);
    double odd;
    memcpy(&odd, &bits, sizeof(odd));
    ops[count++] = store_number(1, "odd", odd);
    ops[count++] = store_text(2, "text", "Grüße, 世界");
    ops[count++] = store_text(2, "empty", "");
    ops[count] = store_text(2, "zero", "");
    ops[count++].value.string.text = "a\0b";
    ops[count - 1].value.string.length = 3;
    ops[count] = store_number(2, "yes", 0);
    ops[count++].value = (ct_database_value){.kind = CT_DATABASE_BOOL, .truth = true};
    ops[count] = store_number(2, "no", 0);
    ops[count++].value = (ct_database_value){.kind = CT_DATABASE_BOOL};
    ops[count] = store_number(2, "blob", 0);
    ops[count++].value = (ct_database_value){
        .kind = CT_DATABASE_BLOB, .blob = {.hash = {0xfe, 1, 2}, .size_bytes = UINT64_MAX / 3}};
    ops[count] = store_number(2, "friend", 0);
    ops[count++].value =
        (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = store_guid(1)};
    ops[count] = store_number(3, "set", 0);
    ops[count++].value = (ct_database_value){.kind = CT_DATABASE_SET, .set = {set, 3}};
    ops[count] = store_number(3, "no elements", 0);
    ops[count++].value = (ct_database_value){.kind = CT_DATABASE_SET};
    for (uint32_t i = 1; i <= 3; ++i)
        ops[count++] = store_element(CT_DATABASE_ADD_TO_SET, 4, "children", i);
    ops[count] = store_element(CT_DATABASE_REMOVE_FROM_SET, 3, "set", 0);
    ops[count++].value.reference = set[1];
    return count;
}

static void save(ct_database_store *store, ct_database_branch *branch, ct_database_state *state) {
    ct_error error = {0};
    bool saved = false;
    if (!store->functions->save_state(store, branch, state, &branch->has, &saved, &error))
        fail_msg("%s", error.message);
    assert_true(saved);
    assert_true(ct_database_vector_covers(&branch->state, &branch->has));
    ct_database_state_stored(state);
}

// The only fault is the blob of add_operations, whose bytes were never written.
static void expect_sound(ct_database_store *store) {
    char *const faults = store_check(store);
    for (const char *line = faults, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        const char *const blob = strstr(line, "it names the blob fe0102");
        if (!end || !blob || blob > end)
            fail_msg("%s", line);
    }
    ct_free(test_heap(), faults);
}

static void expect_stored(ct_database_store *store, const ct_database_state *state) {
    char *const expected = store_dump(state), *const found = store_load_dump(store, "main");
    assert_string_equal(found, expected);
    expect_sound(store);
    ct_free(test_heap(), expected);
    ct_free(test_heap(), found);
}

// What `removed` of a state asks for.
typedef struct owner {
    ct_database_store *store;
    const ct_database_branch *branch;
} owner;

static void find_rows(void *user, ct_guid object, const char *key, uint32_t key_length,
                      const ct_guid *element, ct_database_row_array *rows) {
    const owner *const o = user;
    ct_error error = {0};
    if (!o->store->functions->load_rows(o->store, o->branch, object, key, key_length, element, rows,
                                        &error))
        fail_msg("%s", error.message);
}

static void a_state_comes_back_as_it_was(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    ct_database_branch branch = store_branch(store, "main");
    owner o = {store, &branch};
    ct_database_state *const objects =
        ct_database_state_create(test_heap(), (ct_database_removed){&o, find_rows});
    ct_database_operation ops[64];
    store_commit(store, &branch, ops, add_operations(ops), objects);
    save(store, &branch, objects);
    expect_stored(store, objects);
    // Changes, removals, and what comes back after it was removed and stored.
    ct_database_operation changes[] = {
        store_number(1, "n0", 9),
        store_number(1, "n1", 0),
        store_element(CT_DATABASE_REMOVE_FROM_SET, 4, "children", 2),
        {.type = CT_DATABASE_DESTROY, .object = store_guid(2)},
        store_create(5),
    };
    changes[1].value.kind = CT_DATABASE_NULL;
    store_commit(store, &branch, changes, CT_COUNT_OF(changes), objects);
    save(store, &branch, objects);
    expect_stored(store, objects);
    const ct_database_operation back[] = {
        store_number(1, "n1", 4),
        store_element(CT_DATABASE_ADD_TO_SET, 4, "children", 2),
        store_element(CT_DATABASE_REMOVE_FROM_SET, 4, "children", 7),
        store_create(2),
        store_text(2, "text", "new"),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(back); ++i)
        store_commit(store, &branch, &back[i], 1, objects);
    save(store, &branch, objects);
    expect_stored(store, objects);
    ct_database_state_destroy(objects);
    ct_database_branch_free(&branch);
    store_close(store);
}

static void a_new_branch_has_the_state(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    ct_error error = {0};
    ct_database_branch branch = store_branch(store, "main");
    ct_database_state *const objects =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    ct_database_operation ops[64];
    store_commit(store, &branch, ops, add_operations(ops), objects);
    save(store, &branch, objects);
    assert_true(store->functions->create_branch(store, "copy", store_guid(50), "main", &error));
    char *const expected = store_dump(objects), *const found = store_load_dump(store, "copy");
    assert_string_equal(found, expected);
    assert_true(store->functions->remove_branch(store, "main", &error));
    char *const still = store_load_dump(store, "copy");
    assert_string_equal(still, expected);
    expect_sound(store);
    ct_free(test_heap(), expected);
    ct_free(test_heap(), found);
    ct_free(test_heap(), still);
    ct_database_state_destroy(objects);
    ct_database_branch_free(&branch);
    store_close(store);
}

static void an_older_state_does_not_replace_a_later_one(void **state) {
    (void)state;
    NEED_SERVER();
    const char *const location = store_new_location();
    ct_database_store *const one = store_open(location), *const two = store_open(location);
    ct_error error = {0};
    ct_database_branch first = store_branch(one, "main");
    ct_database_state *const old = ct_database_state_create(test_heap(), (ct_database_removed){0});
    ct_database_state *const later =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    const ct_database_operation op = store_create(1), next = store_create(2);
    store_commit(one, &first, &op, 1, old);
    ct_database_branch second = store_branch(two, "main");
    // The later one makes its own commit, which the old one does not know.
    ct_database_state_apply(later, &(ct_database_commit){.stamp = first.has.stamps.items[0]});
    store_commit(two, &second, &next, 1, later);
    save(two, &second, later);
    bool saved = true;
    assert_true(one->functions->save_state(one, &first, old, &first.has, &saved, &error));
    assert_false(saved);
    assert_int_equal(first.state.stamps.count, 0);
    // Loading says up to where.
    ct_database_state *const loaded =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    assert_true(one->functions->load_state(one, &first, loaded, &error));
    assert_true(ct_database_vector_covers(&first.state, &second.has));
    ct_database_state_destroy(loaded);
    ct_database_state_destroy(old);
    ct_database_state_destroy(later);
    ct_database_branch_free(&first);
    ct_database_branch_free(&second);
    store_close(one);
    store_close(two);
}

// --- Blobs and local changes ---------------------------------------------------------------------

static uint8_t byte_at(uint64_t place) {
    return (uint8_t)(place * 2654435761u >> 13);
}

static void fill(uint8_t *bytes, uint64_t begin, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        bytes[i] = byte_at(begin + i);
}

static uint32_t piece_bytes(uint64_t size_bytes, uint64_t begin) {
    return size_bytes - begin < CT_DATABASE_BLOB_PIECE_BYTES ? (uint32_t)(size_bytes - begin)
                                                             : CT_DATABASE_BLOB_PIECE_BYTES;
}

static ct_database_blob write_blob(ct_database_store *store, uint64_t size_bytes, uint8_t *piece) {
    ct_error error = {0};
    ct_database_blob blob = {.size_bytes = size_bytes};
    ct_content_hasher *const hasher = ct_content_hasher_create(test_heap());
    for (uint64_t begin = 0; begin < size_bytes; begin += CT_DATABASE_BLOB_PIECE_BYTES) {
        fill(piece, begin, piece_bytes(size_bytes, begin));
        ct_content_hasher_add(hasher, piece, piece_bytes(size_bytes, begin));
    }
    ct_content_hasher_finish(hasher, blob.hash);
    uint32_t number = 0;
    for (uint64_t begin = 0; begin < size_bytes || number == 0;
         begin += CT_DATABASE_BLOB_PIECE_BYTES, ++number) {
        bool has = true;
        assert_true(store->functions->has_blob(store, &blob, &has, &error));
        assert_false(has);
        fill(piece, begin, piece_bytes(size_bytes, begin));
        if (!store->functions->write_piece(store, &blob, number, piece,
                                           piece_bytes(size_bytes, begin), &error))
            fail_msg("%s", error.message);
    }
    return blob;
}

static void expect_blob(ct_database_store *store, const ct_database_blob *blob, uint8_t *piece) {
    ct_error error = {0};
    bool has = false;
    assert_true(store->functions->has_blob(store, blob, &has, &error));
    assert_true(has);
    uint32_t number = 0;
    for (uint64_t begin = 0; begin < blob->size_bytes || number == 0;
         begin += CT_DATABASE_BLOB_PIECE_BYTES, ++number) {
        uint32_t size_bytes = 0;
        if (!store->functions->read_piece(store, blob, number, piece, &size_bytes, &error))
            fail_msg("%s", error.message);
        assert_int_equal(size_bytes, piece_bytes(blob->size_bytes, begin));
        for (uint32_t i = 0; i < size_bytes; ++i)
            if (piece[i] != byte_at(begin + i))
                fail_msg("piece %u differs at byte %u", number, i);
    }
}

static bool keeps_first(void *user, const ct_database_blob *blob) {
    return memcmp(user, blob->hash, sizeof(blob->hash)) == 0;
}

static void blobs_are_kept_in_pieces(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    ct_error error = {0};
    uint8_t *const piece = ct_alloc(test_heap(), CT_DATABASE_BLOB_PIECE_BYTES);
    const uint64_t long_bytes = getenv("CUTTLE_TEST_LONG") ? UINT64_C(1) << 30 : (3u << 20) + 17;
    ct_database_blob blobs[] = {write_blob(store, long_bytes, piece), write_blob(store, 0, piece),
                                write_blob(store, 1 << 20, piece), write_blob(store, 5, piece)};
    for (uint32_t i = 0; i < CT_COUNT_OF(blobs); ++i)
        expect_blob(store, &blobs[i], piece);
    char *const faults = store_check(store);
    assert_string_equal(faults, "");
    ct_free(test_heap(), faults);
    // One that was never finished is not there, and goes.
    const ct_database_blob half = {.hash = {3}, .size_bytes = 3 << 20};
    bool has = true;
    assert_true(f->write_piece(store, &half, 0, piece, 1 << 20, &error));
    assert_true(f->has_blob(store, &half, &has, &error));
    assert_false(has);
    assert_false(f->write_piece(store, &half, 2, piece, 1 << 20, &error));
    assert_non_null(strstr(error.message, "1 of 2 pieces"));
    uint64_t freed = 0;
    assert_true(f->begin(store, NULL, &error));
    assert_true(f->collect_blobs(store, keeps_first, blobs[0].hash, &freed, &error));
    assert_true(f->end(store, NULL, true, &error));
    assert_int_equal(freed, (1 << 20) + 5);
    expect_blob(store, &blobs[0], piece);
    for (uint32_t i = 1; i < CT_COUNT_OF(blobs); ++i) {
        assert_true(f->has_blob(store, &blobs[i], &has, &error));
        assert_false(has);
    }
    uint32_t size_bytes;
    assert_false(f->read_piece(store, &half, 0, piece, &size_bytes, &error));
    assert_non_null(strstr(error.message, "missing"));
    ct_free(test_heap(), piece);
    store_close(store);
}

static void add_size(void *user, const char *text, uint64_t size_bytes) {
    (void)text;
    *(uint64_t *)user += size_bytes;
}

static void local_changes_are_kept_by_branch_and_owner(void **state) {
    (void)state;
    NEED_SERVER();
    const char *const location = store_new_location();
    ct_database_store *store = store_open(location);
    ct_error error = {0};
    ct_database_branch first = store_branch(store, "first"), second = store_branch(store, "second");
    ct_byte_array text;
    ct_array_init(&text, test_heap());
    assert_true(store->functions->read_local(store, &first, "me", &text, &error));
    assert_int_equal(text.count, 0);
    assert_true(store->functions->write_local(store, &first, "me", "one", 3, &error));
    assert_true(store->functions->write_local(store, &first, "me", "one\ntwo\n", 8, &error));
    assert_true(store->functions->write_local(store, &first, "Zo\xc3\xab", "more", 4, &error));
    store_close(store);
    store = store_open(location);
    assert_true(store->functions->read_local(store, &second, "me", &text, &error));
    assert_true(store->functions->read_local(store, &first, "", &text, &error));
    assert_int_equal(text.count, 0);
    uint64_t all_bytes = 0;
    assert_true(store->functions->each_local(store, add_size, &all_bytes, &error));
    assert_int_equal(all_bytes, 12);
    assert_true(store->functions->read_local(store, &first, "me", &text, &error));
    assert_int_equal(text.count, 8);
    assert_memory_equal(text.items, "one\ntwo\n", 8);
    // Within a commit they go with it.
    assert_true(store->functions->begin(store, &first, &error));
    assert_true(store->functions->write_local(store, &first, "me", "", 0, &error));
    assert_true(store->functions->end(store, &first, false, &error));
    text.count = 0;
    assert_true(store->functions->read_local(store, &first, "me", &text, &error));
    assert_int_equal(text.count, 8);
    assert_true(store->functions->begin(store, &first, &error));
    assert_true(store->functions->write_local(store, &first, "me", "", 0, &error));
    assert_true(store->functions->end(store, &first, true, &error));
    text.count = 0;
    assert_true(store->functions->read_local(store, &first, "me", &text, &error));
    assert_int_equal(text.count, 0);
    assert_true(store->functions->read_local(store, &first, "Zo\xc3\xab", &text, &error));
    assert_int_equal(text.count, 4);
    ct_array_free(&text);
    ct_database_branch_free(&first);
    ct_database_branch_free(&second);
    store_close(store);
}

// --- Queries -------------------------------------------------------------------------------------

static bool add_row(void *user, uint32_t num_columns, const char *const *columns, bool is_names) {
    (void)is_names;
    for (uint32_t i = 0; i < num_columns; ++i)
        ct_string_builder_addf(user, "%s%s", i > 0 ? "|" : "", columns[i] ? columns[i] : "NULL");
    ct_string_builder_add_char(user, '\n');
    return true;
}

static void expect_query(ct_database_store *store, const ct_database_branch *branch,
                         const char *sql, const char *expected) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_error error = {0};
    if (!store->functions->query(store, branch, sql, add_row, &out, &error))
        fail_msg("%s: %s", sql, error.message);
    assert_string_equal(ct_string_builder_text(&out), expected);
    ct_string_builder_free(&out);
}

static void queries_read_views(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    ct_database_branch branch = store_branch(store, "main");
    ct_database_branch empty = store_branch(store, "empty");
    ct_database_state *const objects =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    ct_database_operation ops[64];
    store_commit(store, &branch, ops, add_operations(ops), objects);
    const ct_database_operation gone[] = {store_create(30),
                                          store_number(30, "x", 1),
                                          {.type = CT_DATABASE_DESTROY, .object = store_guid(30)}};
    store_commit(store, &branch, gone, 3, objects);
    save(store, &branch, objects);
    expect_query(store, &branch, "SELECT count(*) AS n FROM object", "n\n5\n");
    expect_query(store, &empty, "SELECT * FROM object",
                 "guid\n00000000-0000-0000-0000-000000000000\n");
    expect_query(store, &branch, "select value as v from value where key = 'text';",
                 "v\nGrüße, 世界\n");
    expect_query(store, &branch,
                 "SELECT kind, value FROM value WHERE key IN ('yes', 'no') "
                 "ORDER BY value",
                 "kind|value\nbool|0\nbool|1\n");
    char expected[256], guids[3][CT_GUID_TEXT_BYTES];
    for (uint32_t i = 0; i < 3; ++i)
        ct_guid_format(store_guid(i + 1), guids[i]);
    snprintf(expected, sizeof(expected), "kind|value\nreference|%s\n", guids[0]);
    expect_query(store, &branch, "SELECT kind, value FROM value WHERE key = 'friend'", expected);
    expect_query(store, &branch,
                 "SELECT kind, value FROM value WHERE key IN ('children', 'set', "
                 "'no elements')",
                 "kind|value\nset|NULL\nset|NULL\nset|NULL\n");
    expect_query(store, &branch, "SELECT element FROM element WHERE key = 'set' ORDER BY element",
                 "element\n01000000-0000-0000-0000-000000000000\n"
                 "02010000-0000-0000-0000-000000000000\n");
    expect_query(store, &branch, "SELECT count(*) AS n FROM element WHERE key = 'children'",
                 "n\n3\n");
    expect_query(store, &branch, "SELECT value AS v FROM value WHERE key = 'blob'",
                 "v\nfe010200000000000000000000000000\n");
    expect_query(store, &empty, "SELECT * FROM value", "object|key|kind|value\n");
    ct_database_state_destroy(objects);
    ct_database_branch_free(&branch);
    ct_database_branch_free(&empty);
    store_close(store);
}

static void queries_only_read(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    ct_database_branch branch = store_branch(store, "main");
    static const char *const refused[] = {"DELETE FROM value",
                                          "INSERT INTO object VALUES('x')",
                                          "DROP TABLE log",
                                          "PRAGMA journal_mode=DELETE",
                                          "ATTACH 'x.db' AS x",
                                          "VACUUM",
                                          "BEGIN",
                                          "COMMIT",
                                          "",
                                          "SELECT 1; DELETE FROM value",
                                          "CREATE TABLE x(y)",
                                          "SELECT FROM WHERE",
                                          "SELECT * FROM nothing",
                                          "WITH x AS (SELECT 1) DELETE FROM value",
                                          "SELECT load_extension('x')",
                                          "UPDATE value SET value=1",
                                          "COPY (SELECT 1) TO '/tmp/x'",
                                          "COMMIT; SELECT 1",
                                          "SELECT nextval('cuttle.branch_id_seq')",
                                          "/* */ DELETE FROM log"};
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    for (uint32_t i = 0; i < CT_COUNT_OF(refused); ++i) {
        ct_error error = {0};
        if (store->functions->query(store, &branch, refused[i], add_row, &out, &error))
            fail_msg("not refused: %s", refused[i]);
        assert_true(error.message[0]);
    }
    ct_string_builder_free(&out);
    // It goes on working.
    store_commit(store, &branch, (ct_database_operation[]){store_create(1)}, 1, NULL);
    ct_database_branch_free(&branch);
    store_close(store);
}

// --- Both kinds ----------------------------------------------------------------------------------

#define TESTS(X)                                                                                   \
    X(branches_are_made_listed_and_removed)                                                        \
    X(a_branch_of_a_replica_that_was_removed_starts_again)                                         \
    X(commits_come_back_in_the_order_of_stamps)                                                    \
    X(reading_can_stop_and_finds_what_is_missing)                                                  \
    X(undone_commits_leave_nothing)                                                                \
    X(copies_of_one_file_that_went_apart_are_noticed)                                              \
    X(two_connections_see_each_other)                                                              \
    X(two_processes_write_at_once)                                                                 \
    X(a_state_comes_back_as_it_was)                                                                \
    X(a_new_branch_has_the_state)                                                                  \
    X(an_older_state_does_not_replace_a_later_one)                                                 \
    X(blobs_are_kept_in_pieces)                                                                    \
    X(local_changes_are_kept_by_branch_and_owner)                                                  \
    X(queries_read_views)                                                                          \
    X(queries_only_read)

static int setup_server(void **state) {
    const int result = test_group_setup(state);
    store_is_server = true;
    has_server = store_server_start();
    return result;
}

static int teardown_server(void **state) {
    if (has_server)
        store_server_stop();
    store_is_server = false;
    return test_group_teardown(state);
}

int main(void) {
#define FILE_TEST(test) {.name = "file: " #test, .test_func = test},
#define SERVER_TEST(test) {.name = "server: " #test, .test_func = test},
    const struct CMUnitTest files[] = {TESTS(FILE_TEST)}, servers[] = {TESTS(SERVER_TEST)};
    const int failed = cmocka_run_group_tests(files, test_group_setup, test_group_teardown);
    return failed + cmocka_run_group_tests(servers, setup_server, teardown_server);
}
