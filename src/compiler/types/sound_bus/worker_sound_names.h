// worker_sound_names.h: names and ids in the sources of sound events and buses.
#pragma once
#include "compiler/protocol/compile.h"

// Reports that `name`, at `v`, is not among `names`, which are `what` ("bus"). Returns false.
bool ct_worker_sound_unknown(ct_compile *c, ct_sjson_value v, const char *what, const char *name,
                             const char *const *names, uint32_t count);

// Returns false after reporting a name of `what` ("a bus") that is empty, or is or has the id of one
// of `names`.
bool ct_worker_sound_check_name(ct_compile *c, ct_sjson_value v, const char *what, const char *name,
                                const char *const *names, uint32_t count);

// Reports an `id` of `element` that is not a string, or that an element before it in `array` has.
void ct_worker_sound_check_id(ct_compile *c, ct_sjson_value array, ct_sjson_value element);
