// Anything in any order: the same calls give the same bits, memory stays flat, nothing is lost, and
// two threads do not disturb each other.
#include <math.h>
#include <stdatomic.h>

#include "foundation/os/os.h"
#include "sound/mixer/mixer_fixture.h"
#include "support/test_support.h"

enum { NUM_MEDIA = 6, NUM_VOICES = 100 };

typedef struct game {
    mixer_play play;
    ct_sound_media media[NUM_MEDIA];
    mixer_tree tree;
    ct_voice_id voices[NUM_VOICES];
    uint32_t random;
    uint32_t num_started;
} game;

static void begin(game *g, uint32_t seed) {
    memset(g, 0, sizeof(*g));
    g->random = seed;
    // Fewer voices than are started, and a queue that is often full.
    g->play = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap(), .num_voices = 80});
    static const uint32_t lengths[NUM_MEDIA] = {1, 2, 37, 481, 5000, 30000};
    for (uint32_t i = 0; i < NUM_MEDIA; ++i) {
        g->media[i] = mixer_sine_at(441 + i, lengths[i], i % 2 ? 48000 : 22050, 1 + i % 2, 0.1);
        g->media[i].loop_begin = i == 4 ? 1000 : 0;
        g->media[i].loop_end = i == 4 ? 4000 : 0;
    }
    mixer_tree_begin(&g->tree);
    mixer_tree_bus(&g->tree, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t place = mixer_tree_bus(&g->tree, "place", 0, -6);
    const uint32_t music = mixer_tree_bus(&g->tree, "music", 0, -3);
    const uint32_t voice = mixer_tree_bus(&g->tree, "voice", music, 0);
    g->tree.buses[place].is_place = true;
    g->tree.buses[place].reverb = (ct_sound_reverb){1, 8, 0.3f, 0.01f, 1, 0};
    g->tree.buses[music].duck_by = voice;
    g->tree.buses[music].duck_threshold = -20;
    g->tree.buses[music].duck_volume = -10;
    g->tree.buses[voice].low_pass = 2000;
    mixer_tree_send(&g->tree, music, place, -10);
    ct_mixer_set_buses(g->play.m, &g->tree.head);
}

static void end(game *g) {
    mixer_play_end(&g->play);
    for (uint32_t i = 0; i < NUM_MEDIA; ++i)
        mixer_free(&g->media[i]);
}

static uint32_t pick(game *g, uint32_t count) {
    return test_random(&g->random) % count;
}

static float unit(game *g) {
    return (float)pick(g, 1001) / 1000;
}

static ct_voice_params random_params(game *g) {
    return (ct_voice_params){.gains = {unit(g), unit(g)},
                             .send = pick(g, 2) ? unit(g) : 0,
                             .pitch = pick(g, 3) ? 1 : 3 * unit(g),
                             .low_pass = pick(g, 3) ? CT_SOUND_OPEN_HZ : 10000 * unit(g)};
}

static void start(game *g) {
    ct_voice_desc desc = mixer_voice(&g->media[pick(g, NUM_MEDIA)]);
    desc.bus = pick(g, 5);
    desc.start = pick(g, 2) ? 0 : ct_mixer_clock(g->play.m) + pick(g, 2000);
    desc.position = pick(g, 3) ? 0 : pick(g, 6000);
    desc.fade_frames = pick(g, 3) ? 0 : pick(g, 5000);
    desc.repeats = pick(g, 4);
    desc.loops = pick(g, 2) == 0;
    desc.is_real = pick(g, 3) > 0;
    desc.is_paused = pick(g, 8) == 0;
    desc.after = pick(g, 3) ? (ct_voice_id){0} : g->voices[pick(g, NUM_VOICES)];
    desc.delay = pick(g, 3) ? 0 : pick(g, 2000);
    desc.params = random_params(g);
    const ct_voice_id voice = ct_mixer_start(g->play.m, &desc);
    g->num_started += voice.value != 0;
    ct_voice_id *const place = &g->voices[pick(g, NUM_VOICES)];
    ct_mixer_stop(g->play.m, *place, 0, 0);
    *place = voice;
}

static void replace(game *g) {
    const uint32_t old = pick(g, NUM_MEDIA), other = pick(g, NUM_MEDIA);
    ct_mixer_lock(g->play.m);
    ct_mixer_replace_media(g->play.m, &g->media[old], pick(g, 4) ? &g->media[other] : NULL);
    ct_mixer_unlock(g->play.m);
}

static void change_buses(game *g) {
    const ct_mixer_bus_params params = {unit(g), pick(g, 2) ? CT_SOUND_OPEN_HZ : 5000 * unit(g),
                                        2 * unit(g), unit(g)};
    ct_mixer_set_bus(g->play.m, pick(g, 5), &params);
    ct_mixer_set_send(g->play.m, 0, unit(g));
    ct_mixer_bus_peak(g->play.m, pick(g, 5));
}

// What a game may call in a frame, but what takes the lock.
static void act(game *g) {
    const ct_voice_id voice = g->voices[pick(g, NUM_VOICES)];
    ct_mixer *const m = g->play.m;
    const ct_voice_params params = random_params(g);
    switch (pick(g, 9)) {
    case 0:
    case 1:
        start(g);
        break;
    case 2:
        ct_mixer_stop(m, voice, pick(g, 2) ? 0 : ct_mixer_clock(m) + pick(g, 3000), pick(g, 3000));
        break;
    case 3:
        ct_mixer_set_real(m, voice, pick(g, 2));
        break;
    case 4:
        ct_mixer_set_paused(m, voice, pick(g, 2));
        break;
    case 5:
        change_buses(g);
        break;
    default:
        ct_mixer_set_params(m, voice, &params);
        break;
    }
}

// Now and then more than the queue has room for.
static uint32_t num_acts(game *g) {
    return pick(g, pick(g, 20) ? 60 : 600);
}

static void play(game *g, uint32_t num_blocks) {
    for (uint32_t i = 0; i < num_blocks; ++i) {
        for (uint32_t k = num_acts(g); k > 0; --k)
            act(g);
        if (pick(g, 20) == 0)
            replace(g);
        if (pick(g, 200) == 0)
            ct_mixer_set_buses(g->play.m, pick(g, 2) ? &g->tree.head : NULL);
        mixer_play_run(&g->play, 1);
    }
}

static void stop_all(game *g) {
    for (uint32_t i = 0; i < NUM_MEDIA; ++i) {
        ct_mixer_lock(g->play.m);
        ct_mixer_replace_media(g->play.m, &g->media[i], NULL);
        ct_mixer_unlock(g->play.m);
    }
    mixer_play_run(&g->play, 2);
}

static void gives_the_same_bits(void **state) {
    (void)state;
    game a, b;
    begin(&a, 11);
    begin(&b, 11);
    play(&a, 500);
    play(&b, 500);
    assert_true(ct_mixer_get_stats(a.play.m).num_dropped > 0);
    assert_true(mixer_same(&a.play, 0, &b.play, 0, a.play.num_frames));
    double sum = 0;
    for (uint32_t i = 0; i < 2 * a.play.num_frames; ++i) {
        assert_true(a.play.out[i] >= -1 && a.play.out[i] <= 1);
        sum += fabs((double)a.play.out[i]);
    }
    assert_true(sum / a.play.num_frames > 0.01);
    end(&a);
    end(&b);
}

static void ends_every_voice_once(void **state) {
    (void)state;
    game g;
    begin(&g, 5);
    play(&g, 2000);
    stop_all(&g);
    assert_true(g.num_started > 5000);
    assert_int_equal(g.play.num_ended, g.num_started);
    assert_int_equal(ct_mixer_get_stats(g.play.m).num_voices, 0);
    end(&g);
}

// No allocation for voices that start and end, and none while it mixes.
static void keeps_memory_flat(void **state) {
    (void)state;
    game g;
    begin(&g, 3);
    float out[2 * CT_MIXER_BLOCK];
    ct_allocator_stats before, after;
    test_heap()->stats(test_heap(), &before);
    const uint32_t num_blocks = test_rounds(2000, 10000);
    for (uint32_t i = 0; i < num_blocks; ++i) {
        for (uint32_t k = num_acts(&g); k > 0; --k)
            act(&g);
        if (pick(&g, 20) == 0)
            replace(&g);
        ct_mixer_mix(g.play.m, out);
        mixer_play_update(&g.play);
    }
    test_heap()->stats(test_heap(), &after);
    assert_true(g.num_started > 3 * num_blocks);
    assert_int_equal(after.total_blocks, before.total_blocks);
    assert_int_equal(after.live_bytes, before.live_bytes);
    end(&g);
}

// --- Two threads ---------------------------------------------------------------------------------

typedef struct mixing {
    ct_mixer *m;
    _Atomic bool should_stop;
    _Atomic uint32_t num_blocks;
} mixing;

static void mix(void *data) {
    mixing *const x = data;
    float out[2 * CT_MIXER_BLOCK];
    while (!atomic_load(&x->should_stop)) {
        ct_mixer_mix(x->m, out);
        atomic_fetch_add(&x->num_blocks, 1);
    }
}

static void mixes_on_a_thread_of_its_own(void **state) {
    (void)state;
    game g;
    begin(&g, 17);
    mixing x = {.m = g.play.m};
    const ct_thread thread = ct_thread_start("mix", mix, &x);
    while (atomic_load(&x.num_blocks) < test_rounds(300, 3000)) {
        for (uint32_t k = num_acts(&g); k > 0; --k)
            act(&g);
        if (pick(&g, 20) == 0)
            replace(&g);
        if (pick(&g, 100) == 0)
            ct_mixer_set_buses(g.play.m, pick(&g, 2) ? &g.tree.head : NULL);
        ct_mixer_position(g.play.m, g.voices[pick(&g, NUM_VOICES)]);
        ct_mixer_get_stats(g.play.m);
        mixer_play_update(&g.play);
    }
    atomic_store(&x.should_stop, true);
    ct_thread_join(thread);
    mixer_play_run(&g.play, 10);
    stop_all(&g);
    assert_int_equal(g.play.num_ended, g.num_started);
    end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_same_bits),
        cmocka_unit_test(ends_every_voice_once),
        cmocka_unit_test(keeps_memory_flat),
        cmocka_unit_test(mixes_on_a_thread_of_its_own),
    };
    return cmocka_run_group_tests_name("mixer random", tests, test_group_setup,
                                       test_group_teardown);
}
