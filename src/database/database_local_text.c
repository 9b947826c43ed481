// Local changes in the store: lines of operations; before those of each epoch a line "seen" with GUIDs and times.
#include <string.h>

#include "database/database_private.h"
#include "database/database_text.h"
#include "resource/blob/content_hash.h"

// --- Writing ---------------------------------------------------------------------------------------

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

static uint64_t hash_of(const void *text, uint64_t size_bytes) {
    return size_bytes > 0 ? ct_content_hash(text, size_bytes) : 0;
}

bool ct_database_write_local(ct_database *db, const bool *is_dropped, uint64_t *hash,
                             ct_error *error) {
    const ct_database_overlay *const o = &db->local;
    ct_string_builder text;
    ct_string_builder_init(&text, db->allocator);
    for (uint32_t i = 0, epoch = UINT32_MAX; i < o->entries.count; ++i) {
        if (o->entries.items[i].is_dead || (is_dropped && is_dropped[i]))
            continue;
        if (o->entries.items[i].epoch != epoch)
            write_seen(&db->epochs.items[epoch = o->entries.items[i].epoch], &text);
        ct_database_operation_write(&o->operations.list.items[i], &text);
        ct_string_builder_add_char(&text, '\n');
    }
    const char *const bytes = ct_string_builder_text(&text);
    const bool is_written = db->store->functions->write_local(db->store, &db->branch, db->owner,
                                                              bytes, text.length, error);
    *hash = hash_of(bytes, text.length);
    ct_string_builder_free(&text);
    return is_written;
}

void ct_database_local_written(ct_database *db, uint64_t hash) {
    for (uint32_t i = 0; i < db->local.entries.count; ++i)
        db->local.entries.items[i].is_stored = true;
    db->local_hash = hash;
    db->is_local_changed = false;
}

// --- Reading ---------------------------------------------------------------------------------------

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

static bool is_seen(const char *line, const char *end) {
    return end - line >= 4 && memcmp(line, "seen", 4) == 0;
}

static const char *end_of_line(const char *line, const char *end) {
    const char *const found = memchr(line, '\n', (size_t)(end - line));
    return found ? found : end;
}

bool ct_database_local_operations(const char *text, uint64_t size_bytes,
                                  ct_database_operations *operations) {
    const char *const end = text + size_bytes;
    for (const char *line = text, *stop; line < end; line = stop + 1) {
        stop = end_of_line(line, end);
        if (!is_seen(line, stop) &&
            !ct_database_operation_read(line, (uint64_t)(stop - line), operations, NULL))
            return false;
    }
    return true;
}

static bool read_line(ct_database *db, const char *line, const char *end, bool is_first,
                      ct_error *error) {
    if (is_seen(line, end))
        return read_seen(db, line, end, error);
    ct_database_operations one;
    ct_database_operations_init(&one, db->allocator);
    const bool is_read = ct_database_operation_read(line, (uint64_t)(end - line), &one, error);
    if (is_read) {
        db->is_epoch_over = is_first; // without a line "seen": as if made now
        ct_database_push_local(db, &one.list.items[0], true);
        db->local.entries.items[db->local.entries.count - 1].is_stored = true;
    }
    ct_database_operations_free(&one);
    return is_read;
}

// Adds the stored local changes to those there are.
static bool read_text(ct_database *db, const ct_byte_array *text, ct_error *error) {
    const char *const begin = text->count ? (const char *)text->items : "";
    const char *const end = begin + text->count;
    uint32_t number = 1;
    bool is_read = true;
    for (const char *line = begin, *stop; is_read && line < end; line = stop + 1, ++number) {
        ct_error why = {0};
        stop = end_of_line(line, end);
        if (!read_line(db, line, stop, number == 1, &why))
            is_read = ct_error_set(error, "%s: line %u of the local changes: %s",
                                   db->store->location, number, why.message);
    }
    db->local_hash = hash_of(text->items, text->count);
    db->is_epoch_over = true;
    return is_read;
}

bool ct_database_read_local(ct_database *db, ct_error *error) {
    ct_byte_array text;
    ct_array_init(&text, db->allocator);
    const bool is_read =
        db->store->functions->read_local(db->store, &db->branch, db->owner, &text, error) &&
        read_text(db, &text, error);
    ct_array_free(&text);
    db->is_local_changed = false;
    return is_read;
}

// --- Other processes -------------------------------------------------------------------------------

// Puts the stored changes below those that were made here since.
static bool rebase(ct_database *db, const ct_byte_array *text, ct_error *error) {
    ct_database_overlay before = db->local;
    ct_database_overlay_init(&db->local, db->allocator);
    const bool is_read = read_text(db, text, error);
    for (uint32_t i = 0; is_read && i < before.entries.count; ++i) {
        const ct_database_overlay_entry *const entry = &before.entries.items[i];
        const ct_database_operation *const op = &before.operations.list.items[i];
        if (entry->is_dead || entry->is_stored)
            continue;
        ct_database_overlay_push(&db->local, op, entry->epoch,
                                 ct_database_state_has(db->state, op->object));
        db->local.entries.items[db->local.entries.count - 1].is_attempted = entry->is_attempted;
    }
    if (is_read) {
        ct_database_overlay_free(&before);
    } else {
        ct_database_overlay_free(&db->local);
        db->local = before;
    }
    return is_read;
}

bool ct_database_sync_local(ct_database *db, bool *is_changed, ct_error *error) {
    ct_byte_array text;
    ct_array_init(&text, db->allocator);
    const uint64_t known = db->local_hash;
    *is_changed = false;
    bool is_done =
        db->store->functions->read_local(db->store, &db->branch, db->owner, &text, error);
    if (is_done && hash_of(text.items, text.count) != known) {
        *is_changed = true;
        is_done = rebase(db, &text, error);
        if (!is_done)
            db->local_hash = known;
    }
    ct_array_free(&text);
    return is_done;
}

bool ct_database_settle(ct_database *db, bool *is_changed, ct_error *error) {
    bool is_kept = false;
    *is_changed = false;
    if (db->attempted.time == 0)
        return true;
    if (!db->store->functions->has_commit(db->store, db->attempted, &is_kept, error))
        return false;
    ct_database_overlay *const o = &db->local;
    if (is_kept) {
        bool *const is_left = CT_NEW_ARRAY(db->allocator, bool, o->entries.count);
        const uint64_t bytes = o->entries.count * sizeof(bool);
        for (uint32_t i = 0; i < o->entries.count; ++i)
            is_left[i] = !o->entries.items[i].is_attempted;
        ct_database_overlay_compact(o, is_left);
        ct_free_sized(db->allocator, is_left, bytes);
        ct_database_forget_epochs(db);
        *is_changed = true;
    }
    for (uint32_t i = 0; i < o->entries.count; ++i)
        o->entries.items[i].is_attempted = false;
    db->attempted = (ct_database_stamp){0};
    return true;
}
