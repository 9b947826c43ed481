// The whole system over many frames: the same bits in each run, and flat memory.
#include <math.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/catalog_fixture.h"
#include "sound/bus_play.h"
#include "sound/media/media_fixture.h"

// --- A battery of sounds -------------------------------------------------------------------------

static void add_battery(sound_play *p) {
    bus_play_set(p, &(bus_play){.names = {"master", "music", "effects"}, .num_buses = 3});
    sound_play_sine(p, "a", 0.1, 0.13, 400, 0); // whole periods: ends and loops are no clicks
    sound_play_sine(p, "b", 0.1, 0.07, 300, 0);
    sound_play_sine(p, "c", 0.1, 0.41, 100, 0);
    event_fixture *f = event_fixture_begin("hit");
    f->data.limit = 12;
    f->data.steal = CT_SOUND_STEAL_QUIETEST;
    f->data.bus = ct_string_id32_of("effects");
    uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_RANDOM);
    event_fixture_node_at(f, root)->avoid = 1;
    event_fixture_value(f, root, CT_SOUND_TARGET_PITCH, -2, 2);
    event_fixture_sound(f, root, "a");
    event_fixture_sound(f, root, "b");
    event_fixture_sound(f, root, "c");
    event_fixture_spatial(f, 1, 40)->doppler = 1;
    event_fixture_marker(f, 0.05f, "soon", "echo");
    sound_play_event(p, event_fixture_end(f));
    f = sound_play_loop("echo", "b");
    f->data.limit = 3;
    f->data.steal = CT_SOUND_STEAL_OLDEST;
    f->data.fade_in = 0.05f;
    event_fixture_spatial(f, 1, 40);
    sound_play_event(p, event_fixture_end(f));
    f = event_fixture_begin("steps");
    root = event_fixture_switch(f, CT_SOUND_NO_NODE, "material");
    event_fixture_node_at(f, root)->flags = CT_SOUND_NODE_FOLLOWS;
    event_fixture_node_at(f, root)->fade = 0.05f;
    event_fixture_parameter_number(f, "material", 0);
    const ct_sound_point points[] = {{0, 200}, {5, 20000}};
    const char *const sounds[] = {"a", "b", "c"};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t node = event_fixture_sound(f, root, sounds[i]);
        event_fixture_case_number(f, root, (float)i, (float)i + 1);
        if (!i)
            continue;
        event_fixture_node_at(f, node)->flags = CT_SOUND_NODE_LOOPS;
        event_fixture_curve(f, node, CT_SOUND_TARGET_LOW_PASS, "material", 0, points, 2);
    }
    sound_play_event(p, event_fixture_end(f));
}

// Something that depends on nothing but the frame's number.
static void act(const sound_play *p, uint32_t *random, ct_sound_instance *recent) {
    static const char *const names[] = {"hit", "hit", "steps", "echo"};
    ct_sound_instance *const i = &recent[test_random(random) % 16];
    const float x = (float)(test_random(random) % 64) - 32;
    const float number = (float)(test_random(random) % 400) * 0.01f;
    switch (test_random(random) % 8) {
    case 0:
    case 1:
    case 2:
        *i = sound_play_at(p, names[test_random(random) % 4], x, 3, 0);
        break;
    case 3:
        ct_sound_stop(p->system, *i, number * 0.05f);
        break;
    case 4:
        ct_sound_set_number(p->system, *i, ct_string_id32_of("material"), number);
        break;
    case 5:
        ct_sound_move(p->system, i, &(ct_vec3){{x, 2, 0}}, 1, false);
        break;
    case 6:
        ct_sound_seek(p->system, *i, (double)number * 0.1);
        break;
    default:
        ct_sound_set_paused(p->system, *i, number < 1);
        break;
    }
}

typedef struct battery {
    sound_play p;
    uint32_t random;
    ct_sound_instance recent[16];
} battery;

static battery start_battery(void) {
    battery b = {.p = sound_play_start(&(ct_sound_system_desc){.num_real = 8}), .random = 7};
    add_battery(&b.p);
    sound_play_listen(&b.p, 0, 0, 0);
    return b;
}

static const float *run_battery(battery *b, uint64_t *num_frames) {
    for (uint32_t k = 0; k < 3; ++k)
        act(&b->p, &b->random, b->recent);
    ct_sound_system_update(b->p.system, 0.02);
    ct_sound_world_update(b->p.world, 0.02);
    return ct_sound_system_render(b->p.system, 0.02, num_frames);
}

static void mixes_the_same_bits_in_each_run(void **state) {
    (void)state;
    battery a = start_battery(), b = start_battery();
    float loudest = 0;
    for (uint32_t frame = 0; frame < 300; ++frame) {
        uint64_t num_a, num_b;
        const float *const frames_a = run_battery(&a, &num_a);
        const float *const frames_b = run_battery(&b, &num_b);
        assert_int_equal(num_a, num_b);
        assert_memory_equal(frames_a, frames_b, num_a * 2 * sizeof(float));
        for (uint64_t i = 0; i < num_a * 2; ++i)
            loudest = fmaxf(loudest, fabsf(frames_a[i]));
    }
    assert_true(loudest > 0.05f && loudest <= 1);
    sound_play_stop(&a.p);
    sound_play_stop(&b.p);
}

static void clicks_nowhere(void **state) {
    (void)state;
    battery b = start_battery();
    float before[2] = {0}, largest = 0;
    for (uint32_t frame = 0; frame < 500; ++frame) {
        uint64_t count;
        const float *const out = run_battery(&b, &count);
        for (uint64_t i = 0; i < count; ++i) {
            largest = fmaxf(largest, fabsf(out[2 * i] - 2 * before[0] + before[1]));
            before[1] = before[0];
            before[0] = out[2 * i];
        }
    }
    // A sine of 0.1 that is cut off gives up to 0.1.
    assert_true(largest > 1e-4f && largest < 0.012f);
    sound_play_stop(&b.p);
}

static void keeps_its_memory_over_thousands_of_frames(void **state) {
    (void)state;
    const uint32_t num_frames = test_rounds(2000, 10000);
    battery b = start_battery();
    ct_allocator_stats warm = {0}, warm_world = {0};
    uint32_t num_started = 0, most = 0;
    for (uint32_t frame = 0; frame < num_frames; ++frame) {
        if (frame == num_frames / 2) {
            warm = ct_allocator_stats_of(b.p.system->allocator);
            warm_world = ct_allocator_stats_of(b.p.world->allocator);
        }
        uint64_t count;
        run_battery(&b, &count);
        num_started += sound_play_here(&b.p, "hit").value != 0;
        const uint32_t live = ct_sound_world_count(b.p.world);
        most = live > most ? live : most;
        // Steps without a case or with a loop, and paused ones, would stay.
        if (frame % 100 == 99)
            ct_sound_stop_all(b.p.world, 0.1f);
    }
    const ct_allocator_stats end = ct_allocator_stats_of(b.p.system->allocator);
    assert_int_equal(end.live_bytes, warm.live_bytes);
    assert_int_equal(end.total_blocks, warm.total_blocks);
    assert_int_equal(ct_allocator_stats_of(b.p.world->allocator).total_blocks,
                     warm_world.total_blocks);
    assert_int_equal(num_started, num_frames);
    assert_in_range(most, 20, 400);
    ct_sound_stop_all(b.p.world, 0);
    sound_play_run(&b.p, 0.1);
    assert_int_equal(ct_sound_world_count(b.p.world), 0);
    assert_int_equal(b.p.system->instances.num_live, 0);
    assert_int_equal(b.p.system->layers_of_voices.count, 0);
    assert_int_equal(b.p.system->num_real, 0);
    assert_int_equal(ct_mixer_get_stats(b.p.system->mixer).num_voices, 0);
    sound_play_stop(&b.p);
}

static void ends_what_plays_with_its_world(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 1);
    sound_play_event(&p, event_fixture_end(sound_play_loop("hum", "steady")));
    ct_sound_world *const other =
        ct_sound_world_create(&(ct_sound_world_desc){.allocator = test_heap(), .system = p.system});
    const ct_sound_start start = {0};
    const ct_sound_instance i = ct_sound_play(other, ct_string_id64_of("hum"), &start, NULL, 0);
    sound_play_run(&p, 0.1);
    assert_true(sound_play_sample(&p, 0) > 0.1f);
    ct_sound_world_destroy(other);
    assert_false(ct_sound_is_playing(p.system, i));
    sound_play_run(&p, 0.1);
    assert_true(sound_play_sample(&p, 0) == 0);
    assert_int_equal(ct_mixer_get_stats(p.system->mixer).num_voices, 0);
    sound_play_stop(&p);
}

static void renders_whole_blocks(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    assert_string_equal(ct_sound_system_output(p.system), "none");
    uint64_t count;
    assert_non_null(ct_sound_system_render(p.system, 0.015, &count));
    assert_int_equal(count, 960);
    assert_non_null(ct_sound_system_render(p.system, -1, &count));
    assert_int_equal(count, 0);
    assert_non_null(ct_sound_system_render(p.system, NAN, &count));
    assert_int_equal(count, 0);
    assert_int_equal(ct_mixer_clock(ct_sound_system_mixer(p.system)), 960);
    sound_play_stop(&p);
}

// --- Streams and threads -------------------------------------------------------------------------

enum { LONG_FRAMES = 200000 };

// Plays a long sound with a pause, a seek and a loop.
static sound_play play_long(const int16_t *samples, bool is_streamed, ct_sound_resource **r) {
    *r = media_make(&(media_spec){.samples = samples,
                                  .num_frames = LONG_FRAMES,
                                  .num_channels = 2,
                                  .rate = 44100,
                                  .chunk_frames = 24000,
                                  .loop_begin = 50000,
                                  .loop_end = 150000,
                                  .is_streamed = is_streamed});
    sound_play p = sound_play_start(NULL);
    ct_sound_system_set_sound(p.system, ct_string_id64_of("long"), *r);
    sound_play_event(&p, event_fixture_end(sound_play_loop("hum", "long")));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 1);
    ct_sound_set_paused(p.system, i, true);
    sound_play_run(&p, 0.1);
    ct_sound_set_paused(p.system, i, false);
    sound_play_run(&p, 0.5);
    ct_sound_seek(p.system, i, 3.2);
    sound_play_run(&p, 1);
    return p;
}

// The stream of a voice that has ended is open until the system hears of it: nothing may read the sound,
// which is gone then.
static void reads_nothing_of_streams_that_are_gone(void **state) {
    (void)state;
    int16_t *const samples = media_make_samples(LONG_FRAMES, 2);
    ct_sound_resource *stream;
    sound_play p = play_long(samples, true, &stream);
    ct_sound_seek(p.system, ct_sound_instance_of(p.system, p.world->live.items[0]), 0.1);
    ct_sound_stop_all(p.world, 0);
    uint64_t num_frames;
    ct_sound_system_render(p.system, 0.01, &num_frames); // asks for frames, and ends
    ct_sound_system_set_sound(p.system, ct_string_id64_of("long"), NULL);
    ct_sound_chunk *const chunks =
        (ct_sound_chunk *)(uintptr_t)ct_blob_at(stream, stream->chunks.offset);
    for (uint32_t i = 0; i < stream->chunks.count; ++i)
        chunks[i].bytes = UINT32_MAX; // would be warned of
    const uint64_t before = ct_log_error_count_of("stream_unreadable");
    ct_sound_system_render(p.system, 0.05, &num_frames);
    assert_int_equal(ct_log_error_count_of("stream_unreadable"), before);
    sound_play_run(&p, 0.1);
    sound_play_stop(&p);
    ct_free(test_heap(), stream);
    ct_free(test_heap(), samples);
}

static void plays_streams_as_what_is_in_memory(void **state) {
    (void)state;
    int16_t *const samples = media_make_samples(LONG_FRAMES, 2);
    ct_sound_resource *memory, *stream;
    sound_play a = play_long(samples, false, &memory), b = play_long(samples, true, &stream);
    assert_int_equal(ct_mixer_get_stats(b.system->mixer).num_starved, 0);
    assert_int_equal(a.out.count, b.out.count);
    float loudest = 0;
    for (uint32_t i = 0; i < a.out.count; ++i) {
        loudest = fmaxf(loudest, fabsf(a.out.items[i]));
        if (a.out.items[i] != b.out.items[i])
            fail_msg("frame %u: %g and %g", i / 2, (double)a.out.items[i], (double)b.out.items[i]);
    }
    assert_true(loudest > 0.05f);
    sound_play_stop(&a);
    sound_play_stop(&b);
    ct_free(test_heap(), memory);
    ct_free(test_heap(), stream);
    ct_free(test_heap(), samples);
}

static void plays_by_a_clock_without_sound(void **state) {
    (void)state;
    sound_play p =
        sound_play_start(&(ct_sound_system_desc){.output = ct_sound_output_null(test_heap())});
    assert_string_equal(ct_sound_system_output(p.system), "null");
    sound_play_level(&p, "short", 0.25f, 0.1f, 1);
    sound_play_event(&p, event_fixture_single("hit", "short"));
    const ct_sound_instance i = sound_play_here(&p, "hit");
    for (uint32_t step = 0; step < 2000 && ct_sound_is_playing(p.system, i); ++step) {
        ct_sound_system_update(p.system, 0.005);
        ct_sound_world_update(p.world, 0.005);
        ct_os_sleep_ns(5000000);
    }
    assert_false(ct_sound_is_playing(p.system, i));
    // Between two blocks of the thread.
    uint64_t count;
    const uint64_t before = ct_mixer_clock(p.system->mixer);
    ct_sound_system_render(p.system, 1, &count);
    assert_int_equal(count, CT_MIXER_RATE);
    assert_true(ct_mixer_clock(p.system->mixer) >= before + count);
    sound_play_stop(&p);
}

// --- Resources -----------------------------------------------------------------------------------

// Writes an event of this name.
static void write_event(const char *folder, const char *name) {
    ct_sound_event_resource *const e = event_fixture_single(name, "steady");
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "sound_event",
                        CT_SOUND_EVENT_VERSION);
    ct_blob_write_bytes(&w, (const char *)e + sizeof(e->header),
                        (uint32_t)(e->header.size_bytes - sizeof(e->header)));
    ct_blob_writer_finish(&w);
    ct_resource_file_name(ct_resource_id_of("sound_event", name), file_name);
    ct_path_join(path, folder, file_name);
    assert_true(ct_file_write(path, w.bytes.items, w.bytes.count, false, NULL));
    ct_blob_writer_free(&w);
    free(e);
}

static void expect_loaded(ct_resource_manager *m, const char *name) {
    ct_error error = {0};
    if (!ct_resource_manager_load_now(m, "sound_event", name, &error))
        fail_msg("%s", error.message);
}

// A resource manager outlives systems: what it loads later comes to those that live then.
static void ends_its_registrations(void **state) {
    (void)state;
    static const catalog_item items[] = {{"sound_event", "a", NULL, 0},
                                         {"sound_event", "b", NULL, 0}};
    const char *const folder = test_scratch_folder();
    write_catalog(folder, items, CT_COUNT_OF(items));
    write_event(folder, "a");
    write_event(folder, "b");
    ct_resource_manager *const m =
        ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    sound_play first = sound_play_start(&(ct_sound_system_desc){.resources = m});
    sound_play second = sound_play_start(&(ct_sound_system_desc){.resources = m});
    sound_play_level(&first, "steady", 0.1f, 1, 1);
    sound_play_level(&second, "steady", 0.1f, 1, 1);
    expect_loaded(m, "a");
    assert_int_not_equal(sound_play_here(&first, "a").value, 0);
    sound_play_stop(&first);
    expect_loaded(m, "b");
    assert_int_not_equal(sound_play_here(&second, "b").value, 0);
    ct_resource_manager_end_all(m);
    sound_play_stop(&second);
    ct_resource_manager_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_the_same_bits_in_each_run),
        cmocka_unit_test(clicks_nowhere),
        cmocka_unit_test(keeps_its_memory_over_thousands_of_frames),
        cmocka_unit_test(ends_what_plays_with_its_world),
        cmocka_unit_test(renders_whole_blocks),
        cmocka_unit_test(plays_streams_as_what_is_in_memory),
        cmocka_unit_test(reads_nothing_of_streams_that_are_gone),
        cmocka_unit_test(plays_by_a_clock_without_sound),
        cmocka_unit_test(ends_its_registrations),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
