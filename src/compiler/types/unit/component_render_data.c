// Render data components: `values` and `colors`, merged name by name.
#include <math.h>
#include <string.h>

#include "compiler/types/unit/component_compiler.h"
#include "resource/types/component/render_data.h"
#include "resource/types/shader_resource.h"

typedef struct data_list {
    ct_template *t;
    ct_render_data_value values[CT_RENDER_DATA_MAX_VALUES];
    uint32_t count;
} data_list;

static uint32_t find_value(const data_list *list, ct_string_id32 name) {
    uint32_t i = 0;
    while (i < list->count && list->values[i].name.value != name.value)
        ++i;
    return i;
}

// Reads the number at `at`. False after an error.
static bool read_number(data_list *list, ct_template_place at, bool is_color, float *out) {
    const double number = ct_sjson_number(at.doc, at.value, (double)NAN);
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    *out = (float)number;
    if (type != CT_SJSON_TYPE_NUMBER)
        return ct_template_error(list->t, at, "found %s, expected a number",
                                 ct_sjson_type_name(type));
    if (is_color && !(number >= 0 && number <= 1))
        return ct_template_error(list->t, at, "found %g, expected 0 to 1", number);
    return isfinite(*out) ||
           ct_template_error(list->t, at, "found %g, expected a number that fits into a float",
                             number);
}

// Reads a value to `out`. False after an error.
static bool read_value(data_list *list, ct_template_place at, bool is_color,
                       ct_render_data_value *out) {
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    const uint32_t count = type == CT_SJSON_TYPE_ARRAY ? ct_sjson_count(at.doc, at.value) : 1;
    if (!is_color && type != CT_SJSON_TYPE_ARRAY) {
        out->num_floats = 1;
        return read_number(list, at, false, out->value);
    }
    if (type != CT_SJSON_TYPE_ARRAY || count < (is_color ? 3 : 2) || count > 4)
        return ct_template_error(list->t, at, "found %s, expected %s",
                                 type == CT_SJSON_TYPE_ARRAY ? "an array of another length"
                                                             : ct_sjson_type_name(type),
                                 is_color ? "a colour, [r g b] or [r g b a]"
                                          : "a number, or an array of 2 to 4 numbers");
    uint32_t i = 0;
    out->num_floats = is_color ? 4 : count;
    out->value[3] = is_color;
    for (ct_sjson_value v = ct_sjson_first(at.doc, at.value); v.entry;
         v = ct_sjson_next(at.doc, v), ++i) {
        if (!read_number(list, (ct_template_place){at.doc, v}, is_color, &out->value[i]))
            return false;
        if (is_color && i < 3)
            out->value[i] = ct_srgb_to_linear(out->value[i]);
    }
    return true;
}

// Takes a member of `values` or `colors`; null drops what is there. False after an error.
static bool take_member(data_list *list, ct_template_place at, bool is_color) {
    const char *const name = ct_sjson_key(at.doc, at.value);
    ct_render_data_value value = {.name = ct_string_id32_of(name)};
    const uint32_t i = find_value(list, value.name);
    if (ct_sjson_type_of(at.doc, at.value) == CT_SJSON_TYPE_NULL) {
        if (i < list->count)
            list->values[i] = list->values[--list->count];
        return true;
    }
    if (!read_value(list, at, is_color, &value))
        return false;
    if (i == CT_RENDER_DATA_MAX_VALUES)
        return ct_template_error(list->t, at, "render_data: expected at most %d values",
                                 CT_RENDER_DATA_MAX_VALUES);
    list->values[i] = value;
    list->count += i == list->count;
    return true;
}

static bool take_members(data_list *list, ct_template_place object, const char *member,
                         bool is_color) {
    const ct_template_place map = ct_template_member(object, member);
    bool is_fine = true;
    if (ct_sjson_type_of(map.doc, map.value) != CT_SJSON_TYPE_OBJECT)
        return true; // the schema reported another type
    for (ct_sjson_value v = ct_sjson_first(map.doc, map.value); v.entry;
         v = ct_sjson_next(map.doc, v))
        is_fine &= take_member(list, (ct_template_place){map.doc, v}, is_color);
    return is_fine;
}

bool ct_component_write_render_data(ct_template *t, const ct_template_component *component,
                                    ct_blob_writer *w) {
    data_list list = {.t = t};
    bool is_fine = true;
    for (uint32_t i = 0; i < component->objects.count; ++i) {
        is_fine &= take_members(&list, component->objects.items[i], "values", false);
        is_fine &= take_members(&list, component->objects.items[i], "colors", true);
    }
    ct_blob_write_u32(w, list.count);
    ct_blob_write_u32(w, 0);
    for (uint32_t i = 0; i < list.count; ++i) {
        ct_blob_write_u32(w, list.values[i].name.value);
        ct_blob_write_u32(w, list.values[i].num_floats);
        for (uint32_t k = 0; k < 4; ++k)
            ct_blob_write_float(w, list.values[i].value[k]);
    }
    return is_fine;
}
