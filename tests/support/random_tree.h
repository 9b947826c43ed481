// random_tree.h: random SJSON documents and edited copies of them, for property tests.
//
// Documents have all kinds of values: objects of keys with and without quotes, arrays of objects
// with ids (texts or numbers, now and then one of them twice), of numbers, of anything; between them
// comments, blank lines, commas or none. What one test makes of a seed is always the same.
#pragma once
#include "foundation/sjson.h"
#include "foundation/string_builder.h"

// Appends a document of a few to some hundred values. `random` as of test_random.
void random_tree_write(uint32_t *random, ct_string_builder *out);

// Appends an edited copy of `doc`: about one value of `rate` (at least 1) is set, removed or moved,
// or gets a new neighbour; members may change their order. Comments are new ones.
void random_tree_write_edited(uint32_t *random, uint32_t rate, const ct_sjson *doc,
                              ct_string_builder *out);
