#include "dev/frames/frame_stream.h"

#include <string.h>

#include "app/png_writer.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/profiler/profiler.h"
#include "foundation/sjson/sjson_writer.h"

ct_frame_stream *ct_frame_stream_create(ct_allocator *a, const ct_frame_stream_desc *desc) {
    ct_frame_stream *const s = CT_NEW(a, ct_frame_stream);
    *s = (ct_frame_stream){.allocator = a, .desc = *desc};
    ct_array_init(&s->shown, a);
    ct_array_init(&s->next, a);
    ct_array_init(&s->part_pixels, a);
    ct_array_init(&s->parts, a);
    for (uint32_t i = 0; i < CT_FRAME_SLOTS; ++i) {
        ct_frame_slot *const slot = &s->slots[i];
        slot->stream = s;
        ct_array_init(&slot->pixels, a);
        ct_array_init(&slot->binary, a);
        ct_string_builder_init(&slot->json, a);
    }
    return s;
}

void ct_frame_stream_destroy(ct_frame_stream *s) {
    for (uint32_t i = 0; i < CT_FRAME_SLOTS; ++i) {
        ct_array_free(&s->slots[i].pixels);
        ct_array_free(&s->slots[i].binary);
        ct_string_builder_free(&s->slots[i].json);
    }
    if (s->compressor)
        s->jpeg->tjDestroy(s->compressor);
    ct_array_free(&s->shown);
    ct_array_free(&s->next);
    ct_array_free(&s->part_pixels);
    ct_array_free(&s->parts);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

// --- The update thread ---------------------------------------------------------------------------

bool ct_frame_stream_is_busy(const ct_frame_stream *s) {
    for (uint32_t i = 0; i < CT_FRAME_SLOTS; ++i) {
        const uint32_t state = atomic_load(&s->slots[i].state);
        if (state == CT_FRAME_SLOT_REQUESTED || state == CT_FRAME_SLOT_DRAWN)
            return true;
    }
    return false;
}

ct_frame_slot *ct_frame_stream_request(ct_frame_stream *s) {
    ct_frame_slot *const slot = &s->slots[s->next_request % CT_FRAME_SLOTS];
    if (atomic_load(&slot->state) != CT_FRAME_SLOT_FREE)
        return NULL;
    ++s->next_request;
    slot->level = s->level;
    slot->is_whole = s->level < s->asked_level;
    s->asked_level = s->level;
    atomic_store(&slot->state, CT_FRAME_SLOT_REQUESTED);
    return slot;
}

ct_frame_slot *ct_frame_stream_ready(ct_frame_stream *s) {
    ct_frame_slot *const slot = &s->slots[s->next_sent % CT_FRAME_SLOTS];
    return atomic_load(&slot->state) == CT_FRAME_SLOT_READY ? slot : NULL;
}

void ct_frame_stream_count_sent(ct_frame_stream *s, const ct_frame_slot *slot) {
    s->last_sent = slot->number;
    ++s->num_unshown;
}

void ct_frame_stream_shown(ct_frame_stream *s, uint32_t number) {
    if (number == 0)
        s->num_unshown -= s->num_unshown > 0;
    else if (number > s->last_sent)
        s->num_unshown = 0;
    else if (s->num_unshown > s->last_sent - number)
        s->num_unshown = s->last_sent - number;
}

void ct_frame_stream_sent(ct_frame_stream *s, ct_frame_slot *slot) {
    ++s->next_sent;
    ct_string_builder_clear(&slot->json);
    slot->binary.count = 0;
    atomic_store(&slot->state, CT_FRAME_SLOT_FREE);
}

// --- The render thread ---------------------------------------------------------------------------

void ct_frame_slot_take(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    ct_frame_slot *const slot = user;
    // Copied: once the slot is drawn, the encoder may finish it and the update thread may free the stream.
    void (*const drawn)(void *user) = slot->stream->drawn;
    void *const drawn_user = slot->stream->user;
    slot->width = pixels ? width : 0;
    slot->height = pixels ? height : 0;
    slot->pixels.count = 0;
    if (pixels)
        ct_array_push_many(&slot->pixels, pixels, width * height * 4);
    atomic_store(&slot->state, CT_FRAME_SLOT_DRAWN);
    drawn(drawn_user);
}

// --- The encoder ---------------------------------------------------------------------------------

// How large and how good pictures are at a level.
static const struct {
    double scale, quality;
} levels[CT_FRAME_MAX_LEVEL + 1] = {{1, 1}, {1, 0.7}, {0.5, 0.7}, {0.5, 0.4}};

// Makes the picture in `next` of its size, which it returns.
static void shrink(ct_frame_stream *s, const ct_frame_slot *slot, uint32_t *width,
                   uint32_t *height) {
    const double scale = levels[slot->level].scale;
    const uint32_t most_width = (uint32_t)(s->desc.width * scale);
    const uint32_t most_height = (uint32_t)(s->desc.height * scale);
    ct_frame_fit(slot->width, slot->height, most_width, most_height, width, height);
    ct_array_resize(&s->next, *width * *height * 4);
    ct_frame_shrink(slot->pixels.items, slot->width, slot->height, s->next.items, *width, *height);
}

// Appends a part of `next` to the binary data. Returns false with `error`.
static bool add_jpeg(ct_frame_stream *s, ct_frame_slot *slot, uint32_t width,
                     const ct_frame_part *part, ct_error *error) {
    if (!s->compressor)
        s->compressor = s->jpeg->tjInitCompress();
    if (!s->compressor)
        return ct_error_set(error, "no memory for the encoder");
    const uint32_t begin = slot->binary.count;
    unsigned long bytes = s->jpeg->tjBufSize((int)part->width, (int)part->height, TJSAMP_420);
    ct_array_resize(&slot->binary, begin + (uint32_t)bytes);
    unsigned char *to = slot->binary.items + begin;
    const int quality = (int)(s->desc.quality * levels[slot->level].quality + 0.5);
    if (s->jpeg->tjCompress2(s->compressor, s->next.items + 4 * ((size_t)width * part->y + part->x),
                             (int)part->width, (int)(4 * width), (int)part->height, TJPF_RGBX, &to,
                             &bytes, TJSAMP_420, quality < 1 ? 1 : quality, TJFLAG_NOREALLOC) != 0)
        return ct_error_set(error, "%s", s->jpeg->tjGetErrorStr2(s->compressor));
    slot->binary.count = begin + (uint32_t)bytes;
    return true;
}

static bool add_png(ct_frame_stream *s, ct_frame_slot *slot, uint32_t width,
                    const ct_frame_part *part, ct_error *error) {
    s->part_pixels.count = 0;
    for (uint32_t y = part->y; y < part->y + part->height; ++y)
        ct_array_push_many(&s->part_pixels, s->next.items + 4 * ((size_t)width * y + part->x),
                           4 * part->width);
    return ct_png_encode(s->part_pixels.items, part->width, part->height, &slot->binary, error);
}

static void write_part(ct_sjson_writer *w, const ct_frame_part *part, uint32_t bytes) {
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "x", part->x);
    ct_sjson_member_number(w, "y", part->y);
    ct_sjson_member_number(w, "width", part->width);
    ct_sjson_member_number(w, "height", part->height);
    ct_sjson_member_number(w, "bytes", bytes);
    ct_sjson_end_object(w);
}

// Writes the message of the parts; leaves it empty with `error` when one cannot be encoded.
static void write_message(ct_frame_stream *s, ct_frame_slot *slot, uint32_t width, uint32_t height,
                          ct_error *error) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &slot->json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "frame");
    ct_sjson_member_number(&w, "stream", s->desc.number);
    slot->number = ++s->number;
    ct_sjson_member_number(&w, "number", slot->number);
    ct_sjson_member_number(&w, "width", width);
    ct_sjson_member_number(&w, "height", height);
    ct_sjson_member_number(&w, "level", slot->level);
    ct_sjson_member_string(&w, "format", s->desc.is_png ? "png" : "jpeg");
    ct_sjson_write_key(&w, "tiles");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < s->parts.count; ++i) {
        const uint32_t begin = slot->binary.count;
        if (!(s->desc.is_png ? add_png : add_jpeg)(s, slot, width, &s->parts.items[i], error)) {
            ct_string_builder_clear(&slot->json);
            slot->binary.count = 0;
            return;
        }
        write_part(&w, &s->parts.items[i], slot->binary.count - begin);
    }
    ct_sjson_end_array(&w);
    ct_sjson_member_number(&w, "binary_size", slot->binary.count);
    ct_sjson_end_object(&w);
}

static void encode(ct_frame_stream *s, ct_frame_slot *slot) {
    CT_PROFILER_SCOPE("encode frame");
    uint32_t width, height;
    shrink(s, slot, &width, &height);
    const bool is_new = slot->is_whole || width != s->shown_width || height != s->shown_height;
    ct_frame_find_changes(s->next.items, is_new ? NULL : s->shown.items, width, height, &s->parts);
    if (s->parts.count == 0)
        return;
    ct_error error = {0};
    write_message(s, slot, width, height, &error);
    if (error.message[0] != '\0') {
        ct_log_error_limited("console", "frame_not_encoded", "a frame was not sent: %s",
                             error.message);
        s->shown_width = 0; // the next one is whole
        return;
    }
    const ct_byte_array before = s->shown;
    s->shown = s->next;
    s->next = before;
    s->shown_width = width;
    s->shown_height = height;
}

bool ct_frame_stream_encode(ct_frame_stream *s) {
    ct_frame_slot *const slot = &s->slots[s->next_encoded % CT_FRAME_SLOTS];
    if (atomic_load(&slot->state) != CT_FRAME_SLOT_DRAWN)
        return false;
    if (slot->width != 0)
        encode(s, slot);
    ++s->next_encoded;
    atomic_store(&slot->state, CT_FRAME_SLOT_READY);
    return true;
}
