// compiler_circle.h: text of errors about sources that lead to each other in a circle.
//
// Whichever member a circle is found from, the way begins at the member whose name comes first, and
// the error is at the reference that leads back there. So every job that meets the circle reports
// the same error, which the driver reports once. Workers report the circles that they meet while
// they compile, the driver those of references. No function here has state: any thread.
#pragma once
#include "foundation/types.h"

// The name of a source in a way: its project path without the type, and so with properties
// ("lamp.fr"). From `a`, freed with ct_free.
char *ct_circle_name(ct_allocator *a, const char *path);

// The way of a circle of `count` (at least 1) names, each of which leads to the next and the last
// to the first: `a: b: c: a`. From `a`, freed with ct_free. `closing` is set to the position of the
// name whose reference leads back to the way's first.
char *ct_circle_way(ct_allocator *a, const char *const *names, uint32_t count, uint32_t *closing);
