#include <stdlib.h>
#include <string.h>

#include "database/database_private.h"
#include "database/database_text.h"
#include "foundation/log.h"

#define NONE CT_DATABASE_NO_OPERATION

static int compare_elements(const void *a, const void *b) {
    return ct_guid_compare(*(const ct_guid *)a, *(const ct_guid *)b);
}

void ct_database_set_sort(ct_guid *elements, uint32_t count) {
    if (count > 1)
        qsort(elements, count, sizeof(*elements), compare_elements);
}

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

void ct_database_push_local(ct_database *db, const ct_database_operation *operation) {
    ct_database_overlay *const o = &db->local;
    ct_database_overlay_push(o, operation, ct_database_epoch(db),
                             ct_database_state_has(db->state, operation->object));
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
    ct_database_push_local(db, operation);
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

// Makes the commits of the chosen local changes: one for each epoch.
static void make_commits(ct_database *db, const bool *is_chosen, const char *message,
                         ct_database_commits *commits) {
    const ct_database_overlay *const o = &db->local;
    uint64_t last = ct_database_vector_last(&db->branch.has);
    for (uint32_t epoch = 0; epoch < db->epochs.count; ++epoch) {
        ct_database_commit *commit = NULL;
        for (uint32_t i = 0; i < o->entries.count; ++i) {
            if (!is_chosen[i] || o->entries.items[i].epoch != epoch)
                continue;
            if (!commit) {
                last = ct_database_time_next(last, db->wall_ns());
                ct_array_push(&commits->list, (ct_database_commit){0});
                commit = &commits->list.items[commits->list.count - 1];
                ct_database_commit_init(commit, db->allocator);
                commit->stamp = (ct_database_stamp){last, db->branch.replica};
                ct_database_vector_copy(&commit->seen, &db->epochs.items[epoch]);
                commit->author = db->author;
                commit->message = message ? message : "";
            }
            ct_database_operations_push(&commit->operations, &o->operations.list.items[i]);
        }
    }
}

static bool append(ct_database *db, const ct_database_commits *commits, ct_error *error) {
    for (uint32_t i = 0; i < commits->list.count; ++i) {
        const ct_database_commit *const commit = &commits->list.items[i];
        db->bytes.count = 0;
        if (!ct_database_commit_encode(commit, &db->bytes, error) ||
            !db->store->functions->append(db->store, commit->stamp, db->bytes.items,
                                          db->bytes.count, error))
            return false;
    }
    return true;
}

// Between begin and end: what others committed in the meantime comes first.
static bool write_commits(ct_database *db, ct_database_branch *branch, const bool *is_chosen,
                          const char *message, ct_database_commits *commits, ct_error *error) {
    ct_database_commits others;
    ct_database_commits_init(&others, db->allocator);
    const bool is_read =
        ct_database_vector_covers(&db->branch.has, &branch->has) ||
        ct_database_commits_read(&others, db->store, &db->branch.has, &branch->has, error);
    if (is_read)
        ct_database_take_in(db, &others);
    ct_database_commits_free(&others);
    if (!is_read)
        return false;
    make_commits(db, is_chosen, message, commits);
    if (!append(db, commits, error))
        return false;
    for (uint32_t i = 0; i < commits->list.count; ++i)
        ct_database_vector_add(&branch->has, commits->list.items[i].stamp);
    return true;
}

// After a commit, or after changes were dropped: vectors that no local change needs go.
static void forget_epochs(ct_database *db) {
    db->is_epoch_over = true;
    if (db->local.entries.count > 0)
        return;
    for (uint32_t i = 0; i < db->epochs.count; ++i)
        ct_database_vector_free(&db->epochs.items[i]);
    db->epochs.count = 0;
}

static bool commit_chosen(ct_database *db, bool *is_chosen, const char *message, ct_error *error) {
    const ct_database_store_functions *const f = db->store->functions;
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    ct_database_commits commits;
    ct_database_commits_init(&commits, db->allocator);
    bool is_done = f->begin(db->store, &branch, error);
    if (is_done) {
        is_done = write_commits(db, &branch, is_chosen, message, &commits, error);
        ct_error ignored;
        is_done = f->end(db->store, &branch, is_done, is_done ? error : &ignored) && is_done;
    }
    if (is_done) {
        ct_database_take_in(db, &commits);
        for (uint32_t i = 0; i < db->local.entries.count; ++i)
            is_chosen[i] = !is_chosen[i];
        ct_database_overlay_compact(&db->local, is_chosen);
        forget_epochs(db);
        db->is_local_changed = true;
        ct_error why;
        if (db->has_stored_local &&
            !ct_database_write_local(db, &why)) // what is committed is no longer local
            ct_log_report_warning("database", &why);
        ct_database_store_state(db, false);
    }
    ct_database_commits_free(&commits);
    ct_database_branch_free(&branch);
    return is_done;
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

bool ct_database_commit_local(ct_database *db, const uint32_t *indices, uint32_t count,
                              const char *message, ct_error *error) {
    if (message && strlen(message) > CT_DATABASE_MAX_MESSAGE_BYTES)
        return ct_error_set(error, "the message of a commit has at most %d bytes; found %zu",
                            CT_DATABASE_MAX_MESSAGE_BYTES, strlen(message));
    const uint32_t num_local = ct_database_local(db)->list.count; // no dead ones from here on
    if (num_local == 0 || (indices && count == 0))
        return true;
    bool *const is_chosen = CT_NEW_ARRAY(db->allocator, bool, num_local);
    const bool is_done = choose(db, indices, count, is_chosen, error) &&
                         check_chosen(db, is_chosen, error) &&
                         commit_chosen(db, is_chosen, message, error);
    ct_free_sized(db->allocator, is_chosen, num_local * sizeof(bool));
    return is_done;
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
    forget_epochs(db);
    db->is_local_changed = true;
}

void ct_database_leave_local(ct_database *db) {
    db->is_local_changed = false;
}

// --- Kept in the store -----------------------------------------------------------------------------
// Lines of operations; before those of each epoch a line "seen" with GUIDs and times.

static void write_seen(const ct_database_vector *seen, ct_string_builder *out) {
    ct_string_builder_add(out, "seen");
    for (uint32_t i = 0; i < seen->stamps.count; ++i) {
        char guid[CT_GUID_TEXT_BYTES], time[CT_DATABASE_TIME_TEXT_BYTES];
        ct_guid_format(seen->stamps.items[i].replica, guid);
        ct_database_time_format(seen->stamps.items[i].time, time);
        ct_string_builder_addf(out, " %s %s", guid, time);
    }
    ct_string_builder_add_char(out, '\n');
}

bool ct_database_write_local(ct_database *db, ct_error *error) {
    const ct_database_operations *const local = ct_database_local(db);
    ct_string_builder text;
    ct_string_builder_init(&text, db->allocator);
    for (uint32_t i = 0, epoch = NONE; i < local->list.count; ++i) {
        if (db->local.entries.items[i].epoch != epoch)
            write_seen(&db->epochs.items[epoch = db->local.entries.items[i].epoch], &text);
        ct_database_operation_write(&local->list.items[i], &text);
        ct_string_builder_add_char(&text, '\n');
    }
    const char *const bytes = ct_string_builder_text(&text);
    const bool is_written =
        db->store->functions->write_local(db->store, &db->branch, bytes, strlen(bytes), error);
    if (is_written) {
        db->has_stored_local = text.length > 0;
        db->is_local_changed = false;
    }
    ct_string_builder_free(&text);
    return is_written;
}

static bool read_seen(ct_database *db, const char *line, const char *end, ct_error *error) {
    ct_database_vector seen;
    ct_database_vector_init(&seen, db->allocator);
    ct_array_push(&db->epochs, seen);
    const char *at = line + strlen("seen");
    while (at < end) {
        const char *const guid = at + 1;
        const char *const time = guid + CT_GUID_TEXT_BYTES; // behind the space
        const char *stop = time < end ? memchr(time, ' ', (size_t)(end - time)) : end;
        stop = stop ? stop : end;
        ct_database_stamp stamp;
        if (time >= end || !ct_guid_parse(guid, CT_GUID_TEXT_BYTES - 1, &stamp.replica, error) ||
            !ct_database_time_parse(time, (uint64_t)(stop - time), &stamp.time, error))
            return false;
        ct_database_vector_add(&db->epochs.items[db->epochs.count - 1], stamp);
        at = stop;
    }
    return true;
}

static bool read_line(ct_database *db, const char *line, const char *end, ct_error *error) {
    if (end - line >= 4 && memcmp(line, "seen", 4) == 0)
        return read_seen(db, line, end, error);
    ct_database_operations one;
    ct_database_operations_init(&one, db->allocator);
    const bool is_read = ct_database_operation_read(line, (uint64_t)(end - line), &one, error);
    if (is_read) {
        db->is_epoch_over = db->epochs.count == 0;
        ct_database_push_local(db, &one.list.items[0]);
    }
    ct_database_operations_free(&one);
    return is_read;
}

bool ct_database_read_local(ct_database *db, ct_error *error) {
    ct_byte_array text;
    ct_array_init(&text, db->allocator);
    bool is_read = db->store->functions->read_local(db->store, &db->branch, &text, error);
    const char *const begin = text.count ? (const char *)text.items : "";
    const char *const end = begin + text.count;
    uint32_t number = 1;
    for (const char *line = begin; is_read && line < end; ++number) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        ct_error why = {0};
        if (!read_line(db, line, stop, &why))
            is_read = ct_error_set(error, "%s: line %u of the local changes: %s",
                                   db->store->location, number, why.message);
        line = stop + 1;
    }
    db->has_stored_local = text.count > 0;
    ct_array_free(&text);
    db->is_epoch_over = true;
    db->is_local_changed = false;
    return is_read;
}
