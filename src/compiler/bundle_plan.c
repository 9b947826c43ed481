#include "compiler/bundle_plan.h"
#include "foundation/error.h"
#include "resource/config_resource.h"
#include "resource/package_resource.h"

#include <string.h>

#define CORE_PACKAGE "core/core"
// Packages of tools that run in the engine, which nobody ships.
#define CORE_TOOLS "core/tools/"
#define NO_PACKAGE UINT32_MAX

static const ct_catalog_variant *variant_of(const ct_catalog *c, const ct_catalog_entry *entry,
                                            uint32_t i) {
    const ct_catalog_variant *variants = ct_blob_at(c, c->variants.offset);
    return &variants[entry->first_variant + i];
}

// --- Reaching ------------------------------------------------------------------------------------

// The number of the package of a catalog's entry, or NO_PACKAGE.
static uint32_t package_of(const ct_bundle_plan *plan, uint32_t entry) {
    for (uint32_t i = 0; i < plan->packages.count; ++i)
        if (plan->packages.items[i].entry == entry)
            return i;
    return NO_PACKAGE;
}

static void reach(ct_bitset *reached, ct_u32_array *open, uint32_t entry) {
    if (ct_bitset_test(reached, entry))
        return;
    ct_bitset_set(reached, entry);
    ct_array_push(open, entry);
}

// Follows the references of all variants. Packages are not followed: they have archives of their
// own.
static void follow(const ct_bundle_plan *plan, ct_bitset *reached, ct_u32_array *open) {
    const uint32_t *references = ct_blob_at(plan->catalog, plan->catalog->references.offset);
    while (open->count > 0) {
        const uint32_t at = open->items[--open->count];
        const ct_catalog_entry *entry = &ct_catalog_entries(plan->catalog)[at];
        for (uint32_t i = 0; i < entry->num_variants; ++i) {
            const ct_catalog_variant *v = variant_of(plan->catalog, entry, i);
            for (uint32_t k = 0; k < v->num_references; ++k)
                if (package_of(plan, references[v->first_reference + k]) == NO_PACKAGE)
                    reach(reached, open, references[v->first_reference + k]);
        }
    }
}

// Takes what one variant of a package lists.
static bool read_list(ct_bundle_plan *plan, ct_bundle_package *p, const ct_catalog_variant *variant,
                      ct_u32_array *open, ct_error *error) {
    const ct_resource_id id = {ct_catalog_entries(plan->catalog)[p->entry].id.type,
                               variant->data_name};
    const ct_package_resource *blob =
        ct_resource_store_read(plan->store, plan->allocator, id, error);
    if (!blob)
        return false;
    const ct_resource_id *ids = ct_blob_at(blob, blob->resources.offset);
    for (uint32_t i = 0; i < blob->resources.count; ++i) {
        const uint32_t entry = ct_catalog_find(plan->catalog, ids[i]);
        const uint32_t package = package_of(plan, entry);
        if (entry != CT_CATALOG_NONE && package != NO_PACKAGE)
            ct_bitset_set(&p->listed, package);
        else if (entry != CT_CATALOG_NONE)
            reach(&p->reached, open, entry);
    }
    return true;
}

static bool reach_package(ct_bundle_plan *plan, ct_bundle_package *p, ct_error *error) {
    const ct_catalog_entry *entry = &ct_catalog_entries(plan->catalog)[p->entry];
    ct_u32_array open;
    ct_array_init(&open, plan->allocator);
    for (uint32_t i = 0; i < entry->num_variants; ++i)
        if (!read_list(plan, p, variant_of(plan->catalog, entry, i), &open, error))
            return false;
    follow(plan, &p->reached, &open);
    return true;
}

// --- Dependencies --------------------------------------------------------------------------------

static void find_packages(ct_bundle_plan *plan) {
    const ct_string_id64 type = ct_string_id64_of("package");
    for (uint32_t i = 0; i < plan->catalog->entries.count; ++i) {
        const char *name = ct_catalog_name(plan->catalog, i);
        if (ct_catalog_entries(plan->catalog)[i].id.type.value != type.value ||
            strncmp(name, CORE_TOOLS, strlen(CORE_TOOLS)) == 0)
            continue;
        ct_bundle_package package = {.entry = i};
        ct_bitset_init(&package.listed, plan->allocator);
        ct_bitset_init(&package.depends, plan->allocator);
        ct_bitset_init(&package.reached, plan->allocator);
        ct_bitset_init(&package.archived, plan->allocator);
        ct_array_push(&plan->packages, package);
    }
}

static uint32_t package_named(const ct_bundle_plan *plan, const char *name) {
    const uint32_t entry = ct_catalog_find(plan->catalog, ct_resource_id_of("package", name));
    return entry == CT_CATALOG_NONE ? NO_PACKAGE : package_of(plan, entry);
}

// What is there before anything else: core's package, then the boot package.
static void depend_on_boot(ct_bundle_plan *plan, uint32_t core, uint32_t boot) {
    for (uint32_t i = 0; i < plan->packages.count; ++i) {
        ct_bundle_package *p = &plan->packages.items[i];
        ct_bitset_or(&p->depends, &p->listed);
        if (core != NO_PACKAGE && i != core)
            ct_bitset_set(&p->depends, core);
        if (boot != NO_PACKAGE && i != boot && i != core)
            ct_bitset_set(&p->depends, boot);
    }
}

// What it depends on depends on others; as many rounds as the longest way has steps.
static void close_dependencies(ct_bundle_plan *plan) {
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t i = 0; i < plan->packages.count; ++i) {
            ct_bitset *depends = &plan->packages.items[i].depends;
            const uint32_t before = ct_bitset_count(depends);
            for (uint32_t k = ct_bitset_next(depends, 0); k < depends->num_bits;
                 k = ct_bitset_next(depends, k + 1))
                ct_bitset_or(depends, &plan->packages.items[k].depends);
            has_grown |= ct_bitset_count(depends) != before;
        }
    }
}

// Of packages that depend on each other in a circle the first has what both hold.
static bool brings(const ct_bundle_plan *plan, uint32_t dependency, uint32_t package) {
    return dependency != package &&
           (dependency < package ||
            !ct_bitset_test(&plan->packages.items[dependency].depends, package));
}

static void choose_archived(ct_bundle_plan *plan) {
    for (uint32_t i = 0; i < plan->packages.count; ++i) {
        ct_bundle_package *p = &plan->packages.items[i];
        ct_bitset_or(&p->archived, &p->reached);
        for (uint32_t k = ct_bitset_next(&p->depends, 0); k < p->depends.num_bits;
             k = ct_bitset_next(&p->depends, k + 1))
            if (brings(plan, k, i))
                ct_bitset_and_not(&p->archived, &plan->packages.items[k].reached);
    }
}

// --- The base ------------------------------------------------------------------------------------

// Settings with what they name, the lists of packages; not what a package brings.
static void choose_base(ct_bundle_plan *plan, uint32_t settings) {
    ct_u32_array open;
    ct_array_init(&open, plan->allocator);
    reach(&plan->base, &open, settings);
    follow(plan, &plan->base, &open);
    for (uint32_t i = 0; i < plan->packages.count; ++i)
        ct_bitset_and_not(&plan->base, &plan->packages.items[i].reached);
    ct_bitset_set(&plan->base, settings);
    for (uint32_t i = 0; i < plan->packages.count; ++i)
        ct_bitset_set(&plan->base, plan->packages.items[i].entry);
}

static void count_left_out(ct_bundle_plan *plan) {
    ct_bitset taken;
    ct_bitset_init(&taken, plan->allocator);
    ct_bitset_or(&taken, &plan->base);
    for (uint32_t i = 0; i < plan->packages.count; ++i)
        ct_bitset_or(&taken, &plan->packages.items[i].reached);
    plan->num_left_out = plan->catalog->entries.count - ct_bitset_count(&taken);
}

static const char *boot_package_of(ct_bundle_plan *plan, uint32_t settings) {
    const ct_catalog_entry *entry = &ct_catalog_entries(plan->catalog)[settings];
    const ct_resource_id id = {entry->id.type, variant_of(plan->catalog, entry, 0)->data_name};
    const ct_config_resource *config =
        ct_resource_store_read(plan->store, plan->allocator, id, NULL);
    return config ? ct_config_string(config, "boot_package", "") : "";
}

bool ct_bundle_plan_make(ct_bundle_plan *plan, ct_allocator *a, const ct_resource_store *store,
                         const ct_catalog *catalog, ct_error *error) {
    *plan = (ct_bundle_plan){.allocator = a, .store = store, .catalog = catalog};
    ct_array_init(&plan->packages, a);
    ct_bitset_init(&plan->base, a);
    const uint32_t settings = ct_catalog_find(catalog, ct_resource_id_of("config", "settings"));
    if (settings == CT_CATALOG_NONE)
        return ct_error_set(error, "the project has no settings.config");
    find_packages(plan);
    const char *boot_name = boot_package_of(plan, settings);
    const uint32_t boot = package_named(plan, boot_name);
    if (boot == NO_PACKAGE)
        return ct_error_set_at(error, "settings.config", 0, 0,
                               "the boot package \"%.255s\" is not there", boot_name);
    for (uint32_t i = 0; i < plan->packages.count; ++i)
        if (!reach_package(plan, &plan->packages.items[i], error))
            return false;
    depend_on_boot(plan, package_named(plan, CORE_PACKAGE), boot);
    close_dependencies(plan);
    choose_archived(plan);
    choose_base(plan, settings);
    count_left_out(plan);
    return true;
}
