// A mip of the sky map: the sky as a surface of this roughness mirrors it when it is seen along its
// normal (Karis 2013, "Real Shading in Unreal Engine 4"). Few samples are enough, because each reads
// a mip as coarse as its share of the sky (Křivánek and Colbert 2008, "Real-time Shading with
// Filtered Importance Sampling").
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/sky_map.glsl" "core/shaders/include/sky_faces.glsl"]

options = ["rough"]

parameters = {
    roughness = { type = "scalar"  default = 1  doc = "With rough: above 0, up to 1." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

const float turn = 6.2831853;
const uint num_samples = 48u;

// A normal of a microfacet around z, for two numbers from 0 to 1, and how likely it is.
vec3 choose_facet(vec2 chosen, float a2, out float likely) {
    float cos2 = (1.0 - chosen.y) / (1.0 + (a2 - 1.0) * chosen.y);
    float sine = sqrt(max(1.0 - cos2, 0.0));
    float d = cos2 * (a2 - 1.0) + 1.0;
    likely = a2 / (turn * 0.5 * d * d);
    return vec3(sine * cos(turn * chosen.x), sine * sin(turn * chosen.x), sqrt(cos2));
}

vec3 sky_of(vec3 normal, float roughness) {
    float a = roughness * roughness;
    float size = float(textureSize(faces, 0).y / 2);
    float texel = 2.0 * turn / (6.0 * size * size);
    float most_lod = log2(size) - 2.0;
    vec3 x = normalize(cross(abs(normal.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), normal));
    vec3 y = cross(normal, x);
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (uint i = 0u; i < num_samples; ++i) {
        // Hammersley's points.
        vec2 chosen = vec2((float(i) + 0.5) / float(num_samples),
                           float(bitfieldReverse(i)) * 2.3283064e-10);
        float likely;
        vec3 h = choose_facet(chosen, a * a, likely);
        vec3 to_light = vec3(2.0 * h.z * h.xy, 2.0 * h.z * h.z - 1.0);
        if (to_light.z <= 0.0)
            continue;
        // The light's direction is four times less likely for each steradian than the facet's.
        float share = 4.0 / (float(num_samples) * max(likely, 1e-6));
        float lod = clamp(0.5 * log2(share / texel) + 1.0, 0.0, most_lod);
        vec3 d = x * to_light.x + y * to_light.y + normal * to_light.z;
        sum += to_light.z * sky_from(d, lod);
        total += to_light.z;
    }
    return sum / max(total, 1e-6);
}

void main() {
    vec3 normal = sky_map_direction(in_uv);
#ifdef OPTION_ROUGH
    out_color = vec4(sky_of(normal, material.roughness), 1.0);
#else
    out_color = vec4(sky_from(normal, 0.0), 1.0);
#endif
}
"""
