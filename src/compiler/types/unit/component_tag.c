#include "compiler/types/unit/component_tag.h"

#include "resource/types/component/tag_data.h"

#include <string.h>

// The last list that was given; no value: none was.
static ct_template_place find_list(const ct_template_component *component) {
    for (uint32_t i = component->objects.count; i-- > 0;) {
        const ct_template_place at = ct_template_member(component->objects.items[i], "tags");
        if (at.value.entry)
            return at;
    }
    return (ct_template_place){0};
}

// Adds the tag at `at` of a component of `type` unless it is invalid or listed already. False after an
// error.
static bool add_tag(ct_template *t, const char *type, ct_component_tags *texts,
                    ct_template_place at) {
    const char *const text = ct_template_text(at);
    if (!text)
        return ct_template_error(t, at, "%s.tags: found %s, expected a string", type,
                                 ct_sjson_type_name(ct_sjson_type_of(at.doc, at.value)));
    const uint32_t id = ct_string_id32_of(text).value;
    if (id == 0)
        return ct_template_error(
            t, at, "%s.tags: \"%s\" cannot be a tag, as its id is 0; choose another word", type,
            text);
    for (uint32_t i = 0; i < texts->count; ++i) {
        const char *const other = texts->items[i];
        if (strcmp(other, text) == 0)
            return ct_template_error(t, at, "%s.tags: \"%s\" is listed twice", type, text);
        if (ct_string_id32_of(other).value == id)
            return ct_template_error(t, at,
                                     "%s.tags: \"%s\" has the id of \"%s\"; choose another word",
                                     type, text, other);
    }
    ct_array_push(texts, text);
    return true;
}

bool ct_component_read_tags(ct_template *t, const ct_template_component *component,
                            ct_component_tags *tags) {
    const ct_template_place list = find_list(component);
    if (!list.value.entry)
        return true;
    if (ct_sjson_type_of(list.doc, list.value) != CT_SJSON_TYPE_ARRAY)
        return false; // told when the object was read
    bool result = true;
    for (ct_sjson_value v = ct_sjson_first(list.doc, list.value); v.entry;
         v = ct_sjson_next(list.doc, v))
        result &= add_tag(t, component->type->name, tags, (ct_template_place){list.doc, v});
    return result;
}

bool ct_component_write_tags(ct_template *t, const ct_template_component *component,
                             ct_blob_writer *w) {
    ct_component_tags texts;
    ct_array_init(&texts, t->compile->allocator);
    if (!ct_component_read_tags(t, component, &texts))
        return false;
    ct_blob_write_u32(w, texts.count);
    for (uint32_t i = 0; i < texts.count; ++i)
        ct_blob_write_u32(w, ct_string_id32_of(texts.items[i]).value);
    for (uint32_t i = 0; i < texts.count; ++i)
        ct_blob_write_bytes(w, texts.items[i], strlen(texts.items[i]) + 1);
    return true;
}
