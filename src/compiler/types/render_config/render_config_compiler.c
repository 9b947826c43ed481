// Compiles render configs: see worker_render_config.h for how they are read.
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/render_config/worker_render_config.h"
#include "foundation/error.h"
#include "resource/resource_id.h"

// --- What is inherited ---------------------------------------------------------------------------

// Reads the config that `source`, of `doc`, inherits. NULL when there is none, or after reporting.
static const ct_sjson *read_inherited(ct_compile *c, const ct_sjson *doc,
                                      const ct_render_config_source *source) {
    const ct_sjson_value at = source->inherit_value;
    const char *const name = at.entry ? ct_sjson_string(doc, at, "") : "";
    if (!ct_resource_name_is_canonical(name))
        return NULL; // the schema told what is wrong with it
    return ct_compile_read_resource(c, "render_config", name, doc, at);
}

// Tells the circle of configs from number `first` to the last, which inherits it. Returns false.
static bool report_cycle(ct_worker_render_config *r, uint32_t first) {
    const uint32_t count = r->num_docs - first;
    const char *names[CT_WORKER_RENDER_MAX_CONFIGS];
    for (uint32_t i = 0; i < count; ++i) {
        const char *const file = ct_sjson_file(r->docs[first + i]);
        const size_t length = strlen(file) - strlen(".render_config");
        names[i] = ct_compile_text(r->c, "%.*s", (int)length, file);
    }
    uint32_t closing = 0;
    const char *const way = ct_circle_way(r->c->allocator, names, count, &closing);
    return ct_compile_error(r->c, r->docs[first + closing],
                            r->sources[first + closing].inherit_value,
                            "a render config cannot inherit itself: %s", way);
}

// Fills docs and sources from `first`, heirs first. False after reporting.
static bool read_chain(ct_worker_render_config *r, const ct_sjson *first,
                       const ct_schema_listener *listener) {
    ct_compile *const c = r->c;
    for (const ct_sjson *doc = first; doc;) {
        ct_render_config_source *const source = &r->sources[r->num_docs];
        for (uint32_t i = 0; i < r->num_docs; ++i) {
            if (strcmp(ct_sjson_file(r->docs[i]), ct_sjson_file(doc)) == 0)
                return report_cycle(r, i);
        }
        if (r->num_docs == CT_WORKER_RENDER_MAX_CONFIGS)
            return ct_compile_error(c, r->docs[r->num_docs - 1],
                                    r->sources[r->num_docs - 1].inherit_value,
                                    "render configs inherit each other more than %d deep",
                                    CT_WORKER_RENDER_MAX_CONFIGS);
        if (!ct_schema_read(&ct_render_config_schema, doc, ct_sjson_root(doc), source, listener))
            return false;
        r->docs[r->num_docs++] = doc;
        doc = read_inherited(c, doc, source);
    }
    return ct_compile_error_count(c) == 0;
}

static void reverse_chain(ct_worker_render_config *r) {
    for (uint32_t i = 0; i < r->num_docs / 2; ++i) {
        const uint32_t k = r->num_docs - 1 - i;
        const ct_sjson *const doc = r->docs[i];
        const ct_render_config_source source = r->sources[i];
        r->docs[i] = r->docs[k];
        r->sources[i] = r->sources[k];
        r->docs[k] = doc;
        r->sources[k] = source;
    }
}

// --- The parts -----------------------------------------------------------------------------------

// True when an heir of the config being read has a generator of this name as a whole.
static bool is_replaced(const ct_worker_render_config *r, const char *generator) {
    for (const ct_render_config_source *s = r->source + 1; s < r->sources + r->num_docs; ++s) {
        const ct_sjson *const doc = r->docs[s - r->sources];
        const ct_sjson_value v = ct_sjson_find(doc, s->resource_generators, generator);
        if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_ARRAY)
            return true;
    }
    return false;
}

static void read_generator(ct_worker_render_config *r, ct_sjson_value v) {
    if (!is_replaced(r, ct_sjson_key(r->doc, v)))
        ct_worker_render_generator(r, v);
}

static void add_viewport(ct_worker_render_config *r, const ct_worker_viewport *viewport) {
    for (uint32_t i = 0; i < r->viewports.count; ++i) {
        if (r->viewports.items[i].name.value == viewport->name.value) {
            r->viewports.items[i] = *viewport;
            return;
        }
    }
    ct_array_push(&r->viewports, *viewport);
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
    for (uint32_t i = 0; i < r->generators.count; ++i)
        names[i] = r->generators.items[i].name;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
        ct_array_push(&viewport.generators, ct_worker_render_choice(r, e, "resource generator",
                                                                    names, r->generators.count));
    add_viewport(r, &viewport);
}

// A member of the config that the view gives to shaders, if it is there.
static void read_view_values(ct_worker_render_config *r) {
    const ct_render_config_source *const s = r->source;
    ct_render_view_values *const out = &r->view_values;
    static const double most_fog = (double)CT_RENDER_MOST_FOG,
                        far = (double)CT_RENDER_MOST_DISTANCE;
    const struct {
        ct_sjson_value at;
        const char *name;
        ct_render_value *out;
        double least, most;
    } numbers[] = {{s->fog_density, "fog_density", &out->fog_density, 0, most_fog},
                   {s->fog_falloff, "fog_falloff", &out->fog_falloff, 0, most_fog},
                   {s->fog_height, "fog_height", &out->fog_height, -far, far},
                   {s->fog_start, "fog_start", &out->fog_start, 0, far},
                   {s->sky_intensity, "sky_intensity", &out->sky_intensity, 0,
                    (double)CT_RENDER_MOST_INTENSITY}};
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        if (numbers[i].at.entry)
            *numbers[i].out = ct_worker_render_number(r, numbers[i].at, numbers[i].name,
                                                      numbers[i].least, numbers[i].most);
    }
    if (s->fog_color.entry)
        out->fog_color = ct_worker_render_color(r, s->fog_color, "fog_color");
    if (s->fog_sun_color.entry)
        out->fog_sun_color = ct_worker_render_color(r, s->fog_sun_color, "fog_sun_color");
    if (!s->custom.entry)
        return;
    if (ct_sjson_type_of(r->doc, s->custom) != CT_SJSON_TYPE_ARRAY ||
        ct_sjson_count(r->doc, s->custom) > CT_RENDER_MAX_CUSTOM) {
        ct_worker_render_error(r, s->custom, "custom: expected an array of at most %d values",
                               CT_RENDER_MAX_CUSTOM);
        return;
    }
    uint32_t i = 0;
    for (ct_sjson_value e = ct_sjson_first(r->doc, s->custom); e.entry;
         e = ct_sjson_next(r->doc, e))
        out->custom[i++] = ct_worker_render_any(r, e, "custom");
}

// What the frame gives to all shaders: targets by their names, and what surfaces show.
static void read_frame(ct_worker_render_config *r) {
    const ct_render_config_source *const s = r->source;
    uint32_t setting;
    if (s->sky_map.entry)
        r->sky_map = ct_worker_render_target_at(r, s->sky_map, CT_WORKER_TARGET_USE_COLOR);
    if (s->scene_color.entry)
        r->scene_color = ct_worker_render_target_at(r, s->scene_color, CT_WORKER_TARGET_USE_COLOR);
    if (s->scene_depth.entry)
        r->scene_depth = ct_worker_render_target_at(r, s->scene_depth, CT_WORKER_TARGET_USE_INPUT);
    if (s->jitter.entry)
        r->jitter = ct_worker_render_conditions(r, s->jitter, "jitter");
    if (!s->surface_view.entry)
        return;
    if (ct_worker_render_is_setting(r, s->surface_view, 1u << CT_RENDER_SETTING_TYPE_CHOICE,
                                    &setting))
        r->surface_view = (ct_render_value){.setting = setting + 1};
    else
        ct_worker_render_error(r, s->surface_view,
                               "surface_view: expected { setting = \"…\" }, a choice");
}

static void read_rest(ct_worker_render_config *r) {
    const ct_render_config_source *const s = r->source;
    if (s->line_shader.value)
        r->line_shader = s->line_shader;
    if (s->error_material.value)
        r->error_material = s->error_material;
    if (s->sky_light.entry)
        r->sky_light = ct_worker_render_color(r, s->sky_light, "sky_light");
    if (s->ground_light.entry)
        r->ground_light = ct_worker_render_color(r, s->ground_light, "ground_light");
    if (s->lod_bias.entry)
        r->lod_bias =
            ct_worker_render_number(r, s->lod_bias, "lod_bias", (double)CT_RENDER_LEAST_LOD_BIAS,
                                    (double)CT_RENDER_MOST_LOD_BIAS);
    if (s->preset.entry)
        r->preset = ct_worker_render_preset_at(r, s->preset, "preset");
    if (s->cpu_preset.entry)
        r->cpu_preset = ct_worker_render_preset_at(r, s->cpu_preset, "cpu_preset");
    read_view_values(r);
    read_frame(r);
}

// --- The whole -----------------------------------------------------------------------------------

// Reads one part of every config: the member at `offset` of their sources.
static void read_part(ct_worker_render_config *r, size_t offset,
                      void (*read)(ct_worker_render_config *r, ct_sjson_value v)) {
    for (uint32_t i = 0; i < r->num_docs; ++i) {
        const ct_sjson *const doc = r->doc = r->docs[i];
        r->source = &r->sources[i];
        const ct_sjson_value part =
            *(const ct_sjson_value *)(const void *)((const char *)r->source + offset);
        for (ct_sjson_value v = ct_sjson_first(doc, part); v.entry; v = ct_sjson_next(doc, v))
            read(r, v);
    }
}

// Shaders read one shadow map, so all steps draw to the same.
static void check_shadow_maps(ct_worker_render_config *r) {
    ct_string_id32 map = {0};
    for (uint32_t i = 0; i < r->generators.count; ++i) {
        const ct_worker_step_array *const steps = &r->generators.items[i].steps;
        for (uint32_t k = 0; k < steps->count; ++k) {
            const ct_render_step *const step = &steps->items[k].step;
            if (step->type != CT_RENDER_STEP_TYPE_CASCADED_SHADOWS)
                continue;
            if (map.value && map.value != step->depth_target.value)
                ct_worker_render_error(r, r->source->resource_generators,
                                       "%s: a step draws a second shadow map; expected at most one",
                                       r->generators.items[i].name);
            map = step->depth_target;
        }
    }
}

static void no_reference(void *user, const char *type, const char *name, const ct_sjson *doc,
                         ct_sjson_value at) {
    (void)user, (void)type, (void)name, (void)doc, (void)at;
}

ct_worker_render_config *ct_worker_render_read_settings(ct_compile *c, const ct_sjson *doc) {
    ct_worker_render_config *const r = CT_NEW(c->allocator, ct_worker_render_config);
    ct_schema_listener listener = ct_compile_listener(c);
    listener.reference = no_reference; // what the config refers to is the config's
    r->c = c;
    ct_array_init(&r->settings, c->allocator);
    if (!read_chain(r, doc, &listener))
        return NULL;
    reverse_chain(r);
    read_part(r, offsetof(ct_render_config_source, settings), ct_worker_render_setting);
    return ct_compile_error_count(c) == 0 ? r : NULL;
}

bool ct_compile_render_config(ct_compile *c) {
    ct_worker_render_config *const r = CT_NEW(c->allocator, ct_worker_render_config);
    const ct_schema_listener listener = ct_compile_listener(c);
    r->c = c;
    // Where no config says another: a bright day.
    r->sky_light = (ct_render_value){.numbers = {0.34f, 0.43f, 0.55f, 1}};
    r->ground_light = (ct_render_value){.numbers = {0.17f, 0.15f, 0.13f, 1}};
    r->lod_bias = (ct_render_value){.numbers = {1}};
    r->view_values.sky_intensity = (ct_render_value){.numbers = {1}};
    if (!read_chain(r, c->doc, &listener))
        return false;
    reverse_chain(r);
    ct_array_init(&r->settings, c->allocator);
    ct_array_init(&r->targets, c->allocator);
    ct_array_init(&r->layers, c->allocator);
    ct_array_init(&r->generators, c->allocator);
    ct_array_init(&r->viewports, c->allocator);
    ct_array_init(&r->presets, c->allocator);
    read_part(r, offsetof(ct_render_config_source, settings), ct_worker_render_setting);
    read_part(r, offsetof(ct_render_config_source, presets), ct_worker_render_preset);
    read_part(r, offsetof(ct_render_config_source, global_resources), ct_worker_render_target);
    read_part(r, offsetof(ct_render_config_source, layers), ct_worker_render_layer);
    read_part(r, offsetof(ct_render_config_source, resource_generators), read_generator);
    read_part(r, offsetof(ct_render_config_source, viewports), read_viewport);
    for (uint32_t i = 0; i < r->num_docs; ++i) {
        r->doc = r->docs[i];
        r->source = &r->sources[i];
        read_rest(r);
    }
    check_shadow_maps(r);
    if (ct_compile_error_count(c) == 0)
        ct_worker_render_check_flow(r);
    if (ct_compile_error_count(c) > 0)
        return false;
    ct_worker_render_write(r);
    return true;
}
