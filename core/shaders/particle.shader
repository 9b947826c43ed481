// Particles: a texture times the colour of each. Blended by opacity, added, or both.
layer = "transparent"
vertices = "particle"
cull = "none"
blend = "premultiplied"
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/lighting.glsl"
            "core/shaders/include/behind.glsl" "core/shaders/include/fog.glsl"
            "core/shaders/include/particle.glsl"]

// premultiplied: the colours of the texture are already multiplied by its opacity, as a texture with
// premultiply_alpha = true has them. lit: lights of the world, as on a ball. soft_edges: fades where
// it comes near to what is behind it. alpha_test: opaque, with holes.
options = ["premultiplied" "lit" "soft_edges" "alpha_test"]
states = {
    alpha_test = { layer = "alpha_tested"  blend = "opaque"  depth_write = true }
}

parameters = {
    color = { type = "color"  default = [1 1 1 1]  doc = "Multiplies the colour of each particle." }
    intensity = { type = "scalar"  default = 1  doc = "Multiplies the light; above 1 it glows." }
    additive = { type = "scalar"  default = 0
                 doc = "1: adds light to what is behind; 0: covers it. Values between do both." }
    soft_distance = { type = "scalar"  default = 0.5
                      doc = "With soft_edges: metres before what is behind in which it fades." }
    roundness = { type = "scalar"  default = 0.8
                  doc = "With lit: 0: lit like a flat picture, 1: like a ball." }
    scatter = { type = "scalar"  default = 0.5
                doc = "With lit: how much light goes around to the side away from it." }
    alpha_cutoff = { type = "scalar"  default = 0.5  doc = "With alpha_test: lower opacity is a hole." }
}
textures = {
    picture = { default = "core/textures/particle"  doc = "Colours (sRGB) and opacity; may be a grid of frames." }
}

vertex = """
layout(location = 0) out vec3 out_position;
layout(location = 1) out vec4 out_color;
layout(location = 2) out vec4 out_uvs;
layout(location = 3) flat out float out_blend;
#ifdef OPTION_LIT
layout(location = 4) out vec2 out_place;
layout(location = 5) out vec3 out_right;
layout(location = 6) out vec3 out_up;
#endif

void main() {
    particle_corner c = particle();
    out_position = c.position;
    out_color = c.color;
    out_uvs = vec4(c.uv, c.next_uv);
    out_blend = c.blend;
#ifdef OPTION_LIT
    out_place = c.place;
    out_right = c.right;
    out_up = c.up;
#endif
    gl_Position = view.view_projection * vec4(c.position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec4 in_color;
layout(location = 2) in vec4 in_uvs;
layout(location = 3) flat in float in_blend;
#ifdef OPTION_LIT
layout(location = 4) in vec2 in_place;
layout(location = 5) in vec3 in_right;
layout(location = 6) in vec3 in_up;
#endif

layout(location = 0) out vec4 out_color;

#ifdef OPTION_LIT
// The normal of a ball that fills the quad.
vec3 ball_normal(vec3 to_eye) {
    vec3 flat_normal = cross(in_right, in_up);
    float square = dot(flat_normal, flat_normal);
    flat_normal = square > 1e-12 ? flat_normal * inversesqrt(square) : to_eye;
    if (dot(flat_normal, to_eye) < 0.0)
        flat_normal = -flat_normal;
    vec2 place = in_place * material.roundness;
    place *= min(1.0, 0.98 * inversesqrt(max(dot(place, place), 1e-8)));
    return normalize(in_right * place.x + in_up * place.y +
                     flat_normal * sqrt(1.0 - dot(place, place)));
}

// The share of light that a side takes: some goes around to the far side.
float wrapped(float n_l) {
    float wrap = clamp(material.scatter, 0.0, 1.0);
    return max(n_l + wrap, 0.0) / ((1.0 + wrap) * (1.0 + wrap));
}

vec3 ambient_light(vec3 normal) {
    vec3 light = sky_light(normal);
    if (has_sky_map && textureSize(sky_map, 0).x >= 256)
        light = textureLod(sky_map, sky_map_uv(normal), sky_map_diffuse).rgb *
                view.sky_intensity.x;
    return light;
}

// All light that arrives.
vec3 arriving_light() {
    vec3 to_eye = normalize(view.camera_position.xyz - in_position);
    surface s = surface(in_position, ball_normal(to_eye), to_eye, vec3(1.0), vec3(0.0), 1.0);
    vec3 sum = ambient_light(s.normal);
    float light = 1.0;
    if (has_shadows)
        light = unshadowed(s, 1.0);
    for (uint i = 0; i < 4 && lights.directional[i].direction.w > 0.0; ++i) {
        float share = wrapped(dot(s.normal, -lights.directional[i].direction.xyz));
        sum += lights.directional[i].color.rgb * (share * light);
        light = 1.0;
    }
    for (uint i = 0; i < 64 && lights.local[i].position_reach.w > 0.0; ++i) {
        vec3 to_light = lights.local[i].position_reach.xyz - in_position;
        float distance2 = dot(to_light, to_light);
        float reach = lights.local[i].position_reach.w;
        if (distance2 < reach * reach) {
            to_light *= inversesqrt(max(distance2, 1e-8));
            sum += local_light_color(lights.local[i], to_light, distance2) *
                   wrapped(dot(s.normal, to_light));
        }
    }
    return sum;
}
#endif

void main() {
    vec4 texel = blended_frames(picture, in_uvs.xy, in_uvs.zw, in_blend);
    if (!option_premultiplied)
        texel.rgb *= texel.a;
    vec4 tint = in_color * material.color;
    vec4 color = texel * vec4(tint.rgb * tint.a * material.intensity, tint.a);
#ifdef OPTION_LIT
    color.rgb *= arriving_light();
#endif
#ifdef OPTION_ALPHA_TEST
    if (color.a < material.alpha_cutoff)
        discard;
    color = vec4(color.rgb / max(color.a, 1e-4), 1.0);
#else
    if (option_soft_edges)
        color *= soft_edge(in_position, material.soft_distance);
    color.a *= 1.0 - material.additive;
#endif
    vec4 fog = fog_before(in_position - view.camera_position.xyz);
    // The target holds no brighter light.
    out_color = vec4(min(color.rgb, vec3(60000.0)) * fog.a + fog.rgb * color.a, color.a);
#ifdef OPTION_ALPHA_TEST
    out_color.a = 0.0; // no part of its light is ambient: obscurance takes nothing from it
#endif
}
"""
