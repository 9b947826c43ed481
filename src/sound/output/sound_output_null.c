#include "foundation/os/os.h"
#include "sound/output/sound_clock.h"
#include "sound/output/sound_output.h"

typedef struct null_output {
    ct_sound_output base;
    ct_allocator *allocator;
    ct_sound_clock clock;
} null_output;

static bool null_open(ct_sound_output *o, ct_error *error) {
    (void)error;
    ct_sound_clock_start(&((null_output *)o)->clock, ct_os_time_ns());
    return true;
}

static void null_close(ct_sound_output *o) {
    (void)o;
}

static bool null_poll(ct_sound_output *o, uint32_t *num_blocks, ct_error *error) {
    (void)error;
    *num_blocks = ct_sound_clock_due(&((null_output *)o)->clock, ct_os_time_ns());
    return true;
}

static void null_write(ct_sound_output *o, const float *block) {
    (void)block;
    ct_sound_clock_write(&((null_output *)o)->clock);
}

static void null_destroy(ct_sound_output *o) {
    ct_free(((null_output *)o)->allocator, o);
}

ct_sound_output *ct_sound_output_null(ct_allocator *a) {
    null_output *const o = CT_NEW(a, null_output);
    o->allocator = a;
    o->base = (ct_sound_output){.name = "null",
                                .open = null_open,
                                .close = null_close,
                                .poll = null_poll,
                                .write = null_write,
                                .destroy = null_destroy};
    return &o->base;
}
