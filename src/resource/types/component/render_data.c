#include "resource/types/component/render_data.h"

#include <math.h>

static bool has_before(const ct_render_data *data, uint32_t i) {
    for (uint32_t k = 0; k < i; ++k) {
        if (data->values[k].name.value == data->values[i].name.value)
            return true;
    }
    return false;
}

bool ct_render_data_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_render_data *const data = bytes;
    if (size_bytes < sizeof(*data) || data->num_values > CT_RENDER_DATA_MAX_VALUES ||
        data->num_values > (size_bytes - sizeof(*data)) / sizeof(*data->values))
        return ct_error_set(error, "values do not fit into %u bytes", size_bytes);
    for (uint32_t i = 0; i < data->num_values; ++i) {
        const ct_render_data_value *const v = &data->values[i];
        if (v->num_floats < 1 || v->num_floats > 4)
            return ct_error_set(error, "value %u: found %u numbers, expected 1 to 4", i,
                                v->num_floats);
        for (uint32_t k = 0; k < 4; ++k) {
            if (!isfinite(v->value[k]))
                return ct_error_set(error, "value %u: number %u is not finite", i, k);
        }
        if (has_before(data, i))
            return ct_error_set(error, "value %u has the name of another one", i);
    }
    return true;
}
