// sound_case.h: compiles sounds of generated media, and looks at what came out.
#pragma once
#include "compiler/compile_case.h"
#include "resource/types/sound_resource.h"
#include "sound/wav_fixture.h"

// Writes the media and the source "sounds/a"; compiles it.
static inline void run_sound(compile_case *t, const char *path, const ct_byte_array *media,
                             const char *members) {
    char source[512];
    snprintf(source, sizeof(source), "source = \"%s\"\n%s\n", path, members);
    compile_case_text(t, "sounds/a.sound", source);
    compile_case_file(t, path, media->items, media->count);
    compile_case_run(t, "sound", "sounds/a");
}

// The same; the sound must be good.
static inline const ct_sound_resource *compile_sound(compile_case *t, const ct_byte_array *media,
                                                     const char *members) {
    run_sound(t, "sounds/a.wav", media, members);
    return expect_blob(&t->answer, "sound");
}

// Compiles a WAV file of this description, which is freed.
static inline const ct_sound_resource *compile_wav(compile_case *t, const wav_desc *d,
                                                   const char *members) {
    ct_byte_array wav = wav_of(d);
    const ct_sound_resource *const r = compile_sound(t, &wav, members);
    ct_array_free(&wav);
    return r;
}

// Expects that a WAV file of this description is refused with an error that has `text`.
static inline void expect_wav_error(const wav_desc *d, const char *members, uint32_t line,
                                    const char *text) {
    compile_case t = compile_case_make();
    ct_byte_array wav = wav_of(d);
    run_sound(&t, "sounds/a.wav", &wav, members);
    compile_case_expect(&t, "sounds/a.sound", line, text);
    compile_case_free(&t);
    ct_array_free(&wav);
}

static inline const ct_sound_chunk *chunks_of(const ct_sound_resource *r) {
    return ct_blob_at(r, r->chunks.offset);
}

// The contents of a chunk, behind its head.
static inline const uint8_t *chunk_of(const compile_case *t, const ct_sound_resource *r,
                                      uint32_t i) {
    const bool is_streamed = (r->flags & CT_SOUND_STREAMED) != 0;
    const uint8_t *const data =
        is_streamed ? t->answer.stream.items : ct_blob_at(r, r->data.offset);
    return data + chunks_of(r)[i].offset + (is_streamed ? sizeof(ct_sound_chunk_head) : 0);
}

static inline int16_t sample_at(const compile_case *t, const ct_sound_resource *r, uint32_t frame,
                                uint32_t channel) {
    const uint32_t i = ct_sound_find_chunk(r, frame);
    const int16_t *const samples = (const int16_t *)(const void *)chunk_of(t, r, i);
    return samples[(frame - chunks_of(r)[i].first_frame) * r->num_channels + channel];
}
