#include <string.h>

#include "database/database_private.h"
#include "database/database_text.h"
#include "foundation/log.h"

#define NONE CT_DATABASE_NO_OPERATION

// --- Changing --------------------------------------------------------------------------------------

uint32_t ct_database_epoch(ct_database *db) {
    if (db->is_epoch_over || db->epochs.count == 0) {
        ct_database_vector seen;
        ct_database_vector_init(&seen, db->allocator);
        ct_database_vector_copy(&seen, &db->branch.has);
        ct_array_push(&db->epochs, seen);
        db->is_epoch_over = false;
    }
    return db->epochs.count - 1;
}

void ct_database_push_local(ct_database *db, const ct_database_operation *operation, bool force) {
    ct_database_overlay *const o = &db->local;
    ct_database_overlay_push(o, operation, ct_database_epoch(db),
                             force || ct_database_state_has(db->state, operation->object));
    db->is_local_changed = true;
    if (o->num_dead > 1024 && o->num_dead > o->entries.count / 2)
        ct_database_overlay_compact(o, NULL);
}

static const char *text_of(ct_guid guid, char text[CT_GUID_TEXT_BYTES]) {
    ct_guid_format(guid, text);
    return text;
}

// The value is whole, and its blob is there.
static bool check_value(ct_database *db, const ct_database_operation *op, ct_error *error) {
    if (!ct_database_value_check(&op->value, error))
        return false;
    if (op->value.kind != CT_DATABASE_BLOB)
        return true;
    bool has;
    if (!db->store->functions->has_blob(db->store, &op->value.blob, &has, error))
        return false;
    return has || ct_error_set(error, "key \"%.*s\": %s has no such blob; write its bytes first",
                               (int)op->key_length, op->key, db->store->location);
}

// The kind of a key's value, without putting a set together: thousands of elements may be added to one.
static ct_database_kind kind_of(const ct_database *db, const ct_database_operation *op) {
    const ct_database_overlay_key *const key =
        ct_database_overlay_find(&db->local, op->object)
            ? ct_database_overlay_find_key(&db->local, op->object, op->key, op->key_length)
            : NULL;
    if (key && key->first_element != NONE)
        return CT_DATABASE_SET;
    return ct_database_get_bytes(db, op->object, op->key, op->key_length).kind;
}

static bool check(ct_database *db, const ct_database_operation *op, ct_error *error) {
    char guid[CT_GUID_TEXT_BYTES];
    const bool exists = ct_database_has(db, op->object);
    if (op->type == CT_DATABASE_CREATE)
        return !exists ||
               ct_error_set(error, "create: object %s exists already", text_of(op->object, guid));
    if (!exists)
        return ct_error_set(error, "%s: there is no object %s; create it first",
                            ct_database_operation_name(op->type), text_of(op->object, guid));
    if (op->type == CT_DATABASE_DESTROY)
        return !ct_guid_is_none(op->object) ||
               ct_error_set(error, "destroy: the root cannot be destroyed");
    if (!ct_database_key_check(op->key, op->key_length, error))
        return false;
    if (op->type == CT_DATABASE_CHANGE_KEY)
        return check_value(db, op, error);
    if (op->value.kind != CT_DATABASE_REFERENCE)
        return ct_error_set(error, "%s: an element is a reference; found a %s",
                            ct_database_operation_name(op->type),
                            ct_database_kind_name(op->value.kind));
    const ct_database_kind kind = kind_of(db, op);
    return kind == CT_DATABASE_SET || kind == CT_DATABASE_NULL ||
           ct_error_set(error,
                        "%s: key \"%.*s\" of object %s holds a %s; expected a set or nothing",
                        ct_database_operation_name(op->type), (int)op->key_length, op->key,
                        text_of(op->object, guid), ct_database_kind_name(kind));
}

bool ct_database_change(ct_database *db, const ct_database_operation *operation, ct_error *error) {
    if (!check(db, operation, error))
        return false;
    ct_database_push_local(db, operation, false);
    return true;
}

const ct_database_operations *ct_database_local(const ct_database *db) {
    ct_database *const owner = (ct_database *)(uintptr_t)db; // no reader sees the difference
    if (owner->local.num_dead > 0)
        ct_database_overlay_compact(&owner->local, NULL);
    return &owner->local.operations;
}

// --- Committing ------------------------------------------------------------------------------------

// An object that is created here must be committed before, or with, what changes it.
static bool check_chosen(ct_database *db, const bool *is_chosen, ct_error *error) {
    const ct_database_overlay *const o = &db->local;
    for (uint32_t i = 0; i < o->operations.list.count; ++i) {
        const ct_database_operation *const op = &o->operations.list.items[i];
        const ct_database_overlay_object *const object = ct_database_overlay_find(o, op->object);
        const bool is_left_behind = is_chosen[i] && object && object->create != NONE &&
                                    object->create != i && !is_chosen[object->create] &&
                                    op->type != CT_DATABASE_DESTROY;
        char guid[CT_GUID_TEXT_BYTES];
        if (is_left_behind)
            return ct_error_set(
                error,
                "local change %u is of object %s, whose create (local change %u) is not "
                "among those to commit; commit both",
                i, text_of(op->object, guid), object->create);
    }
    return true;
}

// The blobs of values are still there: another process may have collected them.
static bool check_blobs(ct_database *db, const bool *is_chosen, ct_error *error) {
    const ct_database_overlay *const o = &db->local;
    for (uint32_t i = 0; i < o->entries.count; ++i)
        if (is_chosen[i] && o->operations.list.items[i].type == CT_DATABASE_CHANGE_KEY &&
            !check_value(db, &o->operations.list.items[i], error))
            return false;
    return true;
}

// Commits made together.
typedef struct commit_batch {
    CT_ARRAY(ct_database_commit) list;
} commit_batch;

static ct_database_commit *add_commit(ct_database *db, commit_batch *batch, uint32_t epoch,
                                      const char *message, uint64_t last, uint64_t previous) {
    const uint32_t count = batch->list.count;
    ct_array_push(&batch->list, (ct_database_commit){0});
    ct_database_commit *const commit = &batch->list.items[count];
    ct_database_commit_init(commit, db->allocator);
    commit->stamp =
        (ct_database_stamp){ct_database_time_next(last, db->wall_ns()), db->branch.replica};
    commit->previous = previous;
    commit->since = count > 0 ? batch->list.items[0].stamp.time : 0;
    ct_database_vector_copy(&commit->seen, &db->epochs.items[epoch]);
    commit->author = db->author;
    commit->message = message ? message : "";
    return commit;
}

// Makes the commits of the chosen local changes: one for each epoch.
static void make_commits(ct_database *db, const bool *is_chosen, const char *message,
                         commit_batch *batch) {
    const ct_database_overlay *const o = &db->local;
    uint64_t last = ct_database_vector_last(&db->branch.has);
    uint64_t previous = ct_database_vector_time(&db->branch.has, db->branch.replica);
    for (uint32_t epoch = 0; epoch < db->epochs.count; ++epoch) {
        ct_database_commit *commit = NULL;
        for (uint32_t i = 0; i < o->entries.count; ++i) {
            if (!is_chosen[i] || o->entries.items[i].epoch != epoch)
                continue;
            if (!commit)
                commit = add_commit(db, batch, epoch, message, last, previous);
            ct_database_operations_push(&commit->operations, &o->operations.list.items[i]);
        }
        if (commit)
            last = previous = commit->stamp.time;
    }
}

static bool append(ct_database *db, const commit_batch *batch, ct_error *error) {
    for (uint32_t i = 0; i < batch->list.count; ++i) {
        const ct_database_commit *const commit = &batch->list.items[i];
        db->bytes.count = 0;
        if (!ct_database_commit_encode(commit, &db->bytes, error) ||
            !db->store->functions->append(db->store, commit->stamp, commit->previous,
                                          db->bytes.items, db->bytes.count, error))
            return false;
    }
    return true;
}

// Marks the local changes of the given indices.
static bool choose(const ct_database *db, const uint32_t *indices, uint32_t count, bool *is_chosen,
                   ct_error *error) {
    const uint32_t num_local = db->local.entries.count;
    for (uint32_t i = 0; i < (indices ? count : num_local); ++i) {
        const uint32_t index = indices ? indices[i] : i;
        if (index >= num_local)
            return ct_error_set(error, "there is no local change %u; there are %u, from 0", index,
                                num_local);
        is_chosen[index] = true;
    }
    return true;
}

// Between begin and end: what others did in the meantime comes first. *num_local is how many local changes there are
// now.
static bool catch_up(ct_database *db, const ct_database_branch *branch, bool has_indices,
                     uint32_t *num_local, ct_error *error) {
    bool is_settled, is_synced;
    if (!ct_database_take_in_to(db, &branch->has, error) ||
        !ct_database_settle(db, &is_settled, error) ||
        !ct_database_sync_local(db, &is_synced, error))
        return false;
    *num_local = ct_database_local(db)->list.count;
    return !(has_indices && (is_settled || is_synced)) ||
           ct_error_set(error,
                        "the local changes are others than before, as another process committed or "
                        "changed some: look at them again");
}

// What a commit is made of.
typedef struct commit_order {
    const uint32_t *indices; // NULL: all
    uint32_t num_indices;
    const char *message;
    bool *is_chosen; // one for each local change
    uint32_t num_local;
    uint64_t local_hash; // of those that stay, as they are stored
    commit_batch batch;
} commit_order;

static bool write_commits(ct_database *db, ct_database_branch *branch, commit_order *order,
                          ct_error *error) {
    if (!catch_up(db, branch, order->indices, &order->num_local, error))
        return false;
    order->is_chosen = CT_NEW_ARRAY(db->allocator, bool, order->num_local);
    if (!choose(db, order->indices, order->num_indices, order->is_chosen, error) ||
        !check_chosen(db, order->is_chosen, error) || !check_blobs(db, order->is_chosen, error))
        return false;
    make_commits(db, order->is_chosen, order->message, &order->batch);
    if (!append(db, &order->batch, error))
        return false;
    for (uint32_t i = 0; i < order->batch.list.count; ++i)
        ct_database_vector_add(&branch->has, order->batch.list.items[i].stamp);
    // What is committed is no longer local, in the same transaction.
    order->local_hash = db->local_hash;
    return db->local_hash == 0 ||
           ct_database_write_local(db, order->is_chosen, &order->local_hash, error);
}

// Remembers a commit whose end failed: the server may have kept it.
static void remember_attempt(ct_database *db, const commit_order *order) {
    if (order->batch.list.count == 0)
        return;
    db->attempted = order->batch.list.items[order->batch.list.count - 1].stamp;
    for (uint32_t i = 0; i < order->num_local; ++i)
        db->local.entries.items[i].is_attempted = order->is_chosen[i];
}

// The commits are in the store.
static void take_in_own(ct_database *db, commit_order *order) {
    for (uint32_t i = 0; i < order->batch.list.count; ++i)
        ct_database_take_in(db, &order->batch.list.items[i], true);
    db->is_local_changed = db->is_local_changed || order->batch.list.count > 0;
    for (uint32_t i = 0; i < order->num_local; ++i)
        order->is_chosen[i] = !order->is_chosen[i];
    ct_database_overlay_compact(&db->local, order->is_chosen);
    ct_database_forget_epochs(db);
    if (order->local_hash != db->local_hash)
        ct_database_local_written(db, order->local_hash);
    ct_database_store_state(db, false);
}

bool ct_database_commit_local(ct_database *db, const uint32_t *indices, uint32_t count,
                              const char *message, ct_error *error) {
    if (message && strlen(message) > CT_DATABASE_MAX_MESSAGE_BYTES)
        return ct_error_set(error, "the message of a commit has at most %d bytes; found %zu",
                            CT_DATABASE_MAX_MESSAGE_BYTES, strlen(message));
    if (ct_database_local(db)->list.count == 0 || (indices && count == 0))
        return true;
    if (!ct_database_rows_check(db, error))
        return false;
    const ct_database_store_functions *const f = db->store->functions;
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    commit_order order = {.indices = indices, .num_indices = count, .message = message};
    ct_array_init(&order.batch.list, db->allocator);
    bool is_done = f->begin(db->store, &branch, error);
    if (is_done) {
        const bool is_written = write_commits(db, &branch, &order, error);
        ct_error ignored;
        is_done = f->end(db->store, &branch, is_written, is_written ? error : &ignored);
        if (is_written && !is_done)
            remember_attempt(db, &order);
        is_done = is_done && is_written;
    }
    if (is_done)
        take_in_own(db, &order);
    for (uint32_t i = 0; i < order.batch.list.count; ++i)
        ct_database_commit_free(&order.batch.list.items[i]);
    ct_array_free(&order.batch.list);
    ct_free_sized(db->allocator, order.is_chosen, order.num_local * sizeof(bool));
    ct_database_branch_free(&branch);
    return is_done;
}

void ct_database_forget_epochs(ct_database *db) {
    db->is_epoch_over = true;
    if (db->local.entries.count > 0)
        return;
    for (uint32_t i = 0; i < db->epochs.count; ++i)
        ct_database_vector_free(&db->epochs.items[i]);
    db->epochs.count = 0;
}

void ct_database_revert_local(ct_database *db, const uint32_t *indices, uint32_t count) {
    const uint32_t num_local = ct_database_local(db)->list.count;
    if (num_local == 0)
        return;
    const ct_database_overlay *const o = &db->local;
    bool *const is_kept = CT_NEW_ARRAY(db->allocator, bool, num_local);
    ct_error ignored;
    choose(db, indices, count, is_kept, &ignored);
    for (uint32_t i = 0; i < num_local; ++i) {
        const ct_database_overlay_object *const object =
            ct_database_overlay_find(o, o->operations.list.items[i].object);
        // What is of an object that is not created after all goes with it.
        const bool goes_along = object && object->create != NONE && is_kept[object->create] &&
                                object->create < i && object->create != i;
        is_kept[i] = is_kept[i] || goes_along;
    }
    for (uint32_t i = 0; i < num_local; ++i)
        is_kept[i] = !is_kept[i];
    ct_database_overlay_compact(&db->local, is_kept);
    ct_free_sized(db->allocator, is_kept, num_local * sizeof(bool));
    ct_database_forget_epochs(db);
    db->is_local_changed = true;
}

void ct_database_leave_local(ct_database *db) {
    db->is_local_changed = false;
}
