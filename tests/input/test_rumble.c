#include "support/test_support.h"

#include <math.h>

#include "input/rumble.h"

static void assert_near(float found, float expected) {
    if (fabsf(found - expected) > 1e-5f)
        fail_msg("found %g, expected %g", (double)found, (double)expected);
}

static void follows_attack_decay_sustain_and_release(void **state) {
    (void)state;
    const ct_rumble_effect e = {.attack = 1,
                                .attack_level = 0.8f,
                                .decay = 1,
                                .sustain_level = 0.4f,
                                .sustain = 1,
                                .release = 2};
    const float levels[][2] = {{-1, 0},      {0, 0},    {0.5f, 0.4f}, {1, 0.8f}, {1.5f, 0.6f},
                               {2.5f, 0.4f}, {4, 0.2f}, {5, 0},       {9, 0}};
    for (uint32_t i = 0; i < CT_COUNT_OF(levels); ++i)
        assert_near(ct_rumble_effect_level(&e, levels[i][0]), levels[i][1]);
}

static void swings_between_the_offset_and_the_level(void **state) {
    (void)state;
    const ct_rumble_effect e = {
        .sustain_level = 0.8f, .sustain = 10, .frequency = 2, .offset = 0.5f};
    assert_near(ct_rumble_effect_level(&e, 0), 0.4f);
    assert_near(ct_rumble_effect_level(&e, 0.25f), 0.8f);
    assert_near(ct_rumble_effect_level(&e, 0.5f), 0.4f);
}

static void adds_what_is_set_and_what_plays_up_to_one(void **state) {
    (void)state;
    ct_rumble r = {.levels = {0.25f, 0}};
    const ct_rumble_effect e = {.sustain_level = 0.5f, .sustain = 1};
    ct_rumble_play(&r, 0, &e);
    assert_near(ct_rumble_level(&r, 0), 0.75f);
    assert_near(ct_rumble_level(&r, 1), 0);
    ct_rumble_play(&r, 0, &e);
    assert_near(ct_rumble_level(&r, 0), 1);
    r.is_off = true;
    assert_near(ct_rumble_level(&r, 0), 0);
}

static void ends_effects_when_they_are_over_or_stopped(void **state) {
    (void)state;
    ct_rumble r = {0};
    const ct_rumble_effect e = {.sustain_level = 0.5f, .sustain = 1};
    const uint32_t first = ct_rumble_play(&r, 1, &e);
    ct_rumble_advance(&r, 0.6f);
    const uint32_t second = ct_rumble_play(&r, 1, &e);
    assert_true(ct_rumble_is_playing(&r, 1, first) && ct_rumble_is_playing(&r, 1, second));
    assert_false(ct_rumble_is_playing(&r, 0, first));
    ct_rumble_advance(&r, 0.6f);
    assert_false(ct_rumble_is_playing(&r, 1, first));
    ct_rumble_stop(&r, 1, second);
    assert_false(ct_rumble_is_playing(&r, 1, second));
    assert_false(ct_rumble_is_playing(&r, 1, 0));
    assert_near(ct_rumble_level(&r, 1), 0);
}

static void ends_the_oldest_when_too_many_play(void **state) {
    (void)state;
    ct_rumble r = {0};
    const ct_rumble_effect e = {.sustain_level = 0.5f, .sustain = 1};
    uint32_t ids[CT_RUMBLE_MAX_EFFECTS + 1];
    for (uint32_t i = 0; i <= CT_RUMBLE_MAX_EFFECTS; ++i)
        ids[i] = ct_rumble_play(&r, 0, &e);
    assert_false(ct_rumble_is_playing(&r, 0, ids[0]));
    assert_true(ct_rumble_is_playing(&r, 0, ids[1]));
    assert_true(ct_rumble_is_playing(&r, 0, ids[CT_RUMBLE_MAX_EFFECTS]));
    ct_rumble_stop_all(&r, 0);
    assert_false(ct_rumble_is_playing(&r, 0, ids[1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_attack_decay_sustain_and_release),
        cmocka_unit_test(swings_between_the_offset_and_the_level),
        cmocka_unit_test(adds_what_is_set_and_what_plays_up_to_one),
        cmocka_unit_test(ends_effects_when_they_are_over_or_stopped),
        cmocka_unit_test(ends_the_oldest_when_too_many_play),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
