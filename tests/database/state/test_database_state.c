// A state rule by rule: what covers what, who wins, what is a conflict, what leaves memory and comes back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database/state/database_state.h"
#include "foundation/math/random.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

static const ct_guid root, thing = {.bytes = {7}};
static const ct_guid one = {.bytes = {1}}, two = {.bytes = {2}}, three = {.bytes = {3}};
static const ct_guid ann = {.bytes = {0xa}}, bob = {.bytes = {0xb}};

// --- What tests do -------------------------------------------------------------------------------------

static ct_database_state *make_state(void) {
    return ct_database_state_create(test_heap(), (ct_database_removed){0});
}

static ct_database_operation operation(ct_database_operation_type type, ct_guid object,
                                       const char *key, ct_database_value value) {
    return (ct_database_operation){type, object, key, key ? (uint32_t)strlen(key) : 0, value};
}

static ct_database_operation create(ct_guid object) {
    return operation(CT_DATABASE_CREATE, object, NULL, (ct_database_value){0});
}

static ct_database_operation destroy(ct_guid object) {
    return operation(CT_DATABASE_DESTROY, object, NULL, (ct_database_value){0});
}

static ct_database_operation number(ct_guid object, const char *key, double value) {
    return operation(CT_DATABASE_CHANGE_KEY, object, key,
                     (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = value});
}

static ct_database_operation null(ct_guid object, const char *key) {
    return operation(CT_DATABASE_CHANGE_KEY, object, key, (ct_database_value){0});
}

static ct_database_operation set(ct_guid object, const char *key, const ct_guid *items,
                                 uint32_t count) {
    return operation(CT_DATABASE_CHANGE_KEY, object, key,
                     (ct_database_value){.kind = CT_DATABASE_SET, .set = {items, count}});
}

static ct_database_operation element(ct_database_operation_type type, ct_guid object,
                                     const char *key, ct_guid guid) {
    return operation(type, object, key,
                     (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = guid});
}

static ct_database_operation add(ct_guid object, const char *key, ct_guid guid) {
    return element(CT_DATABASE_ADD_TO_SET, object, key, guid);
}

static ct_database_operation removal(ct_guid object, const char *key, ct_guid guid) {
    return element(CT_DATABASE_REMOVE_FROM_SET, object, key, guid);
}

// Applies operations as one commit at `time`, whose author had seen Ann's commits up to `seen_ann`, Bob's to `seen_bob`.
static void apply(ct_database_state *s, ct_guid replica, uint64_t time, uint64_t seen_ann,
                  uint64_t seen_bob, const ct_database_operation *operations, uint32_t count) {
    ct_database_commit commit;
    ct_database_commit_init(&commit, test_heap());
    commit.stamp = (ct_database_stamp){time, replica};
    ct_database_vector_add(&commit.seen, (ct_database_stamp){seen_ann, ann});
    ct_database_vector_add(&commit.seen, (ct_database_stamp){seen_bob, bob});
    for (uint32_t i = 0; i < count; ++i)
        ct_database_operations_push(&commit.operations, &operations[i]);
    ct_database_state_apply(s, &commit);
    ct_database_commit_free(&commit);
}

static void by_ann(ct_database_state *s, uint64_t time, uint64_t seen_ann, uint64_t seen_bob,
                   ct_database_operation o) {
    apply(s, ann, time, seen_ann, seen_bob, &o, 1);
}

static void by_bob(ct_database_state *s, uint64_t time, uint64_t seen_ann, uint64_t seen_bob,
                   ct_database_operation o) {
    apply(s, bob, time, seen_ann, seen_bob, &o, 1);
}

static ct_database_value get(const ct_database_state *s, ct_guid object, const char *key) {
    return ct_database_state_get(s, object, key, (uint32_t)strlen(key));
}

static void expect_number(const ct_database_state *s, ct_guid object, const char *key,
                          double expected) {
    const ct_database_value value = get(s, object, key);
    assert_int_equal(value.kind, CT_DATABASE_NUMBER);
    assert_true(value.number == expected);
}

// The first bytes of a set's elements.
static void expect_set(const ct_database_state *s, ct_guid object, const char *key,
                       const char *expected) {
    const ct_database_value value = get(s, object, key);
    char found[16] = "";
    assert_int_equal(value.kind, CT_DATABASE_SET);
    assert_true(value.set.count < sizeof(found));
    for (uint32_t i = 0; i < value.set.count; ++i) {
        found[i] = (char)('0' + value.set.items[i].bytes[0]);
        assert_true(ct_database_state_has_element(s, object, key, (uint32_t)strlen(key),
                                                  value.set.items[i]));
    }
    assert_string_equal(found, expected);
}

static void expect_nothing(const ct_database_state *s, ct_guid object, const char *key) {
    assert_int_equal(get(s, object, key).kind, CT_DATABASE_NULL);
}

// Conflicts as `won operation > lost operation` with the times of both.
static void expect_conflicts(const ct_database_state *s, const char *expected) {
    ct_database_conflict_array conflicts;
    ct_string_builder text;
    ct_array_init(&conflicts, test_heap());
    ct_string_builder_init(&text, test_heap());
    ct_database_state_conflicts(s, &conflicts);
    for (uint32_t i = 0; i < conflicts.count; ++i)
        ct_string_builder_addf(&text, "%s%s %llu > %s %llu", i > 0 ? ", " : "",
                               ct_database_operation_name(conflicts.items[i].won.operation.type),
                               (unsigned long long)conflicts.items[i].won.stamp.time,
                               ct_database_operation_name(conflicts.items[i].lost.operation.type),
                               (unsigned long long)conflicts.items[i].lost.stamp.time);
    assert_string_equal(ct_string_builder_text(&text), expected);
    ct_database_state_stats stats;
    ct_database_state_stats_get(s, &stats);
    assert_int_equal(stats.num_conflicts, conflicts.count);
    ct_array_free(&conflicts);
    ct_string_builder_free(&text);
}

// --- Values --------------------------------------------------------------------------------------------

static void an_empty_state_has_the_root(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    uint32_t place = 0;
    ct_guid guid = thing;
    assert_true(ct_database_state_has(s, root));
    assert_int_equal(ct_database_state_num_objects(s), 1);
    assert_true(ct_database_state_next_object(s, &place, &guid));
    assert_true(ct_guid_is_none(guid));
    assert_false(ct_database_state_next_object(s, &place, &guid));
    by_ann(s, 1, 0, 0, destroy(root)); // cannot be
    assert_true(ct_database_state_has(s, root));
    assert_int_equal(ct_database_state_num_changes(s), 0);
    ct_database_state_destroy(s);
}

static void a_later_value_covers_what_its_author_had_seen(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    by_ann(s, 1, 0, 0, number(root, "height", 1));
    by_bob(s, 2, 1, 0, number(root, "height", 2));
    expect_number(s, root, "height", 2);
    expect_conflicts(s, "");
    ct_database_row_array rows;
    ct_array_init(&rows, test_heap());
    ct_database_state_rows(s, root, "height", 6, &rows);
    assert_int_equal(rows.count, 1);
    ct_array_free(&rows);
    ct_database_state_destroy(s);
}

static void of_two_values_the_later_one_wins_until_both_are_covered(void **state) {
    (void)state;
    for (uint32_t order = 0; order < 2; ++order) {
        ct_database_state *const s = make_state();
        if (order == 0)
            by_ann(s, 1, 0, 0, number(root, "height", 1));
        by_bob(s, 2, 0, 0, number(root, "height", 2));
        if (order == 1)
            by_ann(s, 1, 0, 0, number(root, "height", 1));
        expect_number(s, root, "height", 2);
        expect_conflicts(s, "change_key 2 > change_key 1");
        by_bob(s, 3, 0, 2, number(root, "height", 3)); // has not seen Ann's
        expect_conflicts(s, "change_key 3 > change_key 1");
        by_ann(s, 4, 1, 3, number(root, "height", 1));
        expect_number(s, root, "height", 1);
        expect_conflicts(s, "");
        ct_database_state_destroy(s);
    }
}

static void equal_values_are_no_conflict(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    by_ann(s, 1, 0, 0, number(root, "height", 0));
    by_bob(s, 2, 0, 0, number(root, "height", -0.0));
    expect_conflicts(s, "");
    by_ann(s, 3, 1, 0, null(root, "height"));
    expect_nothing(s, root, "height");
    expect_conflicts(s, "change_key 3 > change_key 2");
    ct_database_state_destroy(s);
}

static void values_of_all_kinds_are_kept(void **state) {
    (void)state;
    static const char *const texts[] = {"", "fifteen letters", "sixteen letters!"};
    ct_database_state *const s = make_state();
    uint64_t time = 1;
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i, ++time) {
        const ct_database_value value = {.kind = CT_DATABASE_STRING,
                                         .string = {texts[i], (uint32_t)strlen(texts[i])}};
        by_ann(s, time, time - 1, 0, operation(CT_DATABASE_CHANGE_KEY, root, "k", value));
        assert_string_equal(get(s, root, "k").string.text, texts[i]);
        assert_int_equal(get(s, root, "k").string.length, strlen(texts[i]));
    }
    const ct_database_value blob = {.kind = CT_DATABASE_BLOB, .blob = {{1, 2}, 3}};
    by_ann(s, time, time - 1, 0, operation(CT_DATABASE_CHANGE_KEY, root, "k", blob));
    const ct_database_value found = get(s, root, "k");
    assert_true(ct_database_value_is_equal(&found, &blob));
    ++time;
    char *const large = calloc(1 << 20, 1);
    const ct_database_value text = {.kind = CT_DATABASE_STRING, .string = {large, (1 << 20) - 1}};
    by_ann(s, time, time - 1, 0, operation(CT_DATABASE_CHANGE_KEY, root, "k", text));
    assert_int_equal(get(s, root, "k").string.length, (1 << 20) - 1);
    ++time;
    by_ann(s, time, time - 1, 0, number(root, "k", 1)); // frees it
    free(large);
    ct_database_state_destroy(s);
}

// --- Sets ----------------------------------------------------------------------------------------------

static void elements_are_added_and_removed(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    const ct_guid items[] = {one, two};
    by_ann(s, 1, 0, 0, add(root, "k", two));
    by_bob(s, 2, 0, 0, add(root, "k", one)); // at the same time: no conflict
    expect_set(s, root, "k", "12");
    by_ann(s, 3, 1, 2, removal(root, "k", two));
    expect_set(s, root, "k", "1");
    by_ann(s, 4, 3, 2, removal(root, "k", one));
    expect_nothing(s, root, "k");
    by_ann(s, 5, 4, 2, set(root, "k", items, 2));
    by_ann(s, 6, 5, 2, removal(root, "k", one));
    by_ann(s, 7, 6, 2, add(root, "k", three));
    expect_set(s, root, "k", "23");
    by_ann(s, 8, 7, 2, removal(root, "k", two));
    by_ann(s, 9, 8, 2, removal(root, "k", three));
    expect_set(s, root, "k", ""); // an empty set, as one was given
    assert_false(ct_database_state_has_element(s, root, "k", 1, one));
    expect_conflicts(s, "");
    ct_database_state_destroy(s);
}

static void of_one_element_the_later_operation_counts(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    by_ann(s, 1, 0, 0, add(root, "k", one));
    by_bob(s, 3, 1, 0, removal(root, "k", one));
    by_ann(s, 2, 1, 0, add(root, "k", one)); // again, apart from Bob
    expect_nothing(s, root, "k");
    expect_conflicts(s, "remove_from_set 3 > add_to_set 2");
    by_ann(s, 4, 2, 3, add(root, "k", one));
    expect_set(s, root, "k", "1");
    expect_conflicts(s, "");
    ct_database_state_destroy(s);
}

static void a_later_value_wins_over_elements_that_it_has_not_seen(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    const ct_guid items[] = {one};
    by_ann(s, 1, 0, 0, add(root, "k", one));
    by_ann(s, 2, 1, 0, add(root, "k", two));
    by_bob(s, 3, 0, 0, set(root, "k", items, 1));
    expect_set(s, root, "k", "1");
    expect_conflicts(s, "change_key 3 > add_to_set 2"); // both say the same of one
    by_bob(s, 4, 0, 3, number(root, "k", 5));
    expect_number(s, root, "k", 5);
    expect_conflicts(s, "change_key 4 > add_to_set 1, change_key 4 > add_to_set 2");
    by_bob(s, 5, 2, 4, null(root, "k"));
    expect_conflicts(s, "");
    expect_nothing(s, root, "k");
    ct_database_state_destroy(s);
}

static void later_elements_make_a_set_of_a_value(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    by_ann(s, 1, 0, 0, number(root, "k", 5));
    by_bob(s, 2, 0, 0, removal(root, "k", one));
    expect_number(s, root, "k", 5);
    expect_conflicts(s, "");
    by_bob(s, 3, 0, 2, add(root, "k", two));
    expect_set(s, root, "k", "2");
    expect_conflicts(s, "add_to_set 3 > change_key 1");
    by_ann(s, 4, 1, 0, null(root, "k")); // wins over the element
    expect_nothing(s, root, "k");
    expect_conflicts(s, "change_key 4 > add_to_set 3");
    by_bob(s, 5, 4, 3, add(root, "k", one));
    expect_set(s, root, "k", "1");
    expect_conflicts(s, "change_key 4 > add_to_set 3");
    ct_database_state_destroy(s);
}

static void in_one_commit_later_operations_cover_earlier_ones(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    const ct_guid items[] = {one, two};
    const ct_database_operation operations[] = {
        create(thing),          number(thing, "h", 1),     number(thing, "h", 2),
        add(thing, "k", three), set(thing, "k", items, 2), removal(thing, "k", one),
        add(thing, "k", three)};
    apply(s, ann, 1, 0, 0, operations, CT_COUNT_OF(operations));
    expect_number(s, thing, "h", 2);
    expect_set(s, thing, "k", "23");
    apply(s, ann, 1, 0, 0, operations,
          CT_COUNT_OF(operations)); // harmless, as rows of others' stores may be newer
    expect_number(s, thing, "h", 2);
    expect_set(s, thing, "k", "23");
    expect_conflicts(s, "");
    ct_database_state_destroy(s);
}

// --- Objects -------------------------------------------------------------------------------------------

static void destroy_covers_all_that_was_seen(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    const ct_database_operation operations[] = {create(thing), number(thing, "h", 1),
                                                add(thing, "k", one)};
    apply(s, ann, 1, 0, 0, operations, CT_COUNT_OF(operations));
    assert_true(ct_database_state_has(s, thing));
    assert_int_equal(ct_database_state_num_objects(s), 2);
    by_bob(s, 2, 1, 0, destroy(thing));
    assert_false(ct_database_state_has(s, thing));
    assert_int_equal(ct_database_state_num_objects(s), 1);
    expect_nothing(s, thing, "h");
    by_ann(s, 3, 1, 2, create(thing));
    assert_true(ct_database_state_has(s, thing));
    expect_nothing(s, thing, "h");
    expect_nothing(s, thing, "k");
    expect_conflicts(s, "");
    ct_database_state_destroy(s);
}

static void changes_of_a_destroyed_object_are_lost_until_it_is_created_again(void **state) {
    (void)state;
    for (uint32_t order = 0; order < 2; ++order) {
        ct_database_state *const s = make_state();
        by_ann(s, 1, 0, 0, create(thing));
        const ct_database_operation changes[] = {number(thing, "h", 2), null(thing, "n"),
                                                 add(thing, "k", one), removal(thing, "k", two)};
        if (order == 0)
            by_bob(s, 2, 1, 0, destroy(thing));
        apply(s, ann, 3, 1, 0, changes,
              CT_COUNT_OF(changes)); // later than destroy, which wins all the same
        if (order == 1)
            by_bob(s, 2, 1, 0, destroy(thing));
        assert_false(ct_database_state_has(s, thing));
        expect_nothing(s, thing, "h");
        expect_conflicts(s, "destroy 2 > change_key 3, destroy 2 > add_to_set 3");
        by_ann(s, 4, 3, 2, create(thing));
        expect_number(s, thing, "h", 2);
        expect_set(s, thing, "k", "1");
        expect_conflicts(s, "");
        ct_database_state_destroy(s);
    }
}

static void create_against_destroy(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    by_ann(s, 1, 0, 0, create(thing));
    by_bob(s, 2, 0, 0, create(thing)); // the same GUID, as an import has it: no conflict
    expect_conflicts(s, "");
    by_ann(s, 3, 1, 0, destroy(thing)); // has not seen Bob's
    assert_false(ct_database_state_has(s, thing));
    expect_conflicts(s, "destroy 3 > create 2");
    by_bob(s, 4, 1, 2, create(thing));
    assert_true(ct_database_state_has(s, thing));
    expect_conflicts(s, "create 4 > destroy 3");
    by_bob(s, 5, 3, 4, create(thing));
    expect_conflicts(s, "");
    ct_database_state_destroy(s);
}

static void objects_may_have_many_keys(void **state) {
    (void)state;
    enum { NUM_KEYS = 3000 };
    ct_database_state *const s = make_state();
    ct_database_commit commit;
    ct_database_commit_init(&commit, test_heap());
    commit.stamp = (ct_database_stamp){1, ann};
    for (uint32_t i = 0; i < 2 * NUM_KEYS; ++i) {
        char key[16];
        snprintf(key, sizeof(key), "key%u", i % NUM_KEYS);
        const ct_database_operation o = number(i < NUM_KEYS ? root : thing, key, i);
        ct_database_operations_push(&commit.operations, &o);
    }
    const ct_database_operation o = create(thing);
    ct_database_operations_push(&commit.operations, &o);
    ct_database_state_apply(s, &commit);
    ct_database_commit_free(&commit);
    uint32_t place = 0, count = 0, length;
    const char *key;
    while (ct_database_state_next_key(s, thing, &place, &key, &length)) {
        expect_number(s, thing, key, NUM_KEYS + atoi(key + 3));
        ++count;
    }
    assert_false(ct_database_state_next_key(s, thing, &place, &key, &length));
    assert_int_equal(count, NUM_KEYS);
    by_ann(s, 2, 1, 0, destroy(thing));
    ct_database_state_stored(s);
    ct_database_state_stats stats;
    ct_database_state_stats_get(s, &stats);
    assert_int_equal(stats.num_values, NUM_KEYS);
    expect_number(s, root, "key2999", 2999);
    ct_database_state_destroy(s);
}

// --- What leaves memory --------------------------------------------------------------------------------

static void what_was_removed_leaves_memory(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    ct_database_state_stats before, after;
    by_ann(s, 1, 0, 0, create(one));
    ct_database_state_stored(s);
    ct_database_state_stats_get(s, &before);
    uint64_t time = 2;
    for (uint32_t i = 0; i < 20000; ++i, time += 2) {
        const ct_guid guid = {.bytes = {9, (uint8_t)i, (uint8_t)(i >> 8)}};
        const ct_database_operation made[] = {create(guid), number(guid, "h", 1),
                                              add(root, "k", guid), number(one, "n", 1)};
        const ct_database_operation gone[] = {removal(root, "k", guid), destroy(guid),
                                              null(one, "n")};
        apply(s, ann, time, time - 1, 0, made, CT_COUNT_OF(made));
        apply(s, ann, time + 1, time, 0, gone, CT_COUNT_OF(gone));
        if (i % 500 == 499)
            ct_database_state_stored(s);
    }
    ct_database_state_stats_get(s, &after);
    assert_int_equal(after.num_objects, 2);
    assert_int_equal(after.num_values, before.num_values);
    assert_int_equal(after.num_elements, 0);
    assert_true(after.memory_bytes < before.memory_bytes + (1 << 20));
    ct_database_state_destroy(s);
}

// Stored rows of the test below.
static void give_rows(void *user, ct_guid object, const char *key, uint32_t key_length,
                      const ct_guid *asked, ct_database_row_array *rows) {
    const ct_database_row_array *const stored = user;
    (void)key_length;
    for (uint32_t i = 0; i < stored->count; ++i) {
        const ct_database_operation *const o = &stored->items[i].operation;
        const bool is_key = !key || (o->key && strcmp(o->key, key) == 0);
        const bool is_asked = !asked || o->type == CT_DATABASE_CHANGE_KEY ||
                              ct_guid_is_equal(o->value.reference, *asked);
        if (ct_guid_is_equal(o->object, object) && is_key && is_asked)
            ct_array_push(rows, stored->items[i]);
    }
}

static void older_operations_meet_what_left_memory(void **state) {
    (void)state;
    ct_database_row_array stored;
    ct_array_init(&stored, test_heap());
    const ct_database_stamp stamp = {9, bob};
    ct_array_push(&stored, (ct_database_row){destroy(thing), stamp, false, false, true});
    ct_array_push(&stored, (ct_database_row){null(root, "n"), stamp, false, false, false});
    ct_array_push(&stored, (ct_database_row){removal(root, "k", one), stamp, false, true, false});
    ct_database_state *const s =
        ct_database_state_create(test_heap(), (ct_database_removed){&stored, give_rows});
    by_ann(s, 5, 0, 0, number(thing, "h", 1));
    by_ann(s, 6, 5, 0, number(root, "n", 1));
    by_ann(s, 7, 6, 0, add(root, "k", one));
    by_ann(s, 8, 7, 0, add(root, "k", two));
    assert_false(ct_database_state_has(s, thing));
    expect_nothing(s, root, "n");
    expect_set(s, root, "k", "2");
    expect_conflicts(s, "remove_from_set 9 > add_to_set 7, change_key 9 > change_key 6, "
                        "destroy 9 > change_key 5");
    ct_database_state_destroy(s);
    ct_array_free(&stored);
}

static void changes_are_as_small_as_what_changed(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    ct_database_changed_array changes;
    ct_array_init(&changes, test_heap());
    const ct_database_operation operations[] = {create(thing), number(thing, "h", 1),
                                                add(root, "k", one), add(root, "k", two)};
    apply(s, ann, 1, 0, 0, operations, CT_COUNT_OF(operations));
    assert_int_equal(ct_database_state_num_changes(s), 4);
    ct_database_state_changes(s, &changes);
    assert_int_equal(changes.count, 4);
    assert_int_equal(changes.items[0].part, CT_DATABASE_CHANGED_EXISTENCE);
    assert_int_equal(changes.items[1].part, CT_DATABASE_CHANGED_VALUE);
    assert_int_equal(changes.items[3].part, CT_DATABASE_CHANGED_ELEMENT);
    ct_database_state_stored(s);
    changes.count = 0;
    by_ann(s, 2, 1, 0, add(root, "k", three));
    ct_database_state_changes(s, &changes);
    assert_int_equal(changes.count, 1);
    assert_true(ct_guid_is_equal(changes.items[0].element, three));
    by_ann(s, 3, 2, 0, number(root, "k", 1));
    by_ann(s, 4, 3, 0, destroy(thing));
    changes.count = 0;
    ct_database_state_changes(s, &changes);
    assert_int_equal(changes.count, 2);
    assert_int_equal(changes.items[0].part, CT_DATABASE_CHANGED_KEY);
    assert_int_equal(changes.items[1].part, CT_DATABASE_CHANGED_OBJECT);
    ct_array_free(&changes);
    ct_database_state_destroy(s);
}

// --- Differences and integrity -------------------------------------------------------------------------

static char *dump(const ct_database_state *s) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_database_state_dump(s, &text);
    return text.text;
}

static void differences_turn_one_state_into_the_other(void **state) {
    (void)state;
    ct_database_state *const from = make_state(), *const to = make_state();
    const ct_guid items[] = {one, two};
    const ct_database_operation old[] = {
        create(thing),       number(thing, "h", 1), create(one),         number(one, "a", 1),
        number(one, "b", 2), add(root, "k", one),   add(root, "k", two), add(root, "only", one)};
    const ct_database_operation new[] = {create(one),
                                         number(one, "b", 3),
                                         create(two),
                                         number(two, "c", 1),
                                         set(root, "k", items + 1, 1),
                                         add(root, "k", three),
                                         set(root, "only", items, 0)};
    apply(from, ann, 1, 0, 0, old, CT_COUNT_OF(old));
    apply(to, ann, 1, 0, 0, new, CT_COUNT_OF(new));
    ct_database_operations difference;
    ct_database_operations_init(&difference, test_heap());
    ct_database_state_diff(from, to, &difference);
    const ct_database_operation *const d = difference.list.items;
    assert_int_equal(d[0].type, CT_DATABASE_CREATE);
    assert_int_equal(d[difference.list.count - 1].type, CT_DATABASE_DESTROY);
    assert_int_equal(difference.list.count, 8);
    apply(from, ann, 2, 1, 0, d, difference.list.count);
    char *const a = dump(from), *const b = dump(to);
    assert_string_equal(a, b);
    ct_free(test_heap(), a);
    ct_free(test_heap(), b);
    ct_database_operations_clear(&difference);
    ct_database_state_diff(from, to, &difference);
    assert_int_equal(difference.list.count, 0);
    ct_database_operations_free(&difference);
    ct_database_state_destroy(from);
    ct_database_state_destroy(to);
}

static ct_database_operation reference(ct_guid object, const char *key, ct_guid to) {
    return operation(CT_DATABASE_CHANGE_KEY, object, key,
                     (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = to});
}

static void faults_are_found(void **state) {
    (void)state;
    ct_database_state *const s = make_state();
    const ct_database_operation operations[] = {create(one),
                                                create(two),
                                                create(three),
                                                reference(one, "next", two),
                                                reference(two, "next", one), // a circle
                                                add(root, "things", one),
                                                add(two, "gone", thing),
                                                reference(three, "up", root)};
    apply(s, ann, 1, 0, 0, operations, CT_COUNT_OF(operations));
    ct_database_fault_array faults;
    ct_array_init(&faults, test_heap());
    ct_database_state_check(s, test_heap(), &faults);
    assert_int_equal(faults.count, 2);
    assert_int_equal(faults.items[0].type, CT_DATABASE_FAULT_DANGLING);
    assert_string_equal(faults.items[0].key, "gone");
    assert_true(ct_guid_is_equal(faults.items[0].target, thing));
    assert_int_equal(faults.items[1].type, CT_DATABASE_FAULT_GARBAGE);
    assert_true(ct_guid_is_equal(faults.items[1].object, three));
    ct_array_free(&faults);
    ct_database_state_destroy(s);
}

static void large_sets_are_sorted(void **state) {
    (void)state;
    enum { NUM_ELEMENTS = 5000 };
    ct_database_state *const s = make_state();
    ct_database_commit commit;
    ct_random random = ct_random_seeded(3, 3);
    ct_database_commit_init(&commit, test_heap());
    commit.stamp = (ct_database_stamp){1, ann};
    for (uint32_t i = 0; i < NUM_ELEMENTS; ++i) {
        ct_guid guid = ct_guid_make_from(&random);
        memset(guid.bytes, 0, i % 3 * 5); // many begin alike
        const ct_database_operation o = add(root, "k", guid);
        ct_database_operations_push(&commit.operations, &o);
    }
    ct_database_state_apply(s, &commit);
    ct_database_commit_free(&commit);
    const ct_database_value value = get(s, root, "k");
    ct_error error = {0};
    assert_int_equal(value.set.count, NUM_ELEMENTS);
    assert_true(ct_database_value_check(&value, &error));
    ct_database_state_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_state_has_the_root),
        cmocka_unit_test(a_later_value_covers_what_its_author_had_seen),
        cmocka_unit_test(of_two_values_the_later_one_wins_until_both_are_covered),
        cmocka_unit_test(equal_values_are_no_conflict),
        cmocka_unit_test(values_of_all_kinds_are_kept),
        cmocka_unit_test(elements_are_added_and_removed),
        cmocka_unit_test(of_one_element_the_later_operation_counts),
        cmocka_unit_test(a_later_value_wins_over_elements_that_it_has_not_seen),
        cmocka_unit_test(later_elements_make_a_set_of_a_value),
        cmocka_unit_test(in_one_commit_later_operations_cover_earlier_ones),
        cmocka_unit_test(destroy_covers_all_that_was_seen),
        cmocka_unit_test(changes_of_a_destroyed_object_are_lost_until_it_is_created_again),
        cmocka_unit_test(create_against_destroy),
        cmocka_unit_test(objects_may_have_many_keys),
        cmocka_unit_test(what_was_removed_leaves_memory),
        cmocka_unit_test(older_operations_meet_what_left_memory),
        cmocka_unit_test(changes_are_as_small_as_what_changed),
        cmocka_unit_test(differences_turn_one_state_into_the_other),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(large_sets_are_sorted),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
