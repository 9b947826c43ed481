#include "content/value_compare.h"

#include <string.h>

#include "foundation/string_id.h"

// Objects up to this many members are walked for a key.
enum { SMALL_OBJECT = 16 };

// --- Members by key ------------------------------------------------------------------------------

void ct_member_finder_init(ct_member_finder *f, ct_allocator *a, ct_content_value object) {
    f->object = object;
    f->next = (ct_sjson_value){0};
    if (ct_content_value_type(object) == CT_SJSON_TYPE_OBJECT)
        f->next = ct_sjson_first(object.doc, object.value);
    ct_hash_map_init(&f->keys, a);
}

void ct_member_finder_free(ct_member_finder *f) {
    ct_hash_map_free(&f->keys);
}

// Enters all members; a hash that is taken by another key is counted on from.
static void enter_keys(ct_member_finder *f) {
    const ct_sjson *const doc = f->object.doc;
    ct_sjson_value member = ct_sjson_first(doc, f->object.value);
    ct_hash_map_reserve(&f->keys, ct_sjson_count(doc, f->object.value));
    for (; member.entry; member = ct_sjson_next(doc, member)) {
        uint64_t hash = ct_string_id64_of(ct_sjson_key(doc, member)).value;
        while (ct_hash_map_find(&f->keys, hash))
            ++hash;
        ct_hash_map_set(&f->keys, hash, member.entry);
    }
}

static ct_sjson_value find_in_map(ct_member_finder *f, const char *key) {
    const ct_sjson *const doc = f->object.doc;
    if (f->keys.count == 0)
        enter_keys(f);
    for (uint64_t hash = ct_string_id64_of(key).value;; ++hash) {
        const uint32_t entry = (uint32_t)ct_hash_map_get(&f->keys, hash, 0);
        if (!entry || strcmp(ct_sjson_key(doc, (ct_sjson_value){entry}), key) == 0)
            return (ct_sjson_value){entry};
    }
}

ct_content_value ct_member_finder_find(ct_member_finder *f, const char *key) {
    const ct_sjson *const doc = f->object.doc;
    if (ct_content_value_type(f->object) != CT_SJSON_TYPE_OBJECT)
        return (ct_content_value){0};
    ct_sjson_value found = f->next;
    if (!found.entry || strcmp(ct_sjson_key(doc, found), key) != 0) {
        found = ct_sjson_count(doc, f->object.value) > SMALL_OBJECT
                    ? find_in_map(f, key)
                    : ct_sjson_find(doc, f->object.value, key);
    }
    if (!found.entry)
        return (ct_content_value){0};
    f->next = ct_sjson_next(doc, found);
    return (ct_content_value){doc, found};
}

// --- Equality ------------------------------------------------------------------------------------

static bool is_same_number(double a, double b) {
    return memcmp(&a, &b, sizeof(a)) == 0;
}

static bool is_same_string(ct_content_value a, ct_content_value b) {
    const uint32_t bytes = ct_sjson_string_bytes(a.doc, a.value);
    return bytes == ct_sjson_string_bytes(b.doc, b.value) &&
           memcmp(ct_sjson_string(a.doc, a.value, ""), ct_sjson_string(b.doc, b.value, ""),
                  bytes) == 0;
}

static bool is_same_array(ct_allocator *scratch, ct_content_value a, ct_content_value b) {
    ct_content_value x = {a.doc, ct_sjson_first(a.doc, a.value)};
    ct_content_value y = {b.doc, ct_sjson_first(b.doc, b.value)};
    while (x.value.entry && ct_value_is_equal(scratch, x, y)) {
        x.value = ct_sjson_next(a.doc, x.value);
        y.value = ct_sjson_next(b.doc, y.value);
    }
    return x.value.entry == 0;
}

static bool is_same_object(ct_allocator *scratch, ct_content_value a, ct_content_value b) {
    ct_member_finder finder;
    ct_member_finder_init(&finder, scratch, b);
    ct_content_value x = {a.doc, ct_sjson_first(a.doc, a.value)};
    for (; x.value.entry; x.value = ct_sjson_next(a.doc, x.value)) {
        const ct_content_value y = ct_member_finder_find(&finder, ct_sjson_key(a.doc, x.value));
        if (!y.value.entry || !ct_value_is_equal(scratch, x, y))
            break;
    }
    ct_member_finder_free(&finder);
    return x.value.entry == 0;
}

bool ct_value_is_equal(ct_allocator *scratch, ct_content_value a, ct_content_value b) {
    const ct_sjson_type type = ct_content_value_type(a);
    if (type != ct_content_value_type(b))
        return false;
    switch (type) {
    case CT_SJSON_TYPE_BOOL:
        return ct_sjson_bool(a.doc, a.value, false) == ct_sjson_bool(b.doc, b.value, false);
    case CT_SJSON_TYPE_NUMBER:
        return is_same_number(ct_sjson_number(a.doc, a.value, 0),
                              ct_sjson_number(b.doc, b.value, 0));
    case CT_SJSON_TYPE_STRING:
        return is_same_string(a, b);
    case CT_SJSON_TYPE_ARRAY:
        return ct_sjson_count(a.doc, a.value) == ct_sjson_count(b.doc, b.value) &&
               is_same_array(scratch, a, b);
    case CT_SJSON_TYPE_OBJECT:
        return ct_sjson_count(a.doc, a.value) == ct_sjson_count(b.doc, b.value) &&
               is_same_object(scratch, a, b);
    default:
        return true; // null, or none
    }
}

// --- Hashes --------------------------------------------------------------------------------------

// Mixes all bits of `value` (the end of MurmurHash3, Appleby).
static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 33) * UINT64_C(0xff51afd7ed558ccd);
    value = (value ^ value >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ value >> 33;
}

static uint64_t hash_children(ct_content_value container, ct_sjson_type type) {
    const ct_sjson *const doc = container.doc;
    uint64_t hash = mix(type);
    ct_content_value child = {doc, ct_sjson_first(doc, container.value)};
    for (; child.value.entry; child.value = ct_sjson_next(doc, child.value)) {
        if (type == CT_SJSON_TYPE_ARRAY) {
            hash = mix(hash + ct_value_hash(child));
        } else { // a sum, for the order means nothing
            const uint64_t key = ct_string_id64_of(ct_sjson_key(doc, child.value)).value;
            hash += mix(mix(key) + ct_value_hash(child));
        }
    }
    return mix(hash);
}

uint64_t ct_value_hash(ct_content_value v) {
    const ct_sjson_type type = ct_content_value_type(v);
    uint64_t bits = 0;
    if (type >= CT_SJSON_TYPE_ARRAY)
        return hash_children(v, type);
    if (type == CT_SJSON_TYPE_NUMBER) {
        const double number = ct_sjson_number(v.doc, v.value, 0);
        memcpy(&bits, &number, sizeof(bits));
    } else if (type == CT_SJSON_TYPE_STRING) {
        bits = ct_string_id64_of_bytes(ct_sjson_string(v.doc, v.value, ""),
                                       ct_sjson_string_bytes(v.doc, v.value))
                   .value;
    } else if (type == CT_SJSON_TYPE_BOOL) {
        bits = ct_sjson_bool(v.doc, v.value, false);
    }
    return mix(bits + (uint64_t)type * UINT64_C(0x9e3779b97f4a7c15));
}
