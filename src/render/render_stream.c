#include "render/render_stream.h"

#include <string.h>

#include "foundation/error.h"

_Static_assert(sizeof(ct_render_command_header) == 16, "payloads are aligned to 16");

void ct_render_stream_init(ct_render_stream *s, ct_allocator *a) {
    ct_array_init(&s->bytes, a);
}

void ct_render_stream_free(ct_render_stream *s) {
    ct_array_free(&s->bytes);
}

void ct_render_stream_clear(ct_render_stream *s) {
    s->bytes.count = 0;
}

void ct_render_stream_grow(ct_render_stream *s, uint64_t end) {
    CT_REQUIRE(end <= UINT32_MAX, "one frame's changes fill 4 GiB");
    ct_array_reserve(&s->bytes, end);
}

void *ct_render_stream_push(ct_render_stream *s, ct_render_command_type type,
                            uint64_t payload_bytes) {
    const uint64_t rounded = (payload_bytes + 15) & ~15ull;
    const uint64_t end = s->bytes.count + sizeof(ct_render_command_header) + rounded;
    if (end > s->bytes.capacity)
        ct_render_stream_grow(s, end);
    ct_render_command_header *const header = (void *)(s->bytes.items + s->bytes.count);
    s->last = s->bytes.count;
    *header = (ct_render_command_header){.type = type, .payload_bytes = rounded};
    s->bytes.count = (uint32_t)end;
    return header + 1;
}

const ct_render_command_header *ct_render_stream_next(const ct_render_stream *s, uint64_t *cursor,
                                                      const void **payload) {
    if (*cursor == s->bytes.count)
        return NULL;
    const ct_render_command_header *const header = (const void *)(s->bytes.items + *cursor);
    *payload = header + 1;
    *cursor += sizeof(*header) + header->payload_bytes;
    return header;
}

void ct_render_stream_refuse_screenshots(const ct_render_stream *s) {
    uint64_t cursor = 0;
    const void *payload;
    const ct_render_command_header *header;
    while ((header = ct_render_stream_next(s, &cursor, &payload))) {
        const ct_render_command_screenshot *const x = payload;
        if (header->type == CT_RENDER_COMMAND_TYPE_SCREENSHOT)
            x->done(x->user, NULL, 0, 0);
        const ct_render_command_picture *const picture = payload;
        if (header->type == CT_RENDER_COMMAND_TYPE_PICTURE ||
            header->type == CT_RENDER_COMMAND_TYPE_DRAW_PICTURE) // begins with the picture
            picture->done(picture->user, NULL, 0, 0);
        const ct_render_command_emitter_read *const read = payload;
        if (header->type == CT_RENDER_COMMAND_TYPE_EMITTER_READ)
            read->done(read->user, NULL, 0, 0);
    }
}
