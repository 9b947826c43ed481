// Particles components: the head, which the schema reads, and `variables`, merged name by name and
// checked against the effect.
#include <math.h>
#include <string.h>

#include "compiler/types/unit/component_compiler.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/types/component/particles_data.h"

typedef struct variable {
    ct_template_place at; // where it was given last
    ct_particles_data_variable data;
} variable;

typedef struct variable_list {
    ct_template *t;
    variable items[CT_PARTICLES_DATA_MAX_VARIABLES];
    uint32_t count;
} variable_list;

// --- Reading -------------------------------------------------------------------------------------

// Reads the number at `at`. False after an error.
static bool read_number(const variable_list *list, ct_template_place at, float *out) {
    const double number = ct_sjson_number(at.doc, at.value, (double)NAN);
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    *out = (float)number;
    if (type != CT_SJSON_TYPE_NUMBER)
        return ct_template_error(list->t, at, "found %s, expected a number",
                                 ct_sjson_type_name(type));
    return isfinite(*out) ||
           ct_template_error(list->t, at, "found %g, expected a number that fits into a float",
                             number);
}

// A number is in all components. False after an error.
static bool read_value(const variable_list *list, ct_template_place at, float out[4]) {
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    if (type != CT_SJSON_TYPE_ARRAY) {
        if (!read_number(list, at, &out[0]))
            return false;
        out[1] = out[2] = out[3] = out[0];
        return true;
    }
    const uint32_t count = ct_sjson_count(at.doc, at.value);
    if (count < 2 || count > 4)
        return ct_template_error(
            list->t, at, "found %u numbers, expected a number, or an array of 2 to 4", count);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(at.doc, at.value); v.entry;
         v = ct_sjson_next(at.doc, v), ++i)
        if (!read_number(list, (ct_template_place){at.doc, v}, &out[i]))
            return false;
    return true;
}

// Takes a member of `variables`; null drops what is there. False after an error.
static bool take_member(variable_list *list, ct_template_place at) {
    variable v = {.at = at};
    v.data.name = ct_string_id32_of(ct_sjson_key(at.doc, at.value));
    uint32_t i = 0;
    while (i < list->count && list->items[i].data.name.value != v.data.name.value)
        ++i;
    if (ct_sjson_type_of(at.doc, at.value) == CT_SJSON_TYPE_NULL) {
        if (i < list->count)
            list->items[i] = list->items[--list->count];
        return true;
    }
    if (!read_value(list, at, v.data.value))
        return false;
    if (i == CT_PARTICLES_DATA_MAX_VARIABLES)
        return ct_template_error(list->t, at, "particles: expected at most %d variables",
                                 CT_PARTICLES_DATA_MAX_VARIABLES);
    list->items[i] = v;
    list->count += i == list->count;
    return true;
}

static bool take_members(variable_list *list, ct_template_place object) {
    const ct_template_place map = ct_template_member(object, "variables");
    bool is_fine = true;
    if (ct_sjson_type_of(map.doc, map.value) != CT_SJSON_TYPE_OBJECT)
        return true; // the schema reported another type
    for (ct_sjson_value v = ct_sjson_first(map.doc, map.value); v.entry;
         v = ct_sjson_next(map.doc, v))
        is_fine &= take_member(list, (ct_template_place){map.doc, v});
    return is_fine;
}

// --- Against the effect --------------------------------------------------------------------------

typedef CT_ARRAY(const char *) name_array;

// Adds the variables of one source of the effect. False when it cannot be read: its own compile
// reports why.
static bool add_names(ct_compile *c, const char *path, name_array *names) {
    uint64_t bytes = 0;
    const char *const text = ct_compile_find(c, path, &bytes);
    const ct_sjson *const doc =
        text && bytes > 0 ? ct_sjson_parse(c->allocator, text, bytes, path, NULL, NULL) : NULL;
    if (!doc)
        return false;
    const ct_sjson_value variables = ct_sjson_find(doc, ct_sjson_root(doc), "variables");
    if (ct_sjson_type_of(doc, variables) != CT_SJSON_TYPE_OBJECT)
        return true;
    for (ct_sjson_value v = ct_sjson_first(doc, variables); v.entry; v = ct_sjson_next(doc, v))
        ct_array_push(names, ct_sjson_key(doc, v));
    return true;
}

static bool check_name(ct_template *t, ct_template_place at, const char *effect,
                       const name_array *names) {
    const char *const name = ct_sjson_key(at.doc, at.value);
    for (uint32_t i = 0; i < names->count; ++i)
        if (strcmp(names->items[i], name) == 0)
            return true;
    const char *const nearest = ct_nearest_name(name, names->items, names->count);
    if (nearest)
        return ct_template_error(
            t, at, "the effect has no variable \"%.64s\"; did you mean \"%.64s\"?", name, nearest);
    return ct_template_error(
        t, at, "the effect has no variable \"%.64s\"; add it to %.200s.particles", name, effect);
}

// Checks that the effect, in one of its variants, has the variables.
static bool check_names(const variable_list *list, const ct_template_component *component) {
    ct_compile *const c = list->t->compile;
    ct_template_place at = {0};
    for (uint32_t i = component->objects.count; i-- > 0 && !at.value.entry;)
        at = ct_template_member(component->objects.items[i], "effect");
    const char *const effect = at.value.entry ? ct_template_text(at) : NULL;
    if (!list->count || !effect || !*effect)
        return true; // or reported when the component was read
    name_array names;
    ct_array_init(&names, c->allocator);
    uint32_t num_paths = 0;
    const char *const *const paths = ct_compile_list_variants(c, "particles", effect, &num_paths);
    bool is_known = num_paths > 0, is_fine = true;
    for (uint32_t i = 0; i < num_paths; ++i)
        is_known &= add_names(c, paths[i], &names);
    for (uint32_t i = 0; i < list->count && is_known; ++i)
        is_fine &= check_name(list->t, list->items[i].at, effect, &names);
    return is_fine;
}

bool ct_component_write_particles(ct_template *t, const ct_template_component *component,
                                  ct_blob_writer *w) {
    const ct_particles_data_source *const source = component->data;
    ct_particles_data head = source->head;
    variable_list list = {.t = t};
    bool is_fine = true;
    for (uint32_t i = 0; i < component->objects.count; ++i)
        is_fine &= take_members(&list, component->objects.items[i]);
    is_fine = is_fine && check_names(&list, component);
    head.num_variables = list.count;
    ct_blob_write_structs(w, &ct_particles_data_head_schema, &head, 1);
    for (uint32_t i = 0; i < list.count; ++i) {
        ct_blob_write_u32(w, list.items[i].data.name.value);
        for (uint32_t k = 0; k < 4; ++k)
            ct_blob_write_float(w, list.items[i].data.value[k]);
    }
    return is_fine;
}
