// Compiles render configs: see worker_render_config.h for how they are read.
#include "compiler/compiler_types.h"
#include "compiler/worker_render_config.h"
#include "foundation/error.h"

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
    read_each(&r, r.source.global_resources, ct_worker_render_target);
    read_each(&r, r.source.layers, ct_worker_render_layer);
    read_each(&r, r.source.resource_generators, read_generator);
    read_each(&r, r.source.viewports, read_viewport);
    if (ct_compile_error_count(c) > 0)
        return false;
    ct_worker_render_write(&r);
    return true;
}
