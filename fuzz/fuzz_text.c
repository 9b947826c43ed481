// Lays out random text with random options: characters of many scripts, controls, marks, markup,
// invalid bytes. A layout must hold together.
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/string/utf8.h"
#include "support/input_bytes.h"
#include "support/test_font.h"
#include "text/text.h"

#include <math.h>
#include <string.h>

enum { MAX_BYTES = 600, NUM_LAYOUTS = 3 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ct_text *engine;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    ct_log_init(ct_memory_heap()); // without sinks: warnings are not written
    static const char *const paths[] = {TEST_FONT_DEJAVU,     TEST_FONT_ARABIC, TEST_FONT_HEBREW,
                                        TEST_FONT_DEVANAGARI, TEST_FONT_THAI,   TEST_FONT_CJK};
    ct_string_id64 names[CT_COUNT_OF(paths)];
    engine = ct_text_create(ct_memory_heap());
    for (uint32_t i = 0; i < CT_COUNT_OF(paths); ++i) {
        names[i] = (ct_string_id64){i + 1};
        ct_text_set_font(engine, names[i], test_font_of(ct_memory_heap(), paths[i], NULL, 0));
    }
    ct_text_set_fallbacks(engine, names, CT_COUNT_OF(names));
    return 0;
}

// Where characters are taken from: the first of each block, and how many.
static const struct {
    uint32_t first, count;
} blocks[] = {{0x20, 95},    {0x0, 32},      {0x80, 256},    {0x300, 112},  {0x370, 144},
              {0x590, 112},  {0x600, 256},   {0x900, 128},   {0xe00, 128},  {0x1100, 256},
              {0x1780, 128}, {0x2000, 112},  {0x3000, 256},  {0x4e00, 512}, {0xac00, 512},
              {0xfb00, 80},  {0xfe00, 16},   {0x1f300, 512}, {0x1f1e6, 26}, {0xe0000, 128},
              {0x10330, 32}, {0x1e900, 100}, {0x10000, 64},  {0x202a, 5},   {0x2066, 4}};

static const char *const pieces[] = {
    "<u>",      "</u>", "</>",      "<size=30>", "<size=50%>", "<color=#ff0000>",
    "<font=x>", "&lt;", "<glow",    "\r\n",      "\xc2\xad",   " ",
    "fi",       "\xff", "\xe2\x80", "\t"};

static uint32_t make_text(char text[MAX_BYTES + 64]) {
    uint32_t length = 0;
    const uint32_t wanted = next_byte() * 2 + next_byte() % 64;
    uint32_t block = 0;
    while (length < wanted && length < MAX_BYTES) {
        const uint32_t choice = next_byte();
        if (choice < 24) {
            const char *const piece = pieces[next_byte() % CT_COUNT_OF(pieces)];
            memcpy(text + length, piece, strlen(piece));
            length += (uint32_t)strlen(piece);
            continue;
        }
        block = choice < 90 ? next_byte() % CT_COUNT_OF(blocks) : block;
        const uint32_t offset = (next_byte() << 8 | choice) % blocks[block].count;
        length += ct_utf8_encode(text + length, blocks[block].first + offset);
    }
    return length;
}

static float length_of(uint32_t byte) {
    static const float odd[] = {0, 0, 0, 1, -1, NAN, INFINITY, 1e9f};
    return byte < CT_COUNT_OF(odd) ? odd[byte] : (float)byte * 3;
}

static ct_text_desc make_desc(const char *text, uint32_t num_bytes) {
    const uint32_t flags = next_byte();
    return (ct_text_desc){
        .text = text,
        .num_bytes = num_bytes,
        .style = {.font = {next_byte() % 7 + 1}, .size = length_of(next_byte() / 4)},
        .width = length_of(next_byte()),
        .line_height = length_of(next_byte() / 16),
        .max_lines = next_byte() % 6,
        .align = (ct_text_align)(next_byte() % 6),
        .direction = (ct_text_direction)(next_byte() % 3),
        .has_ellipsis = flags & 1,
        .is_single_line = flags & 2,
        .has_markup = flags & 4,
    };
}

static void check_line(const ct_text_layout *l, uint32_t index) {
    const ct_text_line *const line = &l->lines[index];
    uint32_t byte = line->byte;
    for (uint32_t i = 0; i < line->num_clusters; ++i) {
        const ct_text_cluster *const c = &l->clusters[line->first_cluster + i];
        CT_ASSERT(c->byte == byte && c->num_bytes > 0 && c->line == index,
                  "cluster %u of line %u is at %u, expected %u", i, index, c->byte, byte);
        CT_ASSERT(isfinite(c->start_x) && isfinite(c->end_x), "cluster %u is nowhere", i);
        byte += c->num_bytes;
    }
    CT_ASSERT(byte == line->byte + line->num_bytes, "line %u ends at %u", index, byte);
    for (uint32_t i = 0; i < line->num_glyphs; ++i) {
        const ct_text_glyph *const g = &l->glyphs[line->first_glyph + i];
        CT_ASSERT(g->style < l->num_styles && ct_text_font_blob(engine, g->font), "glyph %u", i);
        CT_ASSERT(isfinite(g->x) && isfinite(g->y), "glyph %u is nowhere", i);
        CT_ASSERT(g->byte >= line->byte && g->byte <= byte, "glyph %u is of byte %u", i, g->byte);
    }
}

static void check_layout(const ct_text_layout *l) {
    CT_ASSERT(ct_utf8_is_valid(l->plain, l->num_plain_bytes), "not UTF-8%s", "");
    CT_ASSERT(l->num_lines > 0 && isfinite(l->advance), "%u lines", l->num_lines);
    CT_ASSERT(l->left <= l->right && l->bottom <= l->top, "the rectangle is inside out%s", "");
    uint32_t glyph = 0, cluster = 0;
    for (uint32_t i = 0; i < l->num_lines; ++i) {
        CT_ASSERT(l->lines[i].first_glyph == glyph && l->lines[i].first_cluster == cluster,
                  "line %u does not follow", i);
        check_line(l, i);
        glyph += l->lines[i].num_glyphs;
        cluster += l->lines[i].num_clusters;
    }
    CT_ASSERT(glyph == l->num_glyphs && cluster == l->num_clusters, "lines do not have all%s", "");
    for (uint32_t byte = 0; byte <= l->num_plain_bytes; byte += 7) {
        const ct_text_caret caret = ct_text_caret_at(l, byte);
        CT_ASSERT(caret.line < l->num_lines, "caret on line %u", caret.line);
        CT_ASSERT(ct_text_hit(l, caret.x, caret.bottom) <= l->num_plain_bytes, "hit of byte %u",
                  byte);
    }
}

static void check_wrap(const char *text, uint32_t num_bytes) {
    const ct_text_wrap_desc desc = {.text = text,
                                    .num_bytes = num_bytes,
                                    .font = {1},
                                    .size = 16,
                                    .width = length_of(next_byte()),
                                    .whitespace = " \t",
                                    .soft_dividers = "-",
                                    .return_dividers = "\n"};
    const char *plain;
    uint32_t count;
    const ct_text_range *const ranges = ct_text_word_wrap(engine, &desc, &plain, &count);
    uint32_t byte = 0;
    for (uint32_t i = 0; i < count; ++i) {
        CT_ASSERT(ranges[i].byte >= byte, "line %u starts at %u", i, ranges[i].byte);
        byte = ranges[i].byte + ranges[i].num_bytes;
    }
    CT_ASSERT(plain && count > 0 && byte <= 3 * num_bytes, "%u lines to byte %u", count, byte);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const languages[] = {"", "ja", "zh", "sr", "th", "xx-yy-zz"};
    char text[MAX_BYTES + 64];
    start_input(data, size);
    ct_text_set_language(engine, languages[next_byte() % CT_COUNT_OF(languages)]);
    const uint32_t num_bytes = make_text(text);
    for (uint32_t i = 0; i < NUM_LAYOUTS; ++i) {
        const ct_text_desc desc = make_desc(text, num_bytes);
        const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
        check_layout(l);
        CT_ASSERT(ct_text_layout_of(engine, &desc) == l, "the layout is not in the cache%s", "");
    }
    check_wrap(text, num_bytes);
    ct_text_has_all_glyphs(engine, (ct_string_id64){1}, text, num_bytes);
    for (uint32_t frame = 0; frame < 60; ++frame)
        ct_text_end_frame(engine);
    return 0;
}
