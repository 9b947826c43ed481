// Sound_source components: the head, which the schema reads, and `parameters`, merged name by name and
// checked against the event.
#include <math.h>
#include <string.h>

#include "compiler/types/unit/component_compiler.h"
#include "resource/types/component/sound_source_data.h"

typedef struct parameter {
    ct_template_place at; // where it was given last
    ct_sound_source_parameter data;
} parameter;

typedef struct parameter_list {
    ct_template *t;
    parameter items[CT_SOUND_SOURCE_MAX_PARAMETERS];
    uint32_t count;
} parameter_list;

// --- Reading -------------------------------------------------------------------------------------

// Reads the value at `at`: a number, or a string whose hash counts. False after an error.
static bool read_value(const parameter_list *list, ct_template_place at,
                       ct_sound_source_parameter *p) {
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    const double number = ct_sjson_number(at.doc, at.value, (double)NAN);
    const float value = (float)number;
    p->is_text = type == CT_SJSON_TYPE_STRING;
    p->bits = p->is_text ? ct_string_id32_of(ct_template_text(at)).value : 0;
    if (p->is_text)
        return true;
    if (type != CT_SJSON_TYPE_NUMBER)
        return ct_template_error(list->t, at, "found %s, expected a number or a string",
                                 ct_sjson_type_name(type));
    if (!isfinite(value))
        return ct_template_error(list->t, at, "found %g, expected a number that fits into a float",
                                 number);
    memcpy(&p->bits, &value, sizeof(value));
    return true;
}

// Takes a member of `parameters`; null drops what is there. False after an error.
static bool take_member(parameter_list *list, ct_template_place at) {
    parameter p = {.at = at};
    p.data.name = ct_string_id32_of(ct_sjson_key(at.doc, at.value));
    uint32_t i = 0;
    while (i < list->count && list->items[i].data.name.value != p.data.name.value)
        ++i;
    if (ct_sjson_type_of(at.doc, at.value) == CT_SJSON_TYPE_NULL) {
        if (i < list->count)
            list->items[i] = list->items[--list->count];
        return true;
    }
    if (!read_value(list, at, &p.data))
        return false;
    if (i == CT_SOUND_SOURCE_MAX_PARAMETERS)
        return ct_template_error(list->t, at, "sound_source: expected at most %d parameters",
                                 CT_SOUND_SOURCE_MAX_PARAMETERS);
    list->items[i] = p;
    list->count += i == list->count;
    return true;
}

static bool take_members(parameter_list *list, ct_template_place object) {
    const ct_template_place map = ct_template_member(object, "parameters");
    bool is_fine = true;
    if (ct_sjson_type_of(map.doc, map.value) != CT_SJSON_TYPE_OBJECT)
        return true; // the schema reported another type
    for (ct_sjson_value v = ct_sjson_first(map.doc, map.value); v.entry;
         v = ct_sjson_next(map.doc, v))
        is_fine &= take_member(list, (ct_template_place){map.doc, v});
    return is_fine;
}

// --- Against the event ---------------------------------------------------------------------------

// A parameter that some variant of the event declares.
typedef struct declared {
    const char *name;
    bool is_text;
} declared;

typedef CT_ARRAY(declared) declared_array;

// Adds the parameters of one source of the event. False when it cannot be read: its own compile
// reports why.
static bool add_declared(ct_compile *c, const char *path, declared_array *all) {
    uint64_t bytes = 0;
    const char *const text = ct_compile_find(c, path, &bytes);
    const ct_sjson *const doc =
        text && bytes > 0 ? ct_sjson_parse(c->allocator, text, bytes, path, NULL, NULL) : NULL;
    if (!doc)
        return false;
    const ct_sjson_value map = ct_sjson_find(doc, ct_sjson_root(doc), "parameters");
    if (ct_sjson_type_of(doc, map) != CT_SJSON_TYPE_OBJECT)
        return true;
    for (ct_sjson_value v = ct_sjson_first(doc, map); v.entry; v = ct_sjson_next(doc, v)) {
        const bool is_text = ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_STRING;
        ct_array_push(all, (declared){ct_sjson_key(doc, v), is_text});
    }
    return true;
}

// Reports that the event does not have the parameter at `at`. Returns false.
static bool unknown_name(const parameter_list *list, ct_template_place at, const char *event,
                         const declared_array *all) {
    CT_ARRAY(const char *) names;
    ct_array_init(&names, list->t->compile->allocator);
    for (uint32_t i = 0; i < all->count; ++i)
        ct_array_push(&names, all->items[i].name);
    const char *const name = ct_sjson_key(at.doc, at.value);
    const char *const nearest = ct_nearest_name(name, names.items, names.count);
    if (nearest)
        return ct_template_error(list->t, at,
                                 "the event has no parameter \"%.64s\"; did you mean \"%.64s\"?",
                                 name, nearest);
    return ct_template_error(list->t, at,
                             "the event has no parameter \"%.64s\"; add it to %.200s.sound_event",
                             name, event);
}

static bool check_parameter(const parameter_list *list, const parameter *p, const char *event,
                            const declared_array *all) {
    const char *const name = ct_sjson_key(p->at.doc, p->at.value);
    const declared *found = NULL;
    for (uint32_t i = 0; i < all->count; ++i) {
        if (strcmp(all->items[i].name, name) != 0)
            continue;
        found = &all->items[i];
        if (found->is_text == p->data.is_text)
            return true;
    }
    if (!found)
        return unknown_name(list, p->at, event, all);
    return ct_template_error(list->t, p->at, "found a %s; the event's parameter \"%.64s\" is a %s",
                             p->data.is_text ? "string" : "number", name,
                             found->is_text ? "string" : "number");
}

// Checks that the event, in one of its variants, has the parameters.
static bool check_parameters(const parameter_list *list, const ct_template_component *component) {
    ct_compile *const c = list->t->compile;
    ct_template_place at = {0};
    for (uint32_t i = component->objects.count; i-- > 0 && !at.value.entry;)
        at = ct_template_member(component->objects.items[i], "event");
    const char *const event = at.value.entry ? ct_template_text(at) : NULL;
    if (!list->count || !event || !*event)
        return true; // or reported when the component was read
    declared_array all;
    ct_array_init(&all, c->allocator);
    uint32_t num_paths = 0;
    const char *const *const paths = ct_compile_list_variants(c, "sound_event", event, &num_paths);
    bool is_known = num_paths > 0, is_fine = true;
    for (uint32_t i = 0; i < num_paths; ++i)
        is_known &= add_declared(c, paths[i], &all);
    for (uint32_t i = 0; i < list->count && is_known; ++i)
        is_fine &= check_parameter(list, &list->items[i], event, &all);
    return is_fine;
}

bool ct_component_write_sound_source(ct_template *t, const ct_template_component *component,
                                     ct_blob_writer *w) {
    const ct_sound_source_data_source *const source = component->data;
    ct_sound_source_data head = source->head;
    parameter_list list = {.t = t};
    bool is_fine = true;
    for (uint32_t i = 0; i < component->objects.count; ++i)
        is_fine &= take_members(&list, component->objects.items[i]);
    is_fine = is_fine && check_parameters(&list, component);
    head.num_parameters = list.count;
    ct_blob_write_structs(w, &ct_sound_source_data_head_schema, &head, 1);
    for (uint32_t i = 0; i < list.count; ++i) {
        ct_blob_write_u32(w, list.items[i].data.name.value);
        ct_blob_write_u32(w, list.items[i].data.is_text);
        ct_blob_write_u32(w, list.items[i].data.bits);
    }
    return is_fine;
}
