// compiler_circle.h: how errors tell of sources that lead to each other in a circle.
//
// Whichever of its members a circle is entered by, the way begins at the one whose name comes
// first, and the error stands at the reference that leads back there: all who meet the circle tell
// the same, which the driver tells once. Workers tell those that they meet while they compile, the
// driver those of references. No function here has state: any thread.
#pragma once
#include "foundation/types.h"

// The name of a source in a way: its project path without the type, and so with properties
// ("lamp.fr"). From `a`, freed with ct_free.
char *ct_circle_name(ct_allocator *a, const char *path);

// The way of a circle of `count` (at least 1) names, each of which leads to the next and the last
// to the first: `a: b: c: a`. From `a`, freed with ct_free. `closing` is set to the position of the
// name whose reference leads back to the way's first.
char *ct_circle_way(ct_allocator *a, const char *const *names, uint32_t count, uint32_t *closing);
