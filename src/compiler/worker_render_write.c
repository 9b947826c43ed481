// Writes the blob of a render config, field by field as render_config_resource.h has them.
#include "compiler/worker_render_config.h"

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

void ct_worker_render_write(const ct_worker_render_config *r) {
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
