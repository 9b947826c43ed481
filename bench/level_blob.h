// level_blob.h: a level of 10,000 entities as the compiler writes it, for the benchmark of levels.
//
// Each entity has a transform, a mesh, a debug name, data of four numbers, and one to three tags of
// six.
#pragma once
#include "resource/blob_writer.h"
#include "resource/unit_resource.h"

enum {
    CT_BENCH_LEVEL_ENTITIES = 10000,
    CT_BENCH_LEVEL_UNIT = 10, // entities of a unit in a deep level, three deep
    CT_BENCH_LEVEL_VALUES = 4,
    CT_BENCH_LEVEL_TAGS = 6,
    // Of the data of one: counts, keys, types; then the values, as floats.
    CT_BENCH_LEVEL_VALUES_AT = 28,
    CT_BENCH_LEVEL_DATA_BYTES = 48,
};

// The types in the level, in their order.
typedef enum ct_bench_level_type {
    CT_BENCH_LEVEL_TYPE_TRANSFORM,
    CT_BENCH_LEVEL_TYPE_MESH,
    CT_BENCH_LEVEL_TYPE_DEBUG_NAME,
    CT_BENCH_LEVEL_TYPE_DATA,
    CT_BENCH_LEVEL_TYPE_TAG,
    CT_BENCH_LEVEL_NUM_TYPES,
} ct_bench_level_type;

extern const char *const ct_bench_level_tags[CT_BENCH_LEVEL_TAGS];

// Writes the level: 10,000 units, or (deep) 1,000 of 10 entities each. The caller frees the writer.
void ct_bench_level_write(ct_blob_writer *w, bool is_deep);
