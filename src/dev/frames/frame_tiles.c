#include "dev/frames/frame_tiles.h"

#include <string.h>

static uint32_t at_least_1(double x) {
    return x < 1 ? 1 : (uint32_t)x;
}

void ct_frame_fit(uint32_t width, uint32_t height, uint32_t most_width, uint32_t most_height,
                  uint32_t *fit_width, uint32_t *fit_height) {
    const double by_width = (double)most_width / width, by_height = (double)most_height / height;
    const double least = by_width < by_height ? by_width : by_height;
    const double scale = least < 1 ? least : 1;
    *fit_width = at_least_1(width * scale + 0.5);
    *fit_height = at_least_1(height * scale + 0.5);
}

// Adds the pixels of a row to sums of the columns that they belong to.
static void shrink_row(const uint8_t *const *rows, uint32_t num_rows, uint32_t width, uint8_t *to,
                       uint32_t to_width) {
    for (uint32_t x = 0; x < to_width; ++x) {
        const uint32_t first = (uint32_t)((uint64_t)x * width / to_width);
        const uint32_t end = (uint32_t)((uint64_t)(x + 1) * width / to_width);
        uint32_t sums[4] = {0};
        for (uint32_t r = 0; r < num_rows; ++r) {
            for (const uint8_t *p = rows[r] + 4 * (size_t)first; p < rows[r] + 4 * (size_t)end;
                 p += 4) {
                sums[0] += p[0];
                sums[1] += p[1];
                sums[2] += p[2];
                sums[3] += p[3];
            }
        }
        const uint32_t count = (end - first) * num_rows;
        for (uint32_t c = 0; c < 4; ++c)
            *to++ = (uint8_t)((sums[c] + count / 2) / count);
    }
}

void ct_frame_shrink(const uint8_t *from, uint32_t width, uint32_t height, uint8_t *to,
                     uint32_t to_width, uint32_t to_height) {
    enum { MAX_ROWS = 64 }; // more are not looked at
    if (to_width == width && to_height == height) {
        memmove(to, from, (size_t)width * height * 4);
        return;
    }
    for (uint32_t y = 0; y < to_height; ++y) {
        const uint32_t first = (uint32_t)((uint64_t)y * height / to_height);
        const uint32_t end = (uint32_t)((uint64_t)(y + 1) * height / to_height);
        const uint8_t *rows[MAX_ROWS];
        const uint32_t num_rows = end - first < MAX_ROWS ? end - first : MAX_ROWS;
        for (uint32_t r = 0; r < num_rows; ++r)
            rows[r] = from + 4 * (size_t)width * (first + r);
        shrink_row(rows, num_rows, width, to + 4 * (size_t)to_width * y, to_width);
    }
}

static bool differs(const uint8_t *a, const uint8_t *b, uint32_t stride,
                    const ct_frame_part *part) {
    for (uint32_t y = part->y; y < part->y + part->height; ++y) {
        const size_t place = 4 * ((size_t)stride * y + part->x);
        if (memcmp(a + place, b + place, 4 * (size_t)part->width) != 0)
            return true;
    }
    return false;
}

static ct_frame_part tile_at(uint32_t column, uint32_t row, uint32_t width, uint32_t height) {
    const uint32_t x = column * CT_FRAME_TILE, y = row * CT_FRAME_TILE;
    return (ct_frame_part){x, y, width - x < CT_FRAME_TILE ? width - x : CT_FRAME_TILE,
                           height - y < CT_FRAME_TILE ? height - y : CT_FRAME_TILE};
}

// Makes the part above that ends at this one's top longer, when it has the same columns; else adds it.
static void add_part(ct_frame_part_array *parts, ct_frame_part part) {
    for (uint32_t i = parts->count; i > 0; --i) {
        ct_frame_part *const above = &parts->items[i - 1];
        if (above->x == part.x && above->width == part.width &&
            above->y + above->height == part.y) {
            above->height += part.height;
            return;
        }
    }
    ct_array_push(parts, part);
}

void ct_frame_find_changes(const uint8_t *picture, const uint8_t *before, uint32_t width,
                           uint32_t height, ct_frame_part_array *parts) {
    parts->count = 0;
    const ct_frame_part all = {0, 0, width, height};
    uint64_t changed = 0;
    const uint32_t columns = (width + CT_FRAME_TILE - 1) / CT_FRAME_TILE;
    const uint32_t num_rows = (height + CT_FRAME_TILE - 1) / CT_FRAME_TILE;
    for (uint32_t row = 0; before && row < num_rows; ++row) {
        ct_frame_part run = {0};
        for (uint32_t column = 0; column < columns; ++column) {
            const ct_frame_part tile = tile_at(column, row, width, height);
            if (differs(picture, before, width, &tile)) {
                changed += (uint64_t)tile.width * tile.height;
                if (run.width == 0)
                    run = tile;
                else
                    run.width += tile.width;
            } else if (run.width != 0) {
                add_part(parts, run);
                run.width = 0;
            }
        }
        if (run.width != 0)
            add_part(parts, run);
    }
    if (!before || 2 * changed > (uint64_t)width * height) {
        parts->count = 0;
        ct_array_push(parts, all);
    }
}
