// Loops, and the crossfade that hides their seam.
//
// The frames before loop_end fade into those before loop_begin, so that the sound goes on at
// loop_begin as if it came from there. Straight weights keep the level of frames that are alike (a
// tone) and lose up to 3 dB of those that are not (wind); weights of equal power do the reverse. So
// straight weights are divided by the level that they would give, from how alike both are: with the
// correlation r, sqrt(a^2 + b^2 + 2abr) for the weights a and b.
#include <math.h>
#include <string.h>

#include "compiler/types/sound/worker_sound.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// Seconds that may be beyond the end: people copy a length that was rounded.
static const double margin_seconds = 0.001;

// The frame at `seconds`, at most the end. Returns false after reporting.
static bool frame_at(ct_worker_sound *s, ct_sjson_value at, const char *name, double seconds,
                     uint32_t *frame) {
    const double length = (double)s->out.num_frames / s->out.rate;
    if (seconds > length + margin_seconds)
        return ct_compile_error(s->c, s->c->doc, at, "%s: found %g s; the sound is %.3f s long",
                                name, seconds, length);
    const double frames = floor(seconds * s->out.rate + 0.5);
    *frame = frames < s->out.num_frames ? (uint32_t)frames : s->out.num_frames;
    return true;
}

static uint32_t scaled(const ct_worker_sound *s, uint64_t frame) {
    return (uint32_t)((frame * s->out.rate + s->media.rate / 2) / s->media.rate);
}

// The loop of the file, when the source gives none.
static void read_media_loop(ct_worker_sound *s) {
    const ct_worker_sound_media *const m = &s->media;
    if (m->has_other_loop) {
        ct_compile_warning(s->c, s->c->doc, s->source.loop_value,
                           "%s has a loop that runs backward, which is not supported; the whole "
                           "sound loops",
                           m->path);
        return;
    }
    if (m->loop_end == 0)
        return;
    if (m->loop_begin >= m->loop_end || m->loop_end > m->num_frames) {
        ct_compile_warning(s->c, s->c->doc, s->source.loop_value,
                           "%s has a loop from frame %llu to %llu, which is not inside its %llu "
                           "frames; the whole sound loops",
                           m->path, (unsigned long long)m->loop_begin,
                           (unsigned long long)m->loop_end, (unsigned long long)m->num_frames);
        return;
    }
    const uint32_t begin = scaled(s, m->loop_begin), end = scaled(s, m->loop_end);
    if (begin >= end)
        return;
    s->out.loop_begin = begin;
    s->out.loop_end = end;
}

static bool read_own_loop(ct_worker_sound *s) {
    const ct_sound_source *const from = &s->source;
    ct_sound_resource *const out = &s->out;
    if (!frame_at(s, from->loop_begin_value, "sound.loop_begin", (double)from->loop_begin,
                  &out->loop_begin) ||
        (from->loop_end > 0 && !frame_at(s, from->loop_end_value, "sound.loop_end",
                                         (double)from->loop_end, &out->loop_end)))
        return false;
    return out->loop_begin < out->loop_end ||
           ct_compile_error(s->c, s->c->doc,
                            from->loop_end_value.entry ? from->loop_end_value
                                                       : from->loop_begin_value,
                            "found a loop from %g s to %g s; expected it to end after it begins",
                            (double)from->loop_begin, (double)out->loop_end / out->rate);
}

static bool read_fade(ct_worker_sound *s) {
    const ct_sjson_value at = ct_sjson_find(s->c->doc, ct_sjson_root(s->c->doc), "loop_crossfade");
    const double seconds = (double)s->source.loop_crossfade;
    const uint32_t begin = s->out.loop_begin, length = s->out.loop_end - begin;
    if (!frame_at(s, at, "sound.loop_crossfade", seconds, &s->fade.num_frames))
        return false;
    if (s->fade.num_frames > begin)
        return ct_compile_error(s->c, s->c->doc, at,
                                "sound.loop_crossfade: found %g s, but the loop begins at %.3f s; "
                                "expected as much sound before loop_begin",
                                seconds, (double)begin / s->out.rate);
    if (s->fade.num_frames > length)
        return ct_compile_error(s->c, s->c->doc, at,
                                "sound.loop_crossfade: found %g s; the loop is %.3f s long",
                                seconds, (double)length / s->out.rate);
    const uint64_t bytes = sizeof(float) * s->fade.num_frames * s->out.num_channels;
    s->fade.before = ct_alloc(s->c->allocator, bytes + 1);
    s->fade.ending = ct_alloc(s->c->allocator, bytes + 1);
    return true;
}

// Members that have no effect without `loop = true`.
static void warn_of_idle_members(ct_worker_sound *s) {
    static const char *const names[] = {"loop_begin", "loop_end", "loop_crossfade"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        const ct_sjson_value v = ct_sjson_find(s->c->doc, ct_sjson_root(s->c->doc), names[i]);
        if (v.entry)
            ct_compile_warning(s->c, s->c->doc, v, "%s has no effect without loop = true",
                               names[i]);
    }
}

bool ct_worker_sound_loop_read(ct_worker_sound *s) {
    if (!s->source.loop) {
        warn_of_idle_members(s);
        return true;
    }
    s->out.flags |= CT_SOUND_LOOPS;
    s->out.loop_end = s->out.num_frames;
    const bool is_own = s->source.loop_begin_value.entry || s->source.loop_end_value.entry;
    if (is_own && !read_own_loop(s))
        return false;
    if (!is_own)
        read_media_loop(s);
    return read_fade(s);
}

// --- Frames --------------------------------------------------------------------------------------

static void pass_on(ct_worker_sound *s, const float *frames, uint32_t count) {
    ct_worker_sound_measure_push(s, frames, count);
    ct_worker_sound_store_push(s, frames, count);
    s->num_stored += count;
}

// How alike both are, 0 to 1.
static double correlation(const float *a, const float *b, uint64_t count) {
    double aa = 0, bb = 0, ab = 0;
    for (uint64_t i = 0; i < count; ++i) {
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
        ab += (double)a[i] * (double)b[i];
    }
    const double r = aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 1;
    return r < 0 ? 0 : r > 1 ? 1 : r;
}

static void crossfade(ct_worker_sound *s) {
    const uint32_t num_channels = s->out.num_channels, num_frames = s->fade.num_frames;
    float *const to = s->fade.ending;
    const double r = correlation(to, s->fade.before, (uint64_t)num_frames * num_channels);
    for (uint32_t i = 0; i < num_frames; ++i) {
        const double in = (i + 1.0) / (num_frames + 1.0), out = 1 - in;
        const double level = sqrt(in * in + out * out + 2 * in * out * r);
        for (uint32_t k = 0; k < num_channels; ++k) {
            const uint64_t at = (uint64_t)i * num_channels + k;
            to[at] = (float)((out * (double)to[at] + in * (double)s->fade.before[at]) / level);
        }
    }
}

// Takes frames of one piece: `frame` and those behind it are all inside or all outside of the
// crossfade's two pieces.
static void push_piece(ct_worker_sound *s, const float *frames, uint32_t count, uint32_t frame) {
    const uint32_t fade = s->fade.num_frames, num_channels = s->out.num_channels;
    const uint32_t before = s->out.loop_begin - fade, ending = s->out.loop_end - fade;
    const uint64_t bytes = sizeof(float) * count * num_channels;
    if (fade > 0 && frame >= before && frame < s->out.loop_begin)
        memcpy(s->fade.before + (uint64_t)(frame - before) * num_channels, frames, bytes);
    if (fade == 0 || frame < ending || frame >= s->out.loop_end) {
        pass_on(s, frames, count);
        return;
    }
    memcpy(s->fade.ending + (uint64_t)(frame - ending) * num_channels, frames, bytes);
    if (frame + count == s->out.loop_end) {
        crossfade(s);
        for (uint32_t i = 0; i < fade; i += CT_WORKER_SOUND_BLOCK_FRAMES) {
            const uint32_t left = fade - i;
            pass_on(s, s->fade.ending + (uint64_t)i * num_channels,
                    left < CT_WORKER_SOUND_BLOCK_FRAMES ? left : CT_WORKER_SOUND_BLOCK_FRAMES);
        }
    }
}

void ct_worker_sound_loop_push(ct_worker_sound *s, const float *frames, uint32_t count) {
    const uint32_t fade = s->fade.num_frames;
    const uint32_t edges[] = {s->out.loop_begin - fade, s->out.loop_begin, s->out.loop_end - fade,
                              s->out.loop_end};
    uint32_t frame = s->num_resampled - count;
    while (count > 0) {
        uint32_t part = count;
        for (uint32_t i = 0; i < CT_COUNT_OF(edges); ++i) {
            if (edges[i] > frame && edges[i] - frame < part)
                part = edges[i] - frame;
        }
        push_piece(s, frames, part, frame);
        frames += (uint64_t)part * s->out.num_channels;
        frame += part;
        count -= part;
    }
}
