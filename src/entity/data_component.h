// data_component.h: small amounts of data of any shape for entities: values by keys.
//
// One manager for all worlds. An entity may have several instances, identified by their ids. An
// instance is a weak reference to a slot: the generation of the slot shows whether the instance has
// ended. A slot whose generations are used up is not used again.
//
// Up to eight bools and floats of an instance are in its slot; instances with the same keys share
// one list of them (data_layout.h). Strings, arrays, and further numbers are with their keys in one
// relocatable buffer (data_buffer.h), which comes from buddy allocators that all instances share
// and doubles when it is full. Instances of dead entities end lazily. Update thread.
// From "Allocation Adventures 1" and "3" (Bitsquid blog, 2015-06-12 and 2015-08-04).
#pragma once
#include <string.h>

#include "entity/component_registry.h"
#include "entity/data_layout.h"
#include "foundation/container/soa_block.h"

// The bits of each in Lua: together they fit into a whole number that a double holds exactly.
enum { CT_DATA_SLOT_BITS = 26, CT_DATA_GENERATION_BITS = 16 };

typedef struct ct_data_instance {
    uint32_t slot, generation; // {0} is no instance
} ct_data_instance;

typedef struct ct_data_manager ct_data_manager;

// Makes an empty manager that allocates from `a`, and frees it with all instances (NULL is
// fine).
ct_data_manager *ct_data_manager_create(ct_allocator *a);
void ct_data_manager_destroy(ct_data_manager *m);

// Returns the entry for a registry, which then owns the manager.
ct_component_manager ct_data_component_manager(ct_data_manager *m);

// --- Instances -----------------------------------------------------------------------------------

// Gives an entity an instance without values. The entity must not have an instance with this id,
// and there must be room (asserted).
ct_data_instance ct_data_create(ct_data_manager *m, ct_entity e, uint32_t id);

// Destroys an instance, or all instances of `entities`. Borrowed values become invalid.
void ct_data_destroy(ct_data_manager *m, ct_data_instance i);
void ct_data_destroy_all(ct_data_manager *m, const ct_entity *entities, uint32_t count);

// Returns the instance with this id, or {0}. O(instances of the entity).
ct_data_instance ct_data_with_id(const ct_data_manager *m, ct_entity e, uint32_t id);

// Returns the first instance of an entity, and the next of the same entity, in the order they
// were made; {0} when there is none.
ct_data_instance ct_data_first(const ct_data_manager *m, ct_entity e);
ct_data_instance ct_data_next(const ct_data_manager *m, ct_data_instance i);

// Returns the first instances of `count` entities; {0} for those without.
void ct_data_first_many(const ct_data_manager *m, const ct_entity *entities, uint32_t count,
                        ct_data_instance *instances);

// Returns whether the instance is live: false for {0} and for a destroyed one. The functions
// below assert that it is.
bool ct_data_is_valid(const ct_data_manager *m, ct_data_instance i);

// Returns the entity that an instance belongs to, and the id of the instance.
ct_entity ct_data_entity(const ct_data_manager *m, ct_data_instance i);
uint32_t ct_data_id(const ct_data_manager *m, ct_data_instance i);

// Returns the number of instances of all entities.
uint32_t ct_data_count(const ct_data_manager *m);

// --- Values --------------------------------------------------------------------------------------

// The bools and floats in a slot, with the same bits as in a ct_data_value.
typedef struct ct_data_body {
    _Alignas(32) uint32_t words[CT_DATA_SLOT_VALUES];
} ct_data_body;

// The data that ct_data_get reads; the first member of a manager. Arrays are by slot; slot 0 is
// unused. A head is `generation << 16 | layout`; the layout is 0 where there is no instance, so
// that no layout is left when the generation of an ended instance is taken out of its head.
typedef struct ct_data_slots {
    uint32_t *heads;
    ct_data_body *bodies;
    ct_data_buffer **buffers; // values that are not in the body; NULL: no such values
    uint32_t *rows;
    ct_soa_block soa;
    ct_data_hint hints[CT_DATA_NUM_HINTS]; // reading fills them as well: ct_data_share
} ct_data_slots;

// The slow path of ct_data_get: for keys without a hint and values in a buffer.
ct_data_value ct_data_get_unhinted(const ct_data_manager *m, uint32_t slot, uint32_t generation,
                                   ct_data_key key);

// Returns the place of the hint for a key in a layout.
static inline uint32_t ct_data_hint_place(uint32_t layout, ct_data_key key) {
    return (key.hash ^ layout) % CT_DATA_NUM_HINTS;
}

// Returns the value of a key; its type is NONE when the instance has no such key. Borrowed until
// a value is set or an instance destroyed.
static inline ct_data_value ct_data_get(const ct_data_manager *m, ct_data_instance i,
                                        ct_data_key key) {
    const ct_data_slots *const s = (const ct_data_slots *)(const void *)m;
    if (__builtin_expect(i.slot >= s->soa.count, 0))
        return ct_data_get_unhinted(m, i.slot, i.generation, key);
    const ct_data_body *const body = &s->bodies[i.slot];
    __builtin_prefetch(body); // so that it loads together with head and hint
    const uint32_t layout = s->heads[i.slot] ^ i.generation << 16;
    const ct_data_hint *const hint = &s->hints[ct_data_hint_place(layout, key)];
    if (__builtin_expect(hint->layout != layout || hint->key != key.hash, 0))
        return ct_data_get_unhinted(m, i.slot, i.generation, key);
    ct_data_value value = {.type = (ct_data_type)hint->type};
    memcpy(&value.number, &body->words[hint->place], sizeof(value.number));
    return value;
}

// Lets several threads read at once, until it is set back: then reading does not note where it found a
// key, so that it changes nothing. Setting still needs to be alone. No other thread may use the
// manager during the call.
void ct_data_share(ct_data_manager *m, bool is_shared);

// Sets the value of a key to a copy; its type may differ from that of the old value. A value of
// type NONE removes the key. Returns false with `error`, and changes nothing, when the instance
// would take more than CT_DATA_MAX_BYTES. The value may be one of the instance's own.
bool ct_data_set(ct_data_manager *m, ct_data_instance i, ct_data_key key, ct_data_value value,
                 ct_error *error);

// Gets and sets the values of many instances: values[k] belongs to instances[k]. Setting sets all
// values or, with `error`, none; the values must not be in the manager's memory.
void ct_data_get_many(const ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                      ct_data_key key, ct_data_value *values);
bool ct_data_set_many(ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                      ct_data_key key, const ct_data_value *values, ct_error *error);

// Gets and sets floats of many instances. Getting writes `otherwise` where an instance does not
// have the key or its value is not a float.
void ct_data_get_floats(const ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                        ct_data_key key, float otherwise, float *values);
bool ct_data_set_floats(ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                        ct_data_key key, const float *values, ct_error *error);

// Appends all values of an instance to `out`, as one data buffer without holes (data_buffer.h): a
// multiple of 4 bytes.
void ct_data_copy_values(const ct_data_manager *m, ct_data_instance i, ct_byte_array *out);

// --- Memory and saves ----------------------------------------------------------------------------

// The bytes of buffers: in use, and in total. Slots, with 48 bytes each, do not count.
typedef struct ct_data_memory {
    uint64_t used_bytes, total_bytes;
} ct_data_memory;

// Returns the memory that buffers take now.
ct_data_memory ct_data_memory_of(const ct_data_manager *m);

// Destroys up to 1,024 instances of dead entities: probes at random until it finds four live ones
// in a row. Call every frame.
void ct_data_collect_garbage(ct_data_manager *m, const ct_entity_manager *entities);

// Appends all instances, with the ids of their entities, to `out`, whose size so far must be a
// multiple of 8. The save is one piece of memory without pointers, to write at once, in this
// machine's byte order.
void ct_data_save(const ct_data_manager *m, ct_byte_array *out);

// Replaces all instances by those of a save; `bytes` must be aligned to 8. All earlier instances
// end. When the save was cut off or damaged so that it is no longer valid, returns false with
// `error` and changes nothing. (Damage that only changes values is not noticed.)
bool ct_data_load(ct_data_manager *m, const void *bytes, uint64_t size_bytes, ct_error *error);
