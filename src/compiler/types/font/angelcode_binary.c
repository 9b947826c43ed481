// The binary format, version 3: "BMF", the version, then blocks of a type, a size and that many
// bytes. Numbers are little-endian. The documentation counts the bits of a byte from the highest.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/font/angelcode_private.h"
#include "foundation/string/utf8.h"

#define FAIL(r, place, ...)                                                                        \
    ct_angelcode_fail((r)->font->format, (r)->file, (place), (r)->error, __VA_ARGS__)

enum {
    VERSION = 3,
    HEADER_BYTES = 4,
    BLOCK_HEADER_BYTES = 5,
    INFO_BYTES = 14, // before the name
    COMMON_BYTES = 15,
    CHAR_BYTES = 20,
    KERNING_BYTES = 10,
};

typedef enum block_type {
    BLOCK_TYPE_INFO = 1,
    BLOCK_TYPE_COMMON,
    BLOCK_TYPE_PAGES,
    BLOCK_TYPE_CHARS,
    BLOCK_TYPE_KERNINGS,
} block_type;

static const char *const block_names[] = {"", "info", "common", "pages", "chars", "kerning pairs"};

// Bits of the info and the common block.
enum {
    IS_SMOOTH = 0x80,
    IS_UNICODE = 0x40,
    IS_ITALIC = 0x20,
    IS_BOLD = 0x10,
    HAS_FIXED_HEIGHT = 0x08,
    IS_PACKED = 0x01,
};

// The names that the text and XML formats have for the numbers of Windows' character sets.
static const struct {
    const char *name;
    uint8_t number;
} charsets[] = {
    {"ANSI", 0},          {"DEFAULT", 1},      {"SYMBOL", 2},    {"MAC", 77},
    {"SHIFTJIS", 128},    {"HANGUL", 129},     {"JOHAB", 130},   {"GB2312", 134},
    {"CHINESEBIG5", 136}, {"GREEK", 161},      {"TURKISH", 162}, {"VIETNAMESE", 163},
    {"HEBREW", 177},      {"ARABIC", 178},     {"BALTIC", 186},  {"RUSSIAN", 204},
    {"THAI", 222},        {"EASTEUROPE", 238}, {"OEM", 255},
};

// --- Reading -------------------------------------------------------------------------------------

typedef struct block {
    uint32_t type;
    const uint8_t *bytes;
    uint32_t num_bytes, place; // of its first byte after the header
} block;

static int32_t u16_of(const uint8_t *p) {
    return p[0] | p[1] << 8;
}

static int32_t i16_of(const uint8_t *p) {
    return (int16_t)u16_of(p);
}

static uint32_t u32_of(const uint8_t *p) {
    return (uint32_t)u16_of(p) | (uint32_t)u16_of(p + 2) << 16;
}

// Returns the id of a character. An invalid id stays invalid as an int32_t, for the check that
// follows.
static int32_t id_of(const uint8_t *p) {
    const uint32_t id = u32_of(p);
    return id == UINT32_MAX || id <= INT32_MAX ? (int32_t)id : INT32_MAX;
}

// Copies a zero-terminated name.
static bool read_name(ct_angelcode_reader *r, const char *what, const uint8_t *bytes,
                      uint32_t num_bytes, uint32_t place, char name[CT_ANGELCODE_NAME_BYTES],
                      uint32_t *length) {
    const uint8_t *const end = memchr(bytes, 0, num_bytes);
    if (!end)
        return FAIL(r, place, "%s has no zero byte at its end before the block ends", what);
    *length = (uint32_t)(end - bytes);
    if (*length >= CT_ANGELCODE_NAME_BYTES)
        return FAIL(r, place, "%s has %u bytes; expected at most %d", what, *length,
                    CT_ANGELCODE_NAME_BYTES - 1);
    if (!ct_utf8_is_valid((const char *)bytes, *length))
        return FAIL(r, place, "%s is not text in UTF-8", what);
    for (uint32_t i = 0; i < *length; ++i) {
        if (bytes[i] < 32 || bytes[i] == 127)
            return FAIL(r, place + i, "%s has a control character", what);
    }
    memcpy(name, bytes, *length + 1);
    return true;
}

static void set_charset(ct_angelcode_info *info, uint8_t number) {
    snprintf(info->charset, sizeof(info->charset), "%u", number);
    for (uint32_t i = 0; i < CT_COUNT_OF(charsets); ++i) {
        if (charsets[i].number == number)
            snprintf(info->charset, sizeof(info->charset), "%s", charsets[i].name);
    }
    if (info->unicode)
        info->charset[0] = '\0';
}

static bool check_size(ct_angelcode_reader *r, const block *b, uint32_t least) {
    return b->num_bytes >= least ||
           FAIL(r, b->place, "the block of %s has %u bytes; expected at least %u",
                block_names[b->type], b->num_bytes, least);
}

static bool read_info(ct_angelcode_reader *r, const block *b) {
    ct_angelcode_info *const info = &r->font->info;
    const uint8_t *const p = b->bytes;
    uint32_t length = 0;
    if (!check_size(r, b, INFO_BYTES + 1))
        return false;
    info->size = i16_of(p);
    info->smooth = (p[2] & IS_SMOOTH) != 0;
    info->unicode = (p[2] & IS_UNICODE) != 0;
    info->italic = (p[2] & IS_ITALIC) != 0;
    info->bold = (p[2] & IS_BOLD) != 0;
    info->fixed_height = (p[2] & HAS_FIXED_HEIGHT) != 0;
    set_charset(info, p[3]);
    info->stretch_height = u16_of(p + 4);
    info->anti_aliasing = p[6];
    for (uint32_t i = 0; i < 4; ++i)
        info->padding[i] = p[7 + i];
    info->spacing[0] = p[11];
    info->spacing[1] = p[12];
    info->outline = p[13];
    r->has_info = true;
    return read_name(r, "the name of the font", p + INFO_BYTES, b->num_bytes - INFO_BYTES,
                     b->place + INFO_BYTES, info->face, &length);
}

static bool read_common(ct_angelcode_reader *r, const block *b) {
    const uint8_t *const p = b->bytes;
    if (!check_size(r, b, COMMON_BYTES))
        return false;
    r->has_common = true;
    r->font->common = (ct_angelcode_common){.line_height = u16_of(p),
                                            .base = u16_of(p + 2),
                                            .scale_width = u16_of(p + 4),
                                            .scale_height = u16_of(p + 6),
                                            .num_pages = u16_of(p + 8),
                                            .packed = p[10] & IS_PACKED,
                                            .alpha_channel = p[11],
                                            .red_channel = p[12],
                                            .green_channel = p[13],
                                            .blue_channel = p[14]};
    return ct_angelcode_check_record(r, &ct_angelcode_common_table, &r->font->common, b->place);
}

static bool read_pages(ct_angelcode_reader *r, const block *b) {
    for (uint32_t at = 0; at < b->num_bytes;) {
        ct_angelcode_page page = {.id = (int32_t)r->font->pages.count, .place = b->place + at};
        uint32_t length = 0;
        if (!read_name(r, "the file name of a page", b->bytes + at, b->num_bytes - at, page.place,
                       page.file, &length) ||
            !ct_angelcode_add_page(r, &page))
            return false;
        at += length + 1;
    }
    return true;
}

static bool check_items(ct_angelcode_reader *r, const block *b, uint32_t item_bytes) {
    return b->num_bytes % item_bytes == 0 ||
           FAIL(r, b->place, "the block of %s has %u bytes; expected a multiple of %u",
                block_names[b->type], b->num_bytes, item_bytes);
}

static bool read_chars(ct_angelcode_reader *r, const block *b) {
    if (!check_items(r, b, CHAR_BYTES))
        return false;
    for (uint32_t at = 0; at < b->num_bytes; at += CHAR_BYTES) {
        const uint8_t *const p = b->bytes + at;
        const ct_angelcode_char c = {.id = id_of(p),
                                     .x = u16_of(p + 4),
                                     .y = u16_of(p + 6),
                                     .width = u16_of(p + 8),
                                     .height = u16_of(p + 10),
                                     .x_offset = i16_of(p + 12),
                                     .y_offset = i16_of(p + 14),
                                     .x_advance = i16_of(p + 16),
                                     .page = p[18],
                                     .channel = p[19],
                                     .place = b->place + at};
        if (!ct_angelcode_check_record(r, &ct_angelcode_char_table, &c, c.place) ||
            !ct_angelcode_add_char(r, &c))
            return false;
    }
    return true;
}

static bool read_kernings(ct_angelcode_reader *r, const block *b) {
    if (!check_items(r, b, KERNING_BYTES))
        return false;
    for (uint32_t at = 0; at < b->num_bytes; at += KERNING_BYTES) {
        const uint8_t *const p = b->bytes + at;
        const ct_angelcode_kerning k = {.first = id_of(p),
                                        .second = id_of(p + 4),
                                        .amount = i16_of(p + 8),
                                        .place = b->place + at};
        if (!ct_angelcode_check_record(r, &ct_angelcode_kerning_table, &k, k.place) ||
            !ct_angelcode_add_kerning(r, &k))
            return false;
    }
    return true;
}

static bool read_block(ct_angelcode_reader *r, const block *b) {
    switch (b->type) {
    case BLOCK_TYPE_INFO:
        return read_info(r, b);
    case BLOCK_TYPE_COMMON:
        return read_common(r, b);
    case BLOCK_TYPE_PAGES:
        return read_pages(r, b);
    case BLOCK_TYPE_CHARS:
        return read_chars(r, b);
    default:
        return read_kernings(r, b);
    }
}

bool ct_angelcode_read_binary(ct_angelcode_reader *r, const uint8_t *bytes, uint64_t num_bytes) {
    uint32_t seen = 0;
    if (num_bytes < HEADER_BYTES || bytes[3] != VERSION)
        return FAIL(r, 3, "found version %u of the binary format; expected version %d",
                    num_bytes < HEADER_BYTES ? 0u : bytes[3], VERSION);
    for (uint64_t at = HEADER_BYTES; at < num_bytes;) {
        const uint32_t place = (uint32_t)at;
        if (num_bytes - at < BLOCK_HEADER_BYTES)
            return FAIL(r, place, "the file ends inside of the header of a block");
        const block b = {bytes[at], bytes + at + BLOCK_HEADER_BYTES, u32_of(bytes + at + 1),
                         place + BLOCK_HEADER_BYTES};
        if (b.type < BLOCK_TYPE_INFO || b.type > BLOCK_TYPE_KERNINGS)
            return FAIL(r, place, "found a block of type %u; expected 1 to 5", b.type);
        if (num_bytes - at - BLOCK_HEADER_BYTES < b.num_bytes)
            return FAIL(r, place, "the file ends inside of the block of %s: it has %u bytes",
                        block_names[b.type], b.num_bytes);
        if (seen >> b.type & 1)
            return FAIL(r, place, "the block of %s is there twice", block_names[b.type]);
        seen |= 1u << b.type;
        if (!read_block(r, &b))
            return false;
        at += BLOCK_HEADER_BYTES + (uint64_t)b.num_bytes;
    }
    return true;
}

// --- Writing -------------------------------------------------------------------------------------

static void add_u8(ct_byte_array *out, int32_t value) {
    ct_array_push(out, (uint8_t)value);
}

static void add_u16(ct_byte_array *out, int32_t value) {
    add_u8(out, value & 255);
    add_u8(out, value >> 8 & 255);
}

static void add_u32(ct_byte_array *out, uint32_t value) {
    add_u16(out, (int32_t)(value & 0xffff));
    add_u16(out, (int32_t)(value >> 16));
}

static void add_name(ct_byte_array *out, const char *name) {
    ct_array_push_many(out, (const uint8_t *)name, strlen(name) + 1);
}

static void add_block(ct_byte_array *out, block_type type, uint32_t num_bytes) {
    add_u8(out, (int32_t)type);
    add_u32(out, num_bytes);
}

// The number of a character set; false for a name that has none.
static bool charset_number(const ct_angelcode_info *info, int32_t *number, ct_error *error) {
    char *end = NULL;
    *number = 0;
    if (info->charset[0] == '\0')
        return true;
    for (uint32_t i = 0; i < CT_COUNT_OF(charsets); ++i) {
        if (strcmp(charsets[i].name, info->charset) == 0) {
            *number = charsets[i].number;
            return true;
        }
    }
    const long parsed = strtol(info->charset, &end, 10);
    *number = (int32_t)parsed;
    return (*end == '\0' && parsed >= 0 && parsed <= UINT8_MAX) ||
           ct_error_set(error,
                        "the binary format has no number for the charset \"%s\"; write text or "
                        "XML, or name a charset of Windows (ANSI, GREEK, ...)",
                        info->charset);
}

static void write_info(const ct_angelcode_info *info, int32_t charset, ct_byte_array *out) {
    add_block(out, BLOCK_TYPE_INFO, INFO_BYTES + (uint32_t)strlen(info->face) + 1);
    add_u16(out, info->size);
    add_u8(out, (info->smooth ? IS_SMOOTH : 0) | (info->unicode ? IS_UNICODE : 0) |
                    (info->italic ? IS_ITALIC : 0) | (info->bold ? IS_BOLD : 0) |
                    (info->fixed_height ? HAS_FIXED_HEIGHT : 0));
    add_u8(out, charset);
    add_u16(out, info->stretch_height);
    add_u8(out, info->anti_aliasing);
    for (uint32_t i = 0; i < 4; ++i)
        add_u8(out, info->padding[i]);
    add_u8(out, info->spacing[0]);
    add_u8(out, info->spacing[1]);
    add_u8(out, info->outline);
    add_name(out, info->face);
}

static void write_common(const ct_angelcode_common *common, ct_byte_array *out) {
    add_block(out, BLOCK_TYPE_COMMON, COMMON_BYTES);
    add_u16(out, common->line_height);
    add_u16(out, common->base);
    add_u16(out, common->scale_width);
    add_u16(out, common->scale_height);
    add_u16(out, common->num_pages);
    add_u8(out, common->packed ? IS_PACKED : 0);
    add_u8(out, common->alpha_channel);
    add_u8(out, common->red_channel);
    add_u8(out, common->green_channel);
    add_u8(out, common->blue_channel);
}

static bool write_pages(const ct_angelcode *font, ct_byte_array *out, ct_error *error) {
    const size_t length = strlen(font->pages.items[0].file);
    add_block(out, BLOCK_TYPE_PAGES, (uint32_t)(length + 1) * font->pages.count);
    for (uint32_t i = 0; i < font->pages.count; ++i) {
        if (strlen(font->pages.items[i].file) != length)
            return ct_error_set(error,
                                "the binary format cannot hold the file names of pages of several "
                                "lengths: %s, %s",
                                font->pages.items[0].file, font->pages.items[i].file);
        add_name(out, font->pages.items[i].file);
    }
    return true;
}

static void write_chars(const ct_angelcode *font, ct_byte_array *out) {
    add_block(out, BLOCK_TYPE_CHARS, CHAR_BYTES * font->chars.count);
    for (uint32_t i = 0; i < font->chars.count; ++i) {
        const ct_angelcode_char *const c = &font->chars.items[i];
        add_u32(out, (uint32_t)c->id);
        add_u16(out, c->x);
        add_u16(out, c->y);
        add_u16(out, c->width);
        add_u16(out, c->height);
        add_u16(out, c->x_offset);
        add_u16(out, c->y_offset);
        add_u16(out, c->x_advance);
        add_u8(out, c->page);
        add_u8(out, c->channel);
    }
}

static void write_kernings(const ct_angelcode *font, ct_byte_array *out) {
    if (font->kernings.count == 0)
        return;
    add_block(out, BLOCK_TYPE_KERNINGS, KERNING_BYTES * font->kernings.count);
    for (uint32_t i = 0; i < font->kernings.count; ++i) {
        add_u32(out, (uint32_t)font->kernings.items[i].first);
        add_u32(out, (uint32_t)font->kernings.items[i].second);
        add_u16(out, font->kernings.items[i].amount);
    }
}

bool ct_angelcode_write_binary(const ct_angelcode *font, ct_byte_array *out, ct_error *error) {
    int32_t charset = 0;
    if (!charset_number(&font->info, &charset, error))
        return false;
    ct_array_push_many(out, (const uint8_t *)"BMF", 3);
    add_u8(out, VERSION);
    write_info(&font->info, charset, out);
    write_common(&font->common, out);
    if (!write_pages(font, out, error))
        return false;
    write_chars(font, out);
    write_kernings(font, out);
    return true;
}
