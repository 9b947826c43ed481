#include "dev/inspect/inspect_entities.h"

#include <string.h>

#include "dev/console_server.h"
#include "dev/inspect/entity_outlines.h"
#include "dev/inspect/inspect_find.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/sort.h"

enum { DEFAULT_ENTITIES = 1000, MAX_ENTITIES = 10000, DEFAULT_CHANGES = 2500 };

// --- world_list ----------------------------------------------------------------------------------

static void write_levels(ct_sjson_writer *w, const ct_world *world) {
    uint32_t count;
    const ct_level *const levels = ct_world_levels(world, &count);
    ct_sjson_write_key(w, "levels");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "level", levels[i].id);
        ct_sjson_member_string(w, "name",
                               ct_string_id64_name(ct_level_resource_id(world, levels[i])));
        ct_sjson_member_number(w, "units", ct_level_num_units(world, levels[i]));
        ct_sjson_member_bool(w, "spawned", ct_level_is_spawned(world, levels[i]));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

bool ct_inspect_run_world_list(ct_console_request *r) {
    ct_sjson_writer *const w = &r->w;
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    ct_sjson_write_key(w, "worlds");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i) {
        ct_world *const world = ct_world_system_world(worlds, i);
        uint32_t num_units = 0;
        ct_world_units(world, &num_units);
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "world", ct_inspect_world_number(world));
        ct_sjson_member_number(w, "units", num_units);
        ct_sjson_member_number(w, "seconds", ct_world_time(world));
        write_levels(w, world);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    return true;
}

// --- entity_list ---------------------------------------------------------------------------------

typedef struct entity_list {
    ct_console_request *request;
    ct_world *world;
    ct_hash_map levels; // by unit: its level
    ct_u32_array ids;   // ascending
    const char *filter; // NULL: all
} entity_list;

// One pass over the levels: a look-up of each unit in each level would take long where there are many.
static void find_levels(entity_list *list) {
    uint32_t num_levels, count;
    const ct_level *const levels = ct_world_levels(list->world, &num_levels);
    for (uint32_t i = 0; i < num_levels; ++i) {
        const ct_entity *const units = ct_level_units(list->world, levels[i], &count);
        for (uint32_t k = 0; k < count; ++k) {
            if (units[k].id)
                ct_hash_map_set(&list->levels, units[k].id, levels[i].id);
        }
    }
}

static bool contains(const char *text, const char *part) {
    return text && strcasestr(text, part);
}

static bool is_wanted(const entity_list *list, ct_entity e) {
    ct_world_system *const worlds = ct_app_worlds(list->request->target->app);
    return !list->filter ||
           contains(ct_debug_name(ct_world_system_debug_names(worlds), e), list->filter) ||
           contains(ct_string_id64_name(ct_world_unit_resource(list->world, e)), list->filter);
}

// Lists all entities in the order of their numbers: what lives through several pages is in
// exactly one of them, whatever comes and goes in between.
static void find_entities(entity_list *list, bool with_parts) {
    uint32_t count;
    const ct_entity *const units = ct_world_units(list->world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_entity e = units[i];
        for (; e.id;
             e = with_parts ? ct_world_next_entity(list->world, units[i], e) : (ct_entity){0}) {
            if (is_wanted(list, e))
                ct_array_push(&list->ids, e.id);
        }
    }
    ct_allocator *const a = list->request->target->allocator;
    uint32_t *const scratch = CT_NEW_ARRAY(a, uint32_t, list->ids.count + 1);
    ct_sort_u32(list->ids.items, scratch, list->ids.count);
    ct_free_sized(a, scratch, sizeof(uint32_t) * (list->ids.count + 1ull));
}

void ct_inspect_write_entity(ct_sjson_writer *w, ct_world_system *worlds, ct_world *world,
                             ct_entity e, uint32_t level) {
    const char *const name = ct_debug_name(ct_world_system_debug_names(worlds), e);
    const ct_entity unit = ct_world_unit_of(world, e);
    ct_sjson_member_number(w, "entity", e.id);
    if (name)
        ct_sjson_member_string(w, "name", name);
    ct_inspect_write_id64(w, "resource", ct_world_unit_resource(world, e));
    if (level)
        ct_sjson_member_number(w, "level", level);
    if (unit.id && unit.id != e.id)
        ct_sjson_member_number(w, "unit", unit.id);
    ct_transform_manager *const transforms = ct_world_transforms(world);
    const ct_transform t = ct_transform_lookup(transforms, e);
    const ct_transform parent = t.index ? ct_transform_parent(transforms, t) : (ct_transform){0};
    if (parent.index)
        ct_sjson_member_number(w, "parent", ct_transform_entity(transforms, parent).id);
}

// Writes the rows of some entities under a key.
static void write_rows(entity_list *list, const char *key, const uint32_t *ids, uint32_t count) {
    ct_sjson_writer *const w = &list->request->w;
    ct_world_system *const worlds = ct_app_worlds(list->request->target->app);
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = {ids[i]};
        const ct_entity unit = ct_world_unit_of(list->world, e);
        ct_sjson_begin_object(w);
        ct_inspect_write_entity(w, worlds, list->world, e,
                                (uint32_t)ct_hash_map_get(&list->levels, unit.id, 0));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_page(entity_list *list, uint32_t after, uint32_t count) {
    ct_sjson_writer *const w = &list->request->w;
    uint32_t first = 0;
    while (first < list->ids.count && list->ids.items[first] <= after)
        ++first;
    const uint32_t left = list->ids.count - first, num_written = left < count ? left : count;
    ct_sjson_member_number(w, "world", ct_inspect_world_number(list->world));
    ct_sjson_member_number(w, "total", list->ids.count);
    if (num_written < left && num_written > 0)
        ct_sjson_member_number(w, "next", list->ids.items[first + num_written - 1]);
    write_rows(list, "entities", list->ids.items + first, num_written);
}

bool ct_inspect_run_entity_list(ct_console_request *r) {
    const uint32_t after = ct_console_whole(r, "after", UINT32_MAX, 0);
    const uint32_t count = ct_console_whole(r, "count", MAX_ENTITIES, DEFAULT_ENTITIES);
    if (r->error.message[0])
        return false;
    entity_list list = {.request = r, .world = ct_inspect_world(r)};
    if (!list.world)
        return false;
    const char *const filter = ct_console_text(r, "filter");
    list.filter = filter && filter[0] != '\0' ? filter : NULL;
    ct_hash_map_init(&list.levels, r->target->allocator);
    ct_array_init(&list.ids, r->target->allocator);
    find_levels(&list);
    find_entities(&list, ct_console_bool(r, "parts", false));
    write_page(&list, after, count);
    ct_hash_map_free(&list.levels);
    ct_array_free(&list.ids);
    return true;
}

// --- entity_changes ------------------------------------------------------------------------------

bool ct_inspect_run_entity_changes(ct_console_request *r) {
    ct_sjson_writer *const w = &r->w;
    const double since = ct_console_number(r, "since", 0);
    const uint32_t most = ct_console_whole(r, "count", MAX_ENTITIES, DEFAULT_CHANGES);
    if (r->error.message[0])
        return false;
    if (most == 0)
        return ct_error_set(&r->error, "\"count\" is 0; expected a whole number from 1 to %d",
                            (int)MAX_ENTITIES);
    entity_list list = {.request = r, .world = ct_inspect_world(r)};
    if (!list.world)
        return false;
    if (!r->target->server)
        return ct_error_set(&r->error, "this game has no console server, so it keeps no changes; "
                                       "use entity_list");
    const uint32_t number = ct_inspect_world_number(list.world);
    ct_entity_outline *const outline =
        ct_entity_outlines_of(ct_console_server_outlines(r->target->server),
                              ct_app_worlds(r->target->app), list.world, number);
    const ct_entity_outline_answer answer = ct_entity_outline_since(outline, (uint64_t)since, most);
    ct_sjson_member_number(w, "world", number);
    ct_sjson_member_number(w, "version", (double)answer.version);
    ct_sjson_member_number(w, "total", outline->rows.count);
    ct_sjson_member_bool(w, "whole", answer.is_whole);
    ct_sjson_member_bool(w, "more", answer.has_more);
    ct_hash_map_init(&list.levels, r->target->allocator);
    if (answer.num_came > 0)
        find_levels(&list);
    write_rows(&list, "entities", answer.came, answer.num_came);
    ct_hash_map_free(&list.levels);
    ct_sjson_write_key(w, "gone");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < answer.num_went; ++i)
        ct_sjson_write_number(w, answer.went[i]);
    ct_sjson_end_array(w);
    return true;
}
