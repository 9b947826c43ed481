// Compiles shaders: see worker_shader.h for how variants are made.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/shader/worker_shader.h"

#include <string.h>

static ct_blob_array write_options(ct_blob_writer *w, const ct_worker_shader *s) {
    ct_string_id32 ids[CT_SHADER_MAX_OPTIONS];
    for (uint32_t i = 0; i < s->num_options; ++i)
        ids[i] = ct_string_id32_of(s->options[i]);
    return ct_blob_write_items(w, &ct_blob_u32_layout, ids, s->num_options);
}

static ct_blob_array write_parameters(ct_compile *c, const ct_worker_shader *s) {
    const uint32_t count = s->parameters.count;
    ct_shader_parameter *const parameters =
        CT_NEW_ARRAY(c->allocator, ct_shader_parameter, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_shader_parameter *const p = &s->parameters.items[i];
        parameters[i] = (ct_shader_parameter){.name = ct_string_id32_of(p->name),
                                              .type = p->type,
                                              .offset = p->offset,
                                              .instanced = p->instanced};
        memcpy(parameters[i].default_value, p->default_value, sizeof(p->default_value));
    }
    return ct_blob_write_items(&c->blob, &ct_shader_parameter_layout, parameters, count);
}

static ct_blob_array write_textures(ct_compile *c, const ct_worker_shader *s) {
    const uint32_t count = s->textures.count;
    ct_shader_texture *const textures = CT_NEW_ARRAY(c->allocator, ct_shader_texture, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_shader_texture *const t = &s->textures.items[i];
        textures[i] = (ct_shader_texture){.name = ct_string_id32_of(t->name),
                                          .binding = i + 1,
                                          .kind = t->kind,
                                          .default_texture = ct_string_id64_of(t->default_texture)};
    }
    return ct_blob_write_items(&c->blob, &ct_shader_texture_layout, textures, count);
}

static ct_blob_array write_outputs(ct_blob_writer *w, const ct_worker_shader *s) {
    ct_shader_output outputs[CT_SHADER_MAX_OUTPUTS];
    for (uint32_t i = 0; i < s->num_outputs; ++i)
        outputs[i] =
            (ct_shader_output){ct_string_id32_of(s->outputs[i].name), s->outputs[i].format};
    return ct_blob_write_items(w, &ct_shader_output_layout, outputs, s->num_outputs);
}

// Variants that have the same module share it.
static ct_blob_array write_variants(ct_compile *c, const ct_worker_shader *s) {
    ct_blob_writer *const w = &c->blob;
    const uint32_t count = 1u << s->num_options;
    ct_shader_variant variants[1 << CT_SHADER_MAX_OPTIONS];
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_shader_variant_layout, count);
    // What modules[k] leads to; 0: no module.
    ct_blob_array *const modules = CT_NEW_ARRAY(c->allocator, ct_blob_array, s->modules.count + 1);
    for (uint32_t i = 0; i < s->modules.count; ++i)
        modules[i + 1] = ct_blob_write_items(w, &ct_blob_u32_layout, s->modules.items[i].words,
                                             s->modules.items[i].num_words);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t *const of = s->variants[i].modules;
        variants[i] =
            (ct_shader_variant){.options = i,
                                .state = s->variants[i].state,
                                .vertex = modules[of[CT_WORKER_SHADER_VERTEX]],
                                .fragment = modules[of[CT_WORKER_SHADER_FRAGMENT]],
                                .shadow_fragment = modules[of[CT_WORKER_SHADER_SHADOW_FRAGMENT]],
                                .compute = modules[of[CT_WORKER_SHADER_COMPUTE]]};
    }
    ct_blob_fill_items(w, &ct_shader_variant_layout, array, variants);
    return array;
}

// The layers that the source names: of all, and of options.
static ct_blob_array write_layer_names(ct_compile *c, const ct_worker_shader *s) {
    const char *names[1 + CT_SHADER_MAX_OPTIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= s->num_options; ++i) {
        const ct_sjson_value from = i ? s->states[i - 1] : ct_sjson_root(c->doc);
        const ct_sjson_value name =
            from.entry ? ct_sjson_find(c->doc, from, "layer") : (ct_sjson_value){0};
        if (name.entry)
            names[count++] = ct_sjson_string(c->doc, name, "");
    }
    return ct_blob_write_strings(&c->blob, names, count);
}

static void write_shader(ct_compile *c, const ct_worker_shader *s) {
    ct_blob_writer *const w = &c->blob;
    ct_shader_resource r = {.topology = s->source.topology,
                            .vertices = s->source.vertices,
                            .is_compute = s->source.compute != NULL,
                            .writes_velocity = s->writes_velocity,
                            .block_bytes = s->block_bytes};
    memcpy(r.group_size, s->group_size, sizeof(r.group_size));
    ct_blob_begin(w, &ct_shader_layout);
    r.options = write_options(w, s);
    r.parameters = write_parameters(c, s);
    r.textures = write_textures(c, s);
    r.outputs = write_outputs(w, s);
    r.variants = write_variants(c, s);
    r.layer_names = write_layer_names(c, s);
    ct_blob_end(w, &ct_shader_layout, &r);
}

bool ct_compile_shader(ct_compile *c) {
    ct_worker_shader *const s = CT_NEW(c->allocator, ct_worker_shader);
    if (!ct_worker_shader_read(c, s) || !ct_worker_shader_build_block(c, s) ||
        !ct_worker_shader_build_variants(c, s))
        return false;
    write_shader(c, s);
    return true;
}
