// Compiles height fields: the greys of a picture become heights in metres.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/height_field/worker_heights.h"

bool ct_compile_height_field(ct_compile *c) {
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_height_field_source source;
    ct_height_field_resource h;
    float *heights = NULL;
    if (!ct_schema_read(&ct_height_field_schema, c->doc, ct_sjson_root(c->doc), &source,
                        &listener) ||
        !ct_worker_heights_read(c, &source, &h, &heights))
        return false;
    ct_blob_begin(&c->blob, &ct_height_field_layout);
    h.heights = ct_blob_write_items(&c->blob, &ct_blob_u32_layout, heights, h.columns * h.rows);
    ct_blob_end(&c->blob, &ct_height_field_layout, &h);
    return true;
}
