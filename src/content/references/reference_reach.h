// reference_reach.h: what of a project is used, from its settings and packages on.
//
// Used is what the settings and packages name, and what used resources name: surely, likely (texts
// of scripts and configs), or as packages by a wildcard. What nothing uses can go. What may be
// intended is listed separately: what only a wildcard takes, packages that no source names (a
// bundle ships them, and a script may put their names together), and media that no source names.
#pragma once
#include "content/references/reference_graph.h"

typedef struct ct_reference_reach {
    bool *is_reached;              // by node
    ct_u32_array dangling;         // resources of the project that nothing uses, by their names
    ct_u32_array only_wildcards;   // that are used, but named by nothing that is
    ct_u32_array unnamed_packages; // of the project, that nothing that is used names
    ct_u32_array unnamed_media;    // of the project, of kinds that the engine reads
} ct_reference_reach;

// Finds it out. Memory comes from `a`, a temp allocator. Linear in the graph.
void ct_reference_reach_find(ct_reference_reach *reach, ct_allocator *a,
                             const ct_reference_graph *graph);
