// Random histories of two to five replicas that are apart for a while: what each has is what the definition says
// (database_model.h), whatever the order of commits, what left memory, and what was loaded again.
#include "database/state/database_model.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum {
    MAX_REPLICAS = 5,
    MAX_COMMITS = 600,
    NUM_OBJECTS = 5,
    NUM_KEYS = 3,
    NUM_ELEMENTS = 4,
    NUM_VALUES = 3,
};

typedef struct replica {
    ct_guid guid;
    ct_database_state *state;
    ct_database_vector has, stored_at, earlier; // `earlier`: what it had some time ago
    CT_ARRAY(uint32_t) commits;                 // numbers, in the order of coming
    ct_database_row_array stored;
    ct_database_operations bytes; // behind the stored rows
    int64_t wall_ms;
} replica;

typedef struct history {
    ct_allocator *allocator;
    ct_random random;
    replica replicas[MAX_REPLICAS];
    uint32_t num_replicas, num_commits;
    ct_database_commit commits[MAX_COMMITS];
} history;

static history *now; // for messages

static uint32_t below(uint32_t bound) {
    return ct_random_below(&now->random, bound);
}

static ct_guid guid_of(uint32_t number) {
    char name[16];
    snprintf(name, sizeof(name), "%u", number);
    return ct_guid_make_named((ct_guid){.bytes = {1}}, name);
}

// --- The store -----------------------------------------------------------------------------------------

static bool is_key(const ct_database_operation *operation, const char *key, uint32_t length) {
    return operation->key && operation->key_length == length &&
           memcmp(operation->key, key, length) == 0;
}

static bool is_of_element(const ct_database_operation *operation, ct_guid element) {
    return operation->type > CT_DATABASE_CHANGE_KEY &&
           ct_guid_is_equal(operation->value.reference, element);
}

// Gives the stored rows, sometimes more than were asked for.
static void find_removed(void *user, ct_guid object, const char *key, uint32_t key_length,
                         const ct_guid *element, ct_database_row_array *rows) {
    replica *const r = user;
    const bool gives_more = below(2) == 0;
    for (uint32_t i = 0; i < r->stored.count; ++i) {
        const ct_database_operation *const operation = &r->stored.items[i].operation;
        if (ct_guid_is_equal(operation->object, object) &&
            (!key || is_key(operation, key, key_length)) &&
            (!element || gives_more || operation->type == CT_DATABASE_CHANGE_KEY ||
             is_of_element(operation, *element)))
            ct_array_push(rows, r->stored.items[i]);
    }
}

static bool is_part(const ct_database_changed *changed, const ct_database_operation *operation) {
    if (!ct_guid_is_equal(changed->object, operation->object))
        return false;
    switch (changed->part) {
    case CT_DATABASE_CHANGED_OBJECT:
        return true;
    case CT_DATABASE_CHANGED_EXISTENCE:
        return !operation->key;
    case CT_DATABASE_CHANGED_KEY:
        return is_key(operation, changed->key, changed->key_length);
    case CT_DATABASE_CHANGED_VALUE:
        return operation->type == CT_DATABASE_CHANGE_KEY &&
               is_key(operation, changed->key, changed->key_length);
    default:
        return is_key(operation, changed->key, changed->key_length) &&
               is_of_element(operation, changed->element);
    }
}

static void check_parts(const ct_database_changed_array *changes) {
    for (uint32_t i = 0; i < changes->count; ++i)
        for (uint32_t k = 0; k < changes->count; ++k) {
            const ct_database_changed *const other = &changes->items[k];
            ct_database_operation like = {.type = other->part == CT_DATABASE_CHANGED_ELEMENT
                                                      ? CT_DATABASE_ADD_TO_SET
                                                  : other->key ? CT_DATABASE_CHANGE_KEY
                                                               : CT_DATABASE_CREATE,
                                          .object = other->object,
                                          .key = other->key,
                                          .key_length = other->key_length};
            like.value.reference = other->element;
            if (i != k && is_part(&changes->items[i], &like))
                fail_msg("part %u lies within part %u", k, i);
        }
}

static void store(replica *r) {
    ct_database_changed_array changes;
    ct_database_row_array rows;
    ct_array_init(&changes, now->allocator);
    ct_array_init(&rows, now->allocator);
    ct_database_state_changes(r->state, &changes);
    check_parts(&changes);
    for (uint32_t i = 0; i < changes.count; ++i) {
        uint32_t num_left = 0;
        for (uint32_t k = 0; k < r->stored.count; ++k)
            if (!is_part(&changes.items[i], &r->stored.items[k].operation))
                r->stored.items[num_left++] = r->stored.items[k];
        r->stored.count = num_left;
        rows.count = 0;
        ct_database_state_changed_rows(r->state, &changes.items[i], &rows);
        for (uint32_t k = 0; k < rows.count; ++k) {
            assert_true(is_part(&changes.items[i], &rows.items[k].operation));
            ct_database_operations_push(&r->bytes, &rows.items[k].operation);
            ct_database_row copy = rows.items[k];
            copy.operation = r->bytes.list.items[r->bytes.list.count - 1];
            ct_array_push(&r->stored, copy);
        }
    }
    ct_database_state_stored(r->state);
    assert_int_equal(ct_database_state_num_changes(r->state), 0);
    ct_database_vector_copy(&r->stored_at, &r->has);
    ct_array_free(&changes);
    ct_array_free(&rows);
}

static void make_state(replica *r) {
    r->state = ct_database_state_create(now->allocator, (ct_database_removed){r, find_removed});
}

// Loads the stored rows, in some order, and applies the rest of the log.
static void reload(replica *r) {
    ct_u32_array order;
    ct_array_init(&order, now->allocator);
    for (uint32_t i = 0; i < r->stored.count; ++i)
        ct_array_push(&order, i);
    ct_random_shuffle(&now->random, order.items, order.count);
    ct_database_state_destroy(r->state);
    make_state(r);
    for (uint32_t i = 0; i < order.count; ++i)
        if (r->stored.items[order.items[i]].lives)
            ct_database_state_load(r->state, &r->stored.items[order.items[i]]);
    ct_array_free(&order);
    for (uint32_t i = 0; i < r->commits.count; ++i) {
        const ct_database_commit *const commit = &now->commits[r->commits.items[i]];
        if (!ct_database_vector_has(&r->stored_at, commit->stamp))
            ct_database_state_apply(r->state, commit);
    }
}

// --- Commits -------------------------------------------------------------------------------------------

static ct_database_value make_value(ct_guid items[NUM_ELEMENTS]) {
    ct_database_value value = {.kind = (ct_database_kind)below(CT_DATABASE_NUM_KINDS)};
    static const char *const texts[NUM_VALUES] = {"", "fifteen letters",
                                                  "a text that does not fit into a row"};
    const uint32_t number = below(NUM_VALUES);
    switch (value.kind) {
    case CT_DATABASE_BOOL:
        value.truth = number > 0;
        break;
    case CT_DATABASE_NUMBER:
        value.number = number;
        break;
    case CT_DATABASE_STRING:
        value.string.text = texts[number];
        value.string.length = (uint32_t)strlen(texts[number]);
        break;
    case CT_DATABASE_BLOB:
        value.blob = (ct_database_blob){.hash = {(uint8_t)number}, .size_bytes = number};
        break;
    case CT_DATABASE_REFERENCE:
        value.reference = guid_of(number);
        break;
    case CT_DATABASE_SET:
        for (uint32_t i = 0; i < NUM_ELEMENTS; ++i)
            if (below(2) == 0)
                items[value.set.count++] = guid_of(i);
        if (value.set.count > 0)
            qsort(items, value.set.count, sizeof(*items), model_compare_guids);
        value.set.items = items;
        break;
    default:
        break;
    }
    return value;
}

static void push_operation(ct_database_operations *operations) {
    static const char *const keys[NUM_KEYS] = {"a", "children", "b"};
    static const ct_database_operation_type types[] = {
        CT_DATABASE_CREATE,         CT_DATABASE_CREATE,     CT_DATABASE_DESTROY,
        CT_DATABASE_CHANGE_KEY,     CT_DATABASE_CHANGE_KEY, CT_DATABASE_CHANGE_KEY,
        CT_DATABASE_ADD_TO_SET,     CT_DATABASE_ADD_TO_SET, CT_DATABASE_REMOVE_FROM_SET,
        CT_DATABASE_REMOVE_FROM_SET};
    ct_guid items[NUM_ELEMENTS];
    const uint32_t object = below(NUM_OBJECTS + 1);
    ct_database_operation operation = {.type = types[below(CT_COUNT_OF(types))]};
    if (object < NUM_OBJECTS)
        operation.object = guid_of(100 + object);
    if (operation.type >= CT_DATABASE_CHANGE_KEY) {
        operation.key = keys[below(NUM_KEYS)];
        operation.key_length = (uint32_t)strlen(operation.key);
    }
    if (operation.type == CT_DATABASE_CHANGE_KEY)
        operation.value = below(3) == 0 ? (ct_database_value){0} : make_value(items);
    if (operation.type > CT_DATABASE_CHANGE_KEY) {
        operation.value.kind = CT_DATABASE_REFERENCE;
        operation.value.reference = guid_of(below(NUM_ELEMENTS));
    }
    ct_database_operations_push(operations, &operation);
}

static void take_in(replica *r, uint32_t number) {
    ct_database_state_apply(r->state, &now->commits[number]);
    ct_database_vector_add(&r->has, now->commits[number].stamp);
    ct_array_push(&r->commits, number);
}

// Commits some operations, now and then with what was seen some time ago.
static void commit(replica *r) {
    if (now->num_commits == MAX_COMMITS)
        return;
    const uint32_t number = now->num_commits++;
    ct_database_commit *const c = &now->commits[number];
    ct_database_commit_init(c, now->allocator);
    const uint64_t last = ct_database_vector_last(&r->has);
    r->wall_ms += below(3);
    c->stamp.time = ct_database_time_next(last, r->wall_ms * 1000000);
    c->stamp.replica = r->guid;
    c->previous = ct_database_vector_time(&r->has, r->guid);
    // Now and then made together with the last one.
    c->since = below(4) == 0 ? c->previous : 0;
    ct_database_vector_copy(&c->seen, below(6) == 0 ? &r->earlier : &r->has);
    for (uint32_t count = 1 + below(4); count > 0; --count)
        push_operation(&c->operations);
    take_in(r, number);
}

// Returns whether a replica can take a commit now: it has what its author had seen, and that author's earlier ones.
static bool is_ready(const replica *r, const ct_database_commit *c) {
    if (ct_database_vector_has(&r->has, c->stamp) || !ct_database_vector_covers(&r->has, &c->seen))
        return false;
    for (uint32_t i = 0; i < now->num_commits; ++i) {
        const ct_database_stamp stamp = now->commits[i].stamp;
        if (ct_guid_is_equal(stamp.replica, c->stamp.replica) && stamp.time < c->stamp.time &&
            !ct_database_vector_has(&r->has, stamp))
            return false;
    }
    return true;
}

// Takes at most `most` commits that another has, in a random order that causes allow.
static void pull(replica *r, const replica *from, uint32_t most) {
    for (; most > 0; --most) {
        uint32_t ready[MAX_COMMITS], count = 0;
        for (uint32_t i = 0; i < now->num_commits; ++i)
            if (ct_database_vector_has(&from->has, now->commits[i].stamp) &&
                is_ready(r, &now->commits[i]))
                ready[count++] = i;
        if (count == 0)
            return;
        take_in(r, ready[below(count)]);
    }
}

// --- Checks --------------------------------------------------------------------------------------------

static void expect_same(const char *what, uint32_t seed, const ct_string_builder *found,
                        const ct_string_builder *expected) {
    const char *a = ct_string_builder_text(found), *b = ct_string_builder_text(expected);
    if (strcmp(a, b) == 0)
        return;
    uint32_t line = 0;
    for (uint32_t i = 0; a[i] == b[i]; ++i)
        if (a[i] == '\n')
            line = i + 1;
    fail_msg("%s of history %u: found\n%.400s\nexpected\n%.400s", what, seed, a + line, b + line);
}

static void check(const replica *r, uint32_t seed) {
    const ct_database_commit *commits[MAX_COMMITS];
    model_operations kept;
    ct_string_builder found, expected;
    ct_string_builder_init(&found, now->allocator);
    ct_string_builder_init(&expected, now->allocator);
    for (uint32_t i = 0; i < r->commits.count; ++i)
        commits[i] = &now->commits[r->commits.items[i]];
    model_make(&kept, now->allocator, commits, r->commits.count);
    ct_database_state_dump(r->state, &found);
    model_dump(&kept, &expected);
    expect_same("the dump", seed, &found, &expected);
    if (ct_database_vector_covers(&r->stored_at, &r->has)) {
        ct_string_builder_clear(&found);
        ct_string_builder_clear(&expected);
        for (uint32_t i = 0; i < r->stored.count; ++i)
            model_add_line(&found, &r->stored.items[i].operation, r->stored.items[i].stamp,
                           r->stored.items[i].wins);
        model_sort_lines(&found);
        model_write_rows(&kept, &expected);
        expect_same("stored rows", seed, &found, &expected);
    }
    ct_array_free(&kept);
    ct_string_builder_free(&found);
    ct_string_builder_free(&expected);
}

static void start(history *h, uint32_t seed) {
    now = h;
    h->allocator = test_heap();
    h->random = ct_random_seeded(seed, 39);
    h->num_commits = 0;
    h->num_replicas = 2 + below(MAX_REPLICAS - 1);
    for (uint32_t i = 0; i < h->num_replicas; ++i) {
        replica *const r = &h->replicas[i];
        *r = (replica){.guid = guid_of(1000 + i), .wall_ms = 1764500000000 + below(20)};
        make_state(r);
        ct_database_vector_init(&r->has, h->allocator);
        ct_database_vector_init(&r->stored_at, h->allocator);
        ct_database_vector_init(&r->earlier, h->allocator);
        ct_array_init(&r->commits, h->allocator);
        ct_array_init(&r->stored, h->allocator);
        ct_database_operations_init(&r->bytes, h->allocator);
    }
}

static void end(history *h) {
    for (uint32_t i = 0; i < h->num_replicas; ++i) {
        replica *const r = &h->replicas[i];
        ct_database_state_destroy(r->state);
        ct_database_vector_free(&r->has);
        ct_database_vector_free(&r->stored_at);
        ct_database_vector_free(&r->earlier);
        ct_array_free(&r->commits);
        ct_array_free(&r->stored);
        ct_database_operations_free(&r->bytes);
    }
    for (uint32_t i = 0; i < h->num_commits; ++i)
        ct_database_commit_free(&h->commits[i]);
}

// One step of a random replica. Partitions: now and then replicas of the two halves do not meet.
static void step(uint32_t seed, bool is_split) {
    replica *const r = &now->replicas[below(now->num_replicas)];
    replica *const other = &now->replicas[below(now->num_replicas)];
    switch (below(10)) {
    case 0:
        store(r);
        check(r, seed);
        break;
    case 1:
        reload(r);
        check(r, seed);
        break;
    case 2:
        ct_database_vector_copy(&r->earlier, &r->has);
        break;
    case 3:
    case 4:
        if (other != r && !(is_split && (r - other) % 2 != 0))
            pull(r, other, below(2) == 0 ? MAX_COMMITS : 1 + below(6));
        break;
    default:
        commit(r);
    }
}

static void run_history(uint32_t seed) {
    static history h;
    start(&h, seed);
    const uint32_t num_steps = 20 + below(60);
    bool is_split = false;
    for (uint32_t i = 0; i < num_steps; ++i) {
        if (below(10) == 0)
            is_split = !is_split;
        step(seed, is_split);
    }
    for (uint32_t round = 0; round < h.num_replicas; ++round)
        for (uint32_t i = 0; i < h.num_replicas; ++i)
            pull(&h.replicas[i], &h.replicas[(i + 1) % h.num_replicas], MAX_COMMITS);
    for (uint32_t i = 0; i < h.num_replicas; ++i) {
        check(&h.replicas[i], seed);
        store(&h.replicas[i]);
        check(&h.replicas[i], seed);
        reload(&h.replicas[i]);
        check(&h.replicas[i], seed);
    }
    end(&h);
}

static void replicas_that_were_apart_end_equal(void **state) {
    (void)state;
    const char *const only = getenv("CUTTLE_TEST_SEED");
    const uint32_t count = test_rounds(60, 1000);
    for (uint32_t seed = only ? (uint32_t)atoi(only) : 1; seed <= count; ++seed)
        run_history(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_that_were_apart_end_equal),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
