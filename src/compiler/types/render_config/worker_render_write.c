// Writes the blob of a render config, field by field as render_config_resource.h has them.
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"

static void write_value(ct_blob_writer *w, const ct_render_value *value) {
    ct_blob_write_u32(w, value->setting);
    ct_blob_write_float_array(w, value->numbers, 4);
}

static void write_step(ct_blob_writer *w, const ct_render_step *s) {
    ct_blob_write_u32(w, s->type);
    ct_blob_write_u32(w, s->layer.value);
    ct_blob_write_u32(w, s->num_color_targets);
    for (uint32_t i = 0; i < CT_RENDER_MAX_COLOR_TARGETS; ++i)
        ct_blob_write_u32(w, s->color_targets[i].value);
    ct_blob_write_u32(w, s->depth_target.value);
    ct_blob_write_float_array(w, s->clear_color, 4);
    ct_blob_write_float(w, s->clear_depth);
    ct_blob_write_u32(w, s->num_inputs);
    for (uint32_t i = 0; i < CT_RENDER_MAX_INPUTS; ++i) {
        ct_blob_write_u32(w, s->inputs[i].target.value);
        ct_blob_write_u32(w, s->inputs[i].filter);
        ct_blob_write_u32(w, s->inputs[i].mip);
    }
    ct_blob_write_u32(w, s->enabled_setting);
    ct_blob_write_u32(w, s->is_enabled_by);
    ct_blob_write_u32(w, s->num_outputs);
    for (uint32_t i = 0; i < CT_RENDER_MAX_OUTPUTS; ++i) {
        ct_blob_write_u32(w, s->outputs[i].target.value);
        ct_blob_write_u32(w, s->outputs[i].mip);
    }
    for (uint32_t i = 0; i < 3; ++i)
        ct_blob_write_u32(w, s->groups[i]);
    ct_blob_write_u32(w, s->cover.value);
    ct_blob_write_u32(w, s->num_parameters);
    for (uint32_t i = 0; i < CT_RENDER_MAX_PARAMETERS; ++i) {
        ct_blob_write_u32(w, s->parameters[i].name.value);
        ct_blob_write_u32(w, s->parameters[i].setting);
    }
    write_value(w, &s->num_cascades);
    write_value(w, &s->shadow_distance);
    write_value(w, &s->split_lambda);
    write_value(w, &s->on_cpu);
    ct_blob_write_u64(w, s->shader.value);
    ct_blob_write_u64(w, s->material.value);
}

static void write_targets(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), r->targets.count);
    for (uint32_t i = 0; i < r->targets.count; ++i) {
        const ct_render_target *const t = &r->targets.items[i].target;
        ct_blob_write_u32(w, t->name.value);
        ct_blob_write_u32(w, t->format);
        ct_blob_write_float(w, t->width_scale);
        ct_blob_write_float(w, t->height_scale);
        ct_blob_write_u32(w, t->width);
        ct_blob_write_u32(w, t->height);
        ct_blob_write_u32(w, t->num_mips);
        ct_blob_write_u32(w, t->format_setting);
        ct_blob_write_u32(w, t->size_setting);
    }
}

static void write_layer_names(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, r->layers.count + 1);
    for (uint32_t i = 0; i < r->layers.count; ++i)
        names[i] = r->layers.items[i].name;
    ct_blob_patch_strings(w, at, names, r->layers.count);
}

static void write_layers(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), r->layers.count);
    for (uint32_t i = 0; i < r->layers.count; ++i) {
        const ct_render_layer *const l = &r->layers.items[i].layer;
        ct_blob_write_u32(w, l->name.value);
        ct_blob_write_u32(w, l->sort);
        ct_blob_write_u32(w, l->num_color_targets);
        for (uint32_t k = 0; k < CT_RENDER_MAX_COLOR_TARGETS; ++k)
            ct_blob_write_u32(w, l->color_targets[k].value);
        ct_blob_write_u32(w, l->depth_target.value);
    }
}

static void write_viewports(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    const uint32_t offset = ct_blob_writer_offset(w);
    uint32_t *const fields = CT_NEW_ARRAY(r->c->allocator, uint32_t, r->viewports.count + 1);
    ct_blob_patch_array(w, at, offset, r->viewports.count);
    for (uint32_t i = 0; i < r->viewports.count; ++i) {
        ct_blob_write_u32(w, r->viewports.items[i].name.value);
        ct_blob_write_u32(w, 0);
        fields[i] = ct_blob_write_array_field(w);
    }
    for (uint32_t i = 0; i < r->viewports.count; ++i) {
        const ct_u32_array *generators = &r->viewports.items[i].generators;
        ct_blob_patch_array(w, fields[i],
                            ct_blob_write_u32_array(w, generators->items, generators->count),
                            generators->count);
    }
}

static void write_choices(ct_blob_writer *w, const ct_worker_setting *s, uint32_t at) {
    const uint32_t first = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, at, first, s->num_choices);
    for (uint32_t i = 0; i < s->num_choices; ++i)
        ct_blob_write_array_field(w);
    for (uint32_t i = 0; i < s->num_choices; ++i)
        ct_blob_patch_string(w, first + i * (uint32_t)sizeof(ct_blob_string), s->choices[i],
                             (uint32_t)strlen(s->choices[i]));
    ct_blob_writer_align(w, 4);
}

static void write_settings(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t at) {
    const uint32_t first = ct_blob_writer_offset(w), bytes = sizeof(ct_render_setting);
    ct_blob_patch_array(w, at, first, r->settings.count);
    for (uint32_t i = 0; i < r->settings.count; ++i) {
        const ct_render_setting *const s = &r->settings.items[i].setting;
        ct_blob_write_array_field(w); // name
        ct_blob_write_u32(w, s->type);
        ct_blob_write_float(w, s->least);
        ct_blob_write_float(w, s->most);
        ct_blob_write_float_array(w, s->default_value, 4);
        ct_blob_write_array_field(w); // choices
    }
    for (uint32_t i = 0; i < r->settings.count; ++i) {
        const ct_worker_setting *const s = &r->settings.items[i];
        write_choices(w, s, first + i * bytes + (uint32_t)offsetof(ct_render_setting, choices));
    }
    for (uint32_t i = 0; i < r->settings.count; ++i)
        ct_blob_patch_string(w, first + i * bytes, r->settings.items[i].name,
                             (uint32_t)strlen(r->settings.items[i].name));
}

static void write_generators(const ct_worker_render_config *r, ct_blob_writer *w, uint32_t steps_at,
                             uint32_t generators_at) {
    uint32_t num_steps = 0;
    ct_blob_writer_align(w, 8);
    const uint32_t first = ct_blob_writer_offset(w);
    for (uint32_t i = 0; i < r->generators.count; ++i) {
        const ct_worker_step_array *steps = &r->generators.items[i].steps;
        for (uint32_t k = 0; k < steps->count; ++k)
            write_step(w, &steps->items[k].step);
        num_steps += steps->count;
    }
    ct_blob_patch_array(w, steps_at, first, num_steps);
    ct_blob_patch_array(w, generators_at, ct_blob_writer_offset(w), r->generators.count);
    num_steps = 0;
    for (uint32_t i = 0; i < r->generators.count; ++i) {
        ct_blob_write_u32(w, ct_string_id32_of(r->generators.items[i].name).value);
        ct_blob_write_u32(w, num_steps);
        ct_blob_write_u32(w, r->generators.items[i].steps.count);
        num_steps += r->generators.items[i].steps.count;
    }
}

void ct_worker_render_write(const ct_worker_render_config *r) {
    ct_blob_writer *const w = &r->c->blob;
    uint32_t fields[7];
    for (uint32_t i = 0; i < CT_COUNT_OF(fields); ++i)
        fields[i] = ct_blob_write_array_field(w);
    ct_blob_write_u64(w, r->line_shader.value);
    ct_blob_write_u64(w, r->error_material.value);
    write_value(w, &r->sky_light);
    write_value(w, &r->ground_light);
    write_value(w, &r->lod_bias);
    ct_blob_write_u32(w, 0);
    write_targets(r, w, fields[0]);
    write_layers(r, w, fields[1]);
    write_generators(r, w, fields[2], fields[3]);
    write_viewports(r, w, fields[4]);
    write_settings(r, w, fields[5]);
    write_layer_names(r, w, fields[6]);
}
