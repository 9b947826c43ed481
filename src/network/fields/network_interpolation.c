#include "network/fields/network_interpolation.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/memory/allocator.h"

struct ct_network_buffer {
    ct_allocator *allocator;
    uint32_t num_words;
    uint32_t first, count; // in the ring
    double times[CT_NETWORK_BUFFER_RECORDS];
    uint32_t words[]; // CT_NETWORK_BUFFER_RECORDS times num_words
};

// --- Buffers -------------------------------------------------------------------------------------

ct_network_buffer *ct_network_buffer_create(ct_allocator *a, const ct_network_record_type *record) {
    ct_network_buffer *const b =
        ct_alloc(a, sizeof(*b) + 4 * (uint64_t)CT_NETWORK_BUFFER_RECORDS * record->num_words);
    b->allocator = a;
    b->num_words = record->num_words;
    b->first = b->count = 0;
    return b;
}

void ct_network_buffer_destroy(ct_network_buffer *buffer) {
    if (buffer)
        ct_free(buffer->allocator, buffer);
}

// The place in the ring of record `i`, 0 is the oldest.
static uint32_t place_of(const ct_network_buffer *b, uint32_t i) {
    return (b->first + i) % CT_NETWORK_BUFFER_RECORDS;
}

static const uint32_t *words_of(const ct_network_buffer *b, uint32_t i) {
    return b->words + (size_t)place_of(b, i) * b->num_words;
}

static double time_of(const ct_network_buffer *b, uint32_t i) {
    return b->times[place_of(b, i)];
}

void ct_network_buffer_add(ct_network_buffer *buffer, double time, const uint32_t *words) {
    if (!isfinite(time) || (buffer->count > 0 && time <= time_of(buffer, buffer->count - 1)))
        return;
    if (buffer->count == CT_NETWORK_BUFFER_RECORDS)
        buffer->first = place_of(buffer, 1);
    else
        ++buffer->count;
    const uint32_t place = place_of(buffer, buffer->count - 1);
    buffer->times[place] = time;
    if (buffer->num_words > 0)
        memcpy(buffer->words + (size_t)place * buffer->num_words, words,
               4 * (size_t)buffer->num_words);
}

void ct_network_buffer_hold(ct_network_buffer *buffer, double time) {
    if (buffer->count > 0)
        ct_network_buffer_add(buffer, time, words_of(buffer, buffer->count - 1));
}

double ct_network_buffer_newest(const ct_network_buffer *buffer) {
    return buffer->count > 0 ? time_of(buffer, buffer->count - 1) : -HUGE_VAL;
}

bool ct_network_buffer_find(const ct_network_buffer *buffer, double time, double most_beyond,
                            ct_network_moment *moment) {
    if (buffer->count == 0)
        return false;
    uint32_t after = buffer->count - 1; // the moment is near the newest
    while (after > 0 && time < time_of(buffer, after - 1))
        --after;
    if (after == 0 || time <= time_of(buffer, 0)) {
        const uint32_t *const words = words_of(buffer, 0);
        *moment = (ct_network_moment){words, words, 0};
        return true;
    }
    const double from = time_of(buffer, after - 1), to = time_of(buffer, after);
    const double beyond = fmin(fmax(0, most_beyond), to - from);
    const double share = (fmin(time, to + beyond) - from) / (to - from);
    *moment =
        (ct_network_moment){words_of(buffer, after - 1), words_of(buffer, after), (float)share};
    return true;
}

// --- Values --------------------------------------------------------------------------------------

static void mix_parts(const ct_network_type *type, const float *from, float share, float *to) {
    const uint32_t count = type->kind == CT_NETWORK_FLOAT     ? 1
                           : type->kind == CT_NETWORK_VECTOR2 ? 2
                                                              : 3;
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[i] * (1 - share) + to[i] * share;
        if (type->bits != CT_NETWORK_EXACT_BITS)
            to[i] = fminf(fmaxf(to[i], type->min[i]), type->max[i]);
    }
}

static void mix_rotations(const float *from, float share, float *to) {
    ct_quat a, b;
    memcpy(&a, from, sizeof(a));
    memcpy(&b, to, sizeof(b));
    const ct_quat mixed = ct_quat_normalize(ct_quat_slerp(a, b, share));
    memcpy(to, &mixed, sizeof(mixed));
}

ct_network_value ct_network_moment_value(const ct_network_config_resource *config,
                                         const ct_network_record_type *record,
                                         const ct_network_moment *moment, uint32_t field,
                                         uint32_t element) {
    const float share = moment->share;
    const uint32_t *const stepped = share >= 1 ? moment->after : moment->before;
    const ct_network_field *const f = &ct_network_record_fields(config, record)[field];
    const ct_network_type *const type = &ct_network_config_types(config)[f->type];
    const bool is_mixed = type->kind >= CT_NETWORK_FLOAT && type->kind <= CT_NETWORK_ROTATION;
    // At the newest one exactly what was sent: a slerp that is normalized may be off by a bit.
    if (!is_mixed || moment->before == moment->after || share == 1)
        return ct_network_record_get(config, record, field, element, stepped);
    const ct_network_value a =
        ct_network_record_get(config, record, field, element, moment->before);
    ct_network_value b = ct_network_record_get(config, record, field, element, moment->after);
    if (type->kind == CT_NETWORK_ROTATION)
        mix_rotations(a.parts, share, b.parts);
    else if (type->kind == CT_NETWORK_FLOAT)
        mix_parts(type, &a.number, share, &b.number);
    else
        mix_parts(type, a.parts, share, b.parts);
    return b;
}

// --- The delay -----------------------------------------------------------------------------------

void ct_network_delay_add(ct_network_delay *delay, double sent, double arrived) {
    const double late = arrived - sent, interval = sent - delay->last_sent;
    if (!isfinite(sent) || !isfinite(late))
        return;
    if (delay->num_updates == 0) {
        delay->late = late;
    } else {
        delay->deviation += (fabs(late - delay->late) - delay->deviation) / 8;
        delay->late += (late - delay->late) / 16;
        // Longer pauses are an object that rests.
        if (interval > 0 && interval < CT_NETWORK_MAX_DELAY)
            delay->interval += (interval - delay->interval) / (delay->num_updates == 1 ? 1 : 16);
    }
    delay->last_sent = sent;
    delay->num_updates += delay->num_updates < UINT32_MAX;
}

void ct_network_delay_set(ct_network_delay *delay, double seconds) {
    delay->is_fixed = seconds >= 0;
    delay->fixed = fmin(fmax(0, seconds), CT_NETWORK_MAX_DELAY);
}

// Half an interval more than needed: an update may be a frame late, or be lost.
static double wanted_delay(const ct_network_delay *d) {
    if (d->is_fixed)
        return d->fixed;
    return fmin(fmax(0, d->late + 4 * d->deviation + 1.5 * d->interval), CT_NETWORK_MAX_DELAY);
}

double ct_network_delay_time(ct_network_delay *delay, double now) {
    const double wanted = wanted_delay(delay), elapsed = fmax(0, now - delay->last);
    const double most = elapsed / 20;
    if (!delay->has_shown || elapsed >= 1)
        delay->delay = wanted;
    else
        delay->delay += fmin(fmax(wanted - delay->delay, -most), most);
    const double time = now - delay->delay;
    delay->shown = delay->has_shown ? fmax(delay->shown, time) : time;
    delay->last = now;
    delay->has_shown = true;
    return delay->shown;
}
