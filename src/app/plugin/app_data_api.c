// Tags and values of entities.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_plugin_check.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"

enum { SUB_KEY_BYTES = 256 };

// --- Tags ----------------------------------------------------------------------------------------

static bool lives(const ct_plugin *self, cuttle_entity e) {
    const ct_entity own = {e.id};
    return ct_entity_is_well_formed(own) &&
           ct_entity_is_alive(ct_world_system_entities(ct_app_worlds_of(self)), own);
}

static void change_tag(ct_plugin *self, const cuttle_entity *entities, uint32_t count,
                       cuttle_id32 tag, const char *function,
                       void (*change)(ct_tag_manager *, const ct_entity *, uint32_t,
                                      ct_string_id32)) {
    if (tag.value == 0) {
        ct_app_bad_argument(self, function, "the tag is 0");
        return;
    }
    ct_entity living[256];
    uint32_t num_living = 0;
    ct_tag_manager *const tags = ct_world_system_tags(ct_app_worlds_of(self));
    for (uint32_t i = 0; i < count; ++i) {
        living[num_living] = (ct_entity){entities[i].id};
        num_living += lives(self, entities[i]);
        if (num_living == CT_COUNT_OF(living)) {
            change(tags, living, num_living, (ct_string_id32){tag.value});
            num_living = 0;
        }
    }
    if (num_living > 0)
        change(tags, living, num_living, (ct_string_id32){tag.value});
}

static void add_tag(cuttle_plugin *self, const cuttle_entity *entities, uint32_t count,
                    cuttle_id32 tag) {
    change_tag(self, entities, count, tag, "data.add_tag", ct_tag_add);
}

static void remove_tag(cuttle_plugin *self, const cuttle_entity *entities, uint32_t count,
                       cuttle_id32 tag) {
    change_tag(self, entities, count, tag, "data.remove_tag", ct_tag_remove);
}

static bool has_tag(cuttle_plugin *self, cuttle_entity e, cuttle_id32 tag) {
    return lives(self, e) && ct_tag_has(ct_world_system_tags(ct_app_worlds_of(self)),
                                        (ct_entity){e.id}, (ct_string_id32){tag.value});
}

static uint32_t find_tagged(cuttle_plugin *self, const cuttle_world *world, const cuttle_id32 *all,
                            uint32_t num_all, const cuttle_id32 *none, uint32_t num_none,
                            cuttle_entity *found, uint32_t max) {
    static const char function[] = "data.find_tagged";
    const ct_world *const w = ct_app_check_world(self, world, function);
    if (!w)
        return 0;
    if (num_all == 0) {
        ct_app_bad_argument(self, function, "expected at least one tag that entities have");
        return 0;
    }
    ct_world_system *const s = ct_app_worlds_of(self);
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    const ct_tag_query query = {.all = (const ct_string_id32 *)(const void *)all,
                                .none = (const ct_string_id32 *)(const void *)none,
                                .num_all = num_all,
                                .num_none = num_none};
    const uint32_t most = ct_tag_most_found(ct_world_system_tags(s), &query);
    ct_entity *const of_all = ct_alloc(temp, sizeof(*of_all) * (most + 1ull));
    const uint32_t count =
        ct_tag_find(ct_world_system_tags(s), ct_world_system_entities(s), &query, of_all);
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_world_of(s, of_all[i]) != w)
            continue;
        if (num_found < max)
            found[num_found] = (cuttle_entity){of_all[i].id};
        ++num_found;
    }
    return num_found;
}

// --- Values --------------------------------------------------------------------------------------

// The key of sub-keys with `/` between them. False, and reports it, when one is empty or too long.
static bool read_key(const ct_plugin *self, const char *function, const char *key,
                     ct_data_key *result) {
    const char *begin = key ? key : "";
    for (bool is_first = true;; is_first = false) {
        const char *const slash = strchr(begin, '/');
        const size_t bytes = slash ? (size_t)(slash - begin) : strlen(begin);
        char text[SUB_KEY_BYTES];
        if (bytes == 0 || bytes >= sizeof(text))
            return ct_app_bad_argument(self, function,
                                       "the key \"%.64s\" has an empty part, or one that is too "
                                       "long",
                                       key ? key : "");
        memcpy(text, begin, bytes);
        text[bytes] = 0;
        const ct_string_id32 id = ct_string_id32_of(text);
        *result = is_first ? ct_data_key_of_id(id) : ct_data_key_join(*result, id);
        if (!slash)
            return true;
        begin = slash + 1;
    }
}

static ct_data_instance find(ct_plugin *self, cuttle_entity e, cuttle_id32 component) {
    const ct_data_manager *const m = ct_world_system_data(ct_app_worlds_of(self));
    const ct_entity own = {e.id};
    if (!lives(self, e))
        return (ct_data_instance){0};
    return component.value ? ct_data_with_id(m, own, component.value) : ct_data_first(m, own);
}

// Returns the value of a key; its type is NONE where there is no such value.
static ct_data_value get(ct_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                         const char *function) {
    const ct_data_instance i = find(self, e, component);
    ct_data_key own;
    if (!i.slot || !read_key(self, function, key, &own))
        return (ct_data_value){0};
    return ct_data_get(ct_world_system_data(ct_app_worlds_of(self)), i, own);
}

static bool get_number(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                       double *value) {
    const ct_data_value found = get(self, e, component, key, "data.get_number");
    if (found.type != CT_DATA_TYPE_FLOAT)
        return false;
    *value = (double)found.number;
    return true;
}

static bool get_bool(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                     bool *value) {
    const ct_data_value found = get(self, e, component, key, "data.get_bool");
    if (found.type != CT_DATA_TYPE_BOOL)
        return false;
    *value = found.boolean;
    return true;
}

static bool get_text(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                     char *text, uint32_t size_bytes, uint32_t *length) {
    const ct_data_value found = get(self, e, component, key, "data.get_text");
    if (found.type != CT_DATA_TYPE_STRING)
        return false;
    if (size_bytes > 0)
        snprintf(text, size_bytes, "%.*s", (int)found.count, found.text);
    if (length)
        *length = found.count;
    return true;
}

static bool set(ct_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                ct_data_value value, const char *function) {
    ct_data_manager *const m = ct_world_system_data(ct_app_worlds_of(self));
    ct_data_key own;
    if (!lives(self, e) || !read_key(self, function, key, &own))
        return false;
    ct_data_instance i = find(self, e, component);
    ct_error error = {0};
    const ct_component_manager manager = ct_data_component_manager(m);
    if (!i.slot && ct_component_manager_has_room(&manager, 1, &error))
        i = ct_data_create(m, (ct_entity){e.id}, component.value);
    if (!i.slot)
        return ct_app_bad_argument(self, function, "%s", error.message);
    return ct_data_set(m, i, own, value, &error) ||
           ct_app_bad_argument(self, function, "%s", error.message);
}

static bool set_number(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                       double value) {
    static const char function[] = "data.set_number";
    if (!isfinite((float)value))
        return ct_app_bad_argument(self, function, "%g is not in the range of a float", value);
    return set(self, e, component, key, ct_data_float((float)value), function);
}

static bool set_bool(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                     bool value) {
    return set(self, e, component, key, ct_data_bool(value), "data.set_bool");
}

static bool set_text(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component, const char *key,
                     const char *text) {
    static const char function[] = "data.set_text";
    if (!text || strlen(text) >= CT_DATA_MAX_BYTES)
        return ct_app_bad_argument(self, function, text ? "the text is too long" : "text is NULL");
    return set(self, e, component, key, ct_data_string(text, (uint32_t)strlen(text)), function);
}

static bool remove_value(cuttle_plugin *self, cuttle_entity e, cuttle_id32 component,
                         const char *key) {
    static const char function[] = "data.remove";
    if (get(self, e, component, key, function).type == CT_DATA_TYPE_NONE)
        return false;
    return set(self, e, component, key, (ct_data_value){0}, function);
}

const cuttle_data_api_1 ct_app_data_api_1 = {
    .add_tag = add_tag,
    .remove_tag = remove_tag,
    .has_tag = has_tag,
    .find_tagged = find_tagged,
    .get_number = get_number,
    .get_bool = get_bool,
    .get_text = get_text,
    .set_number = set_number,
    .set_bool = set_bool,
    .set_text = set_text,
    .remove = remove_value,
};
