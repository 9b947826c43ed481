#include "compiler/types/model/worker_gltf_materials.h"

#include <math.h>
#include <string.h>

static const double max_emissive_strength = 1e6;

static void take_extension(ct_allocator *a, const ct_sjson *doc, ct_sjson_value extension,
                           ct_worker_gltf_material *material) {
    const char *const name = ct_sjson_key(doc, extension);
    if (strcmp(name, "KHR_materials_emissive_strength") == 0) {
        const double strength =
            ct_sjson_number(doc, ct_sjson_find(doc, extension, "emissiveStrength"), 1);
        if (isfinite(strength))
            material->emissive_strength = (float)fmin(fmax(strength, 0), max_emissive_strength);
    } else if (strcmp(name, "KHR_materials_unlit") == 0) {
        material->is_unlit = true;
    } else if (strcmp(name, "KHR_materials_pbrSpecularGlossiness") != 0) {
        ct_array_push(&material->others, ct_copy_string(a, name));
    }
}

void ct_worker_gltf_materials_read(ct_allocator *a, const ct_sjson *doc,
                                   ct_worker_gltf_material_array *materials) {
    const ct_sjson_value list = ct_sjson_find(doc, ct_sjson_root(doc), "materials");
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        ct_worker_gltf_material material = {.emissive_strength = 1};
        ct_array_init(&material.others, a);
        const ct_sjson_value extensions = ct_sjson_find(doc, v, "extensions");
        if (ct_sjson_type_of(doc, extensions) == CT_SJSON_TYPE_OBJECT) {
            for (ct_sjson_value e = ct_sjson_first(doc, extensions); e.entry;
                 e = ct_sjson_next(doc, e))
                take_extension(a, doc, e, &material);
        }
        ct_array_push(materials, material);
    }
}
