#include "dev/overlay/overlay_texts.h"

#include <string.h>

#include "foundation/string/utf8.h"
#include "script/gui/api_gui.h"

static ct_overlay_text *add_place(ct_overlay_texts *texts) {
    if (texts->count == CT_OVERLAY_TEXTS)
        memmove(texts->items, texts->items + 1, sizeof(texts->items[0]) * --texts->count);
    return &texts->items[texts->count++];
}

void ct_overlay_texts_add(ct_overlay_texts *texts, ct_vec3 color, const char *text,
                          uint64_t now_ns) {
    const float linear[4] = {color.x, color.y, color.z, 1};
    for (const char *line = text;;) {
        char whole[4 * CT_OVERLAY_TEXT_BYTES];
        const size_t bytes = strcspn(line, "\n");
        const size_t kept = bytes < sizeof(whole) ? bytes : sizeof(whole) - 1;
        ct_overlay_text *const added = add_place(texts);
        memcpy(whole, line, kept);
        whole[kept] = '\0';
        ct_utf8_write_printable(added->text, sizeof(added->text), whole);
        added->color = ct_gui_color_of(linear);
        added->end_ns = now_ns + CT_OVERLAY_TEXT_SECONDS * UINT64_C(1000000000);
        if (!line[bytes])
            return;
        line += bytes + 1;
    }
}

// They end in the order in which they were added.
void ct_overlay_texts_expire(ct_overlay_texts *texts, uint64_t now_ns) {
    uint32_t num_over = 0;
    while (num_over < texts->count && texts->items[num_over].end_ns <= now_ns)
        ++num_over;
    texts->count -= num_over;
    memmove(texts->items, texts->items + num_over, sizeof(texts->items[0]) * texts->count);
}
