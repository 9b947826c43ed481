// Whether a render config can be used: what the blob's validation leaves to find, and what the
// device can do.
#include "foundation/error.h"
#include "render/render_graph.h"

static bool check_targets_once(const ct_string_id32 *colors, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (colors[i].value == colors[k].value)
                return ct_error_set(error, "color targets %u and %u are the same", k, i);
    return true;
}

static bool check_step(const ct_render_step *step, ct_error *error) {
    if (step->type != CT_RENDER_STEP_TYPE_FULLSCREEN_PASS)
        return true;
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        for (uint32_t k = 0; k < step->num_color_targets; ++k)
            if (step->inputs[i].target.value == step->color_targets[k].value)
                return ct_error_set(error, "a fullscreen pass reads (input %u) what it draws to",
                                    i);
    return check_targets_once(step->color_targets, step->num_color_targets, error);
}

static bool check_config(const ct_render_config_resource *blob, ct_error *error) {
    if (blob->layers.count > CT_RENDER_GRAPH_MAX_LAYERS)
        return ct_error_set(error, "found %u layers, expected at most %u", blob->layers.count,
                            CT_RENDER_GRAPH_MAX_LAYERS);
    const ct_render_layer *layers = ct_blob_at(blob, blob->layers.offset);
    for (uint32_t i = 0; i < blob->layers.count; ++i)
        if (!check_targets_once(layers[i].color_targets, layers[i].num_color_targets, error))
            return false;
    const ct_render_step *steps = ct_blob_at(blob, blob->steps.offset);
    for (uint32_t i = 0; i < blob->steps.count; ++i)
        if (!check_step(&steps[i], error))
            return false;
    return true;
}

// Checks that the device can make the targets, and that all of them together stay within reason.
static bool check_sizes(const ct_render_graph *g, const ct_render_config_resource *blob,
                        const float *values, ct_error *error) {
    static const uint64_t most_bytes = 4ull << 30;
    const uint32_t most = g->context->device->limits.maxImageDimension2D;
    const ct_render_target *targets = ct_blob_at(blob, blob->targets.offset);
    uint64_t total_bytes = 0;
    for (uint32_t i = 0; i < blob->targets.count; ++i) {
        const ct_render_target t = ct_render_target_with(blob, &targets[i], values);
        uint32_t width, height;
        ct_render_target_size(&t, g->width, g->height, &width, &height);
        if (width > most || height > most)
            return ct_error_set(error, "target %u would have %u x %u pixels; the device can %u", i,
                                width, height, most);
        total_bytes += (uint64_t)width * height * 8; // the largest format
    }
    return total_bytes <= most_bytes ||
           ct_error_set(error, "its targets would take %llu MiB; expected at most %llu",
                        (unsigned long long)(total_bytes >> 20),
                        (unsigned long long)(most_bytes >> 20));
}

bool ct_render_graph_check(const ct_render_graph *g, const ct_render_config_resource *blob,
                           const float *values, ct_error *error) {
    return check_config(blob, error) && check_sizes(g, blob, values, error);
}
