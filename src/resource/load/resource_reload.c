#include "resource/load/resource_manager_private.h"

#include "foundation/log.h"
#include "resource/types/resource_types.h"

// Requests a loaded or refused resource again. Returns its slot, or 0 when it is not held.
static uint32_t read_anew(ct_resource_manager *m, ct_resource_id id) {
    uint32_t slot = ct_resource_manager_slot(m, id);
    if (!slot || m->records.items[slot].is_read_anew || m->records.items[slot].new_blob.data ||
        m->records.items[slot].origin != CT_RECORD_ORIGIN_DATA)
        return 0;
    ct_resource_manager_wait_for(m, slot); // a load in progress may read the old file
    slot = ct_resource_manager_slot(m, id);
    if (!slot)
        return 0;
    ct_record *const r = &m->records.items[slot];
    r->is_read_anew = true;
    r->new_data_name = ct_resource_manager_choose(m, id);
    ct_resource_manager_ask(m, slot, r->new_data_name, true);
    return slot;
}

static void tell_reload(ct_resource_manager *m, ct_resource_id id, const void *old_blob,
                        const void *new_blob) {
    const uint32_t count = m->registrations.count;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_resource_callbacks c = ct_resource_manager_callbacks(m, i, id.type);
        if (c.reload)
            c.reload(c.user, id.name, old_blob, new_blob);
    }
}

// Returns whether a loaded package holds `slot`.
static bool is_held_online(const ct_resource_manager *m, uint32_t slot) {
    for (uint32_t i = 0; i < m->packages.count; ++i) {
        const ct_resource_package *const p = m->packages.items[i];
        for (uint32_t k = 0; p->state == CT_PACKAGE_STATE_LOADED && k < p->slots.count; ++k) {
            if (p->slots.items[k] == slot)
                return true;
        }
    }
    return false;
}

bool ct_resource_manager_swap(ct_resource_manager *m, uint32_t slot) {
    ct_record *const r = &m->records.items[slot];
    const ct_loaded_blob old_blob = r->blob, new_blob = r->new_blob;
    const ct_resource_id id = r->id;
    r->new_blob = (ct_loaded_blob){0};
    if (!new_blob.data)
        return false;
    r->blob = new_blob;
    r->data_name = r->new_data_name;
    ct_resource_manager_cancel_stream(m, slot);
    if (r->state == CT_RECORD_STATE_ONLINE) {
        ++m->num_told;
        tell_reload(m, id, old_blob.data, new_blob.data);
        ct_resource_manager_retire_blob(m, id, old_blob);
        return true;
    }
    if (r->state == CT_RECORD_STATE_LOADED)
        ct_resource_loader_free(m->loader, id, old_blob);
    r->state = CT_RECORD_STATE_LOADED;
    const bool comes_online = is_held_online(m, slot);
    if (comes_online)
        ct_resource_manager_bring_online(m, slot);
    return comes_online;
}

// Swaps reloaded resources, type by type, starting with the types that others need.
static uint32_t swap_all(ct_resource_manager *m, const ct_u32_array *slots) {
    uint32_t num_types, num_swapped = 0;
    const ct_resource_type *const types = ct_resource_types(&num_types);
    for (uint32_t t = 0; t < num_types; ++t) {
        const ct_string_id64 type = ct_string_id64_of(types[t].name);
        for (uint32_t i = 0; i < slots->count; ++i) {
            if (m->records.items[slots->items[i]].id.type.value == type.value)
                num_swapped += ct_resource_manager_swap(m, slots->items[i]);
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
    ct_resource_manager_refresh_catalog(m);
    for (uint32_t i = 0; i < m->packages.count; ++i)
        num_packages += ct_resource_package_refresh(m, m->packages.items[i], ids, count, &lost);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = read_anew(m, ids[i]);
        if (slot)
            ct_array_push(&slots, slot);
    }
    for (uint32_t i = 0; i < slots.count; ++i)
        ct_resource_manager_wait_for(m, slots.items[i]);
    const uint32_t num_swapped = swap_all(m, &slots);
    for (uint32_t i = lost.count; i-- > 0;) {
        if (lost.items[i])
            ct_resource_manager_release(m, lost.items[i]);
    }
    ct_array_free(&lost);
    ct_array_free(&slots);
    ct_resource_manager_settle(m);
    return num_packages + num_swapped;
}

// --- Variants ------------------------------------------------------------------------------------

void ct_resource_manager_set_preference(ct_resource_manager *m, const ct_preference_order *order) {
    m->preference = *order;
}

void ct_resource_manager_request_variants(ct_resource_manager *m) {
    m->are_variants_due = true;
}

void ct_resource_manager_reload_variants(ct_resource_manager *m) {
    CT_ARRAY(ct_resource_id) ids;
    ct_array_init(&ids, m->allocator);
    ct_resource_manager_refresh_catalog(m);
    for (uint32_t i = 0; i < m->packages.count; ++i) {
        const ct_resource_package *const p = m->packages.items[i];
        if (p->state != CT_PACKAGE_STATE_UNLOADED && ct_resource_package_is_other_variant(m, p))
            ct_array_push(&ids, p->id);
    }
    for (uint32_t i = 1; i < m->records.count; ++i) {
        const ct_record *const r = &m->records.items[i];
        const bool is_there =
            r->state != CT_RECORD_STATE_FREE && r->origin == CT_RECORD_ORIGIN_DATA;
        if (is_there && ct_resource_manager_choose(m, r->id).value != r->data_name.value)
            ct_array_push(&ids, r->id);
    }
    const uint32_t before = m->num_told;
    ct_resource_manager_reload(m, ids.items, ids.count);
    ct_log_info("resource", "swapped %u resources for other variants", m->num_told - before);
    ct_array_free(&ids);
}
