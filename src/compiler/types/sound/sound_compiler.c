// Compiles sounds: see worker_sound.h for how recordings are read.
#include <math.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/sound/worker_sound.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "resource/blob/content_hash.h"

enum { LEAST_LOUDNESS = -70, MOST_LOUDNESS = 0 }; // LUFS; below is silence to EBU R 128

static bool read_target(ct_worker_sound *s) {
    const ct_sjson_value v = s->source.loudness;
    s->target = NAN;
    if (!v.entry)
        return true;
    s->target = ct_sjson_number(s->c->doc, v, NAN);
    return (s->target >= LEAST_LOUDNESS && s->target <= MOST_LOUDNESS) ||
           ct_compile_error(s->c, s->c->doc, v, "sound.loudness: expected LUFS from %d to %d",
                            LEAST_LOUDNESS, MOST_LOUDNESS);
}

static void warn_of_idle_quality(ct_worker_sound *s) {
    const ct_sjson_value v = ct_sjson_find(s->c->doc, ct_sjson_root(s->c->doc), "quality");
    if (v.entry && s->source.store != CT_SOUND_CODEC_VORBIS)
        ct_compile_warning(s->c, s->c->doc, v, "quality has no effect without store = \"vorbis\"");
}

static bool read_source(ct_worker_sound *s) {
    const ct_schema_listener listener = ct_compile_listener(s->c);
    const ct_sjson_value root = ct_sjson_root(s->c->doc);
    if (!ct_schema_read(&ct_sound_schema, s->c->doc, root, &s->source, &listener))
        return false;
    s->source_at = ct_sjson_find(s->c->doc, root, "source");
    s->out.codec = s->source.store;
    s->out.flags = s->source.streamed ? CT_SOUND_STREAMED : 0;
    warn_of_idle_quality(s);
    return read_target(s);
}

static bool open_media(ct_worker_sound *s) {
    ct_compile *const c = s->c;
    uint64_t size_bytes = 0;
    ct_error error = {0};
    const char *const path = s->source.source;
    const void *const bytes = ct_compile_read(c, path, &size_bytes, c->doc, s->source_at);
    if (!bytes)
        return false;
    const ct_worker_sound_limits limits = {s->source.mono, s->source.streamed};
    if (!ct_worker_sound_open(&s->media, path, bytes, size_bytes, &limits, &error))
        return ct_compile_error(c, c->doc, s->source_at, "%s", error.message);
    s->media_hash = ct_content_hash(bytes, size_bytes);
    const ct_worker_sound_format *const format = s->media.format;
    if (!ct_worker_sound_has_extension(format, path))
        ct_compile_warning(c, c->doc, s->source_at, "%s is %s; expected its name to end in .%s",
                           path, format->name, format->extensions[0]);
    return true;
}

// A number for the media and everything that the data depends on.
static void set_stamp(ct_worker_sound *s) {
    const ct_compiler_type *const type = ct_compiler_type_named(s->c->type);
    const bool is_vorbis = s->out.codec == CT_SOUND_CODEC_VORBIS;
    const uint64_t parts[] = {
        s->media_hash,       type ? type->version : 0,
        CT_SOUND_VERSION,    s->out.codec,
        s->out.num_channels, s->out.rate,
        s->out.loop_begin,   s->out.loop_end,
        s->fade.num_frames,  is_vorbis ? (uint64_t)((double)s->source.quality * 1e6) : 0,
    };
    s->out.stamp = ct_content_hash(parts, sizeof(parts));
}

// The numbers are known now. A stream is as if it followed the blob, which ends here.
static void write_blob(ct_worker_sound *s, ct_blob_array waveform) {
    ct_blob_writer *const w = &s->c->blob;
    ct_sound_resource *const out = &s->out;
    const bool is_streamed = (out->flags & CT_SOUND_STREAMED) != 0;
    const uint32_t data_bytes = ct_blob_writer_offset(s->data) - s->data_begin;
    out->waveform = waveform;
    out->media_format = ct_blob_write_string(w, s->media.format_text, strlen(s->media.format_text));
    out->vorbis_headers =
        ct_blob_write_items(w, &ct_blob_u8_layout, s->headers.items, s->headers.count);
    out->chunks = ct_blob_write_items(w, &ct_sound_chunk_layout, s->chunks.items, s->chunks.count);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    out->data = (ct_blob_array){is_streamed ? ct_blob_writer_offset(w) : s->data_begin, data_bytes};
    if (is_streamed) {
        out->stream.bytes = data_bytes;
        out->stream.hash = ct_content_hash(s->data->bytes.items, data_bytes);
    }
    ct_blob_end(w, &ct_sound_layout, out);
}

// Samples beyond full scale were cut off.
static void limit_peak(ct_worker_sound *s) {
    if (s->num_clamped == 0)
        return;
    ct_compile_warning(s->c, s->c->doc, s->source_at,
                       "%s: %llu samples are beyond full scale, the largest by %.1f dB; they are "
                       "cut off",
                       s->media.path, (unsigned long long)s->num_clamped,
                       20 * log10((double)s->out.peak));
    s->out.peak = 1;
}

// The media are open.
static bool compile(ct_worker_sound *s) {
    ct_worker_sound_plan(s);
    if (!ct_worker_sound_loop_read(s))
        return false;
    set_stamp(s);
    ct_blob_begin(&s->c->blob, &ct_sound_layout);
    if (!ct_worker_sound_store_begin(s))
        return false;
    ct_worker_sound_measure_begin(s);
    if (!ct_worker_sound_convert(s))
        return false;
    ct_worker_sound_store_end(s);
    const ct_blob_array waveform = ct_worker_sound_measure_end(s);
    limit_peak(s);
    ct_worker_sound_normalise(s);
    write_blob(s, waveform);
    return true;
}

bool ct_compile_sound(ct_compile *c) {
    ct_worker_sound s = {.c = c};
    ct_array_init(&s.chunks, c->allocator);
    ct_array_init(&s.headers, c->allocator);
    if (!read_source(&s) || !open_media(&s))
        return false;
    const bool is_done = compile(&s);
    ct_worker_sound_vorbis_free(&s);
    ct_worker_sound_measure_free(&s);
    ct_worker_sound_close(&s.media);
    return is_done;
}
