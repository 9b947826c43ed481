// sjson_number.h: converts numbers to and from text, independent of the locale.
#pragma once
#include "foundation/types.h"

enum { CT_SJSON_NUMBER_BYTES = 32 }; // the most that ct_sjson_number_format writes

// Parses the `bytes` (at least 1) at `text`, of which `readable` may be read, as one number of the
// JSON grammar, rounded to the nearest double. Returns NULL and sets `value`, or returns what is
// wrong ("a digit must follow the \".\""). `scratch` has room for bytes + 1.
const char *ct_sjson_number_parse(const char *text, uint32_t bytes, uint32_t readable,
                                  char *scratch, double *value);

// Writes the shortest decimal that reads back to `value`, which must be finite, to `out` of
// CT_SJSON_NUMBER_BYTES; integers up to 2^53 without an exponent. Exponents (for numbers below 1e-4
// and for large ones) are as short as possible: 1e-5, 1e22. Returns the length.
uint32_t ct_sjson_number_format(double value, char *out);
