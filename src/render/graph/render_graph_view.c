// What depends on the view: the steps that run, what they read, and so where layers draw to.
#include "render/graph/render_graph.h"

_Static_assert(CT_RENDER_GRAPH_MAX_TARGETS < 64, "targets are bits of a word");

// Bits of the targets that the step reads.
static uint64_t reads_of(const ct_render_graph_step *step) {
    uint64_t reads = 0;
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        reads |= 1ull << (step->inputs[i] & 63);
    return reads;
}

void ct_render_graph_use_viewport(ct_render_graph *g, ct_string_id32 viewport) {
    static const uint64_t prime = 1099511628211ull; // FNV-1a
    uint32_t first_step, num_steps;
    g->view_reads = 0;
    g->view_steps = 14695981039346656037ull;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = first_step; k < first_step + num_steps; ++k) {
            if (!ct_render_graph_is_enabled(g, &g->steps.items[k]))
                continue;
            g->view_reads |= reads_of(&g->steps.items[k]);
            if (g->steps.items[k].has_history)
                g->view_steps = (g->view_steps ^ k) * prime;
        }
}

bool ct_render_graph_is_read(const ct_render_graph *g, uint32_t target) {
    return g->view_reads >> (target & 63) & 1;
}

uint32_t ct_render_graph_options(const ct_render_graph *g, const ct_render_graph_step *step,
                                 const ct_shader_resource *shader, uint32_t *others) {
    const ct_render_setting *const settings = ct_blob_at(g->config, g->config->settings.offset);
    const ct_string_id32 *const options = ct_blob_at(shader, shader->options.offset);
    uint32_t on = 0, may_change = 0;
    for (uint32_t i = 0; i < shader->options.count; ++i)
        for (uint32_t k = 0; k < step->num_parameters; ++k) {
            const uint32_t setting = step->parameters[k].setting;
            if (options[i].value != step->parameters[k].name.value)
                continue;
            on |= (uint32_t)(g->view_values[setting][0] != 0.0f) << i;
            may_change |= (uint32_t)(settings[setting].is_environment != 0) << i;
        }
    if (others)
        *others = may_change;
    return on;
}

const ct_render_attachments *ct_render_graph_layer_attachments(const ct_render_graph *g,
                                                               uint32_t layer) {
    const ct_render_graph_layer *const x = &g->layers[layer];
    const bool has_velocity =
        x->velocity != CT_RENDER_GRAPH_NO_TARGET && ct_render_graph_is_read(g, x->velocity);
    return has_velocity ? &x->velocity_attachments : &x->attachments;
}

const ct_render_attachments *ct_render_graph_step_attachments(const ct_render_graph *g,
                                                              const ct_render_graph_step *step) {
    return step->has_targets ? &step->attachments
                             : ct_render_graph_layer_attachments(g, step->layer);
}

bool ct_render_graph_has_velocity(const ct_render_graph *g) {
    return (g->velocity_targets & g->view_reads) != 0;
}

uint32_t ct_render_graph_signature(const ct_render_graph *g, const ct_render_attachments *x,
                                   bool has_shadows, bool is_wireframe) {
    const uint32_t plain = has_shadows ? x->shadowed_signature : x->signature;
    const uint32_t surface_view =
        g->config ? (uint32_t)ct_render_graph_value(g, &g->config->surface_view)[0] : 0;
    if (!surface_view && !is_wireframe && !g->has_sky_map)
        return plain;
    ct_render_signature signature = g->shaders->signatures.items[plain];
    signature.surface_view = surface_view;
    signature.is_wireframe = is_wireframe;
    signature.has_sky_map = g->has_sky_map;
    return ct_render_shaders_signature(g->shaders, &signature);
}
