#include <string.h>

#include "foundation/error.h"
#include "world/world_private.h"

typedef struct ct_level_pose {
    ct_mat4 matrix;
    ct_quat rotation;
    ct_vec3 scale;
} ct_level_pose;

// The level's pose times the root's own. Scales multiply axis by axis: the shear that a rotated
// root in an unevenly scaled level would get is left out.
static void place_in_level(const void *place, uint32_t copy, ct_transform_data *transform) {
    (void)copy;
    const ct_level_pose *level = place;
    ct_vec3 position, scale;
    ct_quat rotation;
    memcpy(&position, transform->position, sizeof position);
    memcpy(&rotation, transform->rotation, sizeof rotation);
    memcpy(&scale, transform->scale, sizeof scale);
    position = ct_mat4_transform_point(level->matrix, position);
    rotation = ct_quat_mul(level->rotation, rotation);
    scale = ct_vec3_mul(level->scale, scale);
    memcpy(transform->position, &position, sizeof position);
    memcpy(transform->rotation, &rotation, sizeof rotation);
    memcpy(transform->scale, &scale, sizeof scale);
}

static bool is_identity(const ct_level_pose *pose) {
    const ct_mat4 identity = ct_mat4_identity();
    const ct_quat none = ct_quat_identity();
    const ct_vec3 one = ct_vec3_make(1, 1, 1);
    return memcmp(&pose->matrix, &identity, sizeof identity) == 0 &&
           memcmp(&pose->rotation, &none, sizeof none) == 0 &&
           memcmp(&pose->scale, &one, sizeof one) == 0;
}

// Notes which units the level made, which outlives a reload of the resource.
static ct_level_record make_record(ct_world *w, const ct_level_resource *level,
                                   const ct_entity *entities) {
    const ct_level_unit *units = ct_blob_at(level, level->units.offset);
    const uint32_t count = level->units.count;
    ct_level_record record = {.units = CT_NEW_ARRAY(w->allocator, ct_entity, count),
                              .ids = CT_NEW_ARRAY(w->allocator, uint32_t, count),
                              .num_units = count,
                              .script = level->script};
    for (uint32_t i = 0; i < count; ++i) {
        record.units[i] = entities[units[i].root];
        record.ids[i] = units[i].id.value;
        ct_world_add_unit(w, record.units[i], units[i].unit);
    }
    return record;
}

ct_level ct_world_spawn_level(ct_world *w, const char *name, ct_vec3 position, ct_quat rotation,
                              ct_vec3 scale, ct_error *error) {
    CT_ERROR_CONTEXT("spawning level", name);
    ct_world_system *s = w->system;
    const ct_level_resource *level =
        ct_resource_manager_get(s->resources, "level", ct_string_id64_of(name));
    if (!level) {
        ct_error_set(error, "the level %s is not loaded", name);
        return (ct_level){0};
    }
    CT_ASSERT(ct_vec3_is_finite(position) && ct_quat_is_finite(rotation) &&
                  ct_vec3_is_finite(scale),
              "the level's pose is not finite");
    const ct_level_pose pose = {ct_mat4_compose(position, rotation, scale), rotation, scale};
    const ct_template_spawn spawn = {.resource = ct_string_id64_of(name),
                                     .blob = level,
                                     .entities = &level->entities,
                                     .num_entities = level->entities.num_entities,
                                     .num_copies = 1,
                                     .place_root = is_identity(&pose) ? NULL : place_in_level,
                                     .place = &pose};
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *entities = ct_alloc(ct_frame_allocator_interface(s->scratch),
                                   sizeof(ct_entity) * (uint64_t)level->entities.num_entities);
    if (!ct_world_spawn_template(w, &spawn, entities, error)) {
        ct_frame_allocator_reset(s->scratch, mark);
        return (ct_level){0};
    }
    const ct_level id = {++s->last_level};
    ct_array_push(&w->levels, id);
    ct_level_record record = make_record(w, level, entities);
    record.pose = pose.matrix;
    ct_array_push(&w->level_records, record);
    ct_frame_allocator_reset(s->scratch, mark);
    return id;
}

// The place of a level in the world's levels, from 1, or 0. They are few.
static uint32_t level_place(const ct_world *w, ct_level level) {
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        if (w->levels.items[i].id == level.id)
            return i + 1;
    }
    return 0;
}

static const ct_level_record *record_of(const ct_world *w, ct_level level) {
    const uint32_t place = level_place(w, level);
    return place ? &w->level_records.items[place - 1] : NULL;
}

void ct_world_destroy_level(ct_world *w, ct_level level) {
    const uint32_t place = level_place(w, level);
    if (place == 0)
        return;
    const ct_level_record record = w->level_records.items[place - 1];
    ct_array_swap_erase(&w->levels, place - 1);
    ct_array_swap_erase(&w->level_records, place - 1);
    ct_world_destroy_units(w, record.units, record.num_units);
    ct_free_sized(w->allocator, record.units, sizeof(ct_entity) * (uint64_t)record.num_units);
    ct_free_sized(w->allocator, record.ids, sizeof(uint32_t) * (uint64_t)record.num_units);
}

bool ct_level_is_alive(const ct_world *w, ct_level level) {
    return level_place(w, level) != 0;
}

const ct_entity *ct_level_units(const ct_world *w, ct_level level, uint32_t *count) {
    const ct_level_record *record = record_of(w, level);
    *count = record ? record->num_units : 0;
    return record ? record->units : NULL;
}

const uint32_t *ct_level_unit_ids(const ct_world *w, ct_level level) {
    const ct_level_record *record = record_of(w, level);
    return record ? record->ids : NULL;
}

ct_string_id64 ct_level_script(const ct_world *w, ct_level level) {
    const ct_level_record *record = record_of(w, level);
    return record ? record->script : (ct_string_id64){0};
}

ct_mat4 ct_level_world_pose(const ct_world *w, ct_level level) {
    const ct_level_record *record = record_of(w, level);
    return record ? record->pose : ct_mat4_identity();
}

const ct_level *ct_world_levels(const ct_world *w, uint32_t *count) {
    *count = w->levels.count;
    return w->levels.items;
}
