// Writes the blob of a render config.
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"

static ct_blob_array write_targets(const ct_worker_render_config *r, ct_blob_writer *w) {
    const uint32_t count = r->targets.count;
    ct_render_target *const targets = CT_NEW_ARRAY(r->c->allocator, ct_render_target, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        targets[i] = r->targets.items[i].target;
    return ct_blob_write_items(w, &ct_render_target_layout, targets, count);
}

static ct_blob_array write_layers(const ct_worker_render_config *r, ct_blob_writer *w) {
    const uint32_t count = r->layers.count;
    ct_render_layer *const layers = CT_NEW_ARRAY(r->c->allocator, ct_render_layer, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        layers[i] = r->layers.items[i].layer;
    return ct_blob_write_items(w, &ct_render_layer_layout, layers, count);
}

static ct_blob_array write_layer_names(const ct_worker_render_config *r, ct_blob_writer *w) {
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, r->layers.count + 1);
    for (uint32_t i = 0; i < r->layers.count; ++i)
        names[i] = r->layers.items[i].name;
    return ct_blob_write_strings(w, names, r->layers.count);
}

// Appends the steps of all generators, then these.
static void write_generators(const ct_worker_render_config *r, ct_blob_writer *w,
                             ct_render_config_resource *blob) {
    const uint32_t count = r->generators.count;
    ct_render_generator *const generators =
        CT_NEW_ARRAY(r->c->allocator, ct_render_generator, count + 1);
    CT_ARRAY(ct_render_step) steps;
    CT_ARRAY(const char *) names;
    ct_array_init(&steps, r->c->allocator);
    ct_array_init(&names, r->c->allocator);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_generator *const from = &r->generators.items[i];
        generators[i] =
            (ct_render_generator){ct_string_id32_of(from->name), steps.count, from->steps.count};
        for (uint32_t k = 0; k < from->steps.count; ++k) {
            const ct_worker_step *const step = &from->steps.items[k];
            ct_array_push(&steps, step->step);
            ct_array_push(&names, step->name ? step->name : "");
        }
    }
    blob->steps = ct_blob_write_items(w, &ct_render_step_layout, steps.items, steps.count);
    blob->step_names = ct_blob_write_strings(w, names.items, names.count);
    blob->generators = ct_blob_write_items(w, &ct_render_generator_layout, generators, count);
}

static ct_blob_array write_viewports(const ct_worker_render_config *r, ct_blob_writer *w) {
    const uint32_t count = r->viewports.count;
    ct_render_viewport *const viewports =
        CT_NEW_ARRAY(r->c->allocator, ct_render_viewport, count + 1);
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_render_viewport_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_viewport *const from = &r->viewports.items[i];
        viewports[i].name = from->name;
        viewports[i].generators = ct_blob_write_items(
            w, &ct_blob_u32_layout, from->generators.items, from->generators.count);
    }
    ct_blob_fill_items(w, &ct_render_viewport_layout, array, viewports);
    return array;
}

static ct_blob_array write_settings(const ct_worker_render_config *r, ct_blob_writer *w) {
    const uint32_t count = r->settings.count;
    ct_render_setting *const settings = CT_NEW_ARRAY(r->c->allocator, ct_render_setting, count + 1);
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_render_setting_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_setting *const from = &r->settings.items[i];
        settings[i] = from->setting;
        settings[i].choices = ct_blob_write_strings(w, from->choices, from->num_choices);
        ct_blob_writer_align(w, 4);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const char *const name = r->settings.items[i].name;
        settings[i].name = ct_blob_write_string(w, name, strlen(name));
    }
    ct_blob_fill_items(w, &ct_render_setting_layout, array, settings);
    return array;
}

static ct_blob_array write_presets(const ct_worker_render_config *r, ct_blob_writer *w) {
    const uint32_t count = r->presets.count;
    ct_render_preset *const presets = CT_NEW_ARRAY(r->c->allocator, ct_render_preset, count + 1);
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_render_preset_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_preset *const from = &r->presets.items[i];
        presets[i].values = ct_blob_write_items(w, &ct_render_preset_value_layout,
                                                from->values.items, from->values.count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const char *const name = r->presets.items[i].name;
        presets[i].name = ct_blob_write_string(w, name, strlen(name));
    }
    ct_blob_fill_items(w, &ct_render_preset_layout, array, presets);
    return array;
}

void ct_worker_render_write(const ct_worker_render_config *r) {
    ct_blob_writer *const w = &r->c->blob;
    ct_render_config_resource blob = {.line_shader = r->line_shader,
                                      .error_material = r->error_material,
                                      .sky_light = r->sky_light,
                                      .ground_light = r->ground_light,
                                      .lod_bias = r->lod_bias,
                                      .surface_view = r->surface_view,
                                      .view_values = r->view_values,
                                      .jitter = r->jitter,
                                      .preset = r->preset,
                                      .cpu_preset = r->cpu_preset,
                                      .sky_map = r->sky_map,
                                      .scene_color = r->scene_color,
                                      .scene_depth = r->scene_depth};
    ct_blob_begin(w, &ct_render_config_layout);
    blob.targets = write_targets(r, w);
    blob.layers = write_layers(r, w);
    write_generators(r, w, &blob);
    blob.viewports = write_viewports(r, w);
    blob.settings = write_settings(r, w);
    blob.layer_names = write_layer_names(r, w);
    blob.presets = write_presets(r, w);
    ct_blob_end(w, &ct_render_config_layout, &blob);
}
