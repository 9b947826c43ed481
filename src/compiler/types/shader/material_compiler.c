// Compiles materials: puts together what their parents and they say, and checks names and values
// against the source of their shader.
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/shader/worker_parameter.h"
#include "foundation/container/array.h"
#include "resource/resource_id.h"
#include "resource/types/material_resource.h"

enum { MAX_PARENTS = 32 };

typedef struct material_texture {
    ct_string_id32 name;
    const char *texture;
    const ct_sjson *doc; // where it stands
    ct_sjson_value value;
} material_texture;

// The material, its parent, the parent's, …
typedef struct material_ancestry {
    const ct_sjson *docs[MAX_PARENTS + 1];
    ct_material_source sources[MAX_PARENTS + 1];
    uint32_t count;
} material_ancestry;

typedef struct material_builder {
    ct_compile *c;
    const ct_sjson *doc; // of the ancestry the one in hand
    ct_string_id64 shader_name;
    const ct_sjson *shader; // its source
    CT_ARRAY(ct_string_id32) options;
    CT_ARRAY(ct_material_parameter) parameters;
    CT_ARRAY(material_texture) textures;
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
        const char *const key = ct_sjson_key(b->shader, v);
        names[num_names++] = key ? key : ct_sjson_string(b->shader, v, "");
    }
    const char *const nearest = ct_nearest_name(name, names, num_names);
    const char *const shader = ct_sjson_file(b->shader);
    if (nearest)
        ct_compile_error(b->c, b->doc, at, "%s has no \"%.64s\" in %s; did you mean \"%s\"?",
                         shader, name, what, nearest);
    else
        ct_compile_error(b->c, b->doc, at, "%s has no \"%.64s\" in %s%s%s", shader, name, what,
                         num_names ? "; the first is " : "; it has none",
                         num_names ? names[0] : "");
}

static void read_option(material_builder *b, ct_sjson_value v) {
    const ct_sjson *doc = b->doc;
    const char *const name = ct_sjson_string(doc, v, NULL);
    if (!name) {
        ct_compile_error(b->c, doc, v, "material.options: found %s, expected a name",
                         ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        return;
    }
    const ct_string_id32 id = ct_string_id32_of(name);
    for (uint32_t i = 0; i < b->options.count; ++i) {
        if (b->options.items[i].value == id.value) {
            ct_compile_error(b->c, doc, v, "the option \"%s\" is listed twice", name);
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

static bool is_default(const material_builder *b, ct_sjson_value v) {
    return ct_sjson_type_of(b->doc, v) == CT_SJSON_TYPE_NULL;
}

// Forgets what a parent says.
static void forget_parameter(material_builder *b, ct_string_id32 name) {
    for (uint32_t i = 0; i < b->parameters.count; ++i)
        if (b->parameters.items[i].name.value == name.value)
            ct_array_erase(&b->parameters, i--, 1);
}

static void forget_texture(material_builder *b, ct_string_id32 name) {
    for (uint32_t i = 0; i < b->textures.count; ++i)
        if (b->textures.items[i].name.value == name.value)
            ct_array_erase(&b->textures, i--, 1);
}

static void read_parameter(material_builder *b, ct_sjson_value v) {
    const char *name = ct_sjson_key(b->doc, v);
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), "parameters");
    const ct_sjson_value declared = ct_sjson_find(b->shader, known, name);
    if (!declared.entry) {
        report_unknown(b, v, "parameters", name);
        return;
    }
    const ct_sjson_value type_value = ct_sjson_find(b->shader, declared, "type");
    const char *const type_name = ct_sjson_string(b->shader, type_value, "");
    const ct_shader_parameter_type type = ct_worker_parameter_type_named(type_name);
    if (type == CT_SHADER_PARAMETER_TYPE_NONE) {
        ct_compile_error(b->c, b->doc, v,
                         "%s has the unknown type \"%.64s\" for %s: correct it there",
                         ct_sjson_file(b->shader), type_name, name);
        return;
    }
    ct_material_parameter p = {.name = ct_string_id32_of(name),
                               .num_floats = ct_shader_parameter_floats(type)};
    forget_parameter(b, p.name);
    if (!is_default(b, v) && ct_worker_parameter_read(b->c, b->doc, v, name, type, p.value))
        ct_array_push(&b->parameters, p);
}

static void read_texture(material_builder *b, ct_sjson_value v) {
    const ct_sjson *const doc = b->doc;
    const char *name = ct_sjson_key(doc, v), *texture = ct_sjson_string(doc, v, NULL);
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), "textures");
    if (!ct_sjson_find(b->shader, known, name).entry) {
        report_unknown(b, v, "textures", name);
        return;
    }
    const ct_string_id32 id = ct_string_id32_of(name);
    forget_texture(b, id);
    if (is_default(b, v))
        return;
    if (!texture) {
        ct_compile_error(b->c, doc, v, "%s: found %s, expected the name of a texture", name,
                         ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        return;
    }
    if (!ct_resource_name_is_canonical(texture)) {
        char advice[CT_RESOURCE_ADVICE_BYTES];
        ct_resource_name_advise(texture, b->c->project_folder, advice);
        ct_compile_error(b->c, doc, v,
                         "%s: \"%.256s\" is not the name of a resource ([a-z0-9_/-], no "
                         "extension): %s",
                         name, texture, advice);
        return;
    }
    ct_array_push(&b->textures, (material_texture){id, texture, doc, v});
}

static void read_each(material_builder *b, ct_sjson_value container,
                      void (*read)(material_builder *b, ct_sjson_value v)) {
    for (ct_sjson_value v = ct_sjson_first(b->doc, container); v.entry;
         v = ct_sjson_next(b->doc, v))
        read(b, v);
}

// --- Parents -------------------------------------------------------------------------------------

// Tells the circle that the ancestors from `first` on are. Returns false.
static bool report_circle(ct_compile *c, const material_ancestry *a, uint32_t first) {
    const char *names[MAX_PARENTS + 1];
    for (uint32_t i = first; i < a->count; ++i)
        names[i] = ct_circle_name(c->allocator, ct_sjson_file(a->docs[i]));
    uint32_t closing = 0;
    const char *const way = ct_circle_way(c->allocator, names + first, a->count - first, &closing);
    return ct_compile_error(c, a->docs[first + closing], a->sources[first + closing].parent_value,
                            "a material cannot be its own parent: %s", way);
}

static bool add_source(ct_compile *c, material_ancestry *a, const ct_sjson *doc) {
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_material_source *const source = &a->sources[a->count];
    a->docs[a->count++] = doc;
    if (!ct_schema_read(&ct_material_schema, doc, ct_sjson_root(doc), source, &listener))
        return false;
    if (source->shader.value && source->parent.value)
        return ct_compile_error(c, doc, source->shader_value,
                                "a material with a parent has the parent's shader; expected no "
                                "`shader` beside `parent`");
    if (!source->shader.value && !source->parent.value)
        return ct_compile_error(c, doc, ct_sjson_root(doc),
                                "material.shader is %s, and there is no `parent` to take it from",
                                source->shader_value.entry ? "empty" : "missing");
    return true;
}

// False after an error.
static bool add_parent(ct_compile *c, material_ancestry *a) {
    const ct_sjson *const doc = a->docs[a->count - 1];
    const ct_sjson_value at = a->sources[a->count - 1].parent_value;
    const char *const name = ct_sjson_string(doc, at, "");
    const ct_sjson *const parent = ct_compile_read_base(c, "material", name, doc, at);
    if (!parent)
        return false;
    for (uint32_t i = 0; i < a->count; ++i)
        if (a->docs[i] == parent)
            return report_circle(c, a, i);
    if (a->count > MAX_PARENTS)
        return ct_compile_error(c, doc, at, "found more than %d parents of a material",
                                MAX_PARENTS);
    return add_source(c, a, parent);
}

static bool read_ancestry(ct_compile *c, material_ancestry *a) {
    bool is_fine = add_source(c, a, c->doc);
    while (is_fine && a->sources[a->count - 1].parent.value)
        is_fine = add_parent(c, a);
    return is_fine;
}

static bool read_shader(material_builder *b, const material_ancestry *a) {
    const ct_sjson *const doc = a->docs[a->count - 1];
    const ct_material_source *const source = &a->sources[a->count - 1];
    const char *const name = ct_sjson_string(doc, source->shader_value, "");
    b->shader_name = source->shader;
    b->shader = ct_compile_read_resource(b->c, "shader", name, doc, source->shader_value);
    return b->shader != NULL;
}

static void read_values(material_builder *b, const ct_sjson *doc,
                        const ct_material_source *source) {
    b->doc = doc;
    if (source->options.entry)
        b->options.count = 0;
    read_each(b, source->options, read_option);
    read_each(b, source->parameters, read_parameter);
    read_each(b, source->textures, read_texture);
}

// --- Warnings ------------------------------------------------------------------------------------

static bool is_on(const material_builder *b, ct_string_id32 option) {
    for (uint32_t i = 0; i < b->options.count; ++i)
        if (b->options.items[i].value == option.value)
            return true;
    return false;
}

// A shader that has an option of a texture's name reads the texture with this option only, as
// core's. What stands in a parent may be for another of its children.
static void warn_of_idle_textures(material_builder *b) {
    const ct_sjson_value known = ct_sjson_find(b->shader, ct_sjson_root(b->shader), "options");
    for (uint32_t i = 0; i < b->textures.count; ++i) {
        const material_texture *const t = &b->textures.items[i];
        if (t->doc != b->c->doc || is_on(b, t->name))
            continue;
        const char *const name = ct_sjson_key(t->doc, t->value);
        for (ct_sjson_value o = ct_sjson_first(b->shader, known); o.entry;
             o = ct_sjson_next(b->shader, o))
            if (strcmp(ct_sjson_string(b->shader, o, ""), name) == 0)
                ct_compile_warning(b->c, t->doc, t->value,
                                   "%s has no effect: %s reads it with the option \"%s\", which is "
                                   "not set",
                                   name, ct_sjson_file(b->shader), name);
    }
}

// --- Writing -------------------------------------------------------------------------------------

static ct_blob_array write_textures(const material_builder *b) {
    const uint32_t count = b->textures.count;
    ct_material_texture *const textures =
        CT_NEW_ARRAY(b->c->allocator, ct_material_texture, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const material_texture *const t = &b->textures.items[i];
        ct_compile_reference(b->c, "texture", t->texture, t->doc, t->value);
        textures[i].name = t->name;
        textures[i].texture = ct_string_id64_of(t->texture);
    }
    return ct_blob_write_items(&b->c->blob, &ct_material_texture_layout, textures, count);
}

static void write_material(const material_builder *b) {
    ct_blob_writer *const w = &b->c->blob;
    ct_material_resource r = {.shader = b->shader_name};
    ct_blob_begin(w, &ct_material_layout);
    r.options = ct_blob_write_items(w, &ct_blob_u32_layout, b->options.items, b->options.count);
    r.parameters = ct_blob_write_items(w, &ct_material_parameter_layout, b->parameters.items,
                                       b->parameters.count);
    r.textures = write_textures(b);
    ct_blob_end(w, &ct_material_layout, &r);
}

bool ct_compile_material(ct_compile *c) {
    material_builder b = {.c = c};
    material_ancestry *ancestry = CT_NEW(c->allocator, material_ancestry);
    if (!read_ancestry(c, ancestry) || !read_shader(&b, ancestry))
        return false;
    ct_array_init(&b.options, c->allocator);
    ct_array_init(&b.parameters, c->allocator);
    ct_array_init(&b.textures, c->allocator);
    for (uint32_t i = ancestry->count; i-- > 0;)
        read_values(&b, ancestry->docs[i], &ancestry->sources[i]);
    if (ct_compile_error_count(c) > 0)
        return false;
    warn_of_idle_textures(&b);
    write_material(&b);
    return true;
}
