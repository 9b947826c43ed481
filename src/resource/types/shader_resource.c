#include "resource/types/shader_resource.h"

#include <math.h>
#include <stdio.h>

#include "foundation/error.h"
#include "resource/types/render_config_resource.h"

enum { SPIRV_MAGIC = 0x07230203, SPIRV_HEADER_WORDS = 5 };

#define AT(member)                                                                                 \
    .offset = offsetof(ct_shader_source, member),                                                  \
    .size_bytes = sizeof(((ct_shader_source *)0)->member)

static const char *const cull_names[] = {"back", "front", "none", NULL};
static const char *const blend_names[] = {"opaque", "alpha", "add", "premultiplied", NULL};
static const char *const topology_names[] = {"triangles", "lines", NULL};
static const char *const vertices_names[] = {"mesh",  "fullscreen", "line",
                                             "batch", "particle",   NULL};

#define STATE_AT(member)                                                                           \
    .offset = offsetof(ct_shader_state, member),                                                   \
    .size_bytes = sizeof(((ct_shader_state *)0)->member)

static const ct_field state_fields[] = {
    {.name = "layer",
     .type = CT_FIELD_TYPE_NAME,
     STATE_AT(layer),
     .doc = "The render config's layer that draws with this shader go to. Fullscreen shaders have "
            "no layer.",
     .default_text = NULL},
    {.name = "cull",
     .type = CT_FIELD_TYPE_ENUM,
     STATE_AT(cull),
     .doc = "Which side of triangles is culled.",
     .enum_names = cull_names},
    {.name = "blend",
     .type = CT_FIELD_TYPE_ENUM,
     STATE_AT(blend),
     .doc = "How the colour is blended with the target.",
     .enum_names = blend_names},
    {.name = "depth_test",
     .type = CT_FIELD_TYPE_BOOL,
     STATE_AT(depth_test),
     .doc = "Whether nearer surfaces hide it.",
     .default_value = {1}},
    {.name = "depth_write",
     .type = CT_FIELD_TYPE_BOOL,
     STATE_AT(depth_write),
     .doc = "Whether it writes depth, and so hides what is farther away.",
     .default_value = {1}},
    {.name = "casts_shadows",
     .type = CT_FIELD_TYPE_BOOL,
     STATE_AT(casts_shadows),
     .doc = "Whether opaque meshes with this shader cast shadows.",
     .default_value = {1}},
    {.name = "velocity",
     .type = CT_FIELD_TYPE_BOOL,
     STATE_AT(velocity),
     .doc = "Whether draws write how far their points moved. By default only opaque ones do.",
     .default_value = {1}},
};

const ct_schema ct_shader_state_schema = {
    .name = "state",
    .doc = "Render states that an option changes.",
    .size_bytes = sizeof(ct_shader_state),
    .num_fields = CT_COUNT_OF(state_fields),
    .fields = state_fields,
};

// Of a texture that materials set. The compiler reads it member by member.
static const ct_field texture_fields[] = {
    {.name = "default",
     .type = CT_FIELD_TYPE_REFERENCE,
     .doc = "The texture to use where a material sets none.",
     .reference_type = "texture"},
    {.name = "kind", .type = CT_FIELD_TYPE_VALUE, .doc = "The sampler's kind: 2d, array or cube."},
    {.name = "doc", .type = CT_FIELD_TYPE_VALUE, .doc = "What the texture is for."},
};

static const ct_schema texture_schema = {
    .name = "texture",
    .doc = "A texture of a shader.",
    .num_fields = CT_COUNT_OF(texture_fields),
    .fields = texture_fields,
};

static const ct_field fields[] = {
    {.name = "layer",
     .type = CT_FIELD_TYPE_NAME,
     AT(state.layer),
     .doc = "The render config's layer that draws with this shader go to. Fullscreen shaders have "
            "no layer.",
     .default_text = NULL},
    {.name = "cull",
     .type = CT_FIELD_TYPE_ENUM,
     AT(state.cull),
     .doc = "Which side of triangles is culled.",
     .enum_names = cull_names},
    {.name = "blend",
     .type = CT_FIELD_TYPE_ENUM,
     AT(state.blend),
     .doc = "How the colour is blended with the target.",
     .enum_names = blend_names},
    {.name = "topology",
     .type = CT_FIELD_TYPE_ENUM,
     AT(topology),
     .doc = "The primitives that vertices form.",
     .enum_names = topology_names},
    {.name = "vertices",
     .type = CT_FIELD_TYPE_ENUM,
     AT(vertices),
     .doc = "The vertex data that the vertex stage reads.",
     .enum_names = vertices_names},
    {.name = "depth_test",
     .type = CT_FIELD_TYPE_BOOL,
     AT(state.depth_test),
     .doc = "Whether nearer surfaces hide it.",
     .default_value = {1}},
    {.name = "depth_write",
     .type = CT_FIELD_TYPE_BOOL,
     AT(state.depth_write),
     .doc = "Whether it writes depth, and so hides what is farther away.",
     .default_value = {1}},
    {.name = "casts_shadows",
     .type = CT_FIELD_TYPE_BOOL,
     AT(state.casts_shadows),
     .doc = "Whether opaque meshes with this shader cast shadows.",
     .default_value = {1}},
    {.name = "velocity",
     .type = CT_FIELD_TYPE_BOOL,
     AT(state.velocity),
     .doc = "Whether draws write how far their points moved. By default only opaque ones do.",
     .default_value = {1}},
    {.name = "states",
     .type = CT_FIELD_TYPE_MAP,
     AT(states),
     .doc = "States that options change: option = { layer cull blend depth_test depth_write "
            "casts_shadows velocity }.",
     .schema = &ct_shader_state_schema},
    {.name = "includes",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(includes),
     .doc = "Project paths of GLSL files to insert before each stage.",
     .element_type = CT_FIELD_TYPE_MEDIA},
    {.name = "options",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(options),
     .doc = "Options that materials can switch on. Each defines OPTION_<NAME> while it is on."},
    {.name = "parameters",
     .type = CT_FIELD_TYPE_MAP,
     AT(parameters),
     .doc = "Parameters that materials set: { type = \"color\" default = [1 1 1 1] doc = \"…\" }."},
    {.name = "textures",
     .type = CT_FIELD_TYPE_MAP,
     AT(textures),
     .doc = "Textures that materials set: { default = \"core/textures/white\" doc = \"…\" }.",
     .schema = &texture_schema},
    {.name = "vertex",
     .type = CT_FIELD_TYPE_STRING,
     AT(vertex),
     .flags = CT_FIELD_GLSL,
     .doc = "GLSL of the vertex stage."},
    {.name = "fragment",
     .type = CT_FIELD_TYPE_STRING,
     AT(fragment),
     .flags = CT_FIELD_GLSL,
     .doc = "GLSL of the fragment stage."},
    {.name = "compute",
     .type = CT_FIELD_TYPE_STRING,
     AT(compute),
     .flags = CT_FIELD_GLSL,
     .doc = "GLSL of a compute shader's only stage."},
    {.name = "vertex",
     .type = CT_FIELD_TYPE_VALUE,
     AT(vertex_value),
     .doc = "GLSL of the vertex stage."},
    {.name = "fragment",
     .type = CT_FIELD_TYPE_VALUE,
     AT(fragment_value),
     .doc = "GLSL of the fragment stage."},
    {.name = "compute",
     .type = CT_FIELD_TYPE_VALUE,
     AT(compute_value),
     .doc = "GLSL of a compute shader's only stage."},
    {.name = "outputs",
     .type = CT_FIELD_TYPE_MAP,
     AT(outputs),
     .doc = "Images that a compute shader writes: { format = \"R32F\" doc = \"…\" }."},
};

const ct_schema ct_shader_schema = {
    .name = "shader",
    .doc = "GLSL code and render states of surfaces, passes or compute steps.",
    .size_bytes = sizeof(ct_shader_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_shader_parameter_layout = CT_BLOB_ALL_NUMBERS(ct_shader_parameter, 4);
const ct_blob_layout ct_shader_output_layout = CT_BLOB_ALL_NUMBERS(ct_shader_output, 4);

const ct_blob_layout ct_shader_texture_layout =
    CT_BLOB_STRUCT(ct_shader_texture, CT_BLOB_NUMBERS(4, ct_shader_texture, name, padding),
                   CT_BLOB_NUMBERS(8, ct_shader_texture, default_texture, default_texture));

const ct_blob_layout ct_shader_variant_layout =
    CT_BLOB_STRUCT(ct_shader_variant, CT_BLOB_NUMBERS(4, ct_shader_variant, options, state),
                   CT_BLOB_ARRAY(ct_shader_variant, vertex, ct_blob_u32_layout),
                   CT_BLOB_ARRAY(ct_shader_variant, fragment, ct_blob_u32_layout),
                   CT_BLOB_ARRAY(ct_shader_variant, shadow_fragment, ct_blob_u32_layout),
                   CT_BLOB_ARRAY(ct_shader_variant, compute, ct_blob_u32_layout));

const ct_blob_layout ct_shader_layout =
    CT_BLOB_ROOT(ct_shader_resource, "a shader",
                 CT_BLOB_NUMBERS(4, ct_shader_resource, topology, writes_velocity),
                 CT_BLOB_ARRAY(ct_shader_resource, options, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(ct_shader_resource, parameters, ct_shader_parameter_layout),
                 CT_BLOB_ARRAY(ct_shader_resource, textures, ct_shader_texture_layout),
                 CT_BLOB_ARRAY(ct_shader_resource, outputs, ct_shader_output_layout),
                 CT_BLOB_ARRAY(ct_shader_resource, variants, ct_shader_variant_layout),
                 CT_BLOB_ARRAY(ct_shader_resource, layer_names, ct_blob_string_layout));

const ct_shader_state *ct_shader_state_of(const ct_shader_resource *shader, uint32_t options) {
    const ct_shader_variant *const variants = ct_blob_at(shader, shader->variants.offset);
    return &variants[options].state;
}

static bool check_kind(const ct_shader_resource *s, ct_error *error) {
    if (s->topology > CT_SHADER_TOPOLOGY_LINES || s->vertices >= CT_SHADER_VERTICES_COUNT)
        return ct_error_set(error, "unknown topology %u or vertices %u", s->topology, s->vertices);
    if (s->is_compute > 1)
        return ct_error_set(error, "found is_compute %u, expected 0 or 1", s->is_compute);
    if (s->writes_velocity > 1)
        return ct_error_set(error, "found writes_velocity %u, expected 0 or 1", s->writes_velocity);
    for (uint32_t i = 0; i < 3; ++i) {
        if (s->is_compute && (s->group_size[i] == 0 || s->group_size[i] > CT_SHADER_MAX_GROUP))
            return ct_error_set(error, "found a group size of %u, which is out of range",
                                s->group_size[i]);
    }
    if (s->block_bytes > CT_SHADER_MAX_BLOCK_BYTES)
        return ct_error_set(error, "found a material block of %u bytes, expected at most %u",
                            s->block_bytes, CT_SHADER_MAX_BLOCK_BYTES);
    return true;
}

static bool check_state(const ct_shader_state *s, uint32_t variant, ct_error *error) {
    if (s->cull > CT_SHADER_CULL_NONE || s->blend > CT_SHADER_BLEND_PREMULTIPLIED)
        return ct_error_set(error, "variants[%u]: unknown cull %u or blend %u", variant, s->cull,
                            s->blend);
    if (s->depth_test > 1 || s->depth_write > 1 || s->casts_shadows > 1 || s->velocity > 1)
        return ct_error_set(error,
                            "variants[%u]: found depth test %u, write %u, shadows %u and velocity "
                            "%u, expected 0 or 1",
                            variant, s->depth_test, s->depth_write, s->casts_shadows, s->velocity);
    return true;
}

static bool check_outputs(const ct_shader_resource *s, ct_error *error) {
    const ct_shader_output *const outputs = ct_blob_at(s, s->outputs.offset);
    if (s->outputs.count > CT_SHADER_MAX_OUTPUTS)
        return ct_error_set(error, "outputs: found %u, expected at most %u", s->outputs.count,
                            CT_SHADER_MAX_OUTPUTS);
    for (uint32_t i = 0; i < s->outputs.count; ++i) {
        if (outputs[i].format >= CT_RENDER_FORMAT_COUNT ||
            !ct_render_format_is_writable(outputs[i].format))
            return ct_error_set(error, "outputs[%u]: found format %u, which shaders cannot write",
                                i, outputs[i].format);
    }
    return true;
}

uint32_t ct_shader_parameter_floats(uint32_t type) {
    switch (type) {
    case CT_SHADER_PARAMETER_TYPE_VECTOR2:
        return 2;
    case CT_SHADER_PARAMETER_TYPE_VECTOR3:
        return 3;
    case CT_SHADER_PARAMETER_TYPE_VECTOR4:
    case CT_SHADER_PARAMETER_TYPE_COLOR:
        return 4;
    case CT_SHADER_PARAMETER_TYPE_MATRIX4X4:
        return 16;
    default:
        return 1;
    }
}

// Checks that the instanced parameters are numbered from 1, each number once: the renderer writes
// an object's values by them.
static bool check_instanced(const ct_shader_resource *s, ct_error *error) {
    const ct_shader_parameter *const parameters = ct_blob_at(s, s->parameters.offset);
    uint32_t seen = 0, count = 0;
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        if (parameters[i].instanced == 0)
            continue;
        seen |= 1u << (parameters[i].instanced - 1);
        ++count;
    }
    return (count <= CT_SHADER_MAX_INSTANCED && seen == (1u << count) - 1) ||
           ct_error_set(error, "parameters: %u are instanced, but their numbers are not 1 to %u",
                        count, count);
}

static bool check_parameters(const ct_shader_resource *s, ct_error *error) {
    const ct_shader_parameter *const parameters = ct_blob_at(s, s->parameters.offset);
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        const ct_shader_parameter *const p = &parameters[i];
        const uint32_t bytes = 4 * ct_shader_parameter_floats(p->type);
        if (p->type == CT_SHADER_PARAMETER_TYPE_NONE ||
            p->type > CT_SHADER_PARAMETER_TYPE_MATRIX4X4)
            return ct_error_set(error, "parameters[%u]: unknown type %u", i, p->type);
        if (p->offset % 4 != 0 || p->offset > s->block_bytes || bytes > s->block_bytes - p->offset)
            return ct_error_set(
                error, "parameters[%u]: offset %u is misaligned or outside the block of %u bytes",
                i, p->offset, s->block_bytes);
        if (p->instanced > CT_SHADER_MAX_INSTANCED)
            return ct_error_set(error,
                                "parameters[%u]: found instance number %u, expected at most %u", i,
                                p->instanced, CT_SHADER_MAX_INSTANCED);
        if (p->instanced && p->type == CT_SHADER_PARAMETER_TYPE_MATRIX4X4)
            return ct_error_set(error, "parameters[%u]: a matrix cannot be instanced", i);
        for (uint32_t k = 0; k < CT_SHADER_MAX_FLOATS; ++k) {
            if (!isfinite(p->default_value[k]))
                return ct_error_set(error, "parameters[%u]: its default is not finite", i);
        }
    }
    return check_instanced(s, error);
}

static bool check_textures(const ct_shader_resource *s, ct_error *error) {
    const ct_shader_texture *const textures = ct_blob_at(s, s->textures.offset);
    uint32_t used = 0;
    if (s->textures.count > CT_SHADER_MAX_TEXTURES)
        return ct_error_set(error, "textures: found %u, expected at most %u", s->textures.count,
                            CT_SHADER_MAX_TEXTURES);
    for (uint32_t i = 0; i < s->textures.count; ++i) {
        const uint32_t binding = textures[i].binding;
        if (binding < 1 || binding > CT_SHADER_MAX_TEXTURES || (used & 1u << binding))
            return ct_error_set(
                error, "textures[%u]: found binding %u, expected an unused one from 1 to %u", i,
                binding, CT_SHADER_MAX_TEXTURES);
        used |= 1u << binding;
        if (textures[i].kind >= CT_TEXTURE_KIND_COUNT)
            return ct_error_set(error, "textures[%u]: unknown kind %u", i, textures[i].kind);
    }
    return true;
}

static bool check_code(const ct_shader_resource *s, ct_blob_array code, uint32_t variant,
                       const char *stage, ct_error *error) {
    const uint32_t *const words = ct_blob_at(s, code.offset);
    return (code.count > SPIRV_HEADER_WORDS && words[0] == SPIRV_MAGIC) ||
           ct_error_set(error, "variants[%u].%s: not SPIR-V", variant, stage);
}

static bool check_variants(const ct_shader_resource *s, ct_error *error) {
    const ct_shader_variant *const variants = ct_blob_at(s, s->variants.offset);
    if (s->options.count > CT_SHADER_MAX_OPTIONS)
        return ct_error_set(error, "options: found %u, expected at most %u", s->options.count,
                            CT_SHADER_MAX_OPTIONS);
    if (s->variants.count != 1u << s->options.count)
        return ct_error_set(error, "variants: found %u, expected %u", s->variants.count,
                            1u << s->options.count);
    for (uint32_t i = 0; i < s->variants.count; ++i) {
        if (variants[i].options != i)
            return ct_error_set(error, "variants[%u]: found options %u, expected %u", i,
                                variants[i].options, i);
        if (!check_state(&variants[i].state, i, error))
            return false;
        if (variants[i].state.casts_shadows && s->vertices != CT_SHADER_VERTICES_MESH)
            return ct_error_set(error, "variants[%u]: casts shadows, but is not for meshes", i);
        const bool is_right = s->is_compute
                                  ? check_code(s, variants[i].compute, i, "compute", error)
                                  : check_code(s, variants[i].vertex, i, "vertex", error) &&
                                        check_code(s, variants[i].fragment, i, "fragment", error);
        if (!is_right)
            return false;
        if (variants[i].shadow_fragment.count &&
            !check_code(s, variants[i].shadow_fragment, i, "shadow_fragment", error))
            return false;
    }
    return true;
}

bool ct_shader_validate(const void *blob, ct_error *error) {
    const ct_shader_resource *const s = blob;
    return ct_blob_check_layout(&ct_shader_layout, s, error) && check_kind(s, error) &&
           check_outputs(s, error) && check_parameters(s, error) && check_textures(s, error) &&
           check_variants(s, error);
}
