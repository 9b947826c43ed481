// Reads the targets and layers of a render config.
#include <string.h>

#include "compiler/worker_render_config.h"
#include "foundation/error.h"

enum { MAX_SCALE = 16, MAX_SIZE = 16384 };

// A name given to something in the config; NULL after reporting. `what` is for the message.
static const char *read_name(ct_worker_render_config *r, ct_sjson_value v, const char *what) {
    const ct_sjson_value name = ct_sjson_find(r->doc, v, "name");
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT)
        ct_worker_render_error(r, v, "%s: found %s, expected an object", what,
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
    else if (ct_sjson_string_bytes(r->doc, name) == 0)
        ct_worker_render_error(r, name.entry ? name : v, "%s: expected a name", what);
    else
        return ct_sjson_string(r->doc, name, NULL);
    return NULL;
}

static void read_target_size(ct_worker_render_config *r, ct_sjson_value v, ct_render_target *t) {
    const ct_sjson_value size = ct_sjson_find(r->doc, v, "size");
    const ct_sjson_value scale = ct_sjson_find(r->doc, v, "scale");
    double numbers[2] = {1, 1};
    if (size.entry && scale.entry) {
        ct_worker_render_error(r, size, "size and scale exclude each other");
    } else if (size.entry) {
        if (!ct_worker_render_numbers(r, size, "size", 2, 2, 1, MAX_SIZE, numbers))
            return;
        t->width = (uint32_t)numbers[0];
        t->height = (uint32_t)numbers[1];
        if (t->width != numbers[0] || t->height != numbers[1])
            ct_worker_render_error(r, size, "size: expected whole numbers of pixels");
    } else {
        if (scale.entry)
            ct_worker_render_numbers(r, scale, "scale", 2, 2, 1.0 / 64, MAX_SCALE, numbers);
        t->width_scale = (float)numbers[0];
        t->height_scale = (float)numbers[1];
    }
}

void ct_worker_render_target(ct_worker_render_config *r, ct_sjson_value v) {
    static const char *const members[] = {"name", "format", "scale", "size"};
    static const char *const formats[] = {"RGBA8", "RGBA8_SRGB", "RGBA16F", "R16F",
                                          "R32F",  "RG16F",      "D32F"};
    ct_worker_target t = {.name = read_name(r, v, "global_resources")};
    if (!t.name)
        return;
    t.target.name = ct_string_id32_of(t.name);
    ct_worker_render_members(r, v, "global_resources", members, CT_COUNT_OF(members));
    const ct_sjson_value format = ct_sjson_find(r->doc, v, "format");
    if (strcmp(t.name, "back_buffer") == 0)
        ct_worker_render_error(r, v, "back_buffer is there without being declared");
    for (uint32_t i = 0; i < r->targets.count; i++) {
        if (r->targets.items[i].target.name.value == t.target.name.value)
            ct_worker_render_error(r, v, "a global resource \"%s\" is there already", t.name);
    }
    if (format.entry)
        t.target.format =
            CT_RENDER_FORMAT_RGBA8 +
            ct_worker_render_choice(r, format, "format", formats, CT_COUNT_OF(formats));
    else
        ct_worker_render_error(r, v, "global_resources: expected a format");
    read_target_size(r, v, &t.target);
    if (r->targets.count == CT_RENDER_MAX_TARGETS)
        ct_worker_render_error(r, v, "global_resources: expected at most %d",
                               CT_RENDER_MAX_TARGETS);
    else
        ct_array_push(&r->targets, t);
}

void ct_worker_render_layer(ct_worker_render_config *r, ct_sjson_value v) {
    static const char *const members[] = {"name", "targets", "depth_target", "sort"};
    static const char *const sorts[] = {"material", "front_back", "back_front"};
    ct_worker_layer l = {.name = read_name(r, v, "layers")};
    if (!l.name)
        return;
    l.layer.name = ct_string_id32_of(l.name);
    ct_worker_render_members(r, v, "layers", members, CT_COUNT_OF(members));
    for (uint32_t i = 0; i < r->layers.count; i++) {
        if (r->layers.items[i].layer.name.value == l.layer.name.value)
            ct_worker_render_error(r, v, "a layer \"%s\" is there already", l.name);
    }
    const ct_sjson_value targets = ct_sjson_find(r->doc, v, "targets");
    const ct_sjson_value depth = ct_sjson_find(r->doc, v, "depth_target");
    const ct_sjson_value sort = ct_sjson_find(r->doc, v, "sort");
    l.layer.num_color_targets = ct_worker_render_colors(r, targets, l.layer.color_targets);
    if (depth.entry)
        l.layer.depth_target = ct_worker_render_target_at(r, depth, CT_WORKER_TARGET_USE_DEPTH);
    if (!depth.entry && ct_sjson_count(r->doc, targets) == 0)
        ct_worker_render_error(r, v, "layers: expected targets, a depth_target, or both");
    ct_worker_render_sizes(r, v, l.layer.color_targets, l.layer.num_color_targets,
                           l.layer.depth_target);
    if (sort.entry)
        l.layer.sort = ct_worker_render_choice(r, sort, "sort", sorts, CT_COUNT_OF(sorts));
    ct_array_push(&r->layers, l);
}
