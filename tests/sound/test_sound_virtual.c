// Which voices are real, and that virtual ones come back where they would be.
#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_play.h"

static ct_sound_event_resource *hum_of_priority(const char *name, uint32_t priority) {
    event_fixture *const f = sound_play_loop(name, "steady");
    f->data.priority = priority;
    return event_fixture_end(f);
}

static sound_play start_few(uint32_t num_real) {
    sound_play p = sound_play_start(&(ct_sound_system_desc){.num_real = num_real});
    sound_play_level(&p, "steady", 0.05f, 1, 1);
    sound_play_event(&p, hum_of_priority("hum", 128));
    sound_play_event(&p, hum_of_priority("minor", 10));
    sound_play_event(&p, hum_of_priority("major", 200));
    sound_play_event(&p, hum_of_priority("first", 255));
    return p;
}

static bool is_real(const sound_play *p, ct_sound_instance i) {
    return sound_play_info(p, i).num_real > 0;
}

static void makes_the_most_audible_real(void **state) {
    (void)state;
    sound_play p = start_few(10);
    ct_sound_instance all[30];
    for (uint32_t i = 0; i < 30; ++i) {
        all[i] = sound_play_here(&p, "hum");
        // 2 dB apart, in a shuffled order.
        ct_sound_set_volume(p.system, all[i], powf(10, -0.1f * (float)(i * 7 % 30)));
    }
    sound_play_run(&p, 0.04);
    for (uint32_t i = 0; i < 30; ++i)
        if (is_real(&p, all[i]) != (i * 7 % 30 < 10))
            fail_msg("instance %u", i);
    for (uint32_t i = 0; i < 30; ++i) // the other way round
        ct_sound_set_volume(p.system, all[i], powf(10, -0.1f * (float)(29 - i * 7 % 30)));
    sound_play_run(&p, 0.04);
    for (uint32_t i = 0; i < 30; ++i)
        if (is_real(&p, all[i]) != (i * 7 % 30 >= 20))
            fail_msg("instance %u", i);
    sound_play_stop(&p);
}

static void keeps_real_what_is_nearly_as_loud(void **state) {
    (void)state;
    sound_play p = start_few(1);
    const ct_sound_instance a = sound_play_here(&p, "hum"), b = sound_play_here(&p, "hum");
    for (uint32_t i = 0; i < 20; ++i) { // 0.5 in the middle: between two steps
        ct_sound_set_volume(p.system, a, i % 2 ? 0.68f : 0.73f);
        ct_sound_set_volume(p.system, b, i % 2 ? 0.73f : 0.68f);
        sound_play_step(&p);
        assert_true(is_real(&p, a) && !is_real(&p, b));
    }
    ct_sound_set_volume(p.system, b, 1.5f);
    sound_play_step(&p);
    assert_true(!is_real(&p, a) && is_real(&p, b));
    sound_play_stop(&p);
}

// The number is the system's: worlds share it, whichever of them is updated last.
static void chooses_among_all_worlds(void **state) {
    (void)state;
    sound_play p = start_few(4);
    ct_sound_world *const other =
        ct_sound_world_create(&(ct_sound_world_desc){.allocator = test_heap(), .system = p.system});
    ct_sound_instance all[16];
    for (uint32_t i = 0; i < 16; ++i) {
        ct_sound_world *const w = i % 2 ? p.world : other;
        const ct_sound_start start = {.rotation = ct_quat_identity(), .fade_in = -1};
        all[i] = ct_sound_play(w, ct_string_id64_of("hum"), &start, NULL, 0);
        ct_sound_set_volume(p.system, all[i], i < 4 ? 1 : 0.25f);
    }
    for (uint32_t step = 0; step < 3; ++step) {
        ct_sound_world_update(other, 0.02);
        sound_play_step(&p);
        uint32_t num_real = 0;
        for (uint32_t i = 0; i < 4; ++i)
            num_real += ct_sound_world_info(i % 2 ? p.world : other, i / 2).num_real;
        assert_int_equal(num_real, 4); // the loud ones
        assert_int_equal(ct_mixer_get_stats(ct_sound_system_mixer(p.system)).num_real, 4);
    }
    ct_sound_world_destroy(other);
    sound_play_stop(&p);
}

static void prefers_higher_priorities(void **state) {
    (void)state;
    sound_play p = start_few(2);
    const ct_sound_instance minor = sound_play_here(&p, "minor");
    const ct_sound_instance hum = sound_play_here(&p, "hum");
    ct_sound_set_volume(p.system, minor, 0.1f);
    ct_sound_set_volume(p.system, hum, 0.1f);
    const ct_sound_instance major = sound_play_here(&p, "major");
    ct_sound_set_volume(p.system, major, 0.126f); // more than the bonus of those that are real
    sound_play_run(&p, 0.04);
    assert_true(is_real(&p, major) && is_real(&p, hum) && !is_real(&p, minor));
    const ct_sound_instance first = sound_play_here(&p, "first");
    ct_sound_set_volume(p.system, first, 0.001f); // quiet, but before all
    sound_play_run(&p, 0.04);
    assert_true(is_real(&p, first) && is_real(&p, major) && !is_real(&p, hum));
    sound_play_stop(&p);
}

static void never_makes_silence_or_pauses_real(void **state) {
    (void)state;
    sound_play p = start_few(64);
    const ct_sound_instance a = sound_play_here(&p, "hum"), b = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.04);
    assert_true(is_real(&p, a) && is_real(&p, b));
    ct_sound_set_volume(p.system, a, 1e-5f);
    ct_sound_set_paused(p.system, b, true);
    sound_play_run(&p, 0.04);
    assert_true(!is_real(&p, a) && !is_real(&p, b));
    assert_true(sound_play_info(&p, b).is_paused);
    assert_true(sound_play_sample(&p, 0) == 0);
    ct_sound_set_volume(p.system, a, 1);
    ct_sound_set_paused(p.system, b, false);
    sound_play_run(&p, 0.04);
    assert_true(is_real(&p, a) && is_real(&p, b));
    sound_play_stop(&p);
}

static void starts_what_is_louder_at_once(void **state) {
    (void)state;
    sound_play p = start_few(1);
    const ct_sound_instance quiet = sound_play_here(&p, "hum");
    ct_sound_set_volume(p.system, quiet, 0.1f);
    sound_play_run(&p, 0.04);
    const ct_sound_instance loud = sound_play_here(&p, "hum");
    assert_true(is_real(&p, loud) && !is_real(&p, quiet));
    ct_sound_stop(p.system, loud, 0);
    sound_play_run(&p, 0.06);
    assert_true(is_real(&p, quiet));
    sound_play_stop(&p);
}

// --- In phase ------------------------------------------------------------------------------------

enum { ROW = 1000, HEARD = 20 }; // instances, metres that each is heard

static sound_play start_row(uint32_t num_real, ct_sound_instance *all) {
    sound_play p = sound_play_start(&(ct_sound_system_desc){.num_real = num_real});
    sound_play_sine(&p, "tone", 0.05, 1.7, 211.3, 0);
    event_fixture *const f = sound_play_loop("hum", "tone");
    ct_sound_spatial *const s = event_fixture_spatial(f, 1, HEARD);
    s->attenuation = CT_SOUND_ATTENUATION_LINEAR;
    sound_play_event(&p, event_fixture_end(f));
    sound_play_listen(&p, 0, 0, 0);
    for (uint32_t i = 0; i < ROW; ++i) {
        all[i] = sound_play_at(&p, "hum", 0, (float)i, 0);
        ct_sound_set_pitch(p.system, all[i], 0.5f + 0.0013f * (float)i);
    }
    return p;
}

static void walk(sound_play *p, uint32_t step) {
    const float y = step < 40 ? 5 * (float)step : 5 * (float)(80 - step); // 200 m, and back
    ct_sound_set_listener(p->world, 0, ct_vec3_make(0, y, 0), ct_quat_identity(), false);
    sound_play_step(p);
}

static void comes_back_in_phase(void **state) {
    (void)state;
    static ct_sound_instance few_ids[ROW], all_ids[ROW];
    sound_play few = start_row(64, few_ids), all = start_row(ROW, all_ids);
    for (uint32_t step = 0; step <= 80; ++step) {
        walk(&few, step);
        walk(&all, step);
    }
    uint32_t num_real = 0;
    for (uint32_t i = 0; i < ROW; ++i)
        num_real += sound_play_info(&few, few_ids[i]).num_real;
    assert_in_range(num_real, HEARD - 2, HEARD);
    for (uint32_t i = 0; i < ROW; ++i)
        assert_true(ct_sound_position(few.system, few_ids[i]) ==
                    ct_sound_position(all.system, all_ids[i]));
    // What was near all the time sounds the same, and what was away is back where it would be.
    float loudest = 0;
    for (uint32_t i = few.out.count - 2 * SOUND_PLAY_FRAMES; i < few.out.count; ++i) {
        loudest = fmaxf(loudest, fabsf(few.out.items[i]));
        assert_true(fabsf(few.out.items[i] - all.out.items[i]) < 1e-6f);
    }
    assert_true(loudest > 0.01f);
    sound_play_stop(&few);
    sound_play_stop(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_most_audible_real),
        cmocka_unit_test(keeps_real_what_is_nearly_as_loud),
        cmocka_unit_test(chooses_among_all_worlds),
        cmocka_unit_test(prefers_higher_priorities),
        cmocka_unit_test(never_makes_silence_or_pauses_real),
        cmocka_unit_test(starts_what_is_louder_at_once),
        cmocka_unit_test(comes_back_in_phase),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
