// bundle_plan.h: which resources go into which archive.
#pragma once
#include "foundation/array.h"
#include "foundation/bitset.h"
#include "resource/catalog.h"
#include "resource/resource_store.h"

// A package, and what of the catalog it brings along.
typedef struct ct_bundle_package {
    uint32_t entry;     // of the catalog
    ct_bitset listed;   // packages (by number) that it lists
    ct_bitset depends;  // packages that are there whenever it is
    ct_bitset reached;  // entries of the catalog that it holds
    ct_bitset archived; // those that go into its archive
} ct_bundle_package;

// All memory is from one temp allocator.
typedef struct ct_bundle_plan {
    ct_allocator *allocator;
    const ct_resource_store *store;
    const ct_catalog *catalog;
    CT_ARRAY(ct_bundle_package) packages; // in the catalog's order
    ct_bitset base;                       // entries of the base archive
    uint32_t num_left_out;
} ct_bundle_plan;

// Plans over the compiled data of `store`. `a` is a temp allocator. False with `error` when packages
// or settings cannot be read.
bool ct_bundle_plan_make(ct_bundle_plan *plan, ct_allocator *a, const ct_resource_store *store,
                         const ct_catalog *catalog, ct_error *error);
