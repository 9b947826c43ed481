// wav_fixture.h: small WAV files made in memory: sines, noise, silence; of int16 or float samples.
//
//     ct_byte_array wav = wav_of(&(wav_desc){.rate = 48000, .channels = 1, .frames = 4800,
//                                            .shape = WAV_SINE, .frequency = 440, .level = 0.5});
#pragma once
#include <math.h>
#include <string.h>

#include "foundation/container/array.h"
#include "support/test_support.h"

typedef enum wav_shape {
    WAV_SILENCE,
    WAV_SINE,  // `frequency`, the same in all channels
    WAV_NOISE, // even, the same for the same seed
} wav_shape;

typedef struct wav_desc {
    uint32_t rate, channels, frames;
    wav_shape shape;
    double frequency; // Hz
    double level;     // of the peaks, 1 is full scale
    uint32_t seed;
    bool is_float;
    // A loop of the file, if loop_end > 0: frames; the end is behind the last.
    uint32_t loop_begin, loop_end;
    uint32_t loop_type;
    uint32_t claimed_frames; // what the header says; 0: `frames`
} wav_desc;

static inline void wav_number(ct_byte_array *out, uint32_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        ct_array_push(out, (uint8_t)(value >> 8 * i));
}

static inline void wav_text(ct_byte_array *out, const char *text) {
    ct_array_push_many(out, (const uint8_t *)text, (uint32_t)strlen(text));
}

static inline void wav_float(ct_byte_array *out, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    wav_number(out, bits, 4);
}

// Returns the sample of a frame.
static inline double wav_sample(const wav_desc *d, uint32_t frame, uint32_t *random) {
    switch (d->shape) {
    case WAV_SINE:
        return d->level * sin(2 * 3.14159265358979323846 * d->frequency * frame / d->rate);
    case WAV_NOISE:
        return d->level * ((double)test_random(random) / 2147483648.0 - 1);
    default:
        return 0;
    }
}

// A sample as 16 bits: rounded, at full scale 32767.
static inline int16_t wav_int16(double sample) {
    const double scaled = floor(sample * 32768 + 0.5);
    return (int16_t)(scaled > 32767    ? 32767
                     : scaled > -32768 ? scaled
                                       : -32768); // also not a number
}

// Appends the header up to the data.
static inline void wav_header(ct_byte_array *out, const wav_desc *d, uint64_t data_bytes) {
    const uint32_t sample_bytes = d->is_float ? 4 : 2;
    wav_text(out, "RIFF");
    wav_number(out, (uint32_t)(36 + data_bytes), 4);
    wav_text(out, "WAVEfmt ");
    wav_number(out, 16, 4);
    wav_number(out, d->is_float ? 3 : 1, 2);
    wav_number(out, d->channels, 2);
    wav_number(out, d->rate, 4);
    wav_number(out, d->rate * d->channels * sample_bytes, 4);
    wav_number(out, d->channels * sample_bytes, 2);
    wav_number(out, sample_bytes * 8, 2);
    if (d->loop_end > 0) {
        wav_text(out, "smpl");
        wav_number(out, 36 + 24, 4);
        for (uint32_t i = 0; i < 9; ++i)
            wav_number(out, i == 7 ? 1 : 0, 4); // one loop
        wav_number(out, 0, 4);
        wav_number(out, d->loop_type, 4);
        wav_number(out, d->loop_begin, 4);
        wav_number(out, d->loop_end - 1, 4); // files have the last frame
        wav_number(out, 0, 4);
        wav_number(out, 0, 4);
    }
    wav_text(out, "data");
    wav_number(out, (uint32_t)data_bytes, 4);
}

// Makes a WAV file in memory. Free it with ct_array_free.
static inline ct_byte_array wav_of(const wav_desc *d) {
    ct_byte_array out;
    ct_array_init(&out, test_heap());
    uint32_t random = d->seed + 1;
    const uint64_t frame_bytes = (uint64_t)d->channels * (d->is_float ? 4 : 2);
    const uint32_t claimed = d->claimed_frames ? d->claimed_frames : d->frames;
    wav_header(&out, d, frame_bytes * claimed);
    for (uint32_t i = 0; i < d->frames; ++i) {
        const double common = d->shape == WAV_NOISE ? 0 : wav_sample(d, i, &random);
        for (uint32_t k = 0; k < d->channels; ++k) {
            const double sample = d->shape == WAV_NOISE ? wav_sample(d, i, &random) : common;
            if (d->is_float)
                wav_float(&out, (float)sample);
            else
                wav_number(&out, (uint16_t)wav_int16(sample), 2);
        }
    }
    return out;
}

// Makes a WAV file of int16 samples, `channels` by turns.
static inline ct_byte_array wav_of_samples(const int16_t *samples, uint32_t frames,
                                           uint32_t channels, uint32_t rate) {
    ct_byte_array out;
    ct_array_init(&out, test_heap());
    wav_header(&out, &(wav_desc){.rate = rate, .channels = channels},
               (uint64_t)frames * channels * 2);
    for (uint32_t i = 0; i < frames * channels; ++i)
        wav_number(&out, (uint16_t)samples[i], 2);
    return out;
}
