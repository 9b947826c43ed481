#include "content/move/unified_diff.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/container/array.h"

enum { CONTEXT_LINES = 3 };

typedef struct text_line {
    const char *begin;
    uint32_t bytes; // with the line end
} text_line;

typedef CT_ARRAY(text_line) text_lines;

static void split(text_lines *lines, const char *text, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
        const char *const end = memchr(text + at, '\n', bytes - at);
        const uint64_t next = end ? (uint64_t)(end - text) + 1 : bytes;
        ct_array_push(lines, (text_line){text + at, (uint32_t)(next - at)});
        at = next;
    }
}

static bool same_line(text_line a, text_line b) {
    return a.bytes == b.bytes && memcmp(a.begin, b.begin, a.bytes) == 0;
}

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

// Lines `begin` to before `end`, which stand at the same numbers in both texts.
static void write_hunk(ct_string_builder *out, const text_lines *old, const text_lines *new,
                       uint32_t begin, uint32_t end) {
    ct_string_builder_addf(out, "@@ -%u,%u +%u,%u @@\n", begin + 1, end - begin, begin + 1,
                           end - begin);
    for (uint32_t i = begin; i < end;) {
        uint32_t stop = i;
        while (stop < end && !same_line(old->items[stop], new->items[stop]))
            ++stop;
        write_lines(out, '-', old, i, stop);
        write_lines(out, '+', new, i, stop);
        if (stop < end)
            write_line(out, ' ', old->items[stop++]);
        i = stop;
    }
}

static void write_hunks(ct_string_builder *out, const text_lines *old, const text_lines *new) {
    const uint32_t count = old->count;
    for (uint32_t i = 0; i < count; ++i) {
        if (same_line(old->items[i], new->items[i]))
            continue;
        const uint32_t begin = i > CONTEXT_LINES ? i - CONTEXT_LINES : 0;
        // The hunk goes on while the next change is so near that their contexts meet.
        uint32_t last = i;
        for (uint32_t k = i; k < count && k <= last + 2 * CONTEXT_LINES + 1; ++k)
            if (!same_line(old->items[k], new->items[k]))
                last = k;
        const uint32_t end = last + 1 + CONTEXT_LINES < count ? last + 1 + CONTEXT_LINES : count;
        write_hunk(out, old, new, begin, end);
        i = end - 1;
    }
}

// All of a text that comes ('+') or goes ('-').
static void write_whole(ct_string_builder *out, char sign, const text_lines *lines) {
    if (lines->count == 0)
        return;
    if (sign == '+')
        ct_string_builder_addf(out, "@@ -0,0 +1,%u @@\n", lines->count);
    else
        ct_string_builder_addf(out, "@@ -1,%u +0,0 @@\n", lines->count);
    write_lines(out, sign, lines, 0, lines->count);
}

// How much of a renamed file stays, in percent: as much as its lines.
static uint32_t similarity_of(const text_lines *old, const text_lines *new) {
    uint64_t same = 0, total = 0;
    for (uint32_t i = 0; i < old->count && i < new->count; ++i) {
        const uint32_t bytes =
            old->items[i].bytes > new->items[i].bytes ? old->items[i].bytes : new->items[i].bytes;
        total += bytes;
        same += same_line(old->items[i], new->items[i]) ? bytes : 0;
    }
    return total > 0 ? (uint32_t)(same * 100 / total) : 100;
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
    text_lines old, new;
    ct_array_init(&old, out->allocator);
    ct_array_init(&new, out->allocator);
    const bool binary =
        is_binary(file->old_text, file->old_bytes) || is_binary(file->new_text, file->new_bytes);
    if (file->old_text && !binary)
        split(&old, file->old_text, file->old_bytes);
    if (file->new_text && !binary)
        split(&new, file->new_text, file->new_bytes);
    write_header(out, file, similarity_of(&old, &new));
    if (binary) {
        ct_string_builder_addf(out, "Binary files %s%s and %s%s differ\n", file->from ? "a/" : "",
                               file->from ? file->from : "/dev/null", file->to ? "b/" : "",
                               file->to ? file->to : "/dev/null");
    } else if (old.count > 0 || new.count > 0) {
        write_names(out, file);
        if (old.count == new.count)
            write_hunks(out, &old, &new);
        else
            write_whole(out, '-', &old), write_whole(out, '+', &new);
    }
    ct_array_free(&old);
    ct_array_free(&new);
}
