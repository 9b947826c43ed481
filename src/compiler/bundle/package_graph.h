// package_graph.h: the packages of compiled data: which depend on which, what each reaches, and in
// which archive of a bundle each resource lies.
//
// Packages are numbered in the order of the catalog: by name. What a package holds is what it lists
// and all that this refers to, in all variants; a package among these is listed, and what that one
// holds comes with it. A package depends on those that are there whenever it is: those that it
// lists, core's, the boot package, and what these list in turn. Nothing is twice along a
// dependency: a package's archive has what it holds less what a package that it depends on holds,
// and less what the base archive has, which is always there.
// Of packages that depend on each other in a circle the first has what several of them hold. Core's
// tools do not ship, unless a package that does lists them.
//
// Sets of resources are bits by entry of the catalog, sets of packages bits by number.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/bitset.h"
#include "foundation/error.h"
#include "resource/catalog.h"
#include "resource/load/resource_store.h"

#define CT_PACKAGE_NONE UINT32_MAX // no package

typedef struct ct_package_node {
    const char *name;   // borrowed from the catalog
    uint32_t entry;     // of the catalog
    uint32_t archive;   // of a bundle, from 1 on in the order of packages; 0: it does not ship
    ct_bitset listed;   // packages that it lists, and those that these list
    ct_bitset depends;  // packages that are there whenever it is; never itself
    ct_bitset holds;    // entries, packages not among them
    ct_bitset reached;  // entries that loading it loads: of holds, and of what the listed hold
    ct_bitset archived; // entries in its archive; none that are in the base
} ct_package_node;

// All memory is from one temp allocator.
typedef struct ct_package_graph {
    ct_allocator *allocator;
    const ct_resource_store *store;
    const ct_catalog *catalog;
    CT_ARRAY(ct_package_node) packages;
    uint32_t *package_of_entry; // by entry: the package's number, or CT_PACKAGE_NONE
    uint32_t settings;          // entry of settings.config, or CT_CATALOG_NONE
    ct_u32_array named;         // entries that these name and the engine loads by itself
    const char *boot_name;      // of the boot package, as the settings have it; "" without
    const char *script_name;    // of the boot script, likewise
    uint32_t core, boot;        // packages, or CT_PACKAGE_NONE
    uint32_t num_archives;      // those of the packages, and the base's, which is number 0
    ct_bitset base; // entries of the base archive, which only the engine asks for: settings, what
                    // they name with all that this refers to (less what core's package and the
                    // boot package reach), the lists of packages that ship
} ct_package_graph;

// Two packages that do not depend on each other and have the same in their archives.
typedef struct ct_package_overlap {
    uint32_t packages[2]; // the first is the lower
    uint32_t num_resources;
    uint64_t size_bytes; // of data and streams
} ct_package_overlap;

typedef CT_ARRAY(ct_package_overlap) ct_package_overlap_array;

// The sizes of a set of resources, in all variants.
typedef struct ct_package_size {
    uint32_t num_resources;
    uint64_t data_bytes, stream_bytes;
} ct_package_size;

// Makes the graph of the packages in `store`, whose catalog is `catalog`; both are borrowed and
// must outlive it. `a` is a temp allocator. Packages, settings and a boot package may be missing.
// Returns false with `error` when a package's list cannot be read. Reads the lists of packages, and
// no other data.
bool ct_package_graph_make(ct_package_graph *g, ct_allocator *a, const ct_resource_store *store,
                           const ct_catalog *catalog, ct_error *error);

// Checks that a game can start from these packages: there are settings and a boot package, and
// loading that and core's loads the boot script. Returns false with `error`, at settings.config.
// Only variants without properties count: at the start a game prefers none. (The compiler checks
// that the boot script has one, and refuses the settings otherwise.) Reads the packages' lists.
bool ct_package_graph_check_start(const ct_package_graph *g, ct_error *error);

// Returns the size of one entry of the catalog, all its variants.
ct_package_size ct_package_graph_entry_size(const ct_package_graph *g, uint32_t entry);

// Returns the sum of the sizes of a set of entries.
ct_package_size ct_package_graph_size(const ct_package_graph *g, const ct_bitset *entries);

// Appends the pairs of packages whose archives have the same, most bytes first, then by their
// numbers.
void ct_package_graph_overlaps(const ct_package_graph *g, ct_package_overlap_array *overlaps);

// Appends the entries of the project (not of core) that are in no package nor in the base, in the
// catalog's order: what a bundle leaves out.
void ct_package_graph_unreached(const ct_package_graph *g, ct_u32_array *entries);
