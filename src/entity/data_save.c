// The whole state of the data component as one piece of bytes.

#include "entity/data_private.h"
#include "foundation/container/sort.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"

enum { VERSION = 1, ALIGN = 8 };

static const uint32_t magic = 0x61746463; // "cdta"; another number on the other byte order

// After it come the entity ids of all instances, their own ids, and the offsets of their buffers
// from the first one; then the end of the last buffer; then, at a multiple of 8, the buffers,
// without holes and free room. Instances of an entity are in their order.
typedef struct data_save {
    uint32_t magic, version;
    uint64_t size_bytes;
    uint32_t num_instances;
    uint32_t buffers_begin; // from the start of the save
    uint32_t words[];       // entities[num], ids[num], offsets[num + 1]
} data_save;

static uint64_t head_bytes(uint64_t count) {
    return ct_round_up(sizeof(data_save) + (3 * count + 1) * sizeof(uint32_t), ALIGN);
}

// Returns the rows with those of each entity together, so that adding them makes the same chains.
static uint32_t *order_rows(const ct_instance_table *t, ct_allocator *temp) {
    uint32_t *const rows = ct_alloc(temp, sizeof(uint32_t) * (uint64_t)t->soa.count);
    uint32_t n = 0;
    for (uint32_t i = 1; i < t->soa.count; ++i) {
        if (ct_instance_table_first(t, t->entity[i]) != i)
            continue;
        for (uint32_t k = i; k; k = t->next[k])
            rows[n++] = k;
    }
    return rows;
}

static uint32_t whole_bytes(const ct_data_manager *m, uint32_t row) {
    return (uint32_t)ct_data_whole_bytes(m, m->slot[row], (ct_data_key){0}, (ct_data_value){0});
}

void ct_data_save(const ct_data_manager *m, ct_byte_array *out) {
    const uint32_t count = ct_data_count(m), at = out->count;
    CT_ASSERT(at % ALIGN == 0, "the save begins at byte %u, which is not aligned", at);
    CT_TEMP_ALLOCATOR(temp, m->allocator);
    const uint32_t *const rows = order_rows(&m->table, temp);
    uint64_t size_bytes = head_bytes(count);
    for (uint32_t k = 0; k < count; ++k)
        size_bytes += whole_bytes(m, rows[k]);
    CT_REQUIRE(at + size_bytes <= UINT32_MAX, "%llu bytes of data are too many to save",
               (unsigned long long)size_bytes);
    ct_array_resize(out, (uint32_t)(at + size_bytes));
    char *const bytes = (char *)out->items + at;
    data_save *const save = (data_save *)(void *)bytes;
    *save = (data_save){magic, VERSION, size_bytes, count, (uint32_t)head_bytes(count)};
    uint32_t *const entities = save->words, *const ids = entities + count;
    uint32_t *const offsets = ids + count, next = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t buffer_bytes = whole_bytes(m, rows[k]);
        entities[k] = m->table.entity[rows[k]].id;
        ids[k] = m->table.id[rows[k]];
        offsets[k] = next;
        ct_data_write_whole(m, m->slot[rows[k]],
                            (ct_data_buffer *)(void *)(bytes + save->buffers_begin + next),
                            buffer_bytes);
        next += buffer_bytes;
    }
    offsets[count] = next;
}

// --- Loading -------------------------------------------------------------------------------------

static bool check_head(const data_save *save, uint64_t size_bytes, ct_error *error) {
    if (size_bytes < sizeof(*save) || save->magic != magic || save->version != VERSION)
        return ct_error_set(error, "not saved data of version %d", VERSION);
    if (save->size_bytes != size_bytes)
        return ct_error_set(error, "found %llu bytes of saved data; expected %llu",
                            (unsigned long long)size_bytes, (unsigned long long)save->size_bytes);
    if (save->buffers_begin != head_bytes(save->num_instances) ||
        save->num_instances >= 1u << CT_DATA_SLOT_BITS || save->buffers_begin > size_bytes)
        return ct_error_set(error, "%u instances do not fit in %llu bytes of saved data",
                            save->num_instances, (unsigned long long)size_bytes);
    return true;
}

static bool check_buffers(const data_save *save, ct_error *error) {
    const uint32_t n = save->num_instances, *const offsets = save->words + 2 * (uint64_t)n;
    const char *const buffers = (const char *)save + save->buffers_begin;
    const uint64_t all_bytes = save->size_bytes - save->buffers_begin;
    if (offsets[0] != 0 || offsets[n] != all_bytes)
        return ct_error_set(error,
                            "the buffers of saved data are from byte %u to %u; expected 0 to %llu",
                            offsets[0], offsets[n], (unsigned long long)all_bytes);
    for (uint32_t k = 0; k < n; ++k) {
        if (offsets[k + 1] < offsets[k] || offsets[k + 1] > all_bytes)
            return ct_error_set(
                error, "buffer %u of saved data is from byte %u to %u, which is out of range", k,
                offsets[k], offsets[k + 1]);
        ct_error inner = {0};
        if (!ct_data_buffer_check(buffers + offsets[k], offsets[k + 1] - offsets[k], &inner))
            return ct_error_set(error, "buffer %u of saved data: %.512s", k, inner.message);
    }
    return true;
}

// Checks that every instance has a valid entity and an id unique to that entity, and that no two
// entities have the same index.
static bool check_owners(const ct_data_manager *m, const data_save *save, ct_error *error) {
    const uint32_t n = save->num_instances;
    CT_TEMP_ALLOCATOR(temp, m->allocator);
    uint64_t *const keys = ct_alloc(temp, sizeof(*keys) * (2 * (uint64_t)n + 1));
    for (uint32_t k = 0; k < n; ++k) {
        const ct_entity e = {save->words[k]};
        if (!ct_entity_is_well_formed(e))
            return ct_error_set(error, "instance %u of saved data: %u is not a valid entity", k,
                                e.id);
        const uint32_t by_index =
            ct_entity_index(e) << CT_ENTITY_GENERATION_BITS | ct_entity_generation(e);
        keys[k] = (uint64_t)by_index << 32 | save->words[n + k];
    }
    ct_sort_u64(keys, keys + n, n);
    for (uint32_t k = 1; k < n; ++k) {
        const uint32_t index = (uint32_t)(keys[k] >> (32 + CT_ENTITY_GENERATION_BITS));
        if (keys[k - 1] == keys[k])
            return ct_error_set(
                error, "the entity with index %u has two saved instances with the same id", index);
        if (keys[k - 1] >> 32 != keys[k] >> 32 &&
            keys[k - 1] >> (32 + CT_ENTITY_GENERATION_BITS) == index)
            return ct_error_set(error, "two entities of saved data have the index %u", index);
    }
    return true;
}

bool ct_data_load(ct_data_manager *m, const void *bytes, uint64_t size_bytes, ct_error *error) {
    const data_save *const save = bytes;
    CT_ASSERT((uintptr_t)bytes % ALIGN == 0, "the saved data at %p is not aligned", bytes);
    if (!check_head(save, size_bytes, error) || !check_buffers(save, error) ||
        !check_owners(m, save, error))
        return false;
    const uint32_t n = save->num_instances;
    ct_data_clear(m);
    ct_data_add_many(m, &(ct_component_spawn){.owners = (const ct_entity *)save->words,
                                              .ids = save->words + n,
                                              .data = (const char *)bytes + save->buffers_begin,
                                              .offsets = save->words + 2 * (uint64_t)n,
                                              .num_instances = n,
                                              .num_copies = 1});
    return true;
}
