#include "compiler/types/sound/worker_sound_media.h"

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "compiler/types/sound/worker_sound_mp3.h"
#include "compiler/types/sound/worker_sound_wav.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "resource/types/sound_resource.h"

// --- Formats -------------------------------------------------------------------------------------

static const ct_worker_sound_format wav = {"WAV", {"wav"}, SF_FORMAT_WAV, 0};
static const ct_worker_sound_format flac = {"FLAC", {"flac"}, SF_FORMAT_FLAC, 0};
static const ct_worker_sound_format vorbis = {
    "Ogg Vorbis", {"ogg", "oga"}, SF_FORMAT_OGG, SF_FORMAT_VORBIS};
static const ct_worker_sound_format opus = {"Opus", {"opus", "ogg"}, SF_FORMAT_OGG, SF_FORMAT_OPUS};
static const ct_worker_sound_format mp3 = {"MP3", {"mp3"}, SF_FORMAT_MPEG, 0};

// What files begin with, or have at a place. Formats without extensions are not supported.
typedef struct mark {
    uint32_t at, bytes;
    const char *text;
    const ct_worker_sound_format *format;
} mark;

static const mark marks[] = {
    {8, 4, "WAVE", &wav},
    {0, 4, "fLaC", &flac},
    {28, 7, "\x01vorbis", &vorbis}, // in the first page of Ogg
    {28, 8, "OpusHead", &opus},
    {0, 4, "OggS", &(const ct_worker_sound_format){.name = "Ogg"}},
    {0, 4, "FORM", &(const ct_worker_sound_format){.name = "AIFF"}},
    {0, 4, ".snd", &(const ct_worker_sound_format){.name = "AU"}},
    {0, 4, "caff", &(const ct_worker_sound_format){.name = "CAF"}},
    {4, 4, "ftyp", &(const ct_worker_sound_format){.name = "MP4"}},
    {0, 4, "wvpk", &(const ct_worker_sound_format){.name = "WavPack"}},
    {0, 4, "MAC ", &(const ct_worker_sound_format){.name = "Monkey's Audio"}},
    {0, 4, "riff", &(const ct_worker_sound_format){.name = "Wave64"}},
    {0, 4, "MThd", &(const ct_worker_sound_format){.name = "MIDI"}},
    {0, 4, "\x30\x26\xb2\x75", &(const ct_worker_sound_format){.name = "WMA"}},
};

static bool is_wav(const uint8_t *bytes) {
    return memcmp(bytes, "RIFF", 4) == 0 || memcmp(bytes, "RIFX", 4) == 0;
}

// NULL: none that is known.
static const ct_worker_sound_format *format_of(const uint8_t *bytes, uint64_t size_bytes) {
    for (uint32_t i = 0; i < CT_COUNT_OF(marks); ++i) {
        const mark *const m = &marks[i];
        if (size_bytes >= m->at + m->bytes && memcmp(bytes + m->at, m->text, m->bytes) == 0 &&
            (m->format != &wav || is_wav(bytes)))
            return m->format;
    }
    const uint64_t tag_bytes = ct_worker_id3_bytes(bytes, size_bytes);
    if (tag_bytes > 0)
        return tag_bytes + 4 <= size_bytes && memcmp(bytes + tag_bytes, "fLaC", 4) == 0 ? &flac
                                                                                        : &mp3;
    return size_bytes >= 4 && ct_worker_mp3_is_head(bytes) ? &mp3 : NULL;
}

bool ct_worker_sound_has_extension(const ct_worker_sound_format *format, const char *path) {
    for (uint32_t i = 0; i < CT_COUNT_OF(format->extensions) && format->extensions[i]; ++i) {
        if (strcasecmp(ct_path_extension(path), format->extensions[i]) == 0)
            return true;
    }
    return false;
}

static void describe(ct_worker_sound_media *m, int library_format) {
    static const struct {
        int subtype;
        const char *text;
    } kinds[] = {
        {SF_FORMAT_PCM_S8, "8 bit samples"},
        {SF_FORMAT_PCM_U8, "8 bit samples"},
        {SF_FORMAT_PCM_16, "16 bit samples"},
        {SF_FORMAT_PCM_24, "24 bit samples"},
        {SF_FORMAT_PCM_32, "32 bit samples"},
        {SF_FORMAT_FLOAT, "32 bit float samples"},
        {SF_FORMAT_DOUBLE, "64 bit float samples"},
        {SF_FORMAT_ULAW, "u-law"},
        {SF_FORMAT_ALAW, "A-law"},
        {SF_FORMAT_IMA_ADPCM, "IMA ADPCM"},
        {SF_FORMAT_MS_ADPCM, "Microsoft ADPCM"},
    };
    snprintf(m->format_text, sizeof(m->format_text), "%s", m->format->name);
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        if ((library_format & SF_FORMAT_SUBMASK) == kinds[i].subtype)
            snprintf(m->format_text, sizeof(m->format_text), "%s, %s", m->format->name,
                     kinds[i].text);
    }
}

// --- The library's view of a file in memory ------------------------------------------------------

static sf_count_t file_bytes(void *user) {
    return (sf_count_t)((const ct_worker_sound_media *)user)->size_bytes;
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user) {
    ct_worker_sound_media *const m = user;
    const sf_count_t size = (sf_count_t)m->size_bytes;
    const sf_count_t base = whence == SEEK_CUR ? (sf_count_t)m->at : whence == SEEK_END ? size : 0;
    const sf_count_t least = -base, most = size - base;
    m->at = (uint64_t)(base + (offset < least ? least : offset > most ? most : offset));
    return (sf_count_t)m->at;
}

static sf_count_t file_read(void *to, sf_count_t bytes, void *user) {
    ct_worker_sound_media *const m = user;
    const uint64_t left = m->size_bytes - m->at;
    const uint64_t count = bytes < 0 ? 0 : (uint64_t)bytes < left ? (uint64_t)bytes : left;
    memcpy(to, m->bytes + m->at, count);
    m->at += count;
    return (sf_count_t)count;
}

static sf_count_t file_write(const void *from, sf_count_t bytes, void *user) {
    (void)from, (void)bytes, (void)user;
    return 0;
}

static sf_count_t file_tell(void *user) {
    return (sf_count_t)((const ct_worker_sound_media *)user)->at;
}

static SNDFILE *open_library(ct_worker_sound_media *m, SF_INFO *info) {
    static SF_VIRTUAL_IO memory = {file_bytes, file_seek, file_read, file_write, file_tell};
    *info = (SF_INFO){0};
    m->at = 0;
    return sf_open_virtual(&memory, SFM_READ, info, m);
}

// --- What a file says of itself ------------------------------------------------------------------

static bool check_channels(const ct_worker_sound_media *m, uint32_t num_channels,
                           const ct_worker_sound_limits *limits, ct_error *error) {
    const uint32_t most =
        limits->is_mono ? CT_WORKER_SOUND_MAX_MIXED_CHANNELS : CT_SOUND_MAX_CHANNELS;
    if (num_channels >= 1 && num_channels <= most)
        return true;
    if (limits->is_mono || num_channels == 0)
        return ct_error_set(error, "%s has %u channels; expected 1 to %u", m->path, num_channels,
                            most);
    return ct_error_set(error,
                        "%s has %u channels; expected 1 or 2 (`mono = true` mixes them to one)",
                        m->path, num_channels);
}

static bool check_rate(const ct_worker_sound_media *m, int64_t rate, ct_error *error) {
    return (rate >= CT_SOUND_LEAST_RATE && rate <= CT_SOUND_MAX_MEDIA_RATE) ||
           ct_error_set(error, "%s has %lld samples a second; expected %d to %d", m->path,
                        (long long)rate, CT_SOUND_LEAST_RATE, CT_SOUND_MAX_MEDIA_RATE);
}

static bool check_length(const ct_worker_sound_media *m, uint64_t num_frames, uint32_t rate,
                         const ct_worker_sound_limits *limits, ct_error *error) {
    const uint32_t most = limits->is_streamed ? CT_SOUND_MAX_SECONDS : CT_SOUND_MAX_MEMORY_SECONDS;
    if (num_frames == 0)
        return ct_error_set(error, "%s has no samples", m->path);
    if (num_frames <= (uint64_t)most * rate)
        return true;
    const double seconds = (double)num_frames / rate;
    if (limits->is_streamed || seconds > CT_SOUND_MAX_SECONDS)
        return ct_error_set(error, "%s is %.0f s long; expected at most %d s", m->path, seconds,
                            CT_SOUND_MAX_SECONDS);
    return ct_error_set(error,
                        "%s is %.0f s long; expected at most %u s of a sound in memory "
                        "(`streamed = true` reads it while it plays)",
                        m->path, seconds, most);
}

static bool truncated(const ct_worker_sound_media *m, uint64_t found, uint64_t expected,
                      ct_error *error) {
    return ct_error_set(error, "%s is truncated: %llu of %llu frames are there", m->path,
                        (unsigned long long)found, (unsigned long long)expected);
}

// A WAV file's chunks say what libsndfile only guesses when they are cut off.
static bool check_wav(ct_worker_sound_media *m, const ct_worker_sound_limits *limits,
                      ct_error *error) {
    const ct_worker_wav w = ct_worker_wav_scan(m->bytes, m->size_bytes);
    if (!w.has_format || !w.has_data)
        return ct_error_set(error, "%s is truncated: it ends after %llu bytes, before its samples",
                            m->path, (unsigned long long)m->size_bytes);
    if (!check_channels(m, w.num_channels, limits, error) || !check_rate(m, w.rate, error))
        return false;
    if (w.frame_bytes == 0)
        return ct_error_set(error, "%s has samples of 0 bytes", m->path);
    const uint64_t expected = w.data_bytes / w.frame_bytes * w.frames_per_block;
    const uint64_t found = w.bytes_there / w.frame_bytes * w.frames_per_block;
    if (!check_length(m, expected, w.rate, limits, error))
        return false;
    m->loop_begin = w.has_loop && w.loop_type == 0 ? w.loop_begin : 0;
    m->loop_end = w.has_loop && w.loop_type == 0 ? w.loop_end : 0;
    m->has_other_loop = w.has_loop && w.loop_type != 0;
    return found >= expected || truncated(m, found, expected, error);
}

// The last page of an Ogg file is marked, and is there as a whole (RFC 3533, 6).
static bool has_last_page(const ct_worker_sound_media *m) {
    enum { PAGE_BYTES = 27, FLAGS_AT = 5, SEGMENTS_AT = 26, IS_LAST = 4 };
    for (uint64_t at = m->size_bytes; at-- > 0;) {
        const uint8_t *const page = m->bytes + at;
        const uint64_t left = m->size_bytes - at;
        if (left < PAGE_BYTES || memcmp(page, "OggS", 4) != 0 || page[4] != 0)
            continue;
        uint64_t bytes = PAGE_BYTES + (uint64_t)page[SEGMENTS_AT];
        for (uint32_t i = 0; i < page[SEGMENTS_AT] && PAGE_BYTES + i < left; ++i)
            bytes += page[PAGE_BYTES + i];
        return bytes <= left && page[FLAGS_AT] & IS_LAST;
    }
    return false;
}

// Decodes all to count the frames; stops behind `most`.
static uint64_t count_frames(SNDFILE *file, uint32_t num_channels, uint64_t most) {
    float block[4096];
    const sf_count_t frames = (sf_count_t)(CT_COUNT_OF(block) / num_channels);
    uint64_t count = 0;
    for (sf_count_t got; count <= most && (got = sf_readf_float(file, block, frames)) > 0;)
        count += (uint64_t)got;
    return count;
}

// Finds out the length of a file that libsndfile does not know, and opens it again.
static bool find_length(ct_worker_sound_media *m, SNDFILE **file, SF_INFO *info, ct_error *error) {
    const uint64_t most = (uint64_t)CT_SOUND_MAX_SECONDS * CT_SOUND_MAX_MEDIA_RATE;
    const uint64_t count = count_frames(*file, (uint32_t)info->channels, most);
    const bool is_ogg = m->format->library_type == SF_FORMAT_OGG;
    if (is_ogg && !has_last_page(m))
        return ct_error_set(error,
                            "%s is truncated: it ends after %llu frames, without a last page",
                            m->path, (unsigned long long)count);
    sf_close(*file);
    *file = open_library(m, info);
    info->frames = (sf_count_t)count;
    return *file || ct_error_set(error, "%s cannot be read: %s", m->path, sf_strerror(NULL));
}

// libsndfile takes the bit rate of an MP3 file's first part for that of all.
static bool check_mp3(const ct_worker_sound_media *m, const SF_INFO *info, ct_error *error) {
    enum { MARGIN_FRAMES = 4 * 1152 };
    const uint64_t count = ct_worker_mp3_count_frames(m->bytes, m->size_bytes);
    const uint64_t told = (uint64_t)info->frames;
    if (count == 0 || (count < told + MARGIN_FRAMES && told < count + MARGIN_FRAMES))
        return true;
    return ct_error_set(error,
                        "%s does not say how long it is, and its bit rate changes; expected a Xing "
                        "header: encode it again",
                        m->path);
}

static bool check_info(ct_worker_sound_media *m, SNDFILE **file, SF_INFO *info,
                       const ct_worker_sound_limits *limits, ct_error *error) {
    const ct_worker_sound_format *const f = m->format;
    const int type = info->format & SF_FORMAT_TYPEMASK;
    const int subtype = info->format & SF_FORMAT_SUBMASK;
    if ((type != f->library_type && (f != &wav || type != SF_FORMAT_WAVEX)) ||
        (f->library_subtype && subtype != f->library_subtype))
        return ct_error_set(error, "%s is no %s file that can be read", m->path, f->name);
    if (!check_channels(m, info->channels < 0 ? 0 : (uint32_t)info->channels, limits, error) ||
        !check_rate(m, info->samplerate, error))
        return false;
    const bool is_unknown = info->frames < 0 || info->frames == SF_COUNT_MAX;
    if (is_unknown && !find_length(m, file, info, error))
        return false;
    if (!check_length(m, (uint64_t)info->frames, (uint32_t)info->samplerate, limits, error))
        return false;
    if (f->library_type == SF_FORMAT_OGG && !has_last_page(m))
        return ct_error_set(error,
                            "%s is truncated: it ends after %lld frames, without a last page",
                            m->path, (long long)info->frames);
    return f != &mp3 || check_mp3(m, info, error);
}

// --- Reading -------------------------------------------------------------------------------------

static bool recognise(ct_worker_sound_media *m, ct_error *error) {
    if (m->size_bytes == 0)
        return ct_error_set(
            error, "%s is empty; expected a WAV, FLAC, Ogg Vorbis, Opus or MP3 file", m->path);
    m->format = format_of(m->bytes, m->size_bytes);
    if (!m->format)
        return ct_error_set(
            error,
            "%s is no sound (%llu bytes); expected a WAV, FLAC, Ogg Vorbis, Opus or MP3 file",
            m->path, (unsigned long long)m->size_bytes);
    return m->format->extensions[0] ||
           ct_error_set(error,
                        "%s is %s, which is not supported; save it as WAV, FLAC, Ogg Vorbis, Opus "
                        "or MP3",
                        m->path, m->format->name);
}

bool ct_worker_sound_open(ct_worker_sound_media *m, const char *path, const void *bytes,
                          uint64_t size_bytes, const ct_worker_sound_limits *limits,
                          ct_error *error) {
    *m = (ct_worker_sound_media){.path = path, .bytes = bytes, .size_bytes = size_bytes};
    if (!recognise(m, error) || (m->format == &wav && !check_wav(m, limits, error)))
        return false;
    SF_INFO info;
    SNDFILE *file = open_library(m, &info);
    if (!file && m->format->library_type == SF_FORMAT_OGG && !has_last_page(m))
        return ct_error_set(error, "%s is truncated: it ends without a last page", path);
    if (!file)
        return ct_error_set(error, "%s cannot be read: %s", path, sf_strerror(NULL));
    if (!check_info(m, &file, &info, limits, error)) {
        sf_close(file);
        return false;
    }
    describe(m, info.format);
    m->file = file;
    m->rate = (uint32_t)info.samplerate;
    m->num_channels = (uint32_t)info.channels;
    m->num_frames = (uint64_t)info.frames;
    return true;
}

static bool check_samples(const ct_worker_sound_media *m, const float *frames, uint32_t count,
                          ct_error *error) {
    for (uint32_t i = 0; i < count * m->num_channels; ++i) {
        if (!(fabsf(frames[i]) <= CT_WORKER_SOUND_MAX_SAMPLE))
            return ct_error_set(
                error, "%s: found the sample %g at frame %llu; expected numbers from -1 to 1",
                m->path, (double)frames[i],
                (unsigned long long)(m->num_read + i / m->num_channels));
    }
    return true;
}

bool ct_worker_sound_read(ct_worker_sound_media *m, float *frames, uint32_t max_frames,
                          uint32_t *count, ct_error *error) {
    const uint64_t left = m->num_frames - m->num_read;
    const uint32_t wanted = max_frames < left ? max_frames : (uint32_t)left;
    *count = 0;
    if (wanted == 0)
        return true;
    const sf_count_t got = sf_readf_float(m->file, frames, wanted);
    if (got <= 0) {
        const int problem = sf_error(m->file);
        return ct_error_set(error, "%s is truncated or damaged: %llu of %llu frames are there%s%s",
                            m->path, (unsigned long long)m->num_read,
                            (unsigned long long)m->num_frames, problem ? "; " : "",
                            problem ? sf_error_number(problem) : "");
    }
    if (!check_samples(m, frames, (uint32_t)got, error))
        return false;
    m->num_read += (uint64_t)got;
    *count = (uint32_t)got;
    return true;
}

void ct_worker_sound_close(ct_worker_sound_media *m) {
    sf_close(m->file);
    m->file = NULL;
}
