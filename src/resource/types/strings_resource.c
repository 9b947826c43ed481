#include "resource/types/strings_resource.h"

#include <string.h>

#include "foundation/error.h"

const ct_blob_layout ct_strings_entry_layout =
    CT_BLOB_STRUCT(ct_strings_entry, CT_BLOB_NUMBERS(4, ct_strings_entry, id, id),
                   CT_BLOB_STRING(ct_strings_entry, key),
                   CT_BLOB_NUMBERS(4, ct_strings_entry, first_form, num_forms));

const ct_blob_layout ct_strings_form_layout =
    CT_BLOB_STRUCT(ct_strings_form, CT_BLOB_NUMBERS(4, ct_strings_form, category, category),
                   CT_BLOB_STRING(ct_strings_form, text));

const ct_blob_layout ct_plural_relation_layout =
    CT_BLOB_STRUCT(ct_plural_relation, CT_BLOB_NUMBERS(1, ct_plural_relation, category, is_last),
                   CT_BLOB_NUMBERS(4, ct_plural_relation, modulus, last));

const ct_blob_layout ct_strings_layout = CT_BLOB_ROOT(
    ct_strings_resource, "a table of strings", CT_BLOB_STRING(ct_strings_resource, language),
    CT_BLOB_ARRAY(ct_strings_resource, entries, ct_strings_entry_layout),
    CT_BLOB_ARRAY(ct_strings_resource, forms, ct_strings_form_layout),
    CT_BLOB_ARRAY(ct_strings_resource, rules, ct_plural_relation_layout));

// --- Validation ----------------------------------------------------------------------------------

static bool check_forms(const ct_strings_resource *s, ct_error *error) {
    const ct_strings_form *const forms = ct_blob_at(s, s->forms.offset);
    for (uint32_t i = 0; i < s->forms.count; ++i) {
        if (forms[i].category >= CT_PLURAL_COUNT)
            return ct_error_set(error, "forms[%u]: unknown category %u", i, forms[i].category);
    }
    return true;
}

// That the forms of an entry lie in the array, `other` first and the rest by category.
static bool check_run(const ct_strings_resource *s, uint32_t i, ct_error *error) {
    const ct_strings_entry *const e =
        (const ct_strings_entry *)ct_blob_at(s, s->entries.offset) + i;
    const ct_strings_form *const forms = ct_blob_at(s, s->forms.offset);
    if (e->num_forms == 0 || e->first_form > s->forms.count ||
        e->num_forms > s->forms.count - e->first_form)
        return ct_error_set(error, "entries[%u]: found forms %u + %u, but there are only %u", i,
                            e->first_form, e->num_forms, s->forms.count);
    if (forms[e->first_form].category != CT_PLURAL_OTHER)
        return ct_error_set(error, "entries[%u]: its first form is not \"other\"", i);
    for (uint32_t k = 1; k < e->num_forms; ++k) {
        if (forms[e->first_form + k].category <= forms[e->first_form + k - 1].category)
            return ct_error_set(error, "entries[%u]: its forms are not sorted", i);
    }
    return true;
}

static bool check_entry(const ct_strings_resource *s, uint32_t i, ct_error *error) {
    const ct_strings_entry *const entries = ct_blob_at(s, s->entries.offset);
    if (i > 0 && entries[i].id.value <= entries[i - 1].id.value)
        return ct_error_set(error, "entries[%u]: out of order; expected entries sorted by id", i);
    return check_run(s, i, error);
}

bool ct_strings_validate(const void *blob, ct_error *error) {
    const ct_strings_resource *const s = blob;
    if (!ct_blob_check_layout(&ct_strings_layout, s, error) || !check_forms(s, error) ||
        !ct_plural_check(ct_blob_at(s, s->rules.offset), s->rules.count, error))
        return false;
    for (uint32_t i = 0; i < s->entries.count; ++i) {
        if (!check_entry(s, i, error))
            return false;
    }
    return true;
}

// --- Look-up -------------------------------------------------------------------------------------

const ct_strings_entry *ct_strings_find(const ct_strings_resource *strings, const char *key,
                                        uint64_t bytes) {
    const ct_strings_entry *const entries = ct_blob_at(strings, strings->entries.offset);
    const uint32_t id = ct_string_id32_of_bytes(key, bytes).value;
    uint32_t first = 0, last = strings->entries.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (entries[middle].id.value < id)
            first = middle + 1;
        else
            last = middle;
    }
    if (first == strings->entries.count || entries[first].id.value != id)
        return NULL;
    const ct_blob_string found = entries[first].key;
    const bool is_same =
        found.bytes == bytes && memcmp(ct_blob_at(strings, found.offset), key, (size_t)bytes) == 0;
    return is_same ? &entries[first] : NULL;
}

ct_blob_string ct_strings_text(const ct_strings_resource *strings, const ct_strings_entry *entry,
                               const double *count) {
    const ct_strings_form *const forms =
        (const ct_strings_form *)ct_blob_at(strings, strings->forms.offset) + entry->first_form;
    if (entry->num_forms == 1 || !count)
        return forms[0].text;
    const ct_plural category =
        ct_plural_of(ct_blob_at(strings, strings->rules.offset), strings->rules.count, *count);
    for (uint32_t i = 1; i < entry->num_forms; ++i) {
        if (forms[i].category == (uint32_t)category)
            return forms[i].text;
    }
    return forms[0].text;
}

// --- Placeholders --------------------------------------------------------------------------------

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The bytes of the name that starts at `at`; 0 when there is none.
static uint32_t name_bytes(const char *at, const char *end) {
    const char *c = at;
    if (c == end || !is_name_start(*c))
        return 0;
    while (c < end && (is_name_start(*c) || (*c >= '0' && *c <= '9')))
        ++c;
    return (uint32_t)(c - at);
}

bool ct_strings_next_piece(const char **at, const char *end, ct_strings_piece *piece) {
    const char *const start = *at;
    if (start == end)
        return false;
    const char *c = start;
    while (c < end && *c != '{' && *c != '}')
        ++c;
    if (c > start) {
        *piece = (ct_strings_piece){CT_STRINGS_PIECE_TEXT, start, (uint32_t)(c - start)};
        *at = c;
        return true;
    }
    if (start + 1 < end && start[1] == *start) {
        *piece = (ct_strings_piece){CT_STRINGS_PIECE_TEXT, start, 1};
        *at = start + 2;
        return true;
    }
    const uint32_t bytes = *start == '{' ? name_bytes(start + 1, end) : 0;
    if (bytes > 0 && start + 1 + bytes < end && start[1 + bytes] == '}') {
        *piece = (ct_strings_piece){CT_STRINGS_PIECE_PLACEHOLDER, start + 1, bytes};
        *at = start + bytes + 2;
        return true;
    }
    *piece = (ct_strings_piece){CT_STRINGS_PIECE_WRONG, start, 1};
    *at = start + 1;
    return true;
}
