// The XML format, read with expat: a record is an element with attributes. The one place that
// includes expat.
#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/font/angelcode_private.h"

#define FAIL(r, place, ...)                                                                        \
    ct_angelcode_fail((r)->font->format, (r)->file, (place), (r)->error, __VA_ARGS__)

enum { MAX_DEPTH = 8 };

// --- Memory --------------------------------------------------------------------------------------

// Expat's functions for memory get no pointer of ours: one file at a time.
static ct_allocator *file_allocator;

static void *allocate(size_t bytes) {
    return ct_alloc(file_allocator, bytes ? bytes : 1);
}

static void release(void *p) {
    ct_free(file_allocator, p);
}

static void *reallocate(void *p, size_t bytes) {
    if (!p)
        return allocate(bytes);
    const uint64_t old_bytes = ct_allocated_size(file_allocator, p);
    void *const moved = allocate(bytes);
    memcpy(moved, p, old_bytes < bytes ? old_bytes : bytes);
    release(p);
    return moved;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct xml_reader {
    ct_angelcode_reader *reader;
    XML_Parser parser;
    uint32_t depth;
    bool has_failed;
} xml_reader;

static uint32_t line_of(const xml_reader *x) {
    return (uint32_t)XML_GetCurrentLineNumber(x->parser);
}

static void stop(xml_reader *x) {
    x->has_failed = true;
    XML_StopParser(x->parser, XML_FALSE);
}

static void take_element(xml_reader *x, const char *name, const char **values) {
    ct_angelcode_attribute attributes[CT_ANGELCODE_MAX_ATTRIBUTES];
    uint32_t count = 0;
    for (; values[0]; values += 2) {
        if (count == CT_ANGELCODE_MAX_ATTRIBUTES) {
            FAIL(x->reader, line_of(x), "<%.60s> has too many attributes; expected at most %d",
                 name, CT_ANGELCODE_MAX_ATTRIBUTES);
            stop(x);
            return;
        }
        attributes[count++] = (ct_angelcode_attribute){values[0], values[1]};
    }
    if (!ct_angelcode_take_record(x->reader, name, attributes, count, line_of(x)))
        stop(x);
}

static void on_start(void *user, const char *name, const char **values) {
    xml_reader *const x = user;
    if (x->has_failed)
        return;
    if (x->depth == 0 && strcmp(name, "font") != 0) {
        FAIL(x->reader, line_of(x), "found <%.60s>; expected an AngelCode font: <font>", name);
        stop(x);
    } else if (x->depth >= MAX_DEPTH) {
        FAIL(x->reader, line_of(x), "<%.60s> is inside of more than %d elements", name, MAX_DEPTH);
        stop(x);
    } else if (x->depth > 0 && strcmp(name, "pages") != 0) {
        take_element(x, name, values);
    }
    ++x->depth;
}

static void on_end(void *user, const char *name) {
    xml_reader *const x = user;
    (void)name;
    --x->depth;
}

// What a document type may define (entities that grow without end, other files) no font needs.
static void on_document_type(void *user, const char *name, const char *system, const char *public,
                             int has_subset) {
    xml_reader *const x = user;
    (void)name, (void)system, (void)public, (void)has_subset;
    if (!x->has_failed)
        FAIL(x->reader, line_of(x), "found <!DOCTYPE>; expected a font without a document type");
    stop(x);
}

bool ct_angelcode_read_xml(ct_angelcode_reader *r, ct_allocator *a, const char *text,
                           uint64_t num_bytes) {
    const XML_Memory_Handling_Suite memory = {allocate, reallocate, release};
    file_allocator = a;
    xml_reader x = {.reader = r, .parser = XML_ParserCreate_MM(NULL, &memory, NULL)};
    CT_REQUIRE(x.parser, "expat makes no parser%s", "");
    XML_SetHashSalt(x.parser, 1); // the same work for the same file
    XML_SetUserData(x.parser, &x);
    XML_SetElementHandler(x.parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(x.parser, on_document_type);
    if (XML_Parse(x.parser, text, (int)num_bytes, 1) != XML_STATUS_OK && !x.has_failed) {
        FAIL(r, line_of(&x), "the XML cannot be read: %s",
             XML_ErrorString(XML_GetErrorCode(x.parser)));
        x.has_failed = true;
    }
    XML_ParserFree(x.parser);
    file_allocator = NULL;
    return !x.has_failed;
}

// --- Writing -------------------------------------------------------------------------------------

static void write_text(const char *text, ct_string_builder *out) {
    for (; *text; ++text) {
        if (*text == '&')
            ct_string_builder_add(out, "&amp;");
        else if (*text == '<')
            ct_string_builder_add(out, "&lt;");
        else if (*text == '"')
            ct_string_builder_add(out, "&quot;");
        else
            ct_string_builder_add_char(out, *text);
    }
}

static void write_record(const ct_angelcode_table *table, const char *indent, const void *record,
                         ct_string_builder *out) {
    ct_string_builder_addf(out, "%s<%s", indent, table->tag);
    for (uint32_t i = 0; i < table->num_fields; ++i) {
        const ct_angelcode_field *const field = &table->fields[i];
        if (!ct_angelcode_is_written(field, record))
            continue;
        ct_string_builder_addf(out, " %s=\"", field->key);
        if (field->count > 0)
            ct_angelcode_write_numbers(field, record, out);
        else
            write_text((const char *)record + field->offset, out);
        ct_string_builder_add_char(out, '"');
    }
    ct_string_builder_add(out, "/>\n");
}

void ct_angelcode_write_xml(const ct_angelcode *font, ct_string_builder *out) {
    ct_string_builder_add(out, "<?xml version=\"1.0\"?>\n<font>\n");
    write_record(&ct_angelcode_info_table, "  ", &font->info, out);
    write_record(&ct_angelcode_common_table, "  ", &font->common, out);
    ct_string_builder_add(out, "  <pages>\n");
    for (uint32_t i = 0; i < font->pages.count; ++i)
        write_record(&ct_angelcode_page_table, "    ", &font->pages.items[i], out);
    ct_string_builder_addf(out, "  </pages>\n  <chars count=\"%u\">\n", font->chars.count);
    for (uint32_t i = 0; i < font->chars.count; ++i)
        write_record(&ct_angelcode_char_table, "    ", &font->chars.items[i], out);
    ct_string_builder_add(out, "  </chars>\n");
    if (font->kernings.count > 0) {
        ct_string_builder_addf(out, "  <kernings count=\"%u\">\n", font->kernings.count);
        for (uint32_t i = 0; i < font->kernings.count; ++i)
            write_record(&ct_angelcode_kerning_table, "    ", &font->kernings.items[i], out);
        ct_string_builder_add(out, "  </kernings>\n");
    }
    ct_string_builder_add(out, "</font>\n");
}
