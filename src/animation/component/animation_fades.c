// Single clips of characters, saved and resumed.
#include "animation/component/animation_private.h"

static ct_animator *animator_of(const ct_animation_manager *m, ct_animation_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return &m->animator[i.index];
}

uint32_t ct_animation_fades(const ct_animation_manager *m, ct_animation_instance i,
                            ct_animation_fade *fades) {
    const ct_animator *const a = animator_of(m, i);
    ct_crossfade_clip clips[CT_CROSSFADE_MAX_CLIPS];
    const uint32_t count = a->crossfade ? ct_crossfade_clips(a->crossfade, clips) : 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t clip = clips[k].clip;
        clips[k].clip = 0; // a number of this run; the name says it
        fades[k] =
            (ct_animation_fade){ct_animation_clip_name(m->system, a->clips.items[clip]), clips[k]};
    }
    return count;
}

uint32_t ct_animation_resume_fades(ct_animation_manager *m, ct_animation_instance i,
                                   const ct_animation_fade *fades, uint32_t count) {
    ct_animator *const a = animator_of(m, i);
    uint32_t num_left_out = 0;
    if (a->crossfade)
        ct_crossfade_clear(a->crossfade);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_crossfade_clip *const s = &fades[k].state;
        uint32_t id;
        if (s->layer < CT_STATE_MACHINE_MAX_LAYERS && s->fade_time >= 0 &&
            ct_animation_crossfade(m, i, fades[k].clip, s->layer, s->fade_time, s->loops, false,
                                   &id, NULL))
            ct_crossfade_resume(a->crossfade, id, s);
        else
            ++num_left_out;
    }
    return num_left_out;
}
