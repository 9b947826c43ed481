// Compiles shaders: see worker_shader.h for how variants are made.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/shader/worker_shader.h"

static void write_parameters(ct_blob_writer *w, const ct_worker_shader *s, uint32_t at) {
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), s->parameters.count);
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        const ct_worker_shader_parameter *const p = &s->parameters.items[i];
        ct_blob_write_u32(w, ct_string_id32_of(p->name).value);
        ct_blob_write_u32(w, p->type);
        ct_blob_write_u32(w, p->offset);
        ct_blob_write_u32(w, p->instanced);
        ct_blob_write_float_array(w, p->default_value, CT_SHADER_MAX_FLOATS);
    }
}

static void write_textures(ct_blob_writer *w, const ct_worker_shader *s, uint32_t at) {
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), s->textures.count);
    for (uint32_t i = 0; i < s->textures.count; ++i) {
        const ct_worker_shader_texture *const t = &s->textures.items[i];
        ct_blob_write_u32(w, ct_string_id32_of(t->name).value);
        ct_blob_write_u32(w, i + 1);
        ct_blob_write_u32(w, t->kind);
        ct_blob_write_u32(w, 0);
        ct_blob_write_u64(w, ct_string_id64_of(t->default_texture).value);
    }
}

static void write_variants(ct_compile *c, const ct_worker_shader *s, uint32_t at) {
    ct_blob_writer *const w = &c->blob;
    const uint32_t count = 1u << s->num_options;
    uint32_t fields[1 << CT_SHADER_MAX_OPTIONS][CT_WORKER_SHADER_MODULES];
    ct_blob_patch_array(w, at, ct_blob_writer_offset(w), count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_shader_state *const state = &s->variants[i].state;
        ct_blob_write_u32(w, i);
        ct_blob_write_u32(w, state->layer.value);
        ct_blob_write_u32(w, state->cull);
        ct_blob_write_u32(w, state->blend);
        ct_blob_write_u32(w, state->depth_test);
        ct_blob_write_u32(w, state->depth_write);
        ct_blob_write_u32(w, state->casts_shadows);
        for (uint32_t k = 0; k < CT_WORKER_SHADER_MODULES; ++k)
            fields[i][k] = ct_blob_write_array_field(w);
    }
    uint32_t *const offsets = CT_NEW_ARRAY(c->allocator, uint32_t, s->modules.count);
    for (uint32_t i = 0; i < s->modules.count; ++i)
        offsets[i] =
            ct_blob_write_u32_array(w, s->modules.items[i].words, s->modules.items[i].num_words);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_shader_variant *const v = &s->variants[i];
        for (uint32_t k = 0; k < CT_WORKER_SHADER_MODULES; ++k) {
            const uint32_t module = v->modules[k];
            if (module)
                ct_blob_patch_array(w, fields[i][k], offsets[module - 1],
                                    s->modules.items[module - 1].num_words);
        }
    }
}

// The layers that the source names: of all, and of options.
static void write_layer_names(ct_compile *c, const ct_worker_shader *s, uint32_t at) {
    const char *names[1 + CT_SHADER_MAX_OPTIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= s->num_options; ++i) {
        const ct_sjson_value from = i ? s->states[i - 1] : ct_sjson_root(c->doc);
        const ct_sjson_value name =
            from.entry ? ct_sjson_find(c->doc, from, "layer") : (ct_sjson_value){0};
        if (name.entry)
            names[count++] = ct_sjson_string(c->doc, name, "");
    }
    ct_blob_patch_strings(&c->blob, at, names, count);
}

static void write_shader(ct_compile *c, const ct_worker_shader *s) {
    ct_blob_writer *const w = &c->blob;
    ct_blob_write_u32(w, s->source.topology);
    ct_blob_write_u32(w, s->source.vertices);
    ct_blob_write_u32(w, s->source.compute != NULL);
    for (uint32_t i = 0; i < 3; ++i)
        ct_blob_write_u32(w, s->group_size[i]);
    ct_blob_write_u32(w, s->block_bytes);
    ct_blob_write_u32(w, 0);
    const uint32_t options_at = ct_blob_write_array_field(w);
    const uint32_t parameters_at = ct_blob_write_array_field(w);
    const uint32_t textures_at = ct_blob_write_array_field(w);
    const uint32_t outputs_at = ct_blob_write_array_field(w);
    const uint32_t variants_at = ct_blob_write_array_field(w);
    const uint32_t layer_names_at = ct_blob_write_array_field(w);
    ct_blob_patch_array(w, options_at, ct_blob_writer_offset(w), s->num_options);
    for (uint32_t i = 0; i < s->num_options; ++i)
        ct_blob_write_u32(w, ct_string_id32_of(s->options[i]).value);
    write_parameters(w, s, parameters_at);
    write_textures(w, s, textures_at);
    ct_blob_patch_array(w, outputs_at, ct_blob_writer_offset(w), s->num_outputs);
    for (uint32_t i = 0; i < s->num_outputs; ++i) {
        ct_blob_write_u32(w, ct_string_id32_of(s->outputs[i].name).value);
        ct_blob_write_u32(w, s->outputs[i].format);
    }
    write_variants(c, s, variants_at);
    write_layer_names(c, s, layer_names_at);
}

bool ct_compile_shader(ct_compile *c) {
    ct_worker_shader *const s = CT_NEW(c->allocator, ct_worker_shader);
    if (!ct_worker_shader_read(c, s) || !ct_worker_shader_build_block(c, s) ||
        !ct_worker_shader_build_variants(c, s))
        return false;
    write_shader(c, s);
    return true;
}
