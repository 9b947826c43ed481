#include <stdio.h>
#include <string.h>

#include "database/database_private.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/os.h"

#define NONE CT_DATABASE_NO_OPERATION

// --- Opening and closing ---------------------------------------------------------------------------

// Rows that memory does not hold. Another process may have stored rows of commits that are not known here yet: those
// are left out, and come with their commits.
static void find_removed(void *user, ct_guid object, const char *key, uint32_t key_length,
                         const ct_guid *element, ct_database_row_array *rows) {
    ct_database *const db = user;
    (void)element; // more rows than asked for do no harm
    const uint32_t first = rows->count;
    if (db->rows_error.message[0] || db->branch.state.stamps.count == 0)
        return; // until rows are stored, memory has all
    if (!db->store->functions->load_rows(db->store, &db->branch, object, key, key_length, element,
                                         rows, &db->rows_error))
        rows->count = first;
    uint32_t num_known = first;
    for (uint32_t i = first; i < rows->count; ++i)
        if (ct_database_vector_has(&db->branch.has, rows->items[i].stamp))
            rows->items[num_known++] = rows->items[i];
    rows->count = num_known;
}

static bool find_branch(ct_database *db, const ct_database_desc *desc, ct_error *error) {
    const char *const name = desc->branch ? desc->branch : "main";
    const ct_database_store_functions *const f = db->store->functions;
    if (strlen(name) > CT_DATABASE_MAX_BRANCH_BYTES)
        return ct_error_set(error, "%s: the name of a branch has at most %d bytes; found %zu",
                            db->store->location, CT_DATABASE_MAX_BRANCH_BYTES, strlen(name));
    ct_database_branch_init(&db->branch, db->allocator, name);
    bool found;
    if (!f->read_branch(db->store, &db->branch, &found, error))
        return false;
    if (found)
        return true;
    if (!desc->may_create || strcmp(name, "main") != 0)
        return ct_error_set(error,
                            "%s has no branch \"%s\"; `cuttle db branch` lists those there are",
                            db->store->location, name);
    return f->create_branch(db->store, name, ct_guid_make(), NULL, error) &&
           f->read_branch(db->store, &db->branch, &found, error);
}

bool ct_database_rows_check(const ct_database *db, ct_error *error) {
    return !db->rows_error.message[0] ||
           ct_error_set(error, "%s. The database must be opened again; what was committed is kept",
                        db->rows_error.message);
}

static bool load(ct_database *db, ct_error *error) {
    // The vector of the rows is the one that is known from here on; the log leads to `has`.
    CT_CLEANUP(ct_database_vector_free) ct_database_vector to;
    ct_database_vector_init(&to, db->allocator);
    ct_database_vector_copy(&to, &db->branch.has);
    ct_error why;
    if (!db->store->functions->load_state(db->store, &db->branch, db->state, &why))
        return ct_error_set_at(
            error, why.file, why.line, why.column,
            "%.800s. Where rows are damaged: `cuttle db check --rebuild` makes them "
            "again from the log",
            why.message);
    ct_database_vector_join(&to, &db->branch.state); // another process may have stored more by now
    ct_database_vector_copy(&db->branch.has, &db->branch.state);
    return ct_database_take_in_to(db, &to, error);
}

// A file may come along with its user; on a server two users may have one name, but not one machine as well.
static char *owner_of(ct_allocator *a, const ct_database_desc *desc, bool is_server) {
    const char *const user = ct_os_environment("USER");
    if (desc->owner)
        return ct_copy_string(a, desc->owner);
    char owner[CT_DATABASE_MAX_NAME_BYTES + 1], machine[CT_OS_MACHINE_NAME_BYTES] = "";
    if (is_server)
        ct_os_machine_name(machine);
    snprintf(owner, sizeof(owner), "%s%s%s", user ? user : "", is_server ? "@" : "", machine);
    return ct_copy_string(a, owner);
}

ct_database *ct_database_open(ct_allocator *a, const ct_database_desc *desc, ct_error *error) {
    ct_database_store *const store =
        ct_database_store_open(a, desc->location, desc->may_create, error);
    if (!store)
        return NULL;
    ct_database *const db = CT_NEW(a, ct_database);
    db->allocator = a;
    db->store = store;
    db->state = ct_database_state_create(a, (ct_database_removed){db, find_removed});
    const char *const user = ct_os_environment("USER");
    db->author = ct_copy_string(a, desc->author ? desc->author : user ? user : "");
    db->wall_ns = desc->wall_ns ? desc->wall_ns : ct_os_wall_time_ns;
    db->owner = owner_of(a, desc, ct_database_is_server(desc->location));
    ct_database_overlay_init(&db->local, a);
    ct_database_operations_init(&db->unreported, a);
    ct_array_init(&db->epochs, a);
    ct_array_init(&db->set, a);
    ct_array_init(&db->bytes, a);
    db->is_epoch_over = true;
    const char *const branch = desc->branch ? desc->branch : "main";
    if ((!desc->makes_rows_again || store->functions->clear_state(store, branch, error)) &&
        find_branch(db, desc, error) && load(db, error) && ct_database_read_local(db, error))
        return db;
    db->is_local_changed = false; // what could not be read stays as it is
    ct_database_state_destroy(db->state);
    db->state = NULL;
    ct_database_close(db);
    return NULL;
}

// Stores the local changes, over what other processes did to those that were stored.
static bool keep_local(ct_database *db, ct_error *error) {
    const ct_database_store_functions *const f = db->store->functions;
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    bool is_settled, is_synced;
    uint64_t hash;
    bool is_done = f->begin(db->store, &branch, error);
    if (is_done) {
        const bool is_written = ct_database_settle(db, &is_settled, error) &&
                                ct_database_sync_local(db, &is_synced, error) &&
                                ct_database_write_local(db, NULL, &hash, error);
        ct_error ignored;
        is_done =
            f->end(db->store, &branch, is_written, is_written ? error : &ignored) && is_written;
    }
    ct_database_branch_free(&branch);
    return is_done;
}

void ct_database_close(ct_database *db) {
    if (!db)
        return;
    ct_error error;
    if (db->state)
        ct_database_store_state(db, true);
    const bool writes_local =
        db->is_local_changed && (db->local_hash != 0 || ct_database_local(db)->list.count > 0);
    if (writes_local && !keep_local(db, &error))
        ct_log_report("database", &error);
    ct_database_state_destroy(db->state);
    ct_database_overlay_free(&db->local);
    for (uint32_t i = 0; i < db->epochs.count; ++i)
        ct_database_vector_free(&db->epochs.items[i]);
    ct_array_free(&db->epochs);
    ct_array_free(&db->set);
    ct_array_free(&db->bytes);
    ct_database_operations_free(&db->unreported);
    ct_database_branch_free(&db->branch);
    db->store->functions->close(db->store);
    ct_free(db->allocator, db->author);
    ct_free(db->allocator, db->owner);
    ct_free_sized(db->allocator, db, sizeof(*db));
}

ct_database_store *ct_database_get_store(ct_database *db) {
    return db->store;
}

const ct_database_branch *ct_database_get_branch(const ct_database *db) {
    return &db->branch;
}

const ct_database_state *ct_database_committed(const ct_database *db) {
    return db->state;
}

void ct_database_store_state(ct_database *db, bool always) {
    const uint32_t num_changes = ct_database_state_num_changes(db->state);
    if (num_changes == 0 || (!always && num_changes < CT_DATABASE_STORE_AFTER))
        return;
    ct_error error;
    if (!ct_database_rows_check(db, &error)) {
        ct_log_report_warning("database", &error);
        return;
    }
    bool is_saved = false;
    if (!db->store->functions->save_state(db->store, &db->branch, db->state, &db->branch.has,
                                          &is_saved, &error))
        ct_log_report_warning("database", &error);
    else if (is_saved)
        ct_database_state_stored(db->state);
}

// --- Reading ---------------------------------------------------------------------------------------

bool ct_database_has(const ct_database *db, ct_guid object) {
    const ct_database_overlay_object *const local = ct_database_overlay_find(&db->local, object);
    if (local && local->existence != CT_DATABASE_OVERLAY_SAME)
        return local->existence == CT_DATABASE_OVERLAY_CREATED;
    return ct_database_state_has(db->state, object);
}

// Puts the elements of the key's local operations over the sorted set in db->set.
static void add_elements(ct_database *db, const ct_database_overlay_key *key) {
    const ct_database_overlay *const o = &db->local;
    CT_ARRAY(ct_guid) added;
    CT_TEMP_ALLOCATOR(temp, db->allocator);
    ct_array_init(&added, temp);
    CT_ARRAY(ct_guid) removed;
    ct_array_init(&removed, temp);
    for (uint32_t i = key->first_element; i != NONE; i = o->entries.items[i].next_element) {
        const ct_database_operation *const op = &o->operations.list.items[i];
        if (o->entries.items[i].is_dead)
            continue;
        if (op->type == CT_DATABASE_ADD_TO_SET)
            ct_array_push(&added, op->value.reference);
        else
            ct_array_push(&removed, op->value.reference);
    }
    ct_database_set_sort(added.items, added.count);
    ct_database_set_sort(removed.items, removed.count);
    ct_guid_array merged;
    ct_array_init(&merged, db->allocator);
    ct_array_reserve(&merged, db->set.count + added.count);
    uint32_t a = 0, r = 0;
    for (uint32_t s = 0; s < db->set.count || a < added.count;) {
        const int order = s == db->set.count ? 1
                          : a == added.count ? -1
                                             : ct_guid_compare(db->set.items[s], added.items[a]);
        const ct_guid next = order <= 0 ? db->set.items[s] : added.items[a];
        s += order <= 0;
        a += order >= 0;
        while (r < removed.count && ct_guid_compare(removed.items[r], next) < 0)
            ++r;
        if (r == removed.count || !ct_guid_is_equal(removed.items[r], next))
            ct_array_push(&merged, next);
    }
    ct_array_free(&db->set);
    db->set = merged;
}

ct_database_value ct_database_get_bytes(const ct_database *db, ct_guid object, const char *key,
                                        uint32_t key_length) {
    const ct_database_overlay *const o = &db->local;
    const ct_database_overlay_object *const local = ct_database_overlay_find(o, object);
    if (local && local->existence == CT_DATABASE_OVERLAY_DESTROYED)
        return (ct_database_value){0};
    const ct_database_overlay_key *const local_key =
        local ? ct_database_overlay_find_key(o, object, key, key_length) : NULL;
    ct_database_value value = {0};
    if (local_key && local_key->change != NONE)
        value = o->operations.list.items[local_key->change].value;
    else if (!local || !local->hides_values)
        value = ct_database_state_get(db->state, object, key, key_length);
    if (!local_key || local_key->first_element == NONE)
        return value;
    ct_database *const scratch = (ct_database *)(uintptr_t)db; // the set that was read last
    scratch->set.count = 0;
    if (value.kind == CT_DATABASE_SET)
        ct_array_push_many(&scratch->set, value.set.items, value.set.count);
    add_elements(scratch, local_key);
    return (ct_database_value){.kind = CT_DATABASE_SET,
                               .set = {.items = db->set.items, .count = db->set.count}};
}

ct_database_value ct_database_get(const ct_database *db, ct_guid object, const char *key) {
    return ct_database_get_bytes(db, object, key, (uint32_t)strlen(key));
}

uint32_t ct_database_num_objects(const ct_database *db) {
    uint32_t count = ct_database_state_num_objects(db->state);
    for (uint32_t i = 0; i < db->local.objects.count; ++i) {
        const ct_database_overlay_object *const object = &db->local.objects.items[i];
        const bool is_below = ct_database_state_has(db->state, object->guid);
        count += object->existence == CT_DATABASE_OVERLAY_CREATED && !is_below;
        count -= object->existence == CT_DATABASE_OVERLAY_DESTROYED && is_below;
    }
    return count;
}

// Walks the local objects first, then those of the state that have no local operations of their own. The place is a
// number of the first, or, from half of all numbers on, one of the state.
static const uint32_t below = UINT32_C(1) << 31;

bool ct_database_next_object(const ct_database *db, uint32_t *place, ct_guid *object) {
    while (*place < below) {
        if (*place == db->local.objects.count) {
            *place = below;
            break;
        }
        *object = db->local.objects.items[(*place)++].guid;
        if (ct_database_has(db, *object))
            return true;
    }
    uint32_t state_place = *place - below;
    bool is_found;
    do
        is_found = ct_database_state_next_object(db->state, &state_place, object);
    while (is_found && db->local.objects.count > 0 &&
           ct_database_overlay_find(&db->local, *object));
    *place = state_place + below;
    return is_found;
}

// The same way: the keys of local operations that have a value, then those of the state without local operations.
bool ct_database_next_key(const ct_database *db, ct_guid object, uint32_t *place, const char **key,
                          uint32_t *key_length) {
    const ct_database_overlay_object *const local = ct_database_overlay_find(&db->local, object);
    if (local && local->existence == CT_DATABASE_OVERLAY_DESTROYED)
        return false;
    if (*place == 0) // places of local keys count from 1
        *place = local && local->first_key != NONE ? local->first_key + 1 : below;
    while (*place < below) {
        const ct_database_overlay_key *const next = &db->local.keys.items[*place - 1];
        *place = next->next_key == NONE ? below : next->next_key + 1;
        *key = next->name;
        *key_length = next->length;
        if (ct_database_get_bytes(db, object, *key, *key_length).kind != CT_DATABASE_NULL)
            return true;
    }
    if (local && local->hides_values)
        return false;
    uint32_t state_place = *place - below;
    bool is_found;
    do
        is_found = ct_database_state_next_key(db->state, object, &state_place, key, key_length);
    while (is_found && local &&
           ct_database_overlay_find_key(&db->local, object, *key, *key_length));
    *place = state_place + below;
    return is_found;
}
