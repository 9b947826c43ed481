#include "database/database_private.h"

// --- The log ---------------------------------------------------------------------------------------

typedef struct history_walk {
    ct_allocator *allocator;
    bool (*function)(void *user, const ct_database_commit *commit);
    void *user;
    ct_error *error;
    bool has_failed;
} history_walk;

static bool walk_commit(void *user, ct_database_stamp stamp, const void *bytes,
                        uint64_t size_bytes) {
    history_walk *const walk = user;
    ct_database_commit commit;
    ct_database_commit_init(&commit, walk->allocator);
    ct_error why = {0};
    bool goes_on = ct_database_commit_decode(&commit, bytes, size_bytes, &why);
    if (goes_on) {
        goes_on = walk->function(walk->user, &commit);
    } else {
        char time[CT_DATABASE_TIME_TEXT_BYTES];
        ct_database_time_format(stamp.time, time);
        walk->has_failed =
            !ct_error_set(walk->error, "the commit of %s is damaged: %s", time, why.message);
    }
    ct_database_commit_free(&commit);
    return goes_on;
}

static bool walk_to(ct_database *db, const ct_database_vector *to,
                    bool (*function)(void *user, const ct_database_commit *commit), void *user,
                    ct_error *error) {
    const ct_database_vector nothing = {0};
    history_walk walk = {db->allocator, function, user, error, false};
    return db->store->functions->read_commits(db->store, &nothing, to, walk_commit, &walk, error) &&
           !walk.has_failed;
}

bool ct_database_history(ct_database *db,
                         bool (*function)(void *user, const ct_database_commit *commit), void *user,
                         ct_error *error) {
    return walk_to(db, &db->branch.has, function, user, error);
}

static bool apply_commit(void *user, const ct_database_commit *commit) {
    ct_database_state_apply(user, commit);
    return true;
}

ct_database_state *ct_database_state_at(ct_database *db, uint64_t time, ct_error *error) {
    CT_CLEANUP(ct_database_vector_free) ct_database_vector to;
    ct_database_vector_init(&to, db->allocator);
    for (uint32_t i = 0; i < db->branch.has.stamps.count; ++i) {
        const ct_database_stamp stamp = db->branch.has.stamps.items[i];
        ct_database_vector_add(
            &to, (ct_database_stamp){stamp.time < time ? stamp.time : time, stamp.replica});
    }
    ct_database_state *const state =
        ct_database_state_create(db->allocator, (ct_database_removed){0});
    if (walk_to(db, &to, apply_commit, state, error))
        return state;
    ct_database_state_destroy(state);
    return NULL;
}

// --- Conflicts -------------------------------------------------------------------------------------

// The values that one object had before it was destroyed.
typedef struct object_replay {
    ct_database_state *state;
    ct_guid object;
    ct_database_stamp before;
    ct_allocator *allocator;
} object_replay;

static bool replay_object(void *user, const ct_database_commit *commit) {
    const object_replay *const replay = user;
    if (ct_database_stamp_compare(commit->stamp, replay->before) >= 0)
        return true;
    ct_database_commit part;
    ct_database_commit_init(&part, replay->allocator);
    part.stamp = commit->stamp;
    ct_database_vector_copy(&part.seen, &commit->seen);
    for (uint32_t i = 0; i < commit->operations.list.count; ++i)
        if (ct_guid_is_equal(commit->operations.list.items[i].object, replay->object))
            ct_database_operations_push(&part.operations, &commit->operations.list.items[i]);
    if (part.operations.list.count > 0)
        ct_database_state_apply(replay->state, &part);
    ct_database_commit_free(&part);
    return true;
}

// Creates an object again with the values that it had before the stamp.
static bool restore_object(ct_database *db, ct_guid object, ct_database_stamp before,
                           ct_error *error) {
    object_replay replay = {.object = object, .before = before, .allocator = db->allocator};
    replay.state = ct_database_state_create(db->allocator, (ct_database_removed){0});
    const bool is_read = ct_database_history(db, replay_object, &replay, error);
    if (is_read && !ct_database_has(db, object))
        ct_database_push_local(
            db, &(ct_database_operation){.type = CT_DATABASE_CREATE, .object = object});
    ct_database_operation op = {.type = CT_DATABASE_CHANGE_KEY, .object = object};
    uint32_t place = 0;
    while (is_read &&
           ct_database_state_next_key(replay.state, object, &place, &op.key, &op.key_length)) {
        op.value = ct_database_state_get(replay.state, object, op.key, op.key_length);
        ct_database_push_local(db, &op);
    }
    ct_database_state_destroy(replay.state);
    return is_read;
}

bool ct_database_undo_conflict(ct_database *db, const ct_database_conflict *conflict,
                               ct_error *error) {
    const ct_database_operation *const lost = &conflict->lost.operation;
    if (conflict->won.operation.type == CT_DATABASE_DESTROY &&
        !restore_object(db, lost->object, conflict->won.stamp, error))
        return false;
    if (lost->type != CT_DATABASE_CREATE || !ct_database_has(db, lost->object))
        ct_database_push_local(db, lost);
    return true;
}

// A change of the whole key covers all that lost there; a later operation of an element, only that element.
bool ct_database_accept_conflict(ct_database *db, const ct_database_conflict *conflict,
                                 ct_error *error) {
    const ct_database_operation *const won = &conflict->won.operation, *const lost =
                                                                           &conflict->lost
                                                                                .operation;
    (void)error;
    ct_database_operation op = *won;
    if (won->key && lost->type == CT_DATABASE_CHANGE_KEY) {
        op.type = CT_DATABASE_CHANGE_KEY;
        op.value = ct_database_get_bytes(db, won->object, won->key, won->key_length);
    }
    ct_database_push_local(db, &op);
    return true;
}
