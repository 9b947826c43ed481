#include <stdlib.h>

#include "database/database_private.h"

// --- The log ---------------------------------------------------------------------------------------

typedef struct walk {
    ct_allocator *allocator;
    ct_database_walk_function function;
    void *user;
    ct_error *error;
    bool has_failed;
} walk;

static bool walk_commit(void *user, ct_database_stamp stamp, const void *bytes,
                        uint64_t size_bytes) {
    walk *const w = user;
    ct_database_commit commit;
    ct_database_commit_init(&commit, w->allocator);
    ct_error why = {0};
    bool goes_on = ct_database_commit_decode(&commit, bytes, size_bytes, &why);
    if (goes_on) {
        goes_on = w->function(w->user, &commit);
    } else {
        char time[CT_DATABASE_TIME_TEXT_BYTES], replica[CT_GUID_TEXT_BYTES];
        ct_database_time_format(stamp.time, time);
        ct_guid_format(stamp.replica, replica);
        w->has_failed = !ct_error_set(w->error, "the commit of %s by %s is damaged: %s", time,
                                      replica, why.message);
    }
    ct_database_commit_free(&commit);
    return goes_on;
}

bool ct_database_walk(ct_allocator *a, ct_database_store *store, const ct_database_vector *from,
                      const ct_database_vector *to, ct_database_walk_function function, void *user,
                      ct_error *error) {
    walk w = {a, function, user, error, false};
    return store->functions->read_commits(store, from, to, walk_commit, &w, error) && !w.has_failed;
}

bool ct_database_history(ct_database *db,
                         bool (*function)(void *user, const ct_database_commit *commit), void *user,
                         ct_error *error) {
    const ct_database_vector nothing = {0};
    return ct_database_walk(db->allocator, db->store, &nothing, &db->branch.has, function, user,
                            error);
}

// Commits up to a time.
typedef struct version {
    ct_database_state *state;
    uint64_t time;
} version;

static bool apply_commit(void *user, const ct_database_commit *commit) {
    const version *const v = user;
    if (commit->stamp.time > v->time)
        return false; // they come in the order of stamps
    ct_database_state_apply(v->state, commit);
    return true;
}

ct_database_state *ct_database_state_at(ct_database *db, uint64_t time, ct_error *error) {
    version v = {ct_database_state_create(db->allocator, (ct_database_removed){0}), time};
    if (ct_database_history(db, apply_commit, &v, error))
        return v.state;
    ct_database_state_destroy(v.state);
    return NULL;
}

// --- Conflicts -------------------------------------------------------------------------------------

// An object that was destroyed, and the stamp of that.
typedef struct destroyed {
    ct_guid object;
    ct_database_stamp stamp;
} destroyed;

// The values that objects had before they were destroyed.
typedef struct replay {
    ct_database_state *state;
    CT_ARRAY(destroyed) objects; // sorted
    ct_database_stamp last;      // of their stamps
} replay;

static int compare_destroyed(const void *a, const void *b) {
    return ct_guid_compare(((const destroyed *)a)->object, ((const destroyed *)b)->object);
}

static const destroyed *find_destroyed(const replay *r, ct_guid object) {
    const destroyed key = {.object = object};
    return r->objects.count == 0 ? NULL
                                 : bsearch(&key, r->objects.items, r->objects.count,
                                           sizeof(destroyed), compare_destroyed);
}

static bool replay_commit(void *user, const ct_database_commit *commit) {
    const replay *const r = user;
    if (ct_database_stamp_compare(commit->stamp, r->last) >= 0)
        return false; // they come in the order of stamps
    ct_database_commit part;
    ct_database_commit_init(&part, r->objects.allocator);
    part.stamp = commit->stamp;
    part.since = commit->since;
    ct_database_vector_copy(&part.seen, &commit->seen);
    for (uint32_t i = 0; i < commit->operations.list.count; ++i) {
        const ct_database_operation *const op = &commit->operations.list.items[i];
        const destroyed *const d = find_destroyed(r, op->object);
        if (d && ct_database_stamp_compare(commit->stamp, d->stamp) < 0)
            ct_database_operations_push(&part.operations, op);
    }
    if (part.operations.list.count > 0)
        ct_database_state_apply(r->state, &part);
    ct_database_commit_free(&part);
    return true;
}

static bool has_row(const ct_database_row_array *rows, ct_database_operation_type type,
                    const ct_guid *element) {
    for (uint32_t i = 0; i < rows->count; ++i) {
        const ct_database_operation *const op = &rows->items[i].operation;
        if (op->type == type || (element && op->type > CT_DATABASE_CHANGE_KEY &&
                                 ct_guid_is_equal(op->value.reference, *element)))
            return true;
    }
    return false;
}

// Gives a key back the value of before its object was destroyed. Rows that the destroy did not cover say more than that:
// the whole value, or what became of an element.
static void restore_key(ct_database *db, ct_database_operation *op) {
    ct_database_row_array rows;
    ct_array_init(&rows, db->allocator);
    ct_database_state_rows(db->state, op->object, op->key, op->key_length, &rows);
    const ct_database_value value = op->value;
    if (rows.count == 0)
        ct_database_push_local(db, op, false);
    else if (value.kind == CT_DATABASE_SET && !has_row(&rows, CT_DATABASE_CHANGE_KEY, NULL))
        for (uint32_t i = 0; i < value.set.count; ++i) {
            if (has_row(&rows, CT_DATABASE_CHANGE_KEY, &value.set.items[i]))
                continue;
            op->type = CT_DATABASE_ADD_TO_SET;
            op->value =
                (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = value.set.items[i]};
            ct_database_push_local(db, op, false);
        }
    op->type = CT_DATABASE_CHANGE_KEY;
    ct_array_free(&rows);
}

// Creates an object again with the values that it had before. Values that others gave it without having seen that it was
// destroyed are still there.
static void restore_object(ct_database *db, const replay *r, ct_guid object) {
    ct_database_operation op = {.type = CT_DATABASE_CREATE, .object = object};
    ct_database_push_local(db, &op, false);
    op.type = CT_DATABASE_CHANGE_KEY;
    uint32_t place = 0;
    while (ct_database_state_next_key(r->state, object, &place, &op.key, &op.key_length)) {
        op.value = ct_database_state_get(r->state, object, op.key, op.key_length);
        restore_key(db, &op);
    }
}

// Lists the objects of conflicts that a destroy won, each once.
static void list_destroyed(const ct_database *db, const ct_database_conflict *conflicts,
                           uint32_t count, replay *r) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_database_row *const won = &conflicts[i].won;
        if (won->operation.type != CT_DATABASE_DESTROY ||
            ct_database_has(db, won->operation.object))
            continue;
        ct_array_push(&r->objects, (destroyed){won->operation.object, won->stamp});
        if (ct_database_stamp_compare(won->stamp, r->last) > 0)
            r->last = won->stamp;
    }
    if (r->objects.count == 0)
        return;
    qsort(r->objects.items, r->objects.count, sizeof(destroyed), compare_destroyed);
    uint32_t num_kept = 1;
    for (uint32_t i = 1; i < r->objects.count; ++i)
        if (compare_destroyed(&r->objects.items[i], &r->objects.items[num_kept - 1]) != 0)
            r->objects.items[num_kept++] = r->objects.items[i];
    r->objects.count = num_kept;
}

bool ct_database_undo_conflicts(ct_database *db, const ct_database_conflict *conflicts,
                                uint32_t count, ct_error *error) {
    replay r = {.state = ct_database_state_create(db->allocator, (ct_database_removed){0})};
    ct_array_init(&r.objects, db->allocator);
    list_destroyed(db, conflicts, count, &r);
    const bool is_read = r.objects.count == 0 || ct_database_history(db, replay_commit, &r, error);
    for (uint32_t i = 0; is_read && i < r.objects.count; ++i)
        restore_object(db, &r, r.objects.items[i].object);
    for (uint32_t i = 0; is_read && i < count; ++i) {
        const ct_database_operation *const lost = &conflicts[i].lost.operation;
        if (conflicts[i].won.operation.type != CT_DATABASE_DESTROY &&
            (lost->type != CT_DATABASE_CREATE || !ct_database_has(db, lost->object)))
            ct_database_push_local(db, lost, true);
    }
    ct_array_free(&r.objects);
    ct_database_state_destroy(r.state);
    return is_read;
}

// A change of the whole key covers all that lost there; a later operation of an element, only that element. So does a
// destroy, of its object.
void ct_database_accept_conflict(ct_database *db, const ct_database_conflict *conflict) {
    const ct_database_operation *const won = &conflict->won.operation;
    ct_database_operation op = *won;
    if (won->key && (won->type == CT_DATABASE_CHANGE_KEY ||
                     conflict->lost.operation.type == CT_DATABASE_CHANGE_KEY)) {
        op.type = CT_DATABASE_CHANGE_KEY;
        op.value = ct_database_get_bytes(db, won->object, won->key, won->key_length);
    }
    ct_database_push_local(db, &op, true);
}
