// data.h: the interface "data": tags of entities ("enemy"), and values by key as Lua's DataComponent
// has them. Flow, triggers and Lua see both. For data of thousands of entities, make a component
// (cuttle/component_types.h).
//
// Update thread. A dead entity has no tags and no values.
#ifndef CUTTLE_DATA_H
#define CUTTLE_DATA_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_DATA_API "data"

typedef struct cuttle_data_api_1 {
    // --- Tags: ids of names (cuttle/world.h has id32) ---

    // Add a tag to entities or remove it; skip dead ones. A tag of 0 is reported.
    void (*add_tag)(cuttle_plugin *self, const cuttle_entity *entities, uint32_t count,
                    cuttle_id32 tag);
    void (*remove_tag)(cuttle_plugin *self, const cuttle_entity *entities, uint32_t count,
                       cuttle_id32 tag);
    bool (*has_tag)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 tag);
    // Writes up to `max` of the living entities of a world that have all of the tags `all` (at least
    // one) and none of `none`, in no particular order. Returns how many there are; with a `max` of 0
    // `found` may be NULL. Time in proportion to the entities with the rarest of the tags.
    uint32_t (*find_tagged)(cuttle_plugin *self, const cuttle_world *world, const cuttle_id32 *all,
                            uint32_t num_all, const cuttle_id32 *none, uint32_t num_none,
                            cuttle_entity *found, uint32_t max);

    // --- Values ---
    //
    // `component` is the id that a unit's source gives a data component; {0}: the entity's first.
    // In a key, `/` is between sub-keys: "stats/health" is {"stats", "health"} in Lua.

    // Get a value. Return false, and leave `value` as it is, when there is no such value, or it has
    // another type.
    bool (*get_number)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                       const char *key, double *value);
    bool (*get_bool)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                     const char *key, bool *value);
    // Writes up to `size_bytes` - 1 bytes and a zero. Sets `length` (NULL is fine) to that of the whole
    // text in bytes.
    bool (*get_text)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                     const char *key, char *text, uint32_t size_bytes, uint32_t *length);
    // Set a value of a living entity, whatever its type was; make the component where it is missing.
    // Numbers are stored as float. Return false when the entity is dead, or with a report
    // ("plugin_bad_argument") when there is no more room (64 KiB for a component).
    bool (*set_number)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                       const char *key, double value);
    bool (*set_bool)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                     const char *key, bool value);
    bool (*set_text)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                     const char *key, const char *text);
    // Removes a value. Returns whether there was one.
    bool (*remove)(cuttle_plugin *self, cuttle_entity entity, cuttle_id32 component,
                   const char *key);
} cuttle_data_api_1;

#ifdef __cplusplus
}
#endif
#endif
