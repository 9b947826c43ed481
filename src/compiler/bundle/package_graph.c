#include "compiler/bundle/package_graph.h"

#include <stdlib.h>
#include <string.h>

#include "resource/schema/setting_table.h"
#include "resource/types/config_resource.h"
#include "resource/types/package_resource.h"

#define CORE_PREFIX "core/"
#define CORE_TOOLS "core/tools/" // packages of tools that run in the engine, which nobody ships

static const ct_catalog_variant *variants_of(const ct_package_graph *g, uint32_t entry,
                                             uint32_t *count) {
    const ct_catalog_entry *const e = &ct_catalog_entries(g->catalog)[entry];
    *count = e->num_variants;
    return (const ct_catalog_variant *)ct_blob_at(g->catalog, g->catalog->variants.offset) +
           e->first_variant;
}

static bool has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// --- The packages --------------------------------------------------------------------------------

static ct_bitset make_set(ct_allocator *a, uint32_t num_bits) {
    ct_bitset set;
    ct_bitset_init(&set, a);
    ct_bitset_resize(&set, num_bits);
    return set;
}

static void find_packages(ct_package_graph *g) {
    const ct_string_id64 type = ct_string_id64_of("package");
    const uint32_t num_entries = g->catalog->entries.count;
    g->package_of_entry = CT_NEW_ARRAY(g->allocator, uint32_t, num_entries + 1);
    for (uint32_t i = 0; i < num_entries; ++i) {
        const bool is_package = ct_catalog_entries(g->catalog)[i].id.type.value == type.value;
        g->package_of_entry[i] = is_package ? g->packages.count : CT_PACKAGE_NONE;
        const char *const name = ct_catalog_name(g->catalog, i);
        if (is_package)
            ct_array_push(&g->packages, (ct_package_node){.name = name ? name : "", .entry = i});
    }
    for (uint32_t i = 0; i < g->packages.count; ++i) {
        ct_package_node *const p = &g->packages.items[i];
        p->listed = make_set(g->allocator, g->packages.count);
        p->depends = make_set(g->allocator, g->packages.count);
        p->holds = make_set(g->allocator, num_entries);
        p->reached = make_set(g->allocator, num_entries);
        p->archived = make_set(g->allocator, num_entries);
    }
    g->base = make_set(g->allocator, num_entries);
}

static uint32_t package_named(const ct_package_graph *g, const char *name) {
    const uint32_t entry = ct_catalog_find(g->catalog, ct_resource_id_of("package", name));
    return entry == CT_CATALOG_NONE ? CT_PACKAGE_NONE : g->package_of_entry[entry];
}

// The variant of an entry that a game has when it starts, before it prefers any property; or NULL.
static const ct_catalog_variant *variant_at_start(const ct_package_graph *g, uint32_t entry) {
    return ct_catalog_choose(g->catalog, entry, &(ct_preference_order){0});
}

// What the settings say of the start.
static void read_settings(ct_package_graph *g) {
    g->boot_name = g->script_name = "";
    ct_array_init(&g->named, g->allocator);
    g->settings = ct_catalog_find(g->catalog, ct_resource_id_of("config", "settings"));
    const ct_catalog_variant *const v =
        g->settings != CT_CATALOG_NONE ? variant_at_start(g, g->settings) : NULL;
    const ct_resource_id id = {ct_string_id64_of("config"), v ? v->data_name : (ct_string_id64){0}};
    const ct_config_resource *const config =
        v ? ct_resource_store_read(g->store, g->allocator, id, NULL) : NULL;
    if (!config)
        return;
    g->boot_name = ct_config_string(config, "boot_package", "");
    g->script_name = ct_config_string(config, "boot_script", "");
    uint32_t count = 0;
    const ct_setting_resource *const settings = ct_setting_resources(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const char *const name = ct_config_string(config, settings[i].path, "");
        const uint32_t entry =
            ct_catalog_find(g->catalog, ct_resource_id_of(settings[i].type, name));
        if (settings[i].needs_no_package && entry != CT_CATALOG_NONE)
            ct_array_push(&g->named, entry);
    }
}

// --- What they hold ------------------------------------------------------------------------------

// A walk along references: what it finds is held, the packages among it are listed.
typedef struct walk {
    const ct_package_graph *graph;
    ct_bitset *holds;
    ct_bitset *listed; // NULL: packages do not matter
    ct_u32_array open; // entries that are still to be followed
    bool is_at_start;  // only in the variants of variant_at_start
} walk;

// The variants of an entry that the walk is about.
static const ct_catalog_variant *walked_variants(const walk *w, uint32_t entry, uint32_t *count) {
    if (!w->is_at_start)
        return variants_of(w->graph, entry, count);
    const ct_catalog_variant *const v = variant_at_start(w->graph, entry);
    *count = v ? 1 : 0;
    return v;
}

static void reach(walk *w, uint32_t entry) {
    const uint32_t package = w->graph->package_of_entry[entry];
    if (package != CT_PACKAGE_NONE) {
        if (w->listed)
            ct_bitset_set(w->listed, package);
    } else if (!ct_bitset_test(w->holds, entry)) {
        ct_bitset_set(w->holds, entry);
        ct_array_push(&w->open, entry);
    }
}

static void reach_references(walk *w, uint32_t entry) {
    const ct_catalog *const c = w->graph->catalog;
    const uint32_t *const references = ct_blob_at(c, c->references.offset);
    uint32_t count = 0;
    const ct_catalog_variant *const variants = walked_variants(w, entry, &count);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < variants[i].num_references; ++k)
            reach(w, references[variants[i].first_reference + k]);
}

static void follow(walk *w) {
    while (w->open.count > 0)
        reach_references(w, w->open.items[--w->open.count]);
}

// What a package lists.
static bool reach_list(walk *w, uint32_t entry, ct_error *error) {
    const ct_package_graph *const g = w->graph;
    uint32_t count = 0;
    const ct_catalog_variant *const variants = walked_variants(w, entry, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_resource_id id = {ct_catalog_entries(g->catalog)[entry].id.type,
                                   variants[i].data_name};
        const ct_package_resource *const blob =
            ct_resource_store_read(g->store, g->allocator, id, error);
        if (!blob)
            return false;
        const ct_resource_id *const ids = ct_blob_at(blob, blob->resources.offset);
        for (uint32_t k = 0; k < blob->resources.count; ++k) {
            const uint32_t listed = ct_catalog_find(g->catalog, ids[k]);
            if (listed != CT_CATALOG_NONE)
                reach(w, listed);
        }
    }
    return true;
}

static bool reach_package(walk *w, uint32_t entry, ct_error *error) {
    if (!reach_list(w, entry, error))
        return false;
    reach_references(w, entry);
    follow(w);
    return true;
}

static bool walk_package(ct_package_graph *g, ct_package_node *p, ct_error *error) {
    walk w = {.graph = g, .holds = &p->holds, .listed = &p->listed};
    ct_array_init(&w.open, g->allocator);
    return reach_package(&w, p->entry, error);
}

// --- Who depends on whom -------------------------------------------------------------------------

// What is listed lists others; as many rounds as the longest way has steps.
static void close_listed(ct_package_graph *g) {
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t i = 0; i < g->packages.count; ++i) {
            ct_bitset *const listed = &g->packages.items[i].listed;
            const uint32_t before = ct_bitset_count(listed);
            for (uint32_t k = ct_bitset_next(listed, 0); k < listed->num_bits;
                 k = ct_bitset_next(listed, k + 1))
                ct_bitset_or(listed, &g->packages.items[k].listed);
            has_grown |= ct_bitset_count(listed) != before;
        }
    }
}

static void depend_on(ct_package_graph *g, ct_package_node *p, uint32_t package) {
    if (package == CT_PACKAGE_NONE)
        return;
    ct_bitset_set(&p->depends, package);
    ct_bitset_or(&p->depends, &g->packages.items[package].listed);
}

// Core's package comes before anything else, then the boot package.
static void find_dependencies(ct_package_graph *g) {
    for (uint32_t i = 0; i < g->packages.count; ++i) {
        ct_package_node *const p = &g->packages.items[i];
        ct_bitset_or(&p->depends, &p->listed);
        depend_on(g, p, g->core);
        if (i != g->core)
            depend_on(g, p, g->boot);
        ct_bitset_clear(&p->depends, i);
        ct_bitset_or(&p->reached, &p->holds);
        for (uint32_t k = ct_bitset_next(&p->listed, 0); k < p->listed.num_bits;
             k = ct_bitset_next(&p->listed, k + 1))
            ct_bitset_or(&p->reached, &g->packages.items[k].holds);
    }
}

// --- Archives ------------------------------------------------------------------------------------

static void number_archives(ct_package_graph *g) {
    ct_bitset ships = make_set(g->allocator, g->packages.count);
    for (uint32_t i = 0; i < g->packages.count; ++i) {
        if (has_prefix(g->packages.items[i].name, CORE_TOOLS) && i != g->boot)
            continue;
        ct_bitset_set(&ships, i);
        ct_bitset_or(&ships, &g->packages.items[i].listed);
    }
    g->num_archives = 1;
    for (uint32_t i = 0; i < g->packages.count; ++i)
        if (ct_bitset_test(&ships, i))
            g->packages.items[i].archive = g->num_archives++;
}

// In a circle the first brings what both hold.
static bool brings(const ct_package_graph *g, uint32_t dependency, uint32_t package) {
    return dependency < package || !ct_bitset_test(&g->packages.items[dependency].depends, package);
}

static void choose_archived(ct_package_graph *g) {
    for (uint32_t i = 0; i < g->packages.count; ++i) {
        ct_package_node *const p = &g->packages.items[i];
        if (p->archive == 0)
            continue;
        ct_bitset_or(&p->archived, &p->holds);
        for (uint32_t k = ct_bitset_next(&p->depends, 0); k < p->depends.num_bits;
             k = ct_bitset_next(&p->depends, k + 1))
            if (brings(g, k, i))
                ct_bitset_and_not(&p->archived, &g->packages.items[k].holds);
    }
}

static void leave_out_reached(const ct_package_graph *g, ct_bitset *entries, uint32_t package) {
    if (package != CT_PACKAGE_NONE)
        ct_bitset_and_not(entries, &g->packages.items[package].reached);
}

// The engine reads the settings and what they name before any package, or without one.
static void choose_base(ct_package_graph *g) {
    walk w = {.graph = g, .holds = &g->base};
    ct_array_init(&w.open, g->allocator);
    for (uint32_t i = 0; i < g->named.count; ++i)
        reach(&w, g->named.items[i]);
    follow(&w);
    leave_out_reached(g, &g->base, g->core);
    leave_out_reached(g, &g->base, g->boot);
    if (g->settings != CT_CATALOG_NONE)
        ct_bitset_set(&g->base, g->settings);
    for (uint32_t i = 0; i < g->packages.count; ++i)
        ct_bitset_and_not(&g->packages.items[i].archived, &g->base);
    for (uint32_t i = 0; i < g->packages.count; ++i)
        if (g->packages.items[i].archive != 0)
            ct_bitset_set(&g->base, g->packages.items[i].entry);
}

bool ct_package_graph_make(ct_package_graph *g, ct_allocator *a, const ct_resource_store *store,
                           const ct_catalog *catalog, ct_error *error) {
    *g = (ct_package_graph){.allocator = a, .store = store, .catalog = catalog};
    ct_array_init(&g->packages, a);
    find_packages(g);
    read_settings(g);
    g->core = package_named(g, CT_PACKAGE_CORE);
    g->boot = package_named(g, g->boot_name);
    for (uint32_t i = 0; i < g->packages.count; ++i)
        if (!walk_package(g, &g->packages.items[i], error))
            return false;
    close_listed(g);
    find_dependencies(g);
    number_archives(g);
    choose_archived(g);
    choose_base(g);
    return true;
}

// --- The start -----------------------------------------------------------------------------------

// What is there when the boot script runs: of `packages`, which grow by those that they list.
static bool load_at_start(const ct_package_graph *g, ct_bitset *packages, ct_bitset *loaded,
                          ct_error *error) {
    walk w = {.graph = g, .holds = loaded, .listed = packages, .is_at_start = true};
    ct_array_init(&w.open, g->allocator);
    ct_bitset done = make_set(g->allocator, g->packages.count);
    for (uint32_t p = 0; (p = ct_bitset_next(packages, p)) < packages->num_bits;) {
        if (ct_bitset_test(&done, p)) {
            ++p;
            continue;
        }
        ct_bitset_set(&done, p);
        if (!reach_package(&w, g->packages.items[p].entry, error))
            return false;
        p = 0; // it may list any other
    }
    return true;
}

bool ct_package_graph_check_start(const ct_package_graph *g, ct_error *error) {
    if (g->settings == CT_CATALOG_NONE)
        return ct_error_set(error, "the project has no settings.config");
    if (g->boot == CT_PACKAGE_NONE)
        return ct_error_set_at(error, "settings.config", 0, 0,
                               "the boot package \"%.255s\" does not exist", g->boot_name);
    ct_bitset packages = make_set(g->allocator, g->packages.count);
    ct_bitset loaded = make_set(g->allocator, g->catalog->entries.count);
    ct_bitset_set(&packages, g->boot);
    if (g->core != CT_PACKAGE_NONE)
        ct_bitset_set(&packages, g->core);
    if (!load_at_start(g, &packages, &loaded, error))
        return false;
    const uint32_t script = ct_catalog_find(g->catalog, ct_resource_id_of("lua", g->script_name));
    const bool is_known = script != CT_CATALOG_NONE;
    if (is_known && ct_bitset_test(&loaded, script))
        return true;
    const bool is_late = is_known && ct_bitset_test(&g->packages.items[g->boot].reached, script);
    return ct_error_set_at(
        error, "settings.config", 0, 0,
        "the boot package \"%.255s\" does not load the boot script \"%.255s\"%s; "
        "expected a package that lists it",
        g->boot_name, g->script_name,
        is_late ? " when no property is preferred, as at the start of a game" : "");
}

// --- Reports -------------------------------------------------------------------------------------

ct_package_size ct_package_graph_entry_size(const ct_package_graph *g, uint32_t entry) {
    uint32_t count = 0;
    const ct_catalog_variant *const variants = variants_of(g, entry, &count);
    ct_package_size size = {.num_resources = 1};
    for (uint32_t i = 0; i < count; ++i) {
        size.data_bytes += variants[i].data_bytes;
        size.stream_bytes += variants[i].stream_bytes;
    }
    return size;
}

ct_package_size ct_package_graph_size(const ct_package_graph *g, const ct_bitset *entries) {
    ct_package_size sum = {0};
    for (uint32_t e = ct_bitset_next(entries, 0); e < entries->num_bits;
         e = ct_bitset_next(entries, e + 1)) {
        const ct_package_size size = ct_package_graph_entry_size(g, e);
        ++sum.num_resources;
        sum.data_bytes += size.data_bytes;
        sum.stream_bytes += size.stream_bytes;
    }
    return sum;
}

static int compare_overlaps(const void *a, const void *b) {
    const ct_package_overlap *const x = a, *const y = b;
    if (x->size_bytes != y->size_bytes)
        return x->size_bytes > y->size_bytes ? -1 : 1;
    if (x->packages[0] != y->packages[0])
        return x->packages[0] < y->packages[0] ? -1 : 1;
    return x->packages[1] < y->packages[1] ? -1 : x->packages[1] > y->packages[1];
}

void ct_package_graph_overlaps(const ct_package_graph *g, ct_package_overlap_array *overlaps) {
    ct_bitset both = make_set(g->allocator, g->catalog->entries.count);
    for (uint32_t i = 0; i < g->packages.count; ++i) {
        for (uint32_t k = i + 1; k < g->packages.count; ++k) {
            ct_bitset_clear_all(&both);
            ct_bitset_or(&both, &g->packages.items[i].archived);
            ct_bitset_and(&both, &g->packages.items[k].archived);
            const ct_package_size size = ct_package_graph_size(g, &both);
            const ct_package_overlap overlap = {
                {i, k}, size.num_resources, size.data_bytes + size.stream_bytes};
            if (size.num_resources > 0)
                ct_array_push(overlaps, overlap);
        }
    }
    if (overlaps->count > 1)
        qsort(overlaps->items, overlaps->count, sizeof(*overlaps->items), compare_overlaps);
}

void ct_package_graph_unreached(const ct_package_graph *g, ct_u32_array *entries) {
    ct_bitset known = make_set(g->allocator, g->catalog->entries.count);
    ct_bitset_or(&known, &g->base);
    for (uint32_t i = 0; i < g->packages.count; ++i)
        ct_bitset_or(&known, &g->packages.items[i].holds);
    for (uint32_t e = 0; e < g->catalog->entries.count; ++e) {
        const char *const name = ct_catalog_name(g->catalog, e);
        if (!ct_bitset_test(&known, e) && g->package_of_entry[e] == CT_PACKAGE_NONE &&
            !(name && has_prefix(name, CORE_PREFIX)))
            ct_array_push(entries, e);
    }
}
