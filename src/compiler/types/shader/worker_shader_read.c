#include <string.h>

#include "compiler/types/shader/worker_parameter.h"
#include "compiler/types/shader/worker_shader.h"
#include "compiler/types/shader/worker_shader_includes.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"
#include "resource/resource_id.h"

enum { MAX_NAME_BYTES = 60 };

// True for what GLSL takes as an identifier everywhere, in our spelling.
static bool is_identifier(const char *name) {
    if (strncmp(name, "gl_", 3) == 0 || strstr(name, "__") || strlen(name) > MAX_NAME_BYTES)
        return false;
    const size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    return letters > 0 && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

static bool check_name(ct_compile *c, const char *name, const char *what, ct_sjson_value at) {
    return is_identifier(name) ||
           ct_compile_error(c, c->doc, at,
                            "\"%.100s\" cannot be the name of %s; expected [a-z][a-z0-9_]*, at "
                            "most %d letters, no \"__\"",
                            name, what, MAX_NAME_BYTES);
}

static uint32_t line_of(const ct_compile *c, ct_sjson_value v) {
    uint32_t line, column;
    ct_sjson_position(c->doc, v, &line, &column);
    return line;
}

static void read_option(ct_compile *c, ct_worker_shader *s, ct_sjson_value v) {
    const char *const name = ct_sjson_string(c->doc, v, NULL);
    if (!name) {
        ct_compile_error(c, c->doc, v, "shader.options: found %s, expected a name",
                         ct_sjson_type_name(ct_sjson_type_of(c->doc, v)));
        return;
    }
    for (uint32_t i = 0; i < s->num_options; ++i) {
        if (ct_string_id32_of(s->options[i]).value == ct_string_id32_of(name).value) {
            ct_compile_error(c, c->doc, v, "the option \"%s\" is already declared, as \"%s\"", name,
                             s->options[i]);
            return;
        }
    }
    if (s->num_options == CT_SHADER_MAX_OPTIONS)
        ct_compile_error(c, c->doc, v, "the option \"%s\" is one too many; expected at most %d",
                         name, CT_SHADER_MAX_OPTIONS);
    else if (check_name(c, name, "an option", v))
        s->options[s->num_options++] = name;
}

static void report_unknown_member(ct_compile *c, ct_sjson_value m, const char *const *names,
                                  uint32_t count) {
    ct_string_builder list;
    ct_string_builder_init(&list, c->allocator);
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(&list, "%s%s", i ? ", " : "", names[i]);
    ct_compile_error(c, c->doc, m, "unknown member \"%.64s\"; expected %s", ct_sjson_key(c->doc, m),
                     ct_string_builder_text(&list));
}

// Reports members of a parameter or texture other than `names`.
static void check_members(ct_compile *c, ct_sjson_value object, const char *const *names,
                          uint32_t count) {
    for (ct_sjson_value m = ct_sjson_first(c->doc, object); m.entry; m = ct_sjson_next(c->doc, m)) {
        const char *const key = ct_sjson_key(c->doc, m);
        bool is_known = false;
        for (uint32_t i = 0; i < count; ++i)
            is_known |= strcmp(key, names[i]) == 0;
        const char *const nearest = is_known ? NULL : ct_nearest_name(key, names, count);
        if (nearest)
            ct_compile_error(c, c->doc, m, "unknown member \"%.64s\"; did you mean \"%s\"?", key,
                             nearest);
        else if (!is_known)
            report_unknown_member(c, m, names, count);
        else if (strcmp(key, "doc") == 0 && !ct_sjson_string(c->doc, m, NULL))
            ct_compile_error(c, c->doc, m, "doc: found %s, expected a string",
                             ct_sjson_type_name(ct_sjson_type_of(c->doc, m)));
    }
}

// The name of a member of `parameters` or `textures`, or NULL after reporting what is wrong.
static const char *read_member_name(ct_compile *c, ct_sjson_value v, const char *what) {
    const char *const name = ct_sjson_key(c->doc, v);
    if (!check_name(c, name, what, v))
        return NULL;
    if (ct_sjson_type_of(c->doc, v) == CT_SJSON_TYPE_OBJECT)
        return name;
    ct_compile_error(c, c->doc, v, "%s: found %s, expected an object such as { default = … }", name,
                     ct_sjson_type_name(ct_sjson_type_of(c->doc, v)));
    return NULL;
}

// instanced = true: objects may have values of their own. False after reporting.
static bool read_instanced(ct_compile *c, ct_worker_shader *s, ct_sjson_value v,
                           ct_worker_shader_parameter *p) {
    if (ct_sjson_type_of(c->doc, v) != CT_SJSON_TYPE_BOOL)
        return ct_compile_error(c, c->doc, v, "%s: instanced: found %s, expected true or false",
                                p->name, ct_sjson_type_name(ct_sjson_type_of(c->doc, v)));
    if (!ct_sjson_bool(c->doc, v, false))
        return true;
    if (s->source.compute || s->source.vertices != CT_SHADER_VERTICES_MESH)
        return ct_compile_error(c, c->doc, v, "%s: only parameters of meshes can be instanced",
                                p->name);
    if (p->type == CT_SHADER_PARAMETER_TYPE_MATRIX4X4)
        return ct_compile_error(c, c->doc, v, "%s: a matrix4x4 cannot be instanced", p->name);
    if (s->num_instanced == CT_SHADER_MAX_INSTANCED)
        return ct_compile_error(c, c->doc, v, "%s: at most %d parameters can be instanced", p->name,
                                CT_SHADER_MAX_INSTANCED);
    p->instanced = ++s->num_instanced;
    return true;
}

static void read_parameter(ct_compile *c, ct_worker_shader *s, ct_sjson_value v) {
    static const char *const members[] = {"default", "doc", "instanced", "type"};
    ct_worker_shader_parameter p = {.name = read_member_name(c, v, "a parameter"),
                                    .line = line_of(c, v)};
    if (!p.name)
        return;
    check_members(c, v, members, CT_COUNT_OF(members));
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        const char *const other = s->parameters.items[i].name;
        if (ct_string_id32_of(other).value == ct_string_id32_of(p.name).value)
            ct_compile_error(c, c->doc, v, "%s has the same id as %s: rename one", p.name, other);
    }
    const ct_sjson_value type = ct_sjson_find(c->doc, v, "type");
    p.type = ct_worker_parameter_type_named(ct_sjson_string(c->doc, type, ""));
    if (p.type == CT_SHADER_PARAMETER_TYPE_NONE) {
        ct_compile_error(c, c->doc, type.entry ? type : v,
                         "%s: found type \"%.64s\", expected one of: " CT_WORKER_PARAMETER_TYPES,
                         p.name, ct_sjson_string(c->doc, type, ""));
        return;
    }
    const ct_sjson_value value = ct_sjson_find(c->doc, v, "default");
    for (uint32_t i = 0; i < 4 && p.type == CT_SHADER_PARAMETER_TYPE_COLOR; ++i)
        p.default_value[i] = 1;
    for (uint32_t i = 0; i < 4 && p.type == CT_SHADER_PARAMETER_TYPE_MATRIX4X4; ++i)
        p.default_value[5 * i] = 1;
    if (value.entry && !ct_worker_parameter_read(c, c->doc, value, p.name, p.type, p.default_value))
        return;
    const ct_sjson_value instanced = ct_sjson_find(c->doc, v, "instanced");
    if (instanced.entry && !read_instanced(c, s, instanced, &p))
        return;
    ct_array_push(&s->parameters, p);
}

// kind = "cube": what it is read as. False after reporting.
static bool read_texture_kind(ct_compile *c, ct_sjson_value v, ct_worker_shader_texture *t) {
    static const char *const names[CT_TEXTURE_KIND_COUNT] = {
        [CT_TEXTURE_KIND_2D] = "2d",
        [CT_TEXTURE_KIND_ARRAY] = "array",
        [CT_TEXTURE_KIND_CUBE] = "cube",
    };
    const ct_sjson_value value = ct_sjson_find(c->doc, v, "kind");
    const char *const name = ct_sjson_string(c->doc, value, value.entry ? "" : "2d");
    for (uint32_t i = 0; i < CT_TEXTURE_KIND_COUNT; ++i) {
        if (strcmp(name, names[i]) == 0) {
            t->kind = (ct_texture_kind)i;
            return true;
        }
    }
    return ct_compile_error(c, c->doc, value,
                            "%s: found kind \"%.64s\", expected one of: 2d, array, cube", t->name,
                            name);
}

static void read_texture(ct_compile *c, ct_worker_shader *s, ct_sjson_value v) {
    static const char *const members[] = {"default", "doc", "kind"};
    ct_worker_shader_texture t = {.name = read_member_name(c, v, "a texture"),
                                  .line = line_of(c, v)};
    if (!t.name)
        return;
    check_members(c, v, members, CT_COUNT_OF(members));
    for (uint32_t i = 0; i < s->textures.count; ++i) {
        const char *const other = s->textures.items[i].name;
        if (ct_string_id32_of(other).value == ct_string_id32_of(t.name).value)
            ct_compile_error(c, c->doc, v, "%s has the same id as %s: rename one", t.name, other);
    }
    if (!read_texture_kind(c, v, &t))
        return;
    const ct_sjson_value value = ct_sjson_find(c->doc, v, "default");
    t.default_texture = ct_sjson_string(c->doc, value, NULL);
    if (!t.default_texture || !ct_resource_name_is_canonical(t.default_texture)) {
        ct_compile_error(c, c->doc, value.entry ? value : v,
                         "%s: expected default = \"textures/…\", the name of a texture", t.name);
        return;
    }
    if (s->textures.count == CT_SHADER_MAX_TEXTURES) {
        ct_compile_error(c, c->doc, v, "the texture \"%s\" is one too many; expected at most %d",
                         t.name, CT_SHADER_MAX_TEXTURES);
        return;
    }
    ct_compile_reference(c, "texture", t.default_texture, c->doc, value);
    ct_array_push(&s->textures, t);
}

static void read_output(ct_compile *c, ct_worker_shader *s, ct_sjson_value v) {
    static const char *const members[] = {"doc", "format"};
    ct_worker_shader_output o = {.name = read_member_name(c, v, "an output"),
                                 .line = line_of(c, v)};
    if (!o.name)
        return;
    check_members(c, v, members, CT_COUNT_OF(members));
    const ct_sjson_value format = ct_sjson_find(c->doc, v, "format");
    o.format = ct_render_format_named(ct_sjson_string(c->doc, format, ""));
    if (!ct_render_format_is_writable(o.format))
        ct_compile_error(c, c->doc, format.entry ? format : v,
                         "%s: found format \"%.64s\", expected one of: RGBA8, RGBA16F, R16F, R32F, "
                         "RG16F",
                         o.name, ct_sjson_string(c->doc, format, ""));
    else if (s->num_outputs == CT_SHADER_MAX_OUTPUTS)
        ct_compile_error(c, c->doc, v, "the output \"%s\" is one too many; expected at most %d",
                         o.name, CT_SHADER_MAX_OUTPUTS);
    else
        s->outputs[s->num_outputs++] = o;
}

// What an option changes: checked here, applied when variants are made.
static void read_state(ct_compile *c, ct_worker_shader *s, ct_sjson_value v) {
    const char *const name = ct_sjson_key(c->doc, v);
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_shader_state state = s->source.state;
    for (uint32_t i = 0; i < s->num_options; ++i) {
        if (strcmp(s->options[i], name) != 0)
            continue;
        s->states[i] = v;
        ct_schema_apply(&ct_shader_state_schema, c->doc, v, &state, &listener);
        return;
    }
    const char *const nearest = ct_nearest_name(name, s->options, s->num_options);
    ct_compile_error(c, c->doc, v, "states: there is no option \"%.64s\"%s%s%s", name,
                     nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?" : "");
}

// A shader draws with two stages or computes with one.
static void check_stages(ct_compile *c, const ct_worker_shader *s) {
    const ct_shader_source *const source = &s->source;
    const ct_sjson_value root = ct_sjson_root(c->doc);
    if (source->compute) {
        if (source->vertex || source->fragment)
            ct_compile_error(c, c->doc, source->compute_value,
                             "compute: expected no vertex and no fragment stage beside it");
        if (s->num_outputs == 0 && source->vertices != CT_SHADER_VERTICES_PARTICLE)
            ct_compile_error(c, c->doc, source->compute_value,
                             "compute: expected outputs = { name = { format = \"…\" } }");
        return;
    }
    if (!source->vertex)
        ct_compile_error(c, c->doc, root, "shader.vertex is missing");
    if (!source->fragment)
        ct_compile_error(c, c->doc, root, "shader.fragment is missing");
    if (s->num_outputs != 0)
        ct_compile_error(c, c->doc, source->outputs,
                         "outputs need a compute stage, but the shader has none");
}

static void read_each(ct_compile *c, ct_worker_shader *s, ct_sjson_value container,
                      void (*read)(ct_compile *c, ct_worker_shader *s, ct_sjson_value v)) {
    for (ct_sjson_value v = ct_sjson_first(c->doc, container); v.entry;
         v = ct_sjson_next(c->doc, v))
        read(c, s, v);
}

bool ct_worker_shader_read(ct_compile *c, ct_worker_shader *s) {
    const uint32_t errors = ct_compile_error_count(c);
    const ct_schema_listener listener = ct_compile_listener(c);
    if (!ct_schema_read(&ct_shader_schema, c->doc, ct_sjson_root(c->doc), &s->source, &listener))
        return false;
    ct_array_init(&s->parameters, c->allocator);
    ct_array_init(&s->textures, c->allocator);
    ct_array_init(&s->includes, c->allocator);
    ct_array_init(&s->modules, c->allocator);
    read_each(c, s, s->source.options, read_option);
    read_each(c, s, s->source.parameters, read_parameter);
    read_each(c, s, s->source.textures, read_texture);
    read_each(c, s, s->source.outputs, read_output);
    read_each(c, s, s->source.states, read_state);
    check_stages(c, s);
    ct_worker_shader_read_includes(c, s);
    return ct_compile_error_count(c) == errors;
}
