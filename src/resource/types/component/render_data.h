// render_data.h: the values of a render_data component in templates: names with 1 to 4 numbers, for
// the instanced parameters of the materials of an entity's meshes.
#pragma once
#include "foundation/error.h"
#include "foundation/string/string_id.h"

enum { CT_RENDER_DATA_MAX_VALUES = 16 };

typedef struct ct_render_data_value {
    ct_string_id32 name;
    uint32_t num_floats; // 1 to 4
    float value[4];      // unused floats 0; colours linear
} ct_render_data_value;

typedef struct ct_render_data {
    uint32_t num_values; // at most CT_RENDER_DATA_MAX_VALUES
    uint32_t padding;
    ct_render_data_value values[]; // all with different names
} ct_render_data;

// Checks the bytes of one component: that everything is inside, and that numbers are finite.
// Returns false with `error`, which may be NULL.
bool ct_render_data_check(const void *bytes, uint32_t size_bytes, ct_error *error);
