// level_blob.h: a level of 10,000 entities as the compiler writes it, for the benchmark of levels.
//
// Each entity has a transform, a mesh, a debug name, data of four numbers, and one to three tags of
// six. There are five different sets of tags, each stored once, and 35 different meshes. Transforms,
// names and data are different for each entity.
#pragma once
#include "resource/blob/blob_writer.h"
#include "resource/types/unit_resource.h"

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

typedef enum ct_bench_level_form {
    CT_BENCH_LEVEL_FORM_FLAT,  // 10,000 units
    CT_BENCH_LEVEL_FORM_KINDS, // with meshes of 35 kinds
    CT_BENCH_LEVEL_FORM_DEEP,  // 1,000 units of 10 entities each
} ct_bench_level_form;

extern const char *const ct_bench_level_tags[CT_BENCH_LEVEL_TAGS];

// Writes the level. The caller frees the writer.
void ct_bench_level_write(ct_blob_writer *w, ct_bench_level_form form);
