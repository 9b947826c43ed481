#include "sound/mixer/sound_mixer.h"

#include <math.h>
#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "resource/types/sound_event_resource.h"
#include "sound/mixer/mixer_private.h"

enum {
    DEFAULT_VOICES = 4096,
    LEAST_COMMANDS = 64,
    // Frames before the position of a voice that its stream begins with: neighbours.
    STREAM_LEAD = CT_MIXER_MARGIN,
};

static const float MAX_GAIN = 1000;

// --- Life ----------------------------------------------------------------------------------------

static void create_tables(ct_mixer *m) {
    ct_allocator *const a = m->allocator;
    const uint32_t count = m->num_voices + 1;
    m->controls = CT_NEW_ARRAY(a, ct_mixer_control, count);
    m->free_slots = CT_NEW_ARRAY(a, uint32_t, count);
    m->ended = CT_NEW_ARRAY(a, ct_voice_id, count);
    m->positions = (_Atomic uint64_t *)CT_NEW_ARRAY(a, uint64_t, count);
    m->lives = CT_NEW_ARRAY(a, ct_mixer_life, count);
    m->tones = CT_NEW_ARRAY(a, ct_mixer_tone, count);
    m->live_bits = CT_NEW_ARRAY(a, uint64_t, count / 64 + 1);
    m->work = CT_NEW_ARRAY(a, uint32_t, 2 * (size_t)count); // a voice may have two turns
    for (uint32_t slot = m->num_voices; slot > 0; --slot)
        m->free_slots[m->num_free++] = slot;
    const uint32_t num_commands = count < LEAST_COMMANDS ? LEAST_COMMANDS : count;
    ct_mixer_queue_init(&m->commands, a, sizeof(ct_mixer_command), num_commands);
    // A voice reports its end once, and a stream is open only once.
    ct_mixer_queue_init(&m->reports, a, sizeof(ct_mixer_report), count + CT_SOUND_MAX_STREAMS);
}

ct_mixer *ct_mixer_create(const ct_mixer_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "mixer");
    ct_mixer *const m = ct_alloc_aligned(a, sizeof(ct_mixer), CT_MIXER_CACHE_LINE);
    memset(m, 0, sizeof(*m));
    m->allocator = a;
    m->streams = desc->streams;
    m->num_voices = desc->num_voices ? desc->num_voices : DEFAULT_VOICES;
    CT_ASSERT(m->num_voices <= CT_MIXER_MAX_VOICES, "%u voices", m->num_voices);
    ct_mutex_init(&m->mutex);
    create_tables(m);
    ct_mixer_buses_init(&m->buses, a);
    return m;
}

static void close_stream(ct_mixer *m, uint32_t stream) {
    if (stream != CT_MIXER_NO_STREAM)
        ct_sound_stream_close(m->streams, stream);
}

// Closes all streams: those that the mixer reads, and those that are on their way to it.
static void close_streams(ct_mixer *m) {
    ct_mixer_settle(m);
    const ct_voice_id *ended;
    uint32_t num_ended;
    ct_mixer_update(m, &ended, &num_ended);
    for (uint32_t slot = 1; slot <= m->num_voices; ++slot) {
        if (!m->controls[slot].is_live)
            continue;
        close_stream(m, m->controls[slot].stream);
        if (m->tones[slot].stream != m->controls[slot].stream)
            close_stream(m, m->tones[slot].stream);
    }
}

void ct_mixer_destroy(ct_mixer *m) {
    if (!m)
        return;
    ct_allocator *const a = m->allocator;
    if (m->streams)
        close_streams(m);
    ct_mixer_buses_free(&m->buses, a);
    ct_mixer_queue_free(&m->commands, a);
    ct_mixer_queue_free(&m->reports, a);
    void *const tables[] = {m->controls, m->free_slots, m->ended,     (void *)m->positions,
                            m->lives,    m->tones,      m->live_bits, m->work};
    for (uint32_t i = 0; i < CT_COUNT_OF(tables); ++i)
        ct_free(a, tables[i]);
    ct_mutex_shutdown(&m->mutex);
    ct_free(a, m);
    ct_proxy_allocator_destroy(a);
}

// --- Voices --------------------------------------------------------------------------------------

// Returns the slot of a voice; 0 when it is stale.
static uint32_t live_slot(const ct_mixer *m, ct_voice_id voice) {
    const uint32_t slot = ct_mixer_slot(voice.value);
    if (slot == 0 || slot > m->num_voices)
        return 0;
    const ct_mixer_control *const c = &m->controls[slot];
    return c->is_live && c->generation == voice.value >> CT_MIXER_SLOT_BITS ? slot : 0;
}

static float checked_gain(float gain) {
    return gain >= -MAX_GAIN && gain <= MAX_GAIN ? gain
           : isnan(gain)                         ? 0
                                                 : copysignf(MAX_GAIN, gain);
}

static ct_voice_params checked(const ct_voice_params *p) {
    return (ct_voice_params){.gains = {checked_gain(p->gains[0]), checked_gain(p->gains[1])},
                             .send = checked_gain(p->send),
                             .pitch = isfinite(p->pitch) ? p->pitch : 1,
                             .low_pass = isnan(p->low_pass) ? CT_SOUND_OPEN_HZ : p->low_pass};
}

void ct_mixer_find_stream(ct_mixer *m, uint32_t slot) {
    ct_mixer_control *const c = &m->controls[slot];
    const bool wants =
        c->desc.is_real && ct_sound_is_streamed(c->desc.media) && c->stream == CT_MIXER_NO_STREAM;
    if (wants && m->streams) {
        const uint64_t frame =
            atomic_load_explicit(&m->positions[slot], memory_order_relaxed) >> 32;
        c->stream = ct_sound_stream_open(m->streams, c->desc.media, c->region.length > 0,
                                         frame > STREAM_LEAD ? frame - STREAM_LEAD : 0);
    }
    const bool goes_on = wants && c->stream == CT_MIXER_NO_STREAM;
    m->num_wanting += (uint32_t)goes_on - (uint32_t)c->wants_stream;
    c->wants_stream = goes_on;
}

ct_voice_id ct_mixer_start(ct_mixer *m, const ct_voice_desc *desc) {
    CT_ASSERT(desc->media, "a voice without a sound");
    if (!m->num_free)
        return (ct_voice_id){0};
    const uint32_t slot = m->free_slots[--m->num_free];
    ct_mixer_control *const c = &m->controls[slot];
    c->is_live = true;
    c->stream = CT_MIXER_NO_STREAM;
    c->desc = *desc;
    c->desc.params = checked(&desc->params);
    c->region = ct_mixer_region_of(desc->media, desc->loops, desc->repeats);
    atomic_store_explicit(&m->positions[slot], (uint64_t)desc->position << 32,
                          memory_order_relaxed);
    ct_mixer_find_stream(m, slot);
    ct_mixer_request(m, slot, CT_MIXER_COMMAND_START);
    return (ct_voice_id){c->generation << CT_MIXER_SLOT_BITS | slot};
}

void ct_mixer_set_params(ct_mixer *m, ct_voice_id voice, const ct_voice_params *params) {
    const uint32_t slot = live_slot(m, voice);
    if (!slot)
        return;
    m->controls[slot].desc.params = checked(params);
    ct_mixer_request(m, slot, CT_MIXER_COMMAND_PARAMS);
}

void ct_mixer_set_real(ct_mixer *m, ct_voice_id voice, bool is_real) {
    const uint32_t slot = live_slot(m, voice);
    ct_mixer_control *const c = &m->controls[slot];
    if (!slot || c->desc.is_real == is_real)
        return;
    const uint8_t with_stream = 1u << CT_MIXER_COMMAND_START | 1u << CT_MIXER_COMMAND_REAL;
    if (!is_real && c->unsent & with_stream)
        close_stream(m, c->stream); // which the mixer has never seen; others it reports
    if (!is_real)
        c->stream = CT_MIXER_NO_STREAM;
    c->desc.is_real = is_real;
    ct_mixer_find_stream(m, slot);
    if (!c->wants_stream)
        ct_mixer_request(m, slot, CT_MIXER_COMMAND_REAL);
}

// Returns the clock at which a voice that stops so is silent.
static uint64_t silence_of(const ct_mixer *m, const ct_mixer_stop_command *stop) {
    const uint64_t clock = ct_mixer_clock(m);
    return (stop->when > clock ? stop->when : clock) +
           (stop->fade_frames > CT_MIXER_BLOCK ? stop->fade_frames : CT_MIXER_BLOCK);
}

void ct_mixer_stop(ct_mixer *m, ct_voice_id voice, uint64_t when, uint32_t fade_frames) {
    const uint32_t slot = live_slot(m, voice);
    if (!slot)
        return;
    ct_mixer_control *const c = &m->controls[slot];
    const ct_mixer_stop_command stop = {when, fade_frames};
    const bool is_unsent = (c->unsent & 1u << CT_MIXER_COMMAND_STOP) != 0;
    if (!is_unsent || silence_of(m, &stop) < silence_of(m, &c->stop))
        c->stop = stop;
    ct_mixer_request(m, slot, CT_MIXER_COMMAND_STOP);
}

void ct_mixer_set_paused(ct_mixer *m, ct_voice_id voice, bool is_paused) {
    const uint32_t slot = live_slot(m, voice);
    if (!slot || m->controls[slot].desc.is_paused == is_paused)
        return;
    m->controls[slot].desc.is_paused = is_paused;
    ct_mixer_request(m, slot, CT_MIXER_COMMAND_PAUSED);
}

void ct_mixer_set_voice_bus(ct_mixer *m, ct_voice_id voice, uint32_t bus) {
    const uint32_t slot = live_slot(m, voice);
    if (!slot)
        return;
    m->controls[slot].desc.bus = bus;
    ct_mixer_request(m, slot, CT_MIXER_COMMAND_VOICE_BUS);
}

uint32_t ct_mixer_position(const ct_mixer *m, ct_voice_id voice) {
    const uint32_t slot = live_slot(m, voice);
    if (!slot)
        return 0;
    const uint64_t position = atomic_load_explicit(&m->positions[slot], memory_order_relaxed);
    return ct_mixer_fold(&m->controls[slot].region, position >> 32);
}

// --- What happened -------------------------------------------------------------------------------

static void retry_streams(ct_mixer *m) {
    for (uint32_t slot = 1; slot <= m->num_voices && m->num_wanting; ++slot) {
        const ct_mixer_control *const c = &m->controls[slot];
        if (!c->is_live || !c->wants_stream)
            continue;
        ct_mixer_find_stream(m, slot);
        if (c->wants_stream)
            return; // all are in use
        ct_mixer_request(m, slot, CT_MIXER_COMMAND_REAL);
    }
}

static void free_voice(ct_mixer *m, uint32_t slot) {
    ct_mixer_control *const c = &m->controls[slot];
    ct_mixer_forget(m, slot);
    close_stream(m, c->stream);
    m->num_wanting -= c->wants_stream;
    c->wants_stream = false;
    c->is_live = false;
    c->generation = (c->generation + 1) & (UINT32_MAX >> CT_MIXER_SLOT_BITS);
    m->free_slots[m->num_free++] = slot;
}

void ct_mixer_update(ct_mixer *m, const ct_voice_id **ended, uint32_t *num_ended) {
    ct_mixer_send(m);
    uint32_t count = 0;
    ct_mixer_report report;
    while (ct_mixer_queue_pop(&m->reports, &report)) {
        const uint32_t slot = ct_mixer_slot(report.voice);
        // The stream that the mixer had; a newer one may be on its way to it.
        if (report.kind == CT_MIXER_REPORT_RELEASED || report.stream != m->controls[slot].stream)
            close_stream(m, report.stream);
        if (report.kind == CT_MIXER_REPORT_ENDED) {
            free_voice(m, slot);
            m->ended[count++] = (ct_voice_id){report.voice};
        }
    }
    retry_streams(m);
    *ended = m->ended;
    *num_ended = count;
}

uint64_t ct_mixer_clock(const ct_mixer *m) {
    return atomic_load_explicit(&m->clock, memory_order_acquire);
}

ct_mixer_stats ct_mixer_get_stats(const ct_mixer *m) {
    return (ct_mixer_stats){
        .num_voices = m->num_voices - m->num_free,
        .num_real = atomic_load_explicit(&m->num_real, memory_order_relaxed),
        .num_starved = atomic_load_explicit(&m->num_starved, memory_order_relaxed),
        .num_dropped = atomic_load_explicit(&m->num_dropped, memory_order_relaxed),
        .mix_ns = atomic_load_explicit(&m->mix_ns, memory_order_relaxed),
    };
}

// --- Buses ---------------------------------------------------------------------------------------

void ct_mixer_set_bus(ct_mixer *m, uint32_t bus, const ct_mixer_bus_params *params) {
    if (bus >= m->buses.num_buses)
        return;
    m->bus_params[bus] = *params;
    m->bus_params[bus].gain = checked_gain(params->gain);
    ct_mixer_request_bus(m, bus);
}

void ct_mixer_set_send(ct_mixer *m, uint32_t send, float gain) {
    if (send >= m->buses.num_sends)
        return;
    m->send_gains[send] = checked_gain(gain);
    ct_mixer_request_send(m, send);
}

float ct_mixer_bus_peak(ct_mixer *m, uint32_t bus) {
    if (bus >= m->buses.num_buses)
        return 0;
    const uint32_t bits = atomic_exchange(&m->buses.buses[bus].highest_peak, 0);
    float peak;
    memcpy(&peak, &bits, sizeof(peak));
    return peak;
}

// --- Mixing --------------------------------------------------------------------------------------

void ct_mixer_lock(ct_mixer *m) {
    ct_mutex_lock(&m->mutex);
}

void ct_mixer_unlock(ct_mixer *m) {
    ct_mutex_unlock(&m->mutex);
}

// Numbers that are nearly 0 count as 0: they would take many times as long. Returns what was set.
static uint32_t flush_tiny_numbers(void) {
#ifdef __SSE__
    const uint32_t before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    return before;
#else
    return 0;
#endif
}

static void restore_tiny_numbers(uint32_t before) {
#ifdef __SSE__
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

static void mix_voices(ct_mixer *m) {
    uint32_t num_real = 0;
    m->num_work = 0;
    for (uint32_t i = 0; i <= m->num_voices / 64; ++i)
        for (uint64_t bits = m->live_bits[i]; bits; bits &= bits - 1)
            m->work[m->num_work++] = i * 64 + (uint32_t)__builtin_ctzll(bits);
    for (uint32_t i = 0; i < m->num_work; ++i) { // those that follow are added
        num_real += m->lives[m->work[i]].is_real;
        ct_mixer_voice_block(m, m->work[i]);
    }
    atomic_store_explicit(&m->num_real, num_real, memory_order_relaxed);
}

void ct_mixer_mix(ct_mixer *m, float *out) {
    CT_PROFILER_SCOPE("mix sound");
    const uint64_t start = ct_os_time_ns();
    ct_mutex_lock(&m->mutex);
    const uint32_t before = flush_tiny_numbers();
    ct_mixer_apply(m);
    ++m->block;
    mix_voices(m);
    ct_mixer_buses_block(&m->buses, out);
    m->num_work = 0;
    m->now += CT_MIXER_BLOCK;
    atomic_store_explicit(&m->clock, m->now, memory_order_release);
    restore_tiny_numbers(before);
    ct_mutex_unlock(&m->mutex);
    atomic_store_explicit(&m->mix_ns, ct_os_time_ns() - start, memory_order_relaxed);
}
