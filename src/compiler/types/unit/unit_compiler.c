// Compiles units: inheritance and children flattened to one entity template.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/unit/worker_template.h"
#include "resource/types/unit_resource.h"

bool ct_compile_unit(ct_compile *c) {
    ct_template t;
    ct_template_init(&t, c);
    const ct_template_place root_place = {c->doc, ct_sjson_root(c->doc)};
    const ct_template_expansion *const unit = ct_template_expand(&t, c->name, root_place);
    if (!unit)
        return false;
    uint32_t root = 0;
    ct_array_push(&t.steps, (ct_template_step){c->name, unit->doc, root_place});
    if (!ct_template_place_unit(&t, unit, NULL, 0, CT_NO_PARENT, &root) ||
        ct_compile_error_count(c) > 0)
        return false;
    ct_unit_resource r = {.entities = {0}};
    ct_blob_begin(&c->blob, &ct_unit_layout);
    r.entities = ct_template_write(&t);
    ct_blob_end(&c->blob, &ct_unit_layout, &r);
    return true;
}
