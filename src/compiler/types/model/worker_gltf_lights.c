#include "compiler/types/model/worker_gltf_lights.h"

#include <math.h>
#include <string.h>

#define EXTENSION "KHR_lights_punctual"
static const float default_outer_cone = 0.785398163f;

// Values of an array, found by position.
typedef struct value_list {
    ct_sjson_value *items;
    uint32_t count;
} value_list;

typedef struct light_walk {
    const ct_sjson *doc;
    value_list nodes, lights;
    uint32_t num_visited;
    ct_worker_gltf_light_array *found;
} light_walk;

static value_list list_of(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list) {
    value_list values = {.count = ct_sjson_count(doc, list)};
    values.items = CT_NEW_ARRAY(a, ct_sjson_value, values.count + 1);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        values.items[i++] = v;
    return values;
}

// The value that `index` names; entry 0 when there is none.
static ct_sjson_value value_at(const light_walk *w, const value_list *list, ct_sjson_value index) {
    const double number = ct_sjson_number(w->doc, index, -1);
    return number >= 0 && number < list->count ? list->items[(uint32_t)number]
                                               : (ct_sjson_value){0};
}

static float number_of(const light_walk *w, ct_sjson_value object, const char *key, float least,
                       float most, float otherwise) {
    const ct_sjson_value v = ct_sjson_find(w->doc, object, key);
    const double number = ct_sjson_number(w->doc, v, (double)otherwise);
    return isfinite(number) ? (float)fmin(fmax(number, (double)least), (double)most) : otherwise;
}

static void add_light(light_walk *w, ct_sjson_value light) {
    static const char *const types[] = {"directional", "point", "spot"};
    const char *type = ct_sjson_string(w->doc, ct_sjson_find(w->doc, light, "type"), "");
    const ct_sjson_value spot = ct_sjson_find(w->doc, light, "spot");
    const ct_sjson_value color = ct_sjson_find(w->doc, light, "color");
    ct_worker_gltf_light l = {
        .node = w->num_visited - 1,
        .color = {1, 1, 1},
        .intensity = number_of(w, light, "intensity", 0, 1e9f, 1),
        .range = number_of(w, light, "range", 0, 1e9f, 0),
        .inner_cone_radians = number_of(w, spot, "innerConeAngle", 0, 1.5f, 0),
        .outer_cone_radians =
            number_of(w, spot, "outerConeAngle", 0.001f, 1.55f, default_outer_cone),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        if (strcmp(type, types[i]) == 0)
            l.type = types[i];
    }
    uint32_t part = 0;
    for (ct_sjson_value v = ct_sjson_first(w->doc, color); v.entry && part < 3;
         v = ct_sjson_next(w->doc, v))
        l.color[part++] = fminf(fmaxf((float)ct_sjson_number(w->doc, v, 1), 0), 1);
    if (l.type)
        ct_array_push(w->found, l);
}

static void walk_node(light_walk *w, ct_sjson_value index) {
    const ct_sjson_value node = value_at(w, &w->nodes, index);
    if (!node.entry)
        return;
    ++w->num_visited;
    const ct_sjson_value extension =
        ct_sjson_find(w->doc, ct_sjson_find(w->doc, node, "extensions"), EXTENSION);
    const ct_sjson_value light = value_at(w, &w->lights, ct_sjson_find(w->doc, extension, "light"));
    if (light.entry)
        add_light(w, light);
    const ct_sjson_value children = ct_sjson_find(w->doc, node, "children");
    for (ct_sjson_value v = ct_sjson_first(w->doc, children); v.entry; v = ct_sjson_next(w->doc, v))
        walk_node(w, v);
}

void ct_worker_gltf_lights_read(ct_allocator *a, const ct_sjson *doc,
                                ct_worker_gltf_light_array *lights) {
    const ct_sjson_value root = ct_sjson_root(doc);
    const ct_sjson_value extension =
        ct_sjson_find(doc, ct_sjson_find(doc, root, "extensions"), EXTENSION);
    light_walk w = {.doc = doc, .found = lights};
    w.lights = list_of(a, doc, ct_sjson_find(doc, extension, "lights"));
    if (w.lights.count == 0)
        return;
    w.nodes = list_of(a, doc, ct_sjson_find(doc, root, "nodes"));
    const value_list scenes = list_of(a, doc, ct_sjson_find(doc, root, "scenes"));
    const double shown = ct_sjson_number(doc, ct_sjson_find(doc, root, "scene"), 0);
    if (!(shown >= 0 && shown < scenes.count))
        return;
    const ct_sjson_value roots = ct_sjson_find(doc, scenes.items[(uint32_t)shown], "nodes");
    for (ct_sjson_value v = ct_sjson_first(doc, roots); v.entry; v = ct_sjson_next(doc, v))
        walk_node(&w, v);
}
