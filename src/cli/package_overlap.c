#include "cli/package_overlap.h"

#include <string.h>

#include "foundation/sort.h"
#include "resource/package_resource.h"
#include "resource/resource_store.h"

#define CORE_PACKAGE "core/core"
#define CORE_PREFIX "core/"

static const ct_catalog_variant *variants_of(const ct_catalog *c, uint32_t entry, uint32_t *count) {
    const ct_catalog_entry *const e = &ct_catalog_entries(c)[entry];
    *count = e->num_variants;
    return (const ct_catalog_variant *)ct_blob_at(c, c->variants.offset) + e->first_variant;
}

uint64_t ct_package_overlap_bytes(const ct_catalog *catalog, uint32_t entry) {
    uint32_t count = 0;
    const ct_catalog_variant *const variants = variants_of(catalog, entry, &count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += (uint64_t)variants[i].data_bytes + variants[i].stream_bytes;
    return bytes;
}

static const char *name_of(const ct_package_overlap *o, uint32_t entry) {
    const char *const name = ct_catalog_name(o->catalog, entry);
    return name ? name : "";
}

// --- Reach ---------------------------------------------------------------------------------------

// A walk from one package.
typedef struct walk {
    const ct_package_overlap *overlap;
    const ct_resource_store *store;
    ct_package_reach *package;
    ct_string_id64 package_type;
    ct_u32_array open; // entries that are still to be followed
} walk;

static void reach_entry(walk *w, uint32_t entry) {
    const bool is_package =
        ct_catalog_entries(w->overlap->catalog)[entry].id.type.value == w->package_type.value;
    uint64_t *const bits = is_package ? w->package->depends : w->package->reached;
    if (entry == w->package->entry || ct_bits_test(bits, entry))
        return;
    ct_bits_set(bits, entry);
    ct_array_push(&w->open, entry);
}

// What a package lists, in all its variants.
static void reach_listed(walk *w, uint32_t entry) {
    ct_allocator *const a = w->overlap->allocator;
    uint32_t count = 0;
    const ct_catalog_variant *const variants = variants_of(w->overlap->catalog, entry, &count);
    for (uint32_t i = 0; i < count; i++) {
        const ct_package_resource *const blob = ct_resource_store_read(
            w->store, a, (ct_resource_id){w->package_type, variants[i].data_name}, NULL);
        const ct_resource_id *const ids = blob ? ct_blob_at(blob, blob->resources.offset) : NULL;
        for (uint32_t k = 0; blob && k < blob->resources.count; k++) {
            const uint32_t listed = ct_catalog_find(w->overlap->catalog, ids[k]);
            if (listed != CT_CATALOG_NONE)
                reach_entry(w, listed);
        }
    }
}

static void follow(walk *w) {
    const ct_catalog *const c = w->overlap->catalog;
    const uint32_t *const references = ct_blob_at(c, c->references.offset);
    while (w->open.count > 0) {
        const uint32_t entry = w->open.items[--w->open.count];
        uint32_t count = 0;
        const ct_catalog_variant *const variants = variants_of(c, entry, &count);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < variants[i].num_references; k++)
                reach_entry(w, references[variants[i].first_reference + k]);
        if (ct_catalog_entries(c)[entry].id.type.value == w->package_type.value)
            reach_listed(w, entry);
    }
}

static void count_reached(const ct_catalog *c, ct_package_reach *p) {
    const uint32_t n = c->entries.count;
    for (uint32_t e = ct_bits_next_set(p->reached, 0, n); e < n;
         e = ct_bits_next_set(p->reached, e + 1, n)) {
        uint32_t count = 0;
        const ct_catalog_variant *const variants = variants_of(c, e, &count);
        p->num_resources++;
        for (uint32_t i = 0; i < count; i++) {
            p->data_bytes += variants[i].data_bytes;
            p->stream_bytes += variants[i].stream_bytes;
        }
    }
}

static void add_package(ct_package_overlap *o, const ct_resource_store *store, uint32_t entry) {
    const uint32_t num_words = ct_bits_num_words(o->catalog->entries.count);
    ct_package_reach p = {.name = name_of(o, entry),
                          .entry = entry,
                          .reached = CT_NEW_ARRAY(o->allocator, uint64_t, num_words),
                          .depends = CT_NEW_ARRAY(o->allocator, uint64_t, num_words)};
    walk w = {
        .overlap = o, .store = store, .package = &p, .package_type = ct_string_id64_of("package")};
    ct_array_init(&w.open, o->allocator);
    ct_array_push(&w.open, entry);
    follow(&w);
    count_reached(o->catalog, &p);
    ct_array_push(&o->packages, p);
}

// --- Overlap -------------------------------------------------------------------------------------

static bool is_core(const ct_package_reach *p) {
    return strcmp(p->name, CORE_PACKAGE) == 0;
}

static bool do_depend(const ct_package_reach *a, const ct_package_reach *b) {
    return is_core(a) || is_core(b) || ct_bits_test(a->depends, b->entry) ||
           ct_bits_test(b->depends, a->entry);
}

// What both reach that core's package does not.
static void compare(ct_package_overlap *o, uint32_t first, uint32_t second, const uint64_t *in_core,
                    uint64_t *both) {
    const uint32_t n = o->catalog->entries.count, num_words = ct_bits_num_words(n);
    ct_package_pair pair = {.first = first, .second = second};
    memcpy(both, o->packages.items[first].reached, num_words * sizeof(*both));
    ct_bits_and(both, o->packages.items[second].reached, num_words);
    if (in_core)
        ct_bits_and_not(both, in_core, num_words);
    for (uint32_t e = ct_bits_next_set(both, 0, n); e < n; e = ct_bits_next_set(both, e + 1, n)) {
        pair.num_resources++;
        pair.bytes += ct_package_overlap_bytes(o->catalog, e);
    }
    if (pair.num_resources > 0)
        ct_array_push(&o->pairs, pair);
}

// Most bytes first, else as they are.
static void sort_pairs(ct_package_overlap *o) {
    const uint32_t count = o->pairs.count;
    ct_sort_item64 *const keys =
        CT_NEW_ARRAY(o->allocator, ct_sort_item64, 2 * (uint64_t)count + 1);
    ct_package_pair *const old = CT_NEW_ARRAY(o->allocator, ct_package_pair, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (ct_sort_item64){.key = ~o->pairs.items[i].bytes, .index = i};
        old[i] = o->pairs.items[i];
    }
    ct_sort_items64(keys, keys + count, count);
    for (uint32_t i = 0; i < count; i++)
        o->pairs.items[i] = old[keys[i].index];
}

static void find_pairs(ct_package_overlap *o) {
    const uint32_t num_words = ct_bits_num_words(o->catalog->entries.count);
    uint64_t *const both = CT_NEW_ARRAY(o->allocator, uint64_t, num_words);
    const uint64_t *in_core = NULL;
    for (uint32_t i = 0; i < o->packages.count; i++)
        in_core = is_core(&o->packages.items[i]) ? o->packages.items[i].reached : in_core;
    for (uint32_t i = 0; i < o->packages.count; i++)
        for (uint32_t k = i + 1; k < o->packages.count; k++)
            if (!do_depend(&o->packages.items[i], &o->packages.items[k]))
                compare(o, i, k, in_core, both);
    sort_pairs(o);
}

static void find_unreached(ct_package_overlap *o) {
    const ct_string_id64 package_type = ct_string_id64_of("package");
    for (uint32_t e = 0; e < o->catalog->entries.count; e++) {
        bool is_known = ct_catalog_entries(o->catalog)[e].id.type.value == package_type.value ||
                        strncmp(name_of(o, e), CORE_PREFIX, strlen(CORE_PREFIX)) == 0;
        for (uint32_t i = 0; i < o->packages.count && !is_known; i++)
            is_known = ct_bits_test(o->packages.items[i].reached, e);
        if (!is_known)
            ct_array_push(&o->unreached, e);
    }
}

bool ct_package_overlap_find(ct_package_overlap *o, ct_allocator *scratch, const char *data_folder,
                             ct_error *error) {
    *o = (ct_package_overlap){.allocator = scratch};
    ct_array_init(&o->packages, scratch);
    ct_array_init(&o->pairs, scratch);
    ct_array_init(&o->unreached, scratch);
    o->catalog = ct_catalog_read(scratch, data_folder, error);
    if (!o->catalog)
        return false;
    const ct_string_id64 package_type = ct_string_id64_of("package");
    ct_resource_store *const store = ct_resource_store_open_folder(scratch, data_folder);
    for (uint32_t e = 0; e < o->catalog->entries.count; e++)
        if (ct_catalog_entries(o->catalog)[e].id.type.value == package_type.value)
            add_package(o, store, e);
    ct_resource_store_close(store);
    find_pairs(o);
    find_unreached(o);
    return true;
}
