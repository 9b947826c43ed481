// Sends particles to the renderer: which emitters, and what clouds have in common.
#include "particles/particle_draw.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_shapes.h"
#include "foundation/profiler/profiler.h"
#include "particles/particle_gpu.h"

// --- Clouds --------------------------------------------------------------------------------------

static ct_render_cloud_desc describe(const ct_particle_drawing *d) {
    const ct_particle_look *const look = &d->emitter->look;
    const ct_vec3 at = d->effect->now.position;
    ct_vec3 axis = ct_vec3_make(look->axis[0], look->axis[1], look->axis[2]);
    if (ct_particle_is_local(d))
        axis = ct_quat_rotate(d->effect->now.rotation, axis);
    axis = ct_vec3_normalize(axis);
    return (ct_render_cloud_desc){.material = look->material,
                                  .sort_position = {at.x, at.y, at.z},
                                  .order = d->index,
                                  .is_ribbon = look->renderer != CT_PARTICLE_RENDERER_BILLBOARD,
                                  .facing = (uint8_t)look->facing,
                                  .sort = look->sort == CT_PARTICLE_SORT_DISTANCE
                                              ? CT_PARTICLE_SORT_DISTANCE
                                              : CT_PARTICLE_SORT_NONE,
                                  .blends = (uint8_t)look->blends,
                                  .grid = {(uint8_t)look->grid[0], (uint8_t)look->grid[1]},
                                  .axis = {axis.x, axis.y, axis.z},
                                  .stretch = look->stretch,
                                  .pivot = {look->pivot[0], look->pivot[1]}};
}

static void begin_clouds(const ct_particle_drawing *d) {
    if (!*d->has_begun)
        ct_render_particles_begin(d->world->renderer, d->world->render_world);
    *d->has_begun = true;
}

ct_particle_instance *ct_particle_add_cloud(const ct_particle_drawing *d, uint32_t count) {
    const ct_render_cloud_desc desc = describe(d);
    begin_clouds(d);
    return ct_render_particles_add(d->world->renderer, d->world->render_world, &desc, count);
}

// The sphere around a box, or the one that the effect's resource names.
static void sphere_of(const ct_particle_drawing *d, const ct_particle_bounds *bounds,
                      float sphere[4]) {
    const ct_sphere around = ct_sphere_around_aabb(bounds->box);
    ct_vec3 center = around.center;
    float radius = around.radius + bounds->reach;
    const float fixed = d->effect->resource->bounds_radius;
    if (fixed > 0 || !ct_vec3_is_finite(center) || !isfinite(radius)) {
        center = d->effect->now.position;
        radius = fixed > 0 ? fixed * d->scale : 1e9f;
    }
    sphere[0] = center.x, sphere[1] = center.y, sphere[2] = center.z, sphere[3] = radius;
}

void ct_particle_set_bounds(const ct_particle_drawing *d, const ct_particle_bounds *bounds) {
    float sphere[4];
    sphere_of(d, bounds, sphere);
    ct_render_particles_set_sphere(d->world->renderer, sphere);
}

// A cloud of what the GPU has of an emitter.
static void draw_from_gpu(const ct_particle_drawing *d) {
    ct_render_cloud_desc desc = describe(d);
    if (!ct_particle_gpu_count(d->state))
        return;
    ct_particle_gpu_sphere(d->effect, d->index, desc.sphere);
    begin_clouds(d);
    ct_render_particles_add_emitter(d->world->renderer, d->world->render_world, &desc,
                                    d->state->gpu->id);
}

// --- All -----------------------------------------------------------------------------------------

static void draw_emitter(const ct_particle_drawing *d) {
    switch (d->emitter->look.renderer) {
    case CT_PARTICLE_RENDERER_BILLBOARD:
        if (d->state->gpu)
            draw_from_gpu(d);
        else if (d->state->count)
            ct_particle_draw_billboards(d);
        return;
    case CT_PARTICLE_RENDERER_RIBBON:
        if (d->state->count)
            ct_particle_draw_ribbon(d);
        return;
    case CT_PARTICLE_RENDERER_TRAIL:
        if (d->state->count)
            ct_particle_draw_trails(d);
        return;
    case CT_PARTICLE_RENDERER_MESH:
        ct_particle_draw_objects(d);
        return;
    case CT_PARTICLE_RENDERER_LIGHT:
        ct_particle_draw_lights(d);
        return;
    default:
        return;
    }
}

static void draw_effect(ct_particle_world *w, ct_particle_effect *fx, bool *has_begun) {
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        const ct_particle_drawing d = {.world = w,
                                       .effect = fx,
                                       .emitter = ct_particle_emitter_at(fx->resource, i),
                                       .state = &fx->emitters[i],
                                       .index = i,
                                       .scale = ct_particle_size_scale(fx),
                                       .has_begun = has_begun};
        draw_emitter(&d);
    }
}

void ct_particles_send(ct_particle_world *w) {
    CT_PROFILER_SCOPE("send particles");
    ct_particles_warm(w);
    ct_particle_gpu_flush(w);
    if (!w->is_changed)
        return;
    w->is_changed = false;
    ++w->num_sends;
    bool has_begun = false;
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        ct_particle_effect *const fx = w->effects.items[i];
        if (fx->has_ended)
            ct_particle_effect_hide(w, fx);
        else
            draw_effect(w, fx, &has_begun);
    }
    if (w->had_clouds && !has_begun)
        ct_render_particles_begin(w->renderer, w->render_world);
    w->had_clouds = has_begun;
}

void ct_particle_effect_hide(ct_particle_world *w, ct_particle_effect *fx) {
    if (!fx->is_drawn)
        return;
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        ct_particle_hide_objects(w, &fx->emitters[i]);
        ct_particle_hide_lights(w, &fx->emitters[i]);
    }
    fx->is_drawn = false;
}
