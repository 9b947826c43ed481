// The units of a world that is loaded: which stay, go, and come.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/save/world_save_private.h"

void ct_world_load_problem(ct_world_loading *l, uint64_t key, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (key && ct_hash_map_find(&l->told, key | 1))
        return;
    if (key)
        ct_hash_map_set(&l->told, key | 1, 1);
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (l->desc->problem)
        l->desc->problem(l->desc->user, text);
}

static const ct_saved_unit *units_of(const ct_world_loading *l) {
    return ct_saved_at(l->saved, &l->saved->units);
}

// --- Finding -------------------------------------------------------------------------------------

// Where the units of the save are in the world.
typedef struct unit_plan {
    ct_world_loading *loading;
    ct_u32_array kept;  // by entity index: the number of a unit that stays, plus 1
    ct_hash_map places; // from level and id to the place in the level; filled when needed
    bool has_places;
    uint32_t level, next; // of the unit that was found last: its level, the place after it
} unit_plan;

static uint64_t key_of(uint32_t level, uint32_t id) {
    return (uint64_t)level << 32 | id;
}

static void note_places(unit_plan *plan) {
    const ct_world_loading *const l = plan->loading;
    plan->has_places = true;
    for (uint32_t i = 0; i < l->levels.count; ++i) {
        const ct_level_record *const record = ct_world_load_level_record(l, l->levels.items[i]);
        if (record)
            ct_hash_map_reserve(&plan->places, plan->places.count + record->num_units);
        for (uint32_t k = 0; record && k < record->num_units; ++k)
            ct_hash_map_add(&plan->places, key_of(i + 1, record->ids[k]), k);
    }
}

// Finds the place of a unit in its level. Most units follow the one before.
static bool find_place(unit_plan *plan, const ct_saved_unit *s, uint32_t *place) {
    if (plan->level != s->level) {
        plan->level = s->level;
        plan->next = 0;
    }
    const ct_level_record *const record =
        ct_world_load_level_record(plan->loading, plan->loading->levels.items[s->level - 1]);
    if (!record)
        return false;
    if (plan->next < record->num_units && record->ids[plan->next] == s->level_id) {
        *place = plan->next++;
        return true;
    }
    if (!plan->has_places)
        note_places(plan);
    const uint64_t *const found = ct_hash_map_find(&plan->places, key_of(s->level, s->level_id));
    if (!found)
        return false;
    *place = (uint32_t)*found;
    plan->next = *place + 1;
    return true;
}

static bool is_kept(const unit_plan *plan, ct_entity unit) {
    const uint32_t index = ct_entity_index(unit);
    const uint32_t number = index < plan->kept.count ? plan->kept.items[index] : 0;
    return number && ct_entity_equal(plan->loading->desc->units[number - 1], unit);
}

// Returns false when another saved unit has the unit already.
static bool keep(unit_plan *plan, ct_entity unit, uint32_t number) {
    if (is_kept(plan, unit))
        return false;
    plan->kept.items[ct_entity_index(unit)] = number + 1;
    return true;
}

static void find_level_unit(unit_plan *plan, uint32_t number) {
    ct_world_loading *const l = plan->loading;
    const ct_saved_unit *const s = &units_of(l)[number];
    uint32_t place;
    if (!find_place(plan, s, &place))
        return;
    const ct_entity unit =
        ct_world_load_level_record(l, l->levels.items[s->level - 1])->units[place];
    if (unit.id && ct_entity_is_alive(l->world->system->entities, unit) &&
        ct_world_unit_resource(l->world, unit).value == s->resource) // or another has taken the id
        l->desc->units[number] = unit;
}

static void find_units(unit_plan *plan) {
    ct_world_loading *const l = plan->loading;
    ct_world *const w = l->world;
    for (uint32_t i = 0; i < l->saved->units.count; ++i) {
        const ct_saved_unit *const s = &units_of(l)[i];
        const ct_entity same = {s->entity_id};
        uint32_t place;
        l->desc->units[i] = (ct_entity){0};
        if (s->level) {
            if (l->levels.items[s->level - 1].id)
                find_level_unit(plan, i);
        } else if (ct_entity_is_well_formed(same) &&
                   ct_entity_is_alive(w->system->entities, same) && ct_world_has_unit(w, same) &&
                   ct_world_unit_resource(w, same).value == s->resource &&
                   !ct_world_find_level_unit(w, same, &place).id) {
            l->desc->units[i] = same;
        }
        const ct_entity unit = l->desc->units[i];
        l->desc->units[i] = unit.id && keep(plan, unit, i) ? unit : (ct_entity){0};
    }
}

// --- Destroying ----------------------------------------------------------------------------------

// Whether the save knew a unit of a level, alive or dead.
static bool was_known(const ct_world_loading *l, uint32_t level, uint32_t id) {
    const ct_saved_level *const s =
        (const ct_saved_level *)ct_saved_at(l->saved, &l->saved->levels) + level;
    const uint32_t *const ids =
        (const uint32_t *)ct_saved_at(l->saved, &l->saved->level_ids) + s->first_id;
    for (uint32_t i = 0; i < s->num_ids; ++i) {
        if (ids[i] == id)
            return true;
    }
    return false;
}

// Units that came to a level's source since the save stay.
static bool is_new_in_level(unit_plan *plan, ct_entity unit) {
    ct_world_loading *const l = plan->loading;
    uint32_t place;
    const ct_level level = ct_world_find_level_unit(l->world, unit, &place);
    for (uint32_t i = 0; level.id && i < l->levels.count; ++i) {
        const ct_level_record *const record =
            l->levels.items[i].id == level.id ? ct_world_load_level_record(l, level) : NULL;
        if (!record || was_known(l, i, record->ids[place]))
            continue;
        ct_world_load_problem(l, level.id + (1ull << 40),
                              "the level \"%s\" has units that the save does not know, such as "
                              "\"%s\": they stay as they are",
                              ct_string_id64_name(record->resource),
                              ct_string_id64_name(ct_world_unit_resource(l->world, unit)));
        return true;
    }
    return false;
}

static void destroy_others(unit_plan *plan) {
    ct_world *const w = plan->loading->world;
    CT_ARRAY(ct_entity) gone;
    ct_array_init(&gone, w->allocator);
    for (uint32_t i = 0; i < w->units.count; ++i) {
        const ct_entity unit = w->units.items[i];
        if (!is_kept(plan, unit) && !is_new_in_level(plan, unit))
            ct_array_push(&gone, unit);
    }
    ct_world_destroy_units(w, gone.items, gone.count);
    ct_array_free(&gone);
}

// --- Spawning ------------------------------------------------------------------------------------

// Spawns one unit of a level again, as the level has it.
static bool spawn_level_unit(unit_plan *plan, uint32_t number, ct_error *error) {
    ct_world_loading *const l = plan->loading;
    ct_world *const w = l->world;
    const ct_saved_unit *const s = &units_of(l)[number];
    const ct_level level = l->levels.items[s->level - 1];
    const ct_level_record *const record = ct_world_load_level_record(l, level);
    uint32_t place = 0;
    const bool is_found = find_place(plan, s, &place);
    const ct_level_resource *const r =
        record ? ct_resource_manager_get(w->system->resources, "level", record->resource) : NULL;
    if (!is_found || !r || r->header.checksum != record->checksum)
        return ct_error_set(error, "its level does not have it any more");
    const ct_level_unit *const unit = (const ct_level_unit *)ct_blob_at(r, r->units.offset) + place;
    const uint32_t *const parents = ct_blob_at(r, r->entities.parents.offset);
    uint32_t end = unit->root + 1;
    while (end < r->entities.num_entities && parents[end] != CT_NO_PARENT)
        ++end;
    if (unit->unit.value != s->resource)
        return ct_error_set(error, "its level has the unit \"%s\" in its place",
                            ct_string_id64_name(unit->unit));
    const ct_template_spawn spawn = {.resource = record->resource,
                                     .blob = r,
                                     .entities = &r->entities,
                                     .first_entity = unit->root,
                                     .num_entities = end - unit->root,
                                     .num_copies = 1,
                                     .place_root = ct_world_place_in_level,
                                     .place = &record->pose};
    CT_ARRAY(ct_entity) entities;
    ct_array_init(&entities, w->allocator);
    ct_array_resize(&entities, spawn.num_entities);
    const bool is_there = ct_world_spawn_template(w, &spawn, entities.items, error);
    if (is_there) {
        const ct_entity root = entities.items[0];
        ct_world_add_unit(w, root, unit->unit);
        ct_world_set_level_unit(w, level, place, root);
        ct_world_call_units_spawned(w, &root, 1);
        l->desc->units[number] = root;
    }
    ct_array_free(&entities);
    return is_there;
}

// Reads a saved root's local pose, which is its world pose unless it is linked.
static void read_pose(const ct_world_loading *l, const ct_saved_type *type, uint32_t entity,
                      ct_vec3 *position, ct_quat *rotation, ct_vec3 *scale) {
    const uint8_t *const row = type ? ct_world_load_row(l, type, entity) : NULL;
    const ct_saved_field *const fields =
        type ? (const ct_saved_field *)ct_saved_at(l->saved, &l->saved->fields) + type->first_field
             : NULL;
    *position = ct_vec3_make(0, 0, 0);
    *rotation = ct_quat_identity();
    *scale = ct_vec3_make(1, 1, 1);
    for (uint32_t i = 0; row && i < type->num_fields; ++i) {
        const char *const name = ct_saved_text(l->saved, fields[i].name);
        ct_vec3 v = {{0}};
        ct_quat q;
        if (fields[i].kind == CT_SAVE_KIND_F32 && fields[i].size_bytes == sizeof(float) * 3) {
            memcpy(&v, row + fields[i].offset, sizeof(float) * 3);
            if (ct_vec3_is_finite(v) && strcmp(name, "position") == 0)
                *position = v;
            if (ct_vec3_is_finite(v) && strcmp(name, "scale") == 0)
                *scale = v;
        }
        if (fields[i].kind == CT_SAVE_KIND_F32 && fields[i].size_bytes == sizeof(q) &&
            strcmp(name, "rotation") == 0) {
            memcpy(&q, row + fields[i].offset, sizeof(q));
            *rotation = ct_quat_is_rotation(q) ? q : *rotation;
        }
    }
}

// Spawns the units from `first` on that are missing and of one resource; returns the number after them.
static uint32_t spawn_run(ct_world_loading *l, uint32_t first) {
    ct_world *const w = l->world;
    const ct_saved_unit *const units = units_of(l);
    const ct_saved_type *const transforms = ct_world_load_type(l, "transform");
    const char *const name = ct_saved_text(l->saved, units[first].name);
    uint32_t end = first;
    CT_ARRAY(ct_vec3) positions;
    CT_ARRAY(ct_quat) rotations;
    CT_ARRAY(ct_vec3) scales;
    ct_error error = {0};
    ct_array_init(&positions, w->allocator);
    ct_array_init(&rotations, w->allocator);
    ct_array_init(&scales, w->allocator);
    for (; end < l->saved->units.count && !units[end].level && !l->desc->units[end].id &&
           units[end].resource == units[first].resource;
         ++end) {
        ct_vec3 position, scale;
        ct_quat rotation;
        read_pose(l, transforms, units[end].first_entity, &position, &rotation, &scale);
        ct_array_push(&positions, position);
        ct_array_push(&rotations, rotation);
        ct_array_push(&scales, scale);
    }
    if (!ct_world_spawn_units_of(w, (ct_string_id64){units[first].resource}, positions.items,
                                 rotations.items, scales.items, end - first, l->desc->units + first,
                                 &error))
        memset(l->desc->units + first, 0, sizeof(ct_entity) * (end - first));
    if (error.message[0])
        ct_world_load_problem(l, units[first].resource,
                              "units \"%s\" of the saved world are left out: %s", name,
                              error.message);
    ct_array_free(&positions);
    ct_array_free(&rotations);
    ct_array_free(&scales);
    return end;
}

static void spawn_missing(unit_plan *plan) {
    ct_world_loading *const l = plan->loading;
    for (uint32_t i = 0; i < l->saved->units.count;) {
        const ct_saved_unit *const s = &units_of(l)[i];
        if (l->desc->units[i].id) {
            ++i;
        } else if (!s->level) {
            i = spawn_run(l, i);
        } else {
            ct_error error = {0};
            if (!spawn_level_unit(plan, i, &error))
                ct_world_load_problem(l, s->resource ^ s->level,
                                      "the unit \"%s\" of a level is left out: %s",
                                      ct_saved_text(l->saved, s->name), error.message);
            ++i;
        }
    }
}

// --- Numbers of entities -------------------------------------------------------------------------

static uint32_t count_entities(const ct_world *w, ct_entity unit) {
    uint32_t count = 0;
    for (ct_entity e = unit; e.id; e = ct_world_next_entity(w, unit, e))
        ++count;
    return count;
}

// Gives the entities their numbers. Of a unit that has other entities than it had, only the root is the
// same for sure.
static void number_entities(ct_world_loading *l, bool is_reported) {
    const ct_world *const w = l->world;
    l->now.entities.count = 0;
    if (l->now.numbers.count > 0)
        memset(l->now.numbers.items, 0, sizeof(*l->now.numbers.items) * l->now.numbers.count);
    for (uint32_t i = 0; i < l->saved->units.count; ++i) {
        const ct_saved_unit *const s = &units_of(l)[i];
        const bool is_alive =
            l->desc->units[i].id && ct_entity_is_alive(w->system->entities, l->desc->units[i]);
        const ct_entity unit = is_alive ? l->desc->units[i] : (ct_entity){0};
        l->desc->units[i] = unit;
        const uint32_t count = unit.id ? count_entities(w, unit) : 0;
        if (unit.id && count != s->num_entities && is_reported)
            ct_world_load_problem(l, s->resource + 1,
                                  "the unit \"%s\" has %u entities, and had %u when it was saved: "
                                  "only its root is restored",
                                  ct_saved_text(l->saved, s->name), count, s->num_entities);
        ct_entity e = unit;
        for (uint32_t k = 0; k < s->num_entities; ++k) {
            ct_world_save_number(&l->now, k == 0 || count == s->num_entities ? e : (ct_entity){0});
            if (e.id)
                e = ct_world_next_entity(w, unit, e);
        }
    }
}

// --- Higher floors -------------------------------------------------------------------------------

// Destroys units and levels that came since the units of the save were there.
static void destroy_new(unit_plan *plan) {
    ct_world_loading *const l = plan->loading;
    const ct_world_system *const s = l->world->system;
    if (s->families.count > plan->kept.count)
        ct_array_resize(&plan->kept, s->families.count);
    for (uint32_t i = 0; i < l->saved->units.count; ++i) {
        const ct_entity unit = l->desc->units[i];
        if (unit.id && ct_entity_is_alive(s->entities, unit))
            plan->kept.items[ct_entity_index(unit)] = i + 1;
    }
    ct_world_load_destroy_levels(l, false);
    destroy_others(plan);
}

// Calls what is to be called before rows are loaded, and adds the instances that the world does not have. What
// comes by that is called, too, a few times over, unless it is beside the save: that goes before, as it may bring
// more each time.
static void begin_kinds(unit_plan *plan) {
    enum { NUM_CALLS = 3 };
    ct_world_loading *const l = plan->loading;
    for (uint32_t i = 0; i < l->desc->num_extra; ++i) {
        const ct_save_component *const kind = &l->desc->extra[i];
        const ct_saved_type *const type = ct_world_load_type(l, kind->name);
        for (uint32_t k = 0; kind->begin && k < NUM_CALLS; ++k) {
            kind->begin(l, kind->user);
            if (k == 0 && type && type->rows.count > 0) {
                number_entities(l, false);
                ct_world_load_add_missing(l, kind, type);
            }
            destroy_new(plan);
        }
    }
}

// Brings the units of no level into the order of the save, so that saving again gives the same.
static void order_units(ct_world_loading *l) {
    ct_world *const w = l->world;
    uint32_t place = 0;
    for (uint32_t i = 0; i < l->saved->units.count; ++i) {
        const ct_entity unit = l->desc->units[i];
        if (units_of(l)[i].level || !unit.id || !ct_world_has_unit(w, unit))
            continue;
        const uint32_t from = w->system->families.items[ct_entity_index(unit)].unit - 1;
        ct_world_swap_units(w, place++, from);
    }
}

void ct_world_load_units(ct_world_loading *l) {
    unit_plan plan = {.loading = l};
    ct_array_init(&plan.kept, l->world->allocator);
    ct_hash_map_init(&plan.places, l->world->allocator);
    ct_world_load_levels(l);
    ct_array_resize(&plan.kept, l->world->system->families.count);
    find_units(&plan);
    destroy_others(&plan);
    spawn_missing(&plan);
    begin_kinds(&plan);
    number_entities(l, true);
    order_units(l);
    ct_array_free(&plan.kept);
    ct_hash_map_free(&plan.places);
}
