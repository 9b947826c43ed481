#include "compiler/types/shader/worker_shader_inputs.h"

#include <ctype.h>

#include "compiler/types/shader/worker_shader_words.h"
#include "resource/types/shader_resource.h"

// --- Declarations --------------------------------------------------------------------------------

typedef struct input_declaration {
    uint32_t location, components;
    const char *name, *name_end; // in the text
    const char *end;             // behind the semicolon
} input_declaration;

static bool take_location(const char **p, uint32_t *location) {
    if (!ct_glsl_take(p, "layout") || !ct_glsl_take(p, "(") || !ct_glsl_take(p, "location") ||
        !ct_glsl_take(p, "="))
        return false;
    const char *const at = ct_glsl_skip(*p);
    if (!isdigit((unsigned char)at[0]) || ct_glsl_word_length(at) != 1)
        return false;
    *location = (uint32_t)(at[0] - '0');
    *p = at + 1;
    return ct_glsl_take(p, ")");
}

// A declaration of an input that is decoded, if one begins at `p`.
static bool read_declaration(const char *p, input_declaration *d) {
    static const char *const types[] = {"float", "vec2", "vec3", "vec4"};
    static const char *const precisions[] = {"highp", "mediump", "lowp"};
    if (!take_location(&p, &d->location) || !(CT_WORKER_DECODED_INPUTS >> d->location & 1) ||
        !ct_glsl_take(&p, "in"))
        return false;
    for (uint32_t i = 0; i < CT_COUNT_OF(precisions); ++i)
        ct_glsl_take(&p, precisions[i]);
    d->components = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(types) && !d->components; ++i)
        d->components = ct_glsl_take(&p, types[i]) ? i + 1 : 0;
    d->name = ct_glsl_skip(p);
    d->name_end = p = d->name + ct_glsl_word_length(d->name);
    const bool is_whole = d->components && d->name_end > d->name && ct_glsl_take(&p, ";");
    d->end = p;
    return is_whole;
}

// --- The text ------------------------------------------------------------------------------------

// Functions that make what an input means of what it is. Skinned meshes are drawn with pipelines of
// their own: in all others the constant is 0, so that nothing of the skin is left. The blended
// matrix of a vertex is made once, before its inputs are decoded. Normals go by the cofactors, so
// that they stay perpendicular to the surface at any scale; a mirroring joint turns the side of the
// bitangent. The point is kept before and after its joints moved it, for velocity.
static const char decoders[] =
    "struct ct_instance { vec4 rows[3]; uvec4 values; };\n"
    "layout(std430, set = 0, binding = 1) readonly buffer ct_instances_block "
    "{ ct_instance ct_instances[]; };\n"
    "layout(std430, set = 0, binding = 5) readonly buffer ct_palettes_block "
    "{ vec4 ct_palettes[]; };\n"
    "mat3x4 ct_joint(uint first, uint joints, uint weights, int i) {\n"
    "    uint at = first + 3u * (joints >> (8 * i) & 255u);\n"
    "    return mat3x4(ct_palettes[at], ct_palettes[at + 1u], ct_palettes[at + 2u]) *\n"
    "           float(weights >> (8 * i) & 255u);\n"
    "}\n"
    "mat3x4 ct_joints(uint first, uint joints, uint weights) {\n"
    "    return ct_joint(first, joints, weights, 0) + ct_joint(first, joints, weights, 1) +\n"
    "           ct_joint(first, joints, weights, 2) + ct_joint(first, joints, weights, 3);\n"
    "}\n"
    "mat3x4 ct_blend(uint first) {\n"
    "    if (ct_num_influences == 0)\n"
    "        return mat3x4(0.0);\n"
    "    if (ct_num_influences == 4)\n"
    "        return ct_joints(first, ct_influences.x, ct_influences.y) * (1.0 / 255.0);\n"
    "    return (ct_joints(first, ct_influences.x, ct_influences.z) +\n"
    "            ct_joints(first, ct_influences.y, ct_influences.w)) * (1.0 / 255.0);\n"
    "}\n"
    "mat3x4 ct_rows = ct_blend(ct_instances[gl_InstanceIndex].values.y);\n"
    "vec3 ct_bind_point = vec3(0.0), ct_posed_point = vec3(0.0);\n"
    "vec3 ct_unit(vec3 v) { return v * inversesqrt(max(dot(v, v), 1e-30)); }\n"
    "vec4 ct_decode_0(vec4 v) {\n"
    "    ct_bind_point = v.xyz * ct_point_grid.w + ct_point_grid.xyz;\n"
    "    ct_posed_point = ct_bind_point;\n"
    "    if (ct_num_influences != 0)\n"
    "        ct_posed_point = vec4(ct_bind_point, 1.0) * ct_rows;\n"
    "    return vec4(ct_posed_point, v.w);\n"
    "}\n"
    "vec4 ct_decode_1(vec4 v) {\n"
    "    if (ct_num_influences == 0)\n"
    "        return v;\n"
    "    vec3 x = cross(ct_rows[1].xyz, ct_rows[2].xyz), y = cross(ct_rows[2].xyz, "
    "ct_rows[0].xyz);\n"
    "    vec3 z = cross(ct_rows[0].xyz, ct_rows[1].xyz);\n"
    "    vec3 n = vec3(dot(x, v.xyz), dot(y, v.xyz), dot(z, v.xyz));\n"
    "    return vec4(ct_unit(n) * sign(dot(ct_rows[0].xyz, x)), v.w);\n"
    "}\n"
    "vec4 ct_decode_2(vec4 v) {\n"
    "    if (ct_num_influences == 0)\n"
    "        return v;\n"
    "    float side = sign(dot(ct_rows[0].xyz, cross(ct_rows[1].xyz, ct_rows[2].xyz)));\n"
    "    return vec4(ct_unit(vec4(v.xyz, 0.0) * ct_rows), v.w * side);\n"
    "}\n"
    "vec4 ct_decode_3(vec4 v) { return vec4(v.xy * ct_uv_grid.zw + ct_uv_grid.xy, v.zw); }\n"
    "vec4 ct_decode_5(vec4 v) { return vec4(v.xy * ct_uv1_grid.zw + ct_uv1_grid.xy, v.zw); }\n";

void ct_worker_shader_add_decoders(ct_string_builder *b) {
    static const char *const names[] = {"ct_point_grid", "ct_uv_grid", "ct_uv1_grid"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        ct_string_builder_addf(b, "layout(location = %u) in vec4 %s;\n",
                               CT_SHADER_GRID_LOCATION + i, names[i]);
    ct_string_builder_addf(b,
                           "layout(location = %u) in uvec4 ct_influences;\n"
                           "layout(constant_id = %u) const int ct_num_influences = 0;\n",
                           CT_SHADER_INFLUENCES_LOCATION, CT_SHADER_INFLUENCES_CONSTANT);
    ct_string_builder_add(b, decoders);
}

static void add_declaration(const input_declaration *d, const char *begin, ct_string_builder *b) {
    static const char *const types[] = {"float", "vec2", "vec3", "vec4"};
    static const char *const rest[] = {", 0, 0, 1", ", 0, 1", ", 1", ""};
    static const char *const parts[] = {".x", ".xy", ".xyz", ""};
    const uint32_t i = d->components - 1;
    ct_string_builder_addf(b, "%.*sct_input_%u%.*s", (int)(d->name - begin), begin, d->location,
                           (int)(d->end - d->name_end), d->name_end);
    ct_string_builder_addf(b, " %s %.*s = ct_decode_%u(vec4(ct_input_%u%s))%s;", types[i],
                           (int)(d->name_end - d->name), d->name, d->location, d->location, rest[i],
                           parts[i]);
}

uint32_t ct_worker_shader_add_decoded(const char *text, ct_string_builder *b) {
    uint32_t found = 0;
    const char *copied = text;
    for (const char *p = ct_glsl_skip(text); *p; p = ct_glsl_skip(p)) {
        input_declaration d;
        const uint32_t length = ct_glsl_word_length(p);
        if (length && read_declaration(p, &d)) {
            ct_string_builder_addf(b, "%.*s", (int)(p - copied), copied);
            add_declaration(&d, p, b);
            found |= 1u << d.location;
            p = copied = d.end;
            continue;
        }
        p += length ? length : 1;
    }
    ct_string_builder_add(b, copied);
    return found;
}
