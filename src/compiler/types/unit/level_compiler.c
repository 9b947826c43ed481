// Compiles levels: all placed units flattened to one entity template.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/unit/worker_level_members.h"
#include "compiler/types/unit/worker_level_units.h"
#include "compiler/types/unit/worker_template.h"
#include "foundation/error.h"
#include "resource/types/unit_resource.h"

static void write_level(ct_template *t, const ct_worker_level_units *units,
                        const ct_level_source *source, const ct_worker_level_members *members) {
    ct_blob_writer *const w = &t->compile->blob;
    ct_level_resource r = {
        .script = source->script, .flow = source->flow, .navigation = source->navigation};
    ct_blob_begin(w, &ct_level_layout);
    r.entities = ct_template_write(t);
    r.units = ct_blob_write_items(w, &ct_level_unit_layout, units->items, units->count);
    ct_worker_level_members_write(t->compile, members, &r);
    ct_blob_end(w, &ct_level_layout, &r);
}

bool ct_compile_level(ct_compile *c) {
    ct_level_source source = {0};
    const ct_schema_listener listener = ct_compile_listener(c);
    CT_ASSERT(ct_level_schema.size_bytes == sizeof(source), "the level schema describes %u bytes",
              ct_level_schema.size_bytes);
    ct_schema_read(&ct_level_schema, c->doc, ct_sjson_root(c->doc), &source, &listener);
    ct_template t;
    ct_template_init(&t, c);
    ct_worker_level_units units;
    ct_array_init(&units, c->allocator);
    ct_worker_level_place_units(&t, source.units, &units);
    ct_worker_level_members members;
    ct_worker_level_members_read(&t, &source, &members);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_level(&t, &units, &source, &members);
    return true;
}
