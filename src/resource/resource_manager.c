#include "resource/resource_manager.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/array.h"
#include "foundation/hash_map.h"
#include "foundation/log.h"
#include "foundation/os.h"
#include "foundation/path.h"
#include "foundation/proxy_allocator.h"
#include "resource/data_index.h"
#include "resource/package_resource.h"
#include "resource/resource_loader.h"
#include "resource/resource_types.h"

enum { HEX_NAME_BYTES = 20 };

typedef enum record_state {
    RECORD_STATE_FREE,
    RECORD_STATE_LOADING, // a result is due
    RECORD_STATE_LOADED,  // its package is not complete yet
    RECORD_STATE_ONLINE,
    RECORD_STATE_REFUSED,
} record_state;

// A resource that someone holds. Slot 0 of the records is not used.
typedef struct record {
    ct_resource_id id;
    record_state state;
    uint32_t holders;      // packages, and loads without one
    bool is_read_anew;     // a result is due that goes to `new_blob`
    void *blob;            // LOADED, ONLINE
    void *new_blob;        // waits for the swap of a reload
    uint32_t older, newer; // slots: the list of what is online
} record;

// A blob that the renderer may still use.
typedef struct retired {
    ct_resource_id id;
    void *blob;
    uint64_t frame;
} retired;

typedef enum package_state {
    PACKAGE_STATE_UNLOADED,
    PACKAGE_STATE_LOADING,
    PACKAGE_STATE_LOADED,
} package_state;

struct ct_resource_package {
    ct_resource_id id;
    package_state state;
    ct_package_resource *blob;
    ct_u32_array slots; // of its resources in the blob's order; 0: of no known type
    uint32_t num_ready; // slots before this one are not LOADING
};

struct ct_resource_manager {
    ct_allocator *allocator;
    char *data_folder;
    ct_resource_loader *loader;
    CT_ARRAY(record) records;
    ct_u32_array free_slots;
    ct_hash_map slots; // ct_resource_id_key to slot
    uint32_t newest;   // the end of the list of what is online
    CT_ARRAY(retired) retired;
    CT_ARRAY(ct_resource_package *) packages;
    uint64_t frame;
    uint32_t error_slot; // of a load that somebody waits for, with the place of its error; 0: none
    ct_error *error;
    ct_file_info index_info; // of the index that was read; kind NONE when there is none
};

// --- Names ---------------------------------------------------------------------------------------

static void register_names(const ct_data_index *index) {
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; i++) {
        const ct_data_index_entry *const e = &entries[i];
        ct_string_id64_register(ct_blob_at(index, e->type.offset));
        ct_string_id64_register(ct_blob_at(index, e->name.offset));
    }
}

// Reads the index when its file is another than the one that was read.
static void refresh_index(ct_resource_manager *m) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, m->data_folder, CT_DATA_INDEX_FILE);
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind == m->index_info.kind && info.size_bytes == m->index_info.size_bytes &&
        info.modified_ns == m->index_info.modified_ns && info.inode == m->index_info.inode)
        return;
    m->index_info = info;
    if (info.kind != CT_FILE_KIND_FILE)
        return;
    ct_error error = {0};
    const ct_data_index *const index = ct_data_index_read(m->allocator, m->data_folder, &error);
    if (!index) {
        ct_log_warning("resource", "bad_data_index",
                       "%s: %s; messages show numbers instead of new names", error.file,
                       error.message);
        return;
    }
    register_names(index);
    ct_free(m->allocator, (void *)(uintptr_t)index);
}

// Logs why a resource was refused.
static void report_refused(ct_resource_manager *m, uint32_t slot, const ct_error *error) {
    const ct_resource_id id = m->records.items[slot].id;
    ct_error told = {0};
    ct_error_set_at(&told, error->file, error->line, error->column, "refused %s \"%s\": %.512s",
                    ct_string_id64_name(id.type), ct_string_id64_name(id.name), error->message);
    ct_log_report("resource", &told);
}

// --- Records -------------------------------------------------------------------------------------

static uint32_t find_slot(const ct_resource_manager *m, ct_resource_id id) {
    const uint32_t slot = (uint32_t)ct_hash_map_get(&m->slots, ct_resource_id_key(id), 0);
    return slot && ct_resource_id_equal(m->records.items[slot].id, id) ? slot : 0;
}

static uint32_t add_record(ct_resource_manager *m, ct_resource_id id) {
    uint32_t slot = m->records.count;
    if (m->free_slots.count > 0)
        slot = m->free_slots.items[--m->free_slots.count];
    else
        ct_array_resize(&m->records, slot + 1);
    m->records.items[slot] = (record){.id = id};
    ct_hash_map_set(&m->slots, ct_resource_id_key(id), slot);
    return slot;
}

static void remove_record(ct_resource_manager *m, uint32_t slot) {
    const record *const r = &m->records.items[slot];
    ct_hash_map_erase(&m->slots, ct_resource_id_key(r->id));
    if (r->new_blob) // released by what another one's reload called
        ct_resource_loader_free(m->loader, r->id, r->new_blob);
    m->records.items[slot] = (record){0};
    ct_array_push(&m->free_slots, slot);
}

static void retire_blob(ct_resource_manager *m, ct_resource_id id, void *blob) {
    ct_array_push(&m->retired, (retired){id, blob, m->frame});
}

static void append_online(ct_resource_manager *m, uint32_t slot) {
    record *const r = &m->records.items[slot];
    r->older = m->newest;
    r->newer = 0;
    m->records.items[m->newest].newer = slot;
    m->newest = slot;
}

static void remove_online(ct_resource_manager *m, uint32_t slot) {
    const record *const r = &m->records.items[slot];
    m->records.items[r->older].newer = r->newer;
    if (r->newer)
        m->records.items[r->newer].older = r->older;
    else
        m->newest = r->older;
}

// Callbacks may load further resources, so pointers to records do not outlive a call.
static void bring_online(ct_resource_manager *m, uint32_t slot) {
    const ct_resource_id id = m->records.items[slot].id;
    const void *const blob = m->records.items[slot].blob;
    m->records.items[slot].state = RECORD_STATE_ONLINE;
    append_online(m, slot);
    const uint32_t count = ct_resource_loader_num_callbacks(m->loader);
    for (uint32_t i = 0; i < count; i++) {
        ct_resource_callbacks c;
        if (ct_resource_loader_callbacks(m->loader, i, id.type, &c) && c.online)
            c.online(c.user, id.name, blob);
    }
}

// Takes an online resource offline; its blob retires.
static void take_offline(ct_resource_manager *m, uint32_t slot) {
    const ct_resource_id id = m->records.items[slot].id;
    void *const blob = m->records.items[slot].blob;
    for (uint32_t i = ct_resource_loader_num_callbacks(m->loader); i-- > 0;) {
        ct_resource_callbacks c;
        if (ct_resource_loader_callbacks(m->loader, i, id.type, &c) && c.offline)
            c.offline(c.user, id.name, blob);
    }
    remove_online(m, slot);
    m->records.items[slot].state = RECORD_STATE_FREE;
    retire_blob(m, id, blob);
}

static void request(ct_resource_manager *m, uint32_t slot, bool is_urgent) {
    record *const r = &m->records.items[slot];
    r->state = RECORD_STATE_LOADING;
    ct_resource_loader_load(m->loader, r->id, slot, is_urgent);
}

// Holds a resource, and asks for it when it is not there. Returns its slot, or 0 with a message in
// the log when it cannot be one.
static uint32_t hold(ct_resource_manager *m, ct_resource_id id, bool is_urgent) {
    uint32_t slot = find_slot(m, id);
    if (!slot) {
        const bool is_known = ct_resource_type_of(id.type) != NULL;
        if (!is_known || ct_hash_map_find(&m->slots, ct_resource_id_key(id))) {
            ct_log_error("resource", "refused %s \"%s\": %s", ct_string_id64_name(id.type),
                         ct_string_id64_name(id.name),
                         is_known ? "its ids collide with another's" : "unknown resource type");
            return 0;
        }
        slot = add_record(m, id);
        request(m, slot, is_urgent);
    } else if (m->records.items[slot].state == RECORD_STATE_REFUSED) {
        request(m, slot, is_urgent);
    }
    m->records.items[slot].holders++;
    return slot;
}

static void release(ct_resource_manager *m, uint32_t slot) {
    record *const r = &m->records.items[slot];
    CT_ASSERT(r->holders > 0, "a resource is released as often as it was held");
    r->holders--;
    if (r->holders > 0 || r->state == RECORD_STATE_LOADING)
        return;
    if (r->state == RECORD_STATE_ONLINE)
        take_offline(m, slot);
    else if (r->state == RECORD_STATE_LOADED)
        ct_resource_loader_free(m->loader, r->id, r->blob);
    remove_record(m, slot);
}

// --- Results of the service thread ---------------------------------------------------------------

static void take_result(ct_resource_manager *m, const ct_load_result *result) {
    record *const r = &m->records.items[result->slot];
    const bool has_asker = result->slot == m->error_slot; // who reports it, unless others care, too
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
    r->state = result->blob ? RECORD_STATE_LOADED : RECORD_STATE_REFUSED;
    if (r->holders == 0) { // released while it was loading
        if (result->blob)
            ct_resource_loader_free(m->loader, r->id, result->blob);
        remove_record(m, result->slot);
    }
}

static void take_results(ct_resource_manager *m) {
    ct_load_result result;
    while (ct_resource_loader_poll(m->loader, &result))
        take_result(m, &result);
}

// Returns when no result for `slot` is due.
static void wait_for(ct_resource_manager *m, uint32_t slot) {
    take_results(m);
    while (m->records.items[slot].state == RECORD_STATE_LOADING ||
           m->records.items[slot].is_read_anew) {
        ct_resource_loader_wait(m->loader);
        take_results(m);
    }
}

// --- Life ----------------------------------------------------------------------------------------

ct_resource_manager *ct_resource_manager_create(const ct_resource_manager_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "resource");
    ct_resource_manager *const m = CT_NEW(a, ct_resource_manager);
    m->allocator = a;
    m->data_folder = ct_copy_string(a, desc->data_folder);
    ct_array_init(&m->records, a);
    ct_array_resize(&m->records, 1);
    ct_array_init(&m->free_slots, a);
    ct_array_init(&m->retired, a);
    ct_array_init(&m->packages, a);
    ct_hash_map_init(&m->slots, a);
    m->loader = ct_resource_loader_create(a, desc->data_folder);
    refresh_index(m);
    return m;
}

static void free_package(ct_resource_manager *m, ct_resource_package *p) {
    ct_array_free(&p->slots);
    ct_free(m->allocator, p->blob);
    ct_free(m->allocator, p);
}

void ct_resource_manager_end_all(ct_resource_manager *m) {
    while (m->newest)
        take_offline(m, m->newest);
}

// Gives back every blob; the service thread has stopped.
static void free_blobs(ct_resource_manager *m) {
    ct_resource_manager_end_all(m);
    ct_load_result result;
    while (ct_resource_loader_poll(m->loader, &result))
        take_result(m, &result);
    for (uint32_t i = 1; i < m->records.count; i++) {
        const record *const r = &m->records.items[i];
        if (r->state == RECORD_STATE_LOADED)
            ct_resource_loader_free(m->loader, r->id, r->blob);
    }
    ct_resource_manager_retire(m, UINT64_MAX);
}

void ct_resource_manager_destroy(ct_resource_manager *m) {
    ct_allocator *const a = m->allocator;
    ct_resource_loader_stop(m->loader);
    free_blobs(m);
    for (uint32_t i = 0; i < m->packages.count; i++)
        free_package(m, m->packages.items[i]);
    ct_resource_loader_destroy(m->loader);
    ct_hash_map_free(&m->slots);
    ct_array_free(&m->packages);
    ct_array_free(&m->retired);
    ct_array_free(&m->free_slots);
    ct_array_free(&m->records);
    ct_free(a, m->data_folder);
    ct_free(a, m);
    ct_proxy_allocator_destroy(a);
}

void ct_resource_manager_register(ct_resource_manager *m, const char *type,
                                  const ct_resource_callbacks *callbacks) {
    CT_ASSERT(ct_resource_type_named(type), "there is no resource type \"%s\"", type);
    ct_resource_loader_register(m->loader, ct_string_id64_of(type), callbacks);
}

// --- Looking up ----------------------------------------------------------------------------------

const void *ct_resource_manager_get_id(const ct_resource_manager *m, ct_resource_id id) {
    const record *const r = &m->records.items[find_slot(m, id)];
    return r->state == RECORD_STATE_ONLINE ? r->blob : NULL;
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
        const record *const r = &m->records.items[slot];
        if (r->id.type.value == id.value)
            each(user, r->id.name, r->blob);
    }
}

bool ct_resource_manager_can_get(const ct_resource_manager *m, const char *type, const char *name) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    ct_path_join(path, m->data_folder, file_name);
    return ct_resource_type_named(type) && ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}

bool ct_resource_manager_nearest(const ct_resource_manager *m, const char *type, const char *name,
                                 char nearest[CT_RESOURCE_NAME_BYTES]) {
    ct_error ignored = {0};
    const ct_data_index *const index = ct_data_index_read(m->allocator, m->data_folder, &ignored);
    if (!index)
        return false;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    CT_ARRAY(const char *) names;
    ct_array_init(&names, m->allocator);
    for (uint32_t i = 0; i < index->entries.count; i++) {
        if (strcmp(ct_blob_at(index, entries[i].type.offset), type) == 0)
            ct_array_push(&names, ct_blob_at(index, entries[i].name.offset));
    }
    const char *const found = ct_nearest_name(name, names.items, names.count);
    if (found)
        snprintf(nearest, CT_RESOURCE_NAME_BYTES, "%s", found);
    ct_array_free(&names);
    ct_free(m->allocator, (void *)(uintptr_t)index);
    return found != NULL;
}

bool ct_resource_manager_load_now(ct_resource_manager *m, const char *type, const char *name,
                                  ct_error *error) {
    if (!ct_resource_type_named(type))
        return ct_error_set(error, "there is no resource type \"%s\"", type);
    refresh_index(m);
    const uint32_t slot = hold(m, ct_resource_id_of(type, name), true);
    if (!slot)
        return ct_error_set(error, "%s \"%s\": its ids collide with another's", type, name);
    ct_error inner = {0};
    m->error_slot = slot;
    m->error = &inner;
    wait_for(m, slot);
    m->error_slot = 0;
    m->error = NULL;
    const record_state state = m->records.items[slot].state;
    if (state == RECORD_STATE_REFUSED) {
        release(m, slot);
        return ct_error_set_at(error, inner.file, 0, 0, "cannot load %s \"%.255s\": %.512s", type,
                               name, inner.message);
    }
    if (state == RECORD_STATE_LOADED)
        bring_online(m, slot);
    return true;
}

// --- Packages ------------------------------------------------------------------------------------

static ct_package_resource *read_package(ct_resource_manager *m, ct_resource_id id,
                                         ct_error *error) {
    return ct_resource_loader_read(m->allocator, m->data_folder, id, error);
}

ct_resource_package *ct_resource_package_create(ct_resource_manager *m, const char *name,
                                                ct_error *error) {
    refresh_index(m);
    const ct_resource_id id = ct_resource_id_of("package", name);
    ct_error inner = {0};
    ct_package_resource *const blob = read_package(m, id, &inner);
    if (!blob) {
        ct_error_set_at(error, inner.file, 0, 0, "there is no package \"%.255s\": %.512s", name,
                        inner.message);
        return NULL;
    }
    ct_resource_package *const p = CT_NEW(m->allocator, ct_resource_package);
    p->id = id;
    p->blob = blob;
    ct_array_init(&p->slots, m->allocator);
    ct_array_push(&m->packages, p);
    return p;
}

void ct_resource_package_destroy(ct_resource_manager *m, ct_resource_package *p) {
    ct_resource_package_unload(m, p);
    uint32_t i = 0;
    while (i < m->packages.count && m->packages.items[i] != p)
        i++;
    CT_ASSERT(i < m->packages.count, "the package is another manager's, or was destroyed");
    for (; i + 1 < m->packages.count; i++)
        m->packages.items[i] = m->packages.items[i + 1];
    m->packages.count--;
    free_package(m, p);
}

// Holds everything in the package's blob.
static void hold_all(ct_resource_manager *m, ct_resource_package *p) {
    const ct_resource_id *const ids = ct_blob_at(p->blob, p->blob->resources.offset);
    ct_array_resize(&p->slots, p->blob->resources.count);
    for (uint32_t i = 0; i < p->slots.count; i++)
        p->slots.items[i] = hold(m, ids[i], false);
    p->num_ready = 0;
}

// Releases `slots`, last first.
static void release_all(ct_resource_manager *m, ct_u32_array *slots) {
    for (uint32_t i = slots->count; i-- > 0;) {
        if (slots->items[i])
            release(m, slots->items[i]);
    }
    ct_array_free(slots);
}

// True when nothing in it is being loaded. Looks at each resource once until then.
static bool is_complete(const ct_resource_manager *m, ct_resource_package *p) {
    for (; p->num_ready < p->slots.count; p->num_ready++) {
        const uint32_t slot = p->slots.items[p->num_ready];
        if (m->records.items[slot].state == RECORD_STATE_LOADING)
            return false;
    }
    return true;
}

static void bring_package_online(ct_resource_manager *m, ct_resource_package *p) {
    p->state = PACKAGE_STATE_LOADED;
    for (uint32_t i = 0; i < p->slots.count; i++) {
        const uint32_t slot = p->slots.items[i];
        if (m->records.items[slot].state == RECORD_STATE_LOADED)
            bring_online(m, slot);
    }
}

static void wait_for_package(ct_resource_manager *m, ct_resource_package *p) {
    take_results(m);
    while (!is_complete(m, p)) {
        ct_resource_loader_wait(m->loader);
        take_results(m);
    }
}

void ct_resource_package_load(ct_resource_manager *m, ct_resource_package *p) {
    CT_ASSERT(p->state == PACKAGE_STATE_UNLOADED, "a package is loaded once");
    p->state = PACKAGE_STATE_LOADING;
    hold_all(m, p);
}

bool ct_resource_package_has_loaded(const ct_resource_package *p) {
    return p->state == PACKAGE_STATE_LOADED;
}

void ct_resource_package_flush(ct_resource_manager *m, ct_resource_package *p) {
    if (p->state != PACKAGE_STATE_LOADING)
        return;
    wait_for_package(m, p);
    bring_package_online(m, p);
}

void ct_resource_package_unload(ct_resource_manager *m, ct_resource_package *p) {
    p->state = PACKAGE_STATE_UNLOADED;
    release_all(m, &p->slots);
}

// --- Frames --------------------------------------------------------------------------------------

void ct_resource_manager_update(ct_resource_manager *m, uint64_t frame) {
    m->frame = frame;
    take_results(m);
    for (uint32_t i = 0; i < m->packages.count; i++) {
        ct_resource_package *const p = m->packages.items[i];
        if (p->state == PACKAGE_STATE_LOADING && is_complete(m, p))
            bring_package_online(m, p);
    }
}

void ct_resource_manager_retire(ct_resource_manager *m, uint64_t frame) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->retired.count; i++) {
        const retired r = m->retired.items[i];
        if (r.frame <= frame)
            ct_resource_loader_free(m->loader, r.id, r.blob);
        else
            m->retired.items[kept++] = r;
    }
    m->retired.count = kept;
}

// --- Reloading -----------------------------------------------------------------------------------

// Reads a package anew: what it gained is held (and online, when the package is), what it lost is
// moved to `lost`, to be released later. True when it is loaded or about to be.
static bool reload_package(ct_resource_manager *m, ct_resource_package *p, ct_u32_array *lost) {
    ct_error error = {0};
    ct_package_resource *const blob = read_package(m, p->id, &error);
    if (!blob) {
        ct_error told = {0};
        ct_error_set_at(&told, error.file, 0, 0, "refused package \"%s\": %.512s",
                        ct_string_id64_name(p->id.name), error.message);
        ct_log_report("resource", &told);
        return false;
    }
    ct_free(m->allocator, p->blob);
    p->blob = blob;
    if (p->state == PACKAGE_STATE_UNLOADED)
        return false;
    ct_array_push_many(lost, p->slots.items, p->slots.count);
    p->slots.count = 0;
    hold_all(m, p);
    if (p->state == PACKAGE_STATE_LOADED) {
        wait_for_package(m, p);
        bring_package_online(m, p);
    }
    return true;
}

// Asks for a loaded or refused resource anew. Returns its slot, or 0 when it is not held.
static uint32_t read_anew(ct_resource_manager *m, ct_resource_id id) {
    uint32_t slot = find_slot(m, id);
    if (!slot || m->records.items[slot].is_read_anew || m->records.items[slot].new_blob)
        return 0;
    wait_for(m, slot); // what is being loaded may be the old file
    slot = find_slot(m, id);
    if (!slot)
        return 0;
    m->records.items[slot].is_read_anew = true;
    ct_resource_loader_load(m->loader, id, slot, true);
    return slot;
}

static void tell_reload(ct_resource_manager *m, ct_resource_id id, const void *old_blob,
                        const void *new_blob) {
    const uint32_t count = ct_resource_loader_num_callbacks(m->loader);
    for (uint32_t i = 0; i < count; i++) {
        ct_resource_callbacks c;
        if (ct_resource_loader_callbacks(m->loader, i, id.type, &c) && c.reload)
            c.reload(c.user, id.name, old_blob, new_blob);
    }
}

// True when a package that has loaded holds `slot`.
static bool is_held_online(const ct_resource_manager *m, uint32_t slot) {
    for (uint32_t i = 0; i < m->packages.count; i++) {
        const ct_resource_package *const p = m->packages.items[i];
        for (uint32_t k = 0; p->state == PACKAGE_STATE_LOADED && k < p->slots.count; k++) {
            if (p->slots.items[k] == slot)
                return true;
        }
    }
    return false;
}

// Puts the blob that was read anew in place of the old one. Returns whether someone sees it.
static bool swap(ct_resource_manager *m, uint32_t slot) {
    record *const r = &m->records.items[slot];
    void *const old_blob = r->blob, *const new_blob = r->new_blob;
    const ct_resource_id id = r->id;
    r->new_blob = NULL;
    if (!new_blob)
        return false;
    r->blob = new_blob;
    if (r->state == RECORD_STATE_ONLINE) {
        tell_reload(m, id, old_blob, new_blob);
        retire_blob(m, id, old_blob);
        return true;
    }
    if (r->state == RECORD_STATE_LOADED)
        ct_resource_loader_free(m->loader, id, old_blob);
    r->state = RECORD_STATE_LOADED;
    const bool comes_online = is_held_online(m, slot);
    if (comes_online)
        bring_online(m, slot);
    return comes_online;
}

// Swaps what was read anew, type by type: what others need comes first.
static uint32_t swap_all(ct_resource_manager *m, const ct_u32_array *slots) {
    uint32_t num_types, num_swapped = 0;
    const ct_resource_type *const types = ct_resource_types(&num_types);
    for (uint32_t t = 0; t < num_types; t++) {
        const ct_string_id64 type = ct_string_id64_of(types[t].name);
        for (uint32_t i = 0; i < slots->count; i++) {
            if (m->records.items[slots->items[i]].id.type.value == type.value)
                num_swapped += swap(m, slots->items[i]);
        }
    }
    return num_swapped;
}

uint32_t ct_resource_manager_reload(ct_resource_manager *m, const ct_resource_id *ids,
                                    uint32_t count) {
    ct_u32_array lost, slots;
    ct_array_init(&lost, m->allocator);
    ct_array_init(&slots, m->allocator);
    uint32_t num_packages = 0;
    refresh_index(m);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < m->packages.count; k++) {
            if (ct_resource_id_equal(m->packages.items[k]->id, ids[i]))
                num_packages += reload_package(m, m->packages.items[k], &lost);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = read_anew(m, ids[i]);
        if (slot)
            ct_array_push(&slots, slot);
    }
    for (uint32_t i = 0; i < slots.count; i++)
        wait_for(m, slots.items[i]);
    const uint32_t num_swapped = swap_all(m, &slots);
    release_all(m, &lost);
    ct_array_free(&slots);
    return num_packages + num_swapped;
}
