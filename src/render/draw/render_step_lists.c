#include "render/draw/render_step_lists.h"

#include "foundation/log.h"
#include "foundation/profiler/profiler.h"

bool ct_render_step_has_list(const ct_render_graph_step *step) {
    return step->type == CT_RENDER_STEP_TYPE_DRAW_LAYER &&
           (step->has_override || step->only != CT_RENDER_ONLY_ALL);
}

// How the step's material is drawn. False, and no use, when it cannot be drawn with yet.
static bool find_use(ct_render_draws *d, const ct_render_graph_step *step,
                     ct_render_material_use *use) {
    ct_render_graph *const g = d->graph;
    *use = (ct_render_material_use){.view = d->view};
    if (!step->has_override)
        return true; // that of each object
    const ct_render_material *const m = ct_render_materials_bound(g->materials, step->material);
    const ct_shader_resource *const blob = m ? g->shaders->items.items[m->shader].blob : NULL;
    if (!blob || blob->is_compute || blob->vertices != CT_SHADER_VERTICES_MESH) {
        ct_log_warning("render", "step_not_drawn",
                       "the step \"%s\" of the render config is skipped: its material is not "
                       "loaded, or its shader does not draw meshes (vertices = \"mesh\")",
                       step->name);
        return false;
    }
    use->material = step->material;
    use->shader = m->shader;
    use->num_instanced = ct_render_shader_num_instanced(blob);
    return true;
}

static void fill(ct_render_step_list *x, const ct_render_draw_list *all, uint32_t begin,
                 uint32_t end, const ct_render_world *world) {
    ct_render_draw_list *const list = &x->list;
    ct_array_reserve(&list->items, end - begin);
    for (uint32_t i = begin; i < end; ++i) {
        const ct_render_item *const item = &all->sorted[i];
        if (ct_render_item_is_cloud(item) ||
            (x->only_outlined && !(world->flags[item->object] & CT_RENDER_OBJECT_OUTLINED)))
            continue;
        ct_render_item *const copy = &list->items.items[list->items.count++];
        *copy = *item;
        if (x->use.material)
            copy->material = x->use.material;
    }
    list->sorted = list->items.items;
    list->num_items = list->items.count;
}

static ct_render_step_list *add_list(ct_render_draws *d) {
    if (d->num_step_lists == d->step_lists.count) {
        ct_array_push(&d->step_lists, (ct_render_step_list){0});
        ct_array_init(&d->step_lists.items[d->num_step_lists].list.items, d->context->allocator);
        ct_array_init(&d->step_lists.items[d->num_step_lists].list.scratch, d->context->allocator);
    }
    ct_render_step_list *const x = &d->step_lists.items[d->num_step_lists++];
    x->list.items.count = 0;
    x->list.num_items = 0;
    return x;
}

static void collect(ct_render_draws *d, const ct_render_world *world,
                    const ct_render_graph_step *step) {
    const bool only_outlined = step->only == CT_RENDER_ONLY_OUTLINED;
    ct_render_material_use use;
    if ((only_outlined && !world->num_outlined) || !find_use(d, step, &use))
        return;
    ct_render_step_list *const x = add_list(d);
    x->step = step;
    x->use = use;
    x->only_outlined = only_outlined;
    uint32_t begin, end;
    ct_render_draws_layer_range(&d->lists[0], step->layer, &begin, &end);
    fill(x, &d->lists[0], begin, end, world);
}

void ct_render_step_lists_collect(ct_render_draws *d, const ct_render_world *world,
                                  ct_string_id32 viewport) {
    const ct_render_graph *const g = d->graph;
    uint32_t first_step, num_steps;
    d->num_step_lists = 0;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = 0; k < num_steps; ++k) {
            const ct_render_graph_step *const step = &g->steps.items[first_step + k];
            if (ct_render_step_has_list(step) && ct_render_graph_is_enabled(g, step))
                collect(d, world, step);
        }
}

ct_render_draw_list *ct_render_step_lists_add(ct_render_draws *d,
                                              const ct_render_graph_step *step) {
    ct_render_step_list *const x = add_list(d);
    x->step = step;
    x->use = (ct_render_material_use){.view = d->view};
    x->only_outlined = false;
    return &x->list;
}

const ct_render_draw_list *ct_render_step_lists_find(const ct_render_draws *d,
                                                     const ct_render_graph_step *step) {
    for (uint32_t i = 0; i < d->num_step_lists; ++i)
        if (d->step_lists.items[i].step == step)
            return &d->step_lists.items[i].list;
    return NULL;
}

void ct_render_step_lists_draw(ct_render_draws *d, const ct_render_graph_step *step,
                               const ct_render_frame_set *set) {
    const ct_render_attachments *const x = ct_render_graph_step_attachments(d->graph, step);
    for (uint32_t i = 0; i < d->num_step_lists; ++i) {
        const ct_render_step_list *const list = &d->step_lists.items[i];
        if (list->step != step || !list->list.num_items)
            continue;
        ct_render_graph_draw_to(d->graph, x);
        const uint32_t signature =
            ct_render_graph_signature(d->graph, x, d->shadows.count > 0, step->is_wireframe);
        ct_render_draws_record_list(d, &list->list, signature, set);
        return;
    }
}
