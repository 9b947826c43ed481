#include "dev/overlay/overlay_line.h"

#include <string.h>

#include "foundation/string/utf8.h"

static bool is_middle(char byte) {
    return ((uint8_t)byte & 0xc0) == 0x80;
}

// The ends of the character before the caret and of the one behind it.
static uint32_t before(const ct_overlay_line *line) {
    uint32_t at = line->caret;
    while (at > 0 && is_middle(line->text[--at])) {
    }
    return at;
}

static uint32_t behind(const ct_overlay_line *line) {
    uint32_t at = line->caret;
    if (at < line->num_bytes)
        ++at;
    while (at < line->num_bytes && is_middle(line->text[at]))
        ++at;
    return at;
}

void ct_overlay_line_insert(ct_overlay_line *line, const char *text) {
    char shown[CT_OVERLAY_LINE_BYTES];
    const size_t given = strlen(text);
    uint32_t bytes = 0;
    if (!ct_utf8_is_valid(text, given) || given + line->num_bytes >= CT_OVERLAY_LINE_BYTES)
        return;
    for (size_t i = 0; i < given; ++i)
        if ((uint8_t)text[i] >= ' ' && text[i] != '\x7f')
            shown[bytes++] = text[i];
    memmove(line->text + line->caret + bytes, line->text + line->caret,
            line->num_bytes - line->caret + 1);
    memcpy(line->text + line->caret, shown, bytes);
    line->num_bytes += bytes;
    line->caret += bytes;
}

static void erase(ct_overlay_line *line, uint32_t from, uint32_t to) {
    memmove(line->text + from, line->text + to, line->num_bytes - to + 1);
    line->num_bytes -= to - from;
    line->caret = from;
}

static void show(ct_overlay_line *line, const char *text) {
    line->num_bytes = (uint32_t)strlen(text);
    memcpy(line->text, text, line->num_bytes + 1);
    line->caret = line->num_bytes;
}

static const char *history_at(const ct_overlay_line *line, uint32_t num_back) {
    return line->history[(line->num_entered - num_back) % CT_OVERLAY_HISTORY];
}

static void show_older(ct_overlay_line *line) {
    if (line->num_back == CT_OVERLAY_HISTORY || line->num_back == line->num_entered)
        return;
    if (line->num_back == 0)
        memcpy(line->draft, line->text, line->num_bytes + 1);
    ++line->num_back;
    show(line, history_at(line, line->num_back));
}

static void show_newer(ct_overlay_line *line) {
    if (line->num_back == 0)
        return;
    --line->num_back;
    show(line, line->num_back == 0 ? line->draft : history_at(line, line->num_back));
}

void ct_overlay_line_edit(ct_overlay_line *line, ct_overlay_edit edit) {
    switch (edit) {
    case CT_OVERLAY_EDIT_LEFT:
        line->caret = before(line);
        break;
    case CT_OVERLAY_EDIT_RIGHT:
        line->caret = behind(line);
        break;
    case CT_OVERLAY_EDIT_HOME:
        line->caret = 0;
        break;
    case CT_OVERLAY_EDIT_END:
        line->caret = line->num_bytes;
        break;
    case CT_OVERLAY_EDIT_BACKSPACE:
        erase(line, before(line), line->caret);
        break;
    case CT_OVERLAY_EDIT_DELETE:
        erase(line, line->caret, behind(line));
        break;
    case CT_OVERLAY_EDIT_OLDER:
        show_older(line);
        break;
    case CT_OVERLAY_EDIT_NEWER:
        show_newer(line);
        break;
    case CT_OVERLAY_EDIT_NONE:
        break;
    }
}

bool ct_overlay_line_enter(ct_overlay_line *line, char entered[CT_OVERLAY_LINE_BYTES]) {
    if (strspn(line->text, " ") == line->num_bytes)
        return false;
    memcpy(entered, line->text, line->num_bytes + 1);
    const bool is_repeated = line->num_entered > 0 && strcmp(history_at(line, 1), line->text) == 0;
    if (!is_repeated)
        memcpy(line->history[line->num_entered++ % CT_OVERLAY_HISTORY], line->text,
               line->num_bytes + 1);
    ct_overlay_line_clear(line);
    return true;
}

void ct_overlay_line_clear(ct_overlay_line *line) {
    line->text[0] = '\0';
    line->num_bytes = line->caret = line->num_back = 0;
}
