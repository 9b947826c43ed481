// Saved data and buffers of data: any bytes are refused, or loaded; what was loaded can be read,
// changed, saved and loaded again. Inputs are damages of a sound save: the first byte says how the
// rest is taken: as the bytes themselves, or as places and values to write into the save.
#include <string.h>

#include "entity/data_component.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_INSTANCES = 6, MOST_BYTES = 4096 };

static void fill(ct_data_manager *m) {
    const float numbers[3] = {1, 2, 3};
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i) {
        const ct_data_instance a = ct_data_create(m, ct_entity_make(1 + i / 2, 1), i);
        ct_data_set(m, a, (ct_data_key){i}, ct_data_float((float)i), NULL);
        ct_data_set(m, a, (ct_data_key){2}, ct_data_string("a text", 6), NULL);
        ct_data_set(m, a, (ct_data_key){30 + i}, ct_data_floats(numbers, i % 4), NULL);
        ct_data_set(m, a, (ct_data_key){4}, ct_data_bool(true), NULL);
        for (uint32_t k = 0; k < 2 * i; ++k) // more than a slot has, at last
            ct_data_set(m, a, (ct_data_key){100 + k}, ct_data_float((float)k), NULL);
    }
}

static uint64_t read_value(ct_data_value v) {
    uint64_t sum = v.type;
    const uint64_t bytes = v.type == CT_DATA_TYPE_FLOATS ? v.count * 4ull : v.count;
    if (v.type == CT_DATA_TYPE_STRING)
        sum += strlen(v.text);
    for (uint64_t i = 0; v.type >= CT_DATA_TYPE_STRING && i < bytes; ++i)
        sum += (uint8_t)v.text[i];
    return sum;
}

// Reads and changes what was loaded.
static uint64_t use(ct_data_manager *m) {
    uint64_t sum = 0;
    const ct_data_key keys[] = {{0}, {2}, {4}, {31}, {100}, {108}, {1000}};
    for (uint32_t e = 1; e < 8; ++e) {
        for (ct_data_instance i = ct_data_first(m, ct_entity_make(e, 1)); i.slot;
             i = ct_data_next(m, i)) {
            for (uint32_t k = 0; k < CT_COUNT_OF(keys); ++k) {
                const ct_data_value v = ct_data_get(m, i, keys[k]);
                sum += read_value(v);
                if (v.type != CT_DATA_TYPE_NONE)
                    ct_data_set(m, i, keys[(k + 1) % CT_COUNT_OF(keys)], v, NULL);
                ct_data_set(m, i, keys[k], ct_data_string("another, longer text", k * 3), NULL);
                if (k % 2)
                    ct_data_set(m, i, keys[k], (ct_data_value){0}, NULL);
            }
        }
    }
    return sum;
}

static void check_load(ct_data_manager *m, const void *bytes, uint64_t size) {
    ct_error error = {0};
    if (!ct_data_load(m, bytes, size, &error)) {
        CT_ASSERT(error.message[0], "an error without a message%s", "");
        CT_ASSERT(ct_data_count(m) == NUM_INSTANCES, "%u instances", ct_data_count(m));
        return;
    }
    volatile uint64_t sum = use(m);
    (void)sum;
    ct_byte_array again;
    ct_array_init(&again, ct_memory_heap());
    ct_data_save(m, &again);
    const uint32_t count = ct_data_count(m);
    CT_ASSERT(ct_data_load(m, again.items, again.count, &error), "%s", error.message);
    CT_ASSERT(ct_data_count(m) == count, "%u instances of %u", ct_data_count(m), count);
    ct_array_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > MOST_BYTES)
        return 0;
    ct_memory_init();
    ct_data_manager *const m = ct_data_manager_create(ct_memory_heap());
    fill(m);
    ct_byte_array bytes;
    ct_array_init(&bytes, ct_memory_heap());
    if (data[0] & 1) {
        ct_array_push_many(&bytes, data + 1, (uint32_t)size - 1);
    } else {
        ct_data_save(m, &bytes);
        for (size_t i = 1; i + 2 < size; i += 3)
            bytes.items[(data[i] | data[i + 1] << 8) % bytes.count] = data[i + 2];
        if (data[0] & 2)
            bytes.count -= data[0] >> 2;
    }
    check_load(m, bytes.items, bytes.count);
    ct_array_free(&bytes);
    ct_data_manager_destroy(m);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
