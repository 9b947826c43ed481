// The last mip of the sky map: the light that falls on a surface with a normal, as a share of pi:
// under a sky of one colour it is this colour.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/sky_map.glsl" "core/shaders/include/sky_faces.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 normal = sky_map_direction(in_uv);
    ivec2 size = textureSize(faces, 0);
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int y = 0; y < size.y; ++y)
        for (int x = 0; x < size.x; ++x) {
            vec3 d = face_direction(ivec2(x, y), size.y / 2);
            // A texel's share of the sky falls with the third power of its distance.
            float scale = inversesqrt(dot(d, d));
            float weight = max(dot(d, normal) * scale, 0.0) * scale * scale * scale;
            sum += weight * clamp(texelFetch(faces, ivec2(x, y), 0).rgb, 0.0, 60000.0);
            total += weight;
        }
    out_color = vec4(sum / max(total, 1e-6), 1.0);
}
"""
