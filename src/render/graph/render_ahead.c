#include "render/graph/render_ahead.h"

#include <string.h>

#include "foundation/profiler/profiler.h"

// --- Forms of vertices ---------------------------------------------------------------------------

static void add_form(ct_render_ahead *x, uint32_t form) {
    x->forms[form / 64] |= 1ull << form % 64;
}

// A skinned mesh is drawn with influences when a skeleton poses it, and without.
static void find_forms(ct_render_ahead *x, const ct_render_meshes *meshes) {
    memset(x->forms, 0, sizeof(x->forms));
    for (uint32_t i = 1; i < meshes->items.count; ++i) {
        const ct_render_mesh *const mesh = &meshes->items.items[i];
        if (!mesh->num_parts)
            continue;
        add_form(x, CT_RENDER_VERTICES(mesh->format, 0));
        if (mesh->num_influences)
            add_form(x, CT_RENDER_VERTICES(mesh->format, mesh->num_influences));
    }
}

// --- Materials -----------------------------------------------------------------------------------

// What a step draws with.
typedef struct ahead_use {
    uint32_t layer;          // of materials for meshes; UINT32_MAX: all that cast shadows
    uint32_t signatures[4];  // of meshes and particles
    uint32_t num_signatures; //
    uint32_t gui_signature;  // UINT32_MAX: no GUIs
    bool has_particles;      //
} ahead_use;

static void ask_for_forms(const ct_render_ahead *x, ct_render_graph *g, uint32_t shader,
                          uint32_t options, const ahead_use *use) {
    for (uint32_t form = 0; form < 64 * CT_COUNT_OF(x->forms); ++form)
        for (uint32_t i = 0; i < use->num_signatures && x->forms[form / 64] >> form % 64 & 1; ++i)
            ct_render_shaders_ask(g->shaders, shader, options, use->signatures[i], form);
}

static bool is_drawn(const ct_render_graph *g, const ct_shader_state *state, uint32_t layer) {
    if (layer == UINT32_MAX)
        return state->casts_shadows && ct_render_graph_layer_named(g, state->layer) < g->num_layers;
    return g->layers[layer].name.value == state->layer.value;
}

static void ask_for_material(const ct_render_ahead *x, ct_render_graph *g, uint32_t material,
                             const ahead_use *use) {
    uint32_t shader, options;
    const ct_shader_resource *const blob =
        ct_render_materials_variant(g->materials, material, &shader, &options);
    if (!blob || blob->is_compute)
        return;
    if (blob->vertices == CT_SHADER_VERTICES_BATCH && use->gui_signature != UINT32_MAX)
        ct_render_shaders_ask(g->shaders, shader, options, use->gui_signature, 0);
    if (blob->vertices == CT_SHADER_VERTICES_MESH &&
        is_drawn(g, ct_shader_state_of(blob, options), use->layer))
        ask_for_forms(x, g, shader, options, use);
    if (blob->vertices == CT_SHADER_VERTICES_PARTICLE && use->has_particles &&
        is_drawn(g, ct_shader_state_of(blob, options), use->layer))
        for (uint32_t i = 0; i < use->num_signatures; ++i)
            ct_render_shaders_ask(g->shaders, shader, options, use->signatures[i], 0);
}

static void ask_for_materials(const ct_render_ahead *x, ct_render_graph *g, const ahead_use *use) {
    for (uint32_t i = 1; i < g->materials->items.count; ++i)
        ask_for_material(x, g, i, use);
}

// --- Steps ---------------------------------------------------------------------------------------

static bool has_shadows(const ct_render_graph *g, const ct_render_graph_step *step) {
    return step &&
           (!g->context->device->is_cpu || ct_render_graph_value(g, &step->on_cpu)[0] != 0.0f);
}

// Debug lines belong to the layer that their shader names.
static void ask_for_lines(ct_render_graph *g, uint32_t layer, uint32_t signature) {
    uint32_t shader, options;
    const ct_shader_resource *const blob =
        ct_render_materials_variant(g->materials, g->line_material, &shader, &options);
    if (blob && blob->vertices == CT_SHADER_VERTICES_LINE &&
        is_drawn(g, ct_shader_state_of(blob, 0), layer))
        ct_render_shaders_ask(g->shaders, shader, options, signature, 0);
}

// What a world may or may not have in a viewport, as its draws find out.
typedef struct ahead_view {
    bool may_have_shadows, may_have_sky_map;
} ahead_view;

static void add_signatures(ct_render_graph *g, const ct_render_attachments *a,
                           const ct_render_graph_step *step, const ahead_view *view,
                           ahead_use *use) {
    for (uint32_t sky = 0; sky <= view->may_have_sky_map; ++sky)
        for (uint32_t shadows = 0; shadows <= view->may_have_shadows; ++shadows) {
            g->has_sky_map = sky;
            use->signatures[use->num_signatures++] =
                ct_render_graph_signature(g, a, shadows, step->is_wireframe);
        }
    g->has_sky_map = false;
}

static void ask_for_layer(const ct_render_ahead *x, ct_render_graph *g,
                          const ct_render_graph_step *step, const ahead_view *view) {
    if (step->layer >= g->num_layers)
        return;
    const ct_render_attachments *const a = ct_render_graph_step_attachments(g, step);
    ahead_use use = {.layer = step->layer, .gui_signature = UINT32_MAX};
    add_signatures(g, a, step, view, &use);
    if (step->has_override) {
        uint32_t shader, options;
        const ct_shader_resource *const blob =
            ct_render_materials_variant(g->materials, step->material, &shader, &options);
        if (blob && !blob->is_compute && blob->vertices == CT_SHADER_VERTICES_MESH)
            ask_for_forms(x, g, shader, options, &use);
        return;
    }
    if (step->only == CT_RENDER_ONLY_ALL) {
        use.gui_signature = a->signature;
        use.has_particles = true;
        ask_for_lines(g, step->layer, a->signature);
    }
    ask_for_materials(x, g, &use);
}

// With all combinations of what environments may switch.
static void ask_for_pass(ct_render_graph *g, const ct_render_graph_step *step) {
    uint32_t shader, options, others;
    const ct_shader_resource *const blob =
        ct_render_materials_variant(g->materials, step->material, &shader, &options);
    const bool is_compute = step->type == CT_RENDER_STEP_TYPE_COMPUTE;
    if (!blob || shader != step->shader || (blob->is_compute != 0) != is_compute ||
        (!is_compute && blob->vertices != CT_SHADER_VERTICES_FULLSCREEN))
        return;
    options |= ct_render_graph_options(g, step, blob, &others);
    uint32_t some = 0;
    do {
        ct_render_shaders_ask(g->shaders, shader, (options & ~others) | some,
                              step->attachments.signature, 0);
        some = (some - others) & others; // the next set of those bits
    } while (some);
}

// Asks for meshes of a layer, or of all that cast shadows, in what only the step draws to.
static void ask_for_own(const ct_render_ahead *x, ct_render_graph *g,
                        const ct_render_graph_step *step, uint32_t layer) {
    const ahead_use use = {.layer = layer,
                           .signatures = {step->attachments.signature},
                           .num_signatures = 1,
                           .gui_signature = UINT32_MAX};
    ask_for_materials(x, g, &use);
}

static void ask_for_step(const ct_render_ahead *x, ct_render_graph *g,
                         const ct_render_graph_step *step, const ahead_view *view) {
    switch ((ct_render_step_type)step->type) {
    case CT_RENDER_STEP_TYPE_FULLSCREEN_PASS:
    case CT_RENDER_STEP_TYPE_COMPUTE:
        ask_for_pass(g, step);
        break;
    case CT_RENDER_STEP_TYPE_DRAW_LAYER:
        ask_for_layer(x, g, step, view);
        break;
    case CT_RENDER_STEP_TYPE_CAPTURE_SKY:
        if (step->layer < g->num_layers)
            ask_for_own(x, g, step, step->layer);
        break;
    case CT_RENDER_STEP_TYPE_CASCADED_SHADOWS:
        if (has_shadows(g, step))
            ask_for_own(x, g, step, UINT32_MAX);
        break;
    default:
        break;
    }
}

static void ask_for_viewport(const ct_render_ahead *x, ct_render_graph *g,
                             ct_string_id32 viewport) {
    ct_render_graph_use_viewport(g, viewport);
    const ahead_view view = {
        .may_have_shadows = has_shadows(
            g, ct_render_graph_find_step(g, viewport, CT_RENDER_STEP_TYPE_CASCADED_SHADOWS)),
        .may_have_sky_map =
            ct_render_graph_has_sky(g) &&
            ct_render_graph_find_step(g, viewport, CT_RENDER_STEP_TYPE_CAPTURE_SKY)};
    uint32_t first_step, num_steps;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = first_step; k < first_step + num_steps; ++k)
            if (ct_render_graph_may_run(g, &g->steps.items[k], g->values[0]))
                ask_for_step(x, g, &g->steps.items[k], &view);
}

// --- Interface -----------------------------------------------------------------------------------

void ct_render_ahead_ask(ct_render_ahead *x, ct_render_graph *g, const ct_render_meshes *meshes) {
    if (!g->config || (!x->is_stale && x->shaders == g->shaders->version &&
                       x->materials == g->materials->version && x->meshes == meshes->version))
        return;
    CT_PROFILER_SCOPE("ask for pipelines");
    x->is_stale = false;
    x->shaders = g->shaders->version;
    x->materials = g->materials->version;
    x->meshes = meshes->version;
    memcpy(g->view_values, g->values, sizeof(g->view_values));
    find_forms(x, meshes);
    const ct_render_viewport *const viewports = ct_blob_at(g->config, g->config->viewports.offset);
    for (uint32_t i = 0; i < g->config->viewports.count; ++i)
        ask_for_viewport(x, g, viewports[i].name);
}
