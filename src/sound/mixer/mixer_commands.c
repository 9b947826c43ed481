// What commands do to voices and buses, at the start of a block.
#include "sound/mixer/mixer_private.h"

// Lets a voice wait for another one. Returns false when that has ended.
static bool wait_for(ct_mixer *m, uint32_t slot, ct_voice_id after) {
    const uint32_t before = ct_mixer_slot(after.value);
    if (before == 0 || before > m->num_voices || before == slot)
        return false;
    if (m->lives[before].state == CT_MIXER_STATE_FREE || m->tones[before].id != after.value)
        return false;
    m->tones[slot].follows = before;
    uint32_t *place = &m->tones[before].follower;
    while (*place)
        place = &m->tones[*place].next_waiter;
    *place = slot;
    return true;
}

static uint32_t existing_bus(const ct_mixer *m, uint32_t bus) {
    return bus < m->buses.num_buses ? bus : 0;
}

static void start(ct_mixer *m, const ct_mixer_command *c) {
    const uint32_t slot = ct_mixer_slot(c->target);
    const ct_voice_desc *const d = &c->start;
    const ct_mixer_region region = ct_mixer_region_of(d->media, d->loops, d->repeats);
    const uint64_t step = ct_mixer_step_of(d->params.pitch, d->media->rate);
    ct_mixer_life *const v = &m->lives[slot];
    *v = (ct_mixer_life){.motion = {(uint64_t)d->position << 32, step, step},
                         .end = region.end,
                         .start = d->start,
                         .delay = d->delay,
                         .stop = CT_MIXER_NEVER,
                         .fade = {1, 1, 0, 0},
                         .state = CT_MIXER_STATE_WAITING,
                         .is_real = d->is_real,
                         .is_paused = d->is_paused,
                         .was_paused = d->is_paused};
    m->tones[slot] = (ct_mixer_tone){.media = d->media,
                                     .region = region,
                                     .id = c->target,
                                     .stream = c->stream,
                                     .bus = existing_bus(m, d->bus),
                                     .params = d->params};
    const bool waits = wait_for(m, slot, d->after);
    if (waits)
        v->state = CT_MIXER_STATE_AFTER;
    else if (d->delay)
        v->start = (d->start > m->now ? d->start : m->now) + d->delay;
    if (!waits || d->fade_frames) // without a fade it may join the one before
        ct_mixer_fade_in(v, d->fade_frames);
    m->live_bits[slot / 64] |= (uint64_t)1 << slot % 64;
    ct_mixer_publish(m, slot);
}

static void set_params(ct_mixer_life *v, ct_mixer_tone *t, const ct_voice_params *params) {
    t->params = *params;
    v->motion.step_target = ct_mixer_step_of(params->pitch, t->media->rate);
    if (v->state != CT_MIXER_STATE_PLAYING)
        v->motion.step = v->motion.step_target;
}

static void set_real(ct_mixer *m, uint32_t slot, bool is_real, uint32_t stream) {
    ct_mixer_tone *const t = &m->tones[slot];
    m->lives[slot].is_real = is_real;
    const bool is_other = is_real && stream != t->stream;
    if (is_other)
        ct_mixer_voice_cut(m, slot);
    if ((is_other || (!is_real && t->gate == 0)) && t->stream != CT_MIXER_NO_STREAM)
        ct_mixer_release_stream(m, slot);
    if (is_other) {
        t->stream = stream;
        t->unwound = 0;
        t->was_heard = false;
    }
}

static void set_bus(ct_mixer *m, uint32_t slot, uint32_t bus) {
    if (m->tones[slot].bus == bus)
        return;
    ct_mixer_voice_cut(m, slot);
    m->tones[slot].bus = bus;
}

static void stop(const ct_mixer *m, ct_mixer_life *v, const ct_mixer_stop_command *c) {
    const uint32_t frames = c->fade_frames > CT_MIXER_BLOCK ? c->fade_frames : CT_MIXER_BLOCK;
    const uint64_t when = c->when > m->now ? c->when : m->now;
    uint64_t silent = v->stop == CT_MIXER_NEVER ? CT_MIXER_NEVER : v->stop + v->stop_frames;
    if (v->is_stopping)
        silent = m->now + (v->fade.frames - v->fade.done);
    if (when + frames >= silent)
        return; // it is sooner as it is
    v->is_stopping = false;
    v->stop = when;
    v->stop_frames = frames;
}

static void apply_to_voice(ct_mixer *m, const ct_mixer_command *c) {
    const uint32_t slot = ct_mixer_slot(c->target);
    ct_mixer_life *const v = &m->lives[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    if (v->state == CT_MIXER_STATE_FREE || t->id != c->target)
        return; // it has ended, and the update thread does not know yet
    switch (c->kind) {
    case CT_MIXER_COMMAND_PARAMS:
        set_params(v, t, &c->params);
        break;
    case CT_MIXER_COMMAND_REAL:
        set_real(m, slot, c->flag, c->stream);
        break;
    case CT_MIXER_COMMAND_PAUSED:
        v->is_paused = c->flag;
        break;
    case CT_MIXER_COMMAND_VOICE_BUS:
        set_bus(m, slot, existing_bus(m, c->position));
        break;
    default:
        stop(m, v, &c->stop);
        break;
    }
}

static void apply(ct_mixer *m, const ct_mixer_command *c) {
    switch (c->kind) {
    case CT_MIXER_COMMAND_START:
        start(m, c);
        break;
    case CT_MIXER_COMMAND_BUS:
        ct_mixer_bus_set_params(&m->buses, c->target, &c->bus);
        break;
    case CT_MIXER_COMMAND_BUS_SEND:
        m->buses.sends[c->target].gain_target = c->gain;
        break;
    default:
        apply_to_voice(m, c);
        break;
    }
}

void ct_mixer_apply(ct_mixer *m) {
    ct_mixer_command command;
    // No more than there can be now: the other thread may go on writing.
    for (uint32_t i = 0; i < m->commands.capacity; ++i) {
        if (!ct_mixer_queue_pop(&m->commands, &command))
            return;
        apply(m, &command);
    }
}
