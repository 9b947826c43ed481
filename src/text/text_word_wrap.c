#include <string.h>

#include "foundation/string/utf8.h"
#include "text/text_private.h"

typedef struct wrap {
    const ct_text_wrap_desc *desc;
    const ct_text_layout *layout;
    ct_text_ranges *ranges;
    uint32_t begin;     // byte where the line starts
    uint32_t candidate; // cluster that the next line starts with if the line ends here; 0: none
} wrap;

// Returns whether the character at `at` is one of `set`.
static bool is_in(const char *set, const char *at) {
    const uint32_t length = ct_utf8_length(at, strnlen(at, 4) + 1);
    const uint64_t set_bytes = set ? strlen(set) : 0;
    for (uint64_t i = 0; i < set_bytes;) {
        const uint32_t own = ct_utf8_length(set + i, set_bytes - i);
        if (own == length && memcmp(set + i, at, length) == 0)
            return true;
        i += own > 0 ? own : 1;
    }
    return false;
}

static const char *text_of(const wrap *w, uint32_t cluster) {
    return w->layout->plain + w->layout->clusters[cluster].byte;
}

// Ends the line before byte `end`, without the white space there. The next one starts at `next`.
static void end_line(wrap *w, uint32_t end, uint32_t next) {
    const char *const plain = w->layout->plain;
    while (end > w->begin) {
        uint32_t before = end - 1;
        while (before > w->begin && ((uint8_t)plain[before] & 0xc0) == 0x80)
            --before;
        if (!is_in(w->desc->whitespace, plain + before))
            break;
        end = before;
    }
    ct_array_push(w->ranges, (ct_text_range){w->begin, end - w->begin});
    w->begin = next;
    w->candidate = 0;
}

static float width_of(const ct_text_cluster *c) {
    return c->end_x > c->start_x ? c->end_x - c->start_x : c->start_x - c->end_x;
}

static void wrap_clusters(wrap *w) {
    const ct_text_layout *const l = w->layout;
    float pen = 0;
    for (uint32_t i = 0; i < l->num_clusters; ++i) {
        const ct_text_cluster *const c = &l->clusters[i];
        const uint32_t end = c->byte + c->num_bytes;
        if (is_in(w->desc->return_dividers, text_of(w, i))) {
            end_line(w, c->byte, end);
            pen = 0;
            continue;
        }
        const bool is_white = is_in(w->desc->whitespace, text_of(w, i));
        const bool is_out = !is_white && pen + width_of(c) > w->desc->width;
        if (is_out && c->byte > w->begin) {
            i = w->candidate > 0 ? w->candidate : i;
            end_line(w, l->clusters[i].byte, l->clusters[i].byte);
            pen = 0;
            --i; // looked at again, in the next line
            continue;
        }
        pen += width_of(c);
        if (is_white || is_in(w->desc->soft_dividers, text_of(w, i)))
            w->candidate = i + 1;
    }
}

const ct_text_range *ct_text_word_wrap(ct_text *t, const ct_text_wrap_desc *desc,
                                       const char **plain, uint32_t *count) {
    const ct_text_desc text = {.text = desc->text,
                               .num_bytes = desc->num_bytes,
                               .style = {.font = desc->font, .size = desc->size},
                               .align = CT_TEXT_ALIGN_LEFT,
                               .is_single_line = true};
    wrap w = {.desc = desc, .layout = ct_text_layout_of(t, &text), .ranges = &t->ranges};
    t->ranges.count = 0;
    wrap_clusters(&w);
    ct_array_push(&t->ranges, (ct_text_range){w.begin, w.layout->num_plain_bytes - w.begin});
    *plain = w.layout->plain;
    *count = t->ranges.count;
    return t->ranges.items;
}
