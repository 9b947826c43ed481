// mention_support.h: what tests of mentions share.
#pragma once
#include <stdio.h>
#include <string.h>

#include "content/references/content_references.h"
#include "foundation/error.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

// Lists what `text`, the content of the file `path`, mentions: `type:name@line:column`, `type~name`
// of a wildcard, `media:path`, `?name` of a likely one; a `|` behind each. Where the bytes of the
// text are not the name, they follow in `<>`.
static inline const char *mentions_of_kind(ct_content_kind kind, const char *path,
                                           const char *text) {
    static char listed[4096];
    // A block of exactly its size, so that a sanitizer sees reads past the end.
    const size_t bytes = strlen(text);
    char *const copy = ct_alloc(test_heap(), bytes + 1);
    memcpy(copy, text, bytes);
    ct_mentions mentions;
    ct_error error = {0};
    ct_mentions_init(&mentions, test_heap());
    listed[0] = '\0';
    if (!ct_content_references_read(test_heap(), kind, path, copy, bytes, &mentions, &error))
        snprintf(listed, sizeof(listed), "error:%s:%u:%u", error.file, error.line, error.column);
    for (uint32_t i = 0; i < mentions.items.count; ++i) {
        const ct_mention *const m = &mentions.items.items[i];
        const char *const name = ct_mention_name(&mentions, m);
        const size_t length = strlen(listed);
        const int span = (int)(m->end - m->begin);
        const char *const start = m->kind == CT_MENTION_KIND_LIKELY  ? "?"
                                  : m->kind == CT_MENTION_KIND_MEDIA ? "media:"
                                                                     : m->type->name;
        const char *const sign = m->kind == CT_MENTION_KIND_RESOURCE  ? ":"
                                 : m->kind == CT_MENTION_KIND_PATTERN ? "~"
                                                                      : "";
        const bool is_plain =
            (size_t)span == strlen(name) && memcmp(copy + m->begin, name, strlen(name)) == 0;
        snprintf(listed + length, sizeof(listed) - length, "%s%s%s@%u:%u%s%.*s%s|", start, sign,
                 name, m->line, m->column, is_plain ? "" : "<", is_plain ? 0 : span,
                 copy + m->begin, is_plain ? "" : ">");
    }
    ct_mentions_free(&mentions);
    ct_free(test_heap(), copy);
    return listed;
}

static inline void expect_mentions(const char *path, const char *text, const char *expected) {
    assert_string_equal(mentions_of_kind(ct_content_kind_of(path), path, text), expected);
}
