// Compiles materials: checks names and values against the source of their shader.
#include <string.h>

#include "compiler/compiler_types.h"
#include "compiler/worker_parameter.h"
#include "foundation/array.h"
#include "resource/material_resource.h"
#include "resource/resource_id.h"

typedef struct material_builder {
    ct_compile *c;
    ct_material_source source;
    const ct_sjson *shader; // the shader's source
    CT_ARRAY(ct_string_id32) options;
    CT_ARRAY(ct_material_parameter) parameters;
    CT_ARRAY(ct_material_texture) textures;
} material_builder;

// Reports a name that the shader's `what` ("options", …) do not have.
static void report_unknown(material_builder *b, ct_sjson_value at, const char *what,
                           const char *name) {
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), what);
    const uint32_t count = ct_sjson_count(b->shader, known);
    const char **names = CT_NEW_ARRAY(b->c->allocator, const char *, count + 1);
    uint32_t num_names = 0;
    for (ct_sjson_value v = ct_sjson_first(b->shader, known); v.entry;
         v = ct_sjson_next(b->shader, v)) {
        const char *key = ct_sjson_key(b->shader, v);
        names[num_names++] = key ? key : ct_sjson_string(b->shader, v, "");
    }
    const char *nearest = ct_nearest_name(name, names, num_names);
    const char *shader = ct_sjson_file(b->shader);
    if (nearest)
        ct_compile_error(b->c, b->c->doc, at, "%s has no \"%.64s\" in %s; did you mean \"%s\"?",
                         shader, name, what, nearest);
    else
        ct_compile_error(b->c, b->c->doc, at, "%s has no \"%.64s\" in %s%s%s", shader, name, what,
                         num_names ? "; the first is " : ", which are none",
                         num_names ? names[0] : "");
}

static void read_option(material_builder *b, ct_sjson_value v) {
    const ct_sjson *doc = b->c->doc;
    const char *name = ct_sjson_string(doc, v, NULL);
    if (!name) {
        ct_compile_error(b->c, doc, v, "material.options: found %s, expected a name",
                         ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        return;
    }
    const ct_string_id32 id = ct_string_id32_of(name);
    for (uint32_t i = 0; i < b->options.count; i++) {
        if (b->options.items[i].value == id.value) {
            ct_compile_error(b->c, doc, v, "the option \"%s\" is there already", name);
            return;
        }
    }
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), "options");
    for (ct_sjson_value o = ct_sjson_first(b->shader, known); o.entry;
         o = ct_sjson_next(b->shader, o)) {
        if (strcmp(ct_sjson_string(b->shader, o, ""), name) == 0) {
            ct_array_push(&b->options, id);
            return;
        }
    }
    report_unknown(b, v, "options", name);
}

static void read_parameter(material_builder *b, ct_sjson_value v) {
    const char *name = ct_sjson_key(b->c->doc, v);
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), "parameters");
    const ct_sjson_value declared = ct_sjson_find(b->shader, known, name);
    if (!declared.entry) {
        report_unknown(b, v, "parameters", name);
        return;
    }
    const ct_sjson_value type_value = ct_sjson_find(b->shader, declared, "type");
    const char *type_name = ct_sjson_string(b->shader, type_value, "");
    const ct_shader_parameter_type type = ct_worker_parameter_type_named(type_name);
    if (type == CT_SHADER_PARAMETER_TYPE_NONE) {
        ct_compile_error(b->c, b->c->doc, v, "%s says \"%.64s\" as the type of %s: mend it there",
                         ct_sjson_file(b->shader), type_name, name);
        return;
    }
    ct_material_parameter p = {.name = ct_string_id32_of(name),
                               .num_floats = ct_shader_parameter_floats(type)};
    if (ct_worker_parameter_read(b->c, b->c->doc, v, name, type, p.value))
        ct_array_push(&b->parameters, p);
}

static void read_texture(material_builder *b, ct_sjson_value v) {
    const ct_sjson *doc = b->c->doc;
    const char *name = ct_sjson_key(doc, v), *texture = ct_sjson_string(doc, v, NULL);
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), "textures");
    if (!ct_sjson_find(b->shader, known, name).entry) {
        report_unknown(b, v, "textures", name);
        return;
    }
    if (!texture) {
        ct_compile_error(b->c, doc, v, "%s: found %s, expected the name of a texture", name,
                         ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        return;
    }
    if (!ct_resource_name_is_canonical(texture)) {
        char suggestion[CT_RESOURCE_NAME_BYTES];
        ct_resource_name_suggest(texture, suggestion);
        ct_compile_error(b->c, doc, v,
                         "%s: \"%.256s\" is not the name of a resource ([a-z0-9_/-], no "
                         "extension): write \"%s\"",
                         name, texture, suggestion);
        return;
    }
    ct_compile_reference(b->c, "texture", texture, doc, v);
    ct_array_push(&b->textures, (ct_material_texture){.name = ct_string_id32_of(name),
                                                      .texture = ct_string_id64_of(texture)});
}

static void read_each(material_builder *b, ct_sjson_value container,
                      void (*read)(material_builder *b, ct_sjson_value v)) {
    for (ct_sjson_value v = ct_sjson_first(b->c->doc, container); v.entry;
         v = ct_sjson_next(b->c->doc, v))
        read(b, v);
}

static void write_material(const material_builder *b) {
    ct_blob_writer *w = &b->c->blob;
    ct_blob_write_u64(w, b->source.shader.value);
    const uint32_t options_at = ct_blob_write_array_field(w);
    const uint32_t parameters_at = ct_blob_write_array_field(w);
    const uint32_t textures_at = ct_blob_write_array_field(w);
    ct_blob_patch_array(w, options_at, ct_blob_writer_offset(w), b->options.count);
    for (uint32_t i = 0; i < b->options.count; i++)
        ct_blob_write_u32(w, b->options.items[i].value);
    ct_blob_patch_array(w, parameters_at, ct_blob_writer_offset(w), b->parameters.count);
    for (uint32_t i = 0; i < b->parameters.count; i++) {
        ct_blob_write_u32(w, b->parameters.items[i].name.value);
        ct_blob_write_u32(w, b->parameters.items[i].num_floats);
        ct_blob_write_float_array(w, b->parameters.items[i].value, CT_SHADER_MAX_FLOATS);
    }
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, textures_at, ct_blob_writer_offset(w), b->textures.count);
    for (uint32_t i = 0; i < b->textures.count; i++) {
        ct_blob_write_u32(w, b->textures.items[i].name.value);
        ct_blob_write_u32(w, 0);
        ct_blob_write_u64(w, b->textures.items[i].texture.value);
    }
}

bool ct_compile_material(ct_compile *c) {
    material_builder b = {.c = c};
    const ct_schema_listener listener = ct_compile_listener(c);
    if (!ct_schema_read(&ct_material_schema, c->doc, ct_sjson_root(c->doc), &b.source, &listener))
        return false;
    const char *name = ct_sjson_string(c->doc, b.source.shader_value, "");
    b.shader = ct_compile_read_resource(c, "shader", name, c->doc, b.source.shader_value);
    if (!b.shader)
        return false;
    ct_array_init(&b.options, c->allocator);
    ct_array_init(&b.parameters, c->allocator);
    ct_array_init(&b.textures, c->allocator);
    read_each(&b, b.source.options, read_option);
    read_each(&b, b.source.parameters, read_parameter);
    read_each(&b, b.source.textures, read_texture);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_material(&b);
    return true;
}
