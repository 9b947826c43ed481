#include "database/local/database_overlay.h"

#include <string.h>

#include "foundation/string/string_id.h"

#define NONE CT_DATABASE_NO_OPERATION

void ct_database_overlay_init(ct_database_overlay *o, ct_allocator *a) {
    *o = (ct_database_overlay){.allocator = a};
    ct_database_operations_init(&o->operations, a);
    ct_array_init(&o->entries, a);
    ct_array_init(&o->objects, a);
    ct_array_init(&o->keys, a);
    ct_hash_map_init(&o->places, a);
}

void ct_database_overlay_free(ct_database_overlay *o) {
    ct_database_operations_free(&o->operations);
    ct_array_free(&o->entries);
    ct_array_free(&o->objects);
    ct_array_free(&o->keys);
    ct_hash_map_free(&o->places);
}

// --- Finding ---------------------------------------------------------------------------------------
// One map for objects, keys and elements: the kind goes into the hash. Where two have the same hash, the later one
// lies at the next hash.

typedef enum place_kind { PLACE_OBJECT = 1, PLACE_KEY, PLACE_ELEMENT } place_kind;

// What is looked for.
typedef struct place {
    place_kind kind;
    ct_guid object, element;
    const char *key;
    uint32_t key_length;
} place;

static uint64_t mixed(uint64_t hash, uint64_t with) {
    hash = (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const place *p) {
    uint64_t hash = mixed(p->kind, ct_guid_hash(p->object));
    if (p->kind != PLACE_OBJECT)
        hash = mixed(hash, ct_string_id64_of_bytes(p->key, p->key_length).value);
    return p->kind == PLACE_ELEMENT ? mixed(hash, ct_guid_hash(p->element)) : hash;
}

static bool is_key(const ct_database_overlay *o, const ct_database_overlay_key *key,
                   const place *p) {
    return key->length == p->key_length && memcmp(key->name, p->key, key->length) == 0 &&
           ct_guid_is_equal(o->objects.items[key->object].guid, p->object);
}

// The tag in the upper half of a value says of what kind its index is.
static bool is_place(const ct_database_overlay *o, uint64_t value, const place *p) {
    const uint32_t index = (uint32_t)value;
    if (value >> 32 != (uint64_t)p->kind)
        return false;
    if (p->kind == PLACE_OBJECT)
        return ct_guid_is_equal(o->objects.items[index].guid, p->object);
    if (p->kind == PLACE_KEY)
        return is_key(o, &o->keys.items[index], p);
    const ct_database_operation *const op = &o->operations.list.items[index];
    return op->key_length == p->key_length && memcmp(op->key, p->key, op->key_length) == 0 &&
           ct_guid_is_equal(op->object, p->object) &&
           ct_guid_is_equal(op->value.reference, p->element);
}

// Returns where the value of a place lies, or NULL; then *hash is the free place for it.
static uint64_t *find(const ct_database_overlay *o, const place *p, uint64_t *hash) {
    for (*hash = hash_of(p);; *hash = mixed(*hash, 1)) {
        uint64_t *const value = ct_hash_map_find(&o->places, *hash);
        if (!value || is_place(o, *value, p))
            return value;
    }
}

const ct_database_overlay_object *ct_database_overlay_find(const ct_database_overlay *o,
                                                           ct_guid object) {
    uint64_t hash;
    const uint64_t *const value = find(o, &(place){.kind = PLACE_OBJECT, .object = object}, &hash);
    return value ? &o->objects.items[(uint32_t)*value] : NULL;
}

const ct_database_overlay_key *ct_database_overlay_find_key(const ct_database_overlay *o,
                                                            ct_guid object, const char *key,
                                                            uint32_t key_length) {
    const place p = {.kind = PLACE_KEY, .object = object, .key = key, .key_length = key_length};
    uint64_t hash;
    const uint64_t *const value = find(o, &p, &hash);
    return value ? &o->keys.items[(uint32_t)*value] : NULL;
}

// --- Adding ----------------------------------------------------------------------------------------

static uint32_t object_of(ct_database_overlay *o, ct_guid guid) {
    uint64_t hash;
    const uint64_t *const value = find(o, &(place){.kind = PLACE_OBJECT, .object = guid}, &hash);
    if (value)
        return (uint32_t)*value;
    ct_hash_map_set(&o->places, hash, (uint64_t)PLACE_OBJECT << 32 | o->objects.count);
    ct_array_push(&o->objects,
                  (ct_database_overlay_object){
                      .guid = guid, .create = NONE, .destroy = NONE, .first_key = NONE});
    return o->objects.count - 1;
}

static ct_database_overlay_key *key_of(ct_database_overlay *o, const ct_database_operation *op) {
    const uint32_t object = object_of(o, op->object);
    const place p = {
        .kind = PLACE_KEY, .object = op->object, .key = op->key, .key_length = op->key_length};
    uint64_t hash;
    const uint64_t *const value = find(o, &p, &hash);
    if (value)
        return &o->keys.items[(uint32_t)*value];
    ct_hash_map_set(&o->places, hash, (uint64_t)PLACE_KEY << 32 | o->keys.count);
    ct_array_push(&o->keys,
                  (ct_database_overlay_key){.object = object,
                                            .name = op->key,
                                            .length = op->key_length,
                                            .change = NONE,
                                            .first_element = NONE,
                                            .next_key = o->objects.items[object].first_key});
    o->objects.items[object].first_key = o->keys.count - 1;
    return &o->keys.items[o->keys.count - 1];
}

static void kill(ct_database_overlay *o, uint32_t *operation) {
    if (*operation != NONE && !o->entries.items[*operation].is_dead) {
        o->entries.items[*operation].is_dead = true;
        ++o->num_dead;
    }
    *operation = NONE;
}

static void kill_key(ct_database_overlay *o, ct_database_overlay_key *key) {
    kill(o, &key->change);
    while (key->first_element != NONE) {
        const uint32_t next = o->entries.items[key->first_element].next_element;
        kill(o, &key->first_element);
        key->first_element = next;
    }
}

// An object that only lives here goes without a trace.
static void destroy(ct_database_overlay *o, uint32_t operation, bool exists_below) {
    const uint32_t at = object_of(o, o->operations.list.items[operation].object);
    ct_database_overlay_object *const object = &o->objects.items[at];
    for (uint32_t k = object->first_key; k != NONE; k = o->keys.items[k].next_key)
        kill_key(o, &o->keys.items[k]);
    kill(o, &object->create);
    if (object->destroy != NONE || !exists_below)
        kill(o, &operation);
    else
        object->destroy = operation;
    object->hides_values = object->destroy != NONE;
    object->existence = CT_DATABASE_OVERLAY_DESTROYED;
}

// Puts an operation with an element in the place of the one before it, or at the start of the key's chain.
static void change_element(ct_database_overlay *o, ct_database_overlay_key *key,
                           uint32_t operation) {
    const ct_database_operation *const op = &o->operations.list.items[operation];
    const place p = {.kind = PLACE_ELEMENT,
                     .object = op->object,
                     .element = op->value.reference,
                     .key = op->key,
                     .key_length = op->key_length};
    uint64_t hash;
    uint64_t *const value = find(o, &p, &hash);
    if (value) {
        uint32_t before = (uint32_t)*value;
        kill(o, &before);
        *value = (uint64_t)PLACE_ELEMENT << 32 | operation;
    } else {
        ct_hash_map_set(&o->places, hash, (uint64_t)PLACE_ELEMENT << 32 | operation);
    }
    o->entries.items[operation].next_element = key->first_element;
    key->first_element = operation;
}

void ct_database_overlay_push(ct_database_overlay *o, const ct_database_operation *operation,
                              uint32_t epoch, bool exists_below) {
    const uint32_t index = o->operations.list.count;
    ct_database_operations_push(&o->operations, operation);
    ct_array_push(&o->entries, (ct_database_overlay_entry){.epoch = epoch, .next_element = NONE});
    const ct_database_operation *const op = &o->operations.list.items[index];
    switch (op->type) {
    case CT_DATABASE_CREATE: {
        const uint32_t at = object_of(o, op->object); // may move the objects
        ct_database_overlay_object *const object = &o->objects.items[at];
        kill(o, &object->create);
        object->create = index;
        object->existence = CT_DATABASE_OVERLAY_CREATED;
        break;
    }
    case CT_DATABASE_DESTROY:
        destroy(o, index, exists_below);
        break;
    case CT_DATABASE_CHANGE_KEY: {
        ct_database_overlay_key *const key = key_of(o, op);
        kill_key(o, key);
        key->change = index;
        break;
    }
    case CT_DATABASE_ADD_TO_SET:
    case CT_DATABASE_REMOVE_FROM_SET:
        change_element(o, key_of(o, op), index);
        break;
    case CT_DATABASE_NUM_OPERATION_TYPES:
        break;
    }
}

void ct_database_overlay_compact(ct_database_overlay *o, const bool *is_kept) {
    ct_database_overlay kept;
    ct_database_overlay_init(&kept, o->allocator);
    for (uint32_t i = 0; i < o->entries.count; ++i)
        if (!o->entries.items[i].is_dead && (!is_kept || is_kept[i])) {
            const ct_database_overlay_entry *const entry = &o->entries.items[i];
            // A DESTROY lives: its object exists below.
            ct_database_overlay_push(&kept, &o->operations.list.items[i], entry->epoch, true);
            kept.entries.items[kept.entries.count - 1].is_stored = entry->is_stored;
            kept.entries.items[kept.entries.count - 1].is_attempted = entry->is_attempted;
        }
    ct_database_overlay_free(o);
    *o = kept;
}
