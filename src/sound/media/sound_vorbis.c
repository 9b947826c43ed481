#include "sound/media/sound_vorbis.h"

#include <string.h>

#include "foundation/error.h"
#include "sound/media/vorbis_api.h"

struct ct_sound_vorbis {
    ct_allocator *allocator;
    ct_vorbis_api api;
    uint32_t num_channels;
    bool is_started; // `state` and `block` are made
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state state;
    vorbis_block block;
};

// --- Headers -------------------------------------------------------------------------------------

static const char *const header_names[CT_SOUND_VORBIS_HEADERS] = {"identification", "comments",
                                                                  "setup"};

static bool read_headers(ct_sound_vorbis *v, const ct_sound_resource *r, ct_error *error) {
    const uint8_t *bytes = ct_blob_at(r, r->vorbis_headers.offset);
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        ogg_packet packet = {.packet = (unsigned char *)bytes,
                             .bytes = (long)r->vorbis_header_bytes[i],
                             .b_o_s = i == 0,
                             .packetno = i};
        if (v->api.vorbis_synthesis_headerin(&v->info, &v->comment, &packet) != 0)
            return ct_error_set(error, "found an invalid Vorbis header; expected %s",
                                header_names[i]);
        bytes += r->vorbis_header_bytes[i];
    }
    if (v->info.channels != (int)r->num_channels || v->info.rate != (long)r->rate)
        return ct_error_set(error,
                            "found Vorbis of %d channels at %ld Hz; expected %u channels at %u Hz",
                            v->info.channels, v->info.rate, r->num_channels, r->rate);
    return true;
}

static bool start(ct_sound_vorbis *v, ct_error *error) {
    if (v->api.vorbis_synthesis_init(&v->state, &v->info) != 0) {
        v->api.vorbis_dsp_clear(&v->state);
        return ct_error_set(error, "found Vorbis headers that libvorbis cannot decode with");
    }
    v->api.vorbis_block_init(&v->state, &v->block);
    return v->is_started = true;
}

ct_sound_vorbis *ct_sound_vorbis_create(ct_allocator *a, const ct_sound_resource *r,
                                        ct_error *error) {
    ct_vorbis_api api;
    if (!ct_vorbis_load(&api, error))
        return NULL;
    ct_sound_vorbis *const v = CT_NEW(a, ct_sound_vorbis);
    v->allocator = a;
    v->api = api;
    v->num_channels = r->num_channels;
    api.vorbis_info_init(&v->info);
    api.vorbis_comment_init(&v->comment);
    if (read_headers(v, r, error) && start(v, error))
        return v;
    ct_sound_vorbis_destroy(v);
    return NULL;
}

void ct_sound_vorbis_destroy(ct_sound_vorbis *v) {
    if (!v)
        return;
    if (v->is_started) {
        v->api.vorbis_block_clear(&v->block);
        v->api.vorbis_dsp_clear(&v->state);
    }
    v->api.vorbis_comment_clear(&v->comment);
    v->api.vorbis_info_clear(&v->info);
    ct_free(v->allocator, v);
}

// --- Chunks --------------------------------------------------------------------------------------

// Takes the frames that are ready, at most `count`. Returns how many.
static uint32_t take_frames(ct_sound_vorbis *v, uint32_t count, int16_t *frames) {
    float **channels;
    const int ready = v->api.vorbis_synthesis_pcmout(&v->state, &channels);
    const uint32_t num_taken = ready > 0 && (uint32_t)ready < count ? (uint32_t)ready : count;
    if (ready <= 0)
        return 0;
    for (uint32_t c = 0; c < v->num_channels; ++c) {
        for (uint32_t i = 0; i < num_taken; ++i)
            frames[i * v->num_channels + c] = ct_sound_to_sample(channels[c][i]);
    }
    v->api.vorbis_synthesis_read(&v->state, ready);
    return num_taken;
}

static uint32_t number_at(const uint8_t *bytes) {
    uint32_t number;
    memcpy(&number, bytes, sizeof(number));
    return number;
}

static bool decode_packet(ct_sound_vorbis *v, const uint8_t *bytes, uint32_t num_bytes,
                          uint32_t number) {
    ogg_packet packet = {.packet = (unsigned char *)bytes,
                         .bytes = (long)num_bytes,
                         .granulepos = -1,
                         .packetno = number};
    return v->api.vorbis_synthesis(&v->block, &packet) == 0 &&
           v->api.vorbis_synthesis_blockin(&v->state, &v->block) == 0;
}

bool ct_sound_vorbis_decode(ct_sound_vorbis *v, const void *chunk, uint64_t bytes,
                            uint32_t num_frames, int16_t *frames, ct_error *error) {
    const uint8_t *const table = chunk;
    const uint32_t num_packets = bytes >= sizeof(uint32_t) ? number_at(table) : 0;
    if (num_packets == 0 || num_packets > bytes / sizeof(uint32_t) - 1)
        return ct_error_set(error, "found %u packets in a chunk; expected a table of their sizes",
                            num_packets);
    uint64_t at = ((uint64_t)num_packets + 1) * sizeof(uint32_t);
    uint32_t num_done = 0;
    v->api.vorbis_synthesis_restart(&v->state);
    for (uint32_t i = 0; i < num_packets && num_done < num_frames; ++i) {
        const uint32_t packet_bytes = number_at(table + (i + 1) * sizeof(uint32_t));
        if (packet_bytes > bytes - at)
            return ct_error_set(error, "packets[%u]: found %u bytes; expected at most %u", i,
                                packet_bytes, (uint32_t)(bytes - at));
        if (!decode_packet(v, table + at, packet_bytes, i))
            return ct_error_set(error, "packets[%u]: found a packet that is not Vorbis audio", i);
        num_done += take_frames(v, num_frames - num_done, frames + num_done * v->num_channels);
        at += packet_bytes;
    }
    return num_done == num_frames ||
           ct_error_set(error, "found %u frames in a chunk; expected %u", num_done, num_frames);
}
