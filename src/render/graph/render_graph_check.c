// Checks whether a render config can be used: problems that the blob's validation does not find,
// and limits of the device.
#include "foundation/error.h"
#include "render/graph/render_graph.h"

static bool check_targets_once(const ct_string_id32 *colors, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (colors[i].value == colors[k].value)
                return ct_error_set(error, "color targets %u and %u are the same target", k, i);
    return true;
}

// Returns the number of mips that a target always has.
static uint32_t sure_mips(const ct_render_config_resource *blob, ct_string_id32 name) {
    const ct_render_target *const targets = ct_blob_at(blob, blob->targets.offset);
    for (uint32_t i = 0; i < blob->targets.count; ++i)
        if (targets[i].name.value == name.value)
            return targets[i].num_mips ? targets[i].num_mips : CT_RENDER_MAX_MIPS;
    return 1;
}

static bool check_pass(const ct_render_config_resource *blob, const ct_render_step *step,
                       ct_error *error) {
    for (uint32_t k = 0; k < step->num_color_targets; ++k)
        if (step->color_mips[k] != step->color_mips[0] ||
            step->color_mips[k] >= sure_mips(blob, step->color_targets[k]))
            return ct_error_set(error, "a fullscreen pass draws to mip %u, which does not exist",
                                step->color_mips[k]);
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        for (uint32_t k = 0; k < step->num_color_targets; ++k)
            if (step->inputs[i].target.value == step->color_targets[k].value &&
                !step->inputs[i].is_previous &&
                (step->inputs[i].mip == step->color_mips[k] ||
                 step->inputs[i].mip == CT_RENDER_ALL_MIPS))
                return ct_error_set(
                    error, "a fullscreen pass reads a target that it draws to (input %u)", i);
    return check_targets_once(step->color_targets, step->num_color_targets, error);
}

static bool check_compute(const ct_render_config_resource *blob, const ct_render_step *step,
                          ct_error *error) {
    for (uint32_t i = 0; i < step->num_outputs; ++i) {
        const ct_render_output *const output = &step->outputs[i];
        if (output->mip >= sure_mips(blob, output->target))
            return ct_error_set(error, "a compute step writes mip %u, which does not exist",
                                output->mip);
        for (uint32_t k = 0; k < step->num_inputs; ++k)
            if (step->inputs[k].target.value == output->target.value &&
                !step->inputs[k].is_previous &&
                (step->inputs[k].mip == output->mip || step->inputs[k].mip == CT_RENDER_ALL_MIPS))
                return ct_error_set(error,
                                    "a compute step reads an image that it writes (input %u)", k);
        for (uint32_t k = 0; k < i; ++k)
            if (step->outputs[k].target.value == output->target.value &&
                step->outputs[k].mip == output->mip)
                return ct_error_set(error, "outputs %u and %u of a compute step are the same", k,
                                    i);
    }
    return true;
}

static bool check_step(const ct_render_config_resource *blob, const ct_render_step *step,
                       ct_error *error) {
    if (step->type == CT_RENDER_STEP_TYPE_DRAW_LAYER)
        return check_targets_once(step->color_targets, step->num_color_targets, error);
    if (step->type == CT_RENDER_STEP_TYPE_FULLSCREEN_PASS)
        return check_pass(blob, step, error);
    return step->type != CT_RENDER_STEP_TYPE_COMPUTE || check_compute(blob, step, error);
}

static bool check_config(const ct_render_config_resource *blob, ct_error *error) {
    if (blob->layers.count > CT_RENDER_GRAPH_MAX_LAYERS)
        return ct_error_set(error, "found %u layers, expected at most %u", blob->layers.count,
                            CT_RENDER_GRAPH_MAX_LAYERS);
    const ct_render_layer *const layers = ct_blob_at(blob, blob->layers.offset);
    for (uint32_t i = 0; i < blob->layers.count; ++i)
        if (!check_targets_once(layers[i].color_targets, layers[i].num_color_targets, error))
            return false;
    const ct_render_step *const steps = ct_blob_at(blob, blob->steps.offset);
    for (uint32_t i = 0; i < blob->steps.count; ++i)
        if (!check_step(blob, &steps[i], error))
            return false;
    return true;
}

// Checks that the device can make the targets, and that all of them together stay within reason.
static bool check_sizes(const ct_render_graph *g, const ct_render_config_resource *blob,
                        const float *values, ct_error *error) {
    static const uint64_t most_bytes = 4ull << 30;
    const uint32_t most = g->context->device->limits.maxImageDimension2D;
    const ct_render_target *const targets = ct_blob_at(blob, blob->targets.offset);
    uint64_t total_bytes = 0;
    for (uint32_t i = 0; i < blob->targets.count; ++i) {
        const ct_render_target t = ct_render_target_with(blob, &targets[i], values);
        uint32_t width, height;
        ct_render_target_size(&t, g->width, g->height, &width, &height);
        if (width > most || height > most)
            return ct_error_set(
                error, "target %u would have %u x %u pixels; the device supports at most %u", i,
                width, height, most);
        total_bytes += (uint64_t)width * height * 8; // the largest format
        total_bytes += t.num_mips == 1 ? 0 : (uint64_t)width * height * 4;
        total_bytes += t.has_history ? (uint64_t)width * height * 8 : 0;
    }
    return total_bytes <= most_bytes ||
           ct_error_set(error, "its targets would take %llu MiB; expected at most %llu MiB",
                        (unsigned long long)(total_bytes >> 20),
                        (unsigned long long)(most_bytes >> 20));
}

// Checks that compute shaders can write the formats of all outputs.
static bool check_outputs(const ct_render_graph *g, const ct_render_config_resource *blob,
                          const float *values, ct_error *error) {
    const ct_render_device *const d = g->context->device;
    const ct_render_target *const targets = ct_blob_at(blob, blob->targets.offset);
    const ct_render_step *const steps = ct_blob_at(blob, blob->steps.offset);
    for (uint32_t i = 0; i < blob->steps.count; ++i)
        for (uint32_t k = 0; k < steps[i].num_outputs; ++k)
            for (uint32_t n = 0; n < blob->targets.count; ++n) {
                if (targets[n].name.value != steps[i].outputs[k].target.value)
                    continue;
                const uint32_t format = ct_render_target_with(blob, &targets[n], values).format;
                const bool is_common = format == CT_RENDER_FORMAT_RGBA8 ||
                                       format == CT_RENDER_FORMAT_RGBA16F ||
                                       format == CT_RENDER_FORMAT_R32F;
                const VkFormatFeatureFlags features =
                    ct_render_format_features(d, ct_render_target_format(format));
                if (!(features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) ||
                    (!is_common && !d->has_storage_formats))
                    return ct_error_set(error,
                                        "compute shaders cannot write the format %s (of %s) on "
                                        "this device; expected RGBA8, RGBA16F or R32F",
                                        ct_render_format_name(format),
                                        ct_string_id32_name(targets[n].name));
            }
    return true;
}

bool ct_render_graph_check(const ct_render_graph *g, const ct_render_config_resource *blob,
                           const float *values, ct_error *error) {
    return check_config(blob, error) && check_sizes(g, blob, values, error) &&
           check_outputs(g, blob, values, error);
}
