// Compiles strings: keys sorted by their ids, texts by plural form, the language's plural rules.
#include "compiler/compiler_types.h"
#include "compiler/strings_source.h"

#include <string.h>

static void report(void *user, const ct_sjson *doc, ct_sjson_value at, const char *message) {
    ct_compile_error(user, doc, at, "%s", message);
}

static ct_sjson_value default_language(void *user, const ct_sjson **settings) {
    return ct_compile_setting(user, "language", settings);
}

// --- Writing -------------------------------------------------------------------------------------

// Writes the plural rules and patches the field at `field`.
static void write_rules(ct_blob_writer *w, uint32_t field, const ct_plural_language *language) {
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, field, ct_blob_writer_offset(w), language->num_relations);
    for (uint32_t i = 0; i < language->num_relations; i++) {
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
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; i++)
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
    for (uint32_t i = 0; i < source->texts.count; i++) {
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
    for (uint32_t i = 0; i < source->texts.count; i++) {
        for (uint32_t k = 0; k < CT_PLURAL_COUNT; k++) {
            if (source->texts.items[i].forms[k].entry == 0)
                continue;
            ct_blob_write_u32(w, k);
            ct_blob_write_array_field(w); // text
        }
    }
}

static void patch_strings(ct_blob_writer *w, const ct_sjson *doc, const ct_strings_source *source,
                          uint32_t entry_at, uint32_t form_at) {
    for (uint32_t i = 0; i < source->texts.count; i++) {
        const ct_strings_source_text *const text = &source->texts.items[i];
        ct_blob_patch_string(w, entry_at + (uint32_t)offsetof(ct_strings_entry, key), text->key,
                             (uint32_t)strlen(text->key));
        entry_at += (uint32_t)sizeof(ct_strings_entry);
        for (uint32_t k = 0; k < CT_PLURAL_COUNT; k++) {
            if (text->forms[k].entry == 0)
                continue;
            ct_blob_patch_string(w, form_at + (uint32_t)offsetof(ct_strings_form, text),
                                 ct_sjson_string(doc, text->forms[k], ""),
                                 ct_sjson_string_bytes(doc, text->forms[k]));
            form_at += (uint32_t)sizeof(ct_strings_form);
        }
    }
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
