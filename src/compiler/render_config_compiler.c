// Compiles render configs: checks every name and writes targets, layers, steps and viewports.
#include <string.h>

#include "compiler/compiler_types.h"
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

static void read_target(ct_worker_render_config *r, ct_sjson_value v) {
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

static void read_layer(ct_worker_render_config *r, ct_sjson_value v) {
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

static void read_generator(ct_worker_render_config *r, ct_sjson_value v) {
    ct_worker_generator g = {.name = ct_sjson_key(r->doc, v)};
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY) {
        ct_worker_render_error(r, v, "%s: found %s, expected an array of steps", g.name,
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    g.generator.name = ct_string_id32_of(g.name);
    g.generator.first_step = r->steps.count;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
        ct_worker_render_step(r, e);
    g.generator.num_steps = r->steps.count - g.generator.first_step;
    ct_array_push(&r->generators, g);
}

static void read_viewport(ct_worker_render_config *r, ct_sjson_value v) {
    ct_worker_viewport viewport = {.name = ct_string_id32_of(ct_sjson_key(r->doc, v))};
    ct_array_init(&viewport.generators, r->c->allocator);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY) {
        ct_worker_render_error(r, v, "%s: found %s, expected an array of resource generators",
                               ct_sjson_key(r->doc, v),
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    const char **names = CT_NEW_ARRAY(r->c->allocator, const char *, r->generators.count + 1);
    for (uint32_t i = 0; i < r->generators.count; i++)
        names[i] = r->generators.items[i].name;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
        ct_array_push(&viewport.generators, ct_worker_render_choice(r, e, "resource generator",
                                                                    names, r->generators.count));
    ct_array_push(&r->viewports, viewport);
}

static void read_each(ct_worker_render_config *r, ct_sjson_value container,
                      void (*read)(ct_worker_render_config *r, ct_sjson_value v)) {
    for (ct_sjson_value v = ct_sjson_first(r->doc, container); v.entry;
         v = ct_sjson_next(r->doc, v))
        read(r, v);
}

static void write_step(ct_blob_writer *w, const ct_render_step *s) {
    ct_blob_write_u32(w, s->type);
    ct_blob_write_u32(w, s->layer.value);
    ct_blob_write_u32(w, s->num_color_targets);
    for (uint32_t i = 0; i < CT_RENDER_MAX_COLOR_TARGETS; i++)
        ct_blob_write_u32(w, s->color_targets[i].value);
    ct_blob_write_u32(w, s->depth_target.value);
    ct_blob_write_float_array(w, s->clear_color, 4);
    ct_blob_write_float(w, s->clear_depth);
    ct_blob_write_u32(w, s->num_inputs);
    for (uint32_t i = 0; i < CT_RENDER_MAX_INPUTS; i++) {
        ct_blob_write_u32(w, s->inputs[i].target.value);
        ct_blob_write_u32(w, s->inputs[i].filter);
    }
    ct_blob_write_u32(w, 0);
    ct_blob_writer_align(w, 8);
    ct_blob_write_u64(w, s->shader.value);
    ct_blob_write_u64(w, s->material.value);
}

static void write_targets(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), r->targets.count);
    for (uint32_t i = 0; i < r->targets.count; i++) {
        const ct_render_target *t = &r->targets.items[i].target;
        ct_blob_write_u32(w, t->name.value);
        ct_blob_write_u32(w, t->format);
        ct_blob_write_float(w, t->width_scale);
        ct_blob_write_float(w, t->height_scale);
        ct_blob_write_u32(w, t->width);
        ct_blob_write_u32(w, t->height);
    }
}

static void write_layers(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), r->layers.count);
    for (uint32_t i = 0; i < r->layers.count; i++) {
        const ct_render_layer *l = &r->layers.items[i].layer;
        ct_blob_write_u32(w, l->name.value);
        ct_blob_write_u32(w, l->sort);
        ct_blob_write_u32(w, l->num_color_targets);
        for (uint32_t k = 0; k < CT_RENDER_MAX_COLOR_TARGETS; k++)
            ct_blob_write_u32(w, l->color_targets[k].value);
        ct_blob_write_u32(w, l->depth_target.value);
    }
}

static void write_viewports(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    const uint32_t offset = ct_blob_writer_offset(w);
    uint32_t *fields = CT_NEW_ARRAY(r->c->allocator, uint32_t, r->viewports.count + 1);
    ct_blob_patch_array(w, at, offset, r->viewports.count);
    for (uint32_t i = 0; i < r->viewports.count; i++) {
        ct_blob_write_u32(w, r->viewports.items[i].name.value);
        ct_blob_write_u32(w, 0);
        fields[i] = ct_blob_write_array_field(w);
    }
    for (uint32_t i = 0; i < r->viewports.count; i++) {
        const ct_u32_array *generators = &r->viewports.items[i].generators;
        ct_blob_patch_array(w, fields[i],
                            ct_blob_write_u32_array(w, generators->items, generators->count),
                            generators->count);
    }
}

static void write_config(const ct_worker_render_config *r) {
    ct_blob_writer *w = &r->c->blob;
    uint32_t fields[5];
    for (uint32_t i = 0; i < CT_COUNT_OF(fields); i++)
        fields[i] = ct_blob_write_array_field(w);
    ct_blob_write_u64(w, r->source.line_shader.value);
    ct_blob_write_u64(w, r->source.error_material.value);
    write_targets(r, w, fields[0]);
    write_layers(r, w, fields[1]);
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, fields[2], ct_blob_writer_offset(w), r->steps.count);
    for (uint32_t i = 0; i < r->steps.count; i++)
        write_step(w, &r->steps.items[i]);
    ct_blob_patch_array(w, fields[3], ct_blob_writer_offset(w), r->generators.count);
    for (uint32_t i = 0; i < r->generators.count; i++) {
        ct_blob_write_u32(w, r->generators.items[i].generator.name.value);
        ct_blob_write_u32(w, r->generators.items[i].generator.first_step);
        ct_blob_write_u32(w, r->generators.items[i].generator.num_steps);
    }
    write_viewports(r, w, fields[4]);
}

bool ct_compile_render_config(ct_compile *c) {
    ct_worker_render_config r = {.c = c, .doc = c->doc};
    const ct_schema_listener listener = ct_compile_listener(c);
    if (!ct_schema_read(&ct_render_config_schema, c->doc, ct_sjson_root(c->doc), &r.source,
                        &listener))
        return false;
    ct_array_init(&r.targets, c->allocator);
    ct_array_init(&r.layers, c->allocator);
    ct_array_init(&r.steps, c->allocator);
    ct_array_init(&r.generators, c->allocator);
    ct_array_init(&r.viewports, c->allocator);
    read_each(&r, r.source.global_resources, read_target);
    read_each(&r, r.source.layers, read_layer);
    read_each(&r, r.source.resource_generators, read_generator);
    read_each(&r, r.source.viewports, read_viewport);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_config(&r);
    return true;
}
