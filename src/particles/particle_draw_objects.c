// Particles that are drawn as render objects, and those that shine.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/particle_draw.h"
#include "resource/types/mesh_resource.h"

enum { BATCH = 64 }; // poses that are sent at once

// --- Poses ---------------------------------------------------------------------------------------

static const ct_vec3 up = {{0, 0, 1}};

// The shortest rotation from z to a direction.
static ct_quat rotation_to(ct_vec3 direction) {
    const ct_vec3 z = ct_vec3_normalize(direction);
    if (!(ct_vec3_dot(z, z) > 0))
        return ct_quat_identity();
    if (z.z < -0.9999f) // any axis across
        return (ct_quat){{1, 0, 0, 0}};
    return ct_quat_normalize((ct_quat){{-z.y, z.x, 0, 1 + z.z}});
}

// A vector of a particle, or `otherwise` without the channels.
static ct_vec3 vector_or(const ct_particle_drawing *d, uint32_t semantic, uint32_t i,
                         ct_vec3 otherwise) {
    const float *const x = ct_particle_drawn_channel(d, semantic);
    return x ? ct_particle_vector(d, x, i) : otherwise;
}

// How a mesh is turned: by the facing, then by ROTATION around what that made of its axis.
static ct_quat rotation_of(const ct_particle_drawing *d, uint32_t i) {
    const ct_particle_look *const look = &d->emitter->look;
    const float *const turns = ct_particle_drawn_channel(d, CT_PARTICLE_ROTATION);
    const float turn = turns ? turns[i] : 0;
    const ct_vec3 axis = ct_vec3_make(look->axis[0], look->axis[1], look->axis[2]);
    switch (look->facing) {
    case CT_PARTICLE_FACING_FIXED:
        return ct_quat_mul(rotation_to(axis), ct_quat_axis_angle(up, turn));
    case CT_PARTICLE_FACING_NORMAL:
        return ct_quat_mul(rotation_to(vector_or(d, CT_PARTICLE_AXIS, i, axis)),
                           ct_quat_axis_angle(up, turn));
    case CT_PARTICLE_FACING_MOTION:
        return ct_quat_mul(rotation_to(vector_or(d, CT_PARTICLE_VELOCITY, i, up)),
                           ct_quat_axis_angle(up, turn));
    case CT_PARTICLE_FACING_VELOCITY:
    case CT_PARTICLE_FACING_STRETCHED:
        return ct_quat_mul(
            ct_quat_look(vector_or(d, CT_PARTICLE_VELOCITY, i, ct_vec3_make(0, 1, 0)), up),
            ct_quat_axis_angle(ct_vec3_make(0, 1, 0), turn));
    default: { // it tumbles around an axis
        const ct_vec3 around = vector_or(d, CT_PARTICLE_AXIS, i, axis);
        return ct_vec3_dot(around, around) > 0 ? ct_quat_axis_angle(around, turn)
                                               : ct_quat_identity();
    }
    }
}

static ct_mat4 pose_of(const ct_particle_drawing *d, uint32_t i) {
    const float *const sizes = ct_particle_drawn_channel(d, CT_PARTICLE_SIZE);
    const float width = sizes ? sizes[i] : 1;
    const float height = sizes ? sizes[d->state->capacity + i] : 1;
    const ct_vec3 position =
        ct_particle_vector(d, ct_particle_drawn_channel(d, CT_PARTICLE_POSITION), i);
    const ct_vec3 size = ct_vec3_make(width, width, height);
    const ct_quat rotation = rotation_of(d, i);
    if (!ct_particle_is_local(d))
        return ct_mat4_compose(position, rotation, ct_vec3_scale(size, d->scale));
    return ct_mat4_mul(d->effect->pose, ct_mat4_compose(position, rotation, size));
}

// --- Objects -------------------------------------------------------------------------------------

// Poses that wait to be sent.
typedef struct poses {
    ct_render_object_id objects[BATCH];
    ct_mat4 poses[BATCH];
    uint32_t count;
} poses;

static void flush(const ct_particle_drawing *d, poses *p) {
    if (p->count)
        ct_render_objects_set_poses(d->world->renderer, d->world->render_world, p->objects,
                                    p->poses, p->count);
    p->count = 0;
}

static ct_render_object_id make_object(const ct_particle_drawing *d, const ct_mat4 *pose) {
    const ct_particle_look *const look = &d->emitter->look;
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS];
    for (uint32_t i = 0; i < CT_MESH_MAX_MATERIALS; ++i)
        materials[i] = look->material;
    const ct_render_object_desc desc = {.mesh = look->mesh,
                                        .materials = materials,
                                        .num_materials = CT_MESH_MAX_MATERIALS,
                                        .is_shadowless = !look->casts_shadows};
    return ct_render_object_create(d->world->renderer, d->world->render_world, &desc, pose);
}

// Shows particle `i` as its object, at its pose.
static void show(const ct_particle_drawing *d, ct_particle_object *object, uint32_t i, poses *p) {
    ct_particle_world *const w = d->world;
    const ct_mat4 pose = pose_of(d, i);
    const uint32_t seed = ((const uint32_t *)ct_particle_drawn_channel(d, CT_PARTICLE_SEED))[i];
    const bool was_shown = object->object.value && object->sent == w->num_sends - 1;
    if (!object->object.value) {
        object->object = make_object(d, &pose);
    } else {
        if (p->count == BATCH)
            flush(d, p);
        p->objects[p->count] = object->object;
        p->poses[p->count++] = pose;
        if (!was_shown)
            ct_render_object_set_visible(w->renderer, w->render_world, object->object, true);
        if (!was_shown || object->seed != seed)
            ct_render_object_jump(w->renderer, w->render_world, object->object);
    }
    object->sent = w->num_sends;
    object->seed = seed;
}

// Gives objects their particles' colours, where their material takes one for each.
static void send_colors(const ct_particle_drawing *d, const uint32_t *numbers) {
    ct_particle_world *const w = d->world;
    const ct_string_id32 name = ct_string_id32_of("color");
    const float *const color = ct_particle_drawn_channel(d, CT_PARTICLE_COLOR);
    const size_t stride = d->state->capacity;
    if (!color || !ct_render_material_is_instanced(w->renderer, d->emitter->look.material, name))
        return;
    for (uint32_t i = 0; i < d->state->count; ++i) {
        const float value[4] = {color[i], color[stride + i], color[2 * stride + i],
                                color[3 * stride + i]};
        if (numbers[i])
            ct_render_object_set_value(w->renderer, w->render_world,
                                       d->state->objects[numbers[i] - 1].object, name, value, 4);
    }
}

void ct_particle_draw_objects(const ct_particle_drawing *d) {
    ct_particle_world *const w = d->world;
    ct_particle_emitter_state *const s = d->state;
    const uint32_t *const numbers =
        (const uint32_t *)ct_particle_drawn_channel(d, CT_PARTICLE_OBJECT);
    if (!s->objects || !numbers)
        return;
    poses p;
    p.count = 0;
    for (uint32_t i = 0; i < s->count; ++i)
        if (numbers[i])
            show(d, &s->objects[numbers[i] - 1], i, &p);
    flush(d, &p);
    send_colors(d, numbers);
    for (uint32_t i = 0; i < s->capacity; ++i) {
        const ct_particle_object *const object = &s->objects[i];
        if (object->object.value && object->sent == w->num_sends - 1)
            ct_render_object_set_visible(w->renderer, w->render_world, object->object, false);
    }
    if (s->count)
        d->effect->is_drawn = true;
}

void ct_particle_hide_objects(ct_particle_world *w, ct_particle_emitter_state *s) {
    for (uint32_t i = 0; s->objects && i < s->capacity; ++i) {
        if (s->objects[i].object.value)
            ct_render_objects_destroy(w->renderer, w->render_world, &s->objects[i].object, 1);
        s->objects[i] = (ct_particle_object){.sent = 0};
    }
}

// --- Lights --------------------------------------------------------------------------------------

static ct_light_data light_of(const ct_particle_drawing *d, uint32_t i) {
    const ct_particle_look *const look = &d->emitter->look;
    const float *const color = ct_particle_drawn_channel(d, CT_PARTICLE_COLOR);
    const float *const size = ct_particle_drawn_channel(d, CT_PARTICLE_SIZE);
    const size_t stride = d->state->capacity;
    const float radius =
        look->light_radius * d->scale * (size ? fmaxf(size[i], size[stride + i]) : 1);
    const float opacity = color ? color[3 * stride + i] : 1;
    ct_light_data light = {.type = CT_LIGHT_TYPE_POINT,
                           .color = {1, 1, 1, 1},
                           .intensity = look->light_intensity * opacity,
                           .falloff_start = radius * 0.5f,
                           .falloff_end = radius,
                           .is_enabled = radius > 0 && opacity > 0};
    for (uint32_t k = 0; color && k < 3; ++k)
        light.color[k] = color[k * stride + i];
    return light;
}

static void destroy_lights(ct_particle_world *w, ct_particle_emitter_state *s, uint32_t kept) {
    while (s->num_lights > kept)
        ct_render_light_destroy(w->renderer, w->render_world, s->lights[--s->num_lights]);
}

void ct_particle_draw_lights(const ct_particle_drawing *d) {
    ct_particle_world *const w = d->world;
    ct_particle_emitter_state *const s = d->state;
    const uint32_t most = s->lights ? d->emitter->look.max_lights : 0;
    const uint32_t count = s->count < most ? s->count : most;
    const float *const positions = ct_particle_drawn_channel(d, CT_PARTICLE_POSITION);
    const ct_vec3 one = ct_vec3_make(1, 1, 1);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_light_data light = light_of(d, i);
        ct_vec3 position = ct_particle_vector(d, positions, i);
        if (ct_particle_is_local(d))
            position = ct_mat4_transform_point(d->effect->pose, position);
        const ct_mat4 pose = ct_mat4_compose(position, ct_quat_identity(), one);
        if (i < s->num_lights)
            ct_render_light_set(w->renderer, w->render_world, s->lights[i], &light, &pose);
        else
            s->lights[s->num_lights++] =
                ct_render_light_create(w->renderer, w->render_world, &light, &pose);
    }
    destroy_lights(w, s, count);
    if (count)
        d->effect->is_drawn = true;
}

void ct_particle_hide_lights(ct_particle_world *w, ct_particle_emitter_state *s) {
    destroy_lights(w, s, 0);
}
