#include "render/object/render_objects.h"

#include <math.h>
#include <string.h>

// What loops over all objects read starts at a cache line.
static const ct_soa_array arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_render_world, instances, 64),
    CT_SOA_ARRAY_ALIGNED(ct_render_world, spheres, 64),
    CT_SOA_ARRAY(ct_render_world, materials),
    CT_SOA_ARRAY(ct_render_world, ids),
    CT_SOA_ARRAY_ALIGNED(ct_render_world, meshes, 64),
    CT_SOA_ARRAY_ALIGNED(ct_render_world, flags, 64),
    CT_SOA_ARRAY(ct_render_world, skins),
    CT_SOA_ARRAY(ct_render_world, first_value),
    CT_SOA_ARRAY(ct_render_world, motions),
    CT_SOA_ARRAY(ct_render_world, previous_rows),
};

// --- Life cycle ----------------------------------------------------------------------------------

void ct_render_world_init(ct_render_world *w, ct_allocator *a, ct_render_world_id id) {
    *w = (ct_render_world){.allocator = a, .id = id};
    ct_soa_block_init(&w->objects, a, w, arrays, CT_COUNT_OF(arrays));
    ct_hash_map_init(&w->position_of_id, a);
    ct_render_skeletons_init(&w->skeletons, a);
    ct_render_culling_init(&w->culling, a);
    ct_array_init(&w->values, a);
    ct_array_push(&w->values, (ct_render_object_value){0});
    ct_array_init(&w->more_materials, a);
    ct_array_push(&w->more_materials, (ct_render_more_materials){0});
    ct_render_lights_init(&w->lights, a);
    ct_array_init(&w->lines, a);
    ct_array_init(&w->kept_lines, a);
    ct_render_clouds_init(&w->clouds, a);
    ct_array_init(&w->guis, a);
}

void ct_render_world_shutdown(ct_render_world *w) {
    ct_soa_block_free(&w->objects);
    ct_hash_map_free(&w->position_of_id);
    ct_render_skeletons_free(&w->skeletons);
    ct_render_culling_free(&w->culling);
    ct_array_free(&w->values);
    ct_array_free(&w->more_materials);
    ct_render_lights_free(&w->lights);
    ct_array_free(&w->lines);
    ct_array_free(&w->kept_lines);
    ct_render_clouds_free(&w->clouds);
    *w = (ct_render_world){0};
}

void ct_render_world_keep_lines(ct_render_world *w) {
    const bool has_kept = w->lines.count > 0 && w->lines.items[0].vertices == w->kept_lines.items;
    if (!has_kept)
        w->kept_lines.count = 0;
    for (uint32_t i = has_kept ? 1 : 0; i < w->lines.count; ++i)
        ct_array_push_many(&w->kept_lines, w->lines.items[i].vertices, w->lines.items[i].count);
    w->lines.count = 0;
    if (w->kept_lines.count > 0)
        ct_array_push(&w->lines, ((ct_render_line_run){w->kept_lines.items, w->kept_lines.count}));
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
    const float *const c = mesh->center;
    for (uint32_t row = 0; row < 3; ++row)
        sphere[row] = m[row][0] * c[0] + m[row][1] * c[1] + m[row][2] * c[2] + m[row][3];
    float most = 0.0f;
    for (uint32_t column = 0; column < 3; ++column) {
        const float square =
            m[0][column] * m[0][column] + m[1][column] * m[1][column] + m[2][column] * m[2][column];
        most = square > most ? square : most;
    }
    sphere[3] = mesh->radius * sqrtf(most);
    // Culling keeps what it cannot compare, and shadows would reach for what is without end.
    if (!isfinite(sphere[0] + sphere[1] + sphere[2] + sphere[3]))
        sphere[3] = -1.0f;
}

static bool is_mirrored(const ct_render_instance *instance) {
    const float(*m)[4] = instance->rows;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.0f;
}

// The first of the poses of a frame takes the place of the one that counts as the last frame's.
static void keep_previous(ct_render_world *w, uint32_t i) {
    ct_render_object_motion *const m = &w->motions[i];
    if (m->frame == (uint32_t)w->frame)
        return;
    *m = (ct_render_object_motion){.frame = (uint32_t)w->frame};
    memcpy(w->previous_rows[i], w->instances[i].rows, sizeof(w->previous_rows[i]));
}

static void set_pose(ct_render_world *w, uint32_t i, const ct_mat4 *pose,
                     const ct_render_meshes *meshes) {
    set_instance(&w->instances[i], pose);
    set_sphere(w->spheres[i], &w->instances[i], &meshes->items.items[w->meshes[i]]);
    ct_render_culling_move(&w->culling, i);
    if (w->flags[i] & CT_RENDER_OBJECT_SKINNED)
        w->skeletons.skins.items[w->skins[i]].is_moved = true;
    w->flags[i] &= (uint8_t)~CT_RENDER_OBJECT_MIRRORED;
    if (is_mirrored(&w->instances[i]))
        w->flags[i] |= CT_RENDER_OBJECT_MIRRORED;
}

// The sphere of an object that is posed by a skeleton.
static void set_posed_sphere(float sphere[4], const ct_render_instance *instance,
                             const ct_render_skin *skin) {
    for (uint32_t row = 0; row < 3; ++row) {
        const float *const m = instance->rows[row];
        sphere[row] =
            m[0] * skin->center[0] + m[1] * skin->center[1] + m[2] * skin->center[2] + m[3];
    }
    sphere[3] = skin->radius * ct_render_most_scale(instance->rows);
    if (!isfinite(sphere[0] + sphere[1] + sphere[2] + sphere[3]))
        sphere[3] = -1.0f;
}

static void refresh_skins(ct_render_world *w, ct_render_meshes *meshes) {
    ct_render_skeletons *const s = &w->skeletons;
    for (uint32_t i = 1; i < s->skins.count && s->num_skins; ++i) {
        ct_render_skin *const skin = &s->skins.items[i];
        const uint32_t object = skin->object;
        if (!skin->is_used || !ct_render_skin_update(s, skin, meshes, w->meshes[object]))
            continue;
        if (skin->is_posed)
            set_posed_sphere(w->spheres[object], &w->instances[object], skin);
        else
            set_sphere(w->spheres[object], &w->instances[object],
                       &meshes->items.items[w->meshes[object]]);
        ct_render_culling_move(&w->culling, object);
    }
}

static void refresh_meshes(ct_render_world *w, const ct_render_meshes *meshes) {
    if (w->mesh_version == meshes->version)
        return;
    for (uint32_t i = 0; i < w->objects.count; ++i) {
        const ct_render_mesh *const mesh = &meshes->items.items[w->meshes[i]];
        if (mesh->changed_version <= w->mesh_version)
            continue;
        set_sphere(w->spheres[i], &w->instances[i], mesh);
        ct_render_culling_move(&w->culling, i);
    }
    w->mesh_version = meshes->version;
}

void ct_render_world_refresh_bounds(ct_render_world *w, ct_render_meshes *meshes) {
    refresh_meshes(w, meshes);
    refresh_skins(w, meshes);
}

// --- Objects -------------------------------------------------------------------------------------

static uint32_t find(const ct_render_world *w, ct_render_object_id id) {
    return (uint32_t)ct_hash_map_get(&w->position_of_id, id.value, UINT32_MAX);
}

// Makes room for the object's materials beyond the near ones, all 0.
static void add_more_materials(ct_render_world *w, uint32_t object) {
    uint32_t at = w->first_free_more;
    if (at) {
        w->first_free_more = w->more_materials.items[at].index[0];
        w->more_materials.items[at] = (ct_render_more_materials){0};
    } else {
        at = w->more_materials.count;
        ct_array_push(&w->more_materials, (ct_render_more_materials){0});
    }
    w->materials[object].more = at;
}

static void free_more_materials(ct_render_world *w, uint32_t object) {
    const uint32_t at = w->materials[object].more;
    if (!at)
        return;
    w->more_materials.items[at].index[0] = w->first_free_more;
    w->first_free_more = at;
    w->materials[object].more = 0;
}

static void set_material(ct_render_world *w, uint32_t object, uint32_t part, uint32_t material) {
    ct_render_object_materials *const m = &w->materials[object];
    if (part < CT_RENDER_OBJECT_NEAR_MATERIALS) {
        m->index[part] = material;
        return;
    }
    if (!m->more && material)
        add_more_materials(w, object);
    if (m->more)
        w->more_materials.items[m->more].index[part - CT_RENDER_OBJECT_NEAR_MATERIALS] = material;
}

void ct_render_world_add_object(ct_render_world *w, ct_render_object_id id, uint32_t mesh,
                                const uint32_t *materials, uint32_t num_materials,
                                const ct_mat4 *pose, const ct_render_meshes *meshes) {
    const uint32_t i = ct_soa_block_add(&w->objects, 1);
    ++w->materials_version;
    ct_render_culling_add(&w->culling);
    ct_hash_map_set(&w->position_of_id, id.value, i);
    w->ids[i] = id;
    w->meshes[i] = mesh;
    w->first_value[i] = 0;
    w->materials[i] = (ct_render_object_materials){0};
    for (uint32_t part = 0; part < num_materials; ++part)
        set_material(w, i, part, materials[part]);
    w->motions[i] = (ct_render_object_motion){.frame = (uint32_t)w->frame, .is_new = true};
    set_pose(w, i, pose, meshes);
}

static void free_values(ct_render_world *w, uint32_t object) {
    uint32_t at = w->first_value[object];
    while (at) {
        ct_render_object_value *const v = &w->values.items[at];
        const uint32_t next = v->next;
        v->next = w->first_free_value;
        w->first_free_value = at;
        at = next;
    }
    w->first_value[object] = 0;
}

// A new value in front of the object's others.
static uint32_t add_value(ct_render_world *w, uint32_t object, ct_string_id32 name) {
    uint32_t at = w->first_free_value;
    if (at) {
        w->first_free_value = w->values.items[at].next;
    } else {
        at = w->values.count;
        ct_array_push(&w->values, (ct_render_object_value){0});
    }
    w->values.items[at] = (ct_render_object_value){.name = name, .next = w->first_value[object]};
    w->first_value[object] = at;
    return at;
}

void ct_render_world_set_value(ct_render_world *w, ct_render_object_id id, ct_string_id32 name,
                               const float value[4]) {
    const uint32_t i = find(w, id);
    if (i == UINT32_MAX)
        return;
    uint32_t at = w->first_value[i];
    while (at && w->values.items[at].name.value != name.value)
        at = w->values.items[at].next;
    if (!at)
        at = add_value(w, i, name);
    memcpy(w->values.items[at].value, value, sizeof(w->values.items[at].value));
}

static void remove_value(ct_render_world *w, uint32_t object, ct_string_id32 name) {
    uint32_t *link = &w->first_value[object];
    while (*link && w->values.items[*link].name.value != name.value)
        link = &w->values.items[*link].next;
    if (!*link)
        return;
    const uint32_t at = *link;
    *link = w->values.items[at].next;
    w->values.items[at].next = w->first_free_value;
    w->first_free_value = at;
}

// --- Outlines ------------------------------------------------------------------------------------

ct_string_id32 ct_render_outline_parameter(void) {
    return CT_ID32("outline", 0x57fddcc9);
}

// Where the outline of the game waits while a tool's covers it. No shader has this parameter.
static ct_string_id32 covered_parameter(void) {
    return CT_ID32("outline_covered", 0x170d5336);
}

static void mark_outlined(ct_render_world *w, uint32_t object, bool is_outlined) {
    const bool was_outlined = w->flags[object] & CT_RENDER_OBJECT_OUTLINED;
    w->flags[object] &= (uint8_t)~CT_RENDER_OBJECT_OUTLINED;
    if (is_outlined)
        w->flags[object] |= CT_RENDER_OBJECT_OUTLINED;
    w->num_outlined += (uint32_t)is_outlined - (uint32_t)was_outlined;
}

static void put_value(ct_render_world *w, uint32_t object, ct_string_id32 name,
                      const float *value) {
    if (value)
        ct_render_world_set_value(w, w->ids[object], name, value);
    else
        remove_value(w, object, name);
}

// Copies the outline of the game, which a tool's may cover. Returns false when it has no outline.
static bool copy_own_outline(const ct_render_world *w, uint32_t object, float value[4]) {
    const bool is_marked = w->flags[object] & CT_RENDER_OBJECT_MARKED;
    const ct_string_id32 name = is_marked ? covered_parameter() : ct_render_outline_parameter();
    uint32_t at = w->flags[object] & CT_RENDER_OBJECT_OUTLINED ? w->first_value[object] : 0;
    while (at && w->values.items[at].name.value != name.value)
        at = w->values.items[at].next;
    if (at)
        memcpy(value, w->values.items[at].value, sizeof(float[4]));
    return at != 0;
}

void ct_render_world_set_outline(ct_render_world *w, ct_render_object_id id, const float *value,
                                 bool is_mark) {
    const uint32_t i = find(w, id);
    if (i == UINT32_MAX)
        return;
    float own[4];
    const bool had_own = copy_own_outline(w, i, own);
    const bool was_marked = w->flags[i] & CT_RENDER_OBJECT_MARKED;
    if (!is_mark) {
        put_value(w, i, was_marked ? covered_parameter() : ct_render_outline_parameter(), value);
        mark_outlined(w, i, was_marked || value);
        return;
    }
    w->flags[i] &= (uint8_t)~CT_RENDER_OBJECT_MARKED;
    if (value)
        w->flags[i] |= CT_RENDER_OBJECT_MARKED;
    put_value(w, i, covered_parameter(), value && had_own ? own : NULL);
    put_value(w, i, ct_render_outline_parameter(), value ? value : had_own ? own : NULL);
    mark_outlined(w, i, value || had_own);
}

// --- Life of objects -----------------------------------------------------------------------------

static void free_skin(ct_render_world *w, uint32_t object) {
    if (w->flags[object] & CT_RENDER_OBJECT_SKINNED)
        ct_render_skins_remove(&w->skeletons, w->skins[object]);
    w->flags[object] &= (uint8_t)~CT_RENDER_OBJECT_SKINNED;
}

void ct_render_world_remove_objects(ct_render_world *w, const ct_render_object_id *ids,
                                    uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = find(w, ids[k]);
        if (i == UINT32_MAX)
            continue;
        ++w->materials_version;
        free_values(w, i);
        free_more_materials(w, i);
        free_skin(w, i);
        mark_outlined(w, i, false);
        ct_render_culling_swap_erase(&w->culling, i);
        ct_soa_block_swap_erase(&w->objects, i);
        if (i < w->objects.count && (w->flags[i] & CT_RENDER_OBJECT_SKINNED))
            w->skeletons.skins.items[w->skins[i]].object = i;
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
        keep_previous(w, i);
        set_pose(w, i, &poses[k], meshes);
        next = i + 1;
    }
}

void ct_render_world_set_flag(ct_render_world *w, ct_render_object_id id, uint32_t flag,
                              bool is_set) {
    const uint32_t i = find(w, id);
    if (i == UINT32_MAX)
        return;
    const bool is_shown = w->flags[i] & flag & CT_RENDER_OBJECT_HIDDEN && !is_set;
    if (is_shown || flag & CT_RENDER_OBJECT_JUMPED)
        w->motions[i] = (ct_render_object_motion){.frame = (uint32_t)w->frame, .is_new = true};
    flag &= ~(uint32_t)CT_RENDER_OBJECT_JUMPED;
    w->flags[i] &= (uint8_t)~flag;
    if (is_set)
        w->flags[i] |= (uint8_t)flag;
}

void ct_render_world_set_material(ct_render_world *w, ct_render_object_id id, uint32_t part,
                                  uint32_t material) {
    const uint32_t i = find(w, id);
    if (i == UINT32_MAX || part >= CT_MESH_MAX_MATERIALS)
        return;
    ++w->materials_version;
    set_material(w, i, part, material);
}

void ct_render_world_set_skeleton(ct_render_world *w, ct_render_object_id id,
                                  ct_render_skeleton_id skeleton) {
    const uint32_t i = find(w, id);
    if (i == UINT32_MAX)
        return;
    const bool had_skin = w->flags[i] & CT_RENDER_OBJECT_SKINNED;
    if (!had_skin && !skeleton.value)
        return;
    // Without a skeleton the skin stays until the object goes: its sphere must be found again.
    if (had_skin)
        ct_render_skins_remove(&w->skeletons, w->skins[i]);
    w->skins[i] = ct_render_skins_add(&w->skeletons, i, skeleton);
    w->flags[i] |= CT_RENDER_OBJECT_SKINNED;
}
