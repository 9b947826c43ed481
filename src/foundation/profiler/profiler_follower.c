#include "foundation/profiler/profiler_follower.h"

enum { PERIOD_NS = 20000000 };

static void run(void *data) {
    ct_profiler_follower *const f = data;
    bool is_last = false;
    while (!is_last) {
        ct_mutex_lock(&f->mutex);
        if (!f->should_stop)
            ct_condition_wait_for(&f->wake, &f->mutex, PERIOD_NS);
        is_last = f->should_stop;
        ct_mutex_unlock(&f->mutex);
        const ct_profiler_frame *frame;
        while ((frame = ct_profiler_reader_next(&f->reader)))
            f->see(f->user, frame);
    }
}

void ct_profiler_follower_start(ct_profiler_follower *f, ct_allocator *a, const char *thread_name,
                                void (*see)(void *user, const ct_profiler_frame *frame),
                                void *user) {
    *f = (ct_profiler_follower){.see = see, .user = user};
    ct_mutex_init(&f->mutex);
    ct_condition_init(&f->wake);
    ct_profiler_start(&(ct_profiler_desc){.allocator = a});
    ct_profiler_reader_init_at_end(&f->reader, a);
    f->thread = ct_thread_start(thread_name, run, f);
}

uint64_t ct_profiler_follower_stop(ct_profiler_follower *f) {
    ct_profiler_stop();
    ct_mutex_lock(&f->mutex);
    f->should_stop = true;
    ct_condition_signal(&f->wake);
    ct_mutex_unlock(&f->mutex);
    ct_thread_join(f->thread);
    const uint64_t num_missed = f->reader.num_missed;
    ct_profiler_reader_free(&f->reader);
    ct_condition_shutdown(&f->wake);
    ct_mutex_shutdown(&f->mutex);
    return num_missed;
}
