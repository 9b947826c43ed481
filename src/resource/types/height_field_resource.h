// height_field_resource.h: the blob of a height field: ground as heights on a grid.
//
// The grid lies in the xy plane, with its middle at the origin; columns run along x, rows along y.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_HEIGHT_FIELD_VERSION = 1, CT_HEIGHT_FIELD_MAX_SIDE = 4097 };

typedef struct ct_height_field_resource {
    ct_blob_header header;
    uint32_t columns, rows; // 2 to CT_HEIGHT_FIELD_MAX_SIDE each
    float spacing[2];       // metres between columns and between rows
    float least, most;      // of all heights
    ct_blob_array heights;  // float, metres; columns * rows, row by row from the least y
} ct_height_field_resource;

// The fields that the schema reads from a source.
typedef struct ct_height_field_source {
    const char *source; // media: a grey .png of 8 or 16 bits; its top row is the greatest y
    ct_sjson_value source_value;
    float size[3]; // metres along x and y; z: from black to white
} ct_height_field_source;

extern const ct_schema ct_height_field_schema;
extern const ct_blob_layout ct_height_field_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_height_field_validate(const void *blob, ct_error *error);
