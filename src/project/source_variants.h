// source_variants.h: lists of all variants of one resource, as compilations depend on them.
//
// A compilation that asked for the list has it in its includes, as the path
// `texts/menu.*.strings` with a hash of the names alone, so that it is repeated when a variant
// appears or goes. Driver and workers share this.
#pragma once
#include "foundation/container/array.h"
#include "project/source_file.h"

// The part of such a path that no path of a file has.
#define CT_SOURCE_VARIANTS ".*."

// Returns whether `path` is that of a list.
bool ct_source_is_variants(const char *path);

// Appends the project paths of all sources that the path of a list matches, sorted, and returns
// their hash; 0 when there is no source. The paths are from the array's allocator and belong to the
// caller.
uint64_t ct_source_list_variants(const ct_source_roots *roots, const char *path,
                                 ct_string_array *paths);

// Returns the hash alone; `a` is for memory meanwhile.
uint64_t ct_source_hash_variants(ct_allocator *a, const ct_source_roots *roots, const char *path);
