// Other sounds and other buses for what plays, between two blocks.
#include "sound/mixer/mixer_private.h"

// --- Sounds --------------------------------------------------------------------------------------

// Returns the position in another sound at the same time, in the same repetition.
static uint64_t same_time(uint64_t position, const ct_mixer_tone *t, const ct_sound_media *media,
                          const ct_mixer_region *region) {
    const uint64_t frame = position >> 32;
    const uint32_t folded = ct_mixer_fold(&t->region, frame);
    const uint64_t turns = t->region.length ? (frame - folded) / t->region.length : 0;
    const double in_sound = ((double)folded + (double)(uint32_t)position / (double)CT_MIXER_ONE) *
                            media->rate / t->media->rate;
    const uint64_t before = region->length ? turns * region->length << 32 : 0;
    return before + (uint64_t)(in_sound * (double)CT_MIXER_ONE);
}

// Closes the streams of a voice: the one that the mixer reads, and the one that is on its way.
static void close_streams(ct_mixer *m, uint32_t slot) {
    ct_mixer_control *const c = &m->controls[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    if (c->stream != CT_MIXER_NO_STREAM)
        ct_sound_stream_close(m->streams, c->stream);
    if (t->stream != c->stream && t->stream != CT_MIXER_NO_STREAM)
        ct_sound_stream_close(m->streams, t->stream);
    c->stream = t->stream = CT_MIXER_NO_STREAM;
}

static void replace(ct_mixer *m, uint32_t slot, const ct_sound_media *media) {
    ct_mixer_control *const c = &m->controls[slot];
    ct_mixer_life *const v = &m->lives[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    ct_mixer_voice_cut(m, slot);
    close_streams(m, slot);
    c->desc.media = media;
    if (!media) {
        ct_mixer_voice_end(m, slot, m->now, 0);
        return;
    }
    const ct_mixer_region region = ct_mixer_region_of(media, c->desc.loops, c->desc.repeats);
    v->motion.position = same_time(v->motion.position, t, media, &region);
    v->motion.step = v->motion.step_target = ct_mixer_step_of(t->params.pitch, media->rate);
    v->end = region.end;
    t->media = media;
    t->region = c->region = region;
    ct_mixer_publish(m, slot);
    ct_mixer_find_stream(m, slot);
    v->is_real = c->desc.is_real && !c->wants_stream;
    t->stream = c->stream;
    t->unwound = 0;
}

void ct_mixer_replace_media(ct_mixer *m, const ct_sound_media *old, const ct_sound_media *media) {
    ct_mixer_settle(m);
    for (uint32_t slot = 1; slot <= m->num_voices; ++slot) {
        if (m->lives[slot].state != CT_MIXER_STATE_FREE && m->tones[slot].media == old)
            replace(m, slot, media);
        else if (m->controls[slot].desc.media == old)
            m->controls[slot].desc.media = NULL; // a voice that has ended
    }
}

// --- Buses ---------------------------------------------------------------------------------------

// Gives a voice its bus in other buses. Where it would be heard through another one, it fades out as it
// was, and fades in again.
static void move_voice(ct_mixer *m, uint32_t slot, const uint32_t *moved, bool has_other_place) {
    ct_mixer_tone *const t = &m->tones[slot];
    const bool is_sent = t->sends[0] != 0 || t->sends[1] != 0;
    if (moved[t->bus] == CT_SOUND_NO_BUS || (is_sent && has_other_place))
        ct_mixer_voice_cut(m, slot);
    t->bus = moved[t->bus] == CT_SOUND_NO_BUS ? 0 : moved[t->bus];
}

// Whether what goes to the place now goes elsewhere than it will.
static bool is_other_place(uint32_t before, const uint32_t *moved, uint32_t after) {
    if (before == CT_SOUND_NO_BUS)
        return after != CT_SOUND_NO_BUS;
    return moved[before] == CT_SOUND_NO_BUS || moved[before] != after;
}

void ct_mixer_set_buses(ct_mixer *m, const ct_sound_bus_resource *buses) {
    ct_mixer_lock(m);
    ct_mixer_settle(m);
    uint32_t moved[CT_SOUND_MAX_BUSES];
    ct_mixer_buses_match(&m->buses, buses, moved);
    const bool has_other_place = is_other_place(m->buses.place, moved, ct_mixer_buses_place(buses));
    for (uint32_t slot = 1; slot <= m->num_voices; ++slot)
        if (m->lives[slot].state != CT_MIXER_STATE_FREE)
            move_voice(m, slot, moved, has_other_place);
    ct_mixer_buses_set(&m->buses, m->allocator, buses, moved);
    ct_mixer_unlock(m);
}
