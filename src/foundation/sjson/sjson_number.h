// sjson_number.h: numbers as text, both ways, whatever the locale.
#pragma once
#include "foundation/types.h"

enum { CT_SJSON_NUMBER_BYTES = 32 }; // what ct_sjson_number_format writes at most

// Reads the `bytes` (at least 1) at `text`, of which `readable` may be looked at, as one number by
// JSON's grammar, rounded to the nearest double. Returns NULL and sets `value`, or returns what is
// wrong ("a digit must follow the \".\""). `scratch` has room for bytes + 1.
const char *ct_sjson_number_parse(const char *text, uint32_t bytes, uint32_t readable,
                                  char *scratch, double *value);

// Writes the shortest decimal that reads back to `value`, which is finite, to `out` of
// CT_SJSON_NUMBER_BYTES; integers up to 2^53 without exponent. Exponents (of numbers below 1e-4 and
// large ones) are as short as they can be: 1e-5, 1e22. Returns the length.
uint32_t ct_sjson_number_format(double value, char *out);
