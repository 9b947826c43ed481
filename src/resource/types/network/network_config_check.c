#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/network/network_value.h"
#include "resource/types/network_config_resource.h"

static bool check_id(const ct_network_config_resource *c, ct_string_id32 id, ct_blob_string name) {
    return id.value != 0 && ct_string_id32_of(ct_blob_at(c, name.offset)).value == id.value;
}

// --- Types ---------------------------------------------------------------------------------------

static bool check_ranges(const ct_network_type *t, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_network_range_check(t->min[i], t->max[i], t->bits, error))
            return false;
    }
    return true;
}

static bool check_element(const ct_network_config_resource *c, const ct_network_type *t,
                          ct_error *error) {
    if (t->max_count == 0 || t->max_count >= CT_NETWORK_MAX_WORDS)
        return ct_error_set(error, "found a max_count of %u", t->max_count);
    if (t->element >= c->types.count)
        return ct_error_set(error, "found element type %u of %u", t->element, c->types.count);
    const uint32_t kind = ct_network_config_types(c)[t->element].kind;
    return (kind != CT_NETWORK_ARRAY && kind != CT_NETWORK_STRING) ||
           ct_error_set(error, "found elements of kind %s", ct_network_kind_name(kind));
}

static bool check_list(const ct_network_config_resource *c, const ct_network_type *t,
                       ct_error *error) {
    return (t->num_lookups > 0 && t->first_lookup <= c->lookups.count &&
            t->num_lookups <= c->lookups.count - t->first_lookup) ||
           ct_error_set(error, "found lookups %u + %u, but there are only %u", t->first_lookup,
                        t->num_lookups, c->lookups.count);
}

static bool check_kind(const ct_network_config_resource *c, const ct_network_type *t,
                       ct_error *error) {
    switch (t->kind) {
    case CT_NETWORK_INTEGER:
        return t->first <= t->last ||
               ct_error_set(error, "found integers %d to %d", (int)t->first, (int)t->last);
    case CT_NETWORK_FLOAT:
        return check_ranges(t, 1, error);
    case CT_NETWORK_VECTOR2:
        return check_ranges(t, 2, error);
    case CT_NETWORK_VECTOR3:
        return check_ranges(t, 3, error);
    case CT_NETWORK_ROTATION:
        return (t->bits >= CT_NETWORK_LEAST_BITS && t->bits <= CT_NETWORK_MOST_ROTATION_BITS) ||
               ct_error_set(error, "found %u bits for a part of a rotation", t->bits);
    case CT_NETWORK_STRING:
        return (t->max_count > 0 && t->max_count <= CT_NETWORK_MAX_STRING_BYTES) ||
               ct_error_set(error, "found a string of at most %u bytes", t->max_count);
    case CT_NETWORK_LOOKUP:
        return check_list(c, t, error);
    case CT_NETWORK_ARRAY:
        return check_element(c, t, error);
    default:
        return t->kind < CT_NETWORK_KINDS || ct_error_set(error, "found kind %u", t->kind);
    }
}

static bool check_type(const ct_network_config_resource *c, uint32_t i, ct_error *error) {
    const ct_network_type *const types = ct_network_config_types(c), *const t = &types[i];
    ct_error problem = {0};
    if (!check_id(c, t->id, t->name))
        return ct_error_set(error, "types[%u].id: it is not that of its name", i);
    if (i > 0 && t->id.value <= types[i - 1].id.value)
        return ct_error_set(error, "types[%u]: out of order; expected types sorted by id", i);
    if (!check_kind(c, t, &problem))
        return ct_error_set(error, "types[%u]: %s", i, problem.message);
    return true;
}

// Arrays last: the words of their elements must be right before.
static bool check_words(const ct_network_config_resource *c, ct_error *error) {
    const ct_network_type *const types = ct_network_config_types(c);
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < c->types.count; ++i) {
            if ((types[i].kind == CT_NETWORK_ARRAY) != (pass == 1))
                continue;
            const uint32_t words = ct_network_type_widths(types, &types[i], NULL);
            if (words == 0 || words != types[i].num_words)
                return ct_error_set(error, "types[%u].num_words: found %u, expected %u", i,
                                    types[i].num_words, words);
        }
    }
    return true;
}

// --- Records -------------------------------------------------------------------------------------

static bool check_runs(const ct_network_config_resource *c, const ct_network_record_type *r,
                       const char *what, uint32_t i, ct_error *error) {
    if (r->num_fields > CT_NETWORK_MAX_FIELDS || r->first_field > c->fields.count ||
        r->num_fields > c->fields.count - r->first_field)
        return ct_error_set(error, "%s[%u]: found fields %u + %u, but there are only %u", what, i,
                            r->first_field, r->num_fields, c->fields.count);
    if (r->num_words > CT_NETWORK_MAX_WORDS || r->first_width > c->widths.count ||
        r->num_words > c->widths.count - r->first_width)
        return ct_error_set(error, "%s[%u]: found words %u + %u, but there are only %u", what, i,
                            r->first_width, r->num_words, c->widths.count);
    return true;
}

static bool check_field(const ct_network_config_resource *c, const ct_network_record_type *r,
                        const char *what, uint32_t i, uint32_t k, uint32_t first_word,
                        ct_error *error) {
    const ct_network_field *const f = &ct_network_record_fields(c, r)[k];
    const ct_network_type *const types = ct_network_config_types(c);
    if (!check_id(c, f->id, f->name))
        return ct_error_set(error, "%s[%u].fields[%u].id: it is not that of its name", what, i, k);
    if (ct_network_config_field(c, r, f->id) != k)
        return ct_error_set(error, "%s[%u].fields[%u]: another field has its name", what, i, k);
    if (f->type >= c->types.count)
        return ct_error_set(error, "%s[%u].fields[%u]: found type %u of %u", what, i, k, f->type,
                            c->types.count);
    if (f->first_word != first_word || f->num_words != types[f->type].num_words ||
        f->num_words > r->num_words - first_word)
        return ct_error_set(error, "%s[%u].fields[%u]: found words %u + %u", what, i, k,
                            f->first_word, f->num_words);
    uint8_t widths[CT_NETWORK_MAX_WORDS];
    ct_network_type_widths(types, &types[f->type], widths);
    if (memcmp(widths, ct_network_record_widths(c, r) + first_word, f->num_words) != 0)
        return ct_error_set(error, "%s[%u].fields[%u]: its widths are not those of its type", what,
                            i, k);
    if (!ct_network_value_check(types, &types[f->type],
                                ct_network_record_defaults(c, r) + first_word))
        return ct_error_set(error, "%s[%u].fields[%u]: its default is not valid", what, i, k);
    return true;
}

static bool check_fields(const ct_network_config_resource *c, const ct_network_record_type *r,
                         const char *what, uint32_t i, ct_error *error) {
    uint32_t num_words = 0;
    for (uint32_t k = 0; k < r->num_fields; ++k) {
        if (!check_field(c, r, what, i, k, num_words, error))
            return false;
        num_words += ct_network_record_fields(c, r)[k].num_words;
    }
    return num_words == r->num_words ||
           ct_error_set(error, "%s[%u].num_words: found %u, expected %u", what, i, r->num_words,
                        num_words);
}

static bool is_position(const ct_network_config_resource *c, const ct_network_record_type *r) {
    if (r->position == UINT32_MAX)
        return true;
    if (r->position >= r->num_fields)
        return false;
    const ct_network_field *const f = &ct_network_record_fields(c, r)[r->position];
    return ct_network_config_types(c)[f->type].kind == CT_NETWORK_VECTOR3;
}

static bool is_amount(float x) {
    return x >= 0 && isfinite(x);
}

static bool check_record(const ct_network_config_resource *c, const ct_network_record_type *records,
                         const char *what, uint32_t i, ct_error *error) {
    const ct_network_record_type *const r = &records[i];
    if (!check_id(c, r->id, r->name))
        return ct_error_set(error, "%s[%u].id: it is not that of its name", what, i);
    if (i > 0 && r->id.value <= records[i - 1].id.value)
        return ct_error_set(error, "%s[%u]: out of order; expected %s sorted by id", what, i, what);
    if (!check_runs(c, r, what, i, error) || !check_fields(c, r, what, i, error))
        return false;
    if (r->is_reliable > 1 || r->is_shared > 1)
        return ct_error_set(error, "%s[%u]: found is_reliable %u, is_shared %u", what, i,
                            r->is_reliable, r->is_shared);
    if (!is_position(c, r))
        return ct_error_set(error, "%s[%u].position: field %u is no vector3", what, i, r->position);
    if (!is_amount(r->distance) || !is_amount(r->priority) || !is_amount(r->rate))
        return ct_error_set(error, "%s[%u]: found distance %g, priority %g, rate %g", what, i,
                            (double)r->distance, (double)r->priority, (double)r->rate);
    return true;
}

bool ct_network_config_validate(const void *blob, ct_error *error) {
    const ct_network_config_resource *const c = blob;
    if (!ct_blob_check_layout(&ct_network_config_layout, c, error))
        return false;
    if (c->types.count > CT_NETWORK_MAX_TYPES || c->messages.count > CT_NETWORK_MAX_RECORDS ||
        c->objects.count > CT_NETWORK_MAX_RECORDS)
        return ct_error_set(error, "found %u types, %u messages, %u objects; expected at most %d",
                            c->types.count, c->messages.count, c->objects.count,
                            CT_NETWORK_MAX_RECORDS);
    if (c->widths.count != c->defaults.count)
        return ct_error_set(error, "found %u widths and %u defaults, expected as many",
                            c->widths.count, c->defaults.count);
    for (uint32_t i = 0; i < c->types.count; ++i) {
        if (!check_type(c, i, error))
            return false;
    }
    if (!check_words(c, error))
        return false;
    for (uint32_t i = 0; i < c->messages.count; ++i) {
        if (!check_record(c, ct_network_config_messages(c), "messages", i, error))
            return false;
    }
    for (uint32_t i = 0; i < c->objects.count; ++i) {
        if (!check_record(c, ct_network_config_objects(c), "objects", i, error))
            return false;
    }
    return true;
}
