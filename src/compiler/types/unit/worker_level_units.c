#include "compiler/types/unit/worker_level_units.h"

static void place_unit(ct_template *t, ct_hash_map *seen, ct_template_place object,
                       ct_worker_level_units *units) {
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

void ct_worker_level_place_units(ct_template *t, ct_sjson_value units,
                                 ct_worker_level_units *placed) {
    const ct_sjson *const doc = t->compile->doc;
    ct_hash_map seen;
    ct_hash_map_init(&seen, t->compile->allocator);
    for (ct_sjson_value v = ct_sjson_first(doc, units); v.entry && !t->is_too_big;
         v = ct_sjson_next(doc, v))
        place_unit(t, &seen, (ct_template_place){doc, v}, placed);
}
