// OpenAL plays blocks as they are: by its loopback device, and by its device that writes nothing.
#include "sound/output/sound_output.h"

#include <stdlib.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "sound/output/block_source.h"

static ct_sound_output *open_loopback(void) {
    ct_sound_output *const o = ct_sound_output_loopback(test_heap());
    ct_error error = {0};
    if (!o->open(o, &error))
        fail_msg("%s", error.message);
    return o;
}

static void end(ct_sound_output *o) {
    o->close(o);
    o->destroy(o);
}

// Plays blocks `first` to `first + count` and compares what comes out.
static void assert_exact(ct_sound_output *o, uint32_t first, uint32_t count) {
    float block[BLOCK_SAMPLES];
    uint64_t before, after;
    ct_sound_loopback_frames(o, &before);
    for (uint32_t i = 0; i < count; ++i) {
        make_block(first + i, block);
        o->write(o, block);
    }
    const float *const frames = ct_sound_loopback_frames(o, &after);
    assert_int_equal(after - before, count * CT_MIXER_BLOCK);
    for (uint32_t i = 0; i < count; ++i) {
        make_block(first + i, block);
        const float *const found = frames + before * CT_MIXER_CHANNELS + i * BLOCK_SAMPLES;
        for (uint32_t k = 0; k < BLOCK_SAMPLES; ++k) {
            if (found[k] != block[k])
                fail_msg("block %u, sample %u: found %.9g, expected %.9g", first + i, k,
                         (double)found[k], (double)block[k]);
        }
    }
}

static void loopback_gives_samples_as_they_are(void **state) {
    (void)state;
    ct_sound_output *const o = open_loopback();
    assert_string_equal(o->name, "loopback");
    assert_exact(o, 0, 300);
    end(o);
}

static void loopback_starts_anew_when_it_is_opened_again(void **state) {
    (void)state;
    ct_sound_output *const o = open_loopback();
    assert_exact(o, 0, 10);
    o->close(o);
    uint64_t num_frames = 7;
    assert_true(o->open(o, NULL));
    ct_sound_loopback_frames(o, &num_frames);
    assert_int_equal(num_frames, 0);
    assert_exact(o, 10, 10);
    end(o);
}

static void two_loopbacks_do_not_disturb_each_other(void **state) {
    (void)state;
    ct_sound_output *const a = open_loopback(), *const b = open_loopback();
    for (uint32_t i = 0; i < 20; ++i) {
        assert_exact(a, i, 1);
        assert_exact(b, 100 + i, 2);
    }
    end(a);
    assert_exact(b, 7, 3);
    end(b);
}

static void loopback_keeps_the_pace_of_a_device(void **state) {
    (void)state;
    ct_sound_output *const o = open_loopback();
    uint32_t num_blocks = 0;
    assert_true(o->poll(o, &num_blocks, NULL));
    assert_true(num_blocks > 0);
    assert_exact(o, 0, 3000);
    assert_true(o->poll(o, &num_blocks, NULL));
    assert_int_equal(num_blocks, 0);
    end(o);
}

// OpenAL's device "null" takes what is due by its clock, and forgets it.
static void a_device_takes_blocks_at_its_pace(void **state) {
    (void)state;
    float block[BLOCK_SAMPLES];
    ct_sound_output *const o = ct_sound_output_openal(test_heap());
    ct_error error = {0};
    if (!o->open(o, &error))
        fail_msg("%s", error.message);
    uint32_t num_written = 0;
    for (uint32_t i = 0; i < 20000 && num_written < 100; ++i) {
        uint32_t num_blocks = 0;
        assert_true(o->poll(o, &num_blocks, &error));
        assert_true(num_blocks <= 8);
        for (uint32_t k = 0; k < num_blocks; ++k, ++num_written) {
            make_block(num_written, block);
            o->write(o, block);
        }
        if (num_written == 50)
            ct_os_sleep_ns(200000000); // it runs dry, and goes on
        ct_os_sleep_ns(1000000);
    }
    assert_true(num_written >= 100);
    end(o);
}

int main(void) {
    setenv("ALSOFT_DRIVERS", "null", 1); // read once; tests must not make a noise
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loopback_gives_samples_as_they_are),
        cmocka_unit_test(loopback_starts_anew_when_it_is_opened_again),
        cmocka_unit_test(two_loopbacks_do_not_disturb_each_other),
        cmocka_unit_test(loopback_keeps_the_pace_of_a_device),
        cmocka_unit_test(a_device_takes_blocks_at_its_pace),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
