#include "network/fields/network_record.h"

#include <math.h>
#include <string.h>

#include "network/fields/fields_fixture.h"

static ct_network_config_resource *config;
static const ct_network_record_type *thing;

static int make_config(void **state) {
    (void)state;
    config = test_network_config(&fixture_config);
    thing = fixture_thing(config);
    return 0;
}

static int free_config(void **state) {
    (void)state;
    ct_free(test_heap(), config);
    return 0;
}

static void start_words(uint32_t words[CT_NETWORK_MAX_WORDS]) {
    memset(words, 0xee, 4 * CT_NETWORK_MAX_WORDS);
    memcpy(words, ct_network_record_defaults(config, thing), 4 * thing->num_words);
}

static bool set(uint32_t *words, const char *field, uint32_t element, ct_network_value value) {
    return ct_network_record_set(config, thing, fixture_field(config, field), element, &value,
                                 words, NULL);
}

static ct_network_value get(const uint32_t *words, const char *field, uint32_t element) {
    return ct_network_record_get(config, thing, fixture_field(config, field), element, words);
}

static void assert_set_refused(uint32_t *words, const char *field, uint32_t element,
                               ct_network_value value, const char *text) {
    uint32_t before[CT_NETWORK_MAX_WORDS];
    ct_error error = {0};
    memcpy(before, words, sizeof(before));
    assert_false(ct_network_record_set(config, thing, fixture_field(config, field), element, &value,
                                       words, &error));
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
    assert_memory_equal(words, before, sizeof(before));
}

#define FIELD UINT32_MAX
#define FLOAT(x) ((ct_network_value){.kind = CT_NETWORK_FLOAT, .number = (x)})

// --- Values --------------------------------------------------------------------------------------

static void starts_with_defaults(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words(words);
    assert_true(get(words, "alive", FIELD).boolean);
    assert_int_equal(get(words, "health", FIELD).integer, 77);
    assert_int_equal(get(words, "any", FIELD).integer, 0);
    assert_true(get(words, "speed", FIELD).number == 0);
    assert_true(get(words, "exact", FIELD).number == 0.1f);
    assert_true(get(words, "position", FIELD).parts[0] == 0);
    assert_true(get(words, "rotation", FIELD).parts[3] == 1);
    assert_true(get(words, "rotation", FIELD).parts[0] == 0);
    const ct_network_value text = get(words, "text", FIELD);
    assert_int_equal(text.string.bytes, 5);
    assert_memory_equal(text.string.text, "hello", 5);
    assert_int_equal(get(words, "team", FIELD).lookup, 2);
    assert_int_equal(get(words, "speeds", FIELD).count, 0);
    assert_int_equal(get(words, "rotations", FIELD).count, 2);
    assert_true(get(words, "rotations", 1).parts[3] == 1);
    assert_true(ct_network_record_check(config, thing, words));
    assert_int_equal(words[thing->num_words], 0xeeeeeeee);
}

static void rounds_to_the_nearest_step(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS], again[CT_NETWORK_MAX_WORDS];
    start_words(words);
    const float step = 100.0f / 4094;
    for (int32_t i = -2047; i <= 2047; ++i) {
        assert_true(set(words, "speed", FIELD, FLOAT((float)i * step + 0.45f * step)));
        assert_true(fabsf(get(words, "speed", FIELD).number - (float)i * step) < 0.01f * step);
        memcpy(again, words, sizeof(words));
        assert_true(set(again, "speed", FIELD, get(words, "speed", FIELD)));
        assert_memory_equal(again, words, sizeof(words));
    }
    set(words, "speed", FIELD, FLOAT(1e9f));
    assert_true(get(words, "speed", FIELD).number == 50);
    set(words, "speed", FIELD, FLOAT(-51));
    assert_true(get(words, "speed", FIELD).number == -50);
    set(words, "speed", FIELD, FLOAT(0));
    assert_true(get(words, "speed", FIELD).number == 0);
    set(words, "share", FIELD, FLOAT(1));
    assert_true(get(words, "share", FIELD).number == 1);
    set(words, "exact", FIELD, FLOAT(-1.25e-30f));
    assert_true(get(words, "exact", FIELD).number == -1.25e-30f);
    set(words, "health", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = 1000});
    assert_int_equal(get(words, "health", FIELD).integer, 100);
    set(words, "health", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = -11});
    assert_int_equal(get(words, "health", FIELD).integer, -10);
    set(words, "any", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = INT32_MIN});
    assert_int_equal(get(words, "any", FIELD).integer, INT32_MIN);
    assert_true(ct_network_record_check(config, thing, words));
}

static float random_float(uint32_t *seed) {
    return (float)test_random(seed) / 4294967296.0f * 2 - 1;
}

// Of rotations near those with two, three or four parts of the same size, too.
static void rotation_of(uint32_t *seed, float q[4]) {
    static const float even[][4] = {{1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}, {1, -1, 0, 1e-3f}};
    const uint32_t kind = test_random(seed) % 8, turn = test_random(seed) % 4;
    for (uint32_t i = 0; i < 4; ++i) {
        q[i] = random_float(seed);
        if (kind < 4)
            q[i] = even[kind][(i + turn) % 4] + q[i] * 2e-3f;
    }
}

static void reads_rotations_back(void **state) {
    (void)state;
    uint32_t seed = 5;
    const uint32_t field = fixture_field(config, "rotation");
    const uint32_t index = ct_network_record_fields(config, thing)[field].type;
    const ct_network_type *const types = ct_network_config_types(config);
    for (uint32_t bits = 4; bits <= CT_NETWORK_MOST_ROTATION_BITS; ++bits) {
        ct_network_type type = types[index];
        type.bits = bits;
        // Half a step of each part, a whole one where parts are as large; the largest has the rest.
        const double most = 2 * 1.4143 / (double)((1u << bits) - 2);
        for (uint32_t i = 0; i < test_rounds(4000, 400000); ++i) {
            ct_network_value v = {.kind = CT_NETWORK_ROTATION};
            uint32_t words[4], again[4];
            rotation_of(&seed, v.parts);
            assert_true(ct_network_value_write(types, &type, &v, words, NULL));
            assert_true(ct_network_value_check(types, &type, words));
            const ct_network_value r = ct_network_value_read(&type, words);
            double length = 0, sum = 0, difference = 0;
            for (uint32_t k = 0; k < 4; ++k)
                length += (double)v.parts[k] * (double)v.parts[k];
            for (uint32_t k = 0; k < 4; ++k)
                sum += (double)v.parts[k] / sqrt(length) * (double)r.parts[k];
            for (uint32_t k = 0; k < 4; ++k)
                difference += pow(
                    (double)v.parts[k] / sqrt(length) * (sum < 0 ? -1 : 1) - (double)r.parts[k], 2);
            assert_true(sqrt(difference) < most + 1e-6);
            assert_true(ct_network_value_write(types, &type, &r, again, NULL));
            assert_memory_equal(words, again, sizeof(words));
        }
    }
}

static void resizes_arrays(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS], fresh[CT_NETWORK_MAX_WORDS];
    const ct_network_value three = {.kind = CT_NETWORK_ARRAY, .count = 3};
    start_words(words);
    start_words(fresh);
    assert_true(set(words, "speeds", FIELD, three));
    assert_true(get(words, "speeds", 2).number == 0);
    assert_true(set(words, "speeds", 2, FLOAT(10)));
    assert_true(fabsf(get(words, "speeds", 2).number - 10) < 0.02f);
    assert_true(ct_network_record_check(config, thing, words));
    assert_set_refused(words, "speeds", 3, FLOAT(1), "\"speeds\" has no element 3, only 3 of");
    assert_set_refused(words, "speeds", FIELD,
                       (ct_network_value){.kind = CT_NETWORK_ARRAY, .count = 6},
                       "found 6 elements, expected at most 5");
    assert_true(set(words, "speeds", FIELD, (ct_network_value){.kind = CT_NETWORK_ARRAY}));
    assert_memory_equal(words, fresh, sizeof(words)); // nothing is left of the elements
    assert_true(set(words, "speeds", FIELD, three));
    assert_true(get(words, "speeds", 2).number == 0);
}

static void keeps_strings_up_to_their_length(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS], other[CT_NETWORK_MAX_WORDS];
    ct_network_value v = {.kind = CT_NETWORK_STRING,
                          .string = {.text = "123456789 12345678", .bytes = 18}};
    start_words(words);
    start_words(other);
    assert_true(set(words, "text", FIELD, v));
    assert_int_equal(get(words, "text", FIELD).string.bytes, 18);
    assert_memory_equal(get(words, "text", FIELD).string.text, v.string.text, 18);
    v = get(words, "text", FIELD);
    v.string.bytes = 3; // its own text
    assert_true(set(words, "text", FIELD, v));
    assert_true(
        set(other, "text", FIELD,
            (ct_network_value){.kind = CT_NETWORK_STRING, .string = {.text = "123", .bytes = 3}}));
    assert_memory_equal(words, other, sizeof(words));
    v.string.text = "1234567890123456789";
    v.string.bytes = 19;
    assert_set_refused(words, "text", FIELD, v, "a string of 19 bytes, expected at most 18");
    v.string.text = "a\xff";
    v.string.bytes = 2;
    assert_set_refused(words, "text", FIELD, v, "not UTF-8");
}

static void refuses_values_that_a_field_does_not_take(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words(words);
    assert_set_refused(words, "speed", FIELD, FLOAT(NAN), "field \"speed\": found nan");
    assert_set_refused(words, "exact", FIELD, FLOAT(INFINITY), "found inf");
    assert_set_refused(words, "health", FIELD, FLOAT(1), "of kind float, expected integer");
    assert_set_refused(words, "health", 0, FLOAT(1), "\"health\" is no array");
    assert_set_refused(words, "rotation", FIELD, (ct_network_value){.kind = CT_NETWORK_ROTATION},
                       "expected a rotation");
    assert_set_refused(words, "team", FIELD,
                       (ct_network_value){.kind = CT_NETWORK_LOOKUP, .lookup = 3},
                       "found name number 3 of a list of 3");
    assert_set_refused(words, "target", FIELD,
                       (ct_network_value){.kind = CT_NETWORK_OBJECT, .id = UINT64_C(1) << 32},
                       "below 2^32");
    const ct_network_value position = {.kind = CT_NETWORK_VECTOR3, .parts = {1, 2, NAN}};
    assert_set_refused(words, "position", FIELD, position, "found nan");
}

static void refuses_words_without_a_value(void **state) {
    (void)state;
    static const struct {
        const char *field;
        uint32_t word, value;
    } wrong[] = {{"health", 0, 111},     {"speed", 0, 4095},    {"exact", 0, 0x7f800000},
                 {"position", 1, 32767}, {"rotation", 1, 1023}, {"text", 0, 19},
                 {"text", 1, 0xff},      {"text", 5, 0x41},     {"team", 0, 3},
                 {"speeds", 0, 6},       {"speeds", 5, 1},      {"rotations", 0, 3}};
    uint32_t words[CT_NETWORK_MAX_WORDS];
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        start_words(words);
        assert_true(ct_network_record_check(config, thing, words));
        const uint32_t field = fixture_field(config, wrong[i].field);
        words[ct_network_record_fields(config, thing)[field].first_word + wrong[i].word] =
            wrong[i].value;
        if (ct_network_record_check(config, thing, words))
            fail_msg("accepted word %u of \"%s\"", wrong[i].word, wrong[i].field);
    }
}

// --- Coding --------------------------------------------------------------------------------------

static ct_network_value random_value(const ct_network_type *type, uint32_t *seed) {
    static const char *const texts[] = {"", "a", "abcd", "\xc3\xa9t\xc3\xa9", "123456789012345678"};
    ct_network_value v = {.kind = type->kind};
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        v.boolean = test_random(seed) & 1;
        break;
    case CT_NETWORK_INTEGER:
        v.integer = (int32_t)test_random(seed) >> (test_random(seed) & 31);
        break;
    case CT_NETWORK_STRING:
        v.string.text = texts[test_random(seed) % CT_COUNT_OF(texts)];
        v.string.bytes = (uint32_t)strlen(v.string.text);
        break;
    case CT_NETWORK_LOOKUP:
        v.lookup = test_random(seed) % type->num_lookups;
        break;
    case CT_NETWORK_ARRAY:
        v.count = test_random(seed) % (type->max_count + 1);
        break;
    case CT_NETWORK_OBJECT:
        v.id = test_random(seed);
        break;
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
        v.id = (uint64_t)test_random(seed) << 32 | test_random(seed);
        break;
    default:
        for (uint32_t i = 0; i < 4; ++i)
            v.parts[i] = random_float(seed) * (test_random(seed) & 1 ? 1 : 100);
    }
    return v;
}

static void change_at_random(uint32_t *words, uint32_t *seed) {
    const uint32_t field = test_random(seed) % thing->num_fields;
    const ct_network_type *const types = ct_network_config_types(config);
    const ct_network_type *const type = &types[ct_network_record_fields(config, thing)[field].type];
    ct_network_value v = random_value(type, seed);
    assert_true(ct_network_record_set(config, thing, field, UINT32_MAX, &v, words, NULL));
    for (uint32_t i = 0; type->kind == CT_NETWORK_ARRAY && i < v.count; ++i) {
        const ct_network_value e = random_value(&types[type->element], seed);
        assert_true(ct_network_record_set(config, thing, field, i, &e, words, NULL));
    }
}

static void reads_the_changes_that_were_written(void **state) {
    (void)state;
    uint32_t seed = 99;
    uint32_t base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS], read[CT_NETWORK_MAX_WORDS];
    uint8_t bytes[2048];
    start_words(base);
    for (uint32_t round = 0; round < test_rounds(20000, 2000000); ++round) {
        memcpy(words, base, sizeof(words));
        for (uint32_t i = test_random(&seed) % 4; i > 0; --i)
            change_at_random(words, &seed);
        ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
        ct_network_record_write(config, thing, base, words, &w);
        ct_bits_write(&w, 5, 3); // what follows is read from the right place
        const uint32_t size = ct_bits_end(&w);
        assert_false(w.is_full);
        ct_bit_reader r = ct_bits_read_from(bytes, size);
        memset(read, 0xee, sizeof(read));
        ct_network_record_read(config, thing, base, read, &r);
        assert_memory_equal(read, words, sizeof(words));
        assert_int_equal(ct_bits_read(&r, 3), 5);
        assert_true(ct_bits_is_done(&r));
        if (size > 1) { // any cut is noticed
            r = ct_bits_read_from(bytes, test_random(&seed) % (size - 1));
            ct_network_record_read(config, thing, base, read, &r);
            ct_bits_read(&r, 8);
            assert_true(r.is_over);
        }
        r = ct_bits_read_from(bytes, size);
        ct_network_record_read(config, thing, base, base, &r); // in place
        assert_memory_equal(base, words, sizeof(words));
        assert_true(ct_network_record_check(config, thing, words));
    }
}

static uint64_t bits_of_change(const uint32_t *base, const uint32_t *words) {
    uint8_t bytes[2048];
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_network_record_write(config, thing, base, words, &w);
    return ct_bits_written(&w);
}

static void measures_what_each_change_takes(void **state) {
    (void)state;
    uint32_t seed = 17, base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    start_words(base);
    start_words(words);
    const ct_network_field *const fields = ct_network_record_fields(config, thing);
    for (uint32_t round = 0; round < 2000; ++round) {
        for (uint32_t i = test_random(&seed) % 4; i > 0; --i)
            change_at_random(words, &seed);
        uint16_t bits[CT_NETWORK_MAX_FIELDS] = {0};
        const uint64_t changed = ct_network_record_measure(config, thing, base, words, bits);
        uint64_t sum = 1;
        for (uint32_t i = 0; i < thing->num_fields; ++i) {
            const ct_network_field *const f = &fields[i];
            const bool differs =
                memcmp(base + f->first_word, words + f->first_word, 4 * f->num_words) != 0;
            assert_int_equal(changed >> i & 1, differs);
            assert_int_equal(bits[i] > 0, differs);
            sum += bits[i];
        }
        uint8_t bytes[2048];
        ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
        ct_network_record_write(config, thing, base, words, &w);
        assert_true(ct_bits_written(&w) == sum + (changed ? thing->num_fields : 0));
        memcpy(base, words, 4 * thing->num_words);
    }
}

static void writes_one_bit_for_equal_records(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words(words);
    assert_int_equal(bits_of_change(words, words), 1);
    const uint32_t nothing = ct_network_config_object(config, ct_string_id32_of("nothing"));
    uint8_t bytes[4];
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_network_record_write(config, &ct_network_config_objects(config)[nothing], NULL, NULL, &w);
    assert_int_equal(ct_bits_written(&w), 1);
}

static void writes_small_changes_in_few_bits(void **state) {
    (void)state;
    uint32_t base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    const uint32_t flags = 1 + FIXTURE_FIELDS;
    start_words(base);
    memcpy(words, base, sizeof(words));
    set(words, "speed", FIELD, FLOAT(0.1f));
    assert_true(bits_of_change(base, words) <= flags + 7);
    set(words, "speed", FIELD, FLOAT(50));
    assert_int_equal(bits_of_change(base, words), flags + 15);
    memcpy(words, base, sizeof(words));
    set(words, "any", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = -2});
    assert_true(bits_of_change(base, words) <= flags + 6);
    // From one end to the other is a small step, too.
    set(base, "any", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = INT32_MAX});
    set(words, "any", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = INT32_MIN});
    assert_true(bits_of_change(base, words) <= flags + 6);
    start_words(base);
    memcpy(words, base, sizeof(words));
    set(words, "text", FIELD, (ct_network_value){.kind = CT_NETWORK_STRING});
    assert_true(bits_of_change(base, words) <= flags + 7);
}

static void reads_any_bytes_into_words_of_their_widths(void **state) {
    (void)state;
    uint32_t seed = 3;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    const uint8_t *const widths = ct_network_record_widths(config, thing);
    for (uint32_t round = 0; round < test_rounds(5000, 500000); ++round) {
        uint8_t bytes[200];
        for (uint32_t i = 0; i < sizeof(bytes); ++i)
            bytes[i] = (uint8_t)test_random(&seed);
        bytes[0] |= 1;
        start_words(words);
        ct_bit_reader r = ct_bits_read_from(bytes, test_random(&seed) % 200);
        ct_network_record_read(config, thing, words, words, &r);
        for (uint32_t i = 0; i < thing->num_words; ++i)
            assert_int_equal((uint64_t)words[i] >> widths[i], 0);
        assert_int_equal(words[thing->num_words], 0xeeeeeeee);
        ct_network_record_check(config, thing, words);
    }
}

// What does not fit is noted, and what fits is the same as with room.
static void writes_near_the_end_as_elsewhere(void **state) {
    (void)state;
    uint32_t seed = 11;
    uint32_t base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    uint8_t roomy[2048], tight[2048];
    start_words(base);
    for (uint32_t round = 0; round < 300; ++round) {
        memcpy(words, base, sizeof(words));
        for (uint32_t i = 0; i < 4; ++i)
            change_at_random(words, &seed);
        ct_bit_writer w = ct_bits_write_to(roomy, sizeof(roomy));
        ct_bits_write(&w, 3, 2 + round % 20);
        ct_network_record_write(config, thing, base, words, &w);
        const uint64_t bits = ct_bits_written(&w);
        const uint32_t size = ct_bits_end(&w);
        for (uint32_t room = size < 3 ? 0 : size - 3; room <= size; ++room) {
            memset(tight, 0x77, sizeof(tight));
            w = ct_bits_write_to(tight, room);
            ct_bits_write(&w, 3, 2 + round % 20);
            ct_network_record_write(config, thing, base, words, &w);
            assert_int_equal(w.is_full, room * 8 < bits);
            ct_bits_end(&w);
            assert_int_equal(tight[room], 0x77);
        }
        assert_memory_equal(tight, roomy, size);
        memcpy(base, words, sizeof(words));
    }
}

static void moves_on_in_straight_lines(void **state) {
    (void)state;
    uint32_t older[CT_NETWORK_MAX_WORDS], base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    start_words(older);
    start_words(base);
    set(base, "health", FIELD, (ct_network_value){.kind = CT_NETWORK_INTEGER, .integer = 5});
    set(base, "speed", FIELD, FLOAT(40));
    set(base, "position", FIELD,
        (ct_network_value){.kind = CT_NETWORK_VECTOR3, .parts = {10, -20, 5}});
    memcpy(words, base, sizeof(words));
    ct_network_record_extrapolate(config, thing, older, 4, words, 2, words);
    assert_int_equal(get(words, "health", FIELD).integer, 5);
    assert_true(get(words, "speed", FIELD).number == 50); // the end of the range
    const ct_network_value p = get(words, "position", FIELD);
    assert_true(fabsf(p.parts[0] - 15) < 0.02f && fabsf(p.parts[1] + 30) < 0.02f);
    assert_true(ct_network_record_check(config, thing, words));
    ct_network_record_extrapolate(config, thing, older, 4, base, 0, words);
    assert_memory_equal(words, base, sizeof(words));
}

static void hashes_all_words(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    start_words(words);
    const uint64_t hash = ct_network_record_hash(thing, words);
    words[thing->num_words] = 5;
    assert_true(ct_network_record_hash(thing, words) == hash);
    words[thing->num_words - 1] ^= 1;
    assert_false(ct_network_record_hash(thing, words) == hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(starts_with_defaults, make_config, free_config),
        cmocka_unit_test_setup_teardown(rounds_to_the_nearest_step, make_config, free_config),
        cmocka_unit_test_setup_teardown(reads_rotations_back, make_config, free_config),
        cmocka_unit_test_setup_teardown(resizes_arrays, make_config, free_config),
        cmocka_unit_test_setup_teardown(keeps_strings_up_to_their_length, make_config, free_config),
        cmocka_unit_test_setup_teardown(refuses_values_that_a_field_does_not_take, make_config,
                                        free_config),
        cmocka_unit_test_setup_teardown(refuses_words_without_a_value, make_config, free_config),
        cmocka_unit_test_setup_teardown(reads_the_changes_that_were_written, make_config,
                                        free_config),
        cmocka_unit_test_setup_teardown(measures_what_each_change_takes, make_config, free_config),
        cmocka_unit_test_setup_teardown(writes_one_bit_for_equal_records, make_config, free_config),
        cmocka_unit_test_setup_teardown(writes_small_changes_in_few_bits, make_config, free_config),
        cmocka_unit_test_setup_teardown(reads_any_bytes_into_words_of_their_widths, make_config,
                                        free_config),
        cmocka_unit_test_setup_teardown(writes_near_the_end_as_elsewhere, make_config, free_config),
        cmocka_unit_test_setup_teardown(moves_on_in_straight_lines, make_config, free_config),
        cmocka_unit_test_setup_teardown(hashes_all_words, make_config, free_config),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
