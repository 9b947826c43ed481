// Which targets the steps need: the others take no memory.
#include "render/graph/render_graph.h"

bool ct_render_graph_may_run(const ct_render_graph *g, const ct_render_graph_step *step,
                             const float *values) {
    const ct_render_setting *const settings = ct_blob_at(g->config, g->config->settings.offset);
    for (uint32_t i = 0; i < step->enabled.count; ++i) {
        const ct_render_conditions one = {1, {step->enabled.items[i]}};
        if (!settings[one.items[0].setting].is_environment &&
            !ct_render_conditions_hold(&one, values))
            return false;
    }
    return true;
}

static uint64_t bit_of(uint32_t target) {
    return target == CT_RENDER_GRAPH_NO_TARGET ? 0 : 1ull << target;
}

static uint64_t drawn_by(const ct_render_attachments *x) {
    uint64_t bits = bit_of(x->depth);
    for (uint32_t i = 0; i < x->num_colors; ++i)
        bits |= bit_of(x->colors[i]);
    return bits;
}

static uint64_t written_by(const ct_render_graph *g, const ct_render_graph_step *step) {
    uint64_t bits = drawn_by(&step->attachments);
    // A clear alone is no reason to keep velocity.
    if (step->type == CT_RENDER_STEP_TYPE_CLEAR)
        bits &= ~g->velocity_targets;
    if (step->type == CT_RENDER_STEP_TYPE_DRAW_LAYER && !step->has_targets)
        bits |= drawn_by(&g->layers[step->layer].attachments);
    for (uint32_t i = 0; i < step->num_outputs; ++i)
        bits |= bit_of(step->outputs[i]);
    if (step->type == CT_RENDER_STEP_TYPE_COMPUTE && !step->groups[0])
        bits |= bit_of(step->cover);
    return bits;
}

uint64_t ct_render_graph_used_targets(const ct_render_graph *g, const float *values) {
    uint64_t written = 1, read = 0;
    for (uint32_t i = 0; i < g->steps.count; ++i) {
        const ct_render_graph_step *const step = &g->steps.items[i];
        if (!ct_render_graph_may_run(g, step, values))
            continue;
        written |= written_by(g, step);
        for (uint32_t k = 0; k < step->num_inputs; ++k)
            read |= bit_of(step->inputs[k]);
    }
    // Layers draw velocity only for steps that read it.
    return written | (g->velocity_targets & read);
}
