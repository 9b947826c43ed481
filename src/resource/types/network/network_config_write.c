#include "resource/types/network/network_config_write.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/network/network_config_hash.h"

// The parts of the blob, without their names, in this machine's byte order.
typedef struct config_parts {
    CT_ARRAY(ct_network_type) types;
    CT_ARRAY(const char *) type_names;
    CT_ARRAY(ct_network_record_type) records[2]; // messages, objects
    CT_ARRAY(const char *) record_names[2];
    CT_ARRAY(ct_network_field) fields;
    CT_ARRAY(const char *) field_names;
    ct_byte_array widths;
    ct_u32_array defaults;
    CT_ARRAY(const char *) lookups;
    uint32_t *type_orders; // the description's index of each type; UINT32_MAX: predefined
} config_parts;

static void free_parts(config_parts *p) {
    ct_free(p->types.allocator, p->type_orders);
    ct_array_free(&p->types);
    ct_array_free(&p->type_names);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_array_free(&p->records[i]);
        ct_array_free(&p->record_names[i]);
    }
    ct_array_free(&p->fields);
    ct_array_free(&p->field_names);
    ct_array_free(&p->widths);
    ct_array_free(&p->defaults);
    ct_array_free(&p->lookups);
}

static void init_parts(config_parts *p, ct_allocator *a) {
    memset(p, 0, sizeof(*p));
    ct_array_init(&p->types, a);
    ct_array_init(&p->type_names, a);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_array_init(&p->records[i], a);
        ct_array_init(&p->record_names[i], a);
    }
    ct_array_init(&p->fields, a);
    ct_array_init(&p->field_names, a);
    ct_array_init(&p->widths, a);
    ct_array_init(&p->defaults, a);
    ct_array_init(&p->lookups, a);
}

// --- Order ---------------------------------------------------------------------------------------

typedef struct named {
    uint32_t id, index;
    const char *name;
} named;

static int compare_named(const void *a, const void *b) {
    const named *const x = a, *const y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

// Sorts by id. Returns false with the later of two that have the same.
static bool sort_named(named *items, uint32_t count, const char *what, uint32_t *wrong,
                       ct_error *error) {
    if (count == 0)
        return true;
    qsort(items, count, sizeof(*items), compare_named);
    for (uint32_t i = 0; i < count; ++i) {
        *wrong = items[i].index;
        if (items[i].id == 0)
            return ct_error_set(error, "found a %s without a name", what);
        if (i == 0 || items[i].id != items[i - 1].id)
            continue;
        if (strcmp(items[i].name, items[i - 1].name) == 0)
            return ct_error_set(error, "there is another %s \"%s\"", what, items[i].name);
        return ct_error_set(error,
                            "the names \"%s\" and \"%s\" have the same id %08x; write another name",
                            items[i].name, items[i - 1].name, items[i].id);
    }
    return true;
}

static named name_at(const char *name, uint32_t index) {
    return (named){ct_string_id32_of(name).value, index, name};
}

// --- Types ---------------------------------------------------------------------------------------

static const ct_network_type_desc predefined[] = {
    {.name = "bool", .kind = CT_NETWORK_BOOL},
    {.name = "id", .kind = CT_NETWORK_ID},
    {.name = "peer", .kind = CT_NETWORK_PEER},
    {.name = "object", .kind = CT_NETWORK_OBJECT},
};

static uint32_t find_type(const config_parts *p, const char *name) {
    for (uint32_t i = 0; name && i < p->types.count; ++i) {
        if (strcmp(p->type_names.items[i], name) == 0)
            return i;
    }
    return UINT32_MAX;
}

static bool is_ranged(uint32_t kind) {
    return kind == CT_NETWORK_FLOAT || kind == CT_NETWORK_VECTOR2 || kind == CT_NETWORK_VECTOR3;
}

static void add_type(config_parts *p, const ct_network_type_desc *d) {
    ct_network_type t = {.id = ct_string_id32_of(d->name), .kind = d->kind};
    const uint32_t num_parts = !is_ranged(d->kind)             ? 0
                               : d->kind == CT_NETWORK_VECTOR3 ? 3
                               : d->kind == CT_NETWORK_VECTOR2 ? 2
                                                               : 1;
    if (num_parts > 0 || d->kind == CT_NETWORK_ROTATION)
        t.bits = d->bits;
    for (uint32_t i = 0; i < num_parts; ++i) {
        t.min[i] = d->min[i];
        t.max[i] = d->max[i];
    }
    if (d->kind == CT_NETWORK_INTEGER) {
        t.first = d->first;
        t.last = d->last;
    }
    if (d->kind == CT_NETWORK_STRING || d->kind == CT_NETWORK_ARRAY)
        t.max_count = d->max_count;
    if (d->kind == CT_NETWORK_LOOKUP) {
        t.first_lookup = p->lookups.count;
        t.num_lookups = d->num_lookups;
        for (uint32_t i = 0; i < d->num_lookups; ++i)
            ct_array_push(&p->lookups, d->lookups[i]);
    }
    ct_array_push(&p->types, t);
    ct_array_push(&p->type_names, d->name);
}

static bool check_parts(const ct_network_type *t, ct_error *error) {
    for (uint32_t i = 0; i < 3; ++i) {
        const bool is_used = is_ranged(t->kind) && (i == 0 || t->kind == CT_NETWORK_VECTOR3 ||
                                                    (i == 1 && t->kind == CT_NETWORK_VECTOR2));
        if (is_used && !ct_network_range_check(t->min[i], t->max[i], t->bits, error))
            return false;
    }
    return true;
}

static bool check_numbers(const ct_network_type *t, ct_error *error) {
    switch (t->kind) {
    case CT_NETWORK_INTEGER:
        return t->first <= t->last ||
               ct_error_set(error, "found min %d above max %d", (int)t->first, (int)t->last);
    case CT_NETWORK_ROTATION:
        return (t->bits >= CT_NETWORK_LEAST_BITS && t->bits <= CT_NETWORK_MOST_ROTATION_BITS) ||
               ct_error_set(error, "found %u bits, expected %d to %d", t->bits,
                            CT_NETWORK_LEAST_BITS, CT_NETWORK_MOST_ROTATION_BITS);
    case CT_NETWORK_STRING:
        return (t->max_count > 0 && t->max_count <= CT_NETWORK_MAX_STRING_BYTES) ||
               ct_error_set(error, "found a max of %u bytes, expected 1 to %d", t->max_count,
                            CT_NETWORK_MAX_STRING_BYTES);
    case CT_NETWORK_ARRAY:
        return (t->max_count > 0 && t->max_count < CT_NETWORK_MAX_WORDS) ||
               ct_error_set(error, "found a max of %u elements, expected 1 to %d", t->max_count,
                            CT_NETWORK_MAX_WORDS - 1);
    case CT_NETWORK_LOOKUP:
        return t->num_lookups > 0 || ct_error_set(error, "found an empty list of values");
    default:
        return t->kind < CT_NETWORK_KINDS || ct_error_set(error, "found kind %u", t->kind);
    }
}

static bool set_element(config_parts *p, ct_network_type *t, const char *element, ct_error *error) {
    t->element = find_type(p, element);
    if (t->element == UINT32_MAX)
        return ct_error_set(error, "there is no type \"%s\"", element ? element : "");
    const uint32_t kind = p->types.items[t->element].kind;
    return (kind != CT_NETWORK_ARRAY && kind != CT_NETWORK_STRING) ||
           ct_error_set(error, "\"%s\" is %s %s; elements of arrays are neither arrays nor strings",
                        element, kind == CT_NETWORK_ARRAY ? "an" : "a", ct_network_kind_name(kind));
}

static bool set_words(config_parts *p, ct_network_type *t, ct_error *error) {
    t->num_words = ct_network_type_widths(p->types.items, t, NULL);
    return t->num_words > 0 ||
           ct_error_set(error,
                        "its %u elements of \"%s\" take %u words and one for their "
                        "count, more than the %d that a record has",
                        t->max_count, p->type_names.items[t->element],
                        t->max_count * p->types.items[t->element].num_words, CT_NETWORK_MAX_WORDS);
}

static bool finish_type(config_parts *p, const ct_network_config_desc *d, uint32_t i,
                        ct_error *error) {
    ct_network_type *const t = &p->types.items[i];
    if (t->kind == CT_NETWORK_ARRAY &&
        !set_element(p, t, d->types[p->type_orders[i]].element, error))
        return false;
    return check_numbers(t, error) && check_parts(t, error) && set_words(p, t, error);
}

static bool add_types(config_parts *p, const ct_network_config_desc *d,
                      ct_network_config_place *place, ct_error *error) {
    enum { NUM_PREDEFINED = CT_COUNT_OF(predefined) };
    *place = (ct_network_config_place){CT_NETWORK_PLACE_NOWHERE, 0, UINT32_MAX};
    if (d->num_types > CT_NETWORK_MAX_TYPES - NUM_PREDEFINED)
        return ct_error_set(error, "found %u types, expected at most %d", d->num_types,
                            CT_NETWORK_MAX_TYPES - NUM_PREDEFINED);
    ct_allocator *const a = p->types.allocator;
    const uint32_t count = d->num_types + NUM_PREDEFINED;
    named *const order = ct_alloc(a, count * sizeof(*order));
    p->type_orders = ct_alloc(a, count * sizeof(*p->type_orders));
    for (uint32_t i = 0; i < NUM_PREDEFINED; ++i) // first: the other one is reported
        order[i] = name_at(predefined[i].name, i);
    for (uint32_t i = 0; i < d->num_types; ++i)
        order[NUM_PREDEFINED + i] = name_at(d->types[i].name, NUM_PREDEFINED + i);
    uint32_t wrong = 0;
    const bool is_sorted = sort_named(order, count, "type", &wrong, error);
    for (uint32_t i = 0; i < count && is_sorted; ++i) {
        const bool is_predefined = order[i].index < NUM_PREDEFINED;
        add_type(p, is_predefined ? &predefined[order[i].index]
                                  : &d->types[order[i].index - NUM_PREDEFINED]);
        p->type_orders[i] = is_predefined ? UINT32_MAX : order[i].index - NUM_PREDEFINED;
    }
    ct_free(a, order);
    place->list = CT_NETWORK_PLACE_TYPE;
    place->index = wrong - NUM_PREDEFINED;
    // Arrays last: they need the words of their elements.
    for (uint32_t pass = 0; pass < 2 && is_sorted; ++pass) {
        for (uint32_t i = 0; i < count; ++i) {
            place->index = p->type_orders[i];
            const bool is_array = p->types.items[i].kind == CT_NETWORK_ARRAY;
            if (is_array == (pass == 1) && !finish_type(p, d, i, error))
                return false;
        }
    }
    return is_sorted;
}

// --- Records -------------------------------------------------------------------------------------

static bool check_field_name(const ct_network_record_desc *d, uint32_t k, ct_error *error) {
    const uint32_t id = ct_string_id32_of(d->fields[k].name).value;
    for (uint32_t i = 0; i < k; ++i) {
        if (ct_string_id32_of(d->fields[i].name).value != id)
            continue;
        if (strcmp(d->fields[i].name, d->fields[k].name) == 0)
            return ct_error_set(error, "there is another field \"%s\"", d->fields[k].name);
        return ct_error_set(error,
                            "the names \"%s\" and \"%s\" have the same id %08x; write another name",
                            d->fields[k].name, d->fields[i].name, id);
    }
    return id != 0 || ct_error_set(error, "found a field without a name");
}

static bool add_field(config_parts *p, ct_network_record_type *r, const ct_network_record_desc *d,
                      uint32_t k, ct_error *error) {
    const ct_network_field_desc *const f = &d->fields[k];
    if (!check_field_name(d, k, error))
        return false;
    const uint32_t type = find_type(p, f->type);
    if (type == UINT32_MAX)
        return ct_error_set(error, "there is no type \"%s\"", f->type ? f->type : "");
    const ct_network_type *const t = &p->types.items[type];
    if (t->num_words > CT_NETWORK_MAX_WORDS - r->num_words)
        return ct_error_set(error,
                            "its %u words are too many: those before it have %u of the %d that "
                            "a record has",
                            t->num_words, r->num_words, CT_NETWORK_MAX_WORDS);
    ct_array_push(&p->fields, (ct_network_field){.id = ct_string_id32_of(f->name),
                                                 .type = type,
                                                 .first_word = r->num_words,
                                                 .num_words = t->num_words});
    ct_array_push(&p->field_names, f->name);
    uint8_t widths[CT_NETWORK_MAX_WORDS] = {0};
    uint32_t words[CT_NETWORK_MAX_WORDS] = {0};
    ct_network_type_widths(p->types.items, t, widths);
    ct_network_value_default(p->types.items, t, words);
    ct_network_value value = f->value;
    value.kind = t->kind;
    if (f->has_value && !ct_network_value_write(p->types.items, t, &value, words, error))
        return false;
    ct_array_push_many(&p->widths, widths, t->num_words);
    ct_array_push_many(&p->defaults, words, t->num_words);
    r->num_words += t->num_words;
    ++r->num_fields;
    return true;
}

static bool set_position(const config_parts *p, ct_network_record_type *r,
                         const ct_network_record_desc *d, ct_error *error) {
    r->position = UINT32_MAX;
    if (!d->position)
        return true;
    for (uint32_t i = 0; i < d->num_fields; ++i) {
        if (strcmp(d->fields[i].name, d->position) == 0)
            r->position = i;
    }
    if (r->position == UINT32_MAX)
        return ct_error_set(error, "there is no field \"%s\"", d->position);
    const ct_network_field *const f = &p->fields.items[r->first_field + r->position];
    const uint32_t kind = p->types.items[f->type].kind;
    return kind == CT_NETWORK_VECTOR3 ||
           ct_error_set(error, "found field \"%s\" of kind %s, expected a vector3", d->position,
                        ct_network_kind_name(kind));
}

static bool is_amount(float x) {
    return x >= 0 && x <= 3.4e38f;
}

static bool add_record(config_parts *p, const ct_network_record_desc *d, bool is_object,
                       ct_network_config_place *place, ct_error *error) {
    ct_network_record_type r = {.id = ct_string_id32_of(d->name),
                                .first_field = p->fields.count,
                                .first_width = p->widths.count,
                                .position = UINT32_MAX};
    if (d->num_fields > CT_NETWORK_MAX_FIELDS)
        return ct_error_set(error, "found %u fields, expected at most %d", d->num_fields,
                            CT_NETWORK_MAX_FIELDS);
    for (uint32_t k = 0; k < d->num_fields; ++k) {
        place->field = k;
        if (!add_field(p, &r, d, k, error))
            return false;
    }
    place->field = UINT32_MAX;
    if (!is_amount(d->distance) || !is_amount(d->priority) || !is_amount(d->rate))
        return ct_error_set(error, "found distance %g, priority %g, rate %g; expected 0 or more",
                            (double)d->distance, (double)d->priority, (double)d->rate);
    if (is_object) {
        if (!set_position(p, &r, d, error))
            return false;
        r.is_shared = d->is_shared;
        r.distance = d->distance;
        r.rate = d->rate;
    } else {
        r.is_reliable = d->is_reliable;
    }
    r.priority = is_object || !d->is_reliable ? d->priority : 0;
    ct_array_push(&p->records[is_object], r);
    ct_array_push(&p->record_names[is_object], d->name);
    return true;
}

static bool add_records(config_parts *p, const ct_network_record_desc *records, uint32_t count,
                        bool is_object, ct_network_config_place *place, ct_error *error) {
    const char *const what = is_object ? "object" : "message";
    *place = (ct_network_config_place){CT_NETWORK_PLACE_NOWHERE, 0, UINT32_MAX};
    if (count > CT_NETWORK_MAX_RECORDS)
        return ct_error_set(error, "found %u %ss, expected at most %d", count, what,
                            CT_NETWORK_MAX_RECORDS);
    ct_allocator *const a = p->types.allocator;
    named *const order = ct_alloc(a, (count + 1) * sizeof(*order));
    for (uint32_t i = 0; i < count; ++i)
        order[i] = name_at(records[i].name, i);
    place->list = is_object ? CT_NETWORK_PLACE_OBJECT : CT_NETWORK_PLACE_MESSAGE;
    bool is_good = sort_named(order, count, what, &place->index, error);
    for (uint32_t i = 0; i < count && is_good; ++i) {
        place->index = order[i].index;
        is_good = add_record(p, &records[place->index], is_object, place, error);
    }
    ct_free(a, order);
    return is_good;
}

// --- The blob ------------------------------------------------------------------------------------

static ct_blob_string write_name(ct_blob_writer *w, const char *name) {
    return ct_blob_write_string(w, name, strlen(name));
}

static void write_parts(config_parts *p, ct_blob_writer *w, uint64_t hash) {
    ct_network_config_resource c = {.hash = hash};
    ct_blob_begin(w, &ct_network_config_layout);
    c.types = ct_blob_reserve_items(w, &ct_network_type_layout, p->types.count);
    c.messages = ct_blob_reserve_items(w, &ct_network_record_type_layout, p->records[0].count);
    c.objects = ct_blob_reserve_items(w, &ct_network_record_type_layout, p->records[1].count);
    c.fields = ct_blob_reserve_items(w, &ct_network_field_layout, p->fields.count);
    c.widths = ct_blob_write_items(w, &ct_blob_u8_layout, p->widths.items, p->widths.count);
    c.defaults = ct_blob_write_items(w, &ct_blob_u32_layout, p->defaults.items, p->defaults.count);
    c.lookups = ct_blob_write_strings(w, p->lookups.items, p->lookups.count);
    for (uint32_t i = 0; i < p->types.count; ++i)
        p->types.items[i].name = write_name(w, p->type_names.items[i]);
    for (uint32_t k = 0; k < 2; ++k) {
        for (uint32_t i = 0; i < p->records[k].count; ++i)
            p->records[k].items[i].name = write_name(w, p->record_names[k].items[i]);
    }
    for (uint32_t i = 0; i < p->fields.count; ++i)
        p->fields.items[i].name = write_name(w, p->field_names.items[i]);
    ct_blob_fill_items(w, &ct_network_type_layout, c.types, p->types.items);
    ct_blob_fill_items(w, &ct_network_record_type_layout, c.messages, p->records[0].items);
    ct_blob_fill_items(w, &ct_network_record_type_layout, c.objects, p->records[1].items);
    ct_blob_fill_items(w, &ct_network_field_layout, c.fields, p->fields.items);
    ct_blob_end(w, &ct_network_config_layout, &c);
    ct_blob_writer_finish(w);
}

static ct_byte_order own_order(void) {
    const uint32_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first ? CT_BYTE_ORDER_LITTLE : CT_BYTE_ORDER_BIG;
}

// Hashes need a blob in this machine's order.
static uint64_t hash_parts(config_parts *p) {
    ct_blob_writer w;
    ct_blob_writer_init(&w, p->types.allocator, own_order(), "network_config",
                        CT_NETWORK_CONFIG_VERSION);
    write_parts(p, &w, 0);
    const uint64_t hash =
        ct_network_config_hash((const ct_network_config_resource *)(const void *)w.bytes.items);
    ct_blob_writer_free(&w);
    return hash;
}

// The bytes of a string have one order in memory on all machines, so its words have two.
static void swap_strings(config_parts *p) {
    for (uint32_t k = 0; k < 2; ++k) {
        for (uint32_t i = 0; i < p->records[k].count; ++i) {
            const ct_network_record_type *const r = &p->records[k].items[i];
            for (uint32_t n = 0; n < r->num_fields; ++n) {
                const ct_network_field *const f = &p->fields.items[r->first_field + n];
                uint32_t *const words = p->defaults.items + r->first_width + f->first_word;
                for (uint32_t m = 1; m < f->num_words; ++m) {
                    if (p->types.items[f->type].kind == CT_NETWORK_STRING)
                        words[m] = __builtin_bswap32(words[m]);
                }
            }
        }
    }
}

bool ct_network_config_write(const ct_network_config_desc *desc, ct_allocator *scratch,
                             ct_blob_writer *w, ct_network_config_place *place, ct_error *error) {
    config_parts p;
    init_parts(&p, scratch);
    const bool is_good = add_types(&p, desc, place, error) &&
                         add_records(&p, desc->messages, desc->num_messages, false, place, error) &&
                         add_records(&p, desc->objects, desc->num_objects, true, place, error);
    if (is_good) {
        const uint64_t hash = hash_parts(&p);
        if (w->order != own_order())
            swap_strings(&p);
        write_parts(&p, w, hash);
    }
    free_parts(&p);
    return is_good;
}
