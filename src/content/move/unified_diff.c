#include "content/move/unified_diff.h"

#include <inttypes.h>
#include <string.h>

#include "content/sequence_alignment.h"
#include "foundation/container/array.h"
#include "resource/blob/content_hash.h"

enum { CONTEXT_LINES = 3 };

typedef struct text_line {
    const char *begin;
    uint32_t bytes; // with the line end
} text_line;

typedef CT_ARRAY(text_line) text_lines;
typedef CT_ARRAY(uint64_t) line_hashes;

// Lines that go and lines that come in their place.
typedef struct line_edit {
    uint32_t old_begin, old_end, new_begin, new_end;
} line_edit;

typedef CT_ARRAY(line_edit) line_edits;

typedef struct comparison {
    text_lines old, new;
    line_edits edits;
    uint32_t similarity; // how much of the file stays, in percent
} comparison;

static void split(text_lines *lines, const char *text, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
        const char *const end = memchr(text + at, '\n', bytes - at);
        const uint64_t next = end ? (uint64_t)(end - text) + 1 : bytes;
        ct_array_push(lines, (text_line){text + at, (uint32_t)(next - at)});
        at = next;
    }
}

// --- Comparing -----------------------------------------------------------------------------------

// Returns how many bytes the lines have.
static uint64_t hash_lines(const text_lines *lines, line_hashes *hashes) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < lines->count; ++i) {
        ct_array_push(hashes, ct_content_hash(lines->items[i].begin, lines->items[i].bytes));
        bytes += lines->items[i].bytes;
    }
    return bytes;
}

// Fills `edits`, and returns how many bytes of the old lines stay.
static uint64_t find_edits(comparison *c, const ct_sequence_run_array *runs) {
    uint64_t same = 0;
    line_edit next = {0};
    for (uint32_t i = 0; i <= runs->count; ++i) {
        const ct_sequence_run end = {c->old.count, c->new.count, 0};
        const ct_sequence_run run = i < runs->count ? runs->items[i] : end;
        next.old_end = run.a;
        next.new_end = run.b;
        if (next.old_begin < next.old_end || next.new_begin < next.new_end)
            ct_array_push(&c->edits, next);
        next.old_begin = run.a + run.count;
        next.new_begin = run.b + run.count;
        for (uint32_t k = run.a; k < next.old_begin; ++k)
            same += c->old.items[k].bytes;
    }
    return same;
}

static void compare(ct_allocator *a, comparison *c) {
    line_hashes old, new;
    ct_sequence_run_array runs;
    ct_array_init(&old, a);
    ct_array_init(&new, a);
    ct_array_init(&runs, a);
    const uint64_t old_bytes = hash_lines(&c->old, &old), new_bytes = hash_lines(&c->new, &new);
    const uint64_t most = old_bytes > new_bytes ? old_bytes : new_bytes;
    ct_sequence_align(old.items, old.count, new.items, new.count, NULL, a, &runs);
    const uint64_t same = find_edits(c, &runs);
    c->similarity = most > 0 ? (uint32_t)(same * 100 / most) : 100;
    ct_array_free(&old);
    ct_array_free(&new);
    ct_array_free(&runs);
}

// --- Writing -------------------------------------------------------------------------------------

static void write_line(ct_string_builder *out, char sign, text_line line) {
    ct_string_builder_add_char(out, sign);
    ct_string_builder_add_bytes(out, line.begin, line.bytes);
    if (line.bytes == 0 || line.begin[line.bytes - 1] != '\n')
        ct_string_builder_add(out, "\n\\ No newline at end of file\n");
}

static void write_lines(ct_string_builder *out, char sign, const text_lines *lines, uint32_t begin,
                        uint32_t end) {
    for (uint32_t i = begin; i < end; ++i)
        write_line(out, sign, lines->items[i]);
}

// A range of a hunk's head: its first line, from 1 on; of an empty one the line before it.
static void write_range(ct_string_builder *out, char sign, uint32_t begin, uint32_t end) {
    ct_string_builder_addf(out, "%c%u,%u ", sign, begin + (begin < end), end - begin);
}

// Writes edits `first` to `last`, with the lines between and around them.
static void write_hunk(ct_string_builder *out, const comparison *c, uint32_t first, uint32_t last) {
    const line_edit *const begin = &c->edits.items[first], *const end = &c->edits.items[last];
    const uint32_t after = c->old.count - end->old_end;
    const uint32_t before = begin->old_begin < CONTEXT_LINES ? begin->old_begin : CONTEXT_LINES;
    const uint32_t old_end = end->old_end + (after < CONTEXT_LINES ? after : CONTEXT_LINES);
    uint32_t at = begin->old_begin - before;
    ct_string_builder_add(out, "@@ ");
    write_range(out, '-', at, old_end);
    write_range(out, '+', begin->new_begin - before, end->new_end + (old_end - end->old_end));
    ct_string_builder_add(out, "@@\n");
    for (const line_edit *e = begin; e <= end; ++e) {
        write_lines(out, ' ', &c->old, at, e->old_begin);
        write_lines(out, '-', &c->old, e->old_begin, e->old_end);
        write_lines(out, '+', &c->new, e->new_begin, e->new_end);
        at = e->old_end;
    }
    write_lines(out, ' ', &c->old, at, old_end);
}

// A hunk goes on while the next edit is so near that their contexts meet.
static void write_hunks(ct_string_builder *out, const comparison *c) {
    const line_edit *const edits = c->edits.items;
    for (uint32_t first = 0, last; first < c->edits.count; first = last + 1) {
        last = first;
        while (last + 1 < c->edits.count &&
               edits[last + 1].old_begin - edits[last].old_end <= 2 * CONTEXT_LINES)
            ++last;
        write_hunk(out, c, first, last);
    }
}

static bool is_binary(const char *text, uint64_t bytes) {
    return text && memchr(text, 0, bytes);
}

static void write_header(ct_string_builder *out, const ct_diff_file *file, uint32_t similarity) {
    const char *const from = file->from ? file->from : file->to;
    const char *const to = file->to ? file->to : file->from;
    ct_string_builder_addf(out, "diff --git a/%s b/%s\n", from, to);
    if (!file->from)
        ct_string_builder_add(out, "new file mode 100644\n");
    else if (!file->to)
        ct_string_builder_add(out, "deleted file mode 100644\n");
    else if (strcmp(from, to) != 0)
        ct_string_builder_addf(out, "similarity index %u%%\nrename from %s\nrename to %s\n",
                               similarity, from, to);
}

static void write_names(ct_string_builder *out, const ct_diff_file *file) {
    ct_string_builder_addf(out, "--- %s%s\n", file->from ? "a/" : "",
                           file->from ? file->from : "/dev/null");
    ct_string_builder_addf(out, "+++ %s%s\n", file->to ? "b/" : "",
                           file->to ? file->to : "/dev/null");
}

void ct_unified_diff_write(ct_string_builder *out, const ct_diff_file *file) {
    comparison c = {0};
    ct_array_init(&c.old, out->allocator);
    ct_array_init(&c.new, out->allocator);
    ct_array_init(&c.edits, out->allocator);
    const bool binary =
        is_binary(file->old_text, file->old_bytes) || is_binary(file->new_text, file->new_bytes);
    if (file->old_text && !binary)
        split(&c.old, file->old_text, file->old_bytes);
    if (file->new_text && !binary)
        split(&c.new, file->new_text, file->new_bytes);
    compare(out->allocator, &c);
    write_header(out, file, c.similarity);
    if (binary) {
        ct_string_builder_addf(out, "Binary files %s%s and %s%s differ\n", file->from ? "a/" : "",
                               file->from ? file->from : "/dev/null", file->to ? "b/" : "",
                               file->to ? file->to : "/dev/null");
    } else if (c.edits.count > 0) {
        write_names(out, file);
        write_hunks(out, &c);
    }
    ct_array_free(&c.old);
    ct_array_free(&c.new);
    ct_array_free(&c.edits);
}
