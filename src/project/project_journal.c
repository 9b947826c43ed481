#include "project/project_journal.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "project/source_file.h"
#include "resource/blob/blob_writer.h"

#define JOURNAL_TYPE "journal"
// Contents have 32-bit offsets; a little room is left for all other data.
static const uint64_t MOST_BYTES = UINT64_C(4000000000);
enum { LEAST_OBJECT_DIGITS = 40, MOST_OBJECT_DIGITS = 64 };

// The form in the file, little-endian.
typedef struct stored_change {
    ct_blob_string from, to;   // empty: none
    ct_blob_string git_object; // empty: none
    ct_blob_array content;     // of bytes
    ct_blob_array old_content; // of bytes
    uint64_t old_hash;
    uint32_t has_content, has_old_content;
    uint32_t git_mode;
    uint32_t unused; // 0
} stored_change;

typedef struct stored_journal {
    ct_blob_header header;
    ct_blob_array changes; // stored_change
} stored_journal;

void ct_journal_init(ct_journal *journal, ct_allocator *a) {
    ct_array_init(&journal->changes, a);
}

bool ct_journal_path_is_good(const char *path) {
    if (path[0] == 0 || strlen(path) >= CT_PATH_BYTES)
        return false;
    for (const char *c = path; *c; ++c) {
        const bool is_start = c == path || c[-1] == '/';
        if ((is_start && (*c == '/' || *c == '.')) || (unsigned char)*c < 0x20 || *c == 0x7f)
            return false;
    }
    return path[strlen(path) - 1] != '/';
}

// --- Writing -------------------------------------------------------------------------------------

static void write_text(ct_blob_writer *w, uint32_t at, const char *text) {
    if (text)
        ct_blob_patch_string(w, at, text, (uint32_t)strlen(text));
}

static void write_bytes(ct_blob_writer *w, uint32_t at, const char *bytes, uint64_t count) {
    if (count > 0)
        ct_blob_patch_array(w, at, ct_blob_write_bytes(w, bytes, count), (uint32_t)count);
}

static void write_change(ct_blob_writer *w, uint32_t at, const ct_journal_change *c) {
    write_text(w, at + offsetof(stored_change, from), c->from);
    write_text(w, at + offsetof(stored_change, to), c->to);
    write_text(w, at + offsetof(stored_change, git_object), c->git_object);
    write_bytes(w, at + offsetof(stored_change, content), c->content, c->content_bytes);
    write_bytes(w, at + offsetof(stored_change, old_content), c->old_content, c->old_bytes);
    ct_blob_patch_u64(w, at + offsetof(stored_change, old_hash), c->old_hash);
    ct_blob_patch_u32(w, at + offsetof(stored_change, has_content), c->content != NULL);
    ct_blob_patch_u32(w, at + offsetof(stored_change, has_old_content), c->old_content != NULL);
    ct_blob_patch_u32(w, at + offsetof(stored_change, git_mode), c->git_mode);
}

// Returns the most bytes that the file may need.
static uint64_t size_of(const ct_journal *journal) {
    uint64_t size_bytes = sizeof(stored_journal) + 2 * CT_BLOB_ALIGN;
    for (uint32_t i = 0; i < journal->changes.count; ++i)
        size_bytes += sizeof(stored_change) + 2 * CT_PATH_BYTES + MOST_OBJECT_DIGITS + 3 +
                      journal->changes.items[i].content_bytes + journal->changes.items[i].old_bytes;
    return size_bytes;
}

uint8_t *ct_journal_write(ct_allocator *a, const ct_journal *journal, uint64_t *size_bytes,
                          ct_error *error) {
    if (size_of(journal) > MOST_BYTES) {
        ct_error_set(error, "the files to write together have more than %u MB",
                     (uint32_t)(MOST_BYTES / 1000000));
        return NULL;
    }
    ct_blob_writer w;
    ct_blob_writer_init(&w, a, CT_BYTE_ORDER_LITTLE, JOURNAL_TYPE, CT_JOURNAL_VERSION);
    const uint32_t field = ct_blob_write_array_field(&w);
    ct_blob_writer_align(&w, 8);
    const uint32_t count = journal->changes.count;
    const uint32_t first = ct_blob_write_zeroes(&w, count * sizeof(stored_change));
    ct_blob_patch_array(&w, field, first, count);
    for (uint32_t i = 0; i < count; ++i)
        write_change(&w, first + i * (uint32_t)sizeof(stored_change), &journal->changes.items[i]);
    ct_blob_writer_finish(&w);
    *size_bytes = w.bytes.count;
    return w.bytes.items;
}

// --- Reading -------------------------------------------------------------------------------------

static bool is_bad(ct_error *error, uint32_t i, const char *what) {
    return ct_error_set(error, "change %u of the journal %s", i + 1, what);
}

// A text of the file, checked; NULL for an empty one.
static bool take_text(const stored_journal *stored, ct_blob_string text, const char *what,
                      const char **result, ct_error *error) {
    *result = NULL;
    if (text.bytes == 0)
        return true;
    if (!ct_blob_check_string(&stored->header, text, what, error))
        return false;
    *result = ct_blob_at(stored, text.offset);
    return strlen(*result) == text.bytes ||
           ct_error_set(error, "%s of the journal contains a zero byte", what);
}

// Bytes of the file, checked; never NULL.
static bool take_bytes(const stored_journal *stored, ct_blob_array array, const char **bytes,
                       uint64_t *count, ct_error *error) {
    if (!ct_blob_check_array(&stored->header, array, 1, 1, "content", error))
        return false;
    *bytes = array.count > 0 ? ct_blob_at(stored, array.offset) : "";
    *count = array.count;
    return true;
}

static bool is_object(const char *text) {
    const size_t length = strspn(text, "0123456789abcdef");
    return text[length] == 0 && (length == LEAST_OBJECT_DIGITS || length == MOST_OBJECT_DIGITS);
}

// Checks one change by itself.
static bool check_change(const ct_journal_change *c, uint32_t i, ct_error *error) {
    if (!c->from && !c->to)
        return is_bad(error, i, "has no path");
    if ((c->from && !ct_journal_path_is_good(c->from)) ||
        (c->to && !ct_journal_path_is_good(c->to)))
        return is_bad(error, i, "has a path that is not valid in a project");
    const bool is_rename = c->from && c->to && strcmp(c->from, c->to) != 0;
    if (c->to ? !c->content && !is_rename : c->content != NULL)
        return is_bad(error, i, "has content that it must not have, or is missing its content");
    if (c->from && c->old_hash == 0 && (c->content || !c->to))
        return is_bad(error, i, "is missing the hash of the old content");
    if (c->old_content &&
        (!c->from || !c->content || ct_source_hash(c->old_content, c->old_bytes) != c->old_hash))
        return is_bad(error, i,
                      "has old content that it must not have, or that does not match its hash");
    if ((c->git_mode != 0) != (c->git_object != NULL) || (c->git_object && !is_rename))
        return is_bad(error, i,
                      "has a git index entry that it must not have, or only a part of one");
    return !c->git_object || is_object(c->git_object) ||
           is_bad(error, i, "has an invalid git object name");
}

static bool take_change(const stored_journal *stored, uint32_t i, ct_journal *journal,
                        ct_error *error) {
    const stored_change *const s =
        (const stored_change *)ct_blob_at(stored, stored->changes.offset) + i;
    ct_journal_change c = {.old_hash = s->old_hash, .git_mode = s->git_mode};
    if (!take_text(stored, s->from, "a path", &c.from, error) ||
        !take_text(stored, s->to, "a path", &c.to, error) ||
        !take_text(stored, s->git_object, "an object", &c.git_object, error) ||
        (s->has_content && !take_bytes(stored, s->content, &c.content, &c.content_bytes, error)) ||
        (s->has_old_content &&
         !take_bytes(stored, s->old_content, &c.old_content, &c.old_bytes, error)))
        return false;
    ct_array_push(&journal->changes, c);
    return check_change(&c, i, error);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool check_paths_differ(const ct_journal *journal, ct_error *error) {
    CT_ARRAY(const char *) paths;
    ct_array_init(&paths, journal->changes.allocator);
    for (uint32_t i = 0; i < journal->changes.count; ++i) {
        const ct_journal_change *const c = &journal->changes.items[i];
        if (c->from)
            ct_array_push(&paths, c->from);
        if (c->to && (!c->from || strcmp(c->from, c->to) != 0))
            ct_array_push(&paths, c->to);
    }
    if (paths.count > 1)
        qsort(paths.items, paths.count, sizeof(paths.items[0]), compare_texts);
    const char *twice = NULL;
    for (uint32_t i = 1; i < paths.count; ++i)
        if (strcmp(paths.items[i - 1], paths.items[i]) == 0)
            twice = paths.items[i];
    ct_array_free(&paths);
    return !twice || ct_error_set(error, "the journal has the path %s twice", twice);
}

bool ct_journal_check(const ct_journal *journal, ct_error *error) {
    for (uint32_t i = 0; i < journal->changes.count; ++i)
        if (!check_change(&journal->changes.items[i], i, error))
            return false;
    return check_paths_differ(journal, error);
}

bool ct_journal_read(const void *bytes, uint64_t size_bytes, ct_journal *journal, ct_error *error) {
    const stored_journal *const stored = bytes;
    if (!ct_blob_check_header(bytes, size_bytes, ct_string_id64_of(JOURNAL_TYPE),
                              CT_JOURNAL_VERSION, error))
        return false;
    if (size_bytes < sizeof(*stored))
        return ct_error_set(error, "the journal ends too early");
    if (!ct_blob_check_array(&stored->header, stored->changes, sizeof(stored_change), 8, "changes",
                             error))
        return false;
    for (uint32_t i = 0; i < stored->changes.count; ++i)
        if (!take_change(stored, i, journal, error))
            return false;
    return check_paths_differ(journal, error);
}
