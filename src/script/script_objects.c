#include "script/script_private.h"

// Handles that Lua keeps are refused once the generation has moved on. It wraps after 65,536 uses
// of one slot.

static uint64_t key_of(ct_object_kind kind, const void *object, uint64_t data) {
    uint64_t key = (uint64_t)(uintptr_t)object * 0x9e3779b97f4a7c15ull;
    key ^= (key >> 29) ^ (data + (uint64_t)kind) * 0xbf58476d1ce4e5b9ull;
    return key ^ (key >> 32);
}

static bool is_at(const ct_script_object *slot, ct_object_kind kind, const void *object,
                  uint64_t data) {
    return slot->kind == kind && slot->object == object && slot->data == data;
}

void ct_objects_init(struct ct_script *s) {
    ct_array_init(&s->objects, s->allocator);
    ct_array_init(&s->chunks, s->allocator);
    ct_array_push(&s->objects, (ct_script_object){0});
    ct_hash_map_init(&s->object_places, s->allocator);
    ct_hash_map_init(&s->missing_texts, s->allocator);
}

void ct_objects_free(struct ct_script *s) {
    ct_array_free(&s->objects);
    ct_hash_map_free(&s->object_places);
    ct_hash_map_free(&s->missing_texts);
}

ct_object_kind ct_object_kind_of(uint64_t value) {
    return (ct_object_kind)((value >> CT_VALUE_KIND_BITS) & ((1u << CT_OBJECT_KIND_BITS) - 1));
}

const ct_script_object *ct_object_of(const struct ct_script *s, uint64_t value) {
    const uint64_t payload = value >> (CT_VALUE_KIND_BITS + CT_OBJECT_KIND_BITS);
    const uint32_t place = payload & (CT_MAX_OBJECTS - 1);
    const uint16_t generation = (uint16_t)(payload >> CT_OBJECT_PLACE_BITS);
    if (ct_value_kind_of(value) != CT_VALUE_KIND_OBJECT || place >= s->objects.count)
        return NULL;
    const ct_script_object *const slot = &s->objects.items[place];
    const bool is_live = slot->kind != CT_OBJECT_KIND_NONE && slot->generation == generation &&
                         slot->kind == ct_object_kind_of(value);
    return is_live ? slot : NULL;
}

static void push_handle(lua_State *L, const struct ct_script *s, uint32_t place) {
    const ct_script_object *slot = &s->objects.items[place];
    uint64_t value = slot->generation;
    value = value << CT_OBJECT_PLACE_BITS | place;
    value = value << CT_OBJECT_KIND_BITS | slot->kind;
    value = value << CT_VALUE_KIND_BITS | CT_VALUE_KIND_OBJECT;
    lua_pushlightuserdata(L, (void *)(uintptr_t)value);
}

// A free slot, or 0 when there is none.
static uint32_t take_slot(struct ct_script *s) {
    const uint32_t place = s->first_free_object;
    if (place) {
        s->first_free_object = s->objects.items[place].next;
        return place;
    }
    if (s->objects.count == CT_MAX_OBJECTS)
        return 0;
    ct_array_push(&s->objects, (ct_script_object){0});
    return s->objects.count - 1;
}

void ct_push_object(lua_State *L, ct_object_kind kind, void *object, uint64_t data) {
    struct ct_script *s = ct_script_of(L);
    const uint64_t key = key_of(kind, object, data);
    const uint32_t first = (uint32_t)ct_hash_map_get(&s->object_places, key, 0);
    uint32_t place = first;
    while (place && !is_at(&s->objects.items[place], kind, object, data))
        place = s->objects.items[place].next;
    if (!place) {
        place = take_slot(s);
        if (!place)
            ct_function_error(L, "there are %d engine objects known to Lua, which is the most",
                              CT_MAX_OBJECTS - 1);
        ct_script_object *const slot = &s->objects.items[place];
        slot->object = object;
        slot->data = data;
        slot->kind = (uint16_t)kind;
        slot->next = first;
        ct_hash_map_set(&s->object_places, key, place);
    }
    push_handle(L, s, place);
}

void *ct_check_object(lua_State *L, int argument, ct_object_kind kind, uint64_t *data) {
    const uint64_t value = ct_value_at(L, argument);
    const ct_script_object *const slot = ct_object_of(ct_script_of(L), value);
    if (!slot || slot->kind != kind)
        ct_argument_type_error(L, argument, ct_object_kind_name(kind));
    if (data)
        *data = slot->data;
    return slot->object;
}

// Takes `place` out of the chain of slots that share `key`.
static void unlink_slot(struct ct_script *s, uint64_t key, uint32_t place) {
    ct_script_object *const items = s->objects.items;
    const uint32_t first = (uint32_t)ct_hash_map_get(&s->object_places, key, 0);
    const uint32_t next = items[place].next;
    if (first == place && next)
        ct_hash_map_set(&s->object_places, key, next);
    else if (first == place)
        ct_hash_map_erase(&s->object_places, key);
    for (uint32_t at = first; at; at = items[at].next) {
        if (items[at].next == place)
            items[at].next = next;
    }
}

void ct_release_object(struct ct_script *s, ct_object_kind kind, void *object, uint64_t data) {
    const uint64_t key = key_of(kind, object, data);
    uint32_t place = (uint32_t)ct_hash_map_get(&s->object_places, key, 0);
    while (place && !is_at(&s->objects.items[place], kind, object, data))
        place = s->objects.items[place].next;
    if (!place)
        return; // Lua never saw it
    unlink_slot(s, key, place);
    ct_script_object *const slot = &s->objects.items[place];
    *slot = (ct_script_object){.generation = (uint16_t)(slot->generation + 1),
                               .next = s->first_free_object};
    s->first_free_object = place;
}
