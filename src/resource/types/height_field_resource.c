#include "resource/types/height_field_resource.h"

#include <math.h>
#include <stddef.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_height_field_source, member),                                            \
    .size_bytes = sizeof(((ct_height_field_source *)0)->member)

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The heights, a grey .png file of 8 or 16 bits. Its top row is the greatest y."},
    {.name = "source",
     .type = CT_FIELD_TYPE_VALUE,
     AT(source_value),
     .doc = "Position in the source."},
    {.name = "size",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(size),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Size along x and y; along z, how much higher white is than black.",
     .unit = "m",
     .least = 0.001,
     .most = 1e6},
};

const ct_schema ct_height_field_schema = {
    .name = "height_field",
    .doc = "Ground as heights on a grid.",
    .size_bytes = sizeof(ct_height_field_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_height_field_layout =
    CT_BLOB_ROOT(ct_height_field_resource, "a height field",
                 CT_BLOB_NUMBERS(4, ct_height_field_resource, columns, most),
                 CT_BLOB_ARRAY(ct_height_field_resource, heights, ct_blob_u32_layout));

static bool is_side(uint32_t side) {
    return side >= 2 && side <= CT_HEIGHT_FIELD_MAX_SIDE;
}

bool ct_height_field_validate(const void *blob, ct_error *error) {
    const ct_height_field_resource *const h = blob;
    if (!ct_blob_check_layout(&ct_height_field_layout, h, error))
        return false;
    if (!is_side(h->columns) || !is_side(h->rows))
        return ct_error_set(error, "found %u columns and %u rows, expected 2 to %d each",
                            h->columns, h->rows, CT_HEIGHT_FIELD_MAX_SIDE);
    if (h->heights.count != h->columns * h->rows)
        return ct_error_set(error, "heights: found %u, expected %u times %u", h->heights.count,
                            h->columns, h->rows);
    for (uint32_t k = 0; k < 2; ++k) {
        if (!(h->spacing[k] > 0) || !(h->spacing[k] < 1e30f))
            return ct_error_set(error, "spacing: found %g, expected a positive number",
                                (double)h->spacing[k]);
    }
    if (!isfinite(h->least) || !isfinite(h->most))
        return ct_error_set(error, "found heights from %g to %g, expected finite numbers",
                            (double)h->least, (double)h->most);
    const float *const heights = ct_blob_at(h, h->heights.offset);
    for (uint32_t i = 0; i < h->heights.count; ++i) {
        if (!(heights[i] >= h->least && heights[i] <= h->most))
            return ct_error_set(error, "heights[%u]: found %g, expected %g to %g", i,
                                (double)heights[i], (double)h->least, (double)h->most);
    }
    return true;
}
