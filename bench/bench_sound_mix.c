// bench_sound_mix.c: mixing, on one thread.
//
// `sound_mix`: a block of 480 frames of 64 voices: mono, in loops, each at another pitch, with gains
// that move in every block. The figure is the time of a block, with what is sent to the mixer for it.
// The peer is a plain loop that does the same arithmetic (samples of 16 bits to float, the same cubic,
// ramped gains), over the voices one after the other, with no tables, queue, buses, fades or limiter.
//
// The second peer is 64 sources of OpenAL Soft on its loopback device, whose gains stay: with its
// cubic resampler where it has that, else with its own choice.
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <stdio.h>

#include "bench.h"
#include "foundation/os/os.h"
#include "sound/mixer/mixer_fixture.h"

enum { NUM_VOICES = 64, NUM_SOUND_FRAMES = 50000, NUM_BLOCKS = 50 };

static struct {
    ct_mixer *mixer;
    ct_sound_media media;
    ct_voice_id voices[NUM_VOICES];
    uint32_t block;
    float out[2 * CT_MIXER_BLOCK];
} b;

// The peer's voices.
static struct {
    int16_t *samples; // with the three that the cubic needs beyond, of the loop
    uint64_t positions[NUM_VOICES], steps[NUM_VOICES];
    float gains[NUM_VOICES][2];
    float out[2 * CT_MIXER_BLOCK];
} peer;

static float pitch_of(uint32_t voice) {
    return 0.8f + 0.0093f * (float)voice;
}

// The gains of a voice after a block.
static void gains_of(uint32_t voice, uint32_t block, float gains[2]) {
    const float right = (float)((voice * 7 + block) % 32) / 32;
    gains[0] = (1 - right) / NUM_VOICES;
    gains[1] = right / NUM_VOICES;
}

// --- Runs ----------------------------------------------------------------------------------------

static void begin(void) {
    b.media = mixer_sine(333, NUM_SOUND_FRAMES, 1, 0.5);
    b.mixer = ct_mixer_create(&(ct_mixer_desc){.allocator = ct_bench_heap()});
    peer.samples = calloc(NUM_SOUND_FRAMES + 4, sizeof(int16_t));
    for (uint32_t i = 0; i < NUM_SOUND_FRAMES + 4; ++i) // from one before the start on
        peer.samples[i] = b.media.samples[(i + NUM_SOUND_FRAMES - 1) % NUM_SOUND_FRAMES];
    for (uint32_t i = 0; i < NUM_VOICES; ++i) {
        ct_voice_desc desc = mixer_loop(&b.media);
        desc.position = i * 700;
        desc.params.pitch = pitch_of(i);
        gains_of(i, 0, desc.params.gains);
        b.voices[i] = ct_mixer_start(b.mixer, &desc);
        peer.positions[i] = (uint64_t)desc.position << 32;
        peer.steps[i] = (uint64_t)((double)pitch_of(i) * 4294967296.0);
        gains_of(i, 0, peer.gains[i]);
    }
}

static void end(void) {
    ct_bench_use((uint64_t)(uintptr_t)peer.out);
    ct_mixer_destroy(b.mixer);
    mixer_free(&b.media);
    free(peer.samples);
}

static void mix(void) {
    ++b.block;
    for (uint32_t i = 0; i < NUM_VOICES; ++i) {
        ct_voice_params params = mixer_params(0, 0);
        params.pitch = pitch_of(i);
        gains_of(i, b.block, params.gains);
        ct_mixer_set_params(b.mixer, b.voices[i], &params);
    }
    const ct_voice_id *ended;
    uint32_t num_ended;
    ct_mixer_update(b.mixer, &ended, &num_ended);
    ct_mixer_mix(b.mixer, b.out);
}

static void add_voice(uint32_t voice, uint32_t block) {
    float gains[2];
    gains_of(voice, block, gains);
    float left = peer.gains[voice][0], right = peer.gains[voice][1];
    const float left_step = (gains[0] - left) / CT_MIXER_BLOCK;
    const float right_step = (gains[1] - right) / CT_MIXER_BLOCK;
    const uint64_t end_of_loop = (uint64_t)NUM_SOUND_FRAMES << 32, step = peer.steps[voice];
    uint64_t position = peer.positions[voice];
    for (uint32_t i = 0; i < CT_MIXER_BLOCK; ++i) {
        const int16_t *const at = peer.samples + (position >> 32);
        const float t = (float)(int32_t)((uint32_t)position >> 8) * 0x1p-24f;
        const float x0 = (float)at[0] * 0x1p-15f, x1 = (float)at[1] * 0x1p-15f;
        const float x2 = (float)at[2] * 0x1p-15f, x3 = (float)at[3] * 0x1p-15f;
        const float c1 = 0.5f * (x2 - x0), c3 = 0.5f * (x3 - x0) + 1.5f * (x1 - x2);
        const float c2 = x0 - x1 + c1 - c3;
        const float y = ((c3 * t + c2) * t + c1) * t + x1;
        left += left_step;
        right += right_step;
        peer.out[2 * i] += y * left;
        peer.out[2 * i + 1] += y * right;
        position += step;
        if (position >= end_of_loop)
            position -= end_of_loop;
    }
    peer.positions[voice] = position;
    peer.gains[voice][0] = gains[0];
    peer.gains[voice][1] = gains[1];
}

static void mix_plainly(void) {
    static uint32_t block;
    ++block;
    memset(peer.out, 0, sizeof(peer.out));
    for (uint32_t i = 0; i < NUM_VOICES; ++i)
        add_voice(i, block);
}

// The microseconds of the fastest of some blocks: other work only adds to it.
static double fastest(void (*block)(void)) {
    double least = 1e18;
    for (uint32_t i = 0; i < NUM_BLOCKS; ++i) {
        const double start = ct_bench_now_ns();
        block();
        const double time = ct_bench_now_ns() - start;
        least = time < least ? time : least;
    }
    return least / 1000;
}

static double run_mixer(void) {
    return fastest(mix);
}

static double run_plain(void) {
    return fastest(mix_plainly);
}

// --- OpenAL --------------------------------------------------------------------------------------

// Its functions, by name; NULL: it is not installed.
static struct {
    LPALCLOOPBACKOPENDEVICESOFT open;
    LPALCRENDERSAMPLESSOFT render;
    LPALCCREATECONTEXT create_context;
    LPALCMAKECONTEXTCURRENT make_current;
    LPALCDESTROYCONTEXT destroy_context;
    LPALCCLOSEDEVICE close;
    LPALGENBUFFERS make_buffers;
    LPALBUFFERDATA fill_buffer;
    LPALGENSOURCES make_sources;
    LPALSOURCEI set_number;
    LPALSOURCEF set_float;
    LPALSOURCE3F set_vector;
    LPALSOURCEPLAY play;
    LPALDELETESOURCES delete_sources;
    LPALDELETEBUFFERS delete_buffers;
    LPALGETINTEGER get_number;
    LPALGETSTRING get_string;
    ALCdevice *device;
    ALCcontext *context;
    ALuint buffer, sources[NUM_VOICES];
} al;

static bool load_openal(void) {
    void *const library = ct_library_open("libopenal.so.1");
    const struct {
        void *function; // of a pointer to a function
        const char *name;
    } functions[] = {
        {&al.open, "alcLoopbackOpenDeviceSOFT"},
        {&al.render, "alcRenderSamplesSOFT"},
        {&al.create_context, "alcCreateContext"},
        {&al.make_current, "alcMakeContextCurrent"},
        {&al.destroy_context, "alcDestroyContext"},
        {&al.close, "alcCloseDevice"},
        {&al.make_buffers, "alGenBuffers"},
        {&al.fill_buffer, "alBufferData"},
        {&al.make_sources, "alGenSources"},
        {&al.set_number, "alSourcei"},
        {&al.set_float, "alSourcef"},
        {&al.set_vector, "alSource3f"},
        {&al.play, "alSourcePlay"},
        {&al.delete_sources, "alDeleteSources"},
        {&al.delete_buffers, "alDeleteBuffers"},
        {&al.get_number, "alGetInteger"},
        {&al.get_string, "alGetString"},
    };
    for (uint32_t i = 0; library && i < CT_COUNT_OF(functions); ++i) {
        void *const symbol = ct_library_symbol(library, functions[i].name);
        if (!symbol)
            return false;
        memcpy(functions[i].function, &symbol, sizeof(symbol));
    }
    return library != NULL;
}

static bool open_openal(void) {
    static const ALCint attributes[] = {
        ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT,
        ALC_FLOAT_SOFT,           ALC_FREQUENCY,   CT_MIXER_RATE,
        ALC_MONO_SOURCES,         NUM_VOICES,      0};
    if (!load_openal())
        return false;
    al.device = al.open(NULL);
    al.context = al.device ? al.create_context(al.device, attributes) : NULL;
    return al.context && al.make_current(al.context);
}

// Returns the number of its cubic resampler; -1 when it has none that may be chosen.
static ALint cubic_resampler(void) {
    void *const library = ct_library_open("libopenal.so.1");
    void *const symbol = ct_library_symbol(library, "alGetStringiSOFT");
    LPALGETSTRINGISOFT name_of;
    memcpy(&name_of, &symbol, sizeof(symbol));
    const ALint count = name_of ? al.get_number(AL_NUM_RESAMPLERS_SOFT) : 0;
    for (ALint i = 0; i < count; ++i) {
        const char *const name = name_of(AL_RESAMPLER_NAME_SOFT, i);
        if (name && (strstr(name, "ubic") || strstr(name, "4th")))
            return i;
    }
    return -1;
}

static void begin_openal(void) {
    begin();
    if (!open_openal()) {
        fprintf(stderr, "sound_mix: OpenAL is not here; the peer's figure of 1 means nothing\n");
        return;
    }
    al.make_buffers(1, &al.buffer);
    al.fill_buffer(al.buffer, AL_FORMAT_MONO16, b.media.samples, NUM_SOUND_FRAMES * sizeof(int16_t),
                   CT_MIXER_RATE);
    al.make_sources(NUM_VOICES, al.sources);
    const ALint resampler = cubic_resampler();
    for (uint32_t i = 0; i < NUM_VOICES; ++i) {
        al.set_number(al.sources[i], AL_BUFFER, (ALint)al.buffer);
        al.set_number(al.sources[i], AL_LOOPING, AL_TRUE);
        if (resampler >= 0)
            al.set_number(al.sources[i], AL_SOURCE_RESAMPLER_SOFT, resampler);
        al.set_float(al.sources[i], AL_PITCH, pitch_of(i));
        al.set_vector(al.sources[i], AL_POSITION, (float)i / 32 - 1, 1, 0);
        al.play(al.sources[i]);
    }
}

static void end_openal(void) {
    if (al.context) {
        al.delete_sources(NUM_VOICES, al.sources);
        al.delete_buffers(1, &al.buffer);
        al.make_current(NULL);
        al.destroy_context(al.context);
    }
    if (al.device)
        al.close(al.device);
    end();
}

static void mix_with_openal(void) {
    al.render(al.device, b.out, CT_MIXER_BLOCK);
}

static double run_openal(void) {
    return al.context ? fastest(mix_with_openal) : 1;
}

static const ct_bench_case cases[] = {
    {"sound_mix", "64 voices, a block", "a plain loop", "us", 1.3, 0, begin, end, run_mixer,
     run_plain},
    {"sound_mix", "64 voices, a block", "OpenAL Soft", "us", 0, 0, begin_openal, end_openal,
     run_mixer, run_openal},
};

const ct_bench_group ct_bench_sound_mix = {"sound", cases, CT_COUNT_OF(cases)};
