#include <string.h>

#include "content/database/database_source.h"
#include "content/database/source_json.h"
#include "content/diff/diff_apply.h"
#include "foundation/sjson/sjson_writer.h"

// The same with members in the order that people write.
static ct_sjson *arrange(ct_allocator *a, const ct_sjson *doc, const char *path, ct_error *error) {
    const ct_content_place place = ct_content_place_of_file(path);
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_source_json_write((ct_content_value){doc, ct_sjson_root(doc)}, &place, &text);
    ct_sjson *const arranged =
        ct_sjson_parse(a, ct_string_builder_text(&text), text.length, path, NULL, error);
    ct_string_builder_free(&text);
    return arranged;
}

static void write_new(const ct_sjson *doc, ct_string_builder *out) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_SJSON);
    ct_sjson_write_value(&w, doc, ct_sjson_root(doc));
}

// True when a text says what `doc` says.
static bool says(ct_allocator *a, const char *text, uint64_t bytes, const ct_sjson *doc) {
    ct_sjson *const read = ct_sjson_parse(a, text, bytes, "text", NULL, NULL);
    const bool is_same = read && ct_value_is_equal(a, (ct_content_value){read, ct_sjson_root(read)},
                                                   (ct_content_value){doc, ct_sjson_root(doc)});
    ct_sjson_free(read);
    return is_same;
}

// Makes the difference between two sources in the text of the first. False when the result would say something else.
static bool edit(ct_allocator *a, const ct_sjson *from, const ct_sjson *to, const char *path,
                 const char *content, uint64_t content_bytes, ct_string_builder *out) {
    ct_sjson_document *const doc =
        ct_sjson_document_parse(a, content, content_bytes, path, NULL, NULL);
    if (!doc)
        return false;
    ct_diff diff;
    ct_diff_make(&diff, a, from, to, path);
    const uint32_t begin = out->length;
    bool is_done = ct_diff_apply(&diff, doc, a, NULL);
    if (is_done)
        ct_sjson_document_write(doc, out);
    is_done = is_done && says(a, ct_string_builder_text(out) + begin, out->length - begin, to);
    if (!is_done) {
        out->length = begin;
        if (out->text)
            out->text[begin] = 0;
    }
    ct_diff_free(&diff);
    ct_sjson_document_free(doc);
    return is_done;
}

static bool write_changed(ct_allocator *a, const ct_sjson *from, const ct_sjson *doc,
                          const char *path, const char *content, uint64_t content_bytes,
                          ct_string_builder *out, ct_string_array *warnings, ct_error *error) {
    ct_sjson *const to = arrange(a, doc, path, error);
    if (!to)
        return false;
    if (!from || !edit(a, from, to, path, content, content_bytes, out)) {
        if (from)
            ct_database_source_warn(warnings, path,
                                    "written in the usual format: the changes could not be made "
                                    "in its text");
        write_new(to, out);
    }
    ct_sjson_free(to);
    return true;
}

bool ct_database_source_text(ct_allocator *a, const ct_database_source *source, const char *path,
                             const char *content, uint64_t content_bytes, ct_string_builder *out,
                             ct_string_array *warnings, ct_error *error) {
    ct_error why = {0};
    ct_sjson *const from =
        content ? ct_sjson_parse(a, content, content_bytes, path, NULL, &why) : NULL;
    if (content && !from)
        ct_database_source_warn(warnings, path,
                                "its \"content\" is no SJSON (line %u: %.200s); written in the "
                                "usual format",
                                why.line, why.message);
    bool is_done = true;
    if (from && ct_value_is_equal(a, (ct_content_value){from, ct_sjson_root(from)},
                                  (ct_content_value){source->doc, ct_sjson_root(source->doc)}))
        ct_string_builder_add_bytes(out, content, (uint32_t)content_bytes);
    else
        is_done =
            write_changed(a, from, source->doc, path, content, content_bytes, out, warnings, error);
    ct_sjson_free(from);
    return is_done;
}
