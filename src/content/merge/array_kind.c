#include "content/merge/array_kind.h"

#include <string.h>

static const char *const id_keys[] = {"id", "Id", "ID"};

static bool is_scalar(ct_content_value v) {
    return ct_content_value_type(v) < CT_SJSON_TYPE_ARRAY;
}

static uint32_t count_of(ct_content_value array) {
    return ct_content_value_is(array) ? ct_sjson_count(array.doc, array.value) : 0;
}

static ct_content_value first_of(ct_content_value array) {
    if (!ct_content_value_is(array))
        return (ct_content_value){0};
    return (ct_content_value){array.doc, ct_sjson_first(array.doc, array.value)};
}

static ct_content_value next_of(ct_content_value element) {
    return (ct_content_value){element.doc, ct_sjson_next(element.doc, element.value)};
}

ct_content_value ct_array_element_id(ct_content_value element, const char *id_key) {
    if (ct_content_value_type(element) != CT_SJSON_TYPE_OBJECT)
        return (ct_content_value){0};
    return (ct_content_value){element.doc, ct_sjson_find(element.doc, element.value, id_key)};
}

const char *ct_array_fault_text(ct_array_fault fault) {
    static const char *const texts[] = {
        [CT_ARRAY_FAULT_NONE] = "is right",
        [CT_ARRAY_FAULT_DOUBLED_ID] = "has the id of another element",
        [CT_ARRAY_FAULT_NO_ID] = "has no id",
        [CT_ARRAY_FAULT_ID_TYPE] = "has an id that is neither a string nor a number",
    };
    return texts[fault];
}

// --- One value, sets -----------------------------------------------------------------------------

static bool is_vector_type(ct_field_type type) {
    return type == CT_FIELD_TYPE_VECTOR2 || type == CT_FIELD_TYPE_VECTOR3 ||
           type == CT_FIELD_TYPE_VECTOR4 || type == CT_FIELD_TYPE_QUATERNION ||
           type == CT_FIELD_TYPE_COLOR;
}

// True for fields whose schema says nothing of what is in an array.
static bool is_open_type(const ct_field *field) {
    return !field || field->type == CT_FIELD_TYPE_VALUE || field->type == CT_FIELD_TYPE_MAP;
}

static bool has_only(ct_content_value array, bool (*is_right)(ct_content_value v)) {
    ct_content_value e = first_of(array);
    while (ct_content_value_is(e) && is_right(e))
        e = next_of(e);
    return !ct_content_value_is(e);
}

static bool is_number(ct_content_value v) {
    return ct_content_value_type(v) == CT_SJSON_TYPE_NUMBER;
}

static bool is_one_value(ct_content_place place, const ct_content_value *versions,
                         uint32_t num_versions) {
    if (!is_open_type(place.field))
        return is_vector_type(place.field->type);
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_versions; ++i) {
        if (!ct_content_value_is(versions[i]))
            continue;
        const uint32_t n = count_of(versions[i]);
        if (n < 2 || n > 4 || (count && n != count) || !has_only(versions[i], is_number))
            return false;
        count = n;
    }
    return count > 0;
}

static bool is_set(ct_content_place place, const ct_content_value *versions,
                   uint32_t num_versions) {
    if (!place.field || !(place.field->flags & CT_FIELD_SET))
        return false;
    for (uint32_t i = 0; i < num_versions; ++i) {
        if (!has_only(versions[i], is_scalar))
            return false;
    }
    return true;
}

// --- Ids -----------------------------------------------------------------------------------------

// The key by which the first element that has one is known, or NULL.
static const char *find_id_key(const ct_content_value *versions, uint32_t num_versions) {
    for (uint32_t i = 0; i < num_versions; ++i) {
        ct_content_value e = first_of(versions[i]);
        for (; ct_content_value_is(e); e = next_of(e)) {
            for (uint32_t k = 0; k < CT_COUNT_OF(id_keys); ++k) {
                if (ct_content_value_is(ct_array_element_id(e, id_keys[k])))
                    return id_keys[k];
            }
        }
    }
    return NULL;
}

static ct_array_fault fault_of(ct_content_value id) {
    const ct_sjson_type type = ct_content_value_type(id);
    if (type == CT_SJSON_TYPE_NONE)
        return CT_ARRAY_FAULT_NO_ID;
    return type == CT_SJSON_TYPE_STRING || type == CT_SJSON_TYPE_NUMBER ? CT_ARRAY_FAULT_NONE
                                                                        : CT_ARRAY_FAULT_ID_TYPE;
}

// --- Rows ----------------------------------------------------------------------------------------

// Fills the rows of a match, version by version.
typedef struct row_maker {
    ct_array_match *match;
    const ct_content_value *versions;
    uint32_t num_versions;
    ct_allocator *allocator;
    ct_hash_map rows;   // from the hash of what an element goes by, counted on, to row + 1
    ct_hash_map counts; // sets: how many elements of the version had the hash so far
} row_maker;

// What an element goes by: its id, or itself.
static ct_content_value name_of(const row_maker *m, ct_content_value element) {
    return m->match->kind == CT_ARRAY_KIND_IDENTITY ? ct_array_element_id(element, m->match->id_key)
                                                    : element;
}

static bool is_named(const row_maker *m, uint32_t row, ct_content_value name) {
    for (uint32_t i = 0; i < m->num_versions; ++i) {
        const ct_sjson_value e = m->match->rows.items[row].elements[i];
        if (e.entry)
            return ct_value_is_equal(m->allocator,
                                     name_of(m, (ct_content_value){m->versions[i].doc, e}), name);
    }
    return false;
}

// The hash of what an element goes by; in a set, of that and how many equal ones stand before it.
static uint64_t hash_of(row_maker *m, ct_content_value name) {
    const uint64_t hash = ct_value_hash(name);
    if (m->match->kind == CT_ARRAY_KIND_IDENTITY)
        return hash;
    const uint64_t count = ct_hash_map_get(&m->counts, hash, 0);
    ct_hash_map_set(&m->counts, hash, count + 1);
    return hash + count * UINT64_C(0x9e3779b97f4a7c15);
}

// The row that an element of a version belongs to; a new one when there is none. In a set a row
// that the version has filled is passed over; by id it is returned.
static uint32_t row_of(row_maker *m, ct_content_value name, uint32_t version) {
    const bool is_unique = m->match->kind == CT_ARRAY_KIND_IDENTITY;
    for (uint64_t hash = hash_of(m, name);; ++hash) {
        const uint32_t row = (uint32_t)ct_hash_map_get(&m->rows, hash, 0);
        if (!row) {
            ct_array_push(&m->match->rows, (ct_array_row){0});
            ct_hash_map_set(&m->rows, hash, m->match->rows.count);
            return m->match->rows.count - 1;
        }
        const bool is_filled = m->match->rows.items[row - 1].elements[version].entry;
        if ((is_unique || !is_filled) && is_named(m, row - 1, name))
            return row - 1;
    }
}

static bool set_fault(ct_array_match *match, ct_array_fault fault, uint32_t version,
                      ct_content_value element) {
    match->fault = fault;
    match->fault_version = version;
    match->fault_at = element.value;
    return false;
}

static bool add_version(row_maker *m, uint32_t version) {
    ct_array_match *const match = m->match;
    const bool is_identity = match->kind == CT_ARRAY_KIND_IDENTITY;
    ct_array_reserve(&match->orders[version], count_of(m->versions[version]));
    ct_hash_map_clear(&m->counts);
    uint32_t next = 0; // versions are mostly in one order
    ct_content_value e = first_of(m->versions[version]);
    for (; ct_content_value_is(e); e = next_of(e)) {
        const ct_content_value name = name_of(m, e);
        const ct_array_fault fault = is_identity ? fault_of(name) : CT_ARRAY_FAULT_NONE;
        if (fault != CT_ARRAY_FAULT_NONE)
            return set_fault(match, fault, version, e);
        const bool is_next = is_identity && next < match->rows.count && is_named(m, next, name);
        const uint32_t row = is_next ? next : row_of(m, name, version);
        if (match->rows.items[row].elements[version].entry)
            return set_fault(match, CT_ARRAY_FAULT_DOUBLED_ID, version, e);
        match->rows.items[row].elements[version] = e.value;
        ct_array_push(&match->orders[version], row);
        next = row + 1;
    }
    return true;
}

static void free_rows(ct_array_match *match) {
    ct_array_free(&match->rows);
    for (uint32_t i = 0; i < CT_ARRAY_MAX_VERSIONS; ++i)
        ct_array_free(&match->orders[i]);
}

static void make_rows(row_maker *m) {
    ct_array_reserve(&m->match->rows, count_of(m->versions[0]));
    ct_hash_map_reserve(&m->rows, count_of(m->versions[0]));
    bool is_right = true;
    for (uint32_t i = 0; i < m->num_versions && is_right; ++i)
        is_right = add_version(m, i);
    ct_hash_map_free(&m->rows);
    ct_hash_map_free(&m->counts);
    if (is_right)
        return;
    m->match->kind = CT_ARRAY_KIND_SEQUENCE;
    free_rows(m->match);
}

void ct_array_match_make(ct_array_match *match, ct_allocator *a, ct_content_place place,
                         const ct_content_value *versions, uint32_t num_versions) {
    CT_ASSERT(num_versions <= CT_ARRAY_MAX_VERSIONS, "%u versions of an array", num_versions);
    memset(match, 0, sizeof(*match));
    ct_array_init(&match->rows, a);
    for (uint32_t i = 0; i < CT_ARRAY_MAX_VERSIONS; ++i)
        ct_array_init(&match->orders[i], a);
    row_maker m = {.match = match,
                   .versions = versions,
                   .num_versions = num_versions,
                   .allocator = a,
                   .rows = {.allocator = a},
                   .counts = {.allocator = a}};
    if (is_one_value(place, versions, num_versions)) {
        match->kind = CT_ARRAY_KIND_VALUE;
    } else if (is_set(place, versions, num_versions)) {
        match->kind = CT_ARRAY_KIND_SET;
        make_rows(&m);
    } else if ((match->id_key = find_id_key(versions, num_versions))) {
        match->kind = CT_ARRAY_KIND_IDENTITY;
        make_rows(&m);
    }
}

void ct_array_match_free(ct_array_match *match) {
    free_rows(match);
}
