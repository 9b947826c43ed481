#include <stdio.h>
#include <string.h>

#include "cli/debug_prompt/debug_prompt_private.h"
#include "foundation/error.h"
#include "foundation/os/file.h"

enum { SHOWN_PARTS = 100, SHOWN_FRAMES = 64 };

// --- Sources -------------------------------------------------------------------------------------

// The path of a script's source: below the project, or below core for "core/…".
static bool path_of(const ct_debug_prompt *p, const char *script, char path[CT_PATH_BYTES]) {
    const bool is_core = strncmp(script, "core/", 5) == 0 && p->core[0] != '\0';
    const char *const folder = is_core ? p->core : p->project;
    const int length =
        snprintf(path, CT_PATH_BYTES, "%s/%s", folder, is_core ? script + 5 : script);
    return folder[0] != '\0' && length < CT_PATH_BYTES;
}

bool ct_debug_prompt_show_source(ct_debug_prompt *p, const char *script, uint32_t first,
                                 uint32_t last, uint32_t current) {
    char path[CT_PATH_BYTES];
    ct_error error = {.message = "the game did not say where its sources are"};
    uint64_t size;
    char *const text =
        path_of(p, script, path) ? ct_file_read(p->allocator, path, &size, &error) : NULL;
    if (!text) {
        ct_debug_prompt_error(p, "cannot show %s: %s", script, error.message);
        return false;
    }
    const char *at = text;
    uint32_t line = 1;
    for (; *at != '\0' && line <= last; ++line) {
        const int bytes = (int)strcspn(at, "\n");
        if (line >= first)
            ct_debug_prompt_print(p, "%c%5u  %.*s", line == current ? '>' : ' ', line, bytes, at);
        at += bytes + (at[bytes] == '\n');
    }
    ct_free(p->allocator, text);
    if (line > first)
        return true;
    ct_debug_prompt_error(p, "%s has %u lines; expected a line of these", script, line - 1);
    return false;
}

// --- Frames --------------------------------------------------------------------------------------

static ct_sjson *ask_for_frames(ct_debug_prompt *p, uint32_t first, uint32_t count) {
    ct_sjson_writer *const w = ct_debug_prompt_begin(p, "debugger_stack");
    ct_sjson_member_number(w, "thread", p->thread);
    ct_sjson_member_number(w, "first", first);
    ct_sjson_member_number(w, "count", count);
    return ct_debug_prompt_ask(p);
}

static ct_sjson_value first_of(const ct_sjson *doc, const char *key) {
    return ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), key));
}

bool ct_debug_prompt_choose_frame(ct_debug_prompt *p, uint32_t level) {
    ct_sjson *const doc = ask_for_frames(p, level, 1);
    if (!doc)
        return false;
    const ct_sjson_value frame = first_of(doc, "frames");
    const bool is_there = frame.entry != 0;
    if (is_there) {
        p->level = level;
        p->frame = ct_debug_prompt_number(doc, frame, "frame");
        p->source_line = ct_debug_prompt_number(doc, frame, "line");
        snprintf(p->script, sizeof(p->script), "%s", ct_debug_prompt_text(doc, frame, "script"));
    } else {
        ct_debug_prompt_error(p, "there are %u frames, from 0 on; `where` lists them",
                              ct_debug_prompt_number(doc, ct_sjson_root(doc), "total"));
    }
    ct_sjson_free(doc);
    return is_there;
}

void ct_debug_prompt_show_frame(ct_debug_prompt *p) {
    if (p->source_line == 0)
        ct_debug_prompt_print(p, "frame %u: a function of the engine", p->level);
    else
        ct_debug_prompt_show_source(p, p->script, p->source_line, p->source_line, p->source_line);
}

void ct_debug_prompt_show_stack(ct_debug_prompt *p) {
    ct_sjson *const doc = ask_for_frames(p, 0, SHOWN_FRAMES);
    if (!doc)
        return;
    uint32_t level = 0;
    ct_sjson_value frame = first_of(doc, "frames");
    for (; frame.entry != 0; frame = ct_sjson_next(doc, frame), ++level) {
        const uint32_t line = ct_debug_prompt_number(doc, frame, "line");
        char place[300] = "";
        if (line > 0)
            snprintf(place, sizeof(place), "  %s:%u", ct_debug_prompt_text(doc, frame, "script"),
                     line);
        ct_debug_prompt_print(p, "%c%3u  %s%s", level == p->level ? '>' : ' ', level,
                              ct_debug_prompt_text(doc, frame, "name"), place);
    }
    const uint32_t total = ct_debug_prompt_number(doc, ct_sjson_root(doc), "total");
    if (total > level)
        ct_debug_prompt_print(p, "  … %u more", total - level);
    ct_sjson_free(doc);
}

// --- Values --------------------------------------------------------------------------------------

void ct_debug_prompt_show_parts(ct_debug_prompt *p, uint32_t value, const char *indent) {
    ct_sjson_writer *const w = ct_debug_prompt_begin(p, "debugger_values");
    ct_sjson_member_number(w, "value", value);
    ct_sjson_member_number(w, "count", SHOWN_PARTS);
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return;
    uint32_t count = 0;
    ct_sjson_value part = first_of(doc, "values");
    for (; part.entry != 0; part = ct_sjson_next(doc, part), ++count)
        ct_debug_prompt_print(p, "%s%s = %s", indent, ct_debug_prompt_text(doc, part, "name"),
                              ct_debug_prompt_text(doc, part, "text"));
    const uint32_t total = ct_debug_prompt_number(doc, ct_sjson_root(doc), "total");
    if (total > count)
        ct_debug_prompt_print(p, "%s… %u more", indent, total - count);
    ct_sjson_free(doc);
}

bool ct_debug_prompt_show_value(ct_debug_prompt *p, const char *text, bool with_parts) {
    ct_sjson_writer *const w = ct_debug_prompt_begin(p, "debugger_evaluate");
    ct_sjson_member_string(w, "text", text);
    if (p->is_stopped)
        ct_sjson_member_number(w, "frame", p->frame);
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const shown = ct_debug_prompt_text(doc, root, "text");
    const uint32_t value = ct_debug_prompt_number(doc, root, "value");
    if (!with_parts)
        ct_debug_prompt_print(p, "%s = %s", text, shown);
    else if (shown[0] != '\0')
        ct_debug_prompt_print(p, "%s", shown);
    ct_sjson_free(doc);
    if (with_parts && value != 0)
        ct_debug_prompt_show_parts(p, value, "  ");
    return true;
}

// --- Stops ---------------------------------------------------------------------------------------

// Writes the numbers of the breakpoints that were hit. A stop may come before the answer that gives them.
static void write_hits(const ct_debug_prompt *p, char *out, size_t bytes) {
    out[0] = '\0';
    for (uint32_t i = 0; i < p->breakpoints.count; ++i) {
        for (uint32_t k = 0; k < p->num_hits; ++k) {
            const size_t length = strlen(out);
            if (p->breakpoints.items[i].id == p->hits[k])
                snprintf(out + length, bytes - length, " %u", p->breakpoints.items[i].number);
        }
    }
}

void ct_debug_prompt_show_stop(ct_debug_prompt *p) {
    char hits[128];
    p->has_news = false;
    p->thread = p->stopped_thread;
    p->level = 0;
    p->frame = 0;
    write_hits(p, hits, sizeof(hits));
    ct_debug_prompt_print(p, "%s%s", ct_string_builder_text(&p->reason), hits);
    if (p->source_line == 0) // before the game's first line
        return;
    ct_debug_prompt_show_frame(p);
    if (!ct_debug_prompt_choose_frame(p, 0))
        return;
    for (uint32_t i = 0; i < p->watches.count; ++i)
        ct_debug_prompt_show_value(p, p->watches.items[i], false);
}
