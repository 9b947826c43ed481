// random_tree.h: random SJSON documents and edited copies of them, for property tests.
//
// Documents have all kinds of values: objects of keys with and without quotes, arrays of objects
// with ids (texts or numbers, now and then one of them twice), of numbers, of anything; between
// them comments, blank lines, commas or none. One in eight is an array: read them with takes_array.
// What one test makes of a seed is always the same.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

// A small document that is always the same and has something of everything: for fuzz targets, which
// would keep nearly all random ones, as each reaches something that others do not.
extern const char random_tree_sample[];

// Appends a document of a few to some hundred values. `random` as of test_random.
void random_tree_write(uint32_t *random, ct_string_builder *out);

// Appends an edited copy of `doc`: about one value of `rate` (at least 1) is set, removed or moved,
// or gets a new neighbour; members may change their order; now and then all of it is another.
// Comments are new ones.
void random_tree_write_edited(uint32_t *random, uint32_t rate, const ct_sjson *doc,
                              ct_string_builder *out);
