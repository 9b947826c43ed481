// bundle_print.h: the report of a bundle's sizes.
#pragma once
#include "compiler/bundle/bundle.h"

// Print to standard output: tables by package, by type and of the largest resources; or one JSON
// object. `folder` is where the bundle went.
void ct_bundle_print(ct_allocator *a, const ct_bundle_report *report, const char *folder);
void ct_bundle_print_json(ct_allocator *a, const ct_bundle_report *report, const char *folder);
