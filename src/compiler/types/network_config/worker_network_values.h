// worker_network_values.h: reads the numbers and first values of a network config's source.
//
// Each function reports an error at the value, which is of `doc`, and then returns false.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/network/network_config_write.h"

// Reads a whole number from `least` to `most`. `what` is its name for messages.
bool ct_worker_network_integer(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                               const char *what, int32_t least, int32_t most, int32_t *value);

// Reads `count` (1 to 4) finite numbers from an array, or a single one from a number: all `count`
// are then the same when `is_spread`, else only a count of 1 may be a number.
bool ct_worker_network_parts(ct_compile *c, const ct_sjson *doc, ct_sjson_value at,
                             const char *what, uint32_t count, bool is_spread, float *parts);

// Reads a field's `default`: a value of a kind. `type` is the field's type; NULL: a predefined one.
// Peers, game objects and arrays have none. Texts are borrowed from the document.
bool ct_worker_network_value(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, uint32_t kind,
                             const ct_network_type_desc *type, ct_network_value *value);
