#include "database/database_fixture.h"

#include "foundation/os/os.h"

int64_t database_wall_ns = INT64_C(1764500000000000000);

static int64_t wall_ns(void) {
    return database_wall_ns;
}

const char *database_path(const char *name) {
    static char path[CT_PATH_BYTES];
    static const char *folder;
    if (!folder)
        folder = test_scratch_folder();
    assert_true(ct_path_try_join(path, folder, name));
    return path;
}

ct_database *database_open(const char *location, const char *branch) {
    ct_error error = {0};
    const ct_database_desc desc = {.location = location,
                                   .branch = branch,
                                   .author = "test",
                                   .may_create = true,
                                   .wall_ns = wall_ns};
    ct_database *const db = ct_database_open(test_heap(), &desc, &error);
    if (!db)
        fail_msg("%s", error.message);
    return db;
}

ct_guid database_object(uint32_t number) {
    char name[16];
    snprintf(name, sizeof(name), "%u", number);
    return ct_guid_make_named((ct_guid){.bytes = {1}}, name);
}

static void change(ct_database *db, const ct_database_operation *op) {
    ct_error error = {0};
    if (!ct_database_change(db, op, &error))
        fail_msg("%s", error.message);
}

void database_create(ct_database *db, ct_guid object) {
    change(db, &(ct_database_operation){.type = CT_DATABASE_CREATE, .object = object});
}

void database_destroy(ct_database *db, ct_guid object) {
    change(db, &(ct_database_operation){.type = CT_DATABASE_DESTROY, .object = object});
}

ct_database_operation database_number_operation(ct_guid object, const char *key, double number) {
    return (ct_database_operation){.type = CT_DATABASE_CHANGE_KEY,
                                   .object = object,
                                   .key = key,
                                   .key_length = (uint32_t)strlen(key),
                                   .value = {.kind = CT_DATABASE_NUMBER, .number = number}};
}

void database_set_number(ct_database *db, ct_guid object, const char *key, double number) {
    const ct_database_operation op = database_number_operation(object, key, number);
    change(db, &op);
}

void database_set_text(ct_database *db, ct_guid object, const char *key, const char *text) {
    ct_database_operation op = database_number_operation(object, key, 0);
    op.value =
        (ct_database_value){.kind = CT_DATABASE_STRING, .string = {text, (uint32_t)strlen(text)}};
    change(db, &op);
}

static void change_element(ct_database *db, ct_database_operation_type type, ct_guid object,
                           const char *key, ct_guid element) {
    ct_database_operation op = database_number_operation(object, key, 0);
    op.type = type;
    op.value = (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = element};
    change(db, &op);
}

void database_add(ct_database *db, ct_guid object, const char *key, ct_guid element) {
    change_element(db, CT_DATABASE_ADD_TO_SET, object, key, element);
}

void database_remove(ct_database *db, ct_guid object, const char *key, ct_guid element) {
    change_element(db, CT_DATABASE_REMOVE_FROM_SET, object, key, element);
}

void database_commit(ct_database *db) {
    ct_error error = {0};
    if (!ct_database_commit_local(db, NULL, 0, "", &error))
        fail_msg("%s", error.message);
}

void database_merge(ct_database *db, ct_database *from) {
    ct_error error = {0};
    if (!ct_database_merge(db, ct_database_get_store(from), ct_database_get_branch(from)->name,
                           NULL, NULL, &error))
        fail_msg("%s", error.message);
}

double database_number(const ct_database *db, ct_guid object, const char *key) {
    const ct_database_value value = ct_database_get(db, object, key);
    assert_int_equal(value.kind, CT_DATABASE_NUMBER);
    return value.number;
}

uint32_t database_num_conflicts(const ct_database *db) {
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, test_heap());
    ct_database_state_conflicts(ct_database_committed(db), &conflicts);
    const uint32_t count = conflicts.count;
    ct_array_free(&conflicts);
    return count;
}

char *database_dump(const ct_database *db) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_database_state_dump(ct_database_committed(db), &out);
    char *const text = ct_copy_string(test_heap(), ct_string_builder_text(&out));
    ct_string_builder_free(&out);
    return text;
}

void database_expect_equal(const ct_database *a, const ct_database *b) {
    char *const first = database_dump(a), *const second = database_dump(b);
    assert_string_equal(first, second);
    ct_free(test_heap(), first);
    ct_free(test_heap(), second);
}
