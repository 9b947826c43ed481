// The debug view "lod": a colour for each level of detail.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]

vertex = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec3 out_normal;
layout(location = 1) flat out uint out_level;

void main() {
    out_normal = to_world_normal(normal);
    out_level = level_of_detail();
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_normal;
layout(location = 1) flat in uint in_level;
layout(location = 0) out vec4 out_color;

// The full mesh is white; then green, yellow, orange, red, violet.
const vec3 colors[6] = vec3[6](vec3(0.9), vec3(0.2, 0.8, 0.2), vec3(0.9, 0.9, 0.1),
                               vec3(1.0, 0.5, 0.0), vec3(0.9, 0.1, 0.1), vec3(0.7, 0.2, 1.0));

void main() {
    float light = 0.75 + 0.25 * normalize(in_normal).z;
    out_color = vec4(colors[min(in_level, 5u)] * light, 1.0);
}
"""
