// check_overlaps.h: what `cuttle check` finds of actors that start inside each other.
#pragma once
#include "foundation/string/string_builder.h"
#include "world/world.h"

// Calls `report` with a message for each dynamic actor of a world that is more than 1 cm inside
// another, the deepest first: it names the units of both, how deep, where, and what to do.
// After the first 16 one message counts the rest. The world stays as it is.
void ct_check_overlaps(ct_world *w, ct_allocator *a,
                       void (*report)(void *user, const char *message), void *user);
