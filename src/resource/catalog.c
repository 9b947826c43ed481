#include "resource/catalog.h"

#include <inttypes.h>

#include "foundation/error.h"

const ct_blob_layout ct_catalog_entry_layout =
    CT_BLOB_STRUCT(ct_catalog_entry, CT_BLOB_NUMBERS(8, ct_catalog_entry, id, id),
                   CT_BLOB_NUMBERS(4, ct_catalog_entry, first_variant, num_variants));

const ct_blob_layout ct_catalog_variant_layout =
    CT_BLOB_STRUCT(ct_catalog_variant, CT_BLOB_NUMBERS(8, ct_catalog_variant, data_name, data_name),
                   CT_BLOB_NUMBERS(4, ct_catalog_variant, first_property, stream_bytes));

const ct_blob_layout ct_catalog_layout =
    CT_BLOB_ROOT(ct_catalog, "a catalog", CT_BLOB_ARRAY(ct_catalog, slots, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(ct_catalog, entries, ct_catalog_entry_layout),
                 CT_BLOB_ARRAY(ct_catalog, variants, ct_catalog_variant_layout),
                 CT_BLOB_ARRAY(ct_catalog, properties, ct_blob_u64_layout),
                 CT_BLOB_ARRAY(ct_catalog, references, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(ct_catalog, types, ct_blob_string_layout),
                 CT_BLOB_ARRAY(ct_catalog, names, ct_blob_string_layout));

// --- Checking ------------------------------------------------------------------------------------

static bool check_range(uint32_t first, uint32_t count, uint32_t all, const char *what, uint32_t i,
                        const char *field, ct_error *error) {
    return ((uint64_t)first + count <= all) ||
           ct_error_set(error, "%s[%u]: %s %u to %" PRIu64 ", expected below %u", what, i, field,
                        first, (uint64_t)first + count, all);
}

static bool check_entries(const ct_catalog *c, ct_error *error) {
    const ct_catalog_entry *const entries = ct_catalog_entries(c);
    for (uint32_t i = 0; i < c->entries.count; ++i) {
        if (entries[i].num_variants == 0)
            return ct_error_set(error, "entries[%u]: has no variants", i);
        if (!check_range(entries[i].first_variant, entries[i].num_variants, c->variants.count,
                         "entries", i, "variants", error))
            return false;
    }
    return (c->names.count == 0 || c->names.count == c->entries.count) ||
           ct_error_set(error, "names: found %u, expected one for each of %u entries",
                        c->names.count, c->entries.count);
}

static bool check_variants(const ct_catalog *c, ct_error *error) {
    const ct_catalog_variant *const variants = ct_blob_at(c, c->variants.offset);
    const uint32_t *const references = ct_blob_at(c, c->references.offset);
    for (uint32_t i = 0; i < c->variants.count; ++i) {
        if (!check_range(variants[i].first_property, variants[i].num_properties,
                         c->properties.count, "variants", i, "properties", error) ||
            !check_range(variants[i].first_reference, variants[i].num_references,
                         c->references.count, "variants", i, "references", error))
            return false;
    }
    for (uint32_t i = 0; i < c->references.count; ++i) {
        if (references[i] >= c->entries.count)
            return ct_error_set(error, "references[%u]: found %u, expected below %u", i,
                                references[i], c->entries.count);
    }
    return true;
}

bool ct_catalog_validate(const void *blob, ct_error *error) {
    const ct_catalog *const c = blob;
    return ct_blob_check_layout(&ct_catalog_layout, c, error) &&
           ct_id_table_check(&c->header, c->slots, c->entries.count, error) &&
           check_entries(c, error) && check_variants(c, error);
}

// --- Use -----------------------------------------------------------------------------------------

const ct_catalog_variant *ct_catalog_choose(const ct_catalog *c, uint32_t position,
                                            const ct_preference_order *order) {
    const ct_catalog_entry *const entry = &ct_catalog_entries(c)[position];
    const ct_catalog_variant *const variants = ct_blob_at(c, c->variants.offset);
    const ct_string_id64 *const properties = ct_blob_at(c, c->properties.offset);
    if (entry->num_variants == 1 && variants[entry->first_variant].num_properties == 0)
        return &variants[entry->first_variant]; // what most are
    const ct_catalog_variant *best = NULL;
    uint64_t best_rank = 0;
    for (uint32_t i = 0; i < entry->num_variants; ++i) {
        const ct_catalog_variant *const v = &variants[entry->first_variant + i];
        const uint64_t rank =
            ct_preference_rank(order, properties + v->first_property, v->num_properties);
        if (rank > best_rank) {
            best = v;
            best_rank = rank;
        }
    }
    return best;
}

const char *ct_catalog_name(const ct_catalog *c, uint32_t position) {
    const ct_blob_string *const names = ct_blob_at(c, c->names.offset);
    return position < c->names.count ? ct_blob_at(c, names[position].offset) : NULL;
}
