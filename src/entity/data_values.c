// Getting and setting what instances of data hold.
#include <string.h>

#include "entity/data_private.h"
#include "foundation/error.h"

enum { CACHE_LINE_BYTES = 64, SLOTS_AHEAD = 32, BUFFERS_AHEAD = 16 };

// --- Hints ---------------------------------------------------------------------------------------

// Managers are never const objects, so reading may also record where it found a key.
static ct_data_hint *hint_at(const ct_data_manager *m, uint32_t layout, ct_data_key key) {
    return (ct_data_hint *)(uintptr_t)&m->slots.hints[ct_data_hint_place(layout, key)];
}

// The hint for a key in instances of a layout: where it is, or that it is absent. In the table; or,
// where that must not change, in `own`.
static ct_data_hint *find_hint(const ct_data_manager *m, uint32_t layout, ct_data_key key,
                               ct_data_hint *own) {
    ct_data_hint *hint = hint_at(m, layout, key);
    const bool is_known =
        hint->key == key.hash && (hint->layout == layout || hint->absent == layout);
    if (m->is_shared) {
        *own = *hint;
        hint = own;
    }
    if (is_known)
        return hint;
    const ct_data_layout *const l = &m->layouts.items.items[layout];
    const uint32_t place = ct_data_layout_place(l, key);
    *hint = (ct_data_hint){.key = key.hash, .layout = CT_DATA_LAYOUT_NEVER, .absent = layout};
    if (ct_data_layout_has(l, place, key))
        *hint = (ct_data_hint){key.hash, layout, (uint16_t)place, l->types[place], 0};
    return hint;
}

// Returns the place of a key in a buffer, or UINT32_MAX. Looks first where it was in the last
// buffer: many have the same keys.
static uint32_t find_in_buffer(const ct_data_buffer *b, ct_data_key key, ct_data_hint *hint) {
    if (!ct_data_buffer_has(b, hint->place, key)) {
        const uint32_t place = ct_data_buffer_place(b, key);
        if (!ct_data_buffer_has(b, place, key))
            return UINT32_MAX;
        hint->place = (uint16_t)place;
    }
    return hint->place;
}

void ct_data_share(ct_data_manager *m, bool is_shared) {
    m->is_shared = is_shared;
}

// --- Getting -------------------------------------------------------------------------------------

// The head of an instance's slot, or that of none.
static inline uint32_t head_of(const ct_data_manager *m, ct_data_instance i) {
    return i.slot < m->slots.soa.count ? m->slots.heads[i.slot] : 0;
}

static ct_data_value get_from_buffer(const ct_data_manager *m, uint32_t slot, ct_data_key key,
                                     ct_data_hint *hint) {
    const ct_data_buffer *const b = m->slots.buffers[slot];
    if (!b)
        return (ct_data_value){0};
    __builtin_prefetch((const char *)b + CACHE_LINE_BYTES); // where the place will lead
    const uint32_t place = find_in_buffer(b, key, hint);
    return place == UINT32_MAX ? (ct_data_value){0} : ct_data_buffer_value(b, place);
}

ct_data_value ct_data_get_unhinted(const ct_data_manager *m, uint32_t slot, uint32_t generation,
                                   ct_data_key key) {
    const ct_data_instance i = {slot, generation};
    ct_data_check(m, i);
    const uint32_t layout = head_of(m, i) & UINT16_MAX;
    ct_data_hint own;
    ct_data_hint *const hint = find_hint(m, layout, key, &own);
    if (hint->layout != layout)
        return get_from_buffer(m, slot, key, hint);
    return ct_data_word_value(hint->type, m->slots.bodies[slot].words[hint->place]);
}

void ct_data_get_many(const ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                      ct_data_key key, ct_data_value *values) {
    for (uint32_t k = 0; k < count; ++k)
        values[k] = ct_data_get(m, instances[k], key);
}

// Prefetches the buffer of a later instance.
static void prefetch_buffer(const ct_data_manager *m, const ct_data_instance *instances,
                            uint32_t count, uint32_t k) {
    if (k + SLOTS_AHEAD < count)
        __builtin_prefetch(&m->slots.buffers[instances[k + SLOTS_AHEAD].slot]);
    if (k + BUFFERS_AHEAD < count && head_of(m, instances[k + BUFFERS_AHEAD])) {
        const ct_data_buffer *const b = m->slots.buffers[instances[k + BUFFERS_AHEAD].slot];
        __builtin_prefetch(b);
        __builtin_prefetch((const char *)b + CACHE_LINE_BYTES);
    }
}

void ct_data_get_floats(const ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                        ct_data_key key, float otherwise, float *values) {
    ct_data_hint own, hint = {.layout = CT_DATA_LAYOUT_NEVER}; // of the last with the key in a slot
    for (uint32_t k = 0; k < count; ++k) {
        if (k + SLOTS_AHEAD < count)
            __builtin_prefetch(&m->slots.bodies[instances[k + SLOTS_AHEAD].slot]);
        const uint32_t head = head_of(m, instances[k]);
        if (head != ct_data_head(instances[k].generation, hint.layout)) {
            ct_data_check(m, instances[k]);
            ct_data_hint *const other = find_hint(m, head & UINT16_MAX, key, &own);
            if (other->layout != (head & UINT16_MAX)) {
                prefetch_buffer(m, instances, count, k);
                const ct_data_value v = get_from_buffer(m, instances[k].slot, key, other);
                values[k] = v.type == CT_DATA_TYPE_FLOAT ? v.number : otherwise;
                continue;
            }
            hint = *other;
        }
        values[k] = otherwise;
        if (hint.type == CT_DATA_TYPE_FLOAT)
            memcpy(&values[k], &m->slots.bodies[instances[k].slot].words[hint.place],
                   sizeof(*values));
    }
}

// --- Setting: buffers ----------------------------------------------------------------------------

// Returns the size of the next buffer of an instance whose buffer is too small for `needed_bytes`:
// the same size if closing holes frees a quarter, else twice that.
static uint32_t next_bytes(const ct_data_manager *m, const ct_data_buffer *b,
                           uint64_t needed_bytes) {
    const uint64_t old_bytes =
        b ? ct_buddy_pool_rounded_bytes(&m->pool, ct_data_buffer_bytes(b)) : 0;
    if (needed_bytes <= old_bytes - old_bytes / 4)
        return (uint32_t)old_bytes;
    uint64_t bytes = ct_buddy_pool_rounded_bytes(&m->pool, needed_bytes);
    bytes = bytes > old_bytes ? bytes : 2 * old_bytes;
    return bytes < CT_DATA_MAX_BYTES ? (uint32_t)bytes : CT_DATA_MAX_BYTES;
}

// Sets a value that fits and whose type is not NONE.
static void set_in_buffer(ct_data_manager *m, uint32_t slot, ct_data_key key, ct_data_value value) {
    ct_data_buffer *const own = m->slots.buffers[slot];
    if (own && ct_data_buffer_set(own, key, value))
        return;
    const ct_data_buffer *const b = ct_data_buffer_at(m, slot);
    const uint32_t bytes = next_bytes(m, own, ct_data_buffer_needed_bytes(b, key, value, 0));
    ct_data_buffer *const next = ct_buddy_pool_take(&m->pool, bytes);
    ct_data_buffer_rebuild(b, key, value, next, bytes);
    ct_data_change_buffer(m, slot, next); // only now: the value may have been in it
}

static void remove_from_buffer(ct_data_manager *m, uint32_t slot, ct_data_key key) {
    ct_data_buffer *const b = m->slots.buffers[slot];
    if (b && ct_data_buffer_remove(b, key) && b->num_keys == 0)
        ct_data_change_buffer(m, slot, NULL);
}

// --- Setting: slots ------------------------------------------------------------------------------

// Adds a bool or a float of a new key to those in the slot; false where it must go to the buffer.
static bool add_to_slot(ct_data_manager *m, uint32_t slot, ct_data_key key, ct_data_value value) {
    ct_data_layout wanted = m->layouts.items.items[ct_data_layout_at(m, slot)];
    if (wanted.num_keys == CT_DATA_SLOT_VALUES)
        return false;
    ct_data_body body = m->slots.bodies[slot];
    const uint32_t place = ct_data_layout_place(&wanted, key), after = wanted.num_keys++ - place;
    memmove(wanted.keys + place + 1, wanted.keys + place, after * sizeof(*wanted.keys));
    memmove(wanted.types + place + 1, wanted.types + place, after);
    memmove(body.words + place + 1, body.words + place, after * sizeof(*body.words));
    wanted.keys[place] = key.hash;
    wanted.types[place] = (uint8_t)value.type;
    body.words[place] = ct_data_word(value);
    return ct_data_change_layout(m, slot, &wanted, &body);
}

static bool remove_from_slot(ct_data_manager *m, uint32_t slot, uint32_t place) {
    ct_data_layout wanted = m->layouts.items.items[ct_data_layout_at(m, slot)];
    ct_data_body body = m->slots.bodies[slot];
    const uint32_t after = --wanted.num_keys - place;
    memmove(wanted.keys + place, wanted.keys + place + 1, after * sizeof(*wanted.keys));
    memmove(wanted.types + place, wanted.types + place + 1, after);
    memmove(body.words + place, body.words + place + 1, after * sizeof(*body.words));
    return ct_data_change_layout(m, slot, &wanted, &body);
}

// Moves all but one place from the slot to the buffer, where there are too many layouts.
static void spill(ct_data_manager *m, uint32_t slot, uint32_t dropped) {
    const ct_data_layout old = m->layouts.items.items[ct_data_layout_at(m, slot)];
    const ct_data_body body = m->slots.bodies[slot];
    ct_data_change_layout(m, slot, &(ct_data_layout){0}, &(ct_data_body){{0}});
    for (uint32_t i = 0; i < old.num_keys; ++i) {
        if (i != dropped)
            set_in_buffer(m, slot, (ct_data_key){old.keys[i]},
                          ct_data_word_value(old.types[i], body.words[i]));
    }
}

static void drop_from_slot(ct_data_manager *m, uint32_t slot, uint32_t place) {
    if (!remove_from_slot(m, slot, place))
        spill(m, slot, place);
}

// --- Setting -------------------------------------------------------------------------------------

static void remove_key(ct_data_manager *m, uint32_t slot, ct_data_key key) {
    const uint32_t layout = ct_data_layout_at(m, slot);
    ct_data_hint own;
    const ct_data_hint *const hint = find_hint(m, layout, key, &own);
    if (hint->layout == layout)
        drop_from_slot(m, slot, hint->place);
    else
        remove_from_buffer(m, slot, key);
}

// Sets a bool or a float that is in the slot already and has this type.
static bool set_in_slot(ct_data_manager *m, uint32_t slot, ct_data_key key, ct_data_value value) {
    const uint32_t layout = ct_data_layout_at(m, slot);
    ct_data_hint own;
    const ct_data_hint *const hint = find_hint(m, layout, key, &own);
    if (hint->layout != layout || hint->type != value.type)
        return false;
    m->slots.bodies[slot].words[hint->place] = ct_data_word(value);
    return true;
}

// Sets a value that fits and whose type is not NONE: in the slot if it is a number that can be
// there and is not in the buffer; otherwise in the buffer.
static void set_fitting(ct_data_manager *m, uint32_t slot, ct_data_key key, ct_data_value value) {
    const uint32_t layout = ct_data_layout_at(m, slot);
    ct_data_hint own;
    const ct_data_hint hint = *find_hint(m, layout, key, &own);
    const bool is_number = ct_data_is_number(value.type), is_in_slot = hint.layout == layout;
    if (is_in_slot && is_number) { // of the other type
        drop_from_slot(m, slot, hint.place);
        if (add_to_slot(m, slot, key, value))
            return;
    }
    const ct_data_buffer *const b = ct_data_buffer_at(m, slot);
    const bool is_in_buffer = ct_data_buffer_has(b, ct_data_buffer_place(b, key), key);
    if (is_number && !is_in_slot && !is_in_buffer && add_to_slot(m, slot, key, value))
        return;
    set_in_buffer(m, slot, key, value);
    if (is_in_slot && !is_number)
        drop_from_slot(m, slot, hint.place);
}

static bool check_room(const ct_data_manager *m, uint32_t slot, ct_data_key key,
                       ct_data_value value, ct_error *error) {
    return ct_data_whole_bytes(m, slot, key, value) <= CT_DATA_MAX_BYTES ||
           ct_error_set(error,
                        "the data of an instance takes at most %d bytes; there is no room for %u "
                        "more %s",
                        CT_DATA_MAX_BYTES, value.count,
                        value.type == CT_DATA_TYPE_STRING ? "bytes" : "numbers");
}

// Sets or removes a value if that needs no more room.
static bool set_at_once(ct_data_manager *m, uint32_t slot, ct_data_key key, ct_data_value value) {
    if (value.type != CT_DATA_TYPE_NONE)
        return set_in_slot(m, slot, key, value);
    remove_key(m, slot, key);
    return true;
}

bool ct_data_set(ct_data_manager *m, ct_data_instance i, ct_data_key key, ct_data_value value,
                 ct_error *error) {
    ct_data_check(m, i);
    if (set_at_once(m, i.slot, key, value))
        return true;
    if (!check_room(m, i.slot, key, value, error))
        return false;
    set_fitting(m, i.slot, key, value);
    return true;
}

bool ct_data_set_many(ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                      ct_data_key key, const ct_data_value *values, ct_error *error) {
    for (uint32_t k = 0; k < count; ++k) {
        ct_data_check(m, instances[k]);
        if (values[k].type != CT_DATA_TYPE_NONE &&
            !check_room(m, instances[k].slot, key, values[k], error))
            return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        if (!set_at_once(m, instances[k].slot, key, values[k]))
            set_fitting(m, instances[k].slot, key, values[k]);
    }
    return true;
}

// Returns whether a float fits all of the instances.
static bool check_floats(const ct_data_manager *m, const ct_data_instance *instances,
                         uint32_t count, ct_data_key key, ct_error *error) {
    uint32_t has_it = CT_DATA_LAYOUT_NEVER; // the last layout that has the key
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t head = head_of(m, instances[k]), layout = head & UINT16_MAX;
        if (head == ct_data_head(instances[k].generation, has_it))
            continue;
        ct_data_check(m, instances[k]);
        ct_data_hint own;
        if (find_hint(m, layout, key, &own)->layout == layout) {
            has_it = layout;
            continue;
        }
        prefetch_buffer(m, instances, count, k);
        if (!check_room(m, instances[k].slot, key, ct_data_float(0), error))
            return false;
    }
    return true;
}

bool ct_data_set_floats(ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                        ct_data_key key, const float *values, ct_error *error) {
    if (!check_floats(m, instances, count, key, error))
        return false;
    ct_data_hint own, hint = {.layout = CT_DATA_LAYOUT_NEVER}; // of the last with a float in a slot
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t slot = instances[k].slot, layout = ct_data_layout_at(m, slot);
        if (layout != hint.layout)
            hint = *find_hint(m, layout, key, &own);
        if (layout == hint.layout && hint.type == CT_DATA_TYPE_FLOAT) {
            m->slots.bodies[slot].words[hint.place] = ct_data_word(ct_data_float(values[k]));
            continue;
        }
        prefetch_buffer(m, instances, count, k);
        set_fitting(m, slot, key, ct_data_float(values[k]));
    }
    return true;
}
