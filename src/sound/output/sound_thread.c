#include "sound/output/sound_thread.h"

#include <stdatomic.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

static const uint64_t pause_ns = 3000000, retry_ns = UINT64_C(2000000000);

struct ct_sound_thread {
    ct_allocator *allocator;
    ct_mixer *mixer;
    ct_sound_output *device, *silence;
    ct_sound_output *current; // one of them; of the thread
    uint64_t next_try_ns;     // to open the device
    _Atomic(const char *) name;
    ct_mutex mixing; // held for a block
    ct_mutex mutex;
    ct_condition wake;
    bool should_stop; // guarded by the mutex
    ct_thread thread;
};

static void use(ct_sound_thread *t, ct_sound_output *o) {
    t->current = o;
    atomic_store_explicit(&t->name, o->name, memory_order_relaxed);
}

// Goes on without the device, which is closed, and says why.
static void play_silently(ct_sound_thread *t, const ct_error *why) {
    ct_error error = {0};
    ct_log_info("sound", "playing without sound: %s", why->message);
    t->next_try_ns = ct_os_time_ns() + retry_ns;
    const bool is_open = t->silence->open(t->silence, &error);
    CT_ASSERT(is_open, "the clock without sound fails: %s", error.message);
    use(t, t->silence);
}

static void try_device(ct_sound_thread *t) {
    if (t->current != t->silence || ct_os_time_ns() < t->next_try_ns)
        return;
    ct_error error = {0};
    if (t->device->open(t->device, &error)) {
        t->silence->close(t->silence);
        use(t, t->device);
        ct_log_info("sound", "playing to the sound device again");
    }
    t->next_try_ns = ct_os_time_ns() + retry_ns;
}

// Mixes what the output can take now.
static void play(ct_sound_thread *t) {
    uint32_t num_blocks = 0;
    ct_error error = {0};
    float block[CT_MIXER_BLOCK * CT_MIXER_CHANNELS];
    if (!t->current->poll(t->current, &num_blocks, &error)) {
        t->current->close(t->current);
        play_silently(t, &error);
        return;
    }
    for (uint32_t i = 0; i < num_blocks; ++i) {
        ct_mutex_lock(&t->mixing);
        ct_mixer_mix(t->mixer, block);
        t->current->write(t->current, block);
        ct_mutex_unlock(&t->mixing);
    }
}

static bool rest(ct_sound_thread *t) {
    ct_mutex_lock(&t->mutex);
    if (!t->should_stop)
        ct_condition_wait_for(&t->wake, &t->mutex, pause_ns);
    const bool goes_on = !t->should_stop;
    ct_mutex_unlock(&t->mutex);
    return goes_on;
}

static void run(void *data) {
    ct_sound_thread *const t = data;
    ct_error error = {0};
    if (t->device->open(t->device, &error))
        use(t, t->device);
    else
        play_silently(t, &error);
    do {
        try_device(t);
        play(t);
    } while (rest(t));
    t->current->close(t->current);
}

ct_sound_thread *ct_sound_thread_start(ct_allocator *a, ct_mixer *mixer, ct_sound_output *output) {
    ct_sound_thread *const t = CT_NEW(a, ct_sound_thread);
    t->allocator = a;
    t->mixer = mixer;
    t->device = output;
    t->silence = ct_sound_output_null(a);
    atomic_init(&t->name, output->name);
    ct_mutex_init(&t->mixing);
    ct_mutex_init(&t->mutex);
    ct_condition_init(&t->wake);
    t->thread = ct_thread_start("sound mixer", run, t);
    return t;
}

void ct_sound_thread_stop(ct_sound_thread *t) {
    if (!t)
        return;
    ct_mutex_lock(&t->mutex);
    t->should_stop = true;
    ct_condition_signal(&t->wake);
    ct_mutex_unlock(&t->mutex);
    ct_thread_join(t->thread);
    t->device->destroy(t->device);
    t->silence->destroy(t->silence);
    ct_condition_shutdown(&t->wake);
    ct_mutex_shutdown(&t->mutex);
    ct_mutex_shutdown(&t->mixing);
    ct_free(t->allocator, t);
}

void ct_sound_thread_hold(ct_sound_thread *t) {
    ct_mutex_lock(&t->mixing);
}

void ct_sound_thread_release(ct_sound_thread *t) {
    ct_mutex_unlock(&t->mixing);
}

const char *ct_sound_thread_output(const ct_sound_thread *t) {
    return atomic_load_explicit(&t->name, memory_order_relaxed);
}
