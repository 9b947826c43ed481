#include "content/value_compare.h"

#include <string.h>

#include "foundation/string/string_id.h"

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

static bool is_same_scalar(ct_content_value a, ct_content_value b, ct_sjson_type type) {
    switch (type) {
    case CT_SJSON_TYPE_BOOL:
        return ct_sjson_bool(a.doc, a.value, false) == ct_sjson_bool(b.doc, b.value, false);
    case CT_SJSON_TYPE_NUMBER:
        return is_same_number(ct_sjson_number(a.doc, a.value, 0),
                              ct_sjson_number(b.doc, b.value, 0));
    case CT_SJSON_TYPE_STRING:
        return is_same_string(a, b);
    default:
        return true; // null, or none
    }
}

static bool has_same_key(ct_content_value a, ct_content_value b) {
    const ct_sjson_entry *const x = ct_sjson_entry_of(a.doc, a.value);
    const ct_sjson_entry *const y = ct_sjson_entry_of(b.doc, b.value);
    return x->key_tag == y->key_tag &&
           strcmp(a.doc->strings + x->key, b.doc->strings + y->key) == 0;
}

static ct_value_difference difference_at(ct_content_value a, ct_content_value b) {
    return (ct_value_difference){a.value, b.value};
}

// The first difference of two objects of as many members, from the member `x` on; in `b` they stand
// in another order.
static ct_value_difference find_in_object(ct_allocator *scratch, ct_content_value x,
                                          ct_content_value b) {
    ct_member_finder finder;
    ct_member_finder_init(&finder, scratch, b);
    ct_value_difference found = {0};
    for (; x.value.entry && !found.a.entry; x.value = ct_sjson_next(x.doc, x.value)) {
        const ct_content_value y = ct_member_finder_find(&finder, ct_sjson_key(x.doc, x.value));
        found = y.value.entry ? ct_value_find_difference(scratch, x, y) : difference_at(x, b);
    }
    ct_member_finder_free(&finder);
    return found;
}

// The first difference of two containers of one type and as many children.
static ct_value_difference find_in_container(ct_allocator *scratch, ct_content_value a,
                                             ct_content_value b, ct_sjson_type type) {
    ct_content_value x = {a.doc, ct_sjson_first(a.doc, a.value)};
    ct_content_value y = {b.doc, ct_sjson_first(b.doc, b.value)};
    ct_value_difference found = {0};
    while (x.value.entry && !found.a.entry) {
        if (type == CT_SJSON_TYPE_OBJECT && !has_same_key(x, y))
            return find_in_object(scratch, x, b);
        found = ct_value_find_difference(scratch, x, y);
        x.value = ct_sjson_next(a.doc, x.value);
        y.value = ct_sjson_next(b.doc, y.value);
    }
    return found;
}

ct_value_difference ct_value_find_difference(ct_allocator *scratch, ct_content_value a,
                                             ct_content_value b) {
    const ct_sjson_type type = ct_sjson_type_of(a.doc, a.value);
    if (type != ct_sjson_type_of(b.doc, b.value))
        return difference_at(a, b);
    if (type < CT_SJSON_TYPE_ARRAY)
        return is_same_scalar(a, b, type) ? (ct_value_difference){0} : difference_at(a, b);
    if (ct_sjson_count(a.doc, a.value) != ct_sjson_count(b.doc, b.value))
        return difference_at(a, b);
    return find_in_container(scratch, a, b, type);
}

bool ct_value_is_equal(ct_allocator *scratch, ct_content_value a, ct_content_value b) {
    if (!ct_content_value_is(a) || !ct_content_value_is(b))
        return ct_content_value_is(a) == ct_content_value_is(b);
    return !ct_value_find_difference(scratch, a, b).a.entry;
}

// --- Hashes --------------------------------------------------------------------------------------

// Mixes all bits of `value` (the end of MurmurHash3, Appleby).
static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 33) * UINT64_C(0xff51afd7ed558ccd);
    value = (value ^ value >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ value >> 33;
}

// The hash of a container, whose children's hashes are `known` from entry `begin` on, or found now.
static uint64_t hash_container(ct_content_value container, ct_sjson_type type,
                               const uint64_t *known, uint32_t begin) {
    const ct_sjson *const doc = container.doc;
    uint64_t hash = mix(type);
    ct_content_value child = {doc, ct_sjson_first(doc, container.value)};
    for (; child.value.entry; child.value = ct_sjson_next(doc, child.value)) {
        const uint64_t of_child = known ? known[child.value.entry - begin] : ct_value_hash(child);
        if (type == CT_SJSON_TYPE_ARRAY) {
            hash = mix(hash + of_child);
        } else { // a sum, for the order means nothing
            const uint64_t key = ct_string_id64_of(ct_sjson_key(doc, child.value)).value;
            hash += mix(mix(key) + of_child);
        }
    }
    return mix(hash);
}

static uint64_t hash_scalar(ct_content_value v, ct_sjson_type type) {
    uint64_t bits = 0;
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

uint64_t ct_value_hash(ct_content_value v) {
    const ct_sjson_type type = ct_content_value_type(v);
    return type >= CT_SJSON_TYPE_ARRAY ? hash_container(v, type, NULL, 0) : hash_scalar(v, type);
}

// --- Hashes of all that is in a value ------------------------------------------------------------

void ct_value_hashes_make(ct_value_hashes *h, ct_allocator *a, ct_content_value container) {
    const ct_sjson *const doc = container.doc;
    const uint32_t begin = container.value.entry;
    const uint32_t end = ct_sjson_entry_of(doc, container.value)->as.container.end;
    *h = (ct_value_hashes){.allocator = a, .begin = begin, .count = end - begin};
    h->hashes = ct_alloc(a, sizeof(*h->hashes) * (uint64_t)h->count);
    for (uint32_t i = end; i-- > begin;) { // what is in a container stands after it
        const ct_content_value v = {doc, {i}};
        const ct_sjson_type type = ct_content_value_type(v);
        h->hashes[i - begin] = type >= CT_SJSON_TYPE_ARRAY
                                   ? hash_container(v, type, h->hashes, begin)
                                   : hash_scalar(v, type);
    }
}

void ct_value_hashes_free(ct_value_hashes *h) {
    ct_free(h->allocator, h->hashes);
    *h = (ct_value_hashes){0};
}

uint64_t ct_value_hashes_of(const ct_value_hashes *h, ct_content_value v) {
    const uint32_t at = v.value.entry - h->begin; // of what stands before: a large number
    return at < h->count ? h->hashes[at] : ct_value_hash(v);
}
