// Bytes from other nodes: bits, changes of records, summaries of configs.
//
// The first byte chooses. Changes are read against a base that earlier changes made, as a session
// does it; a record that passes the check must give the same words when its values are set again
// (but for rotations) and when it is written and read.
#include <stdlib.h>
#include <string.h>

#include "network/fields/fields_fixture.h"
#include "network/fields/network_difference.h"
#include "network/fields/network_interpolation.h"

static ct_network_config_resource *config;
static const ct_network_record_type *thing;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    config = test_network_config(&fixture_config);
    thing = fixture_thing(config);
    return 0;
}

static void require(bool condition) {
    if (!condition)
        abort();
}

// --- Bits ----------------------------------------------------------------------------------------

// Pairs of bytes say what is read: a width, or groups. What was read is written again.
static void read_bits(const uint8_t *data, size_t size) {
    const size_t half = size / 2;
    uint8_t written[4096];
    ct_bit_reader r = ct_bits_read_from(data + half, (uint32_t)(size - half));
    ct_bit_writer w = ct_bits_write_to(written, half < sizeof(written) ? (uint32_t)half : 4096);
    for (size_t i = 0; i < half; ++i) {
        if (data[i] & 0x80)
            ct_bits_write_groups(&w, ct_bits_read_groups(&r, 1 + data[i] % 31), 1 + data[i] % 31);
        else
            ct_bits_write(&w, ct_bits_read(&r, data[i] % 33), data[i] % 33);
    }
    ct_bits_is_done(&r);
    require(ct_bits_end(&w) <= w.capacity);
}

// --- Records -------------------------------------------------------------------------------------

static void set_again(const uint32_t *words) {
    uint32_t again[CT_NETWORK_MAX_WORDS];
    const ct_network_type *const types = ct_network_config_types(config);
    memcpy(again, words, sizeof(again));
    for (uint32_t i = 0; i < thing->num_fields; ++i) {
        const ct_network_field *const f = &ct_network_record_fields(config, thing)[i];
        const ct_network_type *const type = &types[f->type];
        const ct_network_value v = ct_network_record_get(config, thing, i, UINT32_MAX, words);
        require(ct_network_record_set(config, thing, i, UINT32_MAX, &v, again, NULL));
        for (uint32_t k = 0; type->kind == CT_NETWORK_ARRAY && k < v.count; ++k) {
            const ct_network_value e = ct_network_record_get(config, thing, i, k, words);
            require(ct_network_record_set(config, thing, i, k, &e, again, NULL));
        }
        const bool has_rotations =
            type->kind == CT_NETWORK_ROTATION ||
            (type->kind == CT_NETWORK_ARRAY && types[type->element].kind == CT_NETWORK_ROTATION);
        require(has_rotations || memcmp(again + f->first_word, words + f->first_word,
                                        4 * (size_t)f->num_words) == 0);
    }
    require(ct_network_record_check(config, thing, again));
}

static void write_again(const uint32_t *base, const uint32_t *words) {
    static uint8_t bytes[4096];
    uint32_t read[CT_NETWORK_MAX_WORDS];
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_network_record_write(config, thing, base, words, &w);
    const uint32_t size = ct_bits_end(&w);
    ct_bit_reader r = ct_bits_read_from(bytes, size);
    ct_network_record_read(config, thing, base, read, &r);
    require(ct_bits_is_done(&r) && memcmp(read, words, 4 * (size_t)thing->num_words) == 0);
}

static void show(ct_network_buffer *buffer, double time, const uint32_t *words) {
    ct_network_moment m;
    ct_network_buffer_add(buffer, time, words);
    require(ct_network_buffer_find(buffer, time - 0.3, 1, &m));
    for (uint32_t i = 0; i < thing->num_fields; ++i)
        ct_network_moment_value(config, thing, &m, i, UINT32_MAX);
    require(ct_network_buffer_find(buffer, time + 0.3, 1, &m));
    for (uint32_t i = 0; i < thing->num_fields; ++i)
        ct_network_moment_value(config, thing, &m, i, UINT32_MAX);
}

static void read_changes(const uint8_t *data, size_t size) {
    uint32_t older[CT_NETWORK_MAX_WORDS] = {0}, base[CT_NETWORK_MAX_WORDS] = {0};
    uint32_t words[CT_NETWORK_MAX_WORDS] = {0};
    ct_bit_reader r = ct_bits_read_from(data, (uint32_t)size);
    ct_network_buffer *const buffer = ct_network_buffer_create(test_heap(), thing);
    memcpy(base, ct_network_record_defaults(config, thing), 4 * (size_t)thing->num_words);
    memcpy(older, base, sizeof(base));
    for (uint32_t i = 0; i < 50 && !r.is_over; ++i) {
        ct_network_record_read(config, thing, base, words, &r);
        ct_network_record_hash(thing, words);
        if (!ct_network_record_check(config, thing, words))
            continue;
        set_again(words);
        write_again(base, words);
        show(buffer, i, words);
        memcpy(older, base, sizeof(base));
        memcpy(base, words, sizeof(base));
        ct_network_record_extrapolate(config, thing, older, 1 + i % 7, base, i, words);
        write_again(words, base); // what was moved on is only a base
    }
    ct_network_buffer_destroy(buffer);
}

// --- Summaries -----------------------------------------------------------------------------------

// A summary whose bytes are changed at some places: pairs of a place and a byte.
static void change_summary(const uint8_t *data, size_t size) {
    static uint8_t bytes[CT_NETWORK_SUMMARY_BYTES];
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    ct_error error = {0};
    const uint32_t whole = ct_network_config_summary(config, bytes, sizeof(bytes));
    for (size_t i = 0; i + 3 <= size; i += 3)
        bytes[(data[i] | (uint32_t)data[i + 1] << 8) % whole] = data[i + 2];
    require(ct_network_config_difference(config, bytes, whole, text, &error) || error.message[0]);
}

static void read_summary(const uint8_t *data, size_t size) {
    char text[CT_NETWORK_DIFFERENCE_BYTES];
    ct_error error = {0};
    uint8_t *const bytes = ct_alloc(test_heap(), size + 6);
    memcpy(bytes, "CTNS\1\0", 6);
    memcpy(bytes + 6, data, size);
    require(ct_network_config_difference(config, bytes, (uint32_t)size + 6, text, &error) ||
            error.message[0]);
    ct_free(test_heap(), bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    switch (data[0] % 4) {
    case 0:
        read_bits(data + 1, size - 1);
        break;
    case 1:
        read_changes(data + 1, size - 1);
        break;
    case 2:
        change_summary(data + 1, size - 1);
        break;
    default:
        read_summary(data + 1, size - 1);
    }
    return 0;
}
