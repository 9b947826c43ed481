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
        ct_compile_warning(c, c->doc, text.text->at, "\"%s\" has %s, which %s has not",
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

// Writes the plural rules and patches the field at `field`.
static void write_rules(ct_blob_writer *w, uint32_t field, const ct_plural_language *language) {
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, field, ct_blob_writer_offset(w), language->num_relations);
    for (uint32_t i = 0; i < language->num_relations; ++i) {
        const ct_plural_relation *const r = &language->relations[i];
        ct_blob_write_u8(w, r->category);
        ct_blob_write_u8(w, r->operand);
        ct_blob_write_u8(w, r->is_outside);
        ct_blob_write_u8(w, r->is_last);
        ct_blob_write_u32(w, r->modulus);
        ct_blob_write_u32(w, r->first);
        ct_blob_write_u32(w, r->last);
    }
}

static uint32_t count_forms(const ct_strings_source_text *text) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i)
        count += text->forms[i].entry != 0;
    return count;
}

// Writes ct_strings_entry and ct_strings_form without their strings. Returns where the first entry
// and the first form are.
static void write_tables(ct_blob_writer *w, uint32_t entries_field, uint32_t forms_field,
                         const ct_strings_source *source, uint32_t *entries_at,
                         uint32_t *forms_at) {
    uint32_t num_forms = 0;
    ct_blob_writer_align(w, 8);
    *entries_at = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, entries_field, *entries_at, source->texts.count);
    for (uint32_t i = 0; i < source->texts.count; ++i) {
        const uint32_t count = count_forms(&source->texts.items[i]);
        ct_blob_write_u32(w, source->texts.items[i].id.value);
        ct_blob_write_array_field(w); // key
        ct_blob_write_u32(w, num_forms);
        ct_blob_write_u32(w, count);
        num_forms += count;
    }
    ct_blob_writer_align(w, 8);
    *forms_at = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, forms_field, *forms_at, num_forms);
    for (uint32_t i = 0; i < source->texts.count; ++i) {
        for (uint32_t k = 0; k < CT_PLURAL_COUNT; ++k) {
            if (source->texts.items[i].forms[k].entry == 0)
                continue;
            ct_blob_write_u32(w, k);
            ct_blob_write_array_field(w); // text
        }
    }
}

static void patch_strings(ct_blob_writer *w, const ct_sjson *doc, const ct_strings_source *source,
                          uint32_t entry_at, uint32_t form_at) {
    for (uint32_t i = 0; i < source->texts.count; ++i) {
        const ct_strings_source_text *const text = &source->texts.items[i];
        ct_blob_patch_string(w, entry_at + (uint32_t)offsetof(ct_strings_entry, key), text->key,
                             (uint32_t)strlen(text->key));
        entry_at += (uint32_t)sizeof(ct_strings_entry);
        for (uint32_t k = 0; k < CT_PLURAL_COUNT; ++k) {
            if (text->forms[k].entry == 0)
                continue;
            ct_blob_patch_string(w, form_at + (uint32_t)offsetof(ct_strings_form, text),
                                 ct_sjson_string(doc, text->forms[k], ""),
                                 ct_sjson_string_bytes(doc, text->forms[k]));
            form_at += (uint32_t)sizeof(ct_strings_form);
        }
    }
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
    ct_blob_writer *const w = &c->blob;
    const uint32_t language = ct_blob_write_array_field(w);
    const uint32_t entries = ct_blob_write_array_field(w);
    const uint32_t forms = ct_blob_write_array_field(w);
    const uint32_t rules = ct_blob_write_array_field(w);
    uint32_t entries_at, forms_at;
    write_rules(w, rules, &source.language);
    write_tables(w, entries, forms, &source, &entries_at, &forms_at);
    ct_blob_patch_string(w, language, source.language.tag, (uint32_t)strlen(source.language.tag));
    patch_strings(w, c->doc, &source, entries_at, forms_at);
    return true;
}
