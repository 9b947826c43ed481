// Voices of the mixer: starts, ends, loops, chains, positions, panning.
#include "sound/mixer/mixer_fixture.h"
#include "support/test_support.h"

static mixer_play begin(void) {
    return mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()});
}

static float sample(const ct_sound_media *media, uint32_t index) {
    return (float)media->samples[index] / 32768;
}

static void copies_what_is_played_as_it_is(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(440, 2000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.params.gains[1] = 0.5f;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 5);
    for (uint32_t i = CT_MIXER_START_FRAMES; i < 2400; ++i) {
        const float expected = i < 2000 ? sample(&sine, i) : 0;
        assert_true(mixer_left(&p, i) == expected);
        assert_true(mixer_right(&p, i) == 0.5f * expected);
    }
    for (uint32_t i = 0; i < CT_MIXER_START_FRAMES; ++i)
        assert_float_equal(mixer_left(&p, i), sample(&sine, i) * (float)(i + 1) / 32, 1e-6);
    assert_int_equal(p.num_ended, 1);
    assert_int_equal(ct_mixer_get_stats(p.m).num_voices, 0);
    mixer_play_end(&p);
    mixer_free(&sine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_what_is_played_as_it_is),
    };
    return cmocka_run_group_tests_name("mixer voices", tests, test_group_setup,
                                       test_group_teardown);
}
