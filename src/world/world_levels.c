#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "world/world_private.h"

void ct_world_place_in_level(const void *place, uint32_t copy, ct_transform_data *transform) {
    (void)copy;
    const ct_level_pose *const level = place;
    ct_vec3 position, scale;
    ct_quat rotation;
    memcpy(&position, transform->position, sizeof(position));
    memcpy(&rotation, transform->rotation, sizeof(rotation));
    memcpy(&scale, transform->scale, sizeof(scale));
    position = ct_mat4_transform_point(level->matrix, position);
    rotation = ct_quat_mul(level->rotation, rotation);
    scale = ct_vec3_mul(level->scale, scale);
    memcpy(transform->position, &position, sizeof(position));
    memcpy(transform->rotation, &rotation, sizeof(rotation));
    memcpy(transform->scale, &scale, sizeof(scale));
}

static bool is_identity(const ct_level_pose *pose) {
    const ct_mat4 identity = ct_mat4_identity();
    const ct_quat none = ct_quat_identity();
    const ct_vec3 one = ct_vec3_make(1, 1, 1);
    return memcmp(&pose->matrix, &identity, sizeof(identity)) == 0 &&
           memcmp(&pose->rotation, &none, sizeof(none)) == 0 &&
           memcmp(&pose->scale, &one, sizeof(one)) == 0;
}

// --- Spawning ------------------------------------------------------------------------------------

// Returns the record of a level before its first unit is spawned. It outlives a reload of the
// resource.
static ct_level_record make_record(ct_world *w, const ct_level_resource *level,
                                   ct_string_id64 resource, const ct_level_pose *pose) {
    const uint32_t count = level->units.count;
    return (ct_level_record){
        .units = CT_NEW_ARRAY(w->allocator, ct_entity, count),
        .ids = CT_NEW_ARRAY(w->allocator, uint32_t, count),
        .max_units = count,
        .script = level->script,
        .flow = level->flow,
        .navigation = level->navigation,
        .checksum = level->header.checksum,
        .entity_places = {.allocator = w->allocator},
        .id_places = {.allocator = w->allocator},
        .resource = resource,
        .members = ct_level_members_create(w, level, ct_string_id64_name(resource), pose),
        .pose = *pose};
}

static void free_record(ct_world *w, ct_level_record *record) {
    ct_free_sized(w->allocator, record->units, sizeof(ct_entity) * (uint64_t)record->max_units);
    ct_free_sized(w->allocator, record->ids, sizeof(uint32_t) * (uint64_t)record->max_units);
    ct_hash_map_free(&record->entity_places);
    ct_hash_map_free(&record->id_places);
    ct_level_members_destroy(w, record->members);
}

// Enters the units whose roots are among `entities`, those from `first` up to `end`.
static void add_units(ct_world *w, const ct_level_resource *level, ct_level_record *record,
                      const ct_entity *entities, uint32_t first, uint32_t end) {
    const ct_level_unit *const units = ct_blob_at(level, level->units.offset);
    for (uint32_t i = record->num_units; i < level->units.count && units[i].root < end; ++i) {
        record->units[i] = entities[units[i].root - first];
        record->ids[i] = units[i].id.value;
        ct_world_add_unit(w, record->units[i], units[i].unit);
        record->num_units = i + 1;
    }
}

// The place of a level in the world's levels, from 1, or 0. They are few.
static uint32_t level_place(const ct_world *w, ct_level level) {
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        if (w->levels.items[i].id == level.id)
            return i + 1;
    }
    return 0;
}

static ct_level_record *find_record(ct_world *w, ct_level level) {
    const uint32_t place = level_place(w, level);
    return place ? &w->level_records.items[place - 1] : NULL;
}

// Calls the rows of the world for a level that has all its units, if it is still there.
static void call_level_spawned(ct_world *w, ct_level id) {
    ct_level_record *const record = find_record(w, id);
    if (!record || record->is_ending)
        return;
    record->is_told = true;
    ct_world_call_level_spawned(w, id);
}

// Calls the rows of the world for the units of a level from `first` on. They may change the level.
static void call_spawned(ct_world *w, ct_level id, const ct_level_record *record, uint32_t first) {
    ct_world_system *const s = w->system;
    const bool is_complete = !record->is_spawning;
    const uint32_t count = record->num_units - first;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *const units =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(*units) * (uint64_t)count);
    if (count > 0)
        memcpy(units, record->units + first, sizeof(*units) * (uint64_t)count);
    ct_world_call_units_spawned(w, units, count);
    ct_frame_allocator_reset(s->scratch, mark);
    if (is_complete)
        call_level_spawned(w, id);
}

// Spawns at least `least` more entities, whole units, or all that are left. The record may have
// moved or ended when it returns true.
static bool spawn_slice(ct_world *w, const ct_level_resource *level, ct_level id,
                        ct_level_record *record, uint32_t least, ct_error *error) {
    ct_world_system *const s = w->system;
    if (!record->is_started) {
        record->is_started = true;
        ct_world_call_level_started(w, id);
    }
    const uint32_t *const parents = ct_blob_at(level, level->entities.parents.offset);
    const uint32_t first = record->num_spawned, all = level->entities.num_entities;
    uint32_t end = least < all - first ? first + least : all;
    while (end < all && parents[end] != CT_NO_PARENT)
        ++end;
    const ct_template_spawn spawn = {
        .resource = record->resource,
        .blob = level,
        .entities = &level->entities,
        .first_entity = first,
        .num_entities = end - first,
        .num_copies = 1,
        .place_root = is_identity(&record->pose) ? NULL : ct_world_place_in_level,
        .place = &record->pose};
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *const entities =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(*entities) * (end - first));
    const bool is_there = ct_world_spawn_template(w, &spawn, entities, error);
    const uint32_t num_before = record->num_units;
    if (is_there) {
        add_units(w, level, record, entities, first, end);
        record->num_spawned = end;
        record->is_spawning = end < all;
    }
    ct_frame_allocator_reset(s->scratch, mark);
    if (is_there)
        call_spawned(w, id, record, num_before);
    return is_there;
}

static const ct_level_resource *find_level(const ct_world *w, ct_string_id64 name) {
    return ct_resource_manager_get(w->system->resources, "level", name);
}

// Makes a level of which nothing is spawned yet. `name` is for messages.
static ct_level add_level(ct_world *w, ct_string_id64 resource, const char *name, ct_vec3 position,
                          ct_quat rotation, ct_vec3 scale, double budget_seconds, ct_error *error) {
    const ct_level_resource *const level = find_level(w, resource);
    CT_ASSERT(ct_vec3_is_finite(position) && ct_quat_is_finite(rotation) &&
                  ct_vec3_is_finite(scale),
              "the level's pose is not finite");
    if (!level)
        ct_error_set(error, "the level %s is not loaded", name);
    else if (w->is_ending)
        ct_error_set(error, "the world is about to end");
    if (!level || w->is_ending ||
        !ct_entity_has_room(w->system->entities, level->entities.num_entities, error))
        return (ct_level){0};
    const ct_level_pose pose = {ct_mat4_compose(position, rotation, scale), rotation, scale};
    ct_level_record record = make_record(w, level, resource, &pose);
    record.budget_seconds = budget_seconds;
    record.is_spawning = true;
    const ct_level id = {++w->system->last_level};
    ct_array_push(&w->levels, id);
    ct_array_push(&w->level_records, record);
    return id;
}

ct_level ct_world_spawn_level_gradually(ct_world *w, const char *name, ct_vec3 position,
                                        ct_quat rotation, ct_vec3 scale, double budget_seconds,
                                        ct_error *error) {
    CT_ERROR_CONTEXT("spawning level", name);
    return add_level(w, ct_string_id64_of(name), name, position, rotation, scale, budget_seconds,
                     error);
}

// Spawns a level at once. `name` is for messages.
static ct_level spawn_level(ct_world *w, ct_string_id64 resource, const char *name,
                            ct_vec3 position, ct_quat rotation, ct_vec3 scale, ct_error *error) {
    CT_ERROR_CONTEXT("spawning level", name);
    const ct_level id = add_level(w, resource, name, position, rotation, scale, 0, error);
    if (!id.id)
        return id;
    ct_level_record *const record = &w->level_records.items[w->level_records.count - 1];
    if (spawn_slice(w, find_level(w, record->resource), id, record, UINT32_MAX, error))
        return id;
    ct_world_destroy_level(w, id);
    return (ct_level){0};
}

ct_level ct_world_spawn_level(ct_world *w, const char *name, ct_vec3 position, ct_quat rotation,
                              ct_vec3 scale, ct_error *error) {
    return spawn_level(w, ct_string_id64_of(name), name, position, rotation, scale, error);
}

ct_level ct_world_spawn_level_of(ct_world *w, ct_string_id64 resource, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale, ct_error *error) {
    return spawn_level(w, resource, ct_string_id64_name(resource), position, rotation, scale,
                       error);
}

// Spawns a level again whose data was replaced. Destroys the units of the old data first; rows
// called for that may also end this level and make others.
static void start_anew(ct_world *w, ct_level id, ct_level_record *record,
                       const ct_level_resource *level) {
    if (record->is_started) {
        record->is_ending = true; // for the time of this call nothing else ends it
        ct_world_call_level_destroyed(w, id, false);
        record = find_record(w, id);
    }
    ct_level_record old = *record;
    *record = make_record(w, level, old.resource, &old.pose);
    record->budget_seconds = old.budget_seconds;
    record->is_spawning = true;
    ct_world_destroy_units(w, old.units, old.num_units);
    free_record(w, &old);
}

static void cut_off(ct_world *w, ct_level id, ct_level_record *record, const char *why) {
    record->is_spawning = false;
    ct_log_error("world", "level_cut_off", "stopped spawning the level %s: %s",
                 ct_string_id64_name(record->resource), why);
    call_level_spawned(w, id);
}

// Spawns the next slice of a level. Returns the level's record after that, or NULL when it has
// ended.
static ct_level_record *continue_level(ct_world *w, ct_level id, ct_level_record *record) {
    enum { SLICE = 64 }; // entities between looks at the clock
    const ct_level_resource *level = find_level(w, record->resource);
    ct_error error = {0};
    if (level && level->header.checksum != record->checksum) {
        start_anew(w, id, record, level);
        record = find_record(w, id);
    }
    if (record && !level)
        cut_off(w, id, record, "it was unloaded");
    else if (record && !spawn_slice(w, level, id, record, SLICE, &error))
        cut_off(w, id, record, error.message);
    return find_record(w, id);
}

static void spend_budget(ct_world *w, ct_level id) {
    const uint64_t start_ns = ct_os_time_ns();
    ct_level_record *record = find_record(w, id);
    while (record && record->is_spawning) {
        record = continue_level(w, id, record);
        if (record && (double)(ct_os_time_ns() - start_ns) * 1e-9 >= record->budget_seconds)
            return;
    }
}

void ct_world_continue_levels(ct_world *w) {
    const uint32_t last = w->system->last_level; // those that come now begin in the next step
    for (uint32_t i = 0; i < w->levels.count;) {
        const ct_level id = w->levels.items[i];
        if ((int32_t)(id.id - last) <= 0 && w->level_records.items[i].is_spawning)
            spend_budget(w, id);
        // If another level has taken the place of one that ended, it is next.
        i += i < w->levels.count && w->levels.items[i].id == id.id;
    }
}

// --- Levels --------------------------------------------------------------------------------------

static const ct_level_record *record_of(const ct_world *w, ct_level level) {
    const uint32_t place = level_place(w, level);
    return place ? &w->level_records.items[place - 1] : NULL;
}

void ct_world_destroy_level(ct_world *w, ct_level level) {
    uint32_t place = level_place(w, level);
    if (place == 0 || w->level_records.items[place - 1].is_ending)
        return;
    w->level_records.items[place - 1].is_ending = true;
    if (w->level_records.items[place - 1].is_started)
        ct_world_call_level_destroyed(w, level, w->level_records.items[place - 1].is_told);
    place = level_place(w, level); // others may have come and gone
    ct_level_record record = w->level_records.items[place - 1];
    ct_array_swap_erase(&w->levels, place - 1);
    ct_array_swap_erase(&w->level_records, place - 1);
    ct_world_destroy_units(w, record.units, record.num_units);
    free_record(w, &record);
}

bool ct_level_is_spawned(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record && !record->is_spawning;
}

bool ct_level_is_alive(const ct_world *w, ct_level level) {
    return level_place(w, level) != 0;
}

const ct_entity *ct_level_units(const ct_world *w, ct_level level, uint32_t *count) {
    const ct_level_record *const record = record_of(w, level);
    *count = record ? record->num_units : 0;
    return record ? record->units : NULL;
}

uint32_t ct_level_num_units(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->max_units : 0;
}

const uint32_t *ct_level_unit_ids(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->ids : NULL;
}

ct_string_id64 ct_level_resource_id(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->resource : (ct_string_id64){0};
}

ct_string_id64 ct_level_flow(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->flow : (ct_string_id64){0};
}

ct_string_id64 ct_world_level_navigation(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->navigation : (ct_string_id64){0};
}

ct_string_id64 ct_level_script(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->script : (ct_string_id64){0};
}

const ct_level_members *ct_world_level_members(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->members : NULL;
}

ct_mat4 ct_level_world_pose(const ct_world *w, ct_level level) {
    const ct_level_record *const record = record_of(w, level);
    return record ? record->pose.matrix : ct_mat4_identity();
}

const ct_level *ct_world_levels(const ct_world *w, uint32_t *count) {
    *count = w->levels.count;
    return w->levels.items;
}
