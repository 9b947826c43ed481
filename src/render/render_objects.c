#include "render/render_objects.h"

#include <string.h>

#include "foundation/math_shapes.h"

// What loops over all objects read starts at a cache line.
static const ct_soa_array arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_render_world, instances, 64),
    CT_SOA_ARRAY_ALIGNED(ct_render_world, spheres, 64),
    CT_SOA_ARRAY(ct_render_world, materials),
    CT_SOA_ARRAY(ct_render_world, ids),
    CT_SOA_ARRAY_ALIGNED(ct_render_world, meshes, 64),
    CT_SOA_ARRAY_ALIGNED(ct_render_world, flags, 64),
};

// --- Life cycle ----------------------------------------------------------------------------------

void ct_render_world_init(ct_render_world *w, ct_allocator *a, ct_render_world_id id) {
    *w = (ct_render_world){.allocator = a, .id = id};
    ct_soa_block_init(&w->objects, a, w, arrays, CT_COUNT_OF(arrays));
    ct_hash_map_init(&w->position_of_id, a);
    ct_array_init(&w->lights, a);
    ct_array_init(&w->lines, a);
}

void ct_render_world_shutdown(ct_render_world *w) {
    ct_soa_block_free(&w->objects);
    ct_hash_map_free(&w->position_of_id);
    ct_array_free(&w->lights);
    ct_array_free(&w->lines);
    *w = (ct_render_world){0};
}

// --- Poses and bounds ----------------------------------------------------------------------------

static void set_instance(ct_render_instance *instance, const ct_mat4 *pose) {
    for (uint32_t row = 0; row < 3; ++row)
        for (uint32_t column = 0; column < 4; ++column)
            instance->rows[row][column] = pose->raw[column][row];
}

static void set_sphere(float sphere[4], const ct_render_instance *instance,
                       const ct_render_mesh *mesh) {
    if (!mesh->buffer.handle) {
        sphere[3] = -1.0f;
        return;
    }
    const float(*m)[4] = instance->rows;
    const float *c = mesh->center;
    for (uint32_t row = 0; row < 3; ++row)
        sphere[row] = m[row][0] * c[0] + m[row][1] * c[1] + m[row][2] * c[2] + m[row][3];
    float most = 0.0f;
    for (uint32_t column = 0; column < 3; ++column) {
        const float square =
            m[0][column] * m[0][column] + m[1][column] * m[1][column] + m[2][column] * m[2][column];
        most = square > most ? square : most;
    }
    sphere[3] = mesh->radius * sqrtf(most);
    // Culling keeps what it cannot compare.
    if (isnan(sphere[0] + sphere[1] + sphere[2] + sphere[3]))
        sphere[3] = -1.0f;
}

static bool is_mirrored(const ct_render_instance *instance) {
    const float(*m)[4] = instance->rows;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.0f;
}

static void set_pose(ct_render_world *w, uint32_t i, const ct_mat4 *pose,
                     const ct_render_meshes *meshes) {
    set_instance(&w->instances[i], pose);
    set_sphere(w->spheres[i], &w->instances[i], &meshes->items.items[w->meshes[i]]);
    w->flags[i] &= (uint8_t)~CT_RENDER_OBJECT_MIRRORED;
    if (is_mirrored(&w->instances[i]))
        w->flags[i] |= CT_RENDER_OBJECT_MIRRORED;
}

void ct_render_world_refresh_bounds(ct_render_world *w, const ct_render_meshes *meshes) {
    if (w->mesh_version == meshes->version)
        return;
    for (uint32_t i = 0; i < w->objects.count; ++i) {
        const ct_render_mesh *mesh = &meshes->items.items[w->meshes[i]];
        if (mesh->changed_version > w->mesh_version)
            set_sphere(w->spheres[i], &w->instances[i], mesh);
    }
    w->mesh_version = meshes->version;
}

// --- Objects -------------------------------------------------------------------------------------

static uint32_t find(const ct_render_world *w, ct_render_object_id id) {
    return (uint32_t)ct_hash_map_get(&w->position_of_id, id.value, UINT32_MAX);
}

void ct_render_world_add_object(ct_render_world *w, ct_render_object_id id, uint32_t mesh,
                                const uint32_t materials[CT_MESH_MAX_MATERIALS],
                                const ct_mat4 *pose, const ct_render_meshes *meshes) {
    const uint32_t i = ct_soa_block_add(&w->objects, 1);
    ct_hash_map_set(&w->position_of_id, id.value, i);
    w->ids[i] = id;
    w->meshes[i] = mesh;
    memcpy(w->materials[i].index, materials, sizeof(w->materials[i].index));
    set_pose(w, i, pose, meshes);
}

void ct_render_world_remove_objects(ct_render_world *w, const ct_render_object_id *ids,
                                    uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = find(w, ids[k]);
        if (i == UINT32_MAX)
            continue;
        ct_soa_block_swap_erase(&w->objects, i);
        // The place of the one that moved; or of the last one, which goes in any case.
        ct_hash_map_set(&w->position_of_id, w->ids[i].value, i);
        ct_hash_map_erase(&w->position_of_id, ids[k].value);
    }
}

void ct_render_world_set_poses(ct_render_world *w, const ct_render_object_id *ids,
                               const ct_mat4 *poses, uint32_t count,
                               const ct_render_meshes *meshes) {
    uint32_t next = 0; // where the object after the last one stands
    for (uint32_t k = 0; k < count; ++k) {
        const bool is_next = next < w->objects.count && w->ids[next].value == ids[k].value;
        const uint32_t i = is_next ? next : find(w, ids[k]);
        if (i == UINT32_MAX)
            continue;
        set_pose(w, i, &poses[k], meshes);
        next = i + 1;
    }
}

void ct_render_world_set_visible(ct_render_world *w, ct_render_object_id id, bool is_visible) {
    const uint32_t i = find(w, id);
    if (i == UINT32_MAX)
        return;
    w->flags[i] &= (uint8_t)~CT_RENDER_OBJECT_HIDDEN;
    if (!is_visible)
        w->flags[i] |= CT_RENDER_OBJECT_HIDDEN;
}

void ct_render_world_set_material(ct_render_world *w, ct_render_object_id id, uint32_t part,
                                  uint32_t material) {
    const uint32_t i = find(w, id);
    if (i != UINT32_MAX && part < CT_MESH_MAX_MATERIALS)
        w->materials[i].index[part] = material;
}

// --- Lights --------------------------------------------------------------------------------------

static ct_render_light *find_light(ct_render_world *w, ct_render_light_id id) {
    for (uint32_t i = 0; i < w->lights.count; ++i)
        if (w->lights.items[i].id.value == id.value)
            return &w->lights.items[i];
    return NULL;
}

void ct_render_world_set_light(ct_render_world *w, ct_render_light_id id, const ct_light_data *data,
                               const ct_mat4 *pose) {
    ct_render_light *light = find_light(w, id);
    if (!light) {
        ct_array_push(&w->lights, (ct_render_light){.id = id});
        light = &w->lights.items[w->lights.count - 1];
    }
    const ct_vec3 forward =
        ct_vec3_normalize(ct_vec3_make(pose->col[1].x, pose->col[1].y, pose->col[1].z));
    light->data = *data;
    memcpy(light->position, pose->raw[3], sizeof(light->position));
    memcpy(light->direction, forward.raw, sizeof(light->direction));
}

void ct_render_world_remove_light(ct_render_world *w, ct_render_light_id id) {
    const ct_render_light *light = find_light(w, id);
    if (light)
        ct_array_swap_erase(&w->lights, (uint32_t)(light - w->lights.items));
}

static float brightest(const ct_light_data *data) {
    const float rg = data->color[0] > data->color[1] ? data->color[0] : data->color[1];
    return (rg > data->color[2] ? rg : data->color[2]) * data->intensity;
}

static ct_vec3 position_of(const ct_render_light *light) {
    return ct_vec3_make(light->position[0], light->position[1], light->position[2]);
}

static bool reaches(const ct_render_light *light, const ct_frustum *frustum) {
    const ct_sphere reach = {position_of(light), light->data.falloff_end};
    return ct_frustum_intersects_sphere(frustum, reach);
}

// How much a light matters from `eye`.
static float score_of(const ct_render_light *light, ct_vec3 eye) {
    const float strength = brightest(&light->data);
    if (light->data.type == CT_LIGHT_TYPE_DIRECTIONAL)
        return strength;
    const ct_vec3 to_light = ct_vec3_sub(position_of(light), eye);
    return strength * light->data.falloff_end / (1.0f + ct_vec3_dot(to_light, to_light));
}

// The strongest so far of one kind, the strongest first.
typedef struct chosen_lights {
    const ct_render_light *lights[CT_RENDER_MAX_POINT_LIGHTS];
    float scores[CT_RENDER_MAX_POINT_LIGHTS];
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

static void write_color(float target[4], const ct_light_data *data) {
    for (uint32_t i = 0; i < 3; ++i)
        target[i] = data->color[i] * data->intensity;
    target[3] = 1.0f;
}

void ct_render_world_choose_lights(const ct_render_world *w, const ct_frustum *frustum, ct_vec3 eye,
                                   ct_render_lights_block *block) {
    chosen_lights directional = {.most = CT_RENDER_MAX_DIRECTIONAL_LIGHTS};
    chosen_lights point = {.most = CT_RENDER_MAX_POINT_LIGHTS};
    for (uint32_t i = 0; i < w->lights.count; ++i) {
        const ct_render_light *light = &w->lights.items[i];
        if (!light->data.is_enabled || brightest(&light->data) <= 0.0f)
            continue;
        if (light->data.type == CT_LIGHT_TYPE_DIRECTIONAL)
            insert(&directional, light, score_of(light, eye));
        else if (light->data.falloff_end > 0.0f && reaches(light, frustum))
            insert(&point, light, score_of(light, eye));
    }
    block->num_directional = directional.count;
    block->num_point = point.count;
    for (uint32_t i = 0; i < directional.count; ++i) {
        memcpy(block->directional[i].direction, directional.lights[i]->direction,
               sizeof(directional.lights[i]->direction));
        block->directional[i].direction[3] = 1.0f; // it is used
        write_color(block->directional[i].color, &directional.lights[i]->data);
    }
    for (uint32_t i = 0; i < point.count; ++i) {
        memcpy(block->point[i].position_reach, point.lights[i]->position,
               sizeof(point.lights[i]->position));
        block->point[i].position_reach[3] = point.lights[i]->data.falloff_end;
        write_color(block->point[i].color, &point.lights[i]->data);
    }
}
