#include <math.h>

#include "text/text.h"

// Returns the first cluster that ends behind a byte.
static uint32_t cluster_at(const ct_text_layout *layout, uint32_t byte) {
    uint32_t low = 0, high = layout->num_clusters;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const ct_text_cluster *const c = &layout->clusters[middle];
        if (c->byte + c->num_bytes <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ct_text_caret caret_on(const ct_text_layout *layout, uint32_t line, float x) {
    const ct_text_line *const l = &layout->lines[line];
    return (ct_text_caret){
        .x = x, .bottom = l->y - l->descent, .top = l->y + l->ascent, .line = line};
}

// Returns the caret behind all text of the layout's last line.
static ct_text_caret last_caret(const ct_text_layout *layout) {
    const uint32_t index = layout->num_lines - 1;
    const ct_text_line *const line = &layout->lines[index];
    if (line->num_clusters > 0)
        return caret_on(layout, index,
                        layout->clusters[line->first_cluster + line->num_clusters - 1].end_x);
    return caret_on(layout, index, line->is_right_to_left ? line->x + line->width : line->x);
}

ct_text_caret ct_text_caret_at(const ct_text_layout *layout, uint32_t byte) {
    const uint32_t cluster = cluster_at(layout, byte);
    if (cluster == layout->num_clusters)
        return last_caret(layout);
    const ct_text_cluster *const c = &layout->clusters[cluster];
    return caret_on(layout, c->line, c->start_x);
}

// Returns the line that a point is on, or the nearest one.
static uint32_t line_at(const ct_text_layout *layout, float y) {
    uint32_t low = 0, high = layout->num_lines - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const ct_text_line *const above = &layout->lines[middle], *const below = above + 1;
        const float border = (above->y - above->descent + below->y + below->ascent) / 2;
        if (y < border)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t ct_text_hit(const ct_text_layout *layout, float x, float y) {
    const ct_text_line *const line = &layout->lines[line_at(layout, y)];
    const ct_text_cluster *const clusters = layout->clusters + line->first_cluster;
    uint32_t byte = line->byte;
    float nearest = INFINITY;
    for (uint32_t i = 0; i < line->num_clusters; ++i) {
        const float before = fabsf(clusters[i].start_x - x), behind = fabsf(clusters[i].end_x - x);
        if (before < nearest) {
            nearest = before;
            byte = clusters[i].byte;
        }
        const bool is_last = i + 1 == line->num_clusters;
        // The end of a line is the start of the next one, unless it is the text's end.
        if (behind < nearest && (!is_last || line == &layout->lines[layout->num_lines - 1])) {
            nearest = behind;
            byte = clusters[i].byte + clusters[i].num_bytes;
        }
    }
    return byte;
}
