#include <ctype.h>
#include <string.h>

#include "compiler/types/shader/worker_shader.h"
#include "compiler/types/shader/worker_shader_inputs.h"
#include "compiler/types/shader/worker_shader_velocity.h"
#include "compiler/types/shader/worker_spirv.h"
#include "foundation/error.h"
#include "foundation/string/string_builder.h"
#include "resource/types/render_config_resource.h"

// One stage while variants are made of it.
typedef struct stage_builder {
    ct_worker_stage stage;
    const char *text;
    ct_sjson_value value; // where it stands in the source
    bool is_shadow;       // of the pass of a shadow map
    uint32_t mentioned;   // options that its text may depend on
    uint32_t decoded;     // bits of the locations of its inputs that are decoded
    uint32_t
        module_of[1 << CT_SHADER_MAX_OPTIONS]; // by mentioned options; 0 or position in modules + 1
} stage_builder;

static void add_define(ct_string_builder *b, const char *option) {
    ct_string_builder_add(b, "#define OPTION_");
    for (; *option; ++option)
        ct_string_builder_add_char(b, (char)toupper((unsigned char)*option));
    ct_string_builder_add(b, " 1\n");
}

static void add_members(const ct_compile *c, const ct_worker_shader *s, ct_string_builder *b) {
    static const char *const types[] = {"", "float", "vec2", "vec3", "vec4", "vec4", "mat4"};
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        const ct_worker_shader_parameter *const p = &s->parameters.items[i];
        ct_string_builder_addf(b, "#line %u \"%s\"\n%s %s;\n", p->line, c->path, types[p->type],
                               p->name);
    }
}

// With instanced parameters `material` is a variable, which a stage fills before it starts.
static void add_block(const ct_compile *c, const ct_worker_shader *s, ct_string_builder *b) {
    if (s->parameters.count == 0)
        return;
    ct_string_builder_add(b, "layout(std140, set = 1, binding = 0) uniform material_block {\n");
    add_members(c, s, b);
    ct_string_builder_add(b, s->num_instanced ? "} shared_material;\n" : "} material;\n");
    if (s->num_instanced == 0)
        return;
    ct_string_builder_add(b, "struct material_values {\n");
    add_members(c, s, b);
    ct_string_builder_add(b, "};\nmaterial_values material;\n");
}

// What hands instanced parameters on, at the highest locations.
static void add_instanced(const ct_worker_shader *s, bool is_vertex, ct_string_builder *b) {
    enum { LAST_LOCATION = 15 };
    if (s->num_instanced == 0)
        return;
    if (is_vertex)
        ct_string_builder_add(b, "layout(std430, set = 0, binding = 4) readonly buffer "
                                 "instance_values_block { vec4 instance_values[]; };\n");
    for (uint32_t i = 0; i < s->num_instanced; ++i)
        ct_string_builder_addf(b, "layout(location = %u) flat %s vec4 instance_value_%u;\n",
                               LAST_LOCATION - i, is_vertex ? "out" : "in", i);
}

// Fills `material` with the values of the instance.
static void fill_instanced(const ct_worker_shader *s, bool is_vertex, ct_string_builder *b) {
    static const char *const parts[] = {"", ".x", ".xy", ".xyz", "", "", ""};
    if (s->num_instanced == 0)
        return;
    for (uint32_t i = 0; i < s->num_instanced && is_vertex; ++i)
        ct_string_builder_addf(b,
                               "instance_value_%u = "
                               "instance_values[instances[gl_InstanceIndex].values.x + %u];\n",
                               i, i);
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        const ct_worker_shader_parameter *const p = &s->parameters.items[i];
        if (p->instanced)
            ct_string_builder_addf(b, "material.%s = instance_value_%u%s;\n", p->name,
                                   p->instanced - 1, parts[p->type]);
        else
            ct_string_builder_addf(b, "material.%s = shared_material.%s;\n", p->name, p->name);
    }
}

static bool has_velocity(const ct_worker_shader *s, const stage_builder *stage) {
    return s->writes_velocity && !stage->is_shadow;
}

// What the stage's main is wrapped in needs; and the stage's own main by another name.
static void begin_wrapper(const ct_worker_shader *s, const stage_builder *stage,
                          ct_string_builder *b) {
    const bool is_vertex = stage->stage == CT_WORKER_STAGE_VERTEX;
    add_instanced(s, is_vertex, b);
    if (s->num_instanced || has_velocity(s, stage))
        ct_string_builder_add(b, "#define main shader_main\n");
}

static void end_wrapper(const ct_worker_shader *s, const stage_builder *stage,
                        ct_string_builder *b) {
    const bool is_vertex = stage->stage == CT_WORKER_STAGE_VERTEX;
    if (!s->num_instanced && !has_velocity(s, stage))
        return;
    ct_string_builder_add(b, "#undef main\nvoid main() {\n");
    if (has_velocity(s, stage))
        ct_worker_shader_begin_velocity(s, is_vertex, b);
    fill_instanced(s, is_vertex, b);
    ct_string_builder_add(b, "shader_main();\n");
    if (has_velocity(s, stage))
        ct_worker_shader_end_velocity(s, is_vertex, b);
    ct_string_builder_add(b, "}\n");
}

static void add_samplers(const ct_compile *c, const ct_worker_shader *s, ct_string_builder *b) {
    static const char *const samplers[CT_TEXTURE_KIND_COUNT] = {
        [CT_TEXTURE_KIND_2D] = "sampler2D",
        [CT_TEXTURE_KIND_ARRAY] = "sampler2DArray",
        [CT_TEXTURE_KIND_CUBE] = "samplerCube",
    };
    for (uint32_t i = 0; i < s->textures.count; ++i) {
        const ct_worker_shader_texture *const t = &s->textures.items[i];
        ct_string_builder_addf(b, "#line %u \"%s\"\n", t->line, c->path);
        ct_string_builder_addf(b, "layout(set = 1, binding = %u) uniform %s %s;\n", i + 1,
                               samplers[t->kind], t->name);
    }
}

static void add_outputs(const ct_compile *c, const ct_worker_shader *s, ct_string_builder *b) {
    static const char *const qualifiers[CT_RENDER_FORMAT_COUNT] = {
        [CT_RENDER_FORMAT_RGBA8] = "rgba8", [CT_RENDER_FORMAT_RGBA16F] = "rgba16f",
        [CT_RENDER_FORMAT_R16F] = "r16f",   [CT_RENDER_FORMAT_R32F] = "r32f",
        [CT_RENDER_FORMAT_RG16F] = "rg16f",
    };
    for (uint32_t i = 0; i < s->num_outputs; ++i) {
        const ct_worker_shader_output *const o = &s->outputs[i];
        ct_string_builder_addf(b, "#line %u \"%s\"\n", o->line, c->path);
        ct_string_builder_addf(b, "layout(set = 2, binding = %u, %s) uniform image2D %s;\n",
                               CT_RENDER_MAX_INPUTS + i, qualifiers[o->format], o->name);
    }
}

// Options as constants that a pipeline sets, for `if (option_striped)`.
static void add_option_constants(const ct_worker_shader *s, ct_string_builder *b) {
    for (uint32_t i = 0; i < s->num_options; ++i)
        ct_string_builder_addf(b, "layout(constant_id = %u) const bool option_%s = false;\n",
                               CT_SHADER_FIRST_OPTION_CONSTANT + i, s->options[i]);
}

// A compute shader that simulates particles; it gets addresses of buffers in push constants.
static bool simulates_particles(const ct_worker_shader *s) {
    return s->source.compute && s->source.vertices == CT_SHADER_VERTICES_PARTICLE;
}

static void add_head(const ct_worker_shader *s, ct_string_builder *b) {
    ct_string_builder_add(b, "#version 450\n"
                             "#extension GL_GOOGLE_cpp_style_line_directive : require\n");
    if (simulates_particles(s))
        ct_string_builder_add(b, "#extension GL_EXT_buffer_reference : require\n");
}

// Text that somebody wrote. Of vertex stages of meshes, inputs are decoded.
static void add_source(const ct_worker_shader *s, stage_builder *stage, const char *text,
                       ct_string_builder *b) {
    if (stage->stage == CT_WORKER_STAGE_VERTEX && s->source.vertices == CT_SHADER_VERTICES_MESH)
        stage->decoded |= ct_worker_shader_add_decoded(text, b);
    else
        ct_string_builder_add(b, text);
    ct_string_builder_add(b, "\n");
}

static const char *stage_glsl(const ct_compile *c, const ct_worker_shader *s, stage_builder *stage,
                              uint32_t options) {
    ct_string_builder b;
    ct_string_builder_init(&b, c->allocator);
    add_head(s, &b);
    static const char *const defines[] = {
        [CT_WORKER_STAGE_VERTEX] = "#define VERTEX_STAGE 1\n",
        [CT_WORKER_STAGE_FRAGMENT] = "#define FRAGMENT_STAGE 1\n",
        [CT_WORKER_STAGE_COMPUTE] = "#define COMPUTE_STAGE 1\n",
    };
    ct_string_builder_add(&b, defines[stage->stage]);
    if (stage->is_shadow)
        ct_string_builder_add(&b, "#define SHADOW_PASS 1\n");
    for (uint32_t i = 0; i < s->num_options; ++i) {
        if (options & 1u << i)
            add_define(&b, s->options[i]);
    }
    add_option_constants(s, &b);
    add_block(c, s, &b);
    add_samplers(c, s, &b);
    add_outputs(c, s, &b);
    const bool is_vertex = stage->stage == CT_WORKER_STAGE_VERTEX;
    if (is_vertex && s->source.vertices == CT_SHADER_VERTICES_MESH) {
        ct_worker_shader_add_decoders(&b);
        ct_worker_shader_add_previous(s, &b);
    }
    if (has_velocity(s, stage))
        ct_worker_shader_add_velocity(s, is_vertex, &b);
    for (uint32_t i = 0; i < s->includes.count; ++i) {
        ct_string_builder_addf(&b, "#line 1 \"%s\"\n", s->includes.items[i].path);
        add_source(s, stage, s->includes.items[i].text, &b);
    }
    begin_wrapper(s, stage, &b);
    ct_string_builder_addf(&b, "#line %u \"%s\"\n", ct_sjson_content_line(c->doc, stage->value),
                           c->path);
    add_source(s, stage, stage->text, &b);
    end_wrapper(s, stage, &b);
    return ct_string_builder_text(&b);
}

bool ct_worker_shader_build_block(ct_compile *c, ct_worker_shader *s) {
    const uint32_t count = s->parameters.count;
    if (count == 0)
        return true;
    const ct_sjson_value at = s->source.parameters;
    if (count > CT_SHADER_MAX_BLOCK_BYTES / sizeof(float))
        return ct_compile_error(c, c->doc, at, "found %u parameters, expected at most %u bytes",
                                count, CT_SHADER_MAX_BLOCK_BYTES);
    // A shader of nothing but the block, not optimised, so that no member is optimised away.
    ct_string_builder b;
    ct_string_builder_init(&b, c->allocator);
    add_head(s, &b);
    add_block(c, s, &b);
    ct_string_builder_add(&b, "void main() {}\n");
    ct_worker_glsl glsl;
    ct_worker_glsl_init(&glsl, c);
    ct_worker_spirv spirv;
    if (!ct_worker_glsl_compile(&glsl, CT_WORKER_STAGE_FRAGMENT, ct_string_builder_text(&b), false,
                                &spirv))
        return false;
    uint32_t *const offsets = CT_NEW_ARRAY(c->allocator, uint32_t, count);
    ct_error error = {0};
    if (!ct_worker_spirv_block(&spirv, count, offsets, &s->block_bytes, &error))
        return ct_compile_error(c, c->doc, at, "%s", error.message);
    if (s->block_bytes > CT_SHADER_MAX_BLOCK_BYTES)
        return ct_compile_error(c, c->doc, at, "the parameters take %u bytes, expected at most %u",
                                s->block_bytes, CT_SHADER_MAX_BLOCK_BYTES);
    for (uint32_t i = 0; i < count; ++i)
        s->parameters.items[i].offset = offsets[i];
    return true;
}

// True for the binding of one of the shader's textures, as the kind that it has.
static bool is_texture(const ct_worker_shader *s, const ct_worker_binding *b) {
    static const ct_worker_binding_kind kinds[CT_TEXTURE_KIND_COUNT] = {
        [CT_TEXTURE_KIND_2D] = CT_WORKER_BINDING_KIND_SAMPLED_IMAGE,
        [CT_TEXTURE_KIND_ARRAY] = CT_WORKER_BINDING_KIND_SAMPLED_ARRAY,
        [CT_TEXTURE_KIND_CUBE] = CT_WORKER_BINDING_KIND_SAMPLED_CUBE,
    };
    return b->binding >= 1 && b->binding <= s->textures.count &&
           b->kind == kinds[s->textures.items[b->binding - 1].kind];
}

// What is wrong with a binding, or NULL.
static const char *binding_problem(const ct_worker_shader *s, const ct_worker_binding *b) {
    static const ct_worker_binding_kind frame[] = {
        CT_WORKER_BINDING_KIND_UNIFORM_BUFFER, // view
        CT_WORKER_BINDING_KIND_STORAGE_BUFFER, // instances
        CT_WORKER_BINDING_KIND_UNIFORM_BUFFER, // lights
        CT_WORKER_BINDING_KIND_SAMPLED_IMAGE,  // shadow map
        CT_WORKER_BINDING_KIND_STORAGE_BUFFER, // values of instances
        CT_WORKER_BINDING_KIND_STORAGE_BUFFER, // palettes of skinned objects
        CT_WORKER_BINDING_KIND_SAMPLED_IMAGE,  // sky_map
        CT_WORKER_BINDING_KIND_SAMPLED_IMAGE,  // scene_color
        CT_WORKER_BINDING_KIND_SAMPLED_IMAGE,  // scene_depth
    };
    const bool is_image = b->kind == CT_WORKER_BINDING_KIND_SAMPLED_IMAGE;
    if (b->set > 2)
        return "the only sets are 0 (frame and view), 1 (material) and 2 (inputs of a pass)";
    if (b->set == 0 && (b->binding >= CT_COUNT_OF(frame) || b->kind != frame[b->binding]))
        return "set 0 has only what core/shaders/include/frame.glsl declares";
    if (b->set == 1 &&
        !(b->binding == 0 && b->kind == CT_WORKER_BINDING_KIND_UNIFORM_BUFFER &&
          s->parameters.count > 0) &&
        !is_texture(s, b))
        return "set 1 is made from the shader's parameters and textures";
    const bool is_output = s->source.compute && b->kind == CT_WORKER_BINDING_KIND_STORAGE_IMAGE &&
                           b->binding >= CT_RENDER_MAX_INPUTS &&
                           b->binding < CT_RENDER_MAX_INPUTS + s->num_outputs;
    if (b->set == 2 && !s->source.compute && s->source.vertices != CT_SHADER_VERTICES_FULLSCREEN)
        return "set 2 holds the inputs of passes, in shaders with vertices = \"fullscreen\"";
    if (b->set == 2 && !is_output && (!is_image || b->binding >= CT_RENDER_MAX_INPUTS))
        return "set 2 holds samplers at bindings 0 to 7, the inputs of a pass, and what `outputs` "
               "declares";
    return NULL;
}

// Bits of the locations from which inputs are decoded: those of influences and grid.
static uint64_t decoder_locations(const ct_worker_shader *s) {
    return s->source.vertices == CT_SHADER_VERTICES_MESH
               ? 1ull << CT_SHADER_INFLUENCES_LOCATION | 7ull << CT_SHADER_GRID_LOCATION
               : 0;
}

// That all inputs that must be decoded are.
static bool check_decoded(ct_compile *c, const ct_worker_shader *s, uint32_t decoded,
                          const ct_worker_interface *interface) {
    const uint64_t raw = interface->input_locations & CT_WORKER_DECODED_INPUTS & ~decoded;
    return raw == 0 || s->source.vertices != CT_SHADER_VERTICES_MESH ||
           ct_compile_error(c, c->doc, s->source.vertex_value,
                            "the declaration of the input at location %d is not supported; "
                            "expected `layout(location = %d) in`, a float type, one name and `;`",
                            __builtin_ctzll(raw), __builtin_ctzll(raw));
}

static bool check_vertex_inputs(ct_compile *c, const ct_worker_shader *s, uint32_t decoded,
                                const ct_worker_interface *interface) {
    static const struct {
        uint64_t locations;
        const char *what;
    } fed[] = {
        [CT_SHADER_VERTICES_MESH] = {63, "0 position, 1 normal, 2 tangent, 3 uv, 4 color, 5 uv1"},
        [CT_SHADER_VERTICES_FULLSCREEN] = {0, "no inputs, only gl_VertexIndex"},
        [CT_SHADER_VERTICES_LINE] = {3, "0 position, 1 color"},
        [CT_SHADER_VERTICES_BATCH] = {15, "0 position, 1 uv, 2 color, 3 effect"},
        [CT_SHADER_VERTICES_PARTICLE] = {255, "what core/shaders/include/particle.glsl declares"},
    };
    const uint64_t unknown =
        interface->input_locations & ~(fed[s->source.vertices].locations | decoder_locations(s));
    if (unknown)
        return ct_compile_error(c, c->doc, s->source.vertex_value,
                                "the vertex stage has an input at location %d; expected %s",
                                __builtin_ctzll(unknown), fed[s->source.vertices].what);
    if (interface->integer_locations & ~decoder_locations(s))
        return ct_compile_error(c, c->doc, s->source.vertex_value,
                                "an input of the vertex stage does not have a float type");
    return check_decoded(c, s, decoded, interface);
}

// All variants must have groups of one size, which is kept.
static bool check_group_size(ct_compile *c, ct_worker_shader *s,
                             const ct_worker_interface *interface) {
    const uint32_t *const size = interface->group_size;
    for (uint32_t i = 0; i < 3; ++i) {
        if (size[i] == 0 || size[i] > CT_SHADER_MAX_GROUP)
            return ct_compile_error(
                c, c->doc, s->source.compute_value,
                "found a group of %u x %u x %u threads, expected 1 to %d in "
                "each direction: layout(local_size_x = 8, local_size_y = 8) in;",
                size[0], size[1], size[2], CT_SHADER_MAX_GROUP);
        if (s->group_size[i] != 0 && s->group_size[i] != size[i])
            return ct_compile_error(c, c->doc, s->source.compute_value,
                                    "the options change the group size; expected one size");
        s->group_size[i] = size[i];
    }
    return true;
}

static bool check_interface(ct_compile *c, ct_worker_shader *s, const stage_builder *stage,
                            const ct_worker_spirv *spirv) {
    ct_worker_interface interface;
    ct_error error = {0};
    if (!ct_worker_spirv_interface(c->allocator, spirv, &interface, &error))
        return ct_compile_error(c, c->doc, stage->value, "%s", error.message);
    for (uint32_t i = 0; i < interface.bindings.count; ++i) {
        const ct_worker_binding *const b = &interface.bindings.items[i];
        const char *const problem = binding_problem(s, b);
        if (problem)
            return ct_compile_error(c, c->doc, stage->value, "found set %u, binding %u; %s", b->set,
                                    b->binding, problem);
    }
    const bool may_have_push_constants =
        simulates_particles(s) || ((s->source.vertices == CT_SHADER_VERTICES_BATCH ||
                                    s->source.vertices == CT_SHADER_VERTICES_PARTICLE) &&
                                   stage->stage == CT_WORKER_STAGE_VERTEX);
    if (interface.has_push_constants && !may_have_push_constants)
        return ct_compile_error(c, c->doc, stage->value,
                                "found push constants; use material parameters instead");
    if (stage->stage == CT_WORKER_STAGE_COMPUTE)
        return check_group_size(c, s, &interface);
    return stage->stage != CT_WORKER_STAGE_VERTEX ||
           check_vertex_inputs(c, s, stage->decoded, &interface);
}

// The position in `modules` of one equal to `spirv`, which is added when there is none.
static uint32_t add_module(ct_worker_shader *s, const ct_worker_spirv *spirv) {
    for (uint32_t i = 0; i < s->modules.count; ++i) {
        const ct_worker_spirv *const m = &s->modules.items[i];
        if (m->num_words == spirv->num_words &&
            memcmp(m->words, spirv->words, spirv->num_words * sizeof(uint32_t)) == 0)
            return i;
    }
    ct_array_push(&s->modules, *spirv);
    return s->modules.count - 1;
}

// Options that a stage's text, or an included one, mentions. A name that is only pasted together
// (`OPTION_##x`) would not be defined in the variants without it, so no stage can use one that way.
static uint32_t mentioned_options(const ct_compile *c, const ct_worker_shader *s,
                                  stage_builder *stage) {
    const char *const glsl = stage_glsl(c, s, stage, 0);
    uint32_t mentioned = 0;
    for (uint32_t i = 0; i < s->num_options; ++i) {
        ct_string_builder b;
        ct_string_builder_init(&b, c->allocator);
        add_define(&b, s->options[i]);
        const char *const name = b.text + strlen("#define ");
        b.text[b.length - strlen(" 1\n")] = 0;
        if (strstr(glsl, name))
            mentioned |= 1u << i;
    }
    return mentioned;
}

// Compiles a stage for `options` unless that was done. False after reporting.
static bool build_stage(ct_compile *c, ct_worker_shader *s, ct_worker_glsl *glsl,
                        stage_builder *stage, uint32_t options, uint32_t *module) {
    const uint32_t relevant = options & stage->mentioned;
    if (stage->module_of[relevant] == 0) {
        ct_worker_spirv spirv;
        if (!ct_worker_glsl_compile(glsl, stage->stage, stage_glsl(c, s, stage, relevant), true,
                                    &spirv) ||
            !check_interface(c, s, stage, &spirv))
            return false;
        stage->module_of[relevant] = add_module(s, &spirv) + 1;
    }
    *module = stage->module_of[relevant];
    return true;
}

static bool check_link(ct_compile *c, const ct_worker_shader *s, uint32_t vertex_module,
                       uint32_t fragment_module) {
    ct_worker_interface vertex, fragment;
    ct_error error = {0};
    if (!ct_worker_spirv_interface(c->allocator, &s->modules.items[vertex_module - 1], &vertex,
                                   &error) ||
        !ct_worker_spirv_interface(c->allocator, &s->modules.items[fragment_module - 1], &fragment,
                                   &error))
        return ct_compile_error(c, c->doc, s->source.fragment_value, "%s", error.message);
    const uint64_t unwritten = fragment.input_locations & ~vertex.output_locations;
    if (unwritten == 0 || fragment.input_locations == UINT64_MAX)
        return true;
    return ct_compile_error(c, c->doc, s->source.fragment_value,
                            "the fragment stage reads location %d, which the vertex stage does not "
                            "write",
                            __builtin_ctzll(unwritten));
}

// True when the source, or an option that is on, says whether velocity is written.
static bool is_velocity_said(ct_compile *c, const ct_worker_shader *s, uint32_t options) {
    bool is_said = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "velocity").entry != 0;
    for (uint32_t i = 0; i < s->num_options; ++i)
        is_said |= (options & 1u << i) && s->states[i].entry &&
                   ct_sjson_find(c->doc, s->states[i], "velocity").entry != 0;
    return is_said;
}

// The state with the options that are on, in the order of the options. Only opaque meshes that
// write depth cast shadows.
static ct_shader_state state_with(ct_compile *c, const ct_worker_shader *s, uint32_t options) {
    ct_shader_state state = s->source.state;
    const ct_schema_listener silent = {.user = NULL}; // what is wrong was told when it was read
    for (uint32_t i = 0; i < s->num_options; ++i) {
        if ((options & 1u << i) && s->states[i].entry)
            ct_schema_apply(&ct_shader_state_schema, c->doc, s->states[i], &state, &silent);
    }
    if (s->source.compute || s->source.vertices != CT_SHADER_VERTICES_MESH ||
        state.blend != CT_SHADER_BLEND_OPAQUE || !state.depth_write)
        state.casts_shadows = false;
    // By default what is blended leaves the velocity of what is behind it.
    if (!is_velocity_said(c, s, options))
        state.velocity = state.blend == CT_SHADER_BLEND_OPAQUE;
    state.velocity &= s->writes_velocity;
    return state;
}

// True when fragments may be left out, by the stage's own text or an included one.
static bool discards(const ct_worker_shader *s) {
    bool is_found = strstr(s->source.fragment, "discard") != NULL;
    for (uint32_t i = 0; i < s->includes.count; ++i)
        is_found |= strstr(s->includes.items[i].text, "discard") != NULL;
    return is_found;
}

// True when the module leaves fragments out with the options that it was compiled for.
static bool module_discards(const ct_worker_spirv *spirv) {
    enum { HEADER_WORDS = 5, OP_KILL = 252, OP_TERMINATE = 4416, OP_DEMOTE = 5380 };
    for (uint32_t i = HEADER_WORDS; i < spirv->num_words && spirv->words[i] >> 16;
         i += spirv->words[i] >> 16) {
        const uint32_t op = spirv->words[i] & 0xffff;
        if (op == OP_KILL || op == OP_TERMINATE || op == OP_DEMOTE)
            return true;
    }
    return false;
}

typedef struct drawing_builder {
    ct_worker_glsl *glsl;
    stage_builder vertex, fragment, shadow_fragment;
    bool discards;
    bool has_warned; // of how points move
} drawing_builder;

// All stages, so that the errors of each are told.
static void build_drawing_variant(ct_compile *c, ct_worker_shader *s, drawing_builder *b,
                                  uint32_t options) {
    ct_worker_shader_variant *const v = &s->variants[options];
    const bool has_vertex =
        build_stage(c, s, b->glsl, &b->vertex, options, &v->modules[CT_WORKER_SHADER_VERTEX]);
    const bool has_fragment =
        build_stage(c, s, b->glsl, &b->fragment, options, &v->modules[CT_WORKER_SHADER_FRAGMENT]);
    uint32_t *const shadow = &v->modules[CT_WORKER_SHADER_SHADOW_FRAGMENT];
    const uint32_t fragment = v->modules[CT_WORKER_SHADER_FRAGMENT];
    const bool has_shadow = has_fragment && v->state.casts_shadows && b->discards &&
                            module_discards(&s->modules.items[fragment - 1]) &&
                            build_stage(c, s, b->glsl, &b->shadow_fragment, options, shadow);
    if (has_vertex && v->state.velocity)
        ct_worker_shader_warn_of_points(
            c, s, &s->modules.items[v->modules[CT_WORKER_SHADER_VERTEX] - 1], &b->has_warned);
    // Options that neither stage mentions make no new pair.
    const bool is_new = (options & ~(b->vertex.mentioned | b->fragment.mentioned)) == 0;
    if (has_vertex && has_fragment && is_new &&
        check_link(c, s, v->modules[CT_WORKER_SHADER_VERTEX],
                   v->modules[CT_WORKER_SHADER_FRAGMENT]) &&
        has_shadow)
        check_link(c, s, v->modules[CT_WORKER_SHADER_VERTEX], *shadow);
}

static void build_drawing(ct_compile *c, ct_worker_shader *s, ct_worker_glsl *glsl) {
    drawing_builder b = {.glsl = glsl,
                         .vertex = {.stage = CT_WORKER_STAGE_VERTEX,
                                    .text = s->source.vertex,
                                    .value = s->source.vertex_value},
                         .fragment = {.stage = CT_WORKER_STAGE_FRAGMENT,
                                      .text = s->source.fragment,
                                      .value = s->source.fragment_value},
                         .discards = discards(s)};
    b.shadow_fragment = b.fragment;
    b.shadow_fragment.is_shadow = true;
    b.vertex.mentioned = mentioned_options(c, s, &b.vertex);
    b.fragment.mentioned = b.shadow_fragment.mentioned = mentioned_options(c, s, &b.fragment);
    for (uint32_t options = 0; options < 1u << s->num_options; ++options)
        build_drawing_variant(c, s, &b, options);
}

static void build_computing(ct_compile *c, ct_worker_shader *s, ct_worker_glsl *glsl) {
    stage_builder compute = {.stage = CT_WORKER_STAGE_COMPUTE,
                             .text = s->source.compute,
                             .value = s->source.compute_value};
    compute.mentioned = mentioned_options(c, s, &compute);
    for (uint32_t options = 0; options < 1u << s->num_options; ++options)
        build_stage(c, s, glsl, &compute, options,
                    &s->variants[options].modules[CT_WORKER_SHADER_COMPUTE]);
}

bool ct_worker_shader_build_variants(ct_compile *c, ct_worker_shader *s) {
    ct_worker_glsl glsl;
    ct_worker_glsl_init(&glsl, c);
    const uint32_t errors = ct_compile_error_count(c);
    ct_worker_shader_find_velocity(s);
    for (uint32_t options = 0; options < 1u << s->num_options; ++options)
        s->variants[options].state = state_with(c, s, options);
    if (s->source.compute)
        build_computing(c, s, &glsl);
    else
        build_drawing(c, s, &glsl);
    return ct_compile_error_count(c) == errors;
}
