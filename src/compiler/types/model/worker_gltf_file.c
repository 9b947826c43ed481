#include "compiler/types/model/worker_gltf_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

// The key of each list, and what one of it is called.
static const struct {
    const char *key, *one;
} list_names[CT_GLTF_LIST_COUNT] = {
    [CT_GLTF_LIST_ACCESSORS] = {"accessors", "accessor"},
    [CT_GLTF_LIST_ANIMATIONS] = {"animations", "animation"},
    [CT_GLTF_LIST_BUFFER_VIEWS] = {"bufferViews", "buffer view"},
    [CT_GLTF_LIST_BUFFERS] = {"buffers", "buffer"},
    [CT_GLTF_LIST_CAMERAS] = {"cameras", "camera"},
    [CT_GLTF_LIST_IMAGES] = {"images", "image"},
    [CT_GLTF_LIST_LIGHTS] = {"lights", "light"},
    [CT_GLTF_LIST_MATERIALS] = {"materials", "material"},
    [CT_GLTF_LIST_MESHES] = {"meshes", "mesh"},
    [CT_GLTF_LIST_NODES] = {"nodes", "node"},
    [CT_GLTF_LIST_SAMPLERS] = {"samplers", "sampler"},
    [CT_GLTF_LIST_SCENES] = {"scenes", "scene"},
    [CT_GLTF_LIST_SKINS] = {"skins", "skin"},
    [CT_GLTF_LIST_TEXTURES] = {"textures", "texture"},
};

// --- Messages ------------------------------------------------------------------------------------

static const char *format_text(const ct_gltf_file *g, const char *format, va_list arguments) {
    char text[CT_ERROR_MESSAGE_BYTES];
    vsnprintf(text, sizeof(text), format, arguments);
    return ct_compile_text(g->c, "%s", text);
}

bool ct_gltf_error(const ct_gltf_file *g, ct_sjson_value at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *const text = format_text(g, format, arguments);
    va_end(arguments);
    uint32_t line = 0, column = 0;
    if (at.entry && !g->is_binary)
        ct_sjson_position(g->doc, at, &line, &column);
    return ct_compile_error_at(g->c, g->scene->path, line, column, "%s", text);
}

void ct_gltf_warn(const ct_gltf_file *g, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *const text = format_text(g, format, arguments);
    va_end(arguments);
    ct_worker_scene_warn(g->c, g->scene, text);
}

// --- Members -------------------------------------------------------------------------------------

static bool refuse_type(const ct_gltf_file *g, ct_sjson_value v, const char *expected) {
    const char *const key = ct_sjson_key(g->doc, v);
    return ct_gltf_error(g, v, "\"%s\" is %s; expected %s", key ? key : "item",
                         ct_sjson_type_name(ct_sjson_type_of(g->doc, v)), expected);
}

// The member, {0} when it is not there. False after reporting another type.
static bool find_member(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                        ct_sjson_type type, ct_sjson_value *member) {
    *member = ct_sjson_find(g->doc, object, key);
    return !member->entry || ct_sjson_type_of(g->doc, *member) == type ||
           refuse_type(g, *member, ct_sjson_type_name(type));
}

bool ct_gltf_object(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                    ct_sjson_value *member) {
    return find_member(g, object, key, CT_SJSON_TYPE_OBJECT, member);
}

bool ct_gltf_array(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                   ct_sjson_value *member) {
    return find_member(g, object, key, CT_SJSON_TYPE_ARRAY, member);
}

static bool number_of(const ct_gltf_file *g, ct_sjson_value v, float *value) {
    const float number = (float)ct_sjson_number(g->doc, v, 0);
    if (!isfinite(number))
        return ct_gltf_error(g, v, "the number is too large");
    *value = number;
    return true;
}

bool ct_gltf_number(const ct_gltf_file *g, ct_sjson_value object, const char *key, float *value) {
    ct_sjson_value v;
    if (!find_member(g, object, key, CT_SJSON_TYPE_NUMBER, &v))
        return false;
    return !v.entry || number_of(g, v, value);
}

bool ct_gltf_bool(const ct_gltf_file *g, ct_sjson_value object, const char *key, bool *value) {
    ct_sjson_value v;
    if (!find_member(g, object, key, CT_SJSON_TYPE_BOOL, &v))
        return false;
    *value = ct_sjson_bool(g->doc, v, *value);
    return true;
}

bool ct_gltf_string(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                    const char **value) {
    ct_sjson_value v;
    if (!find_member(g, object, key, CT_SJSON_TYPE_STRING, &v))
        return false;
    *value = ct_sjson_string(g->doc, v, *value);
    return true;
}

bool ct_gltf_numbers(const ct_gltf_file *g, ct_sjson_value object, const char *key, float *values,
                     uint32_t count) {
    ct_sjson_value list;
    if (!ct_gltf_array(g, object, key, &list))
        return false;
    if (!list.entry)
        return true;
    if (ct_sjson_count(g->doc, list) != count)
        return ct_gltf_error(g, list, "\"%s\" has %u items; expected %u numbers", key,
                             ct_sjson_count(g->doc, list), count);
    for (ct_sjson_value v = ct_sjson_first(g->doc, list); v.entry; v = ct_sjson_next(g->doc, v)) {
        if (ct_sjson_type_of(g->doc, v) != CT_SJSON_TYPE_NUMBER)
            return refuse_type(g, v, "a number");
        if (!number_of(g, v, values++))
            return false;
    }
    return true;
}

static bool is_whole(double number, uint64_t most) {
    return number >= 0 && number <= (double)most && number == floor(number);
}

bool ct_gltf_whole(const ct_gltf_file *g, ct_sjson_value object, const char *key, uint64_t most,
                   uint64_t *value) {
    ct_sjson_value v;
    if (!find_member(g, object, key, CT_SJSON_TYPE_NUMBER, &v))
        return false;
    if (!v.entry)
        return true;
    const double number = ct_sjson_number(g->doc, v, 0);
    if (!is_whole(number, most))
        return ct_gltf_error(g, v, "\"%s\" is %.10g; expected a whole number from 0 to %llu", key,
                             number, (unsigned long long)most);
    *value = (uint64_t)number;
    return true;
}

bool ct_gltf_index_value(const ct_gltf_file *g, ct_sjson_value v, ct_gltf_list list,
                         uint32_t *index) {
    const double number = ct_sjson_number(g->doc, v, -1);
    const uint32_t count = g->lists[list].count;
    *index = CT_GLTF_NONE;
    if (ct_sjson_type_of(g->doc, v) != CT_SJSON_TYPE_NUMBER)
        return refuse_type(g, v, "a number");
    if (count == 0 || !is_whole(number, count - 1))
        return ct_gltf_error(g, v, "found %s %.10g, but there are %u %s", list_names[list].one,
                             number, count, list_names[list].key);
    *index = (uint32_t)number;
    return true;
}

bool ct_gltf_index(const ct_gltf_file *g, ct_sjson_value object, const char *key, ct_gltf_list list,
                   uint32_t *index) {
    const ct_sjson_value v = ct_sjson_find(g->doc, object, key);
    *index = CT_GLTF_NONE;
    return !v.entry || ct_gltf_index_value(g, v, list, index);
}

ct_sjson_value ct_gltf_extension(const ct_gltf_file *g, ct_sjson_value object, const char *name) {
    return ct_sjson_find(g->doc, ct_sjson_find(g->doc, object, "extensions"), name);
}

// --- Lists ---------------------------------------------------------------------------------------

static bool open_list(ct_gltf_file *g, ct_sjson_value object, ct_gltf_list list) {
    ct_sjson_value array;
    if (!ct_gltf_array(g, object, list_names[list].key, &array))
        return false;
    const uint32_t count = ct_sjson_count(g->doc, array);
    ct_sjson_value *const items =
        CT_NEW_ARRAY(g->c->allocator, ct_sjson_value, (uint64_t)count + 1);
    g->lists[list] = (ct_gltf_values){.items = items, .count = count};
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(g->doc, array); v.entry; v = ct_sjson_next(g->doc, v)) {
        if (ct_sjson_type_of(g->doc, v) != CT_SJSON_TYPE_OBJECT)
            return refuse_type(g, v, "an object");
        items[i++] = v;
    }
    return true;
}

bool ct_gltf_open_lists(ct_gltf_file *g) {
    const ct_sjson_value root = ct_sjson_root(g->doc);
    for (uint32_t i = 0; i < CT_GLTF_LIST_COUNT; ++i) {
        const ct_sjson_value object =
            i == CT_GLTF_LIST_LIGHTS ? ct_gltf_extension(g, root, "KHR_lights_punctual") : root;
        if (!open_list(g, object, (ct_gltf_list)i))
            return false;
    }
    return true;
}

ct_sjson_value ct_gltf_item(const ct_gltf_file *g, ct_gltf_list list, uint32_t index) {
    CT_ASSERT(index < g->lists[list].count, "%s %u of %u", list_names[list].one, index,
              g->lists[list].count);
    return g->lists[list].items[index];
}

const char *ct_gltf_name(const ct_gltf_file *g, ct_gltf_list list, uint32_t index) {
    const ct_sjson_value item = ct_gltf_item(g, list, index);
    const char *const name = ct_sjson_string(g->doc, ct_sjson_find(g->doc, item, "name"), "");
    return *name ? ct_compile_text(g->c, "%s \"%s\"", list_names[list].one, name)
                 : ct_compile_text(g->c, "%s %u", list_names[list].one, index);
}
