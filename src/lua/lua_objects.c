#include "lua/lua_machine.h"

// Handles that Lua keeps are refused once the generation has moved on. It wraps after 2^21 uses of
// one slot.

static uint64_t key_of(const ct_lua_object_type *type, const void *object, uint64_t data) {
    uint64_t key = (uint64_t)(uintptr_t)object * 0x9e3779b97f4a7c15ull;
    key ^= (key >> 29) ^ (data + (uint64_t)(uintptr_t)type) * 0xbf58476d1ce4e5b9ull;
    return key ^ (key >> 32);
}

static bool is_at(const ct_lua_object *slot, const ct_lua_object_type *type, const void *object,
                  uint64_t data) {
    return slot->type == type && slot->object == object && slot->data == data;
}

void ct_objects_init(ct_lua *m) {
    ct_array_init(&m->objects, m->allocator);
    ct_array_init(&m->free_objects, m->allocator);
    ct_array_push(&m->objects, (ct_lua_object){0});
    ct_hash_map_init(&m->object_places, m->allocator);
}

void ct_objects_free(ct_lua *m) {
    ct_array_free(&m->objects);
    ct_array_free(&m->free_objects);
    ct_hash_map_free(&m->object_places);
}

// Workers have the objects of the game's machine.
static const ct_lua *holder_of(const ct_lua *m) {
    return __builtin_expect(m->parent != NULL, 0) ? m->parent : m;
}

// The slot that a handle says, or NULL.
static const ct_lua_object *slot_of(const ct_lua *m, uint64_t value) {
    m = holder_of(m);
    const uint32_t place = (value >> CT_VALUE_KIND_BITS) & (CT_MAX_OBJECTS - 1);
    const bool is_handle = ct_value_kind_of(value) == CT_VALUE_KIND_OBJECT && place > 0;
    return is_handle && place < m->objects.count ? &m->objects.items[place] : NULL;
}

const ct_lua_object_type *ct_object_type_of(const ct_lua *m, uint64_t value) {
    const ct_lua_object *const slot = slot_of(m, value);
    return slot ? slot->type : NULL;
}

const ct_lua_object *ct_object_of(const ct_lua *m, uint64_t value) {
    const ct_lua_object *const slot = slot_of(m, value);
    const uint64_t generation = value >> (CT_VALUE_KIND_BITS + CT_OBJECT_PLACE_BITS);
    return slot && slot->object && slot->generation == generation ? slot : NULL;
}

static void push_handle(lua_State *L, const ct_lua *m, uint32_t place) {
    uint64_t value = m->objects.items[place].generation;
    value = value << CT_OBJECT_PLACE_BITS | place;
    value = value << CT_VALUE_KIND_BITS | CT_VALUE_KIND_OBJECT;
    lua_pushlightuserdata(L, (void *)(uintptr_t)value);
}

// The list of free slots of this type.
static ct_lua_free_objects *free_list(ct_lua *m, const ct_lua_object_type *type) {
    for (uint32_t i = 0; i < m->free_objects.count; ++i) {
        if (m->free_objects.items[i].type == type)
            return &m->free_objects.items[i];
    }
    ct_array_push(&m->free_objects, (ct_lua_free_objects){.type = type});
    return &m->free_objects.items[m->free_objects.count - 1];
}

// A slot of this type, or 0 when there are too many.
static uint32_t take_slot(ct_lua *m, const ct_lua_object_type *type) {
    ct_lua_free_objects *const list = free_list(m, type);
    const uint32_t place = list->first;
    if (place) {
        list->first = m->objects.items[place].next;
        return place;
    }
    if (m->objects.count == CT_MAX_OBJECTS)
        return 0;
    ct_array_push(&m->objects, (ct_lua_object){.type = type});
    return m->objects.count - 1;
}

static void no_more_objects(lua_State *L) {
    ct_function_error(L, "Lua already has %d engine objects, the maximum", CT_MAX_OBJECTS - 1);
}

void ct_check_object_room(lua_State *L, const ct_lua_object_type *type) {
    ct_lua *const m = ct_lua_of(L);
    if (!m->parent && m->objects.count == CT_MAX_OBJECTS && !free_list(m, type)->first)
        no_more_objects(L);
}

void ct_push_object(lua_State *L, const ct_lua_object_type *type, void *object, uint64_t data) {
    ct_lua *const own = ct_lua_of(L), *const m = own->parent ? own->parent : own;
    const uint64_t key = key_of(type, object, data);
    const uint32_t first = (uint32_t)ct_hash_map_get(&m->object_places, key, 0);
    uint32_t place = first;
    while (place && !is_at(&m->objects.items[place], type, object, data))
        place = m->objects.items[place].next;
    if (!place && own->parent)
        ct_function_error(L,
                          "a worker cannot make the handle of a %s that the game never had; pass "
                          "it to the job",
                          type->name);
    if (!place) {
        place = take_slot(m, type);
        if (!place)
            no_more_objects(L);
        ct_lua_object *const slot = &m->objects.items[place];
        slot->object = object;
        slot->data = data;
        slot->next = first;
        ct_hash_map_set(&m->object_places, key, place);
    }
    push_handle(L, m, place);
}

void *ct_check_object(lua_State *L, int argument, const ct_lua_object_type *type, uint64_t *data) {
    const uint64_t value = ct_value_at(L, argument);
    const ct_lua_object *const slot = ct_object_of(ct_lua_of(L), value);
    if (!slot || slot->type != type)
        ct_argument_type_error(L, argument, type->name);
    if (data)
        *data = slot->data;
    return slot->object;
}

// Takes `place` out of the chain of slots that share `key`.
static void unlink_slot(ct_lua *m, uint64_t key, uint32_t place) {
    ct_lua_object *const items = m->objects.items;
    const uint32_t first = (uint32_t)ct_hash_map_get(&m->object_places, key, 0);
    const uint32_t next = items[place].next;
    if (first == place && next)
        ct_hash_map_set(&m->object_places, key, next);
    else if (first == place)
        ct_hash_map_erase(&m->object_places, key);
    for (uint32_t at = first; at; at = items[at].next) {
        if (items[at].next == place)
            items[at].next = next;
    }
}

void ct_release_object(ct_lua *m, const ct_lua_object_type *type, void *object, uint64_t data) {
    const uint64_t key = key_of(type, object, data);
    uint32_t place = (uint32_t)ct_hash_map_get(&m->object_places, key, 0);
    while (place && !is_at(&m->objects.items[place], type, object, data))
        place = m->objects.items[place].next;
    if (!place)
        return; // Lua never saw it
    unlink_slot(m, key, place);
    ct_lua_object *const slot = &m->objects.items[place];
    ct_lua_free_objects *const list = free_list(m, type);
    const uint32_t generation = (slot->generation + 1) & ((1u << CT_OBJECT_GENERATION_BITS) - 1);
    *slot = (ct_lua_object){.type = type, .generation = generation, .next = list->first};
    list->first = place;
}

void ct_end_object(lua_State *L, const ct_lua_object_type *type, void *object, uint64_t data) {
    ct_release_object(ct_lua_of(L), type, object, data);
    if (type->end)
        type->end(L, object, data);
}

static bool belongs_to(const ct_lua_object *slot, const void *owner) {
    if (!owner)
        return slot->type->end != NULL;
    return (slot->type->owner == CT_LUA_OWNER_OBJECT && slot->object == owner) ||
           (slot->type->owner == CT_LUA_OWNER_DATA && slot->data == (uint64_t)(uintptr_t)owner);
}

void ct_end_objects_of(lua_State *L, const void *owner) {
    const ct_lua *const m = ct_lua_of(L);
    for (uint32_t i = 1; i < m->objects.count; ++i) {
        const ct_lua_object slot = m->objects.items[i];
        if (slot.object && belongs_to(&slot, owner))
            ct_end_object(L, slot.type, slot.object, slot.data);
    }
}
