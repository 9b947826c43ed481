// Physically based surfaces. Each map multiplies the parameter with the matching name.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/lighting.glsl"
            "core/shaders/include/normal_map.glsl" "core/shaders/include/debug_views.glsl"
            "core/shaders/include/behind.glsl" "core/shaders/include/fog.glsl"]

options = ["base_color_map" "normal_map" "metallic_roughness_map" "emissive_map"
           "vertex_color" "alpha_test" "transparent" "double_sided" "refraction" "soft_edges"]

// State changes of options, besides their GLSL.
states = {
    alpha_test = { layer = "alpha_tested" }
    transparent = { layer = "transparent"  blend = "alpha"  depth_write = false }
    double_sided = { cull = "none" }
    refraction = { layer = "transparent"  blend = "alpha"  depth_write = false }
    soft_edges = { layer = "transparent"  blend = "alpha"  depth_write = false }
}

parameters = {
    base_color = { type = "color"  default = [1 1 1 1]  instanced = true
                   doc = "Colour of the surface; alpha is its opacity (alpha_test, transparent)." }
    alpha_cutoff = { type = "scalar"  default = 0.5  doc = "With alpha_test: lower opacity is a hole." }
    metallic = { type = "scalar"  default = 0  doc = "0: not a metal, 1: a metal." }
    roughness = { type = "scalar"  default = 0.5  doc = "0: a mirror, 1: chalk." }
    emissive = { type = "color"  default = [0 0 0 1]  instanced = true
                 doc = "Colour of the light that the surface emits." }
    emissive_intensity = { type = "scalar"  default = 1  doc = "Multiplies the emissive colour." }
    normal_strength = { type = "scalar"  default = 1  doc = "Strength of the normal map's bumps." }
    refraction_index = { type = "scalar"  default = 1.5
                         doc = "With refraction: 1 does not bend light, water 1.33, glass 1.5." }
    thickness = { type = "scalar"  default = 0.1
                  doc = "With refraction: metres that bent light goes before it leaves." }
    soft_distance = { type = "scalar"  default = 0.5
                      doc = "With soft_edges: metres before what is behind in which it fades." }
    uv_scale = { type = "vector2"  default = [1 1]  doc = "Number of times that maps repeat." }
}

textures = {
    base_color_map = { default = "core/textures/white"  doc = "Colour (sRGB) and opacity." }
    normal_map = { default = "core/textures/normal"  doc = "Tangent space, y up; category normal." }
    metallic_roughness_map = { default = "core/textures/white"
                               doc = "Green: roughness; blue: metallic; linear." }
    emissive_map = { default = "core/textures/white"  doc = "Emitted light; sRGB." }
}

vertex = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
#ifdef OPTION_VERTEX_COLOR
layout(location = 4) in vec4 color;
#endif

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;
#ifdef OPTION_NORMAL_MAP
layout(location = 3) out vec4 out_tangent;
#endif
#ifdef OPTION_VERTEX_COLOR
layout(location = 4) out vec4 out_vertex_color;
#endif

void main() {
    out_position = to_world_point(position);
    out_normal = to_world_normal(normal);
    out_uv = uv * material.uv_scale;
#ifdef OPTION_NORMAL_MAP
    out_tangent = to_world_tangent(tangent);
#endif
#ifdef OPTION_VERTEX_COLOR
    out_vertex_color = color;
#endif
    gl_Position = view.view_projection * vec4(out_position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
#ifdef OPTION_NORMAL_MAP
layout(location = 3) in vec4 in_tangent;
#endif
#ifdef OPTION_VERTEX_COLOR
layout(location = 4) in vec4 in_vertex_color;
#endif

layout(location = 0) out vec4 out_color;

vec3 surface_normal(vec3 n) {
#ifdef OPTION_NORMAL_MAP
    vec3 t = normalize(in_tangent.xyz - n * dot(n, in_tangent.xyz));
    vec3 b = cross(n, t) * in_tangent.w;
    vec3 bump = unpack_normal(texture(normal_map, in_uv).xy);
    bump.xy *= material.normal_strength;
    n = normalize(t * bump.x + b * bump.y + n * bump.z);
#endif
    return n;
}

void main() {
    vec4 base_color = material.base_color;
    float metallic = material.metallic;
    float roughness = material.roughness;
    vec3 emissive = material.emissive.rgb * material.emissive_intensity;
#ifdef OPTION_VERTEX_COLOR
    base_color *= in_vertex_color;
#endif
    if (option_base_color_map)
        base_color *= texture(base_color_map, in_uv);
#ifdef OPTION_ALPHA_TEST
    if (base_color.a < material.alpha_cutoff)
        discard;
#endif
    if (option_metallic_roughness_map) {
        vec2 roughness_metallic = texture(metallic_roughness_map, in_uv).gb;
        roughness *= roughness_metallic.x;
        metallic *= roughness_metallic.y;
    }
    if (option_emissive_map)
        emissive *= texture(emissive_map, in_uv).rgb;
    surface s;
    s.position = in_position;
    vec3 vertex_normal = normalize(in_normal);
    if (!gl_FrontFacing) // the back of a double_sided surface
        vertex_normal = -vertex_normal;
    s.normal = surface_normal(vertex_normal);
    s.to_eye = normalize(view.camera_position.xyz - in_position);
    s.diffuse = base_color.rgb * (1.0 - metallic);
    s.specular = mix(vec3(0.04), base_color.rgb, metallic);
    s.roughness = max(roughness * roughness, 0.002);
    // Only transparent surfaces blend by alpha.
    out_color = vec4(emissive, base_color.a);
    if (option_refraction && has_scene_copy()) {
        // What is behind shows through what of the surface is not opaque.
        s.diffuse *= base_color.a;
        out_color.rgb += (1.0 - base_color.a) * base_color.rgb *
                         light_from_behind(s, material.refraction_index, material.thickness, roughness);
        out_color.a = 1.0;
    }
    vec3 ambient;
    // The target holds no brighter light.
    out_color.rgb += min(light_surface(s, vertex_normal, ambient), vec3(60000.0));
    vec4 fog = fog_before(in_position - view.camera_position.xyz);
    out_color.rgb = out_color.rgb * fog.a + fog.rgb;
    // Of opaque surfaces the target keeps how much of their light is ambient: obscurance takes
    // from that.
    if (!option_transparent && !option_refraction && !option_soft_edges)
        out_color.a = dot(ambient, vec3(fog.a)) / max(dot(out_color.rgb, vec3(1.0)), 1e-4);
    if (option_soft_edges)
        out_color.a *= soft_edge(in_position, material.soft_distance);
    if (surface_view != 0)
        out_color = debug_view(out_color, s.position, s.normal, roughness);
}
"""
