// Positions of voices in fixed point, beside the same in steps; and the queue.
#include <string.h>

#include "sound/mixer/mixer_motion.h"
#include "sound/mixer/mixer_queue.h"
#include "support/test_support.h"

static uint64_t random_step(uint32_t *random) {
    const float pitch = (float)(test_random(random) % 10000) / 1000;
    return ct_mixer_step_of(pitch, 8000 + test_random(random) % 40001);
}

// The closed form must be what step after step gives, to the last bit.
static void moves_as_step_by_step(void **state) {
    (void)state;
    uint32_t random = 9;
    for (uint32_t round = 0; round < 2000; ++round) {
        const ct_mixer_motion v = {(uint64_t)test_random(&random) << 20, random_step(&random),
                                   random_step(&random)};
        const uint64_t slope = (uint64_t)ct_mixer_slope(&v);
        uint64_t position = v.position, step = v.step;
        for (uint32_t i = 0; i <= CT_MIXER_BLOCK; ++i) {
            assert_true(ct_mixer_position_after(&v, i) == position);
            step += slope;
            position += step;
        }
        const uint32_t frames = test_random(&random) % CT_MIXER_BLOCK;
        const uint64_t end = ct_mixer_position_after(&v, frames);
        assert_int_equal(ct_mixer_frames_until(&v, end, CT_MIXER_BLOCK), frames);
        assert_int_equal(ct_mixer_frames_until(&v, end + 1, CT_MIXER_BLOCK), frames + 1);
        assert_int_equal(ct_mixer_frames_until(&v, end + 1, frames), frames + 1);
        assert_int_equal(ct_mixer_frames_until(&v, v.position, frames), 0);
    }
}

static void limits_steps(void **state) {
    (void)state;
    assert_true(ct_mixer_step_of(1, CT_MIXER_RATE) == CT_MIXER_ONE);
    assert_true(ct_mixer_step_of(0.5f, CT_MIXER_RATE) == CT_MIXER_ONE / 2);
    assert_true(ct_mixer_step_of(1e30f, 8000) == 8 * CT_MIXER_ONE);
    assert_true(ct_mixer_step_of(0, 8000) == CT_MIXER_ONE / 64);
    assert_true(ct_mixer_step_of(-1, 8000) == CT_MIXER_ONE / 64);
}

// A loop that plays for days stays where it is in the sound.
static void takes_loops_off_high_positions(void **state) {
    (void)state;
    const ct_mixer_region loop = {1000, 777, CT_MIXER_NEVER};
    for (uint64_t frame = 0x3ffffff0; frame < 0x40000400; ++frame) {
        ct_mixer_motion v = {frame << 32 | 12345, CT_MIXER_ONE, CT_MIXER_ONE};
        const uint64_t taken = ct_mixer_unwind(&v, &loop);
        assert_true((uint32_t)v.position == 12345);
        assert_true(taken + (v.position >> 32) == frame);
        assert_int_equal(ct_mixer_fold(&loop, v.position >> 32), ct_mixer_fold(&loop, frame));
        assert_true(frame < 0x40000000 || v.position >> 32 < 1777 + 777);
        assert_true(v.position >> 32 >= 1777); // the frame before it is of the loop, too
    }
    ct_mixer_motion v = {(uint64_t)0x40000001 << 32, CT_MIXER_ONE, CT_MIXER_ONE};
    ct_mixer_unwind(&v, &(ct_mixer_region){.end = (uint64_t)0x50000000 << 32});
    assert_true(v.position == (uint64_t)0x40000001 << 32); // a long sound that ends
}

static void bounds_regions(void **state) {
    (void)state;
    const int16_t samples[1] = {0};
    ct_sound_media media = {
        .samples = samples, .num_frames = 100, .loop_begin = 50, .loop_end = 1000};
    assert_int_equal(ct_mixer_region_of(&media, true, 0).length, 50); // not beyond the sound
    assert_true(ct_mixer_region_of(&media, true, UINT32_MAX).end == CT_MIXER_NEVER);
    assert_true(ct_mixer_region_of(&media, false, 3).end == (uint64_t)300 << 32);
    media.loop_begin = 1000; // no loop
    media.loop_end = 0;
    assert_int_equal(ct_mixer_region_of(&media, true, 0).length, 100);
    media.num_frames = 0;
    assert_true(ct_mixer_region_of(&media, true, 0).end == 0);
}

// --- The queue -----------------------------------------------------------------------------------

static void queues_in_order(void **state) {
    (void)state;
    ct_mixer_queue *const q =
        ct_alloc_aligned(test_heap(), sizeof(ct_mixer_queue), CT_MIXER_CACHE_LINE);
    memset(q, 0, sizeof(*q));
    ct_mixer_queue_init(q, test_heap(), sizeof(uint32_t), 5);
    assert_int_equal(q->capacity, 8);
    atomic_store(&q->num_pushed, UINT32_MAX - 20); // numbers wrap around
    atomic_store(&q->num_popped, UINT32_MAX - 20);
    uint32_t random = 3, next_in = 0, next_out = 0, item;
    for (uint32_t i = 0; i < 1000; ++i) {
        if (test_random(&random) % 2) {
            const bool fits = ct_mixer_queue_push(q, &next_in);
            assert_int_equal(fits, next_in - next_out < 8);
            next_in += fits;
        } else {
            const bool is_there = ct_mixer_queue_pop(q, &item);
            assert_int_equal(is_there, next_in != next_out);
            assert_true(!is_there || item == next_out);
            next_out += is_there;
        }
    }
    assert_true(next_out > 100);
    ct_mixer_queue_free(q, test_heap());
    ct_free(test_heap(), q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_as_step_by_step),
        cmocka_unit_test(limits_steps),
        cmocka_unit_test(takes_loops_off_high_positions),
        cmocka_unit_test(bounds_regions),
        cmocka_unit_test(queues_in_order),
    };
    return cmocka_run_group_tests_name("mixer motion", tests, test_group_setup,
                                       test_group_teardown);
}
