#include "render/object/render_lights.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_shapes.h"

void ct_render_lights_init(ct_render_lights *lights, ct_allocator *a) {
    ct_array_init(lights, a);
}

void ct_render_lights_free(ct_render_lights *lights) {
    ct_array_free(lights);
}

static ct_render_light *find(ct_render_lights *lights, ct_render_light_id id) {
    for (uint32_t i = 0; i < lights->count; ++i)
        if (lights->items[i].id.value == id.value)
            return &lights->items[i];
    return NULL;
}

static ct_vec3 position_of(const ct_render_light *light) {
    return ct_vec3_make(light->position[0], light->position[1], light->position[2]);
}

void ct_render_lights_set(ct_render_lights *lights, ct_render_light_id id,
                          const ct_light_data *data, const ct_mat4 *pose) {
    ct_render_light *light = find(lights, id);
    if (!light) {
        ct_array_push(lights, (ct_render_light){.id = id});
        light = &lights->items[lights->count - 1];
    }
    const ct_vec3 forward =
        ct_vec3_normalize(ct_vec3_make(pose->col[1].x, pose->col[1].y, pose->col[1].z));
    light->data = *data;
    memcpy(light->position, pose->raw[3], sizeof(light->position));
    memcpy(light->direction, forward.raw, sizeof(light->direction));
    // One that is nowhere, below scales that multiply to infinity, would make pictures of NaN.
    light->data.is_enabled &= ct_vec3_is_finite(position_of(light)) && ct_vec3_is_finite(forward);
}

void ct_render_lights_remove(ct_render_lights *lights, ct_render_light_id id) {
    const ct_render_light *const light = find(lights, id);
    if (light)
        ct_array_swap_erase(lights, (uint32_t)(light - lights->items));
}

// --- Choosing ------------------------------------------------------------------------------------

static float brightest(const ct_light_data *data) {
    const float rg = data->color[0] > data->color[1] ? data->color[0] : data->color[1];
    return (rg > data->color[2] ? rg : data->color[2]) * data->intensity;
}

static bool reaches(const ct_render_light *light, const ct_frustum *frustum) {
    const ct_sphere reach = {position_of(light), light->data.falloff_end};
    return ct_frustum_intersects_sphere(frustum, reach);
}

// How much a light matters from `eye`; the one that casts shadows most of all.
static float score_of(const ct_render_light *light, const ct_render_light *caster, ct_vec3 eye) {
    const float strength = brightest(&light->data);
    if (light->data.type == CT_LIGHT_TYPE_DIRECTIONAL)
        return light == caster ? INFINITY : strength;
    const ct_vec3 to_light = ct_vec3_sub(position_of(light), eye);
    return strength * light->data.falloff_end / (1.0f + ct_vec3_dot(to_light, to_light));
}

// The strongest so far of one kind, the strongest first.
typedef struct chosen_lights {
    const ct_render_light *lights[CT_RENDER_MAX_LOCAL_LIGHTS];
    float scores[CT_RENDER_MAX_LOCAL_LIGHTS];
    uint32_t count, most;
} chosen_lights;

static void insert(chosen_lights *chosen, const ct_render_light *light, float score) {
    if (chosen->count == chosen->most && score <= chosen->scores[chosen->most - 1])
        return;
    uint32_t i = chosen->count < chosen->most ? chosen->count++ : chosen->most - 1;
    for (; i > 0 && chosen->scores[i - 1] < score; --i) {
        chosen->lights[i] = chosen->lights[i - 1];
        chosen->scores[i] = chosen->scores[i - 1];
    }
    chosen->lights[i] = light;
    chosen->scores[i] = score;
}

// --- The block -----------------------------------------------------------------------------------

static void write_color(float target[3], const ct_light_data *data) {
    for (uint32_t i = 0; i < 3; ++i)
        target[i] = data->color[i] * data->intensity;
}

static void write_directional(ct_render_directional_light *target, const ct_render_light *light) {
    memcpy(target->direction, light->direction, sizeof(light->direction));
    target->direction[3] = 1.0f; // it is used
    write_color(target->color, &light->data);
}

// The cosine of the angle to the axis is scaled so that 1 is where the light is full and 0 where it
// ends.
static void write_cone(float cone[4], const ct_render_light *light) {
    static const float least_width = 1e-4f; // of a cone with a hard edge
    if (light->data.type != CT_LIGHT_TYPE_SPOT) {
        cone[3] = 1.0f;
        return;
    }
    const float end = cosf(light->data.spot_angle_end);
    const float width = cosf(light->data.spot_angle_start) - end;
    const float scale = 1.0f / (width > least_width ? width : least_width);
    for (uint32_t i = 0; i < 3; ++i)
        cone[i] = light->direction[i] * scale;
    cone[3] = -end * scale;
}

static void write_local(ct_render_local_light *target, const ct_render_light *light) {
    const ct_light_data *const data = &light->data;
    static const float most_start = 0.999f; // of the reach: a start beyond the end is a hard edge
    const float limit = data->falloff_end * most_start;
    memcpy(target->position_reach, light->position, sizeof(light->position));
    target->position_reach[3] = data->falloff_end;
    write_color(target->color_start, data);
    target->color_start[3] = data->falloff_start < limit ? data->falloff_start : limit;
    write_cone(target->cone, light);
}

static bool is_shining(const ct_render_light *light) {
    return light->data.is_enabled && brightest(&light->data) > 0.0f;
}

const ct_render_light *ct_render_lights_shadow_caster(const ct_render_lights *lights) {
    const ct_render_light *best = NULL;
    for (uint32_t i = 0; i < lights->count; ++i) {
        const ct_render_light *light = &lights->items[i];
        if (light->data.type != CT_LIGHT_TYPE_DIRECTIONAL || !light->data.casts_shadows ||
            !is_shining(light))
            continue;
        if (!best || brightest(&light->data) > brightest(&best->data))
            best = light;
    }
    return best;
}

void ct_render_lights_choose(const ct_render_lights *lights, const ct_frustum *frustum, ct_vec3 eye,
                             ct_render_lights_block *block) {
    chosen_lights directional = {.most = CT_RENDER_MAX_DIRECTIONAL_LIGHTS};
    const ct_render_light *const caster = ct_render_lights_shadow_caster(lights);
    chosen_lights local = {.most = CT_RENDER_MAX_LOCAL_LIGHTS};
    for (uint32_t i = 0; i < lights->count; ++i) {
        const ct_render_light *const light = &lights->items[i];
        if (!is_shining(light))
            continue;
        if (light->data.type == CT_LIGHT_TYPE_DIRECTIONAL)
            insert(&directional, light, score_of(light, caster, eye));
        else if (light->data.falloff_end > 0.0f && reaches(light, frustum))
            insert(&local, light, score_of(light, caster, eye));
    }
    block->num_directional = directional.count;
    block->num_local = local.count;
    for (uint32_t i = 0; i < directional.count; ++i)
        write_directional(&block->directional[i], directional.lights[i]);
    for (uint32_t i = 0; i < local.count; ++i)
        write_local(&block->local[i], local.lights[i]);
}
