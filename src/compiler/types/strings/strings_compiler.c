// Compiles strings: keys sorted by their ids, texts by plural form, the language's plural rules.
#include "compiler/protocol/compiler_types.h"
#include "compiler/strings/strings_placeholders.h"
#include "foundation/container/sort.h"

#include <string.h>

static void report(void *user, const ct_sjson *doc, ct_sjson_value at, const char *message) {
    ct_compile_error(user, doc, at, "%s", message);
}

static ct_sjson_value default_language(void *user, const ct_sjson **settings) {
    return ct_compile_setting(user, "language", settings);
}

// --- Translations --------------------------------------------------------------------------------

// What is wrong in the file without properties is told when that is compiled.
static void pass_over(void *user, const ct_sjson *doc, ct_sjson_value at, const char *message) {
    (void)user, (void)doc, (void)at, (void)message;
}

// Reads a file that this one may be translated from. False when this is it, or there is none that
// can be read.
static bool read_model(ct_compile *c, const char *path, ct_strings_source *model,
                       const ct_sjson **doc) {
    uint64_t bytes = 0;
    const char *const text = strcmp(path, c->path) == 0 ? NULL : ct_compile_find(c, path, &bytes);
    *doc = text && bytes > 0 ? ct_sjson_parse(c->allocator, text, bytes, path, NULL, NULL) : NULL;
    if (!*doc)
        return false;
    const ct_strings_source_desc desc = {
        .allocator = c->allocator, .doc = *doc, .report = pass_over};
    ct_strings_source_read(&desc, model);
    return true;
}

// Reads what a variant's texts are translated from: the resource's file without properties, where
// this one is for a platform that for the platform, if there is one. False when there is none.
static bool find_model(ct_compile *c, ct_strings_source *model, const ct_sjson **doc) {
    const char *const word = ct_compile_text(c, ".%s.", c->source_platform);
    if (strstr(c->path, word)) {
        const char *const path = ct_compile_text(c, "%s%s%s", c->name, word, c->type);
        if (strcmp(path, c->path) == 0)
            return false;
        if (read_model(c, path, model, doc))
            return true;
    }
    return read_model(c, ct_compile_text(c, "%s.%s", c->name, c->type), model, doc);
}

static void compare_placeholders(ct_compile *c, ct_strings_placed_text text,
                                 ct_strings_placed_text model) {
    ct_string_builder lacking, extra;
    ct_string_builder_init(&lacking, c->allocator);
    ct_string_builder_init(&extra, c->allocator);
    if (ct_strings_placeholders_beyond(model, text, &lacking))
        ct_compile_warning(c, c->doc, text.text->at, "\"%s\" has no %s, which %s has",
                           text.text->key, ct_string_builder_text(&lacking),
                           ct_sjson_file(model.doc));
    if (ct_strings_placeholders_beyond(text, model, &extra))
        ct_compile_warning(c, c->doc, text.text->at, "\"%s\" has %s, which %s does not have",
                           text.text->key, ct_string_builder_text(&extra),
                           ct_sjson_file(model.doc));
}

// The text of a key's id, or NULL; texts are sorted by id.
static const ct_strings_source_text *find_text(const ct_strings_source *source, ct_string_id32 id) {
    uint32_t first = 0, end = source->texts.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (source->texts.items[middle].id.value < id.value)
            first = middle + 1;
        else
            end = middle;
    }
    const bool is_found =
        first < source->texts.count && source->texts.items[first].id.value == id.value;
    return is_found ? &source->texts.items[first] : NULL;
}

// Goes through the keys that both have, as they stand in the source.
static void compare_with_model(ct_compile *c, const ct_strings_source *source) {
    const ct_sjson *doc = NULL;
    ct_strings_source model;
    if (!find_model(c, &model, &doc))
        return;
    const uint32_t count = source->texts.count;
    uint32_t *const places = CT_NEW_ARRAY(c->allocator, uint32_t, count + 1);
    uint32_t *const order = CT_NEW_ARRAY(c->allocator, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        places[i] = source->texts.items[i].at.entry;
    ct_sort_order32(places, order, count, c->allocator);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_strings_source_text *const text = &source->texts.items[order[i]];
        const ct_strings_source_text *const other = find_text(&model, text->id);
        if (other)
            compare_placeholders(c, (ct_strings_placed_text){c->doc, text},
                                 (ct_strings_placed_text){doc, other});
    }
}

// --- Writing -------------------------------------------------------------------------------------

static uint32_t count_forms(const ct_strings_source_text *text) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i)
        count += text->forms[i].entry != 0;
    return count;
}

// Appends a text's key and forms. `form` is moved behind the last.
static ct_strings_entry write_text(ct_compile *c, const ct_strings_source_text *text,
                                   const ct_strings_form *first_form, ct_strings_form **form) {
    ct_blob_writer *const w = &c->blob;
    const ct_strings_entry entry = {.id = text->id,
                                    .key = ct_blob_write_string(w, text->key, strlen(text->key)),
                                    .first_form = (uint32_t)(*form - first_form),
                                    .num_forms = count_forms(text)};
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i) {
        if (text->forms[i].entry)
            *(*form)++ = (ct_strings_form){
                i, ct_blob_write_string(w, ct_sjson_string(c->doc, text->forms[i], ""),
                                        ct_sjson_string_bytes(c->doc, text->forms[i]))};
    }
    return entry;
}

// All arrays but texts start at multiples of 8.
static void write_strings(ct_compile *c, const ct_strings_source *source) {
    ct_blob_writer *const w = &c->blob;
    const ct_plural_language *const language = &source->language;
    const uint32_t count = source->texts.count;
    ct_strings_resource r = {.entries = {0}};
    uint32_t num_forms = 0;
    for (uint32_t i = 0; i < count; ++i)
        num_forms += count_forms(&source->texts.items[i]);
    ct_strings_entry *const entries = CT_NEW_ARRAY(c->allocator, ct_strings_entry, count + 1);
    ct_strings_form *const forms = CT_NEW_ARRAY(c->allocator, ct_strings_form, num_forms + 1);
    ct_strings_form *form = forms;
    ct_blob_begin(w, &ct_strings_layout);
    ct_blob_writer_align(w, 8);
    r.rules = ct_blob_write_items(w, &ct_plural_relation_layout, language->relations,
                                  language->num_relations);
    ct_blob_writer_align(w, 8);
    r.entries = ct_blob_reserve_items(w, &ct_strings_entry_layout, count);
    ct_blob_writer_align(w, 8);
    r.forms = ct_blob_reserve_items(w, &ct_strings_form_layout, num_forms);
    r.language = ct_blob_write_string(w, language->tag, strlen(language->tag));
    for (uint32_t i = 0; i < count; ++i)
        entries[i] = write_text(c, &source->texts.items[i], forms, &form);
    ct_blob_fill_items(w, &ct_strings_entry_layout, r.entries, entries);
    ct_blob_fill_items(w, &ct_strings_form_layout, r.forms, forms);
    ct_blob_end(w, &ct_strings_layout, &r);
}

// A property that is no language stays unseen otherwise, until a text has the wrong plural form.
static void warn_of_mistake(ct_compile *c, const ct_strings_source *source) {
    char message[CT_ERROR_MESSAGE_BYTES];
    if (!source->mistaken)
        return;
    ct_strings_source_mistake(source, message);
    ct_compile_warning(c, c->doc, ct_sjson_root(c->doc), "%s", message);
}

bool ct_compile_strings(ct_compile *c) {
    ct_strings_source source;
    const ct_strings_source_desc desc = {
        .allocator = c->allocator,
        .doc = c->doc,
        .properties = c->properties,
        .num_properties = c->num_properties,
        .default_language = default_language,
        .report = report,
        .user = c,
    };
    if (!ct_strings_source_read(&desc, &source))
        return false;
    warn_of_mistake(c, &source);
    compare_with_model(c, &source);
    write_strings(c, &source);
    return true;
}
