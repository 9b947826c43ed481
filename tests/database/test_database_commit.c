// Commits as bytes: they read back, and damage of any kind is found.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database/database_commit.h"
#include "resource/blob/content_hash.h"
#include "support/test_support.h"

static const ct_guid thing = {.bytes = {9, 8, 7}};

static void push(ct_database_commit *commit, ct_database_operation_type type, ct_guid object,
                 const char *key, ct_database_value value) {
    ct_database_operations_push(
        &commit->operations,
        &(ct_database_operation){type, object, key, key ? (uint32_t)strlen(key) : 0, value});
}

static void make(ct_database_commit *commit) {
    static const ct_guid items[] = {{.bytes = {1}}, {.bytes = {2}}};
    ct_database_commit_init(commit, test_heap());
    commit->stamp = (ct_database_stamp){(uint64_t)1764500000000 << 16, {.bytes = {5}}};
    commit->previous = 9 << 16;
    commit->since = 8 << 16;
    ct_database_vector_add(&commit->seen, (ct_database_stamp){7 << 16, {.bytes = {4}}});
    ct_database_vector_add(&commit->seen, (ct_database_stamp){8 << 16, {.bytes = {5}}});
    commit->author = "J\xc3\xbcrgen";
    commit->message = "Two lines\nof text";
    push(commit, CT_DATABASE_CREATE, thing, NULL, (ct_database_value){0});
    push(commit, CT_DATABASE_CHANGE_KEY, thing, "name",
         (ct_database_value){.kind = CT_DATABASE_STRING, .string = {"a\0b", 3}});
    push(commit, CT_DATABASE_CHANGE_KEY, thing, "height",
         (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = -0.0});
    push(commit, CT_DATABASE_CHANGE_KEY, thing, "width",
         (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = NAN});
    push(commit, CT_DATABASE_CHANGE_KEY, thing, "is_on",
         (ct_database_value){.kind = CT_DATABASE_BOOL, .truth = true});
    push(commit, CT_DATABASE_CHANGE_KEY, items[0], "is_on",
         (ct_database_value){.kind = CT_DATABASE_BOOL, .truth = false});
    push(commit, CT_DATABASE_CHANGE_KEY, items[0], "none", (ct_database_value){0});
    push(commit, CT_DATABASE_CHANGE_KEY, items[0], "pixels",
         (ct_database_value){.kind = CT_DATABASE_BLOB, .blob = {{1, 2, 3}, UINT64_C(1) << 40}});
    push(commit, CT_DATABASE_CHANGE_KEY, items[0], "parent",
         (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = thing});
    push(commit, CT_DATABASE_CHANGE_KEY, items[0], "children",
         (ct_database_value){.kind = CT_DATABASE_SET, .set = {items, 2}});
    push(commit, CT_DATABASE_CHANGE_KEY, items[0], "others",
         (ct_database_value){.kind = CT_DATABASE_SET});
    push(commit, CT_DATABASE_ADD_TO_SET, (ct_guid){{0}}, "children",
         (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = thing});
    push(commit, CT_DATABASE_REMOVE_FROM_SET, (ct_guid){{0}}, "children",
         (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = items[1]});
    push(commit, CT_DATABASE_DESTROY, items[1], NULL, (ct_database_value){0});
}

static void encode(const ct_database_commit *commit, ct_byte_array *bytes) {
    ct_error error = {0};
    ct_array_init(bytes, test_heap());
    if (!ct_database_commit_encode(commit, bytes, &error))
        fail_msg("%s", error.message);
}

static void commits_read_back(void **state) {
    (void)state;
    ct_database_commit commit, read;
    ct_byte_array bytes, again;
    ct_error error = {0};
    make(&commit);
    encode(&commit, &bytes);
    ct_database_commit_init(&read, test_heap());
    assert_true(ct_database_commit_decode(&read, bytes.items, bytes.count, &error));
    assert_int_equal(ct_database_stamp_compare(read.stamp, commit.stamp), 0);
    assert_string_equal(read.author, commit.author);
    assert_string_equal(read.message, commit.message);
    assert_int_equal(read.previous, commit.previous);
    assert_int_equal(read.since, commit.since);
    assert_int_equal(read.seen.stamps.count, 2);
    assert_int_equal(read.operations.list.count, commit.operations.list.count);
    for (uint32_t i = 0; i < read.operations.list.count; ++i) {
        const ct_database_operation *const a = &read.operations.list.items[i];
        const ct_database_operation *const b = &commit.operations.list.items[i];
        assert_int_equal(a->type, b->type);
        assert_true(ct_guid_is_equal(a->object, b->object));
        assert_int_equal(a->key_length, b->key_length);
        if (b->key)
            assert_string_equal(a->key, b->key);
        assert_true(ct_database_value_is_equal(&a->value, &b->value));
    }
    assert_true(signbit(read.operations.list.items[2].value.number));
    assert_string_equal(read.operations.list.items[1].value.string.text + 2, "b");
    encode(&read, &again);
    assert_int_equal(again.count, bytes.count);
    assert_memory_equal(again.items, bytes.items, bytes.count);
    ct_array_free(&again);
    ct_array_free(&bytes);
    ct_database_commit_free(&read);
    ct_database_commit_free(&commit);
}

static void damage_of_any_bit_is_found(void **state) {
    (void)state;
    ct_database_commit commit, read;
    ct_byte_array bytes;
    make(&commit);
    encode(&commit, &bytes);
    ct_database_commit_init(&read, test_heap());
    for (uint32_t i = 0; i < bytes.count * 8; ++i) {
        ct_error error = {0};
        bytes.items[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_false(ct_database_commit_decode(&read, bytes.items, bytes.count, &error));
        assert_true(error.message[0] != '\0');
        assert_int_equal(read.operations.list.count, 0);
        bytes.items[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (uint32_t i = 0; i < bytes.count; ++i) {
        ct_error error = {0};
        assert_false(ct_database_commit_decode(&read, bytes.items, i, &error));
        assert_true(error.message[0] != '\0');
    }
    ct_array_free(&bytes);
    ct_database_commit_free(&read);
    ct_database_commit_free(&commit);
}

// Writes the checksum of bytes that were changed.
static void sign(ct_byte_array *bytes) {
    const uint32_t end = bytes->count - 8;
    const uint64_t hash = ct_content_hash(bytes->items, end);
    for (uint32_t i = 0; i < 8; ++i)
        bytes->items[end + i] = (uint8_t)(hash >> 8 * i);
}

// Bytes that someone wrote on purpose: what is read is what would be written.
static void signed_damage_is_refused_or_the_only_way_to_write_it(void **state) {
    (void)state;
    ct_database_commit commit, read;
    ct_byte_array bytes;
    make(&commit);
    encode(&commit, &bytes);
    ct_database_commit_init(&read, test_heap());
    uint32_t num_read = 0;
    for (uint32_t i = 0; i < (bytes.count - 8) * 8; ++i) {
        ct_error error = {0};
        bytes.items[i / 8] ^= (uint8_t)(1 << i % 8);
        sign(&bytes);
        if (ct_database_commit_decode(&read, bytes.items, bytes.count, &error)) {
            ct_byte_array again;
            encode(&read, &again);
            assert_int_equal(again.count, bytes.count);
            assert_memory_equal(again.items, bytes.items, bytes.count);
            ct_array_free(&again);
            ++num_read;
        } else {
            assert_true(error.message[0] != '\0');
        }
        bytes.items[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    assert_true(num_read > 100); // as of a GUID
    ct_array_free(&bytes);
    ct_database_commit_free(&read);
    ct_database_commit_free(&commit);
}

static void expect_refused(ct_database_commit *commit, const char *message) {
    ct_byte_array bytes;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    assert_false(ct_database_commit_encode(commit, &bytes, &error));
    assert_int_equal(bytes.count, 0);
    if (!strstr(error.message, message))
        fail_msg("found \"%s\"; expected \"%s\"", error.message, message);
    ct_array_free(&bytes);
    ct_database_commit_free(commit);
    make(commit);
}

static void what_could_not_be_read_is_not_written(void **state) {
    (void)state;
    ct_database_commit commit;
    make(&commit);
    commit.stamp.time = 0;
    expect_refused(&commit, "expected one to 3999");
    commit.stamp.time = CT_DATABASE_MAX_TIME + 1;
    expect_refused(&commit, "expected one to 3999");
    commit.stamp.replica = (ct_guid){{0}};
    expect_refused(&commit, "GUID of zeros");
    commit.previous = commit.stamp.time;
    expect_refused(&commit, "follows one of");
    commit.since = commit.previous + 1;
    expect_refused(&commit, "was made with those since");
    ct_database_vector_add(&commit.seen, commit.stamp);
    expect_refused(&commit, "expected times before its own");
    char *const text = calloc(CT_DATABASE_MAX_MESSAGE_BYTES + 2, 1);
    memset(text, 'm', CT_DATABASE_MAX_MESSAGE_BYTES + 1);
    commit.message = text;
    expect_refused(&commit, "the message of a commit has 4096 bytes; expected at most 4095");
    commit.author = text;
    expect_refused(&commit, "the author of a commit has 4096 bytes; expected at most 255");
    commit.author = "\xff";
    expect_refused(&commit, "the author of a commit is not UTF-8");
    push(&commit, CT_DATABASE_DESTROY, (ct_guid){{0}}, NULL, (ct_database_value){0});
    expect_refused(&commit, "operation 15 of a commit: destroy of the object");
    free(text);
    ct_database_commit_free(&commit);
}

static void commits_have_a_largest_size(void **state) {
    (void)state;
    ct_database_commit commit;
    make(&commit);
    const uint32_t length = CT_DATABASE_MAX_STRING_BYTES;
    char *const text = calloc(length + 1, 1);
    const ct_database_value value = {.kind = CT_DATABASE_STRING, .string = {text, length}};
    for (uint32_t i = 0; i < CT_DATABASE_MAX_COMMIT_BYTES / CT_DATABASE_MAX_STRING_BYTES; ++i)
        ct_array_push(&commit.operations.list,
                      (ct_database_operation){CT_DATABASE_CHANGE_KEY, thing, "k", 1, value});
    expect_refused(&commit, "commit part of the changes at a time");
    free(text);
    ct_database_commit_free(&commit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commits_read_back),
        cmocka_unit_test(damage_of_any_bit_is_found),
        cmocka_unit_test(signed_damage_is_refused_or_the_only_way_to_write_it),
        cmocka_unit_test(what_could_not_be_read_is_not_written),
        cmocka_unit_test(commits_have_a_largest_size),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
