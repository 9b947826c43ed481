#include "resource/load/resource_rows.h"

#include "resource/load/resource_manager_private.h"

typedef struct row_visit {
    ct_resource_manager *manager;
    void (*visit)(void *user, const ct_resource_row *row);
    void *user;
} row_visit;

static const char *name_of(const ct_resource_manager *m, ct_resource_id id) {
    const uint32_t position = m->catalog ? ct_catalog_find(m->catalog, id) : CT_CATALOG_NONE;
    const char *const name =
        position != CT_CATALOG_NONE ? ct_catalog_name(m->catalog, position) : NULL;
    return name ? name : ct_string_id64_name(id.name);
}

static void visit_id(const row_visit *v, ct_resource_id id) {
    ct_resource_manager *const m = v->manager;
    const uint32_t slot = ct_resource_manager_slot(m, id);
    const ct_record *const record = slot ? &m->records.items[slot] : NULL;
    const ct_catalog_variant *const variant = ct_resource_manager_variant(m, id);
    const bool is_made = record && record->origin != CT_RECORD_ORIGIN_DATA;
    v->visit(v->user,
             &(ct_resource_row){.id = id,
                                .type = ct_resource_manager_type_name(id.type),
                                .name = name_of(m, id),
                                .holders = record ? record->holders : 0,
                                .data_bytes = !is_made && variant ? variant->data_bytes : 0,
                                .stream_bytes = !is_made && variant ? variant->stream_bytes : 0,
                                .is_online = record && record->state == CT_RECORD_STATE_ONLINE,
                                .is_refused = record && record->state == CT_RECORD_STATE_REFUSED,
                                .is_made = is_made});
}

void ct_resource_manager_each_held(ct_resource_manager *m,
                                   void (*visit)(void *user, const ct_resource_row *row),
                                   void *user) {
    const row_visit v = {m, visit, user};
    for (uint32_t i = 1; i < m->records.count; ++i) {
        if (m->records.items[i].state != CT_RECORD_STATE_FREE)
            visit_id(&v, m->records.items[i].id);
    }
}

static const uint32_t *references_of(const ct_resource_manager *m, uint32_t position,
                                     uint32_t *count) {
    const ct_catalog_variant *const v = ct_catalog_choose(m->catalog, position, &m->preference);
    const uint32_t *const all = ct_blob_at(m->catalog, m->catalog->references.offset);
    *count = v ? v->num_references : 0;
    return v ? all + v->first_reference : NULL;
}

static void visit_used(const row_visit *v, uint32_t position) {
    uint32_t count;
    const uint32_t *const references = references_of(v->manager, position, &count);
    for (uint32_t i = 0; i < count; ++i)
        visit_id(v, ct_catalog_entries(v->manager->catalog)[references[i]].id);
}

// A resource may refer to another one several times.
static void visit_users(const row_visit *v, uint32_t position) {
    const ct_catalog *const c = v->manager->catalog;
    for (uint32_t i = 0; i < c->entries.count; ++i) {
        uint32_t count;
        const uint32_t *const references = references_of(v->manager, i, &count);
        for (uint32_t k = 0; k < count; ++k) {
            if (references[k] != position)
                continue;
            visit_id(v, ct_catalog_entries(c)[i].id);
            break;
        }
    }
}

static void visit_packages(const row_visit *v, ct_resource_id id) {
    const ct_resource_manager *const m = v->manager;
    for (uint32_t i = 0; i < m->packages.count; ++i) {
        const ct_resource_package *const p = m->packages.items[i];
        for (uint32_t k = 0; k < p->ids.count; ++k) {
            if (!ct_resource_id_equal(p->ids.items[k], id))
                continue;
            visit_id(v, p->id);
            break;
        }
    }
}

void ct_resource_manager_each_related(ct_resource_manager *m, ct_resource_id id,
                                      ct_resource_relation relation,
                                      void (*visit)(void *user, const ct_resource_row *row),
                                      void *user) {
    const row_visit v = {m, visit, user};
    const uint32_t position = m->catalog ? ct_catalog_find(m->catalog, id) : CT_CATALOG_NONE;
    if (relation == CT_RESOURCE_RELATION_PACKAGE)
        visit_packages(&v, id);
    else if (position != CT_CATALOG_NONE && relation == CT_RESOURCE_RELATION_USED)
        visit_used(&v, position);
    else if (position != CT_CATALOG_NONE)
        visit_users(&v, position);
}

bool ct_resource_manager_knows(ct_resource_manager *m, ct_resource_id id) {
    return ct_resource_manager_slot(m, id) != 0 ||
           (m->catalog && ct_catalog_find(m->catalog, id) != CT_CATALOG_NONE);
}
