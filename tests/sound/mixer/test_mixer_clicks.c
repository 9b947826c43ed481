// No click anywhere: whatever is done to voices and buses, the output has no jump and no sharp bend.
//
// A sine of amplitude A and w radians a frame has second differences up to A w w. A factor that moves
// from 0 to 1 in N frames adds at most A (2 w + 1) / N: twice its slope times that of the sine, and the
// bend where the ramp begins and ends. So does each voice that is heard at the same time. Fades take a
// block, N = 480, but for a sound that starts at its first frame, N = 32. A jump by the amplitude, for
// which a ramp was forgotten, is 50 times above this bound.
#include <math.h>

#include "sound/mixer/mixer_fixture.h"
#include "support/test_support.h"

enum { NUM_PHASES = 24, NUM_FRAMES = 48000, ACT_BLOCKS = 3 };
static const double AMPLITUDE = 0.25, HZ = 440, ROUNDING = 1e-4; // of samples of 16 bits

typedef struct scene {
    mixer_play play;
    mixer_tree tree;
    ct_sound_media media, other; // another frequency
    ct_voice_id voice;           // in a loop, in bus 1
    uint32_t phase;
} scene;

// --- What is done --------------------------------------------------------------------------------

static void set(scene *s, float gain, float pitch, float low_pass) {
    ct_voice_params params = mixer_params(gain, gain / 2);
    params.pitch = pitch;
    params.low_pass = low_pass;
    ct_mixer_set_params(s->play.m, s->voice, &params);
}

static void start_second(scene *s, uint32_t position, uint32_t delay, uint32_t fade) {
    ct_voice_desc desc = mixer_loop(&s->other);
    desc.position = position;
    desc.start = ct_mixer_clock(s->play.m) + delay;
    desc.fade_frames = fade;
    ct_mixer_start(s->play.m, &desc);
}

static void start_at_first_frame(scene *s) {
    start_second(s, 0, 0, 0);
}
static void start_inside(scene *s) {
    start_second(s, 1000 + s->phase * 11, 0, 0);
}
static void start_later(scene *s) {
    start_second(s, 1000 + s->phase * 11, s->phase * 37, 0);
}
static void start_slowly(scene *s) {
    start_second(s, 1000, 100, 1000);
}
static void stop_at_once(scene *s) {
    ct_mixer_stop(s->play.m, s->voice, 0, 0);
}
static void stop_later(scene *s) {
    ct_mixer_stop(s->play.m, s->voice, ct_mixer_clock(s->play.m) + s->phase * 37, 700);
}
static void stop_twice(scene *s) {
    ct_mixer_stop(s->play.m, s->voice, 0, 5000);
    mixer_play_run(&s->play, 1);
    ct_mixer_stop(s->play.m, s->voice, ct_mixer_clock(s->play.m) + s->phase * 37, 0);
}
static void pause_voice(scene *s) {
    ct_mixer_set_paused(s->play.m, s->voice, true);
}
static void resume_voice(scene *s) {
    ct_mixer_set_paused(s->play.m, s->voice, false);
}
static void make_virtual(scene *s) {
    ct_mixer_set_real(s->play.m, s->voice, false);
}
static void make_real(scene *s) {
    ct_mixer_set_real(s->play.m, s->voice, true);
}
static void pause_while_it_stops(scene *s) {
    ct_mixer_stop(s->play.m, s->voice, 0, 3000);
    mixer_play_run(&s->play, 1);
    pause_voice(s);
}
static void steal(scene *s) {
    stop_at_once(s);
    start_inside(s);
}
static void jump_volume_down(scene *s) {
    set(s, 0, 1, CT_SOUND_OPEN_HZ);
}
static void jump_volume_up(scene *s) {
    set(s, 1, 1, CT_SOUND_OPEN_HZ);
}
static void jump_pitch_up(scene *s) {
    set(s, 1, 1.9f, CT_SOUND_OPEN_HZ);
}
static void jump_pitch_down(scene *s) {
    set(s, 1, 0.3f, CT_SOUND_OPEN_HZ);
}
static void close_filter(scene *s) {
    set(s, 1, 1, 250);
}
static void move_filter(scene *s) {
    set(s, 1, 1, 5000);
}
static void change_all(scene *s) {
    set(s, 0.3f, 1.7f, 900);
}
static void replace_sound(scene *s) {
    ct_mixer_lock(s->play.m);
    ct_mixer_replace_media(s->play.m, &s->media, &s->other);
    ct_mixer_unlock(s->play.m);
}
static void replace_back(scene *s) {
    ct_mixer_lock(s->play.m);
    ct_mixer_replace_media(s->play.m, &s->other, &s->media);
    ct_mixer_unlock(s->play.m);
}
static void unload_sound(scene *s) {
    ct_mixer_lock(s->play.m);
    ct_mixer_replace_media(s->play.m, &s->media, NULL);
    ct_mixer_unlock(s->play.m);
}
static void set_bus(scene *s, float gain, float low_pass) {
    ct_mixer_set_bus(s->play.m, 1, &(ct_mixer_bus_params){.gain = gain, .low_pass = low_pass});
}
static void jump_bus_down(scene *s) {
    set_bus(s, 0, CT_SOUND_OPEN_HZ);
}
static void jump_bus_up(scene *s) {
    set_bus(s, 1, CT_SOUND_OPEN_HZ);
}
static void close_bus_filter(scene *s) {
    set_bus(s, 1, 250);
}
static void jump_send(scene *s) {
    ct_mixer_set_send(s->play.m, 0, 1);
}
static void jump_send_back(scene *s) {
    ct_mixer_set_send(s->play.m, 0, 0);
}
static void remove_buses(scene *s) {
    ct_mixer_set_buses(s->play.m, NULL);
}
static void add_buses(scene *s) {
    ct_mixer_set_buses(s->play.m, &s->tree.head);
}
static void lower_buses(scene *s) {
    s->tree.buses[1].volume = -20;
    ct_mixer_set_buses(s->play.m, &s->tree.head);
}
static void jump_place_send(scene *s) {
    ct_voice_params params = mixer_params(1, 0.5f);
    params.send = 1;
    ct_mixer_set_params(s->play.m, s->voice, &params);
}
static void move_place(scene *s) {
    s->tree.buses[2].is_place = true;
    s->tree.buses[3].is_place = false;
    ct_mixer_set_buses(s->play.m, &s->tree.head);
}
// Its voice is in the root, which stays when the place goes.
static void send_from_root(scene *s) {
    remove_buses(s);
    mixer_play_run(&s->play, 1);
    add_buses(s);
    jump_place_send(s);
}
static void nothing(scene *s) {
    (void)s;
}

typedef struct act {
    const char *name;
    void (*first)(scene *s);
    void (*second)(scene *s);
    double pitch;     // the highest
    double num_waves; // of the amplitude, that are heard at most
    double num_ramps; // from 0 to 1, over a block
    bool is_start;    // a sound starts at its first frame
} act;

static const act acts[] = {
    {"nothing", nothing, nothing, 1, 1, 1, false},
    {"start at the first frame", start_at_first_frame, nothing, 1, 2, 1, true},
    {"start inside", start_inside, nothing, 1, 2, 1, false},
    {"start later", start_later, nothing, 1, 2, 1, false},
    {"start slowly", start_slowly, nothing, 1, 2, 1, false},
    {"stop", stop_at_once, nothing, 1, 1, 1, false},
    {"stop later", stop_later, nothing, 1, 1, 1, false},
    {"stop twice", stop_twice, nothing, 1, 1, 1, false},
    {"pause and resume", pause_voice, resume_voice, 1, 1, 1, false},
    {"pause and stop", pause_voice, stop_at_once, 1, 1, 1, false},
    {"pause while it stops", pause_while_it_stops, resume_voice, 1, 1, 2, false},
    {"virtual and real", make_virtual, make_real, 1, 1, 1, false},
    {"steal", steal, nothing, 1, 2, 2, false},
    {"volume", jump_volume_down, jump_volume_up, 1, 1, 1, false},
    {"pitch", jump_pitch_up, jump_pitch_down, 1.9, 1, 1, false},
    {"filter closes and opens", close_filter, jump_volume_up, 1, 2, 2, false},
    {"filter moves", close_filter, move_filter, 1, 2, 2, false},
    {"all", change_all, jump_volume_up, 1.7, 3, 4, false},
    {"other sound and back", replace_sound, replace_back, 1, 2, 2, false},
    {"no sound", unload_sound, nothing, 1, 1, 1, false},
    {"volume of a bus", jump_bus_down, jump_bus_up, 1, 1, 1, false},
    {"filter of a bus", close_bus_filter, jump_bus_up, 1, 2, 2, false},
    {"send", jump_send, jump_send_back, 1, 2, 1, false},
    {"buses removed and added", remove_buses, add_buses, 1, 2, 2, false},
    {"buses loaded again", lower_buses, nothing, 1, 1, 1, false},
    {"send to the place", jump_place_send, jump_volume_up, 1, 2, 1, false},
    {"send removed", jump_send, remove_buses, 1, 3, 2, false},
    {"place removed", send_from_root, remove_buses, 1, 4, 4, false},
    {"another place", jump_place_send, move_place, 1, 4, 4, false},
};

// --- Runs ----------------------------------------------------------------------------------------

static double bound_of(const act *a) {
    const double w = 2 * 3.14159265358979 * HZ * a->pitch / CT_MIXER_RATE;
    const double wave = AMPLITUDE * w * w * a->num_waves;
    const double ramp = AMPLITUDE * (2 * w + 1);
    return wave + ramp * a->num_ramps / CT_MIXER_BLOCK + ROUNDING +
           (a->is_start ? ramp / CT_MIXER_START_FRAMES : 0);
}

static void begin(scene *s, uint32_t phase) {
    s->play = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()});
    s->media = mixer_sine(HZ, NUM_FRAMES, 1, AMPLITUDE);
    s->other = mixer_sine(HZ * 0.9, NUM_FRAMES, 1, AMPLITUDE);
    s->phase = phase;
    mixer_tree_begin(&s->tree);
    mixer_tree_bus(&s->tree, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t bus = mixer_tree_bus(&s->tree, "effects", 0, 0);
    // They come after the bus that sends to them.
    const uint32_t other = mixer_tree_bus(&s->tree, "other", 0, 0);
    const uint32_t place = mixer_tree_bus(&s->tree, "place", 0, 0);
    s->tree.buses[other].order = s->tree.buses[place].order = CT_SOUND_MAX_BUSES - 1;
    s->tree.buses[bus].order = 0;
    s->tree.buses[place].is_place = true;
    mixer_tree_send(&s->tree, bus, other, CT_SOUND_SILENCE_DB);
    ct_mixer_set_buses(s->play.m, &s->tree.head);
    ct_voice_desc desc = mixer_loop(&s->media);
    desc.bus = bus;
    desc.position = 100 + 5 * phase;
    desc.params.gains[1] = 0.5f;
    s->voice = ct_mixer_start(s->play.m, &desc);
}

static void end(scene *s) {
    mixer_play_end(&s->play);
    mixer_free(&s->media);
    mixer_free(&s->other);
}

static double roughness_of(const act *a, uint32_t phase) {
    scene s;
    begin(&s, phase);
    mixer_play_run(&s.play, ACT_BLOCKS);
    a->first(&s);
    mixer_play_run(&s.play, ACT_BLOCKS);
    a->second(&s);
    mixer_play_run(&s.play, ACT_BLOCKS);
    const double roughness = mixer_roughness(&s.play, 0, s.play.num_frames);
    end(&s);
    return roughness;
}

static void clicks_nowhere(void **state) {
    (void)state;
    uint32_t num_clicks = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(acts); ++i) {
        double most = 0;
        for (uint32_t phase = 0; phase < NUM_PHASES; ++phase)
            most = fmax(most, roughness_of(&acts[i], phase));
        print_message("%-26s %.5f, bound %.5f\n", acts[i].name, most, bound_of(&acts[i]));
        num_clicks += most > bound_of(&acts[i]);
    }
    assert_int_equal(num_clicks, 0);
}

// Anything at any time: the bound is that of all at once.
static void clicks_nowhere_at_random(void **state) {
    (void)state;
    const act all = {.pitch = 1.9, .num_waves = 2, .num_ramps = 4};
    scene s;
    begin(&s, 0);
    uint32_t random = 7;
    for (uint32_t i = 0; i < test_rounds(400, 4000); ++i) {
        const act *const a = &acts[test_random(&random) % CT_COUNT_OF(acts)];
        const bool ends = a->first == stop_at_once || a->first == stop_later ||
                          a->first == stop_twice || a->first == pause_while_it_stops ||
                          a->first == unload_sound || a->first == steal ||
                          a->second == stop_at_once;
        const bool adds = a->first == start_slowly || a->is_start || a->first == start_inside ||
                          a->first == start_later;
        if (ends || adds || a->first == lower_buses) // one voice, all the time
            continue;
        (test_random(&random) % 2 ? a->first : a->second)(&s);
        mixer_play_run(&s.play, test_random(&random) % 3);
    }
    const double roughness = mixer_roughness(&s.play, 0, s.play.num_frames);
    print_message("at random: %.5f, bound %.5f\n", roughness, bound_of(&all));
    assert_true(roughness < bound_of(&all));
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clicks_nowhere),
        cmocka_unit_test(clicks_nowhere_at_random),
    };
    return cmocka_run_group_tests_name("mixer clicks", tests, test_group_setup,
                                       test_group_teardown);
}
