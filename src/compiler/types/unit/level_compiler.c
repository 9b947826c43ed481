// Compiles levels: all placed units flattened to one entity template.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/unit/worker_level_members.h"
#include "compiler/types/unit/worker_template.h"
#include "foundation/error.h"
#include "resource/types/unit_resource.h"

typedef CT_ARRAY(ct_level_unit) level_unit_array;

static void place_unit(ct_template *t, ct_hash_map *seen, ct_template_place object,
                       level_unit_array *units) {
    ct_compile *const c = t->compile;
    if (ct_sjson_type_of(object.doc, object.value) != CT_SJSON_TYPE_OBJECT) {
        ct_compile_error(c, object.doc, object.value, "found %s, expected a unit (an object)",
                         ct_sjson_type_name(ct_sjson_type_of(object.doc, object.value)));
        return;
    }
    const char *const id = ct_template_id(t, seen, "unit", object);
    const ct_template_layer *layer = ct_template_layer_of(t, &t->level_unit_schema, object);
    if (!layer->unit_value.entry)
        ct_compile_error(c, object.doc, object.value,
                         "this needs a `unit`, the name of the unit to place");
    uint32_t root = 0;
    if (!id || !layer->unit_value.entry ||
        !ct_template_place_layers(t, &layer, 1, CT_NO_PARENT, &root))
        return;
    ct_array_push(units, (ct_level_unit){
                             .unit = layer->unit,
                             .id = ct_string_id32_of(id),
                             .root = root,
                         });
}

static void write_level(ct_template *t, const level_unit_array *units,
                        const ct_level_source *source, const ct_worker_level_members *members) {
    ct_blob_writer *const w = &t->compile->blob;
    ct_level_resource r = {.script = source->script, .flow = source->flow};
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
    level_unit_array units;
    ct_array_init(&units, c->allocator);
    ct_hash_map seen;
    ct_hash_map_init(&seen, c->allocator);
    for (ct_sjson_value v = ct_sjson_first(c->doc, source.units); v.entry && !t.is_too_big;
         v = ct_sjson_next(c->doc, v))
        place_unit(&t, &seen, (ct_template_place){c->doc, v}, &units);
    ct_worker_level_members members;
    ct_worker_level_members_read(&t, &source, &members);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_level(&t, &units, &source, &members);
    return true;
}
