// Records that are moved on: bodies that turn evenly come out where they are; the same everywhere.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "network/fields/fields_fixture.h"
#include "network/fields/network_record.h"

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
    memset(words, 0, 4 * CT_NETWORK_MAX_WORDS);
    memcpy(words, ct_network_record_defaults(config, thing), 4 * thing->num_words);
}

static void set(uint32_t *words, const char *field, ct_network_value v) {
    assert_true(ct_network_record_set(config, thing, fixture_field(config, field), UINT32_MAX, &v,
                                      words, NULL));
}

static ct_network_value get(const uint32_t *words, const char *field) {
    return ct_network_record_get(config, thing, fixture_field(config, field), UINT32_MAX, words);
}

static void set_rotation(uint32_t *words, ct_quat q) {
    set(words, "rotation",
        (ct_network_value){.kind = CT_NETWORK_ROTATION, .parts = {q.x, q.y, q.z, q.w}});
}

// The angle between a rotation and the one in words, in steps of its words.
static float steps_from(const uint32_t *words, ct_quat q) {
    const ct_network_value v = get(words, "rotation");
    const float cosine = v.parts[0] * q.x + v.parts[1] * q.y + v.parts[2] * q.z + v.parts[3] * q.w;
    const float sine = sqrtf(fmaxf(0, 1 - cosine * cosine));
    return sine / (1.41421356f / 1022);
}

static void moves_floats_and_vectors_to_the_nearest_step(void **state) {
    (void)state;
    uint32_t older[CT_NETWORK_MAX_WORDS], base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    start_words(older);
    start_words(base);
    const uint32_t at =
        ct_network_record_fields(config, thing)[fixture_field(config, "position")].first_word;
    static const struct {
        uint32_t older, older_ticks, base, ticks, moved;
    } moves[] = {{100, 3, 110, 3, 120},   {100, 3, 110, 1, 113},
                 {100, 3, 110, 2, 117},   {110, 3, 100, 1, 97},
                 {110, 3, 100, 2, 93},    {100, 1, 50, 2, 0},
                 {0, 1, 30000, 1, 32766}, {0, 65535, 32766, 65535, 32766},
                 {7, 1, 7, 65535, 7},     {32766, 1, 0, 65535, 0}};
    for (uint32_t i = 0; i < CT_COUNT_OF(moves); ++i) {
        older[at] = moves[i].older;
        base[at] = moves[i].base;
        ct_network_record_extrapolate(config, thing, older, moves[i].older_ticks, base,
                                      moves[i].ticks, words);
        assert_int_equal(words[at], moves[i].moved);
    }
    assert_true(ct_network_record_moves(config, thing));
    assert_false(ct_network_record_moves(config, &ct_network_config_messages(config)[0]));
}

static void turns_bodies_on_evenly(void **state) {
    (void)state;
    uint32_t older[CT_NETWORK_MAX_WORDS], base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    uint32_t seed = 5;
    float sum = 0;
    enum { ROUNDS = 3000 };
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const ct_vec3 axis = ct_vec3_normalize(ct_vec3_make(
            (float)(test_random(&seed) % 100) - 49.5f, (float)(test_random(&seed) % 100) - 49.5f,
            (float)(test_random(&seed) % 100) - 49.5f));
        const float turn = 0.3f * (float)(test_random(&seed) % 100) / 100;
        const uint32_t older_ticks = 1 + test_random(&seed) % 5, ticks = 1 + test_random(&seed) % 9;
        const ct_quat first = ct_quat_axis_angle(ct_vec3_make(0.6f, 0, 0.8f),
                                                 (float)(test_random(&seed) % 628) / 100);
        const float to = turn * (float)older_ticks, then = turn * (float)(older_ticks + ticks);
        start_words(older);
        start_words(base);
        set_rotation(older, first);
        set_rotation(base, ct_quat_mul(ct_quat_axis_angle(axis, to), first));
        ct_network_record_extrapolate(config, thing, older, older_ticks, base, ticks, words);
        assert_true(ct_network_record_check(config, thing, words));
        const ct_quat expected = ct_quat_mul(ct_quat_axis_angle(axis, then), first);
        if (ticks > 4 * older_ticks || then > 2.5f)
            continue; // not moved, or far
        const float steps = steps_from(words, expected);
        const float most = 2 + 2 * (float)ticks / (float)older_ticks;
        if (steps > most)
            fail_msg("round %u: %g steps from where it is, of %g", round, (double)steps,
                     (double)most);
        sum += steps;
    }
    assert_true(sum / ROUNDS < 2);
}

static void leaves_what_rests(void **state) {
    (void)state;
    uint32_t base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    uint32_t seed = 9;
    for (uint32_t round = 0; round < 1000; ++round) {
        start_words(base);
        // Also with two parts that are as good as equal.
        const float x = (float)(test_random(&seed) % 3), y = (float)(test_random(&seed) % 3);
        set_rotation(base, ct_quat_normalize((ct_quat){{x, y, 1, 1.0001f}}));
        ct_network_record_extrapolate(config, thing, base, 3, base, 40, words);
        assert_memory_equal(words, base, 4 * thing->num_words);
    }
}

// The words are part of the protocol: another machine, compiler or version must get the same.
static void is_the_same_everywhere(void **state) {
    (void)state;
    uint32_t older[CT_NETWORK_MAX_WORDS], base[CT_NETWORK_MAX_WORDS], words[CT_NETWORK_MAX_WORDS];
    uint32_t seed = 12;
    uint64_t hash = 0;
    const ct_network_field *const fields = ct_network_record_fields(config, thing);
    const uint32_t rotation = fields[fixture_field(config, "rotation")].first_word;
    const uint32_t position = fields[fixture_field(config, "position")].first_word;
    for (uint32_t round = 0; round < 20000; ++round) {
        start_words(older);
        start_words(base);
        for (uint32_t i = 0; i < 4; ++i) {
            older[rotation + i] = test_random(&seed) % (i ? 1023 : 4);
            base[rotation + i] =
                test_random(&seed) % 2 ? older[rotation + i] : test_random(&seed) % (i ? 1023 : 4);
        }
        for (uint32_t i = 0; i < 3; ++i) {
            older[position + i] = test_random(&seed) % 32767;
            base[position + i] = test_random(&seed) % 32767;
        }
        const uint32_t older_ticks = 1 + test_random(&seed) % 65535;
        ct_network_record_extrapolate(config, thing, older, older_ticks, base,
                                      test_random(&seed) % 65536, words);
        for (uint32_t i = 0; i < thing->num_words; ++i)
            hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
        const uint8_t *const widths = ct_network_record_widths(config, thing);
        for (uint32_t i = 0; i < thing->num_words; ++i)
            assert_int_equal((uint64_t)words[i] >> widths[i], 0);
    }
    if (hash != UINT64_C(0xd433c6994b1d53f1))
        fail_msg("the hash is %016llx", (unsigned long long)hash);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_config, free_config)
    const struct CMUnitTest tests[] = {
        TEST(moves_floats_and_vectors_to_the_nearest_step),
        TEST(turns_bodies_on_evenly),
        TEST(leaves_what_rests),
        TEST(is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
