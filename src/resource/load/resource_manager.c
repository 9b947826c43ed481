#include "resource/load/resource_manager_private.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "resource/types/resource_types.h"

// --- Names ---------------------------------------------------------------------------------------

static void register_names(const ct_catalog *catalog) {
    const ct_blob_string *const types = ct_blob_at(catalog, catalog->types.offset);
    for (uint32_t i = 0; i < catalog->types.count; ++i)
        ct_string_id64_register(ct_blob_at(catalog, types[i].offset));
    for (uint32_t i = 0; i < catalog->names.count; ++i)
        ct_string_id64_register(ct_catalog_name(catalog, i));
}

// Reads the catalog; on an `error` the previous one stays.
static bool read_catalog(ct_resource_manager *m, ct_error *error) {
    m->catalog_stamp = ct_resource_store_catalog_stamp(m->store);
    ct_catalog *const catalog = ct_resource_store_read_catalog(m->store, m->allocator, error);
    if (!catalog)
        return false;
    register_names(catalog);
    ct_free(m->allocator, m->catalog);
    m->catalog = catalog;
    return true;
}

void ct_resource_manager_refresh_catalog(ct_resource_manager *m) {
    ct_error error = {0};
    const uint64_t stamp = ct_resource_store_catalog_stamp(m->store);
    if (stamp == m->catalog_stamp)
        return;
    if (stamp == 0)
        m->catalog_stamp = 0;
    else if (!read_catalog(m, &error))
        ct_log_warning("resource", "bad_catalog", "%s: %s; variants and new names are unknown",
                       error.file, error.message);
}

bool ct_resource_manager_check_data(ct_resource_manager *m, ct_error *error) {
    return m->catalog || read_catalog(m, error);
}

static uint32_t position_of(const ct_resource_manager *m, ct_resource_id id) {
    return m->catalog ? ct_catalog_find(m->catalog, id) : CT_CATALOG_NONE;
}

const ct_catalog_variant *ct_resource_manager_variant(const ct_resource_manager *m,
                                                      ct_resource_id id) {
    const uint32_t position = position_of(m, id);
    return position != CT_CATALOG_NONE ? ct_catalog_choose(m->catalog, position, &m->preference)
                                       : NULL;
}

ct_string_id64 ct_resource_manager_choose(const ct_resource_manager *m, ct_resource_id id) {
    const ct_catalog_variant *const v = ct_resource_manager_variant(m, id);
    const bool is_known = v || position_of(m, id) != CT_CATALOG_NONE;
    return v ? v->data_name : is_known ? (ct_string_id64){0} : id.name;
}

const char *ct_resource_manager_type_name(ct_string_id64 type) {
    const ct_resource_type *const known = ct_resource_type_of(type);
    return known ? known->name : ct_string_id64_name(type);
}

// Logs why a resource was refused.
static void report_refused(ct_resource_manager *m, uint32_t slot, const ct_error *error) {
    const ct_resource_id id = m->records.items[slot].id;
    ct_error told = {0};
    ct_error_set_at(&told, error->file, error->line, error->column, "refused %s \"%s\": %.512s",
                    ct_resource_manager_type_name(id.type), ct_string_id64_name(id.name),
                    error->message);
    ct_log_report("resource", &told);
}

// --- Records -------------------------------------------------------------------------------------

uint32_t ct_resource_manager_slot(const ct_resource_manager *m, ct_resource_id id) {
    const uint32_t slot = (uint32_t)ct_hash_map_get(&m->slots, ct_resource_id_key(id), 0);
    return slot && ct_resource_id_equal(m->records.items[slot].id, id) ? slot : 0;
}

uint32_t ct_resource_manager_add_record(ct_resource_manager *m, ct_resource_id id) {
    uint32_t slot = m->records.count;
    if (m->free_slots.count > 0)
        slot = m->free_slots.items[--m->free_slots.count];
    else
        ct_array_resize(&m->records, slot + 1);
    m->records.items[slot] = (ct_record){.id = id};
    ct_hash_map_set(&m->slots, ct_resource_id_key(id), slot);
    return slot;
}

static void remove_record(ct_resource_manager *m, uint32_t slot) {
    const ct_record *const r = &m->records.items[slot];
    ct_hash_map_erase(&m->slots, ct_resource_id_key(r->id));
    if (r->new_blob.data) // a `reload` callback of another resource released it
        ct_resource_loader_free(m->loader, r->id, r->new_blob);
    m->records.items[slot] = (ct_record){0};
    ct_array_push(&m->free_slots, slot);
}

uint64_t ct_resource_manager_retire_frame(const ct_resource_manager *m) {
    return m->frame + 1;
}

void ct_resource_manager_retire_blob(ct_resource_manager *m, ct_resource_id id,
                                     ct_loaded_blob blob) {
    ct_array_push(&m->retired, (ct_retired_blob){id, blob, ct_resource_manager_retire_frame(m)});
}

static void append_online(ct_resource_manager *m, uint32_t slot) {
    ct_record *const r = &m->records.items[slot];
    r->older = m->newest;
    r->newer = 0;
    m->records.items[m->newest].newer = slot;
    m->newest = slot;
}

static void remove_online(ct_resource_manager *m, uint32_t slot) {
    const ct_record *const r = &m->records.items[slot];
    m->records.items[r->older].newer = r->newer;
    if (r->newer)
        m->records.items[r->newer].older = r->older;
    else
        m->newest = r->older;
}

void ct_resource_manager_bring_online(ct_resource_manager *m, uint32_t slot) {
    const ct_resource_id id = m->records.items[slot].id;
    const void *const blob = m->records.items[slot].blob.data;
    m->records.items[slot].state = CT_RECORD_STATE_ONLINE;
    ++m->num_told;
    append_online(m, slot);
    const uint32_t count = m->registrations.count;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_resource_callbacks c = ct_resource_manager_callbacks(m, i, id.type);
        if (c.online)
            c.online(c.user, id.name, blob);
    }
}

void ct_resource_manager_settle(ct_resource_manager *m) {
    if (m->num_settled == m->num_told)
        return;
    m->num_settled = m->num_told;
    const uint32_t count = m->registrations.count;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_resource_callbacks c = m->registrations.items[i].callbacks;
        if (c.settled)
            c.settled(c.user);
    }
}

// Takes an online resource offline; its blob retires.
static void take_offline(ct_resource_manager *m, uint32_t slot) {
    const ct_resource_id id = m->records.items[slot].id;
    const ct_loaded_blob blob = m->records.items[slot].blob;
    for (uint32_t i = m->registrations.count; i-- > 0;) {
        const ct_resource_callbacks c = ct_resource_manager_callbacks(m, i, id.type);
        if (c.offline)
            c.offline(c.user, id.name, blob.data);
    }
    remove_online(m, slot);
    ct_resource_manager_cancel_stream(m, slot);
    m->records.items[slot].state = CT_RECORD_STATE_FREE;
    ct_resource_manager_retire_blob(m, id, blob);
}

void ct_resource_manager_ask(ct_resource_manager *m, uint32_t slot, ct_string_id64 data_name,
                             bool is_urgent) {
    const ct_load_request request = {m->records.items[slot].id, data_name, slot};
    if (data_name.value != 0)
        ct_resource_loader_load(m->loader, &request, 1, is_urgent);
    else
        ct_resource_loader_refuse(m->loader, slot, CT_RESOURCE_UNWANTED);
}

// Adds the record's resource, at `position` in the catalog, to the next requests.
static void request(ct_resource_manager *m, uint32_t slot, uint32_t position) {
    ct_record *const r = &m->records.items[slot];
    const bool is_known = position != CT_CATALOG_NONE;
    const ct_catalog_variant *const v =
        is_known ? ct_catalog_choose(m->catalog, position, &m->preference) : NULL;
    r->state = CT_RECORD_STATE_LOADING;
    r->data_name = v ? v->data_name : is_known ? (ct_string_id64){0} : r->id.name;
    r->data_bytes = v ? v->data_bytes : 0;
    if (r->data_name.value != 0)
        ct_array_push(&m->asked, (ct_load_request){r->id, r->data_name, slot});
    else
        ct_resource_loader_refuse(m->loader, slot, CT_RESOURCE_UNWANTED);
}

enum {
    MOST_ASKED = 512, // at once, so that the service thread can begin
    AHEAD = 8,        // number of entries to prefetch
};

static void send_requests(ct_resource_manager *m, bool is_urgent) {
    if (m->asked.count > 0)
        ct_resource_loader_load(m->loader, m->asked.items, m->asked.count, is_urgent);
    m->asked.count = 0;
}

// Returns the slot of a new record; logs a message and returns 0 when there cannot be one.
static uint32_t add_known(ct_resource_manager *m, ct_resource_id id, bool is_taken) {
    const bool is_known = ct_resource_type_of(id.type) != NULL;
    if (is_known && !is_taken)
        return ct_resource_manager_add_record(m, id);
    ct_log_error("resource", "resource_refused", "refused %s \"%s\": %s",
                 ct_resource_manager_type_name(id.type), ct_string_id64_name(id.name),
                 is_known ? "its id collides with another resource's; rename one of them"
                          : "unknown resource type; the plugin that adds it is not loaded");
    return 0;
}

// Holds a resource; a missing one is added to the next requests.
static uint32_t hold(ct_resource_manager *m, ct_resource_id id, uint32_t position) {
    const uint64_t *const found = ct_hash_map_find(&m->slots, ct_resource_id_key(id));
    uint32_t slot = found ? (uint32_t)*found : 0;
    if (!slot || !ct_resource_id_equal(m->records.items[slot].id, id)) {
        slot = add_known(m, id, found != NULL);
        if (!slot)
            return 0;
        request(m, slot, position);
    } else if (m->records.items[slot].state == CT_RECORD_STATE_REFUSED) {
        request(m, slot, position);
    } else if (m->records.items[slot].holders == 0) {
        ct_resource_loader_keep(m->loader, slot);
    }
    ++m->records.items[slot].holders;
    return slot;
}

uint32_t ct_resource_manager_hold(ct_resource_manager *m, ct_resource_id id, bool is_urgent) {
    const uint32_t slot = hold(m, id, position_of(m, id));
    send_requests(m, is_urgent);
    return slot;
}

void ct_resource_manager_hold_many(ct_resource_manager *m, const ct_resource_id *ids,
                                   const uint32_t *positions, uint32_t count, bool is_urgent,
                                   uint32_t *slots) {
    ct_array_reserve(&m->records, (uint64_t)m->records.count + count);
    ct_array_reserve(&m->asked, MOST_ASKED);
    ct_hash_map_reserve(&m->slots, m->records.count + count);
    for (uint32_t i = 0; i < count; ++i) {
        if (i + AHEAD < count)
            ct_hash_map_prefetch(&m->slots, ct_resource_id_key(ids[i + AHEAD]));
        slots[i] = hold(m, ids[i], positions[i]);
        if (m->asked.count == MOST_ASKED)
            send_requests(m, is_urgent);
    }
    send_requests(m, is_urgent);
}

void ct_resource_manager_release(ct_resource_manager *m, uint32_t slot) {
    ct_record *const r = &m->records.items[slot];
    CT_ASSERT(r->holders > 0, "a resource is released more often than it was held");
    --r->holders;
    if (r->holders > 0)
        return;
    if (r->state == CT_RECORD_STATE_LOADING) {
        ct_resource_loader_cancel(m->loader, slot);
        return;
    }
    if (r->state == CT_RECORD_STATE_ONLINE)
        take_offline(m, slot);
    else if (r->state == CT_RECORD_STATE_LOADED)
        ct_resource_loader_free(m->loader, r->id, r->blob);
    remove_record(m, slot);
}

// --- Results of the service thread ---------------------------------------------------------------

static void take_result(ct_resource_manager *m, const ct_load_result *result) {
    ct_record *const r = &m->records.items[result->slot];
    if (result->is_cancelled && r->holders > 0) { // and held again
        request(m, result->slot, position_of(m, r->id));
        send_requests(m, ct_resource_loader_is_urgent(m->loader, result->slot));
        return;
    }
    const bool has_asker = result->slot == m->error_slot; // which gets the error; it is logged for
                                                          // other holders
    if (result->error && has_asker)
        *m->error = *result->error;
    if (result->error && r->holders > (has_asker ? 1 : 0))
        report_refused(m, result->slot, result->error);
    ct_free(m->allocator, result->error);
    if (r->is_read_anew) {
        r->is_read_anew = false;
        r->new_blob = result->blob;
        return;
    }
    r->blob = result->blob;
    r->state = result->blob.data ? CT_RECORD_STATE_LOADED : CT_RECORD_STATE_REFUSED;
    if (r->holders == 0) { // released while it was loading
        if (result->blob.data)
            ct_resource_loader_free(m->loader, r->id, result->blob);
        remove_record(m, result->slot);
    }
}

void ct_resource_manager_take_results(ct_resource_manager *m) {
    ct_resource_loader_take(m->loader, &m->results);
    for (uint32_t i = 0; i < m->results.count; ++i)
        take_result(m, &m->results.items[i]);
    m->results.count = 0;
}

void ct_resource_manager_wait_for(ct_resource_manager *m, uint32_t slot) {
    ct_resource_manager_take_results(m);
    ct_resource_loader_hurry(m->loader, &slot, 1);
    while (m->records.items[slot].state == CT_RECORD_STATE_LOADING ||
           m->records.items[slot].is_read_anew) {
        ct_resource_loader_wait(m->loader);
        ct_resource_manager_take_results(m);
    }
}

// --- Life ----------------------------------------------------------------------------------------

ct_resource_manager *ct_resource_manager_create(const ct_resource_manager_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "resource");
    ct_resource_manager *const m = CT_NEW(a, ct_resource_manager);
    m->allocator = a;
    m->store = ct_resource_store_open(a, desc->data_folder);
    ct_array_init(&m->records, a);
    ct_array_resize(&m->records, 1);
    ct_array_init(&m->free_slots, a);
    ct_array_init(&m->registrations, a);
    ct_array_init(&m->asked, a);
    ct_array_init(&m->results, a);
    ct_array_init(&m->retired, a);
    ct_array_init(&m->retired_streams, a);
    ct_array_init(&m->packages, a);
    ct_hash_map_init(&m->slots, a);
    m->loader = ct_resource_loader_create(a, m->store);
    read_catalog(m, NULL);
    return m;
}

void ct_resource_manager_end_all(ct_resource_manager *m) {
    while (m->newest)
        take_offline(m, m->newest);
}

// Returns every blob; the service thread has stopped.
static void free_blobs(ct_resource_manager *m) {
    ct_resource_manager_end_all(m);
    ct_resource_manager_take_results(m);
    for (uint32_t i = 1; i < m->records.count; ++i) {
        const ct_record *const r = &m->records.items[i];
        if (r->state == CT_RECORD_STATE_LOADED)
            ct_resource_loader_free(m->loader, r->id, r->blob);
    }
    ct_resource_manager_retire(m, UINT64_MAX);
}

void ct_resource_manager_destroy(ct_resource_manager *m) {
    ct_allocator *const a = m->allocator;
    ct_resource_loader_stop(m->loader);
    free_blobs(m);
    for (uint32_t i = 0; i < m->packages.count; ++i)
        ct_resource_package_free(m, m->packages.items[i]);
    ct_resource_loader_destroy(m->loader);
    ct_hash_map_free(&m->slots);
    ct_array_free(&m->packages);
    ct_array_free(&m->retired);
    ct_array_free(&m->retired_streams);
    ct_array_free(&m->results);
    ct_array_free(&m->asked);
    ct_array_free(&m->registrations);
    ct_array_free(&m->free_slots);
    ct_array_free(&m->records);
    ct_free(a, m->catalog);
    ct_resource_store_close(m->store);
    ct_free(a, m);
    ct_proxy_allocator_destroy(a);
}

void ct_resource_manager_register(ct_resource_manager *m, const char *type,
                                  const ct_resource_callbacks *callbacks) {
    CT_ASSERT(ct_resource_type_named(type), "unknown resource type \"%s\"", type);
    const ct_string_id64 id = ct_string_id64_of(type);
    ct_array_push(&m->registrations, (ct_registration){id, *callbacks});
    ct_resource_loader_register(m->loader, id, callbacks);
}

void ct_resource_manager_unregister(ct_resource_manager *m, const void *user) {
    for (uint32_t i = 0; i < m->registrations.count; ++i) {
        if (m->registrations.items[i].callbacks.user == user)
            m->registrations.items[i].callbacks = (ct_resource_callbacks){0};
    }
    ct_resource_loader_unregister(m->loader, user);
}

// --- Looking up ----------------------------------------------------------------------------------

const void *ct_resource_manager_get_id(const ct_resource_manager *m, ct_resource_id id) {
    const ct_record *const r = &m->records.items[ct_resource_manager_slot(m, id)];
    return r->state == CT_RECORD_STATE_ONLINE ? r->blob.data : NULL;
}

const void *ct_resource_manager_get(const ct_resource_manager *m, const char *type,
                                    ct_string_id64 name) {
    return ct_resource_manager_get_id(m, (ct_resource_id){ct_string_id64_of(type), name});
}

void ct_resource_manager_each_online(const ct_resource_manager *m, const char *type,
                                     void (*each)(void *user, ct_string_id64 name,
                                                  const void *blob),
                                     void *user) {
    const ct_string_id64 id = ct_string_id64_of(type);
    // Slot 0 closes the list to a ring.
    for (uint32_t slot = m->records.items[0].newer; slot; slot = m->records.items[slot].newer) {
        const ct_record *const r = &m->records.items[slot];
        if (r->id.type.value == id.value)
            each(user, r->id.name, r->blob.data);
    }
}

bool ct_resource_manager_can_get(ct_resource_manager *m, const char *type, const char *name) {
    ct_resource_manager_refresh_catalog(m);
    const ct_resource_id id = ct_resource_id_of(type, name);
    const ct_string_id64 data_name = ct_resource_manager_choose(m, id);
    if (m->records.items[ct_resource_manager_slot(m, id)].origin != CT_RECORD_ORIGIN_DATA)
        return true;
    return ct_resource_type_named(type) && ct_resource_name_is_canonical(name) &&
           data_name.value != 0 &&
           ct_resource_store_has(m->store, (ct_resource_id){id.type, data_name});
}

bool ct_resource_manager_is_unwanted(ct_resource_manager *m, const char *type, const char *name) {
    ct_resource_manager_refresh_catalog(m);
    return ct_resource_manager_choose(m, ct_resource_id_of(type, name)).value == 0;
}

bool ct_resource_manager_nearest(ct_resource_manager *m, const char *type, const char *name,
                                 char nearest[CT_RESOURCE_NAME_BYTES]) {
    ct_resource_manager_refresh_catalog(m);
    const ct_catalog *const catalog = m->catalog;
    if (!catalog)
        return false;
    const ct_string_id64 type_id = ct_string_id64_of(type);
    const ct_catalog_entry *const entries = ct_catalog_entries(catalog);
    CT_ARRAY(const char *) names;
    ct_array_init(&names, m->allocator);
    for (uint32_t i = 0; i < catalog->names.count; ++i) {
        if (entries[i].id.type.value == type_id.value)
            ct_array_push(&names, ct_catalog_name(catalog, i));
    }
    const char *const found = ct_nearest_resource_name(name, names.items, names.count);
    if (found)
        snprintf(nearest, CT_RESOURCE_NAME_BYTES, "%s", found);
    ct_array_free(&names);
    return found != NULL;
}

bool ct_resource_manager_load_now(ct_resource_manager *m, const char *type, const char *name,
                                  ct_error *error) {
    if (!ct_resource_type_named(type))
        return ct_error_set(error, "unknown resource type \"%s\"", type);
    ct_resource_manager_refresh_catalog(m);
    const uint32_t slot = ct_resource_manager_hold(m, ct_resource_id_of(type, name), true);
    if (!slot)
        return ct_error_set(
            error, "%s \"%s\": its id collides with another resource's; rename one of them", type,
            name);
    ct_error inner = {0};
    m->error_slot = slot;
    m->error = &inner;
    ct_resource_manager_wait_for(m, slot);
    m->error_slot = 0;
    m->error = NULL;
    const ct_record_state state = m->records.items[slot].state;
    if (state == CT_RECORD_STATE_REFUSED) {
        ct_resource_manager_release(m, slot);
        return ct_error_set_at(error, inner.file, 0, 0, "cannot load %s \"%.255s\": %.512s", type,
                               name, inner.message);
    }
    if (state == CT_RECORD_STATE_LOADED)
        ct_resource_manager_bring_online(m, slot);
    return true;
}

bool ct_resource_manager_load_needed_now(ct_resource_manager *m, const char *type, const char *name,
                                         ct_error *error) {
    ct_reached_array ids;
    const ct_resource_id id = ct_resource_id_of(type, name);
    ct_array_init(&ids, m->allocator);
    ct_resource_manager_refresh_catalog(m);
    ct_resource_manager_reach(m, id, &ids);
    for (uint32_t i = 0; i < ids.count; ++i) {
        if (ct_resource_id_equal(ids.items[i], id))
            continue; // last, so that the reason for a refusal is reported once
        const uint32_t slot = ct_resource_manager_hold(m, ids.items[i], true);
        if (slot)
            ct_resource_manager_wait_for(m, slot);
        if (slot && m->records.items[slot].state == CT_RECORD_STATE_LOADED)
            ct_resource_manager_bring_online(m, slot);
    }
    ct_array_free(&ids);
    return ct_resource_manager_load_now(m, type, name, error);
}

const ct_catalog *ct_resource_manager_catalog(ct_resource_manager *m) {
    ct_resource_manager_refresh_catalog(m);
    return m->catalog;
}

// --- Frames --------------------------------------------------------------------------------------

void ct_resource_manager_follow(ct_resource_manager *m, uint64_t frame) {
    m->frame = frame;
}

void ct_resource_manager_update(ct_resource_manager *m, uint64_t frame) {
    m->frame = frame;
    ct_resource_manager_take_results(m);
    ct_resource_manager_take_streams(m);
    for (uint32_t i = 0; i < m->packages.count; ++i)
        ct_resource_package_update(m, m->packages.items[i]);
    if (m->are_variants_due)
        ct_resource_manager_reload_variants(m);
    m->are_variants_due = false;
    ct_resource_manager_settle(m);
}

void ct_resource_manager_retire(ct_resource_manager *m, uint64_t frame) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->retired.count; ++i) {
        const ct_retired_blob r = m->retired.items[i];
        if (r.frame <= frame)
            ct_resource_loader_free(m->loader, r.id, r.blob);
        else
            m->retired.items[kept++] = r;
    }
    m->retired.count = kept;
    ct_resource_manager_retire_streams(m, frame);
}
