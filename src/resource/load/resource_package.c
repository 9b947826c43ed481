#include "foundation/log.h"
#include "resource/load/resource_manager_private.h"

#include <string.h>

// Reads the preferred variant of package `id`; sets `data_name` to that variant's, also on failure
// ({0}: no variant is preferred).
static ct_package_resource *read_package(ct_resource_manager *m, ct_resource_id id,
                                         ct_string_id64 *data_name, ct_error *error) {
    *data_name = ct_resource_manager_choose(m, id);
    if (data_name->value == 0) {
        ct_error_set(error, CT_RESOURCE_UNWANTED);
        return NULL;
    }
    return ct_resource_store_read(m->store, m->allocator, (ct_resource_id){id.type, *data_name},
                                  error);
}

// Holds the resources that the package reaches: `ids`, with their catalog entries in `positions`.
static void hold_all(ct_resource_manager *m, ct_resource_package *p, const ct_u32_array *positions,
                     bool is_urgent) {
    ct_array_resize(&p->slots, p->ids.count);
    ct_resource_manager_hold_many(m, p->ids.items, positions->items, p->ids.count, is_urgent,
                                  p->slots.items);
    p->num_ready = 0;
    p->ready_bytes = p->bytes = 0;
    for (uint32_t i = 0; i < p->slots.count; ++i)
        p->bytes += m->records.items[p->slots.items[i]].data_bytes;
}

static ct_package_resource *read_named(ct_resource_manager *m, const char *name,
                                       ct_string_id64 *data_name, ct_error *error) {
    ct_error inner = {0};
    ct_package_resource *const blob =
        read_package(m, ct_resource_id_of("package", name), data_name, &inner);
    if (!blob)
        ct_error_set_at(error, inner.file, 0, 0, "cannot read package \"%.255s\": %.512s", name,
                        inner.message);
    return blob;
}

// --- Life ----------------------------------------------------------------------------------------

ct_resource_package *ct_resource_package_create(ct_resource_manager *m, const char *name,
                                                ct_error *error) {
    ct_resource_manager_refresh_catalog(m);
    const ct_resource_id id = ct_resource_id_of("package", name);
    ct_string_id64 data_name;
    ct_package_resource *const blob = read_named(m, name, &data_name, error);
    if (!blob)
        return NULL;
    ct_resource_package *const p = CT_NEW(m->allocator, ct_resource_package);
    p->id = id;
    p->blob = blob;
    p->data_name = data_name;
    ct_array_init(&p->ids, m->allocator);
    ct_array_init(&p->slots, m->allocator);
    ct_array_push(&m->packages, p);
    return p;
}

void ct_resource_package_free(ct_resource_manager *m, ct_resource_package *p) {
    ct_array_free(&p->ids);
    ct_array_free(&p->slots);
    ct_free(m->allocator, p->blob);
    ct_free(m->allocator, p);
}

void ct_resource_package_destroy(ct_resource_manager *m, ct_resource_package *p) {
    ct_resource_package_unload(m, p);
    uint32_t i = 0;
    while (i < m->packages.count && m->packages.items[i] != p)
        ++i;
    CT_ASSERT(i < m->packages.count, "the package belongs to another manager, or was destroyed");
    ct_array_erase(&m->packages, i, 1);
    ct_resource_package_free(m, p);
}

// --- Loading -------------------------------------------------------------------------------------

// Returns whether none of its resources is being loaded. Over all calls, looks at each loaded
// resource once.
static bool is_complete(const ct_resource_manager *m, ct_resource_package *p) {
    for (; p->num_ready < p->slots.count; ++p->num_ready) {
        const uint32_t slot = p->slots.items[p->num_ready];
        if (m->records.items[slot].state == CT_RECORD_STATE_LOADING)
            return false;
        p->ready_bytes += m->records.items[slot].data_bytes;
    }
    return true;
}

static void bring_package_online(ct_resource_manager *m, ct_resource_package *p) {
    p->state = CT_PACKAGE_STATE_LOADED;
    for (uint32_t i = 0; i < p->slots.count; ++i) {
        const uint32_t slot = p->slots.items[i];
        if (m->records.items[slot].state == CT_RECORD_STATE_LOADED)
            ct_resource_manager_bring_online(m, slot);
    }
}

static void wait_for_package(ct_resource_manager *m, ct_resource_package *p) {
    ct_resource_manager_take_results(m);
    ct_resource_loader_hurry(m->loader, p->slots.items, p->slots.count);
    while (!is_complete(m, p)) {
        ct_resource_loader_wait(m->loader);
        ct_resource_manager_take_results(m);
    }
}

// A list may name resources on purpose that have only variants that are not preferred: no warning.
static void tell_left_out(const ct_resource_package *p, const ct_reached_array *left_out) {
    for (uint32_t i = 0; i < left_out->count; ++i)
        ct_log_info("resource", "package \"%s\" leaves out %s \"%s\": " CT_RESOURCE_UNWANTED,
                    ct_string_id64_name(p->id.name),
                    ct_resource_manager_type_name(left_out->items[i].type),
                    ct_string_id64_name(left_out->items[i].name));
}

// Reads the preferred variant. If it is missing or invalid, that is logged and the previous one
// stays.
static bool reread(ct_resource_manager *m, ct_resource_package *p) {
    ct_error error = {0};
    ct_string_id64 data_name;
    ct_package_resource *const blob = read_package(m, p->id, &data_name, &error);
    if (!blob) {
        ct_error told = {0};
        ct_error_set_at(&told, error.file, 0, 0, "refused package \"%s\": %.512s",
                        ct_string_id64_name(p->id.name), error.message);
        ct_log_report("resource", &told);
        return false;
    }
    ct_free(m->allocator, p->blob);
    p->blob = blob;
    p->data_name = data_name;
    return true;
}

bool ct_resource_package_is_other_variant(const ct_resource_manager *m,
                                          const ct_resource_package *p) {
    return ct_resource_manager_choose(m, p->id).value != p->data_name.value;
}

static void start_loading(ct_resource_manager *m, ct_resource_package *p, bool is_urgent) {
    CT_ASSERT(p->state == CT_PACKAGE_STATE_UNLOADED, "a package must not be loaded twice");
    if (ct_resource_package_is_other_variant(m, p))
        reread(m, p);
    p->state = CT_PACKAGE_STATE_LOADING;
    ct_reached_array left_out;
    ct_u32_array positions;
    ct_array_init(&left_out, m->allocator);
    ct_array_init(&positions, m->allocator);
    ct_resource_manager_reach_listed(m, p->blob, &p->ids, &positions, &left_out);
    tell_left_out(p, &left_out);
    hold_all(m, p, &positions, is_urgent);
    ct_array_free(&positions);
    ct_array_free(&left_out);
}

void ct_resource_package_load(ct_resource_manager *m, ct_resource_package *p) {
    start_loading(m, p, false);
}

void ct_resource_package_load_now(ct_resource_manager *m, ct_resource_package *p) {
    start_loading(m, p, true);
    ct_resource_package_flush(m, p);
}

bool ct_resource_package_has_loaded(const ct_resource_package *p) {
    return p->state == CT_PACKAGE_STATE_LOADED;
}

void ct_resource_package_flush(ct_resource_manager *m, ct_resource_package *p) {
    if (p->state != CT_PACKAGE_STATE_LOADING)
        return;
    wait_for_package(m, p);
    bring_package_online(m, p);
}

ct_resource_progress ct_resource_package_progress(const ct_resource_manager *m,
                                                  ct_resource_package *p) {
    if (p->state == CT_PACKAGE_STATE_LOADING)
        is_complete(m, p);
    return (ct_resource_progress){.num_loaded = p->num_ready,
                                  .num_resources = p->slots.count,
                                  .loaded_bytes = p->ready_bytes,
                                  .bytes = p->bytes};
}

ct_resource_progress ct_resource_manager_progress(const ct_resource_manager *m, ct_string_id64 name,
                                                  bool *is_complete) {
    ct_resource_progress sum = {0};
    bool has_loaded = name.value == 0, is_loading = false;
    for (uint32_t i = 0; i < m->packages.count; ++i) {
        ct_resource_package *const p = m->packages.items[i];
        if (name.value != 0 && p->id.name.value != name.value)
            continue;
        const ct_resource_progress one = ct_resource_package_progress(m, p);
        sum.num_loaded += one.num_loaded;
        sum.num_resources += one.num_resources;
        sum.loaded_bytes += one.loaded_bytes;
        sum.bytes += one.bytes;
        is_loading |= p->state == CT_PACKAGE_STATE_LOADING;
        has_loaded |= p->state == CT_PACKAGE_STATE_LOADED;
    }
    *is_complete = has_loaded && !is_loading;
    return sum;
}

bool ct_resource_package_expect(ct_resource_manager *m, const char *name,
                                ct_resource_progress *expected, ct_error *error) {
    *expected = (ct_resource_progress){0};
    ct_resource_manager_refresh_catalog(m);
    ct_string_id64 data_name;
    ct_package_resource *const blob = read_named(m, name, &data_name, error);
    if (!blob)
        return false;
    ct_reached_array ids;
    ct_array_init(&ids, m->allocator);
    ct_resource_manager_reach_listed(m, blob, &ids, NULL, NULL);
    expected->num_resources = ids.count;
    for (uint32_t i = 0; i < ids.count; ++i) {
        const ct_catalog_variant *const v = ct_resource_manager_variant(m, ids.items[i]);
        expected->bytes += v ? v->data_bytes : 0;
    }
    ct_array_free(&ids);
    ct_free(m->allocator, blob);
    return true;
}

double ct_resource_progress_share(const ct_resource_progress *p) {
    if (p->num_loaded == p->num_resources)
        return p->num_resources > 0 ? 1 : 0;
    return p->bytes > 0 ? (double)p->loaded_bytes / (double)p->bytes
                        : (double)p->num_loaded / p->num_resources;
}

void ct_resource_package_unload(ct_resource_manager *m, ct_resource_package *p) {
    p->state = CT_PACKAGE_STATE_UNLOADED;
    for (uint32_t i = p->slots.count; i-- > 0;) {
        if (p->slots.items[i])
            ct_resource_manager_release(m, p->slots.items[i]);
    }
    ct_array_free(&p->slots);
    ct_array_free(&p->ids);
    p->num_ready = 0;
    p->ready_bytes = p->bytes = 0;
}

void ct_resource_package_update(ct_resource_manager *m, ct_resource_package *p) {
    if (p->state == CT_PACKAGE_STATE_LOADING && is_complete(m, p))
        bring_package_online(m, p);
}

// --- Reloading -----------------------------------------------------------------------------------

// Updates `ids` and sets `positions`; returns false when `ids` was up to date.
static bool reach_anew(ct_resource_manager *m, ct_resource_package *p, ct_u32_array *positions) {
    ct_reached_array ids;
    ct_array_init(&ids, m->allocator);
    ct_resource_manager_reach_listed(m, p->blob, &ids, positions, NULL);
    const bool is_same =
        ids.count == p->ids.count &&
        (ids.count == 0 || memcmp(ids.items, p->ids.items, ids.count * sizeof(*ids.items)) == 0);
    ct_array_free(&p->ids);
    p->ids = ids;
    return !is_same;
}

bool ct_resource_package_refresh(ct_resource_manager *m, ct_resource_package *p,
                                 const ct_resource_id *ids, uint32_t count, ct_u32_array *lost) {
    bool is_changed = false;
    for (uint32_t i = 0; i < count && !is_changed; ++i)
        is_changed = ct_resource_id_equal(p->id, ids[i]);
    is_changed = is_changed && reread(m, p);
    if (p->state == CT_PACKAGE_STATE_UNLOADED)
        return false;
    ct_u32_array positions;
    ct_array_init(&positions, m->allocator);
    if (reach_anew(m, p, &positions)) {
        ct_array_push_many(lost, p->slots.items, p->slots.count);
        hold_all(m, p, &positions, p->state == CT_PACKAGE_STATE_LOADED);
        if (p->state == CT_PACKAGE_STATE_LOADED) {
            wait_for_package(m, p);
            bring_package_online(m, p);
        }
    }
    ct_array_free(&positions);
    return is_changed;
}
