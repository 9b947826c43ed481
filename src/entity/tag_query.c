// Entities with all of some tags and none of others.
#include "entity/tag_private.h"

#include "foundation/error.h"

// What a query asks of signatures.
typedef struct signature_test {
    uint64_t all, none;          // bits that must be there, and must not
    const ct_tag_record *walked; // the rarest of the tags; NULL: no entity has all
    bool is_exact;               // no other tag shares a bit: the signature says it all
} signature_test;

static bool is_shared(const ct_tag_manager *m, uint32_t number) {
    return m->num_sharing[number % CT_TAG_SIGNATURE_BITS] > 1;
}

static signature_test test_of(const ct_tag_manager *m, const ct_tag_query *query) {
    CT_ASSERT(query->num_all > 0, "a query needs at least one tag in `all`");
    signature_test test = {.is_exact = true};
    for (uint32_t i = 0; i < query->num_all; ++i) {
        const uint32_t number = ct_tag_number(m, query->all[i]);
        if (number == 0)
            return (signature_test){0};
        const ct_tag_record *const record = &m->records.items[number];
        if (!test.walked || record->entities.count < test.walked->entities.count)
            test.walked = record;
        test.all |= ct_tag_bit(number);
        test.is_exact &= !is_shared(m, number);
    }
    for (uint32_t i = 0; i < query->num_none; ++i) {
        const uint32_t number = ct_tag_number(m, query->none[i]);
        if (number != 0 && is_shared(m, number))
            test.is_exact = false;
        else if (number != 0)
            test.none |= ct_tag_bit(number);
    }
    return test;
}

uint32_t ct_tag_most_found(const ct_tag_manager *m, const ct_tag_query *query) {
    const signature_test test = test_of(m, query);
    return test.walked ? test.walked->entities.count : 0;
}

// Writes every entity and keeps those whose signature fits: no branch to guess wrong.
static uint32_t filter_by_signature(const signature_test *test, ct_entity *found) {
    const uint32_t count = test->walked->entities.count;
    const ct_entity *const entities = test->walked->entities.items;
    const uint64_t *const signatures = test->walked->signatures.items;
    const uint64_t asked = test->all | test->none, wanted = test->all & ~test->none;
    if (wanted != test->all)
        return 0; // a tag that must and must not be there
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        found[n] = entities[i];
        n += (signatures[i] & asked) == wanted;
    }
    return n;
}

static bool fits(const ct_tag_manager *m, const ct_tag_query *query, ct_entity e) {
    for (uint32_t i = 0; i < query->num_all; ++i) {
        if (!ct_tag_has(m, e, query->all[i]))
            return false;
    }
    for (uint32_t i = 0; i < query->num_none; ++i) {
        if (ct_tag_has(m, e, query->none[i]))
            return false;
    }
    return true;
}

uint32_t ct_tag_find(const ct_tag_manager *m, const ct_entity_manager *entities,
                     const ct_tag_query *query, ct_entity *found) {
    const signature_test test = test_of(m, query);
    if (!test.walked)
        return 0;
    const uint32_t num_candidates = filter_by_signature(&test, found);
    uint32_t n = 0;
    for (uint32_t i = 0; i < num_candidates; ++i) {
        const ct_entity e = found[i];
        found[n] = e;
        n += ct_entity_is_alive(entities, e) && (test.is_exact || fits(m, query, e));
    }
    return n;
}

uint64_t ct_tag_version(const ct_tag_manager *m, ct_string_id32 tag) {
    const uint32_t number = ct_tag_number(m, tag);
    return number ? m->records.items[number].version : 0;
}

ct_entity *ct_tag_scratch(ct_tag_manager *m, uint32_t count) {
    ct_array_reserve(&m->scratch, count ? count : 1);
    return m->scratch.items;
}
