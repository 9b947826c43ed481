#include "foundation/container/bitset.h"
#include "resource/load/resource_manager_private.h"

// A walk along references from what a package lists.
typedef struct reach {
    ct_resource_manager *manager;
    const ct_catalog *catalog; // may be NULL
    ct_string_id64 package_type;
    ct_bitset entries;          // of the catalog: reached
    ct_u32_array open;          // entries whose references have not been followed yet
    ct_reached_array *ids;      // the resources found
    ct_u32_array *positions;    // and their catalog entries; may be NULL
    ct_reached_array *left_out; // has no preferred variant; may be NULL
} reach;

static void append(reach *w, ct_resource_id id, uint32_t position) {
    ct_array_push(w->ids, id);
    if (w->positions)
        ct_array_push(w->positions, position);
}

static void reach_entry(reach *w, uint32_t position) {
    if (ct_bitset_test(&w->entries, position))
        return;
    ct_bitset_set(&w->entries, position);
    ct_array_push(&w->open, position);
}

// Takes resources that are not in the catalog too: loading reports that they are missing. A list
// may name resources that have only variants that are not preferred.
static void reach_listed(reach *w, const ct_package_resource *package) {
    const ct_resource_id *const ids = ct_blob_at(package, package->resources.offset);
    uint32_t position = CT_CATALOG_NONE; // lists are in the catalog's order, more or less
    for (uint32_t i = 0; i < package->resources.count; ++i) {
        position =
            w->catalog ? ct_catalog_find_near(w->catalog, ids[i], position + 1) : CT_CATALOG_NONE;
        if (position == CT_CATALOG_NONE)
            append(w, ids[i], CT_CATALOG_NONE);
        else if (ct_catalog_choose(w->catalog, position, &w->manager->preference))
            reach_entry(w, position);
        else if (w->left_out)
            ct_array_push(w->left_out, ids[i]);
    }
}

// Follows another listed package: takes the resources that it lists.
static void reach_package(reach *w, ct_resource_id id) {
    const ct_resource_manager *const m = w->manager;
    const ct_resource_id data_id = {id.type, ct_resource_manager_choose(m, id)};
    ct_error ignored = {0};
    ct_package_resource *const package =
        ct_resource_store_read(m->store, m->allocator, data_id, &ignored);
    if (package)
        reach_listed(w, package);
    ct_free(m->allocator, package);
}

static void follow_references(reach *w) {
    while (w->open.count > 0) {
        const uint32_t position = w->open.items[--w->open.count];
        const ct_resource_id id = ct_catalog_entries(w->catalog)[position].id;
        const ct_catalog_variant *const v =
            ct_catalog_choose(w->catalog, position, &w->manager->preference);
        const uint32_t *const references = ct_blob_at(w->catalog, w->catalog->references.offset);
        for (uint32_t i = 0; v && i < v->num_references; ++i)
            reach_entry(w, references[v->first_reference + i]);
        if (id.type.value == w->package_type.value)
            reach_package(w, id);
    }
}

static void begin(reach *w, ct_resource_manager *m, ct_reached_array *ids, ct_u32_array *positions,
                  ct_reached_array *left_out) {
    *w = (reach){.manager = m,
                 .catalog = m->catalog,
                 .package_type = ct_string_id64_of("package"),
                 .ids = ids,
                 .positions = positions,
                 .left_out = left_out};
    ct_bitset_init(&w->entries, m->allocator);
    ct_bitset_resize(&w->entries, m->catalog ? m->catalog->entries.count : 0);
    ct_array_init(&w->open, m->allocator);
}

static void end(reach *w) {
    follow_references(w);
    for (uint32_t i = ct_bitset_next(&w->entries, 0); i < w->entries.num_bits;
         i = ct_bitset_next(&w->entries, i + 1)) {
        const ct_resource_id id = ct_catalog_entries(w->catalog)[i].id;
        if (id.type.value != w->package_type.value)
            append(w, id, i);
    }
    ct_array_free(&w->open);
    ct_bitset_free(&w->entries);
}

void ct_resource_manager_reach_listed(ct_resource_manager *m, const ct_package_resource *package,
                                      ct_reached_array *ids, ct_u32_array *positions,
                                      ct_reached_array *left_out) {
    reach w;
    begin(&w, m, ids, positions, left_out);
    reach_listed(&w, package);
    end(&w);
}

void ct_resource_manager_reach(ct_resource_manager *m, ct_resource_id id, ct_reached_array *ids) {
    const uint32_t position = m->catalog ? ct_catalog_find(m->catalog, id) : CT_CATALOG_NONE;
    reach w;
    begin(&w, m, ids, NULL, NULL);
    if (position != CT_CATALOG_NONE)
        reach_entry(&w, position);
    end(&w);
}
