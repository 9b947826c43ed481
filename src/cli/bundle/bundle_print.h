// bundle_print.h: the report of a bundle's sizes.
#pragma once
#include "compiler/bundle/bundle.h"

// Prints tables by package, by type and of the largest resources to standard output. `folder` is
// the bundle's folder, for the text. Scratch memory is from `a` and freed.
void ct_bundle_print(ct_allocator *a, const ct_bundle_report *report, const char *folder);

// Prints the same figures as one JSON object to standard output. Scratch memory is from `a` and
// freed.
void ct_bundle_print_json(ct_allocator *a, const ct_bundle_report *report, const char *folder);
