#include "content/database/database_merge.h"

#include <string.h>

#include "content/database/database_source.h"
#include "content/merge/merge.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"

enum { MOST_LINES = 50, MOST_VALUE_BYTES = 100 };

// Appends a value of a decision on one line, cut when it is long.
static void add_value(const ct_sjson *report, ct_sjson_value decision, const char *side,
                      ct_string_builder *out) {
    const ct_sjson_value value = ct_sjson_find(report, decision, side);
    if (!value.entry) {
        ct_string_builder_add(out, "nothing");
        return;
    }
    ct_string_builder text;
    ct_string_builder_init(&text, out->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, report, value);
    uint32_t length = text.length < MOST_VALUE_BYTES ? text.length : MOST_VALUE_BYTES;
    while (length < text.length && (text.text[length] & 0xc0) == 0x80)
        --length; // not inside a character
    ct_string_builder_add_bytes(out, ct_string_builder_text(&text), length);
    ct_string_builder_add(out, length < text.length ? "…" : "");
    ct_string_builder_free(&text);
}

static void warn_of_decision(const ct_sjson *report, ct_sjson_value decision, const char *path,
                             ct_string_array *warnings) {
    const char *const place = ct_sjson_string(report, ct_sjson_find(report, decision, "path"), "");
    const char *const shown = place[0] ? place : "the top level";
    const ct_sjson_value because = ct_sjson_find(report, decision, "because");
    if (because.entry) {
        ct_database_source_warn(warnings, path, "%.300s: %s; its array was merged by order", shown,
                                ct_sjson_string(report, because, ""));
        return;
    }
    const ct_sjson_value taken = ct_sjson_find(report, decision, "taken");
    ct_string_builder values;
    ct_string_builder_init(&values, warnings->allocator);
    ct_string_builder_add(&values, "the folder has ");
    add_value(report, decision, "mine", &values);
    ct_string_builder_add(&values, ", the database ");
    add_value(report, decision, "theirs", &values);
    ct_database_source_warn(warnings, path,
                            "%.300s: the folder and the database both changed it; took the "
                            "%s (%s)",
                            shown,
                            strcmp(ct_sjson_string(report, taken, ""), "theirs") == 0 ? "database's"
                                                                                      : "folder's",
                            ct_string_builder_text(&values));
    ct_string_builder_free(&values);
}

static void warn_of_decisions(ct_allocator *a, const ct_string_builder *report, const char *path,
                              ct_string_array *warnings) {
    ct_sjson *const doc =
        ct_sjson_parse(a, report->text, report->length, "the report of the merge", NULL, NULL);
    if (!doc)
        return;
    const ct_sjson_value decisions = ct_sjson_find(doc, ct_sjson_root(doc), "decisions");
    const uint32_t count = ct_sjson_count(doc, decisions);
    ct_sjson_value v = ct_sjson_first(doc, decisions);
    for (uint32_t i = 0; v.entry && i < MOST_LINES; v = ct_sjson_next(doc, v), ++i)
        warn_of_decision(doc, v, path, warnings);
    if (count > MOST_LINES)
        ct_database_source_warn(warnings, path, "both changed %u more places", count - MOST_LINES);
    ct_sjson_free(doc);
}

bool ct_database_merge_texts(ct_allocator *a, ct_database *db, const ct_database_merge_desc *desc,
                             ct_string_builder *out, ct_string_array *warnings) {
    ct_byte_array base;
    ct_string_builder report;
    ct_array_init(&base, a);
    ct_string_builder_init(&report, a);
    ct_error why = {0};
    ct_merge_summary summary = {0};
    bool is_merged = ct_database_read_blob(db, &desc->base, &base, &why);
    if (is_merged) {
        const ct_merge_desc merge = {
            .base = {(const char *)base.items, base.count, desc->path, false},
            .theirs = {desc->there, desc->there_bytes, desc->path, false},
            .mine = {desc->folder, desc->folder_bytes, desc->path, false},
            .path = desc->path};
        is_merged = ct_merge_texts(a, &merge, out, &report, &summary, &why);
    }
    if (!is_merged)
        ct_database_source_warn(warnings, desc->path,
                                "it changed in the folder and in the database, and cannot be "
                                "merged (%.300s); took the folder's",
                                why.message);
    else if (summary.num_decisions > 0)
        warn_of_decisions(a, &report, desc->path, warnings);
    ct_string_builder_free(&report);
    ct_array_free(&base);
    return is_merged;
}
