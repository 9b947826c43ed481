// The thread that mixes, with a mixer that only counts, and outputs that fail.
#include "sound/output/sound_thread.h"

#include <stdatomic.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "sound/output/block_source.h"

static _Atomic uint32_t num_mixed;

// Takes the place of the mixer's.
void ct_mixer_mix(ct_mixer *m, float *out) {
    (void)m;
    make_block(atomic_fetch_add(&num_mixed, 1), out);
}

// --- An output that fails ------------------------------------------------------------------------

typedef struct failing_output {
    ct_sound_output base;
    _Atomic bool can_open;
    _Atomic uint32_t blocks_left; // until it is gone
    _Atomic uint32_t num_opens, num_closes, num_written, num_wrong;
    _Atomic bool is_open, is_destroyed;
} failing_output;

static bool failing_open(ct_sound_output *base, ct_error *error) {
    failing_output *const o = (failing_output *)base;
    assert_false(o->is_open);
    ++o->num_opens;
    o->is_open = o->can_open;
    return o->is_open || ct_error_set(error, "the plug is out");
}

static void failing_close(ct_sound_output *base) {
    failing_output *const o = (failing_output *)base;
    assert_true(o->is_open);
    ++o->num_closes;
    o->is_open = false;
}

static bool failing_poll(ct_sound_output *base, uint32_t *num_blocks, ct_error *error) {
    failing_output *const o = (failing_output *)base;
    *num_blocks = o->blocks_left > 0;
    return o->blocks_left > 0 || ct_error_set(error, "the plug was pulled");
}

static void failing_write(ct_sound_output *base, const float *block) {
    failing_output *const o = (failing_output *)base;
    float expected[BLOCK_SAMPLES];
    make_block(atomic_load(&num_mixed) - 1, expected);
    o->num_wrong += memcmp(block, expected, sizeof(expected)) != 0;
    ++o->num_written;
    --o->blocks_left;
}

static void failing_destroy(ct_sound_output *base) {
    assert_false(((failing_output *)base)->is_open);
    ((failing_output *)base)->is_destroyed = true;
}

static failing_output make_output(void) {
    return (failing_output){.base = {"failing", failing_open, failing_close, failing_poll,
                                     failing_write, failing_destroy}};
}

// --- What is logged ------------------------------------------------------------------------------

static _Atomic uint32_t num_silent, num_again;
static char why[128];

static void hear(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level;
    if (strcmp(system, "sound") != 0)
        return;
    if (strstr(message, "without sound")) {
        strncpy(why, message, sizeof(why) - 1);
        ++num_silent;
    }
    num_again += strstr(message, "device again") != NULL;
}

static int start_log(void **state) {
    (void)state;
    num_silent = num_again = 0;
    ct_log_add_sink(&(ct_log_sink){.write = hear, .least = CT_LOG_LEVEL_DEBUG});
    return 0;
}

static int end_log(void **state) {
    (void)state;
    ct_log_remove_sink(hear, NULL);
    return 0;
}

static ct_sound_thread *start_thread(ct_sound_output *o) {
    num_mixed = 0;
    return ct_sound_thread_start(test_heap(), NULL, o);
}

// Waits until `*number` is at least `least`; fails after a minute.
static void wait_for(const _Atomic uint32_t *number, uint32_t least) {
    for (uint32_t i = 0; i < 60000; ++i) {
        if (atomic_load(number) >= least)
            return;
        ct_os_sleep_ns(1000000);
    }
    fail_msg("found %u, expected %u", atomic_load(number), least);
}

// --- Tests ---------------------------------------------------------------------------------------

static void mixes_what_the_output_takes(void **state) {
    (void)state;
    failing_output o = make_output();
    o.can_open = true;
    o.blocks_left = 1000000;
    ct_sound_thread *const t = start_thread(&o.base);
    wait_for(&o.num_written, 20);
    assert_string_equal(ct_sound_thread_output(t), "failing");
    ct_sound_thread_stop(t);
    assert_int_equal(o.num_wrong, 0);
    assert_int_equal(o.num_written, num_mixed);
    assert_int_equal(o.num_opens, 1);
    assert_int_equal(o.num_closes, 1);
    assert_true(o.is_destroyed);
    assert_int_equal(num_silent, 0);
}

static void holds_still_between_two_blocks(void **state) {
    (void)state;
    failing_output o = make_output();
    o.can_open = true;
    o.blocks_left = 1000000;
    ct_sound_thread *const t = start_thread(&o.base);
    wait_for(&o.num_written, 3);
    ct_sound_thread_hold(t);
    const uint32_t mixed = num_mixed;
    assert_int_equal(o.num_written, mixed);
    ct_os_sleep_ns(30000000);
    assert_int_equal(num_mixed, mixed);
    ct_sound_thread_release(t);
    wait_for(&o.num_written, mixed + 3);
    ct_sound_thread_stop(t);
}

static void goes_on_without_a_device(void **state) {
    (void)state;
    failing_output o = make_output();
    ct_sound_thread *const t = start_thread(&o.base);
    wait_for(&num_mixed, 20);
    assert_string_equal(ct_sound_thread_output(t), "null");
    assert_int_equal(o.num_written, 0);
    wait_for(&o.num_opens, 3); // it is tried again, which is not logged
    ct_sound_thread_stop(t);
    assert_int_equal(num_silent, 1);
    assert_string_equal(why, "playing without sound: the plug is out");
    assert_int_equal(o.num_closes, 0);
}

static void goes_on_when_the_device_is_gone_and_back(void **state) {
    (void)state;
    failing_output o = make_output();
    o.can_open = true;
    o.blocks_left = 10;
    ct_sound_thread *const t = start_thread(&o.base);
    wait_for(&num_mixed, 20);
    assert_string_equal(ct_sound_thread_output(t), "null");
    assert_string_equal(why, "playing without sound: the plug was pulled");
    assert_int_equal(o.num_written, 10);
    assert_int_equal(o.num_closes, 1);
    o.blocks_left = 1000000;
    wait_for(&o.num_written, 30);
    assert_string_equal(ct_sound_thread_output(t), "failing");
    wait_for(&num_again, 1);
    ct_sound_thread_stop(t);
    assert_int_equal(num_silent, 1);
    assert_int_equal(num_again, 1);
    assert_int_equal(o.num_wrong, 0);
    assert_int_equal(o.num_opens, 2);
    assert_int_equal(o.num_closes, 2);
}

static void mixing_allocates_nothing(void **state) {
    (void)state;
    failing_output o = make_output();
    ct_sound_thread *const t = start_thread(&o.base);
    wait_for(&num_mixed, 5);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    wait_for(&num_mixed, 40);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_sound_thread_stop(t);
}

#define LOG_TEST(f) cmocka_unit_test_setup_teardown(f, start_log, end_log)

int main(void) {
    const struct CMUnitTest tests[] = {
        LOG_TEST(mixes_what_the_output_takes), LOG_TEST(holds_still_between_two_blocks),
        LOG_TEST(goes_on_without_a_device),    LOG_TEST(goes_on_when_the_device_is_gone_and_back),
        LOG_TEST(mixing_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
